#include "base/threads/triple_buffer.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include "base/threads/thread.h"
#include "test.h"

TAC_TEST(before_the_first_value_the_reader_sees_zeros) {
  TAC_CREATE(tacTripleBuffer, buffer, tac_triple_buffer_create(sizeof(double), &buffer, &error));
  bool is_new = true;
  ck_assert_double_eq(*(const double *)tac_triple_buffer_latest(buffer, &is_new), 0.0);
  ck_assert(!is_new);
}

TAC_TEST(the_reader_gets_the_latest_value_and_keeps_it) {
  TAC_CREATE(tacTripleBuffer, buffer, tac_triple_buffer_create(sizeof(int), &buffer, &error));
  bool is_new = false;
  const int *latest = NULL;
  for (int value = 1; value <= 10; ++value) {
    *(int *)tac_triple_buffer_begin(buffer) = value;
    tac_triple_buffer_publish(buffer);
    *(int *)tac_triple_buffer_begin(buffer) = -1; /* begun but not published */
    if (value % 3 != 0) continue;
    latest = tac_triple_buffer_latest(buffer, &is_new);
    ck_assert(is_new);
    ck_assert_int_eq(*latest, value);
    ck_assert_ptr_eq(tac_triple_buffer_latest(buffer, &is_new), latest);
    ck_assert(!is_new);
  }
  ck_assert_int_eq(*latest, 9); /* the slot of the reader is not the writer's */
  ck_assert_int_eq(*(const int *)tac_triple_buffer_latest(buffer, NULL), 10);
}

TAC_TEST(slots_are_on_cache_lines_of_their_own) {
  TAC_CREATE(tacTripleBuffer, buffer, tac_triple_buffer_create(1, &buffer, &error));
  uintptr_t slots[3];
  slots[0] = (uintptr_t)tac_triple_buffer_latest(buffer, NULL);
  slots[1] = (uintptr_t)tac_triple_buffer_begin(buffer);
  tac_triple_buffer_publish(buffer);
  slots[2] = (uintptr_t)tac_triple_buffer_begin(buffer);
  for (int i = 0; i < 3; ++i) {
    ck_assert_uint_eq(slots[i] % 64, 0);
    for (int j = 0; j < i; ++j) ck_assert_uint_ne(slots[i] / 64, slots[j] / 64);
  }
}

TAC_TEST(a_size_that_overflows_is_a_memory_error) {
  tacTripleBuffer *buffer = NULL;
  ck_assert_int_eq(tac_triple_buffer_create(SIZE_MAX - 10, &buffer, &error), TAC_ERR_MEMORY);
  ck_assert_ptr_null(buffer);
}

enum { WORDS = 128 }; /* 1 KiB */

typedef struct {
  uint64_t sequence, noise[WORDS - 2], sum;
} Value;

typedef struct {
  tacTripleBuffer *buffer;
  uint64_t last;
  atomic_bool reader_started;
} Torture;

static uint64_t sum_of(const Value *value) {
  uint64_t sum = value->sequence;
  for (int i = 0; i < WORDS - 2; ++i) sum = sum * 31 + value->noise[i];
  return sum;
}

static void write_values(void *context) {
  Torture *torture = context;
  while (!atomic_load(&torture->reader_started)) sched_yield();
  for (uint64_t sequence = 1; sequence <= torture->last; ++sequence) {
    Value *value = tac_triple_buffer_begin(torture->buffer);
    value->sequence = sequence;
    for (uint64_t i = 0; i < WORDS - 2; ++i) value->noise[i] = sequence * 0x9E3779B97F4A7C15u + i;
    value->sum = sum_of(value);
    tac_triple_buffer_publish(torture->buffer);
    if (sequence % 1024 == 0) sched_yield(); /* so that one core interleaves the two as well */
  }
}

TAC_TEST(no_value_is_torn_or_older_than_the_one_before_and_the_last_arrives) {
  Torture torture = {.last = tac_test_light() ? 100000 : 1000000};
  tac_test_ok(tac_triple_buffer_create(sizeof(Value), &torture.buffer, &error), error);
  tacThread writer;
  tacThreadDef def = tac_thread_def_default();
  tac_test_ok(tac_thread_create(&def, write_values, &torture, &writer, &error), error);
  atomic_store(&torture.reader_started, true);
  uint64_t seen = 0, torn = 0, older = 0, repeated = 0;
  while (seen < torture.last) {
    bool is_new = false;
    const Value *value = tac_triple_buffer_latest(torture.buffer, &is_new);
    torn += value->sequence != 0 && sum_of(value) != value->sum;
    older += value->sequence < seen;
    repeated += is_new && value->sequence == seen;
    seen = value->sequence;
  }
  tac_thread_join(&writer);
  ck_assert_uint_eq(torn, 0);
  ck_assert_uint_eq(older, 0);
  ck_assert_uint_eq(repeated, 0);
  ck_assert_uint_eq(seen, torture.last);
  tac_triple_buffer_destroy(torture.buffer);
}

/* Two threads that take turns. The turn is relaxed, so only the buffer orders what they do with slots: without the release
 * or the acquire of either exchange, the thread sanitizer sees a race of the same slot in every run. */
typedef struct {
  tacTripleBuffer *buffer;
  atomic_int turn;
} Turns;

enum { TURNS = 200 };

static void wait_for(Turns *turns, int turn) {
  while (atomic_load_explicit(&turns->turn, memory_order_relaxed) != turn) sched_yield();
}

static void end_turn(Turns *turns, int turn) {
  atomic_store_explicit(&turns->turn, turn + 1, memory_order_relaxed);
}

static void write_in_turn(void *context) {
  Turns *turns = context;
  for (int turn = 0; turn < TURNS; turn += 2) {
    wait_for(turns, turn);
    *(int *)tac_triple_buffer_begin(turns->buffer) = turn;
    tac_triple_buffer_publish(turns->buffer);
    end_turn(turns, turn);
  }
}

TAC_TEST(both_exchanges_order_the_content_of_slots) {
  Turns turns = {0};
  tac_test_ok(tac_triple_buffer_create(sizeof(int), &turns.buffer, &error), error);
  tacThread writer;
  tacThreadDef def = tac_thread_def_default();
  tac_test_ok(tac_thread_create(&def, write_in_turn, &turns, &writer, &error), error);
  int wrong = 0;
  for (int turn = 1; turn < TURNS; turn += 2) {
    wait_for(&turns, turn);
    wrong += *(const int *)tac_triple_buffer_latest(turns.buffer, NULL) != turn - 1;
    end_turn(&turns, turn);
  }
  tac_thread_join(&writer);
  ck_assert_int_eq(wrong, 0);
  tac_triple_buffer_destroy(turns.buffer);
}
