#!/bin/sh
# usage: format.sh [--check]   Formats every C file with clang-format; --check only tells.
set -eu
cd "$(dirname "$0")/.."
format=$(command -v clang-format-19 || command -v clang-format) || { echo "clang-format is missing: sh tools/setup.sh long" >&2; exit 1; }
if [ "${1:-}" = --check ]; then
    set -- --dry-run --Werror
else
    set -- -i
fi
find include src cli test bench examples \( -name '*.c' -o -name '*.h' \) -print0 2>/dev/null | xargs -0 -r "$format" "$@"
