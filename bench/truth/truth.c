#include "bench/truth/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "couple/workspace.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "scene/tool_device.h"
#include "world/world_parts.h"

/* What a traversal of a pair may visit, and what a point in contact counts: as many nodes as take about a
 * millisecond. */
static const double most_nodes = 20000.0, contact_nodes = 1.5;
static const double no_limit = 1e9;    /* N, N m: of the operator's device */
static const double least_felt = 0.01; /* N: above, a hand feels something */
/* m: by which torques are compared with forces. */
static const double lever = 0.05;

typedef struct Loop {
  const tacScene *scene;
  const tacTruthDef *def;
  tacTruth *truth;
  tacWorld *world;
  int tool_count;
  tacDevice devices[TAC_MOST_TOOLS];
  tacWorkspace workspaces[TAC_MOST_TOOLS];
  tacToolInput inputs[TAC_MOST_TOOLS];
  tacToolOutput outputs[TAC_MOST_TOOLS];
  int64_t begun; /* ns */
} Loop;

/* ---- before ---- */

/* The operator that the scene has, or one like it, on the rough path. */
static tacStatus open_hand(Loop *loop, int t, const tacWorkspaceDef *workspace, tacError *error) {
  const tacSceneTool *tool = tac_scene_file_tool(&loop->scene->file, t);
  tacTruthTool *of = &loop->truth->tools[t];
  double period = tac_world_period(loop->world);
  tacOperatorDef def;
  tacTrajectory *trajectory = NULL;
  tac_device_close(&loop->devices[t]);
  tacStatus status = tool->device.kind == TAC_SCENE_DEVICE_OPERATOR
                         ? tac_tool_device_operator(loop->scene, &tool->device, &def, error)
                         : tac_operator_def_preset("premium-6", &def, error);
  def.repeats = false;
  def.info.force_limit = no_limit;
  if (def.info.dof == 6) def.info.torque_limit = no_limit;
  if (status == TAC_OK)
    status = tac_rough_path_create(loop->world, t, workspace, 1 + (uint64_t)t, loop->def->duration, &of->path, error);
  if (status == TAC_OK) status = tac_trajectory_create(of->path.count, of->path.points, false, &trajectory, error);
  if (status == TAC_OK) status = tac_device_operator_open(&def, trajectory, period, &loop->devices[t], error);
  if (status != TAC_OK) return status;
  const double *q = workspace->orientation;
  loop->workspaces[t] = tac_workspace_begin(workspace->scale, workspace->centre, workspace->device_centre,
                                            tac_quat(q[0], q[1], q[2], q[3]), period);
  tac_workspace_set_count(&loop->workspaces[t], def.info.resolution);
  of->force = tac_force_gauge_begin(loop->world, t, &of->path);
  of->energy = tac_energy_account_begin(period);
  return TAC_OK;
}

tacStatus tac_truth_world(const tacScene *scene, tacWorld **world, tacError *error) {
  tacStatus status = tac_scene_world(scene, world, error);
  for (int i = 0; status == TAC_OK && i < tac_world_parameter_count(*world); ++i) {
    tacParameter p = tac_world_parameter(*world, i);
    if (strcmp(p.label, "nodes") == 0) tac_world_set_parameter(*world, i, most_nodes, NULL);
    if (strcmp(p.label, "contact") == 0) tac_world_set_parameter(*world, i, contact_nodes, NULL);
  }
  return status;
}

static tacStatus prepare(Loop *loop, tacError *error) {
  tacTruth *truth = loop->truth;
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tacStatus status = tac_truth_world(loop->scene, &truth->world, error);
  if (status != TAC_OK) return status;
  loop->world = truth->world;
  loop->tool_count = tac_world_tool_count(loop->world);
  truth->energy = tac_energy_account_begin(tac_world_period(loop->world));
  status = tac_scene_devices(loop->scene, loop->devices, workspaces, error);
  for (int t = 0; t < loop->tool_count && status == TAC_OK; ++t) status = open_hand(loop, t, &workspaces[t], error);
  if (status == TAC_OK) status = tac_balance_create(loop->world, &truth->balance, error);
  if (status == TAC_OK) status = tac_pair_account_create(loop->world, &truth->pairs, error);
  if (status == TAC_OK)
    status = tac_depth_gauge_create(loop->world, loop->def->duration, loop->def->depth_count, &truth->depth, error);
  if (status == TAC_OK)
    status = tac_full_gauge_create(loop->scene, loop->world, loop->def->duration, loop->def->full_count, &truth->full,
                                   error);
  return status;
}

/* ---- a tick ---- */

static void take(tacTruth *truth, int count, const double *numbers) {
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    truth->fingerprint = (truth->fingerprint ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    truth->fingerprint ^= truth->fingerprint >> 29;
  }
}

static void take_vector(tacTruth *truth, tacVec3 v) {
  const double numbers[3] = {v.x, v.y, v.z};
  take(truth, 3, numbers);
}

static void read_device(Loop *loop, int t, tacDeviceState *state) {
  tacWorkspace *w = &loop->workspaces[t];
  loop->devices[t].driver->read(loop->devices[t].self, state);
  const double *q = state->orientation;
  tac_workspace_move(w, state->position, tac_quat(q[0], q[1], q[2], q[3]), false);
  loop->inputs[t] =
      (tacToolInput){.position = w->position,
                     .orientation = {w->orientation.w, w->orientation.x, w->orientation.y, w->orientation.z},
                     .grab = (state->buttons & TAC_BUTTON_GRAB) != 0,
                     .grip = TAC_BUTTON_GRIP_OF(state->buttons) / 255.0};
  take_vector(loop->truth, state->position);
  take(loop->truth, 4, state->orientation);
}

/* Returns the hand's work on the world in this tick, J, by the trapezium rule: of a world that is a spring, exact. */
static double account(tacTruthTool *of, const tacDeviceState *state, tacVec3 force, tacVec3 torque, bool turns,
                      bool first, bool contact) {
  const double *a = of->orientation, *b = state->orientation;
  double work = 0.0, size = tac_vec3_norm(force);
  if (!first) {
    work = -0.5 * tac_vec3_dot(tac_vec3_add(of->written, force), tac_vec3_sub(state->position, of->position));
    tacQuat was = tac_quat(a[0], a[1], a[2], a[3]), now = tac_quat(b[0], b[1], b[2], b[3]);
    tacVec3 turn = tac_quat_to_rotation_vector(tac_quat_mul(now, tac_quat_conjugate(was)));
    if (turns) work -= 0.5 * tac_vec3_dot(tac_vec3_add(of->written_torque, torque), turn);
  }
  if (turns) size = hypot(size, tac_vec3_norm(torque) / lever);
  /* A coupling stores, too, what it took on the way through the air. */
  tac_energy_account_add(&of->energy, work, size, contact || size > least_felt);
  of->position = state->position;
  memcpy(of->orientation, state->orientation, sizeof of->orientation);
  of->written = force;
  of->written_torque = torque;
  return work;
}

/* What contacts do to a body that a tool holds and to its jaws. */
static tacVec3 on_held(const tacTruth *truth, int t, double *size) {
  const tacHeldBody *held = &truth->world->tools[t].held;
  tacVec3 sum = {0.0, 0.0, 0.0};
  *size = 0.0;
  if (held->body < 0) return sum;
  for (int j = -1; j < held->jaw_count; ++j) {
    const tacBodyBalance *of = &truth->balance.bodies[j < 0 ? held->body : held->jaws[j].body];
    sum = tac_vec3_add(sum, of->force);
    *size += of->size;
  }
  return sum;
}

static tacStatus tick(Loop *loop, tacError *error) {
  tacTruth *truth = loop->truth;
  tacDeviceState states[TAC_MOST_TOOLS];
  tacTickReport report;
  for (int t = 0; t < loop->tool_count; ++t) read_device(loop, t, &states[t]);
  int64_t begin = tac_clock_thread();
  tac_world_step(loop->world, loop->inputs, loop->outputs, &report);
  tac_histogram_add(&truth->tick, tac_clock_seconds(tac_clock_thread() - begin));
  tac_balance_look(&truth->balance, loop->outputs, &report);
  tac_pair_account_look(&truth->pairs);
  bool settled = false, felt = false;
  double work = 0.0, size2 = 0.0, stored = 0.0;
  for (int t = 0; t < loop->tool_count; ++t) {
    tacTruthTool *of = &truth->tools[t];
    const tacToolOutput *out = &loop->outputs[t];
    tacVec3 force = tac_workspace_to_device(&loop->workspaces[t], out->force);
    tacVec3 torque = tac_workspace_to_device(&loop->workspaces[t], out->torque);
    loop->devices[t].driver->write(loop->devices[t].self, force, torque);
    take_vector(truth, force);
    take_vector(truth, torque);
    bool contact = out->contact.state != TAC_CONTACT_NONE;
    of->energy.stored = tac_world_tool_stored(loop->world, t) / loop->workspaces[t].scale;
    stored = fmax(stored, of->energy.stored);
    work += account(of, &states[t], force, torque, loop->devices[t].info.dof == 6, truth->ticks == 0, contact);
    double size;
    tacVec3 held = on_held(truth, t, &size);
    tac_force_gauge_add(&of->force, &loop->inputs[t], out, held, size);
    size2 += tac_vec3_norm2(force) + tac_vec3_norm2(torque) / (lever * lever);
    felt = felt || contact || size2 > least_felt * least_felt;
    settled = settled || (of->force.settled && contact);
  }
  truth->energy.stored = stored;
  tac_energy_account_add(&truth->energy, work, sqrt(size2), felt);
  truth->contact_ticks += report.contact_count > 0;
  truth->degraded += report.degraded > 0;
  truth->refused += report.refused;
  truth->saturated += report.saturated;
  ++truth->ticks;
  tacSnapshot snapshot = {.tick = truth->ticks, .tool_count = loop->tool_count};
  memcpy(snapshot.output, loop->outputs, sizeof snapshot.output);
  tacStatus status = tac_depth_gauge_look(&truth->depth, &truth->balance, &snapshot, error);
  if (status == TAC_OK) status = tac_full_gauge_look(&truth->full, &truth->balance, &snapshot, settled, error);
  return status;
}

static bool ends(const Loop *loop, int64_t tick) {
  double time = (double)tick * tac_world_period(loop->world);
  double wall = tac_clock_seconds(tac_clock_now() - loop->begun);
  if (tick % (int64_t)(60.0 / tac_world_period(loop->world)) == 0)
    fprintf(stderr, "%s: %.0f of %.0f s, after %.0f s\n", tac_scene_name(loop->scene), time, loop->def->duration, wall);
  return time >= loop->def->duration || (loop->def->wall > 0.0 && wall > loop->def->wall);
}

tacStatus tac_truth_create(const tacScene *scene, const tacTruthDef *def, tacTruth **truth, tacError *error) {
  Loop *loop = tac_array_create(1, sizeof *loop, "a run", error);
  *truth = loop != NULL ? tac_array_create(1, sizeof **truth, "a run", error) : NULL;
  if (*truth == NULL) {
    free(loop);
    return TAC_ERR_MEMORY;
  }
  *loop = (Loop){.scene = scene, .def = def, .truth = *truth, .begun = tac_clock_now()};
  tacStatus status = prepare(loop, error);
  while (status == TAC_OK && !ends(loop, (*truth)->ticks)) status = tick(loop, error);
  for (int t = 0; t < loop->tool_count; ++t) tac_device_close(&loop->devices[t]);
  if (status == TAC_OK) {
    tac_balance_end(&(*truth)->balance);
    tac_full_gauge_end(&(*truth)->full);
  } else {
    tac_truth_destroy(*truth);
    *truth = NULL;
  }
  free(loop);
  return status;
}

void tac_truth_destroy(tacTruth *truth) {
  if (truth == NULL) return;
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) tac_rough_path_free(&truth->tools[t].path);
  tac_balance_free(&truth->balance);
  tac_pair_account_free(&truth->pairs);
  tac_depth_gauge_free(&truth->depth);
  tac_full_gauge_free(&truth->full);
  tac_world_destroy(truth->world);
  free(truth);
}
