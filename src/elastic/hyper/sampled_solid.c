#include "elastic/hyper/sampled_solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/lanes.h"
#include "base/memory/array.h"
#include "elastic/elements/tet4.h"
#include "elastic/laws/hyper_batch.h"
#include "elastic/laws/hyper_lane.h"
#include "math/dense/float_gram.h"

/* The stiffness is summed by blocks of so many elements. */
enum { LANES = TAC_HYPER_LANES, BLOCK = 4, ROWS = 9 * BLOCK, WIDTH = TAC_GRAM_WIDTH };
/* Multiply-adds of a slice, and how many the tangent of an element takes the time of. */
enum { SLICE = 1000000, TANGENT = 20000 };

struct tacSampledSolid {
  int size, panels, stride; /* n, and rounded up to whole panels */
  int element_count, block_count, slice_blocks;
  tacHyperMaterial material;
  tacHyperShape unit;
  double *volumes;   /* doubles that follow are in its memory, aligned */
  float *floats;     /* likewise */
  double *gradients; /* [element][panel][9][WIDTH]: rows 3 a + i are F's column a, row i */
  float *columns;    /* the same for products, [block][panel][ROWS][WIDTH] */
  double *q, *force; /* [stride]: workspace */
  float *rows;       /* likewise, [panel][ROWS][WIDTH]: L^T G */
  double *whole;     /* [stride][stride]: sums */
  double *sliced;
  double *slice_q; /* [stride] */
  int slices;      /* in `sliced` */
};

double tac_sampled_gradient(const tacVolMesh *mesh, int tet, int size, const double *basis, double *gradient) {
  const int *v = mesh->tets[tet].v;
  tacVec3 corners[4];
  tacTet4 shape;
  for (int c = 0; c < 4; ++c) corners[c] = mesh->vertices[v[c]];
  if (!tac_tet4_init(corners, &shape)) return 0.0;
  size_t n = (size_t)size;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j, gradient += n)
      for (size_t k = 0; k < n; ++k) {
        double sum = 0.0;
        for (int c = 0; c < 4; ++c) {
          const double along[3] = {shape.gradient[c].x, shape.gradient[c].y, shape.gradient[c].z};
          sum += basis[(3 * (size_t)v[c] + (size_t)i) * n + k] * along[j];
        }
        gradient[k] = sum;
      }
  return shape.volume;
}

/* ---- creation ---- */

/* Sizes, numbers and the material make sense: no viscosity, no fibres. */
static tacStatus check_parts(const tacSampledParts *parts, tacError *error) {
  if (parts->size < 1 || parts->element_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "there are %d sampled elements with %d coordinates; at least one of each is needed",
                         parts->element_count, parts->size);
  TAC_TRY(tac_hyper_material_check(&parts->material, error));
  if (parts->material.prony_count > 0 || parts->material.law->fibres)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "sampled elements do not support viscosity or fibres; omit both");
  size_t row = 9 * (size_t)parts->size;
  for (int e = 0; e < parts->element_count; ++e) {
    if (!(parts->volumes[e] >= 0.0) || !isfinite(parts->volumes[e]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "sampled element %d has a volume of %g m^3; it must be positive", e,
                           parts->volumes[e]);
    for (size_t i = 0; i < row; ++i)
      if (!isfinite(parts->gradients[(size_t)e * row + i]))
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "the gradients of sampled element %d have NaN or infinite "
                             "values",
                             e);
  }
  return TAC_OK;
}

static void fill(const tacSampledParts *parts, tacSampledSolid *s) {
  memcpy(s->volumes, parts->volumes, (size_t)s->element_count * sizeof *s->volumes);
  size_t n = (size_t)parts->size, stride = (size_t)s->stride;
  for (int e = 0; e < s->element_count; ++e)
    for (int c = 0; c < 9; ++c) {
      const double *from = parts->gradients + (9 * (size_t)e + (size_t)(3 * (c % 3) + c / 3)) * n;
      double *to = s->gradients + 9 * (size_t)e * stride + (size_t)c * WIDTH;
      float *column = s->columns + (size_t)(e / BLOCK) * ROWS * stride + (size_t)(9 * (e % BLOCK) + c) * WIDTH;
      for (size_t j = 0; j < (size_t)s->size; ++j) {
        to[j / WIDTH * 9 * WIDTH + j % WIDTH] = from[j];
        column[j / WIDTH * ROWS * WIDTH + j % WIDTH] = (float)from[j];
      }
    }
}

tacStatus tac_sampled_solid_create(const tacSampledParts *parts, int kept, tacSampledSolid **solid, tacError *error) {
  *solid = NULL;
  TAC_TRY(check_parts(parts, error));
  if (kept < 1 || kept > parts->size)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of kept coordinates is %d; it must be 1 to %d", kept,
                         parts->size);
  tacSampledSolid *s = tac_array_create(1, sizeof *s, "sampled elements", error);
  if (s == NULL) return TAC_ERR_MEMORY;
  s->size = kept;
  s->panels = tac_float_gram_panels(kept);
  s->stride = WIDTH * s->panels;
  s->element_count = parts->element_count;
  s->block_count = (s->element_count - 1) / BLOCK + 1;
  double cost = (double)BLOCK * (4.5 * s->stride * (s->stride + WIDTH) + 45.0 * s->stride + TANGENT);
  s->slice_blocks = (int)fmax(1.0, SLICE / cost);
  s->material = parts->material;
  tac_hyper_shape_unit(&s->unit);
  size_t elements = (size_t)s->element_count, stride = (size_t)s->stride, block = ROWS * stride;
  size_t count = elements + 9 * elements * stride + 3 * stride + 2 * stride * stride + TAC_LANES_BYTES;
  s->volumes = tac_array_create(count, sizeof *s->volumes, "sampled elements", error);
  s->floats = tac_array_create((size_t)s->block_count + 2, block * sizeof *s->floats, "sampled elements", error);
  if (s->volumes == NULL || s->floats == NULL) {
    tac_sampled_solid_destroy(s);
    return TAC_ERR_MEMORY;
  }
  s->gradients = tac_lanes_align(s->volumes + elements);
  s->q = s->gradients + 9 * elements * stride;
  s->force = s->q + stride;
  s->slice_q = s->force + stride;
  s->whole = s->slice_q + stride;
  s->sliced = s->whole + stride * stride;
  s->columns = tac_lanes_align(s->floats);
  s->rows = s->columns + (size_t)s->block_count * block;
  fill(parts, s);
  *solid = s;
  return TAC_OK;
}

void tac_sampled_solid_destroy(tacSampledSolid *solid) {
  if (solid == NULL) return;
  free(solid->volumes);
  free(solid->floats);
  free(solid);
}

/* ---- nine rows ---- */

/* Each sum is a variable with a name: gcc keeps arrays of this size in memory. */
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8)
#define START(R) Lanes sum_##R = {0.0};
#define DOT(R) sum_##R += *(const Lanes *)(g + (R)*WIDTH) * x;
#define TAKE(R) *(Lanes *)part = sum_##R, f[R] = total(sizeof(Lanes) / sizeof(double), part);
#define HOLD(R) const double p_##R = p[R];
#define ADD(R) sum += *(const Lanes *)(g + (R)*WIDTH) * p_##R;

/* In halves: [0] + [1] of two, ([0] + [2]) + ([1] + [3]) of four. */
TAC_LANES_BODY double total(size_t count, double *part) {
  for (size_t half = count / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) part[i] += part[half + i];
  return part[0];
}

/* f = G q and r += G^T p, DOUBLES of a panel's columns at a time. */
/* clang-format off */
#define DEFINE_NINE(DOUBLES)                                                                                           \
  TAC_LANES_BODY void dots_by_##DOUBLES(int panels, const double *g, const double *q, double *f) {                     \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    EACH(START)                                                                                                        \
    for (int panel = 0; panel < panels; ++panel, g += 8 * WIDTH)                                                       \
      for (int j = 0; j < WIDTH; j += (DOUBLES), g += (DOUBLES), q += (DOUBLES)) {                                     \
        const Lanes x = *(const Lanes *)q;                                                                             \
        EACH(DOT)                                                                                                      \
      }                                                                                                                \
    double part[DOUBLES];                                                                                              \
    EACH(TAKE)                                                                                                         \
  }                                                                                                                    \
  TAC_LANES_BODY void add_by_##DOUBLES(int panels, const double *g, const double *p, double *r) {                      \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    EACH(HOLD)                                                                                                         \
    for (int panel = 0; panel < panels; ++panel, g += 8 * WIDTH)                                                       \
      for (int j = 0; j < WIDTH; j += (DOUBLES), g += (DOUBLES), r += (DOUBLES)) {                                     \
        Lanes sum = *(const Lanes *)r;                                                                                 \
        EACH(ADD)                                                                                                      \
        *(Lanes *)r = sum;                                                                                             \
      }                                                                                                                \
  }
/* clang-format on */
DEFINE_NINE(2)
DEFINE_NINE(4)
DEFINE_NINE(8)

/* Of `count` elements, one after the other in g and f. */
TAC_LANES_BODY void dots_lanes(const int doubles, int count, int panels, const double *g, const double *q, double *f) {
  for (int e = 0; e < count; ++e, g += 9 * WIDTH * panels, f += 9)
    if (doubles == 8)
      dots_by_8(panels, g, q, f);
    else if (doubles == 4)
      dots_by_4(panels, g, q, f);
    else
      dots_by_2(panels, g, q, f);
}
TAC_LANES_KERNEL(static, dots, (int count, int panels, const double *g, const double *q, double *f), count, panels, g,
                 q, f)

TAC_LANES_BODY void add_lanes(const int doubles, int count, int panels, const double *g, const double *p, double *r) {
  for (int e = 0; e < count; ++e, g += 9 * WIDTH * panels, p += 9)
    if (doubles == 8)
      add_by_8(panels, g, p, r);
    else if (doubles == 4)
      add_by_4(panels, g, p, r);
    else
      add_by_2(panels, g, p, r);
}
TAC_LANES_KERNEL(static, add, (int count, int panels, const double *g, const double *p, double *r), count, panels, g, p,
                 r)

/* ---- elements ---- */

static const double *gradient_of(const tacSampledSolid *s, int element) {
  return s->gradients + 9 * (size_t)element * (size_t)s->stride;
}

static void take_q(const tacSampledSolid *s, const double *q) {
  memcpy(s->q, q, (size_t)s->size * sizeof *q);
}

/* F of elements from `from` at s->q; lanes beyond `count` are at rest. */
static void deform(const tacSampledSolid *s, int from, int count, tacHyperState *state) {
  double f[9 * LANES] = {0.0};
  dots(count, s->panels, gradient_of(s, from), s->q, f);
  memset(state->edge, 0, sizeof state->edge);
  for (int l = 0; l < LANES; ++l)
    for (int c = 0; c < 9; ++c) state->edge[c / 3][c % 3][l] = f[9 * l + c] + (c % 4 == 0 ? 1.0 : 0.0);
  tac_hyper_batch_deform(&s->unit, state);
}

/* P and d2Psi/dF dF; of a law by invariants also its derivatives. */
static void evaluate(const tacSampledSolid *s, const tacHyperState *state, bool with_tangent,
                     tacInvariantEnergy *energy, tacHyperBlocks *blocks) {
  const tacHyperMaterial *material = &s->material;
  const tacHyperLaw *law = material->law;
  tacVolumeEnergy volumetric;
  tac_hyper_law_volume(material->law, material->parameters, state->j, &volumetric);
  if (law->invariants != NULL) {
    law->invariants(material->parameters, state->i1, state->i2, state->j, energy);
    for (int l = 0; l < LANES; ++l) {
      energy->wj[l] += volumetric.uj[l];
      energy->wjj[l] += volumetric.ujj[l];
    }
    tac_hyper_batch_isotropic(&s->unit, state, energy, with_tangent, blocks);
    return;
  }
  tac_hyper_lane_evaluate(law, material->parameters, state, volumetric.uj, volumetric.ujj, with_tangent, blocks);
}

static int group_of(const tacSampledSolid *s, int from, int most) {
  return s->element_count - from < most ? s->element_count - from : most;
}

double tac_sampled_solid_energy(tacSampledSolid *solid, const double *q) {
  const tacHyperMaterial *material = &solid->material;
  const tacHyperLaw *law = material->law;
  double sum = 0.0;
  take_q(solid, q);
  for (int e = 0; e < solid->element_count; e += LANES) {
    int count = group_of(solid, e, LANES);
    tacHyperState state;
    tacInvariantEnergy energy;
    tacVolumeEnergy volumetric;
    deform(solid, e, count, &state);
    tac_hyper_law_volume(material->law, material->parameters, state.j, &volumetric);
    if (law->invariants != NULL)
      law->invariants(material->parameters, state.i1, state.i2, state.j, &energy);
    else
      tac_hyper_lane_energy(law, material->parameters, &state, energy.w);
    for (int l = 0; l < count; ++l) sum += solid->volumes[e + l] * (energy.w[l] + volumetric.u[l]);
  }
  return sum;
}

void tac_sampled_solid_force(tacSampledSolid *solid, const double *q, double *force) {
  take_q(solid, q);
  memset(solid->force, 0, (size_t)solid->stride * sizeof *solid->force);
  for (int e = 0; e < solid->element_count; e += LANES) {
    int count = group_of(solid, e, LANES);
    tacHyperState state;
    tacHyperBlocks blocks;
    tacInvariantEnergy energy;
    deform(solid, e, count, &state);
    evaluate(solid, &state, false, &energy, &blocks);
    double p[9 * LANES];
    for (int l = 0; l < count; ++l)
      for (int c = 0; c < 9; ++c) p[9 * l + c] = solid->volumes[e + l] * blocks.force[c / 3 + 1][c % 3][l];
    add(count, solid->panels, gradient_of(solid, e), p, solid->force);
  }
  memcpy(force, solid->force, (size_t)solid->size * sizeof *force);
}

/* ---- stiffness ---- */

/* L of d2Psi/dF dF = L L^T. Where a pivot is zero but for rounding (rotations at rest) its column is zero: what that leaves out is at
 * most the root of that share, 1e-7 of the trace. Returns whether it is positive semidefinite. */
static bool factor(const tacHyperBlocks *blocks, int lane, double h[9][9]) {
  tac_hyper_lane_take(blocks, lane, h);
  double trace = 0.0;
  bool definite = true;
  for (int i = 0; i < 9; ++i) trace += fabs(h[i][i]);
  for (int j = 0; j < 9; ++j) {
    double pivot = h[j][j], most = 0.0;
    for (int k = 0; k < j; ++k) pivot -= h[j][k] * h[j][k];
    bool empty = !(pivot > 1e-14 * trace);
    double diagonal = empty ? 0.0 : sqrt(pivot), inverse = empty ? 0.0 : 1.0 / diagonal;
    h[j][j] = diagonal;
    for (int i = j + 1; i < 9; ++i) {
      double sum = h[i][j];
      for (int k = 0; k < j; ++k) sum -= h[i][k] * h[j][k];
      most = fmax(most, fabs(sum));
      h[i][j] = sum * inverse;
    }
    if (empty && (pivot < -1e-12 * trace || most > 1e-6 * trace)) definite = false;
  }
  return definite;
}

/* The same of what it is projected to, with the root of the volume. */
static void find_root(const tacSampledSolid *s, const tacHyperState *state, const tacInvariantEnergy *energy, int lane,
                      double volume, tacHyperBlocks *blocks, float root[9][9]) {
  double h[9][9], scale = sqrt(volume);
  if (!factor(blocks, lane, h)) {
    if (s->material.law->invariants != NULL)
      tac_hyper_lane_lift(&s->unit, state, energy, 1.0, NULL, lane, blocks);
    else
      tac_hyper_lane_project(blocks, lane);
    factor(blocks, lane, h);
  }
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) root[i][j] = j <= i ? (float)(scale * h[i][j]) : 0.0f;
}

/* Of one element: rows = L^T G, FLOATS of a panel's columns at a time. */
/* clang-format off */
#define DEFINE_MULTIPLY(FLOATS)                                                                                        \
  TAC_LANES_BODY void multiply_by_##FLOATS(int panels, const float *l, const float *g, float *rows) {                  \
    typedef float Lanes __attribute__((vector_size((FLOATS) * sizeof(float)), aligned(sizeof(float)), may_alias));     \
    for (int panel = 0; panel < panels; ++panel, g += (ROWS - 1) * WIDTH, rows += (ROWS - 1) * WIDTH)                  \
      for (int j = 0; j < WIDTH; j += (FLOATS), g += (FLOATS), rows += (FLOATS))                                       \
        for (int r = 0; r < 9; ++r) {                                                                                  \
          Lanes sum = *(const Lanes *)(g + r * WIDTH) * l[10 * r];                                                     \
          for (int c = r + 1; c < 9; ++c) sum += *(const Lanes *)(g + c * WIDTH) * l[9 * c + r];                       \
          *(Lanes *)(rows + r * WIDTH) = sum;                                                                          \
        }                                                                                                              \
  }
/* clang-format on */
DEFINE_MULTIPLY(4)
DEFINE_MULTIPLY(8)

TAC_LANES_BODY void multiply_lanes(const int doubles, int panels, const float *l, const float *g, float *rows) {
  if (doubles >= 4)
    multiply_by_8(panels, l, g, rows);
  else
    multiply_by_4(panels, l, g, rows);
}
TAC_LANES_KERNEL(static, multiply, (int panels, const float *l, const float *g, float *rows), panels, l, g, rows)

/* Adds a block of elements at s->q. */
static void add_block(const tacSampledSolid *s, int block, double *sum) {
  int from = BLOCK * block, count = group_of(s, from, BLOCK);
  tacHyperState state;
  tacHyperBlocks blocks;
  tacInvariantEnergy energy;
  deform(s, from, count, &state);
  evaluate(s, &state, true, &energy, &blocks);
  const float *columns = s->columns + (size_t)block * ROWS * (size_t)s->stride;
  memset(s->rows, 0, ROWS * (size_t)s->stride * sizeof *s->rows);
  for (int l = 0; l < count; ++l) {
    float root[9][9];
    find_root(s, &state, &energy, l, s->volumes[from + l], &blocks, root);
    multiply(s->panels, &root[0][0], columns + 9 * l * WIDTH, s->rows + 9 * l * WIDTH);
  }
  tac_float_gram_add(s->panels, ROWS, s->rows, sum);
}

void tac_sampled_solid_stiffness(tacSampledSolid *solid, const double *q, double *stiffness) {
  take_q(solid, q);
  memset(solid->whole, 0, (size_t)solid->stride * (size_t)solid->stride * sizeof *solid->whole);
  for (int block = 0; block < solid->block_count; ++block) add_block(solid, block, solid->whole);
  tac_float_gram_copy(solid->size, solid->whole, stiffness);
}

/* ---- slices ---- */

int tac_sampled_solid_slices(const tacSampledSolid *solid) {
  return (solid->block_count - 1) / solid->slice_blocks + 1;
}

static void begin_slices(tacSampledSolid *s, const double *q) {
  s->slices = 0;
  memcpy(s->slice_q, q, (size_t)s->size * sizeof *q);
  memset(s->sliced, 0, (size_t)s->stride * (size_t)s->stride * sizeof *s->sliced);
}

static void add_slice(tacSampledSolid *s) {
  int from = s->slices * s->slice_blocks, end = from + s->slice_blocks;
  take_q(s, s->slice_q);
  for (int block = from; block < end && block < s->block_count; ++block) add_block(s, block, s->sliced);
  ++s->slices;
}

bool tac_sampled_solid_stiffness_slice(tacSampledSolid *solid, const double *q, double *stiffness) {
  if (solid->slices == 0) begin_slices(solid, q);
  add_slice(solid);
  if (solid->slices < tac_sampled_solid_slices(solid)) return false;
  tac_float_gram_copy(solid->size, solid->sliced, stiffness);
  solid->slices = 0;
  return true;
}

int tac_sampled_solid_slice_at(const tacSampledSolid *solid, double *q) {
  if (solid->slices > 0) memcpy(q, solid->slice_q, (size_t)solid->size * sizeof *q);
  return solid->slices;
}

void tac_sampled_solid_slice_set(tacSampledSolid *solid, int slices, const double *q) {
  solid->slices = 0;
  if (slices > 0) begin_slices(solid, q);
  while (solid->slices < slices && solid->slices < tac_sampled_solid_slices(solid) - 1) add_slice(solid);
}
