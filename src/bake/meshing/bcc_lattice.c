#include "bake/meshing/bcc_lattice.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

static uint64_t pack(tacBccCoord at) {
  return (uint64_t)at.x | (uint64_t)at.y << TAC_BCC_BITS | (uint64_t)at.z << 2 * TAC_BCC_BITS;
}

/* The slot of `key`, or the free one where it would go. */
static size_t find_slot(const tacBccLattice *lattice, uint64_t key) {
  size_t slot = (size_t)(key * 0x9E3779B97F4A7C15u >> 24) & (lattice->slot_count - 1);
  while (lattice->slots[slot] >= 0 && lattice->points[lattice->slots[slot]].key != key)
    slot = (slot + 1) & (lattice->slot_count - 1);
  return slot;
}

/* Doubles the table. */
static tacStatus grow_table(tacBccLattice *lattice, tacError *error) {
  size_t count = lattice->slot_count > 0 ? 2 * lattice->slot_count : 1024;
  int *slots = tac_array_create(count, sizeof *slots, "the table of lattice points", error);
  if (slots == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < count; ++i) slots[i] = -1;
  free(lattice->slots);
  lattice->slots = slots;
  lattice->slot_count = count;
  for (size_t p = 0; p < lattice->point_count; ++p) slots[find_slot(lattice, lattice->points[p].key)] = (int)p;
  return TAC_OK;
}

void tac_bcc_lattice_free(tacBccLattice *lattice) {
  free(lattice->points);
  free(lattice->slots);
  *lattice = (tacBccLattice){0};
}

tacBccCoord tac_bcc_coord(const tacBccPoint *point) {
  const int mask = (1 << TAC_BCC_BITS) - 1;
  return (tacBccCoord){(int)point->key & mask, (int)(point->key >> TAC_BCC_BITS) & mask,
                       (int)(point->key >> 2 * TAC_BCC_BITS) & mask};
}

int tac_bcc_lattice_find(const tacBccLattice *lattice, tacBccCoord at) {
  return lattice->slot_count > 0 ? lattice->slots[find_slot(lattice, pack(at))] : -1;
}

tacStatus tac_bcc_lattice_add(tacBccLattice *lattice, tacBccCoord at, int *point, tacError *error) {
  if (2 * (lattice->point_count + 1) > lattice->slot_count) {
    TAC_TRY(grow_table(lattice, error));
  }
  uint64_t key = pack(at);
  size_t slot = find_slot(lattice, key);
  *point = lattice->slots[slot];
  if (*point >= 0) return TAC_OK;
  if (lattice->point_count == TAC_BCC_MOST_POINTS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "more than %zu lattice points; use a size larger than %g",
                         TAC_BCC_MOST_POINTS, 2.0 * lattice->half);
  TAC_TRY(tac_array_reserve((void **)&lattice->points, &lattice->room, lattice->point_count + 1,
                            sizeof *lattice->points, "lattice points", error));
  *point = lattice->slots[slot] = (int)lattice->point_count;
  lattice->points[lattice->point_count++] = (tacBccPoint){
      .place = tac_vec3_mad(lattice->origin, lattice->half, tac_vec3(at.x, at.y, at.z)), .key = key, .sign = -1};
  return TAC_OK;
}

tacBccCoord tac_bcc_neighbour(tacBccCoord at, int which) {
  if (which < TAC_BCC_SHORT_NEIGHBOURS)
    return (tacBccCoord){at.x + (which & 1 ? 1 : -1), at.y + (which & 2 ? 1 : -1), at.z + (which & 4 ? 1 : -1)};
  int axis = (which - TAC_BCC_SHORT_NEIGHBOURS) / 2, step = which % 2 ? 2 : -2;
  return (tacBccCoord){at.x + (axis == 0) * step, at.y + (axis == 1) * step, at.z + (axis == 2) * step};
}
