#include "mesh/query/self_intersection.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/box_tree.h"
#include "mesh/query/triangle_pair.h"

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

/* Triangles that take part, their boxes and the tree over them; NULL where there are none. */
static tacStatus create_search(const tacTriMesh *mesh, const unsigned char *skip, Search *search, tacBoxTree **tree,
                               int *count, tacError *error) {
  *search = (Search){.mesh = mesh};
  *tree = NULL;
  *count = 0;
  search->triangles = tac_array_create((size_t)mesh->triangle_count, sizeof *search->triangles, "triangles", error);
  search->boxes = tac_array_create((size_t)mesh->triangle_count, sizeof *search->boxes, "boxes", error);
  if (search->triangles == NULL || search->boxes == NULL) return TAC_ERR_MEMORY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (skip[t]) continue;
    tacBox box = tac_box_empty();
    for (int c = 0; c < 3; ++c) box = tac_box_add(box, mesh->vertices[mesh->triangles[t].v[c]]);
    search->triangles[*count] = t;
    search->boxes[(*count)++] = box;
  }
  if (*count == 0) return TAC_OK;
  tacStatus status = tac_box_tree_create(*count, search->boxes, tree, error);
  search->tree = *tree;
  return status;
}

static void free_search(Search *search, tacBoxTree *tree) {
  tac_box_tree_destroy(tree);
  free(search->triangles);
  free(search->boxes);
}

tacStatus tac_self_intersection_count(const tacTriMesh *mesh, const unsigned char *skip, int *pairs, tacError *error) {
  *pairs = 0;
  Search search;
  tacBoxTree *tree;
  int count;
  tacStatus status = create_search(mesh, skip, &search, &tree, &count, error);
  if (status == TAC_OK && count > 0)
    status = tac_parallel_for(0, (size_t)count, 256, search_range, &search, NULL, "self-intersections", error);
  if (status == TAC_OK) *pairs = search.pairs > INT_MAX ? INT_MAX : (int)search.pairs;
  free_search(&search, tree);
  return status;
}

typedef struct Joining {
  const Search *search;
  int item;
  const int *labels;
  int *sets;
} Joining;

static int join_crossing(int item, void *context) {
  Joining *joining = context;
  const Search *search = joining->search;
  if (item <= joining->item || !boxes_overlap(search->boxes[item], search->boxes[joining->item])) return 1;
  int a = joining->labels[search->triangles[joining->item]], b = joining->labels[search->triangles[item]];
  int set_a = tac_disjoint_sets_find(joining->sets, a);
  int set_b = tac_disjoint_sets_find(joining->sets, b);
  if (set_a == set_b) return 1;
  tacVec3 p[3], q[3];
  corners_of(search, joining->item, p);
  corners_of(search, item, q);
  if (tac_triangle_pair_intersects(p, q)) tac_disjoint_sets_join(joining->sets, a, b);
  return 1;
}

tacStatus tac_self_intersection_join(const tacTriMesh *mesh, const unsigned char *skip, const int *labels, int *sets,
                                     tacError *error) {
  Search search;
  tacBoxTree *tree;
  int count;
  tacStatus status = create_search(mesh, skip, &search, &tree, &count, error);
  for (int item = 0; status == TAC_OK && item < count; ++item) {
    Joining joining = {&search, item, labels, sets};
    tac_box_tree_overlap(tree, search.boxes[item], join_crossing, &joining);
  }
  free_search(&search, tree);
  return status;
}
