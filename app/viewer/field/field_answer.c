#include "app/viewer/field/field_answer.h"

#include <math.h>
#include <tactus/meshing.h>
#include "app/viewer/protocol/quantise.h"
#include "bake/isosurface.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Between samples along a side: with so many of a deformed or analytic field, and of a grid every node, or every second, third, ... so
 * that there are no more than `grid`. */
static double spacing_of(const tacFieldMoment *moment, double side, int grid, int analytic, int deformed) {
  if (moment->pose != NULL) return side / (deformed - 1);
  if (moment->voxel == 0.0) return side / (analytic - 1);
  return moment->voxel * ceil(side / moment->voxel / (grid - 1) - 1e-6);
}

/* ---- slices ---- */

typedef struct {
  int count;
  double first, spacing; /* m */
} Row;

/* Nodes of a grid along an axis, or as many as keep to the spacing. */
static Row row_along(const tacFieldMoment *moment, int axis, double spacing) {
  double lower = (&moment->box.lower.x)[axis], upper = (&moment->box.upper.x)[axis];
  int steps = (int)floor((upper - lower) / spacing + 1e-6);
  return (Row){(steps > 1 ? steps : 1) + 1, lower, spacing};
}

static void sample_slice(const tacFieldMoment *moment, int axis, double place, Row across, Row up, double *values) {
  for (int j = 0; j < up.count; ++j)
    for (int i = 0; i < across.count; ++i) {
      double p[3];
      p[axis] = place;
      p[(axis + 1) % 3] = fmin(across.first + across.spacing * i, (&moment->box.upper.x)[(axis + 1) % 3]);
      p[(axis + 2) % 3] = fmin(up.first + up.spacing * j, (&moment->box.upper.x)[(axis + 2) % 3]);
      values[(size_t)j * (size_t)across.count + (size_t)i] = tac_field_moment_value(moment, tac_vec3(p[0], p[1], p[2]));
    }
}

tacStatus tac_field_slice_packet(const tacFieldMoment *moment, int axis, double place, int body, uint32_t number,
                                 uint32_t load, tacPacket **packet, tacError *error) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  double longer = fmax((&moment->box.upper.x)[b] - (&moment->box.lower.x)[b],
                       (&moment->box.upper.x)[c] - (&moment->box.lower.x)[c]);
  double spacing = spacing_of(moment, longer, 385, 161, 97);
  Row across = row_along(moment, b, spacing), up = row_along(moment, c, spacing);
  double at = fmin((&moment->box.upper.x)[axis], fmax((&moment->box.lower.x)[axis], place));
  size_t count = (size_t)across.count * (size_t)up.count, size = TAC_VIEW_HEAD + 48 + 2 * count;
  TAC_MEMORY(double, values) = tac_array_create(count, sizeof *values, "a slice", error);
  float scale = 0.0f;
  *packet = NULL;
  if (values == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_packet_create(size, packet, error));
  sample_slice(moment, axis, at, across, up, values);
  tac_quantise_signed((int)count, values, tac_packet_bytes(*packet) + TAC_VIEW_HEAD + 48, &scale);
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_SLICE, (unsigned)body, load);
  TAC_WRITE_U32(&w, number, axis, across.count, up.count, moment->pose != NULL);
  double corner[3];
  corner[axis] = at;
  corner[b] = across.first;
  corner[c] = up.first;
  tac_byte_writer_vec3(&w, tac_vec3(corner[0], corner[1], corner[2]));
  TAC_WRITE_F32(&w, spacing, (double)scale, moment->voxel);
  tac_byte_writer_u32(&w, 0);
  return TAC_OK;
}

/* ---- isosurfaces ---- */

/* Nodes along a side, at least two. */
static int node_count(double side, double spacing) {
  return (int)fmax(1.0, floor(side / spacing + 1e-6)) + 1;
}

static void sample_grid(const tacFieldMoment *moment, tacGrid *grid) {
  float *to = grid->values;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i)
        *to++ = (float)tac_field_moment_value(moment, tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k)));
}

static tacStatus write_surface(const tacTriMesh *mesh, const tacFieldMoment *moment, double value, double spacing,
                               int body, uint32_t number, uint32_t load, tacPacket **packet, tacError *error) {
  int vertices = mesh != NULL ? mesh->vertex_count : 0, triangles = mesh != NULL ? mesh->triangle_count : 0;
  size_t size = TAC_VIEW_HEAD + 24 + 12 * (size_t)vertices + 12 * (size_t)triangles;
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_ISOSURFACE, (unsigned)body, load);
  TAC_WRITE_U32(&w, number, vertices, triangles, moment->pose != NULL);
  TAC_WRITE_F32(&w, value, spacing);
  for (int v = 0; v < vertices; ++v) tac_byte_writer_vec3(&w, mesh->vertices[v]);
  for (int t = 0; t < triangles; ++t)
    for (int i = 0; i < 3; ++i) tac_byte_writer_u32(&w, (uint32_t)mesh->triangles[t].v[i]);
  return TAC_OK;
}

tacStatus tac_field_surface_packet(const tacFieldMoment *moment, double value, int body, uint32_t number, uint32_t load,
                                   tacPacket **packet, tacError *error) {
  tacVec3 side = tac_box_size(moment->box);
  double spacing = spacing_of(moment, tac_box_longest(moment->box), 129, 97, 57);
  tacGrid grid = {.nx = node_count(side.x, spacing),
                  .ny = node_count(side.y, spacing),
                  .nz = node_count(side.z, spacing),
                  .origin = moment->box.lower,
                  .spacing = spacing};
  *packet = NULL;
  TAC_MEMORY(float, values) = tac_array_create((size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz, sizeof *values,
                                               "samples of a field", error);
  if (values == NULL) return TAC_ERR_MEMORY;
  grid.values = values;
  sample_grid(moment, &grid);
  TAC_OWN(tacTriMesh, mesh) = NULL;
  tacStatus status = tac_isosurface_extract(&grid, value, &mesh, error);
  if (status != TAC_OK && status != TAC_ERR_GEOMETRY) return status; /* which says that it is empty */
  return write_surface(mesh, moment, value, spacing, body, number, load, packet, error);
}

tacStatus tac_field_answer_packet(const tacWorld *world, const double *q, const tacViewMessage *message, uint32_t load,
                                  tacPacket **packet, tacError *error) {
  int body = message->ask.body;
  uint32_t number = message->ask.number;
  double value = message->ask.value;
  TAC_FREED(tac_field_moment_destroy, tacFieldMoment, moment) = {0};
  *packet = NULL;
  TAC_TRY(tac_field_moment_create(world, body, q, &moment, error));
  if (message->ask.what == TAC_VIEW_ASK_ISOSURFACE)
    return tac_field_surface_packet(&moment, value, body, number, load, packet, error);
  return tac_field_slice_packet(&moment, (int)message->ask.what, value, body, number, load, packet, error);
}
