#include "app/viewer/stage/show.h"

#include <stdio.h>
#include "app/viewer/stage/stage.h"
#include "base/error.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "scene/scene.h"
#include "world/world.h"
#include "world/world_view.h"

TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

void tac_show_free(tacShow *show) {
  tac_frame_maker_destroy(show->maker);
  for (int b = 0; b < show->body_count && show->packets != NULL; ++b) tac_packet_release(show->packets[b]);
  for (int b = 0; b < show->body_count && show->load_modes != NULL; ++b) tac_packet_release(show->load_modes[b]);
  tac_arrays_free(&show->arrays);
  tac_view_shells_destroy(show->shell_count, show->shells);
  *show = (tacShow){0};
}

static double mask_of(const tacWorld *world, int body) {
  char name[200];
  /* Parameters are found by name, one after the other: not for hundreds of bodies that cannot have one. */
  if (tac_world_body_shown(world, tac_world_body(world, body)) != TAC_SHOWN_VERTICES) return 0.0;
  snprintf(name, sizeof name, "%.140s.mask", tac_world_body_name(world, tac_world_body(world, body)));
  int index = tac_world_find_parameter(world, name);
  return index >= 0 ? tac_world_parameter(world, index).value : 0.0;
}

void tac_show_measure_masks(tacShow *show, const tacWorld *world) {
  for (int b = 0; b < show->body_count; ++b) show->masks[b] = mask_of(world, b);
}

/* Free bodies move, and the mesh inside is drawn at rest. Copies have it from the first of them. */
static bool has_own_volume(const tacScene *scene, const tacWorld *world, int body) {
  tacBodyId id = tac_world_body(world, body);
  tacShownBasis basis;
  if (tac_world_body_basis(world, id, &basis) && basis.is_free) return false;
  tacBodyShown shown = tac_world_body_shown(world, id);
  if (shown == TAC_SHOWN_RIGID) return false;
  if (shown == TAC_SHOWN_VERTICES && tac_world_body_pose_state(world, id) >= 0) return false;
  return body == 0 || tac_scene_body_of(scene, body) != tac_scene_body_of(scene, body - 1);
}

static tacStatus make_packet(const tacScene *scene, const tacWorld *world, int body, const tacProgress *progress,
                             tacShow *show, tacError *error) {
  TAC_OWN(tacVolMesh, volume) = NULL;
  if (has_own_volume(scene, world, body))
    TAC_TRY(tac_scene_volume(scene, tac_scene_body_of(scene, body), progress, &volume, error));
  show->has_volume[body] = volume != NULL;
  show->colours[body] = tac_frame_maker_colours(show->maker, body);
  TAC_TRY(tac_frame_maker_body(show->maker, body, volume, &show->packets[body], error));
  return tac_frame_maker_load_modes(show->maker, body, &show->load_modes[body], error);
}

/* The share of a body in what is left to do. */
static tacStatus show_body(const tacScene *scene, const tacWorld *world, int body, tacLoading *loading, tacShow *show,
                           tacError *error) {
  const tacProgress whole = tac_loading_progress(loading);
  double count = show->body_count;
  const tacProgressPart part = {&whole, body / count, (body + 1) / count, NULL};
  const tacProgress progress = tac_progress_part(&part);
  if (!progress.report(tac_world_body_name(world, tac_world_body(world, body)), 0.0, progress.user))
    return tac_error_set(error, TAC_ERR_CANCELLED, "loading was cancelled");
  return make_packet(scene, world, body, &progress, show, error);
}

tacStatus tac_show_make(const tacScene *scene, const tacWorld *world, uint32_t load, tacLoading *loading,
                        tacShow *result, tacError *error) {
  size_t count = (size_t)tac_world_body_count(world);
  TAC_FREED(tac_show_free, tacShow, show) = {.body_count = (int)count, .box = tac_stage_box(world)};
  *result = (tacShow){0};
  show.packets = tac_arrays_add(&show.arrays, count, sizeof *show.packets);
  show.load_modes = tac_arrays_add(&show.arrays, count, sizeof *show.load_modes);
  show.has_volume = tac_arrays_add(&show.arrays, count, sizeof *show.has_volume);
  show.colours = tac_arrays_add(&show.arrays, count, sizeof *show.colours);
  show.masks = tac_arrays_add(&show.arrays, count, sizeof *show.masks);
  TAC_TRY(tac_arrays_status(&show.arrays, "bodies", error));
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_SHOW, "what is shown", error));
  TAC_TRY(tac_frame_maker_create(scene, world, load, &show.maker, error));
  TAC_TRY(tac_view_shells_create(world, &show.shell_count, &show.shells, error));
  for (int b = 0; b < show.body_count; ++b) TAC_TRY(show_body(scene, world, b, loading, &show, error));
  tac_show_measure_masks(&show, world);
  *result = show;
  show = (tacShow){0};
  return TAC_OK;
}
