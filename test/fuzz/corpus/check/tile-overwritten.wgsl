@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> v: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: u32;
var<workgroup> t: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) l: u32) {
  var s = 0u;
  for (var b = 0u; b < n; b += 64u) {
    t[l] = v[b + l];
    workgroupBarrier();
    for (var k = 0u; k < 64u; k++) { s += t[k]; }
  }
  if (l == 0u) { sum = s; }
}
