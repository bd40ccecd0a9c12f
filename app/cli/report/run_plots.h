/* The plots of a run's report, as figures of a page. */
#pragma once

#include <stdio.h>
#include "app/cli/report/run_trace.h"
#include "base/text.h"

/* In the order of the page. `world` names the tools. */
tacStatus tac_run_plots_write(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error);
/* Force over penetration, which stands beside the scene's picture. */
tacStatus tac_run_plots_write_loop(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error);

/* The name of a tool that the recording has; those that the world lacks are numbered. */
tacText tac_run_tool_name(const tacWorld *world, int tool);
