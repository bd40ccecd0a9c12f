/* A fingertip feels the body, not its mesh: docs/fingertip.md. */
#include <stdlib.h>
#include <tactus/green.h>
#include <tactus/hyperelastic.h>
#include <tactus/reduced.h>
#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "step_world.h"
#include "world/world.h"

#define YOUNG 20e3 /* Pa */
#define POISSON 0.45
#define RADIUS 6e-3 /* m: of the fingertip */
/* N/m: of this slab under Hertz's pressure on a disc of 6 mm, by the library's own linear statics on bricks that are graded to 1 mm
 * in the middle of the top (2 n x 2 n x n + 2 of them: 271.6, 269.3, 271.5 with n = 8, 12, 16). A half space has 251. */
#define REFERENCE 271.0

static tacBox slab(void) {
  return (tacBox){tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.1, 0.08, 0.06)};
}

typedef enum Kind { HYPERELASTIC, GREEN, REDUCED } Kind;

typedef struct Slab {
  Block block;
  bool *held; /* [vertex of the volume] */
  tacGreen *green;
  tacReduced *reduced;
} Slab;

/* z of the top: flat, or a cylinder about y of the radius `bend`, m. */
static double top_of(double x, double bend) {
  return bend > 0.0 ? 0.06 - bend + sqrt(bend * bend - (x - 0.05) * (x - 0.05)) : 0.06;
}

/* Tetrahedra of about `size`, m, whose vertices are moved about by up to a fifth of that. */
static Slab make_slab(double size, double bend) {
  int n[3] = {(int)(0.1 / size + 0.5), (int)(0.08 / size + 0.5), (int)(0.06 / size + 0.5)};
  tacVolMesh *tets = make_tets(slab(), n[0], n[1], n[2]);
  tacRandom random = tac_random_seed(7);
  for (int v = 0; v < tets->vertex_count; ++v) {
    tacVec3 *x = &tets->vertices[v];
    double by[3];
    for (int k = 0; k < 3; ++k) by[k] = 0.2 * size * tac_random_uniform(&random, -1.0, 1.0);
    bool side = x->x < 1e-6 || x->x > 0.0999 || x->y < 1e-6 || x->y > 0.0799 || x->z < 1e-6;
    if (!side) *x = tac_vec3_add(*x, tac_vec3(by[0], by[1], x->z > 0.0599 ? 0.0 : by[2]));
    x->z *= top_of(x->x, bend) / 0.06;
  }
  Slab s = {.block = make_block(tets, at_bottom, YOUNG, POISSON)};
  s.held = tac_test_alloc((size_t)tets->vertex_count * sizeof *s.held);
  for (int v = 0; v < tets->vertex_count; ++v) s.held[v] = at_bottom(tets->vertices[v]);
  return s;
}

/* Ticks of a step of the bodies: one rate, and two. */
static const int rates[] = {1, 10};
enum { RATES = sizeof rates / sizeof *rates };

static tacWorld *world_of(Slab *s, Kind kind, int every, double friction) {
  tacWorldDef def = tac_world_def_default();
  def.simulate_every = every;
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  if (kind == HYPERELASTIC) {
    double mu = YOUNG / (2.0 * (1.0 + POISSON)), bulk = YOUNG / (3.0 * (1.0 - 2.0 * POISSON));
    tacLawMaterial soft = {.law = "neo-hookean", .parameters = {mu, bulk}, .density = 1000.0};
    tacHyperelasticBodyDef body = tac_hyperelastic_body_def_default();
    body.body.name = "slab";
    body.body.friction = friction;
    body.mesh = s->block.volume;
    body.material_count = 1;
    body.materials = &soft;
    body.fixed = s->held;
    body.stiffness_damping = 0.01;
    tac_test_ok(tac_world_add_hyperelastic(world, &body, NULL, &error), error);
  } else if (kind == GREEN) {
    if (s->green == NULL) s->green = tac_test_keep(bake_block(&s->block, 0, NULL), tac_green_destroy);
    tacGreenBodyDef body = green_def("slab", s->green);
    body.body.friction = friction;
    body.young = YOUNG;
    body.poisson = POISSON;
    tac_test_ok(tac_world_add_green(world, &body, NULL, &error), error);
  } else {
    if (s->reduced == NULL) {
      tacReducedDef bake = tac_reduced_def_default();
      bake.volume = s->block.volume;
      bake.material_count = 1;
      bake.materials = &s->block.material;
      bake.fixed = s->held;
      bake.error_estimate_loads = 0;
      s->reduced = tac_test_kept(tacReduced, tac_reduced_bake(&bake, NULL, &made, &error));
    }
    tacReducedBodyDef body = tac_reduced_body_def_default();
    body.body.name = "slab";
    body.body.friction = friction;
    body.reduced = s->reduced;
    body.stiffness_damping = 0.01;
    tac_test_ok(tac_world_add_reduced(world, &body, NULL, &error), error);
  }
  return world;
}

static tacWorld *world_with(Slab *s, Kind kind, int every, double radius, double friction) {
  tacWorld *world = world_of(s, kind, every, friction);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger", radius}, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

/* Moves to a place in `steps` ticks, and waits as many. */
static tacToolOutput lead(tacWorld *world, tacVec3 *at, tacVec3 to, int steps) {
  tacVec3 from = *at;
  tacToolOutput out = {0};
  for (int i = 1; i <= 2 * steps; ++i) {
    *at = tac_vec3_mix(from, to, fmin(1.0, (double)i / steps));
    step_world(world, &(tacToolInput){.position = *at}, &out);
  }
  return out;
}

static const char *const names[] = {"hyperelastic", "green", "reduced"};

/* At 1 mm the felt stiffness is that of the slab, whatever the kind and the size of its elements. A point has 40 to 170 % more or less. */
TAC_TEST(stiffness_is_that_of_the_body) {
  const double sizes[] = {14e-3, 10e-3, 7e-3};
  for (int i = 0; i < (tac_test_all() ? 3 : 2); ++i) {
    Slab s = make_slab(sizes[i], 0.0);
    for (int k = 0; k < 3 * RATES; ++k) {
      int kind = k / RATES, every = rates[k % RATES];
      TAC_OWN(tacWorld, world) = world_with(&s, (Kind)kind, every, RADIUS, 0.0);
      tacVec3 at = tac_vec3(0.0513, 0.0407, 0.0605);
      tacToolOutput out = lead(world, &at, tac_vec3(0.0513, 0.0407, 0.059), 300);
      double felt = out.force.z / 1e-3;
      ck_assert_msg(fabs(felt / REFERENCE - 1.0) < 0.05, "%s every %d, %g mm: %g N/m", names[kind], every,
                    1e3 * sizes[i], felt);
    }
  }
}

/* Slides 2 mm deep over elements of 10 mm, 40 mm far at 50 mm/s. */
typedef struct Slide {
  double ripple; /* rms of the pressing force over its mean */
  double drag;   /* mean of the force along the surface over that */
} Slide;

static Slide slide_over(Slab *s, Kind kind, int every, double bend, double radius) {
  enum { TICKS = 800 };
  TAC_OWN(tacWorld, world) = world_with(s, kind, every, radius, 0.0);
  tacVec3 at = tac_vec3(0.03, 0.035, 0.065);
  double sum = 0.0, square = 0.0, drag = 0.0;
  for (int i = -400; i < TICKS; ++i) {
    double x = 0.03 + 5e-5 * fmax(0.0, i), slope = bend > 0.0 ? -(x - 0.05) / bend : 0.0;
    tacVec3 n = tac_vec3_unit(tac_vec3(-slope, 0.0, 1.0)), to = tac_vec3(x, 0.035 + 0.2 * (x - 0.03), top_of(x, bend));
    to = tac_vec3_mad(to, -2e-3 * fmin(1.0, (i + 400) / 200.0), n);
    tacToolOutput out;
    step_world(world, &(tacToolInput){.position = i == -400 ? at : to}, &out);
    double pressing = tac_vec3_dot(out.force, n);
    if (i < 0) continue;
    sum += pressing;
    square += pressing * pressing;
    drag += tac_vec3_norm(tac_vec3_mad(out.force, -pressing, n));
  }
  double mean = sum / TICKS;
  ck_assert_double_gt(mean, 0.3);
  return (Slide){sqrt(fmax(0.0, square / TICKS - mean * mean)) / mean, drag / sum};
}

TAC_TEST(sliding_is_smooth_on_flat_and_curved_faces) {
  for (int curved = 0; curved < 2; ++curved) {
    double bend = curved ? 0.08 : 0.0;
    Slab s = make_slab(10e-3, bend);
    for (int k = 0; k < 3 * RATES; ++k) {
      int kind = k / RATES, every = rates[k % RATES];
      if (!tac_test_all() && kind == HYPERELASTIC && every == 1 && curved) continue; /* 5 s */
      Slide slid = slide_over(&s, (Kind)kind, every, bend, RADIUS);
      ck_assert_msg(slid.ripple < 0.03, "%s every %d, %s: ripple %g", names[kind], every, curved ? "curved" : "flat",
                    slid.ripple);
    }
  }
}

/* Presses, slides there and back, and lifts: what the hand gets back is never more than it gave. */
TAC_TEST(press_slide_and_lift_create_no_energy) {
  static const tacVec3 path[] = {{0.03, 0.03, 0.062}, {0.03, 0.03, 0.0575},  {0.07, 0.045, 0.0575},
                                 {0.06, 0.05, 0.056}, {0.035, 0.035, 0.058}, {0.03, 0.03, 0.0575},
                                 {0.03, 0.03, 0.062}};
  Slab s = make_slab(10e-3, 0.0);
  int ticks = tac_test_all() ? 400 : 150; /* of each way */
  for (int k = 0; k < 3 * RATES; ++k)
    for (int rough = 0; rough < 2; ++rough) {
      int kind = k / RATES, every = rates[k % RATES];
      TAC_OWN(tacWorld, world) = world_with(&s, (Kind)kind, every, RADIUS, rough ? 0.4 : 0.0);
      tacVec3 at = path[0], force = tac_vec3(0.0, 0.0, 0.0);
      double net = 0.0, least = 0.0, given = 0.0;
      for (size_t p = 1; p < sizeof path / sizeof *path; ++p)
        for (int i = 1; i <= ticks; ++i) {
          tacVec3 to = tac_vec3_mix(path[p - 1], path[p], 0.5 - 0.5 * cos(3.141592653589793 * i / ticks));
          tacToolOutput out;
          step_world(world, &(tacToolInput){.position = to}, &out);
          double work = -tac_vec3_dot(tac_vec3_mix(force, out.force, 0.5), tac_vec3_sub(to, at));
          net += work;
          given += fmax(0.0, work);
          least = fmin(least, net);
          force = out.force;
          at = to;
        }
      ck_assert_double_gt(net, -1e-3);
      ck_assert_double_gt(least, -1e-6);
    }
}

/* The patch slides where Coulomb's law says: within 3 % of mu. */
TAC_TEST(friction_slips_at_its_coefficient) {
  const double mu = 0.3;
  Slab s = make_slab(10e-3, 0.0);
  for (int k = 0; k < 3 * RATES; ++k) {
    int kind = k / RATES, every = rates[k % RATES];
    TAC_OWN(tacWorld, world) = world_with(&s, (Kind)kind, every, RADIUS, mu);
    tacVec3 at = tac_vec3(0.03, 0.035, 0.0605);
    lead(world, &at, tac_vec3(0.03, 0.035, 0.058), 200);
    double sum = 0.0, along = 0.0;
    for (int i = 0; i < 800; ++i) {
      tacToolOutput out;
      at.x += 5e-5;
      step_world(world, &(tacToolInput){.position = at}, &out);
      if (i < 400) continue;
      sum += out.force.z;
      along -= out.force.x;
    }
    ck_assert_msg(fabs(along / sum / mu - 1.0) < 0.03, "%s every %d: slides at %g", names[kind], every, along / sum);
  }
}

/* A finger that slides takes hold where it is and draws the body along: its force changes by no more in a tick than its motion in the
 * stiffest spring, 1,000 N/m. */
TAC_TEST(a_grab_does_not_step) {
  Slab s = make_slab(10e-3, 0.0);
  for (int k = 0; k < 2 * 3; ++k) {
    static const Kind kinds[] = {HYPERELASTIC, REDUCED};
    int every = 4 << (k / 2); /* 4, 8, 16 */
    TAC_OWN(tacWorld, world) = world_with(&s, kinds[k % 2], every, RADIUS, 0.2);
    tacVec3 at = tac_vec3(0.03, 0.035, 0.0605), before = at;
    tacToolOutput out = lead(world, &at, tac_vec3(0.03, 0.035, 0.058), 100);
    double step = 0.0;
    tacVec3 force = out.force;
    for (int i = 0; i < 600; ++i) { /* 0.1 m/s aside, then slower, out and back */
      at.x += i < 150 ? 1e-4 : 2e-5 * cos(0.01 * i);
      at.z += i < 300 ? 0.0 : 2e-5 * cos(0.02 * (i - 300));
      step_world(world, &(tacToolInput){.position = at, .grab = i >= 100}, &out);
      double moved = tac_vec3_distance(at, before);
      if (i >= 100) step = fmax(step, tac_vec3_distance(out.force, force) - 1000.0 * moved);
      before = at;
      force = out.force;
    }
    /* 6 to 13 mN; 19 to 37 where contacts of odd and even steps are at two places. */
    ck_assert_msg(step < 0.015, "%s every %d: %g N", names[kinds[k % 2]], every, step);
  }
}

/* After a reset, and from a state that was kept, the same path gives the same bits. */
TAC_TEST(fingertips_outlive_a_reset) {
  Slab s = make_slab(14e-3, 0.0);
  for (int k = 0; k < 3 * RATES; ++k) {
    int kind = k / RATES, every = rates[k % RATES];
    TAC_OWN(tacWorld, world) = world_with(&s, (Kind)kind, every, RADIUS, 0.2);
    size_t size = tac_world_memory_size(world);
    void *kept = tac_test_alloc(size);
    tacToolOutput out[3];
    for (int run = 0; run < 3; ++run) {
      if (run < 2) {
        tac_world_reset(world);
        tacVec3 at = tac_vec3(0.05, 0.04, 0.061);
        lead(world, &at, tac_vec3(0.05, 0.04, 0.059), 60);
        if (run == 0) tac_test_ok(tac_world_save(world, size, kept, &error), error);
      } else {
        tac_test_ok(tac_world_load(world, size, kept, &error), error);
      }
      tacVec3 at = tac_vec3(0.05, 0.04, 0.059);
      out[run] = lead(world, &at, tac_vec3(0.054, 0.042, 0.058), 60);
      ck_assert_double_gt(out[run].force.z, 0.1);
      ck_assert_mem_eq(&out[0].force, &out[run].force, sizeof out[run].force);
    }
    ck_assert_double_eq(tac_world_tool_radius(world, 0), RADIUS);
  }
}

/* Each tool has its own radius: among others it feels what it would feel in a world of its own. */
TAC_TEST(each_tool_has_its_own_radius) {
  static const double radii[] = {RADIUS, 0.0, 1.5 * RADIUS};
  static const char *const tools[] = {"one", "point", "two"};
  Slab s = make_slab(10e-3, 0.0);
  for (int k = 0; k < 3 * RATES; ++k) {
    int kind = k / RATES, every = rates[k % RATES];
    TAC_OWN(tacWorld, all) = world_of(&s, (Kind)kind, every, 0.0);
    for (int t = 0; t < 3; ++t)
      tac_test_ok(tac_world_add_point_tool(all, &(tacPointToolDef){tools[t], radii[t]}, NULL, &error), error);
    tac_test_ok(tac_world_seal(all, &error), error);
    double alone[3], among[3];
    for (int t = 0; t < 3; ++t) {
      TAC_OWN(tacWorld, world) = world_with(&s, (Kind)kind, every, radii[t], 0.0);
      tacVec3 at = tac_vec3(0.0513, 0.0407, 0.0605);
      alone[t] = lead(world, &at, tac_vec3(0.0513, 0.0407, 0.059), 100).force.z;
      tac_world_reset(all);
      tacToolOutput out[3];
      for (int i = 0; i <= 200; ++i) { /* one presses, the others are away */
        tacToolInput in[3];
        for (int o = 0; o < 3; ++o) in[o] = (tacToolInput){.position = {0.05, 0.04, 0.2 + 0.1 * o}};
        in[t].position = tac_vec3(0.0513, 0.0407, 0.0605 - 1.5e-5 * fmin(100.0, i));
        step_world(all, in, out);
      }
      among[t] = out[t].force.z;
      ck_assert_double_eq(tac_world_tool_radius(all, t), radii[t]);
      ck_assert_msg(fabs(among[t] / alone[t] - 1.0) < 0.005, "%s every %d, radius %g: %g N, alone %g", names[kind],
                    every, radii[t], among[t], alone[t]);
    }
    /* 1 / 271 N/m is 0.6 / (E* a) less what the held bottom takes, 0.29 mm/N; so 1.56 with the wider one. Bodies with inertia are felt
     * no stiffer than their `touch`, 300 N/m. */
    double ratio = among[2] / among[0];
    ck_assert_msg(ratio > (kind == GREEN ? 1.48 : 1.2) && ratio < 1.62, "%s every %d: %g", names[kind], every, ratio);
  }
}

TAC_TEST(a_radius_is_positive) {
  tacWorldDef def = tac_world_def_default();
  TAC_CREATE(tacWorld, world, tac_world_create(&def, &world, &error));
  ck_assert_int_eq(tac_world_add_point_tool(world, &(tacPointToolDef){"wrong", -1.0}, NULL, &error), TAC_ERR_ARGUMENT);
}
