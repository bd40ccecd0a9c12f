#include "mesh/contents/group_flags.h"

#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

void tac_group_flag_write_name(FILE *stream, const char *prefix, const char *name) {
  fputs(prefix, stream);
  for (const char *c = name; *c != 0; ++c) {
    unsigned char byte = (unsigned char)*c;
    bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                 byte == '-' || byte == '.' || byte == '_';
    if (plain)
      fputc(byte, stream);
    else
      fprintf(stream, "%%%02X", byte);
  }
}

bool tac_group_flag_is(tacWord array, const char *prefix) {
  return array.length >= strlen(prefix) && memcmp(array.text, prefix, strlen(prefix)) == 0;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

tacStatus tac_group_flag_group(tacMeshBuilder *builder, tacGroupKind kind, tacWord array, int *group) {
  const char *prefix = kind == TAC_GROUP_OF_VERTICES ? TAC_GROUP_FLAG_VERTICES : TAC_GROUP_FLAG_ELEMENTS;
  size_t skipped = strlen(prefix), length = 0;
  TAC_MEMORY(char, name) = NULL;
  TAC_TRY(TAC_ARRAY(name, array.length, "a name", builder->error));
  for (size_t i = skipped; i < array.length; ++i) {
    int high = i + 2 < array.length && array.text[i] == '%' ? hex_digit(array.text[i + 1]) : -1;
    int low = high >= 0 ? hex_digit(array.text[i + 2]) : -1;
    name[length++] = low >= 0 ? (char)(16 * high + low) : array.text[i];
    if (low >= 0) i += 2;
  }
  return tac_mesh_builder_group(builder, kind, (tacWord){name, length}, group);
}
