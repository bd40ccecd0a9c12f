/* The full model of a hyperelastic body: its own elements, at rest under the same forces. */
#pragma once

#include <tactus/hyperelastic.h>
#include "bench/full_model/full_model.h"

/* Leaves the model empty where the body is of another kind. */
tacStatus tac_hyperelastic_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error);
