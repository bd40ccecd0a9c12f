/* Response of bodies to the contacts of a local problem (couple/local_problem.h): compliance, and predicted motion
 * at the contacts in the next two steps. Each body responds by the equations of its own step. In these equations,
 * contacts of the body that ticks do not solve are springs to fixed places (docs/rates.md). */
#pragma once

#include "couple/local_problem.h"
#include "couple/pulled_frame.h"
#include "world/pairs/pair.h"

/* Adds the compliance of the bodies to `compliance` and `now`. Computes `before`, `after` and the predicted motion
 * at the contacts. Call after a step, when `compliance` contains the compliance of the contacts. */
void tac_local_answer(tacWorld *world, const tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);

/* Computes the equations by which ticks move the frame of a free body that pads hold. Call after a step with the mean
 * wrench `pull` of the pads. */
void tac_local_answer_pull(tacWorld *world, tacLocalProblem *problem, const tacPull *pull, tacTickReport *report,
                           tacPulledFrame *to);

/* Returns the number of bytes that tac_local_answer needs in the world's arena. Load phase. */
size_t tac_local_answer_room(const tacWorld *world);
/* Returns the world position of one side of a past contact. */
tacVec3 tac_local_past_place(const tacWorld *world, const tacPastContact *contact, int side);
/* Returns true if ticks solve the contact. This requires that a tool holds one of the two bodies, or that a point tool
 * touches a compliance body among the two. */
bool tac_local_concerns_tools(const tacWorld *world, const tacLocalProblem *problem, const tacSetContact *contact);
/* Returns the site on the body with the distance field that touches the point `point` of the pair. */
tacSite tac_local_field_site(const tacWorld *world, const tacPair *pair, int point);
/* Returns the normal force of a point of the pair, N; zero if it is not a sharing point (contact/penalty.h). */
tacVec3 tac_local_sharing(const tacPair *pair, int point);
