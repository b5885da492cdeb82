# sort: every type of keys against plain C; keys and values, indices, parts of keys; ties, NaN, -0, no elements; what is
# refused.
last() { telar "$@" 2>/dev/null | tail -1; }
words() { od -A n -t u4 -j 128 "$@"; }
for type in u16 i16 f16 u32 i32 f32 u64 i64 f64; do
    last sort $type:20011:random --verify
done
for type in u16 f32 i64; do last sort $type:20011:random --descending --argsort --verify; done
python3 $CASES/tools.py npy k.npy '<f4' '(9,)' '[2.0, -1.0, float("nan"), -0.0, 0.0, -float("nan"), float("inf"), -0.0, 2.0][i]'
telar sort k.npy --out s.npy --verify 2>/dev/null | tail -2
python3 $CASES/tools.py show s.npy
telar sort k.npy --descending --out s.npy >/dev/null 2>&1
python3 $CASES/tools.py show s.npy
telar sort k.npy --argsort --out - 2>/dev/null | od -A n -t u4 -j 128
telar sort k.npy --argsort --descending --out - 2>/dev/null | od -A n -t u4 -j 128
telar map u32:8:iota --expr 'x % 3u' --out ties.npy >/dev/null 2>&1
telar sort u32:8:iota --by ties.npy --out v.npy --verify 2>/dev/null | tail -2
words v.npy
telar sort u32:8:iota --by ties.npy --descending --out - 2>/dev/null | od -A n -t u4 -j 128
last sort u64:5003:iota --by f32:5003:random --verify
last sort f32:5003:iota --by u64:5003:random --descending --verify
telar sort u32:8:iota --bits 1,2 --out - 2>/dev/null | od -A n -t u4 -j 128
last sort u32:20011:random --bits 5,13 --verify
last sort u64:20011:random --bits 20,41 --descending --verify
last sort u32:5000:7 --verify
last sort u32:20011:random --plain --verify
telar sort u32:1 --argsort --verify 2>/dev/null | tail -2
telar sort f32:0 --out e.npy --verify 2>/dev/null | tail -2
last sort f32:0 --argsort --verify
telar sort u32:20011:random --json 2>/dev/null >j.json; python3 $CASES/tools.py keys j.json bytes verified result plan.count
refused() { telar sort "$@" 2>&1 | grep -v 'no GPU is used'; }
refused u8:5
refused u32:5 --by u32:4
refused u32:5 --by u32:5 --argsort
refused u16:5 --by u32:5
refused u32:5 --bits 3
refused u32:5 --bits 7,3
refused u32:5 --bits 3,40
refused
