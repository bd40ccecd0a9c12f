/* The present deformed surface of a body, in boxes: finds parts near something, and the geometry of vertices, edges and
 * faces there. The tree of boxes is built once, from the rest surface; boxes follow the deformed vertices (refitting,
 * van den Bergen 1997). Normals are computed on demand, once per shape.
 *
 * Creation is for the load phase. Everything else is for any phase: no allocation, one thread at a time. Frame: the
 * body's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/query/box_tree.h"

/* Each edge of the surface occurs once; if more than two triangles share it, the first two count. triangle[0] owns the
 * edge and defines its direction. */
typedef struct tacSurfaceEdge {
  int vertex[2];
  int triangle[2]; /* the second is -1 at a border */
  int opposite[2]; /* for each triangle, its corner that is not on the edge, 0 to 2 */
} tacSurfaceEdge;

/* A leaf has a few triangles, and owns some of their edges and vertices. Each edge and vertex has exactly one owner. A
 * leaf's ranges end where the ranges of the next leaf begin. */
typedef struct tacSurfaceLeaf {
  int triangle, edge, vertex; /* first of leaf_triangles, edges, leaf_vertices */
  int corner;                 /* first of leaf_corners: all vertices of its triangles, once each */
  int box;                    /* 4 node + child */
} tacSurfaceLeaf;

/* A deformed triangle. Weights of a point's projection: w1 = dual[0] . (p - v0), w2 = dual[1] . (p - v0), w0 = 1 - w1 -
 * w2. */
typedef struct tacSurfaceFace {
  tacVec3 normal; /* unit, outward; zero if it has no area */
  tacVec3 dual[2];
  uint64_t shape; /* tacSurfaceBoxes.shape for which the face was computed */
} tacSurfaceFace;

/* A deformed edge. A border edge counts as a right angle: the space behind its only face counts as below the edge. */
typedef struct tacSurfaceRidge {
  tacVec3 along;     /* unit, from vertex[0] to vertex[1] */
  tacVec3 normal[2]; /* unit normals of its faces */
  tacVec3 inward[2]; /* unit, in each face, perpendicular to the edge */
  tacVec3 outward;   /* between the faces' normals; not normalised */
  bool sharp;        /* convex by TAC_SURFACE_SHARP or more */
  uint64_t shape;
} tacSurfaceRidge;

/* Two planes that enclose a deformed leaf, low <= normal . p <= high: much thinner than the box of an oblique leaf. */
typedef struct tacSurfaceSlab {
  tacVec3 normal; /* unit; or zero, with low = high = 0 */
  double low, high;
  uint64_t shape;
} tacSurfaceSlab;

#define TAC_SURFACE_SHARP 0.99984769515639123916 /* cosine of 1 degree, between the normals of two faces */

typedef struct tacSurfaceBoxes {
  const tacTriMesh *mesh;             /* at rest */
  tacArrays arrays;                   /* owns all arrays below */
  tacBoxTree *tree;                   /* boxes are in the body's frame, m; absent boxes have half = -infinity */
  int (*leaf_of)[TAC_BOX_TREE_WIDTH]; /* [node]: children that are leaves */
  int leaf_count;
  tacSurfaceLeaf *leaves; /* [leaf_count + 1] */
  int *leaf_triangles, *leaf_vertices, *leaf_corners;
  int edge_count;
  tacSurfaceEdge *edges; /* leaf by leaf */
  int (*owned_edge)[3];  /* [triangle][side], from corner s to the next; -1: owned by another */
  int *vertex_side;      /* [vertex]: 3 t + s if triangle t owns it, as corner s; -1: in no triangle */
  int *star_first;       /* [vertex + 1] -> star */
  int *star;             /* 3 t + s: triangles around the vertex, which is their corner s */

  uint64_t shape;    /* changes when a vertex moves */
  tacVec3 *vertices; /* deformed */
  float (*places)[4];
  float extent; /* m: bound of all box coordinates */
  tacSurfaceFace *faces;
  tacSurfaceRidge *ridges; /* [edge] */
  tacSurfaceSlab *slabs;   /* [leaf] */
  tacVec3 *normals;        /* [vertex] */
  uint64_t *normal_shape;
  /* Memory for searches. */
  int near_most;
  int *near;   /* [near_most] */
  int *pairs;  /* [leaf], all -1 between searches */
  int *listed; /* [leaf] */
} tacSurfaceBoxes;

enum { TAC_SURFACE_LEVELS = 17 /* maximum for a tree */, TAC_SURFACE_MOST_TRIANGLES = 1 << 28 };

/* Starts at rest. Refers to `mesh`, which must be valid; closed or not, with or without triangles of zero area.
 * TAC_ERR_GEOMETRY: no triangles. */
tacStatus tac_surface_boxes_create(const tacTriMesh *mesh, tacSurfaceBoxes **surface, tacError *error);
void tac_surface_boxes_destroy(tacSurfaceBoxes *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacSurfaceBoxes, tac_surface_boxes_destroy)

/* Copies the deformed vertices [mesh->vertex_count]. Returns false if none has moved, at the cost of a comparison. */
bool tac_surface_boxes_follow(tacSurfaceBoxes *surface, const tacVec3 *vertices);

const tacSurfaceFace *tac_surface_boxes_face(tacSurfaceBoxes *surface, int triangle);
const tacSurfaceRidge *tac_surface_boxes_ridge(tacSurfaceBoxes *surface, int edge);
const tacSurfaceSlab *tac_surface_boxes_slab(tacSurfaceBoxes *surface, int leaf);
/* Pseudo-normals (Baerentzen and Aanaes 2005), unit; zero if the faces have no area or cancel. */
tacVec3 tac_surface_boxes_vertex_normal(tacSurfaceBoxes *surface, int vertex);
tacVec3 tac_surface_boxes_edge_normal(tacSurfaceBoxes *surface, int edge);
