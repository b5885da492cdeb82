/* SPDX-License-Identifier: MIT
 *
 * The kernels of a sort: their preludes and what they are bound to. */
#include "prim/sort.h"

/* ---- What the kernels have in common ----------------------------------------------------------------------------- */

static tl_text begin(tl_sort *sort, uint32_t tiling, uint32_t pass, const char *name)
{
    tl_text text = tl_text_begin(sort->job, tiling, name);
    tl_text_u32(&text, "PASS", pass);
    tl_text_format(&text, "const FIRST = %s;\n", pass == 0 ? "true" : "false");
    tl_sort_key_print(&text, &sort->key);
    tl_sort_digit_print(&text, &sort->key, sort->digits[pass]);
    return text;
}

static const tl_type_facts word_type = {
    .type = {.name = "u32"}, .stride = 4, .row = 4, .scalar = true, .number = "u32", .components = 1};

static void print_or(tl_text *text)
{
    tl_text_operator(text, &word_type, (telar_operator){.op = TELAR_OP_OR});
}

static void print_sum(tl_text *text)
{
    tl_text_operator(text, &word_type, (telar_operator){.op = TELAR_OP_SUM});
}

/* fn NAME_key(i), which reads it by the view's accessors, and row-wise fn NAME_keys(i). `map` is what they pass. */
static void print_key_readers(tl_text *text, const char *name, const char *view, const char *map, uint32_t row)
{
    tl_text_format(text, "fn %s_key(i: u32) -> Key { return %s(%s_item(i)); }\n", name, map, view);
    tl_text_format(text, "fn %s_keys(i: u32) -> array<Key, %u> {\n    let row = %s_row(i);\n    return array<Key, %u>(",
                   name, row, view, row);
    for (uint32_t k = 0; k < row; k++) tl_text_format(text, "%s%s(row[%u])", k == 0 ? "" : ", ", map, k);
    tl_text_add(text, ");\n}\n");
}

static tl_view item_view(tl_view view)
{
    view.rows = false;
    return view;
}

/* ---- Count ------------------------------------------------------------------------------------------------------- */

void tl_sort_count(tl_sort *sort, uint32_t pass)
{
    tl_job *job = sort->job;
    bool first = pass == 0;
    tl_text text = begin(sort, sort->tiles, pass, "sort_count");
    uint32_t row = sort->keys.other.type.row;
    tl_stage_bind binds[TL_STAGE_BINDS_MAX];
    uint32_t count = 0;
    tl_text_u32(&text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&text, "ROWS", sort->shape.items / row);
    tl_text_u32(&text, "KEY_ROW", row);
    tl_text_u32(&text, "COPIES", sort->shape.copies);
    if (first) {
        tl_text_add(&text, "fn pass_runs() -> bool { return true; }\nfn goes_to_sorted() -> bool { return false; }\n");
        tl_text_view(&text, "keys_in", 4, &sort->keys.in, false);
        print_key_readers(&text, "other", "keys_in", "key_map", row);
        print_key_readers(&text, "sorted", "keys_in", "key_map", row);
        print_or(&text);
        tl_text_add(&text, tl_wgsl_sort_note);
        binds[count++] = tl_bind_whole(sort->counts);
        binds[count++] = tl_bind_whole(sort->noted);
        binds[count++] = sort->keys.in.bind;
    } else {
        tl_text_add(&text, tl_wgsl_sort_state);
        tl_text_view(&text, "keys_other", 4, &sort->keys.other, false);
        tl_text_view(&text, "keys_sorted", 5, &sort->keys.sorted, false);
        print_key_readers(&text, "other", "keys_other", "", row);
        print_key_readers(&text, "sorted", "keys_sorted", "", row);
        tl_text_add(&text, "fn note(word: u32, bits: u32, lane: u32) {}\n");
        binds[count++] = tl_bind_whole(sort->state);
        binds[count++] = tl_bind_whole(sort->counts);
        binds[count++] = sort->keys.other.bind;
        binds[count++] = sort->keys.sorted.bind;
    }
    tl_text_add(&text, tl_wgsl_sort_count);
    tl_kernel kernel = tl_text_end(&text);
    tl_job_launch(job, &kernel, binds, count);
}

/* ---- Scan -------------------------------------------------------------------------------------------------------- */

static void print_plan(tl_text *text, const tl_sort *sort)
{
    tl_text_add(text, "fn passes_for(differ: array<u32, KEY_WORDS>) -> u32 {\n    return 1u");
    for (uint32_t pass = 1; pass < sort->passes; pass++) {
        tl_sort_digit digit = sort->digits[pass];
        tl_text_format(text, "\n        | (u32(((differ[%u] >> %uu) & %uu) != 0u) << %uu)", digit.word, digit.shift,
                       (1u << digit.bits) - 1, pass);
    }
    tl_text_add(text, ";\n}\n");
    tl_text_add(text, tl_wgsl_sort_plan);
}

void tl_sort_scan(tl_sort *sort, uint32_t pass)
{
    tl_job *job = sort->job;
    tl_text text = begin(sort, sort->rows, pass, "sort_scan");
    tl_text_u32(&text, "WORKGROUP_SIZE", sort->shape.scan_size);
    tl_text_u32(&text, "SUBGROUPS", sort->shape.scan_size / job->lanes);
    tl_text_u32(&text, "ITEMS", sort->shape.scan_items);
    tl_text_u32(&text, "TILE", sort->shape.size * sort->shape.items);
    print_sum(&text);
    if (pass == 0) print_plan(&text, sort);
    else tl_text_add(&text, "fn plan_passes() {}\n");
    tl_text_add(&text, tl_wgsl_sort_scan);
    tl_kernel kernel = tl_text_end(&text);
    const tl_stage_bind binds[] = {tl_bind_whole(sort->state), tl_bind_whole(sort->counts), tl_bind_whole(sort->noted)};
    tl_job_launch(job, &kernel, binds, pass == 0 ? 3 : 2);
}

/* ---- Scatter ----------------------------------------------------------------------------------------------------- */

static void print_keys(tl_text *text, tl_sort *sort, uint32_t pass)
{
    tl_view other = item_view(sort->keys.other), sorted = item_view(sort->keys.sorted), in = item_view(sort->keys.in);
    tl_text_view(text, "keys_other", 2, &other, true);
    tl_text_view(text, "keys_sorted", 3, &sorted, true);
    if (pass == 0) tl_text_view(text, "keys_in", 4, &in, false);
    const char *from[2] = {pass == 0 ? "keys_in" : "keys_other", pass == 0 ? "keys_in" : "keys_sorted"};
    const char *map = pass == 0 ? "key_map" : "";
    tl_text_format(text, "fn other_key(i: u32) -> Key { return %s(%s_item(i)); }\n", map, from[0]);
    tl_text_format(text, "fn sorted_key(i: u32) -> Key { return %s(%s_item(i)); }\n", map, from[1]);
    tl_text_add(text, "fn other_put(i: u32, x: Key) { keys_other_put(i, x); }\n"
                      "fn sorted_put(i: u32, x: Key) { keys_sorted_put(i, x); }\n");
}

static void print_no_values(tl_text *text)
{
    tl_text_add(text, "alias Value = u32;\nconst VALUE_WORDS = 0u;\nconst VALUE_ITEMS = 0u;\n"
                      "fn value_word(x: Value, w: u32) -> u32 { return x; }\n"
                      "fn value_with(x: Value, w: u32, word: u32) -> Value { return word; }\n");
}

static void print_values(tl_text *text, tl_sort *sort, uint32_t pass)
{
    tl_view other = item_view(sort->values.other), sorted = item_view(sort->values.sorted);
    bool two = sort->value_words == 2, indices = pass == 0 && sort->values_are_indices;
    tl_text_format(text, "alias Value = %s;\n", two ? "vec2<u32>" : "u32");
    tl_text_u32(text, "VALUE_WORDS", sort->value_words);
    tl_text_add(text, "const VALUE_ITEMS = ITEMS;\n");
    tl_text_format(text, "fn value_word(x: Value, w: u32) -> u32 { return x%s; }\n", two ? "[w]" : "");
    tl_text_format(text, "fn value_with(x: Value, w: u32, word: u32) -> Value { return %s; }\n",
                   two ? "select(vec2u(word, x.y), vec2u(x.x, word), w == 1u)" : "word");
    tl_text_view(text, "values_other", 5, &other, true);
    tl_text_view(text, "values_sorted", 6, &sorted, true);
    if (pass == 0 && !indices) {
        tl_view in = item_view(sort->values.in);
        tl_text_view(text, "values_in", 7, &in, false);
    }
    const char *from[2] = {pass == 0 ? "values_in_item" : "values_other_item",
                           pass == 0 ? "values_in_item" : "values_sorted_item"};
    tl_text_format(text, "fn other_value(i: u32) -> Value { return %s(i); }\n", indices ? "" : from[0]);
    tl_text_format(text, "fn sorted_value(i: u32) -> Value { return %s(i); }\n", indices ? "" : from[1]);
    tl_text_add(text, "fn other_value_put(i: u32, x: Value) { values_other_put(i, x); }\n"
                      "fn sorted_value_put(i: u32, x: Value) { values_sorted_put(i, x); }\n");
}

static void print_no_value_arrays(tl_text *text)
{
    tl_text_add(text, "fn other_value(i: u32) -> Value { return 0u; }\n"
                      "fn sorted_value(i: u32) -> Value { return 0u; }\n"
                      "fn other_value_put(i: u32, x: Value) {}\n"
                      "fn sorted_value_put(i: u32, x: Value) {}\n");
}

static uint32_t scatter_words(const tl_sort *sort, uint32_t pass)
{
    uint32_t counters = sort->shape.size / sort->job->lanes << sort->digits[pass].bits;
    uint32_t tile = sort->shape.size * sort->shape.items;
    return counters > tile ? counters : tile;
}

void tl_sort_scatter(tl_sort *sort, uint32_t pass)
{
    tl_job *job = sort->job;
    tl_text text = begin(sort, sort->tiles, pass, "sort_scatter");
    tl_text_u32(&text, "WORKGROUP_SIZE", sort->shape.size);
    tl_text_u32(&text, "SUBGROUPS", sort->shape.size / job->lanes);
    tl_text_u32(&text, "ITEMS", sort->shape.items);
    tl_text_u32(&text, "WORDS", scatter_words(sort, pass));
    print_sum(&text);
    tl_text_add(&text, job->lanes > 32 ? tl_wgsl_lane_mask_words : tl_wgsl_lane_mask_word);
    tl_text_add(&text, tl_wgsl_sort_state);
    tl_text_add(&text, tl_wgsl_sort_place_scanned);
    print_keys(&text, sort, pass);
    if (sort->value_words > 0) {
        print_values(&text, sort, pass);
    } else {
        print_no_values(&text);
        print_no_value_arrays(&text);
    }
    tl_text_add(&text, sort->shape.rank_by_barriers ? tl_wgsl_sort_rank_barrier : tl_wgsl_sort_rank_atomic);
    tl_text_add(&text, tl_wgsl_sort_scatter);
    tl_kernel kernel = tl_text_end(&text);
    tl_stage_bind binds[TL_STAGE_BINDS_MAX] = {tl_bind_whole(sort->state), tl_bind_whole(sort->counts),
                                               sort->keys.other.bind, sort->keys.sorted.bind};
    uint32_t count = 4;
    if (pass == 0) binds[count++] = sort->keys.in.bind;
    if (sort->value_words > 0) {
        binds[count++] = sort->values.other.bind;
        binds[count++] = sort->values.sorted.bind;
        if (pass == 0 && !sort->values_are_indices) binds[count++] = sort->values.in.bind;
    }
    tl_job_launch(job, &kernel, binds, count);
}
