// Lesson 2, the guard: a pool with room for 100,000 particles of which 12,000 live. arrayLength would say 100,000.
//     telar run examples/lessons/particulas.wgsl --count 12000 --bind posiciones=f32:100000 --bind velocidades=f32:100000:1 --out posiciones=p.npy
@group(0) @binding(0) var<storage, read_write> posiciones: array<f32>;
@group(0) @binding(1) var<storage, read> velocidades: array<f32>;

fn element(i: u32) {
    posiciones[i] += velocidades[i] * 0.5;
}
