#include "spec/scene_body.h"

#include <stdio.h>
#include <string.h>
#include <tactus/meshing.h>
#include <tactus/scene.h>
#include "base/nearest.h"
#include "math/geometry/quat.h"
#include "shape/shape.h"
#include "spec/text/scene_fields.h"
#include "spec/tissue.h"
#include "world/world_build.h"

/* Meshes */

static tacStatus refuse(const tacYamlTree *tree, const tacYamlNode *node, const char *key, const char *why,
                        tacError *error) {
  return tac_yaml_error(tree, tac_yaml_child(node, key), TAC_ERR_FORMAT, error, "%s", why);
}

static tacStatus check_surface(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneSurface *s = record;
  if ((s->shape != NULL) == (s->file != NULL))
    return tac_yaml_error(tree, s->node, TAC_ERR_FORMAT, error,
                          "a surface needs either a gallery shape or a file; write it like {shape: kidney, vertices: "
                          "322} or {file: organ.obj, scale: 0.001}");
  if (s->file != NULL && (s->has_vertices || s->has_size))
    return refuse(tree, s->node, s->has_vertices ? "vertices" : "size",
                  "this key applies only to gallery shapes; a file keeps its own resolution, so leave the key out",
                  error);
  if (s->file == NULL && s->has_scale)
    return refuse(tree, s->node, "scale",
                  "this key applies only to files; a gallery shape has a fixed size, so "
                  "leave the key out",
                  error);
  if (s->has_vertices && s->has_size)
    return refuse(tree, s->node, "size", "vertices and size are both given; give only one of them", error);
  if (s->shape == NULL || tac_shape_find(s->shape) != NULL) return TAC_OK;
  tacNearest nearest = {.given = s->shape};
  for (int i = 0; i < tac_shape_count(); ++i) tac_nearest_offer(&nearest, tac_shape_info(i)->name);
  return tac_yaml_error(tree, tac_yaml_child(s->node, "shape"), TAC_ERR_FORMAT, error,
                        "unknown shape %.40s; did you mean %s?", s->shape, nearest.best);
}

static void surface_defaults(void *record) {
  ((tacSceneSurface *)record)->scale = 1.0;
}

static const tacField surface_fields[] = {
    TAC_FIELD(tacSceneSurface, shape, TAC_TEXT),
    TAC_FIELD(tacSceneSurface, vertices, TAC_COUNT(12, 1e6), TAC_GIVEN(tacSceneSurface, has_vertices)),
    TAC_FIELD(tacSceneSurface, size, TAC_LENGTH, TAC_GIVEN(tacSceneSurface, has_size)),
    TAC_FIELD(tacSceneSurface, file, TAC_TEXT),
    TAC_FIELD(tacSceneSurface, scale, TAC_QUANTITY(NUMBER, 1e-9, 1e9), TAC_GIVEN(tacSceneSurface, has_scale)),
};
const tacRecord tac_scene_surface_record = {TAC_TABLE("a surface", tacSceneSurface, surface_fields),
                                            .defaults = surface_defaults, .check = check_surface};

static tacStatus check_bricks(const tacYamlTree *tree, const tacSceneVolume *v, tacError *error) {
  if (v->shape == NULL && v->has_size)
    return refuse(tree, v->node, "size",
                  "this key applies only to gallery shapes that define bricks; tets and "
                  "bricks already state their size",
                  error);
  if (v->shape == NULL) return TAC_OK;
  const tacShapeInfo *shape = tac_shape_find(v->shape);
  if (shape != NULL && shape->brick_size > 0.0) return TAC_OK;
  tacNearest nearest = {.given = v->shape};
  for (int i = 0; (shape = tac_shape_info(i)) != NULL; ++i)
    if (shape->brick_size > 0.0) tac_nearest_offer(&nearest, shape->name);
  return tac_yaml_error(tree, tac_yaml_child(v->node, "shape"), TAC_ERR_FORMAT, error,
                        "the shape %.40s does not define bricks; fill its surface with tets or bricks, or did you "
                        "mean %s?",
                        v->shape, nearest.best);
}

static tacStatus check_volume(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneVolume *v = record;
  if (v->has_tets + v->has_bricks + (v->file != NULL) + (v->shape != NULL) != 1)
    return tac_yaml_error(tree, v->node, TAC_ERR_FORMAT, error,
                          "a volume needs exactly one of tets, bricks, file and shape; write it like {tets: 6 mm} or "
                          "{file: beam.veg}");
  if (v->file == NULL && v->has_scale)
    return refuse(tree, v->node, "scale",
                  "this key applies only to files; a filled surface keeps its size, so leave "
                  "the key out",
                  error);
  if (v->has_fill && !v->has_bricks)
    return refuse(tree, v->node, "fill",
                  "this key applies only to bricks; it selects which bricks are kept at the "
                  "surface",
                  error);
  return check_bricks(tree, v, error);
}

bool tac_scene_volume_whole(const tacSceneVolume *volume) {
  return volume->file != NULL || volume->shape != NULL;
}

static void volume_defaults(void *record) {
  ((tacSceneVolume *)record)->scale = 1.0;
}

static const tacField volume_fields[] = {
    TAC_FIELD(tacSceneVolume, tets, TAC_LENGTH, TAC_GIVEN(tacSceneVolume, has_tets)),
    TAC_FIELD(tacSceneVolume, bricks, TAC_LENGTH, TAC_GIVEN(tacSceneVolume, has_bricks)),
    TAC_FIELD(tacSceneVolume, fill, TAC_CHOICE("centre|cover|shell"), TAC_GIVEN(tacSceneVolume, has_fill)),
    TAC_FIELD(tacSceneVolume, file, TAC_TEXT),
    TAC_FIELD(tacSceneVolume, shape, TAC_TEXT),
    TAC_FIELD(tacSceneVolume, size, TAC_LENGTH, TAC_GIVEN(tacSceneVolume, has_size)),
    TAC_FIELD(tacSceneVolume, scale, TAC_QUANTITY(NUMBER, 1e-9, 1e9), TAC_GIVEN(tacSceneVolume, has_scale)),
};
const tacRecord tac_scene_volume_record = {TAC_TABLE("a volume", tacSceneVolume, volume_fields),
                                           .defaults = volume_defaults, .check = check_volume};

/* Materials */

#define MOST_POISSON 0.4999

static tacStatus refuse_tissue(const tacYamlTree *tree, const tacSceneMaterial *m, tacError *error) {
  tacNearest nearest = {.given = m->tissue};
  char all[400] = "";
  for (int i = 0; i < tac_tissue_count(); ++i) {
    tac_nearest_offer(&nearest, tac_tissue_info(i)->name);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", tac_tissue_info(i)->name);
  }
  return tac_yaml_error(tree, tac_yaml_child(m->node, "tissue"), TAC_ERR_FORMAT, error,
                        "unknown material %.40s; did you mean %s? Available materials: %s", m->tissue, nearest.best,
                        all);
}

tacStatus tac_scene_material_take_tissue(const tacYamlTree *tree, tacSceneMaterial *m, tacError *error) {
  const tacTissue *tissue = m->tissue != NULL ? tac_tissue_find(m->tissue) : NULL;
  if (m->tissue != NULL && tissue == NULL) return refuse_tissue(tree, m, error);
  if (tissue == NULL && !m->has_density)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                          "a material needs a density; write it like density: 1000 kg/m3, or name a tissue: liver");
  if (tissue == NULL) return TAC_OK;
  if (!m->has_density) m->density = tissue->density;
  if (m->has_stiffness || m->parameters != NULL) return TAC_OK; /* these say all of the rest */
  if (!m->has_young) m->young = tissue->young;
  if (!m->has_poisson) m->poisson = tissue->poisson;
  m->has_young = m->has_poisson = true;
  return TAC_OK;
}

static tacStatus check_material(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMaterial *m = record;
  TAC_TRY(tac_scene_material_take_tissue(tree, m, error));
  if (m->has_stiffness ? m->has_young || m->has_poisson : !m->has_young || !m->has_poisson)
    return tac_yaml_error(
        tree, m->node, TAC_ERR_FORMAT, error,
        "a material needs young and poisson, or stiffness with 21 values; write it like {young: 20 kPa, poisson: "
        "0.45, density: 1050 kg/m3}, or material: liver");
  if (m->poisson > MOST_POISSON)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "poisson"), TAC_ERR_FORMAT, error,
                          "Poisson's ratio %g is too large: an incompressible material has an infinite bulk modulus; "
                          "use at most %g, for example 0.45",
                          m->poisson, MOST_POISSON);
  return TAC_OK;
}

#define MATERIAL_FIELDS                                                                                           \
  TAC_FIELD(tacSceneMaterial, young, TAC_QUANTITY(PRESSURE, 1e-3, 1e13), TAC_GIVEN(tacSceneMaterial, has_young)), \
      TAC_FIELD(tacSceneMaterial, poisson, TAC_QUANTITY(NUMBER, -0.99, 0.5),                                      \
                TAC_GIVEN(tacSceneMaterial, has_poisson)),                                                        \
      TAC_FIELD(tacSceneMaterial, density, TAC_QUANTITY(DENSITY, 1e-3, 1e6),                                      \
                TAC_GIVEN(tacSceneMaterial, has_density)),                                                        \
      TAC_FIELD(tacSceneMaterial, tissue, TAC_TEXT),                                                              \
      TAC_FIELD(tacSceneMaterial, stiffness, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_PRESSURE,     \
                .count = 21, TAC_GIVEN(tacSceneMaterial, has_stiffness))
static const tacField material_fields[] = {MATERIAL_FIELDS};
const tacRecord tac_scene_material_record = {TAC_TABLE("a material", tacSceneMaterial, material_fields),
                                             .check = check_material, .short_for = "tissue"};

/* One of a list also says where it is. */
tacStatus tac_scene_material_check_place(const tacYamlTree *tree, const tacSceneMaterial *m, tacError *error) {
  if (m->group != NULL && m->in.count > 0)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error, "group and in are both given; give only one of them");
  if (m->group == NULL && m->in.count == 0 && m->node->index > 0)
    return tac_yaml_error(
        tree, m->node, TAC_ERR_FORMAT, error,
        "this material has no region, and only the first material of a list may apply everywhere; write it like in: "
        "[{above: {axis: z, at: 20 mm}}], or group: NAME of the mesh");
  if (m->name == NULL && m->group == NULL && m->tissue == NULL)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                          "a material in a list needs a name; write it like name: cables");
  return TAC_OK;
}

static tacStatus check_placed_material(const tacYamlTree *tree, void *record, tacError *error) {
  TAC_TRY(tac_scene_material_check_place(tree, record, error));
  return check_material(tree, record, error);
}

static const tacField placed_material_fields[] = {
    MATERIAL_FIELDS,
    TAC_FIELD(tacSceneMaterial, name, TAC_NAME),
    TAC_FIELD(tacSceneMaterial, group, TAC_TEXT),
    TAC_FIELD(tacSceneMaterial, in, TAC_LIST(tac_scene_region_record)),
};
const tacRecord tac_scene_materials_record = {TAC_TABLE("a material", tacSceneMaterial, placed_material_fields),
                                              .check = check_placed_material};

const char *tac_scene_material_name(const tacSceneMaterial *material) {
  if (material->name != NULL) return material->name;
  if (material->group != NULL) return material->group;
  return material->tissue != NULL ? material->tissue : "body";
}

tacStatus tac_scene_body_check_volume(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_volume)
    return tac_yaml_error(
        tree, b->node, TAC_ERR_FORMAT, error,
        "finite elements need a volume; write it like volume: {tets: 6 mm} beside surface, or volume: {file: "
        "beam.veg}");
  if (!tac_scene_volume_whole(&b->volume) && !b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "tets and bricks fill a surface, and none is given; write it like surface: {shape: kidney}");
  return TAC_OK;
}

tacStatus tac_scene_body_check_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  TAC_TRY(tac_scene_body_check_volume(tree, b, error));
  if (!tac_scene_volume_whole(&b->volume) || !b->has_surface) return TAC_OK;
  return tac_yaml_error(tree, b->surface.node, TAC_ERR_FORMAT, error,
                        "the %s of volume already has a surface; leave out either volume or surface",
                        b->volume.file != NULL ? "file" : "shape");
}

/* Names of materials are names of groups. */
tacStatus tac_scene_body_check_material_names(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  for (int i = 0; i < b->materials.count; ++i)
    for (int k = 0; k < i; ++k) {
      const tacSceneMaterial *one = tac_scene_body_material(b, i);
      const char *name = tac_scene_material_name(one);
      if (strcmp(name, tac_scene_material_name(tac_scene_body_material(b, k))) != 0) continue;
      return tac_yaml_error(tree, one->node, TAC_ERR_FORMAT, error,
                            "materials[%d] is already called %s; material names must be unique", k, name);
    }
  return TAC_OK;
}

tacStatus tac_scene_body_check_materials(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->has_material == (b->materials.count > 0))
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a body needs either material or materials; write it like material: {young: 20 kPa, "
                          "poisson: 0.45, density: 1050 kg/m3}");
  return tac_scene_body_check_material_names(tree, b, error);
}

/* Motion and contact */

const tacField tac_scene_spring_fields[2] = {
    TAC_FIELD(tacSceneSpring, stiffness, TAC_QUANTITY(STIFFNESS, 1e-3, 1e7)),
    TAC_FIELD(tacSceneSpring, damping, TAC_QUANTITY(DAMPING, 0.0, 1e5)),
};

static void touch_defaults(void *record) {
  tacBodyDef def = tac_body_def_default();
  ((tacSceneSpring *)record)->stiffness = def.touch_stiffness;
  ((tacSceneSpring *)record)->damping = def.touch_damping;
}

static void contact_defaults(void *record) {
  tacBodyDef def = tac_body_def_default();
  ((tacSceneSpring *)record)->stiffness = def.contact_stiffness;
  ((tacSceneSpring *)record)->damping = def.contact_damping;
}

const tacRecord tac_scene_touch_record = {TAC_TABLE("touch", tacSceneSpring, tac_scene_spring_fields),
                                          .defaults = touch_defaults};
const tacRecord tac_scene_contact_record = {TAC_TABLE("contact", tacSceneSpring, tac_scene_spring_fields),
                                            .defaults = contact_defaults};

void tac_scene_body_defaults(tacSceneBody *body) {
  tacBodyDef def = tac_body_def_default();
  body->every = def.every;
  body->friction = def.friction;
  touch_defaults(&body->touch);
  contact_defaults(&body->contact);
}

static tacStatus check_copies(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneCopies *c = record;
  const double grid[] = {c->grid.x, c->grid.y, c->grid.z};
  double count = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (grid[i] != floor(grid[i]))
      return tac_yaml_error(tree, tac_yaml_child(c->node, "grid"), TAC_ERR_FORMAT, error,
                            "%g is not a whole number; write it like grid: [8, 8, 8]", grid[i]);
    count *= grid[i];
  }
  if (count <= TAC_SCENE_MOST_COPIES) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(c->node, "grid"), TAC_ERR_FORMAT, error,
                        "too many copies (%.0f); at most %d are "
                        "allowed",
                        count, TAC_SCENE_MOST_COPIES);
}

static const tacField copies_fields[] = {
    TAC_FIELD(tacSceneCopies, grid, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_NUMBER, .count = 3,
              .lower = 1.0, .upper = TAC_SCENE_MOST_COPIES, TAC_REQUIRED),
    TAC_FIELD(tacSceneCopies, spacing, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneCopies, turn, TAC_FLAG),
};
const tacRecord tac_scene_copies_record = {TAC_TABLE("copies", tacSceneCopies, copies_fields), .check = check_copies};

tacStatus tac_scene_body_check_motion(const tacYamlTree *tree, const tacSceneBody *b, bool is_free, const char *how,
                                      tacError *error) {
  if (is_free || !(b->has_velocity || b->has_spin)) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(b->node, b->has_velocity ? "velocity" : "spin"), TAC_ERR_FORMAT, error,
                        "only a free body can have an initial velocity or spin; %s, or leave this key out", how);
}

tacStatus tac_scene_range_check(const tacYamlTree *tree, const tacSceneRanges *live, const char *key,
                                tacSceneRange range, const char *noun, double own, const tacYamlNode *value,
                                tacError *error) {
  const tacYamlNode *node = live->node != NULL ? tac_yaml_child(live->node, key) : NULL;
  if (node == NULL || (range.least < range.most && range.least <= own && own <= range.most)) return TAC_OK;
  const char *least = node->first->text, *most = node->first->next->text;
  if (!(range.least < range.most))
    return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                          "the range is empty: %.40s is not less than %.40s; "
                          "write it like [least, most]",
                          least, most);
  char text[32];
  snprintf(text, sizeof text, "%g", own); /* a default, without a unit */
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                        "the range does not contain the value of the %s: its %s "
                        "is %.40s, and the range is %.40s to %.40s",
                        noun, key, value != NULL ? value->text : text, least, most);
}

tacStatus tac_scene_body_check_live(const tacYamlTree *tree, const tacSceneBody *b, int count,
                                    const tacSceneLiveValue *values, tacError *error) {
  for (int i = 0; i < count; ++i)
    TAC_TRY(tac_scene_range_check(tree, &b->live, values[i].key, values[i].range, "body", values[i].own, values[i].node,
                                  error));
  return TAC_OK;
}

tacPose tac_scene_body_pose(const tacSceneBody *body) {
  tacQuat q = tac_quat_from_axis_angle(body->rotation.axis, body->rotation.angle);
  return (tacPose){body->position, {q.w, q.x, q.y, q.z}};
}
