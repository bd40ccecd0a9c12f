/* A soft ball on a table, touched from above: Green's functions, a world, and one step a millisecond. This is all that an
 * engine with its own loop and its own haptic device needs of Tactus.
 *
 *   cc touch.c -o touch $(pkg-config --cflags --libs tactus) && ./touch */
#include <stdio.h>
#include <stdlib.h>
#include <tactus/tactus.h>

static tacStatus bake(tacGreen **green, tacError *error) {
  tacTriMesh *ball = NULL;
  tacMaterial silicone;
  tacStatus status = tac_shape_build("sphere", 0.012, NULL, &ball, error);
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, 30e3, 0.45, &silicone, error);
  bool *fixed = status == TAC_OK ? calloc((size_t)ball->vertex_count, sizeof *fixed) : NULL;
  if (fixed != NULL) {
    for (int v = 0; v < ball->vertex_count; ++v) fixed[v] = ball->vertices[v].z < -0.03; /* the part on the table */
    tacGreenDef def = tac_green_def_default();
    def.problem.method = TAC_GREEN_BOUNDARY_ELEMENTS;
    def.problem.surface = ball;
    def.problem.material_count = 1;
    def.problem.materials = &silicone;
    def.problem.fixed = fixed;
    status = tac_green_bake(&def, NULL, green, error);
  }
  free(fixed);
  tac_trimesh_destroy(ball);
  return status;
}

static tacStatus build(const tacGreen *green, tacWorld **world, tacError *error) {
  tacWorldDef def = tac_world_def_default(); /* a step is a millisecond */
  tacStatus status = tac_world_create(&def, world, error);
  tacGreenBodyDef body = tac_green_body_def_default();
  body.name = "ball";
  body.green = green;
  body.mask_radius = 0.02; /* of the fingertip */
  if (status == TAC_OK) status = tac_world_add_green(*world, &body, NULL, error);
  if (status == TAC_OK) status = tac_world_add_point_tool(*world, &(tacPointToolDef){"finger"}, NULL, error);
  return status == TAC_OK ? tac_world_seal(*world, error) : status;
}

int main(void) {
  tacError error = {0};
  tacGreen *green = NULL;
  tacWorld *world = NULL;
  tacStatus status = bake(&green, &error);
  if (status == TAC_OK) status = build(green, &world, &error);
  if (status == TAC_OK) {
    puts("height of the finger    force on the hand");
    for (int tick = 0; tick <= 1000; ++tick) { /* down by 10 mm within a second */
      tacToolInput finger = {.position = {0.0, 0.0, 0.054 - 10e-6 * tick}};
      tacToolOutput out;
      tacTickReport report;
      tac_world_step(world, &finger, &out, &report);
      if (tick % 100 == 0) printf("%13.1f mm %17.3f N\n", 1e3 * finger.position.z, out.force.z);
    }
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  tac_world_destroy(world);
  tac_green_destroy(green);
  return status == TAC_OK ? 0 : 1;
}
