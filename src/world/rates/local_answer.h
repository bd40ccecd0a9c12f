/* How bodies answer the contacts of a local problem (world/rates/local_problem.h): how places go on in the next two steps, and how they give
 * way. Each body answers by its own equations, in which its contacts with others are springs to what does not move; docs/rates.md. */
#pragma once

#include "world/pairs/pair.h"
#include "world/rates/local_problem.h"
#include "world/rates/pulled_frame.h"

/* After a step, of a problem whose contacts are built, and in whose C their own springs are: adds what bodies give way to C and `now`, and fills
 * `before`, `after` and how contacts go on. */
void tac_local_answer(tacWorld *world, const tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);

/* Of a free body that pads hold, after a step in which they did `pull`: how its frame goes on. */
void tac_local_answer_pull(tacWorld *world, tacLocalProblem *problem, const tacPull *pull, tacTickReport *report,
                           tacPulledFrame *to);

/* Load phase: bytes that it takes from the world's arena. */
size_t tac_local_answer_room(const tacWorld *world);
/* Where a contact of the problem before is on a body, world. */
tacVec3 tac_local_past_place(const tacWorld *world, const tacPastContact *contact, int side);
/* Whether ticks solve a contact: a tool holds one of its bodies, or presses one that answers as a compliance. */
bool tac_local_concerns_tools(const tacWorld *world, const tacLocalProblem *problem, const tacSetContact *contact);
/* Where a point of a pair is on the body of the field. */
tacSite tac_local_field_site(const tacWorld *world, const tacPair *pair, int point);
/* N: the force of a point of a pair that shares, along its normal; of others none. */
tacVec3 tac_local_sharing(const tacPair *pair, int point);
