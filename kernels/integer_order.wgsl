// Integers as unsigned ones in their order.
//
//     V; Bits: u32, or a vector of as many as V has; SIGN: the bit that says that one is negative, or 0

fn order_for_min(x: V) -> Bits { return bitcast<Bits>(x) ^ Bits(SIGN); }
fn value_for_min(order: Bits) -> V { return bitcast<V>(order ^ Bits(SIGN)); }
const MIN_OF_NONE = 0xffffffffu;

fn order_for_max(x: V) -> Bits { return order_for_min(x); }
fn value_for_max(order: Bits) -> V { return value_for_min(order); }
const MAX_OF_NONE = 0u;
