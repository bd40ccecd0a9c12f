/* Small elastostatic bodies for tests: a gallery shape, filled with tetrahedra, whose lowest part is fixed. */
#pragma once

#include <tactus/green.h>
#include <tactus/meshing.h>
#include "elastic/reference/reference_problem.h"
#include "math/geometry/vec3.h"
#include "test.h"

#define TEST_YOUNG 2e4
#define TEST_POISSON 0.4

/* Vertices below `height` of the surface's extent in z, from 0 (the lowest) to 1, are fixed. */
static inline bool *lowest_fixed(const tacTriMesh *surface, double height) {
  bool *fixed = calloc((size_t)surface->vertex_count, sizeof *fixed);
  tacBox box = tac_trimesh_box(surface);
  for (int v = 0; v < surface->vertex_count; ++v)
    fixed[v] = surface->vertices[v].z <= box.lower.z + height * (box.upper.z - box.lower.z) + 1e-9;
  return fixed;
}

/* The definition of a problem by finite elements; what it refers to. */
typedef struct MadeProblem {
  tacReferenceDef def;
  tacVolMesh *volume;
  bool *fixed;
  tacMaterial material;
} MadeProblem;

/* `size` is the edge length; `made` must stay where it is. */
static inline void define_problem(const char *shape, double size, MadeProblem *made) {
  tacError why = {0};
  TAC_OWN(tacTriMesh, outline) = NULL;
  tac_test_ok(tac_shape_build(shape, size, NULL, &outline, &why), why);
  tacStuffingDef stuffing = tac_stuffing_def_default();
  stuffing.size = size;
  tac_test_ok(tac_stuffing_fill(outline, &stuffing, NULL, &made->volume, &why), why);
  TAC_OWN(tacTriMesh, surface) = NULL;
  tac_test_ok(tac_volmesh_surface(made->volume, &surface, NULL, NULL, &why), why);
  made->fixed = lowest_fixed(surface, 0.25);
  tac_test_ok(tac_material_isotropic(1000.0, TEST_YOUNG, TEST_POISSON, &made->material, &why), why);
  made->def = (tacReferenceDef){.method = TAC_FINITE_ELEMENTS,
                                .volume = made->volume,
                                .material_count = 1,
                                .materials = &made->material,
                                .fixed = made->fixed};
}

static inline void free_problem(MadeProblem *made) {
  free(made->fixed);
  tac_volmesh_destroy(made->volume);
}

static inline tacReferenceProblem *make_problem(const char *shape, double size) {
  tacError why = {0};
  TAC_FREED(free_problem, MadeProblem, made);
  define_problem(shape, size, &made);
  tacReferenceProblem *problem;
  tac_test_ok(tac_reference_problem_create(&made.def, NULL, &problem, &why), why);
  return problem;
}

static inline tacGreen *make_green_with(const char *shape, double size, int sensor_count, const tacSensor *sensors,
                                        tacGreenStorage storage, double near_radius) {
  tacError why = {0};
  MadeProblem made;
  define_problem(shape, size, &made);
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = made.def;
  def.problem.sensor_count = sensor_count;
  def.problem.sensors = sensors;
  def.storage = storage;
  def.near_radius = near_radius;
  tacGreen *green;
  tac_test_ok(tac_green_bake(&def, NULL, &green, &why), why);
  free_problem(&made);
  return green;
}

static inline tacGreen *make_green(const char *shape, double size) {
  return make_green_with(shape, size, 0, NULL, TAC_GREEN_WHOLE, 0.0);
}
