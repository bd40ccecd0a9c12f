/* What the viewer's clients get of bodies that are shown by coordinates (docs/viewer_protocol.md): the surface and the basis of a model once, and
 * in every frame the coordinates of its bodies. Bodies that are made from one asset share a model. */
#pragma once

#include <tactus/mesh.h>
#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

typedef struct tacViewModel {
  tacShownBasis basis;
  int body_count;
  int *bodies; /* their numbers in the world, ascending */
  bool moves;  /* they move as a whole: they are free, or a tool holds one of them */
} tacViewModel;

/* All of a world's, in the order of their first bodies; to be destroyed even where it failed. */
tacStatus tac_view_models_create(const tacWorld *world, int *count, tacViewModel **models, tacError *error);
void tac_view_models_destroy(int count, tacViewModel *models); /* NULL is allowed */

/* The message `model`. `volume`, in the frame of the bodies, may be NULL. */
tacStatus tac_view_model_packet(const tacViewModel *model, int number, const tacWorld *world, uint32_t load,
                                const tacVolMesh *volume, tacPacket **packet, tacError *error);

/* The section `coordinates` of a frame, and a bound on its bytes. */
void tac_view_model_write(const tacViewModel *model, int number, const tacWorld *world, const tacSnapshot *snapshot,
                          tacByteWriter *writer);
size_t tac_view_model_most_bytes(const tacViewModel *model);
