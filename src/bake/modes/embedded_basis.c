#include "bake/modes/embedded_basis.h"

#include <string.h>
#include "base/threads/parallel.h"
#include "elastic/elements/brick8.h"
#include "elastic/elements/element.h"
#include "elastic/elements/tet4.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"

/* Rows [axis][r] of a point: the weighted sum of the rows of its corners. */
static void mix_rows(const tacEmbeddedBasis *points, int point, const double weights[8], double *to) {
  size_t row = 3 * (size_t)points->r;
  memset(to, 0, row * sizeof *to);
  for (int c = 0; c < 8; ++c) {
    const double *from = points->basis + row * (size_t)points->embedding->vertices[point][c];
    if (weights[c] == 0.0) continue;
    for (size_t i = 0; i < row; ++i) to[i] += weights[c] * from[i];
  }
}

/* Gradients of the shape functions of a point's element, 1/m, where its weights say that it is. */
static void shape_gradients(const tacEmbeddedBasis *points, int point, tacVec3 gradient[8]) {
  const tacVolMesh *mesh = points->volume;
  int element = points->embedding->elements[point], count = tac_element_corner_count(mesh, element);
  const int *v = tac_element_vertices(mesh, element);
  tacVec3 corners[8];
  for (int c = 0; c < count; ++c) corners[c] = mesh->vertices[v[c]];
  memset(gradient, 0, 8 * sizeof *gradient);
  if (count == 4) {
    tacTet4 tet;
    if (tac_tet4_init(corners, &tet)) memcpy(gradient, tet.gradient, sizeof tet.gradient);
    return;
  }
  /* Trilinear weights reproduce the local coordinates; those of points outside are limited to the brick, from where the
   * displacements are extrapolated too. */
  double local[3] = {0.0, 0.0, 0.0}, determinant;
  for (int c = 0; c < 8; ++c)
    for (int axis = 0; axis < 3; ++axis)
      local[axis] += points->embedding->weights[point][c] * tac_brick_corner[c][axis];
  for (int axis = 0; axis < 3; ++axis) local[axis] = fmax(-1.0, fmin(local[axis], 1.0));
  tac_brick8_gradients(corners, tac_vec3(local[0], local[1], local[2]), gradient, &determinant);
}

enum { POINTS = 256 }; /* that a thread takes at a time */

typedef struct Rows {
  const tacEmbeddedBasis *points;
  const tacVec3 *normals; /* NULL: displacements */
  double *rows;
} Rows;

/* Displacements, or F_j N = sum_c u_cj (grad N_c . N). */
static void fill_rows(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Rows *all = context;
  size_t row = 3 * (size_t)all->points->r;
  for (size_t p = begin; p < end; ++p) {
    const double *weights = all->points->embedding->weights[p];
    double derivative[8];
    if (all->normals != NULL) {
      tacVec3 gradient[8];
      shape_gradients(all->points, (int)p, gradient);
      for (int c = 0; c < 8; ++c) derivative[c] = tac_vec3_dot(gradient[c], all->normals[p]);
      weights = derivative;
    }
    mix_rows(all->points, (int)p, weights, all->rows + row * p);
  }
}

void tac_embedded_displacements(const tacEmbeddedBasis *points, double *displacements) {
  Rows all = {points, NULL, displacements};
  tac_parallel_do((size_t)points->embedding->point_count, POINTS, fill_rows, &all);
}

void tac_embedded_normal_changes(const tacEmbeddedBasis *points, const tacVec3 *normals, double *changes) {
  Rows all = {points, normals, changes};
  tac_parallel_do((size_t)points->embedding->point_count, POINTS, fill_rows, &all);
}

/* (F_j)_ab = sum_c u_caj (grad N_c)_b. */
void tac_embedded_gradients(const tacEmbeddedBasis *points, double *gradients) {
  size_t r = (size_t)points->r;
  memset(gradients, 0, 9 * r * (size_t)points->embedding->point_count * sizeof *gradients);
  for (int p = 0; p < points->embedding->point_count; ++p) {
    tacVec3 gradient[8];
    shape_gradients(points, p, gradient);
    double *f = gradients + 9 * r * (size_t)p;
    for (int c = 0; c < 8; ++c) {
      const double *u = points->basis + 3 * r * (size_t)points->embedding->vertices[p][c];
      const double along[3] = {gradient[c].x, gradient[c].y, gradient[c].z};
      for (size_t a = 0; a < 3; ++a)
        for (size_t b = 0; b < 3; ++b)
          for (size_t j = 0; j < r; ++j) f[(3 * a + b) * r + j] += u[a * r + j] * along[b];
    }
  }
}
