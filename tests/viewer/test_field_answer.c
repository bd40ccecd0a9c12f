#include "app/viewer/field/field_answer.h"

#include <math.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "asset/load_field.h"
#include "asset/make_deformed.h"
#include "bake/make_loaded.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/vademecum/load_field_bake.h"
#include "make_shown.h"
#include "math/geometry/quat.h"
#include "packet_reader.h"
#include "world/make_shell.h"
#include "world/world.h"

/* A world of one rigid body. */
static tacWorld *make_world(const tacTriMesh *surface, const tacDistanceField *field) {
  tacWorld *world = begin_world();
  add_rigid(world, "body", surface, NULL, field, tac_vec3(7.0, 0.0, 0.0)); /* answers are in its own frame */
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacPacket *ask(const tacWorld *world, tacViewAsked what, double value) {
  tacPacket *packet;
  tacViewMessage message = {.kind = TAC_VIEW_ASK, .ask = {.body = 0, .number = 21, .what = what, .value = value}};
  tac_test_ok(tac_field_answer_packet(world, NULL, &message, 5, &packet, &error), error);
  return packet;
}

typedef struct {
  int axis, width, height;
  bool deformed;
  double corner[3], spacing, scale, voxel;
  const unsigned char *values;
} Slice;

static Slice read_slice(tacPacket *packet) {
  Reader r = open_packet(packet, 9, 0, 5);
  ck_assert_uint_eq(read_u32(&r), 21);
  Slice s = {0};
  s.axis = (int)read_u32(&r);
  s.width = (int)read_u32(&r);
  s.height = (int)read_u32(&r);
  s.deformed = read_u32(&r) == 1;
  for (int k = 0; k < 3; ++k) s.corner[k] = read_f32(&r);
  s.spacing = read_f32(&r);
  s.scale = read_f32(&r);
  s.voxel = read_f32(&r);
  read_u32(&r);
  s.values = r.bytes + r.at;
  ck_assert_uint_eq(r.at + 2 * (size_t)s.width * (size_t)s.height, r.size);
  return s;
}

static double sample(const Slice *s, int i, int j) {
  return s->scale / 32767.0 * read_i16(s->values + 2 * (j * s->width + i));
}

static tacVec3 place(const Slice *s, double i, double j) {
  double p[3] = {s->corner[0], s->corner[1], s->corner[2]};
  p[(s->axis + 1) % 3] += s->spacing * i;
  p[(s->axis + 2) % 3] += s->spacing * j;
  return tac_vec3(p[0], p[1], p[2]);
}

TAC_TEST(a_slice_is_the_field_also_between_its_samples) {
  TAC_OWN(tacTriMesh, surface) = make_box_surface(made_bar);
  TAC_OWN(tacDistanceField, field) = sample_field(made_bar, (tacBox){{-1.0, -0.6, -0.5}, {1.0, 0.6, 0.5}}, 0.05);
  TAC_OWN(tacWorld, world) = make_world(surface, field);
  for (int axis = 0; axis < 3; ++axis) {
    TAC_OWN(tacPacket, packet) = ask(world, (tacViewAsked)axis, 0.123);
    Slice s = read_slice(packet);
    ck_assert_int_eq(s.axis, axis);
    ck_assert(!s.deformed);
    ck_assert_double_eq_tol(s.corner[axis], 0.123, 1e-7);
    ck_assert_double_eq_tol(s.spacing, 0.05, 1e-7);
    ck_assert_double_eq_tol(s.voxel, 0.05, 1e-7);
    const int nodes[3] = {41, 25, 21};
    ck_assert_int_eq(s.width, nodes[(axis + 1) % 3]);
    ck_assert_int_eq(s.height, nodes[(axis + 2) % 3]);
    double step = s.scale / 32767.0;
    for (int j = 1; j + 1 < s.height; ++j) /* rounded places at the ends may be outside the grid */
      for (int i = 1; i + 1 < s.width; ++i) {
        double mean =
            0.25 * (sample(&s, i, j) + sample(&s, i + 1, j) + sample(&s, i, j + 1) + sample(&s, i + 1, j + 1));
        ck_assert_double_eq_tol(sample(&s, i, j), tac_distance_field_value(field, place(&s, i, j)), step);
        if (j + 2 < s.height && i + 2 < s.width)
          ck_assert_double_eq_tol(mean, tac_distance_field_value(field, place(&s, i + 0.5, j + 0.5)), step);
      }
  }
  TAC_OWN(tacPacket, far) = ask(world, TAC_VIEW_ASK_Y, 100.0);
  ck_assert_double_eq_tol(read_slice(far).corner[1], 0.6, 1e-6); /* brought to the end of the grid */
}

typedef struct {
  uint32_t vertices, triangles;
  bool deformed;
  double value, spacing;
  Reader rest;
} Isosurface;

static Isosurface read_isosurface(tacPacket *packet) {
  Reader r = open_packet(packet, 10, 0, 5);
  ck_assert_uint_eq(read_u32(&r), 21);
  Isosurface s = {0};
  s.vertices = read_u32(&r);
  s.triangles = read_u32(&r);
  s.deformed = read_u32(&r) == 1;
  s.value = read_f32(&r);
  s.spacing = read_f32(&r);
  s.rest = r;
  for (r.at += 12 * s.vertices; r.at < r.size;) ck_assert_uint_lt(read_u32(&r), s.vertices);
  ck_assert_uint_eq(r.size - s.rest.at, 12 * (s.vertices + s.triangles));
  return s;
}

TAC_TEST(an_isosurface_has_its_value) {
  TAC_OWN(tacTriMesh, surface) = make_box_surface((tacBox){{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}});
  TAC_OWN(tacDistanceField, field) = NULL; /* analytic */
  tac_test_ok(tac_distance_field_sphere(tac_vec3(0.1, 0.0, 0.0), 0.7, &field, &error), error);
  TAC_OWN(tacWorld, world) = make_world(surface, field);
  for (int round = 0; round < 2; ++round) {
    double value = -0.3 + 0.5 * round;
    TAC_OWN(tacPacket, packet) = ask(world, TAC_VIEW_ASK_ISOSURFACE, value);
    Isosurface s = read_isosurface(packet);
    ck_assert(!s.deformed);
    ck_assert_double_eq_tol(s.value, value, 1e-6);
    ck_assert_uint_gt(s.vertices, 1000);
    ck_assert_uint_eq(s.triangles, 2 * s.vertices - 4); /* of a sphere (Euler) */
    for (uint32_t v = 0; v < s.vertices; ++v) {
      double away = tac_vec3_distance(read_vec3(&s.rest), tac_vec3(0.1, 0.0, 0.0));
      ck_assert_double_eq_tol(away, 0.7 + value, 0.1 * s.spacing);
    }
  }
  TAC_OWN(tacPacket, none) = ask(world, TAC_VIEW_ASK_ISOSURFACE, -0.8); /* deeper than the sphere's centre */
  ck_assert_uint_eq(read_isosurface(none).vertices, 0);
}

TAC_TEST(a_deformed_field_is_that_of_the_moment) {
  TAC_OWN(tacDeformedField, field) = make_affine(6, 3);
  TAC_FREED(tac_field_moment_destroy, tacFieldMoment, moment) = {.box = {{-1.2, -1.0, -1.0}, {1.2, 1.0, 1.0}},
                                                                 .voxel = 0.05};
  tac_test_ok(tac_deformed_pose_create(field, &moment.pose, &error), error);
  double q[12] = {0.1, 0.2, -0.1}; /* moved by that, and turned */
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.0, 0.0, 0.6));
  tacMat3 rotation = tac_quat_to_mat3(turn);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) q[3 + 3 * a + b] = rotation.m[a][b] - (a == b);
  tac_deformed_pose_set(moment.pose, q);
  TAC_CREATE(tacPacket, packet, tac_field_slice_packet(&moment, 2, -0.1, 0, 21, 5, &packet, &error));
  Slice s = read_slice(packet);
  const tacDistanceField *rest = tac_deformed_field_domain(field, 0);
  ck_assert(s.deformed);
  for (int j = 0; j < s.height; j += 3)
    for (int i = 0; i < s.width; i += 3) {
      tacVec3 x = place(&s, i, j), moved = tac_vec3_sub(x, tac_vec3(q[0], q[1], q[2]));
      tacVec3 at_rest = tac_quat_rotate(tac_quat_conjugate(turn), moved);
      if (tac_vec3_norm(at_rest) > 0.9) continue; /* where the grid has ended it is a bound */
      ck_assert_double_eq_tol(sample(&s, i, j), tac_distance_field_value(rest, at_rest), s.scale / 32767.0 + 1e-6);
    }
  TAC_CREATE(tacPacket, answer, tac_field_surface_packet(&moment, 0.0, 0, 21, 5, &answer, &error));
  Isosurface surface = read_isosurface(answer);
  ck_assert(surface.deformed);
  ck_assert_uint_gt(surface.vertices, 100);
  for (uint32_t v = 0; v < surface.vertices; ++v)
    ck_assert_double_lt(fabs(tac_deformed_pose_value(moment.pose, read_vec3(&surface.rest))), 0.25 * surface.spacing);
}

/* In a deformation that was baked a slice has the distances that contact has, not those of the proxies alone. */
TAC_TEST(a_field_with_baked_loads_is_that_of_contact) {
  TAC_FREED(free_loads, MadeLoads, made) =
      make_loads(brick_beam_reduced(6, 1, 1, 0.02, false, 4, 6), 1, 12, tac_vec3(0.0, 0.05, -0.08));
  tacLoadFieldDef baked = loads_def(&made, 24);
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  tacDistanceField *rest = rest_field(made.reduced, 24);
  TAC_OWN(tacDeformedField, field) = NULL;
  TAC_OWN(tacLoadField, loads) = NULL;
  tac_test_ok(tac_load_field_bake(&baked, NULL, &loads, &error), error);
  proxies.proxy_count = 4;
  tac_test_ok(tac_deformed_field_bake(made.reduced, 1, &rest, &proxies, NULL, &field, &error), error);
  TAC_OWN(tacWorld, world) = begin_world();
  tacReducedBodyDef body = tac_reduced_body_def_default();
  body.body.name = "body";
  body.reduced = made.reduced;
  body.field = field;
  body.loads = loads;
  tac_test_ok(tac_world_add_reduced(world, &body, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  ck_assert_ptr_eq(tac_world_body_load_field(world, tac_world_body(world, 0)), loads);
  const double *q = tac_load_field_state(loads, tac_load_field_node_count(loads) - 1, 0);
  TAC_FREED(tac_field_moment_destroy, tacFieldMoment, moment) = {0};
  tac_test_ok(tac_field_moment_create(world, 0, q, &moment, &error), error);
  TAC_CREATE(tacDeformedPose, plain, tac_deformed_pose_create(field, &plain, &error));
  TAC_CREATE(tacDeformedPose, loaded, tac_deformed_pose_create_loaded(field, loads, &loaded, &error));
  tac_deformed_pose_set(plain, q);
  tac_deformed_pose_set(loaded, q);
  double apart = 0.0;
  for (int i = 0; i <= 60; ++i) {
    tacVec3 x = tac_vec3(0.002 * i, 0.01, 0.01);
    double value = tac_field_moment_value(&moment, x);
    ck_assert_double_eq(value, tac_deformed_pose_value(loaded, x));
    apart = fmax(apart, fabs(value - tac_deformed_pose_value(plain, x)));
  }
  ck_assert_double_gt(apart, 1e-5);
}

TAC_TEST(bodies_without_a_field_get_no_packet) {
  TAC_OWN(tacTriMesh, surface) = make_box_surface(made_bar);
  TAC_OWN(tacWorld, world) = make_world(surface, NULL);
  tacPacket *packet;
  tacViewMessage message = {.kind = TAC_VIEW_ASK};
  ck_assert_int_eq(tac_field_answer_packet(world, NULL, &message, 5, &packet, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(packet);
}
