#include "collide/interpenetration.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_pair.h"
#include "mesh/query/triangle_point.h"

/* ---- cuts ---- */

/* A surface cut by another solid. Side s of triangle t, from corner s to the next corner, has the index 3 t + s. A
 * piece is a set of vertices that are connected by uncut sides. */
typedef struct Cut {
  const tacTriMesh *mesh;
  tacArrays arrays;
  /* [sides] positions of the first and the last cut of a side, from 0 (start) to 1 (end); negative if uncut */
  double *first, *last;
  unsigned char *met;    /* [triangles] 1 if the triangle has a point in common with the other surface */
  int *piece;            /* [vertices] lowest vertex of the piece that contains the vertex */
  unsigned char *inside; /* [vertices] 1 if the vertex, and so its whole piece, is inside the other solid */
} Cut;

static bool is_cut(const Cut *cut, int side) {
  return cut->first[side] >= 0.0;
}

static bool boxes_overlap(tacBox a, tacBox b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/* True if p is inside the solid. */
static bool holds(const tacSolidSurface *solid, tacVec3 p) {
  return boxes_overlap(solid->box, (tacBox){p, p}) &&
         tac_scan_winding_number(solid->mesh, tac_triangle_tree_boxes(solid->tree), p) != 0;
}

static tacStatus allocate(const tacTriMesh *mesh, Cut *cut, tacError *error) {
  size_t sides = 3 * (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
  cut->mesh = mesh;
  cut->first = tac_arrays_add(&cut->arrays, sides, sizeof *cut->first);
  cut->last = tac_arrays_add(&cut->arrays, sides, sizeof *cut->last);
  cut->met = tac_arrays_add(&cut->arrays, sides / 3, sizeof *cut->met);
  cut->inside = tac_arrays_add(&cut->arrays, vertices, sizeof *cut->inside);
  cut->piece = tac_arrays_add(&cut->arrays, vertices, sizeof *cut->piece);
  TAC_TRY(tac_arrays_status(&cut->arrays, "pieces of a surface", error));
  for (size_t side = 0; side < sides; ++side) cut->first[side] = cut->last[side] = -1.0;
  for (size_t v = 0; v < vertices; ++v) cut->piece[v] = (int)v;
  return TAC_OK;
}

static tacBox corners_of(const tacTriMesh *mesh, int triangle, tacVec3 corners[3]) {
  tacBox box = tac_box_empty();
  for (int c = 0; c < 3; ++c) {
    corners[c] = mesh->vertices[mesh->triangles[triangle].v[c]];
    box = tac_box_add(box, corners[c]);
  }
  return box;
}

/* Cuts the sides of `triangle` by a triangle of the other surface. `own` and `other` are the corners of the two
 * triangles. */
static void cut_sides(Cut *cut, int triangle, const tacVec3 own[3], const tacVec3 other[3]) {
  cut->met[triangle] = 1;
  for (int s = 0; s < 3; ++s) {
    tacVec3 p = own[s], q = own[(s + 1) % 3];
    if (!tac_triangle_intersects_segment(other, p, q)) continue;
    int side = 3 * triangle + s;
    double at_p = tac_vec3_triple(other[0], other[1], other[2], p),
           at_q = tac_vec3_triple(other[0], other[1], other[2], q);
    double from = 0.0, to = 1.0; /* a coplanar side has no cut position, so the whole side is cut */
    if (at_p != at_q) from = to = fmin(1.0, fmax(0.0, at_p / (at_p - at_q)));
    bool is_new = !is_cut(cut, side);
    cut->first[side] = is_new ? from : fmin(cut->first[side], from);
    cut->last[side] = fmax(cut->last[side], to);
  }
}

typedef struct Query {
  const tacTriMesh *other;
  Cut *cuts;    /* [2] cuts of the first and the second surface */
  int triangle; /* triangle of the first surface */
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

static void join_pieces(Cut *cut) {
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    const int *v = cut->mesh->triangles[side / 3].v;
    if (!is_cut(cut, side)) tac_disjoint_sets_join(cut->piece, v[side % 3], v[(side % 3 + 1) % 3]);
  }
  for (int v = 0; v < cut->mesh->vertex_count; ++v) cut->piece[v] = tac_disjoint_sets_find(cut->piece, v);
}

enum { UNKNOWN = 2 };

/* Determines which pieces are inside the other solid. Tests one vertex per piece: the first vertex whose distance to
 * the other surface exceeds rounding errors. A piece without such a vertex only touches the surface and counts as
 * outside. Vertices without triangles are ignored. */
static void mark_inside(Cut *cut, const tacSolidSurface *other) {
  double touching = 1e-12 * (tac_vec3_norm(other->box.lower) + tac_vec3_norm(other->box.upper));
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side)
    cut->inside[cut->piece[cut->mesh->triangles[side / 3].v[side % 3]]] = UNKNOWN;
  for (int v = 0; v < cut->mesh->vertex_count; ++v) {
    unsigned char *inside = &cut->inside[cut->piece[v]];
    tacVec3 p = cut->mesh->vertices[v];
    if (*inside == UNKNOWN && (!boxes_overlap(other->box, (tacBox){p, p}) ||
                               tac_triangle_tree_distance(other->tree, p, NULL, NULL) > touching))
      *inside = holds(other, p);
  }
  for (int v = 0; v < cut->mesh->vertex_count; ++v) cut->inside[v] = cut->inside[cut->piece[v]] == 1;
}

/* Computes the cuts of both surfaces and the number of intersecting triangle pairs. Intersections are decided exactly
 * (mesh/query/triangle_pair.h). So no uncut side connects an inside vertex with an outside vertex. Only the positions
 * of cuts are rounded. */
static tacStatus cut_both(const tacSolidSurface *a, const tacSolidSurface *b, Cut cuts[2], int64_t *pairs,
                          tacError *error) {
  TAC_TRY(allocate(a->mesh, &cuts[0], error));
  TAC_TRY(allocate(b->mesh, &cuts[1], error));
  Query query = {.other = b->mesh, .cuts = cuts};
  for (query.triangle = 0; query.triangle < a->mesh->triangle_count; ++query.triangle) {
    query.box = corners_of(a->mesh, query.triangle, query.corners);
    if (boxes_overlap(query.box, b->box))
      tac_box_tree_overlap(tac_triangle_tree_boxes(b->tree), query.box, meet, &query);
  }
  *pairs = query.pairs;
  for (int i = 0; i < 2; ++i) {
    join_pieces(&cuts[i]);
    mark_inside(&cuts[i], i == 0 ? b : a);
  }
  return TAC_OK;
}

/* ---- deepest point ---- */

/* A part of a triangle. `bound`: upper bound of the depth of its points, m. */
typedef struct Piece {
  tacVec3 corners[3];
  double bound;
  bool inside; /* true if the whole part is inside the other solid; otherwise each point is tested */
} Piece;

typedef struct Search {
  const Cut *cut;
  const tacSolidSurface *other;
  double least, depth;
  tacVec3 at;
  Piece *heap; /* parts to search; the part with the largest bound is at the top */
  int count;
  size_t capacity;
} Search;

/* SAMPLES: maximum number of points evaluated. FEW: the first pass evaluates one of this many vertices. */
enum { SAMPLES = 8192, FEW = 61 };
#define SHARE 0.02 /* allowed error, relative to the depth */

static bool promises(const Search *search, double bound) {
  return bound > (1.0 + SHARE) * search->depth + search->least;
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

/* Returns the largest distance of a point of the piece to one triangle of the other surface. The distance is a convex
 * function, so it is largest at a corner. The result bounds the depth of all inside points of the piece, since the
 * surface is at least as near as the triangle. */
static double bound_by(const Search *search, const Piece *piece, int triangle) {
  double most = 0.0;
  for (int c = 0; c < 3; ++c) most = fmax(most, distance_to(search->other->mesh, triangle, piece->corners[c]));
  return most;
}

/* Evaluates the depth at the centre of a piece, updates the piece's bound, and queues the piece. */
static tacStatus look_at(Search *search, Piece *piece, tacError *error) {
  const tacVec3 *c = piece->corners;
  tacVec3 middle = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(c[0], tac_vec3_add(c[1], c[2])));
  int triangle = -1;
  double distance = tac_triangle_tree_distance(search->other->tree, middle, &triangle, NULL);
  if (piece->inside || holds(search->other, middle)) {
    found(search, middle, distance);
    piece->bound = fmin(piece->bound, bound_by(search, piece, triangle));
  } else {
    /* A path from the centre to an inside point crosses the surface at least `distance` away from the centre. The depth
     * of the point is at most the length of the path behind the crossing. */
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
  TAC_TRY(look_at(search, &halves[0], error));
  return look_at(search, &halves[1], error);
}

/* Evaluates the depth of every `stride`th inside vertex. A vertex is skipped if it is too near to the last found
 * triangle to be deeper. Stores a near triangle of the other surface for each inside vertex in `nearest`. */
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

/* Fills the heap with the triangles that may contain a deeper point. `nearest`: a near triangle of the other surface
 * for each inside vertex. */
static tacStatus begin(Search *search, const int *nearest, tacError *error) {
  const Cut *cut = search->cut;
  for (int t = 0; t < cut->mesh->triangle_count; ++t) {
    const int *v = cut->mesh->triangles[t].v;
    if (!cut->met[t] && !cut->inside[v[0]]) continue; /* an uncut triangle outside the other solid */
    Piece piece = {.inside = !cut->met[t]};
    for (int c = 0; c < 3; ++c) piece.corners[c] = cut->mesh->vertices[v[c]];
    int side;
    /* a cut triangle contains a point of the surface */
    piece.bound = cut->met[t] ? longest_side(piece.corners, &side) : INFINITY;
    for (int c = 0; c < 3 && !cut->met[t]; ++c)
      piece.bound = fmin(piece.bound, bound_by(search, &piece, nearest[v[c]]));
    if (!promises(search, piece.bound)) continue;
    TAC_TRY(look_at(search, &piece, error));
  }
  return TAC_OK;
}

static void free_search(Search *search) {
  free(search->heap);
}

/* Finds the inside point of the cut surface that is farthest from the surface of `other`, if this distance exceeds
 * `*depth` (m). Sets `*deeper` to false if no point is deeper.
 *
 * The search evaluates the vertices first, then halves triangles by branch and bound, largest bound first. It halves
 * only triangles that may hold a point deeper by the fraction SHARE and by `least` (m). It evaluates at most SAMPLES
 * points in triangles. */
static tacStatus find_deepest(const Cut *cut, const tacSolidSurface *other, double least, double *depth, tacVec3 *at,
                              bool *deeper, tacError *error) {
  TAC_FREED(free_search, Search, search) = {.cut = cut, .other = other, .least = least, .depth = *depth};
  TAC_MEMORY(int, nearest) = NULL;
  TAC_TRY(TAC_ARRAY(nearest, (size_t)cut->mesh->vertex_count, "nearest triangles", error));
  look_at_vertices(&search, FEW, nearest);
  look_at_vertices(&search, 1, nearest);
  TAC_TRY(begin(&search, nearest, error));
  for (int i = 0; i < SAMPLES && search.count > 0; i += 2) {
    Piece piece = pop(&search);
    if (!promises(&search, piece.bound)) break;
    TAC_TRY(halve(&search, &piece, error));
  }
  *deeper = search.depth > *depth;
  if (*deeper) {
    *depth = search.depth;
    *at = search.at;
  }
  return TAC_OK;
}

/* ---- parts on the far side ---- */

typedef struct Mean {
  tacVec3 sum;
  int count;
} Mean;

/* Arrays with one element per vertex. The data of a component, region or piece are stored at one of its vertices. The
 * near part of a component is its largest piece outside the other solid. A region is a component of the surface without
 * the near parts. */
typedef struct Parts {
  const Cut *cut;
  tacArrays arrays;
  int *whole;      /* [vertices] component of the surface that contains the vertex, regardless of cuts */
  int *region;     /* region of each vertex; -1 in a near part */
  double *area;    /* area of each piece, m^2 */
  int *here;       /* near part of each component; -1 if the component has no piece outside */
  Mean *entry;     /* mean entry point of each region, over the first cuts of sides that come from the near part */
  tacVec3 *normal; /* vector area of each region; by Stokes it equals the vector area of its opening */
  Mean *exit;      /* mean exit point of each piece, over the last cuts of sides that come from other pieces */
  /* number of tested places of each piece, and number of those places inside the other solid */
  int *asked, *filled;
} Parts;

enum { PLACES = 32 }; /* maximum number of tested places per piece */

static tacVec3 mean_of(const Mean *mean) {
  return tac_vec3_scale(1.0 / (mean->count > 0 ? mean->count : 1), mean->sum);
}

static void add_to(Mean *mean, tacVec3 p) {
  mean->sum = tac_vec3_add(mean->sum, p);
  ++mean->count;
}

static int vertex_of(const Parts *parts, int side) {
  return parts->cut->mesh->triangles[side / 3].v[side % 3];
}

static int end_of(const Parts *parts, int side) {
  return parts->cut->mesh->triangles[side / 3].v[(side % 3 + 1) % 3];
}

/* Returns the position of the first cut of a side if `near_start`, else of the last cut. */
static tacVec3 cut_place(const Parts *parts, int side, bool near_start) {
  const tacVec3 *x = parts->cut->mesh->vertices;
  double t = near_start ? parts->cut->first[side] : parts->cut->last[side];
  return tac_vec3_mix(x[vertex_of(parts, side)], x[end_of(parts, side)], t);
}

static tacVec3 triangle_area(tacVec3 a, tacVec3 b, tacVec3 c) {
  return tac_vec3_scale(0.5, tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)));
}

/* Returns the vector area of the part of a triangle that belongs to the corners `in`. The part is a polygon of at most
 * four corners. Its border connects the cuts nearest to the corners `in` if `near_in`, otherwise the cuts nearest to
 * the other corners. */
static tacVec3 cut_area(const Parts *parts, int triangle, const bool in[3], bool near_in) {
  tacVec3 polygon[4], sum = tac_vec3(0.0, 0.0, 0.0);
  int count = 0;
  for (int s = 0; s < 3; ++s) {
    int side = 3 * triangle + s;
    bool next = in[(s + 1) % 3];
    if (in[s]) polygon[count++] = parts->cut->mesh->vertices[vertex_of(parts, side)];
    if (in[s] != next) polygon[count++] = cut_place(parts, side, in[s] == near_in);
  }
  for (int i = 2; i < count; ++i) sum = tac_vec3_add(sum, triangle_area(polygon[0], polygon[i - 1], polygon[i]));
  return sum;
}

/* Finds the components, the areas of the pieces, and the near parts. */
static void divide(Parts *parts) {
  const Cut *cut = parts->cut;
  const tacTriMesh *mesh = cut->mesh;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v, piece[3] = {cut->piece[v[0]], cut->piece[v[1]], cut->piece[v[2]]};
    for (int c = 0; c < 3; ++c) {
      tac_disjoint_sets_join(parts->whole, v[c], v[(c + 1) % 3]);
      bool known = (c > 0 && piece[c] == piece[0]) || (c > 1 && piece[c] == piece[1]);
      const bool in[3] = {piece[0] == piece[c], piece[1] == piece[c], piece[2] == piece[c]};
      if (!known) parts->area[piece[c]] += tac_vec3_norm(cut_area(parts, t, in, true));
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v) parts->here[v] = -1;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (cut->piece[v] != v || cut->inside[v]) continue;
    int *here = &parts->here[tac_disjoint_sets_find(parts->whole, v)];
    if (*here < 0 || parts->area[v] > parts->area[*here]) *here = v;
  }
}

static bool is_here(Parts *parts, int vertex) {
  return parts->here[tac_disjoint_sets_find(parts->whole, vertex)] == parts->cut->piece[vertex];
}

static void find_regions(Parts *parts) {
  const tacTriMesh *mesh = parts->cut->mesh;
  for (int side = 0; side < 3 * mesh->triangle_count; ++side) {
    int a = vertex_of(parts, side), b = end_of(parts, side);
    if (!is_here(parts, a) && !is_here(parts, b)) tac_disjoint_sets_join(parts->region, a, b);
  }
  for (int v = 0; v < mesh->vertex_count; ++v) parts->region[v] = tac_disjoint_sets_find(parts->region, v);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (is_here(parts, v)) parts->region[v] = -1;
}

static void find_openings(Parts *parts) {
  const Cut *cut = parts->cut;
  for (int t = 0; t < cut->mesh->triangle_count; ++t) {
    const int *v = cut->mesh->triangles[t].v;
    const bool in[3] = {parts->region[v[0]] >= 0, parts->region[v[1]] >= 0, parts->region[v[2]] >= 0};
    int of = in[0]   ? v[0]
             : in[1] ? v[1]
                     : v[2],
        region = parts->region[of]; /* neighbouring corners outside the near part are in the same region */
    if (region >= 0) parts->normal[region] = tac_vec3_add(parts->normal[region], cut_area(parts, t, in, false));
  }
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    if (!is_cut(cut, side)) continue;
    int a = vertex_of(parts, side), b = end_of(parts, side);
    if (parts->region[a] < 0 && parts->region[b] >= 0)
      add_to(&parts->entry[parts->region[b]], cut_place(parts, side, true));
    if (cut->piece[a] != cut->piece[b]) add_to(&parts->exit[cut->piece[b]], cut_place(parts, side, false));
  }
}

/* Tests whether the other solid fills the body between the opening and the exit of each piece. Each tested place is
 * half way from an exit cut to the midpoint of the mean opening and the mean exit. The tested places are outside the
 * other solid if one solid forms a ring around the other, or lies in a dent of the other. */
static void ask_places(Parts *parts, const tacSolidSurface *other) {
  const Cut *cut = parts->cut;
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    int b = end_of(parts, side), piece = cut->piece[b], region = parts->region[b];
    if (!is_cut(cut, side) || cut->piece[vertex_of(parts, side)] == piece || region < 0 || cut->inside[b] ||
        parts->entry[region].count == 0 || parts->asked[piece] == PLACES)
      continue;
    tacVec3 middle = tac_vec3_mix(mean_of(&parts->entry[region]), mean_of(&parts->exit[piece]), 0.5);
    ++parts->asked[piece];
    parts->filled[piece] += holds(other, tac_vec3_mix(cut_place(parts, side, false), middle, 0.5));
  }
}

static double height_of(const Parts *parts) {
  const Cut *cut = parts->cut;
  double most = 0.0;
  for (int v = 0; v < cut->mesh->vertex_count; ++v) {
    int piece = cut->piece[v], region = parts->region[v];
    if (region < 0 || 2 * parts->filled[piece] <= parts->asked[piece]) continue;
    tacVec3 from = mean_of(&parts->entry[region]), normal = parts->normal[region];
    if (tac_vec3_norm2(normal) == 0.0) continue;
    most = fmax(most, tac_vec3_dot(tac_vec3_unit(normal), tac_vec3_sub(cut->mesh->vertices[v], from)));
  }
  return most;
}

static tacStatus make_parts(Parts *parts, tacError *error) {
  size_t count = (size_t)parts->cut->mesh->vertex_count;
  tacArrays *arrays = &parts->arrays;
  parts->whole = tac_arrays_add(arrays, count, sizeof *parts->whole);
  parts->region = tac_arrays_add(arrays, count, sizeof *parts->region);
  parts->area = tac_arrays_add(arrays, count, sizeof *parts->area);
  parts->here = tac_arrays_add(arrays, count, sizeof *parts->here);
  parts->entry = tac_arrays_add(arrays, count, sizeof *parts->entry);
  parts->normal = tac_arrays_add(arrays, count, sizeof *parts->normal);
  parts->exit = tac_arrays_add(arrays, count, sizeof *parts->exit);
  parts->asked = tac_arrays_add(arrays, count, sizeof *parts->asked);
  parts->filled = tac_arrays_add(arrays, count, sizeof *parts->filled);
  TAC_TRY(tac_arrays_status(arrays, "parts of a surface", error));
  for (size_t v = 0; v < count; ++v) parts->whole[v] = parts->region[v] = (int)v;
  return TAC_OK;
}

static void free_parts(Parts *parts) {
  tac_arrays_free(&parts->arrays);
}

/* Computes the height of the surface parts on the far side of the other solid, measured from the opening where the
 * surface enters (m). The height is 0 if there are no far parts (see tacInterpenetration.through). */
static tacStatus find_beyond(const Cut *cut, const tacSolidSurface *other, double *height, tacError *error) {
  TAC_FREED(free_parts, Parts, parts) = {.cut = cut};
  TAC_TRY(make_parts(&parts, error));
  divide(&parts);
  find_regions(&parts);
  find_openings(&parts);
  ask_places(&parts, other);
  *height = height_of(&parts);
  return TAC_OK;
}

/* ---- both surfaces ---- */

double tac_interpenetration_of_point(const tacSolidSurface *solid, tacVec3 p) {
  return holds(solid, p) ? tac_triangle_tree_distance(solid->tree, p, NULL, NULL) : 0.0;
}

/* Measures the cut surface with the number `of`, and updates `*result`. */
static tacStatus look(const Cut *cut, const tacSolidSurface *other, int of, double least, tacInterpenetration *result,
                      tacError *error) {
  bool deeper = false;
  double beyond = 0.0;
  TAC_TRY(find_deepest(cut, other, least, &result->depth, &result->at, &deeper, error));
  if (deeper) result->of = of;
  if (result->crossings > 0) TAC_TRY(find_beyond(cut, other, &beyond, error));
  result->through = fmax(result->through, fmax(result->depth, beyond));
  return TAC_OK;
}

typedef struct Cuts {
  Cut of[2];
} Cuts;

static void free_cuts(Cuts *cuts) {
  tac_arrays_free(&cuts->of[0].arrays);
  tac_arrays_free(&cuts->of[1].arrays);
}

tacStatus tac_interpenetration_of_solids(const tacSolidSurface *a, const tacSolidSurface *b,
                                         tacInterpenetration *result, tacError *error) {
  *result = (tacInterpenetration){0};
  if (!boxes_overlap(a->box, b->box)) return TAC_OK;
  TAC_FREED(free_cuts, Cuts, cuts) = {0};
  TAC_TRY(cut_both(a, b, cuts.of, &result->crossings, error));
  double least = 1e-4 * fmin(tac_box_longest(a->box), tac_box_longest(b->box));
  TAC_TRY(look(&cuts.of[0], b, 0, least, result, error));
  return look(&cuts.of[1], a, 1, least, result, error);
}

static void free_tree(tacTriangleTree **tree) {
  tac_triangle_tree_destroy(*tree);
}

tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                       tacError *error) {
  *result = (tacInterpenetration){0};
  TAC_FREED(free_tree, tacTriangleTree *, tree_a) = NULL;
  TAC_FREED(free_tree, tacTriangleTree *, tree_b) = NULL;
  TAC_TRY(tac_trimesh_require_closed(a, error));
  TAC_TRY(tac_triangle_tree_create(a, &tree_a, error));
  TAC_TRY(tac_trimesh_require_closed(b, error));
  TAC_TRY(tac_triangle_tree_create(b, &tree_b, error));
  const tacSolidSurface solids[2] = {{a, tree_a, tac_trimesh_box(a)}, {b, tree_b, tac_trimesh_box(b)}};
  return tac_interpenetration_of_solids(&solids[0], &solids[1], result, error);
}
