/* A picture of a moment of a recording, drawn by the viewer's page in a browser without a window: what people see there is what
 * reports and docs show, and there is one renderer to keep. (EGL would take a second one, in C.) */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

typedef struct tacScenePicture {
  const char *recording; /* path */
  const char *cache;     /* of baked assets; NULL: the user's */
  double moment;         /* s; negative: that of the largest force */
  int width, height;     /* pixels */
  bool dark;
  const char *colour; /* "plain", "displacement", "stress" or "pressure" */
} tacScenePicture;

/* Writes a PNG file. TAC_ERR_UNSUPPORTED where the page or a browser is missing. */
tacStatus tac_scene_picture_write(const tacScenePicture *picture, const char *path, tacError *error);
