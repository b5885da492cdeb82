/* SPDX-License-Identifier: MIT
 *
 * .npy files: headers of all versions and orders, conversions, and files that lie about themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/npy.h"

typedef struct bytes {
    unsigned char data[4096];
    size_t len;
} bytes;

/* A file of this version with this dictionary, padded as numpy does, then the payload. */
static bytes file_of(unsigned version, const char *dictionary, const void *payload, size_t payload_bytes)
{
    bytes file = {.data = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0}};
    size_t text = strlen(dictionary), prefix = version == 1 ? 10 : 12;
    size_t total = (prefix + text + 1 + 63) / 64 * 64;
    size_t length = total - prefix;
    file.data[8] = (unsigned char)length;
    file.data[9] = (unsigned char)(length >> 8);
    memset(file.data + prefix, ' ', length);
    memcpy(file.data + prefix, dictionary, text);
    file.data[total - 1] = '\n';
    if (payload_bytes > 0) memcpy(file.data + total, payload, payload_bytes);
    file.len = total + payload_bytes;
    return file;
}

static telar_status header_of(bytes file, tl_npy_header *header)
{
    telar_diag diag = {0};
    telar_status status = tl_npy_header_read("x.npy", file.data, file.len, header, &diag);
    assert_true((status == TELAR_OK) == (diag.text[0] == 0));
    return status;
}

/* The array that a file in memory gives; the caller closes it. */
static tl_array array_of(bytes file)
{
    tl_file opened = {.data = malloc(file.len), .size_bytes = file.len};
    assert_non_null(opened.data);
    memcpy((void *)(uintptr_t)opened.data, file.data, file.len);
    tl_array array;
    telar_diag diag = {0};
    assert_int_equal(tl_npy_from_file("x.npy", &opened, &array, &diag), TELAR_OK);
    return array;
}

static void reads_every_dtype(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        tl_dtype dtype;
    } rows[] = {{"<f4", TL_DTYPE_F32}, {"<f2", TL_DTYPE_F16}, {"<f8", TL_DTYPE_F64}, {"|i1", TL_DTYPE_I8},
                {"<i2", TL_DTYPE_I16}, {"<i4", TL_DTYPE_I32}, {"<i8", TL_DTYPE_I64}, {"|u1", TL_DTYPE_U8},
                {"<u2", TL_DTYPE_U16}, {"<u4", TL_DTYPE_U32}, {"<u8", TL_DTYPE_U64}, {"|b1", TL_DTYPE_BOOL},
                {"=i4", TL_DTYPE_I32}, {">i4", TL_DTYPE_I32}};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        char text[128];
        unsigned char payload[48] = {0};
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }", rows[k].descr);
        for (unsigned version = 1; version <= 3; version++) {
            tl_npy_header header;
            assert_int_equal(header_of(file_of(version, text, payload, sizeof payload), &header), TELAR_OK);
            assert_int_equal(header.dtype, rows[k].dtype);
            assert_true(header.elements == 6 && header.shape.axes == 2 && header.shape.sizes[1] == 3);
            assert_true(header.big_endian == (rows[k].descr[0] == '>'));
        }
    }
}

static void reads_dictionaries_as_python_would(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{'shape':(4,),'fortran_order':False,'descr':'<f4'}",
        "{ \"descr\" : \"<f4\" , \"fortran_order\" : False , \"shape\" : ( 4 , ) , }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4L,), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}",
    };
    unsigned char payload[16] = {0};
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        tl_npy_header header;
        assert_int_equal(header_of(file_of(1, texts[k], payload, 16), &header), TELAR_OK);
        assert_true(header.elements == 4);
    }
    tl_npy_header header;
    assert_int_equal(
        header_of(file_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", payload, 4), &header), TELAR_OK);
    assert_true(header.elements == 1 && header.shape.axes == 0);
    assert_int_equal(
        header_of(file_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 5)}", NULL, 0), &header), TELAR_OK);
    assert_true(header.elements == 0);
}

static void refuses_bad_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        telar_status status;
    } rows[] = {
        {"", TELAR_INVALID_DATA},
        {"{}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': False}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (4,)}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 4}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,", TELAR_INVALID_DATA},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (4,)}", TELAR_UNSUPPORTED},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'more': 1}", TELAR_INVALID_DATA},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", TELAR_INVALID_DATA}, /* 16 bytes are there */
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", TELAR_OVERFLOWS},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6148914691236517206, 3)}", TELAR_OVERFLOWS},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}", TELAR_OVERFLOWS},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}", TELAR_UNSUPPORTED},
        {"{'descr': '|V16', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
        {"{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
        {"{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,)}", TELAR_UNSUPPORTED},
    };
    unsigned char payload[16] = {0};
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        tl_npy_header header;
        assert_int_equal(header_of(file_of(1, rows[k].text, payload, sizeof payload), &header), rows[k].status);
        assert_true(header.elements == 0);
    }
}

static void refuses_every_truncation(void **state)
{
    (void)state;
    unsigned char payload[16] = {0};
    bytes whole = file_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", payload, sizeof payload);
    for (size_t len = 0; len < whole.len; len++) {
        bytes cut = whole;
        cut.len = len;
        tl_npy_header header;
        assert_int_equal(header_of(cut, &header), TELAR_INVALID_DATA);
    }
    bytes longer = file_of(2, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", payload, sizeof payload);
    memset(longer.data + 8, 0xFF, 4);
    tl_npy_header header;
    assert_int_equal(header_of(longer, &header), TELAR_INVALID_DATA);
    longer.data[6] = 4;
    assert_int_equal(header_of(longer, &header), TELAR_UNSUPPORTED);
}

static void turns_big_endian(void **state)
{
    (void)state;
    const unsigned char payload[] = {1, 2, 3, 4, 5, 6, 7, 8};
    tl_array array = array_of(file_of(1, "{'descr': '>u4', 'fortran_order': False, 'shape': (2,)}", payload, 8));
    uint32_t values[2];
    memcpy(values, array.data, 8);
    assert_true(values[0] == 0x01020304 && values[1] == 0x05060708);
    tl_array_close(&array);
}

/* Element (i, j, k) holds 100 i + 10 j + k, whatever the order in the file. */
static void turns_fortran_order(void **state)
{
    (void)state;
    enum {
        A = 3,
        B = 4,
        C = 5
    };
    uint16_t file[A * B * C];
    for (size_t i = 0; i < A; i++) {
        for (size_t j = 0; j < B; j++) {
            for (size_t k = 0; k < C; k++) file[i + A * (j + B * k)] = (uint16_t)(100 * i + 10 * j + k);
        }
    }
    tl_array array =
        array_of(file_of(1, "{'descr': '<u2', 'fortran_order': True, 'shape': (3, 4, 5)}", file, sizeof file));
    assert_int_equal(array.shape.axes, 3);
    for (size_t i = 0; i < A; i++) {
        for (size_t j = 0; j < B; j++) {
            for (size_t k = 0; k < C; k++) {
                uint16_t value;
                memcpy(&value, array.data + 2 * (k + C * (j + B * i)), 2);
                assert_int_equal(value, 100 * i + 10 * j + k);
            }
        }
    }
    tl_array_close(&array);
}

static void turns_large_planes(void **state)
{
    (void)state;
    enum {
        ROWS = 17,
        COLUMNS = 83
    };
    unsigned char file[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) file[i + ROWS * j] = (unsigned char)(i * 7 + j);
    }
    tl_array array =
        array_of(file_of(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (17, 83)}", file, sizeof file));
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) assert_int_equal(array.data[j + COLUMNS * i], (unsigned char)(i * 7 + j));
    }
    tl_array_close(&array);
}

static void reads_complex_as_pairs(void **state)
{
    (void)state;
    const float payload[] = {1, 2, 3, 4};
    tl_array array = array_of(file_of(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}", payload, 16));
    assert_int_equal(array.dtype, TL_DTYPE_F32);
    assert_true(array.shape.axes == 2 && array.shape.sizes[0] == 2 && array.shape.sizes[1] == 2);
    tl_array_close(&array);
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    const tl_shape shapes[] = {{0, {0}}, {1, {7}}, {3, {2, 0, 5}}, {2, {3, 1000000}}};
    for (size_t k = 0; k < TL_COUNT(shapes); k++) {
        for (int dtype = TL_DTYPE_BYTES + 1; dtype < TL_DTYPE_COUNT; dtype++) {
            unsigned char *file = calloc(1, 1024 + 24000000);
            assert_non_null(file);
            size_t head = tl_npy_header_make((tl_dtype)dtype, &shapes[k], file);
            assert_true(head % 64 == 0);
            tl_npy_header header;
            telar_diag diag = {0};
            assert_int_equal(tl_npy_header_read("x.npy", file, head + 24000000, &header, &diag), TELAR_OK);
            assert_int_equal(header.dtype, dtype);
            assert_int_equal(header.data_offset, head);
            assert_memory_equal(header.shape.sizes, shapes[k].sizes, shapes[k].axes * sizeof(uint64_t));
            free(file);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_dtype),    cmocka_unit_test(reads_dictionaries_as_python_would),
        cmocka_unit_test(refuses_bad_headers),  cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(turns_big_endian),     cmocka_unit_test(turns_fortran_order),
        cmocka_unit_test(turns_large_planes),   cmocka_unit_test(reads_complex_as_pairs),
        cmocka_unit_test(writes_what_it_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
