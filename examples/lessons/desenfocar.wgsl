// Lesson 1, image: 8x8, a square of 64, so that neighbours are shared. A 3x3 mean of rgba pixels packed in words.
//     telar run examples/lessons/desenfocar.wgsl --kind image --bind entrada=IN.png --bind salida=u32:1024x768 --set tam.ancho=1024 --set tam.alto=768 --out salida=OUT.png
struct Tam { ancho: u32, alto: u32 }
@group(0) @binding(0) var<uniform> tam: Tam;
@group(0) @binding(1) var<storage, read> entrada: array<u32>;
@group(0) @binding(2) var<storage, read_write> salida: array<u32>;

@compute @workgroup_size(8, 8)
fn desenfocar(@builtin(global_invocation_id) gid: vec3u) {
    // Both axes are guarded: rows past the height run too.
    if (gid.x >= tam.ancho || gid.y >= tam.alto) { return; }
    var suma = vec4f();
    var cuenta = 0.0;
    for (var dy = 0u; dy < 3u; dy++) {
        for (var dx = 0u; dx < 3u; dx++) {
            let x = gid.x + dx;
            let y = gid.y + dy;
            if (x < 1u || y < 1u || x > tam.ancho || y > tam.alto) { continue; }
            suma += unpack4x8unorm(entrada[(y - 1u) * tam.ancho + x - 1u]);
            cuenta += 1.0;
        }
    }
    salida[gid.y * tam.ancho + gid.x] = pack4x8unorm(suma / cuenta);
}
