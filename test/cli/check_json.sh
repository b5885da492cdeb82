# check: JSON as the contract says, and a SARIF log in the form of version 2.1.0.
cat >k.wgsl <<'WGSL'
struct P { n: u32 }
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(2) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> o: array<f32>;
var<workgroup> t: array<f32, 65>;
/* ñandú */ @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_index) l: u32) {
  t[l] = a[g.x].x;
  workgroupBarrier();
  if (g.x < p.n) { o[g.x] = t[63u - l]; }
}
WGSL
telar check k.wgsl --json
telar check k.wgsl --format json | python3 -m json.tool >/dev/null && echo one object
telar check k.wgsl missing.wgsl --json 2>/dev/null | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["files"]))'
mkdir 'a folder'; cp k.wgsl 'a folder/ñ:k.wgsl'
telar check k.wgsl 'a folder' --format sarif | python3 "$CASES/sarif.py"
# In Spanish: the texts of findings and rules, while names, severities and levels stay.
telar check k.wgsl --json --lang es
telar check k.wgsl --format sarif --lang es | python3 "$CASES/sarif.py"
telar check k.wgsl --format sarif --lang es | python3 -c 'import json, sys
run = json.load(sys.stdin)["runs"][0]
print(run["language"], *(rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"][:2]), sep="\n")'
