/* Input of the bake of a deforming body's field, domain by domain. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "spec/body_mesh.h"
#include "spec/body_solid.h"

typedef struct tacDeformedDef {
  tacSolidDef solid;
  const char *file;  /* ready-made field; NULL: bake it */
  uint64_t file_key; /* key of its contents */
  const tacSceneRegion *domains;
  int domain_count; /* 0: undivided */
  tacDeformedFieldDef def;
  const tacReduced *reduced;
  uint64_t reduced_key;
} tacDeformedDef;

/* Fails if the domains omit a part of the mesh. */
tacStatus tac_deformed_solid_def(const tacBodyMaker *maker, const tacTriMesh *mesh, tacDeformedDef *def);
tacStatus tac_deformed_solid_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error);
