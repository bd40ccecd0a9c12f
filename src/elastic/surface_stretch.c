#include "elastic/surface_stretch.h"

#include <math.h>
#include <string.h>
#include "elastic/elements/strain.h"
#include "math/geometry/vec3.h"

static const double thinnest = 0.05; /* F_33, below which the law means nothing any more */

/* A triangle's map. */
typedef struct Map {
  tacVec3 f[2];
  double c[3];   /* C_11, C_22, C_12 */
  double weight; /* m^2: twice the area at rest; 0: there is none */
} Map;

static Map map_of(const tacVec3 *rest, const tacVec3 *x, const int v[3]) {
  tacVec3 p = tac_vec3_sub(rest[v[1]], rest[v[0]]), q = tac_vec3_sub(rest[v[2]], rest[v[0]]);
  tacVec3 dp = tac_vec3_sub(x[v[1]], x[v[0]]), dq = tac_vec3_sub(x[v[2]], x[v[0]]);
  double length = tac_vec3_norm(p), weight = tac_vec3_norm(tac_vec3_cross(p, q));
  Map map = {.weight = weight};
  if (!(weight > 0.0)) return map;
  /* p = length t1, q = (p . q / length) t1 + (weight / length) t2 */
  map.f[0] = tac_vec3_scale(1.0 / length, dp);
  map.f[1] = tac_vec3_scale(length / weight, tac_vec3_mad(dq, -tac_vec3_dot(p, q) / (length * length), dp));
  map.c[0] = tac_vec3_norm2(map.f[0]);
  map.c[1] = tac_vec3_norm2(map.f[1]);
  map.c[2] = tac_vec3_dot(map.f[0], map.f[1]);
  return map;
}

void tac_surface_stretch(const tacTriMesh *mesh, const tacVec3 *deformed, tacStressSum *room, double *stretch) {
  memset(room, 0, (size_t)mesh->vertex_count * sizeof *room);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    Map map = map_of(mesh->vertices, deformed, v);
    double mean = 0.5 * (map.c[0] + map.c[1]), half = 0.5 * (map.c[0] - map.c[1]);
    double most = sqrt(mean + sqrt(half * half + map.c[2] * map.c[2]));
    for (int corner = 0; corner < 3 && map.weight > 0.0; ++corner) {
      room[v[corner]].stress[0] += map.weight * most;
      room[v[corner]].weight += map.weight;
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v)
    stretch[v] = room[v].weight > 0.0 ? room[v].stress[0] / room[v].weight : 1.0;
}

/* Cauchy's stress of a triangle times its weight; zero where it has no area any more. */
static tacStressSum stress_of(const Map *map, double lambda, double mu) {
  tacStressSum sum = {.weight = map->weight};
  double e[3] = {0.5 * (map->c[0] - 1.0), 0.5 * (map->c[1] - 1.0), 0.5 * map->c[2]};
  double share = lambda / (lambda + 2.0 * mu), trace = e[0] + e[1];
  double thick = sqrt(fmax(1.0 - 2.0 * share * trace, thinnest * thinnest));
  double j = tac_vec3_norm(tac_vec3_cross(map->f[0], map->f[1])) * thick;
  if (!(j > 0.0)) return sum;
  double all = 2.0 * mu * share * trace, by = map->weight / j;
  double s[3] = {by * (all + 2.0 * mu * e[0]), by * (all + 2.0 * mu * e[1]), by * 2.0 * mu * e[2]};
  /* sum S_ab f_a f_b^T = f_1 g^T + f_2 h^T */
  tacVec3 a = map->f[0], b = map->f[1];
  tacVec3 g = tac_vec3_mad(tac_vec3_scale(s[0], a), s[2], b), h = tac_vec3_mad(tac_vec3_scale(s[2], a), s[1], b);
  const double stress[6] = {a.x * g.x + b.x * h.x, a.y * g.y + b.y * h.y, a.z * g.z + b.z * h.z,
                            a.y * g.z + b.y * h.z, a.z * g.x + b.z * h.x, a.x * g.y + b.x * h.y};
  memcpy(sum.stress, stress, sizeof stress);
  return sum;
}

void tac_surface_stretch_stress(const tacTriMesh *mesh, const tacVec3 *deformed, double lambda, double mu,
                                tacStressSum *room, double *von_mises) {
  memset(room, 0, (size_t)mesh->vertex_count * sizeof *room);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    Map map = map_of(mesh->vertices, deformed, v);
    if (!(map.weight > 0.0)) continue;
    tacStressSum part = stress_of(&map, lambda, mu);
    for (int corner = 0; corner < 3; ++corner) {
      for (int i = 0; i < 6; ++i) room[v[corner]].stress[i] += part.stress[i];
      room[v[corner]].weight += part.weight;
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v)
    von_mises[v] = room[v].weight > 0.0 ? tac_strain_von_mises(room[v].stress) / room[v].weight : 0.0;
}
