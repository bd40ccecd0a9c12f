/* Threads with a name and, where the system permits, a real-time priority and a fixed core. Load phase only. */
#pragma once

#include <pthread.h>
#include "base/error.h"

typedef struct tacThreadDef {
  const char *name; /* at most 15 characters are kept; NULL for none */
  int priority;     /* SCHED_FIFO, 1 to 99; 0 for the normal scheduler */
  int core;         /* the only core to run on, from 0; -1 for any */
} tacThreadDef;

tacThreadDef tac_thread_def_default(void); /* no name, normal scheduler, any core */

#define TAC_THREAD_REFUSAL_SIZE 256

typedef struct tacThread {
  pthread_t handle;
  /* One line about what the system refused, such as "real-time priority 80 refused: ...";
   * empty when all was granted. The thread runs either way. */
  char refusal[TAC_THREAD_REFUSAL_SIZE];
} tacThread;

/* Runs `function(context)` on a new thread. Name, priority and core are in force before it is called. */
tacStatus tac_thread_create(const tacThreadDef *def, void (*function)(void *context), void *context, tacThread *thread,
                            tacError *error);
void tac_thread_join(tacThread *thread);

/* The priority of the calling thread; text as in tacThread. TAC_ERR_ARGUMENT for one that cannot exist, TAC_ERR_UNSUPPORTED for one that
 * the system refuses. */
tacStatus tac_thread_set_priority(int priority, tacError *error);
