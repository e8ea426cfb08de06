set -eu
larder=$1 folder=$2
"$larder" make-words 20000 > "$folder/words"
"$larder" --data="$folder/words.db" load "$folder/words"
"$larder" --data="$folder/words.db" scan > "$folder/listing"
"$larder" --data="$folder/words.db" compact > "$folder/said"
