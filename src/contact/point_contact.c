#include "contact/point_contact.h"

#include "body/vertex_stiffness.h"

enum { MOST_ITERATIONS = 24, MOST_HALVINGS = 4, MOST_CROSSINGS = 64 };
#define TOLERANCE 1e-9    /* of the force */
#define LONGEST_SNAP 1e-3 /* m, at a time */

/* Everything at a contact point that the laws need. */
typedef struct Local {
  tacSurfacePoint at;
  const tacVertexStiffness *corner_stiffness[3];
  tacVec3 corner_normal[3], normal;
  double normal_length; /* of the interpolated normal before it was made unit */
  tacMat3 stiffness;    /* K */
  tacMat3 coupled;      /* (I - K B)^-1 */
  tacVec3 stretch;      /* u^H = y - x^C + B f */
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

tacMat3 tac_point_contact_stiffness(const tacTouched *touched, tacSurfacePoint at) {
  const tacTriMesh *mesh = touched->surface->mesh;
  tacMat3 sum = tac_mat3_zero();
  for (int i = 0; i < 3; ++i) {
    int v = mesh->triangles[at.triangle].v[i];
    sum = tac_mat3_add(sum, tac_mat3_scale(at.weight[i], stiffness_at(touched, v)->value));
  }
  return sum;
}

/* What is solved: where the probe is, and B. */
typedef struct Pull {
  tacVec3 y;
  const tacMat3 *shared; /* NULL: zero */
} Pull;

static Local evaluate(const tacTouched *touched, tacSurfacePoint at, const Pull *pull) {
  const tacSurfaceWalk *surface = touched->surface;
  Local l = {.at = at, .stiffness = tac_point_contact_stiffness(touched, at)};
  tacVec3 n = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) {
    int v = surface->mesh->triangles[at.triangle].v[i];
    l.corner_stiffness[i] = stiffness_at(touched, v);
    l.corner_normal[i] = surface->vertex_normal[v];
    n = tac_vec3_mad(n, at.weight[i], l.corner_normal[i]);
  }
  l.normal_length = fmax(tac_vec3_norm(n), 1e-6);
  l.normal = tac_surface_walk_normal(surface, at);
  l.stretch = tac_vec3_sub(pull->y, tac_surface_walk_position(surface, at));
  l.force = tac_mat3_mul_vec(l.stiffness, l.stretch);
  l.coupled = tac_mat3_identity();
  /* It is singular nowhere, B being less than K^-1. */
  if (pull->shared != NULL &&
      tac_mat3_inverse(tac_mat3_sub(tac_mat3_identity(), tac_mat3_mul(l.stiffness, *pull->shared)), &l.coupled)) {
    l.force = tac_mat3_mul_vec(l.coupled, l.force);
    l.stretch = tac_vec3_add(l.stretch, tac_mat3_mul_vec(*pull->shared, l.force));
  }
  l.drive = l.force;
  for (int i = 0; i < 3; ++i)
    l.drive = tac_vec3_mad(l.drive, -at.weight[i], configurational(l.corner_stiffness[i]->gradient, l.stretch));
  l.pressing = -tac_vec3_dot(l.force, l.normal);
  l.tangential = tac_vec3_mad(l.drive, -tac_vec3_dot(l.drive, l.normal), l.normal);
  return l;
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
 * g_i . e, hence K, its gradient and n. With f = K u and u = y - x + B f,
 *   df = dK u + K du, du = -e + B df, so that df = (I - K B)^-1 (dK u - K e).
 * The axes stay perpendicular to n: drive . d(along) = -(drive . n) along . dn. */
static void derivatives(const tacSurfaceWalk *surface, const Local *l, const tacMat3 *shared, tacVec3 along,
                        tacVec3 across, double friction, const tacVec3 e[2], double r[2][2]) {
  const int *v = surface->mesh->triangles[l->at.triangle].v;
  tacVec3 face = surface->face_normal[l->at.triangle], u = l->stretch, df[2] = {0}, dc[2] = {0}, dn[2] = {0};
  tacMat3 gradient_u = tac_mat3_zero(); /* its rows: (grad K) u */
  for (int i = 0; i < 3; ++i) {
    tacVec3 a = surface->mesh->vertices[v[(i + 1) % 3]], b = surface->mesh->vertices[v[(i + 2) % 3]];
    tacVec3 in = tac_vec3_cross(face, tac_vec3_sub(b, a)); /* towards corner i, as long as the side */
    double height = tac_vec3_dot(in, tac_vec3_sub(surface->mesh->vertices[v[i]], a));
    const tacVertexStiffness *k = l->corner_stiffness[i];
    const tacVec3 ku = tac_mat3_mul_vec(k->value, u),
                  gu[3] = {tac_mat3_mul_vec(k->gradient[0], u), tac_mat3_mul_vec(k->gradient[1], u),
                           tac_mat3_mul_vec(k->gradient[2], u)};
    const tacVec3 ugu = {0.5 * tac_vec3_dot(u, gu[0]), 0.5 * tac_vec3_dot(u, gu[1]), 0.5 * tac_vec3_dot(u, gu[2])};
    for (int axis = 0; axis < 3; ++axis) {
      gradient_u.m[axis][0] += l->at.weight[i] * gu[axis].x;
      gradient_u.m[axis][1] += l->at.weight[i] * gu[axis].y;
      gradient_u.m[axis][2] += l->at.weight[i] * gu[axis].z;
    }
    for (int s = 0; s < 2; ++s) {
      double dw = tac_vec3_dot(in, e[s]) / height;
      df[s] = tac_vec3_mad(df[s], dw, ku);
      dc[s] = tac_vec3_mad(dc[s], dw, ugu);
      dn[s] = tac_vec3_mad(dn[s], dw / l->normal_length, l->corner_normal[i]);
    }
  }
  double sunk = -tac_vec3_dot(l->drive, l->normal);
  for (int s = 0; s < 2; ++s) {
    df[s] = tac_mat3_mul_vec(l->coupled, tac_vec3_sub(df[s], tac_mat3_mul_vec(l->stiffness, e[s])));
    /* d(u.(grad K) u / 2) = u.d(grad K) u / 2 + du.(grad K) u */
    tacVec3 du = tac_vec3_scale(-1.0, e[s]);
    if (shared != NULL) du = tac_vec3_add(du, tac_mat3_mul_vec(*shared, df[s]));
    dc[s] = tac_vec3_add(dc[s], tac_mat3_mul_vec(gradient_u, du));
    tacVec3 turn = tac_vec3_mad(dn[s], -tac_vec3_dot(dn[s], l->normal), l->normal), dg = tac_vec3_sub(df[s], dc[s]);
    double dpressing = -tac_vec3_dot(df[s], l->normal) - tac_vec3_dot(l->force, turn);
    r[s][0] = tac_vec3_dot(dg, along) + sunk * tac_vec3_dot(along, turn) - friction * dpressing;
    r[s][1] = tac_vec3_dot(dg, across) + sunk * tac_vec3_dot(across, turn);
  }
}

/* Where to go from here, in the plane of the triangle: Newton's step, or along the pull where that goes against it. True where
 * sliding makes the pull stronger: there is no equilibrium ahead, and the step is only a direction. */
static bool next_step(const tacSurfaceWalk *surface, const Local *l, const tacMat3 *shared, tacVec3 along,
                      tacVec3 across, double friction, const double r[2], tacVec3 *step) {
  tacVec3 face = surface->face_normal[l->at.triangle];
  tacVec3 pull = tac_vec3_add(tac_vec3_scale(r[0], along), tac_vec3_scale(r[1], across));
  tacVec3 e1 = tac_vec3_unit(tac_vec3_mad(pull, -tac_vec3_dot(pull, face), face)), e2 = tac_vec3_cross(face, e1);
  double stiffness = tac_mat3_trace(l->stiffness) / 3.0, size = sqrt(r[0] * r[0] + r[1] * r[1]), by[2][2], *a = by[0],
         *b = by[1];
  const tacVec3 steps[2] = {e1, e2};
  derivatives(surface, l, shared, along, across, friction, steps, by);
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

static Local after_step(const tacTouched *touched, const Local *from, tacVec3 step, const Pull *pull, int *budget) {
  tacSurfacePoint at = from->at;
  tac_surface_walk_move(touched->surface, step, MOST_CROSSINGS, &at);
  --*budget;
  return evaluate(touched, at, pull);
}

bool tac_point_contact_solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, const tacMat3 *shared,
                             double friction, double reach, bool grabbed, int *budget, tacPointContact *contact) {
  const tacSurfaceWalk *surface = touched->surface;
  const Pull probe = {y, shared};
  Local l = evaluate(touched, start, &probe);
  --*budget;
  *contact = (tacPointContact){TAC_CONTACT_NONE, start, tac_vec3(0.0, 0.0, 0.0), l.stretch};
  bool sticks = tac_vec3_norm(l.tangential) <= friction * l.pressing;
  if (!grabbed && !(l.pressing > 0.0)) return true;
  if (grabbed || sticks) {
    contact->state = grabbed ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS;
    contact->force = l.force;
    return true;
  }
  tacVec3 pull = l.tangential, along, across;
  double r[2];
  sliding_axes(&l, pull, &along, &across);
  residual(&l, along, across, friction, r);
  bool converged = false;
  double travelled = 0.0;
  for (int i = 0; !converged && *budget > 0 && i < MOST_ITERATIONS; ++i) {
    tacVec3 step;
    bool snaps = next_step(surface, &l, shared, along, across, friction, r, &step);
    double length = tac_vec3_norm(step), left = reach - travelled;
    if (snaps || length > left) step = tac_vec3_scale(fmin(left, LONGEST_SNAP) / length, step);
    Local next = l;
    double next_r[2] = {r[0], r[1]};
    for (int h = 0; h <= MOST_HALVINGS; ++h) {
      next = after_step(touched, &l, step, &probe, budget);
      sliding_axes(&next, pull, &along, &across);
      residual(&next, along, across, friction, next_r);
      if (size_of(next_r) < size_of(r) || snaps || *budget <= 0) break;
      step = tac_vec3_scale(0.5, step);
    }
    travelled += tac_vec3_norm(step);
    pull = along; /* carried along the surface */
    l = next;
    r[0] = next_r[0];
    r[1] = next_r[1];
    converged =
        !(l.pressing > 0.0) || travelled >= reach * (1.0 - 1e-9) || size_of(r) <= TOLERANCE * tac_vec3_norm(l.force);
  }
  contact->at = l.at;
  if (!(l.pressing > 0.0)) return true; /* slid to where nothing presses any more */
  *contact = (tacPointContact){TAC_CONTACT_SLIDES, l.at, l.force, l.stretch};
  return converged;
}
