#include "world/islands/contact_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "body/response.h"
#include "world/tools/point_tool.h"

/* Minimum compliance of a site, relative to the softest site. Nodes clamped against a wall have zero compliance, but
 * the diagonal of W must be positive. */
static const double least_share = 1e-6;

/* ---- table of compliances ---- */

enum { LEAST = 1024, MOST = 65536 }; /* number of table entries */

typedef struct Entry {
  uint32_t epoch; /* value of tacComplianceMemory.epoch when the entry was computed */
  int body;
  tacSite at, by;
  tacMat3 compliance;
} Entry;

struct tacComplianceMemory {
  size_t count;   /* number of entries, a power of two */
  uint32_t epoch; /* number that increases when the table is cleared; older entries are invalid */
  Entry entries[];
};

tacStatus tac_contact_response_create(int contacts, tacComplianceMemory **memory, tacError *error) {
  size_t count = LEAST, wanted = (size_t)contacts * (size_t)contacts;
  while (count < wanted && count < MOST) count *= 2;
  *memory = NULL;
  tacComplianceMemory *made = tac_array_create(1, sizeof *made + count * sizeof *made->entries, "compliances", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->count = count;
  made->epoch = 1;
  *memory = made;
  return TAC_OK;
}

void tac_contact_response_destroy(tacComplianceMemory *memory) {
  free(memory);
}

void tac_contact_response_forget(tacComplianceMemory *memory) {
  if (memory != NULL) ++memory->epoch;
}

static bool same(const tacSite *a, const tacSite *b) {
  return a->kind == b->kind && a->index == b->index && a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z;
}

static uint64_t bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static uint64_t hash(uint64_t sum, const tacSite *site) {
  const uint64_t parts[4] = {(uint64_t)(uint32_t)site->index, bits(site->at.x), bits(site->at.y), bits(site->at.z)};
  for (int i = 0; i < 4; ++i) sum = (sum ^ (sum >> 29) ^ parts[i]) * 0x9e3779b97f4a7c15u;
  return sum;
}

/* Looks up or computes the compliance between two sites of a body with static compliance, m/N, body's frame. */
static bool find(const tacWorld *world, int b, const tacSite *at, const tacSite *by, tacMat3 *compliance) {
  const tacBody *body = &world->bodies[b].body;
  tacComplianceMemory *memory = world->compliances;
  uint64_t key = hash(hash((uint64_t)b + 1, at), by);
  Entry *entry = &memory->entries[(key >> 24) & (memory->count - 1)];
  if (entry->epoch != memory->epoch || entry->body != b || !same(&entry->at, at) || !same(&entry->by, by)) {
    tacMat3 c;
    if (!body->table->compliance(body->self, at, by, c.m)) return false;
    *entry = (Entry){memory->epoch, b, *at, *by, c};
  }
  *compliance = entry->compliance;
  return true;
}

/* ---- static compliance: displacements ---- */

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
    if (find(world, b, site, &displaced->presses->sites[i], &c))
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
  tacYielding *y = &body->yielding;
  tacResponse *r = &y->response;
  int most = tac_body_describe(&body->body).sites, tools = 0; /* `tools` sites are reserved for point tools */
  *y = (tacYielding){.motion = tac_arena_array(&world->arena, (size_t)most, sizeof *y->motion)};
  y->base = tac_arena_array(&world->arena, 3 * (size_t)most, sizeof *y->base);
  if (y->motion == NULL || y->base == NULL ||
      !tac_response_begin(r, &body->body, NULL, &body->step, most, false, &world->arena))
    return false;
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
  body->step.springs = r->count - r->held;
  body->step.spring = &r->springs[0].m[0][0];
  body->step.patches = body->fingers.patches;
  body->body.table->begin_step(body->body.self, &body->step, r->count, r->sites, r->forces, y->motion, r->c);
  double softest = 0.0;
  int n = 3 * r->count;
  for (int i = 0; i < n; ++i) softest = softest > r->c[i * (n + 1)] ? softest : r->c[i * (n + 1)];
  for (int i = 0; i < n; ++i) r->c[i * (n + 1)] += least_share * softest;
  /* The elimination of the springs fails if the arena is too small. */
  if (r->count > r->held && !tac_response_hold(r->count, r->held, r->c, r->springs, r->g, &world->arena))
    memset(r->g, 0,
           9 * (size_t)((r->count - r->held) * (r->count - r->held)) * sizeof *r->g); /* spring forces stay constant */
  return true;
}

static double product(int n, const double *row, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += row[i] * x[i];
  return sum;
}

/* Computes the spring forces f0 - G u, where u is the motion of the spring sites under the guessed forces f0 at all
 * sites. G is defined in body/response.h. */
static void settle_springs(tacYielding *y) {
  const tacResponse *r = &y->response;
  int s = 3 * (r->count - r->held), l = 3 * r->held, n = 3 * r->count;
  double *motion = &y->motion->x;
  /* change of the spring forces from f0 */
  for (int i = 0; i < s; ++i) y->base[i] = -product(s, r->g + i * s, motion + l);
  /* effect of this change on the other sites */
  for (int i = 0; i < l; ++i) motion[i] += product(s, r->c + i * n + l, y->base);
}

/* Subtracts the effect of the guessed contact forces from the motion. */
static void take_off_guess(tacYielding *y) {
  for (int i = 0; i < 3 * y->contacts; ++i)
    (&y->motion->x)[i] -= product(3 * y->contacts, y->response.c + i * 3 * y->response.count, &y->response.forces->x);
}

/* True if a body can recompute its motion from its full equations. A body with point tools cannot, since their springs
 * would have to be eliminated again. */
static bool may_know_better(const tacWorldBody *body) {
  const tacYielding *y = &body->yielding;
  return tac_world_body_yields(body) && body->body.table->move_again != NULL && y->contacts > 0 &&
         y->response.count == y->response.held;
}

bool tac_contact_response_begin(tacWorld *world, tacTickReport *report) {
  bool again = false;
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (!tac_world_body_yields(body)) continue;
    if (!begin(world, b, report)) { /* this cannot happen: the arena is large enough */
      body->yielding = (tacYielding){.response = {.count = -1}};
      ++report->saturated;
      continue;
    }
    settle_springs(&body->yielding);
    take_off_guess(&body->yielding);
    again = again || may_know_better(body);
  }
  return again;
}

/* Stores the present contact forces in the response. `change`, [3 contacts]: change since the last call; may be
 * NULL. */
static void take_forces(const tacWorld *world, int b, double *change) {
  const tacWorldBody *body = &world->bodies[b];
  const tacYielding *y = &body->yielding;
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
    const tacBodyTable *table = body->body.table;
    tacYielding *y = &body->yielding;
    if (!may_know_better(body)) continue;
    take_forces(world, b, NULL);
    if (!table->move_again(body->body.self, &body->step, y->response.forces, y->motion)) continue;
    take_off_guess(y);
  }
}

static void end(tacWorld *world, int b, tacTickReport *report) {
  tacWorldBody *body = &world->bodies[b];
  const tacYielding *y = &body->yielding;
  const tacResponse *r = &y->response;
  int s = 3 * (r->count - r->held), l = 3 * y->contacts, n = 3 * r->count, first = 3 * r->held;
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double *change = tac_arena_array(&world->arena, (size_t)l + 1, sizeof *change);
  double *at = tac_arena_array(&world->arena, (size_t)s + 1, sizeof *at), *springs = &r->forces->x + first;
  memset(change, 0, ((size_t)l + 1) * sizeof *change);
  take_forces(world, b, change);
  for (int i = 0; i < s; ++i) at[i] = product(l, r->c + (first + i) * n, change);
  for (int i = 0; i < s; ++i) { /* adds base - G C_SL change to the spring forces; S: springs, L: contacts */
    double sum = y->base[i];
    for (int a = 0; a < s; ++a) sum -= r->g[i * s + a] * at[a];
    springs[i] += sum;
  }
  tac_arena_release(&world->arena, mark);
  tacBodyFinish done = body->body.table->end_step(body->body.self, &body->step, r->forces);
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
    bytes += tac_response_room(most, 0) + 2 * (size_t)most * sizeof(tacVec3) +
             /* includes the memory of end() */
             (6 * (size_t)most + 6 * TAC_MOST_TOOLS) * sizeof(double) + 16 * TAC_ARENA_ALIGNMENT;
  }
  return bytes;
}

tacVec3 tac_contact_response_tick_motion(const tacWorld *world, const tacPush *push) {
  const tacWorldBody *body = &world->bodies[push->body];
  const tacYielding *y = &body->yielding;
  const tacResponse *r = &y->response;
  double sum[3 * TAC_WORLD_MOST_TICK_FORCES] = {0.0};
  int s = r->count - r->held, n = 3 * r->count, falls = push->answer - r->held;
  if (r->count < 0 || push->answer < 0 || s > TAC_WORLD_MOST_TICK_FORCES) return tac_vec3(0.0, 0.0, 0.0);
  int first = falls < 0 ? push->answer : r->held, rows = falls < 0 ? 1 : s;
  /* Motion at the site of the force, or at all springs, due to the change of the contact forces. */
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side) {
      const tacSetContact *c = &world->contacts.list[i];
      if (c->body[side] != push->body || c->answer[side] < 0) continue;
      tacVec3 force = into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
      const tacVec3 change = tac_vec3_sub(force, r->forces[c->answer[side]]);
      for (int k = 0; k < 3 * rows; ++k)
        sum[k] += product(3, r->c + (3 * first + k) * n + 3 * c->answer[side], &change.x);
    }
  const double *at = &y->motion[push->answer].x, *base = y->base + 3 * falls;
  double moved[3];
  for (int k = 0; k < 3; ++k) /* the motion u of a spring follows from f0 - k u = f0 + base - G C_SL change */
    moved[k] =
        falls < 0 ? at[k] + sum[k] : (product(3 * s, r->g + (3 * falls + k) * 3 * s, sum) - base[k]) / push->stiffness;
  return tac_quat_rotate(body->frame.orientation, tac_vec3(moved[0], moved[1], moved[2]));
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
  if (!tac_world_body_yields(body)) return find(world, at->body[at_side], &at->site[at_side], &by->site[by_side], c);
  *c = tac_response_compliance(&body->yielding.response, at->answer[at_side], by->answer[by_side]);
  return true;
}
