/* What a bake hands over, compared with closed forms and the geometry of the deformed mesh. Every bake itself compares forces, masses,
 * loads and the surface with the elements; test_reduced_check states that it sees what is wrong. */
#include <tactus/mesh.h>
#include <tactus/reduced.h>
#include "given_memory.h"
#include "kinds/reduced/basis/motion_basis.h"
#include "kinds/reduced/make_solid.h"
#include "kinds/reduced/reduced.h"

/* A body, and the basis of its bake, computed once more. */
typedef struct {
  Solid s;
  tacMotionBasis basis;
  tacReduced *reduced;
} Body;

/* Takes the mesh over. */
static void begin(tacVolMesh *mesh, int modes, int size, Body *body) {
  *body = (Body){.reduced = NULL};
  make_solid(mesh, make_isotropic(1000.0, 1e5, 0.3), &body->s);
  body->s.def.mode_count = modes;
  body->s.def.size = size;
}

/* The same, held at its left end. */
static void begin_held(tacVolMesh *mesh, int modes, int size, Body *body) {
  begin(mesh, modes, size, body);
  hold_end(&body->s, false);
}

/* The right half is of another, the third material has no element. */
static void divide(Body *body, tacMaterial other) {
  double middle = tac_box_centre(tac_volmesh_box(body->s.mesh)).x;
  for (int e = 0; e < tac_element_count(body->s.mesh); ++e) {
    double x = 0.0;
    int count = tac_element_corner_count(body->s.mesh, e);
    for (int c = 0; c < count; ++c) x += body->s.mesh->vertices[tac_element_vertices(body->s.mesh, e)[c]].x / count;
    body->s.material_of[e] = x > middle;
  }
  body->s.materials[1] = other;
  body->s.def.material_count = body->s.solid.material_count = 3;
}

static void bake(Body *body) {
  if (body->s.def.lumped_mass) body->s.solid.mass = TAC_MASS_LUMPED;
  tac_test_ok(tac_motion_basis_compute(&body->s.solid, &body->s.def, NULL, &body->basis, &error), error);
  tac_test_ok(tac_reduced_bake(&body->s.def, NULL, &body->reduced, &error), error);
  ck_assert_int_eq(tac_reduced_size(body->reduced), body->s.def.size);
  const tacBakeChecks *checks = tac_reduced_checks(body->reduced);
  ck_assert_int_ge(checks->count, 3);
  for (int i = checks->count - 3; i < checks->count; ++i) /* forces; masses and loads; the surface */
    ck_assert_double_le(checks->checks[i].worst, i == checks->count - 1 ? 1e-13 : 1e-10);
}

static void end(Body *body) {
  tac_reduced_destroy(body->reduced);
  tac_motion_basis_destroy(&body->basis);
  free_solid(&body->s);
}

static const tacBox beam = {{0.0, 0.0, 0.0}, {0.2, 0.03, 0.02}};

static tacVolMesh *make_beam(bool bricks) {
  return bricks ? make_bricks(beam, 8, 2, 2) : make_tets(beam, 6, 2, 1);
}

/* The change of a row of [vertex][axis][r] for q. */
static tacVec3 row_change(const Body *body, const double *rows, int vertex, const double *q) {
  int r = body->basis.count;
  double sum[3] = {0.0, 0.0, 0.0};
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < r; ++j) sum[axis] += rows[(3 * (size_t)vertex + (size_t)axis) * (size_t)r + (size_t)j] * q[j];
  return tac_vec3(sum[0], sum[1], sum[2]);
}

/* Of a box with density that depends on x only by its halves. */
static void check_box(const Body *body, double left_density, double right_density) {
  tacVec3 size = tac_box_size(beam), middle = tac_box_centre(beam);
  double volume = size.x * size.y * size.z, left = 0.5 * volume * left_density, right = 0.5 * volume * right_density;
  double mass = left + right, shift = 0.25 * size.x * (right - left) / mass;
  ck_assert_double_eq_tol(tac_reduced_info(body->reduced)->mass, mass, 1e-12 * mass);
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

TAC_TEST(anchored_brick_beam_bakes_correctly) {
  TAC_FREED(end, Body, body);
  begin_held(make_beam(true), 4, 8, &body);
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
TAC_TEST(free_body_of_two_groups_bakes_correctly) {
  static const char *const names[3] = {"soft", NULL, "spare"};
  for (int lumped = 0; lumped < 2; ++lumped) {
    TAC_FREED(end, Body, body);
    begin(make_beam(false), 3, 6, &body);
    divide(&body, make_anisotropic(4));
    body.s.def.lumped_mass = lumped;
    body.s.def.group_names = names;
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

/* Every deformation that the mesh can have: all frequencies of the mesh are those of the reduced body. */
TAC_TEST(a_whole_basis_has_all_frequencies) {
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_FREED(end, Body, body);
    tacBox box = {{-0.02, 0.01, 0.0}, {0.06, 0.04, 0.03}};
    tacVolMesh *mesh = bricks ? make_bricks(box, 2, 1, 1) : make_tets(box, 1, 1, 1);
    int all = 3 * mesh->vertex_count - 6;
    begin(mesh, all, all, &body);
    TAC_OWN(tacTriMesh, skin) = make_skin(box, 1.1);
    body.s.def.surface = skin;
    bake(&body);
    check_normals_at_rest(body.reduced);
    const tacReducedInfo *info = tac_reduced_info(body.reduced);
    ck_assert_double_eq_tol(info->reduced_least, info->linear_least, 1e-6 * info->linear_least);
    ck_assert_double_eq_tol(info->reduced_most, info->linear_most, 1e-6 * info->linear_most);
  }
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

/* A beam bent by about 17 degrees at its tip: normals that did not turn would be wrong by as much. */
TAC_TEST(pseudo_normals_follow_bending) {
  TAC_FREED(end, Body, body);
  begin_held(make_beam(true), 3, 5, &body);
  TAC_OWN(tacTriMesh, skin) = make_skin(beam, 0.98);
  body.s.def.surface = skin;
  bake(&body);
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

/* Two voxels that meet in an edge only, on a plate: normals cancel on that edge. */
TAC_TEST(voxel_surfaces_may_touch_themselves) {
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
  begin(mesh, 3, 4, &body);
  for (int v = 0; v < mesh->vertex_count; ++v) { /* the bottom, and corners that no brick has any more */
    tacVec3 p = mesh->vertices[v];
    body.s.held[v] = p.z == 0.0 || (p.z > 0.015 && fabs(p.x + p.y - 0.02) < 1e-9 && fabs(p.x - p.y) > 0.015);
  }
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
TAC_TEST(bases_from_loads_bake_correctly) {
  enum { LOADS = 6 };
  tacLoadSample loads[LOADS];
  for (int i = 0; i < LOADS; ++i) {
    double angle = 2.0 * M_PI * i / LOADS;
    loads[i] = (tacLoadSample){0.01 * i, {0.2, 0.015, 0.01}, {0.0, 0.02 * cos(angle), 0.02 * sin(angle)}, 0.0};
  }
  for (tacBasisSource source = TAC_BASIS_SKETCH; source <= TAC_BASIS_MOTION; ++source) {
    TAC_FREED(end, Body, body);
    begin_held(make_beam(false), 0, 2, &body);
    body.s.def.source = source;
    body.s.def.load_count = LOADS;
    body.s.def.loads = loads;
    body.s.def.motion_step = 0.005;
    body.s.def.stiffness_damping = 0.01;
    bake(&body);
    const tacReducedInfo *info = tac_reduced_info(body.reduced);
    ck_assert_str_eq(info->source, source == TAC_BASIS_SKETCH ? "sketch" : "motion");
    ck_assert_int_eq(info->mode_count, 0);
    ck_assert_double_eq(info->linear_most, 0.0);
    ck_assert_double_gt(info->captured, 0.9);
  }
}

static void refused(const Body *body, tacStatus expected, const char *says) {
  tacReduced *reduced = (tacReduced *)(uintptr_t)1;
  tac_test_refused(tac_reduced_bake(&body->s.def, NULL, &reduced, &error), expected, error, says);
  ck_assert_ptr_null(reduced);
}

TAC_TEST(unbakeable_input_is_rejected) {
  enum { CASES = 21 };
  for (int bad = 0; bad < CASES; ++bad) {
    TAC_FREED(end, Body, body);
    tacLoadSample loads[2] = {{0.0, {0.2, 0.0, 0.0}, {0.0, 0.0, 0.1}, 0.0},
                              {0.1, {0.2, 0.0, 0.0}, {0.0, 0.0, 0.1}, 0.0}};
    TAC_OWN(tacTriMesh, skin) = make_skin(beam, 1.0);
    begin_held(make_beam(false), 3, 5, &body);
    tacReducedDef *def = &body.s.def;
    def->loads = loads;
    def->load_count = 2;
    tacStatus expected = TAC_ERR_ARGUMENT;
    const char *says = "";
    switch (bad) {
      case 0: def->volume = NULL, says = "needs a volume mesh"; break;
      case 1: def->material_count = 0, says = "needs at least one material"; break;
      case 2: body.s.material_of[7] = 1, says = "element 7 has material 1, but there are only 1"; break;
      case 3: body.s.materials[0].poisson = 0.5, says = "it must be between -1 and 0.5"; break;
      case 4: body.s.materials[0].density = 0.0, says = "it must be above 0"; break;
      case 5: def->size = 0, says = "1 to 160 are possible"; break;
      case 6: def->size = TAC_BODY_MOST_COORDINATES + 1, says = "1 to 160 are possible"; break;
      case 7: def->source = (tacBasisSource)7, says = "unknown basis source"; break;
      case 8: memset(body.s.held, true, (size_t)body.s.mesh->vertex_count), says = "fix fewer"; break;
      case 9: /* one vertex can move */
        memset(body.s.held, true, (size_t)body.s.mesh->vertex_count);
        body.s.held[body.s.mesh->vertex_count - 1] = false;
        says = "with 3 deformations (1 free vertices)";
        break;
      case 10: /* the last tetrahedra are gone, and their vertices have no mass */
        body.s.mesh->tet_count -= 12, expected = TAC_ERR_SINGULAR, says = "hold it or remove it";
        break;
      case 11: body.s.mesh->tet_count = 0, expected = TAC_ERR_GEOMETRY, says = "no elements"; break;
      case 12: body.s.mesh->tets[3].v[2] = -1, expected = TAC_ERR_GEOMETRY, says = "tet"; break;
      case 13:
        def->source = TAC_BASIS_SKETCH, def->fixed = NULL, expected = TAC_ERR_GEOMETRY, says = "no vertex is fixed";
        break;
      case 14: def->source = TAC_BASIS_MOTION, def->mass_damping = -1.0, says = "the other values 0 or more"; break;
      case 15: /* millimetres */
        for (int v = 0; v < skin->vertex_count; ++v) skin->vertices[v] = tac_vec3_scale(1e3, skin->vertices[v]);
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "the same unit";
        break;
      case 16: skin->triangle_count = 0, def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "no triangles"; break;
      case 17: /* inside out */
        for (int t = 0; t < skin->triangle_count; ++t) flip_triangle(skin, t);
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "inside out";
        break;
      case 18: /* the north pole is in no triangle any more */
        for (int t = 0; t < skin->triangle_count; ++t)
          for (int c = 0; c < 3; ++c)
            if (skin->triangles[t].v[c] == skin->vertex_count - 1) skin->triangles[t].v[c] = 0;
        def->surface = skin, expected = TAC_ERR_GEOMETRY, says = "belongs to no triangle";
        break;
      case 20: def->material_count = 257, says = "at most 256 are possible"; break;
      case 19: /* held at one vertex only, it can turn */
        memset(body.s.held, false, (size_t)body.s.mesh->vertex_count);
        body.s.held[0] = true, expected = TAC_ERR_GEOMETRY, says = "";
        break;
    }
    refused(&body, expected, says);
  }
}

/* Polynomials of many groups that cannot fit are refused before anything is computed. */
TAC_TEST(polynomials_too_large_for_memory_are_rejected) {
  enum { GROUPS = 256 };
  double bytes = 2.0 * sizeof(double) * 2.0 * GROUPS * (double)tac_reduced_polynomial_count(TAC_BODY_MOST_COORDINATES);
  given_memory = (size_t)bytes; /* the bake needs some for other things */
  TAC_FREED(end, Body, body);
  tacMaterial materials[GROUPS];
  begin_held(make_bricks(beam, GROUPS, 1, 1), 20, TAC_BODY_MOST_COORDINATES, &body);
  for (int g = 0; g < GROUPS; ++g) {
    materials[g] = body.s.materials[0];
    body.s.material_of[g] = g;
  }
  body.s.def.materials = materials;
  body.s.def.material_count = GROUPS;
  char says[96];
  snprintf(says, sizeof says,
           "160 coordinates of a body with 512 polynomials would need %.1f GiB, but this machine "
           "has ",
           bytes / (1 << 30));
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

TAC_TEST(progress_is_reported_and_can_cancel) {
  TAC_FREED(end, Body, body);
  begin_held(make_beam(true), 3, 5, &body);
  Seen seen = {0};
  tac_test_ok(tac_reduced_bake(&body.s.def, &(tacProgress){watch, &seen}, &body.reduced, &error), error);
  ck_assert_int_gt(seen.calls, 0);
  int calls = 0;
  tacReduced *reduced;
  ck_assert_int_eq(tac_reduced_bake(&body.s.def, &(tacProgress){tac_test_cancel, &calls}, &reduced, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_ptr_null(reduced);
}
