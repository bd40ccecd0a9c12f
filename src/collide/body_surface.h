/* Queries of a point against the present deformed surface of a body: starts at a few sample points and walks from
 * triangle to triangle. Computes only the visited vertices (in O(r) for reduced bodies: Barbic 2007, (3.6)). Creation
 * is for the load phase; queries are for any phase, without allocation, in bounded time. Frame: the body's. */
#pragma once

#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "body/body.h"
#include "mesh/query/box_tree.h"

typedef struct tacBodySurface {
  const tacTriMesh *mesh; /* at rest */
  tacArrays arrays;       /* owns all arrays below */
  tacVec3 *normals;       /* [vertex] at rest, unit */
  bool *unfixed;          /* [vertex], all false: the fixed vertices of a body that reports none */
  int *first_triangle;    /* [vertex + 1] -> triangles_of */
  int *triangles_of;      /* the triangles around a vertex */
  tacBoxTree *tree;       /* tree of the triangles at rest */
  int sample_count;
  int *samples; /* vertices spread over the surface, each far from the previous ones */
  int point_count;
  tacSurfacePoint *points; /* points spread in the same way, also in triangles and on edges: for contact with bodies */
  tacVec3 *rest;           /* rest positions of `points` */
  double spacing;          /* m: every vertex is nearer than this to a sample on its side of the surface */
  double radius;           /* m: radius of the ball around `centre` that contains the rest surface */
  tacVec3 centre;
  double area;      /* m^2, at rest */
  double thickness; /* m: twice the volume over the area, the thickness of a plate; infinite for open surfaces */
} tacBodySurface;

enum { TAC_SURFACE_MOST_SAMPLES = 128, TAC_SURFACE_MOST_POINTS = 512 };

/* Refers to `mesh`, which bodies may share. Any triangle mesh, closed or not. TAC_ERR_GEOMETRY: no triangles. */
tacStatus tac_body_surface_create(const tacTriMesh *mesh, tacBodySurface **surface, tacError *error);
void tac_body_surface_destroy(tacBodySurface *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacBodySurface, tac_body_surface_destroy)

/* Interpolates vertex values x at a point of the surface. */
static inline tacVec3 tac_surface_point_blend(const tacTriMesh *mesh, const tacSurfacePoint *at, const tacVec3 *x) {
  const int *v = mesh->triangles[at->triangle].v;
  tacVec3 sum = tac_vec3_scale(at->weight[0], x[v[0]]);
  return tac_vec3_mad(tac_vec3_mad(sum, at->weight[1], x[v[1]]), at->weight[2], x[v[2]]);
}

/* m: the ball of this radius around `centre` contains the deformed surface. */
double tac_body_surface_bound(const tacBodySurface *surface, const tacBody *body);

tacVec3 tac_body_surface_point(const tacBodySurface *surface, const tacBody *body, tacSurfacePoint at);

tacSurfacePoint tac_body_surface_at_vertex(const tacBodySurface *surface, int vertex);
/* Returns the vertex nearest to `p` among `count` samples from number `first` on (cyclic). With `facing` only vertices
 * that face `p` count. -1: no sample is nearer than `within` (m). */
int tac_body_surface_sample(const tacBodySurface *surface, const tacBody *body, tacVec3 p, int first, int count,
                            double within, bool facing);
/* Checks whether another part of the surface may be nearer to `p` than `by`: finds the point that would be nearest if
 * the body were displaced as at `by`. Returns false if this point is `by` itself. Finds parts whose displacement
 * relative to `by` is less than the difference of their distances. */
bool tac_body_surface_look(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint by,
                           tacSurfacePoint *at);
/* Returns the nearest sample, or a slightly farther one that faces `p`. So the walk for a point above a sheet does not
 * start on the lower side. */
tacSurfacePoint tac_body_surface_start(const tacBodySurface *surface, const tacBody *body, tacVec3 p);
/* Walks from `*at` over the surface toward `p` while it comes nearer, and returns the signed distance there: negative
 * inside, by the pseudo-normal (3.8). The result is a local minimum, not that of the whole surface: this keeps a tool
 * on the side of a thin sheet from which it came. */
double tac_body_surface_nearest(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint *at);
/* The same walk, limited to the length `most` (m). The end is not farther from `p` than the start. */
void tac_body_surface_slide(const tacBodySurface *surface, const tacBody *body, tacVec3 p, double most,
                            tacSurfacePoint *at);
