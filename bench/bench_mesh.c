#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include <unistd.h>
#include "bake/isosurface.h"
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "math/geometry/vec3.h"
#include "mesh/contents/mesh_builder.h"
#include "shape/geodesic.h"

enum { REPEATS = 5 };

static int repeats(const tacBench *bench) {
  return bench->quick ? 1 : REPEATS;
}

static void report_times(tacBench *bench, const char *case_name, int count, double *seconds, double baseline) {
  tacBenchResult result = tac_bench_result(case_name, "time", NAN, "s");
  tac_bench_percentiles((size_t)count, seconds, &result);
  result.baseline = baseline;
  tac_bench_report(bench, &result);
}

/* Tetrahedra */

static tacStatus stuff(const tacTriMesh *surface, double size, tacVolMesh **mesh, double *seconds, tacError *error) {
  tacStuffingDef def = tac_stuffing_def_default();
  def.size = size;
  double start = tac_bench_now();
  tacStatus status = tac_stuffing_fill(surface, &def, NULL, mesh, error);
  *seconds = tac_bench_now() - start;
  return status;
}

/* The size that gives about `wanted` tetrahedra: two steps of count ~ size^-2.5, which lies between what the surface asks
 * for (-2) and what a uniform interior would (-3). */
static tacStatus size_for_count(const tacTriMesh *surface, double wanted, double *size, tacError *error) {
  *size = tac_box_longest(tac_trimesh_box(surface)) / 20.0;
  for (int step = 0; step < 3; ++step) {
    tacVolMesh *mesh = NULL;
    double seconds;
    tacStatus status = stuff(surface, *size, &mesh, &seconds, error);
    if (status != TAC_OK) return status;
    *size *= pow(mesh->tet_count / wanted, 1.0 / 2.5);
    tac_volmesh_destroy(mesh);
  }
  return TAC_OK;
}

static tacStatus bench_stuffing(tacBench *bench, const tacTriMesh *surface, tacError *error) {
  const char *name = bench->quick ? "stuffing kidney, 5k tets" : "stuffing kidney, 100k tets";
  double size, seconds[REPEATS];
  tacVolumeReport report = {0};
  tacStatus status = size_for_count(surface, bench->quick ? 5e3 : 1e5, &size, error);
  for (int i = 0; i < repeats(bench) && status == TAC_OK; ++i) {
    tacVolMesh *mesh = NULL;
    status = stuff(surface, size, &mesh, &seconds[i], error);
    if (status == TAC_OK && i == 0) status = tac_volume_report(mesh, &report, error);
    tac_volmesh_destroy(mesh);
  }
  if (status != TAC_OK) return status;
  report_times(bench, name, repeats(bench), seconds, NAN);
  tacBenchResult count = tac_bench_result(name, "tetrahedra", report.tets, "1");
  tac_bench_report(bench, &count);
  tacBenchResult dihedral = tac_bench_result(name, "smallest dihedral", report.smallest_dihedral, "degree");
  tac_bench_report(bench, &dihedral);
  return TAC_OK;
}

/* Voxels */

static tacStatus bench_voxels(tacBench *bench, const tacTriMesh *surface, tacError *error) {
  tacVoxeliseDef def = tac_voxelise_def_default();
  def.resolution = bench->quick ? 20 : 100;
  char name[64];
  snprintf(name, sizeof name, "voxelise kidney, %d", def.resolution);
  double seconds[REPEATS];
  for (int i = 0; i < repeats(bench); ++i) {
    tacVolMesh *mesh = NULL;
    double start = tac_bench_now();
    tacStatus status = tac_voxelise(surface, &def, NULL, &mesh, error);
    seconds[i] = tac_bench_now() - start;
    tac_volmesh_destroy(mesh);
    if (status != TAC_OK) return status;
  }
  report_times(bench, name, repeats(bench), seconds, NAN);
  return TAC_OK;
}

/* Marching cubes */

static tacStatus torus_grid(int voxels, tacGrid *grid, tacError *error) {
  int n = voxels + 1;
  *grid = (tacGrid){n, n, n, {-1.5, -1.5, -1.5}, 3.0 / voxels, NULL};
  grid->values = tac_array_create((size_t)n * (size_t)n * (size_t)n, sizeof *grid->values, "a grid", error);
  if (grid->values == NULL) return TAC_ERR_MEMORY;
  float *value = grid->values;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k));
        *value++ = (float)(hypot(hypot(p.x, p.y) - 1.0, p.z) - 0.3);
      }
    }
  }
  return TAC_OK;
}

static tacStatus bench_isosurface(tacBench *bench, tacError *error) {
  int voxels = bench->quick ? 32 : 128, triangles = 0;
  char name[64];
  snprintf(name, sizeof name, "isosurface torus, %d^3", voxels);
  tacGrid grid;
  double seconds[REPEATS];
  tacStatus status = torus_grid(voxels, &grid, error);
  for (int i = 0; i < repeats(bench) && status == TAC_OK; ++i) {
    tacTriMesh *surface = NULL;
    double start = tac_bench_now();
    status = tac_isosurface_extract(&grid, 0.0, &surface, error);
    seconds[i] = tac_bench_now() - start;
    if (status == TAC_OK) triangles = surface->triangle_count;
    tac_trimesh_destroy(surface);
  }
  free(grid.values);
  if (status != TAC_OK) return status;
  report_times(bench, name, repeats(bench), seconds, NAN);
  tacBenchResult count = tac_bench_result(name, "triangles", triangles, "1");
  tac_bench_report(bench, &count);
  return TAC_OK;
}

/* Reading: the straightforward way is one fread for each triangle and a sort of all corners to find equal ones. */

typedef struct Corner {
  float p[3];
  int index;
} Corner;

static int compare_corners(const void *a, const void *b) {
  const Corner *p = a, *q = b;
  for (int k = 0; k < 3; ++k)
    if (p->p[k] != q->p[k]) return p->p[k] < q->p[k] ? -1 : 1;
  return 0;
}

static tacStatus weld_corners(int count, Corner *corners, tacTriMesh **mesh, tacError *error) {
  qsort(corners, (size_t)count, sizeof *corners, compare_corners);
  int vertices = 0;
  for (int i = 0; i < count; ++i) vertices += i == 0 || compare_corners(&corners[i - 1], &corners[i]) != 0;
  tacStatus status = tac_trimesh_create(vertices, count / 3, mesh, error);
  if (status != TAC_OK) return status;
  int vertex = -1;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || compare_corners(&corners[i - 1], &corners[i]) != 0) ++vertex;
    (*mesh)->vertices[vertex] = tac_vec3(corners[i].p[0], corners[i].p[1], corners[i].p[2]);
    (*mesh)->triangles[corners[i].index / 3].v[corners[i].index % 3] = vertex;
  }
  return TAC_OK;
}

static float little_endian_float(const unsigned char *bytes) {
  union {
    unsigned bits;
    float value;
  } both = {(unsigned)bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16 | (unsigned)bytes[3] << 24};
  return both.value;
}

static tacStatus read_straightforward(const char *path, int triangles, tacTriMesh **mesh, tacError *error) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return tac_error_set(error, TAC_ERR_FILE, "%s: cannot read", path);
  tacStatus status = TAC_OK;
  Corner *corners = tac_array_create(3 * (size_t)triangles, sizeof *corners, "corners", error);
  if (corners == NULL) status = TAC_ERR_MEMORY;
  if (status == TAC_OK) fseek(stream, 84, SEEK_SET);
  for (int t = 0; t < triangles && status == TAC_OK; ++t) {
    unsigned char record[50];
    if (fread(record, 1, sizeof record, stream) != sizeof record)
      status = tac_error_set(error, TAC_ERR_FORMAT, "%s: too short", path);
    for (int c = 0; c < 9; ++c) corners[3 * t + c / 3].p[c % 3] = little_endian_float(record + 12 + 4 * c);
    for (int k = 0; k < 3; ++k) corners[3 * t + k].index = 3 * t + k;
  }
  if (status == TAC_OK) status = weld_corners(3 * triangles, corners, mesh, error);
  free(corners);
  fclose(stream);
  return status;
}

static tacStatus time_reads(tacBench *bench, const char *path, int vertices, int triangles, tacError *error) {
  double seconds[REPEATS], baseline;
  char name[64];
  snprintf(name, sizeof name, "binary STL read, %d triangles", triangles);
  tacTriMesh *plain = NULL;
  double start = tac_bench_now();
  tacStatus status = read_straightforward(path, triangles, &plain, error);
  baseline = tac_bench_now() - start;
  for (int i = 0; i < repeats(bench) && status == TAC_OK; ++i) {
    tacMeshContents contents = {0};
    start = tac_bench_now();
    status = tac_mesh_read(path, &contents, error);
    seconds[i] = tac_bench_now() - start;
    if (status == TAC_OK && (contents.surface->vertex_count != plain->vertex_count ||
                             contents.surface->triangle_count != triangles || plain->vertex_count > vertices))
      status = tac_error_set(error, TAC_ERR_GEOMETRY, "%s: the two readers disagree", path);
    tac_mesh_contents_destroy(&contents);
  }
  tac_trimesh_destroy(plain);
  if (status == TAC_OK) report_times(bench, name, repeats(bench), seconds, baseline);
  return status;
}

static tacStatus bench_stl(tacBench *bench, tacError *error) {
  const char *base = getenv("TMPDIR");
  char folder[PATH_MAX - 16], path[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/tactus-bench-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(folder) == NULL) return tac_error_set(error, TAC_ERR_FILE, "%s: cannot make a temporary folder", folder);
  snprintf(path, sizeof path, "%s/torus.stl", folder);
  tacMeshContents contents = {0};
  tacStatus status =
      tac_geodesic_torus(1.0, 0.3, bench->quick ? 100 : 1000, bench->quick ? 50 : 500, &contents.surface, error);
  if (status == TAC_OK) status = tac_mesh_write(path, TAC_MESH_FORMAT_STL_BINARY, &contents, error);
  if (status == TAC_OK)
    status = time_reads(bench, path, contents.surface->vertex_count, contents.surface->triangle_count, error);
  tac_mesh_contents_destroy(&contents);
  unlink(path);
  rmdir(folder);
  return status;
}

tacStatus tac_bench_mesh(tacBench *bench, tacError *error) {
  tacTriMesh *kidney = NULL;
  tacStatus status = tac_shape_build("kidney", 0.0, NULL, &kidney, error);
  if (status == TAC_OK) status = bench_stl(bench, error);
  if (status == TAC_OK) status = bench_isosurface(bench, error);
  if (status == TAC_OK) status = bench_voxels(bench, kidney, error);
  if (status == TAC_OK) status = bench_stuffing(bench, kidney, error);
  tac_trimesh_destroy(kidney);
  return status;
}
