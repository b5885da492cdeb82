/* SPDX-License-Identifier: MIT
 *
 * How data meets WGSL variables: matching types, padding, packing, pictures, and generated data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "io/fit.h"
#include "io/source.h"

static tl_slot slot_of(tl_dtype scalar, uint32_t components, uint32_t stride)
{
    return (tl_slot){
        .name = "x", .type_text = "array<x>", .scalar = scalar, .components = components, .stride_bytes = stride};
}

static tl_array source_of(const char *source)
{
    tl_array array;
    telar_diag diag = {0};
    assert_int_equal(tl_source_open("--bind x", source, &array, &diag), TELAR_OK);
    return array;
}

static telar_status fit(const char *source, tl_slot slot, tl_array *array, tl_layout *layout)
{
    *array = source_of(source);
    telar_diag diag = {0};
    telar_status status = tl_fit("--bind x", &slot, array, layout, &diag);
    assert_true(status == TELAR_OK || diag.text[0] != 0);
    return status;
}

static void same_type_lies_as_it_is(void **state)
{
    (void)state;
    tl_array array;
    tl_layout layout;
    assert_int_equal(fit("f32:5x3:iota", slot_of(TL_DTYPE_F32, 1, 4), &array, &layout), TELAR_OK);
    assert_true(layout.elements == 15 && layout.buffer_bytes == 60);
    assert_true(layout.domain.axes == 2 && layout.domain.sizes[0] == 3 && layout.domain.sizes[1] == 5);
    assert_null(array.data); /* nothing was made for it */
    tl_array_close(&array);
    assert_int_equal(fit("vec2f:7", slot_of(TL_DTYPE_F32, 2, 8), &array, &layout), TELAR_OK);
    assert_true(layout.elements == 7 && layout.domain.axes == 1);
    tl_array_close(&array);
    assert_int_equal(fit("f32:14", slot_of(TL_DTYPE_F32, 2, 8), &array, &layout), TELAR_OK);
    assert_true(layout.elements == 7);
    tl_array_close(&array);
}

static void vec3_gets_room(void **state)
{
    (void)state;
    tl_array array;
    tl_layout layout;
    assert_int_equal(fit("vec3f:3:iota", slot_of(TL_DTYPE_F32, 3, 16), &array, &layout), TELAR_OK);
    assert_true(layout.buffer_bytes == 48 && layout.file_bytes == 36);
    const float expected[] = {0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0};
    assert_memory_equal(array.data, expected, sizeof expected);
    tl_array_close(&array);
}

static void small_elements_are_packed(void **state)
{
    (void)state;
    tl_array array;
    tl_layout layout;
    assert_int_equal(fit("u8:10:7", slot_of(TL_DTYPE_U32, 1, 4), &array, &layout), TELAR_OK);
    assert_true(layout.elements == 3 && layout.buffer_bytes == 12 && layout.file_bytes == 10);
    assert_int_equal(layout.dtype, TL_DTYPE_U8);
    tl_array_close(&array);
    assert_int_equal(fit("u8:8x5", slot_of(TL_DTYPE_U32, 1, 4), &array, &layout), TELAR_OK);
    assert_true(layout.domain.axes == 2 && layout.domain.sizes[0] == 5 && layout.domain.sizes[1] == 2);
    tl_array_close(&array);
    assert_int_equal(fit("u8:4x5x6", slot_of(TL_DTYPE_U32, 1, 4), &array, &layout), TELAR_OK);
    assert_true(layout.domain.axes == 2 && layout.domain.sizes[0] == 6 && layout.domain.sizes[1] == 5);
    tl_array_close(&array);
}

static void other_types_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        tl_dtype scalar;
        uint32_t components, stride;
    } rows[] = {
        {"f64:4", TL_DTYPE_F32, 1, 4},   {"f16:4", TL_DTYPE_F32, 1, 4},    {"i32:4", TL_DTYPE_U32, 1, 4},
        {"u32:4", TL_DTYPE_F32, 1, 4},   {"u64:4", TL_DTYPE_U32, 2, 8},    {"u8:4", TL_DTYPE_F32, 1, 4},
        {"f32:5", TL_DTYPE_F32, 2, 8},   {"f32:3x4", TL_DTYPE_F32, 4, 16}, {"u32:5", TL_DTYPE_BYTES, 1, 8},
        {"f64:4", TL_DTYPE_BYTES, 1, 8},
    };
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        tl_array array;
        tl_layout layout;
        telar_status status =
            fit(rows[k].source, slot_of(rows[k].scalar, rows[k].components, rows[k].stride), &array, &layout);
        assert_int_equal(status, TELAR_INVALID_DATA);
        tl_array_close(&array);
    }
}

static void fixed_sizes_are_kept(void **state)
{
    (void)state;
    tl_slot slot = slot_of(TL_DTYPE_F32, 1, 4);
    slot.fixed_elements = 4;
    tl_array array;
    tl_layout layout;
    assert_int_equal(fit("f32:4", slot, &array, &layout), TELAR_OK);
    tl_array_close(&array);
    assert_int_equal(fit("f32:5", slot, &array, &layout), TELAR_INVALID_DATA);
    tl_array_close(&array);
}

static void generated_data_is_the_same_in_any_part(void **state)
{
    (void)state;
    static const char *const sources[] = {"f32:1000:random:3", "u32:1000:random", "u8:1000:iota",     "f16:1000:random",
                                          "i64:1000:-7",       "f64:1000:iota",   "u16:1000:random:9"};
    for (size_t k = 0; k < TL_COUNT(sources); k++) {
        tl_array whole = source_of(sources[k]), parts = source_of(sources[k]);
        assert_int_equal(tl_array_settle(&whole, NULL), TELAR_OK);
        unsigned char scratch[64];
        for (uint64_t at = 0; at < parts.size_bytes; at += 40) {
            uint64_t bytes = parts.size_bytes - at < 40 ? parts.size_bytes - at : 40;
            assert_memory_equal(tl_array_part(&parts, at, scratch, bytes), whole.data + at, bytes);
        }
        tl_array_close(&whole);
        tl_array_close(&parts);
    }
}

static void random_floats_are_below_one(void **state)
{
    (void)state;
    tl_array array = source_of("f32:100000:random");
    assert_int_equal(tl_array_settle(&array, NULL), TELAR_OK);
    double sum = 0;
    for (size_t k = 0; k < 100000; k++) {
        float value;
        memcpy(&value, array.data + 4 * k, 4);
        assert_true(value >= 0 && value < 1);
        sum += (double)value;
    }
    assert_true(sum > 49000 && sum < 51000);
    tl_array_close(&array);
}

static void sources_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        telar_status status;
    } rows[] = {
        {"f32:", TELAR_INVALID_ARGUMENT},
        {"f32:-1", TELAR_INVALID_ARGUMENT},
        {"f32:1x2x3x4", TELAR_INVALID_ARGUMENT},
        {"f32:4:nope", TELAR_INVALID_ARGUMENT},
        {"u8:4:256", TELAR_OVERFLOWS},
        {"i8:4:-129", TELAR_OVERFLOWS},
        {"f33:4", TELAR_INVALID_ARGUMENT},
        {"f32", TELAR_INVALID_ARGUMENT},
        {"data.txt", TELAR_INVALID_ARGUMENT},
        {"missing.npy", TELAR_IO_FAILED},
        {"f32:4:random:x", TELAR_INVALID_ARGUMENT},
        {"f64:1_000_000G", TELAR_OVERFLOWS},
        {"f32:16Mix16Mix16Mi", TELAR_OVERFLOWS},
        {"vec5f:3", TELAR_INVALID_ARGUMENT},
    };
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        tl_array array;
        telar_diag diag = {0};
        assert_int_equal(tl_source_open("--bind x", rows[k].source, &array, &diag), rows[k].status);
        assert_true(diag.text[0] != 0);
    }
}

/* Every half there is goes to f32 and back. */
static void halves_go_round(void **state)
{
    (void)state;
    for (uint32_t word = 0; word < 65536; word++) {
        uint16_t in = (uint16_t)word, out;
        unsigned char bytes[2];
        memcpy(bytes, &in, 2);
        tl_half_put(tl_half_get(bytes), bytes);
        memcpy(&out, bytes, 2);
        bool nan = (in & 0x7C00) == 0x7C00 && (in & 0x3FF) != 0;
        assert_true(nan ? (out & 0x7E00) == 0x7E00 : in == out);
    }
    static const struct {
        float value;
        uint16_t half;
    } rows[] = {{65519.0f, 0x7BFF},       {65520.0f, 0x7C00}, {1.00048828125f, 0x3C00},
                {1.00146484375f, 0x3C02}, {2.98e-8f, 0x0000}, {2.99e-8f, 0x0001}};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        uint16_t half;
        tl_half_put(rows[k].value, (unsigned char *)&half);
        assert_int_equal(half, rows[k].half);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_type_lies_as_it_is),
        cmocka_unit_test(vec3_gets_room),
        cmocka_unit_test(small_elements_are_packed),
        cmocka_unit_test(other_types_are_refused),
        cmocka_unit_test(fixed_sizes_are_kept),
        cmocka_unit_test(generated_data_is_the_same_in_any_part),
        cmocka_unit_test(random_floats_are_below_one),
        cmocka_unit_test(sources_are_checked),
        cmocka_unit_test(halves_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
