#include "world/islands/contact_response.h"

#include <math.h>
#include <string.h>
#include "body/compliance_memory.h"
#include "body/response.h"
#include "world/tools/point_tool.h"

void tac_presses_add_tools(tacPresses *to, const tacWorld *world, int body, tacQuat back, int tool_count,
                           const tacToolOutput *outputs) {
  for (int t = 0; t < tool_count; ++t) {
    const tacContact *c = &outputs[t].contact;
    if (c->state == TAC_CONTACT_NONE || c->body != (uint32_t)body || c->triangle < 0) continue;
    tacSurfacePoint at = {c->triangle, {c->weight[0], c->weight[1], c->weight[2]}};
    to->sites[to->count] = tac_site_touched(&world->bodies[body].body, world->tools[t].tip, at);
    to->forces[to->count++] = tac_quat_rotate(back, c->force);
  }
}

void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most) {
  tacQuat back = tac_quat_conjugate(world->bodies[body].frame.orientation);
  for (int i = 0; i < world->contacts.count && to->count < most; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    int side = c->body[0] == body ? 0 : 1;
    if (c->body[side] != body || c->state == TAC_CONTACT_NONE) continue;
    to->sites[to->count] = c->site[side];
    to->forces[to->count++] = tac_quat_rotate(back, tac_vec3_scale(side == 0 ? 1.0 : -1.0, c->force));
  }
  for (int i = 0; i < world->tick_force_count && to->count < most; ++i) {
    if (world->tick_forces[i].body != body) continue;
    to->sites[to->count] = world->tick_forces[i].site;
    to->forces[to->count++] = tac_quat_rotate(back, world->tick_forces[i].force);
  }
}

static void follow(tacWorld *world, int b) {
  tacWorldBody *body = &world->bodies[b];
  tacPresses *presses = body->displaced.presses;
  presses->count = 0;
  tac_presses_add_contacts(presses, world, b, TAC_WORLD_MOST_PRESSES);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    if (tool->body != b || tool->point.state == TAC_CONTACT_NONE || tac_world_carries(world, b)) continue;
    presses->sites[presses->count] = tac_site_touched(&body->body, tool->tip, tool->point.at);
    presses->forces[presses->count++] = tool->point.force;
  }
  if (presses->count == 0 && body->displaced.most == 0.0) return;
  body->body.table->displace(body->body.self, presses->count, presses->sites, presses->forces, body->displaced.by, NULL,
                             NULL);
  double most2 = 0.0;
  for (int v = 0; v < body->surface->mesh->vertex_count; ++v) {
    double by2 = tac_vec3_norm2(body->displaced.by[v]);
    most2 = by2 > most2 ? by2 : most2;
  }
  body->displaced.most = sqrt(most2);
}

void tac_contact_response_displace(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].displaced.by != NULL) follow(world, b);
}

tacVec3 tac_contact_response_displacement(const tacWorldBody *body, const tacSite *site) {
  if (body == NULL || body->displaced.by == NULL || body->displaced.most == 0.0 || site->kind != TAC_SITE_SURFACE)
    return tac_vec3(0.0, 0.0, 0.0);
  const int *v = body->surface->mesh->triangles[site->index].v;
  const tacVec3 *u = body->displaced.by;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(site->at.x, u[v[0]]), site->at.y, u[v[1]]), site->at.z, u[v[2]]);
}

tacVec3 tac_contact_response_displacement_by_w(const tacWorld *world, int b, const tacSite *site) {
  const tacBodyDisplaced *displaced = b >= 0 ? &world->bodies[b].displaced : NULL;
  tacVec3 sum = {0.0, 0.0, 0.0};
  if (displaced == NULL || displaced->by == NULL || site->kind != TAC_SITE_SURFACE) return sum;
  for (int i = 0; i < displaced->presses->count; ++i) {
    tacMat3 c;
    if (tac_compliance_memory_find(world->compliances, b, &world->bodies[b].body, site, &displaced->presses->sites[i],
                                   &c))
      sum = tac_vec3_add(sum, tac_mat3_mul_vec(c, displaced->presses->forces[i]));
  }
  return sum;
}

/* Computes the displacement of a site by the forces of all point tools, m, body's frame. */
static tacVec3 moved_by_tools(const tacWorld *world, int b, const tacSite *site) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    const tacBody *body = &world->bodies[b].body;
    tacMat3 w;
    tacSite by = tac_site_touched(body, tool->tip, tool->point.at);
    if (tool->body == b && tool->point.state != TAC_CONTACT_NONE && body->table->compliance(body->self, site, &by, w.m))
      sum = tac_vec3_add(sum, tac_mat3_mul_vec(w, tool->point.force));
  }
  return sum;
}

/* ---- step compliance: preparation ---- */

void tac_contact_response_prepare(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    tacBodyStep step = {.length = world->period * body->turn.every, .patches = body->fingers.patches};
    if (tac_world_body_yields(body)) body->body.table->next_compliance(body->body.self, &step, 0, NULL, NULL);
  }
}

/* ---- step compliance: sites of forces ---- */

static tacVec3 into(const tacWorldBody *body, tacVec3 v) {
  return tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), v);
}

static void add_springs(tacWorld *world, int b, tacResponse *r, tacTickReport *report) {
  const tacWorldBody *body = &world->bodies[b];
  tacMat3 turn = tac_quat_to_mat3(body->frame.orientation);
  for (int t = 0; t < world->tool_count; ++t) {
    tacToolSpring s;
    if (world->tools[t].body != b || !tac_point_tool_spring(world, t, &s)) continue;
    double damper = s.damping / body->step.length;
    tacMat3 k = tac_mat3_add(s.stiffness, tac_mat3_diagonal(damper, damper, damper));
    k = tac_mat3_mul(tac_mat3_transpose(turn), tac_mat3_mul(k, turn));
    report->saturated += !tac_response_add_spring(r, &s.site, s.at, into(body, s.force), &k);
  }
}

/* Adds an external force. Returns the index of its site, or -1 if the response is full. */
static int add_push(const tacWorldBody *body, const tacPush *push, tacResponse *r, tacTickReport *report) {
  int site = tac_response_add_site(r, &push->site, push->at, into(body, push->force));
  report->saturated += site < 0;
  return site;
}

/* Adds a tick force that decreases with motion (tick_forces.h). Returns the index of its site, or -1 if the response is
 * full. */
static int add_falling(const tacWorldBody *body, const tacPush *push, tacResponse *r, tacTickReport *report) {
  const tacMat3 k = tac_mat3_diagonal(push->stiffness, push->stiffness, push->stiffness);
  bool added = tac_response_add_spring(r, &push->site, push->at, into(body, push->force), &k);
  report->saturated += !added;
  return added ? r->count - 1 : -1;
}

static bool begin(tacWorld *world, int b, tacTickReport *report) {
  tacWorldBody *body = &world->bodies[b];
  tacStepResponse *y = &body->yielding;
  tacResponse *r = &y->response;
  int most = tac_body_describe(&body->body).sites, tools = 0; /* `tools` sites are reserved for point tools */
  if (!tac_step_response_begin(y, &body->body, &body->step, most, &world->arena)) return false;
  for (int t = 0; t < world->tool_count; ++t) tools += world->tools[t].body == b;
  r->most = most - tools;
  for (int i = 0; i < world->contacts.count; ++i) {
    tacSetContact *c = &world->contacts.list[i];
    for (int side = 0; side < 2; ++side) {
      if (c->body[side] != b) continue;
      tacVec3 force = into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
      c->answer[side] = tac_response_add_site(r, &c->site[side], c->at, force);
      report->saturated += c->answer[side] < 0;
    }
  }
  y->contacts = r->count;
  for (int i = 0; i < world->push_count; ++i)
    if (world->pushes[i].body == b) add_push(body, &world->pushes[i], r, report);
  r->most = most;
  for (int falls = 0; falls < 2; ++falls) /* springs must be added after all forces */
    for (int i = 0; i < world->tick_force_count; ++i) {
      tacPush *push = &world->tick_forces[i];
      if (push->body == b && (push->stiffness > 0.0) == (falls == 1))
        push->answer = falls == 1 ? add_falling(body, push, r, report) : add_push(body, push, r, report);
    }
  add_springs(world, b, r, report);
  body->step.patches = body->fingers.patches;
  tac_step_response_start(y, &body->step, &world->arena);
  return true;
}

bool tac_contact_response_begin(tacWorld *world, tacTickReport *report) {
  bool again = false;
  for (int b = 0; b < world->body_count; ++b) {
    if (!tac_world_body_yields(&world->bodies[b])) continue;
    bool begun = begin(world, b, report); /* true: the arena is large enough */
    report->saturated += !begun;
    again = again || tac_step_response_may_repeat(&world->bodies[b].yielding);
  }
  return again;
}

/* Stores the present contact forces in the response. `change`, [3 contacts]: change since the last call; may be
 * NULL. */
static void take_forces(const tacWorld *world, int b, double *change) {
  const tacWorldBody *body = &world->bodies[b];
  const tacStepResponse *y = &body->yielding;
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side) {
      const tacSetContact *c = &world->contacts.list[i];
      if (c->body[side] != b || c->answer[side] < 0) continue;
      tacVec3 force = into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
      const tacVec3 more = tac_vec3_sub(force, y->response.forces[c->answer[side]]);
      if (change != NULL) memcpy(change + 3 * c->answer[side], &more, sizeof more);
      y->response.forces[c->answer[side]] = force;
    }
}

void tac_contact_response_again(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (!tac_world_body_yields(body) || !tac_step_response_may_repeat(&body->yielding)) continue;
    take_forces(world, b, NULL);
    tac_step_response_repeat(&body->yielding);
  }
}

static void end(tacWorld *world, int b, tacTickReport *report) {
  tacStepResponse *y = &world->bodies[b].yielding;
  const size_t l = 3 * (size_t)y->contacts + 1;
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double *change = tac_arena_array(&world->arena, l, sizeof *change);
  memset(change, 0, l * sizeof *change);
  take_forces(world, b, change);
  tacBodyFinish done = tac_step_response_end(y, change, &world->arena);
  tac_arena_release(&world->arena, mark);
  report->limited += done.limited;
  report->refused += done.refused;
}

void tac_contact_response_end(tacWorld *world, tacTickReport *report) {
  for (int b = 0; b < world->body_count; ++b)
    if (tac_world_body_yields(&world->bodies[b]) && world->bodies[b].yielding.response.count >= 0)
      end(world, b, report);
}

size_t tac_contact_response_room(const tacWorld *world) {
  size_t bytes = 0;
  for (int b = 0; b < world->body_count; ++b) {
    if (!tac_world_body_yields(&world->bodies[b])) continue;
    int most = tac_body_describe(&world->bodies[b].body).sites;
    bytes += tac_step_response_room(most) +
             /* includes the memory of end() */
             (3 * (size_t)most + 6 * TAC_MOST_TOOLS) * sizeof(double) + 16 * TAC_ARENA_ALIGNMENT;
  }
  return bytes;
}

tacVec3 tac_contact_response_tick_motion(const tacWorld *world, const tacPush *push) {
  const tacWorldBody *body = &world->bodies[push->body];
  const tacStepResponse *y = &body->yielding;
  const tacResponse *r = &y->response;
  double sum[3 * TAC_WORLD_MOST_TICK_FORCES] = {0.0};
  if (r->count < 0 || push->answer < 0 || r->count - r->held > TAC_WORLD_MOST_TICK_FORCES)
    return tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side) {
      const tacSetContact *c = &world->contacts.list[i];
      if (c->body[side] != push->body || c->answer[side] < 0) continue;
      tacVec3 force = into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
      tac_step_response_add_change(y, push->answer, c->answer[side], tac_vec3_sub(force, r->forces[c->answer[side]]),
                                   sum);
    }
  return tac_quat_rotate(body->frame.orientation, tac_step_response_motion(y, push->answer, push->stiffness, sum));
}

/* ---- contacts of all bodies ---- */

bool tac_contact_response_motion(const tacWorld *world, const tacSetContact *c, int side, tacVec3 *motion) {
  const tacWorldBody *body = &world->bodies[c->body[side]];
  bool yields = tac_world_body_yields(body), there = c->answer[side] >= 0 && body->yielding.response.count >= 0;
  if (yields && !there) return false;
  *motion = tac_quat_rotate(body->frame.orientation, yields ? body->yielding.motion[c->answer[side]]
                                                            : moved_by_tools(world, c->body[side], &c->site[side]));
  return true;
}

bool tac_contact_response_compliance(const tacWorld *world, const tacSetContact *at, int at_side,
                                     const tacSetContact *by, int by_side, tacMat3 *c) {
  const tacWorldBody *body = &world->bodies[at->body[at_side]];
  if (!tac_world_body_yields(body))
    return tac_compliance_memory_find(world->compliances, at->body[at_side], &body->body, &at->site[at_side],
                                      &by->site[by_side], c);
  *c = tac_response_compliance(&body->yielding.response, at->answer[at_side], by->answer[by_side]);
  return true;
}
