/* The surface of a body as it is deformed now, in boxes: which parts of it are near something, and how vertices,
 * edges and faces lie there. The tree of boxes is made once, of the surface at rest; boxes follow the deformed
 * vertices (refitting, van den Bergen 1997). Normals are computed where they are asked for, once for every shape.
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

/* The whole surface has each edge once; where more than two triangles share it, the first two count. Its direction
 * is that of triangle[0], which owns it. */
typedef struct tacSurfaceEdge {
  int vertex[2];
  int triangle[2]; /* the second is -1 at a border */
  int opposite[2]; /* the corner of each that is not on the edge, 0 to 2 */
} tacSurfaceEdge;

/* A leaf has a few triangles, and owns some of their edges and vertices: every one is owned by exactly one leaf.
 * Ranges end where those of the next leaf begin. */
typedef struct tacSurfaceLeaf {
  int triangle, edge, vertex; /* the first of leaf_triangles, edges, leaf_vertices */
  int corner;                 /* the first of leaf_corners: all vertices of its triangles, once each */
  int box;                    /* 4 node + child */
} tacSurfaceLeaf;

/* A deformed triangle. The weights of a point's projection are w1 = dual[0] . (p - v0), w2 = dual[1] . (p - v0), w0
 * the rest. */
typedef struct tacSurfaceFace {
  tacVec3 normal; /* unit, outward; all zero where it has no area */
  tacVec3 dual[2];
  uint64_t shape; /* it is of */
} tacSurfaceFace;

/* A deformed edge. A border counts as a right angle: below it is what is behind the only face. */
typedef struct tacSurfaceRidge {
  tacVec3 along;     /* unit, from vertex[0] to vertex[1] */
  tacVec3 normal[2]; /* of its faces, unit */
  tacVec3 inward[2]; /* unit, in each face, at right angles to the edge */
  tacVec3 outward;   /* between the faces' normals; its length does not matter */
  bool sharp;        /* convex by TAC_SURFACE_SHARP or more */
  uint64_t shape;
} tacSurfaceRidge;

/* All of a deformed leaf is between two planes, low <= normal . p <= high: much thinner than its box where that is
 * oblique. */
typedef struct tacSurfaceSlab {
  tacVec3 normal; /* unit; or zero, with low = high = 0 */
  double low, high;
  uint64_t shape;
} tacSurfaceSlab;

#define TAC_SURFACE_SHARP 0.99984769515639123916 /* cosine of 1 degree, between the normals of two faces */

typedef struct tacSurfaceBoxes {
  const tacTriMesh *mesh;             /* at rest */
  tacArrays arrays;                   /* all that follow */
  tacBoxTree *tree;                   /* its boxes are in the body's frame, m, and absent ones have half = -infinity */
  int (*leaf_of)[TAC_BOX_TREE_WIDTH]; /* [node]: children that are leaves */
  int leaf_count;
  tacSurfaceLeaf *leaves; /* [leaf_count + 1] */
  int *leaf_triangles, *leaf_vertices, *leaf_corners;
  int edge_count;
  tacSurfaceEdge *edges; /* leaf by leaf */
  int (*owned_edge)[3];  /* [triangle][side], from corner s to the next; -1: another one owns it */
  int *vertex_side;      /* [vertex]: 3 t + s where triangle t owns it, as corner s; -1: it is in no triangle */
  int *star_first;       /* [vertex + 1] -> star */
  int *star;             /* 3 t + s: triangles around the vertex, of which it is corner s */

  uint64_t shape;    /* changes where a vertex has moved */
  tacVec3 *vertices; /* deformed */
  float (*places)[4];
  float extent; /* m: no coordinate of a box is larger */
  tacSurfaceFace *faces;
  tacSurfaceRidge *ridges; /* [edge] */
  tacSurfaceSlab *slabs;   /* [leaf] */
  tacVec3 *normals;        /* [vertex] */
  uint64_t *normal_shape;
  /* Room for searches. */
  int near_most;
  int *near;   /* [near_most] */
  int *pairs;  /* [leaf], all -1 in between */
  int *listed; /* [leaf] */
} tacSurfaceBoxes;

enum { TAC_SURFACE_LEVELS = 17 /* of a tree, at most */, TAC_SURFACE_MOST_TRIANGLES = 1 << 28 };

/* At rest. Refers to `mesh`, which is valid; closed or not, with or without triangles that have no area.
 * TAC_ERR_GEOMETRY where it has no triangles. */
tacStatus tac_surface_boxes_create(const tacTriMesh *mesh, tacSurfaceBoxes **surface, tacError *error);
void tac_surface_boxes_destroy(tacSurfaceBoxes *surface); /* NULL is allowed */
TAC_OWNED_TYPE(tacSurfaceBoxes, tac_surface_boxes_destroy)

/* Takes the deformed vertices [mesh->vertex_count], which are copied. Returns false, at the cost of comparing them,
 * where none has moved. */
bool tac_surface_boxes_follow(tacSurfaceBoxes *surface, const tacVec3 *vertices);

const tacSurfaceFace *tac_surface_boxes_face(tacSurfaceBoxes *surface, int triangle);
const tacSurfaceRidge *tac_surface_boxes_ridge(tacSurfaceBoxes *surface, int edge);
const tacSurfaceSlab *tac_surface_boxes_slab(tacSurfaceBoxes *surface, int leaf);
/* Pseudo-normals (Baerentzen and Aanaes 2005), unit; zero where the faces have no area or cancel. */
tacVec3 tac_surface_boxes_vertex_normal(tacSurfaceBoxes *surface, int vertex);
tacVec3 tac_surface_boxes_edge_normal(tacSurfaceBoxes *surface, int edge);
