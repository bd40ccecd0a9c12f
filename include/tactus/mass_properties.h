/* What a rigid solid weighs, and how it resists being turned. */
#ifndef TACTUS_MASS_PROPERTIES_H
#define TACTUS_MASS_PROPERTIES_H

#include <tactus/trimesh.h>

TAC_BEGIN_DECLS

typedef struct tacMassProperties {
  double volume;        /* m^3 */
  double mass;          /* kg */
  tacVec3 centre;       /* of mass, m, in the frame of the surface */
  double inertia[3][3]; /* about the centre, kg m^2, along the axes of that frame: sum of m (r.r 1 - r r^T) */
} tacMassProperties;

/* Of the solid of uniform `density` (kg/m^3, positive) that a closed surface bounds; exact up to round-off. A cavity
 * counts as empty where its triangles face into it; where parts overlap, mass counts once for each. TAC_ERR_GEOMETRY
 * where the surface is not closed or its volume is not positive: it is inside out, or flat. Load and offline phases. */
TAC_API tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacMassProperties *properties,
                                      tacError *error);
/* The same solid with another density, so that it weighs `mass` (kg, positive). */
TAC_API tacStatus tac_mass_properties_scale(tacMassProperties *properties, double mass, tacError *error);

TAC_END_DECLS

#endif
