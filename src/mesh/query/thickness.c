#include "mesh/query/thickness.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/scan_winding.h"

TAC_OWNED_TYPE(tacBoxTree, tac_box_tree_destroy)

enum { GRAIN = 64 };

/* Coordinates along the ray and across it, about its start. A vertex has the same ones in every triangle: the mesh is moved by
 * rounding and stays closed. */
typedef struct Ray {
  const tacTriMesh *mesh;
  int from; /* triangle, which is not counted */
  tacVec3 start, along, across[2];
  tacCrossings crossings; /* x: along the ray, m */
} Ray;

typedef struct Measure {
  const tacTriMesh *mesh;
  const tacBoxTree *boxes;
  Ray *rays; /* one a thread */
  double *thickness;
} Measure;

static tacVec3 area_vector(const tacTriMesh *mesh, int t) {
  const int *v = mesh->triangles[t].v;
  tacVec3 a = mesh->vertices[v[0]];
  return tac_vec3_scale(0.5,
                        tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a)));
}

static tacVec3 in_frame(const Ray *ray, tacVec3 p) {
  tacVec3 r = tac_vec3_sub(p, ray->start);
  return tac_vec3(tac_vec3_dot(r, ray->along), tac_vec3_dot(r, ray->across[0]), tac_vec3_dot(r, ray->across[1]));
}

static int add_crossing(int triangle, void *context) {
  Ray *ray = context;
  if (triangle == ray->from) return 1;
  const int *v = ray->mesh->triangles[triangle].v;
  const tacVec3 *p = ray->mesh->vertices;
  double along;
  int winding =
      tac_scan_crossing(in_frame(ray, p[v[0]]), in_frame(ray, p[v[1]]), in_frame(ray, p[v[2]]), 0.0, 0.0, &along);
  return winding == 0 || along <= 0.0 || tac_crossings_add(&ray->crossings, along, winding);
}

/* Where several lie at one place, those that enter come first: parts that touch are one solid. */
static int compare_crossings(const void *a, const void *b) {
  const tacCrossing *x = a, *y = b;
  if (x->x != y->x) return x->x < y->x ? -1 : 1;
  return (x->winding < y->winding) - (x->winding > y->winding);
}

/* Far away the winding number is 0, so behind triangle `from` it is minus the sum of all changes along the ray. */
static double first_exit(const tacCrossings *c) {
  int winding = 0;
  for (size_t i = 0; i < c->count; ++i) winding -= c->list[i].winding;
  if (winding != 1) return INFINITY; /* in front of it there is one less: the solid is on neither side, or on both */
  qsort(c->list, c->count, sizeof *c->list, compare_crossings);
  for (size_t i = 0; i < c->count; ++i)
    if ((winding += c->list[i].winding) == 0) return c->list[i].x;
  return INFINITY;
}

static double measure_triangle(const Measure *measure, Ray *ray, int t) {
  const tacTriMesh *mesh = measure->mesh;
  const int *v = mesh->triangles[t].v;
  tacVec3 normal = area_vector(mesh, t);
  if (!(tac_vec3_norm(normal) > 0.0)) return INFINITY;
  ray->from = t;
  ray->crossings.count = 0;
  tacVec3 sum = tac_vec3_add(mesh->vertices[v[0]], tac_vec3_add(mesh->vertices[v[1]], mesh->vertices[v[2]]));
  ray->start = tac_vec3_scale(1.0 / 3.0, sum);
  ray->along = tac_vec3_scale(-1.0, tac_vec3_unit(normal));
  /* A right-handed frame (along, across): crossings have the sign that they have along x. */
  ray->across[0] = tac_vec3_unit(tac_vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]));
  ray->across[1] = tac_vec3_cross(ray->along, ray->across[0]);
  tac_box_tree_ray(measure->boxes, ray->start, ray->along, add_crossing, ray);
  return first_exit(&ray->crossings);
}

static void measure_triangles(size_t begin, size_t end, int thread, void *context) {
  const Measure *measure = context;
  Ray *ray = &measure->rays[thread];
  for (size_t t = begin; t < end && ray->crossings.status == TAC_OK; ++t)
    measure->thickness[t] = measure_triangle(measure, ray, (int)t);
}

tacStatus tac_thickness_measure(const tacTriMesh *mesh, double *thickness, tacError *error) {
  TAC_OWN(tacBoxTree, boxes) = NULL;
  TAC_MEMORY(Ray, rays) = NULL;
  int threads = tac_parallel_core_count();
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_box_tree_of_triangles(mesh, &boxes, error));
  TAC_TRY(TAC_ARRAY(rays, (size_t)threads, "rays", error));
  for (int i = 0; i < threads; ++i) rays[i].mesh = mesh;
  Measure measure = {mesh, boxes, rays, thickness};
  tacStatus status = tac_parallel_for(threads, (size_t)mesh->triangle_count, GRAIN, measure_triangles, &measure, NULL,
                                      "thickness", error);
  for (int i = 0; i < threads; ++i) status = tac_crossings_end(&rays[i].crossings, status, error);
  return status;
}

static double area_within(const tacTriMesh *mesh, const double *thickness, double most) {
  double area = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t)
    if (thickness[t] <= most) area += tac_vec3_norm(area_vector(mesh, t));
  return area;
}

static double from_bits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* By bisection over the bits: numbers that are not negative are ordered as their bits are. So the result is one of the
 * thicknesses, and nothing is allocated. */
double tac_thickness_quantile(const tacTriMesh *mesh, const double *thickness, double share) {
  const double largest = 0x1.fffffffffffffp1023;
  double wanted = fmin(fmax(share, 0.0), 1.0) * area_within(mesh, thickness, largest);
  uint64_t low = 0, high = 0;
  memcpy(&high, &largest, sizeof high);
  double area = area_within(mesh, thickness, largest);
  if (!(area > 0.0)) return INFINITY;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    area = area_within(mesh, thickness, from_bits(middle));
    if (area > 0.0 && area >= wanted)
      high = middle;
    else
      low = middle + 1;
  }
  return from_bits(low);
}

tacStatus tac_surface_thickness(const tacTriMesh *mesh, double share, double *thickness, tacError *error) {
  *thickness = INFINITY;
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_MEMORY(double, each) = NULL;
  TAC_TRY(TAC_ARRAY(each, (size_t)mesh->triangle_count, "thickness", error));
  TAC_TRY(tac_thickness_measure(mesh, each, error));
  *thickness = tac_thickness_quantile(mesh, each, share);
  return TAC_OK;
}

tacStatus tac_thickness_of_share(const tacTriMesh *mesh, double share, double *thickness, tacError *error) {
  TAC_MEMORY(double, of_triangles) = NULL;
  TAC_TRY(TAC_ARRAY(of_triangles, (size_t)mesh->triangle_count, "thickness", error));
  TAC_TRY(tac_thickness_measure(mesh, of_triangles, error));
  *thickness = tac_thickness_quantile(mesh, of_triangles, share);
  return TAC_OK;
}
