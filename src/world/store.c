#include "world/store.h"

#include <math.h>
#include "mesh/disjoint_sets.h"
#include "world/pairs/pair.h"
#include "world/tools/fingertip_touch.h"

/* Computes the gravitational energy of a free body, J. */
static double height_energy(const tacWorldBody *body) {
  const tacFrame *frame = &body->frame;
  if (frame->mode != TAC_FRAME_FREE) return 0.0;
  return -frame->mass * tac_vec3_dot(frame->gravity, tac_frame_to_world(frame, frame->centre));
}

void tac_store_reset(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b)
    world->bodies[b].store.energy = world->bodies[b].store.least = height_energy(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) world->tools[t].stored = 0.0;
}

static void measure_body(tacWorldBody *body) {
  const tacBodyTable *table = body->body.table;
  double own = table->energy != NULL ? table->energy(body->body.self) : 0.0, energy = height_energy(body);
  if (body->frame.mode == TAC_FRAME_FREE) energy += tac_frame_energy(&body->frame);
  if (isfinite(own)) energy += own;
  if (!isfinite(energy)) return;
  body->store.energy = energy;
  body->store.least = fmin(body->store.least, energy);
}

static bool moves(const tacWorldBody *body) {
  return body->size > 0 || tac_world_body_yields(body) || body->frame.mode != TAC_FRAME_RESTS;
}

/* Joins the sets of two touching bodies if both bodies can move. */
static void join(tacWorld *world, int a, int b) {
  if (a >= 0 && b >= 0 && moves(&world->bodies[a]) && moves(&world->bodies[b]))
    tac_disjoint_sets_join(world->joined, a, b);
}

static void join_bodies(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b) world->joined[b] = b;
  for (int b = 0; b < world->body_count; ++b) join(world, b, world->bodies[b].jaw.carrier);
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    if (c->state != TAC_CONTACT_NONE) join(world, c->body[0], c->body[1]);
  }
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!pair->laws && pair->count > 0) join(world, pair->points, pair->field);
  }
}

/* Returns the body that the tool holds or touches. -1 if the tool has no contact. */
static int touched(const tacWorld *world, int t, const tacToolOutput *output) {
  const tacWorldTool *tool = &world->tools[t];
  if (output->contact.state == TAC_CONTACT_NONE) return -1;
  return tool->held.body >= 0 ? tool->held.body : tool->pad.body >= 0 ? tool->pad.body : tool->body;
}

/* Computes the energy of the spring between a point tool and its contact point, J. */
static double spring_energy(const tacWorld *world, int t, int body, const tacToolOutput *output) {
  bool spring = body >= 0 && tac_world_tool_is_point(&world->tools[t]) && moves(&world->bodies[body]);
  tacMat3 soft;
  if (!spring) return 0.0;
  if (tac_fingertip_presses(&world->bodies[body], &world->tools[t]) && tac_mat3_inverse(world->tools[t].spring, &soft))
    return 0.5 * tac_vec3_dot(output->force, tac_mat3_mul_vec(soft, output->force));
  return 0.5 * tac_vec3_norm2(output->force) / world->bodies[body].feel.stiffness;
}

void tac_store_measure(tacWorld *world, const tacToolOutput *outputs) {
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].turn.due && moves(&world->bodies[b])) measure_body(&world->bodies[b]);
  join_bodies(world);
  for (int t = 0; t < world->tool_count; ++t) {
    int at = touched(world, t, &outputs[t]), root = at >= 0 ? tac_disjoint_sets_find(world->joined, at) : -1;
    double sum = 0.0;
    for (int b = 0; b < world->body_count; ++b)
      if (at < 0 || tac_disjoint_sets_find(world->joined, b) == root)
        sum += world->bodies[b].store.energy - world->bodies[b].store.least;
    for (int other = 0; other < world->tool_count; ++other) {
      int there = touched(world, other, &outputs[other]);
      if (at < 0 || (there >= 0 && tac_disjoint_sets_find(world->joined, there) == root))
        sum += spring_energy(world, other, there, &outputs[other]);
    }
    world->tools[t].stored = sum;
  }
}
