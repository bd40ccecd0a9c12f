/* Pads that grip patches of an elastostatic body: displacement constraints on an otherwise free boundary, solved with
 * one capacitance matrix (James and Pai 2001, sections 4 and 5, Figure 3). Independent of world and tools. Frame: the
 * asset's.
 *
 * A pad is a rigid disc with centre c, rotation R and a radius; +z of its frame points into the body. It holds vertices
 * j at places l_j of its frame, so that their displacements are prescribed:
 *   u_j = c + R (l_j + s_j d_j) - x_j.
 * d_j is the offset of the vertex from l_j when the pad takes it, and s_j falls from 1 to 0 over some ticks. So the pad
 * takes a vertex at its present position, with zero traction. A released vertex becomes free at once. The traction that
 * held it stays as a load and fades over the same number of ticks. So no switch causes a jump of the force. All pads
 * share one problem, so they affect each other.
 *
 * Force f = sum of a_j p_j (27), torque = sum of R (l_j + s_j d_j) x a_j p_j, with the deformed lever arm. Both are the
 * gradient of the elastic energy along the pad's motions, so a closed loop of a sticking pad does no work, for
 * rotations of any size. (With boundary elements this holds only as far as Xi obeys Betti's law; see
 * tac_green_betti_defect.)
 *
 * Creation is for the load phase; everything else is for any phase, one thread, no allocation, bounded time. Forces are
 * finite for any input: values that are not finite, and jumps, are rejected. */
#pragma once

#include <tactus/contact.h>
#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/pads.h"

typedef struct tacPatchGripDef {
  int most_pads;     /* default 2 */
  int most_vertices; /* per pad; default 32. At most TAC_PATCH_MOST for all pads */
  int most_switches; /* per tick; default 4 */
  double most_work;  /* multiply-adds of the second and later switches of a tick; default 2e5, about 60 us */
  int blend_ticks;   /* ticks in which s_j, or the traction of a released vertex, falls to zero; default 20 */
} tacPatchGripDef;

tacPatchGripDef tac_patch_grip_def_default(void);
/* Refers to `green`, which must have whole storage. */
tacStatus tac_patch_grip_create(const tacGreen *green, const tacPatchGripDef *def, tacPatchGrip **grip,
                                tacError *error);
void tac_patch_grip_destroy(tacPatchGrip *grip); /* NULL is allowed */
TAC_OWNED_TYPE(tacPatchGrip, tac_patch_grip_destroy)
/* Releases everything at once. */
void tac_patch_grip_reset(tacPatchGrip *grip);
/* Factor on the baked stiffness; false if not positive. */
bool tac_patch_grip_set_stiffness(tacPatchGrip *grip, double factor);

/* Starts to grip. In each step the pad takes more vertices, up to the limits of the def, nearest first. It takes free
 * vertices that have columns, face the pad, lie within a sphere of its radius and are held by no other pad. They must
 * be connected by edges to the nearest one, which excludes the other side of a sheet. False: the pad is in use (or
 * still releasing), a value is NaN or infinite, or a sticking pad finds no vertex within its radius. */
bool tac_patch_grip_take(tacPatchGrip *grip, int pad, const tacPad *def, tacPadPose pose);
/* Sets the pose of the pad in the next step. The function rejects a pose that is not finite. While the pad holds
 * vertices, it also rejects a pose farther than the radius or half a radian from the previous one. The previous pose
 * then stays. */
bool tac_patch_grip_move(tacPatchGrip *grip, int pad, tacPadPose pose);
/* Releases the pad: first every vertex becomes free under its traction, then all tractions fade together. */
void tac_patch_grip_release(tacPatchGrip *grip, int pad);
/* One tick of all pads: switches vertices, moves pads, solves the problem, applies the pads' contact laws. */
void tac_patch_grip_step(tacPatchGrip *grip);

/* Force, torque and vertex counts of the pad after the last step. */
tacPadReply tac_patch_grip_reply(const tacPatchGrip *grip, int pad);
/* d(force, torque) / d(translation, rotation), N/m, N, N m, of pads `first` to `first` + `count` - 1 that move together
 * rigidly, about a point that they carry along: stiffness of the held vertices (27), plus the symmetric part of the
 * change of lever arms under the present forces. The antisymmetric part is [torque]~ / 2: zero at torque equilibrium.
 * Releasing pads do not move and are omitted. Takes about 54 multiply-adds per pair of vertices. */
void tac_patch_grip_stiffness(const tacPatchGrip *grip, int first, int count, tacVec3 about, double stiffness[6][6]);

void tac_patch_grip_snapshot(const tacPatchGrip *grip, tacPatchSnapshot *snapshot);
/* Adds to the displacements of all vertices (m; zero at fixed ones), to their tractions (Pa; including reactions at
 * fixed ones) and to the rows of the sensors (m, Pa): (24). Each may be NULL. Any thread. */
void tac_patch_snapshot_add(const tacPatchSnapshot *snapshot, const tacGreen *green, tacVec3 *displacements,
                            tacVec3 *tractions, double *sensors);

/* Number of computations of the inverse from scratch. A tick that computes one makes no other switch. */
int tac_patch_grip_refactored(const tacPatchGrip *grip);
