// A tile posts what its last segment has come to. When that begins in the tile, nothing before it matters.
//
//     A = Segment; Value (u32 or i32)
fn posted_bits(total: A) -> u32 { return bitcast<u32>(total.value); }
fn posted_value(bits: u32) -> A { return Segment(0u, bitcast<Value>(bits)); }
fn is_closed(total: A) -> bool { return total.head != 0u; }
