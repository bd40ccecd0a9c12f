#include "mesh/query/thickness.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh_quality.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_tree.h"

enum { GRAIN = 64 };

typedef struct Crossing {
  double along; /* m */
  int winding;  /* after it less before it */
} Crossing;

/* Coordinates along the ray and across it, about its start. A vertex has the same ones in every triangle: the mesh is moved by
 * rounding and stays closed. */
typedef struct Ray {
  const tacTriMesh *mesh;
  int from; /* triangle, which is not counted */
  tacVec3 start, along, across[2];
  Crossing *crossings;
  size_t count, room;
  tacStatus status;
  tacError error;
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
  if (winding == 0 || along <= 0.0) return 1;
  ray->status = tac_array_reserve((void **)&ray->crossings, &ray->room, ray->count + 1, sizeof *ray->crossings,
                                  "crossings of a ray", &ray->error);
  if (ray->status != TAC_OK) return 0;
  ray->crossings[ray->count++] = (Crossing){along, winding};
  return 1;
}

/* Where several lie at one place, those that enter come first: parts that touch are one solid. */
static int compare_crossings(const void *a, const void *b) {
  const Crossing *x = a, *y = b;
  if (x->along != y->along) return x->along < y->along ? -1 : 1;
  return (x->winding < y->winding) - (x->winding > y->winding);
}

/* Far away the winding number is 0, so behind triangle `from` it is minus the sum of all changes along the ray. */
static double first_exit(Ray *ray) {
  int winding = 0;
  for (size_t i = 0; i < ray->count; ++i) winding -= ray->crossings[i].winding;
  if (winding != 1) return INFINITY; /* in front of it there is one less: the solid is on neither side, or on both */
  qsort(ray->crossings, ray->count, sizeof *ray->crossings, compare_crossings);
  for (size_t i = 0; i < ray->count; ++i)
    if ((winding += ray->crossings[i].winding) == 0) return ray->crossings[i].along;
  return INFINITY;
}

static double measure_triangle(const Measure *measure, Ray *ray, int t) {
  const tacTriMesh *mesh = measure->mesh;
  const int *v = mesh->triangles[t].v;
  tacVec3 normal = area_vector(mesh, t);
  if (!(tac_vec3_norm(normal) > 0.0)) return INFINITY;
  ray->from = t;
  ray->count = 0;
  tacVec3 sum = tac_vec3_add(mesh->vertices[v[0]], tac_vec3_add(mesh->vertices[v[1]], mesh->vertices[v[2]]));
  ray->start = tac_vec3_scale(1.0 / 3.0, sum);
  ray->along = tac_vec3_scale(-1.0, tac_vec3_unit(normal));
  /* A right-handed frame (along, across): crossings have the sign that they have along x. */
  ray->across[0] = tac_vec3_unit(tac_vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]));
  ray->across[1] = tac_vec3_cross(ray->along, ray->across[0]);
  tac_box_tree_ray(measure->boxes, ray->start, ray->along, add_crossing, ray);
  return first_exit(ray);
}

static void measure_triangles(size_t begin, size_t end, int thread, void *context) {
  const Measure *measure = context;
  Ray *ray = &measure->rays[thread];
  for (size_t t = begin; t < end && ray->status == TAC_OK; ++t)
    measure->thickness[t] = measure_triangle(measure, ray, (int)t);
}

tacStatus tac_thickness_measure(const tacTriMesh *mesh, double *thickness, tacError *error) {
  tacTriangleTree *tree = NULL;
  int threads = tac_parallel_core_count();
  Ray *rays = NULL;
  tacStatus status = tac_trimesh_require_closed(mesh, error);
  if (status == TAC_OK) status = tac_triangle_tree_create(mesh, &tree, error);
  if (status == TAC_OK && (rays = tac_array_create((size_t)threads, sizeof *rays, "rays", error)) == NULL)
    status = TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    for (int i = 0; i < threads; ++i) rays[i].mesh = mesh;
    Measure measure = {mesh, tac_triangle_tree_boxes(tree), rays, thickness};
    status = tac_parallel_for(threads, (size_t)mesh->triangle_count, GRAIN, measure_triangles, &measure, NULL,
                              "thickness", error);
    for (int i = 0; i < threads; ++i) {
      if (status == TAC_OK && rays[i].status != TAC_OK)
        status = tac_error_set(error, rays[i].status, "%s", rays[i].error.text);
      free(rays[i].crossings);
    }
  }
  free(rays);
  tac_triangle_tree_destroy(tree);
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
  double *each = tac_array_create((size_t)mesh->triangle_count, sizeof *each, "thickness", error);
  if (each == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_thickness_measure(mesh, each, error);
  if (status == TAC_OK) *thickness = tac_thickness_quantile(mesh, each, share);
  free(each);
  return status;
}
