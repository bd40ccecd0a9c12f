/* A scene on stage: its world, its tools' devices with a pointer in front of each, and the servo that runs them. */
#pragma once

#include "app/viewer/stage/loading.h"
#include "device/pointer.h"

typedef struct tacStage {
  tacScene *scene;
  tacWorld *world;
  int tool_count;
  tacDevice devices[TAC_MOST_TOOLS];
  bool takes_pointer[TAC_MOST_TOOLS]; /* the device is tac_device_pointer_open's */
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  double hand_stiffness, hand_damping; /* of the pointers */
  tacServo *servo;                     /* NULL while it does not run */
  tacRecorder *recorder;               /* NULL: it does not record */
  char recording[1024];                /* its path */
} tacStage;

/* Reads, bakes (progress, cancellable) and builds; nothing runs yet. `or_small`: the scene's small version where the whole one
 * would have to be baked for longer than a moment (tac_scene_is_small tells). A zeroed stage on failure. */
tacStatus tac_stage_load(const char *path, const char *cache, bool or_small, tacLoading *loading, tacStage *stage,
                         tacError *error);
void tac_stage_destroy(tacStage *stage); /* a zeroed one is allowed */

/* Runs from the reset state; into a recording where `recording` is a path, else NULL. Real devices included. */
tacStatus tac_stage_run(tacStage *stage, const char *recording, const char *program, tacError *error);
/* Ends the recording, where there is one; what runs goes on. */
tacStatus tac_stage_end_recording(tacStage *stage, tacError *error);
/* Ramps out and ends the servo and its recording; TAC_OK where it does not run. */
tacStatus tac_stage_halt(tacStage *stage, tacError *error);

/* A pointer's sample in the world to the device of a tool that takes one. */
void tac_stage_point(const tacStage *stage, int tool, const tacPointerSample *sample);
/* Where the pointer's spring ends, in the world. */
tacVec3 tac_stage_spring(const tacStage *stage, int tool, const tacPointerStatus *status);
/* Box of all surfaces at rest, in the world, and of the floor below those that may fall. */
tacBox tac_stage_box(const tacWorld *world);
