# Pictures in and out, packed and normalised.
py() { python3 "$CASES/tools.py" "$@"; }
run() { telar run "$@" >/dev/null || echo "failed: $*"; }
echo '@group(0) @binding(0) var<storage, read_write> px: array<u32>;
fn element(i: u32) { px[i] = (px[i] & 0xff00ff00u) | ((px[i] & 0xffu) << 16u) | ((px[i] >> 16u) & 0xffu); }' >swap.wgsl
echo '@group(0) @binding(0) var<storage, read> src: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> dst: array<vec4f>;
const width = 3u;
fn element(p: vec2u) { let k = p.y * width + p.x; dst[k] = vec4f(1.0 - src[k].rgb, src[k].a); }' >negative.wgsl
echo '@group(0) @binding(0) var<storage, read_write> g: array<f32>;
fn element(i: u32) { g[i] = 1.0 - g[i]; }' >gray.wgsl
py png rgb.png 3 2 2 8; py png rgba.png 3 2 6 8; py png gray.png 3 2 0 8; py png deep.png 3 2 6 16; py png ga.png 3 2 4 8
run swap.wgsl --bind px=rgb.png --out px=o.png; py pixels o.png
run swap.wgsl --bind px=deep.png --out px=o.png; py pixels o.png
run swap.wgsl --bind px=rgb.png --out px=o.npy; py show o.npy
run negative.wgsl --bind src=rgba.png --out dst=o.png --verify; py pixels o.png
run negative.wgsl --bind src=deep.png --out dst=o.png; py pixels o.png
run negative.wgsl --bind src=ga.png --out dst=o.png; py pixels o.png
run gray.wgsl --bind g=gray.png --out g=o.png; py pixels o.png
run gray.wgsl --bind g=f32:4x2:0.25 --out g=o.png; py pixels o.png
bad() { telar run "$@" 2>&1; echo "exit $?"; }
bad gray.wgsl --bind g=rgb.png --out g=x.png
bad gray.wgsl --bind g=f32:4 --out g=x.png
head -c 50 rgb.png >cut.png; bad swap.wgsl --bind px=cut.png --out px=x.png
echo no >no.png; bad swap.wgsl --bind px=no.png --out px=x.png
ls x.png .telar* 2>/dev/null; true
