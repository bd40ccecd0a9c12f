/* Defines the input of the bake of a vademecum. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/load_path.h"

typedef struct tacVademecumDef {
  const tacVolMesh *mesh;   /* mesh of tetrahedra only */
  tacLawMaterial material;  /* the law must be st-venant-kirchhoff or neo-hookean */
  bool linear;              /* true for small strain: Hooke's law with the moduli of `material` */
  const bool *fixed;        /* [vertex]: true if fixed; the fixed vertices must prevent rigid motion */
  const bool *accessible;   /* [vertex]: true if loads may act on it; NULL: all free surface vertices */
  tacVec3 direction;        /* direction of the loads; zero: loads of any direction */
  double load;              /* largest force T, N */
  double patch;             /* radius of the patch that a load acts on, m; 0 (default): a single node */
  double accuracy;          /* target relative error of each displacement; default 0.05 */
  double residual;          /* target residual of the linear separation; default 1e-5 */
  int mode_most;            /* maximum number of modes, at most 160; default 96 */
  int path_most;            /* maximum number of loads solved with all nodes; default 256 */
  tacLoadPathMethod method; /* solver of loading paths; default TAC_PATH_SERIES */
  int sample_count;         /* number of loads in the final check; default 200 */
  const char *checkpoint;   /* file that stores finished paths, to resume a bake; NULL: none */
} tacVademecumDef;
