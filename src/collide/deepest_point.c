#include "collide/deepest_point.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "mesh/query/triangle_point.h"

/* A part of a triangle, and what no point of it exceeds in depth. */
typedef struct Piece {
  tacVec3 corners[3];
  double bound;
  bool inside; /* all of it; else that has to be asked for each point */
} Piece;

typedef struct Search {
  const tacSurfaceCut *cut;
  const tacSolidSurface *other;
  double least, depth;
  tacVec3 at;
  Piece *heap; /* the largest bound first */
  int count;
  size_t capacity;
} Search;

enum { FEW = 61 }; /* the first look is at one in so many vertices */

static bool promises(const Search *search, double bound) {
  return bound > (1.0 + TAC_DEEPEST_POINT_SHARE) * search->depth + search->least;
}

static tacStatus push(Search *search, const Piece *piece, tacError *error) {
  if (!promises(search, piece->bound)) return TAC_OK;
  TAC_TRY(tac_array_reserve((void **)&search->heap, &search->capacity, (size_t)search->count + 1, sizeof *search->heap,
                            "parts of triangles", error));
  int i = search->count++;
  for (int up = (i - 1) / 2; i > 0 && search->heap[up].bound < piece->bound; i = up, up = (i - 1) / 2)
    search->heap[i] = search->heap[up];
  search->heap[i] = *piece;
  return TAC_OK;
}

static Piece pop(Search *search) {
  Piece top = search->heap[0], moved = search->heap[--search->count];
  int i = 0;
  for (int down = 1; down < search->count; i = down, down = 2 * i + 1) {
    if (down + 1 < search->count && search->heap[down + 1].bound > search->heap[down].bound) ++down;
    if (search->heap[down].bound <= moved.bound) break;
    search->heap[i] = search->heap[down];
  }
  search->heap[i] = moved;
  return top;
}

static void found(Search *search, tacVec3 p, double depth) {
  if (depth <= search->depth) return;
  search->depth = depth;
  search->at = p;
}

static double distance_to(const tacTriMesh *mesh, int triangle, tacVec3 p) {
  const int *v = mesh->triangles[triangle].v;
  return tac_vec3_distance(p,
                           tac_triangle_closest(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p));
}

/* The largest distance from any point of the piece to one triangle of the other: that is a convex function, so a corner has it. A
 * triangle is not nearer than the surface, so no point that is inside is deeper. */
static double bound_by(const Search *search, const Piece *piece, int triangle) {
  double most = 0.0;
  for (int c = 0; c < 3; ++c) most = fmax(most, distance_to(search->other->mesh, triangle, piece->corners[c]));
  return most;
}

/* Looks at the middle of a piece and bounds the rest by what is there. */
static tacStatus look(Search *search, Piece *piece, tacError *error) {
  const tacVec3 *c = piece->corners;
  tacVec3 middle = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(c[0], tac_vec3_add(c[1], c[2])));
  int triangle = -1;
  double distance = tac_triangle_tree_distance(search->other->tree, middle, &triangle, NULL);
  if (piece->inside || tac_solid_surface_holds(search->other, middle)) {
    found(search, middle, distance);
    piece->bound = fmin(piece->bound, bound_by(search, piece, triangle));
  } else {
    /* The way to a point that is inside meets the surface; what is left behind it is no shorter than its depth. */
    double radius = 0.0;
    for (int i = 0; i < 3; ++i) radius = fmax(radius, tac_vec3_distance(middle, c[i]));
    piece->bound = fmin(piece->bound, radius - distance);
  }
  return push(search, piece, error);
}

static double longest_side(const tacVec3 c[3], int *side) {
  double most = -1.0;
  for (int s = 0; s < 3; ++s) {
    double length = tac_vec3_distance(c[s], c[(s + 1) % 3]);
    if (length <= most) continue;
    most = length;
    *side = s;
  }
  return most;
}

static tacStatus halve(Search *search, const Piece *piece, tacError *error) {
  int side = 0;
  longest_side(piece->corners, &side);
  tacVec3 p = piece->corners[side], q = piece->corners[(side + 1) % 3], r = piece->corners[(side + 2) % 3];
  tacVec3 middle = tac_vec3_mix(p, q, 0.5);
  Piece halves[2] = {{{p, middle, r}, piece->bound, piece->inside}, {{middle, q, r}, piece->bound, piece->inside}};
  tacStatus status = look(search, &halves[0], error);
  return status == TAC_OK ? look(search, &halves[1], error) : status;
}

/* Every so many of the vertices that are inside. No vertex is deeper than it is far from a triangle that another one is
 * nearest to, which is soon less than what was found. `nearest` becomes some triangle, near or nearest. */
static void look_at_vertices(Search *search, int stride, int *nearest) {
  const tacVec3 *vertices = search->cut->mesh->vertices;
  int last = 0;
  for (int v = 0; v < search->cut->mesh->vertex_count; v += stride) {
    if (!search->cut->inside[v]) continue;
    nearest[v] = last;
    if (!promises(search, distance_to(search->other->mesh, last, vertices[v]))) continue;
    found(search, vertices[v], tac_triangle_tree_distance(search->other->tree, vertices[v], &last, NULL));
    nearest[v] = last;
  }
}

/* `nearest`: of each vertex that is inside, one of the other's triangles. */
static tacStatus begin(Search *search, const int *nearest, tacError *error) {
  const tacSurfaceCut *cut = search->cut;
  for (int t = 0; t < cut->mesh->triangle_count; ++t) {
    const int *v = cut->mesh->triangles[t].v;
    if (!cut->met[t] && !cut->inside[v[0]]) continue; /* uncut: all of it is outside */
    Piece piece = {.inside = !cut->met[t]};
    for (int c = 0; c < 3; ++c) piece.corners[c] = cut->mesh->vertices[v[c]];
    int side;
    piece.bound = cut->met[t] ? longest_side(piece.corners, &side) : INFINITY; /* it has a point of the surface */
    for (int c = 0; c < 3 && !cut->met[t]; ++c)
      piece.bound = fmin(piece.bound, bound_by(search, &piece, nearest[v[c]]));
    if (!promises(search, piece.bound)) continue;
    TAC_TRY(look(search, &piece, error));
  }
  return TAC_OK;
}

tacStatus tac_deepest_point_find(const tacSurfaceCut *cut, const tacSolidSurface *other, double least, double *depth,
                                 tacVec3 *at, bool *deeper, tacError *error) {
  Search search = {.cut = cut, .other = other, .least = least, .depth = *depth};
  *deeper = false;
  int *nearest = tac_array_create((size_t)cut->mesh->vertex_count, sizeof *nearest, "nearest triangles", error);
  if (nearest == NULL) return TAC_ERR_MEMORY;
  look_at_vertices(&search, FEW, nearest);
  look_at_vertices(&search, 1, nearest);
  tacStatus status = begin(&search, nearest, error);
  for (int i = 0; i < TAC_DEEPEST_POINT_SAMPLES && status == TAC_OK && search.count > 0; i += 2) {
    Piece piece = pop(&search);
    if (!promises(&search, piece.bound)) break;
    status = halve(&search, &piece, error);
  }
  *deeper = status == TAC_OK && search.depth > *depth;
  if (*deeper) {
    *depth = search.depth;
    *at = search.at;
  }
  free(search.heap);
  free(nearest);
  return status;
}
