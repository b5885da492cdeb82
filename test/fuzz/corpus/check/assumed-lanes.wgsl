enable subgroups;
@group(0) @binding(0) var<storage, read_write> v: array<u32, 256>;
var<workgroup> part: array<u32, 8>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) l: u32) {
  let s = subgroupAdd(v[l]);
  if (l % 32u == 0u) { part[l / 32u] = s; }
  workgroupBarrier();
  if (l == 0u) { v[0] = part[0] + part[1]; }
}
