#include <string.h>
#include "mesh_fuzz.h"

/* The part before '@' is the .node file, the part behind it the .ele file. */
static tacStatus read_joined(tacScanner *scanner, tacMeshBuilder *builder) {
  const unsigned char *bytes = scanner->begin;
  size_t size = (size_t)(scanner->end - bytes);
  const unsigned char *at = size > 0 ? memchr(bytes, '@', size) : NULL;
  size_t first = at != NULL ? (size_t)(at - bytes) : size, second = at != NULL ? size - first - 1 : 0;
  tacScanner nodes = tac_scanner_begin("fuzz.node", bytes, first, scanner->error);
  tacScanner elements = tac_scanner_begin("fuzz.ele", bytes + size - second, second, scanner->error);
  return tac_tetgen_read_pair(&nodes, &elements, builder);
}

TAC_FUZZ_READER(read_joined)
