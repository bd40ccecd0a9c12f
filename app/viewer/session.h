/* The viewer's session: one scene at a time, run, shown, steered and recorded for all clients together.
 *
 * Threads: the servo's, which nobody here waits for or holds up; one that shows (60 frames a second); one that works (loads, bakes,
 * restarts). The server's callbacks and these two share the session under one lock, which is never held while something is
 * baked or sent. */
#ifndef TAC_VIEWER_SESSION_H
#define TAC_VIEWER_SESSION_H

#include "app/viewer/server.h"

typedef struct tacSession tacSession;

typedef struct tacSessionDef {
  const char *folder;    /* of the gallery */
  const char *scene;     /* file in it to begin with; NULL: the gallery */
  const char *recording; /* to show instead, a path; NULL: none */
  double moment;         /* s, of the recording; negative: its largest force */
  const char *cache;     /* of baked assets; NULL: the user's */
  const char *output;    /* folder for recordings; NULL: out/NAME with the scene's name */
  const char *program;   /* "tactus 0.1.0, compiled by ..." */
  /* What the page sent of itself; NULL: nothing is asked of it. */
  void (*drawn)(void *context, const unsigned char *bytes, size_t size);
  void *context;
} tacSessionDef;

/* Strings are copied. */
tacStatus tac_session_create(const tacSessionDef *def, tacSession **session, tacError *error);
tacViewHandler tac_session_handler(tacSession *session);
/* After the server has started. */
tacStatus tac_session_begin(tacSession *session, tacViewServer *server, tacError *error);
/* Stops everything that runs; the server is stopped after it, and then the session destroyed. */
void tac_session_end(tacSession *session);
void tac_session_destroy(tacSession *session); /* NULL is allowed */

#endif
