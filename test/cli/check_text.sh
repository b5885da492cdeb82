# check: findings with place, caret, why and fix; exit statuses; folders, standard input, silenced lines.
show() { telar check "$@" 2>message; status=$?; cat message; echo "exit $status"; }
mkdir -p shaders/deep
cat >shaders/bad.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
	v[g.x] = 1u;
}
WGSL
cat >shaders/deep/good.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x < arrayLength(&v)) { v[g.x] = 1u; }
}
WGSL
show shaders
show shaders --lang es
show shaders/deep/good.wgsl
show shaders/bad.wgsl --count 42 --dispatch 1 --bind v=168
show shaders/bad.wgsl --count 128 --dispatch 2 --bind v=512
show - --stdin-filename editor.wgsl <shaders/bad.wgsl
show shaders/bad.wgsl --rule unguarded-index=off
show shaders/bad.wgsl --rule unguarded-index=error | head -n 1
sed 's/^\tv/\t\/\/ telar: allow unguarded-index padded to whole groups\n&/' shaders/bad.wgsl | show -
sed 's/^\tv/\t\/\/ telar: allow unguarded padded\n&/' shaders/bad.wgsl | show - | tail -n 2
# Several errors of one source, each by itself.
printf 'fn f() -> u32 { return 1.5; }\nfn g() { nothing(); }\n' | show -
