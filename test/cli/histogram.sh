# histogram: types, ranges and channels against plain C; what is refused.
telar histogram u8:12:iota --bins 3 --range 0,12 --verify 2>/dev/null | tail -2
for type in u8 i8 u16 i16 u32 i32 f16 f32; do telar histogram $type:20011:random --bins 100 --verify 2>/dev/null | tail -1; done
telar histogram u32:4000:iota --bins 7 --range 0,4000 --channels 4 --verify --out h.npy 2>/dev/null | tail -2
od -A n -t u4 -j 128 -N 28 h.npy
telar histogram f32:20000:random --bins 4 --range 0.25,0.5 --verify 2>/dev/null | tail -1
telar histogram u8:0 --bins 2 --verify 2>/dev/null | tail -2
refused() { telar histogram "$@" 2>&1 | grep -v 'no GPU is used'; }
refused u64:4
refused u8:5 --channels 4
refused f32:4 --range 3,3
refused f32:4 --range nan,3
refused u8:4 --bins 1
refused u8:4 --bins 70000
