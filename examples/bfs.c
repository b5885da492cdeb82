/* SPDX-License-Identifier: MIT
 *
 * Breadth-first search: the vertices found in one level are the next one's work, so that the count of each launch is made
 * by the launch before. A recording holds 32 levels, each launched by the counter that the last one filled; the host
 * looks once a submission whether anything is left to do. Levels that come after the last one launch nothing.
 *
 *     bfs [FILE | --grid SIDE | --random VERTICES [--degree N]] [--undirected] [--source VERTEX] [--check]
 *
 * FILE is a Matrix Market file or an edge list (shared/graph.h); --source counts as the file does. --check compares every
 * distance with plain C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "shared/example.h"
#include "shared/graph.h"

enum {
    LEVELS = 32,      /* of a submission; even, so that the frontier ends in the buffer in which it began */
    PART_EDGES = 256, /* as in bfs.wgsl */
};
#define COUNT_BYTES UINT64_C(256) /* from one level's count to the next: where a binding may begin */
#define UNREACHED UINT32_MAX

typedef struct part {
    uint32_t vertex, first_edge;
} part;

typedef struct bfs {
    example e;
    graph g;
    uint32_t source;
    uint64_t parts; /* that a frontier can hold */
    WGPUBuffer offsets, targets, distances, frontier[2], counts, carry;
    kernel_stage expand;
    telar_prepared *levels;
    uint32_t submissions;
} bfs;

/* ---- On the GPU -------------------------------------------------------------------------------------------------- */

static uint64_t parts_of(const graph *g, uint32_t vertex)
{
    return telar_ceil_div(g->offsets[vertex + 1] - g->offsets[vertex], PART_EDGES);
}

static uint64_t at_least_4(uint64_t size_bytes)
{
    return size_bytes < 4 ? 4 : size_bytes;
}

static void make_buffers(bfs *b)
{
    const graph *g = &b->g;
    b->parts = 1;
    for (uint32_t v = 0; v < g->vertices; v++) b->parts += parts_of(g, v);
    b->offsets = example_buffer(&b->e, 4 * ((uint64_t)g->vertices + 1));
    b->targets = example_buffer(&b->e, at_least_4(4 * (uint64_t)g->edges));
    b->distances = example_buffer(&b->e, 4 * (uint64_t)g->vertices);
    for (int k = 0; k < 2; k++) b->frontier[k] = example_buffer(&b->e, b->parts * sizeof(part));
    b->counts = example_buffer(&b->e, (LEVELS + 1) * COUNT_BYTES);
    b->carry = example_buffer(&b->e, 4);
    example_write(&b->e, b->offsets, g->offsets, 4 * ((uint64_t)g->vertices + 1));
    if (g->edges > 0) example_write(&b->e, b->targets, g->targets, 4 * (uint64_t)g->edges);
}

/* All unreached but the source, whose parts are the first frontier. */
static void write_start(bfs *b)
{
    uint32_t *distances = example_alloc(b->g.vertices, 4);
    memset(distances, 0xff, (size_t)b->g.vertices * 4);
    distances[b->source] = 0;
    example_write(&b->e, b->distances, distances, (uint64_t)b->g.vertices * 4);
    free(distances);

    uint32_t count = (uint32_t)parts_of(&b->g, b->source);
    part *parts = example_alloc(count, sizeof *parts);
    for (uint32_t k = 0; k < count; k++) parts[k] = (part){b->source, b->g.offsets[b->source] + k * PART_EDGES};
    if (count > 0) example_write(&b->e, b->frontier[0], parts, count * sizeof *parts);
    example_write(&b->e, b->carry, &count, 4);
    free(parts);
}

static void record_levels(bfs *b)
{
    draft d;
    draft_begin(&d, &b->e);
    draft_buffer(&d, "offsets", b->offsets, 4 * ((uint64_t)b->g.vertices + 1));
    draft_buffer(&d, "targets", b->targets, at_least_4(4 * (uint64_t)b->g.edges));
    draft_buffer(&d, "distances", b->distances, 4 * (uint64_t)b->g.vertices);
    const telar_bind frontier[2] = {{.buffer = draft_buffer(&d, "frontier", b->frontier[0], b->parts * sizeof(part))},
                                    {.buffer = draft_buffer(&d, "other", b->frontier[1], b->parts * sizeof(part))}};
    telar_buffer counts = draft_buffer(&d, "counts", b->counts, (LEVELS + 1) * COUNT_BYTES);
    telar_buffer carry = draft_buffer(&d, "carry", b->carry, 4);

    telar_record_clear(&d.record, counts, 0, 0);
    telar_record_copy(&d.record, carry, 0, counts, 0, 4);
    for (uint32_t level = 0; level < LEVELS; level++) {
        draft_name(&d, "frontier", frontier[level % 2]);
        draft_name(&d, "next_frontier", frontier[1 - level % 2]);
        draft_name(&d, "next_count",
                   (telar_bind){.buffer = counts, .offset_bytes = (level + 1) * COUNT_BYTES, .size_bytes = 4});
        draft_launch(&d, &b->expand, &(telar_count){.buffer = counts, .offset_bytes = level * COUNT_BYTES});
    }
    telar_record_copy(&d.record, counts, LEVELS * COUNT_BYTES, carry, 0, 4);
    telar_record_download(&d.record, carry, 0, 4);
    b->levels = draft_prepare(&d, NULL);
}

/* The frontier that 32 more levels leave. */
static uint32_t run_levels(bfs *b)
{
    telar_diag diag = {0};
    const void *left;
    uint64_t size_bytes;
    example_check(telar_prepared_run(b->levels, &diag), &diag);
    example_check(telar_prepared_download(b->levels, 0, &left, &size_bytes, &diag), &diag);
    b->submissions++;
    return *(const uint32_t *)left;
}

/* ---- In plain C -------------------------------------------------------------------------------------------------- */

static uint32_t *plain_distances(const graph *g, uint32_t source)
{
    uint32_t *distances = example_alloc(g->vertices, 4);
    uint32_t *queue = example_alloc(g->vertices, 4);
    memset(distances, 0xff, (size_t)g->vertices * 4);
    distances[source] = 0;
    queue[0] = source;
    for (uint32_t done = 0, count = 1; done < count; done++) {
        uint32_t from = queue[done];
        for (uint32_t k = g->offsets[from]; k < g->offsets[from + 1]; k++) {
            uint32_t to = g->targets[k];
            if (distances[to] != UNREACHED) continue;
            distances[to] = distances[from] + 1;
            queue[count++] = to;
        }
    }
    free(queue);
    return distances;
}

static void compare(const bfs *b, const uint32_t *distances)
{
    uint32_t *want = plain_distances(&b->g, b->source);
    for (uint32_t v = 0; v < b->g.vertices; v++) {
        if (distances[v] == want[v]) continue;
        example_fail(1, "vertex %u is at distance %d, not %d (-1: not reached)", v + b->g.base, (int)distances[v],
                     (int)want[v]);
    }
    free(want);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static void report(bfs *b, bool check)
{
    uint32_t *distances = example_alloc(b->g.vertices, 4);
    uint32_t reached = 0, depth = 0;
    example_read(&b->e, b->distances, distances, (uint64_t)b->g.vertices * 4);
    for (uint32_t v = 0; v < b->g.vertices; v++) {
        if (distances[v] == UNREACHED) continue;
        reached++;
        if (distances[v] > depth) depth = distances[v];
    }
    if (check) compare(b, distances);
    printf("%u of %u vertices reached from %u over %u edges, the farthest at %u, in %u submissions of %d levels%s\n",
           reached, b->g.vertices, b->source + b->g.base, b->g.edges, depth, b->submissions, LEVELS,
           check ? "; every distance is plain C's" : "");
    free(distances);
}

static void run(bfs *b, bool check)
{
    example_open(&b->e);
    make_buffers(b);
    b->expand = example_stage(&b->e, tl_wgsl_bfs, "expand",
                              (telar_plan_desc){.count = {b->parts}, .items = 1, .no_windows = true}, STAGE_GPU_COUNT);
    record_levels(b);
    write_start(b);
    while (run_levels(b) > 0) {}
    report(b, check);
    const WGPUBuffer buffers[] = {b->offsets,     b->targets, b->distances, b->frontier[0],
                                  b->frontier[1], b->counts,  b->carry};
    telar_prepared_release(b->levels);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) telar_host_buffer_release(b->e.host, buffers[k]);
    example_close(&b->e);
}

typedef struct options {
    const char *file;
    uint32_t grid, random, degree;
    uint32_t source;
    bool source_given, undirected, check;
} options;

static options read_arguments(char **argv)
{
    options o = {.grid = 200, .degree = 8};
    for (int k = 1; argv[k] != NULL; k++) {
        if (strcmp(argv[k], "--grid") == 0) o.grid = example_number(argv, &k, 1, 1u << 14);
        else if (strcmp(argv[k], "--random") == 0) o.random = example_number(argv, &k, 1, 1u << 28);
        else if (strcmp(argv[k], "--degree") == 0) o.degree = example_number(argv, &k, 1, 1000);
        else if (strcmp(argv[k], "--undirected") == 0) o.undirected = true;
        else if (strcmp(argv[k], "--check") == 0) o.check = true;
        else if (strcmp(argv[k], "--source") == 0) {
            o.source = example_number(argv, &k, 0, UINT32_MAX);
            o.source_given = true;
        } else if (argv[k][0] != '-' && o.file == NULL) o.file = argv[k];
        else {
            example_fail(2, "usage: bfs [FILE | --grid SIDE | --random VERTICES [--degree N]] [--undirected] "
                            "[--source VERTEX] [--check]");
        }
    }
    return o;
}

static graph make_graph(const options *o)
{
    if (o->file != NULL) return graph_read(o->file, o->undirected);
    return o->random > 0 ? graph_random(o->random, o->degree) : graph_grid(o->grid);
}

int main(int argc, char **argv)
{
    (void)argc;
    example_name("bfs");
    options o = read_arguments(argv);
    bfs b = {.g = make_graph(&o)};
    uint32_t source = o.source_given ? o.source : b.g.base;
    if (source < b.g.base || source - b.g.base >= b.g.vertices) {
        example_fail(2, "--source %u is not from %u to %u", source, b.g.base, b.g.vertices - 1 + b.g.base);
    }
    b.source = source - b.g.base;
    run(&b, o.check);
    graph_free(&b.g);
    return 0;
}
