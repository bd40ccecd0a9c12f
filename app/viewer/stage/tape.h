/* A recording as it is shown: any moment of it, with the world's parameters as they were then. */
#pragma once

#include <tactus/recording.h>
#include "app/viewer/stage/loading.h"
#include "base/memory/owned.h"

typedef struct tacTape tacTape;

/* Reads it, bakes what its scene needs and goes through it once. */
tacStatus tac_tape_open(const char *path, const char *cache, tacLoading *loading, tacTape **tape, tacError *error);
void tac_tape_close(tacTape *tape); /* NULL is allowed */
TAC_OWNED_TYPE(tacTape, tac_tape_close)

const tacScene *tac_tape_scene(const tacTape *tape);
const tacWorld *tac_tape_world(const tacTape *tape);
int64_t tac_tape_tick_count(const tacTape *tape);
double tac_tape_duration(const tacTape *tape); /* s */
int64_t tac_tape_peak(const tacTape *tape);    /* index of the tick with the largest force */
/* What whoever looks at it should know: that an asset is another than when it was recorded, so that bodies may look
 * otherwise. "": nothing. */
const char *tac_tape_remark(const tacTape *tape);

/* The tick with that index: what it showed, until the next call, and the world's parameters of that moment. */
tacStatus tac_tape_show(tacTape *tape, int64_t index, tacSnapshot *snapshot, tacError *error);
tacStatus tac_tape_sample(tacTape *tape, int64_t index, tacTickSample *sample, tacError *error);
