enable f16, subgroups;
requires readonly_and_readwrite_storage_textures;
diagnostic(off, chromium.unreachable_code);
/* a /* nested */ comment */
alias Row = array<vec4<f32>, (4 >> 1)>;
const n : u32 = 0x10u; // to the end of the line
const_assert n > 1u && n < 100u;
@id(7) override scale : f32 = 1.5e-3f;
override count = 64u;
struct Inner { @size(16) a : u32, @align(32) b : atomic<u64>, }
struct Outer { @location(0) @interpolate(flat, either) rows : Row, inner : Inner };
@group(0) @binding(1) var<storage, read_write> data : array<Outer>;
var<private> seed = vec2<u32>(1, 2);
var<immediate> limits : vec4u;
@must_use fn pick(p : ptr<function, array<f32, 4>>, i : u32) -> f32 { return (*p)[i]; }
@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id : vec3<u32>, @builtin(local_invocation_index) local : u32,) {
    var values = array<f32, 4>(1.0, .5, 0x1.8p+1, 2h);
    let index = id.x + id.y * n - (local << 2u);
    if index < n { values[0] += 1.0; } else if (index == n) { return; } else { values[1]--; }
    switch index { case 1, 2: { } case default, { discard; } }
    loop { if a < b { break; } continue; continuing { seed.x++; break if seed.x > 3u; } }
    for (var i = 0u; i < n; i++) { values[i] *= -values[i & 3u]; }
    while !(index >= 3u) || false { _ = pick(&values, index); }
    @diagnostic(warning, derivative_uniformity) { data[index].inner.a ^= ~n; }
    let long = 1lu + 2lu; let été = bitcast<vec2<f32>>(seed);
}
