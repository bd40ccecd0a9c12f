#include "world/world_use.h"

#include "world/world_parts.h"

bool tac_world_is_sealed(const tacWorld *world) {
  return world != NULL && world->sealed;
}

bool tac_world_use_begin(tacWorld *world) {
  return !atomic_exchange_explicit(&world->used, true, memory_order_acquire);
}

void tac_world_use_end(tacWorld *world) {
  atomic_store_explicit(&world->used, false, memory_order_release);
}
