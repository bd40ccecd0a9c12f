/* What clients are told of a scene once it is on show: its bodies, tools and pairs (docs/viewer_protocol.md, `state`). */
#pragma once

#include <jansson.h>
#include <tactus/scene.h>

typedef struct tacViewScene {
  const char *file;
  const tacScene *scene;
  const tacWorld *world;
  /* Of the tools; NULL: there are none, as in a replay. */
  const tacDevice *devices;
  const bool *takes_pointer;
  /* Of the bodies. */
  const bool *has_volume;
  const unsigned *colours; /* tac_frame_maker_colours */
  const double *masks;     /* m */
  tacBox box;              /* of all of them */
} tacViewScene;

/* NULL where memory is short. While nothing changes the world; the object refers to none of it afterwards. */
json_t *tac_view_scene_json(const tacViewScene *scene);
