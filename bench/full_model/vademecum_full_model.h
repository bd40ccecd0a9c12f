/* The full model of a vademecum body: the elements that its modes are of, with their law. */
#pragma once

#include <tactus/reduced.h>
#include "bench/full_model/full_model.h"

/* Leaves the model empty where the body is of another kind. */
tacStatus tac_vademecum_full_model(const tacScene *scene, int body, tacFullModel *model, tacError *error);
