/* What a scene file says of how often its bodies are simulated, where that is not in every tick. */
#pragma once

#include "spec/text/schema.h"

typedef struct tacSceneRate {
  const tacYamlNode *node; /* NULL: the file does not say it */
  double simulate;         /* Hz; 0: at the servo's */
} tacSceneRate;

extern const tacRecord tac_scene_rate_record;

/* Ticks of one step of the bodies, 1 to 100, at a servo's rate (Hz). TAC_ERR_ARGUMENT where there is no such number. */
tacStatus tac_scene_rate_every(const tacSceneRate *rate, double servo, int *every, tacError *error);
