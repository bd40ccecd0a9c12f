#include "mesh/query/scan_winding.h"

#include <math.h>
#include <string.h>
#include <tactus/trimesh.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/query/triangle_point.h"
#include "mesh/query/triangle_tree.h"
#include "test.h"

static tacError error;

typedef struct Soup {
  tacVec3 vertices[4096];
  tacTriangle triangles[8192];
  tacTriMesh mesh;
} Soup;

static Soup *soup_create(void) {
  Soup *soup = calloc(1, sizeof *soup);
  ck_assert_ptr_nonnull(soup);
  soup->mesh.vertices = soup->vertices;
  soup->mesh.triangles = soup->triangles;
  return soup;
}

static int add_vertex(Soup *soup, double x, double y, double z) {
  soup->vertices[soup->mesh.vertex_count] = tac_vec3(x, y, z);
  return soup->mesh.vertex_count++;
}

static void add_triangle(Soup *soup, int a, int b, int c) {
  soup->triangles[soup->mesh.triangle_count++] = (tacTriangle){{a, b, c}};
}

/* Facing outward, or inward for a cavity. */
static void add_box(Soup *soup, tacVec3 lower, tacVec3 upper, bool outward) {
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  int base = soup->mesh.vertex_count;
  for (int c = 0; c < 8; ++c)
    add_vertex(soup, c & 1 ? upper.x : lower.x, c & 2 ? upper.y : lower.y, c & 4 ? upper.z : lower.z);
  for (int f = 0; f < 6; ++f) {
    const int *q = faces[f];
    add_triangle(soup, base + q[0], base + q[outward ? 1 : 2], base + q[outward ? 2 : 1]);
    add_triangle(soup, base + q[0], base + q[outward ? 2 : 3], base + q[outward ? 3 : 2]);
  }
}

/* A torus around z; an inner radius of zero of the ring's centre line is not allowed. */
static void add_torus(Soup *soup, tacVec3 centre, double ring, double tube, int around, int across) {
  int base = soup->mesh.vertex_count;
  for (int i = 0; i < around; ++i) {
    double u = 2.0 * M_PI * i / around;
    for (int j = 0; j < across; ++j) {
      double v = 2.0 * M_PI * j / across, r = ring + tube * cos(v);
      add_vertex(soup, centre.x + r * cos(u), centre.y + r * sin(u), centre.z + tube * sin(v));
    }
  }
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      int a = base + i * across + j, b = base + (i + 1) % around * across + j;
      int c = base + (i + 1) % around * across + (j + 1) % across, d = base + i * across + (j + 1) % across;
      add_triangle(soup, a, b, c);
      add_triangle(soup, a, c, d);
    }
  }
}

static void add_sphere(Soup *soup, tacVec3 centre, double radius, int around, int rings) {
  int base = soup->mesh.vertex_count;
  for (int j = 1; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      double u = 2.0 * M_PI * i / around, v = M_PI * j / rings;
      add_vertex(soup, centre.x + radius * sin(v) * cos(u), centre.y + radius * sin(v) * sin(u),
                 centre.z + radius * cos(v));
    }
  int top = add_vertex(soup, centre.x, centre.y, centre.z + radius);
  int bottom = add_vertex(soup, centre.x, centre.y, centre.z - radius);
  for (int i = 0; i < around; ++i) {
    int next = (i + 1) % around;
    add_triangle(soup, top, base + i, base + next);
    for (int j = 0; j + 2 < rings; ++j) {
      int row = base + j * around;
      add_triangle(soup, row + i, row + around + i, row + around + next);
      add_triangle(soup, row + i, row + around + next, row + next);
    }
    add_triangle(soup, base + (rings - 2) * around + i, bottom, base + (rings - 2) * around + next);
  }
}

/* Sum of signed solid angles (Van Oosterom and Strackee 1983) over 4 pi. */
static double brute_winding(const tacTriMesh *mesh, tacVec3 p) {
  double sum = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 c[3];
    double n[3];
    for (int i = 0; i < 3; ++i) {
      c[i] = tac_vec3_sub(mesh->vertices[mesh->triangles[t].v[i]], p);
      n[i] = tac_vec3_norm(c[i]);
    }
    sum += 2.0 * atan2(tac_vec3_dot(c[0], tac_vec3_cross(c[1], c[2])),
                       n[0] * n[1] * n[2] + tac_vec3_dot(c[0], c[1]) * n[2] + tac_vec3_dot(c[1], c[2]) * n[0] +
                           tac_vec3_dot(c[2], c[0]) * n[1]);
  }
  return sum / (4.0 * M_PI);
}

static double brute_distance(const tacTriMesh *mesh, tacVec3 p) {
  double least = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    least = fmin(least, tac_vec3_distance(p, tac_triangle_closest(mesh->vertices[v[0]], mesh->vertices[v[1]],
                                                                  mesh->vertices[v[2]], p)));
  }
  return least;
}

/* Every node farther than 1e-9 from the surface must be inside where its winding number is not zero. Returns how many
 * of them are inside. */
static int check_against_solid_angles(const tacTriMesh *mesh, const tacGrid *layout, int *checked) {
  tac_test_ok(tac_trimesh_require_closed(mesh, &error), error);
  size_t count = (size_t)layout->nx * (size_t)layout->ny * (size_t)layout->nz;
  unsigned char *inside = malloc(count), *again = malloc(count);
  ck_assert(inside != NULL && again != NULL);
  tac_test_ok(tac_scan_winding(mesh, layout, 1, inside, &error), error);
  tac_test_ok(tac_scan_winding(mesh, layout, 3, again, &error), error);
  ck_assert_mem_eq(inside, again, count);
  tacTriangleTree *tree;
  tac_test_ok(tac_triangle_tree_create(mesh, &tree, &error), error);
  int found = 0;
  *checked = 0;
  for (int k = 0, n = 0; k < layout->nz; ++k)
    for (int j = 0; j < layout->ny; ++j)
      for (int i = 0; i < layout->nx; ++i, ++n) {
        tacVec3 p = tac_vec3_mad(layout->origin, layout->spacing, tac_vec3(i, j, k));
        if (brute_distance(mesh, p) < 1e-9) continue;
        double winding = brute_winding(mesh, p);
        ck_assert_msg(inside[n] == (fabs(winding) > 0.5), "node %d %d %d: %d, winding %g", i, j, k, inside[n], winding);
        ck_assert_int_eq(tac_scan_winding_number(mesh, tac_triangle_tree_boxes(tree), p), (int)lround(winding));
        ++*checked;
        found += inside[n];
      }
  tac_triangle_tree_destroy(tree);
  free(inside);
  free(again);
  return found;
}

static int check_all(const tacTriMesh *mesh, const tacGrid *layout) {
  int checked, found = check_against_solid_angles(mesh, layout, &checked);
  ck_assert_int_gt(checked, layout->nx * layout->ny * layout->nz / 2);
  return found;
}

TAC_TEST(sphere_and_torus_agree_with_solid_angles) {
  TAC_MEMORY(Soup, soup) = soup_create();
  add_sphere(soup, tac_vec3(0, 0, 0), 1.0, 24, 12);
  int n = tac_test_light() ? 13 : 25;
  /* Nodes on the axes and planes of symmetry: rows go exactly through poles, vertices and edges. */
  tacGrid layout = {n, n, n, {-1.2, -1.2, -1.2}, 2.4 / (n - 1), NULL};
  double cell = pow(layout.spacing, 3.0);
  ck_assert_double_eq_tol(check_all(&soup->mesh, &layout) * cell, 4.0 / 3.0 * M_PI, 0.35);
  soup->mesh.vertex_count = soup->mesh.triangle_count = 0;
  add_torus(soup, tac_vec3(0, 0, 0), 0.8, 0.3, 32, 16);
  ck_assert_double_eq_tol(check_all(&soup->mesh, &layout) * cell, 2.0 * M_PI * M_PI * 0.8 * 0.09, 0.25);
}

TAC_TEST(box_on_grid_planes_counts_every_edge_once) {
  TAC_MEMORY(Soup, soup) = soup_create();
  add_box(soup, tac_vec3(1, 1, 1), tac_vec3(4, 3, 5), true);
  tacGrid layout = {7, 6, 8, {0, 0, 0}, 1.0, NULL};
  unsigned char inside[7 * 6 * 8];
  tac_test_ok(tac_scan_winding(&soup->mesh, &layout, 2, inside, &error), error);
  int strictly_inside = 0;
  for (int k = 0, n = 0; k < 8; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 7; ++i, ++n) {
        bool closed_box = i >= 1 && i <= 4 && j >= 1 && j <= 3 && k >= 1 && k <= 5;
        bool open_box = i > 1 && i < 4 && j > 1 && j < 3 && k > 1 && k < 5;
        if (!closed_box) ck_assert_int_eq(inside[n], 0);
        if (open_box) ck_assert_int_eq(inside[n], 1);
        strictly_inside += inside[n];
      }
  /* Nodes on faces belong to exactly one of the half spaces beside them: as many nodes as unit cells. */
  ck_assert_int_eq(strictly_inside, 3 * 2 * 4);
}

TAC_TEST(touching_nested_and_overlapping_boxes_follow_the_nonzero_rule) {
  tacGrid layout = {21, 21, 21, {-0.5, -0.5, -0.5}, 0.25, NULL};
  TAC_MEMORY(Soup, soup) = soup_create();
  add_box(soup, tac_vec3(0, 0, 0), tac_vec3(1, 1, 1), true);
  add_box(soup, tac_vec3(1, 0, 0), tac_vec3(2, 1, 1), true); /* shares a face */
  add_box(soup, tac_vec3(0.5, 0.5, 0.5), tac_vec3(3, 3, 3), true);
  add_box(soup, tac_vec3(2.1, 2.1, 2.1), tac_vec3(2.9, 2.9, 2.9), false); /* a cavity */
  check_all(&soup->mesh, &layout);
}

TAC_TEST(walls_thinner_than_the_spacing_are_found) {
  tacGrid layout = {11, 11, 11, {0, 0, 0}, 1.0, NULL};
  TAC_MEMORY(Soup, soup) = soup_create();
  add_box(soup, tac_vec3(0.5, 0.5, 5.0 - 1e-7), tac_vec3(9.5, 9.5, 5.0 + 1e-7), true);
  add_box(soup, tac_vec3(3.0 - 1e-7, 0.5, 0.5), tac_vec3(3.0 + 1e-7, 9.5, 9.5), true);
  ck_assert_int_eq(check_all(&soup->mesh, &layout), 81 + 81 - 9);
}

TAC_TEST(random_closed_tangles_agree_with_solid_angles) {
  tacRandom random = tac_random_seed(3);
  for (int round = 0; round < (tac_test_light() ? 10 : 60); ++round) {
    TAC_MEMORY(Soup, soup) = soup_create();
    /* Tetrahedra with corners on a coarse lattice of which the grid nodes are a part: many rows meet edges and vertices
     * exactly, many triangles are parallel to the rows or flat. */
    for (int part = 0; part < 6; ++part) {
      int v[4];
      for (int c = 0; c < 4; ++c) {
        tacVec3 p = tac_random_in_box(&random, (tacBox){{0.0, 0.0, 0.0}, {13.0, 13.0, 13.0}});
        v[c] = add_vertex(soup, floor(p.x) / 2, floor(p.y) / 2, floor(p.z) / 2);
      }
      add_triangle(soup, v[0], v[2], v[1]);
      add_triangle(soup, v[0], v[1], v[3]);
      add_triangle(soup, v[1], v[2], v[3]);
      add_triangle(soup, v[2], v[0], v[3]);
    }
    tacGrid layout = {14, 14, 14, {0, 0, 0}, 0.5, NULL};
    int checked;
    check_against_solid_angles(&soup->mesh, &layout, &checked);
    ck_assert_int_gt(checked, 1000);
  }
}

TAC_TEST(crossing_of_a_needle_is_in_the_right_place) {
  /* A flat tetrahedron whose projection along x is a needle, 1e-13 wide: x must follow the needle's length. */
  TAC_MEMORY(Soup, soup) = soup_create();
  int a = add_vertex(soup, 0.0, 0.0, 0.0), b = add_vertex(soup, 10.0, 1.0, 1.0);
  int c = add_vertex(soup, 5.0, 0.5 + 1e-13, 0.5), d = add_vertex(soup, 30.0, 0.5 - 1e-13, 0.5);
  add_triangle(soup, a, c, b);
  add_triangle(soup, a, b, d);
  add_triangle(soup, b, c, d);
  add_triangle(soup, c, a, d);
  if (tac_vec3_triple(soup->vertices[a], soup->vertices[b], soup->vertices[c], soup->vertices[d]) < 0.0)
    for (int t = 0; t < 4; ++t) {
      int swapped = soup->triangles[t].v[0];
      soup->triangles[t].v[0] = soup->triangles[t].v[1];
      soup->triangles[t].v[1] = swapped;
    }
  tacGrid layout = {160, 5, 5, {-5.0, 0.0, 0.0}, 0.25, NULL};
  unsigned char inside[160 * 5 * 5];
  tac_test_ok(tac_scan_winding(&soup->mesh, &layout, 1, inside, &error), error);
  for (int i = 0; i < 160; ++i) {
    /* On the row y = z = 0.25 the solid is between the edge a-b at x = 2.5 and the
     * triangle a c d at x = 8.75, half of the mean of c and d. */
    double x = layout.origin.x + layout.spacing * i;
    int at = (1 * 5 + 1) * 160 + i;
    if (x < 2.4 || x > 8.85) ck_assert_int_eq(inside[at], 0);
    if (x > 2.6 && x < 8.65) ck_assert_int_eq(inside[at], 1);
  }
}
