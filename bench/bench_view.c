#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/meshing.h>
#include "app/viewer/protocol/quantise.h"
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "elastic/surface_stress.h"
#include "math/geometry/vec3.h"
#include "shape/shape.h"

/* What a frame of a surface costs the viewer's server, against what it would cost to send floats as they are. */

enum { ROUNDS = 300 };

typedef struct {
  tacTriMesh *mesh;
  tacVec3 *deformed, *displacement, *normals;
  double *stress;
  tacStressSum *sums;
  unsigned char *bytes;
} Surface;

static void surface_free(Surface *s) {
  tac_trimesh_destroy(s->mesh);
  free(s->deformed);
  free(s->displacement);
  free(s->normals);
  free(s->stress);
  free(s->sums);
  free(s->bytes);
}

/* A sphere of about so many vertices, dented from above. */
static tacStatus surface_make(double wanted, Surface *s, tacError *error) {
  *s = (Surface){0};
  tacStatus status = tac_shape_build("sphere", 0.0, NULL, &s->mesh, error);
  if (status != TAC_OK) return status;
  double size = tac_shape_find("sphere")->size * sqrt(s->mesh->vertex_count / wanted);
  tac_trimesh_destroy(s->mesh);
  s->mesh = NULL;
  status = tac_shape_build("sphere", size, NULL, &s->mesh, error);
  if (status != TAC_OK) return status;
  size_t n = (size_t)s->mesh->vertex_count;
  s->deformed = tac_array_create(n, sizeof *s->deformed, "a surface", error);
  s->displacement = tac_array_create(n, sizeof *s->displacement, "a surface", error);
  s->normals = tac_array_create(n, sizeof *s->normals, "a surface", error);
  s->stress = tac_array_create(n, sizeof *s->stress, "a surface", error);
  s->sums = tac_array_create(n, sizeof *s->sums, "a surface", error);
  s->bytes = tac_array_create(n, 24, "a surface", error);
  if (s->deformed == NULL || s->displacement == NULL || s->normals == NULL || s->stress == NULL || s->sums == NULL ||
      s->bytes == NULL)
    return TAC_ERR_MEMORY;
  for (size_t v = 0; v < n; ++v) {
    tacVec3 p = s->mesh->vertices[v];
    s->displacement[v] = tac_vec3(0.0, 0.0, -0.005 * exp(-500.0 * (p.x * p.x + p.y * p.y)) * (p.z > 0.0));
    s->deformed[v] = tac_vec3_add(p, s->displacement[v]);
  }
  return TAC_OK;
}

static void quantise(Surface *s) {
  float scale;
  tac_quantise_surface(s->mesh->vertex_count, s->mesh->triangle_count, s->mesh->triangles, s->mesh->vertices,
                       s->deformed, s->normals, s->bytes, &scale);
}

static void stress(Surface *s) {
  float scale;
  tac_surface_stress(s->mesh, s->displacement, NULL, 2e4, 0.45, s->sums, s->stress);
  tac_quantise_field(s->mesh->vertex_count, s->stress, s->bytes, &scale);
}

/* Positions and normals as 32-bit floats: three times the bytes. */
static void copy_floats(Surface *s) {
  int n = s->mesh->vertex_count;
  memset(s->normals, 0, (size_t)n * sizeof *s->normals);
  for (int t = 0; t < s->mesh->triangle_count; ++t) {
    const int *v = s->mesh->triangles[t].v;
    tacVec3 a = s->deformed[v[0]];
    tacVec3 normal = tac_vec3_cross(tac_vec3_sub(s->deformed[v[1]], a), tac_vec3_sub(s->deformed[v[2]], a));
    for (int i = 0; i < 3; ++i) s->normals[v[i]] = tac_vec3_add(s->normals[v[i]], normal);
  }
  for (int v = 0; v < n; ++v) {
    tacVec3 p = s->deformed[v], normal = tac_vec3_unit(s->normals[v]);
    float floats[6] = {(float)p.x, (float)p.y, (float)p.z, (float)normal.x, (float)normal.y, (float)normal.z};
    memcpy(s->bytes + 24 * (size_t)v, floats, sizeof floats);
  }
}

static tacBenchResult measure(const char *name, const char *metric, void (*work)(Surface *), Surface *s, int rounds) {
  double samples[ROUNDS];
  tacBenchResult result = tac_bench_result(name, metric, 0.0, "ms");
  for (int i = 0; i < rounds; ++i) {
    double start = tac_bench_now();
    work(s);
    samples[i] = 1e3 * (tac_bench_now() - start);
  }
  tac_bench_percentiles((size_t)rounds, samples, &result);
  return result;
}

tacStatus tac_bench_view(tacBench *bench, tacError *error) {
  static const double sizes[] = {1e3, 1e4, 5e4};
  tacStatus status = TAC_OK;
  for (int i = 0; i < (bench->quick ? 1 : 3) && status == TAC_OK; ++i) {
    Surface surface;
    status = surface_make(sizes[i], &surface, error);
    if (status == TAC_OK) {
      char name[64];
      int rounds = bench->quick ? 3 : ROUNDS;
      snprintf(name, sizeof name, "%d vertices", surface.mesh->vertex_count);
      tacBenchResult plain = measure(name, "plain floats", copy_floats, &surface, rounds);
      tacBenchResult frame = measure(name, "surface", quantise, &surface, rounds);
      frame.baseline = plain.value;
      tac_bench_report(bench, &frame);
      tacBenchResult field = measure(name, "stress", stress, &surface, rounds);
      tac_bench_report(bench, &field);
      tacBenchResult rate = tac_bench_result(name, "at 60 Hz", 60.0 * 8.0 * surface.mesh->vertex_count / 1e6, "MB/s");
      rate.baseline = 3.0 * rate.value;
      tac_bench_report(bench, &rate);
    }
    surface_free(&surface);
  }
  return status;
}
