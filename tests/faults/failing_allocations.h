/* Makes each allocation of some work fail in turn: a clear error and nothing left behind. The linker routes the library's
 * allocations through the __wrap_ functions below; those of other libraries are their own. */
#pragma once

#include <stdint.h>
#include "base/error.h"
#include "test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);
int __wrap_fsync(int descriptor);
int __wrap_fdatasync(int descriptor);

/* Blocks that are live, by open addressing. Only the thread that runs the test is watched: nothing fails in the library's
 * other threads. */
enum { SLOTS = 1 << 16 };
static void *live[SLOTS];
static int live_count;
static _Thread_local bool counting;
static long allocations, failing;

static size_t slot_of(const void *block) {
  size_t slot = ((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 48;
  while (live[slot] != NULL && live[slot] != block) slot = (slot + 1) % SLOTS;
  return slot;
}

static void record_block(void *block) {
  if (!counting || block == NULL) return;
  live[slot_of(block)] = block;
  ++live_count;
}

static void drop_block(void *block) {
  if (!counting || block == NULL) return;
  size_t hole = slot_of(block);
  if (live[hole] == NULL) return; /* older than the counting, or the C library's */
  live[hole] = NULL;
  --live_count;
  for (size_t next = (hole + 1) % SLOTS; live[next] != NULL; next = (next + 1) % SLOTS) {
    void *moved = live[next];
    live[next] = NULL;
    live[slot_of(moved)] = moved;
  }
}

static bool fails(void) {
  return counting && ++allocations == failing;
}

void *__wrap_malloc(size_t size) {
  void *block = fails() ? NULL : __real_malloc(size);
  record_block(block);
  return block;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *block = fails() ? NULL : __real_calloc(count, size);
  record_block(block);
  return block;
}

void *__wrap_realloc(void *block, size_t size) {
  if (fails()) return NULL;
  void *grown = __real_realloc(block, size);
  if (grown != NULL) {
    drop_block(block);
    record_block(grown);
  }
  return grown;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *block = fails() ? NULL : __real_aligned_alloc(alignment, size);
  record_block(block);
  return block;
}

void __wrap_free(void *block) {
  drop_block(block);
  __real_free(block);
}

/* Thousands of files are written, and none has to survive. */
int __wrap_fsync(int descriptor) {
  (void)descriptor;
  return 0;
}

int __wrap_fdatasync(int descriptor) {
  (void)descriptor;
  return 0;
}

/* Does the work and frees its results. */
typedef tacStatus (*Work)(tacError *error);

/* Fails the first, second, ... allocation of `work` until it succeeds. Beyond the first hundred, steps grow so that
 * long work stays testable: every place in the code is met early. TACTUS_TEST_ALL takes smaller steps. */
static void fail_each_allocation(Work work) {
  long n = 1;
  for (const long fine = tac_test_all() ? 400 : tac_test_light() ? 6 : 40;; n += 1 + n / fine) {
    error = (tacError){0};
    live_count = 0;
    memset(live, 0, sizeof live);
    allocations = 0;
    failing = n;
    counting = true;
    tacStatus status = work(&error);
    counting = false;
    bool reached = allocations >= n;
    ck_assert_msg(live_count == 0, "allocation %ld: %d blocks left behind (%s)", n, live_count, error.text);
    if (status == TAC_OK) {
      if (!reached) break; /* there are no more */
      continue;            /* it could do without this one */
    }
    ck_assert_msg(status == TAC_ERR_MEMORY, "allocation %ld: %s: %s", n, tac_status_name(status), error.text);
    ck_assert_msg(strstr(error.text, "memory") != NULL, "allocation %ld: '%s'", n, error.text);
  }
  ck_assert_int_gt(n, 3);
}
