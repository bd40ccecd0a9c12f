#include "world/held_body.h"

#include <math.h>
#include <string.h>
#include "math/dense.h"

/* s: a tool that was lifted may be far from its body, which catches up meanwhile. */
static const double return_time = 0.3;
static const double smoothing = 5e-3; /* s: of the device's velocity, for the damper of a dynamic coupling */

tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacTriMesh *surface) {
  tacCouplingDef c = tac_coupling_def_default();
  double reach = 0.0, radius = 0.0; /* from the grasp, from the middle */
  tacVec3 middle = tac_vec3(0.0, 0.0, 0.0);
  for (int v = 0; v < surface->vertex_count; ++v)
    middle = tac_vec3_mad(middle, 1.0 / surface->vertex_count, surface->vertices[v]);
  for (int v = 0; v < surface->vertex_count; ++v) {
    reach = fmax(reach, tac_vec3_distance(surface->vertices[v], def->grasp));
    radius = fmax(radius, tac_vec3_distance(surface->vertices[v], middle));
  }
  c.stiffness = def->stiffness;
  c.turn_stiffness = def->turn_stiffness;
  c.force_most = def->force_most > 0.0 ? def->force_most : INFINITY;
  c.torque_most = def->torque_most > 0.0 ? def->torque_most : INFINITY;
  c.static_damping = def->static_damping;
  c.speed_most = def->speed_most;
  c.turn_most = def->turn_most;
  c.lever = reach > 0.0 ? reach : 1.0;
  c.mass = def->mass;
  c.damping_ratio = def->damping_ratio;
  c.substeps = def->substeps;
  /* A solid ball, as large as the body is about its middle. */
  c.centre = tac_vec3_sub(middle, def->grasp);
  double ball = 0.4 * def->mass * radius * radius, far = def->mass * tac_vec3_norm2(c.centre);
  c.inertia = tac_mat3_sub(tac_mat3_diagonal(ball + far, ball + far, ball + far),
                           tac_mat3_scale(def->mass, tac_mat3_outer(c.centre, c.centre)));
  return c;
}

static tacGrasp grasp_of(const tacWorldBody *body, const tacHeldBody *held) {
  tacQuat orientation = tac_world_body_orientation(body);
  return (tacGrasp){tac_vec3_add(tac_world_body_position(body), tac_quat_rotate(orientation, held->def.grasp)),
                    orientation};
}

tacGrasp tac_held_body_grasp(const tacWorld *world, int t) {
  const tacHeldBody *held = &world->tools[t].held;
  return grasp_of(&world->bodies[held->body], held);
}

static void place(tacWorldBody *body, const tacHeldBody *held, const tacGrasp *grasp) {
  tacVec3 position = tac_vec3_sub(grasp->position, tac_quat_rotate(grasp->orientation, held->def.grasp));
  if (body->kind == TAC_BODY_REDUCED) {
    tac_reduced_body_set_pose(body->reduced, position, grasp->orientation);
  } else {
    body->now_position = position;
    body->now_orientation = grasp->orientation;
  }
}

void tac_held_body_reset(tacWorld *world, int t) {
  tacHeldBody *held = &world->tools[t].held;
  held->moving = false;
  held->share = 1.0;
  held->turn = tac_quat_identity();
  held->device_velocity = held->velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  held->device = grasp_of(&world->bodies[held->body], held);
  world->tools[t].position = held->device.position;
}

void tac_held_body_take(tacWorld *world, int t, tacVec3 position, tacQuat turn) {
  tacHeldBody *held = &world->tools[t].held;
  tacGrasp before = held->device;
  held->turn = turn;
  held->device = (tacGrasp){position, tac_quat_mul(turn, world->bodies[held->body].orientation)};
  tacTwist now = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  if (held->moving) {
    now.linear = tac_vec3_scale(1.0 / world->period, tac_vec3_sub(position, before.position));
    now.angular = tac_vec3_scale(
        1.0 / world->period,
        tac_quat_to_rotation_vector(tac_quat_mul(held->device.orientation, tac_quat_conjugate(before.orientation))));
  }
  double share = world->period / (world->period + smoothing);
  held->device_velocity.linear = tac_vec3_mix(held->device_velocity.linear, now.linear, share);
  held->device_velocity.angular = tac_vec3_mix(held->device_velocity.angular, now.angular, share);
  held->moving = true;
}

static void contact_on(const tacWorld *world, int body, tacVec3 about, tacWrench *wrench, double stiffness[6][6]) {
  *wrench = (tacWrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  memset(stiffness, 0, 36 * sizeof(double));
  for (int p = 0; p < world->pair_count; ++p)
    if (tac_pair_has(&world->contact_pairs[p], body))
      tac_pair_on_rigid(&world->contact_pairs[p], body, about, wrench, stiffness);
}

bool tac_held_body_eliminate(tacWorld *world, int t, int columns, double *m) {
  const tacHeldBody *held = &world->tools[t].held;
  const tacCouplingDef *c = &held->coupling;
  tacGrasp grasp = grasp_of(&world->bodies[held->body], held);
  double contact[6][6], coupling[6][6], a[6][6], least = INFINITY, largest = 0.0;
  tacWrench push, pull = tac_coupling_wrench(c, &grasp, &held->device, NULL);
  tac_coupling_secant(c, &grasp, &held->device, coupling);
  contact_on(world, held->body, grasp.position, &push, contact);
  tacVec3 force = tac_vec3_add(push.force, pull.force), torque = tac_vec3_add(push.torque, pull.torque);
  const double wrench[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  for (int i = 0; i < 6; ++i) m[i * columns + columns - 1] = wrench[i];
  /* Turns times the lever: all unknowns are metres, all equations newtons. */
  const double turn = 1.0 / c->lever, scale[6] = {1.0, 1.0, 1.0, turn, turn, turn};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) a[i][j] = scale[i] * scale[j] * (contact[i][j] + coupling[i][j]);
  tacDense matrix = {6, 6, 6, a[0]};
  if (!tac_dense_loop_cholesky(&matrix)) return false;
  for (int i = 0; i < 6; ++i) {
    least = fmin(least, a[i][i] * a[i][i]);
    largest = fmax(largest, a[i][i] * a[i][i]);
  }
  if (!(least > 1e-3 * largest)) return false; /* degenerate: the tool is solved alone, by its own rules */
  for (int j = 0; j < columns; ++j) {
    double x[6];
    for (int i = 0; i < 6; ++i) x[i] = scale[i] * m[i * columns + j];
    tac_dense_loop_cholesky_solve(&matrix, x);
    for (int i = 0; i < 6; ++i) m[i * columns + j] = scale[i] * x[i];
  }
  /* The tool will not go farther than it may: nor does the body expect it to. */
  double *own = m + columns - 1, moves = 1.0 - c->static_damping, share = 1.0;
  double way = moves * sqrt(own[0] * own[0] + own[columns] * own[columns] + own[2 * columns] * own[2 * columns]);
  own += 3 * columns;
  double angle = moves * sqrt(own[0] * own[0] + own[columns] * own[columns] + own[2 * columns] * own[2 * columns]);
  if (way > c->speed_most * world->period) share = c->speed_most * world->period / way;
  if (angle * share > c->turn_most * world->period) share = c->turn_most * world->period / angle;
  for (int i = 0; i < 6; ++i) m[i * columns + columns - 1] *= share;
  return true;
}

/* Whether a body deforms under a pair with the tool's body. */
static bool touches(const tacWorld *world, int held, int body) {
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (pair->count > 0 && tac_pair_has(pair, held) && tac_pair_has(pair, body)) return true;
  }
  return false;
}

void tac_held_body_step(tacWorld *world, int t, int *budget, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  tacHeldBody *held = &tool->held;
  tacWorldBody *body = &world->bodies[held->body];
  tacGrasp grasp = grasp_of(body, held);
  if (tool->lifted) {
    held->velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    held->share = 0.0;
    return;
  }
  held->share = fmin(1.0, held->share + world->period / return_time);
  if (held->def.joint && held->def.coupling == TAC_COUPLING_STATIC)
    for (int b = 0; b < world->body_count; ++b)
      if (world->bodies[b].kind == TAC_BODY_REDUCED && world->bodies[b].advanced != world->tick &&
          touches(world, held->body, b)) {
        world->joint = t;
        world->bodies[b].ops->advance(world, b, budget, report);
        world->joint = -1;
      }
  tacWrench contact;
  double stiffness[6][6];
  contact_on(world, held->body, grasp.position, &contact, stiffness);
  tacVec3 about = grasp.position;
  tacCouplingReport done =
      held->def.coupling == TAC_COUPLING_STATIC
          ? tac_static_coupling_step(&held->coupling, world->period, &held->device, &contact, stiffness, &grasp)
          : tac_dynamic_coupling_step(&held->coupling, world->period, &held->device, &held->device_velocity, &contact,
                                      stiffness, &grasp, &held->velocity);
  report->limited += done.limited;
  place(body, held, &grasp);
  for (int p = 0; p < world->pair_count; ++p)
    if (tac_pair_has(&world->contact_pairs[p], held->body))
      tac_pair_moved(&world->contact_pairs[p], held->body, about, done.motion);
}

/* The pairs in which the body is, as one contact. */
static void sum_contacts(const tacWorld *world, int body, tacToolOutput *output) {
  tacContact *c = &output->contact;
  double pressed = 0.0, most = 0.0;
  int sticking = 0;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, body) || pair->count == 0) continue;
    double sign = body == pair->points ? -1.0 : 1.0, own = 0.0; /* on the other body */
    for (int i = 0; i < pair->count; ++i) {
      tacVec3 force = pair->springs[i].force;
      double size = tac_vec3_norm(force);
      own += size;
      c->at = tac_vec3_mad(c->at, size, pair->at[i].at);
      c->normal = tac_vec3_mad(c->normal, size * sign, pair->at[i].normal);
      c->force = tac_vec3_mad(c->force, sign, force);
    }
    pressed += own;
    sticking += pair->pressed.sticking;
    output->depth = fmax(output->depth, pair->pressed.depth);
    if (own >= most) {
      most = own;
      c->body = (uint32_t)(body == pair->points ? pair->field : pair->points);
    }
    c->state = TAC_CONTACT_SLIDES;
  }
  if (c->state == TAC_CONTACT_NONE) return;
  if (sticking > 0) c->state = TAC_CONTACT_STICKS;
  c->at = pressed > 0.0 ? tac_vec3_scale(1.0 / pressed, c->at) : output->proxy;
  c->normal = tac_vec3_unit(c->normal);
  c->deformed = c->at;
  c->triangle = -1;
}

void tac_held_body_describe(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  const tacHeldBody *held = &tool->held;
  const tacWorldBody *body = &world->bodies[held->body];
  tacGrasp grasp = grasp_of(body, held);
  tacQuat turned = tac_quat_mul(grasp.orientation, tac_quat_conjugate(body->orientation));
  const double orientation[4] = {turned.w, turned.x, turned.y, turned.z};
  output->proxy = grasp.position;
  memcpy(output->proxy_orientation, orientation, sizeof orientation);
  sum_contacts(world, held->body, output);
  report->contact_count += output->contact.state != TAC_CONTACT_NONE;
  if (tool->lifted) return;
  tacWrench felt =
      held->def.coupling == TAC_COUPLING_STATIC
          ? tac_coupling_felt(&held->coupling, &grasp, &held->device)
          : tac_dynamic_coupling_felt(&held->coupling, &grasp, &held->device, &held->velocity, &held->device_velocity);
  double share = held->share * held->share * (3.0 - 2.0 * held->share);
  output->force = tac_vec3_scale(share, felt.force);
  output->torque = tac_vec3_scale(share, felt.torque);
}
