#include "bake/points/particle_repulsion.h"

#include <stdbool.h>
#include <stdlib.h>
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

/* A hexagonal pattern becomes one of half the spacing when a particle is added in the middle between each two neighbours: 3
 * for each, so four times as many. Hence new particles start there, and the frozen ones are where the finer pattern wants
 * them. What is missing goes into gaps. After a first relaxation the most crowded go into the widest gaps, and a second one
 * makes them even: repulsion alone carries particles only a few spacings far. */

#define REACH 1.7 /* radius of influence, spacings: the nearest neighbours, and those after them hardly */
#define LONGEST_STEP 0.25
#define STILL 5e-4           /* a step that is shorter on average ends the relaxation, spacings */
#define SAMPLES_A_PARTICLE 6 /* where gaps are looked for */
#define EXCHANGED 32         /* one of so many changes its place after the first relaxation */

/* ---- places to look at ---- */

static tacVec3 twice_area(const tacTriMesh *mesh, int triangle) {
  const int *v = mesh->triangles[triangle].v;
  tacVec3 a = mesh->vertices[v[0]];
  return tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a));
}

tacStatus tac_surface_samples_create(const tacTriMesh *mesh, tacSurfaceSamples *samples, tacError *error) {
  *samples = (tacSurfaceSamples){.mesh = mesh};
  TAC_TRY(TAC_ARRAY(samples->area_up_to, (size_t)mesh->triangle_count, "areas of triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    samples->area += 0.5 * tac_vec3_norm(twice_area(mesh, t));
    samples->area_up_to[t] = samples->area;
  }
  return TAC_OK;
}

void tac_surface_samples_free(tacSurfaceSamples *samples) {
  free(samples->area_up_to);
  *samples = (tacSurfaceSamples){0};
}

/* The part of (0, 1) after the point of n times an irrational step: a sequence that leaves no gaps. */
static double additive(size_t n, double step) {
  double x = 0.5 + step * (double)(n % 16777216);
  return x - floor(x);
}

tacVec3 tac_surface_samples_at(const tacSurfaceSamples *samples, size_t index, size_t count, tacVec3 *normal) {
  const tacTriMesh *mesh = samples->mesh;
  double place = ((double)index + 0.5) / (double)count * samples->area;
  int low = 0, high = mesh->triangle_count - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (samples->area_up_to[middle] > place)
      high = middle;
    else
      low = middle + 1;
  }
  *normal = tac_vec3_unit(twice_area(mesh, low));
  /* Roberts' R2 sequence on the parallelogram, folded onto the triangle. */
  double u = additive(index, 0.7548776662466927), v = additive(index, 0.5698402909980532);
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  const int *c = mesh->triangles[low].v;
  tacVec3 a = mesh->vertices[c[0]];
  tacVec3 p = tac_vec3_mad(a, u, tac_vec3_sub(mesh->vertices[c[1]], a));
  return tac_vec3_mad(p, v, tac_vec3_sub(mesh->vertices[c[2]], a));
}

/* ---- particles ---- */

double tac_particles_even_spacing(double area, int count) {
  return sqrt(2.0 / sqrt(3.0) * area / fmax(count, 1.0));
}

static double spacing_of(const tacParticles *s, int count) {
  return tac_particles_even_spacing(s->samples->area, count);
}

tacStatus tac_particles_create(const tacDistanceField *field, const tacSurfaceSamples *samples, int most,
                               int thread_count, tacParticles *s, tacError *error) {
  *s = (tacParticles){.field = field, .samples = samples, .thread_count = thread_count, .most = most};
  tacVec3 **arrays[] = {&s->positions, &s->normals, &s->next_positions, &s->next_normals};
  for (int i = 0; i < 4; ++i) *arrays[i] = tac_arrays_add(&s->arrays, (size_t)most, sizeof **arrays[i]);
  s->moves = tac_arrays_add(&s->arrays, (size_t)most, sizeof *s->moves);
  TAC_TRY(tac_arrays_status(&s->arrays, "particles", error));
  return tac_point_cells_create(most, &s->cells, error);
}

void tac_particles_free(tacParticles *s) {
  tac_arrays_free(&s->arrays);
  tac_point_cells_free(&s->cells);
  *s = (tacParticles){0};
}

/* Newton's method along the field's gradient; `p` and `normal` stay where it fails. */
static bool project(const tacDistanceField *field, tacVec3 *p, tacVec3 *normal) {
  const double voxel = tac_distance_field_grid(field)->spacing;
  tacVec3 q = *p, g;
  for (int i = 0; i < 12; ++i) {
    double d = tac_distance_field_gradient(field, q, &g), g2 = tac_vec3_norm2(g);
    if (!(g2 > 1e-3)) return false; /* 1 as a rule; a ridge of the field */
    if (fabs(d) < 1e-6 * voxel) {
      *p = q;
      *normal = tac_vec3_unit(g);
      return true;
    }
    double longest = 2.0 * voxel / sqrt(g2);
    q = tac_vec3_mad(q, -fmax(-longest, fmin(longest, d / g2)), g);
  }
  return false;
}

static void to_floats(tacVec3 v, float out[3]) {
  out[0] = (float)v.x;
  out[1] = (float)v.y;
  out[2] = (float)v.z;
}

/* Repulsion */

typedef struct Step {
  tacParticles *particles;
  double spacing, relaxation;
} Step;

/* The force (1 - t)^2 / t^4 at t = distance / radius holds the nearest neighbours apart more firmly than the thesis' finite
 * 2 t^3 - 3 t^2 + 1; the step is the force over the mean stiffness that the neighbours give, half of the sum of -df/dd. */
static tacVec3 find_step(const Step *step, const tacPointEntry *a) {
  const tacParticles *s = step->particles;
  const double radius = REACH * step->spacing;
  tacPointRange ranges[TAC_POINT_RANGES];
  int count = tac_point_cells_around(&s->cells, a->position, ranges);
  tacVec3 force = {0.0, 0.0, 0.0};
  double stiffness = 0.0;
  for (int r = 0; r < count; ++r)
    for (int e = ranges[r].begin; e < ranges[r].end; ++e) {
      const tacPointEntry *b = &s->cells.entries[e];
      tacVec3 way = tac_vec3_sub(a->position, b->position);
      double d2 = tac_vec3_norm2(way);
      if (d2 >= radius * radius || b->point == a->point || !tac_point_range_holds(&ranges[r], b)) continue;
      double side = tac_same_side(a->normal, b->normal);
      if (side == 0.0) continue;
      double d = sqrt(d2), t = fmax(d / radius, 0.05), t4 = t * t * t * t;
      force = tac_vec3_mad(force, side * (1.0 - t) * (1.0 - t) / (t4 * fmax(d, 1e-9 * radius)), way);
      stiffness += 0.5 * side * (1.0 - t) * (4.0 - 2.0 * t) / (t4 * t * radius);
    }
  if (!(stiffness > 0.0)) return tac_vec3(0.0, 0.0, 0.0);
  tacVec3 n = s->normals[a->point];
  force = tac_vec3_mad(force, -tac_vec3_dot(force, n), n);
  double length = step->relaxation * tac_vec3_norm(force) / stiffness;
  return tac_vec3_scale(fmin(length, LONGEST_STEP * step->spacing), tac_vec3_unit(force));
}

static void move_particles(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Step *step = context;
  tacParticles *s = step->particles;
  for (size_t i = begin; i < end; ++i) {
    const tacPointEntry *entry = &s->cells.entries[i];
    int point = entry->point;
    tacVec3 p = s->positions[point], n = s->normals[point];
    if (point >= s->frozen) {
      tacVec3 q = tac_vec3_add(p, find_step(step, entry)), m = n;
      /* A step must not lead through a thin part to its other side. */
      if (project(s->field, &q, &m) && tac_vec3_dot(m, n) > -0.3) {
        p = q;
        n = m;
      }
    }
    s->moves[point] = tac_vec3_distance(p, s->positions[point]);
    s->next_positions[point] = p;
    s->next_normals[point] = n;
  }
}

static void swap_arrays(tacVec3 **a, tacVec3 **b) {
  tacVec3 *t = *a;
  *a = *b;
  *b = t;
}

/* At most `steps`, ever shorter ones, since particles on edges and thin parts may hop to and fro for ever. */
static tacStatus relax(tacParticles *s, int steps, const tacProgress *progress, tacError *error) {
  Step step = {s, spacing_of(s, s->count), 0.0};
  double mean = INFINITY;
  for (int k = 0; k < steps && mean > STILL; ++k) {
    const tacProgress now = tac_progress_part(&(tacProgressPart){progress, (double)k / steps, (k + 1.0) / steps, NULL});
    step.relaxation = 0.7 * (1.0 - 0.8 * k / steps);
    tac_point_cells_fill(&s->cells, REACH * step.spacing, s->count, s->positions, s->normals);
    TAC_TRY(tac_parallel_for(s->thread_count, (size_t)s->count, 512, move_particles, &step, &now, "points", error));
    swap_arrays(&s->positions, &s->next_positions);
    swap_arrays(&s->normals, &s->next_normals);
    double sum = 0.0;
    for (int i = s->frozen; i < s->count; ++i) sum += s->moves[i];
    mean = sum / step.spacing / fmax(s->count - s->frozen, 1.0);
  }
  return TAC_OK;
}

/* Seeds */

static void add_particle(tacParticles *s, tacVec3 p) {
  if (s->count == s->most || !project(s->field, &p, &s->normals[s->count])) return;
  s->positions[s->count++] = p;
}

static void add_samples(tacParticles *s, int count) {
  for (int i = 0; i < count; ++i) {
    tacVec3 normal;
    add_particle(s, tac_surface_samples_at(s->samples, (size_t)i, (size_t)count, &normal));
  }
}

/* No other particle is in the ball whose diameter joins a and b: a Gabriel edge. */
static bool are_neighbours(const tacParticles *s, const tacPointEntry *a, const tacPointEntry *b) {
  tacVec3 middle = tac_vec3_mix(a->position, b->position, 0.5);
  double r2 = 0.25 * tac_vec3_norm2(tac_vec3_sub(a->position, b->position));
  tacPointRange ranges[TAC_POINT_RANGES];
  int count = tac_point_cells_around(&s->cells, middle, ranges);
  for (int r = 0; r < count; ++r)
    for (int e = ranges[r].begin; e < ranges[r].end; ++e) {
      const tacPointEntry *c = &s->cells.entries[e];
      if (c->point != a->point && c->point != b->point && tac_point_range_holds(&ranges[r], c) &&
          tac_vec3_norm2(tac_vec3_sub(c->position, middle)) < r2 && tac_same_side(a->normal, c->normal) > 0.5)
        return false;
    }
  return true;
}

static void add_middles(tacParticles *s) {
  const double reach = 1.8 * spacing_of(s, s->count);
  const int old = s->count;
  tac_point_cells_fill(&s->cells, reach, old, s->positions, s->normals);
  for (int i = 0; i < old; ++i) {
    const tacPointEntry *a = &s->cells.entries[i];
    tacPointRange ranges[TAC_POINT_RANGES];
    int count = tac_point_cells_around(&s->cells, a->position, ranges);
    for (int r = 0; r < count; ++r)
      for (int e = ranges[r].begin; e < ranges[r].end; ++e) {
        const tacPointEntry *b = &s->cells.entries[e];
        if (b->point > a->point && tac_point_range_holds(&ranges[r], b) &&
            tac_vec3_distance(a->position, b->position) < reach && tac_same_side(a->normal, b->normal) > 0.5 &&
            are_neighbours(s, a, b))
          add_particle(s, tac_vec3_mix(a->position, b->position, 0.5));
      }
  }
}

/* Crowds and gaps */

typedef struct Ranked {
  double distance;
  int index;
} Ranked;

static int nearer_first(const void *x, const void *y) {
  const Ranked *a = x, *b = y;
  if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

typedef struct Crowd {
  const tacParticles *particles;
  int kept; /* particles before this one may not go */
  Ranked *ranked;
  int *nearest;
} Crowd;

static void measure_crowd(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Crowd *crowd = context;
  const tacParticles *s = crowd->particles;
  for (size_t i = begin; i < end; ++i) {
    int point = crowd->kept + (int)i;
    float normal[3];
    to_floats(s->normals[point], normal);
    crowd->ranked[i].index = point;
    crowd->nearest[i] =
        tac_point_cells_nearest(&s->cells, s->positions[point], normal, point, &crowd->ranked[i].distance);
  }
}

/* Removes the `removed` particles that have the nearest neighbours, of those after the first `kept`. */
static tacStatus thin_out(tacParticles *s, int kept, int removed, tacError *error) {
  size_t loose = (size_t)(s->count - kept);
  Crowd crowd = {.particles = s, .kept = kept};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  crowd.ranked = tac_arrays_add(&work, loose, sizeof *crowd.ranked);
  crowd.nearest = tac_arrays_add(&work, loose, sizeof *crowd.nearest);
  bool *gone = tac_arrays_add(&work, (size_t)s->count, sizeof *gone);
  TAC_TRY(tac_arrays_status(&work, "crowded particles", error));
  while (removed > 0 && s->count > kept) {
    loose = (size_t)(s->count - kept);
    tac_point_cells_fill(&s->cells, spacing_of(s, s->count), s->count, s->positions, s->normals);
    TAC_TRY(tac_parallel_for(s->thread_count, loose, 512, measure_crowd, &crowd, NULL, "points", error));
    qsort(crowd.ranked, loose, sizeof *crowd.ranked, nearer_first);
    for (int i = 0; i < s->count; ++i) gone[i] = false;
    for (size_t i = 0; i < loose && removed > 0; ++i) {
      int point = crowd.ranked[i].index, nearest = crowd.nearest[point - kept];
      if (nearest >= 0 && gone[nearest]) continue; /* of two that crowd each other one goes */
      gone[point] = true;
      --removed;
    }
    int left = 0;
    for (int i = 0; i < s->count; ++i) {
      s->positions[left] = s->positions[i];
      s->normals[left] = s->normals[i];
      left += !gone[i];
    }
    s->count = left;
  }
  return TAC_OK;
}

typedef struct Gaps {
  const tacParticles *particles;
  size_t sample_count;
  float *distances; /* [sample] to the nearest particle */
} Gaps;

static void measure_gaps(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Gaps *gaps = context;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 normal, p = tac_surface_samples_at(gaps->particles->samples, i, gaps->sample_count, &normal);
    float n[3];
    double distance;
    to_floats(normal, n);
    tac_point_cells_nearest(&gaps->particles->cells, p, n, -1, &distance);
    gaps->distances[i] = (float)distance;
  }
}

/* Puts particles on samples that are farther than `least` from all others, widest gaps first, until there are `count`. */
static tacStatus fill_wide_gaps(tacParticles *s, int count, double least, const Gaps *gaps, tacError *error) {
  int wide = 0;
  for (size_t i = 0; i < gaps->sample_count; ++i) wide += gaps->distances[i] > least;
  TAC_FREED(tac_point_cells_free, tacPointCells, cells) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Ranked *ranked = tac_arrays_add(&work, (size_t)wide, sizeof *ranked);
  tacVec3 *places = tac_arrays_add(&work, (size_t)wide, sizeof *places);
  tacVec3 *normals = tac_arrays_add(&work, (size_t)wide, sizeof *normals);
  bool *taken = tac_arrays_add(&work, (size_t)wide, sizeof *taken);
  TAC_TRY(tac_arrays_status(&work, "gaps", error));
  TAC_TRY(tac_point_cells_create(wide, &cells, error));
  wide = 0;
  for (size_t i = 0; i < gaps->sample_count; ++i)
    if (gaps->distances[i] > least) {
      places[wide] = tac_surface_samples_at(s->samples, i, gaps->sample_count, &normals[wide]);
      ranked[wide] = (Ranked){-(double)gaps->distances[i], wide};
      ++wide;
    }
  qsort(ranked, (size_t)wide, sizeof *ranked, nearer_first);
  tac_point_cells_fill(&cells, least, wide, places, normals);
  for (int k = 0; k < wide && s->count < count; ++k) {
    tacVec3 p = places[ranked[k].index];
    float normal[3];
    to_floats(normals[ranked[k].index], normal);
    if (taken[ranked[k].index]) continue;
    add_particle(s, p);
    tacPointRange ranges[TAC_POINT_RANGES];
    int range_count = tac_point_cells_around(&cells, p, ranges);
    for (int r = 0; r < range_count; ++r)
      for (int e = ranges[r].begin; e < ranges[r].end; ++e) {
        const tacPointEntry *entry = &cells.entries[e];
        if (tac_point_range_holds(&ranges[r], entry) && tac_vec3_distance(entry->position, p) < least &&
            tac_same_side(entry->normal, normal) > 0.5)
          taken[entry->point] = true;
      }
  }
  return TAC_OK;
}

static tacStatus fill_gaps(tacParticles *s, int count, tacError *error) {
  const double spacing = spacing_of(s, count), narrowest = 0.1;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  Gaps gaps = {.particles = s, .sample_count = SAMPLES_A_PARTICLE * (size_t)count};
  gaps.distances = tac_arrays_add(&work, gaps.sample_count, sizeof *gaps.distances);
  TAC_TRY(tac_arrays_status(&work, "gaps", error));
  for (double least = 0.8; s->count < count && least > narrowest; least *= 0.9) {
    tac_point_cells_fill(&s->cells, spacing, s->count, s->positions, s->normals);
    TAC_TRY(tac_parallel_for(s->thread_count, gaps.sample_count, 512, measure_gaps, &gaps, NULL, "points", error));
    TAC_TRY(fill_wide_gaps(s, count, least * spacing, &gaps, error));
  }
  if (s->count >= count) return TAC_OK;
  return tac_error_set(error, TAC_ERR_GEOMETRY,
                       "only %d of %d points could be placed, because the surface is too rough for the field; use a "
                       "finer field",
                       s->count, count);
}

tacStatus tac_particles_refine(tacParticles *s, int count, int frozen, const tacProgress *progress, tacError *error) {
  const tacProgress halves[] = {tac_progress_part(&(tacProgressPart){progress, 0.0, 0.25, NULL}),
                                tac_progress_part(&(tacProgressPart){progress, 0.25, 1.0, NULL})};
  const int steps = 60 + (int)fmin(600.0, 200000.0 / count); /* few particles may have all that they need */
  const int old = s->count;
  s->frozen = frozen;
  if (old == 0)
    add_samples(s, count);
  else
    add_middles(s);
  if (s->count > count) TAC_TRY(thin_out(s, old, s->count - count, error));
  TAC_TRY(fill_gaps(s, count, error));
  TAC_TRY(relax(s, steps / 3, &halves[0], error));
  TAC_TRY(thin_out(s, frozen, (count - frozen) / EXCHANGED, error));
  TAC_TRY(fill_gaps(s, count, error));
  return relax(s, steps, &halves[1], error);
}
