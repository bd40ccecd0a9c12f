/* The bed of examples/body_bed.c, with a constructor that adds a byte to the file $MARKER: test_plugins.py sees by it when code ran. */
#include <stdio.h>
#include <stdlib.h>
#include "../../examples/body_bed.c"

__attribute__((constructor)) static void mark(void) {
  const char *path = getenv("MARKER");
  FILE *file = path != NULL ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  fputc('x', file);
  fclose(file);
}
