#include "kinds/reduced/basis/vibration_modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/solids/assembly.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"
#include "math/sparse/eigen.h"

/* `MORE` is the number of extra modes of a free body. Symmetries give at most five modes the same eigenvalue. */
enum { RIGID = 6, MORE = 4 };

void tac_vibration_modes_destroy(tacVibrationModes *modes) {
  free(modes->value);
  free(modes->vector);
  free(modes->rigid);
  *modes = (tacVibrationModes){0};
}

typedef struct Problem {
  tacConstraints constraints;
  bool is_free;
  tacSparse stiffness, mass; /* matrices of the free vertices */
  double mean;               /* mean eigenvalue, trace K / trace M */
} Problem;

static void destroy_problem(Problem *problem) {
  tac_constraints_destroy(&problem->constraints);
  tac_sparse_destroy(&problem->stiffness);
  tac_sparse_destroy(&problem->mass);
}

tacStatus tac_vibration_modes_blocks(const tacSolid *solid, tacConstraints *constraints, tacSparse *stiffness,
                                     tacSparse *mass, tacError *error) {
  *constraints = (tacConstraints){0};
  *mass = (tacSparse){0};
  if (stiffness != NULL) *stiffness = (tacSparse){0};
  const tacVolMesh *mesh = solid->mesh;
  TAC_FREED(tac_sparse_destroy, tacSparse, whole_stiffness) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, whole_mass) = {0};
  TAC_FREED(destroy_problem, Problem, made) = {0};
  TAC_TRY(tac_volmesh_validate(mesh, error));
  TAC_TRY(tac_solid_constraints(solid, &made.constraints, error));
  if (stiffness != NULL) {
    TAC_TRY(tac_assembly_stiffness(mesh, solid->materials, solid->material_of, &whole_stiffness, error));
    TAC_TRY(tac_constraints_block(&made.constraints, &whole_stiffness, TAC_SIDE_FREE, TAC_SIDE_FREE, &made.stiffness,
                                  error));
    tac_sparse_destroy(&whole_stiffness);
  }
  TAC_TRY(tac_assembly_mass(mesh, solid->materials, solid->material_of, solid->mass, &whole_mass, error));
  TAC_TRY(tac_constraints_block(&made.constraints, &whole_mass, TAC_SIDE_FREE, TAC_SIDE_FREE, &made.mass, error));
  *constraints = made.constraints;
  *mass = made.mass;
  if (stiffness != NULL) *stiffness = made.stiffness;
  made = (Problem){0};
  return TAC_OK;
}

static tacStatus create_problem(const tacSolid *solid, Problem *problem, tacError *error) {
  TAC_TRY(tac_vibration_modes_blocks(solid, &problem->constraints, &problem->stiffness, &problem->mass, error));
  if (tac_element_count(solid->mesh) == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
  problem->is_free = problem->constraints.count[TAC_SIDE_HELD] == 0;
  TAC_TRY(tac_solid_check_parts(solid, &problem->constraints, error));
  double trace_k = 0.0, trace_m = 0.0;
  for (int i = 0; i < problem->mass.rows; ++i) {
    trace_k += problem->stiffness.value[tac_sparse_find(&problem->stiffness, i, i)];
    trace_m += problem->mass.value[tac_sparse_find(&problem->mass, i, i)];
  }
  problem->mean = trace_k / trace_m;
  return TAC_OK;
}

/* Makes column `index` mass-orthonormal to the previous columns. Two passes are made, because one pass leaves
 * cancellation errors. */
static void orthonormalise(const tacSparse *mass, double *vectors, int index, double *product) {
  int n = mass->rows;
  double *x = vectors + (size_t)index * (size_t)n;
  for (int pass = 0; pass < 2; ++pass) {
    tac_sparse_multiply_transposed(mass, x, 1, product);
    for (int i = 0; i < index; ++i) {
      const double *y = vectors + (size_t)i * (size_t)n;
      tac_vector_add(n, -tac_vector_dot(n, y, product), y, x);
    }
    tac_sparse_multiply_transposed(mass, x, 1, product);
    tac_vector_scale(n, 1.0 / sqrt(tac_vector_dot(n, x, product)), x);
  }
}

/* Computes mass-orthonormal translations and rotations about the centre of the mesh, in the first six columns. */
static void make_rigid(const tacVolMesh *mesh, const tacSparse *mass, double *vectors, double *product) {
  tacVec3 middle = tac_box_centre(tac_volmesh_box(mesh));
  for (int i = 0; i < RIGID; ++i) {
    double *x = vectors + (size_t)i * 3 * (size_t)mesh->vertex_count;
    tacVec3 axis = tac_vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 u = i < 3 ? axis : tac_vec3_cross(axis, tac_vec3_sub(mesh->vertices[v], middle));
      memcpy(x + 3 * (size_t)v, (double[3]){u.x, u.y, u.z}, 3 * sizeof *x);
    }
    orthonormalise(mass, vectors, i, product);
  }
}

/* Makes the largest entry positive. If several entries are equally large, as in symmetric bodies, the first of these
 * entries becomes positive. */
static void fix_sign(int n, double *x) {
  double largest = 0.0;
  for (int j = 0; j < n; ++j) largest = fmax(largest, fabs(x[j]));
  int i = 0;
  while (fabs(x[i]) < (1.0 - 1e-6) * largest) ++i;
  if (x[i] < 0.0) tac_vector_scale(n, -1.0, x);
}

/* Detects mechanisms. A motion without strain that is not rigid has an eigenvalue of zero, up to rounding. */
static tacStatus check_values(const Problem *problem, const tacEigen *eigen, int rigid, tacError *error) {
  double noise = DBL_EPSILON * problem->mean;
  for (int i = 0; i < rigid; ++i) noise = fmax(noise, fabs(eigen->value[i]));
  if (rigid < eigen->count && eigen->value[rigid] > 100.0 * noise) return TAC_OK;
  return tac_error_set(error, TAC_ERR_GEOMETRY,
                       "the mesh can move without strain%s: some parts share only a vertex or an edge and can rotate "
                       "about it (connect them by faces), or the mesh is a thousand times longer than thick",
                       problem->is_free ? " in more ways than a rigid body" : "");
}

static tacStatus fill(const tacSolid *solid, const Problem *problem, const tacEigen *eigen, int count,
                      tacVibrationModes *modes, tacError *error) {
  int n = problem->mass.rows, rigid = problem->is_free ? RIGID : 0, all = eigen->count - rigid;
  size_t size = 3 * (size_t)solid->mesh->vertex_count, free_size = (size_t)n;
  *modes = (tacVibrationModes){.size = (int)size, .count = count, .more_count = all - count, .rigid_count = rigid};
  TAC_MEMORY(double, work) = NULL;
  TAC_MEMORY(double, product) = NULL;
  TAC_TRY(TAC_ARRAY(work, (size_t)(rigid + all) * free_size, "vibration modes", error));
  TAC_TRY(TAC_ARRAY(product, free_size, "vibration modes", error));
  TAC_TRY(TAC_ARRAY(modes->value, (size_t)all, "vibration modes", error));
  TAC_TRY(TAC_ARRAY(modes->vector, (size_t)all * size, "vibration modes", error));
  TAC_TRY(TAC_ARRAY(modes->rigid, (size_t)rigid * size, "rigid motions", error));
  if (rigid > 0) make_rigid(solid->mesh, &problem->mass, work, product);
  /* A free body has no held vertices, so its free vertices are all vertices. */
  memcpy(modes->rigid, work, (size_t)rigid * size * sizeof *work);
  memcpy(modes->value, eigen->value + rigid, (size_t)all * sizeof *modes->value);
  memcpy(work + (size_t)rigid * free_size, eigen->vector + (size_t)rigid * free_size,
         (size_t)all * free_size * sizeof *work);
  for (int i = 0; i < all; ++i) {
    double *x = work + (size_t)(rigid + i) * free_size;
    orthonormalise(&problem->mass, work, rigid + i, product);
    fix_sign(n, x);
    tac_constraints_put(&problem->constraints, TAC_SIDE_FREE, x, modes->vector + (size_t)i * size);
  }
  return TAC_OK;
}

tacStatus tac_vibration_modes_compute(const tacSolid *solid, int count, const tacProgress *progress,
                                      tacVibrationModes *modes, tacError *error) {
  *modes = (tacVibrationModes){0};
  if (count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of vibration modes (%d); at least 1 is "
                         "needed",
                         count);
  TAC_FREED(destroy_problem, Problem, problem) = {0};
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen) = {0};
  TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, made) = {0};
  TAC_TRY(create_problem(solid, &problem, error));
  int rigid = problem.is_free ? RIGID : 0, most = problem.mass.rows - rigid;
  if (count > most)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%d vibration modes are wanted, but the body has only %d; ask for fewer, or use a finer mesh",
                         count, most);
  int more = problem.is_free ? (most - count < MORE ? most - count : MORE) : 0;
  /* Reports progress before the initial factorisation, which may take seconds and cannot be cancelled. */
  if (progress != NULL && progress->report != NULL && !progress->report("eigenpairs", 0.0, progress->user))
    return tac_error_set(error, TAC_ERR_CANCELLED, "eigenpairs: cancelled");
  TAC_TRY(tac_eigen_lowest(&problem.stiffness, &problem.mass, count + rigid + more, progress, &eigen, error));
  TAC_TRY(check_values(&problem, &eigen, rigid, error));
  TAC_TRY(fill(solid, &problem, &eigen, count, &made, error));
  *modes = made;
  made = (tacVibrationModes){0};
  return TAC_OK;
}
