#include "world/doubt.h"

#include <math.h>
#include "math/geometry/quat.h"

enum { MOST = TAC_MOST_TOOLS + TAC_WORLD_MOST_PRESSES, EVERY = 8 };

typedef struct Forces {
  int count;
  tacSite sites[MOST];
  tacVec3 forces[MOST];
} Forces;

/* On a body that answers as a compliance: of point tools and of bodies, in its frame. */
static void collect(const tacWorld *world, int b, const tacToolOutput *outputs, Forces *to) {
  const tacQuat back = tac_quat_conjugate(world->bodies[b].frame.orientation);
  to->count = 0;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacContact *c = &outputs[t].contact;
    if (c->state == TAC_CONTACT_NONE || c->body != (uint32_t)b || c->triangle < 0) continue;
    to->sites[to->count] = (tacSite){TAC_SITE_SURFACE, c->triangle, {c->weight[0], c->weight[1], c->weight[2]}};
    to->forces[to->count++] = tac_quat_rotate(back, c->force);
  }
  for (int i = 0; i < world->contacts.count && to->count < MOST; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    int side = c->body[0] == b ? 0 : 1;
    if (c->body[side] != b || c->state == TAC_CONTACT_NONE) continue;
    to->sites[to->count] = c->site[side];
    to->forces[to->count++] = tac_quat_rotate(back, tac_vec3_scale(side == 0 ? 1.0 : -1.0, c->force));
  }
}

static double ask(const tacWorld *world, int b, const tacToolOutput *outputs) {
  const tacWorldBody *body = &world->bodies[b];
  Forces f;
  f.count = 0;
  if (tac_world_body_complies(body)) collect(world, b, outputs, &f);
  double doubt = body->body.table->doubt(body->body.self, f.count, f.sites, f.forces);
  return doubt >= 0.0 && isfinite(doubt) ? doubt : -1.0;
}

void tac_doubt_measure(tacWorld *world, const tacToolOutput *outputs, tacTickReport *report) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (body->body.table->doubt == NULL) continue;
    if ((world->tick + b) % EVERY == 0) body->doubt = ask(world, b, outputs);
    if (!(body->doubt > report->doubt)) continue;
    report->doubt = body->doubt;
    report->doubted = b + 1;
  }
  for (int t = 0; t < world->tool_count; ++t) report->coupling_saturated += outputs[t].saturated;
}
