#include "elastic/laws/hyper_laws.h"

#include <stdio.h>
#include <string.h>
#include "base/nearest.h"

/* One file each: hyper_<law>.c. */
extern const tacHyperLaw tac_hyper_st_venant_kirchhoff, tac_hyper_neo_hookean, tac_hyper_mooney_rivlin, tac_hyper_ogden,
    tac_hyper_boyce_arruda, tac_hyper_veronda_westmann, tac_hyper_costa, tac_hyper_corotational;

static const tacHyperLaw *const all[] = {
    &tac_hyper_st_venant_kirchhoff, &tac_hyper_neo_hookean,      &tac_hyper_mooney_rivlin, &tac_hyper_ogden,
    &tac_hyper_boyce_arruda,        &tac_hyper_veronda_westmann, &tac_hyper_costa,         &tac_hyper_corotational};
enum { COUNT = sizeof all / sizeof *all };

const tacHyperLaw *const *tac_hyper_laws(int *count) {
  *count = COUNT;
  return all;
}

const tacHyperLaw *tac_hyper_law_find(const char *name, tacError *error) {
  tacNearest nearest = {name, NULL, 0};
  char list[256] = "";
  for (int i = 0; i < COUNT; ++i) {
    if (strcmp(name, all[i]->name) == 0) return all[i];
    tac_nearest_offer(&nearest, all[i]->name);
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "", all[i]->name);
  }
  tac_error_set(error, TAC_ERR_ARGUMENT, "unknown material law %.40s; did you mean %s? Available laws: %s", name,
                nearest.best, list);
  return NULL;
}
