#include "body/step_response.h"

#include <string.h>

/* Minimum compliance of a site, relative to the softest site. Nodes clamped against a wall have zero compliance, but
 * the diagonal of W must be positive. */
static const double least_share = 1e-6;

size_t tac_step_response_room(int most) {
  return tac_response_room(most, 0) + 2 * (size_t)most * sizeof(tacVec3) + 3 * (size_t)most * sizeof(double);
}

bool tac_step_response_begin(tacStepResponse *y, const tacBody *body, const tacBodyStep *step, int most,
                             tacArena *arena) {
  *y = (tacStepResponse){.motion = tac_arena_array(arena, (size_t)most, sizeof *y->motion)};
  y->base = tac_arena_array(arena, 3 * (size_t)most, sizeof *y->base);
  if (y->motion != NULL && y->base != NULL && tac_response_begin(&y->response, body, NULL, step, most, false, arena))
    return true;
  *y = (tacStepResponse){.response = {.count = -1}};
  return false;
}

static double product(int n, const double *row, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += row[i] * x[i];
  return sum;
}

/* Computes the spring forces f0 - G u, where u is the motion of the spring sites under the guessed forces f0 at all
 * sites. G is defined in body/response.h. */
static void settle_springs(tacStepResponse *y) {
  const tacResponse *r = &y->response;
  int s = 3 * (r->count - r->held), l = 3 * r->held, n = 3 * r->count;
  double *motion = &y->motion->x;
  /* change of the spring forces from f0 */
  for (int i = 0; i < s; ++i) y->base[i] = -product(s, r->g + i * s, motion + l);
  /* effect of this change on the other sites */
  for (int i = 0; i < l; ++i) motion[i] += product(s, r->c + i * n + l, y->base);
}

/* Subtracts the effect of the guessed contact forces from the motion. */
static void take_off_guess(tacStepResponse *y) {
  for (int i = 0; i < 3 * y->contacts; ++i)
    (&y->motion->x)[i] -= product(3 * y->contacts, y->response.c + i * 3 * y->response.count, &y->response.forces->x);
}

void tac_step_response_start(tacStepResponse *y, tacBodyStep *step, tacArena *arena) {
  tacResponse *r = &y->response;
  step->springs = r->count - r->held;
  step->spring = &r->springs[0].m[0][0];
  r->body->table->begin_step(r->body->self, step, r->count, r->sites, r->forces, y->motion, r->c);
  double softest = 0.0;
  int n = 3 * r->count;
  for (int i = 0; i < n; ++i) softest = softest > r->c[i * (n + 1)] ? softest : r->c[i * (n + 1)];
  for (int i = 0; i < n; ++i) r->c[i * (n + 1)] += least_share * softest;
  /* The elimination of the springs fails if the arena is too small. */
  if (r->count > r->held && !tac_response_hold(r->count, r->held, r->c, r->springs, r->g, arena))
    memset(r->g, 0,
           9 * (size_t)((r->count - r->held) * (r->count - r->held)) * sizeof *r->g); /* spring forces stay constant */
  settle_springs(y);
  take_off_guess(y);
}

bool tac_step_response_may_repeat(const tacStepResponse *y) {
  return y->contacts > 0 && y->response.body->table->move_again != NULL && y->response.count == y->response.held;
}

void tac_step_response_repeat(tacStepResponse *y) {
  const tacResponse *r = &y->response;
  if (r->body->table->move_again(r->body->self, r->step, r->forces, y->motion)) take_off_guess(y);
}

tacBodyFinish tac_step_response_end(tacStepResponse *y, const double *change, tacArena *arena) {
  const tacResponse *r = &y->response;
  int s = 3 * (r->count - r->held), l = 3 * y->contacts, n = 3 * r->count, first = 3 * r->held;
  tacArenaMark mark = tac_arena_mark(arena);
  double *at = tac_arena_array(arena, (size_t)s + 1, sizeof *at), *springs = &r->forces->x + first;
  for (int i = 0; i < s; ++i) at[i] = product(l, r->c + (first + i) * n, change);
  for (int i = 0; i < s; ++i) { /* adds base - G C_SL change to the spring forces; S: springs, L: contacts */
    double sum = y->base[i];
    for (int a = 0; a < s; ++a) sum -= r->g[i * s + a] * at[a];
    springs[i] += sum;
  }
  tac_arena_release(arena, mark);
  return r->body->table->end_step(r->body->self, r->step, r->forces);
}

void tac_step_response_add_change(const tacStepResponse *y, int site, int contact, tacVec3 change, double *sum) {
  const tacResponse *r = &y->response;
  const int n = 3 * r->count, first = site < r->held ? site : r->held, rows = site < r->held ? 1 : r->count - r->held;
  for (int k = 0; k < 3 * rows; ++k) sum[k] += product(3, r->c + (3 * first + k) * n + 3 * contact, &change.x);
}

tacVec3 tac_step_response_motion(const tacStepResponse *y, int site, double stiffness, const double *sum) {
  const tacResponse *r = &y->response;
  if (site < r->held) return tac_vec3_add(y->motion[site], tac_vec3(sum[0], sum[1], sum[2]));
  const int s = 3 * (r->count - r->held), first = 3 * (site - r->held);
  double moved[3];
  for (int k = 0; k < 3; ++k) /* the motion u follows from f0 - k u = f0 + base - G C_SL change */
    moved[k] = (product(s, r->g + (first + k) * s, sum) - y->base[first + k]) / stiffness;
  return tac_vec3(moved[0], moved[1], moved[2]);
}
