#include "app/viewer/stage/show.h"

#include <stdio.h>
#include <stdlib.h>
#include "app/viewer/stage/stage.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/progress.h"

void tac_show_free(tacShow *show) {
  tac_frame_maker_destroy(show->maker);
  for (int b = 0; b < show->body_count && show->packets != NULL; ++b) tac_packet_release(show->packets[b]);
  for (int b = 0; b < show->body_count && show->load_modes != NULL; ++b) tac_packet_release(show->load_modes[b]);
  free(show->packets);
  free(show->load_modes);
  free(show->has_volume);
  free(show->colours);
  free(show->masks);
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
  tacVolMesh *volume = NULL;
  tacStatus status = TAC_OK;
  if (has_own_volume(scene, world, body))
    status = tac_scene_volume(scene, tac_scene_body_of(scene, body), progress, &volume, error);
  if (status == TAC_OK) status = tac_frame_maker_body(show->maker, body, volume, &show->packets[body], error);
  if (status == TAC_OK) status = tac_frame_maker_load_modes(show->maker, body, &show->load_modes[body], error);
  show->has_volume[body] = volume != NULL;
  show->colours[body] = tac_frame_maker_colours(show->maker, body);
  tac_volmesh_destroy(volume);
  return status;
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

tacStatus tac_show_make(const tacScene *scene, const tacWorld *world, uint32_t load, tacLoading *loading, tacShow *show,
                        tacError *error) {
  size_t count = (size_t)tac_world_body_count(world);
  *show = (tacShow){.body_count = (int)count, .box = tac_stage_box(world)};
  show->packets = tac_array_create(count, sizeof *show->packets, "bodies", error);
  show->load_modes = tac_array_create(count, sizeof *show->load_modes, "bodies", error);
  show->has_volume = tac_array_create(count, sizeof *show->has_volume, "bodies", error);
  show->colours = tac_array_create(count, sizeof *show->colours, "bodies", error);
  show->masks = tac_array_create(count, sizeof *show->masks, "bodies", error);
  bool whole = show->packets != NULL && show->load_modes != NULL && show->has_volume != NULL && show->colours != NULL &&
               show->masks != NULL;
  tacStatus status = whole ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK && !tac_loading_enter(loading, TAC_LOADING_SHOW, "what is shown", error))
    status = TAC_ERR_CANCELLED;
  if (status == TAC_OK) status = tac_frame_maker_create(scene, world, load, &show->maker, error);
  if (status == TAC_OK) status = tac_view_shells_create(world, &show->shell_count, &show->shells, error);
  for (int b = 0; b < show->body_count && status == TAC_OK; ++b)
    status = show_body(scene, world, b, loading, show, error);
  if (status == TAC_OK)
    tac_show_measure_masks(show, world);
  else
    tac_show_free(show);
  return status;
}
