// Blelloch's exclusive scan of blocks of 512 in workgroup memory; the blocks' sums are scanned by the next launch.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

var<workgroup> tree: array<u32, 512>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = group.x * 512u + 2u * local;
    let n = arrayLength(&s);
    if (first < n) { tree[2u * local] = s[first]; } else { tree[2u * local] = 0u; }
    if (first + 1u < n) { tree[2u * local + 1u] = s[first + 1u]; } else { tree[2u * local + 1u] = 0u; }

    var offset = 1u;
    for (var pairs = 256u; pairs > 0u; pairs /= 2u) {
        workgroupBarrier();
        if (local < pairs) {
            let left = offset * (2u * local + 1u) - 1u;
            tree[left + offset] += tree[left];
        }
        offset *= 2u;
    }
    workgroupBarrier();
    if (local == 0u) {
        sums[group.x] = tree[511];
        tree[511] = 0u;
    }
    for (var pairs = 1u; pairs <= 256u; pairs *= 2u) {
        offset /= 2u;
        workgroupBarrier();
        if (local < pairs) {
            let left = offset * (2u * local + 1u) - 1u;
            let sum = tree[left];
            tree[left] = tree[left + offset];
            tree[left + offset] += sum;
        }
    }
    workgroupBarrier();
    if (first < n) { d[first] = tree[2u * local]; }
    if (first + 1u < n) { d[first + 1u] = tree[2u * local + 1u]; }
}
