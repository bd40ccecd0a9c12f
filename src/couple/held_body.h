/* Tool that holds a body (Barbic 2007, chapter 4). The device moves one copy of the body. A virtual coupling connects
 * this copy to the simulated body, which has contacts. Mass and force of the coupling give six equations for the motion
 * of the body's frame. A tool with jaws has a seventh equation, for the angle of the jaws. */
#pragma once

#include <tactus/tool.h>
#include "body/body.h"
#include "body/frame.h"
#include "collide/body_surface.h"
#include "couple/coupling.h"

/* A jaw of a tool. Vectors are in the frame of the held body. */
typedef struct tacJaw {
  int body;
  tacVec3 hinge, axis; /* point on the hinge axis, m; unit direction of the hinge axis */
  tacVec3 place;       /* position of the jaw's frame when the jaws are open */
  tacQuat turn;        /* orientation of the jaw's frame when the jaws are open */
} tacJaw;

/* Force that remains on a hand after the tool released a body. A spring with a force limit produces this force. The
 * limit starts at the force at release and falls to zero. Above the limit the spring slips. So the force has no jump,
 * and the hand gains at most the energy stored in the coupling. */
typedef struct tacHeldLeft {
  tacWrench wrench;
  double force, torque; /* magnitudes of force and torque at release, N and N m */
  double share;         /* force limit divided by the magnitude at release, 1 to 0 */
} tacHeldLeft;

/* Stiffness that a held body felt in its last step, from its coupling and its contacts. */
typedef struct tacHeldMet {
  bool known; /* true if the matrices are valid and the body was in contact */
  /* matrix A of the coupling; Cholesky factor of A + K, where K is the stiffness matrix of the contacts */
  double own[6][6], factor[6][6];
} tacHeldMet;

/* State of a tool that holds a body. */
typedef struct tacHeldBody {
  int body; /* index of the held body; -1 for a tool that holds no body */
  tacBodyToolDef def;
  tacCouplingDef coupling;
  tacQuat turn;    /* orientation of the device in the last valid input, relative to its start */
  bool moving;     /* true if a previous input exists, so that the device's velocity is known */
  tacGrasp device; /* grasp pose commanded by the device */
  /* only for tools with a reach: button state in the previous tick; true if the tool holds the body */
  bool pressed, taken;
  tacVec3 apart; /* offset from the device to the body's grasp when the tool took the body, m, world frame */
  /* rotation of the body relative to the device when the tool took the body, from the body's initial orientation */
  tacQuat turned;
  double share;             /* factor on the force shown to the hand, 0 to 1; rises to 1 after a lifted tool returns */
  tacHeldLeft left;         /* only for tools with a reach: force that remains after release */
  tacTwist device_velocity; /* smoothed velocity of the device */
  tacTwist velocity;        /* velocity of the body's grasp; only for a dynamic coupling */
  tacGrasp grasp;           /* grasp pose of the body after its last step */
  tacHeldMet met;
  tacTwist way;         /* part of the device's motion in this tick that is predicted to continue; m, rad */
  tacTwist ahead;       /* motion from the body's present pose to its predicted pose for contact detection; m, rad */
  double touch;         /* factor on static damping, 0 to 1; rises during contact and falls afterwards */
  double rubs;          /* friction stiffness of the sliding contact springs on the body (tacPenaltyReport.rubs), N/m */
  bool led;             /* true if a static coupling moved the body in the previous tick */
  tacWrench felt, rise; /* coupling force on the hand in the previous tick; smoothed change of this force per tick */
  int jaw_count;
  tacJaw jaws[TAC_MOST_JAWS];
  double angle, angle_speed; /* angle of the jaws, rad; rate of this angle, rad/s */
  double wanted;             /* target angle of the jaw motor, rad */
} tacHeldBody;

/* Returns the parameters of the coupling, with the mass and the moments of inertia of the body. A body without inertia
 * gets the mass of the tool and the moments of a ball that encloses the surface. Load phase. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body);

/* Resets the tool to its initial state, with the device at the pose of the body. Tick phase, like all functions below. */
void tac_held_body_reset(tacHeldBody *held, const tacFrame *frame);
/* Stores the pose of the device from a valid input. `start`: initial orientation of the body's frame. `turn`: rotation
 * of the device from its initial orientation. `grip`: commanded closing of the jaws, 0 to 1. */
void tac_held_body_take(tacHeldBody *held, double period, tacQuat start, tacVec3 position, tacQuat turn, double grip);
/* Present shape and pose of a body that a tool may grab. */
typedef struct tacHeldLies {
  const tacBodySurface *surface;
  const tacBody *body; /* body whose vertices and vertex normals are queried */
  const tacFrame *frame;
  tacQuat start; /* initial orientation of the body */
} tacHeldLies;
/* Grabs or releases the body by the button of a tool with a reach. The body keeps its pose. Returns true if the tool
 * holds the body; always true for a tool without a reach. Call before tac_held_body_take. */
bool tac_held_body_reach(tacHeldBody *held, const tacHeldLies *lies, double period, const tacToolInput *input);
/* Returns true if the body follows the tool in this tick; false while the tool is lifted. Also raises the share of the
 * force that the hand feels (tacHeldBody.share). */
bool tac_held_body_follows(tacHeldBody *held, tacFrame *frame, double period, bool lifted);
/* Number of coordinates of a tool: six, plus one for the angle of the jaws. */
enum { TAC_HELD_MOST = 7 };
static inline int tac_held_body_size(const tacHeldBody *held) {
  return held->jaw_count > 0 ? 7 : 6;
}
/* Computes the equations A m = load + contacts for the motion m = (dx, dtheta, dangle). dx and dtheta are the motion of
 * the grasp, and dangle is the change of the jaw angle. `matrix`: A. */
void tac_held_body_equation(const tacHeldBody *held, const tacFrame *frame, double period,
                            double matrix[TAC_HELD_MOST][TAC_HELD_MOST], double load[TAC_HELD_MOST]);
/* Moves `frame` to the pose that is predicted for the end of the step. The step detects contacts at this pose, so the
 * contact normals are those at the end of the step.
 *
 * A is the matrix of the previous step's equations, and K the stiffness of the contacts in that step. If the contacts
 * stay in place, they permit the part B = (A + K)^-1 A of a motion. But contacts move with a sliding body, so K
 * overestimates the resistance to sliding. Therefore three iterations each apply B to the remaining motion, and the
 * part (1 - B)^3 is not predicted. So contacts stiffer than the coupling permit little of the motion, and softer
 * contacts permit nearly all of the motion.
 *
 * The pose is not predicted if the device stops, reverses or starts, since friction then holds the body. The pose is
 * also not predicted with a trocar or without contact. */
void tac_held_body_go_ahead(tacHeldBody *held, double period, tacFrame *frame);
/* Stores the matrix A + K of a step, `whole` [6][stride], for tac_held_body_go_ahead in the next step. `met.own` of the
 * tool must contain A. */
void tac_held_body_set_met(tacHeldBody *held, const double *whole, size_t stride);
/* Returns the factor of static damping on the stiffness of the body's contact springs in a step (Barbic 2007, section
 * 4.8): 1 / (1 - alpha) for a static coupling, 1 for a dynamic coupling. The factor damps motion against the touched
 * bodies. A sliding body still follows the device. */
double tac_held_body_stiffening(const tacHeldBody *held);
/* Moves the body and the jaws by `motion`, limited to the maximum speeds of the coupling. */
void tac_held_body_move(tacHeldBody *held, tacFrame *frame, double period, double motion[TAC_HELD_MOST],
                        tacTickReport *report);
/* Computes the pose and velocity of a jaw, `place`, for a held body at `frame`. The reference point of the velocity is
 * the grasp. */
void tac_held_body_jaw(const tacHeldBody *held, int jaw, const tacFrame *frame, tacFrame *place);
/* Returns the kinetic energy of the body, J; 0 for a static coupling, which has no mass. */
double tac_held_body_energy(const tacHeldBody *held, const tacFrame *frame);
/* Writes the pose of the body and the force on the hand to `output`. */
void tac_held_body_feel(const tacHeldBody *held, const tacFrame *frame, tacQuat start, bool lifted,
                        tacToolOutput *output);
/* Updates the weight of static damping (tacHeldBody.touch) after a step. `touches`: the body has contacts. */
void tac_held_body_touch(tacHeldBody *held, double period, bool touches);
