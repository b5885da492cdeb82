/* SPDX-License-Identifier: MIT
 *
 * From a buffer to a file, part by part, so that a large result never lies in memory as a whole. Pictures do: libpng and
 * the conversion of their samples want rows. */
#include "io/fit.h"
#include "io/npy.h"
#include "io/png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PART_BYTES ((uint64_t)32 << 20)

typedef enum format {
    FORMAT_NONE,
    FORMAT_NPY,
    FORMAT_PNG,
    FORMAT_BIN
} format;

static format format_of(const char *path)
{
    if (strcmp(path, "-") == 0 || tl_path_ends(path, "npy")) return FORMAT_NPY;
    if (tl_path_ends(path, "png")) return FORMAT_PNG;
    return tl_path_ends(path, "bin") ? FORMAT_BIN : FORMAT_NONE;
}

typedef enum picture_kind {
    PICTURE_NONE,
    PICTURE_WORDS,
    PICTURE_COLORS,
    PICTURE_GRAYS
} picture_kind;

static picture_kind picture_kind_of(const tl_slot *slot)
{
    if (slot->scalar == TL_DTYPE_U32 && slot->components == 1) return PICTURE_WORDS;
    if (slot->scalar == TL_DTYPE_F32 && slot->components == 4) return PICTURE_COLORS;
    if (slot->scalar == TL_DTYPE_F32 && slot->components == 1) return PICTURE_GRAYS;
    return PICTURE_NONE;
}

telar_status tl_save_check(const char *path, const tl_slot *slot, const tl_layout *layout, telar_diag *diag)
{
    format wanted = format_of(path);
    if (wanted == FORMAT_NONE) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--out %s: '%.200s' has no ending that is known; allowed are .npy .png .bin and -", slot->name,
                       path);
    }
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) == 1) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--out %s: a .npy file does not go to a terminal; redirect standard output", slot->name);
    }
    if (wanted != FORMAT_PNG) return TELAR_OK;
    if (picture_kind_of(slot) == PICTURE_NONE) {
        return tl_fail(diag, TELAR_INVALID_DATA,
                       "--out %s: %s is no picture; allowed are array<u32>, array<vec4f> and array<f32>", slot->name,
                       slot->type_text);
    }
    if (layout->domain.axes == 2) return TELAR_OK;
    return tl_fail(diag, TELAR_INVALID_DATA,
                   "--out %s: a picture has two axes, this data has %u; give the count as WxH", slot->name,
                   layout->domain.axes);
}

/* ---- bytes --------------------------------------------------------------------------------------------------------- */

typedef struct saving {
    tl_output *output;
    const tl_layout *layout;
    tl_read_back *read_back;
    void *user;
    telar_diag *diag;
} saving;

/* Takes the room between elements away, in place. */
static uint64_t tighten(const tl_layout *layout, unsigned char *data, uint64_t bytes)
{
    uint64_t elements = bytes / layout->stride_bytes;
    for (uint64_t k = 1; k < elements; k++) {
        memmove(data + k * layout->tight_bytes, data + k * layout->stride_bytes, layout->tight_bytes);
    }
    return elements * layout->tight_bytes;
}

static telar_status save_bytes(const saving *save, bool padded, unsigned char *part, uint64_t part_bytes)
{
    const tl_layout *layout = save->layout;
    uint64_t total = padded ? layout->buffer_bytes : layout->file_bytes;
    for (uint64_t at = 0; at < total; at += part_bytes) {
        uint64_t bytes = total - at < part_bytes ? total - at : part_bytes;
        TELAR_TRY(save->read_back(save->user, at, part, bytes, save->diag));
        if (padded) bytes = tighten(layout, part, bytes);
        TELAR_TRY(tl_output_write(save->output, part, bytes, save->diag));
    }
    return TELAR_OK;
}

static telar_status save_raw(const saving *save, bool npy)
{
    const tl_layout *layout = save->layout;
    bool padded = npy && layout->tight_bytes != layout->stride_bytes;
    if (npy) {
        unsigned char header[TL_NPY_HEADER_BYTES_MAX];
        size_t bytes = tl_npy_header_make(layout->dtype, &layout->shape, header);
        TELAR_TRY(tl_output_write(save->output, header, bytes, save->diag));
    }
    saving whole = *save;
    tl_layout raw = *layout;
    /* A .bin is the variable's memory, with its padding. */
    if (!npy && layout->tight_bytes != layout->stride_bytes) raw.file_bytes = layout->buffer_bytes;
    whole.layout = &raw;
    uint64_t part_bytes = PART_BYTES / layout->stride_bytes * layout->stride_bytes;
    if (part_bytes == 0) part_bytes = layout->stride_bytes;
    void *part;
    TELAR_TRY(tl_array_alloc(save->output->path, part_bytes, &part, save->diag));
    telar_status status = save_bytes(&whole, padded, part, part_bytes);
    free(part);
    return status;
}

/* ---- pictures ------------------------------------------------------------------------------------------------------ */

/* A sample of 0 to 1 as one of 0 to `most`; what is no number is black. */
static uint32_t quantised(const unsigned char *at, uint32_t most)
{
    float value;
    memcpy(&value, at, 4);
    if (!(value > 0)) return 0;
    if (value >= 1) return most;
    return (uint32_t)lrint((double)value * most);
}

/* In place: four bytes become one or two. */
static void quantise(unsigned char *data, uint64_t samples, bool deep)
{
    for (uint64_t k = 0; k < samples; k++) {
        uint32_t value = quantised(data + 4 * k, deep ? 65535 : 255);
        uint16_t word = (uint16_t)value;
        if (deep) {
            memcpy(data + 2 * k, &word, 2);
        } else {
            data[k] = (unsigned char)value;
        }
    }
}

static telar_status save_picture(const saving *save, picture_kind kind)
{
    const tl_layout *layout = save->layout;
    uint64_t height = layout->domain.sizes[0], width = layout->domain.sizes[1];
    if (width > TL_PNG_SIDE_MAX || height > TL_PNG_SIDE_MAX) {
        return tl_fail_limit(save->diag, TELAR_LIMIT_EXCEEDED, width > height ? width : height, TL_PNG_SIDE_MAX,
                             "%s: a .png has at most %d pixels on a side (%llux%llu)", save->output->path,
                             TL_PNG_SIDE_MAX, (unsigned long long)width, (unsigned long long)height);
    }
    void *pixels;
    TELAR_TRY(tl_array_alloc(save->output->path, layout->buffer_bytes, &pixels, save->diag));
    telar_status status = save->read_back(save->user, 0, pixels, layout->buffer_bytes, save->diag);
    tl_png_rows rows = {.width = (uint32_t)width,
                        .height = (uint32_t)height,
                        .channels = kind == PICTURE_GRAYS ? 1 : 4,
                        .depth = layout->deep && kind != PICTURE_WORDS ? 16 : 8,
                        .pixels = pixels};
    if (status == TELAR_OK && kind != PICTURE_WORDS) quantise(pixels, width * height * rows.channels, rows.depth == 16);
    if (status == TELAR_OK) status = tl_png_write(save->output, &rows, save->diag);
    free(pixels);
    return status;
}

telar_status tl_save(const char *path, tl_output *output, const tl_slot *slot, const tl_layout *layout,
                     tl_read_back *read_back, void *user, telar_diag *diag)
{
    saving save = {output, layout, read_back, user, diag};
    format wanted = format_of(path);
    if (wanted == FORMAT_PNG) return save_picture(&save, picture_kind_of(slot));
    return save_raw(&save, wanted == FORMAT_NPY);
}
