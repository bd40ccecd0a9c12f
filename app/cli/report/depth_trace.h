/* How far bodies were truly inside each other over a run, beside what their contacts saw of it.
 *
 * Measured on the recorded surfaces (tac_world_interpenetration_at) in some 60 moments, fewer where surfaces are large: evenly
 * spaced, those of the largest force and the deepest contact of each tool, and then around the deepest. What was over
 * between two moments is not seen. */
#pragma once

#include <tactus/base.h>
#include <tactus/recording.h>
#include "app/cli/console/console.h"
#include "base/memory/owned.h"

typedef struct tacTrueDepth {
  char first[64], second[64]; /* names: of two bodies, or of a tool whose tip is in a body */
  bool is_tip;
  double depth, depth_time;     /* m, s: the deepest point, and when */
  double through, through_time; /* m, s: how far the one came out behind the other, where that is more; else 0 */
  double seen;           /* m: the deepest of the contact in that moment; negative: it has no measure of its own */
  double allowed;        /* m: what the contact may miss without a reason to worry */
  double spacing, voxel; /* m, of the pair: of the points of the one in `points`, of the field of the other; 0: none */
  char points[64], field[64];
} tacTrueDepth;

typedef struct tacDepthTrace {
  int moments; /* looked at */
  int count;
  tacTrueDepth *depths; /* of what was inside something; that which was missed by most first */
} tacDepthTrace;

/* `world` is that of the recording; its parameters are left as they were at the end. `progress` may be NULL. */
tacStatus tac_depth_trace_create(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                                 tacDepthTrace **trace, tacError *error);
void tac_depth_trace_destroy(tacDepthTrace *trace); /* NULL is allowed */
TAC_OWNED_TYPE(tacDepthTrace, tac_depth_trace_destroy)

/* How far a contact was from the truth, m: what it did not see beyond what it may miss; 0 where all is well. */
double tac_true_depth_missed(const tacTrueDepth *depth);
/* "probe and liver 17.9 mm at 3.21 s (contact detected 0.4 mm)" */
void tac_true_depth_describe(const tacTrueDepth *depth, char *text, size_t size);
/* What to do about it; only where it was missed. */
void tac_true_depth_advise(const tacTrueDepth *depth, char *text, size_t size);

/* A line each on standard output, as in summaries; and a warning with advice for what was missed. */
void tac_depth_trace_print(const tacDepthTrace *trace);
void tac_depth_trace_warn(const tacDepthTrace *trace, tacConsole *console);
