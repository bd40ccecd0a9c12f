#include "bake/loads/trial_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/elements/quadrature.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

static const double radius_share = 0.08; /* of the box's diagonal: a finger on an organ */

/* Areas of the boundary's vertices, and normals as long as twice these. */
static void measure_boundary(const tacTriMesh *surface, double *area, tacVec3 *normal) {
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    const tacVec3 *x = surface->vertices;
    tacVec3 n = tac_vec3_cross(tac_vec3_sub(x[v[1]], x[v[0]]), tac_vec3_sub(x[v[2]], x[v[0]]));
    for (int c = 0; c < 3; ++c) {
      area[v[c]] += tac_vec3_norm(n) / 6.0;
      normal[v[c]] = tac_vec3_add(normal[v[c]], n);
    }
  }
}

static tacVec3 direction_of(tacTrialWay way, tacVec3 normal) {
  if (way == TAC_TRIAL_OUT) return normal;
  if (way == TAC_TRIAL_IN) return tac_vec3_scale(-1.0, normal);
  tacVec3 axis = fabs(normal.x) < 0.6 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
  return tac_vec3_unit(tac_vec3_cross(normal, axis));
}

static double distance2(const tacVolMesh *mesh, int a, int b) {
  return tac_vec3_norm2(tac_vec3_sub(mesh->vertices[a], mesh->vertices[b]));
}

/* Anywhere on the free part of the boundary, by its area; -1: there is none. */
static int anywhere(const tacTrialLoads *loads, tacRandom *random) {
  double all = 0.0;
  int at = -1;
  for (int i = 0; i < loads->boundary_count; ++i)
    if (!loads->held[loads->boundary[i]]) all += loads->area[i];
  double left = tac_random_uniform(random, 0.0, all);
  for (int i = 0; i < loads->boundary_count && left >= 0.0; ++i) {
    if (loads->held[loads->boundary[i]]) continue;
    left -= loads->area[i];
    at = i;
  }
  return at;
}

typedef struct {
  const tacTrialLoads *loads;
  double *far; /* [boundary]: the square of the distance to what is held */
} Distances;

static void measure_from_held(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Distances *d = context;
  const tacVolMesh *mesh = d->loads->mesh;
  for (size_t i = begin; i < end; ++i) {
    d->far[i] = INFINITY;
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (d->loads->held[v]) d->far[i] = fmin(d->far[i], distance2(mesh, d->loads->boundary[i], v));
  }
}

/* `far` [boundary]: the square of the distance to what is held and to loads so far. */
static void choose(tacTrialLoads *loads, int count, const tacVec3 *normal, double *far) {
  tacRandom random = tac_random_seed(11);
  Distances distances = {loads, far};
  tac_parallel_do((size_t)loads->boundary_count, 64, measure_from_held, &distances);
  for (int n = 0; n < count; ++n) {
    int at = 0;
    for (int i = 1; i < loads->boundary_count; ++i)
      if (far[i] > far[at]) at = i;
    if (!(far[at] > 0.0)) return;
    if (n % 2 == 1) at = anywhere(loads, &random);
    tacTrialWay way = (tacTrialWay)(n % TAC_TRIAL_WAYS);
    tacVec3 direction = direction_of(way, tac_vec3_unit(normal[at]));
    loads->loads[loads->count++] = (tacTrialLoad){loads->boundary[at], way, direction};
    for (int i = 0; i < loads->boundary_count; ++i)
      far[i] = fmin(far[i], distance2(loads->mesh, loads->boundary[i], loads->boundary[at]));
  }
}

tacStatus tac_trial_loads_create(const tacVolMesh *mesh, const bool *held, int count, tacTrialLoads *loads,
                                 tacError *error) {
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  *loads = (tacTrialLoads){.mesh = mesh, .held = held};
  loads->radius = radius_share * tac_vec3_norm(tac_box_size(tac_volmesh_box(mesh)));
  TAC_TRY(tac_volmesh_surface(mesh, &surface, &loads->boundary, NULL, error));
  size_t vertices = (size_t)surface->vertex_count;
  loads->boundary_count = surface->vertex_count;
  TAC_TRY(TAC_ARRAY(loads->area, vertices, "loads", error));
  TAC_TRY(TAC_ARRAY(loads->loads, (size_t)count, "loads", error));
  tacVec3 *normal = tac_arrays_add(&work, vertices, sizeof *normal);
  double *far = tac_arrays_add(&work, vertices, sizeof *far);
  TAC_TRY(tac_arrays_status(&work, "loads", error));
  TAC_TRY(tac_load_spread_create(mesh, &loads->spread, error));
  measure_boundary(surface, loads->area, normal);
  choose(loads, count, normal, far);
  return TAC_OK;
}

void tac_trial_loads_destroy(tacTrialLoads *loads) {
  tac_load_spread_free(&loads->spread);
  free(loads->loads);
  free(loads->boundary);
  free(loads->area);
  *loads = (tacTrialLoads){0};
}

bool tac_trial_loads_force(const tacTrialLoads *loads, int load, double *force) {
  const tacTrialLoad *l = &loads->loads[load];
  memset(force, 0, 3 * (size_t)loads->mesh->vertex_count * sizeof *force);
  bool spread = false;
  for (double radius = loads->radius; !spread && radius < 5.0 * loads->radius; radius *= 1.3)
    spread = tac_load_spread_add(&loads->spread, loads->mesh->vertices[l->vertex], radius, l->direction, force);
  for (int v = 0; v < loads->mesh->vertex_count; ++v)
    if (loads->held[v]) memset(force + 3 * (size_t)v, 0, 3 * sizeof *force);
  return spread;
}

double tac_trial_loads_gradient(const tacTrialLoads *loads, const double *u) {
  const tacVolMesh *mesh = loads->mesh;
  double sum = 0.0, all = 0.0;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e), count = tac_quadrature_points(mesh, e, 2, points);
    double mean[3] = {0.0, 0.0, 0.0}, square = 0.0;
    for (int i = 0; i < 3 * corners; ++i) mean[i % 3] += u[3 * (size_t)v[i / 3] + (size_t)(i % 3)] / corners;
    for (int i = 0; i < 3; ++i) square += mean[i] * mean[i];
    for (int p = 0; p < count; ++p) {
      double g[3][3] = {{0.0}}, norm2 = 0.0;
      for (int c = 0; c < corners; ++c) {
        const double n[3] = {points[p].gradient[c].x, points[p].gradient[c].y, points[p].gradient[c].z};
        for (int i = 0; i < 9; ++i) g[i / 3][i % 3] += u[3 * (size_t)v[c] + (size_t)(i / 3)] * n[i % 3];
      }
      for (int i = 0; i < 9; ++i) norm2 += g[i / 3][i % 3] * g[i / 3][i % 3];
      sum += points[p].weight * square * norm2;
      all += points[p].weight * square;
    }
  }
  return all > 0.0 ? sqrt(sum / all) : 0.0;
}

double tac_trial_loads_error(const tacTrialLoads *loads, double scale, const double *u, const double *truth) {
  double error2 = 0.0, all = 0.0;
  for (int i = 0; i < loads->boundary_count; ++i)
    for (size_t k = 3 * (size_t)loads->boundary[i], end = k + 3; k < end; ++k) {
      double error = scale * u[k] - truth[k];
      error2 += loads->area[i] * error * error;
      all += loads->area[i] * truth[k] * truth[k];
    }
  return all > 0.0 ? sqrt(error2 / all) : 0.0;
}

/* ---- fit ---- */

static const double trusted = 0.03;

/* log(found / true) of one error, both with what is trusted. `share`: of the term `term` in found^2. */
static double miss(int i, int terms, const double *const *measure, const double *error, const double *factor, int term,
                   double *share) {
  double found2 = trusted * trusted, of_term = 0.0;
  for (int k = 0; k < terms; ++k) {
    double part = factor[k] * measure[k][i];
    found2 += part * part;
    if (k == term) of_term = part * part;
  }
  *share = of_term / found2;
  return 0.5 * log(found2 / (trusted * trusted + error[i] * error[i]));
}

/* The factor of one term where the sum of squares does not change with it: below that it falls. */
static void improve(int count, int terms, const double *const *measure, const double *error, double *factor, int term) {
  double low = INFINITY, high = 0.0;
  for (int i = 0; i < count; ++i) {
    if (!(measure[term][i] > 0.0)) continue;
    low = fmin(low, 1e-4 * trusted / measure[term][i]);
    high = fmax(high, 10.0 * (trusted + error[i]) / measure[term][i]);
  }
  factor[term] = 0.0;
  if (!(high > 0.0) || !isfinite(low) || !isfinite(high)) return;
  for (int halving = 0; halving < 60; ++halving) {
    double slope = 0.0, share;
    factor[term] = sqrt(low) * sqrt(high);
    for (int i = 0; i < count; ++i) {
      double missed = miss(i, terms, measure, error, factor, term, &share);
      slope += missed * share;
    }
    *(slope < 0.0 ? &low : &high) = factor[term];
  }
}

void tac_trial_loads_remark(const char *what, int found, int tried) {
  if (2 * found >= tried) return;
  tac_log(TAC_LOG_INFO, "%s: no equilibrium was found for %d of %d trial loads; errors are estimated from the others",
          what, tried - found, tried);
}

void tac_trial_fit(int count, int terms, const double *const *measure, const double *error, double *factor) {
  memset(factor, 0, (size_t)terms * sizeof *factor);
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int k = 0; k < terms; ++k) improve(count, terms, measure, error, factor, k);
  double sum = 0.0, share;
  int large = 0;
  for (int i = 0; i < count; ++i) {
    if (error[i] < trusted) continue;
    double missed = miss(i, terms, measure, error, factor, 0, &share);
    sum += missed * missed;
    ++large;
  }
  double caution = large > 0 ? exp(0.5 * sqrt(sum / large)) : 1.0;
  for (int k = 0; k < terms; ++k) factor[k] *= caution;
}
