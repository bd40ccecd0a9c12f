/* Thin tools against thin parts, rigid and soft: however fast a hand pushes them, they do not come through, and when
 * it draws back nothing holds them. */
#include "collide/interpenetration.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "physics/crossing.h"
#include "scene/scene_text.h"

#define THICK 0.001 /* m: the part */

static const char *pattern =
    "tactus: 1\nname: thin\nduration: 1 s\n"
    "bodies:\n"
    "  - name: tool\n    kind: rigid\n    surface: {shape: %s}\n"
    "    points: {count: 1000, levels: 2, resolution: 96}\n    field: {resolution: %d}\n"
    "    position: [0, 0, 60 mm]\n"
    "%scontacts:\n"
    "  - {points: tool, field: part, stiffness: 5 kN/m, full_count: 4}\n"
    "  - {points: part, field: tool, stiffness: 5 kN/m, full_count: 4}\n"
    "tools:\n"
    "  - name: hand\n    kind: body\n    body: tool\n    grasp: [0, 0, 0]\n"
    "    coupling: {stiffness: 600 N/m, turn_stiffness: 5 Nm, force_limit: 3 N}\n"
    "    device: {kind: operator, preset: premium-6, path: [{at: [0, 0, 60 mm]}, {at: [0, 0, 50 mm], after: 1 s}]}\n";
static const char *rigid_part = "  - name: part\n    kind: rigid\n    surface: {shape: sheet, size: 0.6 mm}\n"
                                "    points: {count: 2000, levels: 2, resolution: 48}\n    field: {resolution: 96}\n";
static const char *soft_part =
    "  - name: part\n    kind: reduced\n    surface: {shape: sheet, size: 0.6 mm}\n    volume: {bricks: 2 mm, fill: "
    "cover}\n"
    "    material: {young: 20 MPa, poisson: 0.4, density: 1100 kg/m3}\n"
    "    fixed: [{below: {axis: x, at: -18 mm}}, {above: {axis: x, at: 18 mm}}]\n"
    "    basis: {from: modes, modes: 6, size: 12}\n    damping: {mass: 2 1/s, stiffness: 3 ms}\n"
    "    points: {count: 2000, levels: 2, resolution: 48}\n    field: {resolution: 96}\n";

/* A tool, how it is turned, and the place of it that goes ahead. */
typedef struct Thin {
  const char *shape;
  int resolution;
  tacVec3 front;
  double turn;       /* about x, rad: before anything else */
  double tilt, spin; /* rad: at most */
} Thin;

static tacScene *open_thin(const Thin *thin, bool soft) {
  char text[4096];
  snprintf(text, sizeof text, pattern, thin->shape, thin->resolution, soft ? soft_part : rigid_part);
  return bake(text, "thin.yaml");
}

static tacInterpenetration measure(tacWorld *world) {
  return through_each_other(world, tac_world_body(world, 0), tac_world_body(world, 1));
}

typedef struct Push {
  tacVec3 from, to; /* of the body's origin */
  tacQuat turn;
  double speed; /* m/s */
} Push;

static tacToolOutput step_to(tacWorld *world, tacVec3 at, tacQuat turn, tacTickReport *report) {
  tacToolInput input = {.position = at, .orientation = {turn.w, turn.x, turn.y, turn.z}};
  tacToolOutput output;
  tac_world_step(world, &input, &output, report);
  ck_assert_int_eq(report->refused, 0);
  return output;
}

static tacToolOutput go(tacWorld *world, tacVec3 from, tacVec3 to, tacQuat turn, double speed, int rest,
                        tacTickReport *report) {
  int ticks = (int)ceil(tac_vec3_distance(from, to) / (1e-3 * speed));
  tacToolOutput out = {0};
  for (int i = 1; i <= ticks + rest; ++i)
    out = step_to(world, tac_vec3_mix(from, to, fmin(1.0, (double)i / ticks)), turn, report);
  return out;
}

/* Pushes to where the hand is well behind the part, and draws back. Nothing of the tool comes out behind the part: it
 * is no deeper than the part is thick. */
static void check_push(tacWorld *world, const char *name, const Push *push) {
  tacTickReport report;
  tac_world_reset(world);
  tacToolOutput out = go(world, tac_vec3(0.0, 0.0, 0.06), push->from, push->turn, 1.0, 60, &report);
  ck_assert_msg(report.points == 0, "%s: it begins in contact", name);
  out = go(world, push->from, push->to, push->turn, push->speed, 100, &report);
  tacInterpenetration found = measure(world);
  tac_test_print("%s: at %.2f mm, through %.2f mm, depth %.2f mm, %d points, %.2f N\n", name, 1e3 * out.proxy.z,
                 1e3 * found.through, 1e3 * found.depth, report.points, tac_vec3_norm(out.force));
  ck_assert_msg(found.crossings > 0 && found.through < THICK, "%s: %g m through, %ld crossings", name, found.through,
                (long)found.crossings);
  ck_assert_msg(out.proxy.z > push->to.z + 0.008, "%s: it went to %g m", name, out.proxy.z);
  out = go(world, push->to, push->from, push->turn, push->speed, 100, &report);
  ck_assert_msg(report.points == 0, "%s: %d points are held", name, report.points);
  ck_assert_msg(tac_vec3_distance(out.proxy, push->from) < 1e-4, "%s: it is held %g m away", name,
                tac_vec3_distance(out.proxy, push->from));
}

static void check_tool(const Thin *thin, bool soft) {
  const double speeds[] = {0.05, 0.3, 1.0};
  TAC_OWN(tacScene, scene) = open_thin(thin, soft);
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < (tac_test_light() ? 3 : 6); ++i) { /* straight at first */
    char name[120];
    Push push = {.speed = speeds[i % 3]};
    double tilt = i < 3 ? 0.0 : thin->tilt, spin = i < 3 ? 0.0 : tac_random_uniform(&random, -thin->spin, thin->spin);
    tacVec3 axis = tac_random_in_box(&random, (tacBox){{-tilt, -tilt, 0.0}, {tilt, tilt, 0.0}});
    tacVec3 off = tac_random_in_box(&random, (tacBox){{-0.001, -0.004, 0.0}, {0.001, 0.004, 0.0}});
    push.turn =
        tac_quat_mul(tac_quat_from_rotation_vector(axis), tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), spin));
    push.turn = tac_quat_mul(push.turn, tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), thin->turn));
    tacVec3 aim = tac_vec3_sub(off, tac_quat_rotate(push.turn, thin->front));
    push.from = tac_vec3_add(aim, tac_vec3(0.0, 0.0, 0.03));
    push.to = tac_vec3_add(aim, tac_vec3(0.0, 0.0, -0.015));
    snprintf(name, sizeof name, "%s, %s, push %d at %g m/s", thin->shape, soft ? "soft" : "rigid", i, push.speed);
    check_push(world, name, &push);
  }
}

static const Thin tools[] = {
    {"needle, size: 0.4 mm", 128, {0.0, 0.0, 0.0}, 0.0, 0.35, 3.0},
    {"blade", 96, {0.0, 0.0, 0.0}, 0.0, 0.35, 3.0},
    {"sheet, size: 0.6 mm", 96, {0.0, 0.0, -0.0005}, 0.0, 0.0, 3.0},
    {"sheet, size: 0.6 mm", 96, {0.0, -0.02, 0.0}, 1.5707963267948966, 0.1, 0.3}, /* on its edge */
    {"rod, size: 0.4 mm", 128, {0.0, 0.0, -0.0005}, 0.0, 0.35, 3.0},
};

/* The rod with TACTUS_TEST_ALL alone: the needle is as thin. */
static void check_tools(bool soft) {
  static const int touched_by_soft[] = {0, 3, 4};
  int count = (int)(soft ? sizeof touched_by_soft / sizeof *touched_by_soft : sizeof tools / sizeof *tools);
  for (int i = 0; i < (tac_test_all() ? count : count - 1); ++i)
    check_tool(&tools[soft ? touched_by_soft[i] : i], soft);
}

/* Beside the sheet, upright, and edgewise at its rim: the needle leans on it and does not cut in, and when it is drawn
 * back nothing holds it. */
static void check_rim(bool soft) {
  const Thin *needle = &tools[0];
  const double speeds[] = {0.02, 0.2, 1.0};
  TAC_OWN(tacScene, scene) = open_thin(needle, soft);
  TAC_OWN(tacWorld, world) = world_of(scene);
  for (int i = 0; i < 3; ++i) {
    const tacVec3 way[] = {{0.0, 0.0, 0.06}, {0.001, -0.03, 0.06}, {0.001, -0.03, -0.02}, {0.001, 0.01, -0.02}};
    const tacQuat turn = tac_quat_identity();
    tacTickReport report;
    tacToolOutput out = {0};
    tac_world_reset(world);
    for (int k = 1; k < 4; ++k) out = go(world, way[k - 1], way[k], turn, k < 3 ? 1.0 : speeds[i], 200, &report);
    tacInterpenetration found = measure(world);
    tac_test_print("edgewise, %s, %g m/s: at %.2f mm, depth %.2f mm, through %.2f mm, %d points, %.2f N\n",
                   soft ? "soft" : "rigid", speeds[i], 1e3 * out.proxy.y, 1e3 * found.depth, 1e3 * found.through,
                   report.points, tac_vec3_norm(out.force));
    ck_assert_msg(found.crossings > 0 && found.through < THICK, "%g m/s: %g m through, %ld crossings", speeds[i],
                  found.through, (long)found.crossings);
    out = go(world, way[3], way[2], turn, speeds[i], 200, &report);
    ck_assert_msg(report.points == 0, "%g m/s: %d points are held", speeds[i], report.points);
    ck_assert_msg(tac_vec3_distance(out.proxy, way[2]) < 1e-4, "%g m/s: it is held", speeds[i]);
  }
}

TAC_TEST(a_needle_does_not_cut_a_rim) {
  for (int soft = 0; soft < 2; ++soft) check_rim(soft != 0);
}

TAC_TEST(thin_tools_do_not_go_through_a_sheet) {
  for (int soft = 0; soft < 2; ++soft) check_tools(soft != 0);
}
