#include "elastic/solids/stiffness_hessian.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "elastic/elements/quadrature.h"
#include "elastic/elements/strain.h"

enum {
  MOST_PAIRS = 16, /* that are summed in one pass over the elements */
  WINDOW = 512,    /* elements whose forces are kept until they are added */
  GRAIN = 8
};

/* Some pairs, and the vectors that they are of. */
typedef struct Contraction {
  const tacSolid *solid;
  const double *vectors;
  size_t size; /* of a vector */
  int count, columns;
  int column[2 * MOST_PAIRS], place[2][MOST_PAIRS]; /* a pair is column[place[0][pair]], column[place[1][pair]] */
  double *result;                                   /* [pair][size] */
  int begin, some;                                  /* elements of this window */
  double (*force)[MOST_PAIRS][8][3];                /* [WINDOW] */
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

static void choose_pairs(Contraction *work, int count, const int *first, const int *second) {
  work->count = count;
  work->columns = 0;
  for (int p = 0; p < 2 * count; ++p) { /* the different vectors among them */
    int wanted = (p < count ? first : second)[p % count], at = 0;
    while (at < work->columns && work->column[at] != wanted) ++at;
    if (at == work->columns) work->column[work->columns++] = wanted;
    work->place[p / count][p % count] = at;
  }
}

static void contract_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Contraction *work = context;
  const tacVolMesh *mesh = work->solid->mesh;
  for (size_t n = begin; n < end; ++n) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    double u[2 * MOST_PAIRS][8][3], (*force)[8][3] = work->force[n];
    int e = work->begin + (int)n;
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e), point_count = tac_quadrature_points(mesh, e, 3, points);
    const double(*c)[6] = tac_solid_material(work->solid, e)->stiffness;
    memset(force, 0, sizeof work->force[n]);
    for (int i = 0; i < work->columns; ++i)
      for (int a = 0; a < corners; ++a)
        memcpy(u[i][a], work->vectors + (size_t)work->column[i] * work->size + 3 * (size_t)v[a], sizeof u[i][a]);
    for (int g = 0; g < point_count; ++g) {
      Response response[2 * MOST_PAIRS];
      for (int i = 0; i < work->columns; ++i) respond(&points[g], corners, (const double(*)[3])u[i], c, &response[i]);
      for (int p = 0; p < work->count; ++p) {
        double s[9];
        combine(&response[work->place[0][p]], &response[work->place[1][p]], c, points[g].weight, s);
        for (int a = 0; a < corners; ++a) {
          tacVec3 m = points[g].gradient[a];
          for (int i = 0; i < 3; ++i) force[p][a][i] += s[3 * i] * m.x + s[3 * i + 1] * m.y + s[3 * i + 2] * m.z;
        }
      }
    }
  }
}

/* Elements add up in their order, whichever thread does it. */
static void add_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Contraction *work = context;
  for (size_t p = begin; p < end; ++p)
    for (int n = 0; n < work->some; ++n) {
      const int *v = tac_element_vertices(work->solid->mesh, work->begin + n);
      int corners = tac_element_corner_count(work->solid->mesh, work->begin + n);
      for (int a = 0; a < corners; ++a) {
        double *to = work->result + p * work->size + 3 * (size_t)v[a];
        for (int i = 0; i < 3; ++i) to[i] += work->force[n][p][a][i];
      }
    }
}

static void contract(Contraction *work) {
  int elements = tac_element_count(work->solid->mesh);
  memset(work->result, 0, (size_t)work->count * work->size * sizeof *work->result);
  for (work->begin = 0; work->begin < elements; work->begin += WINDOW) {
    work->some = elements - work->begin < WINDOW ? elements - work->begin : WINDOW;
    tac_parallel_do((size_t)work->some, GRAIN, contract_elements, work);
    tac_parallel_do((size_t)work->count, 1, add_elements, work);
  }
}

tacStatus tac_stiffness_hessian_contract(const tacSolid *solid, const double *vectors, int count, const int *first,
                                         const int *second, double *result, tacError *error) {
  if (count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of contractions is %d; it must be 0 or more", count);
  TAC_TRY(tac_volmesh_validate(solid->mesh, error));
  for (int e = 0; e < tac_element_count(solid->mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    if (tac_quadrature_points(solid->mesh, e, 3, points) == 0)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
  }
  Contraction work = {.solid = solid, .vectors = vectors, .size = 3 * (size_t)solid->mesh->vertex_count};
  TAC_TRY(TAC_ARRAY(work.force, WINDOW, "a Hessian", error));
  for (int begin = 0; begin < count; begin += MOST_PAIRS) {
    work.result = result + (size_t)begin * work.size;
    choose_pairs(&work, count - begin < MOST_PAIRS ? count - begin : MOST_PAIRS, first + begin, second + begin);
    contract(&work);
  }
  free(work.force);
  return TAC_OK;
}
