/* Bodies that are simulated slower than tools are rendered: steps of several ticks, on a thread of their own or within ticks, and what
 * passes between the two.
 *
 * A tick posts its inputs, and where held bodies are; the bodies' step begins there. What that finds (states to show, the local problem
 * of world/rates/local_problem.h) is taken `simulate_every` ticks later, or as soon as it is there; in that tick the next step is posted.
 * Until then bodies are as in the step before, and their time stands still. Ticks never touch what the step works on. */
#pragma once

#include "world/request.h"
#include "world/world_parts.h"

typedef struct tacSimulation tacSimulation;

/* Load phase, of a world that is otherwise sealed. */
tacStatus tac_simulation_create(tacWorld *world, tacSimulation **simulation, tacError *error);
void tac_simulation_destroy(tacSimulation *simulation);                     /* NULL is allowed; stops it */
tacStatus tac_simulation_start(tacSimulation *simulation, tacError *error); /* its thread */
void tac_simulation_stop(tacSimulation *simulation);
/* Waits until no step is under way, and sets the parameters that were asked for: not in a tick. */
void tac_simulation_settle(tacSimulation *simulation);
/* After settling, of a world that was restarted. */
void tac_simulation_reset(tacSimulation *simulation);
/* After settling: each part of what it knows, in one order. */
void tac_simulation_visit(tacSimulation *simulation, void (*part)(void *context, void *memory, size_t bytes),
                          void *context);

/* From the thread that ticks. */
void tac_simulation_tick(tacSimulation *simulation, const tacToolInput *inputs, tacToolOutput *outputs,
                         tacTickReport *report);
/* From now on results are taken where it is told, and nowhere else. */
void tac_simulation_replay_taking(tacSimulation *simulation, bool take);
/* Before the next step that is posted; whether it makes sense is known then. TAC_ERR_ARGUMENT where there is no room.
 * Parameters that take time are set at once. */
tacStatus tac_simulation_ask(tacSimulation *simulation, const tacRequest *request, tacError *error);
/* Whether no step is under way: what the last one learnt can be looked at. */
bool tac_simulation_stepped(const tacSimulation *simulation);
/* As they were taken; held bodies as they are. */
void tac_simulation_state(const tacSimulation *simulation, double *state);
const tacFrame *tac_simulation_frame(const tacSimulation *simulation, int body);
/* Of the local problem of the last tick. */
int tac_simulation_contacts(const tacSimulation *simulation, int most, tacShownContact *contacts);
int tac_simulation_delassus(const tacSimulation *simulation, int most, double *w);
/* As tac_world_left_out. */
int64_t tac_simulation_left_out(const tacSimulation *simulation, int *most);
double tac_simulation_jaw_angle(const tacSimulation *simulation, int tool);
/* tac_world_tool_stored: of bodies as the last step left them. */
double tac_simulation_stored(const tacSimulation *simulation, int tool);
