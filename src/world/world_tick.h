/* Set by a replay before a tick; read by reports after it. */
#pragma once

#include <tactus/world.h>

/* Returns whether the world is sealed; false for NULL. */
bool tac_world_is_sealed(const tacWorld *world);

/* Closing angle of its jaws, rad, after the last step; 0 without jaws. */
double tac_world_tool_jaw_angle(const tacWorld *world, int tool);

/* For replays: from now on results are taken only in ticks before which this was called with true. */
void tac_world_replay_taking(tacWorld *world, bool take);

/* For replays: from now on bodies take what their threads would have ready only in ticks before which this was called,
 * by the bits of tacTickReport.renewed. */
void tac_world_replay_renewed(tacWorld *world, uint32_t renewed);

/* Delassus operator W of the last step, m/N: displacement of each contact per force at each other contact. For the
 * first m contacts of tac_world_contacts, m at most `most` and 64: w[3 m][3 m], dense; per contact the normal, then two
 * tangents; zero between bodies that no contacts join. Returns m, 0 if there are none. Call between steps from the
 * thread that steps. W is computed only while requested: the first call returns 0. Of a local problem it is the
 * compliance of the surroundings within a step of the bodies, without the couplings of tools. */
int tac_world_delassus(tacWorld *world, int most, double *w);
