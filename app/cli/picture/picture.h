/* Pictures of meshes and fields, drawn without a graphics card: what `tactus mesh --picture` and the gallery show. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "app/cli/picture/image.h"

typedef struct tacPictureDef {
  int width, height;           /* pixels */
  int up;                      /* the axis that points up: 0, 1, 2 for x, y, z */
  tacVec3 front;               /* what looks this way is turned to the viewer; zero: the longer side lies across */
  bool edges;                  /* draws the edges of triangles */
  int standing;                /* so many of the first vertices stand on the ground; 0: all */
  int thread_count;            /* 0: one for each core */
  const tacProgress *progress; /* may be NULL */
} tacPictureDef;

/* 1200 x 900 pixels, z up. */
tacPictureDef tac_picture_def_default(void);

/* A three-quarter view that is fitted to the mesh, lit by a soft key light and the sky, on a light ground that takes the
 * shadow. `mesh` is valid and not empty; the caller frees `image`. */
tacStatus tac_picture_surface(const tacTriMesh *mesh, const tacPictureDef *def, tacImage *image, tacError *error);

/* The same with a colour for each vertex: its albedo, linear red, green, blue in [0, 1]. */
tacStatus tac_picture_coloured(const tacTriMesh *mesh, const float (*colours)[3], const tacPictureDef *def,
                               tacImage *image, tacError *error);

/* The elements' outer faces with their edges. With `cut`, elements whose centroid lies before the middle are left out, and
 * the faces that this bares have another colour. */
tacStatus tac_picture_volume(const tacVolMesh *mesh, bool cut, const tacPictureDef *def, tacImage *image,
                             tacError *error);

/* The slice through the middle of a grid field (of the three, that which shows most of the inside): blue inside, orange
 * outside, with isolines and a dark zero line. */
tacStatus tac_picture_field(const tacDistanceField *field, const tacPictureDef *def, tacImage *image, tacError *error);
