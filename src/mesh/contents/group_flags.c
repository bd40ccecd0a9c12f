#include "mesh/contents/group_flags.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"

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
  char *name = tac_array_create(array.length, 1, "a name", builder->error);
  if (name == NULL) return TAC_ERR_MEMORY;
  for (size_t i = skipped; i < array.length; ++i) {
    int high = i + 2 < array.length && array.text[i] == '%' ? hex_digit(array.text[i + 1]) : -1;
    int low = high >= 0 ? hex_digit(array.text[i + 2]) : -1;
    name[length++] = low >= 0 ? (char)(16 * high + low) : array.text[i];
    if (low >= 0) i += 2;
  }
  tacStatus status = tac_mesh_builder_group(builder, kind, (tacWord){name, length}, group);
  free(name);
  return status;
}

tacStatus tac_group_flags_begin(int group_count, const tacIndexSet *groups, tacGroupFlags *flags, tacError *error) {
  flags->groups = groups;
  return TAC_ARRAY(flags->next, (size_t)group_count, "flags of groups", error);
}

int tac_group_flags_next(tacGroupFlags *flags, int group, int item) {
  const tacIndexSet *set = &flags->groups[group];
  int *next = &flags->next[group];
  while (*next < set->count && set->indices[*next] < item) ++*next;
  return *next < set->count && set->indices[*next] == item;
}

void tac_group_flags_free(tacGroupFlags *flags) {
  free(flags->next);
  flags->next = NULL;
}
