// The bin of d where an estimate may be one off. Bins are BIN_WHOLE wide, and BIN_REST / BINS more.
//
//     BINS, BIN_WHOLE, BIN_REST, BIN_SCALE (their number by the width of all)

// Products stay below 2^32: both factors are below 2^16.
fn bin_begin(bin: u32) -> u32 { return bin * BIN_WHOLE + (bin * BIN_REST + BINS - 1u) / BINS; }

fn bin_of_distance(d: u32) -> u32 {
    let bin = min(u32(f32(d) * BIN_SCALE), BINS - 1u);
    let next = min(bin + 1u, BINS - 1u);
    return select(select(bin, next, d >= bin_begin(next)), bin - 1u, d < bin_begin(bin));
}
