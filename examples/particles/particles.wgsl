// A particle system whose counts never leave the GPU. A frame is begin, emit, integrate, compact; a picture is splat, tone.
// All arithmetic is in whole numbers, and a particle depends on its id and the frame alone: whatever order the particles
// come to lie in, each of them is the same on every device and in plain C.

struct State {
    capacity: u32,
    rate: u32,      // particles that a frame emits while there is room
    exposure: u32,  // particles in a pixel that make it half bright
    side_log2: u32, // of the picture
    frame: u32,
    next_id: u32,
    alive: u32,    // that this frame found
    emitted: u32,  // by this frame
    first_id: u32, // of those
    total: u32,    // alive + emitted
}

@group(0) @binding(0) var<storage, read_write> state: State;
@group(0) @binding(1) var<storage, read_write> survivors: atomic<u32>; // of the latest frame
@group(0) @binding(2) var<storage, read_write> motion: array<vec4i>;   // position, velocity
@group(0) @binding(3) var<storage, read_write> traits: array<vec2u>;   // id, frames left
@group(0) @binding(4) var<storage, read_write> next_motion: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> next_traits: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> density: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> shades: array<u32>; // four pixels a word

const side = 1 << 20; // of the world
const centre = vec2i(side / 2);

fn hash(x: u32) -> u32 {
    let y = (x ^ (x >> 16)) * 0x7feb352du;
    let z = (y ^ (y >> 15)) * 0x846ca68bu;
    return z ^ (z >> 16);
}

// Once a frame: what the last one left is this one's start, and the room left bounds the emission.
fn begin(i: u32) {
    state.alive = atomicLoad(&survivors);
    state.emitted = min(state.rate, state.capacity - state.alive);
    state.total = state.alive + state.emitted;
    state.first_id = state.next_id;
    state.next_id += state.emitted;
    state.frame += 1;
    atomicStore(&survivors, 0);
}

// Up and down between 0 and half the world.
fn wave(t: u32) -> i32 {
    let s = t % 256;
    return i32(min(s, 256 - s)) * (side / 256);
}

fn emit(i: u32) {
    let id = state.first_id + i;
    let h = hash(id);
    let g = hash(h + id);
    let phase = state.frame + id % 3 * 85;
    let source = vec2i(side / 4 + wave(2 * phase), side / 4 + wave(3 * phase + 64));
    let spread = vec2u(h & 2047, g & 2047) + vec2u((h >> 11) & 2047, (g >> 11) & 2047);
    motion[state.alive + i] = vec4i(source, 4 * (vec2i(spread) - 2047));
    traits[state.alive + i] = vec2u(id, 32 + (h >> 24) % 64);
}

// Towards the centre and around it, slowed a little; walls throw back.
fn integrate(i: u32) {
    let m = motion[i];
    let away = m.xy - centre;
    var v = m.zw - away / 512 + vec2i(-away.y, away.x) / 1024;
    v -= v / 64;
    var p = m.xy + v;
    if (p.x < 0 || p.x >= side) { v.x = -v.x; p.x = m.x; }
    if (p.y < 0 || p.y >= side) { v.y = -v.y; p.y = m.y; }
    motion[i] = vec4i(p, v);
    traits[i].y -= 1;
}

// Those with frames left go on, in any order; the others' places are free again.
fn compact(i: u32) {
    let t = traits[i];
    if (t.y == 0) { return; }
    let to = atomicAdd(&survivors, 1);
    next_motion[to] = motion[i];
    next_traits[to] = t;
}

fn splat(i: u32) {
    let pixel = vec2u(motion[i].xy) >> vec2u(20 - state.side_log2);
    atomicAdd(&density[(pixel.y << state.side_log2) | pixel.x], 1);
}

fn shade(pixel: u32) -> u32 {
    let d = atomicLoad(&density[pixel]);
    return 255 * d / (d + state.exposure);
}

fn tone(i: u32) {
    shades[i] = shade(4 * i) | (shade(4 * i + 1) << 8) | (shade(4 * i + 2) << 16) | (shade(4 * i + 3) << 24);
}
