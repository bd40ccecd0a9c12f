/* What a scene file says of a body.
 *
 * Each struct begins with its node, for errors that come later. Lengths of shapes, regions and sensors are in the body's
 * frame. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/hyperelastic.h>
#include <tactus/world.h>
#include "scene/scene_solid.h"

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
  /* Of hyperelastic bodies (scene/hyperelastic_material.h). */
  const char *law;
  const tacYamlNode *parameters; /* of the law, or young and poisson */
  tacSchemaList viscosity;       /* tacSceneTerm */
  tacVec3 fibres, sheets;        /* directions; unit vectors at right angles, once they were checked */
  bool has_fibres, has_sheets;
  tacHyperelasticMaterial hyperelastic; /* all of it, once it was checked */
} tacSceneMaterial;

typedef struct tacSceneSensor {
  const tacYamlNode *node;
  const char *name;
  int kind; /* tacSensorKind */
  tacVec3 point;
} tacSceneSensor;

/* How far a parameter may be changed; most > least, or both 0: not at all. */
typedef struct tacSceneRange {
  double least, most;
} tacSceneRange;

typedef struct tacSceneRanges {
  const tacYamlNode *node; /* NULL: none */
  tacSceneRange stiffness, friction;
  tacSceneRange mask;                                /* of elastostatic bodies */
  tacSceneRange damping, touch, lambda, mu, density; /* of reduced ones; the last three of each group */
  tacSceneRange strain_rate;                         /* likewise, s */
  tacSceneRange moved;                               /* of hyperelastic ones, m */
} tacSceneRanges;

/* Of one live parameter, whose value in the file is that node's (NULL: by default); `noun` has it. */
tacStatus tac_scene_range_check(const tacYamlTree *tree, const tacSceneRanges *live, const char *key,
                                tacSceneRange range, const char *noun, double own, const tacYamlNode *value,
                                tacError *error);

typedef struct tacSceneBasis {
  const tacYamlNode *node;
  int from; /* tacBasisSource */
  const char *file;
  int modes, size;
  double step, duration; /* of the full motion, s */
  double radius;         /* of loads of which the file does not say it, m; 0: none */
} tacSceneBasis;

typedef struct tacSceneDamping {
  const tacYamlNode *node;
  double mass, stiffness; /* Rayleigh's alpha and beta, 1/s and s */
  double strain_rate;     /* of reduced bodies, s */
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

/* What reduced bodies have. */
typedef struct tacSceneReduced {
  tacSceneBasis basis;
  int mass; /* 0: consistent, 1: lumped */
  int keep; /* leading vectors of the basis; 0: all */
  tacSceneDamping damping;
  int newton;
  bool is_static, linear;
  double acceleration_limit; /* root mean square over the body's mass, m/s^2; 0: none */
  int every;
  tacSceneSpring touch, contact;
  double friction;
} tacSceneReduced;

/* Where forces on a vademecum body act, which way, and how large they are. */
typedef struct tacSceneLoads {
  const tacYamlNode *node;
  double size;       /* the largest, N */
  tacVec3 direction; /* unit, once it was checked; zero: any */
  bool has_direction;
  tacSchemaList in; /* tacSceneRegion; none: all of the surface that is free */
  double patch;     /* m: radius over which each is spread; 0: it acts at one node */
} tacSceneLoads;

/* What vademecum bodies have, beside how they move, which is as of reduced ones. */
typedef struct tacSceneVademecum {
  tacSceneLoads loads;
  bool free, linear;
  double accuracy;
  int modes, paths, sample;
  int method; /* tacLoadPathMethod */
} tacSceneVademecum;

/* What rigid bodies have. */
typedef struct tacSceneRigid {
  bool free;
  double density, mass; /* kg/m^3, kg; one of them at most */
  tacVec3 inertia;      /* kg m^2, about the centre of mass and the body's axes */
  bool has_density, has_mass, has_inertia;
  double friction;
  tacSceneSpring touch;
} tacSceneRigid;

/* What corotational bodies have, beside what they share with green ones. */
typedef struct tacSceneCorotational {
  bool free;
  tacSceneSpring contact;
} tacSceneCorotational;

/* A part of a hyperelastic body that goes to and fro: by the live parameter `moved`, and by a motion of its own. */
typedef struct tacSceneMoved {
  const tacYamlNode *node; /* NULL: none */
  tacSchemaList in;        /* tacSceneRegion */
  tacVec3 along;           /* unit, once it was checked */
  double distance, period; /* m, s: goes from 0 to `distance` and back in each period; 0: does not go by itself */
} tacSceneMoved;

/* What hyperelastic bodies have. */
typedef struct tacSceneHyperelastic {
  bool free, patches;
  double friction;
  tacSceneSpring touch, contact;
  tacSceneDamping damping;
  tacSceneMoved moved;
  int factor; /* tacFactorMode */
  int factor_delay, sites, threads;
} tacSceneHyperelastic;

/* What bodies of registered kinds have. */
typedef struct tacSceneRegistered {
  const tacBodyKind *kind;
  bool free;
  int every;
  double friction;
  tacSceneSpring touch, contact;
  _Alignas(max_align_t) unsigned char record[TAC_BODY_KIND_MOST_RECORD]; /* as the kind has it */
} tacSceneRegistered;

typedef struct tacSceneBody {
  const tacYamlNode *node;
  const char *name;
  int kind;   /* its number in scene/scene_kinds.h */
  int method; /* tacGreenMethod */
  bool has_surface, has_volume, has_material;
  tacSceneSurface surface;
  tacSceneVolume volume;
  tacSceneMaterial material;
  tacSchemaList materials;     /* tacSceneMaterial */
  tacSchemaList fixed, wanted; /* tacSceneRegion */
  tacSchemaList sensors;       /* tacSceneSensor */
  double mask;                 /* 0: single vertices */
  double stiffness, rigid_stiffness, friction;
  tacVec3 position;
  tacSceneRotation rotation;
  int storage; /* tacGreenStorage */
  double near_radius;
  bool has_near_radius;
  tacSceneRanges live;
  tacSceneReduced reduced;
  tacSceneVademecum vademecum;
  tacSceneRigid rigid;
  tacSceneCorotational corotational;
  tacSceneHyperelastic hyperelastic;
  tacSceneRegistered registered;
  tacSceneCopies copies;
  tacVec3 gravity;        /* m/s^2; of bodies that may move: the scene's where it has none of its own */
  tacVec3 velocity, spin; /* m/s, rad/s; likewise, of those that are free */
  bool has_gravity, has_velocity, has_spin;
  tacScenePoints points;  /* of bodies that may meet others */
  tacSceneField field;    /* likewise */
  tacSchemaList analytic; /* tacSceneSolid; of rigid bodies, instead of a surface */
} tacSceneBody;

/* Called with every file that a scene reads (meshes, loads, paths), and the node that names it. */
typedef tacStatus (*tacSceneFileVisit)(const tacYamlNode *node, const char *file, void *user, tacError *error);

/* What several kinds have. */
extern const tacRecord tac_scene_surface_record, tac_scene_volume_record, tac_scene_material_record,
    tac_scene_materials_record, tac_scene_copies_record;
extern const tacField tac_scene_spring_fields[2];

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
