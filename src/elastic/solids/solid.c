#include "elastic/solids/solid.h"

#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/disjoint_sets.h"

tacStatus tac_solid_constraints(const tacSolid *solid, tacConstraints *constraints, tacError *error) {
  *constraints = (tacConstraints){0};
  int count = solid->mesh->vertex_count;
  if (solid->held != NULL) return tac_constraints_create(count, solid->held, constraints, error);
  TAC_MEMORY(bool, none) = tac_array_create((size_t)count, sizeof *none, "constraints", error);
  return none != NULL ? tac_constraints_create(count, none, constraints, error) : TAC_ERR_MEMORY;
}

/* Counts the connected pieces, and finds the first free vertex of no element, or -1. */
static tacStatus find_pieces(const tacVolMesh *mesh, const bool *held, int *pieces, int *massless, tacError *error) {
  TAC_MEMORY(bool, used) = tac_array_create((size_t)mesh->vertex_count, sizeof *used, "vertices in use", error);
  TAC_MEMORY(int, piece_of) = tac_disjoint_sets_create(mesh->vertex_count, error);
  if (used == NULL || piece_of == NULL) return TAC_ERR_MEMORY;
  *pieces = mesh->vertex_count;
  *massless = -1;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    const int *v = tac_element_vertices(mesh, e);
    for (int c = 0; c < tac_element_corner_count(mesh, e); ++c) {
      used[v[c]] = true;
      *pieces -= tac_disjoint_sets_join(piece_of, v[0], v[c]);
    }
  }
  for (int v = mesh->vertex_count - 1; v >= 0; --v)
    if (!used[v] && !held[v]) *massless = v;
  return TAC_OK;
}

tacStatus tac_solid_check_parts(const tacSolid *solid, const tacConstraints *constraints, tacError *error) {
  int pieces, massless;
  TAC_TRY(find_pieces(solid->mesh, constraints->held, &pieces, &massless, error));
  if (massless >= 0)
    return tac_error_set(error, TAC_ERR_SINGULAR,
                         "vertex %d belongs to no element and has no mass; hold it or remove it from the mesh",
                         massless);
  if (constraints->count[TAC_SIDE_HELD] > 0) return tac_constraints_check(constraints, solid->mesh, error);
  if (pieces > 1)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "a free body consists of %d pieces that are not connected; make a body of each piece, or "
                         "hold each piece",
                         pieces);
  return TAC_OK;
}
