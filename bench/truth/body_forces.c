#include "bench/truth/body_forces.h"

#include "math/geometry/vec3.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

int tac_body_forces_most(const tacWorld *world) {
  int most = 2 * world->contacts.capacity;
  for (int p = 0; p < world->pair_count; ++p) most += 2 * world->contact_pairs[p].capacity;
  return most;
}

static void add(tacBodyForce *forces, int body, int other, tacVec3 at, tacVec3 force, double depth) {
  forces[0] = (tacBodyForce){body, at, force, depth};
  forces[1] = (tacBodyForce){other, at, tac_vec3_scale(-1.0, force), depth};
}

int tac_body_forces(const tacWorld *world, tacBodyForce *forces) {
  int count = 0;
  for (int i = 0; i < world->contacts.count; ++i, count += 2) {
    const tacSetContact *c = &world->contacts.list[i];
    add(forces + count, c->body[0], c->body[1], c->at, c->force, -c->gap);
  }
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (pair->laws) continue;
    for (int i = 0; i < pair->count; ++i, count += 2)
      add(forces + count, pair->points, pair->field, pair->springs[i].at, pair->springs[i].force, pair->at[i].depth);
  }
  return count;
}
