#include "app/viewer/session/jobs.h"

#include <string.h>

static bool is_command(const tacViewMessage *message, tacViewCommand command) {
  return message->kind == TAC_VIEW_COMMAND && message->command.command == command;
}

static bool is_surface(const tacViewMessage *message) {
  return message->ask.what == TAC_VIEW_ASK_ISOSURFACE;
}

/* Whether the one that waits need not be done where the new one is. */
static bool replaces(const tacJob *waiting, int client, const tacViewMessage *message) {
  const tacViewMessage *old = &waiting->message;
  if (is_command(message, TAC_VIEW_PARAMETER))
    return is_command(old, TAC_VIEW_PARAMETER) && old->command.index == message->command.index;
  return message->kind == TAC_VIEW_ASK && old->kind == TAC_VIEW_ASK && waiting->client == client &&
         is_surface(old) == is_surface(message);
}

bool tac_jobs_add(tacJobs *jobs, int client, const tacViewMessage *message) {
  int at = 0;
  while (at < jobs->count && !replaces(&jobs->list[at], client, message)) ++at;
  if (at == TAC_VIEW_MOST_JOBS) return false;
  jobs->list[at] = (tacJob){client, *message};
  if (at == jobs->count) ++jobs->count;
  return true;
}

bool tac_jobs_wait(const tacJobs *jobs, tacViewCommand command) {
  for (int j = 0; j < jobs->count; ++j)
    if (is_command(&jobs->list[j].message, command)) return true;
  return false;
}

tacJob tac_jobs_take(tacJobs *jobs) {
  tacJob first = jobs->list[0];
  memmove(jobs->list, jobs->list + 1, (size_t)--jobs->count * sizeof *jobs->list);
  return first;
}
