/* Everything that Tactus offers. */
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include <tactus/api.h>
#include <tactus/distance_field.h>
#include <tactus/embedding.h>
#include <tactus/error.h>
#include <tactus/field_bake.h>
#include <tactus/grid.h>
#include <tactus/index_set.h>
#include <tactus/isosurface.h>
#include <tactus/log.h>
#include <tactus/mesh_file.h>
#include <tactus/mesh_report.h>
#include <tactus/progress.h>
#include <tactus/repair.h>
#include <tactus/shape.h>
#include <tactus/stuffing.h>
#include <tactus/trimesh.h>
#include <tactus/vec3.h>
#include <tactus/volmesh.h>
#include <tactus/voxelise.h>

#endif
