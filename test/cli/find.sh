# find, bounds, stride-copy, adjacent-difference against plain C; what is refused.
last() { telar "$@" 2>/dev/null | tail -1; }
telar find u32:100000:iota --where 'x * x > 5000u' --verify 2>/dev/null | tail -2
telar find u32:100:iota --where 'x == 100u' --out f.npy --verify 2>/dev/null | tail -3
telar find f32:100003:random --where 'x > 0.99999' --verify 2>/dev/null | tail -2
telar find u32:0 --where true --verify 2>/dev/null | tail -2
telar map u32:100:iota --expr 'x / 4u * 10u' --out sorted.npy >/dev/null 2>&1
telar bounds u32:4:100 --sorted sorted.npy --verify 2>/dev/null | tail -2
telar bounds u32:4:100 --sorted sorted.npy --upper --verify 2>/dev/null | tail -2
last bounds f32:70001:random --sorted f32:2:iota --verify
last bounds i32:5003:random --sorted i32:1000:iota --upper --verify
telar map u32:100:iota --expr '99u - x' --out falling.npy >/dev/null 2>&1
telar bounds u32:3:iota --sorted falling.npy --less 'a > b' --verify 2>/dev/null | tail -2
telar bounds u32:3:iota --sorted u32:0 --verify 2>/dev/null | tail -2
telar stride-copy u32:10:iota --in-stride 3 --out - 2>/dev/null | od -A n -t u4 -j 128
telar stride-copy u32:3:7 --out-stride 2 --out - 2>/dev/null | od -A n -t u4 -j 128
last stride-copy f32:70001:random --in-stride 3 --out-stride 2 --verify
last stride-copy u32:100:iota --in-stride 2 --count 7 --verify
last stride-copy u32:0 --in-stride 2 --verify
telar adjacent-difference u32:6:iota --out - 2>/dev/null | od -A n -t u4 -j 128
for type in u32 i32 f32; do last adjacent-difference $type:70001:random --verify; done
last adjacent-difference f32:1003:random --expr 'abs(x - before) * 2.0' --verify
last adjacent-difference u32:0 --verify
refused() { telar "$@" 2>&1 | grep -v 'no GPU is used'; }
refused find u32:5
refused find u32:5 --where 'x &&'
refused bounds u32:5
refused bounds u32:5 --sorted f32:5
refused bounds u32:5 --sorted u32:5 --less 'a <'
refused stride-copy u32:5 --in-stride 2 --count 4
refused stride-copy u32:5 --in-stride 0
refused adjacent-difference u32:5 --expr 'x - after'
refused adjacent-difference u64:5
