/* SPDX-License-Identifier: MIT
 *
 * Square pictures of one byte a pixel, a place in a palette that goes from black through blue, red and yellow to white:
 * as a PNG, through libpng, and as an animated GIF, through giflib where the build found it. */
#ifndef EXAMPLES_SHARED_PICTURE_H
#define EXAMPLES_SHARED_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

bool picture_png(const char *path, const uint8_t *shades, uint32_t side);

typedef struct picture_gif picture_gif;
bool picture_has_gif(void);
picture_gif *picture_gif_open(const char *path, uint32_t side); /* NULL: it cannot be written */
bool picture_gif_add(picture_gif *gif, const uint8_t *shades);
bool picture_gif_close(picture_gif *gif);

#endif
