#include "elastic/solids/statics.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/constraints.h"
#include "math/geometry/mat3.h"
#include "math/random.h"
#include "math/sparse/factor.h"

/* Right-hand sides that are solved at once: enough for panels on all threads, few enough for the cache. */
enum { BLOCK = 32 };

struct tacStatics {
  tacConstraints constraints;
  tacFactor *factor;    /* of K_ff; NULL where every vertex is held */
  tacSparse coupling;   /* K_fc */
  tacSparse held_block; /* K_cc */
};

/* Parts that turn about a common vertex or edge cost no energy, but rounding may let their matrix pass as positive definite.
 * A load then remains unbalanced. */
static tacStatus check_solution(tacStatics *statics, const tacSparse *free_block, tacError *error) {
  size_t size = (size_t)free_block->rows;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *load = tac_arrays_add(&work, size, sizeof *load), *solution = tac_arrays_add(&work, size, sizeof *solution);
  double *balance = tac_arrays_add(&work, size, sizeof *balance);
  TAC_TRY(tac_arrays_status(&work, "a load", error));
  tacRandom random = tac_random_seed(1);
  for (size_t i = 0; i < size; ++i) load[i] = tac_random_uniform(&random, -1.0, 1.0);
  TAC_TRY(tac_factor_solve(statics->factor, load, 1, solution, error));
  tac_sparse_multiply_transposed(free_block, solution, 1, balance);
  double left = 0.0, all = 0.0;
  for (size_t i = 0; i < size; ++i) {
    left += (balance[i] - load[i]) * (balance[i] - load[i]);
    all += load[i] * load[i];
  }
  if (left <= 1e-8 * all) return TAC_OK;
  return tac_error_set(error, TAC_ERR_SINGULAR,
                       "the stiffness matrix is nearly singular: parts of the mesh may share only a vertex or an "
                       "edge and rotate about it, or stiffnesses differ too much");
}

static tacStatus factor_free_block(tacStatics *statics, const tacSparse *stiffness, tacError *error) {
  TAC_FREED(tac_sparse_destroy, tacSparse, free_block) = {0};
  TAC_TRY(tac_constraints_block(&statics->constraints, stiffness, TAC_SIDE_FREE, TAC_SIDE_FREE, &free_block, error));
  TAC_TRY(tac_factor_create(&free_block, &statics->factor, error));
  tacStatus status = tac_factor_update(statics->factor, free_block.value, error);
  if (status == TAC_ERR_SINGULAR)
    tac_error_set(error, TAC_ERR_SINGULAR,
                  "the stiffness matrix is singular: parts of the mesh share only a vertex or an edge and can rotate "
                  "about it; connect them by faces");
  return status == TAC_OK ? check_solution(statics, &free_block, error) : status;
}

static tacStatus make_blocks(tacStatics *made, const tacSparse *stiffness, tacError *error) {
  const tacConstraints *constraints = &made->constraints;
  TAC_TRY(tac_constraints_block(constraints, stiffness, TAC_SIDE_FREE, TAC_SIDE_HELD, &made->coupling, error));
  TAC_TRY(tac_constraints_block(constraints, stiffness, TAC_SIDE_HELD, TAC_SIDE_HELD, &made->held_block, error));
  return constraints->count[TAC_SIDE_FREE] > 0 ? factor_free_block(made, stiffness, error) : TAC_OK;
}

static tacStatus check_mesh(const tacVolMesh *mesh, tacError *error) {
  TAC_TRY(tac_volmesh_validate(mesh, error));
  return tac_element_count(mesh) > 0 ? TAC_OK
                                     : tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
}

tacStatus tac_statics_create(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                             const bool *held, tacStatics **statics, tacError *error) {
  *statics = NULL;
  TAC_TRY(check_mesh(mesh, error));
  TAC_FREED(tac_sparse_destroy, tacSparse, stiffness) = {0};
  TAC_OWN(tacStatics, made) = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_constraints_create(mesh->vertex_count, held, &made->constraints, error));
  TAC_TRY(tac_constraints_check(&made->constraints, mesh, error));
  TAC_TRY(tac_assembly_stiffness(mesh, materials, material_of, &stiffness, error));
  TAC_TRY(make_blocks(made, &stiffness, error));
  *statics = tac_give(&made);
  return TAC_OK;
}

/* Far apart: the one farthest from the first vertex, the one farthest from that, the one farthest from their line. */
static void choose_support(const tacVolMesh *mesh, int support[3]) {
  const tacVec3 *x = mesh->vertices;
  for (int k = 0; k < 2; ++k) {
    double most = -1.0;
    tacVec3 from = k == 0 ? x[0] : x[support[0]];
    for (int v = 0; v < mesh->vertex_count; ++v) {
      double distance = tac_vec3_distance(x[v], from);
      if (distance > most) most = distance, support[k] = v;
    }
  }
  double most = -1.0;
  tacVec3 line = tac_vec3_sub(x[support[1]], x[support[0]]);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double beside = tac_vec3_norm(tac_vec3_cross(line, tac_vec3_sub(x[v], x[support[0]])));
    if (beside > most) most = beside, support[2] = v;
  }
}

/* Adds k to a vertex's block of a stiffness matrix, which holds all of it. */
static void add_spring(tacSparse *stiffness, int vertex, tacMat3 k) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      int at = tac_sparse_find(stiffness, 3 * vertex + r, 3 * vertex + c);
      if (at >= 0) stiffness->value[at] += k.m[r][c];
    }
}

/* As stiff as the solid is on average. */
static void add_support(const tacVolMesh *mesh, const int support[3], tacSparse *stiffness) {
  const tacVec3 *x = mesh->vertices;
  double mean = 0.0;
  for (int i = 0; i < stiffness->cols; ++i) {
    int at = tac_sparse_find(stiffness, i, i);
    mean += at >= 0 ? stiffness->value[at] / stiffness->cols : 0.0;
  }
  tacVec3 line = tac_vec3_unit(tac_vec3_sub(x[support[1]], x[support[0]]));
  tacVec3 normal = tac_vec3_unit(tac_vec3_cross(line, tac_vec3_sub(x[support[2]], x[support[0]])));
  tacMat3 all = tac_mat3_diagonal(mean, mean, mean);
  add_spring(stiffness, support[0], all);
  add_spring(stiffness, support[1], tac_mat3_sub(all, tac_mat3_scale(mean, tac_mat3_outer(line, line))));
  add_spring(stiffness, support[2], tac_mat3_scale(mean, tac_mat3_outer(normal, normal)));
}

tacStatus tac_statics_create_free(const tacSolid *solid, const int support[3], tacStatics **statics, tacError *error) {
  *statics = NULL;
  TAC_TRY(check_mesh(solid->mesh, error));
  int chosen[3];
  const tacSolid bare = {.mesh = solid->mesh}; /* of which nothing is held */
  TAC_FREED(tac_sparse_destroy, tacSparse, stiffness) = {0};
  TAC_OWN(tacStatics, made) = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_solid_constraints(&bare, &made->constraints, error));
  TAC_TRY(tac_solid_check_parts(&bare, &made->constraints, error));
  TAC_TRY(tac_assembly_stiffness(solid->mesh, solid->materials, solid->material_of, &stiffness, error));
  if (support == NULL) choose_support(solid->mesh, chosen);
  add_support(solid->mesh, support != NULL ? support : chosen, &stiffness);
  TAC_TRY(make_blocks(made, &stiffness, error));
  *statics = tac_give(&made);
  return TAC_OK;
}

void tac_statics_destroy(tacStatics *statics) {
  if (statics == NULL) return;
  tac_constraints_destroy(&statics->constraints);
  tac_factor_destroy(statics->factor);
  tac_sparse_destroy(&statics->coupling);
  tac_sparse_destroy(&statics->held_block);
  free(statics);
}

/* Up to BLOCK cases. `free_part` and `held_part` hold as many, `product` one of each side. */
static tacStatus solve_block(tacStatics *statics, int count, const double *load, double *response, double *free_part,
                             double *held_part, double *product, tacError *error) {
  const tacConstraints *constraints = &statics->constraints;
  size_t size = 3 * (size_t)constraints->vertex_count;
  size_t free_size = 3 * (size_t)constraints->count[TAC_SIDE_FREE];
  size_t held_size = 3 * (size_t)constraints->count[TAC_SIDE_HELD];
  for (int i = 0; i < count; ++i) {
    double *f = free_part + (size_t)i * free_size, *u = held_part + (size_t)i * held_size;
    tac_constraints_take(constraints, TAC_SIDE_FREE, load + (size_t)i * size, f);
    tac_constraints_take(constraints, TAC_SIDE_HELD, load + (size_t)i * size, u);
    tac_sparse_multiply(&statics->coupling, u, 1, product);
    for (size_t k = 0; k < free_size; ++k) f[k] -= product[k];
  }
  if (statics->factor != NULL) TAC_TRY(tac_factor_solve(statics->factor, free_part, count, free_part, error));
  for (int i = 0; i < count; ++i) {
    double *f = free_part + (size_t)i * free_size, *u = held_part + (size_t)i * held_size;
    tac_constraints_put(constraints, TAC_SIDE_FREE, f, response + (size_t)i * size);
    tac_sparse_multiply_transposed(&statics->coupling, f, 1, product);
    tac_sparse_multiply_transposed(&statics->held_block, u, 1, product + held_size);
    for (size_t k = 0; k < held_size; ++k) u[k] = product[k] + product[held_size + k];
    tac_constraints_put(constraints, TAC_SIDE_HELD, u, response + (size_t)i * size);
  }
  return TAC_OK;
}

tacStatus tac_statics_solve(tacStatics *statics, int count, const double *load, double *response, tacError *error) {
  if (count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of load cases is %d; it must be 0 or more", count);
  const int *sides = statics->constraints.count;
  size_t size = 3 * (size_t)statics->constraints.vertex_count;
  for (int i = 0; i < count; ++i) {
    for (size_t k = 0; k < size; ++k)
      if (!isfinite(load[(size_t)i * size + k]))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "load case %d is NaN or infinite at vertex %zu", i, k / 3);
  }
  size_t block = (size_t)(count < BLOCK ? count : BLOCK), most = size + 3 * (size_t)sides[TAC_SIDE_HELD];
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *free_part = tac_arrays_add(&work, block * 3 * (size_t)sides[TAC_SIDE_FREE], sizeof *free_part);
  double *held_part = tac_arrays_add(&work, block * 3 * (size_t)sides[TAC_SIDE_HELD], sizeof *held_part);
  double *product = tac_arrays_add(&work, most, sizeof *product);
  TAC_TRY(tac_arrays_status(&work, "load cases", error));
  for (int i = 0; i < count; i += BLOCK)
    TAC_TRY(solve_block(statics, count - i < BLOCK ? count - i : BLOCK, load + (size_t)i * size,
                        response + (size_t)i * size, free_part, held_part, product, error));
  return TAC_OK;
}
