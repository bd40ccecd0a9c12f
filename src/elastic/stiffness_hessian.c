#include "elastic/stiffness_hessian.h"

#include <string.h>
#include "base/parallel.h"
#include "elastic/quadrature.h"
#include "elastic/strain.h"

enum { MOST_PAIRS = 16 }; /* that are summed in one pass over the elements */

typedef struct Contraction {
  const tacSolid *solid;
  const double *vectors;
  const int *first, *second;
  double *result;
  size_t size; /* of a vector */
} Contraction;

/* What a displacement makes at a quadrature point: its gradient and the stress of its linear strain, row-major. */
typedef struct Response {
  double gradient[9], stress[9];
} Response;

static void expand(const double s[6], double full[9]) {
  memcpy(full, (double[9]){s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]}, 9 * sizeof *full);
}

static void respond(const tacQuadraturePoint *point, int corners, const double u[8][3], const double c[6][6],
                    Response *response) {
  double *g = response->gradient, stress[6];
  memset(g, 0, sizeof response->gradient);
  for (int a = 0; a < corners; ++a) {
    tacVec3 n = point->gradient[a];
    for (int i = 0; i < 3; ++i) {
      g[3 * i] += u[a][i] * n.x;
      g[3 * i + 1] += u[a][i] * n.y;
      g[3 * i + 2] += u[a][i] * n.z;
    }
  }
  double strain[6] = {g[0], g[4], g[8], g[5] + g[7], g[2] + g[6], g[1] + g[3]};
  tac_strain_stress(c, strain, stress);
  expand(stress, response->stress);
}

/* weight (C q(a, b) + G_a S_b + G_b S_a): the force on corner c is this times its gradient. */
static void combine(const Response *a, const Response *b, const double c[6][6], double weight, double p[9]) {
  const double *ga = a->gradient, *gb = b->gradient;
  double q[9], stress[6];
  for (int i = 0; i < 3; ++i) /* twice q */
    for (int j = 0; j < 3; ++j) {
      q[3 * i + j] = 0.0;
      for (int k = 0; k < 3; ++k) q[3 * i + j] += ga[3 * k + i] * gb[3 * k + j] + gb[3 * k + i] * ga[3 * k + j];
    }
  double strain[6] = {0.5 * q[0], 0.5 * q[4], 0.5 * q[8], q[5], q[2], q[1]};
  tac_strain_stress(c, strain, stress);
  expand(stress, p);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = p[3 * i + j];
      for (int k = 0; k < 3; ++k) sum += ga[3 * i + k] * b->stress[3 * k + j] + gb[3 * i + k] * a->stress[3 * k + j];
      p[3 * i + j] = weight * sum;
    }
}

/* Results [begin, end), at most MOST_PAIRS. Elements add up in their order, whichever thread does it. */
static void contract(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Contraction *work = context;
  const tacVolMesh *mesh = work->solid->mesh;
  int column[2 * MOST_PAIRS], columns = 0, count = (int)(end - begin), place[2][MOST_PAIRS];
  for (int p = 0; p < 2 * count; ++p) { /* the different vectors among them */
    int wanted = (p < count ? work->first : work->second)[begin + (size_t)(p % count)], at = 0;
    while (at < columns && column[at] != wanted) ++at;
    if (at == columns) column[columns++] = wanted;
    place[p / count][p % count] = at;
  }
  memset(work->result + begin * work->size, 0, (end - begin) * work->size * sizeof *work->result);
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    double u[2 * MOST_PAIRS][8][3], force[MOST_PAIRS][8][3] = {0};
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e), point_count = tac_quadrature_points(mesh, e, 3, points);
    const double(*c)[6] = tac_solid_material(work->solid, e)->stiffness;
    for (int i = 0; i < columns; ++i)
      for (int a = 0; a < corners; ++a)
        memcpy(u[i][a], work->vectors + (size_t)column[i] * work->size + 3 * (size_t)v[a], sizeof u[i][a]);
    for (int g = 0; g < point_count; ++g) {
      Response response[2 * MOST_PAIRS];
      for (int i = 0; i < columns; ++i) respond(&points[g], corners, (const double(*)[3])u[i], c, &response[i]);
      for (int p = 0; p < count; ++p) {
        double s[9];
        combine(&response[place[0][p]], &response[place[1][p]], c, points[g].weight, s);
        for (int a = 0; a < corners; ++a) {
          tacVec3 n = points[g].gradient[a];
          for (int i = 0; i < 3; ++i) force[p][a][i] += s[3 * i] * n.x + s[3 * i + 1] * n.y + s[3 * i + 2] * n.z;
        }
      }
    }
    for (int p = 0; p < count; ++p)
      for (int a = 0; a < corners; ++a) {
        double *to = work->result + (begin + (size_t)p) * work->size + 3 * (size_t)v[a];
        for (int i = 0; i < 3; ++i) to[i] += force[p][a][i];
      }
  }
}

tacStatus tac_stiffness_hessian_contract(const tacSolid *solid, const double *vectors, int count, const int *first,
                                         const int *second, double *result, tacError *error) {
  if (count < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "%d contractions of a Hessian", count);
  tacStatus status = tac_volmesh_validate(solid->mesh, error);
  if (status != TAC_OK) return status;
  for (int e = 0; e < tac_element_count(solid->mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    if (tac_quadrature_points(solid->mesh, e, 3, points) == 0)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
  }
  Contraction work = {solid, vectors, first, second, result, 3 * (size_t)solid->mesh->vertex_count};
  size_t cores = (size_t)tac_parallel_core_count(), grain = ((size_t)count + cores - 1) / cores;
  if (grain > MOST_PAIRS) grain = MOST_PAIRS;
  return tac_parallel_for(0, (size_t)count, grain > 0 ? grain : 1, contract, &work, NULL, "Hessian", error);
}
