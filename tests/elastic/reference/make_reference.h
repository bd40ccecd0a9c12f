/* Bodies with a support and their reference problems, for tests. */
#pragma once

#include <tactus/material.h>
#include "elastic/make_body.h"
#include "elastic/reference/reference_problem.h"
#include "math/dense/blas.h"

/* A body with its surface; a vertex is fixed where `holds` says so. */
typedef struct {
  tacVolMesh *volume;
  tacTriMesh *surface;
  int *vertex_of;
  bool *fixed;
  tacMaterial material;
  tacReferenceDef def;
} Body;

typedef bool (*Holds)(tacVec3 p);

static inline bool holds_bottom(tacVec3 p) {
  return p.z <= 0.0;
}
static inline Body *make_held(tacVolMesh *volume, Holds holds, tacReferenceMethod method) {
  tac_blas_start();
  Body *body = tac_test_alloc(sizeof *body);
  body->volume = tac_test_keep(volume, tac_volmesh_destroy);
  tac_test_ok(tac_volmesh_surface(volume, &body->surface, &body->vertex_of, NULL, &error), error);
  tac_test_keep(body->surface, tac_trimesh_destroy);
  tac_test_keep(body->vertex_of, free);
  body->fixed = tac_test_alloc((size_t)body->surface->vertex_count * sizeof *body->fixed);
  for (int v = 0; v < body->surface->vertex_count; ++v) body->fixed[v] = holds(body->surface->vertices[v]);
  body->material = make_isotropic(1000.0, 1e5, 0.3);
  body->def = (tacReferenceDef){.method = method,
                                .surface = body->surface,
                                .volume = volume,
                                .material_count = 1,
                                .materials = &body->material,
                                .fixed = body->fixed};
  return body;
}

static inline tacReferenceProblem *create(const Body *body) {
  tacReferenceProblem *problem = NULL;
  tac_test_ok(tac_reference_problem_create(&body->def, NULL, &problem, &error), error);
  return tac_test_keep(problem, tac_reference_problem_destroy);
}

/* All columns of Xi. */
static inline double *whole(tacReferenceProblem *problem) {
  int count = tac_reference_problem_surface(problem)->vertex_count, rows = tac_reference_problem_row_count(problem);
  int *all = tac_test_alloc((size_t)count * sizeof *all);
  double *columns = tac_test_doubles(3 * (size_t)count * (size_t)rows);
  for (int v = 0; v < count; ++v) all[v] = v;
  tac_test_ok(tac_reference_problem_columns(problem, count, all, NULL, columns, &error), error);
  return columns;
}
