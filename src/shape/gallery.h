/* What the families of gallery models give to the table of shapes. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/meshing.h>
#include "shape/implicit_mesh.h"

/* One model: `solid` has a function, or it is a union of boxes, or `build` makes its mesh. Unions of boxes and some others have bricks of
 * their own as well. */
typedef struct tacGalleryModel {
  tacShapeInfo info;
  double coarsest;        /* largest size at which no part is lost */
  tacImplicitSolid solid; /* the box is the exact bounding box, for every model */
  tacStatus (*build)(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error);
  tacStatus (*fill)(double size, tacVolMesh **mesh, tacError *error); /* NULL where `boxes` are filled */
  int box_count;
  const tacBox *boxes;
} tacGalleryModel;

/* Rows of models that are a function alone, and of unions of boxes; the last argument is the bounding box. */
#define TAC_GALLERY_IMPLICIT(name, about, size, coarsest, function, steepness, ...) \
  { {name, about, size, 0.0}, coarsest, {function, __VA_ARGS__, steepness}, .build = NULL }
#define TAC_GALLERY_BOXES(name, about, size, coarsest, brick_edge, count, all, ...) \
  { {name, about, size, brick_edge}, coarsest, {NULL, __VA_ARGS__, 1.0}, .box_count = count, .boxes = all }

typedef struct tacGalleryFamily {
  int count;
  const tacGalleryModel *models;
} tacGalleryFamily;

extern const tacGalleryFamily tac_gallery_solids;     /* sphere, box, torus, ... */
extern const tacGalleryFamily tac_gallery_structures; /* bridge, tower, tables, chair */
extern const tacGalleryFamily tac_gallery_parts;      /* clip, pipe, hoses, tubes, cables, peg and hole */
extern const tacGalleryFamily tac_gallery_tools;      /* spatula, spoon, seat, basket, grasper */
extern const tacGalleryFamily tac_gallery_organs;     /* kidney, heart, liver, eye */
extern const tacGalleryFamily tac_gallery_abdomen;    /* stomach, colon, small intestine, diaphragm: around the liver */
extern const tacGalleryFamily tac_gallery_figures;    /* bunny, knight, axe, dragon, dinosaur, ... */

/* NULL where there is no such name or number. */
const tacGalleryModel *tac_gallery_find(const char *name);
const tacGalleryModel *tac_gallery_model(int index);

/* A number that changes with the model's surface, whatever size it is built of: of its function at places all over its box,
 * or of its coarsest mesh where it is built without one. Not of how meshes are made of it. Offline: allocates. */
tacStatus tac_gallery_fingerprint(const tacGalleryModel *model, uint64_t *fingerprint, tacError *error);
