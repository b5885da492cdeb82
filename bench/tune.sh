#!/bin/sh
# usage: tune.sh FOLDER [COUNT ...]     (counts: 100000 3000001 67108864)
#
# One run on a machine with a GPU; FOLDER is what `pack.sh BUILD FOLDER dawn tune` made. By each WebGPU implementation the
# device is tuned twice; then the plans of both tunings stand beside the default plan and every candidate of a sweep of the
# element kernel, in one alternating run. Facts, reports and tables go to $OUT (default: the working folder). It takes
# about three minutes.
set -eu
folder=$(cd "${1:?usage: tune.sh FOLDER [COUNT ...]}" && pwd)
shift
[ $# -gt 0 ] || set -- 100000 3000001 67108864
out=${OUT:-.}
export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}" XDG_CACHE_HOME="$out/cache"

card() { nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader >&2 || true; }
card
status=2 # until there is a library
for library in libwgpu_native-release.so libwebgpu_wrapper.so; do
    [ -e "$folder/$library" ] || continue
    [ $status != 2 ] || status=0
    export TELAR_WEBGPU="$folder/$library"
    name=wgpu
    [ $library = libwgpu_native-release.so ] || name=dawn
    for turn in 1 2; do
        facts=$out/tune-$name-$turn.json
        report=$out/tune-$name-$turn.txt
        "$folder/telar" tune --time 10s --out "$facts" >"$report" || status=1
        cat "$report"
        for count in "$@"; do "$folder/telar" plan --count "$count" --facts "$facts" >>"$report" || status=1; done
    done
    "$folder/element" --facts "$out/tune-$name-1.json" --facts "$out/tune-$name-2.json" "$@" >"$out/element-$name.md" || status=1
    grep 'plan / best\|outputs' "$out/element-$name.md" || status=1
done
card
exit $status
