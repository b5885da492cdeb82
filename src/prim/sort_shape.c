/* SPDX-License-Identifier: MIT
 *
 * Tiles and digits of a sort, by what a device allows. */
#include "prim/sort.h"

typedef struct shape_row {
    uint32_t size, items, digit_bits, copies;
} shape_row;

/* Best first; the first that fits is taken. With subgroups. H200, 2^28 u32 keys, prototypes of 2026-11-29 (ms): 512x20
 * 7.97, 512x16 in the same memory 8.4, 384x20 9.1, 256x20 11.6. Long runs of a digit decide, so large tiles win until
 * registers or memory end. */
static const shape_row lanes_rows[] = {
    {512, 20, 8, 8}, {512, 16, 8, 8}, {512, 12, 8, 8}, {256, 20, 8, 8}, {256, 12, 8, 8}, {256, 8, 8, 8},
    {128, 16, 8, 8}, {64, 16, 8, 8},  {256, 8, 4, 8},  {128, 8, 4, 8},  {64, 8, 4, 8},
};
/* Without, on a GPU; not measured. */
static const shape_row plain_rows[] = {{128, 16, 4, 8}, {64, 16, 4, 8}, {32, 16, 4, 8}};
/* A CPU runs few invocations, each over its own part of the memory. */
static const shape_row cpu_rows[] = {{16, 512, 8, 1}, {16, 512, 4, 1}};

/* Of the scatter stage, the largest. */
static uint64_t memory_bytes(const tl_job *job, const tl_sort_shape *shape)
{
    uint32_t digits = 1u << shape->digit_bits;
    if (job->lanes == 1) return 4 * ((uint64_t)digits * shape->size + shape->size);
    uint64_t subgroups = shape->size / job->lanes, tile = (uint64_t)shape->size * shape->items;
    return 4 * ((subgroups * digits > tile ? subgroups * digits : tile) + 2 * digits + 2 * subgroups);
}

/* Above 48 KiB an H200 hangs, in silence. */
#define MEMORY_BYTES_MAX (48u * 1024)

static bool fits(const tl_job *job, const tl_sort_shape *shape)
{
    const telar_limits *limits = &job->prim->facts->limits;
    uint64_t room_bytes = limits->maxComputeWorkgroupStorageSize;
    if (room_bytes > MEMORY_BYTES_MAX) room_bytes = MEMORY_BYTES_MAX;
    uint64_t counters_bytes = 4 * (uint64_t)shape->copies << shape->digit_bits;
    return shape->size % job->lanes == 0 && tl_device_workgroup_size(job->prim->facts, shape->size) == shape->size &&
           memory_bytes(job, shape) <= room_bytes && counters_bytes <= room_bytes;
}

static uint32_t or_else(uint32_t asked, uint32_t usual)
{
    return asked != 0 ? asked : usual;
}

static tl_sort_shape shape_make(const tl_job *job, const shape_row *row, const tl_sort_tuning *tuning)
{
    const telar_prim *prim = job->prim;
    bool cpu = tl_device_is_cpu(prim->facts);
    bool barriers = prim->dialect.subgroup_barrier && tuning->rank != TL_SORT_RANK_ATOMIC;
    return (tl_sort_shape){.size = or_else(tuning->size, row->size),
                           .items = or_else(tuning->items, row->items),
                           .digit_bits = or_else(tuning->digit_bits, row->digit_bits),
                           .copies = or_else(tuning->copies, row->copies),
                           .scan_size = cpu ? 16 : tl_device_workgroup_size(prim->facts, 256),
                           .scan_items = 8,
                           .histogram_size = or_else(tuning->histogram_size, 512),
                           .histogram_rows = or_else(tuning->histogram_rows, 4),
                           .histogram_groups = or_else(tuning->histogram_groups, 528),
                           .histogram_copies = or_else(tuning->histogram_copies, 4),
                           .rank_by_barriers = barriers};
}

tl_sort_shape tl_sort_shape_of(tl_job *job, uint32_t element_words, const tl_sort_tuning *tuning)
{
    const shape_row *rows = lanes_rows;
    size_t count = TL_COUNT(lanes_rows);
    if (job->lanes == 1) {
        bool cpu = tl_device_is_cpu(job->prim->facts);
        rows = cpu ? cpu_rows : plain_rows;
        count = cpu ? TL_COUNT(cpu_rows) : TL_COUNT(plain_rows);
    }
    tl_sort_shape shape = {0};
    for (size_t k = 0; k < count; k++) {
        /* Large elements take more registers. */
        if (job->lanes > 1 && element_words > 2 && rows[k].items > 12 && k + 1 < count) continue;
        shape = shape_make(job, &rows[k], tuning);
        if (fits(job, &shape)) return shape;
    }
    tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, memory_bytes(job, &shape),
                      job->prim->facts->limits.maxComputeWorkgroupStorageSize,
                      "no tile fits the device: the smallest takes %u invocations and %llu bytes of workgroup memory",
                      shape.size, (unsigned long long)memory_bytes(job, &shape));
    return shape;
}
