// 8 bytes an element: one load, one store, one multiplication.
alias value = f32; // with vec4<f32> in its place: vector loads

@group(0) @binding(0) var<storage, read> s: array<value>;
@group(0) @binding(1) var<storage, read_write> d: array<value>;

fn element(i: u32) {
    d[i] = s[i] * 0.99;
}
