#include "bench/vademecum/vademecum_touch_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "asset/load_field.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/vademecum/vademecum_touch.h"
#include "kinds/vademecum/vademecum.h"
#include "math/geometry/vec3.h"

static const double stiffness = 1e3; /* N/m */

/* Points of a body that comes from above, and where they are now. */
typedef struct Probe {
  int count;
  tacVec3 *rest, *now;
} Probe;

static void free_probe(Probe *probe) {
  free(probe->rest);
  free(probe->now);
}

/* The vertices of a gallery shape whose triangles have this size, turned upside down or not, with its lowest point at
 * z = 0 and the middle of its box above the origin. */
static tacStatus make_probe(const char *shape, double size, bool turned, Probe *probe, tacError *error) {
  *probe = (Probe){0};
  tacTriMesh *mesh = NULL;
  tacStatus status = tac_shape_build(shape, size, NULL, &mesh, error);
  if (status != TAC_OK) return status;
  probe->count = mesh->vertex_count;
  probe->rest = tac_array_create((size_t)probe->count, sizeof *probe->rest, "points", error);
  probe->now = tac_array_create((size_t)probe->count, sizeof *probe->now, "points", error);
  if (probe->rest == NULL || probe->now == NULL) status = TAC_ERR_MEMORY;
  tacBox box = tac_trimesh_box(mesh);
  tacVec3 middle = tac_vec3_scale(0.5, tac_vec3_add(box.lower, box.upper));
  for (int i = 0; i < probe->count && status == TAC_OK; ++i) {
    tacVec3 p = mesh->vertices[i];
    probe->rest[i] = turned ? tac_vec3(p.x - middle.x, middle.y - p.y, box.upper.z - p.z)
                            : tac_vec3(p.x - middle.x, p.y - middle.y, p.z - box.lower.z);
  }
  tac_trimesh_destroy(mesh);
  return status;
}

static void place_probe(Probe *probe, tacVec3 at) {
  for (int i = 0; i < probe->count; ++i) probe->now[i] = tac_vec3_add(probe->rest[i], at);
}

/* A load: a triangle with weights, and its size. */
typedef struct Press {
  int triangle;
  double weight[3], size;
  tacVec3 at; /* the place where it acts, deformed */
} Press;

static tacTouchAnswer ask(tacVademecumTouch *touch, const Press *press, const Probe *probe) {
  return tac_vademecum_touch_ask(touch, press->triangle, press->weight, press->size, probe->count, probe->now,
                                 stiffness);
}

/* Lowers it above a place until no more than `contacts` points are in contact, or, where that is negative, none
 * deeper than `depth`. */
static tacTouchAnswer lower(tacVademecumTouch *touch, const Press *press, int contacts, double depth, Probe *probe) {
  double down = press->at.z - 0.1, up = press->at.z + 0.2;
  tacTouchAnswer answer = {0};
  for (int i = 0; i < 40; ++i) {
    double z = 0.5 * (down + up);
    place_probe(probe, tac_vec3(press->at.x, press->at.y, z));
    answer = ask(touch, press, probe);
    bool deep = contacts >= 0 ? answer.contacts > contacts : answer.deepest > depth;
    if (!deep)
      up = z;
    else
      down = z;
  }
  place_probe(probe, tac_vec3(press->at.x, press->at.y, up));
  return ask(touch, press, probe);
}

/* A load in the middle between a vertex and its triangle's middle; q [2 n] receives the state, and has room. */
static bool press_at(const tacVademecum *vademecum, int load, double size, double *q, Press *press) {
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  int vertex = tac_vademecum_load_vertex(vademecum, load), n = tac_vademecum_mode_count(vademecum);
  *press = (Press){.triangle = -1, .size = size};
  for (int t = 0; t < surface->triangle_count && press->triangle < 0; ++t)
    for (int c = 0; c < 3; ++c)
      if (surface->triangles[t].v[c] == vertex) {
        press->triangle = t;
        for (int i = 0; i < 3; ++i) press->weight[i] = i == c ? 0.6 : 0.2;
      }
  tacVec3 most = tac_vec3_scale(size * tac_vademecum_load_most(vademecum), tac_vademecum_load_direction(vademecum));
  for (int k = 0; k < n; ++k) q[k] = 0.0;
  double *corner = q + n;
  for (int c = 0; c < 3; ++c) {
    int at = tac_vademecum_load_of(vademecum, surface->triangles[press->triangle].v[c]);
    if (at < 0) return false;
    tac_vademecum_coordinates(vademecum, at, most, corner);
    for (int k = 0; k < n; ++k) q[k] += press->weight[c] * corner[k];
  }
  press->at = tac_vec3_add(surface->vertices[vertex], tac_vademecum_displacement(vademecum, vertex, q));
  return true;
}

typedef struct Measured {
  int count;
  double *samples;                           /* us */
  double contacts, exact_contacts, exact_us; /* means */
  double deepest_error;                      /* m, the largest */
} Measured;

static volatile double seen;

static tacStatus measure(tacVademecumTouch *touch, const Press *press, const double *q, Probe *probe, int repeats,
                         Measured *m, tacError *error) {
  tacTouchAnswer exact, answer = {0};
  double seconds;
  for (int i = 0; i < repeats; ++i) {
    int64_t start = tac_clock_thread();
    answer = ask(touch, press, probe);
    m->samples[m->count++] = 1e6 * tac_clock_seconds(tac_clock_thread() - start);
    seen = answer.force.z;
  }
  tacStatus status = tac_vademecum_touch_exactly(touch, q, probe->count, probe->now, &exact, &seconds, error);
  m->contacts += answer.contacts;
  m->exact_contacts += exact.contacts;
  m->exact_us += 1e6 * seconds;
  m->deepest_error = fmax(m->deepest_error, fabs(exact.deepest - answer.deepest));
  return status;
}

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  tac_bench_report(bench, &result);
}

static void report_field(tacBench *bench, const char *name, const tacLoadFieldInfo *info) {
  report(bench, name, "d(x, s): samples", 1e-6 * info->nodes[0] * info->nodes[1] * info->nodes[2], "M a load");
  report(bench, name, "d(x, s): voxel", 1e3 * info->spacing, "mm");
  report(bench, name, "d(x, s): size", info->bytes / 1e6, "MB");
  report(bench, name, "d(x, s): all samples", info->bytes_dense / 1e6, "MB");
  report(bench, name, "d(x, s): error", 1e3 * info->error, "mm");
  report(bench, name, "d(x, s): bake", info->seconds_distances + info->seconds_separation + info->seconds_bounds, "s");
}

static void report_touch(tacBench *bench, const char *name, Measured *m, int cases, int points, const char *paper) {
  tacBenchResult result = tac_bench_result(name, "all points", NAN, "us");
  tac_bench_percentiles((size_t)m->count, m->samples, &result);
  result.baseline = m->exact_us / cases;
  result.paper = paper;
  report(bench, name, "points", points, "");
  report(bench, name, "contacts", m->contacts / cases, "mean");
  report(bench, name, "contacts, exactly", m->exact_contacts / cases, "mean");
  report(bench, name, "depth, error", 1e3 * m->deepest_error, "mm most");
  tac_bench_report(bench, &result);
}

static tacStatus open_touch(tacBench *bench, const tacVademecum *vademecum, const char *name, double above,
                            tacVademecumTouch **touch, tacError *error) {
  static const double levels[] = {0.5, 1.0};
  tacStatus status = tac_vademecum_touch_create(vademecum, bench->quick ? 16 : 64, above,
                                                sizeof levels / sizeof *levels, levels, touch, error);
  if (status == TAC_OK) report_field(bench, name, tac_vademecum_touch_info(*touch));
  return status;
}

/* ---- the beam and a block ---- */

tacStatus tac_vademecum_beam_touch(tacBench *bench, const tacVademecum *beam, tacError *error) {
  tacVademecumTouch *touch = NULL;
  Probe block = {0};
  Measured m = {0};
  int repeats = bench->quick ? 1 : 50, cases = 0, loads = tac_vademecum_load_count(beam);
  double *q = tac_array_create(2 * (size_t)tac_vademecum_mode_count(beam), sizeof *q, "coordinates", error);
  m.samples = tac_array_create((size_t)(repeats * loads), sizeof *m.samples, "samples", error);
  tacStatus status = q != NULL && m.samples != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = open_touch(bench, beam, "beam and block", -INFINITY, &touch, error);
  if (status == TAC_OK) status = make_probe("box", 0.006, false, &block, error);
  for (int s = 0; s < loads && status == TAC_OK; s += bench->quick ? 40 : 1) {
    Press press;
    if (!press_at(beam, s, 1.0, q, &press)) continue;
    lower(touch, &press, -1, 0.001, &block);
    status = measure(touch, &press, q, &block, repeats, &m, error);
    ++cases;
  }
  if (status == TAC_OK && cases > 0) report_touch(bench, "beam and block, all loads", &m, cases, block.count, "622 us");
  free(m.samples);
  free(q);
  free_probe(&block);
  tac_vademecum_touch_destroy(touch);
  return status;
}

/* ---- two free forms ---- */

static int highest_load(const tacVademecum *vademecum, double *q) {
  int best = -1;
  double most = -INFINITY;
  for (int s = 0; s < tac_vademecum_load_count(vademecum); ++s) {
    Press press;
    if (!press_at(vademecum, s, 1.0, q, &press) || press.at.z <= most) continue;
    most = press.at.z;
    best = s;
  }
  return best;
}

static tacStatus ask_blobs(tacBench *bench, const tacVademecum *vademecum, tacVademecumTouch *touch, Probe *other,
                           tacError *error) {
  static const struct {
    int contacts;
    const char *paper;
  } cases[] = {{0, "715 us"}, {36, "1611 us"}, {427, "1281 us"}};
  enum { REPEATS = 2000 };
  double *q = tac_array_create(2 * (size_t)tac_vademecum_mode_count(vademecum), sizeof *q, "coordinates", error);
  Measured m = {.samples = tac_array_create(REPEATS, sizeof *m.samples, "samples", error)};
  tacStatus status = q != NULL && m.samples != NULL ? TAC_OK : TAC_ERR_MEMORY;
  int load = status == TAC_OK ? highest_load(vademecum, q) : -1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == TAC_OK && load >= 0; ++i) {
    Press press;
    char name[64];
    press_at(vademecum, load, 1.0, q, &press);
    lower(touch, &press, cases[i].contacts, 0.0, other);
    m = (Measured){.samples = m.samples};
    status = measure(touch, &press, q, other, bench->quick ? 3 : REPEATS, &m, error);
    snprintf(name, sizeof name, "two blobs, %d contacts", (int)m.contacts);
    if (status == TAC_OK) report_touch(bench, name, &m, 1, other->count, cases[i].paper);
  }
  free(q);
  free(m.samples);
  return status;
}

tacStatus tac_vademecum_blob_touch(tacBench *bench, const tacVademecum *blob, tacError *error) {
  tacVademecumTouch *touch = NULL;
  Probe other = {0};
  /* Loads of its upper part, where the other one comes. */
  tacStatus status = open_touch(bench, blob, "two blobs", 0.05, &touch, error);
  if (status == TAC_OK) status = make_probe("blob", bench->quick ? 0.01 : 0.00265, true, &other, error);
  if (status == TAC_OK) status = ask_blobs(bench, blob, touch, &other, error);
  free_probe(&other);
  tac_vademecum_touch_destroy(touch);
  return status;
}
