/* SPDX-License-Identifier: MIT
 *
 * Tiles and digits of a sort, by what a device allows. */
#include "prim/sort.h"

typedef struct shape_row {
    tl_sort_form form;
    uint32_t size, items, digit_bits, copies;
} shape_row;

#define SMALL(size, items, digit_bits) {TL_SORT_FORM_SMALL, size, items, digit_bits, 1}
#define ANY(form, size, items, digit_bits) {TL_SORT_FORM_##form, size, items, digit_bits, 8}

/* Best first: the first that fits the device and holds the elements is taken. H200, wgpu-native 29.0.1.1, 2026-11-30, 2^28
 * u32 keys, CUB's time / ours, the chosen 256x20 by look-back 0.85 (pairs 0.79). Before it was the choice: by scan 256x20
 * 0.82, 256x16 0.74, 256x24 0.61, 320x16 0.78, 512x20 0.73, 512x16 0.68; by look-back 512x20 0.79, 256x16 0.78, 384x24 0.76,
 * 512x8 0.77. Registers decide how many workgroups a unit holds. 2^20: look-back 60 us, scan 90, each within 5 % whatever
 * the tile. */
static const shape_row lanes_rows[] = {
    SMALL(256, 4, 8),      SMALL(256, 8, 8),      SMALL(512, 8, 8),           SMALL(512, 16, 8),
    SMALL(128, 8, 8),      SMALL(64, 16, 8),      ANY(LOOK_BACK, 256, 20, 8), ANY(LOOK_BACK, 256, 12, 8),
    ANY(SCAN, 256, 20, 8), ANY(SCAN, 256, 12, 8), ANY(SCAN, 256, 8, 8),       ANY(SCAN, 128, 16, 8),
    ANY(SCAN, 64, 16, 8),  SMALL(64, 16, 4),      ANY(SCAN, 256, 8, 4),       ANY(SCAN, 128, 8, 4),
    ANY(SCAN, 64, 8, 4),
};
/* Without subgroups, on a GPU; not measured. */
static const shape_row plain_rows[] = {SMALL(32, 16, 4), ANY(SCAN, 128, 16, 4), ANY(SCAN, 64, 16, 4),
                                       ANY(SCAN, 32, 16, 4)};
/* A CPU runs few invocations, each over its own part of the memory: lavapipe, 2^20 keys: 20 times as fast as 4 bits a
 * pass by 256 invocations. */
static const shape_row cpu_rows[] = {
    SMALL(32, 16, 4), {TL_SORT_FORM_SCAN, 16, 512, 8, 1}, {TL_SORT_FORM_SCAN, 16, 512, 4, 1}};

/* Large elements take more registers. */
enum {
    LARGE_ELEMENT_WORDS = 3,
    LARGE_ELEMENT_ITEMS = 12,
    SCAN_SIZE_MAX = 256
};

/* Above 48 KiB an H200 hangs, in silence. */
#define MEMORY_BYTES_MAX UINT64_C(49152)

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Workgroup memory of the largest kernel. */
static uint64_t memory_bytes(const tl_job *job, const tl_sort_shape *shape, uint32_t passes)
{
    uint64_t values = tl_sort_values(shape), subgroups = shape->size / job->lanes, words;
    if (shape->in_runs) words = values * shape->size + shape->size;
    else words = larger(subgroups * values, tl_sort_tile(shape)) + 2 * values + 2 * subgroups;
    words = larger(words, values * shape->copies);
    if (shape->form == TL_SORT_FORM_LOOK_BACK) words = larger(words, values * passes * shape->histogram_copies);
    return 4 * words + 16;
}

/* What tiles post for each other is one binding. */
static bool spine_fits(const tl_sort *sort, const tl_sort_shape *shape, uint32_t passes)
{
    uint64_t tiles = telar_ceil_div(sort->job->length.count, tl_sort_tile(shape));
    uint64_t spine_bytes = 4 * ((uint64_t)TL_SORT_SPINE_HEAD + tiles * tl_sort_values(shape));
    return passes * spine_bytes <= telar_usable_binding_bytes(sort->job->prim->facts, 4);
}

static bool fits(const tl_sort *sort, const tl_sort_shape *shape)
{
    const telar_facts *facts = sort->job->prim->facts;
    tl_sort_digit digits[TL_SORT_PASSES_MAX];
    uint32_t passes = tl_sort_digits(sort->begin_bit, sort->end_bit, shape->digit_bits, digits);
    uint64_t room_bytes = facts->limits.maxComputeWorkgroupStorageSize;
    if (room_bytes > MEMORY_BYTES_MAX) room_bytes = MEMORY_BYTES_MAX;
    if (shape->form == TL_SORT_FORM_LOOK_BACK && !spine_fits(sort, shape, passes)) return false;
    return shape->size % sort->job->lanes == 0 && tl_device_workgroup_size(facts, shape->size) == shape->size &&
           memory_bytes(sort->job, shape, passes) <= room_bytes;
}

static uint32_t or_else(uint32_t asked, uint32_t usual)
{
    return asked != 0 ? asked : usual;
}

static tl_sort_shape shape_make(const tl_job *job, const shape_row *row, const tl_sort_tuning *tuning)
{
    const telar_prim *prim = job->prim;
    bool cpu = tl_device_is_cpu(prim->facts) && job->lanes == 1;
    bool barriers = prim->dialect.subgroup_barrier && tuning->rank != TL_SORT_RANK_ATOMIC;
    uint32_t size = or_else(tuning->size, row->size);
    return (tl_sort_shape){.form = row->form,
                           .size = size,
                           .items = or_else(tuning->items, row->items),
                           .digit_bits = or_else(tuning->digit_bits, row->digit_bits),
                           .copies = or_else(tuning->copies, row->copies),
                           .scan_size = size < SCAN_SIZE_MAX ? size : SCAN_SIZE_MAX,
                           .scan_items = 8,
                           .histogram_size =
                               or_else(tuning->histogram_size, tl_device_workgroup_size(prim->facts, 512)),
                           .histogram_rows = or_else(tuning->histogram_rows, 4),
                           .histogram_groups = tl_device_groups(prim->facts, or_else(tuning->histogram_groups, 528)),
                           .histogram_copies = or_else(tuning->histogram_copies, 4),
                           .waiting = tuning->waiting,
                           .rank_by_barriers = barriers,
                           .wide = tuning->wide || job->lanes > 32,
                           .in_runs = cpu && row->form != TL_SORT_FORM_SMALL};
}

/* Whether the row is for this call. */
static bool is_meant(const tl_sort *sort, const shape_row *row, const tl_sort_tuning *tuning)
{
    const tl_job *job = sort->job;
    bool large = tl_sort_key_words(&sort->key) + sort->value_words >= LARGE_ELEMENT_WORDS;
    if (tuning->form != TL_SORT_FORM_BEST) return row->form == tuning->form;
    if (row->form == TL_SORT_FORM_SMALL && job->length.count > (uint64_t)row->size * row->items) return false;
    if (row->form == TL_SORT_FORM_LOOK_BACK && !tl_device_has_progress(job->prim->facts)) return false;
    return !large || job->lanes == 1 || row->items <= LARGE_ELEMENT_ITEMS || row->form == TL_SORT_FORM_SMALL;
}

tl_sort_shape tl_sort_shape_of(const tl_sort *sort, const tl_sort_tuning *tuning)
{
    tl_job *job = sort->job;
    bool cpu = tl_device_is_cpu(job->prim->facts);
    const shape_row *rows = job->lanes > 1 ? lanes_rows : cpu ? cpu_rows : plain_rows;
    size_t count = job->lanes > 1 ? TL_COUNT(lanes_rows) : cpu ? TL_COUNT(cpu_rows) : TL_COUNT(plain_rows);
    tl_sort_shape shape = {0};
    for (size_t k = 0; k < count; k++) {
        if (!is_meant(sort, &rows[k], tuning)) continue;
        shape = shape_make(job, &rows[k], tuning);
        if (fits(sort, &shape)) return shape;
    }
    tl_job_fail(job, TELAR_LIMIT_EXCEEDED,
                "no tile fits the device: the smallest takes %u invocations and %llu bytes of workgroup memory",
                shape.size, (unsigned long long)memory_bytes(job, &shape, 1));
    return shape;
}
