/* A tick of a world. */
#include "world/world_parts.h"

tacStatus tac_world_start_simulation(tacWorld *world, tacError *error) {
  (void)world, (void)error;
  return TAC_OK;
}

void tac_world_stop_simulation(tacWorld *world) {
  (void)world;
}

void tac_world_tell_taking(tacWorld *world, bool take) {
  (void)world, (void)take;
}
