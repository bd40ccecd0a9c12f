/* Which of many points are near a place: a balanced tree of half spaces over points that stay. Offline and load
 * phases. */
#pragma once

#include <tactus/base.h>
#include "base/error.h"
#include "base/memory/owned.h"

typedef struct tacPointTree tacPointTree;

/* Copies the points, which must be finite. */
tacStatus tac_point_tree_create(int count, const tacVec3 *points, tacPointTree **tree, tacError *error);
void tac_point_tree_destroy(tacPointTree *tree); /* NULL is allowed */
TAC_OWNED_TYPE(tacPointTree, tac_point_tree_destroy)

/* The `most` points nearest to p, nearest first, of equally near ones the smaller number first. Returns how many:
 * fewer where the tree has fewer. `distance2` receives squares of the distances. */
int tac_point_tree_nearest(const tacPointTree *tree, tacVec3 p, int most, int *nearest, double *distance2);
/* Calls `visit` for each point that is nearer to p than `radius`, in an order that depends on the points alone. */
typedef void (*tacPointTreeVisit)(int point, double distance2, void *context);
void tac_point_tree_within(const tacPointTree *tree, tacVec3 p, double radius, tacPointTreeVisit visit, void *context);
