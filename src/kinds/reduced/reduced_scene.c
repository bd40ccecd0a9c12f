#include "kinds/reduced/reduced_scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "base/clock.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "base/threads/parallel.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_cache.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/reduced/reduced_problem.h"
#include "spec/body_copy.h"
#include "spec/cache/solid_cache.h"
#include "spec/ready_solid.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)
TAC_OWNED_TYPE(tacReduced, tac_reduced_destroy)

/* Scene keys */

static tacStatus check_basis(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneBasis *b = record;
  if (b->from != TAC_BASIS_MODES && tac_yaml_child(b->node, "modes") == NULL) b->modes = 0;
  if (b->from == TAC_BASIS_MODES && b->modes == 0)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "modes"), TAC_ERR_FORMAT, error,
                          "a basis from modes needs at least 1 mode");
  return TAC_OK;
}

static void basis_defaults(void *record) {
  tacSceneBasis *basis = record;
  tacReducedDef def = tac_reduced_def_default();
  basis->modes = def.mode_count;
  basis->size = def.size;
  basis->step = def.motion_step;
}

#define MODES (1u << TAC_BASIS_MODES)
#define SKETCH (1u << TAC_BASIS_SKETCH)
#define MOTION (1u << TAC_BASIS_MOTION)
static const tacField basis_fields[] = {
    TAC_FIELD(tacSceneBasis, from, TAC_CHOICE("modes|sketch|motion"), TAC_REQUIRED),
    TAC_FIELD(tacSceneBasis, file, TAC_TEXT, TAC_REQUIRED, .variants = SKETCH | MOTION),
    TAC_FIELD(tacSceneBasis, radius, TAC_QUANTITY(LENGTH, 0.0, TAC_LARGEST), .variants = SKETCH | MOTION),
    TAC_FIELD(tacSceneBasis, modes, TAC_COUNT(0, 1000)),
    TAC_FIELD(tacSceneBasis, size, TAC_COUNT(1, TAC_BODY_MOST_COORDINATES)),
    TAC_FIELD(tacSceneBasis, step, TAC_QUANTITY(TIME, 1e-6, 1.0), .variants = MOTION),
    TAC_FIELD(tacSceneBasis, duration, TAC_QUANTITY(TIME, 0.0, 1e4), .variants = MOTION),
};
static const tacRecord basis_record = {TAC_TABLE("a basis", tacSceneBasis, basis_fields), .variant = &basis_fields[0],
                                       .defaults = basis_defaults, .check = check_basis};

static void damping_defaults(void *record) {
  tacSceneDamping *damping = record;
  tacReducedBodyDef def = tac_reduced_body_def_default();
  damping->mass = def.mass_damping;
  damping->stiffness = def.stiffness_damping;
}

static const tacField damping_fields[] = {
    TAC_FIELD(tacSceneDamping, mass, TAC_QUANTITY(DECAY, 0.0, 1e6)),
    TAC_FIELD(tacSceneDamping, stiffness, TAC_QUANTITY(TIME, 0.0, 1e3)),
    /* This field must be the last one, because tac_reduced_scene_damping omits the last field. */
    TAC_FIELD(tacSceneDamping, strain_rate, TAC_QUANTITY(TIME, 0.0, 1e3)),
};
static const tacRecord own_damping = {TAC_TABLE("damping", tacSceneDamping, damping_fields),
                                      .defaults = damping_defaults};
const tacRecord tac_reduced_scene_damping = {.noun = "damping",
                                             .size = sizeof(tacSceneDamping),
                                             .fields = damping_fields,
                                             .field_count = (int)(sizeof damping_fields / sizeof *damping_fields) - 1,
                                             .defaults = damping_defaults};

static tacStatus check_free(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (tac_reduced_keys(b)->basis.from == TAC_BASIS_SKETCH)
    return tac_yaml_error(tree, tac_reduced_keys(b)->basis.node, TAC_ERR_FORMAT, error,
                          "`from: sketch` needs a fixed body, because a free body has no static equilibrium; add "
                          "fixed, or write from: modes");
  if (tac_reduced_keys(b)->is_static)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "static"), TAC_ERR_FORMAT, error,
                          "a free body has inertia, so it cannot be static; hold it with fixed, or remove `static`");
  return TAC_OK;
}

static tacStatus check_keys(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacReducedKeys *r = tac_reduced_keys(b);
  TAC_TRY(tac_scene_body_check_volume(tree, b, error));
  if (b->fixed.count == 0) TAC_TRY(check_free(tree, b, error));
  TAC_TRY(tac_scene_body_check_motion(tree, b, b->fixed.count == 0, "remove `fixed`", error));
  if (b->fixed.count > 0 && b->contact.node != NULL)
    return tac_yaml_error(tree, b->contact.node, TAC_ERR_FORMAT, error,
                          "this key applies only to free bodies, but this body is fixed; remove `contact` or `fixed`");
  if (r->keep > r->basis.size)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "keep"), TAC_ERR_FORMAT, error,
                          "keep is %d, but the basis has only %d vectors; keep at most that many", r->keep,
                          r->basis.size);
  return TAC_OK;
}

tacStatus tac_reduced_scene_check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacReducedKeys *r = tac_reduced_keys(b);
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, 1.0, NULL},
      {"friction", live->friction, b->friction, tac_yaml_child(b->node, "friction")},
      {"damping", live->damping, r->damping.stiffness,
       r->damping.node != NULL ? tac_yaml_child(r->damping.node, "stiffness") : NULL},
      {"strain_rate", live->strain_rate, r->damping.strain_rate,
       r->damping.node != NULL ? tac_yaml_child(r->damping.node, "strain_rate") : NULL},
      {"touch", live->touch, b->touch.stiffness,
       b->touch.node != NULL ? tac_yaml_child(b->touch.node, "stiffness") : NULL},
      {"lambda", live->lambda, 1.0, NULL},
      {"mu", live->mu, 1.0, NULL},
      {"density", live->density, 1.0, NULL},
  };
  if (b->copies.node != NULL && live->node != NULL)
    return tac_yaml_error(tree, live->node, TAC_ERR_FORMAT, error,
                          "a body with copies cannot have live parameters; remove `live` or `copies`");
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  TAC_TRY(check_keys(tree, b, error));
  TAC_TRY(tac_scene_body_check_materials(tree, b, error));
  return tac_reduced_scene_check_live(tree, b, error);
}

void tac_reduced_scene_motion_defaults(tacReducedKeys *motion) {
  damping_defaults(&motion->damping);
  motion->newton = tac_reduced_body_def_default().newton_steps;
}

static void defaults(tacSceneBody *body) {
  tacReducedKeys *keys = tac_scene_own(body);
  basis_defaults(&keys->basis);
  tac_reduced_scene_motion_defaults(keys);
}

/* Ranges have the same limits as the corresponding keys of the body. */
#define FACTOR TAC_RANGE(NUMBER, 1e-6, 1e6)
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, FACTOR),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, damping, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, strain_rate, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, touch, TAC_RANGE(STIFFNESS, 1e-3, 1e7)),
    TAC_FIELD(tacSceneRanges, lambda, FACTOR),
    TAC_FIELD(tacSceneRanges, mu, FACTOR),
    TAC_FIELD(tacSceneRanges, density, FACTOR),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

static const tacField fields[] = {
    TAC_KEYS_OF_MESHES,
    TAC_KEYS_OF_MATERIALS,
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record)),
    TAC_KEY(live, TAC_RECORD(ranges_record)),
    TAC_REDUCED_OWN(basis, TAC_RECORD(basis_record), TAC_REQUIRED),
    TAC_REDUCED_OWN(mass, TAC_CHOICE("consistent|lumped")),
    TAC_REDUCED_OWN(keep, TAC_COUNT(1, TAC_BODY_MOST_COORDINATES)),
    TAC_REDUCED_OWN(damping, TAC_RECORD(own_damping)),
    TAC_REDUCED_OWN(linear, TAC_FLAG),
    TAC_REDUCED_KEYS_OF_STEPS,
    TAC_KEY(field, TAC_RECORD(tac_scene_deformed_record)),
};

static tacStatus visit(const tacSceneBody *body, tacSceneFileVisit visitor, void *user, tacError *error) {
  const tacSceneBasis *basis = &tac_reduced_keys(body)->basis;
  return basis->file != NULL ? visitor(tac_yaml_child(basis->node, "file"), basis->file, user, error) : TAC_OK;
}

static bool is_free(const tacSceneBody *body) {
  return body->fixed.count == 0;
}

bool tac_reduced_scene_lower(int *value, int most) {
  bool above = *value > most;
  if (above) *value = most;
  return above;
}

/* Lowers the parameters of the bake so that every scene of the gallery bakes in a few seconds. */
static bool lower_basis(tacSceneBody *body) {
  enum { MOST_MODES = 8, MOST_SIZE = 12 };
  tacReducedKeys *keys = tac_scene_own(body);
  bool modes = keys->basis.from == TAC_BASIS_MODES && tac_reduced_scene_lower(&keys->basis.modes, MOST_MODES);
  bool size = tac_reduced_scene_lower(&keys->basis.size, MOST_SIZE);
  tac_reduced_scene_lower(&keys->keep, keys->basis.size);
  return modes || size;
}

/* Bake and creation */

tacStatus tac_reduced_scene_bake_field(tacBodyBake *b, const tacReduced *reduced, uint64_t key) {
  if (b->body->field.node == NULL) return TAC_OK;
  tacError reason;
  tacDeformedDef def;
  tacBodyMaker maker = tac_body_bake_maker(b);
  TAC_FREED(tac_ready_file_free, tacReadyFile, file) = {0};
  TAC_TRY(tac_deformed_solid_def(&maker, tac_reduced_surface(reduced), &def));
  def.reduced = reduced;
  def.reduced_key = key;
  if (b->body->field.file != NULL) {
    TAC_OWN(tacDistanceField, field) = NULL; /* read for the checks and the checksum; the bake reads the file again */
    TAC_TRY(tac_ready_solid_field(&maker, tac_reduced_surface(reduced), &field, &file, NULL));
    def.file = file.path;
    def.file_key = b->field_key = file.checksum;
  }
  tacSceneAsset *asset = tac_body_bake_asset(b, "deformed");
  tacStatus status = tac_reduced_cache_field(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->deformed,
                                             asset, &reason);
  return tac_body_bake_error(b, b->body->field.node, status, &reason);
}

tacStatus tac_reduced_scene_bake_points(tacBodyBake *b, const tacReduced *reduced, uint64_t key, double placed) {
  if (b->body->points.node == NULL) return TAC_OK;
  bool whole = b->baked->deformed != NULL && b->body->field.domains.count == 0;
  tacError reason;
  tacEmbeddedDef def = {.placed = placed >= 0.0, .reduced = reduced, .reduced_key = key};
  TAC_OWN(tacPointshell, ready) = NULL;
  tacSceneAsset *asset = tac_body_bake_asset(b, "points");
  TAC_TRY(tac_body_bake_shell(b, tac_reduced_surface(reduced),
                              whole ? tac_deformed_field_domain(b->baked->deformed, 0) : NULL, &def.shell, &ready,
                              asset));
  tacStatus status =
      tac_reduced_cache_points(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->shell, asset, &reason);
  if (def.placed && !asset->was_cached) asset->seconds += placed;
  return tac_body_bake_error(b, b->body->points.node, status, &reason);
}

/* Data of a bake with two threads. The calling thread bakes the basis, because it must report progress. The second
 * thread places the rest points, which do not depend on the basis, and stores them in the cache. */
typedef struct Beside {
  tacBodyBake *bake;
  const tacReducedProblem *problem;
  tacSceneAsset *asset;
  tacError *reason;
  tacReduced *reduced;
  bool basis_begun; /* true if the calling thread has started to bake the basis */
  tacStatus status; /* result of the bake of the basis */
  double placed;    /* time that the second thread needed to place the points, s; negative: not placed */
  atomic_bool points_begun, stop;
} Beside;

static bool note(const char *what, double fraction, void *user) {
  (void)what;
  const Beside *s = user;
  tac_bake_steps_next(s->bake->steps, fraction);
  return !atomic_load(&s->stop);
}

static bool report(const char *what, double fraction, void *user) {
  Beside *s = user;
  const tacProgress *progress = s->bake->progress;
  if (!progress->report(what, fraction, progress->user)) atomic_store(&s->stop, true);
  return !atomic_load(&s->stop);
}

static void place_points(Beside *s) {
  tacBodyBake *b = s->bake;
  tacShellDef def = tac_body_solid_shell(b->body, s->problem->surface);
  TAC_OWN(tacPointshell, shell) = NULL;
  int64_t start = tac_clock_now();
  tacStatus status = tac_solid_cache_points(b->folder, b->body->name, &def, b->again, &(tacProgress){note, s}, &shell,
                                            /* An error is ignored here, because the bake of the points repeats it. */
                                            NULL, NULL);
  if (status == TAC_OK) s->placed = tac_clock_seconds(tac_clock_now() - start);
}

static void bake_basis(Beside *s) {
  tacBodyBake *b = s->bake;
  s->basis_begun = true;
  s->status = tac_reduced_cache(b->folder, b->body->name, &s->problem->def, b->again, &(tacProgress){report, s},
                                &s->reduced, s->asset, s->reason);
  if (s->status != TAC_OK) atomic_store(&s->stop, true);
}

static void bake_either(size_t begin, size_t end, int thread, void *context) {
  (void)begin;
  (void)end;
  Beside *s = context;
  if (thread == 0 && !s->basis_begun) bake_basis(s);
  if (thread > 0 && !atomic_exchange(&s->points_begun, true)) place_points(s);
}

/* True if rest points must be placed and a second core is available. */
static bool can_place(const tacBodyBake *b, const tacReducedProblem *problem) {
  const tacSceneBody *body = b->body;
  const tacBakeSteps *steps = b->steps;
  return body->points.node != NULL && body->points.file == NULL && body->field.node == NULL &&
         problem->surface != NULL && !steps->expected[steps->step].baked && tac_parallel_core_count() > 1;
}

static void free_own(void *own) {
  tac_reduced_destroy(own);
}

static const void *made(const tacBakedBody *baked, const char *ending) {
  return strcmp(ending, "reduced") == 0 ? baked->own : NULL;
}

static tacStatus bake(tacBodyBake *b) {
  TAC_FREED(tac_reduced_problem_free, tacReducedProblem, problem) = {0};
  tacError reason, of_basis;
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacStatus status = TAC_OK;
  TAC_TRY(tac_reduced_problem_create(&maker, &problem));
  uint64_t key = tac_reduced_cache_key(&problem.def);
  tacSceneAsset *asset = tac_body_bake_asset(b, "reduced");
  Beside beside = {.bake = b, .problem = &problem, .asset = asset, .reason = &of_basis, .placed = -1.0};
  if (can_place(b, &problem))
    status = tac_parallel_for(0, 2, 1, bake_either, &beside, &(tacProgress){report, &beside}, "points", &reason);
  if (status == TAC_OK && !beside.basis_begun) bake_basis(&beside);
  if (beside.status != TAC_OK) {
    status = beside.status;
    reason = of_basis;
  }
  b->baked->own = beside.reduced;
  b->baked->free_own = free_own;
  if (status != TAC_OK) return tac_body_bake_error(b, tac_reduced_keys(b->body)->basis.node, status, &reason);
  b->baked->surface = tac_reduced_surface(beside.reduced);
  TAC_TRY(tac_reduced_scene_bake_field(b, beside.reduced, key));
  return tac_reduced_scene_bake_points(b, beside.reduced, key, beside.placed);
}

tacStatus tac_reduced_scene_add(const tacBodyAdd *a, const tacReduced *asset, tacReducedAdd add, tacError *error) {
  const tacSceneBody *body = a->body;
  const tacReducedKeys *keys = tac_reduced_keys(body);
  tacReducedBodyDef def = tac_reduced_body_def_default();
  int size = tac_reduced_size(asset);
  bool kept[TAC_BODY_MOST_COORDINATES];
  for (int i = 0; i < size; ++i) kept[i] = i < keys->keep;
  if (keys->keep > 0) def.kept = kept;
  def.body = tac_scene_kind_def(a);
  def.reduced = asset;
  def.mass_damping = keys->damping.mass;
  def.stiffness_damping = keys->damping.stiffness;
  def.strain_rate = keys->damping.strain_rate;
  def.newton_steps = keys->newton;
  def.is_static = keys->is_static;
  def.linear = keys->linear;
  /* U is mass-orthonormal, so |q''| is the root mean square acceleration times the square root of the mass. */
  def.acceleration_limit = keys->acceleration_limit * sqrt(tac_reduced_info(asset)->mass);
  def.shell = a->baked->shell;
  def.field = a->baked->deformed;
  def.loads = a->baked->loads;
  for (int i = 0; i < tac_body_copy_count(body); ++i) {
    char name[TAC_BODY_COPY_NAME];
    tac_body_copy_name(body, i, name);
    def.body.name = name;
    def.body.pose = tac_body_copy_pose(body, i);
    TAC_TRY(add(a, &def, error));
  }
  return TAC_OK;
}

static tacStatus add_one(const tacBodyAdd *a, const tacReducedBodyDef *def, tacError *error) {
  return tac_world_add_reduced(a->world, def, NULL, error);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  return tac_reduced_scene_add(a, a->baked->own, add_one, error);
}

/* Descriptions of scenes */

void tac_reduced_scene_describe(const tacSceneLines *to, const tacSceneBody *b, const char *held) {
  const tacReducedKeys *r = tac_reduced_keys(b);
  int copies = tac_body_copy_count(b);
  char strain_rate[128] = "";
  if (r->damping.strain_rate > 0.0)
    snprintf(strain_rate, sizeof strain_rate, ", strain rates %s", tac_text_seconds(r->damping.strain_rate).text);
  tac_lines_add(to, "", "%s, damping %.4g 1/s and %s%s, touch %.4g N/m and %.4g Ns/m, friction %.3g", held,
                r->damping.mass, tac_text_seconds(r->damping.stiffness).text, strain_rate, b->touch.stiffness,
                b->touch.damping, b->friction);
  if (copies > 1)
    tac_lines_add(to, "", "%d copies, a step every %s each", copies, tac_text_many(b->every, "tick").text);
  char more[128];
  snprintf(more, sizeof more, ", %d proxies in %s",
           b->field.proxies > 0 ? b->field.proxies : tac_deformed_field_def_default().proxy_count,
           b->field.domains.count > 0 ? tac_text_many(b->field.domains.count, "domain").text : "one domain");
  tac_body_description_field(to, b, more);
  tac_body_description_points(to, b);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  static const char *const sources[] = {"modes", "a sketch", "motion"};
  const tacReducedKeys *r = tac_reduced_keys(b);
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_lines_add(to, label, "reduced, of %s", source);
  tac_body_description_materials(to, b);
  if (r->basis.file != NULL)
    tac_lines_add(to, "", "basis of %d from %s, %s", r->basis.size, sources[r->basis.from], r->basis.file);
  else
    tac_lines_add(to, "", "basis of %d from %s", r->basis.size, tac_text_many(r->basis.modes, "mode").text);
  tac_reduced_scene_describe(to, b, b->fixed.count > 0 ? "held" : "free");
}

/* Descriptions after the bake */

/* Returns a text for the source of the basis, such as "6 modes and 21 derivatives" or "a sketch". */
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

static void describe_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset) {
  const tacReduced *reduced = made;
  const tacReducedInfo *info = tac_reduced_info(reduced);
  tac_lines_add(to, label, "%s, %s, %.4g kg, %s, %s", tac_text_many(info->element_count, "element").text,
                tac_text_many(info->vertex_count, "vertex").text, tac_reduced_info(reduced)->mass,
                tac_reduced_is_free(reduced) ? "free" : "held", tac_body_description_made(asset).text);
  tac_lines_add(to, "", "%s from %s represent %s of the data they were made from",
                tac_text_many(tac_reduced_size(reduced), "coordinate").text, basis_data(reduced).text,
                tac_text_share(info->captured).text);
  if (info->linear_most > 0.0)
    tac_lines_add(to, "", "linear modes %.3g to %.3g Hz, reduced %.3g to %.3g Hz; coefficients %s", info->linear_least,
                  info->linear_most, info->reduced_least, info->reduced_most,
                  tac_text_bytes(info->bytes_polynomials).text);
  else
    tac_lines_add(to, "", "reduced %.3g to %.3g Hz; coefficients %s", info->reduced_least, info->reduced_most,
                  tac_text_bytes(info->bytes_polynomials).text);
  if (info->mode_count > 0)
    tac_lines_add(to, "", "bake times: modes %s, derivatives %s, basis %s, coefficients %s",
                  tac_text_seconds(info->seconds_modes).text, tac_text_seconds(info->seconds_derivatives).text,
                  tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_polynomials).text);
  else
    tac_lines_add(to, "", "bake times: basis %s, coefficients %s", tac_text_seconds(info->seconds_basis).text,
                  tac_text_seconds(info->seconds_polynomials).text);
}

/* Descriptions of files */

static void say_material(const tacSceneLines *to, const tacReduced *reduced, int group) {
  const tacMaterial *material = tac_reduced_group_material(reduced, group);
  double mass = tac_reduced_group_mass(reduced, group);
  char name[64];
  snprintf(name, sizeof name, "group %s", tac_reduced_group_name(reduced, group));
  if (mass == 0.0)
    tac_lines_add(to, name, "no elements");
  else if (material->isotropic)
    tac_lines_add(to, name, "%.4g kg: density %.6g kg/m³, Young's modulus %.6g Pa, Poisson's ratio %.6g", mass,
                  material->density, material->young, material->poisson);
  else
    tac_lines_add(to, name, "%.4g kg: density %.6g kg/m³, anisotropic", mass, material->density);
}

static double share_of_shape(const tacReduced *reduced, int shape) {
  const double *c = tac_reduced_shape(reduced, shape);
  double sum = 0.0;
  for (int j = 0; j < tac_reduced_size(reduced); ++j) sum += c[j] * c[j];
  return sqrt(sum);
}

/* Prints the number of modes and derivatives that the basis represents to at least 99 %, and the shape with the largest
 * error. */
static void say_shapes(const tacSceneLines *to, const tacReduced *reduced) {
  int count = 0, well = 0, worst = -1;
  for (int s = 0; s < tac_reduced_shape_count(reduced); ++s) {
    /* A principal shape is itself a basis vector. */
    if (strncmp(tac_reduced_shape_label(reduced, s), "shape", 5) == 0) continue;
    double share = share_of_shape(reduced, s);
    ++count;
    well += share >= 0.99;
    if (worst < 0 || share < share_of_shape(reduced, worst)) worst = s;
  }
  if (count > 0)
    tac_lines_add(to, "shapes",
                  "%d of %d modes and derivatives are represented to at least 99 %%; the least, %s, to "
                  "%s",
                  well, count, tac_reduced_shape_label(reduced, worst),
                  tac_text_share(share_of_shape(reduced, worst)).text);
}

static tacStatus describe_file(const tacSceneLines *to, const char *path, tacError *error) {
  TAC_OWN(tacReduced, reduced) = NULL;
  TAC_TRY(tac_reduced_read(path, &reduced, error));
  const tacReducedInfo *info = tac_reduced_info(reduced);
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  int fixed = 0;
  for (int v = 0; v < surface->vertex_count; ++v) fixed += tac_reduced_fixed(reduced)[v];
  tac_lines_add(to, "coordinates", "%d", tac_reduced_size(reduced));
  bool modes = strcmp(info->source, "modes") == 0;
  tac_lines_add(to, "basis", "from %s%s%s%s, represents %s of its data", modes ? "" : "a ", modes ? "" : info->source,
                modes || info->mode_count == 0 ? "" : " and ",
                info->mode_count > 0 ? tac_text_many(info->mode_count, "mode").text : "",
                tac_text_share(info->captured).text);
  say_shapes(to, reduced);
  tac_lines_add(to, "volume", "%s, %s", tac_text_many(info->vertex_count, "vertex").text,
                tac_text_many(info->element_count, "element").text);
  tac_lines_add(to, "surface", "%s (%s free), %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                tac_text_count(surface->vertex_count - fixed).text,
                tac_text_many(surface->triangle_count, "triangle").text, tac_text_size(tac_trimesh_box(surface)).text);
  tac_lines_add(to, "body", "%.4g kg, %s", tac_reduced_info(reduced)->mass,
                tac_reduced_is_free(reduced) ? "free" : "held");
  for (int g = 0; g < tac_reduced_group_count(reduced); ++g) say_material(to, reduced, g);
  if (info->mode_count > 0)
    tac_lines_add(to, "linear modes", "%.4g Hz to %.4g Hz", info->linear_least, info->linear_most);
  tac_lines_add(to, "reduced body", "%.4g Hz to %.4g Hz at rest", info->reduced_least, info->reduced_most);
  tac_lines_add(to, "polynomials", "%s; the bake needed %s", tac_text_bytes(info->bytes_polynomials).text,
                tac_text_bytes(info->bytes_bake).text);
  if (info->seconds_modes > 0.0) tac_lines_add(to, "bake: modes", "%s", tac_text_seconds(info->seconds_modes).text);
  if (info->seconds_derivatives > 0.0)
    tac_lines_add(to, "bake: derivatives", "%s", tac_text_seconds(info->seconds_derivatives).text);
  tac_lines_add(to, "bake: basis", "%s", tac_text_seconds(info->seconds_basis).text);
  tac_lines_add(to, "bake: polynomials", "%s", tac_text_seconds(info->seconds_polynomials).text);
  return TAC_OK;
}

/* Draft scenes */

/* Returns the element size for about 3,000 elements, but at least half the thickness of thin parts. */
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

static const tacBodyDrafter drafter = {.use = TAC_DRAFT_THIN, .held = true, .write = write_draft};

/* Estimates the time per tick for steps with cubic polynomials in r coordinates, s. Measured on arm64: 77 us for r = 30
 * and 1.2 ms for r = 60 (docs/reduced.md). */
static double step(const tacSceneBody *body, int elements) {
  (void)elements;
  const tacReducedKeys *keys = tac_reduced_keys(body);
  int r = keys->keep > 0 ? keys->keep : keys->basis.size;
  return 1.2e-3 * pow(r / 60.0, 4.0) * keys->newton / body->every;
}

static const tacBakeChecks *checks(const void *made_asset) {
  return tac_reduced_checks(made_asset);
}

static const tacSceneKind scene = {.fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = defaults,
                                   .check = check,
                                   .visit = visit,
                                   .is_free = is_free,
                                   .lower = lower_basis,
                                   .step = step,
                                   .large = true,
                                   .assets = 1,
                                   .version = TAC_REDUCED_CACHE_VERSION,
                                   .bake = bake,
                                   .made = made,
                                   .add = add,
                                   .describe = describe,
                                   .describe_asset = describe_asset,
                                   .checks = checks,
                                   .file = "reduced body",
                                   .describe_file = describe_file};

const tacBodyKind tac_reduced_row = {.version = TAC_BODY_KIND_VERSION,
                                     .name = "reduced",
                                     .summary = "large deformations in a few coordinates",
                                     .shown = TAC_SHOWN_COORDINATES,
                                     .scene = &scene,
                                     .drafter = &drafter};
