/* SPDX-License-Identifier: MIT
 *
 * partition, find_if, lower_bound and upper_bound against plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "prim.h"

static const uint64_t lengths[] = {0, 1, 3, 33, 2047, 2048, 2049, 100003};

/* ---- partition --------------------------------------------------------------------------------------------------- */

static void part(uint64_t n, uint32_t sets, bool flagged, prim_path path, prim_form form, uint64_t offset_bytes)
{
    prim_test test = prim_begin(path);
    uint64_t room = prim_capacity(n, form), filled = 0;
    uint32_t *data = malloc(4 * room + 4), *flags = malloc(4 * room + 4), *right = malloc(4 * room + 4);
    uint32_t *got = malloc(4 * room + 4), counts[2] = {0}, got_counts[2] = {0};
    prim_random(data, room, (uint32_t)n + 1);
    for (uint64_t k = 0; k < room; k++) flags[k] = data[k] % 7 < 3 ? k % 2 + 1 : 0;
    for (uint32_t set = 0; set <= sets; set++) {
        for (uint64_t k = 0; k < n; k++) {
            bool first = data[k] % 7 < 3, second = sets == 2 && (data[k] % 7 == 5 || k % 3 == 0);
            uint32_t of = first ? 0 : second ? 1 : sets;
            if (of != set) continue;
            right[filled++] = data[k];
            if (set < sets) counts[set]++;
        }
    }
    telar_partition_desc desc = {.length = prim_length(&test, n, form)};
    desc.in = prim_array(&test, "in", data, 4 * room, offset_bytes);
    if (flagged) desc.flags = prim_array(&test, "flags", flags, 4 * room, offset_bytes);
    else desc.first = "x % 7u < 3u";
    if (sets == 2) desc.second = "x % 7u == 5u || i % 3u == 0u";
    desc.out = prim_array(&test, "out", NULL, 4 * room, offset_bytes);
    desc.counts = prim_array(&test, "counts", NULL, 4 * sets, offset_bytes);
    telar_record_partition(&test.record, &test.prim, &desc);
    for (int run = 0; run < 2; run++) {
        prim_run(&test);
        prim_read(&test, desc.counts, got_counts);
        prim_read(&test, desc.out, got);
        for (uint32_t set = 0; set < sets; set++) {
            if (got_counts[set] != counts[set])
                fail_msg("n %llu, set %u: %u, not %u", (unsigned long long)n, set, got_counts[set], counts[set]);
        }
        for (uint64_t k = 0; k < room; k++) {
            uint32_t word = k < n ? right[k] : 0x5a5a5a5a;
            if (got[k] != word)
                fail_msg("n %llu, sets %u: [%llu] %u, not %u", (unsigned long long)n, sets, (unsigned long long)k,
                         got[k], word);
        }
    }
    prim_end(&test);
    free(data);
    free(flags);
    free(right);
    free(got);
}

static void partitions(void **state)
{
    (void)state;
    for (size_t k = 0; k < TL_COUNT(lengths); k++) {
        for (uint32_t kind = 0; kind < 3; kind++) {
            part(lengths[k], kind == 2 ? 2 : 1, kind == 1, (prim_path)((k + kind) % 2), (prim_form)(k % PRIM_FORMS),
                 4 * (k % 5));
        }
    }
}

/* ---- find_if ----------------------------------------------------------------------------------------------------- */

/* One element that is asked for at `at`, and more behind it; n: none. */
static void find(uint64_t n, uint64_t at, prim_path path, prim_form form, uint64_t offset_bytes)
{
    prim_test test = prim_begin(path);
    uint64_t room = prim_capacity(n, form);
    uint32_t *data = malloc(4 * room + 4), got = 0;
    prim_random(data, room, 21);
    for (uint64_t k = 0; k < room; k++) data[k] = k < at || (k > at && k % 3 != 0) ? data[k] | 1 : 2;
    telar_find_if_desc desc = {.length = prim_length(&test, n, form), .where = "x == 2u"};
    desc.in = prim_array(&test, "in", data, 4 * room, offset_bytes);
    desc.out = prim_array(&test, "found", NULL, 4, offset_bytes);
    telar_record_find_if(&test.record, &test.prim, &desc);
    for (int run = 0; run < 2; run++) {
        prim_run(&test);
        prim_read(&test, desc.out, &got);
        uint64_t right = at < n ? at : n;
        if (got != right)
            fail_msg("n %llu: found at %u, not %llu", (unsigned long long)n, got, (unsigned long long)right);
    }
    prim_end(&test);
    free(data);
}

static void finds(void **state)
{
    (void)state;
    for (size_t k = 0; k < TL_COUNT(lengths); k++) {
        uint64_t n = lengths[k];
        find(n, n, (prim_path)(k % 2), (prim_form)(k % PRIM_FORMS), 4 * (k % 5));
        find(n, 0, (prim_path)(k % 2), (prim_form)((k + 1) % PRIM_FORMS), 0);
        find(n, n / 2, (prim_path)((k + 1) % 2), (prim_form)((k + 2) % PRIM_FORMS), 4);
    }
}

/* ---- lower_bound, upper_bound ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void bound(uint64_t n, uint64_t sorted_count, bool upper, bool own, prim_form form)
{
    prim_test test = prim_begin(PRIM_AS_IS);
    uint64_t room = prim_capacity(n, form);
    uint32_t *data = malloc(4 * room + 4), *sorted = malloc(4 * sorted_count + 4), *got = malloc(4 * room + 4);
    prim_random(data, room, 31);
    prim_random(sorted, sorted_count, 32);
    for (uint64_t k = 0; k < room; k++) data[k] %= 1000;
    for (uint64_t k = 0; k < sorted_count; k++) sorted[k] %= 900;
    qsort(sorted, sorted_count, 4, by_value);
    telar_bound_desc desc = {.length = prim_length(&test, n, form), .sorted_count = sorted_count, .upper = upper};
    if (own) desc.less = "a / 10u < b / 10u";
    desc.in = prim_array(&test, "in", data, 4 * room, 4);
    desc.sorted = prim_array(&test, "sorted", sorted, 4 * sorted_count, 8);
    desc.out = prim_array(&test, "out", NULL, 4 * room, 0);
    telar_record_bound(&test.record, &test.prim, &desc);
    prim_run(&test);
    prim_read(&test, desc.out, got);
    for (uint64_t k = 0; k < n; k++) {
        uint32_t right = 0, divide = own ? 10 : 1;
        for (uint64_t i = 0; i < sorted_count; i++) {
            uint32_t x = data[k] / divide, y = sorted[i] / divide;
            if (upper ? y <= x : y < x) right++;
        }
        if (got[k] != right) fail_msg("bound of %u: %u, not %u", data[k], got[k], right);
    }
    prim_end(&test);
    free(data);
    free(sorted);
    free(got);
}

static void bounds(void **state)
{
    static const uint64_t sorted_counts[] = {0, 1, 2, 3, 4, 255, 256, 1000};
    (void)state;
    for (size_t k = 0; k < TL_COUNT(sorted_counts); k++) {
        bound(k == 0 ? 0 : 1500, sorted_counts[k], k % 2 == 0, k % 3 == 0, (prim_form)(k % PRIM_FORMS));
        bound(333, sorted_counts[k], k % 2 != 0, k % 3 == 1, PRIM_HOST);
    }
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refusals(void **state)
{
    const telar_array some = {.buffer = {1}};
    static const struct {
        telar_status status;
        const char *text;
    } refused[] = {
        {TELAR_INVALID_ARGUMENT, "one of 'first' and 'flags'"},
        {TELAR_INVALID_ARGUMENT, "'second' needs 'first'"},
        {TELAR_INVALID_ARGUMENT, "no 'where'"},
        {TELAR_LIMIT_EXCEEDED, "2^32 - 1"},
        {TELAR_LIMIT_EXCEEDED, "2^32 - 1"},
    };
    (void)state;
    for (size_t k = 0; k < TL_COUNT(refused); k++) {
        prim_test test = prim_begin(PRIM_AS_IS);
        prim_array(&test, "some", NULL, 64, 0);
        telar_partition_desc two = {.length = {.count = 5}, .in = some, .out = some, .counts = some};
        if (k == 1) two.flags = some, two.second = "true";
        telar_find_if_desc found = {.length = {.count = 5}, .in = some, .out = some};
        if (k == 3) found.length.count = UINT64_C(1) << 32, found.where = "true";
        telar_bound_desc places = {.length = {.count = 5}, .in = some, .sorted = some, .out = some};
        places.sorted_count = UINT64_C(1) << 32;
        if (k < 2) telar_record_partition(&test.record, &test.prim, &two);
        else if (k < 4) telar_record_find_if(&test.record, &test.prim, &found);
        else telar_record_bound(&test.record, &test.prim, &places);
        prim_refused(&test, refused[k].status);
        if (strstr(gpu.diag.text, refused[k].text) == NULL) fail_msg("%s", gpu.diag.text);
        prim_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions),
        cmocka_unit_test(finds),
        cmocka_unit_test(bounds),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, gpu_open, gpu_close);
}
