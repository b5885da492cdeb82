// Shows a grid that a compute kernel filled, from the same buffer: gray levels, and a line one pixel wide where the level
// changes. To be drawn with three vertices and no vertex buffer into a target of the grid's size.
struct Grid { width: u32, height: u32, levels: f32 }
@group(0) @binding(0) var<uniform> grid: Grid;
@group(0) @binding(1) var<storage, read> values: array<f32>; // from 0 to 1

// A triangle that covers the target: (-1, -1), (3, -1), (-1, 3).
@vertex
fn cover(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    return vec4f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn contours(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = min(vec2u(at.xy), vec2u(grid.width, grid.height) - 1u);
    let level = values[pixel.y * grid.width + pixel.x] * grid.levels;
    // Taken before any branch: all four pixels of a quad arrive.
    let slope = fwidth(level);
    let gray = floor(level) / grid.levels;
    if (fract(level) < slope) { return vec4f(0.0, 0.0, 0.0, 1.0); }
    return vec4f(vec3f(gray), 1.0);
}
