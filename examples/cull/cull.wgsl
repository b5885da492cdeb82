// Which spheres does a camera see, and how large are they on its screen? Two stages: `cull` appends the visible ones to a
// list through an atomic counter, `measure` runs over the list alone.

struct Camera {
    position: vec4f,
    planes: array<vec4f, 6>, // a point p of the frustum has dot(plane.xyz, p - position) >= plane.w; normals of length 5
    pixels: vec4f,           // x: pixels that a length of 1 has at distance 1
}

@group(0) @binding(0) var<storage, read> camera: Camera;
@group(0) @binding(1) var<storage, read> spheres: array<vec4f>; // centre, radius
@group(0) @binding(2) var<storage, read_write> visible_count: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> visible: array<u32>;
@group(0) @binding(4) var<storage, read_write> sizes: array<f32>;

fn cull(i: u32) {
    let sphere = spheres[i];
    let from_camera = sphere.xyz - camera.position.xyz;
    for (var k = 0; k < 6; k++) {
        // Whole numbers all, so that nothing is rounded.
        let plane = camera.planes[k];
        if (dot(plane.xyz, from_camera) < plane.w - 5 * sphere.w) { return; }
    }
    visible[atomicAdd(&visible_count, 1u)] = i;
}

// The diameter in pixels. The list's order is chance, so what belongs to an object lies at its place in the list.
fn measure(i: u32) {
    let sphere = spheres[visible[i]];
    let depth = max(sphere.z - camera.position.z, 1);
    sizes[i] = 2 * sphere.w * camera.pixels.x / depth;
}
