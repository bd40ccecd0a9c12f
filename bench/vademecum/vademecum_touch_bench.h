/* Contact by d(x, s), beside the paper's times: the beam and a block (section 4.1), two free forms with few and many
 * contacts (4.3). */
#pragma once

#include <tactus/reduced.h>
#include "bench/report/bench.h"
#include "kinds/vademecum/vademecum.h"

/* Of loads along -z. */
tacStatus tac_vademecum_beam_touch(tacBench *bench, const tacVademecum *beam, tacError *error);
tacStatus tac_vademecum_blob_touch(tacBench *bench, const tacVademecum *blob, tacError *error);
