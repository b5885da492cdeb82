#!/bin/sh
# usage: h200.sh FOLDER NAME [CASE | OPTION OF telar bench ...]
#
# One run on a machine with an NVIDIA GPU: FOLDER is what pack.sh made; Telar's primitives, the textbook's kernels, CUB and
# the copy limit take turns. Tables go to standard output, the archive to $OUT/NAME.json (OUT: the working folder).
#
#     sh bench/h200.sh .dev scan scan                                  a primitive, at 2^20, 2^24 and 2^28
#     WITH=gridwise sh bench/h200.sh .dev gridwise "sum u32" exclusive sort --way telar --count 64Mi --count 256Mi
#     WEBGPU=dawn sh bench/h200.sh .dev dawn reduce                    the same by Dawn
#
# A problem takes about half a minute, most of it for comparing 2^28 results after each round: two or three primitives with
# all of theirs fit in five minutes, and all of them with --count 1Mi --count 256Mi --rounds 3. WITH="" leaves CUB out too.
set -eu
folder=$(cd "${1:?usage: h200.sh FOLDER NAME [CASE | OPTION OF telar bench ...]}" && pwd)
name=${2:?usage: h200.sh FOLDER NAME [CASE | OPTION OF telar bench ...]}
shift 2
bench=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-.}
with=${WITH-cub}

case ${WEBGPU:-wgpu} in
wgpu) TELAR_WEBGPU=$folder/libwgpu_native-release.so ;;
dawn) TELAR_WEBGPU=$folder/libwebgpu_wrapper.so ;;
*) TELAR_WEBGPU=$WEBGPU ;;
esac
export TELAR_WEBGPU
export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"

for companion in $with; do
    case $companion in
    cub)
        [ -x "$folder/cub" ] || nvcc -O3 -std=c++17 -arch=sm_90 -o "$folder/cub" "$bench/cuda/cub.cu"
        set -- "$@" --companion "cub=exec '$folder/cub'"
        ;;
    gridwise)
        scratch=$(mktemp -d)
        trap 'rm -rf "$scratch"' EXIT
        tar -xJf "$folder/gridwise.tar.xz" -C "$scratch"
        set -- "$@" --companion "gridwise=cd '$scratch/gridwise' && exec ./node gridwise.mjs"
        ;;
    numpy) set -- "$@" --companion "numpy=exec python3 '$bench/numpy_companion.py'" ;;
    *)
        echo "h200.sh: there is no companion $companion" >&2
        exit 2
        ;;
    esac
done

card() { nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw --format=csv,noheader >&2 || true; }
card
status=0
"$folder/telar" bench "$@" --out "$out/$name.json" || status=$?
card
exit $status
