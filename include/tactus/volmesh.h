/* A volume mesh of 4-node tetrahedra and 8-node bricks. Lengths in metres. */
#ifndef TACTUS_VOLMESH_H
#define TACTUS_VOLMESH_H

#include <tactus/error.h>
#include <tactus/trimesh.h>
#include <tactus/vec3.h>

TAC_BEGIN_DECLS

/* Positive volume: (b - a) x (c - a) . (d - a) > 0. */
typedef struct tacTet {
  int v[4];
} tacTet;

/* Bottom face 0 1 2 3 counter-clockwise seen from above (from the top face), top face 4 5 6 7 above it: the VTK and Gmsh
 * order. */
typedef struct tacBrick {
  int v[8];
} tacBrick;

/* A material as a mesh file states it: `kind` is "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio),
 * "ORTHOTROPIC" or "MOONEYRIVLIN", with the parameters in the order of the VEG format. */
#define TAC_MESH_MATERIAL_PARAMETERS 24
typedef struct tacMeshMaterial {
  char *name;
  char *kind;
  int parameter_count;
  double parameters[TAC_MESH_MATERIAL_PARAMETERS];
} tacMeshMaterial;

/* Elements of `group` have `material`; later regions override earlier ones. */
typedef struct tacMeshRegion {
  int group, material;
} tacMeshRegion;

/* Elements are numbered tetrahedra first, then bricks: element e >= tet_count is bricks[e - tet_count].
 * A plain struct so that callers can fill it; every array is owned by the mesh and comes from malloc. */
typedef struct tacVolMesh {
  int vertex_count;
  tacVec3 *vertices;
  int tet_count;
  tacTet *tets;
  int brick_count;
  tacBrick *bricks;
  int group_count; /* of elements */
  tacIndexSet *groups;
  int vertex_set_count;
  tacIndexSet *vertex_sets;
  int material_count;
  tacMeshMaterial *materials;
  int region_count;
  tacMeshRegion *regions;
} tacVolMesh;

/* A mesh with room for the given counts, zeroed. Free it with tac_volmesh_destroy. */
TAC_API tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh,
                                     tacError *error);
TAC_API void tac_volmesh_destroy(tacVolMesh *mesh); /* NULL is allowed */
/* Append a group of elements or a set of vertices (copied, sorted); the name must be new in its list. */
TAC_API tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements,
                                        tacError *error);
TAC_API tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices,
                                             tacError *error);
/* TAC_ERR_GEOMETRY where an index is out of range or a coordinate is not finite; says which. */
TAC_API tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error);
TAC_API tacBox tac_volmesh_box(const tacVolMesh *mesh);
TAC_API double tac_volmesh_volume(const tacVolMesh *mesh);

/* The boundary: faces that belong to one element only, facing outward; a brick's face becomes two triangles. Vertices are
 * renumbered without gaps. `vertex_of` (optional) receives a malloc'ed array that maps each surface vertex to its volume
 * vertex; `element_of` (optional) one that maps each triangle to its element. */
TAC_API tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of,
                                      tacError *error);

/* A surface that moves with a volume mesh: each point is a weighted sum of the vertices of one element. */
typedef struct tacEmbedding {
  int point_count;
  int *elements;        /* the element of each point */
  int (*vertices)[8];   /* its vertices; 4 used for tetrahedra, the rest repeat the first with weight 0 */
  double (*weights)[8]; /* sum to 1; barycentric (tet) or trilinear (brick); negative for points outside */
  int outside_count;    /* points outside every element; they take the nearest element and extrapolate from it */
} tacEmbedding;

TAC_API tacStatus tac_embedding_create(const tacVolMesh *mesh, int point_count, const tacVec3 *points,
                                       tacEmbedding **embedding, tacError *error);
TAC_API void tac_embedding_destroy(tacEmbedding *embedding); /* NULL is allowed */
/* Points for vertex positions or displacements `vertex_values` of the volume mesh; no allocation, any phase. */
TAC_API void tac_embedding_apply(const tacEmbedding *embedding, const tacVec3 *vertex_values, tacVec3 *point_values);

TAC_END_DECLS

#endif
