/* A vademecum: the displacement of a solid for a load of any size at any node of its accessible surface, computed beforehand
 * (Gonzalez, Alfaro, Quesada, Cueto, Chinesta 2015; docs/vademecum.md).
 *
 *     u(x, s, t) = sum_k X_k(x) q_k(s, t),   q_k(s, t) = sum_m Y_km(s) phi_m(t / T)
 *
 * s is where the load acts, t its force, T the largest size that was baked, phi_m monomials of the force's components. The X_k are
 * mass-orthonormal and serve as a basis for all other states: several loads are superposed, sum_i q(s_i, t_i), and then corrected by
 * Newton's method in q, with forces and stiffness from a few elements that the bake chose. An immutable asset. */
#ifndef TACTUS_VADEMECUM_H
#define TACTUS_VADEMECUM_H

#include <stdbool.h>
#include <tactus/bake_check.h>
#include <tactus/deformed_field.h>
#include <tactus/load_path.h>
#include <tactus/material.h>
#include <tactus/progress.h>
#include <tactus/reduced.h>

TAC_BEGIN_DECLS

typedef struct tacVademecum tacVademecum;

TAC_API void tac_vademecum_destroy(tacVademecum *vademecum); /* NULL is allowed */
TAC_API tacStatus tac_vademecum_write(const tacVademecum *vademecum, const char *path, tacError *error);
TAC_API tacStatus tac_vademecum_read(const char *path, tacVademecum **vademecum, tacError *error);

/* Below: any phase, any thread, no allocation. */

/* Modes X_k on the volume and its boundary, which is the surface; masses. Without polynomials: its forces are the vademecum's. */
TAC_API const tacReduced *tac_vademecum_shape(const tacVademecum *vademecum);
TAC_API int tac_vademecum_mode_count(const tacVademecum *vademecum); /* n */
TAC_API bool tac_vademecum_is_linear(const tacVademecum *vademecum);
/* Loads s: vertices of the surface that are accessible and free. */
TAC_API int tac_vademecum_load_count(const tacVademecum *vademecum);
TAC_API int tac_vademecum_load_vertex(const tacVademecum *vademecum, int load);
TAC_API int tac_vademecum_load_of(const tacVademecum *vademecum, int vertex); /* -1: none acts there */
TAC_API double tac_vademecum_load_most(const tacVademecum *vademecum);        /* T, N */
/* Unit; zero where loads of any direction were baked. */
TAC_API tacVec3 tac_vademecum_load_direction(const tacVademecum *vademecum);
/* Whether a force, of one load or the sum of several, is no larger than T and within five degrees of the direction. */
TAC_API bool tac_vademecum_covers(const tacVademecum *vademecum, tacVec3 force);
/* Y_k of the linear part, [load]: what a unit load (T) along an axis adds to q_k; to look at. */
TAC_API double tac_vademecum_load_mode(const tacVademecum *vademecum, int mode, int load, int axis);

/* q [n] of one load at a node s; linear beyond T, and beyond what was baked: false there. */
TAC_API bool tac_vademecum_coordinates(const tacVademecum *vademecum, int load, tacVec3 force, double *q);

/* A load anywhere in a triangle of the surface: continuous over it and its edges. */
typedef struct tacVademecumLoad {
  int triangle;
  double weight[3]; /* of its corners */
  tacVec3 force;    /* N */
} tacVademecumLoad;

typedef struct tacVademecumSolution {
  int steps;       /* of Newton's method that were made */
  double residual; /* after them, |R(q) - f| / |f| in coordinates; of a linear one 0 */
  bool outside;    /* a load is larger than T or has another direction: q is extrapolated */
} tacVademecumSolution;

/* Solves for several loads; load phase to make, one thread at a time to use, in any phase. Refers to the vademecum. */
typedef struct tacVademecumSolver tacVademecumSolver;
TAC_API tacStatus tac_vademecum_solver_create(const tacVademecum *vademecum, tacVademecumSolver **solver,
                                              tacError *error);
TAC_API void tac_vademecum_solver_destroy(tacVademecumSolver *solver); /* NULL is allowed */
/* Superposition, then at most `steps` corrections (0: none); q [n]. */
TAC_API tacVademecumSolution tac_vademecum_solve(tacVademecumSolver *solver, int count, const tacVademecumLoad *loads,
                                                 int steps, double *q);

/* Displacement of a vertex of the surface, m. */
TAC_API tacVec3 tac_vademecum_displacement(const tacVademecum *vademecum, int vertex, const double *q);

typedef struct tacVademecumInfo {
  char law[32]; /* "linear", or of docs/hyperelastic_laws.md */
  int node_count, element_count, load_count, mode_count, term_count, sampled_count;
  int path_count; /* loads that were followed with all nodes */
  double wanted;  /* accuracy */
  bool reached;   /* by every load of the sample, alone or corrected */
  /* |u - u_fe| / |u_fe| (in the norm of masses) over a random sample of loads: */
  int sample_count;
  double error_mean, error_most;         /* of the vademecum alone */
  double corrected_mean, corrected_most; /* after Newton's method */
  double linear_mean;                    /* of linear elasticity, for comparison */
  double residual;                       /* of the linear separation, in the energy norm */
  /* s; 0 where it was read from a file: */
  double seconds_linear, seconds_paths, seconds_basis, seconds_elements, seconds_loads, seconds_check;
  double bytes;
} tacVademecumInfo;
TAC_API const tacVademecumInfo *tac_vademecum_info(const tacVademecum *vademecum);
TAC_API const tacBakeChecks *tac_vademecum_checks(const tacVademecum *vademecum);

/* What builds vademecums. Offline. */
typedef struct tacVademecumDef {
  const tacVolMesh *mesh;   /* tetrahedra */
  tacLawMaterial material;  /* st-venant-kirchhoff or neo-hookean */
  bool linear;              /* small strain: Hooke's law with the same moduli */
  const bool *fixed;        /* [vertex]: enough of them to stop rigid motion */
  const bool *accessible;   /* [vertex]: where loads may act; NULL: all of the surface that is free */
  tacVec3 direction;        /* of loads; zero: any */
  double load;              /* T, N: the largest size */
  double patch;             /* m: radius over which a load is spread; 0, the default: it acts at one node */
  double accuracy;          /* wanted, of each displacement field; default 0.05 */
  double residual;          /* of the linear separation; default 1e-5 */
  int mode_most;            /* default 96; at most 160 */
  int path_most;            /* loads followed with all nodes; default 256 */
  tacLoadPathMethod method; /* default series */
  int sample_count;         /* of the check; default 200 */
  const char *checkpoint;   /* a file to which finished parts are added, so that a bake goes on; NULL: none */
} tacVademecumDef;
TAC_API tacVademecumDef tac_vademecum_def_default(void);

/* What a bake would make, before it begins. */
typedef struct tacVademecumEstimate {
  int loads, modes; /* at most */
  double bytes;     /* of the asset, at most */
  double memory;    /* bytes of the bake at once */
} tacVademecumEstimate;
TAC_API tacStatus tac_vademecum_estimate(const tacVademecumDef *def, tacVademecumEstimate *estimate, tacError *error);

/* Errors say what is wrong and what would be right: no fixed nodes, no accessible ones, a load under which no equilibrium was found
 * (and the size that was), more memory than there is. */
TAC_API tacStatus tac_vademecum_bake(const tacVademecumDef *def, const tacProgress *progress, tacVademecum **vademecum,
                                     tacError *error);

/* ---- distances to its deformations (tactus/deformed_field.h) ---- */

typedef struct tacLoadFieldDef {
  const tacReduced *shape; /* its surface, closed, and how it moves with q [n] */
  int node_count;
  const int *vertices; /* [node] of the surface, where loads act */
  int level_count;
  const double *levels; /* sizes of loads, ascending in (0, 1] */
  const double *states; /* q [node][level][n] */
  int resolution;       /* voxels along the longest side of the box; default 64 */
  tacBox box;           /* the grid's; empty (default): around all deformations */
  double margin;        /* m: what the box is larger than they are, on each side; 0 (default): three voxels */
  double tolerance;     /* m: of the separated form near the surface; 0 (default): a tenth of a voxel */
  double band;          /* voxels from the surface within which samples are exact; default 4 (tacFieldDef) */
  double bytes_most;    /* of what the bake holds at once; default 1 GiB */
  int thread_count;     /* 0: one for each core */
} tacLoadFieldDef;
TAC_API tacLoadFieldDef tac_load_field_def_default(void);

/* What a bake will need, before it is begun. */
typedef struct tacLoadFieldEstimate {
  int nodes[3]; /* of the grid */
  tacVec3 origin;
  double spacing;
  double bytes_dense; /* of all samples as 16-bit numbers: more than the result will have, as a rule */
  double bytes_bake;  /* at once */
} tacLoadFieldEstimate;
/* Offline. TAC_ERR_ARGUMENT where a box is given that does not hold all deformations: says by how much.
 * TAC_ERR_MEMORY where more would be needed than bytes_most. */
TAC_API tacStatus tac_load_field_estimate(const tacLoadFieldDef *def, tacLoadFieldEstimate *estimate, tacError *error);
/* Offline. Surfaces may cross themselves: inside is where the winding number is not zero. */
TAC_API tacStatus tac_load_field_bake(const tacLoadFieldDef *def, const tacProgress *progress, tacLoadField **field,
                                      tacError *error);

/* A body that answers from a vademecum: a reduced body whose basis are the modes X_k, and whose forces come from sampled elements. */
typedef struct tacVademecumBodyDef {
  const tacVademecum *vademecum; /* must outlive the world */
  /* How it moves, as of reduced bodies; `reduced` is not read. `kept`: NULL, or true for the first modes alone. What is fixed of a
   * free one moves with its frame, which has the body's mass and inertia. */
  tacReducedBodyDef motion;
} tacVademecumBodyDef;
TAC_API tacVademecumBodyDef tac_vademecum_body_def_default(void);
TAC_API tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id,
                                          tacError *error);
TAC_API const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id); /* NULL for another kind */

/* After the bake of a scene: NULL before, and for another kind. */
static inline const tacVademecum *tac_scene_vademecum(const tacScene *scene, int body) {
  return (const tacVademecum *)tac_scene_made(scene, body, "vademecum");
}

TAC_END_DECLS

#endif
