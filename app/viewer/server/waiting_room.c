#include "app/viewer/server/waiting_room.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include "app/viewer/server/socket_search.h"
#include "base/error.h"
#include "base/threads/hold.h"

enum { MOST_SEEN = 256, SILENCE_NS = 100000000, STACK_SIZE = 512 * 1024 };

static _Thread_local bool is_inside;

/* Waits, without the mutex, for a tenth of a second; false where the room closes. */
static bool wait_a_moment(tacWaitingRoom *room) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += SILENCE_NS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  int reason = 0;
  while (!room->closing && reason != ETIMEDOUT) reason = pthread_cond_timedwait(&room->changed, &room->mutex, &until);
  return !room->closing;
}

/* Those that are silent and stay so. One whose request has come is answered meanwhile. What it has sent is still read,
 * so that one who speaks in this moment is heard. */
static void end_silent(tacWaitingRoom *room) {
  tacSilentSocket silent[MOST_SEEN];
  int port = room->port;
  pthread_mutex_unlock(&room->mutex);
  int count = tac_socket_search_silent(port, MOST_SEEN, silent);
  pthread_mutex_lock(&room->mutex);
  if (wait_a_moment(room)) tac_socket_search_end_silent(port, count, silent);
}

static void *watch(void *context) {
  tacWaitingRoom *room = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  while (!room->closing)
    if (room->count > room->most)
      end_silent(room);
    else
      pthread_cond_wait(&room->changed, &room->mutex);
  return NULL;
}

tacStatus tac_waiting_room_open(int most, tacWaitingRoom *room, tacError *error) {
  pthread_attr_t small;
  pthread_condattr_t monotonic;
  *room = (tacWaitingRoom){.most = most};
  pthread_mutex_init(&room->mutex, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&room->changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_attr_init(&small); /* else memory locking makes 8 MiB of it resident */
  pthread_attr_setstacksize(&small, STACK_SIZE);
  int reason = pthread_create(&room->thread, &small, watch, room);
  pthread_attr_destroy(&small);
  if (reason == 0) return TAC_OK;
  pthread_cond_destroy(&room->changed);
  pthread_mutex_destroy(&room->mutex);
  return tac_error_set(error, TAC_ERR_MEMORY, "cannot start a thread of the server: %s", strerror(reason));
}

void tac_waiting_room_close(tacWaitingRoom *room) {
  pthread_mutex_lock(&room->mutex);
  room->closing = true;
  pthread_cond_signal(&room->changed);
  pthread_mutex_unlock(&room->mutex);
  pthread_join(room->thread, NULL);
  pthread_cond_destroy(&room->changed);
  pthread_mutex_destroy(&room->mutex);
}

void tac_waiting_room_enter(tacWaitingRoom *room, int port) {
  pthread_mutex_lock(&room->mutex);
  room->port = port;
  if (++room->count > room->most) pthread_cond_signal(&room->changed);
  pthread_mutex_unlock(&room->mutex);
  is_inside = true;
}

void tac_waiting_room_leave(tacWaitingRoom *room) {
  if (!is_inside) return;
  is_inside = false;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  --room->count;
}
