#include "app/cli/report/body_trace.h"

#include <math.h>
#include <stdio.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "world/world_view.h"

static const double spacing = 0.02; /* s between two states of a recording */

/* Counts them, and fills where there is room. */
static int list(const tacWorld *world, tacBodyTrace *traces, int *at) {
  int count = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    tacShownNumber number;
    for (int i = 0; tac_world_body_number(world, id, i, &number); ++i, ++count) {
      if (traces == NULL) continue;
      snprintf(traces[count].name, sizeof traces[count].name, "%.120s: %.60s", tac_world_body_name(world, id),
               number.label);
      traces[count].unit = number.unit;
      traces[count].mean = traces[count].most = 0.0;
      at[count] = number.at;
    }
  }
  return count;
}

tacStatus tac_body_trace_read(tacRecording *recording, const tacWorld *world, tacBodyTrace **traces, int *count,
                              tacError *error) {
  int found = list(world, NULL, NULL);
  *traces = NULL;
  *count = 0;
  int64_t ticks = tac_recording_tick_count(recording);
  if (found == 0 || ticks == 0) return TAC_OK;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_MEMORY(tacBodyTrace, made) = tac_array_create((size_t)found, sizeof *made, "a run's bodies", error);
  int *at = tac_arrays_add(&work, (size_t)found, sizeof *at);
  double *state = tac_arrays_add(&work, (size_t)tac_world_state_size(world), sizeof *state);
  TAC_TRY(tac_arrays_status(&work, "a run's bodies", error));
  if (made == NULL) return TAC_ERR_MEMORY;
  list(world, made, at);
  int64_t every = (int64_t)fmax(1.0, round(spacing / tac_recording_info(recording)->period)), states = 0;
  for (int64_t i = 0; i < ticks; i += every, ++states) {
    tacTickRecord record;
    TAC_TRY(tac_recording_tick(recording, i, &record, error));
    TAC_TRY(tac_recording_state(recording, record.tick, state, error));
    for (int k = 0; k < found; ++k) {
      made[k].mean += state[at[k]];
      made[k].most = fmax(made[k].most, state[at[k]]);
    }
  }
  for (int k = 0; k < found; ++k) made[k].mean /= (double)states;
  *traces = tac_give(&made);
  *count = found;
  return TAC_OK;
}
