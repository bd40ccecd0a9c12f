/* What a replay sets before a tick, and what reports read after it. */
#pragma once

#include <tactus/world.h>

/* How far its jaws are closed, rad, after the last step; 0 where it has none. */
double tac_world_tool_jaw_angle(const tacWorld *world, int tool);

/* For replays: from now on results are taken in the ticks that this is called before with true, and in no others. */
void tac_world_replay_taking(tacWorld *world, bool take);

/* For replays: from now on bodies take what their threads would have ready in the ticks that this is called before, by the bits of
 * tacTickReport.renewed, and in no others. */
void tac_world_replay_renewed(tacWorld *world, uint32_t renewed);

/* The Delassus operator W of the last step, m/N: how far each contact gives way under the force of each other. Of the first m contacts
 * of tac_world_contacts, at most `most` and 64: w[3 m][3 m], dense; of each contact first along the normal, then along two
 * directions across; zero between bodies that no contacts join. Returns m, 0 where there are none. Likewise between steps, from the
 * thread that steps. It is kept while it is asked for: the first answer is 0. Of a local problem it is how the surroundings give way
 * within a step of the bodies, without the couplings of tools. */
int tac_world_delassus(tacWorld *world, int most, double *w);
