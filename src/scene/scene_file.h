/* What a scene file says, checked against the schema and against itself, but without opening anything that it names. */
#pragma once

#include <tactus/servo.h>
#include "scene/scene_pair.h"
#include "scene/scene_rate.h"
#include "scene/scene_tool.h"
#include "spec/scene_body.h"

#define TAC_SCENE_MOST_BODIES 64

/* Each struct begins with its node, for errors that come later. */

typedef struct tacSceneServo {
  const tacYamlNode *node;
  tacServoDef def;
} tacSceneServo;

typedef struct tacSceneFloor {
  const tacYamlNode *node; /* NULL: none */
  tacSceneNormal normal;
  double at, friction;
} tacSceneFloor;

typedef struct tacSceneFile {
  const tacYamlNode *node;
  int format;
  const char *name, *about; /* the name is NULL where the file has none */
  bool small, lowered;      /* with less of everything, to be baked in seconds; and whether that changed anything */
  double duration;          /* 0: without end */
  tacSchemaList kinds;      /* const char *: shared objects with kinds of bodies */
  tacSchemaList bodies;     /* tacSceneBody */
  tacSchemaList tools;      /* tacSceneTool */
  tacSchemaList contacts;   /* tacScenePair */
  double budget;            /* s; 0: none */
  int method;               /* tacContactMethod of contacts that have none of their own */
  int patch, detect;        /* tacLawsDef of contacts that have none of their own */
  double restitution;
  tacVec3 gravity; /* m/s^2, of bodies that have none of their own */
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

/* The body that stands for the world's body of that name, and which of its copies it is; NULL: none. */
const tacSceneBody *tac_scene_file_find(const tacSceneFile *file, const char *name, int *copy);

tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error);
