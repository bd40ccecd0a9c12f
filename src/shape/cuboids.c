#include "shape/cuboids.h"

#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

#define NODES_MOST (400.0 * 400.0 * 400.0)

typedef struct lattice {
  tacArrays arrays;
  int nodes[3];
  double *at[3];        /* coordinates of the planes of nodes along each axis */
  unsigned char *cells; /* whether the cell that begins at a node is solid; those of the last planes never are */
  int *numbers;         /* of each node that is a vertex, from 1; 0: it is none */
} lattice;

static double coordinate(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What lies between two planes of faces: cells no longer than about `size`, and at least `through` where one box is as thick. */
typedef struct spacing {
  double size;
  int through;
} spacing;

static double span_cells(int count, const tacBox *boxes, int axis, double from, double to, spacing cells) {
  double least = 1.0;
  for (int i = 0; i < count; ++i)
    if (coordinate(boxes[i].lower, axis) >= from && coordinate(boxes[i].upper, axis) <= to) least = cells.through;
  return fmax(round((to - from) / cells.size), least);
}

/* The planes of all faces, and planes between them. */
static tacStatus place_planes(int count, const tacBox *boxes, spacing cells, lattice *grid, tacError *error) {
  double nodes = 1.0;
  double *faces = tac_arrays_add(&grid->arrays, 2 * (size_t)count, sizeof *faces);
  TAC_TRY(tac_arrays_status(&grid->arrays, "planes", error));
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < count; ++i) {
      faces[2 * i] = coordinate(boxes[i].lower, axis);
      faces[2 * i + 1] = coordinate(boxes[i].upper, axis);
    }
    qsort(faces, 2 * (size_t)count, sizeof *faces, by_value);
    double along = 1.0;
    for (int i = 1; i < 2 * count; ++i)
      if (faces[i] > faces[i - 1]) along += span_cells(count, boxes, axis, faces[i - 1], faces[i], cells);
    nodes *= along;
    if (!(nodes <= NODES_MOST))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: it needs more than %.3g nodes", cells.size,
                           NODES_MOST);
    grid->nodes[axis] = (int)along;
    grid->at[axis] = tac_arrays_add(&grid->arrays, (size_t)along, sizeof *grid->at[axis]);
    TAC_TRY(tac_arrays_status(&grid->arrays, "planes", error));
    int next = 0;
    grid->at[axis][next++] = faces[0];
    for (int i = 1; i < 2 * count; ++i) {
      if (!(faces[i] > faces[i - 1])) continue;
      int parts = (int)span_cells(count, boxes, axis, faces[i - 1], faces[i], cells);
      for (int k = 1; k < parts; ++k)
        grid->at[axis][next++] = faces[i - 1] + (faces[i] - faces[i - 1]) * ((double)k / parts);
      grid->at[axis][next++] = faces[i];
    }
  }
  return TAC_OK;
}

static size_t node_index(const lattice *grid, const int at[3]) {
  return ((size_t)at[2] * grid->nodes[1] + at[1]) * grid->nodes[0] + at[0];
}

static void fill_cells(int count, const tacBox *boxes, lattice *grid) {
  for (int b = 0; b < count; ++b) {
    int at[3];
    for (at[2] = 0; at[2] + 1 < grid->nodes[2]; ++at[2])
      for (at[1] = 0; at[1] + 1 < grid->nodes[1]; ++at[1])
        for (at[0] = 0; at[0] + 1 < grid->nodes[0]; ++at[0]) {
          bool inside = true;
          for (int axis = 0; axis < 3 && inside; ++axis)
            inside = grid->at[axis][at[axis]] >= coordinate(boxes[b].lower, axis) &&
                     grid->at[axis][at[axis] + 1] <= coordinate(boxes[b].upper, axis);
          if (inside) grid->cells[node_index(grid, at)] = 1;
        }
  }
}

static bool solid(const lattice *grid, const int at[3], int axis, int offset) {
  int cell[3] = {at[0], at[1], at[2]};
  cell[axis] += offset;
  return cell[axis] >= 0 && grid->cells[node_index(grid, cell)];
}

/* The nodes of the face at the lower end of a cell along `axis`, counter-clockwise about +axis. */
static void face_nodes(const lattice *grid, const int at[3], int axis, size_t nodes[4]) {
  for (int c = 0; c < 4; ++c) {
    int node[3] = {at[0], at[1], at[2]};
    node[(axis + 1) % 3] += c == 1 || c == 2;
    node[(axis + 2) % 3] += c >= 2;
    nodes[c] = node_index(grid, node);
  }
}

static tacVec3 node_point(const lattice *grid, size_t node) {
  size_t row = node / grid->nodes[0];
  return tac_vec3(grid->at[0][node % grid->nodes[0]], grid->at[1][row % grid->nodes[1]],
                  grid->at[2][row / grid->nodes[1]]);
}

typedef struct boundary {
  int faces, vertices; /* so far */
  tacTriMesh *mesh;    /* NULL while faces and vertices are counted */
} boundary;

static void add_face(const lattice *grid, const int at[3], int axis, bool solid_above, boundary *b) {
  size_t nodes[4];
  face_nodes(grid, at, axis, nodes);
  int face = b->faces++;
  if (b->mesh == NULL) {
    for (int c = 0; c < 4; ++c)
      if (grid->numbers[nodes[c]] == 0) grid->numbers[nodes[c]] = ++b->vertices;
    return;
  }
  /* Diagonals alternate, so that no direction is preferred. */
  int corner[4], turn = (at[0] + at[1] + at[2]) & 1;
  for (int c = 0; c < 4; ++c) {
    size_t node = nodes[(c + turn) % 4];
    corner[c] = grid->numbers[node] - 1;
    b->mesh->vertices[corner[c]] = node_point(grid, node);
  }
  int second = solid_above ? corner[3] : corner[1], last = solid_above ? corner[1] : corner[3];
  b->mesh->triangles[2 * face] = (tacTriangle){{corner[0], second, corner[2]}};
  b->mesh->triangles[2 * face + 1] = (tacTriangle){{corner[0], corner[2], last}};
}

static void visit_faces(const lattice *grid, boundary *b) {
  int at[3];
  b->faces = 0;
  for (at[2] = 0; at[2] < grid->nodes[2]; ++at[2])
    for (at[1] = 0; at[1] < grid->nodes[1]; ++at[1])
      for (at[0] = 0; at[0] < grid->nodes[0]; ++at[0])
        for (int axis = 0; axis < 3; ++axis) {
          bool above = solid(grid, at, axis, 0);
          if (above != solid(grid, at, axis, -1)) add_face(grid, at, axis, above, b);
        }
}

static size_t node_count(const lattice *grid) {
  return (size_t)grid->nodes[0] * grid->nodes[1] * grid->nodes[2];
}

static tacStatus make_lattice(int count, const tacBox *boxes, spacing cells, lattice *grid, tacError *error) {
  TAC_TRY(place_planes(count, boxes, cells, grid, error));
  grid->cells = tac_arrays_add(&grid->arrays, node_count(grid), 1);
  grid->numbers = tac_arrays_add(&grid->arrays, node_count(grid), sizeof *grid->numbers);
  TAC_TRY(tac_arrays_status(&grid->arrays, "cells", error));
  fill_cells(count, boxes, grid);
  return TAC_OK;
}

static void free_lattice(lattice *grid) {
  tac_arrays_free(&grid->arrays);
}

tacStatus tac_cuboids_mesh(int count, const tacBox *boxes, double size, tacTriMesh **mesh, tacError *error) {
  *mesh = NULL;
  TAC_FREED(free_lattice, lattice, grid) = {.cells = NULL};
  boundary b = {0};
  TAC_TRY(make_lattice(count, boxes, (spacing){size, 1}, &grid, error));
  visit_faces(&grid, &b);
  TAC_TRY(tac_trimesh_create(b.vertices, 2 * b.faces, &b.mesh, error));
  visit_faces(&grid, &b);
  *mesh = b.mesh;
  return TAC_OK;
}

/* Bricks */

static void cell_corners(const lattice *grid, size_t cell, size_t corners[8]) {
  static const int offset[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int c = 0; c < 8; ++c) corners[c] = cell + node_index(grid, offset[c]);
}

static void place_bricks(const lattice *grid, tacVolMesh *mesh) {
  const int *numbers = grid->numbers;
  tacBrick *brick = mesh->bricks;
  for (size_t node = 0; node < node_count(grid); ++node) {
    size_t corners[8];
    if (numbers[node] > 0) mesh->vertices[numbers[node] - 1] = node_point(grid, node);
    if (!grid->cells[node]) continue;
    cell_corners(grid, node, corners);
    for (int c = 0; c < 8; ++c) brick->v[c] = numbers[corners[c]] - 1;
    ++brick;
  }
}

tacStatus tac_cuboids_bricks(int count, const tacBox *boxes, double size, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  TAC_FREED(free_lattice, lattice, grid) = {.cells = NULL};
  int vertices = 0, bricks = 0;
  TAC_TRY(make_lattice(count, boxes, (spacing){size, 2}, &grid, error));
  for (size_t node = 0; node < node_count(&grid); ++node) {
    size_t corners[8];
    if (!grid.cells[node]) continue;
    ++bricks;
    cell_corners(&grid, node, corners);
    for (int c = 0; c < 8; ++c)
      if (grid.numbers[corners[c]] == 0) grid.numbers[corners[c]] = ++vertices;
  }
  TAC_TRY(tac_volmesh_create(vertices, 0, bricks, mesh, error));
  place_bricks(&grid, *mesh);
  return TAC_OK;
}
