/* What a scene says, in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tactus/field_bake.h>
#include <tactus/green_bake.h>
#include <tactus/pointshell_bake.h>
#include "base/text.h"
#include "scene/body_copy.h"
#include "scene/scene_parts.h"

/* Whom to tell. */
typedef struct {
  tacSceneLine *line;
  void *user;
} Reader;

static void say(const Reader *to, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(const Reader *to, const char *label, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  to->line(label, text, to->user);
}

/* Bodies */

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

static void say_materials(const Reader *to, const tacSceneBody *b) {
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *m = tac_scene_body_material(b, i);
    const char *name = b->has_material ? "" : tac_scene_material_name(m), *colon = name[0] != '\0' ? ": " : "";
    if (m->has_stiffness)
      say(to, "", "%s%sanisotropic, density %.4g kg/m³", name, colon, m->density);
    else
      say(to, "", "%s%sYoung's modulus %.4g kPa, Poisson's ratio %.4g, density %.4g kg/m³", name, colon, m->young / 1e3,
          m->poisson, m->density);
  }
}

static int voxels(const tacSceneBody *b) {
  return b->field.resolution > 0 ? b->field.resolution : tac_field_def_default().resolution;
}

static void say_points(const Reader *to, const tacSceneBody *b) {
  const tacScenePoints *p = &b->points;
  int count = p->count > 0 ? p->count : tac_pointshell_def_default().point_count;
  if (p->node == NULL) return;
  say(to, "", "%s%s%s", tac_text_many(count, "point").text, p->levels > 0 ? " on " : "",
      p->levels > 0 ? tac_text_many(p->levels, "level").text : "");
}

static void say_green(const Reader *to, const char *label, const tacSceneBody *b) {
  char source[400];
  describe_source(b, source, sizeof source);
  say(to, label, "Green's functions by %s, of %s",
      b->method == TAC_GREEN_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements", source);
  say_materials(to, b);
  say(to, "", "%s%s, at most %.4g N/m, friction %.3g, %s", b->mask > 0.0 ? "masks of " : "single vertices",
      b->mask > 0.0 ? tac_text_length(b->mask).text : "", b->rigid_stiffness, b->friction,
      tac_text_many(b->sensors.count, "sensor").text);
}

static void say_reduced(const Reader *to, const char *label, const tacSceneBody *b) {
  static const char *const sources[] = {"modes", "a sketch", "motion"};
  const tacSceneReduced *r = &b->reduced;
  int copies = tac_body_copy_count(b);
  char source[400];
  describe_source(b, source, sizeof source);
  say(to, label, "reduced, of %s", source);
  say_materials(to, b);
  if (r->basis.file != NULL)
    say(to, "", "basis of %d from %s, %s", r->basis.size, sources[r->basis.from], r->basis.file);
  else
    say(to, "", "basis of %d from %s", r->basis.size, tac_text_many(r->basis.modes, "mode").text);
  say(to, "", "%s, damping %.4g 1/s and %s, touch %.4g N/m and %.4g Ns/m, friction %.3g",
      b->fixed.count > 0 ? "held" : "free", r->damping.mass, tac_text_seconds(r->damping.stiffness).text,
      r->touch.stiffness, r->touch.damping, r->friction);
  if (copies > 1) say(to, "", "%d copies, a step every %s each", copies, tac_text_many(r->every, "tick").text);
  if (b->field.node != NULL)
    say(to, "", "field of %d voxels along each side, %d proxies in %s", voxels(b),
        b->field.proxies > 0 ? b->field.proxies : tac_deformed_field_def_default().proxy_count,
        b->field.domains.count > 0 ? tac_text_many(b->field.domains.count, "domain").text : "one domain");
  say_points(to, b);
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

static void say_rigid(const Reader *to, const char *label, const tacSceneBody *b) {
  char source[400];
  if (b->analytic.count > 0)
    describe_solids(b, source, sizeof source);
  else
    describe_source(b, source, sizeof source);
  say(to, label, "rigid, %s%s", b->analytic.count > 0 ? "" : "of ", source);
  if (b->field.node != NULL) say(to, "", "field of %d voxels along each side", voxels(b));
  say_points(to, b);
}

static void say_body(const Reader *to, const tacSceneBody *b) {
  static void (*const by_kind[])(const Reader *, const char *, const tacSceneBody *) = {
      [TAC_SCENE_GREEN] = say_green, [TAC_SCENE_REDUCED] = say_reduced, [TAC_SCENE_RIGID] = say_rigid};
  char label[80];
  snprintf(label, sizeof label, "body %s", b->name);
  by_kind[b->kind](to, label, b);
}

/* Everything else */

static void say_tool(const Reader *to, const tacSceneTool *t) {
  char label[80], what[200] = "point";
  snprintf(label, sizeof label, "tool %s", t->name);
  if (t->kind == TAC_SCENE_BODY_TOOL)
    snprintf(what, sizeof what, "holds %s, %s coupling", t->body,
             t->coupling.kind == TAC_COUPLING_STATIC ? "static" : "dynamic");
  if (t->kind == TAC_SCENE_PAD_TOOL)
    snprintf(what, sizeof what, "%s of %s on %.60s, %s", t->pad.opening > 0.0 ? "two pads" : "a pad",
             tac_text_length(t->pad.radius).text, t->body, t->pad.hold == TAC_PAD_STICK ? "sticking" : "pressing");
  const tacSceneDevice *d = &t->device;
  if (d->kind == TAC_SCENE_DEVICE_OPERATOR && d->path_file.file == NULL)
    say(to, label, "%s, scale %.4g, operator %s along %s%s", what, t->scale, d->preset,
        tac_text_many(d->path.count, "waypoint").text, d->repeat ? ", again and again" : "");
  else if (d->kind == TAC_SCENE_DEVICE_OPERATOR)
    say(to, label, "%s, scale %.4g, operator %s along %s", what, t->scale, d->preset, d->path_file.file);
  else
    say(to, label, "%s, scale %.4g, %s %s", what, t->scale, d->kind == TAC_SCENE_DEVICE_REPLAY ? "replay of" : "driver",
        d->file);
}

void tac_scene_describe(const tacScene *scene, tacSceneLine *line, void *user) {
  const tacSceneFile *file = &scene->file;
  const Reader to = {line, user};
  if (file->name != NULL) say(&to, "name", "%s", file->name);
  if (file->about != NULL) say(&to, "about", "%.*s", (int)strcspn(file->about, "\n"), file->about);
  say(&to, "duration", "%s", file->duration > 0.0 ? tac_text_seconds(file->duration).text : "without end");
  for (int i = 0; i < file->bodies.count; ++i) say_body(&to, tac_scene_file_body(file, i));
  if (file->floor.node != NULL)
    say(&to, "floor", "at %s along (%.3g, %.3g, %.3g), friction %.3g",
        file->floor.at == 0.0 ? "0" : tac_text_length(file->floor.at).text, file->floor.normal.vector.x,
        file->floor.normal.vector.y, file->floor.normal.vector.z, file->floor.friction);
  for (int i = 0; i < file->contacts.count; ++i) {
    const tacScenePair *p = tac_scene_file_pair(file, i);
    say(&to, "contact", "points of %s in the field of %s, %.4g N/m a point, friction %.3g", p->points, p->field,
        p->def.stiffness, p->def.friction);
  }
  if (file->budget > 0.0) say(&to, "budget", "%s a tick", tac_text_seconds(file->budget).text);
  for (int i = 0; i < file->tools.count; ++i) say_tool(&to, tac_scene_file_tool(file, i));
  const tacServoDef *servo = &file->servo.def;
  say(&to, "servo", "%.0f Hz, priority %d, at most %.4g N/s%s", servo->rate, servo->priority, servo->force_rate,
      servo->passivity ? ", passivity controlled" : "");
}
