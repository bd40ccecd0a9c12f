#include "contact/point_contact.h"

#include "body/vertex_stiffness.h"

enum { MOST_ITERATIONS = 24, MOST_HALVINGS = 4, MOST_CROSSINGS = 64 };
#define TOLERANCE 1e-9 /* tolerance of the residual, relative to the force */
/* Tolerance of a contact among other contacts, m. Contacts move each other by more until all converge. */
#define COUPLED_TOLERANCE 5e-8
#define LONGEST_SNAP 1e-3 /* m: maximum step of the search if the contact snaps away or reaches its limit */

/* Quantities of the contact laws at a contact point. */
typedef struct Local {
  tacSurfacePoint at;
  const tacVertexStiffness *corner[3]; /* stiffness at the corners of the triangle */
  tacVec3 normal;
  double normal_length;     /* length of the interpolated normal before normalisation */
  tacVertexStiffness stiff; /* K, N/m, and its gradient */
  tacMat3 coupled;          /* (I - K B)^-1 */
  tacVec3 stretch;          /* stretch u = y - x^C + B f, m */
  tacVec3 force;            /* f, N */
  tacVec3 drive;            /* g, N */
  double pressing;          /* normal force, N */
  tacVec3 tangential;       /* T, N */
  tacMat3 turned;           /* rows: (dK/dx) u, (dK/dy) u, (dK/dz) u */
} Local;

static const tacVertexStiffness *stiffness_at(const tacTouched *touched, int vertex) {
  return touched->body.table->stiffness(touched->body.self, touched->tip, vertex);
}

tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at) {
  const int *v = touched->surface->mesh->triangles[at.triangle].v;
  const double *x = stiffness_at(touched, v[0])->value.m[0], *y = stiffness_at(touched, v[1])->value.m[0],
               *z = stiffness_at(touched, v[2])->value.m[0], a = at.weight[0], b = at.weight[1], c = at.weight[2];
  tacMat3 sum;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) sum.m[r][k] = a * x[3 * r + k] + b * y[3 * r + k] + c * z[3 * r + k];
  return sum;
}

/* Inputs of the solution: probe y and shared compliance B (tac_point_contact_solve). */
typedef struct Pull {
  tacVec3 y;
  const tacMat3 *shared; /* B; NULL: zero */
} Pull;

/* Computes the weighted sum of the stiffnesses at the corners of a triangle, and of their gradients. */
static void mix_stiffness(const double weight[3], const tacVertexStiffness *const corner[3], tacVertexStiffness *sum) {
  enum { NUMBERS = sizeof *sum / sizeof(double) };
  const double a = weight[0], b = weight[1], c = weight[2];
  const double *x = (const double *)corner[0], *y = (const double *)corner[1], *z = (const double *)corner[2];
  double *restrict to = (double *)sum;
  for (int i = 0; i < NUMBERS; ++i) to[i] = a * x[i] + b * y[i] + c * z[i];
}

/* Returns the matrix with the rows (dK/dx) u, (dK/dy) u and (dK/dz) u. */
static tacMat3 turn_by(const tacVertexStiffness *k, tacVec3 u) {
  tacMat3 rows;
  for (int axis = 0; axis < 3; ++axis) {
    tacVec3 row = tac_mat3_mul_vec(k->gradient[axis], u);
    rows.m[axis][0] = row.x;
    rows.m[axis][1] = row.y;
    rows.m[axis][2] = row.z;
  }
  return rows;
}

static void evaluate(const tacTouched *touched, tacSurfacePoint at, const Pull *pull, Local *l) {
  const tacSurfaceWalk *surface = touched->surface;
  const int *v = surface->mesh->triangles[at.triangle].v;
  tacVec3 n = tac_vec3(0.0, 0.0, 0.0);
  l->at = at;
  for (int i = 0; i < 3; ++i) {
    l->corner[i] = stiffness_at(touched, v[i]);
    n = tac_vec3_mad(n, at.weight[i], surface->vertex_normal[v[i]]);
  }
  mix_stiffness(at.weight, l->corner, &l->stiff);
  double length = tac_vec3_norm(n);
  l->normal_length = fmax(length, 1e-6);
  l->normal = length > 1e-6 ? tac_vec3_scale(1.0 / length, n) : surface->face_normal[at.triangle];
  l->stretch = tac_vec3_sub(pull->y, tac_surface_walk_position(surface, at));
  l->force = tac_mat3_mul_vec(l->stiff.value, l->stretch);
  /* I - K B is never singular, since B is less than K^-1. */
  if (pull->shared != NULL) {
    tacMat3 apart = tac_mat3_sub(tac_mat3_identity(), tac_mat3_mul(l->stiff.value, *pull->shared));
    if (!tac_mat3_inverse(apart, &l->coupled)) l->coupled = tac_mat3_identity();
    l->force = tac_mat3_mul_vec(l->coupled, l->force);
    l->stretch = tac_vec3_add(l->stretch, tac_mat3_mul_vec(*pull->shared, l->force));
  }
  l->turned = turn_by(&l->stiff, l->stretch);
  l->drive = tac_vec3_mad(l->force, -0.5, tac_mat3_mul_vec(l->turned, l->stretch));
  l->pressing = -tac_vec3_dot(l->force, l->normal);
  l->tangential = tac_vec3_mad(l->drive, -tac_vec3_dot(l->drive, l->normal), l->normal);
}

tacVec3 tac_point_contact_displacement(const tacTouched *touched, const tacPointContact *contact) {
  tacSite at = tac_site_touched(&touched->body, touched->tip, contact->at);
  tacMat3 compliance;
  if (touched->body.table->compliance(touched->body.self, &at, &at, compliance.m))
    return tac_mat3_mul_vec(compliance, contact->force);
  /* The compliance is unknown: the inverse of the stiffness replaces it. */
  tacMat3 inverse;
  return tac_mat3_inverse(tac_point_contact_stiffness(touched, contact->at), &inverse)
             ? tac_mat3_mul_vec(inverse, contact->force)
             : tac_vec3(0.0, 0.0, 0.0);
}

/* Computes `along`, the unit tangent in the direction of `pull`, and `across`, the unit tangent perpendicular to
 * `along`. */
static void sliding_axes(const Local *l, tacVec3 pull, tacVec3 *along, tacVec3 *across) {
  tacVec3 a = tac_vec3_mad(pull, -tac_vec3_dot(pull, l->normal), l->normal);
  if (!(tac_vec3_norm(a) > 1e-3 * tac_vec3_norm(pull))) { /* `pull` is almost normal: any tangent is valid */
    tacVec3 e = fabs(l->normal.x) < 0.6 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
    a = tac_vec3_cross(l->normal, e);
  }
  *along = tac_vec3_unit(a);
  *across = tac_vec3_cross(l->normal, *along);
}

/* Computes the residual r of sliding: the components of T - mu N along in the axes (along, across). */
static void residual(const Local *l, tacVec3 along, tacVec3 across, double friction, double r[2]) {
  r[0] = tac_vec3_dot(l->drive, along) - friction * l->pressing;
  r[1] = tac_vec3_dot(l->drive, across);
}

/* Computes the derivatives of the corners' weights for a motion e (m) in the plane of the triangle, 1/m. */
static void turn_weights(const tacSurfaceWalk *surface, int triangle, tacVec3 e, double dw[3]) {
  const int *v = surface->mesh->triangles[triangle].v;
  tacVec3 face = surface->face_normal[triangle], side[3], across = tac_vec3_cross(e, face);
  for (int i = 0; i < 3; ++i)
    side[i] = tac_vec3_sub(surface->mesh->vertices[v[(i + 2) % 3]], surface->mesh->vertices[v[(i + 1) % 3]]);
  double twice_area = tac_vec3_dot(face, tac_vec3_cross(side[0], side[1]));
  for (int i = 0; i < 3; ++i) dw[i] = tac_vec3_dot(side[i], across) / twice_area;
}

/* Computes the derivatives of the residual for motions e (m) of the contact point in two directions of its triangle.
 * The weights of the corners, K, its gradient and n change. With f = K u and u = y - x + B f,
 *   df = dK u + K du, du = -dx + B df, so that df = (I - K B)^-1 (dK u - K dx).
 * dx is e, plus the change of the bulge on a rounded surface. The axes stay perpendicular to n:
 *   drive . d(along) = -(drive . n) along . dn. */
static void derivatives(const tacSurfaceWalk *surface, const Local *l, const tacMat3 *shared, tacVec3 along,
                        tacVec3 across, double friction, const tacVec3 e[2], double r[2][2]) {
  const int *v = surface->mesh->triangles[l->at.triangle].v;
  const double *w = l->at.weight;
  double sunk = -tac_vec3_dot(l->drive, l->normal);
  for (int s = 0; s < 2; ++s) {
    double dw[3];
    tacVec3 u = l->stretch, dn = tac_vec3(0.0, 0.0, 0.0), dx = e[s];
    tacVertexStiffness dk;
    turn_weights(surface, l->at.triangle, e[s], dw);
    mix_stiffness(dw, l->corner, &dk);
    for (int i = 0; i < 3; ++i) {
      dn = tac_vec3_mad(dn, dw[i] / l->normal_length, surface->vertex_normal[v[i]]);
      if (surface->bulge != NULL)
        dx = tac_vec3_mad(dx, w[(i + 1) % 3] * dw[i] + w[i] * dw[(i + 1) % 3], surface->bulge[l->at.triangle][i]);
    }
    tacVec3 df = tac_vec3_sub(tac_mat3_mul_vec(dk.value, u), tac_mat3_mul_vec(l->stiff.value, dx));
    tacVec3 du = tac_vec3_scale(-1.0, dx);
    if (shared != NULL) {
      df = tac_mat3_mul_vec(l->coupled, df);
      du = tac_vec3_add(du, tac_mat3_mul_vec(*shared, df));
    }
    /* d(u.(grad K) u / 2) = u.d(grad K) u / 2 + du.(grad K) u */
    tacVec3 dc = tac_vec3_scale(0.5, tac_mat3_mul_vec(turn_by(&dk, u), u));
    dc = tac_vec3_add(dc, tac_mat3_mul_vec(l->turned, du));
    tacVec3 turn = tac_vec3_mad(dn, -tac_vec3_dot(dn, l->normal), l->normal), dg = tac_vec3_sub(df, dc);
    double dpressing = -tac_vec3_dot(df, l->normal) - tac_vec3_dot(l->force, turn);
    r[s][0] = tac_vec3_dot(dg, along) + sunk * tac_vec3_dot(along, turn) - friction * dpressing;
    r[s][1] = tac_vec3_dot(dg, across) + sunk * tac_vec3_dot(across, turn);
  }
}

/* Computes the next step in the plane of the triangle: Newton's step, or a step along the pull if Newton's step points
 * against the pull. Returns true if sliding increases the pull. There is then no equilibrium ahead, and only the
 * direction of the step is valid. */
static bool next_step(const tacSurfaceWalk *surface, const Local *l, const tacMat3 *shared, tacVec3 along,
                      tacVec3 across, double friction, const double r[2], tacVec3 *step) {
  tacVec3 face = surface->face_normal[l->at.triangle];
  tacVec3 pull = tac_vec3_add(tac_vec3_scale(r[0], along), tac_vec3_scale(r[1], across));
  tacVec3 e1 = tac_vec3_unit(tac_vec3_mad(pull, -tac_vec3_dot(pull, face), face)), e2 = tac_vec3_cross(face, e1);
  double stiffness = tac_mat3_trace(l->stiff.value) / 3.0, size = sqrt(r[0] * r[0] + r[1] * r[1]), by[2][2], *a = by[0],
         *b = by[1];
  const tacVec3 steps[2] = {e1, e2};
  derivatives(surface, l, shared, along, across, friction, steps, by);
  double slope = (a[0] * r[0] + a[1] * r[1]) / size; /* N/m: derivative of the residual's magnitude along the pull */
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

/* Returns the felt tangential force T' = f - f0, where f0 is the force at which the point would rest at this place
 * without friction. g is the force for motions of the point over the rest surface. T' differs from T because f has
 * stretched and rotated the surface. g is quadratic in f, so g(f) = J (f - f0), with J = 1 - (grad K) u K^-1 at the
 * mean of f and f0. `most`, N: expected magnitude of T', for which J is evaluated. */
static tacVec3 felt_along(const Local *l, double most) {
  tacMat3 c;
  tacVec3 felt = l->tangential;
  double pull = tac_vec3_norm(felt);
  if (!(pull > 0.0) || !tac_mat3_inverse(l->stiff.value, &c)) return felt;
  const tacVec3 along = tac_vec3_scale(1.0 / pull, felt), across = tac_vec3_cross(l->normal, along),
                yield_along = tac_mat3_mul_vec(c, along), yield_across = tac_mat3_mul_vec(c, across);
  for (int pass = 0; pass < 2; ++pass) {
    double left = 0.5 * fmin(1.0, most / tac_vec3_norm(felt));
    tacMat3 turned = turn_by(&l->stiff, tac_mat3_mul_vec(c, tac_vec3_mad(l->force, left - 1.0, felt)));
    tacVec3 j[2] = {tac_vec3_sub(along, tac_mat3_mul_vec(turned, yield_along)),
                    tac_vec3_sub(across, tac_mat3_mul_vec(turned, yield_across))};
    double aa = tac_vec3_dot(along, j[0]), ab = tac_vec3_dot(along, j[1]), ba = tac_vec3_dot(across, j[0]),
           bb = tac_vec3_dot(across, j[1]), det = aa * bb - ab * ba;
    if (!(det > 0.25)) return l->tangential; /* the strain is too large for this formula */
    felt = tac_vec3_mad(tac_vec3_scale(pull * bb / det, along), -pull * ba / det, across);
  }
  return felt;
}

/* Returns |g| / (mu N) at the threshold of sliding, computed at the start of the step and limited to 0.7 ... 1.4. At
 * the threshold, the felt force obeys Coulomb's law |T'| = mu |f0|. */
static double threshold_share(const Local *l, double friction) {
  const double least = 0.7, most = 1.4;
  double pull = tac_vec3_norm(l->tangential);
  if (!(pull > 0.0) || !(l->pressing > 0.0)) return 1.0;
  tacVec3 felt = felt_along(l, friction * l->pressing), smooth = tac_vec3_sub(l->force, felt);
  return fmax(least, fmin(most, tac_vec3_norm(smooth) / l->pressing * pull / tac_vec3_norm(felt)));
}

tacVec3 tac_point_contact_smooth(const tacTouched *touched, const tacPointContact *contact) {
  tacMat3 inverse;
  Local l;
  if (!tac_mat3_inverse(tac_point_contact_stiffness(touched, contact->at), &inverse)) return contact->force;
  const Pull probe = {
      tac_vec3_add(tac_surface_walk_position(touched->surface, contact->at), tac_mat3_mul_vec(inverse, contact->force)),
      NULL};
  evaluate(touched, contact->at, &probe, &l);
  return tac_vec3_sub(l.force, felt_along(&l, INFINITY));
}

bool tac_point_contact_solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, const tacMat3 *shared,
                             double friction, double reach, bool grabbed, int *budget, tacPointContact *contact) {
  const tacSurfaceWalk *surface = touched->surface;
  const Pull probe = {y, shared};
  Local places[2], *l = &places[0], *next = &places[1];
  evaluate(touched, start, &probe, l);
  --*budget;
  *contact = (tacPointContact){TAC_CONTACT_NONE, start, tac_vec3(0.0, 0.0, 0.0), l->stretch};
  if (friction > 0.0 && !grabbed) friction *= threshold_share(l, friction);
  bool sticks = tac_vec3_norm(l->tangential) <= friction * l->pressing;
  if (grabbed || (sticks && l->pressing > 0.0)) {
    contact->state = grabbed ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS;
    contact->force = l->force;
    return true;
  }
  /* A contact that is pulled off its place may press at another place. It slides without friction until it presses, and
   * then stops within the friction cone. */
  bool pressed = l->pressing > 0.0;
  tacVec3 pull = l->tangential, along, across;
  double r[2];
  sliding_axes(l, pull, &along, &across);
  residual(l, along, across, pressed ? friction : 0.0, r);
  bool converged = size_of(r) <= TOLERANCE * tac_vec3_norm(l->force);
  double travelled = 0.0;
  for (int i = 0; !converged && *budget > 0 && i < MOST_ITERATIONS; ++i) {
    double resisting = l->pressing > 0.0 ? friction : 0.0;
    tacVec3 step;
    bool snaps = next_step(surface, l, shared, along, across, resisting, r, &step);
    double length = tac_vec3_norm(step), left = reach - travelled;
    if (snaps || length > left) step = tac_vec3_scale(fmin(left, LONGEST_SNAP) / length, step);
    double next_r[2] = {r[0], r[1]};
    for (int h = 0; h <= MOST_HALVINGS; ++h) {
      tacSurfacePoint at = l->at;
      tac_surface_walk_move(surface, step, MOST_CROSSINGS, &at);
      evaluate(touched, at, &probe, next);
      --*budget;
      sliding_axes(next, pull, &along, &across);
      residual(next, along, across, resisting, next_r);
      if (size_of(next_r) < size_of(r) || snaps || *budget <= 0) break;
      step = tac_vec3_scale(0.5, step);
    }
    travelled += tac_vec3_norm(step);
    pull = along; /* the direction of the pull follows the surface */
    Local *before = l;
    l = next;
    next = before;
    residual(l, along, across, l->pressing > 0.0 ? friction : 0.0, r);
    double small = shared != NULL ? COUPLED_TOLERANCE * tac_mat3_trace(l->stiff.value) / 3.0 : 0.0;
    converged =
        travelled >= reach * (1.0 - 1e-9) || size_of(r) <= fmax(small, TOLERANCE * tac_vec3_norm(l->force)) ||
        (pressed ? !(l->pressing > 0.0) : l->pressing > 0.0 && tac_vec3_norm(l->tangential) <= friction * l->pressing);
  }
  contact->at = l->at;
  if (!(l->pressing > 0.0)) return true; /* the point slid to a place without normal force */
  *contact = (tacPointContact){TAC_CONTACT_SLIDES, l->at, l->force, l->stretch};
  return converged;
}
