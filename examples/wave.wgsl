// Makes data: one value from its index.
//     telar run examples/wave.wgsl --count 3_000_001 --bind d=f32:3000001 --out d=wave.npy
@group(0) @binding(0) var<storage, read_write> d: array<f32>;

fn element(i: u32) {
    d[i] = f32(i % 4096u) * 0.25 - 100.0;
}
