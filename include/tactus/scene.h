/* Scenes: a YAML file that describes bodies, tools, their devices and the servo; docs/scene.md lists every key.
 *
 * read (parse, check against the schema) -> bake (compute or fetch from the cache what the bodies need) -> build (a sealed
 * world, open devices, servo and workspace definitions). */
#ifndef TACTUS_SCENE_H
#define TACTUS_SCENE_H

#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/servo.h>

TAC_BEGIN_DECLS

typedef struct tacScene tacScene;

#define TAC_SCENE_FORMAT 1 /* the number that a file gives with its key `tactus`; no other is read */

/* Errors are one line: "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?", "...: 5 kg is not
 * a length; write it like 5 mm", "...: no such file: liver.obj". */
TAC_API tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error);
/* The same from memory; `path` names it in errors, and files are relative to its folder. Opens none of them: what they lack
 * is found by the bake. */
TAC_API tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error);
/* The scene that a recording holds, at the recording's rates, bit for bit. */
TAC_API tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error);
TAC_API void tac_scene_destroy(tacScene *scene); /* NULL is allowed; after the world and devices built from it */

TAC_API const char *tac_scene_name(const tacScene *scene);
TAC_API const char *tac_scene_about(const tacScene *scene);
TAC_API const char *tac_scene_text(const tacScene *scene); /* the file's, complete */
TAC_API const char *tac_scene_path(const tacScene *scene);
/* What it says, in words, one line after the other, for people: bodies, contacts, tools, servo. A label ("body kidney";
 * "" where a line continues the one before) and a text of at most 4095 bytes, both valid only while it is
 * called. Any phase but a tick; also before the bake. */
typedef void tacSceneLine(const char *label, const char *text, void *user);
TAC_API void tac_scene_describe(const tacScene *scene, tacSceneLine *line, void *user);
/* Names of its bodies and of its tools: index 0, 1, ... until NULL. */
TAC_API const char *tac_scene_body_name(const tacScene *scene, int body);
TAC_API const char *tac_scene_tool_name(const tacScene *scene, int tool);
TAC_API double tac_scene_duration(const tacScene *scene); /* s; 0: without end */
/* Another rate than the file's, Hz, for world and servo alike: before either is made. TAC_ERR_ARGUMENT outside 250 to
 * 10,000. */
TAC_API tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error);

/* What the scene lets people change while it runs, by the names of the world's parameters, and how far: body by body, then
 * contact by contact, as far as the key `live` names them. */
typedef struct tacSceneLive {
  char name[160];     /* "kidney.stiffness", "bridge.cables.mu", "hoses-part.friction" */
  double least, most; /* SI; the scene's own value is between them */
} tacSceneLive;
/* Index 0, 1, ... until false. */
TAC_API bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live);

/* The mesh that a body's finite elements are computed on, in the body's frame; NULL with TAC_OK for boundary elements and
 * rigid bodies. Makes it anew (offline), bake or not; the caller frees it. The surface of a reduced body is embedded in it,
 * not its boundary. */
TAC_API tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh,
                                   tacError *error);

/* What became of an asset. A body may have several: that of its kind; then its field, which deforms where the body has coordinates,
 * and with it perhaps distances to baked deformations; then its points, which are embedded in such a body. What is exact needs none. */
typedef struct tacSceneAsset {
  int body;         /* of the scene */
  const char *kind; /* as its file ends: "field", "deformed", "loads", "points", or that of the body's kind: "green" */
  char path[1024];  /* in the cache, or of the file that the scene names */
  bool was_cached;
  double seconds;    /* to bake, or to read */
  size_t bytes;      /* of the file */
  uint64_t checksum; /* of what it holds, however it was made; 0: it cannot be read */
} tacSceneAsset;

TAC_API int tac_scene_asset_count(const tacScene *scene); /* of all bodies */

/* Bakes what the cache lacks. Progress is of the whole bake, weighted by the time that its parts are expected to take; it
 * never falls, and `what` begins with the body's name. `cache` is a folder, NULL for the user's ($XDG_CACHE_HOME/tactus or ~/.cache/tactus). Assets are
 * keyed by content: mesh, materials, fixed set, method, basis, resolution, version. A broken or truncated cached file is an
 * error that says to delete it; one of another body is set aside (PATH.aside, a warning in the log) and baked again. `assets` (may be NULL) receives tac_scene_asset_count of them, body by body. */
TAC_API tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                                 tacSceneAsset *assets, tacError *error);

/* After the bake: what was baked or fetched, for a recording to hold: a line for each asset with its checksum and its
 * name in the cache. "" where there is none. */
TAC_API const char *tac_scene_assets(const tacScene *scene);

/* After the bake: what it made of a body, owned by the scene. NULL before, and where the body has none. */
/* Its own asset, by the ending of its file; headers of kinds have a function for each, such as tac_scene_green. */
TAC_API const void *tac_scene_made(const tacScene *scene, int body, const char *ending);
TAC_API const tacTriMesh *tac_scene_surface(const tacScene *scene, int body); /* at rest, body's frame; of every body */
TAC_API const tacPointshell *tac_scene_points(const tacScene *scene, int body);
TAC_API const tacDistanceField *tac_scene_field(const tacScene *scene, int body); /* of a rigid body */

/* After the bake. The world is sealed; one at a time where a body has storage: near. No contact renders more than the tools'
 * devices can: a body's rigid_stiffness, or its touch stiffness, is lowered to the least stiffness limit over scale, and the
 * stiffness of a coupling to that of its own device. */
TAC_API tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error);
/* After the bake: one device and one workspace a tool; the caller closes the devices. On failure none is open. */
TAC_API tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS],
                                    tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error);
TAC_API tacServoDef tac_scene_servo(const tacScene *scene);

/* What will go wrong with a scene, before it is baked and run; docs/own_organ.md lists what is looked at. Offline. */
typedef enum tacFindingLevel {
  TAC_FINDING_NOTE,    /* to know; nothing is wrong */
  TAC_FINDING_WARNING, /* it runs, and is not what one means */
  TAC_FINDING_FAULT    /* it cannot be baked or run */
} tacFindingLevel;

typedef struct tacFinding {
  tacFindingLevel level;
  const char *about; /* one word: "mask", "path", "thin", ... */
  const char *text;  /* "scene.yaml:14: bodies[0].mask: what is wrong; what would be right"; one line */
} tacFinding;

/* Called for each, in the order of the file; valid only while it is called. */
typedef void tacFindingVisit(const tacFinding *finding, void *user);

/* Makes the bodies' meshes and looks at them, at the hands' paths and at contacts; bakes nothing. What cannot be made is a
 * finding. Fails where memory is short or `progress` says to stop. */
TAC_API tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingVisit *visit,
                                  void *user, tacError *error);

/* Tissues and other materials by name, with the source of their numbers; docs/tissues.md has the same table.
 *
 * Scenes name them (`material: liver`). Values are of healthy adults unless said otherwise, and starting points: of one
 * organ they vary by a factor of two between people, and by more between ways to measure them. */

TAC_END_DECLS

#endif
