#include "app/viewer/session/session_core.h"

#include <limits.h>
#include <math.h>
#include <time.h>

enum { LOOK_AFTER = 1 }; /* s without a job, at the scene's files */

static void do_command(tacSession *s, int client, const tacViewMessage *message) {
  switch (message->command.command) {
    case TAC_VIEW_OPEN: tac_session_open(s, message->command.text); break;
    case TAC_VIEW_RELOAD: tac_session_reopen(s); break;
    case TAC_VIEW_RESET:
      if (!tac_session_reset(s)) tac_session_reopen(s);
      break;
    case TAC_VIEW_RECORD:
      tac_session_record(s, message->command.value != 0.0, (int)fmin(message->command.index, INT_MAX) - 1);
      break;
    case TAC_VIEW_REPLAY: tac_session_replay(s, message->command.text); break;
    case TAC_VIEW_RENAME: tac_session_rename(s, message->command.text); break;
    case TAC_VIEW_DELETE: tac_session_delete(s, message->command.text); break;
    case TAC_VIEW_PARAMETER: tac_session_rebuild(s, message->command.index); break;
    default: tac_session_catch_up(s, client, message); break; /* it came while the world stood */
  }
}

static void do_job(tacSession *s, const tacJob *job) {
  switch (job->message.kind) {
    case TAC_VIEW_COMMAND: do_command(s, job->client, &job->message); break;
    case TAC_VIEW_SHOWN: tac_session_send_shells(s, job->client); break;
    case TAC_VIEW_ASK: tac_session_send_field(s, job->client, &job->message); break;
    case TAC_VIEW_POINTER: break;
  }
}

void tac_session_work(void *context) {
  tacSession *s = context;
  if (s->def.recording != NULL)
    tac_session_open_tape(s, s->def.recording, s->def.moment);
  else if (s->def.scene != NULL)
    tac_session_open(s, s->def.scene);
  for (;;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_AFTER;
    pthread_mutex_lock(&s->lock);
    int waited = 0;
    while (s->jobs.count == 0 && !s->ending && waited == 0)
      waited = pthread_cond_timedwait(&s->changed, &s->lock, &until);
    bool ends = s->ending, has_job = s->jobs.count > 0;
    tacJob job = {0};
    if (!ends) atomic_store(&s->cancelled, false);
    if (!ends && has_job) job = tac_jobs_take(&s->jobs);
    pthread_mutex_unlock(&s->lock);
    if (ends) return;
    if (has_job)
      do_job(s, &job);
    else
      tac_session_look_at_files(s);
  }
}
