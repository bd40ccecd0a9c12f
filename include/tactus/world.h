/* A world: bodies, the tools that touch them, and the step that moves both.
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
 * Units and frames: SI; m, N, N m, N/m, rad, s, kg. Positions, forces and velocities are in the frame of the world,
 * unless the body's frame is named. Orientations are unit quaternions w, x, y, z.
 *
 * Threads and phases: a world has no lock. In the load phase one thread creates it, adds bodies, tools and pairs, and
 * seals it. After tac_world_seal a step allocates nothing, takes no lock, does no I/O and cannot fail: saturation is
 * counted in its report. Only one thread steps a sealed world, and it alone calls functions that take a `tacWorld *`
 * that is not const. Functions that read a snapshot (tac_world_surface and the like) may run on other threads at the
 * same time. Functions that read names, counts and definitions may run on any thread after sealing.
 *
 * Ids and indices: a body id that belongs to another world, or to no body, is rejected. Tools, bodies and pairs are
 * numbered 0, 1, ... in the order in which they were added. */
#ifndef TACTUS_WORLD_H
#define TACTUS_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include <tactus/distance_field.h>

TAC_BEGIN_DECLS

enum { TAC_MOST_TOOLS = 16 };

/* A world. Opaque. */
typedef struct tacWorld tacWorld;

/* Id of a body in one world. It is generational: a world rejects the ids of another one. {0, 0} is no body. */
typedef struct tacBodyId {
  uint32_t index, generation;
} tacBodyId;

/* Definition of a world. */
typedef struct tacWorldDef {
  double period; /* s between steps (a tick), 1e-5 to 1; default 0.001 */
  /* s of a step that the contacts of pairs may take, 0 to 1; default 0: no limit. Sealing measures what they cost on
   * this machine and sets the parameter `nodes` of each pair. A servo adapts it during the run. */
  double budget;
  bool movable; /* tac_world_move_body may move bodies at rest: snapshots then hold the poses of all; default false */
  tacContactMethod method; /* of contacts without a tacPairDef: those of free bodies; default penalty */
  /* Ticks of one step of the bodies, 1 to 100; default 1. More than 1: the bodies are simulated at a lower rate than
   * the tools are rendered. See tac_world_start_simulation. */
  int simulate_every;
  tacLawsDef laws; /* of the contacts of free bodies that are in no pair */
} tacWorldDef;

/* Returns the defaults named above. */
TAC_API tacWorldDef tac_world_def_default(void);

/* Creates a world without bodies. TAC_ERR_ARGUMENT if the definition is out of range. Load phase. */
TAC_API tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error);

/* Frees a world and its bodies, after every servo that uses it. Stops its simulation. NULL is allowed. */
TAC_API void tac_world_destroy(tacWorld *world);

/* Returns the period of a tick, s. */
TAC_API double tac_world_period(const tacWorld *world);

/* ---- bodies: load phase; the headers of the kinds add them ---- */

/* Properties that bodies of all kinds have. Defaults: at rest in the origin, no gravity, friction 0.4, touch 300 N/m
 * and 0.3 N s/m, contact 2000 N/m and 2 N s/m. The default definition of a kind may differ. */
typedef struct tacBodyDef {
  const char *name; /* not empty, unique in the world */
  const char *kind; /* kind name shown in reports and the viewer; may be empty. The functions of the kinds set it */
  tacPose pose;     /* pose of the body's frame in the world, at the start */
  bool free;        /* moves under forces, needs an inertia; false: it rests, or a tool holds it */
  tacVec3 velocity, spin;   /* of a free body at the start: of its centre of mass, m/s; angular, rad/s */
  tacVec3 gravity;          /* m/s^2, world frame */
  int every;                /* ticks from one step of this body to the next, 1 to 100; default 1 */
  double friction;          /* Coulomb's coefficient towards tools, the floor, and bodies without a pair */
  double touch_stiffness;   /* N/m: spring between a point tool and its point on the surface */
  double touch_damping;     /* N s/m: damps the touched point, not the hand */
  double contact_stiffness; /* N/m: of free bodies in contact with others by penalty */
  double contact_damping;   /* N s/m, likewise */
  tacBodyShown shown;       /* how it is shown; the functions of the kinds set it */
} tacBodyDef;

/* The floor, a half space. Free bodies stay where n.x >= offset. A world has no floor until tac_world_set_floor. */
typedef struct tacFloorDef {
  tacVec3 normal;  /* n, unit, out of the floor; default +z */
  double offset;   /* m; default 0 */
  double friction; /* Coulomb's coefficient; default 0.5 */
} tacFloorDef;

/* Returns the defaults named above. */
TAC_API tacFloorDef tac_floor_def_default(void);

/* Sets the floor. TAC_ERR_ARGUMENT if the normal is not of unit length, or friction is negative. Load phase. */
TAC_API tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error);

/* ---- tools: load phase ---- */

/* A tool that touches at a point, or a fingertip that presses a round patch there. */
typedef struct tacPointToolDef {
  const char *name; /* not empty, unique in the world */
  double radius;    /* m: of a fingertip's contact with a soft body; default 0: a point */
} tacPointToolDef;

/* Returns the defaults named above. */
TAC_API tacPointToolDef tac_point_tool_def_default(void);

/* Adds a point tool or fingertip. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the name is taken, or
 * the world has TAC_MOST_TOOLS tools. */
TAC_API tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error);

/* Virtual coupling between the device and the held body (Barbic 2007, chapter 4). */
typedef enum tacCouplingKind {
  TAC_COUPLING_STATIC, /* quasi-static: a step moves the body towards equilibrium, without inertia */
  TAC_COUPLING_DYNAMIC /* the body has a mass, on a spring and damper */
} tacCouplingKind;

enum { TAC_MOST_JAWS = 2 };

/* A jaw of a grasper: a rigid body that turns about a hinge of the held body. The start poses of both are those of the
 * open grasper. */
typedef struct tacJawDef {
  tacBodyId body; /* the jaw; part of one tool only */
  tacVec3 hinge;  /* a point of the hinge's axis, m, frame of the held body */
  tacVec3 axis;   /* direction of the axis, frame of the held body. The jaw closes by the right-hand rule */
} tacJawDef;

/* A tool that holds a body: a rigid one, or an anchored reduced one, whose held vertices then move with the tool. The
 * device leads another copy of the body, and a virtual coupling pulls the body there (Barbic 2007, chapter 4). */
typedef struct tacBodyToolDef {
  const char *name; /* not empty, unique in the world */
  tacBodyId body;   /* the held body; of one tool only */
  /* Where the device holds the body, m, body's frame. The tool's input is the position of this point, and the rotation
   * of the body from its orientation at the start. While the tool is lifted, the body rests and the hand feels
   * nothing. */
  tacVec3 grasp;
  tacCouplingKind coupling;     /* default static */
  double stiffness;             /* k_VC, N/m; default 600 */
  double turn_stiffness;        /* N m; default 0.5: the torque is this times sin(angle / 2) */
  double force_most;            /* N: the coupling's force saturates beyond half of this; default 0: no saturation */
  double torque_most;           /* N m: likewise for its torque */
  double static_damping;        /* alpha of a static coupling, 0 to below 1; default 0.5 */
  double speed_most, turn_most; /* limits of the body's speed, m/s and rad/s; default 1 and 10 */
  /* kg, of a dynamic coupling; default 0.1. For a body without its own inertia, with the moments of a solid ball of the
   * body's radius. */
  double mass;
  double damping_ratio; /* of a dynamic coupling; default 1 */
  /* m; default 0: the tool always holds the body. Otherwise it takes hold when `grab` is pressed while its position is
   * nearer than this to the body's surface, and holds on until `grab` is released. Meanwhile body and tool keep the
   * relative pose of that moment. After the release the body rests where it is, and the force on the hand fades within
   * 20 ms. */
  double reach;
  /* An instrument through a trocar; default false. Its shaft is the line from its grasp to the pivot, as the body lies
   * at the start, and the pivot stays on this line. The device then gives the position of the grasp and the roll of the
   * shaft; the tilt follows from them. At rest a push at the tip is felt by the law of the lever. `turn_stiffness` is
   * that of the roll. */
  bool trocar;
  tacVec3 pivot; /* m, world frame; at least 1 mm from the grasp at the start */
  /* A grasper: jaws that close together, as far as the input's `grip` requests. All jaws turn by one angle, which is an
   * additional coordinate. A motor drives it at a finite speed, with a limited torque. */
  int jaw_count; /* default 0, at most TAC_MOST_JAWS; with jaws `reach` must be 0 */
  tacJawDef jaws[TAC_MOST_JAWS];
  double jaw_angle; /* rad: rotation of each jaw from open to closed, less than pi; default 0.5 */
  double jaw_time;  /* s: time in which the motor goes that far, either way; default 0.5 */
  /* N m: limit of the motor; default 0.1. Two jaws press with jaw_torque / (2 l) each at a lever l. */
  double jaw_torque;
} tacBodyToolDef;

/* Returns the defaults named above. */
TAC_API tacBodyToolDef tac_body_tool_def_default(void);

/* Adds a tool that holds a body. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the definition is out of
 * range, or if another tool holds the body. */
TAC_API tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error);

/* A tool that takes hold of patches of a body's surface with one or two pads, rigid discs (James and Pai 2001, sections
 * 4 and 5): a finger pad, or a gripper. Its position is the middle between its pads. The body is an elastostatic one
 * whose Green's functions are stored whole. At most four pads of all tools together are on one body, and each holds at
 * most the 32 vertices that are nearest to it. Pads feel each other. They do not feel point tools on the same body, nor
 * its contacts with others. */
typedef struct tacPadToolDef {
  const char *name; /* not empty, unique in the world */
  tacBodyId body;
  double radius;    /* m, of a pad; default 6 mm */
  tacPadHold hold;  /* default stick: holds while `grab` is pressed, from where it was pressed. Or presses always */
  double friction;  /* of pads that press; default 0.5; INFINITY: they never slip */
  double opening;   /* m; default 0: one pad. Else two that face each other, at +-opening/2 along the tool's x axis */
  tacVec3 approach; /* unit: direction of one pad into the body, at identity orientation; default -z */
  double stiffness; /* of the coupling between device and pads, N/m; default 600 */
  double turn_stiffness; /* N m; default 0.5: the torque is this times sin(angle / 2) */
  /* m/s, rad/s: limits for pads that hold something; default 1 and 10. The limit is lower where that is a quarter of
   * the radius or 0.2 rad a step. */
  double speed_most, turn_most;
} tacPadToolDef;

/* Returns the defaults named above. */
TAC_API tacPadToolDef tac_pad_tool_def_default(void);

/* Adds a tool with pads. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the definition is out of range,
 * or if pads cannot hold the body. */
TAC_API tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error);

/* ---- pairs, and sealing: load phase ---- */

/* Two bodies in distributed contact: the points of one against the distance field of the other (Barbic 2007, chapter
 * 3). A body may be in several pairs. */
typedef struct tacPairDef {
  tacBodyId points, field; /* the body whose points, and the body whose field is used */
  /* k_C, N/m of one point. Default 0: chosen so that a load sinks in by a hundredth of the thinner body. The load is a
   * push of 5 N and the weight of all free bodies that the world has when the pair is added. */
  double stiffness;
  double full_count; /* L: with more points in contact each is softer; default 10 */
  /* m: depth over which a point reaches its full weight. Default 0: a fifth of the field's voxel, or of the spacing of
   * the points. */
  double ramp;
  double friction;         /* Coulomb's coefficient of this pair; default 0: those of the bodies do not count */
  double tangential;       /* stiffness of sticking relative to `stiffness`; default 0.5 */
  bool area_weights;       /* points count by their areas; default true */
  int level_most;          /* deepest level of the points that is used; default all */
  tacContactMethod method; /* default penalty. Of the above, Signorini's contacts use only friction and level_most */
  tacLawsDef laws; /* of contacts that obey contact laws. TAC_DETECT_SURFACES needs neither points nor a field */
} tacPairDef;

/* Returns the defaults named above. */
TAC_API tacPairDef tac_pair_def_default(void);

/* Adds a pair. `pair` (may be NULL) receives its index. TAC_ERR_ARGUMENT if a body lacks points or field, if the
 * definition is out of range, or if the pair exists. */
TAC_API tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error);

/* Seals the world: allocates everything that steps need. Nothing can be added afterwards. TAC_ERR_ARGUMENT if the world
 * is already sealed. */
TAC_API tacStatus tac_world_seal(tacWorld *world, tacError *error);

/* ---- queries: any phase ---- */

/* Returns the number of bodies. */
TAC_API int tac_world_body_count(const tacWorld *world);

/* Returns the id of the body of an index; {0, 0} if there is none. */
TAC_API tacBodyId tac_world_body(const tacWorld *world, int index);

/* Returns the id of the body of a name; {0, 0} if there is none. */
TAC_API tacBodyId tac_world_find_body(const tacWorld *world, const char *name);

/* Returns the name of a body; NULL if there is no such body. */
TAC_API const char *tac_world_body_name(const tacWorld *world, tacBodyId id);

/* Returns the kind name of a body, as in scenes: "rigid", "green", ...; NULL if there is no such body. */
TAC_API const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id);

/* Returns the surface that is touched and shown, at rest in the body's frame; NULL if there is no such body. */
TAC_API const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id);

/* Returns which vertices of that surface are fixed, [vertex]; NULL if there is no such body. */
TAC_API const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id);

/* Returns the pose of a body at the start; the identity if there is no such body. */
TAC_API tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id);

/* Returns the number of tools. */
TAC_API int tac_world_tool_count(const tacWorld *world);

/* Returns the body that a tool holds; {0, 0} for point tools and pads. `grasp` (may be NULL) receives where the tool
 * holds it, m, body's frame (tacBodyToolDef.grasp); the origin for point tools and pads. */
TAC_API tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp);

/* Returns the energy after the last step that the bodies may give back to a tool, J, for tac_guard_set_stored. From the
 * thread that steps; a tick may call it.
 *
 * The bodies are those that the tool touches and those in contact with these; if it touches none, all bodies. Their
 * energy is elastic and kinetic, plus that of the weight of free bodies, above the least that each body has had since
 * the start. It includes the springs of point tools on these bodies, and the kinetic energy of a body that the tool
 * holds by a dynamic coupling. Rigid bodies at rest store nothing, and elastostatic bodies store nothing beyond their
 * contact. Kinds without an energy function (tacBodyTable.energy) count as 0. */
TAC_API double tac_world_tool_stored(const tacWorld *world, int tool);

/* Returns the name of a tool; NULL if there is no such tool. */
TAC_API const char *tac_world_tool_name(const tacWorld *world, int tool);

/* Returns the largest stiffness that any contact on this body renders, N/m (largest eigenvalue); 0 if there is no such
 * body. */
TAC_API double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id);

/* ---- parameters: what may be changed while a world is used ----
 *
 * Parameters are numbered through all bodies and then all pairs. Worlds with the same bodies and pairs number them
 * alike. Names are "body.parameter", "body.group.parameter" or "points-field.parameter":
 *
 *   rigid bodies:             friction (coefficient), touch (N/m)
 *   elastostatic bodies:      stiffness (factor), friction (coefficient), mask (radius, m)
 *   bodies with coordinates:  stiffness (factor on all elasticity), friction, damping (beta, s), touch (N/m),
 *                             linear (0 or 1), strain_rate (s, if the model has it)
 *   their material groups:    lambda, mu, density (factors on the baked values): "spoon.mu", or with several groups
 *                             "bridge.cables.mu"
 *   pairs:                    stiffness (of a point, N/m), friction, nodes (that a traversal may visit: its part of the
 *                             budget on the machine that runs), contact (cost of a point in contact, in nodes):
 *                             "hoses-part.stiffness" */

/* Returns the number of parameters. */
TAC_API int tac_world_parameter_count(const tacWorld *world);

/* Returns the parameter of an index, with its value now; an empty one, with `label` "", if there is none. */
TAC_API tacParameter tac_world_parameter(const tacWorld *world, int index);

/* Returns the index of the parameter of a name; -1 if there is none. */
TAC_API int tac_world_find_parameter(const tacWorld *world, const char *name);

/* Sets a parameter, between steps, from the thread that steps. TAC_ERR_ARGUMENT if the value is out of range; nothing
 * changes then. A parameter that is `in_tick` takes time in proportion to the body's vertices and allocates nothing.
 * Others take longer: set them only while no other thread uses the world. With simulate_every > 1 see
 * tac_world_start_simulation. */
TAC_API tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error);

/* ---- the step ---- */

/* Input of a tool for one step. */
typedef struct tacToolInput {
  tacVec3 position;      /* m: the tip x^H of a point tool, the grasp of a held body, or the middle of pads */
  double orientation[4]; /* of a held body, from its orientation at the start; of pads; point tools ignore it */
  bool grab;   /* holds the touched point or patch of the surface: it does not slide or release, and it pulls as well */
  bool lifted; /* true: the tool touches nothing, wherever it goes, and approaches from outside again afterwards */
  /* Of jaws: how far they are to close, 0 to 1; `grab` closes them fully. Cut to this range; NaN or infinite: 0. The jaws
   * follow at the speed of tacBodyToolDef.jaw_time. */
  double grip;
} tacToolInput;

/* Output of a tool after one step. All numbers are finite. */
typedef struct tacToolOutput {
  tacVec3 force;  /* on the hand, N: the reaction to the contact's force */
  tacVec3 torque; /* on the hand, N m */
  /* Where the tool's tip is shown: x^E in contact, else its position. For a held body its grasp; for pads their
   * middle. */
  tacVec3 proxy;
  double proxy_orientation[4]; /* of a held body and of pads */
  /* m: |x^H - x^C|. For a held body the deepest point of its pairs; for pads their distance from the device. */
  double depth;
  /* The contact. For a held body and pads: state, the other body, mean position and normal of the points, and the force
   * on that body. */
  tacContact contact;
  /* 1 or 0. 1: a coupling near its limit gives the held body less than nine tenths of the force that the hand feels, so
   * the body lags behind. */
  int32_t saturated;
} tacToolOutput;

/* Report of one step. */
typedef struct tacTickReport {
  int contact_count;
  /* Largest number of sweeps of the coupled contacts, and of steps of Newton's method. 0 or 1 if at most one tool
   * touches a body. */
  int sweeps;
  double residual;       /* m: how far the coupled contacts are from fulfilling their laws */
  double residual_force; /* N: likewise */
  int unsolved;          /* islands whose sweeps reached their limit: their laws hold only up to the residuals */
  int laws;              /* contacts that obeyed contact laws, also those of pairs by penalty (tacContactMethod) */
  int saturated;         /* loops that reached their limit (sliding, sweeps) in this tick */
  int uncoupled;         /* pairs of contacts whose mutual influence is not yet in memory and was left out */
  int refused;  /* invalid inputs, replaced by the tool's last valid one; bodies brought to rest; rejected requests */
  int limited;  /* bodies whose acceleration was limited */
  int touching; /* pairs of free bodies, and of free body and floor, in contact; of those that stepped in this tick */
  int visited;  /* nodes visited by the traversals of all pairs with springs */
  int points;   /* points of shells in contact, of all pairs with springs */
  int level;    /* deepest level rendered whole, the least of all pairs; 0 if there is no pair */
  int degraded; /* pairs whose deeper levels were left out, or rendered in part, to keep the budget */
  /* Bodies with a separate thread that take its ready result in the step that this tick began: one bit each, of the
   * first 32. */
  uint32_t renewed;
  /* Of worlds with simulate_every > 1: */
  bool taken;    /* this tick took the result of the last step of the bodies */
  int overdue;   /* ticks by which that result was late; the time of the bodies stood still for so long */
  double step;   /* s: processor time of the step whose result was taken */
  double within; /* s: processor time that this tick spent on a step of the bodies, if no thread does that */
  /* Of all worlds: */
  double error_estimate;  /* largest estimated model error of a body in the last eight ticks; 0.1 is 10 % */
  int error_body;         /* 1 + the index of that body; 0: no body has an error estimate above 0 */
  int coupling_saturated; /* number of tools with tacToolOutput.saturated */
} tacTickReport;

enum { TAC_WORLD_MOST_LOCAL = 48 }; /* contacts of the tools that a tick of a world with simulate_every > 1 considers */

/* Returns in how many steps of the bodies, since the reset, the ticks had no room for all contacts of the tools
 * (TAC_WORLD_MOST_LOCAL). `most` (may be NULL) receives the largest number of contacts left out. A contact that is left
 * out bears no force. 0 for a world with simulate_every 1. */
TAC_API int64_t tac_world_left_out(const tacWorld *world, int *most);

/* Steps the world by one tick. `inputs` and `outputs` have one entry for each tool. Outputs are always finite. A point
 * tool whose first position is inside a body touches nothing until it has left the body. If the world is not sealed or
 * an argument is NULL, nothing moves and `refused` of the report is 1; without tools, `inputs` and `outputs` may be
 * NULL. Tick: no allocation, no lock, bounded time. */
TAC_API void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);

/* Resets the world to its state after sealing: all tools free, all bodies undeformed, in their start poses and with
 * their start velocities. Parameters keep their values. Not in a tick. */
TAC_API void tac_world_reset(tacWorld *world);

/* ---- bodies simulated at a lower rate than tools are rendered ----
 *
 * A world with `simulate_every` N > 1 moves its bodies in steps of N ticks and its tools in every tick. For the tools
 * each tick solves a local problem: the contacts of the tools with what they touch or may touch soon, and the
 * compliance there. A tick hands over its inputs, and takes the result for the bodies N ticks later, or as soon as it
 * is ready. Forces on the hand do not jump then.
 *
 * Without a thread the steps of the bodies are done within ticks, for runs that need not be in time. After
 * tac_world_start_simulation a separate thread does them, and a tick neither waits for it nor takes a lock. Both give
 * the same bits as long as that thread is in time.
 *
 * Requests after the first tick (tac_world_set_parameter, tac_world_move_body, tac_world_push_body; at most 64 between
 * two steps) are done before the bodies' next step. Until then tac_world_parameter returns the previous value. A
 * request that turns out to be out of range changes nothing and is counted in `refused` of the tick that takes the
 * result of that step. A push gives the impulse of one tick. Parameters that are not `in_tick` are set at once.
 * Resetting, saving and loading wait for the step that runs, and find all requests done. */

/* Starts the threads of the simulation: one for the steps of the bodies if simulate_every > 1, and for any
 * simulate_every those of bodies with separate threads (tacBodyTable.thread). The world must be sealed. Load phase. */
TAC_API tacStatus tac_world_start_simulation(tacWorld *world, tacError *error);

/* Stops these threads; tac_world_destroy does so, too. NULL is allowed. Load phase. */
TAC_API void tac_world_stop_simulation(tacWorld *world);

/* ---- control by a host: between steps, from the thread that steps ----
 *
 * A world that is NULL or not sealed is an error. */

/* Returns the version of the loaded library, such as "1.2.3". Any thread and phase. */
TAC_API const char *tac_version(void);

/* Moves a body to `pose`, with the velocity that it has there (of its centre of mass, m/s) and the angular velocity
 * `spin` (rad/s); contacts use them to look ahead. The body is free, or it rests in a world that is `movable`; the
 * latter moves with its support, the held vertices. TAC_ERR_ARGUMENT if a tool holds the body, if the world is not
 * `movable`, if the body moves by its nodes and not by its frame, or if a number is NaN or infinite. */
TAC_API tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity,
                                      tacVec3 spin, tacError *error);

/* Applies an external force (N) in the next step only, at the point of the body's surface that is nearest to `at` (m).
 * At most 64 forces act in one step. */
TAC_API tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error);

/* Gets the pose of a body, the velocity of its centre of mass (m/s) and its angular velocity (rad/s); each may be NULL.
 * TAC_ERR_ARGUMENT if there is no such body. */
TAC_API tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity,
                                        tacVec3 *spin, tacError *error);

/* Returns the size of a saved state in bytes; 0 if the world is not sealed. */
TAC_API size_t tac_world_memory_size(const tacWorld *world);

/* Saves the whole state of the world, from which a run continues bit for bit: bodies, tools, and the memory of friction
 * and warm starts. Parameters are not part of it. `memory` has `size` bytes, at least tac_world_memory_size. Takes time
 * in proportion to the points of the shells. TAC_ERR_ARGUMENT while pads hold a body: their state cannot be saved. Load
 * phase, or between steps. */
TAC_API tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error);

/* Loads a state that tac_world_save wrote in this process, for this world or one built in the same way.
 * TAC_ERR_ARGUMENT if the size differs. TAC_ERR_ARGUMENT, and the world is reset, if a body rejects its state. Load
 * phase, or between steps. */
TAC_API tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error);

/* ---- display: snapshots ---- */

/* All that a display needs to show a moment. Plain data, made in a tick and handed to other threads. */
typedef struct tacSnapshot {
  int64_t tick;
  const double *state; /* tac_world_state, in memory of whoever made the snapshot; NULL: all bodies at rest */
  int tool_count;
  tacVec3 position[TAC_MOST_TOOLS];      /* tacToolInput.position */
  double orientation[TAC_MOST_TOOLS][4]; /* tacToolInput.orientation */
  bool lifted[TAC_MOST_TOOLS];           /* tacToolInput.lifted */
  tacToolOutput output[TAC_MOST_TOOLS];
  double given[TAC_MOST_TOOLS];    /* N: size of the force that the hand gets; that of `output` if `limits` is 0 */
  uint32_t limits[TAC_MOST_TOOLS]; /* TAC_LIMIT_*: why the hand does not get the force of `output` */
} tacSnapshot;

#define TAC_LIMIT_FORCE 1u    /* the device's force limit */
#define TAC_LIMIT_RATE 2u     /* the limit on how fast a force may change */
#define TAC_LIMIT_COUPLING 4u /* tacToolOutput.saturated */

/* Returns how many numbers the state of the world has; 0 if no body has a state. The state has, for each body in order,
 * those of these parts that apply:
 *
 *   - the shown part of its own state (tacBodyDescription.shown), for a body with coordinates its q (r numbers);
 *   - its pose, if it is free or held by a tool, or if the world is movable: position of its frame's origin (3, m) and
 *     orientation (4, quaternion w, x, y, z);
 *   - for an elastostatic body that meets other bodies, the forces of its contacts, each by triangle, three weights and
 *     force (7, N, body's frame);
 *   - for a body that pads may hold, its stiffness, and for each vertex that they may hold its number and the traction
 *     there (4, Pa, body's frame);
 *   - for a body that covers only some loads (tacBodyLooks.covers), the sum of what presses it (7): force, sum of the
 *     sizes of the forces, and sum of positions times these sizes;
 *   - for a body with an error estimate, that estimate (1).
 *
 * After all bodies follows, for each pair, the level to which it was rendered. */
TAC_API int tac_world_state_size(const tacWorld *world);

/* Copies the state into `state`, tac_world_state_size numbers. From the thread that steps. Tick: no allocation. */
TAC_API void tac_world_state(const tacWorld *world, double *state);

/* Returns the pose of a body in a snapshot; the identity if there is no such body. Any thread, no allocation. */
TAC_API tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);

/* Computes the deformed vertices of a body's surface in the world frame, m (James and Pai 2001, (35); Barbic 2007,
 * (3.6)). `vertices` has one entry for each vertex of tac_world_body_surface. Any thread, no allocation. */
TAC_API void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices);

/* Computes the tractions at the vertices, Pa, world frame: those of the contacts, spread by their masks, and those that
 * hold the fixed vertices. Zero for bodies without tractions, on which forces act at points. Any thread, no
 * allocation. */
TAC_API void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions);

/* Computes the value by which each vertex is coloured in a snapshot (TAC_COLOUR_*). `vertices` and `room` are scratch
 * with one entry for each vertex; `vertices` then holds the deformed vertices in the body's frame. Returns false, and
 * writes nothing to `values`, if the value is not known: for a body that does not deform, and stress for a kind that
 * does not compute it. Any thread, but one at a time for a body; no allocation. */
TAC_API bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour,
                               tacStressSum *room, tacVec3 *vertices, double *values);

/* Returns the estimated model error of a body in a snapshot: how far it is expected to be from the full model that it
 * stands for, under the same loads and at rest. It is |u - u_full| / |u_full| of displacements, as root mean square
 * over the surface; 0.1 is 10 %. -1 if there is no estimate. Any thread, no allocation. */
TAC_API double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);

#define TAC_ERROR_ESTIMATE_SOME 0.1 /* from this error estimate on, it is reported */
#define TAC_ERROR_ESTIMATE_MUCH 0.3 /* from this error estimate on, the body should not be trusted */

/* A contact of two bodies that obeys the laws of Signorini and Coulomb. World frame. */
typedef struct tacShownContact {
  int32_t body[2]; /* indices; -1: what never moves, or the tip of a point tool */
  tacVec3 at;      /* m: where the force acts on both */
  tacVec3 normal;  /* unit, out of the second body into the first */
  tacVec3 force;   /* N, on the first body; the second gets its opposite */
  double friction; /* Coulomb's coefficient */
  tacContactState state;
} tacShownContact;

/* Lists the contacts of the last step, including near ones that do not touch, at most `most`. Returns how many were
 * written. With simulate_every > 1 these are the contacts of the local problem of the last tick: those of tools with
 * their surroundings, including the tips of point tools. Between steps, from the thread that steps. */
TAC_API int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts);

/* Computes the values of a body's sensors in a snapshot, one sensor after the other: 3 numbers for a displacement (m),
 * 6 for a stress (Pa). Writes nothing for a body without sensors. Any thread, no allocation. */
TAC_API void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values);

TAC_END_DECLS

#endif
