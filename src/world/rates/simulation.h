/* Bodies simulated slower than tools are rendered: steps of several ticks, on a separate thread or within ticks, and
 * the data exchanged between the two.
 *
 * A tick posts its inputs and the poses of held bodies; the bodies' step starts from them. Its result (states to show,
 * the local problem of world/rates/local_problem.h) is taken `simulate_every` ticks later, or as soon as it is ready.
 * The same tick posts the next step. Until then bodies stay as in the previous step, and their time stands still. Ticks
 * never touch data the step works on. */
#pragma once

#include "world/request.h"
#include "world/world_parts.h"

typedef struct tacSimulation tacSimulation;

/* Load phase; the world is otherwise sealed. */
tacStatus tac_simulation_create(tacWorld *world, tacSimulation **simulation, tacError *error);
void tac_simulation_destroy(tacSimulation *simulation);                     /* stops it; NULL is allowed */
tacStatus tac_simulation_start(tacSimulation *simulation, tacError *error); /* its thread */
void tac_simulation_stop(tacSimulation *simulation);
/* Waits until no step is in progress, then sets the requested parameters. Not in a tick. */
void tac_simulation_settle(tacSimulation *simulation);
/* After settling, when the world was restarted. */
void tac_simulation_reset(tacSimulation *simulation);
/* After settling: visits each part of its state, in a fixed order. */
void tac_simulation_visit(tacSimulation *simulation, void (*part)(void *context, void *memory, size_t bytes),
                          void *context);

/* Called by the thread that ticks. */
void tac_simulation_tick(tacSimulation *simulation, const tacToolInput *inputs, tacToolOutput *outputs,
                         tacTickReport *report);
/* From now on results are taken only as the replay says. */
void tac_simulation_replay_taking(tacSimulation *simulation, bool take);
/* Queues a request for the next posted step; it is validated then. TAC_ERR_ARGUMENT: no room. Parameters that take time
 * are set at once. */
tacStatus tac_simulation_ask(tacSimulation *simulation, const tacRequest *request, tacError *error);
/* Whether no step is in progress, so that the data of the last one may be read. */
bool tac_simulation_stepped(const tacSimulation *simulation);
/* State as last taken; held bodies at their present poses. */
void tac_simulation_state(const tacSimulation *simulation, double *state);
const tacFrame *tac_simulation_frame(const tacSimulation *simulation, int body);
/* Of the local problem in the last tick. */
int tac_simulation_contacts(const tacSimulation *simulation, int most, tacShownContact *contacts);
int tac_simulation_delassus(const tacSimulation *simulation, int most, double *w);
/* As tac_world_left_out. */
int64_t tac_simulation_left_out(const tacSimulation *simulation, int *most);
double tac_simulation_jaw_angle(const tacSimulation *simulation, int tool);
/* As tac_world_tool_stored, for bodies after the last step. */
double tac_simulation_stored(const tacSimulation *simulation, int tool);
