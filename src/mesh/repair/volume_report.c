#include <stdlib.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"
#include "mesh/disjoint_sets.h"
#include "mesh/element_volume.h"
#include "mesh/face_table.h"
#include "mesh/moments.h"

static const double degrees = 57.295779513082320877;
static const int tet_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int brick_edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                      {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

typedef struct Element {
  int corner_count;
  const int *v;
  tacVec3 corners[8];
} Element;

static Element element_at(const tacVolMesh *mesh, int element) {
  bool tet = element < mesh->tet_count;
  Element e = {.corner_count = tet ? 4 : 8,
               .v = tet ? mesh->tets[element].v : mesh->bricks[element - mesh->tet_count].v};
  for (int c = 0; c < e.corner_count; ++c) e.corners[c] = mesh->vertices[e.v[c]];
  return e;
}

static bool repeats_corner(const Element *e) {
  for (int i = 0; i < e->corner_count; ++i) {
    for (int j = i + 1; j < e->corner_count; ++j) {
      if (e->v[i] == e->v[j]) return true;
    }
  }
  return false;
}

/* Its longest edge; widens the report's range of edge lengths. */
static double measure_edges(const Element *e, bool first, tacVolumeReport *report) {
  double longest = 0.0;
  for (int i = 0; i < (e->corner_count == 4 ? 6 : 12); ++i) {
    const int *edge = e->corner_count == 4 ? tet_edge[i] : brick_edge[i];
    double length = tac_vec3_distance(e->corners[edge[0]], e->corners[edge[1]]);
    longest = fmax(longest, length);
    if ((first && i == 0) || length < report->shortest_edge) report->shortest_edge = length;
  }
  report->longest_edge = fmax(report->longest_edge, longest);
  return longest;
}

static bool inverted(const Element *e, double volume) {
  if (e->corner_count == 4) return volume < 0.0;
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    tacVec3 columns[3];
    tac_brick_jacobian(e->corners, tac_vec3(s[0], s[1], s[2]), columns);
    if (!(tac_brick_determinant(columns) > 0.0)) return true;
  }
  return false;
}

/* The angle at edge i j between the faces through the other two corners k and l. */
static double dihedral(const tacVec3 *p, int i, int j, int k, int l) {
  tacVec3 edge = tac_vec3_sub(p[j], p[i]);
  tacVec3 m = tac_vec3_cross(edge, tac_vec3_sub(p[k], p[i])), n = tac_vec3_cross(edge, tac_vec3_sub(p[l], p[i]));
  return degrees * atan2(tac_vec3_norm(tac_vec3_cross(m, n)), tac_vec3_dot(m, n));
}

static void measure_dihedrals(const Element *e, bool first, tacVolumeReport *report) {
  for (int i = 0; i < 6; ++i) {
    const int *edge = tet_edge[i], *across = tet_edge[5 - i];
    double angle = dihedral(e->corners, edge[0], edge[1], across[0], across[1]);
    if ((first && i == 0) || angle < report->smallest_dihedral) report->smallest_dihedral = angle;
    if (angle > report->largest_dihedral) report->largest_dihedral = angle;
  }
}

static void measure_elements(const tacVolMesh *mesh, tacVolumeReport *report) {
  bool first_tet = true;
  for (int i = 0; i < mesh->tet_count + mesh->brick_count; ++i) {
    Element e = element_at(mesh, i);
    double longest = measure_edges(&e, i == 0, report), volume = tac_element_volume(mesh, i);
    if (repeats_corner(&e) || !(fabs(volume) > 1e-12 * longest * longest * longest)) {
      ++report->degenerate_elements;
      continue;
    }
    report->inverted_elements += inverted(&e, volume);
    if (e.corner_count == 4) {
      measure_dihedrals(&e, first_tet, report);
      first_tet = false;
    }
  }
}

static tacMoments moments_about(const tacVolMesh *mesh, tacVec3 origin) {
  tacMoments moments = {0};
  for (int i = 0; i < mesh->tet_count + mesh->brick_count; ++i) {
    Element e = element_at(mesh, i);
    for (int c = 0; c < e.corner_count; ++c) e.corners[c] = tac_vec3_sub(e.corners[c], origin);
    if (e.corner_count == 4)
      tac_moments_add_tet(&moments, e.corners[0], e.corners[1], e.corners[2], e.corners[3]);
    else
      tac_moments_add_brick(&moments, e.corners);
  }
  return moments;
}

static void measure_solid(const tacVolMesh *mesh, tacVolumeReport *report) {
  report->centroid = tac_box_centre(report->box);
  tacMoments moments = moments_about(mesh, report->centroid);
  report->volume = moments.volume;
  if (moments.volume == 0.0) return;
  report->centroid = tac_vec3_mad(report->centroid, 1.0 / moments.volume, moments.first);
  moments = moments_about(mesh, report->centroid);
  tac_moments_inertia(&moments, report->inertia);
}

typedef struct Key {
  int v[8]; /* corners, ascending, then -1 */
} Key;

static int compare_keys(const void *a, const void *b) {
  const Key *x = a, *y = b;
  for (int c = 0; c < 8; ++c) {
    if (x->v[c] != y->v[c]) return x->v[c] < y->v[c] ? -1 : 1;
  }
  return 0;
}

static tacStatus count_duplicates(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error) {
  int count = mesh->tet_count + mesh->brick_count;
  TAC_MEMORY(Key, keys) = NULL;
  TAC_TRY(TAC_ARRAY(keys, (size_t)count, "elements", error));
  for (int i = 0; i < count; ++i) {
    Element e = element_at(mesh, i);
    for (int c = 0; c < 8; ++c) keys[i].v[c] = c < e.corner_count ? e.v[c] : -1;
    qsort(keys[i].v, (size_t)e.corner_count, sizeof *keys[i].v, tac_array_compare_ints);
  }
  qsort(keys, (size_t)count, sizeof *keys, compare_keys);
  for (int i = 1; i < count; ++i) report->duplicate_elements += compare_keys(&keys[i - 1], &keys[i]) == 0;
  return TAC_OK;
}

static tacStatus count_unused(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error) {
  TAC_MEMORY(unsigned char, used) = NULL;
  TAC_TRY(TAC_ARRAY(used, (size_t)mesh->vertex_count, "vertices", error));
  for (int i = 0; i < mesh->tet_count + mesh->brick_count; ++i) {
    Element e = element_at(mesh, i);
    for (int c = 0; c < e.corner_count; ++c) used[e.v[c]] = 1;
  }
  for (int v = 0; v < mesh->vertex_count; ++v) report->unused_vertices += !used[v];
  return TAC_OK;
}

static tacStatus count_faces(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error) {
  TAC_FREED(tac_face_table_free, tacFaceTable, table) = {0};
  TAC_TRY(tac_face_table_create(mesh, &table, error));
  int element_count = mesh->tet_count + mesh->brick_count;
  TAC_MEMORY(int, set) = tac_disjoint_sets_create(element_count, error);
  if (set == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < table.face_count;) {
    size_t j = i + 1;
    int element = tac_face_element(mesh, table.faces[i].slot);
    for (; j < table.face_count && tac_face_same(&table.faces[i], &table.faces[j]); ++j)
      tac_disjoint_sets_join(set, element, tac_face_element(mesh, table.faces[j].slot));
    report->nonmanifold_faces += j - i > 2;
    i = j;
  }
  for (int e = 0; e < element_count; ++e) report->components += set[e] == e;
  return TAC_OK;
}

tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error) {
  TAC_REQUIRE(error, mesh, report);
  *report = (tacVolumeReport){.vertices = mesh->vertex_count, .tets = mesh->tet_count, .bricks = mesh->brick_count};
  report->box = tac_volmesh_box(mesh);
  TAC_TRY(count_unused(mesh, report, error));
  TAC_TRY(count_duplicates(mesh, report, error));
  TAC_TRY(count_faces(mesh, report, error));
  if (mesh->tet_count + mesh->brick_count == 0) return TAC_OK;
  measure_elements(mesh, report);
  measure_solid(mesh, report);
  return TAC_OK;
}
