#include "app/viewer/view_state.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/viewer/field_moment.h"
#include "app/viewer/pose.h"
#include "app/viewer/protocol.h"
#include "base/input_file.h"
#include "math/vec3.h"

/* Paths and names may hold any bytes; JSON must be UTF-8. */
static json_t *text(const char *string) {
  json_t *made = json_string(string);
  if (made != NULL) return made;
  size_t length = strlen(string);
  char *clean = malloc(length + 1);
  if (clean == NULL) return NULL;
  for (size_t i = 0; i <= length; ++i) clean[i] = (unsigned char)string[i] < 128 ? string[i] : '?';
  made = json_string(clean);
  free(clean);
  return made;
}

static json_t *number(double value) {
  return json_real(isfinite(value) ? value : 0.0);
}

static json_t *text_or_null(const char *string) {
  return string != NULL && string[0] != 0 ? text(string) : json_null();
}

/* The bytes of a complete object, whose reference it takes. */
static char *dump(json_t *object) {
  char *made = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
  json_decref(object);
  return made;
}

char *tac_view_state_welcome(const tacGallery *gallery, const char *program, double display_rate) {
  json_t *scenes = json_array();
  for (int i = 0; i < gallery->count; ++i) {
    const tacGalleryScene *scene = &gallery->scenes[i];
    json_array_append_new(
        scenes, json_pack("{s:o, s:o, s:o, s:b, s:o}", "file", text(scene->file), "name", text(scene->name), "about",
                          text(scene->about), "picture", scene->picture, "error", text_or_null(scene->fault)));
  }
  return dump(json_pack("{s:o, s:i, s:f, s:o}", "program", text(program), "protocol", TAC_VIEW_PROTOCOL, "display_rate",
                        display_rate, "scenes", scenes));
}

char *tac_view_state_notice(bool is_error, const char *line) {
  return dump(json_pack("{s:s, s:o}", "kind", is_error ? "error" : "info", "text", text(line)));
}

/* ---- the scene ---- */

static json_t *sensors_of(const tacGreen *green) {
  json_t *list = json_array();
  if (green == NULL) return list;
  for (int i = 0; i < tac_green_sensor_count(green); ++i) {
    const tacSensor *sensor = tac_green_sensor(green, i);
    bool stress = sensor->kind == TAC_SENSOR_STRESS;
    json_array_append_new(list, json_pack("{s:o, s:s, s:s}", "name", text(sensor->name != NULL ? sensor->name : ""),
                                          "kind", stress ? "stress" : "displacement", "unit", stress ? "Pa" : "m"));
  }
  return list;
}

static const char *method_of(const tacWorld *world, tacBodyId id) {
  const tacGreen *green = tac_world_body_green(world, id);
  if (green == NULL) return tac_world_body_kind_name(world, id);
  return tac_green_method(green) == TAC_GREEN_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements";
}

static json_t *vector(tacVec3 v) {
  return json_pack("[o, o, o]", number(v.x), number(v.y), number(v.z));
}

static json_t *shell_of(const tacPointshell *shell) {
  if (shell == NULL) return json_null();
  json_t *sizes = json_array();
  for (int l = 0; l < tac_pointshell_level_count(shell); ++l)
    json_array_append_new(sizes, json_integer(tac_pointshell_size(shell, l)));
  return json_pack("{s:o, s:o}", "sizes", sizes, "area", number(tac_pointshell_surface_area(shell)));
}

static json_t *field_of(const tacWorld *world, int body) {
  tacBox box;
  double voxel;
  if (!tac_field_moment_extent(world, body, &box, &voxel)) return json_null();
  bool deforms = tac_world_body_deformed_field(world, tac_world_body(world, body)) != NULL;
  return json_pack("{s:o, s:o, s:o, s:b}", "lower", vector(box.lower), "upper", vector(box.upper), "voxel",
                   number(voxel), "deforms", deforms);
}

static json_t *colours_of(unsigned known) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{TAC_VIEW_WISH_SURFACES, "displacement"},
               {TAC_VIEW_WISH_STRESS, "stress"},
               {TAC_VIEW_WISH_STRETCH, "stretch"},
               {TAC_VIEW_WISH_PRESSURE, "pressure"}};
  json_t *list = json_array();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if ((known & names[i].bit) != 0) json_array_append_new(list, json_string(names[i].name));
  return list;
}

static json_t *told_of(const tacWorld *world, tacBodyId id) {
  json_t *list = json_array();
  tacShownNumber number;
  for (int i = 0; tac_world_body_number(world, id, i, &number); ++i)
    json_array_append_new(list, json_pack("{s:s, s:s}", "label", number.label, "unit", number.unit));
  return list;
}

/* What concerns contact between bodies. */
static void add_contact(const tacViewState *state, int index, json_t *body) {
  tacBodyId id = tac_world_body(state->world, index);
  int holder = tac_view_holder(state->world, index);
  json_object_set_new(body, "held", holder >= 0 ? json_integer(holder) : json_null());
  json_object_set_new(body, "shell", shell_of(tac_world_body_shell(state->world, id)));
  json_object_set_new(body, "field", field_of(state->world, index));
}

/* The loads that its vademecum was baked for, in the body's frame. */
static json_t *loads_of(const tacVademecum *vademecum) {
  if (vademecum == NULL) return json_null();
  tacVec3 direction = tac_vademecum_load_direction(vademecum);
  return json_pack("{s:o, s:o}", "most", number(tac_vademecum_load_most(vademecum)), "direction",
                   tac_vec3_norm2(direction) > 0.0 ? vector(direction) : json_null());
}

static json_t *body_of(const tacViewState *state, int index) {
  tacBodyId id = tac_world_body(state->world, index);
  const tacGreen *green = tac_world_body_green(state->world, id);
  const tacReduced *reduced = tac_world_body_reduced(state->world, id);
  const tacTriMesh *mesh = tac_world_body_surface(state->world, id);
  const char *name = tac_world_body_name(state->world, id);
  const bool *is_fixed = tac_world_body_fixed(state->world, id);
  int fixed = 0;
  for (int v = 0; v < mesh->vertex_count && is_fixed != NULL; ++v) fixed += is_fixed[v];
  double young = 0.0, poisson = 0.0;
  bool homogeneous = (green != NULL || reduced != NULL) &&
                     tac_scene_material(state->scene, tac_scene_body_of(state->scene, index), &young, &poisson);
  json_t *body =
      json_pack("{s:o, s:s, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:i, s:b, s:b}", "name", text(name), "method",
                method_of(state->world, id), "vertices", mesh->vertex_count, "triangles", mesh->triangle_count, "fixed",
                fixed, "volume", state->has_volume != NULL && state->has_volume[index], "mask",
                number(state->masks != NULL ? state->masks[index] : 0.0), "young",
                homogeneous ? number(young) : json_null(), "poisson", homogeneous ? number(poisson) : json_null(),
                "sensors", sensors_of(green), "coordinates", reduced != NULL ? tac_reduced_size(reduced) : 0, "free",
                reduced != NULL && tac_reduced_is_free(reduced), "sketch", tac_sketch_possible(state->world, index));
  if (body == NULL) return NULL;
  json_object_set_new(body, "colours", colours_of(state->colours != NULL ? state->colours[index] : 0));
  json_object_set_new(body, "told", told_of(state->world, id));
  json_object_set_new(body, "loads", loads_of(tac_world_body_vademecum(state->world, id)));
  json_object_set_new(body, "doubted", text(tac_world_body_doubted(state->world, id)));
  json_object_set_new(body, "remedy", text(tac_world_body_remedy(state->world, id)));
  json_object_set_new(body, "step", number(tac_world_body_step(state->world, id)));
  add_contact(state, index, body);
  return body;
}

static json_t *pads_of(const tacWorld *world, int tool) {
  tacPadToolDef pads;
  if (!tac_world_tool_pads(world, tool, &pads)) return json_null();
  return json_pack("{s:o, s:o, s:o}", "radius", number(pads.radius), "opening", number(pads.opening), "approach",
                   vector(pads.approach));
}

static json_t *tool_of(const tacViewState *state, int tool) {
  const tacDeviceInfo *info = state->devices != NULL ? &state->devices[tool].info : NULL;
  tacBodyId held = tac_world_tool_body(state->world, tool);
  tacBodyId jaws[TAC_MOST_JAWS];
  tacVec3 pivot;
  bool trocar = tac_world_tool_trocar(state->world, tool, &pivot);
  bool holds = tac_world_body_name(state->world, held) != NULL;
  return json_pack(
      "{s:o, s:s, s:i, s:b, s:o, s:o, s:i, s:o, s:o, s:o}", "name", text(tac_world_tool_name(state->world, tool)),
      "device", tac_scene_device_kind(state->scene, tool), "dof", info != NULL ? info->dof : 3, "pointer",
      state->takes_pointer != NULL && state->takes_pointer[tool], "force_limit",
      number(info != NULL ? info->force_limit : 0.0), "body", holds ? json_integer(held.index) : json_null(), "jaws",
      tac_world_tool_jaws(state->world, tool, jaws), "trocar", trocar ? vector(pivot) : json_null(), "grasp",
      holds ? vector(tac_world_tool_grasp(state->world, tool)) : json_null(), "pads", pads_of(state->world, tool));
}

static json_t *pairs_of(const tacWorld *world) {
  json_t *list = json_array();
  for (int p = 0; p < tac_world_pair_count(world); ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    json_array_append_new(
        list, json_pack("{s:i, s:i, s:o, s:o}", "points", (int)pair.points.index, "field", (int)pair.field.index,
                        "stiffness", number(pair.stiffness), "friction", number(pair.friction)));
  }
  return list;
}

static json_t *floor_of(const tacWorld *world) {
  tacFloorDef floor;
  if (!tac_world_floor(world, &floor)) return json_null();
  return json_pack("{s:o, s:o}", "normal", vector(floor.normal), "offset", number(floor.offset));
}

static json_t *scene_of(const tacViewState *state) {
  if (state->scene == NULL || state->world == NULL) return json_null();
  json_t *bodies = json_array(), *tools = json_array();
  for (int b = 0; b < tac_world_body_count(state->world); ++b) json_array_append_new(bodies, body_of(state, b));
  for (int t = 0; t < tac_world_tool_count(state->world); ++t) json_array_append_new(tools, tool_of(state, t));
  return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "file", text(state->file), "name",
                   text(tac_scene_name(state->scene)), "about", text(tac_scene_about(state->scene)), "rate",
                   number(1.0 / tac_world_period(state->world)), "simulate_every",
                   tac_world_simulate_every(state->world), "centre", vector(tac_box_centre(state->box)), "radius",
                   number(0.5 * tac_vec3_norm(tac_box_size(state->box))), "floor", floor_of(state->world), "bodies",
                   bodies, "tools", tools, "pairs", pairs_of(state->world));
}

/* ---- errors ---- */

/* The lines around one of a file, as far as there are any. */
static json_t *excerpt_of(const char *path, long line) {
  json_t *list = json_array();
  tacInputFile file;
  char start[400]; /* of a line */
  if (tac_input_file_read(path, TAC_INPUT_ANY, &file, NULL) != TAC_OK) return list;
  const char *at = (const char *)file.bytes;
  for (long now = 1; now <= line + 3 && *at != 0; ++now) {
    size_t length = strcspn(at, "\n");
    snprintf(start, sizeof start, "%.*s", (int)length, at);
    if (now >= line - 3)
      json_array_append_new(list, json_pack("{s:I, s:o}", "line", (json_int_t)now, "text", text(start)));
    at += length + (at[length] == '\n');
  }
  tac_input_file_free(&file);
  return list;
}

/* "scenes/kidney.yaml:14: bodies[0]...: unknown key" names a file and a line; other errors do not. */
static json_t *error_of(const tacViewState *state) {
  if (state->phase != TAC_VIEW_FAILED) return json_null();
  const char *line = state->error.text;
  char path[TAC_ERROR_TEXT_SIZE] = "";
  long where = 0;
  for (const char *colon = strchr(line, ':'); colon != NULL && where == 0; colon = strchr(colon + 1, ':')) {
    char *end;
    long read = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':' || read < 1) continue;
    snprintf(path, sizeof path, "%.*s", (int)(colon - line), line);
    where = read;
  }
  return json_pack("{s:o, s:o, s:o, s:o}", "text", text(line), "file", text_or_null(path), "line",
                   where > 0 ? json_integer(where) : json_null(), "excerpt",
                   where > 0 ? excerpt_of(path, where) : json_array());
}

/* ---- the whole ---- */

static json_t *parameters_of(const tacViewState *state) {
  json_t *list = json_array();
  for (int i = 0; i < state->parameter_count; ++i) {
    const tacViewParameter *p = &state->parameters[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "name", text(p->name), "label", text(p->label),
                        "unit", text(p->unit), "least", number(p->least), "most", number(p->most), "start",
                        number(p->start), "value", number(p->value), "rebuilds", p->rebuilds));
  }
  return list;
}

static json_t *recordings_of(const tacViewState *state) {
  json_t *list = json_array();
  for (int i = 0; i < state->recording_count; ++i)
    json_array_append_new(list, json_pack("{s:o, s:o}", "file", text(state->recordings[i].file), "seconds",
                                          number(state->recordings[i].seconds)));
  return list;
}

static json_t *sketch_of(const tacViewState *state) {
  return state->sketch.active ? json_pack("{s:i}", "body", state->sketch.body) : json_null();
}

static json_t *sketched_of(const tacViewState *state) {
  const tacSketch *sketch = &state->sketch;
  char advice[1400];
  if (sketch->done[0] == 0 || state->phase != TAC_VIEW_RUNNING || state->world == NULL) return json_null();
  const tacReduced *reduced = tac_world_body_reduced(state->world, tac_world_body(state->world, sketch->body));
  tac_sketch_advice(sketch, tac_scene_path(state->scene), tac_reduced_size(reduced), advice, sizeof advice);
  return json_pack("{s:i, s:o, s:o}", "body", sketch->body, "file", text(sketch->done), "basis", text(advice));
}

char *tac_view_state_text(const tacViewState *state) {
  static const char *const phases[] = {"gallery", "loading", "running", "replaying", "failed"};
  const tacLoadingMoment *loading = &state->loading;
  json_t *progress = loading->what[0] != 0
                         ? json_pack("{s:o, s:o, s:o, s:o}", "scene", text(loading->scene), "what", text(loading->what),
                                     "fraction", number(loading->fraction), "remaining", number(loading->remaining))
                         : json_null();
  json_t *recording = state->recording[0] != 0 ? json_pack("{s:o}", "file", text(state->recording)) : json_null();
  json_t *replay = state->replay[0] != 0
                       ? json_pack("{s:o, s:o, s:o}", "file", text(state->replay), "duration",
                                   number(state->replay_duration), "speed", number(state->replay_speed))
                       : json_null();
  json_t *servo = state->world != NULL
                      ? json_pack("{s:o, s:o, s:o}", "rate", number(1.0 / tac_world_period(state->world)), "remark",
                                  text(state->remark), "fault", text(state->fault))
                      : json_null();
  return dump(json_pack("{s:s, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "phase",
                        phases[state->phase], "scene", scene_of(state), "progress", progress, "error", error_of(state),
                        "paused", state->paused, "demo", state->demo, "recording", recording, "sketch",
                        sketch_of(state), "sketched", sketched_of(state), "replay", replay, "recordings",
                        recordings_of(state), "parameters", parameters_of(state), "servo", servo));
}
