/* Objects and checks of test_arguments, whose cases argument_calls.py writes. Each case runs in a process that may
 * crash. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tactus/tactus.h>
#include <unistd.h>

typedef struct Case {
  const char *title;
  void (*call)(void);
} Case;

/* What the cases use. They are made once, by the process that starts those of the cases; none of them has a thread. */
static struct {
  tacScene *scene, *parsed;
  tacWorld *world, *unsealed;
  tacServo *servo;
  tacGuard *guard;
  tacRecording *recording;
  tacTrajectory *trajectory;
  tacTriMesh *surface;
  tacVolMesh *volume;
  tacDistanceField *field;
  const tacPointshell *shell;
  const tacGreen *green;
  const tacReduced *reduced;
  tacDevice devices[TAC_MOST_TOOLS];
} valid;
static void *const poison = &valid; /* a result that is not NULL before the call */

static const char text[] = "tactus: 1\n"
                           "bodies:\n"
                           "  - name: rod\n"
                           "    kind: reduced\n"
                           "    surface: {shape: beam, size: 20 mm}\n"
                           "    volume: {bricks: 20 mm}\n"
                           "    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n"
                           "    fixed: [{below: {axis: x, at: 1 mm}}]\n"
                           "    basis: {from: modes, modes: 3, size: 4}\n"
                           "    points: {count: 120, levels: 2}\n"
                           "  - name: block\n"
                           "    kind: green\n"
                           "    method: finite-elements\n"
                           "    surface: {shape: beam, size: 20 mm}\n"
                           "    volume: {bricks: 20 mm}\n"
                           "    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n"
                           "    fixed: [{below: {axis: x, at: 1 mm}}]\n"
                           "    mask: 20 mm\n"
                           "    position: [0, 300 mm, 0]\n"
                           "tools:\n"
                           "  - {name: hand, kind: point, device: {kind: operator, path: [{at: [0, 0, 200 mm]}]}}\n";

static void require_(int condition, const char *what) {
  if (condition) return;
  printf("not true: %s\n", what);
  fflush(stdout);
  _exit(1);
}
#define require(condition) require_((condition) != 0, #condition)

/* A failure has a text. `refusal` is the text of the only failure that is right; NULL: any, or none. */
static inline void check_status(tacStatus status, const tacError *error, const char *refusal) {
  if (refusal != NULL) require(status == TAC_ERR_ARGUMENT);
  if (status == TAC_OK || error == NULL) return;
  require(error->status == status);
  require(error->text[0] != 0);
  if (refusal != NULL && strcmp(error->text, refusal) != 0) printf("the text is: %s\n", error->text);
  if (refusal != NULL) require(strcmp(error->text, refusal) == 0);
}

static inline void *zeroed(size_t size) {
  void *memory = calloc(1, size);
  require(memory != NULL);
  return memory;
}

static inline void take_line(const char *label, const char *line, void *user) {
  (void)label, (void)line, (void)user;
}

static inline void take_finding(const tacFinding *finding, void *user) {
  (void)finding, (void)user;
}

static inline tacRecorder *new_recorder(void) {
  tacRecorder *made = NULL;
  const tacRecordingInfo texts = {.scene = text, .scene_path = "arguments.yaml", .assets = ""};
  require(tac_recorder_open_world("arguments.tacrec", valid.world, &texts, &made, NULL) == TAC_OK);
  return made;
}

static inline tacServo *stopped_servo(void) {
  require(tac_servo_start(valid.servo, NULL) == TAC_OK);
  tac_servo_stop(valid.servo);
  return valid.servo;
}

static inline tacGuard *stopped_guard(void) {
  tac_guard_stop(valid.guard);
  return valid.guard;
}

/* Ends the program where an object cannot be made. */
static void made(tacStatus status, const tacError *error) {
  if (status == TAC_OK) return;
  printf("an object of the test cannot be made: %s\n", error->text);
  exit(1);
}

static void make_objects(void) {
  tacError e;
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  const tacTrajectoryPoint points[] = {{.orientation = {1.0}}, {.time = 1.0, .orientation = {1.0}}};
  tacGuardDef guarded = tac_guard_def_default(NULL, 0.001);
  tacServoDef served = tac_servo_def_default();
  tacWorldDef empty = tac_world_def_default();
  tacFieldDef sampled = tac_field_def_default();
  guarded.force_limit = 1.0;
  guarded.stiffness_limit = 1.0;
  served.real_time = false;
  sampled.resolution = 8;
  made(tac_scene_parse(text, "arguments.yaml", &valid.parsed, &e), &e);
  made(tac_scene_parse(text, "arguments.yaml", &valid.scene, &e), &e);
  made(tac_scene_bake(valid.scene, "arguments", false, NULL, NULL, &e), &e);
  made(tac_scene_world(valid.scene, &valid.world, &e), &e);
  made(tac_scene_devices(valid.scene, valid.devices, workspaces, &e), &e);
  made(tac_world_create(&empty, &valid.unsealed, &e), &e);
  made(tac_servo_create(valid.world, 1, valid.devices, workspaces, &served, NULL, &valid.servo, &e), &e);
  made(tac_guard_create(&guarded, &valid.guard, &e), &e);
  made(tac_trajectory_create(2, points, false, &valid.trajectory, &e), &e);
  made(tac_shape_build("beam", 0.02, NULL, &valid.surface, &e), &e);
  made(tac_shape_bricks("beam", 0.02, &valid.volume, &e), &e);
  made(tac_distance_field_bake(valid.surface, &sampled, NULL, &valid.field, &e), &e);
  valid.shell = tac_scene_points(valid.scene, 0);
  valid.reduced = tac_scene_reduced(valid.scene, 0);
  valid.green = tac_scene_green(valid.scene, 1);
  require(valid.shell != NULL && valid.reduced != NULL && valid.green != NULL);
  made(tac_recorder_close(new_recorder(), NULL, &e), &e);
  made(tac_recording_open("arguments.tacrec", &valid.recording, &e), &e);
}

static int run(size_t count, const Case *cases) {
  int failed = 0;
  make_objects();
  for (size_t i = 0; i < count; ++i) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      cases[i].call();
      _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
      puts("no process for a case");
      return 1;
    }
    if (status == 0) continue;
    ++failed;
    if (WIFSIGNALED(status))
      printf("%s: signal %d\n", cases[i].title, WTERMSIG(status));
    else
      printf("%s: failed\n", cases[i].title);
  }
  printf("%zu calls, %d failed\n", count, failed);
  return failed > 0;
}
