/* The reference problem by finite elements: nodal loads a_j p_j at free vertices of the surface, reactions divided by a_j at
 * fixed ones. What happens inside the volume is solved for but not kept. */
#pragma once

#include <tactus/material.h>
#include "base/memory/owned.h"
#include "elastic/reference/column_check.h"

typedef struct tacVolumeProblem tacVolumeProblem;

/* `vertex_of[vertex of the surface]` is its volume vertex, `area[vertex]` the integral of its hat function. `def` was
 * checked. */
tacStatus tac_volume_problem_create(const tacReferenceDef *def, int vertex_count, const int *vertex_of,
                                    const double *area, const tacProgress *progress, tacVolumeProblem **problem,
                                    tacError *error);
void tac_volume_problem_destroy(tacVolumeProblem *problem); /* NULL is allowed */
TAC_OWNED_TYPE(tacVolumeProblem, tac_volume_problem_destroy)
const tacBakeChecks *tac_volume_problem_checks(const tacVolumeProblem *problem); /* of the factors */
const tacColumnCheck *tac_volume_problem_column_check(const tacVolumeProblem *problem);

/* As tac_reference_problem_columns. */
tacStatus tac_volume_problem_columns(tacVolumeProblem *problem, int count, const int *vertices,
                                     const tacProgress *progress, double *columns, tacError *error);
