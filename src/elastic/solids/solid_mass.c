#include "elastic/solids/solid_mass.h"

#include "math/geometry/vec3.h"
#include "mesh/element_volume.h"

/* Of masses m_ab between the corners of elements; places are relative to `origin`. */
typedef struct {
  tacVec3 origin, first;
  double mass, volume, second[3][3];
} Moments;

static void add_element(const tacVolMesh *mesh, int element, const double *m, Moments *moments) {
  const int *v = tac_element_vertices(mesh, element);
  int count = tac_element_corner_count(mesh, element);
  tacVec3 x[8];
  for (int c = 0; c < count; ++c) x[c] = tac_vec3_sub(mesh->vertices[v[c]], moments->origin);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      double mass = m[a * count + b];
      const double xa[3] = {x[a].x, x[a].y, x[a].z}, xb[3] = {x[b].x, x[b].y, x[b].z};
      moments->mass += mass;
      moments->first = tac_vec3_mad(moments->first, mass, x[a]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) moments->second[i][j] += mass * xa[i] * xb[j];
    }
  moments->volume += tac_element_volume(mesh, element);
}

tacStatus tac_solid_mass(const tacSolid *solid, tacInertia *inertia, tacError *error) {
  const tacVolMesh *mesh = solid->mesh;
  Moments moments = {.origin = tac_box_centre(tac_volmesh_box(mesh))};
  *inertia = (tacInertia){0};
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    double m[64];
    TAC_TRY(tac_element_mass(mesh, e, tac_solid_material(solid, e), solid->mass, m, error));
    add_element(mesh, e, m, &moments);
  }
  if (!(moments.mass > 0.0)) return tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
  tacVec3 arm = tac_vec3_scale(1.0 / moments.mass, moments.first);
  const double c[3] = {arm.x, arm.y, arm.z};
  double about[3][3], trace = 0.0; /* second moments about the centre */
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      about[i][j] = 0.5 * (moments.second[i][j] + moments.second[j][i]) - moments.mass * c[i] * c[j];
  for (int i = 0; i < 3; ++i) trace += about[i][i];
  *inertia = (tacInertia){.mass = moments.mass, .centre = tac_vec3_add(moments.origin, arm)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia->moments[i][j] = (i == j ? trace : 0.0) - about[i][j];
  return TAC_OK;
}
