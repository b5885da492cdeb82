/* SPDX-License-Identifier: MIT
 *
 * The kernels of scan: their texts, bindings and launches. */
#include "prim/scan.h"

/* ---- Stages ------------------------------------------------------------------------------------------------------ */

enum {
    MARKS_SIZE = 256
};

/* An array that is read. In the result's buffer it is bound as that is, since a dispatch uses a buffer in one way. */
static void add_input(const tl_scan *s, tl_prim_stage *to, const char *name, const tl_view *view)
{
    tl_stage_view(to, name, view, view->bind.bind.buffer.id == s->desc->out.buffer.id);
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

static void rename_values(const tl_scan *s, tl_prim_stage *to, size_t from, bool of_sums)
{
    enum {
        OF_ELEMENTS = 2
    };
    size_t first = of_sums ? 0 : OF_ELEMENTS;
    size_t end = s->segments == TL_NO_SEGMENTS ? OF_ELEMENTS : TL_COUNT(renames);
    if (first < end) tl_text_rename(&to->text, from, renames + first, end - first);
}

static void add_segments(tl_scan *s, tl_prim_stage *to)
{
    tl_text_choice(&to->text, "value_choose", "Value", &s->values.held);
    tl_text_add(&to->text, tl_wgsl_scan_segments);
    tl_lanes_print(&to->text, &s->sums, TELAR_OP_OWN);
}

/* What every kernel of a scan begins with: sizes, types, how sums are combined, what lanes and subgroups do. of_sums: its
 * source has sums, not elements. */
static tl_prim_stage stage_begin(tl_scan *s, uint32_t tiling, const char *entry, tl_scan_shape shape, bool of_sums,
                                 const char *directives)
{
    tl_prim_stage made = {.text = tl_text_begin_directed(&s->job, tiling, entry, directives)};
    tl_text *text = &made.text;
    tl_text_u32(text, "WORKGROUP_SIZE", shape.size);
    tl_text_u32(text, "ROWS", shape.rows);
    size_t from = text->out.len;
    tl_text_accumulator(text, &s->values);
    rename_values(s, &made, from, of_sums);
    if (s->segments != TL_NO_SEGMENTS) add_segments(s, &made);
    if (of_sums) {
        tl_type_facts sums = s->sums;
        sums.type.wgsl = NULL; /* it stands there already */
        tl_text_type(text, &sums);
    }
    bool commutes = s->segments == TL_NO_SEGMENTS && s->desc->op.op != TELAR_OP_OWN;
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
                   "fn heads_item(i: u32) -> u32 { return u32(%s(keys_item(max(i, 1u) - 1u) != keys_item(i))); }\n"
                   "fn heads_row(i: u32) -> array<u32, ROW> {\n"
                   "    let row = keys_row(i);\n"
                   "    return array<u32, ROW>(u32(%s(keys_item(max(i * ROW, 1u) - 1u) != row[0]))",
                   differ, differ);
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
static void add_elements(tl_scan *s, tl_prim_stage *to)
{
    tl_text_format(&to->text, "const INCLUSIVE = %s;\n", s->desc->inclusive ? "true" : "false");
    tl_text_add(&to->text, s->segments == TL_NO_SEGMENTS ? tl_wgsl_scan_elements : tl_wgsl_scan_segment_elements);
    switch (s->segments) {
    case TL_NO_SEGMENTS: tl_text_add(&to->text, tl_wgsl_scan_no_heads); break;
    case TL_BY_HEADS: add_input(s, to, "heads", &s->parts); break;
    case TL_BY_KEYS:
        add_input(s, to, "keys", &s->parts);
        print_heads_of_keys(&to->text, &s->parts);
        break;
    case TL_BY_OFFSETS:
        tl_stage_declare(to, s->marks, "read> marks: array<u32>");
        print_heads_of_marks(&to->text, s->type.row);
        break;
    }
}

static void add_sums(tl_prim_stage *to)
{
    tl_text_add(&to->text, tl_wgsl_scan_sums);
    tl_text_add(&to->text, tl_wgsl_scan_no_heads);
}

/* The result, and the source that it may be in the place of. */
static void add_arrays(const tl_scan *s, tl_prim_stage *to, const tl_view *source, const tl_view *result, bool in_place)
{
    tl_stage_view(to, "result", result, true);
    if (in_place) {
        tl_text_add(&to->text, "fn source_item(i: u32) -> T { return result_item(i); }\n"
                               "fn source_row(i: u32) -> array<T, ROW> { return result_row(i); }\n");
    } else {
        add_input(s, to, "source", source);
    }
}

static void add_initial(tl_scan *s, tl_prim_stage *to, bool of_sums)
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
    rename_values(s, to, from, of_sums);
    tl_text_add(&to->text, s->segments == TL_NO_SEGMENTS
                               ? "fn initial() -> A { return initial_value(); }\n"
                               : "fn initial() -> A { return Segment(0u, initial_value()); }\n");
}

static void add_count(tl_prim_stage *to)
{
    tl_text_add(&to->text, "fn scan_count() -> u32 { return telar_launch.count.x; }\n");
}

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

void tl_scan_alone(tl_scan *s)
{
    tl_scan_shape shape = tl_scan_shape_of(s, TL_SCAN_ALONE);
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    tl_prim_stage made = stage_begin(s, alone, "scan_tiles", shape, false, "");
    add_arrays(s, &made, &s->in, &s->out, s->in_place);
    add_elements(s, &made);
    add_initial(s, &made, false);
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_alone);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    tl_stage_launch(&made);
}

static void scan_totals(tl_scan *s, uint32_t tiling, tl_scan_shape shape, telar_buffer partials, const char *wgsl,
                        const char *total_of)
{
    tl_prim_stage made = stage_begin(s, tiling, "scan_totals", shape, false, "");
    add_input(s, &made, "source", &s->in);
    tl_stage_declare(&made, partials, "read_write> partials: array<A>");
    add_elements(s, &made);
    if (s->segments != TL_NO_SEGMENTS) add_initial(s, &made, false); /* each begins with it */
    tl_text_add(&made.text, total_of);
    tl_text_add(&made.text, wgsl);
    tl_stage_launch(&made);
}

static void scan_spine(tl_scan *s, uint32_t tiling, tl_scan_shape shape, telar_buffer partials, uint64_t totals)
{
    telar_array array = {.buffer = partials, .size_bytes = telar_ceil_div(totals * s->sums.stride, 16) * 16};
    tl_view view = tl_job_view_whole(&s->job, "partials", &s->sums, array, totals);
    tl_scan_shape spine = tl_scan_spine_shape(s, totals);
    tl_prim_stage made = stage_begin(s, tiling, "scan_tiles", spine, true, "");
    add_arrays(s, &made, &view, &view, true);
    add_sums(&made);
    add_initial(s, &made, true);
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
    tl_stage_launch(&made);
}

/* Elements whose prefixes are known. */
static tl_prim_stage stage_of_prefixes(tl_scan *s, uint32_t tiling, const char *entry, tl_scan_shape shape,
                                       telar_buffer partials)
{
    tl_prim_stage made = stage_begin(s, tiling, entry, shape, false, "");
    add_arrays(s, &made, &s->in, &s->out, s->in_place);
    tl_stage_declare(&made, partials, "read> partials: array<A>");
    add_elements(s, &made);
    if (s->segments != TL_NO_SEGMENTS) add_initial(s, &made, false); /* each begins with it */
    return made;
}

static void scan_prefixes(tl_scan *s, uint32_t tiling, tl_scan_shape shape, telar_buffer partials)
{
    tl_prim_stage made = stage_of_prefixes(s, tiling, "scan_tiles", shape, partials);
    add_count(&made);
    tl_text_add(&made.text, tl_wgsl_scan_prefixes);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    tl_stage_launch(&made);
}

void tl_scan_deterministic(tl_scan *s)
{
    tl_scan_shape shape = tl_scan_shape_of(s, TL_SCAN_DETERMINISTIC);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    uint64_t totals = tl_job_groups(&s->job, tiles);
    telar_buffer partials = tl_job_scratch(&s->job, "partials", totals, s->sums.stride);
    scan_totals(s, tiles, shape, partials, tl_wgsl_scan_totals, "");
    scan_spine(s, alone, shape, partials, totals);
    scan_prefixes(s, tiles, shape, partials);
}

void tl_scan_apart(tl_scan *s)
{
    tl_scan_shape shape = tl_scan_shape_apart(s);
    uint32_t groups = tl_job_tiling(&s->job, (tl_tiling){.elements = (uint64_t)shape.tile * shape.size});
    uint32_t alone = tl_job_tiling(&s->job, (tl_tiling){0});
    tl_job_prepare(&s->job);
    uint64_t totals = telar_ceil_div(s->job.length.count, shape.tile);
    telar_buffer partials = tl_job_scratch(&s->job, "partials", totals, s->sums.stride);
    bool segmented = s->segments != TL_NO_SEGMENTS;
    scan_totals(s, groups, shape, partials, tl_wgsl_scan_apart_totals,
                segmented ? tl_wgsl_scan_apart_total_segments : tl_wgsl_scan_apart_total);
    scan_spine(s, alone, shape, partials, totals);
    tl_prim_stage made = stage_of_prefixes(s, groups, "scan_apart", shape, partials);
    tl_text_add(&made.text, tl_wgsl_scan_apart);
    tl_stage_launch(&made);
}

void tl_scan_look_back(tl_scan *s)
{
    tl_scan_shape shape = tl_scan_shape_of(s, TL_SCAN_LOOK_BACK);
    uint32_t tiles = tl_job_tiling(&s->job, (tl_tiling){.elements = shape.tile});
    tl_job_prepare(&s->job);
    /* Only the first subgroup looks back. Every other use of lanes stands in the kernels of the other ways too, where it
     * is checked. */
    tl_prim_stage made = stage_begin(s, tiles, "scan_tiles", shape, false, "diagnostic(off, subgroup_uniformity);\n");
    add_arrays(s, &made, &s->in, &s->out, false);
    add_elements(s, &made);
    add_initial(s, &made, false);
    add_count(&made);
    tl_stage_look_back(&made, tl_job_groups(&s->job, tiles), s->tuning.waiting);
    tl_text_add(&made.text, s->segments == TL_NO_SEGMENTS ? tl_wgsl_scan_posted : tl_wgsl_scan_posted_segments);
    tl_text_add(&made.text, tl_wgsl_scan_total_of);
    tl_text_add(&made.text, tl_wgsl_scan_look_back);
    tl_text_add(&made.text, tl_wgsl_scan_tiles);
    tl_stage_launch(&made);
}

/* ---- Marks ------------------------------------------------------------------------------------------------------- */

/* A bit an element, from where segments begin. */
void tl_scan_make_marks(tl_scan *s)
{
    const telar_segments *segments = &s->desc->segments;
    const telar_prim *prim = s->job.prim;
    uint64_t words = telar_ceil_div(s->job.length.count, 32);
    s->marks = tl_job_scratch(&s->job, "marks", words, 4);
    if (words == 0 || tl_job_failed(&s->job)) return;
    telar_record_fill(s->job.record, prim, &(telar_fill_desc){.length = {.count = words}, .out = {.buffer = s->marks}});
    tl_job job = tl_job_begin(s->job.record, prim, s->job.name, (telar_length){.count = segments->offsets_count});
    tl_type_facts type = tl_job_type(&job, (telar_type){0});
    tl_view offsets = tl_job_view(&job, "offsets", &type, segments->offsets, segments->offsets_count);
    uint32_t size = tl_device_workgroup_size(prim->facts, MARKS_SIZE);
    uint32_t tiling = tl_job_tiling(&job, (tl_tiling){.elements = size});
    tl_job_prepare(&job);
    tl_prim_stage made = {.text = tl_text_begin(&job, tiling, "scan_marks")};
    tl_text_u32(&made.text, "WORKGROUP_SIZE", size);
    tl_text_u32(&made.text, "ELEMENTS", (uint32_t)s->job.length.count);
    tl_text_type(&made.text, &type);
    tl_stage_view(&made, "offsets", &offsets, false);
    tl_stage_declare(&made, s->marks, "read_write> marks: array<atomic<u32>>");
    tl_text_add(&made.text, tl_wgsl_scan_marks);
    tl_kernel kernel = tl_text_end(&made.text);
    tl_job_launch(&job, &kernel, made.binds, made.binds_count);
    tl_job_end(&job);
}
