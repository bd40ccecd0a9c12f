/* Simulation of bodies at a lower rate than tools: steps of several ticks, on a separate thread or within ticks. Also
 * the data exchanged between ticks and steps.
 *
 * A tick posts its inputs and the poses of held bodies; the bodies' step starts from these data. The result of the step
 * contains the states to show and the local problem (world/rates/local_problem.h). Ticks use it `simulate_every` ticks
 * later, or as soon as it is ready if the step is late. The same tick posts the next step. While a step is late, bodies
 * keep their previous state. Ticks never access data that the step uses. */
#pragma once

#include "world/request.h"
#include "world/world_parts.h"

typedef struct tacSimulation tacSimulation;

/* Load phase, as the last part of sealing the world. */
tacStatus tac_simulation_create(tacWorld *world, tacSimulation **simulation, tacError *error);
void tac_simulation_destroy(tacSimulation *simulation);                     /* stops its thread; NULL is allowed */
tacStatus tac_simulation_start(tacSimulation *simulation, tacError *error); /* starts its thread */
void tac_simulation_stop(tacSimulation *simulation);
/* Waits until no step is in progress, then sets the requested parameters. Do not call in a tick. */
void tac_simulation_settle(tacSimulation *simulation);
/* Resets the simulation after the world was restarted. Call tac_simulation_settle first. */
void tac_simulation_reset(tacSimulation *simulation);
/* Calls `part` for each part of the state, in a fixed order. Call tac_simulation_settle first. */
void tac_simulation_visit(tacSimulation *simulation, void (*part)(void *context, void *memory, size_t bytes),
                          void *context);

/* Runs one tick. Only the thread that ticks may call this. */
void tac_simulation_tick(tacSimulation *simulation, const tacToolInput *inputs, tacToolOutput *outputs,
                         tacTickReport *report);
/* For replays; works as tac_world_replay_taking. */
void tac_simulation_replay_taking(tacSimulation *simulation, bool take);
/* Queues a request for the next posted step, which validates it. TAC_ERR_ARGUMENT: the queue is full. A parameter that
 * cannot be set in a tick is set at once. */
tacStatus tac_simulation_ask(tacSimulation *simulation, const tacRequest *request, tacError *error);
/* Whether no step is in progress, so that the data of the last one may be read. */
bool tac_simulation_stepped(const tacSimulation *simulation);
/* State of the last result in use, with held bodies at their present poses. */
void tac_simulation_state(const tacSimulation *simulation, double *state);
const tacFrame *tac_simulation_frame(const tacSimulation *simulation, int body);
/* Contacts and Delassus operator of the local problem in the last tick. */
int tac_simulation_contacts(const tacSimulation *simulation, int most, tacShownContact *contacts);
int tac_simulation_delassus(const tacSimulation *simulation, int most, double *w);
/* Works as tac_world_left_out. */
int64_t tac_simulation_left_out(const tacSimulation *simulation, int *most);
double tac_simulation_jaw_angle(const tacSimulation *simulation, int tool);
/* Works as tac_world_tool_stored, for bodies after the last step. */
double tac_simulation_stored(const tacSimulation *simulation, int tool);
