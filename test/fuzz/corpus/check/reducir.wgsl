// Lesson 1, reduction: 256, a tree of 8 barrier steps, one partial a group. Run it again on the partials.
//     telar run examples/lessons/reducir.wgsl --bind datos=u32:1000000:iota --set params.conteo=count --bind parciales=u32:3907 --out parciales=p.npy
struct Params { conteo: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> datos: array<u32>;
@group(0) @binding(2) var<storage, read_write> parciales: array<u32>;

var<workgroup> suma: array<u32, 256>;

@compute @workgroup_size(256)
fn reducir(@builtin(local_invocation_index) li: u32, @builtin(workgroup_id) wid: vec3u,
           @builtin(global_invocation_id) gid: vec3u) {
    // No early return before the barriers: invocations past the end add nothing.
    var valor = 0u;
    if (gid.x < params.conteo) { valor = datos[gid.x]; }
    suma[li] = valor;
    workgroupBarrier();
    for (var paso = 128u; paso > 0u; paso >>= 1u) {
        if (li < paso) { suma[li] += suma[li + paso]; }
        workgroupBarrier();
    }
    if (li == 0u) { parciales[wid.x] = suma[0]; }
}
