/* Each allocation fails in turn on the way from a material to a run: elastic problems, Green's functions, worlds, devices,
 * recordings, scenes. */
#include <tactus/tactus.h>
#include "asset/make_green.h"
#include "base/files/folder.h"
#include "base/memory/array.h"
#include "elastic/boundary/boundary_elements.h"
#include "elastic/reference/reference_problem.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/statics.h"
#include "faults/failing_allocations.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green_body.h"
#include "record/recorder.h"

/* Work that is done while allocations fail holds no assertions: these allocate. */

static const char *path; /* of a file that works write or read */
static tacMaterial material;

static void begin(void) {
  path = tac_test_path("a");
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.4, &material, &error), error);
}

/* ---- elastic ---- */

static tacVolMesh *bricks;
static bool held[27];

static tacStatus assemble(tacError *why) {
  TAC_SPARSE stiffness = {0}, mass = {0};
  TAC_TRY(tac_assembly_stiffness(bricks, &material, NULL, &stiffness, why));
  return tac_assembly_mass(bricks, &material, NULL, TAC_MASS_CONSISTENT, &mass, why);
}

static tacStatus solve_statics(tacError *why) {
  TAC_OWN(tacStatics, statics) = NULL;
  TAC_TRY(tac_statics_create(bricks, &material, NULL, held, &statics, why));
  double load[81] = {[80] = 1.0};
  return tac_statics_solve(statics, 1, load, load, why);
}

TAC_TEST_AROUND(begin, NULL)

TAC_TEST(elastic_problems) {
  bricks = tac_test_keep(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 2, 2, 2), tac_volmesh_destroy);
  ck_assert_int_eq(bricks->vertex_count, 27);
  for (int v = 0; v < 27; ++v) held[v] = bricks->vertices[v].z == 0.0;
  fail_each_allocation(assemble);
  fail_each_allocation(solve_statics);
}

static tacTriMesh *octahedron;

static tacStatus boundary_elements(tacError *why) {
  tacBoundaryDef def = tac_boundary_def_default();
  def.young = 1e4;
  def.poisson = 0.4;
  TAC_OWN(tacBoundaryElements, elements) = NULL;
  TAC_TRY(tac_boundary_elements_create(octahedron, &def, 0, NULL, &elements, why));
  TAC_DENSE h = {0}, g = {0}, inner_h = {0}, inner_g = {0};
  tacSurfacePoint point = {1, {0.2, 0.3, 0.5}};
  tacVec3 inner = {0.1, 0.2, 0.1};
  TAC_TRY(tac_boundary_elements_rows(octahedron, &def, elements, 1, &point, &h, &g, why));
  return tac_boundary_elements_inner(octahedron, &def, elements, 1, &inner, TAC_INNER_STRESS, &inner_h, &inner_g, why);
}

/* Both methods on small bodies, held at one side, with sensors. */
static tacReferenceDef problem_def(tacReferenceMethod method) {
  static const tacSensor sensors[2] = {{"middle", TAC_SENSOR_DISPLACEMENT, {0.1, 0.15, 0.2}},
                                       {"wall", TAC_SENSOR_STRESS, {0.12, 0.2, 0.15}}};
  static const bool octahedron_fixed[6] = {true, false, true, false, false, true};
  static bool brick_fixed[26];
  for (int v = 0; method == TAC_FINITE_ELEMENTS && v < 26; ++v) brick_fixed[v] = v < 9;
  return (tacReferenceDef){.method = method,
                           .surface = octahedron,
                           .accept_thin = true, /* few triangles are wanted here */
                           .volume = method == TAC_FINITE_ELEMENTS ? bricks : NULL,
                           .material_count = 1,
                           .materials = &material,
                           .fixed = method == TAC_FINITE_ELEMENTS ? brick_fixed : octahedron_fixed,
                           .sensor_count = 2,
                           .sensors = sensors};
}

static tacReferenceMethod method;

static tacStatus reference_problem(tacError *why) {
  tacReferenceDef def = problem_def(method);
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  TAC_OWN(tacReferenceProblem, again) = NULL;
  double columns[3 * (3 * 26 + 9)]; /* of the larger body */
  int vertex = 4;
  TAC_TRY(tac_reference_problem_create(&def, NULL, &problem, why));
  TAC_TRY(tac_reference_problem_columns(problem, 1, &vertex, NULL, columns, why));
  TAC_TRY(tac_reference_problem_write(problem, path, why));
  return tac_reference_problem_read(path, &again, why);
}

static void make_bodies(void) {
  octahedron = tac_test_keep(make_octahedron(), tac_trimesh_destroy);
  bricks = tac_test_keep(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 2, 2, 2), tac_volmesh_destroy);
}

TAC_TEST(reference_problems) {
  make_bodies();
  fail_each_allocation(boundary_elements);
  for (method = TAC_BOUNDARY_ELEMENTS; method <= TAC_FINITE_ELEMENTS; ++method) fail_each_allocation(reference_problem);
}

/* ---- Green's functions ---- */

static tacGreenStorage storage;

static tacStatus bake(tacError *why) {
  char checkpoint[400], factored[400];
  snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
  snprintf(factored, sizeof factored, "%s.factored", path);
  remove(checkpoint);
  remove(factored);
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = problem_def(method);
  def.storage = storage;
  def.near_radius = 1.2;
  def.checkpoint = checkpoint;
  def.factored = factored;
  TAC_OWN(tacGreen, green) = NULL;
  TAC_OWN(tacGreen, again) = NULL;
  TAC_TRY(tac_green_bake(&def, NULL, &green, why));
  TAC_TRY(tac_green_write(green, path, why));
  return tac_green_read(path, &again, why);
}

TAC_TEST(baking_green_functions) {
  make_bodies();
  for (method = TAC_BOUNDARY_ELEMENTS; method <= TAC_FINITE_ELEMENTS; ++method)
    for (storage = TAC_GREEN_WHOLE; storage <= TAC_GREEN_NEAR; ++storage) fail_each_allocation(bake);
}

static tacGreen *green;

static tacGreen *bake_octahedron(tacGreenStorage kind) {
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = problem_def(TAC_BOUNDARY_ELEMENTS);
  def.storage = kind;
  def.near_radius = 1.5;
  return tac_test_kept(tacGreen, tac_green_bake(&def, NULL, &made, &error));
}

static tacStatus switch_constraints(tacError *why) {
  TAC_OWN(tacCapacitance, capacitance) = NULL;
  TAC_TRY(tac_capacitance_create(green, 2, 2, &capacitance, why));
  if (tac_capacitance_switch(capacitance, 4)) tac_capacitance_solve(capacitance);
  return TAC_OK;
}

/* ---- worlds ---- */

static tacStatus make_world(tacWorld **made, tacError *why) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  TAC_TRY(tac_world_create(&def, &world, why));
  tacGreenBodyDef body = tac_green_body_def_default();
  body.green = green;
  body.mask_radius = 1.45;
  for (int i = 0; i < 2; ++i) {
    body.body.name = i == 0 ? "left" : "right";
    body.body.pose.position.x = 3.0 * i;
    TAC_TRY(tac_world_add_green(world, &body, NULL, why));
  }
  TAC_TRY(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "tool"}, NULL, why));
  TAC_TRY(tac_world_seal(world, why));
  *made = tac_give(&world);
  return TAC_OK;
}

static tacStatus build_world(tacError *why) {
  TAC_OWN(tacWorld, world) = NULL;
  return make_world(&world, why);
}

static tacStatus build_world_with_pads(tacError *why) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  tacGreenBodyDef body = tac_green_body_def_default();
  tacPadToolDef pad = tac_pad_tool_def_default();
  body.body.name = "body";
  body.green = green;
  body.mask_radius = 1.45;
  pad.name = "gripper";
  pad.opening = 1.0;
  TAC_TRY(tac_world_create(&def, &world, why));
  TAC_TRY(tac_world_add_green(world, &body, &pad.body, why));
  TAC_TRY(tac_world_add_pad_tool(world, &pad, NULL, why));
  return tac_world_seal(world, why);
}

/* Two that comply and meet by their surfaces, in steps of two ticks. */
static tacStatus build_world_of_surfaces(tacError *why) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  tacGreenBodyDef body = tac_green_body_def_default();
  tacPairDef pair = tac_pair_def_default();
  def.simulate_every = 2;
  body.green = green;
  body.mask_radius = 1.45;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws.detect = TAC_DETECT_SURFACES;
  TAC_TRY(tac_world_create(&def, &world, why));
  body.body.name = "one";
  TAC_TRY(tac_world_add_green(world, &body, &pair.points, why));
  body.body.name = "other";
  TAC_TRY(tac_world_add_green(world, &body, &pair.field, why));
  TAC_TRY(tac_world_add_pair(world, &pair, NULL, why));
  return tac_world_seal(world, why);
}

/* Tetrahedra, in a hand and free, that meet by their surfaces, in steps of two ticks; saved, and with a thread of each. */
static tacVolMesh *tets;

static tacStatus build_world_of_tetrahedra(tacError *why) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  tacLawMaterial soft = {.law = "neo-hookean",
                         .parameters = {2e4, 4e4},
                         .density = 1000.0,
                         .term_count = 1,
                         .share = {0.3},
                         .time = {0.1}};
  tacHyperelasticBodyDef body = tac_hyperelastic_body_def_default();
  tacBodyToolDef hand = tac_body_tool_def_default();
  tacPairDef pair = tac_pair_def_default();
  bool fixed[8] = {true, true};
  TAC_MEMORY(void, memory) = NULL;
  body.mesh = tets;
  body.material_count = 1;
  body.materials = &soft;
  body.patches = true;
  def.simulate_every = 2;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws.detect = TAC_DETECT_SURFACES;
  hand.name = "hand";
  tacStatus status = tac_world_create(&def, &world, why);
  body.body.name = "held";
  body.fixed = fixed;
  if (status == TAC_OK) status = tac_world_add_hyperelastic(world, &body, &pair.points, why);
  body.body.name = "free";
  body.fixed = NULL;
  body.body.free = true;
  body.body.pose.position.x = 1.5;
  if (status == TAC_OK) status = tac_world_add_hyperelastic(world, &body, &pair.field, why);
  hand.body = pair.points;
  if (status == TAC_OK) status = tac_world_add_body_tool(world, &hand, NULL, why);
  if (status == TAC_OK) status = tac_world_add_pair(world, &pair, NULL, why);
  if (status == TAC_OK) status = tac_world_seal(world, why);
  if (status == TAC_OK) status = tac_world_start_simulation(world, why);
  tac_world_stop_simulation(world);
  if (status == TAC_OK) {
    size_t size = tac_world_memory_size(world);
    memory = tac_array_create(size, 1, "a saved world", why);
    status = memory != NULL ? tac_world_save(world, size, memory, why) : TAC_ERR_MEMORY;
    if (status == TAC_OK) status = tac_world_load(world, size, memory, why);
  }
  return status;
}

TAC_TEST(worlds_of_tetrahedra) {
  tets = tac_test_keep(make_tets((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 1, 1, 1), tac_volmesh_destroy);
  ck_assert_int_eq(tets->vertex_count, 8);
  fail_each_allocation(build_world_of_tetrahedra);
}

static tacReferenceProblem *problem;

static tacStatus respond_on_demand(tacError *why) {
  TAC_OWN(tacGreenBody, body) = NULL;
  TAC_TRY(tac_green_body_create(green, 1.45, 1e4, &body, why));
  return tac_green_body_compute_on_demand(body, problem, 0, why);
}

TAC_TEST(worlds_and_constraints) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  fail_each_allocation(switch_constraints);
  fail_each_allocation(build_world);
  fail_each_allocation(build_world_with_pads);
  fail_each_allocation(build_world_of_surfaces);
  tacReferenceDef def = problem_def(TAC_BOUNDARY_ELEMENTS);
  problem = tac_test_kept(tacReferenceProblem, tac_reference_problem_create(&def, NULL, &made, &error));
  green = bake_octahedron(TAC_GREEN_NEAR);
  fail_each_allocation(respond_on_demand);
}

/* ---- devices, servo ---- */

static tacWorld *touched;

static tacStatus open_devices(tacError *why) {
  tacTrajectory *trajectory = NULL;
  TAC_FREED(tac_device_close, tacDevice, replay) = {0};
  TAC_FREED(tac_device_close, tacDevice, hand) = {0};
  TAC_OWN(tacServo, servo) = NULL;
  tacOperatorDef def;
  TAC_TRY(tac_operator_def_preset("omni-6", &def, why));
  TAC_TRY(tac_trajectory_read(path, &trajectory, why));
  TAC_TRY(tac_device_replay_open(trajectory, false, 0.001, &replay, why));
  const tacTrajectoryPoint points[2] = {{.orientation = {1.0}}, {.time = 1.0, .orientation = {1.0}}};
  TAC_TRY(tac_trajectory_create(2, points, true, &trajectory, why));
  TAC_TRY(tac_device_operator_open(&def, trajectory, 0.001, &hand, why));
  tacPointerDef pointer = tac_pointer_def_default();
  TAC_TRY(tac_device_pointer_open(&pointer, &hand, (tacVec3){0.0, 0.0, 0.0}, 0.001, &hand, why));
  tacServoDef servo_def = tac_servo_def_default();
  return tac_servo_create(touched, 1, &hand, NULL, &servo_def, NULL, &servo, why);
}

TAC_TEST(devices_and_servo) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  touched = tac_test_kept(tacWorld, make_world(&made, &error));
  tac_test_write("a", "0 0 0 0\n1 0 0 0.1\n2 0 0 0\n");
  fail_each_allocation(open_devices);
}

/* ---- recordings ---- */

static void step_and_push(tacRecorder *recorder) {
  tac_world_reset(touched);
  for (int i = 0; i < 5; ++i) {
    tacToolInput input = {.position = {0.1, 0.1, 1.2 - 0.1 * i}};
    tacTickRecord record = {.tick = i};
    record.tool[0].position = input.position;
    tac_world_step(touched, &input, &record.tool[0].output, &record.report);
    double state[64];
    tac_world_state(touched, state);
    tac_recorder_push_state(recorder, i, state);
    tac_recorder_push(recorder, &record);
  }
}

static tacStatus write_recording(tacError *why) {
  tacRecordingInfo info = {.scene_path = "s", .scene = "t", .program = "p"};
  tacRecorder *recorder;
  TAC_TRY(tac_recorder_open_world(path, touched, &info, &recorder, why));
  step_and_push(recorder);
  return tac_recorder_close(recorder, NULL, why);
}

static bool replayed; /* to the same bits */

static tacStatus read_recording(tacError *why) {
  TAC_OWN(tacRecording, recording) = NULL;
  TAC_TRY(tac_recording_open(path, &recording, why));
  tacReplayReport report;
  TAC_TRY(tac_recording_replay(recording, touched, NULL, &report, why));
  replayed = report.first_difference == -1;
  char csv[400], frames[400];
  snprintf(csv, sizeof csv, "%s.csv", path);
  snprintf(frames, sizeof frames, "%s.frames", path);
  TAC_TRY(tac_recording_write_csv(recording, csv, why));
  return tac_recording_write_vtu(recording, touched, 500.0, frames, NULL, why);
}

TAC_TEST(recordings) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  touched = tac_test_kept(tacWorld, make_world(&made, &error));
  fail_each_allocation(write_recording);
  fail_each_allocation(read_recording);
  ck_assert(replayed);
}

/* ---- scenes ---- */

static const char scene_text[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - name: ball\n"
    "    kind: green\n"
    "    method: boundary-elements\n"
    "    surface: {shape: sphere, size: 50 mm}\n"
    "    material: {young: 10 kPa, poisson: 0.4, density: 1000 kg/m3}\n"
    "    fixed: [{below: {axis: z, at: -10 mm}}]\n"
    "    sensors: [{name: middle, kind: displacement, point: [0, 0, 0]}]\n"
    "    mask: 25 mm\n"
    "tools:\n"
    "  - name: probe\n"
    "    kind: point\n"
    "    device:\n"
    "      kind: operator\n"
    "      path: [{on: ball, near: [0, 0, 80 mm]}, {on: ball, near: [0, 0, 80 mm], depth: 5 mm, after: 1 s}]\n";

static bool cached;

static tacStatus read_scene(tacError *why) {
  char cache[400];
  snprintf(cache, sizeof cache, "%s.cache", path);
  if (!cached) tac_folder_remove(cache);
  TAC_OWN(tacScene, scene) = NULL;
  TAC_OWN(tacWorld, world) = NULL;
  tacDevice devices[TAC_MOST_TOOLS] = {0};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tacSceneAsset asset;
  TAC_TRY(tac_scene_read(path, &scene, why));
  TAC_TRY(tac_scene_bake(scene, cache, false, NULL, &asset, why));
  TAC_TRY(tac_scene_world(scene, &world, why));
  TAC_TRY(tac_scene_devices(scene, devices, workspaces, why));
  tac_device_close(&devices[0]);
  return TAC_OK;
}

TAC_TEST(scenes) {
  tac_test_write("a", scene_text);
  for (int i = 0; i < 2; ++i) {
    cached = i == 1;
    fail_each_allocation(read_scene);
  }
}
