#include "collide/body_points.h"

#include <math.h>
#include <string.h>
#include "asset/pointshell.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"

enum {
  MOST_STATE = 256,
  USUAL_PATCH = 8,
  SPREAD = 192 /* maximum number of points spread over a surface without a pointshell */,
  SPREAD_SOFT = 96 /* maximum number of points spread over a body with generalized coordinates */
};
/* largest difference between the areas of a complete shell and its surface, relative to the surface */
#define COVERED 0.2
/* largest motion of the vertices for which boxes stay as they are, relative to the distance between points */
#define LATE 0.25

static int fewer(int a, int b) {
  return a < b ? a : b;
}

/* Computes the bounding box and the bounding ball of the vertices, enlarged by `more` (m). The ball also contains the
 * shell points. */
static void bound(tacBodyPoints *points, int count, const tacVec3 *vertices, double more) {
  double radius2 = 0.0;
  tacBox box = tac_box_empty();
  for (int v = 0; v < count; ++v) box = tac_box_add(box, vertices[v]);
  points->centre = tac_box_centre(box);
  for (int v = 0; v < count; ++v) {
    double away2 = tac_vec3_norm2(tac_vec3_sub(vertices[v], points->centre));
    radius2 = away2 > radius2 ? away2 : radius2;
  }
  points->box = tac_box_expand(box, more);
  points->radius = (sqrt(radius2) + more + points->excess) * (1.0 + 1e-12);
}

/* Computes the positions of the tested places. `q`: coordinates that deform the shell; NULL if the shell does not
 * deform. */
static void place_few(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, const double *q) {
  for (int i = 0; i < points->few; ++i) {
    int index = points->who[i].index;
    if (points->who[i].of == TAC_PLACE_SHELL) {
      points->places[i] = q != NULL ? tac_pointshell_deformed_point(points->shell, index, q)
                                    : tac_pointshell_point(points->shell, index);
    } else if (points->who[i].of == TAC_PLACE_VERTEX) {
      points->places[i] = tac_body_points_vertex(points, body, index);
    } else {
      const tacSurfacePoint *on = &points->listed[index];
      const int *v = surface->mesh->triangles[on->triangle].v;
      tacVec3 at = points->above != NULL ? points->above[index] : tac_vec3(0.0, 0.0, 0.0);
      for (int k = 0; k < 3; ++k) at = tac_vec3_mad(at, on->weight[k], tac_body_points_vertex(points, body, v[k]));
      points->places[i] = at;
    }
  }
}

/* Moves a tracked vertex. `*most2` becomes at least the squared distance, and infinite for a distance that is not
 * finite. */
static inline void move_vertex(tacBodyPoints *points, int v, tacVec3 to, double *most2) {
  double by2 = tac_vec3_norm2(tac_vec3_sub(to, points->skin[v]));
  if (!(by2 <= *most2)) *most2 = by2 > *most2 ? by2 : INFINITY;
  points->skin[v] = to;
}

static void settle(tacBodyPoints *points, const tacBodySurface *surface) {
  double most2 = 0.0;
  if (points->skin == NULL) points->loose = 0.0;
  for (int v = 0; points->skin != NULL && v < surface->mesh->vertex_count; ++v)
    move_vertex(points, v, surface->mesh->vertices[v], &most2);
  points->way += sqrt(most2);
  points->late = 0.0;
  points->fitted = false;
  points->vertices = surface->mesh->vertices;
  points->nodes = surface->tree->nodes;
  bound(points, surface->mesh->vertex_count, surface->mesh->vertices, 0.0);
  place_few(points, NULL, surface, NULL);
  points->deformed = false;
}

/* ---- creation ---- */

/* Sorts the listed points by triangle, in the order of the surface's tree, with a counting sort. */
static tacStatus list_points(tacBodyPoints *points, const tacBodySurface *surface, tacError *error) {
  size_t triangles = (size_t)surface->mesh->triangle_count, count = (size_t)points->listed_count;
  points->rank = tac_arrays_add(&points->arrays, triangles, sizeof *points->rank);
  points->first_listed = tac_arrays_add(&points->arrays, triangles + 2, sizeof *points->first_listed);
  points->on_triangle = tac_arrays_add(&points->arrays, count, sizeof *points->on_triangle);
  TAC_TRY(tac_arrays_status(&points->arrays, "points of bodies", error));
  for (size_t k = 0; k < triangles; ++k) points->rank[surface->tree->order[k]] = (int)k;
  for (size_t i = 0; i < count; ++i) ++points->first_listed[points->rank[points->listed[i].triangle] + 2];
  for (size_t t = 2; t < triangles + 2; ++t) points->first_listed[t] += points->first_listed[t - 1];
  for (size_t i = 0; i < count; ++i)
    points->on_triangle[points->first_listed[points->rank[points->listed[i].triangle] + 1]++] = (int)i;
  return TAC_OK;
}

/* Finds for each point of the shell the nearest surface point, which the shell point then follows. */
static tacStatus place_shell(tacBodyPoints *points, const tacBodySurface *surface, const tacPointshell *shell,
                             const tacProximity *proximity, bool free, tacError *error) {
  int level = tac_pointshell_level_count(shell) - 1;
  while (free && level > 0 && tac_pointshell_size(shell, level) > TAC_BODY_POINTS_FEW) --level;
  points->listed_count = tac_pointshell_size(shell, level);
  if (free) points->listed_count = fewer(points->listed_count, TAC_BODY_POINTS_FEW);
  size_t count = (size_t)points->listed_count;
  points->on = tac_arrays_add(&points->arrays, count, sizeof *points->on);
  points->above = tac_arrays_add(&points->arrays, count, sizeof *points->above);
  TAC_TRY(tac_arrays_status(&points->arrays, "points of bodies", error));
  points->listed = points->on;
  for (size_t i = 0; i < count; ++i) {
    tacVec3 at = tac_pointshell_point(shell, (int)i);
    tac_proximity_distance(proximity, at, &points->on[i]);
    tacVec3 below = tac_surface_point_blend(surface->mesh, &points->on[i], surface->mesh->vertices);
    points->above[i] = tac_vec3_sub(at, below);
    points->loose = fmax(points->loose, tac_vec3_norm(points->above[i]));
  }
  return list_points(points, surface, error);
}

/* Returns the largest distance of a shell point outside the bounding ball of the surface, m. Returns 0 if the ball
 * contains all shell points. */
static double excess_of(const tacBodySurface *surface, const tacPointshell *shell) {
  double most2 = 0.0;
  int count = shell != NULL ? tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS) : 0;
  for (int i = 0; i < count; ++i)
    most2 = fmax(most2, tac_vec3_norm2(tac_vec3_sub(tac_pointshell_point(shell, i), surface->centre)));
  return fmax(0.0, sqrt(most2) - surface->radius);
}

/* Builds a tree of the points of a rigid shell, since the shell's own tree may have few levels. */
static tacStatus make_point_tree(tacBodyPoints *points, tacError *error) {
  int count = tac_pointshell_size(points->shell, TAC_POINTSHELL_MOST_LEVELS);
  TAC_MEMORY(tacBox, boxes) = NULL;
  TAC_TRY(TAC_ARRAY(boxes, (size_t)count, "points of bodies", error));
  for (int i = 0; i < count; ++i) boxes[i].lower = boxes[i].upper = tac_pointshell_point(points->shell, i);
  return tac_box_tree_create(count, boxes, &points->point_tree, error);
}

static tacStatus list_few(tacBodyPoints *points, const tacBodySurface *surface, tacError *error) {
  int shell = points->shell != NULL ? tac_pointshell_size(points->shell, TAC_POINTSHELL_MOST_LEVELS) : 0;
  /* Vertices are tested only if there are no shell points and no listed points. */
  int vertices = points->corners && shell + points->listed_count == 0 ? surface->mesh->vertex_count : 0;
  int64_t all = (int64_t)shell + points->listed_count + vertices;
  if (all > TAC_BODY_POINTS_FEW) return TAC_OK;
  points->who = tac_arrays_add(&points->arrays, (size_t)all, sizeof *points->who);
  points->places = tac_arrays_add(&points->arrays, (size_t)all, sizeof *points->places);
  TAC_TRY(tac_arrays_status(&points->arrays, "points of bodies", error));
  for (int i = 0; i < shell; ++i) points->who[points->few++] = (tacBodyPlace){TAC_PLACE_SHELL, i};
  for (int i = 0; i < points->listed_count; ++i) points->who[points->few++] = (tacBodyPlace){TAC_PLACE_LISTED, i};
  for (int i = 0; i < vertices; ++i) points->who[points->few++] = (tacBodyPlace){TAC_PLACE_VERTEX, i};
  return TAC_OK;
}

/* True if the shell covers the whole surface. A shell of a part of the surface restricts contact to this part. */
static bool covers(const tacPointshell *shell, const tacBodySurface *surface) {
  double whole = tac_trimesh_area(surface->mesh), part = tac_pointshell_surface_area(shell);
  return fabs(part - whole) < COVERED * whole;
}

tacStatus tac_body_points_create(const tacBody *body, const tacBodySurface *surface, int patch, bool free,
                                 const tacProximity *proximity, tacBodyPoints *points, tacError *error) {
  const tacBodyTable *table = body->table;
  tacBodyDescription is = tac_body_describe(body);
  const tacPointshell *shell = is.points;
  bool yields = table->begin_step != NULL, complies = proximity != NULL;
  bool in_coordinates = table->bounds != NULL && !yields && !complies;
  int shown = table->save != NULL ? is.shown : 0;
  size_t vertices = (size_t)surface->mesh->vertex_count;
  *points = (tacBodyPoints){.shell = complies ? NULL : shell,
                            .faces = !in_coordinates && (shell == NULL || covers(shell, surface)),
                            .state_size = shown <= MOST_STATE ? shown : 0,
                            .excess = excess_of(surface, shell)};
  /* If a static-compliance body has a shell, its vertices are not tested, since the shell covers the surface. */
  points->corners = points->faces && !(complies && shell != NULL);
  bool follows = in_coordinates ? points->state_size > 0 && tac_body_looks(body)->vertices != NULL &&
                                      vertices <= TAC_BODY_POINTS_VERTICES
                                : yields || complies;
  points->state = tac_arrays_add(&points->arrays, 2 * (size_t)points->state_size, sizeof *points->state);
  if ((shell == NULL || points->faces || complies) && follows) {
    points->skin = tac_arrays_add(&points->arrays, vertices, sizeof *points->skin);
    points->local = tac_arrays_add(&points->arrays, vertices, sizeof *points->local);
    points->moved = tac_arrays_add(&points->arrays, (size_t)surface->tree->node_count, sizeof *points->moved);
  }
  TAC_TRY(tac_arrays_status(&points->arrays, "points of bodies", error));
  /* no state is NaN, so the first comparison reports a change */
  for (int i = 0; i < points->state_size; ++i) points->state[i] = NAN;
  for (int n = 0; points->moved != NULL && n < surface->tree->node_count; ++n) {
    tacBoxTreeNode *node = &points->moved[n];
    *node = surface->tree->nodes[n];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c)
      for (int axis = 0; axis < 3 && node->count[c] < 0; ++axis) {
        node->centre[axis][c] = 0.0f;
        node->half[axis][c] = -INFINITY; /* an absent child has an empty box */
      }
  }
  if (complies && shell != NULL) {
    TAC_TRY(place_shell(points, surface, shell, proximity, free, error));
  } else if (shell == NULL && !yields) { /* a step-compliance body needs no points, since its vertices are dense */
    points->listed = surface->points;    /* any leading part of the list covers the whole surface */
    int most = in_coordinates ? SPREAD_SOFT : patch <= USUAL_PATCH ? SPREAD : TAC_SURFACE_MOST_POINTS;
    bool by_vertices = !in_coordinates && !free && surface->mesh->vertex_count >= SPREAD;
    points->listed_count = by_vertices ? 0 : fewer(surface->point_count, most);
    TAC_TRY(list_points(points, surface, error));
  }
  if (points->shell != NULL && !in_coordinates) TAC_TRY(make_point_tree(points, error));
  int met = points->shell != NULL      ? tac_pointshell_size(points->shell, TAC_POINTSHELL_MOST_LEVELS)
            : points->listed_count > 0 ? points->listed_count
                                       : surface->mesh->vertex_count;
  points->spacing = sqrt(surface->area / met);
  TAC_TRY(list_few(points, surface, error));
  settle(points, surface);
  return TAC_OK;
}

void tac_body_points_destroy(tacBodyPoints *points) {
  tac_box_tree_destroy(points->point_tree);
  tac_arrays_free(&points->arrays);
  *points = (tacBodyPoints){0};
}

/* ---- tick ---- */

/* True if the body may have deformed since the last call. */
static bool changed(tacBodyPoints *points, const tacBody *body) {
  if (points->state_size == 0) return true;
  double *now = points->state + points->state_size;
  size_t size = (size_t)points->state_size * sizeof *now;
  body->table->save(body->self, points->state_size, now);
  if (memcmp(points->state, now, size) == 0) return false;
  memcpy(points->state, now, size);
  return true;
}

typedef struct Bounds {
  tacFloat4 lower, upper;
} Bounds;

static Bounds bounds_of(const tacBodySurface *surface, const float (*local)[4], int first, int count) {
  const int *order = surface->tree->order;
  Bounds b = {tac_float4(INFINITY), tac_float4(-INFINITY)};
  for (int k = first; k < first + count; ++k)
    for (int i = 0; i < 3; ++i) {
      tacFloat4 p = tac_float4_load(local[surface->mesh->triangles[order[k]].v[i]]);
      b.lower = tac_float4_min(b.lower, p);
      b.upper = tac_float4_max(b.upper, p);
    }
  return b;
}

/* Refits the boxes to the deformed triangles (van den Bergen 1997) and rounds them outward. */
static void refit(tacBodyPoints *points, const tacBodySurface *surface) {
  tacBoxTreeNode *nodes = points->moved;
  for (int v = 0; v < surface->mesh->vertex_count; ++v) {
    tacVec3 x = tac_box_tree_local(surface->tree, points->skin[v]);
    points->local[v][0] = (float)x.x;
    points->local[v][1] = (float)x.y;
    points->local[v][2] = (float)x.z;
  }
  for (int n = surface->tree->node_count - 1; n >= 0; --n) { /* backward, since children come after their parent */
    tacBoxTreeNode *node = &nodes[n];
    for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
      Bounds b;
      if (node->count[c] > 0) {
        b = bounds_of(surface, (const float(*)[4])points->local, node->first[c], node->count[c]);
      } else {
        const tacBoxTreeNode *child = &nodes[node->first[c]];
        b = (Bounds){tac_float4(0.0f), tac_float4(0.0f)};
        for (int axis = 0; axis < 3; ++axis) {
          tacFloat4 centre = tac_float4_load(child->centre[axis]), half = tac_float4_load(child->half[axis]);
          b.lower[axis] = tac_float4_least(centre - half);
          b.upper[axis] = -tac_float4_least(-centre - half);
        }
      }
      tacFloat4 centre = 0.5f * (b.lower + b.upper);
      tacFloat4 half = 0.5f * (b.upper - b.lower) * (1.0f + 1e-5f) + 1e-6f;
      for (int axis = 0; axis < 3; ++axis) {
        node->centre[axis][c] = centre[axis];
        node->half[axis][c] = half[axis];
      }
    }
  }
}

/* Updates boxes and points to the present vertices. `most2`: largest squared motion of a vertex, m^2. Boxes are fitted
 * only after the vertices have moved by a part of the distance between points; until then, `late` is the error. */
static void follow_skin(tacBodyPoints *points, const tacBodySurface *surface, double most2) {
  points->vertices = points->skin;
  points->nodes = points->moved;
  points->way += sqrt(most2);
  points->late += sqrt(most2);
  if (!(points->fitted && points->late <= LATE * points->spacing)) {
    if (points->few == 0) refit(points, surface);
    bound(points, surface->mesh->vertex_count, points->skin, LATE * points->spacing);
    points->late = 0.0;
    points->fitted = true;
  }
  place_few(points, NULL, surface, NULL);
  points->deformed = true;
}

void tac_body_points_follow(tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface, tacVec3 *room) {
  const tacBodyTable *table = body->table;
  if (table->bounds == NULL || !changed(points, body)) return;
  const tacBodyLooks *looks = tac_body_looks(body);
  double swelling = table->bounds(body->self).swelling;
  int count = surface->mesh->vertex_count;
  if (!(swelling > 0.0)) {
    if (points->deformed) settle(points, surface);
    return;
  }
  bool exact = points->state_size > 0 && looks->vertices != NULL && count <= TAC_BODY_POINTS_VERTICES;
  if (points->skin != NULL) {
    double most2 = 0.0;
    if (exact) looks->vertices(body->self, points->state, room);
    for (int v = 0; v < count; ++v) move_vertex(points, v, exact ? room[v] : table->vertex(body->self, v), &most2);
    follow_skin(points, surface, most2);
    return;
  }
  if (exact) looks->vertices(body->self, points->state, room);
  points->vertices = NULL;
  points->loose = swelling;
  bound(points, count, exact ? room : surface->mesh->vertices, exact ? 0.0 : swelling);
  place_few(points, body, surface, tac_body_describe(body).points_q);
  points->deformed = true;
}

void tac_body_points_displace(tacBodyPoints *points, const tacBodySurface *surface, const tacVec3 *displaced,
                              double most) {
  if (!(most > 0.0)) {
    if (points->deformed) settle(points, surface);
    return;
  }
  double most2 = 0.0;
  for (int v = 0; v < surface->mesh->vertex_count; ++v)
    move_vertex(points, v, tac_vec3_add(surface->mesh->vertices[v], displaced[v]), &most2);
  follow_skin(points, surface, most2);
}
