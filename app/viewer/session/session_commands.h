/* What clients command: at once, or as a job for the worker where it takes time. */
#pragma once

#include "app/viewer/session/session_core.h"

/* With the lock. */
void tac_session_command(tacSession *s, int client, const tacViewMessage *message);
/* With the lock. False where too many wait. */
bool tac_session_queue(tacSession *s, int client, const tacViewMessage *message);
/* For the worker, without the lock: a command that had to wait until the world went on. */
void tac_session_catch_up(tacSession *s, int client, const tacViewMessage *message);
