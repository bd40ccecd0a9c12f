/* Bytes as a file of Green's functions: an error, or an asset whose every answer can be read, and a body that can be
 * touched. */
#include <math.h>
#include <tactus/green.h>
#include <tactus/world.h>
#include "chunk_fuzz.h"
#include "kinds/green/green.h"

/* Two tools press into the surface, side by side and against each other: forces stay finite. */
static void touch(const tacGreen *green) {
  const tacTriMesh *mesh = tac_green_surface(green);
  tacWorldDef world_def = tac_world_def_default();
  tacWorld *world = NULL;
  tacGreenBodyDef body = tac_green_body_def_default();
  body.body.name = "body";
  body.green = green;
  body.mask_radius = tac_green_near_radius(green);
  if (tac_world_create(&world_def, &world, NULL) != TAC_OK) return;
  tacStatus status = tac_world_add_green(world, &body, NULL, NULL);
  for (int t = 0; status == TAC_OK && t < 2; ++t)
    status = tac_world_add_point_tool(world, &(tacPointToolDef){.name = t == 0 ? "a" : "b"}, NULL, NULL);
  if (status == TAC_OK) status = tac_world_seal(world, NULL);
  for (int i = 0; status == TAC_OK && i < 40; ++i) {
    tacToolInput inputs[2] = {0};
    inputs[0].grab = i > 30;
    tacToolOutput outputs[2];
    tacTickReport report;
    for (int t = 0; t < 2; ++t) {
      tacVec3 p = mesh->vertices[t % mesh->vertex_count];
      double scale = 1.2 - 0.02 * i;
      inputs[t].position = (tacVec3){scale * p.x, scale * p.y, scale * p.z};
    }
    tac_world_step(world, inputs, outputs, &report);
    for (int t = 0; t < 2; ++t)
      if (!isfinite(outputs[t].force.x) || !isfinite(outputs[t].force.y) || !isfinite(outputs[t].force.z)) abort();
  }
  tac_world_destroy(world);
}

static void ask(const tacGreen *green) {
  int n = tac_green_surface(green)->vertex_count, rows = tac_green_row_count(green);
  double sum = tac_green_betti_defect(green), block[3][3];
  for (int j = -1; j <= n && j < 20; ++j) {
    const double *column = tac_green_column(green, j);
    for (int i = 0; column != NULL && i < 3 * rows; ++i) sum += column[i] * 0.0;
    for (int i = -1; i <= n && i < 20; ++i)
      if (tac_green_block(green, i, j, block)) sum += block[2][2] * 0.0;
  }
  for (int i = 0; i < tac_green_sensor_count(green); ++i) sum += (double)strlen(tac_green_sensor(green, i)->name);
  if (sum != sum) abort();
  touch(green);
}

TAC_FUZZ_FILE(tacGreen, tac_green, ask)
