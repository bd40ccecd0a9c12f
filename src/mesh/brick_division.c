#include "mesh/brick_division.h"

#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

enum { PER_BRICK = 6 };

/* Corners of each face, counter-clockwise seen from outside. */
static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}};

/* A total order, so that all who share a face mean the same corner. */
static bool is_lower(const tacVolMesh *mesh, int a, int b) {
  tacVec3 p = mesh->vertices[a], q = mesh->vertices[b];
  if (p.z != q.z) return p.z < q.z;
  if (p.y != q.y) return p.y < q.y;
  if (p.x != q.x) return p.x < q.x;
  return a < b;
}

static int lowest(const tacVolMesh *mesh, const tacBrick *brick, int count, const int *corners) {
  int best = 0;
  for (int i = 1; i < count; ++i)
    if (is_lower(mesh, brick->v[corners[i]], brick->v[corners[best]])) best = i;
  return best;
}

/* The brick is the cone from its lowest corner over the three faces without it; the other three are cut from it, too. */
static bool divide(const tacVolMesh *mesh, const tacBrick *brick, tacTet *tet) {
  static const int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int apex = lowest(mesh, brick, 8, all);
  tacVec3 top = mesh->vertices[brick->v[apex]];
  for (int f = 0; f < 6; ++f) {
    const int *face = faces[f];
    if (face[0] == apex || face[1] == apex || face[2] == apex || face[3] == apex) continue;
    int first = lowest(mesh, brick, 4, face);
    for (int half = 1; half < 3; ++half, ++tet) {
      int a = brick->v[face[first]], b = brick->v[face[(first + half) % 4]], c = brick->v[face[(first + half + 1) % 4]];
      *tet = (tacTet){{brick->v[apex], a, b, c}};
      tacVec3 x = tac_vec3_sub(mesh->vertices[a], top), y = tac_vec3_sub(mesh->vertices[b], top);
      if (!(tac_vec3_dot(tac_vec3_cross(x, y), tac_vec3_sub(mesh->vertices[c], top)) > 0.0)) return false;
    }
  }
  return true;
}

TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

static tacStatus copy_groups(const tacVolMesh *from, tacVolMesh *to, tacError *error) {
  for (int g = 0; g < from->group_count; ++g) {
    const tacIndexSet *group = &from->groups[g];
    int count = 0;
    TAC_MEMORY(int, elements) = NULL;
    TAC_TRY(TAC_ARRAY(elements, PER_BRICK * (size_t)group->count, "elements", error));
    for (int i = 0; i < group->count; ++i) {
      int brick = group->indices[i] - from->tet_count;
      if (brick < 0) elements[count++] = group->indices[i];
      for (int k = 0; brick >= 0 && k < PER_BRICK; ++k) elements[count++] = from->tet_count + PER_BRICK * brick + k;
    }
    TAC_TRY(tac_volmesh_add_group(to, group->name, count, elements, error));
  }
  for (int s = 0; s < from->vertex_set_count; ++s)
    TAC_TRY(tac_volmesh_add_vertex_set(to, from->vertex_sets[s].name, from->vertex_sets[s].count,
                                       from->vertex_sets[s].indices, error));
  return TAC_OK;
}

static tacStatus fill(const tacVolMesh *from, tacVolMesh *to, tacError *error) {
  memcpy(to->vertices, from->vertices, (size_t)from->vertex_count * sizeof *to->vertices);
  if (from->tet_count > 0) memcpy(to->tets, from->tets, (size_t)from->tet_count * sizeof *to->tets);
  for (int b = 0; b < from->brick_count; ++b)
    if (!divide(from, &from->bricks[b], to->tets + from->tet_count + PER_BRICK * (size_t)b))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "brick %d is too skewed to be divided into tetrahedra: one of them would be inverted", b);
  return copy_groups(from, to, error);
}

tacStatus tac_brick_division(const tacVolMesh *mesh, tacVolMesh **tets, tacError *error) {
  *tets = NULL;
  double count = (double)mesh->tet_count + PER_BRICK * (double)mesh->brick_count;
  if (count > 2147483647.0 / PER_BRICK)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the mesh has too many bricks (%d) to divide into tetrahedra",
                         mesh->brick_count);
  TAC_OWN(tacVolMesh, made) = NULL;
  TAC_TRY(tac_volmesh_create(mesh->vertex_count, (int)count, 0, &made, error));
  TAC_TRY(fill(mesh, made, error));
  *tets = tac_give(&made);
  return TAC_OK;
}
