#include "base/threads/crew.h"

#include <stdatomic.h>
#include "test.h"

typedef struct Job {
  atomic_int calls[TAC_CREW_MOST];
  int parts[TAC_CREW_MOST];
  int round;
} Job;

static void work(int member, void *context) {
  Job *job = context;
  atomic_fetch_add(&job->calls[member], 1);
  job->parts[member] = 100 * job->round + member; /* no lock: the caller reads it after tac_crew_run */
}

TAC_TEST(every_member_works_once_a_run) {
  for (int count = 1; count <= 5; ++count) {
    TAC_OWN(tacCrew, crew) = NULL;
    Job job = {0};
    tac_test_ok(tac_crew_create(count, &crew, &error), error);
    ck_assert_int_eq(tac_crew_count(crew), count);
    for (job.round = 1; job.round <= 200; ++job.round) {
      tac_crew_run(crew, work, &job);
      for (int m = 0; m < count; ++m) {
        ck_assert_int_eq(atomic_load(&job.calls[m]), job.round);
        ck_assert_int_eq(job.parts[m], 100 * job.round + m);
      }
    }
    for (int m = count; m < TAC_CREW_MOST; ++m) ck_assert_int_eq(atomic_load(&job.calls[m]), 0);
  }
  tac_crew_destroy(NULL);
}

TAC_TEST(refuses_impossible_counts) {
  static const int counts[] = {-1, 0, TAC_CREW_MOST + 1};
  for (int i = 0; i < 3; ++i) {
    tacCrew *crew;
    ck_assert_int_eq(tac_crew_create(counts[i], &crew, &error), TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(crew);
  }
}
