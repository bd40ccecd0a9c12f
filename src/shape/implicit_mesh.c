#include "shape/implicit_mesh.h"

#include <string.h>
#include <tactus/base.h>
#include <tactus/meshing.h>
#include "bake/isosurface.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* A grid of spacing h gives (|n_x| + |n_y| + |n_z|) / h^2 vertices per area, 1.5 / h^2 over all directions n, thus
 * triangles of h^2 / 3, whose edges are 0.88 h long where they are equilateral; on walls along the axes 1.14 h. */
#define SPACING_PER_SIZE 1.05
#define NODES_MOST (700.0 * 700.0 * 700.0)
#define BLOCK 4 /* nodes along each side of a block that is skipped where the surface is far */
#define SMOOTHING_ROUNDS 8
#define IMPROVING_SWEEPS 10
#define PROJECTION_TOLERANCE 1e-10 /* metres */

typedef struct sampling {
  const tacImplicitSolid *solid;
  tacGrid *grid;
  int blocks_x, blocks_y;
} sampling;

static tacVec3 node_point(const tacGrid *grid, double i, double j, double k) {
  return tac_vec3(grid->origin.x + grid->spacing * i, grid->origin.y + grid->spacing * j,
                  grid->origin.z + grid->spacing * k);
}

static void sample_blocks(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const sampling *s = context;
  tacGrid *grid = s->grid;
  /* From the middle of a block to the neighbours of its nodes: beyond that no edge of the block's nodes is crossed. */
  double middle = 0.5 * (BLOCK - 1), far = s->solid->slope * sqrt(3.0) * (middle + 1.0) * grid->spacing;
  for (size_t block = begin; block < end; ++block) {
    int bi = BLOCK * (int)(block % s->blocks_x), bj = BLOCK * (int)(block / s->blocks_x % s->blocks_y);
    int bk = BLOCK * (int)(block / s->blocks_x / s->blocks_y);
    double at_middle = s->solid->function(node_point(grid, bi + middle, bj + middle, bk + middle));
    bool skip = fabs(at_middle) > far;
    for (int k = bk; k < bk + BLOCK && k < grid->nz; ++k)
      for (int j = bj; j < bj + BLOCK && j < grid->ny; ++j)
        for (int i = bi; i < bi + BLOCK && i < grid->nx; ++i) {
          double value = skip ? at_middle : s->solid->function(node_point(grid, i, j, k));
          grid->values[((size_t)k * grid->ny + j) * grid->nx + i] = (float)value;
        }
  }
}

/* Exact at all corners of every cell that the surface crosses, elsewhere of the right sign; the caller frees `grid->values`. */
static tacStatus sample(const tacImplicitSolid *solid, double size, const tacProgress *progress, tacGrid *grid,
                        tacError *error) {
  double spacing = SPACING_PER_SIZE * size;
  tacVec3 extent = tac_box_size(solid->box);
  double cells[3] = {ceil(extent.x / spacing), ceil(extent.y / spacing), ceil(extent.z / spacing)};
  /* Two cells more at each end, so that the boundary of the grid is outside the solid. */
  double nodes = (cells[0] + 5.0) * (cells[1] + 5.0) * (cells[2] + 5.0);
  if (!(nodes <= NODES_MOST)) {
    double smallest = 1.01 * size * cbrt(nodes / NODES_MOST); /* the two cells at each end add up to 1 % */
    if (isfinite(nodes))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small; use at least about %.3g m", size,
                           smallest);
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small", size);
  }
  *grid = (tacGrid){.nx = (int)cells[0] + 5, .ny = (int)cells[1] + 5, .nz = (int)cells[2] + 5, .spacing = spacing};
  /* Off the middle by an odd fraction: planes of symmetry then do not fall on nodes, where values would be zero. */
  grid->origin = tac_vec3_sub(tac_box_centre(solid->box), tac_vec3(spacing * (0.5 * (grid->nx - 1) + 0.137),
                                                                   spacing * (0.5 * (grid->ny - 1) + 0.171),
                                                                   spacing * (0.5 * (grid->nz - 1) + 0.113)));
  TAC_TRY(TAC_ARRAY(grid->values, (size_t)nodes, "samples", error));
  sampling s = {solid, grid, (grid->nx + BLOCK - 1) / BLOCK, (grid->ny + BLOCK - 1) / BLOCK};
  size_t blocks = (size_t)s.blocks_x * s.blocks_y * ((grid->nz + BLOCK - 1) / BLOCK);
  return tac_parallel_for(0, blocks, 256, sample_blocks, &s, progress, "sampling", error);
}

/* Vertices are moved in rounds: each proposes a place, then proposals that spoil a triangle are withdrawn. */
typedef struct relaxation {
  tacArrays arrays;
  const tacImplicitSolid *solid;
  tacGrid frame; /* of the samples; its values are gone */
  const tacTriMesh *mesh;
  int *first, *around; /* triangles around vertex v: around[first[v] .. first[v + 1]) */
  tacVec3 *places;     /* proposed */
  tacVec3 *normals;    /* unit gradients at the vertices, those of the proposals in `turned` */
  tacVec3 *turned;
  double smoothing;
} relaxation;

static tacVec3 gradient(tacSolidFn f, tacVec3 p, double step) {
  double scale = 0.5 / step;
  return tac_vec3(scale * (f(tac_vec3(p.x + step, p.y, p.z)) - f(tac_vec3(p.x - step, p.y, p.z))),
                  scale * (f(tac_vec3(p.x, p.y + step, p.z)) - f(tac_vec3(p.x, p.y - step, p.z))),
                  scale * (f(tac_vec3(p.x, p.y, p.z + step)) - f(tac_vec3(p.x, p.y, p.z - step))));
}

/* Along the gradient to the zero set by the secant method; false where it is not met within `reach`. */
static bool project(tacSolidFn f, tacVec3 p, double reach, tacVec3 *place, tacVec3 *normal) {
  double at_p = f(p), step = 1e-5 * reach;
  tacVec3 g =
      tac_vec3((f(tac_vec3(p.x + step, p.y, p.z)) - at_p) / step, (f(tac_vec3(p.x, p.y + step, p.z)) - at_p) / step,
               (f(tac_vec3(p.x, p.y, p.z + step)) - at_p) / step);
  double steepness = tac_vec3_norm(g);
  if (!(steepness > 1e-3)) return false;
  *normal = tac_vec3_scale(1.0 / steepness, g);
  double previous = 0.0, at_previous = at_p, t = -at_p / steepness;
  *place = p;
  for (int i = 0; i < 20 && fabs(at_previous) > PROJECTION_TOLERANCE; ++i) {
    if (!(fabs(t) <= reach)) return false;
    *place = tac_vec3_mad(p, t, *normal);
    double here = f(*place), change = here - at_previous;
    double next = change != 0.0 ? t - here * (t - previous) / change : INFINITY;
    previous = t, at_previous = here, t = next;
  }
  return fabs(at_previous) <= PROJECTION_TOLERANCE;
}

/* Narrows the bracket [0, 1] of a sign change of f along a + t step until f is nearly zero at one of its ends. */
static tacVec3 bisect(tacSolidFn f, tacVec3 a, tacVec3 step, double f0, double f1) {
  double t0 = 0.0, t1 = 1.0;
  for (int i = 0; i < 100 && fmin(fabs(f0), fabs(f1)) > PROJECTION_TOLERANCE; ++i) {
    /* Regula falsi, kept away from the ends, and every third time a halving: both bounds close in. */
    double t = i % 3 == 2 ? 0.5 : fmin(fmax(f0 / (f0 - f1), 1e-3), 1.0 - 1e-3);
    t = t0 + t * (t1 - t0);
    double here = f(tac_vec3_mad(a, t, step));
    if ((here < 0.0) == (f0 < 0.0)) {
      t0 = t, f0 = here;
    } else {
      t1 = t, f1 = here;
    }
  }
  return tac_vec3_mad(a, fabs(f0) < fabs(f1) ? t0 : t1, step);
}

/* The nearest sign change along the line through p and direction n, within `reach` on both sides; p where there is none. */
static tacVec3 search_line(tacSolidFn f, tacVec3 p, tacVec3 n, double reach) {
  enum { STEPS = 16 };
  double at_p = f(p);
  for (int i = 1; i <= STEPS; ++i)
    for (int side = -1; side <= 1; side += 2) {
      tacVec3 step = tac_vec3_scale(side * reach * i / STEPS, n);
      double there = f(tac_vec3_add(p, step));
      if ((there < 0.0) != (at_p < 0.0)) return bisect(f, p, step, at_p, there);
    }
  return p;
}

/* Most vertices of the isosurface lie on an edge of the grid whose ends have opposite signs, and stay on it here; those
 * inside a cell follow the gradient. */
static void settle(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const relaxation *r = context;
  tacSolidFn f = r->solid->function;
  double h = r->frame.spacing;
  for (size_t v = begin; v < end; ++v) {
    tacVec3 *p = &r->mesh->vertices[v], d = tac_vec3_sub(*p, r->frame.origin);
    double c[3] = {d.x / h, d.y / h, d.z / h}, off[3];
    for (int a = 0; a < 3; ++a) off[a] = fabs(c[a] - round(c[a]));
    int axis = off[0] > off[1] ? (off[0] > off[2] ? 0 : 2) : (off[1] > off[2] ? 1 : 2);
    double low[3] = {round(c[0]), round(c[1]), round(c[2])};
    low[axis] = floor(c[axis]);
    tacVec3 a = node_point(&r->frame, low[0], low[1], low[2]);
    tacVec3 step = tac_vec3(axis == 0 ? h : 0.0, axis == 1 ? h : 0.0, axis == 2 ? h : 0.0);
    double f0 = f(a), f1 = f(tac_vec3_add(a, step));
    bool on_edge = off[(axis + 1) % 3] < 1e-6 && off[(axis + 2) % 3] < 1e-6 && (f0 < 0.0) != (f1 < 0.0);
    tacVec3 place, normal;
    if (on_edge)
      *p = bisect(f, a, step, f0, f1);
    else if (project(f, *p, h, &place, &normal))
      *p = place;
    else
      *p = search_line(f, *p, tac_vec3_unit(gradient(f, *p, 1e-4 * h)), h);
    r->normals[v] = tac_vec3_unit(gradient(f, *p, 1e-4 * h));
  }
}

/* From vertex v to the middle of the triangles around it, along the surface. */
static tacVec3 tangential_move(const relaxation *r, int v) {
  const tacTriMesh *mesh = r->mesh;
  tacVec3 p = mesh->vertices[v], n = r->normals[v], sum = tac_vec3(0.0, 0.0, 0.0);
  double weight = 0.0;
  for (int i = r->first[v]; i < r->first[v + 1]; ++i) {
    const int *c = mesh->triangles[r->around[i]].v;
    tacVec3 x = tac_vec3_sub(mesh->vertices[c[0]], p), y = tac_vec3_sub(mesh->vertices[c[1]], p);
    tacVec3 z = tac_vec3_sub(mesh->vertices[c[2]], p);
    double area = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(y, x), tac_vec3_sub(z, x)));
    sum = tac_vec3_mad(sum, area / 3.0, tac_vec3_add(x, tac_vec3_add(y, z)));
    weight += area;
  }
  if (!(weight > 0.0)) return tac_vec3(0.0, 0.0, 0.0);
  tacVec3 move = tac_vec3_scale(1.0 / weight, sum);
  return tac_vec3_mad(move, -tac_vec3_dot(move, n), n);
}

static void propose(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const relaxation *r = context;
  for (size_t v = begin; v < end; ++v) {
    tacVec3 p = r->mesh->vertices[v], to = tac_vec3_mad(p, r->smoothing, tangential_move(r, (int)v)), place, normal;
    bool found = project(r->solid->function, to, r->frame.spacing, &place, &normal);
    r->places[v] = found ? place : p;
    r->turned[v] = found ? normal : r->normals[v];
  }
}

/* How well a triangle stands: the cosine of the largest angle between it and the surface at its corners, and its shape
 * (1 equilateral, 0 without area); both negative where it faces inward. */
static void standing(const tacVec3 p[3], const tacVec3 n[3], double *cosine, double *shape) {
  tacVec3 a = tac_vec3_sub(p[1], p[0]), b = tac_vec3_sub(p[2], p[0]), c = tac_vec3_sub(p[2], p[1]);
  tacVec3 normal = tac_vec3_cross(a, b);
  double twice_area = tac_vec3_norm(normal);
  double longest = fmax(tac_vec3_norm2(a), fmax(tac_vec3_norm2(b), tac_vec3_norm2(c)));
  normal = tac_vec3_unit(normal);
  *cosine = fmin(tac_vec3_dot(normal, n[0]), fmin(tac_vec3_dot(normal, n[1]), tac_vec3_dot(normal, n[2])));
  *shape = longest > 0.0 ? twice_area / (0.8660254037844386 * longest) : 0.0;
}

static bool is_degraded(const relaxation *r, const tacTriangle *triangle) {
  tacVec3 old_p[3], old_n[3], new_p[3], new_n[3];
  bool moved = false;
  for (int i = 0; i < 3; ++i) {
    int v = triangle->v[i];
    old_p[i] = r->mesh->vertices[v], old_n[i] = r->normals[v];
    new_p[i] = r->places[v], new_n[i] = r->turned[v];
    moved = moved || memcmp(&old_p[i], &new_p[i], sizeof new_p[i]) != 0;
  }
  if (!moved) return false;
  double old_cosine, old_shape, new_cosine, new_shape;
  standing(old_p, old_n, &old_cosine, &old_shape);
  standing(new_p, new_n, &new_cosine, &new_shape);
  return new_cosine < fmin(old_cosine, 0.5) || new_shape < fmin(old_shape, 0.25);
}

static void withdraw(const relaxation *r, int v) {
  r->places[v] = r->mesh->vertices[v];
  r->turned[v] = r->normals[v];
}

/* Triangles with all corners in their old place are never spoilt, so this ends: each pass but the last withdraws one
 * proposal at least. */
static void withdraw_spoiling(const relaxation *r) {
  for (bool again = true; again;) {
    again = false;
    for (int t = 0; t < r->mesh->triangle_count; ++t) {
      if (!is_degraded(r, &r->mesh->triangles[t])) continue;
      for (int i = 0; i < 3; ++i) withdraw(r, r->mesh->triangles[t].v[i]);
      again = true;
    }
  }
}

/* The worst of the triangles around v if v were at `place`: their shape, less where they do not lie along the surface. */
static double ring_quality(const relaxation *r, int v, tacVec3 place, tacVec3 normal) {
  double worst = INFINITY;
  for (int i = r->first[v]; i < r->first[v + 1]; ++i) {
    tacVec3 p[3], n[3];
    for (int c = 0; c < 3; ++c) {
      int corner = r->mesh->triangles[r->around[i]].v[c];
      p[c] = corner == v ? place : r->mesh->vertices[corner];
      n[c] = corner == v ? normal : r->normals[corner];
    }
    double cosine, shape;
    standing(p, n, &cosine, &shape);
    worst = fmin(worst, cosine < 0.5 ? 2.0 * cosine * shape : shape);
  }
  return worst;
}

/* Where proposals keep blocking each other a few bad triangles remain: their corners go, one at a time, where the worst
 * triangle around them becomes best. */
static void improve_worst(const relaxation *r) {
  for (int sweep = 0; sweep < IMPROVING_SWEEPS; ++sweep)
    for (int v = 0; v < r->mesh->vertex_count; ++v) {
      tacVec3 p = r->mesh->vertices[v];
      double best = ring_quality(r, v, p, r->normals[v]);
      if (best > 0.4) continue; /* angles above 20 degrees */
      tacVec3 move = tangential_move(r, v), place, normal;
      for (double part = 1.5; part > 0.1; part *= 0.5) {
        if (!project(r->solid->function, tac_vec3_mad(p, part, move), r->frame.spacing, &place, &normal)) continue;
        double quality = ring_quality(r, v, place, normal);
        if (quality > best) best = quality, r->mesh->vertices[v] = place, r->normals[v] = normal;
      }
    }
}

static tacStatus link_triangles(relaxation *r, tacError *error) {
  const tacTriMesh *mesh = r->mesh;
  r->first = tac_arrays_add(&r->arrays, (size_t)mesh->vertex_count + 1, sizeof *r->first);
  r->around = tac_arrays_add(&r->arrays, 3 * (size_t)mesh->triangle_count, sizeof *r->around);
  TAC_TRY(tac_arrays_status(&r->arrays, "triangles around vertices", error));
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) ++r->first[mesh->triangles[t].v[i]];
  for (int v = 1; v <= mesh->vertex_count; ++v) r->first[v] += r->first[v - 1];
  for (int t = mesh->triangle_count - 1; t >= 0; --t)
    for (int i = 0; i < 3; ++i) r->around[--r->first[mesh->triangles[t].v[i]]] = t;
  return TAC_OK;
}

static void free_relaxation(relaxation *r) {
  tac_arrays_free(&r->arrays);
}

static tacStatus relax(const tacImplicitSolid *solid, const tacGrid *frame, tacTriMesh *mesh,
                       const tacProgress *progress, tacError *error) {
  const tacProgressPart placing_part = {progress, 0.0, 0.1, NULL};
  const tacProgress placing = tac_progress_part(&placing_part);
  size_t count = (size_t)mesh->vertex_count;
  TAC_FREED(free_relaxation, relaxation, r) = {.solid = solid, .frame = *frame, .mesh = mesh};
  r.places = tac_arrays_add(&r.arrays, count, sizeof *r.places);
  r.normals = tac_arrays_add(&r.arrays, count, sizeof *r.normals);
  r.turned = tac_arrays_add(&r.arrays, count, sizeof *r.turned);
  TAC_TRY(tac_arrays_status(&r.arrays, "vertices and normals", error));
  TAC_TRY(link_triangles(&r, error));
  TAC_TRY(tac_parallel_for(0, count, 256, settle, &r, &placing, "placing vertices", error));
  for (int round = 0; round < SMOOTHING_ROUNDS; ++round) {
    r.smoothing = round < SMOOTHING_ROUNDS / 2 ? 0.9 : 0.6;
    const double begin = 0.1 + 0.9 * round / SMOOTHING_ROUNDS, end = 0.1 + 0.9 * (round + 1.0) / SMOOTHING_ROUNDS;
    const tacProgressPart part = {progress, begin, end, NULL};
    const tacProgress reported = tac_progress_part(&part);
    TAC_TRY(tac_parallel_for(0, count, 256, propose, &r, &reported, "smoothing triangles", error));
    withdraw_spoiling(&r);
    memcpy(mesh->vertices, r.places, count * sizeof *r.places);
    memcpy(r.normals, r.turned, count * sizeof *r.turned);
  }
  improve_worst(&r);
  return TAC_OK;
}

tacStatus tac_implicit_mesh_build(const tacImplicitSolid *solid, double size, const tacProgress *progress,
                                  tacTriMesh **mesh, tacError *error) {
  *mesh = NULL;
  TAC_OWN(tacTriMesh, surface) = NULL;
  tacGrid grid = {0};
  const tacProgressPart parts[2] = {{progress, 0.0, 0.15, NULL}, {progress, 0.15, 1.0, NULL}};
  const tacProgress stages[2] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1])};
  tacStatus status = sample(solid, size, &stages[0], &grid, error);
  if (status == TAC_OK) status = tac_isosurface_extract(&grid, 0.0, &surface, error);
  free(grid.values);
  grid.values = NULL;
  TAC_TRY(status);
  TAC_TRY(relax(solid, &grid, surface, &stages[1], error));
  *mesh = tac_give(&surface);
  return TAC_OK;
}
