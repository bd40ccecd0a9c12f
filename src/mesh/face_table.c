#include "mesh/face_table.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "mesh/brick_map.h"

static const int tet_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

int tac_face_corners(const tacVolMesh *mesh, size_t slot, int corners[4]) {
  size_t tet_slots = 4 * (size_t)mesh->tet_count;
  bool tet = slot < tet_slots;
  const int *v = tet ? mesh->tets[slot / 4].v : mesh->bricks[(slot - tet_slots) / 6].v;
  const int *face = tet ? tet_face[slot % 4] : tac_brick_face[(slot - tet_slots) % 6];
  int count = 0;
  for (int c = 0; c < (tet ? 3 : 4); ++c) {
    int vertex = v[face[c]], seen = 0;
    for (int i = 0; i < count; ++i) seen |= corners[i] == vertex;
    if (!seen) corners[count++] = vertex;
  }
  return count >= 3 ? count : 0;
}

static int compare_keys(const tacFace *a, const tacFace *b) {
  for (int c = 0; c < 4; ++c) {
    if (a->key[c] != b->key[c]) return a->key[c] < b->key[c] ? -1 : 1;
  }
  return 0;
}

static int compare_faces(const void *a, const void *b) {
  const tacFace *x = a, *y = b;
  int order = compare_keys(x, y);
  return order != 0 ? order : (x->slot > y->slot) - (x->slot < y->slot);
}

bool tac_face_same(const tacFace *a, const tacFace *b) {
  return compare_keys(a, b) == 0;
}

tacStatus tac_face_table_create(const tacVolMesh *mesh, tacFaceTable *table, tacError *error) {
  *table = (tacFaceTable){0};
  size_t slot_count = tac_face_slot_count(mesh);
  TAC_TRY(TAC_ARRAY(table->faces, slot_count, "faces", error));
  for (size_t slot = 0; slot < slot_count; ++slot) {
    tacFace face = {{0, 0, 0, -1}, slot};
    int count = tac_face_corners(mesh, slot, face.key);
    if (count == 0) continue;
    if (count == 3) face.key[3] = -1;
    for (int i = 1; i < count; ++i) {
      for (int j = i; j > 0 && face.key[j - 1] > face.key[j]; --j) {
        int larger = face.key[j - 1];
        face.key[j - 1] = face.key[j];
        face.key[j] = larger;
      }
    }
    table->faces[table->face_count++] = face;
  }
  qsort(table->faces, table->face_count, sizeof *table->faces, compare_faces);
  return TAC_OK;
}

void tac_face_table_free(tacFaceTable *table) {
  free(table->faces);
  *table = (tacFaceTable){0};
}
