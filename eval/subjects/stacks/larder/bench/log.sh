set -eu
larder=$1 folder=$2
"$larder" --data="$folder/log.db" --flush=batch run bench/batches.work > "$folder/said"
"$larder" --data="$folder/log.db" --flush=end run bench/more.work > "$folder/said-then"
