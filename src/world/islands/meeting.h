/* Contact detection between shapes: points of one body (collide/body_points.h) against the field of the other. A margin
 * covers their motion in a step. The points found are reduced to a few contacts that obey laws. The detection tests
 * pairs with laws, and every free body against all bodies and the floor that a broad phase finds near it.
 *
 * With the penalty method a contact is soft: k is the smaller contact stiffness of the two bodies. */
#pragma once

#include "world/world_parts.h"

enum {
  TAC_MEETING_CONTACTS = 8 /* contacts of two bodies, unless a limit below applies */,
  TAC_MEETING_UNYIELDING = 4 /* contacts of two rigid bodies */,
  TAC_MEETING_COMPLIANT = 32 /* contacts of a pair with a compliance body, whose omitted points spring back at once */,
  TAC_MEETING_YIELDING = 48 /* contacts if one body has independent nodes: every near node */,
  TAC_MEETING_FARTHER = 2 /* additional, more distant contacts in long steps */,
  TAC_MEETING_MOST = TAC_LAWS_MOST_PATCH + TAC_MEETING_FARTHER
};

/* Type of two bodies, which sets their contact limit. In order: both are rigid; one deforms, or they form a pair; they
 * form a pair with a compliance body; one has nodes that move independently. */
typedef enum tacMeetingBodies {
  TAC_MEET_UNYIELDING,
  TAC_MEET_SOFT,
  TAC_MEET_COMPLIANT,
  TAC_MEET_YIELDING
} tacMeetingBodies;
tacMeetingBodies tac_meeting_bodies(const tacWorld *world, int a, int b, bool pair); /* b: -1 for the floor */
/* Whether two rigid bodies without a pair are tested by surface features. This is needed if one body is thinner than
 * the point spacing of either body: its edges slip between the points, and points past its middle leave at the far
 * side. It is also needed for boxes with few vertices, whose edges cross between points. */
bool tac_meeting_by_features(const tacWorldBody *a, const tacWorldBody *b);
int tac_meeting_patch(const tacLawsDef *laws, tacMeetingBodies bodies);

/* Tick: fills the world's contacts. */
void tac_meeting_detect(tacWorld *world, tacTickReport *report);
/* If steps are longer than ticks, after a step: adds the contacts of held bodies at their present poses. Returns the
 * index of the first added contact. */
int tac_meeting_detect_led(tacWorld *world, tacTickReport *report);
/* Finds the contacts of a pair with springs, including near ones: [TAC_MEETING_MOST]. Returns their number. The world's
 * contacts do not change. */
int tac_meeting_look(tacWorld *world, const tacPair *pair, tacSetContact *contacts);
/* Load phase: bytes needed in the world's arena. */
size_t tac_meeting_room(void);
