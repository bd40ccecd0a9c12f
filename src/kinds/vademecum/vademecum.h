/* A vademecum: precomputed displacements of a solid under a load of any size at any node of the accessible surface
 * (Gonzalez, Alfaro, Quesada, Cueto, Chinesta 2015; docs/vademecum.md).
 *
 *     u(x, s, t) = sum_k X_k(x) q_k(s, t),   q_k(s, t) = sum_m Y_km(s) phi_m(t / T)
 *
 * s is the node of the load, t the force, T the largest baked force in N, and phi_m a monomial of the components of
 * t / T. The modes X_k are mass-orthonormal. Several loads are superposed: q = sum_i q(s_i, t_i). Newton's method
 * then corrects q, with the forces and the stiffness of a few elements that the bake has chosen. A vademecum is
 * immutable. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/load_terms.h"

typedef struct tacVademecum tacVademecum;
void tac_vademecum_destroy(tacVademecum *vademecum); /* NULL is allowed */
tacStatus tac_vademecum_write(const tacVademecum *vademecum, const char *path, tacError *error);
tacStatus tac_vademecum_read(const char *path, tacVademecum **vademecum, tacError *error);

/* Returns a reduced body that contains the volume, the surface (the boundary of the volume), the masses and the
 * modes X_k. The reduced body has no force polynomials, because the vademecum computes the forces. */
const tacReduced *tac_vademecum_shape(const tacVademecum *vademecum);
int tac_vademecum_mode_count(const tacVademecum *vademecum); /* number n of modes */
bool tac_vademecum_is_linear(const tacVademecum *vademecum);

/* Functions of the baked loads. Each load acts at a vertex of the surface that is accessible and not fixed. */
int tac_vademecum_load_count(const tacVademecum *vademecum);
int tac_vademecum_load_vertex(const tacVademecum *vademecum, int load);
int tac_vademecum_load_of(const tacVademecum *vademecum, int vertex); /* -1 if no load acts at `vertex` */
double tac_vademecum_load_most(const tacVademecum *vademecum);        /* largest baked force T, N */

/* Returns the unit vector along all baked loads; zero if loads of any direction were baked. */
tacVec3 tac_vademecum_load_direction(const tacVademecum *vademecum);

/* True if a force is at most T. If the baked loads have a direction, the force must also be within five degrees of
 * this direction. `force` is a single force or the sum of several forces. */
bool tac_vademecum_covers(const tacVademecum *vademecum, tacVec3 force);

/* Returns the linear contribution of a force of size T along `axis` to coordinate `mode`. Intended for display. */
double tac_vademecum_load_mode(const tacVademecum *vademecum, int mode, int load, int axis);

/* Computes the coordinates `q` [n] under a single load. Beyond T, the extrapolation is linear. False if the force is
 * outside the baked range. */
bool tac_vademecum_coordinates(const tacVademecum *vademecum, int load, tacVec3 force, double *q);

/* A force anywhere on a triangle of the surface. The displacement is continuous if the force moves across triangles. */
typedef struct tacVademecumLoad {
  int triangle;
  double weight[3]; /* fraction of the force at each corner of the triangle */
  tacVec3 force;    /* N */
} tacVademecumLoad;

typedef struct tacVademecumSolution {
  int steps;       /* number of Newton steps */
  double residual; /* final relative residual |R(q) - f| / |f| of modal forces; 0 if linear */
  bool outside;    /* true if a load is outside the baked range, so that q is extrapolated */
} tacVademecumSolution;

/* Solver for several simultaneous loads. Create a solver in the load phase. A solver works in any phase, on one
 * thread at a time. The vademecum must outlive the solver. */
typedef struct tacVademecumSolver tacVademecumSolver;
tacStatus tac_vademecum_solver_create(const tacVademecum *vademecum, tacVademecumSolver **solver, tacError *error);
void tac_vademecum_solver_destroy(tacVademecumSolver *solver); /* NULL is allowed */

/* Computes the coordinates `q` [n] under all loads: superposes the loads, then makes at most `steps` Newton steps. */
tacVademecumSolution tac_vademecum_solve(tacVademecumSolver *solver, int count, const tacVademecumLoad *loads,
                                         int steps, double *q);

/* Returns the displacement of a vertex of the surface, m. */
tacVec3 tac_vademecum_displacement(const tacVademecum *vademecum, int vertex, const double *q);

typedef struct tacVademecumInfo {
  char law[32]; /* "linear", or the name of a law in docs/hyperelastic_laws.md */
  int node_count, element_count, load_count, mode_count, term_count, sampled_count;
  int path_count; /* number of loads solved with all nodes up to full size */
  double wanted;  /* target of the relative error */
  bool reached;   /* true if `error_most` or `corrected_most` is at most `wanted` */
  /* Errors |u - u_fe| / |u_fe| in the mass norm over a random sample of loads. u_fe is the finite element solution. */
  int sample_count;
  double error_mean, error_most;         /* errors of the superposed loads, before Newton's method */
  double corrected_mean, corrected_most; /* errors after Newton's method */
  double linear_mean;                    /* mean error of linear elasticity, for comparison */
  double residual;                       /* residual of the linear separation, in the energy norm */
  /* Durations of the stages of the bake, s; 0 if the vademecum was read from a file. */
  double seconds_linear, seconds_paths, seconds_basis, seconds_elements, seconds_loads, seconds_check;
  double bytes; /* size of the vademecum, bytes */
} tacVademecumInfo;
const tacVademecumInfo *tac_vademecum_info(const tacVademecum *vademecum);
const tacBakeChecks *tac_vademecum_checks(const tacVademecum *vademecum);

/* Returns the vademecum of a body of a scene; NULL before the bake, and for bodies of other kinds. */
static inline const tacVademecum *tac_scene_vademecum(const tacScene *scene, int body) {
  return (const tacVademecum *)tac_scene_made(scene, body, "vademecum");
}

typedef struct tacVademecumParts {
  const double *stiffness; /* [n][n]: stiffness at rest in modal coordinates, X^T K X */
  tacSampledParts sampled; /* elements chosen by the bake; none if the vademecum is linear */
  int load_count;
  const int *vertices; /* [load]: surface vertex of each load */
  const double *rows;  /* [load][3][n]: modal force per unit force of the load, X(s) */
  double most;         /* largest baked force T, N */
  double patch;        /* radius of the patch that a load acts on, m */
  tacLoadTerms terms;
  const float *y; /* [load][term][n]: coefficients Y of the coordinates */
  tacVademecumInfo info;
} tacVademecumParts;

/* Creates a vademecum from copies of the parts. On success the vademecum owns `shape`. Fails with TAC_ERR_ARGUMENT
 * if parts are inconsistent or not finite. */
tacStatus tac_vademecum_create(const tacVademecumParts *parts, tacReduced *shape, tacVademecum **vademecum,
                               tacError *error);
/* Stores the results of the bake's checks. */
void tac_vademecum_set_info(tacVademecum *vademecum, const tacVademecumInfo *info);
void tac_vademecum_set_checks(tacVademecum *vademecum, const tacBakeChecks *checks);
/* Returns the parts without copying. The pointer is valid until the vademecum is destroyed. */
const tacVademecumParts *tac_vademecum_parts(const tacVademecum *vademecum);
