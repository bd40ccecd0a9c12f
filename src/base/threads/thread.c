#include "base/threads/thread.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

tacThreadDef tac_thread_def_default(void) {
  return (tacThreadDef){.core = -1};
}

static tacStatus check_priority(int priority, tacError *error) {
  if (priority >= 0 && priority <= 99) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "the thread priority is %d; it must be 0 (normal) or 1 to 99",
                       priority);
}

static tacStatus check_core(int core, tacError *error) {
  if (core >= -1 && core < CPU_SETSIZE) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "the core is %d; it must be -1 (any) or 0 to %d", core,
                       CPU_SETSIZE - 1);
}

static void set_name(const char *name) {
  char kept[16]; /* the kernel refuses longer ones */
  snprintf(kept, sizeof kept, "%s", name);
  pthread_setname_np(pthread_self(), kept);
}

tacStatus tac_thread_set_priority(int priority, tacError *error) {
  if (check_priority(priority, error) != TAC_OK) return TAC_ERR_ARGUMENT;
  struct sched_param parameters = {.sched_priority = priority};
  int reason = pthread_setschedparam(pthread_self(), priority > 0 ? SCHED_FIFO : SCHED_OTHER, &parameters);
  if (reason == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                       "the operating system denied real-time priority %d: %s (it needs `ulimit -r %d` or the "
                       "capability CAP_SYS_NICE)",
                       priority, strerror(reason), priority);
}

static tacStatus set_core(int core, tacError *error) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  int reason = pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
  if (reason == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                       "the operating system denied core %d: %s (this process may not "
                       "use it, or it does not exist)",
                       core, strerror(reason));
}

/* Lives on the creator's stack until `ready` is posted. */
typedef struct {
  const tacThreadDef *def;
  void (*function)(void *context);
  void *context;
  char *refusal;
  sem_t ready;
} Start;

static void append_refusal(char *refusal, const char *text) {
  size_t length = strlen(refusal);
  snprintf(refusal + length, TAC_THREAD_REFUSAL_SIZE - length, "%s%s", length > 0 ? "; " : "", text);
}

static void *thread_main(void *argument) {
  Start *start = argument;
  void (*function)(void *) = start->function;
  void *context = start->context;
  const tacThreadDef *def = start->def;
  tacError error;
  if (def->name != NULL) set_name(def->name);
  if (def->core >= 0 && set_core(def->core, &error) != TAC_OK) append_refusal(start->refusal, error.text);
  if (def->priority > 0 && tac_thread_set_priority(def->priority, &error) != TAC_OK)
    append_refusal(start->refusal, error.text);
  sem_post(&start->ready);
  function(context);
  return NULL;
}

tacStatus tac_thread_create(const tacThreadDef *def, void (*function)(void *context), void *context, tacThread *thread,
                            tacError *error) {
  *thread = (tacThread){0};
  if (check_priority(def->priority, error) != TAC_OK || check_core(def->core, error) != TAC_OK) return TAC_ERR_ARGUMENT;
  Start start = {.def = def, .function = function, .context = context, .refusal = thread->refusal};
  sem_init(&start.ready, 0, 0);
  int reason = pthread_create(&thread->handle, NULL, thread_main, &start);
  if (reason == 0)
    while (sem_wait(&start.ready) != 0 && errno == EINTR) continue;
  sem_destroy(&start.ready);
  if (reason == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY, "cannot start thread \"%s\": %s", def->name != NULL ? def->name : "",
                       strerror(reason));
}

void tac_thread_join(tacThread *thread) {
  pthread_join(thread->handle, NULL);
}
