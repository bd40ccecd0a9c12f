/* A pair of a scene's bodies, apart from its world, that goes to random places in random shapes. */
#pragma once

#include <math.h>
#include <tactus/deformed_field.h>
#include <tactus/reduced.h>
#include <tactus/world.h>
#include "asset/pointshell.h"
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

/* A body of a pair: where it is, how it may deform. */
typedef struct Side {
  const tacTriMesh *surface;
  const double *modes; /* U_s of the surface; NULL: rigid */
  int r;
  double size;      /* m */
  double reach[32]; /* m a coordinate: the farthest that a place goes */
  tacVec3 position;
  tacQuat orientation;
  double q[32];
} Side;

/* One pair of the scene, apart from the world. */
typedef struct Pair {
  Side shell, field;
  const tacPointshell *points;
  const tacPointshellView *view;
  double tilt[32]; /* rad a coordinate: the most that a normal turns */
  tacContactField at;
  const tacDeformedField *deformed;
  tacShellTraversal *traversal;
  tacPenaltyDef penalty;
  tacRandom random;
} Pair;

static inline Side side_of(const tacWorld *world, tacBodyId id) {
  const tacReduced *reduced = tac_world_body_reduced(world, id);
  Side s = {.surface = tac_world_body_surface(world, id), .orientation = tac_quat_identity()};
  s.size = tac_vec3_norm(tac_box_size(tac_trimesh_box(s.surface)));
  if (reduced == NULL) return s;
  s.modes = tac_reduced_displacements(reduced);
  s.r = tac_reduced_size(reduced);
  ck_assert_int_le(s.r, 32);
  for (int v = 0; v < s.surface->vertex_count; ++v)
    for (int j = 0; j < s.r; ++j) {
      const double *u = s.modes + (size_t)(3 * s.r) * (size_t)v + j;
      s.reach[j] = fmax(s.reach[j], tac_vec3_norm(tac_vec3(u[0], u[s.r], u[2 * s.r])));
    }
  return s;
}

static inline Pair make_pair(const tacWorld *world, int pair) {
  tacError error;
  tacPairDef def = tac_world_pair(world, pair);
  Pair p = {.shell = side_of(world, def.points),
            .field = side_of(world, def.field),
            .points = tac_world_body_shell(world, def.points),
            .at.field = tac_world_body_field(world, def.field),
            .deformed = tac_world_body_deformed_field(world, def.field),
            .random = tac_random_seed(7)};
  p.view = tac_pointshell_view(p.points);
  if (p.at.field != NULL) p.at.reach = tac_field_reach(p.at.field);
  if (p.deformed != NULL) tac_test_ok(tac_deformed_pose_create(p.deformed, &p.at.deformed, &error), error);
  tac_test_ok(tac_shell_traversal_create(p.points, 0, &p.traversal, &error), error);
  for (int i = 0; i < p.view->r * tac_pointshell_size(p.points, 99); ++i) {
    const float *row = p.view->normal_changes + (size_t)(i / p.view->r * 3 * p.view->stride + i % p.view->r);
    double change =
        tac_vec3_norm(tac_vec3((double)row[0], (double)row[p.view->stride], (double)row[2 * p.view->stride]));
    p.tilt[i % p.view->r] = fmax(p.tilt[i % p.view->r], change);
  }
  p.penalty = tac_penalty_def_default();
  p.penalty.stiffness = def.stiffness;
  p.penalty.full_count = def.full_count;
  p.penalty.ramp = def.ramp;
  return p;
}

static inline void free_pair(Pair *p) {
  tac_shell_traversal_destroy(p->traversal);
  tac_deformed_pose_destroy(p->at.deformed);
}

/* ---- places ---- */

static inline tacVec3 random_vec3(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

/* Every coordinate moves the surface by 3 % of the body's size at most. */
static inline void deform_anew(Side *s, tacRandom *random) {
  for (int j = 0; j < s->r; ++j) s->q[j] = 0.03 * s->size / s->reach[j] * tac_random_uniform(random, -1.0, 1.0);
}

static inline void deform_little(Side *s, tacRandom *random, double share) {
  for (int j = 0; j < s->r; ++j)
    s->q[j] = (1.0 - share) * s->q[j] + 0.03 * share * s->size / s->reach[j] * tac_random_normal(random);
}

/* The field's shape, and how far it moved. */
static inline double set_field(Pair *p) {
  double moved = p->at.deformed != NULL ? tac_deformed_pose_set(p->at.deformed, p->field.q) : 0.0;
  p->at.moved += moved;
  return moved;
}

static inline tacVec3 to_world(const Side *s, tacVec3 x) {
  return tac_vec3_add(s->position, tac_quat_rotate(s->orientation, x));
}

/* Somewhere else, in another shape, with a point of the shell near a place of the field's surface. */
static inline void jump(Pair *p) {
  deform_anew(&p->shell, &p->random);
  deform_anew(&p->field, &p->random);
  set_field(p);
  p->field.position = random_vec3(&p->random, 0.1);
  p->field.orientation = tac_quat_from_rotation_vector(random_vec3(&p->random, 1.0));
  p->shell.orientation = tac_quat_from_rotation_vector(random_vec3(&p->random, 1.0));
  p->shell.position = tac_vec3(0.0, 0.0, 0.0);
  int v = (int)tac_random_uniform(&p->random, 0.0, p->field.surface->vertex_count - 1.0);
  int point = (int)tac_random_uniform(&p->random, 0.0, tac_pointshell_size(p->points, 99) - 1.0);
  tacVec3 target = p->field.surface->vertices[v];
  for (int j = 0; j < p->field.r; ++j) {
    const double *u = p->field.modes + (size_t)(3 * p->field.r) * (size_t)v + j;
    target = tac_vec3_mad(target, p->field.q[j], tac_vec3(u[0], u[p->field.r], u[2 * p->field.r]));
  }
  tacVec3 from = to_world(&p->shell, tac_pointshell_deformed_point(p->points, point, p->shell.q));
  target = tac_vec3_add(to_world(&p->field, target), random_vec3(&p->random, 0.01 * p->shell.size));
  p->shell.position = tac_vec3_sub(target, from);
}

/* A step of this part of the shell's size. Returns how far it goes, and how far normals turn. */
static inline double walk(Pair *p, double share, double *turn) {
  Side before = p->shell;
  tacVec3 way = random_vec3(&p->random, share * before.size), spin = random_vec3(&p->random, share);
  double far = tac_vec3_norm(way) + tac_vec3_norm(spin) * (p->view->radius + tac_vec3_norm(p->view->centre));
  p->shell.position = tac_vec3_add(before.position, way);
  p->shell.orientation = tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(spin), before.orientation));
  deform_little(&p->shell, &p->random, 5.0 * share);
  deform_little(&p->field, &p->random, 5.0 * share);
  *turn = tac_vec3_norm(spin);
  for (int j = 0; j < before.r; ++j) {
    double change = fabs(p->shell.q[j] - before.q[j]), size = fmax(fabs(p->shell.q[j]), fabs(before.q[j]));
    far += change * p->view->reach[j] + size * p->view->reach[j] * tac_vec3_norm(spin);
    *turn += change * p->tilt[j];
  }
  return far + set_field(p);
}

static inline tacShellPose pose_of(const Pair *p) {
  tacQuat back = tac_quat_conjugate(p->field.orientation);
  return (tacShellPose){
      .rotation = tac_quat_to_mat3(tac_quat_mul(back, p->shell.orientation)),
      .translation = tac_quat_rotate(back, tac_vec3_sub(p->shell.position, p->field.position)),
      .q = p->shell.r > 0 ? p->shell.q : NULL,
  };
}

static inline int find_contacts(Pair *p, const tacShellContact **found) {
  tacTraversalLimits limits = tac_traversal_limits_none();
  tacShellPose pose = pose_of(p);
  return tac_shell_traversal_run(p->traversal, &p->at, &pose, &limits, found).contact_count;
}
