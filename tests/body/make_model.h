/* Reduced bodies of made-up numbers, for the tests of this room. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_body.h"
#include "math/random.h"
#include "test.h"

/* The energy of part p is half of the sum of e^2 over some strains e = b.q + q.C q, so that force and energy have closed
 * forms beside the polynomial; the surface is a tetrahedron with made-up displacements. */
enum { MOST = 6, GROUPS = 2, PARTS = 2 * GROUPS, STRAINS = 8 };

typedef struct Model {
  int size, groups, strains;
  bool is_free, damps_strain_rate;
  double b[PARTS][STRAINS][MOST], c[PARTS][STRAINS][MOST][MOST], weight[PARTS];
  double mass[GROUPS][MOST][MOST], fall[GROUPS][3][MOST], group_mass[GROUPS];
  double u[4][3][MOST], turn[4][3][MOST]; /* displacements, changes of normals */
  tacVec3 centre;
  double inertia[3];
} Model;

static inline Model make_model(int size, int groups, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  Model m = {.size = size,
             .groups = groups,
             .strains = size + 2,
             .centre = {0.02, 0.03, 0.025},
             .inertia = {2e-4, 3e-4, 4e-4},
             .group_mass = {0.1, 0.15},
             .weight = {1.5, 0.7, 0.4, 2.0}};
  for (int p = 0; p < PARTS; ++p)
    for (int s = 0; s < m.strains; ++s)
      for (int i = 0; i < size; ++i) {
        m.b[p][s][i] = (s == i ? 8.0 : 0.0) + 4.0 * tac_random_normal(&random);
        for (int j = 0; j <= i; ++j) m.c[p][s][i][j] = m.c[p][s][j][i] = 15.0 * tac_random_normal(&random);
      }
  double direction[MOST];
  for (int i = 0; i < size; ++i) direction[i] = tac_random_uniform(&random, -0.5, 0.5);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      m.mass[1][i][j] = groups == 1 ? 0.0 : 0.5 * (i == j) + 0.2 * direction[i] * direction[j];
      m.mass[0][i][j] = (i == j) - m.mass[1][i][j];
    }
  for (int v = 0; v < 4; ++v)
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < size; ++i) {
        m.u[v][axis][i] = tac_random_normal(&random);
        m.turn[v][axis][i] = 3.0 * tac_random_normal(&random);
        m.fall[v % GROUPS][axis][i] = 0.3 * tac_random_normal(&random);
      }
  return m;
}

/* W = stiffness q^2 / 2 + hardening q^4 / 24 */
static inline Model make_duffing(double stiffness, double hardening) {
  Model m = make_model(1, 1, 1);
  memset(m.b, 0, sizeof m.b);
  memset(m.c, 0, sizeof m.c);
  for (int p = 0; p < PARTS; ++p) m.weight[p] = 1.0;
  m.b[0][0][0] = sqrt(stiffness);
  m.c[1][0][0][0] = sqrt(hardening / 12.0);
  return m;
}

/* Derivatives of half of e^2 at q = 0. */
static inline double strain_derivative(const double b[MOST], double c[MOST][MOST], int degree, const int *x) {
  if (degree == 2) return b[x[0]] * b[x[1]];
  if (degree == 3) return 2.0 * (b[x[0]] * c[x[1]][x[2]] + b[x[1]] * c[x[0]][x[2]] + b[x[2]] * c[x[0]][x[1]]);
  return 4.0 * (c[x[0]][x[1]] * c[x[2]][x[3]] + c[x[0]][x[2]] * c[x[1]][x[3]] + c[x[0]][x[3]] * c[x[1]][x[2]]);
}

static inline void set_coefficient(Model *m, int part, int degree, const int *x, double *coefficients) {
  double derivative = 0.0, often = 1.0;
  for (int s = 0; s < m->strains; ++s) derivative += strain_derivative(m->b[part][s], m->c[part][s], degree, x);
  for (int i = 1, run = 1; i < degree; ++i) {
    run = x[i] == x[i - 1] ? run + 1 : 1;
    often *= run;
  }
  coefficients[tac_reduced_polynomial_place(m->size, degree, x)] = derivative / often;
}

static inline double *make_coefficients(Model *m, int part) {
  double *coefficients = calloc(tac_reduced_polynomial_count(m->size), sizeof *coefficients);
  int x[4];
  for (x[0] = 0; x[0] < m->size; ++x[0])
    for (x[1] = x[0]; x[1] < m->size; ++x[1]) {
      set_coefficient(m, part, 2, x, coefficients);
      for (x[2] = x[1]; x[2] < m->size; ++x[2]) {
        set_coefficient(m, part, 3, x, coefficients);
        for (x[3] = x[2]; x[3] < m->size; ++x[3]) set_coefficient(m, part, 4, x, coefficients);
      }
    }
  return coefficients;
}

/* Products e_ab e_m of a part's strains: of q_i q_j they have 2 c_ij, of q_i^2 c_ii. */
static inline double *make_stress(const Model *m, int part) {
  double *stress = calloc(tac_reduced_stress_count(m->size), sizeof *stress);
  for (int a = 0; a < m->size; ++a)
    for (int b = a; b < m->size; ++b)
      for (int i = 0; i < m->size; ++i)
        for (int j = -1; j < m->size; ++j) {
          if (j >= 0 && j < i) continue;
          double sum = 0.0;
          for (int s = 0; s < m->strains; ++s) {
            double(*const c)[MOST] = ((Model *)(uintptr_t)m)->c[part][s];
            sum += c[a][b] * (a == b ? 1.0 : 2.0) * (j < 0 ? m->b[part][s][i] : c[i][j] * (i == j ? 1.0 : 2.0));
          }
          stress[tac_reduced_stress_place(m->size, a, b, i, j)] = sum;
        }
  return stress;
}

/* R(q), and the energy where asked for. */
static inline double model_force(const Model *m, const double *q, double *force) {
  double energy = 0.0;
  memset(force, 0, (size_t)m->size * sizeof *force);
  for (int p = 0; p < 2 * m->groups; ++p)
    for (int s = 0; s < m->strains; ++s) {
      double strain = 0.0, gradient[MOST];
      for (int i = 0; i < m->size; ++i) {
        double cq = 0.0;
        for (int j = 0; j < m->size; ++j) cq += m->c[p][s][i][j] * q[j];
        gradient[i] = m->b[p][s][i] + 2.0 * cq;
        strain += (m->b[p][s][i] + cq) * q[i];
      }
      energy += 0.5 * m->weight[p] * strain * strain;
      for (int i = 0; i < m->size; ++i) force[i] += m->weight[p] * strain * gradient[i];
    }
  return energy;
}

static const tacVec3 corners[4] = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}};
static const tacTriangle faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};

/* An asset of `size` coordinates from arrays without gaps. */
static inline tacReduced *make_asset(const tacReducedParts *given) {
  tacError why = {0};
  TAC_OWN(tacTriMesh, surface) = NULL;
  tac_test_ok(tac_trimesh_create(4, 4, &surface, &why), why);
  memcpy(surface->vertices, corners, sizeof corners);
  memcpy(surface->triangles, faces, sizeof faces);
  tacVec3 normals[4];
  for (int v = 0; v < 4; ++v) normals[v] = tac_vec3_unit(tac_vec3_sub(corners[v], tac_vec3(0.025, 0.025, 0.025)));
  const bool fixed[4] = {false};
  const char *const names[GROUPS] = {"soft", "hard"};
  tacMaterial materials[GROUPS];
  for (int g = 0; g < GROUPS; ++g) tac_test_ok(tac_material_isotropic(1e3, 1e4, 0.3, &materials[g], &why), why);
  tacVec3 places[4];
  tacTet tet = {{0, 1, 2, 3}};
  memcpy(places, corners, sizeof places);
  const tacVolMesh volume = {.vertex_count = 4, .vertices = places, .tet_count = 1, .tets = &tet};
  tacReducedParts parts = *given;
  parts.surface = surface;
  parts.volume = &volume;
  parts.basis = given->displacements; /* the same vertices */
  parts.fixed = fixed;
  parts.normals = normals;
  parts.group_names = names;
  parts.materials = materials;
  tacReduced *reduced;
  tac_test_ok(tac_reduced_create(&parts, &reduced, &why), why);
  return reduced;
}

static inline void pack(int size, int rows, double (*from)[MOST], double *to) {
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < size; ++i) *to++ = from[row][i];
}

static inline tacReduced *make_reduced(Model *m) {
  int r = m->size;
  double u[12 * MOST], turn[12 * MOST], mass[GROUPS * MOST * MOST], fall[GROUPS * 3 * MOST];
  pack(r, 12, m->u[0], u);
  pack(r, 12, m->turn[0], turn);
  for (int g = 0; g < m->groups; ++g) pack(r, r, m->mass[g], mass + g * r * r);
  pack(r, 3 * m->groups, m->fall[0], fall);
  tacReducedPart part[PARTS];
  double *coefficients[PARTS], *stress[PARTS] = {NULL};
  for (int p = 0; p < 2 * m->groups; ++p) {
    coefficients[p] = make_coefficients(m, p);
    if (m->damps_strain_rate) stress[p] = make_stress(m, p);
    part[p] =
        (tacReducedPart){.group = p / 2, .weight = m->weight[p], .coefficients = coefficients[p], .stress = stress[p]};
    part[p].kind = p % 2 == 0 ? TAC_REDUCED_LAMBDA : TAC_REDUCED_MU;
  }
  tacReducedParts parts = {.size = r,
                           .displacements = u,
                           .normal_changes = turn,
                           .is_free = m->is_free,
                           .mass = m->group_mass[0] + (m->groups == 2 ? m->group_mass[1] : 0.0),
                           .centre = m->centre,
                           .group_count = m->groups,
                           .group_mass = m->group_mass,
                           .mass_matrix = mass,
                           .part_count = 2 * m->groups,
                           .parts = part,
                           .body_force = fall};
  for (int i = 0; i < 3; ++i) parts.inertia[i][i] = m->inertia[i];
  tacReduced *reduced = make_asset(&parts);
  for (int p = 0; p < 2 * m->groups; ++p) {
    free(coefficients[p]);
    free(stress[p]);
  }
  return reduced;
}

typedef struct Case {
  tacReduced *reduced;
  tacReducedBody *body;
} Case;

static inline Case make_case_of(Model *m, const tacReducedMotion *motion, const bool *kept) {
  tacError why = {0};
  Case c = {.reduced = make_reduced(m)};
  tac_test_ok(tac_reduced_body_create(c.reduced, kept, motion, &c.body, &why), why);
  return c;
}

static inline Case make_case(Model *m, const tacReducedMotion *motion) {
  return make_case_of(m, motion, NULL);
}

static inline void free_case(Case *c) {
  tac_reduced_body_destroy(c->body);
  tac_reduced_destroy(c->reduced);
}

static const tacSurfacePoint somewhere = {2, {0.2, 0.5, 0.3}};
static const tacVec3 nowhere = {0.0, 0.0, 0.0};

/* U_s of a point, from the model. */
static inline void point_rows(const Model *m, tacSurfacePoint at, double rows[3][MOST]) {
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < m->size; ++i) {
      rows[axis][i] = 0.0;
      for (int c = 0; c < 3; ++c) rows[axis][i] += at.weight[c] * m->u[faces[at.triangle].v[c]][axis][i];
    }
}

/* U_s dq/dt, m/s. */
static inline tacVec3 point_velocity(const tacReducedBody *body, tacSurfacePoint at) {
  double rows[3 * MOST];
  tac_reduced_body_jacobian(body, at, rows);
  return tac_reduced_jacobian_mul(tac_reduced_body_size(body), rows, tac_reduced_body_rates(body));
}

static inline double distance(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

static inline double length(int n, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

/* Loads that change from step to step. */
static inline void load_at(tacReducedBody *body, int step) {
  double t = 0.01 * step;
  tac_reduced_body_add_force(body, somewhere, tac_vec3(3.0 * sin(t), 1.0, -2.0 * cos(2.0 * t)));
  /* A spring of 50 N/m to a hand, as the body is at the start of the step. */
  const tacSurfacePoint at = {0, {0.5, 0.25, 0.25}};
  tacVec3 gap = tac_vec3_sub(tac_vec3(0.02, 0.03 * sin(t), 0.0), tac_reduced_body_point(body, at));
  tac_reduced_body_add_force(body, at, tac_vec3_scale(50.0, gap));
}
