/* What a recording shows when it is read once from its first to its last tick: the numbers and curves of a run's report.
 *
 * Memory does not grow with the run: curves are envelopes, times are histograms. Forces are those that were written to the
 * devices, in their frames; a port's energy is the work of the hand, - sum f_k . (x_k+1 - x_k) and likewise with torque and
 * rotation, as a force is held from one tick to the next. */
#pragma once

#include <tactus/recording.h>
#include "app/cli/report/envelope.h"
#include "app/cli/report/law_trace.h"
#include "app/cli/report/spectrum.h"
#include "app/cli/report/xy_path.h"
#include "base/histogram.h"
#include "base/memory/owned.h"

enum { TAC_RUN_LANE_COLUMNS = 1000, TAC_RUN_STATES = TAC_CONTACT_GRABBED + 1 };

typedef struct tacExtreme {
  double value;
  int64_t tick; /* counted from the run's first; -1 where there is none */
} tacExtreme;

typedef struct tacToolTrace {
  tacEnvelope force[4];                            /* x, y, z, magnitude; N */
  tacEnvelope torque;                              /* N m, magnitude */
  tacEnvelope force_step;                          /* N from the tick before */
  tacEnvelope energy;                              /* J, absorbed since the start */
  tacEnvelope friction;                            /* J at the port, dissipated by sliding since the start */
  tacXyPath loop;                                  /* x: depth along the normal, m; y: force of the world, N */
  tacSpectrum spectrum[3];                         /* of the force's x, y, z */
  int lanes[TAC_RUN_LANE_COLUMNS][TAC_RUN_STATES]; /* ticks in each state of contact */
  int64_t state_ticks[TAC_RUN_STATES];
  double state_share[TAC_RUN_STATES]; /* % of the ticks */
  double vibration; /* N: root of the mean square of the force's variation above 20 Hz, from the spectrum */
  tacExtreme force_max, torque_max, force_step_max; /* N, N m, N */
  tacExtreme penetration_max;                       /* m */
  tacExtreme energy_least;                          /* J; 0 at most: below 0 the port generated energy */
  double energy_end, friction_end, work;            /* J; work: sum |f . dx| */
  double device_way, tool_way; /* m, while both moved: forces are not scaled, so energy scales with the ways */
} tacToolTrace;

typedef struct tacRunTrace {
  tacArrays arrays;       /* its curves */
  double period;          /* s */
  int64_t ticks, records; /* of the run's length, and those that were recorded */
  int tool_count, lane_columns;
  tacToolTrace *tool;
  tacHistogram compute, late;                  /* s */
  tacEnvelope compute_time, late_time, missed; /* s, s, 1 where a tick ended after the next deadline */
  tacEnvelope visited, points, level;          /* of pairs: nodes, points in contact, deepest level rendered */
  int most_visited, most_points;
  int64_t degraded; /* ticks */
  int64_t missed_by_computation, missed_by_lateness;
  int64_t contact_ticks, limited_force, limited_rate, damped, indexing, taken, saturated, refused, uncoupled;
  tacLawTrace laws;
  int most_sweeps;
  double most_residual; /* m */
  int64_t fault_tick;   /* -1: none */
  int peak_tool;        /* of the largest force */
  int64_t peak_record;  /* its index in the recording; -1 where no force was written */
} tacRunTrace;

/* TAC_ERR_FORMAT where the recording has no tick or no tool. */
tacStatus tac_run_trace_create(tacRecording *recording, tacRunTrace **trace, tacError *error);
void tac_run_trace_destroy(tacRunTrace *trace); /* NULL is allowed */
TAC_OWNED_TYPE(tacRunTrace, tac_run_trace_destroy)
