/* A scene in rough hands without guards: the world's own forces, in closed loop with simulated operators, and what
 * can be said of their physics. No limit on force, torque or their rate, no passivity controller; no budget of time:
 * all nodes up to a fixed number, so that the same build on the same machine repeats itself bit for bit. */
#pragma once

#include <tactus/scene.h>
#include "base/histogram.h"
#include "bench/truth/balance.h"
#include "bench/truth/depth_gauge.h"
#include "bench/truth/force_gauge.h"
#include "bench/truth/full_gauge.h"
#include "bench/truth/pair_account.h"
#include "servo/energy_account.h"

typedef struct tacTruthDef {
  double duration; /* s, of the scene's time */
  int depth_count; /* moments for true depths, at least 50 ms apart; and where a greater depth is told */
  int full_count;  /* moments that are compared with full solutions */
  double wall;     /* s of this machine's time after which it ends; 0: never */
} tacTruthDef;

typedef struct tacTruthTool {
  tacRoughPath path;
  tacForceGauge force;
  tacEnergyAccount energy;
  tacVec3 position;                /* of the device in the tick before, device frame */
  double orientation[4];           /* likewise */
  tacVec3 written, written_torque; /* likewise */
} tacTruthTool;

typedef struct tacTruth {
  tacWorld *world;
  int64_t ticks, contact_ticks, degraded, refused, saturated;
  tacTruthTool tools[TAC_MOST_TOOLS];
  tacEnergyAccount energy; /* of all tools together: what one gives, another may take */
  tacBalance balance;
  tacPairAccount pairs;
  tacDepthGauge depth;
  tacFullGauge full;
  tacHistogram tick;    /* s */
  uint64_t fingerprint; /* of all inputs and outputs */
} tacTruth;

/* The world of a baked scene at a fixed level of detail. A world with a budget measures the machine when it is sealed, and its pairs visit
 * as many nodes as are in time there. Here each may visit the same number on every machine. */
tacStatus tac_truth_world(const tacScene *scene, tacWorld **world, tacError *error);

/* Of a scene that is baked. Tells on stderr how far it is, once a minute of the scene's time. A run that ends
 * because of `wall` is TAC_OK: `ticks` tells. */
tacStatus tac_truth_create(const tacScene *scene, const tacTruthDef *def, tacTruth **truth, tacError *error);
void tac_truth_destroy(tacTruth *truth); /* NULL is allowed */
