/* Small meshes whose measures are known in closed form, for the tests of this room. */
#pragma once

#include <string.h>
#include <tactus/mesh.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static inline tacTriMesh *make_trimesh(int vertex_count, int triangle_count) {
  tacError why;
  tacTriMesh *mesh;
  tac_test_ok(tac_trimesh_create(vertex_count, triangle_count, &mesh, &why), why);
  return mesh;
}

static inline tacVolMesh *make_volmesh(int vertex_count, int tet_count, int brick_count) {
  tacError why;
  tacVolMesh *mesh;
  tac_test_ok(tac_volmesh_create(vertex_count, tet_count, brick_count, &mesh, &why), why);
  return mesh;
}

/* A sphere with its vertices on it: rings of constant latitude and two poles. */
static inline tacTriMesh *make_sphere(tacVec3 centre, double radius, int rings, int sectors) {
  tacTriMesh *mesh = make_trimesh(rings * sectors + 2, 2 * rings * sectors);
  int south = rings * sectors, north = south + 1, t = 0;
  for (int i = 0; i < rings; ++i) {
    double latitude = M_PI * ((i + 1.0) / (rings + 1.0) - 0.5);
    for (int j = 0; j < sectors; ++j) {
      double longitude = 2.0 * M_PI * j / sectors;
      tacVec3 unit = {cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)};
      mesh->vertices[i * sectors + j] = tac_vec3_mad(centre, radius, unit);
    }
  }
  mesh->vertices[south] = tac_vec3_add(centre, tac_vec3(0.0, 0.0, -radius));
  mesh->vertices[north] = tac_vec3_add(centre, tac_vec3(0.0, 0.0, radius));
  for (int j = 0; j < sectors; ++j) {
    int k = (j + 1) % sectors, top = (rings - 1) * sectors;
    mesh->triangles[t++] = (tacTriangle){{south, k, j}};
    mesh->triangles[t++] = (tacTriangle){{north, top + j, top + k}};
    for (int i = 0; i + 1 < rings; ++i) {
      int a = i * sectors + j, b = i * sectors + k, c = a + sectors, d = b + sectors;
      mesh->triangles[t++] = (tacTriangle){{a, b, d}};
      mesh->triangles[t++] = (tacTriangle){{a, d, c}};
    }
  }
  ck_assert_int_eq(t, mesh->triangle_count);
  return mesh;
}

/* A torus about the z axis. */
static inline tacTriMesh *make_torus(double major, double minor, int around, int across) {
  tacTriMesh *mesh = make_trimesh(around * across, 2 * around * across);
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      double u = 2.0 * M_PI * i / around, v = 2.0 * M_PI * j / across, r = major + minor * cos(v);
      int a = i * across + j, b = (i + 1) % around * across + j;
      int c = i * across + (j + 1) % across, d = (i + 1) % around * across + (j + 1) % across;
      mesh->vertices[a] = tac_vec3(r * cos(u), r * sin(u), minor * sin(v));
      mesh->triangles[2 * a] = (tacTriangle){{a, b, d}};
      mesh->triangles[2 * a + 1] = (tacTriangle){{a, d, c}};
    }
  }
  return mesh;
}

/* A box of n bricks in each direction. */
static inline tacVolMesh *make_bricks(tacBox box, int nx, int ny, int nz) {
  tacVolMesh *mesh = make_volmesh((nx + 1) * (ny + 1) * (nz + 1), 0, nx * ny * nz);
  tacVec3 size = tac_box_size(box);
  int v = 0, b = 0;
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i, ++v) {
        mesh->vertices[v] = tac_vec3_add(box.lower, tac_vec3(size.x * i / nx, size.y * j / ny, size.z * k / nz));
        if (i == nx || j == ny || k == nz) continue;
        int row = nx + 1, layer = row * (ny + 1);
        mesh->bricks[b++] = (tacBrick){
            {v, v + 1, v + row + 1, v + row, v + layer, v + layer + 1, v + layer + row + 1, v + layer + row}};
      }
    }
  }
  return mesh;
}

/* The same with each brick cut into the six tetrahedra around its diagonal from corner 0 to corner 6. */
static inline tacVolMesh *make_tets(tacBox box, int nx, int ny, int nz) {
  static const int cut[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  TAC_OWN(tacVolMesh, bricks) = make_bricks(box, nx, ny, nz);
  tacVolMesh *mesh = make_volmesh(bricks->vertex_count, 6 * bricks->brick_count, 0);
  memcpy(mesh->vertices, bricks->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  for (int t = 0; t < mesh->tet_count; ++t) {
    for (int c = 0; c < 4; ++c) mesh->tets[t].v[c] = bricks->bricks[t / 6].v[cut[t % 6][c]];
  }
  return mesh;
}

static inline tacBox unit_box(void) {
  return (tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
}

static inline tacTriMesh *surface_of(const tacVolMesh *mesh) {
  tacTriMesh *surface;
  tacError why;
  tac_test_ok(tac_volmesh_surface(mesh, &surface, NULL, NULL, &why), why);
  return surface;
}

/* The surface of a box, n x n squares a face. */
static inline tacTriMesh *make_box(tacBox box, int n) {
  TAC_OWN(tacVolMesh, bricks) = make_bricks(box, n, n, n);
  return surface_of(bricks);
}

/* One mesh of the parts of two, which are destroyed. */
static inline tacTriMesh *join_meshes(tacTriMesh *a, tacTriMesh *b) {
  tacTriMesh *mesh = make_trimesh(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
  memcpy(mesh->vertices, a->vertices, (size_t)a->vertex_count * sizeof *a->vertices);
  memcpy(mesh->vertices + a->vertex_count, b->vertices, (size_t)b->vertex_count * sizeof *b->vertices);
  memcpy(mesh->triangles, a->triangles, (size_t)a->triangle_count * sizeof *a->triangles);
  for (int t = 0; t < b->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) mesh->triangles[a->triangle_count + t].v[c] = b->triangles[t].v[c] + a->vertex_count;
  }
  tac_trimesh_destroy(a);
  tac_trimesh_destroy(b);
  return mesh;
}

/* The mesh of given vertices and triangles. */
static inline tacTriMesh *make_mesh_of(int vertex_count, const tacVec3 *vertices, int triangle_count,
                                       const tacTriangle *triangles) {
  tacTriMesh *mesh = make_trimesh(vertex_count, triangle_count);
  memcpy(mesh->vertices, vertices, (size_t)vertex_count * sizeof *vertices);
  memcpy(mesh->triangles, triangles, (size_t)triangle_count * sizeof *triangles);
  return mesh;
}

static inline tacSurfaceReport report_on(const tacTriMesh *mesh) {
  tacSurfaceReport report;
  tacError why;
  tac_test_ok(tac_surface_report(mesh, &report, &why), why);
  return report;
}

static inline void check_same_mesh(const tacTriMesh *a, const tacTriMesh *b) {
  ck_assert_int_eq(a->vertex_count, b->vertex_count);
  ck_assert_int_eq(a->triangle_count, b->triangle_count);
  ck_assert_mem_eq(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices);
  ck_assert_mem_eq(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles);
}

static inline tacVec3 corner_of(const tacTriMesh *mesh, int t, int i) {
  return mesh->vertices[mesh->triangles[t].v[i]];
}

static inline tacVec3 middle_of(const tacTriMesh *mesh, int t) {
  return tac_vec3_scale(
      1.0 / 3.0, tac_vec3_add(corner_of(mesh, t, 0), tac_vec3_add(corner_of(mesh, t, 1), corner_of(mesh, t, 2))));
}

/* Outward, as long as twice the area of the triangle. */
static inline tacVec3 twice_area(const tacTriMesh *mesh, int t) {
  tacVec3 p = corner_of(mesh, t, 0);
  return tac_vec3_cross(tac_vec3_sub(corner_of(mesh, t, 1), p), tac_vec3_sub(corner_of(mesh, t, 2), p));
}

/* Winding number by the sum of signed solid angles (Van Oosterom and Strackee 1983) over 4 pi. */
static inline double brute_force_winding(const tacTriMesh *mesh, tacVec3 p) {
  double sum = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 unit[3];
    for (int i = 0; i < 3; ++i) unit[i] = tac_vec3_unit(tac_vec3_sub(corner_of(mesh, t, i), p));
    sum += 2.0 * atan2(tac_vec3_dot(unit[0], tac_vec3_cross(unit[1], unit[2])), 1.0 + tac_vec3_dot(unit[0], unit[1]) +
                                                                                    tac_vec3_dot(unit[1], unit[2]) +
                                                                                    tac_vec3_dot(unit[2], unit[0]));
  }
  return sum / (4.0 * M_PI);
}

static inline void flip_triangle(tacTriMesh *mesh, int t) {
  int *v = mesh->triangles[t].v, last = v[2];
  v[2] = v[1];
  v[1] = last;
}

static inline tacTriMesh *turned_over(tacTriMesh *mesh) {
  for (int t = 0; t < mesh->triangle_count; ++t) flip_triangle(mesh, t);
  return mesh;
}

static inline void flip_tet(tacVolMesh *mesh, int t) {
  int first = mesh->tets[t].v[0];
  mesh->tets[t].v[0] = mesh->tets[t].v[1];
  mesh->tets[t].v[1] = first;
}

/* A rotation about an oblique axis, so that nothing stays aligned with the coordinates. */
static inline void turn_mesh(int count, tacVec3 *vertices) {
  tacVec3 axis = tac_vec3_unit(tac_vec3(1.0, -2.0, 0.7));
  double angle = 0.9;
  for (int i = 0; i < count; ++i) {
    tacVec3 p = vertices[i];
    tacVec3 q = tac_vec3_scale(cos(angle), p);
    q = tac_vec3_mad(q, sin(angle), tac_vec3_cross(axis, p));
    vertices[i] = tac_vec3_mad(q, (1.0 - cos(angle)) * tac_vec3_dot(axis, p), axis);
  }
}
