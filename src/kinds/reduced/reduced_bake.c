#include <tactus/reduced.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "bake/modes/embedded_basis.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "elastic/elements/material.h"
#include "elastic/solids/solid_mass.h"
#include "kinds/reduced/basis/motion_basis.h"
#include "kinds/reduced/polynomial_bake.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_check.h"
#include "kinds/reduced/reduced_error_estimate.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"
#include "mesh/query/embedding.h"

/* Limit of interpolation weights. A smaller weight is a rounding error: the point is on a face without this corner. */
#define ON_FACE 1e-9

enum { NAME_SIZE = 32 };

TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)
TAC_OWNED_TYPE(tacReduced, tac_reduced_destroy)

tacReducedDef tac_reduced_def_default(void) {
  return (tacReducedDef){
      .source = TAC_BASIS_MODES, .mode_count = 10, .size = 20, .motion_step = 1e-3, .error_estimate_loads = 12};
}

/* Data of a bake before the asset is created. */
typedef struct {
  const tacReducedDef *def;
  tacSolid solid;
  tacMaterial *materials;  /* valid copies of the materials in `def` */
  tacTriMesh *own_surface; /* boundary of the volume if `def` has no surface */
  tacMotionBasis basis;
  int polynomial_count;
  tacPolynomialPart *polynomials;
  bool *fixed;
  tacVec3 *normals;
  double *rows; /* U, [volume vertex][axis][r] */
  double *displacements, *normal_changes;
  char (*made_names)[NAME_SIZE];
  const char **names;
  double *group_mass, *mass_matrix, *body_force;
  tacReducedPart *part;
  tacReducedParts parts;
  tacArrays arrays;
} Bake;

static void free_bake(Bake *bake) {
  tac_arrays_free(&bake->arrays);
  tac_trimesh_destroy(bake->own_surface);
  tac_motion_basis_destroy(&bake->basis);
  tac_polynomial_parts_destroy(bake->polynomial_count, bake->polynomials);
}

/* ---- checks of the definition ---- */

static const char *source_name(tacBasisSource source) {
  return source == TAC_BASIS_MODES ? "modes" : source == TAC_BASIS_SKETCH ? "sketch" : "motion";
}

static tacStatus check_materials(const tacReducedDef *def, tacError *error) {
  if (def->material_count < 1 || def->materials == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a body needs at least one material, and none is given");
  if (def->material_count > TAC_REDUCED_MOST_GROUPS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of materials (%d); at most %d are possible",
                         def->material_count, TAC_REDUCED_MOST_GROUPS);
  int last = -1; /* index of the last checked material */
  for (int e = 0; e < tac_element_count(def->volume); ++e) {
    int index = def->material_of != NULL ? def->material_of[e] : 0;
    if (index < 0 || index >= def->material_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "element %d has material %d, but there are only %d materials, "
                           "counted from 0",
                           e, index, def->material_count);
    if (index == last) continue;
    tacError why;
    if (tac_material_check(&def->materials[index], &why) != TAC_OK)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "material %d, of element %d: %.400s", index, e, why.text);
    last = index;
  }
  return TAC_OK;
}

static bool is_held(const tacReducedDef *def, int vertex) {
  return def->fixed != NULL && def->fixed[vertex];
}

static int count_free(const tacReducedDef *def) {
  int count = 0;
  for (int v = 0; v < def->volume->vertex_count; ++v) count += !is_held(def, v);
  return count;
}

static tacStatus check_size(const tacReducedDef *def, tacError *error) {
  int vertices = def->volume->vertex_count, free_count = count_free(def);
  long long motions = 3LL * free_count - (free_count == vertices ? 6 : 0);
  if (free_count == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "all %d vertices of the volume are fixed, so the body cannot move; fix fewer", vertices);
  if (def->size < 1 || def->size > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of coordinates of a reduced body (%d); 1 to %d are "
                         "possible",
                         def->size, TAC_BODY_MOST_COORDINATES);
  if (def->size > motions)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%d coordinates are too many for a mesh with %lld deformations (%d free vertices); ask for "
                         "fewer, or use a finer mesh",
                         def->size, motions, free_count);
  return TAC_OK;
}

#define BYTES_A_VERTEX 2e4 /* minimum memory for assembly and factorisation of stiffness and mass, bytes */

/* Checks that the memory of the machine suffices for the mesh and the polynomials. The size of the polynomials grows
 * with the fourth power of r. Two copies exist at the end of the bake, in the bake and in the asset. */
static tacStatus check_memory(const tacReducedDef *def, tacError *error) {
  bool used[TAC_REDUCED_MOST_GROUPS] = {false};
  int parts = 0;
  for (int e = 0; e < tac_element_count(def->volume); ++e) {
    int group = def->material_of != NULL ? def->material_of[e] : 0;
    if (!used[group]) parts += def->materials[group].isotropic ? 2 : 1;
    used[group] = true;
  }
  double machine = (double)tac_physical_memory(), least = BYTES_A_VERTEX * def->volume->vertex_count;
  if (least > 0.9 * machine)
    return tac_error_set(
        error, TAC_ERR_MEMORY,
        "a volume mesh of %d vertices would need at least %.1f GiB, but this machine has %.1f GiB; use a coarser mesh",
        def->volume->vertex_count, least / (1 << 30), machine / (1 << 30));
  double numbers = (double)tac_reduced_polynomial_count(def->size);
  if (def->strain_rate) numbers += (double)tac_reduced_stress_count(def->size);
  double bytes = 2.0 * (double)sizeof(double) * parts * numbers;
  if (bytes < 0.9 * machine) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY,
                       "%d coordinates of a body with %d polynomials would need %.1f GiB, but this machine has %.1f "
                       "GiB; use fewer coordinates or material groups",
                       def->size, parts, bytes / (1 << 30), machine / (1 << 30));
}

static tacStatus check_surface(const tacReducedDef *def, const tacTriMesh *surface, tacError *error) {
  TAC_TRY(tac_trimesh_validate(surface, error));
  if (surface->vertex_count < 1 || surface->triangle_count < 1)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  tacBox box = tac_volmesh_box(def->volume);
  double reach = 0.5 * tac_box_longest(box);
  for (int v = 0; v < surface->vertex_count; ++v) {
    tacVec3 p = surface->vertices[v], inside = tac_vec3_max(box.lower, tac_vec3_min(p, box.upper));
    if (tac_vec3_distance(p, inside) > reach)
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "vertex %d of the surface is %g m away from the volume mesh; check that both use the same "
                           "unit and position",
                           v, tac_vec3_distance(p, inside));
  }
  if (tac_trimesh_require_closed(surface, NULL) == TAC_OK && tac_trimesh_volume(surface) < 0.0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the surface is inside out; tactus mesh --repair turns its triangles outward");
  return TAC_OK;
}

static tacStatus check_def(const tacReducedDef *def, tacError *error) {
  if (def->volume == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body needs a volume mesh");
  TAC_TRY(tac_volmesh_validate(def->volume, error));
  if (tac_element_count(def->volume) < 1)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
  TAC_TRY(check_materials(def, error));
  return check_size(def, error);
}

/* Copies the materials. A material without elements may be invalid; its copy is the material of the first element
 * instead. */
static tacStatus copy_materials(Bake *bake, tacError *error) {
  const tacReducedDef *def = bake->def;
  size_t count = (size_t)def->material_count;
  bake->materials = tac_arrays_add(&bake->arrays, count, sizeof *bake->materials);
  TAC_TRY(tac_arrays_status(&bake->arrays, "materials", error));
  for (size_t m = 0; m < count; ++m)
    bake->materials[m] = def->materials[def->material_of != NULL ? def->material_of[0] : 0];
  for (int e = 0; def->material_of != NULL && e < tac_element_count(def->volume); ++e)
    bake->materials[def->material_of[e]] = def->materials[def->material_of[e]];
  return TAC_OK;
}

static tacStatus prepare(Bake *bake, tacError *error) {
  const tacReducedDef *def = bake->def;
  TAC_TRY(check_def(def, error));
  TAC_TRY(copy_materials(bake, error));
  if (def->surface == NULL) TAC_TRY(tac_volmesh_surface(def->volume, &bake->own_surface, NULL, NULL, error));
  bool is_free = count_free(def) == def->volume->vertex_count;
  bake->solid = (tacSolid){.mesh = def->volume,
                           .material_count = def->material_count,
                           .materials = bake->materials,
                           .material_of = def->material_of,
                           .held = is_free ? NULL : def->fixed,
                           .mass = def->lumped_mass ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT};
  bake->parts = (tacReducedParts){.size = def->size,
                                  .surface = bake->own_surface != NULL ? bake->own_surface : def->surface,
                                  .is_free = is_free,
                                  .group_count = def->material_count,
                                  .materials = def->materials};
  return check_surface(def, bake->parts.surface, error);
}

/* ---- the surface ---- */

/* Computes unit vertex normals as sums of triangle normals, weighted by the angles of the triangles. If the sum
 * cancels, for example at an edge where two voxels touch, the largest triangle gives the normal. */
static tacStatus make_normals(const tacTriMesh *mesh, tacVec3 *normals, tacError *error) {
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *angles = tac_arrays_add(&work, (size_t)mesh->vertex_count, sizeof *angles);
  tacVec3 *largest = tac_arrays_add(&work, (size_t)mesh->vertex_count, sizeof *largest);
  TAC_TRY(tac_arrays_status(&work, "normals", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    for (int c = 0; c < 3; ++c) {
      tacVec3 p = mesh->vertices[v[c]];
      tacVec3 a = tac_vec3_sub(mesh->vertices[v[(c + 1) % 3]], p), b = tac_vec3_sub(mesh->vertices[v[(c + 2) % 3]], p);
      tacVec3 n = tac_vec3_cross(a, b);
      double area = tac_vec3_norm(n), angle = atan2(area, tac_vec3_dot(a, b));
      if (!(area > 0.0)) continue;
      normals[v[c]] = tac_vec3_mad(normals[v[c]], angle / area, n);
      angles[v[c]] += angle;
      if (area > tac_vec3_norm(largest[v[c]])) largest[v[c]] = n;
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (!(angles[v] > 0.0))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "vertex %d of the surface belongs to no triangle with an area; tactus mesh --repair "
                           "removes it",
                           v);
    normals[v] = tac_vec3_unit(tac_vec3_norm(normals[v]) > 1e-6 * angles[v] ? normals[v] : largest[v]);
  }
  return TAC_OK;
}

/* Copies U from columns to rows, sorted by vertex. */
static void make_rows(Bake *bake) {
  const tacMotionBasis *basis = &bake->basis;
  size_t size = (size_t)basis->size, r = (size_t)basis->count;
  for (size_t j = 0; j < r; ++j)
    for (size_t i = 0; i < size; ++i) bake->rows[i * r + j] = basis->vector[j * size + i];
  bake->parts.volume = bake->def->volume;
  bake->parts.basis = bake->rows;
}

/* Marks fixed surface vertices. A surface vertex is fixed if all element corners that determine its motion are held. */
static void fix_surface(Bake *bake, const tacEmbedding *embedding) {
  size_t row = 3 * (size_t)bake->basis.count;
  for (int v = 0; v < embedding->point_count; ++v) {
    bake->fixed[v] = true;
    for (int c = 0; c < 8; ++c)
      bake->fixed[v] &= fabs(embedding->weights[v][c]) < ON_FACE || is_held(bake->def, embedding->vertices[v][c]);
    if (bake->fixed[v]) memset(bake->displacements + row * (size_t)v, 0, row * sizeof *bake->displacements);
  }
}

static tacStatus make_surface(Bake *bake, tacError *error) {
  const tacTriMesh *surface = bake->parts.surface;
  size_t vertices = (size_t)surface->vertex_count, numbers = 3 * vertices * (size_t)bake->basis.count;
  bake->fixed = tac_arrays_add(&bake->arrays, vertices, sizeof *bake->fixed);
  bake->normals = tac_arrays_add(&bake->arrays, vertices, sizeof *bake->normals);
  bake->displacements = tac_arrays_add(&bake->arrays, numbers, sizeof *bake->displacements);
  bake->normal_changes = tac_arrays_add(&bake->arrays, numbers, sizeof *bake->normal_changes);
  bake->rows = tac_arrays_add(&bake->arrays, (size_t)bake->basis.size, (size_t)bake->basis.count * sizeof *bake->rows);
  TAC_TRY(tac_arrays_status(&bake->arrays, "a reduced surface", error));
  make_rows(bake);
  TAC_TRY(make_normals(surface, bake->normals, error));
  TAC_OWN(tacEmbedding, embedding) = NULL;
  TAC_TRY(tac_embedding_create(bake->def->volume, surface->vertex_count, surface->vertices, &embedding, error));
  const tacEmbeddedBasis points = {bake->def->volume, bake->basis.count, bake->rows, embedding};
  tac_embedded_displacements(&points, bake->displacements);
  tac_embedded_normal_changes(&points, bake->normals, bake->normal_changes);
  fix_surface(bake, embedding);
  bake->parts.fixed = bake->fixed;
  bake->parts.normals = bake->normals;
  bake->parts.displacements = bake->displacements;
  bake->parts.normal_changes = bake->normal_changes;
  return TAC_OK;
}

/* ---- mass ---- */

/* Rows of U and of M U for a few elements of one group. The product of both matrices is added to the mass matrix of the
 * group. */
enum { STACK_ROWS = 24 * 64 };
typedef struct {
  int group, filled;
  tacDense rows, loads;
} Stack;

static void free_stack(Stack *stack) {
  tac_dense_destroy(&stack->rows);
  tac_dense_destroy(&stack->loads);
}

static void add_stack(Stack *stack, double *mass_matrix) {
  int r = stack->rows.cols;
  tacDense rows = stack->rows, loads = stack->loads;
  tacDense matrix = {r, r, r, mass_matrix + (size_t)(r * r) * (size_t)stack->group};
  rows.rows = loads.rows = stack->filled;
  if (stack->filled > 0) tac_dense_gemm(1.0, &rows, true, &loads, false, 1.0, &matrix);
  stack->filled = 0;
}

/* Adds the rows of an element to the stack, and adds the contribution of the element to the load of a uniform
 * acceleration, U^T M e_axis. */
static void add_element(const Bake *bake, int element, int group, const double *m, Stack *stack) {
  const tacMotionBasis *basis = &bake->basis;
  const int *v = tac_element_vertices(bake->def->volume, element);
  int count = tac_element_corner_count(bake->def->volume, element), r = basis->count;
  for (int j = 0; j < r; ++j) {
    const double *column = basis->vector + (size_t)basis->size * (size_t)j;
    double *rows = tac_dense_column(&stack->rows, j) + stack->filled;
    double *loads = tac_dense_column(&stack->loads, j) + stack->filled;
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0.0;
      for (int a = 0; a < count; ++a) rows[3 * a + axis] = column[3 * (size_t)v[a] + (size_t)axis];
      for (int a = 0; a < count; ++a) {
        double load = 0.0;
        for (int b = 0; b < count; ++b) load += m[a * count + b] * rows[3 * b + axis];
        loads[3 * a + axis] = load;
        sum += load;
      }
      bake->body_force[(3 * group + axis) * r + j] += sum;
    }
  }
  stack->filled += 3 * count;
}

static void symmetrise(int r, double *matrix) {
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < i; ++j) matrix[r * i + j] = matrix[r * j + i] = 0.5 * (matrix[r * i + j] + matrix[r * j + i]);
}

static tacStatus add_elements(Bake *bake, Stack *stack, tacError *error) {
  const tacReducedDef *def = bake->def;
  tacInertia rigid; /* mass and inertia, computed from the same element masses as `mass_matrix` */
  TAC_TRY(tac_solid_mass(&bake->solid, &rigid, error));
  for (int e = 0; e < tac_element_count(def->volume); ++e) {
    int group = def->material_of != NULL ? def->material_of[e] : 0;
    double m[64];
    TAC_TRY(tac_element_mass(def->volume, e, &def->materials[group], bake->solid.mass, m, error));
    if (group != stack->group || stack->filled + 24 > STACK_ROWS) add_stack(stack, bake->mass_matrix);
    stack->group = group;
    add_element(bake, e, group, m, stack);
    int corners = tac_element_corner_count(def->volume, e);
    for (int i = 0; i < corners * corners; ++i) bake->group_mass[group] += m[i];
  }
  add_stack(stack, bake->mass_matrix);
  bake->parts.mass = rigid.mass;
  bake->parts.centre = rigid.centre;
  memcpy(bake->parts.inertia, rigid.moments, sizeof bake->parts.inertia);
  return TAC_OK;
}

static tacStatus make_mass(Bake *bake, tacError *error) {
  int r = bake->basis.count, groups = bake->parts.group_count;
  size_t square = (size_t)(r * r);
  bake->group_mass = tac_arrays_add(&bake->arrays, (size_t)groups, sizeof *bake->group_mass);
  bake->mass_matrix = tac_arrays_add(&bake->arrays, square * (size_t)groups, sizeof *bake->mass_matrix);
  bake->body_force = tac_arrays_add(&bake->arrays, 3 * (size_t)r * (size_t)groups, sizeof *bake->body_force);
  TAC_TRY(tac_arrays_status(&bake->arrays, "mass matrices", error));
  TAC_FREED(free_stack, Stack, stack) = {0};
  TAC_TRY(tac_dense_create(STACK_ROWS, r, &stack.rows, error));
  TAC_TRY(tac_dense_create(STACK_ROWS, r, &stack.loads, error));
  TAC_TRY(add_elements(bake, &stack, error));
  for (int g = 0; g < groups; ++g) symmetrise(r, bake->mass_matrix + square * (size_t)g);
  bake->parts.group_mass = bake->group_mass;
  bake->parts.mass_matrix = bake->mass_matrix;
  bake->parts.body_force = bake->body_force;
  return TAC_OK;
}

/* ---- energy of the groups ---- */

static tacStatus make_names(Bake *bake, tacError *error) {
  size_t groups = (size_t)bake->parts.group_count;
  bake->made_names = tac_arrays_add(&bake->arrays, groups, sizeof *bake->made_names);
  bake->names = tac_arrays_add(&bake->arrays, groups, sizeof *bake->names);
  TAC_TRY(tac_arrays_status(&bake->arrays, "names of groups", error));
  for (size_t g = 0; g < groups; ++g) {
    if (groups == 1)
      snprintf(bake->made_names[g], NAME_SIZE, "body");
    else
      snprintf(bake->made_names[g], NAME_SIZE, "group %zu", g + 1);
    const char *given = bake->def->group_names != NULL ? bake->def->group_names[g] : NULL;
    bake->names[g] = given != NULL ? given : bake->made_names[g];
  }
  bake->parts.group_names = bake->names;
  return TAC_OK;
}

/* Builds the energy parts. The weight lambda is C12 of the material, and mu is C44. */
static tacStatus make_parts(Bake *bake, tacError *error) {
  bake->part = tac_arrays_add(&bake->arrays, (size_t)bake->polynomial_count, sizeof *bake->part);
  TAC_TRY(tac_arrays_status(&bake->arrays, "parts of the energy", error));
  for (int p = 0; p < bake->polynomial_count; ++p) {
    const tacPolynomialPart *from = &bake->polynomials[p];
    const tacMaterial *material = &bake->def->materials[from->group];
    const double weights[] = {[TAC_REDUCED_LAMBDA] = material->stiffness[0][1],
                              [TAC_REDUCED_MU] = material->stiffness[3][3],
                              [TAC_REDUCED_WHOLE] = 1.0};
    bake->part[p] = (tacReducedPart){.group = from->group,
                                     .kind = from->kind,
                                     .weight = weights[from->kind],
                                     .coefficients = from->coefficients,
                                     .stress = from->stress};
  }
  bake->parts.part_count = bake->polynomial_count;
  bake->parts.parts = bake->part;
  return TAC_OK;
}

static double hertz(double lambda) {
  return sqrt(fmax(lambda, 0.0)) / (2.0 * M_PI);
}

/* Computes the lowest and highest frequency of the reduced body at rest from the eigenvalues of K(0). U is
 * mass-orthonormal, so the reduced mass matrix is the identity. */
static tacStatus measure_spectrum(Bake *bake, tacError *error) {
  int r = bake->basis.count;
  tacReducedInfo *info = &bake->parts.info;
  TAC_FREED(tac_dense_destroy, tacDense, k0) = {0};
  double values[TAC_BODY_MOST_COORDINATES];
  TAC_TRY(tac_dense_create(r, r, &k0, error));
  for (int p = 0; p < bake->polynomial_count; ++p)
    for (int i = 0; i < r; ++i)
      for (int j = i; j < r; ++j) {
        double c = bake->part[p].coefficients[tac_reduced_polynomial_place(r, 2, (const int[2]){i, j})];
        tac_dense_column(&k0, i)[j] += (i == j ? 2.0 : 1.0) * bake->part[p].weight * c;
      }
  TAC_TRY(tac_dense_eigen(&k0, values, error));
  info->reduced_least = hertz(values[0]);
  info->reduced_most = hertz(values[r - 1]);
  return TAC_OK;
}

static tacStatus make_polynomials(Bake *bake, const tacProgress *progress, tacError *error) {
  const tacMotionBasis *basis = &bake->basis;
  tacReducedInfo *info = &bake->parts.info;
  tacPolynomialBakeReport report = {0};
  TAC_TRY(tac_polynomial_bake(&bake->solid, basis->count, basis->vector, bake->def->strain_rate, progress,
                              &bake->polynomials, &bake->polynomial_count, &report, error));
  TAC_TRY(make_names(bake, error));
  TAC_TRY(make_parts(bake, error));
  TAC_TRY(measure_spectrum(bake, error));
  info->seconds_polynomials = report.seconds;
  size_t numbers = tac_reduced_polynomial_count(basis->count);
  if (bake->def->strain_rate) numbers += tac_reduced_stress_count(basis->count);
  info->bytes_polynomials = (double)sizeof(double) * (double)bake->polynomial_count * (double)numbers;
  /* The source data of the basis are freed before `rows` is built. During tac_reduced_create two copies of the rows and
   * of the coefficients exist. */
  double bytes = (double)sizeof(double) * (double)basis->size * (double)basis->count;
  info->bytes_bake =
      bytes + fmax(basis->bytes, bytes + fmax((double)report.bytes, bytes + 2.0 * info->bytes_polynomials));
  return TAC_OK;
}

static void show_shapes(Bake *bake) {
  bake->parts.shape_count = bake->basis.shape_count;
  bake->parts.labels = (const char(*)[32])bake->basis.label;
  bake->parts.shapes = bake->basis.coordinates;
}

static tacStatus make_basis(Bake *bake, const tacProgress *progress, tacError *error) {
  const tacReducedDef *def = bake->def;
  tacReducedInfo *info = &bake->parts.info;
  int64_t start = tac_clock_now();
  TAC_TRY(tac_motion_basis_compute(&bake->solid, def, progress, &bake->basis, error));
  const tacMotionBasis *basis = &bake->basis;
  double seconds = tac_clock_seconds(tac_clock_now() - start);
  snprintf(info->source, sizeof info->source, "%s", source_name(def->source));
  info->seconds_modes = basis->modes_seconds;
  info->seconds_derivatives = basis->derivatives_seconds;
  info->seconds_basis = fmax(0.0, seconds - basis->modes_seconds - basis->derivatives_seconds);
  info->mode_count = basis->linear_count;
  info->element_count = tac_element_count(def->volume);
  info->vertex_count = def->volume->vertex_count;
  info->captured = basis->captured;
  if (basis->linear_count > 0) {
    info->linear_least = hertz(basis->linear_value[0]);
    info->linear_most = hertz(basis->linear_value[basis->linear_count - 1]);
  }
  bake->parts.size = basis->count;
  show_shapes(bake);
  return TAC_OK;
}

/* Checks the finished asset against the solid. */
static tacStatus check_result(const Bake *bake, const tacProgress *progress, tacReduced *reduced, tacError *error) {
  tacBakeChecks checks = bake->basis.checks;
  tacReducedErrorEstimate error_estimate;
  TAC_TRY(tac_reduced_check(tac_reduced_parts(reduced), &bake->solid, &checks, error));
  TAC_TRY(tac_reduced_error_estimate_measure(tac_reduced_parts(reduced), &bake->solid, bake->def->error_estimate_loads,
                                             progress, &error_estimate, error));
  tac_reduced_set_checks(reduced, &checks);
  if (bake->def->error_estimate_loads > 0) tac_reduced_set_error_estimate(reduced, &error_estimate);
  return TAC_OK;
}

tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced,
                           tacError *error) {
  TAC_REQUIRE(error, reduced);
  *reduced = NULL;
  TAC_REQUIRE(error, def);
  /* Ends of the stages as fractions of the bake time, measured on the models of the gallery. */
  const bool tried = def->error_estimate_loads > 0;
  const double basis = tried ? 0.2 : 0.6, all = tried ? 0.35 : 0.95;
  const tacProgressPart parts[3] = {
      {progress, 0.0, basis, NULL}, {progress, basis, all, NULL}, {progress, all, 1.0, NULL}};
  const tacProgress stages[3] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1]),
                                 tac_progress_part(&parts[2])};
  TAC_FREED(free_bake, Bake, bake) = {.def = def};
  TAC_OWN(tacReduced, made) = NULL;
  TAC_TRY(prepare(&bake, error));
  TAC_TRY(check_memory(def, error));
  TAC_TRY(make_basis(&bake, &stages[0], error));
  TAC_TRY(make_surface(&bake, error));
  TAC_TRY(make_mass(&bake, error));
  TAC_TRY(make_polynomials(&bake, &stages[1], error));
  TAC_TRY(tac_reduced_create(&bake.parts, &made, error));
  TAC_TRY(check_result(&bake, &stages[2], made, error));
  *reduced = tac_give(&made);
  return TAC_OK;
}

/* Labels the given vectors as shapes for display. */
static void label_vectors(Bake *bake, const char *label) {
  tacMotionBasis *basis = &bake->basis;
  for (int j = 0; j < basis->shape_count; ++j)
    snprintf(basis->label[j], sizeof basis->label[j], "%.16s %d", label, j + 1);
  show_shapes(bake);
  bake->parts.info = (tacReducedInfo){.source = "vectors",
                                      .element_count = tac_element_count(bake->def->volume),
                                      .vertex_count = bake->def->volume->vertex_count,
                                      .captured = 1.0};
}

tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error) {
  *reduced = NULL;
  TAC_FREED(free_bake, Bake, bake) = {.def = def};
  TAC_TRY(prepare(&bake, error));
  TAC_TRY(tac_motion_basis_orthonormalise(&bake.solid, def->size, vectors, &bake.basis, error));
  label_vectors(&bake, label);
  TAC_TRY(make_surface(&bake, error));
  TAC_TRY(make_mass(&bake, error));
  TAC_TRY(make_names(&bake, error));
  return tac_reduced_create(&bake.parts, reduced, error);
}
