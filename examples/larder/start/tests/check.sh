#!/bin/sh
# Checks that what goes into the larder comes out again, under each set of options.
set -eu
larder=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "check.sh: $*" >&2
  exit 1
}

expect() { # expect WANTED COMMAND...
  wanted=$1
  shift
  got=$("$@") || true
  [ "$got" = "$wanted" ] || fail "$*: wanted '$wanted', got '$got'"
}

round_trip() { # round_trip OPTION...
  rm -f "$folder/data.db"
  "$larder" make-words 2000 | sort > "$folder/words"
  "$larder" --data="$folder/data.db" "$@" load "$folder/words"
  "$larder" --data="$folder/data.db" "$@" scan | sort > "$folder/back"
  cmp "$folder/words" "$folder/back" || fail "round trip with $*"
}

for index in hash sorted; do
  for flush in never end batch; do
    round_trip --index=$index --flush=$flush
    round_trip --index=$index --flush=$flush --compress
    round_trip --index=$index --flush=$flush --compress --checksum --verify
  done
done

set -- "$larder" --data="$folder/new.db"
"$@" put jam cherry
expect cherry "$@" get jam
"$@" put jam plum
expect plum "$@" get jam
expect "17 bytes saved" "$@" compact
expect plum "$@" get jam
"$@" erase jam
expect "" "$@" get jam
