/* What a scene file says of a material by its law: its law by name, the law's parameters with their units,
 * viscosity, fibres. */
#pragma once

#include "spec/scene_body.h"

/* One term of a Prony series. */
typedef struct tacSceneTerm {
  const tacYamlNode *node;
  double share, time; /* s */
} tacSceneTerm;

/* Of `material`, and of one of the list `materials`: both check everything and leave tacSceneMaterial.all
 * complete. */
extern const tacRecord tac_law_material_record, tac_law_materials_record;

/* What their checks do: of a material whose law is said. Leaves tacSceneMaterial.all complete. */
tacStatus tac_law_material_complete(const tacYamlTree *tree, tacSceneMaterial *material, tacError *error);

/* "mooney-rivlin, c1 300 Pa, c2 300 Pa, k0 20,000 Pa, density 1050 kg/m³" */
void tac_law_material_describe(const tacSceneMaterial *material, char *text, size_t size);
