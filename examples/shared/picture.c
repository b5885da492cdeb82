/* SPDX-License-Identifier: MIT
 *
 * Pictures with a palette; see picture.h. */
#include "shared/picture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

typedef struct colour {
    uint8_t red, green, blue;
} colour;

static uint8_t clamped(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static colour colour_of(int shade)
{
    return (colour){clamped(2 * shade - 100), clamped(2 * shade - 230),
                    clamped(shade < 90    ? 2 * shade
                            : shade < 180 ? 270 - shade
                                          : 3 * shade - 450)};
}

/* ---- PNG --------------------------------------------------------------------------------------------------------- */

static bool write_png(FILE *file, png_structp png, png_infop info, const uint8_t *shades, uint32_t side)
{
    png_color palette[256];
    for (int k = 0; k < 256; k++) {
        colour c = colour_of(k);
        palette[k] = (png_color){c.red, c.green, c.blue};
    }
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, side, side, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, 256);
    png_write_info(png, info);
    for (uint32_t y = 0; y < side; y++) png_write_row(png, shades + (size_t)y * side);
    png_write_end(png, info);
    return true;
}

bool picture_png(const char *path, const uint8_t *shades, uint32_t side)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    bool good = info != NULL && write_png(file, png, info, shades, side);
    png_destroy_write_struct(&png, &info);
    return (fclose(file) == 0) && good;
}

/* ---- GIF --------------------------------------------------------------------------------------------------------- */

#ifdef EXAMPLES_GIF
#include <gif_lib.h>

struct picture_gif {
    FILE *stream;
    GifFileType *file;
    int side;
};

bool picture_has_gif(void)
{
    return true;
}

/* "NETSCAPE2.0" with a count of 0: again and again. */
static bool put_loop(GifFileType *file)
{
    const unsigned char forever[] = {1, 0, 0};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, sizeof forever, forever) == GIF_OK && EGifPutExtensionTrailer(file) == GIF_OK;
}

static int put_bytes(GifFileType *file, const GifByteType *bytes, int count)
{
    return (int)fwrite(bytes, 1, (size_t)count, file->UserData);
}

static bool put_head(picture_gif *gif)
{
    GifColorType colours[256];
    for (int k = 0; k < 256; k++) {
        colour c = colour_of(k);
        colours[k] = (GifColorType){c.red, c.green, c.blue};
    }
    ColorMapObject *map = GifMakeMapObject(256, colours);
    if (map == NULL) return false;
    EGifSetGifVersion(gif->file, true);
    bool good = EGifPutScreenDesc(gif->file, gif->side, gif->side, 8, 0, map) == GIF_OK && put_loop(gif->file);
    GifFreeMapObject(map);
    return good;
}

picture_gif *picture_gif_open(const char *path, uint32_t side)
{
    picture_gif *gif = calloc(1, sizeof *gif);
    if (gif == NULL) return NULL;
    gif->side = (int)side;
    gif->stream = fopen(path, "wb");
    if (gif->stream != NULL) gif->file = EGifOpen(gif->stream, put_bytes, NULL);
    if (gif->file != NULL && put_head(gif)) return gif;
    if (gif->file != NULL) EGifCloseFile(gif->file, NULL);
    if (gif->stream != NULL) fclose(gif->stream);
    free(gif);
    return NULL;
}

bool picture_gif_add(picture_gif *gif, const uint8_t *shades)
{
    const GraphicsControlBlock control = {.DelayTime = 4, .TransparentColor = NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    size_t bytes_count = EGifGCBToExtension(&control, bytes);
    GifByteType *row = malloc((size_t)gif->side);
    bool good = row != NULL && EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, (int)bytes_count, bytes) == GIF_OK &&
                EGifPutImageDesc(gif->file, 0, 0, gif->side, gif->side, false, NULL) == GIF_OK;
    for (int y = 0; good && y < gif->side; y++) {
        for (int x = 0; x < gif->side; x++) row[x] = shades[(size_t)y * (size_t)gif->side + (size_t)x];
        good = EGifPutLine(gif->file, row, gif->side) == GIF_OK;
    }
    free(row);
    return good;
}

bool picture_gif_close(picture_gif *gif)
{
    bool good = EGifCloseFile(gif->file, NULL) == GIF_OK;
    good = fclose(gif->stream) == 0 && good;
    free(gif);
    return good;
}

#else

bool picture_has_gif(void)
{
    return false;
}

picture_gif *picture_gif_open(const char *path, uint32_t side)
{
    (void)path, (void)side;
    return NULL;
}

bool picture_gif_add(picture_gif *gif, const uint8_t *shades)
{
    (void)gif, (void)shades;
    return false;
}

bool picture_gif_close(picture_gif *gif)
{
    (void)gif;
    return false;
}

#endif
