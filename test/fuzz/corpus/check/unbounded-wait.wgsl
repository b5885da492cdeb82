@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read_write> flag: array<atomic<u32>>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
  if (group.x > 0u) {
    loop { if (atomicLoad(&flag[group.x - 1u]) != 0u) { break; } }
  }
  atomicStore(&flag[group.x], n + 1u);
}
