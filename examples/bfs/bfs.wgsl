// One level of a breadth-first search. The frontier holds a vertex and a part of its edges: the edges of a vertex with many
// are shared out to several invocations, which keeps them equally busy and every loop short.

const part_edges = 256u; // as in bfs.c
const unreached = 0xffffffffu;

@group(0) @binding(0) var<storage, read> offsets: array<u32>; // of a vertex's first edge; one more at the end
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> distances: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> frontier: array<vec2u>; // vertex, first edge
@group(0) @binding(4) var<storage, read_write> next_frontier: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> next_count: atomic<u32>;

fn parts_of(edges: u32) -> u32 {
    return edges / part_edges + u32(edges % part_edges != 0);
}

fn append(vertex: u32) {
    let first = offsets[vertex];
    let parts = parts_of(offsets[vertex + 1] - first);
    if (parts == 0) { return; }
    let to = atomicAdd(&next_count, parts);
    for (var k = 0u; k < parts; k++) {
        next_frontier[to + k] = vec2u(vertex, first + k * part_edges);
    }
}

fn expand(i: u32) {
    let part = frontier[i];
    let distance = atomicLoad(&distances[part.x]) + 1;
    let end = min(part.y + part_edges, offsets[part.x + 1]);
    for (var edge = part.y; edge < end; edge++) {
        let vertex = targets[edge];
        // Whoever finds a vertex first appends it; all that find it in this level agree on the distance.
        if (atomicLoad(&distances[vertex]) != unreached) { continue; }
        if (atomicMin(&distances[vertex], distance) == unreached) { append(vertex); }
    }
}
