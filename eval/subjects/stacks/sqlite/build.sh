#!/bin/sh
# SQLite and the driver: linked together, or SQLite as a shared library where the file shared-sqlite is there.
set -eu
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
flags="-O2 -g -w -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_MAX_MMAP_SIZE=0 -DUSE_PREAD"
kind=-fPIE
[ ! -e shared-sqlite ] || kind=-fPIC
cache=$(command -v ccache || true)
$cache cc $flags $kind -c sqlite3.c -o "$objects/sqlite3.o"
$cache cc $flags $kind -c driver.c -o "$objects/driver.o"
cd "$objects"
if [ $kind = -fPIC ]; then
  cc -shared -o "$DRAGNET_BUILD/libsqlite3.so" sqlite3.o -lm
  cc -o "$DRAGNET_BUILD/driver" driver.o -L"$DRAGNET_BUILD" -lsqlite3 -Wl,-rpath,'$ORIGIN'
else
  cc -pie -o "$DRAGNET_BUILD/driver" driver.o sqlite3.o -lm
fi
