/* A kind of bodies that has all that a row needs, and makes none. Of public headers alone. */
#pragma once

#include <tactus/body_kind.h>

static tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *error) {
  (void)record, (void)context, (void)self, (void)error;
  return TAC_ERR_UNSUPPORTED;
}
static void nothing(void *self) {
  (void)self;
}
static tacBodyDescription describe(const void *self) {
  (void)self;
  return (tacBodyDescription){.surface = 0};
}
static tacVec3 vertex(const void *self, int v) {
  (void)self, (void)v;
  return (tacVec3){0.0, 0.0, 0.0};
}
static tacVec3 place(const void *self, const tacSite *site) {
  (void)self;
  return site->at;
}

static const tacBodyTable empty_table = {.version = TAC_BODY_TABLE_VERSION,
                                         .destroy = nothing,
                                         .reset = nothing,
                                         .describe = describe,
                                         .vertex = vertex,
                                         .vertex_normal = vertex,
                                         .place = place};
