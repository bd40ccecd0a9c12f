/* The full model of a body, whatever its kind. */
#ifndef TAC_BENCH_FULL_KINDS_H
#define TAC_BENCH_FULL_KINDS_H

#include "bench/full_model.h"

/* Of a body of a baked scene. Without a mesh where its kind has no full model. */
tacStatus tac_full_kinds_create(const tacScene *scene, int body, tacFullModel *model, tacError *error);

#endif
