#include "elastic/hyper/hyper_solid.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/crew.h"
#include "elastic/hyper/hyper_dilatation.h"
#include "elastic/laws/hyper_batch.h"
#include "elastic/laws/hyper_lane.h"

#include "elastic/elements/tet4.h"
#include "elastic/hyper/hyper_pattern.h"
#include "elastic/laws/jacobian_term.h"
#include "math/geometry/svd3.h"

enum { LANES = TAC_HYPER_LANES, PAIRS = 10 };

/* Elements of one material. Corners are sorted by their vertices, so that all blocks are below the diagonal as they
 * are; lanes that are not used repeat the last element with no weight. */
typedef struct Batch {
  int material, count;
  int element[LANES];
  int vertex[4][LANES];
  int place[PAIRS][LANES]; /* of the first entry of each block (a, b), b <= a, in the order of tacHyperBlocks */
  int length[4][LANES];    /* of the column 3 vertex */
  size_t history;          /* of its first Prony term: 6 x LANES numbers a term */
  tacHyperShape shape;
} Batch;

struct tacHyperSolid {
  tacArrays arrays; /* all below but the pattern's and the patches' */
  int vertex_count, batch_count;
  tacHyperMaterial *materials;
  Batch *batches;
  bool definite;
  tacSparse pattern;
  double *mass;    /* [vertex] */
  double *history; /* gamma of each batch and Prony term, Pa */
  size_t history_size;
  tacHyperShape unit;

  tacHyperDilatation dilatation; /* without patches their count is 0 */

  /* Members of the crew own vertices: each walks over the batches and patches with one of its own in their order,
   * and adds to the rows of the force and the columns of the matrix that are its own. So every number is summed in
   * one order for any crew. */
  tacCrew *crew;                     /* NULL: the caller alone */
  int *owner;                        /* [vertex] */
  uint64_t *touched, *patch_touched; /* [batch], [patch]: bit for each member */
};

/* ---- material ---- */

tacStatus tac_hyper_material_check(const tacHyperMaterial *material, tacError *error) {
  if (material->law == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "the material has no law");
  TAC_TRY(tac_hyper_law_check(material->law, material->parameters, error));
  if (!(material->density > 0.0) || !isfinite(material->density))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the density is %g kg/m^3; it must be positive", material->density);
  if (material->prony_count < 0 || material->prony_count > TAC_PRONY_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of Prony terms (%d); 0 to %d are possible",
                         material->prony_count, TAC_PRONY_MOST);
  double sum = 0.0;
  for (int i = 0; i < material->prony_count; ++i) {
    const tacPronyTerm *term = &material->prony[i];
    if (!(term->share >= 0.0 && term->share < 1.0))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the share of Prony term %d is %g; it must be at least 0 and "
                           "below 1",
                           i, term->share);
    if (!(term->time > 0.0) || !isfinite(term->time))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the time of Prony term %d is %g s; it must be positive", i,
                           term->time);
    sum += term->share;
  }
  if (!(sum < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the shares of the Prony terms add up to %g; the sum must be below 1, so that some stress "
                         "remains",
                         sum);
  return TAC_OK;
}

/* ---- deformation of a batch ---- */

static void deform(const Batch *batch, const double *x, tacHyperState *state) {
  for (int l = 0; l < LANES; ++l) {
    const double *origin = x + 3 * (size_t)batch->vertex[0][l];
    for (int a = 0; a < 3; ++a) {
      const double *corner = x + 3 * (size_t)batch->vertex[a + 1][l];
      for (int i = 0; i < 3; ++i) state->edge[a][i][l] = corner[i] - origin[i];
    }
  }
  tac_hyper_batch_deform(&batch->shape, state);
}

/* The cube of unit edges in the same state: its corners 1 to 3 are the columns of F. */
static void deform_unit(const tacHyperSolid *solid, const tacHyperState *state, tacHyperState *unit) {
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) memcpy(unit->edge[a][i], state->f[i][a], sizeof unit->edge[a][i]);
  tac_hyper_batch_deform(&solid->unit, unit);
}

/* ---- volumetric energy ---- */

static void take_patches(const tacHyperSolid *solid, const Batch *batch, tacVolumeEnergy *volumetric) {
  memset(volumetric, 0, sizeof *volumetric); /* U and U'' are the patch's */
  const tacHyperDilatation *dilatation = &solid->dilatation;
  for (int l = 0; l < LANES; ++l) volumetric->uj[l] = dilatation->uj[dilatation->patches.of[batch->element[l]]];
}

/* ---- one batch ---- */

/* What Prony's series leave of the stress at the end of a step: S = keep S_h - sum_i b_i gamma_i. */
static double find_viscosity(const tacHyperSolid *solid, const Batch *batch, double h, double g[6][LANES]) {
  const tacHyperMaterial *material = &solid->materials[batch->material];
  double keep = 1.0;
  memset(g, 0, 6 * sizeof *g);
  const double *gamma = solid->history + batch->history;
  for (int t = 0; t < material->prony_count; ++t, gamma += 6 * LANES) {
    double time = material->prony[t].time, b = time / (h + time);
    keep -= h * material->prony[t].share / (h + time);
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < LANES; ++l) g[k][l] += b * gamma[LANES * k + l];
  }
  return keep;
}

/* The elastic part, without viscosity, from the shape and state of either the elements or the unit cube. */
static void evaluate_isotropic(const tacHyperMaterial *material, const tacHyperShape *shape, const tacHyperState *state,
                               const tacVolumeEnergy *volumetric, bool with_tangent, tacInvariantEnergy *energy,
                               tacHyperBlocks *blocks) {
  material->law->invariants(material->parameters, state->i1, state->i2, state->j, energy);
  for (int l = 0; l < LANES; ++l) {
    energy->wj[l] += volumetric->uj[l];
    energy->wjj[l] += volumetric->ujj[l];
  }
  tac_hyper_batch_isotropic(shape, state, energy, with_tangent, blocks);
}

static void evaluate_batch(const tacHyperSolid *solid, const Batch *batch, const double *x, double h, bool with_tangent,
                           tacHyperBlocks *blocks) {
  const tacHyperMaterial *material = &solid->materials[batch->material];
  _Alignas(64) tacHyperState state;
  _Alignas(64) tacVolumeEnergy volumetric;
  deform(batch, x, &state);
  if (solid->dilatation.patches.count > 0)
    take_patches(solid, batch, &volumetric);
  else
    tac_hyper_law_volume(material->law, material->parameters, state.j, &volumetric);
  double g[6][LANES], keep = 1.0;
  bool viscous = material->prony_count > 0, definite = solid->definite && with_tangent;
  if (viscous) keep = find_viscosity(solid, batch, h, g);
  _Alignas(64) tacInvariantEnergy energy;
  if (material->law->invariants != NULL) {
    evaluate_isotropic(material, &batch->shape, &state, &volumetric, with_tangent, &energy, blocks);
    if (viscous) tac_hyper_batch_relax(&batch->shape, &state, keep, (const double(*)[LANES])g, with_tangent, blocks);
    for (int l = 0; definite && l < batch->count; ++l)
      tac_hyper_lane_lift(&batch->shape, &state, &energy, keep, viscous ? (const double(*)[LANES])g : NULL, l, blocks);
    if (definite) tac_hyper_batch_complete(blocks);
    return;
  }
  _Alignas(64) tacHyperBlocks by_gradient;
  _Alignas(64) tacHyperState unit;
  deform_unit(solid, &state, &unit);
  tac_hyper_lane_evaluate(material->law, material->parameters, &unit, volumetric.uj, volumetric.ujj, with_tangent,
                          &by_gradient);
  if (viscous) tac_hyper_batch_relax(&solid->unit, &unit, keep, (const double(*)[LANES])g, with_tangent, &by_gradient);
  for (int l = 0; definite && l < batch->count; ++l) tac_hyper_lane_project(&by_gradient, l);
  tac_hyper_batch_pull(&batch->shape, &by_gradient, with_tangent, blocks);
}

/* ---- scatter ---- */

/* Adds a block off the diagonal (entries column by column, LANES apart); n: the length of the first of its three
 * columns, each of which has one row less than the one before. */
static inline void add_block(double *at, int n, const double *entry) {
  for (int j = 0; j < 3; ++j, at += n - j)
    for (int i = 0; i < 3; ++i) at[i] += entry[(3 * j + i) * LANES];
}

static inline void add_diagonal(double *at, int n, const double *entry) {
  at[0] += entry[0];
  at[1] += entry[LANES];
  at[2] += entry[2 * LANES];
  at[n] += entry[3 * LANES];
  at[n + 1] += entry[4 * LANES];
  at[2 * n - 1] += entry[5 * LANES];
}

/* `alone`: all vertices are its own. */
static inline __attribute__((always_inline)) void scatter(const tacHyperSolid *solid, const Batch *batch,
                                                          const tacHyperBlocks *blocks, bool alone, int member,
                                                          double *restrict force, double *restrict value) {
  for (int l = 0; l < batch->count; ++l) {
    bool own[4];
    for (int c = 0; c < 4; ++c) {
      own[c] = alone || solid->owner[batch->vertex[c][l]] == member;
      double *at = force + 3 * (size_t)batch->vertex[c][l];
      for (int i = 0; own[c] && i < 3; ++i) at[i] += blocks->force[c][i][l];
    }
    if (value == NULL) continue;
    for (int a = 0, k = 0; a < 4; ++a) {
      for (int b = 0; b < a; ++b, ++k)
        if (own[b])
          add_block(value + batch->place[k][l], batch->length[b][l], &blocks->tangent[tac_hyper_block_start[a][b]][l]);
      if (own[a])
        add_diagonal(value + batch->place[k][l], batch->length[a][l], &blocks->tangent[tac_hyper_block_start[a][a]][l]);
      ++k;
    }
  }
}

/* ---- evaluation ---- */

typedef struct Work {
  const tacHyperSolid *solid;
  const double *x;
  double h, *force, *value;
} Work;

static double kept_share(const tacHyperMaterial *material, double h) {
  double keep = 1.0;
  for (int t = 0; t < material->prony_count; ++t) keep -= h * material->prony[t].share / (h + material->prony[t].time);
  return keep;
}

static void find_patches(int member, void *context) {
  const Work *work = context;
  const tacHyperSolid *solid = work->solid;
  int members = solid->crew != NULL ? tac_crew_count(solid->crew) : 1;
  const tacHyperDilatation *dilatation = &solid->dilatation;
  for (int g = member; g < dilatation->group_count; g += members) {
    const tacDilatationGroup *group = &dilatation->groups[g];
    tacVolumeEnergy volumetric;
    double j[LANES];
    tac_hyper_dilatation_measure(dilatation, group, work->x, true, j);
    const tacHyperMaterial *material = &solid->materials[group->material];
    tac_hyper_law_volume(material->law, material->parameters, j, &volumetric);
    for (int l = 0; l < group->count; ++l) {
      dilatation->uj[group->first + l] = volumetric.uj[l];
      dilatation->ujj[group->first + l] = volumetric.ujj[l] / dilatation->volume[group->first + l];
    }
  }
}

static void clear(const tacHyperSolid *solid, int member, double *force, double *value) {
  const int *start = solid->pattern.column_start;
  if (solid->crew == NULL) {
    memset(force, 0, 3 * (size_t)solid->vertex_count * sizeof *force);
    if (value != NULL) memset(value, 0, (size_t)start[3 * (size_t)solid->vertex_count] * sizeof *value);
    return;
  }
  for (size_t v = 0; v < (size_t)solid->vertex_count; ++v) {
    if (solid->owner[v] != member) continue;
    memset(force + 3 * v, 0, 3 * sizeof *force);
    if (value != NULL) memset(value + start[3 * v], 0, (size_t)(start[3 * v + 3] - start[3 * v]) * sizeof *value);
  }
}

static void find_forces(int member, void *context) {
  const Work *work = context;
  const tacHyperSolid *solid = work->solid;
  clear(solid, member, work->force, work->value);
  for (int b = 0; b < solid->batch_count; ++b) {
    if (solid->crew != NULL && (solid->touched[b] >> member & 1) == 0) continue;
    _Alignas(64) tacHyperBlocks blocks;
    evaluate_batch(solid, &solid->batches[b], work->x, work->h, work->value != NULL, &blocks);
    if (solid->crew == NULL)
      scatter(solid, &solid->batches[b], &blocks, true, 0, work->force, work->value);
    else
      scatter(solid, &solid->batches[b], &blocks, false, member, work->force, work->value);
  }
  if (work->value == NULL) return;
  const tacHyperDilatation *dilatation = &solid->dilatation;
  for (int g = 0; g < dilatation->group_count; ++g) {
    const tacDilatationGroup *group = &dilatation->groups[g];
    double keep = kept_share(&solid->materials[group->material], work->h);
    for (int p = group->first; p < group->first + group->count; ++p) {
      if (solid->crew != NULL && (solid->patch_touched[p] >> member & 1) == 0) continue;
      double scale = keep * dilatation->ujj[p];
      tac_hyper_dilatation_add(dilatation, p, solid->definite ? fmax(scale, 0.0) : scale, &solid->pattern, solid->owner,
                               member, work->value);
    }
  }
}

static void run(const tacHyperSolid *solid, tacCrewFn job, Work *work) {
  if (solid->crew != NULL)
    tac_crew_run(solid->crew, job, work);
  else
    job(0, work);
}

/* What batches take from their patches. */
static void update_patches(const tacHyperSolid *solid, const double *x) {
  Work work = {.solid = solid, .x = x};
  if (solid->dilatation.patches.count > 0) run(solid, find_patches, &work);
}

void tac_hyper_solid_set_definite(tacHyperSolid *solid, bool definite) {
  solid->definite = definite;
}

void tac_hyper_solid_evaluate(tacHyperSolid *solid, const double *x, double h, double *force, double *stiffness) {
  Work work = {solid, x, h, force, stiffness};
  update_patches(solid, x);
  run(solid, find_forces, &work);
}

double tac_hyper_solid_energy(const tacHyperSolid *solid, const double *x) {
  double sum = 0.0;
  for (int n = 0; n < solid->batch_count; ++n) {
    const Batch *batch = &solid->batches[n];
    const tacHyperMaterial *material = &solid->materials[batch->material];
    tacHyperState state;
    tacVolumeEnergy volumetric = {0};
    deform(batch, x, &state);
    if (solid->dilatation.patches.count == 0)
      tac_hyper_law_volume(material->law, material->parameters, state.j, &volumetric);
    tacInvariantEnergy energy;
    if (material->law->invariants != NULL)
      material->law->invariants(material->parameters, state.i1, state.i2, state.j, &energy);
    else
      tac_hyper_lane_energy(material->law, material->parameters, &state, energy.w);
    for (int l = 0; l < batch->count; ++l) sum += batch->shape.weight[l] * (energy.w[l] + volumetric.u[l]);
  }
  const tacHyperDilatation *dilatation = &solid->dilatation;
  for (int g = 0; g < dilatation->group_count; ++g) {
    const tacDilatationGroup *group = &dilatation->groups[g];
    double j[LANES];
    tacVolumeEnergy volumetric;
    tac_hyper_dilatation_measure(dilatation, group, x, false, j);
    const tacHyperMaterial *material = &solid->materials[group->material];
    tac_hyper_law_volume(material->law, material->parameters, j, &volumetric);
    for (int l = 0; l < group->count; ++l) sum += dilatation->volume[group->first + l] * volumetric.u[l];
  }
  return sum;
}

/* ---- viscosity ---- */

/* S_h = F^-1 P of each lane: cof(F)^T P / J, with J / least^2 instead of 1 / J where |J| is less than
 * TAC_JACOBIAN_LEAST: finite and continuous through inversion, and P = F S_h on both sides of it. */
static void find_stress(const tacHyperSolid *solid, const Batch *batch, const double *x, double s[6][LANES]) {
  const tacHyperMaterial *material = &solid->materials[batch->material];
  tacHyperState state, unit;
  tacHyperBlocks by_gradient;
  tacInvariantEnergy energy;
  tacVolumeEnergy volumetric;
  deform(batch, x, &state);
  deform_unit(solid, &state, &unit);
  if (solid->dilatation.patches.count > 0)
    take_patches(solid, batch, &volumetric);
  else
    tac_hyper_law_volume(material->law, material->parameters, state.j, &volumetric);
  if (material->law->invariants != NULL)
    evaluate_isotropic(material, &solid->unit, &unit, &volumetric, false, &energy, &by_gradient);
  else
    tac_hyper_lane_evaluate(material->law, material->parameters, &unit, volumetric.uj, volumetric.ujj, false,
                            &by_gradient);
  static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
  for (int l = 0; l < LANES; ++l) {
    double j = unit.j[l], by_j = j / fmax(j * j, TAC_JACOBIAN_LEAST * TAC_JACOBIAN_LEAST);
    for (int k = 0; k < 6; ++k) {
      /* (cof F^T P)_rc / J, of both orders the mean: symmetric where the law is objective, but for rounding. cof F's
       * column a is the unit cube's u_a. */
      double sum = 0.0;
      for (int i = 0; i < 3; ++i)
        sum += 0.5 * (unit.area[row[k]][i][l] * by_gradient.force[column[k] + 1][i][l] +
                      unit.area[column[k]][i][l] * by_gradient.force[row[k] + 1][i][l]);
      s[k][l] = by_j * sum;
    }
  }
}

static void relax(int member, void *context) {
  const Work *work = context;
  const tacHyperSolid *solid = work->solid;
  int members = solid->crew != NULL ? tac_crew_count(solid->crew) : 1;
  for (int b = member; b < solid->batch_count; b += members) {
    const Batch *batch = &solid->batches[b];
    const tacHyperMaterial *material = &solid->materials[batch->material];
    if (material->prony_count == 0) continue;
    double s[6][LANES], *gamma = solid->history + batch->history;
    find_stress(solid, batch, work->x, s);
    for (int t = 0; t < material->prony_count; ++t, gamma += 6 * LANES) {
      double time = material->prony[t].time;
      double now = work->h * material->prony[t].share / (work->h + time), before = time / (work->h + time);
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < batch->count; ++l) gamma[LANES * k + l] = now * s[k][l] + before * gamma[LANES * k + l];
    }
  }
}

void tac_hyper_solid_relax(tacHyperSolid *solid, const double *x, double h) {
  if (solid->history_size == 0) return;
  Work work = {.solid = solid, .x = x, .h = h};
  update_patches(solid, x);
  run(solid, relax, &work);
}

int tac_hyper_solid_history_size(const tacHyperSolid *solid) {
  return (int)solid->history_size;
}

void tac_hyper_solid_save(const tacHyperSolid *solid, double *history) {
  memcpy(history, solid->history, solid->history_size * sizeof *history);
}

void tac_hyper_solid_load(tacHyperSolid *solid, const double *history) {
  if (history != NULL)
    memcpy(solid->history, history, solid->history_size * sizeof *history);
  else
    memset(solid->history, 0, solid->history_size * sizeof *solid->history);
}

/* ---- what is shown ---- */

/* von Mises' measure of F S F^T / J */
static double find_mises(tacMat3 f, double j, tacMat3 s) {
  tacMat3 c =
      tac_mat3_scale(1.0 / fmax(fabs(j), TAC_JACOBIAN_LEAST), tac_mat3_mul(tac_mat3_mul(f, s), tac_mat3_transpose(f)));
  double xy = c.m[0][0] - c.m[1][1], yz = c.m[1][1] - c.m[2][2], zx = c.m[2][2] - c.m[0][0];
  double shear = c.m[0][1] * c.m[0][1] + c.m[1][2] * c.m[1][2] + c.m[2][0] * c.m[2][0];
  return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}

void tac_hyper_solid_colours(const tacHyperSolid *solid, const double *x, double *mises, double *stretch) {
  static const int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  if (mises != NULL) update_patches(solid, x);
  for (int b = 0; b < solid->batch_count; ++b) {
    const Batch *batch = &solid->batches[b];
    tacHyperState state;
    double s[6][LANES], g[6][LANES];
    deform(batch, x, &state);
    if (mises != NULL) {
      find_stress(solid, batch, x, s);
      find_viscosity(solid, batch, 0.0, g);
    }
    for (int l = 0; l < batch->count; ++l) {
      tacMat3 f, stress;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          f.m[i][j] = state.f[i][j][l];
          if (mises != NULL) stress.m[i][j] = s[voigt[i][j]][l] - g[voigt[i][j]][l];
        }
      if (mises != NULL) mises[batch->element[l]] = find_mises(f, state.j[l], stress);
      if (stretch != NULL) stretch[batch->element[l]] = tac_svd3(f).s[0];
    }
  }
}

int tac_hyper_solid_inverted(const tacHyperSolid *solid, const double *x) {
  int count = 0;
  for (int b = 0; b < solid->batch_count; ++b) {
    tacHyperState state;
    deform(&solid->batches[b], x, &state);
    for (int l = 0; l < solid->batches[b].count; ++l) count += !(state.j[l] > 0.0);
  }
  return count;
}

const tacSparse *tac_hyper_solid_pattern(const tacHyperSolid *solid) {
  return &solid->pattern;
}

void tac_hyper_solid_masses(const tacHyperSolid *solid, double *mass) {
  memcpy(mass, solid->mass, (size_t)solid->vertex_count * sizeof *mass);
}

/* ---- making it ---- */

static tacStatus check_def(const tacHyperSolidDef *def, tacError *error) {
  const tacVolMesh *mesh = def->mesh;
  if (mesh->brick_count > 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "a solid with large strain supports only tetrahedra, but the mesh has %d bricks",
                         mesh->brick_count);
  if (mesh->tet_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the mesh has no tetrahedra");
  TAC_TRY(tac_volmesh_validate(mesh, error));
  if (def->material_count < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "a solid needs at least one material");
  for (int m = 0; m < def->material_count; ++m) {
    tacError why;
    tacStatus status = tac_hyper_material_check(&def->materials[m], &why);
    if (status != TAC_OK) return tac_error_set(error, status, "material %d: %s", m, why.text);
  }
  for (int t = 0; def->material_of != NULL && t < mesh->tet_count; ++t)
    if (def->material_of[t] < 0 || def->material_of[t] >= def->material_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d, but there are only %d materials", t,
                           def->material_of[t], def->material_count);
  for (int t = 0; def->axes != NULL && t < mesh->tet_count; ++t) {
    tacError why;
    tacStatus status = tac_hyper_axes_check(&def->axes[t], &why);
    if (status != TAC_OK) return tac_error_set(error, status, "element %d: %s", t, why.text);
  }
  if (def->thread_count < 1 || def->thread_count > TAC_CREW_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of threads (%d); 1 to %d are possible",
                         def->thread_count, TAC_CREW_MOST);
  return TAC_OK;
}

static void *copy(tacArrays *arrays, const void *from, size_t count, size_t item_size) {
  void *made = tac_arrays_add(arrays, count, item_size);
  if (made != NULL) memcpy(made, from, count * item_size);
  return made;
}

static void sort_corners(int vertex[4]) {
  for (int a = 1; a < 4; ++a)
    for (int b = a; b > 0 && vertex[b - 1] > vertex[b]; --b) {
      int moved = vertex[b];
      vertex[b] = vertex[b - 1];
      vertex[b - 1] = moved;
    }
}

/* Puts an element into a lane: its shape by corners in the order of their vertices. With fibres, gradients are along
 * the axes A: F is F A then, C what the law sees, and derivatives by nodes as they are. */
static tacStatus fill_lane(tacHyperSolid *solid, const tacHyperSolidDef *def, int element, Batch *batch, int lane,
                           tacError *error) {
  const tacVolMesh *mesh = def->mesh;
  tacMat3 axes = tac_hyper_axes_right_handed(
      solid->materials[batch->material].law->fibres && def->axes != NULL ? &def->axes[element] : NULL);
  const tacTet *tet = &mesh->tets[element];
  tacVec3 corners[4];
  for (int c = 0; c < 4; ++c) corners[c] = mesh->vertices[tet->v[c]];
  tacTet4 shape;
  if (!tac_tet4_init(corners, &shape))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", element);
  int vertex[4];
  memcpy(vertex, tet->v, sizeof vertex);
  sort_corners(vertex);
  int order[4], sign = 1;
  for (int c = 0; c < 4; ++c)
    for (int k = 0; k < 4; ++k)
      if (tet->v[k] == vertex[c]) order[c] = k;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      if (order[a] > order[b]) sign = -sign;
  batch->element[lane] = element;
  for (int c = 0; c < 4; ++c) batch->vertex[c][lane] = vertex[c];
  for (int a = 0; a < 3; ++a) {
    tacVec3 d = tac_mat3_mul_vec(tac_mat3_transpose(axes), shape.gradient[order[a + 1]]);
    batch->shape.gradient[a][0][lane] = d.x;
    batch->shape.gradient[a][1][lane] = d.y;
    batch->shape.gradient[a][2][lane] = d.z;
  }
  batch->shape.scale[lane] = sign / (6.0 * shape.volume);
  batch->shape.weight[lane] = shape.volume;
  double share = 0.25 * solid->materials[batch->material].density * shape.volume;
  for (int c = 0; c < 4; ++c) solid->mass[vertex[c]] += share;
  return TAC_OK;
}

/* Lanes that are not used repeat the last, without weight. */
static void pad(Batch *batch) {
  int last = batch->count - 1;
  for (int l = batch->count; l < LANES; ++l) {
    batch->element[l] = batch->element[last];
    for (int c = 0; c < 4; ++c) batch->vertex[c][l] = batch->vertex[c][last];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) batch->shape.gradient[a][i][l] = batch->shape.gradient[a][i][last];
    batch->shape.scale[l] = batch->shape.scale[last];
  }
}

/* Material by material, in the mesh's order. */
static tacStatus create_batches(tacHyperSolid *solid, const tacHyperSolidDef *def, tacError *error) {
  int tets = def->mesh->tet_count;
  TAC_MEMORY(int, of_material) = NULL;
  TAC_TRY(TAC_ARRAY(of_material, (size_t)def->material_count, "materials", error));
  for (int t = 0; t < tets; ++t) ++of_material[def->material_of != NULL ? def->material_of[t] : 0];
  size_t most = 0;
  for (int m = 0; m < def->material_count; ++m) most += ((size_t)of_material[m] + LANES - 1) / LANES;
  solid->batches = tac_arrays_add(&solid->arrays, most, sizeof *solid->batches);
  TAC_TRY(tac_arrays_status(&solid->arrays, "elements", error));
  for (int m = 0; m < def->material_count; ++m) {
    Batch *batch = NULL;
    for (int t = 0; t < tets; ++t) {
      if (def->material_of != NULL && def->material_of[t] != m) continue;
      if (batch == NULL || batch->count == LANES) {
        batch = &solid->batches[solid->batch_count++];
        batch->material = m;
        batch->history = solid->history_size;
        solid->history_size += 6 * LANES * (size_t)def->materials[m].prony_count;
      }
      TAC_TRY(fill_lane(solid, def, t, batch, batch->count++, error));
    }
    if (batch != NULL) pad(batch);
  }
  return TAC_OK;
}

static void find_places(tacHyperSolid *solid) {
  const int *start = solid->pattern.column_start;
  for (int n = 0; n < solid->batch_count; ++n) {
    Batch *batch = &solid->batches[n];
    for (int l = 0; l < LANES; ++l)
      for (int a = 0, k = 0; a < 4; ++a) {
        size_t column = 3 * (size_t)batch->vertex[a][l];
        batch->length[a][l] = start[column + 1] - start[column];
        for (int b = 0; b <= a; ++b, ++k)
          batch->place[k][l] = tac_sparse_find(&solid->pattern, 3 * batch->vertex[a][l], 3 * batch->vertex[b][l]);
      }
  }
}

/* Batches in equal parts; a vertex belongs to the first that has it. */
static tacStatus create_crew(tacHyperSolid *solid, int members, tacError *error) {
  if (members > solid->batch_count) members = solid->batch_count;
  if (members < 2) return TAC_OK;
  size_t patches = (size_t)solid->dilatation.patches.count;
  solid->owner = tac_arrays_add(&solid->arrays, (size_t)solid->vertex_count, sizeof *solid->owner);
  solid->touched = tac_arrays_add(&solid->arrays, (size_t)solid->batch_count, sizeof *solid->touched);
  solid->patch_touched = tac_arrays_add(&solid->arrays, patches, sizeof *solid->patch_touched);
  TAC_TRY(tac_arrays_status(&solid->arrays, "vertices of threads", error));
  for (int v = 0; v < solid->vertex_count; ++v) solid->owner[v] = -1;
  for (int pass = 0; pass < 2; ++pass)
    for (int b = 0; b < solid->batch_count; ++b)
      for (int l = 0; l < LANES; ++l)
        for (int c = 0; c < 4; ++c) {
          int *owner = &solid->owner[solid->batches[b].vertex[c][l]];
          if (*owner < 0) *owner = (int)((int64_t)b * members / solid->batch_count);
          solid->touched[b] |= (uint64_t)1 << *owner;
        }
  for (int v = 0; v < solid->vertex_count; ++v)
    if (solid->owner[v] < 0) solid->owner[v] = 0; /* of no element */
  for (int p = 0; p < solid->dilatation.patches.count; ++p)
    for (int v = solid->dilatation.patches.vertex_start[p]; v < solid->dilatation.patches.vertex_start[p + 1]; ++v)
      solid->patch_touched[p] |= (uint64_t)1 << solid->owner[solid->dilatation.patches.vertex[v]];
  return tac_crew_create(members, &solid->crew, error);
}

static tacStatus fill(tacHyperSolid *solid, const tacHyperSolidDef *def, tacError *error) {
  const tacVolMesh *mesh = def->mesh;
  solid->vertex_count = mesh->vertex_count;
  solid->definite = def->definite;
  tac_hyper_shape_unit(&solid->unit);
  solid->materials = copy(&solid->arrays, def->materials, (size_t)def->material_count, sizeof *def->materials);
  solid->mass = tac_arrays_add(&solid->arrays, (size_t)mesh->vertex_count, sizeof *solid->mass);
  TAC_TRY(tac_arrays_status(&solid->arrays, "materials", error));
  TAC_TRY(create_batches(solid, def, error));
  if (solid->history_size > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "too many elements with Prony terms");
  solid->history = tac_arrays_add(&solid->arrays, solid->history_size, sizeof *solid->history);
  TAC_TRY(tac_arrays_status(&solid->arrays, "what viscosity stores", error));
  if (def->patches) TAC_TRY(tac_hyper_dilatation_create(mesh, def->material_of, &solid->dilatation, error));
  TAC_TRY(tac_hyper_pattern_create(mesh, def->patches ? &solid->dilatation.patches : NULL, &solid->pattern, error));
  find_places(solid);
  if (def->patches) TAC_TRY(tac_hyper_dilatation_place(&solid->dilatation, &solid->pattern, error));
  TAC_TRY(create_crew(solid, def->thread_count, error));
  TAC_FREED(tac_arrays_free, tacArrays, rest) = {0};
  double *x = copy(&rest, mesh->vertices, (size_t)mesh->vertex_count, sizeof *mesh->vertices);
  double *force = tac_arrays_add(&rest, 3 * (size_t)mesh->vertex_count, sizeof *force);
  TAC_TRY(tac_arrays_status(&rest, "positions", error));
  tac_hyper_solid_evaluate(solid, x, 0.0, force, solid->pattern.value);
  return TAC_OK;
}

tacStatus tac_hyper_solid_create(const tacHyperSolidDef *def, tacHyperSolid **solid, tacError *error) {
  *solid = NULL;
  TAC_TRY(check_def(def, error));
  TAC_OWN(tacHyperSolid, made) = tac_array_create(1, sizeof *made, "a solid", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(fill(made, def, error));
  *solid = tac_give(&made);
  return TAC_OK;
}

void tac_hyper_solid_destroy(tacHyperSolid *solid) {
  if (solid == NULL) return;
  tac_crew_destroy(solid->crew);
  tac_hyper_dilatation_destroy(&solid->dilatation);
  tac_sparse_destroy(&solid->pattern);
  tac_arrays_free(&solid->arrays);
  free(solid);
}
