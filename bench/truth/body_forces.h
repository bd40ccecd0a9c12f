/* What contacts did to bodies in the last step of a world, force by force. The only place of these measurements that
 * knows how a pair by penalty keeps its forces. */
#pragma once

#include <tactus/world.h>

/* Of one side of a contact; the other side is another one. */
typedef struct tacBodyForce {
  int body;          /* index; -1: what never moves */
  tacVec3 at, force; /* m, N: on that body; world */
  double depth;      /* m; negative: a gap */
} tacBodyForce;

/* As many as a world can have at most. */
int tac_body_forces_most(const tacWorld *world);
/* Both sides of all contacts of bodies with bodies and the floor; returns how many. Point tools and pads are not
 * among them. */
int tac_body_forces(const tacWorld *world, tacBodyForce *forces);
