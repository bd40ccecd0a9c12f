#include "world/rates/local_answer.h"

#include <math.h>
#include <string.h>
#include "body/response.h"
#include "math/dense/dense.h"
#include "world/islands/block.h"
#include "world/islands/contact_response.h"
#include "world/islands/island.h"
#include "world/tools/point_tool.h"

/* What is exact gives way by so little where it is a spring: m/N. */
static const double least_softness = 1e-6;
static const double lift_off = 1e-4;     /* m */
static const double most_support = 1e5;  /* N/m: of a contact of what pads hold */
static const double least_hold = 1000.0; /* N/m: of what holds a body, however light that is */
enum {
  MOST_MOVES = TAC_BLOCK_MOST_MOVES,
  MOST_ASKED = 4000 /* contacts times vertices of a body: what takes tens of milliseconds */
};

typedef struct Build {
  tacWorld *world;
  const tacLocalPast *past;
  tacLocalProblem *problem;
  tacTickReport *report;
} Build;

/* Whether a finger presses a body that answers as a compliance: then the body's other contacts answer at once, too. */
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

/* ---- bodies with coordinates ---- */

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

/* A contact that no tool has a part in is a spring to what does not move, along its axes. It bears its force and no more: what is carried and
 * pulled off it lifts off after `lift_off`. A local problem that is too stiff lets a hand overreact, by more in each step; one that is too soft
 * does not (docs/rates.md). */
static tacMat3 hold(const tacSetContact *s, bool carried, double force[3]) {
  double stiff = 1.0 / fmax(s->softness, least_softness), sticks = s->state == TAC_CONTACT_STICKS ? stiff : 0.0;
  tac_contact_numbers(s->axes, s->force, force);
  return tac_mat3_diagonal(carried ? fmin(stiff, fmax(least_hold, force[0] / lift_off)) : stiff, sticks, sticks);
}

/* The same where the body answers as a compliance, too: that is behind each of them. */
static tacMat3 hold_compliant(const tacWorldBody *body, const tacSetContact *s, int side, tacMat3 k) {
  tacMat3 c;
  if (!body->body.table->compliance(body->body.self, &s->site[side], &s->site[side], c.m)) return k;
  c = tac_island_turned(body, &c, s->axes, s->axes);
  for (int i = 0; i < 3; ++i) k.m[i][i] /= 1.0 + k.m[i][i] * c.m[i][i];
  return k;
}

/* Its contacts that no tool has a part in. */
static void add_others(Build *b, const Answer *a) {
  double rows[3 * MOST_MOVES];
  for (int i = 0; i < b->world->contacts.count; ++i) {
    const tacSetContact *s = &b->world->contacts.list[i];
    int side = s->body[0] == a->index ? 0 : 1;
    if (s->body[side] != a->index || s->state == TAC_CONTACT_NONE || tac_local_concerns_tools(b->world, b->problem, s))
      continue;
    double force[3];
    tacMat3 k = hold(s, a->drag != NULL, force);
    if (tac_world_body_complies(a->body)) k = hold_compliant(a->body, s, side, k);
    rows_of(a, &s->site[side], s->at, s->axes, side == 0 ? 1.0 : -1.0, rows);
    tac_block_add_force(a->n, rows, force, a->load);
    tac_block_add_spring(a->n, rows, &k, a->matrix, (size_t)a->n);
  }
}

/* And its pairs that are springs. */
static void add_pairs(const Build *b, const Answer *a) {
  double rows[3 * MOST_MOVES];
  const tacVec3 world[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int p = 0; p < b->world->pair_count; ++p) {
    const tacPair *pair = &b->world->contact_pairs[p];
    int side = pair->points == a->index ? 0 : 1;
    if (pair->laws || !tac_pair_has(pair, a->index) || tac_pair_is_held(pair, b->world->bodies)) continue;
    double shared[MOST_MOVES] = {0.0}, h = pair->pressed.below > 0.0 ? 2.0 / pair->pressed.below : 0.0;
    for (int i = 0; i < pair->count; ++i) {
      const tacContactSpring *spring = &pair->springs[i];
      const tacVec3 sharing = tac_local_sharing(pair, i);
      tacSite site = side == 0 ? (tacSite){TAC_SITE_SHELL, pair->point[i], {0.0, 0.0, 0.0}}
                               : tac_local_field_site(b->world, pair, i);
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
  add_pairs(b, a);
  return true;
}

/* What pads do to a free body, or NULL. */
static const tacPull *pull_of(const tacWorld *world, int index) {
  for (int i = 0; i < world->pull_count; ++i)
    if (world->pulls[i].body == index) return &world->pulls[i];
  return NULL;
}

/* To others the pads of a body are springs to what does not move. */
static void add_pads(const Build *b, const Answer *a) {
  const tacPull *pull = pull_of(b->world, a->index);
  for (int i = 0; pull != NULL && a->n >= 6 && i < 6; ++i) {
    a->load[i] += pull->wrench[i];
    for (int j = 0; j < 6; ++j) a->matrix[i * a->n + j] += pull->stiffness[i][j];
  }
}

/* Rows of contacts, [3][n] each: which contact, and how often. */
typedef struct Rows {
  int count;
  int contact[2 * TAC_LOCAL_MOST];
  double *rows;
} Rows;

/* How places of carried contacts go in two steps: the first d under all forces as they are, and then d'. `rows` [3][n] a contact; Z = L^-1 J^T
 * are their half solutions, and Y those of contacts that acted: they move places by Z^T Y in the first, and by Z^T (L^-1 Q L^-T - 1) Y in
 * the second. */
static void foresee(Build *b, const Answer *a, const tacDense *factor, const double *d, const Rows *places,
                    const double *rows, const Rows *past) {
  tacLocalProblem *p = b->problem;
  size_t n = (size_t)a->n, acted = 3 * (size_t)p->past, tips = 3 * (size_t)p->built;
  tacDense drag = {a->n, a->n, a->n, a->drag};
  double next[MOST_MOVES], back[3 * MOST_MOVES], column[MOST_MOVES];
  tac_dense_loop_gemv(&drag, d, next);
  for (size_t i = 0; i < n; ++i) next[i] -= a->impetus[i];
  tac_dense_loop_cholesky_solve(factor, next);
  for (int i = 0; i < places->count; ++i) {
    tacLocalContact *c = &p->contacts[places->contact[i]];
    for (size_t k = 0; k < 3 && c->carries; ++k) {
      const double *row = rows + (3 * (size_t)i + k) * n; /* of u = x0 - x1 */
      for (size_t j = 0; j < n; ++j) {
        c->carried.first[k] -= row[j] * d[j];
        c->carried.second[k] -= row[j] * next[j];
      }
    }
  }
  for (int i = 0; i < places->count; ++i)
    for (int o = 0; o < places->count; ++o) {
      if (!p->contacts[places->contact[i]].carries || !p->contacts[places->contact[o]].carries) continue;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k) {
          const double *x = places->rows + (3 * (size_t)o + r) * n, *y = places->rows + (3 * (size_t)i + k) * n;
          double sum = 0.0;
          for (size_t j = 0; j < n; ++j) sum += x[j] * y[j];
          p->now[(3 * (size_t)places->contact[o] + r) * tips + 3 * (size_t)places->contact[i] + k] += sum;
        }
    }
  for (int i = 0; i < past->count; ++i) {
    const double *half = past->rows + 3 * (size_t)i * n;
    for (size_t k = 0; k < 3; ++k) {
      memcpy(column, half + k * n, n * sizeof *column);
      tac_dense_loop_cholesky_backward(factor, column);
      tac_dense_loop_gemv(&drag, column, back + k * n);
    }
    tac_dense_loop_cholesky_forward3(factor, 0, back);
    for (int o = 0; o < places->count; ++o) {
      if (!p->contacts[places->contact[o]].carries) continue;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k) {
          const double *x = places->rows + (3 * (size_t)o + r) * n, *y = half + k * n;
          size_t at = (3 * (size_t)places->contact[o] + r) * acted + 3 * (size_t)past->contact[i] + k;
          for (size_t j = 0; j < n; ++j) {
            p->before[at] += x[j] * y[j];
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

/* Contacts of the problem with a body, and their forces in its load but for those that are carried. */
static void find_rows(Build *b, const Answer *a, Rows *places) {
  tacLocalProblem *p = b->problem;
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacLocalContact *c = &p->contacts[i];
      if (c->body[s] != a->index) continue;
      tacVec3 at = c->tool[s] >= 0 ? tac_frame_to_world(&a->body->frame, c->place[s]) : c->place[s];
      double *own = places->rows + (size_t)places->count * 3 * (size_t)a->n;
      rows_of(a, &c->site[s], at, c->axes, s == 0 ? 1.0 : -1.0, own);
      if (!c->carries) tac_block_add_force(a->n, own, c->from, a->load);
      places->contact[places->count++] = i;
    }
}

/* Those that acted likewise, which are carried. */
static void find_past_rows(Build *b, const Answer *a, Rows *past) {
  for (int i = 0; i < b->past->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacPastContact *c = &b->past->contacts[i];
      if (!c->carries || c->body[s] != a->index) continue;
      double *own = past->rows + (size_t)past->count * 3 * (size_t)a->n;
      rows_of(a, &c->site[s], tac_local_past_place(b->world, c, s), c->axes, s == 0 ? 1.0 : -1.0, own);
      tac_block_add_force(a->n, own, c->from, a->load);
      past->contact[past->count++] = i;
    }
}

/* Adds what one body gives way to C, and how it goes on to the rates. */
static void add_answer(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacArena *arena = &b->world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  Answer a = {.body = &b->world->bodies[index], .index = index};
  a.first = a.body->holder >= 0 ? a.body->moves.frame : 0;
  a.n = tac_block_moves(a.body) - a.first;
  size_t n = (size_t)a.n, all = 3 * (size_t)p->count, room = 3 * n * (size_t)p->count;
  double *rows = tac_arena_array(arena, 2 * room + 3 * n * (size_t)b->past->count + 1, sizeof *rows);
  Rows places = {.rows = rows}, past = {.rows = rows != NULL ? rows + 2 * room : NULL};
  bool carried = is_carried(b, index);
  if (a.n == 0 || rows == NULL || !make_answer(b, &a, carried)) {
    tac_arena_release(arena, mark);
    return;
  }
  add_pads(b, &a);
  find_rows(b, &a, &places);
  if (carried) find_past_rows(b, &a, &past);
  tacDense factor = {a.n, a.n, a.n, a.matrix};
  if (tac_dense_loop_cholesky(&factor)) {
    tac_dense_loop_cholesky_solve(&factor, a.load);
    double *copy = rows + room;
    memcpy(copy, rows, (size_t)places.count * 3 * n * sizeof *rows);
    for (int i = 0; i < places.count; ++i) {
      double *own = rows + (size_t)i * 3 * n;
      for (size_t k = 0; k < 3; ++k)
        for (size_t j = 0; j < n; ++j)
          p->contacts[places.contact[i]].rate[k] += own[k * n + j] * a.load[j] / a.body->step.length;
      tac_dense_loop_cholesky_forward3(&factor, 0, own);
    }
    for (int i = 0; i < past.count; ++i) tac_dense_loop_cholesky_forward3(&factor, 0, past.rows + (size_t)i * 3 * n);
    for (int i = 0; i < places.count; ++i)
      for (int o = 0; o < places.count; ++o)
        for (size_t r = 0; r < 3; ++r)
          for (size_t k = 0; k < 3; ++k) {
            const double *x = rows + ((size_t)i * 3 + r) * n, *y = rows + ((size_t)o * 3 + k) * n;
            double sum = 0.0;
            for (size_t j = 0; j < n; ++j) sum += x[j] * y[j];
            p->compliance[(3 * (size_t)places.contact[i] + r) * all + 3 * (size_t)places.contact[o] + k] +=
                share_of(p, places.contact[i], places.contact[o]) * sum;
          }
    if (carried) foresee(b, &a, &factor, a.load, &places, copy, &past);
  }
  tac_arena_release(arena, mark);
}

/* ---- bodies that answer as a compliance ---- */

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

/* ---- bodies that answer as the compliance of a step ---- */

/* Sites of a body that answers as the compliance of a step, body's frame: those of contacts of the problem, those of contacts that acted and
 * are not among them, then those of others, which are springs k to what does not move: of their forces G = (1 + k C)^-1 k of what they
 * would move by. */
typedef struct Yields {
  const tacWorldBody *body;
  int count, places, first;    /* sites, those of contacts of the problem, those before the springs */
  int *contact;                /* [places] */
  const double *sign;          /* [places]: -1 of the first side */
  int past_count;              /* sides of contacts that acted: */
  const int *past, *past_site; /* [past_count], the contact and its site */
  const double *past_sign;     /* [past_count] */
  tacSite *sites;              /* [count], and so below */
  tacVec3 *forces;             /* N: as they are */
  tacVec3 *acts, *once, *next; /* room */
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

/* Along axes of a contact that acted: how a unit of its force moves a place of the problem, of which `moved` is told. */
static void add_after(Build *b, const Yields *y, int past, size_t k, const tacVec3 *moved) {
  tacLocalProblem *p = b->problem;
  size_t acted = 3 * (size_t)p->past;
  for (int o = 0; o < y->places; ++o) {
    const tacLocalContact *other = &p->contacts[y->contact[o]];
    double numbers[3];
    if (!other->carries) continue;
    tac_contact_numbers(other->axes, tac_quat_rotate(y->body->frame.orientation, moved[o]), numbers);
    for (size_t r = 0; r < 3; ++r)
      p->after[(3 * (size_t)y->contact[o] + r) * acted + 3 * (size_t)past + k] += y->sign[o] * numbers[r];
  }
}

/* Where held bodies have too many contacts to ask for each, as each takes two solutions of a body's equations: what their forces do to
 * the second step is a share of what they do to the first, as it is for the forces that they have. */
static void foresee_others(Build *b, const Yields *y, tacVec3 *once, tacVec3 *next) {
  tacLocalProblem *p = b->problem;
  size_t acted = 3 * (size_t)p->past, tips = 3 * (size_t)p->built;
  double now = 0.0, after = 0.0;
  tacVec3 forces[2 * TAC_LOCAL_BUILT];
  memset(y->acts, 0, (size_t)y->count * sizeof *y->acts);
  for (int i = 0; i < y->past_count; ++i) {
    const tacPastContact *c = &b->past->contacts[y->past[i]];
    if (c->body[0] < 0) continue;
    tacVec3 axis = c->axes[0], force = tac_contact_vector(c->axes, c->from);
    forces[i] = tac_quat_rotate(tac_quat_conjugate(y->body->frame.orientation),
                                tac_vec3_scale(-y->past_sign[i], tac_vec3_mad(force, 1e-3, axis)));
    y->acts[y->past_site[i]] = tac_vec3_add(y->acts[y->past_site[i]], forces[i]);
  }
  foresee_sites(y, false, once, next);
  for (int i = 0; i < y->past_count; ++i) {
    const int site = y->past_site[i];
    if (b->past->contacts[y->past[i]].body[0] < 0) continue;
    now += tac_vec3_dot(forces[i], once[site]);
    after += tac_vec3_dot(forces[i], tac_vec3_sub(next[site], once[site]));
  }
  double share = now > 0.0 ? fmax(-1.0, fmin(1.0, after / now)) : 0.0;
  for (int o = 0; o < y->past_count; ++o) {
    if (b->past->contacts[y->past[o]].body[0] < 0) continue;
    for (size_t i = 0; i < tips; ++i)
      for (size_t k = 0; k < 3; ++k) {
        size_t at = i * acted + 3 * (size_t)y->past[o] + k;
        p->after[at] += share * p->before[at];
      }
  }
}

/* How places of carried contacts go, as `foresee` tells of bodies with coordinates. */
static void foresee_places(Build *b, const Yields *y) {
  tacLocalProblem *p = b->problem;
  tacArenaMark mark = tac_arena_mark(&b->world->arena);
  tacVec3 *once = tac_arena_array(&b->world->arena, (size_t)y->first + 1, sizeof *once),
          *next = tac_arena_array(&b->world->arena, (size_t)y->first + 1, sizeof *next);
  tacQuat turn = y->body->frame.orientation, back = tac_quat_conjugate(turn);
  if (once == NULL || next == NULL) return;
  int of_held = 0;
  for (int i = 0; i < y->past_count; ++i) of_held += b->past->contacts[y->past[i]].body[0] >= 0;
  bool asks = of_held * y->body->surface->mesh->vertex_count <= MOST_ASKED;
  memcpy(y->acts, y->forces, (size_t)y->count * sizeof *y->acts);
  foresee_sites(y, true, once, next);
  for (int i = 0; i < y->places; ++i) {
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
  for (int i = 0; i < y->past_count; ++i) {
    const tacPastContact *c = &b->past->contacts[y->past[i]];
    const int site = y->past_site[i];
    for (size_t k = 0; k < 3 && (c->body[0] < 0 || asks); ++k) {
      memset(y->acts, 0, (size_t)y->count * sizeof *y->acts);
      y->acts[site] = tac_quat_rotate(back, tac_vec3_scale(y->past_sign[i], c->axes[k]));
      if (y->count > y->first) { /* the motion of springs' sites, by C */
        int n = 3 * y->count;
        for (int j = 3 * y->first; j < n; j += 3) {
          double sum[3] = {0.0};
          for (int r = 0; r < 3; ++r)
            for (int a = 0; a < 3; ++a) sum[r] += y->c[(j + r) * n + 3 * site + a] * number(y->acts + site, a);
          y->once[j / 3] = tac_vec3(sum[0], sum[1], sum[2]);
        }
        hold_springs(y, y->once, y->acts);
      }
      foresee_sites(y, false, once, next);
      for (int o = 0; o < y->places; ++o) next[o] = tac_vec3_sub(next[o], once[o]);
      add_after(b, y, y->past[i], k, next);
    }
  }
  if (!asks) foresee_others(b, y, once, next);
  tac_arena_release(&b->world->arena, mark);
}

static tacMat3 block_of(const double *c, size_t n, int i, int j) {
  tacMat3 block;
  for (size_t r = 0; r < 3; ++r) memcpy(block.m[r], c + (3 * (size_t)i + r) * n + 3 * (size_t)j, sizeof block.m[r]);
  return block;
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

/* The same of a body that answers as the compliance of a step: it goes on as it does. Its contacts that no tool has a part in are springs
 * to what does not move. */
static void add_yielding(Build *b, int index) {
  tacLocalProblem *p = b->problem;
  tacWorld *world = b->world;
  tacArena *arena = &world->arena;
  tacArenaMark mark = tac_arena_mark(arena);
  tacWorldBody *body = &world->bodies[index];
  const tacBodyTable *table = body->body.table;
  int most = tac_body_describe(&body->body).sites, count = 0, contact[2 * TAC_LOCAL_MOST], side[2 * TAC_LOCAL_MOST];
  size_t room = (size_t)most, all = 3 * (size_t)p->count, tips = 3 * (size_t)p->built, acted = 3 * (size_t)p->past;
  tacSite *sites = tac_arena_array(arena, room, sizeof *sites);
  tacMat3 *springs = tac_arena_array(arena, room, sizeof *springs);
  double *c = tac_arena_array(arena, 9 * room * room, sizeof *c),
         *g = tac_arena_array(arena, 9 * room * room, sizeof *g);
  tacVec3 *forces = tac_arena_array(arena, 4 * room, sizeof *forces);
  double sign[2 * TAC_LOCAL_MOST];
  bool carried = is_carried(b, index) && table->foresee != NULL;
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
      const double none[3] = {0.0, 0.0, 0.0}; /* of carried ones those that acted have it */
      tacVec3 force = tac_quat_rotate(back, tac_contact_vector(x->axes, x->carries && carried ? none : x->from));
      sign[count] = s == 0 ? -1.0 : 1.0;
      forces[count] = tac_vec3_scale(-sign[count], force);
      sites[count++] = b->problem->contacts[i].site[s];
    }
  int places = count, past_count = 0, past[2 * TAC_LOCAL_BUILT], past_site[2 * TAC_LOCAL_BUILT];
  double past_sign[2 * TAC_LOCAL_BUILT];
  for (int i = 0; carried && i < b->past->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacPastContact *x = &b->past->contacts[i];
      if (!x->carries || x->body[s] != index) continue;
      int at = 0;
      while (at < count && !same_site(world->patches, &sites[at], &x->site[s])) ++at;
      if (at == most) continue;
      if (at == count) {
        forces[count] = tac_vec3(0.0, 0.0, 0.0);
        sites[count++] = x->site[s];
      }
      past[past_count] = i;
      past_site[past_count] = at;
      past_sign[past_count] = s == 0 ? -1.0 : 1.0;
      tacVec3 force = tac_quat_rotate(back, tac_contact_vector(x->axes, x->from));
      forces[at] = tac_vec3_mad(forces[at], -past_sign[past_count++], force);
    }
  int first = count;
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *s = &world->contacts.list[i];
    for (int k = 0; k < 2 && count < most; ++k) {
      if (s->body[k] != index || s->state == TAC_CONTACT_NONE || tac_local_concerns_tools(b->world, b->problem, s))
        continue;
      double force[3];
      tacMat3 held = hold(s, carried, force);
      tacMat3 axes = tac_mat3_from_columns(tac_quat_rotate(back, s->axes[0]), tac_quat_rotate(back, s->axes[1]),
                                           tac_quat_rotate(back, s->axes[2]));
      springs[count - first] = tac_mat3_mul(axes, tac_mat3_mul(held, tac_mat3_transpose(axes)));
      forces[count] = tac_quat_rotate(back, tac_vec3_scale(k == 0 ? 1.0 : -1.0, s->force));
      sites[count++] = s->site[k];
    }
  }
  table->give_way(body->body.self, &body->step, count, sites, c);
  if (count > first) tac_response_hold(count, first, c, springs, g, arena);
  size_t n = 3 * (size_t)count;
  for (int i = 0; i < places; ++i) {
    tacLocalContact *x = &p->contacts[contact[i]];
    tacVec3 v =
        tac_quat_rotate(body->frame.orientation, tac_response_velocity(&body->body, body->fingers.patches, &sites[i]));
    for (int k = 0; k < 3; ++k) x->rate[k] -= sign[i] * tac_vec3_dot(x->axes[k], v);
    for (int o = 0; o < past_count && x->carries; ++o) {
      const tacPastContact *y = &b->past->contacts[past[o]];
      tacMat3 block = block_of(c, n, i, past_site[o]);
      block = tac_mat3_scale(sign[i] * past_sign[o], tac_island_turned(body, &block, x->axes, y->axes));
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
          p->before[(3 * (size_t)contact[i] + r) * acted + 3 * (size_t)past[o] + k] += block.m[r][k];
    }
    for (int o = 0; o < places; ++o) {
      const tacLocalContact *y = &p->contacts[contact[o]];
      tacMat3 block = block_of(c, n, i, o);
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
                         .places = places,
                         .first = first,
                         .contact = contact,
                         .sign = sign,
                         .past_count = past_count,
                         .past = past,
                         .past_site = past_site,
                         .past_sign = past_sign,
                         .sites = sites,
                         .forces = forces,
                         .acts = forces + room,
                         .once = forces + 2 * room,
                         .next = forces + 3 * room,
                         .c = c,
                         .g = g};
  if (carried) foresee_places(b, &yields);
  tac_arena_release(arena, mark);
}

/* What supports a body that pads hold; what is near, too. */
static void add_supports(const Build *b, const Answer *a, tacPulledFrame *to) {
  const tacContactSet *set = &b->world->contacts;
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *s = &set->list[i];
    int side = s->body[0] == a->index ? 0 : 1;
    if (s->body[side] != a->index || tac_local_concerns_tools(b->world, b->problem, s)) continue;
    if (to->count == TAC_PULLED_CONTACTS) {
      ++b->report->saturated;
      continue;
    }
    tacPulledContact *c = &to->contacts[to->count++];
    double force[3] = {0.0}, rows[18];
    bool acts = s->state != TAC_CONTACT_NONE;
    tacMat3 k = hold(s, false, force);
    rows_of(a, &s->site[side], s->at, s->axes, side == 0 ? 1.0 : -1.0, rows);
    memcpy(c->rows, rows, sizeof rows);
    for (int r = 0; r < 3; ++r) {
      c->stiffness[r] = r == 0 || acts ? fmin(k.m[r][r], most_support) : 0.0;
      c->force[r] = acts ? force[r] : 0.0;
    }
    tacVec3 v = tac_frame_velocity(&a->body->frame, s->at);
    double sign = side == 0 ? 1.0 : -1.0;
    c->gap = acts ? 0.0 : fmax(0.0, s->gap + sign * a->body->step.length * tac_vec3_dot(s->axes[0], v));
  }
}

void tac_local_answer_pull(tacWorld *world, tacLocalProblem *problem, const tacPull *pull, tacTickReport *report,
                           tacPulledFrame *to) {
  Build b = {.world = world, .problem = problem, .report = report};
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double springs[36] = {0.0}, load[6] = {0.0}, still[6][6], *rows = NULL;
  Answer a = {.body = &world->bodies[pull->body], .index = pull->body, .matrix = springs, .load = load};
  tac_pulled_frame_begin(to, pull->body, &a.body->frame);
  a.n = tac_block_moves(a.body);
  if (a.n == 6) rows = tac_arena_array(&world->arena, 2 * 18 * (size_t)TAC_LOCAL_MOST, sizeof *rows);
  if (rows != NULL) {
    Rows places = {.rows = rows};
    tacFrame frame = a.body->frame;
    add_supports(&b, &a, to);
    add_pairs(&b, &a);
    find_rows(&b, &a, &places); /* contacts that ticks solve keep their forces */
    memcpy(to->springs, springs, sizeof to->springs);
    tac_frame_equation(&frame, a.body->step.length, to->inertia, to->load);
    frame.linear = frame.angular = tac_vec3(0.0, 0.0, 0.0);
    tac_frame_equation(&frame, a.body->step.length, still, to->steady);
    for (int i = 0; i < 6; ++i) {
      to->load[i] += load[i];
      to->steady[i] += load[i];
    }
    to->known = true;
  }
  tac_arena_release(&world->arena, mark);
}

void tac_local_answer(tacWorld *world, const tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report) {
  Build b = {world, past, problem, report};
  for (int index = 0; index < world->body_count; ++index) {
    bool touched = false;
    for (int i = 0; i < problem->count; ++i)
      touched = touched || problem->contacts[i].body[0] == index || problem->contacts[i].body[1] == index;
    if (!touched) continue;
    add_answer(&b, index);
    if (tac_world_body_complies(&world->bodies[index])) add_compliance(&b, index);
    if (tac_world_body_yields(&world->bodies[index])) add_yielding(&b, index);
  }
}
