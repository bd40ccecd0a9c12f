/* Each allocation fails in turn while a mesh is read, checked, repaired and meshed and fields and reduced bodies are built. */
#include <tactus/tactus.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/load_field.h"
#include "bake/fields/field_bake.h"
#include "contact/contact_problem.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "elastic/live_factor.h"
#include "elastic/nodal_rotation.h"
#include "faults/failing_allocations.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/separation.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/laplacian.h"
#include "math/sparse/eigen.h"
#include "math/sparse/factor.h"
#include "math/sparse/pca.h"
#include "mesh/formats/mesh_file.h"
#include "mesh/make_mesh.h"
#include "mesh/query/embedding.h"
#include "world/pair_look.h"

static tacTriMesh *sphere;
static tacVolMesh *bricks;
static const char *path; /* of a file that works write or read */

static void setup(void) {
  sphere = tac_test_kept(tacTriMesh, tac_shape_build("sphere", 0.02, NULL, &made, &error));
  tacVoxeliseDef def = {.resolution = 5, .rule = TAC_VOXELS_CENTRE};
  bricks = tac_test_kept(tacVolMesh, tac_voxelise(sphere, &def, NULL, &made, &error));
  int some[3] = {1, 2, 3};
  tac_test_ok(tac_trimesh_add_group(sphere, "patch", 3, some, &error), error);
  tac_test_ok(tac_volmesh_add_group(bricks, "core", 3, some, &error), error);
}

TAC_TEST_AROUND(setup, NULL)

static tacStatus read_path(tacError *why) {
  TAC_MESH_CONTENTS contents = {0};
  return tac_mesh_read(path, &contents, why);
}

static const char *mesh_path(tacMeshFormat format) {
  char name[16];
  snprintf(name, sizeof name, "mesh.%.3s", tac_mesh_format_name(format));
  return tac_test_path(format == TAC_MESH_FORMAT_TETGEN ? "mesh.node" : name);
}

TAC_TEST(reading_every_format) {
  for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_COUNT; ++f) {
    tacMeshContents contents = {tac_mesh_format_holds_surface(f) ? sphere : NULL,
                                tac_mesh_format_holds_volume(f) ? bricks : NULL};
    TAC_OWN(tacVolMesh, tets) = NULL;
    if (f == TAC_MESH_FORMAT_TETGEN) {
      tacStuffingDef def = tac_stuffing_def_default();
      def.size = 0.02;
      tac_test_ok(tac_stuffing_fill(sphere, &def, NULL, &tets, &error), error);
      contents.volume = tets;
    }
    path = mesh_path(f);
    tac_test_ok(tac_mesh_write(path, f, &contents, &error), error);
    fail_each_allocation(read_path);
  }
}

TAC_TEST(reading_included_files) {
  const tacMeshContents contents = {NULL, bricks};
  tac_test_ok(tac_mesh_write(tac_test_path("mesh.veg"), TAC_MESH_FORMAT_VEG, &contents, &error), error);
  tac_test_write("more", "3\n");
  path = tac_test_write("outer.veg", "*INCLUDE mesh.veg\n*SET part\n1, 2\n*INCLUDE more\n");
  fail_each_allocation(read_path);
}

static tacMeshFormat written;

static tacStatus write_path(tacError *why) {
  tacMeshContents contents = {tac_mesh_format_holds_surface(written) ? sphere : NULL,
                              tac_mesh_format_holds_volume(written) ? bricks : NULL};
  return tac_mesh_write(path, written, &contents, why);
}

TAC_TEST(writing_meshes) {
  const tacMeshFormat formats[] = {TAC_MESH_FORMAT_OBJ, TAC_MESH_FORMAT_MSH41_ASCII, TAC_MESH_FORMAT_VTU_BINARY,
                                   TAC_MESH_FORMAT_VEG};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    written = formats[i];
    path = mesh_path(written);
    fail_each_allocation(write_path);
    ck_assert_int_eq(remove(path), 0);
  }
}

static tacStatus bake_field(tacError *why) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = 12;
  TAC_OWN(tacDistanceField, field) = NULL;
  return tac_distance_field_bake(sphere, &def, NULL, &field, why);
}

static tacStatus bake_soup(tacError *why) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = 12;
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_OWN(tacTriMesh, surface) = NULL;
  return tac_distance_field_bake_soup(sphere, &def, NULL, &field, &surface, why);
}

static tacStatus save_and_load_field(tacError *why) {
  float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *owned = malloc(sizeof values);
  tacGrid grid = {2, 2, 2, {0, 0, 0}, 1.0, owned};
  if (owned == NULL) {
    snprintf(why->text, sizeof why->text, "memory of the test");
    return TAC_ERR_MEMORY;
  }
  memcpy(owned, values, sizeof values);
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_OWN(tacDistanceField, loaded) = NULL;
  tacStatus status = tac_distance_field_from_grid(&grid, &field, why);
  if (status != TAC_OK) {
    free(owned);
    return status;
  }
  TAC_TRY(tac_distance_field_write(field, path, why));
  return tac_distance_field_read(path, &loaded, why);
}

TAC_TEST(building_fields) {
  fail_each_allocation(bake_field);
  fail_each_allocation(bake_soup);
  path = tac_test_path("a.field");
  fail_each_allocation(save_and_load_field);
}

static tacStatus stuff(tacError *why) {
  tacStuffingDef def = tac_stuffing_def_default();
  def.size = 0.03;
  TAC_OWN(tacVolMesh, mesh) = NULL;
  return tac_stuffing_fill(sphere, &def, NULL, &mesh, why);
}

static tacStatus voxelise_cover(tacError *why) {
  tacVoxeliseDef def = {.resolution = 6, .rule = TAC_VOXELS_COVER};
  TAC_OWN(tacVolMesh, mesh) = NULL;
  return tac_voxelise(sphere, &def, NULL, &mesh, why);
}

static tacStatus report_both(tacError *why) {
  tacSurfaceReport surface;
  tacVolumeReport volume;
  TAC_TRY(tac_surface_report(sphere, &surface, why));
  return tac_volume_report(bricks, &volume, why);
}

static tacStatus repair(tacError *why) {
  tacTriMesh broken = *sphere;
  TAC_OWN(tacTriMesh, repaired) = NULL;
  broken.triangle_count -= 2; /* a hole to fill */
  broken.group_count = 0;
  tacRepairDef def = tac_repair_def_default();
  tacRepairReport report;
  return tac_repair(&broken, &def, &repaired, &report, why);
}

static tacStatus embed(tacError *why) {
  TAC_OWN(tacEmbedding, embedding) = NULL;
  return tac_embedding_create(bricks, sphere->vertex_count, sphere->vertices, &embedding, why);
}

static tacStatus boundary(tacError *why) {
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_MEMORY(int, element_of) = NULL;
  return tac_volmesh_surface(bricks, &surface, &vertex_of, &element_of, why);
}

TAC_TEST(meshing_and_checking) {
  fail_each_allocation(stuff);
  fail_each_allocation(voxelise_cover);
  fail_each_allocation(report_both);
  fail_each_allocation(repair);
  fail_each_allocation(embed);
  fail_each_allocation(boundary);
}

/* ---- linear algebra; BLAS and ARPACK have allocations of their own, which are not made to fail ---- */

static tacSparse laplacian;

static tacStatus lowest_eigenpairs(tacError *why) {
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen) = {0};
  return tac_eigen_lowest(&laplacian, NULL, 3, NULL, &eigen, why);
}

static tacStatus factor_and_solve(tacError *why) {
  TAC_OWN(tacFactor, factor) = NULL;
  double x[128] = {1.0};
  TAC_TRY(tac_factor_create(&laplacian, &factor, why));
  TAC_TRY(tac_factor_update(factor, laplacian.value, why));
  return tac_factor_solve(factor, x, 1, x, why);
}

static tacStatus principal_components(tacError *why) {
  TAC_DENSE snapshots = {0};
  TAC_FREED(tac_pca_destroy, tacPca, pca) = {0};
  TAC_TRY(tac_dense_create(laplacian.rows, 4, &snapshots, why));
  for (int j = 0; j < 4; ++j) tac_dense_column(&snapshots, j)[3 * j] = 1.0;
  return tac_pca(&snapshots, 3, &pca, why);
}

static tacStatus live_factor(tacError *why) {
  TAC_OWN(tacLiveFactor, factor) = NULL;
  TAC_TRY(tac_live_factor_create(&laplacian, 6, &factor, why));
  TAC_TRY(tac_live_factor_start(factor, why));
  tac_live_factor_post(factor, laplacian.value, 1);
  return TAC_OK;
}

static tacStatus nodal_rotations(tacError *why) {
  TAC_OWN(tacNodalRotation, rotation) = NULL;
  return tac_nodal_rotation_create(&laplacian, NULL, &rotation, why);
}

TAC_TEST(live_factors) {
  laplacian = tac_test_laplacian((tacTestGrid){{30, 1, 1}, false});
  fail_each_allocation(live_factor);
  fail_each_allocation(nodal_rotations);
  tac_sparse_destroy(&laplacian);
}

/* A string of springs under a load at each of its points; so many that several threads solve for them. */
static tacStatus separate_loads(tacError *why) {
  TAC_SPARSE lower = {0}, loads = {0};
  TAC_OWN(tacFactor, factor) = NULL;
  TAC_FREED(tac_separation_destroy, tacSeparation, separation) = {0};
  static double mass[150];
  for (int i = 0; i < 150; ++i) mass[i] = 1.0;
  TAC_TRY(tac_sparse_lower(&laplacian, &lower, why));
  TAC_TRY(tac_sparse_identity(laplacian.cols, &loads, why));
  TAC_TRY(tac_factor_create(&lower, &factor, why));
  TAC_TRY(tac_factor_update(factor, lower.value, why));
  tacSeparationDef def = {.stiffness = &lower, .factor = factor, .loads = &loads, .most = 5};
  TAC_TRY(tac_separation_create(&def, NULL, &separation, why));
  return tac_separation_compress(&separation, mass, NULL, 0.1, why);
}

TAC_TEST(separations) {
  laplacian = tac_test_laplacian((tacTestGrid){{150, 1, 1}, false});
  fail_each_allocation(separate_loads);
  tac_sparse_destroy(&laplacian);
}

TAC_TEST(linear_algebra) {
  const int sizes[2] = {20, 100}; /* solved densely, and by Lanczos */
  for (int i = 0; i < 2; ++i) {
    laplacian = tac_test_laplacian((tacTestGrid){{sizes[i], 1, 1}, false});
    fail_each_allocation(lowest_eigenpairs);
    fail_each_allocation(factor_and_solve);
    fail_each_allocation(principal_components);
    tac_sparse_destroy(&laplacian);
  }
}

/* ---- reduced bodies ---- */

static tacVolMesh *beam;
static tacMaterial materials[2];
static bool held[18];
static tacBasisSource basis_source;

static tacStatus bake_reduced(tacError *why) {
  static const int material_of[4] = {0, 0, 1, 1};
  tacReducedDef def = tac_reduced_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.volume = beam;
  def.material_count = 2;
  def.materials = materials;
  def.material_of = material_of;
  def.fixed = held;
  const tacLoadSample loads[2] = {{0.0, {0.04, 0.0, 0.0}, {0.0, 0.0, 0.01}, 0.0},
                                  {0.002, {0.04, 0.01, 0.0}, {0.0, 0.01, 0.0}, 0.0}};
  def.source = basis_source;
  def.mode_count = basis_source == TAC_BASIS_MODES ? 2 : 0;
  def.size = 2;
  def.load_count = 2;
  def.loads = loads;
  TAC_OWN(tacReduced, reduced) = NULL;
  TAC_OWN(tacReduced, again) = NULL;
  TAC_TRY(tac_reduced_bake(&def, NULL, &reduced, why));
  TAC_TRY(tac_reduced_write(reduced, path, why));
  return tac_reduced_read(path, &again, why);
}

TAC_TEST(reduced_bodies) {
  path = tac_test_path("a.reduced");
  beam = tac_test_keep(make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.01, 0.02}}, 2, 1, 2), tac_volmesh_destroy);
  ck_assert_int_eq(beam->vertex_count, 18);
  for (int v = 0; v < 18; ++v) held[v] = beam->vertices[v].x == 0.0;
  for (int i = 0; i < 2; ++i)
    tac_test_ok(tac_material_isotropic(1000.0, 1e4 * (1 + i), 0.3, &materials[i], &error), error);
  for (basis_source = TAC_BASIS_MODES; basis_source <= TAC_BASIS_MOTION; ++basis_source)
    fail_each_allocation(bake_reduced);
}

/* ---- bodies that nothing holds ---- */

static tacStatus bake_free(tacError *why) {
  bool fixed[18] = {false};
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){.method = TAC_FINITE_ELEMENTS,
                                  .volume = beam,
                                  .material_count = 1,
                                  .materials = materials,
                                  .fixed = fixed,
                                  .thread_count = 1};
  TAC_OWN(tacGreen, green) = NULL;
  return tac_green_bake(&def, NULL, &green, why);
}

TAC_TEST(free_bodies) {
  beam = tac_test_keep(make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.01, 0.02}}, 2, 1, 2), tac_volmesh_destroy);
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.3, &materials[0], &error), error);
  fail_each_allocation(bake_free);
}

/* ---- hyperelastic bodies ---- */

static tacStatus stretch_block(tacError *why) {
  tacHyperMaterial material = {.law = tac_hyper_law_find("neo-hookean", NULL),
                               .parameters = {1e3, 1e4},
                               .density = 1000.0,
                               .prony_count = 1,
                               .prony = {{0.5, 0.1}}};
  tacHyperSolidDef def = {
      .mesh = beam, .material_count = 1, .materials = &material, .patches = true, .thread_count = 2};
  TAC_OWN(tacHyperSolid, solid) = NULL;
  TAC_OWN(tacHyperStatics, statics) = NULL;
  double x[54], target[54];
  for (int v = 0; v < 18; ++v) memcpy(x + 3 * v, &beam->vertices[v], 3 * sizeof *x);
  for (int i = 0; i < 54; ++i) target[i] = 1.1 * x[i];
  TAC_TRY(tac_hyper_solid_create(&def, &solid, why));
  TAC_TRY(tac_hyper_statics_create(solid, held, &statics, why));
  return tac_hyper_statics_solve(statics, target, NULL, x, NULL, NULL, why);
}

TAC_TEST(hyperelastic_bodies) {
  beam = tac_test_keep(make_tets((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.01, 0.02}}, 2, 1, 2), tac_volmesh_destroy);
  ck_assert_int_eq(beam->vertex_count, 18);
  for (int v = 0; v < 18; ++v) held[v] = beam->vertices[v].x != 0.02;
  fail_each_allocation(stretch_block);
}

/* ---- vademecums ---- */

static bool linear_vademecum;

static tacStatus bake_vademecum(tacError *why) {
  bool accessible[18] = {[16] = true, [17] = true};
  char checkpoint[420];
  snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
  tacVademecumDef def = tac_vademecum_def_default();
  def.mesh = beam;
  def.material = (tacLawMaterial){"neo-hookean", {1e3, 1e4}, .density = 1000.0};
  def.linear = linear_vademecum;
  def.fixed = held;
  def.accessible = accessible;
  def.direction = (tacVec3){0.0, 0.0, 1.0};
  def.load = 1e-3;
  def.sample_count = 1;
  def.checkpoint = checkpoint;
  TAC_OWN(tacVademecum, vademecum) = NULL;
  TAC_OWN(tacVademecum, again) = NULL;
  TAC_OWN(tacVademecumSolver, solver) = NULL;
  tacStatus status = tac_vademecum_bake(&def, NULL, &vademecum, why);
  if (status == TAC_OK) status = tac_vademecum_solver_create(vademecum, &solver, why);
  if (status == TAC_OK) status = tac_vademecum_write(vademecum, path, why);
  if (status == TAC_OK) status = tac_vademecum_read(path, &again, why);
  remove(checkpoint);
  return status;
}

TAC_TEST(vademecums) {
  path = tac_test_path("made.vademecum");
  beam = tac_test_keep(make_tets((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.01, 0.02}}, 2, 1, 2), tac_volmesh_destroy);
  for (int v = 0; v < 18; ++v) held[v] = beam->vertices[v].x == 0.0;
  for (int linear = 0; linear < 2; ++linear) {
    linear_vademecum = linear == 1;
    fail_each_allocation(bake_vademecum);
  }
}

/* ---- pairs ---- */

static tacReduced *soft;
static tacDistanceField *ball;

static tacStatus bake_points(tacError *why) {
  tacPointshellDef def = tac_pointshell_def_default();
  def.point_count = 120;
  def.level_count = 2;
  def.thread_count = 1;
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_OWN(tacPointshell, again) = NULL;
  TAC_OWN(tacPointshell, from_ply) = NULL;
  TAC_OWN(tacPointshell, embedded) = NULL;
  TAC_TRY(tac_pointshell_bake(ball, sphere, &def, NULL, &shell, why));
  TAC_TRY(tac_pointshell_embed(shell, soft, &embedded, why));
  TAC_TRY(tac_pointshell_write(embedded, path, why));
  TAC_TRY(tac_pointshell_read(path, &again, why));
  TAC_TRY(tac_pointshell_write_ply(shell, path, why));
  return tac_pointshell_read_ply(path, &from_ply, why);
}

static tacStatus bake_deformed(tacError *why) {
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  def.proxy_count = 12;
  tacDistanceField *part = NULL;
  TAC_OWN(tacDeformedField, field) = NULL;
  TAC_OWN(tacDeformedField, again) = NULL;
  tacStatus status = tac_distance_field_cut(ball, ball, NULL, &part, why);
  if (status == TAC_OK) status = tac_deformed_field_bake(soft, 1, &part, &def, NULL, &field, why);
  if (status != TAC_OK) tac_distance_field_destroy(part);
  if (status == TAC_OK) status = tac_deformed_field_write(field, path, why);
  return status == TAC_OK ? tac_deformed_field_read(path, &again, why) : status;
}

static const tacDeformedField *field_of_world;

/* One load. */
static tacStatus bake_loads(tacError *why) {
  const int vertex = tac_reduced_surface(soft)->vertex_count - 1;
  const double level = 1.0, state[2] = {1e-4, 0.0};
  tacLoadFieldDef def = tac_load_field_def_default();
  def.shape = soft;
  def.node_count = def.level_count = def.thread_count = 1;
  def.vertices = &vertex;
  def.levels = &level;
  def.states = state;
  def.resolution = 12;
  TAC_OWN(tacLoadField, loads) = NULL;
  TAC_OWN(tacLoadField, again) = NULL;
  TAC_OWN(tacDeformedPose, pose) = NULL;
  TAC_TRY(tac_load_field_bake(&def, NULL, &loads, why));
  TAC_TRY(tac_load_field_write(loads, path, why));
  TAC_TRY(tac_load_field_read(path, &again, why));
  return tac_deformed_pose_create_loaded(field_of_world, again, &pose, why);
}

static const tacPointshell *points_of_world;

static tacStatus make_world(tacError *why) {
  tacWorldDef def = tac_world_def_default();
  tacReducedBodyDef body = tac_reduced_body_def_default();
  tacRigidBodyDef rigid = tac_rigid_body_def_default();
  tacPairDef pair = tac_pair_def_default();
  tacBodyToolDef tool = tac_body_tool_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  TAC_OWN(tacPairLook, look) = NULL;
  body.body.name = "soft";
  body.reduced = soft;
  body.field = field_of_world;
  rigid.body.name = "ball";
  rigid.surface = sphere;
  rigid.shell = points_of_world;
  tool.name = "hand";
  TAC_TRY(tac_world_create(&def, &world, why));
  TAC_TRY(tac_world_add_reduced(world, &body, &pair.field, why));
  TAC_TRY(tac_world_add_rigid(world, &rigid, &pair.points, why));
  tool.body = pair.points;
  TAC_TRY(tac_world_add_pair(world, &pair, NULL, why));
  TAC_TRY(tac_world_add_body_tool(world, &tool, NULL, why));
  TAC_TRY(tac_world_seal(world, why));
  return tac_pair_look_create(world, 0, &look, why);
}

TAC_TEST(pairs) {
  path = tac_test_path("a.points");
  tacFieldDef def = tac_field_def_default();
  tacMaterial material;
  tacReducedDef reduced = tac_reduced_def_default();
  reduced.error_estimate_loads = 0; /* not of interest here */
  TAC_MEMORY(bool, anchored) = calloc((size_t)bricks->vertex_count, sizeof *anchored);
  for (int v = 0; v < bricks->vertex_count; ++v) anchored[v] = v < 4;
  def.resolution = 12;
  tac_test_ok(tac_distance_field_bake(sphere, &def, NULL, &ball, &error), error);
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.3, &material, &error), error);
  reduced.volume = bricks;
  reduced.material_count = 1;
  reduced.materials = &material;
  reduced.fixed = anchored;
  reduced.mode_count = 2;
  reduced.size = 2;
  tac_test_ok(tac_reduced_bake(&reduced, NULL, &soft, &error), error);
  fail_each_allocation(bake_points);
  fail_each_allocation(bake_deformed);
  tacPointshellDef points = tac_pointshell_def_default();
  tacDeformedFieldDef proxies = tac_deformed_field_def_default();
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_OWN(tacDeformedField, field) = NULL;
  tacDistanceField *part = NULL;
  points.point_count = 120;
  points.level_count = 2;
  tac_test_ok(tac_pointshell_bake(ball, NULL, &points, NULL, &shell, &error), error);
  tac_test_ok(tac_distance_field_cut(ball, ball, NULL, &part, &error), error);
  tac_test_ok(tac_deformed_field_bake(soft, 1, &part, &proxies, NULL, &field, &error), error);
  points_of_world = shell;
  field_of_world = field;
  fail_each_allocation(make_world);
  fail_each_allocation(bake_loads);
  tac_reduced_destroy(soft);
  tac_distance_field_destroy(ball);
}

static const char *shape_name;

static tacStatus build_shape(tacError *why) {
  TAC_OWN(tacTriMesh, mesh) = NULL;
  return tac_shape_build(shape_name, 0.0, NULL, &mesh, why);
}

static tacStatus fill_shape(tacError *why) {
  TAC_OWN(tacVolMesh, mesh) = NULL;
  return tac_shape_bricks(shape_name, 0.0, &mesh, why);
}

TAC_TEST(building_shapes) {
  const char *const names[] = {"box", "torus", "pipe", "trocar"};
  for (int i = 0; i < (tac_test_light() ? 3 : 4); ++i) {
    shape_name = names[i];
    fail_each_allocation(build_shape);
  }
  const char *const filled[] = {"table", "clip"};
  for (int i = 0; i < 2; ++i) {
    shape_name = filled[i];
    fail_each_allocation(fill_shape);
  }
}

static tacStatus solve_contacts(tacError *why) {
  TAC_OWN(tacContactProblem, problem) = NULL;
  tacContactSolverDef def = tac_contact_solver_def_default();
  tacContactReport report;
  TAC_TRY(tac_contact_problem_read(path, &problem, why));
  TAC_TRY(tac_contact_problem_solve(problem, &def, &report, why));
  return tac_contact_problem_write(problem, path, TAC_CONTACT_BLOCKS, why);
}

TAC_TEST(contact_problems) {
  path = tac_test_write("contacts.dat",
                        "2 2 0 4 4 4 4  2 0.5 1 0  0.5 3 0 1  1 0 2 0.5  0 1 0.5 3  -1 0.5 -2 0.1  0.5 0.25");
  fail_each_allocation(solve_contacts);
}
