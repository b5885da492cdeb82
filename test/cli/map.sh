# map: an expression for every element, against plain C; what is refused.
telar map u32:10:iota --expr 'x * x + i' --where 'x % 2u == 0u' --out m.npy --verify 2>/dev/null
python3 -c 'import numpy; print(numpy.load("m.npy"))' 2>/dev/null || od -A n -t u4 -j 128 m.npy
telar map f32:100003:random --with f32:100003:iota --expr 'sqrt(x) + a * 2.5f' --verify 2>/dev/null | tail -1
telar map u32:1000:iota --expr 'f32(x) * 0.5f' --type f32 --verify 2>/dev/null | tail -1
printf 'fn f(x: u32) -> u32 { return x + 7u; }\n' >f.wgsl
telar map u32:1000:iota --expr 'f(x)' --combine f.wgsl --verify 2>/dev/null | tail -1
telar map u32:0 --expr x --out e.npy --verify 2>/dev/null | tail -2
refused() { telar map "$@" 2>&1 | grep -v 'no GPU is used'; }
refused u32:10:iota --expr 'x +'
refused u32:10:iota --expr 'x + y'
refused u32:10:iota --expr 'x ) + 1u'
refused u32:10:iota --expr x --where 'x'
refused u32:10:iota --expr 'x +
    q'
refused u32:10:iota --expr 'f(x, 1)' --combine f.wgsl
refused u32:10:iota
refused u8:5 --expr x
refused u32:5 --with u32:6 --expr 'x + a'
refused u32:5 --expr x --type u64
