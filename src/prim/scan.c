/* SPDX-License-Identifier: MIT
 *
 * scan. A tile is scanned the same way in every kernel (kernels/scan_tiles.wgsl); what stands before it is found in one
 * of three:
 *
 *     alone           one workgroup goes through the tiles                                            1 dispatch
 *     deterministic   totals of the tiles; one workgroup scans them, alone; the tiles                 3 dispatches
 *     look-back       each tile looks at what earlier ones have posted                                1 dispatch */
#include "prim/scan.h"

#include "prim/accumulator.h"

#include <string.h>

typedef enum scan_way {
    ALONE,
    DETERMINISTIC,
    LOOK_BACK
} scan_way;

typedef enum segments_kind {
    NO_SEGMENTS,
    BY_HEADS,
    BY_KEYS,
    BY_OFFSETS
} segments_kind;

typedef struct scan {
    tl_job job;
    const telar_scan_desc *desc;
    tl_scan_tuning tuning;
    tl_type_facts type;    /* of the elements */
    tl_accumulator values; /* what is combined of them */
    tl_type_facts sums;    /* values, or values that know of their segment */
    tl_view in, out, initial;
    bool in_place;
    segments_kind segments;
    tl_view parts;      /* heads or keys */
    telar_buffer marks; /* a bit an element, made of offsets */
} scan;

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

typedef struct tile_shape {
    uint32_t size; /* of a workgroup */
    uint32_t rows; /* of an invocation, each of type.row elements */
    uint32_t tile; /* elements */
} tile_shape;

/* The first row that fits is taken: from so many elements on, and not more invocations than the device has. H200,
 * wgpu-native 29.0.1.1, 2026-11-30, u32, CUB's time / ours; all that was tried stands in bench/results/h200-variants.md.
 * What counts is the size of a tile, as long as registers let a unit hold two or three. */
static const struct {
    scan_way way;
    bool segmented;
    uint64_t from;
    uint32_t size;
    uint32_t rows;
} shapes[] = {
    {LOOK_BACK, false, 1u << 26, 384, 10},    /* 2^28: 1.02 (640x8 1.01, 512x8 0.93, 256x8 0.98) */
    {LOOK_BACK, false, 1u << 22, 640, 8},     /* 2^24: 0.99 (384x10 0.97, 512x4 0.95) */
    {LOOK_BACK, false, 1u << 22, 384, 10},    /* 2^24: 0.97 */
    {LOOK_BACK, false, 1u << 22, 256, 8},     /* 2^24: 0.97, 2^28: 0.98 */
    {LOOK_BACK, false, 0, 512, 4},            /* 2^20: 1.38 (512x6 1.32, 256x4 1.23) */
    {LOOK_BACK, false, 0, 256, 4},            /* 2^20: 1.23 */
    {LOOK_BACK, true, 1u << 22, 384, 4},      /* 2^28: 0.94, 2^24: 0.97 (512x4 0.89, 384x8 0.80) */
    {LOOK_BACK, true, 0, 256, 4},             /* 2^20: 0.94 */
    {DETERMINISTIC, false, 1u << 26, 512, 4}, /* 2^28: 0.90 to 0.92 (384x8 0.88, 1024x4 0.80) */
    {DETERMINISTIC, false, 0, 256, 4},        /* 2^20: 0.92, 2^24: 0.92 */
    {DETERMINISTIC, true, 0, 256, 4},         /* 2^28: 0.84, 2^24: 0.88, 2^20: 0.78 */
    {ALONE, false, 0, 512, 4},                /* not measured */
    {ALONE, true, 0, 512, 4},
};

enum {
    CPU_SIZE = 64,
    MARKS_SIZE = 256,
    ROW_BYTES_MAX = 256, /* of an invocation, in registers */
    SHARED_BYTES = 64,   /* of a workgroup, beside the sums of its subgroups */
    ALONE_TURNS_MAX = 2, /* a turn takes about as long as a dispatch */
    ENTRIES = 64,        /* as in look_back_entries.wgsl */
    TILES_MAX = 1 << 17, /* of 2^18 tickets: a folded dispatch may have more workgroups than there are tiles */
    POLLS = 4000         /* about 3 ms on an H200 */
};

/* Rows have `row` elements, whose sums take `sum_bytes` each. */
static tile_shape shape_make(const scan *s, uint32_t size, uint32_t rows, uint32_t row)
{
    const telar_facts *facts = s->job.prim->facts;
    uint32_t sum_bytes = s->sums.stride;
    size = tl_device_workgroup_size(facts, size);
    uint64_t limit = facts->limits.maxComputeWorkgroupStorageSize;
    while (size > s->job.lanes && (uint64_t)size / s->job.lanes * sum_bytes + SHARED_BYTES > limit) size /= 2;
    while (rows > 1 && rows * row * sum_bytes > ROW_BYTES_MAX) rows /= 2;
    return (tile_shape){size, rows, size * rows * row};
}

static tile_shape shape_of(const scan *s, scan_way way)
{
    const telar_facts *facts = s->job.prim->facts;
    uint32_t row = s->type.row;
    if (way != ALONE && s->tuning.size != 0) return shape_make(s, s->tuning.size, s->tuning.rows, row);
    if (tl_device_is_cpu(facts)) return shape_make(s, CPU_SIZE, 4, row);
    for (size_t k = 0; k < TL_COUNT(shapes); k++) {
        bool fits = shapes[k].size <= facts->limits.maxComputeInvocationsPerWorkgroup;
        bool same = shapes[k].way == way && shapes[k].segmented == (s->segments != NO_SEGMENTS);
        bool wanted = same && s->job.length.count >= shapes[k].from;
        if (wanted && fits && shapes[k].size % s->job.lanes == 0) {
            return shape_make(s, shapes[k].size, shapes[k].rows, row);
        }
    }
    return shape_make(s, 256, 4, row);
}

/* One workgroup over the totals: as few turns as there can be, and no more invocations and rows than they need. */
static tile_shape spine_shape(const scan *s, uint64_t totals)
{
    uint32_t size = s->tuning.spine_size, rows = 1, row = s->sums.row;
    if (size == 0) size = tl_device_is_cpu(s->job.prim->facts) ? CPU_SIZE : 128;
    bool grows = size == 128 && s->tuning.spine_size == 0;
    while (rows < 4 && (uint64_t)size * rows * row < totals) rows *= 2;
    while (grows && size < 1024 && (uint64_t)size * rows * row < totals) size *= 2;
    return shape_make(s, size, rows, row);
}

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

enum {
    BINDS_MAX = 6
};

/* A kernel's text and its bindings, numbered as they are added. */
typedef struct stage {
    tl_text text;
    tl_stage_bind binds[BINDS_MAX];
    uint32_t binds_count;
    bool of_sums;
} stage;

static void add_view(stage *to, const char *name, const tl_view *view, bool written)
{
    tl_text_view(&to->text, name, to->binds_count, view, written);
    to->binds[to->binds_count++] = view->bind;
}

/* An array that is read. In the result's buffer it is bound as that is, since a dispatch uses a buffer in one way. */
static void add_input(const scan *s, stage *to, const char *name, const tl_view *view)
{
    add_view(to, name, view, view->bind.bind.buffer.id == s->desc->out.buffer.id);
}

/* `what` is the rest of its declaration. */
static void add_buffer(stage *to, telar_buffer buffer, const char *what)
{
    tl_text_format(&to->text, "@group(0) @binding(%u) var<storage, %s;\n", to->binds_count, what);
    to->binds[to->binds_count++] = tl_bind_whole(buffer);
}

static void launch(scan *s, stage *from)
{
    tl_kernel kernel = tl_text_end(&from->text);
    tl_job_launch(&s->job, &kernel, from->binds, from->binds_count);
}

/* Where sums are not just values, and where elements are sums, names of the values and of the elements make room. */
static const tl_rename renames[] = {
    {"T", "Element"},
    {"ROW", "ELEMENT_ROW"},
    {"A", "Value"},
    {"combine", "value_combine"},
    {"identity", "value_identity"},
    {"lanes_from", "value_lanes_from"},
    {"lanes_up", "value_lanes_up"},
    {"lanes_across", "value_lanes_across"},
    {"lanes_total", "value_lanes_total"},
    {"lanes_inclusive", "value_lanes_inclusive"},
    {"lanes_before", "value_lanes_before"},
};

static void rename_values(const scan *s, stage *to, size_t from)
{
    enum {
        OF_ELEMENTS = 2
    };
    size_t first = to->of_sums ? 0 : OF_ELEMENTS;
    size_t end = s->segments == NO_SEGMENTS ? OF_ELEMENTS : TL_COUNT(renames);
    if (first < end) tl_text_rename(&to->text, from, renames + first, end - first);
}

static void add_segments(scan *s, stage *to)
{
    /* Without a branch where WGSL can: some compilers take very long over many. */
    tl_text_format(&to->text, "fn value_choose(condition: bool, yes: Value, no: Value) -> Value { %s }\n",
                   s->values.held.number != NULL ? "return select(no, yes, condition);"
                                                 : "if (condition) { return yes; } return no;");
    tl_text_add(&to->text, tl_wgsl_scan_segments);
    tl_lanes_print(&to->text, &s->sums, TELAR_OP_OWN);
}

/* What every kernel of a scan begins with: sizes, types, how sums are combined, what lanes and subgroups do. of_sums: its
 * source has sums, not elements. */
static stage stage_begin(scan *s, uint32_t tiling, const char *entry, tile_shape shape, bool of_sums,
                         const char *directives)
{
    stage made = {.text = tl_text_begin_directed(&s->job, tiling, entry, directives), .of_sums = of_sums};
    tl_text *text = &made.text;
    tl_text_u32(text, "WORKGROUP_SIZE", shape.size);
    tl_text_u32(text, "ROWS", shape.rows);
    size_t from = text->out.len;
    tl_text_accumulator(text, &s->values);
    rename_values(s, &made, from);
    if (s->segments != NO_SEGMENTS) add_segments(s, &made);
    if (of_sums) {
        tl_type_facts sums = s->sums;
        sums.type.wgsl = NULL; /* it stands there already */
        tl_text_type(text, &sums);
    }
    bool commutes = s->segments == NO_SEGMENTS && s->desc->op.op != TELAR_OP_OWN;
    tl_text_format(text, "const COMMUTES = %s;\n", commutes ? "true" : "false");
    tl_text_add(text, tl_wgsl_lanes_in_order);
    tl_text_offsets(text, shape.size / s->job.lanes);
    return made;
}

/* Whether a segment begins at a key: fn heads_item(i: u32) -> u32, fn heads_row(i: u32) -> array<u32, ROW>. */
static void print_heads_of_keys(tl_text *text, const tl_view *keys)
{
    const char *differ = keys->type.scalar ? "" : "any";
    tl_text_format(text,
                   "fn heads_item(i: u32) -> u32 {\n"
                   "    if (i == 0u) { return 0u; }\n"
                   "    return u32(%s(keys_item(i - 1u) != keys_item(i)));\n"
                   "}\n"
                   "fn heads_row(i: u32) -> array<u32, ROW> {\n"
                   "    let row = keys_row(i);\n"
                   "    return array<u32, ROW>(heads_item(i * ROW)",
                   differ);
    for (uint32_t k = 1; k < keys->type.row; k++)
        tl_text_format(text, ", u32(%s(row[%u] != row[%u]))", differ, k - 1, k);
    tl_text_add(text, ");\n}\n");
}

/* The same of marks: a row's bits stand in one word. */
static void print_heads_of_marks(tl_text *text, uint32_t row)
{
    tl_text_add(text, "fn heads_item(i: u32) -> u32 { return (marks[i / 32u] >> (i % 32u)) & 1u; }\n"
                      "fn heads_row(i: u32) -> array<u32, ROW> {\n"
                      "    let bits = marks[i * ROW / 32u] >> (i * ROW % 32u);\n"
                      "    return array<u32, ROW>(bits & 1u");
    for (uint32_t k = 1; k < row; k++) tl_text_format(text, ", (bits >> %uu) & 1u", k);
    tl_text_add(text, ");\n}\n");
}

/* What elements are and become, and where segments begin. */
static void add_elements(scan *s, stage *to)
{
    tl_text_format(&to->text, "const INCLUSIVE = %s;\n", s->desc->inclusive ? "true" : "false");
    tl_text_add(&to->text, s->segments == NO_SEGMENTS ? tl_wgsl_scan_elements : tl_wgsl_scan_segment_elements);
    switch (s->segments) {
    case NO_SEGMENTS: tl_text_add(&to->text, tl_wgsl_scan_no_heads); break;
    case BY_HEADS: add_input(s, to, "heads", &s->parts); break;
    case BY_KEYS:
        add_input(s, to, "keys", &s->parts);
        print_heads_of_keys(&to->text, &s->parts);
        break;
    case BY_OFFSETS:
        add_buffer(to, s->marks, "read> marks: array<u32>");
        print_heads_of_marks(&to->text, s->type.row);
        break;
    }
}

static void add_sums(stage *to)
{
    tl_text_add(&to->text, tl_wgsl_scan_sums);
    tl_text_add(&to->text, tl_wgsl_scan_no_heads);
}

/* The result, and the source that it may be in the place of. */
static void add_arrays(const scan *s, stage *to, const tl_view *source, const tl_view *result, bool in_place)
{
    add_view(to, "result", result, true);
    if (in_place) {
        tl_text_add(&to->text, "fn source_item(i: u32) -> T { return result_item(i); }\n"
                               "fn source_row(i: u32) -> array<T, ROW> { return result_row(i); }\n");
    } else {
        add_input(s, to, "source", source);
    }
}

static void add_initial(scan *s, stage *to)
{
    const telar_scan_desc *desc = s->desc;
    size_t from = to->text.out.len;
    if (desc->initial_word.buffer.id != 0) { add_input(s, to, "initial_word", &s->initial); }
    tl_text_add(&to->text, "fn initial_value() -> A { return ");
    if (desc->initial_word.buffer.id != 0) {
        tl_text_add(&to->text, "lift(initial_word_item(0u), 0u)");
    } else if (desc->initial != NULL) {
        tl_text_add(&to->text, "lift(");
        tl_text_add_own(&to->text, desc->initial);
        tl_text_add(&to->text, ", 0u)");
    } else {
        tl_text_add(&to->text, "identity()");
    }
    tl_text_add(&to->text, "; }\n");
    rename_values(s, to, from);
    tl_text_add(&to->text, s->segments == NO_SEGMENTS ? "fn initial() -> A { return initial_value(); }\n"
                                                      : "fn initial() -> A { return Segment(0u, initial_value()); }\n");
}

static void add_count(stage *to)
{
    tl_text_add(&to->text, "fn scan_count() -> u32 { return telar_launch.count.x; }\n");
}

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

static void scan_alone(scan *s)
{
    tile_shape shape = shape_of(s, ALONE);
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    stage made = stage_begin(s, alone, "scan_tiles", shape, false, "");
    add_arrays(s, &made, &s->in, &s->out, s->in_place);
    add_elements(s, &made);
    add_initial(s, &made);
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_alone);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_totals(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials)
{
    stage made = stage_begin(s, tiling, "scan_totals", shape, false, "");
    add_input(s, &made, "source", &s->in);
    add_buffer(&made, partials, "read_write> partials: array<A>");
    add_elements(s, &made);
    if (s->segments != NO_SEGMENTS) add_initial(s, &made); /* each begins with it */
    tl_text_add(&made.text, tl_wgsl_scan_totals);
    launch(s, &made);
}

static void scan_spine(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials, uint64_t totals)
{
    telar_array array = {.buffer = partials, .size_bytes = telar_ceil_div(totals * s->sums.stride, 16) * 16};
    tl_view view = tl_job_view_whole(&s->job, "partials", &s->sums, array, totals);
    tile_shape spine = spine_shape(s, totals);
    stage made = stage_begin(s, tiling, "scan_tiles", spine, true, "");
    add_arrays(s, &made, &view, &view, true);
    add_sums(&made);
    add_initial(s, &made);
    if (s->job.counted) {
        tl_text_format(&made.text,
                       "fn scan_count() -> u32 {\n    let count = telar_launch.count.x;\n"
                       "    return count / %uu + u32(count %% %uu != 0u);\n}\n",
                       shape.tile, shape.tile);
    } else {
        tl_text_format(&made.text, "fn scan_count() -> u32 { return %uu; }\n", (uint32_t)totals);
    }
    tl_text_add(&made.text, tl_wgsl_scan_alone);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_prefixes(scan *s, uint32_t tiling, tile_shape shape, telar_buffer partials)
{
    stage made = stage_begin(s, tiling, "scan_tiles", shape, false, "");
    add_arrays(s, &made, &s->in, &s->out, s->in_place);
    add_buffer(&made, partials, "read> partials: array<A>");
    add_elements(s, &made);
    if (s->segments != NO_SEGMENTS) add_initial(s, &made); /* each begins with it */
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_prefixes);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

static void scan_deterministic(scan *s)
{
    tile_shape shape = shape_of(s, DETERMINISTIC);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    uint64_t totals = tl_job_groups(&s->job, tiles);
    telar_buffer partials = tl_job_scratch(&s->job, "partials", totals * s->sums.stride);
    scan_totals(s, tiles, shape, partials);
    scan_spine(s, alone, shape, partials, totals);
    scan_prefixes(s, tiles, shape, partials);
}

static void scan_look_back(scan *s)
{
    tile_shape shape = shape_of(s, LOOK_BACK);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    tl_job_prepare(&s->job);
    uint64_t words = ENTRIES + 2 * tl_job_groups(&s->job, tiles);
    telar_buffer spine = tl_job_kept(&s->job, "spine", words * 4);
    /* Only the first subgroup looks back. Every other use of lanes stands in the kernels of the other ways too, where it
     * is checked. */
    stage made = stage_begin(s, tiles, "scan_tiles", shape, false, "diagnostic(off, subgroup_uniformity);\n");
    add_arrays(s, &made, &s->in, &s->out, false);
    add_buffer(&made, spine, "read_write> spine: array<atomic<u32>>");
    add_elements(s, &made);
    add_initial(s, &made);
    add_count(&made);
    tl_text_u32(&made.text, "POLLS", s->tuning.polls == 0 ? POLLS : s->tuning.polls);
    if (s->tuning.mute == 0) tl_text_add(&made.text, "fn posts(tile: u32) -> bool { return true; }\n");
    else tl_text_format(&made.text, "fn posts(tile: u32) -> bool { return tile %% %uu != 0u; }\n", s->tuning.mute);
    tl_text_add(&made.text, s->segments == NO_SEGMENTS ? tl_wgsl_scan_posted : tl_wgsl_scan_posted_segments);
    tl_text_add(&made.text, s->job.lanes > 32 ? tl_wgsl_lane_mask_words : tl_wgsl_lane_mask_word);
    tl_text_add(&made.text, tl_wgsl_look_back_entries);
    tl_text_add(&made.text, tl_wgsl_scan_total_of);
    tl_text_add(&made.text, tl_wgsl_scan_look_back);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    launch(s, &made);
}

/* ---- The choice -------------------------------------------------------------------------------------------------- */

static bool same_array(const tl_view *a, const tl_view *b)
{
    return a->bind.bind.buffer.id == b->bind.bind.buffer.id && a->bind.bind.offset_bytes == b->bind.bind.offset_bytes &&
           a->first == b->first;
}

/* Why a look-back cannot be had; NULL: it can. */
static const char *against_look_back(const scan *s)
{
    const tl_type_facts *value = &s->values.held;
    tile_shape shape = shape_of(s, LOOK_BACK);
    if (!value->scalar || value->is_float) return "what is combined is not a u32 or i32";
    if (s->job.counted) return "the length is on the GPU";
    if (s->in_place) return "it is in place";
    if (tl_job_windows(&s->job) > 1) return "the data exceed one binding";
    if (telar_ceil_div(s->job.length.count, shape.tile) > TILES_MAX) return "there are more than 2^17 tiles";
    if (s->job.lanes == 1) return "the device has no subgroups of one known size";
    if (!tl_device_has_progress(s->job.prim->facts)) return "the device is not known to let waiting workgroups go on";
    return NULL;
}

static scan_way choose(scan *s)
{
    const char *against = against_look_back(s);
    bool asked = s->desc->way == TELAR_SCAN_LOOK_BACK;
    tile_shape alone = shape_of(s, ALONE);
    if (asked && against != NULL) tl_job_fail(&s->job, TELAR_UNSUPPORTED, "a look-back cannot be had: %s", against);
    bool tuned = s->tuning.size != 0;
    if (!tuned && s->job.length.count <= (uint64_t)ALONE_TURNS_MAX * alone.tile) return ALONE;
    return asked || (s->desc->way == TELAR_SCAN_AUTO && against == NULL) ? LOOK_BACK : DETERMINISTIC;
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* A bit an element, from where segments begin. */
static void make_marks(scan *s)
{
    const telar_segments *segments = &s->desc->segments;
    const telar_prim *prim = s->job.prim;
    uint64_t words = telar_ceil_div(s->job.length.count, 32);
    s->marks = tl_job_scratch(&s->job, "marks", words * 4);
    if (words == 0 || tl_job_failed(&s->job)) return;
    telar_record_fill(s->job.record, prim, &(telar_fill_desc){.length = {.count = words}, .out = {.buffer = s->marks}});
    tl_job job = tl_job_begin(s->job.record, prim, s->job.name, (telar_length){.count = segments->offsets_count});
    tl_type_facts type = tl_job_type(&job, (telar_type){0});
    tl_view offsets = tl_job_view(&job, "offsets", &type, segments->offsets, segments->offsets_count);
    uint32_t size = tl_device_workgroup_size(prim->facts, MARKS_SIZE);
    uint32_t tiling = tl_job_tiling(&job, (tl_tiling){.elements = size});
    tl_job_prepare(&job);
    stage made = {.text = tl_text_begin(&job, tiling, "scan_marks")};
    tl_text_u32(&made.text, "WORKGROUP_SIZE", size);
    tl_text_u32(&made.text, "ELEMENTS", (uint32_t)s->job.length.count);
    tl_text_type(&made.text, &type);
    add_view(&made, "offsets", &offsets, false);
    add_buffer(&made, s->marks, "read_write> marks: array<atomic<u32>>");
    tl_text_add(&made.text, tl_wgsl_scan_marks);
    tl_kernel kernel = tl_text_end(&made.text);
    tl_job_launch(&job, &kernel, made.binds, made.binds_count);
    tl_job_end(&job);
}

/* An array of a number an element, read in rows as long as the elements'. */
static tl_view view_beside(scan *s, const char *name, telar_type type, telar_array array)
{
    tl_type_facts facts = tl_job_type(&s->job, type);
    tl_view view = tl_job_view(&s->job, name, &facts, array, s->job.length.count);
    view.rows = view.rows && s->type.row == 4;
    view.type.row = s->type.row;
    return view;
}

/* What is combined where there are segments: a value, and whether a segment begins in what it is the sum of. */
static tl_type_facts segment_type(scan *s)
{
    telar_arena *arena = s->job.prim->arena;
    const telar_type *type = &s->values.held.type;
    const char *wgsl = type->wgsl == NULL ? "" : type->wgsl;
    size_t cap = strlen(wgsl) + strlen(type->name) + 128;
    char *text = TL_ARENA_ARRAY(arena, char, cap);
    if (text == NULL) {
        tl_job_fail(&s->job, TELAR_NO_SPACE, "the arena is too small");
        return s->values.held;
    }
    telar_out out = {text, cap, 0};
    tl_out_format(&out, "%s\nstruct Segment { head: u32, value: %s }\n", wgsl, type->name);
    return tl_job_type(&s->job, (telar_type){"Segment", text});
}

static segments_kind kind_of(const telar_segments *segments)
{
    if (segments->heads.buffer.id != 0) return BY_HEADS;
    if (segments->keys.buffer.id != 0) return BY_KEYS;
    return segments->offsets.buffer.id != 0 ? BY_OFFSETS : NO_SEGMENTS;
}

static void find_segments(scan *s)
{
    const telar_segments *segments = &s->desc->segments;
    if ((segments->heads.buffer.id != 0) + (segments->keys.buffer.id != 0) + (segments->offsets.buffer.id != 0) > 1) {
        tl_job_fail(&s->job, TELAR_INVALID_ARGUMENT, "segments are by heads, by keys or by offsets, not by several");
    }
    s->segments = kind_of(segments);
    s->sums = s->segments == NO_SEGMENTS ? s->values.held : segment_type(s);
    if (s->segments == BY_HEADS) s->parts = view_beside(s, "heads", (telar_type){0}, segments->heads);
    if (s->segments == BY_KEYS) s->parts = view_beside(s, "keys", segments->key_type, segments->keys);
    if (s->segments == BY_KEYS && s->parts.type.number == NULL) {
        tl_job_fail(&s->job, TELAR_UNSUPPORTED, "keys of type '%s' are neither numbers nor vectors of them",
                    s->parts.type.type.name);
    }
    bool whole = s->segments == BY_KEYS || s->segments == BY_OFFSETS;
    if (whole && tl_job_windows(&s->job) > 1) {
        tl_job_fail_limit(&s->job, TELAR_LIMIT_EXCEEDED, s->job.length.count, s->job.window_elements,
                          "by keys or offsets %llu elements exceed what one binding holds (%llu); give heads",
                          (unsigned long long)s->job.length.count, (unsigned long long)s->job.window_elements);
    }
    if (s->segments == BY_OFFSETS) make_marks(s);
}

/* ---- A call ------------------------------------------------------------------------------------------------------ */

void tl_record_scan_tuned(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc,
                          const tl_scan_tuning *tuning)
{
    static void (*const ways[])(scan *) = {
        [ALONE] = scan_alone, [DETERMINISTIC] = scan_deterministic, [LOOK_BACK] = scan_look_back};
    scan s = {.job = tl_job_begin(record, prim, "scan", desc->length), .desc = desc, .tuning = *tuning};
    s.type = tl_job_type(&s.job, desc->type);
    s.in = tl_job_view(&s.job, "in", &s.type, desc->in, desc->length.count);
    s.out = tl_job_view(&s.job, "out", &s.type, desc->out, desc->length.count);
    s.in_place = same_array(&s.in, &s.out);
    if (desc->initial != NULL && desc->initial_word.buffer.id != 0) {
        tl_job_fail(&s.job, TELAR_INVALID_ARGUMENT, "there are two initial values, of which one is on the GPU");
    }
    if (desc->initial_word.buffer.id != 0) {
        s.initial = tl_job_view_whole(&s.job, "initial_word", &s.type, desc->initial_word, 1);
    }
    s.values = tl_accumulator_of(&s.job, &s.type, &(telar_reduction){.op = desc->op});
    find_segments(&s);
    ways[choose(&s)](&s);
    tl_job_end(&s.job);
}

void telar_record_scan(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc)
{
    tl_record_scan_tuned(record, prim, desc, &(tl_scan_tuning){0});
}
