/* SPDX-License-Identifier: MIT
 *
 * Any bytes are a picture or refused. Checksums are put right first, so that damage reaches the decoder. */
#include "io/fit.h"
#include "io/png.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static uint32_t checksum(const uint8_t *data, size_t size)
{
    uint32_t rest = UINT32_MAX;
    for (size_t k = 0; k < size; k++) {
        rest ^= data[k];
        for (unsigned bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (0xEDB88320u & (0u - (rest & 1)));
    }
    return ~rest;
}

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void mend_checksums(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        uint32_t length = big_endian(data + at);
        if (length > size - at - 12) return;
        uint32_t sum = checksum(data + at + 4, length + 4);
        for (unsigned k = 0; k < 4; k++) data[at + 8 + length + k] = (uint8_t)(sum >> (24 - 8 * k));
        at += 12 + (size_t)length;
    }
}

static void fit_to(const uint8_t *data, size_t size, tl_dtype scalar, uint32_t components, uint32_t stride)
{
    tl_file file = {.data = malloc(size + 1), .size_bytes = size};
    require(file.data != NULL);
    memcpy((void *)(uintptr_t)file.data, data, size);
    mend_checksums((uint8_t *)(uintptr_t)file.data, size);
    tl_array array;
    telar_diag diag = {0};
    telar_status status = tl_png_from_file("fuzz.png", &file, &array, &diag);
    require((status == TELAR_OK) == (diag.text[0] == 0));
    if (status != TELAR_OK) return;
    tl_slot slot = {
        .name = "x", .type_text = "array<x>", .scalar = scalar, .components = components, .stride_bytes = stride};
    tl_layout layout;
    if (tl_fit("--bind x", &slot, &array, &layout, &diag) == TELAR_OK) require(array.size_bytes == layout.buffer_bytes);
    tl_array_close(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A picture may be a thousand times as large as its file: that is slow, and no fault. */
    if (size >= 24 && (uint64_t)big_endian(data + 16) * big_endian(data + 20) > 1u << 20) return 0;
    fit_to(data, size, TL_DTYPE_U32, 1, 4);
    fit_to(data, size, TL_DTYPE_F32, 4, 16);
    fit_to(data, size, TL_DTYPE_F32, 1, 4);
    return 0;
}
