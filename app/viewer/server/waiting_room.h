/* Connections that have not sent their request yet. Each holds one of civetweb's threads until its time is over: a
 * browser opens some in advance, and anybody may open hundreds and say nothing. Where too many wait, those that stay
 * silent are ended. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <tactus/base.h>

typedef struct tacWaitingRoom {
  int most, port;
  pthread_t thread;
  pthread_mutex_t mutex; /* of what follows */
  pthread_cond_t changed;
  int count;
  bool closing;
} tacWaitingRoom;

/* Starts a thread. `most` may wait for as long as they like. The room must stay where it is. */
tacStatus tac_waiting_room_open(int most, tacWaitingRoom *room, tacError *error);
void tac_waiting_room_close(tacWaitingRoom *room);
/* On the thread that serves a connection: when it has begun, and when its request has come or it ends. A thread serves
 * one after the other. */
void tac_waiting_room_enter(tacWaitingRoom *room, int port);
void tac_waiting_room_leave(tacWaitingRoom *room); /* again: nothing */
