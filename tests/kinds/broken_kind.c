/* Shared objects with kinds of bodies that are broken in one way each: BROKEN_SYMBOL, _NULL, _VERSION, _SECOND. */
#include "empty_kind.h"

static const tacBodyKind first = {
#ifdef BROKEN_VERSION
    .version = 7,
#else
    .version = TAC_BODY_KIND_VERSION,
#endif
    .name = "first",
    .summary = "is right but for its version",
    .create = create,
    .table = &empty_table,
    .shown = TAC_SHOWN_VERTICES};
static const tacBodyKind second = {.version = TAC_BODY_KIND_VERSION,
                                   .name = "second",
                                   .summary = "lacks create",
                                   .table = &empty_table,
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
