/* What a bake hands over, compared with full matrices, closed forms, geometry of the deformed mesh and the finite-strain
 * energy of all degrees of freedom. */
#include <tactus/reduced.h>
#include <tactus/volmesh.h>
#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/finite_strain.h"
#include "given_memory.h"
#include "kinds/reduced/basis/motion_basis.h"
#include "kinds/reduced/reduced.h"

static tacError error;

/* A body and its def; the solid and the basis are those of the bake, computed once more. */
typedef struct {
  tacVolMesh *mesh;
  tacMaterial materials[3];
  int *material_of;
  bool *held;
  tacReducedDef def;
  tacSolid solid;
  tacMotionBasis basis;
  tacReduced *reduced;
} Body;

static void begin(tacVolMesh *mesh, Body *body) {
  int elements = tac_element_count(mesh);
  *body = (Body){.mesh = mesh,
                 .material_of = calloc((size_t)elements, sizeof(int)),
                 .held = calloc((size_t)mesh->vertex_count, sizeof(bool)),
                 .def = tac_reduced_def_default()};
  body->materials[0] = make_isotropic(1000.0, 1e5, 0.3);
  body->def.volume = mesh;
  body->def.material_count = 1;
  body->def.materials = body->materials;
}

/* Holds what is at the body's left end. */
static void anchor(Body *body) {
  double left = tac_volmesh_box(body->mesh).lower.x;
  for (int v = 0; v < body->mesh->vertex_count; ++v) body->held[v] = body->mesh->vertices[v].x <= left;
  body->def.held = body->held;
}

/* The right half is of another, the third material has no element. */
static void divide(Body *body, tacMaterial other) {
  double middle = tac_box_centre(tac_volmesh_box(body->mesh)).x;
  for (int e = 0; e < tac_element_count(body->mesh); ++e) {
    double x = 0.0;
    int count = tac_element_corner_count(body->mesh, e);
    for (int c = 0; c < count; ++c) x += body->mesh->vertices[tac_element_vertices(body->mesh, e)[c]].x / count;
    body->material_of[e] = x > middle;
  }
  body->materials[1] = other;
  body->def.material_count = 3;
  body->def.material_of = body->material_of;
}

static void bake(Body *body) {
  body->solid = (tacSolid){.mesh = body->mesh,
                           .material_count = body->def.material_count,
                           .materials = body->materials,
                           .material_of = body->def.material_of,
                           .held = body->def.held,
                           .mass = body->def.lumped_mass ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT};
  tac_test_ok(tac_motion_basis_compute(&body->solid, &body->def, NULL, &body->basis, &error), error);
  tac_test_ok(tac_reduced_bake(&body->def, NULL, &body->reduced, &error), error);
  ck_assert_int_eq(tac_reduced_size(body->reduced), body->def.size);
}

static void end(Body *body) {
  tac_reduced_destroy(body->reduced);
  tac_motion_basis_destroy(&body->basis);
  free(body->held);
  free(body->material_of);
  tac_volmesh_destroy(body->mesh);
}

static const tacBox beam = {{0.0, 0.0, 0.0}, {0.2, 0.03, 0.02}};

static tacVolMesh *make_beam(bool bricks) {
  return bricks ? make_bricks(beam, 8, 2, 2) : make_tets(beam, 6, 2, 1);
}

/* u = U q of all vertices. */
static double *displace(const Body *body, const double *q) {
  size_t size = (size_t)body->basis.size;
  double *u = calloc(size, sizeof *u);
  for (int j = 0; j < body->basis.count; ++j)
    for (size_t i = 0; i < size; ++i) u[i] += q[j] * body->basis.vector[size * (size_t)j + i];
  return u;
}

/* The change of a row of [vertex][axis][r] for q. */
static tacVec3 row_change(const Body *body, const double *rows, int vertex, const double *q) {
  int r = body->basis.count;
  double sum[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < r; ++j) sum[axis] += rows[(3 * (size_t)vertex + (size_t)axis) * (size_t)r + (size_t)j] * q[j];
  return tac_vec3(sum[0], sum[1], sum[2]);
}

static void check_embedding(const Body *body) {
  const tacTriMesh *surface = tac_reduced_surface(body->reduced);
  const double *rows = tac_reduced_displacements(body->reduced);
  int r = body->basis.count;
  TAC_CREATE(tacEmbedding, embedding,
             tac_embedding_create(body->mesh, surface->vertex_count, surface->vertices, &embedding, &error));
  TAC_MEMORY(tacVec3, points) = malloc((size_t)surface->vertex_count * sizeof *points);
  for (int j = 0; j < r; ++j) {
    double q[TAC_BODY_MOST_COORDINATES] = {0.0}, largest = 0.0;
    const double *column = body->basis.vector + (size_t)body->basis.size * (size_t)j;
    q[j] = 1.0;
    for (int i = 0; i < body->basis.size; ++i) largest = fmax(largest, fabs(column[i]));
    tac_embedding_apply(embedding, (const tacVec3 *)column, points);
    for (int v = 0; v < surface->vertex_count; ++v)
      ck_assert_double_lt(tac_vec3_distance(points[v], row_change(body, rows, v, q)), 1e-13 * largest);
  }
}

/* U^T M U and U^T M e, where M is what doubling the density of `group` adds; -1: all of M. */
static void full_mass(const Body *body, int group, double *matrix, double *force) {
  int r = body->basis.count;
  size_t size = (size_t)body->basis.size;
  tacMaterial denser[3];
  memcpy(denser, body->materials, sizeof denser);
  tacSparse mass, whole;
  tac_test_ok(tac_assembly_mass(body->mesh, body->materials, body->def.material_of, body->solid.mass, &whole, &error),
              error);
  if (group >= 0) {
    denser[group].density *= 2.0;
    tac_test_ok(tac_assembly_mass(body->mesh, denser, body->def.material_of, body->solid.mass, &mass, &error), error);
    for (int i = 0; i < tac_sparse_count(&mass); ++i) whole.value[i] = mass.value[i] - whole.value[i];
    tac_sparse_destroy(&mass);
  }
  TAC_MEMORY(double, product) = malloc(size * sizeof *product);
  for (int j = 0; j < r; ++j) {
    tac_sparse_multiply(&whole, body->basis.vector + size * (size_t)j, 1, product);
    for (int axis = 0; axis < 3; ++axis) force[axis * r + j] = 0.0;
    for (size_t k = 0; k < size; ++k) force[(int)(k % 3) * r + j] += product[k];
    for (int i = 0; i < r; ++i) {
      matrix[r * i + j] = 0.0;
      for (size_t k = 0; k < size; ++k) matrix[r * i + j] += body->basis.vector[size * (size_t)i + k] * product[k];
    }
  }
  tac_sparse_destroy(&whole);
}

static void check_mass(const Body *body) {
  const tacReducedParts *parts = tac_reduced_parts(body->reduced);
  int r = parts->size, groups = parts->group_count;
  TAC_MEMORY(double, matrix) = malloc((size_t)(r * r) * sizeof *matrix);
  TAC_MEMORY(double, force) = malloc((size_t)(3 * r) * sizeof *force);
  for (int g = groups > 1 ? 0 : -1; g < groups; ++g) {
    full_mass(body, g, matrix, force);
    int place = g < 0 ? 0 : g;
    for (int i = 0; i < r * r; ++i) ck_assert_double_eq_tol(parts->mass_matrix[place * r * r + i], matrix[i], 1e-10);
    for (int i = 0; i < 3 * r; ++i)
      ck_assert_double_eq_tol(parts->body_force[place * 3 * r + i], force[i], 1e-10 * sqrt(parts->mass));
  }
}

/* The parts' energies, weighted as baked, are that of all degrees of freedom. */
static void check_energy(const Body *body) {
  const tacReducedParts *parts = tac_reduced_parts(body->reduced);
  int r = parts->size;
  double *scratch = malloc(tac_reduced_polynomial_scratch(r) * sizeof *scratch), q[TAC_BODY_MOST_COORDINATES];
  TAC_CREATE(tacFiniteStrain, strain, tac_finite_strain_create(&body->solid, &strain, &error));
  tacRandom random = tac_random_seed(3);
  for (int trial = 0; trial < 3; ++trial) {
    for (int j = 0; j < r; ++j) q[j] = tac_random_uniform(&random, -0.01, 0.01);
    double *u = displace(body, q), sum = 0.0, expected = tac_finite_strain_energy(strain, u);
    for (int p = 0; p < parts->part_count; ++p)
      sum += parts->parts[p].weight * tac_reduced_polynomial_energy(r, parts->parts[p].coefficients, q, scratch);
    ck_assert_double_gt(expected, 0.0);
    ck_assert_double_eq_tol(sum, expected, 1e-10 * expected);
    free(u);
  }
  free(scratch);
}

/* Of a box with density that depends on x only by its halves. */
static void check_box(const Body *body, double left_density, double right_density) {
  tacVec3 size = tac_box_size(beam), middle = tac_box_centre(beam);
  double volume = size.x * size.y * size.z, left = 0.5 * volume * left_density, right = 0.5 * volume * right_density;
  double mass = left + right, shift = 0.25 * size.x * (right - left) / mass;
  ck_assert_double_eq_tol(tac_reduced_mass(body->reduced), mass, 1e-12 * mass);
  tacVec3 centre = tac_reduced_centre(body->reduced);
  ck_assert_double_lt(tac_vec3_distance(centre, tac_vec3_add(middle, tac_vec3(shift, 0.0, 0.0))), 1e-12);
  /* Second moments about the centre of the box, less those of its distance from the centre of mass. */
  double xx = mass * size.x * size.x / 12.0 - mass * shift * shift, yy = mass * size.y * size.y / 12.0;
  double zz = mass * size.z * size.z / 12.0, inertia[3][3];
  double expected[3][3] = {{yy + zz, 0.0, 0.0}, {0.0, xx + zz, 0.0}, {0.0, 0.0, xx + yy}};
  tac_reduced_inertia(body->reduced, inertia);
  for (int i = 0; i < 9; ++i)
    ck_assert_double_eq_tol(inertia[i / 3][i % 3], expected[i / 3][i % 3], 1e-10 * expected[2][2]);
}

TAC_TEST(an_anchored_beam_of_bricks) {
  TAC_FREED(end, Body, body);
  begin(make_beam(true), &body);
  anchor(&body);
  body.def.mode_count = 4;
  body.def.size = 8;
  bake(&body);
  ck_assert(!tac_reduced_is_free(body.reduced));
  ck_assert_int_eq(tac_reduced_group_count(body.reduced), 1);
  ck_assert_str_eq(tac_reduced_group_name(body.reduced, 0), "body");
  const tacTriMesh *surface = tac_reduced_surface(body.reduced);
  int fixed = 0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    ck_assert(tac_reduced_fixed(body.reduced)[v] == (surface->vertices[v].x == 0.0));
    fixed += tac_reduced_fixed(body.reduced)[v];
  }
  ck_assert_int_eq(fixed, 9);
  check_embedding(&body);
  check_mass(&body);
  check_energy(&body);
  check_box(&body, 1000.0, 1000.0);
  const tacReducedInfo *info = tac_reduced_info(body.reduced);
  ck_assert_str_eq(info->source, "modes");
  ck_assert(info->mode_count == 4 && info->element_count == 32 && info->vertex_count == 81);
  ck_assert_double_eq(info->captured, body.basis.captured);
  ck_assert_double_eq_tol(info->linear_least, sqrt(body.basis.linear_value[0]) / (2.0 * M_PI), 1e-9);
  ck_assert_double_eq_tol(info->linear_most, sqrt(body.basis.linear_value[3]) / (2.0 * M_PI), 1e-9);
  /* Rayleigh and Ritz: no frequency below the lowest, and that one is in the basis. */
  ck_assert_double_ge(info->reduced_least, info->linear_least * (1.0 - 1e-6));
  ck_assert_double_lt(info->reduced_least, info->linear_least * 1.1);
  ck_assert_double_gt(info->reduced_most, info->linear_most);
  ck_assert_double_eq(info->bytes_polynomials, 2.0 * 8.0 * (double)tac_reduced_polynomial_count(8));
  ck_assert_double_gt(info->bytes_bake, info->bytes_polynomials);
  ck_assert_int_eq(tac_reduced_shape_count(body.reduced), body.basis.shape_count);
  for (int s = 0; s < body.basis.shape_count; ++s) {
    ck_assert_str_eq(tac_reduced_shape_label(body.reduced, s), body.basis.label[s]);
    ck_assert_mem_eq(tac_reduced_shape(body.reduced, s), body.basis.coordinates + 8 * s, 8 * sizeof(double));
  }
}

/* Materials: isotropic, any, none; masses lumped and consistent. */
TAC_TEST(a_free_body_of_two_groups) {
  static const char *const names[3] = {"soft", NULL, "spare"};
  for (int lumped = 0; lumped < 2; ++lumped) {
    TAC_FREED(end, Body, body);
    begin(make_beam(false), &body);
    divide(&body, make_anisotropic(4));
    body.def.mode_count = 3;
    body.def.size = 6;
    body.def.lumped_mass = lumped;
    body.def.group_names = names;
    bake(&body);
    const tacReducedParts *parts = tac_reduced_parts(body.reduced);
    ck_assert(tac_reduced_is_free(body.reduced));
    ck_assert_int_eq(tac_reduced_group_count(body.reduced), 3);
    ck_assert_str_eq(tac_reduced_group_name(body.reduced, 0), "soft");
    ck_assert_str_eq(tac_reduced_group_name(body.reduced, 1), "group 2");
    ck_assert_str_eq(tac_reduced_group_name(body.reduced, 2), "spare");
    double half = 0.5 * 0.2 * 0.03 * 0.02;
    ck_assert_double_eq_tol(tac_reduced_group_mass(body.reduced, 0), 1000.0 * half, 1e-12);
    ck_assert_double_eq_tol(tac_reduced_group_mass(body.reduced, 1), 1200.0 * half, 1e-12);
    ck_assert_double_eq(tac_reduced_group_mass(body.reduced, 2), 0.0);
    ck_assert_int_eq(parts->part_count, 3);
    for (int p = 0; p < 3; ++p) ck_assert_int_eq(parts->parts[p].group, p == 2);
    check_embedding(&body);
    check_mass(&body);
    check_energy(&body);
    if (!lumped) check_box(&body, 1000.0, 1200.0);
    /* A free body's basis has no rigid part: a uniform acceleration does not deform it. */
    for (int i = 0; i < 3 * parts->size; ++i) {
      double sum = 0.0;
      for (int g = 0; g < 3; ++g) sum += parts->body_force[3 * parts->size * g + i];
      ck_assert_double_lt(fabs(sum), 1e-7 * sqrt(parts->mass));
    }
  }
}

/* A surface of its own, wavy, partly outside of the mesh. */
static tacTriMesh *make_skin(tacBox box, double swell) {
  tacTriMesh *skin = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 9, 12);
  tacVec3 half = tac_vec3_scale(0.5 * swell, tac_box_size(box)), middle = tac_box_centre(box);
  for (int v = 0; v < skin->vertex_count; ++v) {
    tacVec3 p = skin->vertices[v];
    skin->vertices[v] = tac_vec3_add(middle, tac_vec3(half.x * p.x, half.y * p.y, half.z * p.z));
  }
  return skin;
}

static void check_normals_at_rest(const tacReduced *reduced) {
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  tacBox box = tac_trimesh_box(surface);
  tacVec3 half = tac_vec3_scale(0.5, tac_box_size(box)), middle = tac_box_centre(box);
  for (int v = 0; v < surface->vertex_count; ++v) {
    tacVec3 p = tac_vec3_sub(surface->vertices[v], middle), n = tac_reduced_normals(reduced)[v];
    tacVec3 exact = tac_vec3_unit(tac_vec3(p.x / (half.x * half.x), p.y / (half.y * half.y), p.z / (half.z * half.z)));
    ck_assert_double_gt(tac_vec3_dot(n, exact), cos(0.25)); /* of the ellipsoid, by triangles */
  }
}

/* A whole basis: every deformation that the mesh can have, so that affine ones are in it too. Both sides are then exact: the
 * gradient from vertices far apart, the change of normals from shape functions at the points. */
static void check_affine(bool bricks) {
  TAC_FREED(end, Body, body);
  tacBox box = {{-0.02, 0.01, 0.0}, {0.06, 0.04, 0.03}};
  begin(bricks ? make_bricks(box, 2, 1, 1) : make_tets(box, 1, 1, 1), &body);
  int all = 3 * body.mesh->vertex_count - 6;
  TAC_OWN(tacTriMesh, skin) = make_skin(box, 1.1);
  body.def.surface = skin;
  body.def.mode_count = body.def.size = all;
  bake(&body);
  TAC_FREED(tac_sparse_destroy, tacSparse, mass);
  tac_test_ok(tac_assembly_mass(body.mesh, body.materials, NULL, TAC_MASS_CONSISTENT, &mass, &error), error);
  double *u = make_vector(body.mesh), *product = make_vector(body.mesh), q[TAC_BODY_MOST_COORDINATES] = {0.0};
  tacMat3 gradient = sample_gradient();
  for (int v = 0; v < body.mesh->vertex_count; ++v)
    put_vec3(u, v, linear_displacement(gradient, body.mesh->vertices[v]));
  tac_sparse_multiply(&mass, u, 1, product);
  for (int j = 0; j < all; ++j)
    for (int i = 0; i < body.basis.size; ++i) q[j] += body.basis.vector[body.basis.size * j + i] * product[i];
  TAC_MEMORY(double, full) = displace(&body, q);
  /* What is left is rigid, thus linear: the gradient along each edge of the box from two of its corners. */
  tacMat3 left = {{{0.0}}};
  int last = body.mesh->vertex_count - 1, nx = bricks ? 2 : 1;
  const int ends[3] = {nx, nx + 1, 2 * (nx + 1)};
  for (int k = 0; k < 3; ++k) {
    tacVec3 along = tac_vec3_sub(body.mesh->vertices[ends[k]], body.mesh->vertices[0]);
    tacVec3 change =
        tac_vec3_scale(1.0 / tac_vec3_norm(along), tac_vec3_sub(get_vec3(full, ends[k]), get_vec3(full, 0)));
    left.m[0][k] = change.x;
    left.m[1][k] = change.y;
    left.m[2][k] = change.z;
  }
  tacVec3 diagonal = tac_vec3_sub(body.mesh->vertices[last], body.mesh->vertices[0]);
  ck_assert_double_lt(
      tac_vec3_distance(tac_mat3_mul_vec(left, diagonal), tac_vec3_sub(get_vec3(full, last), get_vec3(full, 0))), 1e-9);
  for (int i = 0; i < 3; ++i) /* the same strain as that asked for */
    for (int j = 0; j < 3; ++j)
      ck_assert_double_eq_tol(left.m[i][j] + left.m[j][i], gradient.m[i][j] + gradient.m[j][i], 1e-9);
  tacVec3 start = tac_vec3_sub(get_vec3(full, 0), tac_mat3_mul_vec(left, body.mesh->vertices[0]));
  for (int v = 0; v < skin->vertex_count; ++v) {
    tacVec3 moved = row_change(&body, tac_reduced_displacements(body.reduced), v, q);
    tacVec3 turned = row_change(&body, tac_reduced_normal_changes(body.reduced), v, q);
    tacVec3 expected = tac_vec3_add(start, tac_mat3_mul_vec(left, skin->vertices[v]));
    ck_assert_double_lt(tac_vec3_distance(moved, expected), 1e-10);
    ck_assert_double_lt(tac_vec3_distance(turned, tac_mat3_mul_vec(left, tac_reduced_normals(body.reduced)[v])), 1e-9);
  }
  check_normals_at_rest(body.reduced);
  /* All frequencies of the mesh are those of the reduced body. */
  const tacReducedInfo *info = tac_reduced_info(body.reduced);
  ck_assert_double_eq_tol(info->reduced_least, info->linear_least, 1e-6 * info->linear_least);
  ck_assert_double_eq_tol(info->reduced_most, info->linear_most, 1e-6 * info->linear_most);
  free(u);
  free(product);
}

TAC_TEST(affine_deformations_are_exact) {
  check_affine(true);
  check_affine(false);
}

/* Angle-weighted normals of a mesh whose vertices were moved. */
static tacVec3 *deformed_normals(const tacTriMesh *mesh, const tacVec3 *points) {
  tacVec3 *normals = calloc((size_t)mesh->vertex_count, sizeof *normals);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const int *v = mesh->triangles[t].v;
      tacVec3 a = tac_vec3_sub(points[v[(c + 1) % 3]], points[v[c]]);
      tacVec3 b = tac_vec3_sub(points[v[(c + 2) % 3]], points[v[c]]), n = tac_vec3_cross(a, b);
      double angle = acos(tac_vec3_dot(tac_vec3_unit(a), tac_vec3_unit(b)));
      normals[v[c]] = tac_vec3_mad(normals[v[c]], angle, tac_vec3_unit(n));
    }
  for (int v = 0; v < mesh->vertex_count; ++v) normals[v] = tac_vec3_unit(normals[v]);
  return normals;
}

/* F_j N by differences of the embedding across a short way along N, for points that stay in their element. */
static void check_gradients(const Body *body) {
  const tacTriMesh *surface = tac_reduced_surface(body->reduced);
  int count = surface->vertex_count, r = body->basis.count, checked = 0;
  const double way = 1e-5;
  TAC_MEMORY(tacVec3, points) = malloc(3 * (size_t)count * sizeof *points);
  TAC_MEMORY(tacVec3, moved) = malloc(3 * (size_t)count * sizeof *moved);
  for (int i = 0; i < 3 * count; ++i)
    points[i] = tac_vec3_mad(surface->vertices[i / 3], way * (i % 3 - 1), tac_reduced_normals(body->reduced)[i / 3]);
  TAC_CREATE(tacEmbedding, embedding, tac_embedding_create(body->mesh, 3 * count, points, &embedding, &error));
  for (int j = 0; j < r; ++j) {
    double q[TAC_BODY_MOST_COORDINATES] = {[0] = 0.0};
    q[j] = 1.0;
    tac_embedding_apply(embedding, (const tacVec3 *)(body->basis.vector + (size_t)body->basis.size * (size_t)j), moved);
    for (int v = 0; v < count; ++v) {
      const int *e = embedding->elements + 3 * v;
      if (e[0] != e[1] || e[2] != e[1]) continue;
      tacVec3 slope = tac_vec3_scale(0.5 / way, tac_vec3_sub(moved[3 * v + 2], moved[3 * v]));
      tacVec3 change = row_change(body, tac_reduced_normal_changes(body->reduced), v, q);
      ck_assert_double_lt(tac_vec3_distance(slope, change), 1e-6 * fmax(100.0, tac_vec3_norm(change)));
      ++checked;
    }
  }
  ck_assert_int_gt(checked, r * count / 2);
}

/* A beam bent by about 17 degrees at its tip: normals that did not turn would be wrong by as much. */
TAC_TEST(pseudo_normals_follow_bending) {
  TAC_FREED(end, Body, body);
  begin(make_beam(true), &body);
  anchor(&body);
  TAC_OWN(tacTriMesh, skin) = make_skin(beam, 0.98);
  body.def.surface = skin;
  body.def.mode_count = 3;
  body.def.size = 5;
  bake(&body);
  check_gradients(&body);
  const double *rows = tac_reduced_displacements(body.reduced);
  TAC_MEMORY(tacVec3, points) = malloc((size_t)skin->vertex_count * sizeof *points);
  for (int mode = 0; mode < 2; ++mode) { /* bending about both axes */
    double q[TAC_BODY_MOST_COORDINATES] = {0.0}, most = 0.0, wrong = 0.0, mean = 0.0;
    memcpy(q, tac_reduced_shape(body.reduced, mode), 5 * sizeof *q);
    ck_assert_str_eq(tac_reduced_shape_label(body.reduced, mode), mode == 0 ? "mode 1" : "mode 2");
    for (int v = 0; v < skin->vertex_count; ++v) most = fmax(most, tac_vec3_norm(row_change(&body, rows, v, q)));
    for (int j = 0; j < 5; ++j) q[j] *= 0.04 / most;
    for (int v = 0; v < skin->vertex_count; ++v)
      points[v] = tac_vec3_add(skin->vertices[v], row_change(&body, rows, v, q));
    TAC_MEMORY(tacVec3, exact) = deformed_normals(skin, points);
    for (int v = 0; v < skin->vertex_count; ++v) {
      tacVec3 rest = tac_reduced_normals(body.reduced)[v];
      tacVec3 turned =
          tac_vec3_unit(tac_vec3_add(rest, row_change(&body, tac_reduced_normal_changes(body.reduced), v, q)));
      double angle = atan2(tac_vec3_norm(tac_vec3_cross(turned, exact[v])), tac_vec3_dot(turned, exact[v]));
      wrong = fmax(wrong, tac_vec3_distance(rest, exact[v]));
      mean += angle / skin->vertex_count;
      ck_assert_double_lt(angle * 180.0 / M_PI, 6.0);
    }
    ck_assert_double_lt(mean * 180.0 / M_PI, 2.0);
    ck_assert_double_gt(wrong * 180.0 / M_PI, 15.0);
  }
}

TAC_TEST(files_keep_what_was_baked) {
  char folder[256], path[300];
  snprintf(path, sizeof path, "%s/beam.reduced", tac_test_folder(folder, sizeof folder));
  TAC_FREED(end, Body, body);
  begin(make_beam(false), &body);
  divide(&body, make_isotropic(1100.0, 3e5, 0.45));
  body.def.material_count = 2;
  anchor(&body);
  body.def.mode_count = 3;
  body.def.size = 5;
  bake(&body);
  tac_test_ok(tac_reduced_write(body.reduced, path, &error), error);
  TAC_CREATE(tacReduced, read, tac_reduced_read(path, &read, &error));
  const tacReducedParts *a = tac_reduced_parts(body.reduced), *b = tac_reduced_parts(read);
  size_t vertices = (size_t)a->surface->vertex_count, r = 5;
  ck_assert(b->size == 5 && b->group_count == 2 && b->part_count == 4 && b->is_free == a->is_free);
  ck_assert(b->mass == a->mass && memcmp(b->inertia, a->inertia, sizeof a->inertia) == 0);
  ck_assert_int_eq(b->surface->vertex_count, a->surface->vertex_count);
  ck_assert_mem_eq(b->surface->vertices, a->surface->vertices, vertices * sizeof(tacVec3));
  ck_assert_mem_eq(b->fixed, a->fixed, vertices * sizeof(bool));
  ck_assert_mem_eq(b->normals, a->normals, vertices * sizeof(tacVec3));
  ck_assert_mem_eq(b->displacements, a->displacements, 3 * vertices * r * sizeof(double));
  ck_assert_mem_eq(b->normal_changes, a->normal_changes, 3 * vertices * r * sizeof(double));
  ck_assert_mem_eq(b->mass_matrix, a->mass_matrix, 2 * r * r * sizeof(double));
  ck_assert_mem_eq(b->body_force, a->body_force, 2 * 3 * r * sizeof(double));
  ck_assert_mem_eq(&b->info, &a->info, sizeof a->info);
  for (int p = 0; p < 4; ++p) {
    ck_assert(b->parts[p].group == a->parts[p].group && b->parts[p].kind == a->parts[p].kind &&
              b->parts[p].weight == a->parts[p].weight);
    ck_assert_mem_eq(b->parts[p].coefficients, a->parts[p].coefficients,
                     tac_reduced_polynomial_count(5) * sizeof(double));
  }
  remove(path);
  rmdir(folder);
}

/* Two voxels that meet in an edge only, on a plate: normals cancel on that edge. */
TAC_TEST(surfaces_of_voxels_may_touch_themselves) {
  tacVolMesh *mesh = make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.02, 0.02, 0.03}}, 2, 2, 3);
  int kept = 0;
  for (int b = 0; b < mesh->brick_count; ++b) {
    tacVec3 p = mesh->vertices[mesh->bricks[b].v[0]];
    if (p.z > 0.005 && (p.x > 0.005) != (p.y > 0.005)) continue;
    mesh->bricks[kept++] = mesh->bricks[b];
  }
  ck_assert_int_eq(kept, 8);
  mesh->brick_count = kept;
  TAC_FREED(end, Body, body);
  begin(mesh, &body);
  for (int v = 0; v < mesh->vertex_count; ++v) body.held[v] = mesh->vertices[v].z == 0.0;
  /* The corners that no brick has any more. */
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    body.held[v] |= p.z > 0.015 && fabs(p.x + p.y - 0.02) < 1e-9 && fabs(p.x - p.y) > 0.015;
  }
  body.def.held = body.held;
  body.def.mode_count = 3;
  body.def.size = 4;
  bake(&body);
  const tacTriMesh *surface = tac_reduced_surface(body.reduced);
  int on_edge = 0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    tacVec3 p = surface->vertices[v], n = tac_reduced_normals(body.reduced)[v];
    ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-12);
    if (fabs(p.x - 0.01) > 1e-9 || fabs(p.y - 0.01) > 1e-9 || fabs(p.z - 0.02) > 1e-9) continue;
    ck_assert_double_eq_tol(fmax(fabs(n.x), fabs(n.y)), 1.0, 1e-12); /* that of a face */
    ++on_edge;
  }
  ck_assert_int_eq(on_edge, 1);
}

/* Loads that somebody drew, and the motion that they cause. */
TAC_TEST(bases_from_loads) {
  enum { LOADS = 6 };
  tacLoadSample loads[LOADS];
  for (int i = 0; i < LOADS; ++i) {
    double angle = 2.0 * M_PI * i / LOADS;
    loads[i] = (tacLoadSample){0.01 * i, {0.2, 0.015, 0.01}, {0.0, 0.02 * cos(angle), 0.02 * sin(angle)}, 0.0};
  }
  for (tacBasisSource source = TAC_BASIS_SKETCH; source <= TAC_BASIS_MOTION; ++source) {
    TAC_FREED(end, Body, body);
    begin(make_beam(false), &body);
    anchor(&body);
    body.def.source = source;
    body.def.mode_count = 0;
    body.def.size = 2;
    body.def.load_count = LOADS;
    body.def.loads = loads;
    body.def.motion_step = 0.005;
    body.def.beta_stiffness = 0.01;
    bake(&body);
    const tacReducedInfo *info = tac_reduced_info(body.reduced);
    ck_assert_str_eq(info->source, source == TAC_BASIS_SKETCH ? "sketch" : "motion");
    ck_assert_int_eq(info->mode_count, 0);
    ck_assert_double_eq(info->linear_most, 0.0);
    ck_assert_double_gt(info->captured, 0.9);
    check_mass(&body);
    check_energy(&body);
  }
}

static void refused(const Body *body, tacStatus expected, const char *says) {
  tacReduced *reduced = (tacReduced *)(uintptr_t)1;
  error.text[0] = '\0';
  tacStatus status = tac_reduced_bake(&body->def, NULL, &reduced, &error);
  ck_assert_msg(status == expected, "%s: %s", tac_status_name(status), error.text);
  ck_assert_msg(strstr(error.text, says) != NULL, "'%s' does not say '%s'", error.text, says);
  ck_assert_ptr_null(reduced);
}

TAC_TEST(what_cannot_be_baked_is_refused) {
  enum { CASES = 27 };
  for (int bad = 0; bad < CASES; ++bad) {
    TAC_FREED(end, Body, body);
    tacLoadSample loads[2] = {{0.0, {0.2, 0.0, 0.0}, {0.0, 0.0, 0.1}, 0.0},
                              {0.1, {0.2, 0.0, 0.0}, {0.0, 0.0, 0.1}, 0.0}};
    TAC_OWN(tacTriMesh, skin) = make_skin(beam, 1.0);
    begin(make_beam(false), &body);
    anchor(&body);
    tacReducedDef *def = &body.def;
    def->mode_count = 3;
    def->size = 5;
    def->loads = loads;
    def->load_count = 2;
    def->material_of = body.material_of;
    tacStatus expected = TAC_ERR_ARGUMENT;
    const char *says = "";
    switch (bad) {
      case 0: def->volume = NULL, says = "without a volume mesh"; break;
      case 1: def->material_count = 0, says = "without a material"; break;
      case 2: body.material_of[7] = 1, says = "element 7 has material 1; there are 1"; break;
      case 3: body.materials[0].poisson = 0.5, says = "it must be between -1 and 0.5"; break;
      case 4: body.materials[0].density = 0.0, says = "it must be above 0"; break;
      case 5: def->size = 0, says = "from 1 to 160 are possible"; break;
      case 6: def->size = TAC_BODY_MOST_COORDINATES + 1, says = "from 1 to 160 are possible"; break;
      case 7: def->size = 10, says = "these and their derivatives are 9 vectors: at least 4 modes"; break;
      case 8: def->mode_count = 0, says = "from 1 to 1000 are possible"; break;
      case 9: def->source = (tacBasisSource)7, says = "which does not exist"; break;
      case 10: memset(body.held, true, (size_t)body.mesh->vertex_count), says = "hold fewer"; break;
      case 11: /* one vertex can move */
        memset(body.held, true, (size_t)body.mesh->vertex_count);
        body.held[body.mesh->vertex_count - 1] = false;
        says = "with 3 deformations (1 free vertices)";
        break;
      case 12: /* the last tetrahedra are gone, and their vertices have no mass */
        body.mesh->tet_count -= 12, expected = TAC_ERR_SINGULAR, says = "hold it or remove it";
        break;
      case 13: body.mesh->tet_count = 0, expected = TAC_ERR_GEOMETRY, says = "no elements"; break;
      case 14: body.mesh->tets[3].v[2] = -1, expected = TAC_ERR_GEOMETRY, says = "tet"; break;
      case 15:
        def->source = TAC_BASIS_SKETCH, def->held = NULL, expected = TAC_ERR_GEOMETRY, says = "no vertex is held";
        break;
      case 16: def->source = TAC_BASIS_SKETCH, def->load_count = 0, says = "there are none; give at least one"; break;
      case 17: def->source = TAC_BASIS_SKETCH, loads[1].force.y = NAN, says = "load 1 is not finite"; break;
      case 18: def->source = TAC_BASIS_MOTION, loads[1].time = -1.0, says = "sort them by time"; break;
      case 19: def->source = TAC_BASIS_MOTION, def->motion_step = 0.0, says = "the step must be positive"; break;
      case 20: def->source = TAC_BASIS_MOTION, def->alpha_mass = -1.0, says = "none may be negative"; break;
      case 21: /* millimetres */
        for (int v = 0; v < skin->vertex_count; ++v) skin->vertices[v] = tac_vec3_scale(1e3, skin->vertices[v]);
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "the same unit";
        break;
      case 22: skin->triangle_count = 0, def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "no triangles"; break;
      case 23: /* inside out */
        for (int t = 0; t < skin->triangle_count; ++t) flip_triangle(skin, t);
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "inside out";
        break;
      case 24: /* the north pole is in no triangle any more */
        for (int t = 0; t < skin->triangle_count; ++t)
          for (int c = 0; c < 3; ++c)
            if (skin->triangles[t].v[c] == skin->vertex_count - 1) skin->triangles[t].v[c] = 0;
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "in no triangle";
        break;
      case 26: def->material_count = 257, says = "at most 256 are possible"; break;
      case 25: /* held at one vertex only, it can turn */
        memset(body.held, false, (size_t)body.mesh->vertex_count);
        body.held[0] = true, expected = TAC_ERR_GEOMETRY, says = "";
        break;
    }
    refused(&body, expected, says);
  }
}

/* Polynomials of many groups that cannot fit are refused before anything is computed. */
TAC_TEST(polynomials_that_do_not_fit_are_refused) {
  enum { GROUPS = 256 };
  double bytes = 2.0 * sizeof(double) * 2.0 * GROUPS * (double)tac_reduced_polynomial_count(TAC_BODY_MOST_COORDINATES);
  given_memory = (size_t)bytes; /* the bake needs some for other things */
  TAC_FREED(end, Body, body);
  tacMaterial materials[GROUPS];
  begin(make_bricks(beam, GROUPS, 1, 1), &body);
  anchor(&body);
  for (int g = 0; g < GROUPS; ++g) {
    materials[g] = body.materials[0];
    body.material_of[g] = g;
  }
  body.def.materials = materials;
  body.def.material_count = GROUPS;
  body.def.material_of = body.material_of;
  body.def.size = TAC_BODY_MOST_COORDINATES;
  body.def.mode_count = 20;
  char says[96];
  snprintf(says, sizeof says, "160 coordinates of a body with 512 polynomials would need %.1f GiB", bytes / (1 << 30));
  refused(&body, TAC_ERR_MEMORY, says);
  given_memory = 0;
}

/* Fractions do not fall while the name of the work stays, and a bake that is cancelled at once leaves nothing. */
typedef struct {
  const char *what;
  double fraction;
  int calls;
} Seen;

static bool watch(const char *what, double fraction, void *user) {
  Seen *seen = user;
  if (seen->what != NULL && strcmp(seen->what, what) == 0) ck_assert_double_ge(fraction, seen->fraction);
  ck_assert(fraction >= 0.0 && fraction <= 1.0);
  seen->what = what;
  seen->fraction = fraction;
  ++seen->calls;
  return true;
}

TAC_TEST(progress_is_told_and_can_cancel) {
  TAC_FREED(end, Body, body);
  begin(make_beam(true), &body);
  anchor(&body);
  body.def.mode_count = 3;
  body.def.size = 5;
  Seen seen = {0};
  tac_test_ok(tac_reduced_bake(&body.def, &(tacProgress){watch, &seen}, &body.reduced, &error), error);
  ck_assert_int_gt(seen.calls, 0);
  int calls = 0;
  tacReduced *reduced;
  ck_assert_int_eq(tac_reduced_bake(&body.def, &(tacProgress){tac_test_cancel, &calls}, &reduced, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_ptr_null(reduced);
}
