#include "world/world_use.h"

#include "test.h"
#include "world/world_tick.h"

TAC_TEST(world_reports_whether_it_is_sealed) {
  tacWorldDef def = tac_world_def_default();
  ck_assert(!tac_world_is_sealed(NULL));
  TAC_CREATE(tacWorld, world, tac_world_create(&def, &world, &error));
  ck_assert(!tac_world_is_sealed(world));
  tac_test_ok(tac_world_seal(world, &error), error);
  ck_assert(tac_world_is_sealed(world));
}

TAC_TEST(world_has_one_user_at_a_time) {
  tacWorldDef def = tac_world_def_default();
  TAC_CREATE(tacWorld, world, tac_world_create(&def, &world, &error));
  for (int i = 0; i < 3; ++i) {
    ck_assert(tac_world_use_begin(world));
    ck_assert(!tac_world_use_begin(world));
    ck_assert(!tac_world_use_begin(world));
    tac_world_use_end(world);
  }
}
