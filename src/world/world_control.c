/* Host requests to a running world. Only the thread that steps may call these functions, between two steps. */
#include "world/world_control.h"
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "base/error.h"
#include "world/pairs/budget.h"
#include "world/pairs/pair.h"
#include "world/rates/simulation.h"
#include "world/request.h"

const char *tac_version(void) {
  return TAC_VERSION;
}

static tacStatus find(tacWorld *world, tacBodyId id, tacWorldBody **body, tacError *error) {
  if (!world->sealed)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is not sealed: call tac_world_seal first");
  *body = tac_world_find(world, id);
  return *body != NULL ? TAC_OK : tac_error_set(error, TAC_ERR_ARGUMENT, "this body does not exist in this world");
}

static bool read_pose(const tacPose *pose, tacQuat *turn) {
  *turn = tac_quat_of(pose->orientation);
  bool good = tac_vec3_finite(pose->position) && fabs(tac_quat_norm(*turn) - 1.0) < 1e-6;
  *turn = tac_quat_normalise(*turn);
  return good;
}

/* Applies a request at once if every tick is a step. Otherwise queues the request for the next step of the bodies. */
static tacStatus ask(tacWorld *world, const tacRequest *request, tacError *error) {
  return world->simulation != NULL ? tac_simulation_ask(world->simulation, request, error)
                                   : tac_request_apply(world, request, error);
}

tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity, tacVec3 spin,
                              tacError *error) {
  TAC_REQUIRE(error, world, pose);
  tacQuat turn;
  tacWorldBody *body;
  TAC_TRY(find(world, id, &body, error));
  if (body->shown.pose < 0)
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "body %s does not move; to move it, create the world with `movable`, so that snapshots contain its pose",
        body->name);
  if (body->holder >= 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s is held by tool %s; move the tool instead", body->name,
                         world->tools[body->holder].name);
  if (tac_world_body_yields(body) && body->def.free)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s moves by its nodes, not by a frame; push it, load a state or reset the world "
                         "instead",
                         body->name);
  if (pose == NULL || !read_pose(pose, &turn) || !tac_vec3_finite(velocity) || !tac_vec3_finite(spin))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: pose and velocities must be finite, with a unit quaternion",
                         body->name);
  return ask(world,
             &(tacRequest){.kind = TAC_REQUEST_MOVE,
                           .index = (int)id.index,
                           .at = pose->position,
                           .turn = turn,
                           .linear = velocity,
                           .angular = spin},
             error);
}

tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error) {
  TAC_REQUIRE(error, world);
  tacWorldBody *body;
  TAC_TRY(find(world, id, &body, error));
  if (!tac_vec3_finite(at) || !tac_vec3_finite(force) || !(tac_vec3_norm(force) < 1e9))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: the point and the force must be finite", body->name);
  return ask(world, &(tacRequest){.kind = TAC_REQUEST_PUSH, .index = (int)id.index, .at = at, .force = force}, error);
}

tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error) {
  TAC_REQUIRE(error, world);
  return ask(world, &(tacRequest){.kind = TAC_REQUEST_PARAMETER, .index = index, .value = value}, error);
}

bool tac_world_keep_budget(tacWorld *world, int *parameter, double *value) {
  int pair;
  if (world == NULL || !world->sealed || (world->simulation != NULL && !tac_simulation_stepped(world->simulation)))
    return false;
  if (!tac_budget_change(world, &pair, value)) return false;
  *parameter =
      tac_world_parameter_count(world) - TAC_PAIR_PARAMETERS * (world->pair_count - pair) + (int)TAC_PAIR_NODES;
  return tac_world_set_parameter(world, *parameter, *value, NULL) == TAC_OK;
}

tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity, tacVec3 *spin,
                                tacError *error) {
  TAC_REQUIRE(error, world);
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "the world has no body with this id");
  const tacFrame *frame =
      world->simulation != NULL ? tac_simulation_frame(world->simulation, (int)id.index) : &body->frame;
  tacQuat q = frame->orientation;
  if (pose != NULL) *pose = (tacPose){frame->position, {q.w, q.x, q.y, q.z}};
  if (velocity != NULL) *velocity = frame->linear;
  if (spin != NULL) *spin = frame->angular;
  return TAC_OK;
}

/* ---- complete state ---- */

/* Memory block that holds a saved state. */
typedef struct Copy {
  char *memory; /* start of the block; NULL if only the size is computed */
  size_t size;
  bool back;
} Copy;

/* Copies one part of the state to or from the block. Each part starts at a multiple of eight bytes. */
static void copy(void *context, void *part, size_t bytes) {
  Copy *c = context;
  if (c->memory != NULL && bytes > 0) {
    void *kept = c->memory + c->size;
    memcpy(c->back ? part : kept, c->back ? kept : part, bytes);
  }
  c->size += (bytes + 7) / 8 * 8;
}

/* Copies the complete state on which a step depends, in a fixed order. False if a body rejects its state. */
static bool copy_world(tacWorld *world, Copy *c) {
  bool good = true;
  copy(c, &world->tick, sizeof world->tick);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    const tacBodyTable *table = body->body.table;
    int count = tac_body_describe(&body->body).state;
    copy(c, &body->frame, sizeof body->frame);
    copy(c, body->moves.pending, (6 + (size_t)body->size) * sizeof *body->moves.pending);
    copy(c, &body->moves.pending_left, sizeof body->moves.pending_left);
    copy(c, &body->store.energy, sizeof body->store.energy);
    copy(c, &body->store.least, sizeof body->store.least);
    copy(c, &body->store.lost, sizeof body->store.lost);
    copy(c, &body->turn.every, sizeof body->turn.every);
    copy(c, &body->turn.next, sizeof body->turn.next);
    copy(c, &body->turn.attended, sizeof body->turn.attended);
    if (count > 0 && c->memory != NULL && !c->back)
      table->save(body->body.self, count, (double *)(c->memory + c->size));
    if (count > 0 && c->memory != NULL && c->back)
      good = table->load(body->body.self, (const double *)(c->memory + c->size)) && good;
    c->size += (size_t)count * sizeof(double);
  }
  for (int t = 0; t < world->tool_count; ++t) {
    char *name = world->tools[t].name;
    copy(c, &world->tools[t], sizeof world->tools[t]);
    world->tools[t].name = name;
  }
  copy(c, world->fading, sizeof world->fading);
  copy(c, &world->fading_end, sizeof world->fading_end);
  copy(c, world->approaches, (size_t)world->tool_count * (size_t)world->body_count * sizeof *world->approaches);
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    if (pair->laws) continue;
    copy(c, &pair->evaluation, sizeof pair->evaluation);
    copy(c, pair->anchors,
         (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS) * sizeof *pair->anchors);
    copy(c, pair->sides, (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS) * sizeof *pair->sides);
    copy(c, pair->last, (size_t)pair->capacity * sizeof *pair->last);
    copy(c, &pair->last_count, sizeof pair->last_count);
    copy(c, pair->field_q, tac_pair_field_coordinates(pair) * sizeof *pair->field_q);
    /* A step depends on the state of the traversal: skipped nodes cost nothing, so more nodes fit into the cost
     * limit. */
    tac_shell_traversal_visit(pair->traversal, copy, c);
  }
  copy(c, &world->tick_force_count, sizeof world->tick_force_count);
  copy(c, world->tick_forces, sizeof world->tick_forces);
  copy(c, &world->pull_count, sizeof world->pull_count);
  copy(c, world->pulls, sizeof world->pulls);
  copy(c, &world->contacts.count, sizeof world->contacts.count);
  c->size = (c->size + 7) / 8 * 8;
  copy(c, world->contacts.list, (size_t)world->contacts.capacity * sizeof *world->contacts.list);
  copy(c, world->contacts.memory, tac_contact_set_memory(&world->contacts));
  if (world->simulation != NULL) tac_simulation_visit(world->simulation, copy, c);
  if (c->back && c->memory != NULL) {
    for (int b = 0; b < world->body_count; ++b)
      if (world->bodies[b].grip.patches != NULL)
        world->bodies[b].body.table->pads->reset(world->bodies[b].grip.patches);
    for (int t = 0; t < world->tool_count; ++t)
      memset(world->tools[t].pad.taken, 0, sizeof world->tools[t].pad.taken); /* pads did not grip in the saved state */
    tac_world_forget_pairs(world);
    world->push_count = 0;
  }
  return good;
}

size_t tac_world_memory_size(const tacWorld *world) {
  Copy c = {0};
  tacWorld *own = (tacWorld *)(uintptr_t)world; /* copy_world does not modify the world if `memory` is NULL */
  if (world == NULL || !world->sealed) return 0;
  if (world->simulation != NULL) tac_simulation_settle(world->simulation);
  copy_world(own, &c);
  return c.size;
}

tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error) {
  TAC_REQUIRE(error, world, memory);
  if (!world->sealed) return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is not sealed");
  if (size < tac_world_memory_size(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the state needs %zu bytes, but only %zu are available",
                         tac_world_memory_size(world), size);
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].pad.loaded)
      return tac_error_set(
          error, TAC_ERR_ARGUMENT,
          "tool %s holds body %s with pads, whose state cannot be saved; release it, and wait until it is free",
          world->tools[t].name, world->bodies[world->tools[t].pad.body].name);
  Copy c = {.memory = memory};
  copy_world(world, &c);
  return TAC_OK;
}

tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error) {
  TAC_REQUIRE(error, world, memory);
  if (!world->sealed) return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is not sealed");
  if (size != tac_world_memory_size(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a state of this world has %zu bytes, but this one has %zu: it belongs to another world",
                         tac_world_memory_size(world), size);
  Copy c = {.memory = (char *)(uintptr_t)memory, .back = true};
  if (copy_world(world, &c)) return TAC_OK;
  tac_world_reset(world);
  return tac_error_set(error, TAC_ERR_ARGUMENT, "the state is not valid for a body of this world; the body was reset");
}
