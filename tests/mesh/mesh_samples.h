/* Meshes, comparisons and files that the tests of mesh files share. */
#pragma once

#include <limits.h>
#include <math.h>
#include <string.h>
#include "math/random.h"
#include "mesh/formats/mesh_format.h"
#include "mesh/index_set.h"
#include "test.h"

/* Reads from a copy of exactly `size` bytes, so that a sanitizer sees any byte read behind the end. */
static inline tacStatus tac_sample_read(tacMeshReader *read, const void *bytes, size_t size, tacMeshContents *contents,
                                        tacError *why) {
  TAC_MEMORY(unsigned char, copy) = malloc(size > 0 ? size : 1);
  ck_assert_ptr_nonnull(copy);
  if (size > 0) memcpy(copy, bytes, size);
  return tac_mesh_format_read(read, "sample", copy, size, contents, why);
}

static inline void tac_sample_valid(const tacMeshContents *contents) {
  error = (tacError){0};
  if (contents->surface != NULL) tac_test_ok(tac_trimesh_validate(contents->surface, &error), error);
  if (contents->volume != NULL) tac_test_ok(tac_volmesh_validate(contents->volume, &error), error);
}

/* Of the surface vertices and triangles, of the volume vertices, tetrahedra, bricks, groups and vertex sets; 0 of what there is not. */
static inline void tac_sample_counts(const tacMeshContents *contents, const int expected[7]) {
  static const tacTriMesh no_surface;
  static const tacVolMesh no_volume;
  const tacTriMesh *s = contents->surface != NULL ? contents->surface : &no_surface;
  const tacVolMesh *v = contents->volume != NULL ? contents->volume : &no_volume;
  const int found[7] = {s->vertex_count, s->triangle_count, v->vertex_count,    v->tet_count,
                        v->brick_count,  v->group_count,    v->vertex_set_count};
  for (int i = 0; i < 7; ++i)
    ck_assert_msg(found[i] == expected[i], "count %d is %d, not %d", i, found[i], expected[i]);
}

static inline tacMeshContents tac_sample_accept(tacMeshReader *read, const void *bytes, size_t size) {
  tacMeshContents contents;
  error = (tacError){0};
  tac_test_ok(tac_sample_read(read, bytes, size, &contents, &error), error);
  tac_sample_valid(&contents);
  return contents;
}

static inline tacMeshContents tac_sample_accept_text(tacMeshReader *read, const char *text) {
  return tac_sample_accept(read, text, strlen(text));
}

/* The file is refused, nothing is left, and the message has `part` in it. */
static inline void tac_sample_refuse(tacMeshReader *read, const void *bytes, size_t size, const char *part) {
  tacMeshContents contents = {NULL, NULL};
  error = (tacError){0};
  tacStatus status = tac_sample_read(read, bytes, size, &contents, &error);
  ck_assert_msg(status != TAC_OK, "accepted where \"%s\" was expected", part);
  ck_assert_ptr_null(contents.surface);
  ck_assert_ptr_null(contents.volume);
  ck_assert_msg(strstr(error.text, part) != NULL, "\"%s\" is not in \"%s\"", part, error.text);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  ck_assert_int_eq(error.status, status);
}

static inline void tac_sample_refuse_text(tacMeshReader *read, const char *text, const char *part) {
  tac_sample_refuse(read, text, strlen(text), part);
}

typedef struct tacRefusedText {
  const char *text, *says; /* what is read, and part of the error */
} tacRefusedText;

static inline void tac_sample_refuse_texts(tacMeshReader *read, size_t count, const tacRefusedText *refused) {
  for (size_t i = 0; i < count; ++i) tac_sample_refuse_text(read, refused[i].text, refused[i].says);
}

/* A file that is cut anywhere is refused or is a valid mesh. Every byte is also replaced by a few others. */
static inline void tac_sample_damage(tacMeshReader *read, const void *bytes, size_t size) {
  static const unsigned char others[] = {0, '9', '-', '\n', 0xff};
  TAC_MEMORY(unsigned char, copy) = malloc(size);
  ck_assert_ptr_nonnull(copy);
  for (size_t at = 0; at < size; ++at)
    for (size_t o = 0; o <= sizeof others; ++o) {
      TAC_MESH_CONTENTS contents = {NULL, NULL};
      memcpy(copy, bytes, size);
      if (o < sizeof others) copy[at] = others[o];
      tacStatus status = o == sizeof others ? tac_sample_read(read, bytes, at, &contents, &error)
                                            : tac_mesh_format_read(read, "sample", copy, size, &contents, &error);
      if (status == TAC_OK) tac_sample_valid(&contents);
    }
}

/* ---- random meshes ---- */

/* Coordinates of all magnitudes, so that text must hold every digit. */
static inline tacVec3 tac_sample_point(tacRandom *random) {
  double scale = pow(10.0, floor(tac_random_uniform(random, -8.0, 8.0)));
  tacVec3 p = tac_random_in_cube(random, 1.0);
  return (tacVec3){p.x * scale, p.y, (double)(float)p.z};
}

static inline int tac_sample_below(tacRandom *random, int limit) {
  return (int)(tac_random_bits(random) % (uint64_t)limit);
}

/* Named sets of random members among `limit` items, each of at least one. */
static inline void tac_sample_add_sets(tacRandom *random, const char *prefix, int count, int limit, tacIndexSet **sets,
                                       int *set_count) {
  int *members = tac_test_alloc((size_t)limit * sizeof *members);
  for (int s = 0; s < count; ++s) {
    char name[32];
    int n = 0;
    for (int i = 0; i < limit; ++i)
      if (tac_random_uniform(random, 0.0, 1.0) < 0.4) members[n++] = i;
    if (n == 0) members[n++] = tac_sample_below(random, limit);
    snprintf(name, sizeof name, "%s%d", prefix, s);
    tac_test_ok(tac_index_set_append(sets, set_count, name, n, members, limit, "set", &error), error);
  }
}

/* Every vertex is used, in the order of their numbers. */
static inline tacTriMesh *tac_sample_surface(uint64_t seed, int triangle_count, int group_count) {
  tacRandom random = tac_random_seed(seed);
  tacTriMesh *mesh;
  int vertex_count = triangle_count + 2;
  tac_test_ok(tac_trimesh_create(vertex_count, triangle_count, &mesh, &error), error);
  for (int v = 0; v < vertex_count; ++v) mesh->vertices[v] = tac_sample_point(&random);
  for (int t = 0; t < triangle_count; ++t)
    for (int c = 0; c < 3; ++c) mesh->triangles[t].v[c] = t + c;
  tac_sample_add_sets(&random, "part_", group_count, triangle_count, &mesh->groups, &mesh->group_count);
  return mesh;
}

static inline tacVolMesh *tac_sample_volume(uint64_t seed, int tet_count, int brick_count, int group_count,
                                            int set_count) {
  tacRandom random = tac_random_seed(seed);
  tacVolMesh *mesh;
  int vertex_count = 8 + tet_count + brick_count, element_count = tet_count + brick_count;
  tac_test_ok(tac_volmesh_create(vertex_count, tet_count, brick_count, &mesh, &error), error);
  for (int v = 0; v < vertex_count; ++v) mesh->vertices[v] = tac_sample_point(&random);
  for (int t = 0; t < tet_count; ++t)
    for (int c = 0; c < 4; ++c) mesh->tets[t].v[c] = tac_sample_below(&random, vertex_count);
  for (int b = 0; b < brick_count; ++b)
    for (int c = 0; c < 8; ++c) mesh->bricks[b].v[c] = tac_sample_below(&random, vertex_count);
  tac_sample_add_sets(&random, "organ ", group_count, element_count, &mesh->groups, &mesh->group_count);
  tac_sample_add_sets(&random, "held ", set_count, vertex_count, &mesh->vertex_sets, &mesh->vertex_set_count);
  return mesh;
}

/* ---- comparison ---- */

static inline void tac_sample_same_points(int count, const tacVec3 *a, const tacVec3 *b) {
  for (int i = 0; i < count; ++i)
    ck_assert_msg(a[i].x == b[i].x && a[i].y == b[i].y && a[i].z == b[i].z, "vertex %d", i);
}

/* The same sets under the same names, in any order. */
static inline void tac_sample_same_sets(int count_a, const tacIndexSet *a, int count_b, const tacIndexSet *b) {
  ck_assert_int_eq(count_a, count_b);
  for (int s = 0; s < count_a; ++s) {
    int other = 0;
    while (other < count_b && strcmp(a[s].name, b[other].name) != 0) ++other;
    ck_assert_msg(other < count_b, "no set \"%s\"", a[s].name);
    ck_assert_int_eq(a[s].count, b[other].count);
    for (int i = 0; i < a[s].count; ++i) ck_assert_int_eq(a[s].indices[i], b[other].indices[i]);
  }
}

static inline void tac_sample_same_surface(const tacTriMesh *a, const tacTriMesh *b, bool groups) {
  ck_assert_ptr_nonnull(b);
  ck_assert_int_eq(a->vertex_count, b->vertex_count);
  ck_assert_int_eq(a->triangle_count, b->triangle_count);
  tac_sample_same_points(a->vertex_count, a->vertices, b->vertices);
  for (int t = 0; t < a->triangle_count; ++t)
    ck_assert_mem_eq(a->triangles[t].v, b->triangles[t].v, sizeof(tacTriangle));
  if (groups) tac_sample_same_sets(a->group_count, a->groups, b->group_count, b->groups);
}

static inline void tac_sample_same_volume(const tacVolMesh *a, const tacVolMesh *b, bool groups, bool sets) {
  ck_assert_ptr_nonnull(b);
  ck_assert_int_eq(a->vertex_count, b->vertex_count);
  ck_assert_int_eq(a->tet_count, b->tet_count);
  ck_assert_int_eq(a->brick_count, b->brick_count);
  tac_sample_same_points(a->vertex_count, a->vertices, b->vertices);
  for (int t = 0; t < a->tet_count; ++t) ck_assert_mem_eq(a->tets[t].v, b->tets[t].v, sizeof(tacTet));
  for (int e = 0; e < a->brick_count; ++e) ck_assert_mem_eq(a->bricks[e].v, b->bricks[e].v, sizeof(tacBrick));
  if (groups) tac_sample_same_sets(a->group_count, a->groups, b->group_count, b->groups);
  if (sets) tac_sample_same_sets(a->vertex_set_count, a->vertex_sets, b->vertex_set_count, b->vertex_sets);
}

/* Writes and reads back through a file of the given ending. */
static inline tacMeshContents tac_sample_round_trip(const tacMeshContents *contents, tacMeshFormat format,
                                                    const char *ending) {
  char name[32];
  tacMeshContents back;
  error = (tacError){0};
  snprintf(name, sizeof name, "mesh%s", ending);
  const char *path = tac_test_path(name);
  tac_test_ok(tac_mesh_write(path, format, contents, &error), error);
  tac_test_ok(tac_mesh_read(path, &back, &error), error);
  return back;
}

static inline void tac_sample_surface_survives(tacMeshFormat format, const char *ending, bool groups) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    TAC_MESH_CONTENTS made = {tac_sample_surface(seed, 37, groups ? (int)seed : 0), NULL};
    TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, format, ending);
    tac_sample_same_surface(made.surface, back.surface, true);
    ck_assert_ptr_null(back.volume);
  }
}

static inline void tac_sample_volume_survives(tacMeshFormat format, const char *ending, int tets, int bricks,
                                              bool groups, bool sets) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    TAC_MESH_CONTENTS made = {NULL, tac_sample_volume(seed, tets, bricks, groups ? 3 : 0, sets ? 2 : 0)};
    TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, format, ending);
    tac_sample_same_volume(made.volume, back.volume, true, true);
    ck_assert_ptr_null(back.surface);
  }
}

/* A volume and its own surface, which share vertices; the surface's vertices ascend. */
static inline void tac_sample_both_survive(tacMeshFormat format, const char *ending, bool groups) {
  TAC_MESH_CONTENTS made = {tac_sample_surface(3, 11, groups ? 2 : 0),
                            tac_sample_volume(4, 9, 5, groups ? 2 : 0, groups ? 1 : 0)};
  /* Every vertex of the volume is used, and the first ones of the surface lie on some of them. */
  for (int v = 0; v < made.volume->vertex_count; ++v) made.volume->tets[v % 9].v[v / 9 % 4] = v;
  for (int v = 0; v < 6; ++v) made.surface->vertices[v] = made.volume->vertices[2 * v + 1];
  TAC_MESH_CONTENTS back = tac_sample_round_trip(&made, format, ending);
  tac_sample_same_surface(made.surface, back.surface, true);
  tac_sample_same_volume(made.volume, back.volume, true, true);
}
