#include "kinds/green/corotational_scene.h"

#include "kinds/green/green_scene.h"
#include "kinds/green/green_words.h"

/* Keys */

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = tac_scene_body_check_elements(tree, b, error);
  if (status == TAC_OK) status = tac_scene_body_check_materials(tree, b, error);
  if (status == TAC_OK) status = tac_green_scene_check_live(tree, b, error);
  return status == TAC_OK ? tac_scene_body_check_motion(tree, b, b->free, "write free: true", error) : status;
}

static void defaults(tacSceneBody *body) {
  tacGreenKeys *keys = tac_scene_own(body);
  tac_green_scene_defaults(body);
  keys->method = TAC_FINITE_ELEMENTS;
  keys->storage = TAC_GREEN_WHOLE;
}

static const tacField fields[] = {
    TAC_KEYS_OF_MESHES,
    TAC_KEYS_OF_MATERIALS,
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record)),
    TAC_GREEN_OWN(sensors, TAC_LIST(tac_green_scene_sensor)),
    TAC_KEY(free, TAC_FLAG),
    TAC_GREEN_OWN(mask, TAC_LENGTH, .words = "single"),
    TAC_GREEN_KEYS_OF_TOUCH,
    TAC_KEY(contact, TAC_RECORD(tac_scene_contact_record)),
    TAC_KEY(live, TAC_RECORD(tac_green_scene_ranges)),
    TAC_KEYS_OF_MOTION,
    TAC_KEY(points, TAC_RECORD(tac_scene_points_record)),
    TAC_KEY(field, TAC_RECORD(tac_scene_field_record)),
};

/* In words */

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "corotational, %s, of %s", b->free ? "free" : "at rest", source);
  tac_scene_say(to, "", "%s",
                b->fixed.count > 0 ? "deforms from vertices that are fixed to its frame"
                                   : "deforms about its centre of mass, by inertia relief");
  tac_green_scene_describe(to, b);
}

static const tacSceneKind scene = {.fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = defaults,
                                   .check = check,
                                   .touch = tac_green_scene_touch,
                                   .finger = tac_green_scene_finger,
                                   .appetite = tac_green_scene_appetite,
                                   .relaxes = true,
                                   .linear = true,
                                   .assets = 1,
                                   .bake = tac_green_scene_bake,
                                   .made = tac_green_scene_made,
                                   .add = tac_green_scene_add,
                                   .describe = describe,
                                   .describe_asset = tac_green_words_asset,
                                   .checks = tac_green_scene_checks};

const tacBodyKind tac_corotational_row = {.version = TAC_BODY_KIND_VERSION,
                                          .name = "corotational",
                                          .summary = "elastostatic in a frame that moves",
                                          .shown = TAC_SHOWN_VERTICES,
                                          .scene = &scene};
