/* The edges of a volume mesh, to draw it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/mesh.h>

typedef struct tacVolumeEdge {
  uint32_t a, b; /* vertices, a < b */
} tacVolumeEdge;

/* Every edge of the elements once, sorted; the caller frees them. None, and TAC_OK, where `mesh` is NULL. */
tacStatus tac_volume_edges(const tacVolMesh *mesh, tacVolumeEdge **edges, size_t *count, tacError *error);
