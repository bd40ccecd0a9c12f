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

/* Dragon: x forward, z up, on four feet, its mouth open. Wings and tail are free to swing. */
#define DRAGON_SCALE (280.0 / 281.411996)

static double dragon_head(tacVec3 p, tacVec3 q) {
  double f = tac_implicit_ellipsoid(p, tac_vec3(92.0, 0.0, 156.0), tac_vec3(19.0, 12.0, 11.0));
  double snout = tac_implicit_cone(p, tac_vec3(98.0, 0.0, 157.0), tac_vec3(127.0, 0.0, 161.0), 9.0, 5.5);
  snout = tac_implicit_union(snout, tac_implicit_sphere(q, tac_vec3(127.0, 3.5, 165.0), 3.5), 3.0); /* nostrils */
  double jaw = tac_implicit_cone(p, tac_vec3(90.0, 0.0, 149.0), tac_vec3(118.0, 0.0, 135.0), 8.0, 4.5);
  f = tac_implicit_union(f, tac_implicit_union(snout, jaw, 4.0), 5.0);
  double teeth = tac_implicit_cone(q, tac_vec3(124.0, 3.5, 157.0), tac_vec3(123.0, 3.8, 150.0), 3.2, 2.2);
  teeth = fmin(teeth, tac_implicit_cone(q, tac_vec3(116.0, 3.0, 137.0), tac_vec3(114.5, 3.4, 143.0), 3.2, 2.2));
  double brow = tac_implicit_cone(q, tac_vec3(105.0, 6.5, 164.0), tac_vec3(88.0, 9.5, 168.0), 3.5, 4.5);
  double horn = tac_implicit_bezier(q, tac_vec3(84.0, 8.0, 163.0), tac_vec3(60.0, 12.0, 172.0),
                                    tac_vec3(52.0, 20.0, 190.0), NULL) -
                2.9;
  double root = tac_implicit_cone(q, tac_vec3(86.0, 8.0, 162.0), tac_vec3(64.0, 13.0, 173.0), 6.0, 3.0);
  double ear = tac_implicit_cone(q, tac_vec3(84.0, 10.0, 153.0), tac_vec3(66.0, 22.0, 154.0), 5.0, 2.4);
  f = tac_implicit_union(f, fmin(teeth, brow), 2.0);
  f = tac_implicit_union(f, tac_implicit_union(horn, fmin(root, ear), 3.0), 3.0);
  return tac_implicit_union(f, tac_implicit_sphere(q, tac_vec3(99.0, 9.5, 159.5), 3.2), 1.0);
}

static double dragon_foot(tacVec3 q, double x) {
  double f = tac_implicit_ellipsoid(q, tac_vec3(x, 31.0, 4.0), tac_vec3(15.0, 10.0, 8.0));
  for (int i = -1; i <= 1; ++i)
    f = tac_implicit_union(f,
                           tac_implicit_cone(q, tac_vec3(x + 11.0, 31.0 + 6.0 * i, 5.0),
                                             tac_vec3(x + 21.0, 31.0 + 7.5 * i, 3.0), 4.0, 2.2),
                           2.5);
  return f;
}

static double dragon_legs(tacVec3 q) {
  double fore = tac_implicit_cone(q, tac_vec3(30.0, 19.0, 56.0), tac_vec3(24.0, 29.0, 32.0), 14.0, 9.0);
  fore = tac_implicit_union(fore, tac_implicit_cone(q, tac_vec3(24.0, 29.0, 32.0), tac_vec3(32.0, 31.0, 8.0), 8.5, 6.5),
                            4.0);
  double hind = tac_implicit_ellipsoid(tac_implicit_turn_y(tac_vec3(q.x + 36.0, q.y, q.z - 46.0), -0.35),
                                       tac_vec3(0.0, 22.0, 0.0), tac_vec3(17.0, 12.0, 25.0));
  hind = tac_implicit_union(
      hind, tac_implicit_cone(q, tac_vec3(-30.0, 29.0, 30.0), tac_vec3(-48.0, 30.0, 18.0), 9.0, 6.5), 5.0);
  hind = tac_implicit_union(
      hind, tac_implicit_cone(q, tac_vec3(-48.0, 30.0, 18.0), tac_vec3(-40.0, 31.0, 6.0), 6.5, 6.5), 4.0);
  fore = tac_implicit_union(fore, dragon_foot(q, 38.0), 4.0);
  return fmin(fore, tac_implicit_union(hind, dragon_foot(q, -34.0), 4.0));
}

/* A sheet with scalloped edge between fingers, leaning outwards; u goes backwards, v up along it. */
static double dragon_wing(tacVec3 q) {
  static const double tips[][2] = {{-6.0, 92.0}, {44.0, 96.0}, {80.0, 64.0}, {84.0, 24.0}};
  static const double outline[][2] = {{-12.0, 0.0}, {-22.0, 48.0}, {-6.0, 92.0}, {16.0, 78.0},
                                      {44.0, 96.0}, {54.0, 70.0},  {80.0, 64.0}, {70.0, 42.0},
                                      {84.0, 24.0}, {52.0, 14.0},  {26.0, 0.0}};
  tacVec3 w = tac_implicit_turn_x(tac_vec3(q.x - 12.0, q.y - 16.0, q.z - 80.0), -0.65);
  double u = -w.x, v = w.z, across = w.y - 0.0016 * (u * u + v * v) + 2.0; /* bent like a sail */
  double f = tac_implicit_extrude(tac_implicit_polygon(u, v, 11, outline), across, 2.8, 2.7);
  tacVec3 p = tac_vec3(u, v, across);
  const tacVec3 root = {0.0, -4.0, 0.0}, elbow = {-20.0, 44.0, 0.0};
  double bones = fmin(tac_implicit_cone(p, root, elbow, 7.0, 4.5),
                      tac_implicit_cone(p, elbow, tac_vec3(tips[0][0], tips[0][1], 0.0), 4.5, 3.0));
  for (int i = 1; i < 4; ++i)
    bones = fmin(bones, tac_implicit_cone(p, i < 3 ? elbow : root, tac_vec3(tips[i][0], tips[i][1], 0.0), 3.8, 2.6));
  return tac_implicit_union(f, bones, 2.0);
}

/* Spines from the head to the tail, each in the plane y = 0. */
static double dragon_spines(tacVec3 p) {
  static const double spines[][4] = {/* x, z of the foot; x, z of the tip */
                                     {74.0, 160.0, 66.0, 170.0}, {60.0, 150.0, 49.0, 156.0}, {50.0, 132.0, 37.0, 137.0},
                                     {42.0, 112.0, 28.0, 118.0}, {28.0, 92.0, 15.0, 104.0},  {10.0, 86.0, -2.0, 102.0},
                                     {-10.0, 84.0, -21.0, 99.0}, {-30.0, 78.0, -43.0, 91.0}, {-50.0, 66.0, -64.0, 77.0},
                                     {-70.0, 56.0, -83.0, 67.0}, {-90.0, 51.0, -99.0, 63.0}};
  double f = INFINITY;
  for (int i = 0; i < 11; ++i) {
    const double *s = spines[i];
    f = fmin(f, tac_implicit_cone(p, tac_vec3(s[0], 0.0, s[1]), tac_vec3(s[2], 0.0, s[3]), 6.0, 2.4));
  }
  return f;
}

static double dragon_tail(tacVec3 p) {
  static const tacVec3 line[] = {
      {-36.0, 0.0, 58.0}, {-80.0, 0.0, 40.0}, {-124.0, 4.0, 44.0}, {-150.0, 10.0, 80.0}, {-128.0, 14.0, 122.0}};
  double at, f = tac_implicit_spline(p, 5, line, &at);
  f -= 17.0 - 13.0 * at;
  tacVec3 tip = tac_implicit_turn_y(tac_vec3(p.x + 125.0, p.y - 14.5, p.z - 127.0), 0.5);
  double spade = tac_implicit_ellipsoid(tip, tac_vec3(0.0, 0.0, 0.0), tac_vec3(12.0, 4.5, 19.0));
  return tac_implicit_union(f, spade, 4.0);
}

static double dragon(tacVec3 p) {
  static const tacVec3 neck_line[] = {
      {24.0, 0.0, 66.0}, {64.0, 0.0, 80.0}, {52.0, 0.0, 128.0}, {66.0, 0.0, 154.0}, {90.0, 0.0, 154.0}};
  p = tac_vec3_scale(1000.0 / DRAGON_SCALE, p);
  tacVec3 q = mirror_y(p);
  double f = tac_implicit_ellipsoid(p, tac_vec3(-4.0, 0.0, 60.0), tac_vec3(50.0, 25.0, 26.0));
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(24.0, 0.0, 64.0), 25.0), 10.0);
  f += 0.8 * cos(0.55 * p.x) * exp(-pow(p.z - 36.0, 2.0) / 200.0); /* plates of the belly */
  double at, neck = tac_implicit_spline(p, 5, neck_line, &at);
  neck -= 20.0 - 11.0 * at;
  f = tac_implicit_union(f, neck, 10.0);
  if (reaches(p, tac_vec3(-95.0, 6.0, 85.0), tac_vec3(75.0, 25.0, 70.0), f + 8.0))
    f = tac_implicit_union(f, dragon_tail(p), 8.0);
  if (reaches(p, tac_vec3(-15.0, 0.0, 110.0), tac_vec3(95.0, 6.0, 65.0), f + 3.0))
    f = tac_implicit_union(f, dragon_spines(p), 3.0);
  if (reaches(p, tac_vec3(92.0, 0.0, 160.0), tac_vec3(42.0, 26.0, 36.0), f + 5.0))
    f = tac_implicit_union(f, dragon_head(p, q), 5.0);
  if (reaches(q, tac_vec3(2.0, 25.0, 36.0), tac_vec3(75.0, 25.0, 42.0), f + 6.0))
    f = tac_implicit_union(f, dragon_legs(q), 6.0);
  /* Scales. */
  f += 0.35 * sin(p.x * 1.05) * sin(p.z * 1.05 + 0.5 * p.x) * cos(p.y * 0.9);
  if (reaches(q, tac_vec3(-25.0, 45.0, 125.0), tac_vec3(75.0, 65.0, 75.0), f + 4.0))
    f = tac_implicit_union(f, dragon_wing(q), 4.0);
  return 0.001 * DRAGON_SCALE * tac_implicit_intersection(f, -p.z, 2.0);
}

/* Dinosaur: x forward, z up, on four feet. Its back is straight from neck to tail and carries six equal bumps 15 mm apart. */
static double dinosaur_leg(tacVec3 q, double x) {
  double f = tac_implicit_cone(q, tac_vec3(x, 11.0, 46.0), tac_vec3(x + 2.0, 17.0, 10.0), 14.0, 9.0);
  f = tac_implicit_union(f, tac_implicit_ellipsoid(q, tac_vec3(x + 5.0, 17.0, 4.0), tac_vec3(13.0, 10.0, 8.0)), 5.0);
  for (int i = -1; i <= 1; ++i)
    f = tac_implicit_union(f, tac_implicit_sphere(q, tac_vec3(x + 15.0 - i * i, 17.0 + 6.0 * i, 3.0), 4.0), 1.5);
  return f;
}

static double dinosaur(tacVec3 p) {
  static const tacVec3 tail_line[] = {{-30.0, 0.0, 56.0}, {-62.0, 0.0, 50.0}, {-84.0, 2.0, 30.0}, {-100.0, 14.0, 34.0}};
  p = tac_vec3_scale(1000.0, p);
  tacVec3 q = mirror_y(p), flat = tac_vec3(p.x, 1.08 * p.y, p.z);
  double f = tac_implicit_capsule(flat, tac_vec3(-34.0, 0.0, 56.0), tac_vec3(36.0, 0.0, 56.0), 24.0) / 1.08;
  double at, tail = tac_implicit_spline(p, 4, tail_line, &at);
  f = tac_implicit_union(f, tail - (19.0 - 14.0 * at), 8.0);
  const tacVec3 throat = {65.0, 0.0, 76.0};
  double neck = tac_implicit_union(tac_implicit_cone(p, tac_vec3(40.0, 0.0, 54.0), throat, 18.0, 11.5),
                                   tac_implicit_cone(p, throat, tac_vec3(69.0, 0.0, 108.0), 11.5, 10.0), 8.0);
  f = tac_implicit_union(f, neck, 8.0);
  double head = tac_implicit_cone(p, tac_vec3(71.0, 0.0, 111.0), tac_vec3(86.5, 0.0, 106.0), 12.0, 8.5);
  double mouth = tac_implicit_box(p, tac_vec3(98.0, 0.0, 103.0), tac_vec3(11.0, 20.0, 1.2), 1.2);
  head = tac_implicit_difference(head, mouth, 1.5);
  head = tac_implicit_union(head, tac_implicit_sphere(q, tac_vec3(76.0, 9.0, 116.0), 3.6), 1.0);
  f = tac_implicit_union(f, head, 6.0);
  f = tac_implicit_union(f, fmin(dinosaur_leg(q, 24.0), dinosaur_leg(q, -30.0)), 5.0);
  double bump_x = 15.0 * (fmin(fmax(floor(p.x / 15.0), -3.0), 2.0) + 0.5);
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(bump_x, 0.0, 79.5), 5.5), 2.0);
  return 0.001 * tac_implicit_intersection(f, -p.z, 2.0);
}

/* Figurine: z up, facing -y, sitting with crossed legs on a lotus. */
#define FIGURINE_SCALE (150.0 / 147.308602)

static double figurine_lotus(tacVec3 p) {
  double across = sqrt(p.x * p.x + p.y * p.y), angle = atan2(p.y, p.x), f = INFINITY;
  /* Two rows of sixteen petals, the lower one half a petal on. */
  const double part = 6.283185307179586 / 16.0;
  for (int row = 0; row < 2; ++row) {
    double turn = part * (round(angle / part - 0.5 * row) + 0.5 * row) - angle;
    tacVec3 local = tac_vec3(across * cos(turn), across * sin(turn), p.z);
    f = fmin(f, row == 0 ? tac_implicit_ellipsoid(local, tac_vec3(46.0, 0.0, 14.0), tac_vec3(9.0, 9.5, 8.5))
                         : tac_implicit_ellipsoid(local, tac_vec3(49.0, 0.0, 8.5), tac_vec3(9.0, 10.0, 7.5)));
  }
  double disc = tac_implicit_cylinder(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 21.5), 48.0, 3.0);
  return tac_implicit_union(disc, f, 1.5);
}

static double figurine_head(tacVec3 p, tacVec3 q) {
  double skull = tac_implicit_ellipsoid(p, tac_vec3(0.0, 1.0, 121.0), tac_vec3(14.5, 16.0, 17.5));
  double hair = fmin(tac_implicit_ellipsoid(p, tac_vec3(0.0, 3.0, 124.0), tac_vec3(15.2, 16.2, 16.4)),
                     tac_implicit_sphere(p, tac_vec3(0.0, 3.0, 139.0), 8.0));
  hair -= 0.45 * sin(1.4 * p.x) * cos(1.4 * p.y) * sin(1.4 * p.z); /* curls */
  double brow = 125.0 - 0.35 * (p.y + 14.0);                       /* the hair ends here, lower behind */
  hair = tac_implicit_intersection(hair, (brow - 0.012 * p.x * p.x + 2.0 - p.z) * 0.9, 1.0);
  double face = tac_implicit_cone(p, tac_vec3(0.0, -12.0, 122.0), tac_vec3(0.0, -14.8, 115.5), 1.6, 2.6); /* nose */
  face = fmin(face, tac_implicit_ellipsoid(p, tac_vec3(0.0, -11.3, 110.5), tac_vec3(3.8, 1.9, 1.5)));     /* lips */
  face = fmin(face, tac_implicit_ellipsoid(q, tac_vec3(5.8, -11.9, 119.5), tac_vec3(3.4, 2.0, 1.8)));     /* lids */
  double ear = tac_implicit_ellipsoid(q, tac_vec3(15.0, 2.0, 116.0), tac_vec3(2.4, 4.0, 9.5));
  double f = tac_implicit_union(skull, face, 1.5);
  f = tac_implicit_union(f, hair, 0.8);
  f = tac_implicit_union(f, ear, 1.5);
  double neck = tac_implicit_cone(p, tac_vec3(0.0, 3.0, 92.0), tac_vec3(0.0, 2.0, 108.0), 12.0, 9.0);
  return tac_implicit_union(f, neck, 4.0);
}

static double figurine(tacVec3 p) {
  p = tac_vec3_scale(1000.0 / FIGURINE_SCALE, p);
  tacVec3 q = mirror_x(p), flat = tac_vec3(p.x, 1.25 * p.y, p.z);
  double torso = tac_implicit_cone(flat, tac_vec3(0.0, 5.0, 42.0), tac_vec3(0.0, 4.0, 82.0), 21.0, 24.0) / 1.25;
  torso =
      tac_implicit_union(torso, tac_implicit_ellipsoid(p, tac_vec3(0.0, -7.0, 50.0), tac_vec3(17.0, 14.0, 17.0)), 8.0);
  torso = tac_implicit_union(
      torso, tac_implicit_cone(q, tac_vec3(16.0, 3.0, 86.0), tac_vec3(25.0, 3.0, 84.0), 12.0, 10.5), 6.0);
  double thigh = tac_implicit_cone(q, tac_vec3(12.0, 8.0, 34.0), tac_vec3(41.0, -14.0, 29.0), 15.0, 10.5);
  double shin = tac_implicit_cone(p, tac_vec3(41.0, -15.0, 28.5), tac_vec3(-12.0, -30.0, 29.0), 9.5, 7.5);
  shin = fmin(shin, tac_implicit_cone(p, tac_vec3(-41.0, -15.0, 28.5), tac_vec3(14.0, -31.0, 25.5), 9.5, 7.0));
  double lap = tac_implicit_ellipsoid(p, tac_vec3(0.0, -12.0, 26.0), tac_vec3(40.0, 25.0, 12.0));
  lap = fmin(lap, tac_implicit_ellipsoid(p, tac_vec3(0.0, -14.0, 38.0), tac_vec3(26.0, 16.0, 13.0)));
  double legs = tac_implicit_union(fmin(thigh, lap), shin, 4.0);
  double upper = tac_implicit_cone(q, tac_vec3(29.0, 3.0, 83.0), tac_vec3(38.0, 3.0, 58.0), 9.5, 8.0);
  double fore = tac_implicit_cone(q, tac_vec3(38.0, 2.0, 57.0), tac_vec3(11.0, -27.0, 46.0), 7.8, 5.5);
  double hands = tac_implicit_ellipsoid(p, tac_vec3(0.0, -27.0, 42.0), tac_vec3(13.0, 8.5, 7.0));
  double arms = tac_implicit_union(tac_implicit_union(upper, fore, 3.0), hands, 3.0);
  /* A robe from the left shoulder: folds across the body and along arms and legs. */
  double robe = tac_implicit_union(torso, legs, 5.0);
  robe -= 0.5 * sin(0.75 * (p.z + 0.7 * p.x) + 0.03 * p.x * p.y);
  robe = tac_implicit_union(robe, arms - 0.35 * sin(0.9 * (p.z - 0.8 * p.y)), 3.0);
  double f = tac_implicit_union(robe, figurine_head(p, q), 4.0);
  return 0.001 * FIGURINE_SCALE * tac_implicit_union(f, figurine_lotus(p), 1.5);
}

/* Blob: a lump that is symmetric in no way, with bumps and a dent; z up, on a flat foot. */
#define BLOB_SCALE (90.0 / 88.347405)
static double blob(tacVec3 p) {
  p = tac_vec3_scale(1000.0 / BLOB_SCALE, p);
  double f = tac_implicit_ellipsoid(p, tac_vec3(0.0, 0.0, 32.0), tac_vec3(38.0, 31.0, 30.0));
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(4.0, -3.0, 20.0), 32.0), 16.0);
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(24.0, 12.0, 52.0), 20.0), 14.0);
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(-26.0, -14.0, 44.0), 17.0), 12.0);
  f = tac_implicit_union(f, tac_implicit_ellipsoid(p, tac_vec3(-12.0, 20.0, 58.0), tac_vec3(15.0, 17.0, 16.0)), 12.0);
  f = tac_implicit_union(f, tac_implicit_sphere(p, tac_vec3(30.0, -20.0, 24.0), 15.0), 12.0);
  f = tac_implicit_difference(f, tac_implicit_sphere(p, tac_vec3(2.0, -34.0, 58.0), 17.0), 12.0);
  return 0.001 * BLOB_SCALE * tac_implicit_intersection(f, -p.z, 8.0);
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("bunny", "bunny, a free form, 150 mm high", 0.0025, 0.003, bunny, 1.5,
                         {{-0.065911385, -0.043092281, 0.0}, {0.072596675, 0.042920582, 0.15}}),
    TAC_GALLERY_IMPLICIT("knight", "armoured knight with sword and shield, 300 mm high, mail of 5 mm", 0.0018, 0.002,
                         knight, 1.6, {{-0.079215974, -0.071936941, 0.0}, {0.072904979, 0.055494211, 0.3}}),
    TAC_GALLERY_IMPLICIT("axe", "double-bitted battle axe, 700 mm high, engraved", 0.0022, 0.0025, axe, 1.6,
                         {{-0.150076865, -0.023, 0.0}, {0.150076924, 0.023, 0.7}}),
    TAC_GALLERY_IMPLICIT("dragon", "dragon with wings, its mouth open, on four feet, 280 mm long", 0.002, 0.002, dragon,
                         2.0, {{-0.148036941, -0.089306107, 0.0}, {0.131963059, 0.089306107, 0.192079621}}),
    TAC_GALLERY_IMPLICIT("dinosaur",
                         "toy dinosaur on four feet, 200 mm long, six bumps 15 mm apart in a row on its back", 0.002,
                         0.003, dinosaur, 1.6, {{-0.105, -0.02728466, 0.0}, {0.095, 0.02728466, 0.123031925}}),
    TAC_GALLERY_IMPLICIT("blob", "blob, a smooth free form with four bumps and a dent, 90 mm long", 0.004, 0.012, blob,
                         1.4, {{-0.043927237, -0.037416822, 0.0}, {0.046072764, 0.037692109, 0.075384218}}),
    TAC_GALLERY_IMPLICIT("figurine", "figure that sits with crossed legs on a lotus, 150 mm high", 0.0018, 0.0022,
                         figurine, 2.2, {{-0.058141782, -0.058141782, 0.0}, {0.058141782, 0.058141782, 0.15}}),
};
const tacGalleryFamily tac_gallery_figures = {sizeof models / sizeof *models, models};
