// Lesson 2, the fold by hand: groups in rows of 4096, the index rebuilt from the group and the local index.
//     telar run examples/lessons/plegado.wgsl --shape fold --fold-width 4096 --bind datos=f32:8000000:iota --set params.conteo=count --out datos=f.npy
struct Params { conteo: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> datos: array<f32>;

// What Telar adds to escalar.wgsl when 65535 groups do not suffice, and what the lesson writes by hand, are the same:
// this file is the element function, and `telar weave` shows the rest.
fn element(i: u32) {
    if (i >= params.conteo) { return; }
    datos[i] = datos[i] * 0.99;
}
