#include "scene/scene_body.h"

#include <stdio.h>
#include <string.h>
#include <tactus/green_bake.h>
#include <tactus/reduced_bake.h>
#include <tactus/shape.h>
#include "asset/reduced_polynomial.h"
#include "base/nearest.h"
#include "math/quat.h"
#include "scene/scene_fields.h"

/* Meshes */

static tacStatus check_surface(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneSurface *s = record;
  if ((s->shape != NULL) == (s->file != NULL))
    return tac_yaml_error(tree, s->node, TAC_ERR_FORMAT, error,
                          "a surface is either a shape of the gallery or a file; write it like {shape: kidney, "
                          "vertices: 322} or {file: organ.obj, scale: 0.001}");
  if (s->file != NULL && (s->has_vertices || s->has_size))
    return tac_yaml_error(tree, tac_yaml_child(s->node, s->has_vertices ? "vertices" : "size"), TAC_ERR_FORMAT, error,
                          "is for shapes of the gallery; a file is as fine as it is");
  if (s->file == NULL && s->has_scale)
    return tac_yaml_error(tree, tac_yaml_child(s->node, "scale"), TAC_ERR_FORMAT, error,
                          "is for files; a shape has its own size");
  if (s->has_vertices && s->has_size)
    return tac_yaml_error(tree, tac_yaml_child(s->node, "size"), TAC_ERR_FORMAT, error,
                          "give either vertices or size, not both");
  if (s->shape == NULL || tac_shape_find(s->shape) != NULL) return TAC_OK;
  tacNearest nearest = {.given = s->shape};
  for (int i = 0; i < tac_shape_count(); ++i) tac_nearest_offer(&nearest, tac_shape_info(i)->name);
  return tac_yaml_error(tree, tac_yaml_child(s->node, "shape"), TAC_ERR_FORMAT, error,
                        "there is no shape %.40s; did you mean %s?", s->shape, nearest.best);
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
static const tacRecord surface_record = {TAC_TABLE("a surface", tacSceneSurface, surface_fields),
                                         .defaults = surface_defaults, .check = check_surface};

static tacStatus check_volume(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneVolume *v = record;
  if (v->has_tets + v->has_bricks + (v->file != NULL) != 1)
    return tac_yaml_error(tree, v->node, TAC_ERR_FORMAT, error,
                          "a volume is one of tets, bricks and file; write it like {tets: 6 mm} or {file: beam.veg}");
  if (v->file == NULL && v->has_scale)
    return tac_yaml_error(tree, tac_yaml_child(v->node, "scale"), TAC_ERR_FORMAT, error,
                          "is for files; a filled surface has its size");
  if (v->has_fill && !v->has_bricks)
    return tac_yaml_error(tree, tac_yaml_child(v->node, "fill"), TAC_ERR_FORMAT, error,
                          "is for bricks: which of them are taken where the surface is");
  return TAC_OK;
}

static void volume_defaults(void *record) {
  ((tacSceneVolume *)record)->scale = 1.0;
}

static const tacField volume_fields[] = {
    TAC_FIELD(tacSceneVolume, tets, TAC_LENGTH, TAC_GIVEN(tacSceneVolume, has_tets)),
    TAC_FIELD(tacSceneVolume, bricks, TAC_LENGTH, TAC_GIVEN(tacSceneVolume, has_bricks)),
    TAC_FIELD(tacSceneVolume, fill, TAC_CHOICE("centre|cover|shell"), TAC_GIVEN(tacSceneVolume, has_fill)),
    TAC_FIELD(tacSceneVolume, file, TAC_TEXT),
    TAC_FIELD(tacSceneVolume, scale, TAC_QUANTITY(NUMBER, 1e-9, 1e9), TAC_GIVEN(tacSceneVolume, has_scale)),
};
static const tacRecord volume_record = {TAC_TABLE("a volume", tacSceneVolume, volume_fields),
                                        .defaults = volume_defaults, .check = check_volume};

/* Materials */

#define MOST_POISSON 0.4999

static tacStatus check_material(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMaterial *m = record;
  if (m->has_stiffness ? m->has_young || m->has_poisson : !m->has_young || !m->has_poisson)
    return tac_yaml_error(
        tree, m->node, TAC_ERR_FORMAT, error,
        "a material has young and poisson, or stiffness with 21 values; write it like {young: 20 kPa, "
        "poisson: 0.45, density: 1050 kg/m3}");
  if (m->poisson > MOST_POISSON)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "poisson"), TAC_ERR_FORMAT, error,
                          "%g: a material that keeps its volume has an infinite bulk modulus; take at most %g, such as "
                          "0.45",
                          m->poisson, MOST_POISSON);
  return TAC_OK;
}

#define MATERIAL_FIELDS                                                                                           \
  TAC_FIELD(tacSceneMaterial, young, TAC_QUANTITY(PRESSURE, 1e-3, 1e13), TAC_GIVEN(tacSceneMaterial, has_young)), \
      TAC_FIELD(tacSceneMaterial, poisson, TAC_QUANTITY(NUMBER, -0.99, 0.5),                                      \
                TAC_GIVEN(tacSceneMaterial, has_poisson)),                                                        \
      TAC_FIELD(tacSceneMaterial, density, TAC_QUANTITY(DENSITY, 1e-3, 1e6), TAC_REQUIRED),                       \
      TAC_FIELD(tacSceneMaterial, stiffness, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_PRESSURE,     \
                .count = 21, TAC_GIVEN(tacSceneMaterial, has_stiffness))
static const tacField material_fields[] = {MATERIAL_FIELDS};
static const tacRecord material_record = {TAC_TABLE("a material", tacSceneMaterial, material_fields),
                                          .check = check_material};

/* One of a list also says where it is. */
static tacStatus check_placed_material(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMaterial *m = record;
  if (m->group != NULL && m->in.count > 0)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error, "give either group or in, not both");
  if (m->group == NULL && m->in.count == 0 && m->node->index > 0)
    return tac_yaml_error(
        tree, m->node, TAC_ERR_FORMAT, error,
        "where? only the first material of a list is everywhere; write it like in: [{above: {axis: z, "
        "at: 20 mm}}], or group: NAME of the mesh");
  if (m->name == NULL && m->group == NULL)
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                          "a material of a list has a name; write it like name: cables");
  return check_material(tree, record, error);
}

static const tacField placed_material_fields[] = {
    MATERIAL_FIELDS,
    TAC_FIELD(tacSceneMaterial, name, TAC_NAME),
    TAC_FIELD(tacSceneMaterial, group, TAC_TEXT),
    TAC_FIELD(tacSceneMaterial, in, TAC_LIST(tac_scene_region_record)),
};
static const tacRecord placed_material_record = {TAC_TABLE("a material", tacSceneMaterial, placed_material_fields),
                                                 .check = check_placed_material};

const char *tac_scene_material_name(const tacSceneMaterial *material) {
  if (material->name != NULL) return material->name;
  return material->group != NULL ? material->group : "body";
}

/* Elastostatic bodies */

static const tacField sensor_fields[] = {
    TAC_FIELD(tacSceneSensor, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, kind, TAC_CHOICE("displacement|stress"), TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, point, TAC_POINT, TAC_REQUIRED),
};
static const tacRecord sensor_record = {TAC_TABLE("a sensor", tacSceneSensor, sensor_fields)};

static tacStatus check_boundary_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "boundary elements need a surface; write it like surface: {shape: kidney, vertices: 322}");
  if (b->has_volume)
    return tac_yaml_error(
        tree, b->volume.node, TAC_ERR_FORMAT, error,
        "boundary elements take the surface alone; leave volume out or write method: finite-elements");
  if (b->materials.count > 0)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "materials"), TAC_ERR_FORMAT, error,
                          "boundary elements take one material; give material instead");
  if (b->material.has_stiffness)
    return tac_yaml_error(tree, tac_yaml_child(b->material.node, "stiffness"), TAC_ERR_FORMAT, error,
                          "boundary elements take isotropic materials: give young and poisson, or write method: "
                          "finite-elements");
  return TAC_OK;
}

static tacStatus check_finite_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_volume)
    return tac_yaml_error(
        tree, b->node, TAC_ERR_FORMAT, error,
        "finite elements need a volume; write it like volume: {tets: 6 mm} beside surface, or volume: "
        "{file: beam.veg}");
  if (b->volume.file == NULL && !b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "tets and bricks fill a surface; write it like surface: {shape: kidney}");
  return TAC_OK;
}

static tacStatus check_storage(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if ((b->storage == TAC_GREEN_NEAR) != b->has_near_radius)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "storage: near and near_radius belong together; write it like near_radius: 20 mm");
  if (b->storage == TAC_GREEN_NEAR && b->live.mask.most > 0.0)
    return tac_yaml_error(tree, tac_yaml_child(b->live.node, "mask"), TAC_ERR_FORMAT, error,
                          "cannot be changed where storage is near; leave it out or write storage: whole");
  return TAC_OK;
}

static tacStatus check_green(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->method == TAC_GREEN_BOUNDARY_ELEMENTS) return check_boundary_elements(tree, b, error);
  tacStatus status = check_finite_elements(tree, b, error);
  if (status == TAC_OK && b->volume.file != NULL && b->has_surface)
    return tac_yaml_error(tree, b->surface.node, TAC_ERR_FORMAT, error,
                          "the file of volume has its own surface; leave one of the two out");
  return status;
}

/* Reduced bodies */

static tacStatus check_basis(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneBasis *b = record;
  if (b->from != TAC_BASIS_MODES && tac_yaml_child(b->node, "modes") == NULL) b->modes = 0;
  if (b->from == TAC_BASIS_MODES && b->modes == 0)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "modes"), TAC_ERR_FORMAT, error,
                          "a basis from modes needs at least 1");
  return TAC_OK;
}

static void basis_defaults(void *record) {
  tacSceneBasis *basis = record;
  tacReducedDef def = tac_reduced_def_default();
  basis->modes = def.mode_count;
  basis->size = def.size;
  basis->step = def.motion_step;
}

#define MODES (1u << TAC_BASIS_MODES)
#define SKETCH (1u << TAC_BASIS_SKETCH)
#define MOTION (1u << TAC_BASIS_MOTION)
static const tacField basis_fields[] = {
    TAC_FIELD(tacSceneBasis, from, TAC_CHOICE("modes|sketch|motion"), TAC_REQUIRED),
    TAC_FIELD(tacSceneBasis, file, TAC_TEXT, TAC_REQUIRED, .variants = SKETCH | MOTION),
    TAC_FIELD(tacSceneBasis, modes, TAC_COUNT(0, 1000)),
    TAC_FIELD(tacSceneBasis, size, TAC_COUNT(1, TAC_REDUCED_MOST)),
    TAC_FIELD(tacSceneBasis, step, TAC_QUANTITY(TIME, 1e-6, 1.0), .variants = MOTION),
    TAC_FIELD(tacSceneBasis, duration, TAC_QUANTITY(TIME, 0.0, 1e4), .variants = MOTION),
};
static const tacRecord basis_record = {TAC_TABLE("a basis", tacSceneBasis, basis_fields), .variant = &basis_fields[0],
                                       .defaults = basis_defaults, .check = check_basis};

static void damping_defaults(void *record) {
  tacSceneDamping *damping = record;
  tacReducedBodyDef def = tac_reduced_body_def_default();
  damping->mass = def.alpha_mass;
  damping->stiffness = def.beta_stiffness;
}

static const tacField damping_fields[] = {
    TAC_FIELD(tacSceneDamping, mass, TAC_QUANTITY(DECAY, 0.0, 1e6)),
    TAC_FIELD(tacSceneDamping, stiffness, TAC_QUANTITY(TIME, 0.0, 1e3)),
};
static const tacRecord damping_record = {TAC_TABLE("damping", tacSceneDamping, damping_fields),
                                         .defaults = damping_defaults};

static void touch_defaults(void *record) {
  tacSceneSpring *touch = record;
  tacReducedBodyDef def = tac_reduced_body_def_default();
  touch->stiffness = def.touch_stiffness;
  touch->damping = def.touch_damping;
}

static void contact_defaults(void *record) {
  tacSceneSpring *contact = record;
  tacReducedBodyDef def = tac_reduced_body_def_default();
  contact->stiffness = def.contact_stiffness;
  contact->damping = def.contact_damping;
}

static const tacField spring_fields[] = {
    TAC_FIELD(tacSceneSpring, stiffness, TAC_QUANTITY(STIFFNESS, 1e-3, 1e7)),
    TAC_FIELD(tacSceneSpring, damping, TAC_QUANTITY(DAMPING, 0.0, 1e5)),
};
static void rigid_touch_defaults(void *record) {
  tacSceneSpring *touch = record;
  tacRigidBodyDef def = tac_rigid_body_def_default();
  touch->stiffness = def.touch_stiffness;
  touch->damping = def.touch_damping;
}

static const tacRecord touch_record = {TAC_TABLE("touch", tacSceneSpring, spring_fields), .defaults = touch_defaults};
static const tacRecord rigid_touch_record = {TAC_TABLE("touch", tacSceneSpring, spring_fields),
                                             .defaults = rigid_touch_defaults};
static const tacRecord contact_record = {TAC_TABLE("contact", tacSceneSpring, spring_fields),
                                         .defaults = contact_defaults};

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
  return tac_yaml_error(tree, tac_yaml_child(c->node, "grid"), TAC_ERR_FORMAT, error, "%.0f copies; at most %d", count,
                        TAC_SCENE_MOST_COPIES);
}

static const tacField copies_fields[] = {
    TAC_FIELD(tacSceneCopies, grid, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_NUMBER, .count = 3,
              .lower = 1.0, .upper = TAC_SCENE_MOST_COPIES, TAC_REQUIRED),
    TAC_FIELD(tacSceneCopies, spacing, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneCopies, turn, TAC_FLAG),
};
static const tacRecord copies_record = {TAC_TABLE("copies", tacSceneCopies, copies_fields), .check = check_copies};

/* Only what is free can start with a motion of its own. */
static tacStatus check_motion(const tacYamlTree *tree, const tacSceneBody *b, bool is_free, const char *how,
                              tacError *error) {
  if (is_free || !(b->has_velocity || b->has_spin)) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(b->node, b->has_velocity ? "velocity" : "spin"), TAC_ERR_FORMAT, error,
                        "is of free bodies, at the start; %s, or leave it out", how);
}

static tacStatus check_free(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->reduced.basis.from == TAC_BASIS_SKETCH)
    return tac_yaml_error(tree, b->reduced.basis.node, TAC_ERR_FORMAT, error,
                          "a sketch is of shapes at rest under forces, and a free body has none: hold it with fixed, "
                          "or write from: modes");
  if (b->reduced.is_static)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "static"), TAC_ERR_FORMAT, error,
                          "a free body has inertia: hold it with fixed, or leave static out");
  return TAC_OK;
}

static tacStatus check_reduced(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneReduced *r = &b->reduced;
  tacStatus status = check_finite_elements(tree, b, error);
  if (status == TAC_OK && b->fixed.count == 0) status = check_free(tree, b, error);
  if (status == TAC_OK) status = check_motion(tree, b, b->fixed.count == 0, "leave fixed out", error);
  if (status != TAC_OK) return status;
  if (b->fixed.count > 0 && r->contact.node != NULL)
    return tac_yaml_error(tree, r->contact.node, TAC_ERR_FORMAT, error,
                          "is of free bodies with the floor and each other; this one is held: leave contact or fixed "
                          "out");
  if (r->keep > r->basis.size)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "keep"), TAC_ERR_FORMAT, error,
                          "%d vectors of a basis that has %d", r->keep, r->basis.size);
  if (r->copies.node != NULL && b->live.node != NULL)
    return tac_yaml_error(tree, b->live.node, TAC_ERR_FORMAT, error,
                          "a body with copies has no live parameters: each copy would have its own");
  return TAC_OK;
}

/* Rigid bodies */

static tacStatus check_inertia(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacVec3 i = b->rigid.inertia;
  const tacYamlNode *node = tac_yaml_child(b->node, "inertia");
  if (!b->rigid.has_density && !b->rigid.has_mass)
    return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                          "a body with inertia has mass, too; write it like mass: 20 g beside it");
  /* Each is the integral of two squares, of which the others have one each; a disk has the sum, but for rounding. */
  double sum = 0.5 * (i.x + i.y + i.z);
  if (fmax(i.x, fmax(i.y, i.z)) <= sum * (1.0 + 1e-9)) return TAC_OK;
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                        "no solid has these moments: none is larger than the sum of the other two; write it like "
                        "inertia: [2e-5 kg m2, 2e-5 kg m2, 3e-5 kg m2]");
}

static tacStatus check_mass(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRigid *r = &b->rigid;
  const tacSceneSolid *solids = b->analytic.items;
  if (r->has_density && r->has_mass)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "mass"), TAC_ERR_FORMAT, error,
                          "give either density or mass, not both");
  if (r->free && !r->has_density && !r->has_mass)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a free body needs density or mass; write it like density: 1000 kg/m3 or mass: 20 g");
  for (int i = 0; i < b->analytic.count && (r->has_density || r->has_mass); ++i)
    if (solids[i].has_plane)
      return tac_yaml_error(tree, solids[i].node, TAC_ERR_FORMAT, error,
                            "a plane is solid without end and has no mass; write it like box: {lower: [...], upper: "
                            "[...]}, or leave %s out",
                            r->has_density ? "density" : "mass");
  return r->has_inertia ? check_inertia(tree, b, error) : TAC_OK;
}

static tacStatus check_rigid(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->has_surface == (b->analytic.count > 0))
    return tac_yaml_error(
        tree, b->node, TAC_ERR_FORMAT, error,
        "a rigid body has surface or analytic, one of the two; write it like surface: {shape: box} or "
        "analytic: [{plane: {normal: z}}]");
  if (b->analytic.count > 0 && b->field.node != NULL)
    return tac_yaml_error(tree, b->field.node, TAC_ERR_FORMAT, error,
                          "is for surfaces; analytic is an exact field already: leave it out");
  if (b->analytic.count > 0 && b->points.node != NULL)
    return tac_yaml_error(tree, b->points.node, TAC_ERR_FORMAT, error,
                          "are fitted to a surface; write it like surface: {shape: box} instead of analytic");
  tacStatus status = check_mass(tree, b, error);
  return status == TAC_OK ? check_motion(tree, b, b->rigid.free, "write free: true", error) : status;
}

/* Bodies */

static void body_defaults(void *record) {
  tacSceneBody *body = record;
  tacGreenBodyDef green = tac_green_body_def_default();
  tacReducedBodyDef reduced = tac_reduced_body_def_default();
  body->stiffness = green.stiffness;
  body->rigid_stiffness = green.rigid_stiffness;
  body->friction = green.friction;
  basis_defaults(&body->reduced.basis);
  damping_defaults(&body->reduced.damping);
  touch_defaults(&body->reduced.touch);
  contact_defaults(&body->reduced.contact);
  body->reduced.newton = reduced.newton_steps;
  body->reduced.every = reduced.every;
  body->reduced.friction = reduced.friction;
  rigid_touch_defaults(&body->rigid.touch);
  body->rigid.friction = tac_rigid_body_def_default().friction;
}

tacStatus tac_scene_range_check(const tacYamlTree *tree, const tacSceneRanges *live, const char *key,
                                tacSceneRange range, const char *noun, double own, const tacYamlNode *value,
                                tacError *error) {
  const tacYamlNode *node = live->node != NULL ? tac_yaml_child(live->node, key) : NULL;
  if (node == NULL || (range.least < range.most && range.least <= own && own <= range.most)) return TAC_OK;
  const char *least = node->first->text, *most = node->first->next->text;
  if (!(range.least < range.most))
    return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "%.40s is not less than %.40s; a range is [least, most]",
                          least, most);
  char text[32];
  snprintf(text, sizeof text, "%g", own); /* a default, without a unit */
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "the %s's own %s, %.40s, is not from %.40s to %.40s", noun,
                        key, value != NULL ? value->text : text, least, most);
}

static tacStatus check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  bool reduced = b->kind == TAC_SCENE_REDUCED;
  const tacSceneRanges *live = &b->live;
  const tacSceneReduced *r = &b->reduced;
  const struct {
    const char *key;
    tacSceneRange range;
    double own;
    const tacYamlNode *value;
  } parameters[] = {
      {"stiffness", live->stiffness, reduced ? 1.0 : b->stiffness, tac_yaml_child(b->node, "stiffness")},
      {"friction", live->friction, reduced ? r->friction : b->friction, tac_yaml_child(b->node, "friction")},
      {"mask", live->mask, b->mask, tac_yaml_child(b->node, "mask")},
      {"damping", live->damping, r->damping.stiffness,
       r->damping.node != NULL ? tac_yaml_child(r->damping.node, "stiffness") : NULL},
      {"touch", live->touch, r->touch.stiffness,
       r->touch.node != NULL ? tac_yaml_child(r->touch.node, "stiffness") : NULL},
      {"lambda", live->lambda, 1.0, NULL},
      {"mu", live->mu, 1.0, NULL},
      {"density", live->density, 1.0, NULL},
  };
  tacStatus status = TAC_OK;
  for (size_t i = 0; status == TAC_OK && i < sizeof parameters / sizeof *parameters; ++i)
    status = tac_scene_range_check(tree, live, parameters[i].key, parameters[i].range, "body", parameters[i].own,
                                   parameters[i].value, error);
  return status;
}

/* Names of materials are names of groups. */
static tacStatus check_material_names(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  for (int i = 0; i < b->materials.count; ++i)
    for (int k = 0; k < i; ++k) {
      const tacSceneMaterial *one = tac_scene_body_material(b, i);
      const char *name = tac_scene_material_name(one);
      if (strcmp(name, tac_scene_material_name(tac_scene_body_material(b, k))) != 0) continue;
      return tac_yaml_error(tree, one->node, TAC_ERR_FORMAT, error,
                            "materials[%d] is called %s already; names are unique", k, name);
    }
  return TAC_OK;
}

static tacStatus check_body(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBody *b = record;
  if (b->kind == TAC_SCENE_RIGID) return check_rigid(tree, b, error);
  tacStatus status = b->kind == TAC_SCENE_GREEN ? check_green(tree, b, error) : check_reduced(tree, b, error);
  if (status != TAC_OK) return status;
  if (b->has_material == (b->materials.count > 0))
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a body has material or materials, one of the two; write it like material: {young: 20 kPa, "
                          "poisson: 0.45, density: 1050 kg/m3}");
  status = check_material_names(tree, b, error);
  if (status == TAC_OK) status = check_live(tree, b, error);
  if (status == TAC_OK && b->kind == TAC_SCENE_GREEN) status = check_storage(tree, b, error);
  return status;
}

/* The bounds are those of the body's own values. */
#define FACTOR TAC_RANGE(NUMBER, 1e-6, 1e6)
static const tacField green_ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, FACTOR),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, mask, TAC_RANGE(LENGTH, TAC_SMALLEST, TAC_LARGEST)),
};
static const tacField reduced_ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, FACTOR),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, damping, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, touch, TAC_RANGE(STIFFNESS, 1e-3, 1e7)),
    TAC_FIELD(tacSceneRanges, lambda, FACTOR),
    TAC_FIELD(tacSceneRanges, mu, FACTOR),
    TAC_FIELD(tacSceneRanges, density, FACTOR),
};
static const tacRecord green_ranges_record = {TAC_TABLE("live", tacSceneRanges, green_ranges_fields)};
static const tacRecord reduced_ranges_record = {TAC_TABLE("live", tacSceneRanges, reduced_ranges_fields)};

#define GREEN (1u << TAC_SCENE_GREEN)
#define REDUCED (1u << TAC_SCENE_REDUCED)
#define RIGID (1u << TAC_SCENE_RIGID)
#define OF_GREEN(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__, .variants = GREEN)
#define OF_ELASTIC(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__, .variants = GREEN | REDUCED)
#define OF_REDUCED(member, ...) TAC_INNER(tacSceneBody, reduced, member, __VA_ARGS__, .variants = REDUCED)
#define OF_RIGID(member, ...) TAC_INNER(tacSceneBody, rigid, member, __VA_ARGS__, .variants = RIGID)
#define OF_MOVING(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__, .variants = REDUCED | RIGID)
static const tacField body_fields[] = {
    TAC_FIELD(tacSceneBody, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, kind, TAC_CHOICE("green|reduced|rigid"), TAC_REQUIRED),
    OF_GREEN(method, TAC_CHOICE("boundary-elements|finite-elements"), TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, surface, TAC_RECORD(surface_record), TAC_GIVEN(tacSceneBody, has_surface)),
    OF_ELASTIC(volume, TAC_RECORD(volume_record), TAC_GIVEN(tacSceneBody, has_volume)),
    OF_ELASTIC(material, TAC_RECORD(material_record), TAC_GIVEN(tacSceneBody, has_material)),
    OF_ELASTIC(materials, TAC_LIST(placed_material_record)),
    OF_GREEN(fixed, TAC_LIST(tac_scene_region_record), TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, fixed, TAC_LIST(tac_scene_region_record), .variants = REDUCED),
    OF_GREEN(wanted, TAC_LIST(tac_scene_region_record)),
    OF_GREEN(sensors, TAC_LIST(sensor_record)),
    OF_GREEN(mask, TAC_LENGTH, TAC_REQUIRED, .words = "single"),
    OF_GREEN(stiffness, TAC_QUANTITY(NUMBER, 1e-6, 1e6)),
    OF_GREEN(rigid_stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)),
    OF_GREEN(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneBody, position, TAC_POINT),
    TAC_FIELD(tacSceneBody, rotation, TAC_RECORD(tac_scene_rotation_record)),
    OF_GREEN(storage, TAC_CHOICE("whole|near")),
    OF_GREEN(near_radius, TAC_LENGTH, TAC_GIVEN(tacSceneBody, has_near_radius)),
    OF_GREEN(live, TAC_RECORD(green_ranges_record)),
    TAC_FIELD(tacSceneBody, live, TAC_RECORD(reduced_ranges_record), .variants = REDUCED),
    OF_REDUCED(basis, TAC_RECORD(basis_record), TAC_REQUIRED),
    OF_REDUCED(mass, TAC_CHOICE("consistent|lumped")),
    OF_REDUCED(keep, TAC_COUNT(1, TAC_REDUCED_MOST)),
    OF_REDUCED(damping, TAC_RECORD(damping_record)),
    OF_REDUCED(newton, TAC_COUNT(1, 10)),
    {.key = "static", .offset = offsetof(tacSceneBody, reduced.is_static), TAC_FLAG, .variants = REDUCED},
    OF_REDUCED(linear, TAC_FLAG),
    OF_REDUCED(acceleration_limit, TAC_QUANTITY(ACCELERATION, 0.0, 1e9)),
    OF_REDUCED(every, TAC_COUNT(1, 1000)),
    OF_REDUCED(touch, TAC_RECORD(touch_record)),
    OF_REDUCED(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    OF_REDUCED(contact, TAC_RECORD(contact_record)),
    OF_REDUCED(copies, TAC_RECORD(copies_record)),
    OF_RIGID(free, TAC_FLAG),
    OF_RIGID(density, TAC_QUANTITY(DENSITY, 1e-3, 1e6), TAC_GIVEN(tacSceneBody, rigid.has_density)),
    OF_RIGID(mass, TAC_QUANTITY(MASS, 1e-9, 1e9), TAC_GIVEN(tacSceneBody, rigid.has_mass)),
    OF_RIGID(inertia, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_INERTIA, .count = 3, .lower = 1e-20,
             .upper = 1e20, TAC_GIVEN(tacSceneBody, rigid.has_inertia)),
    OF_RIGID(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    OF_RIGID(touch, TAC_RECORD(rigid_touch_record)),
    OF_MOVING(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    OF_MOVING(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
    OF_MOVING(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin)),
    OF_MOVING(points, TAC_RECORD(tac_scene_points_record)),
    TAC_FIELD(tacSceneBody, field, TAC_RECORD(tac_scene_deformed_record), .variants = REDUCED),
    TAC_FIELD(tacSceneBody, field, TAC_RECORD(tac_scene_field_record), .variants = RIGID),
    TAC_FIELD(tacSceneBody, analytic, TAC_LIST(tac_scene_solid_record), .variants = RIGID),
};
const tacRecord tac_scene_body_record = {TAC_TABLE("a body", tacSceneBody, body_fields), .variant = &body_fields[1],
                                         .defaults = body_defaults, .check = check_body};

tacPose tac_scene_body_pose(const tacSceneBody *body) {
  tacQuat q = tac_quat_from_axis_angle(body->rotation.axis, body->rotation.angle);
  return (tacPose){body->position, {q.w, q.x, q.y, q.z}};
}
