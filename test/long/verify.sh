#!/bin/sh
# usage: BUILD=build [TELAR_WEBGPU=LIBRARY TELAR_DEVICE=dawn:0] [COUNTS="0 3"] verify.sh
#
# Every command that has --verify, with a few types, at counts around none and few and of several tiles; without TELAR_WEBGPU
# on SwiftShader under Dawn. What fails, or does not end in two minutes, is printed.
set -u
cd "$(dirname "$0")/../.."
root=$PWD telar=$PWD/${BUILD:-build}/telar deps=${TELAR_DEPS:-$PWD/.deps}
if [ -z "${TELAR_WEBGPU:-}" ]; then
    driver=$deps/swiftshader/icd.json
    export TELAR_WEBGPU="$deps/dawn/libwebgpu_wrapper.so" TELAR_DEVICE=dawn:0 VK_ICD_FILENAMES="$driver" VK_DRIVER_FILES="$driver"
fi
if [ ! -e "$TELAR_WEBGPU" ]; then
    echo "skipped: there is no $TELAR_WEBGPU"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_CACHE_HOME="$work" LC_ALL=C.UTF-8

# types | command: TYPE becomes each of them, N the count
cat >commands <<'END'
u32 f32|map TYPE:N:random --expr 'x + x'
u32 f32|map TYPE:N:iota --with flags.npy --expr 'f32(x) * 0.5f + f32(a)' --type f32 --where 'i % 3u != 1u'
u32 i32|reduce TYPE:N:random --op sum
f32|reduce TYPE:N:random --op sum --compensated
u32 f32|reduce TYPE:N:random --op minmax
i32 f32|reduce TYPE:N:random --op argmax
f32|reduce TYPE:N:random --op mean
u32|reduce TYPE:N:random --op count --where 'x % 3u == 0u'
u32|reduce TYPE:N:random --op xor --plain
u32 f32|reduce TYPE:N:random --by runs.npy
u32|reduce TYPE:N:random --op argmin --by runs.npy
f32|reduce TYPE:N:random --op argmax --by runs.npy
f32|reduce TYPE:N:random --op mean --by runs.npy
f32|reduce TYPE:N:random --compensated --by runs.npy
u32 f32|reduce TYPE:N:random --segments starts.npy
i32|reduce TYPE:N:random --op minmax --segments starts.npy
u32 f32|scan TYPE:N:random
i32|scan TYPE:N:random --op max --inclusive
u32|scan TYPE:N:random --plain --inclusive
u32 f32|scan TYPE:N:random --by runs.npy
f32|scan TYPE:N:random --op min --by runs.npy --inclusive
u32|scan TYPE:N:random --segments starts.npy --inclusive
u32 i32 f32|select TYPE:N:random --where 'x > 0'
f32|select TYPE:N:random --flags flags.npy --indices i.npy
u32|select runs.npy --unique
f32|select TYPE:N:random --unique --by runs.npy
f32 u32|partition TYPE:N:random --first 'i % 3u == 1u'
f32|partition TYPE:N:random --first 'x < 0.25' --second 'x < 0.5'
i32|partition TYPE:N:random --flags flags.npy
u8 i16 u32 f32|histogram TYPE:N:random --bins 100
f32|histogram TYPE:N:random --bins 4 --range 0.25,0.5
u16 u32 f32 i64|sort TYPE:N:random
f32|sort TYPE:N:random --argsort --descending
u32|sort TYPE:N:iota --by f32:N:random
u32|sort TYPE:N:random --bits 5,13
u32|run-length-encode runs.npy --lengths l.npy
f32|run-length-encode TYPE:N:random
u32|find TYPE:N:iota --where 'x * x > 5000u'
f32|find TYPE:N:random --where 'x > 0.9999'
f32|bounds TYPE:N:random --sorted f32:2:iota
u32|bounds runs.npy --sorted runs.npy --upper
u32 f32|gather TYPE:N:random --index back.npy
u32 f32|scatter TYPE:N:random --index back.npy
f32|stride-copy TYPE:N:random --in-stride 3 --out-stride 2
u32 f32|adjacent-difference TYPE:N:random
u32 f32|fill --count N --type TYPE --value 3
u32 i32|iota --count N --type TYPE --step 3
u32 i32 f32|generate --count N --type TYPE --seed 7
f32|run "$root/examples/scale.wgsl" --bind s=f32:N:random --bind d=f32:N --count N
END

tried=0 failed=0
try() {
    tried=$((tried + 1))
    timeout 120 "$telar" "$@" --verify >said 2>&1 && grep -q '^verified' said && return
    failed=$((failed + 1))
    echo "FAILED telar $* --verify"
    tail -n 3 said
}
made() { "$telar" map "u32:$1:iota" --expr "$2" --out "$3" >/dev/null 2>&1; }
for n in ${COUNTS:-0 1 3 1025 70000}; do
    made "$n" 'x / 7u' runs.npy
    made "$n" 'x % 3u % 2u' flags.npy
    made "$n" "${n}u - 1u - x" back.npy
    made $((n / 7 + 1)) "min(x / 3u * 21u, ${n}u)" starts.npy # some empty
    while IFS='|' read -r types command; do
        for type in $types; do
            eval "try $(printf '%s' "$command" | sed "s/\\bN\\b/$n/g; s/\\bTYPE\\b/$type/g")"
        done
    done <commands
done
echo "$tried tried, $failed failed"
[ $failed = 0 ]
