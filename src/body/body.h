/* A body: its data, and the function table of its kind. */
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

/* n, number of coordinates. */
static inline int tac_body_size(const tacBody *body) {
  return tac_body_describe(body).coordinates;
}

/* An empty table if the kind has none. */
static inline const tacBodyLooks *tac_body_looks(const tacBody *body) {
  static const tacBodyLooks none;
  return body->table->looks != NULL ? body->table->looks : &none;
}

/* Zero if the kind reports no bounds. */
static inline tacBodyBounds tac_body_bounds(const tacBody *body) {
  return body->table->bounds != NULL ? body->table->bounds(body->self) : (tacBodyBounds){0.0, 0.0};
}

static inline tacVec3 tac_body_place(const tacBody *body, const tacSite *site) {
  return site->kind == TAC_SITE_FRAME ? site->at : body->table->place(body->self, site);
}

static inline tacSite tac_site_on_surface(tacSurfacePoint at) {
  return (tacSite){TAC_SITE_SURFACE, at.triangle, {at.weight[0], at.weight[1], at.weight[2]}};
}

/* Site that a tool with this tip touches; tip 0: a point. */
static inline tacSite tac_site_touched(const tacBody *body, int tip, tacSurfacePoint at) {
  tacSite site = tac_site_on_surface(at);
  if (tip > 0 && body->table->meet_fingertip != NULL) site.kind = TAC_SITE_TIP;
  return site;
}

static inline tacSurfacePoint tac_site_surface_point(const tacSite *site) {
  return (tacSurfacePoint){site->index, {site->at.x, site->at.y, site->at.z}};
}
