#include "contact/point_contact.h"

#include "body/vertex_stiffness.h"

enum { MOST_ITERATIONS = 24, MOST_HALVINGS = 4, MOST_CROSSINGS = 64, MOST_BISECTIONS = 10 };
#define TOLERANCE 1e-9    /* of the force */
#define LONGEST_SNAP 1e-3 /* m, at a time */

/* Everything at a contact point that the laws need. */
typedef struct Local {
  tacSurfacePoint at;
  const tacVertexStiffness *corner_stiffness[3];
  tacVec3 corner_normal[3], normal;
  double normal_length; /* of the interpolated normal before it was made unit */
  tacVec3 stretch;      /* u^H = y - x^C */
  tacVec3 force;        /* f */
  tacVec3 drive;        /* g */
  double pressing;      /* N */
  tacVec3 tangential;   /* T */
} Local;

/* u.(grad K) u / 2, N */
static tacVec3 configurational(const tacMat3 gradient[3], tacVec3 u) {
  return tac_vec3(0.5 * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[0], u)),
                  0.5 * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[1], u)),
                  0.5 * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[2], u)));
}

static const tacVertexStiffness *stiffness_at(const tacTouched *touched, int vertex) {
  return touched->body.table->stiffness(touched->body.self, vertex);
}

static Local evaluate(const tacTouched *touched, tacSurfacePoint at, tacVec3 y) {
  const tacSurfaceWalk *surface = touched->surface;
  Local l = {.at = at};
  tacVec3 n = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) {
    int v = surface->mesh->triangles[at.triangle].v[i];
    l.corner_stiffness[i] = stiffness_at(touched, v);
    l.corner_normal[i] = surface->vertex_normal[v];
    n = tac_vec3_mad(n, at.weight[i], l.corner_normal[i]);
  }
  l.normal_length = fmax(tac_vec3_norm(n), 1e-6);
  l.normal = tac_surface_walk_normal(surface, at);
  l.stretch = tac_vec3_sub(y, tac_surface_walk_position(surface, at));
  for (int i = 0; i < 3; ++i) {
    const tacVertexStiffness *k = l.corner_stiffness[i];
    l.force = tac_vec3_mad(l.force, at.weight[i], tac_mat3_mul_vec(k->value, l.stretch));
    l.drive = tac_vec3_mad(l.drive, -at.weight[i], configurational(k->gradient, l.stretch));
  }
  l.drive = tac_vec3_add(l.drive, l.force);
  l.pressing = -tac_vec3_dot(l.force, l.normal);
  l.tangential = tac_vec3_mad(l.drive, -tac_vec3_dot(l.drive, l.normal), l.normal);
  return l;
}

tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at) {
  const tacTriMesh *mesh = touched->surface->mesh;
  tacMat3 sum = tac_mat3_zero();
  for (int i = 0; i < 3; ++i) {
    int v = mesh->triangles[at.triangle].v[i];
    sum = tac_mat3_add(sum, tac_mat3_scale(at.weight[i], stiffness_at(touched, v)->value));
  }
  return sum;
}

tacVec3 tac_point_contact_drive(const tacTouched *touched, const tacPointContact *contact) {
  const tacTriMesh *mesh = touched->surface->mesh;
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  tacMat3 inverse;
  if (!tac_mat3_inverse(tac_point_contact_stiffness(touched, contact->at), &inverse)) return sum;
  tacVec3 u = tac_mat3_mul_vec(inverse, contact->force);
  for (int i = 0; i < 3; ++i) {
    int v = mesh->triangles[contact->at.triangle].v[i];
    sum = tac_vec3_mad(sum, -contact->at.weight[i], configurational(stiffness_at(touched, v)->gradient, u));
  }
  return sum;
}

tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact) {
  tacSite at = tac_site_on_surface(contact->at);
  tacMat3 compliance;
  if (touched->body.table->compliance(touched->body.self, &at, &at, compliance.m))
    return tac_mat3_mul_vec(compliance, contact->force);
  /* Where the compliance is not known: by the stiffness. */
  tacMat3 inverse;
  return tac_mat3_inverse(tac_point_contact_stiffness(touched, contact->at), &inverse)
             ? tac_mat3_mul_vec(inverse, contact->force)
             : tac_vec3(0.0, 0.0, 0.0);
}

/* The tangent direction that `pull` has at this point, and the one across it; both unit, perpendicular to the normal. */
static void sliding_axes(const Local *l, tacVec3 pull, tacVec3 *along, tacVec3 *across) {
  tacVec3 a = tac_vec3_mad(pull, -tac_vec3_dot(pull, l->normal), l->normal);
  if (!(tac_vec3_norm(a) > 1e-3 * tac_vec3_norm(pull))) { /* the surface has turned away: any direction will do */
    tacVec3 e = fabs(l->normal.x) < 0.6 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
    a = tac_vec3_cross(l->normal, e);
  }
  *along = tac_vec3_unit(a);
  *across = tac_vec3_cross(l->normal, *along);
}

/* What is left to slide: T - mu N along, in the axes (along, across). */
static void residual(const Local *l, tacVec3 along, tacVec3 across, double friction, double r[2]) {
  r[0] = tac_vec3_dot(l->drive, along) - friction * l->pressing;
  r[1] = tac_vec3_dot(l->drive, across);
}

/* How the residual changes with each of two steps e (m) of the contact point in its triangle. Weights change by
 * g_i . e, hence K, its gradient and n; u changes by -e. The axes stay perpendicular to n:
 * drive . d(along) = -(drive . n) along . dn. */
static void derivatives(const tacSurfaceWalk *surface, const Local *l, tacVec3 along, tacVec3 across, double friction,
                        const tacVec3 e[2], double r[2][2]) {
  const int *v = surface->mesh->triangles[l->at.triangle].v;
  tacVec3 face = surface->face_normal[l->at.triangle], u = l->stretch, df[2] = {0}, dc[2] = {0}, dn[2] = {0};
  for (int i = 0; i < 3; ++i) {
    tacVec3 a = surface->mesh->vertices[v[(i + 1) % 3]], b = surface->mesh->vertices[v[(i + 2) % 3]];
    tacVec3 in = tac_vec3_cross(face, tac_vec3_sub(b, a)); /* towards corner i, as long as the side */
    double height = tac_vec3_dot(in, tac_vec3_sub(surface->mesh->vertices[v[i]], a));
    const tacVertexStiffness *k = l->corner_stiffness[i];
    const tacVec3 ku = tac_mat3_mul_vec(k->value, u),
                  gu[3] = {tac_mat3_mul_vec(k->gradient[0], u), tac_mat3_mul_vec(k->gradient[1], u),
                           tac_mat3_mul_vec(k->gradient[2], u)};
    const tacVec3 ugu = {0.5 * tac_vec3_dot(u, gu[0]), 0.5 * tac_vec3_dot(u, gu[1]), 0.5 * tac_vec3_dot(u, gu[2])};
    for (int s = 0; s < 2; ++s) {
      double dw = tac_vec3_dot(in, e[s]) / height;
      tacVec3 ge = {tac_vec3_dot(e[s], gu[0]), tac_vec3_dot(e[s], gu[1]), tac_vec3_dot(e[s], gu[2])};
      /* d(K u) = dK u - K e, d(u.(grad K) u / 2) = u.d(grad K) u / 2 - e.(grad K) u */
      df[s] = tac_vec3_mad(df[s], dw, ku);
      df[s] = tac_vec3_mad(df[s], -l->at.weight[i], tac_mat3_mul_vec(k->value, e[s]));
      dc[s] = tac_vec3_mad(dc[s], dw, ugu);
      dc[s] = tac_vec3_mad(dc[s], -l->at.weight[i], ge);
      dn[s] = tac_vec3_mad(dn[s], dw / l->normal_length, l->corner_normal[i]);
    }
  }
  double sunk = -tac_vec3_dot(l->drive, l->normal);
  for (int s = 0; s < 2; ++s) {
    tacVec3 turn = tac_vec3_mad(dn[s], -tac_vec3_dot(dn[s], l->normal), l->normal), dg = tac_vec3_sub(df[s], dc[s]);
    double dpressing = -tac_vec3_dot(df[s], l->normal) - tac_vec3_dot(l->force, turn);
    r[s][0] = tac_vec3_dot(dg, along) + sunk * tac_vec3_dot(along, turn) - friction * dpressing;
    r[s][1] = tac_vec3_dot(dg, across) + sunk * tac_vec3_dot(across, turn);
  }
}

static double mean_stiffness(const Local *l) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += l->at.weight[i] * tac_mat3_trace(l->corner_stiffness[i]->value) / 3.0;
  return sum;
}

/* Where to go from here, in the plane of the triangle: Newton's step, or along the pull where that goes against it. True where
 * sliding makes the pull stronger: there is no equilibrium ahead, and the step is only a direction. */
static bool next_step(const tacSurfaceWalk *surface, const Local *l, tacVec3 along, tacVec3 across, double friction,
                      const double r[2], tacVec3 *step) {
  tacVec3 face = surface->face_normal[l->at.triangle];
  tacVec3 pull = tac_vec3_add(tac_vec3_scale(r[0], along), tac_vec3_scale(r[1], across));
  tacVec3 e1 = tac_vec3_unit(tac_vec3_mad(pull, -tac_vec3_dot(pull, face), face)), e2 = tac_vec3_cross(face, e1);
  double stiffness = mean_stiffness(l), size = sqrt(r[0] * r[0] + r[1] * r[1]), by[2][2], *a = by[0], *b = by[1];
  const tacVec3 steps[2] = {e1, e2};
  derivatives(surface, l, along, across, friction, steps, by);
  double slope = (a[0] * r[0] + a[1] * r[1]) / size; /* N/m, of the residual's length along the pull */
  if (!(slope < -1e-6 * stiffness)) {
    *step = e1;
    return true;
  }
  *step = tac_vec3_scale(-size / slope, e1);
  double det = a[0] * b[1] - b[0] * a[1];
  if (fabs(det) > 1e-9 * stiffness * stiffness) {
    double x = (-r[0] * b[1] + b[0] * r[1]) / det, y = (-a[0] * r[1] + r[0] * a[1]) / det;
    if (x > 0.0) *step = tac_vec3_add(tac_vec3_scale(x, e1), tac_vec3_scale(y, e2));
  }
  return false;
}

static double size_of(const double r[2]) {
  return sqrt(r[0] * r[0] + r[1] * r[1]);
}

/* What the contact was like before the step: the part of its energy balance that does not depend on where it slides. */
typedef struct Before {
  tacVec3 force;  /* N: f0 */
  tacVec3 motion; /* m: of the probe since */
  double energy;  /* J: lost before, and stored */
  double change;  /* N: by which the force may differ from f0 */
} Before;

static Before look_back(const tacTouched *touched, const tacPointContact *start, tacVec3 y) {
  Before b = {.force = tac_mat3_mul_vec(tac_point_contact_stiffness(touched, start->at), start->stretch)};
  b.motion = tac_vec3_sub(tac_vec3_sub(y, tac_surface_walk_position(touched->surface, start->at)), start->stretch);
  b.energy = start->lost + 0.5 * tac_vec3_dot(start->stretch, b.force);
  return b;
}

static double lost_after(const Before *b, tacVec3 force, tacVec3 stretch) {
  return b->energy + 0.5 * tac_vec3_dot(tac_vec3_add(b->force, force), b->motion) - 0.5 * tac_vec3_dot(stretch, force);
}

double tac_point_contact_lost(const tacTouched *touched, const tacPointContact *start, tacVec3 y,
                              const tacPointContact *contact) {
  Before before = look_back(touched, start, y);
  return lost_after(&before, contact->force, contact->stretch);
}

/* What rounding makes of a slide that loses nothing is no gain. */
static bool allowed(const Before *b, const Local *l) {
  double rounding = 1e-9 * tac_vec3_dot(l->stretch, l->force);
  return lost_after(b, l->force, l->stretch) >= -rounding && tac_vec3_distance(l->force, b->force) <= b->change;
}

static Local after_step(const tacTouched *touched, const Local *from, tacVec3 step, tacVec3 y, int *budget) {
  tacSurfacePoint at = from->at;
  tac_surface_walk_move(touched->surface, step, MOST_CROSSINGS, &at);
  --*budget;
  return evaluate(touched, at, y);
}

/* As far along a step as is allowed, from a place that is. */
static Local last_allowed(const tacTouched *touched, const Before *before, const Local *from, tacVec3 step, tacVec3 y,
                          int *budget) {
  Local least = *from;
  double low = 0.0, high = 1.0;
  for (int i = 0; i<MOST_BISECTIONS && * budget> 0; ++i) {
    double middle = 0.5 * (low + high);
    Local there = after_step(touched, from, tac_vec3_scale(middle, step), y, budget);
    bool good = there.pressing > 0.0 && allowed(before, &there);
    if (good) least = there;
    *(good ? &low : &high) = middle;
  }
  return least;
}

bool tac_point_contact_solve(const tacTouched *touched, const tacPointContact *start, tacVec3 y, double friction,
                             tacPointLimits limits, bool grabbed, int *budget, tacPointContact *contact) {
  const tacSurfaceWalk *surface = touched->surface;
  Local l = evaluate(touched, start->at, y);
  --*budget;
  *contact = (tacPointContact){TAC_CONTACT_NONE, start->at, tac_vec3(0.0, 0.0, 0.0), l.stretch, start->lost};
  bool sticks = tac_vec3_norm(l.tangential) <= friction * l.pressing;
  if (!grabbed && !(l.pressing > 0.0)) return true;
  if (grabbed || sticks) {
    contact->state = grabbed ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS;
    contact->force = l.force;
    return true;
  }
  Before before = look_back(touched, start, y);
  before.change = fmax(limits.change, tac_vec3_distance(l.force, before.force));
  Local good = l; /* the last place on the way that is allowed: to stick is */
  tacVec3 pull = l.tangential, along, across, beyond = {0.0, 0.0, 0.0};
  double r[2];
  sliding_axes(&l, pull, &along, &across);
  residual(&l, along, across, friction, r);
  bool converged = false, is_good = true;
  double travelled = 0.0;
  for (int i = 0; !converged && *budget > 0 && i < MOST_ITERATIONS; ++i) {
    tacVec3 step;
    bool snaps = next_step(surface, &l, along, across, friction, r, &step);
    double length = tac_vec3_norm(step), left = limits.reach - travelled;
    if (snaps || length > left) step = tac_vec3_scale(fmin(left, LONGEST_SNAP) / length, step);
    Local next = l;
    double next_r[2] = {r[0], r[1]};
    for (int h = 0; h <= MOST_HALVINGS; ++h) {
      next = after_step(touched, &l, step, y, budget);
      sliding_axes(&next, pull, &along, &across);
      residual(&next, along, across, friction, next_r);
      if (size_of(next_r) < size_of(r) || snaps || *budget <= 0) break;
      step = tac_vec3_scale(0.5, step);
    }
    travelled += tac_vec3_norm(step);
    pull = along; /* carried along the surface */
    if (is_good) {
      good = l;
      beyond = step;
    }
    l = next;
    r[0] = next_r[0];
    r[1] = next_r[1];
    is_good = allowed(&before, &l);
    converged = !(l.pressing > 0.0) || travelled >= limits.reach * (1.0 - 1e-9) ||
                size_of(r) <= TOLERANCE * tac_vec3_norm(l.force);
  }
  if (!is_good) l = last_allowed(touched, &before, &good, beyond, y, budget);
  if (!(l.pressing > 0.0)) return true; /* slid to where nothing presses any more */
  *contact = (tacPointContact){TAC_CONTACT_SLIDES, l.at, l.force, l.stretch, lost_after(&before, l.force, l.stretch)};
  return converged;
}
