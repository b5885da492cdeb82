/* SPDX-License-Identifier: MIT
 *
 * libpng reports errors by longjmp. Each jump is caught in the one small function that set it, whose locals are not
 * changed after setjmp; all that must survive lives in the caller's struct. */
#include "io/png.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct png_input {
    const char *name;
    const unsigned char *at;
    uint64_t left;
    char error[120];
    png_structp png;
    png_infop info;
    uint32_t width, height;
    unsigned char *pixels;
    png_bytep *rows;
    size_t row_bytes;
    bool deep, gray;
    telar_status status; /* of what is no error of libpng's */
} png_input;

static void keep_error(char *error, size_t cap, const char *text)
{
    telar_out out = {.data = error, .cap = cap};
    tl_out_text(&out, text);
}

static PNG_FUNCTION(void, on_read_error, (png_structp png, png_const_charp text), PNG_NORETURN)
{
    png_input *input = png_get_error_ptr(png);
    keep_error(input->error, sizeof input->error, text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void read_bytes(png_structp png, png_bytep into, size_t count)
{
    png_input *input = png_get_io_ptr(png);
    if (count > input->left) png_error(png, "the file ends too early");
    memcpy(into, input->at, count);
    input->at += count;
    input->left -= count;
}

/* Whatever the file holds, rows come as RGBA of 8 or 16 bits. */
static void ask_for_rgba(png_input *input)
{
    png_structp png = input->png;
    int depth = png_get_bit_depth(png, input->info), color = png_get_color_type(png, input->info);
    input->deep = depth == 16;
    input->gray = (color & PNG_COLOR_MASK_COLOR) == 0;
    png_set_expand(png);
    if (input->gray) png_set_gray_to_rgb(png);
    if (input->deep) png_set_swap(png);
    bool transparent = (color & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, input->info, PNG_INFO_tRNS) != 0;
    if (!transparent) png_set_add_alpha(png, input->deep ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, input->info);
}

/* A header may claim any size. Deflate packs at most 1032 to 1, and a pixel of the file takes at least one bit. */
static bool believable(const png_input *input, uint64_t file_bytes)
{
    uint64_t bits = (uint64_t)input->width * input->height;
    return bits / 8 / 1100 <= file_bytes;
}

static bool make_rows(png_input *input)
{
    input->row_bytes = (size_t)input->width * (input->deep ? 8 : 4);
    input->pixels = calloc(input->height, input->row_bytes);
    input->rows = calloc(input->height, sizeof *input->rows);
    if (input->pixels == NULL || input->rows == NULL) {
        input->status = TELAR_OUT_OF_MEMORY;
        return false;
    }
    for (uint32_t k = 0; k < input->height; k++) input->rows[k] = input->pixels + k * input->row_bytes;
    return true;
}

/* False when libpng has jumped: input->error says why. */
static bool read_head(png_input *input)
{
    if (setjmp(png_jmpbuf(input->png))) return false;
    png_set_read_fn(input->png, input, read_bytes);
    png_set_user_limits(input->png, TL_PNG_SIDE_MAX, TL_PNG_SIDE_MAX);
    png_set_chunk_malloc_max(input->png, 64 << 20);
    png_read_info(input->png, input->info);
    input->width = png_get_image_width(input->png, input->info);
    input->height = png_get_image_height(input->png, input->info);
    ask_for_rgba(input);
    return true;
}

static bool read_pixels(png_input *input)
{
    if (setjmp(png_jmpbuf(input->png))) return false;
    if (png_get_rowbytes(input->png, input->info) != input->row_bytes)
        png_error(input->png, "rows of an unexpected size");
    png_read_image(input->png, input->rows);
    png_read_end(input->png, NULL);
    return true;
}

static bool read_all(png_input *input, uint64_t file_bytes)
{
    input->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, input, on_read_error, on_warning);
    if (input->png != NULL) input->info = png_create_info_struct(input->png);
    if (input->info == NULL) {
        input->status = TELAR_OUT_OF_MEMORY;
        return false;
    }
    if (!read_head(input)) return false;
    if (!believable(input, file_bytes)) {
        keep_error(input->error, sizeof input->error, "the file is too short for its size");
        return false;
    }
    return make_rows(input) && read_pixels(input);
}

static telar_status not_read(const png_input *input, telar_diag *diag)
{
    if (input->status == TELAR_OUT_OF_MEMORY) {
        return tl_fail(diag, TELAR_OUT_OF_MEMORY, "%s: out of memory for a picture of %ux%u", input->name, input->width,
                       input->height);
    }
    return tl_fail(diag, TELAR_INVALID_DATA, "%s: the picture cannot be read: %s", input->name, input->error);
}

telar_status tl_png_from_file(const char *name, tl_file *file, tl_array *array, telar_diag *diag)
{
    *array = (tl_array){0};
    png_input input = {.name = name, .at = file->data, .left = file->size_bytes};
    telar_status status = TELAR_OK;
    if (file->size_bytes < 8 || png_sig_cmp(file->data, 0, 8) != 0) {
        status = tl_fail(diag, TELAR_INVALID_DATA, "%s: not a .png file (%llu bytes, without PNG's first eight)", name,
                         (unsigned long long)file->size_bytes);
    } else if (!read_all(&input, file->size_bytes)) {
        status = not_read(&input, diag);
    }
    png_destroy_read_struct(&input.png, &input.info, NULL);
    free(input.rows);
    tl_file_close(file);
    if (status != TELAR_OK) {
        free(input.pixels);
        return status;
    }
    *array = (tl_array){.dtype = input.deep ? TL_DTYPE_U16 : TL_DTYPE_U8,
                        .shape = {3, {input.height, input.width, 4}},
                        .elements = (uint64_t)input.height * input.width * 4,
                        .size_bytes = (uint64_t)input.height * input.row_bytes,
                        .data = input.pixels,
                        .picture = true,
                        .gray = input.gray,
                        .owned = input.pixels};
    return TELAR_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

typedef struct png_output {
    tl_output *output;
    const tl_png_rows *rows;
    png_structp png;
    png_infop info;
    char error[120];
    telar_diag *diag;
    telar_status status;
} png_output;

static PNG_FUNCTION(void, on_write_error, (png_structp png, png_const_charp text), PNG_NORETURN)
{
    png_output *output = png_get_error_ptr(png);
    keep_error(output->error, sizeof output->error, text);
    png_longjmp(png, 1);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count)
{
    png_output *output = png_get_io_ptr(png);
    output->status = tl_output_write(output->output, bytes, count, output->diag);
    if (output->status != TELAR_OK) png_error(png, "not written");
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static bool write_all(png_output *output)
{
    const tl_png_rows *rows = output->rows;
    if (setjmp(png_jmpbuf(output->png))) return false;
    png_set_write_fn(output->png, output, write_bytes, flush_bytes);
    png_set_user_limits(output->png, TL_PNG_SIDE_MAX, TL_PNG_SIDE_MAX);
    png_set_IHDR(output->png, output->info, rows->width, rows->height, (int)rows->depth,
                 rows->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(output->png, output->info);
    if (rows->depth == 16) png_set_swap(output->png);
    size_t row_bytes = (size_t)rows->width * rows->channels * (rows->depth / 8);
    for (uint32_t k = 0; k < rows->height; k++) png_write_row(output->png, rows->pixels + k * row_bytes);
    png_write_end(output->png, output->info);
    return true;
}

telar_status tl_png_write(tl_output *output, const tl_png_rows *rows, telar_diag *diag)
{
    if (rows->width == 0 || rows->height == 0) {
        return tl_fail(diag, TELAR_INVALID_DATA, "%s: a .png cannot be empty (%ux%u)", output->path, rows->width,
                       rows->height);
    }
    if (rows->width > TL_PNG_SIDE_MAX || rows->height > TL_PNG_SIDE_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, rows->width > rows->height ? rows->width : rows->height,
                             TL_PNG_SIDE_MAX, "%s: a .png has at most %d pixels on a side (%ux%u)", output->path,
                             TL_PNG_SIDE_MAX, rows->width, rows->height);
    }
    png_output state = {.output = output, .rows = rows, .diag = diag};
    state.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state, on_write_error, on_warning);
    if (state.png != NULL) state.info = png_create_info_struct(state.png);
    bool written = state.info != NULL && write_all(&state);
    png_destroy_write_struct(&state.png, &state.info);
    if (written) return TELAR_OK;
    if (state.status != TELAR_OK) return state.status;
    return tl_fail(diag, TELAR_IO_FAILED, "%s: the picture cannot be written: %s", output->path, state.error);
}
