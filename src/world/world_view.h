/* Body data for pictures, plots and reports: offsets in the state, basis, load, sensors and warnings. */
#pragma once

#include <tactus/world.h>

/* Offset of a body's numbers in the state, or -1. */
int tac_world_body_state(const tacWorld *world, tacBodyId id);

/* Offset of its pose there (position, orientation); -1: neither free nor held. */
int tac_world_body_pose_state(const tacWorld *world, tacBodyId id);

/* Basis of a body that is shown by coordinates, and the shapes its basis was made from; call with index 0, 1, ... until
 * false. False for other bodies. Any thread, no allocation. */
bool tac_world_body_basis(const tacWorld *world, tacBodyId id, tacShownBasis *basis);
bool tac_world_body_shape(const tacWorld *world, tacBodyId id, int index, tacShownShape *shape);

/* Solution method of its model, as "boundary elements", or the name of its kind; NULL: no such body. */
const char *tac_world_body_method(const tacWorld *world, tacBodyId id);
bool tac_world_body_has_tractions(const tacWorld *world, tacBodyId id);      /* else those below are zero */
bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id); /* its kind can report one */

/* Cause of a large estimate, and the remedy; "" if the kind gives none. */
const char *tac_world_body_error_cause(const tacWorld *world, tacBodyId id);
const char *tac_world_body_remedy(const tacWorld *world, tacBodyId id);

/* Other numbers of a body in each state, with index 0, 1, ... until false; `at` is the offset in the state. */
bool tac_world_body_number(const tacWorld *world, tacBodyId id, int index, tacShownNumber *number);
double tac_world_body_step(const tacWorld *world, tacBodyId id); /* s, between steps of a body */

/* Total load on a body whose model covers only some loads, world frame: point tools and all bodies that touch it.
 * False: no such body. Any thread, no allocation. */
typedef struct tacShownLoad {
  tacVec3 at;    /* m: mean of the places weighted by force magnitude; zero without load */
  tacVec3 force; /* N, on the body: sum */
  bool beyond;   /* outside the baked range (tacBodyTable.covers) */
} tacShownLoad;
bool tac_world_body_load(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacShownLoad *load);

/* The single forces whose response such a body knows. False: none. Any thread, no allocation. */
bool tac_world_body_known_loads(const tacWorld *world, tacBodyId id, tacKnownLoads *loads);

/* Linear response of a coordinate to the largest such force at a vertex along each axis (body's frame). False: no force
 * acts there. */
bool tac_world_body_load_mode(const tacWorld *world, tacBodyId id, int vertex, int coordinate, tacVec3 *mode);

/* Sensors of a body, with index 0, 1, ... until false; and the total count of their numbers. */
bool tac_world_body_sensor(const tacWorld *world, tacBodyId id, int index, tacShownSensor *sensor);
int tac_world_body_sensor_rows(const tacWorld *world, tacBodyId id);
