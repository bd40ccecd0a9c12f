/* Two bodies in distributed contact, one of which a hand leads: described as a scene, baked through the cache. */
#pragma once

#include <tactus/scene.h>

typedef struct tacContactScene {
  tacScene *scene;
  tacWorld *world;
  tacVec3 start; /* of the grasp of tool 0; none where no tool holds a body */
} tacContactScene;

/* `text` is a scene's; it is closed and empty on failure. Bakes into the user's cache. */
tacStatus tac_contact_scene_open(const char *text, tacContactScene *scene, tacError *error);
/* The same of a scene that was parsed, into the rest. */
tacStatus tac_contact_scene_make(tacContactScene *scene, tacError *error);
void tac_contact_scene_close(tacContactScene *scene); /* a zeroed struct is allowed */

/* The width of the field's voxels in a pair, m; 0 where the field is exact. */
double tac_contact_scene_voxel(const tacWorld *world, int pair);

/* A hand that presses until `wanted` points are in contact, and holds them so, while it sways and turns slowly. */
typedef struct tacContactHand {
  tacVec3 start, towards; /* towards: unit */
  int wanted;
  double deepest;    /* m from the start: as far as it goes */
  double sway, turn; /* m, rad: how far */
  double depth;      /* m from the start */
  int tick;          /* of the next input */
  int reached;       /* the first tick with enough contacts, or at the deepest; -1: not yet */
} tacContactHand;
/* `points` in contact in the tick before. Steps of 1 ms. */
tacToolInput tac_contact_hand_input(tacContactHand *hand, int points);
