#include "scene/scene_pair.h"

#include "spec/text/scene_fields.h"

static void pair_defaults(void *record) {
  ((tacScenePair *)record)->def = tac_pair_def_default();
}

static tacStatus check_pair(const tacYamlTree *tree, void *record, tacError *error) {
  tacScenePair *pair = record;
  if (pair->levels > 0) pair->def.level_most = pair->levels - 1;
  const tacYamlNode *stiffness = tac_yaml_child(pair->node, "stiffness");
  double own = stiffness != NULL ? pair->def.stiffness : pair->live.stiffness.least; /* `least` passes the check */
  TAC_TRY(
      tac_scene_range_check(tree, &pair->live, "stiffness", pair->live.stiffness, "contact", own, stiffness, error));
  return tac_scene_range_check(tree, &pair->live, "friction", pair->live.friction, "contact", pair->def.friction,
                               tac_yaml_child(pair->node, "friction"), error);
}

#define LEAST_STIFFNESS 1e-3
#define MOST_STIFFNESS 1e7
#define MOST_FRICTION 10.0
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(STIFFNESS, LEAST_STIFFNESS, MOST_STIFFNESS)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, MOST_FRICTION)),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define PAIR(name, member, ...) \
  { .key = name, .offset = offsetof(tacScenePair, def) + offsetof(tacPairDef, member), __VA_ARGS__ }
static const tacField pair_fields[] = {
    TAC_FIELD(tacScenePair, points, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacScenePair, field, TAC_NAME, TAC_REQUIRED),
    PAIR("stiffness", stiffness, TAC_QUANTITY(STIFFNESS, LEAST_STIFFNESS, MOST_STIFFNESS)),
    PAIR("friction", friction, TAC_QUANTITY(NUMBER, 0.0, MOST_FRICTION)),
    PAIR("tangential", tangential, TAC_QUANTITY(NUMBER, 1e-3, 1e3)),
    PAIR("full_count", full_count, TAC_QUANTITY(NUMBER, 1.0, 1e6)),
    PAIR("ramp", ramp, TAC_LENGTH),
    PAIR("areas", area_weights, TAC_FLAG),
    TAC_FIELD(tacScenePair, method, TAC_CHOICE(TAC_SCENE_METHODS), TAC_GIVEN(tacScenePair, has_method)),
    PAIR("patch", laws.patch, TAC_COUNT(1, TAC_LAWS_MOST_PATCH), TAC_GIVEN(tacScenePair, has_patch)),
    PAIR("restitution", laws.restitution, TAC_QUANTITY(NUMBER, 0.0, 1.0), TAC_GIVEN(tacScenePair, has_restitution)),
    TAC_FIELD(tacScenePair, detect, TAC_CHOICE(TAC_SCENE_DETECTIONS), TAC_GIVEN(tacScenePair, has_detect)),
    TAC_FIELD(tacScenePair, levels, TAC_COUNT(1, TAC_POINTSHELL_MOST_LEVELS)),
    TAC_FIELD(tacScenePair, live, TAC_RECORD(ranges_record)),
};
const tacRecord tac_scene_pair_record = {TAC_TABLE("a contact", tacScenePair, pair_fields), .defaults = pair_defaults,
                                         .check = check_pair};
