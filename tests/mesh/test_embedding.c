#include "mesh/make_mesh.h"
#include "mesh/query/embedding.h"

enum { POINTS = 3000 };

static tacVec3 linear_field(tacVec3 p) {
  return tac_vec3(1.0 + 2.0 * p.x - p.y + 0.5 * p.z, p.x + p.y, 3.0 - 0.25 * p.x + 2.0 * p.z);
}

static tacEmbedding *embed(const tacVolMesh *mesh, int count, const tacVec3 *points) {
  tacEmbedding *embedding;
  tac_test_ok(tac_embedding_create(mesh, count, points, &embedding, &error), error);
  return embedding;
}

static double linear_error(const tacVolMesh *mesh, const tacEmbedding *embedding, const tacVec3 *points) {
  TAC_MEMORY(tacVec3, values) = calloc((size_t)mesh->vertex_count, sizeof *values);
  TAC_MEMORY(tacVec3, results) = calloc((size_t)embedding->point_count, sizeof *results);
  double most = 0.0;
  for (int v = 0; v < mesh->vertex_count; ++v) values[v] = linear_field(mesh->vertices[v]);
  tac_embedding_apply(embedding, values, results);
  for (int i = 0; i < embedding->point_count; ++i)
    most = fmax(most, tac_vec3_distance(results[i], linear_field(points[i])));
  return most;
}

/* Bricks or tets whose inner vertices are moved at random; the boundary stays that of the unit box. */
static tacVolMesh *uneven_box(bool bricks) {
  tacVolMesh *mesh = bricks ? make_bricks(unit_box(), 4, 4, 4) : make_tets(unit_box(), 4, 4, 4);
  tacRandom random = tac_random_seed(6);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 *p = &mesh->vertices[v];
    bool inner = p->x > 0 && p->x < 1 && p->y > 0 && p->y < 1 && p->z > 0 && p->z < 1;
    if (inner) *p = tac_vec3_add(*p, tac_random_in_box(&random, (tacBox){{-0.04, -0.04, -0.04}, {0.04, 0.04, 0.04}}));
  }
  return mesh;
}

static void random_points(tacBox box, tacVec3 *points) {
  tacRandom random = tac_random_seed(7);
  for (int i = 0; i < POINTS; ++i) points[i] = tac_random_in_box(&random, box);
}

TAC_TEST(linear_fields_are_reproduced_inside_and_outside) {
  static tacVec3 points[POINTS];
  const tacBox spaces[2] = {unit_box(), {{-1, -1, -1}, {2, 2, 2}}};
  for (int space = 0; space < 2; ++space) {
    random_points(spaces[space], points);
    int outside = 0;
    for (int i = 0; i < POINTS; ++i) {
      tacVec3 p = points[i];
      outside += p.x < 0 || p.x > 1 || p.y < 0 || p.y > 1 || p.z < 0 || p.z > 1;
    }
    for (int kind = 0; kind < 2; ++kind) {
      TAC_OWN(tacVolMesh, mesh) = uneven_box(kind == 1);
      TAC_OWN(tacEmbedding, embedding) = embed(mesh, POINTS, points);
      ck_assert_int_eq(embedding->outside_count, outside);
      ck_assert_double_lt(linear_error(mesh, embedding, points), space == 0 ? 1e-12 : 1e-11);
      for (int i = 0; i < POINTS && space == 0; ++i) {
        double sum = 0.0;
        for (int c = 0; c < 8; ++c) {
          ck_assert_double_ge(embedding->weights[i][c], -1e-9);
          sum += embedding->weights[i][c];
        }
        ck_assert_double_eq_tol(sum, 1.0, 1e-13);
      }
    }
  }
}

/* Far away the coordinates' rounding is large beside a brick; in a thin one that of the local coordinates is. */
TAC_TEST(points_in_far_and_in_thin_bricks_are_inside) {
  static tacVec3 points[POINTS];
  const tacBox boxes[] = {{{1000, 1000, 1000}, {1000.1, 1000.1, 1000.1}},
                          {{1e6, 1e6, 1e6}, {1e6 + 0.01, 1e6 + 0.01, 1e6 + 0.01}},
                          {{3, 3, 0}, {4, 4, 1e-5}}};
  for (int i = 0; i < 3; ++i) {
    TAC_OWN(tacVolMesh, mesh) = make_bricks(boxes[i], 8, 8, 8);
    random_points(boxes[i], points);
    TAC_OWN(tacEmbedding, of_points) = embed(mesh, POINTS, points);
    TAC_OWN(tacEmbedding, of_vertices) = embed(mesh, mesh->vertex_count, mesh->vertices);
    ck_assert_int_eq(of_points->outside_count + of_vertices->outside_count, 0);
  }
}

/* In a grid of cubes the nearest cube is known: the one that holds the point moved into the box. */
TAC_TEST(points_outside_take_the_nearest_element) {
  static tacVec3 points[POINTS];
  random_points((tacBox){{-1, -1, -1}, {2, 2, 2}}, points);
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 5, 5, 5);
  TAC_OWN(tacEmbedding, embedding) = embed(mesh, POINTS, points);
  for (int i = 0; i < POINTS; ++i) {
    tacVec3 p = tac_vec3_max(tac_vec3(0, 0, 0), tac_vec3_min(points[i], tac_vec3(0.9999, 0.9999, 0.9999)));
    int expected = (int)(5.0 * p.x) + 5 * (int)(5.0 * p.y) + 25 * (int)(5.0 * p.z);
    ck_assert_int_eq(embedding->elements[i], expected);
  }
}

/* Points made by the trilinear map of a distorted brick have its weights. */
TAC_TEST(the_trilinear_map_of_a_distorted_brick_is_inverted) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 1, 1, 1);
  tacRandom random = tac_random_seed(9);
  for (int v = 0; v < 8; ++v)
    mesh->vertices[v] =
        tac_vec3_add(mesh->vertices[v], tac_random_in_box(&random, (tacBox){{-.2, -.2, -.2}, {.2, .2, .2}}));
  for (int i = 0; i < 500; ++i) {
    tacVec3 s = tac_random_in_box(&random, unit_box()), p = {0, 0, 0};
    double expected[8];
    for (int c = 0; c < 8; ++c) {
      int at_x = c == 1 || c == 2 || c == 5 || c == 6, at_y = c == 2 || c == 3 || c == 6 || c == 7, at_z = c >= 4;
      expected[c] = (at_x ? s.x : 1 - s.x) * (at_y ? s.y : 1 - s.y) * (at_z ? s.z : 1 - s.z);
      p = tac_vec3_mad(p, expected[c], mesh->vertices[mesh->bricks[0].v[c]]);
    }
    TAC_OWN(tacEmbedding, embedding) = embed(mesh, 1, &p);
    ck_assert_int_eq(embedding->outside_count, 0);
    for (int c = 0; c < 8; ++c) ck_assert_double_eq_tol(embedding->weights[0][c], expected[c], 1e-9);
  }
}

TAC_TEST(vertices_of_the_mesh_are_inside_with_weight_one) {
  for (int kind = 0; kind < 2; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = uneven_box(kind == 1);
    TAC_OWN(tacEmbedding, embedding) = embed(mesh, mesh->vertex_count, mesh->vertices);
    ck_assert_int_eq(embedding->outside_count, 0);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      double weight = 0.0;
      for (int c = 0; c < 8; ++c) weight += embedding->vertices[v][c] == v ? embedding->weights[v][c] : 0.0;
      ck_assert_double_eq_tol(weight, 1.0, 1e-9);
    }
  }
}

TAC_TEST(elements_without_volume_are_passed_over) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 1, 1, 1);
  mesh->tets[0].v[3] = mesh->tets[0].v[0];
  tacVec3 p = {0.9, 0.5, 0.1}; /* was in tetrahedron 0 */
  tacEmbedding *embedding = embed(mesh, 1, &p);
  ck_assert_int_ne(embedding->elements[0], 0);
  ck_assert_int_eq(embedding->outside_count, 1);
  tac_embedding_destroy(embedding);
  for (int t = 1; t < 6; ++t) mesh->tets[t] = mesh->tets[0];
  ck_assert_int_eq(tac_embedding_create(mesh, 1, &p, &embedding, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(embedding);
}

TAC_TEST(refuses_points_that_are_not_finite) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 1, 1, 1);
  tacVec3 p = {0.9, NAN, 0.1};
  tacEmbedding *embedding;
  ck_assert_int_eq(tac_embedding_create(mesh, 1, &p, &embedding, NULL), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_embedding_create(mesh, -1, &p, &embedding, NULL), TAC_ERR_ARGUMENT);
}
