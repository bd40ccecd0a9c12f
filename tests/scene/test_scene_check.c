/* What a check finds before the bake: for each word a scene that trips it, and the same without that fault, which does not. */
#include <tactus/scene_check.h>

#include <stdio.h>
#include <string.h>
#include "scene/scene_text.h"

enum { MOST_FINDINGS = 16 };

typedef struct {
  int count;
  tacFindingLevel level[MOST_FINDINGS];
  char about[MOST_FINDINGS][32], text[MOST_FINDINGS][600];
} Found;

static void keep(const tacFinding *finding, void *user) {
  Found *found = user;
  ck_assert_int_lt(found->count, MOST_FINDINGS);
  found->level[found->count] = finding->level;
  snprintf(found->about[found->count], sizeof found->about[0], "%s", finding->about);
  snprintf(found->text[found->count++], sizeof found->text[0], "%s", finding->text);
}

static Found check_of(const char *text, const char *path) {
  Found found = {0};
  tacError error = {0};
  tacScene *scene = parse(text, path);
  tac_test_ok(tac_scene_check(scene, NULL, keep, &found, &error), error);
  tac_scene_destroy(scene);
  return found;
}

static void require_nothing(const char *text, const char *path) {
  Found found = check_of(text, path);
  ck_assert_msg(found.count == 0, "%s [%s]", found.text[0], found.about[0]);
}

/* The fault is told with its level, its place and no other. */
static void require(const char *text, const char *path, tacFindingLevel level, const char *about, const char *begins) {
  Found found = check_of(text, path);
  bool there = false;
  for (int i = 0; i < found.count; ++i) {
    ck_assert_msg(strcmp(found.about[i], about) == 0, "beside %s: %s [%s]", about, found.text[i], found.about[i]);
    there = there || (found.level[i] == level && strncmp(found.text[i], begins, strlen(begins)) == 0);
    ck_assert_ptr_null(strchr(found.text[i], '\n'));
  }
  ck_assert_msg(there, "%s: %s is not told, but %s", about, begins, found.count > 0 ? found.text[0] : "nothing");
}

typedef struct {
  const char *from, *to;
  tacFindingLevel level;
  const char *about, *begins;
} Case;

static void try_all(const char *base, size_t count, const Case *cases) {
  require_nothing(base, "s");
  for (size_t i = 0; i < count; ++i) {
    char text[4096];
    edit(base, cases[i].from, cases[i].to, text, sizeof text);
    require(text, "s", cases[i].level, cases[i].about, cases[i].begins);
  }
}

#define TOOL                                                                          \
  "tools:\n"                                                                          \
  "  - name: finger\n"                                                                \
  "    kind: point\n"                                                                 \
  "    device:\n"                                                                     \
  "      kind: operator\n"                                                            \
  "      path:\n"                                                                     \
  "        - {on: ball, near: [0, 0, 80 mm], depth: -10 mm, after: 1 s}\n"            \
  "        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm, after: 1 s}\n"              \
  "        - {on: ball, near: [20 mm, 0, 80 mm], depth: -10 mm, after: 1 s}\n"
static const char ball[] = "tactus: 1\n"                              /* 1 */
                           "bodies:\n"                                /* 2 */
                           "  - name: ball\n"                         /* 3 */
                           "    kind: green\n"                        /* 4 */
                           "    method: boundary-elements\n"          /* 5 */
                           "    surface: {shape: sphere, size: 14 mm}\n" /* 6 */
                           "    material: liver\n"                    /* 7 */
                           "    fixed: [{below: {axis: z, at: -35 mm}}]\n" /* 8 */
                           "    mask: 18 mm\n"                        /* 9 */
    TOOL;

START_TEST(a_pressed_ball) {
  static const Case cases[] = {
      {"mask: 18 mm", "mask: 5 mm", TAC_FINDING_WARNING, "mask",
       "s:9: bodies[0].mask: 5 mm is less than an edge of the surface"},
      {"mask: 18 mm", "mask: 60 mm", TAC_FINDING_WARNING, "mask",
       "s:9: bodies[0].mask: a patch of 120 mm across is wider than the body"},
      {"at: -35 mm", "at: -60 mm", TAC_FINDING_FAULT, "fixed", "s:8: bodies[0].fixed[0]: no vertex"},
      {"at: -35 mm", "at: 60 mm", TAC_FINDING_FAULT, "fixed", "s:8: bodies[0].fixed: all "},
      {"at: -35 mm", "at: 48 mm", TAC_FINDING_WARNING, "fixed", "s:8: bodies[0].fixed: 9"},
      {"depth: -10 mm, after: 1 s}\n        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm",
       "depth: 5 mm, after: 1 s}\n        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm", TAC_FINDING_WARNING, "path",
       "s:15: tools[0].device.path: it begins 5 mm inside of ball"},
      {"depth: 6 mm", "depth: -6 mm", TAC_FINDING_WARNING, "path",
       "s:15: tools[0].device.path: it never touches anything: at its nearest it is "},
      {"depth: 6 mm", "depth: 45 mm", TAC_FINDING_WARNING, "path", "s:15: tools[0].device.path: it goes 4"},
      {"depth: 6 mm", "depth: 30 mm", TAC_FINDING_WARNING, "strain", "s:15: tools[0].device.path: it presses ball by"},
      {"kind: point\n", "kind: point\n    scale: 0.1\n", TAC_FINDING_WARNING, "workspace",
       "s:11: tools[0]: the path is "},
      {"depth: 6 mm, after: 1 s", "depth: 6 mm, after: 5 ms", TAC_FINDING_WARNING, "speed",
       "s:15: tools[0].device.path: at "},
      {"mask: 18 mm\n", "mask: 18 mm\n    rigid_stiffness: 6000 N/m\n", TAC_FINDING_WARNING, "stiffness",
       "s:10: bodies[0].rigid_stiffness: 6000 N/m is more than the device renders stably"},
      {"material: liver", "material: steel", TAC_FINDING_NOTE, "stiffness",
       "s:7: bodies[0].material: pressed by a finger it has some"},
  };
  try_all(ball, sizeof cases / sizeof *cases, cases);
}
END_TEST

START_TEST(a_filled_ball) {
  char filled[4096], moving[4096];
  static const Case cases[] = {
      {"material: liver", "material: {tissue: liver, poisson: 0.495}", TAC_FINDING_WARNING, "poisson",
       "s:8: bodies[0].material.poisson: 0.495: linear tetrahedra lock"},
      {"tets: 20 mm", "tets: 0.2 mm", TAC_FINDING_FAULT, "memory", "s:7: bodies[0].volume: "},
      {"at: -35 mm", "at: -60 mm", TAC_FINDING_FAULT, "fixed", "s:9: bodies[0].fixed[0]: no vertex"},
  };
  edit(ball, "boundary-elements\n    surface: {shape: sphere, size: 14 mm}\n",
       "finite-elements\n    surface: {shape: sphere, size: 14 mm}\n    volume: {tets: 20 mm}\n", filled, sizeof filled);
  try_all(filled, sizeof cases / sizeof *cases, cases);
  static const Case bricks[] = {
      {"bricks: 20 mm}", "bricks: 20 mm}\n    velocity: [0, 0, 0]", TAC_FINDING_WARNING, "falls",
       "s:3: bodies[0]: it is free and has weight"},
      {"size: 10}", "size: 100}", TAC_FINDING_WARNING, "step", "s:10: bodies[0].basis: a step takes some"},
  };
  edit(filled, "tets: 20 mm", "bricks: 20 mm", moving, sizeof moving);
  edit(moving, "kind: green\n    method: finite-elements", "kind: reduced", filled, sizeof filled);
  edit(filled, "mask: 18 mm", "basis: {from: modes, modes: 5, size: 10}", moving, sizeof moving);
  edit(moving, "tactus: 1\n", "tactus: 1\ngravity: [0, 0, -9.81 m/s2]\n", filled, sizeof filled);
  require_nothing(filled, "s");
  char text[4096], more[4096];
  edit(filled, bricks[1].from, bricks[1].to, text, sizeof text);
  require(text, "s", TAC_FINDING_WARNING, "step", "s:9: bodies[0].basis: a step takes some");
  edit(filled, "    fixed: [{below: {axis: z, at: -35 mm}}]\n", "", text, sizeof text);
  require(text, "s", TAC_FINDING_WARNING, "falls", "s:4: bodies[0]: it is free and has weight");
  edit(text, "bodies:", "floor: {at: -60 mm}\nbodies:", more, sizeof more);
  require_nothing(more, "s");
}
END_TEST

START_TEST(a_step_needs_its_time) {
  static const char cube[] = "tactus: 1\n"
                             "rate: {simulate: 100 Hz}\n"
                             "bodies:\n"
                             "  - name: ball\n"
                             "    kind: hyperelastic\n"
                             "    volume: {shape: cube}\n"
                             "    material: liver\n"
                             "    fixed: [{below: {axis: z, at: 0}}]\n" TOOL;
  static const Case cases[] = {
      {"rate: {simulate: 100 Hz}\n", "\n", TAC_FINDING_WARNING, "step", "s:6: bodies[0].volume: a step takes some"},
      {"material: liver", "material: {tissue: liver, poisson: 0.49}", TAC_FINDING_WARNING, "poisson",
       "s:7: bodies[0].material.poisson: 0.49: linear tetrahedra lock"},
  };
  char near[4096];
  edit(cube, "near: [0, 0, 80 mm], depth: -10 mm", "near: [30 mm, 30 mm, 90 mm], depth: -10 mm", near, sizeof near);
  try_all(near, sizeof cases / sizeof *cases, cases);
}
END_TEST

/* Meshes of files */

static char folder[256];

static void write_mesh(const char *name, const char *text) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

/* A box, its sides divided into n x n squares each, without the last `less` triangles, appended to `text`. */
static void add_box(char *text, size_t room, double x, double y, double z, double at, int n, int less) {
  size_t first = 1;
  for (const char *line = text; (line = strchr(line, 'v')) != NULL; ++line) ++first;
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k <= n; ++k) {
        int axis = face / 2;
        double p[3], size[3] = {x, y, z};
        p[axis] = face % 2;
        p[(axis + 1) % 3] = (double)i / n;
        p[(axis + 2) % 3] = (double)k / n;
        snprintf(text + strlen(text), room - strlen(text), "v %.17g %.17g %.17g\n", at + p[0] * size[0], p[1] * size[1],
                 p[2] * size[2]);
      }
  int left = 12 * n * n - less;
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        size_t a = first + (size_t)((face * (n + 1) + i) * (n + 1) + k), b = a + (size_t)n + 1;
        bool out = face % 2 == 1;
        if (left-- > 0)
          snprintf(text + strlen(text), room - strlen(text), "f %zu %zu %zu\n", a, out ? b : b + 1, out ? b + 1 : b);
        if (left-- > 0)
          snprintf(text + strlen(text), room - strlen(text), "f %zu %zu %zu\n", a, out ? b + 1 : a + 1,
                   out ? a + 1 : b + 1);
      }
}

START_TEST(meshes_of_files) {
  static char text[200000], name[600];
  static const char scene[] = "tactus: 1\n"
                              "bodies:\n"
                              "  - name: ball\n"
                              "    kind: green\n"
                              "    method: boundary-elements\n"
                              "    surface: {file: box.obj}\n" /* 6 */
                              "    material: kidney\n"
                              "    fixed: [{below: {axis: z, at: 5 mm}}]\n"
                              "    mask: 16 mm\n"
                              "tools:\n"
                              "  - name: finger\n"
                              "    kind: point\n"
                              "    device: {kind: operator, path: [{at: [30 mm, 30 mm, 80 mm]}, {at: [30 mm, 30 mm, 57 mm], "
                              "after: 1 s}]}\n";
  char path[300], expected[400], other[4096];
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/s.yaml", folder);
  static char welded[200000];
  (void)welded;
  add_box(text, sizeof text, 0.06, 0.06, 0.06, 0.0, 6, 0);
  write_mesh("raw.obj", text);
  text[0] = 0;
  (void)name;
  (void)expected;
  (void)other;
  (void)scene;
}
END_TEST

TAC_TEST_MAIN("scene_check", a_pressed_ball, a_filled_ball, a_step_needs_its_time, meshes_of_files)
