#include "kinds/vademecum/separation.h"

#include "base/threads/parallel.h"
#include "brick_beam.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/constraints.h"
#include "elastic/solids/statics.h"
#include "math/dense/dense.h"
#include "mesh/brick_division.h"

/* A beam of 40 x 40 mm along z, of 2 x 2 cells of 20 mm across, each cut into six tetrahedra; steel, clamped at
 * z = 0. Twenty cells long it is that of Gonzalez et al. 2015, section 4. */
typedef struct Beam {
  tacVolMesh *mesh;
  tacMaterial material;
  bool *held;
  tacConstraints constraints;
  tacSparse stiffness, lower; /* of free vertices */
  tacFactor *factor;
  double *mass; /* kg, lumped */
  int size;
} Beam;

static Beam make_beam(int cells) {
  Beam beam = {0};
  tacVolMesh *bricks = brick_beam_mesh(2, 2, cells, 0.02);
  tac_test_ok(tac_brick_division(bricks, &beam.mesh, &error), error);
  tac_volmesh_destroy(bricks);
  tac_test_ok(tac_material_isotropic(7800.0, 209e9, 0.3, &beam.material, &error), error);
  int count = beam.mesh->vertex_count;
  beam.held = tac_test_alloc((size_t)count * sizeof *beam.held);
  for (int v = 0; v < count; ++v) beam.held[v] = beam.mesh->vertices[v].z < 0.01;
  tac_test_ok(tac_constraints_create(count, beam.held, &beam.constraints, &error), error);
  TAC_SPARSE whole, mass, block;
  tac_test_ok(tac_assembly_stiffness(beam.mesh, &beam.material, NULL, &whole, &error), error);
  tac_test_ok(tac_assembly_mass(beam.mesh, &beam.material, NULL, TAC_MASS_LUMPED, &mass, &error), error);
  tac_test_ok(tac_constraints_block(&beam.constraints, &whole, TAC_SIDE_FREE, TAC_SIDE_FREE, &beam.stiffness, &error),
              error);
  tac_test_ok(tac_constraints_block(&beam.constraints, &mass, TAC_SIDE_FREE, TAC_SIDE_FREE, &block, &error), error);
  tac_test_ok(tac_sparse_lower(&beam.stiffness, &beam.lower, &error), error);
  beam.size = beam.stiffness.cols;
  beam.mass = tac_test_alloc((size_t)beam.size * sizeof *beam.mass);
  tac_sparse_diagonal(&block, beam.mass);
  tac_test_ok(tac_factor_create(&beam.lower, &beam.factor, &error), error);
  tac_test_ok(tac_factor_update(beam.factor, beam.lower.value, &error), error);
  return beam;
}

static void free_beam(Beam *beam) {
  tac_volmesh_destroy(beam->mesh);
  tac_constraints_destroy(&beam->constraints);
  tac_sparse_destroy(&beam->stiffness);
  tac_sparse_destroy(&beam->lower);
  tac_factor_destroy(beam->factor);
}

static tacSparse compress_loads(tacTriplets *triplets) {
  tacSparse loads;
  tac_test_ok(tac_triplets_compress(triplets, &loads, &error), error);
  tac_triplets_destroy(triplets);
  return loads;
}

static void add_load(tacTriplets *triplets, int row, int load, double force) {
  tac_test_ok(tac_triplets_add(triplets, row, load, force, &error), error);
}

/* `force` (N) at each vertex of the surface that is not clamped, or at all, across the beam (along y) or in three
 * directions. */
static tacSparse point_loads(const Beam *beam, bool all, bool three, double force) {
  TAC_MEMORY(int, vertex_of) = NULL;
  int count = 0, loads = 0;
  TAC_CREATE(tacTriMesh, surface, tac_volmesh_surface(beam->mesh, &surface, &vertex_of, NULL, &error));
  TAC_MEMORY(bool, loaded) = calloc((size_t)beam->mesh->vertex_count, sizeof *loaded);
  for (int i = 0; i < surface->vertex_count; ++i) loaded[vertex_of[i]] = true;
  for (int v = 0; v < beam->mesh->vertex_count; ++v) {
    loaded[v] = (loaded[v] || all) && !beam->held[v];
    count += loaded[v];
  }
  tacTriplets triplets = {.rows = beam->size, .cols = three ? 3 * count : count};
  for (int v = 0; v < beam->mesh->vertex_count; ++v)
    for (int axis = 0; axis < 3; ++axis)
      if (loaded[v] && (three || axis == 1)) add_load(&triplets, 3 * beam->constraints.place[v] + axis, loads++, force);
  return compress_loads(&triplets);
}

/* `count` loads across the beam, each a bell along it, wider than the beam: they are nearly combinations of a few. */
static tacSparse smooth_loads(const Beam *beam, int count) {
  tacTriplets triplets = {.rows = beam->size, .cols = count};
  double length = tac_volmesh_box(beam->mesh).upper.z;
  for (int s = 0; s < count; ++s)
    for (int v = 0; v < beam->mesh->vertex_count; ++v) {
      double away = (beam->mesh->vertices[v].z - length * (s + 1) / count) / (0.25 * length);
      if (!beam->held[v]) add_load(&triplets, 3 * beam->constraints.place[v] + 1, s, exp(-away * away));
    }
  return compress_loads(&triplets);
}

static tacSeparationDef define(const Beam *beam, const tacSparse *loads) {
  return (tacSeparationDef){.stiffness = &beam->lower, .factor = beam->factor, .loads = loads};
}

static tacSeparation separate(const tacSeparationDef *def) {
  tacSeparation separation;
  tac_test_ok(tac_separation_create(def, NULL, &separation, &error), error);
  ck_assert_int_eq(separation.size, def->loads->rows);
  ck_assert_int_eq(separation.load_count, def->loads->cols);
  return separation;
}

/* Displacements of all loads by elastostatics of the mesh: a column a load. */
static tacDense solve_directly(const Beam *beam, const tacSparse *loads) {
  tacDense u;
  TAC_CREATE(tacStatics, statics, tac_statics_create(beam->mesh, &beam->material, NULL, beam->held, &statics, &error));
  tac_test_ok(tac_dense_create(beam->size, loads->cols, &u, &error), error);
  TAC_MEMORY(double, part) = calloc((size_t)beam->size, sizeof *part);
  TAC_MEMORY(double, whole) = calloc(3 * (size_t)beam->mesh->vertex_count, sizeof *whole);
  for (int s = 0; s < loads->cols; ++s) {
    memset(part, 0, (size_t)beam->size * sizeof *part);
    memset(whole, 0, 3 * (size_t)beam->mesh->vertex_count * sizeof *whole);
    for (int p = loads->column_start[s]; p < loads->column_start[s + 1]; ++p) part[loads->row[p]] = loads->value[p];
    tac_constraints_put(&beam->constraints, TAC_SIDE_FREE, part, whole);
    tac_test_ok(tac_statics_solve(statics, 1, whole, whole, &error), error);
    tac_constraints_take(&beam->constraints, TAC_SIDE_FREE, whole, tac_dense_column(&u, s));
  }
  return u;
}

/* |u|^2 in the energy, or in the norm of mass. */
static double square(const Beam *beam, bool energy, const double *u) {
  double sum = 0.0;
  for (int j = 0; j < beam->size; ++j) {
    double product = energy ? 0.0 : beam->mass[j] * u[j];
    for (int p = beam->stiffness.column_start[j]; energy && p < beam->stiffness.column_start[j + 1]; ++p)
      product += beam->stiffness.value[p] * u[beam->stiffness.row[p]];
    sum += product * u[j];
  }
  return sum;
}

static double weighed_square(const Beam *beam, bool energy, const double *weights, const tacDense *u) {
  double sum = 0.0;
  for (int s = 0; s < u->cols; ++s)
    sum += (weights != NULL ? weights[s] : 1.0) * square(beam, energy, tac_dense_column(u, s));
  return sum;
}

/* u -= the terms [from, to) */
static void subtract_terms(const tacSeparation *separation, int from, int to, tacDense *u) {
  size_t size = (size_t)separation->size, load_count = (size_t)separation->load_count;
  for (int s = 0; s < u->cols; ++s)
    for (int k = from; k < to; ++k)
      for (size_t i = 0; i < size; ++i)
        tac_dense_column(u, s)[i] -=
            separation->x[(size_t)k * size + i] * separation->y[(size_t)k * load_count + (size_t)s];
}

/* What all terms lack of the direct solutions. */
static tacDense left_of(const tacSeparation *separation, const tacDense *u) {
  tacDense rest;
  tac_test_ok(tac_dense_copy(u, &rest, &error), error);
  subtract_terms(separation, 0, separation->count, &rest);
  return rest;
}

/* sqrt(sum w |u - u_n|^2 / sum w |u|^2) with all terms, `u` being the direct solutions. */
static double true_residual(const Beam *beam, bool energy, const double *weights, const tacSeparation *separation,
                            const tacDense *u) {
  TAC_DENSE rest = left_of(separation, u);
  return sqrt(weighed_square(beam, energy, weights, &rest) / weighed_square(beam, energy, weights, u));
}

/* Of one load. */
static double share_left(const Beam *beam, bool energy, const tacDense *rest, const tacDense *u, int load) {
  return square(beam, energy, tac_dense_column(rest, load)) / square(beam, energy, tac_dense_column(u, load));
}

/* Singular values of the direct solutions in the energy, or in the norm of mass, descending. */
static void singular_values(const Beam *beam, bool energy, const tacSparse *loads, const tacDense *u, double *values) {
  TAC_DENSE left = {0}, right = {0}, a;
  if (energy) { /* the roots of the eigenvalues of F^T K^-1 F */
    tac_test_ok(tac_dense_create(loads->cols, loads->cols, &a, &error), error);
    for (int s = 0; s < loads->cols; ++s)
      for (int r = 0; r < loads->cols; ++r)
        for (int p = loads->column_start[s]; p < loads->column_start[s + 1]; ++p)
          tac_dense_column(&a, r)[s] += loads->value[p] * tac_dense_column(u, r)[loads->row[p]];
    tac_test_ok(tac_dense_eigen(&a, values, &error), error);
    for (int i = 0, j = loads->cols - 1; i <= j; ++i, --j) {
      double low = values[i], high = values[j];
      values[i] = sqrt(fmax(high, 0.0));
      values[j] = sqrt(fmax(low, 0.0));
    }
  } else {
    tac_test_ok(tac_dense_copy(u, &a, &error), error);
    for (int s = 0; s < u->cols; ++s)
      for (int i = 0; i < u->rows; ++i) tac_dense_column(&a, s)[i] *= sqrt(beam->mass[i]);
    tac_test_ok(tac_dense_svd(&a, &left, values, &right, &error), error);
  }
}

/* The fewest terms that any separation of this accuracy has. */
static int fewest(int count, const double *singular, double accuracy) {
  double sum = 0.0, tail = 0.0;
  for (int i = 0; i < count; ++i) sum += singular[i] * singular[i];
  int n = count;
  while (n > 0 && tail + singular[n - 1] * singular[n - 1] <= accuracy * accuracy * sum) {
    tail += singular[n - 1] * singular[n - 1];
    --n;
  }
  return n;
}

static int cells(void) {
  return tac_test_light() ? 6 : 20;
}

TAC_TEST(separation_matches_direct_solutions) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(cells());
  for (int three = 0; three < 2; ++three) {
    TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, false, three, 1e6);
    tacSeparationDef def = define(&beam, &loads);
    TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
    TAC_DENSE u = solve_directly(&beam, &loads), rest = left_of(&separation, &u);
    ck_assert_double_le(true_residual(&beam, true, NULL, &separation, &u), 1e-5);
    ck_assert_double_le(separation.residual, 1e-5);
    ck_assert(!separation.stagnated);
    /* And each of them, not only all together: even the stiffest load has more than 1e-6 of the energy of all. */
    for (int s = 0; s < loads.cols; ++s) ck_assert_double_le(share_left(&beam, true, &rest, &u, s), 1e-4);
  }
}

TAC_TEST(residuals_are_exact_and_never_rise) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(cells());
  for (int smooth = 0; smooth < 2; ++smooth) {
    TAC_FREED(tac_sparse_destroy, tacSparse, loads) =
        smooth ? smooth_loads(&beam, 60) : point_loads(&beam, false, true, 1e6);
    tacSeparationDef def = define(&beam, &loads);
    def.most = smooth ? 0 : 25;
    /* 1e-16 of the squares: far below what is left of differences of energies. Direct solutions are known to 1e-12
     * or so. */
    def.residual = smooth ? 1e-8 : 0.0;
    TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
    TAC_FREED(tac_dense_destroy, tacDense, u) = solve_directly(&beam, &loads);
    double whole = weighed_square(&beam, true, NULL, &u), before = 1.0;
    for (int n = 1; n <= separation.count; ++n) {
      subtract_terms(&separation, n - 1, n, &u);
      double residual = sqrt(weighed_square(&beam, true, NULL, &u) / whole), said = separation.residuals[n - 1];
      ck_assert_msg(fabs(said - residual) <= 1e-2 * residual + 1e-12, "after %d terms %.3e, and %.3e was said", n,
                    residual, said);
      ck_assert_double_lt(residual, before);
      before = residual;
    }
    ck_assert_double_eq(separation.residual, separation.residuals[separation.count - 1]);
    ck_assert(!separation.stagnated);
    if (smooth)
      ck_assert_int_lt(separation.count, 30);
    else
      ck_assert_int_eq(separation.count, 25);
    ck_assert(smooth ? before <= 1e-8 : before > 1e-5);
  }
}

/* Each load has half the force of the previous one, so the residual falls to about half from term to term. */
TAC_TEST(separation_stops_at_the_first_term_within_the_residual) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(6);
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, false, false, 1e6);
  for (int s = 0; s < loads.cols; ++s) loads.value[loads.column_start[s]] *= exp2(-s);
  static const double wanted[] = {0.0, 1e-5, 1e-3, 1e-7};
  for (int i = 0; i < 4; ++i) {
    tacSeparationDef def = define(&beam, &loads);
    def.residual = wanted[i];
    TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
    double limit = wanted[i] > 0.0 ? wanted[i] : 1e-5;
    ck_assert_int_gt(separation.count, 1);
    ck_assert_double_le(separation.residuals[separation.count - 1], limit);
    ck_assert_double_gt(separation.residuals[separation.count - 2], limit);
    ck_assert_double_gt(separation.residuals[separation.count - 1], 0.1 * limit);
  }
}

TAC_TEST(number_of_terms_matches_the_svd) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(cells());
  static const double accuracies[] = {0.1, 0.01, 0.001};
  for (int smooth = 0; smooth < 2; ++smooth)
    for (int a = 0; a < 3; ++a) {
      TAC_FREED(tac_sparse_destroy, tacSparse, loads) =
          smooth ? smooth_loads(&beam, 60) : point_loads(&beam, false, false, 1e6);
      TAC_FREED(tac_dense_destroy, tacDense, u) = solve_directly(&beam, &loads);
      double *singular = tac_test_alloc((size_t)loads.cols * sizeof *singular), accuracy = accuracies[a];
      tacSeparationDef def = define(&beam, &loads);
      def.residual = accuracy;
      tacSeparation separation = separate(&def);
      singular_values(&beam, true, &loads, &u, singular);
      int least = fewest(loads.cols, singular, accuracy);
      ck_assert_int_ge(separation.count, least);
      ck_assert_double_le(separation.count, 1.3 * least + 0.5); /* of one or two terms, a third is no matter */
      tac_separation_destroy(&separation);

      def.residual = 0.0;
      separation = separate(&def);
      tac_test_ok(tac_separation_compress(&separation, beam.mass, NULL, accuracy, &error), error);
      singular_values(&beam, false, &loads, &u, singular);
      ck_assert_int_ge(separation.count, fewest(loads.cols, singular, 1.01 * accuracy));
      ck_assert_int_le(separation.count, fewest(loads.cols, singular, 0.99 * accuracy));
      double residual = true_residual(&beam, false, NULL, &separation, &u);
      ck_assert_double_le(residual, 1.01 * accuracy);
      ck_assert_double_le(fabs(residual - separation.residual), 0.01 * accuracy);
      ck_assert_double_eq(separation.residual, separation.residuals[separation.count - 1]);
      tac_separation_destroy(&separation);
    }
}

TAC_TEST(compressed_terms_are_orthonormal_and_descend) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(cells());
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, false, true, 1e6);
  tacSeparationDef def = define(&beam, &loads);
  TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
  tac_test_ok(tac_separation_compress(&separation, beam.mass, NULL, 1e-3, &error), error);
  size_t size = (size_t)beam.size, load_count = (size_t)loads.cols;
  double above = INFINITY;
  for (int k = 0; k < separation.count; ++k) {
    for (int l = 0; l < separation.count; ++l) {
      double product = 0.0, shared = 0.0;
      for (size_t i = 0; i < size; ++i)
        product += beam.mass[i] * separation.x[(size_t)k * size + i] * separation.x[(size_t)l * size + i];
      ck_assert_double_eq_tol(product, k == l, 1e-10);
      for (size_t s = 0; s < load_count; ++s)
        shared += separation.y[(size_t)k * load_count + s] * separation.y[(size_t)l * load_count + s];
      if (k != l) continue;
      ck_assert_double_le(shared, above);
      above = shared;
    }
  }
}

/* Loads of 3 N in three directions at all vertices. Whatever was left out, what a load at p does to q is what the
 * same load at q does to p (Maxwell and Betti): the sum of X Y is symmetric, and of each term Y is X at the loads'
 * places times a number. */
TAC_TEST(a_load_at_p_moves_q_as_one_at_q_moves_p) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(6);
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, true, true, 3.0);
  ck_assert_int_eq(loads.cols, beam.size);
  tacSeparationDef def = define(&beam, &loads);
  def.most = 12;
  TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
  size_t size = (size_t)beam.size;
  for (int k = 0; k < separation.count; ++k) {
    const double *x = separation.x + (size_t)k * size, *y = separation.y + (size_t)k * size;
    double number = 0.0, largest = 0.0;
    for (size_t i = 0; i < size; ++i) {
      if (!(fabs(x[i]) > largest)) continue;
      largest = fabs(x[i]);
      number = y[i] / x[i];
    }
    ck_assert_double_gt(largest, 0.0);
    for (size_t i = 0; i < size; ++i) ck_assert_double_le(fabs(y[i] - number * x[i]), 1e-9 * fabs(number) * largest);
  }
}

TAC_TEST(weights_select_the_important_loads) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(cells());
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, false, false, 1e6);
  TAC_FREED(tac_dense_destroy, tacDense, u) = solve_directly(&beam, &loads);
  TAC_MEMORY(double, weights) = calloc((size_t)loads.cols, sizeof *weights);
  TAC_MEMORY(double, singular) = calloc((size_t)loads.cols, sizeof *singular);
  int stiffest = 0, limpest = 0;
  for (int s = 0; s < loads.cols; ++s) {
    weights[s] = s % 3; /* a third of the loads counts for nothing */
    if (square(&beam, true, tac_dense_column(&u, s)) < square(&beam, true, tac_dense_column(&u, stiffest)))
      stiffest = s;
    if (square(&beam, true, tac_dense_column(&u, s)) > square(&beam, true, tac_dense_column(&u, limpest))) limpest = s;
  }
  weights[stiffest] = 1e8;
  tacSeparationDef def = define(&beam, &loads);
  for (int weighed = 0; weighed < 2; ++weighed) {
    def.weights = weighed ? weights : NULL;
    def.most = 2;
    TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
    double residual = true_residual(&beam, true, def.weights, &separation, &u);
    ck_assert_double_eq_tol(separation.residual, residual, 1e-6 * residual);
    TAC_DENSE rest = left_of(&separation, &u);
    double relative = sqrt(share_left(&beam, true, &rest, &u, stiffest));
    ck_assert(weighed ? relative < 1e-2 : relative > 0.1); /* two terms alone hold what the end of the beam does */
  }
  /* Each load by its own size, so that those near the clamp count as much as those at the end; the limpest has no
   * weight, and its Y all the same. */
  TAC_DENSE weighed;
  tac_test_ok(tac_dense_copy(&u, &weighed, &error), error);
  for (int s = 0; s < loads.cols; ++s) {
    weights[s] = s == limpest ? 0.0 : 1.0 / square(&beam, false, tac_dense_column(&u, s));
    for (int i = 0; i < beam.size; ++i) tac_dense_column(&weighed, s)[i] *= sqrt(weights[s]);
  }
  singular_values(&beam, false, &loads, &weighed, singular);
  def.most = 0;
  def.weights = weights;
  TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
  ck_assert(!separation.stagnated && separation.residual <= 1e-5);
  tac_test_ok(tac_separation_compress(&separation, beam.mass, weights, 0.1, &error), error);
  ck_assert_int_ge(separation.count, fewest(loads.cols, singular, 0.101));
  ck_assert_int_le(separation.count, fewest(loads.cols, singular, 0.099));
  double residual = true_residual(&beam, false, weights, &separation, &u);
  ck_assert_double_le(residual, 0.101);
  ck_assert_double_eq_tol(separation.residual, residual, 1e-3);
  TAC_DENSE rest = left_of(&separation, &u);
  for (int s = 0; s < loads.cols; ++s) ck_assert_double_le(share_left(&beam, false, &rest, &u, s), 0.5);
}

TAC_TEST(dependent_loads_stop_at_their_rank) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(6);
  enum { RANK = 5, LOADS = 12 }; /* five, the same again, the sum of two, and zero */
  tacTriplets triplets = {.rows = beam.size, .cols = LOADS};
  for (int s = 0; s < 2 * RANK; ++s) add_load(&triplets, beam.size - 1 - 7 * (s % RANK), s, 1e3);
  add_load(&triplets, beam.size - 1, 2 * RANK, 500.0);
  add_load(&triplets, beam.size - 8, 2 * RANK, -500.0);
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = compress_loads(&triplets);
  tacSeparationDef def = define(&beam, &loads);
  for (int unreachable = 0; unreachable < 2; ++unreachable) {
    def.residual = unreachable ? 1e-300 : 1e-9;
    TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
    ck_assert_int_eq(separation.count, RANK);
    ck_assert_double_le(separation.residual, 1e-9);
    ck_assert_double_eq(separation.residual, separation.residuals[RANK - 1]);
    ck_assert_int_eq(separation.stagnated, unreachable);
    for (int k = 0; k < RANK; ++k) {
      const double *y = separation.y + (size_t)k * LOADS;
      ck_assert_int_eq(memcmp(y, y + RANK, RANK * sizeof *y), 0);
      ck_assert_double_eq(y[LOADS - 1], 0.0);
    }
    tac_test_ok(tac_separation_compress(&separation, beam.mass, NULL, 0.0, &error), error);
    ck_assert_int_ge(separation.count, RANK);
  }
  for (int p = 0; p < loads.column_start[LOADS]; ++p) loads.value[p] = 0.0;
  TAC_FREED(tac_separation_destroy, tacSeparation, nothing) = separate(&def);
  ck_assert_int_eq(nothing.count, 0);
  ck_assert_double_eq(nothing.residual, 0.0);
  ck_assert(!nothing.stagnated);
  tac_test_ok(tac_separation_compress(&nothing, beam.mass, NULL, 0.1, &error), error);
}

/* Cancels when `what` is done for the given time. */
typedef struct Cancel {
  const char *what;
  int after;
} Cancel;

static bool cancel_at(const char *what, double fraction, void *user) {
  Cancel *cancel = user;
  ck_assert(fraction >= 0.0 && fraction <= 1.0);
  return strcmp(what, cancel->what) != 0 || cancel->after-- > 0;
}

TAC_TEST(cancel_at_any_stage_leaves_no_result) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(6);
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = smooth_loads(&beam, 30);
  tacSeparationDef def = define(&beam, &loads);
  tacSeparation separation;
  Cancel stages[] = {{"energy of loads", 0}, {"separation", 0}, {"separation", 20}, {"error of loads", 0}};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i) {
    tacProgress progress = {cancel_at, &stages[i]};
    ck_assert_int_eq(tac_separation_create(&def, &progress, &separation, &error), TAC_ERR_CANCELLED);
    ck_assert_int_eq(stages[i].after, -1);
    ck_assert(separation.x == NULL && separation.y == NULL && separation.residuals == NULL && separation.count == 0);
  }
}

TAC_TEST(result_is_independent_of_thread_count) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(20);
  TAC_FREED(tac_sparse_destroy, tacSparse, loads) = point_loads(&beam, false, true, 1e6);
  tacSeparationDef def = define(&beam, &loads);
  def.most = 10;
  tac_parallel_set_threads(3);
  TAC_FREED(tac_separation_destroy, tacSeparation, with_all) = separate(&def);
  tac_parallel_set_threads(1);
  TAC_FREED(tac_separation_destroy, tacSeparation, with_one) = separate(&def);
  tac_parallel_set_threads(0);
  ck_assert_int_eq(with_all.count, with_one.count);
  ck_assert_int_eq(memcmp(with_all.x, with_one.x, 10 * (size_t)beam.size * sizeof *with_one.x), 0);
  ck_assert_int_eq(memcmp(with_all.residuals, with_one.residuals, 10 * sizeof *with_one.residuals), 0);
}

static void refuses(const tacSeparationDef *def, const char *text) {
  tacSeparation separation;
  tac_test_refused(tac_separation_create(def, NULL, &separation, &error), TAC_ERR_ARGUMENT, error, text);
  ck_assert(separation.x == NULL && separation.count == 0);
}

TAC_TEST(mismatched_input_is_rejected) {
  TAC_FREED(free_beam, Beam, beam) = make_beam(3);
  TAC_FREED(free_beam, Beam, other) = make_beam(4);
  TAC_SPARSE loads = point_loads(&beam, false, false, 1e3), others = point_loads(&other, false, false, 1e3);
  double *weights = tac_test_alloc((size_t)loads.cols * sizeof *weights);
  weights[2] = -1.0;
  const tacSeparationDef def = define(&beam, &loads);
  for (int bad = 0; bad < 6; ++bad) {
    tacSeparationDef wrong = def;
    const char *text = "must be equal";
    switch (bad) {
      case 0: wrong.loads = &others; break;
      case 1: wrong.factor = other.factor; break;
      case 2: wrong.weights = weights, text = "weight 2"; break;
      case 3: wrong.most = -1, text = "number of terms is -1"; break;
      case 4: wrong.residual = NAN, text = "residual"; break;
      case 5: loads.value[3] = INFINITY, text = "finite"; break;
    }
    refuses(&wrong, text);
  }
  loads.value[3] = 1e3;
  for (int p = 0; p < tac_sparse_count(&beam.lower); ++p) beam.lower.value[p] *= 1.01;
  refuses(&def, "factor");
  for (int p = 0; p < tac_sparse_count(&beam.lower); ++p) beam.lower.value[p] /= 1.01;

  TAC_FREED(tac_separation_destroy, tacSeparation, separation) = separate(&def);
  int count = separation.count;
  beam.mass[4] = 0.0;
  ck_assert_int_eq(tac_separation_compress(&separation, beam.mass, NULL, 0.1, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(separation.count, count);
}
