/* An instrument through a trocar: a rod through a fixed point of the body wall, the pivot p. The rod's shaft b is a line through its
 * grasp g, and p stays on it: of the six of the body four are left, the way along the shaft, the roll about it, and two tilts about p.
 *
 * What keeps p on the shaft is no part of the coupling and feels nothing: it does no work. The coupling is a spring from g to the device,
 * which moves the shaft as a lever, and one of the roll (tac_coupling_roll); there is none of tilts, which the place of g says.
 * So at rest the moments about p of what the hand feels and of what pushes the instrument are opposite: a push at the depth l is
 * felt reversed, as l / |g - p| of it. */
#pragma once

#include "couple/coupling.h"

/* Adds to the equations of a step, A m = load + contacts, what holds the place of the body that is at p, across the shaft. Stiff, not
 * exact: ten million times what A has for ways of the grasp; what it gives way is taken back by tac_trocar_place. The lever is at least a millimetre, where g is at p. */
void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]);
/* Moves the body across its shaft until p is on it: what a step of finite length has moved it off. */
void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body);
