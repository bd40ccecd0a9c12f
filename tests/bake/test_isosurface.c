#include <tactus/meshing.h>

#include <limits.h>
#include <stdint.h>
#include <tactus/mesh.h>
#include "asset/make_grid.h"
#include "bake/isosurface.h"
#include "math/random.h"
#include "mesh/trimesh.h"

static tacGrid grid_create(int nx, int ny, int nz, tacVec3 origin, double spacing) {
  tacGrid grid = {nx, ny, nz, origin, spacing, calloc((size_t)nx * (size_t)ny * (size_t)nz, sizeof(float))};
  ck_assert_ptr_nonnull(grid.values);
  return grid;
}

static void free_grid(tacGrid *grid) {
  free(grid->values);
}

static double sphere(tacVec3 p) {
  return tac_vec3_norm(p) - 1.0;
}

static double torus(tacVec3 p) {
  return hypot(hypot(p.x, p.y) - 0.9, p.z) - 0.4;
}

typedef struct EdgeUse {
  int from, to, triangle;
} EdgeUse;

static int compare_uses(const void *a, const void *b) {
  const EdgeUse *x = a, *y = b;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* Index of the use of a directed edge, -1 where there is none; sorted uses. */
static int find_use(const EdgeUse *uses, int count, int from, int to) {
  EdgeUse key = {from, to, 0};
  const EdgeUse *found = bsearch(&key, uses, (size_t)count, sizeof *uses, compare_uses);
  return found != NULL ? (int)(found - uses) : -1;
}

/* Every directed edge is used once and its opposite once (closed, manifold, oriented), and going round each vertex from
 * triangle to triangle across edges meets all of its triangles (one fan). Returns the Euler characteristic. */
static int check_closed_manifold(const tacTriMesh *mesh) {
  tac_test_ok(tac_trimesh_validate(mesh, &error), error);
  int count = 3 * mesh->triangle_count;
  TAC_MEMORY(EdgeUse, uses) = malloc((size_t)count * sizeof *uses);
  TAC_MEMORY(int, degree) = calloc((size_t)mesh->vertex_count, sizeof *degree);
  ck_assert(uses != NULL && degree != NULL);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int s = 0; s < 3; ++s) {
      uses[3 * t + s] = (EdgeUse){mesh->triangles[t].v[s], mesh->triangles[t].v[(s + 1) % 3], t};
      ++degree[mesh->triangles[t].v[s]];
    }
  }
  qsort(uses, (size_t)count, sizeof *uses, compare_uses);
  for (int i = 0; i < count; ++i) {
    ck_assert_int_ne(uses[i].from, uses[i].to);
    if (i > 0) ck_assert_int_ne(compare_uses(&uses[i - 1], &uses[i]), 0);
    ck_assert_int_ge(find_use(uses, count, uses[i].to, uses[i].from), 0);
  }
  for (int i = 0; i < count; ++i) {
    if (i > 0 && uses[i].from == uses[i - 1].from) continue;
    int v = uses[i].from, to = uses[i].to, steps = 0;
    do { /* from the triangle left of v->to across its third corner's edge back into v */
      const int *c = mesh->triangles[uses[find_use(uses, count, v, to)].triangle].v;
      to = c[0] == v ? c[2] : c[1] == v ? c[0] : c[1];
      ++steps;
    } while (to != uses[i].to);
    ck_assert_int_eq(steps, degree[v]);
  }
  for (int v = 0; v < mesh->vertex_count; ++v) ck_assert_int_gt(degree[v], 0);
  return mesh->vertex_count - count / 2 + mesh->triangle_count;
}

static double smallest_relative_height(const tacTriMesh *mesh) {
  double smallest = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    double area2 = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)));
    double longest = fmax(tac_vec3_distance(a, b), fmax(tac_vec3_distance(b, c), tac_vec3_distance(c, a)));
    smallest = fmin(smallest, area2 / (longest * longest));
  }
  return smallest;
}

static void check_report(const tacTriMesh *mesh) {
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.self_intersections, 0);
}

TAC_TEST(noise_gives_closed_manifolds_of_every_case) {
  tacRandom random = tac_random_seed(7);
  int grids = tac_test_light() ? 150 : tac_test_all() ? 1000 : 400;
  double least_height = INFINITY;
  for (int g = 0; g < grids; ++g) {
    TAC_FREED(free_grid, tacGrid, grid) = grid_create(5, 5, 5, tac_vec3(1, 2, 3), 0.25);
    for (int i = 0; i < 125; ++i) {
      double u = tac_random_uniform(&random, -1.0, 1.0);
      grid.values[i] = (float)(g % 3 == 0 ? u : g % 3 == 1 ? floor(2.0 * u) : u < 0.0 ? -1e-30 : 1e10);
      if (g % 7 == 6 && i % 11 == 0) grid.values[i] = i % 2 == 0 ? NAN : u < 0.0 ? -INFINITY : INFINITY;
    }
    TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.0, &mesh, &error));
    check_closed_manifold(mesh);
    ck_assert_double_gt(tac_trimesh_volume(mesh), 0.0);
    if (g % 8 == 0) check_report(mesh);
    least_height = fmin(least_height, smallest_relative_height(mesh));
  }
  ck_assert_double_gt(least_height, 1e-4);
}

TAC_TEST(each_of_the_256_cells_alone_is_a_closed_manifold) {
  for (int inside = 1; inside < 256; ++inside) {
    TAC_FREED(free_grid, tacGrid, grid) = grid_create(4, 4, 4, tac_vec3(0, 0, 0), 1.0);
    for (int i = 0; i < 64; ++i) grid.values[i] = 1.0f;
    for (int c = 0; c < 8; ++c)
      if (inside >> c & 1) grid.values[((1 + (c >> 2)) * 4 + 1 + (c >> 1 & 1)) * 4 + 1 + (c & 1)] = -1.0f;
    TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.0, &mesh, &error));
    check_closed_manifold(mesh);
    ck_assert_double_gt(tac_trimesh_volume(mesh), 0.0);
    if (tac_test_all() || inside % 5 == 0) check_report(mesh); /* which takes a hundred times as long */
  }
}

TAC_TEST(area_and_volume_of_a_sphere_converge_with_the_square_of_the_spacing) {
  double area_error[3], volume_error[3];
  for (int i = 0; i < 3; ++i) {
    TAC_FREED(free_grid, tacGrid, grid) = make_grid((16 << i) + 1, 1.5, sphere);
    TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.0, &mesh, &error));
    ck_assert_int_eq(check_closed_manifold(mesh), 2);
    area_error[i] = fabs(tac_trimesh_area(mesh) / (4.0 * M_PI) - 1.0);
    volume_error[i] = fabs(tac_trimesh_volume(mesh) / (4.0 / 3.0 * M_PI) - 1.0);
  }
  for (int i = 0; i < 2; ++i) {
    ck_assert_double_gt(area_error[i] / area_error[i + 1], 3.0);
    ck_assert_double_gt(volume_error[i] / volume_error[i + 1], 3.0);
  }
  ck_assert_double_lt(area_error[2], 2e-3);
  ck_assert_double_lt(volume_error[2], 4e-3);
}

TAC_TEST(torus_has_genus_one) {
  TAC_FREED(free_grid, tacGrid, grid) = make_grid(40, 1.5, torus);
  TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.0, &mesh, &error));
  ck_assert_int_eq(check_closed_manifold(mesh), 0);
  ck_assert_double_eq_tol(tac_trimesh_volume(mesh), 2.0 * M_PI * M_PI * 0.9 * 0.16, 0.03);
}

TAC_TEST(level_moves_the_surface_of_a_distance) {
  TAC_FREED(free_grid, tacGrid, grid) = make_grid(61, 1.5, sphere);
  TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.25, &mesh, &error));
  for (int v = 0; v < mesh->vertex_count; ++v) ck_assert_double_eq_tol(tac_vec3_norm(mesh->vertices[v]), 1.25, 1e-3);
}

TAC_TEST(set_that_reaches_the_boundary_is_closed_there) {
  TAC_FREED(free_grid, tacGrid, grid) = grid_create(6, 5, 4, tac_vec3(0, 0, 0), 1.0);
  for (int i = 0; i < 6 * 5 * 4; ++i) grid.values[i] = -1.0f;
  TAC_CREATE(tacTriMesh, mesh, tac_isosurface_extract(&grid, 0.0, &mesh, &error));
  ck_assert_int_eq(check_closed_manifold(mesh), 2);
  tacBox box = tac_trimesh_box(mesh);
  ck_assert_double_eq_tol(box.lower.x, 0.001, 1e-12);
  ck_assert_double_eq_tol(box.upper.x, 4.999, 1e-12);
  ck_assert_double_eq_tol(box.upper.z, 2.999, 1e-12);
}

TAC_TEST(empty_surfaces_and_bad_grids_are_refused) {
  TAC_FREED(free_grid, tacGrid, grid) = grid_create(4, 4, 4, tac_vec3(0, 0, 0), 1.0);
  tacTriMesh *mesh = NULL;
  ck_assert_int_eq(tac_isosurface_extract(&grid, 0.0, &mesh, &error), TAC_ERR_GEOMETRY); /* equal is outside */
  ck_assert_ptr_nonnull(strstr(error.text, "empty"));
  ck_assert_ptr_null(mesh);
  ck_assert_int_eq(tac_isosurface_extract(&grid, NAN, &mesh, &error), TAC_ERR_ARGUMENT);
  grid.spacing = 0.0;
  ck_assert_int_eq(tac_isosurface_extract(&grid, 1.0, &mesh, &error), TAC_ERR_ARGUMENT);
  grid.spacing = 1.0;
  grid.nz = 1;
  ck_assert_int_eq(tac_isosurface_extract(&grid, 1.0, &mesh, NULL), TAC_ERR_ARGUMENT);
}
