/* The faces of the elements of a volume mesh, sorted so that common faces lie side by side. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <tactus/mesh.h>

/* Faces are numbered element by element: tetrahedron t has slots 4 t to 4 t + 3, then come six for each brick. Corners that
 * repeat are taken once; faces with fewer than three corners are left out. */
typedef struct tacFace {
  int key[4]; /* its vertices, ascending; the last is -1 for a triangle */
  size_t slot;
} tacFace;

typedef struct tacFaceTable {
  size_t face_count;
  tacFace *faces; /* by key, then by slot */
} tacFaceTable;

tacStatus tac_face_table_create(const tacVolMesh *mesh, tacFaceTable *table, tacError *error);
void tac_face_table_free(tacFaceTable *table); /* a zeroed struct is allowed */

static inline size_t tac_face_slot_count(const tacVolMesh *mesh) {
  return 4 * (size_t)mesh->tet_count + 6 * (size_t)mesh->brick_count;
}
static inline int tac_face_element(const tacVolMesh *mesh, size_t slot) {
  size_t tet_slots = 4 * (size_t)mesh->tet_count;
  return (int)(slot < tet_slots ? slot / 4 : (size_t)mesh->tet_count + (slot - tet_slots) / 6);
}
/* How many corners the face has (0 where it is left out), counter-clockwise seen from outside an element of positive
 * volume. */
int tac_face_corners(const tacVolMesh *mesh, size_t slot, int corners[4]);
bool tac_face_same(const tacFace *a, const tacFace *b);
