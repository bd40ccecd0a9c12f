/* The experiments of Barbic 2007, chapter 2, as numbers: for tests and benchmarks. Bodies are bricks that cover a
 * gallery shape, `resolution` along its longest side, of one material; results do not depend on how stiff and dense it
 * is but for the scale of time. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/reduced.h>
#include "base/error.h"
#include "bench/reduced/vertex_path.h"

/* Figure 2.3: a spoon, held at the end of its handle, gets a short push upward at the tip of its bowl. */
enum { TAC_SPOON_FULL, TAC_SPOON_MODES, TAC_SPOON_SKETCH, TAC_SPOON_MOTION, TAC_SPOON_PATHS };
typedef struct tacSpoonExperiment {
  int brick_count, vertex_count;
  double length; /* m */
  double lowest; /* frequency of small vibrations, Hz */
  /* Of the tip: full; r = 12 from 6 modes and their derivatives, from a sketch, and from the full motion. */
  tacVertexPath path[TAC_SPOON_PATHS];
  tacVertexPath once; /* modes and derivatives, with one Newton step a step as in the thesis */
} tacSpoonExperiment;

/* So many steps, of which `period` make up the lowest period. `strength`: the force over mass times length times the square of the lowest
 * angular frequency. */
tacStatus tac_reduced_experiment_spoon(int resolution, int period, int steps, double strength,
                                       tacSpoonExperiment *spoon, tacError *error);

/* Figure 2.14, right: a beam, held at one end, twisted by a couple at the other that turns with it: in the space of two
 * twisting modes and their three derivatives, and in that of the two modes alone. */
enum { TAC_TWIST_STEPS = 400, TAC_TWIST_SECTIONS = 100 };
typedef struct tacTwistExperiment {
  int brick_count;
  int mode[2];                          /* the two lowest that twist, counted from 1 */
  double stiffness;                     /* torque by angle of small twists, after Saint-Venant, N m/rad */
  int count;                            /* of torques */
  double torque[TAC_TWIST_STEPS + 1];   /* N m */
  double angle[2][TAC_TWIST_STEPS + 1]; /* mean rotation of the end, rad: with derivatives, without */
  double size[TAC_TWIST_STEPS + 1]; /* of the end's section with derivatives over that at rest: 1 where it only turns */
  int section_count;
  tacVec3 edge[4][TAC_TWIST_SECTIONS]; /* the beam's long edges at last, m */
} tacTwistExperiment;

/* The torque rises until the end has turned by `angle`, rad. */
tacStatus tac_reduced_experiment_twist(int resolution, double angle, tacTwistExperiment *twist, tacError *error);

/* Table 2.1: frequencies of small vibrations, Hz, with the stiffness that makes the lowest one 1 Hz. */
typedef struct tacSpectrumExperiment {
  int mode_count, size; /* k and r */
  int brick_count, vertex_count;
  double young;      /* that stiffness, Pa */
  double linear[2];  /* the lowest and the highest of the modes */
  double reduced[2]; /* of the reduced body */
  double whole;      /* the highest of the mesh */
} tacSpectrumExperiment;

typedef struct tacSpectrumDef {
  const char *shape; /* "tower", which stands, or "heart", hollow, which hangs on its vessels */
  int resolution;
  int mode_count, size; /* k and r */
  double poisson;
  double held; /* upper part of the heart, over its height */
} tacSpectrumDef;
tacStatus tac_reduced_experiment_spectrum(const tacSpectrumDef *def, tacSpectrumExperiment *spectrum, tacError *error);

/* Section 2.13.2: a body gets a short push at one of two places; with all degrees of freedom, linearly, with modes and
 * their derivatives and growing r, and with all derivatives and full forces projected on them. */
enum { TAC_PROGRESS_LOADS = 2, TAC_PROGRESS_SIZES = 3 };
typedef struct tacProgressDef {
  const char *shape;
  int resolution;
  bool hollow;                   /* bricks of its surface alone */
  unsigned only;                 /* bit TAC_PROGRESS_PATHS load + row for each path that is wanted; 0: all */
  int axis;                      /* its lowest vertices along it are held */
  int mode_count;                /* k */
  int sizes[TAC_PROGRESS_SIZES]; /* r, ascending */
  struct {
    tacVec3 at; /* what is pushed: vertices nearer than `radius`, m */
    double radius;
    tacVec3 along;
    double strength;       /* force over mass times length times the square of the lowest angular frequency */
    int push_steps, steps; /* of 1/130 of the lowest period */
  } load[TAC_PROGRESS_LOADS];
} tacProgressDef;

/* The dragon on its feet, hollow, pushed up at its nose and sideways on its back; with 125 it has as many bricks as the thesis's. */
tacProgressDef tac_progress_def_dragon(int resolution);

enum {
  TAC_PROGRESS_FULL,
  TAC_PROGRESS_LINEAR,
  TAC_PROGRESS_REDUCED,
  TAC_PROGRESS_PROJECTED = TAC_PROGRESS_REDUCED + TAC_PROGRESS_SIZES,
  TAC_PROGRESS_PATHS
};
typedef struct tacProgressExperiment {
  const char *shape;
  int mode_count;
  int brick_count, vertex_count;
  double length;                                              /* m */
  double lowest;                                              /* frequency of small vibrations, Hz */
  tacVertexPath path[TAC_PROGRESS_LOADS][TAC_PROGRESS_PATHS]; /* of the vertex in the middle of the push */
} tacProgressExperiment;

tacStatus tac_reduced_experiment_progress(const tacProgressDef *def, tacProgressExperiment *progress, tacError *error);
