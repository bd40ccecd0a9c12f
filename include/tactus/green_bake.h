/* What builds Green's functions. Offline. */
#ifndef TACTUS_GREEN_BAKE_H
#define TACTUS_GREEN_BAKE_H

#include <tactus/green.h>

TAC_BEGIN_DECLS

typedef struct tacGreenDef {
  tacReferenceDef problem;
  int wanted_count;        /* vertices whose columns are wanted, in any order; */
  const int *wanted;       /* NULL: every free vertex (the fixed ones' displacement stays zero) */
  tacGreenStorage storage; /* default TAC_GREEN_WHOLE */
  double near_radius;      /* m, for TAC_GREEN_NEAR */
  /* A file that keeps the factored problem (tac_reference_problem_write), for columns on demand; one that is there and
   * belongs to this problem is used. NULL: none. */
  const char *factored;
  /* A file that keeps finished columns, so that an interrupted bake goes on from there to the same bits; one that is broken
   * or belongs to another bake is ignored. In the end it holds all of them, and is the caller's to remove once the result is
   * safe. NULL: none. */
  const char *checkpoint;
  int doubt_loads; /* tried by a nonlinear solution to measure tac_green_doubt; default 9; 0: it stays unknown */
} tacGreenDef;

TAC_API tacGreenDef tac_green_def_default(void);
/* TAC_ERR_MEMORY, with the size, where the result would not fit into this machine's memory. */
TAC_API tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green,
                                 tacError *error);

TAC_END_DECLS

#endif
