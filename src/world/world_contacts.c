/* The contacts of the last step or tick, and how they are coupled. */
#include <string.h>
#include "world/rates/simulation.h"
#include "world/world_parts.h"

enum { COUPLING_TICKS = 5000 }; /* for which W is kept after it was asked for */

int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts) {
  if (world->simulation != NULL) return tac_simulation_contacts(world->simulation, most, contacts);
  int count = world->contacts.count < most ? world->contacts.count : most;
  for (int i = 0; i < count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    contacts[i] = (tacShownContact){{c->body[0], c->body[1]}, c->at, c->normal, c->force, c->friction, c->state};
  }
  return count;
}

int tac_world_delassus(tacWorld *world, int most, double *w) {
  if (world->simulation != NULL) return tac_simulation_delassus(world->simulation, most, w);
  if (world->coupling.w == NULL) return 0;
  int kept = world->coupling.count, count = kept < most ? kept : most;
  world->coupling.until = world->tick + COUPLING_TICKS;
  for (size_t i = 0; i < 3 * (size_t)count; ++i)
    memcpy(w + i * 3 * (size_t)count, world->coupling.w + i * 3 * (size_t)kept, 3 * (size_t)count * sizeof *w);
  return count;
}
