/* Entry side of a point in a field's body. Prevents points from leaving a thin part at its far side.
 *
 * A distance field gives the nearest way out. Past the middle of a thin part that is the far side. So each point in
 * contact keeps its entry: the surface place E where it would go out again, and the normal m there. While the field
 * leads to the same side, the entry follows it: E = x + d m with the field's depth d and way out m. Where the field
 * turns round, the point is past the middle. Its depth is then
 *     e = (E - x) . m
 * along m: the distance to its own side. It equals d at the middle and keeps growing, also beyond the far side. E
 * slides along the surface as the point moves, and m turns with it, both no faster than the point. So the force is
 * continuous, and along m it has a potential.
 *
 * Where it turns round. Let the nearest surface place go from E to E' while the point goes from x to x', with the
 * normal m' at E'. While E follows the surface, |E' - E| <= 2 |x' - x|. Where E jumps, it is
 *   - an edge, if m . m' > -1/2: the point follows the field, as it may go out there;
 *   - a thin part, if m . m' <= -1/2.
 * Round a thin rod E does not jump but runs ahead. The entry then stays, and where m' has turned by 60 degrees the rod
 * is thin.
 *
 * Thin rims. E goes from the rim to a face, with m . m' about 0, and runs or jumps as at any edge. But a body pushed
 * against the rim edgewise would cut the sheet: its points are led out above and below, without resistance. So a point
 * keeps the way out s that it had at entry. When the way out m' has turned from s, we test whether the part is thin: x
 * - 4 d m' is outside, and the field's normal m" there faces away, so d is more than a fifth of the thickness. Then n,
 * the direction of m' - m", is the normal of the part's middle surface. If s is more than 30 degrees from n, the point
 * came in by the rim and is held to it, along the component of s across n. Otherwise, and where the part is thick, it
 * is on a curved face or went over an edge, which is allowed, and s becomes m'.
 *
 * Where it ends. The point comes out on its own side: e <= 0. Or it goes past the rim of the thin part, where the way
 * back is free. To detect this, the body is tested under the point, half way between entry and middle, at E - (t / 2)
 * m, where t is the depth of the middle. The field's depth there is at least t / 2 in the sheet and falls to 0 at its
 * rim. Over the last t / 4 the depth e fades to 0.
 *
 * Points let through. A point may reach the far side without being held: round an edge or a rod, or past a rim. It may
 * return the same way: coming from there it is not held to that side until it is out again. Nor is a point held to a
 * side that faces away from its entry if it went round to it in contact.
 *
 * Points that cross a thin part between two evaluations are traced along a straight line through the field. If they
 * come out on a side that faces away from their entry, they passed through; otherwise they cut an edge.
 *
 * If the field deforms under a proxy, all of this happens in the rest shape of the field's body, which its distances
 * refer to. */
#pragma once

#include <stdint.h>
#include "asset/contact_field.h"

/* A proxy of a deformed field. */
typedef struct tacPairProxy {
  int16_t domain, proxy;
} tacPairProxy;

/* State of a point that was in contact in the previous evaluation, or of a point that was let through at any time. Rest
 * shape of the field's body. */
typedef struct tacPairSide {
  float at[3], out[3]; /* E, m */
  float depth;         /* m: last depth of the point, (E - x) . m */
  float half;          /* m: t; 0: not past the middle */
  tacPairProxy under;
  float came[3]; /* m at entry; of a point let through: of the entry before */
  float last[3]; /* s: way out at entry, updated unless at a thin rim */
  uint8_t runs;  /* E ran ahead of the point and was not followed */
  uint8_t let;   /* came out on a side that faces away from its entry: it may go back */
} tacPairSide;

/* Conversions between stored floats and vectors. */
static inline tacVec3 tac_pair_side_vector(const float from[3]) {
  return tac_vec3((double)from[0], (double)from[1], (double)from[2]);
}
static inline void tac_pair_side_set(tacVec3 v, float to[3]) {
  to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

/* Depth of a point and its way out: unit vector, frame of the field's body. */
typedef struct tacSideDepth {
  double depth;
  tacVec3 out;
  double slope; /* d depth along it: length of the field's gradient, 1 past the middle */
} tacSideDepth;

/* All below: tick phase. `x`: position of the point, frame of the field's body. */

/* Whether the field may have turned round since entry, judged by its depth alone. `slack`: tolerance of depths, m. */
static inline bool tac_pair_side_turns(const tacPairSide *side, const tacContactField *field, tacVec3 x, double depth,
                                       double slack) {
  if (field->deformed != NULL)
    x = tac_deformed_pose_pull_back(field->deformed, side->under.domain, side->under.proxy, x);
  const double way = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), tac_pair_side_vector(side->out));
  return (side->half > 0.0f) | (way > 1.05 * depth + slack); /* | avoids a branch that processors mispredict */
}

/* Whether the field at rest, by its gradient at the point, still leads to the entry side. If so, its way out is the
 * point's, and the entry may be updated later. */
bool tac_pair_side_agrees(const tacPairSide *side, tacVec3 gradient);

/* A point inside, with its depth and the field's gradient there, or a substitute where that is zero. `from`: previous
 * position of a point that was not in contact before, rest shape under the same proxy; NULL: it was in contact. */
tacSideDepth tac_pair_side_inside(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  double depth, tacVec3 gradient, const tacVec3 *from);
/* A point that was in contact and is no longer inside. Its depth is 0 if it came out. */
tacSideDepth tac_pair_side_beyond(tacPairSide *side, const tacContactField *field, tacVec3 x);
/* A point that was not in contact and is not inside. Its depth is 0 if it did not pass through. */
tacSideDepth tac_pair_side_passed(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  tacVec3 from);
