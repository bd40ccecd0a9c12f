#include "kinds/reduced/reduced_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/text.h"

/* After the bake */

/* What the basis was made from: "6 modes and 21 derivatives", "a sketch". */
static tacText basis_data(const tacReduced *reduced) {
  const char *source = tac_reduced_info(reduced)->source;
  bool drawn = strcmp(source, "modes") != 0;
  int modes = tac_reduced_info(reduced)->mode_count, derivatives = 0;
  for (int i = 0; i < tac_reduced_shape_count(reduced); ++i)
    derivatives += strncmp(tac_reduced_shape_label(reduced, i), "derivative", 10) == 0;
  tacText text;
  if (modes == 0)
    snprintf(text.text, sizeof text.text, "a %s", source);
  else
    snprintf(text.text, sizeof text.text, "%s%s%s%.20s and %.20s", drawn ? "a " : "", drawn ? source : "",
             drawn ? ", " : "", tac_text_many(modes, "mode").text, tac_text_many(derivatives, "derivative").text);
  return text;
}

void tac_reduced_words_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset) {
  const tacReduced *reduced = made;
  const tacReducedInfo *info = tac_reduced_info(reduced);
  tac_scene_say(to, label, "%s, %s, %.4g kg, %s, %s", tac_text_many(info->element_count, "element").text,
                tac_text_many(info->vertex_count, "vertex").text, tac_reduced_mass(reduced),
                tac_reduced_is_free(reduced) ? "free" : "held", tac_body_description_made(asset).text);
  tac_scene_say(to, "", "%s from %s hold %s of what they were made from",
                tac_text_many(tac_reduced_size(reduced), "coordinate").text, basis_data(reduced).text,
                tac_text_share(info->captured).text);
  if (info->linear_most > 0.0)
    tac_scene_say(to, "", "linear modes %.3g to %.3g Hz, reduced %.3g to %.3g Hz; coefficients %s", info->linear_least,
                  info->linear_most, info->reduced_least, info->reduced_most,
                  tac_text_bytes(info->bytes_polynomials).text);
  else
    tac_scene_say(to, "", "reduced %.3g to %.3g Hz; coefficients %s", info->reduced_least, info->reduced_most,
                  tac_text_bytes(info->bytes_polynomials).text);
  if (info->mode_count > 0)
    tac_scene_say(to, "", "of its bake: modes %s, derivatives %s, basis %s, coefficients %s",
                  tac_text_seconds(info->seconds_modes).text, tac_text_seconds(info->seconds_derivatives).text,
                  tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_polynomials).text);
  else
    tac_scene_say(to, "", "of its bake: basis %s, coefficients %s", tac_text_seconds(info->seconds_basis).text,
                  tac_text_seconds(info->seconds_polynomials).text);
}

/* What a file holds */

static void say_material(const tacSceneLines *to, const tacReduced *reduced, int group) {
  const tacMaterial *material = tac_reduced_group_material(reduced, group);
  double mass = tac_reduced_group_mass(reduced, group);
  char name[64];
  snprintf(name, sizeof name, "group %s", tac_reduced_group_name(reduced, group));
  if (mass == 0.0)
    tac_scene_say(to, name, "no elements");
  else if (material->isotropic)
    tac_scene_say(to, name, "%.4g kg: density %.6g kg/m³, Young's modulus %.6g Pa, Poisson's ratio %.6g", mass,
                  material->density, material->young, material->poisson);
  else
    tac_scene_say(to, name, "%.4g kg: density %.6g kg/m³, anisotropic", mass, material->density);
}

static double share_of_shape(const tacReduced *reduced, int shape) {
  const double *c = tac_reduced_shape(reduced, shape);
  double sum = 0.0;
  for (int j = 0; j < tac_reduced_size(reduced); ++j) sum += c[j] * c[j];
  return sqrt(sum);
}

/* Which modes and derivatives the basis represents, and which of them worst. */
static void say_shapes(const tacSceneLines *to, const tacReduced *reduced) {
  int count = 0, well = 0, worst = -1;
  for (int s = 0; s < tac_reduced_shape_count(reduced); ++s) {
    if (strncmp(tac_reduced_shape_label(reduced, s), "shape", 5) == 0) continue; /* the basis itself */
    double share = share_of_shape(reduced, s);
    ++count;
    well += share >= 0.99;
    if (worst < 0 || share < share_of_shape(reduced, worst)) worst = s;
  }
  if (count > 0)
    tac_scene_say(to, "shapes", "%d of %d modes and derivatives are in it by 99 %% or more; the least, %s, by %s", well,
                  count, tac_reduced_shape_label(reduced, worst), tac_text_share(share_of_shape(reduced, worst)).text);
}

tacStatus tac_reduced_words_file(const tacSceneLines *to, const char *path, tacError *error) {
  tacReduced *reduced = NULL;
  tacStatus status = tac_reduced_read(path, &reduced, error);
  if (status != TAC_OK) return status;
  const tacReducedInfo *info = tac_reduced_info(reduced);
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  int fixed = 0;
  for (int v = 0; v < surface->vertex_count; ++v) fixed += tac_reduced_fixed(reduced)[v];
  tac_scene_say(to, "coordinates", "%d", tac_reduced_size(reduced));
  bool modes = strcmp(info->source, "modes") == 0;
  tac_scene_say(to, "basis", "from %s%s%s%s, holds %s of its data", modes ? "" : "a ", modes ? "" : info->source,
                modes || info->mode_count == 0 ? "" : " and ",
                info->mode_count > 0 ? tac_text_many(info->mode_count, "mode").text : "",
                tac_text_share(info->captured).text);
  say_shapes(to, reduced);
  tac_scene_say(to, "volume", "%s, %s", tac_text_many(info->vertex_count, "vertex").text,
                tac_text_many(info->element_count, "element").text);
  tac_scene_say(to, "surface", "%s (%s free), %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                tac_text_count(surface->vertex_count - fixed).text,
                tac_text_many(surface->triangle_count, "triangle").text, tac_text_size(tac_trimesh_box(surface)).text);
  tac_scene_say(to, "body", "%.4g kg, %s", tac_reduced_mass(reduced), tac_reduced_is_free(reduced) ? "free" : "held");
  for (int g = 0; g < tac_reduced_group_count(reduced); ++g) say_material(to, reduced, g);
  if (info->mode_count > 0)
    tac_scene_say(to, "linear modes", "%.4g Hz to %.4g Hz", info->linear_least, info->linear_most);
  tac_scene_say(to, "reduced body", "%.4g Hz to %.4g Hz at rest", info->reduced_least, info->reduced_most);
  tac_scene_say(to, "polynomials", "%s; the bake needed %s", tac_text_bytes(info->bytes_polynomials).text,
                tac_text_bytes(info->bytes_bake).text);
  if (info->seconds_modes > 0.0) tac_scene_say(to, "bake: modes", "%s", tac_text_seconds(info->seconds_modes).text);
  if (info->seconds_derivatives > 0.0)
    tac_scene_say(to, "bake: derivatives", "%s", tac_text_seconds(info->seconds_derivatives).text);
  tac_scene_say(to, "bake: basis", "%s", tac_text_seconds(info->seconds_basis).text);
  tac_scene_say(to, "bake: polynomials", "%s", tac_text_seconds(info->seconds_polynomials).text);
  tac_reduced_destroy(reduced);
  return TAC_OK;
}

/* A first scene */

/* Elements of about 3,000, two through what is thin where that many allow it. */
static double element_size(const tacBodyDraft *d) {
  return fmax(cbrt(d->volume / 3000.0), 0.5 * d->thickness);
}

static void write_draft(const tacBodyDraft *d, char *text, size_t size) {
  double element = element_size(d);
  bool cover = element > 0.5 * d->thickness;
  snprintf(
      text, size,
      "    kind: reduced                  # moves and bends far, in a few coordinates; too coarse for small dents\n"
      "%s"
      "    volume: {bricks: %s%s}   # what is computed; %s through what is thin (%s)\n"
      "%s%s"
      "    basis: {from: modes, modes: 8, size: 20}   # coordinates: more of them bend finer, and cost more\n"
      "    damping: {mass: 0.5 1/s, stiffness: 5 ms}\n"
      "    touch: {stiffness: 300 N/m, damping: 0.3 Ns/m}   # between the finger and the place that it touches\n"
      "    friction: 0.3\n"
      "    live: {stiffness: [0.25, 4], friction: [0, 1], damping: [0, 50 ms], touch: [50 N/m, 600 N/m]}\n",
      d->surface, tac_text_written_length(element).text, cover ? ", fill: cover" : "", cover ? "should be two" : "two",
      tac_text_written_length(d->thickness).text, d->material, d->fixed);
}

const tacBodyDrafter tac_reduced_drafter = {.use = TAC_DRAFT_THIN, .held = true, .write = write_draft};
