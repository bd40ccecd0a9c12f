#include "mesh/formats/vtk_cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "mesh/contents/group_flags.h"

static const struct {
  const char *name;
  int corners; /* 0: any */
} cell_types[] = {{"empty cell", 0}, {"vertex", 1}, {"vertices", 0},   {"line", 2},  {"lines", 0},
                  {"triangle", 3},   {"strip", 0},  {"polygon", 0},    {"pixel", 4}, {"quad", 4},
                  {"tetra", 4},      {"voxel", 8},  {"hexahedron", 8}, {"wedge", 6}, {"pyramid", 5}};

enum { TRIANGLE = 5, PIXEL = 8, QUAD = 9, TETRA = 10, VOXEL = 11, HEXAHEDRON = 12 };

static void skip_cell(tacMeshBuilder *builder, int64_t type) {
  char what[48];
  bool known = type < (int64_t)(sizeof cell_types / sizeof *cell_types);
  bool minor = type <= 4 || type == 21; /* 21: line of three points */
  snprintf(what, sizeof what, "cells of type %d%s%s%s", (int)type, known ? " (" : "",
           known ? cell_types[type].name : "", known ? ")" : "");
  tac_mesh_builder_skip(builder, minor ? TAC_LOG_INFO : TAC_LOG_WARNING, 1, what);
}

static tacStatus check_corners(const tacVtkCells *cells, const tacScanner *scanner, int64_t type, int64_t corner_count,
                               const int64_t *corners, size_t first_vertex) {
  int64_t vertex_count = (int64_t)(cells->builder->vertex_count - first_vertex);
  int expected = cell_types[type].corners;
  if (expected != 0 ? corner_count != expected : corner_count < 3)
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "cell %zu (%s) has %" PRId64 " points", cells->count,
                            cell_types[type].name, corner_count);
  for (int64_t c = 0; c < corner_count; ++c) {
    if (corners[c] < 0 || corners[c] >= vertex_count)
      return tac_scanner_fail(scanner, TAC_ERR_FORMAT,
                              "cell %zu has point %" PRId64 ", which is not among the %" PRId64 " points", cells->count,
                              corners[c], vertex_count);
  }
  return TAC_OK;
}

static tacStatus add_fan(tacMeshBuilder *builder, int64_t count, const int64_t *corners, int first) {
  for (int64_t c = 2; c < count; ++c)
    TAC_TRY(tac_mesh_builder_add_triangle(builder, first + (int)corners[0], first + (int)corners[c - 1],
                                          first + (int)corners[c]));
  return TAC_OK;
}

/* Every second triangle of a strip runs the other way round. */
static tacStatus add_strip(tacMeshBuilder *builder, int64_t count, const int64_t *corners, int first) {
  for (int64_t c = 2; c < count; ++c) {
    int64_t odd = c & 1;
    TAC_TRY(tac_mesh_builder_add_triangle(builder, first + (int)corners[c - 2 + odd], first + (int)corners[c - 1 - odd],
                                          first + (int)corners[c]));
  }
  return TAC_OK;
}

static tacStatus add_known(tacMeshBuilder *builder, int64_t type, int64_t count, const int64_t *corners, int first,
                           tacVtkCell *cell) {
  /* Pixels and voxels count along x, then y, then z instead of around. */
  static const int around[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  int v[8];
  for (int c = 0; c < 8 && c < count; ++c) v[c] = first + (int)corners[type == VOXEL ? around[c] : c];
  switch (type) {
    case TETRA: *cell = (tacVtkCell){(int)builder->tet_count, TAC_VTK_TET}; return tac_mesh_builder_add_tet(builder, v);
    case VOXEL:
    case HEXAHEDRON:
      *cell = (tacVtkCell){(int)builder->brick_count, TAC_VTK_BRICK};
      return tac_mesh_builder_add_brick(builder, v);
    default: break;
  }
  *cell = (tacVtkCell){(int)builder->triangle_count, (int)count - 2};
  if (type == TAC_VTK_STRIP) return add_strip(builder, count, corners, first);
  const int64_t pixel[4] = {corners[0], corners[1], count > 3 ? corners[3] : 0, corners[2]};
  return add_fan(builder, count, type == PIXEL ? pixel : corners, first);
}

tacStatus tac_vtk_cells_add(tacVtkCells *cells, const tacScanner *scanner, int64_t type, int64_t corner_count,
                            const int64_t *corners, size_t first_vertex) {
  tacVtkCell cell = {0, 0};
  if (type >= TRIANGLE && type <= HEXAHEDRON) {
    TAC_TRY(check_corners(cells, scanner, type, corner_count, corners, first_vertex));
    TAC_TRY(add_known(cells->builder, type, corner_count, corners, (int)first_vertex, &cell));
  } else {
    skip_cell(cells->builder, type);
  }
  TAC_TRY(tac_array_reserve((void **)&cells->cells, &cells->room, cells->count + 1, sizeof cell, "cells",
                            cells->builder->error));
  cells->cells[cells->count++] = cell;
  return TAC_OK;
}

void tac_vtk_cells_free(tacVtkCells *cells) {
  free(cells->cells);
  cells->cells = NULL;
}

static tacStatus assign_cell(tacVtkCells *cells, tacWord array, tacVtkCell cell) {
  tacMeshBuilder *builder = cells->builder;
  int group;
  if (cell.count == 0) return TAC_OK;
  if (cell.count < 0) {
    TAC_TRY(tac_group_flag_group(builder, TAC_GROUP_OF_ELEMENTS, array, &group));
    return tac_mesh_builder_assign(builder, group,
                                   cell.count == TAC_VTK_TET ? cell.first : tac_mesh_builder_brick_item(cell.first));
  }
  TAC_TRY(tac_group_flag_group(builder, TAC_GROUP_OF_TRIANGLES, array, &group));
  for (int t = 0; t < cell.count; ++t) TAC_TRY(tac_mesh_builder_assign(builder, group, cell.first + t));
  return TAC_OK;
}

tacStatus tac_vtk_cells_read_flags(tacVtkCells *cells, tacScanner *scanner, tacNumberType type, tacWord array,
                                   bool of_vertices, size_t first, size_t count) {
  int64_t flag;
  int group;
  for (size_t i = 0; i < count; ++i) {
    TAC_TRY(tac_scanner_value_integer(scanner, type, "the flag of a group", INT64_MIN, INT64_MAX, &flag));
    if (flag == 0) continue;
    if (of_vertices) {
      TAC_TRY(tac_group_flag_group(cells->builder, TAC_GROUP_OF_VERTICES, array, &group));
      TAC_TRY(tac_mesh_builder_assign(cells->builder, group, (int)(first + i)));
    } else {
      TAC_TRY(assign_cell(cells, array, cells->cells[first + i]));
    }
  }
  return TAC_OK;
}

/* ---- writing ---- */

static const tacIndexSet *find_set(int count, const tacIndexSet *sets, const char *name) {
  for (int s = 0; s < count; ++s)
    if (strcmp(sets[s].name, name) == 0) return &sets[s];
  return NULL;
}

tacStatus tac_vtk_flags_list(const tacJoinedMesh *mesh, tacVtkFlagsList *flags, tacError *error) {
  const tacTriMesh *surface = mesh->surface;
  const tacVolMesh *volume = mesh->volume;
  int64_t cells = tac_joined_mesh_cell_count(mesh);
  size_t most = (size_t)volume->vertex_set_count + (size_t)surface->group_count + (size_t)volume->group_count;
  flags->list = tac_arrays_add(&flags->arrays, most, sizeof *flags->list);
  flags->bytes = tac_arrays_add(&flags->arrays, (size_t)(cells > mesh->vertex_count ? cells : mesh->vertex_count), 1);
  TAC_TRY(tac_arrays_status(&flags->arrays, "flags of groups", error));
  tacVtkFlags *list = flags->list;
  for (int s = 0; s < volume->vertex_set_count; ++s)
    *list++ = (tacVtkFlags){
        .prefix = TAC_GROUP_FLAG_VERTICES, .name = volume->vertex_sets[s].name, .vertices = &volume->vertex_sets[s]};
  flags->of_vertices = volume->vertex_set_count;
  for (int g = 0; g < surface->group_count; ++g)
    *list++ = (tacVtkFlags){.prefix = TAC_GROUP_FLAG_ELEMENTS,
                            .name = surface->groups[g].name,
                            .triangles = &surface->groups[g],
                            .elements = find_set(volume->group_count, volume->groups, surface->groups[g].name)};
  for (int g = 0; g < volume->group_count; ++g) {
    if (find_set(surface->group_count, surface->groups, volume->groups[g].name) != NULL) continue;
    *list++ = (tacVtkFlags){
        .prefix = TAC_GROUP_FLAG_ELEMENTS, .name = volume->groups[g].name, .elements = &volume->groups[g]};
  }
  flags->count = (int)(list - flags->list);
  return TAC_OK;
}

void tac_vtk_flags_free(tacVtkFlagsList *flags) {
  tac_arrays_free(&flags->arrays);
}

static void mark(const tacIndexSet *set, unsigned char *bytes) {
  for (int i = 0; set != NULL && i < set->count; ++i) bytes[set->indices[i]] = 1;
}

const unsigned char *tac_vtk_flags_fill(const tacVtkFlagsList *flags, int a, const tacJoinedMesh *mesh) {
  const tacVtkFlags *of = &flags->list[a];
  memset(flags->bytes, 0, (size_t)(of->vertices != NULL ? mesh->vertex_count : tac_joined_mesh_cell_count(mesh)));
  mark(of->vertices, flags->bytes);
  mark(of->triangles, flags->bytes);
  mark(of->elements, flags->bytes + mesh->surface->triangle_count);
  return flags->bytes;
}

int tac_vtk_cell_type(const tacJoinedMesh *mesh, int64_t cell) {
  int64_t tet = cell - mesh->surface->triangle_count;
  return tet < 0 ? TRIANGLE : tet < mesh->volume->tet_count ? TETRA : HEXAHEDRON;
}
