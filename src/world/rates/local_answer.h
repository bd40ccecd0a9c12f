/* Response of bodies to the contacts of a local problem (world/rates/local_problem.h): predicted motion of contact
 * places in the next two steps, and their compliance. Each body responds by its own equations. In these equations its
 * other contacts are springs to fixed places; see docs/rates.md. */
#pragma once

#include "world/pairs/pair.h"
#include "world/rates/local_problem.h"
#include "world/rates/pulled_frame.h"

/* Call after a step, when the problem's contacts are built and its C contains their own springs. Adds the compliance of
 * bodies to C and `now`; fills `before`, `after` and the predicted motion of contacts. */
void tac_local_answer(tacWorld *world, const tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);

/* Predicts the frame of a free body held by pads, after a step with the mean pad wrench `pull`. */
void tac_local_answer_pull(tacWorld *world, tacLocalProblem *problem, const tacPull *pull, tacTickReport *report,
                           tacPulledFrame *to);

/* Load phase: bytes needed in the world's arena. */
size_t tac_local_answer_room(const tacWorld *world);
/* World position of one side of a contact of the previous problem. */
tacVec3 tac_local_past_place(const tacWorld *world, const tacPastContact *contact, int side);
/* Whether ticks solve a contact: a tool holds one of its bodies, or a point tool presses one that is a compliance
 * body. */
bool tac_local_concerns_tools(const tacWorld *world, const tacLocalProblem *problem, const tacSetContact *contact);
/* Site on the field's body that touches the pair's point `point`. */
tacSite tac_local_field_site(const tacWorld *world, const tacPair *pair, int point);
/* Force of a pair's point along its normal, N, if it is a sharing point (contact/penalty.h); otherwise zero. */
tacVec3 tac_local_sharing(const tacPair *pair, int point);
