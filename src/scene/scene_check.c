#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/text.h"
#include "mesh/trimesh.h"
#include "scene/contact_resolution.h"
#include "scene/finding.h"

static int number_of(const tacSceneFile *file, const char *name) {
  int copy;
  return (int)(tac_scene_file_find(file, name, &copy) - tac_scene_file_body(file, 0));
}

/* Checks the resolution of a pair before the bake. The check assumes the resolution of the scene file for the field,
 * and evenly spread points. */
static void check_pair(const tacCheck *check, const tacScenePair *pair) {
  const tacSceneFile *file = &check->scene->file;
  int points = number_of(file, pair->points), field = number_of(file, pair->field);
  const tacSceneBody *with_points = tac_scene_file_body(file, points), *with_field = tac_scene_file_body(file, field);
  if (pair->detect == TAC_DETECT_SURFACES || check->bodies[points].surface == NULL ||
      check->bodies[field].surface == NULL || with_points->points.file != NULL || with_field->field.file != NULL)
    return;
  tacContactResolutionDef def = {.pair = pair,
                                 .points = with_points,
                                 .field = with_field,
                                 .area = tac_trimesh_area(check->bodies[points].surface),
                                 .vertices = check->bodies[points].surface->vertex_count,
                                 .longest = tac_box_longest(tac_trimesh_box(check->bodies[field].surface)),
                                 .thickness = check->bodies[field].thickness};
  char text[900];
  tacContactResolution resolution = tac_contact_resolution_expect(&def);
  tac_contact_resolution_warn(&resolution, text, sizeof text);
  if (text[0] != 0) tac_finding_report(check, TAC_FINDING_WARNING, "contact", pair->node, "%.700s", text);
}

static bool holds(const tacSceneTool *tool, const char *body) {
  bool found = tool->kind == TAC_SCENE_BODY_TOOL && strcmp(tool->body, body) == 0;
  const tacSceneJaw *jaws = tool->jaws.items;
  for (int j = 0; j < tool->jaws.count; ++j) found = found || strcmp(jaws[j].body, body) == 0;
  return found;
}

/* Checks the number of tool contacts that ticks must handle between two steps of the bodies. Each pair with a held body
 * counts as eight contacts and two near contacts. */
static void check_room(const tacCheck *check) {
  enum { OF_PAIR = 10 };
  const tacSceneFile *file = &check->scene->file;
  int every = 1, pairs = 0, most = 0;
  tac_scene_rate_every(&file->rate, file->servo.def.rate, &every, NULL);
  for (int i = 0; i < file->contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(file, i);
    bool held = false;
    for (int t = 0; t < file->tools.count; ++t) {
      const tacSceneTool *tool = tac_scene_file_tool(file, t);
      held = held || holds(tool, pair->points) || holds(tool, pair->field);
    }
    pairs += held;
  }
  for (int t = 0; t < file->tools.count; ++t) most += tac_scene_tool_touches(tac_scene_file_tool(file, t));
  most += OF_PAIR * pairs;
  if (every > 1 && most > TAC_WORLD_MOST_LOCAL)
    tac_finding_report(
        check, TAC_FINDING_WARNING, "contacts", file->rate.node,
        "too many contacts: tools may have %d at once, including %s of held bodies, but between two body steps ticks "
        "handle only %d; the others carry no force until the next body step; use fewer pairs with held bodies, or "
        "leave `simulate` out",
        most, tac_text_many(pairs, "pair").text, TAC_WORLD_MOST_LOCAL);
}

tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingFn visit, void *user,
                          tacError *error) {
  TAC_REQUIRE(error, scene);
  if (visit == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "tac_scene_check: `visit` is NULL");
  const tacSceneFile *file = &scene->file;
  tacCheck check = {.scene = scene, .progress = progress, .visit = visit, .user = user, .error = error};
  check.bodies = tac_array_create((size_t)file->bodies.count, sizeof *check.bodies, "bodies", error);
  tacStatus status = check.bodies != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int b = 0; status == TAC_OK && b < file->bodies.count; ++b) status = tac_body_check(&check, b);
  for (int i = 0; status == TAC_OK && i < file->contacts.count; ++i) check_pair(&check, tac_scene_file_pair(file, i));
  if (status == TAC_OK) check_room(&check);
  for (int i = 0; status == TAC_OK && i < file->tools.count; ++i)
    status = tac_path_check(&check, tac_scene_file_tool(file, i));
  for (int b = 0; check.bodies != NULL && b < file->bodies.count; ++b) tac_body_check_free(&check.bodies[b]);
  free(check.bodies);
  return status;
}
