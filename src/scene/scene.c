#include <tactus/scene.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asset/reduced_polynomial.h"
#include "base/array.h"
#include "base/input_file.h"
#include "math/quat.h"
#include "scene/bake_cache.h"
#include "scene/body_copy.h"
#include "scene/body_problem.h"
#include "scene/hand_path.h"
#include "scene/reduced_problem.h"
#include "scene/scene_file.h"

/* What became of a body; all NULL before the bake. */
typedef struct {
  tacGreen *green;
  tacReferenceProblem *problem; /* of a body that is stored near */
  tacReduced *reduced;
} Baked;

struct tacScene {
  char *text, *name;
  tacYamlTree *tree;
  tacSceneFile file;
  Baked *baked; /* [body] */
};

/* "scenes/kidney.yaml" -> "kidney" */
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
  tacStatus status = tac_yaml_tree_parse(text, strlen(text), path, &scene->tree, error);
  if (status == TAC_OK) status = tac_scene_file_read(scene->tree, &scene->file, error);
  if (status != TAC_OK) return status;
  scene->baked = tac_array_create((size_t)scene->file.bodies.count, sizeof *scene->baked, "bodies", error);
  scene->name = scene->file.name != NULL ? tac_array_text(scene->file.name, error) : stem_of(path, error);
  return scene->baked == NULL || scene->name == NULL ? TAC_ERR_MEMORY : TAC_OK;
}

tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error) {
  *scene = NULL;
  tacScene *made = tac_array_create(1, sizeof *made, "a scene", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  tacStatus status = fill_scene(made, text, path, error);
  if (status == TAC_OK)
    *scene = made;
  else
    tac_scene_destroy(made);
  return status;
}

static tacStatus require_file(const tacYamlNode *node, const char *file, void *user, tacError *error) {
  const tacScene *scene = user;
  char *path = tac_body_path(scene->tree, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = TAC_OK;
  if (access(path, R_OK) != 0)
    status = tac_yaml_error(scene->tree, node, TAC_ERR_FILE, error,
                            errno == ENOENT ? "no such file: %.300s" : "cannot read %.300s", path);
  free(path);
  return status;
}

tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error) {
  *scene = NULL;
  tacInputFile input;
  tacStatus status = tac_input_file_read(path, &input, error);
  if (status != TAC_OK) return status;
  if (input.size > TAC_YAML_MOST_BYTES || memchr(input.bytes, 0, input.size) != NULL)
    status = tac_error_set(error, TAC_ERR_FORMAT, "%s: is no scene: scenes are YAML of at most %u bytes", path,
                           TAC_YAML_MOST_BYTES);
  else
    status = tac_scene_parse((const char *)input.bytes, path, scene, error);
  tac_input_file_free(&input);
  if (status == TAC_OK) status = tac_scene_file_visit(&(*scene)->file, require_file, *scene, error);
  if (status != TAC_OK) {
    tac_scene_destroy(*scene);
    *scene = NULL;
  }
  return status;
}

tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  tacStatus status = tac_scene_parse(info->scene, info->scene_path, scene, error);
  if (status == TAC_OK) status = tac_scene_set_period(*scene, info->period, error);
  if (status != TAC_OK) {
    tac_scene_destroy(*scene);
    *scene = NULL;
  }
  return status;
}

static void forget(Baked *baked) {
  tac_green_destroy(baked->green);
  tac_reference_problem_destroy(baked->problem);
  tac_reduced_destroy(baked->reduced);
  *baked = (Baked){0};
}

void tac_scene_destroy(tacScene *scene) {
  if (scene == NULL) return;
  for (int i = 0; scene->baked != NULL && i < scene->file.bodies.count; ++i) forget(&scene->baked[i]);
  free(scene->baked);
  tac_yaml_tree_destroy(scene->tree);
  free(scene->text);
  free(scene->name);
  free(scene);
}

const char *tac_scene_name(const tacScene *scene) {
  return scene->name;
}

const char *tac_scene_about(const tacScene *scene) {
  return scene->file.about != NULL ? scene->file.about : "";
}

const char *tac_scene_text(const tacScene *scene) {
  return scene->text;
}

const char *tac_scene_path(const tacScene *scene) {
  return tac_yaml_tree_path(scene->tree);
}

int tac_scene_body_count(const tacScene *scene) {
  return scene->file.bodies.count;
}

const char *tac_scene_body_name(const tacScene *scene, int body) {
  return tac_scene_file_body(&scene->file, body)->name;
}

tacBodyKind tac_scene_body_kind(const tacScene *scene, int body) {
  return tac_scene_file_body(&scene->file, body)->kind == TAC_SCENE_GREEN ? TAC_BODY_GREEN : TAC_BODY_REDUCED;
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
  return tac_scene_file_tool(&scene->file, tool)->name;
}

double tac_scene_duration(const tacScene *scene) {
  return scene->file.duration;
}

tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error) {
  if (!(rate >= 250.0 && rate <= 10000.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a rate of %g Hz; it goes from 250 to 10,000 Hz", rate);
  scene->file.servo.def.rate = rate;
  return TAC_OK;
}

/* 1 / (1 / p) need not be p: 0.001 s is 1000 Hz, not 999.9999999999999. */
tacStatus tac_scene_set_period(tacScene *scene, double period, tacError *error) {
  double rate = 1.0 / period, whole = round(rate);
  return tac_scene_set_rate(scene, 1.0 / whole == period ? whole : rate, error);
}

tacServoDef tac_scene_servo(const tacScene *scene) {
  tacServoDef def = scene->file.servo.def;
  def.duration = scene->file.duration;
  return def;
}

typedef struct {
  int wanted, count; /* which one, and how many there are so far */
  tacSceneLive *live;
} LiveSearch;

/* `group` is "" or "cables." */
static void offer_live(LiveSearch *search, const char *body, const char *group, const char *name, tacSceneRange range) {
  if (!(range.most > range.least) || search->count++ != search->wanted) return;
  *search->live = (tacSceneLive){.least = range.least, .most = range.most};
  snprintf(search->live->name, sizeof search->live->name, "%s.%s%s", body, group, name);
}

/* The live parameter of number `index`, where there is one; returns how many there are. */
static int find_live(const tacScene *scene, int index, tacSceneLive *live) {
  LiveSearch search = {index, 0, live};
  for (int b = 0; b < scene->file.bodies.count; ++b) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, b);
    const tacSceneRanges *ranges = &body->live;
    offer_live(&search, body->name, "", "stiffness", ranges->stiffness);
    offer_live(&search, body->name, "", "friction", ranges->friction);
    offer_live(&search, body->name, "", "mask", ranges->mask);
    offer_live(&search, body->name, "", "damping", ranges->damping);
    offer_live(&search, body->name, "", "touch", ranges->touch);
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
  return search.count;
}

int tac_scene_live_count(const tacScene *scene) {
  return find_live(scene, -1, NULL);
}

tacSceneLive tac_scene_live(const tacScene *scene, int index) {
  tacSceneLive live = {0};
  find_live(scene, index, &live);
  return live;
}

bool tac_scene_material(const tacScene *scene, int body, double *young, double *poisson) {
  const tacSceneBody *b = tac_scene_file_body(&scene->file, body);
  const tacSceneMaterial *first = tac_scene_body_material(b, 0);
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *own = tac_scene_body_material(b, i);
    if (own->has_stiffness || own->young != first->young || own->poisson != first->poisson) return false;
  }
  *young = first->young;
  *poisson = first->poisson;
  return true;
}

tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh,
                           tacError *error) {
  *mesh = NULL;
  const tacSceneBody *b = tac_scene_file_body(&scene->file, body);
  tacBodyMaker maker = {scene->tree, b, progress, error};
  tacTriMesh *surface = NULL;
  if (b->kind == TAC_SCENE_GREEN && b->method == TAC_GREEN_BOUNDARY_ELEMENTS) return TAC_OK;
  tacStatus status = b->volume.file == NULL ? tac_body_mesh_surface(&maker, &surface) : TAC_OK;
  if (status == TAC_OK) status = tac_body_mesh_volume(&maker, surface, mesh);
  tac_trimesh_destroy(surface);
  return status;
}

/* Bake */

/* Where a body's asset goes, and how it is made. */
typedef struct {
  const char *folder;
  bool again;
  const tacProgress *progress;
} Bake;

static tacStatus bake_green(const tacScene *scene, const tacSceneBody *body, const Bake *how, Baked *baked,
                            tacSceneAsset *asset, tacError *error) {
  tacBodyProblem problem;
  tacError reason;
  tacStatus status = tac_body_problem_create(scene->tree, body, how->progress, &problem, error);
  if (status != TAC_OK) return status;
  status = tac_bake_cache_green(how->folder, body->name, &problem.def, how->again, how->progress, &baked->green,
                                &baked->problem, asset, &reason);
  tac_body_problem_free(&problem);
  return status == TAC_OK ? TAC_OK : tac_yaml_error(scene->tree, body->node, status, error, "%.420s", reason.text);
}

static tacStatus bake_reduced(const tacScene *scene, const tacSceneBody *body, const Bake *how, Baked *baked,
                              tacSceneAsset *asset, tacError *error) {
  tacReducedProblem problem;
  tacError reason;
  tacStatus status = tac_reduced_problem_create(scene->tree, body, how->progress, &problem, error);
  if (status != TAC_OK) return status;
  status = tac_bake_cache_reduced(how->folder, body->name, &problem.def, how->again, how->progress, &baked->reduced,
                                  asset, &reason);
  tac_reduced_problem_free(&problem);
  /* A file of the cache has nothing to do with the basis. */
  bool asked = status != TAC_ERR_FILE && status != TAC_ERR_FORMAT && status != TAC_ERR_VERSION;
  const tacYamlNode *where = asked ? body->reduced.basis.node : body->node;
  return status == TAC_OK ? TAC_OK : tac_yaml_error(scene->tree, where, status, error, "%.420s", reason.text);
}

tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                         tacSceneAsset *assets, tacError *error) {
  char *folder = cache != NULL ? tac_array_text(cache, error) : tac_bake_cache_folder(error);
  if (folder == NULL) return cache != NULL ? TAC_ERR_MEMORY : TAC_ERR_FILE;
  Bake how = {folder, again, progress};
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    tacSceneAsset *asset = assets != NULL ? &assets[i] : NULL;
    forget(&scene->baked[i]);
    status = body->kind == TAC_SCENE_GREEN ? bake_green(scene, body, &how, &scene->baked[i], asset, error)
                                           : bake_reduced(scene, body, &how, &scene->baked[i], asset, error);
  }
  free(folder);
  return status;
}

const tacGreen *tac_scene_green(const tacScene *scene, int body) {
  return scene->baked[body].green;
}

const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return scene->baked[body].reduced;
}

static tacStatus require_bake(const tacScene *scene, tacError *error) {
  for (int i = 0; i < scene->file.bodies.count; ++i)
    if (scene->baked[i].green == NULL && scene->baked[i].reduced == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: bake the scene first (tac_scene_bake)", tac_scene_path(scene));
  return TAC_OK;
}

/* World */

static void set_orientation(const tacSceneRotation *rotation, double orientation[4]) {
  tacQuat q = tac_quat_from_axis_angle(rotation->axis, rotation->angle);
  orientation[0] = q.w;
  orientation[1] = q.x;
  orientation[2] = q.y;
  orientation[3] = q.z;
}

static tacStatus operator_def(const tacScene *scene, const tacSceneDevice *device, tacOperatorDef *def,
                              tacError *error) {
  tacError reason;
  tacStatus status = tac_operator_def_preset(device->preset, def, &reason);
  if (status != TAC_OK) return tac_yaml_error(scene->tree, device->node, status, error, "%.400s", reason.text);
  if (device->hand.has_stiffness) def->hand_stiffness = device->hand.stiffness;
  if (device->hand.has_damping) def->hand_damping = device->hand.damping;
  if (device->hand.has_mass) def->hand_mass = device->hand.mass;
  def->repeats = device->repeat;
  return TAC_OK;
}

const char *tac_scene_device_kind(const tacScene *scene, int tool) {
  static const char *const kinds[] = {[TAC_SCENE_DEVICE_OPERATOR] = "operator",
                                      [TAC_SCENE_DEVICE_REPLAY] = "replay",
                                      [TAC_SCENE_DEVICE_DRIVER] = "driver"};
  return kinds[tac_scene_file_tool(&scene->file, tool)->device.kind];
}

bool tac_scene_hand(const tacScene *scene, int tool, double *stiffness, double *damping, double *mass) {
  const tacSceneDevice *device = &tac_scene_file_tool(&scene->file, tool)->device;
  tacOperatorDef def;
  if (device->kind != TAC_SCENE_DEVICE_OPERATOR || operator_def(scene, device, &def, NULL) != TAC_OK) return false;
  *stiffness = def.hand_stiffness;
  *damping = def.hand_damping;
  *mass = def.hand_mass;
  return true;
}

/* What the device of a tool renders stably, in the scene: k in the scene feels like k scale at the device. */
static tacStatus tool_limit(const tacScene *scene, const tacSceneTool *tool, double *limit, tacError *error) {
  *limit = INFINITY;
  if (tool->device.kind == TAC_SCENE_DEVICE_OPERATOR) {
    tacOperatorDef def;
    tacStatus status = operator_def(scene, &tool->device, &def, error);
    if (status != TAC_OK) return status;
    *limit = def.info.stiffness_limit / tool->scale;
  } else if (tool->device.kind == TAC_SCENE_DEVICE_DRIVER && tool->device.stiffness_limit > 0.0) {
    *limit = tool->device.stiffness_limit / tool->scale;
  }
  return TAC_OK;
}

static tacStatus least_limit(const tacScene *scene, double *limit, tacError *error) {
  *limit = INFINITY;
  for (int i = 0; i < scene->file.tools.count; ++i) {
    double own;
    tacStatus status = tool_limit(scene, tac_scene_file_tool(&scene->file, i), &own, error);
    if (status != TAC_OK) return status;
    *limit = fmin(*limit, own);
  }
  return TAC_OK;
}

static tacStatus add_green(const tacScene *scene, int index, double limit, tacWorld *world, tacError *error) {
  const tacSceneBody *body = tac_scene_file_body(&scene->file, index);
  tacGreenBodyDef def = tac_green_body_def_default();
  tacBodyId id;
  def.name = body->name;
  def.green = scene->baked[index].green;
  def.problem = scene->baked[index].problem;
  def.pose = tac_scene_body_pose(body);
  def.mask_radius = body->mask;
  def.stiffness = body->stiffness;
  def.rigid_stiffness = fmin(body->rigid_stiffness, limit);
  def.friction = body->friction;
  return tac_world_add_green(world, &def, &id, error);
}

static tacReducedBodyDef reduced_def(const tacSceneReduced *from, const tacReduced *asset, double limit) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.reduced = asset;
  def.alpha_mass = from->damping.mass;
  def.beta_stiffness = from->damping.stiffness;
  def.newton_steps = from->newton;
  def.is_static = from->is_static;
  def.linear = from->linear;
  /* U is mass-orthonormal: |q''| is the root mean square acceleration times the root of the mass. */
  def.acceleration_limit = from->acceleration_limit * sqrt(tac_reduced_mass(asset));
  def.gravity = from->gravity;
  def.every = from->every;
  def.touch_stiffness = fmin(from->touch.stiffness, limit);
  def.touch_damping = from->touch.damping;
  def.friction = from->friction;
  def.contact_stiffness = from->contact.stiffness;
  def.contact_damping = from->contact.damping;
  return def;
}

static tacStatus add_reduced(const tacScene *scene, int index, double limit, tacWorld *world, tacError *error) {
  const tacSceneBody *body = tac_scene_file_body(&scene->file, index);
  const tacReduced *asset = scene->baked[index].reduced;
  tacReducedBodyDef def = reduced_def(&body->reduced, asset, limit);
  bool kept[TAC_REDUCED_MOST];
  for (int i = 0; i < tac_reduced_size(asset); ++i) kept[i] = i < body->reduced.keep;
  if (body->reduced.keep > 0) def.kept = kept;
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < tac_body_copy_count(body); ++i) {
    char name[TAC_BODY_COPY_NAME];
    tacBodyId id;
    tac_body_copy_name(body, i, name);
    def.name = name;
    def.pose = tac_body_copy_pose(body, i);
    status = tac_world_add_reduced(world, &def, &id, error);
  }
  return status;
}

static tacStatus add_bodies(const tacScene *scene, tacWorld *world, tacError *error) {
  double limit;
  tacError reason;
  tacStatus status = least_limit(scene, &limit, error);
  if (status != TAC_OK) return status;
  for (int i = 0; i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    status = body->kind == TAC_SCENE_GREEN ? add_green(scene, i, limit, world, &reason)
                                           : add_reduced(scene, i, limit, world, &reason);
    if (status != TAC_OK) return tac_yaml_error(scene->tree, body->node, status, error, "%.400s", reason.text);
  }
  return TAC_OK;
}

static tacStatus add_floor(const tacScene *scene, tacWorld *world, tacError *error) {
  const tacSceneFloor *floor = &scene->file.floor;
  tacFloorDef def = {floor->normal, floor->at, floor->friction};
  tacError reason;
  if (floor->node == NULL) return TAC_OK;
  tacStatus status = tac_world_set_floor(world, &def, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(scene->tree, floor->node, status, error, "%.400s", reason.text);
}

static tacStatus add_tools(const tacScene *scene, tacWorld *world, tacError *error) {
  for (int i = 0; i < scene->file.tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(&scene->file, i);
    tacError reason;
    int number;
    tacStatus status = tac_world_add_point_tool(world, &(tacPointToolDef){.name = tool->name}, &number, &reason);
    if (status != TAC_OK) return tac_yaml_error(scene->tree, tool->node, status, error, "%.400s", reason.text);
  }
  return TAC_OK;
}

static tacStatus fill_world(const tacScene *scene, tacWorld *world, tacError *error) {
  tacStatus status = add_bodies(scene, world, error);
  if (status == TAC_OK) status = add_floor(scene, world, error);
  if (status == TAC_OK) status = add_tools(scene, world, error);
  return status == TAC_OK ? tac_world_seal(world, error) : status;
}

tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error) {
  *world = NULL;
  tacWorld *made = NULL;
  tacWorldDef def = tac_world_def_default();
  def.period = 1.0 / scene->file.servo.def.rate;
  tacStatus status = require_bake(scene, error);
  if (status == TAC_OK) status = tac_world_create(&def, &made, error);
  if (status == TAC_OK) status = fill_world(scene, made, error);
  if (status == TAC_OK)
    *world = made;
  else
    tac_world_destroy(made);
  return status;
}

/* Devices */

static tacWorkspaceDef workspace_of(const tacSceneTool *tool) {
  tacWorkspaceDef workspace = tac_workspace_def_default();
  workspace.scale = tool->scale;
  workspace.centre = tool->centre;
  set_orientation(&tool->rotation, workspace.orientation);
  return workspace;
}

static tacVec3 middle_of(const tacDeviceInfo *info) {
  tacVec3 middle = tac_box_centre(info->workspace);
  return tac_vec3_finite(middle) ? middle : tac_vec3(0.0, 0.0, 0.0);
}

static tacStatus open_operator(const tacScene *scene, const tacSceneTool *tool, tacWorkspaceDef *workspace,
                               tacDevice *device, tacError *error) {
  const tacTriMesh *surfaces[TAC_SCENE_MOST_BODIES];
  for (int i = 0; i < scene->file.bodies.count; ++i)
    surfaces[i] = scene->baked[i].green != NULL ? tac_green_surface(scene->baked[i].green)
                                                : tac_reduced_surface(scene->baked[i].reduced);
  tacOperatorDef def;
  tacTrajectory *path = NULL;
  tacStatus status = operator_def(scene, &tool->device, &def, error);
  if (status != TAC_OK) return status;
  workspace->device_centre = middle_of(&def.info);
  status = tac_hand_path_create(scene->tree, &scene->file, &tool->device, surfaces, workspace, &path, error);
  if (status != TAC_OK) return status;
  return tac_device_operator_open(&def, path, 1.0 / scene->file.servo.def.rate, device, error);
}

static tacStatus open_replay(const tacScene *scene, const tacSceneTool *tool, const char *path, tacDevice *device,
                             tacError *error) {
  tacTrajectory *trajectory = NULL;
  tacStatus status = tac_trajectory_read(path, &trajectory, error);
  if (status != TAC_OK) return status;
  return tac_device_replay_open(trajectory, tool->device.repeat, 1.0 / scene->file.servo.def.rate, device, error);
}

/* The world was made without the driver: what it renders must have been known. */
static tacStatus check_driver_limit(const tacScene *scene, const tacSceneTool *tool, const tacDevice *device,
                                    tacError *error) {
  double stated = tool->device.stiffness_limit, actual = device->info.stiffness_limit, most = 0.0, limit;
  tacStatus status = least_limit(scene, &limit, error);
  if (status != TAC_OK) return status;
  for (int i = 0; i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    double own = body->kind == TAC_SCENE_GREEN ? body->rigid_stiffness : body->reduced.touch.stiffness;
    most = fmax(most, fmin(limit, own));
  }
  if (!(actual > 0.0) || (stated > 0.0 && stated <= actual) || most * tool->scale <= actual) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "the device renders at most %.4g N/m stably; write stiffness_limit: %.4g N/m beside its file",
                       actual, actual);
}

static tacStatus open_driver(const tacScene *scene, const tacSceneTool *tool, const char *path,
                             tacWorkspaceDef *workspace, tacDevice *device, tacError *error) {
  tacStatus status = tac_device_load(path, tool->device.options, 1.0 / scene->file.servo.def.rate, device, error);
  if (status != TAC_OK) return status;
  workspace->device_centre = middle_of(&device->info);
  return check_driver_limit(scene, tool, device, error);
}

static tacStatus open_device(const tacScene *scene, const tacSceneTool *tool, tacWorkspaceDef *workspace,
                             tacDevice *device, tacError *error) {
  if (tool->device.kind == TAC_SCENE_DEVICE_OPERATOR) return open_operator(scene, tool, workspace, device, error);
  bool driver = tool->device.kind == TAC_SCENE_DEVICE_DRIVER;
  const char *file = tool->device.file;
  tacError reason;
  /* A driver without a slash is found by the system. */
  char *path =
      driver && strchr(file, '/') == NULL ? tac_array_text(file, error) : tac_body_path(scene->tree, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = driver ? open_driver(scene, tool, path, workspace, device, &reason)
                            : open_replay(scene, tool, path, device, &reason);
  free(path);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(scene->tree, tac_yaml_child(tool->device.node, "file"), status, error, "%.400s", reason.text);
}

tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS],
                            tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error) {
  for (int i = 0; i < TAC_MOST_TOOLS; ++i) devices[i] = (tacDevice){0};
  tacStatus status = require_bake(scene, error);
  for (int i = 0; status == TAC_OK && i < scene->file.tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(&scene->file, i);
    workspaces[i] = workspace_of(tool);
    status = open_device(scene, tool, &workspaces[i], &devices[i], error);
  }
  for (int i = 0; status != TAC_OK && i < scene->file.tools.count; ++i) {
    tac_device_close(&devices[i]);
    devices[i] = (tacDevice){0};
  }
  return status;
}
