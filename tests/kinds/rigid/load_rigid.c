/* Loads the kind of rigid bodies before any test, where the library's own list lacks it. */
#include <stdio.h>
#include <stdlib.h>
#include <tactus/body_kind.h>
#include "kinds/body_kind.h"

static bool allow(const char *path, const char *checksum, tacError *reason, void *user) {
  (void)path, (void)checksum, (void)reason, (void)user;
  return true;
}

__attribute__((constructor)) static void load_rigid(void) {
  tac_plugin_set(allow, NULL);
  tacError error = {0};
  if (tac_body_kind_find("rigid") == NULL && tac_body_kind_load(TAC_TEST_RIGID, &error) == TAC_OK) return;
  fprintf(stderr, "the kind of rigid bodies is here already, or cannot be loaded: %s\n", error.text);
  abort();
}
