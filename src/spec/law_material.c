#include "spec/law_material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/nearest.h"
#include "math/geometry/vec3.h"
#include "spec/text/scene_fields.h"

/* Laws */

static bool find_law(const char *name, tacMaterialLaw *law) {
  for (int i = 0; tac_material_law(i, law); ++i)
    if (strcmp(law->name, name) == 0) return true;
  return false;
}

static tacStatus refuse_law(const tacYamlTree *tree, const tacSceneMaterial *m, tacError *error) {
  tacNearest nearest = {.given = m->law};
  tacMaterialLaw law;
  char all[400] = "";
  for (int i = 0; tac_material_law(i, &law); ++i) {
    tac_nearest_offer(&nearest, law.name);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", law.name);
  }
  return tac_yaml_error(tree, tac_yaml_child(m->node, "law"), TAC_ERR_FORMAT, error,
                        "unknown material law %.40s; did you mean %s? Available laws: %s", m->law, nearest.best, all);
}

/* Parameters */

static int find_parameter(const tacMaterialLaw *law, const char *name) {
  for (int i = 0; i < law->parameter_count; ++i)
    if (strcmp(law->parameter[i], name) == 0) return i;
  return -1;
}

static tacStatus refuse_parameter(const tacYamlTree *tree, const tacYamlNode *entry, const tacMaterialLaw *law,
                                  tacError *error) {
  tacNearest nearest = {.given = entry->key};
  char all[200] = "";
  for (int i = 0; i < law->parameter_count; ++i) {
    tac_nearest_offer(&nearest, law->parameter[i]);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", law->parameter[i]);
  }
  return tac_yaml_error(tree, entry, TAC_ERR_FORMAT, error,
                        "unknown parameter of the law %s; did you mean %s? Its parameters are %s", law->name,
                        nearest.best, all);
}

static tacStatus read_parameter(const tacYamlTree *tree, const tacYamlNode *entry, const char *unit, double *value,
                                tacError *error) {
  tacError reason;
  tacQuantity quantity = TAC_QUANTITY_NUMBER;
  bool known = tac_quantity_find(unit, &quantity);
  if (entry->kind != TAC_YAML_TEXT)
    return tac_yaml_error(tree, entry, TAC_ERR_FORMAT, error, "a parameter must be a single value, for example %s",
                          known ? tac_quantity_example(quantity) : unit);
  tacStatus status = known ? tac_quantity_read(entry->text, quantity, value, &reason)
                           : tac_quantity_read_in(entry->text, unit, value, &reason);
  return status == TAC_OK ? TAC_OK : tac_yaml_error(tree, entry, TAC_ERR_FORMAT, error, "%s", reason.text);
}

/* How a law's parameters are written, of the first that must be given. */
static void write_example(const tacMaterialLaw *law, char *text, size_t size) {
  text[0] = '\0';
  for (int i = 0; i < law->parameter_count; ++i)
    if (isnan(law->otherwise[i]))
      snprintf(text + strlen(text), size - strlen(text), "%s%s: %s", text[0] != '\0' ? ", " : "", law->parameter[i],
               strcmp(law->unit[i], "Pa") == 0 ? "1 kPa"
               : law->unit[i][0] == '\0'       ? "0.3"
                                               : law->unit[i]);
}

static tacStatus read_parameters(const tacYamlTree *tree, const tacSceneMaterial *m, const tacMaterialLaw *law,
                                 double *values, tacError *error) {
  for (int i = 0; i < law->parameter_count; ++i) values[i] = law->otherwise[i];
  for (const tacYamlNode *entry = m->parameters->first; entry != NULL; entry = entry->next) {
    int i = find_parameter(law, entry->key);
    if (i < 0) return refuse_parameter(tree, entry, law, error);
    TAC_TRY(read_parameter(tree, entry, law->unit[i], &values[i], error));
  }
  for (int i = 0; i < law->parameter_count; ++i)
    if (isnan(values[i])) {
      char example[300];
      write_example(law, example, sizeof example);
      return tac_yaml_error(tree, m->parameters, TAC_ERR_FORMAT, error,
                            "the law %s needs the parameter %s; write it "
                            "like {%s}",
                            law->name, law->parameter[i], example);
    }
  return TAC_OK;
}

/* Laws whose parameters follow from Young's modulus and Poisson's ratio at small strain, and how: with the shear
 * modulus mu = E / (2 (1 + nu)), the bulk modulus k0 = E / (3 (1 - 2 nu)), lambda = k0 - 2/3 mu, and of Mooney and
 * Rivlin's 2 (c1 + c2) = mu. */
static tacStatus from_moduli(const tacYamlTree *tree, const tacSceneMaterial *m, const tacMaterialLaw *law,
                             double *values, tacError *error) {
  double shear = 0.5 * m->young / (1.0 + m->poisson), bulk = m->young / (3.0 * (1.0 - 2.0 * m->poisson));
  const struct {
    const char *name;
    double value;
  } known[] = {{"mu", shear},          {"k0", bulk},         {"lambda", bulk - 2.0 / 3.0 * shear},
               {"c1", 0.25 * shear},   {"c2", 0.25 * shear}, {"young", m->young},
               {"poisson", m->poisson}};
  char example[300];
  write_example(law, example, sizeof example);
  if (!law->of_moduli)
    return tac_yaml_error(tree, tac_yaml_child(m->node, tac_yaml_child(m->node, "young") != NULL ? "young" : "tissue"),
                          TAC_ERR_FORMAT, error,
                          "this key does not determine the parameters of the law %s; write "
                          "them like parameters: {%s}",
                          law->name, example);
  for (int i = 0; i < law->parameter_count; ++i) {
    values[i] = law->otherwise[i];
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
      if (strcmp(law->parameter[i], known[k].name) == 0) values[i] = known[k].value;
  }
  return TAC_OK;
}

static tacStatus make_parameters(const tacYamlTree *tree, tacSceneMaterial *m, const tacMaterialLaw *law,
                                 tacError *error) {
  char example[300];
  double *values = m->all.parameters;
  write_example(law, example, sizeof example);
  if (m->parameters != NULL && !m->has_young && !m->has_poisson) return read_parameters(tree, m, law, values, error);
  if (m->parameters == NULL && m->has_young && m->has_poisson) return from_moduli(tree, m, law, values, error);
  return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                        "the material needs the parameters of its law%s; write it like parameters: {%s}",
                        law->of_moduli ? ", or young and poisson, but not both" : "", example);
}

/* Viscosity and fibres */

static tacStatus make_terms(const tacYamlTree *tree, tacSceneMaterial *m, tacError *error) {
  const tacSceneTerm *terms = m->viscosity.items;
  if (m->viscosity.count > TAC_LAW_MOST_TERMS)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "viscosity"), TAC_ERR_FORMAT, error,
                          "too many viscosity terms (%d); at most "
                          "%d are allowed",
                          m->viscosity.count, TAC_LAW_MOST_TERMS);
  m->all.term_count = m->viscosity.count;
  for (int i = 0; i < m->viscosity.count; ++i) {
    m->all.share[i] = terms[i].share;
    m->all.time[i] = terms[i].time;
  }
  return TAC_OK;
}

static tacStatus refuse_direction(const tacYamlTree *tree, const tacSceneMaterial *m, const char *key,
                                  const char *example, tacError *error) {
  return tac_yaml_error(tree, tac_yaml_child(m->node, key), TAC_ERR_FORMAT, error,
                        "the direction is zero, or sheets are parallel to fibres; write it like %s: %s", key, example);
}

/* Sheets need not be given at right angles to fibres, nor at all: then they are some that are. */
static tacStatus make_axes(const tacYamlTree *tree, tacSceneMaterial *m, const tacMaterialLaw *law, tacError *error) {
  const char *given = m->has_fibres ? "fibres" : "sheets";
  if (!m->has_fibres && !m->has_sheets) return TAC_OK;
  if (!law->fibres)
    return tac_yaml_error(tree, tac_yaml_child(m->node, given), TAC_ERR_FORMAT, error,
                          "the law %s is isotropic, so it has no fibres or sheets; leave this key out", law->name);
  if (!m->has_fibres)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "sheets"), TAC_ERR_FORMAT, error,
                          "sheets need fibres; add a fibre direction, for example fibres: [1, 0, 0]");
  if (!(tac_vec3_norm(m->fibres) > 0.0)) return refuse_direction(tree, m, "fibres", "[1, 0, 0]", error);
  m->fibres = tac_vec3_unit(m->fibres);
  tacVec3 f = m->fibres, least = fabs(f.x) <= fabs(f.y) && fabs(f.x) <= fabs(f.z) ? tac_vec3(1.0, 0.0, 0.0)
                                 : fabs(f.y) <= fabs(f.z)                         ? tac_vec3(0.0, 1.0, 0.0)
                                                                                  : tac_vec3(0.0, 0.0, 1.0);
  tacVec3 sheets = m->has_sheets ? m->sheets : least;
  tacVec3 across = tac_vec3_sub(sheets, tac_vec3_scale(tac_vec3_dot(sheets, f), f));
  if (!(tac_vec3_norm(across) > 1e-6 * tac_vec3_norm(sheets)))
    return refuse_direction(tree, m, "sheets", "[0, 1, 0], not parallel to the fibres", error);
  m->sheets = tac_vec3_unit(across);
  return TAC_OK;
}

/* The whole */

tacStatus tac_law_material_complete(const tacYamlTree *tree, tacSceneMaterial *m, tacError *error) {
  tacMaterialLaw law;
  tacError reason;
  if (m->law == NULL && m->tissue != NULL) m->law = "neo-hookean";
  if (m->law == NULL)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                          "a material needs a law; write it like law: neo-hookean, or name a tissue: liver");
  TAC_TRY(tac_scene_material_take_tissue(tree, m, error));
  if (!find_law(m->law, &law)) return refuse_law(tree, m, error);
  m->all = (tacLawMaterial){.law = m->law, .density = m->density};
  TAC_TRY(make_parameters(tree, m, &law, error));
  TAC_TRY(make_terms(tree, m, error));
  TAC_TRY(make_axes(tree, m, &law, error));
  if (tac_law_material_check(&m->all, &reason) == TAC_OK) return TAC_OK;
  return tac_yaml_error(tree, m->parameters != NULL ? m->parameters : m->node, TAC_ERR_FORMAT, error, "%.400s",
                        reason.text);
}

static tacStatus check(const tacYamlTree *tree, void *record, tacError *error) {
  return tac_law_material_complete(tree, record, error);
}

static tacStatus check_placed(const tacYamlTree *tree, void *record, tacError *error) {
  TAC_TRY(tac_scene_material_check_place(tree, record, error));
  return check(tree, record, error);
}

static const tacField term_fields[] = {
    TAC_FIELD(tacSceneTerm, share, TAC_QUANTITY(NUMBER, 1e-6, 1.0), TAC_REQUIRED),
    TAC_FIELD(tacSceneTerm, time, TAC_QUANTITY(TIME, 1e-6, 1e6), TAC_REQUIRED),
};
static const tacRecord term_record = {TAC_TABLE("a term of viscosity", tacSceneTerm, term_fields)};

#define KEY(member, ...) TAC_FIELD(tacSceneMaterial, member, __VA_ARGS__)
#define MATERIAL_FIELDS                                                                            \
  KEY(tissue, TAC_TEXT), KEY(law, TAC_TEXT), KEY(parameters, .kind = TAC_FIELD_MAP),               \
      KEY(young, TAC_QUANTITY(PRESSURE, 1e-3, 1e13), TAC_GIVEN(tacSceneMaterial, has_young)),      \
      KEY(poisson, TAC_QUANTITY(NUMBER, -0.99, 0.4999), TAC_GIVEN(tacSceneMaterial, has_poisson)), \
      KEY(density, TAC_QUANTITY(DENSITY, 1e-3, 1e6), TAC_GIVEN(tacSceneMaterial, has_density)),    \
      KEY(viscosity, TAC_LIST(term_record)),                                                       \
      KEY(fibres, TAC_VECTOR(NUMBER, 1e6), TAC_GIVEN(tacSceneMaterial, has_fibres)),               \
      KEY(sheets, TAC_VECTOR(NUMBER, 1e6), TAC_GIVEN(tacSceneMaterial, has_sheets))
static const tacField fields[] = {MATERIAL_FIELDS};
const tacRecord tac_law_material_record = {TAC_TABLE("a material", tacSceneMaterial, fields), .check = check,
                                           .short_for = "tissue"};

static const tacField placed_fields[] = {
    MATERIAL_FIELDS,
    KEY(name, TAC_NAME),
    KEY(group, TAC_TEXT),
    KEY(in, TAC_LIST(tac_scene_region_record)),
};
const tacRecord tac_law_materials_record = {TAC_TABLE("a material", tacSceneMaterial, placed_fields),
                                            .check = check_placed};

void tac_law_material_describe(const tacSceneMaterial *m, char *text, size_t size) {
  const tacLawMaterial *h = &m->all;
  tacMaterialLaw law;
  snprintf(text, size, "%s", h->law);
  for (int i = 0; find_law(h->law, &law) && i < law.parameter_count; ++i)
    snprintf(text + strlen(text), size - strlen(text), ", %s %.4g%s%s", law.parameter[i], h->parameters[i],
             law.unit[i][0] != '\0' ? " " : "", law.unit[i]);
  snprintf(text + strlen(text), size - strlen(text), ", density %.4g kg/m³", h->density);
  for (int i = 0; i < h->term_count; ++i)
    snprintf(text + strlen(text), size - strlen(text), ", %.3g %% of it relax in %.4g s", 100.0 * h->share[i],
             h->time[i]);
}
