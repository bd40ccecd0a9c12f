/* Everything that Tactus offers. */
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include <tactus/api.h>
#include <tactus/bake_check.h>
#include <tactus/capacitance.h>
#include <tactus/contact.h>
#include <tactus/deformed_field.h>
#include <tactus/device.h>
#include <tactus/distance_field.h>
#include <tactus/embedding.h>
#include <tactus/error.h>
#include <tactus/field_bake.h>
#include <tactus/green.h>
#include <tactus/green_bake.h>
#include <tactus/grid.h>
#include <tactus/guard.h>
#include <tactus/index_set.h>
#include <tactus/isosurface.h>
#include <tactus/log.h>
#include <tactus/mass_properties.h>
#include <tactus/material.h>
#include <tactus/mesh_contents.h>
#include <tactus/mesh_file.h>
#include <tactus/mesh_report.h>
#include <tactus/pair_look.h>
#include <tactus/pointshell.h>
#include <tactus/pointshell_bake.h>
#include <tactus/progress.h>
#include <tactus/recording.h>
#include <tactus/reduced.h>
#include <tactus/reduced_bake.h>
#include <tactus/reference_problem.h>
#include <tactus/repair.h>
#include <tactus/scene.h>
#include <tactus/servo.h>
#include <tactus/shape.h>
#include <tactus/stuffing.h>
#include <tactus/surface_stress.h>
#include <tactus/trimesh.h>
#include <tactus/vec3.h>
#include <tactus/volmesh.h>
#include <tactus/voxelise.h>
#include <tactus/world.h>

#endif
