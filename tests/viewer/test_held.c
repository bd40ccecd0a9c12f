/* What clients see of a body that a tool holds, and of what it touches. */
#include <math.h>
#include "app/viewer/frame/pose.h"
#include "app/viewer/protocol/protocol.h"
#include "make_shown.h"
#include "math/geometry/quat.h"
#include "packet_reader.h"
#include "world/make_shell.h"

/* All bodies as if they were of a kind that the viewer has never heard of: the linker puts these in place. */
static bool strange;
tacBodyShown __real_tac_world_body_shown(const tacWorld *world, tacBodyId id);
tacBodyShown __wrap_tac_world_body_shown(const tacWorld *world, tacBodyId id);
tacBodyShown __wrap_tac_world_body_shown(const tacWorld *world, tacBodyId id) {
  return strange ? TAC_SHOWN_VERTICES : __real_tac_world_body_shown(world, id);
}
const bool *__real_tac_world_body_fixed(const tacWorld *world, tacBodyId id);
const bool *__wrap_tac_world_body_fixed(const tacWorld *world, tacBodyId id);
const bool *__wrap_tac_world_body_fixed(const tacWorld *world, tacBodyId id) {
  return strange ? NULL : __real_tac_world_body_fixed(world, id);
}

static const tacBox cube = {{-0.02, -0.02, -0.02}, {0.02, 0.02, 0.02}};

/* A block that a tool presses on the plane z = 0. */
typedef struct {
  tacPointshell *shell;
  tacTriMesh *block, *ground;
  tacDistanceField *plane;
  tacWorld *world;
  tacFrameMaker *maker;
  double *state;
  tacSnapshot snapshot;
} Scene;

static Scene make_scene_by(tacDetection detect) {
  Scene s = {.shell = make_box_shell(cube, 16), .block = make_box_surface(cube)};
  s.ground = make_box_surface((tacBox){tac_vec3(-0.5, -0.5, -0.01), tac_vec3(0.5, 0.5, 0.0)});
  tac_test_ok(tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), 0.0, &s.plane, &error), error);
  s.world = begin_world();
  tacPairDef pair = tac_pair_def_default();
  pair.field = add_rigid(s.world, "ground", s.ground, NULL, s.plane, tac_vec3(0.0, 0.0, 0.0));
  pair.points = add_rigid(s.world, "block", s.block, s.shell, NULL, tac_vec3(0.0, 0.0, 0.025));
  pair.stiffness = 400.0;
  pair.laws.detect = detect;
  pair.method = detect == TAC_DETECT_SURFACES ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "hand";
  tool.body = pair.points;
  tac_test_ok(tac_world_add_body_tool(s.world, &tool, NULL, &error), error);
  tac_test_ok(tac_world_add_pair(s.world, &pair, NULL, &error), error);
  s.maker = seal_shown(s.world);
  s.state = calloc((size_t)tac_world_state_size(s.world), sizeof *s.state);
  return s;
}

static Scene make_scene(void) {
  return make_scene_by(TAC_DETECT_POINTS);
}

static void destroy_scene(Scene *s) {
  tac_frame_maker_destroy(s->maker);
  tac_world_destroy(s->world);
  tac_pointshell_destroy(s->shell);
  tac_trimesh_destroy(s->block);
  tac_trimesh_destroy(s->ground);
  tac_distance_field_destroy(s->plane);
  free(s->state);
}

/* The device goes down, turned a little, until the block lies on the plane; what a servo would show then. */
static void press(Scene *s) {
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.02, -0.03, 0.4));
  tacToolInput input = {.orientation = {turn.w, turn.x, turn.y, turn.z}};
  tacToolOutput output = {0};
  tacTickReport report;
  for (int tick = 0; tick < 300; ++tick) {
    input.position = tac_vec3(0.0, 0.0, fmax(0.012, 0.025 - 1e-4 * tick));
    tac_world_step(s->world, &input, &output, &report);
  }
  tac_world_state(s->world, s->state);
  s->snapshot = (tacSnapshot){.tick = 300, .state = s->state, .tool_count = 1, .position = {input.position}};
  memcpy(s->snapshot.orientation[0], input.orientation, sizeof input.orientation);
  s->snapshot.output[0] = output;
}

TAC_TEST(a_rigid_body_is_sent_in_its_own_frame) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  TAC_CREATE(tacPacket, packet, tac_frame_maker_body(s.maker, 1, NULL, &packet, &error));
  Reader r = open_packet(packet, 7, 1, 7);
  check_u32(&r, 8, 12);
  r.at += 8;
  const double pose[7] = {0.0, 0.0, 0.025, 1.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 7; ++i) ck_assert_double_eq_tol(read_f32(&r), pose[i], 1e-8);
  read_u32(&r);
  for (int v = 0; v < 8; ++v) ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), s.block->vertices[v]), 1e-8);
  for (int t = 0; t < 12; ++t)
    for (int i = 0; i < 3; ++i) ck_assert_uint_eq(read_u32(&r), (unsigned)s.block->triangles[t].v[i]);
  ck_assert_uint_eq(r.at, r.size);
  ck_assert_int_eq(tac_view_holder(s.world, 0), -1);
  ck_assert_int_eq(tac_view_holder(s.world, 1), 0);
}

TAC_TEST(frames_contain_the_pose_of_a_held_body) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  press(&s);
  TAC_OWN(tacPacket, frame) = frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_SURFACES);
  Reader r = find_section(frame, 8, 0);
  ck_assert_ptr_nonnull(r.bytes);
  tacPose pose = tac_world_snapshot_pose(s.world, &s.snapshot, tac_world_body(s.world, 1));
  ck_assert_double_gt(fabs(pose.orientation[3]), 0.1); /* it has turned */
  ck_assert_uint_eq(read_u32(&r), 1);                  /* the ground rests */
  read_u32(&r);
  ck_assert_uint_eq(read_u32(&r), 1);
  ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), pose.position), 1e-7);
  for (int i = 0; i < 4; ++i) ck_assert_double_eq_tol(read_f32(&r), pose.orientation[i], 1e-6);

  const tacToolOutput *output = &s.snapshot.output[0];
  r = find_section(frame, 1, 0);
  r.at += 8 + 28;
  ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), output->proxy), 1e-7);
  r.at += 48;
  double depth = read_f32(&r);
  ck_assert_double_gt(depth, 1e-5);
  ck_assert_double_eq_tol(depth, output->depth, 1e-8);
  r.at += 28;
  for (int i = 0; i < 4; ++i) ck_assert_double_eq_tol(read_f32(&r), output->proxy_orientation[i], 1e-6);
  ck_assert_uint_eq(r.at, r.size);
  ck_assert_ptr_null(find_section(frame, 9, 0).bytes); /* nobody asked */
  TAC_OWN(tacPacket, bare) = frame_of(s.maker, &s.snapshot, 0);
  ck_assert_ptr_null(find_section(bare, 8, 0).bytes);
}

TAC_TEST(frames_show_the_points_in_contact) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  press(&s);
  tacPose pose = tac_world_snapshot_pose(s.world, &s.snapshot, tac_world_body(s.world, 1));
  tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
  unsigned below = 0;
  double deepest = 0.0, sum = 0.0;
  for (int p = 0; p < tac_pointshell_size(s.shell, 2); ++p) {
    tacVec3 at = tac_vec3_add(pose.position, tac_quat_rotate(turn, tac_pointshell_point(s.shell, p)));
    if (at.z >= 0.0) continue;
    ++below;
    deepest = fmax(deepest, -at.z);
    sum -= at.z;
  }
  ck_assert_uint_gt(below, 10);
  TAC_OWN(tacPacket, frame) =
      frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_PAIRS | TAC_VIEW_REQUEST_POINTS | TAC_VIEW_REQUEST_BALLS);
  Reader r = find_section(frame, 9, 0);
  ck_assert_ptr_nonnull(r.bytes);
  check_u32(&r, 0, 2, 2); /* the pair, its level, and the deepest */
  uint32_t visited = read_u32(&r), touching = read_u32(&r), points = read_u32(&r), balls = read_u32(&r);
  ck_assert_uint_eq(touching, below);
  ck_assert_uint_eq(points, below);
  ck_assert_uint_eq(balls, visited);
  ck_assert_double_eq_tol(read_f32(&r), deepest, 1e-7);
  for (uint32_t p = 0; p < points; ++p) {
    tacVec3 at = read_vec3(&r);
    double depth = read_f32(&r);
    ck_assert_double_eq_tol(depth, -at.z, 1e-7);
    sum -= depth;
  }
  ck_assert_double_lt(fabs(sum), 1e-6 * below);
  unsigned opened = 0;
  for (uint32_t b = 0; b < balls; ++b) {
    r.at += 16;
    uint32_t about = read_u32(&r);
    ck_assert_uint_le(about & 0xffff, 2);
    opened += about >> 16;
  }
  ck_assert_uint_gt(opened, 0);
  ck_assert_uint_lt(opened, balls);
  TAC_OWN(tacPacket, bare) = frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_PAIRS); /* numbers alone */
  r = find_section(bare, 9, 0);
  r.at += 16;
  check_u32(&r, below, 0, 0);
}

TAC_TEST(pairs_of_surfaces_show_no_points) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene_by(TAC_DETECT_SURFACES);
  press(&s);
  TAC_OWN(tacPacket, frame) =
      frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_PAIRS | TAC_VIEW_REQUEST_POINTS | TAC_VIEW_REQUEST_BALLS);
  ck_assert_ptr_null(find_section(frame, 9, 0).bytes);
}

/* Vertices as sections of frames have them, rest + d scale / 32767, are where the world shows them, within half a step
 * and floats. */
static void check_surface(const Scene *s, Reader r, int body) {
  tacBodyId id = tac_world_body(s->world, body);
  const tacTriMesh *mesh = tac_world_body_surface(s->world, id);
  tacVec3 start = tac_world_body_pose(s->world, id).position, now[8];
  ck_assert_int_eq(mesh->vertex_count, 8);
  tac_world_surface(s->world, &s->snapshot, id, now);
  check_u32(&r, (unsigned)body, 8);
  double step = read_f32(&r) / 32767.0;
  read_u32(&r);
  for (int v = 0; v < 8; ++v, r.at += 8) {
    const unsigned char *d = r.bytes + r.at;
    tacVec3 at = tac_vec3_mad(tac_vec3_add(start, mesh->vertices[v]), step,
                              tac_vec3(read_i16(d), read_i16(d + 2), read_i16(d + 4)));
    ck_assert_double_lt(tac_vec3_distance(at, now[v]), step + 1e-7);
  }
}

TAC_TEST(a_body_of_an_unknown_kind_is_sent_as_vertices) {
  strange = true;
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  TAC_CREATE(tacPacket, body, tac_frame_maker_body(s.maker, 1, NULL, &body, &error));
  Reader r = open_packet(body, TAC_VIEW_BODY, 1, 7);
  check_u32(&r, 8, 12, 0, 0, 0, 0); /* nothing is known to be fixed */
  for (int v = 0; v < 8; ++v)
    ck_assert_double_lt(tac_vec3_distance(read_vec3(&r), tac_vec3_add(s.block->vertices[v], tac_vec3(0.0, 0.0, 0.025))),
                        1e-8);
  press(&s);
  unsigned requests = TAC_VIEW_REQUEST_BODIES | TAC_VIEW_REQUEST_STRESS | TAC_VIEW_REQUEST_PRESSURE;
  TAC_OWN(tacPacket, packet) = frame_of(s.maker, &s.snapshot, requests);
  ck_assert_ptr_null(find_section(packet, TAC_VIEW_POSES, 0).bytes);
  check_surface(&s, find_section(packet, TAC_VIEW_SURFACE, 0), 0);
  check_surface(&s, find_section(packet, TAC_VIEW_SURFACE, 1), 1);
  /* What moves by itself comes with every frame. */
  s.snapshot.output[0] = (tacToolOutput){.proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
  for (int frame = 0; frame < 40; ++frame) {
    TAC_OWN(tacPacket, next) = frame_of(s.maker, &s.snapshot, requests);
    Reader last = find_section(next, TAC_VIEW_SURFACE, 1);
    check_surface(&s, last.bytes != NULL ? last : find_section(next, TAC_VIEW_SURFACE, 0), 1);
    if (frame == 39) ck_assert_ptr_null(last.bytes); /* the ground rests */
  }
  strange = false;
}
