/* Connections that have not sent their request yet. Each holds one of civetweb's threads until its time is over: a
 * browser opens some in advance, and anybody may open hundreds and say nothing, or a byte now and then. Where too many
 * wait, those that have had a tenth of a second are ended: of addresses with more than their share, or of all.
 *
 * Connections whose request has come hold a thread, too. Where no thread is free, those that have taken a second are ended, of
 * addresses with more than their share: a client may send or read as slowly as it likes. */
#pragma once

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>

/* Whose request has come; one for each thread. */
typedef struct tacServedConnection {
  char remote[INET_ADDRSTRLEN];
  int remote_port;
  int64_t since; /* when its request came, tac_clock_now */
  bool stays;    /* is not ended, however long it lasts */
  struct tacServedConnection *next;
} tacServedConnection;

typedef struct tacWaitingRoom {
  int most, threads, port;
  pthread_t thread;
  pthread_mutex_t mutex; /* of what follows */
  pthread_cond_t changed;
  int count, served_count;
  tacServedConnection *served;
  bool closing;
} tacWaitingRoom;

/* Starts a thread. `most` may wait for as long as they like; `threads` serve connections. The room must stay where it is. */
tacStatus tac_waiting_room_open(int most, int threads, tacWaitingRoom *room, tacError *error);
void tac_waiting_room_close(tacWaitingRoom *room);
/* On the thread that serves a connection: when it has begun, when its request has come, and when it ends, with or without one.
 * A thread serves one after the other. */
void tac_waiting_room_enter(tacWaitingRoom *room, int port);
void tac_waiting_room_serve(tacWaitingRoom *room, const char *remote, int remote_port);
/* On the same thread: the connection of this request is open for as long as its client likes. */
void tac_waiting_room_stay(tacWaitingRoom *room);
void tac_waiting_room_leave(tacWaitingRoom *room);
