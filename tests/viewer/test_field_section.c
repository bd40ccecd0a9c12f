/* What surfaces are coloured by, and what bodies tell of themselves, as clients read it. */
#include "app/viewer/frame/field_section.h"

#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include "asset/make_reduced.h"
#include "make_shown.h"
#include "mesh/make_mesh.h"
#include "packet_reader.h"
#include "world/world_view.h"

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
  add_reduced(s->world, "basket", s->reduced, (tacPose){{5.0, 0.0, 0.0}, {1.0}});
  add_reduced(s->world, "copy", s->reduced, (tacPose){{10.0, 0.0, 0.0}, {1.0}});
  add_rigid(s->world, "stone", tac_reduced_surface(s->reduced), NULL, NULL, tac_vec3(0.0, 0.0, 0.0));
}

static Scene make_scene(void) {
  Scene s = {.mesh = make_tets((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.04, 0.04}}, 2, 2, 2), .reduced = make_reduced()};
  s.world = begin_world();
  add_bodies(&s);
  s.maker = seal_shown(s.world);
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

/* A field is what the world says, to half a step of 16 bits. */
static void check_field(Scene *s, Reader r, int body, tacColouring colour, uint32_t kind) {
  tacBodyId id = tac_world_body(s->world, body);
  int count = tac_world_body_surface(s->world, id)->vertex_count;
  TAC_MEMORY(tacVec3, vertices) = calloc((size_t)count, sizeof *vertices);
  TAC_MEMORY(tacStressSum, room) = calloc((size_t)count, sizeof *room);
  TAC_MEMORY(double, values) = calloc((size_t)count, sizeof *values);
  double most = 0.0;
  ck_assert_ptr_nonnull(r.bytes);
  check_u32(&r, (unsigned)body, kind);
  double scale = read_f32(&r);
  ck_assert_uint_eq(read_u32(&r), (unsigned)count);
  ck_assert(tac_world_colours(s->world, &s->snapshot, id, colour, room, vertices, values));
  for (int v = 0; v < count; ++v, r.at += 2) {
    ck_assert_double_eq_tol(scale * read_u16(r.bytes + r.at) / 65535.0, values[v], scale * (0.5 / 65535.0 + 1e-6));
    most = fmax(most, values[v]);
  }
  ck_assert_double_eq_tol(scale, most, 1e-6 * most);
  ck_assert_double_gt(most, colour == TAC_COLOUR_STRETCH ? 1.0 : 0.0);
}

/* Every body that deforms has a stretch; the reduced ones have two materials, of which no vertex knows its own. */
TAC_TEST(only_known_fields_are_written) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  const unsigned stretch = TAC_VIEW_REQUEST_SURFACES | TAC_VIEW_REQUEST_STRETCH;
  const unsigned known[BODIES] = {stretch | TAC_VIEW_REQUEST_STRESS, stretch, stretch, 0};
  for (int b = 0; b < BODIES; ++b) ck_assert_uint_eq(tac_frame_maker_colours(s.maker, b), known[b]);
  TAC_OWN(tacPacket, stretched) = frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_STRETCH);
  for (int b = SOFT; b <= COPY; ++b) check_field(&s, find_section(stretched, 3, b), b, TAC_COLOUR_STRETCH, 3);
  ck_assert_ptr_null(find_section(stretched, 3, 3).bytes);
  TAC_OWN(tacPacket, stressed) = frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_STRESS | TAC_VIEW_REQUEST_PRESSURE);
  check_field(&s, find_section(stressed, 3, 0), SOFT, TAC_COLOUR_STRESS, 1);
  ck_assert_ptr_null(find_section(stressed, 3, 1).bytes);
  TAC_OWN(tacPacket, plain) = frame_of(s.maker, &s.snapshot, TAC_VIEW_REQUEST_SURFACES);
  ck_assert_ptr_null(find_section(plain, 3, 0).bytes);
}

/* Of the soft cube alone: what its state says. */
TAC_TEST(body_numbers_match_the_report) {
  TAC_FREED(destroy_scene, Scene, s) = make_scene();
  const double numbers[4] = {17.0, 0.25, 3.0, 2.0};
  tacShownNumber number;
  for (int i = 0; i < 4; ++i) {
    ck_assert(tac_world_body_number(s.world, tac_world_body(s.world, SOFT), i, &number));
    s.state[number.at] = numbers[i];
  }
  TAC_OWN(tacPacket, frame) = frame_of(s.maker, &s.snapshot, 0);
  Reader r = find_section(frame, 12, 0);
  check_u32(&r, SOFT, 4);
  for (int i = 0; i < 4; ++i) ck_assert_double_eq(read_f32(&r), numbers[i]);
  ck_assert_uint_eq(r.at, r.size);
  ck_assert_ptr_null(find_section(frame, 12, 1).bytes);
}
