/* The kind of rigid bodies as a shared object, from the same source as the library's. */
#include "kinds/rigid/rigid_kind.h"

const tacBodyKind *const *tactus_body_kinds(void) {
  static const tacBodyKind *const rows[] = {&tac_rigid_row, NULL};
  return rows;
}
