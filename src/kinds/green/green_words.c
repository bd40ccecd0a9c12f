#include "kinds/green/green_words.h"

#include <stdio.h>
#include <tactus/green.h>
#include "base/text.h"

static const char *method_name(const tacGreen *green) {
  return tac_green_method(green) == TAC_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements";
}

static int free_vertices(const tacGreen *green) {
  int vertices = tac_green_surface(green)->vertex_count, result = 0;
  for (int i = 0; i < vertices; ++i) result += !tac_green_fixed(green)[i];
  return result;
}

void tac_green_words_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset) {
  const tacGreen *green = made;
  tac_scene_say(to, label, "%s (%d free), %s, %s, Betti defect %.2g",
                tac_text_many(tac_green_surface(green)->vertex_count, "vertex").text, free_vertices(green),
                method_name(green), tac_body_description_made(asset).text, tac_green_betti_defect(green));
}

tacStatus tac_green_words_file(const tacSceneLines *to, const char *path, tacError *error) {
  tacGreen *green = NULL;
  tacStatus status = tac_green_read(path, &green, error);
  if (status != TAC_OK) return status;
  const tacTriMesh *surface = tac_green_surface(green);
  tac_scene_say(to, "method", "%s", method_name(green));
  tac_scene_say(to, "surface", "%s (%d free), %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                free_vertices(green), tac_text_many(surface->triangle_count, "triangle").text,
                tac_text_size(tac_trimesh_box(surface)).text);
  tac_scene_say(to, "columns", "%s, %s", tac_text_many(tac_green_column_count(green), "vertex").text,
                tac_green_storage(green) == TAC_GREEN_WHOLE ? "whole" : "near blocks only");
  for (int i = 0; i < tac_green_sensor_count(green); ++i) {
    const tacSensor *sensor = tac_green_sensor(green, i);
    tac_scene_say(to, "sensor", "%s: %s at (%.4g, %.4g, %.4g) mm", sensor->name,
                  sensor->kind == TAC_SENSOR_STRESS ? "stress" : "displacement", 1e3 * sensor->point.x,
                  1e3 * sensor->point.y, 1e3 * sensor->point.z);
  }
  tac_scene_say(to, "Betti defect", "%.2g", tac_green_betti_defect(green));
  tac_green_destroy(green);
  return TAC_OK;
}

/* A first scene */

static void write_draft(const tacBodyDraft *d, char *text, size_t size) {
  snprintf(text, size,
           "    kind: green                    # deforms without inertia, small strain: what a finger presses, exactly "
           "and fast\n"
           "    method: boundary-elements      # from the surface alone; finite-elements: a volume, several materials\n"
           "%s%s%s"
           "    mask: %s                    # radius of what presses: the fingertip; a few edges of the mesh (%s)\n"
           "    friction: 0.2                  # wet; 0.5 dry\n"
           "    live: {stiffness: [0.25, 4], friction: [0, 1], mask: [%s, %s]}   # sliders of the viewer\n",
           d->surface, d->material, d->fixed, tac_text_written_length(d->finger).text,
           tac_text_written_length(d->edge).text, tac_text_written_length(0.5 * d->finger).text,
           tac_text_written_length(2.0 * d->finger).text);
}

const tacBodyDrafter tac_green_drafter = {.use = TAC_DRAFT_USUAL, .held = true, .write = write_draft};
