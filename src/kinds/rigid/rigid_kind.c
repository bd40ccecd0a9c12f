#include "kinds/rigid/rigid_kind.h"
#include "asset/pointshell.h"
#include "mesh/trimesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>

#ifndef TAC_RIGID_NAME
#define TAC_RIGID_NAME "rigid" /* default name; a shared object may define another name */
#endif

static tacStatus refuse(tacStatus status, const char *text, tacError *error) {
  if (error != NULL) {
    error->status = status;
    snprintf(error->text, sizeof error->text, "%s", text);
  }
  return status;
}

/* ---- the body ---- */

typedef struct Rigid {
  const tacTriMesh *surface;
  tacVec3 *normals; /* vertex normals, [vertex] */
  tacInertia inertia;
  const tacPointshell *shell;
  const tacDistanceField *field;
} Rigid;

static void destroy(void *self) {
  Rigid *rigid = self;
  if (rigid == NULL) return;
  free(rigid->normals);
  free(rigid);
}

static void reset(void *self) {
  (void)self; /* the world stores the frame, which is the only state of a rigid body */
}

static bool inertia(const void *self, tacInertia *to) {
  *to = ((const Rigid *)self)->inertia;
  return to->mass > 0.0;
}

static tacBodyDescription describe(const void *self) {
  const Rigid *rigid = self;
  return (tacBodyDescription){.surface = rigid->surface, .points = rigid->shell, .field = rigid->field};
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
  tacVec3 a = rigid->surface->vertices[v[0]], b = rigid->surface->vertices[v[1]], c = rigid->surface->vertices[v[2]];
  tacVec3 w = site->at;
  return (tacVec3){(w.x * a.x + w.y * b.x) + w.z * c.x, (w.x * a.y + w.y * b.y) + w.z * c.y,
                   (w.x * a.z + w.y * b.z) + w.z * c.z};
}

static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .describe = describe,
                                   .inertia = inertia,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place};

tacStatus tac_rigid_kind_create(const tacRigidBodyDef *def, tacBody *body, tacError *error) {
  *body = (tacBody){NULL, NULL};
  if (def->surface == NULL || def->surface->triangle_count < 1)
    return refuse(TAC_ERR_ARGUMENT, "a rigid body needs a visible surface", error);
  int stride;
  if (def->shell != NULL && tac_pointshell_displacements(def->shell, &stride) != NULL)
    return refuse(TAC_ERR_ARGUMENT,
                  "the points are embedded in a body with coordinates; a rigid body needs points that are not embedded",
                  error);
  Rigid *rigid = calloc(1, sizeof *rigid);
  tacVec3 *normals = calloc((size_t)def->surface->vertex_count, sizeof *normals);
  if (rigid == NULL || normals == NULL) {
    free(rigid);
    free(normals);
    return refuse(TAC_ERR_MEMORY, "there is not enough memory for a rigid body", error);
  }
  *rigid = (Rigid){def->surface, normals, def->inertia, def->shell, def->field};
  tac_trimesh_normals(def->surface, normals);
  *body = (tacBody){&table, rigid};
  return TAC_OK;
}

/* ---- in scenes ---- */

#define KEY(what, member, ...) \
  { .name = #member, .type = (what), .offset = offsetof(tacRigidKeys, member), __VA_ARGS__ }
static const tacBodyKey keys[] = {
    KEY(TAC_KEY_NUMBER, density, .unit = "kg/m3", .least = 1e-3, .most = 1e6),
    KEY(TAC_KEY_NUMBER, mass, .unit = "kg", .least = 1e-9, .most = 1e9),
    KEY(TAC_KEY_VECTOR, inertia, .unit = "kg m2", .least = 1e-20, .most = 1e20, .count = 3),
};

static tacStatus check_inertia(const tacRigidKeys *k, const char **key, tacError *error) {
  const double *i = k->inertia;
  *key = "inertia";
  if (k->density == 0.0 && k->mass == 0.0)
    return refuse(TAC_ERR_FORMAT, "a body with inertia also needs a mass; write it like mass: 20 g beside it", error);
  /* Each moment is at most the sum of the other two moments. For a flat disk the largest moment equals the sum, up to
   * rounding. */
  double sum = 0.5 * (i[0] + i[1] + i[2]);
  if (fmax(i[0], fmax(i[1], i[2])) <= sum * (1.0 + 1e-9)) return TAC_OK;
  return refuse(TAC_ERR_FORMAT,
                "no solid has these moments of inertia: none may exceed the sum of the other two; write it like "
                "inertia: [2e-5 kg m2, 2e-5 kg m2, 3e-5 kg m2]",
                error);
}

static tacStatus check(const void *record, const tacBodyGiven *given, const char **key, tacError *error) {
  const tacRigidKeys *k = record;
  bool has_density = k->density > 0.0, has_mass = k->mass > 0.0;
  if (has_density && has_mass) {
    *key = "mass";
    return refuse(TAC_ERR_FORMAT, "density and mass are both given; give only one of them", error);
  }
  if (given->free && !has_density && !has_mass)
    return refuse(TAC_ERR_FORMAT,
                  "a free body needs either density or mass; write it like density: 1000 kg/m3 or "
                  "mass: 20 g",
                  error);
  if (given->endless && (has_density || has_mass)) {
    char text[160];
    *key = "analytic";
    snprintf(text, sizeof text,
             "a plane is an infinite solid and has no mass; write it like box: {lower: [...], upper: [...]}, or "
             "remove `%s`",
             has_density ? "density" : "mass");
    return refuse(TAC_ERR_FORMAT, text, error);
  }
  return k->inertia[0] > 0.0 ? check_inertia(k, key, error) : TAC_OK;
}

/* Computes mass, centre and inertia from the surface. Leaves `to` unchanged if the scene gives neither density nor
 * mass. */
static tacStatus find_inertia(const tacRigidKeys *k, const tacTriMesh *mesh, tacInertia *to, tacError *error) {
  tacInertia made;
  if (k->density == 0.0 && k->mass == 0.0) return TAC_OK;
  tacStatus status = tac_mass_properties(mesh, k->density > 0.0 ? k->density : 1.0, &made, error);
  if (status != TAC_OK) return status;
  const double factor = k->mass > 0.0 ? k->mass / made.mass : 1.0;
  if (k->mass > 0.0) made.mass = k->mass;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) made.moments[i][j] *= factor;
  *to = made;
  for (int i = 0; k->inertia[0] > 0.0 && i < 3; ++i)
    for (int j = 0; j < 3; ++j) to->moments[i][j] = i == j ? k->inertia[i] : 0.0;
  return TAC_OK;
}

static tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *error) {
  tacRigidBodyDef def = {.surface = context->surface, .shell = context->points, .field = context->field};
  tacStatus status = find_inertia(record, context->surface, &def.inertia, error);
  tacBody body = {NULL, NULL};
  if (status == TAC_OK) status = tac_rigid_kind_create(&def, &body, error);
  *self = body.self;
  return status;
}

/* ---- draft scenes ---- */

static void write_draft(const tacBodyDraft *d, char *text, size_t size) {
  snprintf(text, size,
           "    kind: " TAC_RIGID_NAME "                    # %s: stiffer than any device renders (docs/tissues.md)\n"
           "%s"
           "    friction: 0.4\n"
           "    touch: {stiffness: 1000 N/m, damping: 1 Ns/m}   # how hard it feels: what the device can\n",
           d->tissue, d->surface);
}

static const tacBodyDrafter drafter = {.use = TAC_DRAFT_HARD, .write = write_draft};

const tacBodyKind tac_rigid_row = {.version = TAC_BODY_KIND_VERSION,
                                   .name = TAC_RIGID_NAME,
                                   .summary = "does not deform",
                                   .key_count = (int)(sizeof keys / sizeof *keys),
                                   .keys = keys,
                                   .record_size = sizeof(tacRigidKeys),
                                   .takes_surface = true,
                                   .takes_points = true,
                                   .takes_field = true,
                                   .takes_analytic = true,
                                   .check = check,
                                   .create = create,
                                   .table = &table,
                                   .shown = TAC_SHOWN_RIGID,
                                   .drafter = &drafter};
