/* Pads that take hold of patches of an elastostatic body: displacement constraints on an otherwise free boundary,
 * solved through one capacitance matrix (James and Pai 2001, sections 4 and 5, Figure 3). Knows no world and no
 * tool. Frame: the asset's.
 *
 * A pad is a rigid disc: its centre c, its turn R, its radius; +z of its frame points into the body. It holds
 * vertices j at places l_j of its frame, so that their displacements are prescribed:
 *   u_j = c + R (l_j + s_j d_j) - x_j,
 * where d_j is how far the vertex was from its place when it joined, and s_j goes from 1 to 0 over some ticks: a
 * vertex joins where it is, at the traction that it has, zero. One that leaves is free at once, under the traction
 * that held it, which then goes to zero over as many ticks. So no switch makes a step in any force. All pads are in
 * one problem: they feel each other.
 *
 * Force f = sum of a_j p_j (27), torque = sum of R (l_j + s_j d_j) x a_j p_j, with the arm as deformed: the two are
 * the gradient of the elastic energy along the pad's motions, and a closed loop of a pad that sticks does no work,
 * turns of any size included. (With boundary elements as far as Xi obeys Betti's law: tac_green_betti_defect.)
 *
 * Creation is for the load phase; everything else is for any phase, one thread, no allocation, bounded time.
 * Whatever the input, forces are finite: values that are not, and jumps, are refused. */
#pragma once

#include <tactus/contact.h>
#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/pads.h"

typedef struct tacPatchGripDef {
  int most_pads;     /* default 2 */
  int most_vertices; /* a pad has; default 32. At most TAC_PATCH_MOST for all pads together */
  int most_switches; /* a tick; default 4 */
  double most_work;  /* multiply-adds that the second and later switches of a tick may take; default 2e5, some 60 us */
  int blend_ticks;   /* over which s_j goes to zero, and the traction of a vertex that left; default 20 */
} tacPatchGripDef;

tacPatchGripDef tac_patch_grip_def_default(void);
/* Refers to `green`, which must be stored whole. */
tacStatus tac_patch_grip_create(const tacGreen *green, const tacPatchGripDef *def, tacPatchGrip **grip,
                                tacError *error);
void tac_patch_grip_destroy(tacPatchGrip *grip); /* NULL is allowed */
TAC_OWNED_TYPE(tacPatchGrip, tac_patch_grip_destroy)
/* Lets everything go at once. */
void tac_patch_grip_reset(tacPatchGrip *grip);
/* Factor on the baked stiffness; false where it is not positive. */
bool tac_patch_grip_set_stiffness(tacPatchGrip *grip, double factor);

/* Takes hold from now on, growing by the def's bounds in each step. Vertices are free ones with columns that face
 * the pad, within a sphere of its radius, connected by edges with the nearest one (not the other side of a sheet),
 * nearest first, held by no other pad. False where the pad is in use (also while it is still letting go), numbers
 * are not finite, or one that sticks has nothing within its reach. */
bool tac_patch_grip_take(tacPatchGrip *grip, int pad, const tacPad *def, tacPadPose pose);
/* Where the pad is in the next step. Refused, and the former pose kept, where it is not finite, or while the pad
 * holds anything is more than its radius or half a radian from the former one. */
bool tac_patch_grip_move(tacPatchGrip *grip, int pad, tacPadPose pose);
/* Lets go: first every vertex becomes free under the traction that it has, then these go to zero together. */
void tac_patch_grip_release(tacPatchGrip *grip, int pad);
/* One tick of all pads: switches, motion, solution, laws. */
void tac_patch_grip_step(tacPatchGrip *grip);

/* As of the last step. */
tacPadReply tac_patch_grip_reply(const tacPatchGrip *grip, int pad);
/* d(force, torque) / d(motion, turn), N/m, N, N m, of `count` pads from `first` on that move together like one rigid
 * body, about a point of it that they carry along: what the held vertices answer (27), and the symmetric part of
 * what arms that turn make of the present forces; the other part is [torque]~ / 2, zero where nothing is left to
 * turn. Pads that let go do not move, and are left out. Takes some 54 multiply-adds for each pair of vertices. */
void tac_patch_grip_stiffness(const tacPatchGrip *grip, int first, int count, tacVec3 about, double stiffness[6][6]);

void tac_patch_grip_snapshot(const tacPatchGrip *grip, tacPatchSnapshot *snapshot);
/* Adds to the displacements of all vertices (m; those of fixed ones become zero), to the tractions there (Pa; with
 * those of what holds the fixed ones) and to the rows of the sensors (m, Pa): (24). Each may be NULL. Any thread. */
void tac_patch_snapshot_add(const tacPatchSnapshot *snapshot, const tacGreen *green, tacVec3 *displacements,
                            tacVec3 *tractions, double *sensors);

/* How often the inverse was computed from scratch; in a tick in which it was, nothing else is switched. */
int tac_patch_grip_refactored(const tacPatchGrip *grip);
