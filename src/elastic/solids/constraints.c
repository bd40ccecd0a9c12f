#include "elastic/solids/constraints.h"

#include <limits.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/elements/element.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"

tacStatus tac_constraints_create(int vertex_count, const bool *held, tacConstraints *constraints, tacError *error) {
  *constraints = (tacConstraints){0};
  if (vertex_count < 0 || vertex_count > (INT_MAX - 1) / 3)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the number of vertices is %d; it must be 0 or more and below 2^31 / 3", vertex_count);
  constraints->vertex_count = vertex_count;
  for (int v = 0; v < vertex_count; ++v) ++constraints->count[held[v]];
  for (int side = 0; side < 2; ++side)
    constraints->vertices[side] = tac_arrays_add(&constraints->arrays, (size_t)constraints->count[side], sizeof(int));
  constraints->place = tac_arrays_add(&constraints->arrays, (size_t)vertex_count, sizeof *constraints->place);
  constraints->held = tac_arrays_add(&constraints->arrays, (size_t)vertex_count, sizeof *constraints->held);
  tacStatus status = tac_arrays_status(&constraints->arrays, "constraints", error);
  if (status != TAC_OK) tac_constraints_destroy(constraints);
  int filled[2] = {0, 0};
  for (int v = 0; v < constraints->vertex_count; ++v) {
    constraints->held[v] = held[v];
    constraints->place[v] = filled[held[v]]++;
    constraints->vertices[held[v]][constraints->place[v]] = v;
  }
  return status;
}

void tac_constraints_destroy(tacConstraints *constraints) {
  tac_arrays_free(&constraints->arrays);
  *constraints = (tacConstraints){0};
}

/* How one connected part is held; kept at its smallest vertex. */
typedef struct Hold {
  int vertex_count, held_count;
  int first, farthest; /* held vertices that lie far apart */
  double length;       /* between them */
  double offset;       /* the largest distance of a held vertex from the line through them */
} Hold;

static void measure_holds(const tacConstraints *constraints, const tacVolMesh *mesh, int *part_of, Hold *holds) {
  const tacVec3 *x = mesh->vertices;
  for (int v = 0; v < mesh->vertex_count; ++v) ++holds[tac_disjoint_sets_find(part_of, v)].vertex_count;
  for (int i = 0; i < constraints->count[TAC_SIDE_HELD]; ++i) {
    int v = constraints->vertices[TAC_SIDE_HELD][i];
    Hold *hold = &holds[tac_disjoint_sets_find(part_of, v)];
    if (hold->held_count++ == 0) hold->first = hold->farthest = v;
    double length = tac_vec3_distance(x[hold->first], x[v]);
    if (!(length > hold->length)) continue;
    hold->length = length;
    hold->farthest = v;
  }
  for (int i = 0; i < constraints->count[TAC_SIDE_HELD]; ++i) {
    int v = constraints->vertices[TAC_SIDE_HELD][i];
    Hold *hold = &holds[tac_disjoint_sets_find(part_of, v)];
    tacVec3 along = tac_vec3_unit(tac_vec3_sub(x[hold->farthest], x[hold->first]));
    hold->offset = fmax(hold->offset, tac_vec3_norm(tac_vec3_cross(along, tac_vec3_sub(x[v], x[hold->first]))));
  }
}

tacStatus tac_constraints_check(const tacConstraints *constraints, const tacVolMesh *mesh, tacError *error) {
  TAC_MEMORY(int, part_of) = tac_disjoint_sets_create(mesh->vertex_count, error);
  TAC_MEMORY(Hold, holds) = tac_array_create((size_t)mesh->vertex_count, sizeof *holds, "parts of a mesh", error);
  if (part_of == NULL || holds == NULL) return TAC_ERR_MEMORY;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    const int *v = tac_element_vertices(mesh, e);
    for (int c = 1; c < tac_element_corner_count(mesh, e); ++c) tac_disjoint_sets_join(part_of, v[0], v[c]);
  }
  measure_holds(constraints, mesh, part_of, holds);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const Hold *hold = &holds[v];
    if (hold->vertex_count == 0) continue; /* not the first of its part */
    if (hold->vertex_count == 1) {
      if (!constraints->held[v])
        return tac_error_set(error, TAC_ERR_GEOMETRY, "vertex %d belongs to no element; hold it or remove it", v);
      continue;
    }
    if (hold->offset > 1e-9 * hold->length) continue;
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "%s can move rigidly: of its %d vertices (vertex %d and those connected to it) %d are "
                         "held%s; at least three that are not on one line must be held",
                         hold->vertex_count == mesh->vertex_count ? "the mesh" : "a part of the mesh",
                         hold->vertex_count, v, hold->held_count, hold->held_count > 2 ? ", all on one line" : "");
  }
  return TAC_OK;
}

tacStatus tac_constraints_block(const tacConstraints *constraints, const tacSparse *matrix, tacSide rows, tacSide cols,
                                tacSparse *block, tacError *error) {
  *block = (tacSparse){0};
  if (matrix->rows != 3 * constraints->vertex_count || matrix->cols != matrix->rows)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the matrix is %d x %d, but the constraints are for %d vertices; it must have three rows and "
                         "columns for each vertex",
                         matrix->rows, matrix->cols, constraints->vertex_count);
  int width = 3 * constraints->count[cols];
  for (int pass = 0; pass < 2; ++pass) {
    int count = 0;
    for (int j = 0; j < width; ++j) {
      int column = 3 * constraints->vertices[cols][j / 3] + j % 3;
      for (int p = matrix->column_start[column]; p < matrix->column_start[column + 1]; ++p) {
        int vertex = matrix->row[p] / 3;
        if (constraints->held[vertex] != (rows == TAC_SIDE_HELD)) continue;
        if (pass == 1) {
          block->row[count] = 3 * constraints->place[vertex] + matrix->row[p] % 3;
          block->value[count] = matrix->value[p];
        }
        ++count;
      }
      if (pass == 1) block->column_start[j + 1] = count;
    }
    if (pass == 0) TAC_TRY(tac_sparse_create(3 * constraints->count[rows], width, (size_t)count, block, error));
  }
  return TAC_OK;
}

void tac_constraints_take(const tacConstraints *constraints, tacSide side, const double *vector, double *part) {
  for (int i = 0; i < constraints->count[side]; ++i)
    memcpy(part + 3 * (size_t)i, vector + 3 * (size_t)constraints->vertices[side][i], 3 * sizeof *part);
}

void tac_constraints_put(const tacConstraints *constraints, tacSide side, const double *part, double *vector) {
  for (int i = 0; i < constraints->count[side]; ++i)
    memcpy(vector + 3 * (size_t)constraints->vertices[side][i], part + 3 * (size_t)i, 3 * sizeof *part);
}
