/* Gallery: figures, free in form and fine in detail. Their functions are in millimetres; a scale makes the stated height
 * exact. */
#include "shape/gallery.h"

static tacVec3 mirror_x(tacVec3 p) {
  return tac_vec3(fabs(p.x), p.y, p.z);
}

static tacVec3 mirror_y(tacVec3 p) {
  return tac_vec3(p.x, fabs(p.y), p.z);
}

/* Bunny: x forward, z up. */
#define BUNNY_SCALE (150.0 / 147.705371)
#define BUNNY_LOWEST -1.216204 /* the lowest point of the fur, millimetres before scaling */
static double bunny(tacVec3 p) {
  p = tac_vec3_scale(1000.0 / BUNNY_SCALE, p);
  p.z += BUNNY_LOWEST;
  tacVec3 q = mirror_y(p);
  double f = tac_implicit_ellipsoid(p, tac_vec3(-4.0, 0.0, 38.0), tac_vec3(46.0, 34.0, 36.0));
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(26.0, 0.0, 48.0), 25.0), 14.0);
  double head = tac_implicit_ellipsoid(p, tac_vec3(44.0, 0.0, 84.0), tac_vec3(24.0, 19.0, 20.0));
  head = tac_implicit_union(head, tac_implicit_sphere(p, tac_vec3(59.0, 0.0, 78.0), 11.0), 10.0);
  head = tac_implicit_union(head, tac_implicit_sphere(q, tac_vec3(56.0, 9.0, 76.0), 7.5), 5.0);
  tacVec3 ear_point =
      tac_implicit_turn_x(tac_implicit_turn_y(tac_vec3(q.x - 22.0, q.y - 15.0, q.z - 120.0), -0.62), -0.25);
  double ear = tac_implicit_ellipsoid(ear_point, tac_vec3(0.0, 0.0, 0.0), tac_vec3(5.5, 11.0, 33.0));
  ear = tac_implicit_difference(
      ear, tac_implicit_ellipsoid(ear_point, tac_vec3(8.5, 0.0, 2.0), tac_vec3(5.0, 7.0, 24.0)), 4.0);
  head = tac_implicit_union(head, ear, 6.0);
  f = tac_implicit_union(f, head, 10.0);
  f = tac_implicit_union(f, tac_implicit_ellipsoid(q, tac_vec3(-18.0, 27.0, 27.0), tac_vec3(27.0, 15.0, 25.0)), 7.0);
  f = tac_implicit_union(f, tac_implicit_ellipsoid(q, tac_vec3(-4.0, 29.0, 8.0), tac_vec3(24.0, 10.0, 8.0)), 5.0);
  double paw = tac_implicit_cone(q, tac_vec3(30.0, 15.0, 34.0), tac_vec3(36.0, 14.0, 8.0), 10.0, 7.5);
  paw = tac_implicit_union(paw, tac_implicit_ellipsoid(q, tac_vec3(42.0, 14.0, 7.0), tac_vec3(14.0, 8.0, 7.0)), 5.0);
  f = tac_implicit_union(f, paw, 6.0);
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(-52.0, 0.0, 28.0), 13.0), 6.0);
  double eye = tac_implicit_sphere(q, tac_vec3(55.0, 14.5, 90.0), 4.0);
  f = tac_implicit_union(f, eye, 1.5);
  f += 0.7 * tac_implicit_fractal(tac_vec3_scale(1.0 / 9.0, p), 2);
  return 0.001 * BUNNY_SCALE * f;
}

/* Knight: z up, facing -y, on a plinth. Mail is a lattice of bumps, plates are hammered. */
#define KNIGHT_SCALE (300.0 / 291.922339)

/* Whether a part inside the given box can be nearer than `distance`: else it need not be computed. */
static bool reaches(tacVec3 p, tacVec3 centre, tacVec3 half, double distance) {
  return tac_implicit_box(p, centre, half, 0.0) < distance;
}

static double mail(tacVec3 p) {
  const double k = 6.283185307179586 / 5.0;
  return 0.55 * sin(k * p.x) * sin(k * p.z) * cos(k * p.y);
}

static double knight_legs(tacVec3 q) {
  double f = tac_implicit_cone(q, tac_vec3(19.0, 6.0, 24.0), tac_vec3(26.0, -28.0, 18.0), 10.0, 5.5);
  f = tac_implicit_union(f, tac_implicit_cone(q, tac_vec3(19.0, 6.0, 26.0), tac_vec3(18.0, 3.0, 58.0), 9.0, 12.5), 3.0);
  f = tac_implicit_union(f, tac_implicit_cone(q, tac_vec3(18.0, 3.0, 58.0), tac_vec3(17.0, 0.0, 76.0), 12.5, 10.5),
                         3.0);
  double knee = tac_implicit_ellipsoid(q, tac_vec3(18.0, -5.0, 80.0), tac_vec3(12.5, 11.0, 12.0));
  knee = tac_implicit_union(knee, tac_implicit_ellipsoid(q, tac_vec3(29.0, -1.0, 80.0), tac_vec3(3.5, 9.0, 9.0)), 2.0);
  f = tac_implicit_union(f, tac_implicit_cone(q, tac_vec3(17.5, 1.0, 84.0), tac_vec3(14.0, 2.0, 128.0), 13.0, 17.0),
                         2.0);
  return tac_implicit_union(f, knee, 1.5);
}

static double knight_arms(tacVec3 q) {
  double f = tac_implicit_cone(q, tac_vec3(45.0, 0.0, 198.0), tac_vec3(58.0, -2.0, 164.0), 12.0, 10.0);
  f -= mail(q);
  double plate = tac_implicit_cone(q, tac_vec3(58.0, -4.0, 160.0), tac_vec3(45.0, -38.0, 150.0), 10.5, 8.5);
  plate = tac_implicit_union(plate, tac_implicit_ellipsoid(q, tac_vec3(59.0, -2.0, 160.0), tac_vec3(12.0, 13.0, 12.0)),
                             2.0);
  plate = tac_implicit_union(plate, tac_implicit_ellipsoid(q, tac_vec3(43.0, -45.0, 149.0), tac_vec3(10.0, 11.0, 10.0)),
                             3.0);
  double shoulder = tac_implicit_ellipsoid(q, tac_vec3(42.0, 0.0, 204.0), tac_vec3(21.0, 20.0, 16.0));
  shoulder += 0.9 * cos((q.z - 204.0) * 0.9 - 0.25 * (q.x - 42.0));
  return tac_implicit_union(f, fmin(plate, shoulder), 2.0);
}

static double knight_shield(tacVec3 p) {
  double x = fabs(p.x + 43.0), z = p.z - 150.0, y = p.y + 56.0 - 0.006 * x * x;
  double outline =
      tac_implicit_intersection(sqrt((x + 58.0) * (x + 58.0) + (z - 20.0) * (z - 20.0)) - 92.0, z - 42.0, 4.0);
  double f = tac_implicit_extrude(outline, y, 4.5, 2.5);
  double border = outline + 5.0;
  double cross = fmin(x, fabs(z - 6.0));
  /* Raised border and cross. */
  f -= 1.1 * exp(-border * border / 10.0) + 1.1 * exp(-cross * cross * cross * cross / 800.0) *
                                                (outline < -9.0 ? 1.0 : exp(-(outline + 9.0) * (outline + 9.0) / 6.0));
  return f;
}

static double knight_head(tacVec3 p) {
  tacVec3 q = mirror_x(p);
  double helm = tac_implicit_cone(p, tac_vec3(0.0, -1.0, 232.0), tac_vec3(0.0, 0.0, 258.0), 21.0, 19.0);
  double face = tac_implicit_cone(p, tac_vec3(0.0, -14.0, 234.0), tac_vec3(0.0, -16.0, 250.0), 10.0, 7.0);
  helm = tac_implicit_union(helm, face, 6.0);
  double slit = tac_implicit_box(q, tac_vec3(9.0, -22.0, 252.0), tac_vec3(7.5, 8.0, 1.8), 1.2);
  helm = tac_implicit_difference(helm, slit, 1.2);
  double row = q.z - 230.0, hole_z = 4.5 * round(fmin(fmax(row, 0.0), 13.5) / 4.5);
  double holes =
      tac_implicit_capsule(tac_vec3(q.x, q.y, row - hole_z), tac_vec3(6.5, -40.0, 0.0), tac_vec3(6.5, -16.0, 0.0), 1.2);
  helm = tac_implicit_difference(helm, holes, 0.8);
  double crest = tac_implicit_ellipsoid(p, tac_vec3(0.0, 8.0, 270.0), tac_vec3(4.0, 28.0, 19.0));
  crest -= 0.5 + 0.5 * cos(1.1 * (p.z - 0.9 * p.y));
  helm = tac_implicit_union(helm, crest, 3.0);
  double neck = tac_implicit_cone(p, tac_vec3(0.0, 0.0, 202.0), tac_vec3(0.0, 0.0, 226.0), 25.0, 17.0) - mail(p);
  return fmin(helm, neck);
}

static double knight_sword(tacVec3 p) {
  p = tac_vec3(p.x - 43.0, p.y + 46.0, p.z);
  double blade = tac_implicit_box(p, tac_vec3(0.0, 0.0, 226.0), tac_vec3(6.5, 2.8, 66.0), 2.5);
  double tip = (fabs(p.x) * 3.0 + p.z - 296.0) / 3.1622776601683795;
  blade = tac_implicit_intersection(blade, tip, 2.0);
  blade += 0.9 * exp(-p.x * p.x / 3.0) * (p.z < 270.0 ? 1.0 : exp(-(p.z - 270.0) * (p.z - 270.0) / 40.0));
  double guard = tac_implicit_capsule(mirror_x(p), tac_vec3(0.0, 0.0, 164.0), tac_vec3(17.0, 0.0, 167.0), 3.8);
  double grip = tac_implicit_capsule(p, tac_vec3(0.0, 0.0, 134.0), tac_vec3(0.0, 0.0, 164.0), 4.2);
  double pommel = tac_implicit_sphere(p, tac_vec3(0.0, 0.0, 131.0), 7.0);
  return tac_implicit_union(tac_implicit_union(blade, guard, 2.0), fmin(grip, pommel), 2.0);
}

static double knight(tacVec3 p) {
  p = tac_vec3_scale(1000.0 / KNIGHT_SCALE, p);
  tacVec3 q = mirror_x(p), flat = tac_vec3(p.x, 1.25 * p.y, p.z);
  double plinth = tac_implicit_cylinder(p, tac_vec3(0.0, -8.0, 0.0), tac_vec3(0.0, -8.0, 14.0), 62.0, 3.0);
  plinth += 0.8 * fmax(-fabs(p.z - 7.0) / 2.0 + 1.0, 0.0);
  double skirt = tac_implicit_cone(flat, tac_vec3(0.0, 2.0, 124.0), tac_vec3(0.0, 2.0, 152.0), 35.0, 28.0) - mail(p);
  double torso = tac_implicit_cone(flat, tac_vec3(0.0, 2.0, 158.0), tac_vec3(0.0, 0.0, 188.0), 28.0, 36.0);
  torso = tac_implicit_union(torso, tac_implicit_ellipsoid(p, tac_vec3(0.0, -18.0, 186.0), tac_vec3(26.0, 15.0, 24.0)),
                             6.0);
  torso -= 1.2 * exp(-p.x * p.x / 5.0) * (p.y < 0.0 ? 1.0 : exp(-p.y * p.y / 20.0)); /* the keel of the breastplate */
  double belt = tac_implicit_torus(flat, tac_vec3(0.0, 2.0, 150.0), tac_vec3(0.0, 0.0, 1.0), 27.5, 4.5);
  double f = tac_implicit_union(fmin(skirt, torso), belt, 1.5);
  if (reaches(p, tac_vec3(0.0, -5.0, 80.0), tac_vec3(40.0, 35.0, 80.0), f + 3.0))
    f = tac_implicit_union(f, knight_legs(q), 3.0);
  if (reaches(p, tac_vec3(0.0, -20.0, 180.0), tac_vec3(72.0, 45.0, 50.0), f + 3.0))
    f = tac_implicit_union(f, knight_arms(q), 3.0);
  if (reaches(p, tac_vec3(0.0, 2.0, 235.0), tac_vec3(32.0, 45.0, 65.0), f + 3.0))
    f = tac_implicit_union(f, knight_head(p), 2.0);
  f += 0.18 * tac_implicit_fractal(tac_vec3_scale(0.25, p), 3);
  if (reaches(p, tac_vec3(0.0, -50.0, 195.0), tac_vec3(90.0, 25.0, 110.0), f + 3.0))
    f = tac_implicit_union(f, fmin(knight_sword(p), knight_shield(p)), 2.0);
  return 0.001 * KNIGHT_SCALE * tac_implicit_union(f, plinth, 2.0);
}

/* Axe: z up along the haft, two blades towards -x and +x. */

static double axe_blade(tacVec3 q) {
  double from_middle = sqrt((q.x - 20.0) * (q.x - 20.0) + (q.z - 560.0) * (q.z - 560.0));
  double hollow_z = fabs(q.z - 560.0) - 140.0;
  double hollow = 95.0 - sqrt((q.x - 45.0) * (q.x - 45.0) + hollow_z * hollow_z);
  double outline = tac_implicit_intersection(from_middle - 130.0, hollow, 4.0);
  double wedge = (fabs(q.y) - 11.0 + 0.07 * (q.x - 20.0)) / 1.0024470;
  double f = tac_implicit_intersection(outline, wedge, 3.0);
  /* Engraved: two rings along the edge, a braid between them, hammered steel elsewhere. */
  double ring = fmin(fabs(from_middle - 116.0), fabs(from_middle - 92.0));
  double angle = atan2(q.z - 560.0, q.x - 20.0), braid = from_middle - 104.0;
  double strand = fmin(fabs(braid - 7.0 * sin(20.0 * angle)), fabs(braid + 7.0 * sin(20.0 * angle)));
  f += 0.8 * exp(-ring * ring / 2.5) + 0.7 * exp(-strand * strand / 3.0);
  return f + 0.25 * tac_implicit_fractal(tac_vec3_scale(1.0 / 9.0, q), 4);
}

static double axe_haft(tacVec3 p) {
  static const tacVec3 line[] = {
      {0.0, 0.0, 20.0}, {6.0, 0.0, 160.0}, {-5.0, 0.0, 380.0}, {0.0, 0.0, 500.0}, {0.0, 0.0, 625.0}};
  double f = tac_implicit_spline(p, 5, line, NULL) - 13.0;
  double grip = p.z > 60.0 && p.z < 270.0 ? 1.0 : exp(-pow(p.z < 60.0 ? p.z - 60.0 : p.z - 270.0, 2.0) / 30.0);
  f -= grip * (0.8 + 0.9 * cos(atan2(p.y, p.x) + p.z / 2.2)); /* leather, wound about it */
  /* Grain along the wood. */
  f += (1.0 - grip) * 0.35 * tac_implicit_fractal(tac_vec3(p.x / 4.0, p.y / 4.0, p.z / 60.0), 3);
  double rings = tac_implicit_torus(p, tac_vec3(1.5, 0.0, 55.0), tac_vec3(0.0, 0.0, 1.0), 13.0, 3.5);
  rings = fmin(rings, tac_implicit_torus(p, tac_vec3(0.5, 0.0, 275.0), tac_vec3(0.0, 0.0, 1.0), 13.0, 3.5));
  double pommel = tac_implicit_ellipsoid(p, tac_vec3(0.0, 0.0, 16.0), tac_vec3(21.0, 21.0, 16.0));
  return tac_implicit_union(f, fmin(rings, pommel), 3.0);
}

static double axe(tacVec3 p) {
  p = tac_vec3_scale(1000.0, p);
  tacVec3 q = mirror_x(p);
  double socket = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 490.0), tac_vec3(0.0, 0.0, 630.0), 21.0, 4.0);
  double bands = fmin(fabs(p.z - 505.0), fabs(p.z - 615.0));
  socket -= 2.0 * exp(-bands * bands / 12.0);
  double spike = tac_implicit_cone(p, tac_vec3(0.0, 0.0, 620.0), tac_vec3(0.0, 0.0, 696.0), 15.0, 4.0);
  double rivet_z = 430.0 + 20.0 * round(fmin(fmax(p.z - 430.0, 0.0), 40.0) / 20.0);
  double langet = tac_implicit_box(mirror_y(p), tac_vec3(0.0, 13.0, 460.0), tac_vec3(6.0, 3.5, 50.0), 2.0);
  double rivet = tac_implicit_sphere(mirror_y(p), tac_vec3(0.0, 16.5, rivet_z), 3.2);
  double f = tac_implicit_union(axe_haft(p), tac_implicit_union(langet, rivet, 1.0), 2.0);
  f = tac_implicit_union(f, tac_implicit_union(socket, spike, 3.0), 3.0);
  return 0.001 * tac_implicit_union(f, axe_blade(q), 5.0);
}

static const tacGalleryModel models[] = {
    {{"bunny", "bunny, a free form, 150 mm high", 0.0025},
     0.003,
     {bunny, {{-0.065911385, -0.043092281, 0.0}, {0.072596675, 0.042920582, 0.15}}, 1.5},
     NULL},
    {{"knight", "armoured knight with sword and shield, 300 mm high, mail of 5 mm", 0.0018},
     0.002,
     {knight, {{-0.079215974, -0.071936941, 0.0}, {0.072904979, 0.055494211, 0.3}}, 1.6},
     NULL},
    {{"axe", "double-bitted battle axe, 700 mm high, engraved", 0.0022},
     0.0025,
     {axe, {{-0.150076865, -0.023, 0.0}, {0.150076924, 0.023, 0.7}}, 1.6},
     NULL},
};
const tacGalleryFamily tac_gallery_figures = {sizeof models / sizeof *models, models};
