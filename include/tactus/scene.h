/* Scenes: YAML files that describe bodies, tools, the devices of the tools, and the servo. docs/scene.md lists every
 * key.
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
 *   1. Read: parse the file and check the content against the schema.
 *   2. Bake: compute the assets of the bodies, or read the assets from the cache.
 *   3. Build: create a sealed world, open the devices, and get the definitions of servo and workspaces.
 *
 * Scenes refer to materials by name (`material: liver`). docs/tissues.md lists the tissues and other materials with the
 * sources of their properties. The values are for healthy adults unless noted otherwise. The values are starting
 * points: for one organ they vary by a factor of two between people, and by more between methods of measurement.
 *
 * Units: SI in this API. A scene file states a unit with each quantity.
 *
 * Threads and phases: all functions belong to the load and offline phases, and must not be called in a tick. Only one
 * thread at a time may use a scene. Bodies and tools are numbered 0, 1, ... in the order of the file. */
#ifndef TACTUS_SCENE_H
#define TACTUS_SCENE_H

#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/servo.h>

TAC_BEGIN_DECLS

/* A scene. Opaque. */
typedef struct tacScene tacScene;

#define TAC_SCENE_FORMAT 1 /* version of the scene format: the only supported value of the key `tactus` */

/* ---- reading ---- */

/* Reads a scene file and checks that all files named in the scene exist. The caller destroys the scene. The text of an
 * error is one line, for example:
 *
 *   "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?"
 *   "...: 5 kg is not a length; write it like 5 mm"
 *   "...: no such file: liver.obj" */
TAC_API tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error);

/* Reads a scene from the text of a scene file. `path` is the name of the scene file in error texts. The folder of
 * `path` is the base of relative file names. The function does not open the files named in the scene; the bake reports
 * missing files. The caller destroys the scene. */
TAC_API tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error);

/* Reads the scene that is stored in a recording. The rates of the scene are set to the recorded rates, bit for bit. The
 * caller destroys the scene. */
TAC_API tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error);

/* Frees a scene. First destroy the world of the scene and close its devices. `scene` may be NULL. */
TAC_API void tac_scene_destroy(tacScene *scene);

/* ---- description ---- */

/* Returns the value of the key `name`. If the key is missing, the function returns the file name without extension. */
TAC_API const char *tac_scene_name(const tacScene *scene);

/* Returns the value of the key `about`, a description for people; "" if the key is missing. */
TAC_API const char *tac_scene_about(const tacScene *scene);

/* Returns the complete text of the scene file. */
TAC_API const char *tac_scene_text(const tacScene *scene);

/* Returns the path of the scene file. */
TAC_API const char *tac_scene_path(const tacScene *scene);

/* Receives one line of a description. `label` is for example "body kidney", or "" if the line continues the previous
 * line. `text` has at most 4095 bytes. Both strings are valid only during the call. `user` is the pointer that was
 * given to the describing function. */
typedef void (*tacSceneLineFn)(const char *label, const char *text, void *user);

/* Describes the bodies, contacts, tools and servo of a scene in words, and passes each line to `line`. The scene need
 * not be baked. May be called in any phase except a tick. */
TAC_API void tac_scene_describe(const tacScene *scene, tacSceneLineFn line, void *user);

/* Returns the name of the body with the given index, 0, 1, ...; NULL after the last body. */
TAC_API const char *tac_scene_body_name(const tacScene *scene, int body);

/* Returns the name of the tool with the given index, 0, 1, ...; NULL after the last tool. */
TAC_API const char *tac_scene_tool_name(const tacScene *scene, int tool);

/* Returns the duration of a run, s; 0: the run has no end. */
TAC_API double tac_scene_duration(const tacScene *scene);

/* Sets the rate of both world and servo, Hz, in place of the rate in the file. Call before the world and the servo are
 * created. Returns TAC_ERR_ARGUMENT if the rate is outside 250 to 10,000 Hz. Also returns TAC_ERR_ARGUMENT if the rate
 * is not a whole multiple of the rate at which the bodies are simulated. */
TAC_API tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error);

/* A live parameter: a parameter of the world that the scene allows users to change during a run (key `live`). */
typedef struct tacSceneLive {
  char name[160]; /* name of the parameter, such as "kidney.stiffness", "bridge.cables.mu" or "hoses-part.friction" */
  double least, most; /* smallest and largest value, SI units; the value in the scene lies in this range */
} tacSceneLive;

/* Stores the live parameter with the given index, 0, 1, ..., in `live`. Returns false if `index` is beyond the last
 * live parameter. Parameters of bodies come first; parameters of contacts follow. */
TAC_API bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live);

/* Creates the volume mesh for the finite elements of a body, in the frame of the body.
 *
 * For boundary elements and rigid bodies, `mesh` receives NULL, and the function returns TAC_OK. The scene need not be
 * baked. Each call creates a new mesh, which the caller destroys. The surface of a reduced body is embedded in this
 * mesh and is not its boundary. Call in the offline phase. */
TAC_API tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh,
                                   tacError *error);

/* ---- baking: offline phase ---- */

/* An asset of a body, and how tac_scene_bake obtained the asset.
 *
 * The first asset of a body is the asset of its kind. Optional assets follow in this order: a distance field, distances
 * to baked deformations, and points. If the body has coordinates, the field deforms and the points are embedded in the
 * body. A body of simple solids with an exact distance field needs no asset for the field. */
typedef struct tacSceneAsset {
  int body; /* index of the body in the scene */
  /* File extension: "field", "deformed", "loads", "points", or the kind of the body, such as "green". */
  const char *kind;
  char path[1024];   /* path of the file in the cache, or of the file that the scene names; "" for an exact field */
  bool was_cached;   /* true: the asset was read from the cache */
  double seconds;    /* time to bake or to read the asset, s */
  size_t bytes;      /* size of the file, bytes */
  uint64_t checksum; /* checksum of the content, the same for cached and new assets; 0: the file cannot be read */
} tacSceneAsset;

/* Returns the number of assets of all bodies. */
TAC_API int tac_scene_asset_count(const tacScene *scene);

/* Bakes the assets that are not in the cache, and reads the other assets from the cache.
 *
 * `cache` is the folder of the cache. NULL means the cache of the user, $XDG_CACHE_HOME/tactus or ~/.cache/tactus. If
 * `again` is true, the function bakes all assets. `assets` receives tac_scene_asset_count assets, sorted by body, and
 * may be NULL. The bake uses as many threads as the environment variable TACTUS_THREADS states, or one thread for each
 * core.
 *
 * `progress` covers the whole bake, weighted by the expected time of the stages. The fraction never falls. The text
 * `what` of a stage begins with the name of the body; the text of the last call is "bake".
 *
 * The key of an asset in the cache depends on the input of the bake: mesh, materials, fixed set, method, basis,
 * resolution and version. If a file in the cache is broken or truncated, the function returns an error whose text asks
 * the user to delete the file. If a file in the cache belongs to another body, the function renames the file to
 * PATH.aside, writes a warning to the log, and bakes the asset again. */
TAC_API tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                                 tacSceneAsset *assets, tacError *error);

/* Returns the list of the scene's assets for a recording. Each asset is one line with its checksum and its file name.
 * Returns "" if the scene has no assets. Call after the bake. */
TAC_API const char *tac_scene_assets(const tacScene *scene);

/* ---- results of the bake ----
 *
 * The scene owns the results. All functions return NULL before the bake. */

/* Returns the asset of a body whose file has the extension `ending`, such as "green"; NULL if the body has no such
 * asset. Prefer the typed functions in the headers of the body kinds, such as tac_scene_green and tac_scene_reduced. */
TAC_API const void *tac_scene_made(const tacScene *scene, int body, const char *ending);

/* Returns the surface of a body at rest, in the frame of the body. Every body has a surface. */
TAC_API const tacTriMesh *tac_scene_surface(const tacScene *scene, int body);

/* Returns the pointshell of a body; NULL if the body has no pointshell. */
TAC_API const tacPointshell *tac_scene_points(const tacScene *scene, int body);

/* Returns the distance field of a rigid body; NULL if the body has no such field. */
TAC_API const tacDistanceField *tac_scene_field(const tacScene *scene, int body);

/* ---- building: load phase, after the bake ---- */

/* Builds the world of a scene and seals the world. The caller destroys the world before the scene. A scene with a body
 * with the key `storage: near` can have only one world at a time.
 *
 * The stiffness of contacts does not exceed the stiffness limits of the devices. The `rigid_stiffness` of a body, or
 * its touch stiffness, is lowered to the least stiffness limit of all devices, divided by the scale of the workspace.
 * The stiffness of a coupling is lowered to the limit of the device of the same tool. */
TAC_API tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error);

/* Opens one device for each tool, and returns devices and workspaces in the order of the tools. The caller closes the
 * devices with tac_device_close. On failure no device remains open. */
TAC_API tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS],
                                    tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error);

/* Returns the definition of the scene's servo, including the duration of the run; the defaults if `scene` is NULL. */
TAC_API tacServoDef tac_scene_servo(const tacScene *scene);

/* ---- checking: offline phase ---- */

/* Severity of a finding. */
typedef enum tacFindingLevel {
  TAC_FINDING_NOTE,    /* information; nothing is wrong */
  TAC_FINDING_WARNING, /* problem of a scene that runs, but probably not as intended */
  TAC_FINDING_FAULT    /* problem of a scene that cannot be baked or run */
} tacFindingLevel;

/* A finding of tac_scene_check: a problem of a scene, or a note. */
typedef struct tacFinding {
  tacFindingLevel level; /* severity */
  const char *about;     /* topic in one word, for example "mask", "path" or "thin" */
  const char *text;      /* one line: "scene.yaml:14: bodies[0].mask: what is wrong; what would be right" */
} tacFinding;

/* Receives one finding of a check. Findings arrive in the order of the file. `finding` is valid only during the call.
 * `user` is the pointer that was given to tac_scene_check. */
typedef void (*tacFindingFn)(const tacFinding *finding, void *user);

/* Searches a scene for problems before the scene is baked and run. docs/own_organ.md lists the checks.
 *
 * The function builds and checks the meshes of the bodies, and checks the paths of the hands and the contacts. The
 * function does not bake assets. `visit` receives each finding. If a mesh cannot be built, the function reports a
 * finding and does not fail. The function returns an error only if memory is short or `progress` cancels the check. */
TAC_API tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingFn visit, void *user,
                                  tacError *error);

TAC_END_DECLS

#endif
