#include "scene/contact_resolution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/distance_field.h>
#include <tactus/pointshell.h>
#include "asset/deformed_field.h"
#include "asset/pointshell.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "mesh/query/thickness.h"
#include "mesh/trimesh.h"
#include "scene/scene_parts.h"

#define THIN_SHARE 0.05 /* fraction of the area that is ignored: sharp edges and tips are thin */
#define VOXELS 3.0      /* smallest number of voxels per thickness */
#define SPACINGS 2.0    /* smallest number of point spacings per thickness, since stretching separates points */

static bool has_half_space(const tacSceneBody *body) {
  const tacSceneSolid *solids = body->analytic.items;
  for (int i = 0; i < body->analytic.count; ++i)
    if (solids[i].has_plane) return true;
  return false;
}

/* Measures the thickness of a body. `result` is infinite for an open surface, and for a half space, which is shown as a
 * slab of another thickness. */
static tacStatus thickness_of(const tacScene *scene, int body, double *result, tacError *error) {
  const tacTriMesh *surface = scene->baked[body].surface;
  *result = INFINITY;
  if (surface == NULL || has_half_space(tac_scene_file_body(&scene->file, body)) ||
      tac_trimesh_require_closed(surface, NULL) != TAC_OK)
    return TAC_OK;
  TAC_MEMORY(double, thickness) = NULL;
  TAC_TRY(TAC_ARRAY(thickness, (size_t)surface->triangle_count, "thickness", error));
  TAC_TRY(tac_thickness_measure(surface, thickness, error));
  *result = tac_thickness_quantile(surface, thickness, THIN_SHARE);
  return TAC_OK;
}

/* Returns the spacing of n points in a hexagonal pattern on an area A, sqrt(2 A / (sqrt(3) n)). */
static double even_spacing(double area, int count) {
  return count > 0 ? sqrt(2.0 * area / (sqrt(3.0) * count)) : 0.0;
}

/* Returns the spacing of the points that a pair uses. A body without points uses the vertices. `count` receives the
 * number of points. Points from a file may have inaccurate areas, so the area of the surface is used instead. */
static double spacing_of(const tacScene *scene, int body, const tacScenePair *pair, int *count) {
  const tacPointshell *shell = scene->baked[body].shell;
  const tacTriMesh *surface = scene->baked[body].surface;
  bool baked = shell != NULL && tac_scene_file_body(&scene->file, body)->points.file == NULL;
  double area = baked ? tac_pointshell_surface_area(shell) : surface != NULL ? tac_trimesh_area(surface) : 0.0;
  *count = surface != NULL ? surface->vertex_count : 0;
  if (shell != NULL) {
    int finest = tac_pointshell_level_count(shell) - 1;
    if (pair->levels > 0 && pair->levels - 1 < finest) finest = pair->levels - 1;
    *count = tac_pointshell_size(shell, finest);
  }
  return even_spacing(area, *count);
}

static const tacGrid *grid_of(const tacBakedBody *baked) {
  const tacDistanceField *field =
      baked->deformed != NULL ? tac_deformed_field_domain(baked->deformed, 0) : baked->field;
  return field != NULL ? tac_distance_field_grid(field) : NULL;
}

static int rounded_up(double count, double step) {
  double result = step * ceil(count / step);
  return result < 1e9 ? (int)result : 1000000000;
}

/* Computes the number of points and the resolution that would suffice. The present values are `count` points and
 * `cells` voxels along a side. */
static void judge(tacContactResolution *r, const tacSceneField *made, int count, int cells) {
  if (made->has_offset) r->thickness += 2.0 * (made->offset > 0.0 ? made->offset : 1.4 * r->voxel);
  if (r->thickness < 2.0 / sqrt(3.0) * r->spacing) {
    double wanted = count * pow(SPACINGS * r->spacing / r->thickness, 2.0);
    r->point_count = rounded_up(wanted, pow(10.0, floor(log10(wanted)) - 1.0));
  }
  if (r->thickness < VOXELS * r->voxel) r->resolution = rounded_up(cells * VOXELS * r->voxel / r->thickness, 16.0);
}

static tacContactResolution resolve(const tacScene *scene, const tacScenePair *pair, int points, int field,
                                    double thickness) {
  const tacSceneField *made = &tac_scene_file_body(&scene->file, field)->field;
  const tacGrid *grid = grid_of(&scene->baked[field]);
  int count;
  tacContactResolution r = {.points = pair->points,
                            .field = pair->field,
                            .vertices = scene->baked[points].shell == NULL,
                            .by_laws = pair->method == TAC_METHOD_SIGNORINI};
  r.spacing = spacing_of(scene, points, pair, &count);
  r.voxel = grid != NULL ? grid->spacing : 0.0;
  r.thickness = thickness;
  judge(&r, made, count, grid != NULL ? grid->nx - 1 : 0);
  return r;
}

tacContactResolution tac_contact_resolution_expect(const tacContactResolutionDef *def) {
  const tacSceneField *made = &def->field->field;
  const tacScenePoints *points = &def->points->points;
  tacFieldDef usual = tac_field_def_default();
  int cells = made->resolution > 0 ? made->resolution : usual.resolution;
  int count = points->node == NULL ? def->vertices
              : points->count > 0  ? points->count
                                   : tac_pointshell_def_default().point_count;
  tacContactResolution r = {.points = def->pair->points,
                            .field = def->pair->field,
                            .vertices = points->node == NULL,
                            .by_laws = def->pair->method == TAC_METHOD_SIGNORINI,
                            .spacing = def->pair->levels == 0 ? even_spacing(def->area, count) : 0.0,
                            .thickness = has_half_space(def->field) ? INFINITY : def->thickness};
  if (made->node != NULL) r.voxel = (made->expansion > 0.0 ? made->expansion : usual.expansion) * def->longest / cells;
  judge(&r, made, count, cells);
  return r;
}

enum { MOST_POINTS = 1000000, MOST_RESOLUTION = 512 }; /* limits of suggested values */

void tac_contact_resolution_warn(const tacContactResolution *r, char *text, size_t size) {
  char between[600] = "", coarse[300] = "", more[64] = "", swap[200] = "";
  const char *what = r->vertices ? "vertices" : "points";
  bool many = r->point_count > MOST_POINTS;
  if (!r->vertices)
    snprintf(swap, sizeof swap, "; exchange their roles (points: %.60s, field: %.60s)", r->field, r->points);
  if (!many)
    snprintf(more, sizeof more, "%s%.32s %s", r->vertices ? "; use " : ", or use ", tac_text_count(r->point_count).text,
             what);
  if (r->point_count > 0)
    snprintf(between, sizeof between,
             "%.60s is %.20s thin, but the %s of %.60s are %.20s apart, so it can pass between them%s%s%s", r->field,
             tac_text_length(r->thickness).text, what, r->points, tac_text_length(r->spacing).text, swap, more,
             r->by_laws ? ", or detect: surfaces" : "");
  if (r->resolution > 0 && r->resolution <= MOST_RESOLUTION)
    snprintf(coarse, sizeof coarse, "%.60s is %.20s thin, but the voxels of its field are %.20s; use resolution: %d",
             r->field, tac_text_length(r->thickness).text, tac_text_length(r->voxel).text, r->resolution);
  else if (r->resolution > 0)
    snprintf(coarse, sizeof coarse,
             "%.60s is %.20s thin, but the voxels of its field are %.20s; give it the points instead of the field, or "
             "give its field an offset",
             r->field, tac_text_length(r->thickness).text, tac_text_length(r->voxel).text);
  snprintf(text, size, "%s%s%s", between, between[0] != 0 && coarse[0] != 0 ? "; " : "", coarse);
}

tacStatus tac_contact_resolution_check(const tacScene *scene, tacError *error) {
  const tacSceneFile *file = &scene->file;
  TAC_MEMORY(double, thickness) = NULL;
  TAC_TRY(TAC_ARRAY(thickness, (size_t)file->bodies.count, "thickness", error));
  for (int b = 0; b < file->bodies.count; ++b) thickness[b] = -1.0;
  for (int i = 0; i < file->contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(file, i);
    if (pair->detect == TAC_DETECT_SURFACES) continue;
    int copy, points = (int)(tac_scene_file_find(file, pair->points, &copy) - tac_scene_file_body(file, 0)),
              field = (int)(tac_scene_file_find(file, pair->field, &copy) - tac_scene_file_body(file, 0));
    if (thickness[field] < 0.0) TAC_TRY(thickness_of(scene, field, &thickness[field], error));
    char text[900];
    tacContactResolution resolution = resolve(scene, pair, points, field, thickness[field]);
    tac_contact_resolution_warn(&resolution, text, sizeof text);
    if (text[0] != 0) tac_log(TAC_LOG_WARNING, "contacts[%d]: %s", i, text);
  }
  return TAC_OK;
}
