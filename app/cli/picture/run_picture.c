#include "app/cli/picture/run_picture.h"

#include <limits.h>
#include <math.h>
#include "app/cli/picture/picture.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/quat.h"
#include "world/world.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* Balls and arrows are lathed: a profile turned about an axis, in AROUND sides. */
enum { AROUND = 32, BALL_ROWS = 17, ARROW_ROWS = 5 };
enum { PER_TOOL = 2 * BALL_ROWS + ARROW_ROWS }; /* rows of the tool's ball, the proxy's ball and the arrow */

typedef struct Stage {
  tacTriMesh *mesh;
  float (*colours)[3];
  int vertices, triangles; /* so far */
} Stage;

typedef struct Lathe {
  tacVec3 origin, axis; /* unit axis */
  int rows;
  double along[BALL_ROWS], radius[BALL_ROWS];
} Lathe;

/* Albedo from a body at rest over violet and red to the amber of the largest displacement; linear. */
static void displacement_colour(double share, float colour[3]) {
  static const float stops[5][3] = {{0.085f, 0.240f, 0.370f},
                                    {0.130f, 0.170f, 0.420f},
                                    {0.420f, 0.075f, 0.260f},
                                    {0.820f, 0.130f, 0.050f},
                                    {1.0f, 0.52f, 0.06f}};
  double at = 4.0 * fmin(fmax(share, 0.0), 1.0);
  int k = at < 3.0 ? (int)at : 3;
  for (int c = 0; c < 3; ++c) colour[c] = (float)(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
}

/* Of rigid bodies, one after another: clay, sage, sand; linear. */
static void rigid_colour(int index, float colour[3]) {
  static const float colours[3][3] = {{0.42f, 0.26f, 0.17f}, {0.24f, 0.31f, 0.20f}, {0.47f, 0.38f, 0.24f}};
  for (int c = 0; c < 3; ++c) colour[c] = colours[index % 3][c];
}

static void add_lathe(Stage *stage, const Lathe *lathe, const float colour[3]) {
  tacVec3 aside = fabs(lathe->axis.z) < 0.9 ? tac_vec3(0.0, 0.0, 1.0) : tac_vec3(1.0, 0.0, 0.0);
  tacVec3 u = tac_vec3_unit(tac_vec3_cross(aside, lathe->axis)), v = tac_vec3_cross(lathe->axis, u);
  int first = stage->vertices;
  for (int row = 0; row < lathe->rows; ++row) {
    tacVec3 centre = tac_vec3_mad(lathe->origin, lathe->along[row], lathe->axis);
    for (int i = 0; i < AROUND; ++i) {
      double angle = 2.0 * 3.14159265358979323846 * i / AROUND;
      tacVec3 p = tac_vec3_mad(centre, lathe->radius[row] * cos(angle), u);
      stage->mesh->vertices[stage->vertices] = tac_vec3_mad(p, lathe->radius[row] * sin(angle), v);
      for (int c = 0; c < 3; ++c) stage->colours[stage->vertices][c] = colour[c];
      ++stage->vertices;
    }
  }
  for (int row = 0; row + 1 < lathe->rows; ++row) {
    for (int i = 0; i < AROUND; ++i) {
      int a = first + row * AROUND + i, b = first + row * AROUND + (i + 1) % AROUND;
      stage->mesh->triangles[stage->triangles++] = (tacTriangle){{a, b, b + AROUND}};
      stage->mesh->triangles[stage->triangles++] = (tacTriangle){{a, b + AROUND, a + AROUND}};
    }
  }
}

static void add_ball(Stage *stage, tacVec3 centre, double radius, const float colour[3]) {
  Lathe ball = {.origin = centre, .axis = {0.0, 0.0, 1.0}, .rows = BALL_ROWS};
  for (int row = 0; row < BALL_ROWS; ++row) {
    double angle = 3.14159265358979323846 * row / (BALL_ROWS - 1);
    ball.along[row] = -radius * cos(angle);
    ball.radius[row] = radius * sin(angle);
  }
  add_lathe(stage, &ball, colour);
}

static void add_arrow(Stage *stage, tacVec3 from, tacVec3 along, double thickness, const float colour[3]) {
  double length = tac_vec3_norm(along), head = fmin(5.0 * thickness, 0.6 * length);
  double shaft = fmin(thickness, 0.2 * length), wide = 2.2 * shaft;
  Lathe arrow = {.origin = from,
                 .axis = tac_vec3_unit(along),
                 .rows = ARROW_ROWS,
                 .along = {0.0, 0.0, length - head, length - head, length},
                 .radius = {0.0, shaft, shaft, wide, 0.0}};
  add_lathe(stage, &arrow, colour);
}

/* Leaves |u| of each vertex in `moved`: how far it is from where it would be in a body at rest, wherever that is now; and
 * colours rigid bodies, whose numbers are negative there. */
static void add_bodies(Stage *stage, const tacWorld *world, const tacSnapshot *snapshot, double *moved) {
  int rigid_count = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    const tacTriMesh *surface = tac_world_body_surface(world, id);
    bool rigid = tac_world_body_shown(world, id) == TAC_SHOWN_RIGID;
    tacPose pose = tac_world_snapshot_pose(world, snapshot, id);
    tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
    tacVec3 *vertices = stage->mesh->vertices + stage->vertices;
    tac_world_surface(world, snapshot, id, vertices);
    for (int i = 0; i < surface->vertex_count; ++i) {
      tacVec3 rest = tac_vec3_add(pose.position, tac_quat_rotate(turn, surface->vertices[i]));
      if (!tac_vec3_finite(vertices[i])) vertices[i] = rest;
      moved[stage->vertices + i] = rigid ? -1.0 : tac_vec3_distance(vertices[i], rest);
      if (rigid) rigid_colour(rigid_count, stage->colours[stage->vertices + i]);
    }
    rigid_count += rigid;
    for (int t = 0; t < surface->triangle_count; ++t) {
      tacTriangle triangle = surface->triangles[t];
      for (int k = 0; k < 3; ++k) triangle.v[k] += stage->vertices;
      stage->mesh->triangles[stage->triangles++] = triangle;
    }
    stage->vertices += surface->vertex_count;
  }
}

/* The longest arrow is a third of the scene. */
static void add_tools(Stage *stage, const tacSnapshot *snapshot, tacBox box) {
  static const float tool_colour[3] = {0.80f, 0.82f, 0.85f}, proxy_colour[3] = {0.03f, 0.55f, 0.30f},
                     force_colour[3] = {0.02f, 0.40f, 0.22f};
  double most = 0.0, extent = tac_vec3_norm(tac_box_size(box)), radius = 0.016 * extent;
  for (int t = 0; t < snapshot->tool_count; ++t) most = fmax(most, tac_vec3_norm(snapshot->output[t].force));
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacToolOutput *output = &snapshot->output[t];
    /* A tool far away must not make the bodies small. */
    if (tac_vec3_distance(snapshot->position[t], tac_box_centre(box)) > 1.5 * extent) continue;
    add_ball(stage, snapshot->position[t], radius, tool_colour);
    if (output->contact.state == TAC_CONTACT_NONE) continue;
    add_ball(stage, output->proxy, 0.8 * radius, proxy_colour);
    double size = tac_vec3_norm(output->force);
    if (size > 1e-3 * most && most > 0.0)
      add_arrow(stage, output->proxy, tac_vec3_scale(extent / (3.0 * most), output->force), 0.35 * radius,
                force_colour);
  }
}

tacStatus tac_run_picture_draw(const tacWorld *world, tacRecording *recording, int64_t index, int width, int height,
                               const tacProgress *progress, tacImage *image, double *displacement_max,
                               tacError *error) {
  *image = (tacImage){0};
  if (displacement_max != NULL) *displacement_max = 0.0;
  int64_t vertices = 0, triangles = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    const tacTriMesh *surface = tac_world_body_surface(world, tac_world_body(world, b));
    vertices += surface->vertex_count;
    triangles += surface->triangle_count;
  }
  if (triangles == 0) return TAC_OK;
  int64_t tool_vertices = (int64_t)tac_world_tool_count(world) * PER_TOOL * AROUND;
  if (vertices + tool_vertices > INT_MAX || triangles + 2 * tool_vertices > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the bodies have too many triangles for one picture");

  TAC_OWN(tacTriMesh, mesh) = NULL;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacSnapshot snapshot;
  TAC_TRY(tac_trimesh_create((int)(vertices + tool_vertices), (int)(triangles + 2 * tool_vertices), &mesh, error));
  double *moved = tac_arrays_add(&work, (size_t)vertices, sizeof *moved);
  double *state = tac_arrays_add(&work, (size_t)tac_world_state_size(world), sizeof *state);
  Stage stage = {.mesh = mesh};
  stage.colours = tac_arrays_add(&work, (size_t)(vertices + tool_vertices), sizeof *stage.colours);
  TAC_TRY(tac_arrays_status(&work, "the moment of a picture", error));
  TAC_TRY(tac_recording_snapshot(recording, world, index, state, &snapshot, error));
  add_bodies(&stage, world, &snapshot, moved);
  double most = 0.0;
  for (int i = 0; i < stage.vertices; ++i) most = fmax(most, moved[i]);
  for (int i = 0; i < stage.vertices; ++i)
    if (moved[i] >= 0.0) displacement_colour(most > 0.0 ? moved[i] / most : 0.0, stage.colours[i]);
  if (displacement_max != NULL) *displacement_max = most;
  tacBox box = tac_box_empty();
  for (int i = 0; i < stage.vertices; ++i) box = tac_box_add(box, stage.mesh->vertices[i]);
  int standing = stage.vertices; /* arrows may point into the ground */
  add_tools(&stage, &snapshot, box);
  stage.mesh->vertex_count = stage.vertices;
  stage.mesh->triangle_count = stage.triangles;

  tacPictureDef def = tac_picture_def_default();
  def.width = width;
  def.height = height;
  def.standing = standing;
  def.progress = progress;
  double largest = 0.0;
  for (int t = 0; t < snapshot.tool_count; ++t) { /* the largest force is in view */
    double size = tac_vec3_norm(snapshot.output[t].force);
    if (size <= largest) continue;
    largest = size;
    def.front = snapshot.output[t].contact.normal;
  }
  return tac_picture_coloured(stage.mesh, (const float(*)[3])stage.colours, &def, image, error);
}
