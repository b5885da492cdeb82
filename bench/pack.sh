#!/bin/sh
# usage: pack.sh BUILD FOLDER [PART ...]     (parts: dawn gridwise tune sweep; default none)
#
# Puts what h200.sh needs into FOLDER, for a machine that has a GPU and its driver, but perhaps no compiler and no packages:
# the tool of the build folder BUILD, the shared libraries that it loads, wgpu-native, and with
#   dawn       the Dawn library of .deps
#   tune       the sweep of the element kernel (tune.sh)
#   sweep      nothing more: the tool is all of it (sweep.sh)
#   gridwise   Gridwise, Dawn's Node binding and a node binary (bench/gridwise/fetch.sh)
# CUB's program is built here where there is an nvcc (NVCC names one; NVCC_FLAGS), else h200.sh builds it there.
set -eu
build=${1:?usage: pack.sh BUILD FOLDER [PART ...]}
folder=${2:?usage: pack.sh BUILD FOLDER [PART ...]}
shift 2
bench=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$bench")

mkdir -p "$folder/lib"
cp "$build/telar" "$folder/"
strip "$folder/telar"
cp "$root/.deps/wgpu/libwgpu_native-release.so" "$folder/"
# What the tool and WebGPU load, but not libc and what belongs to it, which must be the machine's own.
{
    ldd "$build/telar" | awk '$2 == "=>" { print $3 }'
    /sbin/ldconfig -p | awk '$1 == "libvulkan.so.1" { print $NF; exit }'
} | grep -E '/lib(jansson|png16|z|vulkan)\.so' | while read -r library; do cp -L "$library" "$folder/lib/"; done

nvcc=${NVCC:-nvcc}
if command -v "$nvcc" >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # flags are words
    "$nvcc" -O3 -std=c++17 -arch=sm_90 ${NVCC_FLAGS:-} -o "$folder/cub" "$bench/cuda/cub.cu"
fi
for part in "$@"; do
    case $part in
    dawn) cp "$root/.deps/dawn/libwebgpu_wrapper.so" "$folder/" ;;
    tune)
        cp "$build/bench/element" "$folder/"
        strip "$folder/element"
        ;;
    sweep) ;;
    gridwise)
        scratch=$(mktemp -d)
        NODE=1 sh "$bench/gridwise/fetch.sh" "$scratch/gridwise"
        tar -cJf "$folder/gridwise.tar.xz" -C "$scratch" gridwise
        rm -rf "$scratch"
        ;;
    *)
        echo "pack.sh: there is no part $part" >&2
        exit 2
        ;;
    esac
done
du -sh "$folder"
