/* Computes snapshots: equilibria along loading paths. On each path, a load grows to full size, and the displacement
 * of all nodes is solved at each level. The modes of a nonlinear vademecum are computed from snapshots. Runs offline
 * on all cores. Finished paths are saved to a checkpoint. */
#pragma once

#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/load_problem.h"

enum { TAC_SNAPSHOT_LEVELS = 4 };
#define TAC_SNAPSHOT_TOLERANCE 1e-5 /* relative tolerance of displacements, far below the error of the modes */
extern const double tac_snapshot_levels[TAC_SNAPSHOT_LEVELS]; /* load at each level, relative to the full load */

typedef struct tacLoadSnapshots {
  int path_count;
  int *load;      /* [path]: index of the load in tacLoadProblem */
  tacVec3 *force; /* [path], N: force at full size */
  double *u;      /* [path][level][3 vertices], m: displacements */
} tacLoadSnapshots;

/* Creates a solver of equilibria along the path of a load. Free `path` with tac_load_path_destroy. */
tacStatus tac_snapshot_path_create(const tacLoadProblem *problem, tacLoadPath **path, tacError *error);

/* Computes at most tacVademecumDef.path_most paths. The loads are spread over the surface (tac_load_problem_spread).
 * The forces act along the problem's direction. If loads may have any direction, the forces cycle through x, y, z,
 * -x, -y, -z and inward. Fails with TAC_ERR_NO_CONVERGENCE if an equilibrium is not found. The error then reports
 * the size at which all loads converge. */
tacStatus tac_load_snapshots_create(const tacLoadProblem *problem, const tacProgress *progress,
                                    tacLoadSnapshots *snapshots, tacError *error);
void tac_load_snapshots_destroy(tacLoadSnapshots *snapshots); /* a zeroed struct is allowed */
