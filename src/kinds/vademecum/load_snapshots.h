/* Equilibria under loads followed with all nodes to full size: the source of the modes of a nonlinear vademecum.
 * Offline; on all cores; finished paths are saved to a checkpoint. */
#pragma once

#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/load_problem.h"

enum { TAC_SNAPSHOT_LEVELS = 4 };
#define TAC_SNAPSHOT_TOLERANCE 1e-5 /* of displacements along paths, relative: far more accurate than modes */
extern const double tac_snapshot_levels[TAC_SNAPSHOT_LEVELS]; /* of the largest load */

typedef struct tacLoadSnapshots {
  int path_count;
  int *load;      /* [path]: of the problem */
  tacVec3 *force; /* [path], N, at full size */
  double *u;      /* [path][level][3 vertices], m */
} tacLoadSnapshots;

/* Creates a path follower for loads of the problem, one at a time. Free it with tac_load_path_destroy. */
tacStatus tac_snapshot_path_create(const tacLoadProblem *problem, tacLoadPath **path, tacError *error);

/* `path_count` loads, spread over the surface (each the farthest from those before); along the problem's direction, or
 * cycling through x, y, z, -x, -y, -z and inward. TAC_ERR_NO_CONVERGENCE: gives the size at which every followed load
 * converges. */
tacStatus tac_load_snapshots_create(const tacLoadProblem *problem, const tacProgress *progress,
                                    tacLoadSnapshots *snapshots, tacError *error);
void tac_load_snapshots_destroy(tacLoadSnapshots *snapshots); /* a zeroed struct is allowed */
