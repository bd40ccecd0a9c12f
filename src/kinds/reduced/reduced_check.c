#include "kinds/reduced/reduced_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bake/modes/embedding_check.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/elements/quadrature.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

#define ALLOWED 1e-9
/* Root mean square of the displacement gradient, to which each random q is scaled. */
static const double gradients[] = {0.01, 0.1, 1.0};
enum { SIZES = sizeof gradients / sizeof *gradients, WEIGHTS = 2, LOADS = WEIGHTS + 3 };

typedef struct {
  const tacReducedParts *parts;
  const tacSolid *solid;
  tacRandom random;
  double *u;     /* displacements u, [3 n] for n vertices */
  double *force; /* forces of a group, [LOADS][3 n]; zero at vertices that are not `touched` */
  bool *touched; /* true if a force was added at the vertex, [n] */
  double *q, *unit, *scratch, *reduced, *full; /* `unit`: square root of the stiffness at rest, [r] */
  tacArrays arrays;
} Check;

static void free_check(Check *check) {
  tac_arrays_free(&check->arrays);
}

static tacStatus create_room(Check *check, size_t loads, tacError *error) {
  size_t size = 3 * (size_t)check->solid->mesh->vertex_count, r = (size_t)check->parts->size;
  check->u = tac_arrays_add(&check->arrays, size, sizeof(double));
  check->force = tac_arrays_add(&check->arrays, loads * size, sizeof(double));
  check->touched = tac_arrays_add(&check->arrays, size / 3, sizeof(bool));
  check->scratch = tac_arrays_add(&check->arrays, tac_reduced_polynomial_scratch(check->parts->size), sizeof(double));
  check->reduced = tac_arrays_add(&check->arrays, r, sizeof(double));
  check->full = tac_arrays_add(&check->arrays, r, sizeof(double));
  return tac_arrays_status(&check->arrays, "a check", error);
}

static tacStatus create_check(Check *check, tacError *error) {
  size_t r = (size_t)check->parts->size;
  check->q = tac_arrays_add(&check->arrays, r, sizeof(double));
  check->unit = tac_arrays_add(&check->arrays, r, sizeof(double));
  return create_room(check, LOADS, error);
}

static int group_of(const Check *check, int element) {
  return check->solid->material_of != NULL ? check->solid->material_of[element] : 0;
}

/* Computes u = U q. */
static void displace(const Check *check, const double *q) {
  size_t size = 3 * (size_t)check->solid->mesh->vertex_count, r = (size_t)check->parts->size;
  for (size_t i = 0; i < size; ++i) {
    const double *row = check->parts->basis + i * r;
    double sum = 0.0;
    for (size_t j = 0; j < r; ++j) sum += row[j] * q[j];
    check->u[i] = sum;
  }
}

/* Computes U^T times `force`. The force must be zero at all vertices that are not `touched`. */
static void project(const Check *check, const double *force, double *to) {
  size_t r = (size_t)check->parts->size;
  memset(to, 0, r * sizeof *to);
  for (size_t v = 0; v < (size_t)check->solid->mesh->vertex_count; ++v)
    for (size_t i = 3 * v; check->touched[v] && i < 3 * v + 3; ++i)
      for (size_t j = 0; j < r; ++j) to[j] += check->parts->basis[i * r + j] * force[i];
}

static void forget_forces(const Check *check) {
  size_t vertices = (size_t)check->solid->mesh->vertex_count;
  memset(check->force, 0, LOADS * 3 * vertices * sizeof *check->force);
  memset(check->touched, 0, vertices * sizeof *check->touched);
}

static bool group_has_elements(const Check *check, int group) {
  for (int e = 0; e < tac_element_count(check->solid->mesh); ++e)
    if (group_of(check, e) == group) return true;
  return false;
}

/* ---- forces ---- */

static void gradient_at(const double *displacement, const int *v, int corners, const tacQuadraturePoint *point,
                        double g[3][3]) {
  memset(g, 0, 9 * sizeof(double));
  for (int c = 0; c < corners; ++c) {
    const double *u = displacement + 3 * (size_t)v[c],
                 n[3] = {point->gradient[c].x, point->gradient[c].y, point->gradient[c].z};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) g[a][b] += u[a] * n[b];
  }
}

/* Returns the root mean square of the displacement gradient |du/dx| over the volume. */
static double mean_gradient(const Check *check) {
  const tacVolMesh *mesh = check->solid->mesh;
  double sum = 0.0, volume = 0.0;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    int count = tac_quadrature_points(mesh, e, 2, points);
    for (int p = 0; p < count; ++p) {
      double g[3][3];
      gradient_at(check->u, tac_element_vertices(mesh, e), tac_element_corner_count(mesh, e), &points[p], g);
      for (int i = 0; i < 9; ++i) sum += points[p].weight * g[i / 3][i % 3] * g[i / 3][i % 3];
      volume += points[p].weight;
    }
  }
  return sqrt(sum / volume);
}

/* Computes the second Piola-Kirchhoff stress of Green's strain E: tr(E) I, 2 E or C E, as `kind` requires. */
static void stress_of(int kind, const tacMaterial *material, double e[3][3], double s[3][3]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
  for (int c = 0; c < 6; ++c) {
    int a = pair[c][0], b = pair[c][1];
    double sum = 0.0;
    if (kind == TAC_REDUCED_LAMBDA) sum = a == b ? e[0][0] + e[1][1] + e[2][2] : 0.0;
    if (kind == TAC_REDUCED_MU) sum = 2.0 * e[a][b];
    for (int d = 0; kind == TAC_REDUCED_WHOLE && d < 6; ++d)
      sum += material->stiffness[c][d] * (d < 3 ? 1.0 : 2.0) * e[pair[d][0]][pair[d][1]];
    s[a][b] = s[b][a] = sum;
  }
}

static void green_strain(double g[3][3], double strain[3][3]) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      strain[a][b] = g[a][b] + g[b][a];
      for (int k = 0; k < 3; ++k) strain[a][b] += g[k][a] * g[k][b];
      strain[a][b] *= 0.5;
    }
}

/* Adds the nodal forces F S n of one energy part, for the displacement `sign` u. F = I + grad u is the deformation
 * gradient, S is the stress, and n is the gradient of a shape function. If `w` is not NULL, the forces are (grad w) S
 * n, with the stress S of the displacement `sign` u. */
static void add_forces(const Check *check, const tacReducedPart *part, double sign, const double *w, double *to) {
  const tacVolMesh *mesh = check->solid->mesh;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    if (group_of(check, e) != part->group) continue;
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e), count = tac_quadrature_points(mesh, e, 4, points);
    for (int p = 0; p < count; ++p) {
      double g[3][3], strain[3][3], s[3][3];
      gradient_at(check->u, v, corners, &points[p], g);
      for (int i = 0; i < 9; ++i) g[i / 3][i % 3] *= sign;
      green_strain(g, strain);
      stress_of((int)part->kind, &check->solid->materials[part->group], strain, s);
      for (int a = 0; a < 3; ++a) g[a][a] += 1.0;
      if (w != NULL) gradient_at(w, v, corners, &points[p], g);
      for (int c = 0; c < corners; ++c) {
        tacVec3 n = points[p].gradient[c];
        double *f = to + 3 * (size_t)v[c];
        check->touched[v[c]] = true;
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 3; ++k)
            f[a] += points[p].weight * g[a][k] * (s[k][0] * n.x + s[k][1] * n.y + s[k][2] * n.z);
      }
    }
  }
}

/* Computes the unit of each coordinate, which is the square root of the stiffness at rest. In these units all
 * coordinates are comparable. */
static void measure_units(const Check *check) {
  int r = check->parts->size;
  double largest = 0.0;
  for (int i = 0; i < r; ++i) {
    double k = 0.0;
    for (int p = 0; p < check->parts->part_count; ++p) {
      const tacReducedPart *part = &check->parts->parts[p];
      k += 2.0 * part->weight * part->coefficients[tac_reduced_polynomial_place(r, 2, (const int[2]){i, i})];
    }
    check->unit[i] = k;
    largest = fmax(largest, k);
  }
  for (int i = 0; i < r; ++i) check->unit[i] = sqrt(fmax(check->unit[i], 1e-12 * largest));
}

/* Draws random q with magnitudes 0.5 to 1 in the units of `measure_units`, then scales q to the given mean gradient.
 * Also computes the displacements u. */
static void draw_coordinates(Check *check, double gradient, double *q) {
  for (int i = 0; i < check->parts->size; ++i) {
    double half = tac_random_uniform(&check->random, -0.5, 0.5);
    q[i] = (half + copysign(0.5, half)) / check->unit[i];
  }
  displace(check, q);
  double by = gradient / mean_gradient(check);
  for (int i = 0; i < check->parts->size; ++i) q[i] *= by;
  displace(check, q);
}

/* Comparison of one energy part for one q and one sign, as the work item of a thread. */
typedef struct {
  int part;
  double sign;
  const double *q, *u; /* coordinates and displacements for the positive sign */
  tacWorst worst;
  tacStatus status;
} Comparison;

typedef struct {
  const Check *check;
  Comparison *list;
} Comparisons;

/* Compares the force `reduced` of a part with the force `full` of the mesh, in units of the coordinates. */
static void compare(const Check *check, int part, const double *reduced, tacWorst *worst) {
  double scale = 0.0;
  for (int i = 0; i < check->parts->size; ++i) scale = fmax(scale, fabs(check->full[i]) / check->unit[i]);
  for (int i = 0; i < check->parts->size; ++i) {
    double off = fabs(reduced[i] - check->full[i]) / check->unit[i];
    tac_worst_add(worst, off == 0.0 ? 0.0 : off / scale, 1000 * part + i);
  }
}

static tacStatus compare_part(const Check *shared, Comparison *c, tacError *error) {
  const tacReducedPart *part = &shared->parts->parts[c->part];
  int r = shared->parts->size;
  double q[TAC_BODY_MOST_COORDINATES];
  TAC_FREED(free_check, Check, check) = {.parts = shared->parts, .solid = shared->solid, .unit = shared->unit};
  TAC_TRY(create_room(&check, 1, error));
  memcpy(check.u, c->u, 3 * (size_t)check.solid->mesh->vertex_count * sizeof *check.u);
  for (int i = 0; i < r; ++i) q[i] = c->sign * c->q[i];
  add_forces(&check, part, c->sign, NULL, check.force);
  project(&check, check.force, check.full);
  tac_reduced_polynomial_evaluate(r, part->coefficients, q, check.scratch, check.reduced, NULL);
  compare(&check, c->part, check.reduced, &c->worst);
  return TAC_OK;
}

static void compare_some(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Comparisons *all = context;
  for (size_t i = begin; i < end; ++i) all->list[i].status = compare_part(all->check, &all->list[i], NULL);
}

/* Compares (S : E'') w of every energy part with the product computed on the mesh. The random q are so large that both
 * the linear and the quadratic strain matter. */
static tacStatus check_stress(Check *check, tacBakeChecks *checks, tacError *error) {
  const tacReducedParts *parts = check->parts;
  if (parts->part_count == 0 || parts->parts[0].stress == NULL) return TAC_OK;
  size_t r = (size_t)parts->size, size = 3 * (size_t)check->solid->mesh->vertex_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *stiffness = tac_arrays_add(&work, r * r, sizeof *stiffness), *w = tac_arrays_add(&work, r, sizeof *w);
  double *scratch = tac_arrays_add(&work, tac_reduced_stress_scratch(parts->size), sizeof *scratch);
  double *moved = tac_arrays_add(&work, size, sizeof *moved);
  TAC_TRY(tac_arrays_status(&work, "a check", error));
  tacWorst worst = {0};
  forget_forces(check);
  for (int d = 0; d < SIZES; ++d) {
    draw_coordinates(check, gradients[d], w);
    memcpy(moved, check->u, size * sizeof *moved);
    draw_coordinates(check, gradients[d], check->q);
    for (int p = 0; p < parts->part_count; ++p) {
      memset(check->force, 0, size * sizeof *check->force);
      add_forces(check, &parts->parts[p], 1.0, moved, check->force);
      project(check, check->force, check->full);
      tac_reduced_stress_evaluate(parts->size, parts->parts[p].stress, check->q, scratch, stiffness);
      for (size_t i = 0; i < r; ++i) {
        check->reduced[i] = 0.0;
        for (size_t j = 0; j < r; ++j) check->reduced[i] += stiffness[i * r + j] * w[j];
      }
      compare(check, p, check->reduced, &worst);
    }
  }
  return tac_bake_checks_add(checks, "stiffness by stress with that of the whole mesh", &worst, ALLOWED,
                             "1000 part + coordinate =", error);
}

static tacStatus check_forces(Check *check, tacBakeChecks *checks, tacError *error) {
  size_t r = (size_t)check->parts->size, size = 3 * (size_t)check->solid->mesh->vertex_count;
  size_t count = 2 * SIZES * (size_t)check->parts->part_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *drawn = tac_arrays_add(&work, SIZES * (r + size), sizeof *drawn);
  Comparisons all = {check, tac_arrays_add(&work, count, sizeof *all.list)};
  TAC_TRY(tac_arrays_status(&work, "a check", error));
  measure_units(check);
  for (size_t d = 0, n = 0; d < SIZES; ++d) {
    double *q = drawn + d * (r + size), *u = q + r;
    draw_coordinates(check, gradients[d], q);
    memcpy(u, check->u, size * sizeof *u);
    for (int p = 0; p < check->parts->part_count; ++p)
      for (int side = 0; side < 2; ++side)
        all.list[n++] = (Comparison){.part = p, .sign = side == 0 ? 1.0 : -1.0, .q = q, .u = u};
  }
  TAC_TRY(tac_parallel_for(0, count, 1, compare_some, &all, NULL, "a check", error));
  tacWorst worst = {0};
  for (size_t i = 0; i < count; ++i) {
    tac_worst_join(&worst, &all.list[i].worst);
    if (all.list[i].status != TAC_OK) return tac_error_set(error, all.list[i].status, "out of memory in a check");
  }
  return tac_bake_checks_add(checks, "forces with U^T f(U q) of the whole mesh", &worst, ALLOWED,
                             "1000 part + coordinate =", error);
}

/* ---- mass ---- */

/* Computes the mass of a group. Also computes M u for the WEIGHTS displacements u in `moved` and for a unit
 * acceleration along each axis. */
static tacStatus add_masses(const Check *check, int group, const double *moved, double *mass, tacError *error) {
  const tacVolMesh *mesh = check->solid->mesh;
  size_t size = 3 * (size_t)mesh->vertex_count;
  *mass = 0.0;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    if (group_of(check, e) != group) continue;
    double m[64];
    const int *v = tac_element_vertices(mesh, e);
    int corners = tac_element_corner_count(mesh, e);
    TAC_TRY(tac_element_mass(mesh, e, &check->solid->materials[group], check->solid->mass, m, error));
    for (int a = 0; a < corners; ++a) {
      check->touched[v[a]] = true;
      for (int b = 0; b < corners; ++b) {
        double entry = m[a * corners + b];
        *mass += entry;
        for (size_t axis = 0; axis < 3; ++axis) {
          size_t to = 3 * (size_t)v[a] + axis, from = 3 * (size_t)v[b] + axis;
          for (size_t w = 0; w < WEIGHTS; ++w) check->force[w * size + to] += entry * moved[w * size + from];
          check->force[(WEIGHTS + axis) * size + to] += entry;
        }
      }
    }
  }
  return TAC_OK;
}

/* Compares mass matrix, loads and mass of a group with the sums over its elements. Adds the contribution of the group
 * to U^T M U w to `sum` [WEIGHTS][r]. */
static tacStatus compare_group(const Check *check, int group, const double *w, const double *moved, double *sum,
                               tacWorst *worst, tacError *error) {
  size_t size = 3 * (size_t)check->solid->mesh->vertex_count, r = (size_t)check->parts->size;
  const double *matrix = check->parts->mass_matrix + r * r * (size_t)group;
  const double *body_force = check->parts->body_force + 3 * r * (size_t)group;
  double mass, largest = 0.0;
  forget_forces(check);
  TAC_TRY(add_masses(check, group, moved, &mass, error));
  for (size_t i = 0; i < r; ++i) largest = fmax(largest, matrix[i * r + i]);
  double matrix_scale = largest * sqrt((double)r), load_scale = sqrt(largest * mass);
  for (size_t load = 0; load < LOADS; ++load) {
    project(check, check->force + load * size, check->full);
    for (size_t i = 0; i < r; ++i) {
      double expected = load < WEIGHTS ? 0.0 : body_force[(load - WEIGHTS) * r + i];
      for (size_t j = 0; load < WEIGHTS && j < r; ++j) expected += matrix[i * r + j] * w[load * r + j];
      if (load < WEIGHTS) sum[load * r + i] += check->full[i];
      double off = fabs(check->full[i] - expected);
      tac_worst_add(worst, off == 0.0 ? 0.0 : off / (load < WEIGHTS ? matrix_scale : load_scale),
                    1000 * group + (int)i);
    }
  }
  double off = fabs(check->parts->group_mass[group] - mass);
  tac_worst_add(worst, off == 0.0 ? 0.0 : off / mass, 1000 * group);
  return TAC_OK;
}

static tacStatus check_mass(Check *check, tacBakeChecks *checks, tacError *error) {
  size_t size = 3 * (size_t)check->solid->mesh->vertex_count, r = (size_t)check->parts->size;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *w = tac_arrays_add(&work, WEIGHTS * r, sizeof *w), *sum = tac_arrays_add(&work, WEIGHTS * r, sizeof *sum);
  double *moved = tac_arrays_add(&work, WEIGHTS * size, sizeof *moved);
  TAC_TRY(tac_arrays_status(&work, "a check", error));
  tacWorst worst = {0};
  for (size_t k = 0; k < WEIGHTS; ++k) {
    for (size_t i = 0; i < r; ++i) w[k * r + i] = tac_random_uniform(&check->random, -1.0, 1.0);
    displace(check, w + k * r);
    memcpy(moved + k * size, check->u, size * sizeof *moved);
  }
  for (int g = 0; g < check->parts->group_count; ++g)
    if (group_has_elements(check, g)) TAC_TRY(compare_group(check, g, w, moved, sum, &worst, error));
  for (size_t i = 0; i < WEIGHTS * r; ++i) tac_worst_add(&worst, fabs(sum[i] - w[i]), (int)(i % r));
  return tac_bake_checks_add(checks, "U^T M U w with w, and masses and loads of groups with their elements", &worst,
                             ALLOWED, "1000 group + coordinate =", error);
}

/* Tolerance of the surface check. The bake neglects corners with interpolation weights below 1e-9 at fixed vertices. */
#define SURFACE_ALLOWED 1e-6

static tacStatus check_surface(Check *check, tacBakeChecks *checks, tacError *error) {
  const tacReducedParts *parts = check->parts;
  const tacEmbeddingCheck embedding = tac_embedding_check(parts->volume, parts->size, parts->basis);
  size_t row = 3 * (size_t)parts->size;
  tacWorst worst = {0};
  for (int s = 0; s < TAC_EMBEDDING_SAMPLES; ++s) {
    int v = (int)(tac_random_bits(&check->random) % (uint64_t)parts->surface->vertex_count);
    const tacEmbeddedRows rows = {.point = parts->surface->vertices[v],
                                  .normal = parts->normals[v],
                                  .displacement = parts->displacements + row * (size_t)v,
                                  .normal_change = parts->normal_changes + row * (size_t)v};
    tac_embedding_check_compare(&embedding, &rows, v, &worst);
  }
  return tac_bake_checks_add(checks, "displacements and turns of the surface with the elements", &worst,
                             SURFACE_ALLOWED, "vertex", error);
}

tacStatus tac_reduced_check(const tacReducedParts *parts, const tacSolid *solid, tacBakeChecks *checks,
                            tacError *error) {
  TAC_FREED(free_check, Check, check) = {.parts = parts, .solid = solid, .random = tac_random_seed(4)};
  TAC_TRY(create_check(&check, error));
  TAC_TRY(check_forces(&check, checks, error));
  TAC_TRY(check_stress(&check, checks, error));
  TAC_TRY(check_mass(&check, checks, error));
  return check_surface(&check, checks, error);
}
