/* Coulomb's cone as a pyramid of k sides (Duriez et al. 2006, (22) to (24); Stewart and Trinkle 1996): a linear
 * complementarity problem of m (k + 2) unknowns,
 *     0 <= u_n  _|_ f_n >= 0,    0 <= l + t_r . u_t  _|_ b_r >= 0,    0 <= mu f_n - sum b_r  _|_ l >= 0,
 * f_t = sum b_r t_r with k directions t_r around the normal, solved by Lemke's method (contact/laws/lemke.h). For comparison:
 * friction of a contact that slides is opposite to its slip to an angle of pi / k alone. There is no warm start. */
#pragma once

#include "contact/laws/law_iterate.h"

enum { TAC_PYRAMID_MOST_SIDES = 64 };

typedef struct tacLawPyramidReport {
  int pivots;
  bool ray; /* it ended on a ray, or at the bound on pivots: forces are those there */
} tacLawPyramidReport;

/* Sides are brought to 3 ... TAC_PYRAMID_MOST_SIDES. */
size_t tac_law_pyramid_room(int count, int sides);
/* Sets the iterate's forces, which are inside of the cones; contacts that are grabbed have none. */
tacLawPyramidReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena);
