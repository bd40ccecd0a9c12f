/* What single clients asked for. For the worker, without the lock. */
#pragma once

#include "app/viewer/session/session_core.h"

/* The pointshells of what is on show. */
void tac_session_send_shells(tacSession *s, int client);
/* A slice or an isosurface of a body's field. */
void tac_session_send_field(tacSession *s, int client, const tacViewMessage *ask);
