#include "app/cli/picture/image.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

tacStatus tac_image_create(int width, int height, tacColour fill, tacImage *image, tacError *error) {
  *image = (tacImage){0};
  tacColour *pixels = tac_array_create((size_t)width * (size_t)height, sizeof *pixels, "a picture", error);
  if (pixels == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < (size_t)width * (size_t)height; ++i) pixels[i] = fill;
  *image = (tacImage){width, height, pixels};
  return TAC_OK;
}

void tac_image_free(tacImage *image) {
  free(image->pixels);
  *image = (tacImage){0};
}

void tac_image_paste(tacImage *image, const tacImage *part, int x, int y) {
  for (int row = 0; row < part->height; ++row)
    memcpy(image->pixels + (size_t)(y + row) * (size_t)image->width + x,
           part->pixels + (size_t)row * (size_t)part->width, (size_t)part->width * sizeof *part->pixels);
}

/* Dots on a lattice of 5 columns and 9 rows, the highest bit leftmost; row 6 stands on the baseline. */
enum { GLYPH_COLUMNS = 5, GLYPH_ROWS = 9, GLYPH_BASELINE = 6, GLYPH_ADVANCE = 6 };

typedef struct Glyph {
  char character;
  unsigned char rows[GLYPH_ROWS];
} Glyph;

static const Glyph glyphs[] = {
    // clang-format off
    {' ', {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}},
    {'%', {0x11, 0x01, 0x02, 0x04, 0x08, 0x10, 0x11, 0x00, 0x00}},
    {'(', {0x02, 0x04, 0x04, 0x04, 0x04, 0x04, 0x02, 0x00, 0x00}},
    {')', {0x08, 0x04, 0x04, 0x04, 0x04, 0x04, 0x08, 0x00, 0x00}},
    {'+', {0x00, 0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00, 0x00}},
    {',', {0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x04, 0x08, 0x00}},
    {'-', {0x00, 0x00, 0x00, 0x00, 0x0e, 0x00, 0x00, 0x00, 0x00}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00}},
    {'/', {0x01, 0x01, 0x02, 0x04, 0x08, 0x10, 0x10, 0x00, 0x00}},
    {'0', {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e, 0x00, 0x00}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e, 0x00, 0x00}},
    {'2', {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f, 0x00, 0x00}},
    {'3', {0x1e, 0x01, 0x01, 0x0e, 0x01, 0x01, 0x1e, 0x00, 0x00}},
    {'4', {0x12, 0x12, 0x12, 0x1f, 0x02, 0x02, 0x02, 0x00, 0x00}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x01, 0x1e, 0x00, 0x00}},
    {'6', {0x0e, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x0e, 0x00, 0x00}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x04, 0x04, 0x04, 0x00, 0x00}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e, 0x00, 0x00}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x01, 0x0e, 0x00, 0x00}},
    {':', {0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x04, 0x00, 0x00}},
    {'=', {0x00, 0x00, 0x00, 0x0f, 0x00, 0x0f, 0x00, 0x00, 0x00}},
    {'a', {0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f, 0x00, 0x00}},
    {'b', {0x10, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x1e, 0x00, 0x00}},
    {'c', {0x00, 0x00, 0x0e, 0x10, 0x10, 0x10, 0x0e, 0x00, 0x00}},
    {'d', {0x01, 0x01, 0x0f, 0x11, 0x11, 0x11, 0x0f, 0x00, 0x00}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e, 0x00, 0x00}},
    {'f', {0x06, 0x08, 0x1e, 0x08, 0x08, 0x08, 0x08, 0x00, 0x00}},
    {'g', {0x00, 0x00, 0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'h', {0x10, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x11, 0x00, 0x00}},
    {'i', {0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e, 0x00, 0x00}},
    {'j', {0x02, 0x00, 0x06, 0x02, 0x02, 0x02, 0x02, 0x02, 0x0c}},
    {'k', {0x10, 0x10, 0x12, 0x14, 0x18, 0x14, 0x12, 0x00, 0x00}},
    {'l', {0x0c, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e, 0x00, 0x00}},
    {'m', {0x00, 0x00, 0x1a, 0x15, 0x15, 0x15, 0x15, 0x00, 0x00}},
    {'n', {0x00, 0x00, 0x1e, 0x11, 0x11, 0x11, 0x11, 0x00, 0x00}},
    {'o', {0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e, 0x00, 0x00}},
    {'p', {0x00, 0x00, 0x1e, 0x11, 0x11, 0x11, 0x1e, 0x10, 0x10}},
    {'q', {0x00, 0x00, 0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x01}},
    {'r', {0x00, 0x00, 0x16, 0x18, 0x10, 0x10, 0x10, 0x00, 0x00}},
    {'s', {0x00, 0x00, 0x0f, 0x10, 0x0e, 0x01, 0x1e, 0x00, 0x00}},
    {'t', {0x00, 0x08, 0x1e, 0x08, 0x08, 0x08, 0x06, 0x00, 0x00}},
    {'u', {0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x0f, 0x00, 0x00}},
    {'v', {0x00, 0x00, 0x11, 0x11, 0x0a, 0x0a, 0x04, 0x00, 0x00}},
    {'w', {0x00, 0x00, 0x15, 0x15, 0x15, 0x15, 0x0a, 0x00, 0x00}},
    {'x', {0x00, 0x00, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x00, 0x00}},
    {'y', {0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'z', {0x00, 0x00, 0x1f, 0x02, 0x04, 0x08, 0x1f, 0x00, 0x00}},
    // clang-format on
};

static const Glyph *find_glyph(char character) {
  for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; ++i)
    if (glyphs[i].character == tolower((unsigned char)character)) return &glyphs[i];
  return &glyphs[0];
}

static bool dot_at(const Glyph *glyph, int column, int row) {
  return column >= 0 && column < GLYPH_COLUMNS && row >= 0 && row < GLYPH_ROWS &&
         (glyph->rows[row] >> (GLYPH_COLUMNS - 1 - column) & 1) != 0;
}

static double segment_distance2(double x, double y, double ax, double ay, double dx, double dy) {
  double length2 = dx * dx + dy * dy;
  double t = length2 > 0.0 ? ((x - ax) * dx + (y - ay) * dy) / length2 : 0.0;
  t = fmin(fmax(t, 0.0), 1.0);
  double ex = x - ax - t * dx, ey = y - ay - t * dy;
  return ex * ex + ey * ey;
}

/* Distance to the pen's path, in dots: neighbouring dots are joined, diagonally only where no shared neighbour already
 * joins them, so that the letters come out smooth at any size. */
static double glyph_distance(const Glyph *glyph, double x, double y) {
  static const int steps[5][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  double best = 1e9;
  for (int row = 0; row < GLYPH_ROWS; ++row) {
    for (int column = 0; column < GLYPH_COLUMNS; ++column) {
      if (!dot_at(glyph, column, row)) continue;
      for (int s = 0; s < 5; ++s) {
        int dx = steps[s][0], dy = steps[s][1];
        if (!dot_at(glyph, column + dx, row + dy)) continue;
        if (dx != 0 && dy != 0 && (dot_at(glyph, column + dx, row) || dot_at(glyph, column, row + dy))) continue;
        best = fmin(best, segment_distance2(x, y, column, row, dx, dy));
      }
    }
  }
  return sqrt(best);
}

static void blend(tacColour *pixel, tacColour colour, double cover) {
  pixel->r = (unsigned char)lround(pixel->r + cover * (colour.r - pixel->r));
  pixel->g = (unsigned char)lround(pixel->g + cover * (colour.g - pixel->g));
  pixel->b = (unsigned char)lround(pixel->b + cover * (colour.b - pixel->b));
}

static void draw_glyph(tacImage *image, const Glyph *glyph, double left, double baseline, double dot,
                       tacColour colour) {
  const double pen = 0.42; /* half the stroke, in dots */
  int x0 = (int)floor(left - dot), x1 = (int)ceil(left + GLYPH_COLUMNS * dot);
  int y0 = (int)floor(baseline - (GLYPH_BASELINE + 1) * dot);
  int y1 = (int)ceil(baseline + (GLYPH_ROWS - GLYPH_BASELINE) * dot);
  for (int y = y0 < 0 ? 0 : y0; y < y1 && y < image->height; ++y) {
    for (int x = x0 < 0 ? 0 : x0; x < x1 && x < image->width; ++x) {
      double column = (x + 0.5 - left) / dot, row = GLYPH_BASELINE + (y + 0.5 - baseline) / dot;
      double cover = (pen - glyph_distance(glyph, column, row)) * dot + 0.5;
      if (cover > 0.0) blend(&image->pixels[(size_t)y * (size_t)image->width + x], colour, fmin(cover, 1.0));
    }
  }
}

void tac_image_text(tacImage *image, const char *text, double x, double y, double size, tacColour colour) {
  double dot = size / (GLYPH_BASELINE + 1);
  for (; *text != '\0'; ++text, x += GLYPH_ADVANCE * dot)
    if (*text != ' ') draw_glyph(image, find_glyph(*text), x, y, dot, colour);
}

double tac_image_text_width(const char *text, double size) {
  double dot = size / (GLYPH_BASELINE + 1);
  size_t length = strlen(text);
  return length == 0 ? 0.0 : ((double)length * GLYPH_ADVANCE - 2.0) * dot;
}

static void put_u32(unsigned char *bytes, unsigned long value) {
  for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

static unsigned char *put_bytes(unsigned char *at, const void *bytes, size_t size) {
  if (size > 0) memcpy(at, bytes, size);
  return at + size;
}

/* Returns where the next chunk goes. */
static unsigned char *put_chunk(unsigned char *at, const char *type, const unsigned char *data, size_t size) {
  put_u32(at, (unsigned long)size);
  unsigned char *end = put_bytes(put_bytes(at + 4, type, 4), data, size);
  put_u32(end, crc32(0, at + 4, (uInt)(size + 4)));
  return end + 4;
}

static int paeth(int left, int up, int corner) {
  int estimate = left + up - corner;
  int dl = abs(estimate - left), du = abs(estimate - up), dc = abs(estimate - corner);
  return dl <= du && dl <= dc ? left : du <= dc ? up : corner;
}

/* Filters one row in each of PNG's five ways and keeps the one with the smallest sum of magnitudes. `out` takes the
 * filter's number and the bytes. */
static void filter_row(const unsigned char *row, const unsigned char *above, size_t size, unsigned char *trial,
                       unsigned char *out) {
  long best = -1;
  for (int filter = 0; filter < 5; ++filter) {
    long sum = 0;
    for (size_t i = 0; i < size; ++i) {
      int left = i >= 3 ? row[i - 3] : 0, up = above != NULL ? above[i] : 0;
      int corner = i >= 3 && above != NULL ? above[i - 3] : 0;
      int guess = filter == 0   ? 0
                  : filter == 1 ? left
                  : filter == 2 ? up
                  : filter == 3 ? (left + up) / 2
                                : paeth(left, up, corner);
      trial[i] = (unsigned char)(row[i] - guess);
      sum += abs((signed char)trial[i]);
    }
    if (best >= 0 && sum >= best) continue;
    best = sum;
    out[0] = (unsigned char)filter;
    memcpy(out + 1, trial, size);
  }
}

/* The mean over cell (i, j) of `columns` x `rows`. */
static tacColour mean_colour(const tacImage *image, int i, int j, int columns, int rows) {
  int x0 = i * image->width / columns, x1 = (i + 1) * image->width / columns;
  int y0 = j * image->height / rows, y1 = (j + 1) * image->height / rows;
  int sum[3] = {0}, count = (x1 - x0) * (y1 - y0);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const tacColour *c = &image->pixels[(size_t)y * (size_t)image->width + (size_t)x];
      sum[0] += c->r;
      sum[1] += c->g;
      sum[2] += c->b;
    }
  if (count == 0) return image->pixels[(size_t)y0 * (size_t)image->width + (size_t)x0];
  return (tacColour){(unsigned char)(sum[0] / count), (unsigned char)(sum[1] / count), (unsigned char)(sum[2] / count)};
}

void tac_image_print(const tacImage *image, int columns, FILE *stream) {
  int rows = columns * image->height / image->width / 2;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      tacColour above = mean_colour(image, i, 2 * j, columns, 2 * rows);
      tacColour below = mean_colour(image, i, 2 * j + 1, columns, 2 * rows);
      fprintf(stream, "\033[38;2;%d;%d;%d;48;2;%d;%d;%dm▀", above.r, above.g, above.b, below.r, below.g, below.b);
    }
    fputs("\033[0m\n", stream);
  }
}

tacStatus tac_image_encode(const tacImage *image, unsigned char **bytes, size_t *size, tacError *error) {
  enum { CHUNK = 12 }; /* bytes of a chunk besides its data: size, type, checksum */
  size_t row_size = 3 * (size_t)image->width, plain_size = (row_size + 1) * (size_t)image->height;
  uLongf packed_size = compressBound((uLong)plain_size);
  *bytes = NULL;
  *size = 0;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  unsigned char *plain = tac_arrays_add(&work, plain_size, 1), *trial = tac_arrays_add(&work, row_size, 1);
  unsigned char *packed = tac_arrays_add(&work, packed_size, 1);
  TAC_TRY(tac_arrays_status(&work, "a packed picture", error));
  const unsigned char *pixels = (const unsigned char *)image->pixels;
  for (int y = 0; y < image->height; ++y) {
    const unsigned char *row = pixels + (size_t)y * row_size;
    filter_row(row, y > 0 ? row - row_size : NULL, row_size, trial, plain + (size_t)y * (row_size + 1));
  }
  if (compress2(packed, &packed_size, plain, (uLong)plain_size, 7) != Z_OK)
    return tac_error_memory(error, packed_size, "a packed picture");
  unsigned char header[13] = {[8] = 8, [9] = 2}; /* 8 bits, RGB */
  put_u32(header, (unsigned long)image->width);
  put_u32(header + 4, (unsigned long)image->height);
  TAC_TRY(TAC_ARRAY(*bytes, 8 + 3 * CHUNK + sizeof header + packed_size, "a picture's file", error));
  unsigned char *at = put_bytes(*bytes, "\x89PNG\r\n\x1a\n", 8);
  at = put_chunk(at, "IHDR", header, sizeof header);
  at = put_chunk(at, "IDAT", packed, packed_size);
  at = put_chunk(at, "IEND", NULL, 0);
  *size = (size_t)(at - *bytes);
  return TAC_OK;
}

tacStatus tac_image_write(const tacImage *image, const char *path, tacError *error) {
  TAC_MEMORY(unsigned char, bytes) = NULL;
  size_t size;
  tacNewFile file = {0};
  TAC_TRY(tac_image_encode(image, &bytes, &size, error));
  TAC_TRY(tac_new_file_open(path, &file, error));
  fwrite(bytes, 1, size, file.stream);
  return tac_new_file_commit(&file, error);
}
