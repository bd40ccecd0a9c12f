/* Capacitance matrices: boundary value problems that differ from the reference problem of Green's functions in the
 * constraint type of s vertices, solved through the s x s capacitance matrix (James and Pai 2001, section 4).
 *
 * With S the switched vertices, E their columns of the identity and C = -E^T Xi E (19),
 *
 *     v = v0 + (E + Xi E) C^-1 E^T v0   (18),   v0 = [Xi (I - E E^T) - E E^T] vbar   (20)
 *
 * Each switch of a vertex extends or shrinks C^-1 in O(s^2). C^-1 is recomputed from scratch only if a measured
 * residual is too large. Costs are bounded and known in advance; see tac_capacitance_cost.
 *
 * After creation: any phase, no allocation, bounded time. A function returns false if it did nothing: a limit is
 * reached, the vertex has no column, the new problem is singular (no support holds the body), or a value is NaN or
 * infinite. */
#pragma once

#include <tactus/green.h>

typedef struct tacCapacitance tacCapacitance;

/* Load phase. Refers to `green`, which must have whole storage and outlive it. At most `most_switched` vertices are
 * switched, and at most `most_loaded` other vertices have nonzero values. */
tacStatus tac_capacitance_create(const tacGreen *green, int most_switched, int most_loaded,
                                 tacCapacitance **capacitance, tacError *error);
void tac_capacitance_destroy(tacCapacitance *capacitance); /* NULL is allowed */

/* Switches the constraint type of a vertex, or switches it back. The prescribed value of the vertex becomes zero. */
bool tac_capacitance_switch(tacCapacitance *capacitance, int vertex);
bool tac_capacitance_is_switched(const tacCapacitance *capacitance, int vertex);
int tac_capacitance_switched_count(const tacCapacitance *capacitance);

/* Sets the prescribed value of a vertex. Its present constraint type decides: a displacement (m) or a traction (Pa). */
bool tac_capacitance_prescribe(tacCapacitance *capacitance, int vertex, tacVec3 value);

/* Returns to the reference problem without loads. */
void tac_capacitance_reset(tacCapacitance *capacitance);

/* Sets the stiffness relative to the baked one (James and Pai 2001, section 3.6). It scales tractions, not
 * displacements. */
bool tac_capacitance_scale(tacCapacitance *capacitance, double stiffness);

/* Solves for the switched vertices (21); call it after changes, before the functions below. */
void tac_capacitance_solve(tacCapacitance *capacitance);

/* The switched vertices, and the unknown values at them in the same order. */
const int *tac_capacitance_switched(const tacCapacitance *capacitance);
void tac_capacitance_at_switched(const tacCapacitance *capacitance, tacVec3 *values);

/* Unknown values of chosen vertices (section 4.3), of all vertices, and of the sensors' rows. The cost suits display
 * rates. */
void tac_capacitance_at(const tacCapacitance *capacitance, int count, const int *vertices, tacVec3 *values);
void tac_capacitance_everywhere(const tacCapacitance *capacitance, tacVec3 *values);
void tac_capacitance_sensors(const tacCapacitance *capacitance, double *values);

/* Force (27) and torque about `centre` on the body, N and N m: sums over the tractions at switched vertices that are
 * free in the reference problem. */
void tac_capacitance_contact_force(const tacCapacitance *capacitance, tacVec3 centre, tacVec3 *force, tacVec3 *torque);

/* Block (i, j) of K = -C^-1 (26), row-major, in the order of tac_capacitance_switched: change of the unknown value at
 * the i-th switched vertex per change of the prescribed value at the j-th. Unit: Pa/m if both vertices are free in the
 * reference problem. */
void tac_capacitance_stiffness(const tacCapacitance *capacitance, int i, int j, double block[3][3]);

/* Multiply-adds for the present s: the next switch, a factorisation from scratch, a solve, and the whole surface. */
typedef struct tacCapacitanceCost {
  double update, factor, solve, surface;
} tacCapacitanceCost;
tacCapacitanceCost tac_capacitance_cost(const tacCapacitance *capacitance);

/* Number of computations of C^-1 from scratch since creation; relative residual of the last solve. */
int tac_capacitance_refactored(const tacCapacitance *capacitance);
double tac_capacitance_residual(const tacCapacitance *capacitance);
