/* Bodies with the states of many loads, for the tests of load fields. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "bake/make_bent.h"
#include "kinds/vademecum/load_field_bake.h"

typedef struct MadeLoads {
  tacReduced *reduced;
  int node_count, level_count;
  int *vertices;
  double levels[4];
  double *states;
} MadeLoads;

/* The static answers to loads of 1/levels, 2/levels, ... of `force` at every `stride`-th vertex that can move. */
static inline MadeLoads make_loads(tacReduced *reduced, int levels, int stride, tacVec3 force) {
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  const int r = tac_reduced_size(reduced);
  MadeLoads made = {.reduced = reduced, .level_count = levels};
  made.vertices = malloc((size_t)surface->vertex_count * sizeof *made.vertices);
  made.states = malloc((size_t)(surface->vertex_count * levels * r) * sizeof *made.states);
  for (int v = 0, free_ones = 0; v < surface->vertex_count; ++v)
    if (!tac_reduced_fixed(reduced)[v] && free_ones++ % stride == 0) made.vertices[made.node_count++] = v;
  for (int l = 0; l < levels; ++l) made.levels[l] = (l + 1.0) / levels;
  for (int i = 0; i < made.node_count; ++i)
    for (int l = 0; l < levels; ++l) {
      double load[BENT_MOST] = {0.0};
      add_pull(reduced, surface->vertices[made.vertices[i]], tac_vec3_scale(made.levels[l], force), load);
      solve_statics(reduced, load, made.states + (size_t)((i * levels + l) * r));
    }
  return made;
}

static inline void free_loads(MadeLoads *made) {
  tac_reduced_destroy(made->reduced);
  free(made->vertices);
  free(made->states);
}

static inline const double *state_of(const MadeLoads *made, int node, int level) {
  return made->states + (size_t)((node * made->level_count + level) * tac_reduced_size(made->reduced));
}

static inline tacLoadFieldDef loads_def(const MadeLoads *made, int resolution) {
  tacLoadFieldDef def = tac_load_field_def_default();
  def.shape = made->reduced;
  def.node_count = made->node_count;
  def.vertices = made->vertices;
  def.level_count = made->level_count;
  def.levels = made->levels;
  def.states = made->states;
  def.resolution = resolution;
  return def;
}
