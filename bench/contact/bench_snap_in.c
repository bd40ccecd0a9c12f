/* A clip that a hand leads over a pipe and off again (Duriez and others 2006, section 7.2): what it takes, by friction. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "bench/contact/contact_scene.h"
#include "bench/report/bench.h"
#include "bench/report/svg_plot.h"

/* That of scenes/clip.yaml. */
static const char clip[] = "tactus: 1\n"
                           "method: signorini\n"
                           "patch: 20\n"
                           "bodies:\n"
                           "  - name: clip\n"
                           "    kind: corotational\n"
                           "    volume: {shape: clip}\n"
                           "    material: {young: 700 MPa, poisson: 0.35, density: 950 kg/m3}\n"
                           "    fixed: [{below: {axis: x, at: -25 mm}}]\n"
                           "    points: {count: 1500, levels: 3, resolution: 96}\n"
                           "    position: [-25 mm, 0, 0]\n"
                           "  - name: pipe\n"
                           "    kind: rigid\n"
                           "    analytic: [{capsule: {from: [0, -70 mm, 0], to: [0, 70 mm, 0], radius: 15 mm}}]\n"
                           "contacts:\n"
                           "  - {points: clip, field: pipe, friction: 0.2, live: {friction: [0, 1]}}\n"
                           "tools:\n"
                           "  - name: hand\n"
                           "    kind: body\n"
                           "    body: clip\n"
                           "    grasp: [-45 mm, 0, 0]\n"
                           "    coupling: {stiffness: 2 kN/m, force_limit: none, torque_limit: none}\n"
                           "    device: {kind: operator, preset: virtuose-6, path: [{at: [-70 mm, 0, 0]}]}\n";

enum { FRICTIONS = 3, WAY = 2700 /* ticks of 10 um */, MOST = 2 * WAY };

/* mm, of the clip's axis from the pipe's; N by the hand. */
typedef struct {
  double place[MOST], force[MOST];
} Curve;

static tacStatus lead(const tacContactScene *scene, double friction, Curve *curve, tacError *error) {
  int parameter = 0;
  while (strcmp(tac_world_parameter(scene->world, parameter).name, "clip-pipe.friction") != 0) ++parameter;
  tacStatus status = tac_world_set_parameter(scene->world, parameter, friction, error);
  if (status != TAC_OK) return status;
  tac_world_reset(scene->world);
  for (int i = 0; i < MOST; ++i) {
    double way = 1e-5 * (i < WAY ? i : MOST - 1 - i);
    tacToolInput input = {.position = {scene->start.x + way, 0.0, 0.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput output;
    tacTickReport report;
    tac_world_step(scene->world, &input, &output, &report);
    curve->place[i] = 1e3 * (output.proxy.x - (scene->start.x + 0.025));
    curve->force[i] = -output.force.x;
  }
  return TAC_OK;
}

static tacStatus draw(const char *folder, const Curve *curves, double most, double least, tacError *error) {
  static const char *const names[FRICTIONS] = {"no friction", "friction 0.2", "friction 0.4"};
  char path[PATH_MAX];
  tacSvgPlot plot;
  tacSvgPlotDef def = {
      .title = "A clip on a pipe: pushed until it snaps on, and withdrawn (dashed)",
      .remark = "Polyethylene, 15 g, led by a coupling of 2 kN/m, 10 mm/s; on a rigid pipe of radius 15 mm.",
      .x_name = "place of the clip before it is seated, mm",
      .y_name = "force of the hand",
      .x = tac_axis_linear(-20.0, 0.0, true, 10, ""),
      .y = tac_axis_linear(least, most, false, 8, "N"),
      .legend_columns = FRICTIONS};
  snprintf(path, sizeof path, "%s/signorini_snap_in.svg", folder);
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int m = 0; m < FRICTIONS; ++m)
    for (int back = 0; back < 2; ++back) {
      double x[MOST], y[MOST];
      int count = 0;
      for (int i = back * WAY; i < (back + 1) * WAY; i += 5) {
        if (!(curves[m].place[i] >= -20.0 && curves[m].place[i] <= 0.0)) continue;
        x[count] = curves[m].place[i];
        y[count++] = curves[m].force[i];
      }
      tac_svg_plot_curve(&plot, back ? NULL : names[m], m, back, false, count, x, y);
    }
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_bench_snap_in(tacBench *bench, tacError *error) {
  static Curve curves[FRICTIONS];
  tacContactScene scene;
  double most = 0.0, least = 0.0;
  tacStatus status = tac_contact_scene_open(clip, &scene, error);
  if (status != TAC_OK) return status;
  for (int m = 0; m < (bench->quick ? 1 : FRICTIONS) && status == TAC_OK; ++m) {
    double push = 0.0, pull = 0.0;
    char name[32];
    status = lead(&scene, 0.2 * m, &curves[m], error);
    if (status != TAC_OK) break;
    for (int i = 0; i < MOST; ++i) {
      if (curves[m].place[i] < -2.0) push = fmax(push, curves[m].force[i]);
      if (i >= WAY) pull = fmin(pull, curves[m].force[i]);
    }
    snprintf(name, sizeof name, "clip, friction %.1f", 0.2 * m);
    tacBenchResult result = tac_bench_result(name, "to snap it on", push, "N");
    tac_bench_report(bench, &result);
    result = tac_bench_result(name, "to pull it off", -pull, "N");
    tac_bench_report(bench, &result);
    most = fmax(most, push);
    least = fmin(least, pull);
  }
  tac_contact_scene_close(&scene);
  if (status == TAC_OK && bench->plots != NULL && !bench->quick)
    status = draw(bench->plots, curves, most, least, error);
  return status;
}
