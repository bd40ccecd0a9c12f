#include "bench/contact/sphere_pile.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "contact/contact_problem.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

static const double STEP = 1e-3, GRAVITY = 9.81, MASS = 0.1, RADIUS = 0.01;

typedef struct Touch {
  int body[2];     /* the normal leads from the second into the first; -1: the floor */
  tacVec3 axis[3]; /* n, t1, t2 */
} Touch;

typedef struct Pile {
  int count;
  Touch *touches;
} Pile;

static void add_touch(Pile *pile, int first, int second, tacVec3 normal, tacRandom *random) {
  tacVec3 t1 = tac_vec3_unit(tac_vec3_cross(normal, tac_random_normal3(random)));
  pile->touches[pile->count++] = (Touch){{first, second}, {normal, t1, tac_vec3_cross(normal, t1)}};
}

static void place_spheres(int nx, int ny, int nz, Pile *pile) {
  tacRandom random = tac_random_seed(1);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        int here = (z * ny + y) * nx + x;
        add_touch(pile, here, z > 0 ? here - nx * ny : -1, tac_vec3(0.0, 0.0, 1.0), &random);
        if (x > 0) add_touch(pile, here, here - 1, tac_vec3(1.0, 0.0, 0.0), &random);
        if (y > 0) add_touch(pile, here, here - nx, tac_vec3(0.0, 1.0, 0.0), &random);
      }
}

/* Row a of a contact's Jacobian on one of its bodies: e, and r x e where r = -/+ R n leads from the centre to the
 * contact. */
static tacVec3 turn_of(const Touch *touch, int side, int a) {
  return tac_vec3_cross(tac_vec3_scale(side == 0 ? -RADIUS : RADIUS, touch->axis[0]), touch->axis[a]);
}

/* J_i M^-1 J_j^T on the bodies that both touch. */
static int add_block(const Touch *a, const Touch *b, int i, int j, tacContactEntry *entries) {
  int count = 0;
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t) {
      if (a->body[s] < 0 || a->body[s] != b->body[t]) continue;
      double sign = s == t ? 1.0 : -1.0, inertia = 0.4 * MASS * RADIUS * RADIUS;
      for (int k = 0; k < 9; ++k) {
        double along = tac_vec3_dot(a->axis[k / 3], b->axis[k % 3]) / MASS;
        double around = tac_vec3_dot(turn_of(a, s, k / 3), turn_of(b, t, k % 3)) / inertia;
        entries[count++] = (tacContactEntry){3 * i + k / 3, 3 * j + k % 3, sign * (along + around)};
      }
    }
  return count;
}

static tacStatus make(const Pile *pile, double friction, double push, tacContactEntry *entries, double *motion,
                      double *frictions, tacContactProblem **problem, tacError *error) {
  int entry_count = 0;
  tacVec3 fall = tac_vec3(push * GRAVITY * STEP, 0.3 * push * GRAVITY * STEP, -GRAVITY * STEP);
  for (int i = 0; i < pile->count; ++i) {
    for (int j = 0; j < pile->count; ++j)
      entry_count += add_block(&pile->touches[i], &pile->touches[j], i, j, entries + entry_count);
    for (int a = 0; a < 3; ++a) /* two spheres that fall alike do not move against each other */
      motion[3 * i + a] = pile->touches[i].body[1] < 0 ? tac_vec3_dot(pile->touches[i].axis[a], fall) : 0.0;
    frictions[i] = friction;
  }
  const tacContactProblemDef def = {3, pile->count, entry_count, entries, motion, frictions};
  return tac_contact_problem_create(&def, problem, error);
}

tacStatus tac_sphere_pile_create(int nx, int ny, int nz, double friction, double push, tacContactProblem **problem,
                                 tacError *error) {
  *problem = NULL;
  size_t most = 3 * (size_t)nx * (size_t)ny * (size_t)nz; /* of contacts; six a sphere, so 12 blocks a row */
  Pile pile = {0, tac_array_create(most, sizeof *pile.touches, "contacts", error)};
  tacContactEntry *entries = tac_array_create(most, 9 * 12 * sizeof *entries, "entries", error);
  double *motion = tac_array_create(most, 3 * sizeof *motion, "motions", error);
  double *frictions = tac_array_create(most, sizeof *frictions, "frictions", error);
  tacStatus status = TAC_ERR_MEMORY;
  if (pile.touches != NULL && entries != NULL && motion != NULL && frictions != NULL) {
    place_spheres(nx, ny, nz, &pile);
    status = make(&pile, friction, push, entries, motion, frictions, problem, error);
  }
  free(pile.touches);
  free(entries);
  free(motion);
  free(frictions);
  return status;
}
