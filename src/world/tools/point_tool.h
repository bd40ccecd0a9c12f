/* Point tools: tools that touch a body at one contact point, or with one fingertip.
 *
 * A compliance body has a stiffness at every point of the rest surface. The body is quasi-static: the positions of the
 * tools determine the displacements. Several tools on the body feel each other through the body (James and Pai 2001,
 * section 6).
 *
 * On any other body, a spring connects the tool to a point of the present surface. The point sticks inside the friction
 * cone, and otherwise slides over the surface. The point always slides toward the tool, so sliding only dissipates
 * energy of the spring. The equations of the body contain the springs of all tools, so tools on one body feel each
 * other. */
#pragma once

#include "world/world_parts.h"

/* Starts a contact with the first body that a free tool enters or grabs. Tick phase, like all functions below. */
void tac_point_tool_approach(tacWorld *world, int tool, tacTickReport *report);
/* Updates the contacts of all tools on a body, for the present state of the body. `budget`: remaining number of
 * evaluations of contact laws; the function reduces it. */
void tac_point_tool_settle(tacWorld *world, int body, int *budget, tacTickReport *report);
/* Updates the contacts of all tools on a body after the body moved. */
void tac_point_tool_follow(tacWorld *world, int body, int *budget, tacTickReport *report);
/* Frees a tool whose contact ended (state none). On a compliance body, the tool may touch at another place instead. */
void tac_point_tool_release(tacWorld *world, int tool, tacTickReport *report);
/* Ends the tool's contact and resets the tool to its initial state. */
void tac_point_tool_free(tacWorld *world, int tool);
void tac_point_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);

/* Spring between a tool and the touched body, world frame: position of the site (m), force on the body (N), stiffness
 * (N/m), and damping (N s/m). */
typedef struct tacToolSpring {
  tacSite site;
  tacVec3 at, force;
  tacMat3 stiffness;
  double damping;
} tacToolSpring;
bool tac_point_tool_spring(const tacWorld *world, int tool, tacToolSpring *spring);

/* Returns the speed of a body's surface at a point, by the motion of the frame and by deformation, m/s. */
double tac_point_tool_surface_speed(const tacWorldBody *body, tacSurfacePoint at);

/* Place on a body that a tool touches, or the place nearest to a tool without contact. */
typedef struct tacToolTip {
  tacSite site;
  tacContact contact; /* contact at the place; state none: the tool does not touch */
  tacVec3 axis;       /* axis of the friction cone, unit, world: push direction of the surface without friction */
  tacDent soft;       /* compliance of the spring between tool and surface, m/N; 0 on a compliance body */
} tacToolTip;
/* Computes the place on a body that a tool touches. For a tool without contact, the place is the nearest surface point
 * within `reach` (m). Returns false if the tool has no contact and no surface is within `reach`. */
bool tac_point_tool_tip(tacWorld *world, int tool, double reach, tacToolTip *tip, tacTickReport *report);
/* Computes the compliance between the contact points of two tools on a compliance body, m/N, body's frame. If `tool`
 * and `other` are the same tool, the result is the inverse of the stiffness that the tool feels. Returns false if the
 * compliance is unknown. */
bool tac_point_tool_compliance(tacWorld *world, int body, int tool, const tacSite *at, int other, const tacSite *by,
                               tacMat3 *compliance);
