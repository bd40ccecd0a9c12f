#include "contact/point_group.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "contact/point_inverse.h"

enum {
  MOST_SWEEPS = 64,
  MOST_BISECTIONS = 8,
  MOST_CROSSINGS = 64,
  MOST = TAC_POINT_GROUP_MOST,
  SIZE = TAC_POINT_INVERSE_SIZE,
};
_Static_assert((int)MOST <= (int)TAC_POINT_INVERSE_MOST, "C^-1 has room for all contacts");
#define SWEEP_TOLERANCE 1e-6 /* m: largest motion of a contact in a converged sweep */
/* Maximum displacement of a contact by the forces of all other contacts, relative to the displacement by its own
 * force. */
#define MOST_SHARED 0.9
/* Minimum fraction of its compliance that a contact keeps while all other contacts are held. If every contact keeps a
 * larger fraction, no row of C is scaled: sqrt(1 - 0.22) is 0.883, which is below 0.9 even with the error of `norm_of`,
 * 1.8 %. */
#define LEAST_LEFT 0.22

/* Energy that a contact that is pulled off its place may create when it slides on: this factor times its stiffness times
 * the square of the probe's motion in the step. The energy account uses the trapezoidal rule, whose error in such a step
 * is of this size. */
#define PULLED_SLACK 0.5

/* ---- limits of the compliance matrix C ---- */

/* Returns the largest singular value of A, given a matrix M that is similar to A A^T: trace(M^32)^(1/64). The result is
 * at most 1.8 % too large. */
static double norm_of(tacMat3 m) {
  double trace = tac_mat3_trace(m);
  if (!(trace > TAC_POINT_GROUP_COUPLING * TAC_POINT_GROUP_COUPLING))
    return sqrt(fmax(0.0, trace)); /* upper bound of the norm */
  m = tac_mat3_scale(1.0 / trace, m);
  for (int i = 0; i < 5; ++i) m = tac_mat3_mul(m, m);
  return sqrt(trace) * pow(tac_mat3_trace(m), 1.0 / 64.0);
}

tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb) {
  tacMat3 a = tac_mat3_mul(ka, w), b = tac_mat3_mul(w, kb); /* Ka W and (Kb W^T)^T */
  double trace = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) trace += a.m[i][j] * b.m[i][j];
  if (trace <= TAC_POINT_GROUP_COUPLING * TAC_POINT_GROUP_COUPLING) return w; /* the trace is an upper bound */
  double norm = norm_of(tac_mat3_mul(a, tac_mat3_transpose(b)));
  return norm > TAC_POINT_GROUP_COUPLING ? tac_mat3_scale(TAC_POINT_GROUP_COUPLING / norm, w) : w;
}

static tacMat3 block_of(const tacPointInverse *a, int i, int j) {
  tacMat3 m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m.m[r][c] = a->m[3 * i + r][3 * j + c];
  return m;
}

/* Copies the rows of contact i. */
static void copy_rows(int count, const tacPointInverse *a, int i, tacPointColumns *rows) {
  for (int k = 0; k < 3; ++k)
    memcpy(rows->c[k], a->m[3 * i + k], sizeof(double) * (size_t)tac_point_inverse_width(count));
}

static bool positive(tacMat3 a) {
  double minor = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
  return a.m[0][0] > 0.0 && minor > 0.0 && tac_mat3_det(a) > 0.0;
}

/* ---- contact places ---- */

typedef struct Forces {
  _Alignas(16) double f[SIZE]; /* three for each contact, N */
  double energy;               /* energy U, J */
} Forces;

static tacVec3 force_of(const Forces *forces, int i) {
  return tac_vec3(forces->f[3 * i], forces->f[3 * i + 1], forces->f[3 * i + 2]);
}

static void set_three(double *at, tacVec3 x) {
  at[0] = x.x;
  at[1] = x.y;
  at[2] = x.z;
}

/* A contact at a place of the surface. */
typedef struct Place {
  tacSurfacePoint at;
  tacVec3 stretch;
  tacMat3 stiffness, own; /* K; K^-1 */
  tacPointColumns w;      /* compliance W between this place and the place of each other active contact, m/N */
} Place;

typedef struct State {
  bool acts[MOST];
  bool scaled; /* true if a row of C is scaled */
  Place place[MOST];
  _Alignas(16) double stretch[SIZE];
  Forces forces;
  tacPointInverse inverse;
} State;

/* Coupling of contact i with the other contacts o: `y` = C_oo^-1 C_oi and `felt` = (C^-1)_ii, N/m. `felt` is the
 * stiffness of contact i while the probes of the other contacts rest and their points stick. */
typedef struct Fit {
  tacPointColumns y;
  tacMat3 felt;
} Fit;

static tacTouched touched_by(const tacPointGroup *g, int i) {
  tacTouched touched = g->touched;
  touched.tip = g->members[i].tip;
  return touched;
}

/* Computes the place of contact i. Returns false if the stiffness at the place is unusable. */
static bool look_at(const tacPointGroup *g, int i, tacSurfacePoint at, Place *p) {
  tacTouched touched = touched_by(g, i);
  p->at = at;
  p->stretch = tac_vec3_sub(g->members[i].y, tac_surface_walk_position(g->touched.surface, at));
  p->stiffness = tac_point_contact_stiffness(&touched, at);
  return g->count == 1 ? positive(p->stiffness) : tac_mat3_inverse(p->stiffness, &p->own);
}

/* Computes the compliances between contact i and the active contacts among the first `end` contacts. Returns the number
 * of unknown compliances. */
static int couple(const tacPointGroup *g, const State *s, int i, int end, Place *p) {
  int unknown = 0;
  if (g->count == 1) return 0;
  for (int j = 0; j < g->count; ++j) {
    tacMat3 w = tac_mat3_zero();
    if (j < end && s->acts[j] && j != i && !g->compliance(g->context, i, p->at, j, s->place[j].at, &w)) {
      w = tac_mat3_zero();
      ++unknown;
    }
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) p->w.c[k][3 * j + c] = w.m[k][c];
  }
  for (int c = 3 * g->count; c < tac_point_inverse_width(g->count); ++c)
    p->w.c[0][c] = p->w.c[1][c] = p->w.c[2][c] = 0.0;
  return unknown;
}

static void copy_place(int count, const Place *from, Place *to) {
  memcpy(to, from, offsetof(Place, w));
  for (int k = 0; k < 3 && count > 1; ++k)
    memcpy(to->w.c[k], from->w.c[k], (size_t)tac_point_inverse_width(count) * sizeof(double));
}

static void keep(const tacPointGroup *g, State *s, int i, const Place *p) {
  if (p != &s->place[i]) copy_place(g->count, p, &s->place[i]);
  set_three(&s->stretch[3 * i], p->stretch);
  for (int j = 0; j < g->count; ++j)
    for (int k = 0; k < 3 && s->acts[j] && j != i; ++k)
      for (int c = 0; c < 3; ++c) s->place[j].w.c[k][3 * i + c] = p->w.c[c][3 * j + k];
}

/* Removal of contact i from C^-1. Without contact i, C^-1 becomes C^-1 - row^T left row. */
typedef struct Lift {
  tacPointColumns row; /* rows of contact i in C^-1 */
  tacMat3 left;        /* inverse of (C^-1)_ii, m/N */
  Forces bare;         /* forces of the other contacts without contact i */
} Lift;

/* Computes the coupling `fit->y` of contact i with the first `end` contacts o. Contact i must not be in C^-1, or must
 * be removed by `l`. Returns C_io y, the compliance that contact i loses because the other contacts stick. */
static tacMat3 condense(const State *s, const Lift *l, int i, int end, const Place *p, Fit *fit) {
  tacMat3 shared;
  tac_point_inverse_multiply(end, &s->inverse, &p->w, &fit->y);
  for (int k = 0; k < 3 && l != NULL; ++k) {
    double *y = &fit->y.c[k][3 * i], by[3];
    set_three(by, tac_mat3_mul_vec(l->left, tac_vec3(-y[0], -y[1], -y[2])));
    tac_point_columns_add(end, &l->row, by, fit->y.c[k]);
    y[0] = y[1] = y[2] = 0.0;
  }
  for (int k = 0; k < 3; ++k) tac_point_columns_multiply(end, &fit->y, p->w.c[k], shared.m[k]);
  shared.m[0][1] = shared.m[1][0];
  shared.m[0][2] = shared.m[2][0];
  shared.m[1][2] = shared.m[2][1];
  return shared;
}

/* Computes to -= c^T x. */
static void subtract(int count, const tacPointColumns *c, tacVec3 x, double *to) {
  const double by[3] = {-x.x, -x.y, -x.z};
  tac_point_columns_add(count, c, by, to);
}

static void copy_forces(int count, const Forces *from, Forces *to) {
  for (int i = 0; i < count; ++i) set_three(&to->f[3 * i], force_of(from, i));
  for (int c = 3 * count; c < tac_point_inverse_width(count); ++c) to->f[c] = 0.0;
  to->energy = from->energy;
}

/* Adds the effect of contact i to the forces of the first `end` contacts. `forces` are the forces without contact i. */
static void add_force(const State *s, int i, int end, const Place *p, const Fit *fit, Forces *forces) {
  double r[3] = {0.0, 0.0, 0.0};
  if (end > 0) tac_point_columns_multiply(end, &fit->y, s->stretch, r);
  tacVec3 rest = tac_vec3_sub(p->stretch, tac_vec3(r[0], r[1], r[2])), f = tac_mat3_mul_vec(fit->felt, rest);
  if (end > 0) subtract(end, &fit->y, f, forces->f);
  set_three(&forces->f[3 * i], f);
  forces->energy += 0.5 * tac_vec3_dot(rest, f);
}

/* Adds contact i to C^-1. Contact i must not be in C^-1, or must be removed by `l`. */
static void add_contact(int end, const Lift *l, int i, Fit *fit, tacPointInverse *inverse) {
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) fit->y.c[k][3 * i + c] = k == c ? -1.0 : 0.0;
  for (int k = 0; k < 3; ++k)
    for (int c = 3 * end; c < tac_point_inverse_width(end); ++c) fit->y.c[k][c] = 0.0;
  if (l != NULL)
    tac_point_inverse_exchange(end, &l->row, &l->left, &fit->y, &fit->felt, inverse);
  else
    tac_point_inverse_exchange(end, NULL, NULL, &fit->y, &fit->felt, inverse);
}

static void lift(const tacPointGroup *g, const State *s, int i, Lift *l) {
  tacVec3 f = force_of(&s->forces, i);
  copy_forces(g->count, &s->forces, &l->bare);
  if (g->count == 1) {
    l->bare.energy = 0.0;
  } else {
    l->left = tac_mat3_zero();
    tac_mat3_inverse(block_of(&s->inverse, i, i), &l->left);
    copy_rows(g->count, &s->inverse, i, &l->row);
    tacVec3 u = tac_mat3_mul_vec(l->left, f);
    subtract(g->count, &l->row, u, l->bare.f);
    l->bare.energy -= 0.5 * tac_vec3_dot(u, f);
  }
  set_three(&l->bare.f[3 * i], tac_vec3(0.0, 0.0, 0.0));
}

/* Computes forces and energy of all contacts at their places. Contacts are added in the order of their age, the oldest
 * first. A contact with unusable compliance becomes inactive. Let o be the older contacts of contact i, and
 * B = C_io C_oo^-1 C_oi. C_ii - B is the compliance that contact i keeps while the points of o are held. The fraction
 * of C_ii that remains must be at least 1 - 0.9^2. If necessary, the coupling of contact i with o is scaled down. */
static void solve(tacPointGroup *g, State *s) {
  Fit fit;
  int acting = 0;
  s->forces.energy = 0.0;
  for (int c = 0; c < tac_point_inverse_width(g->count); c += 4)
    s->forces.f[c] = s->forces.f[c + 1] = s->forces.f[c + 2] = s->forces.f[c + 3] = 0.0;
  s->scaled = false;
  ++g->built;
  if (g->count > 1) /* a single contact needs no C^-1 */
    memset(s->inverse.m, 0, (size_t)tac_point_inverse_width(g->count) * sizeof *s->inverse.m);
  for (int i = 0; i < g->count; ++i) {
    const Place *p = &s->place[i];
    if (!s->acts[i]) continue;
    fit.felt = p->stiffness;
    if (acting > 0) {
      tacMat3 shared = condense(s, NULL, i, i, p, &fit);
      double norm = norm_of(tac_mat3_mul(p->stiffness, shared));
      double scale = norm > MOST_SHARED ? MOST_SHARED / norm : 1.0;
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3 * i && scale < 1.0; ++c) fit.y.c[k][c] *= scale;
      tacMat3 left = tac_mat3_sub(p->own, tac_mat3_scale(scale * scale, shared));
      s->acts[i] = positive(left) && tac_mat3_inverse(left, &fit.felt);
      s->scaled = s->scaled || scale < 1.0;
    } else {
      for (int k = 0; k < 3 && i > 0; ++k) memset(fit.y.c[k], 0, (size_t)tac_point_inverse_width(i) * sizeof(double));
    }
    if (!s->acts[i]) continue;
    ++acting;
    add_force(s, i, i, p, &fit, &s->forces);
    if (g->count > 1) add_contact(i + 1, NULL, i, &fit, &s->inverse);
  }
}

/* ---- energy account ---- */

/* Progress of a step. The step starts with all contacts sticking. */
typedef struct Progress {
  State state;
  double lost;            /* energy that the group loses if the step ends now, J */
  double lost_least;      /* lower limit of `lost` after a slide, J */
  double change[MOST];    /* limits of force changes since the start of the step, N */
  double travelled[MOST]; /* length of the slide in the step, m; infinite: no further slide */
  double mean[MOST];      /* mean stiffness at the start of the step, N/m */
  tacVec3 motion[MOST];   /* motion of the probes in the step, m */
  bool fades[MOST];       /* true if the hand has released the contact */
  bool slid[MOST];        /* true if `slide_on` was tried for the contact in this step */
  bool asked[MOST];       /* true if the laws of the contact were solved in this step */
  double slack;           /* energy that the present slide may create, J: PULLED_SLACK */
  tacVec3 asked_at[MOST]; /* position of the probe in the last solution of the laws, m */
  bool expects;           /* true in the first sweep: contacts are relaxed for expected slides of later contacts */
  tacVec3 ahead[MOST];    /* expected slides of contacts that have not been relaxed yet, m */
  State other;            /* state with one contact at another place, used if rows of C are scaled */
  Lift lift;              /* removal of the moving contact from C^-1 */
} Progress;

/* Returns the energy lost if the step ends with `to` instead of the present state, J. */
static double lost_by(const tacPointGroup *g, const Progress *p, const Forces *to) {
  double lost = p->state.forces.energy - to->energy;
  for (int i = 0; i < g->count; ++i)
    lost += 0.5 * tac_vec3_dot(tac_vec3_sub(force_of(to, i), force_of(&p->state.forces, i)), p->motion[i]);
  return lost;
}

static double change_of(const tacPointGroup *g, const Forces *f, int i) {
  return tac_vec3_distance(force_of(f, i), g->members[i].start.force);
}

/* Extends the limits of energy and force changes to the present state. The limits apply to slides, but not to contacts
 * that stick or end. */
static void compare_from_here(const tacPointGroup *g, Progress *p) {
  p->lost_least = fmin(p->lost_least, p->lost);
  for (int i = 0; i < g->count; ++i) p->change[i] = fmax(p->change[i], change_of(g, &p->state.forces, i));
}

/* Puts contact i at a place. Call with the places of all earlier active contacts set. */
static void put(tacPointGroup *g, State *s, int i, tacSurfacePoint at) {
  s->acts[i] = look_at(g, i, at, &s->place[i]);
  g->uncoupled += couple(g, s, i, i, &s->place[i]);
  keep(g, s, i, &s->place[i]);
}

/* Starts a step with all contacts sticking. */
static void begin(tacPointGroup *g, Progress *p) {
  State *s = &p->state;
  g->uncoupled = g->built = 0;
  for (int c = 3 * g->count; c < tac_point_inverse_width(g->count); ++c) s->stretch[c] = 0.0;
  for (int i = 0; i < g->count; ++i) s->acts[i] = false;
  for (int i = 0; i < g->count; ++i) {
    const tacPointMember *m = &g->members[i];
    put(g, s, i, m->start.at);
    p->fades[i] = m->fading;
    p->mean[i] = tac_mat3_trace(s->place[i].stiffness) / 3.0;
    p->motion[i] = tac_vec3_sub(s->place[i].stretch, m->start.stretch);
    p->change[i] = m->fading ? INFINITY : p->mean[i] * m->motion + g->change;
    p->travelled[i] = 0.0;
    p->asked[i] = p->slid[i] = false;
    p->ahead[i] = tac_vec3(0.0, 0.0, 0.0);
  }
  p->lost = g->lost;
  p->slack = 0.0;
  p->lost_least = 0.0;
  p->expects = false;
  solve(g, s);
}

/* True if forces `f` create no energy, up to rounding, and all force changes are within their limits. */
static bool allowed(const tacPointGroup *g, const Progress *p, const Forces *f) {
  bool good = p->lost + lost_by(g, p, f) >= p->lost_least - 1e-9 * f->energy - p->slack;
  for (int i = 0; i < g->count && good; ++i)
    if (p->state.acts[i]) good = change_of(g, f, i) <= p->change[i];
  return good;
}

/* ---- ends and slides of contacts ---- */

/* Returns the force that pulls contact i off the surface, N; negative if the contact presses. */
static double pull_at(const tacPointGroup *g, const Forces *f, int i, tacSurfacePoint at) {
  return tac_vec3_dot(force_of(f, i), tac_surface_walk_normal(g->touched.surface, at));
}

static double pull_of(const tacPointGroup *g, const State *s, int i) {
  return pull_at(g, &s->forces, i, s->place[i].at);
}

/* Copies the places of the contacts to `to`. The other members of `to` are set by `solve`. */
static void copy_places(const tacPointGroup *g, const State *s, State *to) {
  memcpy(to->acts, s->acts, sizeof s->acts);
  memcpy(to->stretch, s->stretch, sizeof s->stretch);
  for (int j = 0; j < g->count; ++j) copy_place(g->count, &s->place[j], &to->place[j]);
}

static void end(tacPointGroup *g, Progress *p, int i) {
  State *s = &p->state;
  s->acts[i] = false;
  lift(g, s, i, &p->lift);
  p->other.forces = p->lift.bare;
  if (s->scaled) {
    copy_places(g, s, &p->other);
    solve(g, &p->other);
  }
  p->lost += lost_by(g, p, &p->other.forces);
  if (s->scaled) {
    *s = p->other;
    return;
  }
  s->forces = p->lift.bare;
  if (g->count == 1) return;
  tacMat3 out = tac_mat3_scale(-1.0, p->lift.left);
  tac_point_inverse_exchange(g->count, NULL, NULL, &p->lift.row, &out, &s->inverse);
  for (int k = 3 * i; k < 3 * i + 3; ++k)
    for (int c = 0; c < 3 * g->count; ++c) s->inverse.m[k][c] = s->inverse.m[c][k] = 0.0;
}

static bool others_hold(const tacPointGroup *g, const Progress *p, int i) {
  bool hold = false;
  for (int j = 0; j < g->count; ++j) hold = hold || (j != i && p->state.acts[j] && !p->fades[j]);
  return hold;
}

/* Moves the probe of a released contact by `by`. Updates forces and energy. */
static void shift(const tacPointGroup *g, Progress *p, int i, tacVec3 by) {
  State *s = &p->state;
  Forces to;
  tacPointColumns rows;
  copy_rows(g->count, &s->inverse, i, &rows);
  copy_forces(g->count, &s->forces, &to);
  subtract(g->count, &rows, tac_vec3_scale(-1.0, by), to.f);
  to.energy += 0.5 * tac_vec3_dot(by, tac_vec3_add(force_of(&s->forces, i), force_of(&to, i)));
  p->lost += lost_by(g, p, &to);
  s->forces = to;
  s->place[i].stretch = tac_vec3_add(s->place[i].stretch, by);
  keep(g, s, i, &s->place[i]);
}

/* Releases contact i from its hand. If other hands would feel a jump, contact i remains and fades. Its probe then rests
 * at its present position, or at its position at the start of the step if `back` is true. */
static void let_go(tacPointGroup *g, Progress *p, int i, bool back) {
  const tacPointMember *m = &g->members[i];
  tacVec3 felt = back ? m->start.force : force_of(&p->state.forces, i), motion = p->motion[i];
  if (!(tac_vec3_norm(felt) > g->change) || !others_hold(g, p, i)) {
    end(g, p, i);
    return;
  }
  p->lost -= 0.5 * tac_vec3_dot(force_of(&p->state.forces, i), motion);
  p->motion[i] = tac_vec3(0.0, 0.0, 0.0);
  p->fades[i] = true;
  p->change[i] = INFINITY;
  if (back) shift(g, p, i, tac_vec3_scale(-1.0, motion));
}

/* Reduces the forces of released contacts. Ends contacts whose force has decayed. */
static void fade(tacPointGroup *g, Progress *p) {
  for (int i = 0; i < g->count; ++i) {
    if (!p->state.acts[i] || !p->fades[i]) continue;
    tacVec3 f = force_of(&p->state.forces, i);
    double size = tac_vec3_norm(f), less = g->change + g->fading * size;
    tacMat3 left;
    if (size > less && others_hold(g, p, i) && tac_mat3_inverse(block_of(&p->state.inverse, i, i), &left))
      shift(g, p, i, tac_vec3_scale(-less / size, tac_mat3_mul_vec(left, f)));
    else
      end(g, p, i);
  }
}

/* Computes the next state of member i by the laws, while the other members stick, after the slides that are expected
 * of them. The force of member i equals the force for a probe at x + S f, where x is its point and S its remaining
 * compliance, the inverse of (C^-1)_ii. Sets `length` to the motion of the contact, m. If the probe has hardly moved
 * since the last call, the laws are not solved, and `length` is the motion of the probe. Returns false if the search
 * ended before the laws held. */
static bool propose(tacPointGroup *g, Progress *p, int i, double reach, int *budget, tacPointContact *there,
                    double *length) {
  const Place *from = &p->state.place[i];
  tacVec3 x = tac_surface_walk_position(g->touched.surface, from->at), y = g->members[i].y;
  tacMat3 left, shared;
  *there = (tacPointContact){.state = TAC_CONTACT_STICKS, .at = from->at};
  *length = 0.0;
  if (g->count > 1) {
    if (!tac_mat3_inverse(block_of(&p->state.inverse, i, i), &left)) return true;
    shared = tac_mat3_sub(from->own, left);
    tacVec3 f = force_of(&p->state.forces, i);
    for (int j = 0; j < g->count; ++j)
      f = tac_vec3_sub(f, tac_mat3_mul_vec(block_of(&p->state.inverse, i, j), p->ahead[j]));
    y = tac_vec3_add(x, tac_mat3_mul_vec(left, f));
    *length = tac_vec3_distance(y, p->asked_at[i]);
    if (p->asked[i] && *length < 0.5 * SWEEP_TOLERANCE) return true;
  }
  tacTouched touched = touched_by(g, i);
  bool solved = tac_point_contact_solve(&touched, from->at, y, g->count > 1 ? &shared : NULL, g->friction, reach, false,
                                        budget, there);
  p->asked[i] = solved;
  p->asked_at[i] = y;
  *length = tac_vec3_distance(x, tac_surface_walk_position(g->touched.surface, there->at));
  return solved;
}

static tacMat3 columns_of(const tacPointColumns *c, int j) {
  tacMat3 m;
  for (int k = 0; k < 3; ++k)
    for (int r = 0; r < 3; ++r) m.m[k][r] = c->c[k][3 * j + r];
  return m;
}

/* True if contact j keeps enough of its compliance when contact i is exchanged, so that its row of C is not scaled. */
static bool keeps(const State *s, const Lift *l, int j, const Fit *fit) {
  const Place *p = &s->place[j];
  tacMat3 felt = block_of(&s->inverse, j, j), y = columns_of(&fit->y, j);
  /* The trace is an upper bound of the largest eigenvalue of K^-1 times the felt stiffness without the last term. */
  double sum = tac_mat3_norm(y), most = tac_mat3_trace(p->own) * tac_mat3_trace(fit->felt) * sum * sum;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) most += p->own.m[r][c] * felt.m[r][c];
  if (most < 1.0 / LEAST_LEFT) return true;
  tacMat3 row = columns_of(&l->row, j), room = tac_mat3_scale(1.0 / LEAST_LEFT, p->stiffness);
  felt = tac_mat3_add(felt, tac_mat3_mul(tac_mat3_transpose(y), tac_mat3_mul(fit->felt, y)));
  felt = tac_mat3_sub(felt, tac_mat3_mul(tac_mat3_transpose(row), tac_mat3_mul(l->left, row)));
  return positive(tac_mat3_sub(room, felt));
}

/* True if every contact keeps enough of its compliance, so that no row of C is scaled. */
static bool loose(const tacPointGroup *g, const State *s, const Lift *l, int i, const Place *place, const Fit *fit) {
  bool good = positive(tac_mat3_sub(tac_mat3_scale(1.0 / LEAST_LEFT, place->stiffness), fit->felt));
  for (int j = 0; j < g->count && good; ++j) good = !s->acts[j] || j == i || keeps(s, l, j, fit);
  return good;
}

/* A trial with one contact at another place. */
typedef struct Trial {
  Place place;
  Fit fit;
  Forces forces;
  bool good, scaled; /* `good`: the compliance is usable; `scaled`: a row of C is scaled */
} Trial;

static void try_place(tacPointGroup *g, Progress *p, int i, tacSurfacePoint at, Trial *t) {
  const State *s = &p->state;
  t->good = look_at(g, i, at, &t->place);
  t->scaled = s->scaled;
  if (!t->good) return;
  couple(g, s, i, g->count, &t->place);
  t->fit.felt = t->place.stiffness;
  if (!t->scaled && g->count > 1) {
    tacMat3 shared = condense(s, &p->lift, i, g->count, &t->place, &t->fit);
    t->scaled = !(tac_mat3_inverse(tac_mat3_sub(t->place.own, shared), &t->fit.felt) &&
                  loose(g, s, &p->lift, i, &t->place, &t->fit));
  }
  if (!t->scaled) {
    copy_forces(g->count, &p->lift.bare, &t->forces);
    add_force(s, i, g->count > 1 ? g->count : 0, &t->place, &t->fit, &t->forces);
    return;
  }
  copy_places(g, s, &p->other);
  keep(g, &p->other, i, &t->place);
  solve(g, &p->other);
  t->forces = p->other.forces;
}

/* Moves contact i to the place of the trial `t`. */
static void go_there(tacPointGroup *g, Progress *p, int i, Trial *t) {
  State *s = &p->state;
  p->lost += lost_by(g, p, &t->forces);
  keep(g, s, i, &t->place);
  if (t->scaled) {
    solve(g, s);
  } else {
    copy_forces(g->count, &t->forces, &s->forces);
    if (g->count > 1) add_contact(g->count, &p->lift, i, &t->fit, &s->inverse);
  }
}

/* Slides contact i toward `there`, as far as energy and forces stay within their limits and the contact presses.
 * Returns true if the contact reaches `there`. */
static bool slide(tacPointGroup *g, Progress *p, int i, const tacPointContact *there, int *budget) {
  const tacSurfaceWalk *surface = g->touched.surface;
  tacSurfacePoint start = p->state.place[i].at;
  tacVec3 from = tac_surface_walk_position(surface, start);
  tacVec3 way = tac_vec3_sub(tac_surface_walk_position(surface, there->at), from);
  Trial trial[2];
  int best = -1;
  double low = 0.0, high = 2.0;
  lift(g, &p->state, i, &p->lift);
  for (int b = 0; b <= MOST_BISECTIONS && low < 1.0 && (b == 0 || (*budget > 0 && !p->expects)); ++b) {
    double part = 0.5 * (low + high);
    tacSurfacePoint at = start;
    Trial *t = &trial[best == 0];
    if (b == 0)
      at = there->at;
    else
      tac_surface_walk_move(surface, tac_vec3_scale(part, way), MOST_CROSSINGS, &at);
    try_place(g, p, i, at, t);
    *budget -= g->count;
    bool presses = t->good && (pull_at(g, &t->forces, i, at) < 0.0 || (b == 0 && there->state == TAC_CONTACT_NONE));
    bool good = presses && allowed(g, p, &t->forces);
    if (good) best = (int)(t - trial);
    *(good ? &low : &high) = part;
  }
  if (best >= 0) go_there(g, p, i, &trial[best]);
  p->travelled[i] += low * tac_vec3_norm(way);
  return low >= 1.0;
}

/* Slides a contact that is pulled off its place to a place where it presses. Returns false if there is none. */
static bool slide_on(tacPointGroup *g, Progress *p, int i, int *budget) {
  const tacPointMember *m = &g->members[i];
  double reach = 2.0 * m->motion + g->change / p->mean[i], length;
  tacPointContact there;
  if (p->slid[i]) return false;
  p->slid[i] = true;
  propose(g, p, i, reach, budget, &there, &length);
  p->asked[i] = false;
  if (there.state == TAC_CONTACT_NONE) return false;
  p->slack = PULLED_SLACK * p->mean[i] * m->motion * m->motion;
  bool presses = slide(g, p, i, &there, budget) || pull_of(g, &p->state, i) < 0.0;
  p->slack = 0.0;
  return presses;
}

/* Handles contacts that are pulled off the surface, the strongest pull first. A contact that presses at another place
 * slides to that place. All other contacts end. All pulls are recomputed after each slide or end, since other contacts
 * may press again. */
static void end_pulled(tacPointGroup *g, Progress *p, int *budget) {
  int most;
  do {
    double strongest = 0.0;
    most = -1;
    for (int i = 0; i < g->count; ++i) {
      if (!p->state.acts[i] || p->fades[i] || g->members[i].grabbed) continue;
      double pull = pull_of(g, &p->state, i);
      if (pull < 0.0 || (most >= 0 && !(pull > strongest))) continue;
      most = i;
      strongest = pull;
    }
    if (most >= 0 && !slide_on(g, p, most, budget)) let_go(g, p, most, true);
  } while (most >= 0);
}

/* Expects that contacts that slid in the last step follow their probes along the surface. If the first sweep relaxed
 * each contact while later contacts stick, which stretches them by their whole motion, it would need more sweeps. */
static void expect_slides(const tacPointGroup *g, Progress *p) {
  p->expects = g->count > 1;
  for (int i = 0; i < g->count && p->expects; ++i) {
    const tacPointMember *m = &g->members[i];
    if (m->start.state != TAC_CONTACT_SLIDES || m->grabbed || !p->state.acts[i] || p->fades[i]) continue;
    tacVec3 n = tac_surface_walk_normal(g->touched.surface, p->state.place[i].at);
    p->ahead[i] = tac_vec3_mad(p->motion[i], -tac_vec3_dot(p->motion[i], n), n);
  }
}

/* Relaxes one contact by the laws. Returns the motion of the contact, m. */
static double relax(tacPointGroup *g, Progress *p, int i, int *budget) {
  tacPointMember *m = &g->members[i];
  double reach = 2.0 * m->motion + g->change / p->mean[i] - p->travelled[i], length;
  tacPointContact there;
  if (!(reach > 0.0)) return 0.0;
  bool solved = propose(g, p, i, reach, budget, &there, &length);
  bool ends = there.state == TAC_CONTACT_NONE;
  /* A shorter motion is an oscillation across an edge. */
  if (!solved && length > SWEEP_TOLERANCE) g->saturated = true;
  /* Slides of other contacts may pull this contact off its present place. The contact then ends in the next step. */
  if (there.state == TAC_CONTACT_STICKS || !(length > 0.0)) return length;
  m->now.state = TAC_CONTACT_SLIDES;
  if (p->travelled[i] > 0.0 && !(length > SWEEP_TOLERANCE) && !ends) return length;
  bool slid = !(p->expects && ends) && slide(g, p, i, &there, budget);
  if (!slid && p->expects) { /* not all slides may come as expected: the next sweep decides */
    m->now.state = TAC_CONTACT_STICKS;
    p->asked[i] = false;
    return INFINITY;
  }
  if (!slid) {
    p->travelled[i] = INFINITY; /* no further slide in this step */
    return 0.0;
  }
  if (ends) {
    let_go(g, p, i, false);
    compare_from_here(g, p);
  }
  return length;
}

static void take(tacPointGroup *g, Progress *p) {
  const State *s = &p->state;
  for (int i = 0; i < g->count; ++i)
    if (s->acts[i] && p->fades[i] && !others_hold(g, p, i)) end(g, p, i);
  g->lost = p->lost;
  for (int i = 0; i < g->count; ++i) {
    tacPointMember *m = &g->members[i];
    bool left = s->acts[i] && p->fades[i], acts = s->acts[i] && (!left || m->fading);
    tacContactState state = !acts ? TAC_CONTACT_NONE : m->grabbed ? TAC_CONTACT_GRABBED : m->now.state;
    m->now = m->left = (tacPointContact){state, s->place[i].at, force_of(&s->forces, i), s->place[i].stretch};
    m->left.state = left && !m->fading ? TAC_CONTACT_STICKS : TAC_CONTACT_NONE;
    if (!acts) m->now.force = tac_vec3(0.0, 0.0, 0.0);
  }
}

void tac_point_group_settle(tacPointGroup *g, int *budget) {
  Progress p;
  begin(g, &p);
  end_pulled(g, &p, budget);
  fade(g, &p);
  compare_from_here(g, &p);
  for (int i = 0; i < g->count; ++i) g->members[i].now.state = TAC_CONTACT_STICKS;
  g->sweeps = 0;
  g->residual = INFINITY;
  g->saturated = false;
  expect_slides(g, &p);
  while (g->sweeps < MOST_SWEEPS && g->residual > SWEEP_TOLERANCE && *budget > 0) {
    g->saturated = false;
    g->residual = 0.0;
    for (int i = 0; i < g->count; ++i) {
      double expected = tac_vec3_norm(p.ahead[i]);
      p.ahead[i] = tac_vec3(0.0, 0.0, 0.0);
      double moved = p.state.acts[i] && !p.fades[i] && !g->members[i].grabbed ? relax(g, &p, i, budget) : 0.0;
      g->residual = fmax(g->residual, fmax(moved, expected));
    }
    p.expects = false;
    ++g->sweeps;
    if (g->count == 1) g->residual = 0.0; /* a single contact needs only one sweep */
  }
  g->saturated = g->saturated || g->residual > SWEEP_TOLERANCE;
  take(g, &p);
}

bool tac_point_group_take_hold(tacPointGroup *g, int member, tacSurfacePoint at) {
  Progress p;
  State *held = &p.other;
  begin(g, &p);
  for (int i = 0; i < g->count; ++i) p.state.acts[i] = false;
  for (int i = 0; i < g->count; ++i)
    if (g->members[i].now.state != TAC_CONTACT_NONE) put(g, &p.state, i, g->members[i].now.at);
  solve(g, &p.state);
  p.lost = g->lost;
  compare_from_here(g, &p);
  p.change[member] = INFINITY;
  *held = p.state;
  held->acts[member] = look_at(g, member, at, &held->place[member]);
  couple(g, held, member, g->count, &held->place[member]);
  keep(g, held, member, &held->place[member]);
  solve(g, held);
  bool presses = pull_of(g, held, member) < 0.0;
  g->members[member].now.state = presses ? TAC_CONTACT_STICKS : TAC_CONTACT_NONE;
  p.state.acts[member] = held->acts[member]; /* the force change of this member is not limited */
  if (!presses || !allowed(g, &p, &held->forces)) return false;
  p.lost += lost_by(g, &p, &held->forces);
  p.state = *held;
  take(g, &p);
  return true;
}
