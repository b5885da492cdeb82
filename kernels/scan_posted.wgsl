// What a tile posts is its total as it is: 32 bits.
//
//     A (u32 or i32)
fn posted_bits(total: A) -> u32 { return bitcast<u32>(total); }
fn posted_value(bits: u32) -> A { return bitcast<A>(bits); }
fn is_closed(total: A) -> bool { return false; }
