/* Gallery: solids of plain geometry. */
#include "base/error.h"
#include "shape/gallery.h"
#include "shape/geodesic.h"

#define SPHERE_RADIUS 0.05
#define RING_RADIUS 0.05
#define TUBE_RADIUS 0.02

static tacStatus build_sphere(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  /* 20 n^2 equilateral triangles of that edge have the area of the sphere. */
  double frequency = fmax(round(1.2046 * SPHERE_RADIUS / size), 1.0);
  if (frequency > 4096.0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small; use at least %g m", size,
                         1.2046 * SPHERE_RADIUS / 4096.0);
  return tac_geodesic_sphere(SPHERE_RADIUS, (int)frequency, mesh, error);
}

static tacStatus build_torus(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  double around = fmax(round(6.283185307179586 * RING_RADIUS / size), 8.0);
  double rows = fmax(2.0 * round(3.141592653589793 * TUBE_RADIUS / (0.866 * size)), 6.0);
  if (around * rows > 268435456.0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "size %g m is too small; use at least 1e-5 m", size);
  return tac_geodesic_torus(RING_RADIUS, TUBE_RADIUS, (int)around, (int)rows, mesh, error);
}

static const tacBox box_box = {{0.0, 0.0, 0.0}, {0.1, 0.08, 0.06}};
static const tacBox beam_box = {{0.0, 0.0, 0.0}, {0.4, 0.04, 0.04}};
/* Seven bricks a side, of six tetrahedra each where they are divided: 512 nodes and 2,058 tetrahedra (Courtecuisse et
 * al. 2015). */
static const tacBox cube_box = {{0.0, 0.0, 0.0}, {0.07, 0.07, 0.07}};

static double nodule(tacVec3 p) {
  double base = tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.0075), tac_vec3(0.04, 0.04, 0.0075), 0.003);
  double ball = tac_implicit_sphere(p, tac_vec3(0.0, 0.0, 0.032), 0.018);
  return tac_implicit_union(base, ball, 0.012);
}

static const tacGalleryModel models[] = {
    {{"sphere", "geodesic sphere, radius 50 mm", 1.2046 * SPHERE_RADIUS / 8.0, 0.0},
     SPHERE_RADIUS,
     {NULL, {{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}}, 1.0},
     .build = build_sphere},
    TAC_GALLERY_BOXES("box", "box, 100 x 80 x 60 mm, sharp edges", 0.005, 0.1, 0.02, 1, &box_box,
                      {{0.0, 0.0, 0.0}, {0.1, 0.08, 0.06}}),
    TAC_GALLERY_BOXES("beam", "beam, 400 x 40 x 40 mm, sharp edges", 0.01, 0.4, 0.02, 1, &beam_box,
                      {{0.0, 0.0, 0.0}, {0.4, 0.04, 0.04}}),
    TAC_GALLERY_BOXES("cube", "cube of 70 mm, sharp edges", 0.01, 0.07, 0.01, 1, &cube_box,
                      {{0.0, 0.0, 0.0}, {0.07, 0.07, 0.07}}),
    {{"torus", "torus, ring radius 50 mm, tube radius 20 mm", 0.004, 0.0},
     0.02,
     {NULL, {{-0.07, -0.07, -0.02}, {0.07, 0.07, 0.02}}, 1.0},
     .build = build_torus},
    TAC_GALLERY_IMPLICIT("nodule", "nodule of radius 18 mm on a base of 80 x 80 x 15 mm, 50 mm high", 0.002, 0.006,
                         nodule, 1.0, {{-0.04, -0.04, 0.0}, {0.04, 0.04, 0.05}}),
};
const tacGalleryFamily tac_gallery_solids = {sizeof models / sizeof *models, models};
