#!/bin/sh
# usage: run.sh BUILD LIBDIR CC   Installs BUILD into a folder with a blank in its name and builds a user's project on it,
# through CMake and through telar.pc, linked with the shared library and with the archive.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 libdir=$2 cc=$3
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/the prefix" >/dev/null
cmake -S "$here" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/the prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/build/shared"
"$work/build/archive"
[ ! -x "$build/telar" ] || "$work/the prefix/bin/telar" --version

# pkg-config, where there is one: blanks in a prefix are beyond it, so a second folder.
command -v pkg-config >/dev/null || { echo "no pkg-config here: telar.pc was not tried"; exit 0; }
mkdir "$work/staging"
DESTDIR="$work/staging" cmake --install "$build" --prefix /opt/telar >/dev/null
export PKG_CONFIG_PATH="$work/staging/opt/telar/$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/staging"
# shellcheck disable=SC2046
"$cc" -std=c11 "$here/main.c" $(pkg-config --cflags --libs telar) -o "$work/pkg"
LD_LIBRARY_PATH="$work/staging/opt/telar/$libdir" "$work/pkg"
