#include "world/tools/held_tool.h"

#include <math.h>
#include "world/pairs/pair.h"

void tac_held_tool_reset(tacWorld *world, int t) {
  tacHeldBody *held = &world->tools[t].held;
  tac_held_body_reset(held, &world->bodies[held->body].frame);
  world->tools[t].position = held->device.position;
}

void tac_held_tool_place_jaws(tacWorld *world, const tacHeldBody *held) {
  for (int j = 0; j < held->jaw_count; ++j)
    tac_held_body_jaw(held, j, &world->bodies[held->body].frame, &world->bodies[held->jaws[j].body].frame);
}

/* Sums over all contacts of a held body. */
typedef struct Sum {
  double pressed, most, rubs;
  int sticking;
} Sum;

static void add_contact(tacContact *c, Sum *sum, double *own, tacVec3 at, tacVec3 normal, tacVec3 force) {
  double size = tac_vec3_norm(force);
  *own += size;
  sum->pressed += size;
  c->at = tac_vec3_mad(c->at, size, at);
  c->normal = tac_vec3_mad(c->normal, size, normal);
  c->force = tac_vec3_add(c->force, force);
  c->state = TAC_CONTACT_SLIDES;
}

static void add_contacts(const tacWorld *world, int body, Sum *total, tacToolOutput *output) {
  tacContact *c = &output->contact;
  Sum sum = *total;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, body) || pair->count == 0) continue;
    double sign = body == pair->points ? -1.0 : 1.0, own = 0.0; /* sign of the force on the other body */
    for (int i = 0; i < pair->count; ++i)
      add_contact(c, &sum, &own, pair->at[i].at, tac_vec3_scale(sign, pair->at[i].normal),
                  tac_vec3_scale(sign, pair->springs[i].force));
    sum.sticking += pair->pressed.sticking;
    sum.rubs += pair->pressed.rubs;
    output->depth = fmax(output->depth, pair->pressed.depth);
    c->state = TAC_CONTACT_SLIDES;
    if (own >= sum.most) {
      sum.most = own;
      c->body = (uint32_t)(body == pair->points ? pair->field : pair->points);
    }
  }
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *s = &world->contacts.list[i];
    int side = s->body[0] == body ? 0 : 1;
    if (s->body[side] != body || s->state == TAC_CONTACT_NONE) continue;
    double sign = side == 0 ? -1.0 : 1.0, own = 0.0;
    add_contact(c, &sum, &own, s->at, tac_vec3_scale(-sign, s->axes[0]), tac_vec3_scale(sign, s->force));
    sum.sticking += s->state == TAC_CONTACT_STICKS;
    output->depth = fmax(output->depth, -s->gap);
    if (own >= sum.most && s->body[1 - side] >= 0) {
      sum.most = own;
      c->body = (uint32_t)s->body[1 - side];
    }
  }
  *total = sum;
}

static void sum_contacts(const tacWorld *world, tacHeldBody *held, tacToolOutput *output) {
  tacContact *c = &output->contact;
  Sum sum = {0};
  add_contacts(world, held->body, &sum, output);
  for (int j = 0; j < held->jaw_count; ++j) add_contacts(world, held->jaws[j].body, &sum, output);
  held->rubs = sum.rubs;
  if (c->state == TAC_CONTACT_NONE) return;
  if (sum.sticking > 0) c->state = TAC_CONTACT_STICKS;
  c->at = sum.pressed > 0.0 ? tac_vec3_scale(1.0 / sum.pressed, c->at) : output->proxy;
  c->normal = tac_vec3_unit(c->normal);
  c->deformed = c->at;
  c->triangle = -1;
}

void tac_held_tool_describe(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->held.body];
  tac_held_body_feel(&tool->held, &body->frame, body->start.orientation, tool->lifted, output);
  sum_contacts(world, &tool->held, output);
  bool touches = output->contact.state != TAC_CONTACT_NONE;
  report->contact_count += touches;
  tac_held_body_touch(&tool->held, world->period, touches);
}
