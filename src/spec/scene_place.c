#include "spec/scene_place.h"

#include "math/geometry/vec3.h"
#include "spec/text/scene_fields.h"

/* Rotations */

static tacStatus check_rotation(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneRotation *rotation = record;
  if (tac_vec3_norm2(rotation->axis) > 0.0) return TAC_OK;
  return tac_yaml_error(tree, rotation->node, TAC_ERR_FORMAT, error, "the axis is zero; write it like axis: [0, 0, 1]");
}

static const tacField rotation_fields[] = {
    TAC_FIELD(tacSceneRotation, axis, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_NUMBER, .count = 3,
              TAC_REQUIRED),
    TAC_FIELD(tacSceneRotation, angle, TAC_QUANTITY(ANGLE, -100.0, 100.0), TAC_REQUIRED),
};
const tacRecord tac_scene_rotation_record = {TAC_TABLE("a rotation", tacSceneRotation, rotation_fields),
                                             .check = check_rotation};

tacStatus tac_scene_normal_check(const tacYamlTree *tree, const tacYamlNode *node, tacSceneNormal *normal,
                                 tacError *error) {
  if (!normal->has_vector) normal->vector = tac_vec3(normal->axis == 0, normal->axis == 1, normal->axis == 2);
  if (!(tac_vec3_norm2(normal->vector) > 0.0))
    return tac_yaml_error(tree, tac_yaml_child(node, "normal"), TAC_ERR_FORMAT, error,
                          "the normal is zero; write it like normal: z or normal: [0, 0, 1]");
  normal->vector = tac_vec3_unit(normal->vector);
  return TAC_OK;
}

/* Regions */

static const tacField plane_fields[] = {
    TAC_FIELD(tacScenePlane, axis, TAC_CHOICE("x|y|z"), TAC_REQUIRED),
    TAC_FIELD(tacScenePlane, at, TAC_QUANTITY(LENGTH, -TAC_LARGEST, TAC_LARGEST), TAC_REQUIRED),
};
static const tacRecord plane_record = {TAC_TABLE("a half-space", tacScenePlane, plane_fields)};

static tacStatus check_box(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBox *box = record;
  if (box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z) return TAC_OK;
  return tac_yaml_error(tree, box->node, TAC_ERR_FORMAT, error,
                        "the box is empty: lower exceeds upper in some "
                        "coordinate; exchange the two values");
}

static const tacField box_fields[] = {
    TAC_FIELD(tacSceneBox, lower, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneBox, upper, TAC_POINT, TAC_REQUIRED),
};
const tacRecord tac_scene_box_record = {TAC_TABLE("a box", tacSceneBox, box_fields), .check = check_box};

static const tacField ball_fields[] = {
    TAC_FIELD(tacSceneBall, centre, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneBall, radius, TAC_LENGTH, TAC_REQUIRED),
};
const tacRecord tac_scene_ball_record = {TAC_TABLE("a sphere", tacSceneBall, ball_fields)};

static const tacField region_fields[] = {
    TAC_FIELD(tacSceneRegion, below, TAC_RECORD(plane_record), TAC_GIVEN(tacSceneRegion, has_below)),
    TAC_FIELD(tacSceneRegion, above, TAC_RECORD(plane_record), TAC_GIVEN(tacSceneRegion, has_above)),
    TAC_FIELD(tacSceneRegion, box, TAC_RECORD(tac_scene_box_record), TAC_GIVEN(tacSceneRegion, has_box)),
    TAC_FIELD(tacSceneRegion, sphere, TAC_RECORD(tac_scene_ball_record), TAC_GIVEN(tacSceneRegion, has_sphere)),
    TAC_FIELD(tacSceneRegion, group, TAC_TEXT),
};
const tacRecord tac_scene_region_record = {TAC_TABLE("a region", tacSceneRegion, region_fields), .exactly_one = true};
