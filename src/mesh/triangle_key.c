#include "mesh/triangle_key.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"

typedef struct Key {
  int v[3]; /* ascending */
  int triangle;
} Key;

static int compare_corners(const Key *a, const Key *b) {
  for (int c = 0; c < 3; ++c) {
    if (a->v[c] != b->v[c]) return a->v[c] < b->v[c] ? -1 : 1;
  }
  return 0;
}

static int compare_keys(const void *a, const void *b) {
  const Key *x = a, *y = b;
  int order = compare_corners(x, y);
  return order != 0 ? order : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static Key make_key(tacTriangle t, int triangle) {
  int a = t.v[0], b = t.v[1], c = t.v[2];
  int low = a < b ? a : b, high = a < b ? b : a;
  if (c < low) return (Key){{c, low, high}, triangle};
  if (c < high) return (Key){{low, c, high}, triangle};
  return (Key){{low, high, c}, triangle};
}

tacStatus tac_triangle_repeats(const tacTriMesh *mesh, unsigned char *repeats, int *count, tacError *error) {
  *count = 0;
  TAC_MEMORY(Key, keys) = NULL;
  TAC_TRY(TAC_ARRAY(keys, (size_t)mesh->triangle_count, "triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) keys[t] = make_key(mesh->triangles[t], t);
  qsort(keys, (size_t)mesh->triangle_count, sizeof *keys, compare_keys);
  for (int i = 0; i < mesh->triangle_count; ++i) {
    unsigned char repeated = i > 0 && compare_corners(&keys[i - 1], &keys[i]) == 0;
    repeats[keys[i].triangle] = repeated;
    *count += repeated;
  }
  return TAC_OK;
}

double tac_triangle_quality(tacVec3 p, tacVec3 q, tacVec3 r) {
  double edges =
      tac_vec3_norm2(tac_vec3_sub(q, p)) + tac_vec3_norm2(tac_vec3_sub(r, q)) + tac_vec3_norm2(tac_vec3_sub(p, r));
  double twice_area = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(q, p), tac_vec3_sub(r, p)));
  return edges > 0.0 ? 2.0 * sqrt(3.0) * twice_area / edges : 0.0;
}

bool tac_triangle_is_degenerate(const tacTriMesh *mesh, int triangle) {
  tacTriangle t = mesh->triangles[triangle];
  if (tac_triangle_repeats_corner(t)) return true;
  tacVec3 a = mesh->vertices[t.v[0]], b = mesh->vertices[t.v[1]], c = mesh->vertices[t.v[2]];
  tacVec3 ab = tac_vec3_sub(b, a), ac = tac_vec3_sub(c, a), bc = tac_vec3_sub(c, b);
  double longest2 = fmax(tac_vec3_norm2(ab), fmax(tac_vec3_norm2(ac), tac_vec3_norm2(bc)));
  return !(tac_vec3_norm(tac_vec3_cross(ab, ac)) > 1e-10 * longest2);
}
