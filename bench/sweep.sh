#!/bin/sh
# usage: sweep.sh FOLDER [CASE ...]     (default: all)
#
# One run on a machine with a GPU; FOLDER is what `pack.sh BUILD FOLDER dawn sweep` made. By each WebGPU implementation the
# device is tuned, then every case is swept: all candidates over 10^3 to 2^28 elements, the plan of the tuned facts and the
# lesson's rule among them. $OUT (default: the working folder) gets facts, a CSV file and a table for each, written after every
# case and n, so that a limit of time loses nothing. It takes about 200 seconds an implementation, LIMIT at most; TIME is
# what one case and n may take beyond the first look at all candidates; IMPLEMENTATIONS and COUNTS choose some.
set -eu
folder=$(cd "${1:?usage: sweep.sh FOLDER [CASE ...]}" && pwd)
shift
[ $# -gt 0 ] || set -- all
out=${OUT:-.}
export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}" XDG_CACHE_HOME="$out/cache"

card() { nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader >&2 || true; }
card
status=2 # until there is a library
for name in ${IMPLEMENTATIONS:-wgpu dawn}; do
    library=libwgpu_native-release.so
    [ "$name" = wgpu ] || library=libwebgpu_wrapper.so
    [ -e "$folder/$library" ] || continue
    [ $status != 2 ] || status=0
    export TELAR_WEBGPU="$folder/$library" TELAR_DEVICE="$name:0"
    "$folder/telar" tune --time 8s --out "$out/sweep-$name-facts.json" >"$out/sweep-$name-facts.txt" || status=1
    begun=$(date +%s)
    timeout "${LIMIT:-200}" "$folder/telar" sweep "$@" ${COUNTS:+--count "$COUNTS"} --time "${TIME:-1500ms}" \
        --csv "$out/sweep-$name.csv" >"$out/sweep-$name.md" 2>"$out/sweep-$name.log" || status=1
    cat "$out/sweep-$name.md" "$out/sweep-$name.log"
    echo "$name: $(($(date +%s) - begun)) s" | tee -a "$out/sweep-$name.md"
done
rm -rf "$out/cache"
card
exit $status
