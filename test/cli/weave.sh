# weave: WGSL on standard output or as JSON; faults of the source with file, line, column and caret.
bad() { telar weave "$@" 2>message; status=$?; cat message; echo "exit $status"; }
printf '@group(0) @binding(0) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] *= 2.0; }\n' >twice.wgsl
telar weave twice.wgsl --count 1000 >woven.wgsl && head -n 2 woven.wgsl | cmp - twice.wgsl
telar weave - --count 1000 <twice.wgsl | cmp - woven.wgsl
telar weave twice.wgsl --count 1000 --json | python3 "$CASES/tools.py" keys - form entry workgroup_size bindings plan.groups
for dialect in tint naga portable; do telar weave twice.wgsl --count 1000 --dialect $dialect >/dev/null || echo "failed $dialect"; done
bad twice.wgsl
bad twice.wgsl --count 10x10
bad twice.wgsl --count 10 --element other
bad twice.wgsl --count 10 --dialect metal
bad missing.wgsl --count 10
: >empty.wgsl; bad empty.wgsl --count 10
printf 'fn element(i: u32) {\n\tlet x = ;\n}\n' >fault.wgsl; bad fault.wgsl --count 10
printf 'fn element(i: u32) {\n    let x: i32 = 1.5;\n    nothing();\n}\n' >faults.wgsl; bad faults.wgsl --count 10
mkdir folder.wgsl; bad folder.wgsl --count 10
