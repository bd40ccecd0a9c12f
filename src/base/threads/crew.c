#include "base/threads/crew.h"

#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/thread.h"

typedef struct Member {
  tacCrew *crew;
  int number;
  sem_t begin;
  tacThread thread;
} Member;

struct tacCrew {
  int count, started; /* started: threads, of members 1 to started */
  bool ends;
  tacCrewFn job;
  void *context;
  sem_t done;
  Member members[]; /* [count]; the first is the caller's */
};

TAC_OWNED_TYPE(tacCrew, tac_crew_destroy)

static void await(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) continue; /* a signal came */
}

static void serve(void *context) {
  Member *member = context;
  tacCrew *crew = member->crew;
  for (;;) {
    await(&member->begin);
    if (crew->ends) return;
    crew->job(member->number, crew->context);
    sem_post(&crew->done);
  }
}

tacStatus tac_crew_create(int count, tacCrew **crew, tacError *error) {
  *crew = NULL;
  if (count < 1 || count > TAC_CREW_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of threads in a crew (%d); 1 to %d are possible", count,
                         TAC_CREW_MOST);
  TAC_OWN(tacCrew, made) = NULL;
  made = tac_array_create(1, sizeof *made + (size_t)count * sizeof *made->members, "a crew of threads", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->count = count;
  sem_init(&made->done, 0, 0);
  for (int m = 1; m < count; ++m) {
    made->members[m].crew = made;
    made->members[m].number = m;
    sem_init(&made->members[m].begin, 0, 0);
  }
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-crew";
  for (int m = 1; m < count; made->started = m++)
    TAC_TRY(tac_thread_create(&def, serve, &made->members[m], &made->members[m].thread, error));
  *crew = tac_give(&made);
  return TAC_OK;
}

void tac_crew_destroy(tacCrew *crew) {
  if (crew == NULL) return;
  crew->ends = true;
  for (int m = 1; m <= crew->started; ++m) sem_post(&crew->members[m].begin);
  for (int m = 1; m <= crew->started; ++m) tac_thread_join(&crew->members[m].thread);
  for (int m = 1; m < crew->count; ++m) sem_destroy(&crew->members[m].begin);
  sem_destroy(&crew->done);
  free(crew);
}

int tac_crew_count(const tacCrew *crew) {
  return crew->count;
}

void tac_crew_run(tacCrew *crew, tacCrewFn job, void *context) {
  crew->job = job;
  crew->context = context;
  for (int m = 1; m < crew->count; ++m) sem_post(&crew->members[m].begin);
  job(0, context);
  for (int m = 1; m < crew->count; ++m) await(&crew->done);
}
