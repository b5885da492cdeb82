// Lesson 2, the stride loop: a fixed number of groups, each invocation goes on by the total of invocations. The end of
// the loop is written so that it cannot wrap near 2^32.
//     telar run examples/lessons/zancada.wgsl --shape stride --groups 512 --bind datos=f32:3000001:iota --set params.conteo=count --out datos=z.npy
struct Params { conteo: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> datos: array<f32>;

@compute @workgroup_size(64)
fn zancada(@builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) nwg: vec3u) {
    let paso = nwg.x * 64u;
    var i = gid.x;
    if (i >= params.conteo) { return; }
    loop {
        datos[i] = datos[i] * 0.99;
        if (params.conteo - i <= paso) { break; }
        i += paso;
    }
}
