#include "kinds/reduced/reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"

enum { LABEL_SIZE = 32 };

struct tacReduced {
  tacReducedParts parts; /* what follows, to be looked at */
  tacTriMesh *surface;
  bool *fixed;
  tacVec3 *normals;
  double *displacements, *normal_changes;
  tacVolMesh *volume;
  double *basis;
  char *names;          /* of the groups, one after the other */
  const char **name_of; /* [group] */
  tacMaterial *materials;
  double *group_mass, *mass_matrix, *body_force;
  tacReducedPart *part;
  double *coefficients; /* of all parts, one after the other */
  double *stress;       /* likewise; NULL: none */
  char (*labels)[LABEL_SIZE];
  double *shapes;
  tacBakeChecks checks;
  bool has_doubt;
  tacReducedDoubt doubt;
};

void tac_reduced_destroy(tacReduced *reduced) {
  if (reduced == NULL) return;
  tac_trimesh_destroy(reduced->surface);
  free(reduced->fixed);
  free(reduced->normals);
  free(reduced->displacements);
  free(reduced->normal_changes);
  tac_volmesh_destroy(reduced->volume);
  free(reduced->basis);
  free(reduced->names);
  free(reduced->name_of);
  free(reduced->materials);
  free(reduced->group_mass);
  free(reduced->mass_matrix);
  free(reduced->body_force);
  free(reduced->part);
  free(reduced->coefficients);
  free(reduced->stress);
  free(reduced->labels);
  free(reduced->shapes);
  free(reduced);
}

/* Numbers that the vertices of surface and volume, the groups and the shapes have. */
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

static bool all_finite(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(numbers[i])) return false;
  return true;
}

/* Every count that the sizes of arrays follow from. */
static tacStatus check_counts(const tacReducedParts *parts, tacError *error) {
  if (parts->size < 1 || parts->size > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body of %d coordinates; from 1 to %d are possible",
                         parts->size, TAC_BODY_MOST_COORDINATES);
  if (parts->group_count < 1 || parts->group_count > TAC_REDUCED_MOST_GROUPS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body of %d groups of material; from 1 to %d are possible",
                         parts->group_count, TAC_REDUCED_MOST_GROUPS);
  if (parts->part_count < 0 || parts->part_count > 3 * parts->group_count || parts->shape_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body of %d parts of energy and %d shapes",
                         parts->part_count, parts->shape_count);
  const tacTriMesh *surface = parts->surface;
  TAC_TRY(tac_trimesh_validate(surface, error));
  if (surface->vertex_count < 1 || surface->triangle_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the surface of a reduced body has no triangles");
  if (parts->volume == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body without a volume mesh");
  TAC_TRY(tac_volmesh_validate(parts->volume, error));
  if (parts->volume->tet_count + parts->volume->brick_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the volume mesh of a reduced body has no elements");
  return TAC_OK;
}

static tacStatus check_surface(const tacReducedParts *parts, tacError *error) {
  size_t row = 3 * (size_t)parts->size;
  for (int v = 0; v < parts->surface->vertex_count; ++v) {
    if (!(fabs(tac_vec3_norm(parts->normals[v]) - 1.0) < 1e-6))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the normal of vertex %d is not of unit length", v);
    const double *u = parts->displacements + row * (size_t)v;
    if (!all_finite(u, row) || !all_finite(parts->normal_changes + row * (size_t)v, row))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "displacements or changes of the normal of vertex %d are not finite", v);
    for (size_t i = 0; parts->fixed[v] && i < row; ++i)
      if (u[i] != 0.0)
        return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d cannot move, but the basis moves it", v);
  }
  if (!all_finite(parts->basis, basis_numbers(parts)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "displacements of the volume mesh are not finite");
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

/* Rigid motion, for free bodies only. */
static tacStatus check_rigid(const tacReducedParts *parts, tacError *error) {
  if (!(parts->mass > 0.0) || !isfinite(parts->mass) || !tac_vec3_finite(parts->centre) ||
      !all_finite(&parts->inertia[0][0], 9))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a mass of %g kg, a centre or an inertia that cannot be",
                         parts->mass);
  double trace = parts->inertia[0][0] + parts->inertia[1][1] + parts->inertia[2][2];
  if (parts->is_free &&
      (!is_symmetric(&parts->inertia[0][0], 3, 1e-9 * trace) || !is_definite(&parts->inertia[0][0], 3, 0.0)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the inertia of a free body is not symmetric and positive definite");
  return TAC_OK;
}

/* U is mass-orthonormal: the groups' mass matrices add up to the identity. */
static tacStatus check_mass(const tacReducedParts *parts, tacError *error) {
  int r = parts->size;
  double mass = 0.0;
  for (int g = 0; g < parts->group_count; ++g) {
    const double *matrix = parts->mass_matrix + (size_t)(r * r) * (size_t)g;
    if (!(parts->group_mass[g] >= 0.0) || !isfinite(parts->group_mass[g]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the mass of group %d is %g kg", g, parts->group_mass[g]);
    mass += parts->group_mass[g];
    if (!all_finite(matrix, (size_t)(r * r)) || !is_symmetric(matrix, r, 1e-9) || !is_definite(matrix, r, 1e-9))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the mass matrix of group %d is not symmetric and positive semidefinite", g);
  }
  if (!(fabs(mass - parts->mass) <= 1e-6 * parts->mass))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the groups have masses of %g kg together, the body %g kg", mass,
                         parts->mass);
  for (int i = 0; i < r * r; ++i) {
    double sum = 0.0;
    for (int g = 0; g < parts->group_count; ++g) sum += parts->mass_matrix[(size_t)(r * r) * (size_t)g + (size_t)i];
    if (!(fabs(sum - (i % (r + 1) == 0)) <= 1e-6))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the mass matrices add up to %.9g in row %d, column %d, not to the identity", sum, i / r,
                           i % r);
  }
  if (!all_finite(parts->body_force, force_numbers(parts)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "loads of a uniform acceleration are not finite");
  return TAC_OK;
}

static bool material_finite(const tacMaterial *material) {
  return isfinite(material->density) && isfinite(material->young) && isfinite(material->poisson) &&
         all_finite(&material->stiffness[0][0], 36);
}

/* A group that has elements has a material, and parts that go with it; another may have anything. */
static tacStatus check_groups(const tacReducedParts *parts, tacError *error) {
  bool has[TAC_REDUCED_MOST_GROUPS][3] = {{false}};
  for (int p = 0; p < parts->part_count; ++p) {
    const tacReducedPart *part = &parts->parts[p];
    int kind = (int)part->kind;
    if (part->group < 0 || part->group >= parts->group_count || kind < 0 || kind > TAC_REDUCED_WHOLE ||
        has[part->group][kind])
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "part %d of the energy is of group %d and kind %d, which is there already or does not exist",
                           p, part->group, kind);
    has[part->group][kind] = true;
    if (!isfinite(part->weight) || (kind != TAC_REDUCED_LAMBDA && !(part->weight > 0.0)))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "part %d of the energy has the weight %g", p, part->weight);
    bool with_stress = part->stress != NULL;
    if (with_stress != (parts->parts[0].stress != NULL))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "part %d of the energy has products of stress, part 0 has not", p);
    if (!all_finite(part->coefficients, tac_reduced_polynomial_count(parts->size)) ||
        (with_stress && !all_finite(part->stress, tac_reduced_stress_count(parts->size))))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "part %d of the energy has coefficients that are not finite", p);
  }
  for (int g = 0; g < parts->group_count; ++g) {
    const tacMaterial *material = &parts->materials[g];
    if (parts->group_names[g] == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "group %d has no name", g);
    if (!material_finite(material))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the material of group %d is not finite", g);
    bool any = has[g][0] || has[g][1] || has[g][2];
    if (!any) continue;
    tacError why;
    if (tac_material_check(material, &why) != TAC_OK)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "group %d: %.300s", g, why.text);
    if (has[g][TAC_REDUCED_LAMBDA] != material->isotropic || has[g][TAC_REDUCED_MU] != material->isotropic ||
        has[g][TAC_REDUCED_WHOLE] == material->isotropic)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "group %d, which is %sisotropic, has other parts of the energy than it should", g,
                           material->isotropic ? "" : "not ");
  }
  return TAC_OK;
}

static tacStatus check_info(const tacReducedParts *parts, tacError *error) {
  const tacReducedInfo *info = &parts->info;
  const double measures[] = {info->captured,
                             info->linear_least,
                             info->linear_most,
                             info->reduced_least,
                             info->reduced_most,
                             info->seconds_modes,
                             info->seconds_derivatives,
                             info->seconds_basis,
                             info->seconds_polynomials,
                             info->bytes_bake,
                             info->bytes_polynomials};
  bool good = memchr(info->source, 0, sizeof info->source) != NULL && info->mode_count >= 0 &&
              info->element_count >= 0 && info->vertex_count >= 0;
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) good &= measures[i] >= 0.0 && isfinite(measures[i]);
  if (!good) return tac_error_set(error, TAC_ERR_ARGUMENT, "what is told about the bake cannot be");
  for (int s = 0; s < parts->shape_count; ++s)
    if (memchr(parts->labels[s], 0, sizeof parts->labels[s]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the label of shape %d does not end", s);
  if (!all_finite(parts->shapes, shape_numbers(parts)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "shapes of the bake are not finite");
  return TAC_OK;
}

static tacStatus check_parts(const tacReducedParts *parts, tacError *error) {
  tacStatus status = check_counts(parts, error);
  if (status == TAC_OK) status = check_surface(parts, error);
  if (status == TAC_OK) status = check_rigid(parts, error);
  if (status == TAC_OK) status = check_groups(parts, error);
  if (status == TAC_OK) status = check_mass(parts, error);
  if (status == TAC_OK) status = check_info(parts, error);
  return status;
}

/* ---- making ---- */

static void *copy_items(const void *items, size_t count, size_t size, tacError *error) {
  void *copy = tac_array_create(count, size, "a reduced body", error);
  if (copy != NULL && count > 0) memcpy(copy, items, count * size);
  return copy;
}

static double *copy_numbers(const double *numbers, size_t count, tacError *error) {
  return copy_items(numbers, count, sizeof *numbers, error);
}

/* Makes `parts` refer to what the asset owns. */
static void refer(tacReduced *reduced) {
  tacReducedParts *parts = &reduced->parts;
  parts->surface = reduced->surface;
  parts->fixed = reduced->fixed;
  parts->normals = reduced->normals;
  parts->displacements = reduced->displacements;
  parts->normal_changes = reduced->normal_changes;
  parts->volume = reduced->volume;
  parts->basis = reduced->basis;
  parts->group_names = reduced->name_of;
  parts->materials = reduced->materials;
  parts->group_mass = reduced->group_mass;
  parts->mass_matrix = reduced->mass_matrix;
  parts->parts = reduced->part;
  parts->body_force = reduced->body_force;
  parts->labels = (const char(*)[LABEL_SIZE])reduced->labels;
  parts->shapes = reduced->shapes;
  size_t count = tac_reduced_polynomial_count(parts->size), products = tac_reduced_stress_count(parts->size);
  for (int p = 0; p < parts->part_count; ++p) {
    reduced->part[p].coefficients = reduced->coefficients + count * (size_t)p;
    reduced->part[p].stress = reduced->stress != NULL ? reduced->stress + products * (size_t)p : NULL;
  }
}

static tacStatus copy_names(const tacReducedParts *parts, tacReduced *reduced, tacError *error) {
  size_t length = 0, groups = (size_t)parts->group_count;
  for (size_t g = 0; g < groups; ++g) length += strlen(parts->group_names[g]) + 1;
  reduced->names = tac_array_create(length, 1, "names of groups", error);
  reduced->name_of = tac_array_create(groups, sizeof *reduced->name_of, "names of groups", error);
  if (reduced->names == NULL || reduced->name_of == NULL) return TAC_ERR_MEMORY;
  char *name = reduced->names;
  for (size_t g = 0; g < groups; ++g) {
    size_t size = strlen(parts->group_names[g]) + 1;
    memcpy(name, parts->group_names[g], size);
    reduced->name_of[g] = name;
    name += size;
  }
  return TAC_OK;
}

/* Vertices and elements. */
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
  reduced->parts = *parts;
  tacStatus status = tac_trimesh_copy(&bare, &reduced->surface, error);
  if (status == TAC_OK) status = copy_volume(parts->volume, &reduced->volume, error);
  if (status == TAC_OK) status = copy_names(parts, reduced, error);
  if (status != TAC_OK) return status;
  reduced->fixed = copy_items(parts->fixed, vertices, sizeof *parts->fixed, error);
  reduced->normals = copy_items(parts->normals, vertices, sizeof *parts->normals, error);
  reduced->displacements = copy_numbers(parts->displacements, row_numbers(parts), error);
  reduced->normal_changes = copy_numbers(parts->normal_changes, row_numbers(parts), error);
  reduced->basis = copy_numbers(parts->basis, basis_numbers(parts), error);
  reduced->materials = copy_items(parts->materials, groups, sizeof *parts->materials, error);
  reduced->group_mass = copy_numbers(parts->group_mass, groups, error);
  reduced->mass_matrix = copy_numbers(parts->mass_matrix, mass_numbers(parts), error);
  reduced->body_force = copy_numbers(parts->body_force, force_numbers(parts), error);
  reduced->part = copy_items(parts->parts, part_count, sizeof *parts->parts, error);
  reduced->coefficients = tac_array_create(part_count * count, sizeof(double), "a reduced body's polynomials", error);
  if (products > 0) {
    reduced->stress = tac_array_create(part_count * products, sizeof(double), "a reduced body's stress", error);
    if (reduced->stress == NULL) return TAC_ERR_MEMORY;
  }
  reduced->labels = copy_items(parts->labels, (size_t)parts->shape_count, sizeof *parts->labels, error);
  reduced->shapes = copy_numbers(parts->shapes, shape_numbers(parts), error);
  if (reduced->fixed == NULL || reduced->normals == NULL || reduced->displacements == NULL ||
      reduced->normal_changes == NULL || reduced->basis == NULL || reduced->materials == NULL ||
      reduced->group_mass == NULL || reduced->mass_matrix == NULL || reduced->body_force == NULL ||
      reduced->part == NULL || reduced->coefficients == NULL || reduced->labels == NULL || reduced->shapes == NULL)
    return TAC_ERR_MEMORY;
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
  tacReduced *reduced = tac_array_create(1, sizeof *reduced, "a reduced body", error);
  if (reduced == NULL) return TAC_ERR_MEMORY;
  status = copy_parts(parts, reduced, error);
  if (status == TAC_OK)
    *result = reduced;
  else
    tac_reduced_destroy(reduced);
  return status;
}

/* ---- queries ---- */

const tacReducedParts *tac_reduced_parts(const tacReduced *reduced) {
  return &reduced->parts;
}
int tac_reduced_size(const tacReduced *reduced) {
  return reduced->parts.size;
}
const tacTriMesh *tac_reduced_surface(const tacReduced *reduced) {
  return reduced->surface;
}
const bool *tac_reduced_fixed(const tacReduced *reduced) {
  return reduced->fixed;
}
const double *tac_reduced_displacements(const tacReduced *reduced) {
  return reduced->displacements;
}
const double *tac_reduced_normal_changes(const tacReduced *reduced) {
  return reduced->normal_changes;
}
const tacVec3 *tac_reduced_normals(const tacReduced *reduced) {
  return reduced->normals;
}
const tacVolMesh *tac_reduced_volume(const tacReduced *reduced) {
  return reduced->volume;
}
const double *tac_reduced_basis(const tacReduced *reduced) {
  return reduced->basis;
}
bool tac_reduced_is_free(const tacReduced *reduced) {
  return reduced->parts.is_free;
}
double tac_reduced_mass(const tacReduced *reduced) {
  return reduced->parts.mass;
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
  return &reduced->parts.info;
}

const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced) {
  return &reduced->checks;
}
void tac_reduced_set_checks(tacReduced *reduced, const tacBakeChecks *checks) {
  reduced->checks = *checks;
}

const tacReducedDoubt *tac_reduced_doubt(const tacReduced *reduced) {
  return &reduced->doubt;
}
bool tac_reduced_has_doubt(const tacReduced *reduced) {
  return reduced->has_doubt;
}
void tac_reduced_set_doubt(tacReduced *reduced, const tacReducedDoubt *doubt) {
  reduced->has_doubt = true;
  reduced->doubt = *doubt;
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
  return has_group(reduced, group) ? &reduced->materials[group] : NULL;
}
double tac_reduced_group_mass(const tacReduced *reduced, int group) {
  return has_group(reduced, group) ? reduced->group_mass[group] : 0.0;
}
const char *tac_reduced_shape_label(const tacReduced *reduced, int shape) {
  return has_shape(reduced, shape) ? reduced->labels[shape] : NULL;
}
const double *tac_reduced_shape(const tacReduced *reduced, int shape) {
  return has_shape(reduced, shape) ? reduced->shapes + (size_t)shape * (size_t)reduced->parts.size : NULL;
}

/* ---- files ---- */

#define FILE_KIND "reduced body"
#define FILE_VERSION 5 /* 5: with doubt, maybe with products of stress */

enum { IS_FREE = 1, HAS_STRESS = 2 }; /* flags of the layout */
/* Numbers of a material in a file: density, C, whether it is isotropic, Young's modulus, Poisson's ratio. */
enum { LAYOUT = 5, RIGID = 13, BAKE = 11, MATERIAL = 40, OF_DOUBT = 3, SOURCE = sizeof((tacReducedInfo *)0)->source };

/* The measures of the bake in their order in a file. */
static void list_bake(tacReducedInfo *info, double *measures[BAKE]) {
  double *list[BAKE] = {&info->captured,
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
  double *materials = tac_array_create(MATERIAL * groups, sizeof *materials, "materials", to->error);
  int32_t *kinds = tac_array_create(2 * part_count, sizeof *kinds, "parts", to->error);
  double *weights = tac_array_create(part_count, sizeof *weights, "parts", to->error);
  if (materials == NULL || kinds == NULL || weights == NULL) {
    to->status = TAC_ERR_MEMORY;
    goto done;
  }
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
done:
  free(materials);
  free(kinds);
  free(weights);
}

void tac_reduced_put(tacChunkTransfer *to, const tacReduced *reduced) {
  const tacReducedParts *parts = &reduced->parts;
  const tacTriMesh *mesh = parts->surface;
  const tacVolMesh *volume = parts->volume;
  uint64_t vertices = (uint64_t)mesh->vertex_count;
  int32_t flags = (parts->is_free ? IS_FREE : 0) | (has_stress(parts) ? HAS_STRESS : 0);
  const int32_t layout[LAYOUT] = {parts->size, flags, parts->info.mode_count, parts->info.element_count,
                                  parts->info.vertex_count};
  double rigid[RIGID] = {parts->mass, parts->centre.x, parts->centre.y, parts->centre.z}, bake[BAKE], *measures[BAKE];
  memcpy(rigid + 4, parts->inertia, sizeof parts->inertia);
  tacReducedInfo info = parts->info;
  list_bake(&info, measures);
  for (int i = 0; i < BAKE; ++i) bake[i] = *measures[i];
  tac_chunk_transfer_put(to, "layout", TAC_CHUNK_I32, LAYOUT, layout);
  tac_chunk_transfer_put(to, "source", TAC_CHUNK_U8, SOURCE, info.source);
  tac_bake_checks_put(to, &reduced->checks);
  const double doubt[OF_DOUBT] = {reduced->doubt.missing, reduced->doubt.bent, reduced->doubt.straight};
  if (reduced->has_doubt) tac_chunk_transfer_put(to, "doubt", TAC_CHUNK_F64, OF_DOUBT, doubt);
  tac_chunk_transfer_put(to, "bake", TAC_CHUNK_F64, BAKE, bake);
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

static void broken(tacChunkTransfer *from, const char *what) {
  if (from->status == TAC_OK) from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: %s", from->path, what);
}

/* Size, rigid properties, what is told about the bake. */
static void take_head(tacChunkTransfer *from, tacReducedParts *parts, bool *with_stress) {
  int layout_count = LAYOUT, source_count = SOURCE, bake_count = BAKE, rigid_count = RIGID;
  int32_t *layout = tac_chunk_transfer_take(from, "layout", TAC_CHUNK_I32, 1, &layout_count);
  char *source = tac_chunk_transfer_take(from, "source", TAC_CHUNK_U8, 1, &source_count);
  double *bake = tac_chunk_transfer_take(from, "bake", TAC_CHUNK_F64, 1, &bake_count);
  double *rigid = tac_chunk_transfer_take(from, "rigid", TAC_CHUNK_F64, 1, &rigid_count);
  if (from->status == TAC_OK) {
    double *measures[BAKE];
    parts->size = layout[0];
    parts->is_free = (layout[1] & IS_FREE) != 0;
    *with_stress = (layout[1] & HAS_STRESS) != 0;
    parts->info = (tacReducedInfo){.mode_count = layout[2], .element_count = layout[3], .vertex_count = layout[4]};
    memcpy(parts->info.source, source, SOURCE);
    list_bake(&parts->info, measures);
    for (int i = 0; i < BAKE; ++i) *measures[i] = bake[i];
    parts->mass = rigid[0];
    parts->centre = tac_vec3(rigid[1], rigid[2], rigid[3]);
    memcpy(parts->inertia, rigid + 4, sizeof parts->inertia);
  }
  free(layout);
  free(source);
  free(bake);
  free(rigid);
}

static void take_surface(tacChunkTransfer *from, tacReduced *reduced) {
  tacTriMesh *mesh = reduced->surface = room_for(from, 1, sizeof *reduced->surface);
  if (mesh == NULL) return;
  mesh->vertex_count = mesh->triangle_count = -1;
  mesh->vertices = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_F64, 3, &mesh->vertex_count);
  mesh->triangles = tac_chunk_transfer_take(from, "triangles", TAC_CHUNK_I32, 3, &mesh->triangle_count);
  int fixed_count = mesh->vertex_count, normal_count = mesh->vertex_count;
  unsigned char *bytes = tac_chunk_transfer_take(from, "fixed", TAC_CHUNK_U8, 1, &fixed_count);
  reduced->normals = tac_chunk_transfer_take(from, "normals", TAC_CHUNK_F64, 3, &normal_count);
  reduced->fixed = room_for(from, mesh->vertex_count, sizeof *reduced->fixed);
  for (int v = 0; from->status == TAC_OK && v < mesh->vertex_count; ++v) reduced->fixed[v] = bytes[v] != 0;
  free(bytes);
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
  reduced->names = tac_chunk_transfer_take(from, "group names", TAC_CHUNK_U8, 1, &length);
  reduced->name_of = room_for(from, groups, sizeof *reduced->name_of);
  if (from->status != TAC_OK) return;
  const char *name = reduced->names, *end = name + length;
  for (int g = 0; g < groups; ++g) {
    const char *after = name < end ? memchr(name, 0, (size_t)(end - name)) : NULL;
    if (after == NULL) {
      broken(from, "a group has no name");
      return;
    }
    reduced->name_of[g] = name;
    name = after + 1;
  }
  if (name != end) broken(from, "there are more names than groups");
}

static void take_groups(tacChunkTransfer *from, tacReduced *reduced) {
  tacReducedParts *parts = &reduced->parts;
  int groups = -1, part_count = -1;
  double *materials = tac_chunk_transfer_take(from, "materials", TAC_CHUNK_F64, MATERIAL, &groups);
  int32_t *kinds = tac_chunk_transfer_take(from, "parts", TAC_CHUNK_I32, 2, &part_count);
  parts->group_count = groups;
  parts->part_count = part_count;
  reduced->group_mass = tac_chunk_transfer_take(from, "group mass", TAC_CHUNK_F64, 1, &groups);
  double *weights = tac_chunk_transfer_take(from, "weights", TAC_CHUNK_F64, 1, &part_count);
  take_names(from, reduced);
  reduced->materials = room_for(from, groups, sizeof *reduced->materials);
  reduced->part = room_for(from, part_count, sizeof *reduced->part);
  for (int g = 0; from->status == TAC_OK && g < groups; ++g)
    reduced->materials[g] = numbers_material(materials + (size_t)MATERIAL * (size_t)g);
  for (int p = 0; from->status == TAC_OK && p < part_count; ++p) {
    int32_t kind = kinds[2 * p + 1];
    if (kind < TAC_REDUCED_LAMBDA || kind > TAC_REDUCED_WHOLE) {
      broken(from, "a part of the energy has a kind that does not exist");
      break;
    }
    reduced->part[p].group = kinds[2 * p];
    reduced->part[p].kind = kind;
    reduced->part[p].weight = weights[p];
  }
  free(materials);
  free(kinds);
  free(weights);
}

/* The long arrays, whose sizes are known and possible. */
static void take_numbers(tacChunkTransfer *from, bool with_stress, tacReduced *reduced) {
  if (from->status != TAC_OK) return;
  const tacReducedParts *parts = &reduced->parts;
  reduced->displacements = tac_chunk_transfer_take_long(from, "displacements", row_numbers(parts));
  reduced->normal_changes = tac_chunk_transfer_take_long(from, "normal changes", row_numbers(parts));
  reduced->basis = tac_chunk_transfer_take_long(from, "basis", basis_numbers(parts));
  reduced->mass_matrix = tac_chunk_transfer_take_long(from, "mass", mass_numbers(parts));
  reduced->body_force = tac_chunk_transfer_take_long(from, "body force", force_numbers(parts));
  reduced->coefficients = tac_chunk_transfer_take_long(
      from, "coefficients", (uint64_t)parts->part_count * tac_reduced_polynomial_count(parts->size));
  if (with_stress) reduced->stress = tac_chunk_transfer_take_long(from, "stress", stress_numbers(parts));
  reduced->shapes = tac_chunk_transfer_take_long(from, "shapes", shape_numbers(parts));
}

/* Files from before there was one have none. */
static void take_doubt(tacChunkTransfer *from, tacReduced *reduced) {
  if (!tac_chunk_transfer_has(from, "doubt")) return;
  int count = OF_DOUBT;
  double *numbers = tac_chunk_transfer_take(from, "doubt", TAC_CHUNK_F64, 1, &count);
  for (int i = 0; i < count; ++i)
    if (!(numbers[i] >= 0.0 && isfinite(numbers[i]))) broken(from, "what is told of its doubt cannot be");
  if (from->status == TAC_OK) tac_reduced_set_doubt(reduced, &(tacReducedDoubt){numbers[0], numbers[1], numbers[2]});
  free(numbers);
}

tacReduced *tac_reduced_take(tacChunkTransfer *from) {
  tacReduced *reduced = room_for(from, 1, sizeof *reduced);
  if (reduced == NULL) return NULL;
  int shape_count = -1;
  bool with_stress = false;
  tac_bake_checks_take(from, &reduced->checks);
  take_doubt(from, reduced);
  take_head(from, &reduced->parts, &with_stress);
  take_surface(from, reduced);
  take_volume(from, reduced);
  take_groups(from, reduced);
  reduced->labels = tac_chunk_transfer_take(from, "labels", TAC_CHUNK_U8, LABEL_SIZE, &shape_count);
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
  if (from->status == TAC_OK) return reduced;
  tac_reduced_destroy(reduced);
  return NULL;
}

tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error) {
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  *reduced = tac_reduced_take(&from);
  return tac_chunk_transfer_end(&from);
}
