/* Simulates pads that grip patches of an elastostatic body. A pad constrains displacements on an otherwise free
 * boundary. All pads share one capacitance matrix (James and Pai 2001, sections 4 and 5, Figure 3). Positions are in
 * the asset's frame.
 *
 * A pad is a rigid disc with centre c, rotation R and a radius. The +z axis of the pad's frame points into the body.
 * The pad holds vertices j at positions l_j in the pad's frame. So the pad prescribes the displacements u_j of the
 * vertices from the rest positions x_j:
 *     u_j = c + R (l_j + s_j d_j) - x_j.
 * Here d_j is the offset of the vertex from l_j when the pad takes the vertex, and s_j falls from 1 to 0 over some
 * ticks. So the pad takes a vertex at its present position, with zero traction. A released vertex becomes free at once.
 * Its last traction remains as a load and fades over the same number of ticks. So no switch causes a jump of the force.
 * All pads share one problem, so they affect each other.
 *
 * The force is the sum of a_j p_j (27), with vertex areas a_j and tractions p_j. The torque is the sum of R (l_j + s_j
 * d_j) x a_j p_j, with the deformed lever arm. Force and torque are the gradient of the elastic energy along the pad's
 * motions. So a closed loop of a sticking pad does no work, for rotations of any size. (With boundary elements, the
 * work is zero only as far as Xi obeys Betti's law; see tac_green_betti_defect.)
 *
 * Creation is for the load phase. All other functions are for any phase: they do not allocate and take bounded time.
 * Only one thread may use a grip at a time. Forces are finite for any input, since the functions reject NaN, infinite
 * values and jumps. */
#pragma once

#include <tactus/contact.h>
#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/pads.h"

typedef struct tacPatchGripDef {
  int most_pads;     /* maximum number of pads; default 2 */
  int most_vertices; /* maximum number of vertices per pad; default 32; at most TAC_PATCH_MOST for all pads */
  int most_switches; /* maximum number of switched vertices per tick; default 4 */
  /* multiply-adds available for the second and later switches of a tick; default 2e5, about 60 us */
  double most_work;
  /* number of ticks in which s_j, or the traction of a released vertex, falls to zero; default 20 */
  int blend_ticks;
} tacPatchGripDef;

tacPatchGripDef tac_patch_grip_def_default(void);
/* Creates a grip that refers to `green`, which must have whole storage. */
tacStatus tac_patch_grip_create(const tacGreen *green, const tacPatchGripDef *def, tacPatchGrip **grip,
                                tacError *error);
void tac_patch_grip_destroy(tacPatchGrip *grip); /* NULL is allowed */
TAC_OWNED_TYPE(tacPatchGrip, tac_patch_grip_destroy)
/* Releases all pads at once. */
void tac_patch_grip_reset(tacPatchGrip *grip);
/* Sets the factor on the baked stiffness. Returns false if the factor is not positive. */
bool tac_patch_grip_set_stiffness(tacPatchGrip *grip, double factor);

/* Starts to grip with a pad. In each step the pad takes more vertices, nearest first, up to the limits in the
 * tacPatchGripDef. The pad takes only free vertices that have columns and face the pad. The vertices must lie within a
 * sphere of the pad's radius, and no other pad may hold them. The vertices must also be connected by edges to the
 * nearest vertex, which excludes the other side of a sheet.
 *
 * Returns false if the pad is in use or still releasing, or if a value is NaN or infinite. Also returns false if a
 * sticking pad finds no vertex within its radius. */
bool tac_patch_grip_take(tacPatchGrip *grip, int pad, const tacPad *def, tacPadPose pose);
/* Sets the pose of the pad in the next step. Returns false and keeps the previous pose if the new pose is not finite.
 * While the pad holds vertices, a pose farther than the radius or half a radian from the previous pose is also
 * rejected. */
bool tac_patch_grip_move(tacPatchGrip *grip, int pad, tacPadPose pose);
/* Releases the pad. First every vertex becomes free under its traction, then all tractions fade together. */
void tac_patch_grip_release(tacPatchGrip *grip, int pad);
/* Runs one tick of all pads: switches vertices, moves the pads, solves the problem, and applies the contact laws of the
 * pads. */
void tac_patch_grip_step(tacPatchGrip *grip);

/* Returns the force, the torque and the vertex counts of the pad after the last step. */
tacPadReply tac_patch_grip_reply(const tacPatchGrip *grip, int pad);
/* Computes the derivative of (force, torque) with respect to (translation, rotation), in N/m, N and N m. The pads
 * `first` to `first` + `count` - 1 move together as one rigid body, and the reference point `about` moves with them.
 * The result is the stiffness of the held vertices (27) plus the symmetric part of the change of the lever arms under
 * the present forces. The antisymmetric part, half the cross-product matrix of the torque, is omitted; it is zero at
 * torque equilibrium. Releasing pads do not move and are omitted. The cost is about 54 multiply-adds per pair of
 * vertices. */
void tac_patch_grip_stiffness(const tacPatchGrip *grip, int first, int count, tacVec3 about, double stiffness[6][6]);

void tac_patch_grip_snapshot(const tacPatchGrip *grip, tacPatchSnapshot *snapshot);
/* Adds the displacements, tractions and sensor values of a snapshot to the outputs (24). `displacements`: m; zero at
 * fixed vertices. `tractions`: Pa; include the reactions at fixed vertices. `sensors`: m or Pa. Each output may be
 * NULL. Any thread may call this function. */
void tac_patch_snapshot_add(const tacPatchSnapshot *snapshot, const tacGreen *green, tacVec3 *displacements,
                            tacVec3 *tractions, double *sensors);

/* Returns the number of computations of the inverse from scratch. After such a computation, a tick makes no further
 * switch. */
int tac_patch_grip_refactored(const tacPatchGrip *grip);
