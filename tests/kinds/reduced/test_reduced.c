#include <tactus/reduced.h>
#include "asset/broken_asset.h"
#include "asset/make_reduced.h"
#include "kinds/reduced/reduced.h"
#include "test.h"

/* Everything that can be asked for is what was given. */
static void compare(const tacReduced *reduced, const MadeReduced *made) {
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  ck_assert_int_eq(tac_reduced_size(reduced), REDUCED_SIZE);
  ck_assert_int_eq(parts->size, REDUCED_SIZE);
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  ck_assert_ptr_eq(surface, parts->surface);
  ck_assert_int_eq(surface->group_count, 0);
  ck_assert_mem_eq(surface->vertices, made->surface->vertices, REDUCED_VERTICES * sizeof(tacVec3));
  ck_assert_int_eq(surface->triangle_count, 8);
  ck_assert_mem_eq(surface->triangles, made->surface->triangles, 8 * sizeof(tacTriangle));
  ck_assert_mem_eq(tac_reduced_fixed(reduced), made->fixed, sizeof made->fixed);
  ck_assert_mem_eq(tac_reduced_normals(reduced), made->normals, sizeof made->normals);
  ck_assert_mem_eq(tac_reduced_displacements(reduced), made->displacements, sizeof made->displacements);
  ck_assert_mem_eq(tac_reduced_normal_changes(reduced), made->normal_changes, sizeof made->normal_changes);
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  ck_assert(volume->vertex_count == REDUCED_VOLUME_VERTICES && volume->tet_count == 1 && volume->brick_count == 1);
  ck_assert_int_eq(volume->group_count + volume->vertex_set_count + volume->material_count + volume->region_count, 0);
  ck_assert_mem_eq(volume->vertices, made->volume_vertices, sizeof made->volume_vertices);
  ck_assert_mem_eq(volume->tets, &made->tet, sizeof made->tet);
  ck_assert_mem_eq(volume->bricks, &made->brick, sizeof made->brick);
  ck_assert_mem_eq(tac_reduced_basis(reduced), made->basis, sizeof made->basis);
  ck_assert(tac_reduced_is_free(reduced) == made->parts.is_free);
  double inertia[3][3];
  tacVec3 centre = tac_reduced_centre(reduced);
  tac_reduced_inertia(reduced, inertia);
  ck_assert_double_eq(tac_reduced_info(reduced)->mass, 1.25);
  ck_assert_mem_eq(&centre, &made->parts.centre, sizeof centre);
  ck_assert_mem_eq(inertia, made->parts.inertia, sizeof inertia);
  ck_assert_int_eq(tac_reduced_group_count(reduced), REDUCED_GROUPS);
  for (int g = 0; g < REDUCED_GROUPS; ++g) {
    const tacMaterial *material = tac_reduced_group_material(reduced, g), *given = &made->materials[g];
    ck_assert_str_eq(tac_reduced_group_name(reduced, g), made->names[g]);
    ck_assert_double_eq(tac_reduced_group_mass(reduced, g), made->group_mass[g]);
    ck_assert_mem_eq(material->stiffness, given->stiffness, sizeof given->stiffness);
    ck_assert(material->isotropic == given->isotropic && material->density == given->density &&
              material->young == given->young && material->poisson == given->poisson);
  }
  ck_assert_mem_eq(parts->mass_matrix, made->mass_matrix, sizeof made->mass_matrix);
  ck_assert_mem_eq(parts->body_force, made->body_force, sizeof made->body_force);
  ck_assert_int_eq(parts->part_count, REDUCED_PARTS);
  for (int p = 0; p < REDUCED_PARTS; ++p) {
    ck_assert_int_eq(parts->parts[p].group, made->part[p].group);
    ck_assert_int_eq((int)parts->parts[p].kind, (int)made->part[p].kind);
    ck_assert_double_eq(parts->parts[p].weight, made->part[p].weight);
    ck_assert_ptr_ne(parts->parts[p].coefficients, made->coefficients[p]);
    ck_assert_mem_eq(parts->parts[p].coefficients, made->coefficients[p], sizeof made->coefficients[p]);
    ck_assert_ptr_ne(parts->parts[p].stress, made->stress[p]);
    if (made->part[p].stress == NULL)
      ck_assert_ptr_null(parts->parts[p].stress);
    else
      ck_assert_mem_eq(parts->parts[p].stress, made->stress[p], sizeof made->stress[p]);
  }
  ck_assert_int_eq(tac_reduced_shape_count(reduced), REDUCED_SHAPES);
  for (int s = 0; s < REDUCED_SHAPES; ++s) {
    ck_assert_str_eq(tac_reduced_shape_label(reduced, s), made->labels[s]);
    ck_assert_mem_eq(tac_reduced_shape(reduced, s), made->shapes[s], sizeof made->shapes[s]);
  }
  const tacReducedInfo *info = tac_reduced_info(reduced), *given = &made->parts.info;
  ck_assert_str_eq(info->source, "modes");
  ck_assert(info->mode_count == 2 && info->element_count == 12 && info->vertex_count == 27);
  ck_assert(info->captured == given->captured && info->linear_least == given->linear_least &&
            info->linear_most == given->linear_most && info->reduced_least == given->reduced_least &&
            info->reduced_most == given->reduced_most);
  ck_assert(info->seconds_modes == given->seconds_modes && info->seconds_derivatives == given->seconds_derivatives &&
            info->seconds_basis == given->seconds_basis && info->seconds_polynomials == given->seconds_polynomials);
  ck_assert(info->bytes_polynomials == given->bytes_polynomials && info->bytes_bake == given->bytes_bake);
}

TAC_TEST(parts_are_copied) {
  MadeReduced made, kept;
  make_reduced_parts(&made);
  kept = made;
  TAC_CREATE(tacReduced, reduced, tac_reduced_create(&made.parts, &reduced, &error));
  tac_trimesh_destroy(made.surface);
  memset(&made, 0xff, sizeof made);
  kept.surface = make_octahedron();
  compare(reduced, &kept);
  ck_assert_ptr_null(tac_reduced_group_name(reduced, REDUCED_GROUPS));
  ck_assert_ptr_null(tac_reduced_group_material(reduced, -1));
  ck_assert_ptr_null(tac_reduced_shape(reduced, REDUCED_SHAPES));
  ck_assert_ptr_null(tac_reduced_shape_label(reduced, -1));
  tac_trimesh_destroy(kept.surface);
  tac_reduced_destroy(NULL);
}

TAC_TEST(inconsistent_parts_are_rejected) {
  enum { CASES = 45 };
  for (int bad = 0; bad < CASES; ++bad) {
    MadeReduced made;
    tacReduced *reduced;
    make_reduced_parts(&made);
    tacReducedParts *parts = &made.parts;
    switch (bad) {
      case 0: parts->size = 0; break;
      case 1: parts->size = TAC_BODY_MOST_COORDINATES + 1; break;
      case 2: parts->group_count = 0; break;
      case 3: parts->group_count = 1 << 20; break;
      case 4: parts->part_count = -1; break;
      case 5: parts->shape_count = -1; break;
      case 6: made.surface->triangles[3].v[1] = REDUCED_VERTICES; break;
      case 7: made.surface->vertices[2].y = NAN; break;
      case 8: made.surface->triangle_count = 0; break;
      case 9: made.normals[3].y += 1e-3; break;
      case 10: made.normals[3].z = NAN; break;
      case 11: made.displacements[5][2][1] = INFINITY; break;
      case 12: made.normal_changes[0][1][2] = NAN; break;
      case 13: made.fixed[0] = true; break; /* and it moves */
      case 14: parts->mass = 0.0; break;
      case 15: parts->mass = 1.3; break; /* not the sum of the groups */
      case 16: parts->centre.y = INFINITY; break;
      case 17: parts->inertia[0][0] = 0.01; break; /* not definite */
      case 18: parts->inertia[1][0] = 0.2; break;
      case 19: made.group_mass[2] = -1e-9; break;
      case 20: made.mass_matrix[0][1][2] += 1e-3; break; /* not symmetric */
      case 21: made.mass_matrix[0][1][1] += 1e-4; break; /* not the identity */
      case 22:                                           /* the identity, but not semidefinite */
        made.mass_matrix[0][1][1] = 1.1;
        made.mass_matrix[1][1][1] = -0.1;
        break;
      case 23: made.mass_matrix[2][0][0] = NAN; break;
      case 24: made.body_force[2][2][2] = NAN; break;
      case 25: made.part[1].group = REDUCED_GROUPS; break;
      case 26: made.part[1].group = -1; break;
      case 27: made.part[1].kind = TAC_REDUCED_LAMBDA; break; /* twice */
      case 28: made.part[2].group = 2; break;                 /* whose material is none */
      case 29: made.part[1].weight = -1.0; break;
      case 30: made.coefficients[2][REDUCED_COEFFICIENTS - 1] = NAN; break;
      case 31: made.materials[0].poisson = 0.5; break;
      case 32: parts->part_count = 1; break; /* lambda without mu */
      case 33: made.names[2] = NULL; break;
      case 34: memset(made.labels[1], 'x', sizeof made.labels[1]); break;
      case 35: made.shapes[1][2] = NAN; break;
      case 36: memset(parts->info.source, 'x', sizeof parts->info.source); break;
      case 37: parts->info.bytes_bake = NAN; break;
      case 38: parts->volume = NULL; break;
      case 39: made.volume.tet_count = made.volume.brick_count = 0; break;
      case 40: made.brick.v[7] = REDUCED_VOLUME_VERTICES; break;
      case 41: made.volume_vertices[8].x = NAN; break;
      case 42: made.basis[8][2][REDUCED_SIZE - 1] = INFINITY; break;
      case 43: made.stress[1][REDUCED_STRESS - 1] = NAN; break;
      case 44: made.part[2].stress = NULL; break; /* of some, not of all */
    }
    error.text[0] = '\0';
    ck_assert_msg(tac_reduced_create(parts, &reduced, &error) == TAC_ERR_ARGUMENT, "case %d", bad);
    ck_assert_ptr_null(reduced);
    ck_assert_int_gt((int)strlen(error.text), 0);
    tac_trimesh_destroy(made.surface);
  }
}

/* An anchored body needs no inertia. */
TAC_TEST(inertia_is_required_only_for_free_bodies) {
  MadeReduced made;
  TAC_OWN(tacReduced, reduced) = NULL;
  make_reduced_parts(&made);
  memset(made.parts.inertia, 0, sizeof made.parts.inertia);
  ck_assert_int_eq(tac_reduced_create(&made.parts, &reduced, &error), TAC_ERR_ARGUMENT);
  made.parts.is_free = false;
  tac_test_ok(tac_reduced_create(&made.parts, &reduced, &error), error);
  tac_trimesh_destroy(made.surface);
}

TAC_TEST(file_round_trip_is_bitwise) {
  const char *path = tac_test_path("made.reduced");
  for (int anchored = 0; anchored < 2; ++anchored) {
    MadeReduced made;
    tacReduced *reduced, *read;
    make_reduced_parts(&made);
    made.parts.is_free = !anchored;
    for (int p = 0; anchored && p < REDUCED_PARTS; ++p) made.part[p].stress = NULL; /* it is not always there */
    tac_test_ok(tac_reduced_create(&made.parts, &reduced, &error), error);
    tac_test_ok(tac_reduced_write(reduced, path, &error), error);
    tac_reduced_destroy(reduced);
    tac_test_ok(tac_reduced_read(path, &read, &error), error);
    compare(read, &made);
    tac_reduced_destroy(read);
    tac_trimesh_destroy(made.surface);
  }
}

/* Of a body whose forces come from elsewhere there are no polynomials. */
TAC_TEST(files_need_no_polynomials) {
  const char *path = tac_test_path("made.reduced");
  MadeReduced made;
  make_reduced_parts(&made);
  made.parts.part_count = 0;
  made.parts.parts = NULL;
  TAC_CREATE(tacReduced, reduced, tac_reduced_create(&made.parts, &reduced, &error));
  tac_test_ok(tac_reduced_write(reduced, path, &error), error);
  TAC_CREATE(tacReduced, read, tac_reduced_read(path, &read, &error));
  ck_assert_int_eq(tac_reduced_parts(read)->part_count, 0);
  ck_assert_mem_eq(tac_reduced_basis(read), made.basis, sizeof made.basis);
  tac_trimesh_destroy(made.surface);
}

TRY_READ(tacReduced, tac_reduced_read)

TAC_TEST(truncated_files_are_rejected) {
  const char *path = tac_test_path("cut.reduced");
  TAC_OWN(tacReduced, reduced) = make_reduced();
  tac_test_ok(tac_reduced_write(reduced, path, &error), error);
  check_cut(try_read, path, 0);
}

TAC_TEST(files_of_other_kinds_versions_or_contents_are_rejected) {
  const char *good = tac_test_path("good.reduced");
  TAC_OWN(tacReduced, reduced) = make_reduced();
  check_other(try_read, "reduced body", "green");
  tac_reduced_set_checks(reduced, &some_checks);
  tac_test_ok(tac_reduced_write(reduced, good, &error), error);
  ck_assert_int_eq(check_chunks(try_read, good, NULL, NULL), 27);
  check_unread(try_read, spoil(good, "layout", OTHER_NUMBER, 0, TAC_BODY_MOST_COORDINATES), "size");
}
