/* Gallery: organs around the liver, in its frame (x to the left of the body, -y to the front, z up), so that all of
 * them lie as they do in the body: under the diaphragm the liver and the stomach, the colon around them and the small
 * intestine. At rest they are apart: each leaves GAP to those before it. Functions are in millimetres. */
#include "base/error.h"
#include "shape/extrusion.h"
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

/* The diaphragm: a sheet with two domes over the liver. */
#define NODES_MOST (400.0 * 400.0 * 400.0)
#define SHEET 0.009
#define ALONG 0.3 /* of the sheet, over the domes from right to left; m */
#define ACROSS 0.17
enum { LAYERS = 2 };

/* What the sheet lies on: a dome over each lobe of the liver and one over the vena cava, all of them round the origin
 * of rays. The liver is inside, 1.7 mm away where it is nearest. */
static double domes(tacVec3 p) {
  double right = tac_implicit_ellipsoid(p, tac_vec3(-0.04, 0.0, -0.014), tac_vec3(0.074, 0.071, 0.085));
  double left = tac_implicit_ellipsoid(p, tac_vec3(0.056, -0.004, -0.018), tac_vec3(0.095, 0.074, 0.076));
  double cava = tac_implicit_ellipsoid(p, tac_vec3(-0.012, 0.03, -0.01), tac_vec3(0.046, 0.05, 0.092));
  return tac_implicit_union(tac_implicit_union(right, left, 0.06), cava, 0.02);
}
static const tacVec3 origin_of_rays = {0.008, 0.002, -0.006};

/* Where the ray along `direction` is `height` above the domes. */
static tacVec3 at_height(tacVec3 direction, double height) {
  double inside = 0.0, outside = 0.4;
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (inside + outside);
    if (domes(tac_vec3_add(origin_of_rays, tac_vec3_scale(middle, direction))) < height)
      inside = middle;
    else
      outside = middle;
  }
  return tac_vec3_add(origin_of_rays, tac_vec3_scale(inside, direction));
}

/* Of a square, u and v from -1 to 1: rounded at its corners, its middle up, its rim nearly level. */
static tacVec3 ray(double u, double v) {
  const double rounding = 0.3, steepest = 1.1; /* rad, of the middles of its sides */
  double x = u * sqrt(1.0 - rounding * v * v), y = v * sqrt(1.0 - rounding * u * u), radius = sqrt(x * x + y * y);
  double sine = radius > 0.0 ? sin(steepest * radius) / radius : steepest;
  return tac_vec3_unit(tac_vec3(1.3 * sine * x, 0.75 * sine * y, cos(steepest * radius)));
}

/* Cells of about `size` along the sheet, two through it. */
static tacStatus diaphragm_bricks(double size, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  double columns = tac_profile_cells(ALONG, size, 4), rows = tac_profile_cells(ACROSS, size, 4);
  if (!((columns + 1.0) * (rows + 1.0) * (LAYERS + 1.0) <= NODES_MOST))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: it needs more than %.3g nodes", size,
                         NODES_MOST);
  int nx = (int)columns, ny = (int)rows, layer = (nx + 1) * (ny + 1);
  TAC_TRY(tac_volmesh_create(layer * (LAYERS + 1), 0, nx * ny * LAYERS, mesh, error));
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      tacVec3 direction = ray(2.0 * i / nx - 1.0, 2.0 * j / ny - 1.0);
      for (int k = 0; k <= LAYERS; ++k)
        (*mesh)->vertices[k * layer + j * (nx + 1) + i] = at_height(direction, SHEET * k / LAYERS);
    }
  tacBrick *brick = (*mesh)->bricks;
  for (int k = 0; k < LAYERS; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i, ++brick) {
        int first = k * layer + j * (nx + 1) + i;
        const int face[4] = {first, first + 1, first + nx + 2, first + nx + 1};
        for (int c = 0; c < 8; ++c) brick->v[c] = face[c % 4] + (c >= 4 ? layer : 0);
      }
  return TAC_OK;
}

static tacStatus diaphragm_surface(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  tacVolMesh *bricks;
  *mesh = NULL;
  TAC_TRY(diaphragm_bricks(size, &bricks, error));
  return tac_extrusion_surface(bricks, mesh, error);
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("stomach", "stomach, from its fundus under the left lobe of the liver to the pylorus", 0.004,
                         0.008, stomach, 2.0, {{-0.014, -0.043288455, -0.126377976}, {0.111184239, 0.05, 0.002998706}}),
    TAC_GALLERY_IMPLICIT("colon", "colon, a tube of radius 17 mm around liver, stomach and small intestine", 0.004,
                         0.008, colon, 2.0,
                         {{-0.107073293, -0.054111599, -0.2442}, {0.150597787, 0.056888845, -0.03704809}}),
    TAC_GALLERY_IMPLICIT("small-intestine", "small intestine, a bundle of loops of radius 14 mm", 0.004, 0.008,
                         intestine, 2.0, {{-0.066, -0.034827586, -0.222}, {0.098, 0.005538462, -0.142}}),
    {{"diaphragm", "diaphragm, a sheet of 9 mm with two domes over the liver", 0.006, 0.02},
     0.03,
     {NULL, {{-0.108269, -0.06996, 0.020158}, {0.130156, 0.080222, 0.091384}}, 1.0},
     .build = diaphragm_surface,
     .fill = diaphragm_bricks},
};
const tacGalleryFamily tac_gallery_abdomen = {sizeof models / sizeof *models, models};
