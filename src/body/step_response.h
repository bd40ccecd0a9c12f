/* Response of a body with step compliance in one step.
 *
 * The body gets all sites in one call, in this order: contacts, external forces, springs. The springs, f = f0 - K d, are
 * eliminated. So the compliance at the contacts includes the springs. The motion of a contact is then
 *
 *     motion = free motion + sum C f
 *
 * where f are total forces, not changes. Tick phase; frame: the body's. */
#pragma once

#include "body/response.h"

typedef struct tacStepResponse {
  /* Response of the body. Its sites are, in this order: contacts, external forces, springs. `count` is -1 if the arena
   * was too small. */
  tacResponse response;
  int contacts;    /* number of contact sites; the caller sets it after it added these sites */
  tacVec3 *motion; /* free motion of each site, m */
  double *base;    /* change of each spring force in this step while the contact forces stay constant, N */
} tacStepResponse;

/* Returns the number of arena bytes for a response with at most `most` sites. Load phase. */
size_t tac_step_response_room(int most);
/* Begins a step with at most `most` sites. The caller then adds the sites and springs to `response`. Returns false if
 * the arena is too small. */
bool tac_step_response_begin(tacStepResponse *y, const tacBody *body, const tacBodyStep *step, int most,
                             tacArena *arena);
/* Starts the step of the body with all sites. `step` is that of tac_step_response_begin and receives the springs.
 * Computes the compliance, and the free motion of the contacts. */
void tac_step_response_start(tacStepResponse *y, tacBodyStep *step, tacArena *arena);
/* Returns true if the body can recompute its motion from its full equations. A body with springs cannot, since they
 * would have to be eliminated again. */
bool tac_step_response_may_repeat(const tacStepResponse *y);
/* Recomputes the free motion under the contact forces `response.forces`. */
void tac_step_response_repeat(tacStepResponse *y);
/* Ends the step under the final contact forces `response.forces`. `change` [3 contacts]: their change since the start of
 * the step, N. The arena needs 3 numbers for each spring. */
tacBodyFinish tac_step_response_end(tacStepResponse *y, const double *change, tacArena *arena);

/* Adds to `sum` the motion that a change of the force at a contact (N) causes. For a site with a force, `sum` [3] is the
 * motion of this site. For a site with a spring, `sum` [3 springs] is the motion of all springs. */
void tac_step_response_add_change(const tacStepResponse *y, int site, int contact, tacVec3 change, double *sum);
/* Returns the motion of a site in this step, m. `sum`: motion by the changes of all contact forces. `stiffness`: that of
 * the site's spring in all directions, N/m; not used for a site with a force. */
tacVec3 tac_step_response_motion(const tacStepResponse *y, int site, double stiffness, const double *sum);
