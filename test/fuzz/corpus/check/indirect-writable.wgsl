@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read_write> v: array<u32>;
@group(0) @binding(2) var<storage, read_write> args: array<u32, 3>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= n) { return; }
  v[g.x] >>= 1u;
  if (g.x == 0u) { args[0] = n; args[1] = 1u; args[2] = 1u; }
}
