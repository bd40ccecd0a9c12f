/* Stores the deformed surface of a body in a tree of boxes, to find nearby parts and to compute the geometry of
 * vertices, edges and faces.
 *
 * The tree is built once, for the surface at rest. The boxes follow the deformed vertices (refitting, van den Bergen
 * 1997). Normals are computed on demand, once per shape.
 *
 * Creation is for the load phase. All other functions are for any phase: they do not allocate. Only one thread may use
 * the object at a time. All positions are in the body's frame. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/query/box_tree.h"

/* An edge of the surface. If more than two triangles share an edge, only two of them are stored. `triangle[0]` owns the
 * edge and defines the direction of the edge. */
typedef struct tacSurfaceEdge {
  int vertex[2];
  int triangle[2]; /* adjacent triangles; the second is -1 at a border */
  int opposite[2]; /* corner (0 to 2) of each triangle that is not on the edge */
} tacSurfaceEdge;

/* A leaf holds a few triangles, and owns some of their edges and vertices. Each edge and vertex has exactly one owner.
 * The ranges of a leaf end where the ranges of the next leaf begin. */
typedef struct tacSurfaceLeaf {
  int triangle, edge, vertex; /* first index of the leaf in `leaf_triangles`, in `edges` and in `leaf_vertices` */
  /* first index of the leaf in `leaf_corners`, which lists each vertex of the leaf's triangles once */
  int corner;
  int box; /* number of the leaf's box: 4 * node + child */
} tacSurfaceLeaf;

/* A deformed triangle with first corner v0. The barycentric weights of the projection of a point p are
 *     w1 = dual[0] . (p - v0),   w2 = dual[1] . (p - v0),   w0 = 1 - w1 - w2. */
typedef struct tacSurfaceFace {
  tacVec3 normal; /* unit outward normal; zero if the triangle has no area */
  tacVec3 dual[2];
  uint64_t shape; /* value of `tacSurfaceBoxes.shape` for which the face was computed */
} tacSurfaceFace;

/* A deformed edge. For a border edge, the second face is a virtual face at a right angle, on the inner side of the
 * first face. */
typedef struct tacSurfaceRidge {
  tacVec3 along;     /* unit vector from vertex[0] to vertex[1] */
  tacVec3 normal[2]; /* unit normals of the two faces */
  tacVec3 inward[2]; /* unit vectors in the faces, perpendicular to the edge */
  tacVec3 outward;   /* direction between the normals of the faces; not normalised */
  bool sharp;        /* true if the edge is convex by at least 1 degree (TAC_SURFACE_SHARP) */
  uint64_t shape;
} tacSurfaceRidge;

/* A slab: two planes that enclose a deformed leaf, low <= normal . p <= high. For an oblique leaf the slab is much
 * thinner than the box. */
typedef struct tacSurfaceSlab {
  tacVec3 normal; /* unit normal; zero, with low = high = 0, if the faces cancel */
  double low, high;
  uint64_t shape;
} tacSurfaceSlab;

#define TAC_SURFACE_SHARP 0.99984769515639123916 /* cosine of the angle between two face normals, 1 degree */

typedef struct tacSurfaceBoxes {
  const tacTriMesh *mesh; /* surface at rest */
  tacArrays arrays;       /* memory of all arrays below */
  /* tree with deformed boxes in the body's frame, m; an absent child has half = -infinity */
  tacBoxTree *tree;
  int (*leaf_of)[TAC_BOX_TREE_WIDTH]; /* [node] leaf number of each child that is a leaf */
  int leaf_count;
  tacSurfaceLeaf *leaves; /* [leaf_count + 1] leaves */
  int *leaf_triangles, *leaf_vertices, *leaf_corners;
  int edge_count;
  tacSurfaceEdge *edges; /* edges, sorted by leaf */
  /* [triangle][side] edge that the triangle owns on side s, from corner s to the next; -1 if another triangle owns the
   * edge */
  int (*owned_edge)[3];
  /* [vertex] 3 * t + s if triangle t owns the vertex as its corner s; -1 if no triangle has the vertex */
  int *vertex_side;
  int *star_first; /* [vertex_count + 1] first index in `star` of the triangles around each vertex */
  int *star;       /* triangles around each vertex, as 3 * t + s if the vertex is corner s of triangle t */

  uint64_t shape;    /* version number of the shape; changes whenever a vertex moves */
  tacVec3 *vertices; /* [vertex] deformed positions, m */
  float (*places)[4];
  float extent; /* upper bound of all box coordinates, m */
  tacSurfaceFace *faces;
  tacSurfaceRidge *ridges; /* [edge] deformed edges */
  tacSurfaceSlab *slabs;   /* [leaf] slabs */
  tacVec3 *normals;        /* [vertex] pseudo-normals */
  uint64_t *normal_shape;
  /* ---- memory for searches ---- */
  int near_most;
  int *near;   /* [near_most] children and leaves near the searched part; also memory of the chains */
  int *pairs;  /* [leaf] start of the chain of near leaves of the other surface; -1 between searches */
  int *listed; /* [leaf] leaves near one leaf of the other surface */
} tacSurfaceBoxes;

enum { TAC_SURFACE_LEVELS = 17 /* maximum number of levels of a tree */, TAC_SURFACE_MOST_TRIANGLES = 1 << 28 };

/* Creates the boxes of the surface at rest. Refers to `mesh`, which must be valid. The mesh may be open and may have
 * triangles of zero area. Fails with TAC_ERR_GEOMETRY if the mesh has no triangles. */
tacStatus tac_surface_boxes_create(const tacTriMesh *mesh, tacSurfaceBoxes **surface, tacError *error);
void tac_surface_boxes_destroy(tacSurfaceBoxes *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacSurfaceBoxes, tac_surface_boxes_destroy)

/* Copies the deformed vertices, [mesh->vertex_count], and updates the boxes. Returns false if no vertex has moved; then
 * the call costs only a comparison. */
bool tac_surface_boxes_follow(tacSurfaceBoxes *surface, const tacVec3 *vertices);

const tacSurfaceFace *tac_surface_boxes_face(tacSurfaceBoxes *surface, int triangle);
const tacSurfaceRidge *tac_surface_boxes_ridge(tacSurfaceBoxes *surface, int edge);
const tacSurfaceSlab *tac_surface_boxes_slab(tacSurfaceBoxes *surface, int leaf);
/* Compute unit pseudo-normals (Baerentzen and Aanaes 2005). The result is zero if the faces have no area or their
 * normals cancel. */
tacVec3 tac_surface_boxes_vertex_normal(tacSurfaceBoxes *surface, int vertex);
tacVec3 tac_surface_boxes_edge_normal(tacSurfaceBoxes *surface, int edge);
