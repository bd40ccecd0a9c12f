#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/pointshell.h>
#include <tactus/recording.h>
#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/mesh/report_text.h"
#include "app/cli/scene/tissue_sheet.h"
#include "asset/distance_field.h"
#include "asset/load_field.h"
#include "asset/pointshell.h"
#include "bake/points/pointshell_bake.h"
#include "base/error.h"
#include "base/files/bake_check.h"
#include "base/files/input_file.h"
#include "base/files/sha256.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "device/driver_file.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/formats/mesh_file.h"
#include "record/recording.h"
#include "scene/asset_description.h"
#include "scene/scene_outline.h"

TAC_OWNED_TYPE(tacChunkFile, tac_chunk_file_close)
TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)
TAC_OWNED_TYPE(tacLoadField, tac_load_field_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)
TAC_OWNED_TYPE(tacRecording, tac_recording_close)
TAC_OWNED_TYPE(tacScene, tac_scene_destroy)

/* A tacSceneLineFn: one of a report. */
static void print_line(const char *label, const char *text, void *user) {
  (void)user;
  tac_report_line(label, "%s", text);
}

static const char *permission_of(const char *path) {
  static const char *const words[] = {[TAC_PERMISSION_NONE] = "not allowed",
                                      [TAC_PERMISSION_CHANGED] = "changed since it was allowed",
                                      [TAC_PERMISSION_GIVEN] = "allowed"};
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  char installed[PATH_MAX], checksum[TAC_SHA256_TEXT];
  if (tac_driver_file_installed(path, installed)) return "allowed, as part of the installation";
  if (tac_input_file_read(path, TAC_INPUT_PLUGIN, &input, NULL) != TAC_OK) return "cannot be read";
  tac_sha256(input.bytes, input.size, checksum);
  return words[tac_permission_find(path, checksum)];
}

static void print_plugin(const char *what, const char *path, void *user) {
  (void)user;
  tac_report_line(what, "code in %s, not loaded here: %s", path, permission_of(path));
}

/* Also where files that it names are not there: it is read, not used. Code is never loaded. */
static tacStatus print_scene(const char *path, tacError *error) {
  TAC_OWN(tacSceneOutline, outline) = NULL;
  TAC_OWN(tacScene, scene) = NULL;
  TAC_TRY(tac_scene_outline_read(path, &outline, error));
  bool needs_code = tac_scene_outline_has_kinds(outline);
  if (!needs_code) TAC_TRY(tac_scene_outline_scene(outline, &scene, error));
  printf("%s: scene, format %d\n", path, TAC_SCENE_FORMAT);
  if (needs_code)
    tac_scene_outline_describe(outline, print_line, NULL);
  else
    tac_scene_describe(scene, print_line, NULL);
  tac_scene_outline_plugins(outline, print_plugin, NULL);
  return TAC_OK;
}

static tacStatus print_recording(const char *path, tacError *error) {
  TAC_OWN(tacRecording, recording) = NULL;
  TAC_TRY(tac_recording_open(path, &recording, error));
  const tacRecordingInfo *info = tac_recording_info(recording);
  int64_t ticks = tac_recording_tick_count(recording);
  printf("%s: Tactus recording, %s\n", path, tac_report_file_size(path).text);
  tac_report_line("length", "%s at %.6g Hz, %s", tac_text_many(ticks, "tick").text, 1.0 / info->period,
                  tac_text_seconds((double)ticks * info->period).text);
  if (info->simulate_every > 1)
    tac_report_line("simulation", "%.4g Hz, one step of the bodies every %d ticks",
                    1.0 / (info->simulate_every * info->period), info->simulate_every);
  tac_report_line("tools", "%d", info->tool_count);
  tac_report_line("scene", "%s, %s", info->scene_path, tac_text_bytes((double)strlen(info->scene)).text);
  tac_report_line("recorded by", "%s", info->program);
  tac_report_line("recorded on", "%s", info->platform);
  for (const char *line = info->assets; line[0] != 0;) { /* checksum and name */
    int length = (int)strcspn(line, "\n");
    tac_report_line("asset", "%.*s", length, line);
    line += length + (line[length] == '\n');
  }
  return tac_recording_expect_complete(recording, error);
}

static tacStatus print_field(const char *path, tacError *error) {
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_TRY(tac_distance_field_read(path, &field, error));
  const tacGrid *grid = tac_distance_field_grid(field);
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz, inside = 0;
  float least = grid->values[0], most = grid->values[0];
  for (size_t i = 0; i < count; ++i) {
    if (grid->values[i] < least) least = grid->values[i];
    if (grid->values[i] > most) most = grid->values[i];
    inside += grid->values[i] < 0.0f;
  }
  tacVec3 size = tac_vec3_scale(grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1));
  tacBox box = {grid->origin, tac_vec3_add(grid->origin, size)};
  tac_report_line("voxels", "%d × %d × %d", grid->nx - 1, grid->ny - 1, grid->nz - 1);
  tac_report_line("spacing", "%s", tac_text_length(grid->spacing).text);
  tac_report_print_box(box);
  tac_report_line("deepest inside", "%s", tac_text_length(least).text);
  tac_report_line("farthest outside", "%s", tac_text_length(most).text);
  tac_report_line("on the box at least", "%s", tac_text_length(tac_distance_field_boundary(field)).text);
  tac_report_line("inside", "%.3g %% of the nodes, about %s", 100.0 * (double)inside / (double)count,
                  tac_text_volume((double)inside * grid->spacing * grid->spacing * grid->spacing).text);
  return TAC_OK;
}

static tacStatus print_load_field(const char *path, tacError *error) {
  TAC_OWN(tacLoadField, field) = NULL;
  TAC_TRY(tac_load_field_read(path, &field, error));
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  tac_report_line("deformations", "loads at %s, %s each",
                  tac_text_many(tac_load_field_node_count(field), "vertex").text,
                  tac_text_many(tac_load_field_level_count(field), "size").text);
  tac_report_line("coordinates", "%d", tac_load_field_coordinates(field));
  tac_report_line("voxels", "%d × %d × %d of %s", info->nodes[0] - 1, info->nodes[1] - 1, info->nodes[2] - 1,
                  tac_text_length(info->spacing).text);
  tac_report_line("separated", "%s of mean rank %.2f, at most %d; error %s (%s allowed)",
                  tac_text_many(info->block_count, "block").text, info->rank_mean, info->rank_most,
                  tac_text_length(info->error).text, tac_text_length(info->tolerance).text);
  tac_report_line("size", "%s of %s", tac_text_bytes(info->bytes).text, tac_text_bytes(info->bytes_dense).text);
  return TAC_OK;
}

static tacStatus print_pointshell(const tacPointshell *shell, tacError *error) {
  int levels = tac_pointshell_level_count(shell), points = tac_pointshell_size(shell, levels),
      coordinates = tac_pointshell_coordinates(shell);
  tacBox box = tac_box_empty();
  for (int i = 0; i < points; ++i) box = tac_box_add(box, tac_pointshell_point(shell, i));
  tac_report_line("points", "%s on %s, %s", tac_text_count(points).text, tac_text_many(levels, "level").text,
                  tac_text_size(box).text);
  tac_report_line("surface", "%s", tac_text_area(tac_pointshell_surface_area(shell)).text);
  for (int l = 0; l < levels; ++l) {
    char name[32];
    tacPointshellSpacing spacing;
    int size = tac_pointshell_size(shell, l);
    if (size < 2) continue; /* one point has no neighbour */
    snprintf(name, sizeof name, "level %d", l);
    TAC_TRY(tac_pointshell_spacing(shell, l, &spacing, error));
    tac_report_line(name, "%s, %s apart, varying by %.1f %%", tac_text_many(size, "point").text,
                    tac_text_length(spacing.mean).text, 100.0 * spacing.variation);
  }
  if (coordinates > 0)
    tac_report_line("moves with", "a deformable body of %s", tac_text_many(coordinates, "coordinate").text);
  else
    tac_report_line("moves with", "a rigid body");
  return TAC_OK;
}

static tacStatus print_pointshell_file(const char *path, tacError *error) {
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_TRY(tac_pointshell_read(path, &shell, error));
  return print_pointshell(shell, error);
}

/* What its bake was compared with. A file of an older format has none: its reader says so. */
static tacStatus print_checks(const char *path, tacChunkFile *file, tacError *error) {
  bool has = false;
  for (int i = 0; i < tac_chunk_file_count(file); ++i) has |= strcmp(tac_chunk_file_info(file, i)->name, "checks") == 0;
  if (!has) return TAC_OK;
  tacChunkTransfer from = {.path = path, .file = file, .error = error};
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  for (int i = 0; i < checks.count; ++i)
    tac_report_line("check", "%s %s: worst %.2g of %.2g allowed", tac_text_count(checks.checks[i].samples).text,
                    checks.checks[i].what, checks.checks[i].worst, checks.checks[i].allowed);
  if (from.status == TAC_OK && checks.count == 0) tac_report_line("check", "none: it was not baked");
  return from.status;
}

/* What is in a file of Tactus' own beside its chunks. */
static const struct {
  const char *kind;
  tacStatus (*print)(const char *path, tacError *error);
} contents_of[] = {
    {"distance field", print_field}, {"load field", print_load_field}, {"pointshell", print_pointshell_file}};

/* Reads it, which compares its checksum. */
static tacStatus check_chunk(tacChunkFile *file, const tacChunkInfo *info, tacError *error) {
  TAC_MEMORY(void, items) = NULL;
  uint64_t count;
  return tac_chunk_file_read(file, info->name, info->type, UINT64_MAX, &count, &items, error);
}

static tacStatus print_chunks(const char *path, tacError *error) {
  TAC_OWN(tacChunkFile, file) = NULL;
  TAC_TRY(tac_chunk_file_open(path, &file, error));
  printf("%s: Tactus %s, version %u\n", path, tac_chunk_file_kind(file), (unsigned)tac_chunk_file_version(file));
  for (int i = 0; i < tac_chunk_file_count(file); ++i) {
    const tacChunkInfo *info = tac_chunk_file_info(file, i);
    double bytes = (double)info->count * (double)info->item_bytes;
    char name[TAC_CHUNK_NAME_SIZE + 8];
    snprintf(name, sizeof name, "chunk %s", info->name);
    TAC_TRY(check_chunk(file, info, error));
    tac_report_line(name, "%s × %s, %s stored as %s", tac_text_count((long long)info->count).text,
                    tac_chunk_type_name(info->type), tac_text_bytes(bytes).text,
                    tac_text_bytes((double)info->stored_bytes).text);
  }
  if (tac_chunk_file_platform(file)[0] != 0) tac_report_line("made on", "%s", tac_chunk_file_platform(file));
  TAC_TRY(print_checks(path, file, error));
  for (size_t i = 0; i < sizeof contents_of / sizeof *contents_of; ++i)
    if (strcmp(tac_chunk_file_kind(file), contents_of[i].kind) == 0) return contents_of[i].print(path, error);
  return tac_asset_describe(path, print_line, NULL, error);
}

static void print_sets(const char *kind, const char *of, int count, const tacIndexSet *sets) {
  for (int i = 0; i < count; ++i) {
    char name[64];
    snprintf(name, sizeof name, "%s %s", kind, sets[i].name);
    tac_report_line(name, "%s", tac_text_many(sets[i].count, of).text);
  }
}

static void print_materials(const tacVolMesh *volume) {
  for (int i = 0; i < volume->material_count; ++i) {
    const tacMeshMaterial *material = &volume->materials[i];
    const double *p = material->parameters;
    char name[64];
    snprintf(name, sizeof name, "material %s", material->name);
    if (strcmp(material->kind, "ENU") == 0 && material->parameter_count >= 3)
      tac_report_line(name, "density %.6g kg/m³, Young's modulus %.6g Pa, Poisson's ratio %.6g", p[0], p[1], p[2]);
    else
      tac_report_line(name, "%s with %s", material->kind, tac_text_many(material->parameter_count, "parameter").text);
  }
  for (int i = 0; i < volume->region_count; ++i)
    tac_report_line("region", "%s is of %s", volume->groups[volume->regions[i].group].name,
                    volume->materials[volume->regions[i].material].name);
}

static tacStatus print_volume(const tacVolMesh *volume, tacError *error) {
  char faults[400];
  tacVolumeReport report;
  TAC_TRY(tac_volume_report(volume, &report, error));
  printf(" volume:\n");
  tac_report_print_volume(&report, faults, sizeof faults);
  print_sets("group", "element", volume->group_count, volume->groups);
  print_sets("vertex set", "vertex", volume->vertex_set_count, volume->vertex_sets);
  print_materials(volume);
  return TAC_OK;
}

static tacStatus print_surface(const tacTriMesh *surface, tacError *error) {
  char faults[400];
  tacSurfaceReport report;
  TAC_TRY(tac_surface_report(surface, &report, error));
  printf(" surface:\n");
  tac_report_print_surface(&report, faults, sizeof faults);
  print_sets("group", "triangle", surface->group_count, surface->groups);
  return TAC_OK;
}

static tacStatus print_mesh(const char *path, tacError *error) {
  TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents) = {0};
  TAC_OWN(tacPointshell, shell) = NULL; /* a PLY file without triangles may hold points with normals */
  tacStatus status = tac_mesh_read(path, &contents, error);
  if (status != TAC_OK && tac_pointshell_read_ply(path, &shell, NULL) != TAC_OK) return status;
  const char *format = tac_mesh_recognise(path);
  printf("%s: %s %s, %s\n", path, format != NULL ? format : "vanished", shell != NULL ? "points" : "mesh",
         tac_report_file_size(path).text);
  if (shell != NULL) return print_pointshell(shell, error);
  if (contents.volume != NULL) TAC_TRY(print_volume(contents.volume, error));
  return contents.surface != NULL ? print_surface(contents.surface, error) : TAC_OK;
}

static tacStatus print_file(const char *path, tacError *error) {
  if (tac_chunk_file_recognise(path)) return print_chunks(path, error);
  if (tac_recording_recognise(path)) return print_recording(path, error);
  if (tac_options_ends(path, ".yaml") || tac_options_ends(path, ".yml")) return print_scene(path, error);
  return print_mesh(path, error);
}

int tac_command_info(int argc, char **argv) {
  bool materials = false;
  const tacOption table[] = {{TAC_OPTION_FLAG, "--materials",
                              .help = "list the materials for scenes, such as material: liver, with sources",
                              .target = &materials}};
  const tacUsage usage = {
      .command = "tactus info",
      .synopsis = "FILE... [options]\n--materials",
      .about = "Prints what each file contains; the type is recognised by content. For a mesh: counts, groups, sets,\n"
               "materials, measures and whether it is fit for simulation. For a Tactus asset: its chunks and the\n"
               "checks of its bake; for a distance field also its grid, its values and how much of it is inside; for\n"
               "an asset of a body its mesh, materials, basis, frequencies, loads and errors; for a pointshell its\n"
               "levels and how even each is. For a scene: its bodies, tools and servo. For a recording: its length,\n"
               "program and scene. Code that a scene names is never loaded; it prints whether the file is allowed.",
      TAC_OPTIONS(table)};
  int operands, result;
  if (!tac_options_parse(&usage, argc, argv, &operands, &result)) return result;
  if (materials) tac_tissue_sheet_list();
  if (operands == 0 && !materials) return tac_usage_error("tactus info", "no file given");
  for (int i = 0; i < operands && !tac_console_interrupted(); ++i) {
    tacError error = {0};
    if (i > 0 || materials) putchar('\n');
    tacStatus status = print_file(argv[i], &error);
    fflush(stdout);
    if (status != TAC_OK) result = tac_console_fail(&error);
  }
  return result;
}
