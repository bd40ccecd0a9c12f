#include "spec/body_description.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/pointshell.h>

void tac_lines_add(const tacSceneLines *to, const char *label, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  to->line(label, text, to->user);
}

/* The exact solids of a body: "a plane, 2 boxes". */
static void describe_solids(const tacSceneBody *b, char *text, size_t size) {
  static const char *const nouns[][2] = {
      {"a plane", "planes"}, {"a sphere", "spheres"}, {"a box", "boxes"}, {"a capsule", "capsules"}};
  const tacSceneSolid *solids = b->analytic.items;
  int counts[4] = {0};
  for (int i = 0; i < b->analytic.count; ++i)
    ++counts[solids[i].has_plane ? 0 : solids[i].has_sphere ? 1 : solids[i].has_box ? 2 : 3];
  for (int i = 0; i < 4; ++i) {
    size_t length = strlen(text);
    if (counts[i] == 1) snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", nouns[i][0]);
    if (counts[i] > 1)
      snprintf(text + length, size - length, "%s%d %s", length > 0 ? ", " : "", counts[i], nouns[i][1]);
  }
}

void tac_body_description_source(const tacSceneBody *b, char *text, size_t size) {
  const tacSceneSurface *s = &b->surface;
  text[0] = '\0';
  describe_solids(b, text, size);
  if (s->file != NULL) snprintf(text, size, "%s", s->file);
  if (s->shape != NULL && s->has_vertices) snprintf(text, size, "%s with %d vertices", s->shape, s->vertices);
  if (s->shape != NULL && s->has_size) snprintf(text, size, "%s at %s", s->shape, tac_text_length(s->size).text);
  if (s->shape != NULL && !s->has_vertices && !s->has_size) snprintf(text, size, "%s", s->shape);
  size_t length = strlen(text);
  if (b->volume.has_tets)
    snprintf(text + length, size - length, " in tetrahedra of %s", tac_text_length(b->volume.tets).text);
  else if (b->volume.has_bricks)
    snprintf(text + length, size - length, " in bricks of %s", tac_text_length(b->volume.bricks).text);
  else if (b->volume.shape != NULL && b->volume.has_size)
    snprintf(text, size, "%s in bricks of %s", b->volume.shape, tac_text_length(b->volume.size).text);
  else if (tac_scene_volume_whole(&b->volume))
    snprintf(text, size, "%s", b->volume.file != NULL ? b->volume.file : b->volume.shape);
}

void tac_body_description_materials(const tacSceneLines *to, const tacSceneBody *b) {
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *m = tac_scene_body_material(b, i);
    const char *name = b->has_material ? "" : tac_scene_material_name(m), *colon = name[0] != '\0' ? ": " : "";
    if (b->has_material && m->tissue != NULL) {
      name = m->tissue;
      colon = ": ";
    }
    if (m->has_stiffness)
      tac_lines_add(to, "", "%s%sanisotropic, density %.4g kg/m³", name, colon, m->density);
    else
      tac_lines_add(to, "", "%s%sYoung's modulus %.4g kPa, Poisson's ratio %.4g, density %.4g kg/m³", name, colon,
                    m->young / 1e3, m->poisson, m->density);
  }
}

void tac_body_description_field(const tacSceneLines *to, const tacSceneBody *b, const char *more) {
  const tacSceneField *f = &b->field;
  if (f->node == NULL) return;
  if (f->file != NULL)
    tac_lines_add(to, "", "field of %s%s", f->file, more);
  else
    tac_lines_add(to, "", "field of %d voxels along each side%s",
                  f->resolution > 0 ? f->resolution : tac_field_def_default().resolution, more);
}

void tac_body_description_points(const tacSceneLines *to, const tacSceneBody *b) {
  const tacScenePoints *p = &b->points;
  int count = p->count > 0 ? p->count : tac_pointshell_def_default().point_count;
  if (p->node == NULL) return;
  if (p->file != NULL)
    tac_lines_add(to, "", "points of %s", p->file);
  else
    tac_lines_add(to, "", "%s%s%s", tac_text_many(count, "point").text, p->levels > 0 ? " on " : "",
                  p->levels > 0 ? tac_text_many(p->levels, "level").text : "");
}

tacText tac_body_description_made(const tacSceneAsset *asset) {
  tacText result;
  snprintf(result.text, sizeof result.text, "%s%.30s, %.30s", asset->was_cached ? "cached" : "baked in ",
           asset->was_cached ? "" : tac_text_seconds(asset->seconds).text, tac_text_bytes((double)asset->bytes).text);
  return result;
}
