/* SPDX-License-Identifier: MIT
 *
 * The stages of select and its relatives. A tile is judged the same way everywhere; what is kept before it is found in
 * one of three:
 *
 *     alone       one workgroup has the only tile                                                       1 dispatch
 *     counted     bits and counts of the tiles; one workgroup adds the counts up; the placing           3 dispatches
 *     look-back   each tile looks at what earlier ones have posted                                      1 dispatch */
#include "prim/select_stages.h"

#include <string.h>

typedef enum select_way {
    ALONE,
    COUNTED,
    LOOK_BACK
} select_way;

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

typedef struct tile_shape {
    uint32_t size;
    uint32_t items;
    uint32_t tile; /* elements */
} tile_shape;

/* The first row that fits is taken: from so many elements on, and not more invocations than the device has. H200,
 * wgpu-native 29.0.1.1, 2026-11-30, half of u32 kept, CUB's time / ours. */
static const struct shape_row {
    select_way way;
    uint64_t from;
    uint32_t size;
    uint32_t items;
} shape_rows[] = {
    {COUNTED, 1u << 26, 128, 32},   /* 2^28: 0.861 (256x32 0.859, 64x32 0.846, 256x16 0.858, 512x16 0.691) */
    {COUNTED, 0, 256, 16},          /* 2^24: 0.889; 2^20: 0.986 */
    {LOOK_BACK, 1u << 22, 512, 32}, /* 2^28: 1.013 (384x32 1.004, 256x32 0.977, 512x16 0.874); 2^24: 0.984 */
    {LOOK_BACK, 1u << 21, 512, 16}, /* not measured */
    {LOOK_BACK, 0, 1024, 8}, /* 2^20: 6.95 us (before ranks were found early: 1024x8 6.94 to 7.26, 512x16 7.30) */
    {LOOK_BACK, 0, 512, 16}, /* 2^20: 7.30 us */
    {LOOK_BACK, 0, 256, 32},        {ALONE, 0, 1024, 16}, {ALONE, 0, 256, 32},
};

enum {
    CPU_SIZE = 16,
    CPU_ALONE_SIZE = 64, /* of a workgroup that spares two dispatches */
    ITEMS = 32,          /* of an invocation at most: a word of bits */
    SPINE_ROWS = 4,
    SPINE_SIZE_MAX = 1024,
    BACK = 256, /* keeps a binding aligned, whatever the elements */
};

static tile_shape shape_make(const tl_job *job, uint32_t size, uint32_t items)
{
    size = tl_device_workgroup_size(job->prim->facts, size);
    /* A subgroup's part is whole words of bits. */
    if (items == 0 || job->lanes * items % 32 != 0) items = ITEMS;
    size = size < job->lanes ? job->lanes : size / job->lanes * job->lanes;
    return (tile_shape){size, items, size * items};
}

static tile_shape shape_of(const tl_select *s, select_way way)
{
    const tl_job *job = &s->job;
    if (way != ALONE && s->tuning.size != 0) return shape_make(job, s->tuning.size, s->tuning.items);
    if (tl_device_is_cpu(job->prim->facts)) return shape_make(job, way == ALONE ? CPU_ALONE_SIZE : CPU_SIZE, ITEMS);
    for (size_t k = 0; k < TL_COUNT(shape_rows); k++) {
        const struct shape_row *row = &shape_rows[k];
        bool fits = row->size <= job->prim->facts->limits.maxComputeInvocationsPerWorkgroup;
        if (row->way == way && job->length.count >= row->from && fits) return shape_make(job, row->size, row->items);
    }
    return shape_make(job, 256, 16);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static bool has(const tl_view *view)
{
    return view->bind.bind.buffer.id != 0;
}

/* What all kernels begin with: sizes, words of sets, sums of counts. */
static tl_prim_stage stage_begin(tl_select *s, uint32_t tiling, const char *entry, uint32_t size,
                                 const char *directives)
{
    tl_prim_stage made = {.text = tl_text_begin_directed(&s->job, tiling, entry, directives)};
    tl_text *text = &made.text;
    uint32_t lanes = s->job.lanes;
    tl_text_u32(text, "WORKGROUP_SIZE", size);
    tl_text_add(text, lanes == 1    ? tl_wgsl_select_words_one
                      : lanes <= 32 ? tl_wgsl_select_words
                                    : tl_wgsl_select_words_wide);
    tl_text_add(text, s->sets == 1 ? tl_wgsl_select_one_set : tl_wgsl_select_two_sets);
    tl_text_add(text, "fn identity() -> A { return A(); }\nfn combine(a: A, b: A) -> A { return a + b; }\n");
    if (lanes == 1) {
        tl_text_add(text, tl_wgsl_lanes_one);
    } else {
        tl_text_add(text, tl_wgsl_select_sums);
        tl_text_add(text, tl_wgsl_lanes_before);
    }
    return made;
}

static void add_shape(tl_prim_stage *to, const tl_select *s, tile_shape shape)
{
    tl_text_u32(&to->text, "ITEMS", shape.items);
    tl_text_offsets(&to->text, shape.size / s->job.lanes);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------- */

static void add_expression(tl_prim_stage *to, const char *head, const char *expression)
{
    tl_text_add(&to->text, head);
    tl_text_add_own(&to->text, expression);
    tl_text_add(&to->text, "; }\n");
}

static void add_flags(tl_select *s, tl_prim_stage *to)
{
    bool packed = s->rule == TL_SELECT_BITS;
    tl_stage_view(to, "flags", &s->flags, false);
    tl_text_format(&to->text,
                   "alias C = u32;\n"
                   "fn candidate(i: u32) -> C { return flags_item(%s); }\n"
                   "fn part_of(c: C, i: u32) -> u32 { return select(2u, 0u, %s != 0u); }\n"
                   "fn kept_of(c: C, i: u32) -> T { return source_item(i); }\n",
                   packed ? "index_of(i) / 32u" : "i", packed ? "((c >> (i % 32u)) & 1u)" : "c");
}

static void add_where(tl_select *s, tl_prim_stage *to)
{
    static const char *const heads[] = {"fn is_first(x: T, i: u32) -> bool { return ",
                                        "fn is_second(x: T, i: u32) -> bool { return "};
    add_expression(to, heads[0], s->where[0]);
    if (s->sets == 2) add_expression(to, heads[1], s->where[1]);
    tl_text_format(&to->text,
                   "alias C = T;\n"
                   "fn candidate(i: u32) -> C { return source_item(i); }\n"
                   "fn part_of(c: C, i: u32) -> u32 { return select(%s, 0u, is_first(c, index_of(i))); }\n"
                   "fn kept_of(c: C, i: u32) -> T { return c; }\n",
                   s->sets == 1 ? "2u" : "select(2u, 1u, is_second(c, index_of(i)))");
}

/* The element before the first one of a window stands in the window before, of which some are bound with this one. */
static void add_unique(tl_select *s, tl_prim_stage *to)
{
    const char *equal = s->type.scalar ? "a == b" : "all(a == b)";
    if (s->equal != NULL) add_expression(to, "fn is_same(a: T, b: T) -> bool { return ", s->equal);
    else tl_text_format(&to->text, "fn is_same(a: T, b: T) -> bool { return %s; }\n", equal);
    if (tl_job_windows(&s->job) == 1) tl_text_add(&to->text, "fn bound_before() -> u32 { return 0u; }\n");
    else tl_text_format(&to->text, "fn bound_before() -> u32 { return select(%uu, 0u, group_base() == 0u); }\n", BACK);
    tl_text_add(&to->text, "struct C { x: T, left: T }\n"
                           "fn candidate(i: u32) -> C {\n"
                           "    let at = bound_before() + i;\n"
                           "    return C(source_item(at), source_item(max(at, 1u) - 1u));\n"
                           "}\n"
                           "fn part_of(c: C, i: u32) -> u32 {\n"
                           "    return select(2u, 0u, (index_of(i) == 0u) | !is_same(c.left, c.x));\n"
                           "}\n"
                           "fn kept_of(c: C, i: u32) -> T { return c.x; }\n");
}

/* alias C, fn candidate, fn part_of, fn kept_of. */
static void add_rule(tl_select *s, tl_prim_stage *to)
{
    static void (*const rules[])(tl_select *, tl_prim_stage *) = {
        [TL_SELECT_WHERE] = add_where,
        [TL_SELECT_FLAGS] = add_flags,
        [TL_SELECT_BITS] = add_flags,
        [TL_SELECT_UNIQUE] = add_unique,
    };
    if (s->wgsl != NULL) tl_text_add_own(&to->text, s->wgsl);
    rules[s->rule](s, to);
}

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

static void add_source(tl_select *s, tl_prim_stage *to)
{
    tl_text_type(&to->text, &s->type);
    if (has(&s->in)) tl_stage_view(to, "source", &s->in, false);
    else tl_text_add(&to->text, "fn source_item(i: u32) -> T { return T(); }\n");
}

/* fn keep: an element and what goes with it. */
static void add_results(tl_select *s, tl_prim_stage *to)
{
    if (has(&s->out)) tl_stage_view(to, "out", &s->out, true);
    if (has(&s->indices)) tl_stage_view(to, "indices", &s->indices, true);
    if (has(&s->values)) {
        const char *wgsl = s->value_type.type.wgsl;
        if (wgsl != NULL && wgsl != s->type.type.wgsl) tl_text_add_own(&to->text, wgsl);
        tl_stage_view(to, "values", &s->values, false);
        tl_stage_view(to, "values_out", &s->values_out, true);
    }
    tl_text_add(&to->text, "fn keep(i: u32, place: u32, x: T) {\n");
    if (has(&s->out)) tl_text_add(&to->text, "    out_put(place, x);\n");
    if (has(&s->indices)) tl_text_add(&to->text, "    indices_put(place, index_of(i));\n");
    if (has(&s->values)) tl_text_add(&to->text, "    values_out_put(place, values_item(i));\n");
    tl_text_add(&to->text, "}\n");
}

static void add_places(tl_select *s, tl_prim_stage *to)
{
    if (!s->parted) {
        tl_text_u32(&to->text, "CAPACITY", s->capacity > UINT32_MAX ? UINT32_MAX : (uint32_t)s->capacity);
        tl_text_add(&to->text, tl_wgsl_select_place_kept);
        return;
    }
    tl_stage_view(to, "counts", &s->counts, false);
    tl_text_add(&to->text, s->sets == 1 ? "fn totals() -> A { return counts_item(0u); }\n"
                                        : "fn totals() -> A { return A(counts_item(0u), counts_item(1u)); }\n");
    tl_text_add(&to->text, s->sets == 1 ? tl_wgsl_select_places_two : tl_wgsl_select_places_three);
    tl_text_add(&to->text, tl_wgsl_select_place_parted);
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

static void at_once(tl_select *s, uint32_t tiling, tile_shape shape, select_way way)
{
    /* Only the first subgroup looks back. */
    tl_prim_stage made = stage_begin(s, tiling, "select_tiles", shape.size,
                                     way == LOOK_BACK ? "diagnostic(off, subgroup_uniformity);\n" : "");
    tl_text *text = &made.text;
    add_shape(&made, s, shape);
    add_source(s, &made);
    add_rule(s, &made);
    add_results(s, &made);
    tl_stage_view(&made, "counts", &s->counts, true);
    add_places(s, &made);
    if (way == LOOK_BACK) {
        tl_stage_look_back(&made, tl_job_groups(&s->job, tiling), s->tuning.waiting);
        tl_text_add(text, "const COMMUTES = true;\nfn initial() -> A { return 0u; }\n");
        tl_text_add(text, tl_wgsl_lanes_in_order);
        tl_text_add(text, tl_wgsl_scan_posted);
        tl_text_add(text, tl_wgsl_select_total_of);
        tl_text_add(text, tl_wgsl_scan_look_back);
    } else {
        tl_text_add(text, tl_wgsl_select_alone);
    }
    tl_text_add(text, tl_wgsl_select_tiles);
    tl_stage_launch(&made);
}

static void select_alone(tl_select *s)
{
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    at_once(s, alone, shape_of(s, ALONE), ALONE);
}

static void select_look_back(tl_select *s)
{
    tile_shape shape = shape_of(s, LOOK_BACK);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    tl_job_prepare(&s->job);
    at_once(s, tiles, shape, LOOK_BACK);
}

/* What the stages of COUNTED leave for each other. */
typedef struct between {
    telar_buffer bits;     /* of each set, a word a lane */
    telar_buffer befores;  /* what stands before each subgroup in its tile */
    telar_buffer partials; /* of tiles */
} between;

static void add_between(tl_prim_stage *to, const between *b, const char *access)
{
    char line[64];
    const struct {
        telar_buffer buffer;
        const char *name;
    } all[] = {{b->bits, "bits"}, {b->befores, "befores"}, {b->partials, "partials"}};
    for (size_t k = 0; k < TL_COUNT(all); k++) {
        telar_out out = {line, sizeof line, 0};
        tl_out_format(&out, "%s> %s: array<A>", access, all[k].name);
        tl_stage_declare(to, all[k].buffer, line);
    }
}

static void judge(tl_select *s, uint32_t tiling, tile_shape shape, const between *b)
{
    tl_prim_stage made = stage_begin(s, tiling, "select_bits", shape.size, "");
    add_shape(&made, s, shape);
    if (s->rule == TL_SELECT_WHERE || s->rule == TL_SELECT_UNIQUE) {
        add_source(s, &made);
        if (s->rule == TL_SELECT_UNIQUE) made.binds[0].back_elements = BACK;
    } else {
        tl_text_add(&made.text, "alias T = u32;\nfn source_item(i: u32) -> T { return 0u; }\n");
    }
    add_rule(s, &made);
    add_between(&made, b, "read_write");
    tl_text_add(&made.text, tl_wgsl_select_bits);
    tl_stage_launch(&made);
}

static uint32_t spine_size(const tl_select *s, uint64_t tiles, uint32_t row)
{
    if (s->tuning.spine_size != 0) return tl_device_workgroup_size(s->job.prim->facts, s->tuning.spine_size);
    if (tl_device_is_cpu(s->job.prim->facts)) return CPU_SIZE;
    uint32_t size = 128;
    while (size < SPINE_SIZE_MAX && (uint64_t)size * SPINE_ROWS * row < tiles) size *= 2;
    return tl_device_workgroup_size(s->job.prim->facts, size);
}

static void add_up(tl_select *s, uint32_t tiling, uint32_t size, tile_shape shape, const tl_view *partials,
                   uint64_t tiles)
{
    tl_prim_stage made = stage_begin(s, tiling, "select_spine", size, "");
    tl_text *text = &made.text;
    tl_text_u32(text, "ROWS", SPINE_ROWS);
    tl_text_offsets(text, size / s->job.lanes);
    tl_text_type(text, &partials->type);
    tl_stage_view(&made, "partials", partials, true);
    tl_stage_view(&made, "counts", &s->counts, true);
    tl_text_add(text, s->sets == 1 ? "fn counts_note(all: A) { counts_put(0u, all); }\n"
                                   : "fn counts_note(all: A) { counts_put(0u, all.x); counts_put(1u, all.y); }\n");
    if (s->job.counted) {
        tl_text_format(text, "fn tiles_of(count: u32) -> u32 { return count / %uu + u32(count %% %uu != 0u); }\n",
                       shape.tile, shape.tile);
    } else {
        tl_text_format(text, "fn tiles_of(count: u32) -> u32 { return %uu; }\n", (uint32_t)tiles);
    }
    tl_text_add(text, tl_wgsl_select_spine);
    tl_stage_launch(&made);
}

static void place(tl_select *s, uint32_t tiling, tile_shape shape, const between *b)
{
    tl_prim_stage made = stage_begin(s, tiling, "select_place", shape.size, "");
    bool cpu = tl_device_is_cpu(s->job.prim->facts);
    tl_text_u32(&made.text, "ITEMS", shape.items);
    tl_text_u32(&made.text, "SUBGROUPS", shape.size / s->job.lanes);
    tl_text_format(&made.text, "const LOAD_ALL = %s;\n", cpu || s->tuning.load_kept ? "false" : "true");
    add_source(s, &made);
    add_results(s, &made);
    add_places(s, &made);
    add_between(&made, b, "read");
    tl_text_add(&made.text, tl_wgsl_select_place);
    tl_stage_launch(&made);
}

static void select_counted(tl_select *s)
{
    tl_job *job = &s->job;
    tile_shape shape = shape_of(s, COUNTED);
    uint32_t tiles = tl_job_tiling(job, (tl_tiling){.elements = shape.tile});
    uint32_t alone = tl_job_tiling(job, (tl_tiling){0});
    tl_job_prepare(job);
    tl_type_facts sums = tl_job_type(job, (telar_type){s->sets == 1 ? "u32" : "vec2<u32>", NULL});
    uint64_t count = tl_job_groups(job, tiles), stride = sums.stride;
    uint32_t size = spine_size(s, count, sums.row);
    /* The spine reads and writes whole turns. */
    uint64_t turn = (uint64_t)size * SPINE_ROWS * sums.row, room = telar_ceil_div(count == 0 ? 1 : count, turn) * turn;
    uint64_t bits_bytes = count * (shape.tile / 32) * stride, most = telar_usable_binding_bytes(job->prim->facts, 4);
    if (bits_bytes > most) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, bits_bytes, most,
                          "a bit an element (%llu bytes) is more than a binding holds (%llu)",
                          (unsigned long long)bits_bytes, (unsigned long long)most);
    }
    between b = {.bits = tl_job_scratch(job, "bits", count * (shape.tile / 32), stride),
                 .befores = tl_job_scratch(job, "befores", count * (shape.size / job->lanes), stride),
                 .partials = tl_job_scratch(job, "partials", room, stride)};
    tl_view partials = tl_job_view_whole(job, "partials", &sums,
                                         (telar_array){.buffer = b.partials, .size_bytes = room * stride}, room);
    judge(s, tiles, shape, &b);
    add_up(s, alone, size, shape, &partials, count);
    place(s, tiles, shape, &b);
}

/* ---- The choice -------------------------------------------------------------------------------------------------- */

/* Why a look-back cannot be had; NULL: it can. */
static const char *against_look_back(const tl_select *s)
{
    if (s->job.counted) return "the length is on the GPU";
    if (s->parted) return "all elements are kept";
    if (tl_job_windows(&s->job) > 1) return "the data exceed one binding";
    if (s->job.lanes == 1) return "the device has no subgroups of one known size";
    if (telar_ceil_div(s->job.length.count, shape_of(s, LOOK_BACK).tile) > TL_LOOK_BACK_TILES_MAX) {
        return "there are more than 2^17 tiles";
    }
    if (!tl_device_has_progress(s->job.prim->facts)) return "the device is not known to let waiting workgroups go on";
    return NULL;
}

static select_way choose(tl_select *s)
{
    const char *against = against_look_back(s);
    telar_select_way asked = s->way;
    uint64_t length = s->job.length.count;
    if (asked == TELAR_SELECT_LOOK_BACK && against != NULL) {
        tl_job_fail(&s->job, TELAR_UNSUPPORTED, "a look-back cannot be had: %s", against);
    }
    bool tuned = s->tuning.size != 0 || s->parted || tl_job_windows(&s->job) > 1;
    if (!tuned && asked == TELAR_SELECT_AUTO && length <= shape_of(s, ALONE).tile) return ALONE;
    if (asked != TELAR_SELECT_AUTO) return asked == TELAR_SELECT_LOOK_BACK ? LOOK_BACK : COUNTED;
    return against == NULL ? LOOK_BACK : COUNTED;
}

static void check_fits(tl_job *job, const tl_view *view, const char *name, uint64_t elements)
{
    if (!has(view)) return;
    uint64_t most = telar_usable_binding_bytes(job->prim->facts, view->type.stride) / view->type.stride;
    if (elements > most) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, elements, most,
                          "'%s' has room for %llu elements, a binding holds %llu; give a smaller capacity", name,
                          (unsigned long long)elements, (unsigned long long)most);
    }
}

/* Places are told once for all windows, so that what is written has to be bound as a whole. */
static void check(tl_select *s)
{
    tl_job *job = &s->job;
    if (job->length.count > UINT32_MAX) {
        tl_job_fail_limit(job, TELAR_LIMIT_EXCEEDED, job->length.count, UINT32_MAX,
                          "%llu elements, 2^32 - 1 are the most", (unsigned long long)job->length.count);
    }
    uint64_t written = s->parted ? job->length.count : s->capacity;
    check_fits(job, &s->out, "out", written);
    check_fits(job, &s->indices, "indices", written);
    check_fits(job, &s->values_out, "values_out", written);
}

void tl_select_record(tl_select *s)
{
    static void (*const ways[])(tl_select *) = {
        [ALONE] = select_alone, [COUNTED] = select_counted, [LOOK_BACK] = select_look_back};
    if (s->rule == TL_SELECT_UNIQUE && s->job.window_elements > BACK) s->job.window_elements -= BACK;
    /* Neighbours write neighbouring elements, each by itself. */
    s->out.rows = s->indices.rows = s->values_out.rows = s->counts.rows = false;
    check(s);
    if (!tl_job_failed(&s->job)) ways[choose(s)](s);
}
