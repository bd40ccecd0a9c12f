/* Who leads the tools on stage: clients with their pointers, a SpaceMouse, or the scene's own devices (the demo). One thread at a
 * time. Of the stage only its devices and their places are used: a servo may run, or be started or ended meanwhile. */
#pragma once

#include "app/viewer/protocol/protocol.h"
#include "app/viewer/stage/spacemouse.h"
#include "app/viewer/stage/stage.h"

typedef struct tacHands {
  bool demo;                             /* the scene's own devices lead what no client touches */
  int leader[TAC_MOST_TOOLS];            /* client; 0: none */
  int page[TAC_MOST_TOOLS];              /* client whose own it is: the one that its pointer begins with; 0: free */
  int barred[TAC_MOST_TOOLS];            /* client from whom it was taken, until that one lets go; 0: none */
  tacPointerSample held[TAC_MOST_TOOLS]; /* last sample of each tool, in the world */
  double seen[TAC_MOST_TOOLS][4];        /* how the tools were turned when they were seen last; zeros: not yet */
} tacHands;

/* For a new stage: tools stay where the scene's hands begin. */
void tac_hands_begin(tacHands *hands, const tacStage *stage);
/* How the tools are turned now: what is held still stays so. */
void tac_hands_see(tacHands *hands, const tacSnapshot *snapshot);
/* Lets go of all tools where they are: lifted, or back to the scene's own hand. */
void tac_hands_release(tacHands *hands, const tacStage *stage);
/* A client comes: the first tool that is free becomes its own, if there is one. */
void tac_hands_join(tacHands *hands, const tacStage *stage, int client);
/* Lets go of what a client leads. */
void tac_hands_leave(tacHands *hands, const tacStage *stage, int client);

/* A client leads a tool from its touch until another one touches with it. False where it may not touch, because another one does, or
 * has taken it over. */
bool tac_hands_point(tacHands *hands, const tacStage *stage, int client, const tacViewMessage *message);
/* The tool is the client's, whoever touches with it now: that one has to let go before it may touch again. */
void tac_hands_take(tacHands *hands, const tacStage *stage, int client, int tool);
/* A SpaceMouse carries the first tool, in the world's axes, as long as no client leads it. `radius` of the scene, m; `dt` s since the
 * last time. */
void tac_hands_carry(tacHands *hands, const tacStage *stage, double radius, tacVec3 velocity, tacVec3 spin,
                     unsigned buttons, double dt);
