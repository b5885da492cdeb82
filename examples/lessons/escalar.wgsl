// Lesson 1, element: 64, one dimension, no workgroup memory. The guard compares with the logical count.
//     telar run examples/lessons/escalar.wgsl --bind datos=f32:3000001:iota --set params.conteo=count --out datos=e.npy
struct Params { conteo: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> datos: array<f32>;

@compute @workgroup_size(64)
fn escalar(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= params.conteo) { return; }
    datos[gid.x] = datos[gid.x] * 0.99;
}
