/* SPDX-License-Identifier: MIT
 *
 * The occupied cells of a grid. A grid of 512^3 cells is mostly empty, and work on all of them is wasted: points mark
 * cells, a 3-D pass over words of 32 cells lists those that are marked, and a launch that takes the length of that list as
 * its count visits them alone. All three are one submission.
 *
 *     cells [--side CELLS] [--points N] [--room CELLS] [--check]
 *
 * --room makes the list shorter than the points could fill it. What does not fit is counted and left out: the library
 * clamps the launch to the capacity, and the launch's report says what was requested and what ran. --check compares the
 * cells and how many of their 26 neighbours are occupied with plain C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "shared/example.h"

enum {
    SIDE_MAX = 1024, /* a cell's x, y and z have ten bits each */
    NEIGHBOURS_MAX = 26
};
#define HISTOGRAM_BYTES ((NEIGHBOURS_MAX + 1) * sizeof(uint32_t))

typedef struct point {
    float x, y, z, unused;
} point;

typedef struct cells {
    example e;
    uint32_t side, points_count, room;
    bool check;
    point *points;
    WGPUBuffer points_buffer, grid, cells_count, cells, neighbours, histogram, report;
    kernel_stage mark, find, visit;
    telar_prepared *pass;
} cells;

/* ---- Points: a cloud around a knot -------------------------------------------------------------------------------- */

static float jitter(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (float)(1 << 24) - 0.5f;
}

static float inside(float v)
{
    return v < 0 ? 0 : v >= 1 ? 0.99999994f : v;
}

static void make_points(cells *c)
{
    uint32_t seed = 7;
    c->points = example_alloc(c->points_count, sizeof *c->points);
    for (uint32_t k = 0; k < c->points_count; k++) {
        float t = 6.2831853f * (float)k / (float)c->points_count;
        float x = sinf(t) + 2 * sinf(2 * t), y = cosf(t) - 2 * cosf(2 * t), z = -sinf(3 * t);
        c->points[k] =
            (point){inside(0.5f + x / 6.5f + jitter(&seed) / 16), inside(0.5f + y / 6.5f + jitter(&seed) / 16),
                    inside(0.5f + z / 6.5f + jitter(&seed) / 16), 0};
    }
}

/* ---- On the GPU -------------------------------------------------------------------------------------------------- */

static uint64_t grid_bytes(const cells *c)
{
    return (uint64_t)c->side * c->side * c->side / 8;
}

static void make_stages(cells *c)
{
    c->e.override = (telar_override){"side", c->side};
    c->mark = example_stage(&c->e, tl_wgsl_cells, "mark",
                            (telar_plan_desc){.count = {c->points_count}, .bytes_per_element = 24, .no_windows = true},
                            STAGE_HOST_COUNT);
    c->find = example_stage(
        &c->e, tl_wgsl_cells, "find",
        (telar_plan_desc){.count = {c->side / 32, c->side, c->side}, .dimensions = 3, .bytes_per_element = 4},
        STAGE_HOST_COUNT);
    c->visit = example_stage(&c->e, tl_wgsl_cells, "visit",
                             (telar_plan_desc){.count = {c->room}, .bytes_per_element = 44, .no_windows = true},
                             STAGE_GPU_COUNT);
}

static void make_buffers(cells *c)
{
    c->points_buffer = example_buffer(&c->e, (uint64_t)c->points_count * sizeof(point));
    c->grid = example_buffer(&c->e, grid_bytes(c));
    c->cells_count = example_buffer(&c->e, 4);
    c->cells = example_buffer(&c->e, (uint64_t)c->room * 4);
    c->neighbours = example_buffer(&c->e, (uint64_t)c->room * 4);
    c->histogram = example_buffer(&c->e, HISTOGRAM_BYTES);
    c->report = example_buffer(&c->e, sizeof(telar_count_report));
    example_write(&c->e, c->points_buffer, c->points, (uint64_t)c->points_count * sizeof(point));
}

static void record_pass(cells *c)
{
    draft d;
    draft_begin(&d, &c->e);
    draft_buffer(&d, "points", c->points_buffer, (uint64_t)c->points_count * sizeof(point));
    telar_buffer grid = draft_buffer(&d, "grid", c->grid, grid_bytes(c));
    draft_name(&d, "marks", (telar_bind){.buffer = grid});
    telar_count count = {.buffer = draft_buffer(&d, "cells_count", c->cells_count, 4)};
    draft_buffer(&d, "cells", c->cells, (uint64_t)c->room * 4);
    draft_buffer(&d, "neighbours", c->neighbours, (uint64_t)c->room * 4);
    telar_buffer histogram = draft_buffer(&d, "histogram", c->histogram, HISTOGRAM_BYTES);
    count.report = draft_buffer(&d, "report", c->report, sizeof(telar_count_report));

    telar_record_clear(&d.record, grid, 0, 0);
    telar_record_clear(&d.record, count.buffer, 0, 0);
    telar_record_clear(&d.record, histogram, 0, 0);
    draft_launch(&d, &c->mark, NULL);
    draft_launch(&d, &c->find, NULL);
    draft_launch(&d, &c->visit, &count);
    c->pass = draft_prepare(&d, NULL);
}

/* ---- In plain C -------------------------------------------------------------------------------------------------- */

typedef struct plain {
    uint32_t side;
    uint8_t *bits;
    uint32_t occupied;
} plain;

static bool is_occupied(const plain *p, uint32_t x, uint32_t y, uint32_t z)
{
    if (x >= p->side || y >= p->side || z >= p->side) return false;
    uint64_t cell = ((uint64_t)z * p->side + y) * p->side + x;
    return (p->bits[cell / 8] >> cell % 8 & 1) != 0;
}

/* True when the cell was occupied. */
static bool take_out(plain *p, uint32_t x, uint32_t y, uint32_t z)
{
    bool was = is_occupied(p, x, y, z);
    uint64_t cell = ((uint64_t)z * p->side + y) * p->side + x;
    if (was) p->bits[cell / 8] = (uint8_t)(p->bits[cell / 8] & ~(1u << cell % 8));
    return was;
}

static plain plain_grid(const cells *c)
{
    plain p = {.side = c->side, .bits = example_alloc(grid_bytes(c), 1)};
    for (uint32_t k = 0; k < c->points_count; k++) {
        float side = (float)c->side;
        uint32_t x = (uint32_t)(c->points[k].x * side), y = (uint32_t)(c->points[k].y * side);
        uint64_t cell = ((uint64_t)(c->points[k].z * side) * c->side + y) * c->side + x;
        p.occupied += (p.bits[cell / 8] >> cell % 8 & 1) == 0;
        p.bits[cell / 8] = (uint8_t)(p.bits[cell / 8] | 1u << cell % 8);
    }
    return p;
}

static uint32_t plain_neighbours(const plain *p, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < 27; k++) count += is_occupied(p, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1);
    return count - 1;
}

/* The list holds occupied cells, each once, as many as there are or fit, with the right numbers of neighbours. */
static void compare(const cells *c, const telar_count_report *report, const uint32_t *list, const uint32_t *neighbours,
                    const uint32_t *histogram)
{
    plain whole = plain_grid(c), rest = plain_grid(c);
    uint32_t tally[NEIGHBOURS_MAX + 1] = {0};
    uint32_t want = whole.occupied < c->room ? whole.occupied : c->room;
    if (report->requested != whole.occupied || report->launched != want) {
        example_fail(1, "%u cells found and %u visited, not %u and %u", report->requested, report->launched,
                     whole.occupied, want);
    }
    for (uint32_t k = 0; k < want; k++) {
        uint32_t x = list[k] & 1023, y = list[k] >> 10 & 1023, z = list[k] >> 20;
        if (!take_out(&rest, x, y, z)) example_fail(1, "cell (%u, %u, %u) is empty, or listed twice", x, y, z);
        uint32_t right = plain_neighbours(&whole, x, y, z);
        if (neighbours[k] != right) {
            example_fail(1, "cell (%u, %u, %u) has %u neighbours, not %u", x, y, z, neighbours[k], right);
        }
        tally[right]++;
    }
    for (uint32_t k = 0; k <= NEIGHBOURS_MAX; k++) {
        if (histogram[k] == tally[k]) continue;
        example_fail(1, "%u cells have %u neighbours, not %u", tally[k], k, histogram[k]);
    }
    free(whole.bits);
    free(rest.bits);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static void print_report(const cells *c, const telar_count_report *report, const uint32_t *histogram)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k <= NEIGHBOURS_MAX; k++) sum += (uint64_t)k * histogram[k];
    printf("%u of %u^3 cells are occupied", report->requested, c->side);
    if (report->saturations > 0) printf(", of which %u fit the list and were visited", report->launched);
    printf("; they have %.2f occupied neighbours%s\n", (double)sum / (report->launched > 0 ? report->launched : 1),
           c->check ? "; cells and neighbours are plain C's" : "");
}

static void run(cells *c)
{
    telar_diag diag = {0};
    telar_count_report report;
    uint32_t histogram[NEIGHBOURS_MAX + 1];
    example_check(telar_prepared_run(c->pass, &diag), &diag);
    example_read(&c->e, c->report, &report, sizeof report);
    example_read(&c->e, c->histogram, histogram, sizeof histogram);
    if (c->check) {
        uint32_t *list = example_alloc(c->room, 4), *neighbours = example_alloc(c->room, 4);
        example_read(&c->e, c->cells, list, (uint64_t)c->room * 4);
        example_read(&c->e, c->neighbours, neighbours, (uint64_t)c->room * 4);
        compare(c, &report, list, neighbours, histogram);
        free(list);
        free(neighbours);
    }
    print_report(c, &report, histogram);
}

static void read_arguments(cells *c, char **argv)
{
    for (int k = 1; argv[k] != NULL; k++) {
        if (strcmp(argv[k], "--side") == 0) c->side = example_number(argv, &k, 32, SIDE_MAX);
        else if (strcmp(argv[k], "--points") == 0) c->points_count = example_number(argv, &k, 1, 1u << 26);
        else if (strcmp(argv[k], "--room") == 0) c->room = example_number(argv, &k, 1, 1u << 26);
        else if (strcmp(argv[k], "--check") == 0) c->check = true;
        else example_fail(2, "usage: cells [--side CELLS] [--points N] [--room CELLS] [--check]");
    }
    if ((c->side & (c->side - 1)) != 0) example_fail(2, "--side %u is not a power of two", c->side);
    if (c->room == 0) c->room = c->points_count;
}

static void release(cells *c)
{
    const WGPUBuffer buffers[] = {c->points_buffer, c->grid,      c->cells_count, c->cells,
                                  c->neighbours,    c->histogram, c->report};
    telar_prepared_release(c->pass);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) telar_host_buffer_release(c->e.host, buffers[k]);
    example_close(&c->e);
    free(c->points);
}

int main(int argc, char **argv)
{
    (void)argc;
    cells c = {.side = 128, .points_count = 50000};
    example_name("cells");
    read_arguments(&c, argv);
    example_open(&c.e);
    make_points(&c);
    make_stages(&c);
    make_buffers(&c);
    record_pass(&c);
    run(&c);
    release(&c);
    return 0;
}
