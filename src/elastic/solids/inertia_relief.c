#include "elastic/solids/inertia_relief.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/solid_mass.h"
#include "elastic/solids/statics.h"
#include "math/geometry/mat3.h"

enum { MOTIONS = 6 };

struct tacInertiaRelief {
  tacStatics *statics;
  tacInertia mass;
  tacMat3 turn;     /* (R^T M R)^-1 is 1 / mass and this */
  size_t size;      /* 3 numbers a vertex */
  tacArrays arrays; /* all below */
  double *rigid;    /* R, [MOTIONS][size] */
  double *momentum; /* M R, likewise */
};

void tac_inertia_relief_destroy(tacInertiaRelief *relief) {
  if (relief == NULL) return;
  tac_statics_destroy(relief->statics);
  tac_arrays_free(&relief->arrays);
  free(relief);
}

static void make_rigid(const tacVolMesh *mesh, tacVec3 centre, double *rigid) {
  size_t size = 3 * (size_t)mesh->vertex_count;
  for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
    tacVec3 r = tac_vec3_sub(mesh->vertices[v], centre);
    const double turns[3][3] = {{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}}; /* e_i x r */
    for (size_t i = 0; i < 3; ++i) {
      rigid[i * size + 3 * v + i] = 1.0;
      memcpy(rigid + (3 + i) * size + 3 * v, turns[i], sizeof turns[i]);
    }
  }
}

tacStatus tac_inertia_relief_create(const tacSolid *solid, const int support[3], tacInertiaRelief **result,
                                    tacError *error) {
  *result = NULL;
  TAC_FREED(tac_sparse_destroy, tacSparse, mass) = {0};
  TAC_OWN(tacInertiaRelief, relief) = tac_array_create(1, sizeof *relief, "a free body", error);
  if (relief == NULL) return TAC_ERR_MEMORY;
  relief->size = 3 * (size_t)solid->mesh->vertex_count;
  relief->rigid = tac_arrays_add(&relief->arrays, MOTIONS * relief->size, sizeof *relief->rigid);
  relief->momentum = tac_arrays_add(&relief->arrays, MOTIONS * relief->size, sizeof *relief->momentum);
  TAC_TRY(tac_arrays_status(&relief->arrays, "rigid motions", error));
  TAC_TRY(tac_statics_create_free(solid, support, &relief->statics, error));
  TAC_TRY(tac_solid_mass(solid, &relief->mass, error));
  TAC_TRY(tac_assembly_mass(solid->mesh, solid->materials, solid->material_of, solid->mass, &mass, error));
  tacMat3 moments;
  memcpy(moments.m, relief->mass.moments, sizeof moments.m);
  if (!tac_mat3_inverse(moments, &relief->turn))
    return tac_error_set(error, TAC_ERR_SINGULAR,
                         "the moments of inertia of the free body are not positive; check its mesh and density");
  make_rigid(solid->mesh, relief->mass.centre, relief->rigid);
  tac_sparse_multiply_transposed(&mass, relief->rigid, MOTIONS, relief->momentum);
  *result = tac_give(&relief);
  return TAC_OK;
}

const tacInertia *tac_inertia_relief_mass(const tacInertiaRelief *relief) {
  return &relief->mass;
}

/* x -= into (R^T M R)^-1 along^T x */
static void project(const tacInertiaRelief *relief, const double *along, const double *into, int count, double *x) {
  for (; count > 0; --count, x += relief->size) {
    double sum[MOTIONS] = {0.0};
    for (size_t k = 0; k < MOTIONS; ++k)
      for (size_t i = 0; i < relief->size; ++i) sum[k] += along[k * relief->size + i] * x[i];
    tacVec3 turn = tac_mat3_mul_vec(relief->turn, tac_vec3(sum[3], sum[4], sum[5]));
    const double part[MOTIONS] = {
        sum[0] / relief->mass.mass, sum[1] / relief->mass.mass, sum[2] / relief->mass.mass, turn.x, turn.y, turn.z};
    for (size_t k = 0; k < MOTIONS; ++k)
      for (size_t i = 0; i < relief->size; ++i) x[i] -= part[k] * into[k * relief->size + i];
  }
}

void tac_inertia_relief_balance(const tacInertiaRelief *relief, int count, double *forces) {
  project(relief, relief->rigid, relief->momentum, count, forces);
}

tacStatus tac_inertia_relief_solve(tacInertiaRelief *relief, int count, const double *load, double *response,
                                   tacError *error) {
  if (count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of load cases is %d; it must be 0 or more", count);
  if (response != load) memcpy(response, load, (size_t)count * relief->size * sizeof *load);
  tac_inertia_relief_balance(relief, count, response);
  TAC_TRY(tac_statics_solve(relief->statics, count, response, response, error));
  project(relief, relief->momentum, relief->rigid, count, response); /* P u */
  return TAC_OK;
}
