#include "mesh/self_intersection.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/array.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "mesh/box_tree.h"
#include "mesh/triangle_pair.h"

typedef struct Search {
  const tacTriMesh *mesh;
  const tacBoxTree *tree;
  int *triangles; /* those that take part; the tree's items are their positions here */
  tacBox *boxes;
  _Atomic int64_t pairs;
} Search;

typedef struct Query {
  const Search *search;
  int item;
  int64_t pairs;
} Query;

static void corners_of(const Search *search, int item, tacVec3 corners[3]) {
  const int *v = search->mesh->triangles[search->triangles[item]].v;
  for (int c = 0; c < 3; ++c) corners[c] = search->mesh->vertices[v[c]];
}

static bool boxes_overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static int visit(int item, void *context) {
  Query *query = context;
  const Search *search = query->search;
  if (item <= query->item || !boxes_overlap(search->boxes[item], search->boxes[query->item])) return 1;
  tacVec3 a[3], b[3];
  corners_of(search, query->item, a);
  corners_of(search, item, b);
  query->pairs += tac_triangle_pair_intersects(a, b);
  return 1;
}

static void search_range(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Search *search = context;
  int64_t pairs = 0;
  for (size_t item = begin; item < end; ++item) {
    Query query = {search, (int)item, 0};
    tac_box_tree_overlap(search->tree, search->boxes[item], visit, &query);
    pairs += query.pairs;
  }
  atomic_fetch_add(&search->pairs, pairs);
}

tacStatus tac_self_intersection_count(const tacTriMesh *mesh, const unsigned char *skip, int *pairs, tacError *error) {
  *pairs = 0;
  Search search = {.mesh = mesh};
  tacBoxTree *tree = NULL;
  int count = 0;
  tacStatus status = TAC_ERR_MEMORY;
  search.triangles = tac_array_create((size_t)mesh->triangle_count, sizeof *search.triangles, "triangles", error);
  search.boxes = tac_array_create((size_t)mesh->triangle_count, sizeof *search.boxes, "boxes", error);
  if (search.triangles == NULL || search.boxes == NULL) goto done;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (skip[t]) continue;
    tacBox box = tac_box_empty();
    for (int c = 0; c < 3; ++c) box = tac_box_add(box, mesh->vertices[mesh->triangles[t].v[c]]);
    search.triangles[count] = t;
    search.boxes[count++] = box;
  }
  status = TAC_OK;
  if (count == 0) goto done;
  status = tac_box_tree_create(count, search.boxes, &tree, error);
  if (status != TAC_OK) goto done;
  search.tree = tree;
  status = tac_parallel_for(0, (size_t)count, 256, search_range, &search, NULL, "self-intersections", error);
  if (status == TAC_OK) *pairs = search.pairs > INT_MAX ? INT_MAX : (int)search.pairs;
done:
  tac_box_tree_destroy(tree);
  free(search.triangles);
  free(search.boxes);
  return status;
}
