/* What the field of a body that deforms is baked from, domain by domain. Offline. */
#pragma once

#include "scene/body_mesh.h"
#include "scene/body_solid.h"

/* An error where the domains leave out a part of the mesh. */
tacStatus tac_body_domains_def(const tacBodyMaker *maker, const tacTriMesh *mesh, tacDeformedDef *def);
