/* Green's functions: the tables of James and Pai 2001 beside ours, and what a tick and a picture cost whatever the mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include <tactus/meshing.h>
#include <tactus/world.h>
#include "base/memory/array.h"
#include "bench/green/green_pictures.h"
#include "bench/green/paper_model.h"
#include "bench/green/point_stiffness.h"
#include "bench/report/bench.h"
#include "collide/proximity.h"
#include "elastic/boundary/boundary_elements.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green.h"
#include "kinds/green/green_body.h"
#include "mesh/trimesh.h"
#include "shape/shape.h"

enum { MOST_CONTACTS = 10, PRESS_TICKS = 200, CIRCLE_TICKS = 1000, SURFACES = 1000, PLAIN_SURFACES = 30 };

/* ---- where tools touch ---- */

/* The length of an edge if all triangles were equal and even, m. */
static double even_edge(const tacTriMesh *mesh) {
  return sqrt(4.0 / sqrt(3.0) * tac_trimesh_area(mesh) / mesh->triangle_count);
}

/* Vertices far from what is fixed and from each other: each is the farthest from those and the ones before it. Rims are left
 * out: where a triangle leans away from the vertex's normal by more than 40 degrees. */
static tacStatus choose_contacts(const tacTriMesh *mesh, const bool *fixed, int count, int *vertices, tacError *error) {
  tacSurfaceWalk surface = {0};
  double *distance = tac_array_create((size_t)mesh->vertex_count, sizeof *distance, "distances", error);
  tacStatus status = distance == NULL ? TAC_ERR_MEMORY : tac_surface_walk_create(mesh, &surface, error);
  for (int v = 0; v < mesh->vertex_count && status == TAC_OK; ++v) {
    distance[v] = INFINITY;
    for (int f = 0; f < mesh->vertex_count; ++f)
      if (fixed[f]) distance[v] = fmin(distance[v], tac_vec3_distance(mesh->vertices[v], mesh->vertices[f]));
  }
  for (int i = 0; i < 3 * mesh->triangle_count && status == TAC_OK; ++i) {
    int v = mesh->triangles[i / 3].v[i % 3];
    if (tac_vec3_dot(surface.face_normal[i / 3], surface.vertex_normal[v]) < cos(40.0 * M_PI / 180.0))
      distance[v] = 0.0;
  }
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    int best = 0;
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (distance[v] > distance[best]) best = v;
    vertices[i] = best;
    for (int v = 0; v < mesh->vertex_count; ++v)
      distance[v] = fmin(distance[v], tac_vec3_distance(mesh->vertices[v], mesh->vertices[best]));
  }
  tac_surface_walk_destroy(&surface);
  free(distance);
  return status;
}

/* A world of one body and `tools` tools, and for each tool the way of its tip: it comes from outside, presses, and circles at
 * constant depth about its vertex. */
typedef struct Scene {
  tacWorld *world;
  int tool_count, tick_count;
  tacVec3 *way; /* [tick][tool] */
  double mask_radius;
} Scene;

static void scene_free(Scene *scene) {
  tac_world_destroy(scene->world);
  free(scene->way);
  *scene = (Scene){0};
}

static void plan_way(const tacProximity *proximity, int vertex, double edge, int tool, Scene *scene) {
  const tacSurfaceWalk *surface = proximity->surface;
  tacVec3 centre = surface->mesh->vertices[vertex], n = surface->vertex_normal[vertex];
  tacVec3 e1 = tac_vec3_unit(tac_vec3_cross(n, fabs(n.x) < 0.7 ? tac_vec3(1.0, 0.0, 0.0) : tac_vec3(0.0, 1.0, 0.0)));
  tacVec3 e2 = tac_vec3_cross(n, e1);
  for (int t = 0; t < scene->tick_count; ++t) {
    double angle = t < PRESS_TICKS ? 0.0 : 2.0 * M_PI * (t - PRESS_TICKS) / CIRCLE_TICKS;
    double depth = 0.3 * edge * fmin(2.0 * t / PRESS_TICKS - 1.0, 1.0);
    tacVec3 p = tac_vec3_mad(tac_vec3_mad(centre, 1.5 * edge * cos(angle), e1), 1.5 * edge * sin(angle), e2);
    tacSurfacePoint at;
    tac_proximity_distance(proximity, tac_vec3_mad(p, 0.5 * edge, n), &at);
    scene->way[t * scene->tool_count + tool] =
        tac_vec3_mad(tac_surface_walk_position(surface, at), -depth, tac_surface_walk_normal(surface, at));
  }
}

static tacStatus plan_ways(const tacGreen *green, const int *vertices, Scene *scene, tacError *error) {
  tacSurfaceWalk surface = {0};
  tacProximity proximity = {0};
  tacStatus status = tac_surface_walk_create(tac_green_surface(green), &surface, error);
  if (status == TAC_OK) status = tac_proximity_create(&surface, &proximity, error);
  if (status == TAC_OK) {
    scene->way =
        tac_array_create((size_t)scene->tick_count * (size_t)scene->tool_count, sizeof *scene->way, "ways", error);
    if (scene->way == NULL) status = TAC_ERR_MEMORY;
  }
  for (int tool = 0; tool < scene->tool_count && status == TAC_OK; ++tool)
    plan_way(&proximity, vertices[tool], even_edge(surface.mesh), tool, scene);
  tac_proximity_destroy(&proximity);
  tac_surface_walk_destroy(&surface);
  return status;
}

static tacStatus scene_create(const tacGreen *green, int tool_count, const int *vertices, int tick_count, Scene *scene,
                              tacError *error) {
  *scene = (Scene){
      .tool_count = tool_count, .tick_count = tick_count, .mask_radius = 2.0 * even_edge(tac_green_surface(green))};
  tacWorldDef def = tac_world_def_default();
  tacStatus status = tac_world_create(&def, &scene->world, error);
  if (status != TAC_OK) return status;
  tacGreenBodyDef body = tac_green_body_def_default();
  body.body.name = "body";
  body.green = green;
  body.mask_radius = scene->mask_radius;
  status = tac_world_add_green(scene->world, &body, NULL, error);
  for (int i = 0; i < tool_count && status == TAC_OK; ++i) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", i);
    tacPointToolDef tool = {.name = name};
    status = tac_world_add_point_tool(scene->world, &tool, NULL, error);
  }
  if (status == TAC_OK) status = tac_world_seal(scene->world, error);
  if (status == TAC_OK) status = plan_ways(green, vertices, scene, error);
  if (status != TAC_OK) scene_free(scene);
  return status;
}

/* Steps along the ways; `samples` (may be NULL) get the microseconds of each tick that presses. Returns their count. */
static int run_scene(const Scene *scene, double *samples, tacSnapshot *snapshot) {
  tacToolInput inputs[TAC_MOST_TOOLS] = {0};
  tacTickReport report;
  int count = 0;
  *snapshot = (tacSnapshot){.tool_count = scene->tool_count};
  for (int t = 0; t < scene->tick_count; ++t) {
    for (int i = 0; i < scene->tool_count; ++i) inputs[i].position = scene->way[t * scene->tool_count + i];
    double start = tac_bench_now();
    tac_world_step(scene->world, inputs, snapshot->output, &report);
    if (samples != NULL && t >= PRESS_TICKS / 2) samples[count++] = 1e6 * (tac_bench_now() - start);
  }
  for (int i = 0; i < scene->tool_count; ++i) snapshot->position[i] = inputs[i].position;
  return count;
}

/* ---- the picture ---- */

/* The whole surface as one writes it down: for each contact, the three vertices of its triangle, their masks, and the three
 * columns of each masked vertex in turn (35). */
static void plain_surface(const tacGreenBody *body, const tacSnapshot *snapshot, tacVec3 *u) {
  const tacTriMesh *mesh = tac_green_body_surface(body)->mesh;
  const tacGreen *green = tac_green_body_green(body);
  size_t rows = (size_t)tac_green_row_count(green);
  memset(u, 0, (size_t)mesh->vertex_count * sizeof *u);
  for (int c = 0; c < snapshot->tool_count; ++c) {
    const tacContact *contact = &snapshot->output[c].contact;
    if (contact->state == TAC_CONTACT_NONE) continue;
    for (int k = 0; k < 3; ++k) {
      const int *vertices;
      const double *density;
      int count = tac_green_body_mask(body, mesh->triangles[contact->triangle].v[k], &vertices, &density);
      for (int j = 0; j < count; ++j) {
        const double *x = tac_green_column(green, vertices[j]), *y = x + rows, *z = y + rows;
        tacVec3 p = tac_vec3_scale(density[j] * contact->weight[k], contact->force);
        for (int v = 0; v < mesh->vertex_count; ++v, x += 3, y += 3, z += 3)
          u[v] = tac_vec3_add(u[v], tac_vec3(x[0] * p.x + y[0] * p.y + z[0] * p.z, x[1] * p.x + y[1] * p.y + z[1] * p.z,
                                             x[2] * p.x + y[2] * p.y + z[2] * p.z));
      }
    }
  }
}

/* Milliseconds for the surface of the moment that `snapshot` is; the baseline is the plain way. */
static tacStatus time_surface(const Scene *scene, const tacGreen *green, const tacSnapshot *snapshot,
                              tacBenchResult *result, tacError *error) {
  int vertices = tac_green_surface(green)->vertex_count;
  tacBodyId id = tac_world_body(scene->world, 0);
  tacGreenBody *body = NULL;
  tacVec3 *places = tac_array_create((size_t)vertices, sizeof *places, "vertices", error);
  double *samples = tac_array_create(SURFACES, sizeof *samples, "samples", error);
  tacStatus status = places == NULL || samples == NULL
                         ? TAC_ERR_MEMORY
                         : tac_green_body_create(green, scene->mask_radius, 1500.0, &body, error);
  if (status == TAC_OK) {
    tacBenchResult plain = tac_bench_result("", "", NAN, "");
    for (int i = 0; i < PLAIN_SURFACES; ++i) {
      double start = tac_bench_now();
      plain_surface(body, snapshot, places);
      samples[i] = 1e3 * (tac_bench_now() - start);
    }
    tac_bench_percentiles(PLAIN_SURFACES, samples, &plain);
    for (int i = 0; i < SURFACES; ++i) {
      double start = tac_bench_now();
      tac_world_surface(scene->world, snapshot, id, places);
      samples[i] = 1e3 * (tac_bench_now() - start);
    }
    tac_bench_percentiles(SURFACES, samples, result);
    result->baseline = plain.value;
  }
  tac_green_body_destroy(body);
  free(places);
  free(samples);
  return status;
}

/* ---- ticks ---- */

/* A tick of `tool_count` tools that press and slide, and, where `surface_case` is not NULL, the picture of their last moment.
 * The baseline of a tick computes the whole surface plainly to get the displacement and force at the contacts. */
static tacStatus bench_ticks(tacBench *bench, const char *name, const tacGreen *green, int tool_count,
                             const int *vertices, const char *surface_metric, const char *surface_paper,
                             tacError *error) {
  Scene scene;
  tacSnapshot snapshot;
  int ticks = PRESS_TICKS + CIRCLE_TICKS * (bench->quick ? 1 : tool_count == 1 ? 20 : 5);
  tacStatus status = scene_create(green, tool_count, vertices, ticks, &scene, error);
  if (status != TAC_OK) return status;
  double *samples = tac_array_create((size_t)ticks, sizeof *samples, "samples", error);
  if (samples == NULL) status = TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    char metric[32];
    snprintf(metric, sizeof metric, "tick, %d tool%s", tool_count, tool_count > 1 ? "s" : "");
    tacBenchResult tick = tac_bench_result(name, metric, NAN, "us"),
                   picture = tac_bench_result(name, surface_metric, NAN, "ms");
    run_scene(&scene, NULL, &snapshot);
    tac_world_reset(scene.world);
    int count = run_scene(&scene, samples, &snapshot);
    status = time_surface(&scene, green, &snapshot, &picture, error);
    if (status == TAC_OK) {
      tac_bench_percentiles((size_t)count, samples, &tick);
      tick.baseline = 1e3 * picture.baseline;
      tac_bench_report(bench, &tick);
      picture.paper = surface_paper;
      if (surface_metric != NULL) tac_bench_report(bench, &picture);
    }
  }
  free(samples);
  scene_free(&scene);
  return status;
}

/* ---- Table 2 ---- */

static const struct {
  const char *precompute, *factor, *simulate;
} table_2[TAC_PAPER_MODELS] = {{"1.1 min", "1.1 %", "0.05 ms"},
                               {"7.7 min", "3.1 %", "0.13 ms"},
                               {"45 min", "5.7 %", "0.34 ms"},
                               {"25 min", "20.0 %", "0.15 ms"}};

/* Seconds to assemble H and G, to factor A besides, and for everything. */
static tacStatus time_bake(const tacPaperModel *model, double seconds[3], tacGreen **green, tacError *error) {
  tacBoundaryDef boundary = tac_boundary_def_default();
  boundary.young = model->young;
  boundary.poisson = model->poisson;
  tacBoundaryElements *elements = NULL;
  *green = NULL;
  double start = tac_bench_now();
  tacStatus status = tac_boundary_elements_create(model->surface, &boundary, 0, NULL, &elements, error);
  seconds[0] = tac_bench_now() - start;
  tac_boundary_elements_destroy(elements);
  tacMaterial material;
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, model->young, model->poisson, &material, error);
  if (status == TAC_OK) {
    tacReferenceDef def = {.method = TAC_BOUNDARY_ELEMENTS,
                           .accept_thin = true,
                           .surface = model->surface,
                           .material_count = 1,
                           .materials = &material,
                           .fixed = model->fixed};
    tacReferenceProblem *problem = NULL;
    start = tac_bench_now();
    status = tac_reference_problem_create(&def, NULL, &problem, error);
    seconds[1] = tac_bench_now() - start - seconds[0];
    tac_reference_problem_destroy(problem);
  }
  start = tac_bench_now();
  if (status == TAC_OK) status = tac_paper_model_bake(model, green, error);
  seconds[2] = tac_bench_now() - start;
  return status;
}

static tacStatus bench_table_2(tacBench *bench, tacPaperModelName name, tacError *error) {
  tacPaperModel model;
  tacGreen *green = NULL;
  double seconds[3];
  char text[64];
  int vertices[MOST_CONTACTS];
  tacStatus status = tac_paper_model_create(name, 2, &model, error);
  if (status == TAC_OK) status = time_bake(&model, seconds, &green, error);
  if (status == TAC_OK)
    status = choose_contacts(model.surface, model.fixed, name == TAC_PAPER_KIDNEY ? MOST_CONTACTS : 1, vertices, error);
  if (status == TAC_OK) {
    snprintf(text, sizeof text, "%s, %d vertices, %d free", model.name, model.surface->vertex_count, model.free_count);
    tacBenchResult bake = tac_bench_result(text, "precompute", seconds[2], "s"),
                   share = tac_bench_result(text, "of it LU", 100.0 * fmax(seconds[1], 0.0) / seconds[2], "%");
    bake.paper = table_2[name].precompute;
    share.paper = table_2[name].factor;
    tac_bench_report(bench, &bake);
    tac_bench_report(bench, &share);
    status = bench_ticks(bench, text, green, 1, vertices, "simulate", table_2[name].simulate, error);
  }
  const int tools[3] = {2, 5, 10};
  for (int i = 0; i < 3 && name == TAC_PAPER_KIDNEY && status == TAC_OK; ++i)
    status = bench_ticks(bench, text, green, tools[i], vertices, NULL, NULL, error);
  tac_green_destroy(green);
  tac_paper_model_free(&model);
  return status;
}

/* ---- Table 1 and Figure 7 ---- */

static tacStatus bench_table_1(tacBench *bench, tacError *error) {
  static const char *const paper[3][2] = {{"1", "1.82"}, {"0.38", "1.62"}, {"0.15", "1.53"}};
  tacStiffnessLevel at[3];
  tacStatus status = TAC_OK;
  int levels = bench->quick ? 2 : 3;
  for (int i = 0; i < levels && status == TAC_OK; ++i) {
    status = tac_point_stiffness_level(i + 1, &at[i], error);
    if (status != TAC_OK) return status;
    char name[64];
    snprintf(name, sizeof name, "top of the nodule, %d vertices", at[i].vertex_count);
    tacBenchResult single = tac_bench_result(name, "|K| single", at[i].single / at[0].single, "(first: 1)"),
                   masked = tac_bench_result(name, "|K| masked", at[i].masked / at[0].single, "(first single: 1)");
    single.paper = paper[i][0];
    masked.paper = paper[i][1];
    tac_bench_report(bench, &single);
    tac_bench_report(bench, &masked);
  }
  return bench->plots != NULL ? tac_green_picture_levels(bench->plots, levels, at, error) : TAC_OK;
}

/* [0]: the kidney of the paper's size with uneven triangles, [1]: one level finer, even. */
static tacStatus make_kidneys(int level, tacPaperModel model[2], tacGreen *green[2], tacError *error) {
  tacStatus status = tac_paper_model_create(TAC_PAPER_KIDNEY, level, &model[0], error);
  if (status == TAC_OK) status = tac_paper_model_roughen(&model[0], error);
  if (status == TAC_OK) status = tac_paper_model_create(TAC_PAPER_KIDNEY, level + 1, &model[1], error);
  for (int i = 0; i < 2 && status == TAC_OK; ++i) status = tac_paper_model_bake(&model[i], &green[i], error);
  return status;
}

static tacStatus bench_figure_7(tacBench *bench, tacError *error) {
  tacPaperModel model[2] = {0};
  tacGreen *green[2] = {NULL, NULL};
  tacStiffnessSlide *slides =
      tac_array_create(3, sizeof *slides, "slides", error); /* single, masked, finer and masked */
  tacStatus status = slides == NULL ? TAC_ERR_MEMORY : make_kidneys(bench->quick ? 1 : 2, model, green, error);
  for (int i = 0; i < 3 && status == TAC_OK; ++i)
    status = tac_point_stiffness_slide(green[i / 2], i == 0 ? 0.0 : 2.0 * model[0].mean_edge, &slides[i], error);
  for (int masked = 0; masked < 2 && status == TAC_OK; ++masked) {
    char name[64];
    snprintf(name, sizeof name, "slide on the kidney, %d vertices", slides[masked].vertex_count);
    tacBenchResult ripple = tac_bench_result(name, masked ? "ripple masked" : "ripple single",
                                             100.0 * tac_point_stiffness_ripple(&slides[masked]), "% rms");
    tac_bench_report(bench, &ripple);
    tacStiffnessError off = tac_point_stiffness_error(&slides[masked], &slides[2]);
    tacBenchResult rms =
        tac_bench_result(name, masked ? "force error masked" : "force error single", 100.0 * off.rms, "% rms");
    rms.max = 100.0 * off.most;
    tac_bench_report(bench, &rms);
  }
  if (status == TAC_OK && bench->plots != NULL) status = tac_green_picture_slides(bench->plots, slides, error);
  for (int i = 0; i < 2; ++i) {
    tac_green_destroy(green[i]);
    tac_paper_model_free(&model[i]);
  }
  free(slides);
  return status;
}

/* ---- large bodies ---- */

/* Vertices within `reach` of any contact. */
static tacStatus list_near(const tacTriMesh *mesh, const bool *fixed, int count, const int *contacts, double reach,
                           int **wanted, int *wanted_count, tacError *error) {
  *wanted_count = 0;
  *wanted = tac_array_create((size_t)mesh->vertex_count, sizeof **wanted, "wanted vertices", error);
  if (*wanted == NULL) return TAC_ERR_MEMORY;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    bool near = false;
    for (int i = 0; i < count && !fixed[v]; ++i)
      near = near || tac_vec3_distance(mesh->vertices[v], mesh->vertices[contacts[i]]) < reach;
    if (near) (*wanted)[(*wanted_count)++] = v;
  }
  return TAC_OK;
}

static void report_bake(tacBench *bench, const char *shape, const tacGreen *green, double seconds) {
  char name[64], metric[32];
  bool elements = tac_green_method(green) == TAC_FINITE_ELEMENTS;
  snprintf(name, sizeof name, "%s, %d vertices, %s", shape, tac_green_surface(green)->vertex_count,
           elements ? "FEM" : "BEM");
  snprintf(metric, sizeof metric, "bake, %d columns", 3 * tac_green_column_count(green));
  tacBenchResult result = tac_bench_result(name, metric, seconds, "s");
  tac_bench_report(bench, &result);
}

/* A gallery shape with about `vertices` on its surface, its lowest tenth held; columns are baked around `contact_count` contacts only. Then a
 * tick and a picture. */
static tacStatus bench_large(tacBench *bench, const char *shape, double vertices, tacError *error) {
  tacTriMesh *outline = NULL, *surface = NULL;
  tacVolMesh *volume = NULL;
  bool *fixed = NULL;
  int *wanted = NULL, contacts[MOST_CONTACTS];
  tacGreen *green = NULL;
  tacStatus status = tac_shape_build(shape, 0.0, NULL, &outline, error);
  if (status == TAC_OK) {
    tacStuffingDef stuffing = tac_stuffing_def_default();
    stuffing.size = sqrt(2.05 * tac_trimesh_area(outline) / vertices); /* vertices an area, as measured */
    status = tac_stuffing_fill(outline, &stuffing, NULL, &volume, error);
  }
  if (status == TAC_OK) status = tac_volmesh_surface(volume, &surface, NULL, NULL, error);
  if (status == TAC_OK) {
    fixed = tac_array_create((size_t)surface->vertex_count, sizeof *fixed, "fixed vertices", error);
    if (fixed == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    tacBox box = tac_trimesh_box(surface);
    for (int v = 0; v < surface->vertex_count; ++v)
      fixed[v] = surface->vertices[v].z < box.lower.z + 0.1 * (box.upper.z - box.lower.z);
    status = choose_contacts(surface, fixed, MOST_CONTACTS, contacts, error);
  }
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  if (status == TAC_OK)
    status =
        list_near(surface, fixed, MOST_CONTACTS, contacts, 5.0 * even_edge(surface), &wanted, &def.wanted_count, error);
  tacMaterial material;
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, 5e3, 0.45, &material, error);
  if (status == TAC_OK) {
    def.wanted = wanted;
    def.problem.method = TAC_FINITE_ELEMENTS;
    def.problem.volume = volume;
    def.problem.material_count = 1;
    def.problem.materials = &material;
    def.problem.fixed = fixed;
    double start = tac_bench_now();
    status = tac_green_bake(&def, NULL, &green, error);
    if (status == TAC_OK) report_bake(bench, shape, green, tac_bench_now() - start);
  }
  char name[64];
  if (status == TAC_OK) snprintf(name, sizeof name, "%s, %d vertices", shape, surface->vertex_count);
  if (status == TAC_OK) status = bench_ticks(bench, name, green, 1, contacts, NULL, NULL, error);
  if (status == TAC_OK)
    status = bench_ticks(bench, name, green, MOST_CONTACTS, contacts, "surface, 10 tools", NULL, error);
  tac_green_destroy(green);
  tac_trimesh_destroy(outline);
  tac_trimesh_destroy(surface);
  tac_volmesh_destroy(volume);
  free(fixed);
  free(wanted);
  return status;
}

/* All columns of a liver with about `vertices` by boundary elements. */
static tacStatus bench_boundary(tacBench *bench, double vertices, tacError *error) {
  tacTriMesh *outline = NULL;
  tacPaperModel model = {.name = "liver", .young = 5e3, .poisson = 0.45};
  tacGreen *green = NULL;
  tacStatus status = tac_shape_build("liver", 0.0, NULL, &outline, error);
  if (status == TAC_OK) {
    double size = tac_shape_find("liver")->size * sqrt(outline->vertex_count / vertices);
    status = tac_shape_build("liver", size, NULL, &model.surface, error);
  }
  if (status == TAC_OK) {
    model.fixed = tac_array_create((size_t)model.surface->vertex_count, sizeof *model.fixed, "fixed vertices", error);
    if (model.fixed == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    tacBox box = tac_trimesh_box(model.surface);
    for (int v = 0; v < model.surface->vertex_count; ++v)
      model.fixed[v] = model.surface->vertices[v].z < box.lower.z + 0.1 * (box.upper.z - box.lower.z);
    double start = tac_bench_now();
    status = tac_paper_model_bake(&model, &green, error);
    if (status == TAC_OK) report_bake(bench, "liver", green, tac_bench_now() - start);
  }
  tac_green_destroy(green);
  tac_trimesh_destroy(outline);
  tac_paper_model_free(&model);
  return status;
}

static tacStatus bench_models(tacBench *bench, tacError *error) {
  tacStatus status = TAC_OK;
  for (int m = 0; m < (bench->quick ? 2 : TAC_PAPER_MODELS) && status == TAC_OK; ++m)
    status = bench_table_2(bench, (tacPaperModelName)m, error);
  return status;
}

static tacStatus bench_livers(tacBench *bench, tacError *error) {
  tacStatus status = bench_large(bench, bench->quick ? "sphere" : "liver", bench->quick ? 1e3 : 5e3, error);
  if (status == TAC_OK && !bench->quick) status = bench_large(bench, "liver", 1e4, error);
  return status;
}

static tacStatus bench_dense_liver(tacBench *bench, tacError *error) {
  return bench->quick ? TAC_OK : bench_boundary(bench, 5e3, error);
}

tacStatus tac_bench_green(tacBench *bench, tacError *error) {
  static const struct {
    const char *name;
    tacStatus (*run)(tacBench *bench, tacError *error);
  } parts[] = {{"masks", bench_table_1},  {"models", bench_models}, {"capacitance", tac_bench_capacitance},
               {"slide", bench_figure_7}, {"livers", bench_livers}, {"boundary", bench_dense_liver}};
  tacStatus status = TAC_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == TAC_OK; ++i)
    if (bench->scene == NULL || strcmp(bench->scene, parts[i].name) == 0) status = parts[i].run(bench, error);
  return status;
}
