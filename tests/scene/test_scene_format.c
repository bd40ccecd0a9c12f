/* Scenes that the first versions of format 1 wrote: accepted, or refused with file, line, key and remedy. */
#include "scene/scene_text.h"

#define FIRST(name) TACTUS_SCENES "/../tests/scene/format_1/" name ".yaml"

TAC_TEST(first_scenes_of_format_1_are_accepted) {
  static const char *const paths[] = {FIRST("kidney"), FIRST("spoon")}, *const bodies[] = {"kidney", "spoon"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    TAC_OWN(tacScene, scene) = tac_test_made(tacScene *, tac_scene_read(paths[i], &made, &error));
    ck_assert_str_eq(tac_scene_name(scene), bodies[i]);
    ck_assert_str_eq(tac_scene_body_name(scene, 0), bodies[i]);
    ck_assert_str_eq(tac_scene_tool_name(scene, 0), "finger");
    ck_assert_double_eq(tac_scene_duration(scene), 20.0);
  }
}

TAC_TEST(removed_key_of_format_1_is_refused_with_its_remedy) {
  tacScene *scene = NULL;
  error = (tacError){0};
  ck_assert_int_eq(tac_scene_read(FIRST("hoses"), &scene, &error), TAC_ERR_FORMAT);
  ck_assert_ptr_null(scene);
  check_text(error.text,
             FIRST("hoses") ":40: tools[0].coupling.joint: this key was removed; leave it out: a held body and what it "
                            "touches are always solved together",
             WHOLE);
}

TAC_TEST(scene_without_the_removed_key_is_accepted) {
  FILE *file = fopen(FIRST("hoses"), "r");
  ck_assert_ptr_nonnull(file);
  char text[8192] = "";
  ck_assert_uint_lt(fread(text, 1, sizeof text - 1, file), sizeof text - 1);
  fclose(file);
  TAC_OWN(tacScene, scene) = parse(edited(text, ", joint: true", ""), "hoses.yaml");
  ck_assert_str_eq(tac_scene_tool_name(scene, 0), "hand");
}
