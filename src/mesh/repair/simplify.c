#include "mesh/repair/simplify.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/mat3.h"
#include "mesh/triangle_key.h"

/* Weight of the squared length of an edge beside the squared distance to the planes around it: to keep detail, and to have edges
 * that are alike. */
static const double some_evenness = 0.005, full_evenness = 1.0;
/* Triangles are not made worse than this share of an equilateral one's area over squared edges, nor turned further than
 * this cosine. */
static const double least_quality = 0.3, least_cosine = 0.3;

/* Squared distance to planes, weighted by area: x.Ax + 2 b.x + c. */
typedef struct {
  tacMat3 a;
  tacVec3 b;
  double c;
  double area; /* of the planes' triangles */
} Quadric;

typedef struct {
  double cost;
  int a, b; /* a < b */
  int version_a, version_b;
} Edge;

typedef struct {
  tacArrays arrays;
  int vertex_count, triangle_count;
  tacVec3 *points;
  Quadric *quadrics;
  tacTriangle *triangles; /* v[0] < 0: gone */
  int *head, *next;       /* of the list of corners 3 t + k of each vertex; -1 ends it */
  int *version;           /* of a vertex; -1: gone */
  int *mark;              /* of a vertex, by `stamp` */
  int stamp;
  Edge *heap;
  size_t heap_count, heap_capacity;
  double least_quality, evenness;
  double longest; /* edge that a collapse may make, m */
} Mesh;

static Quadric quadric_of(tacVec3 p, tacVec3 q, tacVec3 r) {
  tacVec3 twice = tac_vec3_cross(tac_vec3_sub(q, p), tac_vec3_sub(r, p));
  tacVec3 n = tac_vec3_unit(twice);
  double area = 0.5 * tac_vec3_norm(twice), d = -tac_vec3_dot(n, p);
  return (Quadric){tac_mat3_scale(area, tac_mat3_outer(n, n)), tac_vec3_scale(area * d, n), area * d * d, area};
}

static Quadric quadric_sum(const Quadric *p, const Quadric *q) {
  return (Quadric){tac_mat3_add(p->a, q->a), tac_vec3_add(p->b, q->b), p->c + q->c, p->area + q->area};
}

/* Where an edge goes: the least of the quadric, held near the middle where that is undecided; and what it costs. */
static tacVec3 best_point(const Mesh *mesh, int a, int b, double *cost) {
  Quadric q = quadric_sum(&mesh->quadrics[a], &mesh->quadrics[b]);
  tacVec3 middle = tac_vec3_mix(mesh->points[a], mesh->points[b], 0.5);
  double hold = 1e-2 * q.area;
  tacMat3 inverse;
  tacVec3 right = tac_vec3_mad(tac_vec3_scale(-1.0, q.b), hold, middle), p = middle;
  if (tac_mat3_inverse(tac_mat3_add(q.a, tac_mat3_diagonal(hold, hold, hold)), &inverse))
    p = tac_mat3_mul_vec(inverse, right);
  double length = tac_vec3_distance(mesh->points[a], mesh->points[b]);
  double error = tac_vec3_dot(p, tac_mat3_mul_vec(q.a, p)) + 2.0 * tac_vec3_dot(q.b, p) + q.c;
  *cost = fmax(error, 0.0) + mesh->evenness * q.area * length * length;
  return p;
}

static bool cheaper(const Edge *p, const Edge *q) {
  if (p->cost != q->cost) return p->cost < q->cost;
  return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static tacStatus push_edge(Mesh *mesh, int a, int b, tacError *error) {
  Edge edge = {.a = a < b ? a : b, .b = a < b ? b : a};
  best_point(mesh, edge.a, edge.b, &edge.cost);
  edge.version_a = mesh->version[edge.a];
  edge.version_b = mesh->version[edge.b];
  TAC_TRY(tac_array_reserve((void **)&mesh->heap, &mesh->heap_capacity, mesh->heap_count + 1, sizeof *mesh->heap,
                            "edges", error));
  size_t at = mesh->heap_count++;
  for (; at > 0 && cheaper(&edge, &mesh->heap[(at - 1) / 2]); at = (at - 1) / 2)
    mesh->heap[at] = mesh->heap[(at - 1) / 2];
  mesh->heap[at] = edge;
  return TAC_OK;
}

static Edge pop_edge(Mesh *mesh) {
  Edge first = mesh->heap[0], last = mesh->heap[--mesh->heap_count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= mesh->heap_count) break;
    if (child + 1 < mesh->heap_count && cheaper(&mesh->heap[child + 1], &mesh->heap[child])) ++child;
    if (!cheaper(&mesh->heap[child], &last)) break;
    mesh->heap[at] = mesh->heap[child];
    at = child;
  }
  mesh->heap[at] = last;
  return first;
}

static bool holds(const tacTriangle *t, int v) {
  return t->v[0] == v || t->v[1] == v || t->v[2] == v;
}

/* Whether the triangles of `a` that do not hold `b` stay good when `a` moves to `p`. */
static bool stays_good(const Mesh *mesh, int a, int b, tacVec3 p) {
  for (int c = mesh->head[a]; c >= 0; c = mesh->next[c]) {
    const tacTriangle *t = &mesh->triangles[c / 3];
    if (t->v[0] < 0 || holds(t, b)) continue;
    tacVec3 old[3], moved[3];
    for (int i = 0; i < 3; ++i) {
      old[i] = mesh->points[t->v[i]];
      moved[i] = t->v[i] == a ? p : old[i];
    }
    tacVec3 before = tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(old[1], old[0]), tac_vec3_sub(old[2], old[0])));
    tacVec3 after = tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(moved[1], moved[0]), tac_vec3_sub(moved[2], moved[0])));
    if (tac_vec3_dot(before, after) < least_cosine) return false;
    for (int i = 0; i < 3; ++i)
      if (t->v[i] != a && tac_vec3_distance(moved[i], p) > mesh->longest) return false;
    double q = tac_triangle_quality(moved[0], moved[1], moved[2]);
    if (q < mesh->least_quality && q < tac_triangle_quality(old[0], old[1], old[2])) return false;
  }
  return true;
}

/* A closed surface stays a manifold where the ends of the edge have exactly the two neighbours of its triangles in common. */
static bool keeps_topology(Mesh *mesh, int a, int b) {
  int stamp = ++mesh->stamp, common = 0;
  for (int c = mesh->head[a]; c >= 0; c = mesh->next[c])
    for (int i = 0; i < 3 && mesh->triangles[c / 3].v[0] >= 0; ++i) mesh->mark[mesh->triangles[c / 3].v[i]] = stamp;
  for (int c = mesh->head[b]; c >= 0; c = mesh->next[c]) {
    const tacTriangle *t = &mesh->triangles[c / 3];
    for (int i = 0; i < 3 && t->v[0] >= 0; ++i) {
      if (t->v[i] == a || t->v[i] == b || mesh->mark[t->v[i]] != stamp) continue;
      mesh->mark[t->v[i]] = stamp - 1; /* count it once */
      ++common;
    }
  }
  ++mesh->stamp;
  return common == 2;
}

/* b becomes a, at p. */
static tacStatus collapse(Mesh *mesh, int a, int b, tacVec3 p, tacError *error) {
  int *end = &mesh->head[a];
  while (*end >= 0) {
    const tacTriangle *t = &mesh->triangles[*end / 3];
    if (t->v[0] < 0 || holds(t, b))
      *end = mesh->next[*end];
    else
      end = &mesh->next[*end];
  }
  for (int c = mesh->head[b]; c >= 0;) {
    int following = mesh->next[c];
    tacTriangle *t = &mesh->triangles[c / 3];
    if (t->v[0] >= 0 && holds(t, a)) {
      t->v[0] = -1;
    } else if (t->v[0] >= 0) {
      t->v[c % 3] = a;
      *end = c;
      end = &mesh->next[c];
    }
    c = following;
  }
  *end = -1;
  mesh->points[a] = p;
  mesh->quadrics[a] = quadric_sum(&mesh->quadrics[a], &mesh->quadrics[b]);
  ++mesh->version[a];
  mesh->version[b] = -1;
  for (int c = mesh->head[a]; c >= 0; c = mesh->next[c]) {
    int after = mesh->triangles[c / 3].v[(c % 3 + 1) % 3]; /* each neighbour follows `a` in one triangle */
    TAC_TRY(push_edge(mesh, a, after, error));
  }
  return TAC_OK;
}

static tacStatus push_all(Mesh *mesh, tacError *error) {
  mesh->heap_count = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    for (int i = 0; i < 3 && v[0] >= 0; ++i) {
      if (v[i] > v[(i + 1) % 3]) continue; /* the neighbour has it the other way round */
      TAC_TRY(push_edge(mesh, v[i], v[(i + 1) % 3], error));
    }
  }
  return TAC_OK;
}

static tacStatus collapse_until(Mesh *mesh, int wanted, int *left, tacError *error) {
  TAC_TRY(push_all(mesh, error));
  while (*left > wanted && mesh->heap_count > 0) {
    Edge edge = pop_edge(mesh);
    if (mesh->version[edge.a] != edge.version_a || mesh->version[edge.b] != edge.version_b) continue;
    double cost;
    tacVec3 p = best_point(mesh, edge.a, edge.b, &cost);
    if (!keeps_topology(mesh, edge.a, edge.b) || !stays_good(mesh, edge.a, edge.b, p) ||
        !stays_good(mesh, edge.b, edge.a, p))
      continue;
    TAC_TRY(collapse(mesh, edge.a, edge.b, p, error));
    --*left;
  }
  return TAC_OK;
}

static tacStatus start(const tacTriMesh *source, Mesh *mesh, tacError *error) {
  size_t n = (size_t)source->vertex_count, m = (size_t)source->triangle_count;
  mesh->vertex_count = source->vertex_count;
  mesh->triangle_count = source->triangle_count;
  mesh->points = tac_arrays_add(&mesh->arrays, n, sizeof *mesh->points);
  mesh->quadrics = tac_arrays_add(&mesh->arrays, n, sizeof *mesh->quadrics);
  mesh->triangles = tac_arrays_add(&mesh->arrays, m, sizeof *mesh->triangles);
  mesh->head = tac_arrays_add(&mesh->arrays, n, sizeof *mesh->head);
  mesh->next = tac_arrays_add(&mesh->arrays, 3 * m, sizeof *mesh->next);
  mesh->version = tac_arrays_add(&mesh->arrays, n, sizeof *mesh->version);
  mesh->mark = tac_arrays_add(&mesh->arrays, n, sizeof *mesh->mark);
  TAC_TRY(tac_arrays_status(&mesh->arrays, "a mesh", error));
  memcpy(mesh->points, source->vertices, n * sizeof *mesh->points);
  memcpy(mesh->triangles, source->triangles, m * sizeof *mesh->triangles);
  for (size_t i = 0; i < n; ++i) mesh->head[i] = -1;
  for (int t = mesh->triangle_count - 1; t >= 0; --t) {
    const int *v = mesh->triangles[t].v;
    Quadric q = quadric_of(mesh->points[v[0]], mesh->points[v[1]], mesh->points[v[2]]);
    for (int i = 0; i < 3; ++i) {
      mesh->quadrics[v[i]] = quadric_sum(&mesh->quadrics[v[i]], &q);
      mesh->next[3 * t + i] = mesh->head[v[i]];
      mesh->head[v[i]] = 3 * t + i;
    }
  }
  return TAC_OK;
}

static tacStatus gather(Mesh *mesh, int left, tacTriMesh **simplified, tacError *error) {
  int triangles = 0, vertex = 0, triangle = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) triangles += mesh->triangles[t].v[0] >= 0;
  TAC_TRY(tac_trimesh_create(left, triangles, simplified, error));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    mesh->mark[v] = vertex;
    if (mesh->version[v] >= 0) (*simplified)->vertices[vertex++] = mesh->points[v];
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (mesh->triangles[t].v[0] < 0) continue;
    for (int i = 0; i < 3; ++i) (*simplified)->triangles[triangle].v[i] = mesh->mark[mesh->triangles[t].v[i]];
    ++triangle;
  }
  return TAC_OK;
}

static void free_mesh(Mesh *mesh) {
  tac_arrays_free(&mesh->arrays);
  free(mesh->heap);
}

tacStatus tac_trimesh_simplify(const tacTriMesh *mesh, int vertex_count, tacTriMesh **simplified, tacError *error) {
  *simplified = NULL;
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_FREED(free_mesh, Mesh, work) = {.least_quality = least_quality, .evenness = some_evenness, .longest = INFINITY};
  int left = mesh->vertex_count;
  TAC_TRY(start(mesh, &work, error));
  TAC_TRY(collapse_until(&work, vertex_count, &left, error));
  if (left > vertex_count) { /* better a few poor triangles than none */
    work.least_quality = 0.05;
    TAC_TRY(collapse_until(&work, vertex_count, &left, error));
  }
  if (left > vertex_count)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the surface cannot be reduced below %d vertices, but %d were requested", left, vertex_count);
  return gather(&work, left, simplified, error);
}

tacStatus tac_trimesh_coarsen(const tacTriMesh *mesh, int vertex_count, double longest, tacTriMesh **coarse,
                              tacError *error) {
  *coarse = NULL;
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_FREED(free_mesh, Mesh, work) = {.least_quality = least_quality, .evenness = full_evenness, .longest = longest};
  int left = mesh->vertex_count;
  TAC_TRY(start(mesh, &work, error));
  TAC_TRY(collapse_until(&work, vertex_count, &left, error));
  return gather(&work, left, coarse, error);
}
