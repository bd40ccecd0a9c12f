#include "shape/geodesic.h"

#include "math/geometry/vec3.h"

#define CORNERS 12
#define FACES 20

/* The icosahedron: north pole, upper ring of five, lower ring of five, south pole. */
static tacVec3 corner_point(int corner) {
  const double tenth = 0.6283185307179586; /* of a turn */
  const double height = 0.4472135954999579, across = 0.8944271909999159;
  if (corner == 0) return tac_vec3(0.0, 0.0, 1.0);
  if (corner == 11) return tac_vec3(0.0, 0.0, -1.0);
  double angle = corner <= 5 ? 2.0 * tenth * (corner - 1) : 2.0 * tenth * (corner - 6) + tenth;
  return tac_vec3(across * cos(angle), across * sin(angle), corner <= 5 ? height : -height);
}

static void face_corners(int face, int corners[3]) {
  int i = face % 5, next = (i + 1) % 5;
  int upper = 1 + i, upper_next = 1 + next, lower = 6 + i, lower_next = 6 + next;
  int a[4][3] = {
      {0, upper, upper_next}, {upper, lower, upper_next}, {upper_next, lower, lower_next}, {11, lower_next, lower}};
  for (int c = 0; c < 3; ++c) corners[c] = a[face / 5][c];
}

/* Numbers of edges by their corners, in the order in which the faces meet them. */
static void number_edges(int edges[CORNERS][CORNERS]) {
  int count = 0;
  for (int a = 0; a < CORNERS; ++a)
    for (int b = 0; b < CORNERS; ++b) edges[a][b] = -1;
  for (int face = 0; face < FACES; ++face) {
    int c[3];
    face_corners(face, c);
    for (int i = 0; i < 3; ++i) {
      int a = c[i], b = c[(i + 1) % 3];
      if (edges[a][b] < 0) edges[a][b] = edges[b][a] = count++;
    }
  }
}

/* The vertex at a + i/n (b - a) + j/n (c - a) of a face with corners a, b, c: corners first, then edges, then faces. */
static int vertex_number(int edges[CORNERS][CORNERS], int face, const int c[3], int n, int i, int j) {
  int k = n - i - j, from, to, along;
  if (k == n) return c[0];
  if (i == n) return c[1];
  if (j == n) return c[2];
  if (j == 0) {
    from = c[0], to = c[1], along = i;
  } else if (k == 0) {
    from = c[1], to = c[2], along = j;
  } else if (i == 0) {
    from = c[0], to = c[2], along = j;
  } else {
    /* Rows j = 1, 2, ... of n - 1 - j inner vertices each. */
    int before = (j - 1) * (n - 1) - j * (j - 1) / 2;
    return CORNERS + 30 * (n - 1) + face * ((n - 1) * (n - 2) / 2) + before + i - 1;
  }
  return CORNERS + edges[from][to] * (n - 1) + (from < to ? along : n - along) - 1;
}

tacStatus tac_geodesic_sphere(double radius, int n, tacTriMesh **mesh, tacError *error) {
  int edges[CORNERS][CORNERS];
  TAC_TRY(tac_trimesh_create(10 * n * n + 2, FACES * n * n, mesh, error));
  number_edges(edges);
  tacTriangle *triangle = (*mesh)->triangles;
  for (int face = 0; face < FACES; ++face) {
    int c[3];
    face_corners(face, c);
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i + j <= n; ++i) {
        int here = vertex_number(edges, face, c, n, i, j);
        tacVec3 p = tac_vec3_scale(n - i - j, corner_point(c[0]));
        p = tac_vec3_mad(tac_vec3_mad(p, i, corner_point(c[1])), j, corner_point(c[2]));
        (*mesh)->vertices[here] = tac_vec3_scale(radius, tac_vec3_unit(p));
        if (i + j == n) continue;
        int right = vertex_number(edges, face, c, n, i + 1, j), up = vertex_number(edges, face, c, n, i, j + 1);
        *triangle++ = (tacTriangle){{here, right, up}};
        if (i + j + 1 < n) *triangle++ = (tacTriangle){{right, vertex_number(edges, face, c, n, i + 1, j + 1), up}};
      }
  }
  return TAC_OK;
}

tacStatus tac_geodesic_torus(double ring, double radius, int around, int rows, tacTriMesh **mesh, tacError *error) {
  const double turn = 6.283185307179586;
  TAC_TRY(tac_trimesh_create(around * rows, 2 * around * rows, mesh, error));
  for (int j = 0; j < rows; ++j) {
    int odd = j & 1, above = (j + 1) % rows;
    double v = turn * j / rows;
    for (int i = 0; i < around; ++i) {
      double u = turn * (i + 0.5 * odd) / around, across = ring + radius * cos(v);
      (*mesh)->vertices[j * around + i] = tac_vec3(across * cos(u), across * sin(u), radius * sin(v));
      /* Even rows lie half a step before their neighbours, odd rows half a step behind. */
      int next = (i + 1) % around, here = j * around + i, right = j * around + next;
      int up = above * around + (odd ? next : i), up_side = above * around + (odd ? i : next);
      tacTriangle *pair = &(*mesh)->triangles[2 * here];
      pair[0] = (tacTriangle){{here, right, up}};
      pair[1] = odd ? (tacTriangle){{here, up, up_side}} : (tacTriangle){{right, up_side, up}};
    }
  }
  return TAC_OK;
}
