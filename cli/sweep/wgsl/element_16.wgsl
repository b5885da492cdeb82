// 16 bytes an element: two loads, their sum and their difference, two stores.
alias value = f32; // with vec4<f32> in its place: vector loads

@group(0) @binding(0) var<storage, read> a: array<value>;
@group(0) @binding(1) var<storage, read> b: array<value>;
@group(0) @binding(2) var<storage, read_write> sums: array<value>;
@group(0) @binding(3) var<storage, read_write> differences: array<value>;

fn element(i: u32) {
    let x = a[i];
    let y = b[i];
    sums[i] = x + y;
    differences[i] = x - y;
}
