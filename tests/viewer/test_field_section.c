/* What surfaces are coloured by, and what bodies tell of themselves, as clients read it. */
#include "app/viewer/frame/field_section.h"

#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "app/viewer/frame/frame.h"
#include "asset/make_reduced.h"
#include "mesh/make_mesh.h"
#include "packet_reader.h"

static tacError error;

enum { SOFT, BASKET, COPY, STONE, BODIES };

/* A soft cube, two reduced bodies of one asset, and a rigid one, in a moment. */
typedef struct {
  tacVolMesh *mesh;
  tacReduced *reduced;
  tacWorld *world;
  tacFrameMaker *maker;
  double *state;
  tacSnapshot snapshot;
} Scene;

static void add_bodies(Scene *s) {
  tacLawMaterial material = {.law = "mooney-rivlin", .parameters = {2e3, 1e3, 5e4}, .density = 1000.0};
  tacHyperelasticBodyDef soft = tac_hyperelastic_body_def_default();
  soft.body.name = "soft";
  soft.mesh = s->mesh;
  soft.material_count = 1;
  soft.materials = &material;
  soft.body.free = true;
  tac_test_ok(tac_world_add_hyperelastic(s->world, &soft, NULL, &error), error);
  static const char *const names[2] = {"basket", "copy"};
  for (int i = 0; i < 2; ++i) {
    tacReducedBodyDef basket = tac_reduced_body_def_default();
    basket.body.name = names[i];
    basket.reduced = s->reduced;
    basket.body.pose.position.x = 5.0 + 5.0 * i;
    tac_test_ok(tac_world_add_reduced(s->world, &basket, NULL, &error), error);
  }
  tacRigidBodyDef stone = tac_rigid_body_def_default();
  stone.body.name = "stone";
  stone.surface = tac_reduced_surface(s->reduced);
  tac_test_ok(tac_world_add_rigid(s->world, &stone, NULL, &error), error);
}

static Scene make_scene(void) {
  Scene s = {.mesh = make_tets((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.04, 0.04}}, 2, 2, 2), .reduced = make_reduced()};
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &s.world, &error), error);
  add_bodies(&s);
  tac_test_ok(tac_world_seal(s.world, &error), error);
  tac_test_ok(tac_frame_maker_create(NULL, s.world, 7, &s.maker, &error), error);
  tacTickReport report;
  tac_world_step(s.world, NULL, NULL, &report);
  s.state = calloc((size_t)tac_world_state_size(s.world), sizeof *s.state);
  tac_world_state(s.world, s.state);
  double *x = s.state + tac_world_body_state(s.world, tac_world_body(s.world, SOFT));
  for (int i = 0; i < 3 * s.mesh->vertex_count; ++i) x[i] *= i % 3 == 2 ? 1.0 + 0.1 * (i % 5) : 1.1;
  for (int b = BASKET; b <= COPY; ++b)
    for (int j = 0; j < REDUCED_SIZE; ++j)
      s.state[tac_world_body_state(s.world, tac_world_body(s.world, b)) + j] = 0.02 * (b + j);
  s.snapshot = (tacSnapshot){.state = s.state};
  return s;
}

static void destroy_scene(Scene *s) {
  free(s->state);
  tac_frame_maker_destroy(s->maker);
  tac_world_destroy(s->world);
  tac_reduced_destroy(s->reduced);
  tac_volmesh_destroy(s->mesh);
}

static tacPacket *frame_of(Scene *s, unsigned wishes) {
  tacPacket *packet;
  tacFrameTool none = {0};
  tacFrameDef def = {.number = 1, .snapshot = &s->snapshot, .tools = &none, .wishes = wishes};
  tac_test_ok(tac_frame_maker_frame(s->maker, &def, &packet, &error), error);
  return packet;
}

/* A field is what the world says, to half a step of 16 bits. */
static void check_field(Scene *s, Reader r, int body, tacColouring colour, uint32_t kind) {
  tacBodyId id = tac_world_body(s->world, body);
  int count = tac_world_body_surface(s->world, id)->vertex_count;
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)count, sizeof *vertices);
  TAC_MEMORY(tacStressSum, room) = calloc((size_t)count, sizeof *room);
  double *values = calloc((size_t)count, sizeof *values), most = 0.0;
  ck_assert_ptr_nonnull(r.bytes);
  ck_assert_uint_eq(read_u32(&r), (unsigned)body);
  ck_assert_uint_eq(read_u32(&r), kind);
  double scale = read_f32(&r);
  ck_assert_uint_eq(read_u32(&r), (unsigned)count);
  ck_assert(tac_world_colours(s->world, &s->snapshot, id, colour, vertices, room, values));
  for (int v = 0; v < count; ++v, r.at += 2) {
    ck_assert_double_eq_tol(scale * read_u16(r.bytes + r.at) / 65535.0, values[v], scale * (0.5 / 65535.0 + 1e-6));
    most = fmax(most, values[v]);
  }
  ck_assert_double_eq_tol(scale, most, 1e-6 * most);
  ck_assert_double_gt(most, colour == TAC_COLOUR_STRETCH ? 1.0 : 0.0);
  free(values);
}

/* Every body that deforms has a stretch; the reduced ones have two materials, of which no vertex knows its own. */
TAC_TEST(fields_come_of_what_is_known) {
  Scene s = make_scene();
  const unsigned stretch = TAC_VIEW_WISH_SURFACES | TAC_VIEW_WISH_STRETCH;
  const unsigned known[BODIES] = {stretch | TAC_VIEW_WISH_STRESS, stretch, stretch, 0};
  for (int b = 0; b < BODIES; ++b) ck_assert_uint_eq(tac_frame_maker_colours(s.maker, b), known[b]);
  tacPacket *frame = frame_of(&s, TAC_VIEW_WISH_STRETCH);
  for (int b = SOFT; b <= COPY; ++b) check_field(&s, find_section(frame, 3, b), b, TAC_COLOUR_STRETCH, 3);
  ck_assert_ptr_null(find_section(frame, 3, 3).bytes);
  tac_packet_release(frame);
  frame = frame_of(&s, TAC_VIEW_WISH_STRESS | TAC_VIEW_WISH_PRESSURE);
  check_field(&s, find_section(frame, 3, 0), SOFT, TAC_COLOUR_STRESS, 1);
  ck_assert_ptr_null(find_section(frame, 3, 1).bytes);
  tac_packet_release(frame);
  frame = frame_of(&s, TAC_VIEW_WISH_SURFACES);
  ck_assert_ptr_null(find_section(frame, 3, 0).bytes);
  tac_packet_release(frame);
  destroy_scene(&s);
}

/* Of the soft cube alone: what its state says. */
TAC_TEST(bodies_tell_of_themselves) {
  Scene s = make_scene();
  const double numbers[4] = {17.0, 0.25, 3.0, 2.0};
  tacShownNumber number;
  for (int i = 0; i < 4; ++i) {
    ck_assert(tac_world_body_number(s.world, tac_world_body(s.world, SOFT), i, &number));
    s.state[number.at] = numbers[i];
  }
  tacPacket *frame = frame_of(&s, 0);
  Reader r = find_section(frame, 12, 0);
  ck_assert_uint_eq(read_u32(&r), SOFT);
  ck_assert_uint_eq(read_u32(&r), 4);
  for (int i = 0; i < 4; ++i) ck_assert_double_eq(read_f32(&r), numbers[i]);
  ck_assert_uint_eq(r.at, r.size);
  ck_assert_ptr_null(find_section(frame, 12, 1).bytes);
  tac_packet_release(frame);
  destroy_scene(&s);
}
