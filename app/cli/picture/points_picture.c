#include "app/cli/picture/points_picture.h"

#include <math.h>
#include "asset/pointshell.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

enum { CORNERS = 7, SHADES = 6 };

/* The first levels stand out; linear red, green, blue. */
static const float shades[SHADES][3] = {{0.70f, 0.02f, 0.03f}, {0.85f, 0.22f, 0.01f}, {0.80f, 0.55f, 0.03f},
                                        {0.10f, 0.40f, 0.12f}, {0.02f, 0.20f, 0.50f}, {0.10f, 0.05f, 0.30f}};
static const float ground[3] = {0.62f, 0.62f, 0.62f};

static void add_disc(tacTriMesh *mesh, int vertex, int triangle, tacVec3 centre, tacVec3 normal, double radius) {
  tacVec3 aside = fabs(normal.x) < 0.6 ? tac_vec3(1, 0, 0) : tac_vec3(0, 1, 0);
  tacVec3 u = tac_vec3_unit(tac_vec3_cross(normal, aside)), v = tac_vec3_cross(normal, u);
  centre = tac_vec3_mad(centre, 0.15 * radius, normal); /* above the surface */
  for (int i = 0; i < CORNERS; ++i) {
    double angle = 2.0 * acos(-1.0) * i / CORNERS;
    mesh->vertices[vertex + i] = tac_vec3_mad(tac_vec3_mad(centre, radius * cos(angle), u), radius * sin(angle), v);
    if (i > 1) mesh->triangles[triangle + i - 2] = (tacTriangle){{vertex, vertex + i - 1, vertex + i}};
  }
}

tacStatus tac_points_picture(const tacPointshell *shell, const tacTriMesh *surface, const tacPictureDef *def,
                             tacImage *image, tacError *error) {
  int levels = tac_pointshell_level_count(shell), points = tac_pointshell_size(shell, levels);
  int vertices = surface != NULL ? surface->vertex_count : 0, triangles = surface != NULL ? surface->triangle_count : 0;
  double spacing = sqrt(tac_pointshell_surface_area(shell) / points);
  TAC_OWN(tacTriMesh, mesh) = NULL;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_TRY(tac_trimesh_create(vertices + CORNERS * points, triangles + (CORNERS - 2) * points, &mesh, error));
  float(*colours)[3] = tac_arrays_add(&work, (size_t)mesh->vertex_count, sizeof *colours);
  TAC_TRY(tac_arrays_status(&work, "colours", error));
  for (int v = 0; v < vertices; ++v) {
    mesh->vertices[v] = surface->vertices[v];
    for (int c = 0; c < 3; ++c) colours[v][c] = ground[c];
  }
  for (int t = 0; t < triangles; ++t) mesh->triangles[t] = surface->triangles[t];
  for (int i = 0, level = 0; i < points; ++i) {
    while (i >= tac_pointshell_size(shell, level)) ++level;
    int vertex = vertices + CORNERS * i;
    double radius = spacing * (0.28 + 0.12 * (levels - 1 - level)); /* coarser ones larger, to be found */
    add_disc(mesh, vertex, triangles + (CORNERS - 2) * i, tac_pointshell_point(shell, i),
             tac_pointshell_normal(shell, i), radius);
    for (int v = 0; v < CORNERS; ++v)
      for (int c = 0; c < 3; ++c) colours[vertex + v][c] = shades[level < SHADES ? level : SHADES - 1][c];
  }
  return tac_picture_coloured(mesh, (const float(*)[3])colours, def, image, error);
}
