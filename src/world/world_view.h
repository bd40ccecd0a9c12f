/* Data of bodies for display and reports: offsets in the state, basis, load, sensors and warnings.
 *
 * Any thread may call these functions. They do not allocate memory. */
#pragma once

#include <tactus/world.h>

/* Returns the offset of the body's displayed state in the state of the world, or -1. */
int tac_world_body_state(const tacWorld *world, tacBodyId id);

/* Returns the offset of the body's pose (position, orientation) in the state of the world. -1 if the state contains no
 * pose of the body. */
int tac_world_body_pose_state(const tacWorld *world, tacBodyId id);

/* Writes the displacement basis of a body that is shown by coordinates. False for other bodies. tac_world_body_shape
 * writes the shapes from which the basis was built, with `index` 0, 1, ... until it returns false. */
bool tac_world_body_basis(const tacWorld *world, tacBodyId id, tacShownBasis *basis);
bool tac_world_body_shape(const tacWorld *world, tacBodyId id, int index, tacShownShape *shape);

/* Returns the solution method of the body's model, such as "boundary elements", or the name of its kind. NULL if the
 * body does not exist. */
const char *tac_world_body_method(const tacWorld *world, tacBodyId id);
/* True if the body reports tractions. Otherwise its tractions are zero. */
bool tac_world_body_has_tractions(const tacWorld *world, tacBodyId id);
/* True if the kind of the body can estimate its model error. */
bool tac_world_body_has_error_estimate(const tacWorld *world, tacBodyId id);

/* Return the cause of a large estimated model error, and its remedy. "" if the kind gives no text. */
const char *tac_world_body_error_cause(const tacWorld *world, tacBodyId id);
const char *tac_world_body_remedy(const tacWorld *world, tacBodyId id);

/* Describes a number in the body's state, with `index` 0, 1, ... until the function returns false. `number->at` is the
 * offset in the state of the world. */
bool tac_world_body_number(const tacWorld *world, tacBodyId id, int index, tacShownNumber *number);
/* Returns the time between two steps of the body, s. */
double tac_world_body_step(const tacWorld *world, tacBodyId id);

/* Computes the total load on a body, the sum of the forces of point tools and touching bodies, world frame. False for a
 * body without a precomputed load range (tacBodyLooks.covers). */
typedef struct tacShownLoad {
  tacVec3 at;    /* mean of the contact positions, weighted by force magnitude, m; zero without load */
  tacVec3 force; /* total force on the body, N */
  bool beyond;   /* true if the load is outside the precomputed range (tacBodyLooks.covers) */
} tacShownLoad;
bool tac_world_body_load(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacShownLoad *load);

/* Writes the single forces for which the response of the body was precomputed. False if no forces were precomputed. */
bool tac_world_body_known_loads(const tacWorld *world, tacBodyId id, tacKnownLoads *loads);

/* Computes the linear response of one coordinate to the largest precomputed force at a vertex, along each axis of the
 * body's frame. False if no force was precomputed at this vertex. */
bool tac_world_body_load_mode(const tacWorld *world, tacBodyId id, int vertex, int coordinate, tacVec3 *mode);

/* Describe the sensors of a body. tac_world_body_sensor takes `index` 0, 1, ... and returns false after the last
 * sensor. tac_world_body_sensor_rows returns the total count of numbers of all sensors. */
bool tac_world_body_sensor(const tacWorld *world, tacBodyId id, int index, tacShownSensor *sensor);
int tac_world_body_sensor_rows(const tacWorld *world, tacBodyId id);
