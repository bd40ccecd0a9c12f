#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include "app/viewer/state/view_scene.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "servo/servo.h"

/* ---- exhibits ---- */

/* `stage`: whose devices the tools have; NULL: they have none. */
static json_t *make_scene(const char *file, const tacScene *scene, const tacWorld *world, const tacStage *stage,
                          const tacShow *show) {
  tacViewScene def = {.file = file,
                      .scene = scene,
                      .world = world,
                      .devices = stage != NULL ? stage->devices : NULL,
                      .takes_pointer = stage != NULL ? stage->takes_pointer : NULL,
                      .has_volume = show->has_volume,
                      .colours = show->colours,
                      .masks = show->masks,
                      .box = show->box};
  return tac_view_scene_json(&def);
}

static tacStatus make(tacSession *s, const tacScene *scene, const tacWorld *world, const tacStage *stage, uint32_t load,
                      tacExhibit *exhibit, tacError *error) {
  *exhibit = (tacExhibit){.load = load};
  tacStatus status = tac_show_make(scene, world, load, &s->loading, &exhibit->show, error);
  if (status != TAC_OK) return status;
  exhibit->scene = make_scene(s->state.file, scene, world, stage, &exhibit->show);
  if (exhibit->scene != NULL) return TAC_OK;
  tac_exhibit_free(exhibit);
  return tac_error_set(error, TAC_ERR_MEMORY, "not enough memory to describe the scene");
}

tacStatus tac_exhibit_make_stage(tacSession *s, uint32_t load, tacExhibit *exhibit, tacError *error) {
  return make(s, s->stage.scene, s->stage.world, &s->stage, load, exhibit, error);
}

tacStatus tac_exhibit_make_tape(tacSession *s, uint32_t load, const tacTape *tape, tacExhibit *exhibit,
                                tacError *error) {
  return make(s, tac_tape_scene(tape), tac_tape_world(tape), NULL, load, exhibit, error);
}

json_t *tac_exhibit_stage_scene(const tacSession *s) {
  return make_scene(s->state.file, s->stage.scene, s->stage.world, &s->stage, &s->show);
}

void tac_exhibit_free(tacExhibit *exhibit) {
  tac_show_free(&exhibit->show);
  json_decref(exhibit->scene);
  exhibit->scene = NULL;
}

/* ---- on show ---- */

/* Changes places: what is to be shown with what was. */
static void exchange(tacSession *s, tacShows shows, tacExhibit *exhibit) {
  tacExhibit before = {s->load, s->show, s->state.scene};
  s->load = exhibit->load;
  s->show = exhibit->show;
  s->state.scene = exhibit->scene;
  *exhibit = before;
  s->shows = shows;
  tac_packet_release(s->still);
  s->still = NULL;
  s->state.busy[0] = s->state.loading.what[0] = 0;
}

/* Each page has a tool of its own where there are enough; those who came first choose first. */
static void assign_tools(tacSession *s) {
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) s->hands.page[t] = s->hands.barred[t] = 0;
  for (int i = 0; i < TAC_SESSION_MOST_CLIENTS; ++i)
    if (s->clients.list[i].number != 0) tac_hands_join(&s->hands, &s->stage, s->clients.list[i].number);
  tac_session_update_hands(s);
}

void tac_session_show_stage(tacSession *s, tacExhibit *exhibit) {
  exchange(s, TAC_SHOWS_WORLD, exhibit);
  s->state.phase = TAC_VIEW_RUNNING;
  s->state.rate = 1.0 / tac_world_period(s->stage.world);
  s->state.replay[0] = 0;
  assign_tools(s);
  tac_servo_set_speed(s->stage.servo, s->state.speed);
  tac_measure_begin(&s->measure);
  s->watched_since = tac_clock_now();
  tac_session_send_state(s, 0);
  tac_session_send_bodies(s, 0);
}

void tac_session_show_tape(tacSession *s, tacTape **tape, tacExhibit *exhibit) {
  tacTape *before = s->tape;
  s->tape = *tape;
  *tape = before;
  exchange(s, TAC_SHOWS_TAPE, exhibit);
  s->state.phase = TAC_VIEW_REPLAYING;
  tac_session_update_hands(s);
  s->state.rate = 1.0 / tac_world_period(tac_tape_world(s->tape));
  s->measure = (tacMeasure){0};
  tac_session_send_state(s, 0);
  tac_session_send_bodies(s, 0);
}

void tac_session_show_nothing(tacSession *s, tacExhibit *exhibit) {
  *exhibit = (tacExhibit){.load = s->load + 1};
  exchange(s, TAC_SHOWS_NOTHING, exhibit);
  s->state.replay[0] = 0;
}

void tac_session_hold(tacSession *s, const char *why) {
  s->still = tac_session_still(s);
  s->shows = TAC_SHOWS_STILL;
  snprintf(s->state.busy, sizeof s->state.busy, "%s", why);
  s->state_changed = true;
}

void tac_session_resume(tacSession *s) {
  tac_packet_release(s->still);
  s->still = NULL;
  s->shows = TAC_SHOWS_WORLD;
  tac_servo_set_speed(s->stage.servo, s->state.speed);
  s->state.busy[0] = s->state.loading.what[0] = 0;
  tac_measure_begin(&s->measure);
  s->watched_since = tac_clock_now();
  tac_frame_maker_refresh(s->show.maker);
  s->state_changed = true;
}

void tac_session_fail(tacSession *s, const tacError *error) {
  tacExhibit old;
  tacTape *tape = s->tape;
  pthread_mutex_lock(&s->lock);
  tac_session_show_nothing(s, &old);
  s->tape = NULL;
  s->state.phase = TAC_VIEW_FAILED;
  s->state.error = *error;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  tac_log(TAC_LOG_WARNING, "%s", error->text); /* in the terminal too */
  tac_exhibit_free(&old);
  tac_tape_close(tape);
}
