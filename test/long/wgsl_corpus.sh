#!/bin/sh
# usage: BUILD=build TELAR_WGSL_CORPUS=FOLDER[:FOLDER...] wgsl_corpus.sh [--syntax]
#
# Every .wgsl below the folders is read, printed, read and printed again (wgsl_corpus.c). In a folder that has
# X.wgsl.expected.wgsl files, as test/tint of Dawn, the inputs are those whose expected file is no error output; in any
# other, as naga/tests/in of wgpu, all files. Without folders it is skipped: they are fetched for testing only.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
if [ -z "${TELAR_WGSL_CORPUS:-}" ]; then
    echo "skipped: TELAR_WGSL_CORPUS names no folders (test/tint of google/dawn, naga/tests/in of gfx-rs/wgpu)"
    exit 0
fi

inputs_of() {
    if [ -n "$(find "$1" -name '*.wgsl.expected.wgsl' -print | head -n 1)" ]; then
        find "$1" -name '*.wgsl.expected.wgsl' -exec grep -L -e '^SKIP' -e 'error:' {} + | sed 's/\.expected\.wgsl$//'
    else
        find "$1" -name '*.wgsl'
    fi
}

"${CC:-cc}" -std=c11 -O2 -Iinclude -Isrc test/long/wgsl_corpus.c "$build/libtelar.a" -lm -o "$build/wgsl_corpus"
status=0
IFS=:
for folder in $TELAR_WGSL_CORPUS; do
    if [ ! -d "$folder" ]; then
        echo "skipped: no folder $folder"
        continue
    fi
    echo "$folder"
    inputs_of "$folder" | sort | "$build/wgsl_corpus" "$@" || status=1
done
exit $status
