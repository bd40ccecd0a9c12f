/* Gallery: organs around the liver, in its frame (x to the left of the body, -y to the front, z up), so that all of
 * them lie as they do in the body: under the diaphragm the liver and the stomach, the colon around them and the small
 * intestine. At rest they are apart: each leaves GAP to those before it. Functions are in millimetres. */
#include "shape/diaphragm.h"
#include "shape/gallery.h"
#include "shape/liver.h"

#define GAP 1.5

static double liver(tacVec3 p) {
  return 1000.0 * tac_liver(tac_vec3_scale(0.001, p));
}

/* What is left of `f` beside a neighbour; the edge is rounded. */
static double beside(double f, double neighbour) {
  return tac_implicit_difference(f, neighbour - GAP, 4.0);
}

/* A curved bag: wide at the fundus, under the left lobe, narrow at the pylorus. */
static double stomach_solid(tacVec3 p) {
  static const tacVec3 line[] = {
      {74.0, 20.0, -30.0}, {88.0, 4.0, -62.0}, {66.0, -20.0, -104.0}, {20.0, -24.0, -106.0}, {-4.0, 0.0, -86.0}};
  double at, f = tac_implicit_spline(p, 5, line, &at);
  f -= 10.0 + 20.0 * (1.0 - at * at);
  double oesophagus = tac_implicit_capsule(p, tac_vec3(58.0, 30.0, -24.0), tac_vec3(40.0, 40.0, -4.0), 9.0);
  return beside(tac_implicit_union(f, oesophagus, 8.0), liver(p));
}

/* From the lower right up to the liver, across below the stomach, and down on the left. */
static double colon_solid(tacVec3 p) {
  static const tacVec3 line[] = {{-86.0, 14.0, -226.0},  {-88.0, 10.0, -160.0}, {-90.0, -2.0, -56.0},
                                 {-46.0, -30.0, -122.0}, {10.0, -36.0, -136.0}, {64.0, -36.0, -138.0},
                                 {118.0, -28.0, -136.0}, {134.0, -6.0, -58.0},  {130.0, 38.0, -52.0},
                                 {122.0, 40.0, -130.0},  {112.0, 30.0, -226.0}};
  double at, f = tac_implicit_spline(p, 11, line, &at);
  f -= 17.0 + 1.2 * cos(150.0 * at); /* haustra */
  return beside(beside(f, liver(p)), stomach_solid(p));
}

/* Loops that lie on each other, one bundle. */
static double intestine_solid(tacVec3 p) {
  static const tacVec3 rows[3][4] = {
      {{-48.0, -14.0, -156.0}, {-8.0, -26.0, -162.0}, {44.0, -2.0, -158.0}, {84.0, -16.0, -162.0}},
      {{84.0, -12.0, -184.0}, {40.0, -28.0, -180.0}, {-10.0, -2.0, -186.0}, {-52.0, -16.0, -180.0}},
      {{-48.0, -14.0, -204.0}, {-6.0, -26.0, -210.0}, {42.0, -4.0, -204.0}, {80.0, -16.0, -208.0}}};
  double f = tac_implicit_spline(p, 4, rows[0], NULL) - 14.0;
  for (int i = 1; i < 3; ++i) f = tac_implicit_union(f, tac_implicit_spline(p, 4, rows[i], NULL) - 14.0, 8.0);
  return beside(f, colon_solid(p));
}

static double stomach(tacVec3 p) {
  return 0.001 * stomach_solid(tac_vec3_scale(1000.0, p));
}

static double colon(tacVec3 p) {
  return 0.001 * colon_solid(tac_vec3_scale(1000.0, p));
}

static double intestine(tacVec3 p) {
  return 0.001 * intestine_solid(tac_vec3_scale(1000.0, p));
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("stomach", "stomach, from its fundus under the left lobe of the liver to the pylorus", 0.004,
                         0.008, stomach, 2.0, {{-0.014, -0.043288455, -0.126377976}, {0.111184239, 0.05, 0.002998706}}),
    TAC_GALLERY_IMPLICIT("colon", "colon, a tube of radius 17 mm around liver, stomach and small intestine", 0.004,
                         0.008, colon, 2.0,
                         {{-0.107073293, -0.054111599, -0.2442}, {0.150597787, 0.056888845, -0.03704809}}),
    TAC_GALLERY_IMPLICIT("small-intestine", "small intestine, a bundle of loops of radius 14 mm", 0.004, 0.008,
                         intestine, 2.0, {{-0.066, -0.034827586, -0.222}, {0.098, 0.005538462, -0.142}}),
    {{"diaphragm", "diaphragm, a sheet of 9 mm with two domes over the liver", 0.006},
     0.03,
     {NULL, {{-0.108269, -0.06996, 0.020158}, {0.130156, 0.080222, 0.091384}}, 1.0},
     .build = tac_diaphragm_surface,
     .brick_size = 0.02,
     .fill = tac_diaphragm_bricks},
};
const tacGalleryFamily tac_gallery_abdomen = {sizeof models / sizeof *models, models};
