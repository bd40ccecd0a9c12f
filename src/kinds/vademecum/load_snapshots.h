/* Equilibria along loading paths: a load grows to full size, and all nodes are solved at each level. The modes of a
 * nonlinear vademecum come from these snapshots. Offline; on all cores; finished paths are saved to a checkpoint. */
#pragma once

#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/load_problem.h"

enum { TAC_SNAPSHOT_LEVELS = 4 };
#define TAC_SNAPSHOT_TOLERANCE 1e-5 /* relative tolerance of displacements along paths: far more accurate than modes */
extern const double tac_snapshot_levels[TAC_SNAPSHOT_LEVELS]; /* size relative to the full load */

typedef struct tacLoadSnapshots {
  int path_count;
  int *load;      /* [path]: index of its load in the problem */
  tacVec3 *force; /* [path], N, at full size */
  double *u;      /* [path][level][3 vertices], m */
} tacLoadSnapshots;

/* Creates a path follower for loads of the problem, one at a time. Free it with tac_load_path_destroy. */
tacStatus tac_snapshot_path_create(const tacLoadProblem *problem, tacLoadPath **path, tacError *error);

/* Computes `path_count` paths. Their loads are spread over the surface (each the farthest from the previous ones).
 * Loads act along the problem's direction, or cycle through x, y, z, -x, -y, -z and inward. TAC_ERR_NO_CONVERGENCE: the
 * error gives the size at which all loads converge. */
tacStatus tac_load_snapshots_create(const tacLoadProblem *problem, const tacProgress *progress,
                                    tacLoadSnapshots *snapshots, tacError *error);
void tac_load_snapshots_destroy(tacLoadSnapshots *snapshots); /* a zeroed struct is allowed */
