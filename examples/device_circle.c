/* A complete device driver: it moves on a circle and feels nothing. The scene's options are "RADIUS SECONDS", for example
 * "0.03 2": metres and seconds a turn.
 *
 *   cc -std=c17 -shared -fPIC device_circle.c -o device_circle.so $(pkg-config --cflags tactus) -lm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/device.h>

typedef struct {
  double radius, step, angle; /* m, rad a tick, rad */
} Circle;

static tacStatus circle_open(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error) {
  double radius = 0.03, seconds = 2.0;
  int read = options[0] != 0 ? sscanf(options, "%lf %lf", &radius, &seconds) : 2;
  if (read != 2 || !(radius > 0.0 && radius <= 0.1) || !(seconds >= 0.5 && seconds <= 1e6)) {
    error->status = TAC_ERR_ARGUMENT;
    snprintf(error->text, sizeof error->text,
             "options \"%.64s\": must be RADIUS (up to 0.1 m) and SECONDS (from 0.5 s a turn)", options);
    return TAC_ERR_ARGUMENT;
  }
  Circle *circle = calloc(1, sizeof *circle);
  if (circle == NULL) {
    error->status = TAC_ERR_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory");
    return TAC_ERR_MEMORY;
  }
  circle->radius = radius;
  circle->step = 2.0 * 3.14159265358979323846 * period / seconds;
  *info = (tacDeviceInfo){.name = "circle",
                          .dof = 3,
                          .workspace = {{-radius, -radius, 0.0}, {radius, radius, 0.0}},
                          .force_limit = 10.0,
                          .stiffness_limit = 2000.0};
  *device = circle;
  return TAC_OK;
}

static void circle_close(void *device) {
  free(device);
}

/* A real driver copies the newest state that its device has sent, and returns TAC_DEVICE_LATE where there is none. */
static tacDeviceHealth circle_read(void *device, tacDeviceState *state) {
  Circle *circle = device;
  memset(state, 0, sizeof *state);
  state->position.x = circle->radius * cos(circle->angle);
  state->position.y = circle->radius * sin(circle->angle);
  state->orientation[0] = 1.0;
  circle->angle += circle->step;
  return TAC_DEVICE_FINE;
}

/* A real driver sends the force to the motors. */
static void circle_write(void *device, tacVec3 force, tacVec3 torque) {
  (void)device;
  (void)force;
  (void)torque;
}

static const tacDeviceDriver circle_driver = {TAC_DEVICE_ABI, "circle",    "moves on a circle", circle_open,
                                              circle_close,   circle_read, circle_write};

TAC_API const tacDeviceDriver *tac_device_driver(void);

const tacDeviceDriver *tac_device_driver(void) {
  return &circle_driver;
}
