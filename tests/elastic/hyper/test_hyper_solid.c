/* Energy, force and tangent of hyperelastic solids, for every law of the registry. */
#include "base/lanes.h"
#include "elastic/elements/tet4.h"
#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/every_law.h"
#include "elastic/laws/hyper_point.h"
#include "math/sparse/factor.h"

static const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.03, 0.05}};

typedef struct Case {
  tacVolMesh *mesh;
  tacHyperSolid *solid;
  int size;
  double *x, *force, *value;
} Case;

static Case make_case(tacHyperSolidDef def, double by) {
  Case made = {.mesh = tac_test_keep(make_uneven(box, false, 2, 0.2), tac_volmesh_destroy)};
  def.mesh = made.mesh;
  made.solid = tac_test_keep(make_hyper_solid(def), tac_hyper_solid_destroy);
  made.size = 3 * made.mesh->vertex_count;
  made.x = deformed_of(made.mesh, large_gradient(), by);
  made.force = vector_of(made.mesh);
  made.value = tac_test_alloc((size_t)tac_sparse_count(tac_hyper_solid_pattern(made.solid)) * sizeof(double));
  return made;
}

/* ---- derivatives ---- */

/* Central differences by Richardson: errors of h^4. */
static double energy_slope(const Case *c, double *x, const double *d, double h) {
  double by[2];
  for (int n = 0; n < 2; ++n, h *= 0.5) {
    for (int i = 0; i < c->size; ++i) x[i] = c->x[i] + h * d[i];
    double up = tac_hyper_solid_energy(c->solid, x);
    for (int i = 0; i < c->size; ++i) x[i] = c->x[i] - h * d[i];
    by[n] = (up - tac_hyper_solid_energy(c->solid, x)) / (2.0 * h);
  }
  return (4.0 * by[1] - by[0]) / 3.0;
}

/* Along random directions d: dW = force . d and dforce = K d. */
static void check_derivatives(Case *c, double step, bool with_energy) {
  const tacSparse *pattern = tac_hyper_solid_pattern(c->solid);
  tacSparse k = *pattern;
  k.value = c->value;
  size_t size = (size_t)c->size;
  double *d = tac_test_doubles(size), *x = tac_test_doubles(size), *product = tac_test_doubles(size);
  double *difference = tac_test_doubles(size), *probe = tac_test_doubles(size);
  tacRandom random = tac_random_seed(17);
  tac_hyper_solid_evaluate(c->solid, c->x, step, c->force, c->value);
  for (int trial = 0; trial < 3; ++trial) {
    for (int i = 0; i < c->size; ++i) d[i] = tac_random_uniform(&random, -1.0, 1.0);
    double h = 2e-5, slope = 0.0, scale = 0.0;
    for (int i = 0; i < c->size; ++i) {
      slope += c->force[i] * d[i];
      scale += fabs(c->force[i] * d[i]);
    }
    if (with_energy) ck_assert_double_eq_tol(energy_slope(c, x, d, h), slope, 1e-6 * scale);
    memset(difference, 0, size * sizeof *difference);
    for (int n = 0; n < 4; ++n) { /* weights of (4 central(h / 2) - central(h)) / 3 */
      static const double at[4] = {0.5, -0.5, 1.0, -1.0}, weight[4] = {4.0, -4.0, -0.5, 0.5};
      for (int i = 0; i < c->size; ++i) x[i] = c->x[i] + at[n] * h * d[i];
      tac_hyper_solid_evaluate(c->solid, x, step, probe, NULL);
      for (int i = 0; i < c->size; ++i) difference[i] += weight[n] * probe[i] / (3.0 * h);
    }
    tac_sparse_multiply_lower(&k, d, 1, product);
    double most = largest_entry(product, c->size);
    for (int i = 0; i < c->size; ++i) ck_assert_double_eq_tol(difference[i], product[i], 1e-6 * most);
  }
}

/* Each law as it is and with mean changes of volume, deformed and inside out. */
TAC_TEST(differentiates_every_law) {
  for (int n = 0; n < 4 * law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n / 4));
    Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 1e-3);
    for (int v = 0; n % 4 > 1 && v < c.mesh->vertex_count; ++v) c.x[3 * v + 1] *= -1.0;
    ck_assert_int_eq(tac_hyper_solid_inverted(c.solid, c.x), n % 4 > 1 ? c.mesh->tet_count : 0);
    check_derivatives(&c, 0.0, true);
  }
}

/* Fibres in another direction in each element. */
static tacMat3 *make_axes(int count) {
  tacMat3 *axes = tac_test_alloc((size_t)count * sizeof *axes);
  tacRandom random = tac_random_seed(29);
  for (int t = 0; t < count; ++t) {
    tacVec3 a = tac_vec3_unit(tac_random_normal3(&random));
    tacVec3 b = tac_vec3_unit(tac_vec3_cross(a, tac_random_normal3(&random)));
    axes[t] = tac_mat3_from_columns(a, b, tac_vec3_cross(a, b));
  }
  return axes;
}

/* The kernel is another way to what one point's evaluator computes, at every width of the processor. */
TAC_TEST(agrees_with_one_point_at_a_time) {
  for (int n = 0; n < law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n));
    if (law_at(n)->fibres)
      for (int i = 0; i < law_at(n)->parameter_count; ++i) material.parameters[i] *= 1.0 + 0.3 * i;
    tacMat3 *axes = make_axes(48); /* left-handed ones are the same material */
    tacMat3 *mirrored = make_axes(48);
    for (int t = 0; t < 48; t += 2)
      for (int i = 0; i < 3; ++i) mirrored[t].m[i][t / 2 % 3] = -mirrored[t].m[i][t / 2 % 3];
    Case c = make_case((tacHyperSolidDef){.materials = &material, .axes = mirrored}, 1e-3);
    ck_assert_int_eq(c.mesh->tet_count, 48);
    size_t size = (size_t)c.size;
    double *force = vector_of(c.mesh), *dense = tac_test_doubles(size * size);
    double energy = 0.0;
    for (int t = 0; t < c.mesh->tet_count; ++t) {
      const int *v = c.mesh->tets[t].v;
      tacVec3 corners[4];
      for (int a = 0; a < 4; ++a) corners[a] = c.mesh->vertices[v[a]];
      tacTet4 tet;
      ck_assert(tac_tet4_init(corners, &tet));
      tacMat3 f = tac_mat3_zero();
      for (int a = 0; a < 4; ++a) f = tac_mat3_add(f, tac_mat3_outer(get_vec3(c.x, v[a]), tet.gradient[a]));
      tacHyperPoint point;
      tac_hyper_point_evaluate(law_at(n), material.parameters, &axes[t], &f, &point);
      energy += tet.volume * point.energy;
      for (int a = 0; a < 4; ++a) {
        tacVec3 r = tac_vec3_scale(tet.volume, tac_mat3_mul_vec(point.stress, tet.gradient[a]));
        put_vec3(force, v[a], tac_vec3_add(get_vec3(force, v[a]), r));
        for (int b = 0; b < 4; ++b)
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
              const double p[3] = {tet.gradient[a].x, tet.gradient[a].y, tet.gradient[a].z};
              const double q[3] = {tet.gradient[b].x, tet.gradient[b].y, tet.gradient[b].z};
              for (int j = 0; j < 3; ++j)
                for (int l = 0; l < 3; ++l)
                  dense[(3 * (size_t)v[a] + (size_t)i) * size + 3 * (size_t)v[b] + (size_t)k] +=
                      tet.volume * p[j] * point.tangent[3 * i + j][3 * k + l] * q[l];
            }
      }
    }
    const tacSparse *pattern = tac_hyper_solid_pattern(c.solid);
    tac_test_ok(tac_sparse_check(pattern, &error), error);
    for (int width = 2; width <= 8; width *= 2) {
      tac_lanes_limit(width);
      tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, c.value);
      ck_assert_double_eq_tol(tac_hyper_solid_energy(c.solid, c.x), energy, 1e-12 * fabs(energy));
      double most = largest_entry(force, c.size);
      for (int i = 0; i < c.size; ++i) ck_assert_double_eq_tol(c.force[i], force[i], 1e-12 * most);
      most = largest_entry(dense, c.size * c.size);
      for (int j = 0; j < pattern->cols; ++j)
        for (int i = j; i < pattern->rows; ++i) {
          int place = tac_sparse_find(pattern, i, j);
          double expected = dense[(size_t)i * size + (size_t)j];
          ck_assert_double_eq_tol(place >= 0 ? c.value[place] : 0.0, expected, 1e-12 * most);
        }
      /* and without the tangent */
      tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, NULL);
      most = largest_entry(force, c.size);
      for (int i = 0; i < c.size; ++i) ck_assert_double_eq_tol(c.force[i], force[i], 1e-12 * most);
    }
  }
}

/* ---- rotations, threads, masses ---- */

TAC_TEST(turns_without_force) {
  const double c = cos(2.0), s = sin(2.0);
  const tacMat3 turn = {{{c, -s, 0.0}, {0.6 * s, 0.6 * c, -0.8}, {0.8 * s, 0.8 * c, 0.6}}};
  for (int n = 0; n < 2 * law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n / 2));
    Case test = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 0.0);
    tac_hyper_solid_evaluate(test.solid, test.x, 0.0, test.force, NULL);
    double before = largest_entry(test.force, test.size), energy = tac_hyper_solid_energy(test.solid, test.x);
    for (int v = 0; v < test.mesh->vertex_count; ++v)
      put_vec3(test.x, v, tac_vec3_add(tac_vec3(0.3, -0.2, 0.1), tac_mat3_mul_vec(turn, test.mesh->vertices[v])));
    tac_hyper_solid_evaluate(test.solid, test.x, 0.0, test.force, NULL);
    ck_assert_double_lt(largest_entry(test.force, test.size), 1e-12 * before);
    ck_assert_double_eq_tol(tac_hyper_solid_energy(test.solid, test.x), 0.0, 1e-12 * energy);
  }
}

/* Two materials, one of them viscous, patches: force, tangent and what viscosity stores are the same to the bit. */
TAC_TEST(threads_do_not_change_a_bit) {
  tacHyperMaterial materials[2] = {make_hyper(tac_hyper_law_find("mooney-rivlin", NULL)),
                                   make_hyper(tac_hyper_law_find("ogden", NULL))};
  materials[0].prony_count = 2;
  materials[0].prony[0] = (tacPronyTerm){0.3, 0.1};
  materials[0].prony[1] = (tacPronyTerm){0.2, 0.01};
  TAC_OWN(tacVolMesh, mesh) = make_uneven(box, false, 4, 0.2);
  int *material_of = tac_test_alloc((size_t)mesh->tet_count * sizeof *material_of);
  for (int t = 0; t < mesh->tet_count; ++t) material_of[t] = t % 7 == 0 || t > 200;
  double *x = deformed_of(mesh, large_gradient(), 1e-3), *force = vector_of(mesh);
  double *first_force = vector_of(mesh), *value = NULL, *first_value = NULL, *history = NULL;
  double *first_history = NULL;
  for (int threads = 1; threads <= 4; ++threads) {
    TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh,
                                                                        .material_count = 2,
                                                                        .materials = materials,
                                                                        .material_of = material_of,
                                                                        .patches = true,
                                                                        .thread_count = threads});
    size_t places = (size_t)tac_sparse_count(tac_hyper_solid_pattern(solid)),
           stored = (size_t)tac_hyper_solid_history_size(solid);
    ck_assert_int_gt((int)stored, 0);
    if (threads == 1) {
      value = tac_test_alloc(places * sizeof *value);
      first_value = tac_test_alloc(places * sizeof *value);
      history = tac_test_alloc(stored * sizeof *history);
      first_history = tac_test_alloc(stored * sizeof *history);
    }
    for (int i = 0; i < 2; ++i) {
      tac_hyper_solid_evaluate(solid, x, 0.01, force, value);
      tac_hyper_solid_relax(solid, x, 0.01);
    }
    tac_hyper_solid_save(solid, history);
    if (threads == 1) {
      memcpy(first_force, force, 3 * (size_t)mesh->vertex_count * sizeof *force);
      memcpy(first_value, value, places * sizeof *value);
      memcpy(first_history, history, stored * sizeof *history);
    }
    ck_assert_mem_eq(force, first_force, 3 * (size_t)mesh->vertex_count * sizeof *force);
    ck_assert_mem_eq(value, first_value, places * sizeof *value);
    ck_assert_mem_eq(history, first_history, stored * sizeof *history);
  }
  ck_assert_double_gt(largest_entry(first_history, 1), 0.0);
}

TAC_TEST(lumps_its_mass) {
  tacHyperMaterial material = make_hyper(tac_hyper_law_find("neo-hookean", NULL));
  Case c = make_case((tacHyperSolidDef){.materials = &material}, 0.0);
  double sum = 0.0, *mass = tac_test_alloc((size_t)c.mesh->vertex_count * sizeof *mass);
  tac_hyper_solid_masses(c.solid, mass);
  for (int v = 0; v < c.mesh->vertex_count; ++v) {
    ck_assert_double_gt(mass[v], 0.0);
    sum += mass[v];
  }
  ck_assert_double_eq_tol(sum, 1000.0 * 0.04 * 0.03 * 0.05, 1e-12);
}

/* ---- inversion and definite tangents ---- */

/* Collapsed to a plane, a line, a point, turned inside out: everything is finite. */
TAC_TEST(is_finite_for_every_shape) {
  static const tacMat3 gradients[] = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}}},
                                      {{{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}},
                                      {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}},
                                      {{{1.0, 0.2, 0.0}, {0.0, 0.9, 0.1}, {0.1, 0.0, -0.8}}}};
  for (int n = 0; n < 4 * law_count(); ++n)
    for (size_t k = 0; k < sizeof gradients / sizeof *gradients; ++k) {
      tacHyperMaterial material = make_hyper(law_at(n / 4));
      material.prony_count = 1;
      material.prony[0] = (tacPronyTerm){0.5, 0.1};
      Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1, .definite = n % 4 > 1}, 0.0);
      for (int v = 0; v < c.mesh->vertex_count; ++v)
        put_vec3(c.x, v, tac_mat3_mul_vec(gradients[k], c.mesh->vertices[v]));
      for (int step = 0; step < 2; ++step) {
        tac_hyper_solid_evaluate(c.solid, c.x, 0.01, c.force, c.value);
        tac_hyper_solid_relax(c.solid, c.x, 0.01);
      }
      for (int i = 0; i < c.size; ++i) ck_assert(isfinite(c.force[i]));
      for (int i = 0; i < tac_sparse_count(tac_hyper_solid_pattern(c.solid)); ++i) ck_assert(isfinite(c.value[i]));
      double energy = tac_hyper_solid_energy(c.solid, c.x), mises, stretch;
      ck_assert(isfinite(energy));
      double *all = tac_test_doubles(2 * (size_t)c.mesh->tet_count);
      tac_hyper_solid_colours(c.solid, c.x, all, all + c.mesh->tet_count);
      for (int t = 0; t < 2 * c.mesh->tet_count; ++t) ck_assert(isfinite(all[t]));
      mises = all[0];
      stretch = all[c.mesh->tet_count];
      ck_assert(mises >= 0.0 && stretch >= 0.0);
      ck_assert_int_eq(tac_hyper_solid_inverted(c.solid, c.x), c.mesh->tet_count);
    }
}

/* x . K x of random x, and of whatever K makes most negative by power iterations on K - s 1. */
static double least_rayleigh(const Case *c, const tacSparse *k) {
  size_t size = (size_t)c->size;
  double *x = tac_test_doubles(size), *y = tac_test_doubles(size);
  double shift = 0.0, rayleigh = 0.0;
  for (int i = 0; i < tac_sparse_count(k); ++i) shift = fmax(shift, fabs(k->value[i]));
  shift *= 12.0;
  tacRandom random = tac_random_seed(3);
  for (int i = 0; i < c->size; ++i) x[i] = tac_random_uniform(&random, -1.0, 1.0);
  for (int n = 0; n < 3000; ++n) {
    double norm = 0.0;
    for (int i = 0; i < c->size; ++i) norm += x[i] * x[i];
    norm = sqrt(norm);
    for (int i = 0; i < c->size; ++i) x[i] /= norm;
    tac_sparse_multiply_lower(k, x, 1, y);
    rayleigh = 0.0;
    for (int i = 0; i < c->size; ++i) {
      rayleigh += x[i] * y[i];
      x[i] = shift * x[i] - y[i];
    }
  }
  return rayleigh / shift;
}

/* Pressed to less than half its height K has negative eigenvalues; projected it has none, nor where everything is so
 * wide that the volumetric energy is concave in the width. Where every element's tangent is positive semidefinite,
 * nothing changes. */
TAC_TEST(projects_to_definite_tangents) {
  static const char *names[] = {"st-venant-kirchhoff", "neo-hookean", "veronda-westmann", "costa"};
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
    for (int patches = 0; patches < 2; ++patches) {
      tacHyperMaterial material = make_hyper(tac_hyper_law_find(names[n], &error));
      double least[4];
      for (int k = 0; k < 4; ++k) {
        bool definite = k > 0;
        tacHyperMaterial stiff = material;
        if (k == 2) stiff.parameters[material.law->parameter_count - 1] *= 100.0; /* the bulk modulus */
        if (k == 3) {
          stiff.prony_count = 1;
          stiff.prony[0] = (tacPronyTerm){0.9, 0.1};
        }
        Case c = make_case((tacHyperSolidDef){.materials = &stiff, .patches = patches == 1, .definite = definite}, 0.0);
        tacMat3 f = k == 2 ? tac_mat3_diagonal(4.0, 4.0, 4.0) : tac_mat3_diagonal(1.0, 1.0, 0.3);
        if (k == 3) { /* relaxed where it was sheared, pressed now */
          double *before = deformed_of(c.mesh, large_gradient(), 0.0);
          for (int step = 0; step < 10; ++step) tac_hyper_solid_relax(c.solid, before, 0.1);
        }
        for (int v = 0; v < c.mesh->vertex_count; ++v) put_vec3(c.x, v, tac_mat3_mul_vec(f, c.mesh->vertices[v]));
        tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, c.value);
        tacSparse stiffness = *tac_hyper_solid_pattern(c.solid);
        stiffness.value = c.value;
        least[k] = least_rayleigh(&c, &stiffness);
      }
      ck_assert_double_lt(least[0], -1e-4);
      ck_assert_double_gt(least[1], -1e-12);
      ck_assert_double_gt(least[2], -1e-12);
      ck_assert_double_gt(least[3], -1e-12);
      tacMat3 wider = tac_mat3_diagonal(1.1, 1.1, 1.1);
      Case plain = make_case((tacHyperSolidDef){.materials = &material, .patches = patches == 1}, 0.0);
      Case projected =
          make_case((tacHyperSolidDef){.materials = &material, .patches = patches == 1, .definite = true}, 0.0);
      for (int v = 0; v < plain.mesh->vertex_count; ++v)
        put_vec3(plain.x, v, tac_mat3_mul_vec(wider, plain.mesh->vertices[v]));
      tac_hyper_solid_evaluate(plain.solid, plain.x, 0.0, plain.force, plain.value);
      tac_hyper_solid_evaluate(projected.solid, plain.x, 0.0, projected.force, projected.value);
      int places = tac_sparse_count(tac_hyper_solid_pattern(plain.solid));
      double most = largest_entry(plain.value, places);
      for (int i = 0; i < places; ++i) ck_assert_double_eq_tol(projected.value[i], plain.value[i], 1e-10 * most);
    }
}

/* ---- viscosity ---- */

static tacHyperMaterial make_viscous(const char *name) {
  tacHyperMaterial material = make_hyper(tac_hyper_law_find(name, NULL));
  material.prony_count = 2;
  material.prony[0] = (tacPronyTerm){0.4, 0.05};
  material.prony[1] = (tacPronyTerm){0.2, 0.5};
  return material;
}

/* Held at a large strain, the force relaxes as 1 - sum share (1 - exp(-t / time)). */
TAC_TEST(relaxes_by_the_prony_series) {
  for (int n = 0; n < 2 * law_count(); ++n) {
    tacHyperMaterial material = make_viscous(law_at(n / 2)->name);
    Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 1e-3);
    const double h = 1e-3;
    tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, NULL);
    double *at_once = vector_of(c.mesh), square = tac_vector_dot(c.size, c.force, c.force);
    memcpy(at_once, c.force, (size_t)c.size * sizeof *at_once);
    for (int step = 1; step <= 1000; ++step) {
      tac_hyper_solid_relax(c.solid, c.x, h);
      if (step % 100 != 0) continue;
      tac_hyper_solid_evaluate(c.solid, c.x, 0.0, c.force, NULL);
      double t = step * h, expected = 1.0;
      for (int i = 0; i < 2; ++i) expected -= material.prony[i].share * (1.0 - exp(-t / material.prony[i].time));
      ck_assert_double_eq_tol(tac_vector_dot(c.size, c.force, at_once) / square, expected, 0.01 * expected);
      for (int i = 0; i < c.size; ++i)
        ck_assert_double_eq_tol(c.force[i], expected * at_once[i], 0.01 * largest_entry(at_once, c.size));
    }
  }
}

/* Step by step with what is stored: the tangent is the force's, and evaluation with h is what follows relaxation. */
TAC_TEST(relaxing_stress_has_a_consistent_tangent) {
  for (int n = 0; n < 4; ++n) {
    tacHyperMaterial material = make_viscous(n < 2 ? "mooney-rivlin" : "costa");
    Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 1e-3);
    double *rest = positions_of(c.mesh), *after = vector_of(c.mesh);
    tac_hyper_solid_relax(c.solid, rest, 0.02);
    for (int i = 0; i < c.size; ++i) rest[i] = 0.5 * (rest[i] + c.x[i]);
    tac_hyper_solid_relax(c.solid, rest, 0.02);
    check_derivatives(&c, 0.03, false);
    int stored = tac_hyper_solid_history_size(c.solid);
    double *history = tac_test_doubles((size_t)stored);
    tac_hyper_solid_save(c.solid, history);
    tac_hyper_solid_evaluate(c.solid, c.x, 0.03, c.force, NULL);
    tac_hyper_solid_relax(c.solid, c.x, 0.03);
    tac_hyper_solid_evaluate(c.solid, c.x, 0.0, after, NULL);
    double most = largest_entry(c.force, c.size);
    for (int i = 0; i < c.size; ++i) ck_assert_double_eq_tol(after[i], c.force[i], 1e-11 * most);
    tac_hyper_solid_load(c.solid, history);
    tac_hyper_solid_evaluate(c.solid, c.x, 0.03, after, NULL);
    ck_assert_mem_eq(after, c.force, (size_t)c.size * sizeof *after);
  }
}

/* Work over cycles from rest to rest is never negative, slow or fast, small or large; where times and the cycle's
 * are alike, much of it is lost. */
TAC_TEST(gives_no_energy_in_a_cycle) {
  static const char *names[] = {"neo-hookean", "mooney-rivlin", "veronda-westmann", "st-venant-kirchhoff"};
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
    for (int k = 0; k < 9; ++k) {
      tacHyperMaterial material = make_viscous(names[n]);
      Case c = make_case((tacHyperSolidDef){.materials = &material}, 0.0);
      static const double periods[3] = {0.01, 0.3, 10.0}, sizes[3] = {0.01, 0.1, 0.3};
      enum { STEPS = 200 };
      double h = periods[k / 3] / STEPS, work = 0.0, taken = 0.0, *next = positions_of(c.mesh);
      memcpy(c.x, next, (size_t)c.size * sizeof *next);
      for (int step = 1; step <= 2 * STEPS; ++step) {
        double a = 2.0 * M_PI * step / STEPS, s = sizes[k % 3];
        tacMat3 f = {{{1.0 + s * sin(a), s * (1.0 - cos(a)), 0.0},
                      {0.0, 1.0 - 0.5 * s * sin(a), 0.0},
                      {0.5 * s * sin(2.0 * a), 0.0, 1.0}}};
        for (int v = 0; v < c.mesh->vertex_count; ++v) put_vec3(next, v, tac_mat3_mul_vec(f, c.mesh->vertices[v]));
        tac_hyper_solid_evaluate(c.solid, next, h, c.force, NULL);
        tac_hyper_solid_relax(c.solid, next, h);
        for (int i = 0; i < c.size; ++i) {
          work += c.force[i] * (next[i] - c.x[i]);
          taken += fabs(c.force[i] * (next[i] - c.x[i]));
          c.x[i] = next[i];
        }
        if (step % STEPS == 0) ck_assert_double_gt(work, 0.0);
      }
      if (k / 3 == 1) ck_assert_double_gt(work, 0.05 * taken);
    }
}

/* A small load on a bar creeps as 1 + s / (1 - s) (1 - exp(-(1 - s) t / time)) for one Prony term. */
TAC_TEST(creeps_as_a_linear_solid) {
  tacHyperMaterial material = find_hyper("neo-hookean", 4e3, 8e3, 0.0);
  const double share = 0.5, time = 0.1, h = 2e-4;
  material.prony_count = 1;
  material.prony[0] = (tacPronyTerm){share, time};
  Case c = make_case((tacHyperSolidDef){.materials = &material}, 0.0);
  const tacSparse *pattern = tac_hyper_solid_pattern(c.solid);
  double *rest = positions_of(c.mesh), *load = vector_of(c.mesh), *step = vector_of(c.mesh);
  double first = 0.0;
  bool *held = tac_test_alloc((size_t)c.size * sizeof *held);
  for (int v = 0; v < c.mesh->vertex_count; ++v) { /* sliding on three planes */
    tacVec3 p = c.mesh->vertices[v];
    held[3 * v] = p.x <= box.lower.x;
    held[3 * v + 1] = p.y <= box.lower.y;
    held[3 * v + 2] = p.z <= box.lower.z;
  }
  /* Uniform traction of 1 Pa along z: what a uniform stress does to each vertex is |V| D_z / |V|, the force of W = V
   * tr(F e_z e_z^T). */
  for (int t = 0; t < c.mesh->tet_count; ++t) {
    tacVec3 corners[4];
    tacTet4 tet;
    for (int a = 0; a < 4; ++a) corners[a] = c.mesh->vertices[c.mesh->tets[t].v[a]];
    ck_assert(tac_tet4_init(corners, &tet));
    for (int a = 0; a < 4; ++a) load[3 * c.mesh->tets[t].v[a] + 2] += tet.volume * tet.gradient[a].z;
  }
  TAC_CREATE(tacFactor, factor, tac_factor_create(pattern, &factor, &error));
  memcpy(c.x, rest, (size_t)c.size * sizeof *rest);
  for (int n = 0; n <= 1000; ++n) {
    for (int i = 0; i < 2; ++i) {
      tac_hyper_solid_evaluate(c.solid, c.x, n == 0 ? 0.0 : h, c.force, c.value);
      for (int d = 0; d < c.size; ++d) {
        step[d] = held[d] ? 0.0 : load[d] - c.force[d];
        if (held[d]) c.value[tac_sparse_find(pattern, d, d)] *= 1e9;
      }
      tac_test_ok(tac_factor_update(factor, c.value, &error), error);
      tac_test_ok(tac_factor_solve(factor, step, 1, step, &error), error);
      for (int d = 0; d < c.size; ++d) c.x[d] += held[d] ? 0.0 : step[d];
    }
    if (n > 0) tac_hyper_solid_relax(c.solid, c.x, h);
    double longest = 0.0;
    for (int v = 0; v < c.mesh->vertex_count; ++v) longest = fmax(longest, c.x[3 * v + 2] - rest[3 * v + 2]);
    if (n == 0) first = longest;
    double expected = 1.0 + share / (1.0 - share) * (1.0 - exp(-(1.0 - share) * n * h / time));
    if (n % 50 == 0) ck_assert_double_eq_tol(longest / first, expected, 0.01);
  }
  const double young = 9.0 * 8e3 * 4e3 / (3.0 * 8e3 + 4e3);
  ck_assert_double_eq_tol(first, 0.05 / young, 1e-3 * first);
}

/* ---- what is shown, what is refused ---- */

/* What is left of the stress at once when viscosity has relaxed; stretches stay. */
TAC_TEST(colours_relax_with_the_stress) {
  tacHyperMaterial material = find_hyper("neo-hookean", 3e3, 5e3, 0.0);
  material.prony_count = 1;
  material.prony[0] = (tacPronyTerm){0.7, 0.1};
  Case c = make_case((tacHyperSolidDef){.materials = &material}, 1e-3);
  size_t tets = (size_t)c.mesh->tet_count;
  double *before = tac_test_doubles(2 * tets), *after = tac_test_doubles(2 * tets);
  tac_hyper_solid_colours(c.solid, c.x, before, before + tets);
  for (int n = 0; n < 10; ++n) tac_hyper_solid_relax(c.solid, c.x, 100.0);
  tac_hyper_solid_colours(c.solid, c.x, after, after + tets);
  for (size_t t = 0; t < tets; ++t) {
    ck_assert_double_gt(before[t], 0.0);
    ck_assert_double_eq_tol(after[t], 0.3 * before[t], 1e-9 * before[t]);
    ck_assert_double_eq(after[tets + t], before[tets + t]);
  }
}

static void check_refused(tacHyperSolidDef def, tacStatus status, const char *word) {
  tacHyperSolid *solid;
  tac_test_refused(tac_hyper_solid_create(&def, &solid, &error), status, error, word);
  ck_assert_ptr_null(solid);
}

TAC_TEST(impossible_definitions_are_refused) {
  tacHyperMaterial material = make_hyper(tac_hyper_law_find("neo-hookean", NULL)), bad = material;
  TAC_OWN(tacVolMesh, mesh) = make_tets(box, 1, 1, 1);
  TAC_OWN(tacVolMesh, bricks) = make_bricks(box, 1, 1, 1);
  tacHyperSolidDef def = {.mesh = mesh, .material_count = 1, .materials = &bad, .thread_count = 1};
  bad.density = 0.0;
  check_refused(def, TAC_ERR_ARGUMENT, "density");
  bad = material;
  bad.parameters[0] = -1.0;
  check_refused(def, TAC_ERR_ARGUMENT, "material 0");
  bad = material;
  bad.prony_count = 2;
  bad.prony[0] = bad.prony[1] = (tacPronyTerm){0.5, 1.0};
  check_refused(def, TAC_ERR_ARGUMENT, "add up to 1");
  bad.prony[1] = (tacPronyTerm){0.2, 0.0};
  check_refused(def, TAC_ERR_ARGUMENT, "time of Prony term 1");
  bad = material;
  def.mesh = bricks;
  check_refused(def, TAC_ERR_UNSUPPORTED, "bricks");
  def.mesh = mesh;
  int material_of[6] = {0, 0, 0, 1, 0, 0};
  def.material_of = material_of;
  check_refused(def, TAC_ERR_ARGUMENT, "element 3");
  def.material_of = NULL;
  tacMat3 axes[6];
  for (int t = 0; t < 6; ++t) axes[t] = tac_mat3_identity();
  axes[4].m[0][1] = 0.1;
  def.axes = axes;
  check_refused(def, TAC_ERR_ARGUMENT, "element 4: the");
  def.axes = NULL;
  def.thread_count = 0;
  check_refused(def, TAC_ERR_ARGUMENT, "threads");
  def.thread_count = 1;
  int v = mesh->tets[2].v[0];
  mesh->tets[2].v[0] = mesh->tets[2].v[1];
  mesh->tets[2].v[1] = v;
  check_refused(def, TAC_ERR_GEOMETRY, "element 2");
}
