/* Bytes as a distance-field file: an error, or a field that answers queries. */
#include <tactus/distance_field.h>
#include "asset/distance_field.h"
#include "base/files/chunk_file.h"
#include "chunk_fuzz.h"
#include "math/geometry/vec3.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int file = tac_fuzz_file(data, size, path);
  tacError error = {0};
  tacDistanceField *field = NULL;
  tacStatus status = tac_distance_field_read(path, &field, &error);
  if ((status == TAC_OK) != (field != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort();
  if (field != NULL) tac_distance_field_value(field, tac_vec3(0.1, 0.2, 0.3));
  tac_distance_field_destroy(field);

  tacChunkFile *chunks = NULL;
  if (tac_chunk_file_open(path, &chunks, &error) == TAC_OK)
    for (int i = 0; i < tac_chunk_file_count(chunks); ++i) {
      const tacChunkInfo *info = tac_chunk_file_info(chunks, i);
      uint64_t count;
      void *items = NULL;
      if (tac_chunk_file_read(chunks, info->name, info->type, UINT64_MAX, &count, &items, &error) == TAC_OK)
        free(items);
    }
  tac_chunk_file_close(chunks);
  close(file);
  return 0;
}
