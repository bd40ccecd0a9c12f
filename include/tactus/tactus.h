/* Includes every public header of Tactus. */
#ifndef TACTUS_TACTUS_H
#define TACTUS_TACTUS_H

#include <tactus/base.h>
#include <tactus/body.h>
#include <tactus/body_kind.h>
#include <tactus/contact.h>
#include <tactus/device.h>
#include <tactus/distance_field.h>
#include <tactus/green.h>
#include <tactus/guard.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <tactus/recording.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/scene.h>
#include <tactus/servo.h>
#include <tactus/tool.h>
#include <tactus/world.h>

#endif
