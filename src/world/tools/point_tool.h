/* Tools that touch bodies at a point: where they touch, and the spring with which they pull there.
 *
 * A body that answers as a compliance has a stiffness at every point of its surface at rest, and tools that touch it feel each other
 * through it: quasi-static, so that the tools' positions decide everything (James and Pai 2001, section 6). Every other body is
 * touched on its surface as it is now, through a spring; the point sticks while Coulomb's law allows and slides over the surface
 * otherwise, always nearer to the tool: that only takes energy from the spring. The springs enter the bodies' equations, so that
 * tools that touch one body feel each other through it. */
#pragma once

#include "world/world_parts.h"

/* Tick. A free tool meets the first body that it enters. */
void tac_point_tool_approach(tacWorld *world, int tool, tacTickReport *report);
/* The contacts of all tools on a body, for the body as it is. */
void tac_point_tool_settle(tacWorld *world, int body, int *budget, tacTickReport *report);
/* The body has moved under its tools. */
void tac_point_tool_follow(tacWorld *world, int body, int *budget, tacTickReport *report);
/* A tool whose contact ended (state none) is free again, or takes hold elsewhere. */
void tac_point_tool_release(tacWorld *world, int tool, tacTickReport *report);
/* As if it had not been in the scene before. */
void tac_point_tool_free(tacWorld *world, int tool);
void tac_point_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);

/* The spring of a tool that touches `body`: force on the body (N), stiffness and damping (N/m, N s/m), world frame. */
typedef struct tacToolSpring {
  tacSite site;
  tacVec3 at, force;
  tacMat3 stiffness;
  double damping;
} tacToolSpring;
bool tac_point_tool_spring(const tacWorld *world, int tool, tacToolSpring *spring);

/* How fast a body's surface moves there, with its frame and by deformation; m/s. */
double tac_point_tool_surface_speed(const tacWorldBody *body, tacSurfacePoint at);

/* Where a tool touches, or would touch first: the nearest surface within `reach`, m. */
typedef struct tacToolTip {
  tacSite site;
  tacContact contact; /* state none: it does not touch */
  tacVec3
      axis; /* unit, world: along which the surface would push without friction, about which friction has its cone */
  tacDent soft; /* of the spring between tip and surface; 0 where the body's compliance is all */
} tacToolTip;
bool tac_point_tool_tip(tacWorld *world, int tool, double reach, tacToolTip *tip, tacTickReport *report);
/* How the points that two tools touch on a body which answers as a compliance move each other, m/N, body's frame; of one tool with
 * itself: the inverse of the stiffness that it feels. False where that is not known. */
bool tac_point_tool_compliance(tacWorld *world, int body, int tool, const tacSite *at, int other, const tacSite *by,
                               tacMat3 *compliance);
