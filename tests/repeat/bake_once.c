/* Bakes one small asset of a kind with several threads, and prints a checksum of what its file holds. Usage: bake_once
 * KIND FILE The checksum is over name, type and items of every chunk but "bake" of a reduced body, which tells how
 * many seconds each stage took; chunk files have no dates. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/tactus.h>
#include "asset/deformed_field.h"
#include "asset/load_field.h"
#include "base/files/checksum.h"
#include "base/files/chunk_file.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/dense/blas.h"
#include "mesh/brick_division.h"
#include "mesh/repair/simplify.h"

enum { THREADS = 4 };

static tacError error;

static void require(tacStatus status) {
  if (status == TAC_OK) return;
  fprintf(stderr, "%s\n", error.text);
  exit(1);
}

static tacTriMesh *kidney(int vertices) {
  tacTriMesh *fine = NULL, *mesh = NULL;
  require(tac_shape_build("kidney", 0.0035, NULL, &fine, &error));
  require(tac_trimesh_simplify(fine, vertices, &mesh, &error));
  tac_trimesh_destroy(fine);
  return mesh;
}

static tacVolMesh *bricks(const tacTriMesh *mesh, int resolution) {
  tacVolMesh *volume = NULL;
  const tacVoxeliseDef def = {.resolution = resolution, .rule = TAC_VOXELS_CENTRE};
  require(tac_voxelise(mesh, &def, NULL, &volume, &error));
  return volume;
}

static bool *lowest(int count, const tacVec3 *vertices) {
  bool *low = calloc((size_t)count, sizeof *low);
  double least = vertices[0].z, most = least;
  for (int v = 0; v < count; ++v) {
    least = vertices[v].z < least ? vertices[v].z : least;
    most = vertices[v].z > most ? vertices[v].z : most;
  }
  for (int v = 0; low != NULL && v < count; ++v) low[v] = vertices[v].z < least + 0.5 * (most - least);
  return low;
}

/* A ball, which trial loads do not bend far: they take most of the time. `is_free`: nothing holds it. */
static void bake_green(tacReferenceMethod method, tacGreenStorage storage, bool is_free, const char *path) {
  tacTriMesh *ball = NULL, *surface = NULL;
  tacGreenDef def = tac_green_def_default();
  tacMaterial material;
  tacGreen *green = NULL;
  require(tac_shape_build("sphere", 0.015, NULL, &ball, &error));
  require(tac_material_isotropic(1000.0, 1e4, 0.3, &material, &error));
  surface = ball;
  def.problem = (tacReferenceDef){.method = method, .accept_thin = true, .material_count = 1, .materials = &material};
  if (method == TAC_FINITE_ELEMENTS) {
    def.problem.volume = bricks(ball, 5);
    require(tac_volmesh_surface(def.problem.volume, &surface, NULL, NULL, &error));
  }
  def.problem.surface = surface;
  bool *fixed = lowest(surface->vertex_count, surface->vertices);
  for (int v = 0; is_free && v < surface->vertex_count; ++v) fixed[v] = false;
  def.problem.fixed = fixed;
  def.problem.thread_count = THREADS;
  def.storage = storage;
  def.near_radius = 0.02;
  require(tac_green_bake(&def, NULL, &green, &error));
  require(tac_green_write(green, path, &error));
}

static tacReduced *reduced_of(const tacTriMesh *mesh, int size) {
  tacReducedDef def = tac_reduced_def_default();
  tacMaterial material;
  tacReduced *reduced = NULL;
  tacVolMesh *volume = bricks(mesh, 6);
  require(tac_material_isotropic(1000.0, 1e4, 0.4, &material, &error));
  def.volume = volume;
  def.material_count = 1;
  def.materials = &material;
  def.fixed = lowest(volume->vertex_count, volume->vertices);
  def.mode_count = 8;
  def.size = size;
  require(tac_reduced_bake(&def, NULL, &reduced, &error));
  return reduced;
}

/* Tetrahedra of the same bricks, pressed from all sides. */
static void bake_vademecum(const char *path) {
  tacVademecumDef def = tac_vademecum_def_default();
  tacVolMesh *volume = NULL;
  tacVademecum *vademecum = NULL;
  require(tac_brick_division(bricks(kidney(400), 5), &volume, &error));
  def.mesh = volume;
  def.material = (tacLawMaterial){"neo-hookean", {4e3, 1e4}, .density = 1000.0};
  def.fixed = lowest(volume->vertex_count, volume->vertices);
  def.load = 0.2;
  def.path_most = 12;
  def.mode_most = 30;
  def.sample_count = 4;
  require(tac_vademecum_bake(&def, NULL, &vademecum, &error));
  require(tac_vademecum_write(vademecum, path, &error));
}

static tacDistanceField *field_of(const tacTriMesh *mesh, bool soup) {
  tacFieldDef def = tac_field_def_default();
  tacDistanceField *field = NULL;
  def.resolution = 32;
  def.thread_count = THREADS;
  require(soup ? tac_distance_field_bake_soup(mesh, &def, NULL, &field, NULL, &error)
               : tac_distance_field_bake(mesh, &def, NULL, &field, &error));
  return field;
}

static tacPointshell *points_of(const tacDistanceField *field) {
  const tacPointshellDef def = {.point_count = 300, .thread_count = THREADS};
  tacPointshell *shell = NULL;
  require(tac_pointshell_bake(field, NULL, &def, NULL, &shell, &error));
  return shell;
}

/* Two loads that bend it by a few modes. */
static void bake_loads(const tacReduced *reduced, const char *path) {
  const int vertices[2] = {0, 1}, n = tac_reduced_size(reduced);
  const double level = 1.0;
  double states[64] = {0.0};
  tacLoadFieldDef def = tac_load_field_def_default();
  tacLoadField *loads = NULL;
  states[0] = states[n + 1] = 1e-3;
  def.shape = reduced;
  def.node_count = 2;
  def.vertices = vertices;
  def.level_count = 1;
  def.levels = &level;
  def.states = states;
  def.resolution = 24;
  def.thread_count = THREADS;
  require(tac_load_field_bake(&def, NULL, &loads, &error));
  require(tac_load_field_write(loads, path, &error));
}

static void bake_contact(const char *kind, const char *path) {
  tacTriMesh *mesh = kidney(400);
  if (strcmp(kind, "field") == 0 || strcmp(kind, "soup") == 0) {
    require(tac_distance_field_write(field_of(mesh, kind[0] == 's'), path, &error));
  } else if (strcmp(kind, "points") == 0) {
    require(tac_pointshell_write(points_of(field_of(mesh, false)), path, &error));
  } else {
    tacReduced *reduced = reduced_of(mesh, 10);
    tacDistanceField *field = field_of(tac_reduced_surface(reduced), false);
    if (strcmp(kind, "embedded") == 0) {
      tacPointshell *embedded = NULL;
      require(tac_pointshell_embed(points_of(field), reduced, &embedded, &error));
      require(tac_pointshell_write(embedded, path, &error));
    } else if (strcmp(kind, "loads") == 0) {
      bake_loads(reduced, path);
    } else {
      const tacDeformedFieldDef def = tac_deformed_field_def_default();
      tacDeformedField *deformed = NULL;
      require(tac_deformed_field_bake(reduced, 1, &field, &def, NULL, &deformed, &error));
      require(tac_deformed_field_write(deformed, path, &error));
    }
  }
}

static void mix(uint64_t *sum, const void *bytes, size_t size) {
  uint64_t pair[2] = {*sum, size > 0 ? tac_checksum(bytes, size) : 0};
  *sum = tac_checksum(pair, sizeof pair);
}

static uint64_t sum_up(const char *path) {
  tacChunkFile *file = NULL;
  uint64_t sum = 0;
  require(tac_chunk_file_open(path, &file, &error));
  for (int i = 0; i < tac_chunk_file_count(file); ++i) {
    const tacChunkInfo *info = tac_chunk_file_info(file, i);
    uint64_t count = 0;
    void *items = NULL;
    if (strcmp(info->name, "bake") == 0) continue;
    require(tac_chunk_file_read(file, info->name, info->type, UINT64_MAX, &count, &items, &error));
    mix(&sum, info->name, strlen(info->name));
    mix(&sum, &info->type, sizeof info->type);
    mix(&sum, items, (size_t)(count * info->item_bytes));
    free(items);
  }
  tac_chunk_file_close(file);
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const char *kind = argv[1], *path = argv[2];
  tac_blas_start();
  if (strcmp(kind, "boundary") == 0)
    bake_green(TAC_BOUNDARY_ELEMENTS, TAC_GREEN_WHOLE, false, path);
  else if (strcmp(kind, "near") == 0)
    bake_green(TAC_BOUNDARY_ELEMENTS, TAC_GREEN_NEAR, false, path);
  else if (strcmp(kind, "finite") == 0)
    bake_green(TAC_FINITE_ELEMENTS, TAC_GREEN_WHOLE, false, path);
  else if (strcmp(kind, "loose") == 0)
    bake_green(TAC_FINITE_ELEMENTS, TAC_GREEN_WHOLE, true, path);
  else if (strncmp(kind, "reduced", 7) == 0)
    require(tac_reduced_write(reduced_of(kidney(400), atoi(kind + 7)), path, &error));
  else if (strcmp(kind, "vademecum") == 0)
    bake_vademecum(path);
  else
    bake_contact(kind, path);
  printf("%016" PRIx64 "\n", sum_up(path));
  return 0;
}
