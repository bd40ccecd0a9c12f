#include "collide/field_meeting.h"

#include <tactus/rigid.h>
#include "asset/distance_field.h"
#include "asset/field_reach.h"
#include "kinds/rigid/rigid_kind.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "mesh/make_mesh.h"

/* A torus that touches a capsule. With a proximity, its vertices can be displaced. */
typedef struct Case {
  tacTriMesh *mesh;
  tacBody body;
  tacBodySurface *surface;
  tacSurfaceWalk walk;
  tacProximity proximity;
  tacBodyPoints points;
  tacDistanceField *field;
  tacFieldReach reach;
  tacFieldSlack slack;
  tacVec3 shift; /* displacement of the field */
  tacArena arena;
} Case;

static void make_case(bool deforms, Case *c) {
  c->mesh = make_torus(0.04, 0.015, 40, 24);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.surface = c->mesh;
  tac_test_ok(tac_rigid_kind_create(&def, &c->body, &error), error);
  tac_test_ok(tac_body_surface_create(c->mesh, &c->surface, &error), error);
  tac_test_ok(tac_surface_walk_create(c->mesh, &c->walk, &error), error);
  tac_test_ok(tac_proximity_create(&c->walk, &c->proximity, &error), error);
  tac_test_ok(
      tac_body_points_create(&c->body, c->surface, 8, false, deforms ? &c->proximity : NULL, &c->points, &error),
      error);
  ck_assert_int_eq(c->points.few, 0); /* so that the tree is searched */
  const tacVec3 a = {-0.02, 0.0, 0.0}, b = {0.02, 0.0, 0.0};
  tac_test_ok(tac_distance_field_capsule(a, b, 0.01, &c->field, &error), error);
  c->reach = tac_field_reach(c->field);
  c->slack.boxes = tac_test_alloc((size_t)c->surface->tree->node_count * sizeof *c->slack.boxes);
  c->slack.triangles = tac_test_doubles((size_t)c->mesh->triangle_count);
  tac_test_ok(tac_arena_create(tac_field_meeting_room(), "test", &c->arena, &error), error);
}

static void free_case(Case *c) {
  tac_body_points_destroy(&c->points);
  tac_proximity_destroy(&c->proximity);
  tac_surface_walk_destroy(&c->walk);
  tac_body_surface_destroy(c->surface);
  c->body.table->destroy(c->body.self);
  tac_trimesh_destroy(c->mesh);
  tac_distance_field_destroy(c->field);
  tac_arena_destroy(&c->arena);
}

/* The value of the field displaced by `shift`. */
static double look(const void *context, tacVec3 x, tacVec3 *gradient) {
  const Case *c = context;
  x = tac_vec3_sub(x, c->shift);
  return gradient != NULL ? tac_distance_field_gradient(c->field, x, gradient) : tac_distance_field_value(c->field, x);
}

/* Each vertex within the margin is a candidate, and no other vertex is. */
static void check_vertices(const Case *c, const tacFieldSearch *search, const tacFieldCandidate *found, int count) {
  int wanted = 0, vertices = 0;
  for (int v = 0; v < c->mesh->vertex_count; ++v) {
    tacVec3 x =
        tac_vec3_add(tac_mat3_mul_vec(search->turn, tac_body_points_vertex(&c->points, &c->body, v)), search->shift);
    wanted += look(c, x, NULL) < search->margin;
  }
  for (int i = 0; i < count; ++i) vertices += found[i].feature == TAC_FEATURE_VERTEX;
  ck_assert_int_eq(vertices, wanted);
}

/* Each vertex is inside the boxes of its triangles, up to `late`. */
static void check_boxes(const Case *c) {
  const tacBoxTree *tree = c->surface->tree;
  double late = tree->scale * c->points.late * (1.0 + 1e-6);
  for (int n = 0; n < tree->node_count; ++n)
    for (int k = 0; k < TAC_BOX_TREE_WIDTH; ++k) {
      const tacBoxTreeNode *node = &c->points.nodes[n];
      for (int i = 0; i < 3 * node->count[k]; ++i) {
        int v = c->mesh->triangles[tree->order[node->first[k] + i / 3]].v[i % 3];
        tacVec3 x = tac_box_tree_local(tree, tac_body_points_vertex(&c->points, &c->body, v));
        const double at[3] = {x.x, x.y, x.z};
        for (int axis = 0; axis < 3; ++axis)
          ck_assert_double_le(fabs(at[axis] - (double)node->centre[axis][k]), (double)node->half[axis][k] + late);
      }
    }
}

/* A search that remembers what is far away finds the same candidates in the same order, while the body moves, turns and
 * deforms, the field is displaced, and the margin changes. */
static void check_slack(bool deforms, bool displaced, double most_saved) {
  TAC_FREED(free_case, Case, c) = {0};
  make_case(deforms, &c);
  tacRandom random = tac_random_seed(3);
  static tacFieldCandidate candidates[2][TAC_FIELD_MEETING_CANDIDATES];
  size_t vertices = (size_t)c.mesh->vertex_count;
  tacVec3 *by = tac_test_alloc(vertices * sizeof *by);
  tacVec3 at = {0.0, 0.0, 0.02}, bends = {0.0, 0.0, 0.0}, way = at, axis = at;
  tacQuat turn = tac_quat_identity();
  long cost[2] = {0, 0}, near = 0;
  for (int tick = 0; tick < (tac_test_light() ? 800 : 8000); ++tick) {
    /* Only one of the four motions at a time, steadily in one direction: so no other motion covers an error of it. */
    int motion = tick / 40 % 4;
    if (tick % 40 == 0) {
      way = tac_vec3_scale(2e-4, tac_vec3_unit(tac_random_in_cube(&random, 1.0)));
      if (tac_vec3_norm(tac_vec3_mad(at, 40.0, way)) > 0.05) way = tac_vec3_scale(-2e-4, tac_vec3_unit(at));
      axis = tac_vec3_unit(tac_random_in_cube(&random, 1.0));
    }
    if (motion == 0) at = tac_vec3_add(at, way);
    if (motion == 1) turn = tac_quat_mul(tac_quat_from_axis_angle(axis, 0.01), turn);
    if (motion == 2) bends = tac_vec3_scale(tac_vec3_norm(bends) > 4e-3 ? 0.9 : 1.0, tac_vec3_add(bends, way));
    if (tick % 211 == 210) bends = tac_vec3(0.0, 0.0, 0.0);
    for (size_t v = 0; deforms && v < vertices; ++v) by[v] = tac_vec3_scale(sin(50.0 * c.mesh->vertices[v].x), bends);
    if (deforms) tac_body_points_displace(&c.points, c.surface, by, tac_vec3_norm(bends));
    if (displaced && motion == 3)
      c.shift = tac_vec3_scale(tac_vec3_norm(c.shift) > 4e-3 ? 0.9 : 1.0, tac_vec3_add(c.shift, way));
    double margin = tick % 50 < 5 ? 2e-3 : 2e-4;
    tacBox box = {{-0.03, -0.01, -0.01}, {0.03, 0.01, 0.01}};
    tacFieldSearch search = {.turn = tac_quat_to_mat3(tac_quat_normalise(turn)),
                             .shift = at,
                             .margin = margin,
                             .box = tac_box_expand(box, margin + tac_vec3_norm(c.shift)),
                             .field = c.field,
                             .reach = &c.reach,
                             .swelling = tac_vec3_norm(c.shift),
                             .look = displaced ? look : NULL,
                             .context = &c,
                             .faces = !deforms,
                             .sag = 1e-6,
                             .depth = INFINITY,
                             .piece = 0.01};
    tacFieldFound found[2];
    for (int k = 0; k < 2; ++k) {
      search.slack = k == 1 ? &c.slack : NULL;
      tac_field_meeting_find(&c.points, &c.body, c.surface, &search, &c.arena, candidates[k], &found[k]);
      ck_assert_int_eq(found[k].lost, 0);
      cost[k] += found[k].cost;
    }
    ck_assert_int_eq(found[0].count, found[1].count);
    for (int i = 0; i < found[0].count; ++i) {
      const tacFieldCandidate *a = &candidates[0][i], *b = &candidates[1][i];
      ck_assert(a->feature == b->feature && a->index == b->index && a->part == b->part && a->gap == b->gap);
    }
    if (tick % 7 == 0) check_boxes(&c);
    if (!displaced) check_vertices(&c, &search, candidates[1], found[1].count);
    near += found[0].count > 0;
  }
  tac_test_print("%ld searches with candidates, cost %ld, with slack %ld\n", near, cost[0], cost[1]);
  ck_assert_int_gt(near, tac_test_light() ? 10 : 100);
  ck_assert_double_lt((double)cost[1], most_saved * (double)cost[0]);
}

TAC_TEST(slack_does_not_change_the_candidates_of_a_rigid_body) {
  check_slack(false, false, 1.0);
}

TAC_TEST(slack_does_not_change_the_candidates_of_a_body_that_deforms) {
  check_slack(true, false, 0.8);
}

TAC_TEST(slack_does_not_change_the_candidates_in_a_displaced_field) {
  check_slack(true, true, 1.0);
}
