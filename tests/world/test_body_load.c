/* What presses bodies that answer from a vademecum, as snapshots tell it. */
#include <tactus/distance_field.h>
#include <tactus/material.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_body.h"
#include "mesh/make_mesh.h"
#include "world/pair_bench.h"
#include "world/world_view.h"

#define MOST 1.0 /* N, of the loads that were baked */

/* A soft cube below z = 0, fixed at its bottom; of small strain, which is enough for loads. */
typedef struct Soft {
  tacVolMesh *mesh;
  bool *fixed;
  tacVademecum *vademecum;
  tacPointshell *shell;
  tacDeformedField *field;
} Soft;

static tacDeformedField *make_field(const tacReduced *shape) {
  tacFieldDef coarse = tac_field_def_default();
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  tacDistanceField *rest;
  coarse.resolution = 24;
  tac_test_ok(tac_distance_field_bake(tac_reduced_surface(shape), &coarse, NULL, &rest, &error), error);
  return tac_test_kept(tacDeformedField, tac_deformed_field_bake(shape, 1, &rest, &def, NULL, &made, &error));
}

static Soft make_soft(tacVec3 direction) {
  tacBox box = {tac_vec3(-HALF, -HALF, -2.0 * HALF), tac_vec3(HALF, HALF, 0.0)};
  Soft s = {.mesh = tac_test_keep(make_tets(box, 2, 2, 2), tac_volmesh_destroy)};
  s.fixed = tac_test_alloc((size_t)s.mesh->vertex_count * sizeof *s.fixed);
  for (int v = 0; v < s.mesh->vertex_count; ++v) s.fixed[v] = s.mesh->vertices[v].z < -2.0 * HALF + 1e-9;
  tacVademecumDef def = tac_vademecum_def_default();
  def.mesh = s.mesh;
  def.material = (tacLawMaterial){.law = "neo-hookean", .parameters = {19.2e3, 41.7e3}, .density = 1000.0};
  def.linear = true;
  def.fixed = s.fixed;
  def.direction = direction;
  def.load = MOST;
  def.accuracy = 0.5;
  def.mode_most = 8;
  def.sample_count = 2;
  s.vademecum = tac_test_kept(tacVademecum, tac_vademecum_bake(&def, NULL, &made, &error));
  const tacReduced *shape = tac_vademecum_shape(s.vademecum);
  TAC_OWN(tacPointshell, rigid) = make_box_shell(box, 8);
  s.shell = tac_test_kept(tacPointshell, tac_pointshell_embed(rigid, shape, &made, &error));
  s.field = make_field(shape);
  return s;
}

static tacBodyId add_soft(tacWorld *world, const Soft *s, tacPose pose) {
  tacVademecumBodyDef def = tac_vademecum_body_def_default();
  def.vademecum = s->vademecum;
  def.motion.body.name = "soft";
  def.motion.body.pose = pose;
  def.motion.shell = s->shell;
  def.motion.field = s->field;
  return tac_test_made(tacBodyId, tac_world_add_vademecum(world, &def, &made, &error));
}

static tacShownLoad load_on(const tacWorld *world, tacBodyId id, const tacToolOutput *output) {
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tacSnapshot snapshot = {.state = state, .tool_count = 1, .output = {*output}};
  tacShownLoad load;
  tac_world_state(world, state);
  ck_assert(tac_world_body_load(world, &snapshot, id, &load));
  return load;
}

static void check_same(tacVec3 a, tacVec3 b, double scale) {
  ck_assert_double_lt(tac_vec3_distance(a, b), 1e-9 * scale);
}

/* A block in the hand presses the soft one: what presses that is what the block says that it does to others. */
static void press_by_block(tacContactMethod method) {
  Bench b = make_bench();
  Soft s = make_soft(tac_vec3(0.0, 0.0, 0.0));
  TAC_OWN(tacWorld, world) = begin(0.0);
  const tacVec3 above = tac_vec3(0.004, 0.0, HALF + 0.001);
  tacBodyId block = add_rigid(world, "block", b.block, b.shell, NULL, above);
  tacBodyId soft = add_soft(world, &s, (tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}});
  b.pair.method = method;
  b.pair.friction = 0.3;
  pair_up(world, &b, block, soft);
  hold(world, &b, block);
  tacToolOutput out = {0};
  tacShownLoad load = load_on(world, soft, &out);
  ck_assert_double_eq(tac_vec3_norm(load.force), 0.0);
  ck_assert(!load.beyond);
  out = lead(world, above, tac_vec3(0.004, 0.0, HALF - 0.001), 200);
  load = load_on(world, soft, &out);
  check_same(load.force, out.contact.force, MOST);
  check_same(load.at, out.contact.at, HALF);
  ck_assert_double_lt(load.force.z, -0.05);
  ck_assert_double_lt(fabs(load.at.y), HALF);
  ck_assert_double_lt(load.at.z, 0.001);
  ck_assert(load.beyond == (tac_vec3_norm(out.contact.force) > MOST));
  out = lead(world, tac_vec3(0.004, 0.0, HALF - 0.001), tac_vec3(0.004, 0.0, HALF - 0.01), 400);
  load = load_on(world, soft, &out);
  ck_assert_double_gt(tac_vec3_norm(out.contact.force), MOST);
  ck_assert(load.beyond);
  tacSnapshot rest = {0};
  ck_assert(tac_world_body_load(world, &rest, soft, &load)); /* without a state */
  ck_assert_double_eq(tac_vec3_norm(load.force), 0.0);
  ck_assert(!tac_world_body_load(world, &rest, block, &load));
  ck_assert_ptr_eq(tac_world_body_vademecum(world, soft), s.vademecum);
  ck_assert_ptr_null(tac_world_body_vademecum(world, block));
}

TAC_TEST(a_block_presses_by_springs) {
  press_by_block(TAC_METHOD_PENALTY);
}

TAC_TEST(a_block_presses_by_laws) {
  press_by_block(TAC_METHOD_SIGNORINI);
}

/* Held itself, upside down, it is pressed by the opposite of what it does to the ground. */
TAC_TEST(the_ground_presses_what_is_held) {
  Bench b = make_bench();
  Soft s = make_soft(tac_vec3(0.0, 0.0, 0.0));
  TAC_OWN(tacWorld, world) = begin(0.0);
  const tacVec3 above = tac_vec3(0.0, 0.0, 0.001);
  tacBodyId soft = add_soft(world, &s, (tacPose){above, {0.0, 1.0, 0.0, 0.0}});
  tacBodyId ground = add_rigid(world, "ground", b.ground, NULL, b.plane, tac_vec3(0.0, 0.0, 0.0));
  pair_up(world, &b, soft, ground);
  hold(world, &b, soft);
  tacToolOutput out = lead(world, above, tac_vec3(0.0, 0.0, -0.0015), 200);
  tacShownLoad load = load_on(world, soft, &out);
  check_same(load.force, tac_vec3_scale(-1.0, out.contact.force), MOST);
  ck_assert_double_gt(load.force.z, 0.05);
}

/* A finger's push, and its direction in the frame of a body that lies on its side. */
TAC_TEST(a_finger_presses_along_what_was_baked) {
  Soft s = make_soft(tac_vec3(0.0, 0.0, -1.0));
  const double r = sqrt(0.5);
  for (int turned = 0; turned < 2; ++turned) {
    TAC_OWN(tacWorld, world) = begin(0.0);
    tacBodyId soft = add_soft(world, &s, (tacPose){.orientation = {turned ? r : 1.0, turned ? r : 0.0, 0.0, 0.0}});
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
    tac_test_ok(tac_world_seal(world, &error), error);
    tacToolOutput out = {0};
    out.contact = (tacContact){.state = TAC_CONTACT_STICKS,
                               .body = soft.index,
                               .deformed = tac_vec3(0.001, 0.002, -0.003),
                               .force = tac_vec3(0.0, 0.0, -0.9 * MOST)};
    tacShownLoad load = load_on(world, soft, &out);
    check_same(load.force, out.contact.force, MOST);
    check_same(load.at, out.contact.deformed, HALF);
    ck_assert(load.beyond == (turned == 1));
    out.contact.force.z = -1.1 * MOST;
    ck_assert(load_on(world, soft, &out).beyond);
  }
}
