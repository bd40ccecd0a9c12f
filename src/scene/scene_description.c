/* Describes a scene in text. */
#include "scene/scene_description.h"
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "kinds/scene_kinds.h"
#include "scene/scene_parts.h"

static void describe_body(const tacSceneLines *to, const tacSceneBody *b) {
  char label[80];
  snprintf(label, sizeof label, "body %s", b->name);
  tac_scene_kind_of(b)->describe(to, label, b);
}

/* ---- tools and the scene ---- */

static void describe_tool(const tacSceneLines *to, const tacSceneTool *t) {
  char label[80], what[200] = "point";
  snprintf(label, sizeof label, "tool %s", t->name);
  if (t->kind == TAC_SCENE_BODY_TOOL)
    snprintf(what, sizeof what, "holds %.60s, %s coupling%s%s", t->body,
             t->coupling.kind == TAC_COUPLING_STATIC ? "static" : "dynamic", t->has_trocar ? ", through a trocar" : "",
             t->jaws.count > 1   ? ", with two jaws"
             : t->jaws.count > 0 ? ", with a jaw"
                                 : "");
  if (t->kind == TAC_SCENE_PAD_TOOL)
    snprintf(what, sizeof what, "%s of %s on %.60s, %s", t->pad.opening > 0.0 ? "two pads" : "a pad",
             tac_text_length(t->pad.radius).text, t->body, t->pad.hold == TAC_PAD_STICK ? "sticking" : "pressing");
  if (t->kind == TAC_SCENE_FINGERTIP_TOOL)
    snprintf(what, sizeof what, "fingertip of %s", tac_text_length(t->radius).text);
  const tacSceneDevice *d = &t->device;
  if (d->kind == TAC_SCENE_DEVICE_OPERATOR && d->path_file.file == NULL)
    tac_lines_add(to, label, "%s, scale %.4g, operator %s along %s%s", what, t->scale, d->preset,
                  tac_text_many(d->path.count, "waypoint").text, d->repeat ? ", repeated" : "");
  else if (d->kind == TAC_SCENE_DEVICE_OPERATOR)
    tac_lines_add(to, label, "%s, scale %.4g, operator %s along %s", what, t->scale, d->preset, d->path_file.file);
  else
    tac_lines_add(to, label, "%s, scale %.4g, %s %s", what, t->scale,
                  d->kind == TAC_SCENE_DEVICE_REPLAY ? "replay of" : "driver", d->file);
}

const char *tac_scene_variation(const tacScene *scene) {
  for (int i = 0; i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    const tacSceneKind *kind = tac_scene_kind_of(body);
    const char *why = kind->variation != NULL ? kind->variation(body) : NULL;
    if (why != NULL) return why;
  }
  return NULL;
}

void tac_scene_describe(const tacScene *scene, tacSceneLineFn line, void *user) {
  if (scene == NULL || line == NULL) return;
  const tacSceneFile *file = &scene->file;
  const tacSceneLines to = {line, user};
  if (file->name != NULL) tac_lines_add(&to, "name", "%s", file->name);
  if (file->about != NULL) tac_lines_add(&to, "about", "%.*s", (int)strcspn(file->about, "\n"), file->about);
  tac_lines_add(&to, "duration", "%s", file->duration > 0.0 ? tac_text_seconds(file->duration).text : "without end");
  for (int i = 0; i < file->bodies.count; ++i) describe_body(&to, tac_scene_file_body(file, i));
  if (file->floor.node != NULL)
    tac_lines_add(&to, "floor", "at %s along (%.3g, %.3g, %.3g), friction %.3g",
                  file->floor.at == 0.0 ? "0" : tac_text_length(file->floor.at).text, file->floor.normal.vector.x,
                  file->floor.normal.vector.y, file->floor.normal.vector.z, file->floor.friction);
  for (int i = 0; i < file->contacts.count; ++i) {
    const tacScenePair *p = tac_scene_file_pair(file, i);
    if (p->detect == TAC_DETECT_SURFACES)
      tac_lines_add(&to, "contact", "surfaces of %s and %s, friction %.3g", p->points, p->field, p->def.friction);
    else if (p->def.stiffness > 0.0)
      tac_lines_add(&to, "contact", "points of %s in the field of %s, %.4g N/m a point, friction %.3g", p->points,
                    p->field, p->def.stiffness, p->def.friction);
    else
      tac_lines_add(&to, "contact", "points of %s in the field of %s, friction %.3g", p->points, p->field,
                    p->def.friction);
  }
  if (file->budget > 0.0) tac_lines_add(&to, "budget", "%s a tick", tac_text_seconds(file->budget).text);
  int every;
  if (tac_scene_rate_every(&file->rate, file->servo.def.rate, &every, NULL) == TAC_OK && every > 1)
    tac_lines_add(&to, "simulation", "%.4g Hz, one step of the bodies every %d ticks", file->servo.def.rate / every,
                  every);
  for (int i = 0; i < file->tools.count; ++i) describe_tool(&to, tac_scene_file_tool(file, i));
  const tacServoDef *servo = &file->servo.def;
  tac_lines_add(&to, "servo", "%.0f Hz, priority %d, at most %.4g N/s%s", servo->rate, servo->priority,
                servo->force_rate, servo->passivity ? ", passivity controlled" : "");
}
