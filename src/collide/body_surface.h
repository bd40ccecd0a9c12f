/* Computes nearest points and signed distances on the deformed surface of a body.
 *
 * A query starts at a few sample vertices and walks from triangle to triangle. Only the visited vertices are computed.
 * For a reduced body with r coordinates, each vertex takes O(r) time (Barbic 2007, (3.6)). Creation is for the load
 * phase. Queries are for any phase: they do not allocate and take bounded time. All positions are in the body's
 * frame. */
#pragma once

#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "body/body.h"
#include "mesh/query/box_tree.h"

typedef struct tacBodySurface {
  const tacTriMesh *mesh; /* surface at rest */
  tacArrays arrays;       /* memory of all arrays below */
  tacVec3 *normals;       /* [vertex] unit normals at rest */
  bool *unfixed;          /* [vertex] flags of fixed vertices for a body that reports no flags; all false */
  int *first_triangle;    /* [vertex_count + 1] first index in `triangles_of` of the triangles around each vertex */
  int *triangles_of;      /* triangles around each vertex */
  tacBoxTree *tree;       /* tree of the triangles at rest */
  int sample_count;
  int *samples; /* vertices spread over the surface, each far from the previous ones */
  int point_count;
  /* points spread over vertices, edges and faces, each far from the previous ones; for contact with bodies */
  tacSurfacePoint *points;
  tacVec3 *rest;  /* positions of `points` at rest */
  double spacing; /* largest distance of a vertex to the nearest sample on its side of the surface, m */
  double radius;  /* radius of the ball around `centre` that contains the surface at rest, m */
  tacVec3 centre;
  double area;      /* surface area at rest, m^2 */
  double thickness; /* twice the volume divided by the area, m (thickness of a plate); infinite for open surfaces */
} tacBodySurface;

enum { TAC_SURFACE_MOST_SAMPLES = 128, TAC_SURFACE_MOST_POINTS = 512 };

/* Creates a surface that refers to `mesh`. Bodies may share a mesh. Any triangle mesh is accepted, closed or open.
 * Fails with TAC_ERR_GEOMETRY if the mesh has no triangles. */
tacStatus tac_body_surface_create(const tacTriMesh *mesh, tacBodySurface **surface, tacError *error);
void tac_body_surface_destroy(tacBodySurface *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacBodySurface, tac_body_surface_destroy)

/* Interpolates the vertex values `x` at a point of the surface. */
static inline tacVec3 tac_surface_point_blend(const tacTriMesh *mesh, const tacSurfacePoint *at, const tacVec3 *x) {
  const int *v = mesh->triangles[at->triangle].v;
  tacVec3 sum = tac_vec3_scale(at->weight[0], x[v[0]]);
  return tac_vec3_mad(tac_vec3_mad(sum, at->weight[1], x[v[1]]), at->weight[2], x[v[2]]);
}

/* Returns the radius of a ball around `centre` that contains the deformed surface, m. */
double tac_body_surface_bound(const tacBodySurface *surface, const tacBody *body);

tacVec3 tac_body_surface_point(const tacBodySurface *surface, const tacBody *body, tacSurfacePoint at);

tacSurfacePoint tac_body_surface_at_vertex(const tacBodySurface *surface, int vertex);
/* Returns the vertex nearest to `p` among `count` samples, starting at sample `first` and wrapping around. With
 * `facing`, only vertices whose normal points toward `p` are considered. Returns -1 if no sample is nearer than
 * `within` (m). */
int tac_body_surface_sample(const tacBodySurface *surface, const tacBody *body, tacVec3 p, int first, int count,
                            double within, bool facing);
/* Checks whether another part of the surface may be nearer to `p` than the point `by`. The search moves the surface at
 * rest by the displacement of `by`, and sets `*at` to the surface point nearest to `p`. Returns false if this point is
 * in the triangle of `by`, or if no point is nearer than `by`. A nearer part may be missed if its displacement differs
 * from the displacement of `by` by more than the difference in distance to `p`. */
bool tac_body_surface_look(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint by,
                           tacSurfacePoint *at);
/* Returns the start of a walk toward `p`: the nearest sample, or a slightly farther sample whose normal points toward
 * `p`. So the walk to a point above a sheet does not start on the lower side. */
tacSurfacePoint tac_body_surface_start(const tacBodySurface *surface, const tacBody *body, tacVec3 p);
/* Walks from `*at` over the surface toward `p` until the distance to `p` no longer decreases. Returns the signed
 * distance at the end, negative inside, with the sign of the pseudo-normal (Barbic 2007, (3.8)). The result is a local
 * minimum of the distance. So a tool stays on the side of a thin sheet from which the tool came. */
double tac_body_surface_nearest(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint *at);
/* Does the walk of tac_body_surface_nearest up to the path length `most` (m). The end is not farther from `p` than the
 * start. */
void tac_body_surface_slide(const tacBodySurface *surface, const tacBody *body, tacVec3 p, double most,
                            tacSurfacePoint *at);
