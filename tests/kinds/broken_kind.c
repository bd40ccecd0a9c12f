/* Shared objects with kinds of bodies that are broken in one way each: BROKEN_SYMBOL, _NULL, _VERSION, _SECOND. */
#include <tactus/body_kind.h>

static tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *error) {
  (void)record, (void)context, (void)self, (void)error;
  return TAC_ERR_UNSUPPORTED;
}
static void nothing(void *self) {
  (void)self;
}
static const tacTriMesh *surface(const void *self) {
  (void)self;
  return 0;
}
static tacVec3 vertex(const void *self, int v) {
  (void)self, (void)v;
  return (tacVec3){0.0, 0.0, 0.0};
}
static tacVec3 place(const void *self, const tacSite *site) {
  (void)self;
  return site->at;
}

static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = nothing,
                                   .reset = nothing,
                                   .surface = surface,
                                   .vertex = vertex,
                                   .vertex_normal = vertex,
                                   .place = place};
static const tacBodyKind first = {
#ifdef BROKEN_VERSION
    .version = 7,
#else
    .version = TAC_BODY_KIND_VERSION,
#endif
    .name = "first",
    .summary = "is right but for its version",
    .create = create,
    .table = &table,
    .shown = TAC_SHOWN_VERTICES};
static const tacBodyKind second = {.version = TAC_BODY_KIND_VERSION,
                                   .name = "second",
                                   .summary = "lacks create",
                                   .table = &table,
                                   .shown = TAC_SHOWN_VERTICES};

#ifdef BROKEN_SYMBOL
#define tactus_body_kinds tactus_body_kind
TAC_API const tacBodyKind *const *tactus_body_kind(void);
#endif
const tacBodyKind *const *tactus_body_kinds(void) {
  static const tacBodyKind *const kinds[] = {&first, &second, 0};
#ifdef BROKEN_NULL
  return kinds[2] == 0 ? 0 : kinds;
#else
  return kinds;
#endif
}
