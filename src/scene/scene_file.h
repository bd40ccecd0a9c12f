/* Reads a scene file and checks the content for validity and consistency. The meshes, fields and paths that the
 * scene names are not opened. */
#pragma once

#include <tactus/servo.h>
#include "scene/scene_pair.h"
#include "scene/scene_rate.h"
#include "scene/scene_tool.h"
#include "spec/scene_body.h"

#define TAC_SCENE_MOST_BODIES 64

/* The first member `node` of each struct is the YAML node of the struct. Errors that are found later refer to this
 * node. */

typedef struct tacSceneServo {
  const tacYamlNode *node;
  tacServoDef def;
} tacSceneServo;

typedef struct tacSceneFloor {
  const tacYamlNode *node; /* NULL: no floor */
  tacSceneNormal normal;
  double at, friction;
} tacSceneFloor;

typedef struct tacSceneFile {
  const tacYamlNode *node;
  int format;
  const char *name, *about; /* `name` is NULL if the file has no name */
  bool small, lowered;      /* true for a small version; true if the small version differs from the scene */
  double duration;          /* duration of the scene, s; 0: unlimited */
  tacSchemaList kinds;      /* const char * items: shared objects with body kinds */
  tacSchemaList bodies;     /* tacSceneBody items */
  tacSchemaList tools;      /* tacSceneTool items */
  tacSchemaList contacts;   /* tacScenePair items */
  double budget;            /* time budget of a tick, s; 0: none */
  int method;               /* default tacContactMethod of the contacts */
  int patch, detect;        /* default tacLawsDef values of the contacts */
  double restitution;
  tacVec3 gravity; /* default gravity of the bodies, m/s^2 */
  tacSceneRate rate;
  tacSceneFloor floor;
  tacSceneServo servo;
} tacSceneFile;

tacStatus tac_scene_file_read(tacYamlTree *tree, tacSceneFile *file, tacError *error);

static inline tacSceneBody *tac_scene_file_body(const tacSceneFile *file, int index) {
  return (tacSceneBody *)file->bodies.items + index;
}
static inline tacSceneTool *tac_scene_file_tool(const tacSceneFile *file, int index) {
  return (tacSceneTool *)file->tools.items + index;
}

static inline tacScenePair *tac_scene_file_pair(const tacSceneFile *file, int index) {
  return (tacScenePair *)file->contacts.items + index;
}

/* Returns the scene body that creates the world body `name`; NULL if no scene body does. `copy` receives the index
 * of the copy. */
const tacSceneBody *tac_scene_file_find(const tacSceneFile *file, const char *name, int *copy);

tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error);
