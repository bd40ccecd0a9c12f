#include "app/viewer/frame/model.h"

#include <float.h>
#include <string.h>
#include "app/viewer/stage/sketch.h"
#include "app/viewer/stage/stage.h"
#include "asset/make_reduced.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_kind.h"
#include "make_shown.h"
#include "math/geometry/quat.h"
#include "packet_reader.h"
#include "world/world_view.h"

enum { SIZE = REDUCED_SIZE, VERTICES = REDUCED_VERTICES };

typedef struct {
  uint32_t number, triangles, fixed, points, edges, shapes, bodies, labels, is_free;
  tacVec3 rest[VERTICES], normals[VERTICES];
  uint32_t body[2];
  double pose[2][7], scales[2 * SIZE], shape[REDUCED_SHAPES][SIZE];
  const unsigned char *basis;
  char text[64];
} Message;

static Message read_model(tacPacket *packet) {
  const unsigned char *bytes = tac_packet_bytes(packet);
  Message m = {.number = read_u16(bytes + 2)};
  Reader r = open_packet(packet, 6, m.number, 7);
  uint32_t vertices, size, *counts[] = {&vertices, &m.triangles, &m.fixed,  &m.points, &m.edges,
                                        &size,     &m.shapes,    &m.bodies, &m.labels, &m.is_free};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) *counts[i] = read_u32(&r);
  ck_assert_uint_eq(vertices, VERTICES);
  ck_assert_uint_eq(size, SIZE);
  ck_assert_uint_le(m.bodies, 2);
  ck_assert_uint_eq(m.shapes, REDUCED_SHAPES);
  for (int v = 0; v < VERTICES; ++v) m.rest[v] = read_vec3(&r);
  for (int v = 0; v < VERTICES; ++v) m.normals[v] = read_vec3(&r);
  r.at += 12 * m.triangles + 4 * m.fixed + 12 * m.points + 8 * m.edges;
  for (uint32_t b = 0; b < m.bodies; ++b) m.body[b] = read_u32(&r);
  for (uint32_t b = 0; b < m.bodies; ++b)
    for (int i = 0; i < 7; ++i) m.pose[b][i] = read_f32(&r);
  for (int j = 0; j < 2 * SIZE; ++j) m.scales[j] = read_f32(&r);
  m.basis = r.bytes + r.at;
  r.at += 12 * VERTICES * SIZE;
  for (int s = 0; s < REDUCED_SHAPES; ++s)
    for (int j = 0; j < SIZE; ++j) m.shape[s][j] = read_f32(&r);
  ck_assert_uint_lt(m.labels, sizeof m.text);
  ck_assert_uint_eq(r.at + m.labels, r.size);
  memcpy(m.text, r.bytes + r.at, m.labels);
  return m;
}

/* The displacement of a vertex, or with `half` 1 the change of its normal. */
static tacVec3 combine(const Message *m, int half, int vertex, const double *q) {
  double sum[3] = {0.0, 0.0, 0.0};
  for (int j = 0; j < SIZE; ++j)
    for (int axis = 0; axis < 3; ++axis)
      sum[axis] += q[j] * m->scales[half * SIZE + j] / 32767.0 *
                   read_i16(m->basis + 12 * (vertex * SIZE + j) + 6 * half + 2 * axis);
  return tac_vec3(sum[0], sum[1], sum[2]);
}

/* ---- a world of one held body and two free ones that share an asset ---- */

typedef struct {
  tacReduced *held, *loose;
  tacWorld *world;
  tacFrameMaker *maker;
} Scene;

static tacReduced *make_asset(bool is_free) {
  tacError why;
  tacReduced *reduced;
  MadeReduced made;
  make_reduced_parts(&made);
  made.parts.is_free = is_free;
  tac_test_ok(tac_reduced_create(&made.parts, &reduced, &why), why);
  tac_trimesh_destroy(made.surface);
  return reduced;
}

static tacPose make_pose(tacVec3 at, tacVec3 turn) {
  tacQuat q = tac_quat_from_rotation_vector(turn);
  return (tacPose){at, {q.w, q.x, q.y, q.z}};
}

static Scene make_scene(void) {
  Scene s = {.held = make_asset(false)};
  s.loose = make_asset(true);
  s.world = begin_world();
  add_reduced(s.world, "first", s.loose, make_pose(tac_vec3(3.0, 0.0, 0.0), tac_vec3(0.0, 0.3, 0.0)));
  add_reduced(s.world, "held", s.held, make_pose(tac_vec3(-3.0, 1.0, 0.5), tac_vec3(1.0, -0.4, 0.2)));
  add_reduced(s.world, "second", s.loose, make_pose(tac_vec3(0.0, 0.0, 7.0), tac_vec3(0.0, 0.0, -2.0)));
  tac_test_ok(tac_world_add_point_tool(s.world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  s.maker = seal_shown(s.world);
  return s;
}

static void destroy_scene(Scene *s) {
  tac_frame_maker_destroy(s->maker);
  tac_world_destroy(s->world);
  tac_reduced_destroy(s->held);
  tac_reduced_destroy(s->loose);
}

static tacPacket *packet_of(const Scene *s, int body) {
  tacError why;
  tacPacket *packet;
  tac_test_ok(tac_frame_maker_body(s->maker, body, NULL, &packet, &why), why);
  return packet;
}

TAC_TEST(bodies_of_one_asset_are_sent_together) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  TAC_OWN(tacPacket, loose) = packet_of(&s, 0);
  TAC_OWN(tacPacket, held) = packet_of(&s, 1);
  ck_assert_ptr_nonnull(loose);
  ck_assert_ptr_nonnull(held);
  ck_assert_ptr_null(packet_of(&s, 2));
  Message m = read_model(loose);
  ck_assert_uint_eq(m.number, 0);
  ck_assert_uint_eq(m.is_free, 1);
  ck_assert_uint_eq(m.bodies, 2);
  ck_assert_uint_eq(m.body[0], 0);
  ck_assert_uint_eq(m.body[1], 2);
  ck_assert_double_eq(m.pose[1][2], 7.0);
  ck_assert_str_eq(m.text, "mode 1\nderivative 1 2");
  for (int sh = 0; sh < REDUCED_SHAPES; ++sh)
    for (int j = 0; j < SIZE; ++j) ck_assert_double_eq_tol(m.shape[sh][j], tac_reduced_shape(s.loose, sh)[j], 1e-7);
  m = read_model(held);
  ck_assert_uint_eq(m.number, 1);
  ck_assert_uint_eq(m.is_free, 0);
  ck_assert_uint_eq(m.bodies, 1);
  ck_assert_uint_eq(m.body[0], 1);
  ck_assert_uint_eq(m.fixed, 2);
}

/* The frame's section with coordinates of a model. */
static Reader find_coordinates(tacPacket *packet, uint32_t model) {
  Reader found = find_section(packet, 7, (int)model); /* they come in the order of the models */
  ck_assert_ptr_nonnull(found.bytes);
  check_u32(&found, model);
  return found;
}

/* A step of each coordinate may be wrong by half, and floats round. */
static double tolerance(const Message *m, const double *q) {
  double sum = 1e-5;
  for (int j = 0; j < SIZE; ++j) sum += 0.5 * fabs(q[j]) * fmax(m->scales[j], m->scales[SIZE + j]) / 32767.0;
  return sqrt(3.0) * sum;
}

/* What a page computes of one body, against the world. */
static void check_body(const Scene *s, const Message *m, int body, const tacSnapshot *snapshot, const double *q,
                       const double *pose) {
  tacBodyId id = tac_world_body(s->world, body);
  tacVec3 expected[VERTICES], at = tac_vec3(pose[0], pose[1], pose[2]);
  tacQuat turn = tac_quat(pose[3], pose[4], pose[5], pose[6]);
  const tacReduced *reduced = tac_world_body_reduced(s->world, id);
  tac_world_surface(s->world, snapshot, id, expected);
  for (int v = 0; v < VERTICES; ++v) {
    tacVec3 moved = tac_vec3_add(m->rest[v], combine(m, 0, v, q));
    tacVec3 seen = tac_vec3_add(at, tac_quat_rotate(turn, moved));
    ck_assert_double_lt(tac_vec3_distance(seen, expected[v]), tolerance(m, q));
    double change[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis)
      for (int j = 0; j < SIZE; ++j)
        change[axis] += tac_reduced_normal_changes(reduced)[(3 * v + axis) * SIZE + j] * q[j];
    tacVec3 difference = tac_vec3_sub(combine(m, 1, v, q), tac_vec3(change[0], change[1], change[2]));
    ck_assert_double_lt(tac_vec3_norm(difference), tolerance(m, q));
    ck_assert_double_lt(tac_vec3_distance(m->normals[v], tac_reduced_normals(reduced)[v]), 1e-6);
  }
}

static void check_frame(const Scene *s, const tacSnapshot *snapshot) {
  TAC_OWN(tacPacket, frame) = frame_of(s->maker, snapshot, TAC_VIEW_REQUEST_SURFACES);
  ck_assert_ptr_null(find_section(frame, 7, 2).bytes); /* one for each model */
  for (uint32_t number = 0; number < 2; ++number) {
    TAC_OWN(tacPacket, model) = packet_of(s, (int)number);
    Message m = read_model(model);
    Reader r = find_coordinates(frame, number);
    check_u32(&r, m.bodies, SIZE, m.is_free);
    for (uint32_t b = 0; b < m.bodies; ++b) {
      double q[SIZE], pose[7];
      for (int j = 0; j < SIZE; ++j) q[j] = read_f32(&r);
      for (int i = 0; i < 7; ++i) pose[i] = m.is_free ? read_f32(&r) : m.pose[b][i];
      check_body(s, &m, (int)m.body[b], snapshot, q, pose);
    }
  }
}

TAC_TEST(a_page_computes_the_surface_of_the_world) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  tacSnapshot snapshot = {.tick = 5, .tool_count = 1};
  check_frame(&s, &snapshot); /* all at rest */
  double state[64];
  tacRandom random = tac_random_seed(11);
  ck_assert_int_eq(tac_world_state_size(s.world), 3 * (SIZE + 1) + 2 * 7); /* each with its doubt */
  tac_world_state(s.world, state);
  for (int b = 0; b < 3; ++b) {
    double *q = state + tac_world_body_state(s.world, tac_world_body(s.world, b));
    for (int j = 0; j < SIZE; ++j) q[j] = tac_random_uniform(&random, -2.0, 2.0);
    if (b == 1) continue;
    for (int i = 0; i < 3; ++i) q[SIZE + i] += tac_random_uniform(&random, -1.0, 1.0);
    tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.5 * b, 1.0, -0.7));
    memcpy(q + SIZE + 3, (double[4]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
  }
  snapshot.state = state;
  check_frame(&s, &snapshot);
}

TAC_TEST(a_held_body_is_sent_with_its_pose) {
  TAC_OWN(tacReduced, reduced) = make_asset(false);
  TAC_OWN(tacWorld, world) = begin_world();
  add_reduced(world, "body", reduced, make_pose(tac_vec3(0.0, 0.0, 5.0), tac_vec3(0.0, 0.0, 0.0)));
  tacBodyToolDef hand = tac_body_tool_def_default();
  hand.name = "hand";
  hand.body = tac_world_body(world, 0);
  tac_test_ok(tac_world_add_body_tool(world, &hand, NULL, &error), error);
  TAC_OWN(tacFrameMaker, maker) = seal_shown(world);
  double state[64];
  tac_world_state(world, state);
  double *pose = state + tac_world_body_state(world, tac_world_body(world, 0)) + SIZE;
  pose[0] = 0.25; /* where the tool has taken it */
  tacSnapshot snapshot = {.tick = 5, .state = state, .tool_count = 1};
  TAC_OWN(tacPacket, frame) = frame_of(maker, &snapshot, TAC_VIEW_REQUEST_SURFACES);
  Reader r = find_coordinates(frame, 0);
  check_u32(&r, 1, SIZE, 1); /* a pose follows */
  r.at += 4 * SIZE;
  tacVec3 at = read_vec3(&r);
  ck_assert_double_lt(tac_vec3_distance(at, tac_vec3(0.25, 0.0, 5.0)), 1e-6);
}

TAC_TEST(bodies_are_sent_only_on_request) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  tacSnapshot snapshot = {.tick = 5, .tool_count = 1};
  TAC_OWN(tacPacket, frame) = frame_of(s.maker, &snapshot, 0);
  ck_assert_uint_eq(tac_packet_bytes(frame)[2], 3); /* tools, numbers and limits */
}

/* ---- what else the viewer knows of such bodies ---- */

TAC_TEST(the_box_reaches_down_to_the_floor) {
  TAC_OWN(tacReduced, held) = make_asset(false);
  TAC_OWN(tacReduced, loose) = make_asset(true);
  for (int is_free = 0; is_free < 2; ++is_free) {
    TAC_OWN(tacWorld, world) = begin_world();
    add_reduced(world, "body", is_free ? loose : held, make_pose(tac_vec3(0.0, 0.0, 5.0), tac_vec3(0.0, 0.0, 0.0)));
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, -2.0, 0.5}, &error), error);
    tac_test_ok(tac_world_seal(world, &error), error);
    tacBox box = tac_stage_box(world);
    const tacTriMesh *surface = tac_reduced_surface(held);
    double least = INFINITY, most = -INFINITY;
    for (int v = 0; v < surface->vertex_count; ++v) {
      least = fmin(least, 5.0 + surface->vertices[v].z);
      most = fmax(most, 5.0 + surface->vertices[v].z);
    }
    ck_assert_double_eq_tol(box.lower.z, is_free ? -2.0 : least, 1e-12); /* what is held does not fall */
    ck_assert_double_eq_tol(box.upper.z, most, 1e-12);
  }
}

TAC_TEST(a_sketch_makes_its_body_linear_and_back) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  tacSketch sketch = {0};
  int linear = tac_world_find_parameter(s.world, "held.linear");
  ck_assert_int_ge(linear, 0);
  ck_assert(tac_sketch_possible(s.world, 1));
  for (int body = -1; body < 4; ++body) /* others are free, or none */
    if (body != 1) {
      ck_assert(!tac_sketch_possible(s.world, body));
      ck_assert_int_eq(tac_sketch_begin(&sketch, s.world, body, &error), TAC_ERR_ARGUMENT);
      ck_assert(!sketch.active);
    }
  tac_test_ok(tac_sketch_begin(&sketch, s.world, 1, &error), error);
  ck_assert(sketch.active);
  ck_assert_double_eq(tac_world_parameter(s.world, linear).value, 1.0);
  tac_sketch_end(&sketch, s.world, "out/held/view-001.tacrec");
  ck_assert(!sketch.active);
  ck_assert_double_eq(tac_world_parameter(s.world, linear).value, 0.0);
  ck_assert_str_eq(sketch.done, "out/held/view-001.tacrec");
}

TAC_TEST(sketch_advice_uses_a_path_relative_to_the_scene) {
  char text[1200], expected[1200];
  tacSketch sketch = {.body = 1};
  const char *scene = tac_test_write("spoon.yaml", "");
  snprintf(sketch.done, sizeof sketch.done, "%s", tac_test_write("view 1.tacrec", ""));
  tac_sketch_advice(&sketch, scene, 12, text, sizeof text);
  ck_assert_str_eq(text, "basis: {from: sketch, file: \"view 1.tacrec\", size: 12}");
  tac_sketch_advice(&sketch, "/elsewhere/spoon.yaml", 20, text, sizeof text);
  snprintf(expected, sizeof expected, "basis: {from: sketch, file: \"%s\", size: 20}", sketch.done);
  ck_assert_str_eq(text, expected);
  remove(scene);
  snprintf(sketch.done, sizeof sketch.done, "gone/view-002.tacrec"); /* nothing better is known of it */
  tac_sketch_advice(&sketch, scene, 3, text, sizeof text);
  ck_assert_str_eq(text, "basis: {from: sketch, file: gone/view-002.tacrec, size: 3}");
}
