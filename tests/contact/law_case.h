/* Random problems of contacts whose W plain loops know, in all of its forms. */
#pragma once

#include <float.h>
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 100, MOST_BODIES = 30, SIX = 6, THIRTY = 30, FIVE = 5 };

/* Contacts, what they touch, and W as plain loops have it. */
typedef struct Case {
  tacLawProblem problem;
  tacLawContact contacts[MOST];
  double rows[MOST][2][3 * THIRTY];
  int sizes[MOST_BODIES];
  double w[9 * MOST * MOST], compliance[9 * MOST * MOST];
  double forces[3 * MOST]; /* of the solution that was chosen, and its states */
  tacContactState states[MOST];
  int first[MOST + 1], column[MOST * MOST], diagonal[MOST];
  double entries[9 * MOST * MOST];
  tacContactProblem blocks;
  double size, give; /* the largest free motion, m, and number on W's diagonal, m/N */
} Case;

/* Whatever happened: finite forces in their cones, unless they hold both ways. */
static inline void check_cones(const tacLawProblem *problem) {
  for (int i = 0; i < problem->count; ++i) {
    const tacLawContact *a = &problem->contacts[i];
    const double *f = a->force, most = isfinite(a->friction) ? fmax(a->friction, 0.0) * f[0] : 0.0;
    ck_assert(isfinite(f[0]) && isfinite(f[1]) && isfinite(f[2]));
    if (a->grabbed) continue;
    ck_assert_double_ge(f[0], 0.0);
    if (!isfinite(a->friction)) ck_assert_double_eq(f[0], 0.0);
    ck_assert_double_le(sqrt(f[1] * f[1] + f[2] * f[2]), most * (1.0 + 4.0 * DBL_EPSILON));
  }
}

static inline void find_w(Case *c) {
  const tacLawProblem *p = &c->problem;
  size_t n = 3 * (size_t)p->count;
  for (size_t r = 0; r < n; ++r)
    for (size_t s = 0; s < n; ++s) {
      const tacLawContact *a = &c->contacts[r / 3], *b = &c->contacts[s / 3];
      double sum = p->compliance != NULL ? p->compliance[r * n + s] : 0.0;
      if (r == s && r % 3 == 0) sum += a->softness;
      for (int i = 0; i < 4; ++i) {
        int part = a->part[i / 2];
        if (part < 0 || part != b->part[i % 2]) continue;
        size_t width = (size_t)p->part_size[part];
        for (size_t k = 0; k < width; ++k) sum += a->rows[i / 2][r % 3 * width + k] * b->rows[i % 2][s % 3 * width + k];
      }
      c->w[r * n + s] = sum;
    }
  c->size = c->give = 0.0;
  for (size_t r = 0; r < n; ++r) c->give = fmax(c->give, c->w[r * n + r]);
}

static inline void find_size(Case *c) {
  for (int i = 0; i < c->problem.count; ++i) {
    const tacLawContact *a = &c->contacts[i];
    c->size = fmax(c->size, sqrt(a->gap * a->gap + a->slip[0] * a->slip[0] + a->slip[1] * a->slip[1]));
  }
}

/* W as a compliance, or in the blocks that are not zero, in place of parts. */
static inline void give_w(Case *c, bool sparse) {
  size_t m = (size_t)c->problem.count, n = 3 * m;
  int filled = 0;
  for (size_t i = 0; i < m; ++i) {
    c->contacts[i].part[0] = c->contacts[i].part[1] = -1;
    c->contacts[i].softness = 0.0;
    c->first[i] = filled;
    for (size_t j = 0; j < m; ++j) {
      double sum = 0.0, *to = c->entries + 9 * (size_t)filled;
      for (size_t e = 0; e < 9; ++e) {
        to[e] = c->w[(3 * i + e / 3) * n + 3 * j + e % 3];
        sum += fabs(to[e]);
      }
      if (sum == 0.0 && i != j) continue;
      if (i == j) c->diagonal[i] = filled;
      c->column[filled++] = (int)j;
    }
  }
  c->first[m] = filled;
  c->blocks = (tacContactProblem){
      .count = (int)m, .first = c->first, .column = c->column, .entries = c->entries, .diagonal = c->diagonal};
  c->problem.compliance = sparse ? NULL : c->w;
  c->problem.blocks = sparse ? &c->blocks : NULL;
  c->problem.part_count = 0;
}

/* Rows of a point at `at` of a body with six coordinates whose mass and moments of inertia are 1 / per^2, 1 / per_turn^2. */
static inline void give_rigid(tacVec3 at, const tacVec3 axes[3], double per, double per_turn, double *rows) {
  for (int a = 0; a < 3; ++a) {
    tacVec3 e = axes[a], moment = tac_vec3_cross(at, e);
    const double row[SIX] = {per * e.x,           per * e.y,           per * e.z,
                             per_turn * moment.x, per_turn * moment.y, per_turn * moment.z};
    memcpy(rows + (size_t)a * SIX, row, sizeof row);
  }
}

typedef enum Kind { DENSE, TOOL_AND_BODY, TOOL_ALONE, KINDS } Kind;

/* Random contacts on any matrix that is positive definite; on a rigid tool and a body with thirty coordinates; and on a
 * rigid tool alone, where W has no inverse with three contacts or more. Normals are any. */
static inline void make_case(tacRandom *random, Kind kind, int count, double friction, Case *c) {
  const int parts[KINDS] = {0, 2, 1};
  memset(c->contacts, 0, sizeof c->contacts);
  c->sizes[0] = SIX;
  c->sizes[1] = THIRTY;
  c->problem =
      (tacLawProblem){.count = count, .contacts = c->contacts, .part_count = parts[kind], .part_size = c->sizes};
  for (int i = 0; i < count; ++i) {
    tacLawContact *a = &c->contacts[i];
    tacVec3 at = tac_random_in_cube(random, 1.0), n = tac_vec3_unit(tac_random_normal3(random));
    tacVec3 t = tac_vec3_unit(tac_vec3_cross(n, tac_random_normal3(random)));
    const tacVec3 axes[3] = {n, t, tac_vec3_cross(n, t)};
    a->friction = tac_random_uniform(random, 0.0, friction);
    give_rigid(at, axes, 1.0, 1.0, c->rows[i][0]);
    for (int k = 0; k < 3 * THIRTY; ++k) c->rows[i][1][k] = 0.2 * tac_random_normal(random);
    for (int s = 0; s < 2; ++s) {
      a->part[s] = s < parts[kind] ? s : -1;
      a->rows[s] = c->rows[i][s];
    }
  }
  find_w(c);
  if (kind != DENSE) return;
  size_t n = 3 * (size_t)count;
  static double z[3 * MOST];
  memset(c->w, 0, n * n * sizeof *c->w);
  for (size_t k = 0; k < n + 3; ++k) {
    for (size_t r = 0; r < n; ++r) z[r] = tac_random_normal(random);
    for (size_t r = 0; r < n; ++r)
      for (size_t s = 0; s < n; ++s) c->w[r * n + s] += z[r] * z[s] / (double)n;
  }
  for (size_t r = 0; r < n; ++r) c->give = fmax(c->give, c->w[r * n + r]);
  give_w(c, false);
}

/* Contacts between neighbours of five parts with 1 to 30 coordinates; rows of normal numbers, and where it is `compliant` a
 * compliance that is positive semidefinite. Free motions are zero, friction is from 0 to 1, every third contact is soft. */
static inline void make_parts(tacRandom *random, int count, bool compliant, Case *c) {
  const int sizes[FIVE] = {6, THIRTY, 1, 5, 29};
  size_t n = 3 * (size_t)count;
  static double factor[3 * MOST];
  memcpy(c->sizes, sizes, sizeof sizes);
  memset(c->contacts, 0, sizeof c->contacts);
  for (int i = 0; i < count; ++i) {
    tacLawContact *a = &c->contacts[i];
    a->friction = tac_random_uniform(random, 0.0, 1.0);
    a->softness = i % 3 == 0 ? 0.5 : 0.0;
    for (int s = 0; s < 2; ++s) {
      a->part[s] = (i + s) % FIVE;
      a->rows[s] = c->rows[i][s];
      for (int k = 0; k < 3 * THIRTY; ++k) c->rows[i][s][k] = tac_random_normal(random);
    }
  }
  memset(c->compliance, 0, n * n * sizeof *c->compliance);
  for (int k = 0; k < 4; ++k) {
    for (size_t r = 0; r < n; ++r) factor[r] = tac_random_normal(random);
    for (size_t r = 0; r < n; ++r)
      for (size_t s = 0; s < n; ++s) c->compliance[r * n + s] += factor[r] * factor[s];
  }
  c->problem = (tacLawProblem){.count = count,
                               .contacts = c->contacts,
                               .part_count = FIVE,
                               .part_size = c->sizes,
                               .compliance = compliant ? c->compliance : NULL};
  find_w(c);
}

static const double STEP = 1e-3, GRAVITY = 9.81, EDGE = 0.1; /* s, m/s^2, m */

/* Boxes upon each other, from rest, on a slope: four corners each; body b has mass[b]. t1 is down the slope. */
static inline void make_stack(int bodies, const double *mass, double angle, double friction, Case *c) {
  const tacVec3 axes[3] = {tac_vec3(0.0, 0.0, 1.0), tac_vec3(1.0, 0.0, 0.0), tac_vec3(0.0, 1.0, 0.0)};
  memset(c->contacts, 0, sizeof c->contacts);
  c->problem =
      (tacLawProblem){.count = 4 * bodies, .contacts = c->contacts, .part_count = bodies, .part_size = c->sizes};
  for (int b = 0; b < bodies; ++b) c->sizes[b] = SIX;
  for (int i = 0; i < 4 * bodies; ++i) {
    tacLawContact *a = &c->contacts[i];
    double x = i % 2 == 0 ? 0.5 * EDGE : -0.5 * EDGE, y = i % 4 < 2 ? 0.5 * EDGE : -0.5 * EDGE;
    a->friction = friction;
    for (int s = 0; s < 2; ++s) {
      int b = i / 4 - s; /* the upper one, and the lower one or the slope */
      a->part[s] = b;
      a->rows[s] = c->rows[i][s];
      if (b < 0) continue;
      double per = STEP / sqrt(mass[b]), sign = s == 0 ? 1.0 : -1.0;
      tacVec3 at = tac_vec3(x, y, sign * -0.5 * EDGE);
      give_rigid(at, axes, sign * per, sign * per * sqrt(6.0) / EDGE, c->rows[i][s]);
    }
    if (i >= 4) continue; /* boxes fall alike: only the lowest comes nearer to anything */
    a->gap = -STEP * STEP * GRAVITY * cos(angle);
    a->slip[0] = STEP * STEP * GRAVITY * sin(angle);
  }
}

/* u and f that obey the laws are chosen, and u0 = u - W f: a solution exists. */
static inline void choose_solution(tacRandom *random, Case *c) {
  double *forces = c->forces;
  size_t n = 3 * (size_t)c->problem.count;
  for (int i = 0; i < c->problem.count; ++i) {
    tacLawContact *a = &c->contacts[i];
    int state = (int)(tac_random_bits(random) % 3); /* open, sticks, slides */
    double angle = tac_random_uniform(random, -3.2, 3.2), press = tac_random_uniform(random, 0.1, 2.0);
    double share = state == 1 ? tac_random_uniform(random, 0.0, 0.9) : 1.0;
    double slip = state == 2 ? tac_random_uniform(random, 0.1, 2.0) : 0.0;
    double apart = tac_random_uniform(random, 0.1, 2.0);
    forces[3 * i] = state == 0 ? 0.0 : press;
    forces[3 * i + 1] = a->friction * share * forces[3 * i] * cos(angle);
    forces[3 * i + 2] = a->friction * share * forces[3 * i] * sin(angle);
    a->gap = state == 0 ? apart : 0.0;
    a->slip[0] = -slip * cos(angle);
    a->slip[1] = -slip * sin(angle);
    c->states[i] = (tacContactState)state;
  }
  for (int i = 0; i < c->problem.count; ++i)
    for (size_t k = 0; k < n; ++k) {
      tacLawContact *a = &c->contacts[i];
      const double *w = c->w + 3 * (size_t)i * n + k;
      a->gap -= w[0] * forces[k];
      a->slip[0] -= w[n] * forces[k];
      a->slip[1] -= w[2 * n] * forces[k];
    }
  find_size(c);
}
