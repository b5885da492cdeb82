#!/bin/sh
# usage: BUILD=build TELAR_WGSL_CORPUS=FOLDER[:FOLDER...] TELAR_WEBGPU=LIBRARY [TELAR_DEVICE=wgpu:0] weave_corpus.sh
#
# Every .wgsl below the folders is woven and compiled (weave_corpus.c) on the device. Without folders it is skipped:
# they are fetched for testing only (test/tint of google/dawn, naga/tests/in of gfx-rs/wgpu).
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
if [ -z "${TELAR_WGSL_CORPUS:-}" ]; then
    echo "skipped: TELAR_WGSL_CORPUS names no folders (test/tint of google/dawn, naga/tests/in of gfx-rs/wgpu)"
    exit 0
fi
"${CC:-cc}" -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -O2 -Iinclude -Isrc -I"${TELAR_DEPS:-.deps}/include" \
    test/long/weave_corpus.c "$build/libtelar.a" -lm -ldl -o "$build/weave_corpus"
status=0
IFS=:
for folder in $TELAR_WGSL_CORPUS; do
    if [ ! -d "$folder" ]; then
        echo "skipped: no folder $folder"
        continue
    fi
    echo "$folder"
    find "$folder" -name '*.wgsl' ! -name '*.expected.wgsl' | sort | "$build/weave_corpus" || status=1
done
exit $status
