/* SPDX-License-Identifier: MIT
 *
 * Culling: of many spheres only those that a camera sees are worth work, and how many that are is known on the GPU alone.
 * The first kernel appends what it finds to a list through an atomic counter; the second is launched with that counter as
 * its count. Nothing comes back between the two: one submission a frame, no guess, no launch over all objects.
 *
 *     cull [--count N] [--frames N] [--check]
 *
 * The list's order differs from run to run, so --check compares it with plain C as a set. Coordinates and the
 * planes' normals (of length 5) are whole numbers, so that inside and outside are exact on every device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "shared/example.h"

typedef struct camera {
    float position[4];
    float planes[6][4];
    float pixels[4];
} camera;

typedef struct sphere {
    float x, y, z, radius;
} sphere;

typedef struct cull {
    example e;
    uint32_t count;
    uint32_t frames;
    bool check;
    sphere *spheres;
    camera eye;
    WGPUBuffer eye_buffer, objects, visible_count, visible, sizes, report;
    kernel_stage cull, measure;
    telar_prepared *frame;
} cull;

/* ---- The world: spheres in a box of 4096, a camera that flies through it ------------------------------------------ */

static uint32_t hash(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static void make_spheres(cull *c)
{
    c->spheres = example_alloc(c->count, sizeof *c->spheres);
    for (uint32_t k = 0; k < c->count; k++) {
        uint32_t h = hash(k), g = hash(h + k);
        c->spheres[k] = (sphere){(float)(h % 4096) - 2048, (float)((h >> 12) % 4096) - 2048, (float)(g % 4096) - 2048,
                                 (float)(1 + (g >> 12) % 16)};
    }
}

/* Looks along z. Near and far stand at 8 and 1500; the sides open at 3/4. Normals are 5 long, distances 5 fold. */
static void place_camera(cull *c, uint32_t frame)
{
    static const float planes[6][4] = {
        {0, 0, 5, 5 * 8}, {0, 0, -5, -5 * 1500}, {4, 0, 3, 0}, {-4, 0, 3, 0}, {0, 4, 3, 0}, {0, -4, 3, 0},
    };
    memcpy(c->eye.planes, planes, sizeof planes);
    c->eye.position[0] = (float)(frame * 64 % 2048) - 1024;
    c->eye.position[1] = (float)(frame * 48 % 1024) - 512;
    c->eye.position[2] = (float)(frame * 128 % 4096) - 2048;
    c->eye.pixels[0] = 1080;
}

/* ---- On the GPU -------------------------------------------------------------------------------------------------- */

static void make_stages(cull *c)
{
    c->cull = example_stage(&c->e, tl_wgsl_cull, "cull",
                            (telar_plan_desc){.count = {c->count}, .bytes_per_element = 20, .no_windows = true},
                            STAGE_HOST_COUNT);
    c->measure = example_stage(&c->e, tl_wgsl_cull, "measure",
                               (telar_plan_desc){.count = {c->count}, .bytes_per_element = 24, .no_windows = true},
                               STAGE_GPU_COUNT);
}

static void make_buffers(cull *c)
{
    c->eye_buffer = example_buffer(&c->e, sizeof(camera));
    c->objects = example_buffer(&c->e, (uint64_t)c->count * sizeof(sphere));
    c->visible_count = example_buffer(&c->e, 4);
    c->visible = example_buffer(&c->e, (uint64_t)c->count * 4);
    c->sizes = example_buffer(&c->e, (uint64_t)c->count * 4);
    c->report = example_buffer(&c->e, sizeof(telar_count_report));
    example_write(&c->e, c->objects, c->spheres, (uint64_t)c->count * sizeof(sphere));
}

static void record_frame(cull *c)
{
    draft d;
    draft_begin(&d, &c->e);
    draft_buffer(&d, "camera", c->eye_buffer, sizeof(camera));
    draft_buffer(&d, "spheres", c->objects, (uint64_t)c->count * sizeof(sphere));
    draft_buffer(&d, "visible", c->visible, (uint64_t)c->count * 4);
    draft_buffer(&d, "sizes", c->sizes, (uint64_t)c->count * 4);
    telar_count count = {.buffer = draft_buffer(&d, "visible_count", c->visible_count, 4)};
    count.report = draft_buffer(&d, "report", c->report, sizeof(telar_count_report));

    telar_record_clear(&d.record, count.buffer, 0, 0);
    draft_launch(&d, &c->cull, NULL);
    draft_launch(&d, &c->measure, &count);
    c->frame = draft_prepare(&d, NULL);
}

/* ---- In plain C -------------------------------------------------------------------------------------------------- */

static bool sees(const camera *eye, const sphere *s)
{
    for (int k = 0; k < 6; k++) {
        const float *plane = eye->planes[k];
        float distance = plane[0] * (s->x - eye->position[0]) + plane[1] * (s->y - eye->position[1]) +
                         plane[2] * (s->z - eye->position[2]);
        if (distance < plane[3] - 5 * s->radius) return false;
    }
    return true;
}

static bool size_is_right(const camera *eye, const sphere *s, float size)
{
    float want = 2 * s->radius * eye->pixels[0] / fmaxf(s->z - eye->position[2], 1);
    return fabsf(size - want) <= 1e-5f * want; /* a device's division may be off by 2.5 units in the last place */
}

/* Every sphere that is seen is in the list once, and no other one; ends the program otherwise. */
static void compare(cull *c, uint32_t frame, uint32_t listed)
{
    uint32_t *visible = example_alloc(listed, 4);
    float *sizes = example_alloc(listed, 4);
    bool *in_list = example_alloc(c->count, 1);
    if (listed > 0) {
        example_read(&c->e, c->visible, visible, (uint64_t)listed * 4);
        example_read(&c->e, c->sizes, sizes, (uint64_t)listed * 4);
    }
    for (uint32_t k = 0; k < listed; k++) {
        uint32_t id = visible[k];
        if (id >= c->count || in_list[id]) example_fail(1, "frame %u: %u is no sphere, or listed twice", frame, id);
        in_list[id] = true;
        if (!size_is_right(&c->eye, &c->spheres[id], sizes[k])) {
            example_fail(1, "frame %u: sphere %u has %g pixels", frame, id, (double)sizes[k]);
        }
    }
    for (uint32_t id = 0; id < c->count; id++) {
        bool want = sees(&c->eye, &c->spheres[id]);
        if (in_list[id] == want) continue;
        example_fail(1, "frame %u: sphere %u is %s the frustum", frame, id, want ? "missing from" : "outside");
    }
    free(visible);
    free(sizes);
    free(in_list);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static void run_frame(cull *c, uint32_t frame)
{
    telar_diag diag = {0};
    telar_count_report report;
    place_camera(c, frame);
    example_write(&c->e, c->eye_buffer, &c->eye, sizeof c->eye);
    example_check(telar_prepared_run(c->frame, &diag), &diag);
    example_read(&c->e, c->report, &report, sizeof report);
    printf("frame %u: %u of %u spheres are visible\n", frame, report.launched, c->count);
    if (c->check) compare(c, frame, report.launched);
}

static void read_arguments(cull *c, char **argv)
{
    for (int k = 1; argv[k] != NULL; k++) {
        if (strcmp(argv[k], "--count") == 0) c->count = example_number(argv, &k, 1, 1u << 27);
        else if (strcmp(argv[k], "--frames") == 0) c->frames = example_number(argv, &k, 1, 1000000);
        else if (strcmp(argv[k], "--check") == 0) c->check = true;
        else example_fail(2, "usage: cull [--count N] [--frames N] [--check]");
    }
}

static void release(cull *c)
{
    const WGPUBuffer buffers[] = {c->eye_buffer, c->objects, c->visible_count, c->visible, c->sizes, c->report};
    telar_prepared_release(c->frame);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) telar_host_buffer_release(c->e.host, buffers[k]);
    example_close(&c->e);
    free(c->spheres);
}

int main(int argc, char **argv)
{
    (void)argc;
    cull c = {.count = 200000, .frames = 8};
    example_name("cull");
    read_arguments(&c, argv);
    example_open(&c.e);
    make_spheres(&c);
    make_stages(&c);
    make_buffers(&c);
    record_frame(&c);
    for (uint32_t frame = 0; frame < c.frames; frame++) run_frame(&c, frame);
    if (c.check) printf("every list is right: checked against plain C\n");
    release(&c);
    return 0;
}
