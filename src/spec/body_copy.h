/* The bodies of the world that a body of a scene stands for: itself, or its copies on a grid. */
#pragma once

#include "spec/scene_body.h"

#define TAC_BODY_COPY_NAME 80

int tac_body_copy_count(const tacSceneBody *body); /* 1 without copies */
/* "basket-001"; the body's own name without copies. */
void tac_body_copy_name(const tacSceneBody *body, int copy, char name[TAC_BODY_COPY_NAME]);
/* x goes fastest. With `turn` each is turned about its own origin, at random but always the same. */
tacPose tac_body_copy_pose(const tacSceneBody *body, int copy);
/* The copy of that name; -1: there is none. */
int tac_body_copy_find(const tacSceneBody *body, const char *name);
