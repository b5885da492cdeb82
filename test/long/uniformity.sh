#!/bin/sh
# usage: BUILD=build TELAR_UNIFORMITY_TEST=FILE uniformity.sh
#
# The uniformity analysis against the tests of Tint: FILE is src/tint/lang/wgsl/resolver/uniformity_test.cc of google/dawn.
# It is fetched for testing only; without it this is skipped.
#
# State: Dawn 1e975e28f98a (2026-08-22), 412 tests, 3249 shaders once the parametrised ones are expanded: 1066 that Tint
# rejects, 2183 that it accepts. The verdicts are the same on all. Two of them follow Tint where it goes beyond the
# specification's text: an assignment to a swizzle that names every component of a vector replaces the whole vector, and
# the module that enables chromium_disable_uniformity_analysis is not analysed. Loops without a way out, which some
# of the tests have, are rejected by Tint's resolver and by rule "wgsl" here.
# Over the 11638 shaders of test/tint of the same Dawn, the files with a finding of uniformity are the same too: 19 with a
# warning that a filter asks for, and one error.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
if [ -z "${TELAR_UNIFORMITY_TEST:-}" ]; then
    echo "skipped: TELAR_UNIFORMITY_TEST names no file (uniformity_test.cc of google/dawn)"
    exit 0
fi
shaders=$build/uniformity
rm -rf "$shaders"
python3 test/long/uniformity_shaders.py "$TELAR_UNIFORMITY_TEST" "$shaders"
"${CC:-cc}" -std=c11 -O2 -Iinclude test/long/uniformity.c "$build/libtelar.a" -lm -o "$build/uniformity_verdicts"
"$build/uniformity_verdicts" "$shaders"
