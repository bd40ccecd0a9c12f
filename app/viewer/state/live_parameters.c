#include "app/viewer/state/live_parameters.h"
#include "device/pointer.h"

#include <math.h>
#include <stdio.h>

enum { HAND_STIFFNESS = -1, HAND_DAMPING = -2 }; /* as tacViewParameter says */

static void add(tacViewState *state, const tacViewParameter *parameter) {
  if (state->parameter_count < TAC_VIEW_MOST_PARAMETERS) state->parameters[state->parameter_count++] = *parameter;
}

static void list_hand(const tacStage *stage, tacViewState *state) {
  double k = stage->hand_stiffness, b = stage->hand_damping;
  bool any = false;
  for (int t = 0; t < stage->tool_count; ++t) any = any || stage->takes_pointer[t];
  if (!any) return;
  add(state, &(tacViewParameter){"hand.stiffness", "stiffness", "N/m", fmin(50.0, k), fmax(5000.0, k), k, k,
                                 .index = HAND_STIFFNESS});
  add(state, &(tacViewParameter){"hand.damping", "damping", "N s/m", fmin(1.0, b), fmax(100.0, b), b, b,
                                 .index = HAND_DAMPING});
}

void tac_live_parameters_list(const tacStage *stage, tacViewState *state) {
  state->parameter_count = 0;
  tacSceneLive live;
  for (int i = 0; tac_scene_live(stage->scene, i, &live); ++i) {
    int index = tac_world_find_parameter(stage->world, live.name);
    if (index < 0) continue;
    tacParameter parameter = tac_world_parameter(stage->world, index);
    tacViewParameter made = {.least = live.least,
                             .most = live.most,
                             .start = parameter.value,
                             .value = parameter.value,
                             .rebuilds = !parameter.in_tick,
                             .index = index};
    snprintf(made.name, sizeof made.name, "%s", live.name);
    snprintf(made.label, sizeof made.label, "%s", parameter.label);
    snprintf(made.unit, sizeof made.unit, "%s", parameter.unit);
    add(state, &made);
  }
  list_hand(stage, state);
}

static void set_hand(tacStage *stage, const tacViewParameter *parameter) {
  if (parameter->index == HAND_STIFFNESS) stage->hand_stiffness = parameter->value;
  if (parameter->index == HAND_DAMPING) stage->hand_damping = parameter->value;
  for (int t = 0; t < stage->tool_count; ++t)
    if (stage->takes_pointer[t])
      tac_device_pointer_set_hand(&stage->devices[t], stage->hand_stiffness, stage->hand_damping);
}

bool tac_live_parameters_set(tacStage *stage, tacViewState *state, uint32_t index, double value) {
  tacViewParameter *p = &state->parameters[index];
  p->value = fmin(p->most, fmax(p->least, value));
  if (p->index < 0)
    set_hand(stage, p);
  else
    p->waits = !p->rebuilds;
  return p->index < 0 || !p->rebuilds;
}

void tac_live_parameters_push(const tacStage *stage, tacViewState *state) {
  if (stage->servo == NULL) return;
  for (int i = 0; i < state->parameter_count; ++i) {
    tacViewParameter *p = &state->parameters[i];
    if (p->waits && tac_servo_set_parameter(stage->servo, p->index, p->value)) p->waits = false;
  }
}

void tac_live_parameters_apply(const tacStage *stage, tacViewState *state) {
  for (int i = 0; i < state->parameter_count; ++i) {
    tacViewParameter *p = &state->parameters[i];
    if (p->index >= 0 && !p->rebuilds) tac_world_set_parameter(stage->world, p->index, p->value, NULL);
    p->waits = false;
  }
}

void tac_live_parameters_note(const tacStage *stage, int index, tacViewState *state) {
  for (int i = 0; i < state->parameter_count; ++i)
    if (state->parameters[i].index == index)
      state->parameters[i].value = tac_world_parameter(stage->world, index).value;
}
