/* What the field of a body that deforms is baked from, domain by domain. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "spec/body_mesh.h"
#include "spec/body_solid.h"

typedef struct tacDeformedDef {
  tacSolidDef solid;
  const char *file;  /* that has its field, ready; NULL: it is baked */
  uint64_t file_key; /* of what it holds */
  const tacSceneRegion *domains;
  int domain_count; /* 0: undivided */
  tacDeformedFieldDef def;
  const tacReduced *reduced;
  uint64_t reduced_key;
} tacDeformedDef;

/* An error where the domains leave out a part of the mesh. */
tacStatus tac_deformed_solid_def(const tacBodyMaker *maker, const tacTriMesh *mesh, tacDeformedDef *def);
tacStatus tac_deformed_solid_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error);
