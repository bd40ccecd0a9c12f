#include <tactus/scene.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/scene_kinds.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"
#include "spec/body_copy.h"
#include "spec/body_mesh.h"

TAC_OWNED_TYPE(tacScene, tac_scene_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Returns the name of a file without folder and ending: "scenes/kidney.yaml" gives "kidney". */
static char *stem_of(const char *path, tacError *error) {
  const char *slash = strrchr(path, '/'), *start = slash != NULL ? slash + 1 : path;
  char *stem = tac_array_text(start, error);
  if (stem == NULL) return NULL;
  char *dot = strrchr(stem, '.');
  if (dot != NULL && dot != stem) *dot = '\0';
  return stem;
}

static tacStatus fill_scene(tacScene *scene, const char *text, const char *path, tacError *error) {
  if ((scene->text = tac_array_text(text, error)) == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_yaml_tree_parse(text, strlen(text), path, &scene->tree, error));
  TAC_TRY(tac_scene_file_read(scene->tree, &scene->file, error));
  scene->baked = tac_array_create((size_t)scene->file.bodies.count, sizeof *scene->baked, "bodies", error);
  scene->name = scene->file.name != NULL ? tac_array_text(scene->file.name, error) : stem_of(path, error);
  return scene->baked == NULL || scene->name == NULL ? TAC_ERR_MEMORY : TAC_OK;
}

tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error) {
  TAC_REQUIRE(error, scene);
  *scene = NULL;
  TAC_REQUIRE(error, text, path);
  TAC_OWN(tacScene, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a scene", error));
  TAC_TRY(fill_scene(made, text, path, error));
  *scene = tac_give(&made);
  return TAC_OK;
}

static tacStatus require_file(const tacYamlNode *node, const char *file, void *user, tacError *error) {
  const tacScene *scene = user;
  TAC_MEMORY(char, path) = tac_body_path(scene->tree, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  if (access(path, R_OK) == 0) return TAC_OK;
  return tac_yaml_error(scene->tree, node, TAC_ERR_FILE, error,
                        errno == ENOENT ? "no such file: %.300s" : "cannot read %.300s", path);
}

tacStatus tac_scene_text_read(const char *path, tacInputFile *input, tacError *error) {
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_SCENE, input, error));
  if (memchr(input->bytes, 0, input->size) == NULL) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file contains binary data; a scene is a text file", path);
}

tacStatus tac_scene_require_files(tacScene *scene, tacError *error) {
  return tac_scene_file_visit(&scene->file, require_file, scene, error);
}

tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error) {
  TAC_REQUIRE(error, scene);
  *scene = NULL;
  TAC_REQUIRE(error, path);
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  TAC_OWN(tacScene, made) = NULL;
  TAC_TRY(tac_scene_text_read(path, &input, error));
  TAC_TRY(tac_scene_parse((const char *)input.bytes, path, &made, error));
  TAC_TRY(tac_scene_require_files(made, error));
  *scene = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_scene_small(const tacScene *scene, tacScene **small, tacError *error) {
  static const char key[] = "\nsmall: true\n";
  *small = NULL;
  if (scene->file.small)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: this scene is already the small version", tac_scene_path(scene));
  size_t length = strlen(scene->text);
  TAC_MEMORY(char, text) = NULL;
  TAC_OWN(tacScene, made) = NULL;
  TAC_TRY(TAC_ARRAY(text, length + sizeof key, "a scene", error));
  memcpy(text, scene->text, length);
  memcpy(text + length, key, sizeof key);
  TAC_TRY(tac_scene_parse(text, tac_scene_path(scene), &made, error));
  if (!made->file.lowered)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the scene has no setting that a small version can reduce",
                         tac_scene_path(scene));
  *small = tac_give(&made);
  return TAC_OK;
}

bool tac_scene_is_small(const tacScene *scene) {
  return scene->file.small;
}

typedef struct {
  const tacScene *scene;
  tacSceneFileFn *file;
  void *user;
} FileCall;

static tacStatus call_file(const tacYamlNode *node, const char *file, void *user, tacError *error) {
  const FileCall *call = user;
  (void)node;
  TAC_MEMORY(char, path) = tac_body_path(call->scene->tree, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  call->file(path, call->user);
  return TAC_OK;
}

void tac_scene_files(const tacScene *scene, tacSceneFileFn *file, void *user) {
  FileCall call = {scene, file, user};
  tac_scene_file_visit(&scene->file, call_file, &call, NULL);
}

tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error) {
  TAC_REQUIRE(error, scene);
  *scene = NULL;
  TAC_REQUIRE(error, recording);
  const tacRecordingInfo *info = tac_recording_info(recording);
  TAC_OWN(tacScene, made) = NULL;
  if (info->scene == NULL || info->scene[0] == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the recording contains no scene; it was made without one");
  TAC_TRY(tac_scene_parse(info->scene, info->scene_path, &made, error));
  TAC_TRY(tac_scene_set_recorded_rates(made, recording, error));
  *scene = tac_give(&made);
  return TAC_OK;
}

void tac_scene_destroy(tacScene *scene) {
  if (scene == NULL) return;
  for (int i = 0; scene->baked != NULL && i < scene->file.bodies.count; ++i) tac_baked_body_free(&scene->baked[i]);
  free(scene->baked);
  free(scene->assets);
  free(scene->cache);
  tac_yaml_tree_destroy(scene->tree);
  free(scene->text);
  free(scene->name);
  free(scene);
}

const char *tac_scene_name(const tacScene *scene) {
  return scene != NULL ? scene->name : NULL;
}

const char *tac_scene_about(const tacScene *scene) {
  return scene != NULL && scene->file.about != NULL ? scene->file.about : "";
}

const char *tac_scene_text(const tacScene *scene) {
  return scene != NULL ? scene->text : NULL;
}

const char *tac_scene_path(const tacScene *scene) {
  return scene != NULL ? tac_yaml_tree_path(scene->tree) : NULL;
}

tacStatus tac_scene_require_bake(const tacScene *scene, tacError *error) {
  for (int i = 0; i < scene->file.bodies.count; ++i)
    if (scene->baked[i].surface == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: the scene is not baked; call tac_scene_bake first",
                           tac_scene_path(scene));
  return TAC_OK;
}

int tac_scene_body_count(const tacScene *scene) {
  return scene->file.bodies.count;
}

const char *tac_scene_body_name(const tacScene *scene, int body) {
  return scene != NULL && body >= 0 && body < scene->file.bodies.count ? tac_scene_file_body(&scene->file, body)->name
                                                                       : NULL;
}

const char *tac_scene_body_kind_name(const tacScene *scene, int body) {
  return tac_scene_file_body(&scene->file, body)->row->name;
}

int tac_scene_body_copies(const tacScene *scene, int body) {
  return tac_body_copy_count(tac_scene_file_body(&scene->file, body));
}

int tac_scene_body_of(const tacScene *scene, int index) {
  for (int i = 0; index >= 0 && i < scene->file.bodies.count; ++i) {
    index -= tac_scene_body_copies(scene, i);
    if (index < 0) return i;
  }
  return -1;
}

int tac_scene_tool_count(const tacScene *scene) {
  return scene->file.tools.count;
}

const char *tac_scene_tool_name(const tacScene *scene, int tool) {
  return scene != NULL && tool >= 0 && tool < scene->file.tools.count ? tac_scene_file_tool(&scene->file, tool)->name
                                                                      : NULL;
}

double tac_scene_duration(const tacScene *scene) {
  return scene != NULL ? scene->file.duration : 0.0;
}

tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error) {
  TAC_REQUIRE(error, scene);
  if (!(rate >= 250.0 && rate <= 10000.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a rate of %g Hz is out of range; use a rate from 250 to 10,000 Hz",
                         rate);
  int every;
  TAC_TRY(tac_scene_rate_every(&scene->file.rate, rate, &every, error));
  scene->file.servo.def.rate = rate;
  return TAC_OK;
}

/* Rounds the rate to an integer if the integer rate has exactly this period: 0.001 s is 1000 Hz, not
 * 999.9999999999999 Hz. */
tacStatus tac_scene_set_period(tacScene *scene, double period, tacError *error) {
  double rate = 1.0 / period, whole = round(rate);
  return tac_scene_set_rate(scene, 1.0 / whole == period ? whole : rate, error);
}

tacStatus tac_scene_set_simulate_rate(tacScene *scene, double rate, tacError *error) {
  tacSceneRate wanted = scene->file.rate;
  int every;
  wanted.simulate = rate;
  TAC_TRY(tac_scene_rate_every(&wanted, scene->file.servo.def.rate, &every, error));
  scene->file.rate = wanted;
  return TAC_OK;
}

tacStatus tac_scene_set_recorded_rates(tacScene *scene, const tacRecording *recording, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  scene->file.rate.simulate = 0.0; /* the rate of the file may not match the recorded period */
  TAC_TRY(tac_scene_set_period(scene, info->period, error));
  if (info->simulate_every <= 1) return TAC_OK;
  return tac_scene_set_simulate_rate(scene, scene->file.servo.def.rate / info->simulate_every, error);
}

tacServoDef tac_scene_servo(const tacScene *scene) {
  if (scene == NULL) return tac_servo_def_default();
  tacServoDef def = scene->file.servo.def;
  def.duration = scene->file.duration;
  return def;
}

typedef struct {
  int wanted, count; /* index of the wanted parameter; number of parameters so far */
  tacSceneLive *live;
} LiveSearch;

/* Counts a live parameter, and stores the wanted parameter. `group` is "" or a prefix such as "cables.". */
static void offer_live(LiveSearch *search, const char *body, const char *group, const char *name, tacSceneRange range) {
  if (!(range.most > range.least) || search->count++ != search->wanted) return;
  *search->live = (tacSceneLive){.least = range.least, .most = range.most};
  snprintf(search->live->name, sizeof search->live->name, "%s.%s%s", body, group, name);
}

/* Returns the number of live parameters. Stores the live parameter `index` in `live` if this parameter exists. */
static int find_live(const tacScene *scene, int index, tacSceneLive *live) {
  LiveSearch search = {index, 0, live};
  for (int b = 0; b < scene->file.bodies.count; ++b) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, b);
    const tacSceneRanges *ranges = &body->live;
    offer_live(&search, body->name, "", "stiffness", ranges->stiffness);
    offer_live(&search, body->name, "", "friction", ranges->friction);
    offer_live(&search, body->name, "", "mask", ranges->mask);
    offer_live(&search, body->name, "", "damping", ranges->damping);
    offer_live(&search, body->name, "", "strain_rate", ranges->strain_rate);
    offer_live(&search, body->name, "", "touch", ranges->touch);
    offer_live(&search, body->name, "", "moved", ranges->moved);
    int groups = tac_scene_body_material_count(body);
    for (int g = 0; g < groups; ++g) {
      char group[80] = "";
      if (groups > 1)
        snprintf(group, sizeof group, "%.64s.", tac_scene_material_name(tac_scene_body_material(body, g)));
      offer_live(&search, body->name, group, "lambda", ranges->lambda);
      offer_live(&search, body->name, group, "mu", ranges->mu);
      offer_live(&search, body->name, group, "density", ranges->density);
    }
  }
  for (int i = 0; i < scene->file.contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(&scene->file, i);
    char bodies[132];
    snprintf(bodies, sizeof bodies, "%.64s-%.64s", pair->points, pair->field);
    offer_live(&search, bodies, "", "stiffness", pair->live.stiffness);
    offer_live(&search, bodies, "", "friction", pair->live.friction);
  }
  return search.count;
}

int tac_scene_live_count(const tacScene *scene) {
  return find_live(scene, -1, NULL);
}

bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live) {
  return scene != NULL && live != NULL && index >= 0 && find_live(scene, index, live) > index;
}

bool tac_scene_material(const tacScene *scene, int body, double *young, double *poisson) {
  const tacSceneBody *b = tac_scene_file_body(&scene->file, body);
  if (tac_scene_body_material_count(b) == 0) return false;
  const tacSceneMaterial *first = tac_scene_body_material(b, 0);
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *own = tac_scene_body_material(b, i);
    if (!own->has_young || own->young != first->young || own->poisson != first->poisson) return false;
  }
  *young = first->young;
  *poisson = first->poisson;
  return true;
}

tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh,
                           tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, scene);
  const tacSceneBody *b = tac_scene_file_body(&scene->file, body);
  tacBodyMaker maker = {scene->tree, b, progress, error, tac_scene_kind_of(b)->relaxes, scene->cache, false};
  TAC_OWN(tacTriMesh, surface) = NULL;
  if (!b->has_volume) return TAC_OK; /* a body of boundary elements, or a rigid body */
  TAC_TRY(tac_scene_volume_whole(&b->volume) ? TAC_OK : tac_body_mesh_surface(&maker, &surface));
  return tac_body_mesh_volume(&maker, surface, mesh);
}
