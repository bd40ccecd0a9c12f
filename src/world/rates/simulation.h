/* Simulation of bodies at a lower rate than tools. A step of the bodies has several ticks of the tools, and runs on a
 * separate thread or within a tick.
 *
 * A tick posts the inputs and the poses of held bodies, and the step of the bodies starts from these data. The result
 * of the step contains the states for the display and the local problem (couple/local_problem.h). After
 * `simulate_every` ticks, a tick takes the result and posts the next step. If the step is late, a tick takes the result
 * as soon as the step is ready; until then, bodies keep their state. Ticks never access data that the step uses. */
#pragma once

#include "world/request.h"
#include "world/world_parts.h"

typedef struct tacSimulation tacSimulation;

/* Creates the simulation, as the last part of sealing the world. Load phase. */
tacStatus tac_simulation_create(tacWorld *world, tacSimulation **simulation, tacError *error);
void tac_simulation_destroy(tacSimulation *simulation);                     /* also stops the thread; NULL is allowed */
tacStatus tac_simulation_start(tacSimulation *simulation, tacError *error); /* starts the thread */
void tac_simulation_stop(tacSimulation *simulation);
/* Waits until no step is in progress, then sets the requested parameters. Do not call in a tick. */
void tac_simulation_settle(tacSimulation *simulation);
/* Resets the simulation after the world was restarted. Call tac_simulation_settle first. */
void tac_simulation_reset(tacSimulation *simulation);
/* Calls `part` for each part of the state, in a fixed order. Call tac_simulation_settle first. */
void tac_simulation_visit(tacSimulation *simulation, void (*part)(void *context, void *memory, size_t bytes),
                          void *context);

/* Runs one tick. Only the thread that runs the ticks may call this function. */
void tac_simulation_tick(tacSimulation *simulation, const tacToolInput *inputs, tacToolOutput *outputs,
                         tacTickReport *report);
/* Sets whether the next tick of a replay takes the result of the step (tac_world_replay_taking). */
void tac_simulation_replay_taking(tacSimulation *simulation, bool take);
/* Queues a request for the next posted step, which validates the request. A parameter that cannot be set in a tick is
 * set at once. Returns TAC_ERR_ARGUMENT if the queue is full. */
tacStatus tac_simulation_ask(tacSimulation *simulation, const tacRequest *request, tacError *error);
/* Returns true if no step is in progress. The data of the last step may then be read. */
bool tac_simulation_stepped(const tacSimulation *simulation);
/* Writes the state of the result in use, with held bodies at their present poses. */
void tac_simulation_state(const tacSimulation *simulation, double *state);
const tacFrame *tac_simulation_frame(const tacSimulation *simulation, int body);
/* These functions write the contacts and the Delassus operator of the local problem in the last tick. */
int tac_simulation_contacts(const tacSimulation *simulation, int most, tacShownContact *contacts);
int tac_simulation_delassus(const tacSimulation *simulation, int most, double *w);
/* Works like tac_world_left_out. */
int64_t tac_simulation_left_out(const tacSimulation *simulation, int *most);
double tac_simulation_jaw_angle(const tacSimulation *simulation, int tool);
/* Works like tac_world_tool_stored, for the bodies after the last step. */
double tac_simulation_stored(const tacSimulation *simulation, int tool);
