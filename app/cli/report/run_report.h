/* The report of a run: one page that needs nothing else, with a verdict, numbers, plots, a picture and the scene's text. */
#pragma once

#include <tactus/base.h>
#include <tactus/servo.h>
#include "app/cli/picture/image.h"
#include "app/cli/report/depth_trace.h"

/* Everything is computed from the recording; `world` is the one of its scene, for names and surfaces. `servo` (may be NULL) adds
 * the rate, what the system refused, and the fault that ended the run; `depths` (likewise) how deep bodies truly were in each other.
 * `progress` may be NULL. The caller frees `image`, the report's picture; zeroed where there is nothing to show. Atomic. */
tacStatus tac_run_report_write(const char *path, tacRecording *recording, const tacWorld *world, const char *title,
                               const tacServoReport *servo, const tacDepthTrace *depths, const tacProgress *progress,
                               tacImage *image, tacError *error);
