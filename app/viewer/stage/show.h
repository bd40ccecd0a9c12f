/* A world as it is shown: what its clients are sent once, and what makes its frames. */
#pragma once

#include "app/viewer/frame/frame.h"
#include "app/viewer/frame/shell.h"
#include "app/viewer/stage/loading.h"
#include "base/memory/array.h"

typedef struct tacShow {
  tacArrays arrays; /* those of all bodies, below */
  tacFrameMaker *maker;
  int body_count;
  tacPacket **packets;    /* [body]; NULL where a body came with the one before it */
  tacPacket **load_modes; /* [body]; NULL where it has none, or they came with another body */
  bool *has_volume;       /* [body] */
  unsigned *colours;      /* [body]: tac_frame_maker_colours */
  double *masks;          /* [body]: radius of its contacts' masks, m; 0: none */
  tacBox box;             /* of all bodies at rest, and of the floor below them */
  int shell_count;
  tacViewShell *shells; /* what clients are sent when they request it */
} tacShow;

/* Before the world runs; fetches the meshes that are shown inside of bodies. A zeroed show on failure. */
tacStatus tac_show_make(const tacScene *scene, const tacWorld *world, uint32_t load, tacLoading *loading, tacShow *show,
                        tacError *error);
void tac_show_free(tacShow *show); /* a zeroed one is allowed */
/* After a parameter has made a body anew. */
void tac_show_measure_masks(tacShow *show, const tacWorld *world);
