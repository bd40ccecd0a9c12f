#include "elastic/hyper/force_series.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/elements/tet4.h"
#include "elastic/laws/hyper_laws.h"
#include "math/dense/vector.h"

enum { LANES = 2 };
typedef tacVectorPair Pair; /* of two elements */

/* Two elements; the second may be the first again, without weight. */
typedef struct Twins {
  int vertex[4][LANES];
  Pair gradient[3][3]; /* D_a of corners 1 to 3, 1/m: [corner][axis] */
  Pair weight;         /* volume, m^3 */
} Twins;

/* Coefficients of one order, one after the other: F by rows, then of St. Venant-Kirchhoff S (xx, yy, zz, yz, zx,
 * xy), of neo-Hooke cof F by rows, I1, J, f, ln J and h. */
enum { F = 0, S = 9, KIRCHHOFF_SIZE = 15, COF = 9, I1 = 18, J, POWER, LOG, H, NEO_SIZE };

typedef struct Law {
  const char *name;
  int size; /* numbers an order */
  /* Of order 0, from F. Returns J. */
  Pair (*begin)(const double *p, Pair *terms);
  /* Makes F of the order p - 1 take part in what else is of that order, and finds all of the order p that does not
   * need F_p; P_p by rows. */
  void (*next)(const double *p, Pair *terms, int order, Pair *stress);
} Law;

struct tacForceSeries {
  const Law *law;
  double parameters[TAC_HYPER_MOST_PARAMETERS];
  int vertex_count, twins_count, order;
  tacArrays arrays;
  Twins *twins;
  Pair *terms; /* [twins][order + 1][law size] */
};

static const int row_of[6] = {0, 1, 2, 1, 2, 0}, column_of[6] = {0, 1, 2, 2, 0, 1};
static const int next_of[3] = {1, 2, 0}, last_of[3] = {2, 0, 1};

static inline Pair both(double value) {
  return (Pair){value, value};
}

/* ---- power series ----
 *
 * a(t) = sum a_p t^p, one coefficient after the other: what the coefficient p of a product, power, logarithm or quotient is, given
 * those below it; `stride` is the distance between coefficients. From c = a^n follows a c' = n a' c, from l = ln a: a l' = a';
 * comparing coefficients of t^(p-1) gives the recurrences (Euler; Knuth, The Art of Computer Programming 2, 4.7). a_0 > 0 there. */

/* Of a b, without what a_p and b_p give: sum_{k=1}^{p-1} a_k b_{p-k}. */
static inline Pair series_inner(const Pair *a, const Pair *b, int stride, int p) {
  Pair sum = {0.0, 0.0};
  for (int k = 1; k < p; ++k) sum += a[k * stride] * b[(p - k) * stride];
  return sum;
}

/* Of c = a^n: p a_0 c_p = sum_{k=1}^p (n k - (p - k)) a_k c_{p-k}, p > 0. */
static inline Pair series_power(const Pair *a, double n, const Pair *c, int stride, int p) {
  Pair sum = {0.0, 0.0};
  for (int k = 1; k <= p; ++k) sum += (n * k - (p - k)) * (a[k * stride] * c[(p - k) * stride]);
  return sum / (p * a[0]);
}

/* Of l = ln a: a_0 l_p = a_p - sum_{k=1}^{p-1} (k / p) l_k a_{p-k}, p > 0. */
static inline Pair series_logarithm(const Pair *a, const Pair *l, int stride, int p) {
  Pair sum = {0.0, 0.0};
  for (int k = 1; k < p; ++k) sum += (double)k * (l[k * stride] * a[(p - k) * stride]);
  return (a[p * stride] - sum / (double)p) / a[0];
}

/* Of c = b / a, from b_p: a_0 c_p = b_p - sum_{k=1}^p a_k c_{p-k}. */
static inline Pair series_quotient(Pair b_p, const Pair *a, const Pair *c, int stride, int p) {
  for (int k = 1; k <= p; ++k) b_p -= a[k * stride] * c[(p - k) * stride];
  return b_p / a[0];
}

/* ---- St. Venant-Kirchhoff: p = {mu, lambda} ---- */

/* a^T b, six components of what is symmetric after all; added to c. */
static inline void add_transposed(const Pair *a, const Pair *b, Pair c[6]) {
  for (int k = 0; k < 6; ++k)
    for (int m = 0; m < 3; ++m) c[k] += a[3 * m + row_of[k]] * b[3 * m + column_of[k]];
}

static inline void add_kirchhoff(const double *p, const Pair c[6], Pair s[6]) {
  Pair trace = both(0.5 * p[1]) * (c[0] + c[1] + c[2]);
  for (int k = 0; k < 6; ++k) s[k] += both(p[0]) * c[k];
  for (int k = 0; k < 3; ++k) s[k] += trace;
}

/* F S, added to P. */
static inline void add_stress(const Pair *f, const Pair *s, Pair *stress) {
  for (int i = 0; i < 3; ++i) {
    Pair x = f[3 * i], y = f[3 * i + 1], z = f[3 * i + 2];
    stress[3 * i] += x * s[0] + y * s[5] + z * s[4];
    stress[3 * i + 1] += x * s[5] + y * s[1] + z * s[3];
    stress[3 * i + 2] += x * s[4] + y * s[3] + z * s[2];
  }
}

static Pair cofactor(const Pair *a, const Pair *b, int i, int j) {
  int i1 = 3 * next_of[i], i2 = 3 * last_of[i], j1 = next_of[j], j2 = last_of[j];
  return a[i1 + j1] * b[i2 + j2] - a[i1 + j2] * b[i2 + j1];
}

static Pair determinant(const Pair *f) {
  return f[0] * cofactor(f, f, 0, 0) + f[1] * cofactor(f, f, 0, 1) + f[2] * cofactor(f, f, 0, 2);
}

static Pair kirchhoff_begin(const double *p, Pair *terms) {
  Pair c[6] = {both(-1.0), both(-1.0), both(-1.0)};
  memset(terms + S, 0, 6 * sizeof *terms);
  add_transposed(terms, terms, c);
  add_kirchhoff(p, c, terms + S);
  return determinant(terms);
}

static void kirchhoff_next(const double *p, Pair *terms, int order, Pair *stress) {
  enum { SIZE = KIRCHHOFF_SIZE };
  Pair *last = terms + (order - 1) * SIZE, *now = terms + order * SIZE, c[6] = {0};
  add_transposed(terms, last, c); /* F_0^T F_{p-1} and its transpose */
  add_transposed(last, terms, c);
  add_kirchhoff(p, c, last + S);
  memset(c, 0, sizeof c);
  memset(now + S, 0, 6 * sizeof *now);
  memset(stress, 0, 9 * sizeof *stress);
  for (int k = 1; k < order; ++k) add_transposed(terms + k * SIZE, terms + (order - k) * SIZE, c);
  add_kirchhoff(p, c, now + S);
  for (int k = 0; k < order; ++k) add_stress(terms + k * SIZE, terms + (order - k) * SIZE + S, stress);
}

/* ---- neo-Hooke: p = {mu, k0} ---- */

static Pair neo_begin(const double *p, Pair *terms) {
  Pair squares = both(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) terms[COF + 3 * i + j] = cofactor(terms, terms, i, j);
  for (int m = 0; m < 9; ++m) squares += terms[m] * terms[m];
  Pair j = determinant(terms);
  terms[I1] = squares;
  terms[J] = j;
  terms[POWER] = (Pair){pow(j[0], -2.0 / 3.0), pow(j[1], -2.0 / 3.0)};
  terms[LOG] = (Pair){log(j[0]), log(j[1])};
  terms[H] = (both(p[1]) * terms[LOG] - both(p[0] / 3.0) * terms[POWER] * squares) / j;
  return j;
}

/* F_p, which was taken as zero, takes part in the order p. */
static void neo_complete(const double *p, const Pair *terms, Pair *now) {
  Pair by_j = both(0.0), by_i1 = both(0.0), j = terms[J];
  for (int m = 0; m < 9; ++m) {
    by_j += terms[COF + m] * now[m];
    by_i1 += terms[m] * now[m];
  }
  by_i1 += by_i1;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) now[COF + 3 * i + k] += cofactor(terms, now, i, k) + cofactor(now, terms, i, k);
  Pair by_log = by_j / j, by_power = both(-2.0 / 3.0) * terms[POWER] * by_log;
  Pair by_q = both(p[1]) * by_log - both(p[0] / 3.0) * (by_power * terms[I1] + terms[POWER] * by_i1);
  now[I1] += by_i1;
  now[J] += by_j;
  now[POWER] += by_power;
  now[LOG] += by_log;
  now[H] += (by_q - terms[H] * by_j) / j;
}

static void neo_next(const double *p, Pair *terms, int order, Pair *stress) {
  enum { SIZE = NEO_SIZE };
  neo_complete(p, terms, terms + (order - 1) * SIZE);
  Pair *now = terms + order * SIZE, cof[9] = {0}, squares = both(0.0), j = both(0.0);
  for (int k = 1; k < order; ++k) {
    const Pair *a = terms + k * SIZE, *b = terms + (order - k) * SIZE;
    for (int m = 0; m < 9; ++m) {
      cof[m] += cofactor(a, b, m / 3, m % 3);
      squares += a[m] * b[m];
    }
    for (int m = 0; m < 3; ++m) j += a[m] * b[COF + m];
  }
  for (int m = 0; m < 3; ++m) j += terms[m] * cof[m];
  memset(now, 0, 9 * sizeof *now);
  memcpy(now + COF, cof, sizeof cof);
  now[I1] = squares;
  now[J] = j;
  now[POWER] = series_power(terms + J, -2.0 / 3.0, terms + POWER, SIZE, order);
  now[LOG] = series_logarithm(terms + J, terms + LOG, SIZE, order);
  Pair product = series_inner(terms + POWER, terms + I1, SIZE, order) + now[POWER] * terms[I1] + terms[POWER] * squares;
  now[H] = series_quotient(both(p[1]) * now[LOG] - both(p[0] / 3.0) * product, terms + J, terms + H, SIZE, order);
  memset(stress, 0, 9 * sizeof *stress);
  for (int k = 0; k <= order; ++k) {
    const Pair *a = terms + k * SIZE, *b = terms + (order - k) * SIZE;
    Pair power = both(p[0]) * b[POWER], h = b[H];
    for (int m = 0; m < 9; ++m) stress[m] += power * a[m] + h * a[COF + m];
  }
}

static const Law laws[] = {{"st-venant-kirchhoff", KIRCHHOFF_SIZE, kirchhoff_begin, kirchhoff_next},
                           {"neo-hookean", NEO_SIZE, neo_begin, neo_next}};

/* ---- all elements ---- */

/* F = sum (x_a - x_0) D_a^T */
static void find_gradient(const Twins *twins, const double *x, Pair *f) {
  Pair edge[3][3];
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < LANES; ++l)
        edge[a][i][l] = x[3 * (size_t)twins->vertex[a + 1][l] + i] - x[3 * (size_t)twins->vertex[0][l] + i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      f[3 * i + j] =
          edge[0][i] * twins->gradient[0][j] + edge[1][i] * twins->gradient[1][j] + edge[2][i] * twins->gradient[2][j];
}

/* V P D_a of corners 1 to 3, minus their sum of corner 0. */
static void add_forces(const Twins *twins, const Pair *stress, double *n) {
  for (int i = 0; i < 3; ++i) {
    Pair sum = both(0.0);
    for (int a = 0; a < 3; ++a) {
      const Pair *d = twins->gradient[a];
      Pair force = twins->weight * (stress[3 * i] * d[0] + stress[3 * i + 1] * d[1] + stress[3 * i + 2] * d[2]);
      sum += force;
      for (int l = 0; l < LANES; ++l) n[3 * (size_t)twins->vertex[a + 1][l] + i] += force[l];
    }
    for (int l = 0; l < LANES; ++l) n[3 * (size_t)twins->vertex[0][l] + i] -= sum[l];
  }
}

static Pair *terms_of(const tacForceSeries *series, int twins) {
  return series->terms + (size_t)twins * ((size_t)series->order + 1) * (size_t)series->law->size;
}

double tac_force_series_begin(tacForceSeries *series, const double *x) {
  double least = INFINITY;
  for (int t = 0; t < series->twins_count; ++t) {
    Pair *terms = terms_of(series, t);
    find_gradient(&series->twins[t], x, terms);
    Pair j = series->law->begin(series->parameters, terms);
    for (int l = 0; l < LANES; ++l)
      if (!(j[l] >= least)) least = j[l];
    if (isnan(least)) return least;
  }
  return least;
}

void tac_force_series_next(tacForceSeries *series, int p, const double *u, double *n) {
  memset(n, 0, 3 * (size_t)series->vertex_count * sizeof *n);
  for (int t = 0; t < series->twins_count; ++t) {
    Pair *terms = terms_of(series, t), stress[9];
    if (p == 2) memset(terms + series->law->size, 0, (size_t)series->law->size * sizeof *terms);
    find_gradient(&series->twins[t], u, terms + (p - 1) * series->law->size);
    series->law->next(series->parameters, terms, p, stress);
    add_forces(&series->twins[t], stress, n);
  }
}

/* ---- making it ---- */

static const Law *find_law(const tacHyperMaterial *material) {
  for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i)
    if (material->law == tac_hyper_law_find(laws[i].name, NULL)) return &laws[i];
  return NULL;
}

static tacStatus fill_twins(tacForceSeries *series, const tacVolMesh *mesh, tacError *error) {
  for (int t = 0; t < LANES * series->twins_count; ++t) {
    int e = t < mesh->tet_count ? t : mesh->tet_count - 1, l = t % LANES;
    Twins *twins = &series->twins[t / LANES];
    tacVec3 corners[4];
    for (int c = 0; c < 4; ++c) {
      twins->vertex[c][l] = mesh->tets[e].v[c];
      corners[c] = mesh->vertices[mesh->tets[e].v[c]];
    }
    tacTet4 shape;
    if (!tac_tet4_init(corners, &shape))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
    for (int a = 0; a < 3; ++a) {
      twins->gradient[a][0][l] = shape.gradient[a + 1].x;
      twins->gradient[a][1][l] = shape.gradient[a + 1].y;
      twins->gradient[a][2][l] = shape.gradient[a + 1].z;
    }
    twins->weight[l] = t < mesh->tet_count ? shape.volume : 0.0;
  }
  return TAC_OK;
}

tacStatus tac_force_series_create(const tacVolMesh *mesh, const tacHyperMaterial *material, int order,
                                  tacForceSeries **series, tacError *error) {
  *series = NULL;
  const Law *law = find_law(material);
  if (law == NULL)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the law %s has no power series; only %s and %s have one",
                         material->law->name, laws[0].name, laws[1].name);
  TAC_OWN(tacForceSeries, made) = tac_array_create(1, sizeof *made, "power series", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->law = law;
  memcpy(made->parameters, material->parameters, sizeof made->parameters);
  made->vertex_count = mesh->vertex_count;
  made->twins_count = mesh->tet_count / LANES + mesh->tet_count % LANES;
  made->order = order;
  made->twins = tac_arrays_add(&made->arrays, (size_t)made->twins_count, sizeof *made->twins);
  made->terms =
      tac_arrays_add(&made->arrays, (size_t)made->twins_count * ((size_t)order + 1), (size_t)law->size * sizeof(Pair));
  TAC_TRY(tac_arrays_status(&made->arrays, "power series", error));
  TAC_TRY(fill_twins(made, mesh, error));
  *series = tac_give(&made);
  return TAC_OK;
}

void tac_force_series_destroy(tacForceSeries *series) {
  if (series != NULL) tac_arrays_free(&series->arrays);
  free(series);
}
