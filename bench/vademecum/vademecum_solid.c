#include "bench/vademecum/vademecum_solid.h"

#include <stdlib.h>
#include <tactus/material.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_division.h"

/* Shear modulus and Lame's second constant. */
static tacLawMaterial st_venant_kirchhoff(double young, double poisson, double density) {
  return (tacLawMaterial){
      .law = "st-venant-kirchhoff",
      .parameters = {0.5 * young / (1.0 + poisson), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))},
      .density = density};
}

/* Shear and bulk modulus. */
static tacLawMaterial neo_hookean(double young, double poisson, double density) {
  return (tacLawMaterial){.law = "neo-hookean",
                          .parameters = {0.5 * young / (1.0 + poisson), young / (3.0 - 6.0 * poisson)},
                          .density = density};
}

/* Takes the mesh; holds vertices whose place along an axis is at most `at`. */
static tacStatus hold(tacVolMesh *mesh, int axis, double at, tacVademecumSolid *solid, tacError *error) {
  *solid = (tacVademecumSolid){.mesh = mesh, .def = tac_vademecum_def_default()};
  solid->fixed = tac_array_create((size_t)mesh->vertex_count, sizeof *solid->fixed, "a solid", error);
  if (solid->fixed == NULL) {
    tac_vademecum_solid_destroy(solid);
    return TAC_ERR_MEMORY;
  }
  for (int v = 0; v < mesh->vertex_count; ++v) solid->fixed[v] = (&mesh->vertices[v].x)[axis] <= at;
  solid->def.mesh = mesh;
  solid->def.fixed = solid->fixed;
  return TAC_OK;
}

void tac_vademecum_solid_destroy(tacVademecumSolid *solid) {
  tac_volmesh_destroy(solid->mesh);
  free(solid->fixed);
  free(solid->accessible);
  *solid = (tacVademecumSolid){0};
}

tacStatus tac_vademecum_solid_beam(double size, bool any, tacVademecumSolid *solid, tacError *error) {
  *solid = (tacVademecumSolid){0};
  tacVolMesh *bricks = NULL, *mesh = NULL;
  tacStatus status = tac_shape_bricks("beam", size, &bricks, error);
  if (status == TAC_OK) status = tac_brick_division(bricks, &mesh, error);
  tac_volmesh_destroy(bricks);
  if (status == TAC_OK) status = hold(mesh, 0, 1e-9, solid, error);
  if (status != TAC_OK) return status;
  solid->def.material = st_venant_kirchhoff(209e9, 0.3, 7800.0);
  solid->def.load = 1e6;
  if (!any) solid->def.direction = tac_vec3(0.0, 0.0, -1.0);
  return TAC_OK;
}

tacStatus tac_vademecum_solid_blob(double size, bool any, tacVademecumSolid *solid, tacError *error) {
  *solid = (tacVademecumSolid){0};
  tacTriMesh *surface = NULL;
  tacVolMesh *mesh = NULL;
  tacStuffingDef def = tac_stuffing_def_default();
  def.size = size;
  tacStatus status = tac_shape_build("blob", 0.0, NULL, &surface, error);
  if (status == TAC_OK) status = tac_stuffing_fill(surface, &def, NULL, &mesh, error);
  tac_trimesh_destroy(surface);
  if (status == TAC_OK) status = hold(mesh, 2, 0.004, solid, error);
  if (status != TAC_OK) return status;
  solid->def.material = neo_hookean(60e3, 0.4, 500.0);
  solid->def.load = 4.0;
  solid->def.patch = 0.015;
  solid->def.accuracy = 0.1;
  if (!any) solid->def.direction = tac_vec3(0.0, 0.0, -1.0);
  return TAC_OK;
}

/* ---- blocks ---- */

static tacStatus make_block(const int cells[3], double edge, tacVolMesh **mesh, tacError *error) {
  /* corners of a brick, and the bricks of a lattice, are counted along x first */
  static const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int n[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
  tacVolMesh *bricks = NULL;
  tacStatus status = tac_volmesh_create(n[0] * n[1] * n[2], 0, cells[0] * cells[1] * cells[2], &bricks, error);
  if (status != TAC_OK) return status;
  for (int v = 0; v < bricks->vertex_count; ++v)
    bricks->vertices[v] = tac_vec3_scale(edge, tac_vec3(v % n[0], v / n[0] % n[1], v / (n[0] * n[1])));
  for (int b = 0; b < bricks->brick_count; ++b)
    for (int c = 0; c < 8; ++c) {
      int x = b % cells[0] + at[c][0], y = b / cells[0] % cells[1] + at[c][1], z = b / (cells[0] * cells[1]) + at[c][2];
      bricks->bricks[b].v[c] = (z * n[1] + y) * n[0] + x;
    }
  status = tac_brick_division(bricks, mesh, error);
  tac_volmesh_destroy(bricks);
  return status;
}

/* Each k-th of the surface's free vertices. */
static tacStatus choose_accessible(int loads, tacVademecumSolid *solid, tacError *error) {
  tacTriMesh *surface = NULL;
  int *vertex_of = NULL, count = 0, seen = 0, chosen = 0;
  tacStatus status = tac_volmesh_surface(solid->mesh, &surface, &vertex_of, NULL, error);
  if (status != TAC_OK) return status;
  solid->accessible = tac_array_create((size_t)solid->mesh->vertex_count, sizeof *solid->accessible, "a solid", error);
  if (solid->accessible == NULL) status = TAC_ERR_MEMORY;
  for (int v = 0; v < surface->vertex_count; ++v) count += !solid->fixed[vertex_of[v]];
  for (int v = 0; status == TAC_OK && v < surface->vertex_count; ++v) {
    if (solid->fixed[vertex_of[v]]) continue;
    ++seen;
    if ((long)seen * loads / count <= chosen) continue;
    solid->accessible[vertex_of[v]] = true;
    ++chosen;
  }
  solid->def.accessible = solid->accessible;
  tac_trimesh_destroy(surface);
  free(vertex_of);
  return status;
}

tacStatus tac_vademecum_solid_block(const int cells[3], int loads, tacVademecumSolid *solid, tacError *error) {
  *solid = (tacVademecumSolid){0};
  tacVolMesh *mesh = NULL;
  tacStatus status = make_block(cells, 0.004, &mesh, error);
  if (status == TAC_OK) status = hold(mesh, 0, 1e-9, solid, error);
  if (status != TAC_OK) return status;
  solid->def.material = neo_hookean(60e3, 0.4, 500.0);
  solid->def.load = 0.4;
  solid->def.accuracy = 0.1;
  solid->def.direction = tac_vec3(0.0, 0.0, -1.0);
  status = choose_accessible(loads, solid, error);
  if (status != TAC_OK) tac_vademecum_solid_destroy(solid);
  return status;
}
