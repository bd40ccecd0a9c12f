/* Free bodies that meet each other, by the balls that bound them, and the floor, by points of their surfaces. They are pushed
 * at the point of the surface that is nearest, so that they deform where they are hit. */
#ifndef TAC_WORLD_CROWD_H
#define TAC_WORLD_CROWD_H

#include <tactus/world.h>

typedef struct tacCrowd {
  int count;       /* free bodies; everything below is by member */
  int *body;       /* index in the world */
  int *member;     /* [body of the world] -> member, or -1 */
  tacVec3 *centre; /* of mass, when the tick began: who may be near whom */
  double *radius;  /* m, at rest */
  /* A hash of cells as wide as the largest ball: bucket -> first member, member -> next. */
  double cell;
  int bucket_count, *first, *next;
} tacCrowd;

/* Load phase, when all bodies are there. */
tacStatus tac_crowd_create(const tacWorld *world, tacCrowd *crowd, tacError *error);
void tac_crowd_destroy(tacCrowd *crowd); /* may be called on {0} */

/* Once a tick, before bodies advance: where they are. */
void tac_crowd_locate(const tacWorld *world, tacCrowd *crowd);
/* What pushes the body in its next step, and others with it: of two that touch, the one that steps more seldom finds the impulse
 * for both, of two alike the first. Nothing where the body is not free. */
void tac_crowd_push(tacWorld *world, int body, tacTickReport *report);

#endif
