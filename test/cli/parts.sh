# reduce and scan of parts, by keys and by segments, against plain C; what is refused.
last() { telar "$@" 2>/dev/null | tail -1; }
words() { od -A n -t u4 -j 128 "$@"; }
telar map u32:20:iota --expr 'x / 7u' --out keys.npy >/dev/null 2>&1
telar map u32:5:iota --expr 'x * x' --out offsets.npy >/dev/null 2>&1 # 0 1 4 9 16
telar reduce u32:20:iota --by keys.npy --out s.npy --keys k.npy --verify 2>/dev/null | tail -6
words s.npy; words k.npy
telar reduce u32:20:iota --segments offsets.npy --out s.npy --verify 2>/dev/null | tail -3
words s.npy
telar map u32:30011:iota --expr '(x * 7919u) % 1013u' --out many.npy >/dev/null 2>&1
telar map u32:30011:iota --expr 'x / 5u / (x / 3000u + 1u)' --out runs.npy >/dev/null 2>&1
telar map u32:501:iota --expr 'x / 3u * 180u' --out starts.npy >/dev/null 2>&1 # some empty, the last past the end
for op in sum max and argmin minmax mean; do last reduce many.npy --op $op --by runs.npy --verify; done
for op in prod min xor argmax minmax mean; do last reduce many.npy --op $op --segments starts.npy --verify; done
for op in sum argmax mean; do last reduce f32:30011:random --op $op --by runs.npy --verify; done
for op in sum min minmax; do last reduce f32:30011:random --op $op --segments starts.npy --verify; done
telar reduce u32:20:iota --op count --where 'x % 2u == 0u' --by keys.npy --verify 2>/dev/null | tail -4
telar reduce u32:20:iota --op minmax --segments offsets.npy --out - 2>/dev/null | od -A n -t u4 -j 128
telar reduce u32:0 --by u32:0 --out e.npy --verify 2>/dev/null | tail -3
telar reduce u32:0 --segments u32:3 --op max --verify 2>/dev/null | tail -2
telar reduce u32:9 --segments u32:1 --out e.npy --verify 2>/dev/null | tail -2
telar scan u32:20:iota --by keys.npy --inclusive --out - 2>/dev/null | od -A n -t u4 -j 128
telar scan u32:20:iota --segments offsets.npy --out - 2>/dev/null | od -A n -t u4 -j 128
last scan many.npy --op max --by runs.npy --verify
last scan many.npy --op xor --segments starts.npy --inclusive --verify
last scan f32:30011:random --by runs.npy --verify
last scan f32:30011:random --segments starts.npy --op min --inclusive --verify
last scan u32:0 --by u32:0 --verify
refused() { telar "$@" 2>&1 | grep -v 'no GPU is used'; }
refused reduce u32:5 --by u32:6
refused reduce u32:5 --by u32:5 --segments u32:2
refused reduce u32:5 --keys k.npy
refused reduce u32:5 --segments f32:2
refused reduce u32:5 --segments u32:0
telar map u32:3:iota --expr '2u - x' --out falling.npy >/dev/null 2>&1
refused reduce u32:5 --segments falling.npy
refused scan u32:5 --by u32:4
refused scan u32:5 --by u32:5 --segments u32:2
refused scan u32:5 --segments i32:2
refused scan u32:5 --initial '3.5 +'
