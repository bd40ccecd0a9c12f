/* The scenes of a folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <tactus/base.h>

typedef struct tacGalleryScene {
  char *file;         /* "kidney.yaml" */
  char *name, *about; /* "" where it cannot be read */
  char *fault;        /* what is wrong with it; NULL: nothing */
  bool picture;       /* FOLDER/pictures/STEM.png is there */
} tacGalleryScene;

typedef struct tacGallery {
  char *folder;
  int count;
  tacGalleryScene *scenes; /* by file name */
} tacGallery;

/* Reads every *.yaml of the folder. */
tacStatus tac_gallery_read(const char *folder, tacGallery *gallery, tacError *error);
void tac_gallery_free(tacGallery *gallery); /* a zeroed one is allowed */

/* FOLDER/FILE for a file of the gallery, malloc'ed; NULL with TAC_ERR_ARGUMENT for others: names from outside open no others. */
char *tac_gallery_path(const tacGallery *gallery, const char *file, tacError *error);
/* FOLDER/pictures/STEM.png. False where the stem is none of the gallery's or has no picture. */
bool tac_gallery_picture(const tacGallery *gallery, const char *stem, char *path, size_t size);
