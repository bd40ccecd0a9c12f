/* A vademecum: precomputed displacement of a solid for a load of any size at any node of its accessible surface
 * (Gonzalez, Alfaro, Quesada, Cueto, Chinesta 2015; docs/vademecum.md).
 *
 *     u(x, s, t) = sum_k X_k(x) q_k(s, t),   q_k(s, t) = sum_m Y_km(s) phi_m(t / T)
 *
 * s is the node of the load, t its force, T the largest baked size, phi_m monomials of the force's components. The X_k
 * are mass-orthonormal and serve as a basis for all other states. Several loads are superposed, sum_i q(s_i, t_i).
 * Newton's method in q corrects the sum, with forces and stiffness from a few elements chosen by the bake. An immutable
 * asset. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/load_terms.h"

typedef struct tacVademecum tacVademecum;
void tac_vademecum_destroy(tacVademecum *vademecum); /* NULL is allowed */
tacStatus tac_vademecum_write(const tacVademecum *vademecum, const char *path, tacError *error);
tacStatus tac_vademecum_read(const char *path, tacVademecum **vademecum, tacError *error);

/* Reduced body with the modes X_k on the volume and on its boundary, which is the surface, and with masses. It has no
 * polynomials: forces come from the vademecum. */
const tacReduced *tac_vademecum_shape(const tacVademecum *vademecum);
int tac_vademecum_mode_count(const tacVademecum *vademecum); /* n */
bool tac_vademecum_is_linear(const tacVademecum *vademecum);

/* Loads s: vertices of the surface that are accessible and free. */
int tac_vademecum_load_count(const tacVademecum *vademecum);
int tac_vademecum_load_vertex(const tacVademecum *vademecum, int load);
int tac_vademecum_load_of(const tacVademecum *vademecum, int vertex); /* -1: no load acts there */
double tac_vademecum_load_most(const tacVademecum *vademecum);        /* T, N */

/* Unit; zero if loads of any direction were baked. */
tacVec3 tac_vademecum_load_direction(const tacVademecum *vademecum);

/* Whether a force is at most T and within five degrees of the direction. The force is that of one load, or the sum of
 * several loads. */
bool tac_vademecum_covers(const tacVademecum *vademecum, tacVec3 force);

/* Linear part of Y_k, [load]: contribution of a unit load (T) along an axis to q_k; for display. */
double tac_vademecum_load_mode(const tacVademecum *vademecum, int mode, int load, int axis);

/* q [n] of one load at a node s; the extrapolation beyond T is linear. False: the force is outside the baked range. */
bool tac_vademecum_coordinates(const tacVademecum *vademecum, int load, tacVec3 force, double *q);

/* A load anywhere in a triangle of the surface: continuous over it and its edges. */
typedef struct tacVademecumLoad {
  int triangle;
  double weight[3]; /* weights of the triangle's corners */
  tacVec3 force;    /* N */
} tacVademecumLoad;

typedef struct tacVademecumSolution {
  int steps;       /* Newton steps taken */
  double residual; /* final |R(q) - f| / |f| in coordinates; 0 if linear */
  bool outside;    /* a load exceeds T or has another direction: q is extrapolated */
} tacVademecumSolution;

/* Solver for several loads; create in the load phase, use by one thread at a time, in any phase. Refers to the
 * vademecum. */
typedef struct tacVademecumSolver tacVademecumSolver;
tacStatus tac_vademecum_solver_create(const tacVademecum *vademecum, tacVademecumSolver **solver, tacError *error);
void tac_vademecum_solver_destroy(tacVademecumSolver *solver); /* NULL is allowed */

/* Superposes the loads, then makes at most `steps` Newton corrections (0: none); q [n]. */
tacVademecumSolution tac_vademecum_solve(tacVademecumSolver *solver, int count, const tacVademecumLoad *loads,
                                         int steps, double *q);

/* Displacement of a vertex of the surface, m. */
tacVec3 tac_vademecum_displacement(const tacVademecum *vademecum, int vertex, const double *q);

typedef struct tacVademecumInfo {
  char law[32]; /* "linear", or a law of docs/hyperelastic_laws.md */
  int node_count, element_count, load_count, mode_count, term_count, sampled_count;
  int path_count; /* number of loads solved with all nodes up to full size */
  double wanted;  /* target accuracy */
  bool reached;   /* largest error of the sample meets the target, with or without correction */
  /* |u - u_fe| / |u_fe| (in the mass norm) over a random sample of loads: */
  int sample_count;
  double error_mean, error_most;         /* errors without Newton's method */
  double corrected_mean, corrected_most; /* errors after Newton's method */
  double linear_mean;                    /* error of linear elasticity, for comparison */
  double residual;                       /* residual of the linear separation, in the energy norm */
  /* s; 0 if read from a file: */
  double seconds_linear, seconds_paths, seconds_basis, seconds_elements, seconds_loads, seconds_check;
  double bytes;
} tacVademecumInfo;
const tacVademecumInfo *tac_vademecum_info(const tacVademecum *vademecum);
const tacBakeChecks *tac_vademecum_checks(const tacVademecum *vademecum);

/* The vademecum of a body of a baked scene; NULL before the bake, and for another kind. */
static inline const tacVademecum *tac_scene_vademecum(const tacScene *scene, int body) {
  return (const tacVademecum *)tac_scene_made(scene, body, "vademecum");
}

typedef struct tacVademecumParts {
  const double *stiffness; /* X^T K X at rest, [n][n], N/m in coordinates */
  tacSampledParts sampled; /* no elements if the vademecum is linear */
  int load_count;
  const int *vertices; /* [load], of the surface */
  const double *rows;  /* X(s), coordinates per unit force of the load: [load][3][n] */
  double most;         /* T, N */
  double patch;        /* m: radius of a load */
  tacLoadTerms terms;
  const float *y; /* [load][term][n] */
  tacVademecumInfo info;
} tacVademecumParts;

/* Copies the parts. On success the vademecum owns `shape`. TAC_ERR_ARGUMENT: parts are inconsistent or not finite. */
tacStatus tac_vademecum_create(const tacVademecumParts *parts, tacReduced *shape, tacVademecum **vademecum,
                               tacError *error);
/* Stores the results of the bake's checks. */
void tac_vademecum_set_info(tacVademecum *vademecum, const tacVademecumInfo *info);
void tac_vademecum_set_checks(tacVademecum *vademecum, const tacBakeChecks *checks);
/* The parts of the vademecum, not copied; valid until it is destroyed. */
const tacVademecumParts *tac_vademecum_parts(const tacVademecum *vademecum);
