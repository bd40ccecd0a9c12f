#include "app/cli/picture/shape_sheet.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tactus/meshing.h>
#include "base/memory/owned.h"
#include "base/progress.h"
#include "shape/shape.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

void tac_shape_sheet_list(void) {
  int widest = (int)strlen("shape");
  for (int i = 0; i < tac_shape_count(); ++i) {
    int length = (int)strlen(tac_shape_info(i)->name);
    if (length > widest) widest = length;
  }
  printf("%-*s  %9s  %s\n", widest, "shape", "triangles", "what it is");
  for (int i = 0; i < tac_shape_count(); ++i) {
    const tacShapeInfo *info = tac_shape_info(i);
    printf("%-*s  %6.3g mm  %s\n", widest, info->name, 1e3 * info->size, info->summary);
  }
}

/* Of five to eight columns, as many as leave the fewest places empty. */
static int column_count(int count) {
  int best = 5, fewest = INT_MAX;
  for (int columns = 5; columns <= 8; ++columns) {
    int empty = (count + columns - 1) / columns * columns - count;
    if (empty > fewest) continue;
    fewest = empty;
    best = columns;
  }
  return best;
}

/* In units of the text's size. */
static double widest_name(void) {
  double widest = 1.0;
  for (int i = 0; i < tac_shape_count(); ++i) widest = fmax(widest, tac_image_text_width(tac_shape_info(i)->name, 1.0));
  return widest;
}

static const tacColour paper = {246, 247, 249}, ink = {52, 60, 72};

/* The share [from, to] of the whole sheet is this shape's. Making it goes in several passes, each from 0 to 1: they stand at
 * `from`, so that the whole never falls. */
static tacStatus draw_tile(const tacShapeInfo *info, const tacPictureDef *tile, double from, double to, tacImage *image,
                           tacError *error) {
  tacProgressPart parts[2] = {{tile->progress, from, from, "gallery"}, {tile->progress, from, to, "gallery"}};
  tacProgress building = tac_progress_part(&parts[0]), drawing = tac_progress_part(&parts[1]);
  tacPictureDef def = *tile;
  def.progress = &drawing;
  TAC_OWN(tacTriMesh, mesh) = NULL;
  TAC_TRY(tac_shape_build(info->name, 0.0, &building, &mesh, error));
  return tac_picture_surface(mesh, &def, image, error);
}

tacStatus tac_shape_sheet_draw(const tacPictureDef *def, tacImage *image, tacError *error) {
  int count = tac_shape_count();
  int columns = column_count(count), rows = (count + columns - 1) / columns;
  int gap = def->width / 150 + 1;
  tacPictureDef tile = *def;
  tile.width = (def->width - gap * (columns + 1)) / columns;
  tile.height = tile.width * 4 / 5;
  double text = tile.width / (1.05 * widest_name()); /* the longest name just fits */
  int label = (int)(2.0 * text) + gap;
  TAC_FREED(tac_image_free, tacImage, sheet) = {0};
  TAC_TRY(tac_image_create(def->width, gap + rows * (tile.height + label + gap), paper, &sheet, error));
  for (int i = 0; i < count; ++i) {
    const tacShapeInfo *info = tac_shape_info(i);
    TAC_FREED(tac_image_free, tacImage, drawn) = {0};
    TAC_TRY(draw_tile(info, &tile, (double)i / count, (i + 1.0) / count, &drawn, error));
    int x = gap + i % columns * (tile.width + gap), y = gap + i / columns * (tile.height + label + gap);
    tac_image_paste(&sheet, &drawn, x, y);
    double left = x + 0.5 * (tile.width - tac_image_text_width(info->name, text));
    tac_image_text(&sheet, info->name, left, y + tile.height + 1.6 * text, text, ink);
  }
  if (def->progress != NULL) def->progress->report("gallery", 1.0, def->progress->user);
  *image = sheet;
  sheet = (tacImage){0};
  return TAC_OK;
}
