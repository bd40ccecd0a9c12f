/* Defines the key `rate` of a scene: the rate of the bodies' steps, if bodies are not simulated in every tick. */
#pragma once

#include "spec/text/schema.h"

typedef struct tacSceneRate {
  const tacYamlNode *node; /* NULL: the scene omits the key */
  double simulate;         /* rate of the bodies' steps, Hz; 0: the servo's rate */
} tacSceneRate;

extern const tacRecord tac_scene_rate_record;

/* Computes the number of ticks per step of the bodies, 1 to 100. `servo` is the servo's rate, Hz. Fails with
 * TAC_ERR_ARGUMENT if no integer from 1 to 100 matches. */
tacStatus tac_scene_rate_every(const tacSceneRate *rate, double servo, int *every, tacError *error);
