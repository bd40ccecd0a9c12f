/* On which side of a field's body a point came in: what keeps a point from a thin part's far side.
 *
 * A field tells the nearest way out, and past the middle of a thin part that is the far side. So each point in contact
 * keeps its entry: the place E of the surface where it would go out again and the normal m there. While the field
 * leads to the same side the entry follows it: E = x + d m with the field's depth d and way out m. Where the field
 * turns round, the point is past the middle, and its depth is
 *     e = (E - x) . m,
 * with the direction m: the distance to its own side, which is d at the middle and grows on, also behind the far side.
 * E slides along the surface as the point goes on, and m turns with it, both no faster than the point goes. So force
 * is continuous, and along m it has a potential.
 *
 * When it turns round. Let the nearest place of the surface go from E to E' while the point went from x to x', and let
 * m' be the normal there. While the surface is followed, |E' - E| <= 2 |x' - x|. Where E jumps, it is
 *   - an edge, where m . m' > -1/2: the point follows the field out there, as it may;
 *   - a thin part, where m . m' <= -1/2.
 * Round a thin rod E does not jump, but runs: then the entry stays where it is, and where m' has turned by 60 degrees
 * the rod is thin.
 *
 * At a thin rim, too, E goes from the rim to a face, where m . m' is about 0, and runs or jumps as at any edge. But
 * what is pushed at it edgewise would then cut the sheet: its points are led out above and below, and nothing resists.
 * So a point keeps the way out s that it had when it came in. Where the way out m' has turned from s, it is asked
 * whether the part is thin: x - 4 d m' is outside, and the field's normal m" there faces away, so that d is more than a
 * fifth of the thickness. Then n, that of m' - m", is the normal of the part's middle. Where s is more than 30 degrees
 * from n, the point came in by the rim, and is held to it: along the part of s across n. Else, and where the part is
 * thick, it is on a face that bends or went over an edge, as it may, and s becomes m'.
 *
 * When it ends. The point comes out on its own side: e <= 0. Or it goes past the rim of the thin part, where the way
 * back is free: half way between entry and middle, at E - (t / 2) m with t the depth of the middle, the body is tested
 * under the point. There the field's depth is t / 2 or more in the sheet and falls to 0 at its rim; over the last t /
 * 4 of it the depth e fades away.
 *
 * What was let through. A point may come to the far side without being held: round an edge or a rod, past a rim. Then
 * it may go back as it came: coming from there it is not held to that side, until it is out again. Nor is a point held
 * to a side that faces away from where it came in, when it went round to it in contact.
 *
 * Points that cross a thin part between two evaluations are traced on their straight way by the values of the field.
 * They passed where they came out on a side that faces away from the one where they came in, else they cut an edge.
 *
 * Everything is kept and done in the rest shape of the field's body, where the field deforms under a proxy: its
 * distances are those of that shape. */
#pragma once

#include <stdint.h>
#include "asset/contact_field.h"

/* A proxy of a deformed field. */
typedef struct tacPairProxy {
  int16_t domain, proxy;
} tacPairProxy;

/* What is kept of a point that was in contact in the evaluation before, and of one that was let through whenever it
 * was. Rest shape of the field's body. */
typedef struct tacPairSide {
  float at[3], out[3]; /* E, m */
  float depth;         /* m: of the point then, (E - x) . m */
  float half;          /* m: t; 0: the point is not past the middle */
  tacPairProxy under;
  float came[3]; /* m where it came in; of a point that is let: where it had come in before */
  float last[3]; /* s: the way out where it came in, or where it went on to since, but by a thin rim */
  uint8_t runs;  /* E ran ahead of the point, and was not followed */
  uint8_t let;   /* it came out on a side that faces away from where it came in: it may go back */
} tacPairSide;

/* Three floats of what is kept as a vector, and back. */
static inline tacVec3 tac_pair_side_vector(const float from[3]) {
  return tac_vec3((double)from[0], (double)from[1], (double)from[2]);
}
static inline void tac_pair_side_set(tacVec3 v, float to[3]) {
  to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

/* How deep a point is, and its way out: unit, frame of the field's body. */
typedef struct tacSideDepth {
  double depth;
  tacVec3 out;
  double slope; /* of the depth along it: the length of the field's gradient, and 1 past the middle */
} tacSideDepth;

/* All of these: tick. `x`: where the point is, frame of the field's body. */

/* Whether the field may have turned round since the entry was found, from the field's depth alone; `slack`, m: of
 * depths. */
static inline bool tac_pair_side_turns(const tacPairSide *side, const tacContactField *field, tacVec3 x, double depth,
                                       double slack) {
  if (field->deformed != NULL)
    x = tac_deformed_pose_pull_back(field->deformed, side->under.domain, side->under.proxy, x);
  const double way = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), tac_pair_side_vector(side->out));
  return (side->half > 0.0f) | (way > 1.05 * depth + slack); /* which do no processor guesses */
}

/* Whether the field at rest leads to the side of the entry still, by its gradient where the point is now: then its way
 * out is the point's, and the entry may follow later. */
bool tac_pair_side_agrees(const tacPairSide *side, tacVec3 gradient);

/* A point inside, with its depth and the field's gradient there, or what stands for it where that is zero. `from`:
 * where a point came from that was not in contact before, rest shape under the same proxy; NULL: it was. */
tacSideDepth tac_pair_side_inside(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  double depth, tacVec3 gradient, const tacVec3 *from);
/* A point that was in contact and is not inside any more. Its depth is 0 where it came out. */
tacSideDepth tac_pair_side_beyond(tacPairSide *side, const tacContactField *field, tacVec3 x);
/* A point that was not in contact, and is not inside. Its depth is 0 where it has not passed. */
tacSideDepth tac_pair_side_passed(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  tacVec3 from);
