/* Contact detection between shapes: points of one body (collide/body_points.h) against the field of the other, within a
 * margin that covers their motion in a step, reduced to a few contacts that obey laws. Tested are pairs that ask for
 * it, and every free body against all that a broad phase finds near it, the floor included.
 *
 * By penalty a contact is soft: k is the smaller contact stiffness of the two bodies. */
#pragma once

#include "world/world_parts.h"

enum {
  TAC_MEETING_CONTACTS = 8 /* of two bodies */,
  TAC_MEETING_UNYIELDING = 4 /* both rigid */,
  TAC_MEETING_COMPLIANT = 32 /* of a pair with one body without inertia: omitted points spring back at once */,
  TAC_MEETING_YIELDING = 48 /* one has nodes that move independently: every near node */,
  TAC_MEETING_FARTHER = 2 /* in addition, in long steps: contacts farther away */,
  TAC_MEETING_MOST = TAC_LAWS_MOST_PATCH + TAC_MEETING_FARTHER
};

/* Sets the contact limit of two bodies: both rigid; one deforms or they are a pair; a pair with a compliance body; one
 * has nodes that move independently. */
typedef enum tacMeetingBodies {
  TAC_MEET_UNYIELDING,
  TAC_MEET_SOFT,
  TAC_MEET_COMPLIANT,
  TAC_MEET_YIELDING
} tacMeetingBodies;
tacMeetingBodies tac_meeting_bodies(const tacWorld *world, int a, int b, bool pair); /* b: -1 for the floor */
/* Whether two rigid bodies without a pair are tested by surface features. Needed where one is thinner than the point
 * spacing of either: its edges slip between the points, and a point pushed past its middle goes out at the far side.
 * Also for boxes of few vertices, whose edges cross between points. */
bool tac_meeting_by_features(const tacWorldBody *a, const tacWorldBody *b);
int tac_meeting_patch(const tacLawsDef *laws, tacMeetingBodies bodies);

/* Tick: fills the world's contacts. */
void tac_meeting_detect(tacWorld *world, tacTickReport *report);
/* Two rates, after a step: adds the contacts of held bodies at their present poses. Returns the index of the first. */
int tac_meeting_detect_led(tacWorld *world, tacTickReport *report);
/* Contacts of a pair with springs, [TAC_MEETING_MOST], near ones included; the world's contacts do not change. Returns
 * their number. */
int tac_meeting_look(tacWorld *world, const tacPair *pair, tacSetContact *contacts);
/* Load phase: bytes needed in the world's arena. */
size_t tac_meeting_room(void);
