#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "collide/surface_meeting.h"
#include "math/geometry/quat.h"
#include "shape/geodesic.h"

enum { TICKS = 5000, ROOM = 512 };

typedef struct Case {
  const char *name;
  double apart; /* m, of the centres of two balls with a radius of 50 mm */
  double alarm; /* m, and depth */
  bool still;   /* neither deforms */
} Case;

static const Case cases[] = {
    {"1,000 triangles each, 5 mm apart", 0.105, 1e-3, false},
    {"1,000 triangles each, touching", 0.1, 1e-3, false},
    {"1,000 triangles each, 0.5 mm deep", 0.0995, 1e-3, false},
    {"1,000 triangles each, 2 mm deep", 0.098, 3e-3, false},
    {"the same, not deformed", 0.098, 3e-3, true},
    {"0.5 mm deep, not deformed", 0.0995, 1e-3, true},
};

typedef struct Ball {
  tacTriMesh *mesh;
  tacSurfaceBoxes *surface;
  tacVec3 *vertices;
} Ball;

static tacStatus make(Ball *ball, tacError *error) {
  tacStatus status = tac_geodesic_sphere(0.05, 7, &ball->mesh, error); /* 980 triangles */
  if (status == TAC_OK) status = tac_surface_boxes_create(ball->mesh, &ball->surface, error);
  if (status != TAC_OK) return status;
  ball->vertices = tac_array_create((size_t)ball->mesh->vertex_count, sizeof *ball->vertices, "vertices", error);
  return ball->vertices != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static void destroy(Ball *ball) {
  tac_surface_boxes_destroy(ball->surface);
  tac_trimesh_destroy(ball->mesh);
  free(ball->vertices);
}

/* Swings by 0.1 mm. */
static void deform(Ball *ball, double phase) {
  double s = 1.0 + 0.002 * sin(phase);
  for (int v = 0; v < ball->mesh->vertex_count; ++v) {
    tacVec3 p = ball->mesh->vertices[v];
    ball->vertices[v] = tac_vec3(s * p.x, p.y / s, p.z + 0.1 * (s - 1.0) * p.x);
  }
}

static tacStatus measure(tacBench *bench, const Case *c, Ball *a, Ball *b, double *seconds, tacError *error) {
  static tacSurfaceCandidate candidates[ROOM];
  int ticks = bench->quick ? 20 : TICKS;
  int64_t count = 0, contacts = 0;
  for (int t = 0; t < ticks; ++t) {
    double phase = c->still ? 0.0 : 0.01 * t;
    deform(a, phase);
    deform(b, 1.7 * phase);
    double angle = 0.001 * t;
    tacSurfaceSearch search = {tac_quat_to_mat3(tac_quat_from_rotation_vector(tac_vec3(0.3, angle, 0.2))),
                               tac_vec3_scale(c->apart, tac_vec3(0.6, 0.0, 0.8)), c->alarm, c->alarm};
    double begin = tac_bench_now();
    tac_surface_boxes_follow(a->surface, a->vertices);
    tac_surface_boxes_follow(b->surface, b->vertices);
    double middle = tac_bench_now();
    tacSurfaceFound found = tac_surface_meeting_find(a->surface, b->surface, &search, ROOM, candidates);
    double end = tac_bench_now();
    seconds[t] = 1e6 * (end - begin);
    seconds[TICKS + t] = 1e6 * (middle - begin);
    seconds[2 * TICKS + t] = 1e6 * (end - middle);
    count += found.count + found.lost;
    for (int i = 0; i < found.count; ++i) contacts += candidates[i].gap < 0.0;
  }
  const char *names[3] = {"time", "boxes of both", "search"};
  for (int k = 0; k < 3; ++k) {
    tacBenchResult result = tac_bench_result(c->name, names[k], NAN, "us");
    tac_bench_percentiles((size_t)ticks, seconds + k * TICKS, &result);
    tac_bench_report(bench, &result);
  }
  tacBenchResult result = tac_bench_result(c->name, "candidates", (double)count / ticks, "1");
  tac_bench_report(bench, &result);
  result = tac_bench_result(c->name, "candidates that overlap", (double)contacts / ticks, "1");
  tac_bench_report(bench, &result);
  if ((count == 0) != (c->apart > 0.103)) return tac_error_set(error, TAC_ERR_CHECK, "%s: wrongly met", c->name);
  return TAC_OK;
}

tacStatus tac_bench_surfaces(tacBench *bench, tacError *error) {
  Ball a = {0}, b = {0};
  double *seconds = NULL;
  tacStatus status = make(&a, error);
  if (status == TAC_OK) status = make(&b, error);
  if (status == TAC_OK) {
    seconds = tac_array_create(3 * TICKS, sizeof *seconds, "times", error);
    if (seconds == NULL) status = TAC_ERR_MEMORY;
  }
  for (size_t c = 0; c < sizeof cases / sizeof *cases && status == TAC_OK; ++c)
    status = measure(bench, &cases[c], &a, &b, seconds, error);
  free(seconds);
  destroy(&a);
  destroy(&b);
  return status;
}
