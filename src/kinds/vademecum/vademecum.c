#include "kinds/vademecum/vademecum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/hyper/sampled_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/reduced/reduced.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

struct tacVademecum {
  tacVademecumParts parts; /* pointers of the parts refer to `arrays` */
  tacReduced *shape;
  int *load_of; /* [surface vertex]: load at the vertex; -1: none */
  int term_count;
  tacArrays arrays;
};

void tac_vademecum_destroy(tacVademecum *vademecum) {
  if (vademecum == NULL) return;
  tac_reduced_destroy(vademecum->shape);
  tac_arrays_free(&vademecum->arrays);
  free(vademecum);
}
TAC_OWNED_TYPE(tacReduced, tac_reduced_destroy)
TAC_OWNED_TYPE(tacVademecum, tac_vademecum_destroy)

/* ---- creation ---- */

static tacStatus wrong(tacError *error, const char *what) {
  return tac_error_set(error, TAC_ERR_ARGUMENT, "parts of a vademecum do not fit together: %s", what);
}

static tacStatus check_loads(const tacVademecumParts *parts, const tacReduced *shape, tacError *error) {
  const bool *fixed = tac_reduced_fixed(shape);
  int vertices = tac_reduced_surface(shape)->vertex_count;
  double length = tac_vec3_norm(parts->terms.direction);
  if (parts->load_count < 1 || parts->load_count > vertices) return wrong(error, "the number of loads is wrong");
  if (!tac_vector_finite(3 * (size_t)parts->load_count * (size_t)tac_reduced_size(shape), parts->rows))
    return wrong(error, "the rows of the loads have NaN or infinite values");
  if (!(parts->patch >= 0.0) || !isfinite(parts->patch))
    return wrong(error, "the patch radius of the loads is "
                        "negative or not finite");
  if (!(parts->most >= 1e-30 && parts->most <= 1e30))
    return wrong(error, "the size of the largest load is not "
                        "positive or out of range");
  if (parts->terms.degree < 1 || parts->terms.degree > TAC_LOAD_MOST_DEGREE)
    return wrong(error, "the polynomial degree of the loads is "
                        "out of range");
  if (!(length == 0.0 || fabs(length - 1.0) < 1e-6))
    return wrong(error, "the direction of the loads does not have "
                        "unit length");
  for (int s = 0; s < parts->load_count; ++s) {
    int v = parts->vertices[s];
    if (v < 0 || v >= vertices || fixed[v] || (s > 0 && v <= parts->vertices[s - 1]))
      return wrong(error, "a load does not act at a free vertex, or the loads are not in ascending order of vertices");
  }
  size_t count =
      (size_t)parts->load_count * (size_t)tac_load_terms_count(&parts->terms) * (size_t)tac_reduced_size(shape);
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(parts->y[i])) return wrong(error, "the coordinates of a load have NaN or infinite values");
  return TAC_OK;
}

static tacStatus check_sampled(const tacSampledParts *sampled, const tacReduced *shape, tacError *error) {
  size_t n = (size_t)tac_reduced_size(shape), elements = (size_t)sampled->element_count;
  if (sampled->size != (int)n) return wrong(error, "the sampled elements have another number of coordinates");
  if (sampled->material.law == NULL) return wrong(error, "sampled elements have no law");
  TAC_TRY(tac_hyper_material_check(&sampled->material, error));
  int tets = tac_reduced_volume(shape)->tet_count;
  for (size_t e = 0; e < elements; ++e)
    if (!(sampled->volumes[e] > 0.0) || !isfinite(sampled->volumes[e]) || sampled->tets[e] < 0 ||
        sampled->tets[e] >= tets)
      return wrong(error, "a sampled element has no volume, or is not in the mesh");
  if (!tac_vector_finite(9 * n * elements, sampled->gradients))
    return wrong(error, "the gradients have NaN or infinite "
                        "values");
  return TAC_OK;
}

/* Checks that the stiffness is symmetric up to rounding and positive along each coordinate. */
static tacStatus check_stiffness(const double *stiffness, size_t n, tacError *error) {
  if (!tac_vector_finite(n * n, stiffness)) return wrong(error, "the stiffness has NaN or infinite values");
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double scale = sqrt(fabs(stiffness[i * n + i])) * sqrt(fabs(stiffness[j * n + j]));
      if (!(stiffness[i * n + i] > 0.0) || fabs(stiffness[i * n + j] - stiffness[j * n + i]) > 1e-6 * scale ||
          fabs(stiffness[i * n + j]) > (1.0 + 1e-6) * scale)
        return wrong(error, "the stiffness is not symmetric and positive definite");
    }
  return TAC_OK;
}

enum { BAKE = 8 };

/* Lists the results of the bake that a file stores, in the order of the file. Durations are excluded, so that a
 * repeated bake gives the same file. */
static void list_bake(tacVademecumInfo *info, double *measures[BAKE]) {
  double *list[BAKE] = {&info->wanted,         &info->error_mean,  &info->error_most, &info->corrected_mean,
                        &info->corrected_most, &info->linear_mean, &info->residual,   &info->bytes};
  memcpy(measures, list, sizeof list);
}

static tacStatus check_info(tacVademecumInfo info, tacError *error) {
  double *measures[BAKE];
  list_bake(&info, measures);
  if (memchr(info.law, 0, sizeof info.law) == NULL) return wrong(error, "the name of the law has no terminating zero");
  for (int i = 0; i < BAKE; ++i)
    if (!isfinite(*measures[i])) return wrong(error, "a measured value of the bake is NaN or infinite");
  if (info.node_count < 0 || info.element_count < 0 || info.path_count < 0 || info.sample_count < 0)
    return wrong(error, "a count of the bake is negative");
  return TAC_OK;
}

static tacStatus check_parts(const tacVademecumParts *parts, const tacReduced *shape, tacError *error) {
  const tacHyperMaterial *material = &parts->sampled.material;
  if (parts->sampled.element_count < 0) return wrong(error, "the number of sampled elements is negative");
  if (!tac_vector_finite(TAC_HYPER_MOST_PARAMETERS, material->parameters) || !isfinite(material->density))
    return wrong(error, "the material has NaN or infinite values");
  TAC_TRY(check_stiffness(parts->stiffness, (size_t)tac_reduced_size(shape), error));
  TAC_TRY(check_info(parts->info, error));
  if (parts->sampled.element_count > 0) TAC_TRY(check_sampled(&parts->sampled, shape, error));
  return check_loads(parts, shape, error);
}

static void *copy_of(tacVademecum *v, const void *items, size_t count, size_t size) {
  void *copy = tac_arrays_add(&v->arrays, count, size);
  if (copy != NULL && count > 0) memcpy(copy, items, count * size);
  return copy;
}

static tacStatus fill(const tacVademecumParts *from, const tacReduced *shape, tacVademecum *v, tacError *error) {
  size_t n = (size_t)tac_reduced_size(shape), elements = (size_t)from->sampled.element_count;
  size_t loads = (size_t)from->load_count, vertices = (size_t)tac_reduced_surface(shape)->vertex_count;
  tacVademecumParts *to = &v->parts;
  *to = *from;
  v->term_count = tac_load_terms_count(&from->terms);
  to->stiffness = copy_of(v, from->stiffness, n * n, sizeof *to->stiffness);
  to->sampled.tets = copy_of(v, from->sampled.tets, elements, sizeof *to->sampled.tets);
  to->sampled.volumes = copy_of(v, from->sampled.volumes, elements, sizeof *to->sampled.volumes);
  to->sampled.gradients = copy_of(v, from->sampled.gradients, 9 * n * elements, sizeof *to->sampled.gradients);
  to->vertices = copy_of(v, from->vertices, loads, sizeof *to->vertices);
  to->y = copy_of(v, from->y, loads * (size_t)v->term_count * n, sizeof *to->y);
  to->rows = copy_of(v, from->rows, loads * 3 * n, sizeof *to->rows);
  v->load_of = tac_arrays_add(&v->arrays, vertices, sizeof *v->load_of);
  TAC_TRY(tac_arrays_status(&v->arrays, "a vademecum", error));
  for (size_t i = 0; i < vertices; ++i) v->load_of[i] = -1;
  for (size_t s = 0; s < loads; ++s) v->load_of[to->vertices[s]] = (int)s;
  return TAC_OK;
}

tacStatus tac_vademecum_create(const tacVademecumParts *parts, tacReduced *shape, tacVademecum **result,
                               tacError *error) {
  *result = NULL;
  TAC_TRY(check_parts(parts, shape, error));
  TAC_OWN(tacVademecum, v) = tac_array_create(1, sizeof *v, "a vademecum", error);
  if (v == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(fill(parts, shape, v, error));
  v->shape = shape;
  *result = tac_give(&v);
  return TAC_OK;
}

void tac_vademecum_set_info(tacVademecum *vademecum, const tacVademecumInfo *info) {
  vademecum->parts.info = *info;
}
void tac_vademecum_set_checks(tacVademecum *vademecum, const tacBakeChecks *checks) {
  tac_reduced_set_checks(vademecum->shape, checks);
}

/* ---- contents ---- */

const tacVademecumParts *tac_vademecum_parts(const tacVademecum *vademecum) {
  return &vademecum->parts;
}
const tacBakeChecks *tac_vademecum_checks(const tacVademecum *vademecum) {
  return tac_reduced_checks(vademecum->shape);
}
const tacVademecumInfo *tac_vademecum_info(const tacVademecum *vademecum) {
  return &vademecum->parts.info;
}
const tacReduced *tac_vademecum_shape(const tacVademecum *vademecum) {
  return vademecum->shape;
}
int tac_vademecum_mode_count(const tacVademecum *vademecum) {
  return tac_reduced_size(vademecum->shape);
}
bool tac_vademecum_is_linear(const tacVademecum *vademecum) {
  return vademecum->parts.sampled.element_count == 0;
}
int tac_vademecum_load_count(const tacVademecum *vademecum) {
  return vademecum->parts.load_count;
}
int tac_vademecum_load_vertex(const tacVademecum *vademecum, int load) {
  return vademecum->parts.vertices[load];
}
int tac_vademecum_load_of(const tacVademecum *vademecum, int vertex) {
  return vademecum->load_of[vertex];
}
double tac_vademecum_load_most(const tacVademecum *vademecum) {
  return vademecum->parts.most;
}
tacVec3 tac_vademecum_load_direction(const tacVademecum *vademecum) {
  return vademecum->parts.terms.direction;
}
double tac_vademecum_load_mode(const tacVademecum *vademecum, int mode, int load, int axis) {
  size_t n = (size_t)tac_vademecum_mode_count(vademecum);
  return (double)vademecum->parts.y[((size_t)load * (size_t)vademecum->term_count + (size_t)axis) * n + (size_t)mode];
}

/* ---- one load ---- */

/* Smallest cosine of the angle between a load and the baked direction: about five degrees. */
static const double same_direction = 0.996;

bool tac_vademecum_covers(const tacVademecum *vademecum, tacVec3 force) {
  tacVec3 direction = vademecum->parts.terms.direction;
  double size = tac_vec3_norm(force);
  if (tac_vec3_norm2(direction) > 0.0 && size > 0.0 && tac_vec3_dot(direction, force) < same_direction * size)
    return false;
  return size <= (1.0 + 1e-9) * vademecum->parts.most;
}

/* Adds `share` times the coordinates of a single load to `q`. False if the force is outside the baked range. */
static bool add_coordinates(const tacVademecum *v, int load, tacVec3 force, double share, double *q) {
  size_t n = (size_t)tac_vademecum_mode_count(v);
  tacVec3 t = tac_vec3_scale(1.0 / v->parts.most, force);
  double size = tac_vec3_norm(t), terms[TAC_LOAD_MOST_TERMS];
  if (size > 1.0) {
    t = tac_vec3_scale(1.0 / size, t);
    share *= size;
  }
  tac_load_terms_values(&v->parts.terms, t, terms);
  const float *y = v->parts.y + (size_t)load * (size_t)v->term_count * n;
  for (int m = 0; m < v->term_count; ++m, y += n) {
    double factor = share * terms[m];
    for (size_t k = 0; k < n; ++k) q[k] += factor * (double)y[k];
  }
  return tac_vademecum_covers(v, force);
}

bool tac_vademecum_coordinates(const tacVademecum *vademecum, int load, tacVec3 force, double *q) {
  memset(q, 0, (size_t)tac_vademecum_mode_count(vademecum) * sizeof *q);
  return add_coordinates(vademecum, load, force, 1.0, q);
}

tacVec3 tac_vademecum_displacement(const tacVademecum *vademecum, int vertex, const double *q) {
  int n = tac_vademecum_mode_count(vademecum);
  double u[3];
  tac_vector_dot3(n, tac_reduced_displacements(vademecum->shape) + 3 * (size_t)n * (size_t)vertex, q, u);
  return tac_vec3(u[0], u[1], u[2]);
}

/* ---- several loads ---- */

struct tacVademecumSolver {
  const tacVademecum *vademecum;
  tacSampledStatics *statics; /* Newton solver; NULL if the vademecum is linear */
  double *load;
};

void tac_vademecum_solver_destroy(tacVademecumSolver *solver) {
  if (solver == NULL) return;
  tac_sampled_statics_destroy(solver->statics);
  free(solver->load);
  free(solver);
}

TAC_OWNED_TYPE(tacVademecumSolver, tac_vademecum_solver_destroy)

tacStatus tac_vademecum_solver_create(const tacVademecum *vademecum, tacVademecumSolver **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacVademecumSolver, solver) = tac_array_create(1, sizeof *solver, "a vademecum's solver", error);
  if (solver == NULL) return TAC_ERR_MEMORY;
  solver->vademecum = vademecum;
  TAC_TRY(TAC_ARRAY(solver->load, (size_t)tac_vademecum_mode_count(vademecum), "a vademecum's solver", error));
  if (!tac_vademecum_is_linear(vademecum))
    TAC_TRY(tac_sampled_statics_create(&vademecum->parts.sampled, &solver->statics, error));
  *result = tac_give(&solver);
  return TAC_OK;
}

static bool superpose(const tacVademecum *v, int count, const tacVademecumLoad *loads, double *q) {
  const tacTriMesh *surface = tac_reduced_surface(v->shape);
  bool within = true;
  memset(q, 0, (size_t)tac_vademecum_mode_count(v) * sizeof *q);
  for (int i = 0; i < count; ++i) {
    if (tac_vec3_norm2(loads[i].force) == 0.0) continue;
    const int *corner = surface->triangles[loads[i].triangle].v;
    for (int c = 0; c < 3; ++c) {
      int s = v->load_of[corner[c]];
      if (loads[i].weight[c] == 0.0 || tac_reduced_fixed(v->shape)[corner[c]]) continue;
      within = s >= 0 && add_coordinates(v, s, loads[i].force, loads[i].weight[c], q) && within;
    }
  }
  return within;
}

/* Computes the modal force X^T f of all loads. The force at a corner is distributed over the same patch as in the
 * bake. */
static void reduce_loads(const tacVademecum *v, int count, const tacVademecumLoad *loads, double *to) {
  const tacTriMesh *surface = tac_reduced_surface(v->shape);
  size_t n = (size_t)tac_vademecum_mode_count(v);
  memset(to, 0, n * sizeof *to);
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) {
      int vertex = surface->triangles[loads[i].triangle].v[c], s = v->load_of[vertex];
      const double *u =
          s >= 0 ? v->parts.rows + 3 * n * (size_t)s : tac_reduced_displacements(v->shape) + 3 * n * (size_t)vertex;
      tacVec3 f = tac_vec3_scale(loads[i].weight[c], loads[i].force);
      for (size_t k = 0; k < n; ++k) to[k] += u[k] * f.x + u[n + k] * f.y + u[2 * n + k] * f.z;
    }
}

tacVademecumSolution tac_vademecum_solve(tacVademecumSolver *solver, int count, const tacVademecumLoad *loads,
                                         int steps, double *q) {
  tacVademecumSolution solution = {.outside = !superpose(solver->vademecum, count, loads, q)};
  if (solver->statics == NULL) return solution;
  reduce_loads(solver->vademecum, count, loads, solver->load);
  solution.steps = tac_sampled_statics_solve(solver->statics, solver->load, steps, steps, 1e-9, q, &solution.residual);
  return solution;
}

/* ---- files ---- */

#define FILE_KIND "vademecum"
#define FILE_VERSION 3 /* format version; 2 distributes loads over patches, 3 renames a chunk */

enum { LAYOUT = 8, NUMBERS = 5, LAW = sizeof((tacVademecumInfo *)0)->law };

tacStatus tac_vademecum_write(const tacVademecum *vademecum, const char *path, tacError *error) {
  const tacVademecumParts *parts = &vademecum->parts;
  uint64_t n = (uint64_t)tac_vademecum_mode_count(vademecum), elements = (uint64_t)parts->sampled.element_count;
  uint64_t loads = (uint64_t)parts->load_count;
  tacVademecumInfo info = parts->info;
  const int32_t layout[LAYOUT] = {parts->terms.degree, parts->load_count,  parts->sampled.element_count,
                                  info.node_count,     info.element_count, info.path_count,
                                  info.sample_count,   info.reached};
  const double numbers[NUMBERS] = {parts->most, parts->terms.direction.x, parts->terms.direction.y,
                                   parts->terms.direction.z, parts->patch};
  double bake[BAKE], *measures[BAKE];
  list_bake(&info, measures);
  for (int i = 0; i < BAKE; ++i) bake[i] = *measures[i];
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_reduced_put(&to, vademecum->shape);
  tac_chunk_transfer_put(&to, "loads", TAC_CHUNK_I32, LAYOUT, layout);
  tac_chunk_transfer_put(&to, "load", TAC_CHUNK_F64, NUMBERS, numbers);
  tac_chunk_transfer_put(&to, "law", TAC_CHUNK_U8, LAW, info.law);
  tac_chunk_transfer_put(&to, "separation", TAC_CHUNK_F64, BAKE, bake);
  tac_chunk_transfer_put(&to, "parameters", TAC_CHUNK_F64, TAC_HYPER_MOST_PARAMETERS,
                         parts->sampled.material.parameters);
  tac_chunk_transfer_put(&to, "density", TAC_CHUNK_F64, 1, &parts->sampled.material.density);
  tac_chunk_transfer_put(&to, "stiffness", TAC_CHUNK_F64, n * n, parts->stiffness);
  tac_chunk_transfer_put(&to, "sampled", TAC_CHUNK_I32, elements, parts->sampled.tets);
  tac_chunk_transfer_put(&to, "volumes", TAC_CHUNK_F64, elements, parts->sampled.volumes);
  tac_chunk_transfer_put_long(&to, "gradients", 9 * n * elements, parts->sampled.gradients);
  tac_chunk_transfer_put(&to, "load vertices", TAC_CHUNK_I32, loads, parts->vertices);
  tac_chunk_transfer_put_long(&to, "rows", 3 * loads * n, parts->rows);
  tac_chunk_transfer_put(&to, "coordinates", TAC_CHUNK_F32, loads * (uint64_t)vademecum->term_count * n, parts->y);
  return tac_chunk_transfer_end(&to);
}

static void take_head(tacChunkTransfer *from, tacVademecumParts *parts) {
  int layout_count = LAYOUT, number_count = NUMBERS, law_count = LAW, bake_count = BAKE, one = 1;
  int parameter_count = TAC_HYPER_MOST_PARAMETERS;
  TAC_MEMORY(int32_t, layout) = tac_chunk_transfer_take(from, "loads", TAC_CHUNK_I32, 1, &layout_count);
  TAC_MEMORY(double, numbers) = tac_chunk_transfer_take(from, "load", TAC_CHUNK_F64, 1, &number_count);
  TAC_MEMORY(char, law) = tac_chunk_transfer_take(from, "law", TAC_CHUNK_U8, 1, &law_count);
  TAC_MEMORY(double, bake) = tac_chunk_transfer_take(from, "separation", TAC_CHUNK_F64, 1, &bake_count);
  TAC_MEMORY(double, parameters) = tac_chunk_transfer_take(from, "parameters", TAC_CHUNK_F64, 1, &parameter_count);
  TAC_MEMORY(double, density) = tac_chunk_transfer_take(from, "density", TAC_CHUNK_F64, 1, &one);
  if (from->status != TAC_OK) return;
  double *measures[BAKE];
  tacVademecumInfo *info = &parts->info;
  parts->terms.degree = layout[0];
  parts->load_count = info->load_count = layout[1];
  parts->sampled.element_count = info->sampled_count = layout[2];
  info->node_count = layout[3];
  info->element_count = layout[4];
  info->path_count = layout[5];
  info->sample_count = layout[6];
  info->reached = layout[7] != 0;
  parts->most = numbers[0];
  parts->terms.direction = tac_vec3(numbers[1], numbers[2], numbers[3]);
  parts->patch = numbers[4];
  memcpy(info->law, law, LAW);
  list_bake(info, measures);
  for (int i = 0; i < BAKE; ++i) *measures[i] = bake[i];
  memcpy(parts->sampled.material.parameters, parameters, sizeof parts->sampled.material.parameters);
  parts->sampled.material.density = density[0];
  if (memchr(law, 0, LAW) == NULL || parts->load_count < 1 || parts->sampled.element_count < 0 ||
      parts->terms.degree < 1 || parts->terms.degree > TAC_LOAD_MOST_DEGREE)
    tac_chunk_transfer_refuse(from, "the header of the vademecum is not valid");
  else if (parts->sampled.element_count > 0 &&
           (parts->sampled.material.law = tac_hyper_law_find(info->law, NULL)) == NULL)
    tac_chunk_transfer_refuse(from, "the material law is unknown");
}

static void take_parts(tacChunkTransfer *from, tacVademecum **result) {
  tacVademecumParts parts = {0};
  TAC_OWN(tacReduced, shape) = tac_reduced_take(from);
  take_head(from, &parts);
  if (from->status != TAC_OK) return;
  int n = tac_reduced_size(shape), elements = parts.sampled.element_count, loads = parts.load_count;
  int square = n * n, sampled = elements, volumes = elements, values = -1;
  parts.sampled.size = parts.info.mode_count = n;
  parts.info.term_count = tac_load_terms_count(&parts.terms);
  TAC_MEMORY(double, stiffness) = tac_chunk_transfer_take(from, "stiffness", TAC_CHUNK_F64, 1, &square);
  TAC_MEMORY(int, tets) = tac_chunk_transfer_take(from, "sampled", TAC_CHUNK_I32, 1, &sampled);
  TAC_MEMORY(double, volume) = tac_chunk_transfer_take(from, "volumes", TAC_CHUNK_F64, 1, &volumes);
  TAC_MEMORY(double, gradients) = tac_chunk_transfer_take_long(from, "gradients", 9 * (uint64_t)n * (uint64_t)elements);
  TAC_MEMORY(int, vertices) = tac_chunk_transfer_take(from, "load vertices", TAC_CHUNK_I32, 1, &loads);
  TAC_MEMORY(double, rows) = tac_chunk_transfer_take_long(from, "rows", 3 * (uint64_t)n * (uint64_t)loads);
  TAC_MEMORY(float, y) = tac_chunk_transfer_take(from, "coordinates", TAC_CHUNK_F32, 1, &values);
  if (from->status == TAC_OK && (double)values != (double)loads * (double)parts.info.term_count * (double)n)
    tac_chunk_transfer_refuse(from, "the number of coordinates does not match the number of loads");
  if (from->status != TAC_OK) return;
  tacError why = {0};
  parts.stiffness = stiffness;
  parts.sampled.tets = tets;
  parts.sampled.volumes = volume;
  parts.sampled.gradients = gradients;
  parts.vertices = vertices;
  parts.rows = rows;
  parts.y = y;
  tacStatus status = tac_vademecum_create(&parts, shape, result, &why);
  if (status == TAC_OK)
    tac_give(&shape);
  else if (status == TAC_ERR_MEMORY)
    from->status = tac_error_set(from->error, status, "%s", why.text);
  else
    tac_chunk_transfer_refuse(from, why.text);
}

tacStatus tac_vademecum_read(const char *path, tacVademecum **result, tacError *error) {
  *result = NULL;
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  take_parts(&from, result);
  return tac_chunk_transfer_end(&from);
}
