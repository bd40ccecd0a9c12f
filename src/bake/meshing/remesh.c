#include <tactus/meshing.h>

#include <math.h>
#include <stdlib.h>
#include <tactus/base.h>
#include <tactus/mesh.h>
#include "bake/fields/field_bake.h"
#include "bake/isosurface.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "math/geometry/vec3.h"
#include "mesh/query/thickness.h"
#include "mesh/repair/relaxation.h"
#include "mesh/repair/simplify.h"
#include "mesh/trimesh.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

#define CELLS 3.1      /* of the grid along an edge of the result, at least */
#define MOST_CELLS 12. /* and at most, where the body is thin */
#define THROUGH 3.0    /* of the grid through the body: fewer lose volume */
#define THIN_SHARE 0.1 /* of the area that may be thinner than that */
#define LONGEST 2.0    /* edge, over the size */
#define OFF_NODES 0.08 /* of a cell */
#define MARGIN 3       /* cells around the mesh */
#define MOST_NODES 4e8
#define VOLUME_TOLERANCE 0.05

/* Triangles with edges of `size` on an area, and half as many vertices. */
static double vertices_of(double area, double size) {
  return 2.0 + 2.0 / sqrt(3.0) * area / (size * size);
}

/* A grid around the mesh, fine enough for `size` and for what is thin. */
static tacStatus lay_grid(const tacTriMesh *mesh, double size, double thin, tacGrid *grid, tacError *error) {
  tacBox box = tac_trimesh_box(mesh);
  tacVec3 extent = tac_box_size(box);
  double h = fmax(fmin(size / CELLS, thin / THROUGH), size / MOST_CELLS), nodes = 1.0;
  const double sides[3] = {extent.x, extent.y, extent.z};
  int count[3];
  for (int axis = 0; axis < 3; ++axis) {
    double n = ceil(sides[axis] / h) + 2 * MARGIN + 1;
    nodes *= n;
    if (nodes > MOST_NODES) /* it grows with 1 / size^3 */
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the size of %g m is too small for a mesh of %.3g m: its distance field would need over "
                           "%.0e nodes; check that the size is in metres",
                           size, tac_box_longest(box), MOST_NODES);
    count[axis] = (int)n;
  }
  tacVec3 half = tac_vec3_scale(0.5 * h, tac_vec3(count[0] - 1, count[1] - 1, count[2] - 1));
  /* Off the middle by parts that have nothing to do with each other: faces of a box would lie on nodes. */
  tacVec3 shift = tac_vec3_scale(h, tac_vec3(0.2361, -0.1618, 0.3027));
  tacVec3 origin = tac_vec3_add(tac_vec3_sub(tac_box_centre(box), half), shift);
  *grid = (tacGrid){count[0], count[1], count[2], origin, h, NULL};
  return TAC_ARRAY(grid->values, (size_t)nodes, "a distance field", error);
}

/* Nodes that are next to the surface make slivers of it, which fold when edges collapse: they move off by a part of a cell. */
static void keep_off_nodes(const tacGrid *grid) {
  float least = (float)(OFF_NODES * grid->spacing);
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
  for (size_t i = 0; i < count; ++i)
    if (fabsf(grid->values[i]) < least) grid->values[i] = grid->values[i] < 0.0F ? -least : least;
}

static tacStatus coarsen(const tacTriMesh *fine, const tacTriMesh *original, double vertices, double longest,
                         tacTriMesh **coarse, tacError *error) {
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_TRY(tac_trimesh_coarsen(fine, (int)fmax(vertices, 4.0), longest, &rough, error));
  return tac_trimesh_relax(rough, original, coarse, error);
}

/* Slivers of marching cubes are in the way of collapses: half of the way first, then triangles are made even, then the rest. */
static tacStatus coarsen_twice(const tacTriMesh *fine, double vertices, double size, const tacProgress *progress,
                               tacTriMesh **coarse, tacError *error) {
  TAC_OWN(tacTriMesh, half) = NULL;
  TAC_TRY(tac_progress_report(progress, "even triangles", 0.2, error));
  TAC_TRY(coarsen(fine, fine, 2.0 * vertices, LONGEST * size, &half, error));
  TAC_TRY(tac_progress_report(progress, "even triangles", 0.8, error));
  return coarsen(half, fine, vertices, LONGEST * size, coarse, error);
}

static tacStatus check_volume(double volume, double solid, double size, double thin, tacError *error) {
  double off = volume / solid - 1.0;
  if (fabs(off) <= VOLUME_TOLERANCE) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_GEOMETRY,
      "triangles of %g m change the volume by %+.1f %%: thin parts are lost (a tenth of the surface is thinner than "
      "%.3g m), and edges are rounded; use a smaller size, for example %.2g m",
      size, 100.0 * off, thin, fmin(0.5 * size, thin));
}

static tacStatus check(const tacTriMesh *remeshed, double solid, double size, double thin, tacError *error) {
  tacSurfaceReport report;
  TAC_TRY(tac_surface_report(remeshed, &report, error));
  TAC_TRY(check_volume(report.volume, solid, size, thin, error));
  if (report.self_intersections > 0 || !report.closed || !report.manifold)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "triangles of %g m intersect each other %d times, because parts or gaps are too narrow; use "
                         "a size of about %.2g m",
                         size, report.self_intersections, 0.5 * size);
  return TAC_OK;
}

/* The level set of the mesh's distances on a grid. */
static tacStatus extract(const tacTriMesh *mesh, double solid, double size, double thin, int thread_count,
                         const tacProgress *progress, tacTriMesh **fine, tacError *error) {
  TAC_MEMORY(float, values) = NULL;
  tacGrid grid = {0};
  TAC_TRY(lay_grid(mesh, size, thin, &grid, error));
  values = grid.values;
  TAC_TRY(tac_field_bake_samples(mesh, &grid, 2.0, thread_count, progress, error));
  keep_off_nodes(&grid);
  tacStatus status = tac_isosurface_extract(&grid, 0.0, fine, error);
  return status == TAC_ERR_GEOMETRY ? check_volume(0.0, solid, size, thin, error) : status; /* no node is inside */
}

tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress,
                     tacTriMesh **remeshed, tacError *error) {
  TAC_REQUIRE(error, remeshed);
  *remeshed = NULL;
  TAC_REQUIRE(error, mesh);
  TAC_OWN(tacTriMesh, fine) = NULL;
  TAC_OWN(tacTriMesh, coarse) = NULL;
  double solid = 0.0, thin = INFINITY;
  if (!(size > 0.0) || !isfinite(size))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the triangle size is %g; it must be positive", size);
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_trimesh_solid_volume(mesh, &solid, error));
  TAC_TRY(tac_thickness_of_share(mesh, THIN_SHARE, &thin, error));
  const tacProgress field = tac_progress_part(&(tacProgressPart){progress, 0.0, 0.2, NULL});
  TAC_TRY(extract(mesh, solid, size, thin, thread_count, &field, &fine, error));
  TAC_TRY(check_volume(tac_trimesh_volume(fine), solid, size, thin, error));
  TAC_TRY(coarsen_twice(fine, vertices_of(tac_trimesh_area(fine), size), size, progress, &coarse, error));
  TAC_TRY(check(coarse, solid, size, thin, error));
  *remeshed = tac_give(&coarse);
  return TAC_OK;
}

tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified, tacError *error) {
  TAC_REQUIRE(error, simplified);
  *simplified = NULL;
  TAC_REQUIRE(error, mesh);
  tacSurfaceReport report;
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_surface_report(mesh, &report, error));
  if (!report.closed || !report.manifold || report.degenerate_triangles > 0 || report.unused_vertices > 0)
    return tac_error_set(
        error, TAC_ERR_GEOMETRY,
        "only a manifold without degenerate triangles and unused vertices can be simplified; repair or remesh it "
        "first");
  if (triangle_count < 4 || triangle_count >= mesh->triangle_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of triangles (%d); 4 to %d are possible",
                         triangle_count, mesh->triangle_count - 1);
  /* Each collapse takes one vertex and two triangles. */
  int collapses = (mesh->triangle_count - triangle_count + 1) / 2;
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_TRY(tac_trimesh_simplify(mesh, mesh->vertex_count - collapses, &rough, error));
  return tac_trimesh_relax(rough, mesh, simplified, error);
}
