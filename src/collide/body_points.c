#include "collide/body_points.h"

#include <math.h>
#include <string.h>
#include "math/geometry/vec3.h"

enum { SOFT_POINTS = 96, USUAL_POINTS = 192, USUAL_PATCH = 8, MOST_STATE = 256 };

static int fewer(int a, int b) {
  return a < b ? a : b;
}

static int count_of(const tacPointshell *shell, const tacBodySurface *surface, bool soft, int patch) {
  if (shell == NULL) {
    /* Each is far from those before: the first of them will do for what is soft, and slow to look at, and where a few contacts are
     * chosen from them. Of a table's 192 points each foot has two. */
    int most = soft ? SOFT_POINTS : patch <= USUAL_PATCH ? USUAL_POINTS : TAC_SURFACE_MOST_POINTS;
    return surface->point_count < most ? surface->point_count : most;
  }
  int count = tac_pointshell_size(shell, 0);
  for (int l = 1; l < tac_pointshell_level_count(shell); ++l)
    if (tac_pointshell_size(shell, l) <= TAC_BODY_POINTS_MOST) count = tac_pointshell_size(shell, l);
  return count < TAC_BODY_POINTS_MOST ? count : TAC_BODY_POINTS_MOST;
}

/* The box and the ball of these vertices, wider by `more`; the ball holds the points, too. */
static void bound(tacBodyPoints *points, int count, const tacVec3 *vertices, double more) {
  double radius2 = 0.0, own2 = 0.0;
  tacBox box = tac_box_empty();
  for (int v = 0; v < count; ++v) box = tac_box_add(box, vertices[v]);
  points->centre = tac_box_centre(box);
  for (int v = 0; v < count; ++v) radius2 = fmax(radius2, tac_vec3_norm2(tac_vec3_sub(vertices[v], points->centre)));
  for (int i = 0; i < points->count; ++i)
    own2 = fmax(own2, tac_vec3_norm2(tac_vec3_sub(points->places[i], points->centre)));
  points->box = tac_box_expand(box, more);
  points->radius = fmax(sqrt(radius2) + more, sqrt(own2)) * (1.0 + 1e-12);
}

static int vertex_of(const tacBodyPoints *points, const tacBodySurface *surface, int i) {
  return (int)((int64_t)i * surface->mesh->vertex_count / points->count);
}

/* At rest. */
static void settle(tacBodyPoints *points, const tacBodySurface *surface) {
  for (int i = 0; i < points->count; ++i)
    points->places[i] = points->shell != NULL ? tac_pointshell_point(points->shell, i)
                        : points->by_vertices ? surface->mesh->vertices[vertex_of(points, surface, i)]
                                              : surface->rest[i];
  bound(points, surface->mesh->vertex_count, surface->mesh->vertices, 0.0);
  points->deformed = false;
}

tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, bool soft, int patch,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error) {
  const tacBodyTable *table = body->table;
  *points = (tacBodyPoints){.shell = tac_body_describe(body).points};
  bool by_vertices = points->by_vertices = points->shell == NULL && table->begin_step != NULL;
  points->count = by_vertices ? fewer(surface->mesh->vertex_count, TAC_BODY_POINTS_MOST)
                              : count_of(points->shell, surface, soft, patch);
  int shown = table->save != NULL ? tac_body_describe(body).shown : 0;
  points->state_size = shown <= MOST_STATE ? shown : 0;
  size_t count = (size_t)points->count;
  points->places = tac_arrays_add(&points->arrays, count, sizeof *points->places);
  points->state = tac_arrays_add(&points->arrays, 2 * (size_t)points->state_size, sizeof *points->state);
  if (proximity != NULL || by_vertices) points->on = tac_arrays_add(&points->arrays, count, sizeof *points->on);
  TAC_TRY(tac_arrays_status(&points->arrays, "points of bodies", error));
  for (int i = 0; i < points->state_size; ++i) points->state[i] = NAN; /* unlike any */
  for (int i = 0; by_vertices && i < points->count; ++i)
    points->on[i] = tac_body_surface_at_vertex(surface, vertex_of(points, surface, i));
  settle(points, surface);
  for (int i = 0; proximity != NULL && i < points->count; ++i) {
    if (points->shell == NULL)
      points->on[i] = surface->points[i];
    else
      tac_proximity_distance(proximity, points->places[i], &points->on[i]);
  }
  return TAC_OK;
}

void tac_body_points_destroy(tacBodyPoints *points) {
  tac_arrays_free(&points->arrays);
  *points = (tacBodyPoints){0};
}

/* Whether it may have deformed since it was asked last. */
static bool changed(tacBodyPoints *points, const tacBody *body) {
  if (points->state_size == 0) return true;
  double *now = points->state + points->state_size;
  size_t size = (size_t)points->state_size * sizeof *now;
  body->table->save(body->self, points->state_size, now);
  if (memcmp(points->state, now, size) == 0) return false;
  memcpy(points->state, now, size);
  return true;
}

/* Of a body whose vertices move on their own, wherever they are. */
static void follow_vertices(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface) {
  int count = surface->mesh->vertex_count;
  double radius2 = 0.0;
  tacBox box = tac_box_empty();
  for (int v = 0; v < count; ++v) box = tac_box_add(box, body->table->vertex(body->self, v));
  points->centre = tac_box_centre(box);
  for (int v = 0; v < count; ++v)
    radius2 = fmax(radius2, tac_vec3_norm2(tac_vec3_sub(body->table->vertex(body->self, v), points->centre)));
  points->box = box;
  points->radius = sqrt(radius2) * (1.0 + 1e-12);
  for (int i = 0; i < points->count; ++i)
    points->places[i] = body->table->vertex(body->self, vertex_of(points, surface, i));
  points->deformed = true;
}

void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room) {
  const tacBodyTable *table = body->table;
  if (table->bounds == NULL || !changed(points, body)) return;
  double swelling = table->bounds(body->self).swelling;
  if (!(swelling > 0.0)) {
    if (points->deformed) settle(points, surface);
    return;
  }
  if (points->by_vertices) {
    follow_vertices(points, body, surface);
    return;
  }
  const double *q = points->shell != NULL ? tac_body_describe(body).points_q : NULL;
  const tacBodyLooks *looks = tac_body_looks(body);
  int count = surface->mesh->vertex_count;
  bool exact = points->state_size > 0 && looks->vertices != NULL && count <= TAC_BODY_POINTS_VERTICES;
  if (exact) looks->vertices(body->self, points->state, room);
  for (int i = 0; i < points->count; ++i) {
    if (q != NULL) {
      points->places[i] = tac_pointshell_deformed_point(points->shell, i, q);
    } else if (points->shell == NULL && exact) {
      points->places[i] = tac_surface_point_blend(surface->mesh, &surface->points[i], room);
    } else if (points->shell == NULL) {
      points->places[i] = tac_body_surface_point(surface, body, surface->points[i]);
    }
  }
  bound(points, count, exact ? room : surface->mesh->vertices, exact ? 0.0 : swelling);
  points->deformed = true;
}

void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most) {
  if (points->deformed) settle(points, surface);
  if (!(most > 0.0)) return;
  for (int i = 0; i < points->count; ++i) {
    const tacSurfacePoint *at = &points->on[i];
    const int *v = surface->mesh->triangles[at->triangle].v;
    for (int k = 0; k < 3; ++k) points->places[i] = tac_vec3_mad(points->places[i], at->weight[k], displaced[v[k]]);
  }
  points->box = tac_box_expand(points->box, most);
  points->radius += most;
  points->deformed = true;
}

tacSite tac_body_points_site(const tacBodyPoints *points, const tacBodySurface *surface, int point) {
  if (points->on != NULL) return tac_site_on_surface(points->on[point]);
  if (points->shell != NULL) return (tacSite){TAC_SITE_SHELL, point, {0.0, 0.0, 0.0}};
  return tac_site_on_surface(surface->points[point]);
}
