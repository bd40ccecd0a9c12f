#include <dirent.h>
#include "kinds/vademecum/vademecum_scene.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "step_world.h"

static tacScene *read_scene(const char *file) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", TACTUS_SCENES, file);
  return tac_test_made(tacScene *, tac_scene_read(path, &made, &error));
}

/* Nothing is more than it was; the same bodies, tools and contacts. */
static void compare(const tacScene *whole, const tacScene *small) {
  ck_assert_int_eq(tac_scene_body_count(small), tac_scene_body_count(whole));
  ck_assert_int_eq(tac_scene_tool_count(small), tac_scene_tool_count(whole));
  ck_assert_int_eq(tac_scene_asset_count(small), tac_scene_asset_count(whole));
  ck_assert_int_eq(small->file.contacts.count, whole->file.contacts.count);
  for (int b = 0; b < tac_scene_body_count(whole); ++b) {
    const tacSceneBody *a = tac_scene_file_body(&whole->file, b), *c = tac_scene_file_body(&small->file, b);
    ck_assert_int_le(c->surface.vertices, a->surface.vertices);
    ck_assert_double_ge(c->volume.tets, a->volume.tets);
    ck_assert_double_ge(c->volume.bricks, a->volume.bricks);
    if (strcmp(a->row->name, "reduced") == 0) {
      const tacReducedKeys *was = tac_reduced_keys(a), *is = tac_reduced_keys(c);
      ck_assert_int_le(is->basis.size, was->basis.size);
      ck_assert_int_le(is->keep, is->basis.size);
    }
    if (strcmp(a->row->name, "vademecum") == 0) {
      const tacVademecumKeys *was = tac_vademecum_keys(a), *is = tac_vademecum_keys(c);
      ck_assert_int_le(is->modes, was->modes);
      ck_assert_int_le(is->motion.keep, is->modes);
    }
    ck_assert_int_le(c->points.count, a->points.count);
    if (a->field.resolution > 0) ck_assert_int_le(c->field.resolution, a->field.resolution);
  }
}

/* Of every scene of the gallery; and a small one is not made smaller. */
TAC_TEST(every_scene_has_a_small_version_or_needs_none) {
  DIR *list = opendir(TACTUS_SCENES);
  int found = 0, small_ones = 0;
  ck_assert_ptr_nonnull(list);
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
    TAC_OWN(tacScene, scene) = read_scene(entry->d_name);
    TAC_OWN(tacScene, small) = NULL;
    tacScene *smaller = NULL;
    tacStatus status = tac_scene_small(scene, &small, &error);
    ck_assert(!tac_scene_is_small(scene));
    if (status == TAC_OK) {
      ck_assert(tac_scene_is_small(small));
      compare(scene, small);
      ck_assert_int_eq(tac_scene_small(small, &smaller, &error), TAC_ERR_FORMAT);
      ck_assert_ptr_null(smaller);
      ++small_ones;
    } else {
      ck_assert_msg(strstr(error.text, "the scene has no setting that a small version can reduce") != NULL, "%s",
                    error.text);
      ck_assert_ptr_null(small);
    }
    ++found;
  }
  closedir(list);
  ck_assert_int_gt(found, 40);
  ck_assert_int_gt(small_ones, 10);
}

/* Baked, and run for some ticks without a fault. The text that a recording would hold is that of the small version. */
TAC_TEST(small_versions_run) {
  static const char *const files[] = {"kidney.yaml", "banana-seat.yaml", "spoon.yaml"};
  ck_assert_int_eq(setenv("TACTUS_PREBAKED", "", 1), 0);
  for (int i = 0; i < (tac_test_light() ? 1 : 3); ++i) {
    open_cache();
    TAC_OWN(tacScene, scene) = read_scene(files[i]);
    TAC_CREATE(tacScene, small, tac_scene_small(scene, &small, &error));
    tac_test_ok(tac_scene_bake(small, cache, false, NULL, NULL, &error), error);
    TAC_OWN(tacWorld, world) = world_of(small);
    tacToolInput inputs[TAC_MOST_TOOLS] = {0};
    tacToolOutput outputs[TAC_MOST_TOOLS];
    for (int t = 0; t < tac_world_tool_count(world); ++t) {
      inputs[t].orientation[0] = 1.0;
      inputs[t].lifted = true;
    }
    for (int tick = 0; tick < 50; ++tick) step_world(world, inputs, outputs);
    for (int t = 0; t < tac_world_tool_count(world); ++t) ck_assert(tac_vec3_norm(outputs[t].force) < 1e3);
    TAC_CREATE(tacScene, again, tac_scene_parse(tac_scene_text(small), tac_scene_path(small), &again, &error));
    ck_assert(tac_scene_is_small(again));
  }
}
