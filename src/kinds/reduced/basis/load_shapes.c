#include "kinds/reduced/basis/load_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "bake/loads/load_spread.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "elastic/solids/finite_statics.h"
#include "elastic/solids/newmark.h"
#include "math/dense/dense.h"
#include "math/geometry/mat3.h"
#include "math/geometry/polar3.h"
#include "mesh/query/embedding.h"

/* MOST_SNAPSHOTS limits the snapshots of a motion. MOST_LOADS limits the loads that are thinned together, because the
 * run time is quadratic. MOST_NUMBERS limits the numbers that describe all loads (0.4 GB). */
enum { MOST_SNAPSHOTS = 300, MOST_LOADS = 1000, MOST_NUMBERS = 50 * 1000 * 1000 };
enum { NUMBERS = 7 }; /* values per sample: position, force and radius */

/* Initial distances for thinning. The distance of loads is relative to the size of the body and the largest force. The
 * distance of shapes is relative to the largest mass norm. */
static const double load_distance = 0.02, shape_distance = 0.01;

void tac_load_shapes_destroy(tacLoadShapes *shapes) {
  free(shapes->vector);
  *shapes = (tacLoadShapes){0};
}

typedef struct Work {
  const tacSolid *solid;
  const tacReducedDef *def;
  const tacConstraints *constraints;
  const tacSparse *mass; /* mass matrix of the free vertices */
  tacLoadShapes *shapes;
} Work;

static double distance2(int dimension, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < dimension; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

int tac_load_shapes_thin(int count, int dimension, const double *points, double distance, bool *keep) {
  TAC_MEMORY(double, density) = malloc((size_t)count * sizeof *density + 1);
  TAC_MEMORY(int, near) = malloc((size_t)count * sizeof *near + 1); /* kept points within `distance` of each point */
  double width2 = distance * distance;
  int kept = count;
  if (density == NULL || near == NULL) return -1;
  for (int i = 0; i < count; ++i) {
    keep[i] = true;
    density[i] = 0.0;
    near[i] = 0;
    for (int j = 0; j < count; ++j) {
      double d2 = distance2(dimension, points + (size_t)i * (size_t)dimension, points + (size_t)j * (size_t)dimension);
      if (j == i || !(d2 < width2)) continue;
      density[i] += (1.0 - d2 / width2) * (1.0 - d2 / width2);
      ++near[i];
    }
  }
  while (kept > 0) {
    int densest = -1; /* index of the densest point; of equally dense points the last one */
    for (int i = 0; i < count; ++i)
      if (keep[i] && near[i] > 0 && (densest < 0 || density[i] >= density[densest])) densest = i;
    if (densest < 0) break;
    keep[densest] = false;
    --kept;
    for (int j = 0; j < count; ++j) {
      double d2 =
          distance2(dimension, points + (size_t)densest * (size_t)dimension, points + (size_t)j * (size_t)dimension);
      if (!keep[j] || !(d2 < width2)) continue;
      density[j] -= (1.0 - d2 / width2) * (1.0 - d2 / width2);
      --near[j];
    }
  }
  return kept;
}

/* Thins points to at least `least` and at most `most` points, by adapting the distance. Fewer points remain if too few
 * points differ. */
static tacStatus thin_to(int count, int dimension, const double *points, double distance, int least, int most,
                         bool *keep, int *kept, tacError *error) {
  bool grown = false;
  for (int attempt = 0; attempt < 100; ++attempt) {
    *kept = tac_load_shapes_thin(count, dimension, points, distance, keep);
    if (*kept < 0) return tac_error_memory(error, (size_t)count * 12, "thinning");
    if (*kept > most) {
      distance *= 1.25;
      grown = true;
    } else if (*kept < least && !grown && attempt < 20) {
      distance *= 0.5;
    } else {
      break;
    }
  }
  return TAC_OK;
}

/* Samples of one time, which act together. */
typedef struct Load {
  double time;
  int first, count;
} Load;

typedef struct Loads {
  int count;
  Load *load;
  tacEmbedding *embedding; /* positions of the samples in the mesh */
  tacLoadSpread spread;
} Loads;

static void destroy_loads(Loads *loads) {
  free(loads->load);
  tac_embedding_destroy(loads->embedding);
  tac_load_spread_free(&loads->spread);
}

static tacStatus check_sample(const tacReducedDef *def, int i, tacError *error) {
  const tacLoadSample *sample = &def->loads[i];
  if (!isfinite(sample->time) || !tac_vec3_finite(sample->point) || !tac_vec3_finite(sample->force))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "load %d has NaN or infinite values", i);
  if (!(sample->radius >= 0.0) || !isfinite(sample->radius))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "load %d has a radius of %g m; it must be 0 or more", i,
                         sample->radius);
  if (i > 0 && sample->time < def->loads[i - 1].time)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "load %d at %g s follows a load at %g s; sort the loads by time", i,
                         sample->time, def->loads[i - 1].time);
  return TAC_OK;
}

static tacStatus create_loads(const Work *work, Loads *loads, tacError *error) {
  const tacReducedDef *def = work->def;
  if (def->load_count < 1 || def->loads == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a basis from loads needs at least one load, and none is given");
  TAC_MEMORY(tacVec3, points) = NULL;
  TAC_TRY(TAC_ARRAY(loads->load, (size_t)def->load_count, "loads", error));
  TAC_TRY(TAC_ARRAY(points, (size_t)def->load_count, "loads", error));
  for (int i = 0; i < def->load_count; ++i) {
    TAC_TRY(check_sample(def, i, error));
    points[i] = def->loads[i].point;
    if (i == 0 || def->loads[i].time != def->loads[i - 1].time)
      loads->load[loads->count++] = (Load){def->loads[i].time, i, 0};
    ++loads->load[loads->count - 1].count;
  }
  TAC_TRY(tac_embedding_create(work->solid->mesh, def->load_count, points, &loads->embedding, error));
  TAC_TRY(tac_load_spread_create(work->solid->mesh, &loads->spread, error));
  for (int i = 0; i < def->load_count; ++i)
    for (int c = 0; c < 8; ++c)
      if (fabs(loads->embedding->weights[i][c]) > 3.0)
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "load %d acts at (%g, %g, %g) m, far outside the body; check that both use the same "
                             "unit and position",
                             i, points[i].x, points[i].y, points[i].z);
  return TAC_OK;
}

/* Computes the forces of a load on the free vertices, N. */
static void set_force(const Work *work, const Loads *loads, const Load *load, double *force) {
  int count = work->solid->mesh->vertex_count;
  memset(force, 0, 3 * (size_t)count * sizeof *force);
  for (int i = load->first; i < load->first + load->count; ++i) {
    const tacLoadSample *sample = &work->def->loads[i];
    tacVec3 f = sample->force;
    if (tac_load_spread_add(&loads->spread, sample->point, sample->radius, f, force)) continue;
    for (int c = 0; c < 8; ++c) {
      int v = loads->embedding->vertices[i][c];
      double weight = loads->embedding->weights[i][c];
      force[3 * (size_t)v] += weight * f.x;
      force[3 * (size_t)v + 1] += weight * f.y;
      force[3 * (size_t)v + 2] += weight * f.z;
    }
  }
  for (int v = 0; v < count; ++v)
    if (work->constraints->held[v]) memset(force + 3 * (size_t)v, 0, 3 * sizeof *force);
}

/* Describes each load as a point for thinning. The coordinates of the point are positions, forces and radii of all
 * samples of the load. Lengths are relative to the size of the body, forces are relative to the largest force. */
static tacStatus describe_loads(const Work *work, const Loads *loads, int *dimension, double **points,
                                tacError *error) {
  double size = tac_vec3_norm(tac_box_size(tac_volmesh_box(work->solid->mesh))), largest = 0.0;
  int most = 0;
  for (int i = 0; i < loads->count; ++i) most = loads->load[i].count > most ? loads->load[i].count : most;
  for (int i = 0; i < work->def->load_count; ++i) largest = fmax(largest, tac_vec3_norm(work->def->loads[i].force));
  if (!(largest > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "all loads are zero; give at least one load that deforms the body");
  if ((double)NUMBERS * most * loads->count > MOST_NUMBERS)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "too many loads to compare: %d loads with up to %d forces at a time; give fewer", loads->count,
                         most);
  *dimension = NUMBERS * most;
  TAC_TRY(TAC_ARRAY(*points, (size_t)loads->count * NUMBERS * (size_t)most, "loads", error));
  for (int i = 0; i < loads->count; ++i)
    for (int s = 0; s < loads->load[i].count; ++s) {
      const tacLoadSample *sample = &work->def->loads[loads->load[i].first + s];
      tacVec3 p = tac_vec3_scale(1.0 / size, sample->point), f = tac_vec3_scale(1.0 / largest, sample->force);
      memcpy(*points + (size_t)i * (size_t)*dimension + NUMBERS * (size_t)s,
             (double[NUMBERS]){p.x, p.y, p.z, f.x, f.y, f.z, sample->radius / size}, NUMBERS * sizeof **points);
    }
  return TAC_OK;
}

static bool acts(const tacReducedDef *def, const Load *load) {
  for (int i = load->first; i < load->first + load->count; ++i)
    if (tac_vec3_norm2(def->loads[i].force) > 0.0) return true;
  return false;
}

static void keep_loads(Loads *loads, double *points, int dimension, const bool *keep) {
  int count = 0;
  for (int i = 0; i < loads->count; ++i) {
    if (!keep[i]) continue;
    loads->load[count] = loads->load[i];
    memmove(points + (size_t)count++ * (size_t)dimension, points + (size_t)i * (size_t)dimension,
            (size_t)dimension * sizeof *points);
  }
  loads->count = count;
}

/* Keeps some tens of distinct loads. A recording may contain hundreds of thousands of loads. Loads are therefore first
 * thinned in groups, with growing distances, until all remaining loads can be thinned together. */
static tacStatus thin_loads(const Work *work, Loads *loads, int dimension, double *points, const tacProgress *progress,
                            tacError *error) {
  int r = work->def->size, count = loads->count, kept;
  TAC_MEMORY(bool, keep) = NULL;
  TAC_TRY(TAC_ARRAY(keep, (size_t)count, "loads", error));
  for (int i = 0; i < count; ++i) keep[i] = acts(work->def, &loads->load[i]);
  keep_loads(loads, points, dimension, keep);
  for (double distance = load_distance / 64.0; loads->count > MOST_LOADS; distance *= 1.25) {
    for (int i = 0; i < loads->count; i += MOST_LOADS) {
      count = loads->count - i < MOST_LOADS ? loads->count - i : MOST_LOADS;
      if (progress != NULL && progress->report != NULL && !progress->report("static shapes", 0.0, progress->user))
        return tac_error_set(error, TAC_ERR_CANCELLED, "static shapes: cancelled");
      TAC_TRY(thin_to(count, dimension, points + (size_t)i * (size_t)dimension, distance, 0, MOST_LOADS, keep + i,
                      &kept, error));
    }
    keep_loads(loads, points, dimension, keep);
  }
  count = loads->count;
  TAC_TRY(thin_to(count, dimension, points, load_distance, 2 * r < count ? 2 * r : count, 3 * r > 64 ? 3 * r : 64, keep,
                  &kept, error));
  keep_loads(loads, points, dimension, keep);
  return TAC_OK;
}

/* ---- Sketch: static shapes ---- */

/* Chooses the next load to solve, and the solved load from which the solution starts. The function chooses the two
 * loads with the smallest distance. `from` is -1 if the solution starts from rest. */
static int next_load(int count, int dimension, const double *points, const bool *solved, int *from) {
  int next = -1;
  double least = INFINITY;
  *from = -1;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count && !solved[i]; ++j) {
      double d2 = solved[j] ? distance2(dimension, points + (size_t)i * (size_t)dimension,
                                        points + (size_t)j * (size_t)dimension)
                            : INFINITY;
      if (!(d2 < least)) continue;
      least = d2;
      next = i;
      *from = j;
    }
  }
  if (next >= 0) return next;
  for (int i = 0; i < count; ++i) { /* no load is solved: choose the load with the smallest forces */
    double force = 0.0;
    for (int d = 0; d < dimension; ++d)
      force += d % 6 < 3 ? 0.0
                         : points[(size_t)i * (size_t)dimension + (size_t)d] *
                               points[(size_t)i * (size_t)dimension + (size_t)d];
    if (!(force < least)) continue;
    least = force;
    next = i;
  }
  return next;
}

/* Smallest fraction of a load whose shape is used if the full load does not converge. */
#define ENOUGH_CARRIED 0.5

static tacStatus solve_load(const Work *work, const Loads *loads, const Load *load, tacFiniteStatics *statics,
                            const double *start, const tacProgressPart *whole, double *force, double *u, int *lowered,
                            tacError *error) {
  size_t bytes = 3 * (size_t)work->solid->mesh->vertex_count * sizeof *u;
  tacError why = {0};
  tacStatus status = TAC_ERR_NO_CONVERGENCE;
  tacNewtonReport report = {0};
  set_force(work, loads, load, force);
  /* Attempt 0 starts from `start`, and attempt 1 starts from rest. */
  for (int attempt = start != NULL ? 0 : 1; attempt < 2 && status != TAC_OK; ++attempt) {
    if (attempt == 0)
      memcpy(u, start, bytes);
    else
      memset(u, 0, bytes);
    double middle = 0.5 * (whole->from + whole->to);
    tacProgressPart part = *whole;
    *(attempt == 0 ? &part.to : &part.from) = middle;
    tacProgress progress = tac_progress_part(&part);
    status = tac_finite_statics_solve(statics, force, &progress, u, &report, &why);
    if (status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED) break;
  }
  if (status == TAC_OK) return TAC_OK;
  if ((status == TAC_ERR_GEOMETRY || status == TAC_ERR_NO_CONVERGENCE) && report.carried >= ENOUGH_CARRIED) {
    ++*lowered; /* `u` is the equilibrium under the fraction report.carried of the load */
    return TAC_OK;
  }
  return tac_error_set(error, status, "load %d, at %g s: %.400s", load->first, load->time, why.text);
}

static tacStatus solve_loads(Work *work, const Loads *loads, int dimension, const double *points,
                             const tacProgress *progress, tacError *error) {
  size_t size = 3 * (size_t)work->solid->mesh->vertex_count;
  TAC_OWN(tacFiniteStatics, statics) = NULL;
  TAC_MEMORY(bool, solved) = NULL;
  TAC_MEMORY(double, force) = NULL;
  int lowered = 0;
  TAC_TRY(TAC_ARRAY(solved, (size_t)loads->count, "loads", error));
  TAC_TRY(TAC_ARRAY(force, size, "a load", error));
  TAC_TRY(TAC_ARRAY(work->shapes->vector, (size_t)loads->count * size, "static shapes", error));
  TAC_TRY(tac_finite_statics_create(work->solid, &statics, error));
  for (int i = 0; i < loads->count; ++i) {
    int from, load = next_load(loads->count, dimension, points, solved, &from);
    tacProgressPart part = {progress, (double)i / loads->count, (i + 1.0) / loads->count, "static shapes"};
    TAC_TRY(solve_load(work, loads, &loads->load[load], statics,
                       from >= 0 ? work->shapes->vector + (size_t)from * size : NULL, &part, force,
                       work->shapes->vector + (size_t)load * size, &lowered, error));
    solved[load] = true;
  }
  if (lowered > 0)
    tac_log(TAC_LOG_WARNING,
            "%d of %d loads exceed what the body can carry; the last equilibrium before the body collapses is used",
            lowered, loads->count);
  work->shapes->count = loads->count;
  return TAC_OK;
}

/* Removes shapes that are near other shapes in the mass norm. If G = V L V^T is the Gram matrix of the shapes, the rows
 * of V L^1/2 are points with the same distances. */
static tacStatus thin_shapes(Work *work, tacError *error) {
  int n = work->shapes->count, rows = work->mass->rows, kept = n, r = work->def->size;
  size_t size = 3 * (size_t)work->solid->mesh->vertex_count;
  double largest = 0.0;
  TAC_FREED(tac_dense_destroy, tacDense, a) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, ma) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, gram) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  bool *keep = tac_arrays_add(&room, (size_t)n, sizeof *keep);
  double *value = tac_arrays_add(&room, (size_t)n, sizeof *value);
  double *points = tac_arrays_add(&room, (size_t)n * (size_t)n, sizeof *points);
  TAC_TRY(tac_arrays_status(&room, "shapes", error));
  TAC_TRY(tac_dense_create(rows, n, &a, error));
  TAC_TRY(tac_dense_create(rows, n, &ma, error));
  TAC_TRY(tac_dense_create(n, n, &gram, error));
  for (int i = 0; i < n; ++i)
    tac_constraints_take(work->constraints, TAC_SIDE_FREE, work->shapes->vector + (size_t)i * size,
                         tac_dense_column(&a, i));
  tac_sparse_multiply_transposed(work->mass, a.a, n, ma.a);
  tac_dense_gemm(1.0, &a, true, &ma, false, 0.0, &gram);
  for (int i = 0; i < n; ++i) largest = fmax(largest, sqrt(tac_dense_column(&gram, i)[i]));
  TAC_TRY(tac_dense_eigen(&gram, value, error));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      points[(size_t)i * (size_t)n + (size_t)j] = sqrt(fmax(value[j], 0.0)) * tac_dense_column(&gram, j)[i];
  TAC_TRY(thin_to(n, n, points, shape_distance * largest, 2 * r < n ? 2 * r : n, n, keep, &kept, error));
  work->shapes->count = 0;
  for (int i = 0; i < n; ++i)
    if (keep[i])
      memmove(work->shapes->vector + (size_t)work->shapes->count++ * size, work->shapes->vector + (size_t)i * size,
              size * sizeof *work->shapes->vector);
  return TAC_OK;
}

tacStatus tac_load_shapes_static(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error) {
  *shapes = (tacLoadShapes){0};
  TAC_FREED(tac_load_shapes_destroy, tacLoadShapes, made) = {0};
  TAC_FREED(destroy_loads, Loads, loads) = {0};
  TAC_MEMORY(double, points) = NULL;
  Work work = {solid, def, constraints, mass, &made};
  int dimension = 0;
  TAC_TRY(create_loads(&work, &loads, error));
  TAC_TRY(describe_loads(&work, &loads, &dimension, &points, error));
  TAC_TRY(thin_loads(&work, &loads, dimension, points, progress, error));
  TAC_TRY(solve_loads(&work, &loads, dimension, points, progress, error));
  TAC_TRY(thin_shapes(&work, error));
  *shapes = (tacLoadShapes){made.count, tac_give(&made.vector)};
  return TAC_OK;
}

/* ---- Motion: snapshots of the full simulation ---- */

/* Removes the best-fitting rigid motion, in the mass product, from the displacement u of a free body. Let c be the
 * centre of mass, y = x + u the positions, and R S the polar decomposition of the sum of (M y)_v (x_v - c)^T over the
 * vertices v. The function rotates y back by R. The new u has no component along an infinitesimal rotation. */
static void remove_rigid_motion(const tacVolMesh *mesh, const tacSparse *mass, double *work[2], double *u) {
  tacVec3 before = {0.0, 0.0, 0.0}, after = {0.0, 0.0, 0.0};
  double *one = work[0], *weighted = work[1], whole = 0.0;
  tacMat3 spread = tac_mat3_zero();
  for (int i = 0; i < mass->rows; ++i) one[i] = 1.0;
  tac_sparse_multiply_transposed(mass, one, 1, weighted); /* mass of each vertex */
  for (int v = 0; v < mesh->vertex_count; ++v) {
    whole += weighted[3 * v];
    before = tac_vec3_mad(before, weighted[3 * v], mesh->vertices[v]);
    tacVec3 y = tac_vec3_add(mesh->vertices[v], tac_vec3(u[3 * v], u[3 * v + 1], u[3 * v + 2]));
    memcpy(one + 3 * (size_t)v, (double[3]){y.x, y.y, y.z}, 3 * sizeof *one);
    after = tac_vec3_mad(after, weighted[3 * v], y);
  }
  before = tac_vec3_scale(1.0 / whole, before);
  after = tac_vec3_scale(1.0 / whole, after);
  tac_sparse_multiply_transposed(mass, one, 1, weighted);
  for (int v = 0; v < mesh->vertex_count; ++v)
    spread = tac_mat3_add(spread, tac_mat3_outer(tac_vec3(weighted[3 * v], weighted[3 * v + 1], weighted[3 * v + 2]),
                                                 tac_vec3_sub(mesh->vertices[v], before)));
  tacMat3 back = tac_mat3_transpose(tac_polar3(spread, NULL));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 y = tac_vec3_sub(tac_vec3(one[3 * v], one[3 * v + 1], one[3 * v + 2]), after);
    tacVec3 d = tac_vec3_sub(tac_mat3_mul_vec(back, y), tac_vec3_sub(mesh->vertices[v], before));
    memcpy(u + 3 * (size_t)v, (double[3]){d.x, d.y, d.z}, 3 * sizeof *u);
  }
}

static tacStatus simulate(Work *work, const Loads *loads, int steps, const tacProgress *progress, tacError *error) {
  const tacReducedDef *def = work->def;
  size_t size = 3 * (size_t)work->solid->mesh->vertex_count;
  int every = (steps + MOST_SNAPSHOTS - 1) / MOST_SNAPSHOTS, current = -1;
  tacNewmarkDef newmark_def = tac_newmark_def_default();
  newmark_def.step = def->motion_step;
  /* This tolerance suffices for snapshots. In slender bodies rounding prevents a much smaller residual. */
  newmark_def.tolerance = 1e-6;
  newmark_def.most_newton = 20;
  newmark_def.mass_damping = def->mass_damping;
  newmark_def.stiffness_damping = def->stiffness_damping;
  TAC_OWN(tacNewmark, newmark) = NULL;
  bool is_free = work->constraints->count[TAC_SIDE_HELD] == 0;
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *force = tac_arrays_add(&room, size, sizeof *force);
  double *spare[2];
  for (int i = 0; i < 2; ++i) spare[i] = tac_arrays_add(&room, size, sizeof *spare[i]);
  TAC_TRY(tac_arrays_status(&room, "snapshots", error));
  TAC_TRY(TAC_ARRAY(work->shapes->vector, (size_t)(steps / every) * size, "snapshots", error));
  TAC_TRY(tac_newmark_create(work->solid, &newmark_def, &newmark, error));
  for (int s = 0; s <= steps; ++s) {
    double time = loads->load[0].time + s * def->motion_step;
    tacError why = {0};
    bool changed = false;
    if (progress != NULL && progress->report != NULL &&
        !progress->report("full simulation", (double)s / steps, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "full simulation: cancelled");
    while (current + 1 < loads->count && loads->load[current + 1].time <= time + 1e-9 * def->motion_step) {
      ++current;
      changed = true;
    }
    if (changed) set_force(work, loads, &loads->load[current], force);
    tacStatus status =
        s == 0 ? tac_newmark_start(newmark, NULL, NULL, force, &why) : tac_newmark_step(newmark, force, &why);
    if (status != TAC_OK)
      return tac_error_set(error, status, "the motion fails under load %d, at %g s: %.400s", loads->load[current].first,
                           time, why.text);
    if (s > 0 && s % every == 0 && work->shapes->count < steps / every) {
      double *u = work->shapes->vector + (size_t)work->shapes->count++ * size;
      memcpy(u, tac_newmark_displacement(newmark), size * sizeof *u);
      if (is_free) remove_rigid_motion(work->solid->mesh, work->mass, spare, u);
    }
  }
  return TAC_OK;
}

static tacStatus check_motion(const tacReducedDef *def, tacError *error) {
  const double numbers[] = {def->motion_step, def->motion_duration, def->mass_damping, def->stiffness_damping};
  bool good = def->motion_step > 0.0;
  for (int i = 0; i < 4; ++i) good &= numbers[i] >= 0.0 && isfinite(numbers[i]);
  if (good) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "the motion of %g s in steps of %g s with damping alpha %g 1/s and beta %g s is not valid; "
                       "the step must be positive, and the other values 0 or more",
                       def->motion_duration, def->motion_step, def->mass_damping, def->stiffness_damping);
}

tacStatus tac_load_shapes_moving(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error) {
  *shapes = (tacLoadShapes){0};
  TAC_FREED(tac_load_shapes_destroy, tacLoadShapes, made) = {0};
  TAC_FREED(destroy_loads, Loads, loads) = {0};
  Work work = {solid, def, constraints, mass, &made};
  TAC_TRY(check_motion(def, error));
  TAC_TRY(create_loads(&work, &loads, error));
  double duration = def->motion_duration;
  if (duration == 0.0) duration = loads.load[loads.count - 1].time - loads.load[0].time;
  double steps = ceil(duration / def->motion_step - 1e-9);
  if (!(steps >= 1.0 && steps <= 1e7))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the motion of %g s in steps of %g s is not valid; give a duration, or loads at different "
                         "times, that makes 1 to 1e7 steps",
                         duration, def->motion_step);
  TAC_TRY(simulate(&work, &loads, (int)steps, progress, error));
  *shapes = (tacLoadShapes){made.count, tac_give(&made.vector)};
  return TAC_OK;
}
