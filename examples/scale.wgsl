// An element function: the body for one element. Telar weaves index, guard, items and dispatch around it.
//     telar run examples/scale.wgsl --bind s=DATA.npy --bind d=f32:3000001 --out d=scaled.npy
@group(0) @binding(0) var<storage, read> s: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;

fn element(i: u32) {
    d[i] = s[i] * 0.99;
}
