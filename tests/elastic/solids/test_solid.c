#include "elastic/solids/solid.h"

#include "elastic/make_body.h"

static void check(const tacSolid *solid, tacStatus expected, const char *says) {
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  error.text[0] = 0;
  tac_test_ok(tac_solid_constraints(solid, &constraints, &error), error);
  tac_test_refused(tac_solid_check_parts(solid, &constraints, &error), expected, error, says);
}

/* Five bricks in a row; then without the one in the middle, whose vertices the others have too; then the first
 * alone. */
TAC_TEST(parts_are_held_or_one) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {5.0, 1.0, 1.0}}, 5, 1, 1);
  bool held[24] = {false};
  tacSolid solid = {.mesh = mesh};
  check(&solid, TAC_OK, "");
  solid.held = held;
  check(&solid, TAC_OK, ""); /* nobody held is free */
  for (int v = 0; v < 24; ++v) held[v] = mesh->vertices[v].x == 0.0 && mesh->vertices[v].y == 0.0;
  check(&solid, TAC_ERR_GEOMETRY, "can move rigidly"); /* two vertices are an axis to turn about */
  for (int v = 0; v < 24; ++v) held[v] = mesh->vertices[v].x == 0.0;
  check(&solid, TAC_OK, "");

  mesh->bricks[2] = mesh->bricks[3];
  mesh->bricks[3] = mesh->bricks[4];
  mesh->brick_count = 4;
  check(&solid, TAC_ERR_GEOMETRY, "a part of the mesh can move rigidly: of its ");
  for (int v = 0; v < 24; ++v) held[v] |= mesh->vertices[v].x == 5.0;
  check(&solid, TAC_OK, "");
  solid.held = NULL;
  check(&solid, TAC_ERR_GEOMETRY, "2 pieces");

  mesh->brick_count = 1; /* vertices from x = 2 on are in no element */
  check(&solid, TAC_ERR_SINGULAR, "vertex 2 belongs to no element and has no mass");
  solid.held = held;
  for (int v = 0; v < 24; ++v) held[v] = mesh->vertices[v].x >= 2.0;
  check(&solid, TAC_ERR_GEOMETRY, "a part of the mesh can move rigidly: of its "); /* those do not hold it */
  for (int v = 0; v < 24; ++v) held[v] |= mesh->vertices[v].x == 0.0;
  check(&solid, TAC_OK, "");
}
