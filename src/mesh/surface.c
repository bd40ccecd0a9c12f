/* The boundary of a volume mesh. */
#include <limits.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/element_volume.h"
#include "mesh/face_table.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Marks the slots of faces that no other element has, and counts their triangles. */
static size_t mark_boundary(const tacFaceTable *table, unsigned char *boundary) {
  size_t triangle_count = 0;
  for (size_t i = 0; i < table->face_count;) {
    size_t j = i + 1;
    while (j < table->face_count && tac_face_same(&table->faces[i], &table->faces[j])) ++j;
    if (j == i + 1) {
      boundary[table->faces[i].slot] = 1;
      triangle_count += table->faces[i].key[3] < 0 ? 1 : 2;
    }
    i = j;
  }
  return triangle_count;
}

/* The triangles of one face: a quadrilateral is cut at its vertex of smallest index, so that the cut does not depend on
 * where the list of corners starts. */
static int cut_face(int corner_count, const int *corners, bool flip, tacTriangle triangles[2]) {
  int start = 0;
  for (int c = 1; c < corner_count; ++c) {
    if (corners[c] < corners[start]) start = c;
  }
  int ring[4];
  for (int c = 0; c < corner_count; ++c) {
    int step = flip ? corner_count - c : c;
    ring[c] = corners[(start + step) % corner_count];
  }
  triangles[0] = (tacTriangle){{ring[0], ring[1], ring[2]}};
  if (corner_count == 4) triangles[1] = (tacTriangle){{ring[0], ring[2], ring[3]}};
  return corner_count - 2;
}

/* Replaces volume vertices by surface vertices, numbered in the same order. */
static void renumber(const tacVolMesh *mesh, const int *number, tacTriMesh *surface, int *vertex_of) {
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (number[v] < 0) continue;
    surface->vertices[number[v]] = mesh->vertices[v];
    if (vertex_of != NULL) vertex_of[number[v]] = v;
  }
  for (int t = 0; t < surface->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) surface->triangles[t].v[c] = number[surface->triangles[t].v[c]];
  }
}

tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of,
                              tacError *error) {
  if (vertex_of != NULL) *vertex_of = NULL;
  if (element_of != NULL) *element_of = NULL;
  TAC_REQUIRE(error, surface);
  *surface = NULL;
  TAC_REQUIRE(error, mesh);
  TAC_FREED(tac_face_table_free, tacFaceTable, table) = {0};
  TAC_OWN(tacTriMesh, made) = NULL;
  TAC_MEMORY(int, vertices) = NULL;
  TAC_MEMORY(int, elements) = NULL;
  TAC_MEMORY(int, number) = NULL;
  TAC_MEMORY(unsigned char, boundary) = NULL;
  size_t slot_count = tac_face_slot_count(mesh);
  TAC_TRY(tac_face_table_create(mesh, &table, error));
  TAC_TRY(TAC_ARRAY(boundary, slot_count, "faces", error));
  TAC_TRY(TAC_ARRAY(number, (size_t)mesh->vertex_count, "vertices", error));
  size_t triangle_count = mark_boundary(&table, boundary);
  if (triangle_count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the boundary has too many triangles (%zu)", triangle_count);
  /* First marks the vertices of the boundary with 1, then numbers them. */
  int vertex_count = 0;
  for (size_t slot = 0; slot < slot_count; ++slot) {
    int corners[4];
    if (!boundary[slot]) continue;
    int count = tac_face_corners(mesh, slot, corners);
    for (int c = 0; c < count; ++c) number[corners[c]] = 1;
  }
  for (int v = 0; v < mesh->vertex_count; ++v) number[v] = number[v] ? vertex_count++ : -1;

  TAC_TRY(tac_trimesh_create(vertex_count, (int)triangle_count, &made, error));
  if (vertex_of != NULL) TAC_TRY(TAC_ARRAY(vertices, (size_t)vertex_count, "vertices", error));
  if (element_of != NULL) TAC_TRY(TAC_ARRAY(elements, triangle_count, "elements", error));
  int filled = 0;
  for (size_t slot = 0; slot < slot_count; ++slot) {
    int corners[4], element = tac_face_element(mesh, slot);
    tacTriangle cut[2];
    if (!boundary[slot]) continue;
    int count = cut_face(tac_face_corners(mesh, slot, corners), corners, tac_element_volume(mesh, element) < 0.0, cut);
    for (int i = 0; i < count; ++i) {
      if (elements != NULL) elements[filled] = element;
      made->triangles[filled++] = cut[i];
    }
  }
  renumber(mesh, number, made, vertices);
  *surface = tac_give(&made);
  if (vertex_of != NULL) *vertex_of = tac_give(&vertices);
  if (element_of != NULL) *element_of = tac_give(&elements);
  return TAC_OK;
}
