/* Everything that Tactus offers. */
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include <tactus/api.h>
#include <tactus/bake_check.h>
#include <tactus/body.h>
#include <tactus/body_kind.h>
#include <tactus/contact.h>
#include <tactus/contact_problem.h>
#include <tactus/deformed_field.h>
#include <tactus/device.h>
#include <tactus/distance_field.h>
#include <tactus/error.h>
#include <tactus/green.h>
#include <tactus/grid.h>
#include <tactus/guard.h>
#include <tactus/hyperelastic.h>
#include <tactus/interpenetration.h>
#include <tactus/layout.h>
#include <tactus/log.h>
#include <tactus/material.h>
#include <tactus/mesh_file.h>
#include <tactus/mesh_quality.h>
#include <tactus/meshing.h>
#include <tactus/plugin.h>
#include <tactus/pointshell.h>
#include <tactus/progress.h>
#include <tactus/recording.h>
#include <tactus/reduced.h>
#include <tactus/reference_problem.h>
#include <tactus/rigid.h>
#include <tactus/scene.h>
#include <tactus/servo.h>
#include <tactus/shape.h>
#include <tactus/surface_stress.h>
#include <tactus/trimesh.h>
#include <tactus/vademecum.h>
#include <tactus/vec3.h>
#include <tactus/volmesh.h>
#include <tactus/world.h>

#endif
