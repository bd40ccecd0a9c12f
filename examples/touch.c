/* A soft ball on a table, touched from above: Green's functions, a world, a guard, and one step a millisecond. This is all that
 * an engine with its own loop and its own haptic device needs of Tactus.
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
    def.problem.method = TAC_BOUNDARY_ELEMENTS;
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
  body.body.name = "ball";
  body.green = green;
  body.mask_radius = 0.02; /* of the fingertip */
  if (status == TAC_OK) status = tac_world_add_green(*world, &body, NULL, error);
  if (status == TAC_OK) status = tac_world_add_point_tool(*world, &(tacPointToolDef){.name = "finger"}, NULL, error);
  return status == TAC_OK ? tac_world_seal(*world, error) : status;
}

/* Your device: here its handle goes down by 10 mm within a second, and then somebody tears at it. */
static tacDeviceHealth read_device(int tick, tacDeviceState *state) {
  double height = tick <= 1000 ? 0.054 - 10e-6 * tick : -0.076;
  *state = (tacDeviceState){.position = {0.0, 0.0, height}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE; /* TAC_DEVICE_LATE where it has sent nothing new, TAC_DEVICE_LOST where it is gone */
}

static void write_device(tacVec3 force) {
  (void)force; /* N, on the hand: to the motors */
}

/* The loop: on your thread, a thousand times a second, until the guard has brought the force to zero. */
static void touch(tacWorld *world, tacGuard *guard) {
  tacGuardForce safe = {0};
  puts("height of the finger    force on the hand");
  for (int tick = 0; !safe.ended; ++tick) {
    tacDeviceState read, hand;
    tacDeviceHealth health = read_device(tick, &read);
    tacToolOutput out = {0};
    if (tac_guard_read(guard, health, &read, &hand) == TAC_FAULT_NONE) {
      tacTickReport report;
      tac_world_step(world, &(tacToolInput){.position = hand.position}, &out, &report);
    }
    tac_guard_write(guard, out.force, out.torque, &safe);
    write_device(safe.force);
    if (tick % 100 == 0) printf("%13.1f mm %17.3f N\n", 1e3 * hand.position.z, safe.force.z);
  }
}

int main(void) {
  tacError error = {0};
  tacGreen *green = NULL;
  tacWorld *world = NULL;
  tacGuard *guard = NULL;
  tacGuardDef def = tac_guard_def_default(NULL, 0.001);
  def.force_limit = 8.0; /* N and N/m: what your device can render */
  def.stiffness_limit = 2000.0;
  tacStatus status = bake(&green, &error);
  if (status == TAC_OK) status = build(green, &world, &error);
  if (status == TAC_OK) status = tac_guard_create(&def, &guard, &error);
  if (status == TAC_OK) {
    touch(world, guard);
    tacGuardReport report = tac_guard_report(guard);
    char fault[128];
    tac_guard_fault_text(guard, fault, sizeof fault);
    printf("the device %s; it got %.3f N at most, changed by %.3f N a tick at most\n", fault, report.force_max,
           report.force_step_max);
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  tac_guard_destroy(guard);
  tac_world_destroy(world);
  tac_green_destroy(green);
  return status == TAC_OK ? 0 : 1;
}
