/* Gallery: things of daily use. */
#include "shape/gallery.h"

/* Spatula: x along it, blade at the far end, flat in the plane z = 0. */
static double spatula(tacVec3 p) {
  static const tacVec3 neck_line[] = {{0.09, 0.0, 0.018}, {0.155, 0.0, 0.019}, {0.175, 0.0, 0.004}, {0.21, 0.0, 0.004}};
  double plan = tac_implicit_rectangle(p.x - 0.235, p.y, 0.045, 0.0375, 0.012);
  double row = fmin(fabs(p.y), fabs(fabs(p.y) - 0.018));
  double slot = tac_implicit_rectangle(p.x - 0.241, row, 0.026, 0.0042, 0.0042);
  double blade = tac_implicit_extrude(fmax(plan, -slot), p.z, 0.002, 0.0015);
  double neck = tac_implicit_spline(p, 4, neck_line, NULL) - 0.0038;
  double handle = tac_implicit_box(p, tac_vec3(0.055, 0.0, 0.018), tac_vec3(0.055, 0.0115, 0.007), 0.0068);
  double hole = tac_implicit_capsule(p, tac_vec3(0.013, 0.0, -0.02), tac_vec3(0.013, 0.0, 0.06), 0.004);
  double f = tac_implicit_union(blade, neck, 0.002);
  f = tac_implicit_union(f, handle, 0.003);
  return tac_implicit_difference(f, hole, 0.002);
}

/* Spoon: x along it, bowl at the far end, open upwards, its rim in the plane z = 0. */
static double spoon(tacVec3 p) {
  double shell = tac_implicit_ellipsoid(p, tac_vec3(0.145, 0.0, 0.0), tac_vec3(0.034, 0.022, 0.013));
  double rim = fmax(p.z, 0.0);
  double bowl = sqrt(shell * shell + rim * rim) - 0.001;
  double along = 1.0 - p.x / 0.112;
  double rise = 0.016 * along * along * (1.5 - along);
  double plan =
      tac_implicit_cone(tac_vec3(p.x, p.y, 0.0), tac_vec3(0.0085, 0.0, 0.0), tac_vec3(0.112, 0.0, 0.0), 0.0085, 0.0032);
  double handle = tac_implicit_extrude(plan, p.z - rise, 0.0015, 0.0012);
  return tac_implicit_union(bowl, handle, 0.004);
}

/* Banana seat: x forward, z up. The cushion is a flat hull of two discs, bent up at the back and a little at the nose. */
static double banana_seat(tacVec3 p) {
  double back = fmax(-0.02 - p.x, 0.0), nose = fmax(p.x - 0.05, 0.0);
  double height = p.z - 2.0 * back * back - 0.5 * nose * nose;
  double plan =
      tac_implicit_cone(tac_vec3(p.x, p.y, 0.0), tac_vec3(-0.115, 0.0, 0.0), tac_vec3(0.16, 0.0, 0.0), 0.07, 0.035);
  double cushion = tac_implicit_extrude(plan, height, 0.02, 0.019);
  double post = tac_implicit_cylinder(p, tac_vec3(0.06, 0.0, -0.09), tac_vec3(0.06, 0.0, 0.0), 0.012, 0.003);
  tacVec3 mirrored = tac_vec3(p.x, fabs(p.y), p.z);
  double stay = tac_implicit_capsule(mirrored, tac_vec3(-0.11, 0.04, 0.01), tac_vec3(-0.14, 0.04, -0.118), 0.007);
  return tac_implicit_union(cushion, fmin(post, stay), 0.008);
}

/* Basket: z up, open, round. Its wall is woven of rows 10.5 mm high, with grooves between them: each goes out and in around the
 * stakes, the other way from one row to the next. */
static double basket(tacVec3 p) {
  double across = sqrt(p.x * p.x + p.y * p.y), row = cos(3.141592653589793 * (p.z - 0.0085) / 0.0105);
  double fade = fmin(fmax((0.064 - p.z) / 0.004, 0.0), 1.0) * fmin(fmax((p.z - 0.003) / 0.004, 0.0), 1.0);
  double weave = 0.0014 * fade * cos(16.0 * atan2(p.y, p.x)) * row / sqrt(row * row + 0.06);
  double wall = tac_implicit_capsule(tac_vec3(across + fmin(across / 0.04, 1.0) * weave, 0.0, p.z),
                                     tac_vec3(0.0427, 0.0, 0.0075), tac_vec3(0.055, 0.0, 0.066), 0.0036);
  wall += 0.0009 * fade * exp(-row * row / 0.08);
  double bottom = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.007), 0.045, 0.003);
  double rim = tac_implicit_torus(p, tac_vec3(0.0, 0.0, 0.066), tac_vec3(0.0, 0.0, 1.0), 0.055, 0.0055);
  return tac_implicit_union(tac_implicit_union(wall, bottom, 0.003), rim, 0.0015);
}

/* Jaw of a grasper: its hinge is the y axis, its flat inner face in the plane z = 0, its tip towards x, with a window. */
static double grasper_jaw(tacVec3 p) {
  double plan =
      tac_implicit_cone(tac_vec3(p.x, p.y, 0.0), tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.027, 0.0, 0.0), 0.004, 0.003);
  double window = tac_implicit_rectangle(p.x - 0.017, p.y, 0.007, 0.0014, 0.0014);
  return tac_implicit_extrude(fmax(plan, -window), p.z - 0.0025, 0.0025, 0.001);
}

/* Shaft of a grasper: along x, the hinge of its jaws at the origin, its handle behind. */
static double grasper_shaft(tacVec3 p) {
  double rod = tac_implicit_capsule(p, tac_vec3(-0.23, 0.0, 0.0), tac_vec3(-0.004, 0.0, 0.0), 0.0025);
  double handle = tac_implicit_cylinder(p, tac_vec3(-0.3, 0.0, 0.0), tac_vec3(-0.22, 0.0, 0.0), 0.009, 0.004);
  double hinge = tac_implicit_cylinder(p, tac_vec3(0.0, -0.005, 0.0), tac_vec3(0.0, 0.005, 0.0), 0.003, 0.0008);
  return tac_implicit_union(tac_implicit_union(rod, handle, 0.004), hinge, 0.002);
}

/* Swab: what a grasper takes, upright. */
static double swab(tacVec3 p) {
  return tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.006, 0.015, 0.01), 0.0035);
}

/* Thin tools. Needle: its tip at the origin, upwards. Blade: its edge along y at the origin, upwards. Rod: along y. */
static double needle(tacVec3 p) {
  return tac_implicit_cone(p, tac_vec3(0.0, 0.0, 0.0003), tac_vec3(0.0, 0.0, 0.0592), 0.0003, 0.0008);
}
static double blade(tacVec3 p) {
  double plane = tac_implicit_cone(tac_vec3(p.x, 0.0, p.z), tac_vec3(0.0, 0.0, 0.0002), tac_vec3(0.0, 0.0, 0.0114),
                                   0.0002, 0.0006);
  return tac_implicit_extrude(plane, p.y, 0.015, 0.0002);
}
static double rod(tacVec3 p) {
  return tac_implicit_capsule(p, tac_vec3(0.0, -0.0175, 0.0), tac_vec3(0.0, 0.0175, 0.0), 0.0005);
}
static double sheet(tacVec3 p) {
  return tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.02, 0.02, 0.0005), 0.0004);
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("spatula", "spatula, 280 mm long, blade 90 x 75 x 4 mm with three slots, hole in the handle",
                         0.0015, 0.002, spatula, 1.0, {{0.0, -0.0375, -0.002}, {0.28, 0.0375, 0.025}}),
    TAC_GALLERY_IMPLICIT("spoon", "spoon, 180 mm long, 2 mm thick", 0.0008, 0.001, spoon, 1.2,
                         {{0.0, -0.023, -0.014}, {0.18, 0.023, 0.009497277}}),
    TAC_GALLERY_IMPLICIT("banana-seat", "banana bicycle seat, 380 mm long, with post and two stays", 0.004, 0.006,
                         banana_seat, 1.5, {{-0.185, -0.07, -0.125}, {0.195, 0.07, 0.065827648}}),
    TAC_GALLERY_IMPLICIT("basket", "woven basket, open, 121 mm wide, 71.5 mm high, wall 7 mm thick", 0.0022, 0.003,
                         basket, 1.7, {{-0.0605, -0.0605, 0.0}, {0.0605, 0.0605, 0.0715}}),
    TAC_GALLERY_IMPLICIT("grasper-jaw", "jaw of a surgical grasper, 30 mm from hinge to tip, 8 mm wide, with a window",
                         0.0008, 0.001, grasper_jaw, 1.0, {{-0.004, -0.004, 0.0}, {0.03, 0.004, 0.005}}),
    TAC_GALLERY_IMPLICIT("grasper-shaft", "shaft of a surgical grasper, 5 mm thick, 300 mm from handle to hinge",
                         0.0015, 0.0015, grasper_shaft, 1.0, {{-0.3, -0.009, -0.009}, {0.003, 0.009, 0.009}}),
    TAC_GALLERY_IMPLICIT("swab", "swab, 12 x 30 x 20 mm", 0.0025, 0.004, swab, 1.0,
                         {{-0.006, -0.015, -0.01}, {0.006, 0.015, 0.01}}),
    TAC_GALLERY_IMPLICIT("needle", "needle, 60 mm long, from 0.6 mm at its tip to 1.6 mm", 0.0003, 0.0004, needle, 1.0,
                         {{-0.0008, -0.0008, 0.0}, {0.0008, 0.0008, 0.06}}),
    TAC_GALLERY_IMPLICIT("blade", "blade, 30 x 12 mm, from 0.4 mm at its edge to 1.2 mm", 0.0003, 0.0003, blade, 1.0,
                         {{-0.0006, -0.015, 0.0}, {0.0006, 0.015, 0.012}}),
    TAC_GALLERY_IMPLICIT("rod", "rod like a thread, 36 mm long, 1 mm thick", 0.0003, 0.0004, rod, 1.0,
                         {{-0.0005, -0.018, -0.0005}, {0.0005, 0.018, 0.0005}}),
    TAC_GALLERY_IMPLICIT("sheet", "sheet, 40 x 40 x 1 mm", 0.0005, 0.0006, sheet, 1.0,
                         {{-0.02, -0.02, -0.0005}, {0.02, 0.02, 0.0005}}),
};
const tacGalleryFamily tac_gallery_tools = {sizeof models / sizeof *models, models};
