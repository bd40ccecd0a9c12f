#include "collide/body_surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <tactus/mesh.h>
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_point.h"
#include "mesh/trimesh.h"

enum { MOST_MOVES = 64, CACHED = 64 /* number of cached vertices; a power of two */ };

/* ---- creation ---- */

static void list_triangles(tacBodySurface *s, const tacTriMesh *mesh) {
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) ++s->first_triangle[mesh->triangles[t].v[i] + 1];
  for (int v = 0; v < mesh->vertex_count; ++v) s->first_triangle[v + 1] += s->first_triangle[v];
  for (int t = mesh->triangle_count - 1; t >= 0; --t)
    for (int i = 0; i < 3; ++i) {
      /* Each list is filled from its end, so that the start of vertex v + 1 decreases to its final value. */
      int v = mesh->triangles[t].v[i];
      s->triangles_of[--s->first_triangle[v + 1]] = t;
    }
  for (int v = 0; v < mesh->vertex_count; ++v) s->first_triangle[v] = s->first_triangle[v + 1];
  s->first_triangle[mesh->vertex_count] = 3 * mesh->triangle_count;
}

/* Returns the squared distance between two vertices, as used for sampling. The distance includes the normals, so that
 * the two sides of a sheet are far apart. */
static double apart2(const tacBodySurface *s, const tacTriMesh *mesh, int a, int b) {
  const tacVec3 *normal = s->normals;
  return tac_vec3_norm2(tac_vec3_sub(mesh->vertices[a], mesh->vertices[b])) +
         0.25 * s->radius * s->radius * tac_vec3_norm2(tac_vec3_sub(normal[a], normal[b]));
}

/* Returns the weight of a vertex in sampling. The weight of protruding vertices is larger, since they touch floors
 * first. */
static double favour(const tacBodySurface *s, const tacTriMesh *mesh, int v) {
  double out2 = tac_vec3_norm2(tac_vec3_sub(mesh->vertices[v], s->centre));
  return s->radius > 0.0 ? 0.25 + out2 / (s->radius * s->radius) : 1.0;
}

/* Chooses the samples: first the vertex farthest from the centre, then always the vertex farthest from all previous
 * samples. */
static tacStatus choose_samples(tacBodySurface *s, const tacTriMesh *mesh, tacError *error) {
  TAC_MEMORY(double, distance2) = NULL;
  TAC_TRY(TAC_ARRAY(distance2, (size_t)mesh->vertex_count, "a surface's samples", error));
  for (int v = 0; v < mesh->vertex_count; ++v) /* -1 if the vertex has no triangles; else larger than any distance */
    distance2[v] = s->first_triangle[v] < s->first_triangle[v + 1] ? fmax(DBL_MIN, 8.0 * s->radius * s->radius) : -1.0;
  int next = mesh->triangles[0].v[0];
  while (s->sample_count < TAC_SURFACE_MOST_SAMPLES) {
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (favour(s, mesh, v) * distance2[v] > favour(s, mesh, next) * distance2[next]) next = v;
    if (!(distance2[next] > 0.0)) break;
    int sample = next;
    s->samples[s->sample_count++] = sample;
    for (int v = 0; v < mesh->vertex_count; ++v) distance2[v] = fmin(distance2[v], apart2(s, mesh, v, sample));
  }
  for (int v = 0; v < mesh->vertex_count; ++v) s->spacing = fmax(s->spacing, distance2[v]);
  s->spacing = sqrt(s->spacing);
  return TAC_OK;
}

enum { MOST_CANDIDATES = 8192 };

/* Chooses the points: always the candidate farthest from all previous points. Candidates are the corners of the
 * triangles and a grid of points in every triangle. */
static tacStatus choose_points(tacBodySurface *s, const tacTriMesh *mesh, tacError *error) {
  int cuts = 1;
  while (cuts < 16 && (cuts + 2) * (cuts + 3) / 2 * mesh->triangle_count <= MOST_CANDIDATES) ++cuts;
  size_t room = (size_t)mesh->triangle_count * (size_t)((cuts + 1) * (cuts + 2) / 2);
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacSurfacePoint *candidates = tac_arrays_add(&work, room, sizeof *candidates);
  double *distance2 = tac_arrays_add(&work, room, sizeof *distance2);
  double *out = tac_arrays_add(&work, room, sizeof *out);
  tacVec3 *places = tac_arrays_add(&work, room, sizeof *places);
  TAC_TRY(tac_arrays_status(&work, "a surface's points", error));
  size_t count = 0, next = 0;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i <= cuts; ++i)
      for (int j = 0; j <= cuts - i; ++j)
        candidates[count++] = (tacSurfacePoint){t, {(double)i / cuts, (double)j / cuts, (double)(cuts - i - j) / cuts}};
  for (size_t i = 0; i < count; ++i) {
    places[i] = tac_surface_point_blend(mesh, &candidates[i], mesh->vertices);
    double away2 = tac_vec3_norm2(tac_vec3_sub(places[i], s->centre)) / fmax(DBL_MIN, s->radius * s->radius);
    out[i] = 0.25 + away2; /* protruding points get a larger weight, since they touch first */
    distance2[i] = s->radius * s->radius * (4.0 + away2);
    if (distance2[i] > distance2[next]) next = i;
  }
  while (s->point_count < TAC_SURFACE_MOST_POINTS && distance2[next] > 1e-8 * s->radius * s->radius) {
    tacVec3 chosen = places[next];
    s->rest[s->point_count] = chosen;
    s->points[s->point_count++] = candidates[next];
    next = 0;
    for (size_t i = 0; i < count; ++i) {
      distance2[i] = fmin(distance2[i], out[i] * tac_vec3_norm2(tac_vec3_sub(places[i], chosen)));
      if (distance2[i] > distance2[next]) next = i;
    }
  }
  return TAC_OK;
}

static tacStatus allocate(tacBodySurface *s, const tacTriMesh *mesh, tacError *error) {
  size_t vertices = (size_t)mesh->vertex_count;
  s->first_triangle = tac_arrays_add(&s->arrays, vertices + 1, sizeof(int));
  s->triangles_of = tac_arrays_add(&s->arrays, 3 * (size_t)mesh->triangle_count, sizeof(int));
  s->normals = tac_arrays_add(&s->arrays, vertices, sizeof *s->normals);
  s->unfixed = tac_arrays_add(&s->arrays, vertices, sizeof *s->unfixed);
  s->samples = tac_arrays_add(&s->arrays, TAC_SURFACE_MOST_SAMPLES, sizeof *s->samples);
  s->points = tac_arrays_add(&s->arrays, TAC_SURFACE_MOST_POINTS, sizeof *s->points);
  s->rest = tac_arrays_add(&s->arrays, TAC_SURFACE_MOST_POINTS, sizeof *s->rest);
  return tac_arrays_status(&s->arrays, "a body's surface", error);
}

tacStatus tac_body_surface_create(const tacTriMesh *mesh, tacBodySurface **surface, tacError *error) {
  *surface = NULL;
  if (mesh->triangle_count < 1) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  TAC_OWN(tacBodySurface, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a body's surface", error));
  made->mesh = mesh;
  TAC_TRY(allocate(made, mesh, error));
  list_triangles(made, mesh);
  tac_trimesh_normals(mesh, made->normals);
  made->centre = tac_box_centre(tac_trimesh_box(mesh));
  for (int v = 0; v < mesh->vertex_count; ++v)
    made->radius = fmax(made->radius, tac_vec3_distance(mesh->vertices[v], made->centre));
  made->area = tac_trimesh_area(mesh);
  made->thickness =
      tac_trimesh_require_closed(mesh, NULL) == TAC_OK ? 2.0 * tac_trimesh_volume(mesh) / made->area : INFINITY;
  TAC_TRY(tac_box_tree_of_triangles(mesh, &made->tree, error));
  TAC_TRY(choose_samples(made, mesh, error));
  TAC_TRY(choose_points(made, mesh, error));
  *surface = tac_give(&made);
  return TAC_OK;
}

void tac_body_surface_destroy(tacBodySurface *surface) {
  if (surface == NULL) return;
  tac_box_tree_destroy(surface->tree);
  tac_arrays_free(&surface->arrays);
  free(surface);
}

/* ---- queries ---- */

double tac_body_surface_bound(const tacBodySurface *surface, const tacBody *body) {
  return surface->radius + tac_body_bounds(body).swelling;
}

static tacVec3 vertex_of(const tacBody *body, int vertex) {
  return body->table->vertex(body->self, vertex);
}

static tacVec3 pseudo_normal(const tacBody *body, int vertex) {
  return tac_vec3_unit(body->table->vertex_normal(body->self, vertex));
}

tacVec3 tac_body_surface_point(const tacBodySurface *surface, const tacBody *body, tacSurfacePoint at) {
  const int *v = surface->mesh->triangles[at.triangle].v;
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i)
    if (at.weight[i] != 0.0) sum = tac_vec3_mad(sum, at.weight[i], vertex_of(body, v[i]));
  return sum;
}

tacSurfacePoint tac_body_surface_at_vertex(const tacBodySurface *surface, int vertex) {
  tacSurfacePoint at = {.triangle = surface->triangles_of[surface->first_triangle[vertex]]};
  const int *v = surface->mesh->triangles[at.triangle].v;
  for (int i = 0; i < 3; ++i) at.weight[i] = v[i] == vertex ? 1.0 : 0.0;
  return at;
}

int tac_body_surface_sample(const tacBodySurface *surface, const tacBody *body, tacVec3 p, int first, int count,
                            double within, bool facing) {
  double least = within;
  int nearest = -1;
  for (int i = 0; i < count; ++i) {
    int vertex = surface->samples[(first + i) % surface->sample_count];
    tacVec3 away = tac_vec3_sub(p, vertex_of(body, vertex));
    double distance = tac_vec3_norm(away);
    if (!(distance < least) || (facing && tac_vec3_dot(away, pseudo_normal(body, vertex)) < 0.0)) continue;
    least = distance;
    nearest = vertex;
  }
  return nearest;
}

tacSurfacePoint tac_body_surface_start(const tacBodySurface *surface, const tacBody *body, tacVec3 p) {
  int vertex = tac_body_surface_sample(surface, body, p, 0, surface->sample_count, INFINITY, false);
  if (vertex < 0) vertex = surface->samples[0]; /* `p` is not finite */
  double within = tac_vec3_distance(vertex_of(body, vertex), p) + surface->spacing;
  int facing = tac_body_surface_sample(surface, body, p, 0, surface->sample_count, within, true);
  return tac_body_surface_at_vertex(surface, facing >= 0 ? facing : vertex);
}

/* Vertex positions computed by one query. */
typedef struct Cache {
  const tacBodySurface *surface;
  const tacBody *body;
  int vertex[CACHED]; /* vertex stored in each slot; -1: empty slot */
  tacVec3 position[CACHED];
} Cache;

static tacVec3 fetch(Cache *cache, int vertex) {
  int slot = vertex & (CACHED - 1);
  if (cache->vertex[slot] != vertex) {
    cache->vertex[slot] = vertex;
    cache->position[slot] = vertex_of(cache->body, vertex);
  }
  return cache->position[slot];
}

#define ON_BORDER 1e-9 /* largest barycentric weight that counts as zero */

/* Computes the barycentric coordinates of `p` in the triangle a b c from areas. If the triangle has no area, returns
 * the coordinates of corner a. */
static void weigh(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p, double weight[3]) {
  tacVec3 ab = tac_vec3_sub(b, a), ac = tac_vec3_sub(c, a), ap = tac_vec3_sub(p, a);
  tacVec3 n = tac_vec3_cross(ab, ac);
  double n2 = tac_vec3_norm2(n);
  weight[1] = n2 > 0.0 ? tac_vec3_dot(n, tac_vec3_cross(ap, ac)) / n2 : 0.0;
  weight[2] = n2 > 0.0 ? tac_vec3_dot(n, tac_vec3_cross(ab, ap)) / n2 : 0.0;
  weight[0] = 1.0 - weight[1] - weight[2];
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (!(weight[i] > ON_BORDER)) weight[i] = 0.0;
    sum += weight[i];
  }
  for (int i = 0; i < 3; ++i) weight[i] /= sum;
}

static double closest_in(Cache *cache, int triangle, tacVec3 p, tacSurfacePoint *at) {
  const int *v = cache->surface->mesh->triangles[triangle].v;
  tacVec3 a = fetch(cache, v[0]), b = fetch(cache, v[1]), c = fetch(cache, v[2]);
  tacVec3 nearest = tac_triangle_closest(a, b, c, p);
  at->triangle = triangle;
  weigh(a, b, c, nearest, at->weight);
  return tac_vec3_norm2(tac_vec3_sub(nearest, p));
}

/* Callback of tac_box_tree_nearest. The context is the mesh at rest. */
static double rest_distance2(int triangle, tacVec3 p, void *context) {
  const tacTriMesh *mesh = context;
  const int *v = mesh->triangles[triangle].v;
  tacVec3 nearest = tac_triangle_closest(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p);
  return tac_vec3_norm2(tac_vec3_sub(nearest, p));
}

bool tac_body_surface_look(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint by,
                           tacSurfacePoint *at) {
  const tacTriMesh *mesh = surface->mesh;
  tacVec3 away = tac_vec3_sub(p, tac_body_surface_point(surface, body, by));
  tacVec3 q = tac_vec3_add(tac_surface_point_blend(mesh, &by, mesh->vertices), away);
  /* The interface takes a non-const context, but the callback only reads the mesh. */
  void *context = (void *)(uintptr_t)mesh;
  int triangle = tac_box_tree_nearest(surface->tree, q, tac_vec3_norm2(away), rest_distance2, context, NULL);
  if (triangle < 0 || triangle == by.triangle) return false;
  const int *v = mesh->triangles[triangle].v;
  tacVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
  at->triangle = triangle;
  weigh(a, b, c, tac_triangle_closest(a, b, c, q), at->weight);
  return true;
}

static double side_of(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint at) {
  const int *v = surface->mesh->triangles[at.triangle].v;
  tacVec3 normal = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i)
    if (at.weight[i] > 0.0) normal = tac_vec3_mad(normal, at.weight[i], pseudo_normal(body, v[i]));
  return tac_vec3_dot(tac_vec3_sub(p, tac_body_surface_point(surface, body, at)), normal);
}

static bool has_corner(const tacBodySurface *surface, int triangle, int vertex) {
  const int *v = surface->mesh->triangles[triangle].v;
  return v[0] == vertex || v[1] == vertex || v[2] == vertex;
}

static tacVec3 place_of(Cache *cache, tacSurfacePoint at) {
  const int *v = cache->surface->mesh->triangles[at.triangle].v;
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) sum = tac_vec3_mad(sum, at.weight[i], fetch(cache, v[i]));
  return sum;
}

/* Subtracts the length of the straight path from `at` to `next` from `*left` (m). If the path is longer than `*left`,
 * moves `at` to the end of the allowed path and returns false. Both points are in the triangle of `next`, but `at` may
 * be expressed in a neighbour triangle. */
static bool advance(Cache *cache, tacSurfacePoint next, double *left, tacSurfacePoint *at) {
  tacVec3 from = place_of(cache, *at), to = place_of(cache, next);
  double length = tac_vec3_distance(from, to);
  if (length <= *left) {
    *left -= length;
    return true;
  }
  const int *v = cache->surface->mesh->triangles[next.triangle].v;
  tacVec3 a = fetch(cache, v[0]), b = fetch(cache, v[1]), c = fetch(cache, v[2]);
  tacVec3 there = tac_vec3_mad(from, *left / length, tac_vec3_sub(to, from));
  at->triangle = next.triangle;
  weigh(a, b, c, there, at->weight);
  return false;
}

/* Walks from `at` over the surface to a local minimum of the distance to `p`. In each triangle the walk goes straight
 * to the point nearest to `p`, so the distance decreases along the path. The walk ends after the length `most` (m).
 * Returns the squared distance. */
static double descend(const tacBodySurface *surface, const tacBody *body, tacVec3 p, double most, tacSurfacePoint *at) {
  Cache cache = {.surface = surface, .body = body};
  for (int i = 0; i < CACHED; ++i) cache.vertex[i] = -1;
  tacSurfacePoint next;
  double least = closest_in(&cache, at->triangle, p, &next);
  for (int move = 0;; ++move) {
    if (most < INFINITY && !advance(&cache, next, &most, at)) break;
    *at = next;
    /* Only another triangle that contains the current point can lead nearer to `p`. A point inside a triangle has no
     * other triangle. A point on an edge has one, and a corner has all triangles around the corner. */
    const int *v = surface->mesh->triangles[at->triangle].v;
    int corner = -1, other_corner = -1, count = 0;
    for (int i = 0; i < 3; ++i) {
      if (!(at->weight[i] > 0.0)) continue;
      other_corner = corner;
      corner = v[i];
      ++count;
    }
    if (count == 3 || move == MOST_MOVES) break;
    double before = least;
    for (int k = surface->first_triangle[corner]; k < surface->first_triangle[corner + 1]; ++k) {
      int triangle = surface->triangles_of[k];
      if (count == 2 && !has_corner(surface, triangle, other_corner)) continue;
      tacSurfacePoint other;
      double d2 = closest_in(&cache, triangle, p, &other);
      if (d2 < least) {
        least = d2;
        next = other;
      }
    }
    if (!(least < before)) break;
  }
  return least;
}

double tac_body_surface_nearest(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint *at) {
  double distance = sqrt(descend(surface, body, p, INFINITY, at));
  return side_of(surface, body, p, *at) < 0.0 ? -distance : distance;
}

void tac_body_surface_slide(const tacBodySurface *surface, const tacBody *body, tacVec3 p, double most,
                            tacSurfacePoint *at) {
  descend(surface, body, p, fmin(most, DBL_MAX), at);
}
