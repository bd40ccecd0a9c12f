#include "kinds/green/green_error_estimate.h"

#include <math.h>
#include <string.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "bake/loads/trial_loads.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "elastic/solids/statics.h"
#include "kinds/green/green.h"
#include "math/geometry/vec3.h"

/* MOST_ITERATIONS: limit of Newton iterations. A load that converges takes 4 to 25 iterations. Other loads took about
 * 500 iterations before they failed. */
enum { CUBES = 60, MOST_VERTICES = 2000, SIZES = 2, MOST_ITERATIONS = 60 };
/* displacement gradients to which the loads are scaled, dimensionless; see tac_trial_loads_gradient */
static const double gradients[SIZES] = {0.08, 0.3};
static const double most_poisson = 0.45; /* upper limit of Poisson's ratio, above which tetrahedra lock */

/* Work data of a thread. */
typedef struct {
  tacHyperStatics *full;
  double *load, *x; /* [3 vertices] load, N, and deformed positions, m */
  tacStatus status; /* TAC_ERR_MEMORY ends the trial */
} Room;

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

typedef struct {
  tacVolMesh *mesh;
  bool *held;
  tacTrialLoads loads;
  tacStatics *linear;
  tacHyperSolid *solid;
  tacHyperStatics *full;
  tacArrays arrays; /* memory of all arrays below */
  Room *rooms;      /* [threads] work data */
  int threads;
  double *force, *u; /* [load][3 vertices] load of 1 N, and its linear solution */
  double *rest;      /* [3 vertices] positions at rest */
  int *found;        /* [load] number of load sizes with a nonlinear solution */
  int count;         /* number of results in the arrays below */
  int *way;
  /* `moved`: linear displacement of the loaded point, m. `error`: result of tac_trial_loads_error. During the trials
   * both are [load][SIZES]. */
  double *moved, *error;
} Trial;

static void free_trial(Trial *t) {
  for (int i = 0; t->rooms != NULL && i < t->threads; ++i) tac_hyper_statics_destroy(t->rooms[i].full);
  tac_trial_loads_destroy(&t->loads);
  tac_statics_destroy(t->linear);
  tac_hyper_statics_destroy(t->full);
  tac_hyper_solid_destroy(t->solid);
  tac_volmesh_destroy(t->mesh);
  tac_arrays_free(&t->arrays);
}

/* Fills the surface with lattice cubes, and refines the cubes until their volume matches the volume inside the surface.
 * Fails with TAC_ERR_GEOMETRY if no refinement within the vertex limit matches. */
static tacStatus fill(const tacTriMesh *surface, const tacProgress *progress, tacVolMesh **mesh, tacError *error) {
  double volume = tac_trimesh_volume(surface);
  tacStuffingDef def = tac_stuffing_def_default();
  def.levels = 1;
  def.size = cbrt(volume / CUBES);
  if (!(volume > 0.0)) return TAC_ERR_GEOMETRY;
  for (int trial = 0; trial < 4; ++trial, def.size /= 1.4) {
    TAC_TRY(tac_stuffing_fill(surface, &def, progress, mesh, error));
    bool filled = fabs(tac_volmesh_volume(*mesh) - volume) < 0.15 * volume;
    if (filled && (*mesh)->vertex_count <= MOST_VERTICES) return TAC_OK;
    tac_volmesh_destroy(*mesh);
    *mesh = NULL;
  }
  return TAC_ERR_GEOMETRY;
}

/* Fixes a boundary vertex of the tetrahedra if the nearest surface vertex is fixed. */
static tacStatus hold(const tacTriMesh *surface, const bool *fixed, Trial *t, tacError *error) {
  TAC_OWN(tacTriMesh, boundary) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_TRY(tac_volmesh_surface(t->mesh, &boundary, &vertex_of, NULL, error));
  t->held = tac_arrays_add(&t->arrays, (size_t)t->mesh->vertex_count, sizeof *t->held);
  TAC_TRY(tac_arrays_status(&t->arrays, "a trial", error));
  for (int i = 0; i < boundary->vertex_count; ++i) {
    double nearest = INFINITY;
    for (int v = 0; v < surface->vertex_count; ++v) {
      double away = tac_vec3_norm2(tac_vec3_sub(surface->vertices[v], boundary->vertices[i]));
      if (away >= nearest) continue;
      nearest = away;
      t->held[vertex_of[i]] = fixed[v];
    }
  }
  return TAC_OK;
}

/* Creates the linear and the nonlinear model of the same material, with a Young's modulus of 1 Pa. */
static tacStatus make_answers(double poisson, Trial *t, tacError *error) {
  double nu = fmin(poisson, most_poisson), mu = 0.5 / (1.0 + nu), bulk = 1.0 / (3.0 - 6.0 * nu);
  tacMaterial material;
  TAC_TRY(tac_material_isotropic(1.0, 1.0, nu, &material, error));
  TAC_TRY(tac_statics_create(t->mesh, &material, NULL, t->held, &t->linear, error));
  const tacHyperMaterial hyper = {
      .law = tac_hyper_law_find("neo-hookean", error), .parameters = {mu, bulk}, .density = 1.0};
  const tacHyperSolidDef def = {
      .mesh = t->mesh, .material_count = 1, .materials = &hyper, .definite = true, .thread_count = 1};
  TAC_TRY(tac_hyper_solid_create(&def, &t->solid, error));
  TAC_TRY(tac_hyper_statics_create(t->solid, t->held, &t->full, error));
  tac_hyper_statics_limit(t->full, MOST_ITERATIONS);
  return TAC_OK;
}

static tacStatus make_room(int loads, Trial *t, tacError *error) {
  size_t numbers = 3 * (size_t)t->mesh->vertex_count, found = (size_t)loads * SIZES;
  t->threads = tac_parallel_core_count();
  t->rooms = tac_arrays_add(&t->arrays, (size_t)t->threads, sizeof *t->rooms);
  double *work = tac_arrays_add(&t->arrays, 2 * (size_t)t->threads * numbers, sizeof *work);
  t->force = tac_arrays_add(&t->arrays, (size_t)loads * numbers, sizeof *t->force);
  t->u = tac_arrays_add(&t->arrays, (size_t)loads * numbers, sizeof *t->u);
  t->rest = tac_arrays_add(&t->arrays, numbers, sizeof *t->rest);
  t->found = tac_arrays_add(&t->arrays, (size_t)loads, sizeof *t->found);
  t->way = tac_arrays_add(&t->arrays, found, sizeof *t->way);
  t->moved = tac_arrays_add(&t->arrays, found, sizeof *t->moved);
  t->error = tac_arrays_add(&t->arrays, found, sizeof *t->error);
  TAC_TRY(tac_arrays_status(&t->arrays, "a trial", error));
  for (int i = 0; i < t->threads; ++i, work += 2 * numbers) t->rooms[i] = (Room){.load = work, .x = work + numbers};
  memcpy(t->rest, t->mesh->vertices, numbers * sizeof *t->rest);
  return TAC_OK;
}

/* Computes the forces of the loads and the linear solutions u. A load without a solution has u = 0 and is skipped. */
static tacStatus find_linear(Trial *t, tacError *error) {
  size_t numbers = 3 * (size_t)t->mesh->vertex_count;
  for (int l = 0; l < t->loads.count; ++l) {
    double *force = t->force + (size_t)l * numbers, *u = t->u + (size_t)l * numbers;
    if (!tac_trial_loads_force(&t->loads, l, force)) continue;
    tacStatus status = tac_statics_solve(t->linear, 1, force, u, error);
    if (status == TAC_ERR_MEMORY) return status;
    if (status != TAC_OK) memset(u, 0, numbers * sizeof *u);
    for (size_t i = 0; i < numbers; ++i)
      if (t->held[i / 3]) u[i] = 0.0; /* the solver returns reactions at fixed vertices */
  }
  return TAC_OK;
}

/* Tries one load at increasing sizes while the nonlinear solution converges. */
static tacStatus try_load(Trial *t, int load, Room *room, tacError *error) {
  if (room->full == NULL) TAC_TRY(tac_hyper_statics_copy(t->full, &room->full, error));
  size_t numbers = 3 * (size_t)t->mesh->vertex_count;
  const double *force = t->force + (size_t)load * numbers, *u = t->u + (size_t)load * numbers;
  double gradient = tac_trial_loads_gradient(&t->loads, u);
  const double *under = u + 3 * (size_t)t->loads.loads[load].vertex;
  double moved = tac_vec3_norm(tac_vec3(under[0], under[1], under[2]));
  if (!(gradient > 0.0 && moved > 0.0)) return TAC_OK;
  memcpy(room->x, t->rest, numbers * sizeof *room->x);
  for (int s = 0; s < SIZES; ++s) {
    double scale = gradients[s] / gradient;
    for (size_t i = 0; i < numbers; ++i) room->load[i] = scale * force[i];
    TAC_TRY(tac_hyper_statics_solve(room->full, t->rest, room->load, room->x, NULL, NULL, error));
    for (size_t i = 0; i < numbers; ++i) room->load[i] = room->x[i] - t->rest[i];
    t->moved[load * SIZES + s] = scale * moved;
    t->error[load * SIZES + s] = tac_trial_loads_error(&t->loads, scale, u, room->load);
    t->found[load] = s + 1;
  }
  return TAC_OK;
}

static void try_some(size_t begin, size_t end, int thread, void *context) {
  Trial *t = context;
  for (size_t l = begin; l < end; ++l)
    if (try_load(t, (int)l, &t->rooms[thread], NULL) == TAC_ERR_MEMORY) t->rooms[thread].status = TAC_ERR_MEMORY;
}

/* Tries all loads. Loads without a nonlinear solution are skipped. */
static tacStatus try_loads(Trial *t, const tacProgress *progress, tacError *error) {
  static const char *const stage = "limits of linear elasticity";
  tacStatus status = tac_parallel_for(t->threads, (size_t)t->loads.count, 1, try_some, t, progress, stage, error);
  for (int i = 0; status == TAC_OK && i < t->threads; ++i)
    if (t->rooms[i].status != TAC_OK) status = tac_error_set(error, t->rooms[i].status, "out of memory in a trial");
  for (int l = 0; l < t->loads.count; ++l)
    for (int s = 0; s < t->found[l]; ++s, ++t->count) {
      t->way[t->count] = (int)t->loads.loads[l].way;
      t->moved[t->count] = t->moved[l * SIZES + s];
      t->error[t->count] = t->error[l * SIZES + s];
    }
  if (status == TAC_OK) tac_trial_loads_remark(stage, t->count, t->loads.count * SIZES);
  return status;
}

/* Fits log(error) = power (log(moved) - log(length)) by least squares, with one length per load direction. The fitted
 * errors are then increased by half the root-mean-square residual, to be conservative. A direction without results gets
 * the mean length of all results. */
static void fit(const Trial *t, tacGreenErrorEstimate *error_estimate) {
  double mean[TAC_TRIAL_WAYS][2] = {{0.0}}, all[2] = {0.0, 0.0}, above = 0.0, below = 0.0;
  int count[TAC_TRIAL_WAYS] = {0};
  for (int i = 0; i < t->count; ++i) {
    const double at[2] = {log(t->moved[i]), log(t->error[i])};
    if (!isfinite(at[0]) || !isfinite(at[1])) return;
    ++count[t->way[i]];
    for (int k = 0; k < 2; ++k) {
      mean[t->way[i]][k] += at[k];
      all[k] += at[k] / t->count;
    }
  }
  for (int w = 0; w < TAC_TRIAL_WAYS; ++w)
    for (int k = 0; k < 2; ++k) mean[w][k] = count[w] > 0 ? mean[w][k] / count[w] : all[k];
  for (int i = 0; i < t->count; ++i) {
    double moved = log(t->moved[i]) - mean[t->way[i]][0];
    above += moved * (log(t->error[i]) - mean[t->way[i]][1]);
    below += moved * moved;
  }
  if (t->count < SIZES || !(below > 0.0)) return;
  error_estimate->power = fmin(2.0, fmax(0.5, above / below));
  double left = 0.0;
  for (int i = 0; i < t->count; ++i) {
    const double *m = mean[t->way[i]];
    double missed = m[1] + error_estimate->power * (log(t->moved[i]) - m[0]) - log(t->error[i]);
    left += missed * missed / t->count;
  }
  for (int w = 0; w < TAC_TRIAL_WAYS; ++w)
    error_estimate->length[w] = exp(mean[w][0] - (mean[w][1] + 0.5 * sqrt(left)) / error_estimate->power);
}

static tacStatus measure(const tacTriMesh *surface, const bool *fixed, double poisson, int loads,
                         const tacProgress *progress, tacGreenErrorEstimate *error_estimate, tacError *error) {
  TAC_FREED(free_trial, Trial, t) = {0};
  TAC_TRY(fill(surface, NULL, &t.mesh, error));
  TAC_TRY(hold(surface, fixed, &t, error));
  TAC_TRY(make_answers(poisson, &t, error));
  TAC_TRY(make_room(loads, &t, error));
  TAC_TRY(tac_trial_loads_create(t.mesh, t.held, loads, &t.loads, error));
  TAC_TRY(find_linear(&t, error));
  TAC_TRY(try_loads(&t, progress, error));
  fit(&t, error_estimate);
  return TAC_OK;
}

tacStatus tac_green_error_estimate_measure(const tacTriMesh *surface, const bool *fixed, double poisson, int loads,
                                           const tacProgress *progress, tacGreenErrorEstimate *error_estimate,
                                           tacError *error) {
  _Static_assert((int)TAC_GREEN_OUT == (int)TAC_TRIAL_OUT && (int)TAC_GREEN_ACROSS == (int)TAC_TRIAL_ACROSS, "ways");
  *error_estimate = (tacGreenErrorEstimate){0};
  bool held = false;
  for (int v = 0; v < surface->vertex_count; ++v) held = held || fixed[v];
  if (!held || loads < 1) return TAC_OK;
  tacStatus status = measure(surface, fixed, poisson, loads, progress, error_estimate, error);
  return status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED ? status : TAC_OK;
}
