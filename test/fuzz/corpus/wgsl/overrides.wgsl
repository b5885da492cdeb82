override size: u32 = 32;
@id(7) override rows = size / 8;
override depth: i32;
const W = 16;
const N = u32(log2(f32(W * 8))) + 1u;
var<workgroup> tile: array<array<f32, W + 2>, size * rows>;
var<workgroup> steps: array<atomic<u32>, N>;
@compute @workgroup_size(size, rows, u32(depth) + 1) fn f() {
    tile[0][N - 1] = f32(depth) * frexp(vec2f(1)).fract.x;
    _ = atomicCompareExchangeWeak(&steps[W % 3], 1, 2).exchanged;
}
