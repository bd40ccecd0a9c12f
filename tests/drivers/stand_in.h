/* What the stand-ins for vendors' libraries have in common: a device whose hand the test moves, whose force it reads, and
 * whose faults it chooses. A test loads the stand-in as well and calls `stand_in`. */
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum StandInFault {
  STAND_IN_FINE,
  STAND_IN_ABSENT, /* there is no device to open */
  STAND_IN_MUTE,   /* it can be opened and not read */
  STAND_IN_GONE,   /* every call fails */
  STAND_IN_STILL,  /* states are not new */
  STAND_IN_WARM    /* its motors are */
} StandInFault;

typedef struct StandIn {
  pthread_mutex_t lock;
  StandInFault fault;
  double position[3]; /* m */
  double frame[3][3];
  unsigned buttons;
  double gripper;                       /* rad */
  bool turns, grips;                    /* has motors for torques, a gripper */
  double force[3], torque[3];           /* that was set last */
  int sets, opens, closes, asked_index; /* counts; the index that was asked for, -1: none */
  bool enabled;
} StandIn;

#define STAND_IN_REST \
  { .lock = PTHREAD_MUTEX_INITIALIZER, .frame = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .asked_index = -1 }

/* Declares and begins a function that a driver looks for in the library. */
#define STAND_IN_EXPORT(declaration)                  \
  __attribute__((visibility("default"))) declaration; \
  declaration

/* A statement about the stand-in `s` that no other thread sees in part. */
#define STAND_IN_LOCKED(s, statement) \
  do {                                \
    pthread_mutex_lock(&(s)->lock);   \
    statement;                        \
    pthread_mutex_unlock(&(s)->lock); \
  } while (0)

/* The stand-in of a library, at rest. */
static inline StandIn *stand_in_of(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  StandIn *(*entry)(void) = NULL;
  void *address = library != NULL ? dlsym(library, "stand_in") : NULL;
  if (address == NULL) abort(); /* the build made it */
  memcpy(&entry, &address, sizeof entry);
  StandIn *s = entry();
  *s = (StandIn)STAND_IN_REST;
  return s;
}

static inline void stand_in_move(StandIn *s, double x, double y, double z) {
  const double to[3] = {x, y, z};
  STAND_IN_LOCKED(s, memcpy(s->position, to, sizeof to));
}

static inline void stand_in_fail(StandIn *s, StandInFault fault) {
  STAND_IN_LOCKED(s, s->fault = fault);
}

static inline StandIn stand_in_look(StandIn *s) {
  StandIn copy;
  STAND_IN_LOCKED(s, copy = *s);
  return copy;
}
