/* With a basis of all that a mesh can do, a reduced body is the full one: the same motion and equilibria, to
 * rounding. */
#include <tactus/reduced.h>
#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/finite_statics.h"
#include "elastic/solids/newmark.h"
#include "kinds/reduced/reduced_body.h"

/* A bar of tetrahedra or bricks, of two materials in turn, one of them anisotropic; held at x = 0. */
typedef struct Bar {
  tacVolMesh *mesh;
  tacMaterial materials[2];
  int *material_of;
  bool *held;
  tacSolid solid;
  tacReduced *reduced;
  int tip;            /* a vertex of the mesh, */
  int surface_tip;    /* the same of the surface, */
  tacSurfacePoint at; /* and as a point of it */
} Bar;

static void find_tip(Bar *bar) {
  const tacTriMesh *surface = tac_reduced_surface(bar->reduced);
  bar->tip = bar->mesh->vertex_count - 1;
  for (int t = 0; t < surface->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      int v = surface->triangles[t].v[c];
      if (tac_vec3_distance(surface->vertices[v], bar->mesh->vertices[bar->tip]) > 1e-12) continue;
      bar->surface_tip = v;
      bar->at = (tacSurfacePoint){.triangle = t};
      for (int i = 0; i < 3; ++i) bar->at.weight[i] = i == c;
    }
}

static void make_bar(bool bricks, bool lumped, bool isotropic, Bar *bar) {
  tacBox box = {{0.0, 0.0, 0.0}, {0.2, 0.05, 0.04}};
  *bar = (Bar){.mesh = bricks ? make_bricks(box, 3, 1, 1) : make_tets(box, 3, 1, 1),
               .materials = {make_isotropic(1000.0, 1e5, 0.3), make_anisotropic(3)}};
  if (isotropic) bar->materials[1] = make_isotropic(1500.0, 2e5, 0.4);
  for (int i = 0; !isotropic && i < 36; ++i) bar->materials[1].stiffness[i / 6][i % 6] *= 0.1; /* of 0.1 MPa, too */
  int elements = tac_element_count(bar->mesh), free_count = 0;
  bar->material_of = calloc((size_t)elements, sizeof *bar->material_of);
  bar->held = calloc((size_t)bar->mesh->vertex_count, sizeof *bar->held);
  for (int e = 0; e < elements; ++e) bar->material_of[e] = e % 2;
  for (int v = 0; v < bar->mesh->vertex_count; ++v) {
    bar->held[v] = bar->mesh->vertices[v].x == 0.0;
    free_count += !bar->held[v];
  }
  bar->solid = (tacSolid){bar->mesh, 2, bar->materials, bar->material_of, bar->held, (tacMassKind)lumped};
  tacReducedDef def = tac_reduced_def_default();
  def.volume = bar->mesh;
  def.material_count = 2;
  def.materials = bar->materials;
  def.material_of = bar->material_of;
  def.fixed = bar->held;
  def.lumped_mass = lumped;
  def.mode_count = def.size = 3 * free_count;
  def.strain_rate = isotropic;
  tac_test_ok(tac_reduced_bake(&def, NULL, &bar->reduced, &error), error);
  find_tip(bar);
}

static void free_bar(Bar *bar) {
  tac_reduced_destroy(bar->reduced);
  tac_volmesh_destroy(bar->mesh);
  free(bar->material_of);
  free(bar->held);
}

static tacReducedBody *make_reduced_body(const Bar *bar, const tacReducedMotion *motion) {
  tacReducedBody *body;
  tac_test_ok(tac_reduced_body_create(bar->reduced, NULL, motion, &body, &error), error);
  return body;
}

/* A pull at the tip for a while, then free and damped swinging; the last two with strain-rate damping beside, of isotropic materials. */
TAC_TEST(reduced_motion_matches_the_full_model) {
  for (int kind = 0; kind < 6; ++kind) {
    const double tau = 4e-3;
    double phi[2], psi[2];
    TAC_FREED(free_bar, Bar, bar);
    make_bar(kind % 2, kind / 2 == 1, kind >= 4, &bar);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.step = 2e-3;
    motion.newton_steps = 10;
    motion.mass_damping = 1.5;
    motion.stiffness_damping = 2e-3;
    if (kind >= 4) motion.strain_rate = tau;
    TAC_OWN(tacReducedBody, body) = make_reduced_body(&bar, &motion);
    tacNewmarkDef def = tac_newmark_def_default();
    def.step = motion.step;
    def.mass_damping = motion.mass_damping;
    def.stiffness_damping = motion.stiffness_damping;
    for (int m = 0; m < 2; ++m) {
      phi[m] = tau * bar.materials[m].stiffness[0][1];
      psi[m] = tau * bar.materials[m].stiffness[3][3];
    }
    if (kind >= 4) {
      def.phi = phi;
      def.psi = psi;
    }
    def.tolerance = 1e-12;
    TAC_MEMORY(double, force) = make_vector(bar.mesh);
    double way = 0.0;
    tacVec3 pull = {0.2, 0.6, -1.0}, rest = bar.mesh->vertices[bar.tip];
    put_vec3(force, bar.tip, pull);
    TAC_CREATE(tacNewmark, full, tac_newmark_create(&bar.solid, &def, &full, &error));
    tac_test_ok(tac_newmark_start(full, NULL, NULL, force, &error), error);
    for (int step = 0; step < (tac_test_light() ? 30 : 100); ++step) {
      if (step == 20) put_vec3(force, bar.tip, pull = tac_vec3(0.0, 0.0, 0.0));
      tac_reduced_body_add_force(body, bar.at, pull);
      ck_assert(!tac_reduced_body_advance(body).refused);
      tac_test_ok(tac_newmark_step(full, force, &error), error);
      tacVec3 u = get_vec3(tac_newmark_displacement(full), bar.tip);
      ck_assert_double_lt(tac_vec3_distance(tac_reduced_body_vertex(body, bar.surface_tip), tac_vec3_add(rest, u)),
                          1e-12);
      way = fmax(way, tac_vec3_norm(u));
    }
    double energy = tac_newmark_energy(full);
    ck_assert_double_gt(way, 5e-3);
    ck_assert_double_eq_tol(tac_reduced_body_energy(body), energy, 1e-9 * energy);
  }
}

/* Its own weight, tenfold, bends it down. */
TAC_TEST(reduced_sag_matches_the_full_model) {
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_FREED(free_bar, Bar, bar);
    make_bar(bricks, false, false, &bar);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.newton_steps = 10;
    motion.is_static = true;
    motion.gravity = tac_vec3(3.0, 0.0, -60.0);
    TAC_OWN(tacReducedBody, body) = make_reduced_body(&bar, &motion);
    for (int i = 0; i < 10; ++i) ck_assert(!tac_reduced_body_advance(body).refused);
    TAC_FREED(tac_sparse_destroy, tacSparse, mass);
    TAC_MEMORY(double, force) = make_vector(bar.mesh);
    TAC_MEMORY(double, fall) = make_vector(bar.mesh);
    TAC_MEMORY(double, u) = make_vector(bar.mesh);
    for (int v = 0; v < bar.mesh->vertex_count; ++v) put_vec3(fall, v, motion.gravity);
    tac_test_ok(tac_assembly_mass(bar.mesh, bar.materials, bar.material_of, TAC_MASS_CONSISTENT, &mass, &error), error);
    tac_sparse_multiply(&mass, fall, 1, force);
    TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(&bar.solid, &statics, &error));
    tac_test_ok(tac_finite_statics_solve(statics, force, NULL, u, NULL, &error), error);
    tacVec3 tip = get_vec3(u, bar.tip);
    ck_assert_double_gt(tac_vec3_norm(tip), 0.02);
    ck_assert_double_lt(tac_vec3_distance(tac_reduced_body_vertex(body, bar.surface_tip),
                                          tac_vec3_add(bar.mesh->vertices[bar.tip], tip)),
                        1e-9);
  }
}
