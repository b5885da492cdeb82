# Without a usable device: exit status 3, and what to do about it.
printf '@group(0) @binding(0) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] = 1.0; }\n' >k.wgsl
bad() { "$@" 2>message >out; status=$?; cat out; sed 's/^telar: TELAR_WEBGPU: .*/telar: TELAR_WEBGPU: .../' message; echo "exit $status"; }
(unset TELAR_DEVICE; export TELAR_WEBGPU=/no/such/library.so; bad telar run k.wgsl --bind d=f32:4 --out d=o.npy; bad telar devices; bad telar devices --json; bad telar plan --count 4 --facts wgpu:0)
echo text >library.so
(export TELAR_WEBGPU=./library.so; bad telar devices --lang es)
bad telar run k.wgsl --bind d=f32:4 --out d=o.npy --device wgpu:99 | sed 's/has [0-9]*/has N/'
(export VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null; unset TELAR_DEVICE; telar run k.wgsl --bind d=f32:4 --out d=o.npy 2>message; echo "exit $?"; grep -c libvulkan1 message)
# Bad input comes first.
(export TELAR_WEBGPU=/no/such/library.so; bad telar run k.wgsl --bind d=u32:4 --out d=o.npy)
ls o.npy 2>/dev/null; true
