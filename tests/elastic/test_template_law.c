/* The template of a law (examples/template_law.c), added as docs/contributing.md says: a file, and a row in the list. The program of this
 * suite has the library's list with that row, and runs test_hyper_law over it, too. */
#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/hyper_laws.h"

TAC_TEST(method_is_found_by_name) {
  const tacHyperLaw *law = tac_hyper_law_find("yeoh", &error);
  ck_assert_msg(law != NULL, "%s", error.text);
  int count, of_them = 0;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  for (int i = 0; i < count; ++i) of_them += laws[i] == law;
  ck_assert_int_eq(of_them, 1);
}

/* A block whose boundary is stretched by F = diag(s^(-1/2), s^(-1/2), s), J = 1: the top is pulled with the stress
 * P = 2 (c1 + 2 c2 (I1 - 3)) (s^2 - I1 / 3) / s, I1 = s^2 + 2 / s, times its area at rest. */
TAC_TEST(a_stretched_block_pulls_by_the_closed_form) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.08, 0.06}};
  const double c1 = 2e3, c2 = 1.5e3, area = 0.1 * 0.08;
  for (double s = 0.6; s < 1.7; s += 0.25) {
    tacHyperMaterial material = find_hyper("yeoh", c1, c2, 2e4);
    TAC_OWN(tacVolMesh, mesh) = make_tets(box, 4, 3, 3);
    TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh, .materials = &material});
    bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
    double *x = positions_of(mesh), *target = vector_of(mesh), *force = vector_of(mesh), *reaction = vector_of(mesh);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 at = mesh->vertices[v];
      held[v] = on_boundary(box, at);
      put_vec3(target, v, tac_vec3(at.x / sqrt(s), at.y / sqrt(s), at.z * s));
    }
    tacNewtonReport report;
    TAC_CREATE(tacHyperStatics, statics, tac_hyper_statics_create(solid, held, &statics, &error));
    tac_test_ok(tac_hyper_statics_solve(statics, target, force, x, reaction, &report, &error), error);
    double sum = 0.0, i1 = s * s + 2.0 / s;
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (mesh->vertices[v].z >= box.upper.z) sum += reaction[3 * v + 2];
    double right = 2.0 * (c1 + 2.0 * c2 * (i1 - 3.0)) * (s * s - i1 / 3.0) / s * area;
    ck_assert_msg(fabs(sum - right) <= 1e-6 * fabs(right), "stretch %g: %.9g N, closed form %.9g N", s, sum, right);
  }
}
