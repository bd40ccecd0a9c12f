#include "asset/point_tree.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

/* Points are sorted so that the middle one of a range divides it: those before it are not above it along `axis` of
 * the middle, those after it not below. Ranges of LEAF points and fewer are not divided. */
enum { LEAF = 8 };

typedef struct {
  double x[3];
  int number;
  int axis;
} Point;

struct tacPointTree {
  int count;
  Point *points;
};

static void swap(Point *a, Point *b) {
  Point kept = *a;
  *a = *b;
  *b = kept;
}

/* Equal keys are told apart by numbers, so that the tree is the same whatever the order was. */
static bool before(const Point *a, const Point *b, int axis) {
  return a->x[axis] < b->x[axis] || (a->x[axis] == b->x[axis] && a->number < b->number);
}

/* Puts the point that belongs in the middle there, smaller ones before it and larger ones after it. */
static void select_middle(Point *points, int begin, int end, int middle, int axis) {
  while (end - begin > 1) {
    Point pivot = points[begin + (end - begin) / 2];
    int i = begin, j = end - 1;
    while (i <= j) {
      while (before(&points[i], &pivot, axis)) ++i;
      while (before(&pivot, &points[j], axis)) --j;
      if (i <= j) swap(&points[i++], &points[j--]);
    }
    if (middle <= j)
      end = j + 1;
    else if (middle >= i)
      begin = i;
    else
      return;
  }
}

static int widest_axis(const Point *points, int begin, int end) {
  double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = begin; i < end; ++i)
    for (int a = 0; a < 3; ++a) {
      lower[a] = fmin(lower[a], points[i].x[a]);
      upper[a] = fmax(upper[a], points[i].x[a]);
    }
  int widest = 0;
  for (int a = 1; a < 3; ++a)
    if (upper[a] - lower[a] > upper[widest] - lower[widest]) widest = a;
  return widest;
}

/* Puts the middle of a range, of more than LEAF points, in its place, and returns it. */
static int divide(Point *points, int begin, int end) {
  int middle = begin + (end - begin) / 2, axis = widest_axis(points, begin, end);
  select_middle(points, begin, end, middle, axis);
  points[middle].axis = axis;
  return middle;
}

static void divide_all(Point *points, int begin, int end) {
  while (end - begin > LEAF) {
    int middle = divide(points, begin, end);
    divide_all(points, begin, middle);
    begin = middle + 1;
  }
}

/* Ranges that threads divide side by side: at first one, then the halves of all, and in the end each to its leaves. */
enum { MOST_RANGES = 64, FEW = 4096 /* points: such a range is one thread's */ };

typedef struct {
  int begin, end;
} Range;

typedef struct {
  Point *points;
  int count;
  Range ranges[MOST_RANGES], halves[MOST_RANGES];
} Division;

static void divide_ranges(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Division *division = context;
  for (size_t n = begin; n < end; ++n) {
    Range r = division->ranges[n];
    int middle = divide(division->points, r.begin, r.end);
    division->halves[2 * n] = (Range){r.begin, middle};
    division->halves[2 * n + 1] = (Range){middle + 1, r.end};
  }
}

static void finish_ranges(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Division *division = context;
  for (size_t n = begin; n < end; ++n) divide_all(division->points, division->ranges[n].begin, division->ranges[n].end);
}

static void divide_points(Point *points, int count) {
  Division division = {.points = points, .count = 1, .ranges = {{0, count}}};
  for (; division.count < MOST_RANGES && count / division.count > FEW; division.count *= 2) {
    tac_parallel_do((size_t)division.count, 1, divide_ranges, &division);
    memcpy(division.ranges, division.halves, sizeof division.ranges);
  }
  tac_parallel_do((size_t)division.count, 1, finish_ranges, &division);
}

tacStatus tac_point_tree_create(int count, const tacVec3 *points, tacPointTree **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacPointTree, tree) = NULL;
  TAC_TRY(TAC_ARRAY(tree, 1, "a tree of points", error));
  tree->count = count;
  TAC_TRY(TAC_ARRAY(tree->points, (size_t)count, "a tree of points", error));
  for (int i = 0; i < count; ++i) tree->points[i] = (Point){{points[i].x, points[i].y, points[i].z}, i, 0};
  divide_points(tree->points, count);
  *result = tac_give(&tree);
  return TAC_OK;
}

void tac_point_tree_destroy(tacPointTree *tree) {
  if (tree == NULL) return;
  free(tree->points);
  free(tree);
}

static double distance2_to(const Point *point, const double x[3]) {
  double dx = point->x[0] - x[0], dy = point->x[1] - x[1], dz = point->x[2] - x[2];
  return dx * dx + dy * dy + dz * dz;
}

typedef struct {
  double x[3];
  int most, count;
  int *nearest;
  double *distance2;
} Search;

static void offer(Search *search, const Point *point) {
  double distance2 = distance2_to(point, search->x);
  int at = search->count;
  while (at > 0 && (distance2 < search->distance2[at - 1] ||
                    (distance2 == search->distance2[at - 1] && point->number < search->nearest[at - 1])))
    --at;
  if (at == search->most) return;
  if (search->count < search->most) ++search->count;
  for (int i = search->count - 1; i > at; --i) {
    search->nearest[i] = search->nearest[i - 1];
    search->distance2[i] = search->distance2[i - 1];
  }
  search->nearest[at] = point->number;
  search->distance2[at] = distance2;
}

static void search_range(const Point *points, int begin, int end, Search *search) {
  if (end - begin <= LEAF) {
    for (int i = begin; i < end; ++i) offer(search, &points[i]);
    return;
  }
  int middle = begin + (end - begin) / 2;
  double beyond = search->x[points[middle].axis] - points[middle].x[points[middle].axis];
  bool lower_first = beyond < 0.0;
  search_range(points, lower_first ? begin : middle + 1, lower_first ? middle : end, search);
  offer(search, &points[middle]);
  if (search->count == search->most && beyond * beyond > search->distance2[search->count - 1]) return;
  search_range(points, lower_first ? middle + 1 : begin, lower_first ? end : middle, search);
}

int tac_point_tree_nearest(const tacPointTree *tree, tacVec3 p, int most, int *nearest, double *distance2) {
  Search search = {{p.x, p.y, p.z}, most, 0, nearest, distance2};
  if (most > 0) search_range(tree->points, 0, tree->count, &search);
  return search.count;
}

typedef struct {
  double x[3], radius;
  tacPointTreeVisit visit;
  void *context;
} Ball;

static void visit_range(const Point *points, int begin, int end, const Ball *ball) {
  while (end - begin > LEAF) {
    int middle = begin + (end - begin) / 2;
    double beyond = ball->x[points[middle].axis] - points[middle].x[points[middle].axis];
    if (beyond <= ball->radius) visit_range(points, begin, middle, ball);
    double distance2 = distance2_to(&points[middle], ball->x);
    if (distance2 < ball->radius * ball->radius) ball->visit(points[middle].number, distance2, ball->context);
    if (-beyond > ball->radius) return;
    begin = middle + 1;
  }
  for (int i = begin; i < end; ++i) {
    double distance2 = distance2_to(&points[i], ball->x);
    if (distance2 < ball->radius * ball->radius) ball->visit(points[i].number, distance2, ball->context);
  }
}

void tac_point_tree_within(const tacPointTree *tree, tacVec3 p, double radius, tacPointTreeVisit visit, void *context) {
  Ball ball = {{p.x, p.y, p.z}, radius, visit, context};
  visit_range(tree->points, 0, tree->count, &ball);
}
