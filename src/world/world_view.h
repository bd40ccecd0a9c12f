/* What pictures, plots and reports show of a body: where its numbers are in a state, its basis, load, sensors and warnings. */
#pragma once

#include <tactus/world.h>

/* Where a body's numbers begin in the state, or -1. */
int tac_world_body_state(const tacWorld *world, tacBodyId id);

/* Where its pose begins there (position, orientation), or -1: it is neither free nor held. */
int tac_world_body_pose_state(const tacWorld *world, tacBodyId id);

/* How a body that is shown by coordinates moves with them, and the shapes that its basis was made from, of the index 0, 1, ... until
 * false. False for all other bodies. Any thread, no allocation. */
bool tac_world_body_basis(const tacWorld *world, tacBodyId id, tacShownBasis *basis);
bool tac_world_body_shape(const tacWorld *world, tacBodyId id, int index, tacShownShape *shape);

/* How its model was solved, "boundary elements", or the name of its kind; NULL where there is no such body. */
const char *tac_world_body_method(const tacWorld *world, tacBodyId id);
bool tac_world_body_has_tractions(const tacWorld *world, tacBodyId id);      /* else those below are zero */
bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id); /* its kind may tell of it */

/* What is wrong where that is large, and what to do; "" where it has nothing to say. */
const char *tac_world_body_error_cause(const tacWorld *world, tacBodyId id);
const char *tac_world_body_remedy(const tacWorld *world, tacBodyId id);

/* What else a body tells of itself in each state, of the index 0, 1, ... until false: `at` is where in the state. */
bool tac_world_body_number(const tacWorld *world, tacBodyId id, int index, tacShownNumber *number);
double tac_world_body_step(const tacWorld *world, tacBodyId id); /* s, from one step of a body to the next */

/* What presses a body that answers only some loads in that moment, world frame: point tools and all bodies that touch it, together.
 * False: it is no such body. Any thread, no allocation. */
typedef struct tacShownLoad {
  tacVec3 at;    /* m: the mean of the places by the sizes of their forces; zero where nothing presses */
  tacVec3 force; /* N, on the body: the sum */
  bool beyond;   /* it is not what was baked (tacBodyTable.covers) */
} tacShownLoad;
bool tac_world_body_load(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacShownLoad *load);

/* The single forces that such a body knows its answer to. False: there are none. Any thread, no allocation. */
bool tac_world_body_known_loads(const tacWorld *world, tacBodyId id, tacKnownLoads *loads);

/* What one of the largest size along each axis (body's frame) at a vertex adds to a coordinate, without its nonlinear part. False: none
 * acts there. */
bool tac_world_body_load_mode(const tacWorld *world, tacBodyId id, int vertex, int coordinate, tacVec3 *mode);

/* A body's sensors, of the index 0, 1, ... until false; and how many numbers all of them have. */
bool tac_world_body_sensor(const tacWorld *world, tacBodyId id, int index, tacShownSensor *sensor);
int tac_world_body_sensor_rows(const tacWorld *world, tacBodyId id);
