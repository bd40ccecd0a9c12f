#include "scene/contact_resolution.h"

#include <tactus/base.h>
#include "scene/scene_text.h"

/* A block felt by its points, and a rod of 10 mm, as thick as its box is high, with a field. */
static const char base[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - name: block\n"
    "    kind: rigid\n"
    "    surface: {shape: box}\n"
    "    points: {count: 4000, levels: 2, resolution: 32}\n"
    "  - name: rod\n"
    "    kind: rigid\n"
    "    analytic: [{box: {lower: [0, 0, 0], upper: [100 mm, 12 mm, 10 mm]}}]\n"
    "    position: [0, 0, 200 mm]\n"
    "contacts:\n"
    "  - {points: block, field: rod}\n"
    "tools:\n"
    "  - name: hand\n"
    "    kind: body\n"
    "    body: rod\n"
    "    device: {kind: operator, path: [{at: [0, 0, 200 mm]}, {at: [0, 0, 210 mm], after: 1 s}]}\n";

typedef struct Logged {
  int count;
  char text[1024];
} Logged;

static void take_log(tacLogLevel level, const char *text, void *user) {
  Logged *logged = user;
  if (level != TAC_LOG_WARNING || strncmp(text, "contacts[", 9) != 0) return; /* fields may lose volume besides */
  ++logged->count;
  snprintf(logged->text, sizeof logged->text, "%s", text);
}

/* What the bake of the scene warns of, with `from` replaced. */
static Logged warnings(const char *from, const char *to) {
  Logged logged = {0};
  const char *text = edited(base, from, to);
  tac_log_set(take_log, &logged);
  tac_scene_destroy(bake(text, "s"));
  tac_log_set(NULL, NULL);
  return logged;
}

/* 4000 points on the 37,600 mm² of a block of 100 x 80 x 60 mm: 3.3 mm apart. */
TAC_TEST(thick_tools_give_no_warning) {
  ck_assert_int_eq(warnings("10 mm]}}]", "10 mm]}}]").count, 0);
}

/* A rod of 3.5 mm fits the holes between them (3.8 mm), and with points half as far apart as it is thick, it does not. */
TAC_TEST(tools_thinner_than_point_spacing_give_a_warning) {
  Logged logged = warnings("10 mm]}}]", "3.5 mm]}}]");
  ck_assert_int_eq(logged.count, 1);
  ck_assert_msg(strstr(logged.text, "contacts[0]: rod is 3.5 mm thin, but the points of block are 3.2") != NULL, "%s",
                logged.text);
  ck_assert_msg(
      strstr(logged.text, "it can pass between them; exchange their roles (points: rod, field: block), or use "
                          "14,000 points") != NULL,
      "%s", logged.text);
  ck_assert_int_eq(warnings("10 mm]}}]", "4.5 mm]}}]").count, 0);
}

/* A half space is shown by a slab of a fiftieth of its size. */
TAC_TEST(a_half_space_is_not_thin) {
  ck_assert_int_eq(warnings("box: {lower: [0, 0, 0], upper: [100 mm, 12 mm, 10 mm]}", "plane: {size: 50 mm}").count, 0);
}

TAC_TEST(tools_thinner_than_voxels_give_a_warning) {
  tacContactResolution r = {.points = "a", .field = "b", .thickness = 1.3e-3, .spacing = 0.2e-3, .voxel = 1.25e-3};
  char text[900];
  tac_contact_resolution_warn(&r, text, sizeof text);
  ck_assert_str_eq(text, "");
  r.resolution = 384;
  tac_contact_resolution_warn(&r, text, sizeof text);
  ck_assert_str_eq(text, "b is 1.3 mm thin, but the voxels of its field are 1.25 mm; use resolution: 384");
  r.resolution = 5000;
  tac_contact_resolution_warn(&r, text, sizeof text);
  ck_assert_str_eq(
      text,
      "b is 1.3 mm thin, but the voxels of its field are 1.25 mm; give it the points instead of the field, or give "
      "its field an offset");
  const char from[] = "    analytic: [{box: {lower: [0, 0, 0], upper: [100 mm, 12 mm, 10 mm]}}]\n";
  ck_assert_int_eq(warnings(from, "    surface: {shape: box}\n    field: {resolution: 16}\n").count, 0);
  /* A cube 1.7 times as wide as the box, 170 mm, in 8: three of its voxels are more than 60 mm. */
  Logged logged = warnings(from, "    surface: {shape: box}\n    field: {resolution: 8, expansion: 1.7}\n");
  ck_assert_int_eq(logged.count, 1);
  ck_assert_str_eq(logged.text,
                   "contacts[0]: rod is 60 mm thin, but the voxels of its field are 21.25 mm; use resolution: 16");
  ck_assert_int_eq(
      warnings(from, "    surface: {shape: box}\n    field: {resolution: 8, expansion: 1.7, offset: 20 mm}\n").count,
      0);
}
