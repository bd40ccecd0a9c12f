/* Which vertices and elements of a body's mesh the regions of a scene hold. Offline. */
#pragma once

#include "spec/body_mesh.h"

/* Flags those of the surface's vertices that are in any of the regions; each must hold one. `volume` (may be NULL) has the
 * groups, `vertex_of` says which of its vertices is which of the surface's. */
tacStatus tac_body_region_surface(const tacBodyMaker *maker, const tacSchemaList *regions, const tacTriMesh *surface,
                                  const tacVolMesh *volume, const int *vertex_of, bool *flags);
/* The same for the volume's vertices. */
tacStatus tac_body_region_volume(const tacBodyMaker *maker, const tacSchemaList *regions, const tacVolMesh *volume,
                                 bool *flags);
/* Flags the elements that are in any of the regions, by their centres or their group. */
tacStatus tac_body_region_elements(const tacBodyMaker *maker, const tacSchemaList *regions, const tacVolMesh *volume,
                                   bool *flags);
