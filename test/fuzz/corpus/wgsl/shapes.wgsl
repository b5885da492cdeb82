@vertex fn v(@location(0) @invariant p : vec4h) -> @builtin(position) vec4f {}
@fragment fn w(@color(0) c : vec4f, @builtin(front_facing) f : bool) -> @location(0) @blend_src(1) vec4f {}
@mesh(out) @payload(task) fn m() {} @task fn t() {} @early_depth_test(force) fn d() {}
@group(0) @binding(0) @input_attachment_index(1) var t : texture_storage_2d<rgba8unorm, write>;
@subgroup_size(32) @workgroup_size(x, y + 1) fn s() { let c = a - -b; let d = - -a; let e = &*&p; let g = 1 .x; }
