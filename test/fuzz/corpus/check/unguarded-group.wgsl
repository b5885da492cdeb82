@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  v[group.y * groups.x + group.x] = n;
}
