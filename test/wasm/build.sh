#!/bin/sh
# usage: build.sh CLANG WASM_LD SOURCE OUT   The core as one wasm32 module that imports nothing but, at most, memory.
set -eu
clang=$1 ld=$2 source=$3 out=$4
sysroot=/usr/lib/wasm32-wasi
mkdir -p "$out"
rm -f "$out"/*.o
# Debian's wasi-libc gives string.h and math.h; whatever would need a system call shows as an import and fails below.
list=
for layer in base plan wgsl weave record prim; do
    for file in "$source/src/$layer"/*.c; do
        [ -e "$file" ] || continue
        object=$out/$layer-$(basename "$file" .c).o
        list="$list $object"
        echo "$file $object"
    done
done >"$out/list"
xargs -r -L 1 -P "$(nproc)" sh -c '"$0" --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror \
    -fvisibility=hidden -fno-exceptions -I"$1/include" -I"$1/src" -c "$2" -o "$3"' "$clang" "$source" <"$out/list"
builtins=$(find /usr/lib/llvm-19/lib/clang/19/lib -name 'libclang_rt.builtins*wasm32*.a' | head -n 1)
"$ld" --no-entry --export-dynamic --gc-sections -o "$out/telar.wasm" "$out"/*.o $sysroot/libm.a $sysroot/libc.a $builtins
python3 "$source/test/wasm/imports.py" "$out/telar.wasm"
