/* Gallery: structures. */
#include "shape/gallery.h"

/* Suspension bridge: x along the deck, z up; symmetric about x = 0 and y = 0. */
#define CABLE_Y 0.062
#define CABLE_TOP 0.283
#define CABLE_LOW 0.135
#define SIDE_HALF 0.115 /* half the length of the cable's side span */
#define TOWER_X 0.25
#define DECK_Z 0.10

/* Height of the main cable: parabolas over the middle span and the side spans. */
static double cable_height(double x) {
  if (x < TOWER_X) return CABLE_LOW + (CABLE_TOP - CABLE_LOW) * (x / TOWER_X) * (x / TOWER_X);
  double t = (x - TOWER_X) / (2.0 * SIDE_HALF);
  return (1.0 - t) * (1.0 - t) * CABLE_TOP + 2.0 * t * (1.0 - t) * 0.17 + t * t * 0.105;
}

static double hanger(tacVec3 p, double x) {
  if (x > 0.41 || fabs(x - TOWER_X) < 0.02) return INFINITY;
  return tac_implicit_capsule(p, tac_vec3(x, CABLE_Y, DECK_Z), tac_vec3(x, CABLE_Y, cable_height(x)), 0.0045);
}

static double bridge(tacVec3 p) {
  p = tac_vec3(fabs(p.x), fabs(p.y), p.z);
  double deck = tac_implicit_box(p, tac_vec3(0.0, 0.0, DECK_Z), tac_vec3(0.5, 0.07, 0.012), 0.004);
  double column = tac_implicit_box(p, tac_vec3(TOWER_X, CABLE_Y, 0.15), tac_vec3(0.015, 0.014, 0.15), 0.004);
  double beam = INFINITY;
  const double beam_heights[] = {0.04, 0.20, 0.28};
  for (int i = 0; i < 3; ++i)
    beam =
        fmin(beam, tac_implicit_box(p, tac_vec3(TOWER_X, 0.0, beam_heights[i]), tac_vec3(0.010, 0.06, 0.010), 0.004));
  double tower = tac_implicit_union(column, beam, 0.006);
  double cable = tac_implicit_bezier(p, tac_vec3(-TOWER_X, CABLE_Y, CABLE_TOP),
                                     tac_vec3(0.0, CABLE_Y, 2.0 * CABLE_LOW - CABLE_TOP),
                                     tac_vec3(TOWER_X, CABLE_Y, CABLE_TOP), NULL);
  cable = fmin(
      cable, tac_implicit_bezier(p, tac_vec3(TOWER_X, CABLE_Y, CABLE_TOP), tac_vec3(TOWER_X + SIDE_HALF, CABLE_Y, 0.17),
                                 tac_vec3(TOWER_X + 2.0 * SIDE_HALF, CABLE_Y, 0.105), NULL));
  double left = 0.04 * floor(p.x / 0.04);
  double hangers = fmin(hanger(p, left), hanger(p, left + 0.04));
  double ropes = tac_implicit_union(cable - 0.0065, hangers, 0.004);
  return tac_implicit_union(tac_implicit_union(deck, tower, 0.006), ropes, 0.005);
}

/* Lattice tower: z up, symmetric about the planes x = 0, y = 0, x = y. */
static double tower(tacVec3 p) {
  static const tacVec3 leg_line[] = {
      {0.1, 0.1, 0.024}, {0.07, 0.07, 0.09}, {0.036, 0.036, 0.2}, {0.016, 0.016, 0.33}, {0.0, 0.0, 0.46}};
  double x = fmin(fabs(p.x), fabs(p.y)), y = fmax(fabs(p.x), fabs(p.y));
  p = tac_vec3(x, y, p.z);
  double at, leg = tac_implicit_spline(p, 5, leg_line, &at);
  leg -= 0.015 - 0.007 * at;
  double foot = tac_implicit_box(p, tac_vec3(0.1, 0.1, 0.012), tac_vec3(0.024, 0.024, 0.012), 0.003);
  double arch = tac_implicit_arc(p, tac_vec3(0.0, 0.086, 0.003), tac_vec3(0.988771, 0.0, 0.149438),
                                 tac_vec3(-0.149438, 0.0, 0.988771), 0.083, 3.141592653589793 - 0.3) -
                0.006;
  /* Half of a diagonal cross: the other half is its mirror image. */
  const tacVec3 crossing = {0.0, 0.0498, 0.1605};
  double brace = fmin(tac_implicit_capsule(p, tac_vec3(0.062, 0.064, 0.107), crossing, 0.0045),
                      tac_implicit_capsule(p, crossing, tac_vec3(0.04, 0.041, 0.194), 0.0045));
  double first = tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.096), tac_vec3(0.092, 0.092, 0.007), 0.003);
  first = tac_implicit_difference(
      first, tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.096), tac_vec3(0.042, 0.042, 0.03), 0.006), 0.003);
  double second = tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.2), tac_vec3(0.052, 0.052, 0.006), 0.003);
  double third = tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.375), tac_vec3(0.023, 0.023, 0.006), 0.003);
  double shaft = tac_implicit_cone(p, tac_vec3(0.0, 0.0, 0.38), tac_vec3(0.0, 0.0, 0.45), 0.009, 0.007);
  double spire = tac_implicit_cone(p, tac_vec3(0.0, 0.0, 0.45), tac_vec3(0.0, 0.0, 0.496), 0.007, 0.004);
  double f = tac_implicit_union(leg, foot, 0.006);
  f = tac_implicit_union(f, tac_implicit_union(arch, brace, 0.004), 0.005);
  f = tac_implicit_union(f, fmin(fmin(first, second), third), 0.005);
  return tac_implicit_union(f, fmin(shaft, spire), 0.006);
}

/* Table: z up. The two bars of the reinforced one lie along x, flush with the legs, so that no two boxes share an edge alone. */
static const tacBox table_boxes[] = {
    {{-0.15, -0.1, 0.13}, {0.15, 0.1, 0.15}},  {{-0.14, -0.09, 0.0}, {-0.12, -0.07, 0.13}},
    {{0.12, -0.09, 0.0}, {0.14, -0.07, 0.13}}, {{-0.14, 0.07, 0.0}, {-0.12, 0.09, 0.13}},
    {{0.12, 0.07, 0.0}, {0.14, 0.09, 0.13}},   {{-0.12, -0.09, 0.03}, {0.12, -0.07, 0.05}},
    {{-0.12, 0.07, 0.03}, {0.12, 0.09, 0.05}},
};

/* Chair: z up, facing -y. Seat and back are sheets of 10 mm; legs of radius 9 to 7.5 mm stand outwards. */
static double chair(tacVec3 p) {
  p = tac_vec3(fabs(p.x), p.y, p.z);
  double seat_z = 0.18 - 1.2 * (p.x * p.x + p.y * p.y); /* a hollow would hold water: it is arched */
  double seat = tac_implicit_extrude(tac_implicit_rectangle(p.x, p.y, 0.09, 0.09, 0.03), p.z - seat_z, 0.005, 0.004);
  tacVec3 lean = tac_implicit_turn_x(tac_vec3(p.x, p.y - 0.08, p.z - 0.18), -0.2);
  double plan = tac_implicit_rectangle(lean.x, lean.z - 0.07, 0.085, 0.105, 0.03);
  double slot = tac_implicit_rectangle(lean.x, lean.z - 0.13, 0.045, 0.014, 0.014);
  plan = tac_implicit_difference(plan, slot, 0.004);
  double back = tac_implicit_extrude(plan, lean.y + 2.0 * lean.x * lean.x, 0.005, 0.004); /* bent around the sitter */
  double leg =
      fmin(tac_implicit_cone(p, tac_vec3(0.074, -0.072, 0.157), tac_vec3(0.0925, -0.0925, 0.0075), 0.009, 0.0075),
           tac_implicit_cone(p, tac_vec3(0.074, 0.072, 0.157), tac_vec3(0.0925, 0.0925, 0.0075), 0.009, 0.0075));
  return tac_implicit_union(tac_implicit_union(seat, back, 0.012), leg, 0.01);
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("suspension-bridge",
                         "suspension bridge, 1 m long, 300 mm high, cables of radius 6.5 mm, hangers of 4.5 mm", 0.004,
                         0.0048, bridge, 1.0, {{-0.5, -0.076, 0.0}, {0.5, 0.076, 0.3}}),
    TAC_GALLERY_IMPLICIT("tower", "lattice tower, 500 mm high, base 248 x 248 mm", 0.003, 0.004, tower, 1.1,
                         {{-0.124, -0.124, 0.0}, {0.124, 0.124, 0.5}}),
    TAC_GALLERY_BOXES("table", "table, 300 x 200 x 150 mm, top 20 mm thick, four legs of 20 x 20 mm, sharp edges", 0.01,
                      0.3, 0.02, 5, table_boxes, {{-0.15, -0.1, 0.0}, {0.15, 0.1, 0.15}}),
    TAC_GALLERY_BOXES("table-reinforced", "the same table with two bars of 20 x 20 mm between its legs, along x", 0.01,
                      0.3, 0.024, 7, table_boxes, {{-0.15, -0.1, 0.0}, {0.15, 0.1, 0.15}}),
    TAC_GALLERY_IMPLICIT("chair", "plastic chair, 353 mm high, seat and back 10 mm thick, round legs of 15 to 18 mm",
                         0.004, 0.005, chair, 1.3, {{-0.1, -0.1, 0.0}, {0.1, 0.118952522, 0.353021873}}),
};
const tacGalleryFamily tac_gallery_structures = {sizeof models / sizeof *models, models};
