#include "mesh/query/box_tree.h"

#include <string.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

typedef struct Items {
  int count;
  tacBox *boxes;
  unsigned char *visited;
  int visits, limit;
} Items;

static const tacBox unit = {{0, 0, 0}, {1, 1, 1}};

static Items make_items(int count) {
  return (Items){.count = count,
                 .boxes = tac_test_alloc((size_t)count * sizeof(tacBox)),
                 .visited = tac_test_alloc((size_t)count),
                 .limit = -1};
}

static tacBoxTree *make_tree(const Items *items) {
  tacBoxTree *tree;
  tac_test_ok(tac_box_tree_create(items->count, items->boxes, &tree, &error), error);
  ck_assert_int_eq(tree->item_count, items->count);
  return tree;
}

static double box_distance2(tacBox box, tacVec3 p) {
  tacVec3 inside = tac_vec3_max(box.lower, tac_vec3_min(p, box.upper));
  return tac_vec3_norm2(tac_vec3_sub(p, inside));
}

static double item_distance2(int item, tacVec3 p, void *context) {
  return box_distance2(((Items *)context)->boxes[item], p);
}

static int visit(int item, void *context) {
  Items *items = context;
  ck_assert_int_ge(item, 0);
  ck_assert_int_lt(item, items->count);
  ++items->visited[item];
  return ++items->visits != items->limit;
}

static bool overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/* Nearest and overlap queries against all items in turn. */
static void check_queries(Items *items, tacBox space, int query_count) {
  TAC_OWN(tacBoxTree, tree) = make_tree(items);
  tacRandom random = tac_random_seed(21);
  for (int q = 0; q < query_count; ++q) {
    tacVec3 p = tac_random_in_box(&random, space);
    if (q % 10 == 0) p = tac_vec3_scale(50.0, p); /* far away */
    double expected = INFINITY, best2;
    for (int i = 0; i < items->count; ++i) expected = fmin(expected, box_distance2(items->boxes[i], p));
    int nearest = tac_box_tree_nearest(tree, p, INFINITY, item_distance2, items, &best2);
    ck_assert_int_ge(nearest, 0);
    ck_assert(best2 == expected);
    ck_assert(box_distance2(items->boxes[nearest], p) == expected);
    if (expected > 0.0)
      ck_assert_int_eq(tac_box_tree_nearest(tree, p, 0.999 * expected, item_distance2, items, NULL), -1);

    tacBox box = tac_box_add(tac_box_add(tac_box_empty(), p), tac_random_in_box(&random, space));
    if (q % 2 == 0) box = (tacBox){p, p};
    memset(items->visited, 0, (size_t)items->count);
    tac_box_tree_overlap(tree, box, visit, items);
    for (int i = 0; i < items->count; ++i) {
      ck_assert_int_le(items->visited[i], 1);
      if (overlap(items->boxes[i], box)) ck_assert_int_eq(items->visited[i], 1);
    }
  }
}

static void check_random_boxes(int count, double size, int query_count) {
  tacRandom random = tac_random_seed((uint64_t)count);
  tacBox space = {{-3, 1, 100}, {5, 2, 104}};
  Items items = make_items(count);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = tac_random_in_box(&random, space);
    tacVec3 s = tac_random_in_box(&random, (tacBox){{0, 0, 0}, {size, size, size}});
    if (i % 5 == 0) s.z = 0.0;
    if (i % 7 == 0) s = tac_vec3(0, 0, 0);
    items.boxes[i] = (tacBox){p, tac_vec3_add(p, s)};
  }
  check_queries(&items, space, query_count);
}

TAC_TEST(queries_equal_brute_force_on_random_boxes) {
  int queries = tac_test_light() ? 30 : 300;
  const int counts[] = {1, 2, 3, 4, 5, 8, 9, 17, 64, 65, 1000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) check_random_boxes(counts[i], 0.3, queries);
  check_random_boxes(5000, 0.05, queries);
  check_random_boxes(300, 3.0, queries);
}

TAC_TEST(identical_boxes_are_all_found) {
  Items items = make_items(777);
  for (int i = 0; i < items.count; ++i) items.boxes[i] = (tacBox){{0.5, 0.5, 0.5}, {0.6, 0.7, 0.8}};
  check_queries(&items, unit, 20);
  for (int i = 0; i < items.count; ++i) items.boxes[i] = (tacBox){{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}};
  check_queries(&items, unit, 20);
}

/* Distances that double from item to item make trees deep. */
TAC_TEST(geometrically_spaced_points_do_not_make_the_tree_too_deep) {
  Items items = make_items(200);
  for (int i = 0; i < items.count; ++i) {
    tacVec3 p = {ldexp(1.0, i / 2 - 90), ldexp(1.0, -i / 2), 0.0};
    items.boxes[i] = (tacBox){p, p};
  }
  check_queries(&items, (tacBox){{0, 0, 0}, {1000, 1, 1}}, 50);
}

/* Among small boxes, a point meets few leaves. */
TAC_TEST(an_overlap_query_visits_few_items) {
  Items items = make_items(20000);
  tacRandom random = tac_random_seed(14);
  for (int i = 0; i < items.count; ++i) {
    tacVec3 p = tac_random_in_box(&random, unit);
    items.boxes[i] = (tacBox){p, tac_vec3_add(p, tac_vec3(0.01, 0.01, 0.01))};
  }
  TAC_OWN(tacBoxTree, tree) = make_tree(&items);
  for (int q = 0; q < 100; ++q) {
    tacVec3 p = tac_random_in_box(&random, unit);
    tac_box_tree_overlap(tree, (tacBox){p, p}, visit, &items);
  }
  ck_assert_int_lt(items.visits, 100 * 50);
}

TAC_TEST(refuses_boxes_that_are_empty_or_not_finite) {
  tacBoxTree *tree;
  const tacBox bad[] = {{{0, 0, 0}, {1, -1, 1}}, {{0, 0, NAN}, {1, 1, 1}}, {{0, 0, 0}, {1, INFINITY, 1}}};
  for (int i = 0; i < 3; ++i) ck_assert_int_eq(tac_box_tree_create(1, &bad[i], &tree, NULL), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(tree);
}

TAC_TEST(a_visit_that_returns_zero_is_the_last) {
  Items items = make_items(100);
  items.limit = 7;
  for (int i = 0; i < items.count; ++i) items.boxes[i] = (tacBox){{i, 0, 0}, {i + 1, 1, 1}};
  TAC_OWN(tacBoxTree, tree) = make_tree(&items);
  tac_box_tree_overlap(tree, (tacBox){{-1, -1, -1}, {200, 2, 2}}, visit, &items);
  ck_assert_int_eq(items.visits, 7);
}

TAC_TEST(every_item_is_in_exactly_one_leaf) {
  Items items = make_items(3001);
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < items.count; ++i) {
    tacVec3 p = tac_random_in_box(&random, unit);
    items.boxes[i] = (tacBox){p, p};
  }
  TAC_OWN(tacBoxTree, tree) = make_tree(&items);
  for (int n = 0; n < tree->node_count; ++n) {
    for (int c = 0; c < 4; ++c) {
      const tacBoxTreeNode *node = &tree->nodes[n];
      ck_assert_int_le(node->count[c], TAC_BOX_TREE_LEAF);
      if (node->count[c] == 0) ck_assert_int_gt(node->first[c], n);
      for (int i = 0; i < node->count[c]; ++i) {
        int item = tree->order[node->first[c] + i];
        ++items.visited[item];
        tacVec3 local = tac_box_tree_local(tree, items.boxes[item].lower);
        ck_assert_double_le(fabs(local.x - (double)node->centre[0][c]), (double)node->half[0][c]);
        ck_assert_double_le(fabs(local.z - (double)node->centre[2][c]), (double)node->half[2][c]);
      }
    }
  }
  for (int i = 0; i < items.count; ++i) ck_assert_int_eq(items.visited[i], 1);
}
