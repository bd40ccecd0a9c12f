#include "bench/green/point_stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/green.h>
#include <tactus/world.h>
#include "base/memory/array.h"
#include "kinds/green/green_body.h"
#include "mesh/edge_table.h"

#define NO_LIMIT 1e9 /* N/m: a rigid stiffness that no vertex reaches */
#define DEPTH 1e-3   /* m */

static tacStatus stiffness_at(const tacGreen *green, double mask_radius, int vertex, double *norm, tacError *error) {
  tacGreenBody *body = NULL;
  tacStatus status = tac_green_body_create(green, mask_radius, NO_LIMIT, &body, error);
  if (status == TAC_OK) *norm = tac_mat3_norm(tac_green_body_elastic_stiffness(body, vertex));
  tac_green_body_destroy(body);
  return status;
}

tacStatus tac_point_stiffness_level(int level, tacStiffnessLevel *result, tacError *error) {
  tacPaperModel first = {0}, model = {0};
  tacGreen *green = NULL;
  tacStatus status = tac_paper_model_create(TAC_PAPER_NODULE, 1, &first, error);
  if (status == TAC_OK) status = tac_paper_model_create(TAC_PAPER_NODULE, level, &model, error);
  if (status == TAC_OK) status = tac_paper_model_bake(&model, &green, error);
  if (status == TAC_OK) {
    result->vertex_count = model.surface->vertex_count;
    status = stiffness_at(green, 0.0, TAC_PAPER_NODULE_TOP, &result->single, error);
  }
  if (status == TAC_OK) status = stiffness_at(green, first.mean_edge, TAC_PAPER_NODULE_TOP, &result->masked, error);
  tac_green_destroy(green);
  tac_paper_model_free(&model);
  tac_paper_model_free(&first);
  return status;
}

static tacStatus make_world(const tacGreen *green, double mask_radius, tacWorld **world, tacError *error) {
  tacWorldDef def = tac_world_def_default();
  tacStatus status = tac_world_create(&def, world, error);
  if (status != TAC_OK) return status;
  tacGreenBodyDef body = tac_green_body_def_default();
  body.body.name = "kidney";
  body.green = green;
  body.mask_radius = mask_radius;
  body.rigid_stiffness = NO_LIMIT;
  body.body.friction = 0.0;
  status = tac_world_add_green(*world, &body, NULL, error);
  tacPointToolDef tool = {.name = "probe"};
  if (status == TAC_OK) status = tac_world_add_point_tool(*world, &tool, NULL, error);
  if (status == TAC_OK) status = tac_world_seal(*world, error);
  return status;
}

/* The point of the surface above (x, y), the highest where there are several. False where there is none. */
static bool find_above(const tacTriMesh *mesh, double x, double y, tacSurfacePoint *at) {
  double highest = -INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 a = mesh->vertices[mesh->triangles[t].v[0]], b = mesh->vertices[mesh->triangles[t].v[1]],
            c = mesh->vertices[mesh->triangles[t].v[2]];
    double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(area > 0.0)) continue; /* faces down */
    double wb = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
    double wc = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area, wa = 1.0 - wb - wc;
    double z = wa * a.z + wb * b.z + wc * c.z;
    if (wa < 0.0 || wb < 0.0 || wc < 0.0 || z <= highest) continue;
    highest = z;
    *at = (tacSurfacePoint){t, {wa, wb, wc}};
  }
  return highest > -INFINITY;
}

tacStatus tac_point_stiffness_slide(const tacGreen *green, double mask_radius, tacStiffnessSlide *slide,
                                    tacError *error) {
  tacSurfaceWalk walk = {0};
  tacWorld *world = NULL;
  tacStatus status = tac_surface_walk_create(tac_green_surface(green), &walk, error);
  if (status == TAC_OK) status = tac_surface_walk_round(&walk, error); /* as it is touched */
  if (status == TAC_OK) status = make_world(green, mask_radius, &world, error);
  slide->vertex_count = tac_green_surface(green)->vertex_count;
  for (int i = 0; i < TAC_SLIDE_SAMPLES && status == TAC_OK; ++i) {
    double angle = M_PI / 3.0 * (2.0 * i / (TAC_SLIDE_SAMPLES - 1) - 1.0), radius = TAC_PAPER_KIDNEY_RADIUS;
    tacSurfacePoint at;
    slide->along[i] = radius * angle;
    slide->force[i] = 0.0;
    if (find_above(walk.mesh, radius * cos(angle), radius * sin(angle), &at)) {
      tacVec3 x = tac_surface_walk_position(&walk, at), n = tac_surface_walk_normal(&walk, at);
      tacToolInput input = {.position = tac_vec3_mad(x, DEPTH, n)};
      tacToolOutput output;
      tacTickReport report;
      if (i == 0) tac_world_step(world, &input, &output, &report); /* outside, before it presses */
      input.position = tac_vec3_mad(x, -DEPTH, n);
      tac_world_step(world, &input, &output, &report);
      slide->force[i] = tac_vec3_norm(output.force);
    }
    if (!(slide->force[i] > 0.0))
      status = tac_error_set(error, TAC_ERR_ARGUMENT, "the probe lost the kidney at %g m", slide->along[i]);
  }
  tac_world_destroy(world);
  tac_surface_walk_destroy(&walk);
  return status;
}

static double mean_force(const tacStiffnessSlide *slide) {
  double sum = 0.0;
  for (int i = 0; i < TAC_SLIDE_SAMPLES; ++i) sum += slide->force[i];
  return sum / TAC_SLIDE_SAMPLES;
}

tacStiffnessError tac_point_stiffness_error(const tacStiffnessSlide *slide, const tacStiffnessSlide *reference) {
  double mean = mean_force(slide), reference_mean = mean_force(reference), sum = 0.0, most = 0.0;
  for (int i = 0; i < TAC_SLIDE_SAMPLES; ++i) {
    double difference = slide->force[i] / mean - reference->force[i] / reference_mean;
    sum += difference * difference;
    most = fmax(most, fabs(difference));
  }
  return (tacStiffnessError){sqrt(sum / TAC_SLIDE_SAMPLES), most};
}

double tac_point_stiffness_ripple(const tacStiffnessSlide *slide) {
  int half = 0, count = 0;
  while (slide->along[half + 1] - slide->along[0] <= 0.01) ++half;
  double mean = mean_force(slide), sum = 0.0;
  for (int i = half; i + half < TAC_SLIDE_SAMPLES; ++i, ++count) {
    double trend = 0.0;
    for (int j = i - half; j <= i + half; ++j) trend += slide->force[j] / (2 * half + 1);
    sum += (slide->force[i] - trend) * (slide->force[i] - trend);
  }
  return sqrt(sum / count) / mean;
}

static bool is_clear(const tacGreen *green, int vertex, double radius) {
  const tacTriMesh *mesh = tac_green_surface(green);
  for (int f = 0; f < mesh->vertex_count; ++f)
    if (tac_green_fixed(green)[f] && tac_vec3_distance(mesh->vertices[vertex], mesh->vertices[f]) <= radius)
      return false;
  return true;
}

/* ln |K_i|_F of the first `count` vertices. */
static tacStatus log_stiffness(const tacGreen *green, double mask_radius, int count, double *logs, tacError *error) {
  tacGreenBody *body = NULL;
  tacStatus status = tac_green_body_create(green, mask_radius, NO_LIMIT, &body, error);
  for (int v = 0; v < count && status == TAC_OK; ++v)
    logs[v] = log(tac_mat3_norm(tac_green_body_elastic_stiffness(body, v)));
  tac_green_body_destroy(body);
  return status;
}

tacStatus tac_point_stiffness_spread(const tacGreen *green, double mask_radius, const tacGreen *reference,
                                     double reference_radius, double *spread, tacError *error) {
  const tacTriMesh *mesh = tac_green_surface(green);
  int n = mesh->vertex_count, count = 0;
  double *logs = tac_array_create(2 * (size_t)n, sizeof *logs, "stiffnesses", error), sum = 0.0;
  tacEdgeTable table = {0};
  tacStatus status = logs == NULL ? TAC_ERR_MEMORY : tac_edge_table_create(mesh, &table, error);
  if (status == TAC_OK) status = log_stiffness(green, mask_radius, n, logs, error);
  if (status == TAC_OK) status = log_stiffness(reference, reference_radius, n, logs + n, error);
  for (int e = 0; e < table.edge_count && status == TAC_OK; ++e) {
    int a = table.edges[e].a, b = table.edges[e].b;
    if (!is_clear(green, a, reference_radius) || !is_clear(green, b, reference_radius)) continue;
    double difference = logs[a] - logs[b] - (logs[n + a] - logs[n + b]);
    sum += difference * difference;
    ++count;
  }
  if (status == TAC_OK) *spread = sqrt(sum / count);
  tac_edge_table_free(&table);
  free(logs);
  return status;
}
