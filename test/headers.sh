#!/bin/sh
# usage: headers.sh INCLUDE WEBGPU_INCLUDE COMPILER...   Compiles each public header alone, twice included, warnings as errors.
set -eu
include=$1 webgpu=$2
shift 2
status=0 count=0
for header in "$include"/telar/*.h; do
    name=telar/$(basename "$header")
    count=$((count + 1))
    printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
        "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -I"$include" -idirafter "$webgpu" - || {
        echo "$name does not compile alone: $*" >&2
        status=1
    }
done
echo "$count headers"
exit $status
