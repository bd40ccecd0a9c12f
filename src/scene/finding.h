/* What a check of a scene has found, and what it looks at: surfaces of bodies, before any bake. */
#pragma once

#include <tactus/scene.h>
#include "mesh/query/triangle_tree.h"
#include "scene/scene_parts.h"

typedef struct tacCheckedBody {
  tacTriMesh *surface;   /* body's frame; NULL: it cannot be made, or takes too long */
  tacTriangleTree *tree; /* of one that is closed, else NULL */
  int elements;          /* of its volume, about; 0: none */
  double thickness;      /* m, below which a twentieth of the surface is; infinity: not known */
  double least_side;     /* m, of its box */
  double stiffness;      /* N/m, that a finger feels of it, about; 0: not known */
} tacCheckedBody;

typedef struct tacCheck {
  const tacScene *scene;
  const tacProgress *progress;
  tacFindingFn visit;
  void *user;
  tacCheckedBody *bodies;
  double bake_seconds, bake_bytes; /* of all bodies, about */
  tacError *error;
} tacCheck;

/* Tells of one; `node` is where in the file. */
void tac_finding_report(const tacCheck *check, tacFindingLevel level, const char *about, const tacYamlNode *node,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same with a text that has its place already: an error of whatever makes the scene. */
void tac_finding_report_error(const tacCheck *check, const char *about, const tacError *reason);
/* What is wrong with a body: its mesh, what is held, thin parts, masks, moduli, memory and time. Fills check->bodies[index]. */
tacStatus tac_body_check(tacCheck *check, int index);
void tac_body_check_free(tacCheckedBody *body);
/* What is wrong with the way that a simulated hand goes; after the bodies. */
tacStatus tac_path_check(tacCheck *check, const tacSceneTool *tool);
/* The node of a body's key, or of the body where it has no such key. */
const tacYamlNode *tac_finding_node(const tacSceneBody *body, const char *key);
