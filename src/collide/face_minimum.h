/* Minima of a field inside a triangle or on its edges, as contact candidates of a search (collide/field_meeting.h). */
#pragma once

#include "collide/field_gather.h"

/* Searches the face of a triangle for minima of the field. A large triangle is searched in parts. `corners`: in the
 * field's frame. `middle`: centroid of the triangle. */
void tac_face_minimum_look(tacFieldGather *s, int triangle, const tacVec3 corners[3], tacVec3 middle);
