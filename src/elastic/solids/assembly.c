#include "elastic/solids/assembly.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"

/* Which vertices share an element, themselves included: those of vertex v are neighbour[start[v] .. start[v + 1]),
 * ascending. */
typedef struct Neighbours {
  size_t *start;
  int *neighbour;
} Neighbours;

static void free_neighbours(Neighbours *neighbours) {
  free(neighbours->start);
  free(neighbours->neighbour);
  *neighbours = (Neighbours){0};
}

/* The elements of each vertex, by counting. */
static tacStatus list_elements(const tacVolMesh *mesh, size_t **start, int **element_of, tacError *error) {
  size_t corners = 4 * (size_t)mesh->tet_count + 8 * (size_t)mesh->brick_count;
  *start = tac_array_create((size_t)mesh->vertex_count + 2, sizeof **start, "elements of vertices", error);
  *element_of = tac_array_create(corners, sizeof **element_of, "elements of vertices", error);
  if (*start == NULL || *element_of == NULL) return TAC_ERR_MEMORY;
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
  size_t vertex_count = (size_t)mesh->vertex_count, *element_start = NULL;
  int *element_of = NULL, *seen = tac_array_create(vertex_count, sizeof *seen, "neighbours of vertices", error);
  *neighbours = (Neighbours){
      .start = tac_array_create(vertex_count + 2, sizeof *neighbours->start, "neighbours of vertices", error)};
  tacStatus status = TAC_ERR_MEMORY;
  if (seen == NULL || neighbours->start == NULL) goto done;
  status = list_elements(mesh, &element_start, &element_of, error);
  for (int pass = 0; pass < 2 && status == TAC_OK; ++pass) {
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
    neighbours->neighbour =
        tac_array_create(start[vertex_count + 1], sizeof *neighbours->neighbour, "neighbours of vertices", error);
    if (neighbours->neighbour == NULL) status = TAC_ERR_MEMORY;
  }
done:
  free(seen);
  free(element_start);
  free(element_of);
  if (status != TAC_OK) free_neighbours(neighbours);
  return status;
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
  *matrix = (tacSparse){0};
  size_t count = 3 * rows * neighbours->start[mesh->vertex_count];
  if (count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "a matrix of %d vertices has %zu entries; at most %d are possible",
                         mesh->vertex_count, count, INT_MAX);
  matrix->rows = matrix->cols = 3 * mesh->vertex_count;
  matrix->column_start = tac_array_create((size_t)matrix->cols + 1, sizeof *matrix->column_start, "a matrix", error);
  matrix->row = tac_array_create(count, sizeof *matrix->row, "a matrix", error);
  matrix->value = tac_array_create(count, sizeof *matrix->value, "a matrix", error);
  if (matrix->column_start == NULL || matrix->row == NULL || matrix->value == NULL) {
    tac_sparse_destroy(matrix);
    return TAC_ERR_MEMORY;
  }
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
    if (index < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d", e, index);
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
  tacStatus status = tac_volmesh_validate(mesh, error);
  if (status == TAC_OK && mesh->vertex_count > (INT_MAX - 1) / 3)
    status = tac_error_set(error, TAC_ERR_UNSUPPORTED, "a mesh of %d vertices; at most %d are possible",
                           mesh->vertex_count, (INT_MAX - 1) / 3);
  if (status == TAC_OK) status = check_materials(mesh, materials, material_of, error);
  if (status == TAC_OK) status = list_neighbours(mesh, neighbours, error);
  return status;
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
  w->matrix = tac_array_create((size_t)(elements < WINDOW ? elements : WINDOW), (size_t)w->numbers * sizeof *w->matrix,
                               "matrices of elements", error);
  tacStatus status = w->matrix != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (w->first = 0; status == TAC_OK && w->first < elements; w->first += WINDOW) {
    int count = elements - w->first < WINDOW ? elements - w->first : WINDOW;
    status = tac_parallel_for(0, (size_t)count, GRAIN, compute_elements, w, NULL, "elements", error);
    for (int i = 0; status == TAC_OK && i < count; ++i) {
      int e = w->first + i, corners = tac_element_corner_count(w->mesh, e);
      double *of_element = w->matrix + (size_t)i * (size_t)w->numbers;
      if (w->failed[i])
        status = compute_element(w, e, of_element, error);
      else if (w->stiffness)
        add_stiffness(tac_element_vertices(w->mesh, e), corners, of_element, neighbours, matrix);
      else
        add_mass(tac_element_vertices(w->mesh, e), corners, of_element, w->kind == TAC_MASS_LUMPED, neighbours, matrix);
    }
  }
  free(w->matrix);
  return status;
}

tacStatus tac_assembly_stiffness(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                                 tacSparse *stiffness, tacError *error) {
  Neighbours neighbours = {0};
  Window window = {.mesh = mesh, .materials = materials, .material_of = material_of, .stiffness = true};
  *stiffness = (tacSparse){0};
  tacStatus status = prepare(mesh, materials, material_of, &neighbours, error);
  if (status == TAC_OK) status = create(mesh, &neighbours, 3, stiffness, error);
  if (status == TAC_OK) status = add_elements(&window, &neighbours, stiffness, error);
  free_neighbours(&neighbours);
  if (status != TAC_OK) tac_sparse_destroy(stiffness);
  return status;
}

tacStatus tac_assembly_mass(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                            tacMassKind kind, tacSparse *mass, tacError *error) {
  Neighbours neighbours = {0};
  Window window = {.mesh = mesh, .materials = materials, .material_of = material_of, .kind = kind};
  *mass = (tacSparse){0};
  tacStatus status = prepare(mesh, materials, material_of, &neighbours, error);
  if (status == TAC_OK)
    status = kind == TAC_MASS_LUMPED ? tac_sparse_identity(3 * mesh->vertex_count, mass, error)
                                     : create(mesh, &neighbours, 1, mass, error);
  if (status == TAC_OK) memset(mass->value, 0, (size_t)tac_sparse_count(mass) * sizeof *mass->value);
  if (status == TAC_OK) status = add_elements(&window, &neighbours, mass, error);
  free_neighbours(&neighbours);
  if (status != TAC_OK) tac_sparse_destroy(mass);
  return status;
}
