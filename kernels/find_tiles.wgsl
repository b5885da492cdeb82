// The least index of an element that is asked for. A tile that begins behind what has been found is not read.
//
//     WORKGROUP_SIZE, ITEMS, RESULT_FIRST; T, source_item; is_found(x: T, i: u32) -> bool

@group(0) @binding(1) var<storage, read_write> result: array<atomic<u32>>;

const TILE = WORKGROUP_SIZE * ITEMS;

fn index_of(i: u32) -> u32 { return group_base() * TILE + i; }

@compute @workgroup_size(WORKGROUP_SIZE)
fn find_tiles(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let count = telar_launch.count.x;
    let tile = group_number(id);
    if (tile >= telar_launch.groups) { return; }
    if (atomicLoad(&result[RESULT_FIRST]) <= index_of(tile * TILE)) { return; }
    let first = tile * TILE + local;
    var x: array<T, ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { x[k] = source_item(min(first + k * WORKGROUP_SIZE, count - 1u)); }
    var found = 0xffffffffu;
    for (var k = 0u; k < ITEMS; k++) {
        let i = index_of(min(first + k * WORKGROUP_SIZE, count - 1u));
        found = min(found, select(0xffffffffu, i, is_found(x[k], i)));
    }
    if (found != 0xffffffffu) { atomicMin(&result[RESULT_FIRST], found); }
}
