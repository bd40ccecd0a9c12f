#include "kinds/scene_kinds.h"

#include <tactus/tactus.h>
#include "asset/distance_field.h"
#include "kinds/body_kind.h"
#include "kinds/declared_scene.h"
#include "kinds/scene_steps.h"
#include "mesh/trimesh.h"
#include "scene/scene.h"
#include "world/world.h"
#include "world/world_build.h"
#include "world/world_view.h"

/* ---- the example: a bed of springs, from a shared object ---- */

#define K 3e5 /* N/m^3 */
static const char bed_scene[] =
    "tactus: 1\n"
    "kinds: [" TAC_TEST_BED "]\n"
    "bodies:\n"
    "  - name: bed\n" /* line 4 */
    "    kind: bed\n"
    "    size: [100 mm, 60 mm, 20 mm]\n"
    "    columns: [2, 2]\n"
    "    stiffness: 3e5 N/m3\n"
    "    damping: 5e3 Ns/m3\n"
    "tools:\n"
    "  - {name: t, kind: point, device: {kind: operator, preset: premium-3, path: [{at: [0, 0, 1 m]}]}}\n";
#define TOOLS "tools:\n"

TAC_TEST(keys_are_validated_by_the_row) {
  static const Mistake cases[] = {
      {"stiffness: 3e5 N/m3", "stiffness: 3e5 N/m",
       "s:8: bodies[0].stiffness: 3e5 N/m is not in the unit N/m3; write it like 1 N/m3"},
      {"stiffness: 3e5 N/m3", "stiffness: 3e5",
       "s:8: bodies[0].stiffness: 3e5 has no unit; write it like 1 "
       "N/m3"},
      {"stiffness: 3e5 N/m3", "stiffness: hard",
       "s:8: bodies[0].stiffness: hard is not a number with a unit; write it like 1 N/m3"},
      {"stiffness: 3e5 N/m3", "stiffness: 0",
       "s:8: bodies[0].stiffness: 0 is out of range; the allowed range is 1 to 1e+12 N/m3"},
      {"stiffness: 3e5 N/m3", "stiffnes: 3e5 N/m3", "s:8: bodies[0].stiffnes: unknown key; did you mean stiffness?"},
      {"    stiffness: 3e5 N/m3\n", "", "s:4: bodies[0]: a body needs stiffness; write it like stiffness: 1 N/m3"},
      {"size: [100 mm, 60 mm, 20 mm]", "size: [100 mm, 60 mm]",
       "s:6: bodies[0].size: the list has 2 values, but 3 "
       "are needed"},
      {"size: [100 mm, 60 mm, 20 mm]", "size: [100 kg, 60 mm, 20 mm]",
       "s:6: bodies[0].size[0]: 100 kg is not a length; write it like 5 mm"},
      {"columns: [2, 2]", "columns: [2, 9]",
       "s:7: bodies[0].columns[1]: 9 is out of range; the allowed range is 2 "
       "to 8"},
      {"columns: [2, 2]", "mask: 5 mm", "s:7: bodies[0].mask: this key does not apply if kind is bed; leave it out"},
      {"columns: [2, 2]", "field: {resolution: 32}",
       "s:7: bodies[0].field: this key does not apply if kind is bed; leave it out"},
      {"columns: [2, 2]", "velocity: [1 m/s, 0, 0]",
       "s:7: bodies[0].velocity: only a free body can have an initial velocity or spin; write free: true, or leave "
       "this key out"},
      {"kind: bed\n", "kind: bedd\n",
       "s:5: bodies[0].kind: bedd is not one of the allowed values: green, reduced, rigid, corotational, "
       "hyperelastic, vademecum, bed"},
      {"kinds: [" TAC_TEST_BED "]", "kinds: bed.so",
       "s:2: kinds: this is a single value, but a list is needed; write it like kinds: "
       "[some-text]"},
      {"kinds: [" TAC_TEST_BED "]", "kinds: []",
       "s:2: kinds: the list is empty; give it at least one entry or leave "
       "the key out"},
      {"kinds: [" TAC_TEST_BED "]", "kinds: [{a: b}]", "s:2: kinds[0]: this entry is a map, but a text is needed"},
      {"kinds: [" TAC_TEST_BED "]", "kinds: [no/bed.so]",
       "s:2: kinds[0]: no/bed.so: cannot load these kinds of bodies: "},
  };
  tac_scene_destroy(parse(bed_scene, "s"));
  check_reading(bed_scene, sizeof cases / sizeof *cases, cases, BEGINS);
}

TAC_TEST(errors_of_the_kind_name_their_line) {
  const char *text = edited(bed_scene, "columns: [2, 2]", "columns: [2.5, 2]");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  open_cache();
  ck_assert_int_eq(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "s:4: bodies[0]: columns are whole numbers; write it like columns: [8, 6]");
}

/* N: what the columns press upward, by their heights. */
static double pressed(const Run *r, int nx, int ny) {
  const double *height = state_of(r) + tac_world_body_state(r->world, tac_world_find_body(r->world, "bed"));
  double sum = 0.0;
  for (int c = 0; c < nx * ny; ++c) {
    bool rim_x = c % nx == 0 || c % nx == nx - 1, rim_y = c / nx == 0 || c / nx == ny - 1;
    double area = 0.1 * 0.06 / ((nx - 1) * (ny - 1)) / (1 + rim_x) / (1 + rim_y);
    sum -= K * area * height[c];
  }
  return sum;
}

/* A flat block that covers the bed sinks by weight / (k area), whatever closes the contacts. */
TAC_TEST(a_block_sinks_by_its_weight) {
  static const char *const methods[] = {"method: signorini\n" TOOLS, TOOLS};
  for (int m = 0; m < 2; ++m) {
    char more[4096];
    snprintf(more, sizeof more,
             "  - {name: block, kind: rigid, free: true, mass: 200 g, gravity: [0, 0, -10 m/s2],\n"
             "     position: [0, 0, 20 mm], friction: 0.5,\n"
             "     analytic: [{box: {lower: [-60 mm, -40 mm, 0], upper: [60 mm, 40 mm, 20 mm]}}]}\n%s",
             methods[m]);
    TAC_FREED(end_run, Run, r) = begin_run(edited(bed_scene, TOOLS, more));
    step(&r, 1500);
    double weight = 2.0, sunk = weight / (K * 0.1 * 0.06), z = height_of(&r, "block") - 0.02;
    ck_assert_double_eq_tol(pressed(&r, 2, 2), weight, 0.01 * weight);
    /* Springs of at least one and at most eight contacts give beside. */
    double give = m == 0 ? 0.0 : weight / tac_body_def_default().contact_stiffness;
    ck_assert_double_le(z, -sunk - give / 8.0 + 0.01 * sunk);
    ck_assert_double_ge(z, -sunk - give - 0.01 * sunk);
  }
}

/* Under its own weight a column sags by rho H g / (2 k): what is below bears as much of it as the top. */
TAC_TEST(a_bed_sags_under_its_weight) {
  TAC_FREED(end_run, Run, r) = begin_run(
      edited(bed_scene, "columns: [2, 2]", "columns: [3, 2]\n    gravity: [0, 0, -10 m/s2]\n    density: 900 kg/m3"));
  step(&r, 1500);
  const double *height = state_of(&r) + tac_world_body_state(r.world, tac_world_find_body(r.world, "bed"));
  for (int c = 0; c < 6; ++c) ck_assert_double_eq_tol(height[c], -900.0 * 0.02 * 10.0 / (2.0 * K), 1e-9);
}

/* What falls comes to rest: a ball on the bed, whose columns then bear its weight, and a bed on the floor. */
TAC_TEST(falling_bodies_come_to_rest) {
  static const char *const methods[] = {"", "method: signorini\n"};
  for (int i = 0; i < 4; ++i) {
    char more[4096];
    bool ball = i < 2;
    const char *text = edited(bed_scene, "columns: [2, 2]\n",
                              ball ? "columns: [4, 3]\n    points: {count: 300, levels: 1, resolution: 32}\n"
                                   : "free: true\n    gravity: [0, 0, -10 m/s2]\n    position: [0, 0, 10 mm]\n");
    snprintf(more, sizeof more, "%s%s" TOOLS,
             ball ? "  - {name: ball, kind: rigid, free: true, mass: 50 g, gravity: [0, 0, -10 m/s2],\n"
                    "     position: [5 mm, 0, 50 mm], analytic: [{sphere: {centre: [0, 0, 0], radius: 15 mm}}]}\n"
                  : "floor: {}\n",
             methods[i % 2]);
    TAC_FREED(end_run, Run, r) = begin_run(edited(text, TOOLS, more));
    step(&r, 2000);
    double force = 0.0;
    for (int t = 0; ball && t < 500; ++t) {
      step(&r, 1);
      force += pressed(&r, 4, 3) / 500;
    }
    double z = height_of(&r, ball ? "ball" : "bed");
    if (ball) ck_assert_double_eq_tol(force, 0.5, 0.005);
    ck_assert_msg(ball ? z > 0.02 && z < 0.035 : fabs(z) < 1e-3, "case %d: at %g m", i, z);
  }
}

/* A point on a column feels the springs of touch and column one after the other. */
TAC_TEST(point_feels_touch_and_column_in_series) {
  TAC_FREED(end_run, Run, r) =
      begin_run(edited(bed_scene, "columns: [2, 2]", "columns: [3, 3]\n    touch: {stiffness: 200 N/m}"));
  r.input.position.z = 0.03;
  press(&r, 0.015);
  double column = K * 0.05 * 0.03, both = 200.0 * column / (200.0 + column), depth = 0.02 - r.input.position.z;
  ck_assert_double_eq_tol(r.output.force.z, both * depth, 1e-6 * both * depth);
  ck_assert_double_eq_tol(pressed(&r, 3, 3), both * depth, 1e-6 * both * depth);
}

/* What a hand feels of a body that it presses against another is what the columns press, by both methods, whichever it holds. */
TAC_TEST(hand_force_equals_the_column_forces) {
  static const char *const methods[] = {"penalty", "signorini"};
  static const char *const held[] = {"block", "bed"};
  for (int i = 0; i < 4; ++i) {
    const char *method = methods[i % 2], *body = held[i / 2];
    char tools[1024];
    char *text = edited(bed_scene, "columns: [2, 2]\n",
                        "columns: [4, 3]\n    points: {count: 300, levels: 1, resolution: 32}\n");
    *strstr(text, TOOLS) = '\0';
    snprintf(tools, sizeof tools,
             "  - {name: block, kind: rigid, position: [0, 0, 21 mm],\n"
             "     analytic: [{box: {lower: [-20 mm, -10 mm, 0], upper: [20 mm, 10 mm, 20 mm]}}]}\n"
             "contacts: [{points: bed, field: block, stiffness: 100 N/m, method: %s}]\n"
             "tools:\n"
             "  - {name: t, kind: body, body: %s, grasp: [0, 0, 0], coupling: {stiffness: 500 N/m, force_limit: 1 kN, "
             "torque_limit: 100 Nm},\n"
             "     device: {kind: operator, preset: premium-6, path: [{at: [0, 0, 0]}]}}\n",
             method, body);
    strcat(text, tools);
    TAC_FREED(end_run, Run, r) = begin_run(text);
    double from = i / 2 == 0 ? 0.021 : 0.0, way = i / 2 == 0 ? -1.0 : 1.0; /* the bed goes up, against the block */
    for (int t = 1; t <= 500; ++t) {
      r.input.position.z = from + way * 8e-6 * t;
      step(&r, 1);
    }
    step(&r, 1000);
    /* By laws other points of the flat face may carry it from tick to tick; columns and hand are in balance over time. */
    double force = 0.0, felt = 0.0;
    for (int t = 0; t < 400; ++t) {
      step(&r, 1);
      force += pressed(&r, 4, 3) / 400;
      felt += r.output.force.z / 400;
    }
    ck_assert_msg(force > 0.2, "%s, %s held: %g N", method, body, force);
    ck_assert_msg(fabs(felt + way * force) < 1e-3 * force, "%s, %s held: the hand %g N, columns %g N", method, body,
                  felt, force);
  }
}

/* What tables promise: places are affine in the coordinates with rows as slopes; a state that is loaded goes on bit for bit. */
TAC_TEST(bed_satisfies_the_table_contract) {
  tac_scene_destroy(parse(bed_scene, "s")); /* loads it */
  const tacBodyKind *bed = tac_body_kind_find("bed");
  const tacBodyTable *t = bed->table;
  double keys[8] = {0.1, 0.06, 0.02, 3.0, 2.0, K, 5e3, 200.0}; /* as the example has them */
  const tacBodyCreate context = {.name = "bed", .folder = "."};
  tacBodyStep one = {.length = 0.001, .gravity = {0.0, 0.0, -10.0}, .euler = true};
  void *self, *other;
  ck_assert_uint_eq(bed->record_size, sizeof keys);
  tac_test_ok(bed->create(keys, &context, &self, &error), error);
  tac_test_ok(bed->create(keys, &context, &other, &error), error);
  enum { N = 6 };
  ck_assert_int_eq(t->describe(self).coordinates, N);
  double state[2 * N], rows[3 * N], matrix[N * N], load[N], again[2 * N];
  for (int i = 0; i < 2 * N; ++i) state[i] = 1e-3 * (i % 5) - 2e-3;
  ck_assert(t->load(self, state));
  const tacTriMesh *mesh = t->describe(self).surface;
  tac_test_ok(tac_trimesh_require_closed(mesh, &error), error);
  ck_assert_double_eq_tol(tac_trimesh_volume(mesh), 0.1 * 0.06 * 0.02, 1e-12);
  for (int f = 0; f < mesh->triangle_count; ++f) {
    const tacSite site = {TAC_SITE_SURFACE, f, {0.2, 0.5, 0.3}};
    tacVec3 from = t->place(self, &site);
    t->rows(self, &site, rows);
    for (int i = 0; i < N; ++i) {
      double moved[2 * N];
      memcpy(moved, state, sizeof moved);
      moved[i] += 0.25;
      ck_assert(t->load(other, moved));
      tacVec3 to = t->place(other, &site);
      ck_assert(to.x == from.x && to.y == from.y && rows[i] == 0.0 && rows[N + i] == 0.0);
      ck_assert_double_eq_tol((to.z - from.z) / 0.25, rows[2 * N + i], 1e-12);
      ck_assert_double_le(fabs(moved[i]), t->bounds(other).swelling);
    }
  }
  ck_assert(t->load(other, state));
  for (int i = 0; i < 20; ++i)
    for (int b = 0; b < 2; ++b) {
      void *body = b == 0 ? self : other;
      ck_assert(t->linearise(body, &one, matrix, load));
      for (int c = 0; c < N; ++c) load[c] /= matrix[c * N + c];
      t->move(body, load);
      ck_assert(t->linearise(body, &one, matrix, load)); /* what lacks now is nothing */
      for (int c = 0; c < N; ++c) ck_assert_double_eq_tol(load[c], 0.0, 1e-9);
      ck_assert(!t->finish(body, &one).refused);
    }
  t->save(self, 2 * N, state);
  t->save(other, 2 * N, again);
  ck_assert_mem_eq(again, state, sizeof state);
  again[3] = (double)NAN;
  ck_assert(!t->load(self, again));
  for (int c = 0; c < N; ++c) load[c] = (double)NAN;
  t->move(self, load);
  ck_assert(t->finish(self, &one).refused);
  t->save(self, N, again);
  ck_assert_mem_eq(again, state, N * sizeof *state); /* brought to rest where it was */
  t->destroy(self);
  t->destroy(other);
  t->destroy(NULL);
}

/* ---- a kind of this program, which takes all that scenes give ---- */

typedef struct Keys {
  int count;
  bool hollow;
  const char *label, *file;
  double weight;
} Keys;

typedef struct Brick {
  tacTriMesh *surface; /* what the scene gives, twice as large */
  const tacPointshell *points;
  const tacDistanceField *field;
} Brick;

static int bricks, created;
static Keys seen;
static char seen_file[256], seen_folder[256];

static void destroy(void *self) {
  Brick *brick = self;
  tac_trimesh_destroy(brick->surface);
  free(brick);
  --bricks;
}

static tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *why) {
  seen = *(const Keys *)record;
  snprintf(seen_file, sizeof seen_file, "%s", seen.file != NULL ? seen.file : "");
  snprintf(seen_folder, sizeof seen_folder, "%s", context->folder);
  if (context->surface == NULL) return TAC_ERR_GEOMETRY; /* and does not say why */
  Brick *brick = calloc(1, sizeof *brick);
  ck_assert_ptr_nonnull(brick);
  tac_test_ok(tac_trimesh_copy(context->surface, &brick->surface, why), *why);
  for (int v = 0; v < brick->surface->vertex_count; ++v) {
    tacVec3 *x = &brick->surface->vertices[v];
    *x = (tacVec3){2.0 * x->x, 2.0 * x->y, 2.0 * x->z};
  }
  brick->points = context->points;
  brick->field = context->field;
  ++bricks, ++created;
  *self = brick;
  return TAC_OK;
}

static void reset(void *self) {
  (void)self;
}
static bool forgets; /* what it takes */
static tacBodyDescription describe(const void *self) {
  const Brick *brick = self;
  return (tacBodyDescription){
      .surface = brick->surface, .points = forgets ? NULL : brick->points, .field = forgets ? NULL : brick->field};
}
static tacVec3 vertex(const void *self, int v) {
  return ((const Brick *)self)->surface->vertices[v];
}
static tacVec3 vertex_normal(const void *self, int v) { /* of a shape about the origin */
  return vertex(self, v);
}
static tacVec3 place(const void *self, const tacSite *site) {
  const Brick *brick = self;
  if (site->kind == TAC_SITE_SHELL) return tac_pointshell_point(brick->points, site->index);
  return site->kind == TAC_SITE_SURFACE ? vertex(self, brick->surface->triangles[site->index].v[0]) : site->at;
}
static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .describe = describe,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place};
static const tacBodyKey keys[] = {
    {.name = "count", .type = TAC_KEY_COUNT, .offset = offsetof(Keys, count), .least = 1, .most = 9},
    {.name = "hollow", .type = TAC_KEY_FLAG, .offset = offsetof(Keys, hollow)},
    {.name = "label", .type = TAC_KEY_TEXT, .offset = offsetof(Keys, label), .required = true},
    {.name = "file", .type = TAC_KEY_PATH, .offset = offsetof(Keys, file)},
    {.name = "weight", .type = TAC_KEY_NUMBER, .offset = offsetof(Keys, weight), .unit = "kg", .most = 5.0},
};
static const Keys key_defaults = {.count = 3, .weight = 0.5};
static const tacBodyKind kind = {.version = TAC_BODY_KIND_VERSION,
                                 .name = "brick",
                                 .summary = "of a test",
                                 .key_count = (int)(sizeof keys / sizeof *keys),
                                 .keys = keys,
                                 .record_size = sizeof(Keys),
                                 .defaults = &key_defaults,
                                 .takes_surface = true,
                                 .takes_points = true,
                                 .takes_field = true,
                                 .create = create,
                                 .table = &table,
                                 .shown = TAC_SHOWN_RIGID};

static const char brick_scene[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - name: b\n" /* line 3 */
    "    kind: brick\n"
    "    label: red\n"
    "    surface: {shape: sphere, size: 20 mm}\n"
    "    points: {count: 200, levels: 1, resolution: 32}\n"
    "    field: {resolution: 32}\n"
    "tools:\n"
    "  - {name: t, kind: point, device: {kind: operator, preset: premium-3, path: [{on: b, near: [0, 0, 1 m]}]}}\n";

static void register_brick(void) {
  tac_test_ok(tac_body_kind_register(&kind, &error), error);
}

TAC_TEST(row_receives_the_scene_values) {
  register_brick();
  char *text = edited(brick_scene, "label: red\n",
                      "label: red\n    hollow: true\n    file: data/b.txt\n    count: 7\n    weight: 20 g\n"
                      "    copies: {grid: [2, 2, 1], spacing: [1 m, 1 m, 0]}\n");
  *strstr(text, "on: b") = '\0'; /* that body has another name */
  strcat(text, "at: [0, 0, 1 m]}]}}\n");
  tacScene *scene = bake(text, "some/where/s.yaml");
  ck_assert_int_eq(bricks, 0);
  ck_assert_int_eq(created, 1); /* for its surface */
  ck_assert_str_eq(tac_scene_body_kind_name(scene, 0), "brick");
  ck_assert_int_eq(tac_scene_asset_count(scene), 2);
  tacBox box = tac_trimesh_box(tac_scene_surface(scene, 0));
  tacWorld *world = world_of(scene);
  ck_assert_int_eq(bricks, 4);
  ck_assert_int_eq(tac_world_body_count(world), 4);
  tacBodyId last = tac_world_find_body(world, "b-004");
  ck_assert_str_eq(tac_world_body_kind_name(world, last), "brick");
  ck_assert_int_eq(tac_world_body_shown(world, last), TAC_SHOWN_RIGID);
  ck_assert_double_eq(tac_world_body_pose(world, last).position.y, 1.0);
  ck_assert_ptr_eq(tac_world_body_shell(world, last), tac_scene_points(scene, 0));
  ck_assert_ptr_eq(tac_world_body_field(world, last), tac_scene_field(scene, 0));
  /* Field and points are those of the body's own surface. */
  double radius = box.upper.z;
  tacVec3 top = {0.0, 0.0, radius}, point = tac_pointshell_point(tac_scene_points(scene, 0), 0);
  ck_assert_double_eq_tol(tac_distance_field_value(tac_scene_field(scene, 0), top), 0.0, 0.1 * radius);
  ck_assert_double_eq_tol(sqrt(point.x * point.x + point.y * point.y + point.z * point.z), radius, 0.1 * radius);
  ck_assert(seen.count == 7 && seen.hollow);
  ck_assert_double_eq(seen.weight, 0.02);
  ck_assert_str_eq(seen.label, "red");
  ck_assert_str_eq(seen_file, "some/where/data/b.txt");
  ck_assert_str_eq(seen_folder, "some/where/");
  tac_world_destroy(world);
  ck_assert_int_eq(bricks, 0);
  tac_scene_destroy(scene);
  scene = bake(brick_scene, "s");
  ck_assert(seen.count == 3 && !seen.hollow && seen.file == NULL);
  ck_assert_double_eq(seen.weight, 0.5);
  ck_assert_str_eq(seen_folder, ".");
  tac_scene_destroy(scene);
}

TAC_TEST(body_gets_the_points_and_field_of_its_kind) {
  register_brick();
  TAC_OWN(tacScene, scene) = bake(brick_scene, "s");
  TAC_OWN(tacWorld, world) = NULL;
  forgets = true;
  ck_assert_int_eq(tac_scene_world(scene, &world, &error), TAC_ERR_ARGUMENT);
  forgets = false;
  ck_assert_str_eq(error.text, "s:3: bodies[0]: kind brick: create was given points, but describe does not return "
                               "them");
  ck_assert_int_eq(bricks, 0);
}

TAC_TEST(errors_of_all_key_types_name_their_line) {
  static const Mistake cases[] = {
      {"    label: red\n", "", "s:3: bodies[0]: a body needs label; write it like label: some-text"},
      {"label: red", "label: red\n    count: 10", "s:6: bodies[0].count: 10 is not a whole number from 1 to 9"},
      {"label: red", "label: red\n    hollow: yes",
       "s:6: bodies[0].hollow: yes is not one of the allowed values: "
       "true, false"},
      {"label: red", "label: red\n    weight: 6 kg",
       "s:6: bodies[0].weight: 6 kg is out of range; the allowed range is 0 to 5 kg"},
      {"label: red", "label: red\n    weight: 6 mm", "s:6: bodies[0].weight: 6 mm is not a mass; write it like 0.1 kg"},
      {"label: red", "label: []", "s:5: bodies[0].label: this is a list, but a single value is needed"},
  };
  register_brick();
  check_reading(brick_scene, sizeof cases / sizeof *cases, cases, BEGINS);
  static const Mistake bakes[] = {
      {"    surface: {shape: sphere, size: 20 mm}\n", "",
       "s:3: bodies[0]: the body cannot be created (its kind gave "
       "no reason)"},
  };
  check_mistakes(brick_scene, 1, bakes);
  open_cache();
  const char *text = edited(brick_scene, "label: red", "label: red\n    free: true");
  tacScene *scene = bake(text, "s");
  tacWorld *world = NULL;
  ck_assert_int_eq(tac_scene_world(scene, &world, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "s:3: bodies[0]: body b: a free body needs a mass and moments of inertia");
  ck_assert_int_eq(bricks, 0);
  tac_scene_destroy(scene);
  /* Where files are opened, those of its keys are looked for. */
  text = edited(brick_scene, "label: red", "label: red\n    file: none.txt");
  tac_test_refused(tac_scene_read(tac_test_write("s.yaml", text), &scene, &error), TAC_ERR_FILE, error,
                   "s.yaml:6: bodies[0].file: no such file: ");
}

/* Keys that all bodies have cannot be a kind's own. */
TAC_TEST(registry_rejects_common_keys) {
  tacField fields[TAC_DECLARED_FIELDS];
  static tacBodyKey key = {.type = TAC_KEY_FLAG};
  tacBodyKind all = kind, other = kind;
  all.key_count = 0;
  other.name = "other";
  other.key_count = 1;
  other.keys = &key;
  int count = tac_declared_scene_fields(&all, fields);
  for (int i = 0; i < count + 4; ++i) {
    static const char *const of_all[] = {"name", "kind", "position", "rotation"};
    key.name = i < count ? fields[i].key : of_all[i - count];
    error = (tacError){0};
    ck_assert_msg(tac_body_kind_register(&other, &error) == TAC_ERR_ARGUMENT, "%s", key.name);
    ck_assert_msg(strstr(error.text, "the name is reserved: every body has a key of this name") != NULL, "%s",
                  error.text);
  }
}
