#include "elastic/surface_stress.h"

#include <string.h>
#include "elastic/elements/strain.h"
#include "math/geometry/vec3.h"

static void add(const tacStressSum *part, tacStressSum *sum) {
  for (int i = 0; i < 6; ++i) sum->stress[i] += part->stress[i];
  sum->weight += part->weight;
}

/* A triangle at rest: its sides from the first corner, unit normal, and weight. */
typedef struct {
  tacVec3 p, q, n;
  double weight;
} Face;

static Face face_of(const tacVec3 *x, const int v[3]) {
  tacVec3 p = tac_vec3_sub(x[v[1]], x[v[0]]), q = tac_vec3_sub(x[v[2]], x[v[0]]), n = tac_vec3_cross(p, q);
  double weight = tac_vec3_norm(n);
  return (Face){p, q, tac_vec3_scale(1.0 / weight, n), weight};
}

/* Everything times the weight: nothing then divides by the area, and slivers do no harm. */
static void add_face(const Face *face, const int v[3], const tacVec3 *u, const tacVec3 *traction, double shear,
                     double lame, double ratio, tacStressSum *sum) {
  tacVec3 n = face->n;
  double weight = face->weight;
  if (!(weight > 0.0)) return;
  /* The gradient of u is d g^T + e h^T, with d and e the differences of u along p and q and g / weight, h / weight the
   * dual basis of p and q. Its in-plane part has d and e without their normal components. */
  tacVec3 g = tac_vec3_cross(face->q, n), h = tac_vec3_cross(n, face->p);
  tacVec3 d = tac_vec3_sub(u[v[1]], u[v[0]]), e = tac_vec3_sub(u[v[2]], u[v[0]]);
  d = tac_vec3_mad(d, -tac_vec3_dot(d, n), n);
  e = tac_vec3_mad(e, -tac_vec3_dot(e, n), n);
  double normal = 0.0;
  tacVec3 t = {0.0, 0.0, 0.0};
  if (traction != NULL) {
    t = tac_vec3_add(traction[v[0]], tac_vec3_add(traction[v[1]], traction[v[2]]));
    t = tac_vec3_scale(weight / 3.0, t);
    normal = tac_vec3_dot(t, n);
  }
  double a = lame * (tac_vec3_dot(d, g) + tac_vec3_dot(e, h)) + ratio * normal;
  t = tac_vec3_mad(t, -0.5 * (a + normal), n); /* all that multiplies n: t n^T + n t^T - (a + s_nn) n n^T */
  tacStressSum part = {.weight = weight};
  part.stress[0] = 2.0 * (shear * (d.x * g.x + e.x * h.x) + t.x * n.x) + a;
  part.stress[1] = 2.0 * (shear * (d.y * g.y + e.y * h.y) + t.y * n.y) + a;
  part.stress[2] = 2.0 * (shear * (d.z * g.z + e.z * h.z) + t.z * n.z) + a;
  part.stress[3] = shear * (d.y * g.z + d.z * g.y + e.y * h.z + e.z * h.y) + t.y * n.z + t.z * n.y;
  part.stress[4] = shear * (d.z * g.x + d.x * g.z + e.z * h.x + e.x * h.z) + t.z * n.x + t.x * n.z;
  part.stress[5] = shear * (d.x * g.y + d.y * g.x + e.x * h.y + e.y * h.x) + t.x * n.y + t.y * n.x;
  for (int corner = 0; corner < 3; ++corner) add(&part, &sum[v[corner]]);
}

void tac_surface_stress(const tacTriMesh *mesh, const tacVec3 *displacement, const tacVec3 *traction, double young,
                        double poisson, tacStressSum *scratch, double *von_mises) {
  double shear = 0.5 * young / (1.0 + poisson), ratio = poisson / (1.0 - poisson), lame = 2.0 * shear * ratio;
  memset(scratch, 0, (size_t)mesh->vertex_count * sizeof *scratch);
  enum { BATCH = 16 }; /* a processor then takes the roots of several triangles at once, which is a quarter faster */
  Face face[BATCH];
  for (int first = 0; first < mesh->triangle_count; first += BATCH) {
    const tacTriangle *triangle = mesh->triangles + first;
    int count = mesh->triangle_count - first < BATCH ? mesh->triangle_count - first : BATCH;
    for (int i = 0; i < count; ++i) face[i] = face_of(mesh->vertices, triangle[i].v);
    for (int i = 0; i < count; ++i)
      add_face(&face[i], triangle[i].v, displacement, traction, shear, lame, ratio, scratch);
  }
  for (int v = 0; v < mesh->vertex_count; ++v)
    von_mises[v] = scratch[v].weight > 0.0 ? tac_strain_von_mises(scratch[v].stress) / scratch[v].weight : 0.0;
}
