#include "contact/point_group.h"

#include <math.h>

enum { ALL = -1, MOST_SWEEPS = 64, MOST_BISECTIONS = 8, MOST_CROSSINGS = 64, MOST = TAC_POINT_GROUP_MOST };
#define SWEEP_TOLERANCE 1e-6 /* m: what one more sweep would move a contact */
#define MOST_COUPLING 0.9    /* of what a contact moves its own point by */

/* Contacts at given places. */
typedef struct State {
  bool acts[MOST];
  tacSurfacePoint at[MOST];
  tacVec3 stretch[MOST], force[MOST];
  double energy; /* J: U */
} State;

/* ---- forces ---- */

/* The largest singular value of A from M = K A A^T, whose eigenvalues are the squares: trace(M^8)^(1/16), up to 7 % above it. */
static double norm_of(tacMat3 m) {
  double trace = tac_mat3_trace(m);
  if (!(trace > MOST_COUPLING * MOST_COUPLING)) return sqrt(fmax(0.0, trace)); /* the norm is not above it */
  m = tac_mat3_scale(1.0 / trace, m);
  m = tac_mat3_mul(m, m);
  m = tac_mat3_mul(m, m);
  return sqrt(trace) * pow(tac_mat3_trace(tac_mat3_mul(m, m)), 1.0 / 16.0);
}

tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb) {
  double norm = norm_of(tac_mat3_mul(tac_mat3_mul(ka, w), tac_mat3_mul(kb, tac_mat3_transpose(w))));
  return norm > MOST_COUPLING ? tac_mat3_scale(MOST_COUPLING / norm, w) : w;
}

/* C = L L^T in blocks of 3 x 3, those of contacts that act. */
typedef struct Factor {
  tacMat3 w[MOST][MOST]; /* m/N, [i][j < i]: of their places */
  tacMat3 l[MOST][MOST]; /* [i][j < i]; */
  tacMat3 inverse[MOST]; /* L_ii^-1 */
  tacVec3 z[MOST];       /* L^-1 u */
} Factor;

/* L^-1 of A = L L^T; false where A is not positive definite. */
static bool inverse_root(tacMat3 a, tacMat3 *inverse) {
  tacMat3 l = tac_mat3_zero();
  *inverse = tac_mat3_zero();
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      double sum = a.m[i][j];
      for (int k = 0; k < j; ++k) sum -= l.m[i][k] * l.m[j][k];
      if (i == j && !(sum > 0.0)) return false;
      l.m[i][j] = i == j ? sqrt(sum) : sum / l.m[j][j];
    }
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = j; k < i; ++k) sum -= l.m[i][k] * inverse->m[k][j];
      inverse->m[i][j] = sum / l.m[i][i];
    }
  return true;
}

/* Row i of the factor. With B the sum of L_ij L_ij^T, S = C_ii - B is what is left of its own compliance while the others' points are
 * held; at least 1 - 0.9^2 of it, if necessary by scaling the row's coupling. */
static bool factor_row(tacPointGroup *g, const State *s, int i, int moved, Factor *f) {
  tacMat3 k = tac_point_contact_stiffness(&g->touched, s->at[i]), own, shared = tac_mat3_zero();
  if (!tac_mat3_inverse(k, &own)) return false;
  double scale = 1.0;
  int others = 0;
  for (int j = 0; j < i; ++j) {
    if (!s->acts[j]) continue;
    ++others;
    if ((moved == ALL || i == moved || j == moved) &&
        !g->compliance(g->context, i, s->at[i], j, s->at[j], &f->w[i][j])) {
      f->w[i][j] = tac_mat3_zero();
      g->uncoupled += moved == ALL;
    }
    tacMat3 sum = f->w[i][j];
    for (int m = 0; m < j; ++m)
      if (s->acts[m]) sum = tac_mat3_sub(sum, tac_mat3_mul(f->l[i][m], tac_mat3_transpose(f->l[j][m])));
    f->l[i][j] = tac_mat3_mul(sum, tac_mat3_transpose(f->inverse[j]));
    shared = tac_mat3_add(shared, tac_mat3_mul(f->l[i][j], tac_mat3_transpose(f->l[i][j])));
  }
  if (others > 0) {
    double norm = norm_of(tac_mat3_mul(k, shared));
    if (norm > MOST_COUPLING) scale = MOST_COUPLING / norm;
  }
  for (int j = 0; scale < 1.0 && j < i; ++j)
    if (s->acts[j]) f->l[i][j] = tac_mat3_scale(scale, f->l[i][j]);
  return inverse_root(tac_mat3_sub(own, tac_mat3_scale(scale * scale, shared)), &f->inverse[i]);
}

/* Forces and energy of contacts at their places; one whose compliance is no good acts no more. `moved`: which of them is not as it was
 * when the factor was last solved, or ALL. */
static void solve(tacPointGroup *g, State *s, int moved, Factor *f) {
  tacVec3 *z = f->z;
  if (moved == ALL) g->uncoupled = 0;
  s->energy = 0.0;
  for (int i = 0; i < g->count; ++i) {
    s->force[i] = tac_vec3(0.0, 0.0, 0.0);
    if (moved == ALL || i == moved)
      s->stretch[i] = tac_vec3_sub(g->members[i].y, tac_surface_walk_position(g->touched.surface, s->at[i]));
    if ((moved == ALL || i >= moved) && s->acts[i]) {
      s->acts[i] = factor_row(g, s, i, moved, f);
      z[i] = s->stretch[i];
      for (int j = 0; j < i; ++j)
        if (s->acts[j]) z[i] = tac_vec3_sub(z[i], tac_mat3_mul_vec(f->l[i][j], z[j]));
      z[i] = tac_mat3_mul_vec(f->inverse[i], z[i]);
    }
    if (s->acts[i]) s->energy += 0.5 * tac_vec3_norm2(z[i]);
  }
  for (int i = g->count; i-- > 0;) {
    if (!s->acts[i]) continue;
    tacVec3 sum = z[i];
    for (int j = i + 1; j < g->count; ++j)
      if (s->acts[j]) sum = tac_vec3_sub(sum, tac_mat3_mul_vec(tac_mat3_transpose(f->l[j][i]), s->force[j]));
    s->force[i] = tac_mat3_mul_vec(tac_mat3_transpose(f->inverse[i]), sum);
  }
}

/* (C^-1)_ii: how member i is felt while the others' probes rest and their points stick, N/m. */
static tacMat3 felt_stiffness(const tacPointGroup *g, const State *s, const Factor *f, int i) {
  tacMat3 column[MOST], sum = tac_mat3_zero(); /* L^-1 of the columns of i, whose blocks above i are zero */
  for (int m = i; m < g->count; ++m) {
    if (!s->acts[m]) continue;
    tacMat3 right = m == i ? tac_mat3_identity() : tac_mat3_zero();
    for (int j = i; j < m; ++j)
      if (s->acts[j]) right = tac_mat3_sub(right, tac_mat3_mul(f->l[m][j], column[j]));
    column[m] = tac_mat3_mul(f->inverse[m], right);
    sum = tac_mat3_add(sum, tac_mat3_mul(tac_mat3_transpose(column[m]), column[m]));
  }
  return sum;
}

/* ---- the account ---- */

/* How far a step has come: contacts at their places, from sticking where they were on. */
typedef struct Progress {
  State state;
  Factor factor;          /* of it */
  double lost;            /* J: of the group, when the step ends so */
  double lost_least;      /* J: and how a slide may change it: at least, */
  double change[MOST];    /* N: and forces from those of the start of the step, at most */
  double travelled[MOST]; /* m */
} Progress;

static tacVec3 motion_of(const tacPointGroup *g, int i) {
  const tacPointMember *m = &g->members[i];
  tacVec3 x = tac_surface_walk_position(g->touched.surface, m->start.at);
  return tac_vec3_sub(tac_vec3_sub(m->y, x), m->start.stretch);
}

/* What is lost when the step ends with `to` rather than with `from`, J. */
static double lost_between(const tacPointGroup *g, const State *from, const State *to) {
  double lost = from->energy - to->energy;
  for (int i = 0; i < g->count; ++i)
    lost += 0.5 * tac_vec3_dot(tac_vec3_sub(to->force[i], from->force[i]), motion_of(g, i));
  return lost;
}

static double mean_stiffness(const tacPointGroup *g, tacSurfacePoint at) {
  return tac_mat3_trace(tac_point_contact_stiffness(&g->touched, at)) / 3.0;
}

static double change_of(const tacPointGroup *g, const State *s, int i) {
  return tac_vec3_distance(s->force[i], g->members[i].start.force);
}

/* That contacts stick or end is not asked for: from there on slides are compared. */
static void compare_from_here(const tacPointGroup *g, Progress *p) {
  p->lost_least = fmin(p->lost_least, p->lost);
  for (int i = 0; i < g->count; ++i) p->change[i] = fmax(p->change[i], change_of(g, &p->state, i));
}

/* All contacts stick. */
static void begin(tacPointGroup *g, Progress *p) {
  for (int i = 0; i < g->count; ++i) {
    const tacPointMember *m = &g->members[i];
    p->state.at[i] = m->start.at;
    p->state.acts[i] = true;
    p->change[i] = mean_stiffness(g, m->start.at) * m->motion + g->change;
    p->travelled[i] = 0.0;
  }
  p->lost = g->lost;
  p->lost_least = 0.0;
  solve(g, &p->state, ALL, &p->factor);
}

/* What rounding makes of a slide that loses nothing is no gain. */
static bool allowed(const tacPointGroup *g, const Progress *p, const State *s) {
  bool good = p->lost + lost_between(g, &p->state, s) >= p->lost_least - 1e-9 * s->energy;
  for (int i = 0; i < g->count; ++i)
    if (s->acts[i]) good = good && change_of(g, s, i) <= p->change[i];
  return good;
}

static void go_on(const tacPointGroup *g, Progress *p, const State *next) {
  p->lost += lost_between(g, &p->state, next);
  p->state = *next;
}

/* ---- ends and slides ---- */

/* N: with which a contact is pulled off its surface. */
static double pull_of(const tacPointGroup *g, const State *s, int i) {
  return tac_vec3_dot(s->force[i], tac_surface_walk_normal(g->touched.surface, s->at[i]));
}

static void end(tacPointGroup *g, Progress *p, int i) {
  State without = p->state;
  without.acts[i] = false;
  solve(g, &without, i, &p->factor);
  go_on(g, p, &without);
}

/* Contacts that are pulled end, the one that is pulled most first: others may press again without it. */
static void end_pulled(tacPointGroup *g, Progress *p) {
  int most;
  do {
    most = -1;
    for (int i = 0; i < g->count; ++i) {
      bool pulled = p->state.acts[i] && !g->members[i].grabbed && !(pull_of(g, &p->state, i) < 0.0);
      if (pulled && (most < 0 || pull_of(g, &p->state, i) > pull_of(g, &p->state, most))) most = i;
    }
    if (most >= 0) end(g, p, most);
  } while (most >= 0);
}

/* How member i would go on, by the laws, while the others stick; its force is that of a probe at x + S f, with S = (C^-1)_ii^-1 what is
 * left of its own compliance. */
static bool propose(tacPointGroup *g, const Progress *p, int i, double reach, int *budget, tacPointContact *there) {
  tacSurfacePoint at = p->state.at[i];
  tacMat3 own, left;
  *there = (tacPointContact){.state = TAC_CONTACT_STICKS, .at = at};
  if (g->count == 1)
    return tac_point_contact_solve(&g->touched, at, g->members[i].y, NULL, g->friction, reach, false, budget, there);
  if (!tac_mat3_inverse(tac_point_contact_stiffness(&g->touched, at), &own) ||
      !tac_mat3_inverse(felt_stiffness(g, &p->state, &p->factor, i), &left))
    return true;
  tacMat3 shared = tac_mat3_sub(own, left);
  tacVec3 y =
      tac_vec3_add(tac_surface_walk_position(g->touched.surface, at), tac_mat3_mul_vec(left, p->state.force[i]));
  return tac_point_contact_solve(&g->touched, at, y, &shared, g->friction, reach, false, budget, there);
}

/* As far on the way to `there` as is allowed, while it presses; true: all of it. */
static bool slide(tacPointGroup *g, Progress *p, int i, const tacPointContact *there, int *budget) {
  const tacSurfaceWalk *surface = g->touched.surface;
  tacVec3 from = tac_surface_walk_position(surface, p->state.at[i]);
  tacVec3 way = tac_vec3_sub(tac_surface_walk_position(surface, there->at), from);
  State best = p->state;
  double low = 0.0, high = 2.0;
  bool good = false;
  for (int b = 0; b <= MOST_BISECTIONS && low < 1.0 && (b == 0 || *budget > 0); ++b) {
    double part = 0.5 * (low + high);
    State next = p->state;
    if (b == 0)
      next.at[i] = there->at;
    else
      tac_surface_walk_move(surface, tac_vec3_scale(part, way), MOST_CROSSINGS, &next.at[i]);
    solve(g, &next, i, &p->factor);
    *budget -= g->count;
    good = (pull_of(g, &next, i) < 0.0 || (b == 0 && there->state == TAC_CONTACT_NONE)) && allowed(g, p, &next);
    if (good) best = next;
    *(good ? &low : &high) = part;
  }
  if (!good) solve(g, &best, i, &p->factor);
  go_on(g, p, &best);
  p->travelled[i] += low * tac_vec3_norm(way);
  return low >= 1.0;
}

/* One contact by the laws; returns how far it went, m. */
static double relax(tacPointGroup *g, Progress *p, int i, int *budget) {
  tacPointMember *m = &g->members[i];
  double reach = 2.0 * m->motion + g->change / mean_stiffness(g, m->start.at) - p->travelled[i];
  tacPointContact there;
  if (!(reach > 0.0)) return 0.0;
  bool solved = propose(g, p, i, reach, budget, &there);
  bool ends = there.state == TAC_CONTACT_NONE;
  tacVec3 from = tac_surface_walk_position(g->touched.surface, p->state.at[i]);
  double length = tac_vec3_distance(from, tac_surface_walk_position(g->touched.surface, there.at));
  if (!solved && length > SWEEP_TOLERANCE) g->saturated = true; /* else it goes to and fro over an edge */
  /* One that is pulled where it is, since others slid, ends in the next step. */
  if (!(length > 0.0)) return 0.0;
  m->now.state = TAC_CONTACT_SLIDES;
  if (p->travelled[i] > 0.0 && !(length > SWEEP_TOLERANCE) && !ends) return length;
  if (!slide(g, p, i, &there, budget)) {
    p->travelled[i] = INFINITY; /* that was all for this step */
    return 0.0;
  }
  if (ends) {
    end(g, p, i);
    compare_from_here(g, p);
  }
  return length;
}

static void take(tacPointGroup *g, const Progress *p) {
  const State *s = &p->state;
  g->lost = p->lost;
  for (int i = 0; i < g->count; ++i) {
    tacPointMember *m = &g->members[i];
    tacContactState state = !s->acts[i] ? TAC_CONTACT_NONE : m->grabbed ? TAC_CONTACT_GRABBED : m->now.state;
    m->now = (tacPointContact){state, s->at[i], s->force[i], s->stretch[i]};
  }
}

void tac_point_group_settle(tacPointGroup *g, int *budget) {
  Progress p;
  begin(g, &p);
  end_pulled(g, &p);
  compare_from_here(g, &p);
  for (int i = 0; i < g->count; ++i) g->members[i].now.state = TAC_CONTACT_STICKS;
  g->sweeps = 0;
  g->residual = INFINITY;
  g->saturated = false;
  while (g->sweeps < MOST_SWEEPS && g->residual > SWEEP_TOLERANCE && *budget > 0) {
    g->saturated = false;
    g->residual = 0.0;
    for (int i = 0; i < g->count; ++i) {
      double moved = p.state.acts[i] && !g->members[i].grabbed ? relax(g, &p, i, budget) : 0.0;
      g->residual = fmax(g->residual, moved);
    }
    ++g->sweeps;
    if (g->count == 1) g->residual = 0.0; /* nobody has changed what it was solved for */
  }
  g->saturated = g->saturated || g->residual > SWEEP_TOLERANCE;
  take(g, &p);
}

bool tac_point_group_take_hold(tacPointGroup *g, int member, tacSurfacePoint at) {
  Progress p;
  begin(g, &p);
  for (int i = 0; i < g->count; ++i) {
    p.state.at[i] = g->members[i].now.at;
    p.state.acts[i] = g->members[i].now.state != TAC_CONTACT_NONE;
  }
  solve(g, &p.state, ALL, &p.factor);
  compare_from_here(g, &p);
  p.change[member] = INFINITY;
  State held = p.state;
  held.at[member] = at;
  held.acts[member] = true;
  solve(g, &held, ALL, &p.factor);
  bool presses = pull_of(g, &held, member) < 0.0;
  g->members[member].now.state = presses ? TAC_CONTACT_STICKS : TAC_CONTACT_NONE;
  if (!presses || !allowed(g, &p, &held)) return false;
  go_on(g, &p, &held);
  take(g, &p);
  return true;
}
