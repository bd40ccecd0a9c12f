#include "app/viewer/state/view_scene.h"

#include "app/viewer/field/field_moment.h"
#include "app/viewer/frame/pose.h"
#include "app/viewer/protocol/protocol.h"
#include "app/viewer/stage/sketch.h"
#include "app/viewer/state/json_text.h"
#include "asset/pointshell.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "scene/scene_device.h"
#include "world/world.h"
#include "world/world_build.h"
#include "world/world_view.h"

static json_t *sensors_of(const tacWorld *world, tacBodyId id) {
  json_t *list = json_array();
  tacShownSensor sensor;
  for (int i = 0; tac_world_body_sensor(world, id, i, &sensor); ++i)
    json_array_append_new(
        list, json_pack("{s:o, s:s, s:s}", "name", tac_json_text(sensor.name != NULL ? sensor.name : ""), "kind",
                        sensor.quantity, "unit", sensor.unit));
  return list;
}

static json_t *vector(tacVec3 v) {
  return json_pack("[o, o, o]", tac_json_number(v.x), tac_json_number(v.y), tac_json_number(v.z));
}

static json_t *shell_of(const tacPointshell *shell) {
  if (shell == NULL) return json_null();
  json_t *sizes = json_array();
  for (int l = 0; l < tac_pointshell_level_count(shell); ++l)
    json_array_append_new(sizes, json_integer(tac_pointshell_size(shell, l)));
  return json_pack("{s:o, s:o}", "sizes", sizes, "area", tac_json_number(tac_pointshell_surface_area(shell)));
}

static json_t *field_of(const tacWorld *world, int body) {
  tacBox box;
  double voxel;
  if (!tac_field_moment_extent(world, body, &box, &voxel)) return json_null();
  bool deforms = tac_world_body_deformed_field(world, tac_world_body(world, body)) != NULL;
  return json_pack("{s:o, s:o, s:o, s:b}", "lower", vector(box.lower), "upper", vector(box.upper), "voxel",
                   tac_json_number(voxel), "deforms", deforms);
}

static json_t *colours_of(unsigned known) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{TAC_VIEW_REQUEST_SURFACES, "displacement"},
               {TAC_VIEW_REQUEST_STRESS, "stress"},
               {TAC_VIEW_REQUEST_STRETCH, "stretch"},
               {TAC_VIEW_REQUEST_PRESSURE, "pressure"}};
  json_t *list = json_array();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if ((known & names[i].bit) != 0) json_array_append_new(list, json_string(names[i].name));
  return list;
}

static json_t *numbers_of(const tacWorld *world, tacBodyId id) {
  json_t *list = json_array();
  tacShownNumber number;
  for (int i = 0; tac_world_body_number(world, id, i, &number); ++i)
    json_array_append_new(list, json_pack("{s:s, s:s}", "label", number.label, "unit", number.unit));
  return list;
}

/* What concerns contact between bodies. */
static void add_contact(const tacViewScene *scene, int index, json_t *body) {
  tacBodyId id = tac_world_body(scene->world, index);
  int holder = tac_view_holder(scene->world, index);
  json_object_set_new(body, "held", holder >= 0 ? json_integer(holder) : json_null());
  json_object_set_new(body, "shell", shell_of(tac_world_body_shell(scene->world, id)));
  json_object_set_new(body, "field", field_of(scene->world, index));
}

/* The loads that it knows its answer to, in the body's frame. */
static json_t *loads_of(const tacWorld *world, tacBodyId id) {
  tacKnownLoads loads;
  if (!tac_world_body_known_loads(world, id, &loads)) return json_null();
  return json_pack("{s:o, s:o}", "most", tac_json_number(loads.most), "direction",
                   tac_vec3_norm2(loads.direction) > 0.0 ? vector(loads.direction) : json_null());
}

static json_t *body_of(const tacViewScene *scene, int index) {
  tacBodyId id = tac_world_body(scene->world, index);
  tacShownBasis basis = {0};
  bool has_basis = tac_world_body_basis(scene->world, id, &basis);
  const tacTriMesh *mesh = tac_world_body_surface(scene->world, id);
  const char *name = tac_world_body_name(scene->world, id);
  const bool *is_fixed = tac_world_body_fixed(scene->world, id);
  int fixed = 0;
  for (int v = 0; v < mesh->vertex_count && is_fixed != NULL; ++v) fixed += is_fixed[v];
  double young = 0.0, poisson = 0.0;
  bool homogeneous = (has_basis || tac_world_body_has_tractions(scene->world, id)) &&
                     tac_scene_material(scene->scene, tac_scene_body_of(scene->scene, index), &young, &poisson);
  json_t *body =
      json_pack("{s:o, s:s, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:i, s:b, s:b}", "name", tac_json_text(name),
                "method", tac_world_body_method(scene->world, id), "vertices", mesh->vertex_count, "triangles",
                mesh->triangle_count, "fixed", fixed, "volume", scene->has_volume != NULL && scene->has_volume[index],
                "mask", tac_json_number(scene->masks != NULL ? scene->masks[index] : 0.0), "young",
                homogeneous ? tac_json_number(young) : json_null(), "poisson",
                homogeneous ? tac_json_number(poisson) : json_null(), "sensors", sensors_of(scene->world, id),
                "coordinates", basis.size, "free", basis.is_free, "sketch", tac_sketch_possible(scene->world, index));
  if (body == NULL) return NULL;
  json_object_set_new(body, "colours", colours_of(scene->colours != NULL ? scene->colours[index] : 0));
  json_object_set_new(body, "numbers", numbers_of(scene->world, id));
  json_object_set_new(body, "loads", loads_of(scene->world, id));
  json_object_set_new(body, "error_cause", tac_json_text(tac_world_body_error_cause(scene->world, id)));
  json_object_set_new(body, "remedy", tac_json_text(tac_world_body_remedy(scene->world, id)));
  json_object_set_new(body, "step", tac_json_number(tac_world_body_step(scene->world, id)));
  add_contact(scene, index, body);
  return body;
}

static json_t *pads_of(const tacWorld *world, int tool) {
  tacPadToolDef pads;
  if (!tac_world_tool_pads(world, tool, &pads)) return json_null();
  return json_pack("{s:o, s:o, s:o}", "radius", tac_json_number(pads.radius), "opening", tac_json_number(pads.opening),
                   "approach", vector(pads.approach));
}

static json_t *tool_of(const tacViewScene *scene, int tool) {
  const tacDeviceInfo *info = scene->devices != NULL ? &scene->devices[tool].info : NULL;
  tacVec3 grasp;
  tacBodyId held = tac_world_tool_body(scene->world, tool, &grasp);
  tacBodyId jaws[TAC_MOST_JAWS];
  tacVec3 pivot;
  bool trocar = tac_world_tool_trocar(scene->world, tool, &pivot);
  bool holds = tac_world_body_name(scene->world, held) != NULL;
  return json_pack(
      "{s:o, s:s, s:i, s:b, s:o, s:o, s:i, s:o, s:o, s:o, s:o}", "name",
      tac_json_text(tac_world_tool_name(scene->world, tool)), "device", tac_scene_device_kind(scene->scene, tool),
      "dof", info != NULL ? info->dof : 3, "pointer", scene->takes_pointer != NULL && scene->takes_pointer[tool],
      "force_limit", tac_json_number(info != NULL ? info->force_limit : 0.0), "body",
      holds ? json_integer(held.index) : json_null(), "jaws", tac_world_tool_jaws(scene->world, tool, jaws), "trocar",
      trocar ? vector(pivot) : json_null(), "grasp", holds ? vector(grasp) : json_null(), "pads",
      pads_of(scene->world, tool), "radius", tac_json_number(tac_world_tool_radius(scene->world, tool)));
}

static json_t *pairs_of(const tacWorld *world) {
  json_t *list = json_array();
  for (int p = 0; p < tac_world_pair_count(world); ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    json_array_append_new(
        list, json_pack("{s:i, s:i, s:o, s:o}", "points", (int)pair.points.index, "field", (int)pair.field.index,
                        "stiffness", tac_json_number(pair.stiffness), "friction", tac_json_number(pair.friction)));
  }
  return list;
}

static json_t *floor_of(const tacWorld *world) {
  tacFloorDef floor;
  if (!tac_world_floor(world, &floor)) return json_null();
  return json_pack("{s:o, s:o}", "normal", vector(floor.normal), "offset", tac_json_number(floor.offset));
}

json_t *tac_view_scene_json(const tacViewScene *scene) {
  json_t *bodies = json_array(), *tools = json_array();
  for (int b = 0; b < tac_world_body_count(scene->world); ++b) json_array_append_new(bodies, body_of(scene, b));
  for (int t = 0; t < tac_world_tool_count(scene->world); ++t) json_array_append_new(tools, tool_of(scene, t));
  return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "file", tac_json_text(scene->file),
                   "name", tac_json_text(tac_scene_name(scene->scene)), "about",
                   tac_json_text(tac_scene_about(scene->scene)), "rate",
                   tac_json_number(1.0 / tac_world_period(scene->world)), "simulate_every",
                   tac_world_simulate_every(scene->world), "centre", vector(tac_box_centre(scene->box)), "radius",
                   tac_json_number(0.5 * tac_vec3_norm(tac_box_size(scene->box))), "floor", floor_of(scene->world),
                   "bodies", bodies, "tools", tools, "pairs", pairs_of(scene->world));
}
