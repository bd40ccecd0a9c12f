/* What a scene file says of a hyperelastic material: its law by name, the law's parameters with their units,
 * viscosity, fibres. */
#pragma once

#include "scene/scene_body.h"

/* One term of a Prony series. */
typedef struct tacSceneTerm {
  const tacYamlNode *node;
  double share, time; /* s */
} tacSceneTerm;

/* Of `material`, and of one of the list `materials`: both check everything and leave tacSceneMaterial.hyperelastic
 * complete. */
extern const tacRecord tac_hyperelastic_material_record, tac_hyperelastic_materials_record;

/* What their checks do: of a material whose law is said. Leaves tacSceneMaterial.hyperelastic complete. */
tacStatus tac_hyperelastic_material_complete(const tacYamlTree *tree, tacSceneMaterial *material, tacError *error);

/* "mooney-rivlin, c1 300 Pa, c2 300 Pa, k0 20,000 Pa, density 1050 kg/m³" */
void tac_hyperelastic_material_say(const tacSceneMaterial *material, char *text, size_t size);
