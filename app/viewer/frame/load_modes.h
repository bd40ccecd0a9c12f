/* What the viewer's clients get of the loads of a vademecum, once (docs/viewer_protocol.md): the modes Y_k(s) that belong to its modes
 * X_k, which are the basis of a model. */
#pragma once

#include <tactus/vademecum.h>
#include "app/viewer/protocol/protocol.h"

/* The message `load modes`; `model` is the number of the model of the vademecum's shape. */
tacStatus tac_view_load_modes_packet(const tacVademecum *vademecum, int model, uint32_t load, tacPacket **packet,
                                     tacError *error);
