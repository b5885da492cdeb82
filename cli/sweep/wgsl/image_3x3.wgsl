// A binomial filter: nine neighbours with weights 1 2 1, 2 4 2, 1 2 1; the border repeats its last row and column.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<uniform> domain: vec2u;

fn row(x: u32, y: u32) -> u32 {
    let first = y * domain.x;
    return s[first + max(x, 1u) - 1u] + 2u * s[first + x] + s[first + min(x + 1u, domain.x - 1u)];
}

fn element(p: vec2u) {
    let above = row(p.x, max(p.y, 1u) - 1u);
    let below = row(p.x, min(p.y + 1u, domain.y - 1u));
    d[p.y * domain.x + p.x] = (above + 2u * row(p.x, p.y) + below) >> 4u;
}
