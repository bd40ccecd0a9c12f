/* Boundary value problems that differ from the reference problem of Green's functions in the type of constraint at s
 * vertices, solved through the s x s capacitance matrix.
 *
 * James and Pai 2001, section 4: with S the switched vertices, E their columns of the identity and C = -E^T Xi E (19),
 *   v = v0 + (E + Xi E) C^-1 E^T v0   (18),   v0 = [Xi (I - E E^T) - E E^T] vbar   (20).
 * C^-1 is extended and shrunk as vertices are switched, O(s^2) each; it is computed anew only where a measured residual
 * demands it. Costs are bounded and known before: see tac_capacitance_cost. */
#ifndef TACTUS_CAPACITANCE_H
#define TACTUS_CAPACITANCE_H

#include <stdbool.h>
#include <tactus/green.h>

TAC_BEGIN_DECLS

typedef struct tacCapacitance tacCapacitance;

/* Load phase. Refers to `green`, which must be stored whole and outlive it. At most `most_switched` vertices are switched
 * and at most `most_loaded` other vertices have values other than zero. */
TAC_API tacStatus tac_capacitance_create(const tacGreen *green, int most_switched, int most_loaded,
                                         tacCapacitance **capacitance, tacError *error);
TAC_API void tac_capacitance_destroy(tacCapacitance *capacitance); /* NULL is allowed */

/* Everything below: any phase, no allocation, bounded time; false where nothing was done, because a limit is reached, the
 * vertex has no column, the new problem is singular (nothing would hold the body) or a value is not finite. */

/* Switches the constraint type of a vertex, or switches it back; its prescribed value becomes zero. */
TAC_API bool tac_capacitance_switch(tacCapacitance *capacitance, int vertex);
TAC_API bool tac_capacitance_is_switched(const tacCapacitance *capacitance, int vertex);
TAC_API int tac_capacitance_switched_count(const tacCapacitance *capacitance);
/* The prescribed value of a vertex: a displacement (m) or a traction (Pa), whichever its type now is. */
TAC_API bool tac_capacitance_prescribe(tacCapacitance *capacitance, int vertex, tacVec3 value);
/* Back to the reference problem without loads. */
TAC_API void tac_capacitance_reset(tacCapacitance *capacitance);
/* Stiffness relative to that of the bake (James and Pai 2001, section 3.6): tractions scale, displacements do not. */
TAC_API bool tac_capacitance_scale(tacCapacitance *capacitance, double stiffness);

/* Solves for the switched vertices (21); call it after changes, before the functions below. */
TAC_API void tac_capacitance_solve(tacCapacitance *capacitance);
/* The unknown values at the switched vertices, in the order in which tac_capacitance_switched lists them. */
TAC_API const int *tac_capacitance_switched(const tacCapacitance *capacitance);
TAC_API void tac_capacitance_at_switched(const tacCapacitance *capacitance, tacVec3 *values);
/* The unknown values of chosen vertices (section 4.3), of all vertices, and of the sensors' rows: for display rates. */
TAC_API void tac_capacitance_at(const tacCapacitance *capacitance, int count, const int *vertices, tacVec3 *values);
TAC_API void tac_capacitance_everywhere(const tacCapacitance *capacitance, tacVec3 *values);
TAC_API void tac_capacitance_sensors(const tacCapacitance *capacitance, double *values);
/* Force (27) and torque about `centre` on the body by the tractions at the switched vertices that were free, N and N m. */
TAC_API void tac_capacitance_contact_force(const tacCapacitance *capacitance, tacVec3 centre, tacVec3 *force,
                                           tacVec3 *torque);

/* Block (i, j) of K = -C^-1 (26), row-major, in the order of tac_capacitance_switched: the change of the unknown value at the
 * i-th switched vertex under a change of the prescribed one at the j-th. Pa/m between vertices that were free. */
TAC_API void tac_capacitance_stiffness(const tacCapacitance *capacitance, int i, int j, double block[3][3]);

/* Multiply-adds of the next switch, a factorisation from scratch, a solve, and the whole surface, for the present s. */
typedef struct tacCapacitanceCost {
  double update, factor, solve, surface;
} tacCapacitanceCost;
TAC_API tacCapacitanceCost tac_capacitance_cost(const tacCapacitance *capacitance);
/* How often C^-1 was computed from scratch since creation, and the relative residual of the last solve. */
TAC_API int tac_capacitance_refactored(const tacCapacitance *capacitance);
TAC_API double tac_capacitance_residual(const tacCapacitance *capacitance);

TAC_END_DECLS

#endif
