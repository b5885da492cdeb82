// Turns counts that the GPU made into the launch blocks and dispatches of the kernels that follow: clamps each to what the
// data hold and a launch reaches, folds the groups, and reports. The same numbers as telar_plan_indirect. One workgroup a
// count.

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

// At most this many in one dispatch: TELAR_COUNTS_MAX.
struct Jobs {
    list: array<Job, 16>,
}

// 256 bytes, so that each can be bound as a uniform.
struct Launch {
    count: vec3u,
    groups: u32,
    row_groups: u32,
    rows: u32,
    stride: u32,
    report: u32, // its place among the reports, where an uncounted launch has its base
    dispatch: array<u32, 3>,
    rest: array<u32, 53>,
}

struct Report {
    requested: u32,   // elements, latest run
    launched: u32,    // elements, latest run
    saturations: u32, // runs since it was cleared that launched fewer than were requested
    ran: u32,         // set by a launched kernel that was woven with a canary
}

@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> launches: array<Launch>;
@group(0) @binding(2) var<storage, read_write> reports: array<Report>;
@group(1) @binding(0) var<uniform> jobs: Jobs;

// One invocation runs alone here, so that its time is the sum of all latencies: divisions are left out where they would
// change nothing, which is nearly always.

// Not (n + size - 1) / size, which wraps. One division, not two: n % size != 0.
fn ceil_div(n: u32, size: u32) -> u32 {
    let whole = n / size;
    return whole + u32(whole * size != n);
}

// The count in elements, at most 2^32 - 1.
fn requested_elements(job: Job) -> u32 {
    var units = counts[job.index];
    if (job.divide > 1) { units /= job.divide; }
    if (job.multiply == 1) { return units; }
    if (units > 0xffffffffu / job.multiply) { return 0xffffffffu; }
    return units * job.multiply;
}

fn fewest_rows(job: Job, groups: u32) -> vec3u {
    if (groups <= job.limit) { return vec3u(groups, 1, 1); }
    let planes = ceil_div(ceil_div(groups, job.limit), job.limit);
    let rows = ceil_div(ceil_div(groups, planes), job.limit);
    return vec3u(ceil_div(groups, rows * planes), rows, planes);
}

fn rows_of_width(job: Job, groups: u32) -> vec3u {
    let rows = ceil_div(groups, job.fold_width);
    let planes = ceil_div(rows, job.limit);
    return vec3u(job.fold_width, ceil_div(rows, planes), planes);
}

fn dispatch_of(job: Job, groups: u32) -> vec3u {
    if (groups == 0) { return vec3u(0, 1, 1); }
    if (job.stride_groups > 0) { return vec3u(min(groups, job.stride_groups), 1, 1); }
    if (job.fold_width > 0) { return rows_of_width(job, groups); }
    return fewest_rows(job, groups);
}

@compute @workgroup_size(1)
fn prepare(@builtin(workgroup_id) id: vec3u) {
    let job = jobs.list[id.x];
    let requested = requested_elements(job);
    let launched = min(requested, job.most);
    let groups = ceil_div(launched, job.group_elements);
    let dispatch = dispatch_of(job, groups);
    let launch = &launches[id.x];
    (*launch).count = vec3u(launched, 1, 1);
    (*launch).groups = groups;
    (*launch).row_groups = dispatch.x;
    (*launch).rows = dispatch.y;
    (*launch).stride = dispatch.x * dispatch.y * dispatch.z;
    (*launch).report = id.x;
    // All three are written, always: a zero left in y or z would run nothing.
    (*launch).dispatch = array(dispatch.x, dispatch.y, dispatch.z);
    let report = &reports[id.x];
    (*report).requested = requested;
    (*report).launched = launched;
    (*report).saturations += u32(launched < requested);
    (*report).ran = 0;
}
