// What moves as many bytes as the kernel and does nothing else: the limit of all that reads and writes memory.
@group(0) @binding(0) var<storage, read> s: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> d: array<vec4u>;

fn element(i: u32) {
    d[i] = s[i];
}
