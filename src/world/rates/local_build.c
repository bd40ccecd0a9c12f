#include "world/rates/local_build.h"

#include <math.h>
#include <string.h>
#include "asset/contact_field.h"
#include "body/response.h"
#include "collide/contact_clusters.h"
#include "math/dense/dense.h"
#include "world/islands/block.h"
#include "world/islands/island.h"
#include "world/islands/meeting.h"
#include "world/islands/yielding.h"
#include "world/pairs/pair.h"
#include "world/tools/point_tool.h"

/* What is exact gives way by so little where it is a spring: m/N. */
static const double least_softness = 1e-6;
static const double most_speed = 1.0; /* m/s: with which a surface goes on between steps */
enum {
  MOST_MOVES = TAC_BLOCK_MOST_MOVES,
  CLUSTERED = 2048, /* points of a pair */
  MOST_ASKED = 4000 /* contacts times vertices of a body: what takes tens of milliseconds */
};

typedef struct Build {
  tacWorld *world;
  const tacFrame *before;
  int led;                   /* the first contact of the world with what tools hold */
  const tacLocalTool *tools; /* as the world has them */
  const tacLocalKeys *keys;
  tacLocalProblem *problem;
  tacTickReport *report;
  double soft[TAC_LOCAL_MOST][2]; /* m/N: along the normal, and across */
  int shares[TAC_LOCAL_MOST];     /* the pair of points that share (contact/penalty.h), or -1; and */
  double yields[TAC_LOCAL_MOST];  /* (m/N)^(1/2): of that pair, y_i y_j is how a contact gives way as another presses */
} Build;

size_t tac_local_build_room(const tacWorld *world) {
  size_t n = MOST_MOVES;
  if (world->simulate_every == 1) return 0;
  return (5 * n * n + 12 * n + (size_t)TAC_LOCAL_MOST * 2 * 6 * MOST_MOVES) * sizeof(double) + tac_meeting_room() +
         TAC_MEETING_MOST * sizeof(tacSetContact) + CLUSTERED * (sizeof(tacContactCandidate) + sizeof(double)) + 8192;
}

/* ---- places ---- */

/* Where a place of a body, in the world as the step began, is in the body's frame now: deformation has moved it. */
static tacVec3 place_now(const Build *b, int index, const tacSite *site, tacVec3 x) {
  const tacWorldBody *body = &b->world->bodies[index];
  tacVec3 p = tac_frame_from_world(&b->before[index], x);
  int n = body->size;
  if (tac_world_body_yields(body))
    return tac_vec3_mad(p, body->step.length, tac_response_velocity(&body->body, body->patches, site));
  if (n == 0 || body->block < 0 || !body->due) return p;
  const tacBlock *block = &b->world->blocks[body->block];
  double rows[3 * TAC_BODY_MOST_COORDINATES], moved[3] = {0.0};
  if (!block->solved) return p;
  tac_response_rows(&body->body, body->patches, site, rows);
  for (int i = 0; i < n; ++i) {
    int at = body->offset + body->frame_size + i;
    double d = block->motion[at] + (block->done != NULL ? block->done[at] : 0.0);
    for (int axis = 0; axis < 3; ++axis) moved[axis] += rows[axis * n + i] * d;
  }
  return tac_vec3_add(p, tac_vec3(moved[0], moved[1], moved[2]));
}

static bool is_held(const Build *b, int index) {
  return index >= 0 && b->world->bodies[index].holder >= 0;
}

static bool leads(const Build *b, const int32_t body[2]) {
  return body[0] >= 0 ? tac_world_leads(b->world, body[0], body[1]) : tac_world_leads(b->world, body[1], -1);
}

/* ---- contacts ---- */

/* A new contact of the bodies [2] at x0 and x1 (world), or NULL where there is no room. Where no tool has a part in it, the places are those
 * as the step began. */
static tacLocalContact *add(Build *b, uint64_t key, const int32_t body[2], const tacSite site[2], tacVec3 x0,
                            tacVec3 x1, const tacVec3 *axes) {
  tacLocalProblem *p = b->problem;
  if (p->count == TAC_LOCAL_BUILT) {
    ++b->report->saturated;
    return NULL;
  }
  tacVec3 at[2] = {x0, x1};
  tacLocalContact *c = &p->contacts[p->count];
  *c = (tacLocalContact){.key = key, .body = {body[0], body[1]}, .tool = {-1, -1}, .carries = leads(b, body)};
  b->shares[p->count] = -1;
  memcpy(c->axes, axes, 3 * sizeof *axes);
  for (int s = 0; s < 2; ++s) {
    c->place[s] = at[s];
    c->site[s] = site[s];
    if (body[s] < 0) continue;
    const tacFrame *frame = &b->world->bodies[body[s]].frame;
    tacVec3 own = c->carries ? tac_frame_from_world(frame, at[s]) : place_now(b, body[s], &site[s], at[s]);
    at[s] = tac_frame_to_world(frame, own);
    c->lever[s] = tac_vec3_sub(own, tac_body_place(&b->world->bodies[body[s]].body, &site[s]));
    c->tool[s] = b->world->bodies[body[s]].holder;
    c->place[s] = c->tool[s] >= 0 ? own : at[s];
  }
  tacVec3 apart = tac_vec3_sub(at[0], at[1]);
  for (int k = 0; k < 3 && !c->carries; ++k) c->anchor[k] = tac_vec3_dot(axes[k], apart);
  ++p->count;
  return c;
}

static void set_soft(Build *b, const tacLocalContact *c, double normal, double tangential) {
  b->soft[c - b->problem->contacts][0] = normal;
  b->soft[c - b->problem->contacts][1] = tangential;
}

static void add_tips(Build *b) {
  tacWorld *world = b->world;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    tacToolTip tip;
    double ahead = world->period * world->look_ahead;
    double reach = world->look_ahead * 2.0 * tool->motion + 20.0 * ahead * ahead + 1e-3;
    if (!tac_world_tool_is_point(tool) || !tac_point_tool_tip(world, t, reach, &tip, b->report)) continue;
    tacLocalProblem *p = b->problem;
    if (p->count == TAC_LOCAL_BUILT) {
      ++b->report->saturated;
      return;
    }
    tacLocalContact *c = &p->contacts[p->count];
    *c = (tacLocalContact){.key = (uint64_t)(t + 1) << 48 | tip.contact.body,
                           .body = {-1, (int32_t)tip.contact.body},
                           .tool = {t, -1},
                           .tip = true,
                           .friction = world->bodies[tip.contact.body].friction,
                           .soft = tip.soft,
                           .shown = tip.contact};
    b->shares[p->count] = -1;
    const tacWorldBody *body = &world->bodies[tip.contact.body];
    c->carries = tac_world_carries(world, (int)tip.contact.body);
    c->carried.same = tool->body >= 0 && tool->point.state != TAC_CONTACT_SLIDES;
    c->tool[1] = body->holder;
    c->place[1] = body->holder >= 0 ? tac_frame_from_world(&body->frame, tip.contact.deformed) : tip.contact.deformed;
    c->axes[0] = tip.axis;
    tac_contact_across(c->axes[0], &c->axes[1]);
    c->site[1] = tip.site;
    tacVec3 apart = tac_vec3_sub(tool->position, tip.contact.deformed);
    bool acts = tip.contact.state != TAC_CONTACT_NONE;
    for (int k = 0; k < 3; ++k) {
      if (!c->carries) c->from[k] = -tac_vec3_dot(c->axes[k], tip.contact.force); /* on the tool */
      c->anchor[k] = (acts && !c->carries) || k > 0 ? tac_vec3_dot(c->axes[k], apart) : 0.0;
    }
    set_soft(b, c, tip.soft, tip.soft);
    ++p->count;
  }
}

static void add_law(Build *b, const tacSetContact *s) {
  tacLocalContact *c = add(b, s->key, s->body, s->site, s->at, tac_vec3_mad(s->at, -s->gap, s->axes[0]), s->axes);
  if (c == NULL) return;
  bool acts = s->state != TAC_CONTACT_NONE && !c->carries;
  c->friction = s->friction;
  c->depth = fmax(0.0, -s->gap);
  for (int k = 0; k < 3; ++k) c->from[k] = acts ? tac_vec3_dot(s->axes[k], s->force) : 0.0;
  if (!acts) c->anchor[0] = tac_vec3_dot(s->axes[0], s->moved); /* its place is displaced by that; see `displace` */
  set_soft(b, c, s->softness, 0.0);
}

/* Whether a finger presses a body that answers as a compliance: then the body's other contacts answer at once, too. */
static bool is_pressed(const Build *b, int index) {
  if (index < 0 || !tac_world_body_complies(&b->world->bodies[index]) || tac_world_carries(b->world, index))
    return false;
  for (int i = 0; i < b->problem->count; ++i)
    if (b->problem->contacts[i].tip && b->problem->contacts[i].body[1] == index) return true;
  return false;
}

static bool concerns_tools(const Build *b, const tacSetContact *s) {
  for (int side = 0; side < 2; ++side)
    if (is_held(b, s->body[side]) || is_pressed(b, s->body[side])) return true;
  return false;
}

/* Those that act or touch, or the others; there may not be room for all. */
static void add_laws(Build *b, bool acting) {
  const tacContactSet *set = &b->world->contacts;
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *s = &set->list[i];
    bool acts = s->state != TAC_CONTACT_NONE || (s->gap <= 0.0 && i >= b->led);
    if (acts == acting && concerns_tools(b, s)) add_law(b, s);
  }
}

/* ---- springs ---- */

static bool was_built(const Build *b, uint64_t key) {
  for (int i = 0; i < b->keys->count; ++i)
    if (b->keys->keys[i] == key) return true;
  return false;
}

/* One cluster: the sum of its springs, at the middle of their forces. */
typedef struct Cluster {
  tacVec3 force, at, normal;
  tacMat3 stiffness; /* where all that share go in alike, */
  tacMat3 alone;     /* and what is more where others stay */
  tacVec3 sharing;   /* N: along their normals, of points that share */
  double full;       /* N/m along the normal where all points are deeper than the ramp */
  double weight, depth;
  int point;                /* of the pair, which stands for all */
  tacLocalContact *contact; /* NULL: none */
  double stiff;             /* N/m: along the contact's normal, while others stay */
} Cluster;

static tacSite field_site(const Build *b, const tacPair *pair, int i) {
  tacVec3 at = tac_frame_from_world(&b->world->bodies[pair->field].frame, pair->at[i].at);
  if (pair->contact_field.deformed == NULL) return (tacSite){TAC_SITE_FRAME, 0, at};
  tacPairProxy under = pair->proxies[i];
  return (tacSite){TAC_SITE_FIELD, under.domain << 16 | under.proxy,
                   tac_deformed_pose_pull_back(pair->contact_field.deformed, under.domain, under.proxy, at)};
}

static void place_cluster(Build *b, const tacPair *pair, Cluster *cluster, uint64_t key) {
  const int32_t body[2] = {pair->points, pair->field};
  const tacSite site[2] = {{TAC_SITE_SHELL, pair->point[cluster->point], {0.0, 0.0, 0.0}},
                           field_site(b, pair, cluster->point)};
  tacVec3 axes[3];
  axes[0] = tac_vec3_unit(cluster->normal);
  tac_contact_across(axes[0], &axes[1]);
  double normal = tac_vec3_dot(axes[0], tac_mat3_mul_vec(cluster->stiffness, axes[0]));
  double across = 0.5 * (tac_mat3_trace(cluster->stiffness) - normal);
  if (!(normal > 0.0)) return;
  normal = fmax(normal, cluster->full) + tac_vec3_dot(axes[0], tac_mat3_mul_vec(cluster->alone, axes[0]));
  tacVec3 at = tac_vec3_scale(1.0 / cluster->weight, cluster->at);
  tacLocalContact *c = add(b, key, body, site, at, at, axes);
  if (c == NULL) return;
  c->friction = pair->values[TAC_PAIR_FRICTION];
  c->depth = cluster->depth;
  set_soft(b, c, 1.0 / normal, across > 1e-3 * normal ? 1.0 / across : 1.0 / normal);
  cluster->contact = c;
  cluster->stiff = normal;
}

/* Points that share answer each other: along the normals of a pair's clusters their stiffness is
 *     K = D - h v v^T,   h = 2 / `below`,
 * D of each while others stay and v the forces of those that share (contact/penalty.h). Against turning that is several
 * times as stiff as against going in, and a body that is let turn more easily between its steps than in them rocks for
 * ever. C is
 *     K^-1 = D^-1 + y y^T,   y = D^-1 v (h / (1 - h v^T D^-1 v))^(1/2).
 * By Cauchy and Schwarz v^2 / `alone` adds up to `below` / 2 at most, and D is more: h v^T D^-1 v < 1. */
static void press_clusters(Build *b, const tacPair *pair, int count, Cluster *clusters) {
  double h = pair->pressed.below > 0.0 ? 2.0 / pair->pressed.below : 0.0, taken = 0.0;
  for (int k = 0; k < count; ++k) {
    const Cluster *cluster = &clusters[k];
    if (cluster->contact == NULL) continue;
    double v = tac_vec3_dot(cluster->sharing, cluster->contact->axes[0]);
    taken += h * v * v / cluster->stiff;
  }
  for (int k = 0; k < count; ++k) {
    const Cluster *cluster = &clusters[k];
    tacLocalContact *c = cluster->contact;
    if (c == NULL) continue;
    size_t at = (size_t)(c - b->problem->contacts);
    b->shares[at] = (int)(pair - b->world->contact_pairs);
    b->yields[at] = tac_vec3_dot(cluster->sharing, c->axes[0]) / cluster->stiff * sqrt(h / (1.0 - taken));
    tac_contact_numbers(c->axes, cluster->force, c->carried.base);
  }
}

/* Which of the chosen points one is nearest to, in place and normal. */
static int nearest_of(const tacContactClusters *clusters, int count, const tacContactCandidate *candidates,
                      const int *chosen, const tacPenaltyPoint *point) {
  double least = INFINITY, length2 = clusters->normal_length * clusters->normal_length;
  int nearest = 0;
  for (int k = 0; k < count; ++k) {
    const tacContactCandidate *c = &candidates[chosen[k]];
    double turn = tac_vec3_norm2(tac_vec3_add(c->normal, point->normal)); /* one is out of the shell, one into it */
    double apart = tac_vec3_norm2(tac_vec3_sub(c->place, point->at)) + length2 * turn;
    if (apart < least) least = apart, nearest = k;
  }
  return nearest;
}

/* The force of a point that shares, along its normal; of others none. */
static tacVec3 sharing_of(const tacPair *pair, int i) {
  const tacPenaltyPoint *p = &pair->at[i];
  return tac_vec3_scale(p->alone > 0.0 ? tac_vec3_dot(pair->springs[i].force, p->normal) : 0.0, p->normal);
}

static void join(Cluster *to, const tacPair *pair, int i) {
  const tacContactSpring *spring = &pair->springs[i];
  const tacPenaltyPoint *point = &pair->at[i];
  double weight = fabs(tac_vec3_dot(spring->force, point->normal)) + 1e-12;
  to->force = tac_vec3_add(to->force, spring->force);
  tacMat3 alone = tac_mat3_outer(tac_vec3_scale(point->alone, point->normal), point->normal);
  to->stiffness = tac_mat3_add(to->stiffness, tac_mat3_sub(spring->stiffness, alone));
  to->alone = tac_mat3_add(to->alone, alone);
  to->sharing = tac_vec3_add(to->sharing, sharing_of(pair, i));
  to->full += pair->penalty.stiffness * point->share;
  to->at = tac_vec3_mad(to->at, weight, point->at);
  to->normal = tac_vec3_mad(to->normal, -weight, point->normal);
  to->weight += weight;
  to->depth = fmax(to->depth, point->depth);
}

static void add_springs(Build *b, int p) {
  tacPair *pair = &b->world->contact_pairs[p];
  if (pair->laws || !tac_pair_is_held(pair, b->world->bodies)) return;
  tac_pair_evaluate(pair, b->world->bodies);
  b->report->visited += pair->traversed.visited;
  b->report->points += pair->count;
  b->report->degraded += pair->traversed.degraded;
  b->report->saturated += pair->traversed.lost > 0;
  tacArena *arena = &b->world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  int every = (pair->count + CLUSTERED - 1) / CLUSTERED, count = 0, chosen[TAC_MEETING_CONTACTS];
  tacContactCandidate *candidates = tac_arena_array(arena, CLUSTERED, sizeof *candidates);
  double *work = tac_arena_array(arena, CLUSTERED, sizeof *work);
  if (candidates == NULL || work == NULL || pair->count == 0) {
    tac_arena_release(arena, mark);
    return;
  }
  for (int i = 0; i < pair->count; i += every) {
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)p << 32 | (uint64_t)pair->point[i];
    candidates[count++] = (tacContactCandidate){.place = pair->at[i].at,
                                                .normal = tac_vec3_scale(-1.0, pair->at[i].normal),
                                                .gap = -pair->at[i].depth,
                                                .key = key,
                                                .kept = was_built(b, key)};
  }
  const tacWorldBody *field = &b->world->bodies[pair->field], *points = &b->world->bodies[pair->points];
  tacContactClusters clusters =
      tac_contact_clusters_default(2.0 * fmin(field->surface->radius, points->surface->radius));
  int kept = tac_contact_clusters_choose(&clusters, TAC_MEETING_CONTACTS, count, candidates, work, chosen);
  Cluster sums[TAC_MEETING_CONTACTS];
  for (int k = 0; k < kept; ++k) sums[k] = (Cluster){.point = chosen[k] * every};
  for (int i = 0; kept > 0 && i < pair->count; ++i)
    join(&sums[nearest_of(&clusters, kept, candidates, chosen, &pair->at[i])], pair, i);
  for (int k = 0; k < kept; ++k) place_cluster(b, pair, &sums[k], candidates[chosen[k]].key);
  press_clusters(b, pair, kept, sums);
  tac_arena_release(arena, mark);
}

/* What comes near and had no spring in the step. */
static void add_near(Build *b, int p) {
  const tacPair *pair = &b->world->contact_pairs[p];
  if (pair->laws || !tac_pair_is_held(pair, b->world->bodies)) return;
  tacArenaMark mark = tac_arena_mark(&b->world->arena);
  tacSetContact *found = tac_arena_array(&b->world->arena, TAC_MEETING_MOST, sizeof *found);
  int count = found != NULL ? tac_meeting_look(b->world, pair, found) : 0;
  for (int i = 0; i < count; ++i) {
    tacSetContact *s = &found[i];
    if (s->gap <= 0.0 && pair->count > 0) continue; /* a cluster has it */
    tac_contact_across(s->axes[0], &s->axes[1]);
    tacLocalContact *c = add(b, s->key, s->body, s->site, s->at, tac_vec3_mad(s->at, -s->gap, s->axes[0]), s->axes);
    if (c == NULL) break;
    c->friction = s->friction;
    set_soft(b, c, s->softness, s->softness);
  }
  tac_arena_release(&b->world->arena, mark);
}

/* ---- how bodies answer ---- */

/* Of one body: A and b, [moves]; its frame is in them only where it is free. */
typedef struct Answer {
  const tacWorldBody *body;
  int index, n;
  int first; /* moves of a step that are left out: of the frame of a held one */
  double *matrix, *load;
  double *drag, *impetus; /* Q [n][n] and M v / h [n], of the step after the next; NULL: nobody asks */
} Answer;

/* J [3][n] of a site along axes; world places as they are now. */
static void rows_of(const Answer *a, const tacSite *site, tacVec3 at, const tacVec3 axes[3], double sign, double *to) {
  double j[3 * MOST_MOVES];
  int moves = tac_block_moves(a->body);
  tac_block_jacobian(a->body, site, at, j);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < a->n; ++i)
      to[k * a->n + i] = sign * (axes[k].x * j[a->first + i] + axes[k].y * j[moves + a->first + i] +
                                 axes[k].z * j[2 * moves + a->first + i]);
}

/* Its contacts that no tool has a part in: springs to what does not move. */
static void add_others(Build *b, const Answer *a) {
  double rows[3 * MOST_MOVES];
  for (int i = 0; i < b->world->contacts.count; ++i) {
    const tacSetContact *s = &b->world->contacts.list[i];
    int side = s->body[0] == a->index ? 0 : 1;
    if (s->body[side] != a->index || s->state == TAC_CONTACT_NONE || concerns_tools(b, s)) continue;
    double stiff = 1.0 / fmax(s->softness, least_softness), sticks = s->state == TAC_CONTACT_STICKS ? stiff : 0.0;
    tacMat3 k = tac_mat3_diagonal(stiff, sticks, sticks);
    double force[3];
    tac_contact_numbers(s->axes, s->force, force);
    rows_of(a, &s->site[side], s->at, s->axes, side == 0 ? 1.0 : -1.0, rows);
    tac_block_add_force(a->n, rows, force, a->load);
    tac_block_add_spring(a->n, rows, &k, a->matrix, (size_t)a->n);
  }
  const tacVec3 world[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int p = 0; p < b->world->pair_count; ++p) {
    const tacPair *pair = &b->world->contact_pairs[p];
    int side = pair->points == a->index ? 0 : 1;
    if (pair->laws || !tac_pair_has(pair, a->index) || tac_pair_is_held(pair, b->world->bodies)) continue;
    double shared[MOST_MOVES] = {0.0}, h = pair->pressed.below > 0.0 ? 2.0 / pair->pressed.below : 0.0;
    for (int i = 0; i < pair->count; ++i) {
      const tacContactSpring *spring = &pair->springs[i];
      const tacVec3 sharing = sharing_of(pair, i);
      tacSite site = side == 0 ? (tacSite){TAC_SITE_SHELL, pair->point[i], {0.0, 0.0, 0.0}} : field_site(b, pair, i);
      const double force[3] = {spring->force.x, spring->force.y, spring->force.z};
      rows_of(a, &site, spring->at, world, side == 0 ? 1.0 : -1.0, rows);
      tac_block_add_force(a->n, rows, force, a->load);
      tac_block_add_spring(a->n, rows, &spring->stiffness, a->matrix, (size_t)a->n);
      for (int k = 0; k < a->n; ++k)
        shared[k] += sharing.x * rows[k] + sharing.y * rows[a->n + k] + sharing.z * rows[2 * a->n + k];
    }
    for (int i = 0; i < a->n; ++i)
      for (int k = 0; k < a->n; ++k) a->matrix[i * a->n + k] -= h * shared[i] * shared[k];
  }
}

/* Adds `sign` A and b of a step of another length, on top of the body's, to `matrix` [n][n] and `load` [n]. */
static bool add_equations(const Answer *a, double stretch, double sign, tacArena *arena, double *matrix, double *load) {
  const tacWorldBody *body = a->body;
  size_t n = (size_t)a->n, own = (size_t)body->size, at = n - own;
  tacArenaMark mark = tac_arena_mark(arena);
  double *inner = tac_arena_array(arena, own * own + 1, sizeof *inner),
         *push = tac_arena_array(arena, own + 1, sizeof *push);
  tacBodyStep step = body->step;
  step.length *= stretch;
  bool made =
      inner != NULL && push != NULL && (own == 0 || body->body.table->linearise(body->body.self, &step, inner, push));
  for (size_t i = 0; made && i < own; ++i) {
    load[at + i] += sign * push[i];
    for (size_t j = 0; j < own; ++j) matrix[(at + i) * n + at + j] += sign * inner[i * own + j];
  }
  if (made && at > 0) {
    double six[6][6], pull[6];
    tac_frame_equation(&body->frame, step.length, six, pull);
    for (size_t i = 0; i < 6; ++i) {
      load[i] += sign * pull[i];
      for (size_t j = 0; j < 6; ++j) matrix[i * n + j] += sign * six[i][j];
    }
  }
  tac_arena_release(arena, mark);
  return made;
}

/* By Euler's method A = M / h^2 + B / h + K and b = M v / h + ...: a step d, and then d' under the same forces, obey
 *     A d' = Q d - M v / h,   Q = 2 M / h^2 + B / h = -h dA/dh,   M v / h = -h db/dh.
 * So any kind tells both by the equations of steps that are a little shorter and longer. */
static bool make_answer(Build *b, Answer *a, bool carried) {
  const double part = 1e-3;
  size_t n = (size_t)a->n;
  tacArena *arena = &b->world->arena;
  double *room = tac_arena_array(arena, (carried ? 2 : 1) * (n * n + n), sizeof *room);
  if (room == NULL) return false;
  memset(room, 0, (carried ? 2 : 1) * (n * n + n) * sizeof *room);
  a->matrix = room;
  a->load = room + n * n;
  a->drag = carried ? room + n * n + n : NULL;
  a->impetus = carried ? a->drag + n * n : NULL;
  if (carried && !(add_equations(a, 1.0 - part, 0.5 / part, arena, a->drag, a->impetus) &&
                   add_equations(a, 1.0 + part, -0.5 / part, arena, a->drag, a->impetus)))
    return false;
  if (!add_equations(a, 1.0, 1.0, arena, a->matrix, a->load)) return false;
  add_others(b, a);
  return true;
}

/* How places of carried tips go in two steps: the first d under all forces as they are, and then d'. `rows` [3][n] a contact, and their
 * half solutions Z = L^-1 J^T: C = Z^T Z, and C' = Z^T (L^-1 Q L^-T - 1) Z is how they go in the second by forces in the first. */
static void foresee(Build *b, const Answer *a, const tacDense *factor, const double *d, int count, const int *touching,
                    const double *rows, const double *half) {
  tacLocalProblem *p = b->problem;
  size_t n = (size_t)a->n, tips = 3 * (size_t)p->built;
  tacDense drag = {a->n, a->n, a->n, a->drag};
  double next[MOST_MOVES], back[3 * MOST_MOVES], column[MOST_MOVES];
  tac_dense_loop_gemv(&drag, d, next);
  for (size_t i = 0; i < n; ++i) next[i] -= a->impetus[i];
  tac_dense_loop_cholesky_solve(factor, next);
  for (int i = 0; i < count; ++i) {
    tacLocalContact *c = &p->contacts[touching[i]];
    if (!c->carries) continue;
    for (size_t k = 0; k < 3; ++k) {
      const double *row = rows + (3 * (size_t)i + k) * n; /* of u = x0 - x1 */
      for (size_t j = 0; j < n; ++j) {
        c->carried.first[k] -= row[j] * d[j];
        c->carried.second[k] -= row[j] * next[j];
      }
    }
    for (size_t k = 0; k < 3; ++k) {
      memcpy(column, half + (3 * (size_t)i + k) * n, n * sizeof *column);
      tac_dense_loop_cholesky_backward(factor, column);
      tac_dense_loop_gemv(&drag, column, back + k * n);
    }
    tac_dense_loop_cholesky_forward3(factor, 0, back);
    for (int o = 0; o < count; ++o) {
      if (!p->contacts[touching[o]].carries) continue;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k) {
          const double *x = half + (3 * (size_t)o + r) * n, *y = half + (3 * (size_t)i + k) * n;
          size_t at = (3 * (size_t)touching[o] + r) * tips + 3 * (size_t)touching[i] + k;
          for (size_t j = 0; j < n; ++j) {
            p->now[at] += x[j] * y[j];
            p->after[at] += x[j] * (back[k * n + j] - y[j]);
          }
        }
    }
  }
}

static bool is_carried(const Build *b, int index) {
  for (int i = 0; i < b->problem->built; ++i) {
    const tacLocalContact *c = &b->problem->contacts[i];
    if (c->carries && (c->body[0] == index || c->body[1] == index)) return true;
  }
  return false;
}

/* Of C between two contacts what counts in a tick: carried tips go their way in a step, by a part in each tick. */
static double share_of(const tacLocalProblem *p, int i, int j) {
  return p->contacts[i].carries || p->contacts[j].carries ? 1.0 / p->ticks : 1.0;
}

/* Adds what one body gives way to C, and how it goes on to the rates. */
static void add_answer(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacArena *arena = &b->world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  Answer a = {.body = &b->world->bodies[index], .index = index};
  a.first = a.body->holder >= 0 ? a.body->frame_size : 0;
  a.n = tac_block_moves(a.body) - a.first;
  double *rows = tac_arena_array(arena, (size_t)p->count * 6 * (size_t)a.n + 1, sizeof *rows),
         *copy = rows != NULL ? rows + (size_t)p->count * 3 * (size_t)a.n : NULL;
  size_t n = (size_t)a.n, all = 3 * (size_t)p->count;
  int touching[2 * TAC_LOCAL_MOST], count = 0;
  bool carried = is_carried(b, index);
  if (a.n == 0 || rows == NULL || !make_answer(b, &a, carried)) {
    tac_arena_release(arena, mark);
    return;
  }
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacLocalContact *c = &p->contacts[i];
      if (c->body[s] != index) continue;
      tacVec3 at = c->tool[s] >= 0 ? tac_frame_to_world(&a.body->frame, c->place[s]) : c->place[s];
      double *own = rows + (size_t)count * 3 * n;
      rows_of(&a, &b->problem->contacts[i].site[s], at, c->axes, s == 0 ? 1.0 : -1.0, own);
      tac_block_add_force(a.n, own, c->from, a.load);
      touching[count++] = i;
    }
  tacDense factor = {a.n, a.n, a.n, a.matrix};
  if (tac_dense_loop_cholesky(&factor)) {
    tac_dense_loop_cholesky_solve(&factor, a.load);
    memcpy(copy, rows, (size_t)count * 3 * n * sizeof *rows);
    for (int i = 0; i < count; ++i) {
      double *own = rows + (size_t)i * 3 * n;
      for (size_t k = 0; k < 3; ++k)
        for (size_t j = 0; j < n; ++j)
          p->contacts[touching[i]].rate[k] += own[k * n + j] * a.load[j] / a.body->step.length;
      tac_dense_loop_cholesky_forward3(&factor, 0, own);
    }
    for (int i = 0; i < count; ++i)
      for (int o = 0; o < count; ++o)
        for (size_t r = 0; r < 3; ++r)
          for (size_t k = 0; k < 3; ++k) {
            const double *x = rows + ((size_t)i * 3 + r) * n, *y = rows + ((size_t)o * 3 + k) * n;
            double sum = 0.0;
            for (size_t j = 0; j < n; ++j) sum += x[j] * y[j];
            p->compliance[(3 * (size_t)touching[i] + r) * all + 3 * (size_t)touching[o] + k] +=
                share_of(p, touching[i], touching[o]) * sum;
          }
    if (carried) foresee(b, &a, &factor, a.load, count, touching, copy, rows);
  }
  tac_arena_release(arena, mark);
}

/* Places on a body that answers as a compliance count from rest. A contact that acts tells where it is by that; of one that does not,
 * what the forces of another do to its gap is told here. Carried contacts count whole forces, C f, on top of what `moved` takes off. */
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

/* The same of a body that answers as a compliance; it has no inertia, and goes nowhere. */
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

/* Sites of a body that answers as the compliance of a step, body's frame: those of contacts of the problem, then those of others, which are
 * springs k to what does not move: of their forces G = (1 + k C)^-1 k of what they would move by. */
typedef struct Yields {
  const tacWorldBody *body;
  int count, first;            /* sites, and those before the springs */
  int *contact;                /* [first] */
  const double *sign;          /* [first]: -1 of the first side */
  tacSite *sites;              /* [count], and so below */
  tacVec3 *forces;             /* N: as they are */
  tacVec3 *acts, *once, *next; /* room */
  int most;                    /* sites that there is room for */
  const double *c, *g;         /* C [3 count][3 count] as if there were no springs; G */
} Yields;

static double number(const tacVec3 *v, int k) {
  return k % 3 == 0 ? v[k / 3].x : k % 3 == 1 ? v[k / 3].y : v[k / 3].z;
}

/* What springs do where their sites would move by `moves`: to their forces. */
static void hold_springs(const Yields *y, const tacVec3 *moves, tacVec3 *forces) {
  int s = 3 * (y->count - y->first);
  for (int i = 0; i < s; i += 3) {
    double sum[3] = {0.0};
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < s; ++j) sum[r] += y->g[(i + r) * s + j] * number(moves + y->first, j);
    forces[y->first + i / 3] = tac_vec3_sub(forces[y->first + i / 3], tac_vec3(sum[0], sum[1], sum[2]));
  }
}

/* The motion of the contacts' sites in two steps, [first] each, with springs; `acts` are the forces. */
static void foresee_sites(const Yields *y, bool whole, tacVec3 *once, tacVec3 *next) {
  const tacBodyTable *table = y->body->body.table;
  void *self = y->body->body.self;
  int n = 3 * y->count;
  if (whole && y->count > y->first) {
    table->foresee(self, &y->body->step, whole, y->count, y->sites, y->acts, y->once, y->next);
    hold_springs(y, y->once, y->acts);
  }
  table->foresee(self, &y->body->step, whole, y->count, y->sites, y->acts, y->once, y->next);
  memcpy(once, y->once, (size_t)y->first * sizeof *once);
  memcpy(next, y->next, (size_t)y->first * sizeof *next);
  if (y->count == y->first) return;
  memset(y->acts, 0, (size_t)y->count * sizeof *y->acts);
  hold_springs(y, y->next, y->acts);
  for (int i = 0; i < y->first; ++i) {
    double sum[3] = {0.0};
    for (int r = 0; r < 3; ++r)
      for (int j = 3 * y->first; j < n; ++j) sum[r] += y->c[(3 * i + r) * n + j] * number(y->acts, j);
    next[i] = tac_vec3_add(next[i], tac_vec3(sum[0], sum[1], sum[2]));
  }
}

/* Where held bodies have too many contacts to ask for each, as each takes two solutions of a body's equations: what their forces do to the second step is a share of what they do to the first, as
 * it is for the forces that they have. */
static void foresee_others(Build *b, const Yields *y, tacVec3 *once, tacVec3 *next) {
  tacLocalProblem *p = b->problem;
  size_t tips = 3 * (size_t)p->built;
  double now = 0.0, after = 0.0;
  memset(y->acts, 0, (size_t)y->count * sizeof *y->acts);
  for (int i = 0; i < y->first; ++i) {
    const tacLocalContact *c = &p->contacts[y->contact[i]];
    if (!c->carries || c->tip) continue;
    bool pressed = tac_vec3_norm2(y->forces[i]) > 0.0;
    tacVec3 inward = tac_quat_rotate(tac_quat_conjugate(y->body->frame.orientation), c->axes[0]);
    y->acts[i] = pressed ? y->forces[i] : tac_vec3_scale(-1e-3 * y->sign[i], inward);
  }
  tacVec3 *forces = y->forces + 4 * (size_t)y->most;
  memcpy(forces, y->acts, (size_t)y->first * sizeof *forces);
  foresee_sites(y, false, once, next);
  for (int i = 0; i < y->first; ++i) {
    now += tac_vec3_dot(forces[i], once[i]);
    after += tac_vec3_dot(forces[i], tac_vec3_sub(next[i], once[i]));
  }
  double share = now > 0.0 ? fmax(-1.0, fmin(1.0, after / now)) : 0.0;
  for (size_t i = 0; i < tips; ++i)
    for (int o = 0; o < y->first; ++o) {
      const tacLocalContact *c = &p->contacts[y->contact[o]];
      for (size_t k = 0; k < 3 && c->carries && !c->tip; ++k) {
        size_t at = i * tips + 3 * (size_t)y->contact[o] + k;
        p->after[at] += share * p->now[at];
      }
    }
}

/* How places of carried tips go, as `foresee` tells of bodies with coordinates. */
static void foresee_tips(Build *b, const Yields *y) {
  tacLocalProblem *p = b->problem;
  tacArenaMark mark = tac_arena_mark(&b->world->arena);
  tacVec3 *once = tac_arena_array(&b->world->arena, (size_t)y->first + 1, sizeof *once),
          *next = tac_arena_array(&b->world->arena, (size_t)y->first + 1, sizeof *next);
  size_t tips = 3 * (size_t)p->built;
  tacQuat turn = y->body->frame.orientation, back = tac_quat_conjugate(turn);
  if (once == NULL || next == NULL) return;
  int carried = 0;
  for (int i = 0; i < y->first; ++i) carried += p->contacts[y->contact[i]].carries && !p->contacts[y->contact[i]].tip;
  bool asks = carried * y->body->surface->mesh->vertex_count <= MOST_ASKED;
  memcpy(y->acts, y->forces, (size_t)y->count * sizeof *y->acts);
  foresee_sites(y, true, once, next);
  for (int i = 0; i < y->first; ++i) {
    tacLocalContact *c = &p->contacts[y->contact[i]];
    if (!c->carries) continue;
    double first[3], second[3];
    tac_contact_numbers(c->axes, tac_quat_rotate(turn, once[i]), first);
    tac_contact_numbers(c->axes, tac_quat_rotate(turn, next[i]), second);
    for (int k = 0; k < 3; ++k) {
      c->carried.first[k] += y->sign[i] * first[k];
      c->carried.second[k] += y->sign[i] * second[k];
    }
  }
  for (int i = 0; i < y->first; ++i) {
    const tacLocalContact *c = &p->contacts[y->contact[i]];
    for (size_t k = 0; k < 3 && c->carries && (c->tip || asks); ++k) {
      memset(y->acts, 0, (size_t)y->count * sizeof *y->acts);
      y->acts[i] = tac_quat_rotate(back, tac_vec3_scale(y->sign[i], c->axes[k]));
      if (y->count > y->first) { /* the motion of springs' sites, by C */
        int n = 3 * y->count;
        for (int j = 3 * y->first; j < n; j += 3) {
          double sum[3] = {0.0};
          for (int r = 0; r < 3; ++r)
            for (int a = 0; a < 3; ++a) sum[r] += y->c[(j + r) * n + 3 * i + a] * number(y->acts + i, a);
          y->once[j / 3] = tac_vec3(sum[0], sum[1], sum[2]);
        }
        hold_springs(y, y->once, y->acts);
      }
      foresee_sites(y, false, once, next);
      for (int o = 0; o < y->first; ++o) {
        const tacLocalContact *other = &p->contacts[y->contact[o]];
        double moved[3];
        if (!other->carries) continue;
        tac_contact_numbers(other->axes, tac_quat_rotate(turn, tac_vec3_sub(next[o], once[o])), moved);
        for (size_t r = 0; r < 3; ++r)
          p->after[(3 * (size_t)y->contact[o] + r) * tips + 3 * (size_t)y->contact[i] + k] += y->sign[o] * moved[r];
      }
    }
  }
  if (!asks) foresee_others(b, y, once, next);
  tac_arena_release(&b->world->arena, mark);
}

/* The same of a body that answers as the compliance of a step: it goes on as it does. Its contacts that no tool has a part in are springs
 * to what does not move. */
static void add_yielding(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacWorld *world = b->world;
  tacArena *arena = &world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  tacWorldBody *body = &world->bodies[index];
  const tacBodyTable *table = body->body.table;
  int most = table->most_sites(body->body.self), count = 0, contact[2 * TAC_LOCAL_MOST], side[2 * TAC_LOCAL_MOST];
  size_t room = (size_t)most, all = 3 * (size_t)p->count, tips = 3 * (size_t)p->built;
  tacSite *sites = tac_arena_array(arena, room, sizeof *sites);
  tacMat3 *springs = tac_arena_array(arena, room, sizeof *springs);
  double *c = tac_arena_array(arena, 9 * room * room, sizeof *c),
         *g = tac_arena_array(arena, 9 * room * room, sizeof *g);
  tacVec3 *forces = tac_arena_array(arena, 5 * room, sizeof *forces);
  double sign[2 * TAC_LOCAL_MOST];
  if (sites == NULL || springs == NULL || c == NULL || g == NULL || forces == NULL) {
    tac_arena_release(arena, mark);
    ++b->report->saturated;
    return;
  }
  tacQuat back = tac_quat_conjugate(body->frame.orientation);
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2 && count < most; ++s) {
      if (p->contacts[i].body[s] != index) continue;
      const tacLocalContact *x = &p->contacts[i];
      contact[count] = i;
      side[count] = s;
      tacVec3 force = tac_quat_rotate(back, tac_contact_vector(x->axes, x->from));
      sign[count] = s == 0 ? -1.0 : 1.0;
      forces[count] = tac_vec3_scale(-sign[count], force);
      sites[count++] = b->problem->contacts[i].site[s];
    }
  int first = count;
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *s = &world->contacts.list[i];
    for (int k = 0; k < 2 && count < most; ++k) {
      if (s->body[k] != index || s->state == TAC_CONTACT_NONE || concerns_tools(b, s)) continue;
      double stiff = 1.0 / fmax(s->softness, least_softness), sticks = s->state == TAC_CONTACT_STICKS ? stiff : 0.0;
      tacMat3 axes = tac_mat3_from_columns(tac_quat_rotate(back, s->axes[0]), tac_quat_rotate(back, s->axes[1]),
                                           tac_quat_rotate(back, s->axes[2]));
      springs[count - first] =
          tac_mat3_mul(axes, tac_mat3_mul(tac_mat3_diagonal(stiff, sticks, sticks), tac_mat3_transpose(axes)));
      forces[count] = tac_quat_rotate(back, tac_vec3_scale(k == 0 ? 1.0 : -1.0, s->force));
      sites[count++] = s->site[k];
    }
  }
  table->give_way(body->body.self, &body->step, count, sites, c);
  if (count > first) tac_yielding_hold(count, first, c, springs, g, arena);
  size_t n = 3 * (size_t)count;
  for (int i = 0; i < first; ++i) {
    tacLocalContact *x = &p->contacts[contact[i]];
    tacVec3 v = tac_quat_rotate(body->frame.orientation, tac_response_velocity(&body->body, body->patches, &sites[i]));
    for (int k = 0; k < 3; ++k) x->rate[k] -= sign[i] * tac_vec3_dot(x->axes[k], v);
    for (int o = 0; o < first; ++o) {
      const tacLocalContact *y = &p->contacts[contact[o]];
      tacMat3 block;
      for (size_t r = 0; r < 3; ++r) memcpy(block.m[r], c + (3 * (size_t)i + r) * n + 3 * (size_t)o, sizeof block.m[r]);
      block = tac_mat3_scale(side[i] == side[o] ? 1.0 : -1.0, tac_island_turned(body, &block, x->axes, y->axes));
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
          p->compliance[(3 * (size_t)contact[i] + r) * all + 3 * (size_t)contact[o] + k] +=
              share_of(p, contact[i], contact[o]) * block.m[r][k];
      if (!x->carries || !y->carries) continue;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
          p->now[(3 * (size_t)contact[i] + r) * tips + 3 * (size_t)contact[o] + k] += block.m[r][k];
    }
  }
  const Yields yields = {.body = body,
                         .count = count,
                         .first = first,
                         .contact = contact,
                         .sign = sign,
                         .most = most,
                         .sites = sites,
                         .forces = forces,
                         .acts = forces + room,
                         .once = forces + 2 * room,
                         .next = forces + 3 * room,
                         .c = c,
                         .g = g};
  if (is_carried(b, index) && table->foresee != NULL) foresee_tips(b, &yields);
  tac_arena_release(arena, mark);
}

/* Forces of the step as the problem's contacts have them: f'. */
static void press_contacts(Build *b, int count, const tacLocalPost *posts) {
  for (int i = 0; i < count; ++i) {
    const tacLocalPost *post = &posts[i];
    int heir = tac_local_problem_heir(b->problem, post->key, post->body, post->place, b->tools);
    double f[3];
    if (heir < 0) continue;
    tacLocalContact *c = &b->problem->contacts[heir];
    tac_contact_numbers(c->axes, post->force, f);
    for (int k = 0; k < 3; ++k) c->from[k] += f[k];
  }
}

void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalKeys *keys, tacLocalProblem *problem, tacTickReport *report) {
  tacLocalTool tools[TAC_MOST_TOOLS];
  Build b = {.world = world, .before = before, .tools = tools, .keys = keys, .problem = problem, .report = report};
  for (int t = 0; t < world->tool_count; ++t) {
    tools[t].held = world->tools[t].held;
    if (world->tools[t].held.body < 0) continue;
    tools[t].frame = world->bodies[world->tools[t].held.body].frame;
    for (int j = 0; j < world->tools[t].held.jaw_count; ++j)
      tools[t].jaws[j] = world->bodies[world->tools[t].held.jaws[j].body].frame;
  }
  problem->count = problem->built = 0;
  problem->ticks = world->simulate_every;
  problem->still = false;
  problem->left = 0.0;
  memset(problem->missing, 0, sizeof problem->missing);
  b.led = tac_meeting_detect_led(world, report);
  add_tips(&b);
  add_laws(&b, true);
  for (int p = 0; p < world->pair_count; ++p) add_springs(&b, p);
  add_laws(&b, false);
  for (int p = 0; p < world->pair_count; ++p) add_near(&b, p);
  problem->built = problem->count;
  press_contacts(&b, post_count, posts);
  size_t all = 3 * (size_t)problem->count;
  memset(problem->compliance, 0, all * all * sizeof *problem->compliance);
  for (int i = 0; i < problem->count; ++i)
    for (size_t k = 0; k < 3; ++k) problem->compliance[(3 * (size_t)i + k) * (all + 1)] = b.soft[i][k > 0];
  for (int i = 0; i < problem->count; ++i)
    for (int j = 0; b.shares[i] >= 0 && j < problem->count; ++j)
      if (b.shares[j] == b.shares[i])
        problem->compliance[3 * (size_t)i * all + 3 * (size_t)j] += b.yields[i] * b.yields[j];
  for (size_t i = 0; i < all; ++i) /* springs have their forces where their places are as they were found */
    for (size_t j = 0; j < all && problem->contacts[i / 3].carries; ++j)
      problem->contacts[i / 3].anchor[i % 3] +=
          problem->compliance[i * all + j] * problem->contacts[j / 3].carried.base[j % 3];
  size_t tips = 3 * (size_t)problem->built;
  memset(problem->now, 0, tips * tips * sizeof *problem->now);
  memset(problem->after, 0, tips * tips * sizeof *problem->after);
  for (int index = 0; index < world->body_count; ++index) {
    bool touched = false;
    for (int i = 0; i < problem->count; ++i)
      touched = touched || problem->contacts[i].body[0] == index || problem->contacts[i].body[1] == index;
    if (!touched) continue;
    add_answer(&b, index);
    if (tac_world_body_complies(&world->bodies[index])) add_compliance(&b, index);
    if (tac_world_body_yields(&world->bodies[index])) add_yielding(&b, index);
  }
  for (int i = 0; i < problem->built; ++i) { /* what its own force does in the second step is not in it */
    tacLocalContact *c = &problem->contacts[i];
    if (!c->carries) continue;
    memset(c->rate, 0, sizeof c->rate);
    for (size_t k = 0; k < 3; ++k)
      for (int j = 0; j < problem->built; ++j)
        for (size_t a = 0; a < 3; ++a)
          c->carried.second[k] +=
              problem->now[(3 * (size_t)i + k) * tips + 3 * (size_t)j + a] * problem->contacts[j].from[a];
  }
  for (int i = 0; i < problem->count; ++i) { /* how it goes on is known no farther than that */
    double *rate = problem->contacts[i].rate, speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    for (int k = 0; k < 3 && speed > most_speed; ++k) rate[k] *= most_speed / speed;
  }
  keys->count = problem->count;
  for (int i = 0; i < problem->count; ++i) keys->keys[i] = problem->contacts[i].key;
}
