/* Entry side of a point in a field's body. Prevents points from leaving a thin part at its far side.
 *
 * A distance field gives the shortest exit. Past the middle of a thin part, this exit is on the far side. So each point
 * in contact stores its entry: the surface place E where it would exit, and the normal m there. While the field leads
 * to the same side, the entry is updated: E = x + d m with the field's depth d and exit direction m. Where the field
 * reverses direction, the point is past the middle. Its depth is then the distance along m to the entry side,
 *     e = (E - x) . m.
 * The depth e equals d at the middle and keeps growing, also beyond the far side. E slides along the surface as the
 * point moves, and m turns with E. Neither moves faster than the point. So the force is continuous, and along m it has
 * a potential.
 *
 * Detection of the reversal. The point moves from x to x', and the nearest surface place from E to E', with the normal
 * m' at E'. If |E' - E| <= 2 |x' - x|, E follows the surface. Otherwise E jumped:
 *   - m . m' > -1/2: over an edge. The point follows the field, since it may exit there.
 *   - m . m' <= -1/2: through a thin part.
 * Around a thin rod, E does not jump but runs ahead of the point. The entry then stays unchanged. The rod counts as
 * thin where m' has turned by 60 degrees.
 *
 * Thin rims. E moves from the rim to a face with m . m' about 0, continuously or with a jump, as at any edge. But then
 * a body that is pushed against the rim would cut the sheet: the field moves its points out above and below, without
 * resistance. So a point stores the exit direction s that it had at entry. When the exit direction m' has turned away
 * from s, we test whether the part is thin. It is thin if x - 4 d m' is outside and the field's normal m" there faces
 * away from m'; then d is more than a fifth of the thickness. The direction n of m' - m" is then the normal of the
 * part's middle surface. If the angle between s and n is more than 30 degrees, the point entered through the rim. It is
 * held to the rim, along the component of s perpendicular to n. Otherwise, and where the part is thick, the point is on
 * a curved face or went over an edge. This is allowed, and s becomes m'.
 *
 * End of the contact. The point exits on its entry side, e <= 0, or it moves past the rim of the thin part, where
 * nothing blocks its return. To detect the rim, the field is evaluated half way between entry and middle, at
 * E - (t / 2) m, where t is the depth of the middle. The depth there is at least t / 2 inside the sheet and falls to 0
 * at its rim. Over the last t / 4, the depth e fades to 0.
 *
 * Released points. A point may reach the far side around an edge or a rod, or past a rim; it is then released. It may
 * return the same way: when it enters from the far side, it is not held to that side until it is outside again. A
 * point that moved in contact to a side facing away from its entry is not held to that side, either.
 *
 * Points that cross a thin part between two evaluations are traced along a straight line through the field. If such a
 * point exits on a side that faces away from its entry, it crossed the part; otherwise it cut an edge.
 *
 * If the field deforms with a proxy, all of this is computed in the rest shape of the field's body, since its distances
 * refer to the rest shape. */
#pragma once

#include <stdint.h>
#include "asset/contact_field.h"

/* A proxy of a deformed field. */
typedef struct tacPairProxy {
  int16_t domain, proxy;
} tacPairProxy;

/* State of a point that was in contact in the previous evaluation, or that was released at any time. Coordinates are in
 * the rest shape of the field's body. */
typedef struct tacPairSide {
  float at[3], out[3]; /* E, m */
  float depth;         /* m: last depth of the point, (E - x) . m */
  float half;          /* m: t; 0: not past the middle */
  tacPairProxy under;
  float came[3]; /* m at entry; for a released point: m of its previous entry */
  float last[3]; /* s: exit direction at entry, updated except at a thin rim */
  uint8_t runs;  /* E ran ahead of the point, so the entry was not updated */
  uint8_t let;   /* released: the point exited on a side that faces away from its entry, and may return */
} tacPairSide;

/* Conversions between stored floats and vectors. */
static inline tacVec3 tac_pair_side_vector(const float from[3]) {
  return tac_vec3((double)from[0], (double)from[1], (double)from[2]);
}
static inline void tac_pair_side_set(tacVec3 v, float to[3]) {
  to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

/* Depth of a point and its exit direction: unit vector, frame of the field's body. */
typedef struct tacSideDepth {
  double depth;
  tacVec3 out;
  double slope; /* derivative of depth along the exit direction: length of the field's gradient; 1 past the middle */
} tacSideDepth;

/* All functions below: tick phase. `x`: position of the point, frame of the field's body. */

/* Whether the field may have reversed direction since entry, judged by depth only. `slack`: tolerance of depths, m. */
static inline bool tac_pair_side_turns(const tacPairSide *side, const tacContactField *field, tacVec3 x, double depth,
                                       double slack) {
  if (field->deformed != NULL)
    x = tac_deformed_pose_pull_back(field->deformed, side->under.domain, side->under.proxy, x);
  const double way = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), tac_pair_side_vector(side->out));
  return (side->half > 0.0f) | (way > 1.05 * depth + slack); /* | avoids a branch that processors mispredict */
}

/* Whether the gradient of the field at rest still leads to the entry side. If so, the point uses the field's exit
 * direction, and its entry may be updated later. */
bool tac_pair_side_agrees(const tacPairSide *side, tacVec3 gradient);

/* Updates a point inside the field's body. `depth`, `gradient`: of the field at the point; a substitute if the gradient
 * is zero. `from`: previous position of a new contact point, rest shape by the same proxy; NULL: the point was already
 * in contact. */
tacSideDepth tac_pair_side_inside(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  double depth, tacVec3 gradient, const tacVec3 *from);
/* Updates a point that was in contact and is no longer inside. The depth is 0 if the point exited. */
tacSideDepth tac_pair_side_beyond(tacPairSide *side, const tacContactField *field, tacVec3 x);
/* Updates a point that was not in contact and is not inside. The depth is 0 if the point did not cross the body. */
tacSideDepth tac_pair_side_passed(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  tacVec3 from);
