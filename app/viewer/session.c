#include "app/viewer/session.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/viewer/field_answer.h"
#include "app/viewer/gallery.h"
#include "app/viewer/hands.h"
#include "app/viewer/jobs.h"
#include "app/viewer/live_parameters.h"
#include "app/viewer/measure.h"
#include "app/viewer/recordings.h"
#include "app/viewer/show.h"
#include "app/viewer/spacemouse.h"
#include "app/viewer/stage.h"
#include "app/viewer/tape.h"
#include "app/viewer/view_state.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

enum {
  DISPLAY_RATE = 60, /* frames a second */
  MOST_SAMPLES = 10000,
  STATE_FRAMES = 6, /* progress is told so often */
  /* Those that have joined and not yet left: more than there are clients, since the server tells that one left after it has
   * let another one in. */
  MOST_CLIENTS = 8 * TAC_VIEW_MOST_CLIENTS
};

typedef struct {
  int number; /* 0: a free place */
  unsigned wishes;
  uint32_t shells; /* 1 + the load whose pointshells it is sent; 0: none */
} Client;

struct tacSession {
  tacSessionDef def;
  char *texts[6]; /* the def's strings */
  tacGallery gallery;
  tacViewServer *server;

  pthread_mutex_t lock;
  pthread_cond_t changed; /* a job waits, the server is there, or it ends */
  bool locked_ready;      /* lock and condition are made */
  bool ending;
  atomic_bool cancelled; /* what loads now shall not go on */
  tacThread worker, display;
  bool working, displaying;

  tacJobs jobs;

  tacViewState state;
  bool state_changed;
  uint32_t load;
  tacStage stage;
  tacTape *tape;
  int64_t tape_index, tape_sent; /* shown; samples were sent up to there (-1: none) */
  double tape_time;              /* s since its start */
  tacShow show;

  Client clients[MOST_CLIENTS];
  tacHands hands;
  tacMeasure measure;
  tacTickSample *samples; /* since the last frame */
  int sample_count;
  uint32_t frame;
  int64_t frames_since;
  int frames_counted;
  double frame_rate;
  tacSpaceMouse *spacemouse;
};

/* ---- telling ---- */

/* With the lock. */
static void send_text(tacSession *s, int client, tacViewKind kind, uint32_t b, char *json) {
  tacPacket *packet = NULL;
  if (json != NULL && s->server != NULL && tac_view_text_packet(kind, b, json, &packet, NULL) == TAC_OK) {
    tac_view_server_send(s->server, client, packet);
    tac_packet_release(packet);
  }
  free(json);
}

static void send_state(tacSession *s, int client) {
  send_text(s, client, TAC_VIEW_STATE, s->load, tac_view_state_text(&s->state));
}

static void send_bodies(tacSession *s, int client) {
  for (int b = 0; b < s->show.body_count && s->server != NULL; ++b) {
    if (s->show.packets[b] != NULL) tac_view_server_send(s->server, client, s->show.packets[b]);
    if (s->show.load_modes[b] != NULL) tac_view_server_send(s->server, client, s->show.load_modes[b]);
  }
}

static void notice(tacSession *s, bool is_error, const char *text) {
  send_text(s, 0, TAC_VIEW_NOTICE, 0, tac_view_state_notice(is_error, text));
}

/* ---- what is on show ---- */

static void drop_show(tacSession *s) {
  tac_show_free(&s->show);
  s->state.scene = NULL;
  s->state.world = NULL;
  s->state.devices = NULL;
  s->state.takes_pointer = NULL;
}

/* With the lock: takes the show over. `stage`: whose devices the tools have; NULL: they have none. */
static void put_on_show(tacSession *s, const tacShow *show, const tacScene *scene, const tacWorld *world,
                        const tacStage *stage, uint32_t load) {
  drop_show(s);
  s->show = *show;
  s->load = load;
  s->state.scene = scene;
  s->state.world = world;
  s->state.has_volume = s->show.has_volume;
  s->state.colours = s->show.colours;
  s->state.masks = s->show.masks;
  s->state.box = s->show.box;
  if (stage != NULL) {
    s->state.devices = stage->devices;
    s->state.takes_pointer = stage->takes_pointer;
  }
  send_state(s, 0);
  send_bodies(s, 0);
}

static void close_tape(tacSession *s) {
  tac_tape_close(s->tape);
  s->tape = NULL;
  s->state.replay[0] = 0;
}

/* With the lock. */
static void fail(tacSession *s, const tacError *error) {
  drop_show(s);
  close_tape(s);
  s->state.phase = TAC_VIEW_FAILED;
  s->state.error = *error;
  tac_log(TAC_LOG_WARNING, "%s", error->text); /* in the terminal too */
  s->state.loading.what[0] = 0;
  ++s->load;
  s->state_changed = true;
}

static bool tell_progress(const tacLoadingMoment *moment, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  s->state.loading = *moment;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  return !atomic_load(&s->cancelled);
}

/* ---- recordings ---- */

static void output_folder(const tacSession *s, char *folder, size_t size) {
  if (s->def.output != NULL)
    snprintf(folder, size, "%s", s->def.output);
  else
    snprintf(folder, size, "out/%s", s->stage.scene != NULL ? tac_scene_name(s->stage.scene) : "view");
}

static void list_recordings(tacSession *s) {
  char folder[1024];
  output_folder(s, folder, sizeof folder);
  s->state.recording_count =
      tac_recordings_list(folder, s->state.recording, TAC_VIEW_MOST_RECORDINGS, s->state.recordings);
}

static void read_spacemouse(tacSession *s) {
  tacVec3 velocity, spin;
  unsigned buttons = 0;
  if (s->spacemouse == NULL) return;
  /* It is read in every phase: unread events would fill its socket, and the newest be lost. */
  if (!tac_spacemouse_read(s->spacemouse, &velocity, &spin, &buttons)) {
    tac_spacemouse_close(s->spacemouse);
    s->spacemouse = NULL;
  } else if (s->state.phase == TAC_VIEW_RUNNING) {
    tac_hands_carry(&s->hands, &s->stage, velocity, spin, buttons, 1.0 / DISPLAY_RATE);
  }
}

/* ---- parameters ---- */

static bool queue_job(tacSession *s, int client, const tacViewMessage *message) {
  bool added = tac_jobs_add(&s->jobs, client, message);
  if (added) pthread_cond_broadcast(&s->changed);
  return added;
}

static void set_parameter(tacSession *s, const tacViewMessage *message) {
  uint32_t index = message->command.index;
  if (s->state.phase != TAC_VIEW_RUNNING || index >= (uint32_t)s->state.parameter_count) return;
  if (!tac_live_parameters_set(&s->stage, &s->state, index, message->command.value)) queue_job(s, 0, message);
  s->state_changed = true;
}

/* ---- sketches ---- */

/* With the lock, while nothing runs. */
static void end_sketch(tacSession *s, const char *recording) {
  tac_sketch_end(&s->state.sketch, s->stage.world, recording);
  tac_live_parameters_note(&s->stage, s->state.sketch.parameter, &s->state);
  s->state_changed = true;
}

/* ---- the worker ---- */

/* With the lock: ends what runs, and a recording with it. */
static void halt(tacSession *s) {
  tacError error = {0};
  char recording[sizeof s->stage.recording], text[sizeof recording + 32];
  snprintf(recording, sizeof recording, "%s", s->stage.recording);
  tacStatus status = tac_stage_halt(&s->stage, &error);
  s->state.recording[0] = 0;
  if (s->state.sketch.active) end_sketch(s, status == TAC_OK ? recording : "");
  if (recording[0] == 0) return;
  snprintf(text, sizeof text, "Recorded to %s", recording);
  notice(s, status != TAC_OK, status == TAC_OK ? text : error.text);
}

/* With the lock, while nothing runs: starts the servo from the reset state; without a recording where none can be written. */
static void run_servo(tacSession *s, const char *recording) {
  tacError error = {0};
  s->state.fault[0] = s->state.remark[0] = 0;
  s->state.paused = false;
  tac_live_parameters_apply(&s->stage, &s->state);
  tacStatus status = tac_stage_run(&s->stage, recording, s->def.program, &error);
  if (status == TAC_OK && recording != NULL) {
    snprintf(s->state.recording, sizeof s->state.recording, "%s", strrchr(recording, '/') + 1);
  } else if (status != TAC_OK && recording != NULL) {
    notice(s, true, error.text);
    status = tac_stage_run(&s->stage, NULL, s->def.program, &error);
  }
  if (status != TAC_OK) fail(s, &error);
  tac_measure_begin(&s->measure);
  s->sample_count = 0;
  s->state_changed = true;
}

static void start_servo(tacSession *s, const char *recording) {
  halt(s);
  run_servo(s, recording);
}

/* With the lock: the stage leaves. The servo must not run then, since it refers to the devices where they are. */
static tacStage take_stage(tacSession *s) {
  halt(s);
  tacStage stage = s->stage;
  s->stage = (tacStage){0};
  return stage;
}

static void open_scene(tacSession *s, const char *file) {
  tacError error = {0};
  pthread_mutex_lock(&s->lock);
  drop_show(s);
  close_tape(s);
  tacStage old = take_stage(s);
  bool demo = s->state.demo;
  s->state = (tacViewState){.phase = file[0] != 0 ? TAC_VIEW_LOADING : TAC_VIEW_IN_GALLERY, .demo = demo};
  snprintf(s->state.file, sizeof s->state.file, "%s", file);
  tacLoading loading;
  tac_loading_begin(file, tell_progress, s, &loading);
  if (file[0] != 0) {
    s->state.loading = loading.moment;
    snprintf(s->state.loading.what, sizeof s->state.loading.what, "reading");
  }
  uint32_t load = ++s->load;
  send_state(s, 0);
  pthread_mutex_unlock(&s->lock);
  tac_stage_destroy(&old);
  if (file[0] == 0) return;

  tacStage stage = {0};
  tacShow show = {0};
  char *path = tac_gallery_path(&s->gallery, file, &error);
  tacStatus status = path != NULL ? tac_stage_load(path, s->def.cache, true, &loading, &stage, &error) : TAC_ERR_ARGUMENT;
  free(path);
  if (status == TAC_OK) status = tac_show_make(stage.scene, stage.world, load, &loading, &show, &error);
  if (status != TAC_OK) tac_stage_destroy(&stage);
  if (status == TAC_ERR_CANCELLED) return; /* another one is to be opened */
  pthread_mutex_lock(&s->lock);
  if (status == TAC_OK) {
    s->stage = stage;
    s->state.phase = TAC_VIEW_RUNNING;
    s->state.loading.what[0] = 0;
    tac_hands_begin(&s->hands, &s->stage);
    tac_live_parameters_list(&s->stage, &s->state);
    list_recordings(s);
    put_on_show(s, &show, s->stage.scene, s->stage.world, &s->stage, load);
    start_servo(s, NULL);
  } else {
    fail(s, &error);
  }
  pthread_mutex_unlock(&s->lock);
}

/* The live world again after a replay. */
static void return_to_world(tacSession *s) {
  tacError error = {0};
  tacShow show = {0};
  pthread_mutex_lock(&s->lock);
  bool replaying = s->tape != NULL;
  uint32_t load = s->load + 1;
  pthread_mutex_unlock(&s->lock);
  if (!replaying) return;
  if (s->stage.scene == NULL) { /* there was none */
    open_scene(s, "");
    return;
  }
  tacLoading loading;
  tac_loading_begin(tac_scene_name(s->stage.scene), tell_progress, s, &loading);
  tacStatus status = tac_show_make(s->stage.scene, s->stage.world, load, &loading, &show, &error);
  if (status == TAC_ERR_CANCELLED) return;
  pthread_mutex_lock(&s->lock);
  if (status == TAC_OK) {
    close_tape(s);
    s->state.loading.what[0] = 0;
    s->state.phase = TAC_VIEW_RUNNING;
    tac_hands_rest(&s->hands, &s->stage);
    put_on_show(s, &show, s->stage.scene, s->stage.world, &s->stage, load);
    start_servo(s, NULL);
  } else {
    fail(s, &error);
  }
  pthread_mutex_unlock(&s->lock);
}

/* With the lock: takes the tape and its show over. `moment`: s, negative for that of the largest force. */
static void put_tape(tacSession *s, tacTape *tape, const char *path, double moment, const tacShow *show,
                     uint32_t load) {
  close_tape(s);
  s->tape = tape;
  s->tape_sent = -1;
  s->tape_time = moment >= 0.0 ? moment : (double)tac_tape_peak(tape) * tac_world_period(tac_tape_world(tape));
  s->measure = (tacMeasure){0};
  s->state.phase = TAC_VIEW_REPLAYING;
  s->state.paused = false;
  s->state.replay_duration = tac_tape_duration(tape);
  s->state.replay_speed = 0.0;
  snprintf(s->state.replay, sizeof s->state.replay, "%s", strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
  put_on_show(s, show, tac_tape_scene(tape), tac_tape_world(tape), NULL, load);
  if (tac_tape_remark(tape)[0] != 0) notice(s, false, tac_tape_remark(tape));
}

static void open_tape(tacSession *s, const char *path, double moment) {
  tacError error = {0};
  tacLoading loading;
  tac_loading_begin(strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path, tell_progress, s, &loading);
  tacTape *tape = NULL;
  tacShow show = {0};
  pthread_mutex_lock(&s->lock);
  halt(s);
  list_recordings(s);
  s->state.loading = loading.moment;
  snprintf(s->state.loading.what, sizeof s->state.loading.what, "reading");
  s->state_changed = true;
  uint32_t load = s->load + 1;
  pthread_mutex_unlock(&s->lock);
  tacStatus status = tac_tape_open(path, s->def.cache, &loading, &tape, &error);
  if (status == TAC_OK)
    status = tac_show_make(tac_tape_scene(tape), tac_tape_world(tape), load, &loading, &show, &error);
  if (status != TAC_OK) tac_tape_close(tape);
  if (status == TAC_ERR_CANCELLED) return; /* another scene is to be opened */
  pthread_mutex_lock(&s->lock);
  s->state.loading.what[0] = 0;
  s->state_changed = true;
  if (status == TAC_OK) {
    put_tape(s, tape, path, moment, &show, load);
  } else if (s->stage.scene == NULL && s->tape == NULL) {
    fail(s, &error);
  } else {
    notice(s, true, error.text);
    if (s->tape == NULL) start_servo(s, NULL);
  }
  pthread_mutex_unlock(&s->lock);
}

static void start_replay(tacSession *s, const char *file, double moment) {
  char folder[1024], path[1400] = "";
  pthread_mutex_lock(&s->lock);
  output_folder(s, folder, sizeof folder);
  for (int i = 0; i < s->state.recording_count; ++i) /* names from outside open no others */
    if (strcmp(s->state.recordings[i].file, file) == 0)
      snprintf(path, sizeof path, "%s/%s", folder, s->state.recordings[i].file);
  if (path[0] == 0) notice(s, true, "There is no such recording.");
  pthread_mutex_unlock(&s->lock);
  if (path[0] != 0) open_tape(s, path, moment);
}

/* With the lock. `sketched`: the body that is to be sketched on; -1: none. */
static void start_recording(tacSession *s, int sketched) {
  tacError error = {0};
  char folder[1024], path[1400];
  output_folder(s, folder, sizeof folder);
  if (tac_recordings_new(folder, path, sizeof path, &error) != TAC_OK) {
    notice(s, true, error.text);
    return;
  }
  halt(s);
  bool sketches = sketched >= 0;
  if (sketches && tac_sketch_begin(&s->state.sketch, s->stage.world, sketched, &error) == TAC_OK)
    tac_live_parameters_note(&s->stage, s->state.sketch.parameter, &s->state);
  else if (sketches)
    notice(s, true, error.text);
  run_servo(s, sketches && !s->state.sketch.active ? NULL : path);
  if (s->state.sketch.active && s->state.recording[0] == 0) start_servo(s, NULL); /* it could not be written */
}

static void record(tacSession *s, bool on, int sketched) {
  pthread_mutex_lock(&s->lock);
  if (s->state.phase == TAC_VIEW_RUNNING && on != (s->state.recording[0] != 0)) {
    if (on)
      start_recording(s, sketched);
    else
      start_servo(s, NULL);
    list_recordings(s);
  }
  pthread_mutex_unlock(&s->lock);
}

static void reset(tacSession *s) {
  char ended[256] = "";
  pthread_mutex_lock(&s->lock);
  if (s->state.phase == TAC_VIEW_RUNNING && s->stage.servo != NULL && !tac_servo_running(s->stage.servo)) {
    snprintf(ended, sizeof ended, "%s", s->state.file);
  } else if (s->state.phase == TAC_VIEW_RUNNING) {
    bool paused = s->state.paused;
    tac_hands_rest(&s->hands, &s->stage);
    start_servo(s, NULL);
    if (paused && s->stage.servo != NULL) { /* one tick shows where it begins */
      s->state.paused = true;
      tac_servo_pause(s->stage.servo, true);
      tac_servo_step(s->stage.servo, 1);
    }
    list_recordings(s);
  }
  pthread_mutex_unlock(&s->lock);
  if (ended[0] != 0) open_scene(s, ended); /* a device has failed or come to its end: it must be opened anew */
}

/* A parameter that takes time: the world stands still meanwhile. */
static void rebuild(tacSession *s, uint32_t index) {
  tacError error = {0};
  pthread_mutex_lock(&s->lock);
  if (s->state.phase == TAC_VIEW_RUNNING && index < (uint32_t)s->state.parameter_count) {
    tacViewParameter *p = &s->state.parameters[index];
    halt(s);
    if (tac_world_set_parameter(s->stage.world, p->index, p->value, &error) != TAC_OK) notice(s, true, error.text);
    p->value = tac_world_parameter(s->stage.world, p->index).value;
    tac_show_measure_masks(&s->show, s->stage.world);
    start_servo(s, NULL);
    list_recordings(s);
  }
  pthread_mutex_unlock(&s->lock);
}

/* ---- what single clients ask for ---- */

/* The worker alone replaces what is shown: it may look at it without the lock. */
static void send_shells(tacSession *s, int client) {
  for (int i = 0; i < s->show.shell_count; ++i) {
    tacPacket *packet = NULL;
    if (tac_view_shell_packet(&s->show.shells[i], i, s->load, &packet, NULL) != TAC_OK) continue;
    tac_view_server_send(s->server, client, packet);
    tac_packet_release(packet);
  }
}

/* With the lock: a body's coordinates as they are shown, malloc'ed; NULL: at rest. */
static double *coordinates_of(tacSession *s, tacBodyId id) {
  const tacReduced *reduced = tac_world_body_reduced(s->state.world, id);
  int at = tac_world_body_state(s->state.world, id);
  tacSnapshot snapshot = {0};
  if (reduced == NULL || at < 0) return NULL;
  if (s->tape != NULL && tac_tape_show(s->tape, s->tape_index, &snapshot, NULL) != TAC_OK) return NULL;
  if (s->tape == NULL && s->stage.servo != NULL) snapshot = *tac_servo_snapshot(s->stage.servo);
  if (snapshot.state == NULL) return NULL;
  size_t bytes = (size_t)tac_reduced_size(reduced) * sizeof(double);
  double *q = malloc(bytes);
  if (q != NULL) memcpy(q, snapshot.state + at, bytes);
  return q;
}

/* A slice or an isosurface of a body's field. */
static void send_field(tacSession *s, int client, const tacViewMessage *message) {
  const tacWorld *world = s->state.world;
  tacPacket *packet = NULL;
  if (world == NULL || message->ask.body >= tac_world_body_count(world)) return;
  pthread_mutex_lock(&s->lock);
  double *q = coordinates_of(s, tac_world_body(world, message->ask.body));
  pthread_mutex_unlock(&s->lock);
  if (tac_field_answer_packet(world, q, message, s->load, &packet, NULL) == TAC_OK) {
    tac_view_server_send(s->server, client, packet);
    tac_packet_release(packet);
  }
  free(q);
}

static void do_command(tacSession *s, const tacViewMessage *message) {
  const char *text = message->command.text;
  switch (message->command.command) {
    case TAC_VIEW_OPEN: open_scene(s, text); break;
    case TAC_VIEW_RELOAD: {
      char file[256];
      pthread_mutex_lock(&s->lock);
      snprintf(file, sizeof file, "%s", s->state.file);
      pthread_mutex_unlock(&s->lock);
      if (file[0] != 0) open_scene(s, file);
      break;
    }
    case TAC_VIEW_RESET: reset(s); break;
    case TAC_VIEW_RECORD:
      record(s, message->command.value != 0.0, (int)fmin(message->command.index, INT_MAX) - 1);
      break;
    case TAC_VIEW_REPLAY:
      if (text[0] != 0)
        start_replay(s, text, 0.0);
      else
        return_to_world(s);
      break;
    case TAC_VIEW_PARAMETER: rebuild(s, message->command.index); break;
    default: break;
  }
}

static void do_job(tacSession *s, const tacJob *job) {
  switch (job->message.kind) {
    case TAC_VIEW_COMMAND: do_command(s, &job->message); break;
    case TAC_VIEW_SHOWN: send_shells(s, job->client); break;
    case TAC_VIEW_ASK: send_field(s, job->client, &job->message); break;
    case TAC_VIEW_POINTER: break;
  }
}

static void work(void *context) {
  tacSession *s = context;
  if (s->def.recording != NULL)
    open_tape(s, s->def.recording, s->def.moment);
  else if (s->def.scene != NULL)
    open_scene(s, s->def.scene);
  for (;;) {
    pthread_mutex_lock(&s->lock);
    while (s->jobs.count == 0 && !s->ending) pthread_cond_wait(&s->changed, &s->lock);
    bool ends = s->ending;
    tacJob job = {0};
    if (!ends) job = tac_jobs_take(&s->jobs);
    if (!ends) atomic_store(&s->cancelled, false);
    pthread_mutex_unlock(&s->lock);
    if (ends) return;
    do_job(s, &job);
  }
}

/* ---- the display ---- */

/* They wait for the next frame; of too many the first are dropped. */
static void running_samples(tacSession *s) {
  if (s->stage.servo == NULL) return;
  if (s->sample_count > MOST_SAMPLES / 2) {
    s->sample_count -= MOST_SAMPLES / 2;
    memmove(s->samples, s->samples + MOST_SAMPLES / 2, (size_t)s->sample_count * sizeof *s->samples);
  }
  tacTickSample *fresh = s->samples + s->sample_count;
  int count = tac_servo_samples(s->stage.servo, MOST_SAMPLES - s->sample_count, fresh);
  tac_measure_add(&s->measure, count, fresh, tac_world_period(s->stage.world));
  s->sample_count += count;
}

/* Samples of the ticks between what was sent and what is shown; after a jump those of the last seconds before. */
static void tape_samples(tacSession *s) {
  int64_t first = s->tape_sent + 1;
  bool jumped = s->tape_sent < 0 || first > s->tape_index + 1 || s->tape_index - first >= MOST_SAMPLES;
  if (jumped) first = s->tape_index >= MOST_SAMPLES ? s->tape_index - MOST_SAMPLES + 1 : 0;
  s->sample_count = 0;
  for (int64_t i = first; i <= s->tape_index; ++i)
    if (tac_tape_sample(s->tape, i, &s->samples[s->sample_count], NULL) == TAC_OK) ++s->sample_count;
  s->tape_sent = s->tape_index;
}

static void move_tape(tacSession *s) {
  double period = tac_world_period(tac_tape_world(s->tape));
  s->tape_time = fmin(s->state.replay_duration, fmax(0.0, s->tape_time + s->state.replay_speed / DISPLAY_RATE));
  if (s->state.replay_speed > 0.0 && s->tape_time >= s->state.replay_duration) {
    s->state.replay_speed = 0.0;
    s->state_changed = true;
  }
  int64_t index = llround(s->tape_time / period), last = tac_tape_tick_count(s->tape) - 1;
  s->tape_index = index < last ? index : last;
}

static tacFrameNumbers numbers_of(const tacSession *s, const tacSnapshot *snapshot) {
  tacFrameNumbers numbers = {.display_rate = s->frame_rate, .clients = tac_view_server_client_count(s->server)};
  for (int t = 0; t < snapshot->tool_count; ++t)
    numbers.contacts += snapshot->output[t].contact.state != TAC_CONTACT_NONE;
  tac_measure_tell(&s->measure, &numbers);
  return numbers;
}

static void describe_tools(const tacSession *s, const tacSnapshot *snapshot, tacFrameTool *tools) {
  for (int t = 0; t < snapshot->tool_count; ++t) {
    bool grabs = snapshot->output[t].contact.state == TAC_CONTACT_GRABBED;
    tools[t] = (tacFrameTool){.flags = (snapshot->lifted[t] ? TAC_VIEW_LIFTED : 0u) | (grabs ? TAC_VIEW_GRABS : 0u),
                              .spring = snapshot->position[t]};
    if (s->tape != NULL || !s->stage.takes_pointer[t]) continue;
    tacPointerStatus status = tac_device_pointer_status(&s->stage.devices[t]);
    if (!status.leads) continue;
    tools[t].flags |= TAC_VIEW_LED;
    tools[t].spring = tac_stage_spring(&s->stage, t, &status);
    tools[t].client = s->hands.leader[t];
  }
}

static unsigned wishes_of(const tacSession *s) {
  unsigned wishes = 0;
  for (size_t i = 0; i < sizeof s->clients / sizeof *s->clients; ++i)
    if (s->clients[i].number != 0) wishes |= s->clients[i].wishes;
  return wishes;
}

/* Recordings do not have them. */
static const tacContactMoment *contacts_of(tacSession *s, unsigned wishes) {
  if (s->tape != NULL || (wishes & (TAC_VIEW_WISH_CONTACTS | TAC_VIEW_WISH_COUPLING)) == 0) return NULL;
  return tac_servo_contacts(s->stage.servo, (wishes & TAC_VIEW_WISH_COUPLING) != 0);
}

static void count_frame(tacSession *s) {
  int64_t now = tac_clock_now();
  ++s->frames_counted;
  if (now - s->frames_since < TAC_NS_PER_SECOND / 2) return;
  s->frame_rate = (double)s->frames_counted / tac_clock_seconds(now - s->frames_since);
  s->frames_counted = 0;
  s->frames_since = now;
}

/* With the lock. A frame of the moment; NULL where there is nothing to show or nobody to see it. */
static tacPacket *make_frame(tacSession *s) {
  tacSnapshot snapshot;
  const tacWorld *world = s->state.world;
  if (s->show.maker == NULL) return NULL;
  if (s->tape != NULL)
    move_tape(s);
  else
    running_samples(s);
  if (!tac_view_server_wants_frame(s->server)) return NULL;
  if (s->tape != NULL) {
    if (tac_tape_show(s->tape, s->tape_index, &snapshot, NULL) != TAC_OK) return NULL;
    tape_samples(s);
  } else {
    if (s->stage.servo == NULL) return NULL;
    snapshot = *tac_servo_snapshot(s->stage.servo);
    if (snapshot.tool_count == 0) return NULL; /* no tick yet */
    tac_hands_see(&s->hands, &snapshot);
  }
  tacFrameTool tools[TAC_MOST_TOOLS];
  describe_tools(s, &snapshot, tools);
  ++s->frame;
  unsigned wishes = wishes_of(s);
  const tacContactMoment *contacts = contacts_of(s, wishes);
  tacFrameDef def = {.number = s->frame,
                     .time = (double)snapshot.tick * tac_world_period(world),
                     .snapshot = &snapshot,
                     .tools = tools,
                     .numbers = numbers_of(s, &snapshot),
                     .sample_count = s->sample_count,
                     .samples = s->samples,
                     .contacts = contacts,
                     .wishes = wishes};
  tacPacket *packet = NULL;
  if (tac_frame_maker_frame(s->show.maker, &def, &packet, NULL) != TAC_OK) return NULL;
  s->sample_count = 0;
  count_frame(s);
  return packet;
}

/* What the servo has to say: what it was refused, or why it stopped. */
static void watch_servo(tacSession *s) {
  if (s->state.phase != TAC_VIEW_RUNNING || s->stage.servo == NULL) return;
  if (s->state.remark[0] == 0 && tac_servo_remark(s->stage.servo)[0] != 0) {
    snprintf(s->state.remark, sizeof s->state.remark, "%s", tac_servo_remark(s->stage.servo));
    s->state_changed = true;
  }
  if (s->state.fault[0] == 0 && !tac_servo_running(s->stage.servo)) {
    tac_servo_fault_text(s->stage.servo, s->state.fault, sizeof s->state.fault);
    if (s->state.fault[0] == 0) snprintf(s->state.fault, sizeof s->state.fault, "a device came to its end");
    s->state_changed = true;
  }
}

static void display(void *context) {
  tacSession *s = context;
  int64_t next = tac_clock_now();
  for (int round = 0;; ++round) {
    tac_clock_sleep_until(next);
    pthread_mutex_lock(&s->lock);
    bool ends = s->ending;
    if (!ends) {
      read_spacemouse(s);
      if (s->state.phase == TAC_VIEW_RUNNING && !s->state.paused) tac_live_parameters_push(&s->stage, &s->state);
      watch_servo(s);
      tacPacket *packet = make_frame(s);
      if (s->state_changed && (round % STATE_FRAMES == 0 || s->state.loading.what[0] == 0)) {
        send_state(s, 0);
        s->state_changed = false;
      }
      if (packet != NULL) tac_view_server_frame(s->server, packet);
      tac_packet_release(packet);
    }
    pthread_mutex_unlock(&s->lock);
    if (ends) return;
    int64_t now = tac_clock_now();
    next += TAC_NS_PER_SECOND / DISPLAY_RATE;
    if (next < now) next = now; /* behind: frames are left out */
  }
}

/* ---- callbacks of the server ---- */

/* The place of a client, or a free one for the number 0. */
static Client *client_of(tacSession *s, int number) {
  int i = 0;
  while (i < MOST_CLIENTS - 1 && s->clients[i].number != number) ++i;
  return &s->clients[i];
}

static void joined(void *context, int client) {
  tacSession *s = context;
  pthread_mutex_lock(&s->lock);
  while (s->server == NULL && !s->ending) pthread_cond_wait(&s->changed, &s->lock);
  *client_of(s, 0) = (Client){.number = client, .wishes = TAC_VIEW_WISH_SURFACES};
  char name[64]; /* "tactus 0.1.0" of "tactus 0.1.0, compiled by ..." */
  snprintf(name, sizeof name, "%.*s", (int)strcspn(s->def.program, ","), s->def.program);
  send_text(s, client, TAC_VIEW_WELCOME, (uint32_t)client, tac_view_state_welcome(&s->gallery, name, DISPLAY_RATE));
  send_state(s, client);
  send_bodies(s, client);
  if (s->show.maker != NULL) tac_frame_maker_refresh(s->show.maker);
  if (s->tape != NULL) s->tape_sent = -1; /* its plots from the start */
  pthread_mutex_unlock(&s->lock);
}

static void left(void *context, int client) {
  tacSession *s = context;
  pthread_mutex_lock(&s->lock);
  *client_of(s, client) = (Client){0};
  tac_hands_leave(&s->hands, &s->stage, client);
  pthread_mutex_unlock(&s->lock);
}

static void set_demo(tacSession *s, bool on) {
  s->state.demo = s->hands.demo = on;
  s->state_changed = true;
  if (s->state.phase == TAC_VIEW_RUNNING) tac_hands_rest(&s->hands, &s->stage);
}

/* Ends a load that is under way, and what waits: it would not outlive the new scene. */
static void queue_load(tacSession *s, const tacViewMessage *message) {
  atomic_store(&s->cancelled, true);
  s->jobs.count = 0;
  queue_job(s, 0, message);
}

static void ask_to_open(tacSession *s, const tacViewMessage *message) {
  tacError error = {0};
  const char *file = message->command.text;
  char *path = file[0] != 0 ? tac_gallery_path(&s->gallery, file, &error) : NULL;
  if (path != NULL || file[0] == 0)
    queue_load(s, message);
  else
    notice(s, true, error.text);
  free(path);
}

static void ask_to_reload(tacSession *s, const tacViewMessage *message) {
  if (tac_jobs_wait(&s->jobs, TAC_VIEW_OPEN)) return; /* which reads its file then */
  if (s->state.file[0] != 0) queue_load(s, message);
}

static void command(tacSession *s, const tacViewMessage *message) {
  double value = message->command.value;
  bool running = s->state.phase == TAC_VIEW_RUNNING, replaying = s->state.phase == TAC_VIEW_REPLAYING;
  switch (message->command.command) {
    case TAC_VIEW_OPEN: ask_to_open(s, message); break;
    case TAC_VIEW_RELOAD: ask_to_reload(s, message); break;
    case TAC_VIEW_RESET:
    case TAC_VIEW_RECORD:
    case TAC_VIEW_REPLAY: queue_job(s, 0, message); break;
    case TAC_VIEW_PAUSE:
      if (!running || s->stage.servo == NULL) break;
      s->state.paused = value != 0.0;
      tac_servo_pause(s->stage.servo, s->state.paused);
      s->state_changed = true;
      break;
    case TAC_VIEW_STEP:
      if (!running || !s->state.paused || s->stage.servo == NULL) break;
      tac_live_parameters_push(&s->stage, &s->state);
      tac_servo_step(s->stage.servo, (int)value);
      break;
    case TAC_VIEW_SEEK:
      if (!replaying) break;
      s->tape_time = fmin(value, s->state.replay_duration);
      break;
    case TAC_VIEW_PLAY:
      if (!replaying) break;
      s->state.replay_speed = value;
      if (value > 0.0 && s->tape_time >= s->state.replay_duration) s->tape_time = 0.0; /* once more */
      s->state_changed = true;
      break;
    case TAC_VIEW_PARAMETER: set_parameter(s, message); break;
    case TAC_VIEW_DEMO: set_demo(s, value != 0.0); break;
  }
}

static void take_wishes(tacSession *s, int number, const tacViewMessage *message) {
  Client *client = client_of(s, number);
  client->wishes = message->shown.wishes;
  bool wants = (client->wishes & TAC_VIEW_WISH_SHELLS) != 0 && s->show.shell_count > 0;
  if (wants && client->shells != s->load + 1 && queue_job(s, number, message)) client->shells = s->load + 1;
}

static void receive(void *context, int client, const tacViewMessage *message) {
  tacSession *s = context;
  pthread_mutex_lock(&s->lock);
  if (!s->ending) switch (message->kind) {
      case TAC_VIEW_POINTER:
        if (s->state.phase == TAC_VIEW_RUNNING) tac_hands_point(&s->hands, &s->stage, client, message);
        break;
      case TAC_VIEW_SHOWN: take_wishes(s, client, message); break;
      case TAC_VIEW_COMMAND: command(s, message); break;
      case TAC_VIEW_ASK: queue_job(s, client, message); break;
    }
  pthread_mutex_unlock(&s->lock);
}

static bool picture(void *context, const char *name, char *path, size_t size) {
  const tacSession *s = context; /* the gallery does not change */
  return tac_gallery_picture(&s->gallery, name, path, size);
}

static void drawn(void *context, const unsigned char *bytes, size_t size) {
  tacSession *s = context;
  s->def.drawn(s->def.context, bytes, size);
}

tacViewHandler tac_session_handler(tacSession *session) {
  return (tacViewHandler){.context = session,
                          .joined = joined,
                          .left = left,
                          .message = receive,
                          .picture = picture,
                          .drawn = session->def.drawn != NULL ? drawn : NULL};
}

/* ---- begin and end ---- */

static tacStatus copy_text(tacSession *s, int index, const char **text, tacError *error) {
  if (*text == NULL) return TAC_OK;
  s->texts[index] = tac_array_text(*text, error);
  *text = s->texts[index];
  return *text != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

tacStatus tac_session_create(const tacSessionDef *def, tacSession **session, tacError *error) {
  *session = NULL;
  tacSession *s = tac_array_create(1, sizeof *s, "a viewer's session", error);
  if (s == NULL) return TAC_ERR_MEMORY;
  s->def = *def;
  const char **texts[] = {&s->def.folder, &s->def.scene,  &s->def.recording,
                          &s->def.cache,  &s->def.output, &s->def.program};
  tacStatus status = TAC_OK;
  for (int i = 0; i < 6 && status == TAC_OK; ++i) status = copy_text(s, i, texts[i], error);
  if (status == TAC_OK) {
    s->samples = tac_array_create(MOST_SAMPLES, sizeof *s->samples, "a viewer's session", error);
    status = s->samples != NULL ? TAC_OK : TAC_ERR_MEMORY;
  }
  if (status == TAC_OK && s->def.folder != NULL) {
    status = tac_gallery_read(s->def.folder, &s->gallery, error);
    if (status == TAC_OK && s->gallery.count == 0)
      tac_log(TAC_LOG_WARNING, "%s: has no scenes (files whose names end in .yaml)", s->def.folder);
  }
  if (status == TAC_OK) {
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->locked_ready = true;
    *session = s;
  } else {
    tac_session_destroy(s);
  }
  return status;
}

tacStatus tac_session_begin(tacSession *s, tacViewServer *server, tacError *error) {
  pthread_mutex_lock(&s->lock);
  s->server = server;
  s->frames_since = tac_clock_now();
  s->spacemouse = tac_spacemouse_open();
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-view-work";
  tacStatus status = tac_thread_create(&def, work, s, &s->worker, error);
  s->working = status == TAC_OK;
  def.name = "tac-view-show";
  if (status == TAC_OK) {
    status = tac_thread_create(&def, display, s, &s->display, error);
    s->displaying = status == TAC_OK;
  }
  return status;
}

void tac_session_end(tacSession *s) {
  pthread_mutex_lock(&s->lock);
  s->ending = true;
  atomic_store(&s->cancelled, true);
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (s->working) tac_thread_join(&s->worker);
  if (s->displaying) tac_thread_join(&s->display);
  s->working = s->displaying = false;
  pthread_mutex_lock(&s->lock);
  drop_show(s);
  close_tape(s);
  tacStage stage = take_stage(s);
  pthread_mutex_unlock(&s->lock);
  tac_stage_destroy(&stage);
}

void tac_session_destroy(tacSession *s) {
  if (s == NULL) return;
  if (s->locked_ready) {
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
  }
  tac_spacemouse_close(s->spacemouse);
  tac_gallery_free(&s->gallery);
  for (int i = 0; i < 6; ++i) free(s->texts[i]);
  free(s->samples);
  free(s);
}
