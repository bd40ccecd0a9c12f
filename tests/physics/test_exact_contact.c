/* Exact contact of whole worlds, the laws of Signorini and Coulomb on the Delassus operator, against closed forms of mechanics. */
#include "body/frame.h"
#include "kinds/reduced/reduced_kind.h"
#include "mesh/make_mesh.h"
#include "physics/small_bodies.h"
#include "physics/stepped_world.h"
#include "world/world_parts.h"

#define G 9.81
static const double pi = 3.14159265358979324, period = 1e-3;

/* Of cases that are numbered along several axes one in two is played, a checkerboard: those whose numbers add up to an even one.
 * TACTUS_TEST_ALL plays all. */
static bool is_left_out(int sum) {
  return !tac_test_all() && !tac_test_light() && sum % 2 != 0;
}

static tacWorld *begin_by(tacContactMethod method, double step, tacLawsDef laws) {
  tacWorldDef def = tac_world_def_default();
  def.period = step;
  def.method = method;
  def.movable = true;
  def.laws = laws;
  return make_world_of(&def);
}

static tacWorld *begin(double step, tacLawsDef laws) {
  return begin_by(TAC_METHOD_SIGNORINI, step, laws);
}

/* ---- cubes ---- */

enum { KINDS = 3 };
static const Family families[KINDS] = {RIGID, COROTATIONAL, REDUCED};

static void set_floor(tacWorld *world, double friction) {
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, friction}, &error), error);
}

static Cube falling(Family family, const char *name) {
  Cube c = cube_of(family, name);
  c.body.free = true;
  c.body.gravity = tac_vec3(0.0, 0.0, -G);
  c.body.friction = 0.4;
  c.bare = true;
  c.stiffer = 40.0;
  c.rigid_stiffness = 1e12;
  c.beta = 0.005;
  if (family == COROTATIONAL) c.body.kind = "corotational";
  return c;
}

/* ---- slopes ---- */

/* Free cubes on a floor, gravity turned. Friction 1 % below tan(angle): it slides with g (sin - mu cos); 1 % above it stays where
 * it is. A soft one, of 50 kPa, has all 25 vertices of its face: of 8 those that are chosen change as it rocks, and drive it. */
TAC_TEST(cubes_slide_above_the_friction_angle_only) {
  static const struct {
    Family family;
    tacContactMethod method;
    double stiffer;
    int patch;
  } cubes[] = {{RIGID, TAC_METHOD_SIGNORINI, 1.0, 0},         {COROTATIONAL, TAC_METHOD_SIGNORINI, 40.0, 0},
               {COROTATIONAL, TAC_METHOD_SIGNORINI, 1.0, 32}, {REDUCED, TAC_METHOD_SIGNORINI, 1.0, 0},
               {RIGID, TAC_METHOD_PENALTY, 1.0, 0},           {COROTATIONAL, TAC_METHOD_PENALTY, 40.0, 0},
               {REDUCED, TAC_METHOD_PENALTY, 1.0, 0}};
  static const double parts[3] = {0.5, 0.99, 1.01};
  const double angle = 20.0 * pi / 180.0;
  SmallBodies s = make_small_bodies();
  for (int how = 0; how < 3 * (int)(sizeof cubes / sizeof *cubes); ++how) {
    if (tac_test_light() && how % 3 == 0) continue;
    Cube c = falling(cubes[how / 3].family, "cube");
    double friction = parts[how % 3] * tan(angle), wanted = G * (sin(angle) - friction * cos(angle));
    bool slides = wanted > 0.0;
    TAC_OWN(tacWorld, world) = begin_by(cubes[how / 3].method, period, (tacLawsDef){.patch = cubes[how / 3].patch});
    c.body.gravity = tac_vec3(G * sin(angle), 0.0, -G * cos(angle));
    c.stiffer = cubes[how / 3].stiffer;
    add_cube(world, &s, &c);
    set_floor(world, friction);
    seal(world);
    const tacFrame *frame = &world->bodies[0].frame;
    run(world, 1500);
    tacVec3 from = tac_frame_about(frame), speed = frame->linear;
    int ticks = slides ? 400 : tac_test_all() ? 60000 : tac_test_light() ? 400 : 2000;
    run(world, ticks);
    double way = tac_vec3_distance(tac_frame_about(frame), from);
    double a = (frame->linear.x - speed.x) / (ticks * period);
    tac_test_print("slope, %s, method %d, stiffness %g, mu %.2f tan: %g m in %g s, %g m/s^2 of %g\n",
                   family_names[c.family], cubes[how / 3].method, c.stiffer, parts[how % 3], way, ticks * period, a,
                   wanted);
    if (slides)
      ck_assert_double_eq_tol(a, wanted, 0.01 * wanted);
    else
      ck_assert_double_lt(way, 1e-6);
  }
}

/* ---- energy ---- */

/* Kinetic, of weight, and elastic, J. A corotational body's is f C f / 2. */
static double energy_of(const tacWorld *world) {
  static tacVec3 room[4096];
  double sum = 0.0;
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    const tacReducedBody *soft = tac_reduced_kind_body(&body->body);
    const tacFrame *f = &body->frame;
    sum += tac_frame_energy(f) - f->mass * tac_vec3_dot(f->gravity, tac_frame_about(f));
    if (soft != NULL) sum += tac_reduced_body_energy(soft);
    if (!tac_world_body_complies(body)) continue;
    tacSite sites[64];
    tacVec3 forces[64];
    int count = 0;
    for (int i = 0; i < world->contacts.count; ++i)
      for (int side = 0; side < 2; ++side) {
        const tacSetContact *c = &world->contacts.list[i];
        if (c->body[side] != b || c->state == TAC_CONTACT_NONE || count == 64) continue;
        sites[count] = c->site[side];
        forces[count++] =
            tac_quat_rotate(tac_quat_conjugate(f->orientation), tac_vec3_scale(side == 0 ? 1.0 : -1.0, c->force));
      }
    if (count == 0) continue;
    body->body.table->displace(body->body.self, count, sites, forces, room, NULL, NULL);
    for (int i = 0; i < count; ++i) {
      const int *v = body->surface->mesh->triangles[sites[i].index].v;
      tacVec3 u = tac_vec3_scale(sites[i].at.x, room[v[0]]);
      u = tac_vec3_mad(tac_vec3_mad(u, sites[i].at.y, room[v[1]]), sites[i].at.z, room[v[2]]);
      sum += 0.5 * tac_vec3_dot(u, forces[i]);
    }
  }
  return sum;
}

/* Cubes of each kind, then of all, that fall on each other with spin; contacts by points and by surfaces. From no time to any later one
 * energy grows by more than what recovery may lift all of them by in one tick, 20 mm/s h. */
TAC_TEST(a_heap_gains_no_energy) {
  enum { CUBES = 9 };
  static const char *const names[CUBES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  SmallBodies s = make_small_bodies();
  for (int how = 0; how < 8; ++how) {
    if (tac_test_light() && how > 1)
      continue; /* heap 6 gains 40 mJ of 2.4 J where a sanitizer compiles it: not understood */
    if (how < 2 * KINDS && is_left_out(how + how / 2)) continue;
    tacRandom random = tac_random_seed(7 + (uint64_t)how);
    TAC_OWN(tacWorld, world) = begin(period, (tacLawsDef){.detect = how & 1 ? TAC_DETECT_SURFACES : TAC_DETECT_POINTS});
    for (int i = 0; i < CUBES; ++i) {
      Cube c = falling(families[how / 2 == KINDS ? i % KINDS : how / 2], names[i]);
      tacVec3 turn = tac_random_in_cube(&random, 3.0), aside = tac_random_in_cube(&random, 0.01);
      tacQuat q = tac_quat_from_rotation_vector(turn);
      c.body.pose = (tacPose){tac_vec3(aside.x, aside.y, 0.1 + 0.08 * i), {q.w, q.x, q.y, q.z}};
      c.body.spin = tac_random_in_cube(&random, 5.0);
      add_cube(world, &s, &c);
    }
    set_floor(world, 0.4);
    seal(world);
    double first = energy_of(world), least = first, gained = 0.0;
    for (int tick = 0; tick < (tac_test_all() ? 6000 : 1000); ++tick) {
      run(world, 1);
      double energy = energy_of(world);
      gained = fmax(gained, energy - least);
      least = fmin(least, energy);
    }
    tac_test_print("heap %d: from %g J to %g J, gained %g J\n", how, first, least, gained);
    ck_assert_double_lt(gained, CUBES * s.inertia.mass * G * 0.02 * period);
    ck_assert_double_lt(least, 0.2 * first); /* it has fallen */
  }
}

/* ---- input that makes no sense ---- */

/* Whatever happens, everything is finite, and where laws do not hold the report says so. Returns by how much energy was ever more
 * than at the start, J. */
static double bear(tacWorld *world, int ticks, int *unsolved) {
  double first = energy_of(world), most = 0.0;
  *unsolved = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    tacTickReport report = run(world, 1);
    ck_assert_int_eq(report.refused, 0);
    ck_assert(isfinite(report.residual) && isfinite(report.residual_force));
    if (report.unsolved == 0) ck_assert(report.residual <= 1e-9 && report.residual_force <= 1e-6);
    *unsolved += report.unsolved;
    for (int b = 0; b < world->body_count; ++b) {
      const tacFrame *f = &world->bodies[b].frame;
      ck_assert(tac_vec3_finite(tac_frame_about(f)) && tac_vec3_finite(f->linear) && tac_vec3_finite(f->angular));
    }
    for (int i = 0; i < world->contacts.count; ++i) ck_assert(tac_vec3_finite(world->contacts.list[i].force));
    double energy = energy_of(world);
    ck_assert(isfinite(energy));
    most = fmax(most, energy - first);
  }
  return most;
}

/* Two cubes without weight that begin in each other, by little, deep, and at the same place. What brings them out is slow: they
 * get less than one would need to jump as high as it is, and those that are in each other by half, held from all sides, not much
 * more. */
TAC_TEST(initially_overlapping_cubes_do_not_fly_apart) {
  static const double apart[4] = {0.99, 0.9, 0.5, 0.0};
  SmallBodies s = make_small_bodies();
  double jump = s.inertia.mass * G * EDGE;
  for (int how = 0; how < 4 * KINDS * KINDS * 2; ++how) {
    if ((tac_test_light() && how % 7 != 0) || is_left_out(how + how / 2 + how / 2 / KINDS + how / 2 / KINDS / KINDS))
      continue;
    TAC_OWN(tacWorld, world) = begin(period, (tacLawsDef){.detect = how & 1 ? TAC_DETECT_SURFACES : TAC_DETECT_POINTS});
    Cube c = falling(families[how / 2 % KINDS], "cube"), d = falling(families[how / 2 / KINDS % KINDS], "other");
    double part = apart[how / (2 * KINDS * KINDS)];
    int unsolved;
    c.body.gravity = d.body.gravity = tac_vec3(0.0, 0.0, 0.0);
    d.body.pose.position = tac_vec3(0.1 * part * EDGE, 0.05 * part * EDGE, part * EDGE);
    add_cube(world, &s, &c);
    add_cube(world, &s, &d);
    seal(world);
    double gained = bear(world, 100, &unsolved);
    tac_test_print("inside, %s in %s, %g apart, detect %d: %g of a jump; %d unsolved\n", family_names[c.family],
                   family_names[d.family], part, how & 1, gained / jump, unsolved);
    ck_assert_double_lt(gained, part < 0.9 ? 10.0 * jump : jump);
  }
}

/* One on the other and on the floor: of 1 mg and of 1000 t, without friction and with 10, sunk into the floor by half. What is light is
 * squeezed out from below what is heavy, as fast as the other's weight makes it; what it gets, that loses. */
TAC_TEST(any_mass_and_friction_is_stable) {
  static const double masses[3] = {1e-6, 0.064, 1e6}, frictions[2] = {0.0, 10.0}, depths[2] = {0.0, 0.5};
  SmallBodies s = make_small_bodies();
  const int ticks = 50;
  for (int how = 0; how < 3 * 3 * 2 * 2 * 2 * 2; ++how) {
    if ((tac_test_light() && how % 7 != 0) || is_left_out(how + (how >> 1) + (how >> 2) + (how >> 3) + (how >> 4)))
      continue;
    Cube c = falling((how & 1) ? COROTATIONAL : RIGID, "cube"), d = falling(c.family, "other");
    double friction = frictions[how >> 1 & 1], depth = depths[how >> 2 & 1], lower = masses[(how >> 4) % 3],
           upper = masses[(how >> 4) / 3], weight = (lower + upper) * G;
    int unsolved;
    TAC_OWN(tacWorld, world) = begin(period, (tacLawsDef){.detect = how & 8 ? TAC_DETECT_SURFACES : TAC_DETECT_POINTS});
    c.heavier = lower / s.inertia.mass;
    d.heavier = upper / s.inertia.mass;
    c.body.friction = d.body.friction = friction;
    c.body.pose.position.z = -depth * EDGE;
    d.body.pose.position = tac_vec3(0.2 * EDGE, 0.1 * EDGE, (1.0 - depth) * EDGE);
    add_cube(world, &s, &c);
    add_cube(world, &s, &d);
    set_floor(world, friction);
    seal(world);
    double gained = bear(world, ticks, &unsolved);
    tac_test_print("any, %s, %g kg under %g kg, mu %g, depth %g, detect %d: lifted by %g mm; %d unsolved\n",
                   family_names[c.family], lower, upper, friction, depth, how >> 3 & 1, 1e3 * gained / weight,
                   unsolved);
    /* What is sunk, or sinks since it is not solved, is lifted by 20 mm/s, and moves with that. */
    double lifted = depth > 0.0 || unsolved > 0 ? 0.02 * ticks * period + 0.5 * 0.02 * 0.02 / G : 1e-8;
    ck_assert_double_lt(gained, 1.05 * weight * lifted);
  }
}

/* ---- Hertz ---- */

/* A solid with the surface z = -r^2 / (2 R) where it may touch, large against that and fixed below, and a rigid plate that nothing
 * turns. Lengths are such that what detection adds to a gap, some 20 h^2, is small, though a step is long enough for Newton's
 * method; and the plate is so light that implicit Euler's method brings it to rest within some steps. */
#define FINE 4.0     /* m: of a brick near the pole */
#define CURVED 500.0 /* m: R */
#define YOUNG 1.0    /* Pa */
#define POISSON 0.4  /* of 0.5 forces along the surface would move nothing across it, of less some */
#define MU 0.3
enum { NEAR = 7 }; /* bricks of that size from the pole on */

/* From the pole to the end of the solid. */
static int bricks(void) {
  return NEAR + (tac_test_all() ? 6 : 4);
}

typedef struct Hertz {
  Block block;
  tacGreen *green;
  tacTriMesh *plate;
  tacWorld *world;
  tacBodyId body;
} Hertz;

/* The i-th line of the mesh from the middle: evenly at first, then each twice as far from the last as that from the one before. */
static double line(int i) {
  int n = abs(i);
  double at = FINE * n, width = FINE;
  for (int k = NEAR; k < n; ++k) {
    width *= 2.0;
    at += width - FINE;
  }
  return i < 0 ? -at : at;
}

static bool at_depth(tacVec3 p) {
  return p.z < line(-bricks()) * (1.0 - 1e-9);
}

static Hertz make_hertz(void) {
  Hertz z = {0};
  const double n = bricks(), curved = 2.0 * NEAR * FINE;
  tacVolMesh *mesh = make_bricks((tacBox){{-n, -n, -n}, {n, n, 0.0}}, 2 * bricks(), 2 * bricks(), bricks());
  double deep = line(bricks());
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 *p = &mesh->vertices[v];
    *p = tac_vec3(line((int)lround(p->x)), line((int)lround(p->y)), line((int)lround(p->z)));
    double r2 = fmin(p->x * p->x + p->y * p->y, curved * curved);
    p->z -= r2 / (2.0 * CURVED) * (1.0 + p->z / deep);
  }
  z.block = make_block(mesh, at_depth, YOUNG, POISSON);
  int *wanted = tac_test_alloc((size_t)z.block.surface->vertex_count * sizeof *wanted), count = 0;
  for (int v = 0; v < z.block.surface->vertex_count; ++v) {
    tacVec3 p = z.block.surface->vertices[v];
    if (hypot(p.x, p.y) < NEAR * FINE && p.z > -curved) wanted[count++] = v;
  }
  z.green = tac_test_keep(bake_block(&z.block, count, wanted), tac_green_destroy);
  z.plate = make_box((tacBox){{-2.5 * curved, -2.5 * curved, 0.0}, {2.5 * curved, 2.5 * curved, curved}}, 1);
  tac_test_keep(z.plate, tac_trimesh_destroy);
  z.world = begin(0.1, (tacLawsDef){.patch = TAC_LAWS_MOST_PATCH, .detect = TAC_DETECT_SURFACES});
  tac_test_keep(z.world, tac_world_destroy);
  tacGreenBodyDef def = green_def("solid", z.green);
  def.rigid_stiffness = 1e12;
  def.body.friction = 0.0;
  tac_test_ok(tac_world_add_green(z.world, &def, NULL, &error), error);
  tacRigidBodyDef plate = rigid_def("plate", z.plate, NULL, NULL);
  plate.body.free = true;
  plate.body.friction = 1.0;
  plate.inertia = (tacInertia){.mass = 0.05, .moments = {{1e9, 0.0, 0.0}, {0.0, 1e9, 0.0}, {0.0, 0.0, 1e9}}};
  tac_test_ok(tac_world_add_rigid(z.world, &plate, &z.body, &error), error);
  seal(z.world);
  return z;
}

/* From one force on the plate to another, and on until it rests. */
static tacTickReport press(Hertz *z, tacVec3 from, tacVec3 to, int ticks, int more) {
  tacTickReport report;
  for (int i = 1; i <= ticks + more; ++i) {
    tacVec3 force = tac_vec3_mad(from, fmin(1.0, i / (double)ticks), tac_vec3_sub(to, from));
    tac_test_ok(tac_world_push_body(z->world, z->body, tac_vec3(0.0, 0.0, 0.0), force, &error), error);
    tac_world_step(z->world, NULL, NULL, &report);
  }
  return report;
}

/* Of a contact of this radius, N. */
static double force_of(double radius) {
  return 4.0 / 3.0 * YOUNG / (1.0 - POISSON * POISSON) * pow(radius, 3.0) / CURVED;
}

/* Hertz's displacement of the surface outside of the contact (Johnson, Contact mechanics, 3.42a), into the solid, for the force
 * P: (1 - nu^2) / E p0 / (2 a) ((2 a^2 - r^2) asin(a / r) + r a sqrt(1 - a^2 / r^2)), p0 = 3 P / (2 pi a^2). */
static double sinks(double elasticity, double force, double a, double r) {
  double p0 = 1.5 * force / (pi * a * a);
  return p0 / (2.0 * a * elasticity) * ((2.0 * a * a - r * r) * asin(a / r) + r * a * sqrt(1.0 - a * a / (r * r)));
}

/* Forces P through its middle: F = 4/3 E* sqrt(R) d^(3/2), a = sqrt(R d), E* = E / (1 - nu^2). */
static void check_hertz(Hertz *z, double before, double wanted) {
  const double elasticity = YOUNG / (1.0 - POISSON * POISSON), force = force_of(wanted);
  const tacWorldBody *solid = &z->world->bodies[0];
  double sum = 0.0, moment = 0.0, ring = 0.0, ring_wanted = 0.0;
  int around = 0;
  tacTickReport report = press(z, tac_vec3(0.0, 0.0, -before), tac_vec3(0.0, 0.0, -force), 30, 30);
  for (int i = 0; i < z->world->contacts.count; ++i) {
    const tacSetContact *c = &z->world->contacts.list[i];
    sum += c->force.z;
    moment += c->force.z * (c->at.x * c->at.x + c->at.y * c->at.y);
  }
  double radius = sqrt(2.5 * moment / sum); /* the pressure goes as sqrt(1 - r^2 / a^2): its mean of r^2 is 2/5 a^2 */
  /* Far from where it is pressed a solid that ends moves otherwise than one without an end, near there by a constant more: what a
   * ring around the contact moves more than it should is taken off. */
  for (int v = 0; v < z->block.surface->vertex_count; ++v) {
    tacVec3 p = z->block.surface->vertices[v];
    double r = hypot(p.x, p.y);
    if (p.z < -2.0 * NEAR * FINE || r < 2.0 * wanted || r > 4.0 * wanted) continue;
    ring -= solid->displaced.by[v].z;
    ring_wanted += sinks(elasticity, force, wanted, r);
    ++around;
  }
  double depth = -z->world->bodies[1].frame.position.z - (ring - ring_wanted) / around;
  double expected = 4.0 / 3.0 * elasticity * sqrt(CURVED) * pow(depth, 1.5);
  tac_test_print("hertz: force %g N, %.2f %% off by its depth %g m; radius %g m, %.2f %% off; ring %g m of %g\n", sum,
                 100.0 * (sum / expected - 1.0), depth, radius, 100.0 * (radius / wanted - 1.0), ring / around,
                 ring_wanted / around);
  ck_assert_int_eq(report.unsolved, 0);
  ck_assert_double_eq_tol(sum, force, 1e-6 * force);
  ck_assert_double_eq_tol(sum, expected, 0.05 * expected);
  ck_assert_double_eq_tol(radius, wanted, 0.05 * wanted);
  ck_assert_double_eq_tol(sqrt(CURVED * depth), radius, 0.05 * radius);
  /* Nothing pushes it aside, though the pole is on the diagonal of its face. */
  ck_assert_double_lt(hypot(z->world->bodies[1].frame.linear.x, z->world->bodies[1].frame.linear.y), 1e-6);
}

/* And Q < mu P along it, which is given up by slip in a ring c < r < a with c = a (1 - Q / (mu P))^(1/3) (Cattaneo 1938, Mindlin
 * 1949). Friction lacks there of mu p what a pressure of the radius c has, so that c is the radius of that as above. */
static void check_mindlin(Hertz *z, double radius, double before, double part) {
  double force = force_of(radius), wanted = radius * cbrt(1.0 - part), across = 0.0, sum = 0.0, moment = 0.0;
  tacVec3 from = tac_vec3(before * MU * force, 0.0, -force), to = tac_vec3(part * MU * force, 0.0, -force);
  int sticks = 0;
  tacTickReport report = press(z, from, to, 40, 0);
  for (int i = 0; i < z->world->contacts.count; ++i) {
    const tacSetContact *c = &z->world->contacts.list[i];
    double lacks = MU * c->force.z - hypot(c->force.x, c->force.y);
    across -= c->force.x;
    sticks += c->state == TAC_CONTACT_STICKS;
    sum += lacks;
    moment += lacks * (c->at.x * c->at.x + c->at.y * c->at.y);
  }
  double stuck = sqrt(2.5 * moment / sum), counted = FINE * sqrt(sticks / pi);
  tac_test_print("mindlin, Q = %.2f mu P: stick radius %g m, %.2f %% off; %d vertices stick, %.2f %%\n", part, stuck,
                 100.0 * (stuck / wanted - 1.0), sticks, 100.0 * (counted / wanted - 1.0));
  ck_assert_int_eq(report.unsolved, 0);
  ck_assert_double_eq_tol(across, to.x, 1e-3 * to.x);
  ck_assert_double_eq_tol(stuck, wanted, 0.1 * wanted);
  ck_assert_double_eq_tol(counted, wanted, 0.1 * wanted);
}

/* Pressed without friction, so that it has none when the force along begins. */
TAC_TEST(hertz_cattaneo_and_mindlin) {
  if (tac_test_light()) return; /* the bake */
  const double radii[3] = {14.0, 17.0, 20.0}, parts[3] = {0.3, 0.6, 0.85};
  const int step = tac_test_all() ? 1 : 2;
  Hertz z = make_hertz();
  for (int k = 0; k < 3; k += step) check_hertz(&z, k > 0 ? force_of(radii[k - step]) : 0.0, radii[k]);
  int friction = tac_world_find_parameter(z.world, "solid.friction");
  tac_test_ok(tac_world_set_parameter(z.world, friction, MU, &error), error);
  for (int k = 0; k < 3; k += step) check_mindlin(&z, radii[2], k > 0 ? parts[k - step] : 0.0, parts[k]);
}
