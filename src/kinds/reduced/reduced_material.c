#include "kinds/reduced/reduced_material.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"

enum { BLOCK = 1024 }; /* number of coefficients summed at a time, which fit into the level-1 cache */

struct tacReducedMaterial {
  const tacReducedParts *parts;
  int coordinates;             /* number of kept coordinates */
  double *scratch;             /* workspace of the polynomials and of the stress products */
  size_t count;                /* number of coefficients per table */
  size_t products;             /* number of stress products per table, stored after the coefficients; 0: not baked */
  double *factor;              /* factors on lambda, [2 group], and on mu, [2 group + 1] */
  double *restricted;          /* coefficients and products restricted to the kept coordinates; NULL if all are kept */
  const double **coefficients; /* coefficients of each part, [part] */
  const double **stress;       /* stress products of each part, [part]; NULL if not baked */
  double *table[2];
  tacArrays arrays; /* memory of all arrays except the tables */
  int current;
  bool is_summing;
  size_t done; /* number of values already summed in the table that is not in use */
};

static double *table_create(size_t count, tacError *error) {
  if (count > (SIZE_MAX - 63) / sizeof(double)) {
    tac_error_memory(error, SIZE_MAX, "reduced energy");
    return NULL;
  }
  size_t bytes = (count * sizeof(double) + 63) / 64 * 64;
  double *table = aligned_alloc(64, bytes);
  if (table == NULL) tac_error_memory(error, bytes, "reduced energy");
  return table;
}

tacStatus tac_reduced_material_create(const tacReducedParts *parts, int kept_count, const int *kept,
                                      tacReducedMaterial **material, tacError *error) {
  *material = NULL;
  TAC_OWN(tacReducedMaterial, m) = tac_array_create(1, sizeof *m, "materials", error);
  if (m == NULL) return TAC_ERR_MEMORY;
  size_t part_count = (size_t)parts->part_count, group_count = (size_t)parts->group_count;
  bool with_stress = part_count > 0 && parts->parts[0].stress != NULL, is_whole = kept_count == parts->size;
  size_t scratch[2] = {tac_reduced_polynomial_scratch(kept_count), tac_reduced_stress_scratch(kept_count)};
  m->parts = parts;
  m->coordinates = kept_count;
  m->count = tac_reduced_polynomial_count(kept_count);
  m->products = with_stress ? tac_reduced_stress_count(kept_count) : 0;
  m->scratch = tac_arrays_add(&m->arrays, scratch[0] > scratch[1] ? scratch[0] : scratch[1], sizeof *m->scratch);
  m->factor = tac_arrays_add(&m->arrays, 2 * group_count, sizeof *m->factor);
  m->coefficients = tac_arrays_add(&m->arrays, part_count, sizeof *m->coefficients);
  m->stress = tac_arrays_add(&m->arrays, part_count, sizeof *m->stress);
  if (!is_whole) m->restricted = tac_arrays_add(&m->arrays, m->count + m->products, part_count * sizeof *m->restricted);
  TAC_TRY(tac_arrays_status(&m->arrays, "reduced energy", error));
  for (int i = 0; i < 2; ++i)
    if ((m->table[i] = table_create(m->count + m->products, error)) == NULL) return TAC_ERR_MEMORY;
  for (size_t p = 0; p < part_count; ++p) {
    const tacReducedPart *part = &parts->parts[p];
    double *own = is_whole ? NULL : m->restricted + p * (m->count + m->products);
    m->coefficients[p] = is_whole ? part->coefficients : own;
    m->stress[p] = is_whole || !with_stress ? part->stress : own + m->count;
    if (!is_whole) tac_reduced_polynomial_restrict(parts->size, part->coefficients, kept_count, kept, own);
    if (!is_whole && with_stress)
      tac_reduced_stress_restrict(parts->size, part->stress, kept_count, kept, own + m->count);
  }
  for (size_t i = 0; i < 2 * group_count; ++i) m->factor[i] = 1.0;
  m->is_summing = true;
  tac_reduced_material_settle(m);
  *material = tac_give(&m);
  return TAC_OK;
}

void tac_reduced_material_destroy(tacReducedMaterial *material) {
  if (material == NULL) return;
  tac_arrays_free(&material->arrays);
  free(material->table[0]);
  free(material->table[1]);
  free(material);
}

/* Returns the coefficients in use, in the order of reduced_polynomial.h, 64-byte aligned. The address changes when a
 * new table is complete. */
static const double *coefficients_of(const tacReducedMaterial *material) {
  return material->table[material->current];
}

/* ---- force ---- */

static void evaluate(void *self, bool linear, const double *q, double *force, double *stiffness) {
  const tacReducedMaterial *m = self;
  int n = m->coordinates;
  if (!linear) {
    tac_reduced_polynomial_evaluate(n, coefficients_of(m), q, m->scratch, force, stiffness);
    return;
  }
  tacDense k = {n, n, n, stiffness != NULL ? stiffness : m->scratch};
  tac_reduced_polynomial_rest(n, coefficients_of(m), k.a);
  tac_dense_loop_gemv(&k, q, force);
}

static double energy(void *self, bool linear, const double *q) {
  const tacReducedMaterial *m = self;
  int n = m->coordinates;
  if (!linear) return tac_reduced_polynomial_energy(n, coefficients_of(m), q, m->scratch);
  tacDense k = {n, n, n, m->scratch};
  tac_reduced_polynomial_rest(n, coefficients_of(m), k.a);
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += q[i] * tac_vector_dot(n, tac_dense_column(&k, i), q);
  return 0.5 * sum;
}

static void stress(void *self, const double *q, double *stiffness) {
  const tacReducedMaterial *m = self;
  const double *products = coefficients_of(m) + m->count;
  tac_reduced_stress_evaluate(m->coordinates, products, q, m->scratch, stiffness);
}

tacCoordinateForce tac_reduced_material_force(tacReducedMaterial *material) {
  return (tacCoordinateForce){.self = material,
                              .evaluate = evaluate,
                              .energy = energy,
                              .stress = material->products > 0 ? stress : NULL,
                              .quartic = true};
}

/* ---- factors ---- */

static void set_factor(tacReducedMaterial *m, int place, double factor) {
  if (!(factor > 0.0) || !isfinite(factor) || factor == m->factor[place]) return;
  m->factor[place] = factor;
  m->is_summing = true;
  m->done = 0;
}

void tac_reduced_material_set_lambda(tacReducedMaterial *material, int group, double factor) {
  set_factor(material, 2 * group, factor);
}

void tac_reduced_material_set_mu(tacReducedMaterial *material, int group, double factor) {
  set_factor(material, 2 * group + 1, factor);
}

/* Sums the values [begin, end) of the table that is not in use. Each value is the sum over the parts in their order, so
 * it does not depend on the slices. */
static void sum(tacReducedMaterial *m, size_t begin, size_t end) {
  double *restrict to = m->table[1 - m->current];
  for (size_t b = begin, e; b < end; b = e) {
    e = end - b < BLOCK ? end : b + BLOCK;
    if (b < m->count && e > m->count) e = m->count;
    for (size_t i = b; i < e; ++i) to[i] = 0.0;
    for (int p = 0; p < m->parts->part_count; ++p) {
      const tacReducedPart *part = &m->parts->parts[p];
      const double *restrict from = b < m->count ? m->coefficients[p] + b : m->stress[p] + (b - m->count);
      double weight = part->weight * m->factor[2 * part->group + (part->kind == TAC_REDUCED_LAMBDA ? 0 : 1)];
      for (size_t i = b; i < e; ++i) to[i] += weight * from[i - b];
    }
  }
}

/* Sums at most `most` further values. Returns true if the new table is complete and now in use. */
static bool sum_more(tacReducedMaterial *m, size_t most) {
  if (!m->is_summing) return false;
  size_t count = m->count + m->products, end = count - m->done < most ? count : m->done + most;
  sum(m, m->done, end);
  m->done = end;
  if (end < count) return false;
  m->current = 1 - m->current;
  m->is_summing = false;
  m->done = 0;
  return true;
}

bool tac_reduced_material_advance(tacReducedMaterial *material) {
  int parts = material->parts->part_count;
  return sum_more(material, parts > 0 && parts < TAC_REDUCED_MATERIAL_SLICE
                                ? (size_t)(TAC_REDUCED_MATERIAL_SLICE / parts)
                                : TAC_REDUCED_MATERIAL_SLICE);
}

bool tac_reduced_material_settle(tacReducedMaterial *material) {
  return sum_more(material, material->count + material->products);
}
