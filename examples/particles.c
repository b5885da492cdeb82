/* SPDX-License-Identifier: MIT
 *
 * Particles that are born, move, die and make room for others, with every count on the GPU: how many live is a u32 in a
 * buffer that the host never reads while the frames run. A frame is one recording, submitted again and again:
 *
 *     begin      one invocation: what the last frame left is this frame's start, and the room left bounds the emission
 *     emit       launched by the count that begin wrote
 *     integrate  launched by the count of all
 *     compact    launched by it too; the survivors go to the other buffer through an atomic counter
 *
 * Two recordings take turns, from the first pair of buffers to the second and back.
 *
 *     particles [--capacity N] [--frames N] [--side PIXELS] [--png FILE] [--gif FILE] [--check] [--bench] [--dump]
 *
 * --check compares particles and picture with plain C; --dump prints a frame's recording, in which no download stands;
 * --bench times a frame beside the same stages with counts that the host knows. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels.h"
#include "shared/example.h"
#include "shared/picture.h"

/* As in particles.wgsl. */
typedef struct state {
    uint32_t capacity, rate, exposure, side_log2;
    uint32_t frame, next_id, alive, emitted, first_id, total;
} state;

typedef struct motion {
    int32_t x, y, vx, vy;
} motion;

typedef struct traits {
    uint32_t id, frames_left;
} traits;

enum {
    WORLD_SIDE = 1 << 20,
    FRAMES_AHEAD = 8, /* that the host submits before it waits for the device */
    SIDE_LOG2_MAX = 12
};

/* ---- In plain C: the same world, in order of id ------------------------------------------------------------------- */

typedef struct plain {
    state s;
    motion *motion;
    traits *traits;
    uint32_t survivors;
} plain;

static uint32_t hash(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static int32_t wave(uint32_t t)
{
    uint32_t s = t % 256;
    return (int32_t)(s < 256 - s ? s : 256 - s) * (WORLD_SIDE / 256);
}

static void plain_emit(plain *p, uint32_t k)
{
    uint32_t id = p->s.first_id + k;
    uint32_t h = hash(id), g = hash(h + id);
    uint32_t phase = p->s.frame + id % 3 * 85;
    p->motion[p->s.alive + k] = (motion){.x = WORLD_SIDE / 4 + wave(2 * phase),
                                         .y = WORLD_SIDE / 4 + wave(3 * phase + 64),
                                         .vx = 4 * ((int32_t)((h & 2047) + (h >> 11 & 2047)) - 2047),
                                         .vy = 4 * ((int32_t)((g & 2047) + (g >> 11 & 2047)) - 2047)};
    p->traits[p->s.alive + k] = (traits){id, 32 + (h >> 24) % 64};
}

static motion moved(motion m)
{
    int32_t away_x = m.x - WORLD_SIDE / 2, away_y = m.y - WORLD_SIDE / 2;
    int32_t vx = m.vx - away_x / 512 - away_y / 1024;
    int32_t vy = m.vy - away_y / 512 + away_x / 1024;
    vx -= vx / 64;
    vy -= vy / 64;
    motion to = {m.x + vx, m.y + vy, vx, vy};
    if (to.x < 0 || to.x >= WORLD_SIDE) to = (motion){m.x, to.y, -vx, to.vy};
    if (to.y < 0 || to.y >= WORLD_SIDE) to = (motion){to.x, m.y, to.vx, -vy};
    return to;
}

static void plain_begin(plain *p)
{
    state *s = &p->s;
    s->alive = p->survivors;
    s->emitted = s->capacity - s->alive < s->rate ? s->capacity - s->alive : s->rate;
    s->total = s->alive + s->emitted;
    s->first_id = s->next_id;
    s->next_id += s->emitted;
    s->frame++;
}

static void plain_frame(plain *p)
{
    plain_begin(p);
    for (uint32_t k = 0; k < p->s.emitted; k++) plain_emit(p, k);
    p->survivors = 0;
    for (uint32_t k = 0; k < p->s.total; k++) {
        traits t = {p->traits[k].id, p->traits[k].frames_left - 1};
        if (t.frames_left == 0) continue;
        p->motion[p->survivors] = moved(p->motion[k]);
        p->traits[p->survivors++] = t;
    }
}

static uint8_t *plain_picture(const plain *p)
{
    uint32_t log2 = p->s.side_log2;
    uint32_t *density = example_alloc((size_t)1 << 2 * log2, sizeof *density);
    uint8_t *shades = example_alloc((size_t)1 << 2 * log2, 1);
    for (uint32_t k = 0; k < p->survivors; k++) {
        uint32_t x = (uint32_t)p->motion[k].x >> (20 - log2), y = (uint32_t)p->motion[k].y >> (20 - log2);
        density[(y << log2) + x]++;
    }
    for (size_t k = 0; k < (size_t)1 << 2 * log2; k++) {
        shades[k] = (uint8_t)(255 * density[k] / (density[k] + p->s.exposure));
    }
    free(density);
    return shades;
}

static plain plain_new(state start)
{
    return (plain){.s = start,
                   .motion = example_alloc(start.capacity, sizeof(motion)),
                   .traits = example_alloc(start.capacity, sizeof(traits))};
}

static void plain_free(plain *p)
{
    free(p->motion);
    free(p->traits);
}

/* ---- On the GPU -------------------------------------------------------------------------------------------------- */

typedef struct stages {
    kernel_stage begin, emit, integrate, compact; /* of a frame */
    kernel_stage splat, tone;                     /* of a picture */
} stages;

static void make_stages(example *e, const state *start, stage_counts counts, stages *made)
{
    const telar_plan_desc one = {.count = {1}};
    const telar_plan_desc some = {.count = {start->rate}, .bytes_per_element = 24, .no_windows = true};
    const telar_plan_desc all = {.count = {start->capacity}, .bytes_per_element = 48, .no_windows = true};
    const telar_plan_desc words = {.count = {UINT64_C(1) << (2 * start->side_log2 - 2)}, .bytes_per_element = 20};
    made->begin = example_stage(e, tl_wgsl_particles, "begin", one, STAGE_HOST_COUNT);
    made->emit = example_stage(e, tl_wgsl_particles, "emit", some, counts);
    made->integrate = example_stage(e, tl_wgsl_particles, "integrate", all, counts);
    made->compact = example_stage(e, tl_wgsl_particles, "compact", all, counts);
    made->splat = example_stage(e, tl_wgsl_particles, "splat", all, counts);
    made->tone = example_stage(e, tl_wgsl_particles, "tone", words, STAGE_HOST_COUNT);
}

typedef struct world {
    example *e;
    state start;
    WGPUBuffer state, survivors, motion[2], traits[2];
    WGPUBuffer density, shades;
    uint32_t frames; /* so far: where the particles lie */
} world;

static world world_new(example *e, state start)
{
    world w = {.e = e, .start = start};
    w.state = example_buffer(e, sizeof(state));
    w.survivors = example_buffer(e, 4);
    for (int k = 0; k < 2; k++) {
        w.motion[k] = example_buffer(e, (uint64_t)start.capacity * sizeof(motion));
        w.traits[k] = example_buffer(e, (uint64_t)start.capacity * sizeof(traits));
    }
    w.density = example_buffer(e, UINT64_C(4) << 2 * start.side_log2);
    w.shades = example_buffer(e, UINT64_C(1) << 2 * start.side_log2);
    example_write(e, w.state, &start, sizeof start);
    return w;
}

static void world_free(world *w)
{
    const WGPUBuffer buffers[] = {w->state,     w->survivors, w->motion[0], w->motion[1],
                                  w->traits[0], w->traits[1], w->density,   w->shades};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) telar_host_buffer_release(w->e->host, buffers[k]);
}

/* What both kinds of recordings hold: the particles of `turn` under the kernels' names. */
typedef struct named {
    telar_count emitted, total, survivors;
} named;

static named name_buffers(draft *d, const world *w, uint32_t turn)
{
    uint64_t motion_bytes = (uint64_t)w->start.capacity * sizeof(motion);
    uint64_t traits_bytes = (uint64_t)w->start.capacity * sizeof(traits);
    draft_begin(d, w->e);
    telar_buffer counts = draft_buffer(d, "state", w->state, sizeof(state));
    telar_buffer survivors = draft_buffer(d, "survivors", w->survivors, 4);
    draft_buffer(d, "motion", w->motion[turn], motion_bytes);
    draft_buffer(d, "traits", w->traits[turn], traits_bytes);
    draft_buffer(d, "next_motion", w->motion[1 - turn], motion_bytes);
    draft_buffer(d, "next_traits", w->traits[1 - turn], traits_bytes);
    return (named){.emitted = {.buffer = counts, .offset_bytes = offsetof(state, emitted)},
                   .total = {.buffer = counts, .offset_bytes = offsetof(state, total)},
                   .survivors = {.buffer = survivors}};
}

static telar_prepared *record_frame(const world *w, const stages *s, uint32_t turn, char **dump)
{
    draft d;
    named names = name_buffers(&d, w, turn);
    /* All counts of the frame stand once `begin` has run: one dispatch prepares them. */
    const telar_count counts[] = {names.emitted, names.total, names.total};
    const telar_plan *const plans[] = {&s->emit.plan, &s->integrate.plan, &s->compact.plan};
    telar_counted counted[3];
    telar_record_mark(&d.record, "begin");
    draft_launch(&d, &s->begin, NULL);
    telar_record_counts(&d.record, counts, plans, 3, counted);
    draft_launch_prepared(&d, &s->emit, &counted[0]);
    draft_launch_prepared(&d, &s->integrate, &counted[1]);
    draft_launch_prepared(&d, &s->compact, &counted[2]);
    telar_record_mark(&d.record, "end");
    return draft_prepare(&d, dump);
}

/* The frame as it would be if the host knew the counts. */
static telar_prepared *record_known_frame(const world *w, const stages *s, uint32_t turn, const state *counts)
{
    draft d;
    name_buffers(&d, w, turn);
    telar_record_mark(&d.record, "begin");
    draft_launch(&d, &s->begin, NULL);
    draft_launch_some(&d, &s->emit, counts->emitted);
    draft_launch_some(&d, &s->integrate, counts->total);
    draft_launch_some(&d, &s->compact, counts->total);
    telar_record_mark(&d.record, "end");
    return draft_prepare(&d, NULL);
}

static telar_prepared *record_picture(const world *w, const stages *s, uint32_t turn)
{
    draft d;
    named names = name_buffers(&d, w, turn);
    telar_buffer density = draft_buffer(&d, "density", w->density, UINT64_C(4) << 2 * w->start.side_log2);
    telar_buffer shades = draft_buffer(&d, "shades", w->shades, UINT64_C(1) << 2 * w->start.side_log2);
    telar_record_clear(&d.record, density, 0, 0);
    draft_launch(&d, &s->splat, &names.survivors);
    draft_launch(&d, &s->tone, NULL);
    telar_record_download(&d.record, shades, 0, 0);
    return draft_prepare(&d, NULL);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

typedef struct particle {
    traits t;
    motion m;
} particle;

static int by_id(const void *a, const void *b)
{
    const particle *p = a, *q = b;
    return (p->t.id > q->t.id) - (p->t.id < q->t.id);
}

static particle *read_particles(const world *w, uint32_t count)
{
    motion *m = example_alloc(count, sizeof *m);
    traits *t = example_alloc(count, sizeof *t);
    particle *particles = example_alloc(count, sizeof *particles);
    if (count > 0) {
        example_read(w->e, w->motion[w->frames % 2], m, (uint64_t)count * sizeof *m);
        example_read(w->e, w->traits[w->frames % 2], t, (uint64_t)count * sizeof *t);
    }
    for (uint32_t k = 0; k < count; k++) particles[k] = (particle){t[k], m[k]};
    qsort(particles, count, sizeof *particles, by_id);
    free(m);
    free(t);
    return particles;
}

/* Ends the program unless every particle and every count is what plain C has. */
static void compare(const world *w, const plain *p)
{
    state s;
    uint32_t survivors;
    example_read(w->e, w->state, &s, sizeof s);
    example_read(w->e, w->survivors, &survivors, 4);
    if (memcmp(&s, &p->s, sizeof s) != 0 || survivors != p->survivors) {
        example_fail(1, "frame %u: %u of %u survive on the GPU, %u of %u in plain C", w->frames, survivors, s.total,
                     p->survivors, p->s.total);
    }
    particle *particles = read_particles(w, survivors);
    for (uint32_t k = 0; k < survivors; k++) {
        bool same = memcmp(&particles[k].m, &p->motion[k], sizeof(motion)) == 0 &&
                    memcmp(&particles[k].t, &p->traits[k], sizeof(traits)) == 0;
        if (same) continue;
        example_fail(1, "frame %u: particle %u at (%d, %d), %u in plain C at (%d, %d)", w->frames, particles[k].t.id,
                     particles[k].m.x, particles[k].m.y, p->traits[k].id, p->motion[k].x, p->motion[k].y);
    }
    free(particles);
}

static void compare_picture(const world *w, const plain *p, const uint8_t *shades)
{
    uint8_t *want = plain_picture(p);
    uint32_t side = 1u << w->start.side_log2;
    for (size_t k = 0; k < (size_t)side * side; k++) {
        if (shades[k] == want[k]) continue;
        example_fail(1, "frame %u: pixel (%zu, %zu) is %u, not %u", w->frames, k % side, k / side, shades[k], want[k]);
    }
    free(want);
}

/* ---- The sequence ------------------------------------------------------------------------------------------------ */

typedef struct options {
    uint32_t capacity, frames, side;
    const char *png, *gif;
    bool check, bench, dump;
} options;

typedef struct show {
    world w;
    stages s;
    telar_prepared *frame[2], *picture[2];
    picture_gif *gif;
    plain p;
} show;

static const uint8_t *draw(show *a)
{
    telar_diag diag = {0};
    const void *shades;
    uint64_t size_bytes;
    telar_prepared *picture = a->picture[a->w.frames % 2];
    example_check(telar_prepared_run(picture, &diag), &diag);
    example_check(telar_prepared_download(picture, 0, &shades, &size_bytes, &diag), &diag);
    return shades;
}

/* A recording without downloads brings nothing back: it is the proof, not the program's word. */
static void prove_no_read_back(const char *dump, bool print)
{
    if (print) fputs(dump, stdout);
    if (strstr(dump, "download") != NULL) example_fail(1, "the frame's recording reads something back");
    if (print) printf("nothing in this recording is read back\n");
}

static void show_open(show *a, example *e, const options *o, state start)
{
    char *dump;
    a->w = world_new(e, start);
    make_stages(e, &start, STAGE_GPU_COUNT, &a->s);
    for (uint32_t turn = 0; turn < 2; turn++) {
        a->frame[turn] = record_frame(&a->w, &a->s, turn, &dump);
        a->picture[turn] = record_picture(&a->w, &a->s, turn);
        prove_no_read_back(dump, o->dump && turn == 0);
        free(dump);
    }
    if (o->check) a->p = plain_new(start);
    if (o->gif == NULL) return;
    if (!picture_has_gif()) example_fail(2, "--gif: this build has no giflib (Debian: libgif-dev)");
    a->gif = picture_gif_open(o->gif, o->side);
    if (a->gif == NULL) example_fail(2, "'%s' cannot be written", o->gif);
}

static void show_close(show *a)
{
    for (int turn = 0; turn < 2; turn++) {
        telar_prepared_release(a->frame[turn]);
        telar_prepared_release(a->picture[turn]);
    }
    plain_free(&a->p);
    world_free(&a->w);
}

/* Frames are submitted some ahead; what is waited for is that they are done, never a result but a picture's. */
static void run_frame(show *a, const options *o)
{
    telar_diag diag = {0};
    example_check(telar_prepared_submit(a->frame[a->w.frames % 2], &diag), &diag);
    a->w.frames++;
    if (a->w.frames % FRAMES_AHEAD == 0) example_check(telar_host_wait(a->w.e->host, 0, &diag), &diag);
    if (o->check) plain_frame(&a->p);
    if (a->gif != NULL && !picture_gif_add(a->gif, draw(a))) example_fail(2, "'%s' cannot be written", o->gif);
    if (o->check && a->w.frames % 25 == 0) compare(&a->w, &a->p);
}

static void run(example *e, const options *o, state start)
{
    show a = {0};
    show_open(&a, e, o, start);
    while (a.w.frames < o->frames) run_frame(&a, o);
    const uint8_t *shades = draw(&a);
    if (o->png != NULL && !picture_png(o->png, shades, o->side)) example_fail(2, "'%s' cannot be written", o->png);
    if (a.gif != NULL && !picture_gif_close(a.gif)) example_fail(2, "'%s' cannot be written", o->gif);
    if (o->check) {
        compare(&a.w, &a.p);
        compare_picture(&a.w, &a.p, shades);
    }
    uint32_t alive;
    example_read(e, a.w.survivors, &alive, 4);
    printf("%u particles after %u frames%s\n", alive, o->frames,
           o->check ? "; they, their counts and the picture are plain C's" : "");
    show_close(&a);
}

/* ---- What a count on the GPU costs --------------------------------------------------------------------------------- */

enum {
    BENCH_SETTLE = 80, /* frames until as many die as are born */
    BENCH_FRAMES = 81,
    BENCH_ALL = BENCH_SETTLE + BENCH_FRAMES,
    BENCH_LAUNCHES = 200,
    BENCH_FEW = 1000,
    BENCH_WARM_US = 1000000
};

typedef struct bench {
    world counted, known;
    stages counted_stages, known_stages;
    telar_prepared *frame[2];
    plain p;
    state counts[BENCH_ALL]; /* of every frame, from plain C */
    double counted_us[BENCH_FRAMES], known_us[BENCH_FRAMES];
} bench;

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* GPU time between the first two marks, or the CPU's around the whole where a device has no timestamps. */
static double timed_us(telar_prepared *prepared)
{
    telar_diag diag = {0};
    double begin_us = now_us(), ns;
    example_check(telar_prepared_run(prepared, &diag), &diag);
    double wall_us = now_us() - begin_us;
    telar_status status = telar_prepared_time_ns(prepared, 0, &ns, &diag);
    if (status == TELAR_UNSUPPORTED) return wall_us;
    example_check(status, &diag);
    return ns / 1000;
}

/* A GPU that waited for the CPU runs at a low clock for a while: pictures until it surely does not. */
static void warm_up(const bench *b)
{
    telar_diag diag = {0};
    telar_prepared *picture = record_picture(&b->counted, &b->counted_stages, 0);
    for (double end_us = now_us() + (double)BENCH_WARM_US; now_us() < end_us;) {
        example_check(telar_prepared_run(picture, &diag), &diag);
    }
    telar_prepared_release(picture);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static double counted_frame_us(bench *b)
{
    return timed_us(b->frame[b->counted.frames++ % 2]);
}

static double known_frame_us(bench *b)
{
    const state *counts = &b->counts[b->known.frames];
    telar_prepared *frame = record_known_frame(&b->known, &b->known_stages, b->known.frames++ % 2, counts);
    double us = timed_us(frame);
    telar_prepared_release(frame);
    return us;
}

/* The same frame in both worlds, the order changing. */
static void bench_frame(bench *b, uint32_t k)
{
    double counted_us = 0, known_us = 0;
    if (k % 2 == 0) counted_us = counted_frame_us(b);
    known_us = known_frame_us(b);
    if (k % 2 != 0) counted_us = counted_frame_us(b);
    if (k < BENCH_SETTLE) return;
    b->counted_us[k - BENCH_SETTLE] = counted_us;
    b->known_us[k - BENCH_SETTLE] = known_us;
}

/* ---- One launch alone: many of them between two marks ---- */

typedef enum launch_kind {
    LAUNCH_PLAIN,
    LAUNCH_COUNTED,
    LAUNCH_PREPARE, /* the dispatch that comes before a counted one, by itself */
    LAUNCH_KINDS
} launch_kind;

static telar_prepared *record_launches(const bench *b, launch_kind kind, uint32_t elements, WGPUBuffer counts)
{
    draft d;
    name_buffers(&d, &b->counted, 0);
    const telar_count count = {.buffer = draft_buffer(&d, "count", counts, 256)};
    const telar_plan *plan = &b->counted_stages.integrate.plan;
    telar_counted counted;
    telar_record_upload(&d.record, count.buffer, 0, &elements, 4);
    telar_record_mark(&d.record, "begin");
    for (int k = 0; k < BENCH_LAUNCHES; k++) {
        if (kind == LAUNCH_PLAIN) draft_launch_some(&d, &b->known_stages.integrate, elements);
        if (kind == LAUNCH_COUNTED) draft_launch(&d, &b->counted_stages.integrate, &count);
        if (kind == LAUNCH_PREPARE) telar_record_counts(&d.record, &count, &plan, 1, &counted);
    }
    telar_record_mark(&d.record, "end");
    return draft_prepare(&d, NULL);
}

static void bench_launches(bench *b)
{
    enum {
        ROUNDS = 21,
        WARM = 5
    };
    example *e = b->counted.e;
    WGPUBuffer counts = example_buffer(e, 256);
    uint32_t few = b->p.s.capacity < BENCH_FEW ? b->p.s.capacity : BENCH_FEW;
    telar_prepared *prepared[LAUNCH_KINDS];
    double us[LAUNCH_KINDS][ROUNDS];
    for (int kind = 0; kind < LAUNCH_KINDS; kind++) prepared[kind] = record_launches(b, (launch_kind)kind, few, counts);
    warm_up(b);
    for (int round = -WARM; round < ROUNDS; round++) {
        for (int kind = 0; kind < LAUNCH_KINDS; kind++) {
            double taken_us = timed_us(prepared[kind]) / (double)BENCH_LAUNCHES;
            if (round >= 0) us[kind][round] = taken_us;
        }
    }
    printf("a launch of %u particles: %.2f us plain, %.2f us counted; the prepare dispatch alone %.2f us\n", few,
           median(us[LAUNCH_PLAIN], ROUNDS), median(us[LAUNCH_COUNTED], ROUNDS), median(us[LAUNCH_PREPARE], ROUNDS));
    for (int kind = 0; kind < LAUNCH_KINDS; kind++) telar_prepared_release(prepared[kind]);
    telar_host_buffer_release(e->host, counts);
}

static void run_bench(example *e, state start)
{
    bench *b = example_alloc(1, sizeof *b);
    b->counted = world_new(e, start);
    b->known = world_new(e, start);
    b->p = plain_new(start);
    make_stages(e, &start, STAGE_GPU_COUNT, &b->counted_stages);
    make_stages(e, &start, STAGE_HOST_COUNT, &b->known_stages);
    for (uint32_t turn = 0; turn < 2; turn++) {
        b->frame[turn] = record_frame(&b->counted, &b->counted_stages, turn, NULL);
    }
    /* All of plain C first, so that no frame waits for it. */
    for (uint32_t k = 0; k < BENCH_ALL; k++) {
        plain_frame(&b->p);
        b->counts[k] = b->p.s;
    }
    warm_up(b);
    for (uint32_t k = 0; k < BENCH_ALL; k++) bench_frame(b, k);
    compare(&b->counted, &b->p);
    compare(&b->known, &b->p);
    double counted_us = median(b->counted_us, BENCH_FRAMES), known_us = median(b->known_us, BENCH_FRAMES);
    printf("%u particles of %u, %u born a frame; the results of both are plain C's\n", b->p.s.total, start.capacity,
           b->p.s.emitted);
    printf("a frame, median of %d: %.1f us with counts on the GPU, %.1f us with the host's: ratio %.3f\n", BENCH_FRAMES,
           counted_us, known_us, counted_us / known_us);
    bench_launches(b);
    for (int turn = 0; turn < 2; turn++) telar_prepared_release(b->frame[turn]);
    plain_free(&b->p);
    world_free(&b->counted);
    world_free(&b->known);
    free(b);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static options read_arguments(char **argv)
{
    options o = {.capacity = 100000, .frames = 200, .side = 512};
    for (int k = 1; argv[k] != NULL; k++) {
        if (strcmp(argv[k], "--capacity") == 0) o.capacity = example_number(argv, &k, 1, 1u << 27);
        else if (strcmp(argv[k], "--frames") == 0) o.frames = example_number(argv, &k, 1, 1000000);
        else if (strcmp(argv[k], "--side") == 0) o.side = example_number(argv, &k, 16, 1u << SIDE_LOG2_MAX);
        else if (strcmp(argv[k], "--png") == 0) o.png = example_text(argv, &k);
        else if (strcmp(argv[k], "--gif") == 0) o.gif = example_text(argv, &k);
        else if (strcmp(argv[k], "--check") == 0) o.check = true;
        else if (strcmp(argv[k], "--bench") == 0) o.bench = true;
        else if (strcmp(argv[k], "--dump") == 0) o.dump = true;
        else {
            example_fail(2, "usage: particles [--capacity N] [--frames N] [--side PIXELS] [--png FILE] [--gif FILE] "
                            "[--check] [--bench] [--dump]");
        }
    }
    if ((o.side & (o.side - 1)) != 0) example_fail(2, "--side %u is not a power of two", o.side);
    return o;
}

static state start_of(const options *o)
{
    state start = {.capacity = o->capacity, .rate = o->capacity / 48 + 1};
    while (1u << start.side_log2 < o->side) start.side_log2++;
    start.exposure = 2 + 4 * (o->capacity / (o->side * o->side));
    return start;
}

int main(int argc, char **argv)
{
    (void)argc;
    example e;
    example_name("particles");
    options o = read_arguments(argv);
    example_open(&e);
    if (o.bench) run_bench(&e, start_of(&o));
    else run(&e, &o, start_of(&o));
    example_close(&e);
    return 0;
}
