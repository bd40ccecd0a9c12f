#include "asset/pointshell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include "asset/point_tree.h"
#include "base/error.h"
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/memory/arena.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)

/* Coordinates beyond this are refused, metres: squares of floats stay far from overflow. */
#define MOST_COORDINATE 1e12

struct tacPointshell {
  tacPointshellView view; /* what follows, to be looked at */
  tacArena memory;        /* of all arrays */
  int sizes[TAC_POINTSHELL_MOST_LEVELS];
  tacPointshellNode *nodes[TAC_POINTSHELL_MOST_LEVELS];
  float *growth[TAC_POINTSHELL_MOST_LEVELS], *areas[TAC_POINTSHELL_MOST_LEVELS];
  float *tree_areas[TAC_POINTSHELL_MOST_LEVELS]; /* on the last level those of `areas` */
  float (*normals)[4];
  float *displacements, *normal_changes;
  float (*level_normals[TAC_POINTSHELL_MOST_LEVELS])[4]; /* on the last level `normals` and `normal_changes` */
  float *level_normal_changes[TAC_POINTSHELL_MOST_LEVELS];
  double *reach;
  int32_t *parents; /* [point]: on the level before that on which it appears; -1 on level 0 */
  double surface_area;
  tacBakeChecks checks;
};

void tac_pointshell_destroy(tacPointshell *shell) {
  if (shell == NULL) return;
  tac_arena_destroy(&shell->memory);
  free(shell);
}

/* ---- memory ---- */

static int last_level(const tacPointshell *shell) {
  return shell->view.level_count - 1;
}

static int point_count(const tacPointshell *shell) {
  return shell->sizes[last_level(shell)];
}

static void take_level_normals(tacPointshell *shell, tacArena *arena) {
  tacPointshellView *view = &shell->view;
  const int last = last_level(shell);
  const size_t row = 3 * (size_t)view->stride;
  for (int l = 0; l <= last; ++l) {
    const size_t size = (size_t)shell->sizes[l];
    shell->level_normals[l] = l < last ? tac_arena_array(arena, size, sizeof **shell->level_normals) : shell->normals;
    view->level_normals[l] = (const float(*)[4])shell->level_normals[l];
    if (view->r == 0) continue;
    view->level_normal_changes[l] = shell->level_normal_changes[l] =
        l < last ? tac_arena_array(arena, size * row, sizeof(float)) : shell->normal_changes;
  }
}

/* Cuts all arrays from an arena. */
static void take_arrays(tacPointshell *shell, tacArena *arena) {
  tacPointshellView *view = &shell->view;
  size_t count = (size_t)point_count(shell), row = 3 * (size_t)view->stride;
  for (int l = 0; l < view->level_count; ++l) {
    size_t size = (size_t)shell->sizes[l];
    view->nodes[l] = shell->nodes[l] = tac_arena_array(arena, size + 1, sizeof **shell->nodes);
    view->areas[l] = shell->areas[l] = tac_arena_array(arena, size, sizeof(float));
    view->tree_areas[l] = shell->tree_areas[l] =
        l < last_level(shell) ? tac_arena_array(arena, size, sizeof(float)) : shell->areas[l];
    if (view->r > 0 && l < last_level(shell))
      view->growth[l] = shell->growth[l] = tac_arena_array(arena, size * (size_t)view->stride, sizeof(float));
  }
  shell->normals = tac_arena_array(arena, count, sizeof *shell->normals);
  view->normals = (const float(*)[4])shell->normals;
  shell->parents = tac_arena_array(arena, count, sizeof *shell->parents);
  if (view->r > 0) {
    view->displacements = shell->displacements = tac_arena_array(arena, count * row, sizeof(float));
    view->normal_changes = shell->normal_changes = tac_arena_array(arena, count * row, sizeof(float));
    view->reach = shell->reach = tac_arena_array(arena, (size_t)view->r, sizeof *shell->reach);
  }
  take_level_normals(shell, arena);
}

/* Numbers are zero. */
static tacStatus create_empty(int level_count, const int *sizes, int r, tacPointshell **result, tacError *error) {
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_TRY(TAC_ARRAY(shell, 1, "a pointshell", error));
  memcpy(shell->sizes, sizes, (size_t)level_count * sizeof *sizes);
  shell->view.level_count = level_count;
  shell->view.sizes = shell->sizes;
  shell->view.r = r;
  shell->view.stride = (r + 3) / 4 * 4;
  _Alignas(TAC_ARENA_ALIGNMENT) unsigned char nothing[1];
  tacArena none = tac_arena_over(nothing, 0); /* counts what is wanted */
  take_arrays(shell, &none);
  TAC_TRY(tac_arena_create(none.most_wanted, "a pointshell", &shell->memory, error));
  take_arrays(shell, &shell->memory);
  *result = tac_give(&shell);
  return TAC_OK;
}

/* ---- what follows from points, parents and displacements ---- */

static tacVec3 rest_point(const tacPointshell *shell, int point) {
  const tacPointshellNode *node = &shell->nodes[last_level(shell)][point];
  return tac_vec3((double)node->x, (double)node->y, (double)node->z);
}

/* A float that is larger, by so much that roundings of what is compared with it do not matter; 0 stays 0. */
static float rounded_up(double size) {
  float near = (float)size;
  if ((double)near < size) near = nextafterf(near, INFINITY);
  return size > 0.0 ? nextafterf(near, INFINITY) : 0.0f;
}

/* The largest of all sizes, whichever thread comes first. Floats that are not negative have the order of their bits. */
static void raise_to(float *number, double size) {
  float up = rounded_up(size);
  typedef uint32_t Bits __attribute__((may_alias));
  Bits bits, *place = (Bits *)(void *)number, now = __atomic_load_n(place, __ATOMIC_RELAXED);
  memcpy(&bits, &up, sizeof bits);
  while (bits > now && !__atomic_compare_exchange_n(place, &now, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

/* The balls of all nodes that `point` is a descendant of; `level` is that on which it appears. */
static void grow_balls(tacPointshell *shell, int level, int point) {
  const tacPointshellView *view = &shell->view;
  size_t stride = (size_t)view->stride;
  tacVec3 p = rest_point(shell, point);
  int ancestor = point;
  for (int l = level - 1; l >= 0; --l) {
    if (ancestor >= shell->sizes[l]) ancestor = shell->parents[ancestor];
    raise_to(&shell->nodes[l][ancestor].radius, tac_vec3_distance(p, rest_point(shell, ancestor)));
    if (view->r == 0) continue;
    const float *u = shell->displacements + 3 * stride * (size_t)point;
    const float *v = shell->displacements + 3 * stride * (size_t)ancestor;
    for (size_t j = 0; j < (size_t)view->r; ++j) {
      double x = (double)u[j] - (double)v[j], y = (double)u[stride + j] - (double)v[stride + j];
      double z = (double)u[2 * stride + j] - (double)v[2 * stride + j];
      raise_to(&shell->growth[l][stride * (size_t)ancestor + j], sqrt(x * x + y * y + z * z));
    }
  }
}

static void grow_some(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  tacPointshell *shell = context;
  for (size_t i = begin; i < end; ++i) {
    int level = 0;
    while (shell->sizes[level] <= (int)i) ++level;
    grow_balls(shell, level, (int)i);
  }
}

static void find_reach(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  tacPointshell *shell = context;
  size_t stride = (size_t)shell->view.stride;
  for (size_t j = begin; j < end; ++j) {
    double most2 = 0.0;
    for (size_t i = 0; i < (size_t)point_count(shell); ++i) {
      const float *u = shell->displacements + 3 * stride * i + j;
      tacVec3 way = {(double)u[0], (double)u[stride], (double)u[2 * stride]};
      most2 = tac_vec3_norm2(way) > most2 ? tac_vec3_norm2(way) : most2;
    }
    shell->reach[j] = sqrt(most2) * (1.0 + 1e-9);
  }
}

static void bound_all(tacPointshell *shell) {
  tacPointshellView *view = &shell->view;
  tacBox box = tac_box_empty();
  for (int i = 0; i < point_count(shell); ++i) box = tac_box_add(box, rest_point(shell, i));
  view->centre = tac_box_centre(box);
  view->radius = 0.0;
  for (int i = 0; i < point_count(shell); ++i)
    view->radius = fmax(view->radius, tac_vec3_distance(rest_point(shell, i), view->centre));
  view->radius *= 1.0 + 1e-9;
  tac_parallel_do((size_t)view->r, 1, find_reach, shell);
}

/* From the last level to the first. */
static void add_areas(tacPointshell *shell) {
  for (int l = last_level(shell) - 1; l >= 0; --l)
    for (int i = 0; i < shell->sizes[l]; ++i) {
      const tacPointshellNode *node = &shell->nodes[l][i];
      double sum = (double)shell->tree_areas[l + 1][i];
      for (int c = node[0].first_child; c < node[1].first_child; ++c) sum += (double)shell->tree_areas[l + 1][c];
      shell->tree_areas[l][i] = (float)sum;
    }
}

/* ---- normals of coarse levels ---- */

/* A mean that is being taken, of points of the level below a node. */
typedef struct {
  tacPointshell *shell;
  int level, point; /* the node */
  tacVec3 own;      /* its normal on the level below */
  double radius2;   /* how far points count, m^2 */
  tacVec3 sum;      /* of weight x normal */
  float *changes;   /* the same of their changes; NULL: rigid */
} Mean;

static tacVec3 level_normal(const tacPointshell *shell, int level, int point) {
  const float *n = shell->level_normals[level][point];
  return tac_vec3((double)n[0], (double)n[1], (double)n[2]);
}

static void add_to_mean(int point, double distance2, void *context) {
  Mean *mean = context;
  const int below = mean->level + 1;
  const tacVec3 n = level_normal(mean->shell, below, point);
  if (!(tac_vec3_dot(n, mean->own) > 0.0)) return;
  const double weight = (double)mean->shell->areas[below][point] * (1.0 - distance2 / mean->radius2);
  mean->sum = tac_vec3_mad(mean->sum, weight, n);
  if (mean->changes == NULL) return;
  const size_t row = 3 * (size_t)mean->shell->view.stride;
  const float *from = mean->shell->level_normal_changes[below] + row * (size_t)point;
  for (size_t j = 0; j < row; ++j) mean->changes[j] += (float)weight * from[j];
}

static void smooth_normal(const tacPointTree *tree, Mean *mean) {
  tacPointshell *shell = mean->shell;
  const size_t row = 3 * (size_t)shell->view.stride, point = (size_t)mean->point;
  float *changes = shell->view.r > 0 ? shell->level_normal_changes[mean->level] + row * point : NULL;
  mean->own = level_normal(shell, mean->level + 1, mean->point);
  mean->sum = tac_vec3(0.0, 0.0, 0.0);
  mean->changes = changes;
  tac_point_tree_within(tree, rest_point(shell, mean->point), sqrt(mean->radius2), add_to_mean, mean);
  const double length = tac_vec3_norm(mean->sum);
  if (length > 0.0) {
    const tacVec3 n = tac_vec3_scale(1.0 / length, mean->sum);
    const float normal[4] = {(float)n.x, (float)n.y, (float)n.z, 0.0f};
    memcpy(shell->level_normals[mean->level][point], normal, sizeof normal);
    for (size_t j = 0; changes != NULL && j < row; ++j) changes[j] /= (float)length;
  } else { /* points may have no area */
    memcpy(shell->level_normals[mean->level][point], shell->level_normals[mean->level + 1][point], 4 * sizeof(float));
    if (changes != NULL)
      memcpy(changes, shell->level_normal_changes[mean->level + 1] + row * point, row * sizeof(float));
  }
}

typedef struct {
  const tacPointTree *tree;
  const Mean *mean; /* of the level */
} Smoothing;

static void smooth_some(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Smoothing *smoothing = context;
  Mean mean = *smoothing->mean;
  for (size_t i = begin; i < end; ++i) {
    mean.point = (int)i;
    smooth_normal(smoothing->tree, &mean);
  }
}

/* Each level from the one below it, up to as far as its points are apart in a hexagonal pattern. */
static tacStatus smooth_normals(tacPointshell *shell, tacError *error) {
  const int last = last_level(shell);
  TAC_MEMORY(tacVec3, points) = NULL;
  TAC_TRY(TAC_ARRAY(points, (size_t)point_count(shell), "normals of a pointshell", error));
  for (int i = 0; i < point_count(shell); ++i) points[i] = rest_point(shell, i);
  for (int l = last - 1; l >= 0; --l) {
    TAC_OWN(tacPointTree, tree) = NULL;
    Mean mean = {.shell = shell, .level = l, .radius2 = 2.0 / sqrt(3.0) * shell->surface_area / shell->sizes[l]};
    TAC_TRY(tac_point_tree_create(shell->sizes[l + 1], points, &tree, error));
    Smoothing smoothing = {tree, &mean};
    tac_parallel_do((size_t)shell->sizes[l], 64, smooth_some, &smoothing);
  }
  return TAC_OK;
}

/* Needs the last level's points, parents in ascending order on each level, areas and displacements. */
static tacStatus complete(tacPointshell *shell, tacError *error) {
  int last = last_level(shell);
  for (int l = 0; l <= last; ++l) {
    tacPointshellNode *nodes = shell->nodes[l];
    int child = shell->sizes[l], end = l < last ? shell->sizes[l + 1] : child;
    for (int i = 0; i <= shell->sizes[l]; ++i) {
      if (i < shell->sizes[l]) nodes[i] = shell->nodes[last][i];
      while (child < end && shell->parents[child] < i) ++child;
      nodes[i].radius = 0.0f;
      nodes[i].first_child = child;
    }
  }
  tac_parallel_do((size_t)point_count(shell), 1024, grow_some, shell);
  bound_all(shell);
  add_areas(shell);
  shell->surface_area = 0.0;
  for (int i = 0; i < point_count(shell); ++i) shell->surface_area += (double)shell->areas[last][i];
  return smooth_normals(shell, error);
}

/* ---- making ---- */

static tacStatus check_parts(const tacPointshellParts *parts, int sizes[TAC_POINTSHELL_MOST_LEVELS], tacError *error) {
  if (parts->level_count < 1 || parts->level_count > TAC_POINTSHELL_MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of levels of a pointshell (%d); 1 to %d are possible",
                         parts->level_count, TAC_POINTSHELL_MOST_LEVELS);
  for (int l = 0; l < parts->level_count; ++l) sizes[l] = 0;
  for (int i = 0; i < parts->point_count; ++i) {
    tacVec3 p = parts->positions[i];
    if (!(fabs(p.x) <= MOST_COORDINATE && fabs(p.y) <= MOST_COORDINATE && fabs(p.z) <= MOST_COORDINATE))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "point %d is NaN, infinite or too far away", i);
    if (!(fabs(tac_vec3_norm(parts->normals[i]) - 1.0) < 1e-6))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the normal of point %d does not have unit length", i);
    int level = parts->level_of[i];
    if (level < 0 || level >= parts->level_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "point %d has level %d, but there are only %d levels", i, level,
                           parts->level_count);
    ++sizes[level];
    for (int l = level; l < parts->level_count; ++l) {
      double area = parts->areas[(size_t)l * (size_t)parts->point_count + (size_t)i];
      if (!(area >= 0.0 && area <= MOST_COORDINATE * MOST_COORDINATE))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "the area of point %d is %g m^2; it is not valid", i, area);
    }
  }
  for (int l = 0; l < parts->level_count; ++l) {
    if (sizes[l] == 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "level %d of the pointshell has no points", l);
    if (l > 0) sizes[l] += sizes[l - 1];
  }
  return TAC_OK;
}

/* Bits of a number of 21 bits, two places apart. */
static uint64_t spread(double fraction) {
  uint64_t bits = (uint64_t)(fmin(fmax(fraction, 0.0), 1.0) * 2097151.0), wide = 0;
  for (int b = 0; b < 21; ++b) wide |= (bits >> b & 1) << 3 * b;
  return wide;
}

typedef struct {
  uint64_t key;
  int32_t number; /* in the parts */
} Place;

static int compare_places(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

/* The floats that the shell will have. Its order follows from them alone, so that what is read from a file has it too. */
static tacVec3 stored_position(const tacPointshellParts *parts, Place place) {
  tacVec3 p = parts->positions[place.number];
  return tac_vec3((double)(float)p.x, (double)(float)p.y, (double)(float)p.z);
}

/* The first level along a curve that fills the box (in Morton's order), so that neighbours are near in memory. */
static void place_first(const tacPointshellParts *parts, int count, Place *places) {
  tacBox box = tac_box_empty();
  for (int i = 0; i < count; ++i) box = tac_box_add(box, stored_position(parts, places[i]));
  double side = fmax(tac_box_longest(box), 1e-300);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = tac_vec3_sub(stored_position(parts, places[i]), box.lower);
    places[i].key = spread(p.x / side) | spread(p.y / side) << 1 | spread(p.z / side) << 2;
  }
}

typedef struct {
  const tacPointshellParts *parts;
  const tacPointTree *tree;
  Place *places;
} Children;

static void find_parents(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Children *children = context;
  for (size_t i = begin; i < end; ++i) {
    Place *place = &children->places[i];
    int nearest;
    double distance2;
    tac_point_tree_nearest(children->tree, stored_position(children->parts, *place), 1, &nearest, &distance2);
    place->key = (uint64_t)nearest;
  }
}

/* The points of later levels by the numbers of their parents. `points` are those of the shell so far. */
static tacStatus place_next(const tacPointshellParts *parts, const tacVec3 *points, int begin, int end, Place *places,
                            tacError *error) {
  TAC_OWN(tacPointTree, tree) = NULL;
  TAC_TRY(tac_point_tree_create(begin, points, &tree, error));
  Children children = {parts, tree, places + begin};
  tac_parallel_do((size_t)(end - begin), 512, find_parents, &children);
  return TAC_OK;
}

static void copy_point(const tacPointshellParts *parts, int number, tacPointshell *shell, int point) {
  tacVec3 p = parts->positions[number], n = tac_vec3_unit(parts->normals[number]);
  shell->nodes[last_level(shell)][point] = (tacPointshellNode){.x = (float)p.x, .y = (float)p.y, .z = (float)p.z};
  const float normal[4] = {(float)n.x, (float)n.y, (float)n.z, 0.0f};
  memcpy(shell->normals[point], normal, sizeof normal);
  for (int l = parts->level_of[number]; l < parts->level_count; ++l)
    shell->areas[l][point] = (float)parts->areas[(size_t)l * (size_t)parts->point_count + (size_t)number];
}

/* `places` and `points` are room for one each. */
static tacStatus sort_points(const tacPointshellParts *parts, tacPointshell *shell, Place *places, tacVec3 *points,
                             tacError *error) {
  int next[TAC_POINTSHELL_MOST_LEVELS] = {0};
  for (int l = 1; l < parts->level_count; ++l) next[l] = shell->sizes[l - 1];
  for (int i = 0; i < parts->point_count; ++i) places[next[parts->level_of[i]]++].number = i;
  for (int l = 0; l < parts->level_count; ++l) {
    int begin = l > 0 ? shell->sizes[l - 1] : 0, end = shell->sizes[l];
    if (l == 0)
      place_first(parts, end, places);
    else
      TAC_TRY(place_next(parts, points, begin, end, places, error));
    qsort(places + begin, (size_t)(end - begin), sizeof *places, compare_places);
    for (int i = begin; i < end; ++i) {
      copy_point(parts, places[i].number, shell, i);
      points[i] = rest_point(shell, i);
      shell->parents[i] = l > 0 ? (int32_t)places[i].key : -1;
    }
  }
  return TAC_OK;
}

tacStatus tac_pointshell_create(const tacPointshellParts *parts, int *order, tacPointshell **result, tacError *error) {
  *result = NULL;
  int sizes[TAC_POINTSHELL_MOST_LEVELS];
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_TRY(check_parts(parts, sizes, error));
  TAC_TRY(create_empty(parts->level_count, sizes, 0, &shell, error));
  Place *places = tac_arrays_add(&work, (size_t)parts->point_count, sizeof *places);
  tacVec3 *points = tac_arrays_add(&work, (size_t)parts->point_count, sizeof *points);
  TAC_TRY(tac_arrays_status(&work, "the order of points", error));
  TAC_TRY(sort_points(parts, shell, places, points, error));
  TAC_TRY(complete(shell, error));
  for (int i = 0; order != NULL && i < parts->point_count; ++i) order[i] = places[i].number;
  *result = tac_give(&shell);
  return TAC_OK;
}

static tacStatus check_rows(size_t count, const double *numbers, tacError *error) {
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(numbers[i]) <= MOST_COORDINATE))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "displacements or normal changes are NaN, infinite or too large");
  return TAC_OK;
}

typedef struct {
  tacPointshell *shell;
  const double *displacements, *normal_changes; /* [row][r]; NULL: none */
} Rounding;

static void round_rows(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Rounding *from = context;
  size_t r = (size_t)from->shell->view.r, stride = (size_t)from->shell->view.stride;
  for (size_t i = begin; i < end; ++i)
    for (size_t j = 0; j < r; ++j) {
      from->shell->displacements[i * stride + j] = (float)from->displacements[i * r + j];
      from->shell->normal_changes[i * stride + j] =
          from->normal_changes != NULL ? (float)from->normal_changes[i * r + j] : 0.0f;
    }
}

tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements,
                                    const double *normal_changes, tacPointshell **embedded, tacError *error) {
  TAC_REQUIRE(error, embedded);
  *embedded = NULL;
  TAC_REQUIRE(error, shell, displacements);
  if (r < 1 || r > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of coordinates of a basis (%d); 1 to %d are possible",
                         r, TAC_BODY_MOST_COORDINATES);
  size_t count = (size_t)point_count(shell), rows = 3 * count;
  TAC_OWN(tacPointshell, copy) = NULL;
  TAC_TRY(check_rows(rows * (size_t)r, displacements, error));
  if (normal_changes != NULL) TAC_TRY(check_rows(rows * (size_t)r, normal_changes, error));
  TAC_TRY(create_empty(shell->view.level_count, shell->sizes, r, &copy, error));
  int last = last_level(shell);
  memcpy(copy->nodes[last], shell->nodes[last], (count + 1) * sizeof **shell->nodes);
  memcpy(copy->normals, shell->normals, count * sizeof *shell->normals);
  memcpy(copy->parents, shell->parents, count * sizeof *shell->parents);
  for (int l = 0; l <= last; ++l) memcpy(copy->areas[l], shell->areas[l], (size_t)shell->sizes[l] * sizeof(float));
  Rounding rounding = {copy, displacements, normal_changes};
  tac_parallel_do(rows, 4096, round_rows, &rounding);
  TAC_TRY(complete(copy, error));
  *embedded = tac_give(&copy);
  return TAC_OK;
}

/* ---- queries ---- */

const tacPointshellView *tac_pointshell_view(const tacPointshell *shell) {
  return &shell->view;
}

const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell) {
  return shell != NULL ? &shell->checks : NULL;
}

void tac_pointshell_set_checks(tacPointshell *shell, const tacBakeChecks *checks) {
  shell->checks = *checks;
}

int tac_pointshell_level_count(const tacPointshell *shell) {
  return shell != NULL ? shell->view.level_count : 0;
}

static int clamp_level(const tacPointshell *shell, int level) {
  return level < 0 ? 0 : level > last_level(shell) ? last_level(shell) : level;
}

int tac_pointshell_size(const tacPointshell *shell, int level) {
  return shell != NULL ? shell->sizes[clamp_level(shell, level)] : 0;
}

tacVec3 tac_pointshell_point(const tacPointshell *shell, int point) {
  return shell != NULL ? rest_point(shell, point) : (tacVec3){0};
}

tacVec3 tac_pointshell_normal(const tacPointshell *shell, int point) {
  const float *n = shell->normals[point];
  return tac_vec3_unit(tac_vec3((double)n[0], (double)n[1], (double)n[2]));
}

double tac_pointshell_area(const tacPointshell *shell, int level, int point) {
  return (double)shell->areas[clamp_level(shell, level)][point];
}

double tac_pointshell_surface_area(const tacPointshell *shell) {
  return shell->surface_area;
}

double tac_pointshell_radius(const tacPointshell *shell, int level, int point) {
  return (double)shell->nodes[clamp_level(shell, level)][point].radius;
}

int tac_pointshell_coordinates(const tacPointshell *shell) {
  return shell->view.r;
}

/* start + rows q */
static tacVec3 add_rows(tacVec3 start, const float *rows, int r, int stride, const double *q) {
  double sum[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < 3; ++a)
    for (int j = 0; j < r; ++j) sum[a] += (double)rows[a * stride + j] * q[j];
  return tac_vec3_add(start, tac_vec3(sum[0], sum[1], sum[2]));
}

const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride) {
  if (shell == NULL || stride == NULL) return NULL;
  *stride = shell->view.stride;
  return shell->view.r > 0 ? shell->view.displacements : NULL;
}

tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q) {
  if (shell == NULL) return (tacVec3){0};
  const tacPointshellView *view = &shell->view;
  if (view->r == 0 || q == NULL) return rest_point(shell, point);
  return add_rows(rest_point(shell, point), view->displacements + 3 * (size_t)view->stride * (size_t)point, view->r,
                  view->stride, q);
}

tacVec3 tac_pointshell_deformed_normal(const tacPointshell *shell, int point, const double *q) {
  const tacPointshellView *view = &shell->view;
  tacVec3 normal = tac_pointshell_normal(shell, point);
  if (view->r == 0) return normal;
  return tac_vec3_unit(
      add_rows(normal, view->normal_changes + 3 * (size_t)view->stride * (size_t)point, view->r, view->stride, q));
}

double tac_pointshell_deformed_radius(const tacPointshell *shell, int level, int point, const double *q) {
  const tacPointshellView *view = &shell->view;
  level = clamp_level(shell, level);
  double radius = (double)shell->nodes[level][point].radius;
  if (view->growth[level] == NULL) return radius;
  const float *growth = view->growth[level] + (size_t)view->stride * (size_t)point;
  for (int j = 0; j < view->r; ++j) radius += (double)growth[j] * fabs(q[j]);
  return radius * (1.0 + 1e-9);
}

/* ---- files ---- */

#define FILE_KIND "pointshell"
#define FILE_VERSION 2 /* 2: with checks */

static void put_rows(tacChunkTransfer *to, const char *name, const float *rows, size_t count, int r, int stride) {
  TAC_MEMORY(float, packed) = NULL;
  if (to->status == TAC_OK) to->status = TAC_ARRAY(packed, count * (size_t)r, "rows of a pointshell", to->error);
  for (size_t i = 0; to->status == TAC_OK && i < count; ++i)
    memcpy(packed + i * (size_t)r, rows + i * (size_t)stride, (size_t)r * sizeof *rows);
  tac_chunk_transfer_put(to, name, TAC_CHUNK_F32, count * (uint64_t)r, packed);
}

tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error) {
  TAC_REQUIRE(error, shell, path);
  const tacPointshellView *view = &shell->view;
  size_t count = (size_t)point_count(shell);
  const int32_t layout[1] = {view->r};
  TAC_MEMORY(float, points) = NULL;
  TAC_TRY(TAC_ARRAY(points, 6 * count, "points of a pointshell", error));
  for (size_t i = 0; i < count; ++i) {
    memcpy(points + 6 * i, &shell->nodes[last_level(shell)][i].x, 3 * sizeof *points);
    memcpy(points + 6 * i + 3, shell->normals[i], 3 * sizeof *points);
  }
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_put(&to, &shell->checks);
  tac_chunk_transfer_put(&to, "layout", TAC_CHUNK_I32, 1, layout);
  tac_chunk_transfer_put(&to, "sizes", TAC_CHUNK_I32, (uint64_t)view->level_count, shell->sizes);
  tac_chunk_transfer_put(&to, "points", TAC_CHUNK_F32, 6 * count, points);
  tac_chunk_transfer_put(&to, "parents", TAC_CHUNK_I32, count, shell->parents);
  for (int l = 0; l < view->level_count; ++l) {
    char name[TAC_CHUNK_NAME_SIZE];
    snprintf(name, sizeof name, "areas %d", l);
    tac_chunk_transfer_put(&to, name, TAC_CHUNK_F32, (uint64_t)shell->sizes[l], shell->areas[l]);
  }
  if (view->r > 0) {
    put_rows(&to, "displacements", view->displacements, 3 * count, view->r, view->stride);
    put_rows(&to, "normal changes", view->normal_changes, 3 * count, view->r, view->stride);
  }
  return tac_chunk_transfer_end(&to);
}

static bool all_within(const float *numbers, size_t count, double least, double most) {
  for (size_t i = 0; i < count; ++i)
    if (!((double)numbers[i] >= least && (double)numbers[i] <= most)) return false;
  return true;
}

/* What a file has, as it is there. */
typedef struct {
  int32_t *sizes, *parents;
  float *points, *displacements, *normal_changes;
  int r, level_count, point_count;
} Contents;

static void free_contents(Contents *contents) {
  free(contents->sizes);
  free(contents->parents);
  free(contents->points);
  free(contents->displacements);
  free(contents->normal_changes);
}

static void take_sizes(tacChunkTransfer *from, Contents *contents) {
  contents->level_count = -1;
  tac_chunk_transfer_take_into(from, "layout", TAC_CHUNK_I32, sizeof contents->r, &contents->r);
  contents->sizes = tac_chunk_transfer_take(from, "sizes", TAC_CHUNK_I32, 1, &contents->level_count);
  if (contents->r < 0 || contents->r > TAC_BODY_MOST_COORDINATES)
    tac_chunk_transfer_refuse(from, "chunk \"layout\" has an invalid number of coordinates");
  if (contents->level_count < 1 || contents->level_count > TAC_POINTSHELL_MOST_LEVELS)
    tac_chunk_transfer_refuse(from, "chunk \"sizes\" has an invalid number of levels");
  for (int l = 0; from->status == TAC_OK && l < contents->level_count; ++l)
    if (contents->sizes[l] <= (l > 0 ? contents->sizes[l - 1] : 0))
      tac_chunk_transfer_refuse(from, "chunk \"sizes\" does not ascend");
  if (from->status == TAC_OK) contents->point_count = contents->sizes[contents->level_count - 1];
}

static void take_parents(tacChunkTransfer *from, Contents *contents) {
  const int *sizes = contents->sizes;
  int count = contents->point_count;
  int32_t *parents = contents->parents = tac_chunk_transfer_take(from, "parents", TAC_CHUNK_I32, 1, &count);
  for (int i = 0, l = 0; i < count; ++i) {
    if (i == sizes[l]) ++l;
    bool first = l > 0 && i == sizes[l - 1];
    int least = l == 0 ? -1 : first ? 0 : parents[i - 1], most = l == 0 ? -1 : sizes[l - 1] - 1;
    if (parents[i] >= least && parents[i] <= most) continue;
    tac_chunk_transfer_refuse(from, "chunk \"parents\" has an invalid parent");
    return;
  }
}

static void take_points(tacChunkTransfer *from, Contents *contents) {
  int count = contents->point_count;
  contents->points = tac_chunk_transfer_take(from, "points", TAC_CHUNK_F32, 6, &count);
  for (size_t i = 0; i < (size_t)count; ++i) {
    const float *p = contents->points + 6 * i;
    double length = tac_vec3_norm(tac_vec3((double)p[3], (double)p[4], (double)p[5]));
    if (all_within(p, 3, -MOST_COORDINATE, MOST_COORDINATE) && fabs(length - 1.0) < 1e-5) continue;
    tac_chunk_transfer_refuse(from, "chunk \"points\" has an invalid point or normal");
    return;
  }
}

static float *take_rows(tacChunkTransfer *from, const char *name, const Contents *contents) {
  int count = contents->point_count;
  if (contents->r == 0 || from->status != TAC_OK) return NULL;
  float *rows = tac_chunk_transfer_take(from, name, TAC_CHUNK_F32, 3 * contents->r, &count);
  if (!all_within(rows, 3 * (size_t)contents->r * (size_t)count, -MOST_COORDINATE, MOST_COORDINATE))
    tac_chunk_transfer_refuse(from, "displacements or normal changes are NaN, infinite or too large");
  return rows;
}

static void unpack(const Contents *contents, tacPointshell *shell) {
  size_t r = (size_t)contents->r, stride = (size_t)shell->view.stride;
  memcpy(shell->parents, contents->parents, (size_t)contents->point_count * sizeof *shell->parents);
  for (size_t i = 0; i < (size_t)contents->point_count; ++i) {
    const float *p = contents->points + 6 * i;
    shell->nodes[last_level(shell)][i] = (tacPointshellNode){.x = p[0], .y = p[1], .z = p[2]};
    memcpy(shell->normals[i], p + 3, 3 * sizeof *p);
    for (size_t a = 3 * i; r > 0 && a < 3 * i + 3; ++a) {
      memcpy(shell->displacements + a * stride, contents->displacements + a * r, r * sizeof(float));
      memcpy(shell->normal_changes + a * stride, contents->normal_changes + a * r, r * sizeof(float));
    }
  }
}

static void take_areas(tacChunkTransfer *from, tacPointshell *shell) {
  for (int l = 0; from->status == TAC_OK && l < shell->view.level_count; ++l) {
    char name[TAC_CHUNK_NAME_SIZE];
    snprintf(name, sizeof name, "areas %d", l);
    int size = shell->sizes[l];
    float *areas = tac_chunk_transfer_take(from, name, TAC_CHUNK_F32, 1, &size);
    if (!all_within(areas, (size_t)size, 0.0, MOST_COORDINATE * MOST_COORDINATE))
      tac_chunk_transfer_refuse(from, "an area is negative or too large");
    if (from->status == TAC_OK) memcpy(shell->areas[l], areas, (size_t)size * sizeof *areas);
    free(areas);
  }
}

tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error) {
  TAC_REQUIRE(error, shell);
  *shell = NULL;
  TAC_REQUIRE(error, path);
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  TAC_FREED(free_contents, Contents, contents) = {0};
  TAC_OWN(tacPointshell, made) = NULL;
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  take_sizes(&from, &contents);
  take_parents(&from, &contents);
  take_points(&from, &contents);
  contents.displacements = take_rows(&from, "displacements", &contents);
  contents.normal_changes = take_rows(&from, "normal changes", &contents);
  /* Memory is taken only for what really came out of the file. */
  if (from.status == TAC_OK) from.status = create_empty(contents.level_count, contents.sizes, contents.r, &made, error);
  if (from.status == TAC_OK) {
    unpack(&contents, made);
    take_areas(&from, made);
  }
  if (from.status == TAC_OK) from.status = complete(made, error);
  if (from.status == TAC_OK) {
    made->checks = checks;
    *shell = tac_give(&made);
  }
  return tac_chunk_transfer_end(&from);
}
