#include "shape/diaphragm.h"

#include <math.h>
#include "shape/extrusion.h"
#include "shape/implicit.h"

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
static const tacVec3 origin = {0.008, 0.002, -0.006};

/* Where the ray along `direction` is `height` above the domes. */
static tacVec3 at_height(tacVec3 direction, double height) {
  double inside = 0.0, outside = 0.4;
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (inside + outside);
    if (domes(tac_vec3_add(origin, tac_vec3_scale(middle, direction))) < height)
      inside = middle;
    else
      outside = middle;
  }
  return tac_vec3_add(origin, tac_vec3_scale(inside, direction));
}

/* Of a square, u and v from -1 to 1: rounded at its corners, its middle up, its rim nearly level. */
static tacVec3 ray(double u, double v) {
  const double rounding = 0.3, steepest = 1.1; /* rad, of the middles of its sides */
  double x = u * sqrt(1.0 - rounding * v * v), y = v * sqrt(1.0 - rounding * u * u), radius = sqrt(x * x + y * y);
  double sine = radius > 0.0 ? sin(steepest * radius) / radius : steepest;
  return tac_vec3_unit(tac_vec3(1.3 * sine * x, 0.75 * sine * y, cos(steepest * radius)));
}

tacStatus tac_diaphragm_bricks(double size, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  double columns = tac_profile_cells(ALONG, size, 4), rows = tac_profile_cells(ACROSS, size, 4);
  if (!((columns + 1.0) * (rows + 1.0) * (LAYERS + 1.0) <= NODES_MOST))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small: more than %.3g nodes", size, NODES_MOST);
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

tacStatus tac_diaphragm_surface(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  tacVolMesh *bricks;
  *mesh = NULL;
  tacStatus status = tac_diaphragm_bricks(size, &bricks, error);
  return status == TAC_OK ? tac_extrusion_surface(bricks, mesh, error) : status;
}
