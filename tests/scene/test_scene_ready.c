/* Scenes whose bodies have their points and fields in files. */
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "asset/pointshell.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"
#include "scene/scene_bake.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"

static const char baked[] = ROD_AND_BALL(
    "{count: 100, levels: 2}") "contacts:\n  - {points: rod, field: ball, stiffness: 200 N/m}\n"
                               "tools:\n  - {name: a, kind: body, body: ball, device: {kind: operator, path: [{at: "
                               "[200 mm, 0, 80 mm]}, {at: [200 mm, 0, 40 mm], after: 1 s}]}}\n";

#define ROD_FIELD "resolution: 16, proxies"
#define BALL_POINTS "points: {count: 100, levels: 2}"
#define BALL_FIELD "field: {resolution: 20, expansion: 1.3}"

static const char *scene_path;
static tacSceneAsset first[8];

/* Bakes the scene, and leaves what it made as files beside the next. */
static tacScene *set_up(void) {
  open_cache();
  scene_path = tac_test_path("s.yaml");
  tacScene *scene = parse(baked, scene_path);
  ck_assert_int_eq(tac_scene_asset_count(scene), 5);
  tac_test_ok(tac_scene_bake(scene, cache, false, NULL, first, &error), error);
  const tacDistanceField *rod = tac_deformed_field_domain(tac_scene_deformed_field(scene, 0), 0);
  tac_test_ok(tac_distance_field_write(rod, tac_test_path("rod.field"), &error), error);
  tac_test_ok(tac_distance_field_write(tac_scene_field(scene, 1), tac_test_path("ball.field"), &error), error);
  tac_test_ok(tac_pointshell_write(tac_scene_points(scene, 0), tac_test_path("rod.embedded"), &error), error);
  tac_test_ok(tac_pointshell_write_ply(tac_scene_points(scene, 0), tac_test_path("rod.ply"), &error), error);
  tac_test_ok(tac_pointshell_write(tac_scene_points(scene, 1), tac_test_path("ball.points"), &error), error);
  TAC_CREATE(tacTriMesh, surface, tac_trimesh_copy(tac_scene_surface(scene, 1), &surface, &error));
  const tacMeshContents contents = {surface, NULL};
  tac_test_ok(tac_mesh_write(tac_test_path("ball.stl"), TAC_MESH_FORMAT_BY_NAME, &contents, &error), error);
  return scene;
}

static void same_points(const tacPointshell *a, const tacPointshell *b) {
  int count = tac_pointshell_size(a, TAC_POINTSHELL_MOST_LEVELS);
  ck_assert_int_eq(count, tac_pointshell_size(b, TAC_POINTSHELL_MOST_LEVELS));
  ck_assert_int_eq(tac_pointshell_coordinates(a), tac_pointshell_coordinates(b));
  for (int i = 0; i < count; ++i) {
    ck_assert_double_eq(tac_vec3_distance(tac_pointshell_point(a, i), tac_pointshell_point(b, i)), 0.0);
    ck_assert_double_lt(tac_vec3_distance(tac_pointshell_normal(a, i), tac_pointshell_normal(b, i)), 1e-6);
  }
}

/* Read from files they are what was baked: the same points, the same distances, the same deformed field to the
 * checksum. A recording of the scene holds the files' names and checksums, and the bodies meet as before. */
TAC_TEST(given_files_equal_baked_assets) {
  TAC_OWN(tacScene, scene) = set_up();
  const char *text = edited(baked, ROD_POINTS, "    points: {file: rod.ply}\n");
  const char *other = edited(text, ROD_FIELD, "file: rod.field, proxies");
  text = edited(other, BALL_POINTS, "points: {file: ball.points}");
  other = edited(text, BALL_FIELD, "field: {file: ball.field}");
  tacSceneAsset assets[8];
  TAC_CREATE(tacScene, ready, tac_scene_read(tac_test_write("s.yaml", other), &ready, &error));
  ck_assert_int_eq(tac_scene_asset_count(ready), 5);
  tac_test_ok(tac_scene_bake(ready, cache, false, NULL, assets, &error), error);
  same_points(tac_scene_points(scene, 0), tac_scene_points(ready, 0));
  same_points(tac_scene_points(scene, 1), tac_scene_points(ready, 1));
  for (int i = 0; i < 500; ++i) {
    tacVec3 p = tac_vec3(0.05 * sin(i), 0.05 * sin(2.3 * i), 0.05 * sin(3.1 * i));
    ck_assert_double_eq(tac_distance_field_value(tac_scene_field(scene, 1), p),
                        tac_distance_field_value(tac_scene_field(ready, 1), p));
  }
  ck_assert_uint_eq(assets[1].checksum, first[1].checksum); /* the rod's deformed field */
  ck_assert_str_ne(assets[1].path, first[1].path);          /* which was made anew, of the file */
  ck_assert_uint_eq(assets[3].checksum, first[3].checksum); /* the ball's field and points are the files */
  ck_assert_uint_eq(assets[4].checksum, first[4].checksum);
  ck_assert_str_eq(assets[3].path, tac_test_path("ball.field"));
  ck_assert(assets[4].was_cached && assets[4].bytes > 0);
  ck_assert_ptr_nonnull(strstr(tac_scene_assets(ready), "ball.field"));
  ck_assert_ptr_nonnull(strstr(tac_scene_assets(ready), "ball.points"));
  tac_world_destroy(world_of(ready));
}

static double most_depth(const tacDistanceField *field, const tacPointshell *shell) {
  double most = 0.0;
  for (int i = 0; i < tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS); ++i)
    most = fmax(most, fabs(tac_distance_field_value(field, tac_pointshell_point(shell, i))));
  return most;
}

/* Overwrites a field with that of the same body, 3 mm thicker all around. */
static void thicken(const tacDistanceField *thin, const char *name) {
  tacGrid grid = *tac_distance_field_grid(thin);
  size_t count = (size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz;
  float *values = malloc(count * sizeof *values);
  for (size_t i = 0; i < count; ++i) values[i] = grid.values[i] - 0.003f;
  grid.values = values;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_from_grid(&grid, &field, &error));
  tac_test_ok(tac_distance_field_write(field, tac_test_path(name), &error), error);
}

/* Changes a digit far behind the point of the last number in a file. */
static void change_digit(const char *name) {
  FILE *file = fopen(tac_test_path(name), "r+b");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, -4, SEEK_END), 0);
  int byte = fgetc(file);
  ck_assert_int_eq(fseek(file, -4, SEEK_END), 0);
  fputc(byte ^ 1, file);
  ck_assert_int_eq(fclose(file), 0);
}

/* Points that are baked beside a field of a file are fitted to that field. What is made of files is made anew where
 * they are others. */
TAC_TEST(changed_files_change_the_bake_key) {
  TAC_OWN(tacScene, scene) = set_up();
  tacSceneAsset assets[2][8];
  const char *text = edited(baked, BALL_FIELD, "field: {file: ball.field}");
  const char *other = edited(text, ROD_POINTS, "    points: {file: rod.ply}\n");
  text = edited(other, ROD_FIELD, "file: rod.field, proxies");
  for (int thick = 0; thick < 2; ++thick) {
    if (thick) {
      thicken(tac_scene_field(scene, 1), "ball.field");
      thicken(tac_deformed_field_domain(tac_scene_deformed_field(scene, 0), 0), "rod.field");
      change_digit("rod.ply");
    }
    TAC_OWN(tacScene, ready) = parse(text, scene_path);
    tac_test_ok(tac_scene_bake(ready, cache, false, NULL, assets[thick], &error), error);
    ck_assert_double_lt(most_depth(tac_scene_field(ready, 1), tac_scene_points(ready, 1)), 2e-4);
    if (thick) ck_assert_double_gt(most_depth(tac_scene_field(scene, 1), tac_scene_points(ready, 1)), 2e-3);
  }
  ck_assert_str_eq(assets[0][0].path, assets[1][0].path); /* the rod's reduced model */
  for (int i = 1; i < 3; ++i) ck_assert_str_ne(assets[0][i].path, assets[1][i].path);
}

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {BALL_FIELD, "field: {file: ball.field, resolution: 20}",
       "s.yaml:16: bodies[1].field.resolution: the file already contains this setting"},
      {BALL_POINTS, "points: {file: ball.points, count: 20}",
       "s.yaml:15: bodies[1].points.count: the file already contains this setting"},
      {ROD_FIELD, "file: rod.field, offset: 1 mm, proxies",
       "s.yaml:11: bodies[0].field.offset: the file already contains this setting"},
      {BALL_FIELD, "field: {file: bell.field}", "s.yaml:16: bodies[1].field.file: no such file: "},
      {BALL_POINTS, "points: {file: bell.points}", "s.yaml:15: bodies[1].points.file: no such file: "},
      {BALL_FIELD, "field: {file: ball.points}", "s.yaml:16: bodies[1].field.file: "},
      {BALL_POINTS, "points: {file: ball.field}", "s.yaml:15: bodies[1].points.file: "},
      {BALL_POINTS, "points: {file: s.yaml}", "s.yaml:1: expected ply"},
      {BALL_FIELD, "field: {file: s.yaml}", "s.yaml:16: bodies[1].field.file: "},
      {BALL_POINTS, "points: {file: rod.embedded}", "these points deform with the body they were baked for"},
      {BALL_POINTS, "points: {file: rod.ply}", "the points do not lie on the body: they extend over ("},
      {ROD_POINTS, "    points: {file: ball.points}\n", "s.yaml:10: bodies[0].points.file: "},
      {ROD_FIELD, "file: ball.field, proxies", "the field does not enclose the body: its box is "},
      {"surface: {shape: sphere, size: 20 mm}\n    " BALL_POINTS "\n    " BALL_FIELD,
       "surface: {file: ball.stl, scale: 0.2}\n    field: {file: ball.field}", "s.yaml:15: bodies[1].field.file: "},
      {"surface: {shape: sphere, size: 20 mm}\n    " BALL_POINTS "\n    " BALL_FIELD,
       "surface: {file: ball.stl, scale: 0.2}\n    field: {file: ball.field}",
       "the field belongs to another surface: the surface of the body is "},
  };
  TAC_OWN(tacScene, scene) = set_up();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *text = edited(baked, cases[i].from, cases[i].to);
    TAC_OWN(tacScene, wrong) = NULL;
    error = (tacError){0};
    tacStatus status = tac_scene_read(tac_test_write("s.yaml", text), &wrong, &error);
    if (status == TAC_OK) status = tac_scene_bake(wrong, cache, false, NULL, NULL, &error);
    ck_assert_msg(status != TAC_OK && strstr(error.text, cases[i].message) != NULL, "case %zu: %s", i, error.text);
  }
}
