// Philox4x32-10: ten rounds of multiplication and exchange over a counter of 128 bits, under a key of 64.

fn multiply_high(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

fn philox_round(counter: vec4u, key: vec2u) -> vec4u {
    let m0 = 0xd2511f53u;
    let m1 = 0xcd9e8d57u;
    return vec4u(multiply_high(m1, counter.z) ^ counter.y ^ key.x, m1 * counter.z,
                 multiply_high(m0, counter.x) ^ counter.w ^ key.y, m0 * counter.x);
}

fn philox(counter: vec4u, key: vec2u) -> vec4u {
    var x = counter;
    var k = key;
    for (var round = 0u; round < 10u; round++) {
        x = philox_round(x, k);
        k += vec2u(0x9e3779b9u, 0xbb67ae85u);
    }
    return x;
}

// A counter of 128 bits advanced by n.
fn counter_after(counter: vec4u, n: u32) -> vec4u {
    var c = counter;
    c.x += n;
    if (c.x < n) {
        c.y++;
        if (c.y == 0u) {
            c.z++;
            if (c.z == 0u) { c.w++; }
        }
    }
    return c;
}
