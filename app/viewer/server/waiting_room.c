#include "app/viewer/server/waiting_room.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "app/viewer/server/socket_search.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads/hold.h"

enum { MOST_SEEN = 512, MOST_OF_ADDRESS = 6, TIME_NS = 100000000, STACK_SIZE = 512 * 1024 };
#define LONG_TIME TAC_NS_PER_SECOND

static _Thread_local bool is_inside, is_served;
static _Thread_local tacServedConnection own;

/* Waits, without the mutex, for a tenth of a second; false where the room closes. */
static bool wait_a_moment(tacWaitingRoom *room) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += TIME_NS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  int reason = 0;
  while (!room->closing && reason != ETIMEDOUT) reason = pthread_cond_timedwait(&room->changed, &room->mutex, &until);
  return !room->closing;
}

static bool is_being_served(const tacWaitingRoom *room, const tacUnansweredSocket *socket) {
  char remote[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &socket->remote, remote, sizeof remote);
  for (const tacServedConnection *c = room->served; c != NULL; c = c->next)
    if (c->remote_port == socket->remote_port && strcmp(c->remote, remote) == 0) return true;
  return false;
}

static int count_of(uint32_t remote, int count, const tacUnansweredSocket *sockets) {
  int result = 0;
  for (int i = 0; i < count; ++i) result += sockets[i].remote == remote;
  return result;
}

/* Keeps those to end, without those being served; returns how many. */
static int choose(const tacWaitingRoom *room, int count, tacUnansweredSocket *sockets) {
  tacUnansweredSocket crowd[MOST_SEEN];
  int waiting = 0, crowded = 0;
  for (int i = 0; i < count; ++i)
    if (!is_being_served(room, &sockets[i])) sockets[waiting++] = sockets[i];
  for (int i = 0; i < waiting; ++i)
    if (count_of(sockets[i].remote, waiting, sockets) > MOST_OF_ADDRESS) crowd[crowded++] = sockets[i];
  if (crowded == 0) return waiting; /* many addresses with few each */
  memcpy(sockets, crowd, (size_t)crowded * sizeof *crowd);
  return crowded;
}

/* Those that are there now and still wait in a tenth of a second. */
static void end_slow(tacWaitingRoom *room) {
  tacUnansweredSocket sockets[MOST_SEEN];
  int port = room->port;
  pthread_mutex_unlock(&room->mutex);
  int count = tac_socket_search_unanswered(port, MOST_SEEN, sockets);
  pthread_mutex_lock(&room->mutex);
  if (wait_a_moment(room)) tac_socket_search_end_unanswered(port, choose(room, count, sockets), sockets);
}

static bool is_full(const tacWaitingRoom *room) {
  return room->count + room->served_count >= room->threads;
}

/* How many requests of an address came before `time` and are still being served. */
static int count_before(const tacWaitingRoom *room, const char *remote, int64_t time) {
  int count = 0;
  for (const tacServedConnection *c = room->served; c != NULL; c = c->next)
    count += !c->stays && c->since < time && strcmp(c->remote, remote) == 0;
  return count;
}

/* Under the mutex no connection leaves, so the sockets of those being served are open. */
static void end_long(const tacWaitingRoom *room) {
  int64_t time = tac_clock_now() - LONG_TIME;
  for (const tacServedConnection *c = room->served; c != NULL; c = c->next) {
    if (c->stays || c->since >= time || count_before(room, c->remote, time) <= MOST_OF_ADDRESS) continue;
    int socket = tac_socket_search_connection(c->remote, c->remote_port, room->port);
    if (socket >= 0) shutdown(socket, SHUT_RDWR);
  }
}

static void *watch(void *context) {
  tacWaitingRoom *room = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  while (!room->closing) {
    if (room->count > room->most)
      end_slow(room);
    else if (is_full(room))
      wait_a_moment(room);
    else
      pthread_cond_wait(&room->changed, &room->mutex);
    if (is_full(room)) end_long(room);
  }
  return NULL;
}

tacStatus tac_waiting_room_open(int most, int threads, tacWaitingRoom *room, tacError *error) {
  pthread_attr_t small;
  pthread_condattr_t monotonic;
  *room = (tacWaitingRoom){.most = most, .threads = threads};
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
  if (++room->count > room->most || is_full(room)) pthread_cond_signal(&room->changed);
  pthread_mutex_unlock(&room->mutex);
  is_inside = true;
}

static void end_wait(tacWaitingRoom *room) {
  room->count -= is_inside;
  is_inside = false;
}

void tac_waiting_room_serve(tacWaitingRoom *room, const char *remote, int remote_port) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  end_wait(room);
  if (is_served) return;
  own = (tacServedConnection){.remote_port = remote_port, .since = tac_clock_now(), .next = room->served};
  snprintf(own.remote, sizeof own.remote, "%s", remote);
  room->served = &own;
  ++room->served_count;
  is_served = true;
}

void tac_waiting_room_stay(tacWaitingRoom *room) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  own.stays = true;
}

void tac_waiting_room_leave(tacWaitingRoom *room) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&room->mutex);
  end_wait(room);
  if (!is_served) return;
  tacServedConnection **place = &room->served;
  while (*place != &own) place = &(*place)->next;
  *place = own.next;
  --room->served_count;
  is_served = false;
}
