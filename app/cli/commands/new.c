#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tactus/device.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include <tactus/scene.h>
#include <unistd.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/picture/shape_sheet.h"
#include "app/cli/scene/scene_bake.h"
#include "app/cli/scene/scene_draft.h"
#include "app/cli/scene/tissue_sheet.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/text.h"
#include "kinds/body_kind.h"
#include "shape/shape.h"
#include "spec/tissue.h"

static const char command[] = "tactus new";
static const char usual_tissue[] = "liver";
static const double hard = 50e6; /* Pa: from here on every device feels a wall */

typedef struct Options {
  const char *shape, *unit, *tissue, *preset, *cache;
  double size;
  int vertices, fixed, kind;
  bool has_kind, no_bake, no_open, force, quiet;
  const char *name, *mesh; /* operands */
  char *scene, *surface;   /* files to write: NAME.yaml and NAME-surface.obj */
  const char *stem;        /* of NAME, without its folder */
} Options;

/* Kinds that a first scene can have, in the order of the words of --kind; NULL: there are no more. */
static const tacBodyKind *kind_with_draft(int index) {
  for (int i = 0; i < tac_body_kind_count(); ++i)
    if (tac_body_kind_at(i)->drafter != NULL && index-- == 0) return tac_body_kind_at(i);
  return NULL;
}

/* That which is taken where nobody asks for one. */
static const tacBodyKind *kind_for(tacDraftUse use) {
  const tacBodyKind *kind;
  for (int i = 0; (kind = kind_with_draft(i)) != NULL; ++i)
    if (kind->drafter->use == use) return kind;
  return use != TAC_DRAFT_USUAL ? kind_for(TAC_DRAFT_USUAL) : kind_with_draft(0);
}

static bool parse(int argc, char **argv, Options *o, int *operands, int *result) {
  char kinds[1024] = "", kind_help[256];
  for (int i = 0; kind_with_draft(i) != NULL; ++i)
    snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s", i > 0 ? "|" : "", kind_with_draft(i)->name);
  const tacBodyKind *usual = kind_for(TAC_DRAFT_USUAL), *of_hard = kind_for(TAC_DRAFT_HARD);
  const tacBodyKind *of_thin = kind_for(TAC_DRAFT_THIN);
  snprintf(kind_help, sizeof kind_help,
           "kind of body (default %s;\n"
           "%s for a hard tissue, %s for a thin organ)",
           usual->name, of_hard->name, of_thin->name);
  const tacOption table[] = {
      {TAC_OPTION_HEADING, .help = "the organ"},
      {TAC_OPTION_TEXT, "--shape", "NAME", "gallery shape instead of a mesh; `list` lists them", .target = &o->shape},
      {TAC_OPTION_TEXT, "--tissue", "NAME",
       "material; `list` lists all with their sources\n"
       "(default: guessed from the names, else liver)",
       .target = &o->tissue},
      {TAC_OPTION_TEXT, "--unit", "UNIT",
       "unit of the mesh: mm, cm, m, um or inch\n"
       "(default: guessed from its size and reported)",
       .target = &o->unit},
      {TAC_OPTION_NUMBER, "--size", "METRES", "scale the mesh so that its longest side has this length",
       .target = &o->size, .lower = 1e-4, .upper = 100.0},
      {TAC_OPTION_CHOICE, "--fixed",
       .help = "side whose vertices are fixed, along z, x and y\n"
               "(default bottom: lowest z)",
       .target = &o->fixed, .word = "bottom|top|left|right|front|back"},

      {TAC_OPTION_HEADING, .help = "how it is computed"},
      {TAC_OPTION_CHOICE, "--kind", .help = kind_help, .target = &o->kind, .given = &o->has_kind, .word = kinds},
      {TAC_OPTION_COUNT, "--vertices", "N",
       "approximate vertices of the surface\n"
       "(default: 600; more if it is thin)",
       .target = &o->vertices, .lower = 50, .upper = 20000},
      {TAC_OPTION_TEXT, "--device", "PRESET",
       "simulated device: premium-3 (default), premium-6,\n"
       "omni, virtuose-6",
       .target = &o->preset},

      {TAC_OPTION_HEADING, .help = "other"},
      {TAC_OPTION_FLAG, "--no-bake", .help = "only write the files", .target = &o->no_bake},
      {TAC_OPTION_FLAG, "--no-open", .help = "do not open the viewer afterwards", .target = &o->no_open},
      {TAC_OPTION_FLAG, "--force", .help = "overwrite existing files", .target = &o->force},
      tac_options_cache(&o->cache),
      tac_options_threads(),
      {TAC_OPTION_FLAG, "--quiet", .help = "print only warnings and errors", .target = &o->quiet},
  };
  const tacUsage usage = {
      command, "NAME MESH [options]\nNAME --shape SHAPE [options]",
      "Writes NAME.yaml, a scene in which a finger presses your organ, bakes it and opens it in the viewer.\n"
      "MESH is a surface or volume mesh in any format that Tactus reads (OBJ, STL, PLY, OFF, MSH, VTK, VTU,\n"
      "VEG, TetGen). Defects are repaired, and each repair is reported: holes are filled, triangles\n"
      "flipped, parts joined, small loose parts left out, and surfaces that are too fine or uneven are\n"
      "remeshed. The repaired surface is written to NAME-surface.obj, in metres; MESH itself is not\n"
      "changed. Comments explain every line of the scene. docs/own_organ.md is a step-by-step guide.",
      TAC_OPTIONS(table),
      .closing = "examples:\n"
                 "  tactus new liver scan.stl                               guess the unit; take the tissue from NAME\n"
                 "  tactus new left-kidney scan.stl --tissue kidney --unit mm --fixed back\n"
                 "  tactus new phantom block.ply --tissue gelatine --size 0.1 --no-open\n"
                 "  tactus new x --shape heart                              without a mesh"};
  return tac_options_parse(&usage, argc, argv, operands, result);
}

/* What is asked for */

static int check_tissue(const Options *o) {
  if (o->tissue == NULL || tac_tissue_find(o->tissue) != NULL) return TAC_EXIT_OK;
  tacNearest nearest = {.given = o->tissue};
  for (int i = 0; i < tac_tissue_count(); ++i) tac_nearest_offer(&nearest, tac_tissue_info(i)->name);
  return tac_usage_error(command, "--tissue: unknown tissue %s; did you mean %s? --tissue list lists them", o->tissue,
                         nearest.best);
}

static int check_shape(const Options *o) {
  if (o->shape == NULL || tac_shape_find(o->shape) != NULL) return TAC_EXIT_OK;
  tacNearest nearest = {.given = o->shape};
  for (int i = 0; tac_shape_info(i) != NULL; ++i) tac_nearest_offer(&nearest, tac_shape_info(i)->name);
  return tac_usage_error(command, "--shape: unknown shape %s; did you mean %s? --shape list lists them", o->shape,
                         nearest.best);
}

static int check_unit(const Options *o) {
  static const char *const known[] = {"mm", "cm", "m", "um", "inch"};
  if (o->unit != NULL && o->size > 0.0)
    return tac_usage_error(command, "--unit and --size both set the scale of the mesh; give only one of them");
  if (o->unit != NULL && o->shape != NULL)
    return tac_usage_error(command, "--unit: only for a mesh; shapes of the gallery are in metres");
  if (o->size > 0.0 && o->shape != NULL)
    return tac_usage_error(command,
                           "--size: a shape of the gallery has a fixed size; to scale it, run tactus mesh --shape %s "
                           "-o FILE, then tactus new %s FILE --size %g",
                           o->shape, o->name, o->size);
  for (size_t i = 0; o->unit != NULL && i < sizeof known / sizeof *known; ++i)
    if (strcmp(known[i], o->unit) == 0) return TAC_EXIT_OK;
  return o->unit == NULL ? TAC_EXIT_OK
                         : tac_usage_error(command, "--unit: unknown unit %s; use mm, cm, m, um or inch", o->unit);
}

static int check_preset(const Options *o) {
  tacOperatorDef def;
  tacError error = {0};
  if (tac_operator_def_preset(o->preset, &def, &error) == TAC_OK) return TAC_EXIT_OK;
  return tac_usage_error(command, "--device: %s", error.text);
}

static int check_name(Options *o) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  const char *slash = strrchr(o->name, '/');
  o->stem = slash != NULL ? slash + 1 : o->name;
  size_t length = strlen(o->stem);
  if (length > 0 && length <= 60 && o->stem[0] != '.' && strspn(o->stem, allowed) == length) return TAC_EXIT_OK;
  return tac_usage_error(command, "%s: not a valid name; use up to 60 letters, digits, '-', '_' and '.'", o->name);
}

static int check(Options *o, int operands, char **argv) {
  if (operands == 0) return tac_usage_error(command, "no name given; tactus new NAME MESH writes NAME.yaml");
  char *yaml = strlen(argv[0]) > 5 ? argv[0] + strlen(argv[0]) - 5 : NULL;
  if (yaml != NULL && strcmp(yaml, ".yaml") == 0) *yaml = '\0';
  o->name = argv[0];
  if (operands == 1 && o->shape == NULL)
    return tac_usage_error(command, "no mesh given; use tactus new %s MESH, or --shape NAME", o->name);
  if (operands > 1 && o->shape != NULL)
    return tac_usage_error(command, "give either a mesh or --shape, not both; unexpected argument %s", argv[1]);
  if (operands > 2) return tac_usage_error(command, "only one mesh at a time; unexpected argument %s", argv[2]);
  if (operands == 2) o->mesh = argv[1];
  int (*const checks[])(const Options *) = {check_tissue, check_shape, check_unit, check_preset};
  int wrong = check_name(o);
  for (size_t i = 0; wrong == TAC_EXIT_OK && i < sizeof checks / sizeof *checks; ++i) wrong = checks[i](o);
  return wrong;
}

/* What is chosen */

/* The longest name of a tissue that is in the text: "left_kidney.stl" is a kidney. */
static const tacTissue *tissue_in(const char *text) {
  const tacTissue *found = NULL;
  for (int i = 0; text != NULL && i < tac_tissue_count(); ++i) {
    const tacTissue *tissue = tac_tissue_info(i);
    if (strcasestr(text, tissue->name) != NULL && (found == NULL || strlen(tissue->name) > strlen(found->name)))
      found = tissue;
  }
  return found;
}

static const tacTissue *choose_tissue(const Options *o, tacConsole *console) {
  if (o->tissue != NULL) return tac_tissue_find(o->tissue);
  const char *slash = o->mesh != NULL ? strrchr(o->mesh, '/') : NULL;
  const char *texts[] = {o->stem, o->shape, slash != NULL ? slash + 1 : o->mesh};
  const tacTissue *found = NULL;
  for (int i = 0; i < 3 && found == NULL; ++i) found = tissue_in(texts[i]);
  const char *why = found != NULL ? "guessed from the name" : "the default, because the name is not a known tissue";
  if (found == NULL) found = tac_tissue_find(usual_tissue);
  tac_console_print(console, "material: %s (%s), %s; override with --tissue NAME (--tissue list lists them)",
                    found->name, tac_text_pressure(found->young).text, why);
  return found;
}

static const tacBodyKind *choose_kind(const Options *o, const tacTissue *tissue, const tacOrganMesh *mesh,
                                      tacConsole *console) {
  if (o->has_kind) return kind_with_draft(o->kind);
  tacDraftUse use = tissue->young > hard ? TAC_DRAFT_HARD : mesh->thin ? TAC_DRAFT_THIN : TAC_DRAFT_USUAL;
  const tacBodyKind *kind = kind_for(use);
  if (kind->drafter->use == TAC_DRAFT_HARD)
    tac_console_print(console, "kind: %s, because %s is harder than any device can render; override with --kind",
                      kind->name, tissue->name);
  if (kind->drafter->use == TAC_DRAFT_THIN)
    tac_console_print(console,
                      "kind: %s, because a tenth of the organ is thinner than %s, too thin for boundary elements; "
                      "override with --kind",
                      kind->name, tac_text_length(mesh->thickness).text);
  return kind;
}

/* Files */

static tacStatus refuse_existing(const Options *o, const char *path, tacError *error) {
  if (o->force || access(path, F_OK) != 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FILE, "%s exists already; use --force to overwrite it, or choose another name",
                       path);
}

/* What somebody brings is not written over, whatever is forced. */
static tacStatus refuse_mesh(const Options *o, tacError *error) {
  struct stat mesh, surface;
  if (stat(o->mesh, &mesh) != 0 || stat(o->surface, &surface) != 0 || mesh.st_ino != surface.st_ino ||
      mesh.st_dev != surface.st_dev)
    return TAC_OK;
  return tac_error_set(error, TAC_ERR_FILE, "%s is the mesh itself and would be overwritten; choose another name",
                       o->surface);
}

static char *with_ending(const char *name, const char *ending, tacError *error) {
  char *path = tac_array_create(strlen(name) + strlen(ending) + 1, 1, "a path", error);
  if (path != NULL) strcat(strcpy(path, name), ending);
  return path;
}

/* The mesh as seen from the scene's folder: by its name where both are in one, else by its whole path. */
static char *seen_from_scene(const Options *o, tacError *error) {
  TAC_MEMORY(char, mesh) = realpath(o->mesh, NULL);
  TAC_MEMORY(char, folder) = NULL;
  if (mesh == NULL) {
    tac_error_set(error, TAC_ERR_FILE, "%s: %s", o->mesh, strerror(errno));
    return NULL;
  }
  size_t length = (size_t)(o->stem - o->name);
  TAC_MEMORY(char, own) = tac_array_create(length + 2, 1, "a path", error);
  if (own != NULL) folder = realpath(length > 0 ? memcpy(own, o->name, length) : strcpy(own, "."), NULL);
  char *slash = strrchr(mesh, '/');
  bool same = folder != NULL && strlen(folder) == (size_t)(slash - mesh) && strncmp(mesh, folder, strlen(folder)) == 0;
  return tac_array_text(same ? slash + 1 : mesh, error);
}

static tacStatus write_surface(const Options *o, const tacOrganMesh *mesh, tacConsole *console, tacError *error) {
  TAC_TRY(refuse_mesh(o, error));
  TAC_TRY(refuse_existing(o, o->surface, error));
  const tacMeshContents contents = {.surface = mesh->surface};
  TAC_TRY(tac_mesh_write(o->surface, TAC_MESH_FORMAT_OBJ, &contents, error));
  tac_console_print(console, "wrote %s, in metres, centred at the origin", o->surface);
  return TAC_OK;
}

static tacStatus write_scene(const Options *o, const tacSceneDraftDef *def, tacConsole *console, tacError *error) {
  static const char *const sides[] = {"bottom", "top", "left", "right", "front", "back"};
  TAC_FREED(tac_new_file_discard, tacNewFile, file) = {0};
  tacSceneDraft draft;
  TAC_TRY(tac_new_file_open(o->scene, &file, error));
  TAC_TRY(tac_scene_draft_write(def, file.stream, &draft, error));
  TAC_TRY(tac_new_file_commit(&file, error));
  if (def->kind->drafter->held)
    tac_console_print(console, "fixed at its %s: %.0f %% of the vertices; override with --fixed SIDE", sides[o->fixed],
                      100.0 * draft.held);
  tac_console_print(console, "the finger presses %s deep from the opposite side", tac_text_length(draft.depth).text);
  if (draft.scale != 1.0)
    tac_console_print(
        console, "scale: the finger moves %.4g times as far as the hand, so that the device reaches the whole organ",
        draft.scale);
  tac_console_print(console, "wrote %s", o->scene);
  return TAC_OK;
}

static tacStatus make(const Options *o, tacConsole *console, tacError *error) {
  tacOrganMeshDef wanted = {
      .file = o->mesh, .shape = o->shape, .unit = o->unit, .size = o->size, .vertices = o->vertices};
  TAC_FREED(tac_organ_mesh_free, tacOrganMesh, mesh) = {0};
  TAC_MEMORY(char, file) = NULL;
  TAC_TRY(refuse_existing(o, o->scene, error));
  TAC_TRY(tac_organ_mesh_make(&wanted, console, &mesh, error));
  if (mesh.remade) TAC_TRY(write_surface(o, &mesh, console, error));
  if (o->shape == NULL) {
    const char *slash = strrchr(o->surface, '/');
    file = mesh.remade ? tac_array_text(slash != NULL ? slash + 1 : o->surface, error) : seen_from_scene(o, error);
    if (file == NULL) return TAC_ERR_FILE;
  }
  const tacTissue *tissue = choose_tissue(o, console);
  tacSceneDraftDef def = {.name = o->stem,
                          .source = o->shape != NULL ? o->shape : o->mesh,
                          .shape = o->shape,
                          .file = file,
                          .mesh = &mesh,
                          .tissue = tissue,
                          .kind = choose_kind(o, tissue, &mesh, console),
                          .fixed = (tacDraftSide)o->fixed,
                          .preset = o->preset};
  return write_scene(o, &def, console, error);
}

static void print_finding(const tacFinding *finding, void *user) {
  if (finding->level > TAC_FINDING_NOTE) tac_console_warn(user, "%s", finding->text);
}

/* What was chosen should be right; where it is not, one knows before the bake. */
static tacStatus check_and_bake(const Options *o, tacConsole *console, tacError *error) {
  TAC_OWN(tacScene, scene) = NULL;
  TAC_TRY(tac_scene_read(o->scene, &scene, error));
  TAC_TRY(tac_scene_check(scene, &console->progress, print_finding, console, error));
  return o->no_bake ? TAC_OK : tac_scene_bake_and_report(scene, o->cache, false, false, console, error);
}

static int view(const Options *o) {
  char name[] = "view", quiet[] = "--quiet", cache[PATH_MAX + 16], *words[4] = {name, o->scene};
  int count = 2;
  if (o->quiet) words[count++] = quiet;
  snprintf(cache, sizeof cache, "--cache=%.*s", PATH_MAX, o->cache != NULL ? o->cache : "");
  if (o->cache != NULL) words[count++] = cache;
  return tac_command_view(count, words);
}

static void free_paths(Options *o) {
  free(o->scene);
  free(o->surface);
}

int tac_command_new(int argc, char **argv) {
  TAC_FREED(free_paths, Options, o) = {.preset = "premium-3"};
  int operands, result;
  if (!parse(argc, argv, &o, &operands, &result)) return result;
  if (o.tissue != NULL && strcmp(o.tissue, "list") == 0) {
    tac_tissue_sheet_list();
    return TAC_EXIT_OK;
  }
  if (o.shape != NULL && strcmp(o.shape, "list") == 0) {
    tac_shape_sheet_list();
    return TAC_EXIT_OK;
  }
  if ((result = check(&o, operands, argv)) != TAC_EXIT_OK) return result;
  tacError error = {0};
  tacConsole *console = tac_console_open(o.quiet);
  o.scene = with_ending(o.name, ".yaml", &error);
  o.surface = with_ending(o.name, "-surface.obj", &error);
  if (o.scene == NULL || o.surface == NULL || make(&o, console, &error) != TAC_OK) return tac_console_fail(&error);
  tacStatus status = check_and_bake(&o, console, &error);
  tac_console_step(console, status);
  if (status != TAC_OK) return tac_scene_bake_fail(&error);
  if (!o.no_open && !o.no_bake) return view(&o);
  tac_console_print(console, "next: tactus %s %s, then tactus run %s", o.no_bake ? "check" : "view", o.scene, o.scene);
  return TAC_EXIT_OK;
}
