#include <string.h>
#include "mesh/formats/tetgen_file.h"
#include "mesh_fuzz.h"

/* The part before '@' is the .node file, the part behind it the .ele file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacMeshContents contents = {NULL, NULL};
  tacError error = {.text = ""};
  const uint8_t *at = size > 0 ? memchr(data, '@', size) : NULL;
  size_t first = at != NULL ? (size_t)(at - data) : size, second = at != NULL ? size - first - 1 : 0;
  tacStatus status =
      tac_tetgen_read_pair("fuzz.node", data, first, "fuzz.ele", data + size - second, second, &contents, &error);
  tac_fuzz_check(status, &contents, &error);
  return 0;
}
