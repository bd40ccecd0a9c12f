/* The full model of a reduced body: the solid that its basis and polynomials are of. */
#pragma once

#include <tactus/reduced.h>
#include "bench/full_model/full_model.h"

/* Leaves the model empty where the body is of another kind. */
tacStatus tac_reduced_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error);
/* Displacements of the nodes, of coordinates of a reduced body: tacFullModel.nodes. */
void tac_reduced_full_nodes(const tacFullModel *model, const double *state, double *u);
