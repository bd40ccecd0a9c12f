#include "shape/cuboids.h"

#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

#define NODES_MOST (400.0 * 400.0 * 400.0)

typedef struct lattice {
  int nodes[3];
  double *at[3];        /* coordinates of the planes of nodes along each axis */
  unsigned char *cells; /* whether the cell that begins at a node is solid; those of the last planes never are */
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
  tacStatus status = TAC_ERR_MEMORY;
  double nodes = 1.0;
  double *faces = tac_array_create(2 * (size_t)count, sizeof *faces, "planes", error);
  if (faces == NULL) return status;
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
    if (!(nodes <= NODES_MOST)) {
      status = tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: more than %.3g nodes", cells.size,
                             NODES_MOST);
      goto done;
    }
    grid->nodes[axis] = (int)along;
    grid->at[axis] = tac_array_create((size_t)along, sizeof *grid->at[axis], "planes", error);
    if (grid->at[axis] == NULL) goto done;
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
  status = TAC_OK;
done:
  free(faces);
  return status;
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

typedef struct boundary {
  int faces, vertices; /* so far */
  int *numbers;        /* of each node, from 1; 0 where it is on no face */
  tacTriMesh *mesh;    /* NULL while faces and vertices are counted */
} boundary;

static void add_face(const lattice *grid, const int at[3], int axis, bool solid_above, boundary *b) {
  size_t nodes[4];
  face_nodes(grid, at, axis, nodes);
  int face = b->faces++;
  if (b->mesh == NULL) {
    for (int c = 0; c < 4; ++c)
      if (b->numbers[nodes[c]] == 0) b->numbers[nodes[c]] = ++b->vertices;
    return;
  }
  /* Diagonals alternate, so that no direction is preferred. */
  int corner[4], turn = (at[0] + at[1] + at[2]) & 1;
  for (int c = 0; c < 4; ++c) {
    size_t node = nodes[(c + turn) % 4], row = node / grid->nodes[0];
    corner[c] = b->numbers[node] - 1;
    b->mesh->vertices[corner[c]] = tac_vec3(grid->at[0][node % grid->nodes[0]], grid->at[1][row % grid->nodes[1]],
                                            grid->at[2][row / grid->nodes[1]]);
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
  TAC_TRY(TAC_ARRAY(grid->cells, node_count(grid), "cells", error));
  fill_cells(count, boxes, grid);
  return TAC_OK;
}

static void free_lattice(lattice *grid) {
  for (int axis = 0; axis < 3; ++axis) free(grid->at[axis]);
  free(grid->cells);
}

tacStatus tac_cuboids_mesh(int count, const tacBox *boxes, double size, tacTriMesh **mesh, tacError *error) {
  *mesh = NULL;
  lattice grid = {0};
  boundary b = {0};
  tacStatus status = make_lattice(count, boxes, (spacing){size, 1}, &grid, error);
  if (status != TAC_OK) goto done;
  b.numbers = tac_array_create(node_count(&grid), sizeof *b.numbers, "vertex numbers", error);
  status = TAC_ERR_MEMORY;
  if (b.numbers == NULL) goto done;
  visit_faces(&grid, &b);
  status = tac_trimesh_create(b.vertices, 2 * b.faces, &b.mesh, error);
  if (status != TAC_OK) goto done;
  visit_faces(&grid, &b);
  *mesh = b.mesh;
done:
  free_lattice(&grid);
  free(b.numbers);
  return status;
}

/* Bricks */

static void cell_corners(const lattice *grid, size_t cell, size_t corners[8]) {
  static const int offset[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int c = 0; c < 8; ++c) corners[c] = cell + node_index(grid, offset[c]);
}

static void place_bricks(const lattice *grid, const int *numbers, tacVolMesh *mesh) {
  tacBrick *brick = mesh->bricks;
  for (size_t node = 0; node < node_count(grid); ++node) {
    size_t row = node / grid->nodes[0], corners[8];
    if (numbers[node] > 0)
      mesh->vertices[numbers[node] - 1] = tac_vec3(
          grid->at[0][node % grid->nodes[0]], grid->at[1][row % grid->nodes[1]], grid->at[2][row / grid->nodes[1]]);
    if (!grid->cells[node]) continue;
    cell_corners(grid, node, corners);
    for (int c = 0; c < 8; ++c) brick->v[c] = numbers[corners[c]] - 1;
    ++brick;
  }
}

tacStatus tac_cuboids_bricks(int count, const tacBox *boxes, double size, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  lattice grid = {0};
  int vertices = 0, bricks = 0, *numbers = NULL; /* of each node, from 1; 0 where it is in no brick */
  tacStatus status = make_lattice(count, boxes, (spacing){size, 2}, &grid, error);
  if (status != TAC_OK) goto done;
  numbers = tac_array_create(node_count(&grid), sizeof *numbers, "vertex numbers", error);
  status = TAC_ERR_MEMORY;
  if (numbers == NULL) goto done;
  for (size_t node = 0; node < node_count(&grid); ++node) {
    size_t corners[8];
    if (!grid.cells[node]) continue;
    ++bricks;
    cell_corners(&grid, node, corners);
    for (int c = 0; c < 8; ++c)
      if (numbers[corners[c]] == 0) numbers[corners[c]] = ++vertices;
  }
  status = tac_volmesh_create(vertices, 0, bricks, mesh, error);
  if (status == TAC_OK) place_bricks(&grid, numbers, *mesh);
done:
  free_lattice(&grid);
  free(numbers);
  return status;
}
