/* The simple solids of a rigid body, which nothing is baked for. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include "spec/body_mesh.h"

/* Their exact field, and the mesh that shows them. */
tacStatus tac_exact_solid_make(const tacBodyMaker *maker, tacTriMesh **surface, tacDistanceField **field);
