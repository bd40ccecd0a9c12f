#include "mesh/edge_table.h"
#include "mesh/make_mesh.h"
#include "mesh/repair/loop_subdivision.h"

static tacTriMesh *subdivide(const tacTriMesh *mesh, int levels, bool limit) {
  tacTriMesh *out;
  tac_test_ok(tac_loop_subdivide(mesh, levels, limit, &out, &error), error);
  return out;
}

/* Two pyramids over a regular n-gon: the poles 0 and 1 have valence n, the others 4. */
static tacTriMesh *bipyramid(int n) {
  tacTriMesh *mesh = make_trimesh(n + 2, 2 * n);
  mesh->vertices[0] = tac_vec3(0.0, 0.0, 1.0);
  mesh->vertices[1] = tac_vec3(0.0, 0.0, -1.0);
  for (int i = 0; i < n; ++i) {
    mesh->vertices[2 + i] = tac_vec3(cos(2.0 * M_PI * i / n), sin(2.0 * M_PI * i / n), 0.0);
    mesh->triangles[2 * i] = (tacTriangle){{0, 2 + i, 2 + (i + 1) % n}};
    mesh->triangles[2 * i + 1] = (tacTriangle){{1, 2 + (i + 1) % n, 2 + i}};
  }
  return mesh;
}

static int edge_count(const tacTriMesh *mesh) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table);
  tac_test_ok(tac_edge_table_create(mesh, &table, &error), error);
  return table.edge_count;
}

TAC_TEST(adds_a_vertex_an_edge_and_divides_triangles_in_four) {
  for (int level = 0; level < 3; ++level) {
    TAC_OWN(tacTriMesh, cage) = make_torus(1.0, 0.4, 8, 5);
    TAC_OWN(tacTriMesh, mesh) = subdivide(cage, level, false);
    TAC_OWN(tacTriMesh, finer) = subdivide(mesh, 1, false);
    ck_assert_int_eq(finer->vertex_count, mesh->vertex_count + edge_count(mesh));
    ck_assert_int_eq(finer->triangle_count, 4 * mesh->triangle_count);
    ck_assert_int_eq(finer->vertex_count - edge_count(finer) + finer->triangle_count, 0); /* still a torus */
    tac_test_ok(tac_trimesh_validate(finer, &error), error);
  }
}

TAC_TEST(children_of_a_triangle_are_numbered_as_stated) {
  TAC_OWN(tacTriMesh, mesh) = bipyramid(5);
  TAC_OWN(tacTriMesh, finer) = subdivide(mesh, 1, false);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const tacTriangle *four = finer->triangles + 4 * t;
      ck_assert_int_eq(four[c].v[0], mesh->triangles[t].v[c]);
      ck_assert_int_eq(four[c].v[1], four[3].v[c]);
      ck_assert_int_eq(four[c].v[2], four[3].v[(c + 2) % 3]);
    }
}

/* Whatever level vertices are sent to their limits from, those of the cage arrive at the same places. */
TAC_TEST(limits_do_not_depend_on_the_level) {
  for (int n = 3; n <= 9; ++n) {
    TAC_OWN(tacTriMesh, cage) = bipyramid(n);
    for (int k = 1; k < 4; ++k) {
      TAC_OWN(tacTriMesh, coarse) = subdivide(cage, k - 1, true);
      TAC_OWN(tacTriMesh, fine) = subdivide(cage, k, true);
      for (int v = 0; v < coarse->vertex_count; ++v)
        ck_assert_double_le(tac_vec3_distance(fine->vertices[v], coarse->vertices[v]), 1e-14);
    }
  }
}

TAC_TEST(vertices_converge_to_their_limits) {
  TAC_OWN(tacTriMesh, cage) = make_torus(1.0, 0.4, 7, 5);
  TAC_OWN(tacTriMesh, limit) = subdivide(cage, 0, true);
  TAC_OWN(tacTriMesh, fine) = subdivide(cage, 6, false);
  for (int v = 0; v < cage->vertex_count; ++v)
    ck_assert_double_le(tac_vec3_distance(fine->vertices[v], limit->vertices[v]), 1e-3);
}

static double mean_edge_at(const tacTriMesh *mesh, int vertex) {
  double sum = 0.0;
  int count = 0;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (mesh->triangles[t].v[c] == vertex) {
        sum += tac_vec3_distance(mesh->vertices[vertex], mesh->vertices[mesh->triangles[t].v[(c + 1) % 3]]);
        ++count;
      }
  return sum / count;
}

/* Around a vertex of valence n edges shrink by the subdominant eigenvalue of the step. */
TAC_TEST(edges_shrink_by_the_subdominant_eigenvalue) {
  const int levels = tac_test_light() ? 5 : 7;
  for (int n = 3; n <= 9; ++n) {
    TAC_OWN(tacTriMesh, cage) = bipyramid(n);
    TAC_OWN(tacTriMesh, coarse) = subdivide(cage, levels - 1, true);
    TAC_OWN(tacTriMesh, fine) = subdivide(cage, levels, true);
    double expected = 0.375 + 0.25 * cos(2.0 * M_PI / n);
    double ratio = mean_edge_at(fine, 0) / mean_edge_at(coarse, 0);
    ck_assert_double_eq_tol(ratio, expected, tac_test_light() ? 1e-2 : 1e-3);
  }
}

/* Every rule is a convex combination. */
TAC_TEST(a_convex_cage_encloses_its_surface) {
  for (int n = 3; n <= 8; ++n) {
    TAC_OWN(tacTriMesh, cage) = bipyramid(n);
    TAC_OWN(tacTriMesh, smooth) = subdivide(cage, 3, n % 2 == 0);
    for (int t = 0; t < cage->triangle_count; ++t) {
      const int *c = cage->triangles[t].v;
      for (int v = 0; v < smooth->vertex_count; ++v)
        ck_assert_double_le(
            tac_vec3_triple(cage->vertices[c[0]], cage->vertices[c[1]], cage->vertices[c[2]], smooth->vertices[v]),
            1e-14);
    }
    ck_assert_double_gt(tac_trimesh_volume(smooth), 0.0);
  }
}

static void expect_refusal(const tacTriMesh *mesh, int levels, tacStatus expected) {
  tacTriMesh *out = (tacTriMesh *)&error;
  for (int limit = 0; limit <= 1; ++limit) {
    ck_assert_int_eq(tac_loop_subdivide(mesh, levels, limit, &out, &error), expected);
    ck_assert_ptr_null(out);
  }
}

TAC_TEST(refuses_what_it_cannot_divide) {
  TAC_OWN(tacTriMesh, mesh) = bipyramid(4);
  expect_refusal(mesh, -1, TAC_ERR_ARGUMENT);
  expect_refusal(mesh, 11, TAC_ERR_ARGUMENT);
  --mesh->triangle_count; /* open */
  expect_refusal(mesh, 1, TAC_ERR_GEOMETRY);
  expect_refusal(mesh, 0, TAC_ERR_GEOMETRY);
  ++mesh->triangle_count;
  tacTriangle last = mesh->triangles[7];
  mesh->triangles[7] = (tacTriangle){{last.v[0], last.v[2], last.v[1]}}; /* turned over */
  expect_refusal(mesh, 1, TAC_ERR_GEOMETRY);
  mesh->triangles[7] = (tacTriangle){{last.v[0], last.v[1], last.v[1]}};
  expect_refusal(mesh, 1, TAC_ERR_GEOMETRY);
}

TAC_TEST(drops_groups_and_keeps_lone_vertices) {
  TAC_OWN(tacTriMesh, wider) = join_meshes(bipyramid(4), make_trimesh(1, 0));
  wider->vertices[6] = tac_vec3(3.0, 4.0, 5.0);
  const int some[2] = {0, 3};
  tac_test_ok(tac_trimesh_add_group(wider, "some", 2, some, &error), error);
  TAC_OWN(tacTriMesh, smooth) = subdivide(wider, 1, true);
  ck_assert_int_eq(smooth->group_count, 0);
  ck_assert_double_eq(tac_vec3_distance(smooth->vertices[6], wider->vertices[6]), 0.0);
}
