/* Values that a replay sets before a tick, and values that reports read after it. */
#pragma once

#include <tactus/world.h>

/* Returns whether the world is sealed; false for NULL. */
bool tac_world_is_sealed(const tacWorld *world);

/* Closing angle of the tool's jaws after the last step, rad; 0 without jaws. */
double tac_world_tool_jaw_angle(const tacWorld *world, int tool);

/* For replays: from now on a tick takes the result of the bodies' step only if this was called with true before it. */
void tac_world_replay_taking(tacWorld *world, bool take);

/* For replays: the bodies in `renewed` (bits of tacTickReport.renewed) use the results of their threads in the next
 * step. From now on, bodies use these results only if a call of this function selects them before the step. */
void tac_world_replay_renewed(tacWorld *world, uint32_t renewed);

/* Delassus operator W of the last step, m/N: displacement of each contact per force at each other contact. For the
 * first m contacts of tac_world_contacts, m at most `most` and 64: w[3 m][3 m], dense; per contact the normal, then two
 * tangents. Entries between bodies that no contacts connect are zero. Returns m; 0 without contacts. Call between steps
 * from the thread that steps. W is computed only while requested: the first call returns 0. In a local problem, W is
 * the compliance of the surroundings within a step of the bodies, without the couplings of tools. */
int tac_world_delassus(tacWorld *world, int most, double *w);
