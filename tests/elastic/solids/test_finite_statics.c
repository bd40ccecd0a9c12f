#include "elastic/solids/finite_statics.h"

#include "base/error.h"
#include "elastic/make_body.h"

/* A box held at its lowest x, or wherever `held` tells. */
typedef struct Block {
  tacVolMesh *mesh;
  tacMaterial material;
  bool *held;
  tacSolid solid;
  tacFiniteStatics *statics;
  double *force, *u;
  int size; /* 3 numbers a vertex */
} Block;

static Block *make_block(tacVolMesh *mesh, tacMaterial material, bool held_boundary) {
  Block *block = tac_test_alloc(sizeof *block);
  tac_test_keep(mesh, tac_volmesh_destroy);
  *block = (Block){.mesh = mesh, .material = material, .force = vector_of(mesh), .u = vector_of(mesh)};
  block->size = 3 * mesh->vertex_count;
  block->held = tac_test_alloc((size_t)mesh->vertex_count * sizeof(bool));
  tacBox box = tac_volmesh_box(mesh);
  for (int v = 0; v < mesh->vertex_count; ++v)
    block->held[v] = held_boundary ? on_boundary(box, mesh->vertices[v]) : mesh->vertices[v].x <= box.lower.x;
  block->solid = (tacSolid){.mesh = mesh, .material_count = 1, .materials = &block->material, .held = block->held};
  tac_test_ok(tac_finite_statics_create(&block->solid, &block->statics, &error), error);
  tac_test_keep(block->statics, tac_finite_statics_destroy);
  return block;
}

/* A uniform traction (N/m^2) on the end at the highest x of a box of bricks. */
static void pull_end(Block *block, tacVec3 traction) {
  tacBox box = tac_volmesh_box(block->mesh);
  memset(block->force, 0, (size_t)block->size * sizeof *block->force);
  for (int b = 0; b < block->mesh->brick_count; ++b) {
    const int *v = block->mesh->bricks[b].v, end[4] = {v[1], v[2], v[6], v[5]};
    const tacVec3 *x = block->mesh->vertices;
    if (x[end[0]].x < box.upper.x) continue;
    double area = (x[end[1]].y - x[end[0]].y) * (x[end[3]].z - x[end[0]].z);
    for (int c = 0; c < 4; ++c)
      put_vec3(block->force, end[c],
               tac_vec3_add(get_vec3(block->force, end[c]), tac_vec3_scale(0.25 * area, traction)));
  }
}

/* Of what is unbalanced at free vertices, relative to the load there. */
static double unbalanced(const Block *block) {
  double *r = vector_of(block->mesh), left = 0.0, load = 0.0;
  tac_finite_strain_force(tac_finite_statics_strain(block->statics), block->u, r);
  for (int i = 0; i < block->size; ++i) {
    if (block->held[i / 3]) continue;
    left += pow(r[i] - block->force[i], 2);
    load += pow(block->force[i], 2);
  }
  return sqrt(left / load);
}

static tacNewtonReport solve(Block *block) {
  tacNewtonReport report;
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, &report, &error), error);
  ck_assert_double_le(unbalanced(block), 1e-9);
  ck_assert_double_eq_tol(report.residual, unbalanced(block), 1e-12);
  ck_assert_int_eq(tac_finite_strain_inverted(tac_finite_statics_strain(block->statics), block->u), -1);
  return report;
}

/* The smaller the load, the nearer the linear answer: their distance falls with the square of the load. */
TAC_TEST(small_loads_give_the_linear_solution) {
  for (int bricks = 0; bricks < 2; ++bricks) {
    Block *block = make_block(make_uneven(unit_box(), bricks == 1, 3, 0.2), make_anisotropic(2), false);
    TAC_CREATE(tacStatics, linear,
               tac_statics_create(block->mesh, &block->material, NULL, block->held, &linear, &error));
    double *expected = vector_of(block->mesh), distance[2];
    for (int k = 0; k < 2; ++k) {
      tacRandom random = tac_random_seed(1);
      for (int i = 0; i < block->size; ++i)
        block->force[i] = block->held[i / 3] ? 0.0 : (k == 0 ? 10.0 : 1.0) * tac_random_normal(&random);
      tac_test_ok(tac_statics_solve(linear, 1, block->force, expected, &error), error);
      memset(block->u, 0, (size_t)block->size * sizeof *block->u);
      solve(block);
      double scale = 0.0;
      distance[k] = 0.0;
      for (int i = 0; i < block->size; ++i) {
        if (block->held[i / 3]) continue;
        distance[k] += pow(block->u[i] - expected[i], 2);
        scale += pow(expected[i], 2);
      }
      ck_assert_double_lt(sqrt(distance[k] / scale), 1e-3);
      tac_test_ok(tac_finite_statics_solve_linear(block->statics, block->force, block->u, &error), error);
      for (int i = 0; i < block->size; ++i)
        ck_assert_double_eq_tol(block->u[i], block->held[i / 3] ? 0.0 : expected[i], 1e-9 * sqrt(scale));
    }
    ck_assert_double_eq_tol(sqrt(distance[0] / distance[1]), 100.0, 2.0);
  }
}

/* Stretch s of a bar without lateral contraction under the end traction P = E s (s^2 - 1) / 2. */
static double stretch_of(double p) {
  double low = sqrt(1.0 / 3.0), high = 4.0;
  for (int i = 0; i < 200; ++i) {
    double s = 0.5 * (low + high);
    *(0.5 * s * (s * s - 1.0) < p ? &low : &high) = s;
  }
  return low;
}

TAC_TEST(bars_stretch_by_the_closed_form) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.5, 1.0, 0.8}}, 3, 2, 2),
                            make_isotropic(1000.0, 2e5, 0.0), false);
  const double tractions[] = {0.01, 0.3, 1.5, -0.05, -0.09}; /* of Young's modulus; it buckles at about -0.1 */
  for (int k = 0; k < 5; ++k) {
    pull_end(block, tac_vec3(2e5 * tractions[k], 0.0, 0.0));
    memset(block->u, 0, (size_t)block->size * sizeof *block->u);
    solve(block);
    double s = stretch_of(tractions[k]);
    for (int v = 0; v < block->mesh->vertex_count; ++v)
      ck_assert_double_lt(
          tac_vec3_distance(get_vec3(block->u, v), tac_vec3((s - 1.0) * block->mesh->vertices[v].x, 0.0, 0.0)), 1e-7);
  }
}

/* A bar of this material carries no pressure beyond E / sqrt 27, where s = 1 / sqrt 3: then it collapses. */
TAC_TEST(loads_that_invert_elements_report_the_load_reached) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.2, 1.0, 1.0}}, 2, 2, 2),
                            make_isotropic(1000.0, 2e5, 0.0), false);
  pull_end(block, tac_vec3(-2e5 * 0.25, 0.0, 0.0));
  tacNewtonReport report;
  tacStatus status = tac_finite_statics_solve(block->statics, block->force, NULL, block->u, &report, &error);
  ck_assert_msg(status == TAC_ERR_GEOMETRY, "%s: %s", tac_status_name(status), error.text);
  int element;
  double carried;
  ck_assert_msg(sscanf(error.text, "the load inverts element %d after %lf %%", &element, &carried) == 2, "%s",
                error.text);
  ck_assert(element >= 0 && element < 8);
  ck_assert_double_eq_tol(0.01 * carried * 0.25, 1.0 / sqrt(27.0), 1e-3);
  for (int i = 0; i < block->size; ++i) block->force[i] *= 0.01 * carried;
  ck_assert_double_lt(unbalanced(block), 1e-2); /* u is the last equilibrium; the text has three digits */
}

/* A cantilever that is bent far: as near as was asked for, in fewer steps; and a load that it does not carry is soon given up. */
TAC_TEST(loose_tolerances_take_fewer_steps) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.1, 0.1}}, 12, 2, 2),
                            make_isotropic(1000.0, 2e5, 0.3), false);
  TAC_OWN(tacFiniteStatics, rough) = NULL;
  tacNewtonReport exact, report;
  const double share = 0.01;
  double *u = vector_of(block->mesh), distance = 0.0;
  tac_test_ok(tac_finite_statics_create_rough(&block->solid, share, &rough, &error), error);
  ck_assert_double_gt(tac_finite_statics_step_cost(rough), 0.0);
  pull_end(block, tac_vec3(0.0, 500.0, 0.0));
  exact = solve(block);
  ck_assert_double_gt(tac_vector_norm(block->size, block->u),
                      0.1 * sqrt(block->size / 3.0)); /* a tenth of its length */
  tac_test_ok(tac_finite_statics_solve(rough, block->force, NULL, u, &report, &error), error);
  for (int i = 0; i < block->size; ++i) distance += pow(u[i] - block->u[i], 2);
  ck_assert_double_lt(sqrt(distance), share * tac_vector_norm(block->size, block->u));
  ck_assert_int_lt(report.factorisations, exact.factorisations);
  pull_end(block, tac_vec3(-1e6, 0.0, 0.0));
  ck_assert_int_eq(tac_finite_statics_solve(rough, block->force, NULL, u, &report, &error), TAC_ERR_NO_CONVERGENCE);
  ck_assert_int_eq(report.factorisations, 20);
}

/* It asks before every factorisation; the displacements are then those of the last equilibrium, here the start. */
TAC_TEST(can_be_cancelled) {
  Block *block = make_block(make_bricks(unit_box(), 2, 2, 2), make_isotropic(1000.0, 2e5, 0.3), false);
  pull_end(block, tac_vec3(1e4, 0.0, 0.0));
  int calls = 0;
  tacProgress cancel = {tac_test_cancel, &calls}, mute = {NULL, NULL};
  tacNewtonReport report;
  ck_assert_int_eq(tac_finite_statics_solve(block->statics, block->force, &cancel, block->u, &report, &error),
                   TAC_ERR_CANCELLED);
  ck_assert(calls == 1 && report.factorisations == 0);
  for (int i = 0; i < block->size; ++i) ck_assert_double_eq(block->u[i], 0.0);
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, &mute, block->u, &report, &error), error);
  ck_assert_int_gt(report.factorisations, 0);
}

/* The patch test at large strains: a boundary moved affinely moves all within alike. */
TAC_TEST(affine_boundaries_move_the_inside_affinely) {
  tacMat3 gradient = {{{0.3, 0.15, -0.1}, {0.1, -0.2, 0.2}, {-0.15, 0.1, 0.1}}};
  for (int bricks = 0; bricks < 2; ++bricks) {
    Block *block = make_block(make_uneven(unit_box(), bricks == 1, 4, 0.15), make_anisotropic(8), true);
    for (int v = 0; v < block->mesh->vertex_count; ++v) {
      tacVec3 at = linear_displacement(gradient, block->mesh->vertices[v]);
      if (!block->held[v]) at = tac_vec3_add(at, tac_vec3(0.02 * sin(v), 0.02 * cos(3.0 * v), -0.02 * sin(2.0 * v)));
      put_vec3(block->u, v, at);
    }
    tacNewtonReport report;
    tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, &report, &error), error);
    for (int v = 0; v < block->mesh->vertex_count; ++v)
      ck_assert_double_lt(
          tac_vec3_distance(get_vec3(block->u, v), linear_displacement(gradient, block->mesh->vertices[v])), 1e-9);
  }
}

/* A held end that turns by 20 degrees takes the body along: no strain remains. */
TAC_TEST(turned_supports_turn_the_body) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 2, 2, 2),
                            make_isotropic(1000.0, 1e5, 0.3), false);
  double angle = 20.0 * M_PI / 180.0;
  tacMat3 turn = {{{cos(angle), 0.0, sin(angle)}, {0.0, 1.0, 0.0}, {-sin(angle), 0.0, cos(angle)}}};
  for (int v = 0; v < block->mesh->vertex_count; ++v) {
    tacVec3 x = block->mesh->vertices[v];
    if (block->held[v]) put_vec3(block->u, v, tac_vec3_sub(tac_mat3_mul_vec(turn, x), x));
  }
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, NULL, &error), error);
  for (int v = 0; v < block->mesh->vertex_count; ++v) {
    tacVec3 x = block->mesh->vertices[v];
    ck_assert_double_lt(tac_vec3_distance(get_vec3(block->u, v), tac_vec3_sub(tac_mat3_mul_vec(turn, x), x)), 1e-8);
  }
}

/* Forces of the support balance the load, and every state nearby has more energy. */
TAC_TEST(equilibria_balance_and_are_minima) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {4.0, 1.0, 1.0}}, 8, 2, 2),
                            make_isotropic(1000.0, 1e6, 0.3), false);
  pull_end(block, tac_vec3(2e3, 4e3, 1.4e4));
  solve(block);
  double *r = vector_of(block->mesh), *near = vector_of(block->mesh);
  double lowest = 0.0;
  ck_assert_double_gt(block->u[block->size - 1], 1.0); /* a large deflection */
  tac_finite_strain_force(tac_finite_statics_strain(block->statics), block->u, r);
  tacVec3 sum = {0.0, 0.0, 0.0}, moment = sum;
  for (int v = 0; v < block->mesh->vertex_count; ++v) {
    tacVec3 force = block->held[v] ? get_vec3(r, v) : get_vec3(block->force, v);
    sum = tac_vec3_add(sum, force);
    moment = tac_vec3_add(moment, tac_vec3_cross(tac_vec3_add(block->mesh->vertices[v], get_vec3(block->u, v)), force));
  }
  ck_assert_double_lt(tac_vec3_norm(sum), 1e-6);
  ck_assert_double_lt(tac_vec3_norm(moment), 1e-5);
  for (int k = -1; k < 30; ++k) {
    tacRandom random = tac_random_seed((uint64_t)(k + 1));
    double energy = 0.0;
    for (int i = 0; i < block->size; ++i) {
      near[i] = block->u[i];
      if (k >= 0 && !block->held[i / 3]) near[i] += 1e-3 * tac_random_normal(&random);
      energy -= block->force[i] * near[i];
    }
    energy += tac_finite_strain_energy(tac_finite_statics_strain(block->statics), near);
    if (k < 0)
      lowest = energy;
    else
      ck_assert_double_gt(energy, lowest);
  }
}

/* Half the load first, then the other half from there, and back to none. */
TAC_TEST(a_copy_gives_the_same_bits) {
  const tacBox box = {{0.0, 0.0, 0.0}, {1.0, 0.2, 0.2}};
  Block *block = make_block(make_bricks(box, 8, 2, 2), make_isotropic(1000.0, 2e5, 0.3), false);
  size_t bytes = (size_t)block->size * sizeof(double);
  double *other = vector_of(block->mesh);
  TAC_OWN(tacFiniteStatics, copy) = NULL;
  pull_end(block, tac_vec3(0.0, 500.0, 0.0));
  tac_test_ok(tac_finite_statics_solve_linear(block->statics, block->force, block->u, &error), error);
  tac_test_ok(tac_finite_statics_copy(block->statics, &copy, &error), error);
  ck_assert_uint_gt(tac_finite_statics_bytes(block->statics), bytes);
  tac_test_ok(tac_finite_statics_solve_linear(copy, block->force, other, &error), error);
  ck_assert_mem_eq(other, block->u, bytes);
  memset(block->u, 0, bytes);
  memset(other, 0, bytes);
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, NULL, &error), error);
  tac_test_ok(tac_finite_statics_solve(copy, block->force, NULL, other, NULL, &error), error);
  ck_assert_mem_eq(other, block->u, bytes);
}

TAC_TEST(loads_may_follow_each_other) {
  Block *block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {6.0, 1.0, 1.0}}, 12, 1, 2),
                            make_isotropic(1000.0, 1e6, 0.2), false);
  double *once = vector_of(block->mesh);
  pull_end(block, tac_vec3(0.0, 0.0, 9e3));
  solve(block);
  memcpy(once, block->u, (size_t)block->size * sizeof *once);
  memset(block->u, 0, (size_t)block->size * sizeof *once);
  pull_end(block, tac_vec3(0.0, 0.0, 4.5e3));
  solve(block);
  pull_end(block, tac_vec3(0.0, 0.0, 9e3));
  solve(block);
  double distance = 0.0;
  for (int i = 0; i < block->size; ++i) distance = fmax(distance, fabs(block->u[i] - once[i]));
  ck_assert_double_gt(once[block->size - 1], 2.0);
  ck_assert_double_lt(distance, 1e-6);
  ck_assert_int_le(solve(block).iterations, 1); /* it is there already */
  memset(block->force, 0, (size_t)block->size * sizeof *once);
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, NULL, &error), error);
  ck_assert_double_lt(tac_vector_norm(block->size, block->u), 1e-5);
}

TAC_TEST(wrong_problems_are_refused) {
  tacVolMesh *mesh = make_bricks(unit_box(), 2, 2, 2);
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
  tacFiniteStatics *statics;
  tac_test_refused(tac_finite_statics_create(&solid, &statics, &error), TAC_ERR_GEOMETRY, error, "can move rigidly");
  ck_assert_ptr_null(statics);
  Block *block = make_block(mesh, material, false);
  block->force[3 * 26 + 1] = NAN;
  tac_test_refused(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, NULL, &error),
                   TAC_ERR_ARGUMENT, error, "force of vertex 26");
  block->force[3 * 26 + 1] = 10.0;
  block->u[3 * 26] = -2.0;
  tac_test_refused(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, NULL, &error),
                   TAC_ERR_GEOMETRY, error, "element 7");
  block->u[3 * 26] = 0.0;
  int calls = 0;
  tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_finite_statics_solve(block->statics, block->force, &cancel, block->u, NULL, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_double_eq(largest_entry(block->u, 3 * mesh->vertex_count), 0.0);
}

/* All held: nothing to solve. */
TAC_TEST(held_bodies_stay) {
  Block *block = make_block(make_bricks(unit_box(), 1, 1, 1), make_isotropic(1000.0, 1e5, 0.3), true);
  tacNewtonReport report;
  block->force[0] = 1.0;
  tac_test_ok(tac_finite_statics_solve(block->statics, block->force, NULL, block->u, &report, &error), error);
  ck_assert_int_eq(report.iterations, 0);
  ck_assert_double_eq(tac_vector_norm(24, block->u), 0.0);
}
