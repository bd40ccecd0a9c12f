/* The bake of a scene's whole version, in the background, while its small one is touched: on threads that yield to all others. */
#pragma once

#include "app/viewer/stage/loading.h"

typedef struct tacWholeBake tacWholeBake;

typedef struct tacWholeBakeMoment {
  double fraction, remaining; /* as of tacLoadingMoment */
  bool ready;
  char fault[256]; /* why it cannot be; "": nothing is wrong */
} tacWholeBakeMoment;

/* `report` is called on the thread of the bake. */
tacStatus tac_whole_bake_start(const char *path, const char *cache,
                               void (*report)(const tacWholeBakeMoment *moment, void *user), void *user,
                               tacWholeBake **bake, tacError *error);
/* Ends it, and what it holds; what is finished stays in the cache. Not from within `report`. NULL is allowed. */
void tac_whole_bake_stop(tacWholeBake *bake);
