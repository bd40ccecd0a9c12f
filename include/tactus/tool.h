/* Tools: definitions of the tools that touch bodies, and what a tool takes in and gives out in a tick.
 *
 * Example:
 *
 *     void add_tool(const tacBodyToolDef *def);  // defined by the program: calls tac_world_add_body_tool
 *     void step(const tacToolInput *input);      // defined by the program: calls tac_world_step
 *     tacBodyToolDef rod = tac_body_tool_def_default();
 *     rod.name = "rod";
 *     rod.stiffness = 800.0; // N/m
 *     add_tool(&rod);
 *     tacToolInput input = {{0.0, 0.0, 0.05}, {1.0, 0.0, 0.0, 0.0}, false, false, 0.0};
 *     step(&input);
 *
 * Units and frames: SI units: m, N, N m, N/m, rad, s, kg. Positions and forces are in the world frame unless a comment
 * names the body's frame. Orientations are unit quaternions w, x, y, z.
 *
 * Phases and threads: a program passes the definitions to a world in the load phase, with tac_world_add_point_tool and
 * similar functions of <tactus/world.h>. tac_world_step takes inputs and gives outputs in every tick. All types are
 * plain data and may be copied between threads. The functions may be called in any phase, on any thread. */
#ifndef TACTUS_TOOL_H
#define TACTUS_TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/contact.h>

TAC_BEGIN_DECLS

enum { TAC_MOST_TOOLS = 16 }; /* limit of tools in a world */

/* Id of a body in a world. `generation` identifies the world, so a world rejects the ids of other worlds. {0, 0} is
 * the id of no body. */
typedef struct tacBodyId {
  uint32_t index, generation;
} tacBodyId;

/* ---- definitions: load phase ---- */

/* A tool that touches bodies at a point, or a fingertip that presses a round patch of the surface. */
typedef struct tacPointToolDef {
  const char *name; /* name of the tool; must be unique in the world and not empty */
  double radius;    /* radius of a fingertip's contact with a soft body, m; default 0: a point tool */
} tacPointToolDef;

/* Returns a definition with the defaults that the comments of tacPointToolDef state. */
TAC_API tacPointToolDef tac_point_tool_def_default(void);

/* Kind of virtual coupling between the device and the held body (Barbic 2007, chapter 4). */
typedef enum tacCouplingKind {
  TAC_COUPLING_STATIC, /* quasi-static coupling: each step moves the body towards equilibrium, without inertia */
  TAC_COUPLING_DYNAMIC /* dynamic coupling: a spring and a damper move the body, which has a mass */
} tacCouplingKind;

enum { TAC_MOST_JAWS = 2 }; /* limit of jaws of a grasper */

/* A jaw of a grasper: a rigid body that turns about a hinge of the held body. The grasper is open when jaw and held
 * body are in their start poses. */
typedef struct tacJawDef {
  tacBodyId body; /* id of the jaw; a jaw belongs to only one tool */
  tacVec3 hinge;  /* point on the axis of the hinge, m, frame of the held body */
  tacVec3 axis;   /* direction of the hinge's axis, frame of the held body; the jaw closes by the right-hand rule */
} tacJawDef;

/* A tool that holds a body. The body is rigid, or it is a reduced body with fixed vertices, which then move with
 * the tool. The device gives a target pose, and a virtual coupling pulls the held body towards the target pose
 * (Barbic 2007, chapter 4). */
typedef struct tacBodyToolDef {
  const char *name; /* name of the tool; must be unique in the world and not empty */
  tacBodyId body;   /* id of the held body; only one tool can hold a body */
  /* Point at which the device holds the body, m, body's frame. The input of the tool is the position of this point,
   * and the rotation of the body from its orientation at the start. While the tool is lifted, the body rests, and
   * no force acts on the hand. */
  tacVec3 grasp;
  tacCouplingKind coupling; /* kind of coupling; default static */
  double stiffness;         /* stiffness k_VC of the coupling, N/m; default 600 */
  /* Rotational stiffness of the coupling, N m; default 0.5: the torque is turn_stiffness sin(angle / 2). */
  double turn_stiffness;
  /* Limit of the coupling's force, N: the force saturates beyond half of the limit; default 0: no saturation. */
  double force_most;
  /* Limit of the coupling's torque, N m: the torque saturates beyond half of the limit; default 0: no saturation. */
  double torque_most;
  double static_damping;        /* damping alpha of a static coupling, 0 to below 1; default 0.5 */
  double speed_most, turn_most; /* limits of the body's speed, m/s, and of its angular speed, rad/s; default 1 and 10 */
  /* Mass of the held body for a dynamic coupling, kg; default 0.1. The mass is used only if the body has no inertia
   * of its own. The moments of inertia are then those of a solid ball of the body's radius. */
  double mass;
  double damping_ratio; /* damping ratio of a dynamic coupling; default 1 */
  /* Largest distance between tool and body surface for grasping, m; default 0: the tool always holds the body. With
   * a positive reach, the tool grasps the body when `grab` is pressed and the tool's position is closer to the
   * surface than `reach`. The tool then holds the body until `grab` is released. The relative pose of tool and body
   * stays as it was when the tool grasped the body. After the release the body rests at its pose, and the force on
   * the hand fades within 20 ms. */
  double reach;
  /* True for an instrument through a trocar; default false. The shaft is the line from `grasp` to `pivot` in the
   * start pose of the body. The pivot stays on this line. The device gives the position of the grasp and the roll
   * of the shaft. The positions of grasp and pivot give the tilt of the shaft. At rest, the law of the lever
   * relates a force at the tip to the force on the hand. `turn_stiffness` is the stiffness of the roll. */
  bool trocar;
  tacVec3 pivot; /* fixed point on the shaft, m, world frame; at least 1 mm from the grasp at the start */
  /* A grasper has jaws that close together, as far as the input `grip` requests. All jaws turn by one angle, which
   * is an additional coordinate. A motor turns the jaws at a finite speed, with a limited torque. */
  int jaw_count;                 /* number of jaws, at most TAC_MOST_JAWS; default 0; with jaws, `reach` must be 0 */
  tacJawDef jaws[TAC_MOST_JAWS]; /* jaws of the grasper; the first `jaw_count` entries are used */
  double jaw_angle;              /* rotation of each jaw from open to closed, rad, less than pi; default 0.5 */
  double jaw_time; /* time in which the motor turns the jaws from open to closed or back, s; default 0.5 */
  /* Limit of the motor's torque, N m; default 0.1. Two jaws press with jaw_torque / (2 l) each at a distance l from
   * the hinge. */
  double jaw_torque;
} tacBodyToolDef;

/* Returns a definition with the defaults that the comments of tacBodyToolDef state. */
TAC_API tacBodyToolDef tac_body_tool_def_default(void);

/* A tool with one or two pads that hold patches of a body's surface, such as a finger pad or a gripper (James and
 * Pai 2001, sections 4 and 5). A pad is a rigid disc. The position of the tool is the middle between its pads.
 *
 * The body must be elastostatic, with all its Green's functions stored. At most four pads of all tools together are
 * on one body. Each pad holds at most the 32 vertices that are nearest to the pad. Pads on the same body interact
 * with each other. Pads do not respond to point tools on the same body, nor to contacts of the body with other
 * bodies. */
typedef struct tacPadToolDef {
  const char *name; /* name of the tool; must be unique in the world and not empty */
  tacBodyId body;   /* id of the body that the pads hold */
  double radius;    /* radius of a pad, m; default 6 mm */
  /* Way in which a pad holds the surface; default TAC_PAD_STICK. A pad that sticks takes hold when `grab` is
   * pressed, and releases the surface when `grab` is released. A pad with TAC_PAD_PRESS presses always. */
  tacPadHold hold;
  double friction; /* coefficient of friction of pads that press; default 0.5; INFINITY: the pads never slip */
  /* Distance between two pads, m; default 0: one pad. Two pads face each other at +-opening/2 along the tool's x
   * axis. */
  double opening;
  tacVec3 approach; /* unit vector from a single pad into the body, at identity orientation; default -z */
  double stiffness; /* stiffness of the coupling between device and pads, N/m; default 600 */
  /* Rotational stiffness of the coupling, N m; default 0.5: the torque is turn_stiffness sin(angle / 2). */
  double turn_stiffness;
  /* Limits of the speed, m/s, and angular speed, rad/s, of pads that hold the surface; default 1 and 10. The speed
   * is also limited to a quarter of the radius per step, and the angular speed to 0.2 rad per step. */
  double speed_most, turn_most;
} tacPadToolDef;

/* Returns a definition with the defaults that the comments of tacPadToolDef state. */
TAC_API tacPadToolDef tac_pad_tool_def_default(void);

/* ---- a tick ---- */

/* Input of a tool for one step. */
typedef struct tacToolInput {
  /* Position of the tool, m: the tip x^H of a point tool, the grasp of a held body, or the middle between pads. */
  tacVec3 position;
  /* Orientation of pads, or rotation of a held body from its start orientation; unit quaternion w, x, y, z; point
   * tools ignore it. */
  double orientation[4];
  /* True: the tool holds the touched point or patch, which then neither slides nor separates, even under tension. */
  bool grab;
  /* True: the tool touches nothing at any position. When `lifted` becomes false, the tool approaches bodies from
   * outside again. */
  bool lifted;
  /* Requested closing of the jaws, 0 (open) to 1 (closed); `grab` closes the jaws fully. The value is cut to this range,
   * and NaN or infinite counts as 0. The jaws follow at the speed of tacBodyToolDef.jaw_time. */
  double grip;
} tacToolInput;

/* Output of a tool after one step. All numbers are finite. */
typedef struct tacToolOutput {
  tacVec3 force;  /* force on the hand, N: the reaction to the contact force */
  tacVec3 torque; /* torque on the hand, N m */
  /* Position at which the tool is shown, m. For a point tool, the proxy x^E (tacContact.deformed) in contact, and
   * otherwise the position of the tool; for a held body, the position of the grasp; for pads, the middle between
   * the pads. */
  tacVec3 proxy;
  double proxy_orientation[4]; /* orientation of a held body or of pads, unit quaternion w, x, y, z */
  /* Depth of contact, m. For a point tool, |x^H - x^C|, where x^H is the tip and x^C the contact point
   * (tacContact.at); for a held body, the depth of the deepest point of its pairs; for pads, the distance between
   * pads and device. */
  double depth;
  /* Contact of the tool. For a held body or pads, position and normal are means over the contact points, and the
   * body and the force are those of the other body. */
  tacContact contact;
  /* 1 if a coupling is near its limit, otherwise 0. The force on the held body is then less than nine tenths of the
   * force on the hand. So the body lags behind. */
  int32_t saturated;
} tacToolOutput;

/* Report of one step. */
typedef struct tacTickReport {
  int contact_count;
  /* Largest number of sweeps over coupled contacts, and of steps of Newton's method; 0 or 1 if at most one tool
   * touches a body. */
  int sweeps;
  double residual;       /* residual of the laws of the coupled contacts, m */
  double residual_force; /* residual of the laws of the coupled contacts, N */
  /* Number of contact islands whose solver reached its limit of sweeps: the laws hold only up to the residuals. */
  int unsolved;
  int laws;      /* number of contacts that obeyed contact laws, including those of penalty pairs (tacContactMethod) */
  int saturated; /* number of loops (sliding, sweeps) that reached their limit in this tick */
  int uncoupled; /* number of pairs of contacts whose mutual influence was neglected because it is not yet in memory */
  /* Number of invalid inputs (replaced by the last valid input of the tool), bodies brought to rest, and rejected
   * requests. */
  int refused;
  int limited; /* number of bodies whose acceleration was limited */
  /* Number of pairs in contact: two free bodies, or a free body and the floor. Only bodies that stepped in this
   * tick are considered. */
  int touching;
  int visited; /* number of nodes visited by the traversals of all pairs with penalty springs */
  int points;  /* number of pointshell points in contact, of all pairs with penalty springs */
  int level;   /* deepest level that was rendered completely, minimum over all pairs; 0 if there is no pair */
  /* Number of pairs whose deeper levels were omitted or only partly rendered because of the time budget. */
  int degraded;
  /* Bit set with one bit for each of the first 32 bodies that have a separate thread. A bit is 1 if the body takes
   * a result of its thread in the step that begins in this tick. */
  uint32_t renewed;
  /* Members for worlds with simulate_every > 1: */
  bool taken;  /* true: this tick took the result of the last step of the bodies */
  int overdue; /* number of ticks by which the result was late; meanwhile the bodies stand still */
  double step; /* processor time of the step whose result was taken, s */
  /* Processor time that this tick spent on a step of the bodies, s; 0 if a separate thread computes the steps. */
  double within;
  /* Members for all worlds: */
  double error_estimate; /* largest estimated model error of a body in the last eight ticks; 0.1 is 10 % */
  int error_body;        /* 1 + index of the body with the largest estimate; 0: no body has an error estimate above 0 */
  int coupling_saturated; /* number of tools whose tacToolOutput.saturated is 1 */
} tacTickReport;

enum { TAC_WORLD_MOST_LOCAL = 48 }; /* limit of the tool contacts that a tick considers if simulate_every > 1 */

TAC_END_DECLS

#endif
