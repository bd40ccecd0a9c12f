/* Cubes of 40 mm of every kind, from one volume mesh, with points and a field, for tests of whole worlds. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/green.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "asset/deformed_field.h"
#include "bake/make_bent.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/reduced/reduced.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_body.h"
#include "math/geometry/quat.h"
#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "world/make_shell.h"
#include "world/world_build.h"

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
  tacDistanceField *rest = rest_field(reduced, 24);
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  return tac_test_kept(tacDeformedField, tac_deformed_field_bake(reduced, 1, &rest, &def, NULL, &made, &error));
}

static inline tacBox small_cube(void) {
  return (tacBox){tac_vec3(0.0, 0.0, 0.0), tac_vec3(EDGE, EDGE, EDGE)};
}

/* 27 cells of six tetrahedra: all that hyperelastic ones need. */
static inline void make_small_tets(SmallBodies *s) {
  s->tets = tac_test_keep(make_tets(small_cube(), 3, 3, 3), tac_volmesh_destroy);
  s->mass = tac_test_alloc((size_t)s->tets->vertex_count * sizeof *s->mass);
  s->back = tac_test_alloc((size_t)s->tets->vertex_count * sizeof *s->back);
  for (int i = 0; i < s->tets->vertex_count; ++i) s->back[i] = at_back(s->tets->vertices[i]);
  for (int t = 0; t < s->tets->tet_count; ++t) {
    const int *v = s->tets->tets[t].v;
    const tacVec3 *x = s->tets->vertices;
    double volume = tac_vec3_dot(tac_vec3_sub(x[v[1]], x[v[0]]),
                                 tac_vec3_cross(tac_vec3_sub(x[v[2]], x[v[0]]), tac_vec3_sub(x[v[3]], x[v[0]])));
    for (int k = 0; k < 4; ++k) s->mass[v[k]] += 1000.0 * fabs(volume) / 24.0;
  }
}

/* Young's modulus 50 kPa, Poisson's ratio 0.3; a newton at one of its nodes goes a few millimetres. */
static inline void make_small_vademecum(SmallBodies *s) {
  tacVademecumDef def = tac_vademecum_def_default();
  def.mesh = s->tets;
  def.material = (tacLawMaterial){.law = "neo-hookean", .parameters = {19.2e3, 41.7e3}, .density = 1000.0};
  def.fixed = s->back;
  def.load = 1.0;
  def.accuracy = 0.1;
  def.mode_most = 16;
  def.sample_count = 5;
  s->vademecum = tac_test_kept(tacVademecum, tac_vademecum_bake(&def, NULL, &made, &error));
  const tacReduced *shape = tac_vademecum_shape(s->vademecum);
  s->vademecum_shell = tac_test_kept(tacPointshell, tac_pointshell_embed(s->shell, shape, &made, &error));
  s->vademecum_field = small_deformed_field(shape);
}

/* Without a vademecum, whose bake takes four times as long as all of the others. */
static inline SmallBodies make_small_bodies(void) {
  tacBox cube = small_cube();
  SmallBodies s = {.shell = tac_test_keep(make_box_shell(cube, 8), tac_pointshell_destroy)};
  s.anchored = tac_test_keep(brick_beam_reduced(2, 2, 2, 0.5 * EDGE, false, 4, 8), tac_reduced_destroy);
  s.loose = tac_test_keep(brick_beam_reduced(2, 2, 2, 0.5 * EDGE, true, 4, 6), tac_reduced_destroy);
  s.anchored_shell = tac_test_kept(tacPointshell, tac_pointshell_embed(s.shell, s.anchored, &made, &error));
  s.loose_shell = tac_test_kept(tacPointshell, tac_pointshell_embed(s.shell, s.loose, &made, &error));
  s.field = tac_test_kept(tacDistanceField, tac_distance_field_box(cube, &made, &error));
  s.anchored_field = small_deformed_field(s.anchored);
  s.loose_field = small_deformed_field(s.loose);
  s.block = make_block(brick_beam_mesh(4, 4, 4, 0.25 * EDGE), at_back, 5e4, 0.3);
  s.green = tac_test_keep(bake_block(&s.block, 0, NULL), tac_green_destroy);
  s.loose_block = make_block(brick_beam_mesh(4, 4, 4, 0.25 * EDGE), nowhere, 5e4, 0.3);
  s.corotational = tac_test_keep(bake_block(&s.loose_block, 0, NULL), tac_green_destroy);
  s.inertia.mass = tac_reduced_info(s.loose)->mass;
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

/* ---- a cube in a world ---- */

typedef enum Family { RIGID, GREEN, REDUCED, COROTATIONAL, HYPERELASTIC, VADEMECUM } Family;
static const char *const family_names[] = {"rigid", "green", "reduced", "corotational", "hyperelastic", "vademecum"};

typedef struct Cube {
  Family family;
  tacBodyDef body;
  bool bare;              /* without points */
  double heavier;         /* factor on the mass of a rigid or corotational one */
  double stiffer;         /* factor on 50 kPa of a corotational one */
  double rigid_stiffness; /* N/m, likewise; 0: by default */
  double beta;            /* s: damping by the stiffness of a reduced one; 0: by default */
} Cube;

static inline Cube cube_of(Family family, const char *name) {
  Cube c = {.family = family, .body = tac_body_def_default(), .heavier = 1.0, .stiffer = 1.0};
  c.body.name = name;
  if (family == GREEN || family == COROTATIONAL) c.body.friction = tac_green_body_def_default().body.friction;
  if (family == HYPERELASTIC) c.body.contact_damping = 0.0;
  return c;
}

static inline tacBodyId add_cube(tacWorld *world, const SmallBodies *s, const Cube *c) {
  tacBodyId id;
  tacInertia inertia = s->inertia;
  inertia.mass *= c->heavier;
  for (int i = 0; i < 9; ++i) inertia.moments[i / 3][i % 3] *= c->heavier;
  if (c->family == RIGID) {
    tacRigidBodyDef def = {c->body, .surface = tac_reduced_surface(s->loose), .inertia = inertia, .field = s->field};
    if (!c->bare) def.shell = s->shell;
    tac_test_ok(tac_world_add_rigid(world, &def, &id, &error), error);
  } else if (c->family == HYPERELASTIC) {
    /* Young's modulus 50 kPa, Poisson's ratio 0.3: mu = 2 (c1 + c2) and k. */
    tacLawMaterial soft = {.law = "mooney-rivlin", .parameters = {4.8e3, 4.8e3, 41.7e3}, .density = 1000.0};
    if (s->relaxes) soft.term_count = 1, soft.share[0] = 0.2, soft.time[0] = 0.05;
    tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
    def.body = c->body;
    def.mesh = s->tets;
    def.material_count = 1;
    def.materials = &soft;
    def.fixed = c->body.free ? NULL : s->back;
    tac_test_ok(tac_world_add_hyperelastic(world, &def, &id, &error), error);
  } else if (c->family == VADEMECUM) {
    tacVademecumBodyDef def = tac_vademecum_body_def_default();
    def.vademecum = s->vademecum;
    def.motion.body = c->body;
    def.motion.shell = s->vademecum_shell;
    def.motion.field = s->vademecum_field;
    tac_test_ok(tac_world_add_vademecum(world, &def, &id, &error), error);
  } else if (c->family == REDUCED) {
    tacReducedBodyDef def = tac_reduced_body_def_default();
    def.body = c->body;
    def.reduced = c->body.free ? s->loose : s->anchored;
    if (!c->bare) def.shell = c->body.free ? s->loose_shell : s->anchored_shell;
    def.field = c->body.free ? s->loose_field : s->anchored_field;
    if (c->beta > 0.0) def.stiffness_damping = c->beta;
    tac_test_ok(tac_world_add_reduced(world, &def, &id, &error), error);
  } else {
    tacGreenBodyDef def = tac_green_body_def_default();
    def.body = c->body;
    def.green = c->family == COROTATIONAL ? s->corotational : s->green;
    def.mask_radius = c->family == COROTATIONAL ? 0.0 : 0.008;
    def.inertia = inertia;
    def.stiffness = c->stiffer;
    if (c->rigid_stiffness > 0.0) def.rigid_stiffness = c->rigid_stiffness;
    if (!c->bare) def.shell = s->shell;
    def.field = s->field;
    tac_test_ok(tac_world_add_green(world, &def, &id, &error), error);
  }
  return id;
}
