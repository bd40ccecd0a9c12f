#include "couple/held_body.h"

#include <math.h>
#include <string.h>
#include "math/dense/dense.h"

/* Time in which the force on the hand rises again after the tool was lifted, s. The body returns to the tool in this
 * time. */
static const double return_time = 0.3;
static const double let_go_time = 0.02; /* fade time of the force after a release, s */
static const double fade_time = 0.02;   /* rise time and fall time of static damping, s */
static const double smoothing = 5e-3;   /* time constant of the smoothed device velocity, s */
/* Saturation factor below which the coupling counts as saturated. */
static const double least_share = 0.9;
/* Maximum ratio of the damping stiffness for sliding friction to the stiffness of the coupling. A step uses the
 * friction at the start of the step. Without damping, friction may move a massless body so far that friction reverses.
 * Body and friction then reverse in every step. */
static const double most_rubbing = 20.0;
/* Number of iterations in tac_held_body_go_ahead. */
enum { ROUNDS_AHEAD = 3 };
/* Ratio of the angle error at which the jaw motor reaches its full torque to the closing angle of the jaws. */
static const double motor_share = 0.1;

tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body) {
  tacCouplingDef c = tac_coupling_def_default();
  const tacTriMesh *surface = tac_body_describe(body).surface;
  double radius = 0.0;
  tacVec3 middle = tac_vec3(0.0, 0.0, 0.0);
  for (int v = 0; v < surface->vertex_count; ++v)
    middle = tac_vec3_mad(middle, 1.0 / surface->vertex_count, surface->vertices[v]);
  for (int v = 0; v < surface->vertex_count; ++v)
    radius = fmax(radius, tac_vec3_distance(surface->vertices[v], middle));
  c.stiffness = def->stiffness;
  c.turn_stiffness = def->turn_stiffness;
  c.force_most = def->force_most > 0.0 ? def->force_most : INFINITY;
  c.torque_most = def->torque_most > 0.0 ? def->torque_most : INFINITY;
  c.static_damping = def->static_damping;
  c.speed_most = def->speed_most;
  c.turn_most = def->turn_most;
  c.damping_ratio = def->damping_ratio;
  tacInertia own;
  if (body->table->inertia == NULL || !body->table->inertia(body->self, &own)) {
    /* Moment of inertia of a solid ball that encloses the body, with its centre at the mean of the vertices. */
    double ball = 0.4 * def->mass * radius * radius;
    own = (tacInertia){def->mass, middle, {{ball, 0.0, 0.0}, {0.0, ball, 0.0}, {0.0, 0.0, ball}}};
  }
  c.mass = own.mass;
  c.centre = tac_vec3_sub(own.centre, def->grasp);
  double far = own.mass * tac_vec3_norm2(c.centre);
  memcpy(c.inertia.m, own.moments, sizeof c.inertia.m);
  c.inertia = tac_mat3_add(c.inertia, tac_mat3_sub(tac_mat3_diagonal(far, far, far),
                                                   tac_mat3_scale(own.mass, tac_mat3_outer(c.centre, c.centre))));
  return c;
}

static tacGrasp grasp_of(const tacFrame *frame) {
  return (tacGrasp){tac_frame_about(frame), frame->orientation};
}

void tac_held_body_reset(tacHeldBody *held, const tacFrame *frame) {
  held->moving = false;
  held->share = 1.0;
  held->pressed = held->taken = false;
  held->left = (tacHeldLeft){0};
  held->apart = tac_vec3(0.0, 0.0, 0.0);
  held->turned = tac_quat_identity();
  held->turn = tac_quat_identity();
  held->device_velocity = held->velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  held->grasp = held->device = grasp_of(frame);
  held->led = false;
  held->touch = held->rubs = 0.0;
  held->way = held->ahead = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  held->met.known = false;
  held->angle = held->angle_speed = held->wanted = 0.0;
}

/* Stores the wrench of a static coupling on the hand, and the rise of this wrench, before the device moves. */
static void remember_felt(tacHeldBody *held) {
  const tacWrench none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  bool before = held->led;
  held->led = held->moving && held->def.coupling == TAC_COUPLING_STATIC;
  if (!held->led) return;
  tacWrench felt = tac_coupling_felt(&held->coupling, &held->grasp, &held->device);
  held->rise = before ? tac_coupling_rise(&held->rise, &held->felt, &felt) : none;
  held->felt = felt;
}

/* Returns the inner product of two motions of the grasp, weighted by the stiffness of the coupling. */
static double product(const tacCouplingDef *c, const tacTwist *a, const tacTwist *b) {
  return c->stiffness * tac_vec3_dot(a->linear, b->linear) +
         0.5 * c->turn_stiffness * tac_vec3_dot(a->angular, b->angular);
}

/* Returns the fraction, 0 to 1, of the previous device velocity that continues in this tick. */
static double going_on(const tacHeldBody *held, const tacTwist *now) {
  const tacTwist *before = &held->device_velocity;
  double size = product(&held->coupling, before, before);
  return size > 0.0 ? fmax(0.0, fmin(1.0, product(&held->coupling, now, before) / size)) : 0.0;
}

void tac_held_body_take(tacHeldBody *held, double period, tacQuat start, tacVec3 position, tacQuat turn, double grip) {
  tacGrasp before = held->device;
  remember_felt(held);
  held->turn = turn;
  position = tac_vec3_add(position, held->apart);
  held->device = (tacGrasp){position, tac_quat_mul(turn, tac_quat_mul(held->turned, start))};
  tacTwist now = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  if (held->moving) {
    now.linear = tac_vec3_scale(1.0 / period, tac_vec3_sub(position, before.position));
    now.angular = tac_vec3_scale(1.0 / period, tac_quat_to_rotation_vector(tac_quat_mul(
                                                   held->device.orientation, tac_quat_conjugate(before.orientation))));
  }
  double way = period * going_on(held, &now);
  held->way = (tacTwist){tac_vec3_scale(way, now.linear), tac_vec3_scale(way, now.angular)};
  double share = period / (period + smoothing);
  held->device_velocity.linear = tac_vec3_mix(held->device_velocity.linear, now.linear, share);
  held->device_velocity.angular = tac_vec3_mix(held->device_velocity.angular, now.angular, share);
  held->moving = true;
  if (held->jaw_count == 0) return;
  double most = held->def.jaw_angle * period / held->def.jaw_time, left = grip * held->def.jaw_angle - held->wanted;
  held->wanted += fmax(-most, fmin(most, left));
}

/* Returns the wrench that the hand feels, for the body at `frame`. `felt` receives the wrench of the coupling before
 * any correction. */
static tacWrench given(const tacHeldBody *held, const tacFrame *frame, tacWrench *felt) {
  tacGrasp grasp = grasp_of(frame);
  *felt =
      held->def.coupling == TAC_COUPLING_STATIC
          ? tac_coupling_felt(&held->coupling, &grasp, &held->device)
          : tac_dynamic_coupling_felt(&held->coupling, &grasp, &held->device, &held->velocity, &held->device_velocity);
  tacWrench to = *felt;
  if (held->led) {
    tacWrench rise = tac_coupling_rise(&held->rise, &held->felt, felt);
    to = tac_coupling_lead(felt, &rise);
  }
  double share = held->share * held->share * (3.0 - 2.0 * held->share);
  return (tacWrench){tac_vec3_scale(share, to.force), tac_vec3_scale(share, to.torque)};
}

static tacVec3 at_most(tacVec3 v, double most) {
  double size = tac_vec3_norm(v);
  return size > most ? tac_vec3_scale(most / size, v) : v;
}

/* Updates the force that remains after a release, for a translation `moved` and a rotation `turned` of the hand. */
static void slip(tacHeldBody *held, tacVec3 moved, tacVec3 turned, double period) {
  tacHeldLeft *left = &held->left;
  left->share = fmax(0.0, left->share - period / let_go_time);
  left->wrench.force = tac_vec3_mad(left->wrench.force, -held->def.stiffness, moved);
  left->wrench.torque = tac_vec3_mad(left->wrench.torque, -0.5 * held->def.turn_stiffness, turned);
  left->wrench.force = at_most(left->wrench.force, left->share * left->force);
  left->wrench.torque = at_most(left->wrench.torque, left->share * left->torque);
}

static void let_go(tacHeldBody *held, const tacFrame *frame) {
  tacHeldLeft *left = &held->left;
  tacWrench felt, was = given(held, frame, &felt);
  left->wrench.force = tac_vec3_add(left->wrench.force, was.force);
  left->wrench.torque = tac_vec3_add(left->wrench.torque, was.torque);
  left->force = tac_vec3_norm(left->wrench.force);
  left->torque = tac_vec3_norm(left->wrench.torque);
  left->share = 1.0;
  held->taken = false;
}

bool tac_held_body_reach(tacHeldBody *held, const tacHeldLies *lies, double period, const tacToolInput *input) {
  if (held->def.reach == 0.0) return true;
  const tacFrame *frame = lies->frame;
  tacQuat turn = tac_quat_of(input->orientation);
  bool pressed = input->grab && !held->pressed;
  held->pressed = input->grab;
  if (held->taken && !input->grab) let_go(held, frame);
  if (input->lifted) held->left = (tacHeldLeft){0};
  if (held->left.share > 0.0)
    slip(held, tac_vec3_sub(tac_vec3_add(input->position, held->apart), held->device.position),
         tac_quat_to_rotation_vector(tac_quat_mul(turn, tac_quat_conjugate(held->turn))), period);
  if (!pressed || held->taken) return held->taken;
  tacVec3 p = tac_frame_from_world(frame, input->position);
  tacSurfacePoint nearest = tac_body_surface_start(lies->surface, lies->body, p);
  if (!(tac_body_surface_nearest(lies->surface, lies->body, p, &nearest) < held->def.reach)) return false;
  held->taken = true;
  held->moving = false;
  held->apart = tac_vec3_sub(tac_frame_about(frame), input->position);
  held->turned =
      tac_quat_mul(tac_quat_conjugate(turn), tac_quat_mul(frame->orientation, tac_quat_conjugate(lies->start)));
  return true;
}

bool tac_held_body_follows(tacHeldBody *held, tacFrame *frame, double period, bool lifted) {
  if (lifted) {
    held->velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    frame->linear = frame->angular = tac_vec3(0.0, 0.0, 0.0);
    held->angle_speed = 0.0;
    held->share = 0.0;
    held->met.known = false;
    return false;
  }
  held->share = fmin(1.0, held->share + period / return_time);
  return true;
}

/* Computes torque and secant stiffness of the jaw motor. The motor is a spring that reaches its torque limit at a small
 * angle from the target. The mass of the jaws is neglected. */
static void add_motor(const tacHeldBody *held, double *stiffness, double *torque) {
  double most = held->def.jaw_torque, k = most / (motor_share * held->def.jaw_angle), way = held->wanted - held->angle;
  *torque = fmax(-most, fmin(most, k * way));
  *stiffness = fabs(k * way) > most ? most / fabs(way) : k;
}

void tac_held_body_equation(const tacHeldBody *held, const tacFrame *frame, double period,
                            double matrix[TAC_HELD_MOST][TAC_HELD_MOST], double load[TAC_HELD_MOST]) {
  const tacCouplingDef *c = &held->coupling;
  tacGrasp grasp = grasp_of(frame);
  double six[6][6];
  if (held->def.coupling == TAC_COUPLING_STATIC) {
    tac_static_coupling_equation(c, &held->device, &grasp, six, load);
    double more = 1.0 / (1.0 - held->touch * c->static_damping) - 1.0;
    more += held->touch * fmin(most_rubbing, 0.1 * held->rubs / c->stiffness);
    if (more > 0.0) tac_static_coupling_slow(c, &held->device, &grasp, &held->device_velocity, more, period, six, load);
  } else {
    tac_dynamic_coupling_equation(c, period, &held->device, &held->device_velocity, &grasp, &held->velocity, six, load);
  }
  for (int i = 0; i < 6; ++i) {
    memcpy(matrix[i], six[i], sizeof six[i]);
    matrix[i][6] = matrix[6][i] = 0.0;
  }
  matrix[6][6] = 1.0;
  load[6] = 0.0;
  if (held->jaw_count > 0) add_motor(held, &matrix[6][6], &load[6]);
}

double tac_held_body_energy(const tacHeldBody *held, const tacFrame *frame) {
  tacGrasp grasp = grasp_of(frame);
  return held->def.coupling != TAC_COUPLING_STATIC
             ? tac_dynamic_coupling_energy(&held->coupling, &grasp, &held->velocity)
             : 0.0;
}

void tac_held_body_set_met(tacHeldBody *held, const double *whole, size_t stride) {
  tacDense factor = {6, 6, 6, held->met.factor[0]};
  bool touches = false;
  for (int i = 0; i < 6; ++i) {
    memcpy(held->met.factor[i], whole + (size_t)i * stride, sizeof held->met.factor[i]);
    touches = touches || held->met.factor[i][i] > held->met.own[i][i];
  }
  held->met.known = touches && !held->coupling.trocar && tac_dense_loop_cholesky(&factor);
}

void tac_held_body_go_ahead(tacHeldBody *held, double period, tacFrame *frame) {
  tacHeldMet *met = &held->met;
  tacDense factor = {6, 6, 6, met->factor[0]}; /* Cholesky factor of A + K */
  const tacVec3 way = held->way.linear, turn = held->way.angular;
  double left[6] = {way.x, way.y, way.z, turn.x, turn.y, turn.z}, ahead[6] = {0.0};
  for (int round = 0; met->known && round < ROUNDS_AHEAD; ++round) {
    double part[6] = {0.0};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) part[i] += met->own[i][j] * left[j];
    tac_dense_loop_cholesky_solve(&factor, part);
    for (int i = 0; i < 6; ++i) {
      ahead[i] += part[i];
      left[i] -= part[i];
    }
  }
  tacGrasp grasp = grasp_of(frame);
  tac_coupling_move(&held->coupling, period, ahead, &grasp);
  held->ahead = (tacTwist){tac_vec3(ahead[0], ahead[1], ahead[2]), tac_vec3(ahead[3], ahead[4], ahead[5])};
  tac_frame_place(frame, grasp.position, grasp.orientation);
}

double tac_held_body_stiffening(const tacHeldBody *held) {
  return held->def.coupling == TAC_COUPLING_STATIC ? 1.0 / (1.0 - held->coupling.static_damping) : 1.0;
}

void tac_held_body_jaw(const tacHeldBody *held, int jaw, const tacFrame *frame, tacFrame *place) {
  const tacJaw *j = &held->jaws[jaw];
  tacQuat turn = tac_quat_from_axis_angle(j->axis, held->angle);
  tacVec3 hinge = tac_frame_to_world(frame, j->hinge), grasp = tac_frame_about(frame);
  tacVec3 spin = tac_vec3_scale(held->angle_speed, tac_quat_rotate(frame->orientation, j->axis));
  place->position =
      tac_frame_to_world(frame, tac_vec3_add(j->hinge, tac_quat_rotate(turn, tac_vec3_sub(j->place, j->hinge))));
  place->orientation = tac_quat_normalise(tac_quat_mul(frame->orientation, tac_quat_mul(turn, j->turn)));
  place->about = tac_frame_from_world(place, grasp);
  place->linear = tac_vec3_add(frame->linear, tac_vec3_cross(spin, tac_vec3_sub(grasp, hinge)));
  place->angular = tac_vec3_add(frame->angular, spin);
}

void tac_held_body_move(tacHeldBody *held, tacFrame *frame, double period, double motion[TAC_HELD_MOST],
                        tacTickReport *report) {
  tacGrasp grasp = grasp_of(frame);
  double per = 1.0 / period;
  report->limited += tac_coupling_move(&held->coupling, period, motion, &grasp);
  if (held->coupling.trocar) tac_trocar_place(&held->coupling, &grasp);
  if (held->jaw_count > 0) {
    double most = held->coupling.turn_most * period;
    double way = isfinite(motion[6]) ? fmax(-most, fmin(most, motion[6])) : 0.0;
    held->angle += way;
    held->angle_speed = per * way;
  }
  held->grasp = grasp;
  tac_frame_place(frame, grasp.position, grasp.orientation);
  frame->linear = tac_vec3_scale(per, tac_vec3(motion[0], motion[1], motion[2]));
  frame->angular = tac_vec3_scale(per, tac_vec3(motion[3], motion[4], motion[5]));
  held->velocity = (tacTwist){frame->linear, frame->angular};
}

void tac_held_body_feel(const tacHeldBody *held, const tacFrame *frame, tacQuat start, bool lifted,
                        tacToolOutput *output) {
  tacGrasp grasp = grasp_of(frame);
  tacQuat turned = tac_quat_mul(grasp.orientation, tac_quat_conjugate(start));
  output->proxy = grasp.position;
  tac_quat_put(turned, output->proxy_orientation);
  output->force = held->left.wrench.force;
  output->torque = held->left.wrench.torque;
  if (lifted) return;
  tacWrench felt, reported = given(held, frame, &felt);
  output->force = tac_vec3_add(output->force, reported.force);
  output->torque = tac_vec3_add(output->torque, reported.torque);
  output->saturated =
      tac_coupling_share(&held->coupling, tac_vec3_norm(felt.force), tac_vec3_norm(felt.torque)) < least_share;
}

void tac_held_body_touch(tacHeldBody *held, double period, bool touches) {
  double step = (touches ? period : -period) / fade_time;
  held->touch = fmax(0.0, fmin(1.0, held->touch + step));
}
