/* What every kind of body promises by its table (<tactus/body.h>), asked of each. */
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "asset/contact_field.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/make_deformed.h"
#include "asset/make_shell.h"
#include "body/make_green.h"
#include "body/make_model.h"
#include "body/response.h"
#include "kinds/green/green_kind.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/rigid/rigid_kind.h"
#include "math/dense/dense.h"

/* A body of one kind, and what it refers to. */
typedef struct Kind {
  tacBody body;
  tacTriMesh *surface;
  tacReduced *reduced;
  tacGreen *green;
  tacPointshell *shell;
  tacDistanceField *field;
  tacDeformedField *deformed;
} Kind;

static void free_kind(Kind *k) {
  k->body.table->destroy(k->body.self);
  k->body.table->destroy(NULL);
  tac_trimesh_destroy(k->surface);
  tac_reduced_destroy(k->reduced);
  tac_green_destroy(k->green);
  tac_pointshell_destroy(k->shell);
  tac_distance_field_destroy(k->field);
  tac_deformed_field_destroy(k->deformed);
}

static Kind make_rigid(void) {
  Kind k = {.shell = make_shell(make_sphere_parts(40, 2, 5)), .field = make_bar_field()};
  tac_test_ok(tac_trimesh_create(4, 4, &k.surface, &error), error);
  memcpy(k.surface->vertices, corners, sizeof corners);
  memcpy(k.surface->triangles, faces, sizeof faces);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.surface = k.surface;
  def.shell = k.shell;
  def.field = k.field;
  def.inertia = (tacInertia){0.2, {0.025, 0.025, 0.025}, {{1e-4, 0.0, 0.0}, {0.0, 1e-4, 0.0}, {0.0, 0.0, 1e-4}}};
  tac_test_ok(tac_rigid_kind_create(&def, &k.body, &error), error);
  return k;
}

static Kind make_elastostatic(void) {
  Kind k = {.green = make_green("sphere", 0.025),
            .shell = make_shell(make_sphere_parts(40, 2, 5)),
            .field = make_bar_field()};
  tacGreenBodyDef def = tac_green_body_def_default();
  def.green = k.green;
  def.mask_radius = 0.02;
  def.shell = k.shell;
  def.field = k.field;
  tac_test_ok(tac_green_kind_create(&def, &k.body, &error), error);
  return k;
}

/* Points and field of it are made up, as the rest is; they need not be of one body. */
static Kind make_in_coordinates(Model *m, const tacReducedBodyDef *given) {
  Kind k = {.reduced = make_reduced(m),
            .shell = make_soft_shell(make_shell(make_sphere_parts(40, 2, 5)), m->size),
            .deformed = make_two_domains(m->size, 7, 3)};
  tacReducedBodyDef def = *given;
  def.reduced = k.reduced;
  def.shell = k.shell;
  def.field = k.deformed;
  tac_test_ok(tac_reduced_kind_create(&def, NULL, &k.body, &error), error);
  return k;
}

static const bool some[MOST] = {true, false, true, true, false, true};

/* 0: rigid, 1: elastostatic, 2: reduced, 3: reduced with some of its coordinates. */
enum { KINDS = 4 };
static Kind make_kind(int which) {
  if (which == 0) return make_rigid();
  if (which == 1) return make_elastostatic();
  Model m = make_model(6, 2, 17);
  tacReducedBodyDef def = tac_reduced_body_def_default();
  if (which == 3) def.kept = some;
  return make_in_coordinates(&m, &def);
}

/* Takes it somewhere by steps under forces at the surface, by the functions that a world uses. */
static void push_on(const tacBody *body, int steps, bool euler) {
  int n = tac_body_size(body);
  const tacBodyTable *t = body->table;
  for (int i = 0; n > 0 && i < steps; ++i) {
    const tacBodyStep step = {.length = 0.001, .gravity = {0.5, 0.0, -9.81}, .euler = euler};
    double matrix[MOST * MOST], load[MOST], rows[3 * MOST];
    const tacSite site = {TAC_SITE_SURFACE, 2, {0.2, 0.5, 0.3}};
    ck_assert(t->linearise(body->self, &step, matrix, load));
    t->rows(body->self, &site, rows);
    for (int j = 0; j < n; ++j) load[j] += rows[j] * (1.0 + 0.01 * i) - 2.0 * rows[n + j] + 0.5 * rows[2 * n + j];
    tacDense a = {n, n, n, matrix};
    ck_assert(tac_dense_loop_cholesky(&a));
    tac_dense_loop_cholesky_solve(&a, load);
    t->move(body->self, load);
    tacBodyFinish done = t->finish(body->self, &step);
    ck_assert(!done.refused && !done.limited);
    if (i % 3 == 0) ck_assert(!t->advance(body->self, &step).refused); /* and alone now and then */
  }
}

TAC_TEST(tables_have_the_functions_they_declare) {
  for (int which = 0; which < KINDS; ++which) {
    TAC_FREED(free_kind, Kind, k) = make_kind(which);
    const tacBodyTable *t = k.body.table;
    ck_assert_int_eq((int)t->version, TAC_BODY_TABLE_VERSION);
    ck_assert(t->destroy != NULL && t->reset != NULL && t->describe != NULL && t->vertex != NULL);
    ck_assert(t->vertex_normal != NULL && t->place != NULL);
    const tacBodyDescription is = t->describe(k.body.self);
    bool state = is.state > 0, parameters = is.parameters > 0, coordinates = is.coordinates > 0;
    ck_assert(state == (is.shown > 0) && state == (t->save != NULL) && state == (t->load != NULL));
    ck_assert(parameters == (t->parameter != NULL) && parameters == (t->set_parameter != NULL));
    ck_assert(coordinates == (t->linearise != NULL) && coordinates == (t->move != NULL));
    ck_assert(coordinates == (t->finish != NULL) && coordinates == (t->rows != NULL));
    ck_assert(coordinates || (t->advance == NULL && is.iterations == 0 && is.rates == NULL));
    ck_assert(!coordinates || (t->looks->vertices != NULL && t->bounds != NULL && state));
    ck_assert(t->compliance == NULL || (!coordinates && t->displace != NULL && t->stiffness != NULL));
    ck_assert_int_eq(coordinates, which >= 2);
    ck_assert_int_eq(t->compliance != NULL, which == 1);
    ck_assert_int_eq(tac_body_size(&k.body), which < 2 ? 0 : which == 2 ? 6 : 4);
    ck_assert_int_le(is.shown, is.state);
    tacInertia inertia;
    ck_assert(t->inertia != NULL);
    ck_assert_int_eq(t->inertia(k.body.self, &inertia), which != 1); /* the elastostatic one was given none */
    if (which != 1) ck_assert_double_gt(inertia.mass, 0.0);
    for (int i = 0; i < is.parameters; ++i) {
      tacParameter p = t->parameter(k.body.self, i);
      ck_assert(p.name[0] != '\0' && p.label != NULL && p.unit != NULL);
      double value = p.value == 0.0 ? 1.0 : 1.25 * p.value;
      tac_test_ok(t->set_parameter(k.body.self, i, value, &error), error);
      ck_assert_double_eq(t->parameter(k.body.self, i).value, value);
      ck_assert_int_eq(t->set_parameter(k.body.self, i, NAN, &error), TAC_ERR_ARGUMENT);
      ck_assert_int_eq(t->set_parameter(k.body.self, i, -1.0, &error), TAC_ERR_ARGUMENT);
      ck_assert_double_eq(t->parameter(k.body.self, i).value, value);
    }
  }
}

TAC_TEST(places_and_vertices_agree) {
  for (int which = 0; which < KINDS; ++which) {
    TAC_FREED(free_kind, Kind, k) = make_kind(which);
    const tacBodyTable *t = k.body.table;
    void *self = k.body.self;
    push_on(&k.body, 30, false);
    const tacTriMesh *mesh = t->describe(self).surface;
    TAC_MEMORY(tacVec3, shown) = malloc((size_t)mesh->vertex_count * sizeof *shown);
    TAC_MEMORY(tacVec3, rest) = malloc((size_t)mesh->vertex_count * sizeof *rest);
    memcpy(shown, mesh->vertices, (size_t)mesh->vertex_count * sizeof *shown);
    memcpy(rest, shown, (size_t)mesh->vertex_count * sizeof *rest);
    if (tac_body_looks(&k.body)->vertices != NULL) {
      double state[MOST];
      ck_assert_int_le(t->describe(self).shown, MOST);
      t->save(self, t->describe(self).shown, state);
      t->looks->vertices(self, state, shown);
      t->looks->vertices(self, NULL, rest);
    }
    double moved = 0.0, most = tac_body_bounds(&k.body).swelling;
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 x = t->vertex(self, v);
      ck_assert_double_le(tac_vec3_distance(x, shown[v]), 1e-14);
      ck_assert_double_eq(tac_vec3_distance(rest[v], mesh->vertices[v]), 0.0);
      ck_assert_double_gt(tac_vec3_norm(t->vertex_normal(self, v)), 0.0);
      moved = fmax(moved, tac_vec3_distance(x, mesh->vertices[v]));
    }
    ck_assert_double_le(moved, most * (1.0 + 1e-12));
    if (which >= 2) ck_assert_double_gt(moved, 1e-4);
    for (int f = 0; f < mesh->triangle_count; ++f) {
      const tacSite site = {TAC_SITE_SURFACE, f, {0.3, 0.1, 0.6}};
      const double weight[3] = {0.3, 0.1, 0.6};
      tacVec3 x = {0.0, 0.0, 0.0};
      for (int c = 0; c < 3; ++c) x = tac_vec3_mad(x, weight[c], t->vertex(self, mesh->triangles[f].v[c]));
      ck_assert_double_le(tac_vec3_distance(t->place(self, &site), x), 1e-14);
    }
    const tacSite frame = {TAC_SITE_FRAME, 0, {0.1, -0.2, 0.3}};
    ck_assert_double_eq(tac_vec3_distance(tac_body_place(&k.body, &frame), frame.at), 0.0);
    const tacPointshell *shell = t->describe(self).points;
    ck_assert_ptr_eq(shell, k.shell);
    for (int i = 0; i < 40; ++i) {
      const tacSite site = {TAC_SITE_SHELL, i, {0.0, 0.0, 0.0}};
      const double *q = t->describe(self).points_q;
      tacVec3 x = q != NULL ? tac_pointshell_deformed_point(shell, i, q) : tac_pointshell_point(shell, i);
      ck_assert_double_eq(tac_vec3_distance(t->place(self, &site), x), 0.0);
    }
    if (which < 2) ck_assert_ptr_eq(t->describe(self).field, k.field);
    t->reset(self);
    for (int v = 0; v < mesh->vertex_count; ++v)
      ck_assert_double_eq(tac_vec3_distance(t->vertex(self, v), mesh->vertices[v]), 0.0);
  }
}

static void set_coordinates(const tacBody *body, const double *q) {
  double state[3 * MOST + 1] = {0.0};
  ck_assert_int_le(tac_body_describe(body).state, 3 * MOST + 1);
  memcpy(state, q, MOST * sizeof *q);
  ck_assert(body->table->load(body->self, state));
}

/* Places are affine in the coordinates, so that differences are derivatives, over any way. */
TAC_TEST(rows_are_derivatives_of_places) {
  for (int which = 2; which < KINDS; ++which) {
    TAC_FREED(free_kind, Kind, k) = make_kind(which);
    const tacBodyTable *t = k.body.table;
    void *self = k.body.self;
    int n = tac_body_size(&k.body), kept[MOST], count = 0;
    for (int i = 0; i < MOST; ++i)
      if (which == 2 || some[i]) kept[count++] = i;
    ck_assert_int_eq(count, n);
    tacSite sites[24];
    for (int i = 0; i < 24; ++i) {
      sites[i] = (tacSite){TAC_SITE_SURFACE, i % 4, {0.2, 0.1 * (i % 8), 0.8 - 0.1 * (i % 8)}};
      if (i % 3 == 1) sites[i] = (tacSite){TAC_SITE_SHELL, i, {0.0, 0.0, 0.0}};
      /* Both domains, some way from the proxy. */
      if (i % 3 == 2) sites[i] = (tacSite){TAC_SITE_FIELD, 65536 * (i % 2) + i % 7, {0.1 * i - 1.0, 0.2, -0.03 * i}};
    }
    double q[MOST] = {0.1, 0.0, -0.05, 0.07, 0.0, 0.02}, way = 0.25;
    for (int s = 0; s < 25; ++s) {
      const tacSite frame = {TAC_SITE_FRAME, 0, {1.0, 2.0, 3.0}}, *site = s < 24 ? &sites[s] : &frame;
      double rows[3 * MOST], size = 0.0;
      float room[3 * (TAC_BODY_MOST_COORDINATES + 4)];
      int stride = 0;
      set_coordinates(&k.body, q);
      tacVec3 from = tac_body_place(&k.body, site);
      t->rows(self, site, rows);
      for (int i = 0; i < 3 * n; ++i) size = fmax(size, fabs(rows[i]));
      ck_assert(s == 24 ? size == 0.0 : size > 0.01);
      const float *floats = tac_response_float_rows(&k.body, n, k.shell, site, room, &stride);
      ck_assert_int_ge(stride, n);
      ck_assert_int_eq(stride % 4, 0);
      for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < stride; ++i)
          if (i < n)
            ck_assert_double_le(fabs((double)floats[axis * stride + i] - rows[axis * n + i]), 1e-7 * size);
          else
            ck_assert(floats[axis * stride + i] == 0.0f);
      for (int i = 0; i < n; ++i) {
        double there[MOST];
        memcpy(there, q, sizeof there);
        there[kept[i]] += way;
        set_coordinates(&k.body, there);
        tacVec3 d = tac_vec3_scale(1.0 / way, tac_vec3_sub(tac_body_place(&k.body, site), from));
        tacVec3 row = {rows[i], rows[n + i], rows[2 * n + i]};
        ck_assert_msg(tac_vec3_distance(d, row) <= 2e-6 * size, "kind %d, site %d, coordinate %d: %g", which, s, i,
                      tac_vec3_distance(d, row) / size);
      }
    }
  }
}

TAC_TEST(saved_state_continues_bitwise) {
  for (int which = 2; which < KINDS; ++which)
    for (int euler = 0; euler < 2; ++euler) {
      TAC_FREED(free_kind, Kind, k) = make_kind(which);
      TAC_FREED(free_kind, Kind, other) = make_kind(which);
      const tacBodyTable *t = k.body.table;
      int size = t->describe(k.body.self).state, shown = t->describe(k.body.self).shown;
      double state[64], first[64], end[64], again[64];
      ck_assert_int_le(size, 64);
      push_on(&k.body, 17, euler);
      t->save(k.body.self, size, state);
      t->save(k.body.self, shown, first);
      ck_assert_mem_eq(first, state, (size_t)shown * sizeof *state);
      push_on(&k.body, 20, euler);
      t->save(k.body.self, size, end);
      push_on(&other.body, 5, !euler); /* another past */
      ck_assert(t->load(other.body.self, state));
      t->save(other.body.self, size, again);
      ck_assert_mem_eq(again, state, (size_t)size * sizeof *state);
      double value =
          tac_deformed_pose_value(t->describe(other.body.self).deformed_field->deformed, tac_vec3(0.3, 0.25, 0.1));
      push_on(&other.body, 20, euler);
      t->save(other.body.self, size, again);
      ck_assert_mem_eq(again, end, (size_t)size * sizeof *end);
      ck_assert_mem_ne(end, state, (size_t)size * sizeof *end);
      /* Back, itself; its field too. */
      ck_assert(t->load(k.body.self, state));
      ck_assert_double_eq(
          tac_deformed_pose_value(t->describe(k.body.self).deformed_field->deformed, tac_vec3(0.3, 0.25, 0.1)), value);
      /* What makes no sense changes nothing. */
      for (int i = 0; i < size - 1; ++i) {
        double wrong[64];
        memcpy(wrong, end, sizeof wrong);
        wrong[i] = NAN;
        if (which == 3 && i < shown && !some[i]) continue; /* a coordinate that it does not have */
        ck_assert(!t->load(k.body.self, wrong));
        t->save(k.body.self, size, again);
        ck_assert_mem_eq(again, state, (size_t)size * sizeof *state);
      }
    }
}

/* How it would answer may be asked between steps, whichever way it lies then: the steps are the same. */
TAC_TEST(queries_between_steps_change_nothing) {
  for (int which = 2; which < KINDS; ++which) {
    TAC_FREED(free_kind, Kind, k) = make_kind(which);
    TAC_FREED(free_kind, Kind, other) = make_kind(which);
    const tacBodyTable *t = k.body.table;
    int size = t->describe(k.body.self).state;
    double state[64], same[64], matrix[MOST * MOST], load[MOST];
    for (int i = 0; i < 10; ++i) {
      const tacBodyStep asked = {.length = 0.001, .gravity = {1.0 - 0.1 * i, 7.0, 0.3}, .euler = true};
      push_on(&k.body, 1, true);
      push_on(&other.body, 1, true);
      ck_assert(t->linearise(k.body.self, &asked, matrix, load));
    }
    t->save(k.body.self, size, state);
    t->save(other.body.self, size, same);
    ck_assert_mem_eq(state, same, (size_t)size * sizeof *state);
  }
}

/* A = - db/dd about any motion, where Newton's method is exact: all but for damping by the stiffness of a body that
 * is not linear. */
TAC_TEST(linearise_is_the_derivative) {
  for (int trial = 0; trial < 12; ++trial) {
    Model m = make_model(5, 2, 300 + (uint64_t)trial);
    tacReducedBodyDef def = tac_reduced_body_def_default();
    def.linear = trial % 2 == 1;
    def.is_static = trial % 3 == 2;
    def.mass_damping = 3.0;
    def.stiffness_damping = def.linear ? 0.01 : 0.0;
    TAC_FREED(free_kind, Kind, k) = make_in_coordinates(&m, &def);
    const tacBodyTable *t = k.body.table;
    const tacBodyStep step = {.length = 0.002, .gravity = {1.0, 2.0, -9.81}, .euler = trial / 3 % 2 == 1};
    double matrix[25], next[25], load[5], plus[5], minus[5], largest = 0.0;
    double way[5] = {0.01, -0.02, 0.005, 0.0, 0.03}, change[5];
    push_on(&k.body, def.is_static ? 0 : 10, step.euler);
    ck_assert(t->linearise(k.body.self, &step, matrix, load));
    t->move(k.body.self, way);
    ck_assert(t->linearise(k.body.self, &step, matrix, load));
    for (int i = 0; i < 25; ++i) largest = fmax(largest, fabs(matrix[i]));
    for (int j = 0; j < 5; ++j) {
      const double reach = 3e-5;
      for (int i = 0; i < 5; ++i) change[i] = i == j ? reach : 0.0;
      t->move(k.body.self, change);
      ck_assert(t->linearise(k.body.self, &step, next, plus));
      change[j] = -2.0 * reach;
      t->move(k.body.self, change);
      ck_assert(t->linearise(k.body.self, &step, next, minus));
      change[j] = reach;
      t->move(k.body.self, change);
      for (int i = 0; i < 5; ++i) {
        ck_assert_double_eq_tol(matrix[5 * i + j], matrix[5 * j + i], 1e-12 * largest);
        /* R is cubic: central differences err by a sixth of its third derivative times reach^2. */
        ck_assert_double_eq_tol((minus[i] - plus[i]) / (2.0 * reach), matrix[5 * i + j], 1e-6 * largest);
      }
    }
    t->finish(k.body.self, &step);
  }
}

/* With a force at a place, Newton's method ends where M (v' - v) / h + alpha M v' + R(q') = J^T f + weight,
 * v' = (q' - q) / h: the method's equation, by the model's own formulas. */
TAC_TEST(a_step_solves_the_equation_of_motion) {
  Model m = make_model(5, 2, 41);
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.mass_damping = 4.0;
  def.stiffness_damping = 0.0;
  TAC_FREED(free_kind, Kind, k) = make_in_coordinates(&m, &def);
  const tacBodyTable *t = k.body.table;
  const tacBodyStep step = {.length = 0.002, .gravity = {1.0, 2.0, -9.81}, .euler = true};
  const tacSite site = tac_site_on_surface(somewhere);
  const double f[3] = {30.0, -20.0, 10.0};
  double rows[3][MOST];
  point_rows(&m, somewhere, rows);
  push_on(&k.body, 10, true);
  for (int n = 0; n < 20; ++n) {
    double before[16], after[16], internal[MOST], matrix[25], load[5], j[15], scale = 0.0;
    t->save(k.body.self, 16, before);
    for (int newton = 0; newton < 12; ++newton) {
      ck_assert(t->linearise(k.body.self, &step, matrix, load));
      t->rows(k.body.self, &site, j);
      for (int i = 0; i < 5; ++i)
        for (int axis = 0; axis < 3; ++axis) load[i] += j[5 * axis + i] * f[axis];
      tacDense a = {5, 5, 5, matrix};
      ck_assert(tac_dense_loop_cholesky(&a));
      tac_dense_loop_cholesky_solve(&a, load);
      t->move(k.body.self, load);
    }
    ck_assert(!t->finish(k.body.self, &step).refused);
    t->save(k.body.self, 16, after);
    model_force(&m, after, internal);
    scale = length(5, internal) + 40.0;
    for (int i = 0; i < 5; ++i) {
      double sum = internal[i];
      for (int c = 0; c < 5; ++c) {
        double v = (after[c] - before[c]) / step.length, a = (v - before[5 + c]) / step.length + def.mass_damping * v;
        sum += (m.mass[0][i][c] + m.mass[1][i][c]) * a;
      }
      for (int axis = 0; axis < 3; ++axis) {
        const double g[3] = {step.gravity.x, step.gravity.y, step.gravity.z};
        sum -= rows[axis][i] * f[axis] + (m.fall[0][axis][i] + m.fall[1][axis][i]) * g[axis];
      }
      ck_assert_double_eq_tol(sum, 0.0, 1e-8 * scale);
      ck_assert_double_eq_tol(after[5 + i], (after[i] - before[i]) / step.length, 1e-9);
    }
  }
}

/* Betti: what a force there does here is what a force here does there. And it does what it pushes towards. */
TAC_TEST(compliance_is_symmetric) {
  TAC_FREED(free_kind, Kind, k) = make_elastostatic();
  const tacBodyTable *t = k.body.table;
  const tacTriMesh *mesh = t->describe(k.body.self).surface;
  tacRandom random = tac_random_seed(6);
  tacSite sites[8];
  for (int i = 0; i < 8; ++i) {
    double a = tac_random_uniform(&random, 0.0, 0.5), b = tac_random_uniform(&random, 0.0, 0.5);
    sites[i] = (tacSite){
        TAC_SITE_SURFACE, (int)tac_random_uniform(&random, 0.0, mesh->triangle_count - 0.5), {a, b, 1.0 - a - b}};
  }
  double largest = 0.0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      double c[3][3], back[3][3];
      ck_assert(t->compliance(k.body.self, &sites[i], &sites[j], c));
      ck_assert(t->compliance(k.body.self, &sites[j], &sites[i], back));
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s) {
          largest = fmax(largest, fabs(c[r][s]));
          ck_assert_double_le(fabs(c[r][s] - back[s][r]), 1e-12 * largest);
        }
      for (int r = 0; i == j && r < 3; ++r) ck_assert_double_ge(c[r][r], 0.0);
    }
  ck_assert_double_gt(largest, 1e-5);
  const tacSite shell = {TAC_SITE_SHELL, 0, {0.0, 0.0, 0.0}};
  double c[3][3];
  ck_assert(!t->compliance(k.body.self, &shell, &sites[0], c)); /* it knows its surface alone */
}

TAC_TEST(assets_of_another_body_are_rejected) {
  Model m = make_model(4, 1, 3);
  TAC_OWN(tacReduced, reduced) = make_reduced(&m);
  TAC_OWN(tacPointshell, soft) = make_soft_shell(make_shell(make_sphere_parts(20, 2, 5)), 3);
  tacBody body;
  tacReducedBodyDef def = tac_reduced_body_def_default();
  ck_assert_int_eq(tac_reduced_kind_create(&def, NULL, &body, &error), TAC_ERR_ARGUMENT);
  def.reduced = reduced;
  def.shell = soft;
  ck_assert_int_eq(tac_reduced_kind_create(&def, NULL, &body, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(body.self);
  tacRigidBodyDef rigid = tac_rigid_body_def_default();
  ck_assert_int_eq(tac_rigid_kind_create(&rigid, &body, &error), TAC_ERR_ARGUMENT);
  rigid.surface = tac_reduced_surface(reduced);
  rigid.shell = soft;
  ck_assert_int_eq(tac_rigid_kind_create(&rigid, &body, &error), TAC_ERR_ARGUMENT);
  tacGreenBodyDef green = tac_green_body_def_default();
  ck_assert_int_eq(tac_green_kind_create(&green, &body, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(body.self);
}
