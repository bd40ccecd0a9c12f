/* A beam of bricks and a reduced body made from it, for tests. */
#pragma once

#include <stdlib.h>
#include <tactus/reduced.h>
#include "math/geometry/vec3.h"
#include "test.h"

/* Cubes of `edge` along x, y and z, from the origin. */
static inline tacVolMesh *brick_beam_mesh(int nx, int ny, int nz, double edge) {
  tacVolMesh *mesh = NULL;
  tacError why;
  tac_test_ok(tac_volmesh_create((nx + 1) * (ny + 1) * (nz + 1), 0, nx * ny * nz, &mesh, &why), why);
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k)
        mesh->vertices[(i * (ny + 1) + j) * (nz + 1) + k] = tac_vec3(edge * i, edge * j, edge * k);
  int e = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
        for (int c = 0; c < 8; ++c)
          mesh->bricks[e].v[c] = ((i + corner[c][0]) * (ny + 1) + j + corner[c][1]) * (nz + 1) + k + corner[c][2];
        ++e;
      }
  return mesh;
}

/* A body of `size` coordinates from `modes` modes, of a mesh that is destroyed; NULL: nothing is held. 50 kPa, Poisson's ratio 0.3,
 * 1000 kg/m^3. */
static inline tacReduced *reduce_mesh(tacVolMesh *mesh, const bool *held, int modes, int size) {
  tacError why;
  tacMaterial material;
  tac_test_ok(tac_material_isotropic(1000.0, 5e4, 0.3, &material, &why), why);
  tacReducedDef def = tac_reduced_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.volume = mesh;
  def.material_count = 1;
  def.materials = &material;
  def.fixed = held;
  def.mode_count = modes;
  def.size = size;
  tacReduced *reduced = NULL;
  tac_test_ok(tac_reduced_bake(&def, NULL, &reduced, &why), why);
  tac_volmesh_destroy(mesh);
  return reduced;
}

/* The beam; held at x = 0, or free. */
static inline tacReduced *brick_beam_reduced(int nx, int ny, int nz, double edge, bool is_free, int modes, int size) {
  tacVolMesh *mesh = brick_beam_mesh(nx, ny, nz, edge);
  TAC_MEMORY(bool, held) = calloc((size_t)mesh->vertex_count, sizeof *held);
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x < 0.5 * edge;
  return reduce_mesh(mesh, is_free ? NULL : held, modes, size);
}
