#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tacLogFn current_receiver;
static void *current_user;

void tac_log_set(tacLogFn receiver, void *user) {
  pthread_mutex_lock(&lock);
  current_receiver = receiver;
  current_user = user;
  pthread_mutex_unlock(&lock);
}

void tac_log(tacLogLevel level, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  for (char *c = text; *c != 0; ++c)
    if (*c == '\n' || *c == '\r') *c = ' ';

  pthread_mutex_lock(&lock);
  if (current_receiver != NULL) current_receiver(level, text, current_user);
  pthread_mutex_unlock(&lock);
}
