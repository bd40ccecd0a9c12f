/* Stress and stretch at the surface of a hyperelastic solid, to be shown: of nodal positions alone, while another thread steps the
 * solid. A vertex of the surface has the mean of the tetrahedra around it, weighted by their volumes at rest. Stress is that at once,
 * without what viscosity has relaxed; the volumetric term does not matter to von Mises' measure, nor do patches. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"

typedef struct tacHyperColours tacHyperColours;

/* Of a surface whose vertices are nodes: node_of [vertex_count]. Copies what it needs. */
tacStatus tac_hyper_colours_create(const tacHyperSolidDef *def, int vertex_count, const int *node_of,
                                   tacHyperColours **colours, tacError *error);
void tac_hyper_colours_destroy(tacHyperColours *colours); /* NULL is allowed */
TAC_OWNED_TYPE(tacHyperColours, tac_hyper_colours_destroy)

/* [vertex], at nodal positions x [3 node]: von Mises stress, Pa; or the largest principal stretch. One thread at a time; allocates
 * nothing. */
void tac_hyper_colours_stress(const tacHyperColours *colours, const double *x, double *values);
void tac_hyper_colours_stretch(const tacHyperColours *colours, const double *x, double *values);
