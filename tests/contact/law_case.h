/* Random problems of contacts whose W plain loops know, in all of its forms. */
#pragma once

#include <math.h>
#include <string.h>
#include "contact/laws/law_problem.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

enum { MOST = 100, MOST_BODIES = 30, SIX = 6, THIRTY = 30 };

/* Contacts, what they touch, and W as plain loops have it. */
typedef struct Case {
  tacLawProblem problem;
  tacLawContact contacts[MOST];
  double rows[MOST][2][3 * THIRTY];
  int sizes[MOST_BODIES];
  double w[9 * MOST * MOST];
  int first[MOST + 1], column[MOST * MOST], diagonal[MOST];
  double entries[9 * MOST * MOST];
  tacBlockMatrix blocks;
  double size, give; /* the largest free motion, m, and number on W's diagonal, m/N */
} Case;
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
  c->blocks = (tacBlockMatrix){(int)m, c->first, c->column, c->entries, c->diagonal};
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

/* u and f that obey the laws are chosen, and u0 = u - W f: a solution exists. */
static inline void choose_solution(tacRandom *random, Case *c) {
  static double forces[3 * MOST];
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
