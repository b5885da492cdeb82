// The arguments of an indirect dispatch from a count that only the GPU knows. All three are written; the ceiling has no sum
// that could wrap; more groups than an axis takes become rows, so that the kernel launched has the index
// (group.y * most_groups + group.x) * group_elements, and a guard.
//     telar run examples/kernels/dispatch_args.wgsl --count 1 --bind total=u32:1:20000000 --bind groups=u32:3 --out groups=groups.npy
const group_elements = 256u;
const most_groups = 65535u; // maxComputeWorkgroupsPerDimension that every device has

@group(0) @binding(0) var<storage, read> total: u32;
@group(0) @binding(1) var<storage, read_write> groups: array<u32, 3>;

@compute @workgroup_size(1)
fn dispatch_args() {
    let needed = total / group_elements + u32(total % group_elements != 0u);
    groups[0] = min(needed, most_groups);
    groups[1] = needed / most_groups + u32(needed % most_groups != 0u);
    groups[2] = 1u;
}
