#include "world/world_show.h"
#include "world/world_view.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include "elastic/surface_stretch.h"
#include "world/islands/contact_response.h"
#include "world/pairs/pair.h"

int tac_world_state_size(const tacWorld *world) {
  return world != NULL ? world->state_size : 0;
}

int tac_world_body_state(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->shown.state : -1;
}

int tac_world_body_pose_state(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? body->shown.pose : -1;
}

static void save_presses(const tacWorld *world, int b, double *to) {
  tacPresses p;
  p.count = 0;
  memset(to, 0, (size_t)world->most_presses * TAC_WORLD_OF_PRESS * sizeof *to);
  tac_presses_add_contacts(&p, world, b, world->most_presses);
  for (int i = 0; i < p.count; ++i) {
    tacVec3 at = p.sites[i].at, force = p.forces[i];
    /* triangle index + 0.5 marks a site of kind TAC_SITE_TIP */
    double half = p.sites[i].kind == TAC_SITE_TIP ? 0.5 : 0.0;
    const double press[TAC_WORLD_OF_PRESS] = {p.sites[i].index + half, at.x, at.y, at.z, force.x, force.y, force.z};
    memcpy(to + TAC_WORLD_OF_PRESS * i, press, sizeof press);
  }
}

void tac_world_take_presses(const tacWorld *world, const float *stored, double *state) {
  for (int b = 0; b < world->body_count; ++b) {
    int first = world->bodies[b].shown.presses;
    for (int i = first; first >= 0 && i < first + TAC_WORLD_OF_PRESS * world->most_presses; ++i)
      state[i] = (double)stored[i];
  }
}

/* The offset of a loaded vertex is the same in all states, so that states can be interpolated. */
void tac_world_show_grip(const tacWorldBody *body, double *to) {
  tacPatchSnapshot patches;
  body->body.table->pads->snapshot(body->grip.patches, &patches);
  memset(to, 0, (1 + TAC_WORLD_OF_TRACTION * TAC_PAD_MOST_VERTICES * (size_t)body->grip.pads) * sizeof *to);
  to[0] = patches.stiffness;
  for (int i = 0; i < patches.count; ++i) {
    const tacPatchLoad *l = &patches.loads[i];
    const double load[TAC_WORLD_OF_TRACTION] = {l->vertex, l->traction.x, l->traction.y, l->traction.z};
    memcpy(to + 1 + TAC_WORLD_OF_TRACTION * l->slot, load, sizeof load);
  }
}

typedef struct LoadSum {
  tacVec3 force, moment; /* sum of forces, N; sum of positions times force magnitudes, N m */
  double pressed;        /* sum of force magnitudes, N */
} LoadSum;

static void add_load(LoadSum *sum, tacVec3 at, double sign, tacVec3 force) {
  double size = tac_vec3_norm(force);
  sum->force = tac_vec3_mad(sum->force, sign, force);
  sum->moment = tac_vec3_mad(sum->moment, size, at);
  sum->pressed += size;
}

static void save_load(const tacWorld *world, int b, double *to) {
  LoadSum sum = {0};
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, b) || tac_world_leads(world, pair->points, pair->field)) continue;
    double sign = pair->points == b ? 1.0 : -1.0;
    for (int i = 0; i < pair->count; ++i) add_load(&sum, pair->at[i].at, sign, pair->springs[i].force);
  }
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    int side = c->body[0] == b ? 0 : 1;
    if (c->body[side] == b && c->state != TAC_CONTACT_NONE) add_load(&sum, c->at, side == 0 ? 1.0 : -1.0, c->force);
  }
  for (int i = 0; i < world->tick_force_count; ++i)
    if (world->tick_forces[i].body == b) add_load(&sum, world->tick_forces[i].at, 1.0, world->tick_forces[i].force);
  const double load[TAC_WORLD_OF_LOAD] = {sum.force.x,  sum.force.y,  sum.force.z, sum.pressed,
                                          sum.moment.x, sum.moment.y, sum.moment.z};
  memcpy(to, load, sizeof load);
}

void tac_world_show_pose(const tacFrame *frame, double *to) {
  tacVec3 p = frame->position;
  tacQuat o = frame->orientation;
  const double pose[TAC_WORLD_OF_POSE] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z};
  memcpy(to, pose, sizeof pose);
}

void tac_world_show_state(const tacWorld *world, double *state) {
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    const tacBodyTable *table = body->body.table;
    int count = tac_body_describe(&body->body).shown;
    if (count > 0) table->save(body->body.self, count, state + body->shown.state);
    if (body->shown.pose >= 0) tac_world_show_pose(&body->frame, state + body->shown.pose);
    if (body->shown.presses >= 0) save_presses(world, b, state + body->shown.presses);
    if (body->shown.grip >= 0 && world->simulate_every == 1) tac_world_show_grip(body, state + body->shown.grip);
    if (body->shown.load >= 0) save_load(world, b, state + body->shown.load);
    if (body->shown.error_estimate >= 0) state[body->shown.error_estimate] = body->error_estimate;
  }
  double *levels = state + world->state_size - world->pair_count;
  for (int p = 0; p < world->pair_count; ++p) levels[p] = world->contact_pairs[p].traversed.level;
}

/* Returns the part of the snapshot's state that begins at offset `first`. NULL if the snapshot has no such part. */
static const double *part_of(const tacSnapshot *snapshot, int first) {
  return snapshot->state != NULL && first >= 0 ? snapshot->state + first : NULL;
}

tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL || snapshot == NULL) return (tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}};
  tacQuat o = body->start.orientation;
  const double *s = part_of(snapshot, body->shown.pose);
  if (s == NULL) return (tacPose){body->start.position, {o.w, o.x, o.y, o.z}};
  return (tacPose){tac_vec3(s[0], s[1], s[2]), {s[3], s[4], s[5], s[6]}};
}

tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id) {
  static const tacSnapshot start; /* a snapshot without a state gives the initial pose */
  return tac_world_snapshot_pose(world, &start, id);
}

/* Collects the forces on a body from point tools and from contacts with bodies. Snapshots may come from files, so
 * invalid entries are possible and are skipped. */
static void forces_on(const tacWorld *world, tacBodyId id, const tacSnapshot *snapshot, tacPresses *to) {
  const tacWorldBody *body = &world->bodies[id.index];
  tacPose pose = tac_world_snapshot_pose(world, snapshot, id);
  to->count = 0;
  /* The stored contact forces may already include the forces of tools, as tick forces. */
  int tools = tac_world_carries(world, (int)id.index) && body->shown.presses >= 0 ? 0 : snapshot->tool_count;
  tac_presses_add_tools(to, world, (int)id.index, tac_quat_conjugate(tac_quat_of(pose.orientation)), tools,
                        snapshot->output);
  const double *press = part_of(snapshot, body->shown.presses);
  for (int i = 0; press != NULL && i < world->most_presses; ++i, press += TAC_WORLD_OF_PRESS) {
    if (press[4] == 0.0 && press[5] == 0.0 && press[6] == 0.0) continue;
    double triangle = press[0] >= 0.0 && press[0] < 1e9 ? press[0] : -1.0;
    tacSiteKind kind = triangle == floor(triangle) ? TAC_SITE_SURFACE : TAC_SITE_TIP;
    to->sites[to->count] = (tacSite){kind, (int32_t)triangle, {press[1], press[2], press[3]}};
    to->forces[to->count++] = tac_vec3(press[4], press[5], press[6]);
  }
}

/* Reads the pad tractions on a body. False if the snapshot has no pad tractions. Snapshots may come from files or from
 * interpolation, so entries without a valid vertex are possible and are skipped. */
static bool patches_on(const tacWorld *world, tacBodyId id, const tacSnapshot *snapshot, tacPatchSnapshot *to) {
  const tacWorldBody *body = tac_world_find(world, id);
  const double *from = part_of(snapshot, body->shown.grip);
  if (from == NULL) return false;
  const double *load = from + 1;
  *to = (tacPatchSnapshot){.stiffness = from[0] > 0.0 && isfinite(from[0]) ? from[0] : 1.0};
  for (int i = 0; i < TAC_PAD_MOST_VERTICES * body->grip.pads; ++i, load += TAC_WORLD_OF_TRACTION) {
    tacVec3 traction = tac_vec3(load[1], load[2], load[3]);
    double nearest = round(load[0]);
    if (!(nearest >= 0.0 && nearest < INT_MAX && fabs(load[0] - nearest) < 1e-3)) continue;
    int vertex = (int)nearest;
    if (!tac_vec3_finite(traction) || tac_vec3_norm2(traction) == 0.0 ||
        !body->body.table->pads->may_load(body->body.self, vertex))
      continue;
    to->loads[to->count++] = (tacPatchLoad){.vertex = vertex, .slot = i, .traction = traction};
  }
  return true;
}

/* Returns the display functions of a body; an empty table if `body` is NULL. */
static const tacBodyLooks *looks_of(const tacWorldBody *body) {
  static const tacBodyLooks none;
  return body != NULL ? tac_body_looks(&body->body) : &none;
}

/* Computes the deformed vertices in the body's frame. */
static void deform(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  const tacWorldBody *body = tac_world_find(world, id);
  const tacBodyTable *table = body->body.table;
  const tacTriMesh *mesh = body->surface->mesh;
  if (tac_world_body_complies(body)) {
    tacPresses p;
    forces_on(world, id, snapshot, &p);
    table->displace(body->body.self, p.count, p.sites, p.forces, vertices, NULL, NULL);
    tacPatchSnapshot patches;
    if (patches_on(world, id, snapshot, &patches)) table->pads->add(body->body.self, &patches, vertices, NULL, NULL);
    for (int v = 0; v < mesh->vertex_count; ++v) vertices[v] = tac_vec3_add(mesh->vertices[v], vertices[v]);
  } else if (tac_body_looks(&body->body)->vertices != NULL) {
    table->looks->vertices(body->body.self, part_of(snapshot, body->shown.state), vertices);
  } else {
    memcpy(vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *vertices);
  }
}

void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL || snapshot == NULL || vertices == NULL) return;
  tacPose pose = tac_world_snapshot_pose(world, snapshot, id);
  tacQuat turn = tac_quat_of(pose.orientation);
  deform(world, snapshot, id, vertices);
  for (int v = 0; v < body->surface->mesh->vertex_count; ++v)
    vertices[v] = tac_vec3_add(tac_quat_rotate(turn, vertices[v]), pose.position);
}

bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour,
                       tacStressSum *room, tacVec3 *vertices, double *values) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL || snapshot == NULL || room == NULL || vertices == NULL || values == NULL) return false;
  const tacBodyLooks *looks = tac_body_looks(&body->body);
  /* a rigid body has no stress or stretch */
  if (looks->vertices == NULL && !tac_world_body_complies(body)) return false;
  deform(world, snapshot, id, vertices);
  bool known = looks->colours != NULL &&
               looks->colours(body->body.self, part_of(snapshot, body->shown.state), vertices, colour, room, values);
  if (known || colour != TAC_COLOUR_STRETCH) return known;
  tac_surface_stretch(body->surface->mesh, vertices, room, values);
  return true;
}

bool tac_world_body_number(const tacWorld *world, tacBodyId id, int index, tacShownNumber *number) {
  const tacWorldBody *body = tac_world_find(world, id);
  const tacBodyLooks *looks = looks_of(body);
  if (looks->number == NULL || body->shown.state < 0 || !looks->number(body->body.self, index, number)) return false;
  number->at += body->shown.state;
  return true;
}

bool tac_world_body_basis(const tacWorld *world, tacBodyId id, tacShownBasis *basis) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->basis != NULL && looks_of(body)->basis(body->body.self, basis);
}

bool tac_world_body_shape(const tacWorld *world, tacBodyId id, int index, tacShownShape *shape) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->shape != NULL && looks_of(body)->shape(body->body.self, index, shape);
}

const char *tac_world_body_method(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL) return NULL;
  const char *method = tac_body_describe(&body->body).method;
  return method != NULL ? method : body->kind;
}

bool tac_world_body_known_loads(const tacWorld *world, tacBodyId id, tacKnownLoads *loads) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->known_loads != NULL && looks_of(body)->known_loads(body->body.self, loads);
}

bool tac_world_body_load_mode(const tacWorld *world, tacBodyId id, int vertex, int coordinate, tacVec3 *mode) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->load_mode != NULL && looks_of(body)->load_mode(body->body.self, vertex, coordinate, mode);
}

bool tac_world_body_load(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacShownLoad *load) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (looks_of(body)->covers == NULL) return false;
  LoadSum sum = {0};
  const double *s = part_of(snapshot, body->shown.load);
  if (s != NULL) sum = (LoadSum){tac_vec3(s[0], s[1], s[2]), tac_vec3(s[4], s[5], s[6]), s[3]};
  for (int t = 0; t < snapshot->tool_count; ++t) { /* point tools only: contacts of other tools have no triangle */
    const tacContact *c = &snapshot->output[t].contact;
    if (c->state == TAC_CONTACT_NONE || c->body != id.index || c->triangle < 0) continue;
    add_load(&sum, c->deformed, 1.0, c->force);
  }
  tacPose pose = tac_world_snapshot_pose(world, snapshot, id);
  tacVec3 own = tac_quat_rotate(tac_quat_conjugate(tac_quat_of(pose.orientation)), sum.force);
  bool known = sum.pressed > 0.0 && tac_vec3_finite(sum.force) && tac_vec3_finite(sum.moment);
  *load = (tacShownLoad){0};
  if (known)
    *load = (tacShownLoad){.at = tac_vec3_scale(1.0 / sum.pressed, sum.moment),
                           .force = sum.force,
                           .beyond = !looks_of(body)->covers(body->body.self, own)};
  return true;
}

double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  const double *error_estimate =
      body != NULL && snapshot != NULL ? part_of(snapshot, body->shown.error_estimate) : NULL;
  return error_estimate != NULL && *error_estimate >= 0.0 ? *error_estimate : -1.0;
}

bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table->error_estimate != NULL;
}

const char *tac_world_body_error_cause(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table->error_cause != NULL ? body->body.table->error_cause : "";
}

const char *tac_world_body_remedy(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table->remedy != NULL ? body->body.table->remedy : "";
}

double tac_world_body_step(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL ? world->tick_period * world->simulate_every * body->def.every : 0.0;
}

bool tac_world_body_has_tractions(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->tractions;
}

void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL || snapshot == NULL || tractions == NULL) return;
  const tacBodyTable *table = body->body.table;
  int count = body->surface->mesh->vertex_count;
  if (!looks_of(body)->tractions) {
    memset(tractions, 0, (size_t)count * sizeof *tractions); /* this body reports no tractions */
    return;
  }
  tacPose pose = tac_world_snapshot_pose(world, snapshot, id);
  tacQuat turn = tac_quat_of(pose.orientation);
  tacPresses p;
  forces_on(world, id, snapshot, &p);
  table->displace(body->body.self, p.count, p.sites, p.forces, NULL, tractions, NULL);
  tacPatchSnapshot patches;
  if (patches_on(world, id, snapshot, &patches)) table->pads->add(body->body.self, &patches, NULL, tractions, NULL);
  for (int v = 0; v < count; ++v) tractions[v] = tac_quat_rotate(turn, tractions[v]);
}

bool tac_world_body_sensor(const tacWorld *world, tacBodyId id, int index, tacShownSensor *sensor) {
  const tacWorldBody *body = tac_world_find(world, id);
  return looks_of(body)->sensor != NULL && looks_of(body)->sensor(body->body.self, index, sensor);
}

int tac_world_body_sensor_rows(const tacWorld *world, tacBodyId id) {
  tacShownSensor sensor;
  int rows = 0;
  for (int i = 0; tac_world_body_sensor(world, id, i, &sensor); ++i) rows += sensor.row_count;
  return rows;
}

void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values) {
  const tacWorldBody *body = tac_world_find(world, id);
  if (body == NULL || snapshot == NULL || values == NULL || looks_of(body)->sensor == NULL) return;
  tacPresses p;
  forces_on(world, id, snapshot, &p);
  body->body.table->displace(body->body.self, p.count, p.sites, p.forces, NULL, NULL, values);
  tacPatchSnapshot patches;
  if (patches_on(world, id, snapshot, &patches))
    body->body.table->pads->add(body->body.self, &patches, NULL, NULL, values);
}
