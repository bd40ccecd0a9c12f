#include "mesh/contents/mesh_builder.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

tacMeshBuilder tac_mesh_builder_begin(const char *name, size_t size, tacError *error) {
  return (tacMeshBuilder){.name = name, .error = error, .assignments_left = TAC_MESH_BUILDER_ASSIGNMENTS * (size + 16)};
}

static void free_builder(tacMeshBuilder *builder) {
  free(builder->vertices);
  free(builder->triangles);
  free(builder->tets);
  free(builder->bricks);
  free(builder->corners);
  free(builder->ids);
  free(builder->id_order);
  for (size_t g = 0; g < builder->group_count; ++g) {
    free(builder->groups[g].name);
    free(builder->groups[g].items);
  }
  free(builder->groups);
  free(builder->group_table);
  for (size_t m = 0; m < builder->material_count; ++m) {
    free(builder->materials[m].name);
    free(builder->materials[m].kind);
  }
  free(builder->materials);
  free(builder->regions);
  *builder = tac_mesh_builder_begin(NULL, 0, NULL);
}

static tacStatus make_room(tacMeshBuilder *builder, void **items, size_t count, size_t *room, size_t size,
                           const char *what) {
  if (count < *room) return TAC_OK;
  if (count >= INT_MAX / 2)
    return tac_error_set(builder->error, TAC_ERR_UNSUPPORTED, "%s: the file has more than %d %s, which is the limit",
                         builder->name, INT_MAX / 2, what);
  return tac_array_reserve(items, room, count + 1, size, what, builder->error);
}

/* Room for one more item of an array of the builder. */
#define ROOM(items, count, room, what) make_room(builder, (void **)&(items), count, &(room), sizeof *(items), what)

tacStatus tac_mesh_builder_add_vertex(tacMeshBuilder *builder, tacVec3 vertex) {
  TAC_TRY(ROOM(builder->vertices, builder->vertex_count, builder->vertex_room, "vertices"));
  builder->vertices[builder->vertex_count++] = vertex;
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_triangle(tacMeshBuilder *builder, int a, int b, int c) {
  TAC_TRY(ROOM(builder->triangles, builder->triangle_count, builder->triangle_room, "triangles"));
  builder->triangles[builder->triangle_count++] = (tacTriangle){{a, b, c}};
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_corner(tacMeshBuilder *builder, int vertex) {
  TAC_TRY(ROOM(builder->corners, builder->corner_count, builder->corner_room, "corners of a face"));
  builder->corners[builder->corner_count++] = vertex;
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_face(tacMeshBuilder *builder, size_t group_count, const int *groups) {
  const int *corners = builder->corners;
  if (builder->corner_count < 3) tac_mesh_builder_skip(builder, TAC_LOG_INFO, 1, "a face has fewer than 3 vertices");
  for (size_t c = 2; c < builder->corner_count; ++c) {
    for (size_t g = 0; g < group_count; ++g)
      TAC_TRY(tac_mesh_builder_assign(builder, groups[g], (int)builder->triangle_count));
    TAC_TRY(tac_mesh_builder_add_triangle(builder, corners[0], corners[c - 1], corners[c]));
  }
  builder->corner_count = 0;
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_tet(tacMeshBuilder *builder, const int v[4]) {
  TAC_TRY(ROOM(builder->tets, builder->tet_count, builder->tet_room, "tetrahedra"));
  memcpy(builder->tets[builder->tet_count++].v, v, sizeof(tacTet));
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_brick(tacMeshBuilder *builder, const int v[8]) {
  TAC_TRY(ROOM(builder->bricks, builder->brick_count, builder->brick_room, "bricks"));
  memcpy(builder->bricks[builder->brick_count++].v, v, sizeof(tacBrick));
  return TAC_OK;
}

/* ---- vertices by the file's own numbers ---- */

tacStatus tac_mesh_builder_add_vertex_id(tacMeshBuilder *builder, int64_t id, tacVec3 vertex) {
  TAC_TRY(tac_array_reserve((void **)&builder->ids, &builder->id_room, builder->vertex_count + 1, sizeof id,
                            "vertex numbers", builder->error));
  builder->ids[builder->vertex_count] = id;
  return tac_mesh_builder_add_vertex(builder, vertex);
}

static int compare_ids(const void *a, const void *b) {
  const tacVertexId *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

tacStatus tac_mesh_builder_index_ids(tacMeshBuilder *builder, int64_t *twice) {
  *twice = -1;
  size_t count = builder->vertex_count, run = 1;
  while (run < count && builder->ids[run] == builder->ids[0] + (int64_t)run) ++run;
  if (run >= count) return TAC_OK;
  TAC_TRY(TAC_ARRAY(builder->id_order, count, "a table of vertex numbers", builder->error));
  tacVertexId *order = builder->id_order;
  for (size_t v = 0; v < count; ++v) order[v] = (tacVertexId){builder->ids[v], (int)v};
  qsort(order, count, sizeof *order, compare_ids);
  for (size_t v = 1; v < count && *twice < 0; ++v)
    if (order[v].id == order[v - 1].id) *twice = order[v].id;
  return TAC_OK;
}

int tac_mesh_builder_find_id(const tacMeshBuilder *builder, int64_t id) {
  size_t count = builder->vertex_count;
  if (count == 0 || id < 0) return -1;
  if (builder->id_order == NULL) {
    int64_t index = id - builder->ids[0];
    return index >= 0 && index < (int64_t)count ? (int)index : -1;
  }
  const tacVertexId *found = bsearch(&(tacVertexId){.id = id}, builder->id_order, count, sizeof *found, compare_ids);
  return found != NULL ? found->vertex : -1;
}

/* ---- groups ---- */

/* Mixes all bits (the finaliser of splitmix64). */
static size_t hash_bits(uint64_t bits) {
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return (size_t)(bits ^ bits >> 31);
}

/* A name is text without control characters: others become '_'. */
static char name_character(char c) {
  return (unsigned char)c < 32 || c == 127 ? '_' : c;
}

static char *copy_name(tacWord name, tacError *error) {
  char *copy = tac_array_create(name.length + 1, 1, "a name", error);
  for (size_t i = 0; copy != NULL && i < name.length; ++i) copy[i] = name_character(name.text[i]);
  return copy;
}

static size_t hash_name(tacGroupKind kind, tacWord name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325) + kind; /* FNV-1a */
  for (size_t i = 0; i < name.length; ++i)
    hash = (hash ^ (unsigned char)name_character(name.text[i])) * UINT64_C(0x100000001b3);
  return hash_bits(hash);
}

static bool has_name(const tacBuilderGroup *group, tacGroupKind kind, tacWord name) {
  if (group->kind != kind || strlen(group->name) != name.length) return false;
  for (size_t i = 0; i < name.length; ++i)
    if (group->name[i] != name_character(name.text[i])) return false;
  return true;
}

int tac_mesh_builder_find_group(const tacMeshBuilder *builder, tacGroupKind kind, tacWord name) {
  size_t mask = builder->group_table_size - 1;
  if (builder->group_table_size == 0) return -1;
  for (size_t slot = hash_name(kind, name) & mask; builder->group_table[slot] != 0; slot = (slot + 1) & mask) {
    int group = builder->group_table[slot] - 1;
    if (has_name(&builder->groups[group], kind, name)) return group;
  }
  return -1;
}

static void enter_group(tacMeshBuilder *builder, int group) {
  const tacBuilderGroup *entered = &builder->groups[group];
  size_t mask = builder->group_table_size - 1;
  size_t slot = hash_name(entered->kind, (tacWord){entered->name, strlen(entered->name)}) & mask;
  while (builder->group_table[slot] != 0) slot = (slot + 1) & mask;
  builder->group_table[slot] = group + 1;
}

static tacStatus grow_group_table(tacMeshBuilder *builder) {
  if (2 * (builder->group_count + 1) <= builder->group_table_size) return TAC_OK;
  size_t size = builder->group_table_size == 0 ? 16 : 2 * builder->group_table_size;
  int *table = tac_array_create(size, sizeof *table, "a table of groups", builder->error);
  if (table == NULL) return TAC_ERR_MEMORY;
  free(builder->group_table);
  builder->group_table = table;
  builder->group_table_size = size;
  for (size_t g = 0; g < builder->group_count; ++g) enter_group(builder, (int)g);
  return TAC_OK;
}

tacStatus tac_mesh_builder_group(tacMeshBuilder *builder, tacGroupKind kind, tacWord name, int *group) {
  if (name.length > TAC_MESH_BUILDER_NAME)
    return tac_error_set(builder->error, TAC_ERR_UNSUPPORTED, "%s: a name has %zu bytes; at most %d are supported",
                         builder->name, name.length, TAC_MESH_BUILDER_NAME);
  *group = tac_mesh_builder_find_group(builder, kind, name);
  if (*group >= 0) return TAC_OK;
  TAC_TRY(grow_group_table(builder));
  TAC_TRY(ROOM(builder->groups, builder->group_count, builder->group_room, "groups"));
  tacBuilderGroup made = {.kind = kind, .name = copy_name(name, builder->error)};
  if (made.name == NULL) return TAC_ERR_MEMORY;
  builder->groups[builder->group_count] = made;
  *group = (int)builder->group_count++;
  enter_group(builder, *group);
  return TAC_OK;
}

tacStatus tac_mesh_builder_region_group(tacMeshBuilder *builder, tacGroupKind kind, int64_t tag, int *group) {
  char name[32];
  int length = snprintf(name, sizeof name, "region %" PRId64, tag);
  return tac_mesh_builder_group(builder, kind, (tacWord){name, (size_t)length}, group);
}

tacStatus tac_mesh_builder_assign(tacMeshBuilder *builder, int group, int item) {
  tacBuilderGroup *g = &builder->groups[group];
  if (builder->assignments_left == 0)
    return tac_error_set(builder->error, TAC_ERR_UNSUPPORTED, "%s: the elements belong to too many groups",
                         builder->name);
  --builder->assignments_left;
  TAC_TRY(ROOM(g->items, g->count, g->capacity, "items of a group"));
  g->items[g->count++] = item;
  return TAC_OK;
}

tacStatus tac_mesh_builder_add_material(tacMeshBuilder *builder, tacWord name, tacWord kind, int parameter_count,
                                        const double *parameters) {
  TAC_TRY(ROOM(builder->materials, builder->material_count, builder->material_room, "materials"));
  tacMeshMaterial *material = &builder->materials[builder->material_count++];
  *material = (tacMeshMaterial){.name = copy_name(name, builder->error), .parameter_count = parameter_count};
  memcpy(material->parameters, parameters, (size_t)parameter_count * sizeof *parameters);
  if (material->name != NULL) material->kind = copy_name(kind, builder->error);
  return material->kind != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

tacStatus tac_mesh_builder_add_region(tacMeshBuilder *builder, int group, int material) {
  TAC_TRY(ROOM(builder->regions, builder->region_count, builder->region_room, "regions"));
  builder->regions[builder->region_count++] = (tacMeshRegion){group, material};
  return TAC_OK;
}

void tac_mesh_builder_skip(tacMeshBuilder *builder, tacLogLevel level, int count, const char *what) {
  int s = 0;
  while (s < builder->skip_count && strcmp(builder->skips[s].what, what) != 0) ++s;
  if (s == TAC_MESH_BUILDER_SKIPS) --s; /* so many kinds are counted together with the last one */
  if (s == builder->skip_count) {
    ++builder->skip_count;
    builder->skips[s].level = level;
    snprintf(builder->skips[s].what, sizeof builder->skips[s].what, "%s", what);
  }
  if (builder->skips[s].count <= INT_MAX - count) builder->skips[s].count += count;
}

/* ---- making the meshes ---- */

static void report_skips(const tacMeshBuilder *builder) {
  for (int s = 0; s < builder->skip_count; ++s)
    tac_log(builder->skips[s].level, "%s: skipped %d %s", builder->name, builder->skips[s].count,
            builder->skips[s].what);
}

/* Final indices, ascending and without repetition. `new_index` maps vertices (NULL: as they are, < 0: left out). */
static void settle_items(const tacMeshBuilder *builder, tacBuilderGroup *group, const int *new_index) {
  bool ascending = true;
  size_t kept = 0;
  for (size_t i = 0; i < group->count; ++i) {
    int item = group->items[i];
    if (group->kind == TAC_GROUP_OF_ELEMENTS && item < 0) item = (int)builder->tet_count + ~item;
    if (group->kind == TAC_GROUP_OF_VERTICES && new_index != NULL) item = new_index[item];
    if (item < 0) continue;
    if (kept > 0 && item <= group->items[kept - 1]) ascending = false;
    group->items[kept++] = item;
  }
  group->count = kept;
  if (ascending) return;
  qsort(group->items, kept, sizeof *group->items, tac_array_compare_ints);
  size_t unique = 1;
  for (size_t i = 1; i < kept; ++i)
    if (group->items[i] != group->items[unique - 1]) group->items[unique++] = group->items[i];
  group->count = unique;
}

/* The array in the variable at `items`, which may have stayed empty: never NULL on success. */
static void *take_elements(tacMeshBuilder *builder, void *items, const char *what) {
  void *taken = tac_give(items);
  return taken != NULL ? taken : tac_array_create(0, 1, what, builder->error);
}

/* Moves the groups of one kind into a list of their own. `place` (optional) receives where each group went. */
static tacStatus take_groups(tacMeshBuilder *builder, tacGroupKind kind, const int *new_index, int *count,
                             tacIndexSet **sets, int *place) {
  size_t taken = 0;
  for (size_t g = 0; g < builder->group_count; ++g) taken += builder->groups[g].kind == kind;
  if (taken == 0) return TAC_OK;
  TAC_TRY(TAC_ARRAY(*sets, taken, "groups", builder->error));
  for (size_t g = 0; g < builder->group_count; ++g) {
    tacBuilderGroup *group = &builder->groups[g];
    if (group->kind != kind) continue;
    settle_items(builder, group, new_index);
    int *items = take_elements(builder, &group->items, "a group");
    if (items == NULL) return TAC_ERR_MEMORY;
    if (place != NULL) place[g] = *count;
    (*sets)[(*count)++] = (tacIndexSet){tac_give(&group->name), (int)group->count, items};
  }
  return TAC_OK;
}

#define USED_BY_TRIANGLE 1
#define USED_BY_VOLUME 2

/* Gives new numbers, in order, to the vertices that `keeps` accepts, -1 to others; returns how many were kept. */
static int renumber(const tacMeshBuilder *builder, const unsigned char *use, bool for_surface, int *new_index) {
  int kept = 0;
  for (size_t v = 0; v < builder->vertex_count; ++v) {
    bool keep = for_surface ? (use[v] & USED_BY_TRIANGLE) != 0 : use[v] != USED_BY_TRIANGLE;
    new_index[v] = keep ? kept++ : -1;
  }
  return kept;
}

/* Takes the builder's array over where nothing is left out, else copies what is kept. */
static tacVec3 *take_vertices(tacMeshBuilder *builder, const int *new_index, int kept) {
  if (new_index == NULL) return tac_give(&builder->vertices);
  tacVec3 *copy = tac_array_create((size_t)kept, sizeof *copy, "vertices", builder->error);
  for (size_t v = 0; copy != NULL && v < builder->vertex_count; ++v)
    if (new_index[v] >= 0) copy[new_index[v]] = builder->vertices[v];
  return copy;
}

static tacStatus make_surface(tacMeshBuilder *builder, const int *new_index, int vertex_count, tacTriMesh **surface) {
  TAC_TRY(TAC_ARRAY(*surface, 1, "a surface", builder->error));
  tacTriMesh *mesh = *surface;
  for (size_t t = 0; new_index != NULL && t < builder->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) builder->triangles[t].v[c] = new_index[builder->triangles[t].v[c]];
  mesh->triangle_count = (int)builder->triangle_count;
  mesh->triangles = tac_give(&builder->triangles);
  mesh->vertices = take_vertices(builder, new_index, vertex_count);
  if (mesh->vertices == NULL) return TAC_ERR_MEMORY;
  mesh->vertex_count = vertex_count;
  return take_groups(builder, TAC_GROUP_OF_TRIANGLES, NULL, &mesh->group_count, &mesh->groups, NULL);
}

static tacStatus make_regions(tacMeshBuilder *builder, const int *group_place, tacVolMesh *mesh) {
  for (size_t r = 0; r < builder->region_count; ++r) builder->regions[r].group = group_place[builder->regions[r].group];
  mesh->materials = tac_give(&builder->materials);
  mesh->material_count = (int)builder->material_count;
  mesh->regions = tac_give(&builder->regions);
  mesh->region_count = (int)builder->region_count;
  builder->material_count = 0;
  return TAC_OK;
}

static tacStatus make_volume(tacMeshBuilder *builder, const int *new_index, int vertex_count, tacVolMesh **volume) {
  TAC_TRY(TAC_ARRAY(*volume, 1, "a volume mesh", builder->error));
  tacVolMesh *mesh = *volume;
  for (size_t t = 0; new_index != NULL && t < builder->tet_count; ++t)
    for (int c = 0; c < 4; ++c) builder->tets[t].v[c] = new_index[builder->tets[t].v[c]];
  for (size_t b = 0; new_index != NULL && b < builder->brick_count; ++b)
    for (int c = 0; c < 8; ++c) builder->bricks[b].v[c] = new_index[builder->bricks[b].v[c]];
  mesh->tet_count = (int)builder->tet_count;
  mesh->tets = take_elements(builder, &builder->tets, "tetrahedra");
  mesh->brick_count = (int)builder->brick_count;
  mesh->bricks = take_elements(builder, &builder->bricks, "bricks");
  if (mesh->tets == NULL || mesh->bricks == NULL) return TAC_ERR_MEMORY;
  mesh->vertices = take_vertices(builder, new_index, vertex_count);
  if (mesh->vertices == NULL) return TAC_ERR_MEMORY;
  mesh->vertex_count = vertex_count;
  TAC_TRY(take_groups(builder, TAC_GROUP_OF_VERTICES, new_index, &mesh->vertex_set_count, &mesh->vertex_sets, NULL));
  TAC_MEMORY(int, place) = NULL;
  TAC_TRY(TAC_ARRAY(place, builder->group_count, "groups", builder->error));
  TAC_TRY(take_groups(builder, TAC_GROUP_OF_ELEMENTS, NULL, &mesh->group_count, &mesh->groups, place));
  return make_regions(builder, place, mesh);
}

static tacStatus make_both(tacMeshBuilder *builder, tacMeshContents *contents) {
  size_t count = builder->vertex_count;
  TAC_MEMORY(unsigned char, use) = NULL;
  TAC_MEMORY(int, new_index) = NULL;
  TAC_TRY(TAC_ARRAY(use, count, "flags of vertices", builder->error));
  TAC_TRY(TAC_ARRAY(new_index, count, "new vertex numbers", builder->error));
  for (size_t t = 0; t < builder->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) use[builder->triangles[t].v[c]] |= USED_BY_TRIANGLE;
  for (size_t t = 0; t < builder->tet_count; ++t)
    for (int c = 0; c < 4; ++c) use[builder->tets[t].v[c]] |= USED_BY_VOLUME;
  for (size_t b = 0; b < builder->brick_count; ++b)
    for (int c = 0; c < 8; ++c) use[builder->bricks[b].v[c]] |= USED_BY_VOLUME;
  int kept = renumber(builder, use, true, new_index);
  TAC_TRY(make_surface(builder, new_index, kept, &contents->surface));
  kept = renumber(builder, use, false, new_index);
  return make_volume(builder, new_index, kept, &contents->volume);
}

static tacStatus make_contents(tacMeshBuilder *builder, tacMeshContents *contents) {
  bool surface = builder->triangle_count > 0, volume = builder->tet_count + builder->brick_count > 0;
  if (!surface && !volume)
    return tac_error_set(builder->error, TAC_ERR_FORMAT, "%s: the file contains no triangles, tetrahedra or bricks",
                         builder->name);
  if (surface && volume) return make_both(builder, contents);
  int count = (int)builder->vertex_count;
  return surface ? make_surface(builder, NULL, count, &contents->surface)
                 : make_volume(builder, NULL, count, &contents->volume);
}

void tac_mesh_contents_destroy(tacMeshContents *contents) {
  tac_trimesh_destroy(contents->surface);
  tac_volmesh_destroy(contents->volume);
  *contents = (tacMeshContents){NULL, NULL};
}

tacStatus tac_mesh_builder_finish(tacMeshBuilder *builder, tacStatus status, tacMeshContents *contents) {
  *contents = (tacMeshContents){NULL, NULL};
  if (status == TAC_OK) {
    report_skips(builder);
    status = make_contents(builder, contents);
  }
  if (status != TAC_OK) tac_mesh_contents_destroy(contents);
  free_builder(builder);
  return status;
}
