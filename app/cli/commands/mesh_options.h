/* What `tactus mesh` is asked to do. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "app/cli/console/options.h"

typedef struct tacMeshOptions {
  const char *input, *output, *shape, *format, *picture;
  double scale, size, weld, remesh, tets, expansion, offset;
  int simplify, bricks, field, points, levels, fill, up, width, height;
  bool check, repair, soup, edges, cut, quiet;
  bool has_scale, has_size, has_weld, has_remesh, has_simplify, has_tets, has_bricks, has_fill, has_field, has_points,
      has_levels, has_expansion, has_offset, has_up, has_width, has_height;
} tacMeshOptions;

/* As tac_options_parse. */
bool tac_mesh_options_parse(int argc, char **argv, tacMeshOptions *options, int *operands, int *result);
/* TAC_EXIT_OK, or TAC_EXIT_USAGE after saying what does not go together; `format` receives that of the output. */
int tac_mesh_options_check(const tacMeshOptions *options, int operands, tacMeshFormat *format);
