/* What the viewer's clients see of a world: the bodies' geometry once, and frames of a moment (docs/viewer_protocol.md). */
#pragma once

#include <tactus/scene.h>
#include <tactus/servo.h>
#include "app/viewer/protocol/packet.h"
#include "base/memory/owned.h"

/* Room for the surfaces of a world's bodies while frames are made. */
typedef struct tacFrameMaker tacFrameMaker;

/* Refers to scene and world. */
tacStatus tac_frame_maker_create(const tacScene *scene, const tacWorld *world, uint32_t load, tacFrameMaker **maker,
                                 tacError *error);
void tac_frame_maker_destroy(tacFrameMaker *maker); /* NULL is allowed */
TAC_OWNED_TYPE(tacFrameMaker, tac_frame_maker_destroy)

/* What is sent of a body once: the message `body` or `rigid`, or for the first body of a model `model`; NULL for its others.
 * `volume` may be NULL. */
tacStatus tac_frame_maker_body(const tacFrameMaker *maker, int body, const tacVolMesh *volume, tacPacket **packet,
                               tacError *error);

/* The message `load modes` of the first body of a model that knows its answer to some loads alone; NULL for others. */
tacStatus tac_frame_maker_load_modes(const tacFrameMaker *maker, int body, tacPacket **packet, tacError *error);

/* What a body may be coloured by: bits of TAC_VIEW_REQUEST_*, SURFACES standing for displacement. */
unsigned tac_frame_maker_colours(const tacFrameMaker *maker, int body);

/* The next frames have every surface, as after a new client came. */
void tac_frame_maker_refresh(tacFrameMaker *maker);

/* What the servo and the session know beside the snapshot. */
typedef struct tacFrameTool {
  unsigned flags; /* TAC_VIEW_LED, ... */
  tacVec3 spring; /* world, m */
  int client;     /* that leads it; 0: none */
} tacFrameTool;

typedef struct tacFrameNumbers {
  double servo_rate, display_rate, tick_p50, tick_p99, tick_p999, tick_max, late_p99, late_max;
  int64_t missed_by_computation, missed_by_lateness;
  int contacts, clients;
} tacFrameNumbers;

typedef struct tacFrameDef {
  uint32_t number;
  double time; /* s */
  const tacSnapshot *snapshot;
  const tacFrameTool *tools; /* as many as the snapshot has */
  tacFrameNumbers numbers;
  const tacContactMoment *contacts; /* that obey laws; NULL: they are not known */
  unsigned requests;                /* TAC_VIEW_REQUEST_* */
} tacFrameDef;

tacStatus tac_frame_maker_frame(tacFrameMaker *maker, const tacFrameDef *def, tacPacket **packet, tacError *error);

/* Marks a frame that is not shared yet: its world stands still, because the program is busy with it. */
void tac_frame_mark_busy(tacPacket *frame);
/* The same frame under another number. */
tacStatus tac_frame_copy(tacPacket *frame, uint32_t number, tacPacket **copy, tacError *error);
