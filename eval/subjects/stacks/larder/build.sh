#!/bin/sh
# The example program: its core linked in, or as a shared library where the file shared-core is there.
set -eu
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
kind=-fPIE
[ ! -e shared-core ] || kind=-fPIC
cache=$(command -v ccache || true)
ls src/*.cpp | xargs -P 2 -I{} sh -c "$cache c++ -std=c++20 -O2 -g $kind -c {} -o $objects/\$(basename {} .cpp).o"
cd "$objects"
if [ $kind = -fPIC ]; then
  c++ -shared -o "$DRAGNET_BUILD/liblarder.so" $(ls ./*.o | grep -v -e main.o -e options.o)
  c++ -o "$DRAGNET_BUILD/larder" main.o options.o -L"$DRAGNET_BUILD" -llarder -Wl,-rpath,'$ORIGIN'
else
  c++ -pie -o "$DRAGNET_BUILD/larder" ./*.o
fi
