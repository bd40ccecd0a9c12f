#include "world/rates/local_build.h"

#include <math.h>
#include <string.h>
#include "body/response.h"
#include "collide/contact_clusters.h"
#include "world/islands/block.h"
#include "world/islands/meeting.h"
#include "world/pairs/pair.h"
#include "world/rates/local_answer.h"
#include "world/tools/point_tool.h"

static const double most_speed = 1.0;    /* maximum predicted speed of a surface, m/s */
static const double least_energy = 1e-4; /* energy that free bodies may give to tools in a step in any case, J */
enum { CLUSTERED = 2048 /* maximum number of points of a pair that may represent clusters */ };

typedef struct Build {
  tacWorld *world;
  const tacFrame *before;
  int led;                   /* index in tacWorld.contacts of the first contact of held bodies */
  const tacLocalTool *tools; /* tools at the poses of the step */
  const tacLocalPast *past;
  tacLocalProblem *problem;
  tacTickReport *report;
  double soft[TAC_LOCAL_MOST][2]; /* normal and tangential compliance of each contact, m/N */
  int shares[TAC_LOCAL_MOST];     /* pair whose sharing points form the contact (contact/penalty.h); -1: none */
  double yields[TAC_LOCAL_MOST];  /* factors y, (m/N)^(1/2): a force of 1 N at contact j moves contact i by y_i y_j */
} Build;

size_t tac_local_build_room(const tacWorld *world) {
  if (world->simulate_every == 1) return 0;
  return tac_local_answer_room(world) + tac_meeting_room() + TAC_MEETING_MOST * sizeof(tacSetContact) +
         CLUSTERED * (sizeof(tacContactCandidate) + sizeof(double)) + 8192;
}

/* ---- places ---- */

/* Returns the position of a site after the deformation in the step, body's frame. `x`: world position at the start of
 * the step. */
static tacVec3 place_now(const Build *b, int index, const tacSite *site, tacVec3 x) {
  const tacWorldBody *body = &b->world->bodies[index];
  tacVec3 p = tac_frame_from_world(&b->before[index], x);
  int n = body->size;
  if (tac_world_body_yields(body))
    return tac_vec3_mad(p, body->step.length, tac_response_velocity(&body->body, body->fingers.patches, site));
  if (n == 0 || body->moves.block < 0 || !body->turn.due) return p;
  const tacBlock *block = &b->world->blocks[body->moves.block];
  double rows[3 * TAC_BODY_MOST_COORDINATES], moved[3] = {0.0};
  if (!block->solved) return p;
  tac_response_rows(&body->body, body->fingers.patches, site, rows);
  for (int i = 0; i < n; ++i) {
    int at = body->moves.offset + body->moves.frame + i;
    double d = block->motion[at] + (block->done != NULL ? block->done[at] : 0.0);
    for (int axis = 0; axis < 3; ++axis) moved[axis] += rows[axis * n + i] * d;
  }
  return tac_vec3_add(p, tac_vec3(moved[0], moved[1], moved[2]));
}

/* Returns true if the frame of the body is free, its energy is known (world/store.h), and no pads move it
 * (tacLocalContact.lends). The energy of a free body without a frame lacks its height. */
static bool lends(const tacWorld *world, int index) {
  if (index < 0) return false;
  const tacWorldBody *body = &world->bodies[index];
  bool known = body->body.table->energy != NULL || (body->size == 0 && !tac_world_body_yields(body));
  return body->frame.mode == TAC_FRAME_FREE && known && body->grip.patches == NULL;
}

static bool leads(const Build *b, const int32_t body[2]) {
  return body[0] >= 0 ? tac_world_leads(b->world, body[0], body[1]) : tac_world_leads(b->world, body[1], -1);
}

/* ---- contacts ---- */

/* Adds a contact of two bodies at the places x0 and x1 (world). Returns NULL if the problem is full. x0 and x1 are the
 * present places for a carried contact. For another contact they are the places at the start of the step. */
static tacLocalContact *add(Build *b, uint64_t key, const int32_t body[2], const tacSite site[2], tacVec3 x0,
                            tacVec3 x1, const tacVec3 *axes) {
  tacLocalProblem *p = b->problem;
  if (p->count == TAC_LOCAL_BUILT) {
    ++p->left_out;
    return NULL;
  }
  tacVec3 at[2] = {x0, x1};
  tacLocalContact *c = &p->contacts[p->count];
  *c = (tacLocalContact){.key = key, .body = {body[0], body[1]}, .tool = {-1, -1}, .carries = leads(b, body)};
  c->pays = c->carries;
  c->lends = c->carries && (lends(b->world, body[0]) || lends(b->world, body[1]));
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
      ++p->left_out;
      return;
    }
    tacLocalContact *c = &p->contacts[p->count];
    *c = (tacLocalContact){.key = (uint64_t)(t + 1) << 48 | tip.contact.body,
                           .body = {-1, (int32_t)tip.contact.body},
                           .tool = {t, -1},
                           .tip = true,
                           .friction = world->bodies[tip.contact.body].feel.friction,
                           .soft = tip.soft,
                           .shown = tip.contact};
    b->shares[p->count] = -1;
    const tacWorldBody *body = &world->bodies[tip.contact.body];
    c->carries = tac_world_carries(world, (int)tip.contact.body);
    c->pays = c->carries || body->frame.mode != TAC_FRAME_FREE;
    c->lends = c->carries && lends(world, (int)tip.contact.body);
    c->tool[1] = body->holder;
    c->place[1] = body->holder >= 0 ? tac_frame_from_world(&body->frame, tip.contact.deformed) : tip.contact.deformed;
    c->axes[0] = tip.axis;
    tac_contact_across(c->axes[0], &c->axes[1]);
    c->site[1] = tip.site;
    tacVec3 apart = tac_vec3_sub(tool->position, tip.contact.deformed);
    bool acts = tip.contact.state != TAC_CONTACT_NONE;
    for (int k = 0; k < 3; ++k) {
      if (!c->carries) c->from[k] = -tac_vec3_dot(c->axes[k], tip.contact.force); /* force on the tool */
      c->anchor[k] = (acts && !c->carries) || k > 0 ? tac_vec3_dot(c->axes[k], apart) : 0.0;
    }
    c->lever[1] = tac_vec3_sub(tac_frame_from_world(&body->frame, tip.contact.deformed),
                               tac_response_place(&body->body, body->fingers.patches, &tip.site));
    set_soft(b, c, tip.soft.normal, tip.soft.across);
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
  /* The detected place includes the displacement `moved`; see displace in local_answer.c. */
  if (!acts) c->anchor[0] = tac_vec3_dot(s->axes[0], s->moved);
  set_soft(b, c, s->softness, 0.0);
}

/* Adds contacts that obey laws. `acting`: adds the contacts that act or touch; otherwise adds the remaining contacts.
 * Call with `acting` first, since the problem may not have room for all contacts. */
static void add_laws(Build *b, bool acting) {
  const tacContactSet *set = &b->world->contacts;
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *s = &set->list[i];
    bool acts = s->state != TAC_CONTACT_NONE || (s->gap <= 0.0 && i >= b->led);
    if (acts == acting && tac_local_concerns_tools(b->world, b->problem, s)) add_law(b, s);
  }
}

/* ---- springs ---- */

static bool was_built(const Build *b, uint64_t key) {
  for (int i = 0; i < b->past->count; ++i)
    if (b->past->contacts[i].key == key) return true;
  return false;
}

/* Cluster of springs: sums over the springs, and the centre of the spring forces. */
typedef struct Cluster {
  tacVec3 force, at, normal;
  tacMat3 stiffness; /* stiffness if all sharing points are pressed equally, N/m */
  tacMat3 alone;     /* additional stiffness while all other points are fixed (tacPenaltyPoint.alone), N/m */
  tacVec3 sharing;   /* sum of the normal forces of sharing points, N */
  double full;       /* normal stiffness if all points are deeper than the ramp of the penalty force, N/m */
  double weight, depth;
  int point;                /* index of the pair's point that represents the cluster */
  tacLocalContact *contact; /* contact of the cluster; NULL: the problem has no contact for the cluster */
  double stiff;             /* stiffness along the contact's normal while all other points are fixed, N/m */
} Cluster;

static void place_cluster(Build *b, const tacPair *pair, Cluster *cluster, uint64_t key) {
  const int32_t body[2] = {pair->points, pair->field};
  const tacSite site[2] = {{TAC_SITE_SHELL, pair->point[cluster->point], {0.0, 0.0, 0.0}},
                           tac_local_field_site(b->world, pair, cluster->point)};
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

/* Computes the coupling of the clusters of a pair by sharing points (contact/penalty.h). Along the normals of the
 * clusters, the stiffness is
 *     K = D - h v v^T,   h = 2 / `below`.
 * The diagonal matrix D contains the stiffness of each cluster while all other points are fixed. v contains the forces
 * of the sharing points. K is several times stiffer in rotation than in translation. C must represent this: a body
 * that rotates more easily between steps than in steps would rock forever. So C contains the exact inverse
 *     K^-1 = D^-1 + y y^T,   y = D^-1 v (h / (1 - h v^T D^-1 v))^(1/2).
 * h v^T D^-1 v is less than 1: by Cauchy-Schwarz, the sum of v^2 / `alone` is at most `below` / 2, and D is larger than
 * `alone`. */
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

/* Returns the index of the chosen candidate that is nearest to a point in position and normal. */
static int nearest_of(const tacContactClusters *clusters, int count, const tacContactCandidate *candidates,
                      const int *chosen, const tacPenaltyPoint *point) {
  double least = INFINITY, length2 = clusters->normal_length * clusters->normal_length;
  int nearest = 0;
  for (int k = 0; k < count; ++k) {
    const tacContactCandidate *c = &candidates[chosen[k]];
    double turn = tac_vec3_norm2(tac_vec3_add(c->normal, point->normal)); /* opposite normals have the sum zero */
    double apart = tac_vec3_norm2(tac_vec3_sub(c->place, point->at)) + length2 * turn;
    if (apart < least) least = apart, nearest = k;
  }
  return nearest;
}

static void join(Cluster *to, const tacPair *pair, int i) {
  const tacContactSpring *spring = &pair->springs[i];
  const tacPenaltyPoint *point = &pair->at[i];
  double weight = fabs(tac_vec3_dot(spring->force, point->normal)) + 1e-12;
  to->force = tac_vec3_add(to->force, spring->force);
  tacMat3 alone = tac_mat3_outer(tac_vec3_scale(point->alone, point->normal), point->normal);
  to->stiffness = tac_mat3_add(to->stiffness, tac_mat3_sub(spring->stiffness, alone));
  to->alone = tac_mat3_add(to->alone, alone);
  to->sharing = tac_vec3_add(to->sharing, tac_local_sharing(pair, i));
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

/* Adds contacts of a pair that are near but had no springs in the step. */
static void add_near(Build *b, int p) {
  const tacPair *pair = &b->world->contact_pairs[p];
  if (pair->laws || !tac_pair_is_held(pair, b->world->bodies)) return;
  tacArenaMark mark = tac_arena_mark(&b->world->arena);
  tacSetContact *found = tac_arena_array(&b->world->arena, TAC_MEETING_MOST, sizeof *found);
  int count = found != NULL ? tac_meeting_look(b->world, pair, found) : 0;
  for (int i = 0; i < count; ++i) {
    tacSetContact *s = &found[i];
    if (s->gap <= 0.0 && pair->count > 0) continue; /* the contact is part of a cluster */
    tac_contact_across(s->axes[0], &s->axes[1]);
    tacLocalContact *c = add(b, s->key, s->body, s->site, s->at, tac_vec3_mad(s->at, -s->gap, s->axes[0]), s->axes);
    if (c == NULL) continue;
    c->friction = s->friction;
    set_soft(b, c, s->softness, s->softness);
  }
  tac_arena_release(&b->world->arena, mark);
}

/* Returns the energy of the springs between a body and other bodies or the floor, J. */
static double support_energy(const tacWorld *world, int index) {
  double sum = 0.0;
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *s = &world->contacts.list[i];
    if (s->state != TAC_CONTACT_NONE && (s->body[0] == index || s->body[1] == index))
      sum += 0.5 * s->softness * tac_vec3_norm2(s->force);
  }
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, index) || tac_pair_is_held(pair, world->bodies)) continue;
    for (int i = 0; i < pair->count; ++i)
      sum += 0.5 * tac_vec3_norm(pair->springs[i].force) * fmax(0.0, pair->at[i].depth);
  }
  return sum;
}

/* Returns the energy that free bodies may give to the tools in the next step, without the work of the tools, J. */
static double lent_energy(const Build *b) {
  const tacWorld *world = b->world;
  double most = 0.0;
  for (int t = 0; t < world->tool_count; ++t) most = fmax(most, world->tools[t].stored);
  for (int index = 0; index < world->body_count; ++index)
    if (lends(world, index)) most += support_energy(world, index);
  return most + least_energy;
}

static void press_past(const tacWorld *world, const tacLocalPost *post, tacLocalPast *past) {
  double least = INFINITY, f[3];
  tacPastContact *heir = NULL;
  for (int i = 0; i < past->count; ++i) {
    tacPastContact *c = &past->contacts[i];
    if (!c->carries || c->body[0] != post->body[0] || c->body[1] != post->body[1]) continue;
    double apart = c->key == post->key ? -1.0 : tac_vec3_distance(tac_local_past_place(world, c, 1), post->place);
    if (apart < least) least = apart, heir = c;
  }
  if (heir == NULL) return;
  tac_contact_numbers(heir->axes, post->force, f);
  for (int k = 0; k < 3; ++k) heir->from[k] += f[k];
}

/* Stores the tick forces of the step as f', in the past contacts and in the contacts of the problem. */
static void press_contacts(Build *b, int count, const tacLocalPost *posts, tacLocalPast *past) {
  for (int i = 0; i < count; ++i) {
    const tacLocalPost *post = &posts[i];
    press_past(b->world, post, past);
    int heir = tac_local_problem_heir(b->problem, post->key, post->body, post->place, b->tools);
    double f[3];
    if (heir < 0) continue;
    tacLocalContact *c = &b->problem->contacts[heir];
    tac_contact_numbers(c->axes, post->force, f);
    for (int k = 0; k < 3; ++k) c->from[k] += f[k];
  }
}

void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report) {
  tacLocalTool tools[TAC_MOST_TOOLS];
  memcpy(world->patches + TAC_MOST_TOOLS, past->patches, sizeof past->patches);
  Build b = {.world = world, .before = before, .tools = tools, .past = past, .problem = problem, .report = report};
  for (int t = 0; t < world->tool_count; ++t) {
    tools[t].held = world->tools[t].held;
    if (world->tools[t].held.body < 0) continue;
    tools[t].frame = world->bodies[world->tools[t].held.body].frame;
    for (int j = 0; j < world->tools[t].held.jaw_count; ++j)
      tools[t].jaws[j] = world->bodies[world->tools[t].held.jaws[j].body].frame;
  }
  problem->count = problem->built = problem->left_out = 0;
  problem->ticks = world->simulate_every;
  problem->still = false;
  problem->left = 0.0;
  problem->energy = lent_energy(&b);
  memset(problem->missing, 0, sizeof problem->missing);
  b.led = tac_meeting_detect_led(world, report);
  add_tips(&b);
  add_laws(&b, true);
  for (int p = 0; p < world->pair_count; ++p) add_springs(&b, p);
  add_laws(&b, false);
  for (int p = 0; p < world->pair_count; ++p) add_near(&b, p);
  problem->built = problem->count;
  report->saturated += problem->left_out;
  press_contacts(&b, post_count, posts, past);
  size_t all = 3 * (size_t)problem->count;
  memset(problem->compliance, 0, all * all * sizeof *problem->compliance);
  for (int i = 0; i < problem->count; ++i)
    for (size_t k = 0; k < 3; ++k) problem->compliance[(3 * (size_t)i + k) * (all + 1)] = b.soft[i][k > 0];
  for (int i = 0; i < problem->count; ++i)
    for (int j = 0; b.shares[i] >= 0 && j < problem->count; ++j)
      if (b.shares[j] == b.shares[i])
        problem->compliance[3 * (size_t)i * all + 3 * (size_t)j] += b.yields[i] * b.yields[j];
  for (size_t i = 0; i < all; ++i) /* the detected places include the deflection by spring forces */
    for (size_t j = 0; j < all && problem->contacts[i / 3].carries; ++j)
      problem->contacts[i / 3].anchor[i % 3] +=
          problem->compliance[i * all + j] * problem->contacts[j / 3].carried.base[j % 3];
  size_t tips = 3 * (size_t)problem->built;
  memset(problem->now, 0, tips * tips * sizeof *problem->now);
  problem->past = past->count;
  for (int i = 0; i < past->count; ++i)
    memcpy(problem->supposed + 3 * i, past->contacts[i].from, sizeof past->contacts[i].from);
  size_t supposed = 3 * (size_t)past->count;
  memset(problem->before, 0, tips * supposed * sizeof *problem->before);
  memset(problem->after, 0, tips * supposed * sizeof *problem->after);
  tac_local_answer(world, past, problem, report);
  for (int i = 0; i < problem->built; ++i) { /* removes the effect of forces from `second` */
    tacLocalContact *c = &problem->contacts[i];
    if (!c->carries) continue;
    memset(c->rate, 0, sizeof c->rate);
    for (size_t k = 0; k < 3; ++k)
      for (size_t j = 0; j < supposed; ++j)
        c->carried.second[k] += problem->before[(3 * (size_t)i + k) * supposed + j] * problem->supposed[j];
  }
  for (int i = 0; i < problem->count; ++i) { /* the predicted speed is limited */
    double *rate = problem->contacts[i].rate, speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    for (int k = 0; k < 3 && speed > most_speed; ++k) rate[k] *= most_speed / speed;
  }
  past->count = problem->count;
  for (int i = 0; i < problem->count; ++i) {
    const tacLocalContact *c = &problem->contacts[i];
    past->contacts[i] = (tacPastContact){.key = c->key,
                                         .body = {c->body[0], c->body[1]},
                                         .carries = c->carries,
                                         .axes = {c->axes[0], c->axes[1], c->axes[2]},
                                         .site = {c->site[0], c->site[1]},
                                         .lever = {c->lever[0], c->lever[1]}};
    tacSite *site = &past->contacts[i].site[1];
    if (site->kind != TAC_SITE_PATCH) continue;
    past->patches[site->index] = world->patches[site->index]; /* the tool's patch will change */
    site->index += TAC_MOST_TOOLS;
  }
}
