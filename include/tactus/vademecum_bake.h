/* What builds vademecums. Offline. */
#ifndef TACTUS_VADEMECUM_BAKE_H
#define TACTUS_VADEMECUM_BAKE_H

#include <tactus/hyperelastic.h>
#include <tactus/load_path.h>
#include <tactus/progress.h>
#include <tactus/vademecum.h>

TAC_BEGIN_DECLS

typedef struct tacVademecumDef {
  const tacVolMesh *mesh;           /* tetrahedra */
  tacHyperelasticMaterial material; /* st-venant-kirchhoff or neo-hookean */
  bool linear;                      /* small strain: Hooke's law with the same moduli */
  const bool *fixed;                /* [vertex]: enough of them to stop rigid motion */
  const bool *accessible;           /* [vertex]: where loads may act; NULL: all of the surface that is free */
  tacVec3 direction;                /* of loads; zero: any */
  double load;                      /* T, N: the largest size */
  double patch;                     /* m: radius over which a load is spread; 0, the default: it acts at one node */
  double accuracy;                  /* wanted, of each displacement field; default 0.05 */
  double residual;                  /* of the linear separation; default 1e-5 */
  int mode_most;                    /* default 96; at most 160 */
  int path_most;                    /* loads followed with all nodes; default 256 */
  tacLoadPathMethod method;         /* default series */
  int sample_count;                 /* of the check; default 200 */
  const char *checkpoint;           /* a file to which finished parts are added, so that a bake goes on; NULL: none */
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

TAC_END_DECLS

#endif
