/* A picture of 8-bit sRGB pixels, and its file. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include "base/error.h"

typedef struct tacColour {
  unsigned char r, g, b;
} tacColour;

typedef struct tacImage {
  int width, height;
  tacColour *pixels; /* row by row, the top row first */
} tacImage;

tacStatus tac_image_create(int width, int height, tacColour fill, tacImage *image, tacError *error);
void tac_image_free(tacImage *image); /* a zeroed struct is allowed */

/* Copies `part` so that its top left pixel comes to (x, y); it must lie inside. */
void tac_image_paste(tacImage *image, const tacImage *part, int x, int y);

/* Writes lower-case text with its baseline at y, starting at x; `size` is the height of a digit in pixels. Characters that
 * the font lacks are left blank. */
void tac_image_text(tacImage *image, const char *text, double x, double y, double size, tacColour colour);
double tac_image_text_width(const char *text, double size);

/* As coloured text of that many columns, for terminals with 24-bit colours and UTF-8: two pixels a character, one above the
 * other. */
void tac_image_print(const tacImage *image, int columns, FILE *stream);

/* As the bytes of a PNG file, which the caller frees; NULL on failure. */
tacStatus tac_image_encode(const tacImage *image, unsigned char **bytes, size_t *size, tacError *error);
/* As PNG; atomic. */
tacStatus tac_image_write(const tacImage *image, const char *path, tacError *error);
