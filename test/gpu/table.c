/* SPDX-License-Identifier: MIT
 *
 * The driver: one call of a row, and which calls are tried. */
#include "table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "record/reader.h"

/* ---- How a call is made -------------------------------------------------------------------------------------------- */

/* What a device is taken for; it is one of the first two itself. */
typedef enum device_kind {
    CPU,
    GPU,       /* with subgroups */
    GPU_WAITS, /* and workgroups may wait for others */
    GPU_PLAIN, /* without subgroups */
    DEVICE_KINDS
} device_kind;

static const struct {
    const char *name;
    prim_path path;
    bool waits, plain;
} device_kinds[DEVICE_KINDS] = {
    [CPU] = {"as is", PRIM_AS_IS, false, false},
    [GPU] = {"GPU", PRIM_AS_GPU, false, false},
    [GPU_WAITS] = {"GPU that waits", PRIM_AS_GPU, true, false},
    [GPU_PLAIN] = {"GPU without subgroups", PRIM_AS_GPU, false, true},
};

typedef struct how {
    device_kind device;
    prim_form form;
    uint64_t n;
    uint32_t offset; /* of arrays, in steps of what they may begin at */
    bool roomy, in_place;
    uint64_t groups_limit, binding_limit; /* lowered limits; 0: the device's */
} how;

static uint64_t capacity_of(const how *h)
{
    return prim_capacity(h->n, h->form);
}

static uint64_t count_of(const table_array *array, uint64_t capacity)
{
    uint64_t times = array->fixed ? 0 : array->times == 0 ? 1 : array->times;
    return array->bits ? telar_ceil_div(capacity, 32) : capacity * times + array->more;
}

static uint32_t bytes_of(const table_array *array, const table_type *type)
{
    return array->bytes != 0 ? array->bytes : array->bits ? 4 : type->bytes;
}

static prim_test begin(const how *h)
{
    prim_test test = prim_begin(device_kinds[h->device].path);
    test.prim.plain = device_kinds[h->device].plain;
    telar_facts_set(&test.facts, TELAR_FACT_FORWARD_PROGRESS, device_kinds[h->device].waits, TELAR_SOURCE_GIVEN);
    if (h->groups_limit != 0) test.facts.limits.maxComputeWorkgroupsPerDimension = h->groups_limit;
    if (h->binding_limit != 0) test.facts.limits.maxStorageBufferBindingSize = h->binding_limit;
    return test;
}

/* ---- Data ---------------------------------------------------------------------------------------------------------- */

void *table_at(const table_call *call, uint32_t array, uint64_t k)
{
    return call->data[array] + k * bytes_of(&call->row->arrays[array], call->type);
}

uint32_t *table_words(const table_call *call, uint32_t array)
{
    return (uint32_t *)(void *)call->data[array];
}

static double special(uint32_t random)
{
    static const double numbers[] = {0.0, -0.0, (double)INFINITY, -(double)INFINITY, (double)NAN};
    return numbers[random % 5];
}

/* One number of an element. */
static double number_of(table_number number, table_content content, uint32_t random)
{
    bool is_signed = number != TABLE_U32 && number != TABLE_U64 && number != TABLE_U16 && number != TABLE_U8;
    double whole = (double)(random >> 28) - (is_signed ? 8 : 0);
    /* Sums of halves stay below 2048, up to which whole numbers are exact. */
    if (number == TABLE_F16) whole = (double)(random >> 29) - 4 + (random >> 28 & 1);
    if (content == TABLE_FACTORS) return (random & 0x100) != 0 || !is_signed ? 1 : -1;
    bool mixed = content == TABLE_MIXED || content == TABLE_ANY;
    return mixed && table_is_float(number) && random % 8 == 3 ? special(random >> 8) : whole;
}

static void fill_element(const table_type *type, table_content content, uint32_t random, uint8_t *element)
{
    uint32_t bytes = table_number_bytes(type->number);
    if (type->components == 0) {
        table_put(TABLE_U32, element, number_of(TABLE_U32, content, random));
        table_put(TABLE_F32, element + 4, number_of(TABLE_F32, TABLE_WHOLE, random * 5));
        table_put(TABLE_I32, element + 8, number_of(TABLE_I32, content, random * 9));
    }
    for (uint32_t c = 0; c < type->components; c++, random = random * 1664525 + 1013904223) {
        uint8_t *at = element + c * bytes;
        bool any = content == TABLE_ANY && (!table_is_float(type->number) || type->number == TABLE_F64);
        table_put(type->number, at, number_of(type->number, content, random));
        if (any) memcpy(at, (uint32_t[]){random * 2654435761u, random * 40503u}, bytes);
        if (content == TABLE_FACTORS && !table_is_float(type->number)) memcpy(at, (uint32_t[]){random | 1, 0}, bytes);
    }
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* PERMUTED: by a prime that does not divide the modulus. */
static void fill_words(table_content content, uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        if (content == TABLE_FLAGS) words[k] = words[k] % 3 == 0 ? words[k] | 1 : 0;
        else if (content == TABLE_INDICES) words[k] %= 1010;
        else if (content == TABLE_PERMUTED)
            words[k] = (uint32_t)(k * ((count | 1) % 7919 == 0 ? 1 : 7919) % (count | 1));
        else if (content == TABLE_OFFSETS) words[k] = words[k] % 3001 / 2 * 2;
    }
    if (content == TABLE_OFFSETS) qsort(words, count, 4, by_value);
}

static void fill(table_call *call, uint32_t k)
{
    const table_array *array = &call->row->arrays[k];
    uint32_t bytes = bytes_of(array, call->type);
    uint64_t count = call->counts[k];
    uint32_t *randoms = malloc(4 * count + 4);
    assert_non_null(randoms);
    prim_random(randoms, count, (uint32_t)call->n + 17 * k + 3);
    if (array->content == TABLE_RESULT) {
        /* As prim_array does. */
    } else if (array->bytes == 4 || array->bits) {
        if (array->content != TABLE_ANY) fill_words(array->content, randoms, count);
        if (array->content == TABLE_WHOLE) {
            for (uint64_t i = 0; i < count; i++) randoms[i] >>= 28;
        }
        memcpy(call->data[k], randoms, 4 * count);
    } else {
        for (uint64_t i = 0; i < count; i++) {
            uint8_t *at = call->data[k] + i * bytes;
            bool again = array->content == TABLE_RUNS && i > 0 && (randoms[i] % 4 != 0 || i / 500 % 3 == 1);
            if (again) memcpy(at, at - bytes, bytes);
            else if (array->content == TABLE_UNTOUCHED) table_ones(call->type, at);
            else fill_element(call->type, array->content, randoms[i], at);
        }
    }
    free(randoms);
    if (array->content != TABLE_SORTED) return;
    for (uint64_t i = 1; i < count; i++) { /* by counting up: sorted data has 16 values at most */
        uint8_t element[16];
        uint64_t value = i * 16 / count;
        double place = (double)value - (call->type->number == TABLE_U32 ? 0 : 8);
        fill_element(call->type, TABLE_WHOLE, 0, element);
        table_put(call->type->number, element, place);
        memcpy(call->data[k] + i * bytes, element, bytes);
        if (i == 1) memcpy(call->data[k], element, bytes);
    }
}

/* ---- One call ------------------------------------------------------------------------------------------------------ */

static table_call call_of(prim_test *test, const table_row *row, const table_type *type, const how *h)
{
    table_call call = {.test = test, .row = row, .type = type, .n = h->n, .capacity = capacity_of(h)};
    for (uint32_t k = 0; k < TABLE_ARRAYS_MAX && row->arrays[k].name != NULL; k++) {
        call.counts[k] = count_of(&row->arrays[k], call.capacity);
        call.sizes[k] = (call.counts[k] * bytes_of(&row->arrays[k], type) + 3) / 4 * 4;
    }
    return call;
}

static uint32_t first_result(const table_row *row)
{
    uint32_t k = 0;
    while (row->arrays[k].content != TABLE_RESULT && row->arrays[k].content != TABLE_UNTOUCHED) k++;
    return k;
}

static void make_arrays(table_call *call, const how *h)
{
    const table_row *row = call->row;
    for (uint32_t k = 0; k < TABLE_ARRAYS_MAX && row->arrays[k].name != NULL; k++) {
        const table_array *array = &row->arrays[k];
        uint32_t bytes = bytes_of(array, call->type);
        uint64_t step = array->fixed && array->more == 2 ? 2 * bytes : bytes; /* both may be one element */
        uint64_t offset = (uint64_t)(h->offset + k) % 5 * (step < 4 ? 4 : step);
        if (h->offset == 0) offset = 0;
        call->data[k] = malloc(call->sizes[k] + 16);
        assert_non_null(call->data[k]);
        memset(call->data[k], 0x5a, call->sizes[k] + 16);
        fill(call, k);
        if (h->in_place && k == first_result(row)) {
            call->arrays[k] = call->arrays[0];
            memcpy(call->data[k], call->data[0], call->sizes[0]);
            continue;
        }
        call->arrays[k] =
            (h->roomy ? prim_roomy_array : prim_array)(call->test, array->name, call->data[k], call->sizes[k], offset);
    }
}

static const char *text_of(const table_call *call, const how *h)
{
    static char text[300];
    snprintf(text, sizeof text, "%s of %s, n %llu, %s, form %d, offset %u%s%s, limits %llu %llu", call->row->name,
             call->type->type.name, (unsigned long long)h->n, device_kinds[h->device].name, h->form, h->offset,
             h->roomy ? ", roomy" : "", h->in_place ? ", in place" : "", (unsigned long long)h->groups_limit,
             (unsigned long long)h->binding_limit);
    return text;
}

static bool is_near(const table_row *row, const uint8_t *got, const uint8_t *wanted)
{
    double x = table_get(TABLE_F32, got), y = table_get(TABLE_F32, wanted), error = x > y ? x - y : y - x;
    return row->tolerance > 0 && error <= row->tolerance * (1 + (y < 0 ? -y : y));
}

static void check_array(table_call *call, const how *h, uint32_t k, const uint8_t *wanted)
{
    uint8_t *got = malloc(call->sizes[k] + 4);
    assert_non_null(got);
    prim_read(call->test, call->arrays[k], got);
    for (uint64_t at = 0; at < call->sizes[k]; at++) {
        if (got[at] == wanted[at] || is_near(call->row, got + at / 4 * 4, wanted + at / 4 * 4)) continue;
        uint32_t bytes = bytes_of(&call->row->arrays[k], call->type);
        uint32_t words[2] = {0};
        memcpy(&words[0], got + at / 4 * 4, 4);
        memcpy(&words[1], wanted + at / 4 * 4, 4);
        fail_msg("%s: '%s' at element %llu of %llu (byte %llu) has the word 0x%x, not 0x%x", text_of(call, h),
                 call->row->arrays[k].name, (unsigned long long)(at / bytes), (unsigned long long)call->counts[k],
                 (unsigned long long)at, words[0], words[1]);
    }
    free(got);
}

static void check(table_call *call, const how *h)
{
    uint32_t first = first_result(call->row);
    for (uint32_t k = 0; k < TABLE_ARRAYS_MAX && call->row->arrays[k].name != NULL; k++) {
        if (h->in_place && k == 0) continue;
        check_array(call, h, h->in_place && k == first ? 0 : k, call->data[k]);
    }
}

/* In place only once: then the data are others. */
static void try_runs(const table_row *row, const table_type *type, const how *h, int runs)
{
    prim_test test = begin(h);
    table_call call = call_of(&test, row, type, h);
    make_arrays(&call, h);
    call.length = prim_length(&test, h->n, h->form);
    row->record(&call);
    if (test.record.status != TELAR_OK) fail_msg("%s: %s", text_of(&call, h), test.record.diag.text);
    row->expect(&call);
    for (int run = 0; run < runs; run++) {
        prim_run_dirty(&test, run == 0 ? 0xa5a5a5a5 : run == 1 ? 0 : UINT32_MAX);
        check(&call, h);
    }
    prim_end(&test);
    for (uint32_t k = 0; k < TABLE_ARRAYS_MAX; k++) free(call.data[k]);
}

static void try(const table_row *row, const table_type *type, const how *h)
{
    try_runs(row, type, h, h->in_place ? 1 : 3);
}

/* ---- Boundaries: found by asking what would be launched -------------------------------------------------------------- */

typedef struct launched {
    telar_status status;
    telar_diag diag;
    uint32_t dispatches;
    uint64_t groups;
    uint32_t rows; /* the most on a dispatch's second axis */
} launched;

static launched ask(const table_row *row, const table_type *type, const how *h)
{
    prim_test test = begin(h);
    table_call call = call_of(&test, row, type, h);
    test.prim.facts = &test.facts;
    test.prim.arena = &test.arena;
    for (uint32_t k = 0; k < TABLE_ARRAYS_MAX && row->arrays[k].name != NULL; k++) {
        telar_buffer_desc desc = {
            .name = row->arrays[k].name, .size_bytes = call.sizes[k] + 512, .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
        call.arrays[k] = (telar_array){telar_record_buffer(&test.record, &desc), 256, call.sizes[k]};
        if (h->in_place && k == first_result(row)) call.arrays[k] = call.arrays[0];
    }
    call.length.count = h->n;
    row->record(&call);
    launched got = {0};
    telar_recording recording;
    got.status = telar_record_end(&test.record, &recording, &got.diag);
    if (got.status == TELAR_OK)
        got.status = telar_recording_open(recording.words, recording.words_count, &recording, &got.diag);
    if (got.status == TELAR_OK) got.status = telar_recording_verify(recording, &test.facts.limits, &got.diag);
    if (got.status == TELAR_OK) {
        tl_cursor cursor = tl_cursor_begin(recording);
        for (tl_op op; tl_cursor_next(&cursor, &op);) {
            if (op.code != TL_OP_DISPATCH) continue;
            got.dispatches++;
            got.groups += (uint64_t)op.dispatch.x * op.dispatch.y * op.dispatch.z;
            if (op.dispatch.y > got.rows) got.rows = op.dispatch.y;
        }
    }
    prim_end(&test);
    return got;
}

typedef enum boundary {
    ANOTHER_GROUP, /* the first n for which more workgroups are launched than for one element */
    ANOTHER_WAY,   /* other dispatches */
    FOLD,          /* a dispatch of more than one row, where an axis has 3 workgroups */
    BINDING,       /* above one binding of 64 KiB */
    BOUNDARIES
} boundary;

/* How much of the table is tried. */
typedef struct effort {
    uint32_t calls;      /* of a row, besides those around boundaries */
    uint32_t types;      /* around whose boundaries is tried, and in place */
    uint32_t boundaries; /* of these */
} effort;

static const effort efforts[] = {{2, 1, 0}, {24, 2, BOUNDARIES}};
static const effort *made;

static how lowered(const how *h, boundary kind)
{
    how limited = *h;
    if (kind == FOLD) limited.groups_limit = 3;
    if (kind == BINDING) limited.binding_limit = 65536;
    return limited;
}

static bool is_behind(const table_row *row, const table_type *type, const how *h, boundary kind, const launched *of_one)
{
    launched now = ask(row, type, h);
    if (kind == ANOTHER_GROUP) return now.groups != of_one->groups;
    if (kind == ANOTHER_WAY) return now.dispatches != of_one->dispatches;
    if (kind == FOLD) return now.rows > 1;
    how unlimited = *h;
    unlimited.binding_limit = 0;
    launched without = ask(row, type, &unlimited);
    return now.status != without.status || now.dispatches != without.dispatches;
}

static uint64_t n_max(const table_row *row)
{
    return row->n_max == 0 ? 40000 : row->n_max;
}

/* The first n behind it, 0: there is none. */
static uint64_t behind(const table_row *row, const table_type *type, const how *h, boundary kind)
{
    how at = lowered(h, kind);
    at.n = 1;
    launched of_one = ask(row, type, &at);
    uint64_t before = 1, after = at.n = n_max(row);
    if (!is_behind(row, type, &at, kind, &of_one)) return 0;
    while (after - before > 1) {
        at.n = (before + after) / 2;
        if (is_behind(row, type, &at, kind, &of_one)) after = at.n;
        else before = at.n;
    }
    return after;
}

/* What does not fit one binding is cut, or refused with both numbers. */
static bool is_refused(const table_row *row, const table_type *type, const how *h)
{
    launched got = ask(row, type, h);
    if (got.status == TELAR_OK) return false;
    char numbers[2][32];
    snprintf(numbers[0], sizeof numbers[0], "%llu", (unsigned long long)got.diag.got);
    snprintf(numbers[1], sizeof numbers[1], "%llu", (unsigned long long)got.diag.limit);
    if (got.status != TELAR_LIMIT_EXCEEDED || strstr(got.diag.text, numbers[0]) == NULL ||
        strstr(got.diag.text, numbers[1]) == NULL)
        fail_msg("%s of %s, n %llu: %s", row->name, type->type.name, (unsigned long long)h->n, got.diag.text);
    return true;
}

static void try_around(const table_row *row, const table_type *type, const how *h)
{
    for (uint32_t kind = 0; kind < made->boundaries; kind++) {
        how at = lowered(h, (boundary)kind);
        if (kind == BINDING) at.offset = 0, at.roomy = false; /* as it is asked for: both take bytes of a binding */
        uint64_t first = behind(row, type, h, (boundary)kind);
        for (uint64_t n = first == 0 ? 1 : first - 1; first != 0 && n <= first + 1; n++) {
            at.n = n;
            if (kind == BINDING && is_refused(row, type, &at)) continue;
            try(row, type, &at);
        }
    }
}

/* ---- In place ------------------------------------------------------------------------------------------------------ */

static void try_in_place(const table_row *row, const table_type *type, how h)
{
    h.in_place = true;
    if (row->in_place) {
        try(row, type, &h);
        return;
    }
    launched got = ask(row, type, &h);
    if (got.status == TELAR_OK) fail_msg("%s of %s in place is not refused", row->name, type->type.name);
    assert_true(got.diag.text[0] != 0);
}

/* ---- Which calls are tried ------------------------------------------------------------------------------------------- */

/* Lengths around those of rows, subgroups and workgroups. */
static const uint64_t lengths[] = {0,  1,  2,  3,  4,   5,   7,   8,   9,   15,  16,   17,   31,  32,
                                   33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1025, 5003};

static bool is_for(const table_row *row, uint32_t type)
{
    bool has = table_types[type].number != TABLE_F16 || telar_host_dialect(gpu.host).f16;
    return (row->types >> type & 1) != 0 && has;
}

/* The numbers go through all combinations in time: of device, form, offset and room. */
static how how_of(const table_row *row, uint32_t turn)
{
    return (how){.device = (device_kind)(turn % DEVICE_KINDS),
                 .form = row->host_only ? PRIM_HOST : (prim_form)(turn / 3 % PRIM_FORMS),
                 .offset = turn % 5 < 2 ? 0 : turn % 5,
                 .roomy = turn % 3 != 1};
}

/* Lengths of the list by turns, or such that look random: what holds for all of them is that the call does what plain
 * loops do. */
static uint64_t length_of(const table_row *row, uint32_t turn)
{
    uint32_t random;
    prim_random(&random, 1, turn + 1);
    if (turn % 4 != 3) return lengths[turn * 11 % TL_COUNT(lengths)];
    return (random >> 4) % (n_max(row) >> random % 8);
}

static void try_row(void **state)
{
    const table_row *row = *state;
    uint32_t types[TABLE_TYPES], types_count = 0, begin = (uint32_t)strlen(row->name);
    for (uint32_t type = 0; type < TABLE_TYPES; type++) {
        if (is_for(row, type)) types[types_count++] = type;
    }
    for (uint32_t k = 0; k < made->calls && types_count > 0; k++) {
        how h = how_of(row, begin + k + k / types_count);
        h.n = length_of(row, begin + k);
        try(row, &table_types[types[k % types_count]], &h);
    }
    for (uint32_t k = 0; k < made->types && k < types_count; k++) {
        const table_type *type = &table_types[types[(begin + k) % types_count]];
        how h = how_of(row, begin + k);
        h.form = PRIM_HOST;
        try_around(row, type, &h);
        h.n = 5003;
        if (!row->no_place) try_in_place(row, type, h);
    }
}

/* As the device is, on a GPU by the path that waits; by rows of four, and not. Seconds a row, and some GiB of memory. */
static uint64_t large_n;

static void try_large(void **state)
{
    const table_row *row = *state;
    const telar_facts *facts = telar_host_facts(gpu.host);
    if (!row->large || facts->limits.maxBufferSize / 4 < large_n + 256) skip();
    how h = {.device = facts->type == TELAR_DEVICE_CPU ? CPU : GPU_WAITS, .n = large_n};
    for (h.offset = 0; h.offset < 2; h.offset++) {
        h.roomy = h.offset == 0;
        try_runs(row, &table_types[TABLE_TYPE_U32], &h, 1);
    }
}

static void print_rows(const table_row *rows)
{
    for (const table_row *row = rows; row->name != NULL; row++) {
        printf("| %s |", row->name);
        const char *between = " ";
        for (uint32_t type = 0; type < TABLE_TYPES; type++) {
            if ((row->types >> type & 1) == 0) continue;
            printf("%s%s", between, table_types[type].type.name);
            between = ", ";
        }
        printf(" | %s | %s |\n", row->host_only ? "no" : "yes",
               row->no_place   ? ""
               : row->in_place ? "right"
                               : "refused");
    }
}

int table_main(const table_row *rows, int argc, char **argv)
{
    struct CMUnitTest tests[100] = {0};
    size_t count = 0;
    const char *only = NULL;
    made = &efforts[0];
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--long") == 0) made = &efforts[1];
        else if (strncmp(argv[k], "--large=", 8) == 0) large_n = strtoull(argv[k] + 8, NULL, 10);
        else if (strcmp(argv[k], "--print") == 0) return print_rows(rows), 0;
        else only = argv[k];
    }
    for (const table_row *row = rows; row->name != NULL; row++) {
        if (only != NULL && strcmp(only, row->name) != 0) continue;
        TELAR_ASSERT(count < TL_COUNT(tests));
        tests[count++] = (struct CMUnitTest){
            .name = row->name, .test_func = large_n != 0 ? try_large : try_row, .initial_state = (void *)row};
    }
    return _cmocka_run_group_tests("table", tests, count, gpu_open, gpu_close);
}
