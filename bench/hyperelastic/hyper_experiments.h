/* The experiments of Courtecuisse, Adagolodjo, Delingette and Duriez 2015, section V, with hyperelastic bodies: a cube that is stretched and
 * pressed (Figure 3), and an instrument that presses a cube (Figure 4). */
#pragma once

#include <tactus/hyperelastic.h>
#include <tactus/material.h>

/* Figure 3: a cube of 1 m, the face x = 0 is held, the face x = 1 is moved along x as a whole; static equilibria. The laws have the same
 * moduli at small strain, E = 1 Pa and Poisson's ratio 0.45, to the digits that the paper gives. */
enum { TAC_STRETCH_LAWS = 8, TAC_STRETCH_MOST = 41 };
extern const tacLawMaterial tac_stretch_material[TAC_STRETCH_LAWS]; /* the paper's four first */

typedef struct tacStretchExperiment {
  int tets;
  int count;                      /* of those that were asked for: fewer where there is no equilibrium */
  double way[TAC_STRETCH_MOST];   /* m, ascending */
  double force[TAC_STRETCH_MOST]; /* N: on the moved face, along x */
} tacStretchExperiment;
/* `count` ways, ascending, from the one nearest to 0 outward. */
tacStatus tac_hyper_experiment_stretch(const tacLawMaterial *material, int cells, bool patches, int count,
                                       const double *ways, tacStretchExperiment *e, tacError *error);
/* The same through the steps of a body in a world that come to rest, at one way. */
tacStatus tac_hyper_experiment_stretch_body(const tacLawMaterial *material, int cells, double way, double *force,
                                            tacError *error);

/* Figure 4: a rigid ball that a hand led presses a cube of 70 mm with 2,058 tetrahedra, Mooney-Rivlin, its lower face held, without
 * friction: down to 0.35 of its height, sliding, and away again. */
enum { TAC_PRESS_MOST = 2000 };
typedef struct tacPressDef {
  tacFactorMode factor;
  int delay;      /* steps, of an asynchronous factor */
  double step;    /* s */
  double seconds; /* of the path, which takes 8 s; less: its beginning */
} tacPressDef;
typedef struct tacPressExperiment {
  int count, contacts;          /* steps; the most at once */
  int crashed;                  /* steps until elements are inverted, or forces a hundred times too large; 0: never */
  double step;                  /* s */
  double time[TAC_PRESS_MOST];  /* s: where each ends */
  double depth[TAC_PRESS_MOST]; /* m: of the ball's lowest point below where the face is at rest */
  double force[TAC_PRESS_MOST]; /* N, its length: on the ball */
  int iterations, refused, unsolved; /* the most of conjugate gradients; steps that blew up; that were not solved */
  double compliance_error;           /* relative, the largest that was measured */
} tacPressExperiment;
tacStatus tac_hyper_experiment_press(const tacPressDef *def, tacPressExperiment *e, tacError *error);
/* RMS of the difference over RMS of `exact`. */
double tac_press_difference(const tacPressExperiment *e, const tacPressExperiment *exact);
