/* Cubes of 40 mm of every kind, from one volume mesh, with points and a field, for tests of whole worlds. */
#pragma once

#include <math.h>
#include <string.h>
#include <tactus/deformed_field.h>
#include <tactus/green.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include <tactus/vademecum.h>
#include <tactus/world.h>
#include "bake/make_bent.h"
#include "math/geometry/quat.h"
#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "world/make_shell.h"

#define EDGE 0.04 /* m: every body is [0, EDGE]^3 in its frame; what is anchored or fixed is so at x = 0 */

typedef struct SmallBodies {
  tacReduced *anchored, *loose;
  tacPointshell *shell, *anchored_shell, *loose_shell;
  tacDistanceField *field;
  tacDeformedField *anchored_field, *loose_field;
  Block block, loose_block;
  tacGreen *green, *corotational;
  tacInertia inertia;      /* of the cube at 1000 kg/m^3 */
  tacVolMesh *tets;        /* of hyperelastic ones, */
  double *mass;            /* [vertex], kg: a quarter of each tetrahedron's at its corners, */
  bool *back;              /* [vertex]: at x = 0; */
  bool relaxes;            /* they are viscous */
  tacVademecum *vademecum; /* of the same tetrahedra, fixed at the back; NULL but with make_all_small_bodies */
  tacPointshell *vademecum_shell;
  tacDeformedField *vademecum_field;
} SmallBodies;

static inline bool at_back(tacVec3 p) {
  return p.x <= 1e-12;
}

static inline bool nowhere(tacVec3 p) {
  (void)p;
  return false;
}

static inline tacDeformedField *small_deformed_field(const tacReduced *reduced) {
  tacError error;
  tacDeformedField *field;
  tacDistanceField *rest = rest_field(reduced, 24);
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  tac_test_ok(tac_deformed_field_bake(reduced, 1, &rest, &def, NULL, &field, &error), error);
  return field;
}

static inline tacBox small_cube(void) {
  return (tacBox){tac_vec3(0.0, 0.0, 0.0), tac_vec3(EDGE, EDGE, EDGE)};
}

/* 27 cells of six tetrahedra: all that hyperelastic ones need. */
static inline void make_small_tets(SmallBodies *s) {
  s->tets = make_tets(small_cube(), 3, 3, 3);
  s->mass = calloc((size_t)s->tets->vertex_count, sizeof *s->mass);
  s->back = calloc((size_t)s->tets->vertex_count, sizeof *s->back);
  for (int i = 0; i < s->tets->vertex_count; ++i) s->back[i] = at_back(s->tets->vertices[i]);
  for (int t = 0; t < s->tets->tet_count; ++t) {
    const int *v = s->tets->tets[t].v;
    const tacVec3 *x = s->tets->vertices;
    double volume = tac_vec3_dot(tac_vec3_sub(x[v[1]], x[v[0]]),
                                 tac_vec3_cross(tac_vec3_sub(x[v[2]], x[v[0]]), tac_vec3_sub(x[v[3]], x[v[0]])));
    for (int k = 0; k < 4; ++k) s->mass[v[k]] += 1000.0 * fabs(volume) / 24.0;
  }
}

static inline void free_small_tets(SmallBodies *s) {
  tac_volmesh_destroy(s->tets);
  free(s->mass);
  free(s->back);
}

/* Young's modulus 50 kPa, Poisson's ratio 0.3; a newton at one of its nodes goes a few millimetres. */
static inline void make_small_vademecum(SmallBodies *s) {
  tacError error;
  tacVademecumDef def = tac_vademecum_def_default();
  def.mesh = s->tets;
  def.material = (tacLawMaterial){.law = "neo-hookean", .parameters = {19.2e3, 41.7e3}, .density = 1000.0};
  def.fixed = s->back;
  def.load = 1.0;
  def.accuracy = 0.1;
  def.mode_most = 16;
  def.sample_count = 5;
  tac_test_ok(tac_vademecum_bake(&def, NULL, &s->vademecum, &error), error);
  const tacReduced *shape = tac_vademecum_shape(s->vademecum);
  tac_test_ok(tac_pointshell_embed(s->shell, shape, &s->vademecum_shell, &error), error);
  s->vademecum_field = small_deformed_field(shape);
}

/* Without a vademecum, whose bake takes four times as long as all of the others. */
static inline SmallBodies make_small_bodies(void) {
  tacError error;
  tacBox cube = small_cube();
  SmallBodies s = {.shell = make_box_shell(cube, 8)};
  s.anchored = brick_beam_reduced(2, 2, 2, 0.5 * EDGE, false, 4, 8);
  s.loose = brick_beam_reduced(2, 2, 2, 0.5 * EDGE, true, 4, 6);
  tac_test_ok(tac_pointshell_embed(s.shell, s.anchored, &s.anchored_shell, &error), error);
  tac_test_ok(tac_pointshell_embed(s.shell, s.loose, &s.loose_shell, &error), error);
  tac_test_ok(tac_distance_field_box(cube, &s.field, &error), error);
  s.anchored_field = small_deformed_field(s.anchored);
  s.loose_field = small_deformed_field(s.loose);
  s.block = make_block(brick_beam_mesh(4, 4, 4, 0.25 * EDGE), at_back, 5e4, 0.3);
  s.green = bake_block(&s.block, 0, NULL);
  s.loose_block = make_block(brick_beam_mesh(4, 4, 4, 0.25 * EDGE), nowhere, 5e4, 0.3);
  s.corotational = bake_block(&s.loose_block, 0, NULL);
  s.inertia.mass = tac_reduced_mass(s.loose);
  s.inertia.centre = tac_reduced_centre(s.loose);
  tac_reduced_inertia(s.loose, s.inertia.moments);
  make_small_tets(&s);
  return s;
}

static inline SmallBodies make_all_small_bodies(void) {
  SmallBodies s = make_small_bodies();
  make_small_vademecum(&s);
  return s;
}

static inline void free_small_bodies(SmallBodies *s) {
  tac_deformed_field_destroy(s->anchored_field);
  tac_deformed_field_destroy(s->loose_field);
  tac_pointshell_destroy(s->shell);
  tac_pointshell_destroy(s->anchored_shell);
  tac_pointshell_destroy(s->loose_shell);
  tac_distance_field_destroy(s->field);
  tac_reduced_destroy(s->anchored);
  tac_reduced_destroy(s->loose);
  tac_green_destroy(s->green);
  tac_green_destroy(s->corotational);
  tac_vademecum_destroy(s->vademecum);
  tac_pointshell_destroy(s->vademecum_shell);
  tac_deformed_field_destroy(s->vademecum_field);
  free_block(&s->block);
  free_block(&s->loose_block);
  free_small_tets(s);
}
