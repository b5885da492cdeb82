// One sum a group, with subgroups of any size: the lanes add up among themselves, and one lane of each subgroup adds that to
// the group's total. No table by subgroup, whose length would have to be presumed.
//     telar run examples/kernels/subgroup_sums.wgsl --kind reduce --bind values=u32:1000000:iota --bind sums=u32:3907 --set params.count=count --out sums=sums.npy
enable subgroups;

struct Params { count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

var<workgroup> total: atomic<u32>;

@compute @workgroup_size(256)
fn subgroup_sums(@builtin(global_invocation_id) gid: vec3u, @builtin(workgroup_id) group: vec3u,
                 @builtin(local_invocation_index) li: u32, @builtin(subgroup_invocation_id) lane: u32) {
    if (li == 0u) { atomicStore(&total, 0u); }
    workgroupBarrier();
    // Every lane arrives at the subgroup operation; those past the end bring 0.
    var value = 0u;
    if (gid.x < params.count) { value = values[gid.x]; }
    let sum = subgroupAdd(value);
    if (lane == 0u) { atomicAdd(&total, sum); }
    workgroupBarrier();
    if (li == 0u) { sums[group.x] = atomicLoad(&total); }
}
