/* Stress and stretch at the surface of hyperelastic solids. */
#include "elastic/hyper/hyper_colours.h"

#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/every_law.h"
#include "elastic/laws/hyper_point.h"
#include "math/geometry/svd3.h"

static const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.03, 0.05}};

typedef struct Case {
  tacVolMesh *mesh;
  tacTriMesh *surface;
  int *node_of;
  tacHyperColours *colours;
  double *x, *values;
} Case;

static Case make_case(tacHyperSolidDef def, double by) {
  Case c = {.mesh = tac_test_keep(make_uneven(box, false, 3, 0.2), tac_volmesh_destroy)};
  def.mesh = c.mesh;
  def.material_count = 1;
  def.thread_count = 1;
  tac_test_ok(tac_volmesh_surface(c.mesh, &c.surface, &c.node_of, NULL, &error), error);
  tac_test_ok(tac_hyper_colours_create(&def, c.surface->vertex_count, c.node_of, &c.colours, &error), error);
  tac_test_keep(c.surface, tac_trimesh_destroy);
  tac_test_keep(c.node_of, free);
  tac_test_keep(c.colours, tac_hyper_colours_destroy);
  c.x = deformed_of(c.mesh, large_gradient(), by);
  c.values = tac_test_alloc((size_t)c.surface->vertex_count * sizeof *c.values);
  return c;
}

/* From the definition: sqrt(3/2 s:s) of the deviator s of P F^T / J. */
static double mises_of(const tacHyperMaterial *material, tacMat3 f) {
  tacHyperPoint point;
  tac_hyper_point_evaluate(material->law, material->parameters, NULL, &f, &point);
  tacMat3 stress = tac_mat3_scale(1.0 / tac_mat3_det(f), tac_mat3_mul(point.stress, tac_mat3_transpose(f)));
  tacMat3 mean = tac_mat3_scale(tac_mat3_trace(stress) / 3.0, tac_mat3_identity());
  return sqrt(1.5) * tac_mat3_norm(tac_mat3_sub(stress, mean));
}

/* One deformation everywhere: every vertex has what one point has, with patches and viscosity or without. */
TAC_TEST(uniform_deformations_of_every_law) {
  for (int n = 0; n < 2 * law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n / 2));
    material.prony_count = n % 2;
    material.prony[0] = (tacPronyTerm){0.4, 0.1};
    Case c = make_case((tacHyperSolidDef){.materials = &material, .patches = n % 2 == 1}, 0.0);
    double stress = mises_of(&material, large_gradient()), stretch = tac_svd3(large_gradient()).s[0];
    ck_assert_double_gt(stress, 0.0);
    tac_hyper_colours_stress(c.colours, c.x, c.values);
    for (int v = 0; v < c.surface->vertex_count; ++v) ck_assert_double_eq_tol(c.values[v], stress, 1e-8 * stress);
    tac_hyper_colours_stretch(c.colours, c.x, c.values);
    for (int v = 0; v < c.surface->vertex_count; ++v) ck_assert_double_eq_tol(c.values[v], stretch, 1e-10);
  }
}

static double volume_of(const tacVolMesh *mesh, int t) {
  const int *v = mesh->tets[t].v;
  const tacVec3 *x = mesh->vertices;
  return tac_vec3_dot(tac_vec3_cross(tac_vec3_sub(x[v[1]], x[v[0]]), tac_vec3_sub(x[v[2]], x[v[0]])),
                      tac_vec3_sub(x[v[3]], x[v[0]]));
}

/* Each vertex has the mean of the elements around it, by brute force over the whole solid. */
TAC_TEST(means_around_vertices) {
  tacHyperMaterial material = find_hyper("mooney-rivlin", 2e3, 1e3, 5e4);
  Case c = make_case((tacHyperSolidDef){.materials = &material}, 1e-3);
  size_t tets = (size_t)c.mesh->tet_count;
  TAC_OWN(tacHyperSolid, whole) = make_hyper_solid((tacHyperSolidDef){.mesh = c.mesh, .materials = &material});
  double *of[2] = {tac_test_alloc(tets * sizeof(double)), tac_test_alloc(tets * sizeof(double))}, least = INFINITY,
         most = 0.0;
  tac_hyper_solid_colours(whole, c.x, of[0], of[1]);
  for (int k = 0; k < 2; ++k) {
    (k == 0 ? tac_hyper_colours_stress : tac_hyper_colours_stretch)(c.colours, c.x, c.values);
    for (int v = 0; v < c.surface->vertex_count; ++v) {
      double sum = 0.0, weight = 0.0;
      for (int t = 0; t < c.mesh->tet_count; ++t)
        for (int a = 0; a < 4; ++a)
          if (c.mesh->tets[t].v[a] == c.node_of[v]) {
            sum += volume_of(c.mesh, t) * of[k][t];
            weight += volume_of(c.mesh, t);
          }
      ck_assert_double_eq_tol(c.values[v], sum / weight, 1e-10 * sum / weight);
      least = fmin(least, c.values[v]);
      most = fmax(most, c.values[v]);
    }
  }
  ck_assert_double_gt(most, 1.1 * least); /* it is not uniform */
}
