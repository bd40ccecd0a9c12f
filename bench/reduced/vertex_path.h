/* How a vertex moves when a body is pushed around it for a while: with all degrees of freedom, linearly, or reduced. */
#pragma once

#include <tactus/reduced.h>
#include "bench/reduced/brick_body.h"

/* A force for the first steps of a motion, and what belongs to the motion. */
typedef struct tacPush {
  int vertex;                             /* the one whose way is recorded */
  tacVec3 along;                          /* unit */
  int count, *vertices;                   /* those that are pushed */
  double *force;                          /* 3 numbers a vertex, N */
  int steps;                              /* with the force */
  double step;                            /* s */
  double mass_damping, stiffness_damping; /* Rayleigh damping */
} tacPush;

/* So many newtons in all, shared by the vertices nearer than `radius` to the one at `at`. `push` keeps its other
 * fields; free it even on failure. */
tacStatus tac_push_create(const tacBrickBody *body, tacVec3 at, double radius, tacVec3 along, double force,
                          tacPush *push, tacError *error);
void tac_push_free(tacPush *push); /* may be called on {0} */

enum { TAC_PATH_STEPS = 400 };
typedef struct tacVertexPath {
  char name[32];                  /* "full", "linear", "r = 12" */
  int count;                      /* steps */
  double step;                    /* s */
  double way[TAC_PATH_STEPS + 1]; /* displacement along the push, m, after 0, 1, ... steps */
  double seconds;                 /* processor time a step */
} tacVertexPath;

/* All degrees of freedom. `snapshots` (may be NULL) receives the displacements after every step. */
tacStatus tac_vertex_path_full(const tacBrickBody *body, const tacPush *push, bool linear, int steps, double *snapshots,
                               tacVertexPath *path, tacError *error);
/* A reduced body, with the basis that it was made with. At most so many Newton steps a step (1 to 10), fewer where the
 * residual is as small as that of the full motion; repeated so often, for the time. */
tacStatus tac_vertex_path_reduced(const tacReduced *reduced, const tacMotionBasis *basis, const tacPush *push,
                                  int newton_steps, int steps, int repeats, tacVertexPath *path, tacError *error);
/* The same without polynomials: forces of the whole mesh, projected on the basis, which may be larger then. Damping by
 * mass alone. */
tacStatus tac_vertex_path_projected(const tacBrickBody *body, const tacMotionBasis *basis, const tacPush *push,
                                    int steps, tacVertexPath *path, tacError *error);

/* Of an oscillation that begins upward: the time between its first two ways down through rest, as a frequency, Hz;
 * NAN where it does not come so far. */
double tac_vertex_path_frequency(const tacVertexPath *path);
/* Half the way from its first maximum to the minimum after it, m. */
double tac_vertex_path_amplitude(const tacVertexPath *path);
/* Root mean square of the difference of two paths, over that of the second. */
double tac_vertex_path_error(const tacVertexPath *path, const tacVertexPath *reference);
