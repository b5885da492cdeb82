# Uniform fields, overrides, and the count in them.
show() { python3 "$CASES/tools.py" show "$@"; }
cat >k.wgsl <<'WGSL'
struct Inner { scale: f32, offset: vec2i }
struct Params { n: u32, @align(16) inner: array<Inner, 2>, color: vec3f }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> src: array<f32>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
override bias: f32 = 0.0;
@id(7) override times = 1u;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= params.n) { return; }
    dst[id.x] = src[id.x] * params.inner[1].scale * f32(times) + bias + params.color.y + f32(params.inner[0].offset.x);
}
WGSL
run() { telar run k.wgsl --bind src=f32:4:iota --out dst=o.npy "$@" >/dev/null && show o.npy; }
run --set params.n=count --set 'params.inner[1].scale=2'
run --set params.n=3 --set 'params.inner[1].scale=2' --set params.color=1,10,100
run --set params.n=count --set 'params.inner[1].scale=1' --set bias=0.5 --set 7=3 --set 'params.inner[0].offset.x=-1'
run --set params.n=count --set 'params.inner[1].scale=1' --set times=3
bad() { telar run k.wgsl --bind src=f32:4 --out dst=x.npy "$@" 2>&1; echo "exit $?"; }
bad
bad --set params.m=1
bad --set params=1
bad --set params.n=-1
bad --set params.n=4294967296
bad --set params.color=1,2
bad --set 'params.inner[2].scale=1'
bad --set prams.n=1
bad --set params.n
bad --set src.x=1 --set params.n=1
bad --set params.n=1 --set times=-1
bad --set params.n=1 --set times=1.5
bad --set params.n=1 --set times=2 --set 7=3
bad --set params.n=1 --set bias=1e999
bad --set params.n=1 --set params.color=1,2,1e39
sed 's/times = 1u/times: u32/' k.wgsl >needs.wgsl
telar run needs.wgsl --bind src=f32:4 --set params.n=1 --out dst=x.npy 2>&1; echo "exit $?"
ls x.npy .telar* 2>/dev/null; true
