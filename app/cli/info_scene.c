#include "app/cli/info_scene.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <tactus/recording.h>
#include <tactus/scene.h>
#include <unistd.h>
#include "app/cli/report_text.h"
#include "app/cli/text.h"
#include "base/input_file.h"
#include "record/recording_file.h"
#include "scene/body_copy.h"
#include "scene/scene_file.h"

bool tac_info_is_recording(const char *path) {
  int file = -1;
  size_t size = 0, filled = 0;
  unsigned char start[TAC_RECORDING_SIGNATURE_SIZE];
  if (tac_input_file_open(path, &file, &size, NULL) != TAC_OK) return false;
  tacStatus status = tac_input_file_read_at(file, path, 0, sizeof start, start, &filled, NULL);
  close(file);
  return status == TAC_OK && filled == sizeof start && memcmp(start, tac_recording_signature, sizeof start) == 0;
}

bool tac_info_is_scene(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

static const char *method_name(int method) {
  return method == TAC_GREEN_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements";
}

/* Scenes */

static void describe_source(const tacSceneBody *b, char *text, size_t size) {
  const tacSceneSurface *s = &b->surface;
  text[0] = '\0';
  if (s->file != NULL) snprintf(text, size, "%s", s->file);
  if (s->shape != NULL && s->has_vertices) snprintf(text, size, "%s with %d vertices", s->shape, s->vertices);
  if (s->shape != NULL && s->has_size) snprintf(text, size, "%s at %s", s->shape, tac_text_length(s->size).text);
  if (s->shape != NULL && !s->has_vertices && !s->has_size) snprintf(text, size, "%s", s->shape);
  size_t length = strlen(text);
  if (b->volume.has_tets)
    snprintf(text + length, size - length, " in tetrahedra of %s", tac_text_length(b->volume.tets).text);
  else if (b->volume.has_bricks)
    snprintf(text + length, size - length, " in bricks of %s", tac_text_length(b->volume.bricks).text);
  else if (b->volume.file != NULL)
    snprintf(text, size, "%s", b->volume.file);
}

static void print_material(const tacSceneMaterial *m, const char *label) {
  const char *colon = label[0] != '\0' ? ": " : "";
  if (m->has_stiffness)
    tac_report_line("", "%s%sanisotropic, density %.4g kg/m³", label, colon, m->density);
  else
    tac_report_line("", "%s%sYoung's modulus %.4g kPa, Poisson's ratio %.4g, density %.4g kg/m³", label, colon,
                    m->young / 1e3, m->poisson, m->density);
}

static void print_contact(const tacSceneBody *b) {
  tac_report_line("", "%s%s, at most %.4g N/m, friction %.3g, %s", b->mask > 0.0 ? "masks of " : "single vertices",
                  b->mask > 0.0 ? tac_text_length(b->mask).text : "", b->rigid_stiffness, b->friction,
                  tac_text_many(b->sensors.count, "sensor").text);
}

static void print_reduced(const tacSceneBody *b) {
  static const char *const sources[] = {"modes", "a sketch", "motion"};
  const tacSceneReduced *r = &b->reduced;
  int copies = tac_body_copy_count(b);
  if (r->basis.file != NULL)
    tac_report_line("", "basis of %d from %s, %s", r->basis.size, sources[r->basis.from], r->basis.file);
  else
    tac_report_line("", "basis of %d from %s", r->basis.size, tac_text_many(r->basis.modes, "mode").text);
  tac_report_line("", "%s, damping %.4g 1/s and %s, touch %.4g N/m and %.4g Ns/m, friction %.3g",
                  b->fixed.count > 0 ? "held" : "free", r->damping.mass, tac_text_seconds(r->damping.stiffness).text,
                  r->touch.stiffness, r->touch.damping, r->friction);
  if (copies > 1) tac_report_line("", "%d copies, a step every %s each", copies, tac_text_many(r->every, "tick").text);
}

/* The exact solids of a body: "a plane, 2 boxes". */
static void describe_solids(const tacSceneBody *b, char *text, size_t size) {
  static const char *const nouns[][2] = {
      {"a plane", "planes"}, {"a sphere", "spheres"}, {"a box", "boxes"}, {"a capsule", "capsules"}};
  const tacSceneSolid *solids = b->analytic.items;
  int counts[4] = {0};
  for (int i = 0; i < b->analytic.count; ++i)
    ++counts[solids[i].has_plane ? 0 : solids[i].has_sphere ? 1 : solids[i].has_box ? 2 : 3];
  text[0] = '\0';
  for (int i = 0; i < 4; ++i)
    if (counts[i] > 0) {
      size_t length = strlen(text);
      length += (size_t)snprintf(text + length, size - length, "%s", length > 0 ? ", " : "");
      if (counts[i] == 1)
        snprintf(text + length, size - length, "%s", nouns[i][0]);
      else
        snprintf(text + length, size - length, "%d %s", counts[i], nouns[i][1]);
    }
}

/* What the body meets others with. */
static void print_meeting(const tacSceneBody *b) {
  tacFieldDef field = tac_field_def_default();
  tacPointshellDef points = tac_pointshell_def_default();
  tacDeformedFieldDef deformed = tac_deformed_field_def_default();
  const tacSceneField *f = &b->field;
  if (f->node != NULL && b->kind == TAC_SCENE_REDUCED)
    tac_report_line("", "field of %d voxels along each side, %d proxies in %s",
                    f->resolution > 0 ? f->resolution : field.resolution,
                    f->proxies > 0 ? f->proxies : deformed.proxy_count,
                    f->domains.count > 0 ? tac_text_many(f->domains.count, "domain").text : "one domain");
  else if (f->node != NULL)
    tac_report_line("", "field of %d voxels along each side", f->resolution > 0 ? f->resolution : field.resolution);
  if (b->points.node != NULL)
    tac_report_line(
        "", "%s%s%s", tac_text_many(b->points.count > 0 ? b->points.count : points.point_count, "point").text,
        b->points.levels > 0 ? " on " : "", b->points.levels > 0 ? tac_text_many(b->points.levels, "level").text : "");
}

static void print_rigid(const tacSceneBody *b, const char *name) {
  char source[400];
  if (b->analytic.count > 0)
    describe_solids(b, source, sizeof source);
  else
    describe_source(b, source, sizeof source);
  tac_report_line(name, "rigid, %s%s", b->analytic.count > 0 ? "" : "of ", source);
  print_meeting(b);
}

static void print_body(const tacSceneBody *b) {
  char source[400], name[80];
  bool reduced = b->kind == TAC_SCENE_REDUCED;
  snprintf(name, sizeof name, "body %s", b->name);
  if (b->kind == TAC_SCENE_RIGID) {
    print_rigid(b, name);
    return;
  }
  describe_source(b, source, sizeof source);
  if (reduced)
    tac_report_line(name, "reduced, of %s", source);
  else
    tac_report_line(name, "Green's functions by %s, of %s", method_name(b->method), source);
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *m = tac_scene_body_material(b, i);
    print_material(m, b->has_material ? "" : tac_scene_material_name(m));
  }
  if (reduced)
    print_reduced(b);
  else
    print_contact(b);
  print_meeting(b);
}

static void print_pair(const tacScenePair *p) {
  tac_report_line("contact", "points of %s in the field of %s, %.4g N/m a point, friction %.3g", p->points, p->field,
                  p->def.stiffness, p->def.friction);
}

static void print_tool(const tacSceneTool *t) {
  char name[80], what[120] = "point";
  snprintf(name, sizeof name, "tool %s", t->name);
  if (t->kind == TAC_SCENE_BODY_TOOL)
    snprintf(what, sizeof what, "holds %s, %s coupling", t->body,
             t->coupling.kind == TAC_COUPLING_STATIC ? "static" : "dynamic");
  const tacSceneDevice *d = &t->device;
  if (d->kind == TAC_SCENE_DEVICE_OPERATOR && d->path_file.file == NULL)
    tac_report_line(name, "%s, scale %.4g, operator %s along %s%s", what, t->scale, d->preset,
                    tac_text_many(d->path.count, "waypoint").text, d->repeat ? ", again and again" : "");
  else if (d->kind == TAC_SCENE_DEVICE_OPERATOR)
    tac_report_line(name, "%s, scale %.4g, operator %s along %s", what, t->scale, d->preset, d->path_file.file);
  else
    tac_report_line(name, "%s, scale %.4g, %s %s", what, t->scale,
                    d->kind == TAC_SCENE_DEVICE_REPLAY ? "replay of" : "driver", d->file);
}

static void print_scene_file(const char *path, const tacSceneFile *file) {
  printf("%s: scene, format %d\n", path, file->format);
  if (file->name != NULL) tac_report_line("name", "%s", file->name);
  if (file->about != NULL) tac_report_line("about", "%.*s", (int)strcspn(file->about, "\n"), file->about);
  tac_report_line("duration", "%s", file->duration > 0.0 ? tac_text_seconds(file->duration).text : "without end");
  for (int i = 0; i < file->bodies.count; ++i) print_body(tac_scene_file_body(file, i));
  if (file->floor.node != NULL)
    tac_report_line("floor", "at %s along (%.3g, %.3g, %.3g), friction %.3g",
                    file->floor.at == 0.0 ? "0" : tac_text_length(file->floor.at).text, file->floor.normal.vector.x,
                    file->floor.normal.vector.y, file->floor.normal.vector.z, file->floor.friction);
  for (int i = 0; i < file->contacts.count; ++i) print_pair(tac_scene_file_pair(file, i));
  if (file->budget > 0.0) tac_report_line("budget", "%s a tick", tac_text_seconds(file->budget).text);
  for (int i = 0; i < file->tools.count; ++i) print_tool(tac_scene_file_tool(file, i));
  const tacServoDef *servo = &file->servo.def;
  tac_report_line("servo", "%.0f Hz, priority %d, at most %.4g N/s%s", servo->rate, servo->priority, servo->force_rate,
                  servo->passivity ? ", passivity controlled" : "");
}

tacStatus tac_info_print_scene(const char *path, tacError *error) {
  tacInputFile input;
  tacYamlTree *tree = NULL;
  tacSceneFile file;
  tacStatus status = tac_input_file_read(path, &input, error);
  if (status != TAC_OK) return status;
  status = tac_yaml_tree_parse((const char *)input.bytes, input.size, path, &tree, error);
  tac_input_file_free(&input);
  if (status == TAC_OK) status = tac_scene_file_read(tree, &file, error);
  if (status == TAC_OK) print_scene_file(path, &file);
  tac_yaml_tree_destroy(tree);
  return status;
}

/* Assets */

tacStatus tac_info_print_green(const char *path, tacError *error) {
  tacGreen *green = NULL;
  tacStatus status = tac_green_read(path, &green, error);
  if (status != TAC_OK) return status;
  const tacTriMesh *surface = tac_green_surface(green);
  int fixed = 0;
  for (int i = 0; i < surface->vertex_count; ++i) fixed += tac_green_fixed(green)[i];
  tac_report_line("method", "%s", method_name(tac_green_method(green)));
  tac_report_line("surface", "%s (%d free), %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                  surface->vertex_count - fixed, tac_text_many(surface->triangle_count, "triangle").text,
                  tac_text_size(tac_trimesh_box(surface)).text);
  tac_report_line("columns", "%s, %s", tac_text_many(tac_green_column_count(green), "vertex").text,
                  tac_green_storage(green) == TAC_GREEN_WHOLE ? "whole" : "near blocks only");
  for (int i = 0; i < tac_green_sensor_count(green); ++i) {
    const tacSensor *sensor = tac_green_sensor(green, i);
    tac_report_line("sensor", "%s: %s at (%.4g, %.4g, %.4g) mm", sensor->name,
                    sensor->kind == TAC_SENSOR_STRESS ? "stress" : "displacement", 1e3 * sensor->point.x,
                    1e3 * sensor->point.y, 1e3 * sensor->point.z);
  }
  tac_report_line("Betti defect", "%.2g", tac_green_betti_defect(green));
  tac_green_destroy(green);
  return TAC_OK;
}

/* Recordings */

tacStatus tac_info_print_recording(const char *path, tacError *error) {
  tacRecording *recording = NULL;
  tacStatus status = tac_recording_open(path, &recording, error);
  if (status != TAC_OK) return status;
  const tacRecordingInfo *info = tac_recording_info(recording);
  struct stat file;
  int64_t ticks = tac_recording_tick_count(recording);
  printf("%s: Tactus recording, %s\n", path, tac_text_bytes(stat(path, &file) == 0 ? (double)file.st_size : 0.0).text);
  tac_report_line("length", "%s at %.6g Hz, %s%s", tac_text_many(ticks, "tick").text, 1.0 / info->period,
                  tac_text_seconds((double)ticks * info->period).text,
                  tac_recording_complete(recording) ? "" : "; it was cut short");
  tac_report_line("tools", "%d", info->tool_count);
  tac_report_line("scene", "%s, %s", info->scene_path, tac_text_bytes((double)strlen(info->scene)).text);
  tac_report_line("recorded by", "%s", info->program);
  tac_report_line("recorded on", "%s", info->platform);
  for (const char *line = info->assets; line[0] != 0;) { /* checksum and name */
    int length = (int)strcspn(line, "\n");
    tac_report_line("asset", "%.*s", length, line);
    line += length + (line[length] == '\n');
  }
  tac_recording_close(recording);
  return TAC_OK;
}
