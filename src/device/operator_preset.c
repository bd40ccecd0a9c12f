#include <stdio.h>
#include <string.h>
#include <tactus/device.h>
#include "base/error.h"
#include "device/operator.h"
#include "math/geometry/vec3.h"

/* Figures of the makers' data sheets: workspace, peak force, resolution, apparent mass, back-drive friction, stiffness (that
 * of the softest axis). Damping is not published; a small one is ours. The 6-dof torque is the least of the axes'. "omni-6" is
 * an Omni with motors at its wrist, which does not exist.
 *
 * The hand is a light grip of a stylus: measured hands have 0.1 to 0.3 kg, 2 to 10 N s/m and 200 to 1,000 N/m. */
typedef struct {
  const char *name, *title;
  int dof;
  double x, y, z;               /* m, workspace */
  double force, torque;         /* N, N m */
  double stiffness, resolution; /* N/m, m */
  double mass, damping, friction, inertia;
} Preset;

static const Preset presets[] = {
    {"premium-3", "Phantom Premium 1.0-like", 3, 0.254, 0.178, 0.127, 8.5, 0.0, 3500.0, 30e-6, 0.075, 0.05, 0.04, 0.0},
    {"premium-6", "Phantom Premium 1.5 6DOF-like", 6, 0.381, 0.267, 0.191, 8.5, 0.17, 3500.0, 30e-6, 0.136, 0.05, 0.04,
     1e-4},
    {"omni", "Omni-like", 3, 0.160, 0.120, 0.070, 3.3, 0.0, 1020.0, 55e-6, 0.045, 0.1, 0.26, 0.0},
    {"omni-6", "Omni-like with torques", 6, 0.160, 0.120, 0.070, 3.3, 0.1, 1020.0, 55e-6, 0.045, 0.1, 0.26, 5e-5},
    {"virtuose-6", "Virtuose 6D-like", 6, 0.45, 0.45, 0.45, 35.0, 3.1, 2500.0, 6e-6, 0.5, 0.1, 0.1, 1e-3}};

enum { PRESET_COUNT = sizeof presets / sizeof *presets };

int tac_operator_preset_count(void) {
  return PRESET_COUNT;
}

const char *tac_operator_preset_name(int index) {
  return index >= 0 && index < PRESET_COUNT ? presets[index].name : NULL;
}

static void fill(const Preset *p, tacOperatorDef *def) {
  tacVec3 half = tac_vec3(0.5 * p->x, 0.5 * p->y, 0.5 * p->z);
  *def = (tacOperatorDef){.info = {.dof = p->dof,
                                   .workspace = {tac_vec3_scale(-1.0, half), half},
                                   .force_limit = p->force,
                                   .torque_limit = p->torque,
                                   .stiffness_limit = p->stiffness,
                                   .resolution = p->resolution},
                          .device_mass = p->mass,
                          .device_damping = p->damping,
                          .device_friction = p->friction,
                          .device_inertia = p->inertia,
                          .hand_mass = 0.15,
                          .hand_damping = 5.0,
                          .hand_stiffness = 500.0,
                          .hand_rotational_stiffness = 0.5,
                          .hand_rotational_damping = 0.01,
                          .substep = 25e-6};
  snprintf(def->info.name, sizeof def->info.name, "%s", p->title);
}

tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error) {
  TAC_REQUIRE(error, def);
  *def = (tacOperatorDef){0};
  TAC_REQUIRE(error, name);
  for (int i = 0; i < PRESET_COUNT; ++i)
    if (strcmp(name, presets[i].name) == 0) {
      fill(&presets[i], def);
      return TAC_OK;
    }
  char names[128] = "";
  for (int i = 0; i < PRESET_COUNT; ++i)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "", presets[i].name);
  return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown operator preset \"%s\"; use one of %s", name, names);
}
