/* The thread that does what takes time, one job after the other. */
#pragma once

/* `context` is the session; until it ends. Begins with what its def names. */
void tac_session_work(void *context);
