#include "kinds/reduced/polynomial_bake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/elements/brick8.h"
#include "elastic/elements/material.h"
#include "elastic/elements/quadrature.h"
#include "kinds/reduced/reduced_stress.h"
#include "math/dense/dense.h"
#include "math/dense/dense_product.h"
#include "math/geometry/vec3.h"

/* A chunk of B is stored as [row][column], with one column per monomial: first q_0, q_1, ..., then q_0 q_0, q_0 q_1,
 * ..., q_1 q_1, and so on. Products of columns are computed in square tiles. One thread at a time computes a tile, in
 * the order of the chunks, so results do not depend on the number of threads. */
enum {
  STRAINS = 6,
  TILE = 128,
  LEAST_TILE = 24,
  SHARES = 5 /* minimum number of tiles per side, so that many threads have work */,
  CHUNK = 1 << 21 /* limit of the numbers in a chunk */,
  LEAST_ROWS = 384
};
static const char *const what = "reduced polynomials";
static const int64_t report_interval = 100 * 1000 * 1000; /* ns */

/* Gram matrix B^T B of one part, as a sequence of tiles (i, j <= i). */
typedef struct Gram {
  tacReducedPartKind kind;
  double *b;    /* present chunk of B, [row][column] */
  double *tile; /* tiles of B^T B, [tile][column j][row i] */
} Gram;

typedef struct Bake {
  const tacSolid *solid;
  const double *basis;
  int size, columns; /* r; r + r (r + 1) / 2 */
  int tiles;         /* number of tiles per side of B^T B */
  int *element;      /* indices of the elements, sorted by material */
  size_t *row[2];    /* number of rows before each element, [index of the Gram matrix][index in `element`] */
  size_t chunk_rows; /* limit of the rows per chunk of the first Gram matrix */
  int gram_count;
  Gram gram[2];

  /* Data of the present material. */
  double root[STRAINS][STRAINS]; /* square root of C, with C = root^T root, for TAC_REDUCED_WHOLE */
  int first, last;               /* elements [first, last) of the chunk, as indices in `element` */
} Bake;

/* ---- integration of elements ---- */

/* Number of Gauss points along each axis for each strain component of an axis-aligned brick. The strains of an
 * axis-aligned brick have fewer terms than the general quadrature assumes. The displacement gradient has degree 1 in x,
 * y and z, but degree 0 in the coordinate of the derivative. Therefore E_xx has the degrees (0, 2, 2), and E_xy has the
 * degrees (1, 1, 2).
 *
 * 1 x 3 x 3 and 2 x 2 x 3 points integrate the squares exactly, with 63 points for all six components. The part of mu
 * has 63 rows instead of 6 x 27, with equal results. The part of lambda has 27 rows, one per point of the trace. */
static const int strain_points[STRAINS][3] = {{1, 3, 3}, {3, 1, 3}, {3, 3, 1}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3}};
enum { BRICK_POINTS = 27, NORMAL_POINTS = 9, SHEAR_POINTS = 12, BOX_ROWS = 3 * NORMAL_POINTS + 3 * SHEAR_POINTS };

static void corners_of(const tacVolMesh *mesh, int element, tacVec3 corners[8]) {
  const int *v = tac_element_vertices(mesh, element);
  for (int c = 0; c < tac_element_corner_count(mesh, element); ++c) corners[c] = mesh->vertices[v[c]];
}

/* True if the element is an isotropic brick with edges parallel to the axes and corners in standard order. */
static bool is_box(const Bake *bake, int element) {
  const tacVolMesh *mesh = bake->solid->mesh;
  if (element < mesh->tet_count || !tac_solid_material(bake->solid, element)->isotropic) return false;
  tacVec3 c[8];
  corners_of(mesh, element, c);
  tacVec3 x = tac_vec3_sub(c[1], c[0]), y = tac_vec3_sub(c[3], c[0]), z = tac_vec3_sub(c[4], c[0]);
  double aside = fmax(fmax(fmax(fabs(x.y), fabs(x.z)), fmax(fabs(y.x), fabs(y.z))), fmax(fabs(z.x), fabs(z.y)));
  return aside <= 1e-12 * fmin(fabs(x.x), fmin(fabs(y.y), fabs(z.z))) && tac_brick8_is_affine(c);
}

static size_t row_count(const Bake *bake, int element, int gram) {
  if (element < bake->solid->mesh->tet_count) return gram == 0 ? STRAINS : 1;
  if (gram == 1) return BRICK_POINTS;
  return is_box(bake, element) ? BOX_ROWS : STRAINS * BRICK_POINTS;
}

/* ---- rows of B ---- */

/* Writes `count` columns of the rows of one point, from column `begin` on. `strain` contains the coefficients of the
 * tensor components of Green's strain. `to` is the first row of the point in each Gram matrix. */
static void write_rows(const Bake *bake, const double *const strain[STRAINS], double root_weight, double *const to[2],
                       size_t begin, int count) {
  size_t columns = (size_t)bake->columns;
  for (int g = 0; g < bake->gram_count; ++g) {
    double *row = to[g] + begin;
    switch (bake->gram[g].kind) {
      case TAC_REDUCED_LAMBDA: /* energy (tr E)^2 / 2 */
        for (int j = 0; j < count; ++j) row[j] = root_weight * (strain[0][j] + strain[1][j] + strain[2][j]);
        break;
      case TAC_REDUCED_MU: /* energy E:E */
        for (int c = 0; c < STRAINS; ++c, row += columns) {
          double factor = root_weight * (c < 3 ? sqrt(2.0) : 2.0);
          for (int j = 0; j < count; ++j) row[j] = factor * strain[c][j];
        }
        break;
      case TAC_REDUCED_WHOLE:
        for (int c = 0; c < STRAINS; ++c, row += columns) {
          for (int j = 0; j < count; ++j) row[j] = 0.0;
          for (int d = c; d < STRAINS; ++d) {
            double factor = root_weight * bake->root[c][d] * (d < 3 ? 1.0 : 2.0);
            for (int j = 0; j < count; ++j) row[j] += factor * strain[d][j];
          }
        }
        break;
    }
  }
}

static const int pair[STRAINS][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

/* Displacement gradients: G[a][b][i] is du_a/dx_b of basis vector i. */
typedef double Gradients[3][3][TAC_BODY_MOST_COORDINATES];

/* Computes the coefficients of q_i, i < r, in one strain component: (G + G^T) / 2. */
static void linear_strain(int r, Gradients g, int strain, double *to) {
  const double *ab = g[pair[strain][0]][pair[strain][1]], *ba = g[pair[strain][1]][pair[strain][0]];
  for (int i = 0; i < r; ++i) to[i] = 0.5 * (ab[i] + ba[i]);
}

/* Computes the coefficients of q_i q_j, i <= j < r, in one strain component: (G_i^T G_j + G_j^T G_i) / 2, halved if j =
 * i. */
static void quadratic_strain(int r, Gradients g, int strain, int i, double *to) {
  int a = pair[strain][0], b = pair[strain][1];
  for (int j = i; j < r; ++j)
    to[j] = 0.5 *
            ((g[0][a][i] * g[0][b][j] + g[0][b][i] * g[0][a][j]) + (g[1][a][i] * g[1][b][j] + g[1][b][i] * g[1][a][j]) +
             (g[2][a][i] * g[2][b][j] + g[2][b][i] * g[2][a][j]));
  to[i] *= 0.5;
}

static void write_point(const Bake *bake, Gradients g, double weight, double *const to[2]) {
  double e[STRAINS][TAC_BODY_MOST_COORDINATES], root_weight = sqrt(weight);
  const double *strain[STRAINS];
  int r = bake->size;
  for (int c = 0; c < STRAINS; ++c) {
    linear_strain(r, g, c, e[c]);
    strain[c] = e[c];
  }
  write_rows(bake, strain, root_weight, to, 0, r);
  size_t begin = (size_t)r;
  for (int i = 0; i < r; begin += (size_t)(r - i), ++i) {
    for (int c = 0; c < STRAINS; ++c) {
      quadratic_strain(r, g, c, i, e[c]);
      strain[c] = e[c] + i;
    }
    write_rows(bake, strain, root_weight, to, begin, r - i);
  }
}

/* Displacements: u[c][a][i] is the displacement of corner c along axis a in basis vector i. */
typedef double Corners[8][3][TAC_BODY_MOST_COORDINATES];

/* Computes the derivatives g[a][b] along axis b, for all a. */
static void find_gradient(int r, int corners, Corners u, const tacVec3 gradient[8], int b, Gradients g) {
  for (int a = 0; a < 3; ++a) memset(g[a][b], 0, (size_t)r * sizeof(double));
  for (int c = 0; c < corners; ++c) {
    double n = (const double[]){gradient[c].x, gradient[c].y, gradient[c].z}[b];
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < r; ++i) g[a][b][i] += u[c][a][i] * n;
  }
}

/* Computes the rows of lambda of an axis-aligned brick from the rows of mu. The trace at a point is the sum of three
 * normal strains. Each strain is known at a point that differs only in a coordinate on which the strain does not
 * depend. `normal` contains the rows of the normal strains, sqrt(2 weight) E. */
static void write_traces(const Bake *bake, const double *normal, double determinant, double *to) {
  size_t columns = (size_t)bake->columns;
  static const int three[3] = {3, 3, 3};
  for (int p = 0; p < BRICK_POINTS; ++p, to += columns) {
    const int at[3] = {p % 3, p / 3 % 3, p / 9};
    const int index[3] = {at[1] + 3 * at[2], at[0] + 3 * at[2], at[0] + 3 * at[1]};
    const double *row[3];
    double whole, factor[3];
    tac_brick8_point(three, p, &whole);
    for (int c = 0; c < 3; ++c) {
      double part;
      tac_brick8_point(strain_points[c], index[c], &part);
      row[c] = normal + (size_t)(c * NORMAL_POINTS + index[c]) * columns;
      factor[c] = sqrt(whole * determinant) / sqrt(2.0 * part * determinant);
    }
    for (size_t j = 0; j < columns; ++j) to[j] = factor[0] * row[0][j] + factor[1] * row[1][j] + factor[2] * row[2][j];
  }
}

static void write_box(const Bake *bake, int element, Corners u, double *const to[2]) {
  tacVec3 corners[8], gradient[8];
  double weight, determinant = 0.0, *row = to[0];
  int r = bake->size;
  Gradients g;
  corners_of(bake->solid->mesh, element, corners);
  for (int c = 0; c < STRAINS; ++c)
    for (int p = 0; p < (c < 3 ? NORMAL_POINTS : SHEAR_POINTS); ++p, row += bake->columns) {
      double e[TAC_BODY_MOST_COORDINATES];
      tacVec3 local = tac_brick8_point(strain_points[c], p, &weight);
      tac_brick8_gradients(corners, local, gradient, &determinant);
      for (int side = 0; side < (c < 3 ? 1 : 2); ++side) find_gradient(r, 8, u, gradient, pair[c][side], g);
      double factor = sqrt(weight * determinant) * (c < 3 ? sqrt(2.0) : 2.0), *column = row;
      linear_strain(r, g, c, e);
      for (int i = 0; i < r; ++i) *column++ = factor * e[i];
      for (int i = 0; i < r; ++i) {
        quadratic_strain(r, g, c, i, e);
        for (int j = i; j < r; ++j) *column++ = factor * e[j];
      }
    }
  write_traces(bake, to[0], determinant, to[1]);
}

static void write_elements(size_t begin, size_t end, int thread, void *context) {
  const Bake *bake = context;
  const tacVolMesh *mesh = bake->solid->mesh;
  size_t height = 3 * (size_t)mesh->vertex_count, columns = (size_t)bake->columns;
  int r = bake->size;
  Corners u;
  Gradients g;
  (void)thread;
  for (size_t at = (size_t)bake->first + begin; at < (size_t)bake->first + end; ++at) {
    int element = bake->element[at], corners = tac_element_corner_count(mesh, element);
    const int *v = tac_element_vertices(mesh, element);
    double *to[2];
    for (int k = 0; k < 2; ++k) to[k] = bake->gram[k].b + (bake->row[k][at] - bake->row[k][bake->first]) * columns;
    for (int c = 0; c < corners; ++c)
      for (int i = 0; i < r; ++i)
        for (int a = 0; a < 3; ++a) u[c][a][i] = bake->basis[(size_t)i * height + 3 * (size_t)v[c] + (size_t)a];
    if (is_box(bake, element)) {
      write_box(bake, element, u, to);
      continue;
    }
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    int count = tac_quadrature_points(mesh, element, 4, points);
    for (int p = 0; p < count; ++p) {
      for (int b = 0; b < 3; ++b) find_gradient(r, corners, u, points[p].gradient, b, g);
      write_point(bake, g, points[p].weight, to);
      to[0] += STRAINS * columns;
      to[1] += columns;
    }
  }
}

/* ---- products ---- */

static int tile_count(const Bake *bake) {
  return bake->tiles * (bake->tiles + 1) / 2;
}

/* Returns the first column of a tile. Tile sizes differ by at most one. */
static int tile_begin(const Bake *bake, int tile) {
  return (int)((long long)bake->columns * tile / bake->tiles);
}

/* Returns the tile that contains a column. */
static int tile_of(const Bake *bake, int column) {
  return (int)(((column + 1LL) * bake->tiles - 1) / bake->columns);
}

/* Returns the storage index of the product of the columns q and p, p <= q. */
static size_t place_of(const Bake *bake, int q, int p) {
  int i = tile_of(bake, q), j = tile_of(bake, p);
  size_t tile = (size_t)(i * (i + 1) / 2 + j);
  return (tile * TILE + (size_t)(p - tile_begin(bake, j))) * TILE + (size_t)(q - tile_begin(bake, i));
}

static size_t chunk_rows(const Bake *bake, size_t gram) {
  return bake->row[gram][bake->last] - bake->row[gram][bake->first];
}

static void multiply_tiles(size_t begin, size_t end, int thread, void *context) {
  const Bake *bake = context;
  (void)thread;
  for (size_t at = begin; at < end; ++at) {
    size_t which = at / (size_t)tile_count(bake);
    const Gram *gram = &bake->gram[which];
    int tile = (int)(at % (size_t)tile_count(bake)), i = 0, depth = (int)chunk_rows(bake, which);
    while ((i + 1) * (i + 2) / 2 <= tile) ++i;
    int j = tile - i * (i + 1) / 2, columns = bake->columns;
    const double *bi = gram->b + tile_begin(bake, i), *bj = gram->b + tile_begin(bake, j);
    int rows_i = tile_begin(bake, i + 1) - tile_begin(bake, i), rows_j = tile_begin(bake, j + 1) - tile_begin(bake, j);
    double *to = gram->tile + (size_t)tile * TILE * TILE;
    tacDenseView left = {bi, 1, (size_t)columns}, right = {bj, (size_t)columns, 1};
    if (i == j)
      tac_dense_product_lower(rows_i, depth, 1.0, left, right, to, TILE);
    else
      tac_dense_product(rows_i, rows_j, depth, 1.0, left, right, to, TILE);
  }
}

/* ---- from products to coefficients ---- */

/* Adds the products to the coefficients of W = |B m|^2 / 2 for the vector m of monomials. Several products of two
 * monomials may be the same monomial. */
static void fold(const Bake *bake, tacPolynomialPart *parts) {
  int r = bake->size, index[4];
  for (int i = 0, q = 0; i <= r; ++i)
    for (int j = i == 0 ? 1 : i; j <= r; ++j, ++q) { /* column q belongs to the monomial x_i x_j */
      int degree = 0, p = 0;
      if (i > 0) index[degree++] = i - 1;
      index[degree++] = j - 1;
      for (int k = 0; k <= i; ++k)
        for (int l = k == 0 ? 1 : k; l <= r && p <= q; ++l, ++p) {
          int whole = degree;
          if (k > 0) index[whole++] = k - 1;
          index[whole++] = l - 1;
          size_t place = tac_reduced_polynomial_place(r, whole, index), from = place_of(bake, q, p);
          for (int g = 0; g < bake->gram_count; ++g)
            parts[g].coefficients[place] += bake->gram[g].tile[from] * (p == q ? 0.5 : 1.0);
        }
    }
}

/* Copies the rows of B^T B that belong to quadratic monomials. */
static void copy_products(const Bake *bake, tacPolynomialPart *parts) {
  size_t to = 0;
  for (int q = bake->size; q < bake->columns; ++q)
    for (int p = 0; p <= q; ++p, ++to)
      for (int g = 0; g < bake->gram_count; ++g) parts[g].stress[to] = bake->gram[g].tile[place_of(bake, q, p)];
}

/* ---- the complete bake ---- */

static tacStatus check(const tacSolid *solid, int count, const double *basis, tacError *error) {
  const tacVolMesh *mesh = solid->mesh;
  if (count < 1 || count > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of basis vectors (%d); 1 to %d are possible", count,
                         TAC_BODY_MOST_COORDINATES);
  TAC_TRY(tac_volmesh_validate(mesh, error));
  for (int m = 0; m < solid->material_count; ++m) TAC_TRY(tac_material_check(&solid->materials[m], error));
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    int material = solid->material_of != NULL ? solid->material_of[e] : 0;
    if (material < 0 || material >= solid->material_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d, but there are only %d materials", e,
                           material, solid->material_count);
    if (tac_quadrature_points(mesh, e, 4, points) == 0)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
  }
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count * (size_t)count; ++i)
    if (!isfinite(basis[i])) return tac_error_set(error, TAC_ERR_ARGUMENT, "the basis has NaN or infinite values");
  return TAC_OK;
}

/* Sorts the elements by material. begin[m] is the position of the first element of material m. */
static void sort_elements(Bake *bake, int *begin) {
  const tacSolid *solid = bake->solid;
  int elements = tac_element_count(solid->mesh), at = 0;
  for (int m = 0; m < solid->material_count; ++m) {
    begin[m] = at;
    for (int e = 0; e < elements; ++e) {
      if (tac_solid_material(solid, e) != &solid->materials[m]) continue;
      bake->element[at] = e;
      for (int g = 0; g < 2; ++g) bake->row[g][at + 1] = bake->row[g][at] + row_count(bake, e, g);
      ++at;
    }
  }
  begin[solid->material_count] = at;
}

typedef struct Reporter {
  const tacProgress *progress;
  int64_t next; /* time of the next report, ns */
  size_t done, total;
} Reporter;

static tacStatus report_when_due(Reporter *reporter, tacError *error) {
  const tacProgress *progress = reporter->progress;
  if (progress == NULL || progress->report == NULL) return TAC_OK;
  if (reporter->done < reporter->total && tac_clock_now() < reporter->next) return TAC_OK;
  reporter->next = tac_clock_now() + report_interval;
  double fraction = reporter->total > 0 ? (double)reporter->done / (double)reporter->total : 1.0;
  if (progress->report(what, fraction, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
}

static void choose_grams(Bake *bake, const tacMaterial *material) {
  bake->gram_count = material->isotropic ? 2 : 1;
  bake->gram[0].kind = material->isotropic ? TAC_REDUCED_MU : TAC_REDUCED_WHOLE;
  bake->gram[1].kind = TAC_REDUCED_LAMBDA;
  if (material->isotropic) return;
  double lower[STRAINS * STRAINS]; /* lower factor L of C = L L^T, column-major; root = L^T */
  memcpy(lower, material->stiffness, sizeof lower);
  tacDense factor = {STRAINS, STRAINS, STRAINS, lower};
  tac_dense_loop_cholesky(&factor); /* cannot fail, because the material was already checked */
  for (int c = 0; c < STRAINS; ++c)
    for (int d = c; d < STRAINS; ++d) bake->root[c][d] = lower[c * STRAINS + d];
}

/* Adds the contributions of the elements [begin, end), which have the same material. */
static tacStatus bake_material(Bake *bake, int begin, int end, Reporter *reporter, tacPolynomialBakeReport *report,
                               tacError *error) {
  size_t tile_numbers = (size_t)tile_count(bake) * TILE * TILE;
  for (int g = 0; g < bake->gram_count; ++g) memset(bake->gram[g].tile, 0, tile_numbers * sizeof(double));
  for (; begin < end; begin = bake->last) {
    bake->first = begin;
    for (bake->last = begin; bake->last < end; ++bake->last)
      if (bake->row[0][bake->last + 1] - bake->row[0][begin] > bake->chunk_rows) break;
    TAC_TRY(tac_parallel_for(0, (size_t)(bake->last - begin), 4, write_elements, bake, NULL, what, error));
    TAC_TRY(
        tac_parallel_for(0, (size_t)(bake->gram_count * tile_count(bake)), 1, multiply_tiles, bake, NULL, what, error));
    for (int g = 0; g < bake->gram_count; ++g)
      report->flops += (double)chunk_rows(bake, (size_t)g) * bake->columns * (bake->columns + 1.0);
    reporter->done += (size_t)(bake->last - begin);
    TAC_TRY(report_when_due(reporter, error));
  }
  return TAC_OK;
}

void tac_polynomial_parts_destroy(int count, tacPolynomialPart *parts) {
  for (int i = 0; i < count && parts != NULL; ++i) {
    free(parts[i].coefficients);
    free(parts[i].stress);
  }
  free(parts);
}

/* Parts that were created so far. */
typedef struct Made {
  int count;
  tacPolynomialPart *list;
} Made;

static void free_made(Made *made) {
  tac_polynomial_parts_destroy(made->count, made->list);
}

/* Appends the parts of one material, with all coefficients zero. */
static tacStatus add_parts(const Bake *bake, int material, size_t coefficients, size_t products, Made *made,
                           tacError *error) {
  for (int g = 0; g < bake->gram_count; ++g) {
    tacPolynomialPart *part = &made->list[made->count++];
    *part = (tacPolynomialPart){.group = material, .kind = bake->gram[g].kind};
    TAC_TRY(TAC_ARRAY(part->coefficients, coefficients, what, error));
    if (products > 0) TAC_TRY(TAC_ARRAY(part->stress, products, what, error));
  }
  return TAC_OK;
}

tacStatus tac_polynomial_bake(const tacSolid *solid, int count, const double *basis, bool stress,
                              const tacProgress *progress, tacPolynomialPart **parts, int *part_count,
                              tacPolynomialBakeReport *report, tacError *error) {
  int64_t start = tac_clock_now();
  tacPolynomialBakeReport unused;
  if (report == NULL) report = &unused;
  *report = (tacPolynomialBakeReport){0};
  *parts = NULL;
  *part_count = 0;
  TAC_TRY(check(solid, count, basis, error));

  Bake bake = {.solid = solid, .basis = basis, .size = count, .columns = count + count * (count + 1) / 2};
  size_t columns = (size_t)bake.columns, elements = (size_t)tac_element_count(solid->mesh);
  size_t coefficients = tac_reduced_polynomial_count(count), products = stress ? tac_reduced_stress_count(count) : 0;
  bake.tiles = (bake.columns + TILE - 1) / TILE;
  if (bake.tiles < SHARES && bake.columns >= SHARES * LEAST_TILE) bake.tiles = SHARES;
  Reporter reporter = {.progress = progress, .total = elements};
  size_t rows = 0;
  for (size_t e = 0; e < elements; ++e) rows += row_count(&bake, (int)e, 0);
  bake.chunk_rows = CHUNK / columns;
  if (bake.chunk_rows < LEAST_ROWS) bake.chunk_rows = LEAST_ROWS;
  if (bake.chunk_rows > rows) bake.chunk_rows = rows;
  size_t numbers = (size_t)tile_count(&bake) * TILE * TILE;
  /* An axis-aligned brick has the largest ratio of rows in the second Gram matrix to rows in the first. */
  size_t chunk[2] = {bake.chunk_rows * columns, bake.chunk_rows * BRICK_POINTS / BOX_ROWS * columns},
         materials = (size_t)solid->material_count;

  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_FREED(free_made, Made, made) = {0};
  int *begin = tac_arrays_add(&work, materials + 1, sizeof *begin);
  bake.element = tac_arrays_add(&work, elements, sizeof *bake.element);
  for (int g = 0; g < 2; ++g) {
    bake.gram[g].tile = tac_arrays_add(&work, numbers, sizeof(double));
    bake.gram[g].b = tac_arrays_add(&work, chunk[g], sizeof(double));
    bake.row[g] = tac_arrays_add(&work, elements + 1, sizeof *bake.row[g]);
  }
  TAC_TRY(tac_arrays_status(&work, what, error));
  TAC_TRY(TAC_ARRAY(made.list, 2 * materials, what, error));
  size_t whole = (2 * numbers + chunk[0] + chunk[1]) * sizeof(double) + elements * (sizeof(int) + 2 * sizeof(size_t));
  sort_elements(&bake, begin);
  TAC_TRY(report_when_due(&reporter, error));
  for (int m = 0; m < solid->material_count; ++m) {
    if (begin[m] == begin[m + 1]) continue;
    choose_grams(&bake, &solid->materials[m]);
    int first = made.count;
    TAC_TRY(add_parts(&bake, m, coefficients, products, &made, error));
    TAC_TRY(bake_material(&bake, begin[m], begin[m + 1], &reporter, report, error));
    fold(&bake, made.list + first);
    if (stress) copy_products(&bake, made.list + first);
  }
  report->bytes = whole + (size_t)made.count * (coefficients + products) * sizeof(double);
  report->seconds = tac_clock_seconds(tac_clock_now() - start);
  *parts = tac_give(&made.list);
  *part_count = made.count;
  return TAC_OK;
}
