#include "elastic/hyper/hyper_patches.h"

#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/face_table.h"

enum {
  CELL = 6, /* tetrahedra of a cell of a grid */
  CELL_VERTICES = 8,
  LEAST = 4, /* smaller ones join a neighbour */
  MOST = 8,
  MOST_VERTICES = 2 * MOST + 2
};

typedef struct Growth {
  const tacVolMesh *mesh;
  const int *material_of;
  int (*neighbour)[4]; /* [tet]: across faces; -1: none */
  int *of;             /* -1: in no patch yet */
  int *size;           /* [patch] */
  int count;
} Growth;

static int material(const Growth *growth, int tet) {
  return growth->material_of != NULL ? growth->material_of[tet] : 0;
}

/* Across faces of two elements; where more than two meet, the first two. */
static tacStatus find_neighbours(Growth *growth, tacError *error) {
  tacFaceTable table = {0};
  TAC_TRY(tac_face_table_create(growth->mesh, &table, error));
  for (int t = 0; t < growth->mesh->tet_count; ++t)
    for (int f = 0; f < 4; ++f) growth->neighbour[t][f] = -1;
  for (size_t i = 0; i + 1 < table.face_count; ++i) {
    if (!tac_face_same(&table.faces[i], &table.faces[i + 1])) continue;
    size_t a = table.faces[i].slot, b = table.faces[i + 1].slot;
    growth->neighbour[a / 4][a % 4] = (int)(b / 4);
    growth->neighbour[b / 4][b % 4] = (int)(a / 4);
    ++i;
  }
  tac_face_table_free(&table);
  return TAC_OK;
}

/* ---- vertices of a patch that grows ---- */

typedef struct Corners {
  int count, vertex[MOST_VERTICES];
} Corners;

static bool has(const Corners *corners, int vertex) {
  for (int i = 0; i < corners->count; ++i)
    if (corners->vertex[i] == vertex) return true;
  return false;
}

static int count_new(const Corners *corners, const tacTet *tet) {
  int count = 0;
  for (int c = 0; c < 4; ++c) count += !has(corners, tet->v[c]);
  return count;
}

static void add(Corners *corners, const tacTet *tet) {
  for (int c = 0; c < 4; ++c)
    if (!has(corners, tet->v[c]) && corners->count < MOST_VERTICES) corners->vertex[corners->count++] = tet->v[c];
}

/* ---- patches ---- */

/* Whether CELL tetrahedra from `first` on are free, of one material, connected by faces and have eight vertices at
 * most. */
static bool is_cell(const Growth *growth, int first) {
  if (first + CELL > growth->mesh->tet_count) return false;
  Corners corners = {0};
  for (int t = first; t < first + CELL; ++t) {
    if (growth->of[t] >= 0 || material(growth, t) != material(growth, first)) return false;
    add(&corners, &growth->mesh->tets[t]);
    if (corners.count > CELL_VERTICES) return false;
  }
  unsigned reached = 1, before = 0;
  while (reached != before) {
    before = reached;
    for (int t = 0; t < CELL; ++t)
      for (int f = 0; f < 4 && (reached >> t & 1) != 0; ++f) {
        int other = growth->neighbour[first + t][f] - first;
        if (other >= 0 && other < CELL) reached |= 1u << other;
      }
  }
  return reached == (1u << CELL) - 1;
}

/* From `first` on, always the neighbour that adds fewest vertices, of those the first. */
static void grow(Growth *growth, int first) {
  int patch = growth->count++, member[MOST] = {first}, size = 1;
  Corners corners = {0};
  add(&corners, &growth->mesh->tets[first]);
  growth->of[first] = patch;
  while (size < MOST) {
    int best = -1, fewest = 5;
    for (int m = 0; m < size; ++m)
      for (int f = 0; f < 4; ++f) {
        int other = growth->neighbour[member[m]][f];
        if (other < 0 || growth->of[other] >= 0 || material(growth, other) != material(growth, first)) continue;
        int added = count_new(&corners, &growth->mesh->tets[other]);
        if (added < fewest || (added == fewest && other < best)) {
          best = other;
          fewest = added;
        }
      }
    if (best < 0 || (size >= CELL && fewest > 0)) break;
    growth->of[best] = patch;
    add(&corners, &growth->mesh->tets[best]);
    member[size++] = best;
  }
  growth->size[patch] = size;
}

/* All of a small patch, connected by faces, from `tet` on. */
static void rename_patch(Growth *growth, int tet, int from, int to) {
  growth->of[tet] = to;
  for (int f = 0; f < 4; ++f) {
    int other = growth->neighbour[tet][f];
    if (other >= 0 && growth->of[other] == from) rename_patch(growth, other, from, to);
  }
}

/* Patches that stayed small join the smallest beside them. */
static void join_small(Growth *growth) {
  for (int t = 0; t < growth->mesh->tet_count; ++t) {
    int patch = growth->of[t], best = -1;
    if (growth->size[patch] >= LEAST) continue;
    for (int f = 0; f < 4; ++f) {
      int other = growth->neighbour[t][f], candidate = other >= 0 ? growth->of[other] : patch;
      if (candidate == patch || material(growth, other) != material(growth, t)) continue;
      if (best < 0 || growth->size[candidate] < growth->size[best] ||
          (growth->size[candidate] == growth->size[best] && candidate < best))
        best = candidate;
    }
    if (best < 0) continue; /* another element of it may have one */
    rename_patch(growth, t, patch, best);
    growth->size[best] += growth->size[patch];
    growth->size[patch] = 0;
  }
}

/* Patches that are left, material by material, in the order of their first elements. */
static tacStatus number(Growth *growth, tacHyperPatches *patches, tacError *error) {
  int tets = growth->mesh->tet_count, most = 0;
  for (int t = 0; t < tets; ++t)
    if (material(growth, t) > most) most = material(growth, t);
  TAC_MEMORY(int, name) = NULL;
  TAC_TRY(TAC_ARRAY(name, (size_t)growth->count, "patches", error));
  for (int p = 0; p < growth->count; ++p) name[p] = -1;
  for (int m = 0; m <= most; ++m)
    for (int t = 0; t < tets; ++t)
      if (material(growth, t) == m && name[growth->of[t]] < 0) name[growth->of[t]] = patches->count++;
  for (int t = 0; t < tets; ++t) patches->of[t] = name[growth->of[t]];
  return TAC_OK;
}

/* Elements and vertices of each patch. */
static tacStatus list(const tacVolMesh *mesh, tacHyperPatches *patches, tacError *error) {
  size_t count = (size_t)patches->count, tets = (size_t)mesh->tet_count;
  patches->start = tac_arrays_add(&patches->arrays, count + 2, sizeof *patches->start);
  patches->element = tac_arrays_add(&patches->arrays, tets, sizeof *patches->element);
  patches->vertex_start = tac_arrays_add(&patches->arrays, count + 1, sizeof *patches->vertex_start);
  patches->vertex = tac_arrays_add(&patches->arrays, 4 * tets, sizeof *patches->vertex);
  TAC_TRY(tac_arrays_status(&patches->arrays, "patches", error));
  for (int t = 0; t < mesh->tet_count; ++t)
    ++patches->start[patches->of[t] + 2]; /* two places late; filling takes one back */
  for (int p = 0; p < patches->count; ++p) patches->start[p + 2] += patches->start[p + 1];
  for (int t = 0; t < mesh->tet_count; ++t) patches->element[patches->start[patches->of[t] + 1]++] = t;
  for (int p = 0, end = 0; p < patches->count; ++p) {
    int begin = end;
    for (int i = patches->start[p]; i < patches->start[p + 1]; ++i)
      for (int c = 0; c < 4; ++c) patches->vertex[end++] = mesh->tets[patches->element[i]].v[c];
    qsort(patches->vertex + begin, (size_t)(end - begin), sizeof *patches->vertex, tac_array_compare_ints);
    int last = begin;
    for (int i = begin + 1; i < end; ++i)
      if (patches->vertex[i] != patches->vertex[last]) patches->vertex[++last] = patches->vertex[i];
    end = last + 1;
    patches->vertex_start[p + 1] = end;
  }
  return TAC_OK;
}

static tacStatus create(const tacVolMesh *mesh, const int *material_of, tacHyperPatches *patches, tacError *error) {
  size_t tets = (size_t)mesh->tet_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Growth growth = {.mesh = mesh, .material_of = material_of};
  patches->of = tac_arrays_add(&patches->arrays, tets, sizeof *patches->of);
  growth.neighbour = tac_arrays_add(&work, tets, sizeof *growth.neighbour);
  growth.of = tac_arrays_add(&work, tets, sizeof *growth.of);
  growth.size = tac_arrays_add(&work, tets, sizeof *growth.size);
  TAC_TRY(tac_arrays_status(&patches->arrays, "patches", error));
  TAC_TRY(tac_arrays_status(&work, "patches", error));
  TAC_TRY(find_neighbours(&growth, error));
  for (int t = 0; t < mesh->tet_count; ++t) growth.of[t] = -1;
  for (int t = 0; t < mesh->tet_count; ++t) {
    if (!is_cell(&growth, t)) continue;
    for (int i = 0; i < CELL; ++i) growth.of[t + i] = growth.count;
    growth.size[growth.count++] = CELL;
  }
  for (int t = 0; t < mesh->tet_count; ++t)
    if (growth.of[t] < 0) grow(&growth, t);
  join_small(&growth);
  TAC_TRY(number(&growth, patches, error));
  return list(mesh, patches, error);
}

tacStatus tac_hyper_patches_create(const tacVolMesh *mesh, const int *material_of, tacHyperPatches *patches,
                                   tacError *error) {
  *patches = (tacHyperPatches){0};
  tacStatus status = create(mesh, material_of, patches, error);
  if (status != TAC_OK) tac_hyper_patches_destroy(patches);
  return status;
}

void tac_hyper_patches_destroy(tacHyperPatches *patches) {
  tac_arrays_free(&patches->arrays);
  *patches = (tacHyperPatches){0};
}
