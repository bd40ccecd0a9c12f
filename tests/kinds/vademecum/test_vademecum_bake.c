/* Vademecums against full solutions with all nodes. */
#include <sys/stat.h>
#include <tactus/reduced.h>
#include "bake/make_loaded_body.h"
#include "base/threads/parallel.h"
#include "given_memory.h"
#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"

typedef struct Errors {
  double alone_mean, alone_most, corrected_mean, corrected_most, linear_mean;
} Errors;

/* Linear elasticity of the same moduli. */
static tacStatics *make_linear(const Loaded *body, double young, double poisson) {
  tacStatics *statics;
  tacMaterial material = make_isotropic(body->def.material.density, young, poisson);
  tac_test_ok(tac_statics_create(body->mesh, &material, NULL, body->fixed, &statics, &error), error);
  return statics;
}

/* Forces of the body: `force` at a vertex of the mesh. */
static void push_node(Loaded *body, int vertex, tacVec3 force) {
  memset(body->force, 0, (size_t)body->size * sizeof(double));
  put_vec3(body->force, vertex, force);
}

/* Displacements of linear elasticity under the body's forces. */
static void solve_linear(const Loaded *body, tacStatics *linear, double *u) {
  tac_test_ok(tac_statics_solve(linear, 1, body->force, u, &error), error);
  for (int k = 0; k < body->size; ++k)
    if (body->fixed[k / 3]) u[k] = 0.0; /* reactions */
}

/* The vertex of the mesh that a load acts at. */
static int vertex_of(const Loaded *body, const tacVademecum *vademecum, int load) {
  return mesh_vertex(body, vademecum, tac_vademecum_load_vertex(vademecum, load));
}

/* How far u, which is used up, is from the full solution under the body's forces. */
static double distance_to_full(Loaded *body, double *u, double *full) {
  memcpy(full, u, (size_t)body->size * sizeof *u); /* a start, no more: its residual is 1e-9 */
  solve_loaded(body, full);
  return mass_distance(body, u, full);
}

/* Over loads at random nodes, of the full size. */
static Errors measure(Loaded *body, const tacVademecum *vademecum, tacStatics *linear, int count, uint64_t seed) {
  TAC_OWN(tacVademecumSolver, solver) = solver_of(vademecum);
  Errors errors = {0};
  TAC_DOUBLES *u = make_vector(body->mesh), *full = make_vector(body->mesh);
  double q[160];
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < count; ++i) {
    int load = (int)tac_random_uniform(&random, 0.0, tac_vademecum_load_count(vademecum));
    tacVec3 direction = tac_vec3_unit(tac_random_normal3(&random));
    if (tac_vec3_norm2(body->def.direction) > 0.0) direction = tac_vec3_unit(body->def.direction);
    tacVec3 force = tac_vec3_scale(body->def.load, direction);
    push_node(body, vertex_of(body, vademecum, load), force);
    tacVademecumLoad at = vertex_load(vademecum, tac_vademecum_load_vertex(vademecum, load), force);
    ck_assert(!tac_vademecum_solve(solver, 1, &at, 8, q).outside);
    move_loaded(body, vademecum, q, u);
    double corrected = distance_to_full(body, u, full);
    ck_assert(tac_vademecum_coordinates(vademecum, load, force, q));
    move_loaded(body, vademecum, q, u);
    double alone = mass_distance(body, u, full);
    solve_linear(body, linear, u);
    errors.linear_mean += mass_distance(body, u, full) / count;
    errors.alone_mean += alone / count;
    errors.corrected_mean += corrected / count;
    errors.alone_most = fmax(errors.alone_most, alone);
    errors.corrected_most = fmax(errors.corrected_most, corrected);
  }
  return errors;
}

/* ---- errors ---- */

/* Every load, of several sizes; a vademecum that is linear is its superposition too. */
TAC_TEST(linear_vademecum_matches_direct_solutions) {
  TAC_OWN(Loaded, body) = make_loaded_beam();
  body->def.linear = true;
  body->def.sample_count = 20;
  TAC_DOUBLES *u = make_vector(body->mesh), *full = make_vector(body->mesh);
  double q[160], most = 0.0;
  TAC_OWN(tacStatics, statics) = make_linear(body, 209e9, 0.3);
  double worst[2];
  int modes[2];
  for (int fine = 0; fine < 2; ++fine, most = 0.0) {
    body->def.accuracy = fine ? 0.01 : 0.05;
    TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
    ck_assert(tac_vademecum_is_linear(vademecum));
    ck_assert_int_eq(tac_vademecum_load_count(vademecum), 161); /* 170 nodes of the boundary, 9 of them fixed */
    for (int load = 0; load < tac_vademecum_load_count(vademecum); ++load) {
      tacVec3 force = tac_vec3(0.0, -body->def.load * (1 + load % 4) / 4.0, 0.0);
      push_node(body, vertex_of(body, vademecum, load), force);
      solve_linear(body, statics, full);
      ck_assert(tac_vademecum_coordinates(vademecum, load, force, q));
      move_loaded(body, vademecum, q, u);
      most = fmax(most, mass_distance(body, u, full));
    }
    const tacVademecumInfo *info = tac_vademecum_info(vademecum);
    ck_assert_double_le(most, body->def.accuracy);
    ck_assert(info->reached);
    ck_assert_double_le(info->error_most,
                        (1.0 + 1e-9) * most); /* the worst load may be in the sample: equal to rounding */
    ck_assert_double_gt(info->error_most, 0.2 * most);
    ck_assert_str_eq(info->law, "linear");
    worst[fine] = most;
    modes[fine] = tac_vademecum_mode_count(vademecum);
  }
  ck_assert_double_lt(worst[1], 0.5 * worst[0]);
  ck_assert_int_gt(modes[1], modes[0]);
}

static double volume_of(const Loaded *body, const double *u) {
  double sum = 0.0;
  for (int t = 0; t < body->mesh->tet_count; ++t) {
    tacVec3 x[4];
    for (int c = 0; c < 4; ++c) {
      int v = body->mesh->tets[t].v[c];
      x[c] = tac_vec3_add(body->mesh->vertices[v], get_vec3(u, v));
    }
    tacVec3 a = tac_vec3_sub(x[1], x[0]), b = tac_vec3_sub(x[2], x[0]), c = tac_vec3_sub(x[3], x[0]);
    sum += tac_vec3_dot(tac_vec3_cross(a, b), c) / 6.0;
  }
  return sum;
}

/* Under a load at the tip the volume hardly changes, but for linear elasticity (Gonzalez et al. 2015). */
static void check_volume(Loaded *body, const tacVademecum *vademecum, tacStatics *linear) {
  TAC_DOUBLES *u = make_vector(body->mesh), *full = make_vector(body->mesh);
  double q[160], rest = volume_of(body, u);
  int tip = 0;
  for (int s = 1; s < tac_vademecum_load_count(vademecum); ++s)
    if (body->mesh->vertices[vertex_of(body, vademecum, s)].z > body->mesh->vertices[vertex_of(body, vademecum, tip)].z)
      tip = s;
  tacVec3 force = tac_vec3_scale(body->def.load, body->def.direction);
  push_node(body, vertex_of(body, vademecum, tip), force);
  solve_loaded(body, full);
  double of_full = volume_of(body, full) / rest - 1.0;
  tac_vademecum_coordinates(vademecum, tip, force, q);
  move_loaded(body, vademecum, q, u);
  double of_vademecum = volume_of(body, u) / rest - 1.0;
  solve_linear(body, linear, u);
  ck_assert_double_lt(fabs(of_full), 0.01);
  ck_assert_double_eq_tol(of_vademecum, of_full, 0.01);
  ck_assert_double_gt(volume_of(body, u) / rest - 1.0, 0.2);
}

/* Of several loads at once, with a total of the largest size; how far superposition and correction are. */
static void check_several(Loaded *body, const tacVademecum *vademecum, int count) {
  TAC_OWN(tacVademecumSolver, solver) = solver_of(vademecum);
  TAC_DOUBLES *u = make_vector(body->mesh), *full = make_vector(body->mesh);
  double q[160], superposed = 0.0, corrected = 0.0;
  tacRandom random = tac_random_seed(3);
  enum { TRIES = 6 };
  for (int i = 0; i < TRIES; ++i) {
    tacVademecumLoad loads[10];
    tacVec3 force = tac_vec3_scale(1.2 * body->def.load / count, body->def.direction);
    memset(body->force, 0, (size_t)body->size * sizeof(double));
    for (int k = 0; k < count; ++k) {
      int load = (int)tac_random_uniform(&random, 0.0, tac_vademecum_load_count(vademecum));
      int vertex = tac_vademecum_load_vertex(vademecum, load), at = mesh_vertex(body, vademecum, vertex);
      loads[k] = vertex_load(vademecum, vertex, force);
      put_vec3(body->force, at, tac_vec3_add(get_vec3(body->force, at), force));
    }
    tacVademecumSolution solution = tac_vademecum_solve(solver, count, loads, 8, q);
    ck_assert(!solution.outside && solution.steps >= 1);
    move_loaded(body, vademecum, q, u);
    corrected = fmax(corrected, distance_to_full(body, u, full));
    tac_vademecum_solve(solver, count, loads, 0, q);
    move_loaded(body, vademecum, q, u);
    superposed = fmax(superposed, mass_distance(body, u, full));
  }
  ck_assert_double_lt(corrected, 0.1);
  ck_assert_double_lt(corrected, 0.25 * superposed);
}

TAC_TEST(bent_beam_meets_the_target_accuracy) {
  TAC_OWN(Loaded, body) = make_loaded_beam();
  if (tac_test_light()) body->def.sample_count = 20;
  TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  TAC_OWN(tacStatics, linear) = make_linear(body, 209e9, 0.3);
  Errors e = measure(body, vademecum, linear, tac_test_light() ? 10 : 200, 77);
  ck_assert_double_le(e.alone_most, 0.05);
  ck_assert_double_le(e.corrected_most, 0.05);
  ck_assert_double_gt(e.linear_mean, 0.1);
  /* What the bake says of itself is of another sample of the same loads. */
  ck_assert(info->reached && info->wanted == 0.05 && info->sample_count == body->def.sample_count);
  ck_assert_double_eq_tol(log(info->error_mean / e.alone_mean), 0.0, log(2.0));
  ck_assert_double_eq_tol(log(info->corrected_mean / e.corrected_mean), 0.0, log(2.0));
  ck_assert_double_eq_tol(log(info->linear_mean / e.linear_mean), 0.0, log(1.5));
  ck_assert(info->error_most >= info->error_mean && info->corrected_most >= info->corrected_mean);
  ck_assert(info->node_count == 189 && info->element_count == 480 && info->load_count == 161);
  ck_assert_int_eq(info->mode_count, tac_vademecum_mode_count(vademecum));
  ck_assert_int_gt(info->sampled_count, 0);
  ck_assert_int_lt(info->sampled_count, 480);
  ck_assert_str_eq(info->law, "st-venant-kirchhoff");
  check_volume(body, vademecum, linear);
  check_several(body, vademecum, 2);
  check_several(body, vademecum, 10);
}

TAC_TEST(higher_accuracy_takes_more_modes) {
  if (tac_test_light()) return;
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.3}};
  TAC_OWN(Loaded, body) = make_loaded(box, 2, 2, 6, false, 1e4, 0.3);
  body->def.direction = tac_vec3(0.0, 1.0, 0.0);
  body->def.load = 1.5;
  body->def.sample_count = 10;
  TAC_OWN(tacStatics, linear) = make_linear(body, 1e4, 0.3);
  Errors e[2];
  int modes[2];
  for (int fine = 0; fine < 2; ++fine) {
    body->def.accuracy = fine ? 0.01 : 0.05;
    TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
    modes[fine] = tac_vademecum_mode_count(vademecum);
    e[fine] = measure(body, vademecum, linear, 30, 78);
  }
  ck_assert_int_gt(modes[1], modes[0]);
  ck_assert_double_lt(e[1].alone_mean, 0.5 * e[0].alone_mean);
  ck_assert_double_lt(e[1].corrected_mean, 0.5 * e[0].corrected_mean);
  ck_assert(e[1].alone_most <= 0.01 && e[1].corrected_most <= 0.01);
}

/* Loads in any direction on a block that is sheared, pulled and pressed by them. */
TAC_TEST(loads_of_any_direction) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}};
  TAC_OWN(Loaded, body) = make_loaded(box, 2, 2, 3, false, 1e4, 0.3);
  body->def.load = 2.0;
  body->def.sample_count = 40;
  TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
  ck_assert_double_eq(tac_vec3_norm2(tac_vademecum_load_direction(vademecum)), 0.0);
  TAC_OWN(tacStatics, linear) = make_linear(body, 1e4, 0.3);
  Errors e = measure(body, vademecum, linear, tac_test_light() ? 10 : 60, 79);
  ck_assert(e.alone_most <= 0.05 && e.corrected_most <= 0.05);
  ck_assert_double_gt(e.linear_mean, 2.0 * e.alone_most); /* what a linear body could not do */
}

/* Patches that hold no other node are the node, as without: all of each force is there. */
TAC_TEST(patches_smaller_than_elements_are_nodes) {
  TAC_OWN(Loaded, body) = make_loaded((tacBox){{0.0, 0.0, 0.0}, {0.1, 0.1, 0.06}}, 4, 4, 3, true, 1e4, 0.4);
  for (int small = 0; small < 2; ++small) {
    TAC_FREED(tac_load_problem_destroy, tacLoadProblem, problem);
    body->def.patch = small ? 0.01 : 0.0;
    tac_test_ok(tac_load_problem_create(&body->def, &problem, &error), error);
    for (int s = 0; s < problem.load_count; ++s) {
      memset(body->force, 0, (size_t)body->size * sizeof(double));
      tac_load_problem_add(&problem, s, tac_vec3(1.0, -2.0, 3.0), body->force);
      for (int v = 0; v < body->mesh->vertex_count; ++v) {
        double share = v == problem.vertex_of[problem.loads[s]];
        ck_assert_double_eq(tac_vec3_distance(get_vec3(body->force, v), tac_vec3(share, -2.0 * share, 3.0 * share)),
                            0.0);
      }
    }
  }
}

/* A soft block that is pressed in over patches: the full solution has the same spread of the load. */
TAC_TEST(patches_on_a_soft_block_match_the_full_solution) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.06}};
  TAC_OWN(Loaded, body) = make_loaded(box, 4, 4, 3, true, 1e4, 0.4);
  TAC_MEMORY(bool, accessible) = calloc((size_t)body->mesh->vertex_count, sizeof *accessible);
  for (int v = 0; v < body->mesh->vertex_count; ++v) accessible[v] = body->mesh->vertices[v].z >= 0.06;
  body->def.direction = tac_vec3(0.0, 0.0, -3.0); /* any length */
  body->def.load = 6.0;
  body->def.patch = 0.04;
  body->def.accessible = accessible;
  body->def.sample_count = 25;
  TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
  tacVec3 direction = tac_vademecum_load_direction(vademecum);
  ck_assert(direction.x == 0.0 && direction.y == 0.0 && direction.z == -1.0);
  ck_assert_int_eq(tac_vademecum_load_count(vademecum), 25);
  TAC_FREED(tac_load_problem_destroy, tacLoadProblem, problem);
  tac_test_ok(tac_load_problem_create(&body->def, &problem, &error), error);
  TAC_OWN(tacVademecumSolver, solver) = solver_of(vademecum);
  TAC_DOUBLES *u = make_vector(body->mesh), *full = make_vector(body->mesh);
  double q[160], alone = 0.0, corrected = 0.0, deep = 0.0;
  for (int s = 0; s < 25; ++s) {
    int vertex = tac_vademecum_load_vertex(vademecum, s), at = mesh_vertex(body, vademecum, vertex);
    tacVec3 force = tac_vec3(0.0, 0.0, -6.0), sum = {0.0, 0.0, 0.0};
    memset(body->force, 0, (size_t)body->size * sizeof(double));
    tac_load_problem_add(&problem, s, force, body->force);
    /* All of the load, on this side, no farther than the radius, and most where it is. */
    for (int v = 0; v < body->mesh->vertex_count; ++v) {
      tacVec3 f = get_vec3(body->force, v);
      sum = tac_vec3_add(sum, f);
      if (tac_vec3_norm2(f) == 0.0) continue;
      ck_assert(!body->fixed[v]);
      ck_assert_double_lt(tac_vec3_distance(body->mesh->vertices[v], body->mesh->vertices[at]), 0.04);
    }
    ck_assert_double_eq_tol(sum.z, -6.0, 1e-12);
    ck_assert_double_gt(body->force[3 * at + 2], -6.0);
    tacVademecumLoad load = vertex_load(vademecum, vertex, force);
    tac_vademecum_solve(solver, 1, &load, 8, q);
    move_loaded(body, vademecum, q, u);
    corrected = fmax(corrected, distance_to_full(body, u, full));
    deep = fmax(deep, largest(full, body->size));
    tac_vademecum_coordinates(vademecum, s, force, q);
    move_loaded(body, vademecum, q, u);
    alone = fmax(alone, mass_distance(body, u, full));
  }
  ck_assert(alone <= 0.05 && corrected <= 0.05);
  ck_assert_double_gt(deep, 0.02); /* a third of its height */
  ck_assert_double_gt(tac_vademecum_info(vademecum)->linear_mean, 0.1);
}

/* ---- bits, progress, interruption ---- */

static void check_same(const tacVademecum *a, const tacVademecum *b) {
  const tacVademecumParts *p = tac_vademecum_parts(a), *o = tac_vademecum_parts(b);
  size_t n = (size_t)tac_vademecum_mode_count(a), loads = (size_t)p->load_count;
  size_t terms = (size_t)tac_load_terms_count(&p->terms), elements = (size_t)p->sampled.element_count;
  ck_assert_int_eq((int)n, tac_vademecum_mode_count(b));
  ck_assert(p->load_count == o->load_count && p->sampled.element_count == o->sampled.element_count);
  ck_assert_mem_eq(tac_reduced_basis(tac_vademecum_shape(a)), tac_reduced_basis(tac_vademecum_shape(b)),
                   3 * n * (size_t)p->info.node_count * sizeof(double));
  ck_assert_mem_eq(p->stiffness, o->stiffness, n * n * sizeof(double));
  ck_assert_mem_eq(p->rows, o->rows, 3 * loads * n * sizeof(double));
  ck_assert_mem_eq(p->y, o->y, loads * terms * n * sizeof(float));
  ck_assert_mem_eq(p->sampled.gradients, o->sampled.gradients, 9 * n * elements * sizeof(double));
  ck_assert_mem_eq(p->sampled.volumes, o->sampled.volumes, elements * sizeof(double));
  ck_assert_mem_eq(p->sampled.tets, o->sampled.tets, elements * sizeof(int));
  ck_assert(p->info.error_mean == o->info.error_mean && p->info.corrected_most == o->info.corrected_most &&
            p->info.linear_mean == o->info.linear_mean && p->info.residual == o->info.residual);
}

TAC_TEST(result_is_independent_of_thread_count) {
  for (int any = 0; any < 2; ++any) {
    TAC_OWN(Loaded, body) = make_loaded_tiny(any == 1);
    if (any) body->def.direction = tac_vec3(0.0, 0.0, 0.0);
    tacVademecum *made[3];
    for (int i = 0; i < 3; ++i) {
      tac_parallel_set_threads(i < 2 ? 3 : 1);
      made[i] = bake_loaded(body);
    }
    tac_parallel_set_threads(0);
    check_same(made[0], made[1]);
    check_same(made[0], made[2]);
    for (int i = 0; i < 3; ++i) tac_vademecum_destroy(made[i]);
  }
}

typedef struct Watch {
  int stop;    /* the call that says no; 0: none */
  double most; /* fraction beyond which it says no; 0: none */
  int calls;
  double first_path, last; /* fractions; of full paths -1 where there was none */
  char what[64];
} Watch;

static bool watch(const char *what, double fraction, void *user) {
  Watch *w = user;
  bool own = strstr(what, "loads") != NULL, same = own && strcmp(what, w->what) == 0; /* parts have tests of theirs */
  ck_assert_msg(fraction >= (same ? w->last : 0.0) && fraction <= 1.0, "%s: %g after %g", what, fraction, w->last);
  w->last = fraction;
  snprintf(w->what, sizeof w->what, "%s", what);
  if (strcmp(what, "loads with all nodes") == 0 && w->first_path < 0.0) w->first_path = fraction;
  return ++w->calls != w->stop && (w->most == 0.0 || fraction <= w->most);
}

static tacStatus bake_until(const tacVademecumDef *def, int stop, double most, Watch *w, tacVademecum **vademecum) {
  *w = (Watch){.stop = stop, .most = most, .first_path = -1.0};
  const tacProgress progress = {watch, w};
  return tac_vademecum_bake(def, &progress, vademecum, &error);
}

static long size_of(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

TAC_TEST(cancel_at_any_stage_leaves_no_result) {
  TAC_OWN(Loaded, body) = make_loaded_tiny(false);
  tacVademecum *vademecum = NULL;
  Watch w;
  tac_test_ok(bake_until(&body->def, 0, 0.0, &w, &vademecum), error);
  tac_vademecum_destroy(vademecum);
  int calls = w.calls;
  ck_assert_int_gt(calls, 5);
  ck_assert_double_gt(w.last, 0.99);
  for (int stop = 1; stop <= calls; ++stop) {
    tacStatus status = bake_until(&body->def, stop, 0.0, &w, &vademecum);
    if (status == TAC_OK) { /* a few calls a second: on another day there are fewer */
      ck_assert_int_lt(w.calls, stop);
      tac_vademecum_destroy(vademecum);
      continue;
    }
    ck_assert_int_eq(status, TAC_ERR_CANCELLED);
    ck_assert_ptr_null(vademecum);
    ck_assert_int_eq(w.calls, stop);
  }
}

/* On one thread, in rounds of eight paths. */
TAC_TEST(interrupted_bake_resumes_bitwise) {
  const char *path = tac_test_path("checkpoint");
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}};
  TAC_OWN(Loaded, body) = make_loaded(box, 2, 1, 4, false, 1e4, 0.3);
  body->def.direction = tac_vec3(1.0, 0.0, 0.0);
  body->def.sample_count = 4;
  tacVademecum *straight = bake_loaded(body), *vademecum = NULL;
  tac_parallel_set_threads(1);
  Watch w;
  body->def.checkpoint = path;
  /* Before any path: nothing is left behind. */
  ck_assert_int_eq(bake_until(&body->def, 1, 0.0, &w, &vademecum), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(vademecum);
  ck_assert_int_eq(size_of(path), -1);
  /* Among them, twice. */
  ck_assert_int_eq(bake_until(&body->def, 0, 0.3, &w, &vademecum), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(vademecum);
  long first = size_of(path);
  ck_assert_int_gt(first, 1000);
  ck_assert_int_eq(bake_until(&body->def, 0, 0.35, &w, &vademecum), TAC_ERR_CANCELLED);
  long second = size_of(path);
  ck_assert_int_gt(second, first);
  tac_test_ok(bake_until(&body->def, 0, 0.0, &w, &vademecum), error);
  ck_assert_double_gt(w.first_path, 0.0);
  check_same(vademecum, straight);
  tac_vademecum_destroy(vademecum);
  /* All paths are there now, 24 of 4 equilibria each, and none is followed again. */
  ck_assert_int_eq(tac_vademecum_info(straight)->path_count, 24);
  long whole = size_of(path);
  ck_assert_int_gt(whole, 24 * 4 * body->size * 8);
  ck_assert_int_gt(whole, second);
  tac_test_ok(bake_until(&body->def, 0, 0.0, &w, &vademecum), error);
  ck_assert_double_lt(w.first_path, 0.0);
  check_same(vademecum, straight);
  tac_vademecum_destroy(vademecum);
  tac_vademecum_destroy(straight);
  /* Of one accessible node, and then of another: the paths are others. */
  TAC_MEMORY(bool, accessible) = calloc((size_t)body->mesh->vertex_count, sizeof *accessible);
  body->def.accessible = accessible;
  for (int i = 0; i < 2; ++i) {
    accessible[body->mesh->vertex_count - 1] = i == 0;
    accessible[body->mesh->vertex_count - 2] = i == 1;
    tac_test_ok(bake_until(&body->def, 0, 0.0, &w, &vademecum), error);
    ck_assert_double_ge(w.first_path, 0.0);
    ck_assert_double_lt(tac_vademecum_info(vademecum)->error_most, 0.01);
    tac_vademecum_destroy(vademecum);
  }
  /* What is no checkpoint is not touched. */
  tac_test_write("checkpoint", "Dear Sir");
  ck_assert_int_eq(tac_vademecum_bake(&body->def, NULL, &vademecum, &error), TAC_ERR_FILE);
  ck_assert_ptr_null(vademecum);
  ck_assert_int_eq(size_of(path), 8);
  tac_parallel_set_threads(0);
}

/* ---- what cannot be ---- */

static void refuse(const tacVademecumDef *def, tacStatus expected, const char *text) {
  tacVademecum *vademecum = (tacVademecum *)&error; /* it becomes NULL */
  error.text[0] = 0;
  tac_test_refused(tac_vademecum_bake(def, NULL, &vademecum, &error), expected, error, text);
  ck_assert_ptr_null(vademecum);
}

TAC_TEST(invalid_definitions_are_rejected) {
  TAC_OWN(Loaded, body) = make_loaded_tiny(false);
  int count = body->mesh->vertex_count;
  TAC_MEMORY(bool, none) = calloc((size_t)count, sizeof *none);
  TAC_MEMORY(bool, line) = calloc((size_t)count, sizeof *line);
  TAC_OWN(tacVolMesh, bricks) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}}, 1, 1, 2);
  for (int v = 0; v < count; ++v) line[v] = body->mesh->vertices[v].x == 0.0 && body->mesh->vertices[v].y == 0.0;
  for (int k = 0; k < 31; ++k) {
    tacVademecumDef def = body->def;
    tacStatus expected = TAC_ERR_ARGUMENT;
    const char *text = "";
    switch (k) {
      case 0: def.material.law = "ogden", text = "ogden"; break;
      case 1: def.material.law = "rubber", text = "rubber"; break;
      case 2: def.material.law = NULL; break;
      case 3:
        def.material.term_count = 1, def.material.share[0] = 0.5, def.material.time[0] = 1.0, text = "viscosity";
        break;
      case 4: def.material.term_count = -1, text = "viscosity"; break;
      case 5: def.material.parameters[0] = NAN, text = "mu"; break;
      case 6: def.material.parameters[0] = -1.0, text = "mu"; break;
      case 7: def.material.density = 0.0, text = "density"; break;
      case 8: def.direction.y = NAN, text = "direction"; break;
      case 9: def.direction.z = INFINITY, text = "direction"; break;
      case 10: def.load = NAN, text = "positive"; break;
      case 11: def.load = 0.0, text = "positive"; break;
      case 12: def.load = INFINITY, text = "positive"; break;
      case 13: def.accuracy = 0.6, text = "accuracy is 0.6"; break;
      case 14: def.accuracy = 1e-7, text = "accuracy"; break;
      case 15: def.accuracy = NAN, text = "accuracy"; break;
      case 16: def.residual = 1.0, text = "residual"; break;
      case 17: def.residual = NAN, text = "residual"; break;
      case 18: def.mode_most = 161, text = "wrong number of modes (161); 1 to 160"; break;
      case 19: def.mode_most = 0, text = "number of modes (0)"; break;
      case 20: def.path_most = 0, text = "there are 0 loads to follow and "; break;
      case 21: def.sample_count = 0, text = "0 to check"; break;
      case 22: def.patch = -0.1, text = "radius"; break;
      case 23: def.patch = INFINITY, text = "radius"; break;
      case 24: def.mesh = NULL, text = "needs a volume mesh"; break;
      case 25:
        def.fixed = NULL, text = "only 0 of 12 nodes are fixed, so a load moves the body as a whole and there "
                                 "is no equilibrium";
        break;
      case 26:
        def.fixed = none, text = "only 0 of 12 nodes are fixed, so a load moves the body as a whole and there "
                                 "is no equilibrium";
        break;
      case 27: def.mesh = bricks, expected = TAC_ERR_GEOMETRY, text = "2 bricks"; break;
      case 28: def.fixed = line, expected = TAC_ERR_GEOMETRY, text = "not all on one line"; break; /* it can turn */
      case 29: def.accessible = none, text = "so the body cannot be loaded"; break;
      case 30: def.accessible = body->fixed, text = "so the body cannot be loaded"; break;
    }
    refuse(&def, expected, text);
    if (k >= 28) continue; /* what no estimate looks at */
    tacVademecumEstimate estimate = {.loads = 7};
    ck_assert_int_eq(tac_vademecum_estimate(&def, &estimate, &error), expected);
    ck_assert_int_eq(estimate.loads, 0);
  }
}

/* A column that is pressed from above gives way; the error names a size that is carried, and with half of that there is an asset. */
TAC_TEST(loads_without_equilibrium_report_the_feasible_size) {
  TAC_OWN(Loaded, body) = make_loaded_tiny(false);
  body->def.direction = tac_vec3(0.0, 0.0, -1.0);
  body->def.load = 1e4;
  refuse(&body->def, TAC_ERR_NO_CONVERGENCE, "no equilibrium was found");
  const char *text = strstr(error.text, "can be at most ");
  double carried = 0.0;
  ck_assert(text != NULL && sscanf(text, "can be at most %lf N", &carried) == 1);
  ck_assert(carried > 0.0 && carried < 1e4);
  body->def.load = 0.5 * carried;
  tac_vademecum_destroy(bake_loaded(body));
}

/* By loose nodes, which are allowed and cost memory as others do. */
TAC_TEST(bake_too_large_for_memory_is_rejected) {
  given_memory = (size_t)1 << 30;
  double nodes = pow((double)given_memory / 2592.0, 0.75) + 1.0;
  TAC_OWN(Loaded, body) = make_loaded_tiny(false);
  int count = body->mesh->vertex_count, many = (int)nodes + count;
  TAC_CREATE(tacVolMesh, mesh, tac_volmesh_create(many, body->mesh->tet_count, 0, &mesh, &error));
  memcpy(mesh->tets, body->mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  TAC_MEMORY(bool, fixed) = calloc((size_t)many, sizeof *fixed);
  for (int v = 0; v < many; ++v) {
    mesh->vertices[v] = body->mesh->vertices[v < count ? v : 0];
    fixed[v] = v >= count || body->fixed[v];
  }
  body->def.mesh = mesh;
  body->def.fixed = fixed;
  refuse(&body->def, TAC_ERR_MEMORY, "this machine has");
  given_memory = 0;
}

/* What is said before is at least what comes. */
TAC_TEST(estimates_are_not_exceeded) {
  for (int k = 0; k < 3; ++k) {
    TAC_OWN(Loaded, body) = make_loaded_tiny(false);
    body->def.linear = k == 0;
    if (k == 2) body->def.direction = tac_vec3(0.0, 0.0, 0.0);
    tacVademecumEstimate estimate;
    tac_test_ok(tac_vademecum_estimate(&body->def, &estimate, &error), error);
    TAC_OWN(tacVademecum, vademecum) = bake_loaded(body);
    const tacVademecumInfo *info = tac_vademecum_info(vademecum);
    ck_assert_int_eq(estimate.loads, info->load_count);
    ck_assert_int_le(info->mode_count, estimate.modes);
    ck_assert_double_le(info->bytes, estimate.bytes);
    ck_assert_double_gt(estimate.memory, estimate.bytes);
  }
}
