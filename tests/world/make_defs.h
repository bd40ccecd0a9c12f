/* Definitions of bodies, pairs and tools: the defaults, and what they are about. */
#pragma once

#include <tactus/green.h>
#include <tactus/rigid.h>
#include <tactus/world.h>

/* Of the shell and the field either may be NULL. */
static inline tacRigidBodyDef rigid_def(const char *name, const tacTriMesh *surface, const tacPointshell *shell,
                                        const tacDistanceField *field) {
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.body.name = name;
  def.surface = surface;
  def.shell = shell;
  def.field = field;
  return def;
}

static inline tacGreenBodyDef green_def(const char *name, const tacGreen *green) {
  tacGreenBodyDef def = tac_green_body_def_default();
  def.body.name = name;
  def.green = green;
  return def;
}
