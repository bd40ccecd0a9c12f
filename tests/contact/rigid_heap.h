/* Contact problems of heaps of rigid bodies that fall for a step: rocks held by friction, and towers of planks. */
#pragma once

#include "contact/contact_problem.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

enum { HEAP_BODIES = 200, HEAP_TOUCHES = 1500, HEAP_ENTRIES = 9 * 40000 };

typedef struct HeapTouch {
  int body[2];         /* the normal leads from the second into the first; -1: the floor */
  tacVec3 at, axes[3]; /* n, t1, t2 */
} HeapTouch;

typedef struct Heap {
  int body_count, count;
  double mass[HEAP_BODIES];
  tacVec3 inertia[HEAP_BODIES], at[HEAP_BODIES], speed[HEAP_BODIES]; /* about the world's axes; m/s without contacts */
  HeapTouch touches[HEAP_TOUCHES];
} Heap;

static inline int heap_body(Heap *heap, tacVec3 at, double mass, tacVec3 inertia, tacVec3 speed) {
  int b = heap->body_count++;
  ck_assert_int_lt(b, HEAP_BODIES);
  heap->at[b] = at;
  heap->mass[b] = mass;
  heap->inertia[b] = inertia;
  heap->speed[b] = speed;
  return b;
}

static inline void heap_touch(Heap *heap, int first, int second, tacVec3 at, tacVec3 normal) {
  ck_assert_int_lt(heap->count, HEAP_TOUCHES);
  tacVec3 other = fabs(normal.x) < 0.9 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0);
  tacVec3 t = tac_vec3_unit(tac_vec3_cross(normal, other));
  heap->touches[heap->count++] = (HeapTouch){{first, second}, at, {normal, t, tac_vec3_cross(normal, t)}};
}

/* e . J_i M^-1 J_j^T e' of the bodies that both touch. */
static inline double heap_entry(const Heap *heap, const HeapTouch *i, const HeapTouch *j, int a, int b) {
  double sum = 0.0;
  for (int s = 0; s < 4; ++s) {
    int body = i->body[s / 2];
    if (body < 0 || body != j->body[s % 2]) continue;
    tacVec3 m = tac_vec3_cross(tac_vec3_sub(i->at, heap->at[body]), i->axes[a]),
            n = tac_vec3_cross(tac_vec3_sub(j->at, heap->at[body]), j->axes[b]), k = heap->inertia[body];
    sum += (s / 2 == s % 2 ? 1.0 : -1.0) * (tac_vec3_dot(i->axes[a], j->axes[b]) / heap->mass[body] + m.x * n.x / k.x +
                                            m.y * n.y / k.y + m.z * n.z / k.z);
  }
  return sum;
}

static inline tacContactProblem *heap_problem(const Heap *heap, double friction) {
  static tacContactEntry entries[HEAP_ENTRIES];
  static double motion[3 * HEAP_TOUCHES], frictions[HEAP_TOUCHES];
  tacContactProblem *problem;
  int filled = 0;
  for (int i = 0; i < heap->count; ++i) {
    const HeapTouch *touch = &heap->touches[i];
    tacVec3 speed = heap->speed[touch->body[0]];
    if (touch->body[1] >= 0) speed = tac_vec3_sub(speed, heap->speed[touch->body[1]]);
    for (int a = 0; a < 3; ++a) motion[3 * i + a] = tac_vec3_dot(touch->axes[a], speed);
    frictions[i] = friction;
    for (int j = 0; j < heap->count; ++j) {
      const int *p = touch->body, *q = heap->touches[j].body;
      if (p[0] != q[0] && p[0] != q[1] && (p[1] < 0 || (p[1] != q[0] && p[1] != q[1]))) continue;
      ck_assert_int_le(filled + 9, HEAP_ENTRIES);
      for (int e = 0; e < 9; ++e)
        entries[filled++] =
            (tacContactEntry){3 * i + e / 3, 3 * j + e % 3, heap_entry(heap, touch, &heap->touches[j], e / 3, e % 3)};
    }
  }
  const tacContactProblemDef def = {3, heap->count, filled, entries, motion, frictions};
  tac_test_ok(tac_contact_problem_create(&def, &problem, &error), error);
  return problem;
}

/* Contact points on a face around a place: one to `most`. */
static inline void heap_face(Heap *heap, tacRandom *random, int first, int second, tacVec3 at, tacVec3 normal,
                             double size, int most) {
  int points = 1 + (int)(tac_random_bits(random) % (uint64_t)most);
  for (int k = 0; k < points; ++k)
    heap_touch(heap, first, second,
               tac_vec3_add(at, tac_vec3_scale(points > 1 ? size : 0.0, tac_random_in_cube(random, 1.0))), normal);
}

/* Rocks of 2 m and 10 t or so in n x n x layers places, each on the floor or on those below, with faces that lean. They fall at
 * 4.9 m/s. */
static inline void heap_rocks(Heap *heap, uint64_t seed, int n, int layers) {
  tacRandom random = tac_random_seed(seed);
  *heap = (Heap){0};
  for (int b = 0; b < n * n * layers; ++b) {
    int x = b % n, y = b / n % n, z = b / (n * n);
    tacVec3 at = tac_vec3_add(tac_vec3(2.0 * x, 2.0 * y, 1.0 + 1.8 * z), tac_random_in_cube(&random, 0.3));
    double mass = tac_random_uniform(&random, 2e3, 2e4), turn[3];
    for (int a = 0; a < 3; ++a) turn[a] = 0.4 * mass * tac_random_uniform(&random, 0.6, 1.4);
    tacVec3 inertia = tac_vec3(turn[0], turn[1], turn[2]);
    heap_body(heap, at, mass, inertia, tac_vec3(0.0, 0.0, -4.9));
    if (z == 0) heap_face(heap, &random, b, -1, tac_vec3(at.x, at.y, 0.0), tac_vec3(0.0, 0.0, 1.0), 0.5, 4);
    const int below[] = {z > 0 ? b - n * n : -1, z > 0 && x > 0 ? b - n * n - 1 : -1, x > 0 ? b - 1 : -1,
                         y > 0 ? b - n : -1};
    for (int k = 0; k < 4; ++k) {
      if (below[k] < 0 || (k > 1 && tac_random_uniform(&random, 0.0, 1.0) < 0.4)) continue;
      tacVec3 way = tac_vec3_unit(tac_vec3_sub(at, heap->at[below[k]]));
      tacVec3 normal = tac_vec3_unit(tac_vec3_add(way, tac_random_in_cube(&random, 0.3)));
      tacVec3 middle = tac_vec3_scale(0.5, tac_vec3_add(at, heap->at[below[k]]));
      heap_face(heap, &random, b, below[k], middle, normal, 0.4, 3);
    }
  }
}

/* A round tower: rings of planks (120 x 24 x 8 mm, 10 g), each plank on the ends of two below it, four points on each. */
static inline void heap_tower(Heap *heap, int layers, int planks) {
  const double length = 0.12, width = 0.024, height = 0.008, mass = 0.01,
               radius = planks * 1.15 * length / (2.0 * M_PI);
  const double along = mass / 12.0 * (width * width + height * height);
  const double across = mass / 12.0 * (length * length + height * height);
  const tacVec3 up = tac_vec3(0.0, 0.0, 1.0);
  *heap = (Heap){0};
  for (int b = 0; b < layers * planks; ++b) {
    int layer = b / planks, k = b % planks;
    double angle = 2.0 * M_PI * (k + 0.5 * (layer % 2)) / planks, c = cos(angle), s = sin(angle);
    tacVec3 out = tac_vec3(c, s, 0.0), tangent = tac_vec3(-s, c, 0.0);
    tacVec3 at = tac_vec3(radius * c, radius * s, (layer + 0.5) * height);
    tacVec3 inertia = tac_vec3(along * s * s + across * c * c, along * c * c + across * s * s,
                               mass / 12.0 * (length * length + width * width));
    heap_body(heap, at, mass, inertia, tac_vec3(0.0, 0.0, -9.81e-3));
    for (int p = 0; p < 8; ++p) { /* ends, near and far; out and in */
      int end = p / 4, other = layer % 2 == 0 ? (k - 1 + end + planks) % planks : (k + end) % planks;
      if (layer == 0 && p % 4 < 2) continue; /* four corners on the floor */
      tacVec3 place = tac_vec3_add(tac_vec3_scale((end == 0 ? -1.0 : 1.0) * (p % 4 < 2 ? 0.1 : 0.5) * length, tangent),
                                   tac_vec3_scale((p % 2 == 0 ? -0.4 : 0.4) * width, out));
      place = tac_vec3_add(tac_vec3_add(at, place), tac_vec3_scale(-0.5 * height, up));
      heap_touch(heap, b, layer == 0 ? -1 : (layer - 1) * planks + other, place, up);
    }
  }
}
