/* Tools that touch bodies at a point: contact point and spring.
 *
 * A compliance body has a stiffness at every point of its rest surface. It is quasi-static: tool positions determine
 * its state. Tools on it feel each other through it (James and Pai 2001, section 6). On other bodies, a spring
 * connects the tool to a point of the present surface. The point sticks within Coulomb's law and otherwise slides over
 * the surface. It always slides toward the tool, so sliding only dissipates energy of the spring. The springs enter the
 * bodies' equations, so tools on one body feel each other through it. */
#pragma once

#include "world/world_parts.h"

/* Tick. A free tool touches the first body that it enters. */
void tac_point_tool_approach(tacWorld *world, int tool, tacTickReport *report);
/* Updates the contacts of all tools on a body, for the present state of the body. */
void tac_point_tool_settle(tacWorld *world, int body, int *budget, tacTickReport *report);
/* Updates contacts after the body moved. */
void tac_point_tool_follow(tacWorld *world, int body, int *budget, tacTickReport *report);
/* A tool whose contact ended (state none) becomes free, or grabs at another place. */
void tac_point_tool_release(tacWorld *world, int tool, tacTickReport *report);
/* Ends the tool's contact and resets the tool to its initial state. */
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

/* Velocity of a body's surface at a point, from its frame and its deformation; m/s. */
double tac_point_tool_surface_speed(const tacWorldBody *body, tacSurfacePoint at);

/* Place that a tool touches. For a tool without contact, the nearest surface point within `reach`, m. */
typedef struct tacToolTip {
  tacSite site;
  tacContact contact; /* state none: no contact */
  tacVec3 axis;       /* axis of the friction cone, unit, world: push direction of the surface without friction */
  tacDent soft;       /* compliance of the spring between tip and surface; 0 if the contact has no spring */
} tacToolTip;
bool tac_point_tool_tip(tacWorld *world, int tool, double reach, tacToolTip *tip, tacTickReport *report);
/* Compliance between the points of two tools on a compliance body, m/N, body's frame. For a tool and itself, this is
 * the inverse of the stiffness that the tool feels. False: unknown. */
bool tac_point_tool_compliance(tacWorld *world, int body, int tool, const tacSite *at, int other, const tacSite *by,
                               tacMat3 *compliance);
