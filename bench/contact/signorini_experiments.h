/* The experiments of Duriez, Dubois, Kheddar and Andriot 2006, sections 5.2 and 7.3: pyramids beside cones on a table,
 * ticks of a clip on a pipe; and many contacts at once. */
#pragma once

#include <tactus/world.h>

/* A scene whose first body is the table of scenes/table.yaml. */
extern const char tac_signorini_table[];

/* Figure 7: how far forces of pyramids with k sides are from those of the cone, (26), while the table's feet slide in
 * random directions with mu = 0.1. */
enum { TAC_SIDES_COUNT = 7 };
typedef struct tacSidesExperiment {
  int contacts, loads;
  int sides[TAC_SIDES_COUNT];
  double gap[TAC_SIDES_COUNT], worst[TAC_SIDES_COUNT]; /* %: mean and largest of all loads */
  double sliding;                                      /* %: of contacts with the cone */
  int unsolved;                                        /* loads of the cone, and of any pyramid */
} tacSidesExperiment;
/* `first` to `first + count` of the numbers of sides 4, 6, 8, 12, 16, 24, 32; the rest is left as it is. */
tacStatus tac_signorini_experiment_sides(const tacWorld *table, int loads, int first, int count, tacSidesExperiment *e,
                                         tacError *error);

/* Figure 8: mean times of methods over the number of contacts below the table's feet, random motions and friction. */
enum { TAC_GROWTH_MOST = 9, TAC_GROWTH_METHODS = 4 };
typedef enum tacGrowthMethod {
  TAC_GROWTH_AUTOMATIC,
  TAC_GROWTH_GAUSS_SEIDEL,
  TAC_GROWTH_DIAGONAL,
  TAC_GROWTH_PYRAMID
} tacGrowthMethod;
typedef struct tacGrowthExperiment {
  int count, loads;
  int contacts[TAC_GROWTH_MOST];
  double time[TAC_GROWTH_METHODS][TAC_GROWTH_MOST];  /* s of the processor: means of those that were solved */
  int unsolved[TAC_GROWTH_METHODS][TAC_GROWTH_MOST]; /* loads; of pyramids those without any solution */
} tacGrowthExperiment;
tacStatus tac_signorini_experiment_growth(const tacWorld *table, int most_contacts, int loads, tacGrowthExperiment *e,
                                          tacError *error);

/* Figures 17 and 18: whole ticks of a clip that sits on a pipe while a hand moves it, and the solution of its contacts
 * alone. */
typedef struct tacClipExperiment {
  int patch; /* contacts at the most */
  double friction;
  int ticks, problem_count;
  double *tick;              /* [ticks], s of the processor */
  double *warm, *cold;       /* [problem_count], s: from the forces of the tick before, and from none */
  double contacts, pressing; /* mean: that take part, and that have a force */
  int least_contacts, most_contacts;
  int unsolved; /* ticks */
} tacClipExperiment;
tacStatus tac_signorini_experiment_clip(int patch, double friction, int ticks, int problems, tacClipExperiment *e,
                                        tacError *error);
void tac_signorini_experiment_clip_free(tacClipExperiment *e);

/* 187 contacts on a body with 506 vertices: gathering W from the body's compliance, and the solution with friction. */
enum { TAC_MANY_CASES = 4 };
typedef struct tacManyExperiment {
  int vertices, contacts, rounds;
  double assemble; /* s: median */
  /* s: medians, to 1e-3 from no forces and from those before a step of 0.1 mm, and to 1e-6 likewise. */
  double solve[TAC_MANY_CASES];
  int open, sliding; /* in the last solution */
  int unsolved;      /* rounds */
} tacManyExperiment;
tacStatus tac_signorini_experiment_many(bool quick, tacManyExperiment *e, tacError *error);
