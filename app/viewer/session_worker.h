/* The thread that does what takes time, one job after the other. */
#ifndef TAC_VIEWER_SESSION_WORKER_H
#define TAC_VIEWER_SESSION_WORKER_H

/* `context` is the session; until it ends. Begins with what its def names. */
void tac_session_work(void *context);

#endif
