/* Messages of clients whose answers take longer than a callback may, in the order in which they are answered. */
#pragma once

#include "app/viewer/protocol/protocol.h"

enum { TAC_VIEW_MOST_JOBS = 32 };

typedef struct tacJob {
  int client;
  tacViewMessage message;
} tacJob;

typedef struct tacJobs {
  int count;
  tacJob list[TAC_VIEW_MOST_JOBS];
} tacJobs;

/* Sliders and planes are dragged: of a parameter one job is enough, which takes the value that is then the latest, and of what one
 * client asks about fields the last slice and the last isosurface count. False where there is no room. */
bool tac_jobs_add(tacJobs *jobs, int client, const tacViewMessage *message);
/* Whether such a command waits. */
bool tac_jobs_wait(const tacJobs *jobs, tacViewCommand command);
/* The first, which leaves; there must be one. */
tacJob tac_jobs_take(tacJobs *jobs);
