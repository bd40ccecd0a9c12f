#include "elastic/solids/assembly.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/elements/material.h"

/* Which vertices share an element, themselves included: those of vertex v are neighbour[start[v] .. start[v + 1]),
 * ascending. */
typedef struct Neighbours {
  size_t *start;
  int *neighbour;
} Neighbours;

static void free_neighbours(Neighbours *neighbours) {
  free(neighbours->start);
  free(neighbours->neighbour);
}

/* The elements of each vertex, by counting. */
static tacStatus list_elements(const tacVolMesh *mesh, size_t **start, int **element_of, tacError *error) {
  size_t corners = 4 * (size_t)mesh->tet_count + 8 * (size_t)mesh->brick_count;
  TAC_TRY(TAC_ARRAY(*start, (size_t)mesh->vertex_count + 2, "elements of vertices", error));
  TAC_TRY(TAC_ARRAY(*element_of, corners, "elements of vertices", error));
  /* Counts are kept two places late: one to make them starts, one that filling takes back. */
  for (int pass = 0; pass < 2; ++pass) {
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      const int *v = tac_element_vertices(mesh, e);
      for (int c = 0; c < tac_element_corner_count(mesh, e); ++c) {
        if (pass == 0)
          ++(*start)[v[c] + 2];
        else
          (*element_of)[(*start)[v[c] + 1]++] = e;
      }
    }
    for (int v = 0; pass == 0 && v < mesh->vertex_count; ++v) (*start)[v + 2] += (*start)[v + 1];
  }
  return TAC_OK;
}

/* Visits every pair (v, neighbour of v) once, v ascending. The relation is symmetric: writing v into the neighbour's list
 * sorts each list. */
static tacStatus list_neighbours(const tacVolMesh *mesh, Neighbours *neighbours, tacError *error) {
  size_t vertex_count = (size_t)mesh->vertex_count;
  TAC_MEMORY(size_t, element_start) = NULL;
  TAC_MEMORY(int, element_of) = NULL;
  TAC_MEMORY(int, seen) = NULL;
  TAC_TRY(TAC_ARRAY(seen, vertex_count, "neighbours of vertices", error));
  TAC_TRY(TAC_ARRAY(neighbours->start, vertex_count + 2, "neighbours of vertices", error));
  TAC_TRY(list_elements(mesh, &element_start, &element_of, error));
  for (int pass = 0; pass < 2; ++pass) {
    size_t *start = neighbours->start;
    for (int v = 0; v < mesh->vertex_count; ++v) seen[v] = -1;
    for (int v = 0; v < mesh->vertex_count; ++v) {
      seen[v] = v;
      if (pass == 0)
        ++start[v + 2];
      else
        neighbours->neighbour[start[v + 1]++] = v;
      for (size_t i = element_start[v]; i < element_start[v + 1]; ++i) {
        const int *corner = tac_element_vertices(mesh, element_of[i]);
        for (int c = 0; c < tac_element_corner_count(mesh, element_of[i]); ++c) {
          int other = corner[c];
          if (seen[other] == v) continue;
          seen[other] = v;
          if (pass == 0)
            ++start[other + 2];
          else
            neighbours->neighbour[start[other + 1]++] = v;
        }
      }
    }
    if (pass == 1) break;
    for (int v = 0; v < mesh->vertex_count; ++v) start[v + 2] += start[v + 1];
    TAC_TRY(TAC_ARRAY(neighbours->neighbour, start[vertex_count + 1], "neighbours of vertices", error));
  }
  return TAC_OK;
}

/* Its place in the list of v. */
static size_t find(const Neighbours *neighbours, int v, int other) {
  size_t low = neighbours->start[v], high = neighbours->start[v + 1];
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (neighbours->neighbour[middle] <= other)
      low = middle;
    else
      high = middle;
  }
  return low - neighbours->start[v];
}

/* A zero matrix with `rows` (3: all axes, 1: the column's own) entries for each neighbour of a column's vertex. */
static tacStatus create(const tacVolMesh *mesh, const Neighbours *neighbours, size_t rows, tacSparse *matrix,
                        tacError *error) {
  size_t count = 3 * rows * neighbours->start[mesh->vertex_count];
  if (count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the matrix of %d vertices has %zu entries; at most %d are "
                         "possible",
                         mesh->vertex_count, count, INT_MAX);
  TAC_TRY(tac_sparse_create(3 * mesh->vertex_count, 3 * mesh->vertex_count, count, matrix, error));
  int place = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      for (size_t i = neighbours->start[v]; i < neighbours->start[v + 1]; ++i)
        for (int r = 0; r < (int)rows; ++r)
          matrix->row[place++] = 3 * neighbours->neighbour[i] + (rows == 3 ? r : axis);
      matrix->column_start[3 * v + axis + 1] = place;
    }
  }
  return TAC_OK;
}

static void add_stiffness(const int *v, int count, const double *k, const Neighbours *neighbours, tacSparse *matrix) {
  for (int b = 0; b < count; ++b) {
    for (int a = 0; a < count; ++a) {
      size_t place = 3 * find(neighbours, v[b], v[a]);
      for (int j = 0; j < 3; ++j) {
        double *value = matrix->value + matrix->column_start[3 * v[b] + j] + place;
        const double *at = k + (size_t)((3 * b + j) * 3 * count + 3 * a); /* symmetric: a row for the column */
        for (int i = 0; i < 3; ++i) value[i] += at[i];
      }
    }
  }
}

static void add_mass(const int *v, int count, const double *m, bool diagonal, const Neighbours *neighbours,
                     tacSparse *matrix) {
  for (int b = 0; b < count; ++b) {
    for (int a = 0; a < count; ++a) {
      if (diagonal && a != b) continue;
      size_t place = diagonal ? 0 : find(neighbours, v[b], v[a]);
      for (int j = 0; j < 3; ++j) matrix->value[(size_t)matrix->column_start[3 * v[b] + j] + place] += m[b * count + a];
    }
  }
}

static tacStatus check_materials(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                                 tacError *error) {
  int last = -1; /* checked already */
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    int index = material_of != NULL ? material_of[e] : 0;
    if (index < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has the unknown material %d", e, index);
    if (index == last) continue;
    tacError why;
    if (tac_material_check(&materials[index], &why) != TAC_OK)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "material %d, of element %d: %.400s", index, e, why.text);
    last = index;
  }
  return TAC_OK;
}

static tacStatus prepare(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                         Neighbours *neighbours, tacError *error) {
  TAC_TRY(tac_volmesh_validate(mesh, error));
  if (mesh->vertex_count > (INT_MAX - 1) / 3)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the mesh has too many vertices (%d); at most %d are possible",
                         mesh->vertex_count, (INT_MAX - 1) / 3);
  TAC_TRY(check_materials(mesh, materials, material_of, error));
  return list_neighbours(mesh, neighbours, error);
}

/* ---- element by element ---- */

enum { WINDOW = 1024, GRAIN = 32 };

/* Matrices of elements, that threads compute; they are added up in one order. */
typedef struct Window {
  const tacVolMesh *mesh;
  const tacMaterial *materials;
  const int *material_of;
  bool stiffness; /* else masses of this kind: */
  tacMassKind kind;
  int first, numbers; /* the first element of the window; of a matrix */
  double *matrix;     /* [WINDOW][numbers] */
  bool failed[WINDOW];
} Window;

static tacStatus compute_element(const Window *w, int e, double *to, tacError *error) {
  const tacMaterial *material = &w->materials[w->material_of != NULL ? w->material_of[e] : 0];
  return w->stiffness ? tac_element_stiffness(w->mesh, e, material, to, error)
                      : tac_element_mass(w->mesh, e, material, w->kind, to, error);
}

static void compute_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Window *w = context;
  for (size_t i = begin; i < end; ++i)
    w->failed[i] = compute_element(w, w->first + (int)i, w->matrix + i * (size_t)w->numbers, NULL) != TAC_OK;
}

static tacStatus add_elements(Window *w, const Neighbours *neighbours, tacSparse *matrix, tacError *error) {
  int elements = tac_element_count(w->mesh);
  w->numbers = w->stiffness ? 576 : 64;
  TAC_MEMORY(double, room) = tac_array_create((size_t)(elements < WINDOW ? elements : WINDOW),
                                              (size_t)w->numbers * sizeof *room, "matrices of elements", error);
  if ((w->matrix = room) == NULL) return TAC_ERR_MEMORY;
  for (w->first = 0; w->first < elements; w->first += WINDOW) {
    int count = elements - w->first < WINDOW ? elements - w->first : WINDOW;
    TAC_TRY(tac_parallel_for(0, (size_t)count, GRAIN, compute_elements, w, NULL, "elements", error));
    for (int i = 0; i < count; ++i) {
      int e = w->first + i, corners = tac_element_corner_count(w->mesh, e);
      double *of_element = w->matrix + (size_t)i * (size_t)w->numbers;
      if (w->failed[i]) return compute_element(w, e, of_element, error);
      if (w->stiffness)
        add_stiffness(tac_element_vertices(w->mesh, e), corners, of_element, neighbours, matrix);
      else
        add_mass(tac_element_vertices(w->mesh, e), corners, of_element, w->kind == TAC_MASS_LUMPED, neighbours, matrix);
    }
  }
  return TAC_OK;
}

static tacStatus assemble(Window *w, tacSparse *matrix, tacError *error) {
  TAC_FREED(free_neighbours, Neighbours, neighbours) = {0};
  TAC_TRY(prepare(w->mesh, w->materials, w->material_of, &neighbours, error));
  if (w->stiffness || w->kind != TAC_MASS_LUMPED) {
    TAC_TRY(create(w->mesh, &neighbours, w->stiffness ? 3 : 1, matrix, error));
  } else {
    TAC_TRY(tac_sparse_identity(3 * w->mesh->vertex_count, matrix, error));
    memset(matrix->value, 0, (size_t)tac_sparse_count(matrix) * sizeof *matrix->value);
  }
  return add_elements(w, &neighbours, matrix, error);
}

tacStatus tac_assembly_stiffness(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                                 tacSparse *stiffness, tacError *error) {
  Window window = {.mesh = mesh, .materials = materials, .material_of = material_of, .stiffness = true};
  *stiffness = (tacSparse){0};
  tacStatus status = assemble(&window, stiffness, error);
  if (status != TAC_OK) tac_sparse_destroy(stiffness);
  return status;
}

tacStatus tac_assembly_mass(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                            tacMassKind kind, tacSparse *mass, tacError *error) {
  Window window = {.mesh = mesh, .materials = materials, .material_of = material_of, .kind = kind};
  *mass = (tacSparse){0};
  tacStatus status = assemble(&window, mass, error);
  if (status != TAC_OK) tac_sparse_destroy(mass);
  return status;
}
