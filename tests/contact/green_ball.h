/* A soft ball for tests of points that touch it: radius 50 mm about the origin, the lowest quarter fixed. */
#pragma once

#include <tactus/green.h>
#include "body/make_green.h"
#include "collide/proximity.h"
#include "contact/point_contact.h"
#include "kinds/green/green_kind.h"

typedef struct GreenBall {
  tacGreen *green;
  tacTouched touched;
  tacProximity proximity;
} GreenBall;

static inline void make_ball(GreenBall *f) {
  error = (tacError){0};
  f->green = make_green("sphere", 0.015);
  tacGreenBodyDef def = tac_green_body_def_default();
  def.body.name = "ball";
  def.green = f->green;
  def.mask_radius = 0.025;
  def.rigid_stiffness = 2000.0;
  tac_test_ok(tac_green_kind_create(&def, &f->touched.body, &error), error);
  f->touched.surface = tac_green_body_surface(tac_green_kind_body(&f->touched.body));
  f->touched.tip = 0;
  tac_test_ok(tac_proximity_create(f->touched.surface, &f->proximity, &error), error);
}

static inline void free_ball(GreenBall *f) {
  tac_proximity_destroy(&f->proximity);
  f->touched.body.table->destroy(f->touched.body.self);
  tac_green_destroy(f->green);
}
