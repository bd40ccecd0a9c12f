/* What a scene file says of a body.
 *
 * Each struct begins with its node, for errors that come later. Lengths of shapes, regions and sensors are in the body's
 * frame. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/material.h>
#include <tactus/world.h>
#include "spec/scene_solid.h"
#include "spec/text/scene_fields.h"

typedef struct tacSceneSurface {
  const tacYamlNode *node;
  const char *shape, *file; /* one of them */
  int vertices;             /* of a shape; 0: by size */
  double size;              /* of a shape; 0: its own */
  double scale;             /* of a file */
  bool has_vertices, has_size, has_scale;
} tacSceneSurface;

typedef struct tacSceneVolume {
  const tacYamlNode *node;
  double tets, bricks; /* one of the four */
  const char *file, *shape;
  double size; /* of the shape's bricks; 0: its own */
  int fill;    /* tacVoxelRule */
  double scale;
  bool has_tets, has_bricks, has_fill, has_scale, has_size;
} tacSceneVolume;

typedef struct tacSceneMaterial {
  const tacYamlNode *node;
  const char *tissue; /* by name: what the file leaves out is this one's; NULL: none */
  const char *name;   /* of a list of materials; NULL where it has none: then the group's */
  const char *group;  /* of the volume mesh, or */
  tacSchemaList in;   /* tacSceneRegion: elements; neither: everywhere */
  double density, young, poisson;
  double stiffness[21];
  bool has_density, has_young, has_poisson, has_stiffness;
  /* By a law of large strain (spec/law_material.h): */
  const char *law;
  const tacYamlNode *parameters; /* of the law, or young and poisson */
  tacSchemaList viscosity;       /* tacSceneTerm */
  tacVec3 fibres, sheets;        /* directions; unit vectors at right angles, once they were checked */
  bool has_fibres, has_sheets;
  tacLawMaterial all; /* by its law, once it was checked */
} tacSceneMaterial;

/* How far a parameter may be changed; most > least, or both 0: not at all. */
typedef struct tacSceneRange {
  double least, most;
} tacSceneRange;

typedef struct tacSceneRanges {
  const tacYamlNode *node; /* NULL: none */
  tacSceneRange stiffness, friction;
  tacSceneRange mask, moved;                         /* m: of a finger's patch; of a part that is moved */
  tacSceneRange damping, touch, lambda, mu, density; /* the last three of each group of elements */
  tacSceneRange strain_rate;                         /* s: of its damping */
} tacSceneRanges;

/* Of one live parameter, whose value in the file is that node's (NULL: by default); `noun` has it. */
tacStatus tac_scene_range_check(const tacYamlTree *tree, const tacSceneRanges *live, const char *key,
                                tacSceneRange range, const char *noun, double own, const tacYamlNode *value,
                                tacError *error);

typedef struct tacSceneDamping {
  const tacYamlNode *node;
  double mass, stiffness; /* Rayleigh's alpha and beta, 1/s and s */
  double strain_rate;     /* s */
} tacSceneDamping;

/* A spring and a damper in parallel. */
typedef struct tacSceneSpring {
  const tacYamlNode *node;
  double stiffness, damping; /* N/m, N s/m */
} tacSceneSpring;

#define TAC_SCENE_MOST_COPIES 4096 /* bodies of a world, of all bodies of a scene */

typedef struct tacSceneCopies {
  const tacYamlNode *node; /* NULL: none */
  tacVec3 grid;            /* whole numbers */
  tacVec3 spacing;         /* m */
  bool turn;
} tacSceneCopies;

typedef struct tacSceneBody {
  const tacYamlNode *node;
  const char *name;
  int kind;                         /* its number (tac_body_kind_at), as the schema reads it */
  const tacBodyKind *row;           /* of that number, */
  const struct tacSceneKind *scene; /* and what scenes know of it */
  bool has_surface, has_volume, has_material;
  tacSceneSurface surface;
  tacSceneVolume volume;
  tacSceneMaterial material;
  tacSchemaList materials; /* tacSceneMaterial */
  tacSchemaList fixed;     /* tacSceneRegion */
  bool free;
  int every; /* ticks of a step */
  double friction;
  tacSceneSpring touch, contact;
  tacVec3 position;
  tacSceneRotation rotation;
  tacSceneRanges live;
  tacSceneCopies copies;
  tacVec3 gravity;        /* m/s^2; of bodies that may move: the scene's where it has none of its own */
  tacVec3 velocity, spin; /* m/s, rad/s; likewise, of those that are free */
  bool has_gravity, has_velocity, has_spin;
  tacScenePoints points;  /* of bodies that may meet others */
  tacSceneField field;    /* likewise */
  tacSchemaList analytic; /* tacSceneSolid; instead of a surface, of kinds that take it */
  _Alignas(max_align_t) unsigned char own[TAC_BODY_KIND_MOST_RECORD]; /* the kind's own record */
} tacSceneBody;

/* The kind's own record, and its keys. TAC_OWN_RECORD says that there is room for it. */
#define TAC_OWN_RECORD(type) \
  _Static_assert(sizeof(type) <= TAC_BODY_KIND_MOST_RECORD, "raise TAC_BODY_KIND_MOST_RECORD: " #type)
static inline void *tac_scene_own(tacSceneBody *body) {
  return body->own;
}
static inline const void *tac_scene_own_of(const tacSceneBody *body) {
  return body->own;
}
#define TAC_KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
/* Of bodies of elements; of those that may move. */
#define TAC_KEYS_OF_MESHES                                                                      \
  TAC_KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface)), \
      TAC_KEY(volume, TAC_RECORD(tac_scene_volume_record), TAC_GIVEN(tacSceneBody, has_volume))
#define TAC_KEYS_OF_MATERIALS                                                                      \
  TAC_KEY(material, TAC_RECORD(tac_scene_material_record), TAC_GIVEN(tacSceneBody, has_material)), \
      TAC_KEY(materials, TAC_LIST(tac_scene_materials_record))
#define TAC_KEYS_OF_MOTION                                                               \
  TAC_KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)), \
      TAC_KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),  \
      TAC_KEY(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin))
#define TAC_KEY_FRICTION TAC_KEY(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0))
#define TAC_OWN_OFFSET(type, member) (offsetof(tacSceneBody, own) + offsetof(type, member))
#define TAC_OWN_KEY(type, member, ...) \
  { .key = #member, .offset = TAC_OWN_OFFSET(type, member), __VA_ARGS__ }

/* Called with every file that a scene reads (meshes, loads, paths), and the node that names it. */
typedef tacStatus (*tacSceneFileVisit)(const tacYamlNode *node, const char *file, void *user, tacError *error);

/* What several kinds have. */
extern const tacRecord tac_scene_surface_record, tac_scene_volume_record, tac_scene_material_record,
    tac_scene_materials_record, tac_scene_copies_record, tac_scene_touch_record, tac_scene_contact_record;
extern const tacField tac_scene_spring_fields[2];
/* What all bodies begin with: tac_body_def_default. */
void tac_scene_body_defaults(tacSceneBody *body);

/* Of the parameters that may be changed: the key, how far, and the value in the file with its node (NULL: by default). */
typedef struct tacSceneLiveValue {
  const char *key;
  tacSceneRange range;
  double own;
  const tacYamlNode *node;
} tacSceneLiveValue;
tacStatus tac_scene_body_check_live(const tacYamlTree *tree, const tacSceneBody *body, int count,
                                    const tacSceneLiveValue *values, tacError *error);
/* Whether the elements come with a surface of their own: from a file or from a shape that has bricks. */
bool tac_scene_volume_whole(const tacSceneVolume *volume);
/* A mesh of elements, from a file or of a surface. */
tacStatus tac_scene_body_check_volume(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
/* The same where its boundary is the body's surface: there is no other. */
tacStatus tac_scene_body_check_elements(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
/* One material, or several with names of their own. */
tacStatus tac_scene_body_check_materials(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
tacStatus tac_scene_body_check_material_names(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
/* Only what is free can start with a motion of its own; `how` says what makes it free. */
tacStatus tac_scene_body_check_motion(const tacYamlTree *tree, const tacSceneBody *body, bool is_free, const char *how,
                                      tacError *error);

/* How many materials a body has: those of its list, or one; a rigid body none. */
static inline int tac_scene_body_material_count(const tacSceneBody *body) {
  return body->has_material ? 1 : body->materials.count;
}
static inline const tacSceneMaterial *tac_scene_body_material(const tacSceneBody *body, int index) {
  return body->has_material ? &body->material : (const tacSceneMaterial *)body->materials.items + index;
}
/* Takes from its tissue, where it names one, what the file leaves out, and requires a density. */
tacStatus tac_scene_material_take_tissue(const tacYamlTree *tree, tacSceneMaterial *material, tacError *error);
/* Of one of a list: that it says where it is, and has a name. */
tacStatus tac_scene_material_check_place(const tacYamlTree *tree, const tacSceneMaterial *material, tacError *error);
/* What a material is called in parameters: its name, its group's, or "body". */
const char *tac_scene_material_name(const tacSceneMaterial *material);

/* Whether it has a field for pairs, sampled or exact. */
static inline bool tac_scene_body_has_field(const tacSceneBody *body) {
  return body->field.node != NULL || body->analytic.count > 0;
}

/* The body's pose in the scene, before its copies are placed. */
tacPose tac_scene_body_pose(const tacSceneBody *body);
