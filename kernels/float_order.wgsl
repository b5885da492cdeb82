// Floats as integers in their order: negative ones, -0, 0, positive ones; and what is not a number (NaN) apart. For min
// and max, which WGSL leaves open for NaN and for zeros of two signs.
//
//     V; Float, Bits, Signed: f32, u32 and i32, or their vectors, as many as V has

const BEFORE_INFINITY = 0x7fffffu; // NaNs before -infinity; as many come after infinity

fn order_of_float(x: Float) -> Bits {
    let bits = bitcast<Bits>(x);
    return bits ^ (bitcast<Bits>(bitcast<Signed>(bits) >> Bits(31u)) | Bits(0x80000000u));
}

fn float_of_order(order: Bits) -> Float {
    let not_negative = bitcast<Bits>(bitcast<Signed>(order) >> Bits(31u));
    return bitcast<Float>(order ^ (~not_negative | Bits(0x80000000u)));
}

// All NaNs behind infinity: min takes any number before them.
fn order_for_min(x: V) -> Bits { return order_of_float(Float(x)) - Bits(BEFORE_INFINITY); }
fn value_for_min(order: Bits) -> V { return V(float_of_order(min(order, Bits(MIN_OF_NONE)) + Bits(BEFORE_INFINITY))); }
const MIN_OF_NONE = 0xff000001u; // infinity: also of NaNs alone

// All NaNs before -infinity: max takes any number before them.
fn order_for_max(x: V) -> Bits { return order_of_float(Float(x)) + Bits(BEFORE_INFINITY); }
fn value_for_max(order: Bits) -> V { return V(float_of_order(max(order, Bits(MAX_OF_NONE)) - Bits(BEFORE_INFINITY))); }
const MAX_OF_NONE = 0x00fffffeu; // -infinity: also of NaNs alone
