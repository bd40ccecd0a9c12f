#include "world/rates/local_answer.h"

#include <math.h>
#include <string.h>
#include "body/response.h"
#include "world/islands/block.h"
#include "world/islands/contact_response.h"
#include "world/islands/island.h"
#include "world/tools/point_tool.h"

/* Minimum compliance of a contact that is represented by a spring, m/N. */
static const double least_softness = 1e-6;
static const double lift_off = 3e-4;     /* motion by which a pull lifts a body off a support, m */
static const double near = 1e-4;         /* maximum gap of a contact that supports a body pressed on it, m */
static const double most_support = 1e5;  /* maximum stiffness of a support of a body that pads hold, N/m */
static const double least_hold = 1000.0; /* minimum stiffness of a support on which tools press a body, N/m */
/* Maximum product of the numbers of contacts and of vertices for an exact prediction, which then takes tens of
 * milliseconds. */
enum { MOST_ASKED = 4000 };

typedef struct Build {
  tacWorld *world;
  const tacLocalPast *past;
  tacLocalProblem *problem;
  tacTickReport *report;
} Build;

/* Returns true if a point tool touches a compliance body. Ticks then also solve the other contacts of this body. */
static bool is_pressed(const tacWorld *world, const tacLocalProblem *problem, int index) {
  if (index < 0 || !tac_world_body_complies(&world->bodies[index]) || tac_world_carries(world, index)) return false;
  for (int i = 0; i < problem->count; ++i)
    if (problem->contacts[i].tip && problem->contacts[i].body[1] == index) return true;
  return false;
}

bool tac_local_concerns_tools(const tacWorld *world, const tacLocalProblem *problem, const tacSetContact *s) {
  for (int side = 0; side < 2; ++side)
    if ((s->body[side] >= 0 && world->bodies[s->body[side]].holder >= 0) || is_pressed(world, problem, s->body[side]))
      return true;
  return false;
}

tacVec3 tac_local_past_place(const tacWorld *world, const tacPastContact *c, int side) {
  const tacWorldBody *body = &world->bodies[c->body[side]];
  tacVec3 place = tac_response_place(&body->body, body->fingers.patches, &c->site[side]);
  return tac_frame_to_world(&body->frame, tac_vec3_add(place, c->lever[side]));
}

tacSite tac_local_field_site(const tacWorld *world, const tacPair *pair, int i) {
  tacVec3 at = tac_frame_from_world(&world->bodies[pair->field].frame, pair->at[i].at);
  if (pair->contact_field.deformed == NULL) return (tacSite){TAC_SITE_FRAME, 0, at};
  tacPairProxy under = pair->proxies[i];
  return (tacSite){TAC_SITE_FIELD, under.domain << 16 | under.proxy,
                   tac_deformed_pose_pull_back(pair->contact_field.deformed, under.domain, under.proxy, at)};
}

tacVec3 tac_local_sharing(const tacPair *pair, int i) {
  const tacPenaltyPoint *p = &pair->at[i];
  return tac_vec3_scale(p->alone > 0.0 ? tac_vec3_dot(pair->springs[i].force, p->normal) : 0.0, p->normal);
}

/* ---- supports of a body ---- */

/* Direction in which tools start to move a body. The body then presses on some supports and leaves the others. */
typedef struct FirstMotion {
  tacVec3 about, way, turn; /* reference point; translation and rotation, with arbitrary magnitude */
} FirstMotion;

static FirstMotion first_motion_of(const Build *b, int index) {
  const double least = 1e-3; /* assumed normal force of a contact without force, N */
  const tacFrame *frame = &b->world->bodies[index].frame;
  FirstMotion to = {.about = tac_frame_about(frame)};
  tacVec3 torque = {0.0, 0.0, 0.0};
  for (int i = 0; i < b->problem->built; ++i) {
    const tacLocalContact *c = &b->problem->contacts[i];
    int side = c->body[0] == index ? 0 : 1;
    if (c->body[side] != index || !c->carries) continue;
    const tacWorldTool *tool = &b->world->tools[c->tool[c->tool[0] >= 0 ? 0 : 1]];
    if (tool->held.jaw_count > 0) return (FirstMotion){0}; /* jaws grip the body, which moves with the tool */
    const double bears[3] = {c->from[0] != 0.0 ? c->from[0] : least, c->from[1], c->from[2]};
    tacVec3 force = tac_vec3_scale(side == 0 ? 1.0 : -1.0, tac_contact_vector(c->axes, bears));
    tacVec3 at = c->tool[side] >= 0 ? tac_frame_to_world(frame, c->place[side]) : c->place[side];
    to.way = tac_vec3_add(to.way, force);
    torque = tac_vec3_add(torque, tac_vec3_cross(tac_vec3_sub(at, to.about), force));
  }
  if (frame->mode != TAC_FRAME_FREE || !(frame->mass > 0.0)) return to;
  to.way = tac_vec3_scale(1.0 / frame->mass, to.way);
  torque = tac_mat3_mul_vec(frame->inverse, tac_quat_rotate(tac_quat_conjugate(frame->orientation), torque));
  to.turn = tac_quat_rotate(frame->orientation, torque);
  return to;
}

/* Returns true if the motion `first` presses the body on the contact `s`. */
static bool presses_on(const FirstMotion *first, const tacSetContact *s, int side) {
  tacVec3 way = tac_vec3_add(first->way, tac_vec3_cross(first->turn, tac_vec3_sub(s->at, first->about)));
  return (side == 0 ? 1.0 : -1.0) * tac_vec3_dot(s->axes[0], way) < 0.0;
}

/* Returns the stiffness of a contact that ticks do not solve: a spring to a fixed place, along the contact's axes.
 * `force` receives the force of the contact.
 *
 * On a carried body, the contact force limits the stiffness: after a motion of `lift_off`, the body lifts off the
 * contact or overcomes the friction. If the local problem is stiffer than the bodies, errors grow from step to step. If
 * the local problem is softer, the tool sinks in until the next step (docs/rates.md). */
static tacMat3 hold(const tacSetContact *s, bool carried, bool pressed, double force[3]) {
  tac_contact_numbers(s->axes, s->force, force);
  double stiff = 1.0 / fmax(s->softness, least_softness), bears = fmax(0.0, force[0]) / lift_off;
  double normal = carried ? fmin(stiff, fmax(pressed ? least_hold : 0.0, bears)) : stiff;
  double across = carried ? fmin(stiff, s->friction * bears) : stiff;
  if (s->state != TAC_CONTACT_STICKS) across = 0.0;
  return tac_mat3_diagonal(normal, across, across);
}

/* Returns the contact stiffness `k` in series with the compliance of a compliance body. */
static tacMat3 hold_compliant(const tacWorldBody *body, const tacSetContact *s, int side, tacMat3 k) {
  tacMat3 c;
  if (!body->body.table->compliance(body->body.self, &s->site[side], &s->site[side], c.m)) return k;
  c = tac_island_turned(body, &c, s->axes, s->axes);
  for (int i = 0; i < 3; ++i) k.m[i][i] /= 1.0 + k.m[i][i] * c.m[i][i];
  return k;
}

static tacVec3 into(const tacWorldBody *body, tacVec3 v) {
  return tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), v);
}

/* Adds a spring for each contact of the body that ticks do not solve. */
static void add_others(Build *b, int index, bool carried, tacResponse *r) {
  const tacWorldBody *body = &b->world->bodies[index];
  const FirstMotion first = first_motion_of(b, index);
  for (int i = 0; i < b->world->contacts.count; ++i) {
    const tacSetContact *s = &b->world->contacts.list[i];
    int side = s->body[0] == index ? 0 : 1;
    if (s->body[side] != index || tac_local_concerns_tools(b->world, b->problem, s)) continue;
    bool pressed = carried && s->gap < near && presses_on(&first, s, side);
    if (s->state == TAC_CONTACT_NONE && !pressed) continue;
    double force[3];
    tacMat3 k = hold(s, carried, pressed, force);
    if (tac_world_body_complies(body)) k = hold_compliant(body, s, side, k);
    tacMat3 axes = tac_mat3_from_columns(into(body, s->axes[0]), into(body, s->axes[1]), into(body, s->axes[2]));
    k = tac_mat3_mul(axes, tac_mat3_mul(k, tac_mat3_transpose(axes)));
    tacVec3 acts = into(body, tac_vec3_scale(side == 0 ? 1.0 : -1.0, s->force));
    b->report->saturated +=
        !tac_response_add_spring(r, &s->site[side], tac_frame_from_world(&body->frame, s->at), acts, &k);
  }
}

/* Adds the springs of all pairs of the body (world/pairs/pair.h). The body must have coordinates. */
static void add_pairs(const Build *b, int index, tacResponse *r) {
  const tacWorldBody *body = &b->world->bodies[index];
  const tacMat3 turn = tac_quat_to_mat3(tac_quat_conjugate(body->frame.orientation));
  for (int p = 0; p < b->world->pair_count; ++p) {
    const tacPair *pair = &b->world->contact_pairs[p];
    int side = pair->points == index ? 0 : 1, n = r->n;
    if (pair->laws || !tac_pair_has(pair, index) || tac_pair_is_held(pair, b->world->bodies)) continue;
    double shared[TAC_BLOCK_MOST_MOVES] = {0.0}, j[3 * TAC_BLOCK_MOST_MOVES];
    double h = pair->pressed.below > 0.0 ? 2.0 / pair->pressed.below : 0.0;
    for (int i = 0; i < pair->count; ++i) {
      const tacContactSpring *spring = &pair->springs[i];
      tacSite site = side == 0 ? (tacSite){TAC_SITE_SHELL, pair->point[i], {0.0, 0.0, 0.0}}
                               : tac_local_field_site(b->world, pair, i);
      tacVec3 at = tac_frame_from_world(&body->frame, spring->at), sharing = into(body, tac_local_sharing(pair, i));
      tacMat3 k = tac_mat3_mul(turn, tac_mat3_mul(spring->stiffness, tac_mat3_transpose(turn)));
      double sign = side == 0 ? 1.0 : -1.0;
      tac_response_add_spring(r, &site, at, into(body, tac_vec3_scale(sign, spring->force)), &k);
      tac_response_jacobian(r, &site, at, j);
      for (int c = 0; c < n; ++c)
        shared[c] += sign * (sharing.x * j[c] + sharing.y * j[n + c] + sharing.z * j[2 * n + c]);
    }
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < n; ++c) r->matrix[i * n + c] -= h * shared[i] * shared[c];
  }
}

/* Adds load and stiffness of the pads that hold a free body. In these equations, pads are springs to fixed places. */
static void add_pads(const Build *b, int index, tacResponse *r) {
  for (int p = 0; p < b->world->pull_count && r->frame != NULL; ++p) {
    const tacPull *pull = &b->world->pulls[p];
    for (int i = 0; pull->body == index && i < 6; ++i) {
      r->load[i] += pull->wrench[i];
      for (int j = 0; j < 6; ++j) r->matrix[i * r->n + j] += pull->stiffness[i][j];
    }
  }
}

/* ---- bodies with a step response ---- */

/* Contacts on a body: the contacts of the problem, then the past contacts. The contacts of the problem are the first
 * sites of the response. The sign of a contact is 1 if the body is on the first side of the contact, otherwise -1. */
typedef struct Places {
  int count, contact[TAC_LOCAL_MOST];
  double sign[TAC_LOCAL_MOST];
  int past_count, past[TAC_LOCAL_BUILT], past_site[TAC_LOCAL_BUILT];
  double past_sign[TAC_LOCAL_BUILT];
} Places;

static bool is_carried(const Build *b, int index) {
  for (int i = 0; i < b->problem->built; ++i) {
    const tacLocalContact *c = &b->problem->contacts[i];
    if (c->carries && (c->body[0] == index || c->body[1] == index)) return true;
  }
  return false;
}

/* Returns the factor on the compliance between the contacts i and j for one tick. The bodies of carried contacts move
 * during a whole step, so the factor for these contacts is 1 / ticks. */
static double share_of(const tacLocalProblem *p, int i, int j) {
  return p->contacts[i].carries || p->contacts[j].carries ? 1.0 / p->ticks : 1.0;
}

static bool same_patch(const tacPatch *a, const tacPatch *b) {
  size_t n = (size_t)a->count;
  return a->count == b->count && memcmp(a->corner, b->corner, n * sizeof *a->corner) == 0 &&
         memcmp(a->weight, b->weight, n * sizeof *a->weight) == 0;
}

static bool same_site(const tacPatch *patches, const tacSite *a, const tacSite *b) {
  if (a->kind == TAC_SITE_PATCH && b->kind == TAC_SITE_PATCH) return same_patch(&patches[a->index], &patches[b->index]);
  return a->kind == b->kind && a->index == b->index && memcmp(&a->at, &b->at, sizeof a->at) == 0;
}

/* Adds the contacts of the problem on a body as sites. With `carried`, carried contacts have no force here: find_past
 * adds the forces of the past contacts. */
static void find_places(Build *b, int index, bool carried, Places *to, tacResponse *r) {
  const tacWorldBody *body = &b->world->bodies[index];
  for (int i = 0; i < b->problem->count; ++i) {
    const tacLocalContact *c = &b->problem->contacts[i];
    int side = c->body[0] == index ? 0 : 1;
    if (c->body[side] != index) continue;
    double sign = side == 0 ? 1.0 : -1.0;
    tacVec3 force = into(body, tac_vec3_scale(sign, tac_contact_vector(c->axes, c->from)));
    tacVec3 at = c->tool[side] >= 0 ? c->place[side] : tac_frame_from_world(&body->frame, c->place[side]);
    if (c->carries && carried) force = tac_vec3(0.0, 0.0, 0.0);
    if (tac_response_add_site(r, &c->site[side], at, force) < 0) {
      ++b->report->saturated;
      return;
    }
    to->sign[to->count] = sign;
    to->contact[to->count++] = i;
  }
}

/* Adds the carried past contacts on a body as sites. A body without coordinates has few sites, so equal sites are added
 * only once. */
static void find_past(Build *b, int index, Places *to, tacResponse *r) {
  const tacWorldBody *body = &b->world->bodies[index];
  for (int i = 0; i < b->past->count; ++i) {
    const tacPastContact *c = &b->past->contacts[i];
    int side = c->body[0] == index ? 0 : 1, site = r->n > 0 ? r->count : 0;
    if (!c->carries || c->body[side] != index) continue;
    double sign = side == 0 ? 1.0 : -1.0;
    tacVec3 force = into(body, tac_vec3_scale(sign, tac_contact_vector(c->axes, c->from)));
    while (site < r->count && !same_site(b->world->patches, &r->sites[site], &c->site[side])) ++site;
    if (site == r->count) {
      tacVec3 at = tac_frame_from_world(&body->frame, tac_local_past_place(b->world, c, side));
      if (tac_response_add_site(r, &c->site[side], at, force) < 0) {
        ++b->report->saturated;
        return;
      }
    } else {
      r->forces[site] = tac_vec3_add(r->forces[site], force);
    }
    to->past_site[to->past_count] = site;
    to->past_sign[to->past_count] = sign;
    to->past[to->past_count++] = i;
  }
}

/* Returns `sign` times the compliance between the sites i and j, along the axes `axes` at i and `others` at j. */
static tacMat3 between(const tacWorldBody *body, const tacResponse *r, int i, const tacVec3 *axes, int j,
                       const tacVec3 *others, double sign) {
  tacMat3 c = tac_response_compliance(r, i, j);
  return tac_mat3_scale(sign, tac_island_turned(body, &c, axes, others));
}

static void add_block(const tacMat3 *c, double scale, double *to, size_t stride, int i, int j) {
  for (size_t r = 0; r < 3; ++r)
    for (size_t k = 0; k < 3; ++k) to[(3 * (size_t)i + r) * stride + 3 * (size_t)j + k] += scale * c->m[r][k];
}

/* Adds the velocity at the contacts to the rates. Adds the compliance between contacts to C for a tick, to `now` for a
 * step, and to `before` for forces of past contacts. */
static void add_motion(Build *b, const tacWorldBody *body, const Places *at, const tacResponse *r) {
  tacLocalProblem *p = b->problem;
  size_t all = 3 * (size_t)p->count, built = 3 * (size_t)p->built, past = 3 * (size_t)p->past;
  for (int i = 0; i < at->count; ++i) {
    tacLocalContact *x = &p->contacts[at->contact[i]];
    tacVec3 v = tac_quat_rotate(body->frame.orientation, tac_response_speed(r, i));
    for (int k = 0; k < 3; ++k) x->rate[k] += at->sign[i] * tac_vec3_dot(x->axes[k], v);
    for (int o = 0; o < at->count; ++o) {
      const tacLocalContact *y = &p->contacts[at->contact[o]];
      tacMat3 c = between(body, r, i, x->axes, o, y->axes, at->sign[i] * at->sign[o]);
      add_block(&c, share_of(p, at->contact[i], at->contact[o]), p->compliance, all, at->contact[i], at->contact[o]);
      if (x->carries && y->carries) add_block(&c, 1.0, p->now, built, at->contact[i], at->contact[o]);
    }
    for (int o = 0; o < at->past_count && x->carries; ++o) {
      const tacPastContact *y = &b->past->contacts[at->past[o]];
      tacMat3 c = between(body, r, i, x->axes, at->past_site[o], y->axes, at->sign[i] * at->past_sign[o]);
      add_block(&c, 1.0, p->before, past, at->contact[i], at->past[o]);
    }
  }
}

/* Adds to `after` the motion at the contacts per force of the past contact `past` along axis k. `once` and `next`:
 * motion of the sites in the first and in the second step under this force. */
static void add_after(Build *b, const tacWorldBody *body, const Places *at, int past, size_t k, const tacVec3 *once,
                      const tacVec3 *next) {
  tacLocalProblem *p = b->problem;
  size_t acted = 3 * (size_t)p->past;
  for (int o = 0; o < at->count; ++o) {
    const tacLocalContact *c = &p->contacts[at->contact[o]];
    double numbers[3];
    if (!c->carries) continue;
    tac_contact_numbers(c->axes, tac_quat_rotate(body->frame.orientation, tac_vec3_sub(next[o], once[o])), numbers);
    for (size_t r = 0; r < 3; ++r)
      p->after[(3 * (size_t)at->contact[o] + r) * acted + 3 * (size_t)past + k] += at->sign[o] * numbers[r];
  }
}

/* Approximates `after` for contacts of held bodies, if an exact prediction takes too long. An exact prediction
 * solves the body's equations twice for each contact and axis. The effect of a force on the second step is approximated
 * as a constant fraction of the effect on the first step. The fraction is exact for the present forces. */
static void predict_others(Build *b, const tacWorldBody *body, const Places *at, tacResponse *r, tacVec3 *acts,
                           tacVec3 *once, tacVec3 *next) {
  tacLocalProblem *p = b->problem;
  size_t acted = 3 * (size_t)p->past, tips = 3 * (size_t)p->built;
  double now = 0.0, after = 0.0;
  tacVec3 forces[TAC_LOCAL_BUILT];
  memset(acts, 0, (size_t)r->held * sizeof *acts);
  for (int i = 0; i < at->past_count; ++i) {
    const tacPastContact *c = &b->past->contacts[at->past[i]];
    if (c->body[0] < 0) continue;
    tacVec3 force = tac_vec3_mad(tac_contact_vector(c->axes, c->from), 1e-3, c->axes[0]);
    forces[i] = into(body, tac_vec3_scale(at->past_sign[i], force));
    acts[at->past_site[i]] = tac_vec3_add(acts[at->past_site[i]], forces[i]);
  }
  tac_response_predict(r, false, acts, once, next);
  for (int i = 0; i < at->past_count; ++i) {
    const int site = at->past_site[i];
    if (b->past->contacts[at->past[i]].body[0] < 0) continue;
    now += tac_vec3_dot(forces[i], once[site]);
    after += tac_vec3_dot(forces[i], tac_vec3_sub(next[site], once[site]));
  }
  double share = now > 0.0 ? fmax(-1.0, fmin(1.0, after / now)) : 0.0;
  for (int o = 0; o < at->past_count; ++o) {
    if (b->past->contacts[at->past[o]].body[0] < 0) continue;
    for (size_t i = 0; i < tips; ++i)
      for (size_t k = 0; k < 3; ++k) {
        size_t to = i * acted + 3 * (size_t)at->past[o] + k;
        p->after[to] += share * p->before[to];
      }
  }
}

/* Predicts the motion at carried contacts in two steps, under all present forces and per force of each past contact. */
static void predict(Build *b, const tacWorldBody *body, const Places *at, tacResponse *r) {
  size_t room = (size_t)r->held + 1;
  tacVec3 *acts = tac_arena_array(r->arena, 3 * room, sizeof *acts), *once = acts + room, *next = once + room;
  if (acts == NULL) return; /* not reached: the arena is large enough */
  int of_held = 0;
  for (int i = 0; i < at->past_count; ++i) of_held += b->past->contacts[at->past[i]].body[0] >= 0;
  bool asks = r->n > 0 || of_held * body->surface->mesh->vertex_count <= MOST_ASKED;
  tac_response_predict(r, true, r->forces, once, next);
  for (int i = 0; i < at->count; ++i) {
    tacLocalContact *c = &b->problem->contacts[at->contact[i]];
    double first[3], second[3];
    if (!c->carries) continue;
    tac_contact_numbers(c->axes, tac_quat_rotate(body->frame.orientation, once[i]), first);
    tac_contact_numbers(c->axes, tac_quat_rotate(body->frame.orientation, next[i]), second);
    for (int k = 0; k < 3; ++k) {
      c->carried.first[k] -= at->sign[i] * first[k];
      c->carried.second[k] -= at->sign[i] * second[k];
    }
  }
  for (int i = 0; i < at->past_count; ++i) {
    const tacPastContact *c = &b->past->contacts[at->past[i]];
    for (size_t k = 0; k < 3 && (c->body[0] < 0 || asks); ++k) {
      memset(acts, 0, room * sizeof *acts);
      acts[at->past_site[i]] = into(body, tac_vec3_scale(at->past_sign[i], c->axes[k]));
      tac_response_predict(r, false, acts, once, next);
      add_after(b, body, at, at->past[i], k, once, next);
    }
  }
  if (!asks) predict_others(b, body, at, r, acts, once, next);
}

/* Returns the number of coordinates in the response of a body, including six of a free frame. */
static int coordinates_of(const tacWorldBody *body) {
  return body->size + (body->frame.mode == TAC_FRAME_FREE ? 6 : 0);
}

/* Returns the maximum number of sites in the response of a body. */
static int most_sites(const tacWorldBody *body) {
  return coordinates_of(body) > 0 ? TAC_LOCAL_MOST + TAC_LOCAL_BUILT : tac_body_describe(&body->body).sites;
}

size_t tac_local_answer_room(const tacWorld *world) {
  size_t room = 0;
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    int most = most_sites(body);
    size_t own = tac_response_room(most, coordinates_of(body)) + 3 * ((size_t)most + 1) * sizeof(tacVec3);
    room = room > own ? room : own;
  }
  return room;
}

/* Adds the compliance of one body to C, and the motion of the body to the rates of the contacts. */
static void add_response(Build *b, int index) {
  tacArena *arena = &b->world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  const tacWorldBody *body = &b->world->bodies[index];
  bool coordinates = coordinates_of(body) > 0;
  bool two = is_carried(b, index) && (coordinates || body->body.table->predict != NULL);
  Places at = {.count = 0};
  tacResponse r;
  if (tac_response_begin(&r, &body->body, body->frame.mode == TAC_FRAME_FREE ? &body->frame : NULL, &body->step,
                         most_sites(body), two, arena)) {
    find_places(b, index, two, &at, &r);
    if (two) find_past(b, index, &at, &r);
    add_others(b, index, two, &r);
    if (coordinates) {
      add_pairs(b, index, &r);
      add_pads(b, index, &r);
    }
    if (tac_response_solve(&r)) {
      add_motion(b, body, &at, &r);
      if (two) predict(b, body, &at, &r);
    }
  }
  tac_arena_release(arena, mark);
}

/* ---- compliance bodies ---- */

/* Corrects the anchor of the contact `to` on a compliance body for the force of the contact `by`. `c`: compliance
 * between the contacts.
 *
 * If `by` is not a carried contact, the place of an active contact `to` already includes the displacement under the
 * force of `by`. For an inactive contact `to`, the function adds this displacement along the normal. If `by` is a
 * carried contact, u contains the total force of `by`, not its change. The function then removes the displacement under
 * f' of `by` from an active contact `to`. */
static void displace(tacLocalContact *to, const tacLocalContact *by, const tacMat3 *c, bool turned) {
  bool acts = !to->carries && (to->from[0] != 0.0 || to->from[1] != 0.0 || to->from[2] != 0.0);
  for (int r = 0; r < 3; ++r) {
    double way = 0.0;
    for (int k = 0; k < 3; ++k) way += (turned ? c->m[k][r] : c->m[r][k]) * by->from[k];
    if (by->carries)
      to->anchor[r] += acts ? way : 0.0;
    else if (!acts && r == 0)
      to->anchor[r] -= way;
  }
}

/* Adds the static compliance of one compliance body to C. Displacements have no velocity, so rates do not change. */
static void add_compliance(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacWorldBody *body = &b->world->bodies[index];
  size_t all = 3 * (size_t)p->count;
  for (int i = 0; i < p->count; ++i)
    for (int o = 0; o <= i; ++o)
      for (int s = 0; s < 2; ++s)
        for (int q = 0; q < 2; ++q) {
          tacLocalContact *x = &p->contacts[i], *y = &p->contacts[o];
          tacMat3 c;
          if (x->body[s] != index || y->body[q] != index) continue;
          bool known = x->tip && y->tip
                           ? tac_point_tool_compliance(b->world, index, x->tool[0], &b->problem->contacts[i].site[s],
                                                       y->tool[0], &b->problem->contacts[o].site[q], &c)
                           : body->body.table->compliance(body->body.self, &b->problem->contacts[i].site[s],
                                                          &b->problem->contacts[o].site[q], c.m);
          if (!known) {
            ++b->report->uncoupled;
            continue;
          }
          c = tac_mat3_scale(s == q ? 1.0 : -1.0, tac_island_turned(body, &c, x->axes, y->axes));
          displace(x, y, &c, false);
          if (i != o) displace(y, x, &c, true);
          for (size_t r = 0; r < 3; ++r)
            for (size_t k = 0; k < 3; ++k) {
              double value = c.m[r][k];
              p->compliance[(3 * (size_t)i + r) * all + 3 * (size_t)o + k] += value;
              if (i != o) p->compliance[(3 * (size_t)o + k) * all + 3 * (size_t)i + r] += value;
            }
        }
}

/* Adds the supports of a body that pads hold, including contacts that are only near. */
static void add_supports(const Build *b, int index, tacPulledFrame *to) {
  const tacContactSet *set = &b->world->contacts;
  const tacWorldBody *body = &b->world->bodies[index];
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *s = &set->list[i];
    int side = s->body[0] == index ? 0 : 1;
    if (s->body[side] != index || tac_local_concerns_tools(b->world, b->problem, s)) continue;
    if (to->count == TAC_PULLED_CONTACTS) {
      ++b->report->saturated;
      continue;
    }
    tacPulledContact *c = &to->contacts[to->count++];
    double force[3] = {0.0}, sign = side == 0 ? 1.0 : -1.0;
    bool acts = s->state != TAC_CONTACT_NONE;
    tacMat3 k = hold(s, false, false, force);
    tacVec3 arm = tac_vec3_sub(s->at, tac_frame_about(&body->frame));
    for (int r = 0; r < 3; ++r) {
      tacVec3 axis = tac_vec3_scale(sign, s->axes[r]), turn = tac_vec3_cross(arm, axis);
      memcpy(c->rows[r], (double[6]){axis.x, axis.y, axis.z, turn.x, turn.y, turn.z}, sizeof c->rows[r]);
      c->stiffness[r] = r == 0 || acts ? fmin(k.m[r][r], most_support) : 0.0;
      c->force[r] = acts ? force[r] : 0.0;
    }
    tacVec3 v = tac_frame_velocity(&body->frame, s->at);
    c->gap = acts ? 0.0 : fmax(0.0, s->gap + sign * body->step.length * tac_vec3_dot(s->axes[0], v));
  }
}

void tac_local_answer_pull(tacWorld *world, tacLocalProblem *problem, const tacPull *pull, tacTickReport *report,
                           tacPulledFrame *to) {
  Build b = {.world = world, .problem = problem, .report = report};
  const tacWorldBody *body = &world->bodies[pull->body];
  tac_pulled_frame_begin(to, pull->body, &body->frame);
  if (coordinates_of(body) != 6) return;
  double load[6] = {0.0}, still[6][6];
  tacResponse r = {.body = &body->body,
                   .frame = &body->frame,
                   .step = &body->step,
                   .n = 6,
                   .matrix = &to->springs[0][0],
                   .load = load};
  tacFrame frame = body->frame;
  add_supports(&b, pull->body, to);
  add_pairs(&b, pull->body, &r);
  for (int i = 0; i < problem->count; ++i) { /* contacts that ticks solve have constant forces here */
    const tacLocalContact *c = &problem->contacts[i];
    int side = c->body[0] == pull->body ? 0 : 1;
    if (c->body[side] != pull->body || c->carries) continue;
    tacVec3 place = c->tool[side] >= 0 ? tac_frame_to_world(&body->frame, c->place[side]) : c->place[side];
    tacVec3 force = tac_vec3_scale(side == 0 ? 1.0 : -1.0, tac_contact_vector(c->axes, c->from));
    tacVec3 moment = tac_vec3_cross(tac_vec3_sub(place, tac_frame_about(&body->frame)), force);
    const double six[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; ++k) load[k] += six[k];
  }
  tac_frame_equation(&frame, body->step.length, to->inertia, to->load);
  frame.linear = frame.angular = tac_vec3(0.0, 0.0, 0.0);
  tac_frame_equation(&frame, body->step.length, still, to->steady);
  for (int i = 0; i < 6; ++i) {
    to->load[i] += load[i];
    to->steady[i] += load[i];
  }
  to->known = true;
}

void tac_local_answer(tacWorld *world, const tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report) {
  Build b = {world, past, problem, report};
  for (int index = 0; index < world->body_count; ++index) {
    const tacWorldBody *body = &world->bodies[index];
    bool touched = false;
    for (int i = 0; i < problem->count; ++i)
      touched = touched || problem->contacts[i].body[0] == index || problem->contacts[i].body[1] == index;
    if (!touched) continue;
    if (coordinates_of(body) > 0 || tac_world_body_yields(body)) add_response(&b, index);
    if (tac_world_body_complies(body)) add_compliance(&b, index);
  }
}
