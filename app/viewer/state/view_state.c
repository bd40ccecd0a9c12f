#include "app/viewer/state/view_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/viewer/protocol/protocol.h"
#include "app/viewer/state/json_text.h"
#include "base/files/input_file.h"

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
    json_array_append_new(scenes, json_pack("{s:o, s:o, s:o, s:b, s:o}", "file", tac_json_text(scene->file), "name",
                                            tac_json_text(scene->name), "about", tac_json_text(scene->about), "picture",
                                            scene->picture, "error", tac_json_text_or_null(scene->fault)));
  }
  return dump(json_pack("{s:o, s:i, s:f, s:o}", "program", tac_json_text(program), "protocol", TAC_VIEW_PROTOCOL,
                        "display_rate", display_rate, "scenes", scenes));
}

char *tac_view_state_held(int tool, int leader, const char *name) {
  char line[200];
  snprintf(line, sizeof line, "Another page holds %.100s. You can watch, or take over.", name);
  return dump(
      json_pack("{s:s, s:o, s:i, s:i}", "kind", "held", "text", tac_json_text(line), "tool", tool, "client", leader));
}

char *tac_view_state_notice(bool is_error, const char *line) {
  return dump(json_pack("{s:s, s:o}", "kind", is_error ? "error" : "info", "text", tac_json_text(line)));
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
      json_array_append_new(list, json_pack("{s:I, s:o}", "line", (json_int_t)now, "text", tac_json_text(start)));
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
  return json_pack("{s:o, s:o, s:o, s:o}", "text", tac_json_text(line), "file", tac_json_text_or_null(path), "line",
                   where > 0 ? json_integer(where) : json_null(), "excerpt",
                   where > 0 ? excerpt_of(path, where) : json_array());
}

/* ---- the whole ---- */

static json_t *parameters_of(const tacViewState *state) {
  json_t *list = json_array();
  for (int i = 0; i < state->parameter_count; ++i) {
    const tacViewParameter *p = &state->parameters[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "name", tac_json_text(p->name), "label",
                        tac_json_text(p->label), "unit", tac_json_text(p->unit), "least", tac_json_number(p->least),
                        "most", tac_json_number(p->most), "start", tac_json_number(p->start), "value",
                        tac_json_number(p->value), "rebuilds", p->rebuilds));
  }
  return list;
}

static json_t *hands_of(const tacViewState *state) {
  json_t *list = json_array();
  for (int t = 0; t < state->hand_count; ++t)
    json_array_append_new(list,
                          json_pack("{s:i, s:i}", "leader", state->hands[t].leader, "page", state->hands[t].page));
  return list;
}

static json_t *recordings_of(const tacViewState *state) {
  json_t *list = json_array();
  for (int i = 0; i < state->recording_count; ++i)
    json_array_append_new(list, json_pack("{s:o, s:o}", "file", tac_json_text(state->recordings[i].file), "seconds",
                                          tac_json_number(state->recordings[i].seconds)));
  return list;
}

bool tac_view_state_lists(const tacViewState *state, const char *file) {
  for (int i = 0; i < state->recording_count; ++i)
    if (strcmp(state->recordings[i].file, file) == 0) return true;
  return false;
}

static json_t *sketch_of(const tacViewState *state) {
  return state->sketch.active ? json_pack("{s:i}", "body", state->sketch.body) : json_null();
}

static json_t *sketched_of(const tacViewState *state) {
  const tacSketch *sketch = &state->sketch;
  if (sketch->done[0] == 0 || state->phase != TAC_VIEW_RUNNING) return json_null();
  return json_pack("{s:i, s:o, s:o}", "body", sketch->body, "file", tac_json_text(sketch->done), "basis",
                   tac_json_text(state->sketch_advice));
}

static json_t *progress_of(const tacLoadingMoment *loading) {
  if (loading->what[0] == 0) return json_null();
  return json_pack("{s:o, s:o, s:o, s:o}", "scene", tac_json_text(loading->scene), "what", tac_json_text(loading->what),
                   "fraction", tac_json_number(loading->fraction), "remaining", tac_json_number(loading->remaining));
}

static json_t *small_of(const tacViewState *state) {
  const tacWholeBakeMoment *whole = &state->whole;
  if (!state->is_small) return json_null();
  return json_pack("{s:o, s:o, s:b, s:o}", "fraction", tac_json_number(whole->fraction), "remaining",
                   tac_json_number(whole->remaining), "ready", whole->ready, "fault", tac_json_text(whole->fault));
}

char *tac_view_state_text(const tacViewState *state) {
  static const char *const phases[] = {"gallery", "loading", "running", "replaying", "failed"};
  json_t *recording =
      state->recording[0] != 0 ? json_pack("{s:o}", "file", tac_json_text(state->recording)) : json_null();
  json_t *replay = state->replay[0] != 0 ? json_pack("{s:o, s:o, s:o}", "file", tac_json_text(state->replay),
                                                     "duration", tac_json_number(state->replay_duration), "speed",
                                                     tac_json_number(state->replay_speed))
                                         : json_null();
  json_t *servo = state->scene != NULL ? json_pack("{s:o, s:o, s:o, s:b}", "rate", tac_json_number(state->rate),
                                                   "remark", tac_json_text(state->remark), "fault",
                                                   tac_json_text(state->fault), "stalled", state->stalled)
                                       : json_null();
  return dump(
      json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                "phase", phases[state->phase], "scene", state->scene != NULL ? json_incref(state->scene) : json_null(),
                "busy", tac_json_text_or_null(state->busy), "progress", progress_of(&state->loading), "small",
                small_of(state), "error", error_of(state), "hands", hands_of(state), "paused", state->paused, "changed",
                state->changed, "follow", state->follow, "speed", tac_json_number(state->speed), "demo", state->demo,
                "recording", recording, "sketch", sketch_of(state), "sketched", sketched_of(state), "replay", replay,
                "recordings", recordings_of(state), "parameters", parameters_of(state), "servo", servo));
}
