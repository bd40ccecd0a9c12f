/* Where a point is with respect to the surface of a body, as it is deformed now: from a few sample points, then from triangle to
 * triangle. Only the vertices that are met are computed (in O(r) for reduced bodies: Barbic 2007, (3.6)). Creation is for the load
 * phase; queries are for any phase, without allocation, in bounded time. Frame: the body's. */
#pragma once

#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "body/body.h"
#include "mesh/query/box_tree.h"

typedef struct tacBodySurface {
  const tacTriMesh *mesh; /* at rest */
  tacArrays arrays;       /* all that follow */
  tacVec3 *normals;       /* [vertex] at rest, unit */
  bool *unfixed;          /* [vertex]: none is fixed */
  int *first_triangle;    /* [vertex + 1] -> triangles_of */
  int *triangles_of;      /* the triangles around a vertex */
  tacBoxTree *tree;       /* of the triangles at rest */
  int sample_count;
  int *samples; /* vertices spread over the surface, each far from those before it */
  int point_count;
  tacSurfacePoint *points; /* spread likewise, in triangles and on their sides, too: where other bodies are met; */
  tacVec3 *rest;           /* and their places at rest */
  double spacing;          /* m: every vertex is nearer than this to a sample on its side of the surface */
  double radius;           /* m: of the ball around `centre` that holds the surface at rest */
  tacVec3 centre;
  double area;      /* m^2, at rest */
  double thickness; /* m: twice the volume over the area, of a plate its thickness; infinite where it is not closed */
} tacBodySurface;

enum { TAC_SURFACE_MOST_SAMPLES = 128, TAC_SURFACE_MOST_POINTS = 512 };

/* Refers to `mesh`, which bodies may share. Any triangle mesh will do, closed or not. TAC_ERR_GEOMETRY where it has no triangles. */
tacStatus tac_body_surface_create(const tacTriMesh *mesh, tacBodySurface **surface, tacError *error);
void tac_body_surface_destroy(tacBodySurface *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacBodySurface, tac_body_surface_destroy)

/* What is given for each vertex, x, at a point of the surface. */
static inline tacVec3 tac_surface_point_blend(const tacTriMesh *mesh, const tacSurfacePoint *at, const tacVec3 *x) {
  const int *v = mesh->triangles[at->triangle].v;
  tacVec3 sum = tac_vec3_scale(at->weight[0], x[v[0]]);
  return tac_vec3_mad(tac_vec3_mad(sum, at->weight[1], x[v[1]]), at->weight[2], x[v[2]]);
}

/* m: the ball of this radius around `centre` holds the deformed surface. */
double tac_body_surface_bound(const tacBodySurface *surface, const tacBody *body);

tacVec3 tac_body_surface_point(const tacBodySurface *surface, const tacBody *body, tacSurfacePoint at);

tacSurfacePoint tac_body_surface_at_vertex(const tacBodySurface *surface, int vertex);
/* Of `count` samples, from the one numbered `first` (after the last comes number 0), the vertex that is nearest to `p`, and
 * faces it where that is asked; -1: none is nearer than `within` (m). */
int tac_body_surface_sample(const tacBodySurface *surface, const tacBody *body, tacVec3 p, int first, int count,
                            double within, bool facing);
/* Where another part of the surface may be nearer to `p` than `by` is: the point that would be nearest if all of the body were displaced
 * as it is at `by`. False where that is `by` itself. Parts that moved by less apart than they differ in distance are found. */
bool tac_body_surface_look(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint by,
                           tacSurfacePoint *at);
/* The nearest sample, or one not much farther that faces `p`, so that what is above a sheet is not led to its lower side. */
tacSurfacePoint tac_body_surface_start(const tacBodySurface *surface, const tacBody *body, tacVec3 p);
/* Goes from `*at` over the surface towards `p` as long as it comes nearer, and returns the signed distance there: negative
 * inside, by the pseudo-normal (3.8). What it finds is a nearest point among its neighbours, not of the whole surface: that is
 * what keeps a tool on the side of a thin sheet from which it came. */
double tac_body_surface_nearest(const tacBodySurface *surface, const tacBody *body, tacVec3 p, tacSurfacePoint *at);
/* The same way, but at most `most` (m) of it: what it ends at is no farther from `p`. */
void tac_body_surface_slide(const tacBodySurface *surface, const tacBody *body, tacVec3 p, double most,
                            tacSurfacePoint *at);
