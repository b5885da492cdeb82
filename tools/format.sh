#!/bin/sh
# usage: format.sh [--check]   Formats every C file with clang-format; --check only tells.
set -eu
cd "$(dirname "$0")/.."
format=$(command -v clang-format-19 || command -v clang-format) || { echo "clang-format is missing: sh tools/setup.sh long" >&2; exit 1; }
files() { find include src cli test bench examples \( -name '*.c' -o -name '*.h' \) -print0 2>/dev/null; }
if [ "${1:-}" != --check ]; then
    files | xargs -0 -r "$format" -i
    exit
fi
# One line a file: the rest is what `make format` is for.
list=$(files | xargs -0 -r -n 1 sh -c '"$0" "$1" | cmp -s - "$1" || echo "$1"' "$format")
[ -z "$list" ] || {
    printf 'not formatted (make format does it):\n%s\n' "$list" >&2
    exit 1
}
