// The occupied cells of a grid: marked by points, found word by word, then visited alone. A word holds 32 cells of a row.

override side: u32; // of the grid, a power of two of at least 32

@group(0) @binding(0) var<storage, read> points: array<vec4f>;          // in the unit cube
@group(0) @binding(1) var<storage, read_write> marks: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> grid: array<u32>;              // the same buffer as marks, afterwards
@group(0) @binding(3) var<storage, read_write> cells_count: atomic<u32>; // found, listed or not
@group(0) @binding(4) var<storage, read_write> cells: array<u32>;        // x, y, z of a cell, ten bits each
@group(0) @binding(5) var<storage, read_write> neighbours: array<u32>;   // of a listed cell
@group(0) @binding(6) var<storage, read_write> histogram: array<atomic<u32>, 27>;

fn word_of(cell: vec3u) -> u32 {
    return (cell.z * side + cell.y) * (side / 32) + cell.x / 32;
}

fn mark(i: u32) {
    let cell = min(vec3u(points[i].xyz * f32(side)), vec3u(side - 1));
    atomicOr(&marks[word_of(cell)], 1u << (cell.x % 32));
}

// The domain is (side / 32, side, side) words. Few hold anything; those that do reserve room for all their cells at once.
fn find(at: vec3u) {
    var word = grid[(at.z * side + at.y) * (side / 32) + at.x];
    if (word == 0) { return; }
    var to = atomicAdd(&cells_count, countOneBits(word));
    while (word != 0 && to < arrayLength(&cells)) {
        let x = at.x * 32 + countTrailingZeros(word);
        cells[to] = x | (at.y << 10) | (at.z << 20);
        word &= word - 1;
        to++;
    }
}

// How many of the three cells around x in row (y, z) are occupied. The grid ends at its sides.
fn occupied_in_row(x: u32, y: u32, z: u32) -> u32 {
    if (y >= side || z >= side) { return 0; }
    let first = (z * side + y) * (side / 32);
    let bits = grid[first + x / 32];
    let place = x % 32;
    var three = (bits & 3) << 1;
    if (place > 0) { three = (bits >> (place - 1)) & 7; }
    if (place == 0 && x > 0) { three |= grid[first + x / 32 - 1] >> 31; }
    if (place == 31 && x < side - 1) { three |= (grid[first + x / 32 + 1] & 1) << 2; }
    return countOneBits(three);
}

fn visit(i: u32) {
    let cell = vec3u(cells[i] & 1023, (cells[i] >> 10) & 1023, cells[i] >> 20);
    var count = 0u;
    for (var k = 0u; k < 9; k++) {
        // Below 0 a u32 wraps to beyond the side.
        count += occupied_in_row(cell.x, cell.y + k % 3 - 1, cell.z + k / 3 - 1);
    }
    neighbours[i] = count - 1;
    atomicAdd(&histogram[count - 1], 1);
}
