#include <tactus/mesh.h>

#include <stdlib.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"
#include "mesh/index_set.h"
#include "mesh/repair/hole_filling.h"
#include "mesh/repair/orient.h"
#include "mesh/triangle_key.h"
#include "mesh/trimesh.h"
#include "mesh/weld.h"

tacRepairDef tac_repair_def_default(void) {
  return (tacRepairDef){.weld = 0.0};
}

typedef struct Repair {
  const tacTriMesh *input;
  tacTriMesh *mesh;       /* without groups until the end */
  int *origin;            /* triangle of the input that each triangle was; there are none for those that fill holes */
  int origin_count;       /* triangles that have one: they come first */
  unsigned char *flipped; /* for each triangle */
  int *target;            /* for each vertex of the input: the one that it was welded to */
  tacRepairReport report;
} Repair;

static tacStatus weld_vertices(Repair *r, double distance, int *target, tacError *error) {
  tacTriMesh *mesh = r->mesh;
  TAC_TRY(tac_weld_points(mesh->vertex_count, mesh->vertices, distance, target, &r->report.welded_vertices, error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) mesh->triangles[t].v[c] = target[mesh->triangles[t].v[c]];
  }
  return TAC_OK;
}

static void remove_marked(Repair *r, const unsigned char *remove) {
  tacTriMesh *mesh = r->mesh;
  int kept = 0, kept_origins = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (remove[t]) {
      ++r->report.removed_triangles;
      continue;
    }
    if (t < r->origin_count) r->origin[kept_origins++] = r->origin[t];
    r->flipped[kept] = r->flipped[t];
    mesh->triangles[kept++] = mesh->triangles[t];
  }
  mesh->triangle_count = kept;
  r->origin_count = kept_origins;
}

/* Uses of edges by the triangles that stay. */
typedef struct EdgeUses {
  tacArrays arrays;
  tacEdgeTable edges;
  int *edge_of; /* each side */
  int *count;   /* for each edge */
} EdgeUses;

static tacStatus count_uses(const tacTriMesh *mesh, const unsigned char *remove, EdgeUses *uses, tacError *error) {
  TAC_TRY(tac_edge_table_create(mesh, &uses->edges, error));
  uses->edge_of = tac_arrays_add(&uses->arrays, 3 * (size_t)mesh->triangle_count, sizeof *uses->edge_of);
  uses->count = tac_arrays_add(&uses->arrays, (size_t)uses->edges.edge_count, sizeof *uses->count);
  TAC_TRY(tac_arrays_status(&uses->arrays, "edges", error));
  for (int e = 0; e < uses->edges.edge_count; ++e) {
    const tacEdge *edge = &uses->edges.edges[e];
    for (int i = edge->first; i < edge->first + edge->count; ++i) {
      uses->edge_of[uses->edges.sides[i]] = e;
      uses->count[e] += !remove[uses->edges.sides[i] / 3];
    }
  }
  return TAC_OK;
}

static void free_uses(EdgeUses *uses) {
  tac_edge_table_free(&uses->edges);
  tac_arrays_free(&uses->arrays);
}

/* The triangle has an edge of which its removal, or that of others, leaves three, five, ... of an even number of uses. */
static bool is_missed(const EdgeUses *uses, int t) {
  for (int side = 3 * t; side < 3 * t + 3; ++side) {
    int e = uses->edge_of[side];
    if (uses->count[e] > 2 && uses->count[e] % 2 == 1 && uses->edges.edges[e].count % 2 == 0) return true;
  }
  return false;
}

/* Where closed parts touch, their triangles there have the same corners: without one of them the parts would not be closed.
 * Such walls stay: from their rim, where an edge would keep three triangles, inward. */
static tacStatus keep_walls(const tacTriMesh *mesh, unsigned char *remove, tacError *error) {
  TAC_FREED(free_uses, EdgeUses, uses) = {.count = NULL};
  TAC_MEMORY(int, queue) = NULL;
  TAC_TRY(TAC_ARRAY(queue, (size_t)mesh->triangle_count, "triangles", error));
  TAC_TRY(count_uses(mesh, remove, &uses, error));
  for (int first = 0; first < mesh->triangle_count; ++first) {
    int waiting = 0;
    if (remove[first] && is_missed(&uses, first)) queue[waiting++] = first;
    if (waiting > 0) remove[first] = 0;
    while (waiting > 0) {
      int t = queue[--waiting];
      for (int side = 3 * t; side < 3 * t + 3; ++side) ++uses.count[uses.edge_of[side]];
      for (int side = 3 * t; side < 3 * t + 3; ++side) {
        const tacEdge *edge = &uses.edges.edges[uses.edge_of[side]];
        for (int i = edge->first; i < edge->first + edge->count; ++i) {
          int beside = uses.edges.sides[i] / 3;
          if (!remove[beside] || !is_missed(&uses, beside)) continue;
          remove[beside] = 0;
          queue[waiting++] = beside;
        }
      }
    }
  }
  return TAC_OK;
}

static tacStatus remove_repetitions(Repair *r, tacError *error) {
  int repeat_count;
  TAC_MEMORY(unsigned char, remove) = NULL;
  TAC_TRY(TAC_ARRAY(remove, (size_t)r->mesh->triangle_count, "triangles", error));
  TAC_TRY(tac_triangle_repeats(r->mesh, remove, &repeat_count, error));
  /* Those without three corners have no edges in tables; they are no walls. */
  for (int t = 0; t < r->mesh->triangle_count; ++t)
    if (tac_triangle_repeats_corner(r->mesh->triangles[t])) remove[t] = 0;
  if (repeat_count > 0) TAC_TRY(keep_walls(r->mesh, remove, error));
  for (int t = 0; t < r->mesh->triangle_count; ++t) remove[t] |= tac_triangle_repeats_corner(r->mesh->triangles[t]);
  remove_marked(r, remove);
  return TAC_OK;
}

static tacStatus fill_holes(Repair *r, tacError *error) {
  size_t capacity = (size_t)r->mesh->triangle_count;
  int before = r->mesh->triangle_count;
  TAC_TRY(tac_hole_filling(r->mesh, &r->report.filled_holes, error));
  TAC_TRY(tac_array_reserve((void **)&r->flipped, &capacity, (size_t)r->mesh->triangle_count, 1, "triangles", error));
  for (int t = before; t < r->mesh->triangle_count; ++t) r->flipped[t] = 0;
  return TAC_OK;
}

static int longest_side(const tacTriMesh *mesh, int triangle) {
  int longest = 3 * triangle;
  double most = -1.0;
  for (int side = 3 * triangle; side < 3 * triangle + 3; ++side) {
    double length =
        tac_vec3_distance(mesh->vertices[tac_side_start(mesh, side)], mesh->vertices[tac_side_end(mesh, side)]);
    if (length <= most) continue;
    most = length;
    longest = side;
  }
  return longest;
}

/* The triangle a b c has its corner c on the edge a b, beyond which lies b a d: cuts b a d at c instead, which gives a d c
 * and d b c. Refuses where those are degenerate too or where the edge c d exists. */
static bool flip_edge(tacTriMesh *mesh, const tacEdgeTable *edges, int side, int other) {
  int t = side / 3, u = other / 3;
  int a = tac_side_start(mesh, side), b = tac_side_end(mesh, side);
  int c = mesh->triangles[t].v[(side % 3 + 2) % 3], d = mesh->triangles[u].v[(other % 3 + 2) % 3];
  if (c == d || tac_side_start(mesh, other) != b || tac_edge_table_find(edges, c, d) != NULL) return false;
  tacTriangle old_t = mesh->triangles[t], old_u = mesh->triangles[u];
  mesh->triangles[t] = (tacTriangle){{a, d, c}};
  mesh->triangles[u] = (tacTriangle){{d, b, c}};
  if (!tac_triangle_is_degenerate(mesh, t) && !tac_triangle_is_degenerate(mesh, u)) return true;
  mesh->triangles[t] = old_t;
  mesh->triangles[u] = old_u;
  return false;
}

/* One pass over triangles without area; `*changed` tells whether another may find more to do. */
static tacStatus dissolve_once(Repair *r, bool *changed, tacError *error) {
  tacTriMesh *mesh = r->mesh;
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  *changed = false;
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  unsigned char *remove = tac_arrays_add(&work, (size_t)mesh->triangle_count, 1);
  unsigned char *touched = tac_arrays_add(&work, (size_t)mesh->triangle_count, 1);
  unsigned char *near = tac_arrays_add(&work, (size_t)mesh->vertex_count, 1);
  TAC_TRY(tac_arrays_status(&work, "triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (touched[t] || !tac_triangle_is_degenerate(mesh, t)) continue;
    int side = longest_side(mesh, t), apex = mesh->triangles[t].v[(side % 3 + 2) % 3];
    const tacEdge *edge = tac_edge_table_find(&edges, tac_side_start(mesh, side), tac_side_end(mesh, side));
    const int *sides = edges.sides + edge->first;
    if (edge->count == 1) {
      remove[t] = touched[t] = 1;
      *changed = true;
    } else if (edge->count == 2) {
      int other = sides[0] == side ? sides[1] : sides[0], beyond = mesh->triangles[other / 3].v[(other % 3 + 2) % 3];
      if (touched[other / 3] || near[apex] || near[beyond] || !flip_edge(mesh, &edges, side, other)) continue;
      touched[t] = touched[other / 3] = 1;
      near[apex] = near[beyond] = 1; /* the table does not know their new edge: no second one in this pass */
      *changed = true;
    }
  }
  remove_marked(r, remove);
  return TAC_OK;
}

/* Every flip leaves one degenerate triangle fewer, so that this ends. */
static tacStatus dissolve_degenerate(Repair *r, tacError *error) {
  for (;;) {
    bool any = false, changed = false;
    for (int t = 0; t < r->mesh->triangle_count && !any; ++t) any = tac_triangle_is_degenerate(r->mesh, t);
    if (!any) return TAC_OK;
    tacStatus status = dissolve_once(r, &changed, error);
    if (status != TAC_OK || !changed) return status;
  }
}

/* `target` says which of the input's vertices were welded to others: they are not counted as removed. */
static tacStatus remove_unused_vertices(Repair *r, const int *target, tacError *error) {
  tacTriMesh *mesh = r->mesh;
  TAC_MEMORY(int, number) = NULL;
  TAC_TRY(TAC_ARRAY(number, (size_t)mesh->vertex_count, "vertices", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) number[mesh->triangles[t].v[c]] = 1;
  }
  int kept = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (number[v] == 0 && v < r->input->vertex_count && target[v] == v) ++r->report.removed_vertices;
    if (number[v] == 0) continue;
    mesh->vertices[kept] = mesh->vertices[v];
    number[v] = kept++;
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) mesh->triangles[t].v[c] = number[mesh->triangles[t].v[c]];
  }
  mesh->vertex_count = kept;
  return TAC_OK;
}

static tacStatus carry_groups(Repair *r, tacError *error) {
  const tacTriMesh *input = r->input;
  TAC_MEMORY(int, now) = NULL;
  TAC_TRY(TAC_ARRAY(now, (size_t)input->triangle_count, "groups", error));
  for (int t = 0; t < input->triangle_count; ++t) now[t] = -1;
  for (int t = 0; t < r->origin_count; ++t) now[r->origin[t]] = t;
  TAC_TRY(tac_index_set_copy_list(input->group_count, input->groups, &r->mesh->groups, error));
  r->mesh->group_count = input->group_count;
  for (int g = 0; g < input->group_count; ++g) {
    tacIndexSet *group = &r->mesh->groups[g];
    int kept = 0;
    for (int i = 0; i < group->count; ++i) {
      if (now[group->indices[i]] >= 0) group->indices[kept++] = now[group->indices[i]];
    }
    group->count = kept;
  }
  return TAC_OK;
}

static void free_repair(Repair *r) {
  tac_trimesh_destroy(r->mesh);
  free(r->target);
  free(r->origin);
  free(r->flipped);
}

tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired, tacRepairReport *report,
                     tacError *error) {
  TAC_REQUIRE(error, repaired);
  *repaired = NULL;
  TAC_REQUIRE(error, mesh, def, report);
  *report = (tacRepairReport){0};
  if (!(def->weld >= 0.0) || !isfinite(def->weld))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the weld distance is %g m; it must be 0 or more", def->weld);
  TAC_FREED(free_repair, Repair, r) = {.input = mesh, .origin_count = mesh->triangle_count};
  tacTriMesh bare = *mesh;
  bare.group_count = 0;
  TAC_TRY(tac_trimesh_copy(&bare, &r.mesh, error));
  TAC_TRY(TAC_ARRAY(r.target, (size_t)mesh->vertex_count, "vertices", error));
  TAC_TRY(TAC_ARRAY(r.origin, (size_t)mesh->triangle_count, "triangles", error));
  TAC_TRY(TAC_ARRAY(r.flipped, (size_t)mesh->triangle_count, "triangles", error));
  for (int t = 0; t < mesh->triangle_count; ++t) r.origin[t] = t;
  TAC_TRY(weld_vertices(&r, def->weld, r.target, error));
  TAC_TRY(remove_repetitions(&r, error));
  TAC_TRY(tac_orient_consistently(r.mesh, r.flipped, error));
  TAC_TRY(fill_holes(&r, error));
  TAC_TRY(dissolve_degenerate(&r, error));
  TAC_TRY(tac_orient_outward(r.mesh, r.flipped, error));
  TAC_TRY(remove_unused_vertices(&r, r.target, error));
  TAC_TRY(carry_groups(&r, error));
  TAC_TRY(tac_trimesh_validate(r.mesh, error));
  for (int t = 0; t < r.origin_count; ++t) r.report.flipped_triangles += r.flipped[t];
  *report = r.report;
  *repaired = tac_give(&r.mesh);
  return TAC_OK;
}
