/* Entry side of a point in the field of a body. Prevents a point from leaving a thin part of the body on the far side.
 *
 * A distance field gives the shortest exit. If a point is past the middle of a thin part, the shortest exit is on the
 * far side. So each point in contact stores an entry: the surface place E where the point would exit, and the normal m
 * at E.
 *
 * Update of the entry. Let x be the position of the point, d its depth in the field and m the exit direction of the
 * field. While the field leads to the same side, the entry is E = x + d m. If the field reverses its direction, the
 * point is past the middle. The depth of the point is then the distance to the entry side along m:
 *
 *     e = (E - x) . m
 *
 * At the middle e equals d. Beyond the middle e continues to grow, also beyond the far side. As the point moves, E
 * slides along the surface and m turns with E, but E moves no faster than the point. So the force is continuous, and
 * along m the force has a potential.
 *
 * Detection of the reversal. The point moves from x to x', and the nearest surface place from E to E', with the normal
 * m' at E'. If |E' - E| <= 2 |x' - x|, E follows the surface. Otherwise E jumped:
 *
 * - m . m' > -1/2: E jumped over an edge. The point follows the field, since it may exit at the edge.
 * - m . m' <= -1/2: E jumped through a thin part. The point is held to its entry side: the entry stays, and the depth
 *   is e.
 *
 * Around a thin rod, E does not jump but moves faster than the point. The entry then stays unchanged. As soon as m' has
 * turned by 60 degrees, the rod is treated as a thin part.
 *
 * Thin rims. A point that enters a thin sheet through its rim needs a special rule. E soon moves from the rim to a face
 * with m . m' about 0, as at any edge. If the points of a body then followed the field, the body would cut the sheet:
 * the field would move the points out above and below the sheet, without resistance.
 *
 * So a point stores the exit direction s at its entry. If the present exit direction m' has turned away from s, the
 * part is tested. It is thin if x - 4 d m' is outside and the field's normal m" there faces away from m'. Then d is
 * more than a fifth of the thickness. The direction n of m' - m" is the normal of the part's middle surface. If the
 * angle between s and n is more than 30 degrees, the point entered through the rim. The point is then held to the rim,
 * along the component of s perpendicular to n. Otherwise the point is on a curved face or moved over an edge, and s
 * becomes m'.
 *
 * End of the contact. The point exits on its entry side if e <= 0. It also exits if it moves past the rim of the thin
 * part, where nothing blocks its return. To detect the rim, the field is evaluated at E - (t / 2) m, where t is the
 * depth of the middle. Inside the sheet the depth there is at least t / 2; at the rim it falls to 0. When this depth is
 * below t / 4, e fades to 0.
 *
 * Released points. A point may reach the far side around an edge or a rod, or past a rim. The point is then released,
 * so that it may return the same way. If a released point enters from the far side, it is not held to the far side
 * until it is outside again. A point may also move in contact to a side that faces away from its entry. The point is
 * not held to such a side either.
 *
 * Fast points. A point may cross a thin part between two evaluations. So its straight path through the field is traced.
 * If the path exits on a side that faces away from its entry, the point crossed the part. Otherwise it cut an edge.
 *
 * Deforming fields. All positions above are in the rest shape of the field's body, since the distances of the field
 * refer to the rest shape. The deformation gradient at a proxy near the point maps positions to the rest shape. */
#pragma once

#include <stdint.h>
#include "asset/contact_field.h"

/* Index of a proxy of a deformed field: a material point whose displacement and deformation gradient are known. */
typedef struct tacPairProxy {
  int16_t domain, proxy;
} tacPairProxy;

/* State of a point that was in contact in the previous evaluation, or that is released. Coordinates are in the rest
 * shape of the field's body. The symbols are defined above. */
typedef struct tacPairSide {
  float at[3], out[3]; /* `at`: E, in metres. `out`: unit normal m */
  float depth;         /* depth of the point at its last update, (E - x) . m, in metres */
  float half;          /* t, depth of the middle, in metres; 0 if the point is not past the middle */
  tacPairProxy under;
  float came[3]; /* normal m at entry; for a released point, normal m at its previous entry */
  float last[3]; /* s: exit direction at entry; updated except at a thin rim */
  uint8_t runs;  /* 1 if E moved faster than the point, so that the entry was not updated */
  uint8_t let;   /* 1 if the point is released: it exited on a side that faces away from its entry */
} tacPairSide;

/* Convert between stored floats and vectors. */
static inline tacVec3 tac_pair_side_vector(const float from[3]) {
  return tac_vec3((double)from[0], (double)from[1], (double)from[2]);
}
static inline void tac_pair_side_set(tacVec3 v, float to[3]) {
  to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

/* Depth of a point, m, and its exit direction, a unit vector in the frame of the field's body. */
typedef struct tacSideDepth {
  double depth;
  tacVec3 out;
  /* derivative of the depth along the exit direction: length of the field's gradient; 1 past the middle */
  double slope;
} tacSideDepth;

/* All functions below belong to the tick phase. `x`: position of the point, frame of the field's body. */

/* True if the field may have reversed its direction since entry. Compares only depths. `slack`: tolerance of depths,
 * m. */
static inline bool tac_pair_side_turns(const tacPairSide *side, const tacContactField *field, tacVec3 x, double depth,
                                       double slack) {
  if (field->deformed != NULL)
    x = tac_deformed_pose_pull_back(field->deformed, side->under.domain, side->under.proxy, x);
  const double way = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), tac_pair_side_vector(side->out));
  return (side->half > 0.0f) | (way > 1.05 * depth + slack); /* bitwise | avoids a branch that processors mispredict */
}

/* True if the gradient of a rigid field still leads to the entry side. The point then uses the exit direction of the
 * field, and the update of its entry may be delayed. */
bool tac_pair_side_agrees(const tacPairSide *side, tacVec3 gradient);

/* Updates a point inside the field's body. `depth`, `gradient`: values of the field at x; if the gradient is zero, the
 * caller passes a substitute. `from`: previous position of a new contact point, in the rest shape of the proxy `under`;
 * NULL if the point was already in contact. */
tacSideDepth tac_pair_side_inside(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  double depth, tacVec3 gradient, const tacVec3 *from);
/* Updates a point that was in contact and is no longer inside. The returned depth is 0 if the contact has ended. */
tacSideDepth tac_pair_side_beyond(tacPairSide *side, const tacContactField *field, tacVec3 x);
/* Updates a point that was not in contact and is not inside. The returned depth is 0 if the point did not cross the
 * body. */
tacSideDepth tac_pair_side_passed(tacPairSide *side, const tacContactField *field, tacVec3 x, tacPairProxy under,
                                  tacVec3 from);
