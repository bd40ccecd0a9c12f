#include "world/world_step.h"

#include <math.h>
#include <string.h>
#include "couple/tool.h"
#include "world/islands/block.h"
#include "world/islands/contact_response.h"
#include "world/islands/island.h"
#include "world/islands/meeting.h"
#include "world/islands/tick_forces.h"
#include "world/pairs/budget.h"
#include "world/pairs/pair.h"
#include "world/store.h"
#include "world/tools/held_tool.h"
#include "world/tools/pad_tools.h"
#include "world/tools/point_tool.h"

enum { MOST_EVALUATIONS = 2000 /* point-contact evaluations per step */, ERROR_ESTIMATE_EVERY = 8 /* steps */ };

static void take_input(tacWorld *world, int t, const tacToolInput *input, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  tacQuat turn;
  bool point = tac_world_tool_is_point(tool), good = tac_tool_input_good(input, point, &turn);
  if (good) {
    tool->motion = tac_vec3_distance(tool->position, input->position);
    tool->position = input->position;
    tool->grab = input->grab;
    tool->grip = tac_tool_input_grip(input);
    tool->lifted = input->lifted;
  } else {
    ++report->refused;
  }
  if (tool->held.body >= 0) {
    turn = good ? tac_quat_normalise(turn) : tool->held.turn;
    if (world->simulate_every == 1) { /* every tick is a step; otherwise the ticks grab and release bodies */
      const tacWorldBody *body = &world->bodies[tool->held.body];
      const tacHeldLies lies = {body->surface, &body->body, &body->frame, body->start.orientation};
      const tacToolInput taken = {
          tool->position, {turn.w, turn.x, turn.y, turn.z}, tool->grab, tool->lifted, tool->grip};
      tool->lifted = !tac_held_body_reach(&tool->held, &lies, world->period, &taken) || tool->lifted;
    }
    tac_held_body_take(&tool->held, world->period, world->bodies[tool->held.body].start.orientation, tool->position,
                       turn, tool->grip);
  }
  if (tool->pad.body >= 0 && good && world->simulate_every == 1) tac_pad_tool_take(&tool->pad, input, turn);
  if (tool->lifted && point) tac_point_tool_free(world, t);
  tool->start = tool->point;
}

static void take_inputs(tacWorld *world, const tacToolInput *inputs, tacTickReport *report) {
  for (int t = 0; t < world->tool_count; ++t) take_input(world, t, &inputs[t], report);
  world->fading_start_end = world->fading_end;
  memcpy(world->fading_start, world->fading, (size_t)world->fading_end * sizeof *world->fading);
}

static void evaluate_pairs(tacWorld *world, tacTickReport *report) {
  report->level = world->pair_count > 0 ? TAC_POINTSHELL_MOST_LEVELS : 0;
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    if (pair->laws || tac_world_leads(world, pair->points, pair->field)) continue;
    int64_t begin = tac_budget_clock(world);
    tac_pair_evaluate(pair, world->bodies);
    pair->cost.taken = tac_budget_clock(world) - begin;
    report->visited += pair->traversed.visited;
    report->points += pair->count;
    report->degraded += pair->traversed.degraded;
    report->saturated += pair->traversed.lost > 0;
    if (pair->traversed.level < report->level) report->level = pair->traversed.level;
  }
  if (report->level == TAC_POINTSHELL_MOST_LEVELS) report->level = 0;
}

/* Moves held bodies to their predicted poses for contact detection (couple/held_body.h). Saves the present poses
 * in `frames`. */
static void go_ahead(tacWorld *world, tacFrame frames[TAC_MOST_TOOLS]) {
  for (int t = 0; t < world->tool_count; ++t) {
    tacHeldBody *held = &world->tools[t].held;
    if (held->body < 0 || world->simulate_every > 1) continue;
    tacWorldBody *body = &world->bodies[held->body];
    frames[t] = body->frame;
    tac_held_body_go_ahead(held, world->period, &body->frame);
    tac_held_tool_place_jaws(world, held);
  }
}

/* Returns the motion of a body's point from its present position to its predicted position. */
static tacVec3 way_ahead(const tacWorld *world, int body, tacVec3 at) {
  int holder = body >= 0 ? world->bodies[body].holder : -1;
  if (holder < 0) return tac_vec3(0.0, 0.0, 0.0);
  const tacTwist *ahead = &world->tools[holder].held.ahead;
  tacVec3 about = tac_frame_about(&world->bodies[world->tools[holder].held.body].frame);
  return tac_vec3_add(ahead->linear,
                      tac_vec3_cross(ahead->angular, tac_vec3_sub(at, tac_vec3_add(about, ahead->linear))));
}

/* Moves held bodies back to their present poses. Corrects the gaps and positions of contacts solved by the contact laws
 * for this motion. Contact springs are corrected later, when they enter the equations. */
static void go_back(tacWorld *world, const tacFrame frames[TAC_MOST_TOOLS]) {
  if (world->simulate_every > 1) return;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacHeldBody *held = &world->tools[t].held;
    if (held->body < 0) continue;
    world->bodies[held->body].frame = frames[t];
    tac_held_tool_place_jaws(world, held);
  }
  for (int i = 0; i < world->contacts.count; ++i) {
    tacSetContact *c = &world->contacts.list[i];
    tacVec3 first = way_ahead(world, c->body[0], c->at), second = way_ahead(world, c->body[1], c->at);
    c->gap -= tac_vec3_dot(c->axes[0], tac_vec3_sub(first, second));
    c->at = tac_vec3_sub(c->at, first);
  }
}

static void detect(tacWorld *world, int *budget, tacTickReport *report) {
  for (int t = 0; t < world->tool_count; ++t) tac_point_tool_approach(world, t, report);
  for (int b = 0; b < world->body_count; ++b) tac_point_tool_settle(world, b, budget, report);
  if (world->simulate_every == 1) { /* every tick is a step; otherwise the ticks move the pads */
    for (int t = 0; t < world->tool_count; ++t)
      if (world->tools[t].pad.body >= 0) world->tools[t].pad.frame = world->bodies[world->tools[t].pad.body].frame;
    tac_pad_tools_settle(world, report);
  }
  tacFrame frames[TAC_MOST_TOOLS];
  go_ahead(world, frames);
  evaluate_pairs(world, report);
  if (world->contacts.capacity > 0) tac_meeting_detect(world, report);
  go_back(world, frames);
}

static void follow(tacWorld *world, int *budget, tacTickReport *report) {
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].turn.due) tac_point_tool_follow(world, b, budget, report);
  for (int t = 0; t < world->tool_count; ++t) tac_point_tool_release(world, t, report);
}

/* Ends all contacts of a tool and resets it to its initial state. */
static void free_tool(tacWorld *world, int t) {
  tac_point_tool_free(world, t);
  tac_pad_tools_free(world, t);
  if (world->tools[t].held.body >= 0) tac_held_tool_reset(world, t);
}

static void describe(tacWorld *world, tacToolOutput *outputs, tacTickReport *report) {
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    tacToolOutput nothing = {.proxy = tool->position, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
    outputs[t] = nothing;
    if (tool->held.body >= 0)
      tac_held_tool_describe(world, t, &outputs[t], report);
    else if (tool->pad.body >= 0 && world->simulate_every == 1)
      tac_pad_tool_describe(&tool->pad, &outputs[t], report);
    else
      tac_point_tool_describe(world, t, &outputs[t], report);
    if (tac_tool_output_finite(&outputs[t])) continue;
    /* Finite assets give finite outputs. But an invalid force must never reach a device. */
    free_tool(world, t);
    outputs[t] = nothing;
    ++report->refused;
  }
}

/* Computes the estimated model error of a body (tacBodyTable.error_estimate); -1 if unknown. */
static double ask_error_estimate(const tacWorld *world, int b, const tacToolOutput *outputs) {
  const tacWorldBody *body = &world->bodies[b];
  tacPresses f;
  f.count = 0;
  if (tac_world_body_complies(body)) {
    int tools = tac_world_carries(world, b) ? 0 : world->tool_count; /* tick forces already include tool forces */
    tac_presses_add_tools(&f, world, b, tac_quat_conjugate(body->frame.orientation), tools, outputs);
    tac_presses_add_contacts(&f, world, b, TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS);
  }
  double error_estimate = body->body.table->error_estimate(body->body.self, f.count, f.sites, f.forces);
  return error_estimate >= 0.0 && isfinite(error_estimate) ? error_estimate : -1.0;
}

/* Updates the error estimate of each body in every eighth step. Writes the largest estimate and the number of saturated
 * couplings to `report`. */
static void measure_error_estimate(tacWorld *world, const tacToolOutput *outputs, tacTickReport *report) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (body->body.table->error_estimate == NULL) continue;
    if ((world->tick + b) % ERROR_ESTIMATE_EVERY == 0) body->error_estimate = ask_error_estimate(world, b, outputs);
    if (!(body->error_estimate > report->error_estimate)) continue;
    report->error_estimate = body->error_estimate;
    report->error_body = b + 1;
  }
  for (int t = 0; t < world->tool_count; ++t) report->coupling_saturated += outputs[t].saturated;
}

enum { MOST_RENEWED = 32 };

uint32_t tac_world_renewal(tacWorld *world) {
  uint32_t renewed = 0;
  int bit = 0;
  for (int b = 0; b < world->body_count && bit < MOST_RENEWED; ++b) {
    const tacBody *body = &world->bodies[b].body;
    if (body->table->thread == NULL) continue;
    bool now = world->renewal_recorded ? (world->renewal >> bit & 1) != 0 : body->table->thread->ready(body->self);
    renewed |= (uint32_t)now << bit++;
  }
  world->renewal = 0;
  return renewed;
}

void tac_world_renew(tacWorld *world, uint32_t renewed) {
  int bit = 0;
  for (int b = 0; b < world->body_count && bit < MOST_RENEWED; ++b)
    if (world->bodies[b].body.table->thread != NULL) world->bodies[b].turn.renews = (renewed >> bit++ & 1) != 0;
}

void tac_world_look(tacWorld *world, const tacToolInput *inputs, tacTickReport *report) {
  *report = (tacTickReport){0};
  tac_arena_reset(&world->arena);
  take_inputs(world, inputs, report);
  tac_block_begin(world);
  for (int t = 0; t < world->tool_count; ++t) tac_point_tool_approach(world, t, report);
  ++world->tick;
}

/* Solves the equations of motion of all bodies with the contact laws. */
static void solve(tacWorld *world, tacTickReport *report) {
  tac_block_free_motion(world, report);
  if (tac_contact_response_begin(world, report)) {
    tac_island_estimate(world);
    tac_contact_response_again(world);
  }
  tac_island_solve(world, report);
}

void tac_world_advance(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  int budget = MOST_EVALUATIONS;
  *report = (tacTickReport){0};
  tac_arena_reset(&world->arena);
  take_inputs(world, inputs, report);
  tac_block_begin(world);
  detect(world, &budget, report);
  const double *pending = world->tick_force_count > 0 ? tac_block_pending(world) : NULL;
  const tacArenaMark mark = tac_arena_mark(&world->arena);
  const tacTickReport found = *report;
  solve(world, report);
  if (pending != NULL && tac_tick_forces_limit(world)) {
    tac_block_take_back(world, pending);
    tac_arena_release(&world->arena, mark);
    *report = found;
    solve(world, report);
    tac_tick_forces_end(world);
  }
  tac_contact_response_end(world, report);
  tac_block_finish(world, report);
  follow(world, &budget, report);
  describe(world, outputs, report);
  measure_error_estimate(world, outputs, report);
  tac_store_measure(world, outputs);
  tac_budget_learn(world);
  ++world->tick;
}

void tac_world_restart(tacWorld *world) {
  tac_world_forget_pairs(world);
  world->tick = 0;
  world->push_count = world->tick_force_count = world->pull_count = 0;
  tac_contact_set_reset(&world->contacts);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    body->frame = body->start;
    body->body.table->reset(body->body.self);
    body->store.lost = 0.0;
    if (body->grip.patches != NULL) body->body.table->pads->reset(body->grip.patches);
    memset(body->moves.pending, 0, (6 + (size_t)body->size) * sizeof *body->moves.pending);
    body->moves.pending_left = 0.0;
    body->error_estimate = body->body.table->error_estimate != NULL
                               ? body->body.table->error_estimate(body->body.self, 0, NULL, NULL)
                               : -1.0;
    body->turn.every = body->def.every;
    body->turn.next = body->turn.phase;
    body->turn.attended = 0;
  }
  tac_contact_response_prepare(world);
  for (int p = 0; p < world->pair_count; ++p) tac_pair_reset(&world->contact_pairs[p]);
  for (int t = 0; t < world->tool_count; ++t) {
    world->tools[t] = (tacWorldTool){.name = world->tools[t].name,
                                     .radius = world->tools[t].radius,
                                     .tip = world->tools[t].tip,
                                     .held = world->tools[t].held,
                                     .pad = world->tools[t].pad};
    free_tool(world, t);
  }
  world->fading_end = 0;
  tac_store_reset(world);
}
