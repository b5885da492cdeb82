// Counts the words that differ from what is expected, and keeps the first of them, as its complement.
override tolerance: f32 = 0; // of words that are f32, as a part of the expected value; 0: the same bits

@group(0) @binding(0) var<storage, read> got: array<u32>;
@group(0) @binding(1) var<storage, read> expected: array<u32>;
@group(0) @binding(2) var<storage, read_write> wrong: array<atomic<u32>>;

fn differ(a: u32, b: u32) -> bool {
    if (a == b) { return false; }
    if (tolerance == 0) { return true; }
    let x = bitcast<f32>(a);
    let y = bitcast<f32>(b);
    return !(abs(x - y) <= tolerance * abs(y));
}

fn element(i: u32) {
    if (differ(got[i], expected[i])) {
        atomicAdd(&wrong[0], 1u);
        atomicMax(&wrong[1], ~i);
    }
}
