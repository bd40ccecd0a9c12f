/* Tools that touch, hold and pull reduced bodies. A tool pulls at a point of the surface through a spring; the point sticks while
 * Coulomb's law allows and slides over the deformed surface otherwise, always nearer to the tool: that only takes energy from the
 * spring. The springs of all tools enter the body's step implicitly, so that tools that touch one body feel each other through
 * it. The damper of a spring brakes its point and not the hand, which would get back what the point was slow to take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "world/world_parts.h"

/* Samples a step that a free tool is compared with, in turn; after so many steps it was compared with all. */
enum { LOOKED_AT = 16, TURN = TAC_DEFORMED_MOST_SAMPLES / LOOKED_AT };
#define MOST_ENTRY 2e-3 /* m: a tool found no deeper in a body, beside what both moved, has just entered it */

static void destroy(tacWorldBody *body) {
  tac_reduced_body_destroy(body->reduced);
  tac_deformed_pose_destroy(body->deformed_pose);
  free(body->values);
}

static void reset(tacWorldBody *body) {
  tac_reduced_body_settle(body->reduced); /* parameters stay as they are set */
  tac_reduced_body_reset(body->reduced);
  body->advanced = -1;
  if (body->deformed_pose != NULL) tac_deformed_pose_set(body->deformed_pose, tac_reduced_body_q(body->reduced));
}

static const tacReduced *asset_of(const tacWorldBody *body) {
  return tac_reduced_body_asset(body->reduced);
}

static const tacTriMesh *surface_of(const tacWorldBody *body) {
  return tac_reduced_surface(asset_of(body));
}

static const bool *fixed_of(const tacWorldBody *body) {
  return tac_reduced_fixed(asset_of(body));
}

/* ---- parameters ---- */

enum { STIFFNESS, FRICTION, DAMPING, TOUCH, LINEAR, OF_BODY, LAMBDA = 0, MU, DENSITY, OF_GROUP };
static const struct {
  const char *label, *unit;
} names[] = {{"stiffness", ""}, {"friction", ""}, {"damping", "s"}, {"touch", "N/m"}, {"linear", ""}},
  group_names[] = {{"lambda", ""}, {"mu", ""}, {"density", ""}};

static int parameter_count(const tacWorldBody *body) {
  return OF_BODY + OF_GROUP * tac_reduced_group_count(asset_of(body));
}

static double most_stiffness(const tacWorldBody *body) {
  return body->values[TOUCH];
}

tacStatus tac_reduced_touch_begin(tacWorldBody *body, const tacReducedBodyDef *def, tacError *error) {
  int count = parameter_count(body);
  body->values = tac_array_create((size_t)count, sizeof *body->values, "parameters", error);
  if (body->values == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) body->values[i] = 1.0;
  body->values[FRICTION] = def->friction;
  body->values[DAMPING] = def->beta_stiffness;
  body->values[TOUCH] = body->touch = def->touch_stiffness;
  body->values[LINEAR] = def->linear ? 1.0 : 0.0;
  return TAC_OK;
}

static tacParameter parameter(const tacWorldBody *body, int index) {
  tacParameter p = {.value = body->values[index], .in_tick = true};
  if (index < OF_BODY) {
    p.label = names[index].label;
    p.unit = names[index].unit;
    snprintf(p.name, sizeof p.name, "%s", p.label);
    return p;
  }
  int group = (index - OF_BODY) / OF_GROUP, what = (index - OF_BODY) % OF_GROUP;
  p.label = group_names[what].label;
  p.unit = group_names[what].unit;
  if (tac_reduced_group_count(asset_of(body)) == 1)
    snprintf(p.name, sizeof p.name, "%s", p.label);
  else
    snprintf(p.name, sizeof p.name, "%.64s.%s", tac_reduced_group_name(asset_of(body), group), p.label);
  return p;
}

static tacStatus set_parameter(tacWorldBody *body, int index, double value, tacError *error) {
  double least = index == FRICTION || index == DAMPING || index == LINEAR ? 0.0 : 1e-9;
  if (!(value >= least && value <= 1e9))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: %s %g must be between %g and 1e9", body->name,
                         parameter(body, index).name, value, least);
  const _Atomic double *values = body->values;
  body->values[index] = index == LINEAR ? value != 0.0 : value;
  body->friction = values[FRICTION];
  body->touch = values[TOUCH];
  tacReducedMotion motion = *tac_reduced_body_motion(body->reduced);
  motion.beta_stiffness = values[DAMPING];
  motion.linear = values[LINEAR] != 0.0;
  tac_reduced_body_set_motion(body->reduced, &motion);
  for (int g = 0; g < tac_reduced_group_count(asset_of(body)); ++g) { /* what does not change is not done again */
    const _Atomic double *of_group = values + OF_BODY + OF_GROUP * g;
    tac_reduced_body_set_lambda(body->reduced, g, values[STIFFNESS] * of_group[LAMBDA]);
    tac_reduced_body_set_mu(body->reduced, g, values[STIFFNESS] * of_group[MU]);
    tac_reduced_body_set_density(body->reduced, g, of_group[DENSITY]);
  }
  return TAC_OK;
}

/* ---- the step ---- */

static tacVec3 to_body(const tacWorldBody *body, tacVec3 p) {
  tacQuat back = tac_quat_conjugate(tac_reduced_body_orientation(body->reduced));
  return tac_quat_rotate(back, tac_vec3_sub(p, tac_reduced_body_position(body->reduced)));
}

static tacVec3 from_body(const tacWorldBody *body, tacVec3 p) {
  return tac_vec3_add(tac_quat_rotate(tac_reduced_body_orientation(body->reduced), p),
                      tac_reduced_body_position(body->reduced));
}

static void begin_contact(tacWorldTool *tool, int body, tacSurfacePoint at) {
  tool->body = body;
  tool->point = (tacPointContact){.state = tool->grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS, .at = at};
}

/* Follows the nearest point from step to step, and looks from some samples in turn whether another part of the surface came
 * nearer. */
static void approach(tacWorld *world, int t, int b, tacTickReport *report) {
  (void)report;
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  const tacDeformedSurface *surface = body->surface;
  const double *q = tac_reduced_body_q(body->reduced);
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 p = to_body(body, tool->position);
  double apart = tac_vec3_distance(p, surface->centre) - tac_deformed_surface_bound(surface, q);
  if (apart > TAC_WORLD_GRAB_REACH) {
    *a = (tacApproach){.known = true, .clearance = apart, .nearest = {.triangle = -1}};
    return;
  }
  bool followed = a->known && a->nearest.triangle >= 0;
  if (!followed) a->nearest = tac_deformed_surface_start(surface, q, p);
  double distance = tac_deformed_surface_nearest(surface, q, p, &a->nearest);
  double speed = tac_vec3_norm(tac_reduced_body_point_velocity(body->reduced, a->nearest));
  double entry = MOST_ENTRY + TURN * (tool->motion + speed * world->period * body->every);
  if (followed && distance > 0.0) {
    int count = surface->sample_count < LOOKED_AT ? surface->sample_count : LOOKED_AT;
    int first = (int)(world->tick * LOOKED_AT % surface->sample_count);
    int vertex = tac_deformed_surface_sample(surface, q, p, first, count, distance + surface->spacing, true);
    if (vertex >= 0) {
      tacSurfacePoint other = tac_deformed_surface_at_vertex(surface, vertex);
      double there = tac_deformed_surface_nearest(surface, q, p, &other);
      if (fabs(there) < distance && there > -entry) {
        a->nearest = other;
        distance = there;
      }
    }
  }
  /* A tool that starts inside feels nothing until it has been outside. */
  bool entered = a->known && distance < 0.0 && distance > -entry;
  a->known = distance >= 0.0;
  a->clearance = distance;
  if (entered || (tool->grab && fabs(distance) < TAC_WORLD_GRAB_REACH)) begin_contact(tool, b, a->nearest);
}

/* A point of the surface about `step` away from `from` on the way to `to`, and nearer to `y` than it; in the body's frame. */
static tacSurfacePoint slide(const tacWorldBody *body, tacVec3 y, tacSurfacePoint from, tacSurfacePoint to,
                             double step) {
  const tacDeformedSurface *surface = body->surface;
  const double *q = tac_reduced_body_q(body->reduced);
  tacVec3 x = tac_deformed_surface_point(surface, q, from), moved = {0.0, 0.0, 0.0};
  tacVec3 way = tac_vec3_sub(tac_deformed_surface_point(surface, q, to), x);
  tacSurfacePoint at = from;
  /* Where the way goes round an edge, what it has of this side of it is followed until the edge. */
  for (int turn = 0; turn < 2 && tac_vec3_norm(moved) < 0.5 * step; ++turn) {
    at = from;
    tac_deformed_surface_nearest(surface, q, tac_vec3_mad(x, step, tac_vec3_unit(way)), &at);
    moved = way = tac_vec3_sub(tac_deformed_surface_point(surface, q, at), x);
  }
  return tac_vec3_distance(tac_vec3_add(x, moved), y) < tac_vec3_distance(x, y) ? at : to;
}

/* Slides the point towards the one that is nearest to the tool, until friction holds it: on a plane that is Coulomb's law. Where
 * the tool is outside there, having gone past an edge, the point is pulled no farther, and when it has come the contact ends. */
static void settle_point(const tacWorld *world, const tacWorldBody *body, tacWorldTool *tool) {
  const double *q = tac_reduced_body_q(body->reduced);
  tacPointContact *c = &tool->point;
  tacVec3 target = to_body(body, tool->position), x = tac_deformed_surface_point(body->surface, q, c->at);
  bool lets_go = c->state == TAC_CONTACT_GRABBED && !tool->grab;
  if (tool->grab || lets_go) c->state = tool->grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS;
  if (!tool->grab) {
    tacSurfacePoint at = c->at;
    double depth = -tac_deformed_surface_nearest(body->surface, q, target, &at);
    tacVec3 nearest = tac_deformed_surface_point(body->surface, q, at);
    if (!(depth > 0.0)) target = nearest;
    double step = tac_vec3_distance(nearest, x) - body->friction * fmax(0.0, depth);
    tacVec3 pull = tac_quat_rotate(tac_reduced_body_orientation(body->reduced), tac_vec3_sub(target, x));
    double motion = tac_vec3_distance(pull, tac_vec3_scale(1.0 / body->touch, c->force));
    double reach = motion + TAC_WORLD_SLIDE_RATE * world->period / body->touch;
    if (!(depth > 0.0) && (lets_go || step <= reach)) {
      c->state = TAC_CONTACT_NONE;
      return;
    }
    if (step > 0.0) {
      c->state = TAC_CONTACT_SLIDES;
      c->at = slide(body, target, c->at, at, fmin(step, reach));
      x = tac_deformed_surface_point(body->surface, q, c->at);
    }
  }
  tacVec3 stretch = tac_quat_rotate(tac_reduced_body_orientation(body->reduced), tac_vec3_sub(target, x));
  c->force = tac_vec3_scale(body->touch, stretch);
}

static void settle_points(tacWorld *world, int b) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body == b && world->tools[t].point.state != TAC_CONTACT_NONE)
      settle_point(world, &world->bodies[b], &world->tools[t]);
}

static void advance(tacWorld *world, int b, int *budget, tacTickReport *report) {
  (void)budget;
  tacWorldBody *body = &world->bodies[b];
  if (body->advanced == world->tick) return;
  body->advanced = world->tick;
  for (int t = 0; t < world->tool_count; ++t) {
    tacWorldTool *tool = &world->tools[t];
    if (tool->body == b && tool->point.state == TAC_CONTACT_SLIDES) tool->point.state = TAC_CONTACT_STICKS;
  }
  settle_points(world, b);
  if (world->tick % body->every != body->phase) return;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacPointContact *c = &world->tools[t].point;
    if (world->tools[t].body != b || c->state == TAC_CONTACT_NONE) continue;
    tacVec3 target = tac_vec3_mad(tac_reduced_body_point(body->reduced, c->at), 1.0 / body->touch, c->force);
    tac_reduced_body_add_spring(body->reduced, c->at, target, body->touch, body->touch_damping);
  }
  tac_crowd_push(world, b, report);
  tac_world_load_pairs(world, b);
  tacReducedAdvance done = tac_reduced_body_advance(body->reduced);
  tac_world_pairs_deformed(world, b);
  report->limited += done.limited;
  report->refused += done.refused;
  settle_points(world, b); /* the body has moved under the tools */
}

static void release(tacWorld *world, int t, int *budget, tacTickReport *report) {
  (void)budget;
  (void)report;
  tacWorldTool *tool = &world->tools[t];
  int b = tool->body;
  const tacWorldBody *body = &world->bodies[b];
  tool->body = -1;
  for (int other = 0; other < world->body_count; ++other) tac_world_approach(world, t, other)->known = false;
  tacApproach *a = tac_world_approach(world, t, b);
  a->nearest = tool->point.at;
  a->clearance = tac_deformed_surface_nearest(body->surface, tac_reduced_body_q(body->reduced),
                                              to_body(body, tool->position), &a->nearest);
  a->known = true;
}

static void describe(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  (void)report;
  const tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  const tacTriMesh *mesh = surface_of(body);
  tacContact *c = &output->contact;
  const int *v = mesh->triangles[tool->point.at.triangle].v;
  tacVec3 rest = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) rest = tac_vec3_mad(rest, tool->point.at.weight[i], mesh->vertices[v[i]]);
  c->at = from_body(body, rest);
  c->normal = tac_reduced_body_point_normal(body->reduced, tool->point.at);
  c->force = tool->point.force;
  c->deformed = tac_reduced_body_point(body->reduced, tool->point.at);
}

/* ---- what to show ---- */

/* The body's q in a snapshot, or NULL: at rest. */
static const double *state_in(const tacWorldBody *body, const tacSnapshot *snapshot) {
  return snapshot->state != NULL ? snapshot->state + body->state : NULL;
}

static tacPose pose(const tacWorldBody *body, const tacSnapshot *snapshot) {
  tacQuat o = body->orientation;
  tacPose start = {body->position, {o.w, o.x, o.y, o.z}};
  if (snapshot->state == NULL || body->pose_state < 0) return start;
  const double *state = snapshot->state + body->pose_state;
  return (tacPose){tac_vec3(state[0], state[1], state[2]), {state[3], state[4], state[5], state[6]}};
}

static void vertices(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  (void)index;
  const tacTriMesh *mesh = surface_of(body);
  const double *q = state_in(body, snapshot);
  tacPose at = pose(body, snapshot);
  tacQuat turn = tac_quat(at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = q != NULL ? tac_deformed_surface_vertex(body->surface, q, v) : mesh->vertices[v];
    to[v] = tac_vec3_add(tac_quat_rotate(turn, p), at.position);
  }
}

static void tractions(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  (void)index;
  (void)snapshot;
  memset(to, 0, (size_t)surface_of(body)->vertex_count * sizeof *to); /* tools pull at points: there are none */
}

const tacBodyOps tac_reduced_touch = {.destroy = destroy,
                                      .reset = reset,
                                      .surface = surface_of,
                                      .fixed = fixed_of,
                                      .most_stiffness = most_stiffness,
                                      .approach = approach,
                                      .advance = advance,
                                      .release = release,
                                      .describe = describe,
                                      .parameter_count = parameter_count,
                                      .parameter = parameter,
                                      .set_parameter = set_parameter,
                                      .pose = pose,
                                      .vertices = vertices,
                                      .tractions = tractions};
