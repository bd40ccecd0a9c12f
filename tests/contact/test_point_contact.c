#include "contact/point_contact.h"

#include "contact/green_ball.h"
#include "math/random.h"

/* The contact of a probe that was pressed straight in at the given direction from the centre. */
static tacSurfacePoint touch(const GreenBall *f, tacVec3 direction) {
  tacSurfacePoint at;
  tac_proximity_distance(&f->proximity, tac_vec3_scale(0.05, tac_vec3_unit(direction)), &at);
  return at;
}

static tacVec3 position(const GreenBall *f, tacSurfacePoint at) {
  return tac_surface_walk_position(f->touched.surface, at);
}

static tacVec3 normal(const GreenBall *f, tacSurfacePoint at) {
  return tac_surface_walk_normal(f->touched.surface, at);
}

static bool solve(const tacTouched *touched, tacSurfacePoint start, tacVec3 y, double friction, bool grabbed,
                  tacPointContact *contact) {
  int budget = 1000;
  return tac_point_contact_solve(touched, start, y, NULL, friction, INFINITY, grabbed, &budget, contact);
}

TAC_TEST(sticking_contact_is_a_linear_spring) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacSurfacePoint start = touch(&f, tac_vec3(0.3, 0.2, 1.0));
  tacVec3 n = normal(&f, start), y = tac_vec3_mad(position(&f, start), -0.004, n);
  tacPointContact c;
  ck_assert(solve(&f.touched, start, y, 0.9, false, &c));
  ck_assert_int_eq(c.state, TAC_CONTACT_STICKS);
  tacVec3 expected = tac_mat3_mul_vec(tac_point_contact_stiffness(&f.touched, start), tac_vec3_scale(-0.004, n));
  ck_assert_double_lt(tac_vec3_distance(c.force, expected), 1e-12);
  ck_assert_double_lt(tac_vec3_dot(c.force, n), -0.05); /* presses in */
}

/* Random closed loops of the probe around a contact that holds: the work integral of f . dy vanishes, because K is
 * symmetric. (Midpoint sums of a linear force are exact.) */
TAC_TEST(a_closed_loop_at_a_fixed_contact_does_no_work) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacRandom random = tac_random_seed(3);
  for (int loop = 0; loop < 50; ++loop) {
    double x = tac_random_uniform(&random, -1.0, 1.0), y = tac_random_uniform(&random, -1.0, 1.0);
    tacSurfacePoint start = touch(&f, tac_vec3(x, y, 0.8));
    tacVec3 centre = tac_vec3_mad(position(&f, start), -0.005, normal(&f, start));
    enum { CORNERS = 12 };
    tacVec3 corners[CORNERS], last;
    for (int i = 0; i < CORNERS; ++i) corners[i] = tac_vec3_add(centre, tac_random_in_cube(&random, 0.004));
    double net = 0.0, total = 0.0;
    tacPointContact c;
    solve(&f.touched, start, corners[CORNERS - 1], 0.0, true, &c);
    last = c.force;
    for (int i = 0; i < CORNERS; ++i) {
      solve(&f.touched, start, corners[i], 0.0, true, &c);
      tacVec3 mean = tac_vec3_scale(0.5, tac_vec3_add(last, c.force));
      double work = tac_vec3_dot(mean, tac_vec3_sub(corners[i], corners[(i + CORNERS - 1) % CORNERS]));
      net += work;
      total += fabs(work);
      last = c.force;
    }
    ck_assert_double_lt(fabs(net), 1e-12 * total);
  }
}

/* g = f - u.(grad K) u / 2 */
static tacVec3 drive(const GreenBall *f, tacSurfacePoint at, tacVec3 u) {
  tacVec3 g = tac_mat3_mul_vec(tac_point_contact_stiffness(&f->touched, at), u);
  for (int i = 0; i < 3; ++i) {
    int v = f->touched.surface->mesh->triangles[at.triangle].v[i];
    const tacMat3 *gradient = f->touched.body.table->stiffness(f->touched.body.self, 0, v)->gradient;
    g.x -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[0], u));
    g.y -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[1], u));
    g.z -= 0.5 * at.weight[i] * tac_vec3_dot(u, tac_mat3_mul_vec(gradient[2], u));
  }
  return g;
}

/* The force that would rest at the point without friction, under the same pressing force: g has no part along the surface. */
static tacVec3 smooth_force(const GreenBall *f, tacSurfacePoint at, tacVec3 n, tacVec3 force) {
  tacMat3 inverse;
  ck_assert(tac_mat3_inverse(tac_point_contact_stiffness(&f->touched, at), &inverse));
  tacVec3 smooth = tac_vec3_scale(tac_vec3_dot(force, n), n);
  for (int i = 0; i < 100; ++i) {
    tacVec3 g = drive(f, at, tac_mat3_mul_vec(inverse, smooth));
    smooth = tac_vec3_sub(smooth, tac_vec3_mad(g, -tac_vec3_dot(g, n), n));
  }
  return smooth;
}

static tacVec3 stick_force(const GreenBall *f, tacSurfacePoint at, tacVec3 y) {
  return tac_mat3_mul_vec(tac_point_contact_stiffness(&f->touched, at), tac_vec3_sub(y, position(f, at)));
}

/* What is felt along the surface, against the force that would rest there, is mu of that. */
TAC_TEST(sliding_ends_on_the_friction_cone) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacRandom random = tac_random_seed(4);
  int slid = 0, far = 0;
  double off = 0.0;
  for (int trial = 0; trial < 2000; ++trial) {
    double friction = trial % 5 == 0 ? 0.0 : tac_random_uniform(&random, 0.0, 0.8);
    tacSurfacePoint start = touch(&f, tac_random_in_box(&random, (tacBox){{-1.0, -1.0, -0.3}, {1.0, 1.0, 1.0}}));
    tacVec3 way = tac_random_normal3(&random);
    tacVec3 y = tac_vec3_mad(position(&f, start), -tac_random_uniform(&random, 0.001, 0.008), normal(&f, start));
    y = tac_vec3_mad(y, tac_random_uniform(&random, 0.0, 0.008), tac_vec3_unit(way));
    tacPointContact c;
    bool converged = solve(&f.touched, start, y, friction, false, &c);
    if (c.state != TAC_CONTACT_SLIDES) continue;
    ++slid;
    ck_assert(converged);
    tacVec3 n = normal(&f, c.at);
    double pressing = -tac_vec3_dot(c.force, n);
    tacVec3 g = drive(&f, c.at, tac_vec3_sub(y, position(&f, c.at)));
    tacVec3 tangential = tac_vec3_mad(g, -tac_vec3_dot(g, n), n);
    ck_assert_double_gt(pressing, 0.0);
    tacVec3 smooth = smooth_force(&f, c.at, n, c.force);
    double felt = tac_vec3_distance(c.force, smooth) / tac_vec3_norm(smooth);
    if (friction == 0.0) ck_assert_double_le(tac_vec3_norm(tangential), 1e-7 * tac_vec3_norm(c.force));
    if (tac_vec3_dot(stick_force(&f, start, y), normal(&f, start)) >=
        0.0) { /* it stops within the cone, where it presses */
      ck_assert_double_le(felt, friction + 0.02);
      continue;
    }
    off += fabs(felt - friction);
    far += fabs(felt - friction) > 0.02;
    /* The point went where the friction pulls it. */
    tacVec3 moved = tac_vec3_sub(position(&f, c.at), position(&f, start));
    if (friction > 0.05 && tac_vec3_norm(moved) > 1e-5) ck_assert_double_gt(tac_vec3_dot(moved, tangential), 0.0);
  }
  ck_assert_int_gt(slid, 800);
  /* Steps of up to 8 mm at once, at the threshold of the place where they begin. By g alone 0.011, and 213. */
  ck_assert_double_le(off / slid, 0.003);
  ck_assert_int_le(far, slid / 50);
}

/* A probe dragged over the body: from step to step the force changes by no more than a few times stiffness x motion, also
 * where the contact point crosses edges and where the probe turns round; and friction takes energy out. */
static void drag(const GreenBall *f, double friction, double depth, double *dissipated, double *work) {
  tacSurfacePoint at = touch(f, tac_vec3(0.0, 0.0, 1.0));
  tacVec3 last_force = {0.0, 0.0, 0.0}, last = position(f, at);
  *dissipated = *work = 0.0;
  double stiffness = tac_body_describe(&f->touched.body).stiffness;
  for (int i = 0; i <= 40000; ++i) {
    double t = i / 40000.0, angle = 0.9 * sin(2.0 * M_PI * 3.0 * t), around = 5.0 * t;
    double radius = 0.05 - depth * fmin(1.0, fmin(20.0 * t, 20.0 * (1.0 - t)));
    tacVec3 y = {radius * sin(angle) * cos(around), radius * sin(angle) * sin(around), radius * cos(angle)};
    tacPointContact c;
    solve(&f->touched, at, y, friction, false, &c);
    if (c.state != TAC_CONTACT_NONE) at = c.at;
    double motion = tac_vec3_distance(y, last), change = tac_vec3_distance(c.force, last_force);
    ck_assert_msg(change <= 4.0 * stiffness * motion + 1e-9, "step %d: %g N for %g m (%g N/m)", i, change, motion,
                  stiffness);
    double step = tac_vec3_dot(tac_vec3_scale(0.5, tac_vec3_add(c.force, last_force)), tac_vec3_sub(y, last));
    *dissipated += step;
    *work += fabs(step);
    last = y;
    last_force = c.force;
  }
  ck_assert_double_lt(tac_vec3_norm(last_force), 0.02);
}

TAC_TEST(dragging_is_continuous_and_friction_dissipates) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  double dissipated, work, freely;
  drag(&f, 0.0, 0.006, &freely, &work);
  ck_assert_double_lt(fabs(freely), 0.02 * work); /* nearly conservative without friction */
  drag(&f, 0.3, 0.006, &dissipated, &work);
  ck_assert_double_gt(dissipated, 0.2 * work);
}

TAC_TEST(lifting_ends_a_contact_unless_grabbed) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacSurfacePoint start = touch(&f, tac_vec3(0.0, 0.0, 1.0));
  tacVec3 y = tac_vec3_mad(position(&f, start), 0.003, normal(&f, start));
  tacPointContact c;
  ck_assert(solve(&f.touched, start, y, 0.5, false, &c));
  ck_assert_int_eq(c.state, TAC_CONTACT_NONE);
  ck_assert_double_eq(tac_vec3_norm(c.force), 0.0);
  ck_assert(solve(&f.touched, start, y, 0.5, true, &c));
  ck_assert_int_eq(c.state, TAC_CONTACT_GRABBED);
  ck_assert_double_gt(tac_vec3_dot(c.force, normal(&f, start)), 0.01); /* pulls out */
}

TAC_TEST(sliding_is_limited_by_reach) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacSurfacePoint start = touch(&f, tac_vec3(0.0, 0.0, 1.0)), at = start;
  tacVec3 y = tac_vec3_add(position(&f, start), tac_vec3(0.01, 0.004, -0.005));
  tacPointContact freely, c = {.at = start};
  int budget = 1000, steps = 0;
  ck_assert(solve(&f.touched, start, y, 0.2, false, &freely));
  double distance = tac_vec3_distance(position(&f, start), position(&f, freely.at));
  ck_assert_double_gt(distance, 0.002);
  do { /* many short slides end where one long one does */
    ck_assert(tac_point_contact_solve(&f.touched, at, y, NULL, 0.2, 2e-4, false, &budget, &c));
    ck_assert_double_le(tac_vec3_distance(position(&f, at), position(&f, c.at)), 2e-4 * (1.0 + 1e-9));
    at = c.at;
    ++steps;
  } while (c.state == TAC_CONTACT_SLIDES && steps < 200);
  ck_assert_int_ge(steps, (int)(distance / 2e-4));
  ck_assert_double_lt(tac_vec3_distance(position(&f, at), position(&f, freely.at)), 0.1 * distance);
}

/* A probe inside the body whose stick force points outward, as shear pulls the surface out: the contact may not end, since the
 * surface at rest would contain the probe. It slides to a place where it presses, and the body loses energy. */
TAC_TEST(contact_inside_the_body_presses) {
  TAC_FREED(free_ball, GreenBall, f);
  make_ball(&f);
  tacRandom random = tac_random_seed(6);
  int pulled = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    tacSurfacePoint start = touch(&f, tac_random_in_box(&random, (tacBox){{-1.0, -1.0, -0.5}, {1.0, 1.0, 1.0}})),
                    nearest;
    tacVec3 n = normal(&f, start), aside = tac_random_normal3(&random);
    aside = tac_vec3_unit(tac_vec3_mad(aside, -tac_vec3_dot(aside, n), n));
    double depth = tac_random_uniform(&random, 1e-5, 2e-4), across = tac_random_uniform(&random, 0.0, 8.0) * depth;
    tacVec3 x = position(&f, start), y = tac_vec3_mad(tac_vec3_mad(x, -depth, n), across, aside);
    tacVec3 stuck = stick_force(&f, start, y);
    tacVec3 flat = tac_vec3_sub(y, tac_surface_walk_bulge(f.touched.surface, start));
    if (tac_vec3_dot(stuck, n) < 0.0 || tac_proximity_distance(&f.proximity, flat, &nearest) > -0.5 * depth) continue;
    ++pulled;
    tacPointContact c;
    ck_assert(solve(&f.touched, start, y, tac_random_uniform(&random, 0.0, 0.8), false, &c));
    ck_assert_int_eq(c.state, TAC_CONTACT_SLIDES);
    ck_assert_double_lt(tac_vec3_dot(c.force, normal(&f, c.at)), 0.0);
    ck_assert_double_le(tac_vec3_dot(c.force, c.stretch), tac_vec3_dot(stuck, tac_vec3_sub(y, x)));
  }
  ck_assert_int_gt(pulled, 20);
}
