#include "bench/reduced/reduced_experiments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "elastic/solids/assembly.h"
#include "kinds/reduced/reduced_body.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "math/geometry/vec3.h"
#include "math/sparse/eigen.h"
#include "math/sparse/pca.h"

static double hertz(double lambda) {
  return sqrt(lambda) / (2.0 * M_PI);
}

/* The force that moves a body's mass about as far as it is long in the time of its slowest vibration, N. */
static double natural_force(const tacBrickBody *body, double lambda) {
  return body->material.density * tac_volmesh_volume(body->mesh) * tac_box_longest(body->box) * lambda;
}

static tacStatus modes_basis(const tacBrickBody *body, int mode_count, int size, tacMotionBasis *basis,
                             tacError *error) {
  tacReducedDef def = tac_reduced_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.mode_count = mode_count;
  def.size = size;
  return tac_motion_basis_compute(&body->solid, &def, NULL, basis, error);
}

/* ---- Figure 2.3 ---- */

enum { SPOON_SIZE = 12, SPOON_MODES = 6 };

/* Principal shapes of a motion in the product of the lumped mass, whose snapshots stay as they are. */
static tacStatus motion_basis(const tacBrickBody *body, int count, double *snapshots, tacMotionBasis *basis,
                              tacError *error) {
  int rows = (int)tac_brick_body_size(body);
  tacSparse mass = {0};
  tacPca pca = {0};
  tacDense shapes = {rows, count, rows, snapshots}, weighed = {0};
  tacStatus status = tac_assembly_mass(body->mesh, &body->material, NULL, TAC_MASS_LUMPED, &mass, error);
  if (status == TAC_OK) status = tac_dense_copy(&shapes, &weighed, error);
  for (int i = 0; status == TAC_OK && i < rows * count; ++i) weighed.a[i] *= sqrt(mass.value[i % rows]);
  if (status == TAC_OK) status = tac_pca(&weighed, SPOON_SIZE, &pca, error);
  for (int i = 0; status == TAC_OK && i < rows * pca.count; ++i) pca.vectors.a[i] /= sqrt(mass.value[i % rows]);
  if (status == TAC_OK) status = tac_motion_basis_orthonormalise(&body->solid, pca.count, pca.vectors.a, basis, error);
  tac_pca_destroy(&pca);
  tac_dense_destroy(&weighed);
  tac_sparse_destroy(&mass);
  return status;
}

/* Static shapes under loads where the push acts: up, down, to both sides and between, in four steps each. They move the
 * tip by up to about a fifth of the spoon's length, less than the push does. */
static tacStatus sketch_basis(const tacBrickBody *body, const tacPush *push, double unit, tacMotionBasis *basis,
                              tacError *error) {
  enum { LEVELS = 4, DIRECTIONS = 6 };
  const double up = 0.055 * unit, aside = 0.25 * unit;
  const tacVec3 most[DIRECTIONS] = {{0.0, 0.0, up},     {0.0, 0.0, -up},  {0.0, aside, 0.0},
                                    {0.0, -aside, 0.0}, {0.0, aside, up}, {0.0, -aside, up}};
  tacLoadSample *loads = tac_array_create((size_t)(LEVELS * DIRECTIONS * push->count), sizeof *loads, "loads", error);
  if (loads == NULL) return TAC_ERR_MEMORY;
  tacReducedDef def = {.source = TAC_BASIS_SKETCH, .size = SPOON_SIZE, .loads = loads};
  for (int i = 0; i < LEVELS * DIRECTIONS; ++i)
    for (int v = 0; v < push->count; ++v)
      loads[def.load_count++] =
          (tacLoadSample){.time = i,
                          .point = body->mesh->vertices[push->vertices[v]],
                          .force = tac_vec3_scale((double)(i % LEVELS + 1) / LEVELS / push->count, most[i / LEVELS])};
  tacStatus status = tac_motion_basis_compute(&body->solid, &def, NULL, basis, error);
  free(loads);
  return status;
}

tacStatus tac_reduced_experiment_spoon(int resolution, int period, int steps, double strength,
                                       tacSpoonExperiment *spoon, tacError *error) {
  tacBrickBody body = {0};
  tacPush push = {.steps = (8 * period + 50) / 100};
  tacMotionBasis basis[TAC_SPOON_PATHS] = {{0}};
  double *snapshots = NULL, unit = 0.0;
  tacStatus status = tac_brick_body_create("spoon", 0.001, resolution, false, 0, 0.0, 0.05, &body, error);
  if (status == TAC_OK) status = modes_basis(&body, SPOON_MODES, SPOON_SIZE, &basis[TAC_SPOON_MODES], error);
  if (status == TAC_OK) {
    double lambda = basis[TAC_SPOON_MODES].linear_value[0];
    unit = natural_force(&body, lambda);
    spoon->brick_count = body.mesh->brick_count;
    spoon->vertex_count = body.mesh->vertex_count;
    spoon->length = tac_box_longest(body.box);
    spoon->lowest = hertz(lambda);
    push.step = 1.0 / (period * spoon->lowest);
    push.mass_damping = 0.02 * sqrt(lambda); /* 1 % of critical damping at the lowest frequency */
    push.stiffness_damping = 0.002 / sqrt(lambda);
    tacVec3 tip = tac_vec3(body.box.upper.x, 0.0, 0.0);
    status = tac_push_create(&body, tip, 0.075 * spoon->length, tac_vec3(0.0, 0.0, 1.0), strength * unit, &push, error);
  }
  if (status == TAC_OK) {
    snapshots = tac_array_create((size_t)steps * tac_brick_body_size(&body), sizeof *snapshots, "snapshots", error);
    if (snapshots == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK)
    status = tac_vertex_path_full(&body, &push, false, steps, snapshots, &spoon->path[TAC_SPOON_FULL], error);
  if (status == TAC_OK) status = motion_basis(&body, steps, snapshots, &basis[TAC_SPOON_MOTION], error);
  if (status == TAC_OK) status = sketch_basis(&body, &push, unit, &basis[TAC_SPOON_SKETCH], error);
  for (int i = TAC_SPOON_MODES; i < TAC_SPOON_PATHS && status == TAC_OK; ++i) {
    tacReduced *reduced = NULL;
    status = tac_brick_body_reduce(&body, &basis[i], &reduced, error);
    if (status == TAC_OK)
      status = tac_vertex_path_reduced(reduced, &basis[i], &push, 10, steps, 20, &spoon->path[i], error);
    if (status == TAC_OK && i == TAC_SPOON_MODES)
      status = tac_vertex_path_reduced(reduced, &basis[i], &push, 1, steps, 20, &spoon->once, error);
    tac_reduced_destroy(reduced);
  }
  for (int i = 0; i < TAC_SPOON_PATHS; ++i) tac_motion_basis_destroy(&basis[i]);
  free(snapshots);
  tac_push_free(&push);
  tac_brick_body_free(&body);
  return status;
}

/* ---- Figure 2.14 ---- */

enum { TWIST_SIZE = 5 };

/* The section at the beam's end. With p the place across the beam and e its axis: the sum of p.p, and those of
 * (e x p).u and p.u as linear forms of q. */
typedef struct Section {
  double whole, across[TWIST_SIZE], outward[TWIST_SIZE];
} Section;

static Section make_section(const tacBrickBody *body, const tacMotionBasis *basis) {
  tacVec3 centre = tac_box_centre(body->box);
  Section section = {0};
  for (int v = 0; v < body->mesh->vertex_count; ++v) {
    tacVec3 p = tac_vec3_sub(body->mesh->vertices[v], centre);
    if (body->mesh->vertices[v].x < body->box.upper.x - 0.5 * body->side) continue;
    section.whole += p.y * p.y + p.z * p.z;
    for (int j = 0; j < basis->count; ++j) {
      const double *u = basis->vector + (size_t)j * (size_t)basis->size + 3 * (size_t)v;
      section.across[j] += p.y * u[2] - p.z * u[1];
      section.outward[j] += p.y * u[1] + p.z * u[2];
    }
  }
  return section;
}

/* The rotation about e that brings p nearest to p + u, counted on from `before`; `size`: how much larger p + u is. */
static double section_angle(const Section *section, const double *q, double before, double *size) {
  double s = 0.0, c = section->whole;
  for (int j = 0; j < TWIST_SIZE; ++j) {
    s += section->across[j] * q[j];
    c += section->outward[j] * q[j];
  }
  *size = hypot(s, c) / section->whole;
  return before + remainder(atan2(s, c) - before, 2.0 * M_PI);
}

/* Share of a mode's squares that is rotation of sections about the beam's axis. */
static double twist_share(const tacBrickBody *body, const double *u) {
  const tacVec3 *x = body->mesh->vertices;
  tacVec3 centre = tac_box_centre(body->box);
  int sections = (int)lround(tac_box_longest(body->box) / body->side);
  double twisting = 0.0, whole = 0.0;
  for (int i = 0; i <= sections; ++i) {
    double turn = 0.0, square = 0.0;
    for (int v = 0; v < body->mesh->vertex_count; ++v) {
      tacVec3 p = tac_vec3_sub(x[v], centre);
      const double *at = u + 3 * (size_t)v;
      if (fabs(x[v].x - body->box.lower.x - i * body->side) > 0.5 * body->side) continue;
      turn += p.y * at[2] - p.z * at[1];
      square += p.y * p.y + p.z * p.z;
      whole += at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    }
    twisting += turn * turn / square;
  }
  return twisting / whole;
}

/* The two lowest modes that twist and their derivatives, in this order. */
static tacStatus twist_basis(const tacBrickBody *body, int mode[2], tacMotionBasis *basis, tacError *error) {
  enum { MODES = 16 };
  size_t size = tac_brick_body_size(body);
  tacVibrationModes modes = {0};
  tacModalDerivatives derivatives = {0};
  double value[2], *vectors = tac_array_create(TWIST_SIZE * size, sizeof *vectors, "shapes", error);
  tacStatus status =
      vectors == NULL ? TAC_ERR_MEMORY : tac_vibration_modes_compute(&body->solid, MODES, NULL, &modes, error);
  int found = 0;
  for (int i = 0; i < modes.count && found < 2; ++i) {
    const double *u = modes.vector + size * (size_t)i;
    if (twist_share(body, u) < 0.8) continue;
    memcpy(vectors + size * (size_t)found, u, size * sizeof *u);
    value[found] = modes.value[i];
    mode[found++] = i + 1;
  }
  if (status == TAC_OK && found < 2)
    status = tac_error_set(error, TAC_ERR_ARGUMENT, "no two of the lowest %d modes twist the beam", MODES);
  tacVibrationModes two = {.size = (int)size, .count = 2, .value = value, .vector = vectors};
  if (status == TAC_OK) status = tac_modal_derivatives_compute(&body->solid, &two, NULL, &derivatives, error);
  if (status == TAC_OK) {
    memcpy(vectors + 2 * size, derivatives.vector, 3 * size * sizeof *vectors);
    status = tac_motion_basis_orthonormalise(&body->solid, TWIST_SIZE, vectors, basis, error);
  }
  tac_modal_derivatives_destroy(&derivatives);
  tac_vibration_modes_destroy(&modes);
  free(vectors);
  return status;
}

/* Equilibrium under a couple on the section that turns with it: forces e x p, turned by the section's angle. */
static tacStatus twist_to(tacReducedBody *body, const Section *section, double torque, double *angle, double *size,
                          tacError *error) {
  for (int i = 0; i < 100; ++i) {
    double force[TWIST_SIZE], before = *angle;
    for (int j = 0; j < TWIST_SIZE; ++j)
      force[j] = torque / section->whole * (cos(before) * section->across[j] - sin(before) * section->outward[j]);
    tac_reduced_body_add_reduced(body, force);
    if (tac_reduced_body_advance(body).refused) break;
    *angle = section_angle(section, tac_reduced_body_q(body), before, size);
    if (fabs(*angle - before) < 1e-6) return TAC_OK;
  }
  return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "the beam finds no equilibrium under %g N m", torque);
}

/* Where the beam's long edges have come to. */
static void take_edges(const tacBrickBody *body, const tacMotionBasis *basis, const double *q,
                       tacTwistExperiment *twist) {
  tacBox box = body->box;
  int sections = (int)lround(tac_box_longest(box) / body->side) + 1;
  twist->section_count = sections < TAC_TWIST_SECTIONS ? sections : TAC_TWIST_SECTIONS;
  for (int i = 0; i < 4 * twist->section_count; ++i) {
    int edge = i % 4, section = i / 4;
    tacVec3 at = {box.lower.x + (box.upper.x - box.lower.x) * section / (twist->section_count - 1),
                  edge == 0 || edge == 3 ? box.lower.y : box.upper.y, edge < 2 ? box.lower.z : box.upper.z};
    int v = tac_brick_body_nearest(body, at);
    tacVec3 x = body->mesh->vertices[v];
    for (int j = 0; j < basis->count; ++j) {
      const double *u = basis->vector + (size_t)j * (size_t)basis->size + 3 * (size_t)v;
      x = tac_vec3_mad(x, q[j], tac_vec3(u[0], u[1], u[2]));
    }
    twist->edge[edge][section] = x;
  }
}

/* Body 0 has all five shapes, body 1 the two modes. Torques grow by steps that grow with them. */
static tacStatus raise_torque(tacReducedBody *const bodies[2], const Section *section, double angle,
                              tacTwistExperiment *twist, tacError *error) {
  double turned[2] = {0.0, 0.0}, size[2] = {1.0, 1.0}, torque = 0.0;
  tacStatus status = TAC_OK;
  for (int i = 0; i <= TAC_TWIST_STEPS && status == TAC_OK; ++i) {
    for (int k = 0; k < 2 && status == TAC_OK; ++k)
      status = twist_to(bodies[k], section, torque, &turned[k], &size[k], error);
    twist->count = i;
    twist->torque[i] = torque;
    twist->size[i] = size[0];
    for (int k = 0; k < 2; ++k) twist->angle[k][i] = turned[k];
    if (turned[0] >= angle) break;
    torque += 0.03 * twist->stiffness + 0.01 * torque;
  }
  return status;
}

tacStatus tac_reduced_experiment_twist(int resolution, double angle, tacTwistExperiment *twist, tacError *error) {
  tacBrickBody body = {0};
  tacMotionBasis basis = {0};
  tacReduced *reduced = NULL;
  tacReducedBody *bodies[2] = {NULL, NULL};
  tacStatus status = tac_brick_body_create("beam", 0.0, resolution, false, 0, 0.0, 0.0, &body, error);
  if (status == TAC_OK) status = twist_basis(&body, twist->mode, &basis, error);
  if (status == TAC_OK) status = tac_brick_body_reduce(&body, &basis, &reduced, error);
  for (int i = 0; i < 2 && status == TAC_OK; ++i) {
    const bool kept[TWIST_SIZE] = {true, true, i == 0, i == 0, i == 0};
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.newton_steps = 10;
    motion.is_static = true;
    status = tac_reduced_body_create(reduced, kept, &motion, &bodies[i], error);
  }
  if (status == TAC_OK) {
    Section section = make_section(&body, &basis);
    tacVec3 size = tac_box_size(body.box);
    twist->brick_count = body.mesh->brick_count;
    twist->stiffness = body.material.stiffness[3][3] * 0.1406 * pow(size.y, 4.0) / size.x; /* of a square section */
    status = raise_torque(bodies, &section, angle, twist, error);
    take_edges(&body, &basis, tac_reduced_body_q(bodies[0]), twist);
  }
  for (int i = 0; i < 2; ++i) tac_reduced_body_destroy(bodies[i]);
  tac_reduced_destroy(reduced);
  tac_motion_basis_destroy(&basis);
  tac_brick_body_free(&body);
  return status;
}

/* ---- Table 2.1 ---- */

/* The least and the largest eigenvalue of U^T K U. */
static tacStatus reduced_range(const tacBrickBody *body, const tacMotionBasis *basis, double range[2],
                               tacError *error) {
  tacSparse stiffness = {0};
  tacDense u = {basis->size, basis->count, basis->size, basis->vector}, product = {0}, matrix = {0};
  double value[TAC_BODY_MOST_COORDINATES];
  tacStatus status = tac_assembly_stiffness(body->mesh, &body->material, NULL, &stiffness, error);
  if (status == TAC_OK) status = tac_dense_create(u.rows, u.cols, &product, error);
  if (status == TAC_OK) status = tac_dense_create(u.cols, u.cols, &matrix, error);
  if (status == TAC_OK) {
    tac_sparse_multiply_transposed(&stiffness, u.a, u.cols, product.a);
    tac_dense_gemm(1.0, &u, true, &product, false, 0.0, &matrix);
    status = tac_dense_eigen(&matrix, value, error);
  }
  if (status == TAC_OK) {
    range[0] = value[0];
    range[1] = value[basis->count - 1];
  }
  tac_sparse_destroy(&stiffness);
  tac_dense_destroy(&product);
  tac_dense_destroy(&matrix);
  return status;
}

/* The largest lambda of K x = lambda M x: M x = K x / lambda has its inverse as the least eigenvalue. */
static tacStatus find_highest(const tacBrickBody *body, double *lambda, tacError *error) {
  tacConstraints constraints = {0};
  tacSparse stiffness = {0}, mass = {0};
  tacEigen eigen = {0};
  tacStatus status = tac_vibration_modes_blocks(&body->solid, &constraints, &stiffness, &mass, error);
  if (status == TAC_OK) status = tac_eigen_lowest(&mass, &stiffness, 1, NULL, &eigen, error);
  if (status == TAC_OK) *lambda = 1.0 / eigen.value[0];
  tac_eigen_destroy(&eigen);
  tac_sparse_destroy(&stiffness);
  tac_sparse_destroy(&mass);
  tac_constraints_destroy(&constraints);
  return status;
}

tacStatus tac_reduced_experiment_spectrum(const tacSpectrumDef *def, tacSpectrumExperiment *spectrum, tacError *error) {
  tacBrickBody body = {0};
  tacMotionBasis basis = {0};
  bool hangs = strcmp(def->shape, "heart") == 0;
  double range[2], highest = 0.0;
  tacStatus status = tac_brick_body_create(def->shape, 0.004, def->resolution, hangs, 2, hangs ? 1.0 - def->held : 0.0,
                                           hangs ? 1.0 : 0.0, &body, error);
  if (status == TAC_OK)
    status = tac_material_isotropic(body.material.density, body.material.young, def->poisson, &body.material, error);
  if (status == TAC_OK) status = modes_basis(&body, def->mode_count, def->size, &basis, error);
  if (status == TAC_OK) status = reduced_range(&body, &basis, range, error);
  if (status == TAC_OK) status = find_highest(&body, &highest, error);
  if (status == TAC_OK) {
    double lowest = hertz(basis.linear_value[0]);
    *spectrum =
        (tacSpectrumExperiment){.mode_count = def->mode_count,
                                .size = def->size,
                                .brick_count = body.mesh->brick_count,
                                .vertex_count = body.mesh->vertex_count,
                                .young = body.material.young / (lowest * lowest), /* all frequencies go with its root */
                                .linear = {1.0, hertz(basis.linear_value[def->mode_count - 1]) / lowest},
                                .reduced = {hertz(range[0]) / lowest, hertz(range[1]) / lowest},
                                .whole = hertz(highest) / lowest};
  }
  tac_motion_basis_destroy(&basis);
  tac_brick_body_free(&body);
  return status;
}

/* ---- section 2.13.2 ---- */

tacProgressDef tac_progress_def_dragon(int resolution) {
  return (tacProgressDef){.shape = "dragon",
                          .resolution = resolution,
                          .hollow = true,
                          .axis = 2,
                          .mode_count = 20,
                          .sizes = {15, 30, 60},
                          .load = {{{0.132, 0.0, 0.165}, 0.006, {0.0, 0.0, 1.0}, 0.02, 10, 90},
                                   {{-0.02, 0.0, 0.104}, 0.012, {0.0, 1.0, 0.0}, 0.06, 30, 180}}};
}

static tacStatus make_pushes(const tacProgressDef *def, const tacBrickBody *body, double lambda,
                             tacPush push[TAC_PROGRESS_LOADS], tacError *error) {
  tacStatus status = TAC_OK;
  for (int p = 0; p < TAC_PROGRESS_LOADS && status == TAC_OK; ++p) {
    push[p].steps = def->load[p].push_steps;
    push[p].step = 1.0 / (130.0 * hertz(lambda));
    push[p].mass_damping = 0.02 * sqrt(lambda); /* 1 % of critical damping at the lowest frequency */
    status = tac_push_create(body, def->load[p].at, def->load[p].radius, def->load[p].along,
                             def->load[p].strength * natural_force(body, lambda), &push[p], error);
  }
  return status;
}

static bool leaves_out(const tacProgressDef *def, int load, int row) {
  return def->only != 0 && (def->only >> (load * TAC_PROGRESS_PATHS + row) & 1u) == 0;
}

/* Paths in the first `size` shapes of a basis: by polynomials, or for many shapes by projection, as in the thesis, where
 * the coefficients would take longer than the paths. */
static tacStatus take_reduced(const tacProgressDef *def, const tacBrickBody *body, const tacMotionBasis *whole,
                              int size, const tacPush *push, int row, tacProgressExperiment *progress,
                              tacError *error) {
  enum { MOST_BY_POLYNOMIALS = 50 };
  bool projected = size > MOST_BY_POLYNOMIALS || row == TAC_PROGRESS_PROJECTED;
  tacMotionBasis basis = *whole;
  tacReduced *reduced = NULL;
  tacStatus status = TAC_OK;
  basis.count = size;
  if (leaves_out(def, 0, row) && leaves_out(def, 1, row)) return TAC_OK;
  if (!projected) status = tac_brick_body_reduce(body, &basis, &reduced, error);
  for (int p = 0; p < TAC_PROGRESS_LOADS && status == TAC_OK; ++p) {
    tacVertexPath *path = &progress->path[p][row];
    if (leaves_out(def, p, row)) continue;
    if (projected)
      status = tac_vertex_path_projected(body, &basis, &push[p], def->load[p].steps, path, error);
    else
      status = tac_vertex_path_reduced(reduced, &basis, &push[p], 10, def->load[p].steps, 1, path, error);
  }
  tac_reduced_destroy(reduced);
  return status;
}

/* Principal shapes do not depend on how many are wanted: one basis serves all r but the largest, where vectors are as
 * they are. */
static tacStatus take_all_reduced(const tacProgressDef *def, const tacBrickBody *body, const tacPush *push,
                                  tacProgressExperiment *progress, tacError *error) {
  int k = def->mode_count, all = k + k * (k + 1) / 2, most = 1;
  tacMotionBasis principal = {0}, every = {0};
  for (int i = 0; i < TAC_PROGRESS_SIZES; ++i)
    if (def->sizes[i] < all) most = def->sizes[i];
  tacStatus status = modes_basis(body, k, most, &principal, error);
  if (status == TAC_OK) status = modes_basis(body, k, all, &every, error);
  for (int i = 0; i < TAC_PROGRESS_SIZES && status == TAC_OK; ++i)
    status = take_reduced(def, body, def->sizes[i] < all ? &principal : &every, def->sizes[i], push,
                          TAC_PROGRESS_REDUCED + i, progress, error);
  if (status == TAC_OK) status = take_reduced(def, body, &every, all, push, TAC_PROGRESS_PROJECTED, progress, error);
  tac_motion_basis_destroy(&principal);
  tac_motion_basis_destroy(&every);
  return status;
}

tacStatus tac_reduced_experiment_progress(const tacProgressDef *def, tacProgressExperiment *progress, tacError *error) {
  tacBrickBody body = {0};
  tacPush push[TAC_PROGRESS_LOADS] = {{0}};
  tacVibrationModes lowest = {0};
  tacStatus status =
      tac_brick_body_create(def->shape, 0.0, def->resolution, def->hollow, def->axis, 0.0, 0.0, &body, error);
  if (status == TAC_OK) status = tac_vibration_modes_compute(&body.solid, 1, NULL, &lowest, error);
  if (status == TAC_OK) {
    progress->shape = def->shape;
    progress->mode_count = def->mode_count;
    progress->brick_count = body.mesh->brick_count;
    progress->vertex_count = body.mesh->vertex_count;
    progress->length = tac_box_longest(body.box);
    progress->lowest = hertz(lowest.value[0]);
    status = make_pushes(def, &body, lowest.value[0], push, error);
  }
  if (status == TAC_OK) status = take_all_reduced(def, &body, push, progress, error);
  for (int p = 0; p < TAC_PROGRESS_LOADS; ++p)
    for (int row = TAC_PROGRESS_FULL; row <= TAC_PROGRESS_LINEAR && status == TAC_OK; ++row) {
      if (leaves_out(def, p, row)) continue;
      status = tac_vertex_path_full(&body, &push[p], row == TAC_PROGRESS_LINEAR, def->load[p].steps, NULL,
                                    &progress->path[p][row], error);
    }
  for (int p = 0; p < TAC_PROGRESS_LOADS; ++p) tac_push_free(&push[p]);
  tac_vibration_modes_destroy(&lowest);
  tac_brick_body_free(&body);
  return status;
}
