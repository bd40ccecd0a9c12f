/* Definition of a vademecum: the input of its bake. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/load_path.h"

typedef struct tacVademecumDef {
  const tacVolMesh *mesh;   /* tetrahedra */
  tacLawMaterial material;  /* st-venant-kirchhoff or neo-hookean */
  bool linear;              /* small strain: Hooke's law with the same moduli */
  const bool *fixed;        /* [vertex]: must prevent rigid motion */
  const bool *accessible;   /* [vertex]: where loads may act; NULL: all free vertices of the surface */
  tacVec3 direction;        /* direction of loads; zero: any */
  double load;              /* T, N: maximum size */
  double patch;             /* m: radius of a load; 0, the default: a single node */
  double accuracy;          /* target, of each displacement field; default 0.05 */
  double residual;          /* target residual of the linear separation; default 1e-5 */
  int mode_most;            /* default 96; at most 160 */
  int path_most;            /* maximum number of loads solved with all nodes; default 256 */
  tacLoadPathMethod method; /* default series */
  int sample_count;         /* loads in the check; default 200 */
  const char *checkpoint;   /* file for finished parts, to resume a bake; NULL: none */
} tacVademecumDef;
