/* Connections that have not sent their request yet. Each holds one of civetweb's threads until its time is over: a
 * browser opens some in advance, and anybody may open hundreds and say nothing, or a byte now and then. Where too many
 * wait, those that have had a tenth of a second are ended: of addresses with more than their share, or of all. */
#pragma once

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <tactus/base.h>

/* Whose request has come; one for each thread. */
typedef struct tacServedConnection {
  char remote[INET_ADDRSTRLEN];
  int remote_port;
  struct tacServedConnection *next;
} tacServedConnection;

typedef struct tacWaitingRoom {
  int most, port;
  pthread_t thread;
  pthread_mutex_t mutex; /* of what follows */
  pthread_cond_t changed;
  int count;
  tacServedConnection *served;
  bool closing;
} tacWaitingRoom;

/* Starts a thread. `most` may wait for as long as they like. The room must stay where it is. */
tacStatus tac_waiting_room_open(int most, tacWaitingRoom *room, tacError *error);
void tac_waiting_room_close(tacWaitingRoom *room);
/* On the thread that serves a connection: when it has begun, when its request has come, and when it ends, with or without one.
 * A thread serves one after the other. */
void tac_waiting_room_enter(tacWaitingRoom *room, int port);
void tac_waiting_room_serve(tacWaitingRoom *room, const char *remote, int remote_port);
void tac_waiting_room_leave(tacWaitingRoom *room);
