#include "asset/load_bases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include <tactus/distance_field.h>
#include "asset/deformed_domain.h"
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "asset/proxy_map.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

/* Where rho is less than (1 + FALLBACK) d_1 the body at rest comes in; paths within (1 + TIE) d_1 take part. */
#define FALLBACK 0.1
#define TIE 0.15
/* Loads that are smaller than this part of the first level change nothing: near rest nothing comes and goes. */
#define IDLE 0.05
/* Paths that are measured exactly, after those that floats find. */
enum { CANDIDATES = TAC_LOAD_PATHS + 8, USUAL = 2 };

/* ---- making ---- */

/* False where the inverse is not sound. */
static bool make_map(const tacDeformedDomain *domain, int r, int index, const double *q, const tacLoadSolid *solid,
                     tacLoadMap *map) {
  const tacProxyMap proxy = tac_proxy_map_at(domain, r, index, q);
  const tacVec3 away = tac_mat3_mul_vec(proxy.inverse, tac_vec3_sub(solid->centre, proxy.at));
  *map = (tacLoadMap){proxy.at, proxy.f, tac_vec3_add(domain->positions[index], away),
                      tac_proxy_map_norm(proxy.inverse) * solid->radius * (1.0 + 1e-9)};
  return proxy.sound && isfinite(map->radius) && tac_vec3_finite(map->centre);
}

static const tacLoadMap *maps_of(const tacLoadBases *bases, int column) {
  return bases->maps + (size_t)column * (size_t)bases->proxies;
}

static bool make_maps(tacLoadBases *bases, const tacDeformedDomain *domain, int r, int column) {
  const double *q = tac_load_field_parts(bases->field)->states + (size_t)column * (size_t)r;
  const tacLoadSolid *solid = &tac_load_field_bounds(bases->field)->solids[column];
  bool sound = true;
  for (int i = 0; i < domain->count; ++i)
    sound = make_map(domain, r, i, q, solid, &bases->maps[(size_t)column * (size_t)domain->count + (size_t)i]) && sound;
  return sound;
}

/* Whether all proxies are within a voxel of where they are at rest, or in another column. */
static bool is_near(const tacLoadBases *bases, const tacDeformedDomain *domain, int column, int other) {
  const double voxel = tac_load_field_info(bases->field)->spacing;
  for (int i = 0; i < bases->proxies; ++i) {
    const tacVec3 from = other < 0 ? domain->positions[i] : maps_of(bases, other)[i].at;
    if (tac_vec3_distance(maps_of(bases, column)[i].at, from) > voxel) return false;
  }
  return true;
}

static const double *state_of(const tacLoadBases *bases, int column) {
  const tacLoadFieldParts *parts = tac_load_field_parts(bases->field);
  return parts->states + (size_t)column * (size_t)parts->size;
}

static int last_column(const tacLoadBases *bases, int path) {
  return bases->columns[path * bases->level_count + bases->level_counts[path] - 1];
}

/* The levels of a node up to the first that cannot be used. Their projections on the last of them must ascend; where
 * one does not, it is left out. Becomes the next path, unless there is nothing of it, or another is near. */
static void make_path(tacLoadBases *bases, const tacDeformedDomain *domain, int r, int node) {
  const int first = node * bases->level_count, path = bases->path_count, at = path * bases->level_count;
  int *columns = bases->columns + at, usable = 0, count = 0;
  double *places = bases->places + at;
  while (usable < bases->level_count && make_maps(bases, domain, r, first + usable)) ++usable;
  const double *last = usable > 0 ? state_of(bases, first + usable - 1) : NULL;
  const double square = usable > 0 ? tac_vector_dot(r, last, last) : 0.0;
  for (int l = 0; square > 0.0 && l < usable; ++l) {
    const bool ends = l == usable - 1;
    const double place = ends ? 1.0 : tac_vector_dot(r, state_of(bases, first + l), last) / square;
    if (!(place > (count > 0 ? places[count - 1] : 0.0) + 1e-3) || (!ends && place > 1.0 - 1e-3)) continue;
    if (is_near(bases, domain, first + l, -1)) continue;
    columns[count] = first + l;
    places[count++] = place;
  }
  if (count == 0 || places[count - 1] != 1.0) return;
  for (int p = 0; p < path; ++p)
    if (is_near(bases, domain, columns[count - 1], last_column(bases, p))) return;
  for (int l = 0; l < count; ++l) {
    const double *q = state_of(bases, columns[l]), *before = l > 0 ? state_of(bases, columns[l - 1]) : NULL;
    bases->norms[2 * (at + l)] = (float)tac_vector_dot(r, q, q);
    bases->norms[2 * (at + l) + 1] = before != NULL ? (float)tac_vector_dot(r, q, before) : 0.0f;
  }
  bases->level_counts[path] = count;
  ++bases->path_count;
}

/* [coordinate][path][level], so that sums for all run side by side. */
static void copy_states(tacLoadBases *bases, int r) {
  const size_t row = (size_t)bases->path_count * (size_t)bases->level_count;
  for (int p = 0; p < bases->path_count; ++p)
    for (int l = 0; l < bases->level_counts[p]; ++l) {
      const int at = p * bases->level_count + l;
      for (int j = 0; j < r; ++j)
        bases->states[(size_t)j * row + (size_t)at] = (float)state_of(bases, bases->columns[at])[j];
    }
}

void tac_load_bases_destroy(tacLoadBases *bases) {
  if (bases == NULL) return;
  for (int s = 0; s < TAC_LOAD_SLOTS; ++s) tac_load_slice_destroy(bases->slots[s].slice);
  tac_arrays_free(&bases->arrays);
  free(bases);
}

static tacStatus allocate(tacLoadBases *bases, int r, tacError *error) {
  const size_t columns = (size_t)tac_load_field_column_count(bases->field);
  bases->maps = tac_arrays_add(&bases->arrays, columns * (size_t)bases->proxies, sizeof *bases->maps);
  bases->to_reaches =
      tac_arrays_add(&bases->arrays, TAC_LOAD_SLOTS * (size_t)bases->proxies, sizeof *bases->to_reaches);
  bases->level_counts = tac_arrays_add(&bases->arrays, columns, sizeof *bases->level_counts);
  bases->columns = tac_arrays_add(&bases->arrays, columns, sizeof *bases->columns);
  bases->places = tac_arrays_add(&bases->arrays, columns, sizeof *bases->places);
  bases->states = tac_arrays_add(&bases->arrays, columns * (size_t)r, sizeof *bases->states);
  bases->dots = tac_arrays_add(&bases->arrays, columns, sizeof *bases->dots);
  bases->norms = tac_arrays_add(&bases->arrays, 2 * columns, sizeof *bases->norms);
  TAC_TRY(tac_arrays_status(&bases->arrays, "loads of a pose", error));
  for (int s = 0; s < TAC_LOAD_SLOTS; ++s) {
    bases->slots[s].column = -1;
    TAC_TRY(tac_load_slice_create(bases->field, &bases->slots[s].slice, error));
  }
  return TAC_OK;
}

tacStatus tac_load_bases_create(const tacLoadField *field, const tacDeformedField *deformed, tacLoadBases **result,
                                tacError *error) {
  *result = NULL;
  const int r = tac_load_field_coordinates(field);
  if (deformed->r != r)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the load field has %d coordinates, but the deformed field has %d; "
                         "both must be equal",
                         r, deformed->r);
  if (deformed->domain_count != 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a load field needs a deformed field with one domain, not %d",
                         deformed->domain_count);
  TAC_OWN(tacLoadBases, bases) = NULL;
  TAC_TRY(TAC_ARRAY(bases, 1, "loads of a pose", error));
  bases->field = field;
  bases->proxies = deformed->domains[0].count;
  bases->level_count = tac_load_field_level_count(field);
  TAC_TRY(allocate(bases, r, error));
  for (int node = 0; node < tac_load_field_node_count(field); ++node) make_path(bases, &deformed->domains[0], r, node);
  copy_states(bases, r);
  const double rest[TAC_BODY_MOST_COORDINATES] = {0.0};
  tac_load_bases_set(bases, rest);
  *result = tac_give(&bases);
  return TAC_OK;
}

/* ---- the nearest paths ---- */

/* A place between two levels of a path, or between rest and the first: (1 - t) q_lower + t q_upper. */
typedef struct {
  int upper; /* level of its path; the lower one is before it, or rest */
  int path;
  double t, distance;
} OnPath;

static OnPath place_on(const tacLoadBases *bases, int path, double place) {
  const double *places = bases->places + path * bases->level_count;
  int l = 0;
  while (l < bases->level_counts[path] - 1 && place > places[l]) ++l;
  const double below = l > 0 ? places[l - 1] : 0.0, t = (place - below) / (places[l] - below);
  return (OnPath){l, path, t > 0.0 ? fmin(t, 1.0) : 0.0, 0.0};
}

/* By floats: the squared distance less |q|^2. */
static float roughly(const tacLoadBases *bases, int path) {
  const int first = path * bases->level_count, last = first + bases->level_counts[path] - 1;
  const OnPath on = place_on(bases, path, (double)(bases->dots[last] / bases->norms[2 * last]));
  const float t = (float)on.t, s = 1.0f - t, *norms = bases->norms + 2 * (first + on.upper);
  const float *dots = bases->dots + first + on.upper;
  float square = t * (t * norms[0] - 2.0f * dots[0]);
  if (on.upper > 0) square += s * (s * norms[-2] + 2.0f * t * norms[1] - 2.0f * dots[-1]);
  return square;
}

static OnPath exactly(const tacLoadBases *bases, int path, const double *q) {
  const int r = tac_load_field_coordinates(bases->field);
  const double *end = state_of(bases, last_column(bases, path));
  OnPath on = place_on(bases, path, tac_vector_dot(r, q, end) / tac_vector_dot(r, end, end));
  const int *columns = bases->columns + path * bases->level_count;
  const double *upper = state_of(bases, columns[on.upper]);
  const double *lower = on.upper > 0 ? state_of(bases, columns[on.upper - 1]) : NULL;
  double square = 0.0;
  for (int j = 0; j < r; ++j) {
    const double away = q[j] - on.t * upper[j] - (lower != NULL ? (1.0 - on.t) * lower[j] : 0.0);
    square += away * away;
  }
  on.distance = sqrt(square);
  return on;
}

static void multiply(const tacLoadBases *bases, const double *q) {
  const int count = bases->path_count * bases->level_count, r = tac_load_field_coordinates(bases->field);
  float *restrict to = bases->dots;
  memset(to, 0, (size_t)count * sizeof *to);
  for (int j = 0; j < r; ++j) {
    const float *restrict row = bases->states + (size_t)j * (size_t)count, factor = (float)q[j];
    for (int c = 0; c < count; ++c) to[c] += factor * row[c];
  }
}

/* The nearest paths, in order. */
static int find_nearest(const tacLoadBases *bases, const double *q, OnPath nearest[TAC_LOAD_PATHS + 1]) {
  int paths[CANDIDATES], count = 0, found = 0;
  float squares[CANDIDATES];
  multiply(bases, q);
  for (int path = 0; path < bases->path_count; ++path) {
    const float square = roughly(bases, path);
    if (!(square < (count < CANDIDATES ? INFINITY : squares[CANDIDATES - 1]))) continue;
    int at = count < CANDIDATES ? count++ : CANDIDATES - 1;
    for (; at > 0 && squares[at - 1] > square; --at) {
      squares[at] = squares[at - 1];
      paths[at] = paths[at - 1];
    }
    squares[at] = square;
    paths[at] = path;
  }
  for (int i = 0; i < count; ++i) {
    const OnPath on = exactly(bases, paths[i], q);
    if (found == TAC_LOAD_PATHS + 1 && !(on.distance < nearest[found - 1].distance)) continue;
    int at = found <= TAC_LOAD_PATHS ? found++ : TAC_LOAD_PATHS;
    for (; at > 0 && nearest[at - 1].distance > on.distance; --at) nearest[at] = nearest[at - 1];
    nearest[at] = on;
  }
  return found;
}

/* ---- weights ---- */

typedef struct {
  int count;
  int columns[TAC_LOAD_SLOTS];
  double weights[TAC_LOAD_SLOTS], rest;
} Wanted;

static void want(Wanted *wanted, int column, double weight) {
  if (!(weight > 0.0)) return;
  if (column < 0) {
    wanted->rest += weight;
    return;
  }
  wanted->columns[wanted->count] = column;
  wanted->weights[wanted->count++] = weight;
}

static Wanted weigh(const tacLoadBases *bases, int found, const OnPath *nearest) {
  Wanted wanted = {.rest = 1.0};
  if (found == 0) return wanted;
  const double least = nearest[0].distance;
  const double third = found > USUAL ? nearest[USUAL].distance : INFINITY;
  const double beyond = found > TAC_LOAD_PATHS ? nearest[TAC_LOAD_PATHS].distance : INFINITY;
  const double most = fmin(fmax(third, (1.0 + TIE) * least), beyond);
  if (!(most > 0.0)) return wanted; /* many in one place, and q there */
  double weights[TAC_LOAD_PATHS] = {0.0}, sum;
  const double tied = fmax(0.0, least / most - 1.0 / (1.0 + FALLBACK));
  sum = wanted.rest = tied * tied;
  for (int k = 0; k < found && k < TAC_LOAD_PATHS && nearest[k].distance < most; ++k) {
    const double share = (nearest[k].distance > 0.0 ? least / nearest[k].distance : 1.0) - least / most;
    weights[k] = share * share;
    sum += weights[k];
  }
  if (!(sum > 0.0)) return (Wanted){.rest = 1.0};
  wanted.rest /= sum;
  for (int k = 0; k < TAC_LOAD_PATHS; ++k) {
    if (!(weights[k] > 0.0)) continue;
    const int upper = nearest[k].path * bases->level_count + nearest[k].upper;
    double t = nearest[k].t;
    if (nearest[k].upper == 0) t = fmax(0.0, (t - IDLE) / (1.0 - IDLE));
    want(&wanted, nearest[k].upper > 0 ? bases->columns[upper - 1] : -1, weights[k] / sum * (1.0 - t));
    want(&wanted, bases->columns[upper], weights[k] / sum * t);
  }
  if (wanted.count == 0) wanted.rest = 1.0; /* without roundings */
  return wanted;
}

static tacLoadSlot *slot_of(tacLoadBases *bases, int column) {
  for (int s = 0; s < TAC_LOAD_SLOTS; ++s)
    if (bases->slots[s].column == column) return &bases->slots[s];
  return NULL;
}

static bool all_finite(const double *q, int count) {
  for (int j = 0; j < count; ++j)
    if (!(fabs(q[j]) < 1e15)) return false;
  return true;
}

bool tac_load_bases_set(tacLoadBases *bases, const double *q) {
  OnPath nearest[TAC_LOAD_PATHS + 1];
  const bool finite = all_finite(q, tac_load_field_coordinates(bases->field));
  const Wanted wanted = weigh(bases, finite ? find_nearest(bases, q, nearest) : 0, nearest);
  bool comes = wanted.rest > 0.0 && !(bases->rest > 0.0);
  bases->rest = wanted.rest;
  for (int s = 0; s < TAC_LOAD_SLOTS; ++s) {
    bool stays = false;
    for (int w = 0; w < wanted.count; ++w) stays = stays || wanted.columns[w] == bases->slots[s].column;
    if (!stays) bases->slots[s].column = -1;
  }
  bases->count = 0;
  for (int w = 0; w < wanted.count; ++w) {
    const int column = wanted.columns[w];
    tacLoadSlot *slot = slot_of(bases, column);
    if (slot == NULL) {
      slot = slot_of(bases, -1);
      slot->column = column;
      slot->maps = maps_of(bases, column);
      tac_load_slice_set_column(slot->slice, column);
      comes = true;
    }
    slot->weight = wanted.weights[w];
    int at = bases->count++;
    for (; at > 0 && bases->active[at - 1]->column > column; --at) bases->active[at] = bases->active[at - 1];
    bases->active[at] = slot;
  }
  return comes;
}

/* ---- values ---- */

static inline tacVec3 place_in(const tacLoadMap *map, tacVec3 position, tacVec3 material) {
  return tac_vec3_add(map->at, tac_mat3_mul_vec(map->f, tac_vec3_sub(material, position)));
}

void tac_load_bases_add(const tacLoadBases *bases, const tacVec3 *positions, int count, const int *proxies,
                        const tacVec3 *material, double *values, double *reaches) {
  enum { BATCH = 64 };
  const tacFieldReach *reach = &tac_load_field_bounds(bases->field)->reach;
  for (int s = 0; s < bases->count; ++s) {
    const tacLoadSlot *slot = bases->active[s];
    const double *to_reaches = bases->to_reaches + s * bases->proxies;
    for (int begin = 0; begin < count; begin += BATCH) {
      const int size = count - begin < BATCH ? count - begin : BATCH;
      tacVec3 at[BATCH];
      double own[BATCH];
      for (int i = 0; i < size; ++i) {
        const int proxy = proxies[begin + i];
        at[i] = place_in(&slot->maps[proxy], positions[proxy], material[begin + i]);
      }
      tac_load_slice_values(slot->slice, size, at, own);
      for (int i = 0; i < size; ++i) {
        values[begin + i] += slot->weight * own[i];
        reaches[begin + i] =
            fmin(reaches[begin + i], tac_field_reach_at(reach, own[i]) * to_reaches[proxies[begin + i]]);
      }
    }
  }
}

double tac_load_bases_gradient(const tacLoadBases *bases, tacVec3 position, int proxy, tacVec3 material,
                               tacVec3 *gradient) {
  double sum = 0.0;
  for (int s = 0; s < bases->count; ++s) {
    const tacLoadSlot *slot = bases->active[s];
    const tacLoadMap *map = &slot->maps[proxy];
    tacVec3 own;
    sum += slot->weight * tac_load_slice_gradient(slot->slice, place_in(map, position, material), &own);
    *gradient = tac_vec3_mad(*gradient, slot->weight, tac_mat3_mul_vec(tac_mat3_transpose(map->f), own));
  }
  return sum;
}
