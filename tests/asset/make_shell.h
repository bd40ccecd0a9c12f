/* Small pointshells for tests: a torus whose levels are nested grids, and a sphere whose points have levels at
 * random. */
#pragma once

#include "asset/pointshell.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

typedef struct {
  int count, level_count;
  tacVec3 *positions, *normals;
  int *level_of;
  double *areas;
} ShellParts;

static inline ShellParts make_shell_room(int count, int level_count) {
  size_t n = (size_t)count;
  return (ShellParts){count,
                      level_count,
                      malloc(n * sizeof(tacVec3)),
                      malloc(n * sizeof(tacVec3)),
                      malloc(n * sizeof(int)),
                      malloc(n * (size_t)level_count * sizeof(double))};
}

static inline void free_shell_parts(ShellParts *parts) {
  free(parts->positions);
  free(parts->normals);
  free(parts->level_of);
  free(parts->areas);
}

static inline tacPointshellParts view_shell_parts(const ShellParts *parts) {
  return (tacPointshellParts){parts->count,   parts->level_count, parts->positions,
                              parts->normals, parts->level_of,    parts->areas};
}

/* Radii 1 and 0.4. `side` is a power of two times 2^(levels - 1). */
static inline ShellParts make_torus_parts(int side, int level_count) {
  ShellParts parts = make_shell_room(side * side, level_count);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      int at = i * side + j, level = 0;
      double u = 2.0 * M_PI * i / side, v = 2.0 * M_PI * j / side;
      tacVec3 normal = {cos(u) * cos(v), sin(u) * cos(v), sin(v)};
      while (level < level_count - 1 && ((i | j) & ((1 << (level_count - 1 - level)) - 1)) != 0) ++level;
      parts.positions[at] = tac_vec3_mad(tac_vec3(cos(u), sin(u), 0.0), 0.4, normal);
      parts.normals[at] = normal;
      parts.level_of[at] = level;
      for (int l = 0; l < level_count; ++l)
        parts.areas[l * parts.count + at] =
            l < level ? NAN : 0.4 * (1.0 + 0.4 * cos(v)) * pow(2.0 * M_PI / (side >> (level_count - 1 - l)), 2.0);
    }
  return parts;
}

/* Radius 1. */
static inline ShellParts make_sphere_parts(int count, int level_count, uint64_t seed) {
  ShellParts parts = make_shell_room(count, level_count);
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < count; ++i) {
    double z = 1.0 - (2.0 * i + 1.0) / count, r = sqrt(1.0 - z * z), turn = M_PI * (3.0 - sqrt(5.0)) * i;
    parts.positions[i] = parts.normals[i] = tac_vec3_unit(tac_vec3(r * cos(turn), r * sin(turn), z));
    int level = level_count - 1;
    while (level > 0 && tac_random_uniform(&random, 0.0, 1.0) < 0.25) --level;
    parts.level_of[i] = i < level_count ? i : level;
    for (int l = 0; l < level_count; ++l) parts.areas[l * count + i] = 4.0 * M_PI / count;
  }
  return parts;
}

static inline tacPointshell *make_shell(ShellParts parts) {
  tacError why = {0};
  tacPointshell *shell = NULL;
  tacPointshellParts view = view_shell_parts(&parts);
  tac_test_ok(tac_pointshell_create(&view, NULL, &shell, &why), why);
  free_shell_parts(&parts);
  return shell;
}

/* The shell in a body that deforms by r waves; frees the rigid one. */
static inline tacPointshell *make_soft_shell(tacPointshell *shell, int r) {
  tacError why = {0};
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS);
  TAC_MEMORY(double, u) = malloc((size_t)(3 * count * r) * sizeof *u);
  TAC_MEMORY(double, dn) = malloc((size_t)(3 * count * r) * sizeof *dn);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = tac_pointshell_point(shell, i);
    const double x[3] = {p.x, p.y, p.z};
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < r; ++j) {
        u[(3 * i + a) * r + j] = sin((1.0 + 0.5 * j) * x[(a + j) % 3] + a + j) / (1.0 + j);
        dn[(3 * i + a) * r + j] = cos((1.0 + 0.5 * j) * x[(a + j) % 3] + a + j);
      }
  }
  tacPointshell *soft = NULL;
  tac_test_ok(tac_pointshell_with_basis(shell, r, u, dn, &soft, &why), why);
  tac_pointshell_destroy(shell);
  return soft;
}
