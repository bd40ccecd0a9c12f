/* Scenes: YAML files that describe bodies, tools, their devices and the servo. docs/scene.md lists every key.
 *
 * Example:
 *
 *     tacScene *touch = NULL;
 *     tacWorld *built = NULL;
 *     tacServo *servo = NULL;
 *     tacDevice devices[TAC_MOST_TOOLS];
 *     tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
 *     tacStatus status = tac_scene_read("scenes/kidney.yaml", &touch, error);
 *     if (status == TAC_OK) status = tac_scene_bake(touch, NULL, false, NULL, NULL, error); // cached for the next time
 *     if (status == TAC_OK) status = tac_scene_world(touch, &built, error);
 *     if (status == TAC_OK) status = tac_scene_devices(touch, devices, workspaces, error);
 *     if (status == TAC_OK) {
 *       tacServoDef def = tac_scene_servo(touch);
 *       int count = tac_world_tool_count(built);
 *       status = tac_servo_create(built, count, devices, workspaces, &def, NULL, &servo, error);
 *       if (status == TAC_OK) status = tac_servo_start(servo, error); // then wait or show what happens
 *       tac_servo_destroy(servo);
 *       for (int i = 0; i < count; ++i) tac_device_close(&devices[i]);
 *     }
 *     tac_world_destroy(built);
 *     tac_scene_destroy(touch);
 *     if (status != TAC_OK) return status;
 *
 * A scene is used in three steps:
 *
 *   1. read:  parse the file and check it against the schema;
 *   2. bake:  compute what the bodies need, or fetch it from the cache;
 *   3. build: make a sealed world, open the devices, and get the definitions of servo and workspaces.
 *
 * Scenes name materials (`material: liver`). docs/tissues.md lists the tissues and other materials with the source of
 * their numbers. Values are of healthy adults unless noted otherwise. They are starting points: for one organ they vary
 * by a factor of two between people, and by more between methods of measurement.
 *
 * Units: SI in this API; a scene file states a unit with each quantity.
 *
 * Threads and phases: load and offline phases; no function is for a tick. Use a scene from one thread at a time. Bodies
 * and tools are numbered 0, 1, ... in the order of the file. */
#ifndef TACTUS_SCENE_H
#define TACTUS_SCENE_H

#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/servo.h>

TAC_BEGIN_DECLS

/* A scene. Opaque. */
typedef struct tacScene tacScene;

#define TAC_SCENE_FORMAT 1 /* the only value of the key `tactus` that is read: the version of the format */

/* ---- reading ---- */

/* Reads a scene file and checks that the files it names exist. An error is one line:
 *
 *   "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?"
 *   "...: 5 kg is not a length; write it like 5 mm"
 *   "...: no such file: liver.obj"
 *
 * The caller destroys the scene. */
TAC_API tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error);

/* Reads a scene from memory. `path` names it in errors, and its folder is the base of relative file names. Opens none
 * of the files that it names: the bake reports those that are missing. */
TAC_API tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error);

/* Reads the scene that a recording holds, at the rates of the recording, bit for bit. */
TAC_API tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error);

/* Frees a scene, after the world and the devices that were built from it. NULL is allowed. */
TAC_API void tac_scene_destroy(tacScene *scene);

/* ---- description ---- */

/* Returns the name of the scene: its key `name`, or else the file name without its ending. */
TAC_API const char *tac_scene_name(const tacScene *scene);

/* Returns the key `about`, a description for people; "" if there is none. */
TAC_API const char *tac_scene_about(const tacScene *scene);

/* Returns the complete text of the file. */
TAC_API const char *tac_scene_text(const tacScene *scene);

/* Returns the path that the scene was read from. */
TAC_API const char *tac_scene_path(const tacScene *scene);

/* Receives one line of a description: a label ("body kidney"; "" where a line continues the previous one) and a text of
 * at most 4095 bytes. Both are valid only during the call. */
typedef void (*tacSceneLineFn)(const char *label, const char *text, void *user);

/* Describes the scene in words, line by line: bodies, contacts, tools, servo. Works before the bake, too. Any phase but
 * a tick. */
TAC_API void tac_scene_describe(const tacScene *scene, tacSceneLineFn line, void *user);

/* Returns the name of a body, of the index 0, 1, ...; NULL after the last one. */
TAC_API const char *tac_scene_body_name(const tacScene *scene, int body);

/* Returns the name of a tool, of the index 0, 1, ...; NULL after the last one. */
TAC_API const char *tac_scene_tool_name(const tacScene *scene, int tool);

/* Returns the duration of a run, s; 0: without end. */
TAC_API double tac_scene_duration(const tacScene *scene);

/* Sets another rate than the file's, Hz, for world and servo alike. Call it before either is made. TAC_ERR_ARGUMENT
 * outside 250 to 10,000 Hz, or if it is not a whole multiple of the rate at which the bodies are simulated. */
TAC_API tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error);

/* A parameter of the world that the scene lets people change during a run (key `live`), and its range. */
typedef struct tacSceneLive {
  char name[160];     /* name of the world's parameter: "kidney.stiffness", "bridge.cables.mu", "hoses-part.friction" */
  double least, most; /* range, SI units; the scene's own value lies between them */
} tacSceneLive;

/* Returns a live parameter, of the index 0, 1, ... until false: first those of the bodies, then those of the
 * contacts. */
TAC_API bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live);

/* Makes the mesh that the finite elements of a body are computed on, in the body's frame. Sets NULL, with TAC_OK, for
 * boundary elements and rigid bodies. Makes the mesh again at each call, whether the scene is baked or not; the caller
 * destroys it. The surface of a reduced body is embedded in this mesh and is not its boundary. Offline. */
TAC_API tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh,
                                   tacError *error);

/* ---- baking: offline ---- */

/* What the bake did for an asset. A body has its own asset first. It may also have a distance field, which deforms if
 * the body has coordinates, then distances to baked deformations, then points, which are embedded in such a body. A
 * shape whose field is exact needs no asset for it. */
typedef struct tacSceneAsset {
  int body;          /* index of the body in the scene */
  const char *kind;  /* ending of its file: "field", "deformed", "loads", "points", or the body's kind, as in "green" */
  char path[1024];   /* in the cache, or the file that the scene names; "" for what is exact */
  bool was_cached;   /* true: read from the cache */
  double seconds;    /* s, to bake or to read it */
  size_t bytes;      /* size of the file */
  uint64_t checksum; /* of its content, however it was made; 0: it cannot be read */
} tacSceneAsset;

/* Returns the number of assets of all bodies. */
TAC_API int tac_scene_asset_count(const tacScene *scene);

/* Bakes the assets that the cache does not have, and reads the others.
 *
 * `cache` is a folder; NULL means the user's ($XDG_CACHE_HOME/tactus or ~/.cache/tactus). `again` bakes all assets,
 * cached or not. `assets` (may be NULL) receives tac_scene_asset_count of them, body by body. `progress` covers the
 * whole bake, weighted by the time that its parts are expected to take. Its fraction never falls. `what` begins with
 * the body's name; in the last call it is "bake". The bake uses all cores, or as many threads as the environment
 * variable TACTUS_THREADS says.
 *
 * Assets are keyed by content: mesh, materials, fixed set, method, basis, resolution, version. A broken or truncated
 * file in the cache is an error that asks to delete it. A file of another body is renamed (PATH.aside, with a warning
 * in the log) and the asset is baked again. */
TAC_API tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                                 tacSceneAsset *assets, tacError *error);

/* Returns the list of assets that the bake made or fetched, for a recording: one line for each asset, with its checksum
 * and its name in the cache. "" if there is none. After the bake. */
TAC_API const char *tac_scene_assets(const tacScene *scene);

/* ---- results of the bake, owned by the scene; NULL before the bake ---- */

/* Returns the asset of a body whose file has this ending, such as "green"; NULL if the body has none. Use the typed
 * functions in the headers of the kinds, such as tac_scene_green and tac_scene_reduced. */
TAC_API const void *tac_scene_made(const tacScene *scene, int body, const char *ending);

/* Returns the surface of a body at rest, in the body's frame. Every body has one. */
TAC_API const tacTriMesh *tac_scene_surface(const tacScene *scene, int body);

/* Returns the pointshell of a body; NULL if it has none. */
TAC_API const tacPointshell *tac_scene_points(const tacScene *scene, int body);

/* Returns the distance field of a rigid body; NULL if it has none. */
TAC_API const tacDistanceField *tac_scene_field(const tacScene *scene, int body);

/* ---- building: load phase, after the bake ---- */

/* Builds the world of a scene and seals it. The caller destroys it before the scene. A scene with a body of `storage:
 * near` can have only one world at a time.
 *
 * No contact renders more stiffness than the tools' devices can. The `rigid_stiffness` of a body, or its touch
 * stiffness, is lowered to the least stiffness limit of the devices, divided by the workspace's scale. The stiffness of
 * a coupling is lowered to that of its own device. */
TAC_API tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error);

/* Opens one device for each tool and gets its workspace, in the order of the tools. The caller closes the devices
 * (tac_device_close). On failure none is open. */
TAC_API tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS],
                                    tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error);

/* Returns the definition of the scene's servo, with its duration; the defaults if `scene` is NULL. */
TAC_API tacServoDef tac_scene_servo(const tacScene *scene);

/* ---- checking: offline ---- */

/* Severity of a finding. */
typedef enum tacFindingLevel {
  TAC_FINDING_NOTE,    /* information; nothing is wrong */
  TAC_FINDING_WARNING, /* the scene runs, but probably not as intended */
  TAC_FINDING_FAULT    /* the scene cannot be baked or run */
} tacFindingLevel;

/* A problem of a scene that tac_scene_check found. */
typedef struct tacFinding {
  tacFindingLevel level;
  const char *about; /* one word: "mask", "path", "thin", ... */
  const char *text;  /* "scene.yaml:14: bodies[0].mask: what is wrong; what would be right"; one line */
} tacFinding;

/* Receives each finding, in the order of the file. The finding is valid only during the call. */
typedef void (*tacFindingFn)(const tacFinding *finding, void *user);

/* Looks for problems of a scene before it is baked and run; docs/own_organ.md lists the checks. Makes the meshes of the
 * bodies and checks them, the paths of the hands, and the contacts. Bakes nothing. A mesh that cannot be made is a
 * finding. Returns an error only if memory is short or `progress` asks to stop. */
TAC_API tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingFn visit, void *user,
                                  tacError *error);

TAC_END_DECLS

#endif
