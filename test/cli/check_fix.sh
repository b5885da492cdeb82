# check --fix: makes the changes that are safe, once; and leaves the rest as it is.
cat >k.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> w: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  v[g.x] = 1u;
}
@compute @workgroup_size(64)
fn waits(@builtin(global_invocation_id) g: vec3<u32>) {
  w[g.x] = 1u;
  storageBarrier();
}
WGSL
telar check k.wgsl --fix >/dev/null; echo "exit $?"
cat k.wgsl
telar check k.wgsl --fix | tail -n 1
telar check k.wgsl --fix >/dev/null 2>message; cat message

# a file of Windows keeps its line ends
printf 'diagnostic(off, derivative_uniformity);\r\n@compute @workgroup_size(64)\r\nfn main(@builtin(subgroup_size) n: u32) {\r\n  _ = n;\r\n}\r\n' >crlf.wgsl
telar check crlf.wgsl --fix >/dev/null 2>&1
awk '!/\r$/ { lf++ } END { print NR " lines, " lf + 0 " without CR" }' crlf.wgsl
