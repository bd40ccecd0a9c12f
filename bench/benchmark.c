#include "bench/benchmark.h"

static const tacBenchmark benchmarks[] = {
    {"bake", "bakes of scenes over threads and processes, and the serial share of each stage", tac_bench_bake},
    {"broad-phase", "pairs of bodies that may meet, of 512", tac_bench_broad_phase},
    {"contact6", "distributed contact: Table 3.1 of Barbic 2007, budgets, points", tac_bench_contact6},
    {"field", "distance fields: bakes and queries", tac_bench_field},
    {"figures", "the experiments of Barbic 2007, chapter 2: long", tac_bench_figures},
    {"figures6", "the experiments of Barbic 2007, chapter 3: long", tac_bench_figures6},
    {"green", "Green's functions: tables of James and Pai 2001, ticks, pictures", tac_bench_green},
    {"grip", "pads that hold patches of a green body: ticks", tac_bench_grip},
    {"hyperelastic", "hyperelastic bodies: figures of Courtecuisse et al. 2015, factors, steps",
     tac_bench_hyperelastic},
    {"kinds", "comparison of the kinds of bodies: bakes, ticks, memory, accuracy", tac_bench_kinds},
    {"mesh", "reading, marching cubes, voxels and tetrahedra", tac_bench_mesh},
    {"rates", "worlds with two rates: ticks, steps of the bodies, deviations", tac_bench_rates},
    {"reduced", "reduced bodies: figures of Barbic 2007, ticks and bakes", tac_bench_reduced},
    {"signorini", "contacts with exact laws: Gauss-Seidel on W, assembled or not; all methods", tac_bench_signorini},
    {"snap-in", "a clip that is snapped on a pipe: forces by friction", tac_bench_snap_in},
    {"solve", "contact problems from files or generated; compared with Siconos if installed", tac_bench_solve},
    {"surfaces", "contacts between the surfaces of two deformed bodies", tac_bench_surfaces},
    {"truth", "scenes in closed loop with rough hands and no guards: does physics hold?", tac_bench_truth},
    {"vademecum", "vademecums: bakes, modes, loads, contacts, compared with Gonzalez et al. 2015; long",
     tac_bench_vademecum},
    {"view", "what a frame of a surface costs the viewer's server", tac_bench_view},
};

int tac_benchmark_count(void) {
  return (int)(sizeof benchmarks / sizeof *benchmarks);
}

const tacBenchmark *tac_benchmark_at(int index) {
  return &benchmarks[index];
}

bool tac_benchmark_takes_files(const tacBenchmark *benchmark) {
  return benchmark->run == tac_bench_solve;
}
