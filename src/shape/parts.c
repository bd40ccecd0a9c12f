/* Gallery: mechanical parts, hoses and tubes. */
#include "shape/gallery.h"
#include "shape/snap_fit.h"

/* Hoses that leave a wall (x <= 0) and come back to it. The gap between the upper two is 20 mm. */
#define HOSE_RADIUS 0.011

static double bow(tacVec3 p, double z, double length, double half_width) {
  p = tac_vec3(p.x, fabs(p.y), p.z);
  double straight = tac_implicit_capsule(p, tac_vec3(0.0, half_width, z), tac_vec3(length, half_width, z), HOSE_RADIUS);
  double bend = tac_implicit_arc(p, tac_vec3(length, 0.0, z), tac_vec3(0.0, -1.0, 0.0), tac_vec3(1.0, 0.0, 0.0),
                                 half_width, 3.141592653589793);
  return fmin(straight, bend - HOSE_RADIUS);
}

static double hoses(tacVec3 p) {
  double wall = tac_implicit_box(p, tac_vec3(-0.01, 0.0, 0.0), tac_vec3(0.01, 0.11, 0.09), 0.004);
  double upper = fmin(bow(p, 0.021, 0.12, 0.05), bow(p, -0.021, 0.12, 0.05));
  double lower = bow(p, -0.066, 0.08, 0.078);
  return tac_implicit_union(wall, fmin(upper, lower), 0.006);
}

/* 28 mm thick: more than the gap between the hoses. x along its stem. */
static double hose_part(tacVec3 p) {
  double body = tac_implicit_box(p, tac_vec3(-0.03, 0.0, 0.0), tac_vec3(0.03, 0.026, 0.014), 0.005);
  double flange = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.01, 0.0, 0.0), 0.013, 0.002);
  double stem = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.08, 0.0, 0.0), 0.008, 0.002);
  double bore = tac_implicit_capsule(p, tac_vec3(-0.034, 0.0, -0.05), tac_vec3(-0.034, 0.0, 0.05), 0.013);
  double lug = tac_implicit_cylinder(p, tac_vec3(-0.034, 0.02, 0.0), tac_vec3(-0.034, 0.036, 0.0), 0.007, 0.002);
  double screw = tac_implicit_capsule(tac_vec3(p.x, fabs(p.y), p.z), tac_vec3(-0.01, 0.016, -0.05),
                                      tac_vec3(-0.01, 0.016, 0.05), 0.0035);
  double f = tac_implicit_union(body, flange, 0.003);
  f = tac_implicit_union(f, stem, 0.003);
  f = tac_implicit_union(f, lug, 0.004);
  f = tac_implicit_difference(f, bore, 0.003);
  return tac_implicit_difference(f, screw, 0.0015);
}

/* The alpha puzzle: two equal tubes, bent into a loop whose legs cross 1.1 diameters apart. */
static double alpha(tacVec3 p) {
  static const tacVec3 line[] = {{0.085, 0.045, -0.01132}, {0.030, 0.003, -0.01082}, {-0.012, -0.036, -0.00902},
                                 {-0.052, -0.036, -0.005}, {-0.066, 0.0, 0.0},       {-0.052, 0.036, 0.005},
                                 {-0.012, 0.036, 0.00902}, {0.030, -0.003, 0.01082}, {0.085, -0.045, 0.01132}};
  return tac_implicit_spline(p, sizeof line / sizeof *line, line, NULL) - 0.005;
}

static double alpha_turned(tacVec3 p) {
  return alpha(tac_implicit_turn_z(tac_implicit_turn_x(tac_vec3(p.x - 0.2, p.y, p.z - 0.03), 1.5707963267948966),
                                   3.141592653589793));
}

#define WIRE_RADIUS 0.003
static double coil_spring(tacVec3 p) {
  return tac_implicit_helix(p, 0.02, 0.011, 6.0) - WIRE_RADIUS;
}

/* Seven cables between two plates, in a hexagon; lower ones hang deeper. Symmetric about x = 0 and y = 0. */
#define CABLE_RADIUS 0.0025

static double cables(tacVec3 p) {
  static const double places[][3] = {/* y, z of the ends; sag */
                                     {0.0, 0.0, 0.026},
                                     {0.016, 0.0, 0.024},
                                     {0.008, 0.014, 0.02},
                                     {0.008, -0.014, 0.03}};
  p = tac_vec3(fabs(p.x), fabs(p.y), p.z);
  double plate = tac_implicit_box(p, tac_vec3(0.155, 0.0, 0.0), tac_vec3(0.005, 0.03, 0.03), 0.003), cable = INFINITY;
  for (int i = 0; i < 4; ++i) {
    double y = places[i][0], z = places[i][1];
    cable = fmin(cable, tac_implicit_bezier(p, tac_vec3(-0.15, y, z), tac_vec3(0.0, y, z - 2.0 * places[i][2]),
                                            tac_vec3(0.15, y, z), NULL));
  }
  return tac_implicit_union(cable - CABLE_RADIUS, plate, 0.003);
}

/* Peg and hole, both with axis z: the peg goes in along -z and is seated where both frames agree, with PEG_CLEARANCE all
 * round. Below its flange it is a star of five arms with a key between two of them, so that it fits one way only, and a
 * round pilot; both grow thinner downwards. */
#define PEG_CLEARANCE 0.00075
#define PEG_TAPER 0.04 /* metres of radius a metre of depth */

/* `top`: where the star ends above. */
static double peg_shank(tacVec3 p, double top) {
  const double arm = 1.2566370614359172; /* a fifth of a turn */
  double turn = arm * round(atan2(p.y, p.x) / arm);
  tacVec3 flat = tac_vec3(p.x, p.y, 0.0), local = tac_implicit_turn_z(flat, turn);
  double star = tac_implicit_cone(local, tac_vec3(0.012, 0.0, 0.0), tac_vec3(0.022, 0.0, 0.0), 0.0065, 0.005);
  star = tac_implicit_union(star, tac_vec3_norm(flat) - 0.0155, 0.004);
  double key = tac_implicit_rectangle(p.x + 0.011, p.y, 0.01, 0.003, 0.001);
  star = tac_implicit_union(star, key, 0.002);
  double slant = 1.0 / sqrt(1.0 + PEG_TAPER * PEG_TAPER), half = 0.5 * (0.04 + top);
  double body = tac_implicit_extrude(slant * (star - PEG_TAPER * p.z), p.z - top + half, half, 0.002);
  double pilot = slant * (tac_vec3_norm(flat) - 0.0095 - PEG_TAPER * p.z);
  return tac_implicit_union(body, tac_implicit_extrude(pilot, p.z + 0.04, 0.015, 0.003), 0.003);
}

static double peg(tacVec3 p) {
  double flange = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.006), 0.032, 0.002);
  double neck = tac_implicit_cone(p, tac_vec3(0.0, 0.0, 0.006), tac_vec3(0.0, 0.0, 0.022), 0.011, 0.008);
  double knob = tac_implicit_ellipsoid(p, tac_vec3(0.0, 0.0, 0.03), tac_vec3(0.015, 0.015, 0.01));
  double f = tac_implicit_union(flange, tac_implicit_union(neck, knob, 0.004), 0.004);
  return tac_implicit_union(f, peg_shank(p, 0.003), 0.0015);
}

static double hole(tacVec3 p) {
  double block = tac_implicit_box(p, tac_vec3(0.0, 0.0, -0.5 * (0.064 + PEG_CLEARANCE)),
                                  tac_vec3(0.038, 0.038, 0.5 * (0.064 - PEG_CLEARANCE)), 0.003);
  return tac_implicit_difference(block, peg_shank(p, 0.02) - PEG_CLEARANCE, 0.003);
}

static const tacGalleryModel models[] = {
    {{"clip",
      "clip to snap on the pipe: inner radius 14.8 mm, wall 3 mm, mouth of 132 degrees with lips, 20 mm wide, with "
      "handle",
      0.001, 0.0016},
     0.004,
     {NULL,
      {{TAC_CLIP_HANDLE_END, -TAC_CLIP_HALF_WIDTH, -0.018701529}, {0.016788551, TAC_CLIP_HALF_WIDTH, 0.018701529}},
      1.0},
     .build = tac_snap_fit_clip,
     .fill = tac_snap_fit_clip_bricks},
    {{"pipe", "pipe, outer radius 15 mm, inner radius 11 mm, length 160 mm", 0.0018, 0.0034},
     0.006,
     {NULL,
      {{-TAC_PIPE_OUTER, -TAC_PIPE_HALF_LENGTH, -TAC_PIPE_OUTER},
       {TAC_PIPE_OUTER, TAC_PIPE_HALF_LENGTH, TAC_PIPE_OUTER}},
      1.0},
     .build = tac_snap_fit_pipe,
     .fill = tac_snap_fit_pipe_bricks},
    TAC_GALLERY_IMPLICIT("hoses",
                         "three bent hoses of radius 11 mm on a wall of 220 x 180 mm; the upper two are 20 mm apart",
                         0.003, 0.005, hoses, 1.0, {{-0.02, -0.11, -0.09}, {0.181, 0.11, 0.09}}),
    TAC_GALLERY_IMPLICIT("hose-part", "rigid part with stem, 140 mm long and 28 mm thick, to pass between the hoses",
                         0.0015, 0.0025, hose_part, 1.0, {{-0.06, -0.026, -0.014}, {0.08, 0.036, 0.014}}),
    TAC_GALLERY_IMPLICIT("alpha-tube-a", "alpha-shaped tube of radius 5 mm, legs 1.1 diameters apart where they cross",
                         0.0015, 0.003, alpha, 1.0, {{-0.0675, -0.05, -0.01632}, {0.09, 0.05, 0.01632}}),
    TAC_GALLERY_IMPLICIT("alpha-tube-b", "the same tube beside the first, turned by half a turn", 0.0015, 0.003,
                         alpha_turned, 1.0, {{0.11, -0.01632, -0.02}, {0.2675, 0.01632, 0.08}}),
    TAC_GALLERY_IMPLICIT("coil-spring", "coil spring, six turns of radius 20 mm and pitch 11 mm, wire of radius 3 mm",
                         0.0012, 0.002, coil_spring, 1.0, {{-0.023, -0.023, -0.003}, {0.023, 0.023, 0.069}}),
    TAC_GALLERY_IMPLICIT("cables", "seven cables of diameter 5 mm that hang between two plates 300 mm apart", 0.0018,
                         0.002, cables, 1.0, {{-0.16, -0.03, -0.0465}, {0.16, 0.03, 0.03}}),
    TAC_GALLERY_IMPLICIT("peg", "tapered star-shaped peg with a key, a flange of radius 32 mm and a knob, 95 mm long",
                         0.0012, 0.0016, peg, 1.5, {{-0.032, -0.032, -0.055}, {0.032, 0.032, 0.04}}),
    TAC_GALLERY_IMPLICIT("hole", "block of 76 x 76 x 63.25 mm with the cavity that fits the peg with 0.75 mm clearance",
                         0.0014, 0.0016, hole, 1.1, {{-0.038, -0.038, -0.064}, {0.038, 0.038, -PEG_CLEARANCE}}),
};
const tacGalleryFamily tac_gallery_parts = {sizeof models / sizeof *models, models};
