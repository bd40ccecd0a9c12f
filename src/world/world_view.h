/* Body data for pictures, plots and reports: offsets in the state, basis, load, sensors and warnings. */
#pragma once

#include <tactus/world.h>

/* Offset of a body's numbers in the state, or -1. */
int tac_world_body_state(const tacWorld *world, tacBodyId id);

/* Offset of the body's pose in the state (position, orientation); -1: the body is neither free nor held. */
int tac_world_body_pose_state(const tacWorld *world, tacBodyId id);

/* Basis of a body that is shown by coordinates. False for other bodies. Any thread, no allocation. The second function
 * returns the shapes from which the basis was made: call it with index 0, 1, ... until it returns false. */
bool tac_world_body_basis(const tacWorld *world, tacBodyId id, tacShownBasis *basis);
bool tac_world_body_shape(const tacWorld *world, tacBodyId id, int index, tacShownShape *shape);

/* Solution method of the body's model, such as "boundary elements", or the name of its kind. NULL: no such body. */
const char *tac_world_body_method(const tacWorld *world, tacBodyId id);
bool tac_world_body_has_tractions(const tacWorld *world, tacBodyId id);      /* false: its tractions are zero */
bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id); /* its kind can report one */

/* Cause of a large estimated model error, and the remedy; "" if the kind gives none. */
const char *tac_world_body_error_cause(const tacWorld *world, tacBodyId id);
const char *tac_world_body_remedy(const tacWorld *world, tacBodyId id);

/* Other numbers of a body in each state, with index 0, 1, ... until false; `at` is the offset in the state. */
bool tac_world_body_number(const tacWorld *world, tacBodyId id, int index, tacShownNumber *number);
double tac_world_body_step(const tacWorld *world, tacBodyId id); /* s, between steps of a body */

/* Total load on a body whose model is valid only in a baked load range. Sums the forces of point tools and of all
 * touching bodies, world frame. False: the body has no baked load range. Any thread, no allocation. */
typedef struct tacShownLoad {
  tacVec3 at;    /* m: mean of the places weighted by force magnitude; zero without load */
  tacVec3 force; /* N, on the body: sum */
  bool beyond;   /* outside the baked range (tacBodyTable.covers) */
} tacShownLoad;
bool tac_world_body_load(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacShownLoad *load);

/* The single forces whose response was baked for the body. False: none. Any thread, no allocation. */
bool tac_world_body_known_loads(const tacWorld *world, tacBodyId id, tacKnownLoads *loads);

/* Linear response of a coordinate to the largest baked force at a vertex along each axis (body's frame). False: no
 * baked force acts at this vertex. */
bool tac_world_body_load_mode(const tacWorld *world, tacBodyId id, int vertex, int coordinate, tacVec3 *mode);

/* Sensors of a body, with index 0, 1, ... until false; and the total count of their numbers. */
bool tac_world_body_sensor(const tacWorld *world, tacBodyId id, int index, tacShownSensor *sensor);
int tac_world_body_sensor_rows(const tacWorld *world, tacBodyId id);
