#include "spec/cache/made_mesh.h"

#include <dirent.h>
#include <tactus/meshing.h>
#include "base/files/chunk_transfer.h"
#include "scene/scene_text.h"
#include "shape/gallery.h"
#include "shape/shape.h"
#include "spec/cache/bake_key.h"
#include "spec/cache/solid_cache.h"

/* The only file whose name ends so. */
static void find_file(const char *ending, char path[1024]) {
  DIR *list = opendir(cache);
  int found = 0;
  ck_assert_ptr_nonnull(list);
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length < strlen(ending) || strcmp(entry->d_name + length - strlen(ending), ending) != 0) continue;
    snprintf(path, 1024, "%s/%s", cache, entry->d_name);
    ++found;
  }
  closedir(list);
  ck_assert_int_eq(found, 1);
}

static tacTriMesh *fetch(const tacShapeMesh *def, bool again) {
  tacTriMesh *mesh = NULL;
  tac_test_ok(tac_solid_cache_surface(cache, def, again, NULL, &mesh, &error), error);
  return mesh;
}

static bool same(const tacTriMesh *a, const tacTriMesh *b) {
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles) == 0;
}

static const tacShapeMesh egg = {.shape = "kidney", .vertices = 60, .relaxed = true};

/* Keeps a mark in the file: the first vertex moved, under the same key. */
static void mark(const char *path, uint64_t key, int older) {
  TAC_CREATE(tacTriMesh, mesh, tac_made_surface_read(path, &mesh, &error));
  mesh->vertices[0].x += 1e-6;
  const uint64_t *outer = tac_chunk_writer_set_key(&key);
  tacChunkTransfer to = tac_chunk_transfer_write(path, "made surface", 1 - (uint32_t)older, &error);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
  tac_chunk_transfer_put(&to, "triangles", TAC_CHUNK_I32, 3 * (uint64_t)mesh->triangle_count, mesh->triangles);
  tac_test_ok(tac_chunk_transfer_end(&to), error);
  tac_chunk_writer_set_key(outer);
}

/* It is what is in the file that comes the second time, and what is made where that is older, another's, or not wanted. */
TAC_TEST(a_shape_is_built_once) {
  char path[1024], aside[1100];
  uint64_t key;
  open_cache();
  tac_test_ok(tac_bake_key_surface(&egg, &key, &error), error);
  TAC_OWN(tacTriMesh, first) = fetch(&egg, false);
  TAC_CREATE(tacTriMesh, plain, tac_shape_mesh_make(&egg, NULL, &plain, &error));
  ck_assert(same(first, plain));
  ck_assert_int_eq(first->vertex_count, 60);
  find_file(".surface", path);
  ck_assert_ptr_nonnull(strstr(path, "/kidney-"));
  struct {
    uint64_t key;
    int older;
    bool again, is_read;
  } rounds[] = {{key, 0, false, true}, {key, 1, false, false}, {key + 1, 0, false, false}, {key, 0, true, false}};
  for (int i = 0; i < 4; ++i) {
    mark(path, rounds[i].key, rounds[i].older);
    tacTriMesh *next = fetch(&egg, rounds[i].again);
    ck_assert_int_eq(same(next, plain), !rounds[i].is_read);
    tac_trimesh_destroy(next);
    next = fetch(&egg, true);
    tac_trimesh_destroy(next);
  }
  snprintf(aside, sizeof aside, "%s.aside", path);
  ck_assert_int_eq(access(aside, F_OK), 0); /* the one of another key */
}

TAC_TEST(a_broken_mesh_is_named) {
  char path[1024];
  open_cache();
  tac_trimesh_destroy(fetch(&egg, false));
  find_file(".surface", path);
  ck_assert_int_eq(truncate(path, 200), 0);
  tacTriMesh *mesh = NULL;
  ck_assert_int_ne(tac_solid_cache_surface(cache, &egg, false, NULL, &mesh, &error), TAC_OK);
  ck_assert_ptr_null(mesh);
  ck_assert_ptr_nonnull(strstr(error.text, path));
  ck_assert_ptr_nonnull(strstr(error.text, "delete this cached file, or bake with --again"));
  tac_trimesh_destroy(fetch(&egg, true));
  /* Whole, with checksums that are right, but no mesh. */
  const double vertices[9] = {0.0};
  const int32_t triangle[3] = {0, 1, 3};
  tacChunkTransfer to = tac_chunk_transfer_write(path, "made surface", 1, &error);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 9, vertices);
  tac_chunk_transfer_put(&to, "triangles", TAC_CHUNK_I32, 3, triangle);
  tac_test_ok(tac_chunk_transfer_end(&to), error);
  ck_assert_int_eq(tac_made_surface_read(path, &mesh, &error), TAC_ERR_FORMAT);
  ck_assert_ptr_null(mesh);
}

TAC_TEST(keys_depend_on_shape_and_size) {
  const tacShapeMesh defs[] = {{"kidney", 0.0, 0, false}, {"kidney", 0.004, 0, false}, {"kidney", 0.0, 60, false},
                               {"kidney", 0.0, 60, true}, {"kidney", 0.0, 61, true},   {"heart", 0.0, 0, false},
                               {"sphere", 0.0, 0, false}, {"torus", 0.0, 0, false}};
  enum { COUNT = sizeof defs / sizeof *defs };
  uint64_t keys[COUNT], other;
  open_cache();
  for (int i = 0; i < COUNT; ++i) {
    tac_test_ok(tac_bake_key_surface(&defs[i], &keys[i], &error), error);
    for (int j = 0; j < i; ++j) ck_assert_uint_ne(keys[i], keys[j]);
  }
  /* The size by default is that size; without coarsening nothing is relaxed. */
  const tacShapeMesh alike[] = {{"kidney", tac_shape_find("kidney")->size, 0, false}, {"kidney", 0.0, 0, true}};
  for (int i = 0; i < 2; ++i) {
    tac_test_ok(tac_bake_key_surface(&alike[i], &other, &error), error);
    ck_assert_uint_eq(other, keys[0]);
  }
  const tacShapeMesh none = {"kidneys", 0.0, 0, false};
  ck_assert_int_eq(tac_bake_key_surface(&none, &other, &error), TAC_ERR_ARGUMENT);
}

static double bumped(tacVec3 p) {
  return tac_gallery_find("kidney")->solid.function(p) + 1e-6;
}

/* A model that is changed under its name is another one. */
TAC_TEST(fingerprints_follow_the_model) {
  open_cache();
  uint64_t a, b;
  tacGalleryModel model = *tac_gallery_find("kidney");
  tac_test_ok(tac_gallery_fingerprint(&model, &a, &error), error);
  tac_test_ok(tac_gallery_fingerprint(&model, &b, &error), error);
  ck_assert_uint_eq(a, b);
  model.solid.function = bumped;
  tac_test_ok(tac_gallery_fingerprint(&model, &b, &error), error);
  ck_assert_uint_ne(a, b);
}

TAC_TEST(keys_depend_on_surface_and_filling) {
  TAC_CREATE(tacTriMesh, ball, tac_shape_build("sphere", 0.02, NULL, &ball, &error));
  TAC_CREATE(tacTriMesh, other, tac_shape_build("sphere", 0.02, NULL, &other, &error));
  other->vertices[0].x += 1e-9;
  const tacFilledMesh defs[] = {{.surface = ball, .tets = 0.02},
                                {.surface = ball, .tets = 0.021},
                                {.surface = ball, .resolution = 6},
                                {.surface = ball, .resolution = 7},
                                {.surface = ball, .resolution = 6, .rule = TAC_VOXELS_COVER},
                                {.surface = other, .tets = 0.02}};
  uint64_t keys[6];
  for (int i = 0; i < 6; ++i) {
    keys[i] = tac_bake_key_volume(&defs[i]);
    for (int j = 0; j < i; ++j) ck_assert_uint_ne(keys[i], keys[j]);
  }
  const tacFilledMesh alike = {.surface = ball, .tets = 0.02, .resolution = 6}; /* tetrahedra have no resolution */
  ck_assert_uint_eq(tac_bake_key_volume(&alike), keys[0]);
}

TAC_TEST(filled_meshes_are_kept) {
  open_cache();
  char path[1024];
  TAC_CREATE(tacTriMesh, ball, tac_shape_build("sphere", 0.02, NULL, &ball, &error));
  const tacFilledMesh defs[] = {{.surface = ball, .tets = 0.02}, {.surface = ball, .resolution = 6}};
  ck_assert_uint_ne(tac_bake_key_volume(&defs[0]), tac_bake_key_volume(&defs[1]));
  for (int i = 0; i < 2; ++i) {
    TAC_CREATE(tacVolMesh, made, tac_solid_cache_volume(cache, &defs[i], false, NULL, &made, &error));
    find_file(".volume", path);
    ck_assert_int_eq(made->tet_count > 0, i == 0);
    ck_assert_int_eq(made->brick_count > 0, i == 1);
    made->vertices[0].x += 1e-6;
    uint64_t key = tac_bake_key_volume(&defs[i]);
    const uint64_t *outer = tac_chunk_writer_set_key(&key);
    tac_test_ok(tac_made_volume_write(made, path, &error), error);
    tac_chunk_writer_set_key(outer);
    TAC_CREATE(tacVolMesh, kept, tac_solid_cache_volume(cache, &defs[i], false, NULL, &kept, &error));
    ck_assert_int_eq(kept->vertex_count, made->vertex_count);
    ck_assert_int_eq(kept->tet_count, made->tet_count);
    ck_assert_int_eq(kept->brick_count, made->brick_count);
    ck_assert_mem_eq(kept->vertices, made->vertices, (size_t)made->vertex_count * sizeof *made->vertices);
    if (i == 0) ck_assert_mem_eq(kept->tets, made->tets, (size_t)made->tet_count * sizeof *made->tets);
    if (i == 1) ck_assert_mem_eq(kept->bricks, made->bricks, (size_t)made->brick_count * sizeof *made->bricks);
    ck_assert_int_eq(remove(path), 0);
  }
}

static const char scene_text[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - {name: ball, kind: green, method: finite-elements, surface: {shape: sphere, size: 20 mm},\n"
    "     volume: {tets: 20 mm}, material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3},\n"
    "     fixed: [{below: {axis: z, at: -20 mm}}], mask: single}\n"
    "tools:\n"
    "  - {name: probe, kind: point, device: {kind: operator,\n"
    "     repeat: true,\n"
    "     path: [{on: ball, near: [0, 0, 8 cm], depth: 4 mm, after: 1 s}]}}\n";

/* What shows the inside of a body takes the mesh that the bake kept. */
TAC_TEST(a_scene_shows_the_mesh_that_was_kept) {
  open_cache();
  char path[1024];
  tacVolMesh *shown = NULL;
  TAC_CREATE(tacScene, scene, tac_scene_parse(scene_text, "ball.yaml", &scene, &error));
  tac_test_ok(tac_scene_bake(scene, cache, false, NULL, NULL, &error), error);
  find_file(".volume", path);
  tac_test_ok(tac_scene_volume(scene, 0, NULL, &shown, &error), error);
  ck_assert_int_gt(shown->tet_count, 0);
  tac_volmesh_destroy(shown);
  ck_assert_int_eq(truncate(path, 100), 0); /* it is that file which is read */
  ck_assert_int_ne(tac_scene_volume(scene, 0, NULL, &shown, &error), TAC_OK);
  ck_assert_ptr_nonnull(strstr(error.text, path));
}
