/* SPDX-License-Identifier: MIT
 *
 * Any bytes are a .npy file or refused. Of what is read every byte is touched, fitted to variables of several types, and
 * its header is written and read again. */
#include "io/fit.h"
#include "io/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static bool open_copy(const uint8_t *data, size_t size, tl_array *array)
{
    tl_file file = {.data = malloc(size + 1), .size_bytes = size};
    require(file.data != NULL);
    memcpy((void *)(uintptr_t)file.data, data, size);
    telar_diag diag = {0};
    telar_status status = tl_npy_from_file("fuzz.npy", &file, array, &diag);
    require((status == TELAR_OK) == (diag.text[0] == 0));
    require(file.data == NULL);
    return status == TELAR_OK;
}

static void write_again(const tl_array *array)
{
    unsigned char header[TL_NPY_HEADER_BYTES_MAX + 1];
    size_t bytes = tl_npy_header_make(array->dtype, &array->shape, header);
    tl_npy_header read;
    telar_diag diag = {0};
    telar_status status = tl_npy_header_read("again.npy", header, bytes, &read, &diag);
    require(status == TELAR_OK || array->size_bytes > 0);
}

static volatile unsigned touched;

static void fit_to(const uint8_t *data, size_t size, tl_dtype scalar, uint32_t components, uint32_t stride)
{
    tl_array array;
    if (!open_copy(data, size, &array)) return;
    tl_slot slot = {
        .name = "x", .type_text = "array<x>", .scalar = scalar, .components = components, .stride_bytes = stride};
    tl_layout layout;
    telar_diag diag = {0};
    if (tl_fit("--bind x", &slot, &array, &layout, &diag) == TELAR_OK) {
        require(array.size_bytes <= layout.buffer_bytes);
        for (uint64_t k = 0; k < array.size_bytes; k++) touched += array.data[k];
    }
    tl_array_close(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tl_array array;
    if (!open_copy(data, size, &array)) return 0;
    write_again(&array);
    tl_array_close(&array);
    fit_to(data, size, TL_DTYPE_F32, 1, 4);
    fit_to(data, size, TL_DTYPE_F32, 3, 16);
    fit_to(data, size, TL_DTYPE_U32, 1, 4);
    fit_to(data, size, TL_DTYPE_BYTES, 1, 8);
    return 0;
}
