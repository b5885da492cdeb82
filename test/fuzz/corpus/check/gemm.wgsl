// Lesson 1, tile: the tile is the workgroup, 16x16 = 256. c = a * b, a is filas x fondo, b is fondo x columnas. Telar counts
// the width first, as in pictures: a matrix of 300 rows and 200 columns is 200x300, and its .npy file has the shape (300, 200).
//     telar run examples/lessons/gemm.wgsl --kind tile --count 500x300 --bind a=f32:200x300:random:1 --bind b=f32:500x200:random:2 --bind c=f32:500x300 --set t.filas=300 --set t.columnas=500 --set t.fondo=200 --out c=c.npy
struct Tam { filas: u32, columnas: u32, fondo: u32 }
@group(0) @binding(0) var<uniform> t: Tam;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const LADO = 16u;
var<workgroup> ta: array<f32, 256>;
var<workgroup> tb: array<f32, 256>;

@compute @workgroup_size(16, 16)
fn gemm(@builtin(local_invocation_id) lid: vec3u, @builtin(global_invocation_id) gid: vec3u) {
    let en_tile = lid.y * LADO + lid.x;
    var suma = 0.0;
    for (var k = 0u; k < t.fondo; k += LADO) {
        // Border tiles are filled with zeros: nothing is read outside a matrix.
        var va = 0.0;
        var vb = 0.0;
        if (gid.y < t.filas && k + lid.x < t.fondo) { va = a[gid.y * t.fondo + k + lid.x]; }
        if (gid.x < t.columnas && k + lid.y < t.fondo) { vb = b[(k + lid.y) * t.columnas + gid.x]; }
        ta[en_tile] = va;
        tb[en_tile] = vb;
        workgroupBarrier();
        for (var j = 0u; j < LADO; j++) { suma += ta[lid.y * LADO + j] * tb[j * LADO + lid.x]; }
        workgroupBarrier();
    }
    if (gid.y < t.filas && gid.x < t.columnas) { c[gid.y * t.columnas + gid.x] = suma; }
}
