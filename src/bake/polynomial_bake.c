#include "bake/polynomial_bake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "elastic/quadrature.h"
#include "math/dense.h"
#include "math/dense_product.h"

/* A chunk of B is [row][column], a column for each monomial: q_0 ..., then q_0 q_0, q_0 q_1 ..., q_1 q_1 ... Products
 * of columns are made by square tiles, each by one thread in the order of the chunks: results do not depend on the
 * number of threads. */
enum { STRAINS = 6, TILE = 128, CHUNK = 1 << 21 /* numbers */, LEAST_POINTS = 64 };
static const char *const what = "reduced polynomials";
static const int64_t report_interval = 100 * 1000 * 1000; /* ns */

/* B^T B of one part, the tiles (i, j <= i) one after the other. */
typedef struct Gram {
  tacPolynomialPartKind kind;
  int rows;     /* a point */
  double *b;    /* [row][column], the chunk */
  double *tile; /* [tile][column j][row i] */
} Gram;

typedef struct Bake {
  const tacSolid *solid;
  const double *basis;
  int size, columns; /* r, r + r (r + 1) / 2 */
  int tiles;         /* along a side */
  int *element;      /* sorted by material */
  size_t *point;     /* [place in `element`]: points of its material before it */
  size_t chunk_points;
  int gram_count;
  Gram gram[2];

  /* of the material in work */
  double root[STRAINS][STRAINS]; /* of C = root^T root, for TAC_PART_WHOLE */
  int first;                     /* element of the chunk */
  size_t points;                 /* in the chunk */
} Bake;

static size_t point_count(const tacVolMesh *mesh, int element) {
  return element < mesh->tet_count ? 1 : TAC_MOST_QUADRATURE_POINTS;
}

/* ---- rows of B ---- */

/* Coefficients of Green's strain, tensor components, for the columns from `begin`, `count` of them. */
static void write_rows(const Bake *bake, const double *const strain[STRAINS], double root_weight, size_t point,
                       size_t begin, int count) {
  size_t columns = (size_t)bake->columns;
  for (int g = 0; g < bake->gram_count; ++g) {
    const Gram *gram = &bake->gram[g];
    double *row = gram->b + point * (size_t)gram->rows * columns + begin;
    switch (gram->kind) {
      case TAC_PART_LAMBDA: /* (tr E)^2 / 2 */
        for (int j = 0; j < count; ++j) row[j] = root_weight * (strain[0][j] + strain[1][j] + strain[2][j]);
        break;
      case TAC_PART_MU: /* E:E */
        for (int c = 0; c < STRAINS; ++c, row += columns) {
          double factor = root_weight * (c < 3 ? sqrt(2.0) : 2.0);
          for (int j = 0; j < count; ++j) row[j] = factor * strain[c][j];
        }
        break;
      case TAC_PART_WHOLE:
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

/* G[a][b][i] is the displacement gradient du_a/dx_b of basis vector i. */
static void write_point(const Bake *bake, double g[3][3][TAC_REDUCED_MOST], double weight, size_t point) {
  static const int pair[STRAINS][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
  double e[STRAINS][TAC_REDUCED_MOST], root_weight = sqrt(weight);
  const double *strain[STRAINS];
  int r = bake->size;
  for (int c = 0; c < STRAINS; ++c) {
    const double *ab = g[pair[c][0]][pair[c][1]], *ba = g[pair[c][1]][pair[c][0]];
    for (int i = 0; i < r; ++i) e[c][i] = 0.5 * (ab[i] + ba[i]);
    strain[c] = e[c];
  }
  write_rows(bake, strain, root_weight, point, 0, r);
  size_t begin = (size_t)r;
  for (int i = 0; i < r;
       begin += (size_t)(r - i), ++i) { /* q_i q_j: (G_i^T G_j + G_j^T G_i) / 2, and half of it for j = i */
    for (int c = 0; c < STRAINS; ++c) {
      int a = pair[c][0], b = pair[c][1];
      double *to = e[c];
      for (int j = i; j < r; ++j)
        to[j] = 0.5 * ((g[0][a][i] * g[0][b][j] + g[0][b][i] * g[0][a][j]) +
                       (g[1][a][i] * g[1][b][j] + g[1][b][i] * g[1][a][j]) +
                       (g[2][a][i] * g[2][b][j] + g[2][b][i] * g[2][a][j]));
      to[i] *= 0.5;
      strain[c] = to + i;
    }
    write_rows(bake, strain, root_weight, point, begin, r - i);
  }
}

static void write_elements(size_t begin, size_t end, int thread, void *context) {
  const Bake *bake = context;
  const tacVolMesh *mesh = bake->solid->mesh;
  size_t height = 3 * (size_t)mesh->vertex_count;
  int r = bake->size;
  double u[8][3][TAC_REDUCED_MOST], g[3][3][TAC_REDUCED_MOST];
  (void)thread;
  for (size_t at = (size_t)bake->first + begin; at < (size_t)bake->first + end; ++at) {
    int element = bake->element[at], corners = tac_element_corner_count(mesh, element);
    const int *v = tac_element_vertices(mesh, element);
    for (int c = 0; c < corners; ++c)
      for (int i = 0; i < r; ++i)
        for (int a = 0; a < 3; ++a) u[c][a][i] = bake->basis[(size_t)i * height + 3 * (size_t)v[c] + (size_t)a];
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    int count = tac_quadrature_points(mesh, element, points);
    for (int p = 0; p < count; ++p) {
      memset(g, 0, sizeof g);
      for (int c = 0; c < corners; ++c) {
        const double gradient[3] = {points[p].gradient[c].x, points[p].gradient[c].y, points[p].gradient[c].z};
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            for (int i = 0; i < r; ++i) g[a][b][i] += u[c][a][i] * gradient[b];
      }
      write_point(bake, g, points[p].weight, bake->point[at] - bake->point[bake->first] + (size_t)p);
    }
  }
}

/* ---- products ---- */

static int tile_count(const Bake *bake) {
  return bake->tiles * (bake->tiles + 1) / 2;
}

/* The first column of a tile; tiles differ by at most one in size. */
static int tile_begin(const Bake *bake, int tile) {
  return (int)((long long)bake->columns * tile / bake->tiles);
}

static void multiply_tiles(size_t begin, size_t end, int thread, void *context) {
  const Bake *bake = context;
  (void)thread;
  for (size_t at = begin; at < end; ++at) {
    const Gram *gram = &bake->gram[at / (size_t)tile_count(bake)];
    int tile = (int)(at % (size_t)tile_count(bake)), i = 0, depth = (int)bake->points * gram->rows;
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

/* W = |B m|^2 / 2 for the monomials m: each product of two of them is a monomial again, reached in several ways. */
static void fold(const Bake *bake, tacPolynomialPart *parts) {
  int r = bake->size, index[4];
  for (int i = 0, q = 0; i <= r; ++i)
    for (int j = i == 0 ? 1 : i; j <= r; ++j, ++q) { /* x_i x_j with x = (1, q) is column q */
      int tile_i = 0;
      while (tile_begin(bake, tile_i + 1) <= q) ++tile_i;
      int degree = 0;
      if (i > 0) index[degree++] = i - 1;
      index[degree++] = j - 1;
      int p = 0, tile_j = 0;
      for (int k = 0; k <= i; ++k)
        for (int l = k == 0 ? 1 : k; l <= r && p <= q; ++l, ++p) {
          if (p == tile_begin(bake, tile_j + 1)) ++tile_j;
          int whole = degree;
          if (k > 0) index[whole++] = k - 1;
          index[whole++] = l - 1;
          size_t place = tac_reduced_polynomial_place(r, whole, index);
          size_t tile = (size_t)(tile_i * (tile_i + 1) / 2 + tile_j);
          size_t from =
              (tile * TILE + (size_t)(p - tile_begin(bake, tile_j))) * TILE + (size_t)(q - tile_begin(bake, tile_i));
          for (int g = 0; g < bake->gram_count; ++g)
            parts[g].coefficients[place] += bake->gram[g].tile[from] * (p == q ? 0.5 : 1.0);
        }
    }
}

/* ---- the whole ---- */

static tacStatus check(const tacSolid *solid, int count, const double *basis, tacError *error) {
  const tacVolMesh *mesh = solid->mesh;
  if (count < 1 || count > TAC_REDUCED_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a basis of %d vectors; 1 to %d are possible", count,
                         TAC_REDUCED_MOST);
  tacStatus status = tac_volmesh_validate(mesh, error);
  for (int m = 0; m < solid->material_count && status == TAC_OK; ++m)
    status = tac_material_check(&solid->materials[m], error);
  for (int e = 0; e < tac_element_count(mesh) && status == TAC_OK; ++e) {
    tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS];
    int material = solid->material_of != NULL ? solid->material_of[e] : 0;
    if (material < 0 || material >= solid->material_count)
      status = tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d of %d", e, material,
                             solid->material_count);
    else if (tac_quadrature_points(mesh, e, points) == 0)
      status = tac_error_set(error, TAC_ERR_GEOMETRY, "element %d is inverted or flat", e);
  }
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count * (size_t)count && status == TAC_OK; ++i)
    if (!isfinite(basis[i])) status = tac_error_set(error, TAC_ERR_ARGUMENT, "the basis is not finite");
  return status;
}

/* Elements of each material together; begin[m] is where those of m do. */
static void sort_elements(Bake *bake, int *begin) {
  const tacSolid *solid = bake->solid;
  int elements = tac_element_count(solid->mesh), at = 0;
  for (int m = 0; m < solid->material_count; ++m) {
    size_t points = 0;
    begin[m] = at;
    for (int e = 0; e < elements; ++e) {
      if (tac_solid_material(solid, e) != &solid->materials[m]) continue;
      bake->element[at] = e;
      bake->point[at++] = points;
      points += point_count(solid->mesh, e);
    }
  }
  begin[solid->material_count] = at;
}

typedef struct Reporter {
  const tacProgress *progress;
  int64_t next; /* ns */
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
  bake->gram[0].kind = material->isotropic ? TAC_PART_MU : TAC_PART_WHOLE;
  bake->gram[0].rows = STRAINS;
  bake->gram[1].kind = TAC_PART_LAMBDA;
  bake->gram[1].rows = 1;
  if (material->isotropic) return;
  double lower[STRAINS * STRAINS]; /* column-major: C = L L^T, root = L^T */
  memcpy(lower, material->stiffness, sizeof lower);
  tacDense factor = {STRAINS, STRAINS, STRAINS, lower};
  tac_dense_loop_cholesky(&factor); /* the material was checked */
  for (int c = 0; c < STRAINS; ++c)
    for (int d = c; d < STRAINS; ++d) bake->root[c][d] = lower[c * STRAINS + d];
}

/* Elements begin to end, all of one material. */
static tacStatus bake_material(Bake *bake, int begin, int end, Reporter *reporter, tacPolynomialBakeReport *report,
                               tacError *error) {
  size_t tile_numbers = (size_t)tile_count(bake) * TILE * TILE;
  for (int g = 0; g < bake->gram_count; ++g) memset(bake->gram[g].tile, 0, tile_numbers * sizeof(double));
  tacStatus status = TAC_OK;
  for (int last; begin < end && status == TAC_OK; begin = last) {
    bake->first = begin;
    bake->points = 0;
    for (last = begin; last < end; ++last) {
      size_t more = point_count(bake->solid->mesh, bake->element[last]);
      if (bake->points + more > bake->chunk_points) break;
      bake->points += more;
    }
    status = tac_parallel_for(0, (size_t)(last - begin), 4, write_elements, bake, NULL, what, error);
    if (status == TAC_OK)
      status = tac_parallel_for(0, (size_t)(bake->gram_count * tile_count(bake)), 1, multiply_tiles, bake, NULL, what,
                                error);
    for (int g = 0; g < bake->gram_count; ++g)
      report->flops += (double)bake->points * bake->gram[g].rows * bake->columns * (bake->columns + 1.0);
    reporter->done += bake->points;
    if (status == TAC_OK) status = report_when_due(reporter, error);
  }
  return status;
}

void tac_polynomial_parts_destroy(int count, tacPolynomialPart *parts) {
  for (int i = 0; i < count && parts != NULL; ++i) free(parts[i].coefficients);
  free(parts);
}

tacStatus tac_polynomial_bake(const tacSolid *solid, int count, const double *basis, const tacProgress *progress,
                              tacPolynomialPart **parts, int *part_count, tacPolynomialBakeReport *report,
                              tacError *error) {
  int64_t start = tac_clock_now();
  tacPolynomialBakeReport unused;
  if (report == NULL) report = &unused;
  *report = (tacPolynomialBakeReport){0};
  *parts = NULL;
  *part_count = 0;
  tacStatus status = check(solid, count, basis, error);
  if (status != TAC_OK) return status;

  Bake bake = {.solid = solid, .basis = basis, .size = count, .columns = count + count * (count + 1) / 2};
  Reporter reporter = {.progress = progress};
  size_t columns = (size_t)bake.columns, elements = (size_t)tac_element_count(solid->mesh), whole = 0;
  size_t coefficients = tac_reduced_polynomial_count(count);
  bake.tiles = (bake.columns + TILE - 1) / TILE;
  bake.chunk_points = CHUNK / (STRAINS * columns);
  if (bake.chunk_points < LEAST_POINTS) bake.chunk_points = LEAST_POINTS;
  for (size_t e = 0; e < elements; ++e) reporter.total += point_count(solid->mesh, (int)e);
  if (bake.chunk_points > reporter.total) bake.chunk_points = reporter.total;
  size_t numbers = (size_t)tile_count(&bake) * TILE * TILE;
  size_t chunk = bake.chunk_points * columns, materials = (size_t)solid->material_count;

  int *begin = tac_array_create(materials + 1, sizeof *begin, what, error), made = 0;
  tacPolynomialPart *list = tac_array_create(2 * materials, sizeof *list, what, error);
  bake.element = tac_array_create(elements, sizeof *bake.element, what, error);
  bake.point = tac_array_create(elements, sizeof *bake.point, what, error);
  for (int g = 0; g < 2; ++g) {
    bake.gram[g].tile = tac_array_create(numbers, sizeof(double), what, error);
    bake.gram[g].b = tac_array_create((g == 0 ? STRAINS : 1) * chunk, sizeof(double), what, error);
    if (bake.gram[g].tile == NULL || bake.gram[g].b == NULL) status = TAC_ERR_MEMORY;
  }
  if (begin == NULL || list == NULL || bake.element == NULL || bake.point == NULL) status = TAC_ERR_MEMORY;
  whole = (2 * numbers + (STRAINS + 1) * chunk) * sizeof(double) + elements * (sizeof(int) + sizeof(size_t));
  if (status == TAC_OK) {
    sort_elements(&bake, begin);
    status = report_when_due(&reporter, error);
  }
  for (int m = 0; m < solid->material_count && status == TAC_OK; ++m) {
    if (begin[m] == begin[m + 1]) continue;
    choose_grams(&bake, &solid->materials[m]);
    int first = made;
    for (int g = 0; g < bake.gram_count && status == TAC_OK; ++g) {
      list[made] = (tacPolynomialPart){.group = m, .kind = bake.gram[g].kind};
      list[made].coefficients = tac_array_create(coefficients, sizeof(double), what, error);
      if (list[made++].coefficients == NULL) status = TAC_ERR_MEMORY;
    }
    if (status == TAC_OK) status = bake_material(&bake, begin[m], begin[m + 1], &reporter, report, error);
    if (status == TAC_OK) fold(&bake, list + first);
  }
  report->bytes = whole + (size_t)made * coefficients * sizeof(double);
  report->seconds = tac_clock_seconds(tac_clock_now() - start);

  free(begin);
  free(bake.element);
  free(bake.point);
  for (int g = 0; g < 2; ++g) {
    free(bake.gram[g].tile);
    free(bake.gram[g].b);
  }
  if (status != TAC_OK) {
    tac_polynomial_parts_destroy(made, list);
    return status;
  }
  *parts = list;
  *part_count = made;
  return TAC_OK;
}
