/* What a session is made from; session.h says what it is. */
#pragma once

#include <stddef.h>
#include "app/viewer/stage/loading.h"

typedef struct tacSession tacSession;

typedef struct tacSessionDef {
  const char *folder;    /* of the gallery */
  const char *scene;     /* file in it to begin with; NULL: the gallery */
  const char *recording; /* to show instead, a path; NULL: none */
  double moment;         /* s, of the recording; negative: its largest force */
  const char *cache;     /* of baked assets; NULL: the user's */
  const char *output;    /* folder for recordings; NULL: out/NAME with the scene's name */
  const char *program;   /* "tactus 0.1.0, compiled by ..." */
  bool whole;            /* never small versions of scenes */
  /* What is being loaded, on the worker's thread; NULL for a moment: the load has ended with `status`. May be NULL. */
  void (*waits)(void *context, const tacLoadingMoment *moment, tacStatus status);
  /* What the page sent of itself; NULL: nothing is asked of it. */
  void (*drawn)(void *context, const unsigned char *bytes, size_t size);
  void *context;
} tacSessionDef;
