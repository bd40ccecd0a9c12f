#include "mesh/query/self_intersection.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/box_tree.h"
#include "mesh/query/triangle_pair.h"

typedef struct Search {
  const tacTriMesh *mesh;
  tacBoxTree *tree; /* NULL where no triangle takes part */
  int count;
  int *triangles; /* those that take part; the tree's items are their positions here */
  tacBox *boxes;
  _Atomic int64_t pairs;
} Search;

typedef struct Query {
  const Search *search;
  int item;
  int64_t pairs;     /* found */
  const int *labels; /* of triangles, whose sets are joined; NULL: pairs are counted alone */
  int *sets;
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
  int a = -1, b = -1;
  if (query->labels != NULL) {
    a = tac_disjoint_sets_find(query->sets, query->labels[search->triangles[query->item]]);
    b = tac_disjoint_sets_find(query->sets, query->labels[search->triangles[item]]);
    if (a == b) return 1;
  }
  tacVec3 p[3], q[3];
  corners_of(search, query->item, p);
  corners_of(search, item, q);
  bool intersects = tac_triangle_pair_intersects(p, q);
  if (intersects && query->labels != NULL) tac_disjoint_sets_join(query->sets, a, b);
  query->pairs += intersects;
  return 1;
}

static void search_range(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Search *search = context;
  int64_t pairs = 0;
  for (size_t item = begin; item < end; ++item) {
    Query query = {.search = search, .item = (int)item};
    tac_box_tree_overlap(search->tree, search->boxes[item], visit, &query);
    pairs += query.pairs;
  }
  atomic_fetch_add(&search->pairs, pairs);
}

/* Triangles that take part, their boxes and the tree over them. */
static tacStatus fill_search(Search *search, const unsigned char *skip, tacError *error) {
  const tacTriMesh *mesh = search->mesh;
  TAC_TRY(TAC_ARRAY(search->triangles, (size_t)mesh->triangle_count, "triangles", error));
  TAC_TRY(TAC_ARRAY(search->boxes, (size_t)mesh->triangle_count, "boxes", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (skip[t]) continue;
    tacBox box = tac_box_empty();
    for (int c = 0; c < 3; ++c) box = tac_box_add(box, mesh->vertices[mesh->triangles[t].v[c]]);
    search->triangles[search->count] = t;
    search->boxes[search->count++] = box;
  }
  return search->count > 0 ? tac_box_tree_create(search->count, search->boxes, &search->tree, error) : TAC_OK;
}

static void free_search(Search *search) {
  tac_box_tree_destroy(search->tree);
  free(search->triangles);
  free(search->boxes);
}

tacStatus tac_self_intersection_count(const tacTriMesh *mesh, const unsigned char *skip, int *pairs, tacError *error) {
  *pairs = 0;
  TAC_FREED(free_search, Search, search) = {.mesh = mesh};
  TAC_TRY(fill_search(&search, skip, error));
  if (search.count > 0)
    TAC_TRY(tac_parallel_for(0, (size_t)search.count, 256, search_range, &search, NULL, "self-intersections", error));
  *pairs = search.pairs > INT_MAX ? INT_MAX : (int)search.pairs;
  return TAC_OK;
}

tacStatus tac_self_intersection_join(const tacTriMesh *mesh, const unsigned char *skip, const int *labels, int *sets,
                                     tacError *error) {
  TAC_FREED(free_search, Search, search) = {.mesh = mesh};
  TAC_TRY(fill_search(&search, skip, error));
  for (int item = 0; item < search.count; ++item) {
    Query query = {&search, item, 0, labels, sets};
    tac_box_tree_overlap(search.tree, search.boxes[item], visit, &query);
  }
  return TAC_OK;
}
