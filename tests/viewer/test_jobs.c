#include "app/viewer/session/jobs.h"

#include "test.h"

static tacViewMessage make_command(tacViewCommand command, uint32_t index, double value) {
  return (tacViewMessage){.kind = TAC_VIEW_COMMAND, .command = {.command = command, .index = index, .value = value}};
}

static tacViewMessage make_ask(tacViewAsked what, uint32_t number) {
  return (tacViewMessage){.kind = TAC_VIEW_ASK, .ask = {.what = what, .number = number}};
}

static void add(tacJobs *jobs, int client, tacViewMessage message) {
  ck_assert(tac_jobs_add(jobs, client, &message));
}

TAC_TEST(jobs_leave_in_their_order) {
  tacJobs jobs = {0};
  add(&jobs, 1, make_command(TAC_VIEW_RESET, 0, 0.0));
  add(&jobs, 2, make_command(TAC_VIEW_RESET, 0, 0.0)); /* twice is meant */
  add(&jobs, 3, make_command(TAC_VIEW_REPLAY, 0, 0.0));
  ck_assert(tac_jobs_wait(&jobs, TAC_VIEW_REPLAY));
  ck_assert(!tac_jobs_wait(&jobs, TAC_VIEW_OPEN));
  for (int client = 1; client <= 3; ++client) ck_assert_int_eq(tac_jobs_take(&jobs).client, client);
  ck_assert_int_eq(jobs.count, 0);
}

TAC_TEST(repeated_drag_commands_queue_once) {
  tacJobs jobs = {0};
  for (int i = 0; i < 100; ++i) {
    add(&jobs, 1 + i % 2, make_command(TAC_VIEW_PARAMETER, 7, i));
    add(&jobs, 1 + i % 2, make_ask((tacViewAsked)(i % 3), (uint32_t)i)); /* slices of both clients */
    add(&jobs, 1, make_ask(TAC_VIEW_ASK_ISOSURFACE, (uint32_t)i));
  }
  add(&jobs, 1, make_command(TAC_VIEW_PARAMETER, 8, 1.0));
  ck_assert_int_eq(jobs.count, 5);
  tac_jobs_take(&jobs); /* the parameter */
  ck_assert_uint_eq(tac_jobs_take(&jobs).message.ask.number, 98);
  ck_assert_uint_eq(tac_jobs_take(&jobs).message.ask.number, 99);
  tacJob job = tac_jobs_take(&jobs);
  ck_assert_int_eq(job.client, 2);
  ck_assert_uint_eq(job.message.ask.number, 99);
  ck_assert_uint_eq(tac_jobs_take(&jobs).message.command.index, 8);
}

TAC_TEST(the_queue_has_its_stated_capacity) {
  tacJobs jobs = {0};
  tacViewMessage reset = make_command(TAC_VIEW_RESET, 0, 0.0), slice = make_ask(TAC_VIEW_ASK_X, 1);
  add(&jobs, 1, slice);
  while (jobs.count < TAC_VIEW_MOST_JOBS) add(&jobs, 1, reset);
  ck_assert(!tac_jobs_add(&jobs, 1, &reset));
  ck_assert(!tac_jobs_add(&jobs, 2, &slice));
  ck_assert(tac_jobs_add(&jobs, 1, &slice)); /* in the place of the one that waits */
  tac_jobs_take(&jobs);
  ck_assert(tac_jobs_add(&jobs, 1, &reset));
}
