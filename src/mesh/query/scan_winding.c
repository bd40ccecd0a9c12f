#include "mesh/query/scan_winding.h"

#include <math.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

/* A buffer of crossings holds about this many nodes: small enough for a cache, large enough that going through all
 * triangles for each buffer costs nothing. */
#define BUFFER_NODES ((size_t)1 << 22)

/* Twice the signed area of a triangle in the plane (y, z): positive where a, b, p are counter-clockwise seen from +x. The
 * sum of its 12 exact terms is an expansion (Shewchuk 1997): components that do not overlap, from small to large, so that
 * their rounded sum has the right sign and all but a few of its bits right. */
static double area_by_expansion(tacVec3 a, tacVec3 b, tacVec3 p) {
  const double factors[6][2] = {{a.y, b.z}, {-a.y, p.z}, {-p.y, b.z}, {-a.z, b.y}, {a.z, p.y}, {p.z, b.y}};
  double components[12];
  int count = 0;
  for (int term = 0; term < 12; ++term) {
    double x = factors[term / 2][0], y = factors[term / 2][1];
    double product = x * y;
    double carried = term % 2 == 0 ? fma(x, y, -product) : product;
    for (int i = 0; i < count; ++i) {
      double sum = carried + components[i];
      double virtual_part = sum - carried;
      double rounding = (carried - (sum - virtual_part)) + (components[i] - virtual_part);
      components[i] = rounding;
      carried = sum;
    }
    components[count++] = carried;
  }
  double area = 0.0;
  for (int i = 0; i < count; ++i) area += components[i];
  return area;
}

/* The same with a relative error below 1e-9: plain where no digits cancel. */
static double area_in_plane(tacVec3 a, tacVec3 b, tacVec3 p) {
  double left = (a.y - p.y) * (b.z - p.z), right = (a.z - p.z) * (b.y - p.y);
  double area = left - right;
  return fabs(area) > 1e-6 * (fabs(left) + fabs(right)) ? area : area_by_expansion(a, b, p);
}

/* On which side of a-b the point p lies after a shift by (e, e^2) with an infinitesimal e > 0: a point that is never on an
 * edge. Zero only where a and b coincide in the plane. */
static int side_of_shifted(tacVec3 a, tacVec3 b, double area) {
  if (area != 0.0) return area > 0.0 ? 1 : -1;
  if (a.z != b.z) return a.z > b.z ? 1 : -1;
  return (b.y > a.y) - (b.y < a.y);
}

typedef struct Scan {
  const tacTriMesh *mesh;
  const tacGrid *layout;
  unsigned char *inside;
  int **crossings; /* one buffer for each thread */
  size_t plane_size;
} Scan;

/* The nodes first..last of `count` on one axis that may lie in [lower, upper]: one too many at most on each side. */
static void node_range(double lower, double upper, double origin, double spacing, int count, int *first, int *last) {
  double most = count - 1;
  *first = (int)fmin(fmax(floor((lower - origin) / spacing), 0.0), most);
  *last = (int)fmin(fmax(ceil((upper - origin) / spacing), 0.0), most);
}

/* The first node on a row beyond x, or nx. */
static int node_after(const tacGrid *layout, double x) {
  double guess = floor((x - layout->origin.x) / layout->spacing);
  int i = (int)fmin(fmax(guess, 0.0), (double)layout->nx);
  while (i < layout->nx && layout->origin.x + layout->spacing * i <= x) ++i;
  return i;
}

int tac_scan_crossing(tacVec3 a, tacVec3 b, tacVec3 c, double y, double z, double *x) {
  tacVec3 p = {0.0, y, z};
  double wc = area_in_plane(a, b, p), wa = area_in_plane(b, c, p), wb = area_in_plane(c, a, p);
  int side = side_of_shifted(a, b, wc);
  if (side == 0 || side_of_shifted(b, c, wa) != side || side_of_shifted(c, a, wb) != side) return 0;
  double crossing = (wa * a.x + wb * b.x + wc * c.x) / (wa + wb + wc);
  *x = fmin(fmax(crossing, fmin(a.x, fmin(b.x, c.x))), fmax(a.x, fmax(b.x, c.x)));
  return -side; /* counter-clockwise from +x: its outer side looks along +x, so the row leaves the solid */
}

/* Adds the crossings of one triangle with the rows of the planes begin..end - 1. */
static void scan_triangle(const Scan *scan, const int *v, int begin, int end, int *crossings) {
  const tacGrid *layout = scan->layout;
  tacVec3 a = scan->mesh->vertices[v[0]], b = scan->mesh->vertices[v[1]], c = scan->mesh->vertices[v[2]];
  double z_lower = fmin(a.z, fmin(b.z, c.z)), z_upper = fmax(a.z, fmax(b.z, c.z));
  double h = layout->spacing;
  if (z_upper < layout->origin.z + h * begin || z_lower > layout->origin.z + h * (end - 1)) return;
  double y_lower = fmin(a.y, fmin(b.y, c.y)), y_upper = fmax(a.y, fmax(b.y, c.y));
  int j_first, j_last, k_first, k_last;
  node_range(y_lower, y_upper, layout->origin.y, h, layout->ny, &j_first, &j_last);
  node_range(z_lower, z_upper, layout->origin.z, h, layout->nz, &k_first, &k_last);
  if (k_first < begin) k_first = begin;
  if (k_last > end - 1) k_last = end - 1;
  for (int k = k_first; k <= k_last; ++k) {
    double z = layout->origin.z + h * k, x;
    if (z < z_lower || z > z_upper) continue;
    int *plane = crossings + (size_t)(k - begin) * scan->plane_size;
    for (int j = j_first; j <= j_last; ++j) {
      double y = layout->origin.y + h * j;
      if (y < y_lower || y > y_upper) continue;
      int sign = tac_scan_crossing(a, b, c, y, z, &x);
      if (sign == 0) continue;
      int i = node_after(layout, x);
      if (i < layout->nx) plane[(size_t)j * (size_t)layout->nx + (size_t)i] += sign;
    }
  }
}

static void scan_planes(size_t begin, size_t end, int thread, void *context) {
  const Scan *scan = context;
  int *crossings = scan->crossings[thread];
  memset(crossings, 0, (end - begin) * scan->plane_size * sizeof *crossings);
  for (int t = 0; t < scan->mesh->triangle_count; ++t)
    scan_triangle(scan, scan->mesh->triangles[t].v, (int)begin, (int)end, crossings);
  size_t row_size = (size_t)scan->layout->nx;
  unsigned char *inside = scan->inside + begin * scan->plane_size;
  for (size_t row = 0; row < (end - begin) * (size_t)scan->layout->ny; ++row) {
    int winding = 0;
    for (size_t i = row * row_size; i < (row + 1) * row_size; ++i) inside[i] = (winding += crossings[i]) != 0;
  }
}

tacStatus tac_scan_winding(const tacTriMesh *mesh, const tacGrid *layout, int thread_count, unsigned char *inside,
                           tacError *error) {
  if (layout->nx < 1 || layout->ny < 1 || layout->nz < 1 || !(layout->spacing > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a grid of %d x %d x %d nodes with spacing %g is not valid",
                         layout->nx, layout->ny, layout->nz, layout->spacing);
  int threads = thread_count > 0 ? thread_count : tac_parallel_core_count();
  if (threads > layout->nz) threads = layout->nz;
  Scan scan = {mesh, layout, inside, NULL, (size_t)layout->nx * (size_t)layout->ny};
  size_t planes = (size_t)layout->nz;
  size_t grain = (planes + 4 * (size_t)threads - 1) / (4 * (size_t)threads);
  if (grain * scan.plane_size > BUFFER_NODES) grain = BUFFER_NODES / scan.plane_size;
  if (grain == 0) grain = 1;

  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  scan.crossings = tac_arrays_add(&work, (size_t)threads, sizeof *scan.crossings);
  for (int t = 0; t < threads && scan.crossings != NULL; ++t)
    scan.crossings[t] = tac_arrays_add(&work, grain * scan.plane_size, sizeof(int));
  TAC_TRY(tac_arrays_status(&work, "crossings of grid rows", error));
  return tac_parallel_for(threads, planes, grain, scan_planes, &scan, NULL, "inside and outside", error);
}

int tac_crossings_add(tacCrossings *c, double x, int winding) {
  c->status =
      tac_array_reserve((void **)&c->list, &c->room, c->count + 1, sizeof *c->list, "crossings of a line", &c->error);
  if (c->status == TAC_OK) c->list[c->count++] = (tacCrossing){x, winding};
  return c->status == TAC_OK;
}

tacStatus tac_crossings_end(tacCrossings *c, tacStatus status, tacError *error) {
  free(c->list);
  return status == TAC_OK && c->status != TAC_OK ? tac_error_set(error, c->status, "%s", c->error.text) : status;
}

typedef struct Ray {
  const tacTriMesh *mesh;
  const int *part_of; /* NULL: every triangle counts */
  int part;
  tacVec3 start;
  int direction; /* along x */
  int winding;
} Ray;

static int count_crossing(int triangle, void *context) {
  Ray *ray = context;
  if (ray->part_of != NULL && (ray->part_of[triangle] < 0 || ray->part_of[triangle] == ray->part)) return 1;
  const int *v = ray->mesh->triangles[triangle].v;
  const tacVec3 *vertices = ray->mesh->vertices;
  double x;
  int sign = tac_scan_crossing(vertices[v[0]], vertices[v[1]], vertices[v[2]], ray->start.y, ray->start.z, &x);
  if (sign != 0 && (x > ray->start.x) == (ray->direction > 0)) ray->winding -= ray->direction * sign;
  return 1;
}

int tac_scan_winding_of_others(const tacTriMesh *mesh, const tacBoxTree *boxes, const int *part_of, int part,
                               tacVec3 p) {
  /* From the middle of the tree outward: the shorter way out. */
  Ray ray = {mesh, part_of, part, p, p.x > boxes->origin.x ? 1 : -1, 0};
  tacBox line = {p, p};
  if (ray.direction > 0)
    line.upper.x = INFINITY;
  else
    line.lower.x = -INFINITY;
  tac_box_tree_overlap(boxes, line, count_crossing, &ray);
  return ray.winding;
}

int tac_scan_winding_number(const tacTriMesh *mesh, const tacBoxTree *boxes, tacVec3 p) {
  return tac_scan_winding_of_others(mesh, boxes, NULL, 0, p);
}
