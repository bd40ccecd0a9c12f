/* The definition of a vademecum: what its bake needs. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/load_path.h"

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
