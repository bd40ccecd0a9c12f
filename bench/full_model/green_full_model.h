/* The full model of a body with Green's functions by finite elements: the same elements at large deformations, and
 * at small ones. */
#pragma once

#include <tactus/green.h>
#include "bench/full_model/full_model.h"

/* Leaves the model empty where the body is of another kind. */
tacStatus tac_green_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error);
