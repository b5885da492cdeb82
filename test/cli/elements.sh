# fill, iota, generate, gather, scatter against plain C; what is refused.
last() { telar "$@" 2>/dev/null | tail -1; }
last fill --count 1003 --type f32 --value 0.5 --verify
last iota --count 1000 --type i32 --first -5 --step 3 --verify
last iota --count 3 --first 7 --out -  >/dev/null
telar iota --count 4 --first 7 --out i.npy >/dev/null 2>&1; od -A n -t u4 -j 128 i.npy
last generate --count 10001 --seed 7 --verify
last generate --count 1001 --type f32 --seed 7 --from 5 --verify
telar generate --count 4 --out g.npy >/dev/null 2>&1; od -A n -t x4 -j 128 g.npy
last gather f32:5:iota --index u32:9:iota --verify
last scatter u32:100:random --index u32:100:iota --count 50 --verify
last fill --count 0 --verify
refused() { telar "$@" 2>&1 | grep -v 'no GPU is used'; }
refused fill --count 5 --value 1.5
refused fill --value 1
refused iota --type i32
refused generate --seed 7
refused iota --count 5 --first '1 + (2'
refused iota --count 5 --type u64
refused generate --count 5 --type f16
refused gather u32:4
refused gather u32:4 --index f32:4
refused scatter u32:4 --index u32:5
refused scatter u32:10 --index u32:10:3 --verify
