#include "kinds/reduced/basis/load_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/recording.h>
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/quat.h"
#include "mesh/text/table_line.h"
#include "record/recording.h"
#include "record/recording_file.h"
#include "spec/body_copy.h"
#include "spec/text/scene_fields.h"

TAC_OWNED_TYPE(tacRecording, tac_recording_close)

typedef struct {
  tacLoadSample *items;
  size_t count, room;
} Loads;

static tacStatus add(Loads *loads, tacLoadSample sample, tacError *error) {
  if (loads->count == INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the file has more than %d samples; give "
                         "fewer",
                         INT_MAX);
  TAC_TRY(
      tac_array_reserve((void **)&loads->items, &loads->room, loads->count + 1, sizeof *loads->items, "loads", error));
  loads->items[loads->count++] = sample;
  return TAC_OK;
}

/* Returns the number of successive samples, from `first` on, with the same time as `first`. */
static size_t same_time(const Loads *loads, size_t first) {
  size_t end = first + 1;
  while (end < loads->count && loads->items[end].time == loads->items[first].time) ++end;
  return end - first;
}

static bool has_force(const Loads *loads, size_t first, size_t count) {
  bool any = false;
  for (size_t i = first; i < first + count; ++i) any = any || tac_vec3_norm2(loads->items[i].force) > 0.0;
  return any;
}

/* Keeps every n-th time, and all times without a force. */
static void thin(Loads *loads) {
  size_t times = 0, kept = 0, number = 0;
  for (size_t i = 0; i < loads->count; i += same_time(loads, i)) ++times;
  size_t step = (times + TAC_LOAD_FILE_MOST - 1) / TAC_LOAD_FILE_MOST;
  for (size_t i = 0, count; i < loads->count; i += count, ++number) {
    count = same_time(loads, i);
    if (number % step != 0 && has_force(loads, i, count)) continue;
    memmove(loads->items + kept, loads->items + i, count * sizeof *loads->items);
    kept += count;
  }
  loads->count = kept;
}

/* Text files */

static const char columns[] = "time, x, y, z, fx, fy, fz [, radius]";

static tacStatus read_header(tacScanner *s, int *count) {
  static const char *const names[] = {"time", "x", "y", "z", "fx", "fy", "fz", "radius"};
  tacTableLine line;
  TAC_TRY(tac_table_line_read(s, &line));
  s->token = (const unsigned char *)line.columns[0].text; /* errors name this line, not the next one */
  *count = line.count;
  tacTableLine known = line;
  known.count = line.count < 8 ? line.count : 8;
  TAC_TRY(tac_table_line_check_head(s, &known, names));
  if (line.count == 7 || line.count == 8) return TAC_OK;
  return tac_scanner_fail(s, TAC_ERR_FORMAT, "the first line has %d columns; it must have 7 or 8: %s", line.count,
                          columns);
}

static tacStatus read_row(tacScanner *s, int count, double radius, Loads *loads) {
  static const char *const names[] = {"the time, s", "x, m",  "y, m",  "z, m",
                                      "fx, N",       "fy, N", "fz, N", "the radius, m"};
  double v[8] = {[7] = radius};
  tacTableLine line;
  TAC_TRY(tac_table_line_read(s, &line));
  s->token = (const unsigned char *)line.columns[0].text;
  if (line.count != count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "this line has %d columns, but the first line has %d", line.count,
                            count);
  for (int i = 0; i < count; ++i) {
    TAC_TRY(tac_table_line_double(s, &line, i, names[i], &v[i]));
    if (!(fabs(v[i]) <= 1e9)) return tac_scanner_fail(s, TAC_ERR_FORMAT, "%g is too large for %s", v[i], names[i]);
  }
  if (v[7] < 0.0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "the radius is %g m; it must be 0 or more", v[7]);
  if (loads->count > 0 && v[0] < loads->items[loads->count - 1].time)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "time %g s follows time %g s; times must not decrease", v[0],
                            loads->items[loads->count - 1].time);
  tacLoadSample sample = {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}, v[7]};
  return add(loads, sample, s->error);
}

static tacStatus read_text(tacScanner *s, double radius, Loads *loads) {
  int count = 0;
  if (!tac_scanner_at_end(s)) TAC_TRY(read_header(s, &count));
  while (!tac_scanner_at_end(s)) TAC_TRY(read_row(s, count, radius, loads));
  return TAC_OK;
}

static void free_loads(Loads *loads) {
  free(loads->items);
}

static tacStatus finish(const char *name, Loads *found, int *count, tacLoadSample **loads, tacError *error) {
  if (!has_force(found, 0, found->count))
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%.300s: the file contains no force; give at least one load that is "
                         "not zero",
                         name);
  thin(found);
  *count = (int)found->count;
  *loads = tac_give(&found->items);
  return TAC_OK;
}

tacStatus tac_load_file_parse(const char *name, const unsigned char *bytes, size_t size, double radius, int *count,
                              tacLoadSample **loads, tacError *error) {
  *count = 0;
  *loads = NULL;
  TAC_FREED(free_loads, Loads, found) = {0};
  tacScanner scanner = tac_scanner_begin(name, bytes, size, error);
  scanner.comment = '#';
  scanner.by_line = true;
  TAC_TRY(read_text(&scanner, radius, &found));
  return finish(name, &found, count, loads, error);
}

/* Recordings */

/* Scene keys for the poses of bodies. The reader ignores all other keys. */
typedef struct {
  const tacYamlNode *node;
  tacSchemaList bodies; /* list of tacSceneBody */
} Placed;

static const tacField body_fields[] = {
    TAC_FIELD(tacSceneBody, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, position, TAC_POINT),
    TAC_FIELD(tacSceneBody, rotation, TAC_RECORD(tac_scene_rotation_record)),
    TAC_FIELD(tacSceneBody, copies, TAC_RECORD(tac_scene_copies_record)),
};
static const tacRecord body_record = {TAC_TABLE("a body", tacSceneBody, body_fields), .open = true};
static const tacField scene_fields[] = {TAC_FIELD(Placed, bodies, TAC_LIST(body_record), TAC_REQUIRED)};
static const tacRecord scene_record = {TAC_TABLE("a scene", Placed, scene_fields), .open = true};

/* Finds the index of the body in the recorded world, and the pose of the body. */
static tacStatus find_body(const tacRecordingInfo *info, const char *path, const char *name, uint32_t *index,
                           tacPose *pose, tacError *error) {
  TAC_OWN(tacYamlTree, tree) = NULL;
  Placed placed = {0};
  TAC_TRY(tac_yaml_tree_parse(info->scene, strlen(info->scene), info->scene_path, &tree, error));
  TAC_TRY(tac_schema_read(tree, tac_yaml_tree_root(tree), &scene_record, &placed, error));
  *index = 0;
  for (int i = 0; i < placed.bodies.count; ++i) {
    const tacSceneBody *body = (const tacSceneBody *)placed.bodies.items + i;
    int copy = tac_body_copy_find(body, name);
    *index += (uint32_t)(copy >= 0 ? copy : tac_body_copy_count(body));
    if (copy < 0) continue;
    *pose = tac_body_copy_pose(body, copy);
    return TAC_OK;
  }
  return tac_error_set(error, TAC_ERR_FORMAT, "%.300s: the scene of this recording has no body %s", path, name);
}

/* Adds the contacts of the body in one tick. On entry `touched` is true if the body had a contact in the previous tick.
 * On return `touched` is true if the body has a contact in this tick. */
static tacStatus take_tick(const tacTickRecord *record, const tacRecordingInfo *info, uint32_t body,
                           const tacPose *pose, double radius, bool *touched, Loads *loads, tacError *error) {
  tacQuat back = tac_quat_conjugate(
      tac_quat(pose->orientation[0], pose->orientation[1], pose->orientation[2], pose->orientation[3]));
  double time = (double)record->tick * info->period;
  bool touches = false;
  for (int t = 0; t < info->tool_count; ++t) {
    const tacContact *c = &record->tool[t].output.contact;
    if (c->state == TAC_CONTACT_NONE || c->body != body) continue;
    if (!tac_vec3_finite(c->at) || !tac_vec3_finite(c->force)) continue;
    tacVec3 point = tac_quat_rotate(back, tac_vec3_sub(c->at, pose->position));
    TAC_TRY(add(loads, (tacLoadSample){time, point, tac_quat_rotate(back, c->force), radius}, error));
    touches = true;
  }
  if (*touched && !touches) {
    tacLoadSample last = {time, loads->items[loads->count - 1].point, {0.0, 0.0, 0.0}, radius};
    TAC_TRY(add(loads, last, error));
  }
  *touched = touches;
  return TAC_OK;
}

static tacStatus read_recording(const char *path, const char *name, double radius, Loads *loads, tacError *error) {
  TAC_OWN(tacRecording, recording) = NULL;
  tacTickRecord record;
  uint32_t body = 0;
  tacPose pose;
  bool touched = false;
  TAC_TRY(tac_recording_open(path, &recording, error));
  const tacRecordingInfo *info = tac_recording_info(recording);
  TAC_TRY(find_body(info, path, name, &body, &pose, error));
  for (int64_t i = 0; i < tac_recording_tick_count(recording); ++i) {
    TAC_TRY(tac_recording_tick(recording, i, &record, error));
    TAC_TRY(take_tick(&record, info, body, &pose, radius, &touched, loads, error));
  }
  return TAC_OK;
}

tacStatus tac_load_file_read(const char *path, const char *body, double radius, int *count, tacLoadSample **loads,
                             tacError *error) {
  *count = 0;
  *loads = NULL;
  if (tac_recording_recognise(path)) {
    TAC_FREED(free_loads, Loads, found) = {0};
    TAC_TRY(read_recording(path, body, radius, &found, error));
    return finish(path, &found, count, loads, error);
  }
  TAC_FREED(tac_input_file_free, tacInputFile, file) = {0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_PATH, &file, error));
  return tac_load_file_parse(path, file.bytes, file.size, radius, count, loads, error);
}
