#include "contact/laws/law_methods.h"

#include <math.h>
#include <string.h>
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/lemke.h"

static int bounded(int sides) {
  return sides < 3 ? 3 : sides > TAC_PYRAMID_MOST_SIDES ? TAC_PYRAMID_MOST_SIDES : sides;
}

size_t tac_law_pyramid_room(int count, int sides) {
  return TAC_ARENA_ALIGNMENT + tac_lemke_room((size_t)count * (size_t)(bounded(sides) + 2)) +
         tac_law_iterate_rounded((size_t)count, sizeof(bool));
}

/* Fills M and the constant column of the linear complementarity problem (Duriez et al. 2006, (24)), for contacts with
 * and without friction. Units are chosen such that W_ii and u0 are about 1. */
static void fill(const tacLawIterate *iterate, const bool *out, int sides, double give, double move, tacLemke *t) {
  const tacLawProblem *problem = iterate->problem;
  size_t each = (size_t)sides + 2, n = t->n;
  double axes[TAC_PYRAMID_MOST_SIDES + 1][3] = {{1.0, 0.0, 0.0}};
  for (int s = 0; s < sides; ++s) {
    double angle = 2.0 * 3.14159265358979323846 * s / sides;
    axes[s + 1][1] = cos(angle);
    axes[s + 1][2] = sin(angle);
  }
  for (int i = 0; i < problem->count; ++i) {
    double u0[3];
    tac_law_iterate_free(&problem->contacts[i], u0);
    for (int j = 0; j < problem->count; ++j) {
      if (out[i] || out[j]) continue;
      tacMat3 block = tac_delassus_block(problem, i, j);
      for (size_t p = 0; p + 1 < each; ++p) {
        double g[3];
        for (int c = 0; c < 3; ++c)
          g[c] = (axes[p][0] * block.m[0][c] + axes[p][1] * block.m[1][c] + axes[p][2] * block.m[2][c]) / give;
        double *row = t->a + ((size_t)i * each + p) * t->width + (size_t)j * each;
        for (size_t q = 0; q + 1 < each; ++q) row[q] = g[0] * axes[q][0] + g[1] * axes[q][1] + g[2] * axes[q][2];
      }
    }
    for (size_t p = 0; p < each; ++p) {
      double *row = t->a + ((size_t)i * each + p) * t->width, *own = row + (size_t)i * each;
      double constant = 0.0;
      if (out[i]) {
        constant = 1.0; /* unused row, whose variable stays basic */
      } else if (p + 1 < each) {
        constant = (axes[p][0] * u0[0] + axes[p][1] * u0[1] + axes[p][2] * u0[2]) / move;
        own[each - 1] = p > 0 ? 1.0 : 0.0;
      } else {
        own[0] = problem->contacts[i].friction;
        for (size_t q = 1; q + 1 < each; ++q) own[q] = -1.0;
      }
      row[n + 1] = constant;
    }
  }
}

tacContactReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena) {
  const tacLawProblem *problem = iterate->problem;
  tacContactReport report = {.infeasible = true};
  tacArenaMark mark = tac_arena_mark(arena);
  int k = bounded(sides);
  size_t each = (size_t)k + 2, n = (size_t)problem->count * each;
  tacLemke lemke;
  bool *out = tac_arena_array(arena, (size_t)problem->count, sizeof *out);
  bool taken = out != NULL && tac_lemke_take(n, arena, &lemke);
  memset(iterate->forces, 0, 3 * (size_t)problem->count * sizeof *iterate->forces);
  if (taken) {
    double give = 0.0, move = 0.0;
    for (int i = 0; i < problem->count; ++i) {
      const tacLawContact *c = &problem->contacts[i];
      tacMat3 block = tac_law_iterate_block(iterate, i);
      out[i] = c->grabbed || !tac_law_iterate_usable(c, &block);
      iterate->refused[i] = out[i] && !(c->gap >= 0.0);
      if (out[i]) continue;
      give = fmax(give, block.m[0][0]);
      move = fmax(move, sqrt(c->gap * c->gap + c->slip[0] * c->slip[0] + c->slip[1] * c->slip[1]));
    }
    if (give > 0.0 && move > 0.0) {
      fill(iterate, out, k, give, move, &lemke);
      report.infeasible = !tac_lemke_solve(&lemke, most_pivots, &report.steps);
      for (size_t r = 0; r < n; ++r) {
        double value;
        int z = tac_lemke_solution(&lemke, r, &value);
        if (z < 0) continue;
        size_t i = (size_t)z / each, p = (size_t)z % each;
        double *f = iterate->forces + 3 * i;
        value = fmax(value, 0.0) * move / give;
        double angle = 2.0 * 3.14159265358979323846 * ((double)p - 1.0) / k;
        if (p == 0) f[0] = value;
        if (p > 0 && p + 1 < each) {
          f[1] += value * cos(angle);
          f[2] += value * sin(angle);
        }
      }
    } else {
      report.infeasible = false;
    }
  }
  tac_law_iterate_cut(iterate);
  tac_law_iterate_refresh(iterate);
  tac_arena_release(arena, mark);
  return report;
}
