#include "body/reduced_body.h"

#include <stdlib.h>
#include <string.h>
#include "asset/reduced.h"
#include "base/array.h"
#include "body/reduced_dynamics.h"
#include "body/reduced_material.h"
#include "body/reduced_rigid.h"

/* A body that is deformed by a thousand times its size, or flies that far in a step, has blown up. Within these bounds
 * nothing that is computed from its state overflows. */
static const double most_sizes = 1e3;
static const double most_turn = 1e3; /* rad a step, likewise */

typedef struct Anchor { /* of a spring */
  tacVec3 rest;         /* its point undeformed, body frame */
  tacVec3 target;       /* world frame */
} Anchor;

struct tacReducedBody {
  const tacReduced *reduced;
  const tacReducedParts *parts;
  tacReducedMotion motion;
  int size;  /* r, of the asset */
  int *kept; /* [count of the dynamics], ascending */
  tacReducedMaterial *material;
  double *density; /* [group], factors */

  tacReducedDynamics dynamics;    /* the kept coordinates */
  double *full_q, *full_velocity; /* [size]: all of them */
  double *weight;                 /* [axis][count]: reduced force per acceleration, kg^1/2 */
  double *jacobian;               /* [axis][count]: workspace */

  tacReducedInertia inertia;
  tacReducedRigid rigid, created;
  tacVec3 force, torque; /* on the rigid motion in the next advance */
  double most_speed;     /* of the centre, m/s */
  Anchor anchors[TAC_REDUCED_MOST_SPRINGS];
};

tacReducedMotion tac_reduced_motion_default(void) {
  return (tacReducedMotion){.step = 0.001, .newton_steps = 1};
}

static bool is_amount(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool motion_is_valid(const tacReducedMotion *m) {
  return m->step > 0.0 && isfinite(m->step) && m->newton_steps >= 1 && m->newton_steps <= 10 &&
         is_amount(m->tolerance) && is_amount(m->alpha_mass) && is_amount(m->beta_stiffness) &&
         is_amount(m->acceleration_limit) && tac_vec3_finite(m->gravity);
}

/* ---- creation ---- */

/* Mass matrix, weight and rigid mass at the densities of the moment. */
static void update_mass(tacReducedBody *b) {
  const tacReducedParts *parts = b->parts;
  tacDense *matrix = &b->dynamics.mass;
  size_t r = (size_t)b->size;
  int n = b->dynamics.count;
  memset(matrix->a, 0, (size_t)n * (size_t)n * sizeof *matrix->a);
  memset(b->weight, 0, 3 * (size_t)n * sizeof *b->weight);
  double mass = 0.0, baked = 0.0;
  for (int g = 0; g < parts->group_count; ++g) {
    double factor = b->density[g];
    const double *share = parts->mass_matrix + (size_t)g * r * r;
    const double *force = parts->body_force + (size_t)g * 3 * r;
    for (int j = 0; j < n; ++j) {
      double *column = tac_dense_column(matrix, j);
      for (int i = 0; i < n; ++i) column[i] += factor * share[(size_t)b->kept[j] * r + (size_t)b->kept[i]];
    }
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < n; ++i) b->weight[axis * n + i] += factor * force[(size_t)axis * r + (size_t)b->kept[i]];
    mass += factor * parts->group_mass[g];
    baked += parts->group_mass[g];
  }
  b->dynamics.mass_is_factored = false;

  /* Inertia by group is not known: where the factors differ, the centre and the ratios of inertia stay as baked. */
  double ratio = baked > 0.0 ? mass / baked : 1.0;
  b->inertia.mass = ratio * parts->mass;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b->inertia.inertia.m[i][j] = ratio * parts->inertia[i][j];
}

/* Bounds of |q| and of the centre's speed. */
static void measure(tacReducedBody *b) {
  const tacTriMesh *surface = b->parts->surface;
  double size = tac_vec3_norm(tac_box_size(tac_trimesh_box(surface))), most = 0.0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    const double *row = b->parts->displacements + 3 * (size_t)v * (size_t)b->size;
    double norm2 = 0.0;
    for (int i = 0; i < 3 * b->size; ++i) norm2 += row[i] * row[i];
    most = fmax(most, norm2);
  }
  if (!(size > 0.0) || !isfinite(size)) size = 1.0;
  b->dynamics.most_q = most > 0.0 ? fmin(most_sizes * size / sqrt(most), 1e60) : 1e60;
  b->most_speed = most_sizes * size / b->motion.step;
}

tacStatus tac_reduced_body_create(const tacReduced *reduced, const bool *kept, const tacReducedMotion *motion,
                                  tacVec3 position, tacQuat orientation, tacReducedBody **body, tacError *error) {
  *body = NULL;
  if (!motion_is_valid(motion))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "motion of a reduced body: the step must be positive, 1 to 10 Newton steps, other numbers "
                         "finite and not negative");
  double turn = tac_quat_norm(orientation);
  if (!tac_vec3_finite(position) || !(turn > 0.0) || !isfinite(turn))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pose of a reduced body: not finite, or no rotation");
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  tacReducedBody *b = tac_array_create(1, sizeof *b, "reduced body", error);
  if (b == NULL) return TAC_ERR_MEMORY;
  tacStatus status = TAC_ERR_MEMORY;
  b->reduced = reduced;
  b->parts = parts;
  b->motion = *motion;
  b->size = parts->size;
  int count = 0;
  b->kept = tac_array_create((size_t)b->size, sizeof *b->kept, "reduced body", error);
  if (b->kept == NULL) goto fail;
  for (int i = 0; i < b->size; ++i)
    if (kept == NULL || kept[i]) b->kept[count++] = i;
  if (count == 0) {
    status = tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body keeps at least one vector of its basis");
    goto fail;
  }
  b->density = tac_array_create((size_t)parts->group_count, sizeof *b->density, "reduced body", error);
  if (b->density == NULL) goto fail;
  for (int g = 0; g < parts->group_count; ++g) b->density[g] = 1.0;
  size_t r = (size_t)b->size, n = (size_t)count;
  b->full_q = tac_array_create(2 * r + 6 * n, sizeof *b->full_q, "reduced body", error);
  if (b->full_q == NULL) goto fail;
  b->full_velocity = b->full_q + r;
  b->weight = b->full_velocity + r;
  b->jacobian = b->weight + 3 * n;
  status = tac_reduced_dynamics_create(count, &b->dynamics, error);
  if (status != TAC_OK) goto fail;
  status = tac_reduced_material_create(parts, count, b->kept, &b->material, error);
  if (status != TAC_OK) goto fail;
  b->inertia.centre = parts->centre;
  update_mass(b);
  if (parts->is_free && (!(b->inertia.mass > 0.0) || !tac_mat3_inverse(b->inertia.inertia, &b->inertia.inverse))) {
    status = tac_error_set(error, TAC_ERR_ARGUMENT, "a free reduced body needs a mass and an inertia");
    goto fail;
  }
  measure(b);
  b->created = (tacReducedRigid){.position = position, .orientation = tac_quat_normalise(orientation)};
  tac_reduced_body_reset(b);
  *body = b;
  return TAC_OK;
fail:
  tac_reduced_body_destroy(b);
  return status;
}

void tac_reduced_body_destroy(tacReducedBody *body) {
  if (body == NULL) return;
  free(body->kept);
  free(body->density);
  free(body->full_q);
  tac_reduced_dynamics_destroy(&body->dynamics);
  tac_reduced_material_destroy(body->material);
  free(body);
}

const tacReduced *tac_reduced_body_asset(const tacReducedBody *body) {
  return body->reduced;
}

const tacReducedMotion *tac_reduced_body_motion(const tacReducedBody *body) {
  return &body->motion;
}

void tac_reduced_body_set_motion(tacReducedBody *body, const tacReducedMotion *motion) {
  tacReducedMotion next = *motion;
  next.step = body->motion.step;
  if (!motion_is_valid(&next)) return;
  if (next.is_static != body->motion.is_static) body->dynamics.is_starting = true;
  body->motion = next;
}

static void forget_loads(tacReducedBody *b) {
  memset(b->dynamics.load, 0, (size_t)b->dynamics.count * sizeof *b->dynamics.load);
  b->dynamics.spring_count = 0;
  b->dynamics.has_answer = false;
  b->force = b->torque = tac_vec3(0.0, 0.0, 0.0);
}

/* The state in the asset's numbering. */
static void publish(tacReducedBody *b) {
  for (int i = 0; i < b->dynamics.count; ++i) {
    b->full_q[b->kept[i]] = b->dynamics.q[i];
    b->full_velocity[b->kept[i]] = b->dynamics.velocity[i];
  }
}

static void stop(tacReducedBody *b) {
  tac_reduced_dynamics_stop(&b->dynamics);
  b->rigid.linear = b->rigid.angular = tac_vec3(0.0, 0.0, 0.0);
}

void tac_reduced_body_reset(tacReducedBody *body) {
  memset(body->dynamics.q, 0, (size_t)body->dynamics.count * sizeof *body->dynamics.q);
  body->rigid = body->created;
  stop(body);
  forget_loads(body);
  publish(body);
}

static tacVec3 to_body(const tacReducedRigid *rigid, tacVec3 v) {
  return tac_quat_rotate(tac_quat_conjugate(rigid->orientation), v);
}

static tacVec3 to_world(const tacReducedRigid *rigid, tacVec3 v) {
  return tac_quat_rotate(rigid->orientation, v);
}

/* ---- loads ---- */

/* U_s at a point of the surface, in the kept coordinates: [axis][count]. */
static void point_jacobian(const tacReducedBody *b, tacSurfacePoint at, double *jacobian) {
  const int *v = b->parts->surface->triangles[at.triangle].v;
  size_t r = (size_t)b->size;
  for (int axis = 0; axis < 3; ++axis) {
    const double *rows[3];
    for (int c = 0; c < 3; ++c) rows[c] = b->parts->displacements + (3 * (size_t)v[c] + (size_t)axis) * r;
    for (int i = 0; i < b->dynamics.count; ++i) {
      int k = b->kept[i];
      jacobian[axis * b->dynamics.count + i] =
          at.weight[0] * rows[0][k] + at.weight[1] * rows[1][k] + at.weight[2] * rows[2][k];
    }
  }
}

static tacVec3 point_rest(const tacReducedBody *b, tacSurfacePoint at) {
  const int *v = b->parts->surface->triangles[at.triangle].v;
  const tacVec3 *x = b->parts->surface->vertices;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(at.weight[0], x[v[0]]), at.weight[1], x[v[1]]), at.weight[2],
                      x[v[2]]);
}

void tac_reduced_body_add_force(tacReducedBody *body, tacSurfacePoint at, tacVec3 force) {
  point_jacobian(body, at, body->jacobian);
  tac_reduced_jacobian_add(body->dynamics.count, body->jacobian, to_body(&body->rigid, force), body->dynamics.load);
  tacVec3 lever = tac_vec3_sub(tac_reduced_body_point(body, at), tac_reduced_body_centre(body));
  tac_reduced_body_add_wrench(body, force, tac_vec3_cross(lever, force));
}

bool tac_reduced_body_add_spring(tacReducedBody *body, tacSurfacePoint at, tacVec3 target, double stiffness,
                                 double damping) {
  tacReducedDynamics *d = &body->dynamics;
  if (d->spring_count == TAC_REDUCED_MOST_SPRINGS) return false;
  tacReducedSpring *spring = &d->springs[d->spring_count];
  body->anchors[d->spring_count++] = (Anchor){point_rest(body, at), target};
  point_jacobian(body, at, spring->jacobian);
  spring->stiffness = stiffness;
  spring->damping = damping;
  return true;
}

void tac_reduced_body_add_wrench(tacReducedBody *body, tacVec3 force, tacVec3 torque) {
  body->force = tac_vec3_add(body->force, force);
  body->torque = tac_vec3_add(body->torque, torque);
}

void tac_reduced_body_add_reduced(tacReducedBody *body, const double *force) {
  for (int i = 0; i < body->dynamics.count; ++i) body->dynamics.load[i] += force[body->kept[i]];
}

void tac_reduced_body_add_answer(tacReducedBody *body, const double *force, const double *stiffness) {
  tacReducedDynamics *d = &body->dynamics;
  size_t r = (size_t)body->size;
  if (!d->has_answer) {
    memset(d->answer.a, 0, (size_t)d->count * (size_t)d->count * sizeof *d->answer.a);
    memset(d->answer_load, 0, (size_t)d->count * sizeof *d->answer_load);
    d->has_answer = true;
  }
  for (int j = 0; j < d->count; ++j) {
    const double *from = stiffness + (size_t)body->kept[j] * r;
    double *to = tac_dense_column(&d->answer, j), pull = 0.0;
    for (int i = 0; i < d->count; ++i) {
      to[i] += from[body->kept[i]];
      pull += from[body->kept[i]] * d->q[i];
    }
    d->answer_load[j] += force[body->kept[j]] + pull;
  }
}

/* ---- contacts ---- */

enum { CONTACT_SWEEPS = 4 };

/* The motion of a free body: of its centre, its turning, its coordinates. Body frame, like all below. */
typedef struct Velocity {
  tacVec3 linear, angular;
  double *rate; /* [count] */
} Velocity;

/* A contact while its impulse is sought. */
typedef struct Push {
  tacVec3 lever, normal; /* the former from where the body is pushed, and away from what pushes */
  double *row;           /* [count]: n.J */
  double along, across;  /* 1/kg: how fast an impulse moves both points apart, along the normal and at most across it */
  double target, softness; /* pressing = target - softness x velocity along the normal */
  double friction;
  double pressing; /* impulse along the normal, N s, */
  tacVec3 rubbing; /* and across it */
  /* What pushes, in the frame of what is pushed: the velocity of its point, rigid and by deformation along the normal, and how
   * fast an impulse moves that, 1/kg. All zero where it does not move. */
  tacVec3 velocity;
  tacMat3 yield;
  double deforming, deforming_yield;
  tacVec3 other_lever; /* world frame */
  double *other_row;
} Push;

/* Change of the coordinates' rates per reduced impulse; the mass matrix as baked is the identity. */
static double rate_of(const tacReducedBody *b) {
  return b->motion.is_static ? 0.0 : b->parts->mass / b->inertia.mass;
}

/* The velocity that the loads so far will give in the next step; of weight that which acts for `falling` seconds. `rate` [count]
 * holds the coordinates'. */
static Velocity loaded_velocity(const tacReducedBody *b, double falling, double *rate) {
  double h = b->motion.step;
  tacVec3 linear = tac_vec3_mad(b->rigid.linear, h / b->inertia.mass, b->force);
  Velocity v = {to_body(&b->rigid, tac_vec3_mad(linear, falling, b->motion.gravity)),
                to_body(&b->rigid, b->rigid.angular), rate};
  v.angular = tac_vec3_mad(v.angular, h, tac_mat3_mul_vec(b->inertia.inverse, to_body(&b->rigid, b->torque)));
  for (int i = 0; i < b->dynamics.count; ++i) rate[i] = b->dynamics.velocity[i] + h * rate_of(b) * b->dynamics.load[i];
  return v;
}

/* How fast an impulse at a lever moves its point, 1/kg: 1/m + [l]x^T I^-1 [l]x. */
static tacMat3 rigid_yield(const tacReducedBody *b, tacVec3 lever) {
  tacMat3 l = tac_mat3_skew(lever), turning = tac_mat3_mul(l, tac_mat3_mul(b->inertia.inverse, l));
  double m = 1.0 / b->inertia.mass;
  return tac_mat3_sub(tac_mat3_diagonal(m, m, m), turning);
}

/* `row` [3 x count] gets n.J, [count]. Returns how fast an impulse along n deforms the body there, 1/kg. */
static double deforming_yield(const tacReducedBody *b, tacSurfacePoint at, tacVec3 normal, double *row) {
  int n = b->dynamics.count;
  double sum = 0.0;
  point_jacobian(b, at, row);
  for (int i = 0; i < n; ++i) {
    row[i] = normal.x * row[i] + normal.y * row[n + i] + normal.z * row[2 * n + i];
    sum += row[i] * row[i];
  }
  return rate_of(b) * sum;
}

/* The other body's part. Its weight acts as long as that of `b`: what falls together does not meet. */
static void begin_other(const tacReducedBody *b, const tacReducedContact *c, Push *p) {
  const tacReducedBody *o = c->other;
  tacReducedDynamics *d = &c->other->dynamics;
  double *rate = d->change; /* free between advances */
  Velocity v = loaded_velocity(o, b->motion.step, rate);
  p->other_lever = tac_vec3_sub(c->where, tac_reduced_body_halfway(o));
  p->other_row = o->jacobian;
  tacVec3 lever = to_body(&o->rigid, p->other_lever), normal = to_body(&o->rigid, c->normal);
  p->deforming_yield = deforming_yield(o, c->there, normal, p->other_row);
  for (int i = 0; i < d->count; ++i) p->deforming += p->other_row[i] * rate[i];
  tacQuat turn = tac_quat_mul(tac_quat_conjugate(b->rigid.orientation), o->rigid.orientation);
  tacMat3 turned = tac_quat_to_mat3(turn), yield = rigid_yield(o, lever);
  p->yield = tac_mat3_mul(turned, tac_mat3_mul(yield, tac_mat3_transpose(turned)));
  p->velocity = tac_quat_rotate(turn, tac_vec3_add(v.linear, tac_vec3_cross(v.angular, lever)));
}

static Push begin_push(const tacReducedBody *b, const tacReducedContact *c, double *jacobian) {
  double h = b->motion.step;
  tacVec3 from = c->other != NULL ? tac_reduced_body_halfway(b) : tac_reduced_body_centre(b);
  /* pressing = h (k (depth - 2 h v) - c v). A step later than the end: half of a load acts on the deformation in the step after
   * (Newmark's method), and contacts that do not look so far ahead flutter and give energy. */
  Push p = {.lever = to_body(&b->rigid, tac_vec3_sub(c->where, from)),
            .normal = to_body(&b->rigid, c->normal),
            .row = jacobian,
            .target = h * c->stiffness * c->depth,
            .softness = h * (2.0 * h * c->stiffness + c->damping),
            .friction = c->friction};
  if (c->other != NULL) begin_other(b, c, &p);
  tacMat3 yield = tac_mat3_add(rigid_yield(b, p.lever), p.yield);
  double along = tac_vec3_dot(p.normal, tac_mat3_mul_vec(yield, p.normal));
  p.along = along + deforming_yield(b, c->at, p.normal, p.row) + p.deforming_yield;
  p.across = tac_mat3_trace(yield) - along; /* both directions across together */
  return p;
}

/* Solves one contact for the others as they are. */
static void relax_push(const tacReducedBody *b, Push *p, Velocity *v) {
  tacVec3 slip = tac_vec3_sub(tac_vec3_add(v->linear, tac_vec3_cross(v->angular, p->lever)), p->velocity);
  double speed = tac_vec3_dot(slip, p->normal), opening = speed - p->deforming;
  for (int i = 0; i < b->dynamics.count; ++i) opening += p->row[i] * v->rate[i];
  double pressing = p->pressing + (p->target - p->softness * opening - p->pressing) / (1.0 + p->softness * p->along);
  if (!(pressing > 0.0)) pressing = 0.0;
  tacVec3 rubbing = tac_vec3_mad(p->rubbing, -1.0 / p->across, tac_vec3_mad(slip, -speed, p->normal));
  double length = tac_vec3_norm(rubbing), most = p->friction * pressing, more = pressing - p->pressing;
  if (length > most) rubbing = tac_vec3_scale(most / length, rubbing);

  tacVec3 impulse = tac_vec3_mad(tac_vec3_sub(rubbing, p->rubbing), more, p->normal);
  v->linear = tac_vec3_mad(v->linear, 1.0 / b->inertia.mass, impulse);
  v->angular = tac_vec3_add(v->angular, tac_mat3_mul_vec(b->inertia.inverse, tac_vec3_cross(p->lever, impulse)));
  for (int i = 0; i < b->dynamics.count; ++i) v->rate[i] += rate_of(b) * more * p->row[i];
  p->velocity = tac_vec3_sub(p->velocity, tac_mat3_mul_vec(p->yield, impulse));
  p->deforming -= p->deforming_yield * more;
  p->pressing = pressing;
  p->rubbing = rubbing;
}

/* An impulse (N s, world) becomes a load of the body's next step; `pressing` along its `row`. */
static void load_impulse(tacReducedBody *b, tacVec3 impulse, tacVec3 lever, double pressing, const double *row) {
  double rate = 1.0 / b->motion.step;
  for (int i = 0; i < b->dynamics.count; ++i) b->dynamics.load[i] += rate * pressing * row[i];
  tac_reduced_body_add_wrench(b, tac_vec3_scale(rate, impulse), tac_vec3_scale(rate, tac_vec3_cross(lever, impulse)));
}

void tac_reduced_body_add_contacts(tacReducedBody *body, int count, const tacReducedContact *contacts) {
  tacReducedDynamics *d = &body->dynamics;
  if (!body->parts->is_free || count < 1) return;
  if (count > TAC_REDUCED_MOST_SPRINGS - d->spring_count) count = TAC_REDUCED_MOST_SPRINGS - d->spring_count;
  Velocity v = loaded_velocity(body, body->motion.step, body->jacobian);
  Push pushes[TAC_REDUCED_MOST_SPRINGS];
  for (int i = 0; i < count; ++i) /* in the memory of springs that are not used */
    pushes[i] = begin_push(body, &contacts[i], d->springs[d->spring_count + i].jacobian);
  for (int sweep = 0; sweep < CONTACT_SWEEPS; ++sweep)
    for (int i = 0; i < count; ++i) relax_push(body, &pushes[i], &v);
  for (int i = 0; i < count; ++i) {
    const Push *p = &pushes[i];
    tacVec3 impulse = to_world(&body->rigid, tac_vec3_mad(p->rubbing, p->pressing, p->normal));
    load_impulse(body, impulse, to_world(&body->rigid, p->lever), p->pressing, p->row);
    if (contacts[i].other != NULL)
      load_impulse(contacts[i].other, tac_vec3_scale(-1.0, impulse), p->other_lever, -p->pressing, p->other_row);
  }
}

/* ---- an advance ---- */

/* The deformed point of a spring, body frame. */
static tacVec3 spring_point(const tacReducedBody *b, int spring) {
  const tacReducedDynamics *d = &b->dynamics;
  return tac_vec3_add(b->anchors[spring].rest, tac_reduced_jacobian_mul(d->count, d->springs[spring].jacobian, d->q));
}

/* The rigid motion goes first: the deformation then answers to the springs where the body has come to. Each of the
 * two takes them implicitly with the other one as it is, which is stable. Fictitious forces on the deformation are
 * left out. */
static bool move(const tacReducedBody *b, tacReducedRigid *rigid) {
  if (!b->parts->is_free) return true;
  const tacReducedDynamics *d = &b->dynamics;
  tacReducedRigidSpring springs[TAC_REDUCED_MOST_SPRINGS];
  int count = 0;
  for (int i = 0; i < d->spring_count; ++i) {
    const tacReducedSpring *s = &d->springs[i];
    tacVec3 x = spring_point(b, i);
    springs[count++] = (tacReducedRigidSpring){
        .lever = to_world(rigid, tac_vec3_sub(x, b->inertia.centre)),
        .gap = tac_vec3_sub(b->anchors[i].target, tac_vec3_add(rigid->position, to_world(rigid, x))),
        .drift = to_world(rigid, tac_reduced_jacobian_mul(d->count, s->jacobian, d->velocity)),
        .stiffness = s->stiffness,
        .damping = s->damping,
    };
  }
  double step = b->motion.step;
  tacVec3 force = tac_vec3_mad(b->force, b->inertia.mass, b->motion.gravity);
  return tac_reduced_rigid_advance(&b->inertia, step, force, b->torque, count, springs, rigid) &&
         tac_vec3_norm(rigid->linear) <= b->most_speed && tac_vec3_norm(rigid->angular) * step <= most_turn;
}

/* Springs as the deformation of a body sees them that is at `rigid`. */
static void place_springs(tacReducedBody *b, const tacReducedRigid *rigid) {
  for (int i = 0; i < b->dynamics.spring_count; ++i) {
    tacReducedSpring *s = &b->dynamics.springs[i];
    tacVec3 target = to_body(rigid, tac_vec3_sub(b->anchors[i].target, rigid->position));
    tacVec3 lever = tac_vec3_sub(spring_point(b, i), b->inertia.centre);
    s->gap = tac_vec3_sub(target, b->anchors[i].rest);
    s->carried = tac_vec3_add(to_body(rigid, rigid->linear), tac_vec3_cross(to_body(rigid, rigid->angular), lever));
  }
}

tacReducedAdvance tac_reduced_body_advance(tacReducedBody *body) {
  tacReducedAdvance report = {0};
  tac_reduced_material_advance(body->material);
  tacReducedRigid rigid = body->rigid;
  bool moved = move(body, &rigid);
  if (moved) {
    place_springs(body, &rigid);
    /* A free body does not deform in a uniform field. */
    if (!body->parts->is_free)
      tac_reduced_jacobian_add(body->dynamics.count, body->weight, to_body(&rigid, body->motion.gravity),
                               body->dynamics.load);
    moved = tac_reduced_dynamics_advance(&body->dynamics, &body->motion,
                                         tac_reduced_material_coefficients(body->material), &report);
  }
  if (moved)
    body->rigid = rigid;
  else
    stop(body);
  report.refused = !moved;
  publish(body);
  forget_loads(body);
  return report;
}

/* ---- state ---- */

int tac_reduced_body_size(const tacReducedBody *body) {
  return body->size;
}

const double *tac_reduced_body_q(const tacReducedBody *body) {
  return body->full_q;
}

const double *tac_reduced_body_velocity(const tacReducedBody *body) {
  return body->full_velocity;
}

void tac_reduced_body_set(tacReducedBody *body, const double *q, const double *velocity) {
  double *next = body->jacobian, *rate = next + body->dynamics.count;
  for (int i = 0; i < body->dynamics.count; ++i) {
    next[i] = q[body->kept[i]];
    rate[i] = velocity != NULL ? velocity[body->kept[i]] : 0.0;
  }
  tac_reduced_dynamics_set(&body->dynamics, body->motion.step, next, rate);
  publish(body);
}

tacVec3 tac_reduced_body_position(const tacReducedBody *body) {
  return body->rigid.position;
}

tacQuat tac_reduced_body_orientation(const tacReducedBody *body) {
  return body->rigid.orientation;
}

void tac_reduced_body_set_pose(tacReducedBody *body, tacVec3 position, tacQuat orientation) {
  double norm = tac_quat_norm(orientation);
  if (!tac_vec3_finite(position) || !(norm > 0.0) || !isfinite(norm)) return;
  body->rigid.position = position;
  body->rigid.orientation = tac_quat_normalise(orientation);
}

void tac_reduced_body_set_rigid_velocity(tacReducedBody *body, tacVec3 linear, tacVec3 angular) {
  if (!body->parts->is_free || !(tac_vec3_norm(linear) <= body->most_speed) ||
      !(tac_vec3_norm(angular) * body->motion.step <= most_turn))
    return;
  body->rigid.linear = linear;
  body->rigid.angular = angular;
}

tacVec3 tac_reduced_body_centre(const tacReducedBody *body) {
  return tac_reduced_rigid_centre(&body->inertia, &body->rigid);
}

tacVec3 tac_reduced_body_halfway(const tacReducedBody *body) {
  return tac_vec3_mad(tac_reduced_body_centre(body), 0.5 * body->motion.step, body->rigid.linear);
}

tacVec3 tac_reduced_body_linear(const tacReducedBody *body) {
  return body->rigid.linear;
}

tacVec3 tac_reduced_body_angular(const tacReducedBody *body) {
  return body->rigid.angular;
}

double tac_reduced_body_mass(const tacReducedBody *body) {
  return body->inertia.mass;
}

double tac_reduced_body_energy(const tacReducedBody *body) {
  return tac_reduced_dynamics_energy(&body->dynamics, body->motion.linear,
                                     tac_reduced_material_coefficients(body->material));
}

/* ---- points ---- */

/* sum over corners of weight x rows x, for rows [vertex][axis][r]. */
static tacVec3 corners_mul(const tacReducedBody *b, tacSurfacePoint at, const double *rows, const double *x) {
  const int *v = b->parts->surface->triangles[at.triangle].v;
  int r = b->size;
  const double *p0 = rows + 3 * (size_t)v[0] * (size_t)r, *p1 = rows + 3 * (size_t)v[1] * (size_t)r,
               *p2 = rows + 3 * (size_t)v[2] * (size_t)r;
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < r; ++i) {
    double w0 = at.weight[0] * x[i], w1 = at.weight[1] * x[i], w2 = at.weight[2] * x[i];
    sum.x += w0 * p0[i] + w1 * p1[i] + w2 * p2[i];
    sum.y += w0 * p0[i + r] + w1 * p1[i + r] + w2 * p2[i + r];
    sum.z += w0 * p0[i + 2 * r] + w1 * p1[i + 2 * r] + w2 * p2[i + 2 * r];
  }
  return sum;
}

/* `rest` where the pseudo-normal vanishes. */
static tacVec3 unit_normal(const tacReducedBody *b, tacVec3 pseudo_normal, tacVec3 rest) {
  tacVec3 n = tac_vec3_unit(pseudo_normal);
  return to_world(&b->rigid, tac_vec3_norm2(n) > 0.0 ? n : rest);
}

tacVec3 tac_reduced_body_vertex(const tacReducedBody *body, int vertex) {
  const double *rows = body->parts->displacements + 3 * (size_t)vertex * (size_t)body->size;
  tacVec3 x =
      tac_vec3_add(body->parts->surface->vertices[vertex], tac_reduced_jacobian_mul(body->size, rows, body->full_q));
  return tac_vec3_add(body->rigid.position, to_world(&body->rigid, x));
}

tacVec3 tac_reduced_body_vertex_normal(const tacReducedBody *body, int vertex) {
  const double *rows = body->parts->normal_changes + 3 * (size_t)vertex * (size_t)body->size;
  tacVec3 rest = body->parts->normals[vertex];
  return unit_normal(body, tac_vec3_add(rest, tac_reduced_jacobian_mul(body->size, rows, body->full_q)), rest);
}

tacVec3 tac_reduced_body_point(const tacReducedBody *body, tacSurfacePoint at) {
  tacVec3 x = tac_vec3_add(point_rest(body, at), corners_mul(body, at, body->parts->displacements, body->full_q));
  return tac_vec3_add(body->rigid.position, to_world(&body->rigid, x));
}

tacVec3 tac_reduced_body_point_velocity(const tacReducedBody *body, tacSurfacePoint at) {
  tacVec3 lever = tac_vec3_sub(tac_reduced_body_point(body, at), tac_reduced_body_centre(body));
  tacVec3 carried = tac_vec3_add(body->rigid.linear, tac_vec3_cross(body->rigid.angular, lever));
  tacVec3 own = corners_mul(body, at, body->parts->displacements, body->full_velocity);
  return tac_vec3_add(carried, to_world(&body->rigid, own));
}

tacVec3 tac_reduced_body_point_normal(const tacReducedBody *body, tacSurfacePoint at) {
  const int *v = body->parts->surface->triangles[at.triangle].v;
  const tacVec3 *n = body->parts->normals;
  tacVec3 sum = corners_mul(body, at, body->parts->normal_changes, body->full_q);
  for (int c = 0; c < 3; ++c) sum = tac_vec3_mad(sum, at.weight[c], n[v[c]]);
  return unit_normal(body, sum, n[v[0]]);
}

/* ---- materials ---- */

void tac_reduced_body_set_lambda(tacReducedBody *body, int group, double factor) {
  tac_reduced_material_set_lambda(body->material, group, factor);
}

void tac_reduced_body_set_mu(tacReducedBody *body, int group, double factor) {
  tac_reduced_material_set_mu(body->material, group, factor);
}

void tac_reduced_body_set_density(tacReducedBody *body, int group, double factor) {
  if (!(factor > 0.0) || !isfinite(factor) || factor == body->density[group]) return;
  body->density[group] = factor;
  update_mass(body);
  tac_mat3_inverse(body->inertia.inertia, &body->inertia.inverse);
}

double tac_reduced_body_lambda(const tacReducedBody *body, int group) {
  return tac_reduced_material_lambda(body->material, group);
}

double tac_reduced_body_mu(const tacReducedBody *body, int group) {
  return tac_reduced_material_mu(body->material, group);
}

double tac_reduced_body_density(const tacReducedBody *body, int group) {
  return body->density[group];
}

void tac_reduced_body_settle(tacReducedBody *body) {
  tac_reduced_material_settle(body->material);
}
