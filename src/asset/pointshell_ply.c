#include <stdlib.h>
#include <string.h>
#include "asset/point_tree.h"
#include "asset/pointshell.h"
#include "base/error.h"
#include "base/files/input_file.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/formats/ply_header.h"
#include "mesh/text/byte_order.h"

/* ---- writing ---- */

enum { RECORD = 7 * 4 + 1 }; /* bytes of a point */

static int level_of_point(const tacPointshell *shell, int point) {
  int level = 0;
  while (point >= tac_pointshell_size(shell, level)) ++level;
  return level;
}

tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error) {
  TAC_REQUIRE(error, shell, path);
  tacNewFile file;
  TAC_TRY(tac_new_file_open(path, &file, error));
  int last = tac_pointshell_level_count(shell) - 1, count = tac_pointshell_size(shell, last);
  fprintf(file.stream, "ply\nformat binary_little_endian 1.0\ncomment Tactus pointshell\nelement vertex %d\n", count);
  fputs("property float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\n"
        "property float area\nproperty uchar level\nend_header\n",
        file.stream);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = tac_pointshell_point(shell, i), n = tac_pointshell_normal(shell, i);
    const double numbers[7] = {p.x, p.y, p.z, n.x, n.y, n.z, tac_pointshell_area(shell, last, i)};
    unsigned char record[RECORD];
    for (int k = 0; k < 7; ++k) tac_bytes_store_float(record + 4 * k, false, (float)numbers[k]);
    record[RECORD - 1] = (unsigned char)level_of_point(shell, i);
    fwrite(record, 1, sizeof record, file.stream);
  }
  return tac_new_file_commit(&file, error);
}

/* ---- reading ---- */

typedef enum { X, Y, Z, NX, NY, NZ, AREA, LEVEL, COLUMNS } Column;

typedef struct {
  tacArrays arrays;
  int count, level_count;
  tacVec3 *positions, *normals;
  double *finest; /* areas among all points; NULL: not known */
  int *level_of;  /* NULL: not known */
  double *areas;  /* [level][point] */
} Cloud;

static void free_cloud(Cloud *cloud) {
  tac_arrays_free(&cloud->arrays);
}

static Column column_of(const tacPlyProperty *property) {
  static const char *const names[COLUMNS] = {"x", "y", "z", "nx", "ny", "nz", "area", "level"};
  Column column = X;
  while (column < COLUMNS && !tac_word_is(property->name, names[column])) ++column;
  return property->is_list ? COLUMNS : column;
}

static tacStatus pass_list(tacScanner *s, const tacPlyProperty *property) {
  int64_t count;
  TAC_TRY(tac_scanner_value_integer(s, property->count_type, "the length of a list", 0, UINT32_MAX, &count));
  TAC_TRY(tac_scanner_check_count(s, count, s->binary ? tac_number_type_size(property->type) : 2, "items of a list"));
  for (int64_t i = 0; i < count; ++i) TAC_TRY(tac_scanner_pass_value(s, property->type, "an item of a list"));
  return TAC_OK;
}

/* Only the known columns of `numbers` are set. */
static tacStatus read_item(tacScanner *s, const tacPlyHeader *header, const tacPlyElement *element,
                           double numbers[COLUMNS + 1]) {
  for (size_t p = 0; p < element->property_count; ++p) {
    const tacPlyProperty *property = &header->properties[element->first_property + p];
    Column column = column_of(property);
    int64_t level;
    if (property->is_list) {
      TAC_TRY(pass_list(s, property));
    } else if (column == COLUMNS) {
      TAC_TRY(tac_scanner_pass_value(s, property->type, "a property"));
    } else if (column == LEVEL) {
      TAC_TRY(tac_scanner_value_integer(s, property->type, "the level of a point", 0, TAC_POINTSHELL_MOST_LEVELS - 1,
                                        &level));
      numbers[LEVEL] = (double)level;
    } else {
      TAC_TRY(tac_scanner_value_double(s, property->type, "a number of a point", &numbers[column]));
    }
  }
  return TAC_OK;
}

static tacStatus read_points(tacScanner *s, const tacPlyHeader *header, const tacPlyElement *element, Cloud *cloud) {
  bool known[COLUMNS + 1] = {false};
  for (size_t p = 0; p < element->property_count; ++p)
    known[column_of(&header->properties[element->first_property + p])] = true;
  if (!known[X] || !known[Y] || !known[Z])
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "the vertices lack the properties x, y and z");
  if (!known[NX] || !known[NY] || !known[NZ])
    return tac_scanner_fail(s, TAC_ERR_FORMAT,
                            "the vertices lack the properties nx, ny and nz; a pointshell needs outward normals");
  TAC_TRY(tac_ply_header_check_count(header, element, s, "vertices"));
  if (element->count == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "the file has no vertices");
  size_t count = (size_t)element->count;
  cloud->count = (int)element->count;
  cloud->positions = tac_arrays_add(&cloud->arrays, count, sizeof *cloud->positions);
  cloud->normals = tac_arrays_add(&cloud->arrays, count, sizeof *cloud->normals);
  if (known[AREA]) cloud->finest = tac_arrays_add(&cloud->arrays, count, sizeof *cloud->finest);
  if (known[LEVEL]) cloud->level_of = tac_arrays_add(&cloud->arrays, count, sizeof *cloud->level_of);
  TAC_TRY(tac_arrays_status(&cloud->arrays, "points", s->error));
  for (size_t i = 0; i < count; ++i) {
    double numbers[COLUMNS + 1];
    TAC_TRY(read_item(s, header, element, numbers));
    tacVec3 normal = tac_vec3_unit(tac_vec3(numbers[NX], numbers[NY], numbers[NZ]));
    if (!(tac_vec3_norm(normal) > 0.5))
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "vertex %zu has no normal: its length is zero or too large", i);
    cloud->positions[i] = tac_vec3(numbers[X], numbers[Y], numbers[Z]);
    cloud->normals[i] = normal;
    if (known[AREA]) cloud->finest[i] = numbers[AREA];
    if (known[LEVEL]) cloud->level_of[i] = (int)numbers[LEVEL];
    if (known[LEVEL] && cloud->level_of[i] >= cloud->level_count) cloud->level_count = cloud->level_of[i] + 1;
  }
  return TAC_OK;
}

/* What follows the points is not looked at. */
static tacStatus read_cloud(tacScanner *s, tacPlyHeader *header, Cloud *cloud) {
  TAC_TRY(tac_ply_header_read(s, header));
  tac_ply_header_begin_data(header, s);
  for (size_t e = 0; e < header->element_count; ++e) {
    const tacPlyElement *element = &header->elements[e];
    if (tac_word_is(element->name, "vertex")) return read_points(s, header, element, cloud);
    if (element->property_count == 0) continue;
    TAC_TRY(tac_ply_header_check_count(header, element, s, "elements"));
    double ignored[COLUMNS + 1];
    for (int64_t i = 0; i < element->count; ++i) TAC_TRY(read_item(s, header, element, ignored));
  }
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "the file has no vertices");
}

/* ---- levels of points that have none ---- */

enum { BRANCHES = 4, FIRST_LEVEL = 400 };

/* Points that are not taken yet, the farthest from those taken on top. Keys of others than the top may be out of
 * date: too large. */
typedef struct {
  double *distance2; /* [point]: to the nearest that is taken; -1: taken itself */
  double *key;       /* [place] */
  int *heap;         /* [place]: the point */
  int count;
} Farthest;

static void move_down(Farthest *f, int place) {
  int point = f->heap[place];
  double key = f->key[place];
  for (;;) {
    int child = 2 * place + 1;
    if (child >= f->count) break;
    if (child + 1 < f->count && (f->key[child + 1] > f->key[child] ||
                                 (f->key[child + 1] == f->key[child] && f->heap[child + 1] < f->heap[child])))
      ++child;
    if (key > f->key[child] || (key == f->key[child] && point < f->heap[child])) break;
    f->heap[place] = f->heap[child];
    f->key[place] = f->key[child];
    place = child;
  }
  f->heap[place] = point;
  f->key[place] = key;
}

static int take_farthest(Farthest *f) {
  for (;;) {
    int point = f->heap[0];
    if (f->key[0] == f->distance2[point]) {
      f->heap[0] = f->heap[--f->count];
      f->key[0] = f->key[f->count];
      if (f->count > 0) move_down(f, 0);
      return point;
    }
    f->key[0] = f->distance2[point];
    move_down(f, 0);
  }
}

static void come_nearer(int point, double distance2, void *context) {
  Farthest *f = context;
  if (distance2 < f->distance2[point]) f->distance2[point] = distance2;
}

/* Section 3.9.1: each point is the farthest from those before it; about a quarter of a level's points are in the one
 * before. */
static void choose_levels(const Cloud *cloud, const tacPointTree *tree, Farthest *f) {
  int size = cloud->count;
  for (int l = cloud->level_count - 1; l > 0; --l) size = (size + BRANCHES - 1) / BRANCHES;
  for (int i = 0; i < cloud->count; ++i) {
    cloud->level_of[i] = cloud->level_count - 1;
    f->distance2[i] = tac_vec3_norm2(tac_vec3_sub(cloud->positions[i], cloud->positions[0]));
  }
  cloud->level_of[0] = 0;
  f->distance2[0] = -1.0;
  f->count = 0;
  for (int i = 1; i < cloud->count; ++i) {
    f->heap[f->count] = i;
    f->key[f->count++] = f->distance2[i];
  }
  for (int i = f->count / 2; i >= 0 && f->count > 0; --i) move_down(f, i);
  int taken = 1;
  for (int l = 0; l < cloud->level_count - 1; ++l) {
    for (; taken < size; ++taken) {
      int point = take_farthest(f);
      double distance = sqrt(f->distance2[point]);
      cloud->level_of[point] = l;
      f->distance2[point] = -1.0;
      tac_point_tree_within(tree, cloud->positions[point], distance, come_nearer, f);
    }
    size = size > cloud->count / BRANCHES ? cloud->count : BRANCHES * size;
  }
}

static tacStatus make_levels(Cloud *cloud, const tacPointTree *tree, tacError *error) {
  size_t count = (size_t)cloud->count;
  cloud->level_count = 1;
  for (int size = cloud->count; size > FIRST_LEVEL; size = (size + BRANCHES - 1) / BRANCHES) ++cloud->level_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Farthest f = {0};
  cloud->level_of = tac_arrays_add(&cloud->arrays, count, sizeof *cloud->level_of);
  f.distance2 = tac_arrays_add(&work, count, sizeof *f.distance2);
  f.key = tac_arrays_add(&work, count, sizeof *f.key);
  f.heap = tac_arrays_add(&work, count, sizeof *f.heap);
  TAC_TRY(tac_arrays_status(&cloud->arrays, "levels of points", error));
  TAC_TRY(tac_arrays_status(&work, "levels of points", error));
  choose_levels(cloud, tree, &f);
  return TAC_OK;
}

/* ---- areas ---- */

enum { NEIGHBOURS = 24, MOST_CORNERS = 4 + NEIGHBOURS };

typedef struct {
  int count;
  double x[MOST_CORNERS], y[MOST_CORNERS];
} Polygon;

/* What is nearer to the origin than to (x, y). */
static void clip(Polygon *polygon, double x, double y) {
  Polygon kept = {0};
  double limit = 0.5 * (x * x + y * y);
  for (int i = 0; i < polygon->count; ++i) {
    int j = (i + 1) % polygon->count;
    double a = x * polygon->x[i] + y * polygon->y[i] - limit, b = x * polygon->x[j] + y * polygon->y[j] - limit;
    if (a <= 0.0 && kept.count < MOST_CORNERS) {
      kept.x[kept.count] = polygon->x[i];
      kept.y[kept.count++] = polygon->y[i];
    }
    if (a * b < 0.0 && kept.count < MOST_CORNERS) {
      double t = a / (a - b);
      kept.x[kept.count] = polygon->x[i] + t * (polygon->x[j] - polygon->x[i]);
      kept.y[kept.count++] = polygon->y[i] + t * (polygon->y[j] - polygon->y[i]);
    }
  }
  *polygon = kept;
}

/* The part of the tangent plane that is nearer to the point than to its neighbours, those on the other side of thin
 * parts left out. */
static double area_among(const Cloud *cloud, const tacPointTree *tree, int point) {
  int neighbours[NEIGHBOURS];
  double distance2[NEIGHBOURS];
  int count = tac_point_tree_nearest(tree, cloud->positions[point], NEIGHBOURS, neighbours, distance2);
  tacVec3 n = cloud->normals[point], least = fabs(n.x) < 0.6 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
  tacVec3 u = tac_vec3_unit(tac_vec3_cross(n, least)), v = tac_vec3_cross(n, u);
  double side = sqrt(distance2[count - 1]);
  Polygon polygon = {4, {side, -side, -side, side}, {side, side, -side, -side}};
  for (int i = 0; i < count; ++i) {
    tacVec3 way = tac_vec3_sub(cloud->positions[neighbours[i]], cloud->positions[point]);
    double x = tac_vec3_dot(way, u), y = tac_vec3_dot(way, v);
    bool same_side = tac_vec3_dot(cloud->normals[neighbours[i]], n) > 0.0;
    if (same_side && x * x + y * y > 1e-6 * side * side) clip(&polygon, x, y);
  }
  double twice = 0.0;
  for (int i = 0; i < polygon.count; ++i) {
    int j = (i + 1) % polygon.count;
    twice += polygon.x[i] * polygon.y[j] - polygon.x[j] * polygon.y[i];
  }
  return 0.5 * fabs(twice);
}

static tacStatus make_finest(Cloud *cloud, const tacPointTree *tree, tacError *error) {
  cloud->finest = tac_arrays_add(&cloud->arrays, (size_t)cloud->count, sizeof *cloud->finest);
  TAC_TRY(tac_arrays_status(&cloud->arrays, "areas of points", error));
  for (int i = 0; i < cloud->count; ++i) cloud->finest[i] = area_among(cloud, tree, i);
  return TAC_OK;
}

/* On coarser levels a point has the areas of those points to which it is the nearest on its side. `chosen` and
 * `places` are room. */
static tacStatus gather_areas(const Cloud *cloud, int level, int *chosen, tacVec3 *places, tacError *error) {
  enum { CANDIDATES = 4 };
  double *areas = cloud->areas + (size_t)level * (size_t)cloud->count;
  int count = 0;
  for (int i = 0; i < cloud->count; ++i) {
    if (cloud->level_of[i] > level) continue;
    places[count] = cloud->positions[i];
    chosen[count++] = i;
  }
  TAC_OWN(tacPointTree, tree) = NULL;
  TAC_TRY(tac_point_tree_create(count, places, &tree, error));
  for (int i = 0; i < cloud->count; ++i) {
    int nearest[CANDIDATES], best = 0;
    double distance2[CANDIDATES];
    int found = tac_point_tree_nearest(tree, cloud->positions[i], CANDIDATES, nearest, distance2);
    while (best < found && !(tac_vec3_dot(cloud->normals[chosen[nearest[best]]], cloud->normals[i]) > 0.0)) ++best;
    if (found > 0) areas[chosen[nearest[best < found ? best : 0]]] += cloud->finest[i];
  }
  return TAC_OK;
}

static tacStatus make_areas(Cloud *cloud, tacError *error) {
  size_t count = (size_t)cloud->count, levels = (size_t)cloud->level_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  cloud->areas = tac_arrays_add(&cloud->arrays, count * levels, sizeof *cloud->areas);
  int *chosen = tac_arrays_add(&work, count, sizeof *chosen);
  tacVec3 *places = tac_arrays_add(&work, count, sizeof *places);
  TAC_TRY(tac_arrays_status(&cloud->arrays, "areas of points", error));
  TAC_TRY(tac_arrays_status(&work, "areas of points", error));
  for (int l = 0; l < cloud->level_count - 1; ++l) TAC_TRY(gather_areas(cloud, l, chosen, places, error));
  memcpy(cloud->areas + count * (levels - 1), cloud->finest, count * sizeof *cloud->areas);
  return TAC_OK;
}

/* ---- the whole ---- */

static tacStatus complete(Cloud *cloud, tacError *error) {
  TAC_OWN(tacPointTree, tree) = NULL;
  if (cloud->level_of == NULL || cloud->finest == NULL)
    TAC_TRY(tac_point_tree_create(cloud->count, cloud->positions, &tree, error));
  if (cloud->level_of == NULL) TAC_TRY(make_levels(cloud, tree, error));
  if (cloud->finest == NULL) TAC_TRY(make_finest(cloud, tree, error));
  return make_areas(cloud, error);
}

static tacStatus read_file(const char *path, Cloud *cloud, tacError *error) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = {0};
  TAC_FREED(tac_ply_header_free, tacPlyHeader, header) = {0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_MESH, &file, error));
  tacScanner scanner = tac_scanner_begin(path, file.bytes, file.size, error);
  return read_cloud(&scanner, &header, cloud);
}

tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error) {
  TAC_REQUIRE(error, shell);
  *shell = NULL;
  TAC_REQUIRE(error, path);
  TAC_FREED(free_cloud, Cloud, cloud) = {0};
  TAC_TRY(read_file(path, &cloud, error));
  TAC_TRY(complete(&cloud, error));
  const tacPointshellParts parts = {cloud.count,   cloud.level_count, cloud.positions,
                                    cloud.normals, cloud.level_of,    cloud.areas};
  tacError inner;
  tacStatus status = tac_pointshell_create(&parts, NULL, shell, &inner);
  if (status == TAC_OK) return TAC_OK;
  return tac_error_set(error, status == TAC_ERR_ARGUMENT ? TAC_ERR_FORMAT : status, "%s: %.300s", path, inner.text);
}
