#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <unistd.h>
#include "app/cli/commands/command.h"
#include "app/cli/commands/mesh_options.h"
#include "app/cli/console/console.h"
#include "app/cli/mesh/report_text.h"
#include "app/cli/picture/picture.h"
#include "app/cli/picture/points_picture.h"
#include "app/cli/picture/shape_sheet.h"
#include "asset/pointshell.h"
#include "bake/isosurface.h"
#include "bake/points/pointshell_bake.h"
#include "base/clock.h"
#include "base/files/chunk_file.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/formats/mesh_file.h"
#include "mesh/trimesh.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)

static const char command[] = "tactus mesh";
static const double auto_tolerance = 0.02; /* of the volume, for --tets auto and --bricks auto */

typedef struct Job {
  tacMeshOptions options;
  tacMeshFormat format;
  tacConsole *console;
  const char *name;         /* what messages call the input */
  tacMeshContents contents; /* the product so far */
  tacDistanceField *field;  /* the last product with --field, what the points lie on with --points */
  tacPointshell *shell;     /* the last product with --points */
  tacVolumeReport filled;   /* of contents.volume where --tets made it */
} Job;

/* Whether a step before filling makes a surface of whatever was read. */
static bool makes_surface(const tacMeshOptions *o) {
  return o->repair || o->has_remesh || o->has_simplify;
}

/* The steps */

static const tacProgress *progress_of(Job *job) {
  return &job->console->progress;
}

static tacText since(int64_t start) {
  return tac_text_seconds(tac_clock_seconds(tac_clock_now() - start));
}

static void print_contents(Job *job, const char *verb) {
  char text[256] = "";
  const tacVolMesh *volume = job->contents.volume;
  const tacTriMesh *surface = job->contents.surface;
  if (volume != NULL) {
    snprintf(text, sizeof text, "%s", tac_text_many(volume->vertex_count, "vertex").text);
    if (volume->tet_count > 0)
      snprintf(text + strlen(text), sizeof text - strlen(text), ", %s",
               tac_text_many(volume->tet_count, "tetrahedron").text);
    if (volume->brick_count > 0)
      snprintf(text + strlen(text), sizeof text - strlen(text), ", %s",
               tac_text_many(volume->brick_count, "brick").text);
  }
  if (surface != NULL)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s, %s", volume != NULL ? "; a surface of " : "",
             tac_text_many(surface->vertex_count, "vertex").text,
             tac_text_many(surface->triangle_count, "triangle").text);
  tac_console_print(job->console, "%s %s: %s", verb, job->name, text);
}

/* A distance field is read as the surface where it is 0; points are laid on the field itself. */
static tacStatus read_field(Job *job, tacError *error) {
  TAC_OWN(tacDistanceField, field) = NULL;
  const tacMeshOptions *o = &job->options;
  tacError reason;
  TAC_TRY(tac_distance_field_read(job->name, &field, error));
  tacStatus status = tac_isosurface_extract(tac_distance_field_grid(field), 0.0, &job->contents.surface, &reason);
  if (status != TAC_OK) return tac_error_set(error, status, "%s: %.400s", job->name, reason.text);
  if (o->has_points && !o->has_field && !makes_surface(o) && !o->has_scale) job->field = tac_give(&field);
  return TAC_OK;
}

static tacStatus read_input(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  job->name = o->shape != NULL ? o->shape : o->input;
  if (o->shape != NULL) {
    TAC_TRY(tac_shape_build(o->shape, o->size, progress_of(job), &job->contents.surface, error));
  } else {
    tac_console_doing(job->console, "reading");
    TAC_TRY(tac_chunk_file_recognise(o->input) ? read_field(job, error)
                                               : tac_mesh_read(o->input, &job->contents, error));
  }
  print_contents(job, o->shape != NULL ? "made" : "read");
  return TAC_OK;
}

static void replace_by_surface(Job *job, tacTriMesh *surface) {
  tac_mesh_contents_destroy(&job->contents);
  job->contents.surface = surface;
}

static void replace_by_volume(Job *job, tacVolMesh *volume) {
  tac_mesh_contents_destroy(&job->contents);
  job->contents.volume = volume;
}

/* Where the input is a volume and a surface is needed, its boundary. */
static tacStatus take_boundary(Job *job, const char *reason, tacError *error) {
  if (job->contents.volume == NULL) return TAC_OK;
  tacTriMesh *surface = NULL;
  TAC_TRY(tac_volmesh_surface(job->contents.volume, &surface, NULL, NULL, error));
  replace_by_surface(job, surface);
  tac_console_print(job->console, "using the boundary: %s (%s)",
                    tac_text_many(surface->triangle_count, "triangle").text, reason);
  return TAC_OK;
}

static tacStatus repair(Job *job, tacError *error) {
  tac_console_doing(job->console, "repairing");
  tacRepairDef def = tac_repair_def_default();
  if (job->options.has_weld) def.weld = job->options.weld;
  tacRepairReport report;
  tacTriMesh *repaired = NULL;
  TAC_TRY(take_boundary(job, "--repair needs a surface, but the input is a volume", error));
  TAC_TRY(tac_repair(job->contents.surface, &def, &repaired, &report, error));
  replace_by_surface(job, repaired);
  tac_console_print(job->console, "repaired: %s welded, %s removed, %s removed, %s flipped, %s filled",
                    tac_text_many(report.welded_vertices, "vertex").text,
                    tac_text_many(report.removed_vertices, "unused vertex").text,
                    tac_text_many(report.removed_triangles, "triangle").text,
                    tac_text_many(report.flipped_triangles, "triangle").text,
                    tac_text_many(report.filled_holes, "hole").text);
  return TAC_OK;
}

static void scale(Job *job) {
  tacTriMesh *surface = job->contents.surface;
  tacVolMesh *volume = job->contents.volume;
  double s = job->options.scale;
  for (int v = 0; surface != NULL && v < surface->vertex_count; ++v)
    surface->vertices[v] = tac_vec3_scale(s, surface->vertices[v]);
  for (int v = 0; volume != NULL && v < volume->vertex_count; ++v)
    volume->vertices[v] = tac_vec3_scale(s, volume->vertices[v]);
  tacBox box = surface != NULL ? tac_trimesh_box(surface) : tac_volmesh_box(volume);
  tac_console_print(job->console, "scaled by %g: %s", s, tac_text_size(box).text);
}

/* A surface that a step has made since `start` replaces the one before. */
static tacStatus take_surface(Job *job, tacTriMesh *surface, const char *how, int64_t start) {
  replace_by_surface(job, surface);
  tac_console_print(job->console, "%s: %s, %s, %s", how, tac_text_many(surface->vertex_count, "vertex").text,
                    tac_text_many(surface->triangle_count, "triangle").text, since(start).text);
  return TAC_OK;
}

static tacStatus remesh(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  tacTriMesh *surface = NULL;
  tacError reason;
  int64_t start = tac_clock_now();
  TAC_TRY(take_boundary(job, "--remesh needs a surface, but the input is a volume", error));
  tacStatus status = tac_trimesh_require_closed(job->contents.surface, &reason);
  if (status == TAC_ERR_GEOMETRY)
    return tac_error_set(error, status,
                         "%s: --remesh: %.200s; --repair closes holes, or wrap the triangles with --soup --field N and "
                         "remesh that field",
                         job->name, reason.text);
  if (status == TAC_OK) status = tac_remesh(job->contents.surface, o->remesh, 0, progress_of(job), &surface, &reason);
  if (status != TAC_OK) return tac_error_set(error, status, "%s: --remesh: %.400s", job->name, reason.text);
  return take_surface(job, surface, "remeshed", start);
}

static tacStatus simplify(Job *job, tacError *error) {
  tacTriMesh *surface = NULL;
  tacError reason;
  int64_t start = tac_clock_now();
  tac_console_doing(job->console, "simplifying");
  TAC_TRY(take_boundary(job, "--simplify needs a surface, but the input is a volume", error));
  tacStatus status = tac_remesh_simplify(job->contents.surface, job->options.simplify, &surface, &reason);
  if (status != TAC_OK)
    return tac_error_set(error, status, "%s: --simplify: %.400s; try --repair or --remesh SIZE before it", job->name,
                         reason.text);
  return take_surface(job, surface, "simplified", start);
}

/* Filling needs a surface that encloses something. */
static tacStatus require_closed(Job *job, tacError *error) {
  tacError reason;
  tacStatus status = tac_trimesh_require_closed(job->contents.surface, &reason);
  if (status == TAC_OK) return TAC_OK;
  if (status != TAC_ERR_GEOMETRY) return tac_error_set(error, status, "%.400s", reason.text);
  return tac_error_set(error, status, "%.300s; --repair closes holes, --soup accepts triangles that are not closed",
                       reason.text);
}

/* Bytes that this process may have: the machine's, or less where a limit is set. */
static double memory_available(void) {
  double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) bytes = fmin(bytes, (double)limit.rlim_cur);
  return bytes;
}

/* Before long work: a size in the wrong unit asks for hours and all memory. `each` is in bytes, as measured at the peak. */
static tacStatus check_appetite(Job *job, double count, const char *noun, double each, const char *advice,
                                tacError *error) {
  static const double much = 1e9;
  if (count * each < much) return TAC_OK;
  double unit = pow(10.0, floor(log10(count)) - 1.0); /* two digits are enough */
  tacText wanted = tac_text_many((long long)fmin(round(count / unit) * unit, 9e18), noun);
  tacText needed = tac_text_bytes(count * each), available = tac_text_bytes(memory_available());
  if (count * each > memory_available())
    return tac_error_set(error, TAC_ERR_MEMORY, "about %s would need %s of memory, but only %s are available; %s",
                         wanted.text, needed.text, available.text, advice);
  tac_console_warn(job->console, "%s: about %s will need %s of memory", job->name, wanted.text, needed.text);
  return TAC_OK;
}

/* Elements that are too large lose thin parts, or thicken them, without being wrong in any other way. */
static void warn_of_volume(Job *job, double share, const char *advice) {
  static const double most = 0.1;
  if (fabs(share - 1.0) > most)
    tac_console_warn(job->console, "%s: the volume is %.2f times that of the surface; %s", job->name, share, advice);
}

/* Voxels of a field in which a soup's offset surface is resolved for elements of the given size. */
static int soup_resolution(const Job *job, double element, double expansion) {
  double side = expansion * tac_box_longest(tac_trimesh_box(job->contents.surface));
  double wanted = ceil(2.0 * side / element);
  return wanted < 32.0 ? 32 : wanted > 384.0 ? 384 : (int)wanted;
}

/* Replaces a soup by the closed surface around it. */
static tacStatus wrap_soup(Job *job, double element, tacError *error) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = soup_resolution(job, element, def.expansion);
  def.offset = job->options.offset;
  TAC_OWN(tacDistanceField, field) = NULL;
  tacTriMesh *surface = NULL;
  int64_t start = tac_clock_now();
  TAC_TRY(tac_distance_field_bake_soup(job->contents.surface, &def, progress_of(job), &field, &surface, error));
  replace_by_surface(job, surface);
  tac_console_print(job->console, "wrapped the soup: %s on a grid of %d³ voxels, %s",
                    tac_text_many(surface->triangle_count, "triangle").text, def.resolution, since(start).text);
  return TAC_OK;
}

/* What a filling is compared with; 0 where the surface encloses nothing. */
static tacStatus solid_volume(const Job *job, double *volume, tacError *error) {
  tacStatus status = tac_trimesh_solid_volume(job->contents.surface, volume, error);
  return status == TAC_ERR_GEOMETRY ? TAC_OK : status;
}

static tacStatus fill_with_tets(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  TAC_TRY(o->soup ? wrap_soup(job, o->tets, error) : require_closed(job, error));
  tacStuffingDef def = tac_stuffing_def_default();
  tacVolMesh *volume = NULL;
  tacVolumeReport report;
  double size = def.size = o->tets, wanted;
  const tacTriMesh *surface = job->contents.surface;
  TAC_TRY(solid_volume(job, &wanted, error));
  if (size > 0.0) /* 26 to 40 tetrahedra for each square of the surface, on the gallery */
    TAC_TRY(check_appetite(job, 40.0 * tac_trimesh_area(surface) / (size * size), "tetrahedron", 180.0,
                           "use a larger size (in metres)", error));
  int64_t start = tac_clock_now();
  TAC_TRY(size == 0.0
              ? tac_stuffing_fill_to_volume(surface, auto_tolerance, &def, progress_of(job), &volume, &size, error)
              : tac_stuffing_fill(surface, &def, progress_of(job), &volume, error));
  tacText time = since(start);
  replace_by_volume(job, volume);
  tac_console_doing(job->console, "measuring");
  TAC_TRY(tac_volume_report(volume, &report, error));
  job->filled = report;
  tac_console_print(job->console,
                    "stuffed: %s of size %s, dihedral angles %.1f°–%.1f°, volume %.4f times that of the surface, %s",
                    tac_text_many(report.tets, "tetrahedron").text, tac_text_length(size).text,
                    report.smallest_dihedral, report.largest_dihedral, report.volume / wanted, time.text);
  warn_of_volume(job, report.volume / wanted, "use a smaller size, or --tets auto");
  return TAC_OK;
}

static tacStatus fill_with_bricks(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  bool by_centre = o->fill == TAC_VOXELS_CENTRE;
  double longest = tac_box_longest(tac_trimesh_box(job->contents.surface)), wanted = 0.0;
  if (o->soup && (by_centre || o->has_offset))
    TAC_TRY(wrap_soup(job, longest / o->bricks, error));
  else if (by_centre)
    TAC_TRY(require_closed(job, error));
  TAC_TRY(solid_volume(job, &wanted, error));
  if (o->bricks > 0) {
    double voxel = longest / o->bricks;
    double inside = o->fill == TAC_VOXELS_SHELL ? 0.0 : wanted / (voxel * voxel * voxel);
    double touched = by_centre ? 0.0 : 2.0 * tac_trimesh_area(job->contents.surface) / (voxel * voxel);
    TAC_TRY(check_appetite(job, inside + touched, "brick", 70.0, "use fewer bricks", error));
  }
  tacVoxeliseDef def = tac_voxelise_def_default();
  def.rule = (tacVoxelRule)o->fill;
  def.resolution = o->bricks;
  tacVolMesh *volume = NULL;
  const tacTriMesh *surface = job->contents.surface;
  longest = tac_box_longest(tac_trimesh_box(surface));
  int64_t start = tac_clock_now();
  TAC_TRY(def.resolution == 0
              ? tac_voxelise_to_volume(surface, auto_tolerance, progress_of(job), &volume, &def.resolution, error)
              : tac_voxelise(surface, &def, progress_of(job), &volume, error));
  tacText time = since(start);
  replace_by_volume(job, volume);
  double voxel = longest / def.resolution;
  char share[64] = "";
  if (by_centre)
    snprintf(share, sizeof share, ", volume %.4f times that of the surface", tac_volmesh_volume(volume) / wanted);
  tac_console_print(job->console, "voxelised: %s of side %s, %d along the longest side%s, %s",
                    tac_text_many(volume->brick_count, "brick").text, tac_text_length(voxel).text, def.resolution,
                    share, time.text);
  if (by_centre) warn_of_volume(job, tac_volmesh_volume(volume) / wanted, "use more bricks, or --bricks auto");
  return TAC_OK;
}

/* Voxels of a field to lay points on: about as large as the points are apart. */
static int points_resolution(const Job *job, double expansion) {
  const tacTriMesh *surface = job->contents.surface;
  double spacing = sqrt(tac_trimesh_area(surface) / job->options.points);
  double wanted = ceil(expansion * tac_box_longest(tac_trimesh_box(surface)) / spacing);
  return wanted < 128.0 ? 128 : wanted > 384.0 ? 384 : (int)wanted;
}

static tacStatus bake_field(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  tacFieldDef def = tac_field_def_default();
  def.resolution = o->field;
  if (o->has_points) {
    def.expansion = 1.1; /* enough for what is on the surface */
    if (!o->has_field) def.resolution = points_resolution(job, def.expansion);
  }
  if (o->has_expansion) def.expansion = o->expansion;
  def.offset = o->offset;
  if (!o->soup) TAC_TRY(require_closed(job, error));
  TAC_TRY(check_appetite(job, pow(def.resolution + 1.0, 3.0), "node", 8.0, "use fewer voxels", error));
  int64_t start = tac_clock_now();
  const tacTriMesh *surface = job->contents.surface;
  tacTriMesh *wrapped = NULL;
  TAC_TRY(o->soup ? tac_distance_field_bake_soup(surface, &def, progress_of(job), &job->field, &wrapped, error)
                  : tac_distance_field_bake(surface, &def, progress_of(job), &job->field, error));
  tacText time = since(start);
  if (wrapped != NULL) replace_by_surface(job, wrapped);
  tac_console_print(job->console, "distance field: %d³ voxels of %s, %s", def.resolution,
                    tac_text_length(tac_distance_field_grid(job->field)->spacing).text, time.text);
  return TAC_OK;
}

static tacStatus place_points(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  bool given = job->field != NULL; /* as the input */
  TAC_TRY(given ? TAC_OK : bake_field(job, error));
  tacPointshellDef def = tac_pointshell_def_default();
  def.point_count = o->points;
  def.level_count = o->levels;
  int64_t start = tac_clock_now();
  TAC_TRY(tac_pointshell_bake(job->field, given || o->soup ? NULL : job->contents.surface, &def, progress_of(job),
                              &job->shell, error));
  int levels = tac_pointshell_level_count(job->shell);
  tac_console_print(job->console, "pointshell: %s on %s, area %s, %s",
                    tac_text_many(tac_pointshell_size(job->shell, levels), "point").text,
                    tac_text_many(levels, "level").text, tac_text_area(tac_pointshell_surface_area(job->shell)).text,
                    since(start).text);
  for (int l = 0; l < levels; ++l) {
    tacPointshellSpacing spacing;
    TAC_TRY(tac_pointshell_spacing(job->shell, l, &spacing, error));
    tac_console_print(job->console, "  level %d: %s, %s apart, varying by %.1f %%", l,
                      tac_text_many(tac_pointshell_size(job->shell, l), "point").text,
                      tac_text_length(spacing.mean).text, 100.0 * spacing.variation);
  }
  return TAC_OK;
}

static tacStatus fill(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  if (!o->has_tets && !o->has_bricks && !o->has_field && !o->has_points) return TAC_OK;
  TAC_TRY(take_boundary(job, "filling needs a surface, but the input is a volume", error));
  tacError reason;
  const char *option = o->has_tets ? "--tets" : o->has_bricks ? "--bricks" : o->has_points ? "--points" : "--field";
  tacStatus status = o->has_tets     ? fill_with_tets(job, &reason)
                     : o->has_bricks ? fill_with_bricks(job, &reason)
                     : o->has_points ? place_points(job, &reason)
                                     : bake_field(job, &reason);
  return status == TAC_OK ? TAC_OK : tac_error_set(error, status, "%s: %s: %.400s", job->name, option, reason.text);
}

static tacStatus check(Job *job, tacError *error) {
  char faults[400];
  tac_console_doing(job->console, "checking");
  /* A surface beside a volume is a part of its boundary with a name, and need not be closed. */
  tacVolumeReport volume = job->filled;
  tacSurfaceReport surface;
  bool of_volume = job->contents.volume != NULL;
  tacStatus status = !of_volume         ? tac_surface_report(job->contents.surface, &surface, error)
                     : volume.tets == 0 ? tac_volume_report(job->contents.volume, &volume, error)
                                        : TAC_OK;
  tac_console_step(job->console, status);
  TAC_TRY(status);
  printf("%s of %s:\n", of_volume ? "volume" : "surface", job->name);
  if (of_volume ? tac_report_print_volume(&volume, faults, sizeof faults)
                : tac_report_print_surface(&surface, faults, sizeof faults))
    return TAC_OK;
  return tac_error_set(error, TAC_ERR_GEOMETRY, "%s: not fit for simulation: %s%s", job->name, faults,
                       of_volume ? "" : tac_report_surface_remedy(&surface));
}

static tacPictureDef picture_def(const Job *job) {
  const tacMeshOptions *o = &job->options;
  tacPictureDef def = tac_picture_def_default();
  if (o->has_width) def.width = o->width;
  def.height = o->has_height ? o->height : def.width * 3 / 4;
  if (o->has_up) def.up = o->up;
  def.edges = o->edges;
  def.progress = &job->console->progress;
  return def;
}

static tacStatus write_picture(Job *job, tacImage *image, tacError *error) {
  const char *path = job->options.picture;
  TAC_TRY(tac_image_write(image, path, error));
  tac_console_print(job->console, "drew %s (%d × %d pixels, %s)", path, image->width, image->height,
                    tac_report_file_size(path).text);
  return TAC_OK;
}

static tacStatus draw(Job *job, tacImage *image, tacError *error) {
  tacPictureDef def = picture_def(job);
  if (job->shell != NULL) return tac_points_picture(job->shell, job->contents.surface, &def, image, error);
  if (job->field != NULL) return tac_picture_field(job->field, &def, image, error);
  if (job->contents.volume != NULL)
    return tac_picture_volume(job->contents.volume, job->options.cut, &def, image, error);
  if (job->options.cut)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%s: --cut needs a volume; fill the surface with --tets or --bricks",
                         job->name);
  return tac_picture_surface(job->contents.surface, &def, image, error);
}

/* Before long work: is there a folder for the file? */
static tacStatus check_folder(const char *path, tacError *error) {
  if (path == NULL) return TAC_OK;
  const char *slash = strrchr(path, '/');
  char folder[4096] = ".";
  if (slash != NULL) snprintf(folder, sizeof folder, "%.*s", (int)(slash == path ? 1 : slash - path), path);
  struct stat info;
  if (stat(folder, &info) != 0 || access(folder, W_OK | X_OK) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write to the folder %s: %s", path, folder, strerror(errno));
  if (!S_ISDIR(info.st_mode)) return tac_error_set(error, TAC_ERR_FILE, "%s: %s is not a folder", path, folder);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: it is a folder, not a file", path);
  return TAC_OK;
}

/* Before long work: can the output hold what will come? */
static tacStatus check_format(const Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  bool volume = o->has_tets || o->has_bricks || (job->contents.volume != NULL && !makes_surface(o));
  if (o->output == NULL || o->has_field || o->has_points || volume || tac_mesh_format_holds_surface(job->format))
    return TAC_OK;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                       "%s: the format %s supports only volumes, but %s is a surface; fill it with --tets or --bricks",
                       o->output, tac_mesh_format_name(job->format), job->name);
}

static tacStatus write_output(Job *job, tacError *error) {
  const char *path = job->options.output;
  tac_console_doing(job->console, "writing");
  if (job->shell != NULL && tac_options_ends(path, ".ply")) {
    TAC_TRY(tac_pointshell_write_ply(job->shell, path, error));
  } else if (job->shell != NULL) {
    TAC_TRY(tac_pointshell_write(job->shell, path, error));
  } else if (job->field != NULL) {
    TAC_TRY(tac_distance_field_write(job->field, path, error));
  } else {
    tacMeshContents shown = job->contents;
    if (shown.volume != NULL && !tac_mesh_format_holds_volume(job->format)) {
      TAC_TRY(take_boundary(job, "the format supports only surfaces", error));
      shown = job->contents;
    } else if (shown.volume != NULL && shown.surface != NULL && !tac_mesh_format_holds_surface(job->format)) {
      tac_console_print(job->console, "left out the surface (the format supports only volumes)");
      shown.surface = NULL;
    }
    TAC_TRY(tac_mesh_write(path, job->format, &shown, error));
  }
  tac_console_print(job->console, "wrote %s (%s)", path, tac_report_file_size(path).text);
  return TAC_OK;
}

static tacStatus run_steps(Job *job, tacError *error) {
  const tacMeshOptions *o = &job->options;
  TAC_FREED(tac_image_free, tacImage, image) = {0};
  TAC_TRY(check_folder(o->output, error));
  TAC_TRY(check_folder(o->picture, error));
  TAC_TRY(read_input(job, error));
  TAC_TRY(check_format(job, error));
  if (o->has_scale) scale(job);
  if (o->repair) TAC_TRY(repair(job, error));
  if (o->has_remesh) TAC_TRY(remesh(job, error));
  if (o->has_simplify) TAC_TRY(simplify(job, error));
  TAC_TRY(fill(job, error));
  if (o->check) TAC_TRY(check(job, error));
  if (o->picture != NULL) TAC_TRY(draw(job, &image, error));
  if (tac_console_interrupted()) return tac_error_set(error, TAC_ERR_CANCELLED, "interrupted");
  if (o->output != NULL) TAC_TRY(write_output(job, error));
  return o->picture != NULL ? write_picture(job, &image, error) : TAC_OK;
}

static int draw_gallery(Job *job) {
  const tacMeshOptions *o = &job->options;
  if (o->picture == NULL) return tac_usage_error(command, "--shape all needs --picture FILE.png");
  if (o->output != NULL || o->check || makes_surface(o) || o->has_tets || o->has_bricks || o->has_field ||
      o->has_points || o->has_size || o->has_height)
    return tac_usage_error(command, "--shape all only draws; it allows --picture, --width and --edges");
  tacPictureDef def = picture_def(job);
  TAC_FREED(tac_image_free, tacImage, image) = {0};
  tacError error = {0};
  tacStatus status = check_folder(o->picture, &error);
  if (status == TAC_OK) status = tac_shape_sheet_draw(&def, &image, &error);
  tac_console_step(job->console, status);
  if (status == TAC_OK) status = write_picture(job, &image, &error);
  return status == TAC_OK ? TAC_EXIT_OK : tac_console_fail(&error);
}

static void list_formats(void) {
  for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_COUNT; ++f) {
    bool surface = tac_mesh_format_holds_surface((tacMeshFormat)f),
         volume = tac_mesh_format_holds_volume((tacMeshFormat)f);
    printf("%-14s %s\n", tac_mesh_format_name((tacMeshFormat)f),
           surface && volume ? "surfaces and volumes"
           : surface         ? "surfaces"
                             : "volumes");
  }
}

static void close_job(Job *job) {
  tac_mesh_contents_destroy(&job->contents);
  tac_distance_field_destroy(job->field);
  tac_pointshell_destroy(job->shell);
}

int tac_command_mesh(int argc, char **argv) {
  TAC_FREED(close_job, Job, job) = {0};
  tacMeshOptions *o = &job.options;
  int operands, wrong;
  if (!tac_mesh_options_parse(argc, argv, o, &operands, &wrong)) return wrong;
  if (operands > 0) o->input = argv[operands - 1];
  if (o->shape != NULL && strcmp(o->shape, "list") == 0) {
    tac_shape_sheet_list();
    return TAC_EXIT_OK;
  }
  if (o->format != NULL && strcmp(o->format, "list") == 0) {
    list_formats();
    return TAC_EXIT_OK;
  }
  job.console = tac_console_open(o->quiet);
  if (o->shape != NULL && strcmp(o->shape, "all") == 0) return draw_gallery(&job);
  wrong = tac_mesh_options_check(o, operands, &job.format);
  if (wrong != TAC_EXIT_OK) return wrong;
  tacError error = {0};
  tacStatus status = run_steps(&job, &error);
  tac_console_step(job.console, status);
  return status == TAC_OK ? TAC_EXIT_OK : tac_console_fail(&error);
}
