#!/bin/sh
# usage: configure.sh BUILD [CMAKE ARGUMENTS]   Ninja where it is installed, otherwise make; quiet unless it fails.
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja >/dev/null 2>&1; then
    set -- -G Ninja "$@"
fi
mkdir -p "$build"
if ! cmake -S . -B "$build" "$@" >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    exit 1
fi
