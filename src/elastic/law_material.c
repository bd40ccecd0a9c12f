#include "elastic/law_material.h"

#include <string.h>
#include "base/error.h"
#include "elastic/laws/hyper_laws.h"

bool tac_material_law(int index, tacMaterialLaw *law) {
  if (law == NULL) return false;
  int count;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  if (index < 0 || index >= count) return false;
  *law = (tacMaterialLaw){.name = laws[index]->name,
                          .about = laws[index]->about,
                          .parameter_count = laws[index]->parameter_count,
                          .fibres = laws[index]->fibres,
                          .of_moduli = laws[index]->of_moduli};
  for (int i = 0; i < law->parameter_count; ++i) {
    law->parameter[i] = laws[index]->parameters[i].name;
    law->unit[i] = laws[index]->parameters[i].unit;
    law->otherwise[i] = laws[index]->parameters[i].otherwise;
  }
  return true;
}

tacStatus tac_law_material_read(const tacLawMaterial *from, tacHyperMaterial *to, tacError *error) {
  *to = (tacHyperMaterial){.law = tac_hyper_law_find(from->law != NULL ? from->law : "", error)};
  if (to->law == NULL) return TAC_ERR_ARGUMENT;
  if (from->term_count < 0 || from->term_count > TAC_PRONY_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of viscosity terms (%d); 0 to %d are possible",
                         from->term_count, TAC_PRONY_MOST);
  memcpy(to->parameters, from->parameters, sizeof to->parameters);
  to->density = from->density;
  to->prony_count = from->term_count;
  for (int i = 0; i < from->term_count; ++i) to->prony[i] = (tacPronyTerm){from->share[i], from->time[i]};
  return tac_hyper_material_check(to, error);
}

tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error) {
  TAC_REQUIRE(error, material);
  tacHyperMaterial ignored;
  return tac_law_material_read(material, &ignored, error);
}
