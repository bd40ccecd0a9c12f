#include <tactus/mesh.h>

#include <stdlib.h>
#include "base/error.h"
#include "base/memory/owned.h"
#include "mesh/edge_table.h"

/* A triangle with a repeated corner runs along its edges as often in both directions: the table, which leaves it out, tells the same. */
tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  if (mesh->triangle_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface has no triangles");
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &table, error));
  long long unmatched = 0;
  for (int e = 0; e < table.edge_count; ++e) {
    const tacEdge *edge = &table.edges[e];
    int balance = 0;
    for (int i = edge->first; i < edge->first + edge->count; ++i)
      balance += tac_side_start(mesh, table.sides[i]) == edge->a ? 1 : -1;
    unmatched += abs(balance);
  }
  if (unmatched == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_GEOMETRY, "the surface is not closed: %lld boundary edge%s", unmatched,
                       unmatched == 1 ? "" : "s");
}
