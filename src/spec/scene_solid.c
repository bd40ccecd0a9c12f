#include "spec/scene_solid.h"

#include "asset/deformed_field.h"
#include "math/geometry/quat.h"
#include "shape/geodesic.h"
#include "spec/text/scene_fields.h"

/* Points and fields */

#define RESOLUTION TAC_COUNT(8, 1024)
#define OFFSET TAC_LENGTH, .words = "auto"
#define FIELD_FIELDS                                                                  \
  TAC_FIELD(tacSceneField, resolution, RESOLUTION),                                   \
      TAC_FIELD(tacSceneField, expansion, TAC_QUANTITY(NUMBER, 1.05, 10.0)),          \
      TAC_FIELD(tacSceneField, offset, OFFSET, TAC_GIVEN(tacSceneField, has_offset)), \
      TAC_FIELD(tacSceneField, file, TAC_TEXT)

/* What a file has is not said again. */
static tacStatus check_file(const tacYamlTree *tree, const tacYamlNode *node, const char *const *keys,
                            tacError *error) {
  if (tac_yaml_child(node, "file") == NULL) return TAC_OK;
  for (; *keys != NULL; ++keys)
    if (tac_yaml_child(node, *keys) != NULL)
      return tac_yaml_error(tree, tac_yaml_child(node, *keys), TAC_ERR_FORMAT, error,
                            "the file already contains this setting; leave this key out, or remove `file` to bake "
                            "the asset");
  return TAC_OK;
}

static tacStatus check_field(const tacYamlTree *tree, void *record, tacError *error) {
  static const char *const keys[] = {"resolution", "expansion", "offset", NULL};
  return check_file(tree, ((const tacSceneField *)record)->node, keys, error);
}

static const tacField field_fields[] = {FIELD_FIELDS};
const tacRecord tac_scene_field_record = {TAC_TABLE("a field", tacSceneField, field_fields), .check = check_field};

static tacStatus check_deformed(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneField *field = record;
  TAC_TRY(check_field(tree, record, error));
  const tacSceneRegion *domains = field->domains.items;
  for (int i = 0; i < field->domains.count; ++i)
    if (domains[i].group != NULL)
      return tac_yaml_error(tree, tac_yaml_child(domains[i].node, "group"), TAC_ERR_FORMAT, error,
                            "a domain cannot be a group; cut it from the body with a half-space, a box or a sphere, "
                            "for example below: {axis: z, at: 5 mm}");
  int proxies = field->proxies > 0 ? field->proxies : tac_deformed_field_def_default().proxy_count;
  if (field->nearest > proxies)
    return tac_yaml_error(tree, tac_yaml_child(field->node, "nearest"), TAC_ERR_FORMAT, error,
                          "nearest is %d, but there are only %d proxies; use at most the number of proxies",
                          field->nearest, proxies);
  return TAC_OK;
}

#define DEFORMED_FIELDS                                                \
  FIELD_FIELDS, TAC_FIELD(tacSceneField, proxies, TAC_COUNT(1, 1000)), \
      TAC_FIELD(tacSceneField, nearest, TAC_COUNT(1, 100)),            \
      TAC_FIELD(tacSceneField, domains, TAC_LIST(tac_scene_region_record))
static const tacField deformed_fields[] = {DEFORMED_FIELDS};
const tacRecord tac_scene_deformed_record = {TAC_TABLE("a field", tacSceneField, deformed_fields),
                                             .check = check_deformed};

#define LOADS 64

/* Baked deformations are of the body as a whole. */
static tacStatus check_loaded(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneField *field = record;
  const tacYamlNode *loads = tac_yaml_child(field->node, "loads");
  if (loads == NULL && field->domains.count == 0) field->loads = LOADS;
  if (field->loads > 0 && field->domains.count > 0)
    return tac_yaml_error(tree, loads, TAC_ERR_FORMAT, error,
                          "a field with domains cannot have loads; write loads: 0, or remove `domains`");
  return check_deformed(tree, record, error);
}

static const tacField loaded_fields[] = {
    DEFORMED_FIELDS,
    TAC_FIELD(tacSceneField, loads, TAC_COUNT(0, 1e5)),
};
const tacRecord tac_scene_loaded_record = {TAC_TABLE("a field", tacSceneField, loaded_fields), .check = check_loaded};

static tacStatus check_points(const tacYamlTree *tree, void *record, tacError *error) {
  static const char *const keys[] = {"count", "levels", "resolution", "offset", NULL};
  return check_file(tree, ((const tacScenePoints *)record)->node, keys, error);
}

static const tacField points_fields[] = {
    TAC_FIELD(tacScenePoints, count, TAC_COUNT(10, 1e7)),
    TAC_FIELD(tacScenePoints, levels, TAC_COUNT(1, TAC_POINTSHELL_MOST_LEVELS)),
    TAC_FIELD(tacScenePoints, resolution, RESOLUTION),
    TAC_FIELD(tacScenePoints, offset, OFFSET, TAC_GIVEN(tacScenePoints, has_offset)),
    TAC_FIELD(tacScenePoints, file, TAC_TEXT),
};
const tacRecord tac_scene_points_record = {TAC_TABLE("points", tacScenePoints, points_fields), .check = check_points};

/* Exact solids */

static void half_space_defaults(void *record) {
  tacSceneHalfSpace *plane = record;
  plane->normal.axis = 2;
  plane->size = 0.5;
}

static tacStatus check_half_space(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneHalfSpace *plane = record;
  return tac_scene_normal_check(tree, plane->node, &plane->normal, error);
}

static const tacField half_space_fields[] = {
    TAC_SCENE_NORMAL(tacSceneHalfSpace, normal),
    TAC_FIELD(tacSceneHalfSpace, at, TAC_QUANTITY(LENGTH, -TAC_LARGEST, TAC_LARGEST)),
    TAC_FIELD(tacSceneHalfSpace, size, TAC_LENGTH),
};
static const tacRecord half_space_record = {TAC_TABLE("a plane", tacSceneHalfSpace, half_space_fields),
                                            .defaults = half_space_defaults, .check = check_half_space};

static const tacField capsule_fields[] = {
    TAC_FIELD(tacSceneCapsule, from, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneCapsule, to, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneCapsule, radius, TAC_LENGTH, TAC_REQUIRED),
};
static const tacRecord capsule_record = {TAC_TABLE("a capsule", tacSceneCapsule, capsule_fields)};

static const tacField solid_fields[] = {
    TAC_FIELD(tacSceneSolid, plane, TAC_RECORD(half_space_record), TAC_GIVEN(tacSceneSolid, has_plane)),
    TAC_FIELD(tacSceneSolid, sphere, TAC_RECORD(tac_scene_ball_record), TAC_GIVEN(tacSceneSolid, has_sphere)),
    TAC_FIELD(tacSceneSolid, box, TAC_RECORD(tac_scene_box_record), TAC_GIVEN(tacSceneSolid, has_box)),
    TAC_FIELD(tacSceneSolid, capsule, TAC_RECORD(capsule_record), TAC_GIVEN(tacSceneSolid, has_capsule)),
};
const tacRecord tac_scene_solid_record = {TAC_TABLE("a solid", tacSceneSolid, solid_fields), .exactly_one = true};

/* Their fields */

tacStatus tac_scene_solid_field(const tacSceneSolid *s, tacDistanceField **field, tacError *error) {
  if (s->has_plane) return tac_distance_field_plane(s->plane.normal.vector, s->plane.at, field, error);
  if (s->has_sphere) return tac_distance_field_sphere(s->sphere.centre, s->sphere.radius, field, error);
  if (s->has_box) return tac_distance_field_box((tacBox){s->box.lower, s->box.upper}, field, error);
  return tac_distance_field_capsule(s->capsule.from, s->capsule.to, s->capsule.radius, field, error);
}

static tacVec3 axis_vector(int axis) {
  return tac_vec3(axis == 0, axis == 1, axis == 2);
}

tacStatus tac_scene_region_field(const tacSceneRegion *r, tacDistanceField **field, tacError *error) {
  if (r->has_below) return tac_distance_field_plane(axis_vector(r->below.axis), r->below.at, field, error);
  if (r->has_above)
    return tac_distance_field_plane(tac_vec3_scale(-1.0, axis_vector(r->above.axis)), -r->above.at, field, error);
  if (r->has_box) return tac_distance_field_box((tacBox){r->box.lower, r->box.upper}, field, error);
  return tac_distance_field_sphere(r->sphere.centre, r->sphere.radius, field, error);
}

/* Their meshes */

static tacStatus box_mesh(tacBox box, tacQuat turn, tacTriMesh **mesh, tacError *error) {
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  TAC_TRY(tac_trimesh_create(8, 12, mesh, error));
  for (int i = 0; i < 8; ++i)
    (*mesh)->vertices[i] =
        tac_quat_rotate(turn, tac_vec3(i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                                       i & 4 ? box.upper.z : box.lower.z));
  for (int i = 0; i < 6; ++i) {
    const int *f = faces[i];
    (*mesh)->triangles[2 * i] = (tacTriangle){{f[0], f[1], f[2]}};
    (*mesh)->triangles[2 * i + 1] = (tacTriangle){{f[0], f[2], f[3]}};
  }
  return TAC_OK;
}

/* A slab below the plane, around the point of it that is nearest to the origin. */
static tacStatus plane_mesh(const tacSceneHalfSpace *p, tacTriMesh **mesh, tacError *error) {
  tacVec3 z = tac_vec3(0.0, 0.0, 1.0), n = p->normal.vector, axis = tac_vec3_cross(z, n);
  if (tac_vec3_norm2(axis) == 0.0) axis = tac_vec3(1.0, 0.0, 0.0);
  double half = 0.5 * p->size;
  tacBox slab = {tac_vec3(-half, -half, p->at - 0.02 * p->size), tac_vec3(half, half, p->at)};
  return box_mesh(slab, tac_quat_from_axis_angle(axis, acos(fmax(-1.0, fmin(1.0, n.z)))), mesh, error);
}

/* A sphere whose halves are apart. */
static tacStatus capsule_mesh(tacVec3 from, tacVec3 to, double radius, tacTriMesh **mesh, tacError *error) {
  tacVec3 axis = tac_vec3_sub(to, from);
  TAC_TRY(tac_geodesic_sphere(radius, 12, mesh, error));
  for (int i = 0; i < (*mesh)->vertex_count; ++i) {
    tacVec3 *v = &(*mesh)->vertices[i];
    *v = tac_vec3_add(*v, tac_vec3_dot(*v, axis) > 0.0 ? to : from);
  }
  return TAC_OK;
}

tacStatus tac_scene_solid_mesh(const tacSceneSolid *s, tacTriMesh **mesh, tacError *error) {
  if (s->has_plane) return plane_mesh(&s->plane, mesh, error);
  if (s->has_sphere) return capsule_mesh(s->sphere.centre, s->sphere.centre, s->sphere.radius, mesh, error);
  if (s->has_box) return box_mesh((tacBox){s->box.lower, s->box.upper}, tac_quat_identity(), mesh, error);
  return capsule_mesh(s->capsule.from, s->capsule.to, s->capsule.radius, mesh, error);
}
