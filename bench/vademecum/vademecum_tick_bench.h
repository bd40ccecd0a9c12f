/* Worlds with vademecum bodies that a hand presses: whole ticks, and what finding contacts takes of them. */
#pragma once

#include <tactus/reduced.h>
#include "bench/report/bench.h"

/* A rubber beam and a block; two rubber beams. */
tacStatus tac_vademecum_beam_ticks(tacBench *bench, tacError *error);
/* Two free forms of about 4,300 nodes, 3,700 points, with no, 36 and 427 contacts. */
tacStatus tac_vademecum_blob_ticks(tacBench *bench, tacError *error);
