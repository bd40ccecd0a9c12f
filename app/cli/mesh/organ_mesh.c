#include "app/cli/mesh/organ_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "app/cli/mesh/report_text.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/mesh_builder.h"
#include "mesh/query/thickness.h"
#include "mesh/trimesh.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)

static const double least_organ = 0.02, most_organ = 0.6; /* m: what a unit must give to be believed */
static const double usual_organ = 0.15;                   /* m: longest side where no unit does */
enum { LEAST_VERTICES = 100 };

typedef struct {
  const char *name;
  double metres;
} Unit;
/* In the order in which they are tried: scanners and printers write millimetres. */
static const Unit units[] = {{"mm", 1e-3}, {"m", 1.0}, {"cm", 1e-2}, {"um", 1e-6}, {"inch", 0.0254}};
enum { UNIT_COUNT = sizeof units / sizeof *units, GUESSED_COUNT = 4 };

static void replace(tacOrganMesh *mesh, tacTriMesh *surface) {
  tac_trimesh_destroy(mesh->surface);
  mesh->surface = surface;
}

static tacStatus read_file(const char *path, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents) = {0};
  tac_console_doing(console, "reading");
  TAC_TRY(tac_mesh_read(path, &contents, error));
  mesh->remade = contents.volume != NULL;
  if (mesh->remade)
    TAC_TRY(tac_volmesh_surface(contents.volume, &mesh->surface, NULL, NULL, error));
  else
    mesh->surface = tac_give(&contents.surface);
  tac_console_print(console, "read %s: %s%s, %s", path, mesh->remade ? "the boundary of its volume, " : "",
                    tac_text_many(mesh->surface->vertex_count, "vertex").text,
                    tac_text_many(mesh->surface->triangle_count, "triangle").text);
  if (mesh->surface->triangle_count == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%s: the mesh has no triangles", path);
  return TAC_OK;
}

static void scale_to_metres(tacOrganMesh *mesh) {
  for (int v = 0; v < mesh->surface->vertex_count; ++v)
    mesh->surface->vertices[v] = tac_vec3_scale(mesh->scale, mesh->surface->vertices[v]);
}

static const Unit *find_unit(const char *name) {
  for (int i = 0; i < UNIT_COUNT; ++i)
    if (strcmp(units[i].name, name) == 0) return &units[i];
  return NULL;
}

static const Unit *guess_unit(double longest) {
  for (int i = 0; i < GUESSED_COUNT; ++i)
    if (longest * units[i].metres >= least_organ && longest * units[i].metres <= most_organ) return &units[i];
  return NULL;
}

static tacStatus choose_scale(const tacOrganMeshDef *def, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  double longest = tac_box_longest(tac_trimesh_box(mesh->surface));
  const Unit *unit = def->unit != NULL ? find_unit(def->unit) : guess_unit(longest);
  if (!(longest > 0.0)) return tac_error_set(error, TAC_ERR_GEOMETRY, "%s: the mesh is a single point", def->file);
  if (def->size > 0.0)
    mesh->scale = def->size / longest;
  else
    mesh->scale = unit != NULL ? unit->metres : usual_organ / longest;
  scale_to_metres(mesh);
  tacText size = tac_text_size(tac_trimesh_box(mesh->surface));
  if (def->size > 0.0)
    tac_console_print(console, "size: %s, from --size", size.text);
  else if (def->unit != NULL)
    tac_console_print(console, "unit: %s, so the size is %s", unit->name, size.text);
  else if (unit != NULL)
    tac_console_print(console, "unit: guessed as %s, so the size is %s; override with --unit", unit->name, size.text);
  else
    tac_console_warn(console,
                     "%s: its longest side, %.4g, is not the size of an organ in mm, cm or m; scaled to %s; set the "
                     "size with --unit UNIT or --size METRES",
                     def->file, longest, size.text);
  return TAC_OK;
}

/* Mending */

static bool is_sound(const tacSurfaceReport *r) {
  return r->closed && r->manifold && r->oriented && r->inside_out == 0 && r->degenerate_triangles == 0 &&
         r->duplicate_triangles == 0 && r->duplicate_vertices == 0;
}

static tacStatus repair_with(double weld, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  tacRepairDef def = tac_repair_def_default();
  tacRepairReport report;
  tacTriMesh *repaired = NULL;
  def.weld = weld;
  TAC_TRY(tac_repair(mesh->surface, &def, &repaired, &report, error));
  replace(mesh, repaired);
  mesh->remade = true;
  tac_console_print(
      console, "repaired: %s welded, %s removed, %s flipped, %s filled",
      tac_text_many(report.welded_vertices, "vertex").text, tac_text_many(report.removed_triangles, "triangle").text,
      tac_text_many(report.flipped_triangles, "triangle").text, tac_text_many(report.filled_holes, "hole").text);
  return TAC_OK;
}

/* Round triangles that enclose nothing, at a distance. */
static tacStatus wrap(tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  tacFieldDef def = tac_field_def_default();
  TAC_OWN(tacDistanceField, field) = NULL;
  tacTriMesh *surface = NULL;
  def.resolution = 96;
  double voxel = def.expansion * tac_box_longest(tac_trimesh_box(mesh->surface)) / def.resolution;
  TAC_TRY(tac_distance_field_bake_soup(mesh->surface, &def, &console->progress, &field, &surface, error));
  replace(mesh, surface);
  mesh->remade = true;
  tac_console_warn(console,
                   "the mesh does not enclose a volume and cannot be closed; it is replaced by a surface at a distance "
                   "of %s from its triangles",
                   tac_text_length(1.4 * voxel).text);
  return TAC_OK;
}

static tacStatus repair(tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  double longest = tac_box_longest(tac_trimesh_box(mesh->surface));
  tacSurfaceReport report;
  tac_console_doing(console, "checking");
  tacStatus status = tac_surface_report(mesh->surface, &report, error);
  if (status != TAC_OK || is_sound(&report)) return status;
  char faults[300];
  tac_report_surface_fit(&report, faults, sizeof faults);
  if (faults[0] != '\0') tac_console_print(console, "not fit for simulation: %s", faults);
  TAC_TRY(repair_with(1e-6 * longest, console, mesh, error));
  if (tac_trimesh_require_closed(mesh->surface, NULL) == TAC_OK) return TAC_OK;
  TAC_TRY(repair_with(1e-3 * longest, console, mesh, error));
  return tac_trimesh_require_closed(mesh->surface, NULL) == TAC_OK ? TAC_OK : wrap(console, mesh, error);
}

/* Parts */

static int find_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* `volume[r]` becomes that of the part whose root is r. */
static void measure_parts(const tacTriMesh *mesh, int *parent, double *volume) {
  for (int v = 0; v < mesh->vertex_count; ++v) parent[v] = v;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 1; i < 3; ++i) {
      int one = find_root(parent, mesh->triangles[t].v[0]), other = find_root(parent, mesh->triangles[t].v[i]);
      parent[one] = other;
    }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    volume[find_root(parent, v[0])] += tac_vec3_dot(a, tac_vec3_cross(b, c)) / 6.0;
  }
}

/* The part of that root alone, as a mesh of its own. `number` is room for a number a vertex. */
static tacStatus extract_part(const tacTriMesh *mesh, int *parent, int root, int *number, tacTriMesh **part,
                              tacError *error) {
  int vertices = 0, triangles = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) number[v] = find_root(parent, v) == root ? vertices++ : -1;
  for (int t = 0; t < mesh->triangle_count; ++t) triangles += number[mesh->triangles[t].v[0]] >= 0;
  TAC_TRY(tac_trimesh_create(vertices, triangles, part, error));
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (number[v] >= 0) (*part)->vertices[number[v]] = mesh->vertices[v];
  triangles = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    if (number[v[0]] >= 0) (*part)->triangles[triangles++] = (tacTriangle){{number[v[0]], number[v[1]], number[v[2]]}};
  }
  return TAC_OK;
}

/* Of several parts the largest: loose specks of a segmentation are held by nothing, and walls of cavities are felt by nobody. */
static tacStatus keep_largest(tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  const tacTriMesh *all = mesh->surface;
  size_t count = (size_t)all->vertex_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *parent = tac_arrays_add(&work, count, sizeof *parent), *number = tac_arrays_add(&work, count, sizeof *number);
  double *volume = tac_arrays_add(&work, count, sizeof *volume), rest = 0.0;
  TAC_TRY(tac_arrays_status(&work, "parts", error));
  int parts = 0, largest = 0;
  measure_parts(all, parent, volume);
  for (int v = 0; v < all->vertex_count; ++v) {
    parts += volume[v] != 0.0;
    if (volume[v] > volume[largest]) largest = v;
  }
  if (parts <= 1) return TAC_OK;
  for (int v = 0; v < all->vertex_count; ++v)
    if (v != largest) rest += fabs(volume[v]);
  tacTriMesh *part = NULL;
  TAC_TRY(extract_part(all, parent, largest, number, &part, error));
  double share = rest / (rest + volume[largest]);
  void (*print)(tacConsole *, const char *, ...) __attribute__((format(printf, 2, 3))) =
      share > 0.1 ? tac_console_warn : tac_console_print;
  print(console, "the mesh has %d parts; kept the largest and left out the others, %.3g %% of the volume", parts,
        100.0 * share);
  replace(mesh, part);
  mesh->remade = true;
  return TAC_OK;
}

/* Triangles */

/* Edges of even triangles with so many vertices on an area: twice as many triangles, each sqrt(3)/4 edge^2. */
static double edge_of(double area, double vertices) {
  return sqrt(2.0 * area / (sqrt(3.0) * vertices));
}

static double vertices_of(double area, double edge) {
  return 2.0 * area / (sqrt(3.0) * edge * edge);
}

static double mean_edge(const tacTriMesh *mesh) {
  double sum = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    for (int i = 0; i < 3; ++i) sum += tac_vec3_distance(mesh->vertices[v[i]], mesh->vertices[v[(i + 1) % 3]]);
  }
  return sum / (3.0 * mesh->triangle_count);
}

/* Finer where such triangles would lose a detail or cross each other. */
static tacStatus remesh(tacConsole *console, double edge, const tacTriMesh *from, tacTriMesh **to, tacError *error) {
  tacStatus status = TAC_ERR_GEOMETRY;
  for (int attempt = 0; attempt < 3 && status == TAC_ERR_GEOMETRY; ++attempt, edge *= 0.5)
    status = tac_remesh(from, edge, 0, &console->progress, to, error);
  return status;
}

static bool is_even(const tacTriMesh *mesh, tacStatus *status, tacError *error) {
  tacSurfaceReport report;
  *status = tac_surface_report(mesh, &report, error);
  return *status == TAC_OK && is_sound(&report) && report.components == 1 && report.self_intersections == 0 &&
         report.smallest_angle > 10.0 && report.longest_edge < 20.0 * report.shortest_edge;
}

static tacStatus measure(tacOrganMesh *mesh, tacError *error) {
  mesh->edge = mean_edge(mesh->surface);
  return tac_surface_thickness(mesh->surface, 0.1, &mesh->thickness, error);
}

/* The file's triangles where they will do, else new ones. Boundary elements need edges below 0.6 of the thickness; where that
 * takes too many, the body is thin. */
static tacStatus make_even(const tacOrganMeshDef *def, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  const double wanted_share = 0.5;
  int before = mesh->surface->vertex_count, wanted = def->vertices > 0 ? def->vertices : TAC_ORGAN_MESH_VERTICES;
  int most = wanted > TAC_ORGAN_MESH_MOST ? wanted : TAC_ORGAN_MESH_MOST;
  TAC_TRY(measure(mesh, error));
  tacStatus status = TAC_OK;
  bool few = def->vertices == 0 ? before <= most && before >= LEAST_VERTICES : before == def->vertices;
  bool fine = mesh->edge <= wanted_share * mesh->thickness;
  if (few && fine && is_even(mesh->surface, &status, error)) return TAC_OK;
  TAC_TRY(status);
  double area = tac_trimesh_area(mesh->surface), edge = edge_of(area, wanted);
  if (def->vertices == 0 && edge > wanted_share * mesh->thickness)
    edge = fmax(wanted_share * mesh->thickness, edge_of(area, most));
  /* Longer ones lose what is thin; they are made fewer below, and are not too many to be made. */
  edge = fmax(fmin(edge, 0.9 * mesh->thickness), fmin(edge, edge_of(area, 4.0 * most)));
  tacTriMesh *even = NULL;
  TAC_TRY(remesh(console, edge, mesh->surface, &even, error));
  if (even->vertex_count > most + most / 4) {
    tacTriMesh *fewer = NULL;
    if (tac_remesh_simplify(even, 2 * most, &fewer, NULL) == TAC_OK) {
      tac_trimesh_destroy(even);
      even = fewer;
    }
  }
  replace(mesh, even);
  mesh->remade = true;
  status = measure(mesh, error);
  mesh->thin = vertices_of(area, 1.6 * wanted_share * mesh->thickness) > most;
  tac_console_print(console, "remeshed: %s instead of %s, even triangles with edges of %s",
                    tac_text_many(even->vertex_count, "vertex").text, tac_text_count(before).text,
                    tac_text_length(mesh->edge).text);
  return status;
}

static void centre(tacOrganMesh *mesh) {
  tacVec3 middle = tac_box_centre(tac_trimesh_box(mesh->surface));
  for (int v = 0; v < mesh->surface->vertex_count; ++v)
    mesh->surface->vertices[v] = tac_vec3_sub(mesh->surface->vertices[v], middle);
}

static tacStatus make(const tacOrganMeshDef *def, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  if (def->shape != NULL) {
    TAC_TRY(tac_shape_build(def->shape, 0.0, &console->progress, &mesh->surface, error));
  } else {
    TAC_TRY(read_file(def->file, console, mesh, error));
    TAC_TRY(choose_scale(def, console, mesh, error));
    TAC_TRY(repair(console, mesh, error));
  }
  TAC_TRY(make_even(def, console, mesh, error));
  TAC_TRY(keep_largest(console, mesh, error));
  mesh->remade = mesh->remade && def->shape == NULL; /* the scene makes a shape with as many vertices */
  if (mesh->remade) centre(mesh);
  return TAC_OK;
}

tacStatus tac_organ_mesh_make(const tacOrganMeshDef *def, tacConsole *console, tacOrganMesh *mesh, tacError *error) {
  *mesh = (tacOrganMesh){.scale = 1.0};
  tacStatus status = make(def, console, mesh, error);
  tac_console_step(console, status);
  if (status != TAC_OK) tac_organ_mesh_free(mesh);
  return status;
}

void tac_organ_mesh_free(tacOrganMesh *mesh) {
  tac_trimesh_destroy(mesh->surface);
  *mesh = (tacOrganMesh){0};
}
