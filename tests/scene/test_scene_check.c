/* What a check finds before the bake: for each word a scene that trips it, and the same without that fault, which does not. */
#include <tactus/scene.h>

#include "given_memory.h"
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
  TAC_OWN(tacScene, scene) = parse(text, path);
  tac_test_ok(tac_scene_check(scene, NULL, keep, &found, &error), error);
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
    const char *text = edited(base, cases[i].from, cases[i].to);
    require(text, "s", cases[i].level, cases[i].about, cases[i].begins);
  }
}

#define TOOL                                                               \
  "tools:\n"                                                               \
  "  - name: finger\n"                                                     \
  "    kind: point\n"                                                      \
  "    device:\n"                                                          \
  "      kind: operator\n"                                                 \
  "      repeat: true\n"                                                   \
  "      path:\n"                                                          \
  "        - {on: ball, near: [0, 0, 80 mm], depth: -10 mm, after: 1 s}\n" \
  "        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm, after: 1 s}\n"   \
  "        - {on: ball, near: [20 mm, 0, 80 mm], depth: -10 mm, after: 1 s}\n"
static const char ball[] = "tactus: 1\n"                                   /* 1 */
                           "bodies:\n"                                     /* 2 */
                           "  - name: ball\n"                              /* 3 */
                           "    kind: green\n"                             /* 4 */
                           "    method: boundary-elements\n"               /* 5 */
                           "    surface: {shape: sphere, size: 14 mm}\n"   /* 6 */
                           "    material: liver\n"                         /* 7 */
                           "    fixed: [{below: {axis: z, at: -35 mm}}]\n" /* 8 */
                           "    mask: 18 mm\n"                             /* 9 */
    TOOL;

TAC_TEST(a_pressed_ball) {
  static const Case cases[] = {
      {"mask: 18 mm", "mask: 5 mm", TAC_FINDING_WARNING, "mask",
       "s:9: bodies[0].mask: the mask (5 mm) is shorter than an edge of the surface ("},
      {"mask: 18 mm", "mask: 60 mm", TAC_FINDING_WARNING, "mask",
       "s:9: bodies[0].mask: the contact patch (120 mm across) is wider than the body ("},
      {"at: -35 mm", "at: -60 mm", TAC_FINDING_FAULT, "fixed", "s:8: bodies[0].fixed[0]: no vertex"},
      {"at: -35 mm", "at: 60 mm", TAC_FINDING_FAULT, "fixed", "s:8: bodies[0].fixed: all "},
      {"at: -35 mm", "at: 48 mm", TAC_FINDING_WARNING, "fixed", "s:8: bodies[0].fixed: 9"},
      {"depth: -10 mm, after: 1 s}\n        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm",
       "depth: 5 mm, after: 1 s}\n        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm", TAC_FINDING_WARNING, "path",
       "s:16: tools[0].device.path: the path starts 4.9"},
      {"depth: 6 mm", "depth: -6 mm", TAC_FINDING_WARNING, "path",
       "s:16: tools[0].device.path: the path touches no body: its smallest distance is "},
      {"depth: 6 mm", "depth: 45 mm", TAC_FINDING_WARNING, "path", "s:16: tools[0].device.path: the path goes 4"},
      {"depth: 6 mm", "depth: 30 mm", TAC_FINDING_WARNING, "strain",
       "s:16: tools[0].device.path: the hand presses ball by"},
      {"kind: point\n", "kind: point\n    scale: 0.05\n", TAC_FINDING_WARNING, "workspace",
       "s:11: tools[0]: the path is "},
      {"depth: 6 mm, after: 1 s", "depth: 6 mm, after: 5 ms", TAC_FINDING_WARNING, "speed",
       "s:16: tools[0].device.path: at "},
      {"mask: 18 mm\n", "mask: 18 mm\n    rigid_stiffness: 6000 N/m\n", TAC_FINDING_WARNING, "stiffness",
       "s:10: bodies[0].rigid_stiffness: 6000 N/m is more than the device renders stably at this tool scale"},
      {"material: liver", "material: steel", TAC_FINDING_NOTE, "stiffness",
       "s:7: bodies[0].material: the body is stiffer than the tool can render: a finger feels about "},
  };
  try_all(ball, sizeof cases / sizeof *cases, cases);
}

TAC_TEST(a_filled_ball) {
  given_memory = (size_t)16 << 30;
  static const Case cases[] = {
      {"material: liver", "material: {tissue: liver, poisson: 0.495}", TAC_FINDING_WARNING, "poisson",
       "s:8: bodies[0].material.poisson: Poisson's ratio 0.495 is too large for linear tetrahedra: they lock and "
       "become several times too stiff"},
      {"tets: 20 mm", "tets: 0.2 mm", TAC_FINDING_FAULT, "memory", "s:7: bodies[0].volume: "},
      {"at: -35 mm", "at: -60 mm", TAC_FINDING_FAULT, "fixed", "s:9: bodies[0].fixed[0]: no vertex"},
  };
  const char *filled =
      edited(ball, "boundary-elements\n    surface: {shape: sphere, size: 14 mm}\n",
             "finite-elements\n    surface: {shape: sphere, size: 14 mm}\n    volume: {tets: 20 mm}\n");
  try_all(filled, sizeof cases / sizeof *cases, cases);
  /* About 94 GB: more than half of the memory is a warning, less is none. */
  const char *moving = edited(filled, "tets: 20 mm", "tets: 0.2 mm");
  given_memory = (size_t)128 << 30;
  require(moving, "s", TAC_FINDING_WARNING, "memory", "s:7: bodies[0].volume: ");
  given_memory = (size_t)1024 << 30;
  require(moving, "s", TAC_FINDING_WARNING, "bake", "s:7: bodies[0].volume: the bake takes about ");
  given_memory = 0;
  moving = edited(filled, "tets: 20 mm", "bricks: 20 mm");
  filled = edited(moving, "kind: green\n    method: finite-elements", "kind: reduced");
  moving = edited(filled, "mask: 18 mm", "basis: {from: modes, modes: 5, size: 10}");
  filled = edited(moving, "tactus: 1\n", "tactus: 1\ngravity: [0, 0, -9.81 m/s2]\n");
  require_nothing(filled, "s");
  const char *text = edited(filled, "size: 10}", "size: 100}");
  require(text, "s", TAC_FINDING_WARNING, "step", "s:10: bodies[0].basis: a step takes about ");
  text = edited(filled, "    fixed: [{below: {axis: z, at: -35 mm}}]\n", "");
  require(text, "s", TAC_FINDING_WARNING, "falls",
          "s:4: bodies[0]: the body is free and has weight, but nothing is "
          "below it, so it falls forever");
  const char *more = edited(text, "bodies:", "floor: {at: -60 mm}\nbodies:");
  require_nothing(more, "s");
}

TAC_TEST(slow_steps_and_locking_give_warnings) {
  static const char cube[] = "tactus: 1\n"
                             "rate: {simulate: 100 Hz}\n"
                             "bodies:\n"
                             "  - name: ball\n"
                             "    kind: hyperelastic\n"
                             "    volume: {shape: cube}\n"
                             "    material: liver\n"
                             "    fixed: [{below: {axis: z, at: 0}}]\n" TOOL;
  static const Case cases[] = {
      {"rate: {simulate: 100 Hz}\n", "\n", TAC_FINDING_WARNING, "step", "s:6: bodies[0].volume: a step takes about "},
      {"material: liver", "material: {tissue: liver, poisson: 0.49}", TAC_FINDING_WARNING, "poisson",
       "s:7: bodies[0].material.poisson: Poisson's ratio 0.49 is too large for linear tetrahedra: they lock and "
       "become several times too stiff"},
  };
  const char *near = edited(cube, "near: [0, 0, 80 mm], depth: -10 mm", "near: [30 mm, 30 mm, 90 mm], depth: -10 mm");
  try_all(near, sizeof cases / sizeof *cases, cases);
}

/* Meshes of files */

/* A box from x = `at` on, its sides divided into n x n squares each, without `less` of its triangles, appended to `text`. */
static void add_box(char *text, size_t room, double x, double y, double z, double at, int n, int less) {
  static int number[32 * 32 * 32];
  int next = 1, side = n + 1, left = 12 * n * n - less;
  size_t end = strlen(text);
  for (const char *line = text; (line = strstr(line, "v ")) != NULL; ++line) ++next;
  for (int i = 0; i < side * side * side; ++i) {
    int a = i / side / side, b = i / side % side, c = i % side;
    bool outside = a % n == 0 || b % n == 0 || c % n == 0;
    number[i] = outside ? next++ : 0;
    if (outside)
      end += (size_t)snprintf(text + end, room - end, "v %.9g %.9g %.9g\n", at + x * a / n, y * b / n, z * c / n);
  }
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < n * n; ++i) {
      int corner[4];
      for (int k = 0; k < 4; ++k) {
        int axis = face / 2, place[3];
        place[axis] = face % 2 * n;
        place[(axis + 1) % 3] = i / n + (k == 1 || k == 2);
        place[(axis + 2) % 3] = i % n + (k == 2 || k == 3);
        corner[face % 2 == 1 ? k : 3 - k] = number[(place[0] * side + place[1]) * side + place[2]];
      }
      if (left-- > 0) end += (size_t)snprintf(text + end, room - end, "f %d %d %d\n", corner[0], corner[1], corner[2]);
      if (left-- > 0) end += (size_t)snprintf(text + end, room - end, "f %d %d %d\n", corner[0], corner[2], corner[3]);
    }
  ck_assert_uint_lt(end, room);
}

TAC_TEST(meshes_of_files) {
  static const char scene[] =
      "tactus: 1\n"                     /* 1 */
      "bodies:\n"                       /* 2 */
      "  - name: ball\n"                /* 3 */
      "    kind: green\n"               /* 4 */
      "    method: boundary-elements\n" /* 5 */
      "    surface: {file: box.obj}\n"  /* 6 */
      "    material: kidney\n"          /* 7 */
      "    fixed: [{below: {axis: z, at: 1 mm}}]\n"
      "    mask: 16 mm\n"
      "tools:\n"
      "  - name: finger\n"
      "    kind: point\n"
      "    device: {kind: operator, path: [{at: [30 mm, 30 mm, 80 mm]}, {at: [30 mm, 30 mm, 57 mm], after: 1 s}]}\n";
  static char text[400000];
  char begins[400];
  const char *path = tac_test_path("s.yaml");
  snprintf(begins, sizeof begins, "%s:6: bodies[0].surface: ", path);
  add_box(text, sizeof text, 0.06, 0.06, 0.06, 0.0, 8, 0);
  tac_test_write("box.obj", text);
  require_nothing(scene, path);

  add_box(text, sizeof text, 0.06, 0.06, 0.06, 0.035, 8, 0);
  tac_test_write("crossing.obj", text);
  const char *other = edited(scene, "box.obj", "crossing.obj");
  require(other, path, TAC_FINDING_FAULT, "crossing", begins);

  text[0] = 0;
  add_box(text, sizeof text, 0.06, 0.06, 0.06, 0.0, 8, 5);
  tac_test_write("open.obj", text);
  other = edited(scene, "box.obj", "open.obj");
  require(other, path, TAC_FINDING_FAULT, "open", begins);

  other = edited(scene, "{file: box.obj}", "{file: box.obj, scale: 1000}");
  const char *thin = edited(other, "mask: 16 mm", "mask: 16 m");
  Found found = check_of(thin, path);
  ck_assert_str_eq(found.about[0], "size");
  ck_assert_int_eq(found.level[0], TAC_FINDING_WARNING);

  /* a plate of 3 mm, with edges of 7.5 mm, and in bricks and tetrahedra that are larger than it is thick */
  text[0] = 0;
  add_box(text, sizeof text, 0.06, 0.06, 0.003, 0.0, 8, 0);
  tac_test_write("plate.obj", text);
  other = edited(scene, "box.obj", "plate.obj");
  thin = edited(other, "below: {axis: z, at: 1 mm}", "below: {axis: x, at: 1 mm}");
  other = edited(thin, "{at: [30 mm, 30 mm, 57 mm]", "{at: [30 mm, 30 mm, 2.8 mm]");
  thin = edited(other, "mask: 16 mm", "mask: single");
  require(thin, path, TAC_FINDING_FAULT, "thin", begins);
  other = edited(thin, "boundary-elements", "finite-elements");
  snprintf(begins, sizeof begins,
           "%s:7: bodies[0].volume: the tetrahedra are too large: parts of the body are 3 mm thin", path);
  thin = edited(other, "plate.obj}\n", "plate.obj}\n    volume: {tets: 5 mm}\n");
  require(thin, path, TAC_FINDING_WARNING, "thin", begins);
  thin = edited(other, "plate.obj}\n", "plate.obj}\n    volume: {bricks: 10 mm, fill: cover}\n");
  require_nothing(thin, path);
}

/* A pipe's wall of 4 mm: voxels as wide as it is, and points farther apart. */
TAC_TEST(contacts_of_what_is_thin) {
  static const char scene[] =
      "tactus: 1\n"
      "rate: {simulate: 100 Hz}\n"
      "bodies:\n"
      "  - {name: ball, kind: rigid, surface: {shape: sphere}, points: {count: 50000}}\n"
      "  - {name: slab, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 0, -0.2 m]}\n"
      "contacts:\n"
      "  - {points: ball, field: slab}\n" /* 7 */
      "tools:\n"
      "  - {name: hand, kind: body, body: ball, device: {kind: operator, path: [{at: [0, 0, 55 mm]}, {at: [0, 0, 49 "
      "mm], after: 1 s}]}}\n";
  static const Case cases[] = {
      {"resolution: 256", "resolution: 32", TAC_FINDING_WARNING, "contact", "s:7: contacts[0]: slab is "},
      {"count: 50000", "count: 500", TAC_FINDING_WARNING, "contact", "s:7: contacts[0]: slab is "},
  };
  try_all(scene, sizeof cases / sizeof *cases, cases);
  /* Fingertips press what is simulated slower than the servo with their radius, as they press all else. */
  require_nothing(edited(scene, "{name: hand, kind: body, body: ball,", "{name: tip, kind: fingertip,"), "s");
}

/* Between two steps of the bodies ticks have room for the contacts of four pairs of what is held. */
TAC_TEST(contacts_that_find_no_room) {
  static const char scene[] =
      "tactus: 1\n"
      "rate: {simulate: 100 Hz}\n"
      "bodies:\n"
      "  - {name: ball, kind: rigid, surface: {shape: sphere}, points: {count: 50000}}\n"
      "  - {name: a, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 0, -0.2 m]}\n"
      "  - {name: b, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 0.3 m, -0.2 m]}\n"
      "  - {name: c, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 0.6 m, -0.2 m]}\n"
      "  - {name: d, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 0.9 m, -0.2 m]}\n"
      "  - {name: e, kind: rigid, surface: {shape: pipe}, field: {resolution: 256}, position: [0, 1.2 m, -0.2 m]}\n"
      "contacts:\n"
      "  - {points: ball, field: a}\n"
      "  - {points: ball, field: b}\n"
      "  - {points: ball, field: c}\n"
      "  - {points: ball, field: d}\n"
      "tools:\n"
      "  - {name: hand, kind: body, body: ball, device: {kind: operator, path: [{at: [0, 0, 55 mm]}, {at: [0, 0, 49 "
      "mm], after: 1 s}]}}\n";
  static const Case cases[] = {
      {"tools:\n", "  - {points: ball, field: e}\ntools:\n", TAC_FINDING_WARNING, "contacts",
       "s:2: rate: too many contacts: tools may have 50 at once, including 5 pairs of held bodies, but between two "
       "body steps ticks handle only "},
  };
  try_all(scene, sizeof cases / sizeof *cases, cases);
}
