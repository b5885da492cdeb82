# select, partition, run-length-encode: what is kept and how long it is, against plain C; what is refused.
last() { telar "$@" 2>/dev/null | tail -1; }
words() { od -A n -t u4 -j 128 "$@"; }
telar select u32:10:iota --where 'x % 3u == 0u' --out s.npy --indices i.npy --verify 2>/dev/null | tail -4
words s.npy; words i.npy
last select f32:100003:random --where 'x < 0.25 && i % 2u == 0u' --indices i.npy --verify
for type in u32 i32 f32; do last select $type:5003:random --where 'x > 0' --verify; done
telar map u32:1000:iota --expr 'x / 7u' --out runs.npy >/dev/null 2>&1
telar map u32:1000:iota --expr 'x % 2u' --out odd.npy >/dev/null 2>&1
telar select u32:1000:iota --flags odd.npy --verify --json 2>/dev/null | grep -E '"(result|verified)"'
telar select runs.npy --unique --out u.npy --verify 2>/dev/null | tail -3
telar select u32:1000:iota --unique --by runs.npy --out first.npy --verify 2>/dev/null | tail -3
words -N 16 first.npy
telar select u32:1000:iota --unique --equal 'a / 10u == b / 10u' --out - 2>/dev/null | od -A n -t u4 -j 128 -N 16
printf 'fn f(x: u32) -> bool { return x > 5u; }\n' >f.wgsl
telar select u32:10:iota --where 'f(x)' --combine f.wgsl --verify 2>/dev/null | tail -2
telar select u32:0 --where true --out e.npy --verify 2>/dev/null | tail -3
last select u32:100:iota --where 'x > 1000u' --out e.npy --verify
python3 $CASES/tools.py show e.npy
telar partition u32:10:iota --first 'x % 2u == 1u' --out - 2>/dev/null | od -A n -t u4 -j 128
telar partition u32:10:iota --first 'x > 7u' --second 'x < 3u' --out p.npy --verify 2>/dev/null | tail -3
words p.npy
last partition f32:70001:random --first 'x < 0.25' --second 'x < 0.5' --verify
last partition u32:1000:iota --flags odd.npy --verify
telar partition u32:0 --first true --verify 2>/dev/null | tail -2
telar run-length-encode runs.npy --out v.npy --lengths l.npy --verify 2>/dev/null | tail -4
words -N 16 v.npy; tail -c 8 l.npy | od -A n -t u4
last run-length-encode f32:1000:random --verify
last run-length-encode u32:1000:iota --equal 'a / 16u == b / 16u' --verify
telar run-length-encode u32:0 --lengths l.npy --out v.npy --verify 2>/dev/null | tail -4
telar select u32:1000:iota --where 'x < 9u' --json 2>/dev/null >j.json; python3 $CASES/tools.py keys j.json bytes verified result plan.count plan.groups plan.dispatch
refused() { telar "$@" 2>&1 | grep -v 'no GPU is used'; }
refused select u32:5
refused select u32:5 --where true --unique
refused select u32:5 --where 'x >'
refused select u32:5 --where 'x + 1'
refused select u32:5 --where 'y > 1'
refused select u32:5 --where true --by u32:5
refused select u32:5 --unique --indices i.npy
refused select u32:5 --flags f32:5
refused select u32:5 --flags u32:6
refused select u8:5 --unique
refused select u32:5 --where true --out - --indices -
refused select u32:5 --where true --out - --json
refused partition u32:5
refused partition u32:5 --flags u32:5 --second true
refused partition u32:5 --first true --second 'x ='
refused run-length-encode u32:5 --equal 'a <'
refused run-length-encode u32:5 --equal 'a < b' --lengths x.txt
