/* What clients read of the loads of vademecums: their modes once, and what presses their bodies in each frame. */
#include <tactus/reduced.h>
#include <tactus/vademecum.h>
#include "app/viewer/frame/load_modes.h"

#include "app/viewer/frame/frame.h"
#include "kinds/vademecum/make_vademecum.h"
#include "packet_reader.h"

static tacError error;

/* The component of Y_k along the direction of loads, or else along the normal at rest, to half a step of each mode's scale. */
static void check_modes(const tacVademecum *v, tacVec3 direction, Reader r) {
  bool any = tac_vec3_norm2(direction) == 0.0;
  const tacVec3 *normals = tac_reduced_normals(tac_vademecum_shape(v));
  double scales[MODES];
  ck_assert_uint_eq(read_u32(&r), VERTICES);
  ck_assert_uint_eq(read_u32(&r), MODES);
  ck_assert_uint_eq(read_u32(&r), LOADS);
  read_u32(&r);
  ck_assert_double_eq_tol(read_f32(&r), most, 1e-6);
  ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), direction), 1e-6);
  for (int k = 0; k < MODES; ++k) scales[k] = read_f32(&r);
  ck_assert_uint_eq(r.at + 2 * MODES * VERTICES, r.size);
  for (int k = 0; k < MODES; ++k) {
    double largest = 0.0;
    for (int vertex = 0; vertex < VERTICES; ++vertex, r.at += 2) {
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

TAC_TEST(modes_of_loads_come_along_normals_or_a_direction) {
  const tacVec3 directions[2] = {{0.0, 0.0, 0.0}, {0.6, 0.0, -0.8}};
  for (int i = 0; i < 2; ++i) {
    tacPacket *packet;
    tacWorld *world;
    tacBodyId id;
    TAC_OWN(tacVademecum, v) = make_vademecum(directions[i]);
    tacWorldDef def = tac_world_def_default();
    tac_test_ok(tac_world_create(&def, &world, &error), error);
    tacVademecumBodyDef soft = tac_vademecum_body_def_default();
    soft.vademecum = v;
    soft.motion.body.name = "soft";
    tac_test_ok(tac_world_add_vademecum(world, &soft, &id, &error), error);
    tac_test_ok(tac_view_load_modes_packet(world, id, 4, 9, &packet, &error), error);
    check_modes(v, directions[i], open_packet(packet, 11, 4, 9));
    tac_packet_release(packet);
    tac_world_destroy(world);
  }
}

/* A soft body between two reduced ones: it alone has such modes, of the second model, and a load. */
TAC_TEST(a_world_tells_of_its_vademecums) {
  tacPacket *packet;
  tacWorld *world;
  tacFrameMaker *maker;
  TAC_OWN(tacReduced, reduced) = make_reduced();
  TAC_OWN(tacVademecum, v) = make_vademecum(tac_vec3(0.0, 0.0, 0.0));
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  tacReducedBodyDef plain = tac_reduced_body_def_default();
  plain.body.name = "plain";
  plain.reduced = reduced;
  tac_test_ok(tac_world_add_reduced(world, &plain, NULL, &error), error);
  tacVademecumBodyDef soft = tac_vademecum_body_def_default();
  soft.vademecum = v;
  soft.motion.body.name = "soft";
  soft.motion.body.pose.position.x = 5.0;
  tac_test_ok(tac_world_add_vademecum(world, &soft, NULL, &error), error);
  soft.motion.body.name = "copy";
  tac_test_ok(tac_world_add_vademecum(world, &soft, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger"}, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  tac_test_ok(tac_frame_maker_create(NULL, world, 7, &maker, &error), error);
  for (int b = 0; b < 3; ++b) {
    tac_test_ok(tac_frame_maker_load_modes(maker, b, &packet, &error), error);
    ck_assert((packet != NULL) == (b == 1));
    if (packet != NULL) open_packet(packet, 11, 1, 7);
    tac_packet_release(packet);
  }
  tacSnapshot snapshot = {.tool_count = 1};
  snapshot.output[0].contact =
      (tacContact){.state = TAC_CONTACT_SLIDES, .body = 2, .deformed = {5.5, 0.25, 0.0}, .force = {0.0, -2.0, 2.0}};
  tacFrameTool none = {0};
  tacFrameDef frame = {.number = 1, .snapshot = &snapshot, .tools = &none};
  tac_test_ok(tac_frame_maker_frame(maker, &frame, &packet, &error), error);
  for (int b = 1; b < 3; ++b) {
    Reader r = find_section(packet, 13, b - 1);
    ck_assert_ptr_nonnull(r.bytes);
    ck_assert_uint_eq(read_u32(&r), (unsigned)b);
    ck_assert_uint_eq(read_u32(&r), b == 2); /* 2.8 N of 2.5 N */
    ck_assert_double_eq(read_f32(&r), b == 2 ? 5.5 : 0.0);
    ck_assert_double_eq(read_f32(&r), b == 2 ? 0.25 : 0.0);
    ck_assert_double_eq(read_f32(&r), 0.0);
    ck_assert_double_eq(read_f32(&r), 0.0);
    ck_assert_double_eq(read_f32(&r), b == 2 ? -2.0 : 0.0);
    ck_assert_double_eq(read_f32(&r), b == 2 ? 2.0 : 0.0);
    ck_assert_uint_eq(r.at, r.size);
  }
  ck_assert_ptr_null(find_section(packet, 13, 2).bytes);
  tac_packet_release(packet);
  tac_frame_maker_destroy(maker);
  tac_world_destroy(world);
}
