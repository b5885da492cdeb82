/* SPDX-License-Identifier: MIT
 *
 * The kernels of a sort: their preludes and what they are bound to. */
#include "prim/sort.h"

static tl_prim_stage stage_begin(const tl_sort *sort, uint32_t tiling, const char *name)
{
    tl_prim_stage made = {.text = tl_text_begin(sort->job, tiling, name)};
    tl_text_u32(&made.text, "DIGITS", tl_sort_values(&sort->shape));
    tl_sort_key_print(&made.text, &sort->key);
    tl_text_add(&made.text, tl_wgsl_sort_digit);
    tl_text_add(&made.text, tl_wgsl_sort_pass);
    return made;
}

/* The record of one pass. */
static void bind_pass(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    uint64_t record_bytes = tl_sort_pass_bytes(sort);
    tl_stage_number_part(
        to, "RECORD",
        (telar_bind){.buffer = sort->records, .offset_bytes = pass * record_bytes, .size_bytes = record_bytes});
}

/* An array that this kernel accesses element by element, whatever others do. */
static void bind_items(tl_prim_stage *to, const char *name, const tl_view *view, bool written)
{
    tl_view items = *view;
    items.rows = false;
    tl_stage_view(to, name, &items, written);
}

/* ---- What several kernels say ------------------------------------------------------------------------------------ */

static const tl_type_facts word_type = {
    .type = {.name = "u32"}, .stride = 4, .row = 4, .scalar = true, .number = "u32", .components = 1};

static void print_operator(tl_text *text, telar_op op)
{
    tl_text_operator(text, &word_type, (telar_operator){.op = op});
}

/* const PASSES; fn digit_of_pass(p: u32) -> Digit. */
static void print_digits(tl_prim_stage *to, const tl_sort *sort)
{
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
static void bind_keys_in(tl_prim_stage *to, const tl_sort *sort, bool rows)
{
    if (sort->key.bits != 16) {
        if (rows) tl_stage_view(to, "keys_in", &sort->keys.in, false);
        else bind_items(to, "keys_in", &sort->keys.in, false);
        return;
    }
    bind_items(to, "words_in", &sort->keys.in, false);
    tl_text_add(&to->text, tl_wgsl_sort_unpack);
}

/* ---- Count ------------------------------------------------------------------------------------------------------- */

static void print_count_first(tl_prim_stage *to, const tl_sort *sort, uint32_t row)
{
    print_digits(to, sort);
    tl_text_add(&to->text, tl_wgsl_sort_pass_first);
    tl_stage_number(to, "COUNTS", sort->counts);
    tl_stage_number(to, "NOTED", sort->noted);
    print_operator(&to->text, TELAR_OP_OR);
    tl_text_add(&to->text, tl_wgsl_sort_note);
    bind_keys_in(to, sort, true);
    print_key_reader(&to->text, "other", "keys_in", true, row);
    print_key_reader(&to->text, "sorted", "keys_in", true, row);
}

static void print_count_later(tl_prim_stage *to, const tl_sort *sort, uint32_t pass, uint32_t row)
{
    tl_text_add(&to->text, tl_wgsl_sort_pass_bound);
    bind_pass(to, sort, pass);
    tl_stage_number(to, "COUNTS", sort->counts);
    tl_text_add(&to->text, "fn note(word: u32, bits: u32, lane: u32) {}\n");
    tl_stage_view(to, "keys_other", &sort->keys.other, false);
    tl_stage_view(to, "keys_sorted", &sort->keys.sorted, false);
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
    tl_prim_stage count = stage_begin(sort, sort->tiles, "sort_count");
    uint32_t row = sort->keys.other.type.row;
    tl_text_u32(&count.text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&count.text, "TILE_ROWS", sort->shape.size * sort->shape.items / row);
    tl_text_u32(&count.text, "ROWS", rows_at_once(sort->shape.items, row));
    tl_text_u32(&count.text, "KEY_ROW", row);
    tl_text_u32(&count.text, "COPIES", sort->shape.copies);
    tl_text_format(&count.text, "const FIRST = %s;\n", pass == 0 ? "true" : "false");
    if (pass == 0) print_count_first(&count, sort, row);
    else print_count_later(&count, sort, pass, row);
    tl_text_add(&count.text, tl_wgsl_sort_count);
    tl_stage_launch(&count);
}

/* ---- Scan -------------------------------------------------------------------------------------------------------- */

void tl_sort_scan(const tl_sort *sort, uint32_t pass)
{
    tl_prim_stage scan = stage_begin(sort, sort->rows, "sort_scan");
    tl_text_u32(&scan.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    tl_text_u32(&scan.text, "ITEMS", sort->shape.scan_items);
    tl_text_u32(&scan.text, "TILE", tl_sort_tile(&sort->shape));
    print_operator(&scan.text, TELAR_OP_SUM);
    tl_text_offsets(&scan.text, sort->shape.scan_size / sort->job->lanes);
    if (pass == 0) {
        print_digits(&scan, sort);
        tl_text_add(&scan.text, tl_wgsl_sort_plan);
        tl_stage_number(&scan, "RECORDS", sort->records);
        tl_stage_number(&scan, "COUNTS", sort->counts);
        tl_stage_number(&scan, "NOTED", sort->noted);
    } else {
        tl_text_add(&scan.text, tl_wgsl_sort_plan_none);
        bind_pass(&scan, sort, pass);
        tl_stage_number(&scan, "COUNTS", sort->counts);
    }
    tl_text_add(&scan.text, tl_wgsl_sort_scan);
    tl_stage_launch(&scan);
}

/* ---- All digits at once: for the sort by look-back --------------------------------------------------------------- */

void tl_sort_histogram(const tl_sort *sort)
{
    tl_prim_stage made = stage_begin(sort, sort->turns, "sort_histogram");
    uint32_t row = sort->keys.other.type.row;
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.histogram_size);
    tl_text_u32(&made.text, "ROWS", sort->shape.histogram_rows);
    tl_text_u32(&made.text, "KEY_ROW", row);
    tl_text_u32(&made.text, "COPIES", sort->shape.histogram_copies);
    tl_text_u32(&made.text, "TILE", tl_sort_tile(&sort->shape));
    tl_text_u32(&made.text, "SPINE_HEAD", TL_SORT_SPINE_HEAD);
    print_digits(&made, sort);
    tl_stage_number(&made, "HISTOGRAM", sort->histogram);
    tl_stage_number(&made, "SPINE", sort->spine);
    print_operator(&made.text, TELAR_OP_OR);
    tl_text_add(&made.text, tl_wgsl_sort_note);
    tl_stage_number(&made, "NOTED", sort->noted);
    bind_keys_in(&made, sort, true);
    print_key_reader(&made.text, "sorted", "keys_in", true, row);
    tl_text_add(&made.text, tl_wgsl_sort_histogram);
    tl_stage_launch(&made);
}

void tl_sort_totals(const tl_sort *sort)
{
    tl_prim_stage made = stage_begin(sort, sort->alone, "sort_totals");
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    print_digits(&made, sort);
    tl_text_add(&made.text, tl_wgsl_sort_plan);
    tl_stage_number(&made, "RECORDS", sort->records);
    tl_stage_number(&made, "HISTOGRAM", sort->histogram);
    tl_stage_number(&made, "NOTED", sort->noted);
    tl_text_add(&made.text, tl_wgsl_sort_totals);
    tl_stage_launch(&made);
}

/* ---- Scatter ----------------------------------------------------------------------------------------------------- */

static void print_keys(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    const tl_sort_arrays *keys = &sort->keys;
    bool first = pass == 0;
    bind_items(to, "keys_other", &keys->other, true);
    bind_items(to, "keys_sorted", &keys->sorted, true);
    if (first) bind_keys_in(to, sort, false);
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

static void print_no_values(tl_prim_stage *to)
{
    tl_text_add(&to->text, "fn other_value(i: u32) -> Value { return 0u; }\n"
                           "fn sorted_value(i: u32) -> Value { return 0u; }\n"
                           "fn other_value_put(i: u32, x: Value) {}\n"
                           "fn sorted_value_put(i: u32, x: Value) {}\n");
}

static void print_values(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    const tl_sort_arrays *values = &sort->values;
    bool indices = sort->values_are_indices;
    const char *other = "values_other_item", *sorted = "values_sorted_item";
    if (pass == 0) other = sorted = indices ? "" : "values_in_item";
    bind_items(to, "values_other", &values->other, true);
    bind_items(to, "values_sorted", &values->sorted, true);
    if (pass == 0 && !indices) bind_items(to, "values_in", &values->in, false);
    tl_text_format(&to->text, "fn other_value(i: u32) -> Value { return %s(i); }\n", other);
    tl_text_format(&to->text, "fn sorted_value(i: u32) -> Value { return %s(i); }\n", sorted);
    tl_text_add(&to->text, "fn other_value_put(i: u32, x: Value) { values_other_put(i, x); }\n"
                           "fn sorted_value_put(i: u32, x: Value) { values_sorted_put(i, x); }\n");
}

/* What ranks need. */
static void print_lanes(tl_prim_stage *to, const tl_sort *sort)
{
    const tl_sort_shape *shape = &sort->shape;
    uint32_t lanes = sort->job->lanes, subgroups = shape->size / lanes;
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

static void print_pass(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    bind_pass(to, sort, pass);
    if (!sort->fixed) {
        tl_text_add(&to->text, tl_wgsl_sort_pass_bound);
        return;
    }
    tl_text_u32(&to->text, "PASS", pass);
    tl_text_format(&to->text, "const TO_SORTED = %s;\nconst IS_LAST = %s;\n",
                   (sort->passes - pass) % 2 == 1 ? "true" : "false", pass + 1 == sort->passes ? "true" : "false");
    print_digits(to, sort);
    tl_text_add(&to->text, tl_wgsl_sort_pass_fixed);
}

static void print_place(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    if (sort->shape.form == TL_SORT_FORM_SCAN) {
        tl_text_add(&to->text, tl_wgsl_sort_place_scanned);
        tl_stage_number(to, "COUNTS", sort->counts);
        return;
    }
    tl_text_u32(&to->text, "SPINE_HEAD", TL_SORT_SPINE_HEAD);
    tl_text_waiting(&to->text, sort->shape.waiting);
    tl_text_add(&to->text, tl_wgsl_sort_place_look_back);
    tl_stage_number_part(
        to, "SPINE",
        (telar_bind){.buffer = sort->spine, .offset_bytes = pass * sort->spine_bytes, .size_bytes = sort->spine_bytes});
}

static tl_prim_stage stage_begin_tile(const tl_sort *sort, uint32_t tiling, const char *name)
{
    tl_prim_stage made = stage_begin(sort, tiling, name);
    tl_text_u32(&made.text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&made.text, "ITEMS", sort->shape.items);
    return made;
}

static void print_all_values(tl_prim_stage *to, const tl_sort *sort, uint32_t pass)
{
    print_value_type(&to->text, sort->value_words);
    if (sort->value_words > 0) print_values(to, sort, pass);
    else print_no_values(to);
}

void tl_sort_scatter(const tl_sort *sort, uint32_t pass)
{
    tl_prim_stage scatter = stage_begin_tile(sort, sort->tiles, "sort_scatter");
    print_pass(&scatter, sort, pass);
    print_place(&scatter, sort, pass);
    print_keys(&scatter, sort, pass);
    print_all_values(&scatter, sort, pass);
    if (sort->shape.in_runs) {
        tl_text_add(&scatter.text, tl_wgsl_sort_scatter_runs);
    } else {
        tl_text_u32(&scatter.text, "SUBGROUPS", sort->shape.size / sort->job->lanes);
        print_lanes(&scatter, sort);
        tl_text_add(&scatter.text, tl_wgsl_sort_scatter);
    }
    tl_stage_launch(&scatter);
}

/* ---- All by one workgroup ---------------------------------------------------------------------------------------- */

static void print_small_values(tl_prim_stage *to, const tl_sort *sort)
{
    print_value_type(&to->text, sort->value_words);
    if (sort->value_words == 0) {
        print_no_values(to);
        return;
    }
    bind_items(to, "values_sorted", &sort->values.sorted, true);
    if (!sort->values_are_indices) bind_items(to, "values_in", &sort->values.in, false);
    tl_text_format(&to->text, "fn other_value(i: u32) -> Value { return %s(i); }\n",
                   sort->values_are_indices ? "" : "values_in_item");
    tl_text_add(&to->text, "fn sorted_value_put(i: u32, x: Value) { values_sorted_put(i, x); }\n");
}

void tl_sort_small(const tl_sort *sort)
{
    tl_prim_stage small = stage_begin_tile(sort, sort->alone, "sort_small");
    print_digits(&small, sort);
    bind_items(&small, "keys_sorted", &sort->keys.sorted, true);
    bind_keys_in(&small, sort, false);
    print_key_reader(&small.text, "other", "keys_in", true, 0);
    tl_text_add(&small.text, "fn sorted_put(i: u32, x: Key) { keys_sorted_put(i, x); }\n");
    print_small_values(&small, sort);
    print_lanes(&small, sort);
    tl_text_offsets(&small.text, sort->shape.size / sort->job->lanes);
    tl_text_add(&small.text, tl_wgsl_sort_small);
    tl_stage_launch(&small);
}

/* ---- Keys of 16 bits --------------------------------------------------------------------------------------------- */

void tl_sort_pack(const tl_sort *sort)
{
    tl_prim_stage pack = stage_begin(sort, sort->words, "sort_pack");
    tl_text_u32(&pack.text, "WORKGROUP_SIZE", sort->shape.scan_size);
    bind_items(&pack, "keys_sorted", &sort->keys.sorted, false);
    bind_items(&pack, "words_out", &sort->packed_out, true);
    tl_text_add(&pack.text, tl_wgsl_sort_pack);
    tl_stage_launch(&pack);
}
