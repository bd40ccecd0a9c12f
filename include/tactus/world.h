/* A world: bodies, the tools that touch them, and one step of both.
 *
 * Load phase: create, add bodies and tools, seal. After tac_world_seal a step allocates nothing, takes no lock, does no I/O
 * and cannot fail: what saturates is counted in its report. Frames: the world's, metres, newtons. */
#ifndef TACTUS_WORLD_H
#define TACTUS_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include <tactus/distance_field.h>

TAC_BEGIN_DECLS

enum { TAC_MOST_TOOLS = 16 };

typedef struct tacWorld tacWorld;

/* Generational: an id of another world or of nothing is refused. {0, 0} is none. */
typedef struct tacBodyId {
  uint32_t index, generation;
} tacBodyId;

typedef struct tacWorldDef {
  double period; /* seconds between steps; default 0.001 */
  double
      budget; /* s of a step that the pairs' contacts may take; default 0: as long as it takes. tac_world_keep_budget */
  bool movable; /* bodies may be moved by tac_world_move_body: snapshots hold the poses of all; default false */
  tacContactMethod method; /* of contacts that nobody chose one for: those of free bodies; default penalty */
  /* Ticks of one step of the bodies, 1 to 100; default 1. With more the world is simulated slower than it is rendered: see
   * tac_world_start_simulation. */
  int simulate_every;
  tacLawsDef laws; /* of the contacts of free bodies that are in no pair */
} tacWorldDef;

TAC_API tacWorldDef tac_world_def_default(void);
TAC_API tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error);
TAC_API void tac_world_destroy(tacWorld *world);        /* NULL is allowed */
TAC_API double tac_world_period(const tacWorld *world); /* of a tick */

/* ---- bodies ---- */

/* What all bodies have, whatever their kind. */
typedef struct tacBodyDef {
  const char *name;         /* unique in the world */
  const char *kind;         /* what it is called where it is told; "" where it does not matter */
  tacPose pose;             /* of the body's frame in the world, at the start */
  bool free;                /* moves under forces; it must have an inertia. Else it rests, or a tool holds it */
  tacVec3 velocity, spin;   /* of a free one at the start: of its centre, m/s; rad/s */
  tacVec3 gravity;          /* m/s^2, world frame */
  int every;                /* ticks from one step of this body to the next; 1 */
  double friction;          /* Coulomb's coefficient */
  double touch_stiffness;   /* N/m; of the spring between a point tool and its point on the surface */
  double touch_damping;     /* N s/m; brakes the point that is touched, not the hand */
  double contact_stiffness; /* N/m and N s/m; of free bodies where they meet others by penalty */
  double contact_damping;
  tacBodyShown shown;
} tacBodyDef;

/* The half space below which free bodies do not fall: n.x >= offset. None before this is called. */
typedef struct tacFloorDef {
  tacVec3 normal; /* unit */
  double offset;  /* m */
  double friction;
} tacFloorDef;
TAC_API tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error);

/* A tool that touches at a point, or a fingertip that presses a round patch there. Tools are numbered in the order in which they are
 * added. */
typedef struct tacPointToolDef {
  const char *name; /* unique in the world */
  double radius;    /* m: of a fingertip's contact with a soft body; 0: a point */
} tacPointToolDef;
TAC_API tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error);

/* A tool that holds a body: a rigid one, or an anchored reduced one, whose held vertices then move with the tool. The device leads
 * another copy of it, and a virtual coupling pulls the body there (Barbic 2007, chapter 4). */
typedef enum tacCouplingKind { TAC_COUPLING_STATIC, TAC_COUPLING_DYNAMIC } tacCouplingKind;
/* A jaw: a rigid body that turns about a hinge of the body that its tool holds, from how both lie at the start (open). */
enum { TAC_MOST_JAWS = 2 };
typedef struct tacJawDef {
  tacBodyId body; /* of one tool alone */
  tacVec3 hinge;  /* m, held body's frame: a point of the axis, */
  tacVec3 axis;   /* likewise: its direction. The jaw closes by the right-hand rule */
} tacJawDef;
typedef struct tacBodyToolDef {
  const char *name; /* unique in the world */
  tacBodyId body;   /* of one tool alone */
  /* Where the device holds it, m, body frame: the tool's input is the place of this point and how far the body is turned from its
   * orientation at the start. While the tool is lifted, the body rests and the hand feels nothing. */
  tacVec3 grasp;
  tacCouplingKind coupling;
  double stiffness;             /* k_VC, N/m */
  double turn_stiffness;        /* N m */
  double force_most;            /* N: beyond half of this the coupling's force saturates; 0: none */
  double torque_most;           /* N m, likewise */
  double static_damping;        /* alpha, 0 to <1 */
  double speed_most, turn_most; /* m/s, rad/s of the body */
  double mass;                  /* kg, of a dynamic coupling: with the moments of a solid ball of the body's radius */
  double damping_ratio;
  /* m: 0, the default: it always holds the body. Else it takes hold while `grab` is pressed, if its place is nearer than this to the body's
   * surface then, as both are, and the body rests where it was let go. What the hand felt of it then ends within 20 ms. */
  double reach;
  /* An instrument through a trocar: the line from its grasp to the pivot, as the body lies at the start, is its shaft, and the pivot stays on
   * it. The device then says where the grasp is and how far the shaft is rolled; how it is tilted follows. At rest a push at the
   * tip is felt by the law of the lever. `turn_stiffness` is that of the roll. */
  bool trocar;
  tacVec3 pivot; /* m, world */
  /* A grasper: jaws that close together, as far as the input's `grip` says. All turn by one angle, which is a coordinate of its own: a
   * motor leads it there at a finite speed, with at most its torque. */
  int jaw_count;
  tacJawDef jaws[TAC_MOST_JAWS];
  double jaw_angle;  /* rad: by which each turns from open to closed; less than pi */
  double jaw_time;   /* s in which the motor's end goes that far, either way */
  double jaw_torque; /* N m, the motor's most: what two jaws press with at a lever l is jaw_torque / (2 l) each */
} tacBodyToolDef;
/* Static, 600 N/m, 0.5 N m, no saturation, damping 0.5, 1 m/s, 10 rad/s; 0.1 kg, ratio 1; no jaws, which would close by 0.5 rad in 0.5 s
 * with 0.1 N m. */
TAC_API tacBodyToolDef tac_body_tool_def_default(void);
TAC_API tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error);

/* A tool that takes hold of patches of a body's surface with one or two pads, rigid discs (James and Pai 2001, sections
 * 4 and 5): a finger pad, or a gripper. Its place is the middle between its pads. The body is an elastostatic one whose
 * Green's functions are stored whole. At most four pads of all tools together are on one body, and each holds at most
 * the 32 vertices that are nearest to it. Pads feel each other; they do not feel point tools on the same body, nor its
 * contacts with others. */
typedef struct tacPadToolDef {
  const char *name; /* unique in the world */
  tacBodyId body;
  double radius;         /* m, of a pad */
  tacPadHold hold;       /* sticks while `grab` is pressed, from where it was pressed; or presses always */
  double friction;       /* of pads that press; INFINITY: they never slip */
  double opening;        /* m: 0: one pad; else two that face each other, at +-opening/2 along the tool's x axis */
  tacVec3 approach;      /* unit: where one pad looks, into the body, with the tool at identity orientation */
  double stiffness;      /* of the coupling between device and pads, N/m */
  double turn_stiffness; /* N m: the torque is this times sin(angle / 2) */
  /* m/s, rad/s: of pads that hold something. Lower where that is a quarter of the radius or 0.2 rad a step. */
  double speed_most, turn_most;
} tacPadToolDef;
/* Sticks, one pad of 6 mm that looks along -z, friction 0.5; 600 N/m, 0.5 N m, 1 m/s, 10 rad/s. */
TAC_API tacPadToolDef tac_pad_tool_def_default(void);
TAC_API tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error);

/* Two bodies in distributed contact: the points of one against the field of the other (Barbic 2007, chapter 3). A body may be in
 * several pairs. */
typedef struct tacPairDef {
  tacBodyId points, field;
  /* k_C, N/m of one point. Default 0: as stiff as lets the world's free bodies, all that it has when the pair is added, and a push of 5 N
   * sink in by a hundredth of the thinner body. */
  double stiffness;
  double full_count; /* L: with more points in contact each is softer; default 10 */
  double
      ramp; /* m of depth over which a point comes to count; default 0: a fifth of the field's voxel, or of the spacing */
  double friction;         /* Coulomb's coefficient; default 0 */
  double tangential;       /* stiffness of sticking over `stiffness`; default 0.5 */
  bool area_weights;       /* points count by their areas; default true */
  int level_most;          /* deeper levels are not used; default all */
  tacContactMethod method; /* default penalty; Signorini's takes of the above friction and levels alone */
  tacLawsDef laws; /* of contacts that obey them. Where surfaces are looked at neither points nor a field are needed */
} tacPairDef;
TAC_API tacPairDef tac_pair_def_default(void);
TAC_API tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error);

/* Allocates everything that steps need. Nothing can be added afterwards. */
TAC_API tacStatus tac_world_seal(tacWorld *world, tacError *error);
TAC_API bool tac_world_is_sealed(const tacWorld *world); /* false for NULL */

TAC_API int tac_world_body_count(const tacWorld *world);
TAC_API tacBodyId tac_world_body(const tacWorld *world, int index);
TAC_API tacBodyId tac_world_find_body(const tacWorld *world, const char *name); /* {0, 0}: none */
TAC_API const char *tac_world_body_name(const tacWorld *world, tacBodyId id);
/* As in scenes: "rigid", "green", ...; NULL where there is no such body. */
TAC_API const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id);
/* The surface that is touched and shown, at rest in the body's frame, and which of its vertices are fixed. */
TAC_API const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id);
TAC_API const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id);
TAC_API tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id); /* at the start */
TAC_API int tac_world_tool_count(const tacWorld *world);
/* The body that a tool holds; {0, 0} for point tools and pads. And where, in the body's frame. */
TAC_API tacBodyId tac_world_tool_body(const tacWorld *world, int tool);
TAC_API tacVec3 tac_world_tool_grasp(const tacWorld *world, int tool);
/* J, after the last step: what the bodies hold that it touches, and those that touch these, which they may give back to it; of all bodies
 * where it touches none. Elastic and kinetic energy and, of free bodies, that of their weight, above the least that each has had since
 * the start, and the springs of point tools on them; and the kinetic energy of a body that the tool holds by a dynamic coupling. Bodies that
 * rest hold nothing, nor do elastostatic ones beyond their contact; kinds that do not know count for nothing. For tac_guard_set_stored. */
TAC_API double tac_world_tool_stored(const tacWorld *world, int tool);
TAC_API const char *tac_world_tool_name(const tacWorld *world, int tool);
/* The largest stiffness that any contact on this body renders, N/m (largest eigenvalue). */
TAC_API double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id);

/* What may be changed while a world is used. Of each elastostatic body its stiffness (factor), friction (coefficient) and mask
 * (radius, m). Of each body with coordinates its stiffness (factor on all elasticity), friction, damping (beta, s), touch (N/m), linear
 * (0 or 1), where its model has it strain_rate (s), and by group of material lambda, mu and density (factors on what was baked): "spoon.mu", or with several groups
 * "bridge.cables.mu". Of each pair, as "hoses-part.stiffness", stiffness (of a point, N/m), friction, nodes (that a traversal may
 * visit: its part of the budget on the machine that runs) and contact (what a point in contact costs beside, in nodes). Parameters are numbered through
 * all bodies and then all pairs; worlds with the same bodies and pairs number them alike. */
TAC_API int tac_world_parameter_count(const tacWorld *world);
TAC_API tacParameter tac_world_parameter(const tacWorld *world, int index);
TAC_API int tac_world_find_parameter(const tacWorld *world, const char *name); /* -1: none */
/* From the thread that steps. Values out of range change nothing and are TAC_ERR_ARGUMENT. In time proportional to the body's
 * vertices and without allocation for those that are `in_tick`. */
TAC_API tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error);

/* ---- the step ---- */

typedef struct tacToolInput {
  tacVec3 position;      /* the probe's tip x^H, or the grasp of a held body, or the middle of pads, m */
  double orientation[4]; /* of a held body, from how it lies at the start; of pads; not used by point tools */
  bool grab;             /* holds the touched surface point or patch: no sliding, no release, pulls as well */
  bool lifted;           /* touches nothing, wherever it goes, and then comes from outside again */
  double grip;           /* of jaws: how far they are to close, 0 to 1; `grab` closes them all the way */
} tacToolInput;

typedef struct tacToolOutput {
  tacVec3 force;  /* on the hand, N: the reaction of the contact's */
  tacVec3 torque; /* on the hand, N m */
  /* Where the tool's tip is shown: x^E in contact, else its position. Of a held body: its grasp; of pads: their
   * middle. */
  tacVec3 proxy;
  double proxy_orientation[4]; /* of a held body and of pads */
  /* m: |x^H - x^C|; of a held body the deepest point of its pairs; of pads, how far they are from where the device
   * is. */
  double depth;
  /* Of a held body: state, the other body, mean place and normal of the points, force on that body. Likewise of
   * pads. */
  tacContact contact;
  /* Of a held body: its coupling gives it less than nine tenths of what the hand feels, since it is near its most: the body stays
   * behind. */
  int32_t saturated; /* 1 or 0 */
} tacToolOutput;

typedef struct tacTickReport {
  int contact_count;
  int sweeps; /* of the coupled contacts, and steps of Newton's method, where most were needed; 0 or 1 where at most one tool touches a body */
  double residual;       /* m: how far the coupled contacts are from their laws, */
  double residual_force; /* N: likewise */
  int unsolved;          /* islands whose sweeps met their bound: their laws hold to the residuals alone */
  int laws;              /* contacts that obeyed laws */
  int saturated;         /* loops that met their bound (sliding, sweeps) in this tick */
  int uncoupled;         /* pairs of contacts whose mutual influence is not yet in memory and was left out */
  int refused;           /* inputs that were not finite: the tool's last good input was used; bodies brought to rest */
  int limited;           /* bodies whose acceleration was limited */
  int touching; /* pairs of free bodies, and free bodies and floor, that touch; of those that stepped in this tick */
  int visited;  /* nodes of all pairs' traversals */
  int points;   /* of shells in contact, of all pairs */
  int level;    /* the deepest level rendered whole, the least of all pairs; 0 where there is no pair */
  int degraded; /* pairs whose deeper levels were left out, or rendered in part, to keep the budget */
  /* Of worlds that are simulated slower than they are rendered: */
  /* Bodies with threads of their own that take what is ready, in the step that this tick began: a bit each, of the first 32. */
  uint32_t renewed;
  bool taken;    /* this tick took what the bodies did in their last step */
  int overdue;   /* ticks by which that was late: the bodies' time has stood still for so long */
  double step;   /* s of a processor that the step took which was taken */
  double within; /* s of a processor that this tick spent on a step, where no thread does that */
  /* The largest expected error of a body (tac_world_body_error_estimate), of the last eight ticks; 0.1 is 10 %; */
  double error_estimate;
  int error_body;         /* 1 + which body that is; 0: none that knows is in doubt */
  int coupling_saturated; /* tools whose coupling is: tacToolOutput.saturated */
} tacTickReport;

/* Of worlds of two rates, since reset: steps of the bodies between which ticks had no room for all contacts of the tools, and by how many at
 * most (NULL is allowed). What is left out bears no force; ticks look at TAC_WORLD_MOST_LOCAL. */
enum { TAC_WORLD_MOST_LOCAL = 48 };
TAC_API int64_t tac_world_left_out(const tacWorld *world, int *most);

/* One step. `inputs` and `outputs` have one entry a tool. Outputs are always finite. Of a world that is NULL or not sealed nothing moves,
 * and the report says `refused`. */
TAC_API void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);
/* As after sealing: all tools free, all bodies at rest where they were put. Parameters stay as they are. */
TAC_API void tac_world_reset(tacWorld *world);

/* ---- simulated slower than rendered ---- */

/* A world with `simulate_every` N > 1 moves its bodies in steps of N ticks, and its tools in every tick: with a local problem, the
 * contacts of the tools with what they touch or may touch soon, and how that gives way. It hands over its inputs in one tick, and takes
 * what became of the bodies N ticks later, or as soon as it is there; nothing that is felt jumps then.
 *
 * Without a thread the steps are done within ticks: runs that need not be in time. After tac_world_start_simulation a thread does them,
 * and a tick neither waits for it nor locks. Both do the same, to the last bit, as long as that thread is in time. Bodies that have
 * threads of their own (tacBodyTable.start) get them, too, whatever N is. Load phase.
 *
 * What is asked for after the first tick (tac_world_set_parameter, _move_body, _push_body; at most 64 between two steps)
 * is done before the bodies' next step. Until then tac_world_parameter tells the value before; one that turns out to be
 * out of range changes nothing and is counted by `refused` where that step is taken. A push gives the impulse of one
 * tick. Parameters that are not `in_tick` are set at once; a reset, a saved and a loaded state wait for the step under
 * way, and find all set. */
TAC_API tacStatus tac_world_start_simulation(tacWorld *world, tacError *error);
TAC_API void tac_world_stop_simulation(tacWorld *world); /* NULL is allowed; as tac_world_destroy does */

/* ---- what a host does beside ---- */

/* The version of the library that runs: "1.2.3". */
TAC_API const char *tac_version(void);

/* These are for between steps, from the thread that steps. A world that is NULL or not sealed is an error.
 *
 * Puts a body elsewhere: one that rests, with its support (its held vertices), where the world is `movable`; or a free one. With the
 * velocity that it has there (of its centre, m/s; rad/s), by which contacts look ahead. */
TAC_API tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity,
                                      tacVec3 spin, tacError *error);
/* A force from outside in the next step alone (N), at the point of the surface that is nearest to `at`; world frame. */
TAC_API tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error);
/* Where it is and how it moves; each may be NULL. */
TAC_API tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity,
                                        tacVec3 *spin);
/* The whole state of a sealed world as bytes, from which it goes on bit for bit: bodies, tools, what friction and warm starts remember.
 * For this process and this world, or one made alike; parameters are not in it. Load phase or between steps: takes time in
 * proportion to the points of shells. While pads hold a body it is not saved: an error. */
TAC_API size_t tac_world_memory_size(const tacWorld *world); /* 0 where it is not sealed */
TAC_API tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error);
TAC_API tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error);

/* ---- what to show ---- */

/* Everything that display needs of a moment; plain data, made in a tick and handed to other threads. */
typedef struct tacSnapshot {
  int64_t tick;
  const double *state; /* tac_world_state; NULL: all bodies at rest. Memory of whoever made the snapshot */
  int tool_count;
  tacVec3 position[TAC_MOST_TOOLS]; /* of the probes */
  double orientation[TAC_MOST_TOOLS][4];
  bool lifted[TAC_MOST_TOOLS];
  tacToolOutput output[TAC_MOST_TOOLS];
  double given[TAC_MOST_TOOLS];    /* N: length of the force that the hand gets; that of `output` where `limits` is 0 */
  uint32_t limits[TAC_MOST_TOOLS]; /* TAC_LIMIT_*: what kept it from that */
} tacSnapshot;
#define TAC_LIMIT_FORCE 1u    /* the device's largest force */
#define TAC_LIMIT_RATE 2u     /* how fast a force may change */
#define TAC_LIMIT_COUPLING 4u /* tacToolOutput.saturated */

/* The state of the bodies that have one: for each body with coordinates its q (r numbers); for each body that is free or held
 * by a tool the position of its frame's origin (3, m) and its orientation (4, quaternion w, x, y, z); for each body
 * that pads may hold its stiffness, and for each vertex that they may hold its number and the traction there (4,
 * Pa); for each that answers only some loads (tacBodyTable.covers) the sum of what presses it (7); for each that knows its doubt that; after all bodies, for each pair the level to
 * which it was rendered. Tick: copies without allocation. */
TAC_API int tac_world_state_size(const tacWorld *world); /* 0 where no body has a state */
TAC_API void tac_world_state(const tacWorld *world, double *state);
/* The pose of a body in a snapshot. */
TAC_API tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);

/* Deformed vertices of a body's surface in the world frame (James and Pai 2001, (35); Barbic 2007, (3.6)); any thread, no
 * allocation. */
TAC_API void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices);
/* Tractions at the vertices, Pa, world frame: of the contacts, spread by their masks, and of what holds the fixed vertices. */
TAC_API void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions);
/* What each vertex is coloured by in that moment: TAC_COLOUR_*. `vertices` and `room` have one for each vertex; the vertices are left
 * deformed, in the body's frame. False where it is not known of this body, then nothing is written to `values`: bodies that do not
 * deform have neither, and stress is known of those that tell it. One thread at a time for a body, any; no allocation. */
TAC_API bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour,
                               tacVec3 *vertices, tacStressSum *room, double *values);
/* How far a body in that moment is expected to be from the full model that it stands for, under the same loads and at rest:
 * |u - u_full| / |u_full| of displacements, in the root of the mean square over its surface. -1: it does not know. */
TAC_API double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id);
/* From which on something is said of it, and from which on the body should not be trusted. */
#define TAC_ERROR_ESTIMATE_SOME 0.1
#define TAC_ERROR_ESTIMATE_MUCH 0.3
/* A contact of two bodies that obeys the laws of Signorini and Coulomb, world frame. */
typedef struct tacShownContact {
  int32_t body[2]; /* indices; -1: what never moves, or the tip of a point tool */
  tacVec3 at;      /* m: where the force acts on both */
  tacVec3 normal;  /* unit, out of the second body into the first */
  tacVec3 force;   /* N, on the first body; the second gets its opposite */
  double friction; /* Coulomb's coefficient */
  tacContactState state;
} tacShownContact;
/* Those of the last step, near ones that do not touch among them: at most `most`; returns how many were written. Between steps,
 * from the thread that steps. Of worlds that are simulated slower than they are rendered those of the local problem that the last tick
 * solved: of tools with what surrounds them, tips of point tools among them. */
TAC_API int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts);
/* Rows of the body's sensors (m, Pa) in that moment, one sensor after the other. */
TAC_API void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values);

TAC_END_DECLS

#endif
