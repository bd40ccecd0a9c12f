/* Contact detection for contacts solved by the contact laws.
 *
 * Detection tests the points of one body (collide/body_points.h) against the distance field of another body. It finds
 * all points within a margin that covers the motion in a step, and reduces these points to a few contacts. It tests all
 * defined pairs that have no penalty springs. It also tests each free body against the floor, and against all bodies
 * that a broad phase finds near it.
 *
 * With the penalty method the contacts are soft. Their stiffness is that of the defined pair. Without a defined pair,
 * it is the smaller contact stiffness of the free bodies. */
#pragma once

#include "world/world_parts.h"

enum {
  TAC_MEETING_CONTACTS = 8 /* limit for two bodies without a special limit below */,
  TAC_MEETING_UNYIELDING = 4 /* limit for two rigid bodies without a pair */,
  TAC_MEETING_COMPLIANT = 32 /* limit for a pair with static compliance; omitted points return to rest at once */,
  TAC_MEETING_YIELDING = 48 /* limit for two bodies, one with step compliance: all near nodes */,
  TAC_MEETING_FARTHER = 2 /* additional contacts at a larger distance, in steps longer than a tick */,
  TAC_MEETING_MOST = TAC_LAWS_MOST_PATCH + TAC_MEETING_FARTHER
};

/* Type of two bodies, which determines the limit on their contacts. */
typedef enum tacMeetingBodies {
  TAC_MEET_UNYIELDING, /* both bodies are rigid and form no pair */
  TAC_MEET_SOFT,       /* one body deforms, or the bodies form a pair */
  TAC_MEET_COMPLIANT,  /* the bodies form a pair, and one body has static compliance */
  TAC_MEET_YIELDING    /* one body has step compliance */
} tacMeetingBodies;
/* Returns the type of two bodies. `b` is -1 for the floor; `pair` is true if the bodies form a defined pair. */
tacMeetingBodies tac_meeting_bodies(const tacWorld *world, int a, int b, bool pair);
/* True if detection tests the surface features (vertices, edges, faces) of two rigid bodies without a pair. Features
 * are tested if one body is thinner than the point spacing of either body. Otherwise edges would slip between points,
 * and points past the middle of the body would leave at the far side. Features are also tested for bodies with few
 * vertices, such as boxes, whose edges could cross between points. */
bool tac_meeting_by_features(const tacWorldBody *a, const tacWorldBody *b);
int tac_meeting_patch(const tacLawsDef *laws, tacMeetingBodies bodies);

/* Finds the contacts of the world and stores them in `world->contacts`. Tick phase, as all functions below except
 * tac_meeting_room. */
void tac_meeting_detect(tacWorld *world, tacTickReport *report);
/* Adds the contacts of held bodies at their present poses to `world->contacts`. Returns the index of the first added
 * contact. Only for worlds with steps longer than ticks; call after a step. */
int tac_meeting_detect_led(tacWorld *world, tacTickReport *report);
/* Finds the contacts of a pair with penalty springs, including contacts that do not touch yet. Writes them to
 * `contacts` [TAC_MEETING_MOST] and returns their number. `world->contacts` does not change. */
int tac_meeting_look(tacWorld *world, const tacPair *pair, tacSetContact *contacts);
/* Returns the number of bytes that detection needs in the world's arena. Load phase. */
size_t tac_meeting_room(void);
