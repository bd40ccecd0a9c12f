/* What builds reduced bodies. Offline. */
#ifndef TACTUS_REDUCED_BAKE_H
#define TACTUS_REDUCED_BAKE_H

#include <tactus/progress.h>
#include <tactus/reduced.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

/* Where the basis comes from (Barbic 2007, section 2.8). */
typedef enum tacBasisSource {
  TAC_BASIS_MODES,  /* linear modes and their derivatives: no loads needed */
  TAC_BASIS_SKETCH, /* static shapes under loads that somebody drew */
  TAC_BASIS_MOTION  /* the full simulation's motion under loads over time */
} tacBasisSource;

/* A force at a point of the body. */
typedef struct tacLoadSample {
  double time;   /* s; samples of one time act together */
  tacVec3 point; /* of the body at rest, m, in or near the volume */
  tacVec3 force; /* N, on the body */
  double
      radius; /* m, over which it is spread, with the same resultant and moment; 0, or less than elements have: none */
} tacLoadSample;

typedef struct tacReducedDef {
  const tacVolMesh *volume;
  int material_count;
  const tacMaterial *materials;
  const int *material_of;         /* [element]; NULL: all have materials[0] */
  const char *const *group_names; /* [material]; NULL: "body", or "group 1", ... */
  const bool *held;               /* [vertex of the volume]; NULL or none: a free body */
  const tacTriMesh *surface;      /* embedded; NULL: the boundary of the volume */
  bool lumped_mass;               /* default false: consistent */
  tacBasisSource source;
  int mode_count; /* k; default 10, at most 1000. For TAC_BASIS_SKETCH and _MOTION these are mixed in; 0: none */
  int size;       /* r; default 20 */
  int load_count;
  const tacLoadSample *loads;        /* in order of time; for TAC_BASIS_SKETCH and _MOTION */
  double motion_step;                /* s; of the full simulation for TAC_BASIS_MOTION; default 1 ms */
  double motion_duration;            /* s; default 0: to the last load */
  double alpha_mass, beta_stiffness; /* Rayleigh damping of that simulation, 1/s and s */
  bool strain_rate;                  /* also what strain-rate damping needs: r^4 / 8 numbers a part of the energy */
  /* That are tried by the full solution to measure tac_reduced_doubt: in the limit of small ones all, and fewer large ones the larger
   * the mesh is; none of free bodies and of meshes with over 30,000 vertices. Default 12; 0: it stays unknown. */
  int doubt_loads;
} tacReducedDef;

TAC_API tacReducedDef tac_reduced_def_default(void);
/* Errors say what is wrong and what would be right: r larger than the data's rank or than TAC_REDUCED_MOST, a body that
 * is not held against rigid motion, a free one in several pieces, a vertex without mass, materials that are none, loads
 * that invert elements, more than fits into memory. Same input, same bits, whatever the number of cores. `progress` is
 * asked several times a second but for sparse factorisations, which take seconds for meshes of 30,000 vertices. */
TAC_API tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                                   tacError *error);

TAC_END_DECLS

#endif
