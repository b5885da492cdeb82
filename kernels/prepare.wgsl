// Turns a count that the GPU made into the launch block and the dispatch of the kernel that follows: clamps it to what
// the data hold and a launch reaches, folds the groups, and reports. The same numbers as telar_plan_indirect.

struct Job {
    index: u32,          // of the count in `counts`
    multiply: u32,       // elements for each `divide` of the count
    divide: u32,
    most: u32,           // elements that the data hold and a launch reaches
    group_elements: u32, // of one group, in one round
    limit: u32,          // groups an axis
    fold_width: u32,     // groups a row; 0: as few rows as there can be, equally long
    stride_groups: u32,  // groups of a stride launch; 0: one round
}

struct Launch {
    count: vec3u,
    groups: u32,
    row_groups: u32,
    rows: u32,
    stride: u32,
    base: u32,
    dispatch: array<u32, 3>,
}

struct Report {
    requested: u32,   // elements, latest run
    launched: u32,    // elements, latest run
    saturations: u32, // runs since it was cleared that launched fewer than were requested
    ran: u32,         // set by a launched kernel that was woven with a canary
}

@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> launch: Launch;
@group(0) @binding(2) var<storage, read_write> report: Report;
@group(1) @binding(0) var<uniform> job: Job;

// One invocation runs alone here, so that its time is the sum of all latencies: divisions are left out where they would
// change nothing, which is nearly always.

// Not (n + size - 1) / size, which wraps. One division, not two: n % size != 0.
fn ceil_div(n: u32, size: u32) -> u32 {
    let whole = n / size;
    return whole + u32(whole * size != n);
}

// The count in elements, at most 2^32 - 1.
fn requested_elements() -> u32 {
    var units = counts[job.index];
    if (job.divide > 1) { units /= job.divide; }
    if (job.multiply == 1) { return units; }
    if (units > 0xffffffffu / job.multiply) { return 0xffffffffu; }
    return units * job.multiply;
}

fn fewest_rows(groups: u32) -> vec3u {
    if (groups <= job.limit) { return vec3u(groups, 1, 1); }
    let planes = ceil_div(ceil_div(groups, job.limit), job.limit);
    let rows = ceil_div(ceil_div(groups, planes), job.limit);
    return vec3u(ceil_div(groups, rows * planes), rows, planes);
}

fn rows_of_width(groups: u32) -> vec3u {
    let rows = ceil_div(groups, job.fold_width);
    let planes = ceil_div(rows, job.limit);
    return vec3u(job.fold_width, ceil_div(rows, planes), planes);
}

fn dispatch_of(groups: u32) -> vec3u {
    if (groups == 0) { return vec3u(0, 1, 1); }
    if (job.stride_groups > 0) { return vec3u(min(groups, job.stride_groups), 1, 1); }
    if (job.fold_width > 0) { return rows_of_width(groups); }
    return fewest_rows(groups);
}

@compute @workgroup_size(1)
fn prepare() {
    let requested = requested_elements();
    let launched = min(requested, job.most);
    let groups = ceil_div(launched, job.group_elements);
    let dispatch = dispatch_of(groups);
    launch.count = vec3u(launched, 1, 1);
    launch.groups = groups;
    launch.row_groups = dispatch.x;
    launch.rows = dispatch.y;
    launch.stride = dispatch.x * dispatch.y * dispatch.z;
    launch.base = 0;
    // All three are written, always: a zero left in y or z would run nothing.
    launch.dispatch = array(dispatch.x, dispatch.y, dispatch.z);
    report.requested = requested;
    report.launched = launched;
    report.saturations += u32(launched < requested);
    report.ran = 0;
}
