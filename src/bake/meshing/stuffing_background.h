/* The background of isosurface stuffing: a graded mesh of lattice tetrahedra that covers a solid. */
#pragma once

#include <tactus/meshing.h>
#include "bake/meshing/bcc_lattice.h"

/* Negative inside, close to a distance near the surface. Called from several threads at once. */
typedef double (*tacImplicitFn)(tacVec3 p, void *user);

typedef struct tacStuffingDomain {
  tacImplicitFn function;
  void *user;
  tacBox box; /* everything outside is outside the solid */
  /* A cube is passed over where |function| at its centre exceeds `slope` times its circumradius: 1 for a distance, more
   * where the function may exceed the distance to the surface, infinity where nothing is known: every cube is sampled. */
  double slope;
  double size; /* side of the finest cubes, metres */
  int levels, thread_count;
  const tacProgress *progress;
} tacStuffingDomain;

/* Tells `progress` how much of the whole is done; TAC_ERR_CANCELLED where that is to be the end. Loops over many items call it
 * once in TAC_STUFFING_REPORT_EVERY. */
#define TAC_STUFFING_REPORT_EVERY 65536
tacStatus tac_stuffing_report(const tacStuffingDomain *domain, double fraction, tacError *error);
/* How much of the whole is done when a stage ends. */
#define TAC_STUFFING_OCTREE_DONE 0.2
#define TAC_STUFFING_SAMPLES_DONE 0.4
#define TAC_STUFFING_SIGNS_DONE 0.5
#define TAC_STUFFING_BACKGROUND_DONE 0.7
#define TAC_STUFFING_CUTS_DONE 0.8

/* The function, or the distance to the box outside it; +infinity instead of NaN. */
double tac_stuffing_domain_value(const tacStuffingDomain *domain, tacVec3 p);

typedef struct tacBackgroundTets {
  size_t count, room;
  tacTet *tets; /* of lattice points, positive volume */
} tacBackgroundTets;

/* All tetrahedra that have a point inside. Those that have a point near the surface as well are body-centred cubic: two
 * opposite edges of the length `size`, four of sqrt(3)/2 of it. The caller frees both results, also on failure. */
tacStatus tac_stuffing_background(const tacStuffingDomain *domain, tacBccLattice *lattice, tacBackgroundTets *tets,
                                  tacError *error);
