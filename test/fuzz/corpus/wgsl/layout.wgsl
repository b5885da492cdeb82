enable f16;
struct A { u: f32, v: f16, w: vec2<f32>, @size(32) x: mat3x3h }
struct B { a: vec2<f32>, @align(16) b: vec3<f32>, e: A, g: array<A, 3>, h: array<vec3f> }
@group(0) @binding(0) var<storage, read_write> s: B;
@group(0) @binding(1) var t: texture_2d_array<f32>;
@group(0) @binding(2) var<uniform> p: array<vec4u, 2>;
fn g(q: ptr<storage, array<vec3f>, read_write>, i: u32) -> vec2f { return q[i].zx + (*q)[arrayLength(q) - 1].xy; }
@compute @workgroup_size(8, 8) fn f(@builtin(global_invocation_id) id: vec3u) {
    switch p[0].x { case 1, 2u: { s.b.x += textureLoad(t, id.xy, 0, 0).r; } default: { return; } }
    loop { if id.x < 3 { continue; } continuing { break if id.y > 4; } }
    s.g[id.z].w = g(&s.h, id.x) * select(vec2(1), vec2f(2.5, 3), id.xy < vec2(4));
}
