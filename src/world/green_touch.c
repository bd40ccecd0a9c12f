/* Point-like contact of tools with elastostatic bodies: quasi-static, so that the tools' positions decide everything (James and
 * Pai 2001, section 6). */
#include <stdio.h>
#include <string.h>
#include "world/world_parts.h"

enum { MOST_SWEEPS = 64 };
#define SWEEP_TOLERANCE 1e-8 /* m: what one more sweep would move a contact */
#define MOST_COUPLING 0.9    /* of what a tool moves its own point by; a sweep errs by the square of that */

static void destroy(tacWorldBody *body) {
  tac_proximity_destroy(&body->proximity);
  tac_green_body_destroy(body->green);
}

static void reset(tacWorldBody *body) {
  (void)body; /* it has no state of its own */
}

static const tacTriMesh *surface_of(const tacWorldBody *body) {
  return tac_green_body_surface(body->green)->mesh;
}

static const bool *fixed_of(const tacWorldBody *body) {
  return tac_green_fixed(tac_green_body_green(body->green));
}

static double most_stiffness(const tacWorldBody *body) {
  return tac_green_body_most_stiffness(body->green);
}

/* ---- parameters ---- */

static tacStatus set_stiffness(tacWorldBody *body, double factor, tacError *error) {
  if (!(factor > 0.0 && isfinite(factor)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: stiffness factor %g must be positive", body->name, factor);
  tac_green_body_set_stiffness(body->green, factor);
  return TAC_OK;
}

static tacStatus set_friction(tacWorldBody *body, double coefficient, tacError *error) {
  if (!(coefficient >= 0.0 && isfinite(coefficient)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: friction %g must not be negative", body->name, coefficient);
  body->friction = coefficient;
  return TAC_OK;
}

/* Masks decide the stiffness of every vertex: the body is made anew. Contacts go on, on the new stiffness. */
static tacStatus set_mask(tacWorldBody *body, double radius, tacError *error) {
  const tacGreen *green = tac_green_body_green(body->green);
  if (tac_green_storage(green) != TAC_GREEN_WHOLE)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: the mask of Green's functions stored near cannot change",
                         body->name);
  tacWorldBody made = *body;
  tacStatus status =
      tac_green_body_create(green, radius, tac_green_body_rigid_stiffness(body->green), &made.green, error);
  if (status != TAC_OK) return status;
  status = tac_proximity_create(tac_green_body_surface(made.green), &made.proximity, error);
  if (status != TAC_OK) {
    tac_green_body_destroy(made.green);
    return status;
  }
  tac_green_body_set_stiffness(made.green, tac_green_body_stiffness(body->green));
  tac_proximity_destroy(&body->proximity);
  tac_green_body_destroy(body->green);
  *body = made;
  body->mask_radius = radius;
  return TAC_OK;
}

static double get_stiffness(const tacWorldBody *body) {
  return tac_green_body_stiffness(body->green);
}

static double get_friction(const tacWorldBody *body) {
  return body->friction;
}

static double get_mask(const tacWorldBody *body) {
  return body->mask_radius;
}

/* Of every body, in this order. */
static const struct {
  const char *label, *unit;
  bool in_tick;
  double (*get)(const tacWorldBody *body);
  tacStatus (*set)(tacWorldBody *body, double value, tacError *error);
} parameters[] = {{"stiffness", "", true, get_stiffness, set_stiffness},
                  {"friction", "", true, get_friction, set_friction},
                  {"mask", "m", false, get_mask, set_mask}};

static int parameter_count(const tacWorldBody *body) {
  (void)body;
  return sizeof parameters / sizeof *parameters;
}

static tacParameter parameter(const tacWorldBody *body, int index) {
  tacParameter p = {.label = parameters[index].label,
                    .unit = parameters[index].unit,
                    .value = parameters[index].get(body),
                    .in_tick = parameters[index].in_tick};
  snprintf(p.name, sizeof p.name, "%s", p.label);
  return p;
}

static tacStatus set_parameter(tacWorldBody *body, int index, double value, tacError *error) {
  return parameters[index].set(body, value, error);
}

/* ---- the step ---- */

static tacVec3 to_body(const tacWorldBody *body, tacVec3 p) {
  return tac_quat_rotate(tac_quat_conjugate(body->orientation), tac_vec3_sub(p, body->position));
}

static tacVec3 from_body(const tacWorldBody *body, tacVec3 p) {
  return tac_vec3_add(tac_quat_rotate(body->orientation, p), body->position);
}

static bool same_point(tacSurfacePoint a, tacSurfacePoint b) {
  return a.triangle == b.triangle && a.weight[0] == b.weight[0] && a.weight[1] == b.weight[1] &&
         a.weight[2] == b.weight[2];
}

/* Two tools on one patch of the surface move each other almost as much as themselves, and where K^H was interpolated or is not
 * the inverse of W to rounding, more than that: the coupled laws would have no solution. So W is scaled down until
 * |K_a^1/2 W K_b^1/2| is at most MOST_COUPLING; elsewhere it is as it is. That norm is taken as trace(M^8)^(1/16) with
 * M = K_a W K_b W^T, which is up to 7 % above it. */
static tacMat3 limit_coupling(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 w) {
  tacMat3 ka = tac_point_contact_stiffness(body, at), kb = tac_point_contact_stiffness(body, by);
  tacMat3 m = tac_mat3_mul(tac_mat3_mul(ka, w), tac_mat3_mul(kb, tac_mat3_transpose(w)));
  double trace = tac_mat3_trace(m);
  if (!(trace > MOST_COUPLING * MOST_COUPLING)) return w; /* no norm is above it */
  m = tac_mat3_scale(1.0 / trace, m);
  m = tac_mat3_mul(m, m);
  m = tac_mat3_mul(m, m);
  double norm = sqrt(trace) * pow(tac_mat3_trace(tac_mat3_mul(m, m)), 1.0 / 16.0);
  return norm > MOST_COUPLING ? tac_mat3_scale(MOST_COUPLING / norm, w) : w;
}

/* W(at, by) for the points of two tools; NULL where it is not in memory. */
static const tacMat3 *pair_compliance(tacWorld *world, int body, int a, tacSurfacePoint at, int b, tacSurfacePoint by) {
  tacToolPair *pair = &world->pairs[a][b];
  if (pair->body == body && same_point(pair->at, at) && same_point(pair->by, by)) return &pair->compliance;
  *pair = (tacToolPair){.body = body, .at = at, .by = by};
  if (!tac_green_body_compliance(world->bodies[body].green, at, by, &pair->compliance)) {
    pair->body = -1;
    return NULL;
  }
  pair->compliance = limit_coupling(world->bodies[body].green, at, by, pair->compliance);
  world->pairs[b][a] = (tacToolPair){body, by, at, tac_mat3_transpose(pair->compliance)};
  return &pair->compliance;
}

/* What the other tools on the body displace the surface at a point, m; always finite. */
static tacVec3 moved_by_others(tacWorld *world, int body, int tool, tacSurfacePoint at, tacTickReport *report) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *other = &world->tools[t];
    if (t == tool || other->body != body) continue;
    const tacMat3 *compliance = pair_compliance(world, body, tool, at, t, other->start);
    tacVec3 next = compliance != NULL ? tac_vec3_add(sum, tac_mat3_mul_vec(*compliance, other->point.force)) : sum;
    if (compliance != NULL && tac_vec3_finite(next))
      sum = next;
    else
      ++report->uncoupled;
  }
  return sum;
}

static void begin_contact(tacWorldTool *tool, int body, tacSurfacePoint at) {
  tool->body = body;
  tool->start = at;
  tool->point = (tacPointContact){.state = TAC_CONTACT_STICKS, .at = at};
}

/* The way is followed in the undeformed body, whence the displacement at the nearest point by the other tools is subtracted. */
static void approach(tacWorld *world, int t, int b, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 p = to_body(body, tool->position);
  if (a->known) p = tac_vec3_sub(p, moved_by_others(world, b, t, a->nearest, report));
  bool enters = false;
  if (!a->known) {
    /* Where it was is not known: a tool that starts inside feels nothing until it has been outside. */
    double distance = tac_proximity_distance(&body->proximity, p, &a->nearest);
    a->known = distance >= 0.0;
    a->clearance = distance;
  } else {
    enters = tac_proximity_enters(&body->proximity, a->from, p, &a->clearance, &a->nearest);
  }
  a->from = p;
  if (enters) {
    /* The contact begins at the entry; nearest to where the tool is now is the same within one step. */
    begin_contact(tool, b, a->nearest);
  } else if (tool->grab && a->known && a->clearance < TAC_WORLD_GRAB_REACH) {
    if (tac_proximity_distance(&body->proximity, p, &a->nearest) < TAC_WORLD_GRAB_REACH)
      begin_contact(tool, b, a->nearest);
  }
}

/* Solves one contact for the others as they are; returns by how much its force would move it, m. */
static double relax(tacWorld *world, int t, int *budget, tacTickReport *report, bool *saturated) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  tacVec3 y = to_body(body, tool->position);
  y = tac_vec3_sub(y, moved_by_others(world, tool->body, t, tool->start, report));
  tacVec3 before = tool->point.force;
  double reach = 2.0 * tool->motion + TAC_WORLD_SLIDE_RATE * world->period / tool->stiffness;
  if (!tac_point_contact_solve(body->green, tool->start, y, body->friction, reach, tool->grab, budget, &tool->point))
    *saturated = true;
  return tac_vec3_distance(before, tool->point.force) / tool->stiffness;
}

/* Contacts of one body act on each other through its compliance: Gauss-Seidel over the contacts, each solved exactly with
 * friction from where it was at the start of the step, until a sweep moves nothing. */
static void solve_contacts(tacWorld *world, int b, int *budget, tacTickReport *report) {
  int touching = 0;
  for (int t = 0; t < world->tool_count; ++t) {
    tacWorldTool *tool = &world->tools[t];
    if (tool->body != b) continue;
    ++touching;
    tool->stiffness = tac_mat3_trace(tac_point_contact_stiffness(world->bodies[b].green, tool->start)) / 3.0;
  }
  if (touching == 0) return;
  int sweeps = 0, uncoupled = 0;
  double moved = INFINITY;
  bool saturated = *budget <= 0; /* the bodies before took it all: this one's contacts keep their forces */
  while (sweeps < (touching > 1 ? MOST_SWEEPS : 1) && moved > SWEEP_TOLERANCE && *budget > 0) {
    tacTickReport sweep = {0};
    moved = 0.0;
    saturated = false;
    for (int t = 0; t < world->tool_count; ++t)
      if (world->tools[t].body == b) moved = fmax(moved, relax(world, t, budget, &sweep, &saturated));
    uncoupled = sweep.uncoupled;
    ++sweeps;
  }
  if (sweeps > report->sweeps) report->sweeps = sweeps;
  if (touching > 1 && sweeps > 0) report->residual = fmax(report->residual, moved);
  report->uncoupled += uncoupled;
  report->saturated += saturated + (touching > 1 && sweeps > 0 && moved > SWEEP_TOLERANCE);
}

/* Tools whose contact ended are free again. One that is still inside, because its contact point slid off another part of the
 * body, takes hold where the surface is nearest. */
static void release(tacWorld *world, int t, int *budget, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  if (tool->body < 0 || tool->point.state != TAC_CONTACT_NONE) return;
  int b = tool->body;
  const tacWorldBody *body = &world->bodies[b];
  tool->body = -1;
  for (int other = 0; other < world->body_count; ++other) tac_world_approach(world, t, other)->known = false;
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 y = to_body(body, tool->position);
  y = tac_vec3_sub(y, moved_by_others(world, b, t, tool->start, report));
  a->clearance = tac_proximity_distance(&body->proximity, y, &a->nearest);
  a->from = y;
  a->known = true;
  if (a->clearance >= 0.0) return;
  tacPointContact again;
  tac_point_contact_solve(body->green, a->nearest, y, body->friction, 0.0, false, budget, &again);
  if (again.state == TAC_CONTACT_NONE) {
    a->clearance = 0.0; /* at the surface within rounding */
  } else {
    tool->body = b;
    tool->start = a->nearest;
    tool->point = again;
  }
}

static void describe(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  const tacSurfaceWalk *surface = tac_green_body_surface(body->green);
  tacContact *c = &output->contact;
  tacSurfacePoint at = tool->point.at;
  tacVec3 position = tac_surface_walk_position(surface, at);
  c->at = from_body(body, position);
  c->normal = tac_quat_rotate(body->orientation, tac_surface_walk_normal(surface, at));
  c->force = tac_quat_rotate(body->orientation, tool->point.force);
  tacVec3 displacement = moved_by_others(world, tool->body, t, tool->start, report);
  displacement = tac_vec3_add(displacement, tac_point_contact_displacement(body->green, &tool->point));
  c->deformed = from_body(body, tac_vec3_add(position, displacement));
}

/* ---- what to show ---- */

static tacPose pose(const tacWorldBody *body, const tacSnapshot *snapshot) {
  (void)snapshot;
  tacQuat q = body->orientation;
  return (tacPose){body->position, {q.w, q.x, q.y, q.z}};
}

/* Snapshots may come from files: what is no contact with this body is left out. */
static int forces_on(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacPointForce *forces) {
  int count = 0, triangles = tac_green_body_surface(body->green)->mesh->triangle_count;
  tacQuat back = tac_quat_conjugate(body->orientation);
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacContact *c = &snapshot->output[t].contact;
    if (c->state == TAC_CONTACT_NONE || c->body != index || c->triangle < 0 || c->triangle >= triangles) continue;
    tacPointForce *f = &forces[count++];
    f->at.triangle = c->triangle;
    memcpy(f->at.weight, c->weight, sizeof f->at.weight);
    f->force = tac_quat_rotate(back, c->force);
  }
  return count;
}

static void vertices(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  const tacTriMesh *mesh = surface_of(body);
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, index, snapshot, forces);
  tac_green_body_deform(body->green, count, forces, to, NULL);
  for (int v = 0; v < mesh->vertex_count; ++v) to[v] = from_body(body, tac_vec3_add(mesh->vertices[v], to[v]));
}

static void tractions(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, index, snapshot, forces);
  tac_green_body_tractions(body->green, count, forces, to);
  for (int v = 0; v < surface_of(body)->vertex_count; ++v) to[v] = tac_quat_rotate(body->orientation, to[v]);
}

static void sensors(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, double *values) {
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, index, snapshot, forces);
  tac_green_body_deform(body->green, count, forces, NULL, values);
}

const tacBodyOps tac_green_touch = {.destroy = destroy,
                                    .reset = reset,
                                    .surface = surface_of,
                                    .fixed = fixed_of,
                                    .most_stiffness = most_stiffness,
                                    .approach = approach,
                                    .advance = solve_contacts,
                                    .release = release,
                                    .describe = describe,
                                    .parameter_count = parameter_count,
                                    .parameter = parameter,
                                    .set_parameter = set_parameter,
                                    .pose = pose,
                                    .vertices = vertices,
                                    .tractions = tractions,
                                    .sensors = sensors};
