#include "bench/contact/signorini_experiments.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "bench/contact/surface_laws.h"
#include "contact/contact_problem.h"
#include "contact/laws/law_problem.h"
#include "contact/laws/law_solver.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "world/world_build.h"
#include "world/world_parts.h"

/* Of this thread alone, s: other programs on the machine are left out. */
static double now(void) {
  return tac_clock_seconds(tac_clock_thread());
}

enum { MOST_FEET = 256, FEET = 4, EACH_FOOT = 4 };

const char tac_signorini_table[] =
    "tactus: 1\nmethod: signorini\nbodies:\n"
    "  - {name: table, kind: corotational, free: true, volume: {shape: table},\n"
    "     material: {young: 6 MPa, poisson: 0.35, density: 300 kg/m3}, friction: 0.3}\n"
    "tools:\n  - {name: finger, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

/* ---- contacts below the table's feet ---- */

static int foot_of(tacVec3 at) {
  return (at.x > 0.0 ? 1 : 0) + (at.y > 0.0 ? 2 : 0);
}

/* `count` of them in turn from each foot, far from each other: each is the farthest from those before. */
static tacStatus make_laws(const tacWorld *table, int count, tacSurfaceLaws *laws, tacError *error) {
  int all[MOST_FEET], chosen[MOST_FEET], found = tac_surface_laws_lowest(table, 1e-6, MOST_FEET, all);
  const tacTriMesh *mesh = tac_world_body_surface(table, tac_world_body(table, 0));
  if (count > found)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the table stands on %d vertices, not on %d", found, count);
  double far[MOST_FEET];
  for (int k = 0; k < found; ++k) far[k] = tac_vec3_norm(mesh->vertices[all[k]]); /* outer corners first */
  for (int i = 0; i < count; ++i) {
    int best = -1;
    for (int k = 0; k < found; ++k)
      if (foot_of(mesh->vertices[all[k]]) == i % FEET && far[k] > 0.0 && (best < 0 || far[k] > far[best])) best = k;
    if (best < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "a foot has too few vertices for %d contacts", count);
    chosen[i] = all[best];
    for (int k = 0; k < found; ++k)
      far[k] = fmin(far[k], tac_vec3_distance(mesh->vertices[all[k]], mesh->vertices[chosen[i]]));
  }
  tacStatus status = tac_surface_laws_create(table, count, chosen, laws, error);
  for (int i = 0; i < count && status == TAC_OK; ++i) { /* the floor's frame */
    laws->axes[i][0] = tac_vec3(0.0, 0.0, 1.0);
    laws->axes[i][1] = tac_vec3(1.0, 0.0, 0.0);
    laws->axes[i][2] = tac_vec3(0.0, 1.0, 0.0);
  }
  if (status == TAC_OK) tac_surface_laws_assemble(laws);
  return status;
}

static const double PRESSED = 1e-3; /* m: about how far it is in the floor without contact forces */

/* A load: it is pressed down, leans a little, and the whole is moved and turned in the plane of the floor. */
static void load(tacRandom *random, double friction, tacSurfaceLaws *laws) {
  double angle = tac_random_uniform(random, 0.0, 2.0 * M_PI), way = PRESSED * tac_random_uniform(random, 1.0, 3.0);
  double turn = 5.0 * PRESSED * tac_random_normal(random);
  double lean[2];
  for (int a = 0; a < 2; ++a) lean[a] = 0.3 * tac_random_normal(random);
  for (int i = 0; i < laws->problem.count; ++i) {
    tacLawContact *contact = &laws->contacts[i];
    const tacBody *body = &laws->world->bodies[0].body;
    tacVec3 at = body->table->place(body->self, &laws->sites[i]);
    contact->gap = -PRESSED * (1.0 + lean[0] * at.x + lean[1] * at.y);
    contact->slip[0] = way * cos(angle) - turn * at.y;
    contact->slip[1] = way * sin(angle) + turn * at.x;
    contact->friction = friction;
  }
}

static void clear_forces(tacSurfaceLaws *laws) {
  for (int i = 0; i < laws->problem.count; ++i) memset(laws->contacts[i].force, 0, sizeof laws->contacts[i].force);
}

static tacLawSolverDef solver(const tacSurfaceLaws *laws, tacContactSolver method, double share) {
  tacLawSolverDef def = tac_law_solver_def_default();
  double give = 0.0, moved = 0.0;
  size_t n = 3 * (size_t)laws->problem.count;
  for (size_t k = 0; k < n; ++k) give += laws->w[k * (n + 1)] / (double)n;
  for (int i = 0; i < laws->problem.count; ++i) moved = fmax(moved, fabs(laws->contacts[i].gap));
  def.method = method;
  def.tolerance = (tacContactMeasure){share * moved, share * moved / give};
  def.most_sweeps = 10000;
  def.most_steps = 200;
  return def;
}

/* ---- Figure 7 ---- */

tacStatus tac_signorini_experiment_sides(const tacWorld *table, int loads, int first, int count, tacSidesExperiment *e,
                                         tacError *error) {
  enum { CONTACTS = FEET * EACH_FOOT };
  static const int sides[TAC_SIDES_COUNT] = {4, 6, 8, 12, 16, 24, 32};
  tacSurfaceLaws laws;
  *e = (tacSidesExperiment){.contacts = CONTACTS, .loads = loads};
  memcpy(e->sides, sides, sizeof sides);
  tacStatus status = make_laws(table, CONTACTS, &laws, error);
  if (status != TAC_OK) return status;
  tacLawSolverDef cone = solver(&laws, TAC_CONTACT_AUTOMATIC, 1e-9), most = solver(&laws, TAC_CONTACT_PYRAMID, 1e-9);
  most.sides = sides[first + count - 1];
  tacArena arena = {0};
  size_t room = tac_law_solver_room(&laws.problem, &cone), more = tac_law_solver_room(&laws.problem, &most);
  status = tac_arena_create(room > more ? room : more, "laws", &arena, error);
  tacRandom random = tac_random_seed(7);
  for (int t = 0; t < loads && status == TAC_OK; ++t) {
    double right[3 * CONTACTS], size = 0.0;
    load(&random, 0.1, &laws);
    cone = solver(&laws, TAC_CONTACT_AUTOMATIC, 1e-9);
    clear_forces(&laws);
    e->unsolved += tac_law_solve(&laws.problem, &cone, &arena).unsolved > 0;
    for (int k = 0; k < 3 * CONTACTS; ++k) {
      right[k] = laws.contacts[k / 3].force[k % 3];
      size += right[k] * right[k];
    }
    for (int i = 0; i < CONTACTS; ++i)
      e->sliding += 100.0 * (laws.contacts[i].state == TAC_CONTACT_SLIDES) / (CONTACTS * loads);
    for (int s = first; s < first + count; ++s) {
      double apart = 0.0;
      tacLawSolverDef pyramid = solver(&laws, TAC_CONTACT_PYRAMID, 1e-9);
      pyramid.sides = sides[s];
      e->unsolved += tac_law_solve(&laws.problem, &pyramid, &arena).infeasible;
      for (int k = 0; k < 3 * CONTACTS; ++k) apart += pow(laws.contacts[k / 3].force[k % 3] - right[k], 2.0);
      double gap = 100.0 * sqrt(apart / size);
      e->gap[s] += gap / loads;
      e->worst[s] = fmax(e->worst[s], gap);
    }
  }
  tac_arena_destroy(&arena);
  tac_surface_laws_destroy(&laws);
  return status;
}

/* ---- Figure 8 ---- */

static tacStatus grow(const tacWorld *table, int at, tacGrowthExperiment *e, tacError *error) {
  static const tacContactSolver methods[TAC_GROWTH_METHODS] = {TAC_CONTACT_AUTOMATIC, TAC_CONTACT_GAUSS_SEIDEL,
                                                               TAC_CONTACT_DIAGONAL, TAC_CONTACT_PYRAMID};
  tacSurfaceLaws laws = {0};
  tacStatus status = make_laws(table, e->contacts[at], &laws, error);
  for (int k = 0; k < TAC_GROWTH_METHODS && status == TAC_OK; ++k) {
    tacRandom random = tac_random_seed(8); /* the same loads for all */
    tacLawSolverDef def = solver(&laws, methods[k], 1e-3);
    tacArena arena = {0};
    status = tac_arena_create(tac_law_solver_room(&laws.problem, &def), "laws", &arena, error);
    for (int t = -1; t < e->loads && status == TAC_OK; ++t) { /* the first one warms caches */
      double friction = tac_random_uniform(&random, 0.0, 1.0);
      load(&random, friction, &laws);
      clear_forces(&laws);
      def = solver(&laws, methods[k], 1e-3);
      double start = now();
      tacContactReport report = tac_law_solve(&laws.problem, &def, &arena);
      double took = now() - start;
      if (t < 0) continue;
      bool failed = k == TAC_GROWTH_PYRAMID ? report.infeasible : report.unsolved > 0;
      e->unsolved[k][at] += failed;
      if (!failed) e->time[k][at] += took;
    }
    if (e->loads > e->unsolved[k][at]) e->time[k][at] /= e->loads - e->unsolved[k][at];
    tac_arena_destroy(&arena);
  }
  tac_surface_laws_destroy(&laws);
  return status;
}

tacStatus tac_signorini_experiment_growth(const tacWorld *table, int most_contacts, int loads, tacGrowthExperiment *e,
                                          tacError *error) {
  tacStatus status = TAC_OK;
  *e = (tacGrowthExperiment){.loads = loads};
  for (int m = FEET; m <= most_contacts && e->count < TAC_GROWTH_MOST && status == TAC_OK; m += FEET) {
    e->contacts[e->count] = m;
    status = grow(table, e->count++, e, error);
  }
  return status;
}

/* ---- Figures 17 and 18 ---- */

static const char clip_text[] =
    "tactus: 1\nmethod: signorini\npatch: %d\nbodies:\n"
    "  - {name: clip, kind: corotational, volume: {shape: clip},\n"
    "     material: {young: 700 MPa, poisson: 0.35, density: 950 kg/m3}, fixed: [{below: {axis: x, at: -25 mm}}],\n"
    "     points: {count: 5000, levels: 3, resolution: 96}, position: [-60 mm, 0, 0]}\n"
    "  - name: pipe\n    kind: rigid\n"
    "    analytic: [{capsule: {from: [0, -70 mm, 0], to: [0, 70 mm, 0], radius: 15 mm}}]\n"
    "contacts:\n  - {points: clip, field: pipe, friction: %g}\n"
    "tools:\n  - {name: hand, kind: body, body: clip, grasp: [-45 mm, 0, 0], centre: [-75 mm, 0, 0],\n"
    "     coupling: {stiffness: 2 kN/m, force_limit: none, torque_limit: none},\n"
    "     device: {kind: operator, preset: virtuose-6, path: [{at: [-105 mm, 0, 0]}]}}\n";

enum { SNAP_TICKS = 3000 };

/* The hand pushes the clip on until it has snapped, and then pushes, turns it about the pipe, shifts and tilts it. */
static tacToolInput lead(int tick) {
  if (tick < SNAP_TICKS) {
    double share = fmin(1.0, tick / (0.8 * SNAP_TICKS)), back = fmax(0.0, (double)tick / SNAP_TICKS - 0.8) / 0.2;
    return (tacToolInput){.position = tac_vec3(-0.105 + 0.067 * share - 0.007 * back, 0.0, 0.0),
                          .orientation = {1.0, 0.0, 0.0, 0.0}};
  }
  double time = 1e-3 * (tick - SNAP_TICKS), angle = 0.35 * sin(2.1 * time);
  double push = 0.044 - 0.001 * sin(3.7 * time); /* never away from the pipe */
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.02 * sin(1.3 * time), angle, 0.02 * sin(1.9 * time)));
  return (tacToolInput){.position = tac_vec3(-push * cos(angle), 0.015 * sin(1.1 * time), push * sin(angle)),
                        .orientation = {turn.w, turn.x, turn.y, turn.z}};
}

static int pressing(const tacWorld *world) {
  enum { MOST = 64 };
  tacShownContact contacts[MOST];
  int count = tac_world_contacts(world, MOST, contacts), sum = 0;
  for (int i = 0; i < count; ++i) sum += contacts[i].state != TAC_CONTACT_NONE;
  return sum;
}

static void measure_ticks(tacWorld *world, tacClipExperiment *e) {
  for (int t = 0; t < SNAP_TICKS + e->ticks; ++t) {
    tacToolInput input = lead(t);
    tacToolOutput output;
    tacTickReport report;
    double start = now();
    tac_world_step(world, &input, &output, &report);
    if (t < SNAP_TICKS) continue;
    e->tick[t - SNAP_TICKS] = now() - start;
    e->contacts += (double)report.laws / e->ticks;
    if (report.laws > e->most_contacts) e->most_contacts = report.laws;
    if (report.laws < e->least_contacts || t == SNAP_TICKS) e->least_contacts = report.laws;
    e->pressing += (double)pressing(world) / e->ticks;
    e->unsolved += report.unsolved > 0;
  }
}

/* W dense, as ticks have it for bodies that answer as a compliance. */
static tacStatus time_solutions(const tacContactProblem *problem, double *force, int force_count, tacClipExperiment *e,
                                tacError *error) {
  size_t m = (size_t)problem->count, n = 3 * m;
  tacLawContact *contacts = tac_array_create(m, sizeof *contacts, "contacts", error);
  double *w = tac_array_create(n * n, sizeof *w, "W", error);
  tacArena arena = {0};
  tacStatus status = contacts != NULL && w != NULL ? TAC_OK : TAC_ERR_MEMORY;
  tacLawProblem laws = {.count = problem->count, .contacts = contacts, .compliance = w};
  tacLawSolverDef def = tac_law_solver_def_default(); /* as in ticks: a tenth of a nanometre */
  def.tolerance = (tacContactMeasure){1e-10, 1e-7};
  def.most_sweeps = 100;
  def.most_steps = 24;
  if (status == TAC_OK) {
    for (size_t i = 0; i < m; ++i)
      for (int k = problem->first[i]; k < problem->first[i + 1]; ++k)
        for (size_t a = 0; a < 9; ++a)
          w[(3 * i + a / 3) * n + 3 * (size_t)problem->column[k] + a % 3] = problem->entries[9 * (size_t)k + a];
    tac_problem_laws_fill(problem, contacts);
    status = tac_arena_create(tac_law_solver_room(&laws, &def), "laws", &arena, error);
  }
  for (int warm = 0; warm < 2 && status == TAC_OK; ++warm) {
    for (size_t i = 0; i < m; ++i) {
      memset(contacts[i].force, 0, sizeof contacts[i].force);
      if (warm && force_count == problem->count) memcpy(contacts[i].force, force + 3 * i, sizeof contacts[i].force);
    }
    double start = now();
    tac_law_solve(&laws, &def, &arena);
    (warm ? e->warm : e->cold)[e->problem_count] = now() - start;
  }
  for (size_t i = 0; i < m && status == TAC_OK; ++i) memcpy(force + 3 * i, contacts[i].force, sizeof contacts[i].force);
  e->problem_count += status == TAC_OK;
  tac_arena_destroy(&arena);
  free(contacts);
  free(w);
  return status;
}

/* The same ticks once more, with their problems written; each is solved again, alone. */
static tacStatus measure_solutions(tacWorld *world, int problems, tacClipExperiment *e, tacError *error) {
  enum { MOST = 64 };
  const char *base = getenv("TMPDIR");
  char folder[400], path[440];
  double force[3 * MOST];
  int force_count = 0;
  snprintf(folder, sizeof folder, "%.370s/tactus-problems-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(folder) == NULL) return tac_error_set(error, TAC_ERR_FILE, "%s cannot be made", folder);
  tac_world_reset(world);
  tacStatus status = TAC_OK;
  for (int t = 0; t < SNAP_TICKS + problems && status == TAC_OK; ++t) {
    tacToolInput input = lead(t);
    tacToolOutput output;
    tacTickReport report;
    if (t == SNAP_TICKS) status = tac_world_dump_problems(world, folder, 1, error);
    tac_world_step(world, &input, &output, &report);
    if (t < SNAP_TICKS || status != TAC_OK) continue;
    DIR *files = opendir(folder);
    for (struct dirent *file; files != NULL && (file = readdir(files)) != NULL;) {
      if (file->d_name[0] == '.') continue;
      tacContactProblem *problem = NULL;
      snprintf(path, sizeof path, "%s/%.24s", folder, file->d_name);
      if (status == TAC_OK) status = tac_contact_problem_read(path, &problem, error);
      if (status == TAC_OK && problem->count <= MOST && e->problem_count < problems) {
        status = time_solutions(problem, force, force_count, e, error);
        force_count = problem->count;
      }
      tac_contact_problem_destroy(problem);
      remove(path);
    }
    if (files != NULL) closedir(files);
  }
  tac_world_dump_problems(world, NULL, 1, NULL);
  rmdir(folder);
  return status;
}

tacStatus tac_signorini_experiment_clip(int patch, double friction, int ticks, int problems, tacClipExperiment *e,
                                        tacError *error) {
  char text[2048];
  tacContactScene scene = {0};
  *e = (tacClipExperiment){.patch = patch, .friction = friction, .ticks = ticks};
  e->tick = tac_array_create((size_t)ticks, sizeof *e->tick, "times", error);
  e->warm = tac_array_create((size_t)problems, sizeof *e->warm, "times", error);
  e->cold = tac_array_create((size_t)problems, sizeof *e->cold, "times", error);
  tacStatus status = e->tick != NULL && e->warm != NULL && e->cold != NULL ? TAC_OK : TAC_ERR_MEMORY;
  snprintf(text, sizeof text, clip_text, patch, friction);
  if (status == TAC_OK) status = tac_contact_scene_open(text, &scene, error);
  if (status == TAC_OK) {
    measure_ticks(scene.world, e);
    status = measure_solutions(scene.world, problems, e, error);
  }
  tac_contact_scene_close(&scene);
  if (status != TAC_OK) tac_signorini_experiment_clip_free(e);
  return status;
}

void tac_signorini_experiment_clip_free(tacClipExperiment *e) {
  free(e->tick);
  free(e->warm);
  free(e->cold);
  *e = (tacClipExperiment){0};
}

/* ---- many contacts ---- */

static const char many_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: kidney, kind: corotational, surface: {shape: kidney, vertices: 1500}, volume: {tets: %g mm},\n"
    "     material: {young: 25 kPa, poisson: 0.4, density: 1050 kg/m3}, fixed: [{above: {axis: z, at: 15 mm}}]}\n"
    "tools:\n  - {name: probe, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

enum { MANY_ROUNDS = 21 };

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(int count, double *values) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* A cup that is 1 mm too tight, dragged along by as much. */
static void pull(double angle, tacSurfaceLaws *laws) {
  tacVec3 drag = tac_vec3(1e-3 * cos(angle), 1e-3 * sin(angle), 0.0);
  for (int i = 0; i < laws->problem.count; ++i) {
    tacLawContact *contact = &laws->contacts[i];
    contact->gap = tac_vec3_dot(drag, laws->axes[i][0]) - 1e-3;
    for (int a = 0; a < 2; ++a) contact->slip[a] = tac_vec3_dot(drag, laws->axes[i][a + 1]);
    contact->friction = 0.3;
  }
}

/* At its lowest vertices. */
static tacStatus measure_many(tacWorld *world, int contacts, tacManyExperiment *e, tacError *error) {
  enum { MOST = 1024 };
  static int vertices[MOST];
  const tacTriMesh *mesh = tac_world_body_surface(world, tac_world_body(world, 0));
  double reach = 0.0, time[MANY_ROUNDS];
  e->vertices = mesh->vertex_count;
  while (reach < 1.0 && tac_surface_laws_lowest(world, reach, MOST, vertices) < contacts) reach += 1e-5;
  e->contacts = contacts;
  tacSurfaceLaws laws;
  tacStatus status = tac_surface_laws_create(world, contacts, vertices, &laws, error);
  if (status != TAC_OK) return status;
  for (int r = 0; r < MANY_ROUNDS; ++r) {
    double start = now();
    tac_surface_laws_assemble(&laws);
    time[r] = now() - start;
  }
  e->assemble = median(MANY_ROUNDS, time);
  for (int k = 0; k < TAC_MANY_CASES && status == TAC_OK; ++k) {
    bool warm = k % 2 == 1;
    tacArena arena = {0};
    tacLawSolverDef def;
    for (int r = -1; r < MANY_ROUNDS && status == TAC_OK; ++r) {
      pull(0.1 * r, &laws);
      if (!warm) clear_forces(&laws);
      def = solver(&laws, TAC_CONTACT_AUTOMATIC, k < 2 ? 1e-3 : 1e-6);
      if (r < 0) status = tac_arena_create(tac_law_solver_room(&laws.problem, &def), "laws", &arena, error);
      double start = now();
      tacContactReport report = tac_law_solve(&laws.problem, &def, &arena);
      if (r < 0) continue; /* a start for the next, and for caches */
      time[r] = now() - start;
      e->unsolved += report.unsolved > 0;
    }
    e->solve[k] = median(MANY_ROUNDS, time);
    tac_arena_destroy(&arena);
  }
  for (int i = 0; i < contacts; ++i) {
    e->open += laws.contacts[i].state == TAC_CONTACT_NONE;
    e->sliding += laws.contacts[i].state == TAC_CONTACT_SLIDES;
  }
  tac_surface_laws_destroy(&laws);
  return status;
}

tacStatus tac_signorini_experiment_many(bool quick, tacManyExperiment *e, tacError *error) {
  char text[1024];
  tacContactScene scene;
  *e = (tacManyExperiment){.rounds = TAC_MANY_CASES * MANY_ROUNDS};
  snprintf(text, sizeof text, many_text, quick ? 12.0 : 7.8);
  tacStatus status = tac_contact_scene_open(text, &scene, error);
  if (status != TAC_OK) return status;
  status = measure_many(scene.world, quick ? 30 : 187, e, error);
  tac_contact_scene_close(&scene);
  return status;
}
