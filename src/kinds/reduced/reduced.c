#include "kinds/reduced/reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/elements/material.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"

enum { LABEL_SIZE = 32 };

enum { MOST_OWNED = 16 };

struct tacReduced {
  tacReducedParts parts; /* data of the body; all pointers refer to members below and to `owned` */
  tacTriMesh *surface;
  tacVolMesh *volume;
  void *owned[MOST_OWNED];
  int owned_count;
  const char *names;    /* names of the groups, concatenated */
  const char **name_of; /* name of each group, [group]; points into `names` */
  tacReducedPart *part;
  double *coefficients; /* coefficients of all parts, concatenated */
  double *stress;       /* stress products of all parts, concatenated; NULL if not baked */
  tacBakeChecks checks;
  bool has_error_estimate;
  tacReducedErrorEstimate error_estimate;
};

void tac_reduced_destroy(tacReduced *reduced) {
  if (reduced == NULL) return;
  tac_trimesh_destroy(reduced->surface);
  tac_volmesh_destroy(reduced->volume);
  for (int i = 0; i < reduced->owned_count; ++i) free(reduced->owned[i]);
  free(reduced);
}
TAC_OWNED_TYPE(tacReduced, tac_reduced_destroy)

/* Stores `items`, allocated with malloc or NULL, in the list of owned arrays. Returns `items`. */
static void *own(tacReduced *reduced, void *items) {
  return reduced->owned[reduced->owned_count++] = items;
}

/* Return array sizes as numbers of values, for arrays per surface vertex (`row_numbers`), volume vertex
 * (`basis_numbers`), group, part or shape. */
static size_t row_numbers(const tacReducedParts *parts) {
  return 3 * (size_t)parts->surface->vertex_count * (size_t)parts->size;
}
static size_t basis_numbers(const tacReducedParts *parts) {
  return 3 * (size_t)parts->volume->vertex_count * (size_t)parts->size;
}
static size_t mass_numbers(const tacReducedParts *parts) {
  return (size_t)parts->group_count * (size_t)parts->size * (size_t)parts->size;
}
static size_t force_numbers(const tacReducedParts *parts) {
  return 3 * (size_t)parts->group_count * (size_t)parts->size;
}
static bool has_stress(const tacReducedParts *parts) {
  return parts->part_count > 0 && parts->parts[0].stress != NULL;
}
static size_t stress_numbers(const tacReducedParts *parts) {
  return (size_t)parts->part_count * tac_reduced_stress_count(parts->size);
}
static size_t shape_numbers(const tacReducedParts *parts) {
  return (size_t)parts->shape_count * (size_t)parts->size;
}

/* ---- checking ---- */

/* Checks all counts that determine array sizes. */
static tacStatus check_counts(const tacReducedParts *parts, tacError *error) {
  if (parts->size < 1 || parts->size > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of coordinates of a reduced body (%d); 1 to %d are "
                         "possible",
                         parts->size, TAC_BODY_MOST_COORDINATES);
  if (parts->group_count < 1 || parts->group_count > TAC_REDUCED_MOST_GROUPS)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of material groups of a reduced body (%d); 1 to %d "
                         "are possible",
                         parts->group_count, TAC_REDUCED_MOST_GROUPS);
  if (parts->part_count < 0 || parts->part_count > 3 * parts->group_count || parts->shape_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body cannot have %d energy parts and %d shapes",
                         parts->part_count, parts->shape_count);
  const tacTriMesh *surface = parts->surface;
  TAC_TRY(tac_trimesh_validate(surface, error));
  if (surface->vertex_count < 1 || surface->triangle_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the surface of a reduced body has no triangles");
  if (parts->volume == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body needs a volume mesh");
  TAC_TRY(tac_volmesh_validate(parts->volume, error));
  if (parts->volume->tet_count + parts->volume->brick_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the volume mesh of a reduced body has no elements");
  return TAC_OK;
}

static tacStatus check_surface(const tacReducedParts *parts, tacError *error) {
  size_t row = 3 * (size_t)parts->size;
  for (int v = 0; v < parts->surface->vertex_count; ++v) {
    if (!(fabs(tac_vec3_norm(parts->normals[v]) - 1.0) < 1e-6))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the normal of vertex %d does not have unit length", v);
    const double *u = parts->displacements + row * (size_t)v;
    if (!tac_vector_finite(row, u) || !tac_vector_finite(row, parts->normal_changes + row * (size_t)v))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the displacements or normal changes of vertex %d have NaN or infinite values", v);
    for (size_t i = 0; parts->fixed[v] && i < row; ++i)
      if (u[i] != 0.0) return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d is fixed, but the basis moves it", v);
  }
  if (!tac_vector_finite(basis_numbers(parts), parts->basis))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the displacements of the volume mesh have NaN or infinite values");
  return TAC_OK;
}

static bool is_definite(const double *matrix, int size, double shift) {
  double copy[TAC_BODY_MOST_COORDINATES * TAC_BODY_MOST_COORDINATES];
  memcpy(copy, matrix, (size_t)(size * size) * sizeof *copy);
  for (int i = 0; i < size; ++i) copy[(size + 1) * i] += shift;
  tacDense dense = {size, size, size, copy};
  return tac_dense_loop_cholesky(&dense);
}

static bool is_symmetric(const double *matrix, int size, double tolerance) {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j)
      if (!(fabs(matrix[size * i + j] - matrix[size * j + i]) <= tolerance)) return false;
  return true;
}

/* Checks mass, centre and inertia. Only a free body needs a positive definite inertia. */
static tacStatus check_rigid(const tacReducedParts *parts, tacError *error) {
  if (!(parts->mass > 0.0) || !isfinite(parts->mass) || !tac_vec3_finite(parts->centre) ||
      !tac_vector_finite(9, &parts->inertia[0][0]))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the mass of %g kg, the centre or the inertia is not valid",
                         parts->mass);
  double trace = parts->inertia[0][0] + parts->inertia[1][1] + parts->inertia[2][2];
  if (parts->is_free &&
      (!is_symmetric(&parts->inertia[0][0], 3, 1e-9 * trace) || !is_definite(&parts->inertia[0][0], 3, 0.0)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the inertia of a free body is not symmetric and positive definite");
  return TAC_OK;
}

/* Checks that the mass matrices of the groups sum to the identity, because U is mass-orthonormal. */
static tacStatus check_mass(const tacReducedParts *parts, tacError *error) {
  int r = parts->size;
  double mass = 0.0;
  for (int g = 0; g < parts->group_count; ++g) {
    const double *matrix = parts->mass_matrix + (size_t)(r * r) * (size_t)g;
    if (!(parts->group_mass[g] >= 0.0) || !isfinite(parts->group_mass[g]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the mass of group %d is %g kg; it must be 0 or more", g,
                           parts->group_mass[g]);
    mass += parts->group_mass[g];
    if (!tac_vector_finite((size_t)(r * r), matrix) || !is_symmetric(matrix, r, 1e-9) || !is_definite(matrix, r, 1e-9))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the mass matrix of group %d is not symmetric and positive semidefinite", g);
  }
  if (!(fabs(mass - parts->mass) <= 1e-6 * parts->mass))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the masses of the groups add up to %g kg, but the body has %g kg",
                         mass, parts->mass);
  for (int i = 0; i < r * r; ++i) {
    double sum = 0.0;
    for (int g = 0; g < parts->group_count; ++g) sum += parts->mass_matrix[(size_t)(r * r) * (size_t)g + (size_t)i];
    if (!(fabs(sum - (i % (r + 1) == 0)) <= 1e-6))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the mass matrices add up to %.9g in row %d, column %d; together they must be the identity",
                           sum, i / r, i % r);
  }
  if (!tac_vector_finite(force_numbers(parts), parts->body_force))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the loads of a uniform acceleration have NaN or infinite values");
  return TAC_OK;
}

static bool material_finite(const tacMaterial *material) {
  return isfinite(material->density) && isfinite(material->young) && isfinite(material->poisson) &&
         tac_vector_finite(36, &material->stiffness[0][0]);
}

/* Checks materials and energy parts. A group with energy parts needs a valid material of matching type. The materials
 * of other groups need only be finite. */
static tacStatus check_groups(const tacReducedParts *parts, tacError *error) {
  bool has[TAC_REDUCED_MOST_GROUPS][3] = {{false}};
  for (int p = 0; p < parts->part_count; ++p) {
    const tacReducedPart *part = &parts->parts[p];
    int kind = (int)part->kind;
    if (part->group < 0 || part->group >= parts->group_count || kind < 0 || kind > TAC_REDUCED_WHOLE ||
        has[part->group][kind])
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "energy part %d has group %d and kind %d, which is unknown or already given", p, part->group,
                           kind);
    has[part->group][kind] = true;
    if (!isfinite(part->weight) || (kind != TAC_REDUCED_LAMBDA && !(part->weight > 0.0)))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "energy part %d has the weight %g; it must be positive", p,
                           part->weight);
    bool with_stress = part->stress != NULL;
    if (with_stress != (parts->parts[0].stress != NULL))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "energy part %d has stress products, but part 0 has none", p);
    if (!tac_vector_finite(tac_reduced_polynomial_count(parts->size), part->coefficients) ||
        (with_stress && !tac_vector_finite(tac_reduced_stress_count(parts->size), part->stress)))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "energy part %d has NaN or infinite coefficients", p);
  }
  for (int g = 0; g < parts->group_count; ++g) {
    const tacMaterial *material = &parts->materials[g];
    if (parts->group_names[g] == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "group %d has no name", g);
    if (!material_finite(material))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the material of group %d has NaN or infinite values", g);
    bool any = has[g][0] || has[g][1] || has[g][2];
    if (!any) continue;
    tacError why;
    if (tac_material_check(material, &why) != TAC_OK)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "group %d: %.300s", g, why.text);
    if (has[g][TAC_REDUCED_LAMBDA] != material->isotropic || has[g][TAC_REDUCED_MU] != material->isotropic ||
        has[g][TAC_REDUCED_WHOLE] == material->isotropic)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "group %d is %sisotropic, and its energy parts do not match this",
                           g, material->isotropic ? "" : "not ");
  }
  return TAC_OK;
}

enum { MEASURES = 11 };

/* Lists the bake measures in the order of the file. */
static void list_measures(tacReducedInfo *info, double *measures[MEASURES]) {
  double *list[MEASURES] = {&info->captured,
                            &info->linear_least,
                            &info->linear_most,
                            &info->reduced_least,
                            &info->reduced_most,
                            &info->seconds_modes,
                            &info->seconds_derivatives,
                            &info->seconds_basis,
                            &info->seconds_polynomials,
                            &info->bytes_polynomials,
                            &info->bytes_bake};
  memcpy(measures, list, sizeof list);
}

static tacStatus check_info(const tacReducedParts *parts, tacError *error) {
  tacReducedInfo info = parts->info;
  double *measures[MEASURES];
  list_measures(&info, measures);
  bool good = memchr(info.source, 0, sizeof info.source) != NULL && info.mode_count >= 0 && info.element_count >= 0 &&
              info.vertex_count >= 0;
  for (int i = 0; i < MEASURES; ++i) good &= *measures[i] >= 0.0 && isfinite(*measures[i]);
  if (!good) return tac_error_set(error, TAC_ERR_ARGUMENT, "the information about the bake is not valid");
  for (int s = 0; s < parts->shape_count; ++s)
    if (memchr(parts->labels[s], 0, sizeof parts->labels[s]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the label of shape %d has no terminating zero", s);
  if (!tac_vector_finite(shape_numbers(parts), parts->shapes))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the shapes of the bake have NaN or infinite values");
  return TAC_OK;
}

static tacStatus check_parts(const tacReducedParts *parts, tacError *error) {
  TAC_TRY(check_counts(parts, error));
  TAC_TRY(check_surface(parts, error));
  TAC_TRY(check_rigid(parts, error));
  TAC_TRY(check_groups(parts, error));
  TAC_TRY(check_mass(parts, error));
  return check_info(parts, error);
}

/* ---- creation ---- */

static void *copy_items(tacReduced *reduced, const void *items, size_t count, size_t size, tacError *error) {
  void *copy = own(reduced, tac_array_create(count, size, "a reduced body", error));
  if (copy != NULL && count > 0) memcpy(copy, items, count * size);
  return copy;
}

static double *copy_numbers(tacReduced *reduced, const double *numbers, size_t count, tacError *error) {
  return copy_items(reduced, numbers, count, sizeof *numbers, error);
}

/* Sets the pointers in `parts` to the data that the asset owns. */
static void refer(tacReduced *reduced) {
  tacReducedParts *parts = &reduced->parts;
  parts->surface = reduced->surface;
  parts->volume = reduced->volume;
  parts->group_names = reduced->name_of;
  parts->parts = reduced->part;
  size_t count = tac_reduced_polynomial_count(parts->size), products = tac_reduced_stress_count(parts->size);
  for (int p = 0; p < parts->part_count; ++p) {
    reduced->part[p].coefficients = reduced->coefficients + count * (size_t)p;
    reduced->part[p].stress = reduced->stress != NULL ? reduced->stress + products * (size_t)p : NULL;
  }
}

static tacStatus copy_names(const tacReducedParts *parts, tacReduced *reduced, tacError *error) {
  size_t length = 0, groups = (size_t)parts->group_count;
  for (size_t g = 0; g < groups; ++g) length += strlen(parts->group_names[g]) + 1;
  char *name = own(reduced, tac_array_create(length, 1, "names of groups", error));
  reduced->name_of = own(reduced, tac_array_create(groups, sizeof *reduced->name_of, "names of groups", error));
  if (name == NULL || reduced->name_of == NULL) return TAC_ERR_MEMORY;
  reduced->names = name;
  for (size_t g = 0; g < groups; ++g) {
    size_t size = strlen(parts->group_names[g]) + 1;
    reduced->name_of[g] = memcpy(name, parts->group_names[g], size);
    name += size;
  }
  return TAC_OK;
}

/* Copies vertices and elements. */
static tacStatus copy_volume(const tacVolMesh *mesh, tacVolMesh **copy, tacError *error) {
  TAC_TRY(tac_volmesh_create(mesh->vertex_count, mesh->tet_count, mesh->brick_count, copy, error));
  memcpy((*copy)->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  if (mesh->tet_count > 0) memcpy((*copy)->tets, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  if (mesh->brick_count > 0) memcpy((*copy)->bricks, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
  return TAC_OK;
}

static tacStatus copy_parts(const tacReducedParts *parts, tacReduced *reduced, tacError *error) {
  size_t vertices = (size_t)parts->surface->vertex_count, groups = (size_t)parts->group_count;
  size_t count = tac_reduced_polynomial_count(parts->size), part_count = (size_t)parts->part_count;
  size_t products = has_stress(parts) ? tac_reduced_stress_count(parts->size) : 0;
  tacTriMesh bare = *parts->surface;
  bare.group_count = 0;
  bare.groups = NULL;
  tacReducedParts *to = &reduced->parts;
  *to = *parts;
  to->info.mass = parts->mass;
  TAC_TRY(tac_trimesh_copy(&bare, &reduced->surface, error));
  TAC_TRY(copy_volume(parts->volume, &reduced->volume, error));
  TAC_TRY(copy_names(parts, reduced, error));
  to->fixed = copy_items(reduced, parts->fixed, vertices, sizeof *parts->fixed, error);
  to->normals = copy_items(reduced, parts->normals, vertices, sizeof *parts->normals, error);
  to->displacements = copy_numbers(reduced, parts->displacements, row_numbers(parts), error);
  to->normal_changes = copy_numbers(reduced, parts->normal_changes, row_numbers(parts), error);
  to->basis = copy_numbers(reduced, parts->basis, basis_numbers(parts), error);
  to->materials = copy_items(reduced, parts->materials, groups, sizeof *parts->materials, error);
  to->group_mass = copy_numbers(reduced, parts->group_mass, groups, error);
  to->mass_matrix = copy_numbers(reduced, parts->mass_matrix, mass_numbers(parts), error);
  to->body_force = copy_numbers(reduced, parts->body_force, force_numbers(parts), error);
  to->labels = copy_items(reduced, parts->labels, (size_t)parts->shape_count, sizeof *parts->labels, error);
  to->shapes = copy_numbers(reduced, parts->shapes, shape_numbers(parts), error);
  reduced->part = copy_items(reduced, parts->parts, part_count, sizeof *parts->parts, error);
  reduced->coefficients =
      own(reduced, tac_array_create(part_count * count, sizeof(double), "a reduced body's polynomials", error));
  if (products > 0)
    reduced->stress =
        own(reduced, tac_array_create(part_count * products, sizeof(double), "a reduced body's stress", error));
  for (int i = 0; i < reduced->owned_count; ++i)
    if (reduced->owned[i] == NULL) return TAC_ERR_MEMORY;
  for (size_t p = 0; p < part_count; ++p)
    memcpy(reduced->coefficients + count * p, parts->parts[p].coefficients, count * sizeof(double));
  for (size_t p = 0; products > 0 && p < part_count; ++p)
    memcpy(reduced->stress + products * p, parts->parts[p].stress, products * sizeof(double));
  refer(reduced);
  return TAC_OK;
}

tacStatus tac_reduced_create(const tacReducedParts *parts, tacReduced **result, tacError *error) {
  *result = NULL;
  tacStatus status = check_parts(parts, error);
  if (status != TAC_OK) return status == TAC_ERR_GEOMETRY ? TAC_ERR_ARGUMENT : status;
  TAC_OWN(tacReduced, reduced) = tac_array_create(1, sizeof *reduced, "a reduced body", error);
  if (reduced == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(copy_parts(parts, reduced, error));
  *result = tac_give(&reduced);
  return TAC_OK;
}

/* ---- queries ---- */

const tacReducedParts *tac_reduced_parts(const tacReduced *reduced) {
  return &reduced->parts;
}
int tac_reduced_size(const tacReduced *reduced) {
  return reduced != NULL ? reduced->parts.size : 0;
}
const tacTriMesh *tac_reduced_surface(const tacReduced *reduced) {
  return reduced != NULL ? reduced->surface : NULL;
}
const bool *tac_reduced_fixed(const tacReduced *reduced) {
  return reduced != NULL ? reduced->parts.fixed : NULL;
}
const double *tac_reduced_displacements(const tacReduced *reduced) {
  return reduced != NULL ? reduced->parts.displacements : NULL;
}
const double *tac_reduced_normal_changes(const tacReduced *reduced) {
  return reduced->parts.normal_changes;
}
const tacVec3 *tac_reduced_normals(const tacReduced *reduced) {
  return reduced->parts.normals;
}
const tacVolMesh *tac_reduced_volume(const tacReduced *reduced) {
  return reduced != NULL ? reduced->volume : NULL;
}
const double *tac_reduced_basis(const tacReduced *reduced) {
  return reduced != NULL ? reduced->parts.basis : NULL;
}
bool tac_reduced_is_free(const tacReduced *reduced) {
  return reduced->parts.is_free;
}
tacVec3 tac_reduced_centre(const tacReduced *reduced) {
  return reduced->parts.centre;
}
void tac_reduced_inertia(const tacReduced *reduced, double inertia[3][3]) {
  memcpy(inertia, reduced->parts.inertia, sizeof reduced->parts.inertia);
}
int tac_reduced_group_count(const tacReduced *reduced) {
  return reduced->parts.group_count;
}
int tac_reduced_shape_count(const tacReduced *reduced) {
  return reduced->parts.shape_count;
}
bool tac_reduced_has_strain_rate(const tacReduced *reduced) {
  return has_stress(&reduced->parts);
}
const tacReducedInfo *tac_reduced_info(const tacReduced *reduced) {
  return reduced != NULL ? &reduced->parts.info : NULL;
}

const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced) {
  return reduced != NULL ? &reduced->checks : NULL;
}
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks) {
  reduced->checks = *checks;
}

const tacReducedErrorEstimate *tac_reduced_error_estimate(const tacReduced *reduced) {
  return &reduced->error_estimate;
}
bool tac_reduced_has_error_estimate(const tacReduced *reduced) {
  return reduced->has_error_estimate;
}
void tac_reduced_set_error_estimate(tacReduced *reduced, const tacReducedErrorEstimate *error_estimate) {
  reduced->has_error_estimate = true;
  reduced->error_estimate = *error_estimate;
}

static bool has_group(const tacReduced *reduced, int group) {
  return group >= 0 && group < reduced->parts.group_count;
}
static bool has_shape(const tacReduced *reduced, int shape) {
  return shape >= 0 && shape < reduced->parts.shape_count;
}

const char *tac_reduced_group_name(const tacReduced *reduced, int group) {
  return has_group(reduced, group) ? reduced->name_of[group] : NULL;
}
const tacMaterial *tac_reduced_group_material(const tacReduced *reduced, int group) {
  return has_group(reduced, group) ? &reduced->parts.materials[group] : NULL;
}
double tac_reduced_group_mass(const tacReduced *reduced, int group) {
  return has_group(reduced, group) ? reduced->parts.group_mass[group] : 0.0;
}
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape) {
  return has_shape(reduced, shape) ? reduced->parts.labels[shape] : NULL;
}
const double *tac_reduced_shape(const tacReduced *reduced, int shape) {
  return has_shape(reduced, shape) ? reduced->parts.shapes + (size_t)shape * (size_t)reduced->parts.size : NULL;
}

/* ---- files ---- */

#define FILE_KIND "reduced body"
#define FILE_VERSION 6 /* format version; 5 adds the error estimate and stress products, 6 renames a chunk */

enum { IS_FREE = 1, HAS_STRESS = 2 }; /* bits of the flags in the chunk "layout" */
/* Numbers of values in the chunks. MATERIAL: density, 36 entries of C, isotropy flag, Young's modulus, Poisson's
 * ratio. */
enum { LAYOUT = 5, RIGID = 13, MATERIAL = 40, OF_ERROR_ESTIMATE = 3, SOURCE = sizeof((tacReducedInfo *)0)->source };

static void material_numbers(const tacMaterial *material, double numbers[MATERIAL]) {
  numbers[0] = material->density;
  memcpy(numbers + 1, material->stiffness, sizeof material->stiffness);
  numbers[37] = material->isotropic;
  numbers[38] = material->young;
  numbers[39] = material->poisson;
}

static tacMaterial numbers_material(const double numbers[MATERIAL]) {
  tacMaterial material = {
      .density = numbers[0], .isotropic = numbers[37] != 0.0, .young = numbers[38], .poisson = numbers[39]};
  memcpy(material.stiffness, numbers + 1, sizeof material.stiffness);
  return material;
}

static void put_groups(tacChunkTransfer *to, const tacReducedParts *parts, const char *names) {
  if (to->status != TAC_OK) return;
  size_t groups = (size_t)parts->group_count, part_count = (size_t)parts->part_count, length = 0;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *materials = tac_arrays_add(&work, MATERIAL * groups, sizeof *materials);
  int32_t *kinds = tac_arrays_add(&work, 2 * part_count, sizeof *kinds);
  double *weights = tac_arrays_add(&work, part_count, sizeof *weights);
  to->status = tac_arrays_status(&work, "groups", to->error);
  if (to->status != TAC_OK) return;
  for (size_t g = 0; g < groups; ++g) {
    material_numbers(&parts->materials[g], materials + MATERIAL * g);
    length += strlen(parts->group_names[g]) + 1;
  }
  for (size_t p = 0; p < part_count; ++p) {
    kinds[2 * p] = parts->parts[p].group;
    kinds[2 * p + 1] = (int32_t)parts->parts[p].kind;
    weights[p] = parts->parts[p].weight;
  }
  tac_chunk_transfer_put(to, "group names", TAC_CHUNK_U8, length, names);
  tac_chunk_transfer_put(to, "materials", TAC_CHUNK_F64, MATERIAL * groups, materials);
  tac_chunk_transfer_put(to, "group mass", TAC_CHUNK_F64, groups, parts->group_mass);
  tac_chunk_transfer_put(to, "parts", TAC_CHUNK_I32, 2 * part_count, kinds);
  tac_chunk_transfer_put(to, "weights", TAC_CHUNK_F64, part_count, weights);
}

void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced) {
  const tacReducedParts *parts = &reduced->parts;
  const tacTriMesh *mesh = parts->surface;
  const tacVolMesh *volume = parts->volume;
  uint64_t vertices = (uint64_t)mesh->vertex_count;
  int32_t flags = (parts->is_free ? IS_FREE : 0) | (has_stress(parts) ? HAS_STRESS : 0);
  const int32_t layout[LAYOUT] = {parts->size, flags, parts->info.mode_count, parts->info.element_count,
                                  parts->info.vertex_count};
  double rigid[RIGID] = {parts->mass, parts->centre.x, parts->centre.y, parts->centre.z}, bake[MEASURES],
         *measures[MEASURES];
  memcpy(rigid + 4, parts->inertia, sizeof parts->inertia);
  tacReducedInfo info = parts->info;
  list_measures(&info, measures);
  for (int i = 0; i < MEASURES; ++i) bake[i] = *measures[i];
  tac_chunk_transfer_put(to, "layout", TAC_CHUNK_I32, LAYOUT, layout);
  tac_chunk_transfer_put(to, "source", TAC_CHUNK_U8, SOURCE, info.source);
  tac_bake_checks_put(to, &reduced->checks);
  const double error_estimate[OF_ERROR_ESTIMATE] = {reduced->error_estimate.missing, reduced->error_estimate.bent,
                                                    reduced->error_estimate.straight};
  if (reduced->has_error_estimate)
    tac_chunk_transfer_put(to, "error estimate", TAC_CHUNK_F64, OF_ERROR_ESTIMATE, error_estimate);
  tac_chunk_transfer_put(to, "bake", TAC_CHUNK_F64, MEASURES, bake);
  tac_chunk_transfer_put(to, "rigid", TAC_CHUNK_F64, RIGID, rigid);
  tac_chunk_transfer_put(to, "vertices", TAC_CHUNK_F64, 3 * vertices, mesh->vertices);
  tac_chunk_transfer_put(to, "triangles", TAC_CHUNK_I32, 3 * (uint64_t)mesh->triangle_count, mesh->triangles);
  tac_chunk_transfer_put(to, "fixed", TAC_CHUNK_U8, vertices, parts->fixed);
  tac_chunk_transfer_put(to, "normals", TAC_CHUNK_F64, 3 * vertices, parts->normals);
  tac_chunk_transfer_put(to, "volume", TAC_CHUNK_F64, 3 * (uint64_t)volume->vertex_count, volume->vertices);
  tac_chunk_transfer_put(to, "tetrahedra", TAC_CHUNK_I32, 4 * (uint64_t)volume->tet_count, volume->tets);
  tac_chunk_transfer_put(to, "bricks", TAC_CHUNK_I32, 8 * (uint64_t)volume->brick_count, volume->bricks);
  put_groups(to, parts, reduced->names);
  tac_chunk_transfer_put(to, "labels", TAC_CHUNK_U8, LABEL_SIZE * (uint64_t)parts->shape_count, parts->labels);
  tac_chunk_transfer_put_long(to, "displacements", row_numbers(parts), parts->displacements);
  tac_chunk_transfer_put_long(to, "normal changes", row_numbers(parts), parts->normal_changes);
  tac_chunk_transfer_put_long(to, "basis", basis_numbers(parts), parts->basis);
  tac_chunk_transfer_put_long(to, "mass", mass_numbers(parts), parts->mass_matrix);
  tac_chunk_transfer_put_long(to, "body force", force_numbers(parts), parts->body_force);
  tac_chunk_transfer_put_long(to, "coefficients",
                              (uint64_t)parts->part_count * tac_reduced_polynomial_count(parts->size),
                              reduced->coefficients);
  if (has_stress(parts)) tac_chunk_transfer_put_long(to, "stress", stress_numbers(parts), reduced->stress);
  tac_chunk_transfer_put_long(to, "shapes", shape_numbers(parts), parts->shapes);
}

tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error) {
  TAC_REQUIRE(error, reduced, path);
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_reduced_put(&to, reduced);
  return tac_chunk_transfer_end(&to);
}

static void *room_for(tacChunkTransfer *from, int count, size_t size) {
  if (from->status != TAC_OK) return NULL;
  void *items = tac_array_create((size_t)count, size, "a reduced body", from->error);
  if (items == NULL) from->status = TAC_ERR_MEMORY;
  return items;
}

/* Reads size, rigid properties and bake measures. */
static void take_head(tacChunkTransfer *from, tacReducedParts *parts, bool *with_stress) {
  int layout_count = LAYOUT, source_count = SOURCE, bake_count = MEASURES, rigid_count = RIGID;
  TAC_MEMORY(int32_t, layout) = tac_chunk_transfer_take(from, "layout", TAC_CHUNK_I32, 1, &layout_count);
  TAC_MEMORY(char, source) = tac_chunk_transfer_take(from, "source", TAC_CHUNK_U8, 1, &source_count);
  TAC_MEMORY(double, bake) = tac_chunk_transfer_take(from, "bake", TAC_CHUNK_F64, 1, &bake_count);
  TAC_MEMORY(double, rigid) = tac_chunk_transfer_take(from, "rigid", TAC_CHUNK_F64, 1, &rigid_count);
  if (from->status != TAC_OK) return;
  double *measures[MEASURES];
  parts->size = layout[0];
  parts->is_free = (layout[1] & IS_FREE) != 0;
  *with_stress = (layout[1] & HAS_STRESS) != 0;
  parts->info = (tacReducedInfo){.mode_count = layout[2], .element_count = layout[3], .vertex_count = layout[4]};
  memcpy(parts->info.source, source, SOURCE);
  list_measures(&parts->info, measures);
  for (int i = 0; i < MEASURES; ++i) *measures[i] = bake[i];
  parts->mass = parts->info.mass = rigid[0];
  parts->centre = tac_vec3(rigid[1], rigid[2], rigid[3]);
  memcpy(parts->inertia, rigid + 4, sizeof parts->inertia);
}

static void take_surface(tacChunkTransfer *from, tacReduced *reduced) {
  tacTriMesh *mesh = reduced->surface = room_for(from, 1, sizeof *reduced->surface);
  if (mesh == NULL) return;
  mesh->vertex_count = mesh->triangle_count = -1;
  mesh->vertices = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_F64, 3, &mesh->vertex_count);
  mesh->triangles = tac_chunk_transfer_take(from, "triangles", TAC_CHUNK_I32, 3, &mesh->triangle_count);
  int fixed_count = mesh->vertex_count, normal_count = mesh->vertex_count;
  TAC_MEMORY(unsigned char, bytes) = tac_chunk_transfer_take(from, "fixed", TAC_CHUNK_U8, 1, &fixed_count);
  reduced->parts.normals = own(reduced, tac_chunk_transfer_take(from, "normals", TAC_CHUNK_F64, 3, &normal_count));
  bool *fixed = own(reduced, room_for(from, mesh->vertex_count, sizeof *fixed));
  for (int v = 0; from->status == TAC_OK && v < mesh->vertex_count; ++v) fixed[v] = bytes[v] != 0;
  reduced->parts.fixed = fixed;
}

static void take_volume(tacChunkTransfer *from, tacReduced *reduced) {
  tacVolMesh *mesh = reduced->volume = room_for(from, 1, sizeof *reduced->volume);
  if (mesh == NULL) return;
  mesh->vertex_count = mesh->tet_count = mesh->brick_count = -1;
  mesh->vertices = tac_chunk_transfer_take(from, "volume", TAC_CHUNK_F64, 3, &mesh->vertex_count);
  mesh->tets = tac_chunk_transfer_take(from, "tetrahedra", TAC_CHUNK_I32, 4, &mesh->tet_count);
  mesh->bricks = tac_chunk_transfer_take(from, "bricks", TAC_CHUNK_I32, 8, &mesh->brick_count);
}

static void take_names(tacChunkTransfer *from, tacReduced *reduced) {
  int length = -1, groups = reduced->parts.group_count;
  reduced->names = own(reduced, tac_chunk_transfer_take(from, "group names", TAC_CHUNK_U8, 1, &length));
  reduced->name_of = own(reduced, room_for(from, groups, sizeof *reduced->name_of));
  if (from->status != TAC_OK) return;
  const char *name = reduced->names, *end = name + length;
  for (int g = 0; g < groups; ++g) {
    const char *after = name < end ? memchr(name, 0, (size_t)(end - name)) : NULL;
    if (after == NULL) {
      tac_chunk_transfer_refuse(from, "a group has no name");
      return;
    }
    reduced->name_of[g] = name;
    name = after + 1;
  }
  if (name != end) tac_chunk_transfer_refuse(from, "there are more names than groups");
}

static void take_groups(tacChunkTransfer *from, tacReduced *reduced) {
  tacReducedParts *parts = &reduced->parts;
  int groups = -1, part_count = -1;
  TAC_MEMORY(double, numbers) = tac_chunk_transfer_take(from, "materials", TAC_CHUNK_F64, MATERIAL, &groups);
  TAC_MEMORY(int32_t, kinds) = tac_chunk_transfer_take(from, "parts", TAC_CHUNK_I32, 2, &part_count);
  parts->group_count = groups;
  parts->part_count = part_count;
  parts->group_mass = own(reduced, tac_chunk_transfer_take(from, "group mass", TAC_CHUNK_F64, 1, &groups));
  TAC_MEMORY(double, weights) = tac_chunk_transfer_take(from, "weights", TAC_CHUNK_F64, 1, &part_count);
  take_names(from, reduced);
  tacMaterial *materials = own(reduced, room_for(from, groups, sizeof *materials));
  parts->materials = materials;
  reduced->part = own(reduced, room_for(from, part_count, sizeof *reduced->part));
  for (int g = 0; from->status == TAC_OK && g < groups; ++g)
    materials[g] = numbers_material(numbers + (size_t)MATERIAL * (size_t)g);
  for (int p = 0; from->status == TAC_OK && p < part_count; ++p) {
    int32_t kind = kinds[2 * p + 1];
    if (kind < TAC_REDUCED_LAMBDA || kind > TAC_REDUCED_WHOLE)
      tac_chunk_transfer_refuse(from, "an energy part has an unknown kind");
    else
      reduced->part[p] = (tacReducedPart){.group = kinds[2 * p], .kind = kind, .weight = weights[p]};
  }
}

static double *take_long(tacChunkTransfer *from, tacReduced *reduced, const char *name, size_t count) {
  return own(reduced, tac_chunk_transfer_take_long(from, name, count));
}

/* Reads the large arrays. Call after check_counts, which limits the array sizes. */
static void take_numbers(tacChunkTransfer *from, bool with_stress, tacReduced *reduced) {
  if (from->status != TAC_OK) return;
  tacReducedParts *parts = &reduced->parts;
  parts->displacements = take_long(from, reduced, "displacements", row_numbers(parts));
  parts->normal_changes = take_long(from, reduced, "normal changes", row_numbers(parts));
  parts->basis = take_long(from, reduced, "basis", basis_numbers(parts));
  parts->mass_matrix = take_long(from, reduced, "mass", mass_numbers(parts));
  parts->body_force = take_long(from, reduced, "body force", force_numbers(parts));
  reduced->coefficients =
      take_long(from, reduced, "coefficients", (size_t)parts->part_count * tac_reduced_polynomial_count(parts->size));
  if (with_stress) reduced->stress = take_long(from, reduced, "stress", stress_numbers(parts));
  parts->shapes = take_long(from, reduced, "shapes", shape_numbers(parts));
}

/* Reads the error estimate if the file contains one. */
static void take_error_estimate(tacChunkTransfer *from, tacReduced *reduced) {
  if (!tac_chunk_transfer_has(from, "error estimate")) return;
  int count = OF_ERROR_ESTIMATE;
  TAC_MEMORY(double, numbers) = tac_chunk_transfer_take(from, "error estimate", TAC_CHUNK_F64, 1, &count);
  for (int i = 0; i < count; ++i)
    if (!(numbers[i] >= 0.0 && isfinite(numbers[i])))
      tac_chunk_transfer_refuse(from, "the estimated model error is not valid");
  if (from->status == TAC_OK)
    tac_reduced_set_error_estimate(reduced, &(tacReducedErrorEstimate){numbers[0], numbers[1], numbers[2]});
}

tacReduced *tac_reduced_take(tacChunkTransfer *from) {
  TAC_OWN(tacReduced, reduced) = room_for(from, 1, sizeof *reduced);
  if (reduced == NULL) return NULL;
  int shape_count = -1;
  bool with_stress = false;
  tac_bake_checks_take(from, &reduced->checks);
  take_error_estimate(from, reduced);
  take_head(from, &reduced->parts, &with_stress);
  take_surface(from, reduced);
  take_volume(from, reduced);
  take_groups(from, reduced);
  reduced->parts.labels = own(reduced, tac_chunk_transfer_take(from, "labels", TAC_CHUNK_U8, LABEL_SIZE, &shape_count));
  reduced->parts.shape_count = shape_count;
  reduced->parts.surface = reduced->surface;
  reduced->parts.volume = reduced->volume;
  if (from->status == TAC_OK) from->status = check_counts(&reduced->parts, from->error);
  take_numbers(from, with_stress, reduced);
  if (from->status == TAC_OK) {
    refer(reduced);
    from->status = check_parts(&reduced->parts, from->error);
  }
  if (from->status == TAC_ERR_ARGUMENT || from->status == TAC_ERR_GEOMETRY) from->status = TAC_ERR_FORMAT;
  return from->status == TAC_OK ? tac_give(&reduced) : NULL;
}

tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error) {
  TAC_REQUIRE(error, reduced);
  *reduced = NULL;
  TAC_REQUIRE(error, path);
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  *reduced = tac_reduced_take(&from);
  return tac_chunk_transfer_end(&from);
}
