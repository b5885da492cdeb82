@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let i = g.y * 16u + g.x;
  if (i < n) { v[i] += 1u; }
}
