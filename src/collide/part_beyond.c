#include "collide/part_beyond.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "mesh/disjoint_sets.h"

typedef struct Mean {
  tacVec3 sum;
  int count;
} Mean;

/* Arrays by vertices; what belongs to a piece or a region is at its first vertex. */
typedef struct Parts {
  const tacSurfaceCut *cut;
  int *whole;          /* what hangs together if nothing is cut */
  int *region;         /* what hangs together without what is here; -1: it is here */
  double *area;        /* m^2, of pieces */
  int *here;           /* of wholes: their largest piece that is outside; -1: none is */
  Mean *entry;         /* of regions: where sides that come from here are cut first */
  tacVec3 *normal;     /* of regions: their vector area, cut off there, which by Stokes is that of the opening */
  Mean *exit;          /* of pieces: where sides that come from elsewhere are cut last */
  int *asked, *filled; /* of pieces: places between opening and exit, and how many of them are inside the other */
} Parts;

enum { PLACES = 32 }; /* of a piece, at most */

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

/* Where the side is cut nearest to its start, or to its end. */
static tacVec3 cut_place(const Parts *parts, int side, bool near_start) {
  const tacVec3 *x = parts->cut->mesh->vertices;
  double t = near_start ? parts->cut->first[side] : parts->cut->last[side];
  return tac_vec3_mix(x[vertex_of(parts, side)], x[end_of(parts, side)], t);
}

static tacVec3 triangle_area(tacVec3 a, tacVec3 b, tacVec3 c) {
  return tac_vec3_scale(0.5, tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)));
}

/* The vector area of what of a triangle belongs to the corners that are `in`: a polygon of at most four corners, cut off where its sides are
 * cut nearest to those corners, or to the others. */
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

/* The largest piece outside of each whole is what is here; all else makes regions. */
static void divide(Parts *parts) {
  const tacSurfaceCut *cut = parts->cut;
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
  const tacSurfaceCut *cut = parts->cut;
  for (int t = 0; t < cut->mesh->triangle_count; ++t) {
    const int *v = cut->mesh->triangles[t].v;
    const bool in[3] = {parts->region[v[0]] >= 0, parts->region[v[1]] >= 0, parts->region[v[2]] >= 0};
    int of = in[0]   ? v[0]
             : in[1] ? v[1]
                     : v[2],
        region = parts->region[of]; /* corners of two regions are no neighbours */
    if (region >= 0) parts->normal[region] = tac_vec3_add(parts->normal[region], cut_area(parts, t, in, false));
  }
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    if (!tac_surface_cut_is_cut(cut, side)) continue;
    int a = vertex_of(parts, side), b = end_of(parts, side);
    if (parts->region[a] < 0 && parts->region[b] >= 0)
      add_to(&parts->entry[parts->region[b]], cut_place(parts, side, true));
    if (cut->piece[a] != cut->piece[b]) add_to(&parts->exit[cut->piece[b]], cut_place(parts, side, false));
  }
}

/* Whether the other's solid fills the body between opening and exit: places half way from each exit to the middle of
 * both. In a ring, and where one lies in a dent of the other, these are in the open. */
static void ask_places(Parts *parts, const tacSolidSurface *other) {
  const tacSurfaceCut *cut = parts->cut;
  for (int side = 0; side < 3 * cut->mesh->triangle_count; ++side) {
    int b = end_of(parts, side), piece = cut->piece[b], region = parts->region[b];
    if (!tac_surface_cut_is_cut(cut, side) || cut->piece[vertex_of(parts, side)] == piece || region < 0 ||
        cut->inside[b] || parts->entry[region].count == 0 || parts->asked[piece] == PLACES)
      continue;
    tacVec3 middle = tac_vec3_mix(mean_of(&parts->entry[region]), mean_of(&parts->exit[piece]), 0.5);
    ++parts->asked[piece];
    parts->filled[piece] += tac_solid_surface_holds(other, tac_vec3_mix(cut_place(parts, side, false), middle, 0.5));
  }
}

static double height_of(const Parts *parts) {
  const tacSurfaceCut *cut = parts->cut;
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

static bool allocate(Parts *parts, tacError *error) {
  static const char what[] = "parts of a surface";
  int vertices = parts->cut->mesh->vertex_count;
  size_t count = (size_t)vertices;
  parts->whole = tac_disjoint_sets_create(vertices, error);
  parts->region = tac_disjoint_sets_create(vertices, error);
  parts->area = tac_array_create(count, sizeof *parts->area, what, error);
  parts->here = tac_array_create(count, sizeof *parts->here, what, error);
  parts->entry = tac_array_create(count, sizeof *parts->entry, what, error);
  parts->normal = tac_array_create(count, sizeof *parts->normal, what, error);
  parts->exit = tac_array_create(count, sizeof *parts->exit, what, error);
  parts->asked = tac_array_create(count, sizeof *parts->asked, what, error);
  parts->filled = tac_array_create(count, sizeof *parts->filled, what, error);
  return parts->whole != NULL && parts->region != NULL && parts->area != NULL && parts->here != NULL &&
         parts->entry != NULL && parts->normal != NULL && parts->exit != NULL && parts->asked != NULL &&
         parts->filled != NULL;
}

static void release(Parts *parts) {
  free(parts->whole);
  free(parts->region);
  free(parts->area);
  free(parts->here);
  free(parts->entry);
  free(parts->normal);
  free(parts->exit);
  free(parts->asked);
  free(parts->filled);
}

tacStatus tac_part_beyond_height(const tacSurfaceCut *cut, const tacSolidSurface *other, double *height,
                                 tacError *error) {
  *height = 0.0;
  Parts parts = {.cut = cut};
  bool ready = allocate(&parts, error);
  if (ready) {
    divide(&parts);
    find_regions(&parts);
    find_openings(&parts);
    ask_places(&parts, other);
    *height = height_of(&parts);
  }
  release(&parts);
  return ready ? TAC_OK : TAC_ERR_MEMORY;
}
