/* Solves boundary value problems in which s vertices have another constraint type than in the reference problem of the
 * Green's functions. The solution uses an s x s capacitance matrix C (James and Pai 2001, section 4).
 *
 * Let Xi be the matrix of Green's functions, and E the columns of the identity for the switched vertices. Let vbar be
 * the prescribed values and v the unknown values. With C = -E^T Xi E (19), the solution is
 *
 *     v = v0 + (E + Xi E) C^-1 E^T v0   (18),   v0 = [Xi (I - E E^T) - E E^T] vbar   (20)
 *
 * Each switch of a vertex extends or shrinks C^-1 in O(s^2). C^-1 is recomputed from scratch only if a measured
 * residual is too large. The cost of each operation is bounded and known in advance; see tac_capacitance_cost.
 *
 * After creation, all functions are for any phase: they do not allocate and take bounded time. A function that returns
 * false has changed nothing. The causes are a reached limit, a vertex without a column, a singular new problem (no
 * support holds the body), and NaN or infinite values. */
#pragma once

#include <tactus/green.h>

typedef struct tacCapacitance tacCapacitance;

/* Creates a capacitance matrix that refers to `green`. Call in the load phase. `green` must have whole storage and
 * outlive the capacitance matrix. At most `most_switched` vertices can be switched, and at most `most_loaded` other
 * vertices can have nonzero values. */
tacStatus tac_capacitance_create(const tacGreen *green, int most_switched, int most_loaded,
                                 tacCapacitance **capacitance, tacError *error);
void tac_capacitance_destroy(tacCapacitance *capacitance); /* NULL is allowed */

/* Switches the constraint type of a vertex, or switches it back. The prescribed value of the vertex becomes zero. */
bool tac_capacitance_switch(tacCapacitance *capacitance, int vertex);
bool tac_capacitance_is_switched(const tacCapacitance *capacitance, int vertex);
int tac_capacitance_switched_count(const tacCapacitance *capacitance);

/* Sets the prescribed value of a vertex. The present constraint type decides whether the value is a displacement (m) or
 * a traction (Pa). */
bool tac_capacitance_prescribe(tacCapacitance *capacitance, int vertex, tacVec3 value);

/* Returns to the reference problem without loads. */
void tac_capacitance_reset(tacCapacitance *capacitance);

/* Sets the stiffness relative to the baked stiffness (James and Pai 2001, section 3.6). The factor scales tractions,
 * not displacements. */
bool tac_capacitance_scale(tacCapacitance *capacitance, double stiffness);

/* Solves for the switched vertices (21). Call after changes and before the functions below. */
void tac_capacitance_solve(tacCapacitance *capacitance);

/* Return the switched vertices, and the unknown values at these vertices in the same order. */
const int *tac_capacitance_switched(const tacCapacitance *capacitance);
void tac_capacitance_at_switched(const tacCapacitance *capacitance, tacVec3 *values);

/* Compute the unknown values of chosen vertices (section 4.3), of all vertices, and of the sensor rows. The computation
 * is fast enough for display rates. */
void tac_capacitance_at(const tacCapacitance *capacitance, int count, const int *vertices, tacVec3 *values);
void tac_capacitance_everywhere(const tacCapacitance *capacitance, tacVec3 *values);
void tac_capacitance_sensors(const tacCapacitance *capacitance, double *values);

/* Computes the force (27) and the torque about `centre` on the body, N and N m. Sums the tractions at the switched
 * vertices that are free in the reference problem. */
void tac_capacitance_contact_force(const tacCapacitance *capacitance, tacVec3 centre, tacVec3 *force, tacVec3 *torque);

/* Computes block (i, j) of K = -C^-1 (26), row-major, in the order of tac_capacitance_switched. The block is the change
 * of the unknown value at switched vertex i per change of the prescribed value at switched vertex j. The unit is Pa/m
 * if both vertices are free in the reference problem. */
void tac_capacitance_stiffness(const tacCapacitance *capacitance, int i, int j, double block[3][3]);

/* Costs in multiply-adds for the present number of switched vertices. `update`: next switch. `factor`: factorisation
 * from scratch. `solve`: one solve. `surface`: values of the whole surface. */
typedef struct tacCapacitanceCost {
  double update, factor, solve, surface;
} tacCapacitanceCost;
tacCapacitanceCost tac_capacitance_cost(const tacCapacitance *capacitance);

/* Return the number of computations of C^-1 from scratch since creation, and the relative residual of the last
 * solve. */
int tac_capacitance_refactored(const tacCapacitance *capacitance);
double tac_capacitance_residual(const tacCapacitance *capacitance);
