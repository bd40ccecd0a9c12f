/* Each allocation fails in turn on the way from a material to a run: elastic problems, Green's functions, worlds, devices,
 * recordings, scenes. */
#include <dirent.h>
#include <sys/stat.h>
#include <tactus/tactus.h>
#include "asset/make_green.h"
#include "base/memory/array.h"
#include "elastic/boundary/boundary_elements.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/statics.h"
#include "faults/failing_allocations.h"
#include "kinds/green/green_body.h"
#include "record/recorder.h"

/* Work that is done while allocations fail holds no assertions: these allocate. */

static char folder[256], path[300], other[300];
static tacMaterial material;

static void begin(void) {
  tacError error = {0};
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/a", folder);
  snprintf(other, sizeof other, "%s/b", folder);
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.4, &material, &error), error);
}

/* Removes what is in a folder, and its folders with what is in them. */
static void empty(const char *name) {
  DIR *list = opendir(name);
  for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
    char inner[600];
    snprintf(inner, sizeof inner, "%s/%.250s", name, entry->d_name);
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (unlink(inner) == 0) continue;
    empty(inner);
    rmdir(inner);
  }
  if (list != NULL) closedir(list);
}

static void end(void) {
  empty(folder);
  ck_assert_int_eq(rmdir(folder), 0);
}

/* ---- elastic ---- */

static tacVolMesh *bricks;
static bool held[27];

static tacStatus assemble(tacError *error) {
  tacSparse matrix;
  tacStatus status = tac_assembly_stiffness(bricks, &material, NULL, &matrix, error);
  if (status != TAC_OK) return status;
  tac_sparse_destroy(&matrix);
  status = tac_assembly_mass(bricks, &material, NULL, TAC_MASS_CONSISTENT, &matrix, error);
  if (status == TAC_OK) tac_sparse_destroy(&matrix);
  return status;
}

static tacStatus solve_statics(tacError *error) {
  TAC_OWN(tacStatics, statics) = NULL;
  tacStatus status = tac_statics_create(bricks, &material, NULL, held, &statics, error);
  if (status != TAC_OK) return status;
  double load[81] = {[80] = 1.0};
  status = tac_statics_solve(statics, 1, load, load, error);
  return status;
}

TAC_TEST_AROUND(begin, end)

TAC_TEST(elastic_problems) {
  bricks = make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 2, 2, 2);
  ck_assert_int_eq(bricks->vertex_count, 27);
  for (int v = 0; v < 27; ++v) held[v] = bricks->vertices[v].z == 0.0;
  fail_each_allocation(assemble);
  fail_each_allocation(solve_statics);
  tac_volmesh_destroy(bricks);
}

static tacTriMesh *octahedron;

static tacStatus boundary_elements(tacError *error) {
  tacBoundaryDef def = tac_boundary_def_default();
  def.young = 1e4;
  def.poisson = 0.4;
  TAC_OWN(tacBoundaryElements, elements) = NULL;
  tacStatus status = tac_boundary_elements_create(octahedron, &def, 0, NULL, &elements, error);
  if (status != TAC_OK) return status;
  tacDense h = {0}, g = {0};
  tacSurfacePoint point = {1, {0.2, 0.3, 0.5}};
  status = tac_boundary_elements_rows(octahedron, &def, elements, 1, &point, &h, &g, error);
  if (status == TAC_OK) {
    tac_dense_destroy(&h);
    tac_dense_destroy(&g);
    tacVec3 inner = {0.1, 0.2, 0.1};
    status = tac_boundary_elements_inner(octahedron, &def, elements, 1, &inner, TAC_INNER_STRESS, &h, &g, error);
  }
  if (status == TAC_OK) {
    tac_dense_destroy(&h);
    tac_dense_destroy(&g);
  }
  return status;
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

static tacStatus reference_problem(tacError *error) {
  tacReferenceDef def = problem_def(method);
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  TAC_OWN(tacReferenceProblem, again) = NULL;
  double columns[3 * (3 * 26 + 9)]; /* of the larger body */
  int vertex = 4;
  tacStatus status = tac_reference_problem_create(&def, NULL, &problem, error);
  if (status == TAC_OK) status = tac_reference_problem_columns(problem, 1, &vertex, NULL, columns, error);
  if (status == TAC_OK) status = tac_reference_problem_write(problem, path, error);
  return status == TAC_OK ? tac_reference_problem_read(path, &again, error) : status;
}

static void make_bodies(void) {
  octahedron = make_octahedron();
  bricks = make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 2, 2, 2);
}

static void free_bodies(void) {
  tac_trimesh_destroy(octahedron);
  tac_volmesh_destroy(bricks);
}

TAC_TEST(reference_problems) {
  make_bodies();
  fail_each_allocation(boundary_elements);
  for (method = TAC_BOUNDARY_ELEMENTS; method <= TAC_FINITE_ELEMENTS; ++method) fail_each_allocation(reference_problem);
  free_bodies();
}

/* ---- Green's functions ---- */

static tacGreenStorage storage;

static tacStatus bake(tacError *error) {
  char checkpoint[400], factored[400];
  snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint", folder);
  snprintf(factored, sizeof factored, "%s/factored", folder);
  remove(checkpoint);
  remove(factored);
  tacGreenDef def = tac_green_def_default();
  def.doubt_loads = 0; /* not of interest here */
  def.problem = problem_def(method);
  def.storage = storage;
  def.near_radius = 1.2;
  def.checkpoint = checkpoint;
  def.factored = factored;
  TAC_OWN(tacGreen, green) = NULL;
  TAC_OWN(tacGreen, again) = NULL;
  tacStatus status = tac_green_bake(&def, NULL, &green, error);
  if (status == TAC_OK) status = tac_green_write(green, path, error);
  return status == TAC_OK ? tac_green_read(path, &again, error) : status;
}

TAC_TEST(baking_green_functions) {
  make_bodies();
  for (method = TAC_BOUNDARY_ELEMENTS; method <= TAC_FINITE_ELEMENTS; ++method)
    for (storage = TAC_GREEN_WHOLE; storage <= TAC_GREEN_NEAR; ++storage) fail_each_allocation(bake);
  free_bodies();
}

static tacGreen *green;

static tacGreen *bake_octahedron(tacGreenStorage kind) {
  tacError error = {0};
  tacGreenDef def = tac_green_def_default();
  def.doubt_loads = 0; /* not of interest here */
  def.problem = problem_def(TAC_BOUNDARY_ELEMENTS);
  def.storage = kind;
  def.near_radius = 1.5;
  tacGreen *made;
  tac_test_ok(tac_green_bake(&def, NULL, &made, &error), error);
  return made;
}

static tacStatus switch_constraints(tacError *error) {
  TAC_OWN(tacCapacitance, capacitance) = NULL;
  tacStatus status = tac_capacitance_create(green, 2, 2, &capacitance, error);
  if (status != TAC_OK) return status;
  if (tac_capacitance_switch(capacitance, 4)) tac_capacitance_solve(capacitance);
  return TAC_OK;
}

/* ---- worlds ---- */

static tacStatus make_world(tacWorld **world, tacError *error) {
  tacWorldDef def = tac_world_def_default();
  tacStatus status = tac_world_create(&def, world, error);
  if (status != TAC_OK) return status;
  tacGreenBodyDef body = tac_green_body_def_default();
  body.green = green;
  body.mask_radius = 1.45;
  for (int i = 0; status == TAC_OK && i < 2; ++i) {
    body.body.name = i == 0 ? "left" : "right";
    body.body.pose.position.x = 3.0 * i;
    status = tac_world_add_green(*world, &body, NULL, error);
  }
  if (status == TAC_OK) status = tac_world_add_point_tool(*world, &(tacPointToolDef){"tool"}, NULL, error);
  if (status == TAC_OK) status = tac_world_seal(*world, error);
  if (status == TAC_OK) return TAC_OK;
  tac_world_destroy(*world);
  *world = NULL;
  return status;
}

static tacStatus build_world(tacError *error) {
  TAC_OWN(tacWorld, world) = NULL;
  return make_world(&world, error);
}

static tacStatus build_world_with_pads(tacError *error) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  tacGreenBodyDef body = tac_green_body_def_default();
  tacPadToolDef pad = tac_pad_tool_def_default();
  body.body.name = "body";
  body.green = green;
  body.mask_radius = 1.45;
  pad.name = "gripper";
  pad.opening = 1.0;
  tacStatus status = tac_world_create(&def, &world, error);
  if (status == TAC_OK) status = tac_world_add_green(world, &body, &pad.body, error);
  if (status == TAC_OK) status = tac_world_add_pad_tool(world, &pad, NULL, error);
  return status == TAC_OK ? tac_world_seal(world, error) : status;
}

/* Two that comply and meet by their surfaces, in steps of two ticks. */
static tacStatus build_world_of_surfaces(tacError *error) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  tacGreenBodyDef body = tac_green_body_def_default();
  tacPairDef pair = tac_pair_def_default();
  def.simulate_every = 2;
  body.green = green;
  body.mask_radius = 1.45;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.laws.detect = TAC_DETECT_SURFACES;
  tacStatus status = tac_world_create(&def, &world, error);
  body.body.name = "one";
  if (status == TAC_OK) status = tac_world_add_green(world, &body, &pair.points, error);
  body.body.name = "other";
  if (status == TAC_OK) status = tac_world_add_green(world, &body, &pair.field, error);
  if (status == TAC_OK) status = tac_world_add_pair(world, &pair, NULL, error);
  return status == TAC_OK ? tac_world_seal(world, error) : status;
}

/* Tetrahedra, in a hand and free, that meet by their surfaces, in steps of two ticks; saved, and with a thread of each. */
static tacVolMesh *tets;

static tacStatus build_world_of_tetrahedra(tacError *error) {
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
  tacStatus status = tac_world_create(&def, &world, error);
  body.body.name = "held";
  body.fixed = fixed;
  if (status == TAC_OK) status = tac_world_add_hyperelastic(world, &body, &pair.points, error);
  body.body.name = "free";
  body.fixed = NULL;
  body.body.free = true;
  body.body.pose.position.x = 1.5;
  if (status == TAC_OK) status = tac_world_add_hyperelastic(world, &body, &pair.field, error);
  hand.body = pair.points;
  if (status == TAC_OK) status = tac_world_add_body_tool(world, &hand, NULL, error);
  if (status == TAC_OK) status = tac_world_add_pair(world, &pair, NULL, error);
  if (status == TAC_OK) status = tac_world_seal(world, error);
  if (status == TAC_OK) status = tac_world_start_simulation(world, error);
  tac_world_stop_simulation(world);
  if (status == TAC_OK) {
    size_t size = tac_world_memory_size(world);
    memory = tac_array_create(size, 1, "a saved world", error);
    status = memory != NULL ? tac_world_save(world, size, memory, error) : TAC_ERR_MEMORY;
    if (status == TAC_OK) status = tac_world_load(world, size, memory, error);
  }
  return status;
}

TAC_TEST(worlds_of_tetrahedra) {
  tets = make_tets((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 1, 1, 1);
  ck_assert_int_eq(tets->vertex_count, 8);
  fail_each_allocation(build_world_of_tetrahedra);
  tac_volmesh_destroy(tets);
}

static tacReferenceProblem *problem;

static tacStatus respond_on_demand(tacError *error) {
  TAC_OWN(tacGreenBody, body) = NULL;
  tacStatus status = tac_green_body_create(green, 1.45, 1e4, &body, error);
  return status == TAC_OK ? tac_green_body_compute_on_demand(body, problem, 0, error) : status;
}

TAC_TEST(worlds_and_constraints) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  fail_each_allocation(switch_constraints);
  fail_each_allocation(build_world);
  fail_each_allocation(build_world_with_pads);
  fail_each_allocation(build_world_of_surfaces);
  tac_green_destroy(green);
  tacError error = {0};
  tacReferenceDef def = problem_def(TAC_BOUNDARY_ELEMENTS);
  tac_test_ok(tac_reference_problem_create(&def, NULL, &problem, &error), error);
  green = bake_octahedron(TAC_GREEN_NEAR);
  fail_each_allocation(respond_on_demand);
  tac_green_destroy(green);
  tac_reference_problem_destroy(problem);
  free_bodies();
}

/* ---- devices, servo ---- */

static tacWorld *touched;

static tacStatus open_devices(tacError *error) {
  tacTrajectory *trajectory = NULL;
  tacDevice replay = {0}, hand = {0};
  tacOperatorDef def;
  tacStatus status = tac_operator_def_preset("omni-6", &def, error);
  if (status == TAC_OK) status = tac_trajectory_read(path, &trajectory, error);
  if (status == TAC_OK) status = tac_device_replay_open(trajectory, false, 0.001, &replay, error);
  if (status == TAC_OK) {
    const tacTrajectoryPoint points[2] = {{.orientation = {1.0}}, {.time = 1.0, .orientation = {1.0}}};
    status = tac_trajectory_create(2, points, true, &trajectory, error);
  }
  if (status == TAC_OK) status = tac_device_operator_open(&def, trajectory, 0.001, &hand, error);
  if (status == TAC_OK) {
    tacPointerDef pointer = tac_pointer_def_default();
    status = tac_device_pointer_open(&pointer, &hand, (tacVec3){0.0, 0.0, 0.0}, 0.001, &hand, error);
  }
  if (status == TAC_OK) {
    TAC_OWN(tacServo, servo) = NULL;
    tacServoDef servo_def = tac_servo_def_default();
    status = tac_servo_create(touched, 1, &hand, NULL, &servo_def, NULL, &servo, error);
  }
  tac_device_close(&replay);
  tac_device_close(&hand);
  return status;
}

TAC_TEST(devices_and_servo) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  tacError error = {0};
  tac_test_ok(make_world(&touched, &error), error);
  FILE *file = fopen(path, "w");
  fputs("0 0 0 0\n1 0 0 0.1\n2 0 0 0\n", file);
  fclose(file);
  fail_each_allocation(open_devices);
  tac_world_destroy(touched);
  tac_green_destroy(green);
  free_bodies();
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

static tacStatus write_recording(tacError *error) {
  tacRecordingInfo info = {.scene_path = "s", .scene = "t", .program = "p"};
  tacRecorder *recorder;
  tacStatus status = tac_recorder_open_world(path, touched, &info, &recorder, error);
  if (status != TAC_OK) return status;
  step_and_push(recorder);
  return tac_recorder_close(recorder, NULL, error);
}

static bool replayed; /* to the same bits */

static tacStatus read_recording(tacError *error) {
  TAC_OWN(tacRecording, recording) = NULL;
  tacStatus status = tac_recording_open(path, &recording, error);
  if (status != TAC_OK) return status;
  tacReplayReport report;
  status = tac_recording_replay(recording, touched, NULL, &report, error);
  if (status == TAC_OK) replayed = report.first_difference == -1;
  if (status == TAC_OK) status = tac_recording_write_csv(recording, other, error);
  if (status == TAC_OK) {
    char frames[400];
    snprintf(frames, sizeof frames, "%s/frames", folder);
    status = tac_recording_write_vtu(recording, touched, 500.0, frames, NULL, error);
  }
  return status;
}

TAC_TEST(recordings) {
  make_bodies();
  green = bake_octahedron(TAC_GREEN_WHOLE);
  tacError error = {0};
  tac_test_ok(make_world(&touched, &error), error);
  fail_each_allocation(write_recording);
  fail_each_allocation(read_recording);
  ck_assert(replayed);
  tac_world_destroy(touched);
  tac_green_destroy(green);
  free_bodies();
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

static tacStatus read_scene(tacError *error) {
  char cache[400];
  snprintf(cache, sizeof cache, "%s/cache", folder);
  if (!cached) empty(cache);
  TAC_OWN(tacScene, scene) = NULL;
  tacStatus status = tac_scene_read(path, &scene, error);
  if (status != TAC_OK) return status;
  TAC_OWN(tacWorld, world) = NULL;
  tacDevice devices[TAC_MOST_TOOLS] = {0};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tacSceneAsset asset;
  status = tac_scene_bake(scene, cache, false, NULL, &asset, error);
  if (status == TAC_OK) status = tac_scene_world(scene, &world, error);
  if (status == TAC_OK) status = tac_scene_devices(scene, devices, workspaces, error);
  if (status == TAC_OK) tac_device_close(&devices[0]);
  return status;
}

TAC_TEST(scenes) {
  FILE *file = fopen(path, "w");
  fputs(scene_text, file);
  fclose(file);
  for (int i = 0; i < 2; ++i) {
    cached = i == 1;
    fail_each_allocation(read_scene);
  }
}
