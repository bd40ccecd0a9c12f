#include <tactus/world.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "body/green_body.h"
#include "collide/proximity.h"
#include "contact/point_contact.h"
#include "math/quat.h"

enum { MOST_SWEEPS = 64, MOST_EVALUATIONS = 2000 /* of the contact laws in one step */ };
#define SWEEP_TOLERANCE 1e-8 /* m: what one more sweep would move a contact */
#define MOST_COUPLING 0.9    /* of what a tool moves its own point by; a sweep errs by the square of that */
#define GRAB_REACH 1e-3      /* m: a free tool nearer than this to the surface may grab it */
#define SLIDE_RATE \
  100.0 /* N/s: beyond its tool's motion a contact slides so far that its force changes by about this */

typedef struct Body {
  char *name;
  tacGreenBody *green;
  tacProximity proximity;
  tacVec3 position;
  tacQuat orientation;
  _Atomic double friction; /* the thread that steps sets it, others ask for it */
  double mask_radius;
} Body;

/* What a tool knows of one body while it does not touch it, in the body's frame. */
typedef struct Approach {
  bool known;   /* it was outside in the step before */
  tacVec3 from; /* where it was then */
  double clearance;
  tacSurfacePoint nearest;
} Approach;

typedef struct Tool {
  char *name;
  tacVec3 position; /* last good input */
  double motion;    /* m, since the one before */
  bool grab, lifted;
  int body;              /* that it touches, or -1 */
  tacPointContact point; /* in that body's frame */
  tacSurfacePoint start; /* of the contact point in this step */
  double stiffness;      /* there, mean of its eigenvalues, N/m */
} Tool;

/* The compliance between the points of two tools on one body, kept until one of them moves. In a step it is that of the points
 * from which the contacts start: how far they slide within it changes it little. */
typedef struct Pair {
  int body; /* -1: unknown */
  tacSurfacePoint at, by;
  tacMat3 compliance; /* m/N */
} Pair;

struct tacWorld {
  double period;
  uint32_t generation; /* of this world's ids */
  bool sealed;
  size_t body_capacity;
  int body_count, tool_count;
  Body *bodies;
  Tool tools[TAC_MOST_TOOLS];
  Approach *approaches; /* [tool][body] */
  Pair pairs[TAC_MOST_TOOLS][TAC_MOST_TOOLS];
};

tacWorldDef tac_world_def_default(void) {
  return (tacWorldDef){.period = 0.001};
}

static void forget_pairs(tacWorld *world) {
  for (int a = 0; a < TAC_MOST_TOOLS; ++a)
    for (int b = 0; b < TAC_MOST_TOOLS; ++b) world->pairs[a][b].body = -1;
}

tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error) {
  static atomic_uint worlds;
  *world = NULL;
  if (!(def->period >= 1e-5 && def->period <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "period %g s: must be between 1e-5 and 1 s", def->period);
  tacWorld *w = tac_array_create(1, sizeof *w, "a world", error);
  if (w == NULL) return TAC_ERR_MEMORY;
  w->period = def->period;
  forget_pairs(w);
  w->generation = atomic_fetch_add(&worlds, 1u) + 1u;
  *world = w;
  return TAC_OK;
}

static void body_free(Body *body) {
  tac_proximity_destroy(&body->proximity);
  tac_green_body_destroy(body->green);
  free(body->name);
}

void tac_world_destroy(tacWorld *world) {
  if (world == NULL) return;
  for (int b = 0; b < world->body_count; ++b) body_free(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) free(world->tools[t].name);
  free(world->bodies);
  free(world->approaches);
  free(world);
}

double tac_world_period(const tacWorld *world) {
  return world->period;
}

tacGreenBodyDef tac_green_body_def_default(void) {
  return (tacGreenBodyDef){.pose = {.orientation = {1.0, 0.0, 0.0, 0.0}},
                           .stiffness = 1.0,
                           .rigid_stiffness = 1500.0,
                           .friction = 0.2,
                           .response_bytes = (size_t)1 << 30};
}

static tacStatus check_open(const tacWorld *world, tacError *error) {
  return world->sealed ? tac_error_set(error, TAC_ERR_ARGUMENT, "the world is sealed: nothing can be added") : TAC_OK;
}

static tacStatus check_name(const char *name, const char *what, bool taken, tacError *error) {
  if (name == NULL || name[0] == '\0') return tac_error_set(error, TAC_ERR_ARGUMENT, "a %s needs a name", what);
  if (taken)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is already a %s called %s; give each another name", what,
                         name);
  return TAC_OK;
}

tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  bool taken = false;
  for (int b = 0; b < world->body_count && def->name != NULL; ++b)
    taken = taken || strcmp(world->bodies[b].name, def->name) == 0;
  status = check_name(def->name, "body", taken, error);
  if (status != TAC_OK) return status;
  const double *q = def->pose.orientation;
  tacQuat orientation = tac_quat(q[0], q[1], q[2], q[3]);
  if (!tac_vec3_finite(def->pose.position) || !(fabs(tac_quat_norm(orientation) - 1.0) < 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: its pose must be finite, with a unit quaternion",
                         def->name);
  if (!(def->stiffness > 0.0 && isfinite(def->stiffness)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: stiffness factor %g must be positive", def->name,
                         def->stiffness);
  if (!(def->friction >= 0.0 && isfinite(def->friction)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: friction %g must not be negative", def->name,
                         def->friction);
  status = tac_array_reserve((void **)&world->bodies, &world->body_capacity, (size_t)world->body_count + 1,
                             sizeof *world->bodies, "the world's bodies", error);
  if (status != TAC_OK) return status;
  Body body = {.position = def->pose.position,
               .orientation = tac_quat_normalise(orientation),
               .friction = def->friction,
               .mask_radius = def->mask_radius,
               .name = tac_array_text(def->name, error)};
  status = body.name != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK)
    status = tac_green_body_create(def->green, def->mask_radius, def->rigid_stiffness, &body.green, error);
  if (status == TAC_OK && def->problem != NULL)
    status = tac_green_body_compute_on_demand(body.green, def->problem, def->response_bytes, error);
  if (status == TAC_OK) status = tac_proximity_create(tac_green_body_surface(body.green), &body.proximity, error);
  if (status != TAC_OK) {
    body_free(&body);
    return status;
  }
  tac_green_body_set_stiffness(body.green, def->stiffness);
  world->bodies[world->body_count++] = body;
  if (id != NULL) *id = tac_world_body(world, world->body_count - 1);
  return TAC_OK;
}

tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error) {
  if (tool != NULL) *tool = -1;
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  if (world->tool_count == TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d tools", TAC_MOST_TOOLS);
  bool taken = false;
  for (int t = 0; t < world->tool_count && def->name != NULL; ++t)
    taken = taken || strcmp(world->tools[t].name, def->name) == 0;
  status = check_name(def->name, "tool", taken, error);
  if (status != TAC_OK) return status;
  char *name = tac_array_text(def->name, error);
  if (name == NULL) return TAC_ERR_MEMORY;
  world->tools[world->tool_count] = (Tool){.name = name, .body = -1};
  if (tool != NULL) *tool = world->tool_count;
  ++world->tool_count;
  return TAC_OK;
}

tacStatus tac_world_seal(tacWorld *world, tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  world->approaches = tac_array_create((size_t)world->tool_count * (size_t)world->body_count, sizeof *world->approaches,
                                       "the world's state", error);
  if (world->approaches == NULL) return TAC_ERR_MEMORY;
  world->sealed = true;
  return TAC_OK;
}

int tac_world_body_count(const tacWorld *world) {
  return world->body_count;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  if (index < 0 || index >= world->body_count) return (tacBodyId){0, 0};
  return (tacBodyId){(uint32_t)index, world->generation};
}

tacBodyId tac_world_find_body(const tacWorld *world, const char *name) {
  for (int b = 0; b < world->body_count; ++b)
    if (strcmp(world->bodies[b].name, name) == 0) return tac_world_body(world, b);
  return (tacBodyId){0, 0};
}

static Body *find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

const char *tac_world_body_name(const tacWorld *world, tacBodyId id) {
  const Body *body = find(world, id);
  return body != NULL ? body->name : NULL;
}

const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id) {
  const Body *body = find(world, id);
  return body != NULL ? tac_green_body_green(body->green) : NULL;
}

tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id) {
  const Body *body = find(world, id);
  tacPose pose = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  if (body != NULL) {
    tacQuat q = body->orientation;
    pose = (tacPose){body->position, {q.w, q.x, q.y, q.z}};
  }
  return pose;
}

int tac_world_tool_count(const tacWorld *world) {
  return world->tool_count;
}

const char *tac_world_tool_name(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? world->tools[tool].name : NULL;
}

double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id) {
  const Body *body = find(world, id);
  return body != NULL ? tac_green_body_most_stiffness(body->green) : 0.0;
}

/* ---- parameters ---- */

static tacStatus set_stiffness(Body *body, double factor, tacError *error) {
  if (!(factor > 0.0 && isfinite(factor)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: stiffness factor %g must be positive", body->name, factor);
  tac_green_body_set_stiffness(body->green, factor);
  return TAC_OK;
}

static tacStatus set_friction(Body *body, double coefficient, tacError *error) {
  if (!(coefficient >= 0.0 && isfinite(coefficient)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: friction %g must not be negative", body->name, coefficient);
  body->friction = coefficient;
  return TAC_OK;
}

/* Masks decide the stiffness of every vertex: the body is made anew. Contacts go on, on the new stiffness. */
static tacStatus set_mask(Body *body, double radius, tacError *error) {
  const tacGreen *green = tac_green_body_green(body->green);
  if (tac_green_storage(green) != TAC_GREEN_WHOLE)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: the mask of Green's functions stored near cannot change",
                         body->name);
  Body made = *body;
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

static double get_stiffness(const Body *body) {
  return tac_green_body_stiffness(body->green);
}

static double get_friction(const Body *body) {
  return body->friction;
}

static double get_mask(const Body *body) {
  return body->mask_radius;
}

/* Of every body, in this order. */
static const struct {
  const char *label, *unit;
  bool in_tick;
  double (*get)(const Body *body);
  tacStatus (*set)(Body *body, double value, tacError *error);
} parameters[] = {{"stiffness", "", true, get_stiffness, set_stiffness},
                  {"friction", "", true, get_friction, set_friction},
                  {"mask", "m", false, get_mask, set_mask}};
enum { BODY_PARAMETERS = sizeof parameters / sizeof *parameters };

int tac_world_parameter_count(const tacWorld *world) {
  return BODY_PARAMETERS * world->body_count;
}

tacParameter tac_world_parameter(const tacWorld *world, int index) {
  tacParameter parameter = {.label = "", .unit = ""};
  if (index < 0 || index >= tac_world_parameter_count(world)) return parameter;
  const Body *body = &world->bodies[index / BODY_PARAMETERS];
  int kind = index % BODY_PARAMETERS;
  snprintf(parameter.name, sizeof parameter.name, "%s.%s", body->name, parameters[kind].label);
  parameter.label = parameters[kind].label;
  parameter.unit = parameters[kind].unit;
  parameter.value = parameters[kind].get(body);
  parameter.in_tick = parameters[kind].in_tick;
  return parameter;
}

int tac_world_find_parameter(const tacWorld *world, const char *name) {
  for (int i = 0; i < tac_world_parameter_count(world); ++i)
    if (strcmp(tac_world_parameter(world, i).name, name) == 0) return i;
  return -1;
}

tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error) {
  if (index < 0 || index >= tac_world_parameter_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no parameter %d; the world has %d", index,
                         tac_world_parameter_count(world));
  forget_pairs(world);
  return parameters[index % BODY_PARAMETERS].set(&world->bodies[index / BODY_PARAMETERS], value, error);
}

/* ---- the step ---- */

static tacVec3 to_body(const Body *body, tacVec3 p) {
  return tac_quat_rotate(tac_quat_conjugate(body->orientation), tac_vec3_sub(p, body->position));
}

static tacVec3 from_body(const Body *body, tacVec3 p) {
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
  Pair *pair = &world->pairs[a][b];
  if (pair->body == body && same_point(pair->at, at) && same_point(pair->by, by)) return &pair->compliance;
  *pair = (Pair){.body = body, .at = at, .by = by};
  if (!tac_green_body_compliance(world->bodies[body].green, at, by, &pair->compliance)) {
    pair->body = -1;
    return NULL;
  }
  pair->compliance = limit_coupling(world->bodies[body].green, at, by, pair->compliance);
  world->pairs[b][a] = (Pair){body, by, at, tac_mat3_transpose(pair->compliance)};
  return &pair->compliance;
}

/* What the other tools on the body displace the surface at a point, m; always finite. */
static tacVec3 moved_by_others(tacWorld *world, int body, int tool, tacSurfacePoint at, tacTickReport *report) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int t = 0; t < world->tool_count; ++t) {
    const Tool *other = &world->tools[t];
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

static void begin_contact(Tool *tool, int body, tacSurfacePoint at) {
  tool->body = body;
  tool->start = at;
  tool->point = (tacPointContact){.state = TAC_CONTACT_STICKS, .at = at};
}

/* A free tool meets the first body that it enters, on the surface as the other tools deform it. The way is followed in the
 * undeformed body, whence the displacement at the nearest point is subtracted. */
static void approach(tacWorld *world, int t, tacTickReport *report) {
  Tool *tool = &world->tools[t];
  for (int b = 0; b < world->body_count && tool->body < 0; ++b) {
    const Body *body = &world->bodies[b];
    Approach *a = &world->approaches[t * world->body_count + b];
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
    } else if (tool->grab && a->known && a->clearance < GRAB_REACH) {
      if (tac_proximity_distance(&body->proximity, p, &a->nearest) < GRAB_REACH) begin_contact(tool, b, a->nearest);
    }
  }
}

/* Solves one contact for the others as they are; returns by how much its force would move it, m. */
static double relax(tacWorld *world, int t, int *budget, tacTickReport *report, bool *saturated) {
  Tool *tool = &world->tools[t];
  const Body *body = &world->bodies[tool->body];
  tacVec3 y = to_body(body, tool->position);
  y = tac_vec3_sub(y, moved_by_others(world, tool->body, t, tool->start, report));
  tacVec3 before = tool->point.force;
  double reach = 2.0 * tool->motion + SLIDE_RATE * world->period / tool->stiffness;
  if (!tac_point_contact_solve(body->green, tool->start, y, body->friction, reach, tool->grab, budget, &tool->point))
    *saturated = true;
  return tac_vec3_distance(before, tool->point.force) / tool->stiffness;
}

/* Contacts of one body act on each other through its compliance: Gauss-Seidel over the contacts, each solved exactly with
 * friction from where it was at the start of the step, until a sweep moves nothing. */
static void solve_contacts(tacWorld *world, int b, int *budget, tacTickReport *report) {
  int touching = 0;
  for (int t = 0; t < world->tool_count; ++t) {
    Tool *tool = &world->tools[t];
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
  Tool *tool = &world->tools[t];
  if (tool->body < 0 || tool->point.state != TAC_CONTACT_NONE) return;
  int b = tool->body;
  const Body *body = &world->bodies[b];
  tool->body = -1;
  for (int other = 0; other < world->body_count; ++other)
    world->approaches[t * world->body_count + other].known = false;
  Approach *a = &world->approaches[t * world->body_count + b];
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

static void fill_output(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const Tool *tool = &world->tools[t];
  *output = (tacToolOutput){.proxy = tool->position};
  if (tool->body < 0) return;
  const Body *body = &world->bodies[tool->body];
  const tacSurfaceWalk *surface = tac_green_body_surface(body->green);
  tacContact *c = &output->contact;
  tacSurfacePoint at = tool->point.at;
  c->state = tool->point.state;
  c->body = (uint32_t)tool->body;
  c->triangle = at.triangle;
  memcpy(c->weight, at.weight, sizeof c->weight);
  tacVec3 position = tac_surface_walk_position(surface, at);
  c->at = from_body(body, position);
  c->normal = tac_quat_rotate(body->orientation, tac_surface_walk_normal(surface, at));
  c->force = tac_quat_rotate(body->orientation, tool->point.force);
  tacVec3 displacement = moved_by_others(world, tool->body, t, tool->start, report);
  displacement = tac_vec3_add(displacement, tac_point_contact_displacement(body->green, &tool->point));
  c->deformed = from_body(body, tac_vec3_add(position, displacement));
  output->force = tac_vec3_scale(-1.0, c->force);
  output->proxy = c->deformed;
  ++report->contact_count;
}

static bool finite_output(const tacToolOutput *o) {
  return tac_vec3_finite(o->force) && tac_vec3_finite(o->proxy) && tac_vec3_finite(o->contact.at) &&
         tac_vec3_finite(o->contact.normal);
}

/* As if it had not been in the scene before. */
static void set_free(tacWorld *world, int t) {
  world->tools[t].body = -1;
  for (int b = 0; b < world->body_count; ++b) world->approaches[t * world->body_count + b] = (Approach){0};
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  *report = (tacTickReport){0};
  int budget = MOST_EVALUATIONS;
  for (int t = 0; t < world->tool_count; ++t) {
    Tool *tool = &world->tools[t];
    if (tac_vec3_finite(inputs[t].position) && tac_vec3_norm(inputs[t].position) < 1e6) {
      tool->motion = tac_vec3_distance(tool->position, inputs[t].position);
      tool->position = inputs[t].position;
      tool->grab = inputs[t].grab;
      tool->lifted = inputs[t].lifted;
    } else {
      ++report->refused;
    }
    if (tool->lifted) set_free(world, t);
    tool->start = tool->point.at;
  }
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body < 0 && !world->tools[t].lifted) approach(world, t, report);
  for (int b = 0; b < world->body_count; ++b) solve_contacts(world, b, &budget, report);
  for (int t = 0; t < world->tool_count; ++t) release(world, t, &budget, report);
  for (int t = 0; t < world->tool_count; ++t) {
    fill_output(world, t, &outputs[t], report);
    if (finite_output(&outputs[t])) continue;
    /* Cannot happen with finite assets; a device must not be the one to find out. */
    world->tools[t].body = -1;
    outputs[t] = (tacToolOutput){.proxy = world->tools[t].position};
    ++report->refused;
  }
}

void tac_world_reset(tacWorld *world) {
  forget_pairs(world);
  for (int t = 0; t < world->tool_count; ++t) {
    set_free(world, t);
    world->tools[t].grab = world->tools[t].lifted = false;
    world->tools[t].position = tac_vec3(0.0, 0.0, 0.0);
  }
}

/* ---- what to show ---- */

/* Snapshots may come from files: what is no contact with this body is left out. */
static int forces_on(const Body *body, uint32_t index, const tacSnapshot *snapshot, tacPointForce *forces) {
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

void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  const Body *body = find(world, id);
  if (body == NULL) return;
  const tacTriMesh *mesh = tac_green_body_surface(body->green)->mesh;
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, id.index, snapshot, forces);
  tac_green_body_deform(body->green, count, forces, vertices, NULL);
  for (int v = 0; v < mesh->vertex_count; ++v)
    vertices[v] = from_body(body, tac_vec3_add(mesh->vertices[v], vertices[v]));
}

void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions) {
  const Body *body = find(world, id);
  if (body == NULL) return;
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, id.index, snapshot, forces);
  tac_green_body_tractions(body->green, count, forces, tractions);
  for (int v = 0; v < tac_green_body_surface(body->green)->mesh->vertex_count; ++v)
    tractions[v] = tac_quat_rotate(body->orientation, tractions[v]);
}

void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values) {
  const Body *body = find(world, id);
  if (body == NULL) return;
  tacPointForce forces[TAC_MOST_TOOLS];
  int count = forces_on(body, id.index, snapshot, forces);
  tac_green_body_deform(body->green, count, forces, NULL, values);
}
