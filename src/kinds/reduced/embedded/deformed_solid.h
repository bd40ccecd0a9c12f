/* Defines the distance field of a deforming body in a scene, and bakes this field domain by domain. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "spec/body_mesh.h"
#include "spec/body_solid.h"

typedef struct tacDeformedDef {
  tacSolidDef solid;
  const char *file;  /* path of a ready-made field; NULL: the field is baked */
  uint64_t file_key; /* checksum of the contents of `file` */
  const tacSceneRegion *domains;
  int domain_count; /* number of domains; 0: the body is not divided */
  tacDeformedFieldDef def;
  const tacReduced *reduced;
  uint64_t reduced_key;
} tacDeformedDef;

/* Creates the definition. Fails if a vertex of the mesh is outside all domains. */
tacStatus tac_deformed_solid_def(const tacBodyMaker *maker, const tacTriMesh *mesh, tacDeformedDef *def);
tacStatus tac_deformed_solid_bake(const tacDeformedDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error);
