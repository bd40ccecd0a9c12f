/* What a reader collects while it reads: vertices, elements, groups and materials, made into meshes at the end.
 *
 * A reader of any format is: begin, add, finish. All elements share one list of vertices. Functions that return a status
 * have set the builder's error where it is not TAC_OK. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include <tactus/mesh.h>
#include "mesh/text/scanner.h"

void tac_mesh_contents_destroy(tacMeshContents *contents); /* frees both and sets them to NULL */

/* Groups of materials serve to find materials by name only: they do not become groups of the meshes. */
typedef enum tacGroupKind {
  TAC_GROUP_OF_TRIANGLES,
  TAC_GROUP_OF_ELEMENTS,
  TAC_GROUP_OF_VERTICES,
  TAC_GROUP_OF_MATERIALS
} tacGroupKind;

/* An element as groups hold it: bricks are numbered after all tetrahedra, whose number is known at the end only. */
static inline int tac_mesh_builder_brick_item(int brick) {
  return ~brick;
}

typedef struct tacBuilderGroup {
  tacGroupKind kind;
  char *name;
  int *items;
  size_t count, capacity;
} tacBuilderGroup;

typedef struct tacVertexId {
  int64_t id;
  int vertex;
} tacVertexId;

#define TAC_MESH_BUILDER_SKIPS 16
#define TAC_MESH_BUILDER_ASSIGNMENTS 8 /* for each byte of the file */
#define TAC_MESH_BUILDER_NAME 1024     /* bytes of a name at most: readers look names up for every element */

typedef struct tacMeshBuilder {
  const char *name; /* of the file, for messages */
  tacError *error;
  tacVec3 *vertices;
  tacTriangle *triangles;
  tacTet *tets;
  tacBrick *bricks;
  size_t vertex_count, triangle_count, tet_count, brick_count;
  size_t vertex_room, triangle_room, tet_room, brick_room;
  int *corners; /* of the face that is being added */
  size_t corner_count, corner_room;
  int64_t *ids; /* of the vertices, where the file numbers them itself */
  size_t id_room;
  tacVertexId *id_order; /* by id; NULL where the ids are consecutive */
  tacBuilderGroup *groups;
  size_t group_count, group_room;
  size_t assignments_left; /* to groups: a few for each byte of the file, so that a small file cannot ask for much */
  int *group_table;        /* open addressing by kind and name */
  size_t group_table_size;
  tacMeshMaterial *materials;
  size_t material_count, material_room;
  tacMeshRegion *regions; /* `group` is a group of this builder */
  size_t region_count, region_room;
  struct {
    char what[48];
    int count;
    tacLogLevel level;
  } skips[TAC_MESH_BUILDER_SKIPS];
  int skip_count;
} tacMeshBuilder;

/* `size` is that of the file: it bounds the memory that groups may take. */
tacMeshBuilder tac_mesh_builder_begin(const char *name, size_t size, tacError *error);

/* Where `status` is TAC_OK, makes the meshes and tells the log what was skipped; frees the builder either way. Without
 * volume elements the surface has every vertex; beside a volume it has the vertices that its triangles use, in their order,
 * and the volume has all others and those that both use. A file without any element is refused. */
tacStatus tac_mesh_builder_finish(tacMeshBuilder *builder, tacStatus status, tacMeshContents *contents);

tacStatus tac_mesh_builder_add_vertex(tacMeshBuilder *builder, tacVec3 vertex);
/* Indices must be in range. */
tacStatus tac_mesh_builder_add_triangle(tacMeshBuilder *builder, int a, int b, int c);
/* A face as a fan of triangles, all in the same groups: its corners one after the other, then the face. One of fewer than 3 corners is
 * skipped. */
tacStatus tac_mesh_builder_add_corner(tacMeshBuilder *builder, int vertex);
tacStatus tac_mesh_builder_add_face(tacMeshBuilder *builder, size_t group_count, const int *groups);
tacStatus tac_mesh_builder_add_tet(tacMeshBuilder *builder, const int v[4]);
tacStatus tac_mesh_builder_add_brick(tacMeshBuilder *builder, const int v[8]);

/* A vertex with the number that the file gives it; after the last one tac_mesh_builder_index_ids makes them findable, and
 * gives in `twice` a number that two vertices have, if any, else -1. Numbers are not negative. */
tacStatus tac_mesh_builder_add_vertex_id(tacMeshBuilder *builder, int64_t id, tacVec3 vertex);
tacStatus tac_mesh_builder_index_ids(tacMeshBuilder *builder, int64_t *twice);
int tac_mesh_builder_find_id(const tacMeshBuilder *builder, int64_t id); /* -1 where there is none */

/* The group of that kind and name, made where it is new. Bytes that are no text become '_'. */
tacStatus tac_mesh_builder_group(tacMeshBuilder *builder, tacGroupKind kind, tacWord name, int *group);
/* "region 7" */
tacStatus tac_mesh_builder_region_group(tacMeshBuilder *builder, tacGroupKind kind, int64_t tag, int *group);
tacStatus tac_mesh_builder_assign(tacMeshBuilder *builder, int group, int item);
/* The group of that kind and name, or -1. */
int tac_mesh_builder_find_group(const tacMeshBuilder *builder, tacGroupKind kind, tacWord name);

/* Copies name and kind. */
tacStatus tac_mesh_builder_add_material(tacMeshBuilder *builder, tacWord name, tacWord kind, int parameter_count,
                                        const double *parameters);
tacStatus tac_mesh_builder_add_region(tacMeshBuilder *builder, int group, int material);

/* Counts `count` elements of a kind that is left out ("elements of type 15 (point)"). */
void tac_mesh_builder_skip(tacMeshBuilder *builder, tacLogLevel level, int count, const char *what);
