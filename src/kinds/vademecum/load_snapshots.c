#include "kinds/vademecum/load_snapshots.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "bake/checkpoint.h"
#include "base/files/checksum.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

const double tac_snapshot_levels[TAC_SNAPSHOT_LEVELS] = {0.25, 0.5, 0.75, 1.0};

void tac_load_snapshots_destroy(tacLoadSnapshots *snapshots) {
  free(snapshots->load);
  free(snapshots->force);
  free(snapshots->u);
  *snapshots = (tacLoadSnapshots){0};
}

/* ---- choice of loads ---- */

/* Returns an outward normal of a vertex, weighted by the areas of the triangles at the vertex. The length is not 1. */
static tacVec3 outward(const tacTriMesh *mesh, int vertex) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    if (v[0] != vertex && v[1] != vertex && v[2] != vertex) continue;
    tacVec3 a = tac_vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]);
    sum = tac_vec3_add(sum, tac_vec3_cross(a, tac_vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]])));
  }
  return sum;
}

static tacVec3 direction_of(const tacLoadProblem *p, int path, int load) {
  if (p->axis_count == 1) return p->direction;
  int turn = path % 7;
  if (turn == 0) return tac_vec3_unit(tac_vec3_scale(-1.0, outward(p->surface, p->loads[load])));
  double sign = turn <= 3 ? 1.0 : -1.0;
  return tac_vec3_scale(sign, tac_load_problem_axis(p, (turn - 1) % 3));
}

static tacStatus choose(const tacLoadProblem *p, tacLoadSnapshots *s, tacError *error) {
  int passes = p->axis_count == 1 ? 1 : 3; /* maximum number of paths per vertex, in different directions */
  int most = p->load_count < p->def->path_most / passes ? passes * p->load_count : p->def->path_most;
  int places = most < p->load_count ? most : p->load_count;
  s->path_count = most;
  TAC_MEMORY(int, chosen) = NULL;
  TAC_TRY(TAC_ARRAY(s->load, (size_t)most, "loads", error));
  TAC_TRY(TAC_ARRAY(s->force, (size_t)most, "loads", error));
  TAC_TRY(TAC_ARRAY(chosen, (size_t)places, "loads", error));
  TAC_TRY(tac_load_problem_spread(p, places, chosen, error));
  for (int i = 0; i < most; ++i) {
    s->load[i] = chosen[i % places];
    /* The forces cycle through seven directions. The offset gives the next path at the same vertex another
     * direction. */
    s->force[i] = tac_vec3_scale(p->def->load, direction_of(p, i + 2 * (i / places), s->load[i]));
  }
  return TAC_OK;
}

/* ---- paths ---- */

/* Work data of a thread. */
typedef struct {
  tacLoadPath *path;
  double *force;  /* [3 vertices]: nodal forces */
  tacError error; /* error of a failure other than a missing equilibrium */
} Thread;

typedef struct {
  const tacLoadProblem *problem;
  tacLoadSnapshots *snapshots;
  int thread_count;
  Thread *threads;
  const int *waiting; /* indices of the paths of the present round */
  _Atomic int failed; /* tacStatus of the first failure other than a missing equilibrium */
  double *carried;    /* [path]: largest converged load as a fraction of the full load */
  tacArrays arrays;
} Work;

static void follow(size_t begin, size_t end, int thread, void *context) {
  Work *w = context;
  const tacLoadProblem *p = w->problem;
  size_t size = p->part.size;
  for (size_t i = begin; i < end && w->failed == TAC_OK; ++i) {
    int path = w->waiting[i];
    double *force = w->threads[thread].force;
    tacVec3 f = w->snapshots->force[path];
    memset(force, 0, size * sizeof *force);
    tac_load_problem_add(p, w->snapshots->load[path], f, force);
    tacLoadPathReport report = {0};
    tacError error;
    tacStatus status =
        tac_load_path_follow(w->threads[thread].path, force, TAC_SNAPSHOT_LEVELS, tac_snapshot_levels,
                             w->snapshots->u + (size_t)path * TAC_SNAPSHOT_LEVELS * size, &report, &error);
    w->carried[path] = status == TAC_OK ? 1.0 : fmin(report.carried, 1.0 - 1e-9); /* below 1 if the path failed */
    if (status == TAC_OK || status == TAC_ERR_NO_CONVERGENCE) continue;
    w->threads[thread].error = error;
    w->failed = status;
  }
}

tacStatus tac_snapshot_path_create(const tacLoadProblem *p, tacLoadPath **path, tacError *error) {
  tacLoadPathDef def = tac_load_path_def_default();
  def.mesh = p->def->mesh;
  def.material = &p->material;
  def.held = p->def->fixed;
  def.method = p->def->method;
  def.tolerance = TAC_SNAPSHOT_TOLERANCE;
  return tac_load_path_create(&def, path, error);
}

static tacStatus prepare(Work *w, tacError *error) {
  const tacLoadProblem *p = w->problem;
  w->thread_count = tac_parallel_core_count();
  w->threads = tac_arrays_add(&w->arrays, (size_t)w->thread_count, sizeof *w->threads);
  w->carried = tac_arrays_add(&w->arrays, (size_t)w->snapshots->path_count, sizeof *w->carried);
  TAC_TRY(tac_arrays_status(&w->arrays, "paths", error));
  for (int t = 0; t < w->thread_count; ++t) {
    w->threads[t].force = tac_arrays_add(&w->arrays, p->part.size, sizeof(double));
    TAC_TRY(tac_snapshot_path_create(p, &w->threads[t].path, error));
  }
  return tac_arrays_status(&w->arrays, "paths", error);
}

static void release(Work *w) {
  for (int t = 0; w->threads != NULL && t < w->thread_count; ++t) tac_load_path_destroy(w->threads[t].path);
  tac_arrays_free(&w->arrays);
}

/* Returns a hash of all inputs that affect the paths. */
static uint64_t key_of(const tacLoadProblem *p, const tacLoadSnapshots *s) {
  const tacVolMesh *mesh = p->def->mesh;
  const uint64_t sums[] = {tac_checksum(mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices),
                           tac_checksum(mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets),
                           tac_checksum(p->def->fixed, (size_t)mesh->vertex_count),
                           tac_checksum(p->material.parameters, sizeof p->material.parameters),
                           tac_checksum(p->material.law->name, strlen(p->material.law->name)),
                           tac_checksum(s->load, (size_t)s->path_count * sizeof *s->load),
                           tac_checksum(p->loads, (size_t)p->load_count * sizeof *p->loads), /* surface vertices */
                           tac_checksum(s->force, (size_t)s->path_count * sizeof *s->force),
                           tac_checksum(&p->def->patch, sizeof p->def->patch),
                           (uint64_t)p->def->method};
  return tac_checksum(sums, sizeof sums);
}

static tacStatus say_carried(const Work *w, tacError *error) {
  int worst = 0, failed = 0;
  for (int i = 0; i < w->snapshots->path_count; ++i) {
    failed += w->carried[i] < 1.0;
    if (w->carried[i] < w->carried[worst]) worst = i;
  }
  if (failed == 0) return TAC_OK;
  tacVec3 x = w->problem->surface->vertices[w->problem->loads[w->snapshots->load[worst]]];
  return tac_error_set(
      error, TAC_ERR_NO_CONVERGENCE,
      "no equilibrium was found for %d of %d loads of %.4g N; the load at (%.4g, %.4g, %.4g) m can be at most %.4g "
      "N; use loads of at most that size, a stiffer material, or a finer mesh",
      failed, w->snapshots->path_count, w->problem->def->load, x.x, x.y, x.z,
      w->carried[worst] * w->problem->def->load);
}

/* Computes all unfinished paths, in rounds of eight paths per core. The checkpoint is extended after each round. */
static tacStatus follow_all(Work *w, const bool *done, tacCheckpoint *checkpoint, const tacProgress *progress,
                            tacError *error) {
  int count = w->snapshots->path_count, open = 0;
  TAC_MEMORY(int, waiting) = NULL;
  TAC_TRY(TAC_ARRAY(waiting, (size_t)count, "paths", error));
  for (int i = 0; i < count; ++i) {
    w->carried[i] = 1.0;
    if (!done[i]) waiting[open++] = i;
  }
  for (int first = 0, round = 8 * w->thread_count; first < open; first += round) {
    int size = open - first < round ? open - first : round;
    const tacProgressPart part = {progress, (double)first / open, (double)(first + size) / open,
                                  "loads with all nodes"};
    const tacProgress stage = tac_progress_part(&part);
    w->waiting = waiting + first;
    TAC_TRY(tac_parallel_for(w->thread_count, (size_t)size, 1, follow, w, &stage, "loads with all nodes", error));
    for (int t = 0; w->failed != TAC_OK && t < w->thread_count; ++t)
      if (w->threads[t].error.text[0] != 0)
        return tac_error_set(error, (tacStatus)w->failed, "%s", w->threads[t].error.text);
    for (int i = 0; checkpoint->path != NULL && i < size; ++i)
      if (w->carried[w->waiting[i]] == 1.0) TAC_TRY(tac_checkpoint_add(checkpoint, w->waiting[i], error));
  }
  return say_carried(w, error);
}

static tacStatus follow_with(const tacLoadProblem *p, tacLoadSnapshots *s, const tacProgress *progress,
                             tacError *error) {
  size_t count = (size_t)s->path_count, piece = TAC_SNAPSHOT_LEVELS * p->part.size;
  TAC_FREED(release, Work, work) = {.problem = p, .snapshots = s};
  TAC_FREED(tac_checkpoint_close, tacCheckpoint, checkpoint) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  int64_t *start = tac_arrays_add(&room, count + 1, sizeof *start);
  bool *done = tac_arrays_add(&room, count, sizeof *done);
  TAC_TRY(tac_arrays_status(&room, "paths", error));
  TAC_TRY(TAC_ARRAY(s->u, count * piece, "displacements of loads", error));
  for (size_t i = 0; i <= count; ++i) start[i] = (int64_t)(i * piece);
  if (p->def->checkpoint != NULL)
    TAC_TRY(
        tac_checkpoint_open(p->def->checkpoint, key_of(p, s), s->path_count, start, s->u, done, &checkpoint, error));
  TAC_TRY(prepare(&work, error));
  return follow_all(&work, done, &checkpoint, progress, error);
}

tacStatus tac_load_snapshots_create(const tacLoadProblem *problem, const tacProgress *progress,
                                    tacLoadSnapshots *snapshots, tacError *error) {
  *snapshots = (tacLoadSnapshots){0};
  TAC_FREED(tac_load_snapshots_destroy, tacLoadSnapshots, made) = {0};
  TAC_TRY(choose(problem, &made, error));
  TAC_TRY(follow_with(problem, &made, progress, error));
  *snapshots = made;
  made = (tacLoadSnapshots){0};
  return TAC_OK;
}
