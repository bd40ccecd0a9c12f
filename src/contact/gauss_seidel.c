#include "contact/gauss_seidel.h"

#include <math.h>
#include <string.h>
#include "contact/delassus.h"

enum { USUAL_SWEEPS = 10 };
static const double MOST_FORCE = 1e100; /* N: squares of it are finite */

tacGaussSeidelDef tac_gauss_seidel_def_default(void) {
  return (tacGaussSeidelDef){.tolerance = {1e-8, 1e-4}, .most_sweeps = 50, .form = TAC_DELASSUS_CHEAPER};
}

bool tac_gauss_seidel_built(const tacLawProblem *problem, tacDelassusForm form) {
  if (form != TAC_DELASSUS_CHEAPER) return form == TAC_DELASSUS_BUILT;
  tacDelassusCost cost = tac_delassus_cost(problem);
  return cost.build + USUAL_SWEEPS * cost.built_sweep < cost.blocks + USUAL_SWEEPS * cost.unbuilt_sweep;
}

/* A contact's own part of W, lambda of its last solution, and whether there was none. */
typedef struct Local {
  tacMat3 w;
  tacCoulombBlock block;
  double lambda;
  bool refused;
} Local;

typedef struct Solver {
  const tacLawProblem *problem;
  Local *locals;  /* [count] */
  double *forces; /* [3 count] */
  double *w;      /* [3 count][3 count]; NULL: unbuilt, and then ... */
  size_t *offset; /* [part_count] */
  double *y;      /* of all parts */
} Solver;

/* What tac_arena_array takes at the most. */
static size_t rounded(size_t count, size_t size) {
  return (count * size + TAC_ARENA_ALIGNMENT - 1) / TAC_ARENA_ALIGNMENT * TAC_ARENA_ALIGNMENT;
}

size_t tac_gauss_seidel_room(int count, int part_count, size_t coordinates, tacDelassusForm form) {
  size_t m = (size_t)count, both = rounded(m, sizeof(Local)) + rounded(3 * m, sizeof(double));
  size_t built = rounded(9 * m * m, sizeof(double));
  size_t unbuilt = rounded((size_t)part_count, sizeof(size_t)) + rounded(coordinates, sizeof(double));
  size_t larger = built > unbuilt ? built : unbuilt;
  return TAC_ARENA_ALIGNMENT + both +
         (form == TAC_DELASSUS_BUILT     ? built
          : form == TAC_DELASSUS_UNBUILT ? unbuilt
                                         : larger);
}

/* u = u0 + W f of one contact. */
static void motion_of(const Solver *solver, int i, double u[3]) {
  const tacLawContact *contact = &solver->problem->contacts[i];
  if (solver->w != NULL)
    tac_delassus_built_motion(solver->problem->count, solver->w, i, solver->forces, u);
  else
    tac_delassus_motion(solver->problem, solver->offset, i, solver->forces, solver->y, u);
  u[0] += contact->gap;
  u[1] += contact->slip[0];
  u[2] += contact->slip[1];
}

static bool within(tacCoulombResidual residual, tacCoulombResidual tolerance) {
  return residual.metres <= tolerance.metres && residual.newtons <= tolerance.newtons;
}

/* How far a contact is from its laws. */
static tacCoulombResidual residual_of(const tacLawContact *contact, const double u[3], const double f[3],
                                      tacCoulombResidual tolerance) {
  if (!contact->grabbed) return tac_coulomb_residual(u, f, contact->friction, tolerance);
  return (tacCoulombResidual){sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), 0.0};
}

/* The force under which u + w f obeys them. False where there is none. */
static bool solve_local(tacLawContact *contact, Local *local, const double u[3], double force[3]) {
  if (!contact->grabbed)
    return tac_coulomb_block_solve(&local->block, contact->friction, u, &local->lambda, force, &contact->state);
  tacMat3 inverse;
  contact->state = TAC_CONTACT_GRABBED;
  memset(force, 0, 3 * sizeof *force);
  if (!tac_mat3_inverse(local->w, &inverse)) return false;
  for (int a = 0; a < 3; ++a) force[a] = -(inverse.m[a][0] * u[0] + inverse.m[a][1] * u[1] + inverse.m[a][2] * u[2]);
  return isfinite(force[0] + force[1] + force[2]);
}

/* One contact in its turn. Returns whether its laws held within the tolerance before; nobody asks where `asked` is
 * false. */
static bool solve_one(Solver *solver, int i, bool asked, tacCoulombResidual tolerance) {
  tacLawContact *contact = &solver->problem->contacts[i];
  Local *local = &solver->locals[i];
  double *f = solver->forces + 3 * (size_t)i, u[3], next[3];
  motion_of(solver, i, u);
  bool held = asked && within(residual_of(contact, u, f, tolerance), tolerance);
  for (int a = 0; a < 3; ++a) u[a] -= local->w.m[a][0] * f[0] + local->w.m[a][1] * f[1] + local->w.m[a][2] * f[2];
  local->refused = !solve_local(contact, local, u, next);
  double change[3] = {next[0] - f[0], next[1] - f[1], next[2] - f[2]};
  if (change[0] == 0.0 && change[1] == 0.0 && change[2] == 0.0) return held;
  memcpy(f, next, sizeof next);
  if (solver->w == NULL) tac_delassus_push(solver->problem, solver->offset, i, change, solver->y);
  return held;
}

/* The residual under the forces as they are. */
static void examine(const Solver *solver, tacCoulombResidual tolerance, tacGaussSeidelReport *report) {
  report->residual = (tacCoulombResidual){0.0, 0.0};
  report->unsolved = 0;
  for (int i = 0; i < solver->problem->count; ++i) {
    tacLawContact *contact = &solver->problem->contacts[i];
    const double *f = solver->forces + 3 * (size_t)i;
    motion_of(solver, i, contact->motion);
    tacCoulombResidual residual = residual_of(contact, contact->motion, f, tolerance);
    contact->motion[0] -= contact->softness * f[0];
    report->unsolved += solver->locals[i].refused || !within(residual, tolerance);
    report->residual.metres = fmax(report->residual.metres, residual.metres);
    report->residual.newtons = fmax(report->residual.newtons, residual.newtons);
  }
}

/* A force to begin with: in its cone, and finite. */
static void start(tacLawContact *contact, double force[3]) {
  const double *f = contact->force;
  memset(force, 0, 3 * sizeof *force);
  contact->state = TAC_CONTACT_NONE;
  if (contact->grabbed && fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < MOST_FORCE) memcpy(force, f, 3 * sizeof *force);
  if (contact->grabbed) return;
  if (!(f[0] > 0.0 && f[0] + fabs(f[1]) + fabs(f[2]) < MOST_FORCE)) return;
  double cut = tac_coulomb_cut(contact->friction, f[0], f[1] * f[1] + f[2] * f[2]);
  force[0] = f[0];
  force[1] = cut * f[1];
  force[2] = cut * f[2];
  contact->state = cut < 1.0 ? TAC_CONTACT_SLIDES : TAC_CONTACT_STICKS;
}

static bool take(const tacLawProblem *problem, bool built, tacArena *arena, Solver *solver) {
  size_t m = (size_t)problem->count, coordinates = 0;
  *solver = (Solver){.problem = problem};
  solver->locals = tac_arena_array(arena, m, sizeof *solver->locals);
  solver->forces = tac_arena_array(arena, 3 * m, sizeof *solver->forces);
  if (built) {
    solver->w = tac_arena_array(arena, 9 * m * m, sizeof *solver->w);
    return solver->locals != NULL && solver->forces != NULL && solver->w != NULL;
  }
  for (int p = 0; p < problem->part_count; ++p) coordinates += (size_t)problem->part_size[p];
  solver->offset = tac_arena_array(arena, (size_t)problem->part_count, sizeof *solver->offset);
  solver->y = tac_arena_array(arena, coordinates, sizeof *solver->y);
  return solver->locals != NULL && solver->forces != NULL && solver->offset != NULL && solver->y != NULL;
}

static void prepare(Solver *solver) {
  const tacLawProblem *problem = solver->problem;
  size_t n = 3 * (size_t)problem->count;
  if (solver->w != NULL)
    tac_delassus_build(problem, solver->w);
  else
    memset(solver->y, 0, tac_delassus_offsets(problem, solver->offset) * sizeof *solver->y);
  for (int i = 0; i < problem->count; ++i) {
    Local *local = &solver->locals[i];
    double *force = solver->forces + 3 * (size_t)i;
    if (solver->w == NULL) {
      local->w = tac_delassus_block(problem, i, i);
    } else {
      for (size_t a = 0; a < 3; ++a)
        memcpy(local->w.m[a], solver->w + (3 * (size_t)i + a) * n + 3 * (size_t)i, sizeof local->w.m[a]);
    }
    local->lambda = 0.0;
    local->refused = false;
    start(&problem->contacts[i], force);
    if (!tac_coulomb_block_prepare(&local->w, &local->block)) memset(force, 0, 3 * sizeof *force);
    bool pushes = force[0] != 0.0 || force[1] != 0.0 || force[2] != 0.0;
    if (solver->w == NULL && pushes) tac_delassus_push(problem, solver->offset, i, force, solver->y);
  }
}

tacGaussSeidelReport tac_gauss_seidel_solve(const tacLawProblem *problem, const tacGaussSeidelDef *def,
                                            tacArena *arena) {
  tacGaussSeidelReport report = {.built = tac_gauss_seidel_built(problem, def->form)};
  tacArenaMark mark = tac_arena_mark(arena);
  Solver solver;
  if (!take(problem, report.built, arena, &solver)) {
    for (int i = 0; i < problem->count; ++i) {
      tacLawContact *contact = &problem->contacts[i];
      memset(contact->force, 0, sizeof contact->force);
      contact->state = TAC_CONTACT_NONE;
      contact->motion[0] = contact->gap;
      contact->motion[1] = contact->slip[0];
      contact->motion[2] = contact->slip[1];
      report.residual.metres = fmax(report.residual.metres, -contact->gap);
    }
    report.unsolved = problem->count;
    tac_arena_release(arena, mark);
    return report;
  }
  prepare(&solver);
  bool examined = false;
  while (report.sweeps < def->most_sweeps && !examined) {
    bool held = true;
    for (int i = 0; i < problem->count; ++i) held = solve_one(&solver, i, held, def->tolerance);
    ++report.sweeps;
    if (!held && problem->count > 1) continue; /* alone, it holds now */
    examine(&solver, def->tolerance, &report); /* each held before its turn; do they all now? */
    examined = report.unsolved == 0;
  }
  if (!examined) examine(&solver, def->tolerance, &report);
  for (int i = 0; i < problem->count; ++i)
    memcpy(problem->contacts[i].force, solver.forces + 3 * (size_t)i, sizeof problem->contacts[i].force);
  tac_arena_release(arena, mark);
  return report;
}
