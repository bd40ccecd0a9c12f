/* Worlds: bodies, the tools that touch the bodies, and the step that moves bodies and tools.
 *
 * Example:
 *
 *     tacWorldDef def = tac_world_def_default(); // a tick is 1 ms
 *     tacPointToolDef finger = tac_point_tool_def_default(); // a point
 *     tacFloorDef floor = tac_floor_def_default();
 *     tacWorld *made = NULL;
 *     int tool;
 *     finger.name = "finger";
 *     tacStatus status = tac_world_create(&def, &made, error);
 *     if (status == TAC_OK) status = tac_world_set_floor(made, &floor, error);
 *     if (status == TAC_OK) status = tac_world_add_point_tool(made, &finger, &tool, error);
 *     // add bodies here: tac_world_add_rigid, tac_world_add_green, tac_world_add_reduced, ...
 *     if (status == TAC_OK) status = tac_world_seal(made, error);
 *     if (status == TAC_OK) {
 *       tacToolInput input = {{0.0, 0.0, 0.05}, {1.0, 0.0, 0.0, 0.0}, false, false, 0.0};
 *       tacToolOutput output;
 *       tacTickReport report;
 *       for (int tick = 0; tick < 1000; ++tick) tac_world_step(made, &input, &output, &report); // output.force, N
 *     }
 *     tac_world_destroy(made);
 *     if (status != TAC_OK) return status;
 *
 * Units and frames: SI units: m, N, N m, N/m, rad, s, kg. Positions, forces and velocities are in the world frame
 * unless a comment names the body's frame. Orientations are unit quaternions w, x, y, z.
 *
 * Threads and phases: a world has no lock. In the load phase one thread creates the world, adds bodies, tools and
 * pairs, and seals the world. After tac_world_seal a step allocates nothing, takes no lock, does no input or
 * output, and cannot fail. The report of the step counts saturation (tacTickReport.saturated). Only one thread
 * steps a sealed world. Only this thread may call functions that take a `tacWorld *` that is not const. Functions
 * that read a snapshot (tac_world_surface and similar functions) may run on other threads at the same time.
 * Functions that read names, counts and definitions may run on any thread after sealing.
 *
 * Ids and indices: functions reject a body id that belongs to another world or to no body. Tools, bodies and pairs
 * are numbered 0, 1, ... in the order in which they were added. */
#ifndef TACTUS_WORLD_H
#define TACTUS_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include <tactus/distance_field.h>
#include <tactus/tool.h>

TAC_BEGIN_DECLS

/* A world of bodies and tools. Opaque. */
typedef struct tacWorld tacWorld;

/* Definition of a world. */
typedef struct tacWorldDef {
  double period; /* time between two steps (a tick), s, 1e-5 to 1; default 0.001 */
  /* Limit of the time that the contacts of pairs take in a step, s, 0 to 1; default 0: no limit. tac_world_seal
   * measures the cost of these contacts on this machine and sets the parameter `nodes` of each pair. A servo adapts
   * `nodes` during the run. */
  double budget;
  /* True: tac_world_move_body may move bodies at rest, and snapshots hold the poses of all bodies; default false. */
  bool movable;
  tacContactMethod method; /* contact method for contacts of free bodies without a tacPairDef; default penalty */
  /* Number of ticks in one step of the bodies, 1 to 100; default 1. If the number is larger than 1, the bodies are
   * simulated at a lower rate than the tools are rendered; see tac_world_start_simulation. */
  int simulate_every;
  tacLawsDef laws; /* options for contact laws at contacts of free bodies without a tacPairDef */
} tacWorldDef;

/* Returns a definition with the defaults that the comments of tacWorldDef state. */
TAC_API tacWorldDef tac_world_def_default(void);

/* Creates a world without bodies. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range. Load phase. */
TAC_API tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error);

/* Frees a world and its bodies, and stops its simulation. Call it after every servo that uses the world has
 * stopped. `world` may be NULL. Load phase. */
TAC_API void tac_world_destroy(tacWorld *world);

/* Returns the period of a tick, s. */
TAC_API double tac_world_period(const tacWorld *world);

/* ---- bodies: load phase ---- */

/* Properties that bodies of all kinds have. The header of each kind declares the function that adds a body of the
 * kind, for example tac_world_add_green.
 *
 * Defaults: the body rests at the origin, without gravity. The coefficient of friction is 0.4. The touch spring and
 * damper are 300 N/m and 0.3 N s/m. The contact spring and damper are 2000 N/m and 2 N s/m. The default definition
 * of a kind may differ. */
typedef struct tacBodyDef {
  const char *name; /* name of the body; must be unique in the world and not empty */
  const char *kind; /* kind name shown in reports and the viewer; may be empty; set by the functions of the kind */
  tacPose pose;     /* pose of the body's frame in the world at the start */
  /* True: the body moves under forces and needs an inertia; false: the body rests, or a tool holds the body. */
  bool free;
  /* Velocity of the centre of mass at the start, m/s; angular velocity at the start, rad/s; for a free body. */
  tacVec3 velocity, spin;
  tacVec3 gravity; /* gravitational acceleration, m/s^2, world frame */
  int every;       /* number of ticks from one step of this body to the next, 1 to 100; default 1 */
  /* Coulomb's coefficient of friction with tools, with the floor, and with bodies that form no pair with this body. */
  double friction;
  double touch_stiffness;   /* stiffness of the spring between a point tool and its contact point, N/m */
  double touch_damping;     /* damping of the touched point, N s/m; the hand is not damped */
  double contact_stiffness; /* stiffness of penalty contacts of a free body with other bodies, N/m */
  double contact_damping;   /* damping of penalty contacts of a free body with other bodies, N s/m */
  tacBodyShown shown;       /* way in which the body is displayed; set by the functions of the kind */
} tacBodyDef;

/* The floor: a half space that free bodies cannot enter. Their points x satisfy n.x >= offset. A world has no floor
 * until tac_world_set_floor adds the floor. */
typedef struct tacFloorDef {
  tacVec3 normal;  /* unit normal n, out of the floor; default +z */
  double offset;   /* n.x of the points on the floor's surface, m; default 0 */
  double friction; /* Coulomb's coefficient of friction; default 0.5 */
} tacFloorDef;

/* Returns a definition with the defaults that the comments of tacFloorDef state. */
TAC_API tacFloorDef tac_floor_def_default(void);

/* Sets the floor. Returns TAC_ERR_ARGUMENT if the normal is not a unit vector or the friction is negative. Load
 * phase. */
TAC_API tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error);

/* ---- tools: load phase; <tactus/tool.h> has their definitions ---- */

/* Adds a point tool or a fingertip. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT
 * if the name is taken or the world already has TAC_MOST_TOOLS tools. Load phase. */
TAC_API tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error);

/* Adds a tool that holds a body. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT if
 * a value of `def` is out of range or another tool holds the body. Load phase. */
TAC_API tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error);

/* Adds a tool with pads. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT if a value
 * of `def` is out of range or pads cannot hold the body. Load phase. */
TAC_API tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error);

/* ---- pairs and sealing: load phase ---- */

/* Two bodies in distributed contact: the points of one body are tested against the distance field of the other body
 * (Barbic 2007, chapter 3). A body may belong to several pairs. */
typedef struct tacPairDef {
  tacBodyId points, field; /* body that supplies the points; body that supplies the distance field */
  /* Stiffness k_C of one point, N/m; default 0: automatic. The automatic stiffness is such that a load causes a
   * depth of 1 % of the thickness of the thinner body. The load is a push of 5 N plus the weight of all free bodies
   * in the world when the pair is added. */
  double stiffness;
  double full_count; /* number L of points in contact above which each point becomes softer; default 10 */
  /* Depth at which a point reaches its full weight, m; default 0: a fifth of the voxel size of the field or of the
   * spacing of the points, whichever is less. */
  double ramp;
  double friction;   /* Coulomb's coefficient of this pair; default 0; the coefficients of the bodies have no effect */
  double tangential; /* tangential stiffness of sticking contacts, relative to `stiffness`; default 0.5 */
  bool area_weights; /* true: the force of each point is weighted by the area of the point; default true */
  int level_most;    /* deepest level of the points that is used; default: all levels */
  /* Contact method; default penalty; Signorini's method uses only `friction` and `level_most` of the members above. */
  tacContactMethod method;
  /* Options for contacts that obey contact laws; TAC_DETECT_SURFACES needs neither points nor a field. */
  tacLawsDef laws;
} tacPairDef;

/* Returns a definition with the defaults that the comments of tacPairDef state. */
TAC_API tacPairDef tac_pair_def_default(void);

/* Adds a pair of bodies. `pair` receives the index of the pair and may be NULL. Returns TAC_ERR_ARGUMENT if a body
 * lacks points or field, if a value of `def` is out of range, or if the pair already exists. Load phase. */
TAC_API tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error);

/* Seals the world and allocates all memory that steps need. Nothing can be added afterwards. Returns
 * TAC_ERR_ARGUMENT if the world is already sealed. Load phase. */
TAC_API tacStatus tac_world_seal(tacWorld *world, tacError *error);

/* ---- queries: any phase ---- */

/* Returns the number of bodies. */
TAC_API int tac_world_body_count(const tacWorld *world);

/* Returns the id of the body with this index; {0, 0} if the index is out of range. */
TAC_API tacBodyId tac_world_body(const tacWorld *world, int index);

/* Returns the id of the body with this name; {0, 0} if no body has this name. */
TAC_API tacBodyId tac_world_find_body(const tacWorld *world, const char *name);

/* Returns the name of a body; NULL if there is no such body. */
TAC_API const char *tac_world_body_name(const tacWorld *world, tacBodyId id);

/* Returns the kind name of a body, as in scenes ("rigid", "green", ...); NULL if there is no such body. */
TAC_API const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id);

/* Returns the surface of a body for touch and display, at rest, in the body's frame; NULL if there is no such body. */
TAC_API const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id);

/* Returns an array [vertex] that is true for each fixed vertex of tac_world_body_surface; NULL if there is no such
 * body. */
TAC_API const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id);

/* Returns the pose of a body at the start; the identity if there is no such body. */
TAC_API tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id);

/* Returns the number of tools. */
TAC_API int tac_world_tool_count(const tacWorld *world);

/* Returns the id of the body that a tool holds; {0, 0} for point tools and pads. `grasp` receives the point at
 * which the tool holds the body (tacBodyToolDef.grasp), m, body's frame; the origin for point tools and pads.
 * `grasp` may be NULL. */
TAC_API tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp);

/* Returns the energy, after the last step, that the bodies may transfer to a tool, J, for tac_guard_set_stored.
 * Call it from the thread that steps the world. A tick may call it.
 *
 * The result is a sum over the bodies that the tool touches and the bodies in contact with these bodies. If the
 * tool touches no body, the sum is over all bodies. The energy of a body is elastic, kinetic and, for a free body,
 * gravitational. The least energy that the body has had since the start is subtracted. The sum includes the springs
 * of point tools on these bodies. The sum also includes the kinetic energy of a body that the tool holds by a
 * dynamic coupling. Rigid bodies at rest store no energy. Elastostatic bodies store energy only in their contacts.
 * A body of a kind without an energy function (tacBodyTable.energy) counts as 0. */
TAC_API double tac_world_tool_stored(const tacWorld *world, int tool);

/* Returns the name of a tool; NULL if there is no such tool. */
TAC_API const char *tac_world_tool_name(const tacWorld *world, int tool);

/* Returns the largest stiffness that any contact on a body renders, N/m (largest eigenvalue); 0 if there is no such
 * body. */
TAC_API double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id);

/* ---- parameters: values that may be changed while a world is in use ----
 *
 * Parameters are numbered body by body, then pair by pair. Worlds with the same bodies and pairs have the same
 * numbers. Names are "body.parameter", "body.group.parameter" or "points-field.parameter":
 *
 *   rigid bodies:             friction (coefficient), touch (N/m)
 *   elastostatic bodies:      stiffness (factor), friction (coefficient), mask (radius, m)
 *   bodies with coordinates:  stiffness (factor on all elasticity), friction, damping (beta, s), touch (N/m),
 *                             linear (0 or 1), strain_rate (s, if the model has this parameter)
 *   material groups of        lambda, mu, density (factors on the baked values): "spoon.mu" for one group,
 *   bodies with coordinates:  "bridge.cables.mu" for several groups
 *   pairs:                    stiffness (of a point, N/m), friction, nodes (limit of the nodes that a traversal visits:
 *                             the pair's part of the budget on this machine), contact (cost of a point in contact,
 *                             in nodes): "hoses-part.stiffness" */

/* Returns the number of parameters. */
TAC_API int tac_world_parameter_count(const tacWorld *world);

/* Returns the parameter with this index and its present value. If the index is out of range, returns an empty
 * parameter, with `label` "". */
TAC_API tacParameter tac_world_parameter(const tacWorld *world, int index);

/* Returns the index of the parameter with this name; -1 if no parameter has this name. */
TAC_API int tac_world_find_parameter(const tacWorld *world, const char *name);

/* Sets a parameter between steps. Call it from the thread that steps the world. Returns TAC_ERR_ARGUMENT, and
 * changes nothing, if the value is out of range. Setting an `in_tick` parameter allocates nothing and takes time in
 * proportion to the body's vertices. Other parameters take longer: set them only while no other thread uses the
 * world. If simulate_every > 1, the rules above tac_world_start_simulation apply. */
TAC_API tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error);

/* ---- the step ---- */

/* Returns the number of steps of the bodies, since the reset, in which ticks left out contacts of the tools because
 * of the limit TAC_WORLD_MOST_LOCAL. `most` receives the largest number of contacts left out, and may be NULL. A
 * contact that is left out exerts no force. The result is 0 for a world with simulate_every 1. */
TAC_API int64_t tac_world_left_out(const tacWorld *world, int *most);

/* Steps the world by one tick. `inputs` and `outputs` have one entry for each tool. Outputs are always finite. A
 * point tool whose first position is inside a body touches nothing until the tool has left the body. If the world is
 * not sealed or an argument is NULL, nothing moves, and `report->refused` is 1. Without tools, `inputs` and `outputs`
 * may be NULL. Tick: no allocation, no lock, bounded time. */
TAC_API void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);

/* Resets the world to its state after sealing: all tools hold nothing, and all bodies are undeformed, in their
 * start poses, with their start velocities. Parameters keep their values. Do not call it in a tick. */
TAC_API void tac_world_reset(tacWorld *world);

/* ---- bodies simulated at a lower rate than tools are rendered ----
 *
 * If `simulate_every` is N > 1, the bodies move in steps of N ticks, and the tools move in every tick. Each tick
 * solves a local problem for the tools. The local problem has the contacts of the tools with bodies that the tools
 * touch or may touch soon, and the compliance at these contacts. A tick passes its inputs to a step of the bodies.
 * The tick that follows N ticks later takes the result of this step. If the result is late, the first tick that
 * finds the result ready takes it. The forces on the hand do not jump then.
 *
 * Without a separate thread, the ticks compute the steps of the bodies; this mode is for runs that are not in real
 * time. After tac_world_start_simulation a separate thread computes the steps. A tick neither waits for this thread
 * nor takes a lock. Both ways give the same bits as long as the thread is in time.
 *
 * After the first tick, tac_world_set_parameter, tac_world_move_body and tac_world_push_body make requests, at most
 * 64 between two steps. The requests are carried out before the next step of the bodies. Until then
 * tac_world_parameter returns the previous value. A request that is found to be out of range changes nothing. The
 * tick that takes the result of this step counts such a request in `refused`. A push gives the impulse of one tick.
 * Parameters that are not `in_tick` are set at once. Resetting, saving and loading wait for the running step, and
 * all requests are then done. */

/* Starts the threads of the simulation. If simulate_every > 1, one thread computes the steps of the bodies. For
 * every simulate_every, the threads of bodies with separate threads (tacBodyTable.thread) start. The world must be
 * sealed. Load phase. */
TAC_API tacStatus tac_world_start_simulation(tacWorld *world, tacError *error);

/* Stops the threads that tac_world_start_simulation started. tac_world_destroy stops them, too. `world` may be
 * NULL. Load phase. */
TAC_API void tac_world_stop_simulation(tacWorld *world);

/* ---- control by a host: between steps, from the thread that steps the world ----
 *
 * The functions that return a tacStatus fail if the world is NULL or not sealed. */

/* Returns the version of the loaded library, such as "1.2.3". Any phase, any thread. */
TAC_API const char *tac_version(void);

/* Moves a body to `pose`, with the velocity `velocity` of the centre of mass (m/s) and the angular velocity `spin`
 * (rad/s). Contact detection uses the velocities to predict motion. The body must be free, or at rest in a world
 * that is `movable`. A body at rest moves together with its fixed vertices. Returns TAC_ERR_ARGUMENT if a tool
 * holds the body, or if the body is at rest and the world is not `movable`. Also returns TAC_ERR_ARGUMENT if the
 * body moves by its nodes and not by its frame, or if a number is NaN or infinite. */
TAC_API tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity,
                                      tacVec3 spin, tacError *error);

/* Applies an external force (N) in the next step only, at the point of the body's surface that is nearest to `at`
 * (m). At most 64 external forces act in one step. */
TAC_API tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error);

/* Gets the pose of a body, the velocity of its centre of mass (m/s), and its angular velocity (rad/s). Each of the
 * three pointers may be NULL. Returns TAC_ERR_ARGUMENT if there is no such body. */
TAC_API tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity,
                                        tacVec3 *spin, tacError *error);

/* Returns the size of a saved state in bytes; 0 if the world is not sealed. */
TAC_API size_t tac_world_memory_size(const tacWorld *world);

/* Saves the complete state of the world: bodies, tools, friction history, and warm starts of the solvers. A run
 * continues bit for bit from this state. The state does not include parameters. `memory` has `size` bytes, at least
 * tac_world_memory_size. The time is proportional to the number of points of the pointshells. Returns
 * TAC_ERR_ARGUMENT while pads hold a body, because the state of pads cannot be saved. Load phase, or between steps. */
TAC_API tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error);

/* Loads a state that tac_world_save wrote in this process, for this world or for an identically built world.
 * Returns TAC_ERR_ARGUMENT if the size differs. If a body rejects its state, returns TAC_ERR_ARGUMENT and resets
 * the world. Load phase, or between steps. */
TAC_API tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error);

/* ---- display: snapshots ---- */

/* Data that a display needs to show the world at one moment. Plain data: a tick makes the snapshot, and other
 * threads use it. */
typedef struct tacSnapshot {
  int64_t tick;
  const double *state; /* state from tac_world_state, in memory of the snapshot's creator; NULL: all bodies at rest */
  int tool_count;
  tacVec3 position[TAC_MOST_TOOLS];      /* tacToolInput.position */
  double orientation[TAC_MOST_TOOLS][4]; /* tacToolInput.orientation */
  bool lifted[TAC_MOST_TOOLS];           /* tacToolInput.lifted */
  tacToolOutput output[TAC_MOST_TOOLS];
  /* Magnitude of the force that the hand gets, N; equal to the magnitude of `output.force` if `limits` is 0. */
  double given[TAC_MOST_TOOLS];
  uint32_t limits[TAC_MOST_TOOLS]; /* sum of TAC_LIMIT_*: reasons why the hand does not get the force of `output` */
} tacSnapshot;

#define TAC_LIMIT_FORCE 1u    /* force limit of the device */
#define TAC_LIMIT_RATE 2u     /* limit of the rate of change of the force */
#define TAC_LIMIT_COUPLING 4u /* limit of a coupling (tacToolOutput.saturated) */

/* Returns the number of values in the state of the world; 0 if no body has a state. For each body in order, the
 * state contains those of the following parts that the body has:
 *
 *   - the shown part of the body's own state (tacBodyDescription.shown); for a body with coordinates, this part is
 *     the coordinates q (r numbers);
 *   - the pose, if the body is free, a tool holds the body, or the world is movable: position of the origin of the
 *     body's frame (3, m) and orientation (4, quaternion w, x, y, z);
 *   - the forces of the contacts, for an elastostatic body that may touch other bodies: triangle, three weights and
 *     force of each contact (7, N, body's frame);
 *   - the stiffness (1), for a body that pads may hold; then, for each vertex that pads may hold, the number of the
 *     vertex and the traction there (4, Pa, body's frame);
 *   - the sum of the forces that press the body (7), if the body covers only some loads (tacBodyLooks.covers): force,
 *     sum of the magnitudes of the forces, and sum of positions times these magnitudes;
 *   - the estimated model error (1), for a body with an error estimate.
 *
 * The last part of the state contains, for each pair, the level to which the pair was rendered. */
TAC_API int tac_world_state_size(const tacWorld *world);

/* Copies the state of the world to `state`, which has tac_world_state_size numbers. Call it from the thread that
 * steps the world. Tick: no allocation. */
TAC_API void tac_world_state(const tacWorld *world, double *state);

/* Returns the pose of a body in a snapshot; the identity if there is no such body. Any thread, no allocation. */
TAC_API tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);

/* Computes the deformed vertices of a body's surface in a snapshot, world frame, m (James and Pai 2001, (35);
 * Barbic 2007, (3.6)). `vertices` has one entry for each vertex of tac_world_body_surface. Any thread, no
 * allocation. */
TAC_API void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices);

/* Computes the tractions at the vertices of a body's surface in a snapshot, Pa, world frame. They are the tractions
 * of the contacts, spread by their masks, and the tractions that hold the fixed vertices. The result is zero for
 * bodies without tractions, on which forces act at points. Any thread, no allocation. */
TAC_API void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions);

/* Computes the value by which each vertex is coloured in a snapshot (TAC_COLOUR_*). `room` and `vertices` have one
 * entry for each vertex. `room` is working memory, and `vertices` receives the deformed vertices in the body's
 * frame. Returns false, and writes nothing to `values`, if the value is not known. No value is known for a body
 * that does not deform. Stress is not known if the kind does not compute stress. Any thread, but only one thread at
 * a time for each body; no allocation. */
TAC_API bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour,
                               tacStressSum *room, tacVec3 *vertices, double *values);

/* Returns the estimated model error of a body in a snapshot; -1 if there is no estimate. An estimate of 0.1 means
 * 10 %. The estimate compares the displacements u of the body with the expected displacements u_full of the full
 * model at rest under the same loads. The estimate is |u - u_full| / |u_full|, where |.| is the root mean
 * square over the surface. Any thread, no allocation. */
TAC_API double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);

#define TAC_ERROR_ESTIMATE_SOME 0.1 /* least error estimate that is reported */
#define TAC_ERROR_ESTIMATE_MUCH 0.3 /* least error estimate at which the body should not be trusted */

/* Lists at most `most` contacts of the last step, and returns the number of listed contacts. The list includes near
 * contacts that do not touch. If simulate_every > 1, the list contains the contacts of the local problem of the
 * last tick: contacts of the tools, including the tips of point tools, with other bodies. Call it between steps,
 * from the thread that steps the world. */
TAC_API int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts);

/* Computes the sensor values of a body in a snapshot, sensor by sensor: 3 numbers for a displacement (m), 6 for a
 * stress (Pa). Writes nothing for a body without sensors. Any thread, no allocation. */
TAC_API void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values);

TAC_END_DECLS

#endif
