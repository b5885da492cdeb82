/* SPDX-License-Identifier: MIT
 *
 * Pictures: what is written comes back, every truncation and every flipped byte is survived. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/png.h"

#define PICTURE "test_io_png.tmp.png"

static void write_picture(const tl_png_rows *rows)
{
    tl_output output;
    telar_diag diag = {0};
    assert_int_equal(tl_output_begin(PICTURE, &output, &diag), TELAR_OK);
    assert_int_equal(tl_png_write(&output, rows, &diag), TELAR_OK);
    assert_int_equal(tl_output_commit(&output, &diag), TELAR_OK);
}

static telar_status read_picture(tl_array *array)
{
    tl_file file;
    telar_diag diag = {0};
    assert_int_equal(tl_file_open(PICTURE, &file, &diag), TELAR_OK);
    return tl_png_from_file(PICTURE, &file, array, &diag);
}

static void comes_back_in_colour(void **state)
{
    (void)state;
    unsigned char pixels[3 * 5 * 4];
    for (size_t k = 0; k < sizeof pixels; k++) pixels[k] = (unsigned char)(k * 11);
    write_picture(&(tl_png_rows){.width = 5, .height = 3, .channels = 4, .depth = 8, .pixels = pixels});
    tl_array array;
    assert_int_equal(read_picture(&array), TELAR_OK);
    assert_true(array.picture && !array.gray && array.dtype == TL_DTYPE_U8);
    assert_true(array.shape.sizes[0] == 3 && array.shape.sizes[1] == 5 && array.shape.sizes[2] == 4);
    assert_memory_equal(array.data, pixels, sizeof pixels);
    tl_array_close(&array);
    unlink(PICTURE);
}

static void keeps_sixteen_bits(void **state)
{
    (void)state;
    uint16_t pixels[2 * 2 * 4];
    for (size_t k = 0; k < TL_COUNT(pixels); k++) pixels[k] = (uint16_t)(k * 4099);
    write_picture(&(tl_png_rows){.width = 2, .height = 2, .channels = 4, .depth = 16, .pixels = (void *)pixels});
    tl_array array;
    assert_int_equal(read_picture(&array), TELAR_OK);
    assert_int_equal(array.dtype, TL_DTYPE_U16);
    assert_memory_equal(array.data, pixels, sizeof pixels);
    tl_array_close(&array);
    unlink(PICTURE);
}

static void expands_gray(void **state)
{
    (void)state;
    const unsigned char pixels[] = {0, 128, 255};
    write_picture(&(tl_png_rows){.width = 3, .height = 1, .channels = 1, .depth = 8, .pixels = pixels});
    tl_array array;
    assert_int_equal(read_picture(&array), TELAR_OK);
    assert_true(array.gray);
    const unsigned char expected[] = {0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255};
    assert_memory_equal(array.data, expected, sizeof expected);
    tl_array_close(&array);
    unlink(PICTURE);
}

static telar_status read_bytes(const unsigned char *bytes, size_t len)
{
    tl_file file = {.data = malloc(len > 0 ? len : 1), .size_bytes = len};
    assert_non_null(file.data);
    memcpy((void *)(uintptr_t)file.data, bytes, len);
    tl_array array;
    telar_diag diag = {0};
    telar_status status = tl_png_from_file("x.png", &file, &array, &diag);
    assert_true(status == TELAR_OK || diag.text[0] != 0);
    tl_array_close(&array);
    return status;
}

static void survives_damage(void **state)
{
    (void)state;
    unsigned char pixels[8 * 8 * 4];
    for (size_t k = 0; k < sizeof pixels; k++) pixels[k] = (unsigned char)(k * 37);
    write_picture(&(tl_png_rows){.width = 8, .height = 8, .channels = 4, .depth = 8, .pixels = pixels});
    tl_file file;
    assert_int_equal(tl_file_open(PICTURE, &file, NULL), TELAR_OK);
    size_t len = (size_t)file.size_bytes;
    unsigned char *copy = malloc(len);
    assert_non_null(copy);
    for (size_t cut = 0; cut < len; cut++) assert_int_equal(read_bytes(file.data, cut), TELAR_INVALID_DATA);
    for (size_t at = 0; at < len; at++) {
        memcpy(copy, file.data, len);
        copy[at] ^= 0x55;
        read_bytes(copy, len); /* most are refused by their checksum; none may do harm */
    }
    free(copy);
    tl_file_close(&file);
    unlink(PICTURE);
}

/* 2^31 - 1 pixels a side in a file of 60 bytes. */
static void refuses_boasting(void **state)
{
    (void)state;
    const unsigned char head[] = {0x89, 'P',  'N',  'G',  13,   10,   26,   10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0x7F,
                                  0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 8,  6, 0, 0, 0,  0,   0,   0,   0};
    assert_int_equal(read_bytes(head, sizeof head), TELAR_INVALID_DATA);
    assert_int_equal(read_bytes((const unsigned char *)"GIF89a..", 8), TELAR_INVALID_DATA);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    unsigned char *pixels = calloc(1000, 4000);
    assert_non_null(pixels);
    for (size_t k = 0; k < 4000000; k++) pixels[k] = (unsigned char)(k * k >> 7);
    tl_output output;
    telar_diag diag = {0};
    assert_int_equal(tl_output_begin("/dev/full", &output, &diag), TELAR_OK);
    tl_png_rows rows = {.width = 1000, .height = 1000, .channels = 4, .depth = 8, .pixels = pixels};
    assert_int_equal(tl_png_write(&output, &rows, &diag), TELAR_IO_FAILED);
    tl_output_abandon(&output);
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_in_colour), cmocka_unit_test(keeps_sixteen_bits),
        cmocka_unit_test(expands_gray),         cmocka_unit_test(survives_damage),
        cmocka_unit_test(refuses_boasting),     cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
