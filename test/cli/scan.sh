# scan: prefixes against plain C and against numpy's way of saying them; own operators; what is refused.
telar scan u32:10:iota --out s.npy --verify 2>/dev/null | tail -1
od -A n -t u4 -j 128 s.npy
telar scan u32:10:iota --inclusive --out - 2>/dev/null | od -A n -t u4 -j 128
telar scan i32:70001:random --op max --inclusive --verify 2>/dev/null | tail -1
telar scan f32:70001:random --verify 2>/dev/null | tail -1
telar scan u32:1 --initial 7u --out - 2>/dev/null | od -A n -t u4 -j 128
telar scan u32:0 --out e.npy --verify 2>/dev/null | tail -2
printf 'fn combine(a: u32, b: u32) -> u32 { return select(b, a, b == 0u); }\n' >f.wgsl
printf 'fn combine(a: vec2u, b: vec2u) -> vec2u { return a; }\n' >g.wgsl
telar scan u32:6:random --combine f.wgsl --inclusive --out - 2>/dev/null | od -A n -t u4 -j 128
refused() { telar scan "$@" 2>&1 | grep -v 'no GPU is used'; }
refused u32:5 --combine g.wgsl
refused u32:5 --op summ
refused u32:5 --inclusive --exclusive
refused f64:5
refused
