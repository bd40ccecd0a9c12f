/* The full model of a body, whatever its kind. */
#pragma once

#include "bench/full_model/full_model.h"

/* Of a body of a baked scene. Without a mesh where its kind has no full model. */
tacStatus tac_full_kinds_create(const tacScene *scene, int body, tacFullModel *model, tacError *error);
