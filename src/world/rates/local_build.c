#include "world/rates/local_build.h"

#include <math.h>
#include <string.h>
#include "asset/contact_field.h"
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
enum { MOST_MOVES = TAC_BLOCK_MOST_MOVES, CLUSTERED = 2048 /* points of a pair */ };

typedef struct Build {
  tacWorld *world;
  const tacFrame *before;
  const tacLocalKeys *keys;
  tacLocalProblem *problem;
  tacTickReport *report;
  tacSite site[TAC_LOCAL_MOST][2];
  double soft[TAC_LOCAL_MOST][2]; /* m/N: along the normal, and across */
  int shares[TAC_LOCAL_MOST];     /* the pair of points that share (contact/penalty.h), or -1; and */
  double yields[TAC_LOCAL_MOST];  /* (m/N)^(1/2): of that pair, y_i y_j is how a contact gives way as another presses */
} Build;

size_t tac_local_build_room(const tacWorld *world) {
  size_t n = MOST_MOVES;
  if (world->simulate_every == 1) return 0;
  return (3 * n * n + 8 * n + (size_t)TAC_LOCAL_MOST * 2 * 3 * MOST_MOVES) * sizeof(double) + tac_meeting_room() +
         TAC_MEETING_MOST * sizeof(tacSetContact) + CLUSTERED * (sizeof(tacContactCandidate) + sizeof(double)) + 8192;
}

/* ---- places ---- */

static const tacWorldBody *body_of(const Build *b, int index) {
  return index >= 0 ? &b->world->bodies[index] : NULL;
}

/* Where a place of a body, in the world as the step began, is in the body's frame now: deformation has moved it. */
static tacVec3 place_now(const Build *b, int index, const tacSite *site, tacVec3 x) {
  const tacWorldBody *body = &b->world->bodies[index];
  tacVec3 p = tac_frame_from_world(&b->before[index], x);
  int n = body->size;
  if (tac_world_body_yields(body))
    return tac_vec3_mad(p, body->step.length, body->body.table->velocity(body->body.self, site));
  if (n == 0 || body->block < 0 || !body->due) return p;
  const tacBlock *block = &b->world->blocks[body->block];
  double rows[3 * TAC_BODY_MOST_COORDINATES], moved[3] = {0.0};
  if (!block->solved) return p;
  body->body.table->rows(body->body.self, site, rows);
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

/* ---- contacts ---- */

/* A new contact of the bodies [2] at x0 and x1 (world, as the step began), or NULL where there is no room. `way`: what it moved in
 * the step, x0 - x1. */
static tacLocalContact *add(Build *b, uint64_t key, const int32_t body[2], const tacSite site[2], tacVec3 x0,
                            tacVec3 x1, const tacVec3 *axes, tacVec3 *way) {
  tacLocalProblem *p = b->problem;
  if (p->count == TAC_LOCAL_BUILT) return NULL;
  const tacVec3 at[2] = {x0, x1};
  tacVec3 now[2] = {x0, x1};
  tacLocalContact *c = &p->contacts[p->count];
  *c = (tacLocalContact){.key = key, .body = {body[0], body[1]}, .tool = {-1, -1}};
  b->shares[p->count] = -1;
  memcpy(c->axes, axes, 3 * sizeof *axes);
  for (int s = 0; s < 2; ++s) {
    c->place[s] = at[s];
    b->site[p->count][s] = site[s];
    if (body[s] < 0) continue;
    tacVec3 own = place_now(b, body[s], &site[s], at[s]);
    now[s] = tac_frame_to_world(&b->world->bodies[body[s]].frame, own);
    c->tool[s] = b->world->bodies[body[s]].holder;
    c->place[s] = c->tool[s] >= 0 ? own : now[s];
  }
  tacVec3 apart = tac_vec3_sub(now[0], now[1]);
  *way = tac_vec3_sub(apart, tac_vec3_sub(x0, x1));
  for (int k = 0; k < 3; ++k) c->anchor[k] = tac_vec3_dot(axes[k], apart);
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
    if (p->count == TAC_LOCAL_BUILT) return;
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
    c->tool[1] = body->holder;
    c->place[1] = body->holder >= 0 ? tac_frame_from_world(&body->frame, tip.contact.deformed) : tip.contact.deformed;
    c->axes[0] = tip.axis;
    tac_contact_across(c->axes[0], &c->axes[1]);
    b->site[p->count][1] = tip.site;
    tacVec3 apart = tac_vec3_sub(tool->position, tip.contact.deformed);
    bool acts = tip.contact.state != TAC_CONTACT_NONE;
    for (int k = 0; k < 3; ++k) {
      c->from[k] = -tac_vec3_dot(c->axes[k], tip.contact.force); /* on the tool */
      c->anchor[k] = acts || k > 0 ? tac_vec3_dot(c->axes[k], apart) : 0.0;
    }
    set_soft(b, c, tip.soft, tip.soft);
    ++p->count;
  }
}

static void add_law(Build *b, const tacSetContact *s, bool acts) {
  tacVec3 way, x1 = tac_vec3_mad(s->at, -s->gap, s->axes[0]);
  tacLocalContact *c = add(b, s->key, s->body, s->site, s->at, x1, s->axes, &way);
  if (c == NULL) return;
  c->friction = s->friction;
  c->depth = fmax(0.0, -s->gap);
  for (int k = 0; k < 3; ++k) c->from[k] = acts ? tac_vec3_dot(s->axes[k], s->force) : 0.0;
  if (!acts) c->anchor[0] = tac_vec3_dot(s->axes[0], s->moved); /* its place is displaced by that; see `displace` */
  set_soft(b, c, s->softness, 0.0);
}

/* Whether a finger presses a body that answers as a compliance: then the body's other contacts answer at once, too. */
static bool is_pressed(const Build *b, int index) {
  if (index < 0 || !tac_world_body_complies(&b->world->bodies[index])) return false;
  for (int i = 0; i < b->problem->count; ++i)
    if (b->problem->contacts[i].tip && b->problem->contacts[i].body[1] == index) return true;
  return false;
}

static bool concerns_tools(const Build *b, const tacSetContact *s) {
  for (int side = 0; side < 2; ++side)
    if (is_held(b, s->body[side]) || is_pressed(b, s->body[side])) return true;
  return false;
}

static void add_laws(Build *b, bool acting) {
  const tacContactSet *set = &b->world->contacts;
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *s = &set->list[i];
    bool acts = s->state != TAC_CONTACT_NONE;
    if (acts == acting && concerns_tools(b, s)) add_law(b, s, acts);
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
  tacVec3 at = tac_frame_from_world(&b->before[pair->field], pair->at[i].at);
  if (pair->contact_field.deformed == NULL) return (tacSite){TAC_SITE_FRAME, 0, at};
  tacPairProxy under = pair->proxies[i];
  return (tacSite){TAC_SITE_FIELD, under.domain << 16 | under.proxy,
                   tac_deformed_pose_pull_back(pair->contact_field.deformed, under.domain, under.proxy, at)};
}

static void place_cluster(Build *b, const tacPair *pair, Cluster *cluster, uint64_t key) {
  const int32_t body[2] = {pair->points, pair->field};
  const tacSite site[2] = {{TAC_SITE_SHELL, pair->point[cluster->point], {0.0, 0.0, 0.0}},
                           field_site(b, pair, cluster->point)};
  tacVec3 axes[3], way;
  axes[0] = tac_vec3_unit(cluster->normal);
  tac_contact_across(axes[0], &axes[1]);
  double normal = tac_vec3_dot(axes[0], tac_mat3_mul_vec(cluster->stiffness, axes[0]));
  double across = 0.5 * (tac_mat3_trace(cluster->stiffness) - normal);
  if (!(normal > 0.0)) return;
  normal = fmax(normal, cluster->full) + tac_vec3_dot(axes[0], tac_mat3_mul_vec(cluster->alone, axes[0]));
  tacVec3 at = tac_vec3_scale(1.0 / cluster->weight, cluster->at);
  tacLocalContact *c = add(b, key, body, site, at, at, axes, &way);
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
static void press_clusters(Build *b, const tacPair *pair, double worked, int count, Cluster *clusters) {
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
    tacVec3 force = tac_vec3_mad(cluster->force, h * worked, cluster->sharing);
    double pressing = tac_vec3_dot(c->axes[0], force);
    b->shares[at] = (int)(pair - b->world->contact_pairs);
    b->yields[at] = tac_vec3_dot(cluster->sharing, c->axes[0]) / cluster->stiff * sqrt(h / (1.0 - taken));
    if (pressing > 0.0) {
      for (int i = 0; i < 3; ++i) c->from[i] = tac_vec3_dot(c->axes[i], force);
    } else {
      c->anchor[0] += pressing / cluster->stiff; /* so far apart */
    }
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

/* What a point moved in the step, against the field's body. */
static tacVec3 way_of(const Build *b, const tacPair *pair, int i) {
  const tacVec3 at = pair->at[i].at;
  const tacSite own = {TAC_SITE_SHELL, pair->point[i], {0.0, 0.0, 0.0}}, other = field_site(b, pair, i);
  return tac_vec3_sub(tac_frame_to_world(&b->world->bodies[pair->points].frame, place_now(b, pair->points, &own, at)),
                      tac_frame_to_world(&b->world->bodies[pair->field].frame, place_now(b, pair->field, &other, at)));
}

/* Returns the work of what shares, J. */
static double join(const Build *b, Cluster *to, const tacPair *pair, int i) {
  const tacContactSpring *spring = &pair->springs[i];
  const tacPenaltyPoint *point = &pair->at[i];
  double weight = fabs(tac_vec3_dot(spring->force, point->normal)) + 1e-12;
  const tacVec3 way = way_of(b, pair, i), sharing = sharing_of(pair, i);
  to->force = tac_vec3_add(to->force, tac_vec3_sub(spring->force, tac_mat3_mul_vec(spring->stiffness, way)));
  tacMat3 alone = tac_mat3_outer(tac_vec3_scale(point->alone, point->normal), point->normal);
  to->stiffness = tac_mat3_add(to->stiffness, tac_mat3_sub(spring->stiffness, alone));
  to->alone = tac_mat3_add(to->alone, alone);
  to->sharing = tac_vec3_add(to->sharing, sharing);
  to->full += pair->penalty.stiffness * point->share;
  to->at = tac_vec3_mad(to->at, weight, point->at);
  to->normal = tac_vec3_mad(to->normal, -weight, point->normal);
  to->weight += weight;
  to->depth = fmax(to->depth, point->depth);
  return tac_vec3_dot(sharing, way);
}

static void add_springs(Build *b, int p) {
  const tacPair *pair = &b->world->contact_pairs[p];
  if (pair->laws || !tac_pair_is_held(pair, b->world->bodies)) return;
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
  double worked = 0.0;
  for (int k = 0; k < kept; ++k) sums[k] = (Cluster){.point = chosen[k] * every};
  for (int i = 0; kept > 0 && i < pair->count; ++i)
    worked += join(b, &sums[nearest_of(&clusters, kept, candidates, chosen, &pair->at[i])], pair, i);
  for (int k = 0; k < kept; ++k) place_cluster(b, pair, &sums[k], candidates[chosen[k]].key);
  press_clusters(b, pair, worked, kept, sums);
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
    /* These places are those after the step. */
    tacVec3 way;
    tacLocalContact *c =
        add(b, s->key, s->body, s->site, s->at, tac_vec3_mad(s->at, -s->gap, s->axes[0]), s->axes, &way);
    if (c == NULL) break;
    for (int side = 0; side < 2; ++side) {
      const tacWorldBody *body = body_of(b, s->body[side]);
      tacVec3 x = side == 0 ? s->at : tac_vec3_mad(s->at, -s->gap, s->axes[0]);
      if (body != NULL) c->place[side] = c->tool[side] >= 0 ? tac_frame_from_world(&body->frame, x) : x;
    }
    c->friction = s->friction;
    c->anchor[0] = c->anchor[1] = c->anchor[2] = 0.0;
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

static bool make_answer(Build *b, Answer *a) {
  const tacWorldBody *body = a->body;
  size_t n = (size_t)a->n, own = (size_t)body->size, at = n - own;
  tacArena *arena = &b->world->arena;
  a->matrix = tac_arena_array(arena, n * n, sizeof *a->matrix);
  a->load = tac_arena_array(arena, n, sizeof *a->load);
  double *matrix = tac_arena_array(arena, own * own + 1, sizeof *matrix),
         *load = tac_arena_array(arena, own + 1, sizeof *load);
  if (a->matrix == NULL || a->load == NULL || matrix == NULL || load == NULL) return false;
  memset(a->matrix, 0, n * n * sizeof *a->matrix);
  memset(a->load, 0, n * sizeof *a->load);
  if (own > 0 && !body->body.table->linearise(body->body.self, &body->step, matrix, load)) return false;
  for (size_t i = 0; i < own; ++i) {
    a->load[at + i] = load[i];
    memcpy(a->matrix + (at + i) * n + at, matrix + i * own, own * sizeof *matrix);
  }
  if (at > 0) {
    double six[6][6], push[6];
    tac_frame_equation(&body->frame, body->step.length, six, push);
    for (size_t i = 0; i < 6; ++i) {
      a->load[i] = push[i];
      for (size_t j = 0; j < 6; ++j) a->matrix[i * n + j] = six[i][j];
    }
  }
  add_others(b, a);
  return true;
}

/* Adds what one body gives way to C, and how it goes on to the rates. */
static void add_answer(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacArena *arena = &b->world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  Answer a = {.body = &b->world->bodies[index], .index = index};
  a.first = a.body->holder >= 0 ? a.body->frame_size : 0;
  a.n = tac_block_moves(a.body) - a.first;
  double *rows = tac_arena_array(arena, (size_t)p->count * 3 * (size_t)a.n + 1, sizeof *rows);
  size_t n = (size_t)a.n, all = 3 * (size_t)p->count;
  int touching[TAC_LOCAL_MOST], count = 0;
  if (a.n == 0 || rows == NULL || !make_answer(b, &a)) {
    tac_arena_release(arena, mark);
    return;
  }
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacLocalContact *c = &p->contacts[i];
      if (c->body[s] != index) continue;
      tacVec3 at = c->tool[s] >= 0 ? tac_frame_to_world(&a.body->frame, c->place[s]) : c->place[s];
      double *own = rows + (size_t)count * 3 * n;
      rows_of(&a, &b->site[i][s], at, c->axes, s == 0 ? 1.0 : -1.0, own);
      tac_block_add_force(a.n, own, c->from, a.load);
      touching[count++] = i;
    }
  tacDense factor = {a.n, a.n, a.n, a.matrix};
  if (tac_dense_loop_cholesky(&factor)) {
    tac_dense_loop_cholesky_solve(&factor, a.load);
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
            p->compliance[(3 * (size_t)touching[i] + r) * all + 3 * (size_t)touching[o] + k] += sum;
          }
  }
  tac_arena_release(arena, mark);
}

/* Places on a body that answers as a compliance count from rest. A contact that acts tells where it is by that; of one that does not,
 * what the forces of another do to its gap is told here: `c` between the two. */
static void displace(tacLocalContact *to, const tacLocalContact *by, const double c[3]) {
  if (to->from[0] != 0.0 || to->from[1] != 0.0 || to->from[2] != 0.0) return;
  to->anchor[0] -= c[0] * by->from[0] + c[1] * by->from[1] + c[2] * by->from[2];
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
                           ? tac_point_tool_compliance(b->world, index, x->tool[0], &b->site[i][s], y->tool[0],
                                                       &b->site[o][q], &c)
                           : body->body.table->compliance(body->body.self, &b->site[i][s], &b->site[o][q], c.m);
          if (!known) {
            ++b->report->uncoupled;
            continue;
          }
          c = tac_mat3_scale(s == q ? 1.0 : -1.0, tac_island_turned(body, &c, x->axes, y->axes));
          displace(x, y, (const double[3]){c.m[0][0], c.m[0][1], c.m[0][2]});
          if (i != o) displace(y, x, (const double[3]){c.m[0][0], c.m[1][0], c.m[2][0]});
          for (size_t r = 0; r < 3; ++r)
            for (size_t k = 0; k < 3; ++k) {
              double value = c.m[r][k];
              p->compliance[(3 * (size_t)i + r) * all + 3 * (size_t)o + k] += value;
              if (i != o) p->compliance[(3 * (size_t)o + k) * all + 3 * (size_t)i + r] += value;
            }
        }
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
  size_t room = (size_t)most, all = 3 * (size_t)p->count;
  tacSite *sites = tac_arena_array(arena, room, sizeof *sites);
  tacMat3 *springs = tac_arena_array(arena, room, sizeof *springs);
  double *c = tac_arena_array(arena, 9 * room * room, sizeof *c),
         *g = tac_arena_array(arena, 9 * room * room, sizeof *g);
  if (sites == NULL || springs == NULL || c == NULL || g == NULL) {
    tac_arena_release(arena, mark);
    ++b->report->saturated;
    return;
  }
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2 && count < most; ++s) {
      if (p->contacts[i].body[s] != index) continue;
      contact[count] = i;
      side[count] = s;
      sites[count++] = b->site[i][s];
    }
  int first = count;
  tacQuat back = tac_quat_conjugate(body->frame.orientation);
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *s = &world->contacts.list[i];
    for (int k = 0; k < 2 && count < most; ++k) {
      if (s->body[k] != index || s->state == TAC_CONTACT_NONE || concerns_tools(b, s)) continue;
      double stiff = 1.0 / fmax(s->softness, least_softness), sticks = s->state == TAC_CONTACT_STICKS ? stiff : 0.0;
      tacMat3 axes = tac_mat3_from_columns(tac_quat_rotate(back, s->axes[0]), tac_quat_rotate(back, s->axes[1]),
                                           tac_quat_rotate(back, s->axes[2]));
      springs[count - first] =
          tac_mat3_mul(axes, tac_mat3_mul(tac_mat3_diagonal(stiff, sticks, sticks), tac_mat3_transpose(axes)));
      sites[count++] = s->site[k];
    }
  }
  table->give_way(body->body.self, &body->step, count, sites, c);
  if (count > first) tac_yielding_hold(count, first, c, springs, g, arena);
  size_t n = 3 * (size_t)count;
  for (int i = 0; i < first; ++i) {
    tacLocalContact *x = &p->contacts[contact[i]];
    tacVec3 v = tac_quat_rotate(body->frame.orientation, table->velocity(body->body.self, &sites[i]));
    double sign = side[i] == 0 ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k) x->rate[k] += sign * tac_vec3_dot(x->axes[k], v);
    for (int o = 0; o < first; ++o) {
      const tacLocalContact *y = &p->contacts[contact[o]];
      tacMat3 block;
      for (size_t r = 0; r < 3; ++r) memcpy(block.m[r], c + (3 * (size_t)i + r) * n + 3 * (size_t)o, sizeof block.m[r]);
      block = tac_mat3_scale(side[i] == side[o] ? 1.0 : -1.0, tac_island_turned(body, &block, x->axes, y->axes));
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
          p->compliance[(3 * (size_t)contact[i] + r) * all + 3 * (size_t)contact[o] + k] += block.m[r][k];
    }
  }
  tac_arena_release(arena, mark);
}

void tac_local_build(tacWorld *world, const tacFrame *before, tacLocalKeys *keys, tacLocalProblem *problem,
                     tacTickReport *report) {
  Build b = {.world = world, .before = before, .keys = keys, .problem = problem, .report = report};
  problem->count = 0;
  problem->left = 0.0;
  memset(problem->missing, 0, sizeof problem->missing);
  add_tips(&b);
  add_laws(&b, true);
  for (int p = 0; p < world->pair_count; ++p) add_springs(&b, p);
  add_laws(&b, false);
  for (int p = 0; p < world->pair_count; ++p) add_near(&b, p);
  size_t all = 3 * (size_t)problem->count;
  memset(problem->compliance, 0, all * all * sizeof *problem->compliance);
  for (int i = 0; i < problem->count; ++i)
    for (size_t k = 0; k < 3; ++k) problem->compliance[(3 * (size_t)i + k) * (all + 1)] = b.soft[i][k > 0];
  for (int i = 0; i < problem->count; ++i)
    for (int j = 0; b.shares[i] >= 0 && j < problem->count; ++j)
      if (b.shares[j] == b.shares[i])
        problem->compliance[3 * (size_t)i * all + 3 * (size_t)j] += b.yields[i] * b.yields[j];
  for (int index = 0; index < world->body_count; ++index) {
    bool touched = false;
    for (int i = 0; i < problem->count; ++i)
      touched = touched || problem->contacts[i].body[0] == index || problem->contacts[i].body[1] == index;
    if (!touched) continue;
    add_answer(&b, index);
    if (tac_world_body_complies(&world->bodies[index])) add_compliance(&b, index);
    if (tac_world_body_yields(&world->bodies[index])) add_yielding(&b, index);
  }
  for (int i = 0; i < problem->count; ++i) { /* how it goes on is known no farther than that */
    double *rate = problem->contacts[i].rate, speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    for (int k = 0; k < 3 && speed > most_speed; ++k) rate[k] *= most_speed / speed;
  }
  keys->count = problem->count;
  for (int i = 0; i < problem->count; ++i) keys->keys[i] = problem->contacts[i].key;
}
