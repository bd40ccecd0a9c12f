/* A handle of mass m that a hand pulls by a spring k and a damper b, under a constant load g:
 *
 *   m e'' + b e' + k e = g
 *
 * with e = x - p from the hand to the handle. Over a step of fixed length this is solved exactly: (e, e') after it is a
 * matrix times (e, e', g) before it. Hence the scheme is stable for every stiffness, and exact while the hand p moves
 * on a line. The same holds for rotations about a fixed axis, with e a rotation vector and an inertia for m. Ticks may
 * use all of it: the cost of tac_handle_make is bounded by the exponent of a double. */
#pragma once

#include "math/geometry/vec3.h"

typedef struct tacHandle {
  double e[3], v[3]; /* rows of the exponential: e1 = e . (e0, v0, g), v1 = v . (e0, v0, g) */
} tacHandle;

/* kg, N s/m, N/m, s; mass and step are positive. */
tacHandle tac_handle_make(double mass, double damping, double stiffness, double step);
/* False where the mass is so small for stiffness and damping that the exponential overflows. */
bool tac_handle_finite(const tacHandle *handle);
/* One step. */
void tac_handle_advance(const tacHandle *handle, tacVec3 load, tacVec3 *e, tacVec3 *velocity);

/* `a`, cut to a length of at most `limit`; zero where it is not finite. For forces: what a device renders. */
tacVec3 tac_handle_cut(tacVec3 a, double limit);
