#include <tactus/mesh.h>
#include "base/error.h"
#include "math/geometry/vec3.h"
#include "mesh/moments.h"
#include "mesh/trimesh.h"

/* Of a flat surface the sum of signed tetrahedra is round-off: terms of up to area times length, each right to
 * 1e-16. */
static const double least_thickness = 1e-12;

static tacStatus refuse_volume(const tacTriMesh *surface, double volume, tacError *error) {
  double size = tac_box_longest(tac_trimesh_box(surface));
  double least = least_thickness * size * tac_trimesh_area(surface);
  if (volume > least && isfinite(volume)) return TAC_OK;
  if (volume < -least && isfinite(volume))
    return tac_error_set(
        error, TAC_ERR_GEOMETRY,
        "the surface is inside out: its volume is %g m^3; the corners of triangles must run counter-clockwise when "
        "seen from outside (tactus mesh --repair turns them)",
        volume);
  return tac_error_set(error, TAC_ERR_GEOMETRY,
                       "the volume inside the surface is %g m^3 at a size of %g m; mass needs a solid with a "
                       "positive volume",
                       volume, size);
}

tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacInertia *inertia, tacError *error) {
  TAC_REQUIRE(error, inertia);
  *inertia = (tacInertia){0};
  TAC_REQUIRE(error, surface);
  if (!(density > 0.0) || !isfinite(density))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the density is %g kg/m^3; it must be positive, for example 1000",
                         density);
  tacError reason;
  tacStatus status = tac_trimesh_require_closed(surface, &reason);
  if (status == TAC_ERR_GEOMETRY)
    return tac_error_set(
        error, status, "%.300s; mass needs one that encloses a solid (tactus mesh --repair closes holes)", reason.text);
  if (status != TAC_OK) return tac_error_set(error, status, "%.300s", reason.text);
  /* First about the middle of the box, then about the centre itself: terms stay as small as the body, wherever it
   * lies, and nothing has to be subtracted afterwards. */
  tacVec3 middle = tac_box_centre(tac_trimesh_box(surface));
  tacMoments moments = tac_moments_of_solid(surface, middle);
  status = refuse_volume(surface, moments.volume, error);
  if (status != TAC_OK) return status;
  tacInertia made = {.mass = density * moments.volume};
  made.centre = tac_vec3_mad(middle, 1.0 / moments.volume, moments.first);
  moments = tac_moments_of_solid(surface, made.centre);
  tac_moments_inertia(&moments, made.moments);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) made.moments[i][j] *= density;
  }
  *inertia = made;
  return TAC_OK;
}
