/* Outputs of a local problem after a tick: what a tool feels, and the contacts for a display. Tick phase. */
#pragma once

#include "couple/local_problem.h"

/* Writes pose, force and contact of a tool to `output`. */
void tac_local_output_describe(const tacLocalProblem *problem, int tool, const tacLocalTool *tools,
                               tacToolOutput *output, tacTickReport *report);
/* These functions work like tac_world_contacts and tac_world_delassus. */
int tac_local_output_contacts(const tacLocalProblem *problem, const tacLocalTool *tools, int most,
                              tacShownContact *contacts);
int tac_local_output_delassus(const tacLocalProblem *problem, int most, double *w);
