/* What a person may change while a scene runs, as the state lists it: the scene's live parameters, and those of the pointer's hand. */
#pragma once

#include "app/viewer/stage/stage.h"
#include "app/viewer/state/view_state.h"

/* Of the scene that is on stage; all as it has them. */
void tac_live_parameters_list(const tacStage *stage, tacViewState *state);
/* Brings a value into its range and sets it, or has it wait for the servo. False: it takes time, and is to be set while nothing runs. */
bool tac_live_parameters_set(tacStage *stage, tacViewState *state, uint32_t index, double value);
/* Hands the servo what waits; while it is paused only the latest value of each counts. */
void tac_live_parameters_push(const tacStage *stage, tacViewState *state);
/* While nothing runs: the world gets what the state says, since a servo may have ended before it took that. */
void tac_live_parameters_apply(const tacStage *stage, tacViewState *state);
/* The state says what the world has of its parameter `index`. */
void tac_live_parameters_note(const tacStage *stage, int index, tacViewState *state);
