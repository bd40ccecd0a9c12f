/* The viewer's session: one scene at a time, run, shown, steered and recorded for all clients together.
 *
 * Threads: the servo's, which nobody here waits for or holds up; the display (60 frames a second); the worker (loads, bakes, starts,
 * ends, makes bodies anew); the server's, which bring what clients say. The last three share a session under one lock. It is held for
 * a moment only: never while something is loaded, baked, made anew, started, ended or written, so that clients are told and
 * answered meanwhile.
 *
 * | what | file | who may touch it |
 * |---|---|---|
 * | def, gallery, sink | session.c | anyone: they do not change between begin and end |
 * | state, jobs, clients, hands, cancelled | session_core.h | whoever holds the lock |
 * | what is on show: load, show, tape, the stage's servo and world | session_show.c | the worker alone changes it. Others use it with the lock, as `shows` allows |
 * | shows = WORLD | | with the lock the servo is everyone's, and of the world what does not change while it runs |
 * | shows = TAPE | | with the lock the tape is everyone's; the stage is the worker's |
 * | shows = STILL | | stage, tape and world are the worker's; clients see one picture again and again, marked as busy |
 * | shows = NOTHING | | all of it is the worker's |
 * | the stage's devices (pointers) | hands.c | whoever holds the lock, in the phase RUNNING, whether a servo reads them or not |
 * | samples, measures, frame counts | session_frames.c | whoever holds the lock |
 *
 * The worker: session_worker.c takes the jobs; session_scene.c opens scenes, session_replay.c recordings, session_run.c starts, ends and
 * rebuilds what runs, session_answers.c answers single clients. The display: session_display.c, with frames by session_frames.c. The
 * server's threads: session.c, session_commands.c. All of them report through session_messages.c. */
#pragma once

#include "app/viewer/server/server.h"
#include "app/viewer/session/session_def.h"
#include "base/memory/owned.h"

/* Strings are copied. */
tacStatus tac_session_create(const tacSessionDef *def, tacSession **session, tacError *error);
tacViewHandler tac_session_handler(tacSession *session);
/* After the server has started; clients that came before wait for it. */
tacStatus tac_session_begin(tacSession *session, const tacViewSink *sink, tacError *error);
/* Stops everything that runs; the server is stopped after it, and then the session destroyed. */
void tac_session_end(tacSession *session);
void tac_session_destroy(tacSession *session); /* NULL is allowed */
TAC_OWNED_TYPE(tacSession, tac_session_destroy)

/* A session and the server of its clients, which end together; each may be NULL. */
typedef struct tacServedSession {
  tacSession *session;
  tacViewServer *server;
} tacServedSession;
void tac_served_session_end(tacServedSession *served);
