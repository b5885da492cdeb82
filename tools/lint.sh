#!/bin/sh
# usage: lint.sh BUILD   clang-tidy over every file that BUILD compiles; .clang-tidy says which checks.
set -eu
cd "$(dirname "$0")/.."
build=$1
tidy=$(command -v run-clang-tidy-19 || command -v run-clang-tidy) || { echo "clang-tidy is missing: sh tools/setup.sh long" >&2; exit 1; }
"$tidy" -quiet -p "$build" -j "$(nproc)" -warnings-as-errors='*' "^$PWD/(src|cli|test|bench|examples)/.*\.c\$" >"$build/lint.log" 2>&1 || {
    grep -E 'warning:|error:|note:' -A 4 "$build/lint.log" >&2 || cat "$build/lint.log" >&2
    exit 1
}
echo "clang-tidy: no finding"
