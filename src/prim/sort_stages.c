/* SPDX-License-Identifier: MIT
 *
 * The kernels of a sort: their preludes and what they are bound to. */
#include "prim/sort.h"

/* ---- A kernel in the making -------------------------------------------------------------------------------------- */

typedef struct stage {
    const tl_sort *sort;
    tl_text text;
    tl_stage_bind binds[TL_STAGE_BINDS_MAX]; /* in the order of their bindings */
    uint32_t binds_count;
} stage;

static stage stage_begin(const tl_sort *sort, uint32_t tiling, const char *name)
{
    stage made = {.sort = sort, .text = tl_text_begin(sort->job, tiling, name)};
    tl_text_u32(&made.text, "DIGITS", tl_sort_values(&sort->shape));
    tl_sort_key_print(&made.text, &sort->key);
    tl_text_add(&made.text, tl_wgsl_sort_digit);
    tl_text_add(&made.text, tl_wgsl_sort_pass);
    return made;
}

static void bind_buffer(stage *to, telar_buffer buffer)
{
    to->binds[to->binds_count++] = tl_bind_whole(buffer);
}

/* The record of one pass. */
static void bind_pass(stage *to, uint32_t pass)
{
    uint64_t record_bytes = tl_sort_pass_bytes(to->sort);
    to->binds[to->binds_count++].bind =
        (telar_bind){.buffer = to->sort->records, .offset_bytes = pass * record_bytes, .size_bytes = record_bytes};
}

/* Declares and binds an array, element by element where `rows` is false. */
static void bind_view(stage *to, const char *name, uint32_t binding, const tl_view *view, bool rows, bool written)
{
    tl_view copy = *view;
    copy.rows = copy.rows && rows;
    tl_text_view(&to->text, name, binding, &copy, written);
    to->binds[to->binds_count++] = view->bind;
}

static void launch(stage *from)
{
    tl_kernel kernel = tl_text_end(&from->text);
    tl_job_launch(from->sort->job, &kernel, from->binds, from->binds_count);
}

/* ---- What several kernels say ------------------------------------------------------------------------------------ */

static const tl_type_facts word_type = {
    .type = {.name = "u32"}, .stride = 4, .row = 4, .scalar = true, .number = "u32", .components = 1};

static void print_operator(tl_text *text, telar_op op)
{
    tl_text_operator(text, &word_type, (telar_operator){.op = op});
}

/* const PASSES; fn digit_of_pass(p: u32) -> Digit. */
static void print_digits(stage *to)
{
    const tl_sort *sort = to->sort;
    tl_text_u32(&to->text, "PASSES", sort->passes);
    tl_text_add(&to->text, "fn digit_of_pass(p: u32) -> Digit {\n    switch p {\n");
    for (uint32_t pass = 0; pass < sort->passes; pass++) {
        tl_sort_digit digit = sort->digits[pass];
        tl_text_format(&to->text, "        case %uu%s: { return Digit(%uu, %uu, %uu); }\n", pass,
                       pass == 0 ? ", default" : "", digit.word, digit.shift, (1u << digit.bits) - 1);
    }
    tl_text_add(&to->text, "    }\n}\n");
}

/* fn NAME_key(i: u32) -> Key, and by rows of the array fn NAME_keys(i: u32) -> array<Key, KEY_ROW>. */
static void print_key_reader(tl_text *text, const char *name, const char *array, bool mapped, uint32_t row)
{
    const char *map = mapped ? "key_map" : "";
    tl_text_format(text, "fn %s_key(i: u32) -> Key { return %s(%s_item(i)); }\n", name, map, array);
    if (row == 0) return;
    tl_text_format(text, "fn %s_keys(i: u32) -> array<Key, %u> {\n    let row = %s_row(i);\n    return array<Key, %u>(",
                   name, row, array, row);
    for (uint32_t k = 0; k < row; k++) tl_text_format(text, "%s%s(row[%u])", k == 0 ? "" : ", ", map, k);
    tl_text_add(text, ");\n}\n");
}

/* Binds what is given and says how its keys are read: fn keys_in_item(i), keys_in_row(i). */
static void bind_keys_in(stage *to, bool rows)
{
    const tl_sort *sort = to->sort;
    if (sort->key.bits != 16) {
        bind_view(to, "keys_in", 4, &sort->keys.in, rows, false);
        return;
    }
    bind_view(to, "words_in", 4, &sort->keys.in, false, false);
    tl_text_add(&to->text, tl_wgsl_sort_unpack);
}

/* ---- Count ------------------------------------------------------------------------------------------------------- */

static void print_count_first(stage *to, uint32_t row)
{
    const tl_sort *sort = to->sort;
    print_digits(to);
    tl_text_add(&to->text, tl_wgsl_sort_pass_first);
    bind_buffer(to, sort->counts);
    bind_buffer(to, sort->noted);
    print_operator(&to->text, TELAR_OP_OR);
    tl_text_add(&to->text, tl_wgsl_sort_note);
    bind_keys_in(to, true);
    print_key_reader(&to->text, "other", "keys_in", true, row);
    print_key_reader(&to->text, "sorted", "keys_in", true, row);
}

static void print_count_later(stage *to, uint32_t pass, uint32_t row)
{
    const tl_sort *sort = to->sort;
    tl_text_add(&to->text, tl_wgsl_sort_pass_bound);
    bind_pass(to, pass);
    bind_buffer(to, sort->counts);
    tl_text_add(&to->text, "fn note(word: u32, bits: u32, lane: u32) {}\n");
    bind_view(to, "keys_other", 4, &sort->keys.other, true, false);
    bind_view(to, "keys_sorted", 5, &sort->keys.sorted, true, false);
    print_key_reader(&to->text, "other", "keys_other", false, row);
    print_key_reader(&to->text, "sorted", "keys_sorted", false, row);
}

/* The most, up to 8, that divide an invocation's whole rows. */
static uint32_t rows_at_once(uint32_t items, uint32_t row)
{
    uint32_t most = items % row == 0 ? 8 : 1;
    while (items / row % most != 0) most--;
    return most;
}

void tl_sort_count(const tl_sort *sort, uint32_t pass)
{
    stage count = stage_begin(sort, sort->tiles, "sort_count");
    uint32_t row = sort->keys.other.type.row;
    tl_text_u32(&count.text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&count.text, "TILE_ROWS", sort->shape.size * sort->shape.items / row);
    tl_text_u32(&count.text, "ROWS", rows_at_once(sort->shape.items, row));
    tl_text_u32(&count.text, "KEY_ROW", row);
    tl_text_u32(&count.text, "COPIES", sort->shape.copies);
    tl_text_format(&count.text, "const FIRST = %s;\n", pass == 0 ? "true" : "false");
    if (pass == 0) print_count_first(&count, row);
    else print_count_later(&count, pass, row);
    tl_text_add(&count.text, tl_wgsl_sort_count);
    launch(&count);
}

/* ---- Scan -------------------------------------------------------------------------------------------------------- */

void tl_sort_scan(const tl_sort *sort, uint32_t pass)
{
    stage scan = stage_begin(sort, sort->rows, "sort_scan");
    tl_text_u32(&scan.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    tl_text_u32(&scan.text, "ITEMS", sort->shape.scan_items);
    tl_text_u32(&scan.text, "TILE", tl_sort_tile(&sort->shape));
    print_operator(&scan.text, TELAR_OP_SUM);
    tl_text_offsets(&scan.text, sort->shape.scan_size / sort->job->lanes);
    if (pass == 0) {
        print_digits(&scan);
        tl_text_add(&scan.text, tl_wgsl_sort_plan);
        bind_buffer(&scan, sort->records);
        bind_buffer(&scan, sort->counts);
        bind_buffer(&scan, sort->noted);
    } else {
        tl_text_add(&scan.text, tl_wgsl_sort_plan_none);
        bind_pass(&scan, pass);
        bind_buffer(&scan, sort->counts);
    }
    tl_text_add(&scan.text, tl_wgsl_sort_scan);
    launch(&scan);
}

/* ---- All digits at once: for the sort by look-back --------------------------------------------------------------- */

void tl_sort_histogram(const tl_sort *sort)
{
    stage made = stage_begin(sort, sort->turns, "sort_histogram");
    uint32_t row = sort->keys.other.type.row;
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.histogram_size);
    tl_text_u32(&made.text, "ROWS", sort->shape.histogram_rows);
    tl_text_u32(&made.text, "KEY_ROW", row);
    tl_text_u32(&made.text, "COPIES", sort->shape.histogram_copies);
    tl_text_u32(&made.text, "TILE", tl_sort_tile(&sort->shape));
    tl_text_u32(&made.text, "SPINE_HEAD", TL_SORT_SPINE_HEAD);
    print_digits(&made);
    bind_buffer(&made, sort->histogram);
    bind_buffer(&made, sort->spine);
    print_operator(&made.text, TELAR_OP_OR);
    tl_text_add(&made.text, tl_wgsl_sort_note);
    bind_buffer(&made, sort->noted);
    bind_keys_in(&made, true);
    print_key_reader(&made.text, "sorted", "keys_in", true, row);
    tl_text_add(&made.text, tl_wgsl_sort_histogram);
    launch(&made);
}

void tl_sort_totals(const tl_sort *sort)
{
    stage made = stage_begin(sort, sort->alone, "sort_totals");
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    print_digits(&made);
    tl_text_add(&made.text, tl_wgsl_sort_plan);
    bind_buffer(&made, sort->records);
    bind_buffer(&made, sort->histogram);
    bind_buffer(&made, sort->noted);
    tl_text_add(&made.text, tl_wgsl_sort_totals);
    launch(&made);
}

/* ---- Scatter ----------------------------------------------------------------------------------------------------- */

static void print_keys(stage *to, uint32_t pass)
{
    const tl_sort_arrays *keys = &to->sort->keys;
    bool first = pass == 0;
    bind_view(to, "keys_other", 2, &keys->other, false, true);
    bind_view(to, "keys_sorted", 3, &keys->sorted, false, true);
    if (first) bind_keys_in(to, false);
    print_key_reader(&to->text, "other", first ? "keys_in" : "keys_other", first, 0);
    print_key_reader(&to->text, "sorted", first ? "keys_in" : "keys_sorted", first, 0);
    tl_text_add(&to->text, "fn other_put(i: u32, x: Key) { keys_other_put(i, x); }\n"
                           "fn sorted_put(i: u32, x: Key) { keys_sorted_put(i, x); }\n");
}

/* alias Value, const VALUE_WORDS, VALUE_ITEMS; fn value_word, value_with. */
static void print_value_type(tl_text *text, uint32_t words)
{
    tl_text_format(text, "alias Value = %s;\n", words == 2 ? "vec2<u32>" : "u32");
    tl_text_u32(text, "VALUE_WORDS", words);
    tl_text_format(text, "const VALUE_ITEMS = %s;\n", words == 0 ? "0u" : "ITEMS");
    if (words == 2) {
        tl_text_add(text, "fn value_word(x: Value, w: u32) -> u32 { return x[w]; }\n"
                          "fn value_with(x: Value, w: u32, word: u32) -> Value {\n"
                          "    return select(vec2u(word, x.y), vec2u(x.x, word), w == 1u);\n}\n");
    } else {
        tl_text_add(text, "fn value_word(x: Value, w: u32) -> u32 { return x; }\n"
                          "fn value_with(x: Value, w: u32, word: u32) -> Value { return word; }\n");
    }
}

static void print_no_values(stage *to)
{
    tl_text_add(&to->text, "fn other_value(i: u32) -> Value { return 0u; }\n"
                           "fn sorted_value(i: u32) -> Value { return 0u; }\n"
                           "fn other_value_put(i: u32, x: Value) {}\n"
                           "fn sorted_value_put(i: u32, x: Value) {}\n");
}

static void print_values(stage *to, uint32_t pass)
{
    const tl_sort_arrays *values = &to->sort->values;
    bool indices = to->sort->values_are_indices;
    const char *other = "values_other_item", *sorted = "values_sorted_item";
    if (pass == 0) other = sorted = indices ? "" : "values_in_item";
    bind_view(to, "values_other", 5, &values->other, false, true);
    bind_view(to, "values_sorted", 6, &values->sorted, false, true);
    if (pass == 0 && !indices) bind_view(to, "values_in", 7, &values->in, false, false);
    tl_text_format(&to->text, "fn other_value(i: u32) -> Value { return %s(i); }\n", other);
    tl_text_format(&to->text, "fn sorted_value(i: u32) -> Value { return %s(i); }\n", sorted);
    tl_text_add(&to->text, "fn other_value_put(i: u32, x: Value) { values_other_put(i, x); }\n"
                           "fn sorted_value_put(i: u32, x: Value) { values_sorted_put(i, x); }\n");
}

/* What ranks need. */
static void print_lanes(stage *to)
{
    const tl_sort_shape *shape = &to->sort->shape;
    uint32_t lanes = to->sort->job->lanes, subgroups = shape->size / lanes;
    uint32_t counters = subgroups * tl_sort_values(shape), tile = tl_sort_tile(shape);
    tl_text_u32(&to->text, "WORDS", counters > tile ? counters : tile);
    tl_text_u32(&to->text, "DIGIT_BITS", shape->digit_bits);
    print_operator(&to->text, TELAR_OP_SUM);
    tl_text_add(&to->text, lanes == 1    ? tl_wgsl_lane_mask_one
                           : shape->wide ? tl_wgsl_lane_mask_words
                                         : tl_wgsl_lane_mask_word);
    tl_text_add(&to->text, lanes == 1                ? tl_wgsl_sort_rank_one
                           : shape->rank_by_barriers ? tl_wgsl_sort_rank_barrier
                                                     : tl_wgsl_sort_rank_atomic);
}

static void print_pass(stage *to, uint32_t pass)
{
    const tl_sort *sort = to->sort;
    bind_pass(to, pass);
    if (!sort->fixed) {
        tl_text_add(&to->text, tl_wgsl_sort_pass_bound);
        return;
    }
    tl_text_u32(&to->text, "PASS", pass);
    tl_text_format(&to->text, "const TO_SORTED = %s;\nconst IS_LAST = %s;\n",
                   (sort->passes - pass) % 2 == 1 ? "true" : "false", pass + 1 == sort->passes ? "true" : "false");
    print_digits(to);
    tl_text_add(&to->text, tl_wgsl_sort_pass_fixed);
}

static void print_place(stage *to, uint32_t pass)
{
    const tl_sort *sort = to->sort;
    if (sort->shape.form == TL_SORT_FORM_SCAN) {
        tl_text_add(&to->text, tl_wgsl_sort_place_scanned);
        bind_buffer(to, sort->counts);
        return;
    }
    tl_text_u32(&to->text, "SPINE_HEAD", TL_SORT_SPINE_HEAD);
    tl_text_waiting(&to->text, sort->shape.waiting);
    tl_text_add(&to->text, tl_wgsl_sort_place_look_back);
    to->binds[to->binds_count++].bind =
        (telar_bind){.buffer = sort->spine, .offset_bytes = pass * sort->spine_bytes, .size_bytes = sort->spine_bytes};
}

static stage stage_begin_tile(const tl_sort *sort, uint32_t tiling, const char *name)
{
    stage made = stage_begin(sort, tiling, name);
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&made.text, "ITEMS", sort->shape.items);
    return made;
}

static void print_all_values(stage *to, uint32_t pass)
{
    print_value_type(&to->text, to->sort->value_words);
    if (to->sort->value_words > 0) print_values(to, pass);
    else print_no_values(to);
}

void tl_sort_scatter(const tl_sort *sort, uint32_t pass)
{
    stage scatter = stage_begin_tile(sort, sort->tiles, "sort_scatter");
    print_pass(&scatter, pass);
    print_place(&scatter, pass);
    print_keys(&scatter, pass);
    print_all_values(&scatter, pass);
    if (sort->shape.in_runs) {
        tl_text_add(&scatter.text, tl_wgsl_sort_scatter_runs);
    } else {
        tl_text_u32(&scatter.text, "SUBGROUPS", sort->shape.size / sort->job->lanes);
        print_lanes(&scatter);
        tl_text_add(&scatter.text, tl_wgsl_sort_scatter);
    }
    launch(&scatter);
}

/* ---- All by one workgroup ---------------------------------------------------------------------------------------- */

static void print_small_values(stage *to)
{
    const tl_sort *sort = to->sort;
    print_value_type(&to->text, sort->value_words);
    if (sort->value_words == 0) {
        print_no_values(to);
        return;
    }
    bind_view(to, "values_sorted", 6, &sort->values.sorted, false, true);
    if (!sort->values_are_indices) bind_view(to, "values_in", 7, &sort->values.in, false, false);
    tl_text_format(&to->text, "fn other_value(i: u32) -> Value { return %s(i); }\n",
                   sort->values_are_indices ? "" : "values_in_item");
    tl_text_add(&to->text, "fn sorted_value_put(i: u32, x: Value) { values_sorted_put(i, x); }\n");
}

void tl_sort_small(const tl_sort *sort)
{
    stage small = stage_begin_tile(sort, sort->alone, "sort_small");
    print_digits(&small);
    bind_view(&small, "keys_sorted", 3, &sort->keys.sorted, false, true);
    bind_keys_in(&small, false);
    print_key_reader(&small.text, "other", "keys_in", true, 0);
    tl_text_add(&small.text, "fn sorted_put(i: u32, x: Key) { keys_sorted_put(i, x); }\n");
    print_small_values(&small);
    print_lanes(&small);
    tl_text_offsets(&small.text, sort->shape.size / sort->job->lanes);
    tl_text_add(&small.text, tl_wgsl_sort_small);
    launch(&small);
}

/* ---- Keys of 16 bits --------------------------------------------------------------------------------------------- */

void tl_sort_pack(const tl_sort *sort)
{
    stage pack = stage_begin(sort, sort->words, "sort_pack");
    tl_text_u32(&pack.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    bind_view(&pack, "keys_sorted", 0, &sort->keys.sorted, false, false);
    bind_view(&pack, "words_out", 1, &sort->packed_out, false, true);
    tl_text_add(&pack.text, tl_wgsl_sort_pack);
    launch(&pack);
}
