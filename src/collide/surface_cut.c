#include "collide/surface_cut.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_pair.h"

static bool boxes_overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

bool tac_solid_surface_holds(const tacSolidSurface *solid, tacVec3 p) {
  return boxes_overlap(solid->box, (tacBox){p, p}) &&
         tac_scan_winding_number(solid->mesh, tac_triangle_tree_boxes(solid->tree), p) != 0;
}

static tacStatus allocate(const tacTriMesh *mesh, tacSurfaceCut *cut, tacError *error) {
  size_t triangles = (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
  cut->mesh = mesh;
  cut->first = tac_array_create(3 * triangles, sizeof *cut->first, "sides of a surface", error);
  cut->last = tac_array_create(3 * triangles, sizeof *cut->last, "sides of a surface", error);
  cut->met = tac_array_create(triangles, sizeof *cut->met, "triangles of a surface", error);
  cut->inside = tac_array_create(vertices, sizeof *cut->inside, "vertices of a surface", error);
  cut->piece = tac_disjoint_sets_create(mesh->vertex_count, error);
  if (cut->first == NULL || cut->last == NULL || cut->met == NULL || cut->inside == NULL || cut->piece == NULL)
    return TAC_ERR_MEMORY;
  for (size_t side = 0; side < 3 * triangles; ++side) cut->first[side] = cut->last[side] = -1.0;
  return TAC_OK;
}

void tac_surface_cut_free(tacSurfaceCut *cut) {
  free(cut->first);
  free(cut->last);
  free(cut->met);
  free(cut->inside);
  free(cut->piece);
  *cut = (tacSurfaceCut){0};
}

static tacBox corners_of(const tacTriMesh *mesh, int triangle, tacVec3 corners[3]) {
  tacBox box = tac_box_empty();
  for (int c = 0; c < 3; ++c) {
    corners[c] = mesh->vertices[mesh->triangles[triangle].v[c]];
    box = tac_box_add(box, corners[c]);
  }
  return box;
}

/* Sides of `triangle`, with the corners `own`, against a triangle of the other. */
static void cut_sides(tacSurfaceCut *cut, int triangle, const tacVec3 own[3], const tacVec3 other[3]) {
  cut->met[triangle] = 1;
  for (int s = 0; s < 3; ++s) {
    tacVec3 p = own[s], q = own[(s + 1) % 3];
    if (!tac_triangle_meets_segment(other, p, q)) continue;
    int side = 3 * triangle + s;
    double at_p = tac_vec3_triple(other[0], other[1], other[2], p),
           at_q = tac_vec3_triple(other[0], other[1], other[2], q);
    double from = 0.0, to = 1.0; /* in the plane of the other: all along, as far as anybody can tell */
    if (at_p != at_q) from = to = fmin(1.0, fmax(0.0, at_p / (at_p - at_q)));
    bool is_new = !tac_surface_cut_is_cut(cut, side);
    cut->first[side] = is_new ? from : fmin(cut->first[side], from);
    cut->last[side] = fmax(cut->last[side], to);
  }
}

typedef struct Query {
  const tacTriMesh *other;
  tacSurfaceCut *cuts; /* [2] */
  int triangle;        /* of the first */
  tacVec3 corners[3];
  tacBox box;
  int64_t pairs;
} Query;

static int meet(int triangle, void *context) {
  Query *query = context;
  tacVec3 corners[3];
  tacBox box = corners_of(query->other, triangle, corners);
  if (!boxes_overlap(box, query->box) || !tac_triangle_pair_intersects(query->corners, corners)) return 1;
  ++query->pairs;
  cut_sides(&query->cuts[0], query->triangle, query->corners, corners);
  cut_sides(&query->cuts[1], triangle, corners, query->corners);
  return 1;
}

static void join_pieces(tacSurfaceCut *cut) {
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    const int *v = cut->mesh->triangles[side / 3].v;
    if (!tac_surface_cut_is_cut(cut, side)) tac_disjoint_sets_join(cut->piece, v[side % 3], v[(side % 3 + 1) % 3]);
  }
  for (int v = 0; v < cut->mesh->vertex_count; ++v) cut->piece[v] = tac_disjoint_sets_find(cut->piece, v);
}

enum { UNKNOWN = 2 };

/* One question a piece, of its first vertex that is farther from the surface than rounding; a piece that has none only
 * touches, and is outside. Vertices of no triangle are nowhere. */
static void tell_inside(tacSurfaceCut *cut, const tacSolidSurface *other) {
  double touching = 1e-12 * (tac_vec3_norm(other->box.lower) + tac_vec3_norm(other->box.upper));
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side)
    cut->inside[cut->piece[cut->mesh->triangles[side / 3].v[side % 3]]] = UNKNOWN;
  for (int v = 0; v < cut->mesh->vertex_count; ++v) {
    unsigned char *inside = &cut->inside[cut->piece[v]];
    tacVec3 p = cut->mesh->vertices[v];
    if (*inside == UNKNOWN && (!boxes_overlap(other->box, (tacBox){p, p}) ||
                               tac_triangle_tree_distance(other->tree, p, NULL, NULL) > touching))
      *inside = tac_solid_surface_holds(other, p);
  }
  for (int v = 0; v < cut->mesh->vertex_count; ++v) cut->inside[v] = cut->inside[cut->piece[v]] == 1;
}

tacStatus tac_surface_cut_create(const tacSolidSurface *a, const tacSolidSurface *b, tacSurfaceCut cuts[2],
                                 int64_t *pairs, tacError *error) {
  *pairs = 0;
  cuts[0] = cuts[1] = (tacSurfaceCut){0};
  tacStatus status = allocate(a->mesh, &cuts[0], error);
  if (status == TAC_OK) status = allocate(b->mesh, &cuts[1], error);
  if (status != TAC_OK) {
    tac_surface_cut_free(&cuts[0]);
    tac_surface_cut_free(&cuts[1]);
    return status;
  }
  Query query = {.other = b->mesh, .cuts = cuts};
  for (query.triangle = 0; query.triangle < a->mesh->triangle_count; ++query.triangle) {
    query.box = corners_of(a->mesh, query.triangle, query.corners);
    if (boxes_overlap(query.box, b->box))
      tac_box_tree_overlap(tac_triangle_tree_boxes(b->tree), query.box, meet, &query);
  }
  *pairs = query.pairs;
  for (int i = 0; i < 2; ++i) {
    join_pieces(&cuts[i]);
    tell_inside(&cuts[i], i == 0 ? b : a);
  }
  return TAC_OK;
}
