#include "world/crowd.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/array.h"
#include "world/world_parts.h"

/* Of the points at which a body meets the floor, a flat one has half below: enough for one side are solved, always the same. */
enum { CONTACT_POINTS = 48, MOST_ON_FLOOR = CONTACT_POINTS / 2 };

static bool is_free(const tacWorldBody *body) {
  return body->kind == TAC_BODY_REDUCED && tac_reduced_is_free(tac_reduced_body_asset(body->reduced));
}

tacStatus tac_crowd_create(const tacWorld *world, tacCrowd *crowd, tacError *error) {
  *crowd = (tacCrowd){0};
  for (int b = 0; b < world->body_count; ++b) crowd->count += is_free(&world->bodies[b]);
  if (crowd->count == 0) return TAC_OK;
  size_t count = (size_t)crowd->count;
  crowd->bucket_count = 64;
  while (crowd->bucket_count < 2 * crowd->count) crowd->bucket_count *= 2;
  crowd->body = tac_array_create(count, sizeof *crowd->body, "free bodies", error);
  crowd->member = tac_array_create((size_t)world->body_count, sizeof *crowd->member, "free bodies", error);
  crowd->centre = tac_array_create(count, sizeof *crowd->centre, "free bodies", error);
  crowd->radius = tac_array_create(count, sizeof *crowd->radius, "free bodies", error);
  crowd->next = tac_array_create(count, sizeof *crowd->next, "free bodies", error);
  crowd->first = tac_array_create((size_t)crowd->bucket_count, sizeof *crowd->first, "free bodies", error);
  if (crowd->body == NULL || crowd->member == NULL || crowd->centre == NULL || crowd->radius == NULL ||
      crowd->next == NULL || crowd->first == NULL) {
    tac_crowd_destroy(crowd);
    return TAC_ERR_MEMORY;
  }
  int member = 0;
  for (int b = 0; b < world->body_count; ++b) {
    crowd->member[b] = is_free(&world->bodies[b]) ? member : -1;
    if (crowd->member[b] < 0) continue;
    crowd->body[member] = b;
    crowd->radius[member] = world->bodies[b].surface->radius;
    crowd->cell = fmax(crowd->cell, 2.0 * crowd->radius[member]);
    ++member;
  }
  return TAC_OK;
}

void tac_crowd_destroy(tacCrowd *crowd) {
  free(crowd->body);
  free(crowd->member);
  free(crowd->centre);
  free(crowd->radius);
  free(crowd->next);
  free(crowd->first);
  *crowd = (tacCrowd){0};
}

static int cell_of(const tacCrowd *crowd, double x) {
  double c = floor(x / crowd->cell);
  return c > -1e9 && c < 1e9 ? (int)c : 0;
}

static int bucket_of(const tacCrowd *crowd, int i, int j, int k) {
  uint32_t hash = (uint32_t)i * 73856093u ^ (uint32_t)j * 19349663u ^ (uint32_t)k * 83492791u;
  return (int)((hash ^ hash >> 15) & (uint32_t)(crowd->bucket_count - 1));
}

void tac_crowd_locate(const tacWorld *world, tacCrowd *crowd) {
  for (int i = 0; i < crowd->bucket_count; ++i) crowd->first[i] = -1;
  for (int m = crowd->count - 1; m >= 0; --m) { /* backwards: members of a cell are met in their order */
    tacVec3 c = tac_reduced_body_centre(world->bodies[crowd->body[m]].reduced);
    crowd->centre[m] = c;
    int bucket = bucket_of(crowd, cell_of(crowd, c.x), cell_of(crowd, c.y), cell_of(crowd, c.z));
    crowd->next[m] = crowd->first[bucket];
    crowd->first[bucket] = m;
  }
}

/* What touches a body in this step. */
typedef struct Contacts {
  int count;
  tacReducedContact list[TAC_REDUCED_MOST_SPRINGS];
} Contacts;

static int contact_points(const tacDeformedSurface *surface) {
  return surface->sample_count < CONTACT_POINTS ? surface->sample_count : CONTACT_POINTS;
}

/* A direction in the frame of a body. */
static tacVec3 inside(const tacWorldBody *body, tacVec3 direction) {
  return tac_quat_rotate(tac_quat_conjugate(tac_reduced_body_orientation(body->reduced)), direction);
}

static int touch_floor(const tacWorld *world, int member, Contacts *contacts) {
  const tacFloorDef *ground = &world->floor;
  const tacWorldBody *body = &world->bodies[world->crowd.body[member]];
  const tacDeformedSurface *surface = body->surface;
  const double *q = tac_reduced_body_q(body->reduced);
  double height = tac_vec3_dot(ground->normal, world->crowd.centre[member]) - ground->offset;
  double bound = tac_deformed_surface_bound(surface, q), most_moved = bound - surface->radius;
  if (height > bound) return 0;
  tacVec3 up = inside(body, ground->normal);
  for (int i = 0; i < contact_points(surface) && contacts->count < MOST_ON_FLOOR; ++i) {
    int v = surface->samples[i];
    tacVec3 rest = tac_reduced_surface(surface->reduced)->vertices[v];
    if (height + tac_vec3_dot(up, tac_vec3_sub(rest, surface->centre)) > most_moved) continue;
    tacVec3 where = tac_reduced_body_vertex(body->reduced, v);
    double depth = ground->offset - tac_vec3_dot(ground->normal, where);
    if (!(depth > 0.0)) continue;
    contacts->list[contacts->count++] = (tacReducedContact){.at = tac_deformed_surface_at_vertex(surface, v),
                                                            .where = where,
                                                            .normal = ground->normal,
                                                            .depth = depth,
                                                            .stiffness = body->contact_stiffness,
                                                            .damping = body->contact_damping,
                                                            .friction = ground->friction};
  }
  return contacts->count > 0;
}

/* The sample of the body that is farthest along a direction, at rest. */
static int support(const tacWorldBody *body, tacVec3 direction) {
  tacVec3 d = inside(body, direction);
  const tacVec3 *rest = tac_reduced_surface(body->surface->reduced)->vertices;
  int best = body->surface->samples[0];
  for (int i = 1; i < contact_points(body->surface) / 2; ++i) {
    int v = body->surface->samples[i];
    if (tac_vec3_dot(rest[v], d) > tac_vec3_dot(rest[best], d)) best = v;
  }
  return best;
}

/* Whether `member` finds the impulses between the two. A step that is no shorter than the other's sees it move in between, and
 * what it looks ahead covers the time until it looks again. */
static bool decides(const tacWorld *world, int member, int other) {
  int every = world->bodies[world->crowd.body[member]].every, others = world->bodies[world->crowd.body[other]].every;
  return every > others || (every == others && member < other);
}

/* The balls are where forces act on their bodies, so a push along the line of centres turns nobody. */
static int touch_other(const tacWorld *world, int member, int other, Contacts *contacts) {
  const tacCrowd *crowd = &world->crowd;
  const tacWorldBody *a = &world->bodies[crowd->body[member]], *b = &world->bodies[crowd->body[other]];
  tacVec3 from = tac_reduced_body_halfway(a->reduced);
  tacVec3 apart = tac_vec3_sub(from, tac_reduced_body_halfway(b->reduced));
  double distance = tac_vec3_norm(apart), depth = crowd->radius[member] + crowd->radius[other] - distance;
  if (!(depth > 0.0) || !(distance > 0.0) || contacts->count == TAC_REDUCED_MOST_SPRINGS) return 0;
  tacVec3 normal = tac_vec3_scale(1.0 / distance, apart), back = tac_vec3_scale(-1.0, normal);
  contacts->list[contacts->count++] =
      (tacReducedContact){.at = tac_deformed_surface_at_vertex(a->surface, support(a, back)),
                          .where = tac_vec3_mad(from, 0.5 * depth - crowd->radius[member], normal),
                          .normal = normal,
                          .other = b->reduced,
                          .there = tac_deformed_surface_at_vertex(b->surface, support(b, normal)),
                          .depth = depth,
                          .stiffness = fmin(a->contact_stiffness, b->contact_stiffness),
                          .damping = fmin(a->contact_damping, b->contact_damping),
                          .friction = fmin(a->friction, b->friction)};
  return 1;
}

void tac_crowd_push(tacWorld *world, int body, tacTickReport *report) {
  const tacCrowd *crowd = &world->crowd;
  if (crowd->count == 0 || crowd->member[body] < 0) return;
  int member = crowd->member[body];
  Contacts contacts; /* large: not cleared */
  contacts.count = 0;
  if (world->has_floor) report->touching += touch_floor(world, member, &contacts);
  tacVec3 c = crowd->centre[member];
  int i = cell_of(crowd, c.x), j = cell_of(crowd, c.y), k = cell_of(crowd, c.z);
  for (int n = 0; n < 27; ++n) {
    int ci = i + n % 3 - 1, cj = j + n / 3 % 3 - 1, ck = k + n / 9 - 1;
    for (int m = crowd->first[bucket_of(crowd, ci, cj, ck)]; m >= 0; m = crowd->next[m]) {
      tacVec3 o = crowd->centre[m];
      if (m == member || !decides(world, member, m)) continue;
      /* Cells share buckets: only those of this cell, so that nobody is met twice. */
      if (cell_of(crowd, o.x) == ci && cell_of(crowd, o.y) == cj && cell_of(crowd, o.z) == ck)
        report->touching += touch_other(world, member, m, &contacts);
    }
  }
  tac_reduced_body_add_contacts(world->bodies[body].reduced, contacts.count, contacts.list);
}
