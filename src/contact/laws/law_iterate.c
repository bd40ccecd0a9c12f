#include "contact/laws/law_iterate.h"

#include <math.h>
#include <string.h>
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"

static const double MOST_FORCE = 1e100; /* limit of a force, N; its square is finite */

size_t tac_law_iterate_room(int count, int part_count, size_t coordinates, bool built) {
  size_t m = (size_t)count, sum = tac_law_iterate_rounded(3 * m, sizeof(double)) + tac_law_iterate_rounded(m, 1);
  sum += tac_law_iterate_rounded(3 * m, sizeof(double)); /* space for u, also reserved in unbuilt form */
  if (built) return sum + tac_law_iterate_rounded(9 * m * m, sizeof(double));
  return sum + tac_law_iterate_rounded((size_t)part_count, sizeof(size_t)) +
         tac_law_iterate_rounded(coordinates, sizeof(double));
}

size_t tac_law_iterate_coordinates(const tacLawProblem *problem) {
  size_t sum = 0;
  for (int p = 0; p < problem->part_count; ++p) sum += (size_t)problem->part_size[p];
  return sum;
}

/* Computes the initial force of a contact, which is finite and inside its friction cone. */
static void start(tacLawContact *contact, double force[3]) {
  const double *f = contact->force;
  memset(force, 0, 3 * sizeof *force);
  contact->state = contact->grabbed ? TAC_CONTACT_GRABBED : TAC_CONTACT_NONE;
  if (contact->grabbed && fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < MOST_FORCE) memcpy(force, f, 3 * sizeof *force);
  if (contact->grabbed) return;
  if (!(f[0] > 0.0 && f[0] + fabs(f[1]) + fabs(f[2]) < MOST_FORCE)) return;
  double cut = tac_coulomb_cut(contact->friction, f[0], f[1] * f[1] + f[2] * f[2]);
  if (!isfinite(cut)) return;
  force[0] = f[0];
  force[1] = cut * f[1];
  force[2] = cut * f[2];
  contact->state = cut < 1.0 ? TAC_CONTACT_SLIDES : TAC_CONTACT_STICKS;
}

bool tac_law_iterate_begin(const tacLawProblem *problem, bool built, tacArena *arena, tacLawIterate *iterate) {
  size_t m = (size_t)problem->count;
  *iterate = (tacLawIterate){.problem = problem};
  iterate->forces = tac_arena_array(arena, 3 * m, sizeof *iterate->forces);
  iterate->refused = tac_arena_array(arena, m, sizeof *iterate->refused);
  if (iterate->forces == NULL || iterate->refused == NULL) return false;
  if (built) {
    iterate->u = tac_arena_array(arena, 3 * m, sizeof *iterate->u);
    iterate->w = tac_arena_array(arena, 9 * m * m, sizeof *iterate->w);
    if (iterate->u == NULL || iterate->w == NULL) return false;
    tac_delassus_build(problem, iterate->w);
  } else {
    iterate->offset = tac_arena_array(arena, (size_t)problem->part_count, sizeof *iterate->offset);
    iterate->y = tac_arena_array(arena, tac_law_iterate_coordinates(problem), sizeof *iterate->y);
    if (iterate->offset == NULL || iterate->y == NULL) return false;
    tac_delassus_offsets(problem, iterate->offset);
  }
  for (int i = 0; i < problem->count; ++i) {
    start(&problem->contacts[i], iterate->forces + 3 * (size_t)i);
    iterate->refused[i] = false;
  }
  return true;
}

tacMat3 tac_law_iterate_block(const tacLawIterate *iterate, int i) {
  if (iterate->w == NULL) return tac_delassus_block(iterate->problem, i, i);
  tacMat3 block;
  size_t n = 3 * (size_t)iterate->problem->count;
  for (size_t a = 0; a < 3; ++a)
    memcpy(block.m[a], iterate->w + (3 * (size_t)i + a) * n + 3 * (size_t)i, sizeof block.m[a]);
  return block;
}

void tac_law_iterate_motion(const tacLawIterate *iterate, int i, double u[3]) {
  const tacLawContact *contact = &iterate->problem->contacts[i];
  if (iterate->u != NULL) {
    memcpy(u, iterate->u + 3 * (size_t)i, 3 * sizeof *u);
    return;
  }
  tac_delassus_motion(iterate->problem, iterate->offset, i, iterate->forces, iterate->y, u);
  u[0] += contact->gap;
  u[1] += contact->slip[0];
  u[2] += contact->slip[1];
}

/* Adds the effect of a force f at contact i to u, or to y in unbuilt form. Built W is symmetric, so its rows serve as
 * columns. */
static void push(const tacLawIterate *iterate, int i, const double f[3], double *restrict u) {
  if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0) return;
  if (iterate->u == NULL) {
    tac_delassus_push(iterate->problem, iterate->offset, i, f, iterate->y);
    return;
  }
  size_t n = 3 * (size_t)iterate->problem->count;
  const double *restrict a = iterate->w + 3 * (size_t)i * n, *restrict b = a + n, *restrict c = b + n;
  double f0 = f[0], f1 = f[1], f2 = f[2];
  for (size_t k = 0; k < n; ++k) u[k] += a[k] * f0 + b[k] * f1 + c[k] * f2;
}

void tac_law_iterate_change(tacLawIterate *iterate, int i, const double change[3]) {
  if (change[0] == 0.0 && change[1] == 0.0 && change[2] == 0.0) return;
  double *f = iterate->forces + 3 * (size_t)i;
  for (int a = 0; a < 3; ++a) f[a] += change[a];
  push(iterate, i, change, iterate->u);
}

void tac_law_iterate_refresh(tacLawIterate *iterate) {
  const tacLawProblem *problem = iterate->problem;
  if (iterate->u == NULL)
    memset(iterate->y, 0, tac_law_iterate_coordinates(problem) * sizeof *iterate->y);
  else
    for (int i = 0; i < problem->count; ++i) tac_law_iterate_free(&problem->contacts[i], iterate->u + 3 * (size_t)i);
  for (int i = 0; i < problem->count; ++i) push(iterate, i, iterate->forces + 3 * (size_t)i, iterate->u);
}

void tac_law_iterate_apply(tacLawIterate *iterate, const double *forces, double *motion) {
  const tacLawProblem *problem = iterate->problem;
  size_t n = 3 * (size_t)problem->count;
  if (iterate->u == NULL)
    memset(iterate->y, 0, tac_law_iterate_coordinates(problem) * sizeof *iterate->y);
  else
    memset(motion, 0, n * sizeof *motion);
  for (int i = 0; i < problem->count; ++i) push(iterate, i, forces + 3 * (size_t)i, motion);
  for (int i = 0; iterate->u == NULL && i < problem->count; ++i)
    tac_delassus_motion(problem, iterate->offset, i, forces, iterate->y, motion + 3 * (size_t)i);
}

bool tac_law_iterate_usable(const tacLawContact *contact, const tacMat3 *block) {
  tacCoulombBlock prepared;
  return tac_coulomb_block_prepare(block, &prepared) && contact->friction >= 0.0 && contact->friction < MOST_FORCE &&
         fabs(contact->gap) + fabs(contact->slip[0]) + fabs(contact->slip[1]) < MOST_FORCE;
}

void tac_law_iterate_cut(tacLawIterate *iterate) {
  for (int i = 0; i < iterate->problem->count; ++i) {
    tacLawContact *contact = &iterate->problem->contacts[i];
    double *f = iterate->forces + 3 * (size_t)i;
    if (!(fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < MOST_FORCE)) f[0] = f[1] = f[2] = 0.0;
    if (contact->grabbed) {
      contact->state = TAC_CONTACT_GRABBED;
      continue;
    }
    if (!(f[0] > 0.0)) f[0] = f[1] = f[2] = 0.0;
    double cut = tac_coulomb_cut(contact->friction, f[0], f[1] * f[1] + f[2] * f[2]);
    f[1] *= cut;
    f[2] *= cut;
    double most = contact->friction * f[0], t = sqrt(f[1] * f[1] + f[2] * f[2]);
    contact->state = f[0] == 0.0                ? TAC_CONTACT_NONE
                     : t < (1.0 - 1e-12) * most ? TAC_CONTACT_STICKS
                                                : TAC_CONTACT_SLIDES;
  }
}

tacContactMeasure tac_law_iterate_residual(const tacLawContact *contact, const double u[3], const double f[3],
                                           tacContactMeasure tolerance) {
  if (!contact->grabbed) return tac_coulomb_residual(u, f, contact->friction, tolerance);
  return (tacContactMeasure){sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), 0.0};
}

int tac_law_iterate_examine(tacLawIterate *iterate, tacContactMeasure tolerance, tacContactMeasure *worst) {
  int unsolved = 0;
  *worst = (tacContactMeasure){0.0, 0.0};
  tac_law_iterate_refresh(iterate);
  for (int i = 0; i < iterate->problem->count; ++i) {
    tacLawContact *contact = &iterate->problem->contacts[i];
    const double *f = iterate->forces + 3 * (size_t)i;
    tac_law_iterate_motion(iterate, i, contact->motion);
    tacContactMeasure residual = tac_law_iterate_residual(contact, contact->motion, f, tolerance);
    contact->motion[0] -= contact->softness * f[0];
    unsolved += iterate->refused[i] || !tac_law_iterate_within(residual, tolerance);
    worst->metres = fmax(worst->metres, residual.metres);
    worst->newtons = fmax(worst->newtons, residual.newtons);
  }
  return unsolved;
}

void tac_law_iterate_give(const tacLawIterate *iterate) {
  for (int i = 0; i < iterate->problem->count; ++i)
    memcpy(iterate->problem->contacts[i].force, iterate->forces + 3 * (size_t)i, 3 * sizeof *iterate->forces);
}

tacContactMeasure tac_law_iterate_none(const tacLawProblem *problem) {
  tacContactMeasure worst = {0.0, 0.0};
  for (int i = 0; i < problem->count; ++i) {
    tacLawContact *contact = &problem->contacts[i];
    memset(contact->force, 0, sizeof contact->force);
    contact->state = TAC_CONTACT_NONE;
    tac_law_iterate_free(contact, contact->motion);
    worst.metres = fmax(worst.metres, -contact->gap);
  }
  return worst;
}
