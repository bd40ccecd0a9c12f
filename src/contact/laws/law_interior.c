#include "contact/laws/law_interior.h"

#include <math.h>
#include <string.h>

/* Coefficients below LEAST_FRICTION count as zero, and coefficients above MOST_FRICTION as MOST_FRICTION. */
static const double LEAST_FRICTION = 1e-4, MOST_FRICTION = 1e6;
/* Limits of consecutive steps. MOST_JAMMED: steps of almost zero length. MOST_IDLE: steps without progress. */
enum { MOST_JAMMED = 6, MOST_IDLE = 25 };
static const double PROXIMAL = 1e-12; /* proximal term relative to W_ii; reduces the effect of round-off */

size_t tac_law_interior_room(int count) {
  size_t m = (size_t)count, three = tac_law_iterate_rounded(3 * m, sizeof(double));
  return 8 * three + tac_law_iterate_rounded(2 * m, sizeof(double)) + tac_law_iterate_rounded(m, sizeof(double));
}

static double friction_of(const tacLawContact *contact) {
  return contact->friction < LEAST_FRICTION ? 0.0 : fmin(contact->friction, MOST_FRICTION);
}

bool tac_law_interior_begin(tacLawSystem *system, const bool *out, const double *weight, tacArena *arena,
                            tacLawInterior *interior) {
  const tacLawProblem *problem = system->iterate->problem;
  size_t m = (size_t)problem->count;
  *interior = (tacLawInterior){.system = system, .out = out, .ease = 1.0};
  double **const threes[] = {&interior->f,  &interior->u,  &interior->v,  &interior->free,
                             &interior->df, &interior->du, &interior->dv, &interior->x};
  for (size_t k = 0; k < sizeof threes / sizeof *threes; ++k) {
    *threes[k] = tac_arena_array(arena, 3 * m, sizeof(double));
    if (*threes[k] == NULL) return false;
    memset(*threes[k], 0, 3 * m * sizeof(double));
  }
  interior->slope = tac_arena_array(arena, 2 * m, sizeof(double));
  interior->weight = tac_arena_array(arena, m, sizeof(double));
  if (interior->slope == NULL || interior->weight == NULL) return false;
  double logarithms = 0.0;
  int pressing = 0;
  for (int i = 0; i < problem->count; ++i) {
    const tacLawContact *contact = &problem->contacts[i];
    interior->weight[i] = weight[i];
    if (out[i]) continue;
    double u[3];
    tac_law_iterate_free(contact, u);
    interior->scale = fmax(interior->scale, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    logarithms += log(weight[i]);
    ++pressing;
    interior->inside += !contact->grabbed;
  }
  if (pressing == 0 || !(interior->scale > 0.0)) return false;
  double force = interior->scale * exp(logarithms / pressing), sum = 0.0;
  for (int i = 0; i < problem->count; ++i) {
    if (out[i] || problem->contacts[i].grabbed) continue;
    double mu = friction_of(&problem->contacts[i]);
    interior->f[3 * (size_t)i] = force;
    interior->v[3 * (size_t)i] = interior->scale;
    sum += (mu > 0.0 ? mu : 1.0) * force * interior->scale;
  }
  interior->gap = interior->first = interior->least = interior->inside > 0 ? sum / interior->inside : 0.0;
  return true;
}

/* Returns x_0^2 - x_1^2 - x_2^2, which is positive inside the cone. */
static double lorentz(const double x[3]) {
  double t = sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - t) * (x[0] + t);
}

/* Returns the length of the largest step from x along d that stays inside the cone, at most 1. */
static double way_inside(const double x[3], const double d[3]) {
  double c = lorentz(x), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], a = lorentz(d), way = 1.0;
  double root = b * b - a * c;
  if (root >= 0.0) { /* limits the step at the smaller positive root of a t^2 + 2 b t + c */
    double q = -(b + copysign(sqrt(root), b)), t1 = a != 0.0 ? q / a : -1.0, t2 = q != 0.0 ? c / q : -1.0;
    if (t1 > 0.0) way = fmin(way, t1);
    if (t2 > 0.0) way = fmin(way, t2);
  }
  if (x[0] + way * d[0] < 0.0) way = fmin(way, -x[0] / d[0]);
  return way;
}

/* Replaces y by E^-1 y: y_0 becomes mu (y_0 - slope . y_t). */
static void undo_slope(double mu, const double slope[2], double y[3]) {
  y[0] = mu * (y[0] - slope[0] * y[1] - slope[1] * y[2]);
}

/* Sets v'(u), its slope, and the equations of one contact for the present iterate. */
static void set_contact(tacLawInterior *interior, int i) {
  const tacLawContact *contact = &interior->system->iterate->problem->contacts[i];
  tacLawUnknowns *unknowns = &interior->system->unknowns[i];
  size_t k = 3 * (size_t)i;
  const double *u = interior->u + k, *v = interior->v + k, *f = interior->f + k;
  double *slope = interior->slope + 2 * (size_t)i, *to = interior->free + k, mu = friction_of(contact);
  double little = PROXIMAL / interior->weight[i];
  memset(unknowns, 0, sizeof *unknowns);
  if (interior->out[i]) return;
  for (int a = 0; a < 3; ++a) unknowns->press[a][a] = unknowns->test[a][a] = 1.0;
  for (int a = 0; a < 3; ++a) unknowns->own[a][a] = little;
  memcpy(to, u, 3 * sizeof *to);
  slope[0] = slope[1] = 0.0;
  unknowns->count = 3;
  if (contact->grabbed) return;
  if (!(mu > 0.0)) {
    unknowns->count = 1;
    unknowns->own[0][0] += v[0] / f[0];
    return;
  }
  double smooth2 = 1e-18 * interior->scale * interior->scale + 0.01 * interior->gap / interior->weight[i];
  double t = sqrt(u[1] * u[1] + u[2] * u[2] + smooth2);
  slope[0] = interior->ease * u[1] / t;
  slope[1] = interior->ease * u[2] / t;
  to[0] = u[0] / mu + t;
  /* Q^-2 = (2 (J w)(J w)^T - J) sqrt(lorentz(v) / lorentz(f)), J = diag(1, -1, -1). w is the unit scaling point between
   * f and v^-1. */
  const double inside[3] = {mu * f[0], f[1], f[2]};
  double sf = sqrt(lorentz(inside)), sv = sqrt(lorentz(v)), a[3], b[3];
  for (int c = 0; c < 3; ++c) {
    a[c] = inside[c] / sf;
    b[c] = (c == 0 ? v[c] : -v[c]) / sv;
  }
  double per = 1.0 / sqrt(2.0 * (1.0 + a[0] * b[0] - a[1] * b[1] - a[2] * b[2])), ratio = sv / sf;
  const double w[3] = {per * (a[0] + b[0]), -per * (a[1] + b[1]), -per * (a[2] + b[2])};
  for (int c = 0; c < 3; ++c) {
    double column[3];
    for (int r = 0; r < 3; ++r)
      column[r] = ratio * (2.0 * w[r] * w[c] - (r != c ? 0.0 : c == 0 ? 1.0 : -1.0)) * (c == 0 ? mu : 1.0);
    undo_slope(mu, slope, column);
    for (int r = 0; r < 3; ++r) unknowns->own[r][c] += column[r];
  }
}

/* Computes the step for a given tau. Returns the largest step length that stays inside the cones, at most 1. */
static double find_step(tacLawIterate *iterate, tacLawInterior *interior, double tau) {
  const tacLawProblem *problem = iterate->problem;
  double *x = interior->x, way = 1.0;
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *unknowns = &interior->system->unknowns[i];
    const double *f = interior->f + 3 * (size_t)i, *to = interior->free + 3 * (size_t)i;
    double mu = friction_of(&problem->contacts[i]), r[3] = {-to[0], -to[1], -to[2]};
    if (!problem->contacts[i].grabbed && unknowns->count > 0) {
      const double inside[3] = {mu * f[0], f[1], f[2]};
      if (mu > 0.0) {
        double per = tau / lorentz(inside);
        r[0] += per * inside[0];
        r[1] -= per * inside[1];
        r[2] -= per * inside[2];
        undo_slope(mu, interior->slope + 2 * (size_t)i, r);
      } else {
        r[0] += tau / f[0];
      }
    }
    for (int k = 0; k < unknowns->count; ++k) x[unknowns->at + k] = r[k];
  }
  tac_law_system_solve(interior->system, x);
  for (int i = 0; i < problem->count; ++i) {
    const tacLawUnknowns *unknowns = &interior->system->unknowns[i];
    for (int k = 0; k < 3; ++k)
      interior->df[3 * (size_t)i + (size_t)k] = k < unknowns->count ? x[unknowns->at + k] : 0.0;
  }
  tac_law_iterate_apply(iterate, interior->df, interior->du);
  for (int i = 0; i < problem->count; ++i) {
    size_t k = 3 * (size_t)i;
    const double *f = interior->f + k, *df = interior->df + k, *du = interior->du + k, *v = interior->v + k,
                 *slope = interior->slope + 2 * (size_t)i, *to = interior->free + k;
    double *dv = interior->dv + k, mu = friction_of(&problem->contacts[i]);
    memset(dv, 0, 3 * sizeof *dv);
    if (interior->out[i] || problem->contacts[i].grabbed) continue;
    if (!(mu > 0.0)) {
      dv[0] = du[0] + to[0] - v[0];
      if (f[0] + way * df[0] < 0.0) way = -f[0] / df[0];
      if (v[0] + way * dv[0] < 0.0) way = -v[0] / dv[0];
      continue;
    }
    dv[0] = du[0] / mu + slope[0] * du[1] + slope[1] * du[2] + to[0] - v[0];
    dv[1] = du[1] + to[1] - v[1];
    dv[2] = du[2] + to[2] - v[2];
    const double at[3] = {mu * f[0], f[1], f[2]}, along[3] = {mu * df[0], df[1], df[2]};
    way = fmin(way, fmin(way_inside(at, along), way_inside(v, dv)));
  }
  return way;
}

bool tac_law_interior_step(tacLawIterate *iterate, tacLawInterior *interior) {
  const tacLawProblem *problem = iterate->problem;
  size_t n = 3 * (size_t)problem->count;
  tac_law_iterate_apply(iterate, interior->f, interior->u);
  for (int i = 0; i < problem->count; ++i) {
    double u0[3];
    tac_law_iterate_free(&problem->contacts[i], u0);
    for (size_t k = 0; k < 3; ++k) interior->u[3 * (size_t)i + k] += u0[k];
    set_contact(interior, i);
  }
  if (!tac_law_system_factor(interior->system)) return false;
  /* Chooses tau from the length of a trial step with tau = 0. */
  double way = find_step(iterate, interior, 0.0), left = 1.0 - way;
  double share = way < 0.1 ? 0.8 : fmax(left * left * left, 1e-4);
  way = find_step(iterate, interior, share * interior->gap);
  /* Reduces the fraction of the slope in E if the step is short. Without the slope, the problem is convex and has
   * longer steps. */
  interior->ease =
      way < 0.1 ? (interior->ease > 0.1 ? 0.3 * interior->ease : 0.0) : fmin(1.0, 0.1 + 2.0 * interior->ease);
  interior->jammed = way < 1e-3 ? interior->jammed + 1 : 0;
  if (!(way > 1e-9) || interior->jammed == MOST_JAMMED) return false;
  if (way < 1.0) way *= 0.95;
  double sum = 0.0;
  for (size_t k = 0; k < n; ++k) {
    interior->f[k] += way * interior->df[k];
    interior->v[k] += way * interior->dv[k];
    interior->u[k] += way * interior->du[k];
  }
  for (int i = 0; i < problem->count; ++i) {
    size_t k = 3 * (size_t)i;
    const double *f = interior->f + k, *v = interior->v + k;
    if (interior->out[i] || problem->contacts[i].grabbed) continue;
    double mu = friction_of(&problem->contacts[i]);
    sum += (mu > 0.0 ? mu : 1.0) * f[0] * v[0] + f[1] * v[1] + f[2] * v[2];
  }
  interior->gap = interior->inside > 0 ? sum / interior->inside : 0.0;
  interior->idle = interior->gap < 0.5 * interior->least ? 0 : interior->idle + 1;
  if (interior->idle == 0) interior->least = interior->gap;
  return isfinite(interior->gap) && interior->idle < MOST_IDLE;
}
