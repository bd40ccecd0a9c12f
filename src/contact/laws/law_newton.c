#include "contact/laws/law_methods.h"

#include <math.h>
#include <string.h>
#include "contact/laws/frictional_problem.h"
#include "contact/laws/gauss_seidel.h"
#include "contact/laws/law_interior.h"
#include "contact/laws/law_system.h"

enum {
  FIRST_STEPS = 16,  /* steps on the states before the interior-point method starts */
  LATER_STEPS = 40,  /* steps on the states from a starting point of the interior-point method */
  SLOW_STEPS = 10,   /* number of steps after which the merit must be below SLOW times its initial value */
  MOST_HALVES = 6,   /* limit of halvings of a step */
  MOST_FAILS = 5,    /* limit of failed steps; SWEEPS sweeps follow each failed step */
  SWEEPS = 10,       /* sweeps after a failed step, which change contact states */
  AGAIN_SWEEPS = 30, /* sweeps before a restart of the steps on the states */
  /* The merit of a new step must be below the largest of the last RECENT merits, since the merit may grow at a kink. */
  RECENT = 4,
  PATIENT_STEPS = 4 * FIRST_STEPS, /* minimum of `most_steps` for proximal problems; ticks have fewer steps */
  MOST_IDLE = 100                  /* limit of consecutive proximal problems that do not halve the residual */
};
static const double SLOW = 0.5;
/* The interior-point method is first interrupted when the mean f . v has fallen to FIRST_LEAVE times its initial value.
 * Further interruptions follow after each factor NEXT_LEAVE, down to LAST_LEAVE. Each interruption tries steps on the
 * states. After an interruption that is too early, the states differ from the states of the solution. After an
 * interruption that is too late, round-off determines the states. */
static const double FIRST_LEAVE = 1e-5, NEXT_LEAVE = 1e-3, LAST_LEAVE = 1e-24;
/* Proximal term p / W_ii of steps on the states: initial value and bounds. */
static const double FIRST_SHARE = 1e-2, LEAST_SHARE = 1e-10, MOST_SHARE = 1e4;
/* Weight p / W_ii of proximal problems: initial value and bounds; factors after success and failure. PROXIMAL_RESIDUAL:
 * required residual of a proximal problem, relative to the initial residual. */
static const double FIRST_PROXIMAL = 1e-2, LEAST_PROXIMAL = 1e-9, MOST_PROXIMAL = 1e2;
static const double LESS_PROXIMAL = 0.3, MORE_PROXIMAL = 5.0, PROXIMAL_RESIDUAL = 0.1;
/* Criteria for problems without a solution. LARGE: minimum ratio of contact forces to the forces that would undo the
 * free motions, and to the forces that would undo W f. DEEP: minimum depth relative to the free motion. SOFT_SHARE:
 * softening relative to W_ii. */
static const double LARGE = 50.0, DEEP = 1e-3, SOFT_SHARE = 0.1;

typedef struct Newton {
  tacLawIterate *iterate;
  tacLawSystem system;
  tacContactMeasure tolerance;
  bool *out;      /* [count]: true for contacts whose force is always zero */
  double *weight; /* [count]: weight r, N/m */
  double *f, *u;  /* [3 count]: present forces and motions */
  double *df, *du, *f_trial, *u_trial, *x;
  double *best; /* [3 count]: best forces so far, inside their cones */
  double best_share;
  /* For proximal problems, [3 count]. `free`: u0 of the original problem. `inner`: best forces of the proximal
   * problem. */
  double *free, *inner;
  /* Compliance added to W_ii, relative to W_ii. Used for proximal problems and for problems without a solution. */
  double soft;
  tacGaussSeidelLocal *locals; /* [count] */
  int steps, most_steps, sweeps;
  int reserve; /* steps reserved for infeasible problems */
} Newton;

size_t tac_law_newton_room(int count) {
  size_t m = (size_t)count;
  return TAC_ARENA_ALIGNMENT + tac_law_iterate_rounded(m, sizeof(bool)) + tac_law_iterate_rounded(m, sizeof(double)) +
         tac_law_iterate_rounded(m, sizeof(tacGaussSeidelLocal)) + 10 * tac_law_iterate_rounded(3 * m, sizeof(double)) +
         tac_law_interior_room(count);
}

static bool take(tacLawIterate *iterate, tacArena *arena, Newton *newton) {
  size_t m = (size_t)iterate->problem->count;
  double **const threes[] = {&newton->f,       &newton->u, &newton->df,   &newton->du,   &newton->f_trial,
                             &newton->u_trial, &newton->x, &newton->best, &newton->free, &newton->inner};
  newton->iterate = iterate;
  newton->out = tac_arena_array(arena, m, sizeof *newton->out);
  newton->weight = tac_arena_array(arena, m, sizeof *newton->weight);
  newton->locals = tac_arena_array(arena, m, sizeof *newton->locals);
  for (size_t k = 0; k < sizeof threes / sizeof *threes; ++k) {
    *threes[k] = tac_arena_array(arena, 3 * m, sizeof(double));
    if (*threes[k] == NULL) return false;
  }
  if (iterate->w == NULL && tac_law_system_built(iterate->problem)) return false;
  return newton->out != NULL && newton->weight != NULL && newton->locals != NULL &&
         tac_law_system_take(iterate, arena, &newton->system);
}

/* Computes u = u0 + W f, with the compliance `soft` added to W. */
static void find_motion(const Newton *newton, const double *f, double *u) {
  const tacLawProblem *problem = newton->iterate->problem;
  tac_law_iterate_apply(newton->iterate, f, u);
  for (int i = 0; i < problem->count; ++i) {
    double u0[3];
    tac_law_iterate_free(&problem->contacts[i], u0);
    double more = newton->soft / newton->weight[i];
    for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; ++k) u[k] += u0[k % 3] + more * f[k];
  }
}

/* Returns the merit of (f, u), N m: the sum of |f - g|^2 / r over all contacts. g is the right-hand side of the
 * piecewise smooth equations of law_methods.h. The merit is zero if the laws hold. */
static double find_merit(const Newton *newton, const double *f, const double *u) {
  const tacLawProblem *problem = newton->iterate->problem;
  double sum = 0.0;
  for (int i = 0; i < problem->count; ++i, f += 3, u += 3) {
    if (newton->out[i]) continue;
    double r = newton->weight[i];
    if (problem->contacts[i].grabbed) {
      sum += r * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      continue;
    }
    double normal = fmax(f[0] - r * u[0], 0.0), t1 = f[1] - r * u[1], t2 = f[2] - r * u[2];
    double cut = tac_coulomb_cut(problem->contacts[i].friction, normal, t1 * t1 + t2 * t2);
    double e0 = f[0] - normal, e1 = f[1] - cut * t1, e2 = f[2] - cut * t2;
    sum += (e0 * e0 + e1 * e1 + e2 * e2) / r;
  }
  return sum;
}

/* Returns the largest residual relative to the tolerances. */
static double find_share(const Newton *newton, const double *f, const double *u) {
  const tacLawProblem *problem = newton->iterate->problem;
  double share = 0.0;
  for (int i = 0; i < problem->count; ++i) {
    if (newton->iterate->refused[i]) continue;
    tacContactMeasure residual =
        tac_law_iterate_residual(&problem->contacts[i], u + 3 * (size_t)i, f + 3 * (size_t)i, newton->tolerance);
    double worse = fmax(residual.metres / newton->tolerance.metres, residual.newtons / newton->tolerance.newtons);
    if (!(worse <= share)) share = worse;
  }
  return share;
}

/* Limits the present forces to their cones, and stores the result if its residual is the smallest so far. Returns true
 * if the result satisfies the laws. */
static bool keep(Newton *newton) {
  tacLawIterate *iterate = newton->iterate;
  size_t bytes = 3 * (size_t)iterate->problem->count * sizeof(double);
  memcpy(iterate->forces, newton->f, bytes);
  tac_law_iterate_cut(iterate);
  find_motion(newton, iterate->forces, newton->u_trial);
  double share = find_share(newton, iterate->forces, newton->u_trial);
  if (share < newton->best_share) {
    newton->best_share = share;
    memcpy(newton->best, iterate->forces, bytes);
  }
  return share <= 1.0;
}

/* Sets the equations of contact i for its present state. Stores in f_trial the reference forces, to which the solution
 * of the equations is added. */
static void set_contact(Newton *newton, int i, double share) {
  const tacLawContact *contact = &newton->iterate->problem->contacts[i];
  tacLawUnknowns *unknowns = &newton->system.unknowns[i];
  size_t at = 3 * (size_t)i;
  const double *f = newton->f + at, *u = newton->u + at;
  double *from = newton->f_trial + at, r = newton->weight[i], mu = contact->friction, proximal = share / r;
  memset(unknowns, 0, sizeof *unknowns);
  memset(from, 0, 3 * sizeof *from);
  if (newton->out[i]) return;
  double normal = f[0] - r * u[0], t1 = f[1] - r * u[1], t2 = f[2] - r * u[2], t = sqrt(t1 * t1 + t2 * t2);
  if (contact->grabbed || (normal > 0.0 && t <= mu * normal && mu > 0.0)) {
    unknowns->count = 3;
    for (int k = 0; k < 3; ++k) {
      unknowns->press[k][k] = unknowns->test[k][k] = 1.0;
      unknowns->own[k][k] = proximal;
      from[k] = f[k];
    }
  } else if (normal > 0.0) {
    unknowns->press[0][0] = unknowns->test[0][0] = 1.0;
    unknowns->own[0][0] = proximal;
    unknowns->count = 1;
    from[0] = f[0];
    if (mu > 0.0) {
      double d1 = t1 / t, d2 = t2 / t, across = d1 * f[2] - d2 * f[1];
      unknowns->count = 2;
      unknowns->press[0][1] = mu * d1;
      unknowns->press[0][2] = mu * d2;
      unknowns->press[1][1] = unknowns->test[1][1] = -d2;
      unknowns->press[1][2] = unknowns->test[1][2] = d1;
      unknowns->own[1][1] = (t / (mu * normal) - 1.0) / r + proximal;
      from[1] = mu * d1 * f[0] - d2 * across;
      from[2] = mu * d2 * f[0] + d1 * across;
    }
  }
}

/* Sets the right-hand side to the negative residual of each equation, without the proximal term. Call with u_trial
 * computed from f_trial. */
static void set_right(Newton *newton, double share) {
  for (int i = 0; i < newton->iterate->problem->count; ++i) {
    const tacLawUnknowns *unknowns = &newton->system.unknowns[i];
    const double *u = newton->u_trial + 3 * (size_t)i, *f = newton->f_trial + 3 * (size_t)i;
    for (int k = 0; k < unknowns->count; ++k) {
      const double *test = unknowns->test[k];
      double left = test[0] * u[0] + test[1] * u[1] + test[2] * u[2];
      if (unknowns->count == 2 && k == 1) /* sliding contact: adds k f . e */
        left += (unknowns->own[1][1] - share / newton->weight[i]) * (test[1] * f[1] + test[2] * f[2]);
      newton->x[unknowns->at + k] = -left;
    }
  }
}

/* Runs sweeps in which contacts can change states. Used if steps stall at a kink between two states. */
static void sweep(Newton *newton) {
  tacLawIterate *iterate = newton->iterate;
  size_t bytes = 3 * (size_t)iterate->problem->count * sizeof(double);
  memcpy(iterate->forces, newton->f, bytes);
  tac_law_iterate_cut(iterate);
  tac_law_iterate_refresh(iterate);
  for (int k = 0; k < SWEEPS; ++k) tac_gauss_seidel_sweep(iterate, newton->locals, newton->tolerance);
  newton->sweeps += SWEEPS;
  memcpy(newton->f, iterate->forces, bytes);
  find_motion(newton, newton->f, newton->u);
}

/* Runs at most `most` Newton steps on the states, starting at newton->f. Returns true if the laws hold. */
static bool step_states(Newton *newton, int most) {
  const tacLawProblem *problem = newton->iterate->problem;
  size_t n = 3 * (size_t)problem->count;
  double share = FIRST_SHARE;
  int fails = 0;
  find_motion(newton, newton->f, newton->u);
  double merit = find_merit(newton, newton->f, newton->u), recent[RECENT];
  const double first = merit;
  for (int k = 0; k < RECENT; ++k) recent[k] = merit;
  for (int step = 0; step < most && newton->steps < newton->most_steps; ++step) {
    if (find_share(newton, newton->f, newton->u) <= 0.5 && keep(newton)) return true;
    if (!(merit > 0.0) || !isfinite(merit)) break;
    if (step >= SLOW_STEPS && merit > SLOW * first) break; /* progress is too slow */
    ++newton->steps;
    for (int i = 0; i < problem->count; ++i) set_contact(newton, i, share + newton->soft);
    bool found = tac_law_system_factor(&newton->system);
    double way = 1.0, next = merit;
    if (found) {
      find_motion(newton, newton->f_trial, newton->u_trial);
      set_right(newton, share + newton->soft);
      tac_law_system_solve(&newton->system, newton->x);
      for (int i = 0; i < problem->count; ++i) {
        const tacLawUnknowns *unknowns = &newton->system.unknowns[i];
        for (int p = 0; p < unknowns->count; ++p)
          for (size_t k = 0; k < 3; ++k)
            newton->f_trial[3 * (size_t)i + k] += unknowns->press[p][k] * newton->x[unknowns->at + p];
      }
      for (size_t k = 0; k < n; ++k) newton->df[k] = newton->f_trial[k] - newton->f[k];
      tac_law_iterate_apply(newton->iterate, newton->df, newton->du);
      for (size_t k = 0; k < n; ++k) newton->du[k] += newton->soft / newton->weight[k / 3] * newton->df[k];
      double worst = 0.0;
      for (int k = 0; k < RECENT; ++k) worst = fmax(worst, recent[k]);
      found = false;
      for (int half = 0; half < MOST_HALVES && !found; ++half, way *= 0.5) {
        for (size_t k = 0; k < n; ++k) newton->f_trial[k] = newton->f[k] + way * newton->df[k];
        for (size_t k = 0; k < n; ++k) newton->u_trial[k] = newton->u[k] + way * newton->du[k];
        next = find_merit(newton, newton->f_trial, newton->u_trial);
        found = next < worst * (1.0 - 0.1 * way);
      }
      way *= found ? 2.0 : 1.0;
    }
    if (!found) {
      if (++fails == MOST_FAILS) break;
      sweep(newton);
      share = FIRST_SHARE;
      merit = find_merit(newton, newton->f, newton->u);
      for (int k = 0; k < RECENT; ++k) recent[k] = merit;
      continue;
    }
    memcpy(newton->f, newton->f_trial, n * sizeof *newton->f);
    memcpy(newton->u, newton->u_trial, n * sizeof *newton->u);
    merit = recent[step % RECENT] = next;
    if (way == 1.0) share = fmax(0.1 * share, LEAST_SHARE);
    if (way < 0.3) share = fmin(3.0 * share, MOST_SHARE);
  }
  return keep(newton);
}

/* Runs steps on the states from a point near the given forces. Returns true if the laws hold. */
static bool start_again(Newton *newton, const double *forces) {
  memcpy(newton->f, forces, 3 * (size_t)newton->iterate->problem->count * sizeof *newton->f);
  for (int k = 0; k < AGAIN_SWEEPS; k += SWEEPS) sweep(newton);
  return step_states(newton, FIRST_STEPS);
}

/* Runs the interior-point method, which needs no starting point, and steps on the states. Returns true if the laws
 * hold. */
static bool step_inside(Newton *newton, tacArena *arena) {
  const tacLawProblem *problem = newton->iterate->problem;
  size_t bytes = 3 * (size_t)problem->count * sizeof(double);
  tacLawInterior interior;
  if (!tac_law_interior_begin(&newton->system, newton->out, newton->weight, arena, &interior)) return false;
  bool going = true;
  for (double leave = FIRST_LEAVE; leave > LAST_LEAVE && going; leave *= NEXT_LEAVE) {
    while (going && interior.gap > leave * interior.first && newton->steps < newton->most_steps) {
      ++newton->steps;
      going = tac_law_interior_step(newton->iterate, &interior);
    }
    memcpy(newton->f, interior.f, bytes);
    if (keep(newton) || step_states(newton, LATER_STEPS)) return true;
    going = going && newton->steps < newton->most_steps;
  }
  memcpy(newton->f, interior.f, bytes);
  return false;
}

/* Replaces the laws of u by the laws of u + p (f - center), with p = `soft` W_ii. `soft` = 0 restores the original
 * laws. */
static void center_laws(Newton *newton, const double *center, double soft) {
  const tacLawProblem *problem = newton->iterate->problem;
  newton->soft = soft;
  for (int i = 0; i < problem->count; ++i) {
    tacLawContact *contact = &problem->contacts[i];
    const double *u0 = newton->free + 3 * (size_t)i, *f = center + 3 * (size_t)i;
    if (newton->out[i]) continue;
    double more = soft / newton->weight[i];
    contact->gap = u0[0] - more * f[0];
    contact->slip[0] = u0[1] - more * f[1];
    contact->slip[1] = u0[2] - more * f[2];
    tacMat3 w = newton->locals[i].w;
    for (int a = 0; a < 3; ++a) w.m[a][a] += more;
    tac_coulomb_block_prepare(&w, &newton->locals[i].block);
  }
}

/* Runs the proximal point method (Rockafellar 1976). The laws of u + p (f - center) have a solution that steps on the
 * states can reach. The solution is the next center, and p decreases as long as steps succeed. The method is slow and
 * robust. It is used for heaps of bodies with much friction, in which the state of each contact depends on all other
 * contacts. */
static bool step_proximal(Newton *newton) {
  const tacLawProblem *problem = newton->iterate->problem;
  size_t bytes = 3 * (size_t)problem->count * sizeof(double);
  const tacContactMeasure tolerance = newton->tolerance;
  double soft = FIRST_PROXIMAL, share = newton->best_share, least = share, *best = newton->best;
  for (int i = 0; i < problem->count; ++i) tac_law_iterate_free(&problem->contacts[i], newton->free + 3 * (size_t)i);
  memcpy(newton->f, best, bytes);
  for (int idle = 0; share > 1.0 && idle < MOST_IDLE && newton->steps < newton->most_steps; ++idle) {
    double outer = newton->best_share, wanted = fmax(PROXIMAL_RESIDUAL * share, 0.1);
    newton->tolerance = (tacContactMeasure){wanted * tolerance.metres, wanted * tolerance.newtons};
    newton->best = newton->inner;
    newton->best_share = INFINITY;
    center_laws(newton, newton->f, soft);
    int steps = newton->steps;
    sweep(newton);
    bool found = step_states(newton, FIRST_STEPS);
    /* A problem solved without steps counts as one step, to limit the number of problems. */
    newton->steps += newton->steps == steps;
    memcpy(newton->f, newton->inner, bytes);
    newton->tolerance = tolerance;
    newton->best = best;
    newton->best_share = outer;
    center_laws(newton, newton->f, 0.0);
    find_motion(newton, newton->f, newton->u);
    share = find_share(newton, newton->f, newton->u);
    keep(newton);
    soft = found ? fmax(LESS_PROXIMAL * soft, LEAST_PROXIMAL) : fmin(MORE_PROXIMAL * soft, MOST_PROXIMAL);
    if (newton->best_share > 0.5 * least) continue;
    least = newton->best_share;
    idle = 0;
  }
  return newton->best_share <= 1.0;
}

/* True if an overlap remains that is large relative to the free motions. */
static bool stays_deep(Newton *newton, const double *f) {
  const tacLawProblem *problem = newton->iterate->problem;
  double size = 0.0, depth = 0.0;
  find_motion(newton, f, newton->u_trial);
  for (int i = 0; i < problem->count; ++i) {
    if (newton->out[i]) continue;
    size = fmax(size, fabs(problem->contacts[i].gap));
    depth = fmax(depth, -newton->u_trial[3 * (size_t)i]);
  }
  return depth > DEEP * size;
}

/* True if the forces f are large compared with the forces that would undo the free motions, but W f is small. W is then
 * singular, and the forces cannot separate overlapping bodies. */
static bool without_effect(Newton *newton, const double *f) {
  const tacLawProblem *problem = newton->iterate->problem;
  double size = 0.0, usual = 0.0, motion = 0.0;
  tac_law_iterate_apply(newton->iterate, f, newton->u_trial);
  for (int i = 0; i < problem->count; ++i) {
    if (newton->out[i]) continue;
    double u0[3];
    tac_law_iterate_free(&problem->contacts[i], u0);
    for (size_t k = 0; k < 3; ++k) {
      size = fmax(size, fabs(f[3 * (size_t)i + k]));
      usual = fmax(usual, fabs(u0[k]) * newton->weight[i]);
      motion = fmax(motion, fabs(newton->u_trial[3 * (size_t)i + k]) * newton->weight[i]);
    }
  }
  return size > LARGE * usual && motion < size / LARGE;
}

/* Solves slightly softened contacts, so that forces are bounded. Used if the problem has no solution. */
static void solve_softly(Newton *newton) {
  memset(newton->f, 0, 3 * (size_t)newton->iterate->problem->count * sizeof *newton->f);
  newton->soft = SOFT_SHARE;
  newton->most_steps += newton->reserve;
  newton->best_share = INFINITY;
  step_states(newton, FIRST_STEPS);
  newton->soft = 0.0;
}

tacContactReport tac_law_newton_improve(tacLawIterate *iterate, tacContactMeasure tolerance, double enough,
                                        int most_steps, tacLawNewtonPart part, tacArena *arena) {
  const tacLawProblem *problem = iterate->problem;
  tacContactReport report = {0};
  tacArenaMark mark = tac_arena_mark(arena);
  Newton newton = {.tolerance = tolerance, .best_share = INFINITY};
  newton.reserve = most_steps < 4 * FIRST_STEPS ? most_steps / 4 : FIRST_STEPS;
  newton.most_steps = most_steps - newton.reserve;
  if (take(iterate, arena, &newton)) {
    size_t bytes = 3 * (size_t)problem->count * sizeof(double);
    for (int i = 0; i < problem->count; ++i) {
      tacMat3 block = tac_law_iterate_block(iterate, i);
      double *f = iterate->forces + 3 * (size_t)i;
      newton.out[i] = !tac_law_iterate_usable(&problem->contacts[i], &block);
      newton.weight[i] = 3.0 / (block.m[0][0] + fabs(block.m[1][1]) + fabs(block.m[2][2]));
      if (!newton.out[i]) continue;
      memset(f, 0, 3 * sizeof *f);
      /* A contact that cannot move counts in the residual. A contact with values that are not finite does not. */
      double sum = problem->contacts[i].gap + problem->contacts[i].slip[0] + problem->contacts[i].slip[1] +
                   problem->contacts[i].friction;
      iterate->refused[i] = !isfinite(sum + block.m[0][0] + block.m[0][1] + block.m[0][2] + block.m[1][1]);
    }
    tac_gauss_seidel_prepare(iterate, newton.locals);
    memcpy(newton.best, iterate->forces, bytes);
    memcpy(newton.f, iterate->forces, bytes);
    bool solved = keep(&newton);
    if (!solved && part != TAC_LAW_NEWTON_REST) {
      solved = step_states(&newton, FIRST_STEPS);
      if (!solved && newton.best_share <= enough) {
        tolerance.metres *= enough;
        tolerance.newtons *= enough;
        solved = true;
      }
      solved = solved || start_again(&newton, newton.best);
    }
    if (!solved && part != TAC_LAW_NEWTON_STATES) {
      solved = step_inside(&newton, arena);
      bool grew = !solved && without_effect(&newton, newton.f);
      solved = solved || (most_steps >= PATIENT_STEPS && step_proximal(&newton));
      memcpy(newton.df, newton.f, bytes); /* final forces of the interior-point and proximal methods */
      report.infeasible = !solved && stays_deep(&newton, newton.best) && (grew || without_effect(&newton, newton.best));
      if (report.infeasible)
        solve_softly(&newton);
      else if (!solved && !start_again(&newton, newton.df))
        start_again(&newton, newton.best);
    }
    memcpy(iterate->forces, newton.best, bytes);
    tac_law_iterate_cut(iterate);
    report.steps = newton.steps;
    report.sweeps = newton.sweeps;
  }
  report.unsolved = tac_law_iterate_examine(iterate, tolerance, &report.residual);
  tac_arena_release(arena, mark);
  return report;
}
