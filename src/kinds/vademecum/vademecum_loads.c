#include "kinds/vademecum/vademecum_loads.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"
#include "math/geometry/vec3.h"

static const double levels[] = {0.5, 1.0};
enum { LEVELS = sizeof levels / sizeof *levels, CORRECTIONS = 20 };

/* [vertex]: a triangle at each vertex, and the area-weighted sum of the normals of all triangles at the vertex. */
typedef struct {
  int *triangle;
  tacVec3 *normal;
} Around;

static void look_around(const tacTriMesh *surface, Around *around) {
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    tacVec3 a = surface->vertices[v[0]], b = surface->vertices[v[1]], c = surface->vertices[v[2]];
    tacVec3 normal = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
    for (int k = 0; k < 3; ++k) {
      around->triangle[v[k]] = t;
      around->normal[v[k]] = tac_vec3_add(around->normal[v[k]], normal);
    }
  }
}

/* Chooses `count` loads. Each next load is the farthest from the loads already chosen (Gonzalez 1985). `away` [load] is
 * scratch. */
static void choose(const tacVademecum *vademecum, int count, double *away, int *chosen) {
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  int all = tac_vademecum_load_count(vademecum), next = 0;
  for (int l = 0; l < all; ++l) away[l] = INFINITY;
  for (int i = 0; i < count; ++i) {
    tacVec3 at = surface->vertices[tac_vademecum_load_vertex(vademecum, next)];
    chosen[i] = next;
    away[next] = -1.0;
    for (int l = 0; l < all; ++l) {
      tacVec3 other = surface->vertices[tac_vademecum_load_vertex(vademecum, l)];
      away[l] = fmin(away[l], tac_vec3_distance(at, other));
      if (away[l] > away[next]) next = l;
    }
  }
}

static void solve(const tacVademecum *vademecum, tacVademecumSolver *solver, const Around *around, int vertex,
                  double *states) {
  const int *corners = tac_reduced_surface(tac_vademecum_shape(vademecum))->triangles[around->triangle[vertex]].v;
  tacVec3 direction = tac_vademecum_load_direction(vademecum);
  if (tac_vec3_norm(direction) == 0.0) direction = tac_vec3_scale(-1.0, tac_vec3_unit(around->normal[vertex]));
  tacVademecumLoad load = {.triangle = around->triangle[vertex]};
  for (int k = 0; k < 3; ++k) load.weight[k] = corners[k] == vertex;
  for (int i = 0; i < LEVELS; ++i) {
    load.force = tac_vec3_scale(levels[i] * tac_vademecum_load_most(vademecum), direction);
    tac_vademecum_solve(solver, 1, &load, CORRECTIONS, states + (size_t)i * tac_vademecum_mode_count(vademecum));
  }
}

typedef struct {
  const tacVademecum *vademecum;
  tacVademecumSolver **solvers; /* [thread]: solver of the thread */
  const Around *around;
  const tacVademecumLoads *loads;
} Solve;

static void solve_some(size_t begin, size_t end, int thread, void *context) {
  const Solve *s = context;
  size_t stride = (size_t)LEVELS * (size_t)tac_vademecum_mode_count(s->vademecum);
  for (size_t i = begin; i < end; ++i)
    solve(s->vademecum, s->solvers[thread], s->around, s->loads->vertices[i], s->loads->states + stride * i);
}

/* Solvers of all threads. */
typedef struct {
  int count;
  tacVademecumSolver **list;
} Solvers;

static void free_solvers(Solvers *solvers) {
  for (int t = 0; solvers->list != NULL && t < solvers->count; ++t) tac_vademecum_solver_destroy(solvers->list[t]);
  free(solvers->list);
}

static tacStatus make(const tacVademecumLoadsDef *def, int count, tacVademecumLoads *loads, tacError *error) {
  const tacVademecum *vademecum = def->vademecum;
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  size_t vertices = (size_t)surface->vertex_count;
  int cores = tac_parallel_core_count();
  TAC_FREED(free_solvers, Solvers, solvers) = {.count = cores < count ? cores : count};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Around around;
  around.triangle = tac_arrays_add(&work, vertices, sizeof *around.triangle);
  around.normal = tac_arrays_add(&work, vertices, sizeof *around.normal);
  double *away = tac_arrays_add(&work, (size_t)tac_vademecum_load_count(vademecum), sizeof *away);
  int *chosen = tac_arrays_add(&work, (size_t)count, sizeof *chosen);
  TAC_TRY(tac_arrays_status(&work, "loads", error));
  TAC_TRY(TAC_ARRAY(solvers.list, (size_t)solvers.count, "loads", error));
  for (int t = 0; t < solvers.count; ++t) TAC_TRY(tac_vademecum_solver_create(vademecum, &solvers.list[t], error));
  look_around(surface, &around);
  choose(vademecum, count, away, chosen);
  for (int i = 0; i < count; ++i) loads->vertices[i] = tac_vademecum_load_vertex(vademecum, chosen[i]);
  Solve solving = {vademecum, solvers.list, &around, loads};
  return tac_parallel_for(solvers.count, (size_t)count, 1, solve_some, &solving, NULL, "deformations", error);
}

tacStatus tac_vademecum_loads_create(const tacVademecumLoadsDef *def, tacVademecumLoads *loads, tacError *error) {
  *loads = (tacVademecumLoads){0};
  TAC_FREED(tac_vademecum_loads_free, tacVademecumLoads, made) = {.def = tac_load_field_def_default()};
  int all = tac_vademecum_load_count(def->vademecum), count = all < def->most ? all : def->most;
  size_t numbers = (size_t)LEVELS * (size_t)tac_vademecum_mode_count(def->vademecum);
  TAC_TRY(TAC_ARRAY(made.vertices, (size_t)count, "loads", error));
  TAC_TRY(TAC_ARRAY(made.states, (size_t)count * numbers, "deformations", error));
  TAC_TRY(make(def, count, &made, error));
  made.def.shape = tac_vademecum_shape(def->vademecum);
  made.def.node_count = count;
  made.def.vertices = made.vertices;
  made.def.level_count = LEVELS;
  made.def.levels = levels;
  made.def.states = made.states;
  if (def->resolution > 0) made.def.resolution = def->resolution;
  *loads = made;
  made = (tacVademecumLoads){0};
  return TAC_OK;
}

void tac_vademecum_loads_free(tacVademecumLoads *loads) {
  free(loads->vertices);
  free(loads->states);
  *loads = (tacVademecumLoads){0};
}
