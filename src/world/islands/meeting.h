/* Bodies that meet by their shapes: points of one (collide/body_points.h) against the field of the other, within a margin that covers
 * what they move in a step, reduced to a few contacts that obey laws. Which bodies: those of pairs that say so, and every free body
 * with whatever comes near it (a broad phase tells), the floor included.
 *
 * By penalty a contact is soft: k of both bodies' contact stiffness, the smaller one. */
#pragma once

#include "world/world_parts.h"

enum {
  TAC_MEETING_CONTACTS = 8 /* of two bodies */,
  TAC_MEETING_UNYIELDING = 4 /* where both are rigid */,
  TAC_MEETING_COMPLIANT = 32 /* of a pair where one has no inertia: what is left out springs back at once */,
  TAC_MEETING_YIELDING = 48 /* where one has nodes that move on their own: each that is near */,
  TAC_MEETING_FARTHER = 2 /* beside, in long steps: of what is farther */,
  TAC_MEETING_MOST = TAC_LAWS_MOST_PATCH + TAC_MEETING_FARTHER
};

/* Contacts of two bodies at most: both are rigid, one deforms or they are a pair, they are one in which one answers as a compliance, or
 * one has nodes that move on their own. */
typedef enum tacMeetingBodies {
  TAC_MEET_UNYIELDING,
  TAC_MEET_SOFT,
  TAC_MEET_COMPLIANT,
  TAC_MEET_YIELDING
} tacMeetingBodies;
tacMeetingBodies tac_meeting_bodies(const tacWorld *world, int a, int b, bool pair); /* b: -1 for the floor */
/* Whether two rigid ones without a pair are met by their surfaces: where one is thinner than the points of either are apart, its edges slip
 * between these, and what is pushed past its middle goes on to the far side; and edges of boxes, of few vertices, cross between them. */
bool tac_meeting_by_features(const tacWorldBody *a, const tacWorldBody *b);
int tac_meeting_patch(const tacLawsDef *laws, tacMeetingBodies bodies);

/* Tick: fills the world's contacts. */
void tac_meeting_detect(tacWorld *world, tacTickReport *report);
/* Two rates, after a step: adds the contacts of bodies that tools hold, as they are now. Returns the number of the first. */
int tac_meeting_detect_led(tacWorld *world, tacTickReport *report);
/* Contacts of a pair that has springs, [TAC_MEETING_MOST], near ones among them; the world's stay as they are. Returns how many. */
int tac_meeting_look(tacWorld *world, const tacPair *pair, tacSetContact *contacts);
/* Load phase: room that it needs in the world's arena. */
size_t tac_meeting_room(void);
