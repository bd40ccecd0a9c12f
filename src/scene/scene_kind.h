/* A kind of bodies as scenes see it: its keys, and what becomes of them. scene/scene_kinds.h has them all; whoever asks for a kind
 * asks its row. */
#pragma once

#include "scene/body_bake.h"
#include "scene/body_description.h"

/* A body on its way into a world; after the bake. */
typedef struct tacBodyAdd {
  const tacYamlTree *tree;
  const tacSceneBody *body;
  const tacBakedBody *baked;
  double limit; /* N/m: that of tac_tool_device_least_stiffness */
  tacWorld *world;
} tacBodyAdd;

typedef struct tacSceneKind {
  const char *name; /* NULL: each has its own */
  /* Its keys, of tacSceneBody, beside those of all bodies. */
  const tacField *fields;
  int field_count;
  void (*defaults)(tacSceneBody *body);
  tacStatus (*check)(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
  /* Files that its own keys name; NULL: none. */
  tacStatus (*visit)(const tacSceneBody *body, tacSceneFileVisit visit, void *user, tacError *error);
  bool (*is_free)(const tacSceneBody *body); /* where no tool holds it; NULL: never */
  double (*touch)(
      const tacSceneBody *body); /* N/m, the most that a point tool feels of it, but for the device's limit */
  bool relaxes;                  /* its surface becomes triangles that are alike */
  bool linear;                   /* it answers by linear elasticity: small strain */
  bool divides;                  /* its elements are tetrahedra, whatever the volume is of */
  /* Seconds of a step on one core, about, with so many elements; NULL: microseconds, whatever the body. */
  double (*step)(const tacSceneBody *body, int elements);
  bool vertices; /* they are its points, and it has no field */
  int assets;    /* beside field and points */
  tacStatus (*bake)(tacBodyBake *bake);
  tacStatus (*add)(const tacBodyAdd *add, tacError *error);
  void (*describe)(const tacSceneLines *to, const char *label, const tacSceneBody *body);
} tacSceneKind;
