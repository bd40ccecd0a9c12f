#include <tactus/mesh.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/edge_table.h"
#include "mesh/moments.h"
#include "mesh/query/self_intersection.h"
#include "mesh/repair/outer_parts.h"
#include "mesh/triangle_key.h"
#include "mesh/trimesh.h"
#include "mesh/weld.h"

static const double degrees = 57.295779513082320877;

/* Topology is that of triangles with three different corners. */
static bool proper(const tacTriMesh *mesh, int triangle) {
  return !tac_triangle_repeats_corner(mesh->triangles[triangle]);
}

static void count_edges(const tacTriMesh *mesh, const tacEdgeTable *edges, tacSurfaceReport *report) {
  for (int e = 0; e < edges->edge_count; ++e) {
    const tacEdge *edge = &edges->edges[e];
    const int *sides = edges->sides + edge->first;
    double length = tac_vec3_distance(mesh->vertices[edge->a], mesh->vertices[edge->b]);
    if (e == 0 || length < report->shortest_edge) report->shortest_edge = length;
    if (length > report->longest_edge) report->longest_edge = length;
    if (edge->count == 1) ++report->boundary_edges;
    if (edge->count > 2) ++report->nonmanifold_edges;
    if (edge->count == 2 && tac_side_start(mesh, sides[0]) == tac_side_start(mesh, sides[1]))
      ++report->misoriented_edges;
  }
}

static tacStatus count_vertices(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error) {
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  unsigned char *used = tac_arrays_add(&work, (size_t)mesh->vertex_count, 1);
  int *target = tac_arrays_add(&work, (size_t)mesh->vertex_count, sizeof *target);
  TAC_TRY(tac_arrays_status(&work, "vertices", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) used[mesh->triangles[t].v[c]] = 1;
  }
  for (int v = 0; v < mesh->vertex_count; ++v) report->unused_vertices += !used[v];
  return tac_weld_points(mesh->vertex_count, mesh->vertices, 0.0, target, &report->duplicate_vertices, error);
}

/* The corner of side's triangle at vertex v, which is one of the side's two ends. */
static int corner_at(const tacTriMesh *mesh, int side, int v) {
  return tac_side_start(mesh, side) == v ? side : side - side % 3 + (side % 3 + 1) % 3;
}

/* Corners of triangles that share an edge at a vertex belong to one fan there. */
static tacStatus count_fans(const tacTriMesh *mesh, const tacEdgeTable *edges, tacSurfaceReport *report,
                            tacError *error) {
  int corner_count = 3 * mesh->triangle_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *fan = tac_disjoint_sets_add(&work, corner_count);
  int *fans_of = tac_arrays_add(&work, (size_t)mesh->vertex_count, sizeof *fans_of);
  TAC_TRY(tac_arrays_status(&work, "vertices", error));
  for (int e = 0; e < edges->edge_count; ++e) {
    const tacEdge *edge = &edges->edges[e];
    const int *sides = edges->sides + edge->first;
    for (int i = 1; i < edge->count; ++i) {
      tac_disjoint_sets_join(fan, corner_at(mesh, sides[0], edge->a), corner_at(mesh, sides[i], edge->a));
      tac_disjoint_sets_join(fan, corner_at(mesh, sides[0], edge->b), corner_at(mesh, sides[i], edge->b));
    }
  }
  for (int corner = 0; corner < corner_count; ++corner) {
    if (proper(mesh, corner / 3) && fan[corner] == corner) ++fans_of[mesh->triangles[corner / 3].v[corner % 3]];
  }
  for (int v = 0; v < mesh->vertex_count; ++v) report->nonmanifold_vertices += fans_of[v] > 1;
  return TAC_OK;
}

/* Components, and the Euler characteristic V - E + F of them all. */
static tacStatus count_components(const tacTriMesh *mesh, const tacEdgeTable *edges, tacSurfaceReport *report,
                                  int *characteristic, tacError *error) {
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *set = tac_disjoint_sets_add(&work, mesh->vertex_count);
  unsigned char *used = tac_arrays_add(&work, (size_t)mesh->vertex_count, 1);
  TAC_TRY(tac_arrays_status(&work, "vertices", error));
  *characteristic = -edges->edge_count;
  for (int e = 0; e < edges->edge_count; ++e) {
    tac_disjoint_sets_join(set, edges->edges[e].a, edges->edges[e].b);
    used[edges->edges[e].a] = used[edges->edges[e].b] = 1;
  }
  for (int t = 0; t < mesh->triangle_count; ++t) *characteristic += proper(mesh, t);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    *characteristic += used[v];
    report->components += used[v] && set[v] == v;
  }
  return TAC_OK;
}

static void measure_angles(const tacTriMesh *mesh, const unsigned char *degenerate, tacSurfaceReport *report) {
  bool first = true;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (degenerate[t]) continue;
    for (int c = 0; c < 3; ++c) {
      const int *v = mesh->triangles[t].v;
      tacVec3 corner = mesh->vertices[v[c]];
      tacVec3 a = tac_vec3_sub(mesh->vertices[v[(c + 1) % 3]], corner);
      tacVec3 b = tac_vec3_sub(mesh->vertices[v[(c + 2) % 3]], corner);
      double angle = degrees * atan2(tac_vec3_norm(tac_vec3_cross(a, b)), tac_vec3_dot(a, b));
      if (first || angle < report->smallest_angle) report->smallest_angle = angle;
      if (first || angle > report->largest_angle) report->largest_angle = angle;
      first = false;
    }
  }
}

static tacVec3 surface_centroid(const tacTriMesh *mesh, tacVec3 origin, double area) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = tac_vec3_sub(mesh->vertices[v[0]], origin);
    tacVec3 b = tac_vec3_sub(mesh->vertices[v[1]], origin), c = tac_vec3_sub(mesh->vertices[v[2]], origin);
    double twice = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)));
    sum = tac_vec3_mad(sum, twice / 6.0, tac_vec3_add(a, tac_vec3_add(b, c)));
  }
  return area > 0.0 ? tac_vec3_mad(origin, 1.0 / area, sum) : origin;
}

static void measure_solid(const tacTriMesh *mesh, tacSurfaceReport *report) {
  tacVec3 middle = tac_box_centre(report->box);
  report->area = tac_trimesh_area(mesh);
  report->centroid = surface_centroid(mesh, middle, report->area);
  if (!report->closed) return;
  tacMoments moments = tac_moments_of_solid(mesh, middle);
  report->volume = moments.volume;
  if (moments.volume == 0.0) return;
  report->centroid = tac_vec3_mad(middle, 1.0 / moments.volume, moments.first);
  moments = tac_moments_of_solid(mesh, report->centroid);
  tac_moments_inertia(&moments, report->inertia);
}

tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error) {
  TAC_REQUIRE(error, mesh, report);
  *report = (tacSurfaceReport){.vertices = mesh->vertex_count, .triangles = mesh->triangle_count};
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int characteristic = 0;
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  unsigned char *degenerate = tac_arrays_add(&work, (size_t)mesh->triangle_count, 1);
  unsigned char *repeats = tac_arrays_add(&work, (size_t)mesh->triangle_count, 1);
  TAC_TRY(tac_arrays_status(&work, "triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    degenerate[t] = tac_triangle_is_degenerate(mesh, t);
    report->degenerate_triangles += degenerate[t];
  }
  count_edges(mesh, &edges, report);
  TAC_TRY(tac_triangle_repeats(mesh, repeats, &report->duplicate_triangles, error));
  TAC_TRY(count_vertices(mesh, report, error));
  TAC_TRY(count_fans(mesh, &edges, report, error));
  TAC_TRY(count_components(mesh, &edges, report, &characteristic, error));
  TAC_TRY(tac_self_intersection_count(mesh, degenerate, &report->self_intersections, error));
  report->manifold = report->nonmanifold_edges == 0 && report->nonmanifold_vertices == 0;
  report->closed = edges.edge_count > 0 && report->boundary_edges == 0 && report->nonmanifold_edges == 0;
  report->oriented = report->misoriented_edges == 0;
  /* Each closed component has V - E + F = 2 - 2 g. */
  report->genus = report->closed && report->manifold ? report->components - characteristic / 2 : -1;
  report->box = tac_trimesh_box(mesh);
  if (mesh->triangle_count > 0) {
    measure_angles(mesh, degenerate, report);
    measure_solid(mesh, report);
  }
  if (!report->closed || !report->oriented) return TAC_OK;
  TAC_TRY(tac_trimesh_solid_volume(mesh, &report->solid_volume, error));
  return tac_inside_out_parts(mesh, &report->inside_out, error);
}
