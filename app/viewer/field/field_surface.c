#include "app/viewer/field/field_surface.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/meshing.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

enum { GRID_SAMPLES = 129, ANALYTIC_SAMPLES = 97, DEFORMED_SAMPLES = 57 }; /* along the longest side */

static double spacing_of(const tacFieldMoment *moment) {
  double longest = tac_box_longest(moment->box);
  if (moment->pose != NULL) return longest / (DEFORMED_SAMPLES - 1);
  if (moment->voxel == 0.0) return longest / (ANALYTIC_SAMPLES - 1);
  return moment->voxel * ceil(longest / moment->voxel / (GRID_SAMPLES - 1) - 1e-6);
}

/* Nodes along a side, at least two. */
static int node_count(double side, double spacing) {
  return (int)fmax(1.0, floor(side / spacing + 1e-6)) + 1;
}

static void sample(const tacFieldMoment *moment, tacGrid *grid) {
  float *to = grid->values;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i)
        *to++ = (float)tac_field_moment_value(moment, tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k)));
}

static tacStatus write(const tacTriMesh *mesh, const tacFieldMoment *moment, double value, double spacing, int body,
                       uint32_t number, uint32_t load, tacPacket **packet, tacError *error) {
  int vertices = mesh != NULL ? mesh->vertex_count : 0, triangles = mesh != NULL ? mesh->triangle_count : 0;
  size_t size = TAC_VIEW_HEAD + 24 + 12 * (size_t)vertices + 12 * (size_t)triangles;
  tacStatus status = tac_packet_create(size, packet, error);
  if (status != TAC_OK) return status;
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_ISOSURFACE, (unsigned)body, load);
  const uint32_t whole[4] = {number, (uint32_t)vertices, (uint32_t)triangles, moment->pose != NULL};
  for (int i = 0; i < 4; ++i) tac_byte_writer_u32(&w, whole[i]);
  tac_byte_writer_f32(&w, value);
  tac_byte_writer_f32(&w, spacing);
  for (int v = 0; v < vertices; ++v) tac_byte_writer_vec3(&w, mesh->vertices[v]);
  for (int t = 0; t < triangles; ++t)
    for (int i = 0; i < 3; ++i) tac_byte_writer_u32(&w, (uint32_t)mesh->triangles[t].v[i]);
  return TAC_OK;
}

tacStatus tac_field_surface_packet(const tacFieldMoment *moment, double value, int body, uint32_t number, uint32_t load,
                                   tacPacket **packet, tacError *error) {
  tacVec3 side = tac_box_size(moment->box);
  double spacing = spacing_of(moment);
  tacGrid grid = {.nx = node_count(side.x, spacing),
                  .ny = node_count(side.y, spacing),
                  .nz = node_count(side.z, spacing),
                  .origin = moment->box.lower,
                  .spacing = spacing};
  *packet = NULL;
  grid.values = tac_array_create((size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz, sizeof *grid.values,
                                 "samples of a field", error);
  if (grid.values == NULL) return TAC_ERR_MEMORY;
  sample(moment, &grid);
  tacTriMesh *mesh = NULL;
  tacStatus status = tac_isosurface_extract(&grid, value, &mesh, error);
  free(grid.values);
  if (status == TAC_OK || status == TAC_ERR_GEOMETRY) /* which says that it is empty */
    status = write(mesh, moment, value, spacing, body, number, load, packet, error);
  tac_trimesh_destroy(mesh);
  return status;
}
