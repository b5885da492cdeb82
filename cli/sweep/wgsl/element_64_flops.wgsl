// 8 bytes and 64 operations an element: 32 steps of a sum of powers, each waiting for the one before.
alias value = f32; // with vec4<f32> in its place: vector loads

@group(0) @binding(0) var<storage, read> s: array<value>;
@group(0) @binding(1) var<storage, read_write> d: array<value>;

fn element(i: u32) {
    let x = s[i] * 0.5;
    var y = value(1.0);
    for (var k = 0u; k < 32u; k++) {
        y = y * x + 1.0;
    }
    d[i] = y;
}
