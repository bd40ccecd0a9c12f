/* Newton's method for the vertices of a solid that are not held (elastic/solids/newton.h): its vectors, the free part of the tangent
 * stiffness and the factor of that. Energy and forces are the user's. Offline. */
#pragma once

#include "base/memory/array.h"
#include "elastic/free_lower.h"
#include "elastic/solids/newton.h"
#include "math/sparse/factor.h"

typedef struct tacFreeNewton {
  tacArrays arrays;  /* all below */
  tacFreeLower part; /* of the pattern, with the values of the stiffness at rest */
  bool copy;         /* `part` is another's */
  size_t places;     /* of the pattern */
  tacFactor *factor; /* of the free part; NULL: nothing is free */
  tacNewton *newton;
  double *diagonal;          /* free: of the stiffness at rest */
  double *stiffness, *value; /* the tangent on the pattern's places; its free part, shifted */
  double *now, *inner;       /* all: the state, held ones too; internal forces */
  double *load, *x;          /* free */
} tacFreeNewton;

/* `pattern` has the values at rest. To be destroyed after a failure too. */
tacStatus tac_free_newton_create(const tacSparse *pattern, const bool *held, tacFreeNewton *made, tacError *error);
/* For another thread, for as long as `from` exists. `whole`: the factor has the same numbers, else none. */
tacStatus tac_free_newton_copy(const tacFreeNewton *from, bool whole, tacFreeNewton *copy, tacError *error);
void tac_free_newton_destroy(tacFreeNewton *f); /* may be called on {0} */

/* Free numbers into `now`; held ones stay. */
void tac_free_newton_spread(const tacFreeNewton *f, const double *x);
/* Of `stiffness` with `shift` times the diagonal at rest; `larger`: or times its own diagonal where that is larger. */
tacStatus tac_free_newton_factor(tacFreeNewton *f, double shift, bool larger, tacError *error);
/* TAC_ERR_ARGUMENT, naming the vertex, where `x` is not finite; `held_only`: of held vertices. NULL passes. */
tacStatus tac_free_newton_check(const tacFreeNewton *f, const double *x, bool held_only, const char *what,
                                tacError *error);
