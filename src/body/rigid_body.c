#include "body/rigid_body.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/vertex_normals.h"

typedef struct Rigid {
  const tacTriMesh *surface;
  tacVec3 *normals; /* [vertex] */
  tacInertia inertia;
  const tacPointshell *shell;
  const tacDistanceField *field;
} Rigid;

tacRigidBodyDef tac_rigid_body_def_default(void) {
  return (tacRigidBodyDef){.pose = {.orientation = {1.0, 0.0, 0.0, 0.0}},
                           .friction = 0.4,
                           .touch_stiffness = 300.0,
                           .touch_damping = 0.3,
                           .contact_stiffness = 2000.0};
}

static void destroy(void *self) {
  Rigid *rigid = self;
  if (rigid == NULL) return;
  free(rigid->normals);
  free(rigid);
}

static void reset(void *self) {
  (void)self; /* its frame is the world's */
}

static bool inertia(const void *self, tacInertia *to) {
  *to = ((const Rigid *)self)->inertia;
  return to->mass > 0.0;
}

static const tacTriMesh *surface(const void *self) {
  return ((const Rigid *)self)->surface;
}

static tacVec3 vertex(const void *self, int v) {
  return ((const Rigid *)self)->surface->vertices[v];
}

static tacVec3 vertex_normal(const void *self, int v) {
  return ((const Rigid *)self)->normals[v];
}

static tacVec3 place(const void *self, const tacSite *site) {
  const Rigid *rigid = self;
  if (site->kind == TAC_SITE_SHELL) return tac_pointshell_point(rigid->shell, site->index);
  if (site->kind != TAC_SITE_SURFACE) return site->at;
  const int *v = rigid->surface->triangles[site->index].v;
  const tacVec3 *x = rigid->surface->vertices;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(site->at.x, x[v[0]]), site->at.y, x[v[1]]), site->at.z, x[v[2]]);
}

static const tacPointshell *points(const void *self) {
  return ((const Rigid *)self)->shell;
}

static const tacDistanceField *field(const void *self) {
  return ((const Rigid *)self)->field;
}

static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .inertia = inertia,
                                   .surface = surface,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place,
                                   .points = points,
                                   .field = field};

tacStatus tac_rigid_body_create(const tacRigidBodyDef *def, tacBody *body, tacError *error) {
  *body = (tacBody){NULL, NULL};
  if (def->surface == NULL || def->surface->triangle_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a rigid body needs a surface that is shown");
  if (def->shell != NULL && tac_pointshell_coordinates(def->shell) != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "its points are embedded in a body of %d coordinates; a rigid body takes them as baked",
                         tac_pointshell_coordinates(def->shell));
  Rigid *rigid = tac_array_create(1, sizeof *rigid, "a rigid body", error);
  if (rigid == NULL) return TAC_ERR_MEMORY;
  *rigid = (Rigid){.surface = def->surface, .inertia = def->inertia, .shell = def->shell, .field = def->field};
  rigid->normals = tac_array_create((size_t)def->surface->vertex_count, sizeof *rigid->normals, "a rigid body", error);
  if (rigid->normals == NULL) {
    destroy(rigid);
    return TAC_ERR_MEMORY;
  }
  tac_vertex_normals(def->surface, rigid->normals);
  *body = (tacBody){&table, rigid};
  return TAC_OK;
}
