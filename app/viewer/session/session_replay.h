/* Recordings instead of the running world, and back. For the worker, without the lock. */
#pragma once

#include "app/viewer/session/session_core.h"

/* `moment`: s, negative for that of the largest force. */
void tac_session_open_tape(tacSession *s, const char *path, double moment);
/* One of the list; "": back to the world. */
void tac_session_replay(tacSession *s, const char *file);
/* Gives one of the list another name: `text` is "old.tacrec/new", with or without .tacrec. */
void tac_session_rename(tacSession *s, const char *text);
void tac_session_delete(tacSession *s, const char *file);
