/* Checks a scene before a bake and reports findings. The checks create the meshes of bodies, but bake nothing. */
#pragma once

#include <tactus/scene.h>
#include "mesh/query/triangle_tree.h"
#include "scene/scene_parts.h"

typedef struct tacCheckedBody {
  tacTriMesh *surface;   /* surface in the body's frame; NULL: the creation failed or takes too long */
  tacTriangleTree *tree; /* tree of a closed surface; NULL: the surface is open */
  int elements;          /* approximate number of volume elements; 0: none */
  double thickness;      /* thickness, m: a twentieth of the surface is thinner; infinite if unknown */
  double least_side;     /* shortest side of the bounding box, m */
  double stiffness;      /* approximate stiffness that a finger feels, N/m; 0: unknown */
} tacCheckedBody;

typedef struct tacCheck {
  const tacScene *scene;
  const tacProgress *progress;
  tacFindingFn visit;
  void *user;
  tacCheckedBody *bodies;
  double bake_seconds, bake_bytes; /* estimated duration, s, and memory, bytes, of the bake */
  tacError *error;
} tacCheck;

/* Reports a finding at a node of the scene file. */
void tac_finding_report(const tacCheck *check, tacFindingLevel level, const char *about, const tacYamlNode *node,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Reports an error as a finding. The text of the error already contains the place in the scene file. */
void tac_finding_report_error(const tacCheck *check, const char *about, const tacError *reason);
/* Checks a body: the mesh, the fixed regions, thin parts, masks, moduli, memory and time. Fills
 * check->bodies[index]. */
tacStatus tac_body_check(tacCheck *check, int index);
void tac_body_check_free(tacCheckedBody *body);
/* Checks the path of a simulated hand. Call after the checks of all bodies. */
tacStatus tac_path_check(tacCheck *check, const tacSceneTool *tool);
/* Returns the node of a key of a body, or the node of the body if the key is missing. */
const tacYamlNode *tac_finding_node(const tacSceneBody *body, const char *key);
