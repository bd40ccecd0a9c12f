/* Contacts at vertices of a body that answers as a compliance, with something that does not move, as a problem of
 * laws. */
#pragma once

#include <tactus/world.h>
#include "contact/laws/law_problem.h"

typedef struct tacSurfaceLaws {
  const tacWorld *world;
  tacSite *sites;          /* [count] */
  tacVec3 (*axes)[3];      /* n into the body, t1, t2; body's frame */
  tacLawContact *contacts; /* [count]; at first without motion, friction and force */
  double *w;               /* [3 count][3 count]: the problem's compliance */
  tacLawProblem problem;
} tacSurfaceLaws;

/* One of each vertex, on the first body of a world. W is zero until it is assembled. */
tacStatus tac_surface_laws_create(const tacWorld *world, int count, const int *vertices, tacSurfaceLaws *laws,
                                  tacError *error);
void tac_surface_laws_destroy(tacSurfaceLaws *laws); /* a zeroed struct is allowed */
/* W: the body's compliance and, where it is free, what moves it as a whole in a step of 1 ms. */
void tac_surface_laws_assemble(tacSurfaceLaws *laws);
/* The vertices of the first body within `reach` of its lowest one (z); at most `most`. Returns how many there are. */
int tac_surface_laws_lowest(const tacWorld *world, double reach, int most, int *vertices);
