/* A mutex that is held until the end of the block, however the block ends:
 *   TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&mutex); */
#pragma once

#include <pthread.h>
#include "base/memory/owned.h"

typedef pthread_mutex_t *tacHold;

static inline tacHold tac_hold(pthread_mutex_t *mutex) {
  pthread_mutex_lock(mutex);
  return mutex;
}

static inline void tac_hold_end(const tacHold *hold) {
  pthread_mutex_unlock(*hold);
}
