#include "bench/contact/surface_laws.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "world/world_parts.h"

static const double STEP = 1e-3; /* s */

static const tacBody *body_of(const tacWorld *world) {
  return &world->bodies[0].body;
}

/* At a corner of one of the triangles that have the vertex. */
static tacSite site_of(const tacTriMesh *mesh, int vertex) {
  for (int k = 0; k < 3 * mesh->triangle_count; ++k)
    if (mesh->triangles[k / 3].v[k % 3] == vertex)
      return (tacSite){TAC_SITE_SURFACE, k / 3, tac_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2)};
  return (tacSite){TAC_SITE_FRAME, 0, mesh->vertices[vertex]};
}

tacStatus tac_surface_laws_create(const tacWorld *world, int count, const int *vertices, tacSurfaceLaws *laws,
                                  tacError *error) {
  const tacBody *body = body_of(world);
  size_t m = (size_t)count;
  *laws = (tacSurfaceLaws){.world = world};
  laws->sites = tac_array_create(m, sizeof *laws->sites, "contacts", error);
  laws->axes = tac_array_create(m, sizeof *laws->axes, "contacts", error);
  laws->contacts = tac_array_create(m, sizeof *laws->contacts, "contacts", error);
  laws->w = tac_array_create(9 * m * m, sizeof *laws->w, "W", error);
  if (laws->sites == NULL || laws->axes == NULL || laws->contacts == NULL || laws->w == NULL) {
    tac_surface_laws_destroy(laws);
    return TAC_ERR_MEMORY;
  }
  laws->problem = (tacLawProblem){.count = count, .contacts = laws->contacts, .compliance = laws->w};
  for (int i = 0; i < count; ++i) {
    tacVec3 n = tac_vec3_unit(tac_vec3_scale(-1.0, body->table->vertex_normal(body->self, vertices[i])));
    tacVec3 across = fabs(n.x) < 0.7 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
    laws->sites[i] = site_of(tac_body_describe(body).surface, vertices[i]);
    laws->axes[i][0] = n;
    laws->axes[i][2] = tac_vec3_unit(tac_vec3_cross(n, across));
    laws->axes[i][1] = tac_vec3_cross(laws->axes[i][2], n);
    laws->contacts[i] = (tacLawContact){.part = {-1, -1}};
  }
  return TAC_OK;
}

void tac_surface_laws_destroy(tacSurfaceLaws *laws) {
  free(laws->sites);
  free(laws->axes);
  free(laws->contacts);
  free(laws->w);
  *laws = (tacSurfaceLaws){0};
}

/* h^2 (e . e' / m + (r x e) . I^-1 (r' x e')), r from the centre of mass. */
static double whole(const tacInertia *inertia, const tacMat3 *per, tacVec3 r, tacVec3 e, tacVec3 r2, tacVec3 e2) {
  tacVec3 turn = tac_mat3_mul_vec(*per, tac_vec3_cross(r2, e2));
  return STEP * STEP * (tac_vec3_dot(e, e2) / inertia->mass + tac_vec3_dot(tac_vec3_cross(r, e), turn));
}

void tac_surface_laws_assemble(tacSurfaceLaws *laws) {
  const tacBody *body = body_of(laws->world);
  tacInertia inertia = {0};
  tacMat3 moments, per = tac_mat3_zero();
  bool free = laws->world->bodies[0].def.free && body->table->inertia(body->self, &inertia);
  if (free) {
    for (int k = 0; k < 9; ++k) moments.m[k / 3][k % 3] = inertia.moments[k / 3][k % 3];
    free = tac_mat3_inverse(moments, &per);
  }
  size_t n = 3 * (size_t)laws->problem.count;
  for (int i = 0; i < laws->problem.count; ++i)
    for (int j = 0; j <= i; ++j) { /* it is symmetric by construction */
      tacMat3 c = tac_mat3_zero();
      body->table->compliance(body->self, &laws->sites[i], &laws->sites[j], c.m);
      tacVec3 r = tac_vec3_sub(body->table->place(body->self, &laws->sites[i]), inertia.centre);
      tacVec3 r2 = tac_vec3_sub(body->table->place(body->self, &laws->sites[j]), inertia.centre);
      for (int b = 0; b < 3; ++b) {
        tacVec3 e2 = laws->axes[j][b], moved = tac_mat3_mul_vec(c, e2);
        for (int a = 0; a < 3; ++a) {
          tacVec3 e = laws->axes[i][a];
          double w = tac_vec3_dot(e, moved) + (free ? whole(&inertia, &per, r, e, r2, e2) : 0.0);
          laws->w[(3 * (size_t)i + (size_t)a) * n + 3 * (size_t)j + (size_t)b] = w;
          laws->w[(3 * (size_t)j + (size_t)b) * n + 3 * (size_t)i + (size_t)a] = w;
        }
      }
    }
}

int tac_surface_laws_lowest(const tacWorld *world, double reach, int most, int *vertices) {
  const tacBody *body = body_of(world);
  const tacTriMesh *mesh = tac_body_describe(body).surface;
  double lowest = INFINITY;
  int count = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) lowest = fmin(lowest, mesh->vertices[v].z);
  for (int v = 0; v < mesh->vertex_count && count < most; ++v)
    if (mesh->vertices[v].z <= lowest + reach) vertices[count++] = v;
  return count;
}
