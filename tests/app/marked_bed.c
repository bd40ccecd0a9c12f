/* A part of the bed of examples/body_bed.c for test_plugins.py: a constructor that adds a byte to the file $MARKER, which shows that code ran. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void mark(void) {
  const char *path = getenv("MARKER");
  FILE *file = path != NULL ? fopen(path, "a") : NULL;
  if (file == NULL) return;
  fputc('x', file);
  fclose(file);
}
