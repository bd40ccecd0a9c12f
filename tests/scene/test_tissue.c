/* Materials by name: the table itself, its page in docs, and what scenes make of a name. */
#include <tactus/material.h>
#include <tactus/scene.h>

#include "base/files/input_file.h"
#include "base/text.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "spec/tissue.h"

TAC_TEST(every_tissue_is_a_material) {
  ck_assert_int_ge(tac_tissue_count(), 20);
  for (int i = 0; i < tac_tissue_count(); ++i) {
    const tacTissue *t = tac_tissue_info(i);
    tacMaterial made;
    error = (tacError){0};
    ck_assert_ptr_eq(tac_tissue_find(t->name), t); /* no name is there twice */
    ck_assert_uint_eq(strspn(t->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(t->name));
    tac_test_ok(tac_material_isotropic(t->density, t->young, t->poisson, &made, &error), error);
    ck_assert_msg(t->least <= t->young && t->young <= t->most, "%s: %g is not in %g to %g", t->name, t->young, t->least,
                  t->most);
    ck_assert_msg(t->density > 100.0 && t->density < 1e4, "%s: %g kg/m3", t->name, t->density);
    /* author, year, journal */
    ck_assert_msg(strpbrk(t->source, "12") != NULL || strstr(t->source, "bulletin") != NULL, "%s", t->source);
    ck_assert_uint_gt(strlen(t->about), 20);
  }
  ck_assert_ptr_null(tac_tissue_info(-1));
  ck_assert_ptr_null(tac_tissue_info(tac_tissue_count()));
  ck_assert_ptr_null(tac_tissue_find("unobtainium"));
}

/* docs/tissues.md has a row for each, and no other; TACTUS_TEST_PRINT=1 prints them. */
TAC_TEST(the_page_has_the_same_table) {
  TAC_FREED(tac_input_file_free, tacInputFile, page);
  tac_test_ok(tac_input_file_read(TAC_TEST_DOCS "/tissues.md", TAC_INPUT_SCENE, &page, &error), error);
  const char *text = (const char *)page.bytes;
  bool prints = getenv("TACTUS_TEST_TELL") != NULL;
  int rows = 0;
  for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; ++at) ++rows;
  for (int i = 0; i < tac_tissue_count(); ++i) {
    const tacTissue *t = tac_tissue_info(i);
    char row[1024];
    snprintf(row, sizeof row, "| `%s` | %s | %s to %s | %.4g | %.0f kg/m³ | %s | %s |\n", t->name,
             tac_text_pressure(t->young).text, tac_text_pressure(t->least).text, tac_text_pressure(t->most).text,
             t->poisson, t->density, t->source, t->about);
    if (prints) printf("%s", row);
    ck_assert_msg(prints || strstr(text, row) != NULL, "docs/tissues.md lacks %s", row);
  }
  ck_assert(prints || rows == tac_tissue_count());
}

#define TOOL "tools:\n  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n"
#define BODY(kind, rest) \
  "tactus: 1\nbodies:\n  - name: b\n    kind: " kind "\n    fixed: [{below: {axis: x, at: 0}}]\n" rest
static const char green[] = BODY(
    "green", "    method: finite-elements\n    volume: {shape: cube}\n    mask: single\n    material: liver\n") TOOL;
static const char hyperelastic[] = BODY("hyperelastic", "    volume: {shape: cube}\n    material: liver\n") TOOL;
static const char vademecum[] =
    BODY("vademecum", "    volume: {shape: cube}\n    loads: {size: 1 N}\n    material: liver\n") TOOL;
static const char reduced[] =
    BODY("reduced", "    volume: {shape: cube}\n    basis: {from: modes}\n    material: liver\n") TOOL;
static const char corotational[] = BODY("corotational", "    volume: {shape: cube}\n    material: liver\n") TOOL;

static const tacSceneMaterial *material_of(const tacScene *scene, int index) {
  return tac_scene_body_material(tac_scene_file_body(&scene->file, 0), index);
}

TAC_TEST(a_name_stands_for_its_numbers_in_every_kind) {
  static const char *const scenes[] = {green, hyperelastic, vademecum, reduced, corotational};
  const tacTissue *liver = tac_tissue_find("liver");
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
    TAC_OWN(tacScene, scene) = parse(scenes[i], "s");
    const tacSceneMaterial *m = material_of(scene, 0);
    double young = 0.0, poisson = 0.0;
    ck_assert(tac_scene_material(scene, 0, &young, &poisson));
    ck_assert_double_eq(young, liver->young);
    ck_assert_double_eq(poisson, liver->poisson);
    ck_assert_double_eq(m->density, liver->density);
  }
}

/* At small strain the law's shear modulus is mu = E / 2 (1 + nu), whatever the law. */
TAC_TEST(laws_have_the_modulus_of_the_tissue) {
  const tacTissue *liver = tac_tissue_find("liver");
  double mu = 0.5 * liver->young / (1.0 + liver->poisson);
  TAC_OWN(tacScene, scene) = parse(hyperelastic, "s");
  ck_assert_str_eq(material_of(scene, 0)->all.law, "neo-hookean");
  ck_assert_double_eq_tol(material_of(scene, 0)->all.parameters[0], mu, 1e-9 * mu);
  ck_assert_double_eq(material_of(scene, 0)->all.density, liver->density);
  const char *text =
      edited(hyperelastic, "material: liver", "material: {tissue: liver, law: mooney-rivlin, poisson: 0.4}");
  TAC_OWN(tacScene, other) = parse(text, "s");
  const tacLawMaterial *made = &material_of(other, 0)->all;
  mu = 0.5 * liver->young / 1.4;
  ck_assert_str_eq(made->law, "mooney-rivlin");
  ck_assert_double_eq_tol(2.0 * (made->parameters[0] + made->parameters[1]), mu, 1e-9 * mu);
  TAC_OWN(tacScene, known) = parse(vademecum, "s");
  ck_assert_str_eq(material_of(known, 0)->all.law, "st-venant-kirchhoff");
}

TAC_TEST(scene_values_override_the_tissue) {
  const tacTissue *liver = tac_tissue_find("liver");
  const char *text = edited(green, "material: liver", "material: {tissue: liver, young: 8 kPa}");
  TAC_OWN(tacScene, firmer) = parse(text, "s");
  ck_assert_double_eq(material_of(firmer, 0)->young, 8e3);
  ck_assert_double_eq(material_of(firmer, 0)->density, liver->density);
  text = edited(
      green, "material: liver",
      "materials: [{tissue: fat}, {tissue: breast-tumour, density: 1100 kg/m3, in: [{above: {axis: z, at: 30 mm}}]}]");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_str_eq(tac_scene_material_name(material_of(scene, 0)), "fat");
  ck_assert_str_eq(tac_scene_material_name(material_of(scene, 1)), "breast-tumour");
  ck_assert_double_eq(material_of(scene, 0)->young, 3250.0);
  ck_assert_double_eq(material_of(scene, 1)->young, 42500.0);
  ck_assert_double_eq(material_of(scene, 1)->density, 1100.0);
}

TAC_TEST(errors_suggest_the_nearest_name) {
  static const struct {
    const char *scene, *to, *message;
  } cases[] = {
      {green, "material: livre",
       "s:9: bodies[0].material.tissue: unknown material livre; did you mean liver? Available materials: liver, "
       "kidney"},
      {green, "material: {tissue: kidny}",
       "s:9: bodies[0].material.tissue: unknown material kidny; did you mean kidney? Available materials: "},
      {hyperelastic, "material: brian",
       "s:7: bodies[0].material.tissue: unknown material brian; did you mean brain? Available materials: "},
      {green, "material: [liver]", "s:9: bodies[0].material: this is a list, but a map is needed"},
      {green, "material: {young: 5 kPa, poisson: 0.45}", "s:9: bodies[0].material: a material needs a density"},
      {hyperelastic, "material: {young: 5 kPa, poisson: 0.45, density: 1000 kg/m3}",
       "s:7: bodies[0].material: a material needs a law"},
      {hyperelastic, "material: {tissue: liver, law: ogden}",
       "s:7: bodies[0].material.tissue: this key does not determine the parameters of the law ogden; write them like "
       "parameters: {"},
      {hyperelastic, "material:", "s:7: bodies[0].material: this is nothing, but a map is needed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    check_refused(edited(cases[i].scene, "material: liver", cases[i].to), cases[i].message, BEGINS);
}
