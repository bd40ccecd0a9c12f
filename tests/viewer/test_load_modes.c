/* What clients read of the loads of vademecums: their modes once, and what presses their bodies in each frame. */
#include <tactus/reduced.h>
#include "app/viewer/frame/load_modes.h"

#include "asset/make_vademecum.h"
#include "kinds/reduced/reduced.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_body.h"
#include "make_shown.h"
#include "packet_reader.h"

/* The component of Y_k along the direction of loads, or else along the normal at rest, to half a step of each mode's scale. */
static void check_modes(const tacVademecum *v, tacVec3 direction, Reader r) {
  bool any = tac_vec3_norm2(direction) == 0.0;
  const tacVec3 *normals = tac_reduced_normals(tac_vademecum_shape(v));
  double scales[REDUCED_SIZE];
  check_u32(&r, REDUCED_VERTICES, REDUCED_SIZE, VADEMECUM_LOADS);
  read_u32(&r);
  ck_assert_double_eq_tol(read_f32(&r), 5.0, 1e-6);
  ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), direction), 1e-6);
  for (int k = 0; k < REDUCED_SIZE; ++k) scales[k] = read_f32(&r);
  ck_assert_uint_eq(r.at + 2 * REDUCED_SIZE * REDUCED_VERTICES, r.size);
  for (int k = 0; k < REDUCED_SIZE; ++k) {
    double largest = 0.0;
    for (int vertex = 0; vertex < REDUCED_VERTICES; ++vertex, r.at += 2) {
      double step = read_i16(r.bytes + r.at);
      int s = vertex == 0 ? 0 : vertex == 2 ? 1 : vertex == 5 ? 2 : -1;
      if (s < 0) {
        ck_assert_double_eq(step, -32768.0);
        continue;
      }
      tacVec3 along = any ? normals[vertex] : direction;
      tacVec3 y = tac_vec3(tac_vademecum_load_mode(v, k, s, 0), tac_vademecum_load_mode(v, k, s, 1),
                           tac_vademecum_load_mode(v, k, s, 2));
      ck_assert_double_eq_tol(scales[k] * step / 32767.0, tac_vec3_dot(along, y), scales[k] * (0.5 / 32767.0 + 1e-6));
      largest = fmax(largest, fabs(tac_vec3_dot(along, y)));
    }
    ck_assert_double_eq_tol(scales[k], largest, 1e-6 * largest);
  }
}

TAC_TEST(load_modes_follow_normals_or_a_direction) {
  const tacVec3 directions[2] = {{0.0, 0.0, 0.0}, {0.6, 0.0, -0.8}};
  for (int i = 0; i < 2; ++i) {
    tacBodyId id;
    TAC_OWN(tacVademecum, v) = make_vademecum(true, directions[i]);
    tacWorldDef def = tac_world_def_default();
    TAC_CREATE(tacWorld, world, tac_world_create(&def, &world, &error));
    tacVademecumBodyDef soft = tac_vademecum_body_def_default();
    soft.vademecum = v;
    soft.motion.body.name = "soft";
    tac_test_ok(tac_world_add_vademecum(world, &soft, &id, &error), error);
    TAC_CREATE(tacPacket, packet, tac_view_load_modes_packet(world, id, 4, 9, &packet, &error));
    check_modes(v, directions[i], open_packet(packet, 11, 4, 9));
  }
}

/* A soft body between two reduced ones: it alone has such modes, of the second model, and a load. */
TAC_TEST(a_world_reports_its_vademecums) {
  TAC_OWN(tacReduced, reduced) = make_reduced();
  TAC_OWN(tacVademecum, v) = make_vademecum(true, tac_vec3(0.0, 0.0, 0.0));
  TAC_OWN(tacWorld, world) = begin_world();
  add_reduced(world, "plain", reduced, (tacPose){.orientation = {1.0}});
  tacVademecumBodyDef soft = tac_vademecum_body_def_default();
  soft.vademecum = v;
  soft.motion.body.name = "soft";
  soft.motion.body.pose.position.x = 5.0;
  tac_test_ok(tac_world_add_vademecum(world, &soft, NULL, &error), error);
  soft.motion.body.name = "copy";
  tac_test_ok(tac_world_add_vademecum(world, &soft, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  TAC_OWN(tacFrameMaker, maker) = seal_shown(world);
  for (int b = 0; b < 3; ++b) {
    TAC_CREATE(tacPacket, modes, tac_frame_maker_load_modes(maker, b, &modes, &error));
    ck_assert((modes != NULL) == (b == 1));
    if (modes != NULL) open_packet(modes, 11, 1, 7);
  }
  tacSnapshot snapshot = {.tool_count = 1};
  snapshot.output[0].contact =
      (tacContact){.state = TAC_CONTACT_SLIDES, .body = 2, .deformed = {5.5, 0.25, 0.0}, .force = {0.0, -4.0, 4.0}};
  TAC_OWN(tacPacket, packet) = frame_of(maker, &snapshot, 0);
  for (int b = 1; b < 3; ++b) {
    Reader r = find_section(packet, 13, b - 1);
    ck_assert_ptr_nonnull(r.bytes);
    check_u32(&r, (unsigned)b, b == 2); /* 5.7 N of 5 N */
    const double numbers[6] = {5.5, 0.25, 0.0, 0.0, -4.0, 4.0};
    for (int i = 0; i < 6; ++i) ck_assert_double_eq(read_f32(&r), b == 2 ? numbers[i] : 0.0);
    ck_assert_uint_eq(r.at, r.size);
  }
  ck_assert_ptr_null(find_section(packet, 13, 2).bytes);
}
