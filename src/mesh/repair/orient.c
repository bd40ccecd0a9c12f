#include "mesh/repair/orient.h"

#include <stdbool.h>
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/edge_table.h"
#include "mesh/query/scan_winding.h"

TAC_OWNED_TYPE(tacBoxTree, tac_box_tree_destroy)

static void turn_over(tacTriMesh *mesh, unsigned char *flipped, int t) {
  int *v = mesh->triangles[t].v, last = v[2];
  v[2] = v[1];
  v[1] = last;
  flipped[t] ^= 1;
}

/* Decides for every triangle reached from `seed` whether it must be turned over to agree with it; `reached` receives them. */
static int flood(const tacTriMesh *mesh, const int *neighbour, int seed, unsigned char *seen, unsigned char *against,
                 int *reached) {
  int count = 1;
  reached[0] = seed;
  seen[seed] = 1;
  for (int i = 0; i < count; ++i) {
    int t = reached[i];
    for (int side = 3 * t; side < 3 * t + 3; ++side) {
      int other = neighbour[side];
      if (other < 0 || seen[other / 3]) continue;
      bool same_direction = tac_side_start(mesh, side) == tac_side_start(mesh, other);
      seen[other / 3] = 1;
      against[other / 3] = against[t] ^ same_direction;
      reached[count++] = other / 3;
    }
  }
  return count;
}

tacStatus tac_orient_consistently(tacTriMesh *mesh, unsigned char *flipped, tacError *error) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  size_t count = (size_t)mesh->triangle_count;
  int *neighbour = tac_arrays_add(&work, 3 * count, sizeof *neighbour);
  int *reached = tac_arrays_add(&work, count, sizeof *reached);
  unsigned char *seen = tac_arrays_add(&work, count, 1);
  unsigned char *against = tac_arrays_add(&work, count, 1);
  TAC_TRY(tac_arrays_status(&work, "triangles", error));
  for (size_t side = 0; side < 3 * count; ++side) neighbour[side] = -1;
  for (int e = 0; e < edges.edge_count; ++e) {
    const int *sides = edges.sides + edges.edges[e].first;
    if (edges.edges[e].count != 2) continue;
    neighbour[sides[0]] = sides[1];
    neighbour[sides[1]] = sides[0];
  }
  for (int seed = 0; seed < mesh->triangle_count; ++seed) {
    if (seen[seed]) continue;
    int size = flood(mesh, neighbour, seed, seen, against, reached), against_count = 0;
    for (int i = 0; i < size; ++i) against_count += against[reached[i]];
    bool turn_others = against_count > size - against_count;
    for (int i = 0; i < size; ++i) {
      if (against[reached[i]] != turn_others) turn_over(mesh, flipped, reached[i]);
    }
  }
  return TAC_OK;
}

typedef struct Component {
  bool closed, turned; /* the component is closed; some triangle was flipped */
  double volume;
} Component;

/* Components connected by edges of two triangles; a component is closed where its own triangles run along each edge
 * equally often in both directions. Entry t is that of the component whose first triangle is t. */
static void measure_components(const tacTriMesh *mesh, const unsigned char *flipped, const tacEdgeTable *edges,
                               int *set, int *balance, Component *components) {
  for (int e = 0; e < edges->edge_count; ++e) {
    const int *sides = edges->sides + edges->edges[e].first;
    if (edges->edges[e].count == 2) tac_disjoint_sets_join(set, sides[0] / 3, sides[1] / 3);
  }
  tacVec3 origin = tac_box_centre(tac_trimesh_box(mesh));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    components[t] = (Component){.closed = true};
    Component *component = &components[tac_disjoint_sets_find(set, t)];
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    component->turned |= flipped[t];
    component->volume += tac_vec3_triple(origin, a, b, c) / 6.0;
  }
  for (int e = 0; e < edges->edge_count; ++e) {
    const tacEdge *edge = &edges->edges[e];
    const int *sides = edges->sides + edge->first;
    for (int i = 0; i < edge->count; ++i)
      balance[tac_disjoint_sets_find(set, sides[i] / 3)] += tac_side_start(mesh, sides[i]) == edge->a ? 1 : -1;
    for (int i = 0; i < edge->count; ++i) {
      int root = tac_disjoint_sets_find(set, sides[i] / 3);
      if (balance[root] != 0) components[root].closed = false;
      balance[root] = 0;
    }
  }
}

tacStatus tac_orient_outward(tacTriMesh *mesh, unsigned char *flipped, tacError *error) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_OWN(tacBoxTree, tree) = NULL;
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  size_t count = (size_t)mesh->triangle_count;
  int *set = tac_disjoint_sets_add(&work, mesh->triangle_count);
  int *balance = tac_arrays_add(&work, count, sizeof *balance);
  int *roots = tac_arrays_add(&work, count, sizeof *roots);
  int *part_of = tac_arrays_add(&work, count, sizeof *part_of);
  unsigned char *turn = tac_arrays_add(&work, count, 1);
  Component *components = tac_arrays_add(&work, count, sizeof *components);
  TAC_TRY(tac_arrays_status(&work, "components", error));
  measure_components(mesh, flipped, &edges, set, balance, components);

  int closed_count = 0;
  double volume = 0.0; /* of the closed components that had an orientation before */
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (set[t] != t || !components[t].closed) continue;
    roots[closed_count++] = t;
    if (!components[t].turned) volume += components[t].volume;
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    int root = tac_disjoint_sets_find(set, t);
    part_of[t] = components[root].closed ? root : -1;
  }
  for (int i = 0; i < closed_count; ++i) {
    const Component *component = &components[roots[i]];
    bool whole = !component->turned && volume < 0.0;
    double sign = whole ? -1.0 : 1.0;
    bool inward = sign * component->volume < 0.0;
    bool held = false; /* in the solid of the others: a cavity */
    if (inward && !component->turned && closed_count > 1) {
      if (tree == NULL) TAC_TRY(tac_box_tree_of_triangles(mesh, &tree, error));
      tacVec3 place = mesh->vertices[mesh->triangles[roots[i]].v[0]];
      held = tac_scan_winding_of_others(mesh, tree, part_of, roots[i], place) != 0;
    }
    bool alone = inward && !held;
    turn[roots[i]] = whole != alone;
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (turn[tac_disjoint_sets_find(set, t)]) turn_over(mesh, flipped, t);
  }
  return TAC_OK;
}
