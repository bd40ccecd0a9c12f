#include "base/threads/thread.h"

#include <sched.h>
#include <string.h>
#include "test.h"

typedef struct {
  char name[16];
  int policy, priority, cores;
  bool on_core;
  char refusal[TAC_THREAD_REFUSAL_SIZE];
} Seen;

static int wanted_core;

static void look(void *context) {
  Seen *seen = context;
  struct sched_param parameters;
  cpu_set_t cores;
  pthread_getname_np(pthread_self(), seen->name, sizeof seen->name);
  pthread_getschedparam(pthread_self(), &seen->policy, &parameters);
  seen->priority = parameters.sched_priority;
  pthread_getaffinity_np(pthread_self(), sizeof cores, &cores);
  seen->cores = CPU_COUNT(&cores);
  seen->on_core = CPU_ISSET(wanted_core, &cores);
}

static Seen look_from(const tacThreadDef *def) {
  Seen seen = {0};
  tacThread thread;
  tac_test_ok(tac_thread_create(def, look, &seen, &thread, &error), error);
  tac_thread_join(&thread);
  memcpy(seen.refusal, thread.refusal, sizeof seen.refusal);
  return seen;
}

static int first_allowed_core(void) {
  cpu_set_t cores;
  ck_assert_int_eq(sched_getaffinity(0, sizeof cores, &cores), 0);
  int core = 0;
  while (!CPU_ISSET(core, &cores)) ++core;
  return core;
}

TAC_TEST(a_thread_runs_with_its_name) {
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-a-name-that-is-too-long";
  Seen seen = look_from(&def);
  ck_assert_str_eq(seen.name, "tac-a-name-that");
  ck_assert_int_eq(seen.policy, SCHED_OTHER);
  ck_assert_str_eq(seen.refusal, "");
}

TAC_TEST(a_thread_stays_on_its_core) {
  tacThreadDef def = tac_thread_def_default();
  def.core = wanted_core = first_allowed_core();
  Seen seen = look_from(&def);
  ck_assert_str_eq(seen.refusal, "");
  ck_assert_int_eq(seen.cores, 1);
  ck_assert(seen.on_core);
}

TAC_TEST(a_priority_is_granted_or_refused_with_the_reason) {
  tacThreadDef def = tac_thread_def_default();
  def.priority = 10;
  Seen seen = look_from(&def);
  if (seen.refusal[0] == 0) {
    ck_assert_int_eq(seen.policy, SCHED_FIFO);
    ck_assert_int_eq(seen.priority, 10);
  } else {
    ck_assert_int_eq(seen.policy, SCHED_OTHER);
    ck_assert_ptr_nonnull(strstr(seen.refusal, "the operating system denied real-time priority 10: "));
  }
}

TAC_TEST(a_core_that_is_absent_is_refused_and_the_thread_runs) {
  tacThreadDef def = tac_thread_def_default();
  def.name = "runs";
  def.core = CPU_SETSIZE - 1;
  Seen seen = look_from(&def);
  ck_assert_str_eq(seen.name, "runs");
  ck_assert_ptr_nonnull(strstr(seen.refusal, "denied core 1023: Invalid argument"));
}

TAC_TEST(impossible_definitions_start_no_thread) {
  Seen seen = {0};
  tacThread thread;
  tacThreadDef def = tac_thread_def_default();
  def.priority = 100;
  ck_assert_int_eq(tac_thread_create(&def, look, &seen, &thread, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "the thread priority is 100; it must be 0 (normal) or 1 to 99");
  def.priority = 0;
  def.core = -2;
  ck_assert_int_eq(tac_thread_create(&def, look, &seen, &thread, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(seen.name, "");
}

TAC_TEST(a_thread_can_change_its_priority) {
  tac_test_ok(tac_thread_set_priority(0, &error), error);
  ck_assert_int_eq(tac_thread_set_priority(-1, &error), TAC_ERR_ARGUMENT);
}
