/* A first scene for an organ: what it is made of, where it is held, a hand that presses it, each line explained. */
#pragma once

#include <stdio.h>
#include <tactus/body_kind.h>
#include <tactus/scene.h>
#include "app/cli/mesh/organ_mesh.h"
#include "spec/tissue.h"

typedef enum tacDraftSide {
  TAC_DRAFT_BOTTOM,
  TAC_DRAFT_TOP,
  TAC_DRAFT_LEFT,
  TAC_DRAFT_RIGHT,
  TAC_DRAFT_FRONT,
  TAC_DRAFT_BACK
} tacDraftSide;

typedef struct tacSceneDraftDef {
  const char *name;   /* of the scene and of its body */
  const char *source; /* what it was made from, for people */
  const char *shape;  /* of the gallery, or */
  const char *file;   /* of the surface, as seen from the scene's folder */
  const tacOrganMesh *mesh;
  const tacTissue *tissue;
  const tacBodyKind *kind; /* one with a drafter */
  tacDraftSide fixed;
  const char *preset; /* of the device */
} tacSceneDraftDef;

/* What was chosen, for people. */
typedef struct tacSceneDraft {
  double held; /* share of the vertices */
  double depth, mask, scale;
} tacSceneDraft;

/* Writes the text. TAC_ERR_ARGUMENT where there is no such preset. */
tacStatus tac_scene_draft_write(const tacSceneDraftDef *def, FILE *to, tacSceneDraft *draft, tacError *error);
