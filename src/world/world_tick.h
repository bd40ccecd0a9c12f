/* Functions for replays and reports that are called before or after a tick. */
#pragma once

#include <tactus/world.h>

/* True if the world is sealed; false for NULL. */
bool tac_world_is_sealed(const tacWorld *world);

/* Returns the angle of the tool's jaws after the last step, rad; 0 if the tool has no jaws. */
double tac_world_tool_jaw_angle(const tacWorld *world, int tool);

/* Lets the next tick of a replay take the finished result of the bodies' step if `take` is true. After the first call,
 * a tick takes a result only if this function was called with true before that tick. */
void tac_world_replay_taking(tacWorld *world, bool take);

/* Selects for a replay the bodies that use the results of their threads in the next step (bits of
 * tacTickReport.renewed). After the first call, a body uses a result only if this function selected the body before the
 * step. */
void tac_world_replay_renewed(tacWorld *world, uint32_t renewed);

/* Writes the Delassus operator W of the last step, m/N: the displacement of each contact per force at each contact.
 * Returns the number m of contacts, at most `most` and 64; 0 without contacts.
 *
 * W is a dense matrix w[3 m][3 m] for the first m contacts of tac_world_contacts. The three rows of a contact are the
 * normal and two tangents. Entries between bodies that no contacts connect are zero. If steps are longer than ticks, W
 * belongs to the local problem: the compliance of the tools' surroundings in a step of the bodies, without couplings.
 *
 * W is computed only while it is requested, so the first call returns 0. Call between two steps, from the thread that
 * steps. */
int tac_world_delassus(tacWorld *world, int most, double *w);
