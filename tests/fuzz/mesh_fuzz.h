/* What the fuzz targets of mesh readers share. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "mesh/contents/mesh_builder.h"
#include "mesh/formats/mesh_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a reader accepts must be valid, and what it refuses must leave nothing and say why. */
static inline void tac_fuzz_check(tacStatus status, tacMeshContents *contents, tacError *error) {
  tacError invalid = {.text = ""};
  if (status == TAC_OK ? contents->surface == NULL && contents->volume == NULL
                       : contents->surface != NULL || contents->volume != NULL || error->text[0] == 0)
    abort();
  if (contents->surface != NULL && tac_trimesh_validate(contents->surface, &invalid) != TAC_OK) {
    fprintf(stderr, "%s\n", invalid.text);
    abort();
  }
  if (contents->volume != NULL && tac_volmesh_validate(contents->volume, &invalid) != TAC_OK) {
    fprintf(stderr, "%s\n", invalid.text);
    abort();
  }
  tac_mesh_contents_destroy(contents);
}

static inline int tac_fuzz_read(tacMeshReader *read, const uint8_t *data, size_t size) {
  tacMeshContents contents = {NULL, NULL};
  tacError error = {.text = ""};
  tac_fuzz_check(tac_mesh_format_read(read, "fuzz", data, size, &contents, &error), &contents, &error);
  return 0;
}

#define TAC_FUZZ_READER(read)                                    \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { \
    return tac_fuzz_read(read, data, size);                      \
  }
