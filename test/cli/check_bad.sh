# check: bad usage and input end with status 2, and the other files are still checked.
bad() { telar check "$@" 2>message >out; status=$?; cat message; tail -n 1 out; echo "exit $status"; }
printf '@compute @workgroup_size(64) fn main() {}\n' >good.wgsl
printf 'fn f() {} // \377\n' >latin.wgsl
bad
bad missing.wgsl good.wgsl
bad latin.wgsl good.wgsl
bad good.wgsl --device nothing.json
bad good.wgsl --rule ungarded-index=off
bad good.wgsl --rule unguarded-index=loud
bad good.wgsl --rule unguarded-index
bad good.wgsl --entry other
bad good.wgsl --set p.n=3
bad good.wgsl --set p.n=many
bad good.wgsl --bind v=64
bad good.wgsl --bind args=12 --dispatch @args
bad good.wgsl --bind v
bad good.wgsl --bind v=missing.bin
bad good.wgsl --bind v=@w
bad good.wgsl --dispatch 0
bad good.wgsl --dispatch 1,2,3,4
bad good.wgsl --format xml
bad good.wgsl --format text --json
bad good.wgsl --count 0x10
bad - --fix <good.wgsl
printf '@group(0) @binding(0) var<uniform> n: u32;\n@compute @workgroup_size(64) fn main() { _ = n; }\n' >set.wgsl
bad set.wgsl --set n=-1
bad set.wgsl --set n=1.5
bad set.wgsl --set n.x=1
bad set.wgsl --set n=count
: >empty.wgsl; bad empty.wgsl
mkdir nothing; bad nothing
mkdir walked; cp good.wgsl walked; ln -s . walked/again; bad walked
printf '@compute @workgroup_size(64) fn a() {}\n@compute @workgroup_size(64) fn b() {}\n' >two.wgsl
bad two.wgsl --count 100
bad two.wgsl --count 100 --entry b
