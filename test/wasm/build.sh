#!/bin/sh
# usage: build.sh CLANG WASM_LD SOURCE OUT KERNELS   The core as one wasm32 module that imports nothing but, at most, memory.
# Debian's wasi-libc gives string.h and math.h; whatever would need a system call shows as an import and fails.
set -eu
clang=$1 ld=$2 source=$3 out=$4 kernels=$5
mkdir -p "$out"
rm -f "$out"/*.o "$out/telar.wasm"
cd "$source"
for layer in base plan wgsl weave record prim; do
    find "src/$layer" -maxdepth 1 -name '*.c' 2>/dev/null || true
done >"$out/list"
echo "$kernels/kernels.c" >>"$out/list"
# shellcheck disable=SC2016
xargs -r -n 1 -P "$(nproc)" sh -c '"$0" --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -std=c11 -O2 -DNDEBUG \
    -Wall -Wextra -Wpedantic -Wconversion -Werror -fvisibility=hidden -Iinclude -Isrc -I"$2" \
    -c "$3" -o "$1/$(echo "$3" | tr / -).o"' "$clang" "$out" "$kernels" <"$out/list"
builtins=$(find /usr/lib/llvm-19/lib/clang/19/lib/wasi -name 'libclang_rt.builtins-wasm32.a')
"$ld" --no-entry --export-dynamic --gc-sections -o "$out/telar.wasm" "$out"/*.o \
    /usr/lib/wasm32-wasi/libm.a /usr/lib/wasm32-wasi/libc.a "$builtins"
python3 test/wasm/imports.py "$out/telar.wasm"
