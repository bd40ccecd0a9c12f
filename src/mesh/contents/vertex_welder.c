#include "mesh/contents/vertex_welder.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"

static uint64_t coordinate_bits(double x) {
  x += 0.0; /* minus zero becomes zero */
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

size_t tac_vertex_hash(tacVec3 p) {
  uint64_t hash = coordinate_bits(p.x) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 32 ^ coordinate_bits(p.y)) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ hash >> 32 ^ coordinate_bits(p.z)) * UINT64_C(0x94d049bb133111eb);
  return (size_t)(hash ^ hash >> 32);
}

static tacStatus grow(tacVertexWelder *welder) {
  size_t size = welder->size == 0 ? 1024 : 2 * welder->size;
  int *table = tac_array_create(size, sizeof *table, "a table of vertices", welder->builder->error);
  if (table == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < welder->size; ++i) {
    if (welder->table[i] == 0) continue;
    size_t slot = tac_vertex_hash(welder->builder->vertices[welder->table[i] - 1]) & (size - 1);
    while (table[slot] != 0) slot = (slot + 1) & (size - 1);
    table[slot] = welder->table[i];
  }
  free(welder->table);
  welder->table = table;
  welder->size = size;
  return TAC_OK;
}

tacStatus tac_vertex_welder_add(tacVertexWelder *welder, tacVec3 point, int *vertex) {
  tacMeshBuilder *builder = welder->builder;
  if (2 * (builder->vertex_count + 1) > welder->size) TAC_TRY(grow(welder));
  size_t mask = welder->size - 1, slot = tac_vertex_hash(point) & mask;
  for (; welder->table[slot] != 0; slot = (slot + 1) & mask) {
    const tacVec3 *other = &builder->vertices[welder->table[slot] - 1];
    if (other->x == point.x && other->y == point.y && other->z == point.z) {
      *vertex = welder->table[slot] - 1;
      return TAC_OK;
    }
  }
  *vertex = (int)builder->vertex_count;
  TAC_TRY(tac_mesh_builder_add_vertex(builder, point));
  welder->table[slot] = *vertex + 1;
  return TAC_OK;
}

void tac_vertex_welder_free(tacVertexWelder *welder) {
  free(welder->table);
  welder->table = NULL;
}
