/* Handle of a body, and calls of the functions of its kind. A call of an optional function returns a default if the
 * kind lacks the function. */
#pragma once

#include <stddef.h>
#include <tactus/body.h>
#include "mesh/surface_point.h"

typedef struct tacBody {
  const tacBodyTable *table;
  void *self;
} tacBody;

static inline tacBodyDescription tac_body_describe(const tacBody *body) {
  return body->table->describe(body->self);
}

/* Returns the number of generalized coordinates, n. */
static inline int tac_body_size(const tacBody *body) {
  return tac_body_describe(body).coordinates;
}

/* Returns the display functions of the kind; an empty table if the kind has no display functions. */
static inline const tacBodyLooks *tac_body_looks(const tacBody *body) {
  static const tacBodyLooks none;
  return body->table->looks != NULL ? body->table->looks : &none;
}

/* Returns upper bounds of the deformation and of its speed; zero if the kind reports no bounds. */
static inline tacBodyBounds tac_body_bounds(const tacBody *body) {
  return body->table->bounds != NULL ? body->table->bounds(body->self) : (tacBodyBounds){0.0, 0.0};
}

static inline tacVec3 tac_body_place(const tacBody *body, const tacSite *site) {
  return site->kind == TAC_SITE_FRAME ? site->at : body->table->place(body->self, site);
}

static inline tacSite tac_site_on_surface(tacSurfacePoint at) {
  return (tacSite){TAC_SITE_SURFACE, at.triangle, {at.weight[0], at.weight[1], at.weight[2]}};
}

/* Returns the site that a tool touches at the surface point `at`. `tip`: number of the tool's fingertip radius; 0 for a
 * tool without radius. */
static inline tacSite tac_site_touched(const tacBody *body, int tip, tacSurfacePoint at) {
  tacSite site = tac_site_on_surface(at);
  if (tip > 0 && body->table->meet_fingertip != NULL) site.kind = TAC_SITE_TIP;
  return site;
}

static inline tacSurfacePoint tac_site_surface_point(const tacSite *site) {
  return (tacSurfacePoint){site->index, {site->at.x, site->at.y, site->at.z}};
}
